//! The tools of the device build together with the cache: found on this machine, or saved on another one.
//!
//! A machine with a GPU may have no compilers. A copy of the cache of a machine that has them, and a
//! description of the tools saved there, let the same programs find the same cache entries: the keys contain
//! tools and inputs, not locations.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::cache::Cache;
use crate::error::{Error, IoContext};
use crate::find::{find_llvm, find_rust, variable};
use crate::llvm_choice::TRIED_LLVM;
use crate::prebuilt::Prebuilt;
use crate::purpose::Purpose;
use crate::tool::{LlvmTools, RUST_HINT, Rejected, RustTools, Tool, llvm_hint, missing};

/// The tools of the device build, compatible with each other, and the cache for their results.
#[derive(Clone, Debug)]
pub struct Tools {
    /// rustc and its library source, or the candidates that are not usable.
    rust: Result<RustTools, Vec<Rejected>>,
    /// LLVM's programs, at least as new as rustc's LLVM.
    pub llvm: LlvmTools,
    pub(crate) cache: Cache,
    /// Set if the tools are on another machine.
    pub(crate) saved: Option<SavedTools>,
    prebuilt: Option<Prebuilt>,
}

impl Tools {
    /// Looks for a rustc with library source and for LLVM tools that can read its bitcode. Beside a
    /// [prebuilt](Tools::prebuilt) runtime there need not be a rustc.
    ///
    /// Search order: `WARPFOLD_DEVICE_RUSTC`, or else `/usr/bin/rustc` (Debian's
    /// `rustc-web` with `rust-web-src`), rustup's toolchains (newest first), rustc on `PATH`;
    /// `WARPFOLD_LLVM_BIN`, or else `/usr/lib/llvm-*/bin`, suffixed and plain programs on `PATH`
    /// (oldest usable version first), rustup's `llvm-tools`. If `WARPFOLD_TOOLS` names a file that
    /// [`Tools::save`] wrote on another machine, nothing is searched: everything must be in the cache.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] lists each rejected candidate with the reason, and a suggested fix;
    /// [`Error::Cache`] or [`Error::Io`] if the cache cannot be opened.
    pub fn find() -> Result<Tools, Error> {
        Tools::find_with(Cache::open()?)
    }

    /// As [`Tools::find`], searched once per process.
    ///
    /// # Errors
    /// As [`Tools::find`].
    pub fn of_process() -> Result<&'static Tools, Error> {
        static TOOLS: OnceLock<Tools> = OnceLock::new();
        match TOOLS.get() {
            Some(tools) => Ok(tools),
            None => {
                let tools = Tools::find()?;
                Ok(TOOLS.get_or_init(|| tools))
            }
        }
    }

    /// As [`Tools::find`], with the given cache.
    ///
    /// # Errors
    /// As [`Tools::find`].
    pub fn find_with(cache: Cache) -> Result<Tools, Error> {
        if let Some(file) = variable("WARPFOLD_TOOLS") {
            return Tools::load(&file, cache);
        }
        let prebuilt = Prebuilt::find();
        let rust = find_rust();
        if prebuilt.is_none() {
            usable(&rust)?;
        }
        let llvm = llvm(rust.as_ref().ok())?;
        Ok(Tools { rust, llvm, cache, saved: None, prebuilt })
    }

    /// rustc and its library source.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] if there is none, which [`Tools::find`] accepts beside a prebuilt runtime.
    pub fn rust(&self) -> Result<&RustTools, Error> {
        usable(&self.rust)
    }

    /// The device runtime that lies beside the running program.
    pub fn prebuilt(&self) -> Option<&Prebuilt> {
        self.prebuilt.as_ref()
    }

    /// The cache for the results of these tools.
    pub fn cache(&self) -> &Cache {
        &self.cache
    }
}

fn usable(rust: &Result<RustTools, Vec<Rejected>>) -> Result<&RustTools, Error> {
    rust.as_ref().map_err(|rejected| {
        missing("a rustc with the source of its library", Purpose::DeviceBuild, rejected, RUST_HINT)
    })
}

