//! Where the unpacked CUDA tools are.

use std::path::{Path, PathBuf};

/// The version of NVIDIA's tools that `warpfold setup` downloads.
pub const CUDA_VERSION: &str = "13.5.37";

/// The folder of the unpacked CUDA tools below the cache's base directory, outside of the versioned
/// directories, because the tools do not depend on this project's version.
pub(crate) fn cuda_dir(base: &Path) -> PathBuf {
    base.join("cuda").join(CUDA_VERSION)
}
