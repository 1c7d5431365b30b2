//! `warpfold run`: runs a CUDA or OpenMP offloading program on the emulator.

mod process;

use std::{
    env,
    ffi::OsString,
    fs, io,
    os::unix::process::ExitStatusExt,
    path::PathBuf,
    process::{Command, ExitCode, ExitStatus},
    time::Duration,
};

use cuda_driver::{
    image::{self, Embedded},
    settings::PRESETS,
};
use serde_json::{Value, json};
use toolchain::{Cache, prepended};

use self::process::Ended;
use crate::{driver, error::Error, output};

/// Options of `warpfold run`.
#[derive(clap::Args)]
pub struct Options {
    /// Run blocks and warps in an order drawn from this number
    #[arg(long)]
    seed: Option<u64>,
    /// The GPU to emulate: sm_100 (b200), sm_90 (h200), sm_80 (a100) or sm_70 (v100)
    #[arg(long, value_name = "MODEL", default_value = "sm_90", value_parser = machine)]
    sm: String,
    /// Host threads that run the blocks of a launch
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Report memory that device code allocated with `malloc` and did not free
    #[arg(long)]
    check_leaks: bool,
    /// Let kernels access all host memory, as OpenMP's `requires unified_shared_memory` needs
    #[arg(long)]
    unified_memory: bool,
    /// Write exact counts of each launch: a table on standard error, or JSON in a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    counts: Option<Option<PathBuf>>,
    /// Write the calls of the CUDA driver to standard error
    #[arg(long)]
    trace: bool,
    /// End the program after this time, and report where its kernels were; exit status 124
    #[arg(long, value_name = "SECONDS", value_parser = seconds, env = "WARPFOLD_TIMEOUT", help_heading = "Limits")]
    timeout: Option<Duration>,
    /// The program to run
    program: OsString,
    /// Its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// The emulated GPUs: architecture, name.
const ARCHITECTURES: [(&str, &str); 4] =
    [("sm_100", "b200"), ("sm_90", "h200"), ("sm_80", "a100"), ("sm_70", "v100")];

fn machine(text: &str) -> Result<String, String> {
    let of_architecture = ARCHITECTURES.iter().find(|(sm, _)| *sm == text || sm[3..] == *text);
    match of_architecture.map(|(_, name)| *name).or(PRESETS.iter().copied().find(|name| *name == text)) {
        Some(name) => Ok(name.to_owned()),
        None => {
            let known = ARCHITECTURES.map(|(sm, name)| format!("{sm} ({name})"));
            Err(format!("supported: {}", known.join(", ")))
        }
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

/// The exit status instead of the program's: after a fault or a leak on the device, and for a program that
/// launches nothing or cannot be run.
pub const FAILED: u8 = 125;

/// Runs the program and returns its exit status.
pub fn run(options: &Options) -> Result<ExitCode, Error> {
    let reports = tempfile::tempdir().map_err(|source| Error::Write { path: env::temp_dir(), source })?;
    let (launches, faults) = (reports.path().join("launches"), reports.path().join("faults"));
    let images = images(&options.program);
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
        .env("WARPFOLD_LAUNCHES_JSON", &launches)
        .env("WARPFOLD_FAULT_JSON", &faults)
        .env("WARPFOLD_REPORT_SIGNALS", "1")
        .env("WARPFOLD_MACHINE", &options.sm)
        .envs(options.seed.map(|seed| ("WARPFOLD_SEED", seed.to_string())))
        .envs(options.jobs.map(|jobs| ("WARPFOLD_JOBS", jobs.to_string())))
        .envs(options.check_leaks.then_some(("WARPFOLD_CHECK_LEAKS", "1")))
        .envs(options.unified_memory.then_some(("WARPFOLD_UNIFIED_MEMORY", "1")))
        .envs(options.trace.then_some(("WARPFOLD_LOG", "driver")));
    if offload.is_none() {
        // Otherwise LLVM's host runtime runs a target region on the host where the device fails.
        command.env("OMP_TARGET_OFFLOAD", "MANDATORY");
    }
    let name = options.program.to_string_lossy().into_owned();
    let (status, ended) = process::run(&mut command, options.timeout)
        .map_err(|source| Error::Program { program: name.clone(), source })?;

    let launches = json_lines(&launches)?;
    match &options.counts {
        Some(Some(path)) => output::json(path, &json!({ "launches": launches }))?,
        Some(None) => eprint_table(&launches),
        None => {}
    }
    let faults = json_lines(&faults)?;
    if let Some(ended) = ended {
        return Ok(ended_early(ended, status, options, &faults));
    }
    if !faults.is_empty() {
        if !options.unified_memory && faults.iter().any(is_outside_allocations) {
            output::note(
                "warpfold: if this is an address of the host, kernels can access it with `--unified-memory`, and on a \
                 GPU with unified memory",
            );
        }
        if faults.iter().any(has_no_source_line) {
            output::note("warpfold: compile with -gline-tables-only to see source lines in this report");
        }
        return Ok(ExitCode::from(FAILED));
    }
    if launches.is_empty() && status.success() {
        return Err(Error::NoLaunch { program: name });
    }
    if launches.is_empty() {
        // LLVM's host runtime silently ignores images for another architecture, also in libraries.
        let sm = architecture(&options.sm);
        output::note(format_args!(
            "warpfold: nothing was launched. The emulated GPU is {sm}: if the program was compiled for another one, \
             add `--sm`, or compile with `--offload-arch={sm}`"
        ));
    }
    Ok(exit_code(status))
}

/// Says that the program was ended, and returns the exit status.
fn ended_early(ended: Ended, status: ExitStatus, options: &Options, faults: &[Value]) -> ExitCode {
    let reported = faults.iter().any(|fault| fault["kind"] == "interrupted");
    let state = if reported { "" } else { "; no kernel was running" };
    match ended {
        Ended::Time => {
            let limit = options.timeout.unwrap_or_default().as_secs_f64();
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

/// The device images in a program; none if it cannot be read, is not an executable or is very large.
fn images(program: &OsString) -> Vec<Embedded> {
    const LARGEST: u64 = 1 << 28;
    let small = fs::metadata(program).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= LARGEST);
    let bytes = if small { fs::read(program).unwrap_or_default() } else { Vec::new() };
    image::embedded(&bytes)
}

/// The architecture of an emulated GPU.
fn architecture(name: &str) -> &'static str {
    ARCHITECTURES.iter().find(|(_, known)| *known == name).unwrap_or(&ARCHITECTURES[1]).0
}

/// An error if the program has device images, but none for the emulated GPU.
fn check_architecture(options: &Options, images: &[Embedded]) -> Result<(), Error> {
    let sm = architecture(&options.sm);
    let number = |sm: &str| sm[3..].parse().unwrap_or(0);
    if images.is_empty() || images.iter().any(|image| image.runs_on(number(sm))) {
        return Ok(());
    }
    let other =
        ARCHITECTURES.iter().find(|(other, _)| images.iter().any(|image| image.runs_on(number(other))));
    let run = other.map_or(String::new(), |(other, _)| format!("run it with `--sm {other}`, or "));
    let mut found: Vec<&str> = images.iter().map(|image| &*image.architecture).collect();
    found.sort_unstable();
    found.dedup();
    Err(Error::OtherArchitecture {
        program: options.program.to_string_lossy().into_owned(),
        found: found.join(", "),
        sm: sm.to_owned(),
        hint: format!("{run}compile it with `--offload-arch={sm}`"),
    })
}

/// Whether a fault is at an instruction of an OpenMP target region without any known source line.
fn has_no_source_line(fault: &Value) -> bool {
    let known = |location: &Value| !location["source"].is_null();
    fault["kernel"].as_str().is_some_and(|name| name.starts_with("__omp_offloading_"))
        && fault["place"].is_object()
        && !known(&fault["place"])
        && !fault["calls"].as_array().is_some_and(|calls| calls.iter().any(known))
}

/// Whether a fault is an access of global memory outside all allocations.
fn is_outside_allocations(fault: &Value) -> bool {
    fault["message"].as_str().is_some_and(|message| message.ends_with("in no allocation"))
}

/// The program's status, as a shell reports it.
fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default());
    ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))
}

