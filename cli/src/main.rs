//! The program `warpfold`.

mod bench;
mod build;
mod cache;
mod cc;
mod check;
mod completions;
mod config;
#[cfg(test)]
mod configuration;
mod cuda;
mod device;
mod device_runtime;
mod doctor;
mod driver;
mod emit;
mod emulator_options;
mod error;
mod findings;
mod gpus;
mod install;
mod llvm;
mod messages;
mod nvcc;
mod output;
mod parallelize;
mod profile;
mod progress;
mod reduce;
mod run;
mod setup;
mod stand_in;
mod standard_output;
mod this_program;

use std::{
    env,
    ffi::{OsStr, OsString},
    process::ExitCode,
    sync::Once,
};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, builder::Resettable};

use error::Error;
use toolchain::{Cache, Language};

#[derive(Parser)]
#[command(name = "warpfold", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compile C with OpenMP offloading, or CUDA (calls clang)
    Cc(cc::Options),
    /// Compile C++ with OpenMP offloading, or CUDA (calls clang++)
    #[command(name = "c++")]
    Cpp(cc::Options),
    /// Compile Fortran with OpenMP offloading (calls flang)
    Fc(cc::Options),
    /// Compile CUDA with NVIDIA's compiler (calls nvcc)
    Nvcc(nvcc::Options),
    /// Find out which loops of C files are parallel, which are reductions, and why others are not
    Parallelize(parallelize::Options),
    /// Run a CUDA or OpenMP offloading program on the emulator
    Run(run::Options),
    /// Run a program on the emulator and say what would limit its kernels on a GPU, and where
    Profile(profile::Options),
    /// Launch a kernel of a PTX file on the emulator, and check it for data races and other faults
    Check(check::Options),
    /// Reduce the numbers in a file on a GPU or the emulator
    Reduce(reduce::Options),
    /// List the tools found, the missing ones and how to get them
    Doctor(doctor::Options),
    /// Install missing tools and build the device runtime
    Setup(setup::Options),
    /// Write the device runtime as files for other build systems, or as one archive
    Build(build::Options),
    /// Install the device runtime and CUDA's tools where clang finds them without options
    Install(install::Options),
    /// Remove the files that `install` wrote, except those changed since
    Uninstall(install::UninstallOptions),
    /// Measure reductions on the GPU or the emulator
    Bench(bench::Options),
    /// Print paths that other builds need
    Config(config::Options),
    /// Say how large the cache of built device code and downloaded tools is, or empty it
    Cache(cache::Options),
    /// Print the completions of a shell
    Completions(completions::Options),
    /// Write the runtime, its C header, reduction callbacks or kernels for other compilers
    Emit(emit::Options),
    /// Act as NVIDIA's assembler or linker, for executables that run on the emulator only
    #[command(hide = true)]
    StandIn(stand_in::Options),
    /// Launch a kernel for `check`
    #[command(hide = true, name = check::LAUNCH_COMMAND)]
    LaunchKernel(check::LaunchOptions),
    /// Reduce for `reduce --check`
    #[command(hide = true, name = reduce::CHECKED_COMMAND)]
    ReduceChecked(reduce::Options),
}

fn main() -> ExitCode {
    dispatch(env::args_os().collect())
}

/// Reads the command line; ends the program where it is wrong, and returns its status where it asks for help.
fn parse(arguments: Vec<OsString>) -> Result<Command, ExitCode> {
    let matches = command().try_get_matches_from(parallelize::arranged(arguments));
    match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => Ok(arguments.command),
        // Help and the version.
        Err(error) if !error.use_stderr() => {
            let printed = standard_output::check().and_then(|()| error.print());
            Err(status(printed.map(|()| ExitCode::SUCCESS).map_err(|source| Error::Output { source })))
        }
        Err(error) => error.exit(),
    }
}

/// The program's commands and options. A variable of the environment that is empty counts as not set.
fn command() -> clap::Command {
    let is_empty = |variable: &OsStr| env::var_os(variable).is_some_and(|value| value.is_empty());
    Arguments::command().mut_subcommands(move |command| {
        command.mut_args(move |arg| match arg.get_env().is_some_and(is_empty) {
            true => arg.env(Resettable::Reset),
            false => arg,
        })
    })
}

/// Runs the command of a command line.
fn dispatch(arguments: Vec<OsString>) -> ExitCode {
    let command = match parse(arguments.clone()) {
        Ok(command) => command,
        Err(status) => return status,
    };
    note_cache(&command);
    let outcome = match command {
        Command::Cc(options) => options.gathered().and_then(|options| cc::run(Language::C, &options)),
        Command::Cpp(options) => options.gathered().and_then(|options| cc::run(Language::Cpp, &options)),
        Command::Fc(options) => options.gathered().and_then(|options| cc::run(Language::Fortran, &options)),
        Command::Nvcc(options) => nvcc::run(options),
        Command::Run(options) => match run::run(&options) {
            Ok(code) => return code,
            Err(error) => {
                let _ = messages::error(&error);
                return ExitCode::from(program_runs::FAILED);
            }
        },
        Command::Profile(options) => match profile::run(&options) {
            Ok(code) => return code,
            Err(error) => {
                let _ = messages::error(&error);
                return ExitCode::from(program_runs::FAILED);
            }
        },
        Command::Check(options) => return status(check::run(&options)),
        Command::LaunchKernel(options) => return status(check::launch(&options)),
        Command::Parallelize(options) => parallelize::run(&options),
        Command::Reduce(options) => return status(reduce::run(&options, &arguments[2..])),
        Command::ReduceChecked(options) => return status(reduce::run_checked(&options)),
        Command::Doctor(options) => doctor::run(&options),
        Command::Setup(options) => match setup::run(&options) {
            Ok(()) if !options.then.is_empty() => {
                let program = OsString::from(env!("CARGO_PKG_NAME"));
                return dispatch([program].into_iter().chain(options.then).collect());
            }
            outcome => outcome,
        },
        Command::Build(options) => build::run(&options),
        Command::Install(options) => install::run(&options),
        Command::Uninstall(options) => install::uninstall(&options),
        Command::Bench(options) => bench::run(&options),
        Command::Config(options) => config::run(&options),
        Command::Cache(options) => cache::run(&options),
        Command::Completions(options) => completions::run(&options, self::command()),
        Command::Emit(options) => emit::run(&options),
        Command::StandIn(options) => stand_in::run(&options),
    };
    status(outcome.map(|()| ExitCode::SUCCESS))
}

/// Says once where the cache is if it is not the user's own; programs that a command starts do not.
fn note_cache(command: &Command) {
    static SAID: Once = Once::new();
    if matches!(command, Command::StandIn(_) | Command::LaunchKernel(_) | Command::ReduceChecked(_)) {
        return;
    }
    SAID.call_once(|| {
        if let (Some(reason), Ok(folder)) = (Cache::instead_of_own(), Cache::location()) {
            messages::note(format_args!(
                "warpfold: the cache is in {}, because {reason}; WARPFOLD_CACHE names another folder",
                folder.display()
            ));
        }
    });
}

/// The exit status; writes an error.
fn status(outcome: Result<ExitCode, Error>) -> ExitCode {
    match outcome {
        Ok(code) => code,
        Err(Error::Unready) => ExitCode::FAILURE,
        Err(error) => {
            // Standard error may be closed, too; the exit status still shows the failure.
            let _ = messages::error(&error);
            ExitCode::FAILURE
        }
    }
}
