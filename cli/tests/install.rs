//! `warpfold build`, `install` and `uninstall`: what a stock clang finds afterwards, and which files are
//! changed.

mod common;
#[path = "common/page.rs"]
mod page;

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    ffi::OsString,
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Output},
};

use common::{command, folder, is_nightly, text};

const SUM: &str = r#"
#include <stdio.h>
int main(void) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 1; i <= 1000; i++) s += i;
  printf("%.0f\n", s);
}
"#;

const FORTRAN: &str = "program p
  integer :: i
  real(8) :: s
  s = 0
  !$omp target teams distribute parallel do reduction(+:s) map(tofrom:s)
  do i = 1, 1000
    s = s + i
  end do
  !$omp target parallel num_threads(32) map(tofrom:s)
  !$omp critical (lock)
  s = s + 0
  !$omp end critical (lock)
  !$omp end target parallel
  print '(f8.1)', s
end program
";

/// The program in a folder, in an environment without CUDA and without a runtime.
fn plain(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = command(folder, arguments);
    command.env("PATH", path_without_cuda()).env_remove("LIBRARY_PATH");
    command.env_remove("CUDA_HOME").env_remove("CUDA_PATH");
    command
}

fn path_without_cuda() -> OsString {
    let folders = env::split_paths(&env::var_os("PATH").expect("a PATH")).collect::<Vec<_>>();
    env::join_paths(folders.iter().filter(|folder| !folder.join("ptxas").exists())).expect("a PATH")
}

fn succeeds(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{command:?}: {}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

fn fails(command: &mut Command) -> String {
    let Output { status, stderr, .. } = command.output().expect("it starts");
    assert!(!status.success(), "{command:?}: {}", text(&stderr));
    text(&stderr)
}

/// Every file and link below a folder, with its content.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let (path, kind) = (entry.path(), entry.file_type().expect("a type"));
        if kind.is_dir() {
            found.extend(files(&path));
            found.insert(path, vec![]);
        } else if kind.is_symlink() {
            found.insert(
                path.clone(),
                fs::read_link(&path).expect("a link").into_os_string().into_encoded_bytes(),
            );
        } else {
            found.insert(path.clone(), fs::read(&path).expect("a file"));
        }
    }
    found
}

/// An error that names what differs, without the contents.
#[track_caller]
fn assert_same(found: &BTreeMap<PathBuf, Vec<u8>>, expected: &BTreeMap<PathBuf, Vec<u8>>) {
    let differ = |path: &&PathBuf| found.get(*path) != expected.get(*path);
    let different: BTreeSet<_> = found.keys().chain(expected.keys()).filter(differ).collect();
    assert!(different.is_empty(), "{different:?}");
}

/// Copies LLVM's folder: programs that search relative to themselves are copied, the rest are links.
fn overlay(to: &Path) {
    let clang = env::var_os("WARPFOLD_CLANG").map_or_else(|| "/usr/bin/clang-22".into(), PathBuf::from);
    let clang = fs::canonicalize(clang).expect("clang 22");
    let llvm = clang.ancestors().nth(2).expect("LLVM's folder");
    for part in ["bin", "lib"] {
        fs::create_dir_all(to.join(part)).expect("a folder");
        for entry in fs::read_dir(llvm.join(part)).expect("LLVM's files").flatten() {
            let (name, path) = (entry.file_name(), to.join(part).join(entry.file_name()));
            let name = name.to_string_lossy();
            let real = fs::canonicalize(entry.path()).unwrap_or(entry.path());
            match (part, &*name) {
                ("bin", "clang" | "clang-linker-wrapper" | "clang-nvlink-wrapper" | "flang") => {
                    if fs::hard_link(&real, &path).is_err() {
                        fs::copy(&real, &path).expect("a copy");
                    }
                }
                ("bin", "clang++") => symlink("clang", &path).expect("a link"),
                ("lib", "cmake" | "pkgconfig" | "warpfold" | "nvptx64-nvidia-cuda") => {}
                _ => symlink(&real, &path).expect("a link"),
            }
        }
    }
}

