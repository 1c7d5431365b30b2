//! Compiles a program twice, runs both, and judges the device's run.

use std::{
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    time::{Duration, Instant},
};

use check_reports::{ALL_CHECKS, REPORT_FILE, Report};
use serde::Deserialize;
use toolchain::Tools;

use super::build::{self, Target};
use super::compare;
use super::programs::Program;
use crate::process::{self, Finished, Limits};

/// The exit statuses of `warpfold run` that are not the program's (docs/openmp.md).
const TIMED_OUT: i32 = 124;
const FAILED: i32 = 125;

/// How long `warpfold run` may take after the program's time: to report, to end its processes, to write counts.
const GRACE: Duration = Duration::from_secs(30);

/// What all programs share.
pub struct Setup {
    /// The program `warpfold`.
    pub warpfold: PathBuf,
    pub tools: Tools,
    /// Bytes of memory that each process may allocate.
    pub memory: u64,
    /// Whether the device's side runs under the checks.
    pub checks: bool,
}

/// What became of a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The device gives what the host gives.
    Right,
    /// The first difference.
    Differs(String),
    /// The first line of the emulator's report.
    Fault(String),
    /// What the checks reported: kinds and lines of the first, and how many others.
    Reported(String),
    /// The first error of compiling for the device.
    DoesNotCompile(String),
    /// It was ended at its time limit on the device; where it was.
    TooSlow(String),
    /// The device gives what the host gives, but only its host code ran.
    LaunchesNothing,
    /// There is nothing to compare with; why.
    HostFails(String),
}

impl Outcome {
    /// Its name, and what else is to be said.
    pub fn parts(&self) -> (&'static str, &str) {
        match self {
            Outcome::Right => ("right", ""),
            Outcome::Differs(how) => ("differs", how),
            Outcome::Fault(line) => ("fault", line),
            Outcome::Reported(what) => ("reported", what),
            Outcome::DoesNotCompile(line) => ("does not compile", line),
            Outcome::TooSlow(at) => ("too slow", at),
            Outcome::LaunchesNothing => ("launches nothing", ""),
            Outcome::HostFails(why) => ("host fails", why),
        }
    }
}

/// The outcome of a program with its figures, as far as it came.
#[derive(Clone, Debug)]
pub struct Checked {
    pub name: String,
    pub outcome: Outcome,
    /// Seconds of compiling for the device, of the host's run, of the device's run.
    pub compile: Option<f64>,
    pub host: Option<f64>,
    pub device: Option<f64>,
    pub launches: u64,
    /// Of all launches.
    pub thread_instructions: u64,
    /// What the checks reported.
    pub findings: Vec<Report>,
}

/// The launches in the file that `warpfold run --counts` writes.
#[derive(Default, Deserialize)]
struct Counts {
    launches: Vec<Launch>,
}

#[derive(Deserialize)]
struct Launch {
    thread_instructions: u64,
}

/// Checks a program; an error if files of this program's own cannot be written or read.
pub fn check(program: &Program, setup: &Setup) -> Result<Checked, String> {
    let mut checked = Checked {
        name: program.name.clone(),
        outcome: Outcome::Right,
        compile: None,
        host: None,
        device: None,
        launches: 0,
        thread_instructions: 0,
        findings: Vec::new(),
    };
    checked.outcome = outcome(program, setup, &mut checked)?;
    Ok(checked)
}

