//! Profiles of launches, as lines of JSON in a file.
//!
//! Three kinds of lines: `{"program": 0, "ptx": ["…"]}`, before the first launch of a program's kernels, `{"program": 0,
//! "launch": {…}}`, and `{"again": 3}` for a launch with the same profile as an earlier one, counted from 0. Each has the
//! number of its `process`: several may share the file.

use std::{
    collections::HashMap,
    fs::File,
    io::Write,
    path::PathBuf,
    process,
    sync::{Mutex, PoisonError, Weak},
};

use ptx_emulator::{LaunchProfile, LineProfile, Program, Quote, SourceLocation};
use serde_json::{Value, json};

use crate::{log, source_lines};

/// Distinct profiles that are kept, to recognise them.
const MOST_KEPT: usize = 256;

/// The file, if launches are profiled.
static FILE: Mutex<Option<ProfileFile>> = Mutex::new(None);

/// What was written to the file.
#[derive(Default)]
struct ProfileFile {
    path: PathBuf,
    /// The programs by number.
    programs: Vec<Weak<Program>>,
    /// The latest distinct profiles with the numbers of their launch and their program.
    known: Vec<(u64, usize, LaunchProfile)>,
    /// Launches that were written as such.
    launches: u64,
    /// Lines of source files.
    texts: HashMap<(String, u32), Option<String>>,
}

/// Appends profiles to a file from now on, or does not.
pub(super) fn set_file(path: Option<PathBuf>) {
    let file = path.map(|path| ProfileFile { path, ..ProfileFile::default() });
    *FILE.lock().unwrap_or_else(PoisonError::into_inner) = file;
}

/// Writes the profile of a launch that has ended.
pub(super) fn report(profile: LaunchProfile, program: &Weak<Program>) {
    if let Some(file) = &mut *FILE.lock().unwrap_or_else(PoisonError::into_inner) {
        file.add(profile, program);
    }
}

impl ProfileFile {
    fn add(&mut self, mut profile: LaunchProfile, program: &Weak<Program>) {
        let known = self.programs.iter().position(|known| known.ptr_eq(program));
        let number = known.unwrap_or(self.programs.len());
        let again = self.known.iter().find(|(_, of, known)| *of == number && is_same(known, &profile));
        if let Some((launch, ..)) = again {
            return self.append(json!({ "again": launch }));
        }
        if known.is_none() {
            self.programs.push(program.clone());
            let texts: Vec<String> =
                program.upgrade().iter().flat_map(|program| program.texts()).map(str::to_owned).collect();
            self.append(json!({ "program": number, "ptx": texts }));
        }
        for line in &mut profile.lines {
            self.quote(line);
        }
        self.append(json!({ "program": number, "launch": profile }));
        if self.known.len() == MOST_KEPT {
            self.known.remove(0);
        }
        self.known.push((self.launches, number, profile));
        self.launches += 1;
    }

    /// Adds the text of a line.
    fn quote(&mut self, line: &mut LineProfile) {
        if line.text.is_some() {
            return;
        }
        let source = SourceLocation { file: line.file.clone(), line: line.line, column: 0, function: None };
        let known = self.texts.entry((line.file.clone(), line.line));
        let read = || match source_lines::quote(&source) {
            Quote::Line(text) => Some(text),
            Quote::Hint(_) | Quote::Nothing => None,
        };
        line.text = known.or_insert_with(read).clone();
    }

    fn append(&self, mut line: Value) {
        line["process"] = process::id().into();
        let file = File::options().append(true).create(true).open(&self.path);
        if let Err(error) = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes())) {
            log::line(format!("warpfold: the profile {}: {error}\n", self.path.display()));
        }
    }
}

/// Whether two profiles are the same, apart from the lines' texts.
fn is_same(known: &LaunchProfile, new: &LaunchProfile) -> bool {
    let counts = |profile: &LaunchProfile| (profile.grid, profile.block, profile.shared_bytes, profile.total);
    let lines = || known.lines.iter().zip(&new.lines);
    known.kernel == new.kernel
        && counts(known) == counts(new)
        && (known.touched_sectors, known.longest) == (new.touched_sectors, new.longest)
        && known.lines.len() == new.lines.len()
        && lines().all(|(a, b)| {
            (&a.file, a.line, &a.function, a.counters, a.hottest)
                == (&b.file, b.line, &b.function, b.counters, b.hottest)
        })
}
