//! Programs within a limit of time.

use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// How often a running program is asked whether it has ended.
const INTERVAL: Duration = Duration::from_millis(2);

/// Bytes of an output that are read.
const KEPT: u64 = 16 << 20;

/// A program that has ended.
#[derive(Debug)]
pub struct Finished {
    /// None if it was ended at its time limit.
    pub status: Option<ExitStatus>,
    pub out: String,
    pub err: String,
    pub time: Duration,
}

impl Finished {
    pub fn succeeded(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// How it ended, for messages.
    pub fn end(&self) -> String {
        match self.status {
            None => format!("did not end within {:.0} s", self.time.as_secs_f64()),
            Some(status) => format!("ended with {status}"),
        }
    }
}

/// Runs a program; nothing of its process group stays.
pub fn run(command: &mut Command, limit: Duration) -> Result<Finished, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", command_name(command));
    let mut out = tempfile::tempfile().map_err(failed)?;
    let mut err = tempfile::tempfile().map_err(failed)?;
    let (to_out, to_err) = (out.try_clone().map_err(failed)?, err.try_clone().map_err(failed)?);
    command.stdin(Stdio::null()).stdout(to_out).stderr(to_err).process_group(0);
    let start = Instant::now();
    let mut child = command.spawn().map_err(|error| format!("{}: {error}", command_name(command)))?;
    let status = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            None if start.elapsed() < limit => std::thread::sleep(INTERVAL),
            status => break status,
        }
    };
    let time = start.elapsed();
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // The group is gone if all of it has ended.
        let _ = kill_process_group(group, Signal::KILL);
    }
    if status.is_none() {
        child.wait().map_err(|error| error.to_string())?;
    }
    Ok(Finished { status, out: text(&mut out)?, err: text(&mut err)?, time })
}

fn command_name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

fn text(file: &mut File) -> Result<String, String> {
    let mut bytes = Vec::new();
    file.rewind()
        .and_then(|()| file.take(KEPT).read_to_end(&mut bytes))
        .map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
