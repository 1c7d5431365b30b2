//! `warpfold config`: prints paths that other builds need.

use toolchain::Tools;

use crate::{device_runtime, driver, error::Error, output};

/// Options of `warpfold config`.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub struct Options {
    /// For CUDA_LIBRARY_PATH: builds a crate that depends on host-rt
    #[arg(long)]
    cuda_link_dir: bool,
    /// For LD_LIBRARY_PATH: runs any CUDA or OpenMP offloading program on the emulator
    #[arg(long)]
    driver_dir: bool,
    /// For LIBRARY_PATH: clang 22 finds the OpenMP device runtime (built if missing)
    #[arg(long)]
    openmp_dir: bool,
    /// For clang's --cuda-path: the folder of the CUDA tools that were found
    #[arg(long)]
    cuda_dir: bool,
    /// For CUDA_HOME and CUDACXX (DIR/bin/nvcc): CUDA's tools, whose programs run on the emulator, too
    #[arg(long)]
    cuda_toolkit_dir: bool,
    /// The cache of built device code and downloaded tools
    #[arg(long)]
    cache_dir: bool,
}

/// Prints the path.
pub fn run(options: &Options) -> Result<(), Error> {
    let path = if options.cuda_link_dir {
        host_rt::cuda_link_dir()?
    } else if options.driver_dir {
        driver::install()?
    } else if options.openmp_dir {
        device_runtime::openmp_folder(&Tools::find()?)?
    } else if options.cuda_dir {
        Tools::find()?.cuda_dir()?
    } else if options.cuda_toolkit_dir {
        driver::cuda_toolkit()?.folder().to_path_buf()
    } else {
        debug_assert!(options.cache_dir, "the group requires one");
        toolchain::Cache::open()?.root().to_path_buf()
    };
    output::line(path.display())
}