/// Compiles with a compiler of the overlay and only the options for offloading.
fn compile(folder: &Path, compiler: &str, arguments: &[&str]) -> Command {
    let llvm = folder.join("llvm");
    let mut command = Command::new(llvm.join("bin").join(compiler));
    let path = [folder.join("cuda/bin"), path_without_cuda().into()];
    command
        .current_dir(folder)
        .env("PATH", env::join_paths(split(&path)).expect("a PATH"))
        .env_remove("LIBRARY_PATH");
    command.args(["-fopenmp", "--offload-arch=sm_90", "-o", "program"]).args(arguments);
    command
}

fn split(lists: &[PathBuf]) -> Vec<PathBuf> {
    lists.iter().flat_map(|list| env::split_paths(list).collect::<Vec<_>>()).collect()
}

#[test]
fn a_stock_clang_offloads_after_install_and_not_after_uninstall() {
    let folder = folder(&[("sum.c", SUM), ("sum.f90", FORTRAN)]);
    let folder = folder.path();
    overlay(&folder.join("llvm"));
    let before = files(folder);
    let clang = folder.join("llvm/bin/clang");
    let warpfold = |arguments: &[&str]| {
        let mut command = plain(folder, arguments);
        command.env("WARPFOLD_CLANG", &clang);
        command
    };
    let install = ["install", "--yes", "--cuda-link", "cuda"];
    let error = fails(&mut compile(folder, "clang", &["sum.c"]));
    assert!(error.contains("libdevice") || error.contains("libomptarget-nvptx.bc"), "{error}");

    let message = succeeds(&mut warpfold(&[&install[..], &["--dry-run"]].concat()));
    assert!(message.contains("llvm/lib/nvptx64-nvidia-cuda/libompdevice.a"), "{message}");
    assert_same(&files(folder), &before);

    let message = succeeds(&mut warpfold(&install));
    assert!(message.contains("links it without further options"), "{message}");
    let installed = files(folder);
    for options in [&["-O2"][..], &["-O0"], &["-O2", "-foffload-lto"]] {
        succeeds(compile(folder, "clang", options).arg("sum.c"));
        assert_eq!(succeeds(&mut plain(folder, &["run", "./program"])), "500500\n", "{options:?}");
    }
    // What LLVM 22 compiles to wrong code without the configuration file, beside which a user's own would stay.
    let programs = page::files("docs/pitfalls.md");
    // The configuration file changes nothing for the others of that page.
    for name in ["by_value.c", "table.c", "captured.cpp"] {
        let (name, text) = programs.iter().find(|(other, _)| other == name).expect("the program");
        fs::write(folder.join(name), text).expect("a file");
        let compiler = if name.ends_with(".cpp") { "clang++" } else { "clang" };
        for level in ["-O0", "-O1", "-O2", "-O3"] {
            for lto in [&[][..], &["-foffload-lto"]] {
                succeeds(compile(folder, compiler, &[level, name]).args(lto));
                succeeds(&mut plain(folder, &["run", "./program"]));
            }
        }
        fs::remove_file(folder.join(name)).expect("the file");
    }
    // flang does not ask ptxas for lines. The installed `ptxas` script makes ptxas keep the PTX and accept
    // the names of critical regions.
    for level in ["-O2", "-O0"] {
        succeeds(&mut compile(folder, "flang", &[level, "sum.f90"]));
        assert_eq!(succeeds(&mut plain(folder, &["run", "./program"])).trim(), "500500.0", "{level}");
    }
    // With -g, ptxas gets -g and must not get -lineinfo, too.
    let output = compile(folder, "clang", &["-O0", "-g", "sum.c"]).output().expect("it starts");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    fs::remove_file(folder.join("program")).expect("the program");

    let doctor = text(&warpfold(&["doctor"]).output().expect("it starts").stdout);
    let line = doctor.lines().find(|line| line.starts_with("OpenMP runtime of plain")).expect("a line");
    assert!(line.contains(concat!("warpfold ", env!("CARGO_PKG_VERSION"), " (")), "{line}");

    // An existing link stays, although the default is another one.
    let message = succeeds(&mut warpfold(&["install", "--yes"]));
    assert!(message.contains("0 new, 0 replaced") && message.contains("0 removed"), "{message}");
    assert_same(&files(folder), &installed);

    // The manifest alone does not decide what is removed outside the prefix.
    let error = fails(&mut warpfold(&["uninstall"]));
    assert!(error.contains("--cuda-link") && files(folder) == installed, "{error}");
    succeeds(&mut warpfold(&["uninstall", "--cuda-link", "cuda"]));
    assert_same(&files(folder), &before);
    let error = fails(&mut warpfold(&["uninstall"]));
    assert!(error.contains("nothing is installed"), "{error}");
}

