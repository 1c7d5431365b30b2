//! Lists the sources of the device runtime, which the crate embeds. Nothing of them is compiled here.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Folders of the sources, each of which only one of the two builds has.
const OPENMP_ONLY: &str = "src/arch/openmp_only/";
const KERNELS_ONLY: &str = "src/arch/kernels_only/";

/// LLVM IR of which the OpenMP library has members of their own.
const MODULES: [(&str, &str, &str); 2] = [
    (
        "FORTRAN_CONSTANTS",
        "fortran/omp_lib.ll",
        "The named constants of Fortran's OpenMP modules, as LLVM IR.",
    ),
    (
        "FIRST_ITERATION",
        "whole_program/first_iteration.ll",
        "Functions that the OpenMP library for whole programs has instead of moves, as LLVM IR.",
    ),
];

fn main() {
    // Beside this crate in the workspace, elsewhere in a registry's folder: the other's build script says it.
    let root = PathBuf::from(variable("DEP_WARPFOLD_DEVICE_RT_ROOT"));
    let sources = root.join("src");
    println!("cargo::rerun-if-changed={}", sources.display());
    let mut files = Vec::new();
    walk(&sources, &mut files);
    files.sort();
    let files: Vec<(String, PathBuf)> = files
        .into_iter()
        .map(|file| {
            let inside = file.strip_prefix(&root).expect("a file inside").to_str().expect("a plain name");
            (inside.replace('\\', "/"), file)
        })
        .collect();
    let mut text = String::new();
    let lists = [
        ("KERNEL_SOURCES", OPENMP_ONLY, "The sources of the reductions, on which crates of kernels depend."),
        ("OPENMP_SOURCES", KERNELS_ONLY, "The sources of the OpenMP library."),
    ];
    for (name, left_out, meaning) in lists {
        // Writing to a string does not fail.
        let _ = writeln!(text, "/// {meaning}\npub const {name}: &[(&str, &str)] = &[");
        for (inside, file) in files.iter().filter(|(inside, _)| !inside.starts_with(left_out)) {
            let _ = writeln!(text, "    ({inside:?}, include_str!({:?})),", file.display().to_string());
        }
        text.push_str("];\n\n");
    }
    for (name, path, meaning) in MODULES {
        let file = root.join(path).display().to_string();
        println!("cargo::rerun-if-changed={file}");
        let _ = writeln!(text, "/// {meaning}\npub const {name}: &str = include_str!({file:?});\n");
    }
    fs::write(Path::new(&variable("OUT_DIR")).join("sources.rs"), text).expect("the list is written");
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// All files below a folder.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources").flatten() {
        let path = entry.path();
        if path.is_dir() { walk(&path, files) } else { files.push(path) }
    }
}
