//! Child processes: run to the end, output captured, failure told in full.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::Error;

/// How much of a failed program's standard error is shown.
const LAST_LINES: usize = 20;

/// A command with nothing on its standard input and messages in the language we parse.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).env("LC_ALL", "C");
    command
}

/// Runs `command`; success gives its output, anything else the command line, status and last words.
pub(crate) fn run(command: &mut Command) -> Result<Output, Error> {
    let output = command.output().map_err(|error| failed_to_start(command, &error))?;
    if output.status.success() {
        return Ok(output);
    }
    // ptxas and pip write some of their errors to standard output.
    let words = if output.stderr.trim_ascii().is_empty() { &output.stdout } else { &output.stderr };
    Err(Error::Command {
        command: command_line(command),
        status: output.status.to_string(),
        stderr: last_lines(&String::from_utf8_lossy(words)),
    })
}

/// What `program arguments…` prints (both streams), or nothing if it fails.
pub(crate) fn says(program: &Path, arguments: &[&str]) -> Option<String> {
    let output = command(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    Some(text)
}

pub(crate) fn failed_to_start(command: &Command, error: &std::io::Error) -> Error {
    Error::Command {
        command: command_line(command),
        status: format!("no start: {error}"),
        stderr: String::from("(none)"),
    }
}

/// The command as a person would type it.
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

/// The end of `text`, without the stack that LLVM's tools print after what went wrong.
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
    fn stacks_are_left_out() {
        let text = "LLVM ERROR: Cannot select: fpow\nStack dump:\n #0 0x7f f\n#10 0x8f g";
        assert_eq!(last_lines(text), "LLVM ERROR: Cannot select: fpow\nStack dump:");
    }

    #[test]
    fn a_failure_carries_command_status_and_last_words() {
        let mut command = command("sh");
        command.args(["-c", "seq 1 100 >&2; exit 3"]);
        let Err(Error::Command { command, status, stderr }) = run(&mut command) else { panic!("succeeded") };
        assert_eq!(command, "sh -c 'seq 1 100 >&2; exit 3'");
        assert!(status.contains('3'), "{status}");
        assert_eq!(stderr.lines().count(), LAST_LINES);
        assert!(stderr.ends_with("100"));
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = run(&mut command("/nowhere/llc")).unwrap_err().to_string();
        assert!(error.contains("/nowhere/llc") && error.contains("no start"), "{error}");
    }
}
