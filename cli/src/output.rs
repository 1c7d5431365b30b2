//! Writing results: to standard output, standard error and files, with errors as values.

use std::{
    fmt,
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
};

use cuda_driver::reports::{Counts, LaunchReport, counts_json, launch_json};
use serde_json::json;

use crate::error::Error;

/// Writes one line to standard output.
///
/// `println!` would panic if the reader of a pipe has closed it.
pub fn line(text: impl fmt::Display) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|source| Error::Output { source })
}

/// Writes a text that contains its line ends to standard output.
pub fn text(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|source| Error::Output { source })
}

/// Writes one line to standard error. Errors are ignored.
pub fn note(text: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Writes an error and its causes to standard error.
pub fn error(error: &dyn std::error::Error) -> io::Result<()> {
    let mut out = io::stderr().lock();
    write!(out, "warpfold: {error}")?;
    let mut shown = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        // Many errors repeat their cause in their text.
        let text = inner.to_string();
        if !shown.contains(&text) {
            write!(out, "\n  caused by: {text}")?;
        }
        shown = text;
        cause = inner.source();
    }
    writeln!(out)
}

/// Writes a JSON value to a file and synchronises it; an error if not all of it could be written.
pub fn json(path: &Path, value: &serde_json::Value) -> Result<(), Error> {
    let write = || -> io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        serde_json::to_writer_pretty(&mut out, value)?;
        out.write_all(b"\n")?;
        out.into_inner().map_err(|e| e.into_error())?.sync_data().or_else(|e| match e.kind() {
            // A pipe or a device such as /dev/stdout cannot be synchronised.
            io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => Ok(()),
            _ => Err(e),
        })
    };
    write().map_err(|source| Error::Write { path: path.into(), source })
}

/// Counts of launches, as option `--counts` writes them.
pub fn counts(launches: &[LaunchReport]) -> serde_json::Value {
    json!({ "launches": launches.iter().map(launch_json).collect::<Vec<_>>() })
}

/// Counts of one launch.
pub fn counts_of_one(counts: &Counts) -> serde_json::Value {
    counts_json(counts).into()
}
