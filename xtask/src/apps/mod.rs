//! A folder of OpenMP programs that others wrote: each is compiled and run on the host and on the emulator, and must
//! give the same output.

mod build;
mod check;
mod compare;
mod programs;
mod report;

use std::{
    fs,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use toolchain::Tools;

use crate::cargo;
use check::{Outcome, Setup};

/// Options of `cargo xtask apps`.
#[derive(clap::Args)]
pub struct Options {
    /// The folder: each subfolder, and each source file in the folder itself, is a program; `apps.toml` describes them
    folder: PathBuf,
    /// Names of programs [default: all]
    names: Vec<String>,
    /// Relative difference of numbers that counts as equal; integers must be the same [default: 1e-6]
    #[arg(long, value_name = "T", value_parser = programs::tolerance)]
    tolerance: Option<f64>,
    /// Ignore lines of the output that match a regular expression (may be given several times)
    #[arg(long, value_name = "REGEX")]
    ignore: Vec<String>,
    /// Seconds that a run may take, unless `apps.toml` says otherwise [default: 60]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    seconds: Option<u32>,
    /// Programs that are built or run at the same time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=64))]
    parallel: u32,
    /// GiB of memory that a process may allocate
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=4096))]
    memory: u32,
    /// Run the device's side with WARPFOLD_CHECK=all: data races and undefined values are errors
    #[arg(long)]
    check: bool,
    /// The program `warpfold` [default: built now]
    #[arg(long, value_name = "FILE")]
    warpfold: Option<PathBuf>,
    /// Also write the results as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Checks the programs and prints a table; an error if one differs or has a fault, or nothing ran on the device.
pub fn run(options: &Options) -> Result<(), String> {
    let defaults = programs::Defaults {
        tolerance: options.tolerance,
        ignore: options.ignore.clone(),
        seconds: options.seconds,
    };
    let mut programs = programs::find(&options.folder, &defaults)?;
    if let Some(unknown) = options.names.iter().find(|name| programs.iter().all(|p| p.name != **name)) {
        let known: Vec<_> = programs.iter().map(|program| &*program.name).collect();
        return Err(format!("no program `{unknown}`; there are {}", known.join(", ")));
    }
    programs.retain(|program| options.names.is_empty() || options.names.contains(&program.name));
    let setup = Setup {
        warpfold: cargo::warpfold(options.warpfold.as_deref())?,
        tools: Tools::find().map_err(|error| error.to_string())?,
        memory: u64::from(options.memory) << 30,
        checks: options.check,
    };
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..options.parallel {
            scope.spawn(|| {
                while let Some((at, program)) = {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    programs.get(at).map(|program| (at, program))
                } {
                    let result = check::check(program, &setup);
                    if let Ok(result) = &result {
                        eprintln!("{}", report::progress(result));
                    }
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    let results = results.into_iter().map(|(_, result)| result).collect::<Result<Vec<_>, _>>()?;
    print!("{}", report::table(&results));
    if let Some(path) = &options.json {
        let text = format!("{:#}\n", report::json(&results));
        fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    let wrong = results.iter().filter(|result| {
        matches!(result.outcome, Outcome::Differs(_) | Outcome::Fault(_) | Outcome::Reported(_))
    });
    match wrong.count() {
        0 if results.iter().all(|result| result.launches == 0) => Err("nothing ran on the device".into()),
        0 => Ok(()),
        wrong => Err(format!(
            "{wrong} of {} programs differ from the host, have a fault or a report",
            results.len()
        )),
    }
}