fn outcome(program: &Program, setup: &Setup, checked: &mut Checked) -> Result<Outcome, String> {
    let cannot = |error| format!("cannot make a folder: {error}");
    let (of_host, of_device) = (tempfile::tempdir().map_err(cannot)?, tempfile::tempdir().map_err(cannot)?);
    let target = Target::Host(&setup.tools);
    let limits = Limits { time: program.time_limit, memory: setup.memory };
    let on_host = match build::build(program, target, setup.memory, of_host.path()) {
        Ok(path) => path,
        Err(error) => return Ok(Outcome::HostFails(error)),
    };
    // Otherwise library routines may find a GPU.
    let mut command = Command::new(on_host);
    command.env("OMP_TARGET_OFFLOAD", "DISABLED");
    let host = match run(program, &mut command, limits) {
        Ok(ran) => ran,
        Err(error) => return Ok(Outcome::HostFails(error)),
    };
    checked.host = Some(host.seconds);
    let limit = program.time_limit.as_secs();
    match host.status {
        None => return Ok(Outcome::HostFails(format!("it took more than {limit} s"))),
        Some(status) if status.code().is_none() => return Ok(Outcome::HostFails(status.to_string())),
        Some(_) => {}
    }

    let start = Instant::now();
    let target = Target::Device { warpfold: &setup.warpfold, lines: setup.checks };
    let on_device = match build::build(program, target, setup.memory, of_device.path()) {
        Ok(path) => path,
        Err(error) => return Ok(Outcome::DoesNotCompile(error)),
    };
    checked.compile = Some(start.elapsed().as_secs_f64());
    let (counts, faults) = (of_device.path().join("counts.json"), of_device.path().join("faults"));
    let mut command = Command::new(&setup.warpfold);
    command.arg("run").arg(format!("--timeout={limit}")).arg(format!("--counts={}", counts.display()));
    command.arg(on_device).env(REPORT_FILE, &faults).env("OMP_TARGET_OFFLOAD", "MANDATORY");
    command.envs(setup.checks.then_some(ALL_CHECKS));
    let limits = Limits { time: program.time_limit + GRACE, ..limits };
    let device = run(program, &mut command, limits)?;
    checked.device = Some(device.seconds);
    let counted = read_counts(&counts)?;
    checked.launches = counted.launches.len() as u64;
    checked.thread_instructions = counted.launches.iter().map(|launch| launch.thread_instructions).sum();
    let (findings, faults) = check_reports::read(&faults)?.into_iter().partition(|report| report.finding);
    checked.findings = findings;
    Ok(judge(program, &host, &device, faults, checked))
}

/// Runs a program in its folder.
fn run(program: &Program, command: &mut Command, limits: Limits) -> Result<Finished, String> {
    command.args(&program.arguments).current_dir(&program.folder);
    process::run(command, limits).map_err(|error| format!("cannot run {}: {error}", program.name))
}

fn judge(
    program: &Program,
    host: &Finished,
    device: &Finished,
    faults: Vec<Report>,
    checked: &Checked,
) -> Outcome {
    let report = || {
        // The first line may be a finding of the checks, which does not end the program.
        let lines = || device.err.text.lines().filter_map(|line| line.strip_prefix("warpfold: "));
        let fault = faults.first().map(|fault| &*fault.message);
        let of_fault = fault.and_then(|message| lines().find(|line| line.contains(message)));
        of_fault.or_else(|| lines().next()).or(fault).unwrap_or("no report").to_owned()
    };
    let code = device.status.and_then(|status| status.code());
    let all_time = device.seconds >= program.time_limit.as_secs_f64();
    if device.status.is_none() || (code == Some(TIMED_OUT) && all_time) {
        return Outcome::TooSlow(report());
    }
    let reported = groups(&checked.name, &checked.findings);
    let failed = code == Some(FAILED) && host.status != device.status;
    if !faults.is_empty() || (failed && reported.is_empty()) {
        return Outcome::Fault(report());
    }
    if let Some(first) = reported.first() {
        let more = match reported.len() - 1 {
            0 => String::new(),
            more => format!("; {more} more"),
        };
        return Outcome::Reported(format!("{}: {}{more}", first.kind, first.lines.join(", ")));
    }
    if host.status != device.status {
        let shown = |status: Option<ExitStatus>| status.map_or("none".into(), |status| status.to_string());
        let mut how = format!("{}, on the host {}", shown(device.status), shown(host.status));
        if let Some(line) = device.err.text.lines().find(|line| !line.trim().is_empty()) {
            how = format!("{how}: {line}");
        }
        return Outcome::Differs(how);
    }
    match compare::difference(&host.out, &device.out, program.tolerance, &program.ignore) {
        Some(how) => Outcome::Differs(how),
        None if checked.launches == 0 => Outcome::LaunchesNothing,
        None => Outcome::Right,
    }
}

/// The counts of a run. A run that was killed has none.
fn read_counts(path: &Path) -> Result<Counts, String> {
    let Ok(file) = File::open(path) else { return Ok(Counts::default()) };
    // One number of each launch is kept, however many there are.
    serde_json::from_reader(BufReader::new(file)).map_err(|error| format!("{}: {error}", path.display()))
}

