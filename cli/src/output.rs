//! Writing results: to standard output and files, with errors as values.

use std::{
    fmt,
    fs::{self, File},
    io::{self, BufWriter, Write},
    os::unix::fs::PermissionsExt,
    path::Path,
};

use cuda_driver::reports::{Counts, LaunchReport, counts_json, launch_json};
use serde_json::{Value, json};

use crate::{error::Error, messages, package};

/// Writes one line to standard output.
///
/// `println!` would panic if the reader of a pipe has closed it.
pub fn line(text: impl fmt::Display) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|source| Error::Output { source })
}

/// Writes a text that contains its line ends to standard output.
pub fn text(text: &str) -> Result<(), Error> {
    bytes(text.as_bytes())
}

fn bytes(bytes: &[u8]) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(|source| Error::Output { source })
}

/// Writes a JSON value to a file and synchronises it; an error if not all of it could be written.
pub fn json(path: &Path, value: &Value) -> Result<(), Error> {
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

/// Writes a file at once: nobody sees a part of it. What is no ordinary file, such as `/dev/stdout`, is written to, and `-`
/// is standard output, as for compilers.
pub fn replace(path: &Path, text: &[u8]) -> Result<(), Error> {
    if path == Path::new("-") {
        return bytes(text);
    }
    let failed = |source| Error::Write { path: path.into(), source };
    // A link stays one.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.into());
    match fs::metadata(&target) {
        Ok(found) if !found.is_file() => fs::write(&target, text).map_err(failed),
        found => {
            let mode = found.map_or(0o644, |found| found.permissions().mode() & 0o7777);
            package::replace(&target, mode, |file| file.write_all(text))
        }
    }
}

/// Writes counts of launches as option `--counts` asks: as JSON to a file, or as a table to standard error.
pub fn counts(file: Option<&Path>, launches: &[Value]) -> Result<(), Error> {
    match file {
        Some(path) => json(path, &json!({ "launches": launches })),
        None => {
            counts_table(launches);
            Ok(())
        }
    }
}

/// A launch with its counts.
pub fn launch(report: &LaunchReport) -> Value {
    launch_json(report)
}

/// One line for each launch, in the order in which they ended.
fn counts_table(launches: &[Value]) {
    const COLUMNS: [(&str, &str, usize); 7] = [
        ("thread_instructions", "thread instr.", 15),
        ("warp_instructions", "warp instr.", 13),
        ("barriers", "barriers", 10),
        ("shuffles", "shuffles", 10),
        ("atomics", "atomics", 9),
        ("global_sectors", "sectors", 12),
        ("shared_passes", "shared passes", 14),
    ];
    let head: String = COLUMNS.iter().map(|(_, head, width)| format!("{head:>width$}")).collect();
    messages::note(format_args!("{head}  kernel"));
    for launch in launches {
        let count = |name: &str| launch[name].as_u64().unwrap_or_default();
        let line: String =
            COLUMNS.iter().map(|(name, _, width)| format!("{:>width$}", count(name))).collect();
        messages::note(format_args!("{line}  {}", launch["kernel"].as_str().unwrap_or_default()));
    }
}

/// Counts of one launch.
pub fn counts_of_one(counts: &Counts) -> Value {
    counts_json(counts).into()
}
