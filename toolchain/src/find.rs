//! Discovery: where the tools are, which of them fit, and which of them fit together.
//!
//! Each kind of tool has a list of candidates in order of preference. An environment variable, if
//! set, is the only candidate: a wrong wish is told, not silently overruled.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cache::cuda_dir;
use crate::process::says;
use crate::record::Record;
use crate::{Cache, Error, Purpose, Version};

/// The oldest rustc whose flags the device build uses.
pub(crate) const OLDEST_RUSTC: Version = Version::new(1, 95, 0);
/// The oldest LLVM whose NVPTX back end and intrinsics the device code is written for.
pub(crate) const OLDEST_LLVM: Version = Version::new(22, 0, 0);
/// The oldest ptxas that knows the PTX version asked for up to sm_90 (see [`crate::ptx_version`]).
pub(crate) const OLDEST_PTXAS: Version = Version::new(11, 8, 0);

/// The programs of LLVM that the pipelines run.
const LLVM_PROGRAMS: [&str; 6] = ["llvm-link", "opt", "llc", "llvm-as", "llvm-dis", "llvm-nm"];

/// A program that was found fit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tool {
    /// The program.
    pub path: PathBuf,
    /// Its version.
    pub version: Version,
    /// All it says about itself; part of the key of everything it makes.
    pub(crate) identity: String,
}

/// A rustc together with the source of the `core` it belongs to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RustTools {
    /// The compiler.
    pub rustc: Tool,
    /// The LLVM inside it: its bitcode can be read by this major version and newer ones.
    pub llvm: Version,
    /// The directory that holds `core/src/lib.rs`.
    pub library: PathBuf,
}

/// One installation of LLVM's command-line tools.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LlvmTools {
    /// The directory of the programs.
    pub dir: PathBuf,
    /// What follows the programs' names: `-22` in `llc-22`; may be empty.
    pub suffix: String,
    /// The version of all of them.
    pub version: Version,
    pub(crate) identity: String,
}

impl LlvmTools {
    /// The path of one of the programs, such as `opt`.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.dir.join(format!("{name}{}", self.suffix))
    }
}

/// The tools of the device build, found and fitting together, with the cache for what they make.
#[derive(Clone, Debug)]
pub struct Tools {
    /// rustc and its library source.
    pub rust: RustTools,
    /// LLVM's programs, at least as new as rustc's LLVM.
    pub llvm: LlvmTools,
    pub(crate) cache: Cache,
    /// Set where the tools are elsewhere.
    pub(crate) recorded: Option<Record>,
}

impl Tools {
    /// Looks for a rustc with library source and for LLVM tools that can read its bitcode.
    ///
    /// Looked at, in this order: `WARPFOLD_DEVICE_RUSTC`, or else `/usr/bin/rustc` (Debian's
    /// `rustc-web` with `rust-web-src`), rustup's toolchains (newest first), rustc on `PATH`;
    /// `WARPFOLD_LLVM_BIN`, or else `/usr/lib/llvm-*/bin`, suffixed and plain programs on `PATH`
    /// (oldest fitting version first), rustup's `llvm-tools`. `WARPFOLD_TOOLS` names a file that
    /// [`Tools::record`] wrote on another machine instead: then everything must be in the cache.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] lists each candidate with the reason for its refusal, and the cure;
    /// [`Error::Cache`] or [`Error::Io`] if the cache cannot be opened.
    pub fn find() -> Result<Tools, Error> {
        Tools::find_with(Cache::open()?)
    }

    /// As [`Tools::find`], with a cache of the caller's choice.
    ///
    /// # Errors
    /// As [`Tools::find`].
    pub fn find_with(cache: Cache) -> Result<Tools, Error> {
        if let Some(file) = variable("WARPFOLD_TOOLS") {
            return Tools::recorded(&file, cache);
        }
        let rust = rust()?;
        let llvm = llvm(&rust)?;
        Ok(Tools { rust, llvm, cache, recorded: None })
    }

    /// The cache these tools work in.
    pub fn cache(&self) -> &Cache {
        &self.cache
    }
}

/// Why a candidate is not used.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) path: PathBuf,
    pub(crate) reason: String,
}

/// The first candidate that `examine` accepts, or every refusal. Paths that are not there are no candidates.
fn first_fit<T>(
    candidates: impl IntoIterator<Item = PathBuf>,
    examine: impl Fn(&Path) -> Result<T, String>,
) -> Result<T, Vec<Refusal>> {
    let mut refusals: Vec<Refusal> = Vec::new();
    for path in candidates {
        if refusals.iter().any(|refusal| refusal.path == path) {
            continue;
        }
        match examine(&path) {
            Ok(found) => return Ok(found),
            Err(reason) => refusals.push(Refusal { path, reason }),
        }
    }
    Err(refusals)
}

