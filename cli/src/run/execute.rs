//! Runs a program on the emulated driver, once or under several schedules, and takes what the driver reports.

use std::{
    env,
    fs::{self, File},
    io::{self, Seek, SeekFrom, Write},
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, ExitCode, ExitStatus, Stdio},
    time::Duration,
};

use nix::sys::signal::Signal;
use serde_json::Value;

use super::{
    process::{self, Ended},
    reports::Reports,
};
use crate::{
    error::Error,
    findings::{Findings, ReportOptions},
    messages,
};

/// Variables of the driver: the files for its reports, and the schedule.
const LAUNCHES: &str = "WARPFOLD_LAUNCHES_JSON";
const FAULTS: &str = "WARPFOLD_FAULT_JSON";
const REPORTS: &str = "WARPFOLD_REPORT_FILE";
const SEED: &str = "WARPFOLD_SEED";

/// The exit status of a program whose time was over, as of timeout(1).
const TIMED_OUT: u8 = 124;

/// The exit status instead of the program's: after a fault, a finding or a leak on the device, and for a program that
/// cannot be run or, where that is required, launches nothing.
pub const FAILED: u8 = 125;

/// A run of a program.
pub struct Executed {
    /// Its status.
    pub status: ExitStatus,
    /// Why it was asked to end, if it was.
    pub ended: Option<Ended>,
    /// Its launches and reports, as the driver wrote them: lines of JSON.
    pub launches: String,
    pub reports: String,
}

/// Whether the driver's reports are written to a file that the user has named, not shown.
pub fn reports_have_a_file() -> bool {
    env::var_os(REPORTS).is_some_and(|path| !path.is_empty())
}

/// Runs a program with the emulated driver, whose reports are shown, or become findings.
pub fn execute(
    command: &mut Command,
    name: &str,
    limit: Option<Duration>,
    mut findings: Option<&mut Findings>,
) -> Result<Executed, Error> {
    let folder = tempfile::tempdir().map_err(|source| Error::Write { path: env::temp_dir(), source })?;
    let (launches, faults) = (folder.path().join("launches"), folder.path().join("faults"));
    let texts = folder.path().join("reports");
    command.env(LAUNCHES, &launches).env(FAULTS, &faults).env("WARPFOLD_REPORT_SIGNALS", "1");
    if !reports_have_a_file() {
        command.env(REPORTS, &texts);
    }
    let mut reports = Reports::new(if findings.is_some() { faults.clone() } else { texts });
    if let Some(findings) = &mut findings {
        findings.next_run();
    }
    let ran = process::run(command, limit, || show(findings.as_deref_mut(), reports.older()));
    show(findings.as_deref_mut(), reports.rest());
    let (status, ended) = ran.map_err(|source| Error::Program { program: name.to_owned(), source })?;
    let (launches, reports) = (read_if_present(&launches)?, read_if_present(&faults)?);
    if ended.is_some() {
        incomplete(findings, "the program was ended");
    } else if let Some(how) = killed(status, &reports) {
        messages::note(format_args!("warpfold: {name}: {how}"));
        incomplete(findings, &how);
    }
    for (variable, lines) in [(LAUNCHES, &launches), (FAULTS, &reports)] {
        append_for_user(variable, lines)?;
    }
    Ok(Executed { status, ended, launches, reports })
}

/// Shows reports of the driver, or adds them to the findings.
fn show(findings: Option<&mut Findings>, new: Vec<u8>) {
    match findings {
        None => {
            let _ = io::stderr().write_all(&new);
        }
        Some(findings) => findings.add(&String::from_utf8_lossy(&new)),
    }
}

fn incomplete(findings: Option<&mut Findings>, why: &str) {
    if let Some(findings) = findings {
        findings.incomplete(why);
    }
}

/// What killed a program that nobody asked to end, if something did: what it would still have done was not seen. A shell,
/// or another program that starts some, ends with 128 and the number of the signal that killed the one it started.
fn killed(status: ExitStatus, reports: &str) -> Option<String> {
    let by = |number: i32| Signal::try_from(number).ok();
    let (what, signal) = match (status.signal(), status.code()) {
        (Some(number), _) => match by(number) {
            Some(signal) => ("the program was killed by", signal),
            // A real-time signal, which has no name.
            None => return Some(format!("the program was killed by signal {number}")),
        },
        (None, Some(code)) if code > 128 => {
            let kills = [
                Signal::SIGILL,
                Signal::SIGTRAP,
                Signal::SIGABRT,
                Signal::SIGBUS,
                Signal::SIGFPE,
                Signal::SIGKILL,
                Signal::SIGSEGV,
                Signal::SIGTERM,
            ];
            let signal = by(code - 128).filter(|signal| kills.contains(signal))?;
            return Some(format!(
                "the program ended with status {code}, as if {signal} had killed a process of it"
            ));
        }
        _ => return None,
    };
    // LLVM's host runtime aborts after a fault, which is reported; only that report has the calls of a thread.
    let faults = || reports.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    if signal == Signal::SIGABRT && faults().any(|report| report["calls"].is_array()) {
        return None;
    }
    let hint = match signal {
        Signal::SIGKILL => "; perhaps the host ran out of memory",
        _ => "",
    };
    Some(format!("{what} {signal}{hint}"))
}

