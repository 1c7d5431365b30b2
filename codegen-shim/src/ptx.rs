//! From a specification to PTX: the emitted module linked with the device runtime.

use std::path::PathBuf;

use toolchain::{DeviceCrate, Input, OptLevel, PtxJob, Tools};

use crate::{Error, KERNELS, KernelSpec, emit_kernels};

/// The device runtime as a file of architecture-neutral LLVM bitcode, built once into the cache.
///
/// # Errors
///
/// A tool that fails, or a cache that cannot be written.
pub fn runtime_bitcode(tools: &Tools) -> Result<PathBuf, Error> {
    let exports: Vec<_> = device_rt::EXPORTS.iter().map(|export| export.name).collect();
    let device_crate =
        DeviceCrate { name: "device_rt", edition: "2024", sources: device_rt::SOURCES, exports: &exports };
    Ok(tools.device_bitcode(&device_crate)?)
}

/// The PTX of the kernels of `spec` ([`KERNELS`]) for `sm_<sm>`, cached by content.
///
/// # Errors
///
/// A tool that fails, an unknown architecture, or a cache that cannot be written.
pub fn kernel_ptx(tools: &Tools, spec: &KernelSpec, sm: u32, opt: OptLevel) -> Result<String, Error> {
    let runtime = runtime_bitcode(tools)?;
    let modules = &[Input::Ir(&emit_kernels(spec)), Input::Bitcode(&runtime)];
    Ok(tools.ptx(&PtxJob { modules, keep: &KERNELS, sm, opt })?)
}