#[test]
fn a_configuration_file_of_others_is_kept() {
    let folder = folder(&[("sum.c", SUM)]);
    let folder = folder.path();
    overlay(&folder.join("llvm"));
    let theirs = folder.join("llvm/bin/clang.cfg");
    fs::write(&theirs, "-Wall\n").expect("a file");
    let install = ["install", "--yes", "--no-cuda", "--prefix", "llvm"];
    let output = plain(folder, &install).output().expect("it starts");
    let (out, error) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success() && out.contains("llvm/bin/clang++.cfg"), "{out}{error}");
    assert!(error.contains("llvm/bin/clang.cfg was not made by warpfold and is kept"), "{error}");
    assert!(error.contains("this line in it: @") && error.contains("share/warpfold/clang.cfg"), "{error}");
    succeeds(&mut plain(folder, &["uninstall", "--prefix", "llvm"]));
    assert_eq!(fs::read_to_string(&theirs).expect("the file"), "-Wall\n");
    assert!(!folder.join("llvm/bin/clang++.cfg").exists());
}

#[test]
fn foreign_files_are_named_and_nothing_is_changed() {
    let folder = folder(&[]);
    let folder = folder.path();
    let install = ["install", "--yes", "--no-cuda", "--prefix", "p"];
    for path in ["p/include", "p/lib/nvptx64-nvidia-cuda/libompdevice.a"] {
        fs::create_dir_all(folder.join(path)).expect("a folder");
    }
    fs::write(folder.join("p/include/warpfold.h"), "theirs").expect("a file");
    let before = files(folder);
    let error = fails(&mut plain(folder, &install));
    for name in
        ["p/include/warpfold.h (not installed", "libompdevice.a (not installed", "nothing was changed"]
    {
        assert!(error.contains(name), "{error}");
    }
    assert_same(&files(folder), &before);
}

#[test]
fn changed_files_stay_and_old_ones_are_replaced() {
    let folder = folder(&[]);
    let folder = folder.path();
    let install = ["install", "--yes", "--no-cuda", "--prefix", "p"];
    succeeds(&mut plain(folder, &install));
    let installed = files(folder);
    let (header, manifest) =
        (folder.join("p/include/warpfold.h"), folder.join("p/share/warpfold/manifest.json"));

    // As installed by an older version: another header, and one more file.
    let (old, sum) = ("old", "cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4");
    fs::write(&header, old).expect("a file");
    fs::write(folder.join("p/share/warpfold/gone"), old).expect("a file");
    let mut list: serde_json::Value =
        serde_json::from_slice(&fs::read(&manifest).expect("the manifest")).expect("JSON");
    let entries = list["entries"].as_array_mut().expect("a list");
    entries.iter_mut().find(|entry| entry["path"] == "include/warpfold.h").expect("the header")["sha256"] =
        sum.into();
    entries.push(serde_json::json!({ "path": "share/warpfold/gone", "sha256": sum }));
    fs::write(&manifest, list.to_string()).expect("the manifest");
    let message = succeeds(&mut plain(folder, &install));
    assert!(message.contains("0 new, 1 replaced") && message.contains("1 removed"), "{message}");
    assert_same(&files(folder), &installed);

    // As after an interrupted run: listed, but missing.
    fs::remove_file(&header).expect("the header");
    assert!(succeeds(&mut plain(folder, &install)).contains("1 new, 0 replaced"));
    assert_same(&files(folder), &installed);

    fs::write(&header, "changed").expect("a file");
    fs::write(folder.join("p/lib/theirs"), "theirs").expect("a file");
    let error = fails(&mut plain(folder, &install));
    assert!(error.contains("warpfold.h (changed since it was installed)"), "{error}");
    let message = succeeds(&mut plain(folder, &["uninstall", "--prefix", "p"]));
    assert!(message.contains("keep") && message.contains("warpfold.h, which was changed"), "{message}");
    let left: Vec<_> = files(&folder.join("p")).into_iter().filter(|(_, held)| !held.is_empty()).collect();
    let expected = [("p/include/warpfold.h", "changed"), ("p/lib/theirs", "theirs")]
        .map(|(path, held)| (folder.join(path), held.as_bytes().to_vec()));
    assert_eq!(left, expected);
    assert!(!folder.join("p/share").exists());
}

