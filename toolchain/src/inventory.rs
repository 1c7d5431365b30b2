//! Which tools are on this machine, for `warpfold doctor` and for planning `warpfold setup`.

use std::fmt;
use std::path::PathBuf;

use crate::cache::Cache;
use crate::find::{self, PIP_HINT};
use crate::prebuilt::Prebuilt;
use crate::purpose::Purpose;
use crate::tool::{self, Rejected, Tool};
use crate::version::Version;

/// Whether a tool is usable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Found and usable.
    Found {
        /// The program.
        path: PathBuf,
        /// Its version.
        version: Version,
    },
    /// No candidate.
    Missing {
        /// The suggested fix.
        hint: String,
    },
    /// Found, but unusable.
    Unusable {
        /// The most preferred candidate.
        path: PathBuf,
        /// Why it is unusable.
        reason: String,
        /// The suggested fix.
        hint: String,
    },
}

/// One tool and whether it is usable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The tool's name in messages.
    pub name: &'static str,
    /// What it is needed for.
    pub required_for: Purpose,
    /// Whether it is usable.
    pub status: Status,
}

impl Finding {
    /// Whether the tool is usable.
    pub fn is_found(&self) -> bool {
        matches!(self.status, Status::Found { .. })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name)?;
        match &self.status {
            Status::Found { path, version } => write!(f, "{version} ({})", path.display()),
            Status::Missing { hint } => write!(f, "missing, needed for {}; {hint}", self.required_for),
            Status::Unusable { path, reason, hint } => {
                write!(f, "unusable, needed for {}: {}: {reason}; {hint}", self.required_for, path.display())
            }
        }
    }
}

/// Whether all tools are usable that building for and running on the emulator needs.
pub fn is_ready(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.is_found() || !finding.required_for.is_required())
}

/// Examines the machine: runs each candidate program once or twice, and changes nothing.
pub fn inventory() -> Vec<Finding> {
    let rust = find::find_rust();
    let llvm = find::find_llvm(rust.as_ref().ok());
    let clang = find::find_clang(llvm.as_ref().ok());
    let ptxas = find::find_ptxas(Cache::location().ok().as_deref());
    let nvcc = find::find_nvcc(Cache::location().ok().as_deref());
    let offload = find::find_offload(clang.as_ref().ok());
    let flang = find::find_flang(llvm.as_ref().ok());
    let rust = rust.map(|rust| (rust.rustc.path, rust.rustc.version));
    let llvm = llvm.map(|llvm| (llvm.program("llc"), llvm.version));
    let needs_rust = if Prebuilt::find().is_some() { Purpose::RustKernels } else { Purpose::DeviceBuild };
    let plain = |tool: Tool| (tool.path, tool.version);
    vec![
        finding("rustc with library source", needs_rust, rust, tool::RUST_HINT),
        finding("LLVM tools", Purpose::DeviceBuild, llvm, &tool::llvm_hint()),
        finding("clang", Purpose::CKernels, clang.map(plain), &tool::clang_hint()),
        finding("OpenMP offloading", Purpose::Offload, offload.map(plain), &tool::offload_hint()),
        finding("flang", Purpose::Fortran, flang.map(plain), &tool::flang_hint()),
        finding("isl", Purpose::Loops, find::find_isl(), tool::ISL_HINT),
        finding("ptxas", Purpose::PtxCheck, ptxas.map(plain), tool::PTXAS_HINT),
        finding("nvcc", Purpose::Cuda, nvcc.map(plain), tool::NVCC_HINT),
        finding("pip", Purpose::Download, find::find_pip(), PIP_HINT),
    ]
}

/// The versions of LLVM that are installed and not used, although they are new enough, with the folders of their programs.
pub fn other_llvms(findings: &[Finding]) -> Vec<(Version, PathBuf)> {
    let used = findings.iter().find_map(|finding| match &finding.status {
        Status::Found { version, .. } if finding.name == "LLVM tools" => Some(version.major),
        _ => None,
    });
    let mut others = find::installed_llvms();
    others.retain(|(version, _)| Some(version.major) != used);
    others
}

fn finding(
    name: &'static str,
    required_for: Purpose,
    found: Result<(PathBuf, Version), Vec<Rejected>>,
    hint: &str,
) -> Finding {
    let hint = hint.to_string();
    let status = match found {
        Ok((path, version)) => Status::Found { path, version },
        Err(rejected) => match rejected.into_iter().next() {
            None => Status::Missing { hint },
            Some(Rejected { path, reason }) => Status::Unusable { path, reason, hint },
        },
    };
    Finding { name, required_for, status }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found() -> Result<(PathBuf, Version), Vec<Rejected>> {
        Ok((PathBuf::from("/x"), Version::new(1, 2, 3)))
    }

    #[test]
    fn missing_optional_tools_do_not_matter() {
        let optional = finding("ptxas", Purpose::PtxCheck, Err(Vec::new()), "c");
        assert!(is_ready(&[finding("rustc", Purpose::DeviceBuild, found(), "c"), optional.clone()]));
        assert!(!is_ready(&[finding("rustc", Purpose::DeviceBuild, Err(Vec::new()), "c"), optional]));
    }

    #[test]
    fn a_rejected_candidate_is_unusable_not_missing() {
        let candidate = Rejected { path: PathBuf::from("/old/llc"), reason: "LLVM 19".into() };
        let text =
            finding("LLVM tools", Purpose::DeviceBuild, Err(vec![candidate]), "install it").to_string();
        for words in ["unusable", "/old/llc", "LLVM 19", "install it", "building device code"] {
            assert!(text.contains(words), "{text}");
        }
    }
}
