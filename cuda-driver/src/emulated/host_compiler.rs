//! What compiles kernels for the host: LLVM's code generator and the system's linker.

use std::{
    fs, io,
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::PathBuf,
    sync::OnceLock,
};

use ptx_emulator::{HostCompiler, LlvmTools};

use crate::environment::variable;

/// The compiler. It looks for its tools when it is first asked for something: most programs end before.
#[derive(Debug)]
pub(super) struct LazyCompiler;

impl HostCompiler for LazyCompiler {
    fn find(&self, ir: &str) -> Option<PathBuf> {
        tools()?.find(ir)
    }

    fn compile(&self, ir: &str) -> Result<PathBuf, String> {
        tools().ok_or("there is no LLVM, or no folder for compiled kernels")?.compile(ir)
    }
}

/// The code generator by which kernels that run long are compiled for the host; `None` if they are interpreted.
pub fn code_generator() -> Option<PathBuf> {
    tools().map(|tools| tools.code_generator().to_path_buf())
}

fn tools() -> Option<&'static LlvmTools> {
    static TOOLS: OnceLock<Option<LlvmTools>> = OnceLock::new();
    TOOLS.get_or_init(|| LlvmTools::in_search_path(&folder().ok()?)).as_ref()
}

/// The user's folder for compiled kernels. What is there is executed: nobody else may write there.
fn folder() -> io::Result<PathBuf> {
    let named = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = named("WARPFOLD_CACHE")
        .or_else(|| named("XDG_CACHE_HOME").map(|caches| caches.join("warpfold")))
        .or_else(|| named("HOME").map(|home| home.join(".cache/warpfold")))
        .ok_or(io::ErrorKind::NotFound)?;
    let folder = base.join(env!("CARGO_PKG_VERSION")).join("code");
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
    let metadata = fs::metadata(&folder)?;
    // SAFETY: the function has no preconditions.
    let user = unsafe { libc::geteuid() };
    match metadata.uid() == user && metadata.mode() & 0o022 == 0 {
        true => Ok(folder),
        false => Err(io::ErrorKind::PermissionDenied.into()),
    }
}
