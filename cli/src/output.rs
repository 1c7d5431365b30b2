//! Writing results: to standard output, standard error and files, with errors as values.

use std::{
    fmt,
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
};

use cuda_driver::emulator::{Counts, LaunchReport};
use serde_json::json;

use crate::error::Error;

/// Writes one line to standard output.
///
/// `println!` would panic where the reader of a pipe has left.
pub fn line(text: impl fmt::Display) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|source| Error::Output { source })
}

/// Writes a text, which has its line ends, to standard output.
pub fn text(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|source| Error::Output { source })
}

/// Writes an error and its causes to standard error.
pub fn error(error: &dyn std::error::Error) -> io::Result<()> {
    let mut out = io::stderr().lock();
    write!(out, "warpfold: {error}")?;
    let mut shown = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        // Many errors repeat their cause in their own text.
        let text = inner.to_string();
        if !shown.contains(&text) {
            write!(out, "\n  caused by: {text}")?;
        }
        shown = text;
        cause = inner.source();
    }
    writeln!(out)
}

/// Writes a JSON value to a file, whole or not at all as far as the file system tells.
pub fn json(path: &Path, value: &serde_json::Value) -> Result<(), Error> {
    let write = || -> io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        serde_json::to_writer_pretty(&mut out, value)?;
        out.write_all(b"\n")?;
        out.into_inner().map_err(|e| e.into_error())?.sync_data().or_else(|e| match e.kind() {
            // A pipe or a device such as /dev/stdout cannot be synchronised, and needs not be.
            io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => Ok(()),
            _ => Err(e),
        })
    };
    write().map_err(|source| Error::Write { path: path.into(), source })
}

/// Counts of launches, as the options `--counts` and the benchmark write them.
pub fn counts(launches: &[LaunchReport]) -> serde_json::Value {
    let launches: Vec<_> = launches.iter().map(launch).collect();
    json!({ "launches": launches })
}

fn launch(report: &LaunchReport) -> serde_json::Value {
    let mut object = serde_json::Map::from_iter([("kernel".to_owned(), json!(report.kernel))]);
    object.extend(named(&report.counts));
    object.into()
}

/// Counts of one launch.
pub fn counts_of_one(counts: &Counts) -> serde_json::Value {
    serde_json::Map::from_iter(named(counts)).into()
}

/// What the emulator cannot see in PTX yet: a 0 would be a wrong count, so they are null.
const NOT_COUNTED: [&str; 2] = ["parallel_regions", "block_reductions"];

fn named(counts: &Counts) -> impl Iterator<Item = (String, serde_json::Value)> {
    counts.named().into_iter().map(|(name, count)| {
        let count = if NOT_COUNTED.contains(&name) { serde_json::Value::Null } else { json!(count) };
        (name.to_owned(), count)
    })
}
