//! C for a device, made by the library, and what its programs do on the emulator.

#![allow(dead_code, reason = "each test uses a part")]

use std::{collections::BTreeMap, fs, path::Path};

use loop_compiler::{
    Options, c,
    parallelize::{GPU, Machine, Original, parallelize},
    report::FloatOrder,
    rewrite,
};
use serde_json::Value;

use crate::common;

/// The file for a device, for which no region is too small.
pub fn for_device(file: &Path, machine: &Machine, sizes: &[(&str, i64)]) -> Result<String, String> {
    let input =
        c::Input { clang: Path::new("clang-22"), file, arguments: &[], auto: false, assume_distinct: false };
    let source = c::read(&input).expect("clang reads it");
    let sizes: BTreeMap<String, i64> = sizes.iter().map(|(name, size)| ((*name).into(), *size)).collect();
    let options = Options { sizes, time: std::time::Duration::from_secs(120), ..Options::default() };
    let mut rejected = None;
    let text = rewrite::rewritten(&source, |region| {
        let tree = region.tree.as_ref().expect("a region");
        match parallelize(tree, FloatOrder::Free, machine, &options) {
            Ok(made) => made.text(&Original::from(tree)),
            Err(error) => {
                rejected = Some(error.to_string());
                None
            }
        }
    });
    match rejected {
        Some(error) => Err(error),
        None => Ok(String::from_utf8(text).expect("UTF-8")),
    }
}

/// A device for which no region is too small.
pub fn machine() -> Machine {
    Machine { least_work: 1, ..GPU.clone() }
}

/// What a program for the device prints, its launches and, for each level, its PTX.
pub fn ran(folder: &Path, text: &str, arguments: &[&str]) -> (String, usize, Vec<String>) {
    ran_at(&["-O0", "-O2"], folder, text, arguments)
}

/// As [`ran`], at some levels.
pub fn ran_at(
    levels: &[&str],
    folder: &Path,
    text: &str,
    arguments: &[&str],
) -> (String, usize, Vec<String>) {
    fs::write(folder.join("made.c"), text).unwrap();
    let (mut printed, mut launches, mut assembly) = (Vec::new(), Vec::new(), Vec::new());
    for level in levels.iter().copied() {
        common::make(folder, &["cc", level, "-w", "-save-temps", "made.c", "-o", "made"]);
        assembly.push(fs::read_to_string(folder.join("made.nvptx64.sm_90.s")).unwrap());
        let run = ["run", "--check=race", "--counts=counts.json", "./made"];
        let output = common::warpfold(folder, &[&run[..], arguments].concat());
        let said = common::text(&output.stderr);
        assert!(said.contains("warpfold: no findings"), "{level}: {said}\n{text}");
        printed.push(common::text(&output.stdout));
        let counts = fs::read_to_string(folder.join("counts.json")).unwrap();
        let counts: Value = serde_json::from_str(&counts).unwrap();
        launches.push(counts["launches"].as_array().unwrap().len());
    }
    assert!(printed.iter().all(|other| *other == printed[0]), "{printed:?}: {text}");
    assert!(launches.iter().all(|other| *other == launches[0]), "{launches:?}: {text}");
    (printed.swap_remove(0), launches[0], assembly)
}
