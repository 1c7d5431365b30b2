//! `warpfold run`: runs a CUDA or OpenMP offloading program on the emulator.

mod process;
mod reports;
mod source_folders;

use std::{
    env,
    ffi::OsString,
    fs,
    io::{self, IsTerminal, Write},
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, ExitCode, ExitStatus},
    time::Duration,
};

use cuda_driver::{
    image::{self, Embedded},
    reports::has_colors,
    settings::GpuModel,
};
use serde_json::Value;
use toolchain::{Cache, prepended};

use self::{process::Ended, reports::Reports};
use crate::{driver, error::Error, output};

/// Variables of the driver: what it logs, the files for its reports, and which source files these quote.
const LOG: &str = "WARPFOLD_LOG";
const LAUNCHES: &str = "WARPFOLD_LAUNCHES_JSON";
const FAULTS: &str = "WARPFOLD_FAULT_JSON";
const REPORTS: &str = "WARPFOLD_REPORT_FILE";
const SOURCE_PATH: &str = "WARPFOLD_SOURCE_PATH";

/// LLVM's host runtime: the bytes up to which it manages memory by itself; 0 for none.
const MEMORY_MANAGER: &str = "LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD";

/// Options of `warpfold run`.
#[derive(clap::Args)]
pub struct Options {
    /// The GPU to emulate: sm_100 (b200), sm_90 (h200), sm_80 (a100) or sm_70 (v100)
    #[arg(long, value_name = "MODEL", default_value = "sm_90", env = "WARPFOLD_MACHINE")]
    sm: GpuModel,
    /// Run blocks and warps in an order drawn from this number
    #[arg(long, value_name = "N", env = "WARPFOLD_SEED")]
    seed: Option<u64>,
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
    #[arg(long, value_name = "FILE", env = "WARPFOLD_RECORD", conflicts_with = "replay")]
    record: Option<PathBuf>,
    /// Follow the order in such a file
    #[arg(long, value_name = "FILE", env = "WARPFOLD_REPLAY")]
    replay: Option<PathBuf>,
    /// Write exact counts of each launch: a table on standard error, or JSON in a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    counts: Option<Option<PathBuf>>,
    /// Show PTX, registers and other lanes in reports, also where the source line is known
    #[arg(long, value_parser = switch, env = "WARPFOLD_VERBOSE")]
    verbose: bool,
    /// Colours in reports: auto (on a terminal), always or never
    #[arg(long, value_name = "WHEN", default_value = "auto", env = "WARPFOLD_COLOR")]
    color: Color,
    /// Write the calls of the CUDA driver to standard error
    #[arg(long)]
    trace: bool,
    /// The program to run
    program: OsString,
    /// Its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
    // Last: its heading holds for all that follows.
    #[command(flatten)]
    limits: Limits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

/// What a program may take; the driver has the defaults, checks the values and names the option in its messages.
#[derive(clap::Args)]
#[command(next_help_heading = "Limits")]
struct Limits {
    /// End the program after this time, and report where its kernels were; exit status 124
    #[arg(long, value_name = "SECONDS", value_parser = seconds, env = "WARPFOLD_TIMEOUT")]
    timeout: Option<Duration>,
    /// Warp instructions of a launch, at most
    #[arg(long, value_name = "N", env = "WARPFOLD_STEP_LIMIT")]
    step_limit: Option<u64>,
    /// Memory of the emulated GPU, such as 8G [default: 4G]
    #[arg(long, value_name = "BYTES", env = "WARPFOLD_DEVICE_MEMORY")]
    device_memory: Option<String>,
    /// Host memory that the emulated GPU takes, at most [default: 3/4 of the host's]
    #[arg(long, value_name = "BYTES", env = "WARPFOLD_HOST_MEMORY")]
    host_memory: Option<String>,
    /// Output of kernels that is kept until the program waits for them [default: 64M]
    #[arg(long, value_name = "BYTES", env = "WARPFOLD_PRINTF_BUFFER")]
    printf_buffer: Option<String>,
    /// An image of device code, with all that reading it copies [default: 256M]
    #[arg(long, value_name = "BYTES", env = "WARPFOLD_IMAGE_LIMIT")]
    image_limit: Option<String>,
}

/// A switch that a variable sets, too.
fn switch(text: &str) -> Result<bool, String> {
    match text {
        "1" | "true" => Ok(true),
        "0" | "false" => Ok(false),
        _ => Err("neither 0 nor 1".into()),
    }
}

impl Options {
    /// What the driver is told about colours. It cannot see that its reports go to this program's standard error.
    fn color(&self) -> &'static str {
        let always = match self.color {
            Color::Auto => has_colors(io::stderr().is_terminal()),
            Color::Always => true,
            Color::Never => false,
        };
        if always { "always" } else { "never" }
    }

