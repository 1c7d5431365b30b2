//! What compiles kernels for the host: LLVM's code generator and the system's linker.

use std::{
    path::PathBuf,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use ptx_emulator::{Engine, HostCompiler, LaunchOptions};
use toolchain::{Cache, HostCode};

use crate::{environment::has_more_rights, log};

/// LLVM as the compiler of an emulated machine.
#[derive(Debug)]
pub struct LlvmCompiler(HostCode);

impl LlvmCompiler {
    /// Finds LLVM's tools. What they make is kept in a cache, and loaded into this process.
    ///
    /// # Errors
    ///
    /// Those of [`HostCode::find_with`].
    pub fn find_with(cache: Cache) -> Result<LlvmCompiler, toolchain::Error> {
        HostCode::find_with(cache).map(LlvmCompiler)
    }

    /// LLVM's code generator.
    pub fn code_generator(&self) -> PathBuf {
        self.0.code_generator()
    }
}

impl HostCompiler for LlvmCompiler {
    fn find(&self, ir: &str) -> Option<PathBuf> {
        self.0.kept(ir)
    }

    fn compile(&self, ir: &str) -> Result<PathBuf, String> {
        self.0.compile(ir).map_err(|error| error.to_string())
    }
}

/// The compiler of this process. It looks for its tools when it is first asked for something: most programs end before.
#[derive(Debug)]
pub(super) struct LazyCompiler;

impl HostCompiler for LazyCompiler {
    fn find(&self, ir: &str) -> Option<PathBuf> {
        compiler().as_ref().ok()?.find(ir)
    }

    fn compile(&self, ir: &str) -> Result<PathBuf, String> {
        compiler().as_ref().map_err(String::clone)?.compile(ir)
    }
}

/// The code generator by which kernels that run long are compiled for the host.
///
/// # Errors
///
/// Why kernels are interpreted.
pub fn code_generator() -> Result<PathBuf, String> {
    compiler().as_ref().map(LlvmCompiler::code_generator).map_err(String::clone)
}

/// Says once why launches are interpreted although machine code was asked for, if they are.
pub(super) fn explain_interpreter(options: &LaunchOptions, is_observed: bool) {
    static SAID: AtomicBool = AtomicBool::new(false);
    if options.engine != Engine::Compile || SAID.load(Ordering::Relaxed) {
        return;
    }
    let why = if is_observed {
        "checks and profiles use the interpreter".to_owned()
    } else if options.seed.is_some() || options.switch_every.is_some() {
        "a schedule that a seed chooses uses the interpreter".to_owned()
    } else {
        match code_generator() {
            Ok(_) => return,
            Err(why) => why,
        }
    };
    SAID.store(true, Ordering::Relaxed);
    log::notice_later(&format!("kernels are interpreted, not compiled: {why}"));
}

fn compiler() -> &'static Result<LlvmCompiler, String> {
    static COMPILER: OnceLock<Result<LlvmCompiler, String>> = OnceLock::new();
    COMPILER.get_or_init(|| {
        if has_more_rights() {
            // The user who started the process chose where programs are looked for.
            return Err("a process with more rights than its user runs no other programs".to_owned());
        }
        Cache::open().and_then(LlvmCompiler::find_with).map_err(|error| error.to_string())
    })
}
