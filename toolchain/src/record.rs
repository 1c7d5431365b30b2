//! Tools that are elsewhere: what they made is in the cache that comes along.
//!
//! A machine with a GPU may have no compilers. The cache of a machine that has them, and a record of
//! them, let the same programs find the same entries there: the keys name tools and inputs, not
//! places.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::IoContext;
use crate::{Cache, Error, LlvmTools, RustTools, Tool, Tools};

/// What [`Tools::record`] writes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    rust: RustTools,
    llvm: LlvmTools,
    pub(crate) clang: Option<Tool>,
    pub(crate) ptxas: Option<Tool>,
}

impl Tools {
    /// Writes a record of these tools, for `WARPFOLD_TOOLS` on a machine that has none of them but a
    /// copy of their cache.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be written.
    pub fn record(&self, file: &Path) -> Result<(), Error> {
        let record = Record {
            rust: self.rust.clone(),
            llvm: self.llvm.clone(),
            clang: self.clang().ok(),
            ptxas: self.ptxas().ok(),
        };
        let text = serde_json::to_string_pretty(&record).unwrap_or_default();
        fs::write(file, text).at("write", file)
    }

    /// The tools of a record.
    pub(crate) fn recorded(file: &Path, cache: Cache) -> Result<Tools, Error> {
        let text = fs::read_to_string(file).at("read", file)?;
        let record: Record = serde_json::from_str(&text).map_err(|error| Error::Input {
            name: file.display().to_string(),
            reason: format!("no record of tools: {error}"),
        })?;
        let (rust, llvm) = (record.rust.clone(), record.llvm.clone());
        Ok(Tools { rust, llvm, cache, recorded: Some(record) })
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::Version;

    #[test]
    fn a_record_gives_the_tools_back() {
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
        let record = Record { rust, llvm, clang: Some(tool("clang")), ptxas: Some(tool("ptxas")) };
        let recorded = Some(record.clone());
        let tools = Tools { rust: record.rust, llvm: record.llvm, cache: cache(), recorded };
        let file = dir.path().join("tools.json");
        tools.record(&file).unwrap();
        let again = Tools::recorded(&file, cache()).unwrap();
        assert_eq!(again.rust.rustc.identity, tools.rust.rustc.identity);
        assert_eq!(again.clang().unwrap().path, Path::new("/none/clang"));
        assert_eq!(again.ptxas().unwrap().identity, tool("ptxas").identity);
        fs::write(&file, "{}").unwrap();
        let error = Tools::recorded(&file, cache()).unwrap_err().to_string();
        assert!(error.contains("tools.json"), "{error}");
    }
}
