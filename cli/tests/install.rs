//! `warpfold build`, `install` and `uninstall`: what a stock clang finds afterwards, and whose files are touched.

mod common;

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Output},
};

use common::{command, folder, text};

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

/// The program in a folder, with neither CUDA nor a runtime where clang looks for them.
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

fn well(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{command:?}: {}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

fn refused(command: &mut Command) -> String {
    let Output { status, stderr, .. } = command.output().expect("it starts");
    assert!(!status.success(), "{command:?}: {}", text(&stderr));
    text(&stderr)
}

/// Every file and link below a folder, with what it holds.
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

/// LLVM's folder once more: clang looks around itself, so the programs that look are copies, and the rest are links.
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
                ("lib", "cmake" | "pkgconfig" | "warpfold" | "nvptx64-nvidia-cuda") => {}
                _ => symlink(&real, &path).expect("a link"),
            }
        }
    }
}

/// Compiles with a compiler of the overlay, told nothing but to offload.
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
    let error = refused(&mut compile(folder, "clang", &["sum.c"]));
    assert!(error.contains("libdevice") || error.contains("libomptarget-nvptx.bc"), "{error}");

    let said = well(&mut warpfold(&[&install[..], &["--dry-run"]].concat()));
    assert!(said.contains("llvm/lib/nvptx64-nvidia-cuda/libompdevice.a"), "{said}");
    assert_eq!(files(folder), before);

    let said = well(&mut warpfold(&install));
    assert!(said.contains("links it without options"), "{said}");
    let installed = files(folder);
    for options in [&["-O2"][..], &["-O0"], &["-O2", "-foffload-lto"]] {
        well(compile(folder, "clang", options).arg("sum.c"));
        assert_eq!(well(&mut plain(folder, &["run", "./program"])), "500500\n", "{options:?}");
    }
    // flang says nothing of lines to ptxas: that the PTX is there is the installed ptxas's doing.
    // And so is that it takes the names of critical regions.
    for level in ["-O2", "-O0"] {
        well(&mut compile(folder, "flang", &[level, "sum.f90"]));
        assert_eq!(well(&mut plain(folder, &["run", "./program"])).trim(), "500500.0", "{level}");
    }
    // With -g, ptxas is told to keep more, and must not be told to keep less.
    let output = compile(folder, "clang", &["-O0", "-g", "sum.c"]).output().expect("it starts");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    fs::remove_file(folder.join("program")).expect("the program");

    let doctor = text(&warpfold(&["doctor"]).output().expect("it starts").stdout);
    let line = doctor.lines().find(|line| line.starts_with("OpenMP runtime of plain")).expect("a line");
    assert!(line.contains(concat!("warpfold ", env!("CARGO_PKG_VERSION"), " (")), "{line}");

    // The link that there is stays, also when another is asked for.
    let said = well(&mut warpfold(&["install", "--yes"]));
    assert!(said.contains("0 new, 0 replaced") && said.contains("0 removed"), "{said}");
    assert_eq!(files(folder), installed);

    well(&mut warpfold(&["uninstall"]));
    assert_eq!(files(folder), before);
    let error = refused(&mut warpfold(&["uninstall"]));
    assert!(error.contains("nothing is installed"), "{error}");
}

#[test]
fn files_of_others_are_named_and_nothing_is_changed() {
    let folder = folder(&[]);
    let folder = folder.path();
    let install = ["install", "--yes", "--no-cuda", "--prefix", "p"];
    for place in ["p/include", "p/lib/nvptx64-nvidia-cuda/libompdevice.a"] {
        fs::create_dir_all(folder.join(place)).expect("a folder");
    }
    fs::write(folder.join("p/include/warpfold.h"), "theirs").expect("a file");
    let before = files(folder);
    let error = refused(&mut plain(folder, &install));
    for name in ["p/include/warpfold.h (not ours)", "libompdevice.a (not ours)", "nothing was changed"] {
        assert!(error.contains(name), "{error}");
    }
    assert_eq!(files(folder), before);
}

