//! Several files as one sequence.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    error::InputError,
    kind::ValueKind,
    open::{Opened, open_one},
    source::name,
    table::{Batch, Request, Table},
};

/// The files that arguments name: a pattern, such as `data/*.csv`, is replaced by the files that it matches, in the order
/// of their names. An argument that is the name of a file is no pattern.
///
/// # Errors
///
/// A pattern that is wrong or matches no file, and standard input twice.
pub fn expand(arguments: &[PathBuf]) -> Result<Vec<PathBuf>, InputError> {
    let mut paths = Vec::new();
    for argument in arguments {
        let pattern = argument.to_str().filter(|text| text.contains(['*', '?', '[']));
        let Some(pattern) = pattern.filter(|_| fs::symlink_metadata(argument).is_err()) else {
            if argument == Path::new("-") && paths.contains(argument) {
                let problem = "is named twice: it can be read once".into();
                return Err(InputError::Format { name: name(argument), problem });
            }
            paths.push(argument.clone());
            continue;
        };
        let wrong = |problem: String| InputError::Format { name: name(argument), problem };
        let found = glob::glob(pattern).map_err(|error| wrong(format!("is no pattern: {error}")))?;
        let mut matched = Vec::new();
        for path in found {
            let path = path.map_err(|error| {
                let path = error.path().into();
                InputError::Open { path, source: error.into() }
            })?;
            if !path.is_dir() {
                matched.push(path);
            }
        }
        if matched.is_empty() {
            return Err(wrong("matches no file".into()));
        }
        matched.sort_unstable();
        paths.append(&mut matched);
    }
    Ok(paths)
}

/// The name of files in messages.
pub fn names(paths: &[PathBuf]) -> String {
    match paths {
        [] => String::new(),
        [path] => name(path),
        [first, rest @ ..] => format!("{} and {} more", name(first), rest.len()),
    }
}

/// Opens files, which are one sequence; the path `-` is standard input.
///
/// # Errors
///
/// A file that is not there; and for the first one, what [`Table::next`] says of the others: that it cannot be opened,
/// that its format is unclear, and what the format's reader finds wrong at once.
pub fn open(paths: &[PathBuf], request: Request) -> Result<Opened, InputError> {
    match paths {
        [path] => open_one(path, &request, None, None),
        _ => Files::open(paths, request),
    }
}

/// The values of several files, one file after the other. Only one is open.
struct Files {
    request: Request,
    /// The name of the first file.
    first: String,
    /// What its columns' values are: so are the other files'.
    kinds: Vec<ValueKind>,
    current: Opened,
    /// The sizes of the files before the current one, and its own.
    before: u64,
    size: u64,
    /// The next files and their sizes, the last one first.
    rest: Vec<(PathBuf, Option<u64>)>,
}

impl Files {
    /// Opens the first file. The size is that of all, in bytes.
    fn open(paths: &[PathBuf], request: Request) -> Result<Opened, InputError> {
        let mut rest = Vec::new();
        for path in paths.iter().rev() {
            let size = match path == Path::new("-") {
                true => None,
                false => {
                    let open = |source| InputError::Open { path: path.into(), source };
                    let metadata = fs::metadata(path).map_err(open)?;
                    metadata.is_file().then_some(metadata.len())
                }
            };
            rest.push((path.clone(), size));
        }
        let total = rest.iter().map(|(_, size)| *size).sum();
        let Some((path, size)) = rest.pop() else {
            let none = io::Error::other("no file is named");
            return Err(InputError::Open { path: PathBuf::new(), source: none });
        };
        let current = open_one(&path, &request, None, None)?;
        let kinds = current.table.kinds().to_vec();
        let first = name(&path);
        let files = Files { request, first, kinds, current, before: 0, size: size.unwrap_or(0), rest };
        Ok(Opened { table: Box::new(files), size: total })
    }

    /// Opens the next file. False if there is none.
    fn advance(&mut self) -> Result<bool, InputError> {
        let Some((path, size)) = self.rest.pop() else {
            return Ok(false);
        };
        self.before += self.size;
        self.size = size.unwrap_or(0);
        self.current = open_one(&path, &self.request, Some(&self.kinds), None)?;
        check_kinds(&self.first, &self.kinds, &path, &*self.current.table, &self.request)?;
        Ok(true)
    }
}

/// Rejects a file whose columns have values of other kinds than those of the first file, which has this name.
///
/// # Errors
///
/// Says which column it is.
pub fn check_kinds(
    first: &str,
    kinds: &[ValueKind],
    path: &Path,
    table: &dyn Table,
    request: &Request,
) -> Result<(), InputError> {
    let mut pairs = kinds.iter().zip(table.kinds()).zip(&request.columns);
    let Some(((expected, found), column)) = pairs.find(|((first, found), _)| first != found) else {
        return Ok(());
    };
    let column = column.as_ref().map_or_else(String::new, |column| format!(" in column '{column}'"));
    let problem = format!(
        "has values of type {found}{column}, but {first} has {expected}: reduce them apart, or convert one"
    );
    Err(InputError::Format { name: name(path), problem })
}

impl Table for Files {
    fn kinds(&self) -> &[ValueKind] {
        &self.kinds
    }

    fn next(&mut self) -> Result<Option<Batch>, InputError> {
        loop {
            let batch = self.current.table.next()?;
            if batch.is_some() || !self.advance()? {
                return Ok(batch);
            }
        }
    }

    fn consumed(&self) -> u64 {
        let consumed = self.current.table.consumed();
        // Readers have units of their own.
        let share = match self.current.size {
            Some(size) if size > 0 => {
                u128::from(consumed.min(size)) * u128::from(self.size) / u128::from(size)
            }
            _ => u128::from(consumed.min(self.size)),
        };
        self.before + share as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_replaced_by_names_in_order() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.csv", "a.csv", "[a].csv", "c.txt"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::create_dir(folder.path().join("d.csv")).unwrap();
        let expanded = |names: &[&str]| {
            let arguments: Vec<_> = names.iter().map(|name| folder.path().join(name)).collect();
            let found = expand(&arguments).map_err(|error| error.to_string())?;
            let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
            Ok::<Vec<String>, String>(found.iter().map(name).collect())
        };
        assert_eq!(expanded(&["c.txt", "?.csv", "c.txt"]).unwrap(), ["c.txt", "a.csv", "b.csv", "c.txt"]);
        assert_eq!(expanded(&["[a].csv"]).unwrap(), ["[a].csv"]);
        assert!(expanded(&["*.npy"]).unwrap_err().ends_with("*.npy matches no file"));
        assert!(expanded(&["[a"]).unwrap_err().contains("is no pattern"));
        assert!(
            expand(&["-".into(), "-".into()])
                .unwrap_err()
                .to_string()
                .contains("standard input is named twice")
        );
    }
}
