//! `warpfold run`: runs a CUDA or OpenMP offloading program on the emulator.

mod execute;
mod options;
mod process;
mod reports;
mod source_folders;

use std::{
    env,
    ffi::OsString,
    fs,
    path::PathBuf,
    process::{Command, ExitCode, ExitStatus},
};

use cuda_driver::{
    image::{self, Embedded},
    settings::GpuModel,
};
use serde_json::Value;
use toolchain::{Cache, prepended};

pub use self::{
    execute::{Checked, FAILED, Input, check, ended_early, exit_code, reports_have_a_file},
    options::{EmulatorOptions, Limits, check_list},
};
use self::{
    execute::{Executed, execute},
    options::{Variables, switch, text},
    process::Ended,
};
use crate::{driver, error::Error, findings::ReportOptions, messages, output};

/// Variables of the driver: what it logs, and which source files its reports quote.
const LOG: &str = "WARPFOLD_LOG";
const SOURCE_PATH: &str = "WARPFOLD_SOURCE_PATH";

/// OpenMP's host runtime: libraries with tools that it tells of tasks and regions.
const TOOLS: &str = "OMP_TOOL_LIBRARIES";

/// LLVM's host runtime: the bytes up to which it manages memory by itself; 0 for none.
const MEMORY_MANAGER: &str = "LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD";

/// LLVM's host runtime: whether target regions may run on the host.
const OFFLOAD: &str = "OMP_TARGET_OFFLOAD";

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
    /// Host threads that run the blocks of a launch; 1 keeps their order [default: 1]
    #[arg(long, value_name = "N", env = "WARPFOLD_JOBS", value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,
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

    /// The command that runs the program, whose bytes and device images these are.
    fn command(&self, program: &[u8], images: &[Embedded]) -> Result<Command, Error> {
        let mut command = Command::new(&self.program);
        if images.iter().any(|image| image.bitcode) {
            // LLVM's host runtime compiles these images and calls the first ptxas in PATH.
            let this = env::current_exe();
            let this = this.map_err(|source| Error::Program { program: "warpfold".into(), source })?;
            let bin = Cache::open()?.stand_in_bin(&this)?;
            command.env("PATH", prepended("PATH", &bin)?);
        }
        let driver = driver::install()?;
        command
            .args(&self.arguments)
            .env("LD_LIBRARY_PATH", prepended("LD_LIBRARY_PATH", &driver)?)
            .envs(self.variables());
        if self.check.is_some() && env::var_os(TOOLS).is_none() {
            // OpenMP's host runtime then tells the driver which tasks wait for which.
            command.env(TOOLS, driver.join("libcuda.so"));
        }
        if let Some(path) = source_path(program) {
            command.env(SOURCE_PATH, path);
        }
        if self.trace {
            let mut log = env::var_os(LOG).unwrap_or_default();
            log.push(if log.is_empty() { "driver" } else { ",driver" });
            command.env(LOG, log);
        }
        if env::var_os(MEMORY_MANAGER).is_none() {
            // LLVM's host runtime keeps small pieces of memory that the program frees, so that their use would stay
            // unseen.
            command.env(MEMORY_MANAGER, "0");
        }
        if env::var_os(OFFLOAD).is_none() {
            // Otherwise LLVM's host runtime runs a target region on the host where the device fails.
            command.env(OFFLOAD, "MANDATORY");
        }
        Ok(command)
    }
}

