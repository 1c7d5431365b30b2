//! `benches openmp`: launches, checks and counts kernels compiled by clang.

use std::{fs, path::Path, process::Command};

fn bench(options: &[&str], json: &Path) -> (String, serde_json::Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_benches"))
        .args(["openmp", "--rounds", "1", "--device", "emulator", "--json"])
        .arg(json)
        .args(options)
        .output()
        .expect("benches runs");
    let output_text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{output_text}{}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(json).expect("the figures");
    (output_text, serde_json::from_str(&text).expect("JSON"))
}

/// Each team has one chunk and reduces once: 256 of 264 teams, because chunks are multiples of 32 iterations.
#[test]
fn a_team_reduces_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let (output_text, figures) = bench(&[], &folder.path().join("openmp.json"));
    let rows = figures["openmp_kernels"].as_array().expect("rows");
    let sum = rows.iter().find(|row| row["kernel"] == "sum").expect(&output_text);
    // Five steps of two words in each of four warps and two more steps in the first, likewise in the team
    // that folds.
    assert_eq!(sum["counts"]["shuffles"], (256 + 1) * (4 * 5 * 2 + 2 * 2), "{output_text}");
    assert_eq!(sum["counts"]["atomics"], 264, "{output_text}");
}

/// Kernels of another runtime are given as PTX files.
#[test]
fn a_peer_is_measured_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "not PTX";
    fs::write(folder.path().join("sum.ptx"), text).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_benches"))
        .args(["openmp", "--rounds", "1", "--device", "emulator", "--peer"])
        .arg(folder.path())
        .output()
        .expect("benches runs");
    let output_text = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && output_text.contains("the PTX of sum has no kernel"),
        "{output_text}"
    );
    fs::remove_file(folder.path().join("sum.ptx")).expect("the file goes");
    let peer = folder.path().to_string_lossy().into_owned();
    let (output_text, figures) = bench(&["--peer", &peer], &folder.path().join("openmp.json"));
    assert!(output_text.contains("sum: the peer has no PTX"), "{output_text}");
    assert_eq!(figures["openmp_kernels"].as_array().map(Vec::len), Some(18), "{output_text}");
}