    /// What the driver reads from the environment. A variable that is set stays where no option is given.
    fn variables(&self) -> impl Iterator<Item = (&'static str, OsString)> {
        fn text(value: Option<impl ToString>) -> Option<OsString> {
            value.map(|value| value.to_string().into())
        }
        let (limits, path) = (&self.limits, |path: &Option<PathBuf>| path.as_ref().map(|path| path.into()));
        let variables = [
            ("WARPFOLD_MACHINE", text(Some(self.sm.name()))),
            ("WARPFOLD_SEED", text(self.seed)),
            ("WARPFOLD_REVERSE_BLOCKS", text(self.reverse_blocks.then_some(1))),
            ("WARPFOLD_RESIDENT_BLOCKS", text(self.resident_blocks)),
            ("WARPFOLD_JOBS", text(self.jobs)),
            ("WARPFOLD_UNIFIED_MEMORY", text(self.unified_memory.then_some(1))),
            ("WARPFOLD_CHECK_LEAKS", text(self.check_leaks.then_some(1))),
            ("WARPFOLD_FAIL_ALLOCATION", text(self.fail_allocation.as_ref())),
            ("WARPFOLD_VERBOSE", text(self.verbose.then_some(1))),
            ("WARPFOLD_COLOR", text(Some(self.color()))),
            ("WARPFOLD_RECORD", path(&self.record)),
            ("WARPFOLD_REPLAY", path(&self.replay)),
            ("WARPFOLD_STEP_LIMIT", text(limits.step_limit)),
            ("WARPFOLD_DEVICE_MEMORY", text(limits.device_memory.as_ref())),
            ("WARPFOLD_HOST_MEMORY", text(limits.host_memory.as_ref())),
            ("WARPFOLD_PRINTF_BUFFER", text(limits.printf_buffer.as_ref())),
            ("WARPFOLD_IMAGE_LIMIT", text(limits.image_limit.as_ref())),
        ];
        variables.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(limit) if !limit.is_zero() => Ok(limit),
        _ => Err("not a positive number of seconds".to_owned()),
    }
}

/// The exit status of a program whose time was over, as of timeout(1).
const TIMED_OUT: u8 = 124;

/// The exit status instead of the program's: after a fault or a leak on the device, and for a program that cannot be
/// run or, where that is required, launches nothing.
pub const FAILED: u8 = 125;