/// Whoever can write to a prefix can write any manifest and make any link there.
#[test]
fn a_hostile_prefix_changes_nothing_outside() {
    let folder = folder(&[]);
    let folder = folder.path();
    let (prefix, victim) = (folder.join("p"), folder.join("victim"));
    let install = ["install", "--yes", "--no-cuda", "--prefix", "p"];
    let uninstall = ["uninstall", "--prefix", "p"];
    let reset = || {
        let _ = fs::remove_dir_all(&prefix);
        let _ = fs::remove_dir_all(&victim);
        fs::create_dir_all(prefix.join("share/warpfold")).expect("a folder");
        fs::create_dir_all(victim.join("empty")).expect("a folder");
        fs::write(victim.join("file"), "old").expect("a file");
        symlink("/nowhere", victim.join("link")).expect("a link");
        files(&victim)
    };
    let manifest = |entries: serde_json::Value, folders: serde_json::Value| {
        let text = serde_json::json!({ "version": "1", "entries": entries, "folders": folders }).to_string();
        fs::write(prefix.join("share/warpfold/manifest.json"), text).expect("the manifest");
    };
    let sum = "cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4";
    let (link, empty) = (victim.join("link"), victim.join("empty"));
    for (entries, folders) in [
        (serde_json::json!([{ "path": link, "link": "/nowhere" }]), serde_json::json!([])),
        (serde_json::json!([]), serde_json::json!([empty])),
        (serde_json::json!([]), serde_json::json!([victim.join("new")])),
    ] {
        for arguments in [&install[..], &uninstall] {
            let before = reset();
            manifest(entries.clone(), folders.clone());
            let error = fails(&mut plain(folder, arguments));
            assert!(error.contains("leads out of the prefix"), "{error}");
            assert_same(&files(&victim), &before);
        }
    }

    // The paths look right, but a folder on the way leads elsewhere.
    let before = reset();
    symlink(&victim, prefix.join("lib")).expect("a link");
    manifest(
        serde_json::json!([{ "path": "lib/file", "sha256": sum }, { "path": "lib/link", "link": "/nowhere" }]),
        serde_json::json!(["lib/empty"]),
    );
    for arguments in [&install[..], &uninstall] {
        let error = fails(&mut plain(folder, arguments));
        assert!(error.contains("leads out of"), "{error}");
        assert_same(&files(&victim), &before);
    }

    // A link that only the manifest names stays, and so does one that leads elsewhere.
    let before = reset();
    let text =
        serde_json::json!({ "version": "1", "entries": [], "folders": [], "cuda_link": link }).to_string();
    fs::write(prefix.join("share/warpfold/manifest.json"), text).expect("the manifest");
    let error = fails(&mut plain(folder, &uninstall));
    assert!(error.contains("nothing was changed") && error.contains("--cuda-link"), "{error}");
    succeeds(plain(folder, &uninstall).arg("--cuda-link").arg(&link));
    assert_same(&files(&victim), &before);
}

