//! `cargo xtask test`: installs missing tools, then runs all tests.

use crate::cargo::cargo;

/// Options of `cargo xtask test`.
#[derive(clap::Args)]
pub struct Options {
    /// Install missing tools without asking
    #[arg(long)]
    yes: bool,
    /// Arguments for `cargo test --workspace`
    #[arg(last = true)]
    arguments: Vec<String>,
}

/// Runs `warpfold setup`, which shows its plan and asks for confirmation, then the tests of the workspace.
pub fn run(options: &Options) -> Result<(), String> {
    let mut setup = cargo(&["run", "--quiet", "--package", "warpfold", "--", "setup"]);
    setup.args(options.yes.then_some("--yes"));
    // They take half an hour: one run tells all that fails.
    let mut tests = cargo(&["test", "--workspace", "--no-fail-fast"]);
    tests.args(&options.arguments);
    for (name, command) in [("warpfold setup", &mut setup), ("cargo test", &mut tests)] {
        let status = command.status().map_err(|error| format!("cargo: {error}"))?;
        if !status.success() {
            return Err(format!("{name} ended with {status}"));
        }
    }
    Ok(())
}
