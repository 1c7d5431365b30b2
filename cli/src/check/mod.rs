//! `warpfold check`: launches a kernel of a PTX file with all checks, under one schedule or several.

mod argument;
mod launch;

use std::{
    env,
    process::{Command, ExitCode},
};

pub use self::launch::{LaunchOptions, run as launch};
use crate::{
    error::Error,
    findings::ReportOptions,
    run::{self, Checked, EmulatorOptions, FAILED, Limits},
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
    let this = env::current_exe().map_err(|source| Error::Program { program: "warpfold".into(), source })?;
    let command = || {
        let variables = options.emulator.variables().into_iter().chain(options.limits.variables());
        let mut command = Command::new(&this);
        command
            .arg(LAUNCH_COMMAND)
            .args(options.launch.words())
            .env("WARPFOLD_CHECK", "all")
            .envs(variables.filter_map(|(name, value)| Some((name, value?))));
        Ok(command)
    };
    let (file, limit) = (options.launch.file(), options.limits.timeout);
    let (colors, quiet) = (options.emulator.has_colors(), run::reports_have_a_file());
    let mut findings = options.reports.findings(Some(file), colors, quiet)?;
    let name = file.display().to_string();
    let Checked { status, ended, .. } =
        run::check(&options.reports, &mut findings, &name, limit, true, command)?;
    if ended.is_none() && !status.success() && findings.is_empty() && !findings.has_suppressed() {
        // It has said why.
        return Ok(run::exit_code(status));
    }
    let code = match ended {
        Some(ended) => run::ended_early(ended, status, limit, findings.has_interrupted()),
        None if !findings.is_empty() => ExitCode::from(FAILED),
        None => run::exit_code(status),
    };
    options.reports.finish(&findings)?;
    Ok(code)
}