#[test]
fn an_archive_installs_without_rust() {
    let folder = folder(&[]);
    let folder = folder.path();
    succeeds(&mut plain(folder, &["build", "--archive", "runtime.tar.gz", "--out", "tree"]));
    let mut install =
        plain(folder, &["install", "--yes", "--no-cuda", "--prefix", "p", "--archive", "runtime.tar.gz"]);
    succeeds(install.env("WARPFOLD_DEVICE_RUSTC", "/nowhere").env("WARPFOLD_LLVM_BIN", "/nowhere"));
    let (built, mut installed) = (files(&folder.join("tree")), files(&folder.join("p")));
    installed.remove(&folder.join("p/share/warpfold/manifest.json")).expect("the manifest");
    let held = |files: &BTreeMap<PathBuf, Vec<u8>>| files.values().cloned().collect::<Vec<_>>();
    assert_eq!(held(&built), held(&installed));
    let notice = fs::read_to_string(folder.join("p/share/warpfold/NOTICE")).expect("the notice");
    assert!(notice.contains("Rust core library") && !notice.contains('@'), "{notice}");

    fs::write(folder.join("runtime.tar.gz"), "not an archive").expect("a file");
    let error = fails(&mut install);
    assert!(error.contains("is not an archive made by `warpfold build --archive`"), "{error}");
}

#[test]
fn an_unpacked_archive_needs_no_rust_and_no_build() {
    let folder = folder(&[("sum.c", SUM), ("numbers.csv", "1\n2\n39\n")]);
    let folder = folder.path();
    succeeds(&mut plain(folder, &["build", "--archive", "warpfold.tar.gz"]));
    fs::create_dir(folder.join("else where")).expect("a folder");
    succeeds(Command::new("tar").current_dir(folder).args([
        "xzf",
        "warpfold.tar.gz",
        "-C",
        "else where",
        "--strip-components=1",
    ]));
    let unpacked = |arguments: &[&str]| {
        let mut command = Command::new(folder.join("else where/bin/warpfold"));
        command
            .current_dir(folder)
            .args(arguments)
            .env("PATH", path_without_cuda())
            .env_remove("LIBRARY_PATH");
        command.env("WARPFOLD_CACHE", folder.join("cache")).env("WARPFOLD_DEVICE_RUSTC", "/nowhere");
        command
    };
    succeeds(&mut unpacked(&["cc", "--emulator", "-O2", "sum.c", "-o", "sum"]));
    assert_eq!(succeeds(&mut unpacked(&["run", "./sum"])), "500500\n");
    assert_eq!(succeeds(&mut unpacked(&["reduce", "--op", "sum", "numbers.csv"])), "sum 42\n");
    // What it installs and packs again is what it was unpacked from.
    succeeds(&mut unpacked(&["install", "--yes", "--no-cuda", "--prefix", "p"]));
    succeeds(&mut unpacked(&["build", "--archive", "again.tar.gz"]));
    let read = |name: &str| fs::read(folder.join(name)).expect("a file");
    let bitcode = "lib/nvptx64-nvidia-cuda/libomptarget-nvptx.bc";
    assert!(read(&format!("p/{bitcode}")) == read(&format!("else where/{bitcode}")));
    assert!(!folder.join("p/bin").exists());
    assert!(read("again.tar.gz") == read("warpfold.tar.gz"));
    let built = fs::read_dir(folder.join("cache").join(env!("CARGO_PKG_VERSION"))).expect("the cache");
    let names: Vec<_> = built.map(|entry| entry.expect("an entry").file_name()).collect();
    assert!(!names.iter().any(|name| name == "core" || name == "bitcode"), "{names:?}");
}

#[test]
fn the_runtime_has_a_version_and_no_code_of_nvidias() {
    let folder = folder(&[]);
    let folder = folder.path();
    succeeds(&mut plain(folder, &["build"]));
    let tree = folder.join(concat!("warpfold-", env!("CARGO_PKG_VERSION")));
    let bitcode = fs::read(tree.join("lib/nvptx64-nvidia-cuda/libomptarget-nvptx.bc")).expect("the bitcode");
    let holds = |word: &[u8]| bitcode.windows(word.len()).any(|bytes| bytes == word);
    assert!(holds(b"__warpfold_version") && !holds(b"__nv_"));
}