#[test]
fn changed_files_stay_and_old_ones_are_replaced() {
    let folder = folder(&[]);
    let folder = folder.path();
    let install = ["install", "--yes", "--no-cuda", "--prefix", "p"];
    well(&mut plain(folder, &install));
    let installed = files(folder);
    let (header, manifest) =
        (folder.join("p/include/warpfold.h"), folder.join("p/share/warpfold/manifest.json"));

    // As an older version would have left it: another header, and one file more.
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
    let said = well(&mut plain(folder, &install));
    assert!(said.contains("0 new, 1 replaced") && said.contains("1 removed"), "{said}");
    assert_eq!(files(folder), installed);

    // As a run that was cut off leaves it: listed, and not there.
    fs::remove_file(&header).expect("the header");
    assert!(well(&mut plain(folder, &install)).contains("1 new, 0 replaced"));
    assert_eq!(files(folder), installed);

    fs::write(&header, "changed").expect("a file");
    fs::write(folder.join("p/lib/theirs"), "theirs").expect("a file");
    let error = refused(&mut plain(folder, &install));
    assert!(error.contains("warpfold.h (changed since it was installed)"), "{error}");
    let said = well(&mut plain(folder, &["uninstall", "--prefix", "p"]));
    assert!(said.contains("leave") && said.contains("warpfold.h, which was changed"), "{said}");
    let left: Vec<_> = files(&folder.join("p")).into_iter().filter(|(_, held)| !held.is_empty()).collect();
    let expected = [("p/include/warpfold.h", "changed"), ("p/lib/theirs", "theirs")]
        .map(|(place, held)| (folder.join(place), held.as_bytes().to_vec()));
    assert_eq!(left, expected);
    assert!(!folder.join("p/share").exists());
}

#[test]
fn an_archive_installs_without_rust() {
    let folder = folder(&[]);
    let folder = folder.path();
    well(&mut plain(folder, &["build", "--archive", "runtime.tar.gz", "--out", "tree"]));
    let mut install =
        plain(folder, &["install", "--yes", "--no-cuda", "--prefix", "p", "--archive", "runtime.tar.gz"]);
    well(install.env("WARPFOLD_DEVICE_RUSTC", "/nowhere").env("WARPFOLD_LLVM_BIN", "/nowhere"));
    let (built, mut installed) = (files(&folder.join("tree")), files(&folder.join("p")));
    installed.remove(&folder.join("p/share/warpfold/manifest.json")).expect("the manifest");
    let held = |files: &BTreeMap<PathBuf, Vec<u8>>| files.values().cloned().collect::<Vec<_>>();
    assert_eq!(held(&built), held(&installed));
    let notice = fs::read_to_string(folder.join("p/share/warpfold/NOTICE")).expect("the notice");
    assert!(notice.contains("Rust core library") && !notice.contains('@'), "{notice}");

    fs::write(folder.join("runtime.tar.gz"), "no archive").expect("a file");
    let error = refused(&mut install);
    assert!(error.contains("is no archive of `warpfold build --archive`"), "{error}");
}

#[test]
fn the_runtime_is_what_it_says_and_nothing_of_nvidias() {
    let folder = folder(&[]);
    let folder = folder.path();
    well(&mut plain(folder, &["build"]));
    let tree = folder.join(concat!("warpfold-", env!("CARGO_PKG_VERSION")));
    let bitcode = fs::read(tree.join("lib/nvptx64-nvidia-cuda/libomptarget-nvptx.bc")).expect("the bitcode");
    let holds = |word: &[u8]| bitcode.windows(word.len()).any(|bytes| bytes == word);
    assert!(holds(b"__warpfold_version") && !holds(b"__nv_"));
}

/// As another user builds it, in another folder: that of the tests' own cache was built by whoever came first.
#[test]
fn whoever_builds_gets_the_same_bytes_and_none_of_the_builders_names() {
    let folder = folder(&[]);
    let folder = folder.path();
    well(&mut plain(folder, &["build", "--out", "one"]));
    let home = folder.join("another home");
    fs::create_dir(&home).expect("a folder");
    well(
        plain(folder, &["build", "--out", "two"])
            .env("HOME", &home)
            .env("WARPFOLD_CACHE", home.join("cache"))
            .env("TMPDIR", &home),
    );
    let held = |name: &str| {
        let files = files(&folder.join(name)).into_iter();
        let inside = |path: &Path| path.strip_prefix(folder.join(name)).expect("inside").to_path_buf();
        files.map(|(path, bytes)| (inside(&path), bytes)).collect::<BTreeMap<_, _>>()
    };
    let (one, two) = (held("one"), held("two"));
    assert!(one.keys().eq(two.keys()));
    let different: Vec<_> =
        one.iter().filter(|(path, bytes)| two[*path] != **bytes).map(|(path, _)| path).collect();
    assert!(different.is_empty(), "{different:?}");

    let user = env::var("HOME").expect("a home");
    let here = env!("CARGO_MANIFEST_DIR");
    for (path, bytes) in &one {
        for name in ["/tmp/", "/home/", "/.cache/", "/.rustup/", "/usr/", &format!("{user}/"), here] {
            let found = bytes.windows(name.len()).any(|window| window == name.as_bytes());
            assert!(!found, "{name} in {}", path.display());
        }
    }
}