/// The findings of a program by kind and lines.
pub fn groups(program: &str, findings: &[Report]) -> Vec<check_reports::ReportGroup> {
    check_reports::groups(findings.iter().map(|report| (program.to_owned(), report)))
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use regex::RegexSet;

    use super::*;
    use crate::process::Output;

    fn ended(code: Option<i32>, out: &str, err: &str, seconds: f64) -> Finished {
        let output = |text: &str| Output { text: text.into(), cut: false };
        let status = code.map(|code| ExitStatus::from_raw(code << 8));
        Finished { status, out: output(out), err: output(err), seconds }
    }

    #[test]
    fn runs_are_judged() {
        let program = Program {
            name: "pi".into(),
            folder: PathBuf::new(),
            sources: Vec::new(),
            options: Vec::new(),
            arguments: Vec::new(),
            time_limit: Duration::from_secs(10),
            tolerance: 1e-6,
            ignore: RegexSet::empty(),
        };
        let host = ended(Some(0), "3.14\n", "", 1.0);
        let checked = |launches, findings| Checked {
            name: "pi".into(),
            outcome: Outcome::Right,
            compile: None,
            host: None,
            device: None,
            launches,
            thread_instructions: 0,
            findings,
        };
        let judged =
            |device, faults, launches| judge(&program, &host, &device, faults, &checked(launches, vec![]));
        let parsed = |line: &str| Report::parse(line).expect("a report");
        let fault = || vec![parsed(r#"{"kind":"out-of-bounds","message":"an access"}"#)];
        let none = Vec::new;
        assert_eq!(judged(ended(Some(0), "3.14\n", "", 1.0), none(), 1), Outcome::Right);
        assert_eq!(judged(ended(Some(0), "3.14\n", "", 1.0), none(), 0), Outcome::LaunchesNothing);
        assert!(matches!(judged(ended(Some(0), "3.15\n", "", 1.0), none(), 0), Outcome::Differs(_)));
        assert_eq!(
            judged(ended(Some(1), "3.14\n", "\nno device\n", 1.0), none(), 0),
            Outcome::Differs("exit status: 1, on the host exit status: 0: no device".into())
        );
        let report = "note\nwarpfold: pi.c:4: an access of 8 bytes\n    4 | x\n";
        let line = || String::from("pi.c:4: an access of 8 bytes");
        assert_eq!(judged(ended(Some(125), "", report, 1.0), fault(), 1), Outcome::Fault(line()));
        assert_eq!(judged(ended(Some(0), "3.14\n", "", 1.0), fault(), 1), Outcome::Fault("an access".into()));
        assert_eq!(judged(ended(Some(125), "", report, 1.0), none(), 0), Outcome::Fault(line()));
        assert_eq!(judged(ended(Some(124), "", report, 10.1), fault(), 1), Outcome::TooSlow(line()));
        assert_eq!(judged(ended(None, "", "", 40.0), none(), 0), Outcome::TooSlow("no report".into()));
        let race = parsed(
            r#"{"kind":"data-race","message":"a race","count":2,"sides":[{"source":{"file":"/f/pi.c","line":4}}]}"#,
        );
        let reported =
            |device, faults| judge(&program, &host, &device, faults, &checked(1, vec![race.clone(); 2]));
        let race = || Outcome::Reported("data-race: pi.c:4".into());
        for code in [0, 125] {
            assert_eq!(reported(ended(Some(code), "3.15\n", "warpfold: a race\n", 1.0), none()), race());
        }
        let both = "warpfold: a race\nwarpfold: pi.c:5: an access\n";
        assert_eq!(
            reported(ended(Some(125), "", both, 1.0), fault()),
            Outcome::Fault("pi.c:5: an access".into())
        );
        // It is the program's own.
        assert!(matches!(judged(ended(Some(124), "3.14\n", "", 1.0), none(), 1), Outcome::Differs(_)));
    }

    #[test]
    fn files_of_a_run_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        assert!(read_counts(&path).expect("no file").launches.is_empty());
        std::fs::write(&path, r#"{"launches": [{"kernel": "k", "thread_instructions": 7}]}"#)
            .expect("a file");
        assert_eq!(read_counts(&path).expect("counts").launches[0].thread_instructions, 7);
    }
}