/// One build comes from the tests' cache, the other is made as by another user, in another folder.
#[test]
fn builds_are_reproducible_and_contain_no_paths_of_the_builder() {
    let folder = folder(&[]);
    let folder = folder.path();
    succeeds(&mut plain(folder, &["build", "--out", "one"]));
    let held = |name: &str| {
        let files = files(&folder.join(name)).into_iter();
        let inside = |path: &Path| path.strip_prefix(folder.join(name)).expect("inside").to_path_buf();
        files.map(|(path, bytes)| (inside(&path), bytes)).collect::<BTreeMap<_, _>>()
    };
    let one = held("one");
    if is_nightly() {
        let home = folder.join("another home");
        fs::create_dir(&home).expect("a folder");
        succeeds(
            plain(folder, &["build", "--out", "two"])
                .env("HOME", &home)
                .env("WARPFOLD_CACHE", home.join("cache"))
                .env("TMPDIR", &home),
        );
        let two = held("two");
        assert!(one.keys().eq(two.keys()));
        let different: Vec<_> =
            one.iter().filter(|(path, bytes)| two[*path] != **bytes).map(|(path, _)| path).collect();
        assert!(different.is_empty(), "{different:?}");
    } else {
        println!("skipped: the second build is for `cargo xtask test nightly`");
    }
    let user = env::var("HOME").expect("a home");
    let here = env!("CARGO_MANIFEST_DIR");
    for (path, bytes) in &one {
        for name in ["/tmp/", "/home/", "/.cache/", "/.rustup/", "/usr/", &format!("{user}/"), here] {
            let found = bytes.windows(name.len()).any(|window| window == name.as_bytes());
            assert!(!found, "{name} in {}", path.display());
        }
    }
}

/// The notice names the sources that the bitcode names.
#[test]
fn the_notice_names_all_sources() {
    let folder = folder(&[]);
    let folder = folder.path();
    succeeds(&mut plain(folder, &["build", "--out", "tree"]));
    let notice = fs::read_to_string(folder.join("tree/share/warpfold/NOTICE")).expect("the notice");
    for words in
        ["SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception", "MIT OR Apache-2.0\n", "core_arch"]
    {
        assert!(notice.contains(words), "{notice}");
    }
    let bitcode =
        fs::read(folder.join("tree/lib/nvptx64-nvidia-cuda/libomptarget-nvptx.bc")).expect("the bitcode");
    let text = String::from_utf8_lossy(&bitcode);
    let sources: Vec<&str> = text.split("/rustc/library/").skip(1).collect();
    assert!(sources.len() > 5, "no source of Rust's library is named");
    for source in sources {
        let is_core = source.starts_with("core/src/");
        // Unicode's tables are under another licence.
        assert!(is_core && !source.starts_with("core/src/unicode"), "{:?}", &source[..source.len().min(60)]);
    }
}

