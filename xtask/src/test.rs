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

/// Installs what is missing, if it may, and runs the tests of the workspace.
///
/// It does not call `warpfold setup`: cargo would build the program and its dependencies twice, because it selects
/// other features of them for one package than for all.
pub fn run(options: &Options) -> Result<(), String> {
    install(setup::plan(), options.yes).map_err(|reason| format!("the tests need more tools: {reason}"))?;
    let packages: Vec<&str> =
        TOOLS.iter().filter(|(tool, _)| !tool.is_there()).map(|(_, package)| *package).collect();
    if !packages.is_empty() {
        let list = packages.join(" ");
        let plan = Plan {
            steps: vec![Step::Apt { packages: packages.into_iter().map(String::from).collect() }],
            notes: Vec::new(),
        };
        if let Err(reason) = install(plan, options.yes) {
            println!("some tests will be skipped without {list}: {reason}");
        }
    }
    // They take half an hour: one run tells all that fails.
    let mut tests = cargo(&["test", "--workspace", "--no-fail-fast"]);
    tests.args(&options.arguments);
    // Threads of one test's programs that wait do not take processors from the other tests.
    tests.env("OMP_WAIT_POLICY", "passive");
    let status = tests.status().map_err(|error| format!("cargo: {error}"))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("cargo test ended with {status}")),
    }
}

/// Prints the plan, and executes it if it may.
fn install(plan: Plan, may: bool) -> Result<(), String> {
    if plan.is_empty() {
        return Ok(());
    }
    println!("Plan:\n{plan}");
    if !may {
        return Err("nothing was installed; `cargo xtask test --yes` installs it".into());
    }
    setup::run(&plan, &mut |progress| {
        if progress.line.is_none() {
            println!("[{}/{}] {} …", progress.step, progress.steps, progress.description);
        }
    })
    .map_err(|error| error.to_string())
}
