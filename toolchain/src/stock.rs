//! What a plainly called compiler finds without our options: the OpenMP device runtime beside it, and CUDA's tools in
//! the folders where clang looks.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::IoContext;
use crate::find::{examine_clang, find_clang, on_path};
use crate::offload::{ARCHIVE, BITCODE};
use crate::process::{command, output_of};
use crate::tool::{CLANG_HINT, OLDEST_LLVM, OLDEST_PTXAS, missing};
use crate::{Error, Purpose, Tool, Version};

/// Where clang looks for device libraries, below the folder that it is installed in.
pub const RUNTIME_FOLDER: &str = "lib/nvptx64-nvidia-cuda";

/// The variable of the runtime that holds its version, as text.
const STAMP: &str = "@__warpfold_version = ";

/// An installed clang and its installation folder.
#[derive(Clone, Debug)]
pub struct StockClang {
    /// The compiler.
    pub clang: Tool,
    /// The folder that holds its `bin` and `lib`, links resolved: `/usr/lib/llvm-22`.
    pub prefix: PathBuf,
}

/// A folder in which clang finds an OpenMP device runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StockRuntime {
    /// The bitcode that clang links into device code as it compiles.
    pub bitcode: PathBuf,
    /// Whether the archive that programs are linked with is beside it.
    pub has_archive: bool,
    /// The version of warpfold that made it; none for another project's runtime.
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
    /// The installation folder, if the runtime lies in its [`RUNTIME_FOLDER`].
    pub fn prefix(&self) -> Option<&Path> {
        let folder = self.bitcode.parent()?;
        folder.ends_with(RUNTIME_FOLDER).then(|| folder.ancestors().nth(2)).flatten()
    }
}

impl StockCuda {
    /// Whether its ptxas is too old for the PTX that LLVM writes.
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
        let clang =
            find_clang(None).map_err(|rejected| missing("clang", Purpose::Offload, &rejected, CLANG_HINT))?;
        let program = fs::canonicalize(&clang.path).at("resolve", &clang.path)?;
        let prefix = program.ancestors().nth(2).unwrap_or(Path::new("/")).to_path_buf();
        Ok(StockClang { clang, prefix })
    }

    /// The clang that the name `clang` calls, and why it cannot offload with our runtime; none if it can, or if there
    /// is no such clang.
    pub fn unfit_by_name() -> Option<(PathBuf, String)> {
        let clang = on_path("clang").into_iter().next()?;
        let reason = examine_clang(&clang).err()?;
        Some((clang, reason))
    }

    /// The clang that is installed in this folder, if there is one.
    ///
    /// # Errors
    /// [`Error::Input`] where it is too old to read our bitcode.
    pub fn at(prefix: &Path) -> Result<Option<StockClang>, Error> {
        let program = prefix.join("bin/clang");
        if !program.is_file() {
            return Ok(None);
        }
        match examine_clang(&program) {
            Ok(clang) => Ok(Some(StockClang { clang, prefix: prefix.to_path_buf() })),
            Err(reason) => {
                let oldest = OLDEST_LLVM.major;
                let reason = format!(
                    "{reason}: an older clang cannot read the bitcode of LLVM {oldest}; install clang-{oldest} \
                     (`warpfold setup`), and give no --prefix"
                );
                Err(Error::Input { name: program.display().to_string(), reason })
            }
        }
    }

    /// The runtime that this clang links by default: from the folders of `LIBRARY_PATH`, then from its own.
    pub fn runtime(&self) -> Option<StockRuntime> {
        let listed = env::var_os("LIBRARY_PATH").unwrap_or_default();
        let own = self.prefix.join(RUNTIME_FOLDER);
        let mut folders =
            env::split_paths(&listed).filter(|folder| !folder.as_os_str().is_empty()).chain([own]);
        let folder = folders.find(|folder| folder.join(BITCODE).is_file())?;
        let bitcode = folder.join(BITCODE);
        let version = self.stamp(&bitcode);
        Some(StockRuntime { has_archive: folder.join(ARCHIVE).is_file(), version, bitcode })
    }

    /// The version of warpfold that a file of its bitcode states.
    pub fn stamp(&self, bitcode: &Path) -> Option<String> {
        let output = command(&self.clang.path)
            .args(["--target=nvptx64-nvidia-cuda", "-x", "ir", "-S", "-emit-llvm", "-Xclang"])
            .args(["-disable-llvm-passes", "-w", "-o", "-"])
            .arg(bitcode)
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let line = text.lines().find(|line| line.starts_with(STAMP))?;
        let held = line.split_once("c\"")?.1.split('"').next()?;
        Some(held.split('\\').next()?.to_string())
    }
}

/// CUDA's tools where clang looks without `--cuda-path`: around the ptxas of `PATH`, links resolved, then in
/// `/usr/local/cuda` and in Debian's `/usr/lib/cuda`.
pub fn stock_cuda() -> Option<StockCuda> {
    let around = |ptxas: PathBuf| {
        let program = fs::canonicalize(ptxas).ok()?;
        program.parent().filter(|dir| dir.ends_with("bin"))?.parent().map(Path::to_path_buf)
    };
    let first = on_path("ptxas").into_iter().next().and_then(around);
    let fixed = ["/usr/local/cuda", "/usr/lib/cuda"].map(PathBuf::from);
    first.into_iter().chain(fixed).find_map(|folder| toolkit(&folder))
}

/// The toolkit that `CUDA_HOME` or `CUDA_PATH` names.
pub fn named_cuda() -> Option<StockCuda> {
    ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(env::var_os).find_map(|dir| toolkit(Path::new(&dir)))
}

/// The folder, if it holds what clang needs for offloading.
fn toolkit(folder: &Path) -> Option<StockCuda> {
    let there = |name: &str| folder.join(name).exists();
    if !there("include") || !there("nvvm/libdevice/libdevice.10.bc") || !there("bin/nvlink") {
        return None;
    }
    let version = Version::after(&output_of(&folder.join("bin/ptxas"), &["--version"])?, ", V")?;
    Some(StockCuda { folder: folder.to_path_buf(), version })
}