/// A missing tool as an error: `refusals` become its list of what was found.
pub(crate) fn missing(tool: &str, purpose: Purpose, refusals: &[Refusal], cure: &str) -> Error {
    let found = match refusals {
        [] => String::from("  (no candidate found)"),
        list => list
            .iter()
            .map(|refusal| format!("  {}: {}", refusal.path.display(), refusal.reason))
            .collect::<Vec<_>>()
            .join("\n"),
    };
    Error::ToolMissing { tool: tool.to_string(), purpose, found, cure: cure.to_string() }
}

pub(crate) const RUST_CURE: &str = "`warpfold setup`, or `apt-get install rustc-web rust-web-src`, or with rustup \
     (1.95 or newer) `rustup component add rust-src`; WARPFOLD_DEVICE_RUSTC names one rustc to use";
pub(crate) const LLVM_CURE: &str = "`warpfold setup`, or `apt-get install llvm-22`, or with rustup \
     `rustup component add llvm-tools`; WARPFOLD_LLVM_BIN names the directory to use";
pub(crate) const CLANG_CURE: &str =
    "`warpfold setup`, or `apt-get install clang-22`; WARPFOLD_CLANG names one to use";
pub(crate) const OFFLOAD_CURE: &str =
    "`warpfold setup`, or `apt-get install clang-tools-22 libomp-22-dev liboffload-22-dev`";
pub(crate) const FLANG_CURE: &str = "`warpfold setup`, or `apt-get install flang-22`";
pub(crate) const PTXAS_CURE: &str =
    "`warpfold setup`, or install the CUDA toolkit; WARPFOLD_PTXAS names one to use, or `none`";

fn rust() -> Result<RustTools, Error> {
    find_rust().map_err(|refusals| {
        missing("a rustc with the source of its library", Purpose::DeviceBuild, &refusals, RUST_CURE)
    })
}

fn llvm(rust: &RustTools) -> Result<LlvmTools, Error> {
    find_llvm(Some(rust)).map_err(|refusals| {
        let tool = format!(
            "LLVM {} or newer (llvm-link, opt, llc …; {} writes bitcode of LLVM {})",
            rust.llvm.major.max(OLDEST_LLVM.major),
            rust.rustc.path.display(),
            rust.llvm
        );
        missing(&tool, Purpose::DeviceBuild, &refusals, LLVM_CURE)
    })
}

pub(crate) fn find_rust() -> Result<RustTools, Vec<Refusal>> {
    let others = || {
        let debian = [PathBuf::from("/usr/bin/rustc")].into_iter().filter(|path| path.is_file());
        debian.chain(rustup_rustcs()).chain(on_path("rustc")).collect()
    };
    first_fit(only(variable("WARPFOLD_DEVICE_RUSTC"), others), examine_rustc)
}

/// The compilers of rustup's toolchains, those with a higher version in their name first.
pub(crate) fn rustup_rustcs() -> Vec<PathBuf> {
    let home =
        env::var_os("RUSTUP_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".rustup")));
    let Some(entries) = home.and_then(|home| fs::read_dir(home.join("toolchains")).ok()) else {
        return Vec::new();
    };
    let mut toolchains: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    toolchains.sort_by_key(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (std::cmp::Reverse(Version::parse(&name)), name)
    });
    toolchains.into_iter().map(|path| path.join("bin/rustc")).filter(|path| path.is_file()).collect()
}

fn examine_rustc(path: &Path) -> Result<RustTools, String> {
    let identity = says(path, &["-vV"]).ok_or("`rustc -vV` fails")?;
    let version = Version::after(&identity, "release: ").ok_or("its version cannot be read")?;
    if version < OLDEST_RUSTC {
        return Err(format!("version {version}; {OLDEST_RUSTC} or newer is needed"));
    }
    let llvm = Version::after(&identity, "LLVM version: ").ok_or("it is not built on LLVM")?;
    let sysroot = says(path, &["--print", "sysroot"]).ok_or("`rustc --print sysroot` fails")?;
    let library = Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library");
    if !library.join("core/src/lib.rs").is_file() {
        let prebuilt = Path::new(sysroot.trim()).join("lib/rustlib/nvptx64-nvidia-cuda").is_dir();
        let also = if prebuilt { "; its prebuilt nvptx64 library does not replace that" } else { "" };
        return Err(format!("version {version}, without library source in its sysroot{also}"));
    }
    Ok(RustTools { rustc: Tool { path: path.to_path_buf(), version, identity }, llvm, library })
}