/// The runs of a program that is checked.
pub struct Checked {
    /// The first one.
    pub first: Executed,
    /// The status of the first run that failed, or else of the first.
    pub status: ExitStatus,
    /// Why a run was asked to end; it was the last one.
    pub ended: Option<Ended>,
}

/// Runs a program as often as the options say, and collects what is found. `command` makes the command of a run. One
/// that `must_succeed` is not run again if it fails and nothing is found.
pub fn check(
    options: &ReportOptions,
    findings: &mut Findings,
    name: &str,
    limit: Option<Duration>,
    must_succeed: bool,
    mut command: impl FnMut() -> Result<Command, Error>,
) -> Result<Checked, Error> {
    let input = Input::new();
    let mut first = command()?;
    if options.schedules() > 1 {
        first.env_remove(SEED);
    }
    let first = execute(&mut first, name, limit, Some(&mut *findings))?;
    let mut checked = Checked { status: first.status, ended: first.ended, first };
    for seed in 1..options.schedules() {
        let useless = must_succeed && !checked.status.success() && findings.is_empty();
        if checked.ended.is_some() || useless {
            break;
        }
        let mut command = command()?;
        command.env(SEED, seed.to_string()).stdin(input.again()).stdout(Stdio::null()).stderr(Stdio::null());
        let executed = execute(&mut command, name, limit, Some(&mut *findings))?;
        if checked.status.success() && !executed.status.success() {
            checked.status = executed.status;
            if executed.reports.is_empty() && executed.ended.is_none() {
                let status = executed.status;
                messages::note(format_args!("warpfold: with seed {seed} the program ended with {status}"));
            }
        }
        checked.ended = executed.ended;
    }
    Ok(checked)
}

/// Standard input, if it is a file, which several runs can read.
pub struct Input(Option<u64>);

impl Input {
    const PATH: &str = "/proc/self/fd/0";

    /// Standard input at its present position.
    pub fn new() -> Input {
        let is_file = fs::metadata(Input::PATH).is_ok_and(|found| found.is_file());
        let position = || {
            let input = io::stdin();
            let mut file = File::from(std::os::fd::AsFd::as_fd(&input).try_clone_to_owned().ok()?);
            file.stream_position().ok()
        };
        Input(if is_file { position() } else { None })
    }

    /// Whether several runs can read it.
    pub fn is_repeatable(&self) -> bool {
        self.0.is_some()
    }

    /// The same file from the same position on; nothing for what cannot be read twice.
    fn again(&self) -> Stdio {
        let open = |position: u64| -> io::Result<File> {
            let mut file = File::open(Input::PATH)?;
            file.seek(SeekFrom::Start(position))?;
            Ok(file)
        };
        self.0.and_then(|position| open(position).ok()).map_or_else(Stdio::null, Stdio::from)
    }
}

/// Says that a program was ended, and returns the exit status. `reported` is whether the driver said where it was.
pub fn ended_early(ended: Ended, status: ExitStatus, limit: Option<Duration>, reported: bool) -> ExitCode {
    let state = if reported { "" } else { "; no kernel was running" };
    match ended {
        Ended::Time => {
            let limit = limit.unwrap_or_default().as_secs_f64();
            messages::note(format_args!(
                "warpfold: the program reached its limit of {limit} s (`--timeout`) and was ended{state}"
            ));
            ExitCode::from(TIMED_OUT)
        }
        // The program handled the signal.
        Ended::Signal(_) if status.code().is_some() && !reported => exit_code(status),
        Ended::Signal(signal) => {
            messages::note(format_args!("warpfold: the program was ended by {signal}{state}"));
            ExitCode::from(128 + signal as u8)
        }
    }
}

/// The program's status, as a shell reports it.
pub fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default());
    ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))
}

/// What the driver wrote to a file; nothing if there is no file.
fn read_if_present(path: &Path) -> Result<String, Error> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        text => text.map_err(|source| Error::Read { path: path.into(), source }),
    }
}

/// The driver writes its reports for this program; a user who set the variable gets them, too.
fn append_for_user(variable: &str, lines: &str) -> Result<(), Error> {
    let Some(path) = env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from) else {
        return Ok(());
    };
    let file = File::options().append(true).create(true).open(&path);
    file.and_then(|mut file| file.write_all(lines.as_bytes())).map_err(|source| Error::Write { path, source })
}
