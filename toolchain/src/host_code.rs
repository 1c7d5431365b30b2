//! Machine code of this machine: shared libraries made of LLVM IR, kept in the cache.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;

use crate::cache::{Cache, Key};
use crate::error::{Error, IoContext};
use crate::find::find_llvm;
use crate::process::{Limits, command, run_limited};
use crate::purpose::Purpose;
use crate::tool::{LlvmTools, llvm_hint, missing};

/// The cache's kind of entry, and the file in each.
const KIND: &str = "code";
const LIBRARY: &str = "code.so";
/// Bytes of the entries that are kept.
const MAX_BYTES: u64 = 256 << 20;
/// The longest text that is compiled.
const MAX_TEXT: usize = 16 << 20;
/// What a tool may take.
const LIMITS: Limits = Limits { seconds: 60, memory: 4 << 30 };

/// Compiles LLVM IR for the processor of this machine, in processes of LLVM's code generator and of a linker: whatever they
/// do, this one goes on.
#[derive(Debug)]
pub struct HostCode {
    llvm: LlvmTools,
    cache: Cache,
    /// What code depends on, besides its text and the tool.
    processor: String,
    /// Whether the entries were bounded: once, before the first one is added. It takes a look at each of them.
    trimmed: Once,
}

impl HostCode {
    /// Finds LLVM's tools, as [`Tools::find`](crate::Tools::find) does where there is no rustc.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] without a usable LLVM.
    pub fn find_with(cache: Cache) -> Result<HostCode, Error> {
        let llvm = find_llvm(None)
            .map_err(|rejected| missing("LLVM's llc", Purpose::HostCode, &rejected, &llvm_hint()))?;
        Ok(HostCode { llvm, cache, processor: processor(), trimmed: Once::new() })
    }

    /// LLVM's code generator.
    pub fn code_generator(&self) -> PathBuf {
        self.llvm.program("llc")
    }

    fn key(&self, ir: &str) -> Key {
        Key::new(KIND).with_all([self.llvm.identity.as_str(), &self.processor, ir])
    }

    /// The shared library that was made of a module of LLVM IR before, if it is kept.
    pub fn kept(&self, ir: &str) -> Option<PathBuf> {
        Some(self.cache.kept(KIND, &self.key(ir))?.join(LIBRARY))
    }

    /// The shared library of a module of LLVM IR. Of those that were made before, the ones used least recently are removed
    /// if they take too much.
    ///
    /// # Errors
    /// [`Error::Command`] if a tool fails, or takes more than 60 seconds or 4 GiB; [`Error::Input`] for more than 16 MiB.
    pub fn compile(&self, ir: &str) -> Result<PathBuf, Error> {
        if ir.len() > MAX_TEXT {
            let reason = format!("{} bytes of LLVM IR are too many", ir.len());
            return Err(Error::Input { name: "a function".to_owned(), reason });
        }
        let entry = self.cache.entry(KIND, &self.key(ir), |folder| {
            self.trimmed.call_once(|| self.cache.trim(KIND, MAX_BYTES));
            let scratch = self.cache.scratch()?;
            let (text, object) = (scratch.path().join("code.ll"), scratch.path().join("code.o"));
            fs::write(&text, ir).at("write", &text)?;
            let mut llc = tool(&self.code_generator());
            llc.args(["-O1", "-mcpu=native", "-relocation-model=pic", "-filetype=obj", "-o"]);
            run_limited(llc.args([&object, &text]), LIMITS)?;
            let mut link = tool(Path::new("ld"));
            link.args(["-shared", "-o"]).arg(folder.join(LIBRARY)).arg(&object);
            run_limited(&mut link, LIMITS)
        })?;
        Ok(entry.join(LIBRARY))
    }
}

/// A command without what this process was given for itself.
fn tool(path: &Path) -> std::process::Command {
    let mut command = command(path);
    command.env_remove("LD_PRELOAD");
    command
}

/// What the system says of its processor, for which the code is.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let first = text.lines().take_while(|line| !line.trim().is_empty());
    let is_fixed = |line: &&str| {
        ["vendor", "cpu family", "model", "flags", "Features", "CPU "]
            .iter()
            .any(|name| line.starts_with(name))
    };
    first.filter(is_fixed).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const IR: &str = "define i32 @seven() {\n  ret i32 7\n}\n";

    fn host_code(folder: &Path) -> Option<HostCode> {
        let cache = Cache::open_at(folder.to_path_buf()).expect("a cache");
        HostCode::find_with(cache).map_err(|error| eprintln!("skipped: {error}")).ok()
    }

    #[test]
    fn code_is_made_kept_and_made_again_where_it_is_damaged() {
        let folder = tempfile::tempdir().expect("a folder");
        let Some(code) = host_code(folder.path()) else { return };
        assert_eq!(code.kept(IR), None);
        let library = code.compile(IR).expect("code");
        // SAFETY: the library was made of the text above, which has no initialisers.
        let loaded = unsafe { libloading::Library::new(&library) }.expect("a library");
        // SAFETY: the text defines the function with this type.
        let seven = unsafe { loaded.get::<unsafe extern "C" fn() -> i32>(b"seven") }.expect("a function");
        // SAFETY: it has no preconditions.
        assert_eq!(unsafe { seven() }, 7);
        assert_eq!(code.kept(IR), Some(library.clone()));
        assert_eq!(code.kept(&IR.replace('7', "8")), None);
        drop(loaded);
        fs::write(&library, "damaged").expect("the file can be written");
        assert_eq!(code.kept(IR), None);
        assert_eq!(code.compile(IR).expect("code"), library);
        assert!(fs::metadata(&library).expect("a file").len() > 100);
    }

    #[test]
    fn a_text_that_is_no_ir_is_an_error_with_llvm_s_message() {
        let folder = tempfile::tempdir().expect("a folder");
        let Some(code) = host_code(folder.path()) else { return };
        let error = code.compile("define i32 @f() { ret i64 0 }").unwrap_err().to_string();
        assert!(error.contains("code.ll:1:") && error.contains("llc"), "{error}");
        let error = code.compile(&" ".repeat(MAX_TEXT + 1)).unwrap_err().to_string();
        assert!(error.contains("too many"), "{error}");
    }
}
