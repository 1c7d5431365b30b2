//! LLVM's tests of offloading (`offload/test`), from Debian's source package, run by lit and FileCheck for
//! NVPTX on the emulator.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use toolchain::{Language, Tools};

use super::suite::{Outcomes, Setup, Stop, fetch, link, output, wheels, write};

/// Debian's source package, and the checksum of its archive.
const SOURCE: &str = "llvm-toolchain-19=1:19.1.7-3~deb12u1";
const ARCHIVE: &str = "llvm-toolchain-19_19.1.7.orig.tar.xz";
const SHA256: &str = "ae498f3bc58ae2d9f64ef5f0c035c4240152bf015a5b7738b15c22e93bdc97ce";
const TESTS: &str = "llvm-toolchain-19_19.1.7/offload/test";

/// FileCheck and `not`.
const CHECKERS: &str = "llvm-22-tools";

/// The most seconds that a test's program may run.
const TIMEOUT: u32 = 60;

/// Runs the tests.
pub fn run(setup: &Setup) -> Result<Outcomes, Stop> {
    let tests = tests(setup)?;
    let checkers = checkers(setup)?;
    let lit = setup.folder.join("lit");
    wheels(&lit, include_str!("lit.txt"))?;
    let site = setup.folder.join("site");
    fs::create_dir_all(&site).map_err(|error| Stop::Broken(error.to_string()))?;
    write(&site.join("lit.site.cfg"), &site_config(setup, &tests, &checkers, &site)?)?;

    let results = site.join("results.json");
    let _ = fs::remove_file(&results);
    let mut command = Command::new("python3");
    command.current_dir(&site).env("PYTHONPATH", &lit).args(["-c", "import lit.main; lit.main.main()"]);
    command.args(["--quiet", "--output"]);
    command.arg(&results).args(setup.filter.iter().flat_map(|filter| ["--filter", filter])).arg(".");
    if !setup.skipped.is_empty() {
        let names: Vec<_> = setup.skipped.iter().map(|test| test.replace('.', "\\.")).collect();
        command.args(["--filter-out", &format!("({})$", names.join("|"))]);
    }
    // The exit status only shows that a test failed.
    let (message, _) = output(&mut command)?;
    let text =
        fs::read_to_string(&results).map_err(|_| Stop::Broken(format!("lit has no results:\n{message}")))?;
    let results: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| Stop::Broken(format!("lit's results: {error}")))?;
    let mut outcomes = Outcomes::new();
    for test in results["tests"].as_array().into_iter().flatten() {
        let name = test["name"].as_str().unwrap_or_default().rsplit(" :: ").next().unwrap_or_default();
        match test["code"].as_str() {
            // Some tests are expected to fail by LLVM itself.
            Some("PASS" | "XFAIL") => outcomes.insert(name.to_owned(), true),
            Some("FAIL" | "XPASS" | "TIMEOUT" | "UNRESOLVED") => outcomes.insert(name.to_owned(), false),
            // Not for this target, or filtered out.
            _ => None,
        };
    }
    match outcomes.is_empty() {
        true => Err(Stop::Broken(format!("no test ran:\n{message}"))),
        false => Ok(outcomes),
    }
}

/// The folder of the tests.
fn tests(setup: &Setup) -> Result<PathBuf, Stop> {
    let tests = setup.folder.join(TESTS);
    if tests.join("lit.cfg").is_file() {
        return Ok(tests);
    }
    let apt = Apt::of_sources(&setup.folder.join("apt"))?;
    fetch(apt.get().arg("update"))?;
    fetch(apt.get().current_dir(&setup.folder).args(["source", "--download-only", "--tar-only", SOURCE]))?;
    let archive = setup.folder.join(ARCHIVE);
    let sum = fetch(Command::new("sha256sum").arg(&archive))?;
    if !sum.starts_with(SHA256) {
        return Err(Stop::Broken(format!("{ARCHIVE} has an unexpected checksum")));
    }
    let mut tar = Command::new("tar");
    fetch(
        tar.current_dir(&setup.folder).arg("-xJf").arg(&archive).args(["--wildcards", "*/offload/test/*"]),
    )?;
    fs::remove_file(&archive).map_err(|error| Stop::Broken(error.to_string()))?;
    Ok(tests)
}

