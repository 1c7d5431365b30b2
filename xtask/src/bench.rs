//! The benchmarks: runs the program of the package `benches`, built with --release.

use std::{path::PathBuf, process::Command};

use crate::{
    cargo::{cargo, executable},
    peers,
    readme::workspace_root,
    so,
};

/// What `csv` compares with: pip's name and version of NumPy.
const NUMPY: &str = "numpy==2.3.5";

/// Options of `cargo xtask bench`.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Options {
    /// schemes, openmp, reductions, peers, emulator, shapes, checks, instructions, loops, strategies, overhead or csv, and options; --help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Builds and runs the benchmarks. `overhead`, `shapes`, `checks`, `instructions`, `loops`, `strategies` and `csv` measure the program `warpfold` of this tree.
pub fn run(options: &Options) -> Result<(), String> {
    let mut command = cargo(&["run", "--release", "--quiet", "--package", "benches", "--"]);
    command.args(&options.arguments);
    let benchmark = options.arguments.first().map_or("", String::as_str);
    let wants_help = options.arguments.iter().any(|argument| matches!(&**argument, "--help" | "-h"));
    let of_program =
        ["overhead", "shapes", "checks", "instructions", "loops", "strategies", "csv"].contains(&benchmark);
    if of_program && !wants_help {
        command.arg("--warpfold").arg(warpfold()?);
    }
    if benchmark == "csv" && !wants_help {
        command.arg("--python").arg(numpy()?);
    }
    if benchmark == "peers" && !wants_help {
        command.arg("--driver").arg(so::build_and_install(None, false)?);
        command.arg("--programs").arg(peers::build(&workspace_root().join("target/peers"))?);
    }
    let status = command.status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("benches ended with {status}")) }
}

fn warpfold() -> Result<PathBuf, String> {
    executable(&["build", "--release", "--bin", "warpfold"], "warpfold")
}

/// A Python with NumPy: a virtual environment below `target`, made if it is not there.
fn numpy() -> Result<PathBuf, String> {
    let folder = workspace_root().join("target/numpy");
    let python = folder.join("bin/python");
    let has_numpy = |python: &PathBuf| {
        let check = format!("import numpy; assert 'numpy==' + numpy.__version__ == '{NUMPY}'");
        Command::new(python).args(["-c", &check]).output().is_ok_and(|output| output.status.success())
    };
    if has_numpy(&python) {
        return Ok(python);
    }
    println!("installing {NUMPY} into {}", folder.display());
    let hint =
        "the comparison needs NumPy: python3 with venv and pip (Debian: python3-venv), and a package index";
    let mut make = Command::new("python3");
    make.args(["-m", "venv", "--clear"]).arg(&folder);
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", NUMPY]);
    for command in [&mut make, &mut install] {
        let status = command.status().map_err(|error| format!("{command:?}: {error}; {hint}"))?;
        if !status.success() {
            return Err(format!("{command:?} ended with {status}; {hint}"));
        }
    }
    Ok(python)
}
