//! LLVM's tools as the compiler of the machines that tests use.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use ptx_emulator::{HostCompiler, LlvmTools};

/// The compiler; `None`, and a message, if LLVM is not installed.
pub fn compiler() -> Option<Arc<dyn HostCompiler>> {
    static COMPILER: OnceLock<Option<Arc<LlvmTools>>> = OnceLock::new();
    let found = COMPILER.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("compiled");
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        let tools = LlvmTools::in_search_path(&folder);
        if tools.is_none() {
            eprintln!("skipped: compiled code (no llc)");
        }
        tools.map(Arc::new)
    });
    found.clone().map(|tools| tools as Arc<dyn HostCompiler>)
}
