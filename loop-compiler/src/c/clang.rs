//! Runs of clang, with bounded memory, time and output: a few lines can ask for more than a machine has.

use std::{
    io::{Read, Write},
    process::{Child, Command, Stdio},
};

use rustix::process::{Pid, Resource, Rlimit, prlimit};

use super::source::{Error, Input, on_one_line};

/// Bytes of clang's address space, and seconds of its processor time.
const MEMORY: u64 = 4 << 30;
const SECONDS: u64 = 60;

/// Bytes of its output that are read, and of its messages.
const OUTPUT: u64 = 1 << 30;
const MESSAGES: u64 = 1 << 20;

/// What clang prints with some options: of the file, or of a text.
pub(super) fn output(input: &Input<'_>, options: &[&str], text: Option<&str>) -> Result<Vec<u8>, Error> {
    let start = |source| Error::Start { path: input.clang.into(), source };
    let mut command = Command::new(input.clang);
    match text {
        None => command.args(input.arguments).args(options).arg(input.file),
        Some(_) => command.args(options),
    };
    let mut child = command
        .stdin(if text.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(start)?;
    limit(&child);
    let (stdin, mut errors) = (child.stdin.take(), child.stderr.take().expect("is piped"));
    let (output, messages) = std::thread::scope(|scope| {
        // Its reader is clang; what it did not read it does not need.
        scope.spawn(|| stdin.zip(text).map(|(mut stdin, text)| stdin.write_all(text.as_bytes())));
        let messages = scope.spawn(|| {
            let messages = first(&mut errors, MESSAGES);
            // A full pipe would stop clang.
            let _ = std::io::copy(&mut errors, &mut std::io::sink());
            messages
        });
        let output = first(&mut child.stdout.take().expect("is piped"), OUTPUT);
        if output.len() as u64 == OUTPUT {
            let _ = child.kill();
        }
        (output, messages.join().unwrap_or_default())
    });
    let status = child.wait().map_err(start)?;
    if status.success() {
        return Ok(output);
    }
    let messages = String::from_utf8_lossy(&messages).trim_end().to_string();
    let file = on_one_line(input.file.display());
    let ended_early = status.code().is_none() || messages.contains("LLVM ERROR: out of memory");
    let messages = match (ended_early, before_dump(&messages)) {
        (true, _) => format!(
            "{file}: clang was ended; it may take {SECONDS} s, {} GiB of memory and {} GiB for what it prints\n\
             hint: what do macros and included files expand to?",
            MEMORY >> 30,
            OUTPUT >> 30
        ),
        (false, Some(before)) => format!("{before}\n{file}: clang crashed").trim_start().to_string(),
        (false, None) if messages.is_empty() => format!("{file}: clang ended with {status} and no message"),
        (false, None) => messages,
    };
    Err(Error::Rejected { messages })
}

/// What clang said before it crashed and dumped its stack, if it did.
fn before_dump(messages: &str) -> Option<&str> {
    let dump = messages.find("Stack dump:")?;
    let end = messages.find("PLEASE submit a bug report").map_or(dump, |request| request.min(dump));
    Some(messages[..end].trim_end())
}

/// A child of clang's, if there is one, inherits the limits. Where they cannot be set there are none.
fn limit(child: &Child) {
    let pid = Pid::from_child(child);
    for (resource, most) in [(Resource::As, MEMORY), (Resource::Cpu, SECONDS)] {
        let _ = prlimit(Some(pid), resource, Rlimit { current: Some(most), maximum: Some(most) });
    }
}

/// The first bytes of a stream.
fn first(stream: &mut impl Read, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = stream.take(most).read_to_end(&mut bytes);
    bytes
}
