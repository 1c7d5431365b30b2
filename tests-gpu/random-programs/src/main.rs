//! `cargo xtask differential`: random programs on the host and on a device.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, ValueEnum};
use random_programs::{Levels, Options, Target, replay, run};

/// Random programs, compiled for the host and for a device, must give the same bits
#[derive(Parser)]
#[command(name = "cargo xtask differential")]
struct Arguments {
    /// Number of programs
    #[arg(long, default_value_t = 1000)]
    programs: u64,
    /// Seed of the first program; the next one has the next number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Optimisation of the device's code
    #[arg(long, value_enum, default_value_t = Opt::Both)]
    opt: Opt,
    /// Architecture, such as 90 [default: sm_90, and sm_70 for every fourth batch]
    #[arg(long)]
    sm: Option<u32>,
    /// Leave out half and bfloat numbers
    #[arg(long)]
    no_short_floats: bool,
    /// What runs the device code: the emulator, the emulator with everything compiled for the host, or a GPU
    #[arg(long, value_enum, default_value_t = Device::Emulator)]
    device: Device,
    /// Programs that are compiled together
    #[arg(long, default_value_t = 64)]
    batch: usize,
    /// The folder for programs that differ
    #[arg(long, default_value = "target/differential")]
    folder: PathBuf,
    /// Stop after this number of differences
    #[arg(long, default_value_t = 10)]
    most: usize,
    /// Write programs on which all agree to a folder, for --replay
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Run the programs of a recorded PTX file, for which no compiler is needed
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Opt {
    #[value(name = "0")]
    O0,
    #[value(name = "2")]
    O2,
    Both,
}

#[derive(Clone, Copy, ValueEnum)]
enum Device {
    Emulator,
    Compiled,
    Gpu,
}

impl Device {
    fn target(self) -> Target {
        match self {
            Device::Emulator => Target::Emulator,
            Device::Compiled => Target::Compiled,
            Device::Gpu => Target::Gpu,
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(ptx) = &arguments.replay {
        return replayed(ptx, arguments.device.target());
    }
    let options = Options {
        programs: arguments.programs,
        seed: arguments.seed,
        levels: match arguments.opt {
            Opt::O0 => Levels::O0,
            Opt::O2 => Levels::O2,
            Opt::Both => Levels::Both,
        },
        sm: arguments.sm,
        short_floats: !arguments.no_short_floats,
        target: arguments.device.target(),
        batch: arguments.batch,
        folder: arguments.folder,
        most_differences: arguments.most,
        record: arguments.record,
    };
    let start = Instant::now();
    match run(&options) {
        Ok(summary) => {
            print!("{summary}");
            println!("seed {}, {:.0} s", options.seed, start.elapsed().as_secs_f64());
            if summary.differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(message) => {
            eprintln!("differential: {message}");
            ExitCode::FAILURE
        }
    }
}

fn replayed(ptx: &Path, target: Target) -> ExitCode {
    match replay(ptx, target) {
        Ok((agreed, others)) => {
            others.iter().for_each(|line| println!("{line}"));
            println!("{agreed} agree, {} differ", others.len());
            if others.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(message) => {
            eprintln!("differential: {message}");
            ExitCode::FAILURE
        }
    }
}
