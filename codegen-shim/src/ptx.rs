//! From a specification to PTX: the emitted module linked with the device runtime.

use toolchain::{Input, OptLevel, PtxJob, Tools};

use crate::{Error, KERNELS, KernelSpec, emit_kernels, runtime_bitcode};

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