#[test]
fn cmake_finds_the_package_and_rejects_other_compilers() {
    if Command::new("cmake").arg("--version").output().is_err() {
        eprintln!("skipped: no cmake found");
        return;
    }
    let project = "cmake_minimum_required(VERSION 3.16)\nproject(program C CXX)\nfind_package(warpfold REQUIRED)\n\
                   add_executable(sum sum.c)\nadd_executable(plus plus.cpp)\n\
                   target_link_libraries(sum PRIVATE warpfold::openmp)\n\
                   target_link_libraries(plus PRIVATE warpfold::openmp)\n";
    let folder = folder(&[("CMakeLists.txt", project), ("sum.c", SUM), ("plus.cpp", SUM)]);
    let folder = folder.path();
    succeeds(&mut plain(folder, &["install", "--yes", "--no-cuda", "--prefix", "a prefix"]));
    let cuda = succeeds(&mut plain(folder, &["config", "--cuda-dir"]));
    let path = [Path::new(cuda.trim()).join("bin"), path_without_cuda().into()];
    let path = env::join_paths(split(&path)).expect("a PATH");
    let cmake = |arguments: &[&str]| {
        let mut cmake = Command::new("cmake");
        cmake.current_dir(folder).env("PATH", &path).env_remove("LIBRARY_PATH").args(arguments);
        cmake
    };
    let clang = env::var("WARPFOLD_CLANG").unwrap_or_else(|_| "clang-22".into());
    let languages =
        |c: &str, cpp: &str| [format!("-DCMAKE_C_COMPILER={c}"), format!("-DCMAKE_CXX_COMPILER={cpp}")];
    let prefix = format!("-DCMAKE_PREFIX_PATH={}", folder.join("a prefix").display());
    succeeds(
        cmake(&["-S", ".", "-B", "build", &prefix])
            .args(languages(&clang, &clang.replace("clang", "clang++"))),
    );
    succeeds(&mut cmake(&["--build", "build"]));
    for program in ["build/sum", "build/plus"] {
        assert_eq!(succeeds(&mut plain(folder, &["run", program])), "500500\n");
    }
    if Command::new("g++").arg("--version").output().is_ok() {
        let error = fails(cmake(&["-S", ".", "-B", "other", &prefix]).args(languages("gcc", "g++")));
        let words = error.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains("it needs clang 22") && words.contains("CMAKE_C_COMPILER=clang-22"),
            "{error}"
        );
    }
}

#[test]
fn doctor_reports_the_state_of_the_installed_files() {
    let folder = folder(&[]);
    let folder = folder.path();
    let clang = folder.join("llvm/bin/clang");
    fs::create_dir_all(clang.parent().expect("a folder")).expect("a folder");
    fs::write(&clang, "#!/bin/sh\necho clang version 22.1.0\n").expect("a program");
    fs::set_permissions(&clang, fs::Permissions::from_mode(0o755)).expect("a program");
    let warpfold = |arguments: &[&str]| {
        let mut command = plain(folder, arguments);
        command.env("WARPFOLD_CLANG", &clang);
        command
    };
    let doctor = || {
        let message = text(&warpfold(&["doctor"]).output().expect("it starts").stdout);
        message.lines().find(|line| line.starts_with("installed into")).map(String::from)
    };
    assert_eq!(doctor(), None);
    succeeds(&mut warpfold(&["install", "--yes", "--no-cuda"]));
    let message = doctor().expect("a line");
    assert!(message.contains("files, all unchanged"), "{message}");
    // The runtime in LIBRARY_PATH is the one that is linked.
    let message = succeeds(&mut warpfold(&["install", "--yes", "--no-cuda", "--prefix", "other prefix"]));
    let path = folder.join("other prefix").join("lib/nvptx64-nvidia-cuda");
    assert!(message.contains(&format!("LIBRARY_PATH='{}'", path.display())), "{message}");
    let message = text(&warpfold(&["doctor"]).env("LIBRARY_PATH", path).output().expect("it starts").stdout);
    assert!(
        message.contains(&format!("installed into {}: warpfold", folder.join("other prefix").display())),
        "{message}"
    );
    fs::remove_file(folder.join("llvm/include/warpfold.h")).expect("the header");
    let message = doctor().expect("a line");
    assert!(message.contains("warpfold.h is missing; run `warpfold install` to restore it"), "{message}");
    fs::write(folder.join("llvm/include/warpfold.h"), "changed").expect("the header");
    let message = doctor().expect("a line");
    assert!(message.contains("warpfold.h was changed; move the changed files away"), "{message}");
    fs::write(folder.join("llvm/share/warpfold/manifest.json"), "{").expect("the manifest");
    let message = doctor().expect("a line");
    assert!(message.contains("not a list of installed files"), "{message}");
}

