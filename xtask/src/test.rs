//! `cargo xtask test`: installs missing tools, then runs all tests.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use toolchain::setup::{self, Plan, Step};

use crate::cargo::cargo;

/// What tests need besides `warpfold setup`, and are skipped without: a program or library, and Debian's package.
const TOOLS: [(Tool, &str); 3] = [
    (Tool::Program("cmake"), "cmake"),
    (Tool::Program("mlir-opt-22"), "mlir-22-tools"),
    (Tool::Library("libclang_rt.asan-x86_64.a", "libclang_rt.asan.a"), "libclang-rt-22-dev"),
];

enum Tool {
    /// In `PATH`.
    Program(&'static str),
    /// Of clang's, in the folder of all targets or of this one.
    Library(&'static str, &'static str),
}

impl Tool {
    fn is_there(&self) -> bool {
        match self {
            Tool::Program(name) => Command::new(name).arg("--version").output().is_ok(),
            Tool::Library(name, of_target) => [name, of_target].into_iter().any(|name| {
                let output = Command::new("clang-22").arg(format!("-print-file-name={name}")).output();
                // clang prints the name alone if it does not find the file.
                let path =
                    output.map(|output| PathBuf::from(&*String::from_utf8_lossy(output.stdout.trim_ascii())));
                path.is_ok_and(|path| path.is_absolute() && Path::exists(&path))
            }),
        }
    }
}

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

/// Runs `warpfold setup`, which shows its plan and asks for confirmation, installs what only tests need, if it may, and runs
/// the tests of the workspace.
pub fn run(options: &Options) -> Result<(), String> {
    let mut setup = cargo(&["run", "--quiet", "--package", "warpfold", "--", "setup"]);
    setup.args(options.yes.then_some("--yes"));
    // They take half an hour: one run tells all that fails.
    let mut tests = cargo(&["test", "--workspace", "--no-fail-fast"]);
    tests.args(&options.arguments);
    // Threads of one test's programs that wait do not take processors from the other tests.
    tests.env("OMP_WAIT_POLICY", "passive");
    succeed("warpfold setup", &mut setup)?;
    let packages: Vec<&str> =
        TOOLS.iter().filter(|(tool, _)| !tool.is_there()).map(|(_, package)| *package).collect();
    if !packages.is_empty() {
        let list = packages.join(" ");
        let plan = Plan { steps: vec![Step::Apt { packages }], notes: Vec::new() };
        let installed = if options.yes {
            setup::run(&plan, &mut |_| {}).map_err(|error| error.to_string())
        } else {
            Err("without --yes nothing more is installed".into())
        };
        if let Err(reason) = installed {
            println!("some tests will be skipped without {list}: {reason}");
        }
    }
    succeed("cargo test", &mut tests)
}

fn succeed(name: &str, command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("cargo: {error}"))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("{name} ended with {status}")),
    }
}
