//! What a tool is needed for.

use std::fmt;

/// What a tool is needed for. Building for and running on the emulator needs [`Purpose::DeviceBuild`] alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// Building device code to bitcode and PTX.
    DeviceBuild,
    /// Building kernels written in Rust, where the device runtime is prebuilt. Optional.
    RustKernels,
    /// Checking PTX with NVIDIA's assembler, and making programs that run on a GPU. Optional.
    PtxCheck,
    /// Compiling CUDA programs. Optional.
    Cuda,
    /// Compiling C kernels for the device. Optional.
    CKernels,
    /// Making and running OpenMP programs with device code. Optional.
    Offload,
    /// Compiling Fortran. Optional.
    Fortran,
    /// Analysing loops. Optional.
    Loops,
    /// Running kernels on the emulator as machine code of this machine. Optional.
    HostCode,
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
            Purpose::RustKernels => "kernels written in Rust",
            Purpose::PtxCheck => "checking PTX, and OpenMP programs that run on a GPU",
            Purpose::Cuda => "compiling CUDA programs",
            Purpose::CKernels => "compiling C kernels",
            Purpose::Offload => "OpenMP programs with device code",
            Purpose::Fortran => "compiling Fortran",
            Purpose::Loops => "analysing loops",
            Purpose::HostCode => "machine code of emulated kernels",
            Purpose::Download => "downloading NVIDIA's tools",
        })
    }
}
