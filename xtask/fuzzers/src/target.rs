//! What a target of fuzzing is.

use std::path::PathBuf;
use std::time::Duration;

/// Numbers that a target can count.
pub const COUNTS: usize = 4;

/// A target: what is fuzzed, and how its figures are called.
pub struct Target {
    /// The name on the command line.
    pub name: &'static str,
    /// Suffix of files with inputs.
    pub extension: &'static str,
    /// What an input did that passed the first checks: it was `loaded`.
    pub passed: &'static str,
    /// What is counted beyond that, at most [`COUNTS`] things.
    pub counts: &'static [&'static str],
    /// Of what the largest value is kept.
    pub largest: &'static str,
    /// Reads what inputs are made of, also from these folders.
    pub open: fn(&[PathBuf]) -> Opened,
}

/// A fuzzer that is ready, or why there is none.
pub type Opened = Result<Box<dyn Fuzzer>, String>;

/// Makes the inputs of a target and tries them.
pub trait Fuzzer {
    /// The input of a number: the same for the same seed and number.
    fn input(&self, seed: u64, number: u64) -> Vec<u8>;

    /// Tries an input; an error describes the violated guarantee. Panics count as such, of any thread.
    fn run(&self, input: &[u8], seed: u64) -> Result<Outcome, String>;

    /// Time that an input may take.
    fn time(&self, input: &[u8]) -> Duration;
}

/// What an input did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    /// Whether it passed the first checks.
    pub passed: bool,
    /// As the target's `counts` say.
    pub counts: [u64; COUNTS],
    /// As the target's `largest` says.
    pub largest: u64,
}
