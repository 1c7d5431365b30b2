//! Finds the tools: which are installed, which are usable, and which are compatible with each other.
//!
//! Each tool has a list of candidates in order of preference. An environment variable that names one makes it
//! the only candidate: if it is unusable, that is an error, and no other is taken instead.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::cuda::{check_toolkit, cuda_dir};
use crate::llvm_choice::{LlvmChoice, TRIED_LLVM};
use crate::process::{kept_output_of, output_of, version_of};
use crate::tool::{LlvmTools, OLDEST_PTXAS, OLDEST_RUSTC, Rejected, RustTools, Tool};
use crate::version::Version;

/// The programs of LLVM that the pipelines run.
const LLVM_PROGRAMS: [&str; 6] = ["llvm-link", "opt", "llc", "llvm-as", "llvm-dis", "llvm-nm"];

/// The first candidate that `examine` accepts, or all candidates with the reasons for rejecting them.
fn first_usable<T>(
    candidates: impl IntoIterator<Item = PathBuf>,
    examine: impl Fn(&Path) -> Result<T, String>,
) -> Result<T, Vec<Rejected>> {
    let mut rejected: Vec<Rejected> = Vec::new();
    for path in candidates {
        if rejected.iter().any(|candidate| candidate.path == path) {
            continue;
        }
        match examine(&path) {
            Ok(found) => return Ok(found),
            Err(reason) => rejected.push(Rejected { path, reason }),
        }
    }
    Err(rejected)
}

pub(crate) fn find_rust() -> Result<RustTools, Vec<Rejected>> {
    let others = || {
        let debian = [PathBuf::from("/usr/bin/rustc")].into_iter().filter(|path| path.is_file());
        debian.chain(rustup_rustcs()).chain(on_path("rustc")).collect()
    };
    first_usable(only(variable("WARPFOLD_DEVICE_RUSTC"), others), examine_rustc)
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
    let identity = kept_output_of(path, &["-vV"]).ok_or("`rustc -vV` fails")?;
    let version = Version::after(&identity, "release: ").ok_or("its version cannot be read")?;
    if version < OLDEST_RUSTC {
        return Err(format!("version {version}; {OLDEST_RUSTC} or newer is needed"));
    }
    let llvm = Version::after(&identity, "LLVM version: ").ok_or("it is not built on LLVM")?;
    let sysroot = kept_output_of(path, &["--print", "sysroot"]).ok_or("`rustc --print sysroot` fails")?;
    let library = Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library");
    if !library.join("core/src/lib.rs").is_file() {
        let prebuilt = Path::new(sysroot.trim()).join("lib/rustlib/nvptx64-nvidia-cuda").is_dir();
        let also = if prebuilt { "; its prebuilt nvptx64 library does not replace that" } else { "" };
        return Err(format!("version {version}, without library source in its sysroot{also}"));
    }
    Ok(RustTools { rustc: Tool { path: path.to_path_buf(), version, identity }, llvm, library })
}

/// Finds LLVM tools; with `rust`, only those that can read its bitcode.
pub(crate) fn find_llvm(rust: Option<&RustTools>) -> Result<LlvmTools, Vec<Rejected>> {
    let examine = |llc: &Path| examine_llvm(llc, rust);
    if let Some(dir) = variable("WARPFOLD_LLVM_BIN") {
        let programs = versioned(&dir, "llc");
        // A directory without llc is still the only candidate, so that the error names it.
        let programs = if programs.is_empty() { vec![dir.join("llc")] } else { programs };
        return first_usable(programs, examine);
    }
    let mut candidates = installed_llcs();
    let choice = LlvmChoice::current().major();
    let oldest = rust.map_or(choice, |rust| rust.llvm.major.max(choice));
    candidates.sort_by_key(|path| preference(path, oldest));
    if let Some(rust) = rust {
        // rustup's component llvm-tools: lib/rustlib/<host>/bin, beside rustlib/src/rust/library.
        let rustlib = rust.library.ancestors().nth(3).unwrap_or(Path::new("/nonexistent"));
        let hosts = directories(rustlib, "").into_iter().map(|dir| dir.join("bin/llc"));
        candidates.extend(hosts.filter(|path| path.is_file()));
    }
    first_usable(candidates, examine)
}

