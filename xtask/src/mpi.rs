//! Runs `warpfold reduce`, and programs with the libraries for MPI, as jobs of Open MPI and MPICH.

use crate::cargo::cargo;
use crate::test::install_tools;

/// Options of `cargo xtask mpi`.
#[derive(clap::Args)]
pub struct Options {
    /// Install a missing launcher without asking
    #[arg(long)]
    yes: bool,
}

/// Installs the launchers that are missing, if it may, and runs the tests with every number of processes.
pub fn run(options: &Options) -> Result<(), String> {
    install_tools(|package| package.contains("mpi"), options.yes)?;
    let packages = ["--package", "warpfold", "--package", "mpi-rt"];
    let tests = ["--test", "mpi", "--test", "jobs", "--", "--nocapture"];
    let mut tests = cargo(&[&["test"], &packages[..], &tests].concat());
    match tests.env("WARPFOLD_NIGHTLY", "1").status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the tests of MPI: {status}")),
        Err(error) => Err(format!("cannot run cargo: {error}")),
    }
}
