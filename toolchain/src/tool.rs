//! Tools that were found, rejected candidates, and the error for a missing tool.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::llvm_choice::LlvmChoice;
use crate::purpose::Purpose;
use crate::version::Version;

/// The oldest rustc that has the flags of the device build.
pub(crate) const OLDEST_RUSTC: Version = Version::new(1, 95, 0);
/// The oldest ptxas that accepts the PTX version used for sm_90 and below (see [`crate::ptx_version`]).
pub(crate) const OLDEST_PTXAS: Version = Version::new(11, 8, 0);

/// A usable program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tool {
    /// The program.
    pub path: PathBuf,
    /// Its version.
    pub version: Version,
    /// The output of `--version`, which is in the cache key of everything that the tool produces.
    pub(crate) identity: String,
}

impl Tool {
    /// The output of `--version`: results of the same inputs and the same identities are the same.
    pub fn identity(&self) -> &str {
        &self.identity
    }
}

/// A rustc together with the source of the `core` it belongs to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RustTools {
    /// The compiler.
    pub rustc: Tool,
    /// The LLVM inside it: its bitcode can be read by this major version and newer ones.
    pub llvm: Version,
    /// The directory that holds `core/src/lib.rs`.
    pub library: PathBuf,
}

/// One installation of LLVM's command-line tools.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LlvmTools {
    /// The directory of the programs.
    pub dir: PathBuf,
    /// What follows the programs' names: `-22` in `llc-22`; may be empty.
    pub suffix: String,
    /// The version of all of them.
    pub version: Version,
    pub(crate) identity: String,
}

impl LlvmTools {
    /// The path of one of the programs, such as `opt`.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.dir.join(format!("{name}{}", self.suffix))
    }
}

/// A candidate that is not used, and why.
#[derive(Clone, Debug)]
pub(crate) struct Rejected {
    pub(crate) path: PathBuf,
    pub(crate) reason: String,
}

/// The error for a missing tool; it lists the rejected candidates.
pub(crate) fn missing(tool: &str, purpose: Purpose, rejected: &[Rejected], hint: &str) -> Error {
    let found = match rejected {
        [] => String::from("  (no candidates)"),
        list => list
            .iter()
            .map(|candidate| format!("  {}: {}", candidate.path.display(), candidate.reason))
            .collect::<Vec<_>>()
            .join("\n"),
    };
    Error::ToolMissing { tool: tool.to_string(), purpose, found, hint: hint.to_string() }
}

/// The suggested fix for a missing rustc.
pub(crate) const RUST_HINT: &str = "`warpfold setup`, or `apt-get install rustc-web rust-web-src`, or with rustup \
     (1.95 or newer) `rustup component add rust-src`; WARPFOLD_DEVICE_RUSTC names the rustc to use";
/// The suggested fix for a missing isl.
pub(crate) const ISL_HINT: &str = "`warpfold setup`, or `apt-get install libisl23`";
/// The suggested fix for a missing ptxas.
pub(crate) const PTXAS_HINT: &str =
    "`warpfold setup`, or install the CUDA toolkit; WARPFOLD_PTXAS names the ptxas to use, or `none`";

/// The suggested fix for a missing nvcc.
pub(crate) const NVCC_HINT: &str =
    "`warpfold setup`, or install the CUDA toolkit and let CUDA_HOME name its folder";

/// What is said of Debian's packages; `NN` is the version of LLVM to use.
fn packages(names: &str) -> String {
    let names = names.replace("NN", &LlvmChoice::current().major().to_string());
    format!("`warpfold setup`, or `apt-get install {names}`")
}

/// The suggested fix for missing programs of LLVM.
pub(crate) fn llvm_hint() -> String {
    let packages = packages("llvm-NN");
    format!(
        "{packages}, or with rustup `rustup component add llvm-tools`; WARPFOLD_LLVM_BIN names the directory to use"
    )
}

/// The suggested fix for a missing clang.
pub(crate) fn clang_hint() -> String {
    packages("clang-NN") + "; WARPFOLD_CLANG names the clang to use"
}

/// The suggested fix where clang cannot offload.
pub(crate) fn offload_hint() -> String {
    packages("clang-tools-NN libomp-NN-dev liboffload-NN-dev")
}

/// The suggested fix for a missing flang.
pub(crate) fn flang_hint() -> String {
    packages("flang-NN")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_lists_every_rejected_candidate_and_the_hint() {
        let rejected = [
            Rejected { path: "/a/rustc".into(), reason: "too old".into() },
            Rejected { path: "/b/rustc".into(), reason: "no source".into() },
        ];
        let text = missing("a rustc", Purpose::DeviceBuild, &rejected, RUST_HINT).to_string();
        for words in ["/a/rustc: too old", "/b/rustc: no source", "rustup component add rust-src"] {
            assert!(text.contains(words), "{text}");
        }
    }
}
