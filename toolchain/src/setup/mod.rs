//! Getting what is missing: what to install, said first, then done step by step.
//!
//! On Debian and its kin the compilers come from `apt-get`; NVIDIA's tools come as Python wheels,
//! pinned by version and SHA-256, and are unpacked into the cache. A machine where everything is
//! there has an empty plan.

mod apt;
mod wheels;

use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;

use crate::find::{self, Refusal, on_path};
use crate::process::{command_line, failed_to_start, says};
use crate::{Cache, Error, Finding, Version, inventory};

pub use wheels::{CUDA_VERSION, Wheel};

pub(crate) const PIP_CURE: &str = "`apt-get install python3-pip`";

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Install Debian packages.
    Apt {
        /// The packages.
        packages: Vec<&'static str>,
    },
    /// Download wheels and unpack them as one CUDA folder.
    Cuda {
        /// The wheels.
        wheels: &'static [Wheel],
        /// The folder to come.
        folder: PathBuf,
    },
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Apt { packages } => write!(f, "install {}", packages.join(", ")),
            Step::Cuda { wheels, folder } => {
                let (count, folder) = (wheels.len(), folder.display());
                write!(f, "download NVIDIA's ptxas and its kin {CUDA_VERSION} ({count} wheels) into {folder}")
            }
        }
    }
}

/// What has to be done on this machine, and what to know about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// Alternatives and limits, one sentence each.
    pub notes: Vec<String>,
}

impl Plan {
    /// Is there nothing to do?
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

/// How far the run of a plan is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The step being taken, from 1.
    pub step: usize,
    /// The number of steps.
    pub steps: usize,
    /// What the step does.
    pub what: &'a str,
    /// The last line the program at work printed, if there is one.
    pub line: Option<&'a str>,
}

/// The folder of the cache that NVIDIA's wheels are unpacked into.
///
/// # Errors
/// [`Error::Cache`] if there is no home directory.
pub fn cuda_folder() -> Result<PathBuf, Error> {
    Ok(crate::cache::cuda_dir(&Cache::location()?))
}

/// How to get NVIDIA's wheels into [`cuda_folder`]: nothing where they are there; none where no wheels are
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
        plan.steps.push(Step::Apt { packages: vec!["python3-pip"] });
    }
    plan.steps.push(Step::Cuda { wheels: wheels::WHEELS, folder });
    Ok(Some(plan))
}

/// What is missing on this machine and how to get it.
pub fn plan() -> Plan {
    make_plan(&inventory(), Cache::location().ok().as_deref(), apt::is_root())
}

fn make_plan(findings: &[Finding], cache: Option<&Path>, root: bool) -> Plan {
    let lacks = |name: &str| findings.iter().any(|finding| finding.name == name && !finding.is_found());
    let mut plan = Plan::default();
    let cuda = lacks("ptxas") && wheels::available() && cache.is_some();
    let wanted: [(&str, bool, &[&'static str]); 6] = [
        ("rustc with library source", true, &["rustc-web", "rust-web-src"]),
        ("LLVM tools", true, &["llvm-22"]),
        ("clang", true, &["clang-22"]),
        ("OpenMP offloading", true, &["clang-tools-22", "libomp-22-dev", "liboffload-22-dev"]),
        ("flang", true, &["flang-22"]),
        ("pip", cuda, &["python3-pip"]),
    ];
    let packages: Vec<&'static str> = wanted
        .iter()
        .filter(|(name, condition, _)| *condition && lacks(name))
        .flat_map(|(_, _, packages)| packages.iter().copied())
        .collect();
    if lacks("rustc with library source") && !find::rustup_rustcs().is_empty() {
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
        plan.steps.push(Step::Cuda { wheels: wheels::WHEELS, folder: crate::cache::cuda_dir(base) });
    } else if lacks("ptxas") {
        plan.notes.push(String::from(
            "NVIDIA's wheels are pinned for x86-64 Linux only: for checks with ptxas install the CUDA toolkit (optional)",
        ));
    }
    plan
}

/// Takes the steps of `plan` in order, telling `progress` of each step and each line printed.
/// What was done stays done when a later step fails, and a new plan leaves it out.
///
/// # Errors
/// [`Error::Setup`] if a step cannot be taken here (no root, no apt-get, a wheel whose hash is
/// wrong), [`Error::Command`] if a program fails, [`Error::Io`] on the file system's refusal.
pub fn run(plan: &Plan, progress: &mut dyn FnMut(Progress)) -> Result<(), Error> {
    for (index, step) in plan.steps.iter().enumerate() {
        let what = step.to_string();
        let mut tell = |line: Option<&str>| {
            progress(Progress { step: index + 1, steps: plan.steps.len(), what: &what, line });
        };
        tell(None);
        match step {
            Step::Apt { packages } => apt::install(packages, &what, &mut tell)?,
            Step::Cuda { wheels, folder } => wheels::install(wheels, folder, &what, &mut tell)?,
        }
    }
    Ok(())
}

/// The python3 that has pip, as `python3 -m pip`.
pub(crate) fn find_pip() -> Result<(PathBuf, Version), Vec<Refusal>> {
    let mut refusals = Vec::new();
    for path in on_path("python3") {
        match says(&path, &["-m", "pip", "--version"]).and_then(|text| Version::after(&text, "pip ")) {
            Some(version) => return Ok((path, version)),
            None => refusals.push(Refusal { path, reason: String::from("without pip") }),
        }
    }
    Err(refusals)
}

/// Runs a command, handing each line of its output to `tell` as it comes.
fn stream(command: &mut Command, tell: &mut dyn FnMut(Option<&str>)) -> Result<(), Error> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| failed_to_start(command, &error))?;
    let (sender, lines) = mpsc::channel::<String>();
    for pipe in [child.stdout.take().map(boxed), child.stderr.take().map(boxed)].into_iter().flatten() {
        let sender = sender.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(pipe).split(b'\n').map_while(Result::ok) {
                let _ = sender.send(String::from_utf8_lossy(&line).trim_end().to_string());
            }
        });
    }
    drop(sender);
    let mut last = std::collections::VecDeque::new();
    for line in lines {
        tell(Some(&line));
        if last.len() == 20 {
            last.pop_front();
        }
        last.push_back(line);
    }
    let status = child.wait().map_err(|error| failed_to_start(command, &error))?;
    if status.success() {
        return Ok(());
    }
    let stderr = Vec::from(last).join("\n");
    Err(Error::Command { command: command_line(command), status: status.to_string(), stderr })
}

fn boxed(pipe: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    Box::new(pipe)
}

/// A step that cannot be taken, with the way out.
fn refuse(step: &str, reason: String, cure: String) -> Error {
    Error::Setup { step: step.to_string(), reason, cure }
}

#[cfg(test)]
mod tests;
