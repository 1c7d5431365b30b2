//! The OpenMP device runtime and the CUDA tools that clang finds when it is called without this project's
//! options.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::IoContext;
use crate::find::{examine_clang, find_clang, on_path};
use crate::llvm_choice::{LlvmChoice, TRIED_LLVM};
use crate::prebuilt::{ARCHIVE, BITCODE, RUNTIME_FOLDER};
use crate::process::{command, version_of};
use crate::tool::{OLDEST_PTXAS, clang_hint, missing};
use crate::{Error, Purpose, Tool, Version};

/// The start of the IR line that defines the runtime's version.
const VERSION_VARIABLE: &str = "@__warpfold_version = ";

/// An installed clang and its installation folder.
#[derive(Clone, Debug)]
pub struct StockClang {
    /// The compiler.
    pub clang: Tool,
    /// The folder of its `bin` and `lib`, with links resolved: `/usr/lib/llvm-22`.
    pub prefix: PathBuf,
}

/// A folder in which clang finds an OpenMP device runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StockRuntime {
    /// The bitcode that clang links into device code when it compiles.
    pub bitcode: PathBuf,
    /// Whether the archive that programs are linked with is beside it.
    pub has_archive: bool,
    /// The version of warpfold that built it; `None` for another project's runtime.
    pub version: Option<String>,
}

/// CUDA's tools where clang finds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StockCuda {
    /// The toolkit's folder.
    pub folder: PathBuf,
    /// The version of its ptxas.
    pub version: Version,
}

impl StockRuntime {
    /// The installation folder, if the runtime is in its [`RUNTIME_FOLDER`].
    pub fn prefix(&self) -> Option<&Path> {
        let folder = self.bitcode.parent()?;
        folder.ends_with(RUNTIME_FOLDER).then(|| folder.ancestors().nth(2)).flatten()
    }
}

impl StockCuda {
    /// Whether its ptxas is too old for the PTX that LLVM emits.
    pub fn is_too_old(&self) -> bool {
        self.version < OLDEST_PTXAS
    }
}

impl StockClang {
    /// The clang that a user of this machine would call: `WARPFOLD_CLANG`, or the oldest that is new enough.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] with every candidate and the reason for rejecting it.
    pub fn find() -> Result<StockClang, Error> {
        let clang = find_clang(None)
            .map_err(|rejected| missing("clang", Purpose::Offload, &rejected, &clang_hint()))?;
        let program = fs::canonicalize(&clang.path).at("resolve", &clang.path)?;
        let prefix = program.ancestors().nth(2).unwrap_or(Path::new("/")).to_path_buf();
        Ok(StockClang { clang, prefix })
    }

    /// The program `clang` on `PATH`, and why it cannot be used with this project's runtime; `None` if it
    /// can, or if there is no such program.
    pub fn unusable_by_name() -> Option<(PathBuf, String)> {
        let clang = on_path("clang").into_iter().next()?;
        let reason = examine_clang(&clang, LlvmChoice::current().named()).err()?;
        Some((clang, reason))
    }

    /// The clang that is installed in this folder, if there is one.
    ///
    /// # Errors
    /// [`Error::Input`] if it is too old to read the runtime's bitcode.
    pub fn at(prefix: &Path) -> Result<Option<StockClang>, Error> {
        let program = prefix.join("bin/clang");
        if !program.is_file() {
            return Ok(None);
        }
        match examine_clang(&program, LlvmChoice::current().named()) {
            Ok(clang) => Ok(Some(StockClang { clang, prefix: prefix.to_path_buf() })),
            Err(reason) => {
                let oldest = TRIED_LLVM[0];
                let reason = format!(
                    "{reason}; an older clang cannot read the bitcode of LLVM {oldest}: install clang-{oldest} \
                     (`warpfold setup`), and omit --prefix"
                );
                Err(Error::Input { name: program.display().to_string(), reason })
            }
        }
    }

    /// The runtime that this clang links by default: from the folders of `LIBRARY_PATH`, then from its own.
    pub fn runtime(&self) -> Option<StockRuntime> {
        let listed = env::var_os("LIBRARY_PATH").unwrap_or_default();
        let installed = self.prefix.join(RUNTIME_FOLDER);
        let mut folders =
            env::split_paths(&listed).filter(|folder| !folder.as_os_str().is_empty()).chain([installed]);
        let folder = folders.find(|folder| folder.join(BITCODE).is_file())?;
        let bitcode = folder.join(BITCODE);
        let version = self.runtime_version(&bitcode);
        Some(StockRuntime { has_archive: folder.join(ARCHIVE).is_file(), version, bitcode })
    }

    /// The version of warpfold in a bitcode file of the runtime; `None` for another project's file.
    pub fn runtime_version(&self, bitcode: &Path) -> Option<String> {
        let output = command(&self.clang.path)
            .args(["--target=nvptx64-nvidia-cuda", "-x", "ir", "-S", "-emit-llvm", "-Xclang"])
            .args(["-disable-llvm-passes", "-w", "-o", "-"])
            .arg(bitcode)
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let line = text.lines().find(|line| line.starts_with(VERSION_VARIABLE))?;
        let version = line.split_once("c\"")?.1.split('"').next()?;
        Some(version.split('\\').next()?.to_string())
    }
}

/// CUDA's tools that clang finds without `--cuda-path`: in the folder of the ptxas on `PATH`, with links
/// resolved, then in `/usr/local/cuda` and in Debian's `/usr/lib/cuda`.
pub fn stock_cuda() -> Option<StockCuda> {
    let folder_of = |ptxas: PathBuf| {
        let program = fs::canonicalize(ptxas).ok()?;
        program.parent().filter(|dir| dir.ends_with("bin"))?.parent().map(Path::to_path_buf)
    };
    let first = on_path("ptxas").into_iter().next().and_then(folder_of);
    let fixed = ["/usr/local/cuda", "/usr/lib/cuda"].map(PathBuf::from);
    first.into_iter().chain(fixed).find_map(|folder| toolkit(&folder))
}

/// The toolkit that `CUDA_HOME` or `CUDA_PATH` names.
pub fn named_cuda() -> Option<StockCuda> {
    ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(env::var_os).find_map(|dir| toolkit(Path::new(&dir)))
}

/// The toolkit in a folder, if it has everything that clang needs for offloading.
fn toolkit(folder: &Path) -> Option<StockCuda> {
    let exists = |name: &str| folder.join(name).exists();
    if !exists("include") || !exists("nvvm/libdevice/libdevice.10.bc") || !exists("bin/nvlink") {
        return None;
    }
    let version = Version::after(&version_of(&folder.join("bin/ptxas"))?, ", V")?;
    Some(StockCuda { folder: folder.to_path_buf(), version })
}
