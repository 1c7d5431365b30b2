//! Runs child processes to their end. An error has the command line, the status and the end of the output.

use std::ffi::OsStr;
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::{ffi::OsStrExt as _, fs::MetadataExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::Error;
use crate::cache::{Cache, Key};

/// The number of lines of a failed program's output in an error: one error of rustc, with what led to it.
const LAST_LINES: usize = 30;

/// A command with empty standard input and English messages, which are parsed.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).env("LC_ALL", "C");
    command
}

/// Runs `command` and returns its output; the error has the command line, the status and the last lines
/// printed.
pub(crate) fn run(command: &mut Command) -> Result<Output, Error> {
    let output = command.output().map_err(|error| failed_to_start(command, &error))?;
    if output.status.success() {
        return Ok(output);
    }
    // ptxas and pip write some of their errors to standard output.
    let text = if output.stderr.trim_ascii().is_empty() { &output.stdout } else { &output.stderr };
    Err(Error::Command {
        command: command_line(command),
        status: output.status.to_string(),
        stderr: last_lines(&String::from_utf8_lossy(text)),
    })
}

/// What a program may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) seconds: u64,
    /// Bytes of memory that it may allocate.
    pub(crate) memory: u64,
}

/// As [`run`], without the output, within limits.
pub(crate) fn run_limited(command: &mut Command, limits: Limits) -> Result<(), Error> {
    /// Bytes of messages that are read.
    const MOST_TEXT: u64 = 1 << 16;
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| failed_to_start(command, &error))?;
    limit_memory(&child, limits.memory);
    let errors = child.stderr.take();
    let (sender, text) = mpsc::channel();
    thread::spawn(move || {
        let mut text = Vec::new();
        // What cannot be read, or nobody waits for, is not shown.
        let _ = errors.map(|errors| errors.take(MOST_TEXT).read_to_end(&mut text));
        let _ = sender.send(text);
    });
    let begun = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => break status.to_string(),
            Ok(None) if begun.elapsed() > Duration::from_secs(limits.seconds) => {
                // It may have ended by itself.
                let _ = child.kill();
                let _ = child.wait();
                break format!("no end after {} seconds", limits.seconds);
            }
            Ok(None) => thread::sleep(Duration::from_millis(2)),
            Err(error) => break error.to_string(),
        }
    };
    // A process that it has started may keep the pipe open.
    let text = text.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
    let stderr = last_lines(&String::from_utf8_lossy(&text));
    Err(Error::Command { command: command_line(command), status, stderr })
}

#[cfg(target_os = "linux")]
fn limit_memory(child: &Child, bytes: u64) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
    // It may have ended already.
    if let Some(pid) = Pid::from_raw(child.id() as i32) {
        let _ = prlimit(Some(pid), Resource::As, limit);
    }
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_: &Child, _: u64) {}

/// What `program --version` prints; see [`kept_output_of`].
pub(crate) fn version_of(program: &Path) -> Option<String> {
    kept_output_of(program, &["--version"])
}

/// What a program says of itself (both streams); `None` if it fails. Kept in the cache for as long as the program's file
/// stays the same: loading LLVM's libraries takes longer than most of what a command does itself.
pub(crate) fn kept_output_of(program: &Path, arguments: &[&str]) -> Option<String> {
    let kept = kept_output(program, arguments);
    if let Some(text) = kept.as_ref().and_then(|file| fs::read_to_string(file).ok()) {
        return Some(text);
    }
    let text = output_of(program, arguments)?;
    if let Some((file, folder)) = kept.as_ref().and_then(|file| Some((file, file.parent()?))) {
        // Without it the next one asks again.
        let _ = fs::create_dir_all(folder)
            .and_then(|()| tempfile::NamedTempFile::new_in(folder))
            .and_then(|mut fresh| fresh.write_all(text.as_bytes()).map(|()| fresh))
            .and_then(|fresh| fresh.persist(file).map_err(|error| error.error));
    }
    Some(text)
}

/// The file in the cache for the output of a program; none where there is no cache yet.
fn kept_output(program: &Path, arguments: &[&str]) -> Option<PathBuf> {
    let file = fs::canonicalize(program).ok()?;
    // rustup's proxies run another program in each folder.
    if file.with_file_name("rustup").exists() {
        return None;
    }
    let metadata = fs::metadata(&file).ok()?;
    let root = Cache::root_of(&Cache::location().ok()?);
    let libraries = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let identity = [metadata.ino(), metadata.size(), metadata.mtime() as u64, metadata.mtime_nsec() as u64];
    let key = identity.iter().fold(Key::new("version"), |key, number| key.with(&number.to_le_bytes()));
    let key = key.with(file.as_os_str().as_bytes()).with(libraries.as_bytes());
    let key = arguments.iter().fold(key, |key, argument| key.with(argument.as_bytes()));
    root.is_dir().then(|| root.join("versions").join(key.hex()))
}

/// The output of `program arguments…` (both streams); `None` if it fails.
pub(crate) fn output_of(program: &Path, arguments: &[&str]) -> Option<String> {
    let output = command(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    Some(text)
}

pub(crate) fn failed_to_start(command: &Command, error: &std::io::Error) -> Error {
    Error::Command {
        command: command_line(command),
        status: format!("could not start: {error}"),
        stderr: String::from("(none)"),
    }
}

/// The command line, quoted for a shell.
pub(crate) fn command_line(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| quote(&word.to_string_lossy()))
        .collect::<Vec<_>>()
        .join(" ")
}

fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The end of `text`, without the stack trace that LLVM's tools print after an error.
pub(crate) fn last_lines(text: &str) -> String {
    let is_frame = |line: &&str| {
        let number = line.trim_start().strip_prefix('#');
        number.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let lines: Vec<&str> = text.lines().filter(|line| !is_frame(line)).collect();
    lines[lines.len().saturating_sub(LAST_LINES)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stack_traces_are_left_out() {
        let text = "LLVM ERROR: Cannot select: fpow\nStack dump:\n #0 0x7f f\n#10 0x8f g";
        assert_eq!(last_lines(text), "LLVM ERROR: Cannot select: fpow\nStack dump:");
    }

    #[test]
    fn a_failure_has_command_status_and_last_lines() {
        let mut command = command("sh");
        command.args(["-c", "seq 1 100 >&2; exit 3"]);
        let Err(Error::Command { command, status, stderr }) = run(&mut command) else { panic!("succeeded") };
        assert_eq!(command, "sh -c 'seq 1 100 >&2; exit 3'");
        assert!(status.contains('3'), "{status}");
        assert_eq!(stderr.lines().count(), LAST_LINES);
        assert!(stderr.ends_with("100"));
    }

    #[test]
    fn a_program_is_ended_at_its_limits() {
        let ended = |script: &str| {
            let limits = Limits { seconds: 1, memory: 64 << 20 };
            run_limited(command("sh").args(["-c", script]), limits).map_err(|error| error.to_string())
        };
        assert_eq!(ended("exit 0"), Ok(()));
        assert!(ended("sleep 30").unwrap_err().contains("no end after 1 seconds"));
        let error = ended("echo wrong >&2; exit 3").unwrap_err();
        assert!(error.contains("wrong") && error.contains('3'), "{error}");
        // The limit may be set after it has begun.
        assert!(ended("sleep 0.3; head -c 190000000 /dev/zero | tail -c 150000000").is_err());
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = run(&mut command("/nowhere/llc")).unwrap_err().to_string();
        assert!(error.contains("/nowhere/llc") && error.contains("could not start"), "{error}");
    }
}
