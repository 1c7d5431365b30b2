//! Where the unpacked CUDA tools are, and what belongs to a toolkit.

use std::path::{Path, PathBuf};

/// The version of NVIDIA's tools that `warpfold setup` downloads.
pub const CUDA_VERSION: &str = "13.5.37";

/// The folder of the unpacked CUDA tools below the cache's base directory, outside of the versioned
/// directories, because the tools do not depend on this project's version.
pub(crate) fn cuda_dir(base: &Path) -> PathBuf {
    base.join("cuda").join(CUDA_VERSION)
}

/// Whether a folder is that of a toolkit; why not.
pub(crate) fn check_toolkit(folder: &Path) -> Result<(), String> {
    let any = |names: &[&str]| match names.iter().any(|name| folder.join(name).exists()) {
        true => Ok(()),
        false => Err(format!("{} has no {}", folder.display(), names[0])),
    };
    any(&["bin/ptxas"])?;
    any(&["nvvm/libdevice"])?;
    any(&["include/cuda_runtime.h"])?;
    any(&["include/cccl/nv/target", "include/nv/target"])
}
