//! The driver's reports of a program that runs: they are shown after what the program itself says about the call that
//! failed, which for LLVM's host runtime are half a dozen lines.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::PathBuf,
};

/// The file that the driver appends reports to, as text or as JSON; each ends with a line end.
pub struct Reports {
    path: PathBuf,
    /// Bytes that were taken, and bytes that were there at the last look.
    taken: u64,
    seen: u64,
}

impl Reports {
    /// Reports in a file that need not be there yet.
    pub fn new(path: PathBuf) -> Reports {
        Reports { path, taken: 0, seen: 0 }
    }

    /// What was there at the last look already and was not taken: the program goes on after it.
    pub fn older(&mut self) -> Vec<u8> {
        let length = self.path.metadata().map_or(0, |file| file.len());
        let older = if length == self.seen { self.rest() } else { Vec::new() };
        self.seen = length;
        older
    }

    /// All that was not taken, in whole lines. Errors are ignored, as with all notes.
    pub fn rest(&mut self) -> Vec<u8> {
        let mut text = Vec::new();
        let read = File::open(&self.path).and_then(|mut file| {
            file.seek(SeekFrom::Start(self.taken))?;
            file.read_to_end(&mut text)
        });
        if read.is_err() {
            return Vec::new();
        }
        text.truncate(text.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1));
        self.taken += text.len() as u64;
        text
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn whole_lines_are_taken_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("reports");
        let mut reports = Reports::new(path.clone());
        assert!(reports.older().is_empty() && reports.rest().is_empty());
        let mut file = File::create(path).expect("a file");
        file.write_all(b"one\ntw").expect("it is written");
        assert!(reports.older().is_empty(), "it was not there at the last look");
        assert_eq!(reports.older(), b"one\n");
        file.write_all(b"o\nthree\n").expect("it is written");
        assert_eq!(reports.rest(), b"two\nthree\n");
        assert!(reports.rest().is_empty());
    }
}
