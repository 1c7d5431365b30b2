//! What is on this machine, for `warpfold doctor` and for planning `warpfold setup`.

use std::fmt;
use std::path::PathBuf;

use crate::find::{self, Refusal};
use crate::{Cache, Version, setup};

/// What a tool is needed for. Only the first is needed to build and to run on the emulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// Building device code to bitcode and PTX.
    DeviceBuild,
    /// Checking PTX with NVIDIA's assembler, and making programs that run on a GPU. Optional.
    PtxCheck,
    /// Compiling C kernels for the device. Optional.
    CKernels,
    /// Making and running OpenMP programs with device code. Optional.
    Offload,
    /// Compiling Fortran. Optional.
    Fortran,
    /// Downloading NVIDIA's tools during setup. Optional.
    Download,
}

impl Purpose {
    /// Is this needed for building and for running on the emulator?
    pub fn is_required(self) -> bool {
        self == Purpose::DeviceBuild
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Purpose::DeviceBuild => "building device code",
            Purpose::PtxCheck => "checking PTX, and OpenMP programs that run on a GPU",
            Purpose::CKernels => "compiling C kernels",
            Purpose::Offload => "OpenMP programs with device code",
            Purpose::Fortran => "compiling Fortran",
            Purpose::Download => "downloading NVIDIA's tools",
        })
    }
}

/// How it stands with one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// There and fit.
    Found {
        /// The program.
        path: PathBuf,
        /// Its version.
        version: Version,
    },
    /// No candidate at all.
    Missing {
        /// What helps.
        cure: String,
    },
    /// There, but not fit.
    Unusable {
        /// The most preferred candidate.
        path: PathBuf,
        /// Why it is refused.
        reason: String,
        /// What helps.
        cure: String,
    },
}

/// One tool and how it stands with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The tool, in words.
    pub name: &'static str,
    /// What it is needed for.
    pub required_for: Purpose,
    /// Whether it is there.
    pub status: Status,
}

impl Finding {
    /// Is the tool there and fit?
    pub fn is_found(&self) -> bool {
        matches!(self.status, Status::Found { .. })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name)?;
        match &self.status {
            Status::Found { path, version } => write!(f, "{version} ({})", path.display()),
            Status::Missing { cure } => write!(f, "missing, needed for {}; {cure}", self.required_for),
            Status::Unusable { path, reason, cure } => {
                write!(f, "unusable, needed for {}: {}: {reason}; {cure}", self.required_for, path.display())
            }
        }
    }
}

/// Is everything there that building and running on the emulator need?
pub fn is_ready(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.is_found() || !finding.required_for.is_required())
}

/// Examines the machine. Starts each candidate program once or twice; changes nothing.
pub fn inventory() -> Vec<Finding> {
    let rust = find::find_rust();
    let llvm = find::find_llvm(rust.as_ref().ok());
    let clang = find::find_clang(llvm.as_ref().ok());
    let ptxas = find::find_ptxas(Cache::location().ok().as_deref());
    let offload = find::find_offload(clang.as_ref().ok());
    let flang = find::find_flang(llvm.as_ref().ok());
    let rust = rust.map(|rust| (rust.rustc.path, rust.rustc.version));
    let llvm = llvm.map(|llvm| (llvm.program("llc"), llvm.version));
    let plain = |tool: find::Tool| (tool.path, tool.version);
    vec![
        finding("rustc with library source", Purpose::DeviceBuild, rust, find::RUST_CURE),
        finding("LLVM tools", Purpose::DeviceBuild, llvm, find::LLVM_CURE),
        finding("clang", Purpose::CKernels, clang.map(plain), find::CLANG_CURE),
        finding("OpenMP offloading", Purpose::Offload, offload.map(plain), find::OFFLOAD_CURE),
        finding("flang", Purpose::Fortran, flang.map(plain), find::FLANG_CURE),
        finding("ptxas", Purpose::PtxCheck, ptxas.map(plain), find::PTXAS_CURE),
        finding("pip", Purpose::Download, setup::find_pip(), setup::PIP_CURE),
    ]
}

fn finding(
    name: &'static str,
    required_for: Purpose,
    found: Result<(PathBuf, Version), Vec<Refusal>>,
    cure: &str,
) -> Finding {
    let cure = cure.to_string();
    let status = match found {
        Ok((path, version)) => Status::Found { path, version },
        Err(refusals) => match refusals.into_iter().next() {
            None => Status::Missing { cure },
            Some(Refusal { path, reason }) => Status::Unusable { path, reason, cure },
        },
    };
    Finding { name, required_for, status }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found() -> Result<(PathBuf, Version), Vec<Refusal>> {
        Ok((PathBuf::from("/x"), Version::new(1, 2, 3)))
    }

    #[test]
    fn optional_tools_do_not_stand_in_the_way() {
        let optional = finding("ptxas", Purpose::PtxCheck, Err(Vec::new()), "c");
        assert!(is_ready(&[finding("rustc", Purpose::DeviceBuild, found(), "c"), optional.clone()]));
        assert!(!is_ready(&[finding("rustc", Purpose::DeviceBuild, Err(Vec::new()), "c"), optional]));
    }

    #[test]
    fn a_refused_candidate_is_unusable_not_missing() {
        let refusal = Refusal { path: PathBuf::from("/old/llc"), reason: "LLVM 19".into() };
        let text = finding("LLVM tools", Purpose::DeviceBuild, Err(vec![refusal]), "install it").to_string();
        for part in ["unusable", "/old/llc", "LLVM 19", "install it", "building device code"] {
            assert!(text.contains(part), "{text}");
        }
    }
}
