//! What compiles kernels for the host: LLVM's code generator and the system's linker.

use std::{
    fs, io,
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::PathBuf,
    sync::{Arc, OnceLock},
};

use ptx_emulator::{HostCompiler, LlvmTools};

use crate::environment::variable;

/// The compiler; `None` if there is no LLVM, or no folder for what it makes.
pub(super) fn host_compiler() -> Option<Arc<dyn HostCompiler>> {
    static COMPILER: OnceLock<Option<Arc<LlvmTools>>> = OnceLock::new();
    let found = COMPILER.get_or_init(|| LlvmTools::in_search_path(&folder().ok()?).map(Arc::new));
    found.clone().map(|tools| tools as Arc<dyn HostCompiler>)
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
