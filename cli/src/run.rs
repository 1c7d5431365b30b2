//! `warpfold run`: runs a CUDA or OpenMP offloading program on the emulator.

use std::{
    env,
    ffi::OsString,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, ExitCode, ExitStatus},
};

use cuda_driver::settings::Engine;
use program_runs::{
    Checked, Ended, Executed, FAILED, Installed, Program, TEAMS_VARIABLE, ended_early, execute, exit_code,
    is_offload_disabled, reports_have_a_file,
};
use serde_json::Value;

use crate::{
    driver,
    emulator_options::{EmulatorOptions, Limits, Variables, check_list, switch, text},
    error::Error,
    findings::{ReportDisplay, ReportOptions},
    messages, output, standard_output, this_program,
};

/// The driver's variable of what it logs.
const LOG: &str = "WARPFOLD_LOG";

/// OpenMP's host runtime: libraries with tools that it tells of tasks and regions.
const TOOLS: &str = "OMP_TOOL_LIBRARIES";

/// Options of `warpfold run`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    emulator: EmulatorOptions,
    /// Start the blocks of a launch in reverse order
    #[arg(long, value_parser = switch, env = "WARPFOLD_REVERSE_BLOCKS")]
    reverse_blocks: bool,
    /// Blocks that run at the same time, at most [default: as many as fit]
    #[arg(long, value_name = "N", env = "WARPFOLD_RESIDENT_BLOCKS")]
    resident_blocks: Option<u32>,
    /// Teams of OpenMP constructs that do not say how many, at most [default: as many as on a GPU, up to 3200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(i32::MAX)))]
    teams: Option<u32>,
    /// Host threads that run the blocks of a launch; 1 keeps their order [default: 1]
    #[arg(long, value_name = "N", env = "WARPFOLD_JOBS", value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,
    /// What executes kernels: interpret, compile (for the host, before they run), or auto: compile those that run long
    /// [default: auto]
    #[arg(long, value_name = "ENGINE", env = "WARPFOLD_ENGINE")]
    engine: Option<Engine>,
    /// Let kernels access all host memory, as OpenMP's `requires unified_shared_memory` needs
    #[arg(long, value_parser = switch, env = "WARPFOLD_UNIFIED_MEMORY")]
    unified_memory: bool,
    /// Check the program for data races (race) and memory that nobody wrote (init); lane, barrier and memory are
    /// always checked [default without a LIST: all]
    #[arg(long, value_name = "LIST", env = "WARPFOLD_CHECK", value_parser = check_list, num_args = 0..=1,
        require_equals = true, default_missing_value = "all")]
    check: Option<String>,
    /// Report device memory that the program, or its device code, allocated and did not free
    #[arg(long, value_parser = switch, env = "WARPFOLD_CHECK_LEAKS")]
    check_leaks: bool,
    /// Fail with exit status 125 if the program launches nothing
    #[arg(long)]
    require_launch: bool,
    /// Let the Nth allocation of memory fail; N+: it and all later ones
    #[arg(long, value_name = "N", env = "WARPFOLD_FAIL_ALLOCATION")]
    fail_allocation: Option<String>,
    /// Write the order of the driver's calls to a file
    #[arg(long, value_name = "FILE", env = "WARPFOLD_RECORD", conflicts_with_all = ["replay", "schedules"])]
    record: Option<PathBuf>,
    /// Follow the order in such a file
    #[arg(long, value_name = "FILE", env = "WARPFOLD_REPLAY", conflicts_with = "schedules")]
    replay: Option<PathBuf>,
    /// Write exact counts of each launch: a table on standard error, or JSON in a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    counts: Option<Option<PathBuf>>,
    /// Write the calls of the CUDA driver to standard error
    #[arg(long)]
    trace: bool,
    /// The program to run
    program: OsString,
    /// Its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
    // Last: their headings hold for all that follows.
    #[command(flatten)]
    reports: ReportOptions,
    #[command(flatten)]
    limits: Limits,
}

impl Options {
    /// What the driver reads from the environment. A variable that is set stays where no option is given.
    fn variables(&self) -> impl Iterator<Item = (&'static str, OsString)> {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.into());
        let variables: Variables = vec![
            ("WARPFOLD_REVERSE_BLOCKS", text(self.reverse_blocks.then_some(1))),
            ("WARPFOLD_RESIDENT_BLOCKS", text(self.resident_blocks)),
            ("WARPFOLD_JOBS", text(self.jobs)),
            ("WARPFOLD_ENGINE", text(self.engine)),
            (TEAMS_VARIABLE, text(self.teams)),
            ("WARPFOLD_UNIFIED_MEMORY", text(self.unified_memory.then_some(1))),
            ("WARPFOLD_CHECK", text(self.check.as_ref())),
            ("WARPFOLD_CHECK_LEAKS", text(self.check_leaks.then_some(1))),
            ("WARPFOLD_FAIL_ALLOCATION", text(self.fail_allocation.as_ref())),
            ("WARPFOLD_RECORD", path(&self.record)),
            ("WARPFOLD_REPLAY", path(&self.replay)),
        ];
        let all = self.emulator.variables().into_iter().chain(self.limits.variables()).chain(variables);
        all.filter_map(|(name, value)| Some((name, value?)))
    }