/// The installed programs `llc`.
fn installed_llcs() -> Vec<PathBuf> {
    directories("/usr/lib", "llvm-")
        .into_iter()
        .map(|dir| dir.join("bin/llc"))
        .filter(|path| path.is_file())
        .chain(search_path().iter().flat_map(|dir| versioned(dir, "llc")))
        .collect()
}

/// The versions of LLVM that are installed and new enough, whether or not they are to be used, with their folders.
pub(crate) fn installed_llvms() -> Vec<(Version, PathBuf)> {
    let mut found: Vec<(Version, PathBuf)> = Vec::new();
    for llc in installed_llcs().iter().filter_map(|llc| fs::canonicalize(llc).ok()) {
        let folder = llc.parent().unwrap_or(Path::new("/")).to_path_buf();
        let version = || Version::after(&version_of(&llc)?, "LLVM version ");
        if found.iter().all(|(_, known)| *known != folder)
            && let Some(version) = version().filter(|version| version.major >= TRIED_LLVM[0])
        {
            found.push((version, folder));
        }
    }
    found
}

fn examine_llvm(llc: &Path, rust: Option<&RustTools>) -> Result<LlvmTools, String> {
    let name = llc.file_name().unwrap_or_default().to_string_lossy();
    let suffix = name.strip_prefix("llc").unwrap_or_default().to_string();
    let dir = llc.parent().unwrap_or(Path::new("/")).to_path_buf();
    let identity = version_of(llc).ok_or("no llc that runs")?;
    let version = Version::after(&identity, "LLVM version ").ok_or("its version cannot be read")?;
    LlvmChoice::current().check(version)?;
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

pub(crate) fn examine_clang(path: &Path, choice: LlvmChoice) -> Result<Tool, String> {
    let identity = version_of(path).ok_or("`clang --version` fails")?;
    let version = Version::after(&identity, "clang version ").ok_or("its version cannot be read")?;
    choice.check(version)?;
    Ok(Tool { path: path.to_path_buf(), version, identity })
}

/// Finds a clang whose IR `llvm` can read.
pub(crate) fn find_clang(llvm: Option<&LlvmTools>) -> Result<Tool, Vec<Rejected>> {
    let examine = |path: &Path| {
        let clang = examine_clang(path, LlvmChoice::current())?;
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
        let choice = LlvmChoice::current().major();
        others.sort_by_key(|path| preference(path, choice));
        let beside = llvm.map(|llvm| llvm.program("clang")).filter(|path| path.is_file());
        beside.into_iter().chain(others).collect()
    };
    first_usable(only(variable("WARPFOLD_CLANG"), others), examine)
}

/// Finds what clang needs to build and run OpenMP programs with device code: the linker wrappers and LLVM's
/// host runtime.
pub(crate) fn find_offload(clang: Option<&Tool>) -> Result<Tool, Vec<Rejected>> {
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
            Some(file) => Err(format!("{} is missing", file.display())),
            None => Ok(Tool { path: needed[0].clone(), ..clang.clone() }),
        }
    };
    first_usable(fs::canonicalize(&clang.path), examine)
}

/// Finds a flang of the same version as the LLVM tools, beside them.
pub(crate) fn find_flang(llvm: Option<&LlvmTools>) -> Result<Tool, Vec<Rejected>> {
    let examine = |path: &Path| {
        let identity = version_of(path).ok_or("`flang --version` fails")?;
        let version = Version::after(&identity, "flang version ").ok_or("its version cannot be read")?;
        Ok(Tool { path: path.to_path_buf(), version, identity })
    };
    let candidates = llvm.map(|llvm| {
        let installed = PathBuf::from(format!("/usr/lib/llvm-{}/bin/flang", llvm.version.major));
        [llvm.program("flang"), installed]
    });
    first_usable(candidates.into_iter().flatten().filter(|path| path.is_file()), examine)
}

