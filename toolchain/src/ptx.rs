//! Compiles modules to PTX: links, makes all but the kept symbols internal, optimises, generates code.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::cache::Key;
use crate::error::IoContext;
use crate::narrow_stores::without_narrow_stores;
use crate::process::{command, run};
use crate::{Error, Tools};

/// One module to link.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// LLVM IR as text.
    Ir(&'a str),
    /// A file of LLVM bitcode, such as the result of [`Tools::device_bitcode`].
    Bitcode(&'a Path),
}

impl Input<'_> {
    /// Adds the module's content to the key.
    pub(crate) fn add_to(&self, key: Key) -> Result<Key, Error> {
        Ok(match self {
            Input::Ir(text) => key.with(b"ir").with(text.as_bytes()),
            Input::Bitcode(path) => key.with(b"bitcode").with(&fs::read(path).at("read", path)?),
        })
    }
}

/// The optimisation level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OptLevel {
    /// Almost none: `alwaysinline` functions are inlined, unused ones removed.
    O0,
    /// LLVM's `default<O1>`.
    O1,
    /// LLVM's `default<O2>`.
    O2,
    /// LLVM's `default<O3>`.
    O3,
}

impl OptLevel {
    /// The option for LLVM's tools and clang.
    pub(crate) fn flag(self) -> &'static str {
        match self {
            OptLevel::O0 => "-O0",
            OptLevel::O1 => "-O1",
            OptLevel::O2 => "-O2",
            OptLevel::O3 => "-O3",
        }
    }

    /// The passes between llvm-link and llc.
    fn passes(self) -> &'static str {
        match self {
            OptLevel::O0 => "internalize,globaldce,always-inline,globaldce",
            OptLevel::O1 => "internalize,globaldce,default<O1>,globaldce",
            OptLevel::O2 => "internalize,globaldce,default<O2>,globaldce",
            OptLevel::O3 => "internalize,globaldce,default<O3>,globaldce",
        }
    }
}

impl fmt::Display for OptLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.flag()[1..])
    }
}

/// Modules to be linked and compiled to PTX.
#[derive(Clone, Copy, Debug)]
pub struct PtxBuild<'a> {
    /// The modules; a symbol defined twice is an error.
    pub modules: &'a [Input<'a>],
    /// The symbols that stay visible, such as kernels. Everything else becomes internal, and is removed if it
    /// is not used.
    pub keep: &'a [&'a str],
    /// The architecture: 90 for sm_90.
    pub sm: u32,
    /// The optimisation level.
    pub opt: OptLevel,
}

/// The PTX version for `sm_<sm>` in LLVM's notation: 78 for PTX 7.8. `None` for an unsupported
/// architecture.
///
/// 7.8 is the oldest version with sm_89 and sm_90, and every driver of CUDA 11.8 and newer accepts it, so all
/// older architectures use it, too. Newer architectures use the version that introduced them. (Table "PTX
/// Release History" of NVIDIA's PTX ISA.)
pub fn ptx_version(sm: u32) -> Option<u32> {
    match sm {
        70 | 72 | 75 | 80 | 86 | 87 | 89 | 90 => Some(78),
        100 | 101 => Some(86),
        120 => Some(87),
        103 | 121 => Some(88),
        110 => Some(90),
        _ => None,
    }
}

/// `sm_NN` and `+ptxNN` for LLVM.
pub(crate) fn target_options(name: &str, sm: u32) -> Result<(String, String), Error> {
    let version = ptx_version(sm).ok_or_else(|| Error::Input {
        name: name.to_string(),
        reason: format!("sm_{sm} is not a supported architecture (70 to 90, 100 to 121)"),
    })?;
    Ok((format!("sm_{sm}"), format!("+ptx{version}")))
}

impl Tools {
    /// Links the modules of `build`, optimises and returns PTX text. The result is cached by content.
    ///
    /// # Errors
    /// [`Error::Input`] for an empty build, a name that cannot be kept or an unknown architecture,
    /// [`Error::Command`] if one of LLVM's tools fails (IR that does not parse, a symbol defined
    /// twice …), [`Error::Io`] if a file operation fails.
    pub fn ptx(&self, build: &PtxBuild) -> Result<String, Error> {
        let name = build.keep.first().copied().unwrap_or("PTX build");
        let invalid = |reason: &str| Error::Input { name: name.to_string(), reason: reason.to_string() };
        if build.modules.is_empty() || build.keep.is_empty() {
            return Err(invalid("nothing to link or nothing to keep"));
        }
        check_symbols(build.keep).map_err(|reason| invalid(&reason))?;
        let (cpu, feature) = target_options(name, build.sm)?;

        let mut key = Key::new("ptx without narrow stores")
            .with_all([self.llvm.identity.as_str(), &cpu, &feature, build.opt.passes(), build.opt.flag()])
            .with_all(build.keep.iter().copied());
        for module in build.modules {
            key = module.add_to(key)?;
        }
        let entry = self.cache.entry("ptx", &key, |dir| {
            let scratch = self.cache.scratch()?;
            let linked = self.link(build.modules, scratch.path())?;
            let optimised = scratch.path().join("optimised.bc");
            run(command(self.llvm.program("opt"))
                .args([
                    format!("-passes={}", build.opt.passes()),
                    format!("-mcpu={cpu}"),
                    format!("-mattr={feature}"),
                ])
                .arg(format!("-internalize-public-api-list={}", build.keep.join(",")))
                .arg(&linked)
                .arg("-o")
                .arg(&optimised))?;
            let file = dir.join("module.ptx");
            run(command(self.llvm.program("llc"))
                .args([build.opt.flag(), &format!("-mcpu={cpu}"), &format!("-mattr={feature}")])
                .arg(&optimised)
                .arg("-o")
                .arg(&file))?;
            let text = fs::read_to_string(&file).at("read", &file)?;
            fs::write(&file, without_narrow_stores(text)).at("write", &file)
        })?;
        let file = entry.join("module.ptx");
        fs::read_to_string(&file).at("read", &file)
    }

    /// Links the modules to one bitcode file in `scratch`.
    pub(crate) fn link(&self, modules: &[Input], scratch: &Path) -> Result<PathBuf, Error> {
        let linked = scratch.join("linked.bc");
        let mut link = command(self.llvm.program("llvm-link"));
        for (index, module) in modules.iter().enumerate() {
            match module {
                Input::Bitcode(path) => link.arg(path),
                Input::Ir(text) => {
                    let path = scratch.join(format!("module{index}.ll"));
                    fs::write(&path, text).at("write", &path)?;
                    link.arg(path)
                }
            };
        }
        run(link.arg("-o").arg(&linked))?;
        Ok(linked)
    }
}

/// Checks symbols for a comma-separated option.
pub(crate) fn check_symbols(symbols: &[&str]) -> Result<(), String> {
    let is_valid = |symbol: &str| {
        !symbol.is_empty() && symbol.chars().all(|c| c.is_ascii_alphanumeric() || "_$.".contains(c))
    };
    match symbols.iter().find(|symbol| !is_valid(symbol)) {
        Some(symbol) => Err(format!("`{symbol}` is not a symbol name that can be kept")),
        None => Ok(()),
    }
}
