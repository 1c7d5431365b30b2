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
    let kernels = emit_kernels(spec);
    let mut modules = vec![Input::Ir(&kernels), Input::Bitcode(&runtime)];
    modules.extend(spec.list().modules().into_iter().map(Input::Ir));
    Ok(tools.ptx(&PtxJob { modules: &modules, keep: &KERNELS, sm, opt })?)
}
