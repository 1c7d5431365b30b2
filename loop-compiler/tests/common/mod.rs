//! The nests of `tests/nests`, and what several tests do with them.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use loop_compiler::c;

/// The folder of the nests, where their header is.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nests")
}

/// The nests of some families, or of all.
pub fn nests(families: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for family in fs::read_dir(folder()).unwrap() {
        let family = family.unwrap().path();
        let name = family.file_name().unwrap().to_string_lossy().into_owned();
        if family.is_dir() && (families.is_empty() || families.contains(&name.as_str())) {
            files.extend(fs::read_dir(family).unwrap().map(|file| file.unwrap().path()));
        }
    }
    files.sort();
    files
}

/// `family/name.c`.
pub fn name(path: &Path) -> String {
    let parts: Vec<_> = path.iter().rev().take(2).map(|part| part.to_string_lossy()).collect();
    format!("{}/{}", parts[1], parts[0])
}

/// The options that a nest is compiled with.
pub fn arguments(definitions: &[&str]) -> Vec<OsString> {
    let header = format!("-I{}", folder().display());
    definitions.iter().map(OsString::from).chain([header.into()]).collect()
}

/// Reads a nest's regions.
pub fn read(path: &Path, definitions: &[&str]) -> Result<c::SourceFile, c::Error> {
    let arguments = arguments(definitions);
    let clang = Path::new("clang-22");
    c::read(&c::Input { clang, file: path, arguments: &arguments, auto: false, assume_distinct: false })
}

/// What `work` returns for each path, in order, by a thread for each processor.
pub fn in_parallel<R: Send>(paths: &[PathBuf], work: impl Fn(&Path) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((index, path)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    paths.get(index).map(|path| (index, path))
                } {
                    let result = work(path);
                    results.lock().unwrap().push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap();
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