/// What the notice says is inside is what the sources say that the code came from.
#[test]
fn the_notice_names_all_that_is_inside() {
    let folder = folder(&[]);
    let folder = folder.path();
    well(&mut plain(folder, &["build", "--out", "tree"]));
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
    assert!(sources.len() > 5, "no sources of Rust's are named");
    for source in sources {
        let own = source.starts_with("core/src/");
        // The tables of characters are under another licence.
        assert!(own && !source.starts_with("core/src/unicode"), "{:?}", &source[..source.len().min(60)]);
    }
}

#[test]
fn cmake_finds_the_package_and_refuses_other_compilers() {
    if Command::new("cmake").arg("--version").output().is_err() {
        eprintln!("no cmake here: not tried");
        return;
    }
    let project = "cmake_minimum_required(VERSION 3.16)\nproject(program C CXX)\nfind_package(warpfold REQUIRED)\n\
                   add_executable(sum sum.c)\nadd_executable(plus plus.cpp)\n\
                   target_link_libraries(sum PRIVATE warpfold::openmp)\n\
                   target_link_libraries(plus PRIVATE warpfold::openmp)\n";
    let folder = folder(&[("CMakeLists.txt", project), ("sum.c", SUM), ("plus.cpp", SUM)]);
    let folder = folder.path();
    well(&mut plain(folder, &["install", "--yes", "--no-cuda", "--prefix", "a prefix"]));
    let cuda = well(&mut plain(folder, &["config", "--cuda-dir"]));
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
    well(
        cmake(&["-S", ".", "-B", "build", &prefix])
            .args(languages(&clang, &clang.replace("clang", "clang++"))),
    );
    well(&mut cmake(&["--build", "build"]));
    for program in ["build/sum", "build/plus"] {
        assert_eq!(well(&mut plain(folder, &["run", program])), "500500\n");
    }
    if Command::new("g++").arg("--version").output().is_ok() {
        let error = refused(cmake(&["-S", ".", "-B", "other", &prefix]).args(languages("gcc", "g++")));
        let words = error.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains("it takes clang 22") && words.contains("CMAKE_C_COMPILER=clang-22"),
            "{error}"
        );
    }
}

#[test]
fn doctor_says_what_became_of_what_was_installed() {
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
        let said = text(&warpfold(&["doctor"]).output().expect("it starts").stdout);
        said.lines().find(|line| line.starts_with("installed into")).map(String::from)
    };
    assert_eq!(doctor(), None);
    well(&mut warpfold(&["install", "--yes", "--no-cuda"]));
    let said = doctor().expect("a line");
    assert!(said.contains("files, all as they were installed"), "{said}");
    // One that LIBRARY_PATH names is the one that is linked.
    let said = well(&mut warpfold(&["install", "--yes", "--no-cuda", "--prefix", "an other"]));
    let path = folder.join("an other").join("lib/nvptx64-nvidia-cuda");
    assert!(said.contains(&format!("LIBRARY_PATH='{}'", path.display())), "{said}");
    let said = text(&warpfold(&["doctor"]).env("LIBRARY_PATH", path).output().expect("it starts").stdout);
    assert!(
        said.contains(&format!("installed into {}: warpfold", folder.join("an other").display())),
        "{said}"
    );
    fs::remove_file(folder.join("llvm/include/warpfold.h")).expect("the header");
    let said = doctor().expect("a line");
    assert!(said.contains("warpfold.h is missing; `warpfold install` brings it back"), "{said}");
    fs::write(folder.join("llvm/include/warpfold.h"), "changed").expect("the header");
    let said = doctor().expect("a line");
    assert!(said.contains("warpfold.h was changed; move what was changed away"), "{said}");
    fs::write(folder.join("llvm/share/warpfold/manifest.json"), "{").expect("the manifest");
    let said = doctor().expect("a line");
    assert!(said.contains("no list of installed files"), "{said}");
}

