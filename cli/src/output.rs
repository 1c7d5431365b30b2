//! Writing results: to standard output and files, with errors as values. A file is replaced at once, so that a full disk or
//! an error leaves the old one.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use cuda_driver::reports::{Counts, LaunchReport, counts_json, launch_json};
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

/// Writes a file at once: nobody sees a part of it, and if not all of it can be written, the old one stays. What is no
/// ordinary file, such as a pipe, is written to, and `-` is standard output, as for compilers.
pub fn replace(path: &Path, text: &[u8]) -> Result<(), Error> {
    if is_standard_output(path) {
        return bytes(text);
    }
    let failed = |source| Error::Write { path: path.into(), source };
    // A link stays one.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.into());
    match fs::metadata(&target) {
        Ok(found) if !found.is_file() => fs::write(&target, text).map_err(failed),
        found => {
            let mode = found.ok().map(|found| found.permissions().mode() & 0o7777);
            let write = |file: &mut File| {
                file.write_all(text)?;
                // A disk may say only now that it is full.
                file.sync_data()
            };
            whole(&target, mode, write).map_err(failed)
        }
    }
}

/// Whether a name is that of standard output, which may be a file that is written on.
fn is_standard_output(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name))
}

/// Creates or replaces a file: a reader finds the old content or the new one. Without a `mode` a new file has that of
/// every new file.
pub fn whole(
    path: &Path,
    mode: Option<u32>,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let any = fs::Permissions::from_mode(0o666);
    let mut file = tempfile::Builder::new().prefix(".warpfold-").permissions(any).tempfile_in(folder)?;
    write(file.as_file_mut())?;
    if let Some(mode) = mode {
        file.as_file().set_permissions(fs::Permissions::from_mode(mode))?;
    }
    file.persist(path)?;
    Ok(())
}

/// An error if a file that will be written is also read, or written by another option: something would be lost.
pub fn check_distinct<'p>(
    outputs: impl IntoIterator<Item = &'p Path>,
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<(), Error> {
    let outputs: Vec<&Path> = outputs.into_iter().filter(|output| !is_standard_output(output)).collect();
    let inputs: Vec<&Path> = inputs.into_iter().collect();
    for (index, output) in outputs.iter().enumerate() {
        let named = |path: &Path| terminal_text::name(path.display());
        let stdin = Path::new("/dev/stdin");
        let read = |input: &&&Path| is_same(if **input == Path::new("-") { stdin } else { input }, output);
        if let Some(input) = inputs.iter().find(read) {
            return Err(Error::Usage(format!(
                "{} would replace the input {}; name another file",
                named(output),
                named(input)
            )));
        }
        if outputs[..index].iter().any(|other| is_same(other, output)) {
            return Err(Error::Usage(format!(
                "{} is to be written by two options; name another file for one",
                named(output)
            )));
        }
    }
    Ok(())
}

/// Whether two names are the same ordinary file's, also through links; a file need not be there yet.
fn is_same(first: &Path, second: &Path) -> bool {
    match (fs::metadata(first), fs::metadata(second)) {
        (Ok(first), Ok(second)) => {
            first.is_file() && (first.dev(), first.ino()) == (second.dev(), second.ino())
        }
        (Err(_), Err(_)) => new_file(first).is_some_and(|first| Some(first) == new_file(second)),
        _ => false,
    }
}

/// The name of a file that is not there in a folder that is.
fn new_file(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
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
        messages::note(format_args!("{line}  {kernel}{}", device.unwrap_or_default()));
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
