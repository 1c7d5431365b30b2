//! Regions that are read and printed again compute the same, bit for bit.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use loop_compiler::c;

/// Families whose nests are written for fixed and for variable sizes: enough of them for a test.
const BOTH_MODES: [&str; 3] = ["linear-algebra", "stencils", "statistics"];

/// Compiles a program and returns what it prints.
fn output(source: &Path, program: &Path, definitions: &[&str]) -> Result<String, String> {
    let compiled = Command::new("clang-22")
        .args(["-w", "-O0", "-ffp-contract=off", "-o"])
        .arg(program)
        .args(common::arguments(definitions))
        .args(["-x", "c"])
        .arg(source)
        .arg("-lm")
        .output()
        .unwrap();
    if !compiled.status.success() {
        return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    let ran = Command::new(program).output().unwrap();
    let _ = fs::remove_file(program);
    if !ran.status.success() {
        return Err(format!("{}", ran.status));
    }
    Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
}

/// What differs between a nest and the nest with its regions printed.
fn difference(path: &Path, definitions: &[&str], scratch: &Path) -> Option<String> {
    let file = match common::read(path, definitions) {
        Ok(file) => file,
        Err(error) => return Some(error.to_string()),
    };
    let printed = file.with_regions(|region| {
        let tree = region.tree.as_ref().ok()?;
        Some(format!("\n{}", c::print(tree, 2)))
    });
    let stem =
        common::name(path).replace(['/', '.'], "-") + if definitions.is_empty() { "" } else { "-variable" };
    let copy = scratch.join(format!("{stem}.c"));
    fs::write(&copy, &printed).unwrap();
    let original = output(path, &scratch.join(format!("{stem}-before")), definitions);
    let again = output(&copy, &scratch.join(format!("{stem}-after")), definitions);
    match (original, again) {
        (Ok(original), Ok(again)) if original == again && !original.is_empty() => None,
        (original, again) => {
            Some(format!("before {original:?}\nafter {again:?}\n{}", String::from_utf8_lossy(&printed)))
        }
    }
}

fn assert_no_difference(paths: &[PathBuf], definitions: &[&str]) {
    let scratch = std::env::temp_dir().join(format!(
        "loop-compiler-round-trip-{}-{}",
        std::process::id(),
        definitions.len()
    ));
    fs::create_dir_all(&scratch).unwrap();
    let found = common::in_parallel(paths, |path| difference(path, definitions, &scratch));
    fs::remove_dir_all(&scratch).unwrap();
    let different: Vec<_> = paths
        .iter()
        .zip(found)
        .filter_map(|(path, found)| Some(format!("{}: {}", common::name(path), found?)))
        .collect();
    assert!(different.is_empty(), "{} of {}:\n{}", different.len(), paths.len(), different.join("\n"));
}

#[test]
fn nests_of_fixed_sizes_compute_the_same() {
    let paths = common::nests(&[]);
    assert!(paths.len() > 300);
    assert_no_difference(&common::sample(paths, 6), &[]);
}

#[test]
fn nests_of_variable_sizes_compute_the_same() {
    let uses_both = |path: &PathBuf| fs::read_to_string(path).unwrap().contains("_PB_");
    let paths: Vec<_> = common::nests(&BOTH_MODES).into_iter().filter(uses_both).collect();
    assert!(paths.len() >= 60, "{}", paths.len());
    assert_no_difference(&common::sample(paths, 6), &["-DVARIABLE"]);
}