    /// The command that runs the program.
    fn command(&self, program: &Program<'_>) -> Result<Command, Error> {
        let driver = driver::install()?;
        let installed = Installed { driver: &driver, program: &this_program::path()? };
        let mut command = program.command(installed, self.variables().collect())?;
        command.stdout(standard_output::of_child().map_err(|source| Error::Output { source })?);
        if self.check.is_some() && env::var_os(TOOLS).is_none() {
            // OpenMP's host runtime then tells the driver which tasks wait for which.
            command.env(TOOLS, driver.join("libcuda.so"));
        }
        if self.trace {
            let mut log = env::var_os(LOG).unwrap_or_default();
            log.push(if log.is_empty() { "driver" } else { ",driver" });
            command.env(LOG, log);
        }
        Ok(command)
    }
}

/// Runs the program and returns its exit status.
pub fn run(options: &Options) -> Result<ExitCode, Error> {
    let outputs = options.counts.iter().flatten().chain(&options.record).map(PathBuf::as_path);
    let inputs = [Path::new(&options.program)].into_iter().chain(options.replay.as_deref());
    output_files::check_distinct(
        outputs.chain(options.reports.output()),
        inputs.chain(options.reports.input()),
    )?;
    let program = Program::new(&options.program, &options.arguments);
    program.check_architecture(options.emulator.gpus.models())?;
    let name = terminal_text::name(options.program.display());
    let limit = options.limits.timeout;
    let command = || options.command(&program);
    if options.check.is_none() {
        options.reports.check_unused()?;
        let first = execute(&mut command()?, &name, limit, None, &ReportDisplay::PLAIN)?;
        let reports = json_lines(&first.reports);
        let interrupted = reports.iter().any(|report| report["kind"] == "interrupted");
        let ran =
            Ran { status: first.status, ended: first.ended, first, interrupted, failed: !reports.is_empty() };
        return conclude(options, &program, &ran);
    }
    let display = ReportDisplay { colors: options.emulator.has_colors(), quiet: reports_have_a_file() };
    let mut findings = options.reports.findings(None)?;
    let schedules = options.reports.schedules();
    let Checked { first, status, ended } =
        program_runs::check(schedules, &mut findings, &name, limit, false, &display, command)?;
    let (interrupted, failed) = (findings.has_interrupted(), !findings.is_empty());
    let code = conclude(options, &program, &Ran { first, status, ended, interrupted, failed });
    options.reports.finish(&findings, display)?;
    code
}

/// What became of a program.
struct Ran {
    /// Its first run.
    first: Executed,
    status: ExitStatus,
    /// Why it was asked to end, and whether the driver reported where its kernels were.
    ended: Option<Ended>,
    interrupted: bool,
    /// Whether there is anything to report that sets the status.
    failed: bool,
}

/// Writes counts, says what else there is to say of a program that has ended, and returns the exit status.
fn conclude(options: &Options, program: &Program<'_>, ran: &Ran) -> Result<ExitCode, Error> {
    let launches = json_lines(&ran.first.launches);
    if let Some(file) = &options.counts {
        output::counts(file.as_deref(), &launches)?;
    }
    let gpus = &options.emulator.gpus;
    for note in program_runs::launch_notes(&launches, gpus.first(), options.teams.is_some()) {
        messages::note(format_args!("warpfold: {note}"));
    }
    if let Some(ended) = ran.ended {
        let limit = options.limits.timeout;
        return Ok(ended_early(ended, ran.status, limit, ran.interrupted, &ReportDisplay::PLAIN));
    }
    if ran.failed {
        return Ok(ExitCode::from(FAILED));
    }
    let hint = program.why_nothing_was_launched(gpus.models());
    // What killed a program was said already, and what it would have launched is not known, unless it cannot launch anything.
    let is_told = ran.status.signal().is_some() && hint.is_empty();
    // A launch that failed was one.
    if !is_told && launches.is_empty() && ran.first.reports.is_empty() {
        let program = terminal_text::name(options.program.display());
        if options.require_launch && ran.status.success() {
            return Err(Error::NoLaunch { program, hint });
        }
        // A program that was told to run on the host does so.
        if !is_offload_disabled() {
            messages::note(format_args!("warpfold: {program} launched nothing{hint}"));
        }
    }
    Ok(exit_code(ran.status))
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}
