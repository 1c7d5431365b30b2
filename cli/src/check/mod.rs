//! `warpfold check`: launches a kernel of a PTX file with all checks, under one schedule or several. Other commands check
//! their own launches in the same way.

mod argument;
mod launch;

use std::{
    ffi::OsString,
    path::Path,
    process::{Command, ExitCode},
    time::Duration,
};

use program_runs::{Checked, FAILED, ended_early, exit_code, reports_have_a_file};

pub use self::launch::{LaunchOptions, launching, run as launch};
use crate::{
    emulator_options::{EmulatorOptions, Limits},
    error::Error,
    findings::{ReportDisplay, ReportOptions},
    standard_output, this_program,
};

/// The command that launches the kernel.
pub const LAUNCH_COMMAND: &str = "launch-kernel";

/// Options of `warpfold check`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    launch: LaunchOptions,
    #[command(flatten)]
    emulator: EmulatorOptions,
    #[command(flatten)]
    reports: ReportOptions,
    #[command(flatten)]
    limits: Limits,
}

/// Launches the kernel as often as the options say, and reports what is found. Returns the exit status.
pub fn run(options: &Options) -> Result<ExitCode, Error> {
    let inputs = [options.launch.file()].into_iter().chain(options.reports.input());
    output_files::check_distinct(options.reports.output(), inputs)?;
    let variables = || options.emulator.variables().into_iter().chain(options.limits.variables());
    let launches = Launches {
        words: [LAUNCH_COMMAND.into()].into_iter().chain(options.launch.words()).collect(),
        variables: variables().filter_map(|(name, value)| Some((name, value?))).collect(),
        checks: "all",
        reports: &options.reports,
        ptx: Some(options.launch.file()),
        colors: options.emulator.has_colors(),
        timeout: options.limits.timeout,
    };
    launches.check(&terminal_text::name(options.launch.file().display()))
}

/// Launches of this program itself, in a process for each schedule.
pub struct Launches<'o> {
    /// The command line after the program's name; what it does is [`launching`].
    pub words: Vec<OsString>,
    /// Further variables of its environment.
    pub variables: Vec<(&'static str, OsString)>,
    /// What is checked: the value of `WARPFOLD_CHECK`.
    pub checks: &'o str,
    /// The schedules and the report.
    pub reports: &'o ReportOptions,
    /// The file whose kernels are launched.
    pub ptx: Option<&'o Path>,
    /// Whether reports are painted.
    pub colors: bool,
    /// The time that a process may take.
    pub timeout: Option<Duration>,
}

impl Launches<'_> {
    /// Runs the processes and reports what is found. `name` stands for them in errors. Returns the exit status.
    pub fn check(&self, name: &str) -> Result<ExitCode, Error> {
        let this = this_program::path()?;
        let command = || {
            let mut command = Command::new(&this);
            let variables = self.variables.iter().map(|(name, value)| (name, value));
            command.args(&self.words).env("WARPFOLD_CHECK", self.checks).envs(variables);
            command.stdout(standard_output::of_child().map_err(|source| Error::Output { source })?);
            Ok::<_, Error>(command)
        };
        let display = ReportDisplay { colors: self.colors, quiet: reports_have_a_file() };
        let mut findings = self.reports.findings(self.ptx)?;
        let schedules = self.reports.schedules();
        let Checked { status, ended, .. } =
            program_runs::check(schedules, &mut findings, name, self.timeout, true, &display, command)?;
        if status.code().is_some_and(|code| code != 0)
            && ended.is_none()
            && findings.is_empty()
            && !findings.has_suppressed()
        {
            // It has said why.
            return Ok(exit_code(status));
        }
        let code = match ended {
            Some(ended) => ended_early(ended, status, self.timeout, findings.has_interrupted(), &display),
            None if !findings.is_empty() => ExitCode::from(FAILED),
            None => exit_code(status),
        };
        self.reports.finish(&findings, display)?;
        Ok(code)
    }
}
