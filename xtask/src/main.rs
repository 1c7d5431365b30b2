//! The project's own commands: `cargo xtask COMMAND`.

mod bench;
mod bundle;
mod cargo;
mod census;
mod conformance;
mod differential;
mod docs;
mod fresh;
mod fuzz;
mod modules;
mod mutate;
mod readme;
mod sass;
mod so;
mod test;
mod thirdparty;
mod words;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The project's own commands")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure this project beside its peers and itself: reduction schemes, OpenMP kernels, the emulator
    Bench(bench::Options),
    /// Pack what a run on a GPU needs, for a machine with a driver but without Rust and clang
    Bundle(bundle::Options),
    /// List every form of PTX that LLVM 22 prints, and what the emulator makes of it
    Census(census::Options),
    /// Run the OpenMP programs of tests-gpu/programs in every build mode and order
    Conformance(conformance::Options),
    /// Run random programs on the host and on the emulator; they must agree
    Differential(differential::Options),
    /// Check the documentation's links and build the book
    Docs(docs::Options),
    /// Try hostile PTX on the emulator
    Fuzz(fuzz::Options),
    /// Check that files of a crate, and crates, depend on each other one way only
    Modules(modules::Options),
    /// Put bugs that others had into a copy of the sources: the tests must notice
    Mutate(mutate::Options),
    /// Run the README's commands here, as a reader would
    Readme(readme::Options),
    /// Run the README's commands on a fresh Debian, in a chroot made for it (needs root and debootstrap)
    Fresh(fresh::Options),
    /// Compare what clang's reductions cost in machine code with what is written down
    Sass(sass::Options),
    /// Build libcuda.so.1 over the emulator and print the folder it is in, for LD_LIBRARY_PATH
    So(so::Options),
    /// Install what the tests need, and run all of them
    Test(test::Options),
    /// Run tests and programs of others on the emulated driver (fetches them)
    Thirdparty(thirdparty::Options),
    /// Check that words which the project gave up do not come back
    Words(words::Options),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Bench(options) => bench::run(&options),
        Command::Bundle(options) => bundle::run(&options),
        Command::Census(options) => census::run(&options),
        Command::Conformance(options) => conformance::run(&options),
        Command::Differential(options) => differential::run(&options),
        Command::Fuzz(options) => fuzz::run(&options),
        Command::Modules(options) => modules::run(&options),
        Command::Mutate(options) => mutate::run(&options),
        Command::Readme(options) => readme::run(&options),
        Command::Docs(options) => docs::run(&options),
        Command::Fresh(options) => fresh::run(&options),
        Command::Sass(options) => sass::run(&options),
        Command::So(options) => so::run(&options),
        Command::Test(options) => test::run(&options),
        Command::Thirdparty(options) => thirdparty::run(&options),
        Command::Words(options) => words::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
