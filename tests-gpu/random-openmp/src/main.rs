//! `cargo xtask openmp-programs`: random OpenMP programs on the host and on the emulator.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, ValueEnum};
use random_openmp::{MODES, Options, run};

/// Random OpenMP programs in C and C++ must give the same results on the emulator as on the host
#[derive(Parser)]
#[command(name = "cargo xtask openmp-programs")]
struct Arguments {
    /// Number of programs
    #[arg(long, default_value_t = 200)]
    programs: u64,
    /// Seed of the first program; the next one has the next number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How device code is compiled: at -O0 and -O2, or at all levels, as a whole program and each file by itself
    #[arg(long, value_enum, default_value_t = Levels::Usual)]
    levels: Levels,
    /// Programs that are compiled together
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    batch: u64,
    /// Programs that are built or run at the same time [default: number of processors]
    #[arg(long)]
    parallel: Option<usize>,
    /// The folder of programs that differ; a campaign that was interrupted goes on there
    #[arg(long, default_value = "target/openmp-programs")]
    folder: PathBuf,
    /// Stop after this number of differences
    #[arg(long, default_value_t = 10)]
    most: usize,
    /// The folder of the emulated driver
    #[arg(long)]
    driver: PathBuf,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Levels {
    Usual,
    All,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let options = Options {
        programs: arguments.programs,
        seed: arguments.seed,
        modes: MODES[..if arguments.levels == Levels::All { MODES.len() } else { 2 }].to_vec(),
        batch: arguments.batch,
        parallel: arguments
            .parallel
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        driver: arguments.driver,
        folder: arguments.folder,
        most_differences: arguments.most,
    };
    let start = Instant::now();
    match run(&options) {
        Ok(summary) => {
            print!("{summary}");
            println!("seed {}, {:.0} s", options.seed, start.elapsed().as_secs_f64());
            if summary.differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(message) => {
            eprintln!("openmp-programs: {message}");
            ExitCode::FAILURE
        }
    }
}
