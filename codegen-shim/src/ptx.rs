//! Compiles the emitted kernels to PTX, linked with the device runtime.

use toolchain::{Input, OptLevel, PtxBuild, Tools};

use crate::{COLUMNS, ColumnSpec, Error, KernelSpec, emit_columns, emit_kernels};

/// Compiles the kernels of `spec` ([`KernelSpec::kernels`]) to PTX for `sm_<sm>`: 90 stands for sm_90. The result is
/// cached by content.
///
/// # Errors
///
/// A tool that is missing or fails, an unknown architecture, or a cache that cannot be written.
pub fn kernel_ptx(tools: &Tools, spec: &KernelSpec, sm: u32, opt: OptLevel) -> Result<String, Error> {
    linked(tools, &emit_kernels(spec), &spec.list().modules(), spec.kernels(), sm, opt)
}

/// Compiles the kernel of `spec` ([`COLUMNS`]) to PTX for `sm_<sm>`. The result is cached by content.
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
    Ok(tools.ptx(&PtxBuild { modules: &modules, keep, sm, opt })?)
}