fn llvm(rust: Option<&RustTools>) -> Result<LlvmTools, Error> {
    find_llvm(rust).map_err(|rejected| {
        let tool = match rust {
            Some(rust) => format!(
                "LLVM {} or newer (llvm-link, opt, llc …; {} writes bitcode of LLVM {})",
                rust.llvm.major.max(TRIED_LLVM[0]),
                rust.rustc.path.display(),
                rust.llvm
            ),
            None => format!("LLVM {} or newer (llvm-link, opt, llc …)", TRIED_LLVM[0]),
        };
        missing(&tool, Purpose::DeviceBuild, &rejected, &llvm_hint())
    })
}

/// The content of a file that [`Tools::save`] writes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedTools {
    rust: RustTools,
    llvm: LlvmTools,
    pub(crate) clang: Option<Tool>,
    pub(crate) flang: Option<Tool>,
    pub(crate) ptxas: Option<Tool>,
}

impl Tools {
    /// Saves a description of these tools for `WARPFOLD_TOOLS`, on a machine that has a copy of their cache
    /// instead of the tools.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be written, [`Error::ToolMissing`] without a rustc.
    pub fn save(&self, file: &Path) -> Result<(), Error> {
        let saved = SavedTools {
            rust: self.rust()?.clone(),
            llvm: self.llvm.clone(),
            clang: self.clang().ok(),
            flang: self.flang().ok(),
            ptxas: self.ptxas().ok(),
        };
        let text = serde_json::to_string_pretty(&saved).unwrap_or_default();
        fs::write(file, text).at("write", file)
    }

    /// The tools that were saved in `file`.
    fn load(file: &Path, cache: Cache) -> Result<Tools, Error> {
        let text = fs::read_to_string(file).at("read", file)?;
        let saved: SavedTools = serde_json::from_str(&text).map_err(|error| Error::Input {
            name: file.display().to_string(),
            reason: format!("not a file of saved tools: {error}"),
        })?;
        let (rust, llvm) = (saved.rust.clone(), saved.llvm.clone());
        Ok(Tools { rust: Ok(rust), llvm, cache, saved: Some(saved), prebuilt: None })
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::version::Version;

    #[test]
    fn saved_tools_are_loaded_unchanged() {
        let dir = tempfile::tempdir().unwrap();
        let tool = |name: &str| Tool {
            path: PathBuf::from(format!("/none/{name}")),
            version: Version::new(22, 1, 8),
            identity: format!("{name} \"quoted\"\nsecond line"),
        };
        let llvm = LlvmTools {
            dir: PathBuf::from("/none"),
            suffix: "-22".into(),
            version: Version::new(22, 1, 8),
            identity: "LLVM".into(),
        };
        let rust = RustTools {
            rustc: tool("rustc"),
            llvm: Version::new(22, 1, 2),
            library: PathBuf::from("/none/lib"),
        };
        let cache = || Cache::open_at(dir.path().join("cache")).unwrap();
        let saved =
            SavedTools { rust, llvm, clang: Some(tool("clang")), flang: None, ptxas: Some(tool("ptxas")) };
        let tools = Tools {
            rust: Ok(saved.rust.clone()),
            llvm: saved.llvm.clone(),
            cache: cache(),
            saved: Some(saved),
            prebuilt: None,
        };
        let file = dir.path().join("tools.json");
        tools.save(&file).unwrap();
        let again = Tools::load(&file, cache()).unwrap();
        assert_eq!(again.rust().unwrap().rustc.identity, tools.rust().unwrap().rustc.identity);
        assert_eq!(again.clang().unwrap().path, Path::new("/none/clang"));
        assert_eq!(again.ptxas().unwrap().identity, tool("ptxas").identity);
        fs::write(&file, "{}").unwrap();
        let error = Tools::load(&file, cache()).unwrap_err().to_string();
        assert!(error.contains("tools.json"), "{error}");
    }
}
