//! A campaign: which inputs of which target are tried.

use std::path::PathBuf;

use super::target::{Opened, Target};
use super::{c, driver_calls, images, loops, ptx};

/// Every target; the first is the default.
const TARGETS: [&Target; 5] =
    [&ptx::TARGET, &images::TARGET, &driver_calls::TARGET, &loops::TARGET, &c::TARGET];

/// The names of what can be fuzzed; the first is the default.
pub const TARGET_NAMES: [&str; 5] =
    [TARGETS[0].name, TARGETS[1].name, TARGETS[2].name, TARGETS[3].name, TARGETS[4].name];

/// Inputs of a target, which depend on a seed and their numbers only.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The target: one of [`TARGET_NAMES`].
    pub target: String,
    /// How many inputs are tried.
    pub inputs: u64,
    /// Their seed.
    pub seed: u64,
    /// The number of the first one.
    pub first: u64,
    /// Stop after this many seconds.
    pub seconds: Option<u64>,
    /// How many child processes try them.
    pub jobs: u64,
    /// Further folders with files to make inputs from.
    pub corpus: Vec<PathBuf>,
    /// The folder for inputs that fail, and for the progress of child processes.
    pub crashes: PathBuf,
}

impl Campaign {
    /// The first input.
    ///
    /// # Errors
    ///
    /// What inputs are made of cannot be read.
    pub fn input(&self) -> Result<Vec<u8>, String> {
        Ok(self.open()?.input(self.seed, self.first))
    }

    pub(crate) fn target(&self) -> &'static Target {
        TARGETS.into_iter().find(|target| target.name == self.target).unwrap_or(TARGETS[0])
    }

    /// Reads what inputs are made of.
    pub(crate) fn open(&self) -> Opened {
        (self.target().open)(&self.corpus)
    }

    /// Writes an input and its problem to files.
    pub(crate) fn keep(&self, number: u64, input: &[u8], problem: &str) -> Result<(), String> {
        let target = self.target();
        let name = self.crashes.join(format!("{}-seed-{}-input-{number}", target.name, self.seed));
        let failed = |e: std::io::Error| format!("{}: {e}", name.display());
        let file = name.with_extension(target.extension);
        std::fs::write(&file, input).map_err(failed)?;
        std::fs::write(name.with_extension("txt"), problem).map_err(failed)?;
        let start: String = problem.chars().take(200).collect();
        println!("input {number} ({}): {start}", file.display());
        Ok(())
    }
}
