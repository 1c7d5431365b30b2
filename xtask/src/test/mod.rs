//! `cargo xtask test`: installs missing tools, then runs the tests of the workspace.
//!
//! | file | what it holds |
//! |---|---|
//! | `binaries` | the test binaries that cargo builds |
//! | `schedule` | running them side by side |
//! | `times` | how long binaries and tests take |
//! | `changed` | the packages that a change concerns |

mod binaries;
mod changed;
mod schedule;
mod times;

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use toolchain::setup::{self, Plan, Step};

use crate::cargo::cargo;
use binaries::{Selection, jobs};
use schedule::RunOptions;
use times::Times;

/// What tests need besides `warpfold setup`, and are skipped without: a program or library, and Debian's package.
const TOOLS: [(Tool, &str); 7] = [
    (Tool::Program("cmake"), "cmake"),
    (Tool::Program("mlir-opt-22"), "mlir-22-tools"),
    (Tool::Program("mpirun.openmpi"), "openmpi-bin"),
    (Tool::Program("mpirun.mpich"), "mpich"),
    (Tool::Program("mpicc.openmpi"), "libopenmpi-dev"),
    (Tool::Program("mpicc.mpich"), "libmpich-dev"),
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
    /// Which tests to run
    #[arg(value_enum, default_value_t = Tier::All)]
    tier: Tier,
    /// Install missing tools without asking
    #[arg(long)]
    yes: bool,
    /// With `quick`: the commit from which the changed packages differ
    #[arg(long, value_name = "COMMIT", default_value = "HEAD")]
    since: String,
    /// With `all`: write how long binaries and tests took to docs/test-times.tsv
    #[arg(long)]
    record: bool,
    /// Arguments for the test binaries, such as a part of a test's name
    #[arg(last = true)]
    arguments: Vec<String>,
}

/// What tests protect, and when they are run.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Tier {
    /// Those of changed packages and of packages that use them, without tests that take long
    Quick,
    /// All: what a change must pass
    All,
    /// All with every input that tests can take, and the campaigns: hours
    Nightly,
}

/// Installs what is missing, if it may, and runs the tests.
///
/// It does not call `warpfold setup`: cargo would build the program and its dependencies twice, because it selects
/// other features of them for one package than for all.
pub fn run(options: &Options) -> Result<(), String> {
    install(setup::plan(), options.yes).map_err(|reason| format!("the tests need more tools: {reason}"))?;
    if let Err(reason) = install_tools(|_| true, options.yes) {
        println!("some tests will be skipped: {reason}");
    }
    let known = Times::read()?;
    let (selection, skipped) = match options.tier {
        Tier::Quick => (changed::packages(&options.since)?, known.slow()),
        Tier::All | Tier::Nightly => (Selection::All, Vec::new()),
    };
    if let Selection::Some(names) = &selection {
        if names.is_empty() {
            println!("nothing differs from {}", options.since);
            return Ok(());
        }
        println!("packages: {}", names.join(" "));
    }
    let start = Instant::now();
    let jobs = jobs(&selection)?;
    let built = start.elapsed();
    let settings = RunOptions {
        arguments: &options.arguments,
        skipped: &skipped,
        with_times: options.record,
        variables: if options.tier == Tier::Nightly { &EVERYTHING } else { &[] },
    };
    let finished = schedule::run(known.longest_first(jobs), &settings)?;
    let failed: Vec<&str> = finished.iter().filter(|job| !job.passed).map(|job| job.name.as_str()).collect();
    times::summary(&finished, built, start.elapsed());
    if options.record && failed.is_empty() {
        Times::of(&finished).write()?;
    }
    if !failed.is_empty() {
        return Err(format!("failed: {}", failed.join(", ")));
    }
    if options.tier == Tier::Nightly {
        return campaigns();
    }
    Ok(())
}

/// Variables with which tests take every input that they have.
const EVERYTHING: [(&str, &str); 7] = [
    ("WARPFOLD_NIGHTLY", "1"),
    ("FAULT_LEVELS", "all"),
    ("NESTS", "all"),
    ("FORCED", "all"),
    ("LOOP_NESTS", "10000"),
    ("EXPRESSIONS", "20000"),
    ("WARPFOLD_TEST_LEVELS", "all"),
];

/// Random programs, and bugs that tests must find.
fn campaigns() -> Result<(), String> {
    for arguments in [
        &["xtask", "loop-programs", "5000"][..],
        &["xtask", "openmp-programs", "--programs", "2000", "--levels", "all"],
        &["xtask", "differential", "--programs", "2000"],
        &["xtask", "differential", "--programs", "1000", "--seed", "100001", "--device", "compiled"],
        &["xtask", "thirdparty", "llvm", "clang19", "numba"],
        &["xtask", "mutate"],
    ] {
        println!("--- cargo {}", arguments.join(" "));
        let status = cargo(arguments).status().map_err(|error| format!("cargo: {error}"))?;
        if !status.success() {
            return Err(format!("cargo {} ended with {status}", arguments.join(" ")));
        }
    }
    Ok(())
}

/// Installs what is missing of the tools that tests need besides `warpfold setup`, of these packages of Debian.
pub fn install_tools(is_wanted: impl Fn(&str) -> bool, may: bool) -> Result<(), String> {
    let missing = TOOLS.iter().filter(|(tool, package)| is_wanted(package) && !tool.is_there());
    let packages: Vec<String> = missing.map(|(_, package)| (*package).to_owned()).collect();
    let list = packages.join(" ");
    let steps = if packages.is_empty() { Vec::new() } else { vec![Step::Apt { packages }] };
    install(Plan { steps, notes: Vec::new() }, may).map_err(|reason| format!("without {list}: {reason}"))
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
