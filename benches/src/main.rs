//! The project's benchmarks. `warpfold bench` measures a user's device; these compare this project with
//! others and with earlier versions. docs/performance.md has the results.

mod checks;
mod csv;
mod emulator;
mod instructions;
mod loops;
mod openmp;
mod overhead;
mod peers;
mod processor;
mod reductions;
mod report;
mod schemes;
mod shapes;
mod strategies;
mod timed;

use std::{error::Error, fs, path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};
use cuda_driver::Select;
use host_rt::Device;

#[derive(Parser)]
#[command(name = "benches", about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Write the figures to a JSON file
    #[arg(long, value_name = "FILE", global = true)]
    json: Option<PathBuf>,
    /// Rounds; tables show the fastest and the median
    #[arg(long, value_name = "N", default_value_t = 5, global = true,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
}

#[derive(Subcommand)]
enum Command {
    /// Compare schemes of block and grid reductions by exact counts, on the emulator (needs clang)
    Schemes,
    /// Measure OpenMP kernels compiled by clang, optionally with another device runtime, too (needs clang)
    Openmp {
        /// The device: auto (a GPU if there is one), cuda or emulator
        #[arg(long, value_name = "D", env = "WARPFOLD_DEVICE", default_value = "auto")]
        device: Select,
        /// The same kernels with another device runtime, as PTX files in this folder
        #[arg(long, value_name = "DIR")]
        peer: Option<PathBuf>,
        /// This project's kernels as PTX files in this folder, so that no clang is needed
        #[arg(long, value_name = "DIR")]
        own: Option<PathBuf>,
    },
    /// Count the instructions of reductions of arrays on the emulator
    Reductions {
        /// Another library's counts, as JSON; fails if it executes fewer warp instructions in any row
        #[arg(long, value_name = "FILE")]
        peer: Option<PathBuf>,
    },
    /// Compare reductions by this project with those of CUB, CUDA by hand, and LLVM 19's OpenMP runtime
    Peers(peers::Options),
    /// One reduction by this project, as `peers` calls it
    #[command(hide = true)]
    Peer(peers::own::Call),
    /// Measure the emulator: instructions per second with one and two jobs, host memory
    Emulator,
    /// Measure the processor time of OpenMP programs of different shapes on the emulator, and on one thread of the host
    /// (needs clang)
    Shapes {
        /// The program `warpfold`, or its driver (`libcuda.so.1`)
        #[arg(long, value_name = "FILE")]
        warpfold: PathBuf,
        /// Another one to compare with, such as one of an earlier version; both alternate
        #[arg(long, value_name = "FILE")]
        base: Option<PathBuf>,
        /// Only programs whose names have one of these
        filters: Vec<String>,
    },
    /// Measure the processor time and memory of OpenMP programs under the checks, beside the interpreter alone (needs clang)
    Checks {
        /// The program `warpfold`, or its driver (`libcuda.so.1`)
        #[arg(long, value_name = "FILE")]
        warpfold: PathBuf,
        /// Another one to compare with, such as one of an earlier version; both alternate
        #[arg(long, value_name = "FILE")]
        base: Option<PathBuf>,
        /// Only programs whose names have one of these
        filters: Vec<String>,
    },
    /// Count the host instructions of programs on the emulator (needs clang and valgrind)
    Instructions {
        /// The program `warpfold`
        #[arg(long, value_name = "FILE")]
        warpfold: PathBuf,
        /// Another `warpfold` to compare with, such as one of an earlier version
        #[arg(long, value_name = "FILE")]
        base: Option<PathBuf>,
    },
    /// Compare the time for a column of text with NumPy's
    Csv {
        /// The program `warpfold`
        #[arg(long, value_name = "FILE")]
        warpfold: PathBuf,
        /// A Python that has NumPy
        #[arg(long, value_name = "FILE")]
        python: PathBuf,
    },
    /// Compare loops that `warpfold parallelize` made parallel for the CPU with clang -O3, Polly and gcc (needs clang
    /// and gcc)
    Loops(loops::Options),
    /// Compare the strategies of innermost reductions with each other and with clang -O3, on one core (needs clang)
    Strategies {
        /// The program `warpfold`
        #[arg(long, value_name = "FILE")]
        warpfold: PathBuf,
        /// Only shapes whose names have one of these
        filters: Vec<String>,
    },
    /// Compare the run time of an OpenMP program with an empty kernel on the emulator and on the host (needs
    /// clang)
    Overhead {
        /// The program `warpfold`
        #[arg(long, value_name = "FILE")]
        warpfold: PathBuf,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match &arguments.command {
        Command::Peer(call) => peers::own::run(call),
        _ => run(&arguments).map(|()| ExitCode::SUCCESS),
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            eprintln!("benches: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let report = match &arguments.command {
        Command::Schemes => schemes::count()?,
        Command::Openmp { device, peer, own } => {
            let device = Device::open(*device)?;
            openmp::measure(&device, arguments.rounds, own.as_deref(), peer.as_deref())?
        }
        Command::Reductions { peer } => reductions::count(peer.as_deref())?,
        Command::Peers(options) => peers::measure(options)?,
        Command::Peer(_) => return Ok(()),
        Command::Emulator => emulator::measure(arguments.rounds)?,
        Command::Shapes { warpfold, base, filters } => {
            let programs: Vec<_> = [warpfold].into_iter().chain(base).map(PathBuf::as_path).collect();
            shapes::measure(&programs, filters, arguments.rounds)?
        }
        Command::Checks { warpfold, base, filters } => {
            let programs: Vec<_> = [warpfold].into_iter().chain(base).map(PathBuf::as_path).collect();
            checks::measure(&programs, filters, arguments.rounds)?
        }
        Command::Instructions { warpfold, base } => {
            let programs: Vec<_> = [warpfold].into_iter().chain(base).map(PathBuf::as_path).collect();
            instructions::count(&programs)?
        }
        Command::Csv { warpfold, python } => csv::measure(warpfold, python, arguments.rounds)?,
        Command::Loops(options) => loops::measure(options, arguments.rounds)?,
        Command::Strategies { warpfold, filters } => {
            strategies::measure(warpfold, filters, arguments.rounds)?
        }
        Command::Overhead { warpfold } => overhead::measure(warpfold, arguments.rounds)?,
    };
    report.lines.iter().for_each(|line| println!("{line}"));
    if let Some(path) = &arguments.json {
        let text = serde_json::to_string_pretty(&report.json)? + "\n";
        fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    report.failure.map_or(Ok(()), |failure| Err(failure.into()))
}