/// The folder of FileCheck: LLVM's, or that of the unpacked package.
fn checkers(setup: &Setup) -> Result<PathBuf, Stop> {
    let tools = Tools::find().map_err(|error| Stop::Absent(error.to_string()))?;
    let clang = tools.clang().map_err(|error| Stop::Absent(error.to_string()))?;
    let unpacked = setup.folder.join("tools");
    let folders = [folder_of(&clang.path), unpacked.join("usr/lib/llvm-22/bin")];
    let found = || folders.iter().find(|folder| folder.join("FileCheck").is_file()).cloned();
    if let Some(folder) = found() {
        return Ok(folder);
    }
    let packages = setup.folder.join("packages");
    fs::create_dir_all(&packages).map_err(|error| Stop::Broken(error.to_string()))?;
    fetch(Command::new("apt-get").current_dir(&packages).args(["download", "--quiet", CHECKERS]))?;
    let files = fs::read_dir(&packages).map_err(|error| Stop::Broken(error.to_string()))?.flatten();
    for file in files {
        fetch(Command::new("dpkg-deb").arg("-x").arg(file.path()).arg(&unpacked))?;
    }
    found().ok_or_else(|| Stop::Broken(format!("{CHECKERS} has no FileCheck")))
}

/// The site configuration of the tests: paths of compilers and libraries.
fn site_config(setup: &Setup, tests: &Path, checkers: &Path, site: &Path) -> Result<String, Stop> {
    let missing = |error: toolchain::Error| Stop::Absent(error.to_string());
    let tools = Tools::find().map_err(missing)?;
    let compiler = |language| tools.offload_compiler(language).map_err(missing);
    let (c, cpp) = (compiler(Language::C)?, compiler(Language::Cpp)?);
    // Without flang, its tests are left out.
    let fortran =
        tools.offload_compiler(Language::Fortran).map(|path| path.display().to_string()).unwrap_or_default();
    let library = device_library::openmp_library(&tools).map_err(|error| Stop::Absent(error.to_string()))?;
    let cuda = tools.cuda_dir().map_err(missing)?;
    // flang finds ptxas in PATH only.
    let keeps_ptx = tools.cuda_dir_that_keeps_ptx().map_err(missing)?;
    let llvm = folder_of(&folder_of(&c));
    // LLVM's tests link their device runtime by this name; the compiler finds ours by itself.
    let empty = site.join("lib/libomptarget.devicertl.a");
    fs::create_dir_all(folder_of(&empty)).map_err(|error| Stop::Broken(error.to_string()))?;
    write(&empty, "!<arch>\n")?;
    link(&library, &site.join("runtime"))?;
    let shown = |path: &Path| path.display().to_string();
    Ok(format!(
        r#"config.bin_llvm_tools_dir = "{bin}"
config.test_c_compiler = "{c}"
config.test_cxx_compiler = "{cpp}"
config.test_fortran_compiler = "{fortran}"
config.test_compiler_features = ["clang"]
config.test_openmp_flags = "-fopenmp"
config.test_extra_flags = ""
config.cuda_path = "{cuda}"
config.cuda_libdir = "{driver}"
config.cuda_test_arch = "90"
config.amdgpu_test_arch = ""
config.libomptarget_obj_root = "{site}/tests"
config.library_dir = "{lib}"
config.llvm_library_dir = "{lib}"
config.llvm_library_intdir = "{site}/lib"
config.omp_header_directory = "{site}"
config.omp_host_rtl_directory = "{lib}"
config.llvm_lib_directory = "{lib}"
config.operating_system = "Linux"
config.libomptarget_current_target = "nvptx64-nvidia-cuda"
# Tests also name targets that they do not support.
config.libomptarget_all_targets = [config.libomptarget_current_target, "amdgcn-amd-amdhsa"] + [
    name + kind
    for name in ["nvptx64-nvidia-cuda", "aarch64-unknown-linux-gnu", "x86_64-pc-linux-gnu", "s390x-ibm-linux-gnu",
                 "powerpc64le-ibm-linux-gnu", "powerpc64-ibm-linux-gnu", "x86_64-unknown-linux-gnu"]
    for kind in ["", "-LTO", "-JIT-LTO"] if name + kind != config.libomptarget_current_target]
config.libomptarget_filecheck = "{checkers}/FileCheck"
config.libomptarget_not = "{checkers}/not"
config.libomptarget_debug = False
config.has_libomptarget_ompt = False
config.libomptarget_has_libc = False
config.environment["LD_LIBRARY_PATH"] = "{driver}:{lib}"
config.environment["LIBRARY_PATH"] = "{library}"
config.environment["PATH"] = "{keeps_ptx}/bin:" + config.environment["PATH"]
lit_config.load_config(config, "{tests}/lit.cfg")
replaced = {{
    "%flags_clang": "-Xopenmp-target=nvptx64-nvidia-cuda -march=sm_90 -Wno-unused-command-line-argument",
    "%flags_flang": "--offload-arch=sm_90",
    "%libomptarget-run-nvptx64-nvidia-cuda": "timeout {TIMEOUT} %t",
}}
config.substitutions = [(name, replaced.get(name, text)) for name, text in config.substitutions]
"#,
        bin = shown(&folder_of(&c)),
        c = shown(&c),
        cpp = shown(&cpp),
        cuda = shown(&cuda),
        driver = shown(&setup.driver),
        site = shown(site),
        lib = shown(&llvm.join("lib")),
        checkers = shown(checkers),
        library = shown(&library),
        keeps_ptx = shown(&keeps_ptx),
        tests = shown(tests),
    ))
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().unwrap_or(path).to_path_buf()
}

