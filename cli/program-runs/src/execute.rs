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

use findings::Findings;
use nix::sys::signal::Signal;
use output_files::FileError;
use serde_json::Value;

use crate::{
    error::Error,
    process::{self, Ended},
    reports::Reports,
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

/// Where the user sees what is to be said while programs run.
pub trait Console {
    /// Says a sentence, which has no line end.
    fn note(&self, text: &str);

    /// Shows what the driver reports, as it writes it, with line ends.
    fn show_reports(&self, text: &[u8]);

    /// Shows the texts of findings, with line ends.
    fn show_findings(&self, texts: &[String]);
}

/// A run of a program.
pub struct Executed {
    /// Its status.
    pub status: ExitStatus,
    /// Why it was asked to end, if it was.
    pub ended: Option<Ended>,
    /// Its launches, as the driver wrote them: lines of JSON.
    pub launches: String,
    /// The driver's reports: lines of JSON.
    pub reports: String,
}

/// Whether the driver's reports are written to a file that the user has named, not shown.
pub fn reports_have_a_file() -> bool {
    env::var_os(REPORTS).is_some_and(|path| !path.is_empty())
}

/// Runs a program, which has this `name` in messages, with the emulated driver, whose reports are shown, or become findings.
/// At the `limit` the program is asked to end.
///
/// # Errors
///
/// A program that cannot be started, and files of its reports.
pub fn execute(
    command: &mut Command,
    name: &str,
    limit: Option<Duration>,
    mut findings: Option<&mut Findings>,
    console: &dyn Console,
) -> Result<Executed, Error> {
    let folder = tempfile::tempdir().map_err(|source| FileError::Write { path: env::temp_dir(), source })?;
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
    let ran = process::run(command, limit, || show(console, findings.as_deref_mut(), &reports.older()));
    show(console, findings.as_deref_mut(), &reports.rest());
    let (status, ended) = ran.map_err(|source| Error::Program { program: name.to_owned(), source })?;
    let (launches, reports) = (read_if_present(&launches)?, read_if_present(&faults)?);
    if ended.is_some() {
        incomplete(findings, "the program was ended");
    } else if let Some(how) = killed(status, &reports) {
        console.note(&format!("{name}: {how}"));
        incomplete(findings, &how);
    }
    for (variable, lines) in [(LAUNCHES, &launches), (FAULTS, &reports)] {
        append_for_user(variable, lines)?;
    }
    Ok(Executed { status, ended, launches, reports })
}

/// Shows reports of the driver, or adds them to the findings.
fn show(console: &dyn Console, findings: Option<&mut Findings>, new: &[u8]) {
    match findings {
        None => console.show_reports(new),
        Some(findings) => console.show_findings(&findings.add(&String::from_utf8_lossy(new))),
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

/// Runs a program under so many schedules, and collects what is found. `command` makes the command of a run. One that
/// `must_succeed` is not run again if it fails and nothing is found.
///
/// # Errors
///
/// Those of `command` and [`execute`].
pub fn check<E: From<Error>>(
    schedules: u32,
    findings: &mut Findings,
    name: &str,
    limit: Option<Duration>,
    must_succeed: bool,
    console: &dyn Console,
    mut command: impl FnMut() -> Result<Command, E>,
) -> Result<Checked, E> {
    let input = Input::standard();
    let mut first = command()?;
    if schedules > 1 {
        first.env_remove(SEED);
    }
    let first = execute(&mut first, name, limit, Some(&mut *findings), console)?;
    let mut checked = Checked { status: first.status, ended: first.ended, first };
    for seed in 1..schedules {
        let useless = must_succeed && !checked.status.success() && findings.is_empty();
        if checked.ended.is_some() || useless {
            break;
        }
        let mut command = command()?;
        command.env(SEED, seed.to_string()).stdin(input.again()).stdout(Stdio::null()).stderr(Stdio::null());
        let executed = execute(&mut command, name, limit, Some(&mut *findings), console)?;
        if checked.status.success() && !executed.status.success() {
            checked.status = executed.status;
            if executed.reports.is_empty() && executed.ended.is_none() {
                let status = executed.status;
                console.note(&format!("with seed {seed} the program ended with {status}"));
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
    pub fn standard() -> Input {
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
pub fn ended_early(
    ended: Ended,
    status: ExitStatus,
    limit: Option<Duration>,
    reported: bool,
    console: &dyn Console,
) -> ExitCode {
    let state = if reported { "" } else { "; no kernel was running" };
    match ended {
        Ended::Time => {
            let limit = limit.unwrap_or_default().as_secs_f64();
            console.note(&format!(
                "the program reached its limit of {limit} s (`--timeout`) and was ended{state}"
            ));
            ExitCode::from(TIMED_OUT)
        }
        // The program handled the signal.
        Ended::Signal(_) if status.code().is_some() && !reported => exit_code(status),
        Ended::Signal(signal) => {
            console.note(&format!("the program was ended by {signal}{state}"));
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
        text => Ok(text.map_err(|source| FileError::Read { path: path.into(), source })?),
    }
}

/// The driver writes its reports for this program; a user who set the variable gets them, too.
fn append_for_user(variable: &str, lines: &str) -> Result<(), Error> {
    let Some(path) = env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from) else {
        return Ok(());
    };
    let file = File::options().append(true).create(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(lines.as_bytes()));
    Ok(written.map_err(|source| FileError::Write { path, source })?)
}
