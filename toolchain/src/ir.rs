//! Links modules, runs passes and prints LLVM IR as text.

use std::fs;

use crate::cache::Key;
use crate::error::IoContext;
use crate::process::{command, run};
use crate::{Error, Input, Tools};

/// Modules that together become one module of LLVM IR text.
#[derive(Clone, Copy, Debug)]
pub struct IrBuild<'a> {
    /// The modules; a symbol defined twice is an error.
    pub modules: &'a [Input<'a>],
    /// Passes as `opt` takes them, such as `globaldce,default<O2>`; `verify` alone changes nothing.
    pub passes: &'a str,
    /// Further options of `opt`.
    pub options: &'a [&'a str],
}

impl Tools {
    /// Links the modules of `build`, runs the passes and returns IR as `opt` prints it. Kept in the cache by
    /// content.
    ///
    /// # Errors
    /// [`Error::Input`] for a build without modules, [`Error::Command`] if one of LLVM's tools fails,
    /// [`Error::Io`] if a file operation fails.
    pub fn ir(&self, build: &IrBuild) -> Result<String, Error> {
        if build.modules.is_empty() {
            let reason = "there is nothing to link".to_string();
            return Err(Error::Input { name: "IR build".to_string(), reason });
        }
        let mut key = Key::new("ir")
            .with_all([self.llvm.identity.as_str(), build.passes])
            .with_all(build.options.iter().copied());
        for module in build.modules {
            key = module.add_to(key)?;
        }
        let entry = self.cache.entry("ir", &key, |dir| {
            let scratch = self.cache.scratch()?;
            let linked = self.link(build.modules, scratch.path())?;
            run(command(self.llvm.program("opt"))
                .arg("-S")
                .arg(format!("-passes={}", build.passes))
                .args(build.options)
                .arg(&linked)
                .arg("-o")
                .arg(dir.join("module.ll")))?;
            Ok(())
        })?;
        let file = entry.join("module.ll");
        fs::read_to_string(&file).at("read", &file)
    }
}
