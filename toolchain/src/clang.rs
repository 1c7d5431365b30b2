//! Compiles C for the device, without CUDA or a C library.

use std::fs;

use crate::cache::Key;
use crate::error::IoContext;
use crate::find::find_clang;
use crate::process::{command, run};
use crate::ptx::target_options;
use crate::tool::{clang_hint, missing};
use crate::{Error, Input, OptLevel, PtxBuild, Purpose, Tool, Tools};

/// A C source for nvptx64. Kernels have the attribute `__attribute__((nvptx_kernel))`.
#[derive(Clone, Copy, Debug)]
pub struct ClangBuild<'a> {
    /// The C text.
    pub source: &'a str,
    /// The architecture: 90 for sm_90.
    pub sm: u32,
    /// The optimisation level.
    pub opt: OptLevel,
    /// Further options, such as `-DN=3`.
    pub options: &'a [&'a str],
}

impl Tools {
    /// Finds a clang whose IR the LLVM tools can read.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] with every candidate and the reason for rejecting it.
    pub fn clang(&self) -> Result<Tool, Error> {
        if let Some(saved) = &self.saved
            && let Some(clang) = &saved.clang
        {
            return Ok(clang.clone());
        }
        find_clang(Some(&self.llvm))
            .map_err(|rejected| missing("clang", Purpose::CKernels, &rejected, &clang_hint()))
    }

    /// Compiles C to LLVM IR text, to be linked with a device runtime. Kept in the cache.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] without clang, [`Error::Command`] with clang's diagnostics.
    pub fn clang_ir(&self, build: &ClangBuild) -> Result<String, Error> {
        let clang = self.clang()?;
        let (cpu, feature) = target_options("C kernels", build.sm)?;
        let mut options = vec![
            "--target=nvptx64-nvidia-cuda".to_string(),
            format!("-march={cpu}"),
            format!("--cuda-feature={feature}"),
            build.opt.flag().to_string(),
        ];
        options.extend(["-nostdlib", "-ffreestanding", "-S", "-emit-llvm", "-x", "c"].map(String::from));
        options.extend(build.options.iter().map(|option| option.to_string()));
        let key = Key::new("clang")
            .with_all([clang.identity.as_str(), build.source])
            .with_all(options.iter().map(String::as_str));
        let entry = self.cache.entry("clang", &key, |dir| {
            let scratch = self.cache.scratch()?;
            // With a relative path the IR does not contain the path of the temporary directory.
            let source = scratch.path().join("kernels.c");
            fs::write(&source, build.source).at("write", &source)?;
            run(command(&clang.path)
                .current_dir(scratch.path())
                .args(&options)
                .args(["kernels.c", "-o"])
                .arg(dir.join("kernels.ll")))?;
            Ok(())
        })?;
        let file = entry.join("kernels.ll");
        fs::read_to_string(&file).at("read", &file)
    }

    /// Compiles C kernels and links them with `modules` to PTX that keeps `keep`.
    ///
    /// # Errors
    /// As [`Tools::clang_ir`] and [`Tools::ptx`].
    pub fn clang_ptx(&self, build: &ClangBuild, modules: &[Input], keep: &[&str]) -> Result<String, Error> {
        let ir = self.clang_ir(build)?;
        let modules: Vec<Input> = [Input::Ir(&ir)].into_iter().chain(modules.iter().copied()).collect();
        self.ptx(&PtxBuild { modules: &modules, keep, sm: build.sm, opt: build.opt })
    }
}