/// Runs the program and returns its exit status.
pub fn run(options: &Options) -> Result<ExitCode, Error> {
    let program = bytes(&options.program);
    let images = image::embedded(&program);
    let offload = env::var(OFFLOAD).ok();
    if offload.as_deref().is_none_or(|value| value.eq_ignore_ascii_case("mandatory")) {
        check_architecture(options, &images)?;
    }
    let name = options.program.to_string_lossy().into_owned();
    let limit = options.limits.timeout;
    let command = || options.command(&program, &images);
    if options.check.is_none() {
        options.reports.check_unused()?;
        let first = execute(&mut command()?, &name, limit, None)?;
        let reports = json_lines(&first.reports);
        let interrupted = reports.iter().any(|report| report["kind"] == "interrupted");
        let ran =
            Ran { status: first.status, ended: first.ended, first, interrupted, failed: !reports.is_empty() };
        return conclude(options, &images, &ran);
    }
    let colors = options.emulator.has_colors();
    let mut findings = options.reports.findings(None, colors, reports_have_a_file())?;
    let Checked { first, status, ended } =
        check(&options.reports, &mut findings, &name, limit, false, command)?;
    let (interrupted, failed) = (findings.has_interrupted(), !findings.is_empty());
    let code = conclude(options, &images, &Ran { first, status, ended, interrupted, failed });
    options.reports.finish(&findings)?;
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
fn conclude(options: &Options, images: &[Embedded], ran: &Ran) -> Result<ExitCode, Error> {
    let launches = json_lines(&ran.first.launches);
    if let Some(file) = &options.counts {
        output::counts(file.as_deref(), &launches)?;
    }
    if let Some(ended) = ran.ended {
        return Ok(ended_early(ended, ran.status, options.limits.timeout, ran.interrupted));
    }
    if ran.failed {
        return Ok(ExitCode::from(FAILED));
    }
    // A launch that failed was one.
    if launches.is_empty() && ran.first.reports.is_empty() {
        let program = options.program.to_string_lossy().into_owned();
        let hint = why_nothing_was_launched(options, images);
        if options.require_launch && ran.status.success() {
            return Err(Error::NoLaunch { program, hint });
        }
        // A program that was told to run on the host does so.
        if !env::var(OFFLOAD).is_ok_and(|value| value.eq_ignore_ascii_case("disabled")) {
            messages::note(format_args!("warpfold: {program} launched nothing{hint}"));
        }
    }
    Ok(exit_code(ran.status))
}

/// What to ask about a program that launched nothing; nothing where it may mean to.
fn why_nothing_was_launched(options: &Options, images: &[Embedded]) -> String {
    let sm = options.emulator.sm.architecture();
    // LLVM's host runtime silently ignores images for another architecture, also in libraries.
    match runs_on(images, options.emulator.sm) {
        true => String::new(),
        false => format!(
            ": is it compiled for {sm} (`warpfold cc`, or clang with -fopenmp --offload-arch={sm})? `--sm` emulates \
             another GPU"
        ),
    }
}

/// Whether one of the images has code for a GPU.
fn runs_on(images: &[Embedded], model: GpuModel) -> bool {
    images.iter().any(|image| image.runs_on(model.sm()))
}

/// The folders of source files that reports may quote: the user's, and those that the program was compiled in.
fn source_path(program: &[u8]) -> Option<OsString> {
    let user = env::var_os(SOURCE_PATH).filter(|path| !path.is_empty());
    let user = user.iter().flat_map(env::split_paths);
    let compiled = source_folders::read(program).into_iter();
    // A name with a colon cannot be listed.
    let compiled = compiled.filter(|folder| !folder.as_os_str().as_encoded_bytes().contains(&b':'));
    env::join_paths(user.chain(compiled)).ok().filter(|path| !path.is_empty())
}

/// A program's bytes; none if it cannot be read or is very large.
fn bytes(program: &OsString) -> Vec<u8> {
    const LARGEST: u64 = 1 << 28;
    let small = fs::metadata(program).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= LARGEST);
    if small { fs::read(program).unwrap_or_default() } else { Vec::new() }
}

/// An error if the program has device images, but none for the emulated GPU.
fn check_architecture(options: &Options, images: &[Embedded]) -> Result<(), Error> {
    if images.is_empty() || runs_on(images, options.emulator.sm) {
        return Ok(());
    }
    let sm = options.emulator.sm.architecture();
    let other = GpuModel::ALL.into_iter().find(|other| runs_on(images, *other));
    let run =
        other.map_or(String::new(), |other| format!("run it with `--sm {}`, or ", other.architecture()));
    let mut found: Vec<&str> = images.iter().map(|image| &*image.architecture).collect();
    found.sort_unstable();
    found.dedup();
    Err(Error::OtherArchitecture {
        program: options.program.to_string_lossy().into_owned(),
        found: found.join(", "),
        hint: format!("{run}compile it with `--offload-arch={sm}`"),
        sm,
    })
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}
