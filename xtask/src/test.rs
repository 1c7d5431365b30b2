//! `cargo xtask test`: installs what the tests need, then runs all of them.

use crate::cargo::cargo;

/// What `cargo xtask test` does.
#[derive(clap::Args)]
pub struct Options {
    /// Do not ask before missing tools are installed
    #[arg(long)]
    yes: bool,
    /// Arguments for `cargo test --workspace`
    #[arg(last = true)]
    arguments: Vec<String>,
}

/// Runs `warpfold setup`, which shows its plan and asks, and then the tests of the workspace.
pub fn run(options: &Options) -> Result<(), String> {
    let mut setup = cargo(&["run", "--quiet", "--package", "warpfold", "--", "setup"]);
    setup.args(options.yes.then_some("--yes"));
    let mut tests = cargo(&["test", "--workspace"]);
    tests.args(&options.arguments);
    for (name, command) in [("warpfold setup", &mut setup), ("cargo test", &mut tests)] {
        let status = command.status().map_err(|error| format!("cargo: {error}"))?;
        if !status.success() {
            return Err(format!("{name} ended with {status}"));
        }
    }
    Ok(())
}
