//! The nests of `tests/nests`, and what several tests do with them.

#![allow(dead_code, reason = "each test uses a part")]

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use loop_compiler::{
    c,
    interpret::{Memory, Options, Sizes},
    ir::Region,
    located::Located,
};

pub use loop_compiler::check::parameters;

/// The folder of the nests, where their header is.
pub fn folder() -> PathBuf {
    // Tests of other packages use it, too.
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../loop-compiler/tests/nests")
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

/// One nest of so many, or each with `NESTS=all`: for tests that call compilers for each.
pub fn sample(nests: Vec<PathBuf>, every: usize) -> Vec<PathBuf> {
    let every = if env::var("NESTS").is_ok_and(|nests| nests == "all") { 1 } else { every };
    nests.into_iter().step_by(every).collect()
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

/// What `work` returns for each item, in order, by a thread for each processor.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((index, item)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    items.get(index).map(|item| (index, item))
                } {
                    let result = work(item);
                    results.lock().unwrap().push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap();
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Memory for a region: every integer parameter is `size`, other numbers are random, and arrays of integers can be
/// subscripts.
pub fn filled_memory(region: &Region, size: i64, options: &Options) -> Result<Memory, Located> {
    let values = parameters(region).into_iter().map(|name| (name, i128::from(size))).collect();
    let sizes = Sizes { values, unknown: Some(16 * size as u64 + 16), ..Sizes::default() };
    let mut memory = Memory::new(region, &sizes, options)?;
    memory.fill(1);
    for variable in region.variables.iter().filter(|variable| !variable.extents.is_empty()) {
        if let (true, Some(values)) = (variable.scalar.is_integer(), memory.values(&variable.name)) {
            let values: Vec<f64> =
                (0..values.len()).map(|index| ((index * 7 + 3) as i64 % size) as f64).collect();
            memory.set_values(&variable.name, values);
        }
    }
    Ok(memory)
}
