//! Crates of kernels.

use device_library::RUNTIME;
use toolchain::{DeviceCrate, Error, Input, OptLevel, PtxBuild, Tools};

use crate::embedded;

/// A crate of kernels written in Rust, on top of `device_rt`.
///
/// Its root says `#![no_std]` and `#![feature(abi_ptx)]`; a kernel is a function
/// `#[unsafe(no_mangle)] pub unsafe extern "ptx-kernel" fn name(…)`. See `docs/rust.md`.
#[derive(Clone, Copy, Debug)]
pub struct KernelCrate<'a> {
    /// The crate's name.
    pub name: &'a str,
    /// Relative paths and contents. `src/lib.rs` is the root; `.ll` files are linked in.
    pub sources: &'a [(&'a str, &'a str)],
    /// The kernels' names.
    pub kernels: &'a [&'a str],
    /// The optimisation level.
    pub opt: OptLevel,
}

impl KernelCrate<'_> {
    /// The crate as PTX for `sm_<sm>`: what the program embeds for the newest architecture up to `sm`, or else
    /// compiled now, and cached.
    ///
    /// # Errors
    ///
    /// For tools that are missing or that reject the code, with their messages.
    pub fn ptx(&self, sm: u32) -> Result<String, Error> {
        match embedded::find(&self.digest(), sm) {
            Some(ptx) => Ok(ptx.to_owned()),
            None => self.compile(Tools::of_process().map_err(or_embed)?, sm),
        }
    }

    /// Compiles the crate to PTX. The result is cached.
    pub(crate) fn compile(&self, tools: &Tools, sm: u32) -> Result<String, Error> {
        let module = tools.device_module(&self.device_crate())?;
        tools.ptx(&PtxBuild { modules: &[Input::Bitcode(&module)], keep: self.kernels, sm, opt: self.opt })
    }

    /// Identifies what is compiled: the sources of the crate and of the device runtime, the kernels and the level.
    pub(crate) fn digest(&self) -> String {
        format!("{} {}", self.device_crate().digest(), self.opt)
    }

    pub(crate) fn device_crate(&self) -> DeviceCrate<'_> {
        DeviceCrate {
            name: self.name,
            edition: RUNTIME.edition,
            sources: self.sources,
            exports: self.kernels,
            dependencies: &[RUNTIME],
        }
    }
}

/// Adds to the hint what else helps where tools are missing.
fn or_embed(mut error: Error) -> Error {
    if let Error::ToolMissing { hint, .. } = &mut error {
        hint.push_str("; or let the crate's build script compile these kernels (device_code::Build)");
    }
    error
}
