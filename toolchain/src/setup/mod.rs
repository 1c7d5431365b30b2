//! Installs missing tools: makes a plan, then executes it step by step.
//!
//! On Debian and its derivatives the compilers come from `apt-get`. NVIDIA's tools come as Python wheels,
//! pinned by version and SHA-256, and are unpacked into the cache. If nothing is missing, the plan is empty.

mod apt;
mod step;
mod wheels;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::cache::Cache;
pub use crate::cuda::CUDA_VERSION;
use crate::cuda::cuda_dir;
use crate::error::Error;
use crate::find::{find_pip, rustup_rustcs};
use crate::inventory::{Finding, inventory};
use crate::llvm_choice::LlvmChoice;
use crate::purpose::Purpose;

pub use wheels::Wheel;

/// One step of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Install Debian packages.
    Apt {
        /// The packages.
        packages: Vec<String>,
    },
    /// Download wheels and unpack them as one CUDA folder.
    Cuda {
        /// The wheels.
        wheels: &'static [Wheel],
        /// The folder that is created.
        folder: PathBuf,
    },
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Apt { packages } => write!(f, "install {}", packages.join(", ")),
            Step::Cuda { wheels, folder } => {
                let (count, folder) = (wheels.len(), folder.display());
                write!(f, "download NVIDIA's CUDA tools {CUDA_VERSION} ({count} wheels) into {folder}")
            }
        }
    }
}

/// What has to be installed on this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// Alternatives and limits, one sentence each.
    pub notes: Vec<String>,
}

impl Plan {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            f.write_str("nothing to do")?;
        }
        for (index, step) in self.steps.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{}. {step}", index + 1)?;
        }
        self.notes.iter().try_for_each(|note| write!(f, "\nnote: {note}"))
    }
}

/// The progress of a plan's execution.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The current step, from 1.
    pub step: usize,
    /// The number of steps.
    pub steps: usize,
    /// A description of the step.
    pub description: &'a str,
    /// The last line that the running program printed.
    pub line: Option<&'a str>,
}

/// The folder that NVIDIA's wheels are unpacked into.
///
/// # Errors
/// [`Error::Cache`] if there is no home directory.
pub fn cuda_folder() -> Result<PathBuf, Error> {
    Ok(cuda_dir(&Cache::location()?))
}

/// The plan to unpack NVIDIA's wheels into [`cuda_folder`], empty if that is done. `None` if no wheels are
/// pinned for this machine.
///
/// # Errors
/// [`Error::Cache`] if there is no home directory.
pub fn cuda_plan() -> Result<Option<Plan>, Error> {
    let folder = cuda_folder()?;
    let mut plan = Plan::default();
    if folder.join("bin/ptxas").is_file() {
        return Ok(Some(plan));
    }
    if !wheels::available() {
        return Ok(None);
    }
    if find_pip().is_err() {
        plan.steps.push(Step::Apt { packages: vec![String::from("python3-pip")] });
    }
    plan.steps.push(Step::Cuda { wheels: wheels::WHEELS, folder });
    Ok(Some(plan))
}

/// The plan for the tools that are missing on this machine.
pub fn plan() -> Plan {
    make_plan(&inventory(), Cache::location().ok().as_deref(), apt::is_root())
}

fn make_plan(findings: &[Finding], cache: Option<&Path>, root: bool) -> Plan {
    let is_missing = |name: &str| findings.iter().any(|finding| finding.name == name && !finding.is_found());
    let mut plan = Plan::default();
    // With a prebuilt runtime it is left out: most people who unpack one do not write Rust.
    let needs_rust = findings.iter().all(|finding| finding.required_for != Purpose::RustKernels);
    let missing = ["ptxas", "nvcc"].into_iter().find(|name| is_missing(name));
    let cuda = missing.is_some() && wheels::available() && cache.is_some();
    let candidates: [(&str, bool, &[&str]); 7] = [
        ("rustc with library source", needs_rust, &["rustc-web", "rust-web-src"]),
        ("LLVM tools", true, &["llvm-NN"]),
        ("clang", true, &["clang-NN"]),
        ("OpenMP offloading", true, &["clang-tools-NN", "libomp-NN-dev", "liboffload-NN-dev"]),
        ("flang", true, &["flang-NN"]),
        ("isl", true, &["libisl23"]),
        ("pip", cuda, &["python3-pip"]),
    ];
    // NN is the version of LLVM to use.
    let version = LlvmChoice::current().major().to_string();
    let packages: Vec<String> = candidates
        .iter()
        .filter(|(name, condition, _)| *condition && is_missing(name))
        .flat_map(|(_, _, packages)| packages.iter().map(|package| package.replace("NN", &version)))
        .collect();
    if needs_rust && is_missing("rustc with library source") && !rustup_rustcs().is_empty() {
        plan.notes.push(String::from(
            "with rustup, `rustup component add rust-src` replaces rustc-web and rust-web-src",
        ));
    }
    if !packages.is_empty() {
        if !root {
            plan.notes.push(format!("installing packages needs root: {}", apt::by_hand(&packages)));
        }
        plan.steps.push(Step::Apt { packages });
    }
    if let (true, Some(base)) = (cuda, cache) {
        plan.steps.push(Step::Cuda { wheels: wheels::WHEELS, folder: cuda_dir(base) });
    } else if let Some(missing) = missing {
        plan.notes.push(format!(
            "NVIDIA's wheels are pinned for x86-64 Linux only: for {missing} install the CUDA toolkit (optional)",
        ));
    }
    plan
}

/// Executes the steps of `plan` in order; `progress` is called for each step and for each line printed.
/// If a step fails, the effects of earlier ones remain, and a new plan does not contain them.
///
/// # Errors
/// [`Error::Setup`] if a step is impossible here (no root, no apt-get, a wheel with a wrong hash),
/// [`Error::Command`] if a program fails, [`Error::Io`] if a file operation fails.
pub fn run(plan: &Plan, progress: &mut dyn FnMut(Progress)) -> Result<(), Error> {
    for (index, step) in plan.steps.iter().enumerate() {
        let description = step.to_string();
        let mut report = |line: Option<&str>| {
            progress(Progress { step: index + 1, steps: plan.steps.len(), description: &description, line });
        };
        report(None);
        match step {
            Step::Apt { packages } => apt::install(packages, &description, &mut report)?,
            Step::Cuda { wheels, folder } => wheels::install(wheels, folder, &description, &mut report)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