/// Finds the integer set library by loading it, as the loop compiler does; nothing of it is called.
pub(crate) fn find_isl() -> Result<(PathBuf, Version), Vec<Rejected>> {
    // The loop compiler tries the same names, in this order.
    let names = ["libisl.so.23", "libisl.so.22", "libisl.so"];
    // SAFETY: isl runs no code of its own when it is loaded, or unloaded.
    let found = names.iter().find_map(|name| unsafe { libloading::Library::new(*name) }.ok());
    let _library = found.ok_or_else(Vec::new)?;
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let path = maps.lines().filter_map(|line| line.find('/').map(|at| &line[at..]));
    let path =
        path.filter(|path| path.contains("/libisl.so")).map(PathBuf::from).next().ok_or_else(Vec::new)?;
    // The file of libisl.so.23 is libisl.so.23.2.0.
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let version = Version::after(&name, "libisl.so.").unwrap_or(Version::new(0, 0, 0));
    Ok((path, version))
}

/// The suggested fix for a missing pip.
pub(crate) const PIP_HINT: &str = "`apt-get install python3-pip`";

/// Finds a python3 that has pip (`python3 -m pip`).
pub(crate) fn find_pip() -> Result<(PathBuf, Version), Vec<Rejected>> {
    let mut rejected = Vec::new();
    for path in on_path("python3") {
        match output_of(&path, &["-m", "pip", "--version"]).and_then(|text| Version::after(&text, "pip ")) {
            Some(version) => return Ok((path, version)),
            None => rejected.push(Rejected { path, reason: String::from("without pip") }),
        }
    }
    Err(rejected)
}

/// The variable that names the ptxas to use, and its value for none.
pub(crate) const PTXAS_VARIABLE: &str = "WARPFOLD_PTXAS";
pub(crate) const NO_TOOL: &str = "none";

/// Finds ptxas: `WARPFOLD_PTXAS`, or else the wheels that setup unpacked, `CUDA_HOME`, `CUDA_PATH`, `PATH`,
/// `/usr/local/cuda`. `base` is the cache's base directory.
pub(crate) fn find_ptxas(base: Option<&Path>) -> Result<Tool, Vec<Rejected>> {
    let examine = |path: &Path| {
        let identity = version_of(path).ok_or("`ptxas --version` fails")?;
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
        Some(path) if path.as_os_str() == NO_TOOL => Err(Vec::new()),
        path => first_usable(only(path, others), examine),
    }
}

/// Finds nvcc with CUDA's headers: in the folder of the ptxas that `WARPFOLD_PTXAS` names, or else as ptxas is found.
pub(crate) fn find_nvcc(base: Option<&Path>) -> Result<Tool, Vec<Rejected>> {
    let examine = |path: &Path| {
        let folder = path.ancestors().nth(2).unwrap_or(Path::new("/"));
        check_toolkit(folder)?;
        let identity = kept_output_of(path, &["--version"]).ok_or("`nvcc --version` fails")?;
        let version = Version::after(&identity, ", V").ok_or("its version cannot be read")?;
        Ok(Tool { path: path.to_path_buf(), version, identity })
    };
    let others = || {
        let homes = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(variable);
        let folders = base.map(cuda_dir).into_iter().chain(homes).map(|dir| dir.join("bin/nvcc"));
        let last = [PathBuf::from("/usr/local/cuda/bin/nvcc")];
        folders.chain(on_path("nvcc")).chain(last).filter(|path| path.is_file()).collect()
    };
    match variable(PTXAS_VARIABLE) {
        Some(path) if path.as_os_str() == NO_TOOL => Err(Vec::new()),
        path => first_usable(only(path.map(|ptxas| ptxas.with_file_name("nvcc")), others), examine),
    }
}

/// Only the path that the user named; `others` if none was named.
fn only(named: Option<PathBuf>, others: impl FnOnce() -> Vec<PathBuf>) -> Vec<PathBuf> {
    named.map_or_else(others, |path| vec![path])
}

/// The path in an environment variable that is set and not empty.
pub(crate) fn variable(name: &str) -> Option<PathBuf> {
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
    let matches = |file: &str| {
        let rest = file.strip_prefix(name)?;
        (rest.is_empty() || rest.strip_prefix('-')?.parse::<u32>().is_ok()).then_some(())
    };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_str().and_then(matches).is_some())
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

/// The order in which candidates are tried. The oldest usable version is the one that the project was most likely tested
/// with. Those whose name says that they are too old come last: running them for their version would only take time.
fn preference(path: &Path, oldest: u32) -> (bool, u32) {
    let number = number_in_name(path).unwrap_or(u32::MAX);
    (number < oldest, number)
}

