//! The driver's reports of a program that runs: they are shown after what the program itself says about the call that
//! failed, which for LLVM's host runtime are half a dozen lines.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// The file that the driver writes reports to.
pub struct Reports {
    path: PathBuf,
    /// Bytes that were shown, and bytes that were there at the last look.
    shown: u64,
    seen: u64,
}

impl Reports {
    /// Reports in a file that need not be there yet.
    pub fn new(path: PathBuf) -> Reports {
        Reports { path, shown: 0, seen: 0 }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Shows what was there at the last look already: the program goes on after it.
    pub fn show_older(&mut self) {
        let length = self.path.metadata().map_or(0, |file| file.len());
        if length == self.seen {
            self.show();
        }
        self.seen = length;
    }

    /// Shows all that was not shown. Errors are ignored, as with all notes.
    pub fn show(&mut self) {
        let mut text = Vec::new();
        let read = File::open(&self.path).and_then(|mut file| {
            file.seek(SeekFrom::Start(self.shown))?;
            file.read_to_end(&mut text)
        });
        if read.is_ok_and(|bytes| bytes > 0) {
            self.shown += text.len() as u64;
            let _ = io::stderr().write_all(&text);
        }
    }
}
