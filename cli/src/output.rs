//! Writing results: to standard output and files, with errors as values.

use std::{
    fmt,
    io::{self, Write},
    path::Path,
};

use cuda_driver::reports::{Counts, LaunchReport, counts_json, launch_json, source_name};
use serde_json::{Value, json};

use crate::{error::Error, messages, progress::suspended, standard_output};

/// Writes one line to standard output.
///
/// `println!` would panic if the reader of a pipe has closed it.
pub fn line(text: impl fmt::Display) -> Result<(), Error> {
    bytes(format!("{text}\n").as_bytes())
}

/// Writes a text that contains its line ends to standard output.
pub fn text(text: &str) -> Result<(), Error> {
    bytes(text.as_bytes())
}

fn bytes(bytes: &[u8]) -> Result<(), Error> {
    let write = |bytes: &[u8]| -> io::Result<()> {
        standard_output::check()?;
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        out.flush()
    };
    suspended(|| write(bytes)).map_err(|source| Error::Output { source })
}

/// Writes a JSON value to a file.
pub fn json(path: &Path, value: &Value) -> Result<(), Error> {
    replace(path, format!("{value:#}\n").as_bytes())
}

/// Writes a file at once, as [`output_files::replace`] does; `-` is standard output, as for compilers.
pub fn replace(path: &Path, text: &[u8]) -> Result<(), Error> {
    match output_files::is_standard_output(path) {
        true => bytes(text),
        false => Ok(output_files::replace(path, text)?),
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
        let kernel = launch["kernel"].as_str().unwrap_or_default();
        let device = launch["device"].as_u64().map(|device| format!(", device {device}"));
        messages::note(format_args!("{line}  {}{}", source_name(kernel), device.unwrap_or_default()));
    }
    let total = |name: &str| launches.iter().filter_map(|launch| launch[name].as_u64()).sum::<u64>();
    let (all, compiled) = (total("warp_instructions"), total("compiled_instructions"));
    if compiled > 0 && all > 0 {
        // Helper operations, of which an instruction may need several, are among those that are compiled.
        let percent = (compiled * 100 / all).min(100);
        messages::note(format_args!("{percent} % of the warp instructions ran as machine code of the host"));
    }
}

/// Counts of one launch.
pub fn counts_of_one(counts: &Counts) -> Value {
    counts_json(counts).into()
}
