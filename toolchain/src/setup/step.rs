//! Code shared by the steps of a plan: running a program with its output shown, and the error of a step.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::mpsc;

use crate::error::Error;
use crate::process::{command_line, failed_to_start};

/// Runs a command and passes each line of its output to `report`.
pub(super) fn stream(command: &mut Command, report: &mut dyn FnMut(Option<&str>)) -> Result<(), Error> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| failed_to_start(command, &error))?;
    let (sender, lines) = mpsc::channel::<String>();
    for pipe in [child.stdout.take().map(boxed), child.stderr.take().map(boxed)].into_iter().flatten() {
        let sender = sender.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(pipe).split(b'\n').map_while(Result::ok) {
                let _ = sender.send(String::from_utf8_lossy(&line).trim_end().to_string());
            }
        });
    }
    drop(sender);
    let mut last = VecDeque::new();
    for line in lines {
        report(Some(&line));
        if last.len() == 20 {
            last.pop_front();
        }
        last.push_back(line);
    }
    let status = child.wait().map_err(|error| failed_to_start(command, &error))?;
    if status.success() {
        return Ok(());
    }
    let stderr = Vec::from(last).join("\n");
    Err(Error::Command { command: command_line(command), status: status.to_string(), stderr })
}

fn boxed(pipe: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    Box::new(pipe)
}

/// The error of a step that is impossible here, with a suggested fix.
pub(super) fn failed(step: &str, reason: String, hint: String) -> Error {
    Error::Setup { step: step.to_string(), reason, hint }
}
