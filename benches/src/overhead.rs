//! The time that the emulator adds to an OpenMP program with an empty kernel: from start to end, against the same
//! executable with libomptarget's fallback to the host.

use std::{
    env,
    error::Error,
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

use serde_json::json;
use toolchain::{OffloadBuild, OptLevel, Tools};

use crate::report::{Report, median};

const SOURCE: &str = "int main(void) {\n#pragma omp target\n  {}\n  return 0;\n}\n";

/// The limit: this factor times the fallback's time, plus this number of seconds.
const FACTOR: f64 = 1.5;
const EXTRA: f64 = 0.5;

/// The build modes of clang.
const MODES: [(OptLevel, bool); 4] =
    [(OptLevel::O0, false), (OptLevel::O0, true), (OptLevel::O2, false), (OptLevel::O2, true)];

/// Sorted run times in seconds of a build mode's executable, one for each round.
struct Row {
    mode: String,
    fallback: Vec<f64>,
    emulator: Vec<f64>,
    /// Through `warpfold run`.
    run: Vec<f64>,
}

impl Row {
    fn limit(&self) -> f64 {
        FACTOR * median(&self.fallback) + EXTRA
    }

    fn runs(&self) -> [(&'static str, &[f64]); 3] {
        [("fallback", &self.fallback), ("emulator", &self.emulator), ("warpfold run", &self.run)]
    }

    fn line(&self) -> String {
        let [fallback, emulator, run] = self.runs().map(|(_, times)| median(times) * 1e3);
        let limit = self.limit() * 1e3;
        format!("{:18} {fallback:12.1} {emulator:12.1} {run:16.1} {limit:12.1}", self.mode)
    }

    fn json(&self) -> serde_json::Value {
        let runs = self.runs().map(|(name, times)| {
            (name.to_owned(), json!({ "fastest_seconds": times[0], "median_seconds": median(times) }))
        });
        json!({
            "mode": self.mode,
            "rounds": self.fallback.len(),
            "runs": serde_json::Map::from_iter(runs),
            "limit_seconds": self.limit(),
        })
    }
}

/// Builds the program in every mode and runs it three times a round: with the fallback, on the emulated driver, and
/// through `warpfold run`.
pub fn measure(warpfold: &Path, rounds: u32) -> Result<Report, Box<dyn Error>> {
    let tools = Tools::find()?;
    let library = device_library::openmp_library(&tools)?;
    let libraries = toolchain::prepended("LD_LIBRARY_PATH", &driver_folder(warpfold)?)?;
    let mut rows = Vec::new();
    for (opt, lto) in MODES {
        let build = OffloadBuild { units: &[("empty.c", SOURCE)], sm: 90, opt, lto, options: &[] };
        let program = tools.offload_program(&build, &library)?;
        let fallback = || with(&program, &[("OMP_TARGET_OFFLOAD", "DISABLED".as_ref())]);
        let emulator = || {
            with(&program, &[("OMP_TARGET_OFFLOAD", "MANDATORY".as_ref()), ("LD_LIBRARY_PATH", &libraries)])
        };
        let run = || {
            let mut command = with(warpfold, &[]);
            command.arg("run").arg(&program);
            command
        };
        let mode = format!("-{opt}{}", if lto { " -foffload-lto" } else { "" });
        let mut row = Row { mode, fallback: Vec::new(), emulator: Vec::new(), run: Vec::new() };
        // The first round loads the files into memory.
        for round in 0..=rounds {
            let seconds = [time(fallback())?, time(emulator())?, time(run())?];
            if round > 0 {
                row.fallback.push(seconds[0]);
                row.emulator.push(seconds[1]);
                row.run.push(seconds[2]);
            }
        }
        for times in [&mut row.fallback, &mut row.emulator, &mut row.run] {
            times.sort_by(f64::total_cmp);
        }
        rows.push(row);
    }
    let head = "mode                fallback ms  emulator ms  warpfold run ms     limit ms";
    let lines = std::iter::once(head.to_owned()).chain(rows.iter().map(Row::line)).collect();
    let slow = rows.iter().find(|row| median(&row.emulator) > row.limit());
    let failure = slow.map(|row| format!("with {}, the emulator takes longer than the limit", row.mode));
    let rows: Vec<_> = rows.iter().map(Row::json).collect();
    let json = json!({ "version": env!("CARGO_PKG_VERSION"), "overhead": rows });
    Ok(Report { lines, json, failure })
}

/// The folder of the emulated driver that `warpfold` contains.
pub fn driver_folder(warpfold: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let output = Command::new(warpfold)
        .args(["config", "--driver-dir"])
        .output()
        .map_err(|error| format!("cannot run {}: {error}", warpfold.display()))?;
    match String::from_utf8(output.stdout) {
        Ok(text) if output.status.success() => Ok(PathBuf::from(text.trim_end())),
        _ => Err(format!("{} config --driver-dir ended with {}", warpfold.display(), output.status).into()),
    }
}

/// A command without standard input, and with this environment added.
fn with(program: &Path, environment: &[(&str, &OsStr)]) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).env_remove("OMP_TARGET_OFFLOAD").envs(environment.iter().copied());
    command
}

/// Seconds from start to end.
fn time(mut command: Command) -> Result<f64, Box<dyn Error>> {
    let program = PathBuf::from(command.get_program()).display().to_string();
    let started = Instant::now();
    let status = command.status().map_err(|error| format!("cannot run {program}: {error}"))?;
    let seconds = started.elapsed().as_secs_f64();
    match status.success() {
        true => Ok(seconds),
        false => Err(format!("{program} ended with {status}").into()),
    }
}
