//! The program `warpfold`.

mod bench;
mod config;
mod device;
mod doctor;
mod driver;
mod emit;
mod error;
mod input;
mod output;
mod paths;
mod rates;
mod reduce;
mod setup;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use error::Error;

#[derive(Parser)]
#[command(name = "warpfold", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Reduce the numbers of a file on the device
    Reduce(reduce::Options),
    /// Say what was found on this machine, what is missing and which command brings it
    Doctor(doctor::Options),
    /// Bring what is missing: the only command that installs
    Setup(setup::Options),
    /// Measure reductions on this machine's device
    Bench(bench::Options),
    /// Print settings that other builds need
    Config(config::Options),
    /// Write what other compilers and kernels build with
    Emit(emit::Options),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Reduce(options) => reduce::run(&options),
        Command::Doctor(options) => doctor::run(&options),
        Command::Setup(options) => setup::run(&options),
        Command::Bench(options) => bench::run(&options),
        Command::Config(options) => config::run(&options),
        Command::Emit(options) => emit::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Error::Unready) => ExitCode::FAILURE,
        Err(error) => {
            // Standard error may be closed too; the exit status still tells.
            let _ = output::error(&error);
            ExitCode::FAILURE
        }
    }
}