/// Finds LLVM tools; with `rust`, only such that can read its bitcode.
pub(crate) fn find_llvm(rust: Option<&RustTools>) -> Result<LlvmTools, Vec<Refusal>> {
    let examine = |llc: &Path| examine_llvm(llc, rust);
    if let Some(dir) = variable("WARPFOLD_LLVM_BIN") {
        let programs = versioned(&dir, "llc");
        // An empty or wrong directory is still the only candidate: say what is wrong with it.
        let programs = if programs.is_empty() { vec![dir.join("llc")] } else { programs };
        return first_fit(programs, examine);
    }
    let mut candidates: Vec<PathBuf> = directories("/usr/lib", "llvm-")
        .into_iter()
        .map(|dir| dir.join("bin/llc"))
        .filter(|path| path.is_file())
        .chain(search_path().iter().flat_map(|dir| versioned(dir, "llc")))
        .collect();
    // The oldest that fits is the one the pipelines were most likely tested with.
    candidates.sort_by_key(|path| number_in_name(path).unwrap_or(u32::MAX));
    if let Some(rust) = rust {
        // rustup's component llvm-tools: lib/rustlib/<host>/bin, beside rustlib/src/rust/library.
        let rustlib = rust.library.ancestors().nth(3).unwrap_or(Path::new("/nonexistent"));
        let hosts = directories(rustlib, "").into_iter().map(|dir| dir.join("bin/llc"));
        candidates.extend(hosts.filter(|path| path.is_file()));
    }
    first_fit(candidates, examine)
}

fn examine_llvm(llc: &Path, rust: Option<&RustTools>) -> Result<LlvmTools, String> {
    let name = llc.file_name().unwrap_or_default().to_string_lossy();
    let suffix = name.strip_prefix("llc").unwrap_or_default().to_string();
    let dir = llc.parent().unwrap_or(Path::new("/")).to_path_buf();
    let identity = says(llc, &["--version"]).ok_or("no llc that runs")?;
    let version = Version::after(&identity, "LLVM version ").ok_or("its version cannot be read")?;
    if version < OLDEST_LLVM {
        return Err(format!("LLVM {version}; {} or newer is needed", OLDEST_LLVM.major));
    }
    if let Some(rust) = rust.filter(|rust| rust.llvm.major > version.major) {
        let (rustc, theirs) = (rust.rustc.path.display(), rust.llvm);
        return Err(format!("LLVM {version} cannot read the bitcode of {rustc}, which is of LLVM {theirs}"));
    }
    if !identity.contains("nvptx64") {
        return Err(format!("LLVM {version} without the NVPTX back end"));
    }
    let tools = LlvmTools { dir, suffix, version, identity };
    match LLVM_PROGRAMS.iter().find(|program| !tools.program(program).is_file()) {
        Some(program) => Err(format!("LLVM {version} without {program}{}", tools.suffix)),
        None => Ok(tools),
    }
}

pub(crate) fn examine_clang(path: &Path) -> Result<Tool, String> {
    let identity = says(path, &["--version"]).ok_or("`clang --version` fails")?;
    let version = Version::after(&identity, "clang version ").ok_or("its version cannot be read")?;
    if version < OLDEST_LLVM {
        return Err(format!("version {version}; {} or newer is needed", OLDEST_LLVM.major));
    }
    Ok(Tool { path: path.to_path_buf(), version, identity })
}

/// Finds a clang whose IR `llvm` can read.
pub(crate) fn find_clang(llvm: Option<&LlvmTools>) -> Result<Tool, Vec<Refusal>> {
    let examine = |path: &Path| {
        let clang = examine_clang(path)?;
        match llvm.filter(|llvm| llvm.version.major < clang.version.major) {
            None => Ok(clang),
            Some(llvm) => Err(format!(
                "version {}, newer than the LLVM tools ({}) that read its output",
                clang.version, llvm.version
            )),
        }
    };
    let others = || {
        let installed = directories("/usr/lib", "llvm-").into_iter().map(|dir| dir.join("bin/clang"));
        let mut others: Vec<PathBuf> = search_path().iter().flat_map(|dir| versioned(dir, "clang")).collect();
        others.extend(installed.filter(|path| path.is_file()));
        others.sort_by_key(|path| number_in_name(path).unwrap_or(u32::MAX));
        let beside = llvm.map(|llvm| llvm.program("clang")).filter(|path| path.is_file());
        beside.into_iter().chain(others).collect()
    };
    first_fit(only(variable("WARPFOLD_CLANG"), others), examine)
}