/// The NN of `…/llvm-NN/bin/llc` or `…/llc-NN`.
fn number_in_name(path: &Path) -> Option<u32> {
    path.components().rev().find_map(|part| part.as_os_str().to_str()?.rsplit_once('-')?.1.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A directory of shell scripts that print the output of programs.
    fn scripts(programs: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, output) in programs {
            let path = dir.path().join(name);
            fs::write(&path, format!("#!/bin/sh\ncat <<'END'\n{output}\nEND\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            // A child that another test forked may still have the script open for writing; until it is
            // closed, the system does not execute it.
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
    fn llvm_older_than_the_bitcode_is_rejected_with_both_versions() {
        let dir = scripts(&[("llc-22", "LLVM version 22.1.8\n nvptx64 - NVIDIA PTX 64-bit")]);
        let reason = examine_llvm(&dir.path().join("llc-22"), Some(&rust_of_llvm(23))).unwrap_err();
        assert!(reason.contains("22.1.8") && reason.contains("23.1.0"), "{reason}");
    }

    #[test]
    fn llvm_must_be_complete_new_enough_and_have_the_target() {
        let reason = |output: &str| {
            let dir = scripts(&[("llc", output)]);
            examine_llvm(&dir.path().join("llc"), Some(&rust_of_llvm(22))).unwrap_err()
        };
        assert!(reason("LLVM version 19.1.0\n nvptx64").contains("22 or newer"));
        assert!(reason("LLVM version 22.1.8\n x86-64").contains("NVPTX"));
        assert!(reason("LLVM version 22.1.8\n nvptx64").contains("without llvm-link"));
        let all: Vec<(String, &str)> = LLVM_PROGRAMS
            .iter()
            .map(|name| (format!("{name}-23"), "LLVM version 23.1.0\n nvptx64"))
            .collect();
        let all: Vec<(&str, &str)> = all.iter().map(|(name, output)| (name.as_str(), *output)).collect();
        let dir = scripts(&all);
        let found = examine_llvm(&dir.path().join("llc-23"), Some(&rust_of_llvm(22))).unwrap();
        assert_eq!((found.suffix.as_str(), found.version), ("-23", Version::new(23, 1, 0)));
    }

    #[test]
    fn a_rustc_too_old_or_without_source_is_rejected_with_the_reason() {
        let dir = scripts(&[("rustc", "release: 1.70.0\nLLVM version: 16.0.0")]);
        let reason = examine_rustc(&dir.path().join("rustc")).unwrap_err();
        assert!(reason.contains("1.70.0") && reason.contains("1.95.0"), "{reason}");
        let dir = scripts(&[("rustc", "release: 1.96.0\nLLVM version: 22.1.8")]);
        let reason = examine_rustc(&dir.path().join("rustc")).unwrap_err();
        assert!(reason.contains("without library source"), "{reason}");
    }

    #[test]
    fn a_named_path_is_the_only_candidate() {
        assert_eq!(only(Some("/named".into()), || panic!("looked elsewhere")), [PathBuf::from("/named")]);
        assert_eq!(only(None, || vec!["/other".into()]), [PathBuf::from("/other")]);
        let rejected = first_usable([PathBuf::from("/nowhere/rustc")], examine_rustc).unwrap_err();
        assert_eq!(rejected[0].reason, "`rustc -vV` fails");
    }

    #[test]
    fn versions_that_are_too_old_are_tried_last() {
        let mut paths = ["/bin/llc-14", "/bin/llc", "/bin/llc-23", "/bin/llc-22"].map(Path::new);
        paths.sort_by_key(|path| preference(path, 22));
        assert_eq!(paths, ["/bin/llc-22", "/bin/llc-23", "/bin/llc", "/bin/llc-14"].map(Path::new));
    }

    #[test]
    fn the_number_in_a_name_orders_candidates() {
        assert_eq!(number_in_name(Path::new("/usr/lib/llvm-22/bin/llc")), Some(22));
        assert_eq!(number_in_name(Path::new("/usr/bin/llc-23")), Some(23));
        assert_eq!(number_in_name(Path::new("/usr/bin/llc")), None);
    }
}