#[test]
fn an_old_clang_that_has_the_name_is_told() {
    let folder = folder(&[]);
    let folder = folder.path();
    let clang = folder.join("bin/clang");
    fs::create_dir_all(folder.join("bin")).expect("a folder");
    fs::write(&clang, "#!/bin/sh\necho Debian clang version 19.1.7\n").expect("a program");
    fs::set_permissions(&clang, fs::Permissions::from_mode(0o755)).expect("a program");
    let path = env::join_paths(split(&[folder.join("bin"), path_without_cuda().into()])).expect("a PATH");
    let said = text(&plain(folder, &["doctor"]).env("PATH", path).output().expect("it starts").stdout);
    let line =
        said.lines().find(|line| line.starts_with("clang of PATH")).unwrap_or_else(|| panic!("{said}"));
    assert!(line.contains("version 19.1.7; 22 or newer is needed") && line.contains("instead"), "{line}");
}

#[test]
fn an_old_clang_is_rejected_with_a_hint() {
    let folder = folder(&[]);
    let clang = folder.path().join("old/bin/clang");
    fs::create_dir_all(clang.parent().expect("a folder")).expect("a folder");
    fs::write(&clang, "#!/bin/sh\necho Debian clang version 19.1.7\n").expect("a program");
    fs::set_permissions(&clang, fs::Permissions::from_mode(0o755)).expect("a program");
    let error = refused(&mut plain(folder.path(), &["install", "--yes", "--no-cuda", "--prefix", "old"]));
    assert!(error.contains("19.1.7") && error.contains("install clang-22"), "{error}");
}

#[test]
fn pkg_config_says_what_another_clang_needs() {
    let Ok(version) = Command::new("pkg-config").arg("--version").output() else {
        eprintln!("no pkg-config here: not tried");
        return;
    };
    assert!(version.status.success());
    let folder = folder(&[("sum.c", SUM)]);
    let folder = folder.path();
    well(&mut plain(folder, &["build", "--out", "tree"]));
    let cuda = well(&mut plain(folder, &["config", "--cuda-dir"]));
    let flags = well(
        Command::new("pkg-config")
            .args(["--cflags", "--libs", "warpfold"])
            .env("PKG_CONFIG_PATH", folder.join("tree/lib/pkgconfig")),
    );
    for option in ["-O2", "-foffload-lto"] {
        let clang = env::var_os("WARPFOLD_CLANG").unwrap_or_else(|| "clang-22".into());
        let mut compile = Command::new(clang);
        compile.current_dir(folder).env_remove("LIBRARY_PATH").args(flags.split_whitespace());
        well(compile.args([option, "sum.c", "-o", "program"]).arg(format!("--cuda-path={}", cuda.trim())));
        assert_eq!(well(&mut plain(folder, &["run", "./program"])), "500500\n", "{option}");
    }
}

#[test]
fn doctor_says_whose_runtime_plain_clang_links() {
    let folder = folder(&[]);
    let folder = folder.path();
    let clang = env::var_os("WARPFOLD_CLANG").unwrap_or_else(|| "clang-22".into());
    let doctor = |ir: &str| {
        fs::write(folder.join("runtime.ll"), ir).expect("a file");
        well(
            Command::new(&clang)
                .current_dir(folder)
                .args(["--target=nvptx64-nvidia-cuda", "-w", "-c", "-emit-llvm", "runtime.ll", "-o"])
                .arg("libomptarget-nvptx.bc"),
        );
        let output = plain(folder, &["doctor"]).env("LIBRARY_PATH", folder).output().expect("it starts");
        let said = text(&output.stdout);
        said.lines().find(|line| line.starts_with("OpenMP runtime of plain")).expect("a line").to_string()
    };
    let stamped =
        "@__warpfold_version = constant [16 x i8] c\"0.0.9\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\"\n";
    let said = doctor(stamped);
    assert!(said.contains("warpfold 0.0.9 (") && said.contains("`warpfold install` replaces it"), "{said}");
    assert!(said.contains("libompdevice.a is not beside it"), "{said}");
    fs::write(folder.join("libompdevice.a"), "").expect("a file");
    let said = doctor("define void @f() {\n  ret void\n}\n");
    assert!(said.contains("not warpfold's (") && !said.contains("libompdevice.a"), "{said}");
}
