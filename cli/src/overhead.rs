//! What the emulator adds to a program that does next to nothing: the time from start to end, against the same
//! executable with libomptarget's fallback to the host.

use std::{
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

use serde_json::json;
use toolchain::{OffloadJob, OptLevel, Tools};

use crate::{driver, error::Error};

const SOURCE: &str = "int main(void) {\n#pragma omp target\n  {}\n  return 0;\n}\n";

/// What is allowed: so many times the fallback's time, and so many seconds more.
const TIMES: f64 = 1.5;
const MORE: f64 = 0.5;

/// The build modes of clang.
const MODES: [(OptLevel, bool); 4] =
    [(OptLevel::O0, false), (OptLevel::O0, true), (OptLevel::O2, false), (OptLevel::O2, true)];

/// Seconds from start to end in every round, in order of length, for each way to run the executable of a mode.
struct Row {
    mode: String,
    fallback: Vec<f64>,
    emulator: Vec<f64>,
    /// Through `warpfold run`.
    run: Vec<f64>,
}

impl Row {
    fn bound(&self) -> f64 {
        TIMES * median(&self.fallback) + MORE
    }

    fn ways(&self) -> [(&'static str, &[f64]); 3] {
        [("fallback", &self.fallback), ("emulator", &self.emulator), ("warpfold run", &self.run)]
    }
}

/// The times, by build mode.
pub struct Overhead(Vec<Row>);

/// Builds the program in every mode and runs it in three ways, in turns.
pub fn measure(rounds: u32) -> Result<Overhead, Error> {
    let tools = Tools::find()?;
    let library = device_library::openmp_library(&tools)?;
    let mut folders = vec![driver::install()?];
    folders.extend(env::var_os("LD_LIBRARY_PATH").iter().flat_map(env::split_paths));
    let libraries = env::join_paths(folders).unwrap_or_default();
    let own = env::current_exe()
        .map_err(|source| Error::Program { program: env!("CARGO_PKG_NAME").to_owned(), source })?;
    let mut rows = Vec::new();
    for (opt, lto) in MODES {
        let job = OffloadJob { units: &[("empty.c", SOURCE)], sm: 90, opt, lto, options: &[] };
        let program = tools.offload_program(&job, &library)?;
        let fallback = || with(&program, &[("OMP_TARGET_OFFLOAD", "DISABLED".as_ref())]);
        let emulator = || {
            with(&program, &[("OMP_TARGET_OFFLOAD", "MANDATORY".as_ref()), ("LD_LIBRARY_PATH", &libraries)])
        };
        let run = || {
            let mut command = with(&own, &[]);
            command.arg("run").arg(&program);
            command
        };
        let mode = format!("-{opt}{}", if lto { " -foffload-lto" } else { "" });
        let mut row = Row { mode, fallback: Vec::new(), emulator: Vec::new(), run: Vec::new() };
        // The first round brings the files into memory.
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
    Ok(Overhead(rows))
}

impl Overhead {
    /// A table, and whether the bound holds.
    pub fn lines(&self) -> Vec<String> {
        let head = "mode                fallback ms  emulator ms  warpfold run ms   allowed ms";
        let rows = self.0.iter().map(|row| {
            let [fallback, emulator, run] = row.ways().map(|(_, times)| median(times) * 1e3);
            let bound = row.bound() * 1e3;
            format!("{:18} {fallback:12.1} {emulator:12.1} {run:16.1} {bound:12.1}", row.mode)
        });
        std::iter::once(head.to_owned()).chain(rows).collect()
    }

    /// All figures.
    pub fn json(&self) -> serde_json::Value {
        let rows = self.0.iter().map(|row| {
            let ways = row.ways().map(|(name, times)| {
                (name.to_owned(), json!({ "fastest_seconds": times[0], "median_seconds": median(times) }))
            });
            json!({
                "mode": row.mode,
                "rounds": row.fallback.len(),
                "ways": serde_json::Map::from_iter(ways),
                "allowed_seconds": row.bound(),
            })
        });
        json!({ "version": env!("CARGO_PKG_VERSION"), "overhead": rows.collect::<Vec<_>>() })
    }

    /// The first mode in which the emulator takes longer than is allowed.
    pub fn too_slow(&self) -> Option<&str> {
        let slow = self.0.iter().find(|row| median(&row.emulator) > row.bound());
        slow.map(|row| &*row.mode)
    }
}

/// A program with nothing that would change how it is run but this.
fn with(program: &Path, environment: &[(&str, &OsStr)]) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).env_remove("OMP_TARGET_OFFLOAD").envs(environment.iter().copied());
    command
}

/// Seconds from start to end.
fn time(mut command: Command) -> Result<f64, Error> {
    let program = PathBuf::from(command.get_program()).display().to_string();
    let started = Instant::now();
    let status = command.status().map_err(|source| Error::Program { program: program.clone(), source })?;
    let seconds = started.elapsed().as_secs_f64();
    match status.success() {
        true => Ok(seconds),
        false => Err(Error::Usage(format!("{program} ended with {status}"))),
    }
}

/// The median of times in order.
fn median(times: &[f64]) -> f64 {
    times[times.len() / 2]
}