/// Finds what clang needs beside it to make and run OpenMP programs with device code: the programs that
/// link such code, and LLVM's host runtime.
pub(crate) fn find_offload(clang: Option<&Tool>) -> Result<Tool, Vec<Refusal>> {
    let Some(clang) = clang else { return Err(Vec::new()) };
    let examine = |path: &Path| {
        let bin = path.parent().unwrap_or(Path::new("/"));
        let lib = bin.with_file_name("lib");
        let needed = [
            bin.join("clang-linker-wrapper"),
            bin.join("clang-nvlink-wrapper"),
            lib.join("libomp.so"),
            lib.join("libomptarget.so"),
        ];
        match needed.iter().find(|file| !file.is_file()) {
            Some(file) => Err(format!("{} is not there", file.display())),
            None => Ok(Tool { path: needed[0].clone(), ..clang.clone() }),
        }
    };
    first_fit(fs::canonicalize(&clang.path), examine)
}

/// Finds a flang of the same version as the LLVM tools, beside them.
pub(crate) fn find_flang(llvm: Option<&LlvmTools>) -> Result<Tool, Vec<Refusal>> {
    let examine = |path: &Path| {
        let identity = says(path, &["--version"]).ok_or("`flang --version` fails")?;
        let version = Version::after(&identity, "flang version ").ok_or("its version cannot be read")?;
        Ok(Tool { path: path.to_path_buf(), version, identity })
    };
    let candidates = llvm.map(|llvm| {
        let installed = PathBuf::from(format!("/usr/lib/llvm-{}/bin/flang", llvm.version.major));
        [llvm.program("flang"), installed]
    });
    first_fit(candidates.into_iter().flatten().filter(|path| path.is_file()), examine)
}

/// The variable that names the ptxas to take, and its value for none.
pub(crate) const PTXAS_VARIABLE: &str = "WARPFOLD_PTXAS";
pub(crate) const NO_TOOL: &str = "none";

/// Finds ptxas: `WARPFOLD_PTXAS`, or else our unpacked wheels, `CUDA_HOME`, `CUDA_PATH`, `PATH`, `/usr/local/cuda`.
/// `base` is the cache's base directory.
pub(crate) fn find_ptxas(base: Option<&Path>) -> Result<Tool, Vec<Refusal>> {
    let examine = |path: &Path| {
        let identity = says(path, &["--version"]).ok_or("`ptxas --version` fails")?;
        let version = Version::after(&identity, ", V").ok_or("its version cannot be read")?;
        if version < OLDEST_PTXAS {
            return Err(format!("version {version}; {OLDEST_PTXAS} or newer is needed"));
        }
        Ok(Tool { path: path.to_path_buf(), version, identity })
    };
    let others = || {
        let homes = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(variable);
        let folders = base.map(cuda_dir).into_iter().chain(homes).map(|dir| dir.join("bin/ptxas"));
        let last = [PathBuf::from("/usr/local/cuda/bin/ptxas")];
        folders.chain(on_path("ptxas")).chain(last).filter(|path| path.is_file()).collect()
    };
    match variable(PTXAS_VARIABLE) {
        Some(wish) if wish.as_os_str() == NO_TOOL => Err(Vec::new()),
        wish => first_fit(only(wish, others), examine),
    }
}

/// The path that the user wished for, alone; without a wish, what else there is.
fn only(wish: Option<PathBuf>, others: impl FnOnce() -> Vec<PathBuf>) -> Vec<PathBuf> {
    wish.map_or_else(others, |path| vec![path])
}

/// The path in an environment variable that is set and not empty.
fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn search_path() -> Vec<PathBuf> {
    env::split_paths(&env::var_os("PATH").unwrap_or_else(|| OsString::from("/usr/bin:/bin"))).collect()
}

/// The program `name` in every directory of `PATH` that has it.
pub(crate) fn on_path(name: &str) -> Vec<PathBuf> {
    search_path().into_iter().map(|dir| dir.join(name)).filter(|path| path.is_file()).collect()
}

/// `name` and `name-NN` in `dir`.
fn versioned(dir: &Path, name: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let fits = |file: &str| {
        let rest = file.strip_prefix(name)?;
        (rest.is_empty() || rest.strip_prefix('-')?.parse::<u32>().is_ok()).then_some(())
    };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_str().and_then(fits).is_some())
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