/// The lines of JSON that the driver wrote to a file; none if there is no file.
fn json_lines(path: &PathBuf) -> Result<Vec<Value>, Error> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(|source| Error::Program { program: path.display().to_string(), source })?,
    };
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// One line for each launch, in the order in which they ended.
fn eprint_table(launches: &[Value]) {
    const COLUMNS: [(&str, &str, usize); 7] = [
        ("thread_instructions", "thread instr.", 15),
        ("warp_instructions", "warp instr.", 13),
        ("barriers", "barriers", 10),
        ("shuffles", "shuffles", 10),
        ("atomics", "atomics", 9),
        ("global_sectors", "sectors", 12),
        ("shared_passes", "shared passes", 14),
    ];
    let head: String = COLUMNS.iter().map(|(_, head, width)| format!("{head:>width$}")).collect();
    output::note(format_args!("{head}  kernel"));
    for launch in launches {
        let count = |name: &str| launch[name].as_u64().unwrap_or_default();
        let line: String =
            COLUMNS.iter().map(|(name, _, width)| format!("{:>width$}", count(name))).collect();
        output::note(format_args!("{line}  {}", launch["kernel"].as_str().unwrap_or_default()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_are_found_by_architecture_and_by_name() {
        for text in ["sm_90", "90", "h200"] {
            assert_eq!(machine(text).as_deref(), Ok("h200"));
        }
        assert_eq!(machine("sm_80").as_deref(), Ok("a100"));
        assert!(machine("sm_61").unwrap_err().contains("sm_90 (h200)"));
    }

    #[test]
    fn every_preset_has_an_architecture() {
        assert_eq!(ARCHITECTURES.map(|(_, name)| name), PRESETS);
    }
}
