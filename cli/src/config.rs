//! `warpfold config`: settings that other builds need.

use toolchain::Tools;

use crate::{driver, error::Error, output};

/// Which setting to print.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub struct Options {
    /// The value of CUDA_LIBRARY_PATH with which a crate that depends on host-rt builds
    #[arg(long)]
    cuda_link_dir: bool,
    /// The value of LD_LIBRARY_PATH with which any CUDA or OpenMP offload program runs on the emulator
    #[arg(long)]
    driver_dir: bool,
    /// The value of LIBRARY_PATH with which clang 22 finds the OpenMP device runtime; built where it is missing
    #[arg(long)]
    openmp_dir: bool,
    /// The folder for clang's --cuda-path: the CUDA tools that were found
    #[arg(long)]
    cuda_dir: bool,
    /// Where built device code and downloaded tools are kept
    #[arg(long)]
    cache_dir: bool,
}

/// Prints the setting.
pub fn run(options: &Options) -> Result<(), Error> {
    let path = if options.cuda_link_dir {
        host_rt::cuda_link_dir()?
    } else if options.driver_dir {
        driver::install()?
    } else if options.openmp_dir {
        device_library::openmp_library(&Tools::find()?)?
    } else if options.cuda_dir {
        Tools::find()?.cuda_dir()?
    } else {
        debug_assert!(options.cache_dir, "the group wants one");
        toolchain::Cache::open()?.root().to_path_buf()
    };
    output::line(path.display())
}