/// The subdirectories of `parent` whose name starts with `prefix`, in order.
fn directories(parent: impl AsRef<Path>, prefix: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(parent) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

/// The NN of `…/llvm-NN/bin/llc` or `…/llc-NN`.
fn number_in_name(path: &Path) -> Option<u32> {
    path.components().rev().find_map(|part| part.as_os_str().to_str()?.rsplit_once('-')?.1.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A directory of shell scripts that stand for programs.
    fn scripts(programs: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, says) in programs {
            let path = dir.path().join(name);
            fs::write(&path, format!("#!/bin/sh\ncat <<'END'\n{says}\nEND\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            // A child that another test forked may still hold the script open for writing, and
            // the system runs no such file: wait until it does.
            while std::process::Command::new(&path).output().is_err() {
                std::thread::yield_now();
            }
        }
        dir
    }

    fn rust_of_llvm(major: u32) -> RustTools {
        let version = Version::new(1, 99, 0);
        let rustc = Tool { path: PathBuf::from("/x/rustc"), version, identity: String::new() };
        RustTools { rustc, llvm: Version::new(major, 1, 0), library: PathBuf::from("/x") }
    }

    #[test]
    fn llvm_older_than_the_bitcode_is_refused_with_both_versions() {
        let dir = scripts(&[("llc-22", "LLVM version 22.1.8\n nvptx64 - NVIDIA PTX 64-bit")]);
        let reason = examine_llvm(&dir.path().join("llc-22"), Some(&rust_of_llvm(23))).unwrap_err();
        assert!(reason.contains("22.1.8") && reason.contains("23.1.0"), "{reason}");
    }

    #[test]
    fn llvm_must_be_whole_new_enough_and_know_the_target() {
        let refuse = |says: &str| {
            let dir = scripts(&[("llc", says)]);
            examine_llvm(&dir.path().join("llc"), Some(&rust_of_llvm(22))).unwrap_err()
        };
        assert!(refuse("LLVM version 19.1.0\n nvptx64").contains("22 or newer"));
        assert!(refuse("LLVM version 22.1.8\n x86-64").contains("NVPTX"));
        assert!(refuse("LLVM version 22.1.8\n nvptx64").contains("without llvm-link"));
        let all: Vec<(String, &str)> = LLVM_PROGRAMS
            .iter()
            .map(|name| (format!("{name}-23"), "LLVM version 23.1.0\n nvptx64"))
            .collect();
        let all: Vec<(&str, &str)> = all.iter().map(|(name, says)| (name.as_str(), *says)).collect();
        let dir = scripts(&all);
        let found = examine_llvm(&dir.path().join("llc-23"), Some(&rust_of_llvm(22))).unwrap();
        assert_eq!((found.suffix.as_str(), found.version), ("-23", Version::new(23, 1, 0)));
    }

    #[test]
    fn a_rustc_too_old_or_without_source_is_refused_with_the_reason() {
        let dir = scripts(&[("rustc", "release: 1.70.0\nLLVM version: 16.0.0")]);
        let reason = examine_rustc(&dir.path().join("rustc")).unwrap_err();
        assert!(reason.contains("1.70.0") && reason.contains("1.95.0"), "{reason}");
        let dir = scripts(&[("rustc", "release: 1.96.0\nLLVM version: 22.1.8")]);
        let reason = examine_rustc(&dir.path().join("rustc")).unwrap_err();
        assert!(reason.contains("without library source"), "{reason}");
    }

    #[test]
    fn a_wish_is_the_only_candidate() {
        assert_eq!(only(Some("/wish".into()), || panic!("looked elsewhere")), [PathBuf::from("/wish")]);
        assert_eq!(only(None, || vec!["/other".into()]), [PathBuf::from("/other")]);
        let refusals = first_fit([PathBuf::from("/nowhere/rustc")], examine_rustc).unwrap_err();
        assert_eq!(refusals[0].reason, "`rustc -vV` fails");
    }

    #[test]
    fn the_error_lists_every_refusal_and_the_cure() {
        let refusals = [
            Refusal { path: "/a/rustc".into(), reason: "too old".into() },
            Refusal { path: "/b/rustc".into(), reason: "no source".into() },
        ];
        let text = missing("a rustc", Purpose::DeviceBuild, &refusals, RUST_CURE).to_string();
        for part in ["/a/rustc: too old", "/b/rustc: no source", "rustup component add rust-src"] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn the_number_in_a_name_orders_candidates() {
        assert_eq!(number_in_name(Path::new("/usr/lib/llvm-22/bin/llc")), Some(22));
        assert_eq!(number_in_name(Path::new("/usr/bin/llc-23")), Some(23));
        assert_eq!(number_in_name(Path::new("/usr/bin/llc")), None);
    }
}
