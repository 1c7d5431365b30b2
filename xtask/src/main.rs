//! Development commands of this project: `cargo xtask COMMAND`.

mod apps;
mod bench;
mod bundle;
mod cargo;
mod census;
mod chroot;
mod conformance;
mod differential;
mod docs;
mod faults;
mod fresh;
mod fuzz;
mod loop_programs;
mod loops;
mod modules;
mod mpi;
mod mutate;
mod openmp_programs;
mod package;
mod peers;
mod process;
mod ranks;
mod readme;
mod sass;
mod so;
mod test;
mod thirdparty;
mod words;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Development commands of this project")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compile and run a folder of OpenMP programs on the emulator, and compare their output with the host's
    Apps(apps::Options),
    /// Run the benchmarks: reduction schemes, OpenMP kernels, the emulator
    Bench(bench::Options),
    /// Pack tests and benchmarks for a machine with a GPU and its driver, but without Rust and clang
    Bundle(bundle::Options),
    /// Collect what a bundle's run left in a folder, for benches/results
    BundleResults(bundle::results::Options),
    /// Check which of the PTX forms that LLVM 22 prints the emulator supports
    Census(census::Options),
    /// Run the OpenMP programs of tests-gpu/programs in every build mode and order
    Conformance(conformance::Options),
    /// Compare random programs on the host and on the emulator
    Differential(differential::Options),
    /// Check the documentation's links and build the book
    Docs(docs::Options),
    /// Compare the checks with sanitizers and Valgrind by the programs of tests-gpu/faults
    Faults(faults::Options),
    /// Fuzz the emulator and its driver with hostile input
    Fuzz(fuzz::Options),
    /// Compare random loop programs before and after the loop compiler
    LoopPrograms(loop_programs::Options),
    /// Run the loop compiler on a folder of C files, and check that clang takes what it prints
    Loops(loops::Options),
    /// Check that there is no dependency cycle among the files of a crate or among crates
    Modules(modules::Options),
    /// Run reductions as jobs of Open MPI and MPICH
    Mpi(mpi::Options),
    /// Insert known bugs of other projects into a copy of the sources; a test must fail for each
    Mutate(mutate::Options),
    /// Compare random OpenMP programs on the host and on the emulator
    OpenmpPrograms(openmp_programs::Options),
    /// Make a package for those who use the program, and try it on a fresh Debian
    Package(package::Options),
    /// Simulate MPI jobs of up to 4096 processes: the tables of docs/machines.md
    Ranks(ranks::Options),
    /// Run the README's commands on this machine
    Readme(readme::Options),
    /// Run the README's commands on a fresh Debian in a chroot (needs root and debootstrap)
    Fresh(fresh::Options),
    /// Compare the machine code of clang's reductions with the recorded figures
    Sass(sass::Options),
    /// Build the emulated libcuda.so.1 and print its folder, for LD_LIBRARY_PATH
    So(so::Options),
    /// Install missing tools and run all tests
    Test(test::Options),
    /// Run tests of other projects on the emulated driver (downloads them)
    Thirdparty(thirdparty::Options),
    /// Check that words which the project no longer uses do not come back
    Words(words::Options),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Apps(options) => apps::run(&options),
        Command::Bench(options) => bench::run(&options),
        Command::Bundle(options) => bundle::run(&options),
        Command::BundleResults(options) => bundle::results::run(&options),
        Command::Census(options) => census::run(&options),
        Command::Conformance(options) => conformance::run(&options),
        Command::Differential(options) => differential::run(&options),
        Command::Faults(options) => faults::run(&options),
        Command::Fuzz(options) => fuzz::run(&options),
        Command::LoopPrograms(options) => loop_programs::run(&options),
        Command::Loops(options) => loops::run(&options),
        Command::Modules(options) => modules::run(&options),
        Command::Mpi(options) => mpi::run(&options),
        Command::Mutate(options) => mutate::run(&options),
        Command::OpenmpPrograms(options) => openmp_programs::run(&options),
        Command::Package(options) => package::run(&options),
        Command::Ranks(options) => ranks::run(&options),
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
