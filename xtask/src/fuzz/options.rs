//! The options, and the list of targets.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::target::{Opened, Target};
use super::{c, driver_calls, images, loops, ptx};

/// Every target; the first is the default.
const TARGETS: [&Target; 5] =
    [&ptx::TARGET, &images::TARGET, &driver_calls::TARGET, &loops::TARGET, &c::TARGET];

/// Options of `cargo xtask fuzz`.
#[derive(clap::Args, Clone)]
pub struct Options {
    /// What to fuzz
    #[arg(value_parser = target_names(), default_value = TARGETS[0].name)]
    target: String,
    /// Inputs to try
    #[arg(long, default_value_t = 10_000)]
    pub inputs: u64,
    /// Seed of the inputs
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of the first input
    #[arg(long, default_value_t = 0)]
    pub first: u64,
    /// Stop after this many seconds
    #[arg(long)]
    pub seconds: Option<u64>,
    /// Child processes
    #[arg(long, default_value_t = 1)]
    pub jobs: u64,
    /// Further folders with files to make inputs from
    #[arg(long)]
    corpus: Vec<PathBuf>,
    /// The folder for inputs that fail
    #[arg(long, default_value = "target/fuzz")]
    crashes: PathBuf,
    /// Try these files instead of generated inputs
    #[arg(long, num_args = 1..)]
    pub files: Vec<PathBuf>,
    /// Print the input of number `--first`
    #[arg(long)]
    pub show: bool,
    /// Run as a child process: this one of `--jobs`
    #[arg(long, hide = true)]
    pub child: Option<u64>,
    /// The file for the progress of a child process
    #[arg(long, hide = true, requires = "child")]
    pub progress: Option<PathBuf>,
}

fn target_names() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(TARGETS.map(|target| target.name))
}

impl Options {
    pub fn target(&self) -> &'static Target {
        TARGETS.into_iter().find(|target| target.name == self.target).unwrap_or(TARGETS[0])
    }

    /// Reads what inputs are made of.
    pub fn open(&self) -> Opened {
        (self.target().open)(&self.corpus)
    }

    /// The folder for inputs that fail, and for the progress of child processes.
    pub fn folder(&self) -> &Path {
        &self.crashes
    }

    /// Writes an input and its problem to files.
    pub fn keep(&self, number: u64, input: &[u8], problem: &str) -> Result<(), String> {
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
