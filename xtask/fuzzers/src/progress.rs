//! The progress of a child process, in a file that its parent reads: when the child crashes, the file says
//! at which input.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::target::{COUNTS, Outcome};

const FIELDS: usize = 5 + COUNTS;

/// What a child process has done.
#[derive(Clone, Copy, Default)]
pub struct Progress {
    /// Number of the current input plus one; 0 before the first.
    pub at: u64,
    pub done: u64,
    /// Inputs that passed the first checks.
    pub passed: u64,
    pub findings: u64,
    pub largest: u64,
    pub counts: [u64; COUNTS],
}

/// The file of a child process.
pub fn path(folder: &Path, child: u64) -> PathBuf {
    folder.join(format!("child-{child}-of-{}.progress", std::process::id()))
}

impl Progress {
    /// The progress in a file; none if the file cannot be read.
    pub fn read(path: &Path) -> Progress {
        let bytes = std::fs::read(path).unwrap_or_default();
        let mut fields = [0; FIELDS];
        for (n, chunk) in fields.iter_mut().zip(bytes.chunks_exact(8)) {
            *n = chunk.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
        }
        let [at, done, passed, findings, largest, counts @ ..] = fields;
        Progress { at, done, passed, findings, largest, counts }
    }

    pub fn write(&self, file: &File) -> Result<(), String> {
        let first = [self.at, self.done, self.passed, self.findings, self.largest];
        let bytes: Vec<u8> = first.iter().chain(&self.counts).flat_map(|n| n.to_le_bytes()).collect();
        file.write_all_at(&bytes, 0).map_err(|e| e.to_string())
    }

    /// Counts an input's outcome.
    pub fn count(&mut self, outcome: &Outcome) {
        self.passed += u64::from(outcome.passed);
        self.largest = self.largest.max(outcome.largest);
        self.counts.iter_mut().zip(outcome.counts).for_each(|(sum, n)| *sum += n);
    }

    /// Adds the progress of another child process.
    pub fn add(&mut self, other: &Progress) {
        self.done += other.done;
        self.passed += other.passed;
        self.findings += other.findings;
        self.largest = self.largest.max(other.largest);
        self.counts.iter_mut().zip(other.counts).for_each(|(sum, n)| *sum += n);
    }
}
