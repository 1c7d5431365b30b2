//! `cargo xtask loop-programs`: random loop programs through `warpfold parallelize`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use random_loops::{Options, run};

/// Random loop programs must compute the same after `warpfold parallelize`, in any order, scheme and target
#[derive(Parser)]
#[command(name = "cargo xtask loop-programs")]
struct Arguments {
    /// Number of programs, which are functions
    #[arg(default_value_t = 1000)]
    programs: u64,
    /// Seed of the first program; the next one has the next number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Programs of a file
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    batch: u64,
    /// Files that are built or run at the same time [default: number of processors]
    #[arg(long)]
    parallel: Option<usize>,
    /// Only files of combinations whose name contains this, such as `gpu` or `free aware cpu 7`
    #[arg(long, default_value = "")]
    only: String,
    /// Leave out programs with these features, such as `if-bare-region`; findings name theirs
    #[arg(long, value_delimiter = ',')]
    without: Vec<String>,
    /// The folder of findings; a campaign that was interrupted goes on there
    #[arg(long, default_value = "target/loop-programs")]
    folder: PathBuf,
    /// Stop after this number of different findings
    #[arg(long, default_value_t = 10)]
    most: usize,
    /// Stop after this number of seconds
    #[arg(long)]
    seconds: Option<u64>,
    /// The program `warpfold`
    #[arg(long, env = "WARPFOLD")]
    warpfold: PathBuf,
    /// Keep programs for a GPU in a folder, with the lines that they print in `.expected`
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let options = Options {
        programs: arguments.programs,
        seed: arguments.seed,
        batch: arguments.batch,
        parallel: arguments
            .parallel
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        only: arguments.only,
        without: arguments.without,
        folder: arguments.folder,
        most_findings: arguments.most,
        limit: arguments.seconds.map(Duration::from_secs),
        tries: 300,
        tries_limit: Some(Duration::from_secs(100)),
        warpfold: arguments.warpfold,
        keep: arguments.keep,
    };
    let start = Instant::now();
    match run(&options) {
        Ok(summary) => {
            print!("{summary}");
            println!("seed {}, {:.0} s", options.seed, start.elapsed().as_secs_f64());
            if summary.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(message) => {
            eprintln!("loop-programs: {message}");
            ExitCode::FAILURE
        }
    }
}