/// Runs the program and returns its exit status.
pub fn run(options: &Options) -> Result<ExitCode, Error> {
    let reports = tempfile::tempdir().map_err(|source| Error::Write { path: env::temp_dir(), source })?;
    let (launches, faults) = (reports.path().join("launches"), reports.path().join("faults"));
    let program = bytes(&options.program);
    let images = image::embedded(&program);
    let offload = env::var("OMP_TARGET_OFFLOAD").ok();
    if offload.as_deref().is_none_or(|value| value.eq_ignore_ascii_case("mandatory")) {
        check_architecture(options, &images)?;
    }
    let mut command = Command::new(&options.program);
    if images.iter().any(|image| image.bitcode) {
        // LLVM's host runtime compiles these images and calls the first ptxas in PATH.
        let this = env::current_exe();
        let this = this.map_err(|source| Error::Program { program: "warpfold".into(), source })?;
        let bin = Cache::open()?.stand_in_bin(&this)?;
        command.env("PATH", prepended("PATH", &bin)?);
    }
    command
        .args(&options.arguments)
        .env("LD_LIBRARY_PATH", prepended("LD_LIBRARY_PATH", &driver::install()?)?)
        .env(LAUNCHES, &launches)
        .env(FAULTS, &faults)
        .env("WARPFOLD_REPORT_SIGNALS", "1")
        .envs(options.variables());
    if let Some(path) = source_path(&program) {
        command.env(SOURCE_PATH, path);
    }
    if options.trace {
        let mut log = env::var_os(LOG).unwrap_or_default();
        log.push(if log.is_empty() { "driver" } else { ",driver" });
        command.env(LOG, log);
    }
    if env::var_os(MEMORY_MANAGER).is_none() {
        // LLVM's host runtime keeps small pieces of memory that the program frees, so that their use would stay unseen.
        command.env(MEMORY_MANAGER, "0");
    }
    if offload.is_none() {
        // Otherwise LLVM's host runtime runs a target region on the host where the device fails.
        command.env("OMP_TARGET_OFFLOAD", "MANDATORY");
    }
    let mut shown = Reports::new(reports.path().join("reports"));
    if env::var_os(REPORTS).is_none_or(|path| path.is_empty()) {
        command.env(REPORTS, shown.path());
    }
    let name = options.program.to_string_lossy().into_owned();
    let ran = process::run(&mut command, options.limits.timeout, || shown.show_older());
    shown.show();
    let (status, ended) = ran.map_err(|source| Error::Program { program: name.clone(), source })?;

    let (launch_lines, report_lines) = (read_if_present(&launches)?, read_if_present(&faults)?);
    for (variable, lines) in [(LAUNCHES, &launch_lines), (FAULTS, &report_lines)] {
        append_for_user(variable, lines)?;
    }
    let launches = json_lines(&launch_lines);
    if let Some(file) = &options.counts {
        output::counts(file.as_deref(), &launches)?;
    }
    let faults = json_lines(&report_lines);
    if let Some(ended) = ended {
        return Ok(ended_early(ended, status, options, &faults));
    }
    if !faults.is_empty() {
        return Ok(ExitCode::from(FAILED));
    }
    if launches.is_empty() {
        let hint = why_nothing_was_launched(options, &images);
        if options.require_launch && status.success() {
            return Err(Error::NoLaunch { program: name, hint });
        }
        // A program that was told to run on the host does so.
        if !offload.is_some_and(|value| value.eq_ignore_ascii_case("disabled")) {
            output::note(format_args!("warpfold: {name} launched nothing{hint}"));
        }
    }
    Ok(exit_code(status))
}

/// What to ask about a program that launched nothing; nothing where it may mean to.
fn why_nothing_was_launched(options: &Options, images: &[Embedded]) -> String {
    let sm = options.sm.architecture();
    // LLVM's host runtime silently ignores images for another architecture, also in libraries.
    match runs_on(images, options.sm) {
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

/// Says that the program was ended, and returns the exit status.
fn ended_early(ended: Ended, status: ExitStatus, options: &Options, faults: &[Value]) -> ExitCode {
    let reported = faults.iter().any(|fault| fault["kind"] == "interrupted");
    let state = if reported { "" } else { "; no kernel was running" };
    match ended {
        Ended::Time => {
            let limit = options.limits.timeout.unwrap_or_default().as_secs_f64();
            output::note(format_args!(
                "warpfold: the program reached its limit of {limit} s (`--timeout`) and was ended{state}"
            ));
            ExitCode::from(TIMED_OUT)
        }
        // The program handled the signal.
        Ended::Signal(_) if status.code().is_some() && !reported => exit_code(status),
        Ended::Signal(signal) => {
            output::note(format_args!("warpfold: the program was ended by {signal}{state}"));
            ExitCode::from(128 + signal as u8)
        }
    }
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
    if images.is_empty() || runs_on(images, options.sm) {
        return Ok(());
    }
    let sm = options.sm.architecture();
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

/// The program's status, as a shell reports it.
fn exit_code(status: ExitStatus) -> ExitCode {
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

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// The driver writes its reports for this program; a user who set the variable gets them, too.
fn append_for_user(variable: &str, lines: &str) -> Result<(), Error> {
    let Some(path) = env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from) else {
        return Ok(());
    };
    let file = fs::File::options().append(true).create(true).open(&path);
    file.and_then(|mut file| file.write_all(lines.as_bytes())).map_err(|source| Error::Write { path, source })
}
