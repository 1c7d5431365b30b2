//! `benches peers`: the exact counts of this project's reductions are those that are recorded, and what a peer's program
//! does wrong is reported.

use std::{
    env, fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;
use toolchain::{OffloadBuild, OptLevel, Tools};

/// The counts; `WARPFOLD_BLESS=1` writes them.
const COUNTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/results/peers-own.tsv");

fn benches(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_benches"));
    command.arg("peers").arg("--programs").arg(folder).arg("--driver").arg(folder).args(arguments);
    command.output().expect("benches runs")
}

/// The pragmas' program, and the emulated driver for it.
fn pragmas(folder: &Path) {
    let tools = Tools::find().expect("the tools");
    let text = include_str!("../peers/pragmas.c");
    let build =
        OffloadBuild { units: &[("pragmas.c", text)], sm: 90, opt: OptLevel::O2, lto: true, options: &[] };
    let library = device_library::openmp_library(&tools).expect("the runtime");
    let program = tools.offload_program(&build, &library).expect("a program");
    fs::copy(program, folder.join("pragmas-c")).expect("a copy");
    // cargo builds a dependency's shared library into the folder of the tests.
    let library = env::current_exe().expect("the test's path").with_file_name("libwarpfold_cuda.so");
    symlink(&library, folder.join("libcuda.so.1")).expect("a link");
    symlink(&library, folder.join("libcuda.so")).expect("a link");
}

#[test]
fn the_counts_are_the_recorded_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    pragmas(folder.path());
    let json = folder.path().join("rows.json");
    let path = json.to_string_lossy().into_owned();
    let output = benches(
        &[
            "--only",
            "ours,canonical,typed,exact,pragmas-c",
            "--sizes",
            "12",
            "--counts-only",
            "--json",
            &path,
        ],
        folder.path(),
    );
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let rows: Vec<Value> = serde_json::from_slice(&fs::read(&json).expect("the rows")).expect("JSON");
    const COLUMNS: [&str; 8] =
        ["peer", "reduction", "rows", "grid", "shape", "warp_instructions", "global_sectors", "launches"];
    let mut table = COLUMNS.join("\t") + "\n";
    for row in &rows {
        let columns = COLUMNS.map(|name| match &row[name] {
            Value::String(text) => text.clone(),
            number => number.to_string(),
        });
        table += &(columns.join("\t") + "\n");
    }
    assert_eq!(rows.len(), 2 * 9 + 5 + 5 + 2 * 9, "{table}");
    if env::var_os("WARPFOLD_BLESS").is_some() {
        fs::write(COUNTS, &table).expect("the counts are written");
    }
    let kept = fs::read_to_string(COUNTS).unwrap_or_default();
    let changed: Vec<String> = table
        .lines()
        .zip(kept.lines().chain(std::iter::repeat("")))
        .filter(|(new, old)| new != old)
        .map(|(new, old)| format!("recorded {old}\n     now {new}"))
        .collect();
    assert!(table == kept, "WARPFOLD_BLESS=1 rewrites {COUNTS}:\n{}", changed.join("\n"));
}

#[test]
fn a_peer_that_is_missing_or_wrong_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |script: &str| {
        let program = folder.path().join("cub");
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("a script");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it is executable");
        let output = benches(&["--only", "cub,llvm-19", "--sizes", "4"], folder.path());
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        (output.status.success(), text.concat())
    };
    let (succeeded, text) = run("exit 9");
    assert!(succeeded && text.contains("llvm-19") && text.contains("was left out"), "{text}");
    assert!(!text.contains("2^4"), "it has no reduction: {text}");
    for wrong in ["echo sum_i32: column 0 is 1, not 2 >&2; exit 1", "echo no number"] {
        let (succeeded, text) = run(wrong);
        assert!(!succeeded && text.contains("sum_i32 of 2^4 by cub (own)"), "{text}");
    }
}
