//! The target *images*: cubins, fat binaries, packages in executables and texts, as the driver loads them.
//!
//! Images are made whole, with headers, sizes and packing that agree, so that most of them pass the first
//! checks; then some are damaged.

mod elf;
mod generate;
mod line_table;
mod ptx;
mod trial;

use std::path::PathBuf;
use std::time::Duration;

use super::target::{Fuzzer, Opened, Outcome, Target};

pub const TARGET: Target = Target {
    name: "images",
    extension: "bin",
    passed: "hold PTX",
    counts: &["loaded", "launches", "reports with a source line"],
    largest: "KiB of memory",
    open,
};

/// Files that inputs are made of besides those that are generated.
struct Images(Vec<Vec<u8>>);

fn open(folders: &[PathBuf]) -> Opened {
    let mut files = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.is_file()) {
            files.push(std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?);
        }
    }
    trial::start()?;
    Ok(Box::new(Images(files)))
}

impl Fuzzer for Images {
    fn input(&self, seed: u64, number: u64) -> Vec<u8> {
        generate::input(&self.0, seed, number)
    }

    fn run(&self, image: &[u8], _seed: u64) -> Result<Outcome, String> {
        trial::run(image)
    }

    fn time(&self, _: &[u8]) -> Duration {
        Duration::from_secs(2)
    }
}