#[test]
fn doctor_reports_an_old_clang_in_path() {
    let folder = folder(&[]);
    let folder = folder.path();
    let clang = folder.join("bin/clang");
    fs::create_dir_all(folder.join("bin")).expect("a folder");
    fs::write(&clang, "#!/bin/sh\necho Debian clang version 19.1.7\n").expect("a program");
    fs::set_permissions(&clang, fs::Permissions::from_mode(0o755)).expect("a program");
    let path = env::join_paths(split(&[folder.join("bin"), path_without_cuda().into()])).expect("a PATH");
    let message = text(&plain(folder, &["doctor"]).env("PATH", path).output().expect("it starts").stdout);
    let line =
        message.lines().find(|line| line.starts_with("clang in PATH")).unwrap_or_else(|| panic!("{message}"));
    assert!(line.contains("version 19.1.7; 22 or newer is needed") && line.contains("instead"), "{line}");
}

#[test]
fn an_old_clang_is_rejected_with_a_hint() {
    let folder = folder(&[]);
    let clang = folder.path().join("old/bin/clang");
    fs::create_dir_all(clang.parent().expect("a folder")).expect("a folder");
    fs::write(&clang, "#!/bin/sh\necho Debian clang version 19.1.7\n").expect("a program");
    fs::set_permissions(&clang, fs::Permissions::from_mode(0o755)).expect("a program");
    let error = fails(&mut plain(folder.path(), &["install", "--yes", "--no-cuda", "--prefix", "old"]));
    assert!(error.contains("19.1.7") && error.contains("install clang-22"), "{error}");
}

#[test]
fn pkg_config_has_the_options_for_another_clang() {
    let Ok(version) = Command::new("pkg-config").arg("--version").output() else {
        eprintln!("skipped: no pkg-config found");
        return;
    };
    assert!(version.status.success());
    let folder = folder(&[("sum.c", SUM)]);
    let folder = folder.path();
    succeeds(&mut plain(folder, &["build", "--out", "tree"]));
    let cuda = succeeds(&mut plain(folder, &["config", "--cuda-dir"]));
    let flags = succeeds(
        Command::new("pkg-config")
            .args(["--cflags", "--libs", "warpfold"])
            .env("PKG_CONFIG_PATH", folder.join("tree/lib/pkgconfig")),
    );
    for option in ["-O2", "-foffload-lto"] {
        let clang = env::var_os("WARPFOLD_CLANG").unwrap_or_else(|| "clang-22".into());
        let mut compile = Command::new(clang);
        compile.current_dir(folder).env_remove("LIBRARY_PATH").args(flags.split_whitespace());
        succeeds(
            compile.args([option, "sum.c", "-o", "program"]).arg(format!("--cuda-path={}", cuda.trim())),
        );
        assert_eq!(succeeds(&mut plain(folder, &["run", "./program"])), "500500\n", "{option}");
    }
}

#[test]
fn doctor_names_the_runtime_that_plain_clang_links() {
    let folder = folder(&[]);
    let folder = folder.path();
    let clang = env::var_os("WARPFOLD_CLANG").unwrap_or_else(|| "clang-22".into());
    let doctor = |ir: &str| {
        fs::write(folder.join("runtime.ll"), ir).expect("a file");
        succeeds(
            Command::new(&clang)
                .current_dir(folder)
                .args(["--target=nvptx64-nvidia-cuda", "-w", "-c", "-emit-llvm", "runtime.ll", "-o"])
                .arg("libomptarget-nvptx.bc"),
        );
        let output = plain(folder, &["doctor"]).env("LIBRARY_PATH", folder).output().expect("it starts");
        let message = text(&output.stdout);
        message.lines().find(|line| line.starts_with("OpenMP runtime of plain")).expect("a line").to_string()
    };
    let stamped =
        "@__warpfold_version = constant [16 x i8] c\"0.0.9\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\"\n";
    let message = doctor(stamped);
    assert!(
        message.contains("warpfold 0.0.9 (") && message.contains("`warpfold install` replaces it"),
        "{message}"
    );
    assert!(message.contains("libompdevice.a is not beside it"), "{message}");
    fs::write(folder.join("libompdevice.a"), "").expect("a file");
    let message = doctor("define void @f() {\n  ret void\n}\n");
    assert!(message.contains("not warpfold's (") && !message.contains("libompdevice.a"), "{message}");
}
