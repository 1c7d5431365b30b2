//! `cargo xtask conformance`: the OpenMP programs of `tests-gpu/programs` and those of one construct each
//! (`tests-gpu/src/alone.rs`) in every build mode and order.

use std::{path::PathBuf, process::ExitCode, time::Instant};

use clap::Parser;
use tests_gpu::{
    alone,
    conformance::{self, Settings},
};

/// OpenMP programs that check themselves, in every build mode and every order of blocks and warps
#[derive(Parser)]
#[command(name = "cargo xtask conformance")]
struct Arguments {
    /// Only programs whose name has one of these in it; a name may end with a mode after a colon, as loops:O2
    filters: Vec<String>,
    /// The folder of the emulated driver; without it, the machine's own driver
    #[arg(long)]
    driver: Option<PathBuf>,
    /// Programs that are built or run at a time; as many as there are processors if not given
    #[arg(long)]
    jobs: Option<usize>,
    /// Copy programs that are right into this folder, each with what it printed
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Only what `cargo test` runs
    #[arg(long)]
    some: bool,
    /// Only programs that run with every change, in every mode, and in order
    #[arg(long, conflicts_with = "some")]
    often: bool,
    /// Let the device runtime check itself: build with -fopenmp-target-debug=1
    #[arg(long)]
    check: bool,
    /// An option of the compiler for all programs
    #[arg(long = "option", value_name = "WORD", allow_hyphen_values = true)]
    options: Vec<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut programs = match conformance::programs(&conformance::folder()) {
        Ok(programs) => programs,
        Err(message) => {
            eprintln!("conformance: {message}");
            return ExitCode::FAILURE;
        }
    };
    programs.extend(alone::programs());
    let mut parts = if arguments.some { conformance::some(&programs) } else { conformance::whole(&programs) };
    if arguments.often {
        parts.retain_mut(|part| {
            part.orders.truncate(1);
            !part.program.whole
        });
    }
    let wanted = |filter: &String, part: &conformance::Part| {
        let (name, mode) = filter.split_once(':').unwrap_or((filter, ""));
        part.program.name.contains(name) && (mode.is_empty() || conformance::MODES[part.mode].0 == mode)
    };
    let filters = &arguments.filters;
    parts.retain(|part| filters.is_empty() || filters.iter().any(|filter| wanted(filter, part)));
    if parts.is_empty() {
        eprintln!("conformance: no program is called so");
        return ExitCode::FAILURE;
    }
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let mut options = arguments.options;
    options.extend(arguments.check.then(|| "-fopenmp-target-debug=1".to_owned()));
    let settings = Settings {
        driver: arguments.driver,
        jobs: arguments.jobs.unwrap_or_else(processors),
        options,
        keep: arguments.keep,
        verbose: true,
    };
    let start = Instant::now();
    let outcomes = conformance::run(&parts, &settings);
    print!("{}", conformance::report(&parts, &outcomes, start.elapsed()));
    let failed = outcomes.iter().any(|outcome| !outcome.failures.is_empty());
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
