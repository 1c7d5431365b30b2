//! LLVM's tools as the compiler of the machines that tests use.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use ptx_emulator::HostCompiler;
use toolchain::{Cache, HostCode};

#[derive(Debug)]
struct Compiler(HostCode);

impl HostCompiler for Compiler {
    fn find(&self, ir: &str) -> Option<PathBuf> {
        self.0.kept(ir)
    }

    fn compile(&self, ir: &str) -> Result<PathBuf, String> {
        self.0.compile(ir).map_err(|error| error.to_string())
    }
}

/// The compiler; `None`, and a message, if LLVM is not installed.
pub fn compiler() -> Option<Arc<dyn HostCompiler>> {
    static COMPILER: OnceLock<Option<Arc<Compiler>>> = OnceLock::new();
    let found = COMPILER.get_or_init(|| {
        let code = Cache::open().and_then(HostCode::find_with);
        code.map_err(|error| eprintln!("skipped: compiled code: {error}")).map(Compiler).map(Arc::new).ok()
    });
    found.clone().map(|compiler| compiler as Arc<dyn HostCompiler>)
}