/// apt with the machine's sources, for source packages, with its lists in a separate folder.
struct Apt {
    folder: PathBuf,
}

impl Apt {
    fn of_sources(folder: &Path) -> Result<Apt, Stop> {
        let made = || -> std::io::Result<()> {
            for part in ["sources", "lists/partial", "cache/archives/partial"] {
                fs::create_dir_all(folder.join(part))?;
            }
            let parts = fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten().flatten();
            let files = parts.map(|entry| entry.path()).chain([PathBuf::from("/etc/apt/sources.list")]);
            for file in files {
                let Ok(text) = fs::read_to_string(&file) else { continue };
                if let Some(name) = file.file_name() {
                    fs::write(folder.join("sources").join(name), of_sources(&text))?;
                }
            }
            Ok(())
        };
        made().map_err(|error| Stop::Absent(format!("apt's sources: {error}")))?;
        Ok(Apt { folder: folder.to_path_buf() })
    }

    fn get(&self) -> Command {
        let mut command = Command::new("apt-get");
        let options = [
            ("Dir::Etc::sourcelist", PathBuf::from("/dev/null")),
            ("Dir::Etc::sourceparts", self.folder.join("sources")),
            ("Dir::State::lists", self.folder.join("lists")),
            ("Dir::Cache", self.folder.join("cache")),
        ];
        for (name, path) in options {
            command.arg("-o").arg(format!("{name}={}", path.display()));
        }
        // These folders belong to this user.
        command.args(["-q", "-o", "APT::Sandbox::User=root"]);
        command
    }
}

/// apt's list of sources, with source packages instead of binary packages.
fn of_sources(list: &str) -> String {
    let line = |line: &str| match line.strip_prefix("deb ") {
        Some(rest) => format!("deb-src {rest}\n"),
        None if line.starts_with("Types:") => String::from("Types: deb-src\n"),
        None => format!("{line}\n"),
    };
    list.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_of_lists_are_changed_to_source_packages() {
        assert_eq!(of_sources("# a\ndeb [x=y] there here main\n"), "# a\ndeb-src [x=y] there here main\n");
        assert_eq!(of_sources("Types: deb\nURIs: there\n"), "Types: deb-src\nURIs: there\n");
    }
}
