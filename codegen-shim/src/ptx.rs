//! From a specification to PTX: the emitted module linked with the device runtime.

use toolchain::{Input, OptLevel, PtxJob, Tools};

use crate::{COLUMNS, ColumnSpec, Error, KERNELS, KernelSpec, emit_columns, emit_kernels};

/// The PTX of the kernels of `spec` ([`KERNELS`]) for `sm_<sm>`, cached by content.
///
/// # Errors
///
/// A tool that fails, an unknown architecture, or a cache that cannot be written.
pub fn kernel_ptx(tools: &Tools, spec: &KernelSpec, sm: u32, opt: OptLevel) -> Result<String, Error> {
    linked(tools, &emit_kernels(spec), &spec.list().modules(), &KERNELS, sm, opt)
}

/// The PTX of the kernel of `spec` ([`COLUMNS`]) for `sm_<sm>`, cached by content.
///
/// # Errors
///
/// As [`kernel_ptx`].
pub fn columns_ptx(tools: &Tools, spec: &ColumnSpec, sm: u32, opt: OptLevel) -> Result<String, Error> {
    linked(tools, &emit_columns(spec), &spec.batches().modules(), &[COLUMNS], sm, opt)
}

fn linked(
    tools: &Tools,
    emitted: &str,
    user: &[&str],
    keep: &[&str],
    sm: u32,
    opt: OptLevel,
) -> Result<String, Error> {
    let runtime = device_library::runtime_bitcode(tools)?;
    let mut modules = vec![Input::Ir(emitted), Input::Bitcode(&runtime)];
    modules.extend(user.iter().copied().map(Input::Ir));
    Ok(tools.ptx(&PtxJob { modules: &modules, keep, sm, opt })?)
}
