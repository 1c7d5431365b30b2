//! The target *ptx*: texts that are loaded and, if that succeeds, launched briefly.

mod corpus;
mod generate;
mod statements;
mod tokens;
mod trial;

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::target::{Fuzzer, Opened, Outcome, Target};
use corpus::Corpus;

pub const TARGET: Target = Target {
    name: "ptx",
    extension: "ptx",
    passed: "loaded",
    counts: &["launches", "faults", "compiled"],
    largest: "bytes of memory for a byte of text",
    open,
};

struct Ptx(Corpus);

fn open(folders: &[PathBuf]) -> Opened {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ptx-emulator/tests/ptx");
    let folders: Vec<PathBuf> = std::iter::once(own).chain(folders.iter().cloned()).collect();
    Ok(Box::new(Ptx(Corpus::read(&folders)?)))
}

impl Fuzzer for Ptx {
    fn input(&self, seed: u64, number: u64) -> Vec<u8> {
        generate::input(&self.0, seed, number)
    }

    fn run(&self, text: &[u8], seed: u64) -> Result<Outcome, String> {
        trial::run(text, seed)
    }

    fn time(&self, text: &[u8]) -> Duration {
        trial::time(text)
    }
}
