//! Polly as an oracle: every update that it takes for a reduction is one here, too.

mod common;

use std::{
    collections::BTreeSet,
    path::Path,
    process::{Command, Stdio},
};

use loop_compiler::{DetectionRule, Options, analyze};

/// An array and an operator.
type Update = (String, String);

/// What Polly prints of its static control parts.
fn printed(path: &Path) -> String {
    let output = Command::new("clang-22")
        .args(["-w", "-O1", "-ffast-math", "-fno-discard-value-names", "-c", "-o", "/dev/null"])
        .args([
            "-mllvm",
            "-polly",
            "-mllvm",
            "-polly-position=early",
            "-mllvm",
            "-polly-process-unprofitable",
        ])
        .args(["-mllvm", "-polly-print-scops", "-mllvm", "-polly-use-llvm-names"])
        .args(common::arguments(&["-DVARIABLE"]))
        .arg(path)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    let missing = text.contains("Unknown command line argument '-polly");
    assert!(
        !missing,
        "this clang-22 is built without Polly: install LLVM's own, as `cargo run -- setup` does"
    );
    assert!(output.status.success(), "{}: {text}", path.display());
    text
}

/// The arrays that Polly takes for a reduction's target in the kernel, by their names in the source.
fn of_polly(text: &str) -> BTreeSet<Update> {
    let mut found = BTreeSet::new();
    let mut in_kernel = false;
    let mut operator = None;
    for line in text.lines().map(str::trim) {
        if let Some(function) = line.strip_prefix("Function: ") {
            in_kernel = function == "kernel";
        }
        if let Some((_, rest)) = line.split_once("[Reduction Type: ") {
            operator = rest.split(']').next().filter(|operator| *operator != "NONE").map(String::from);
        } else if let (Some(of), Some((_, array))) = (&operator, line.split_once("-> MemRef_")) {
            let end = array.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(array.len());
            if in_kernel {
                found.insert((array[..end].to_string(), of.clone()));
            }
            operator = None;
        }
    }
    found
}

/// The same of the analysis: updates in the form of a reduction, whether or not a loop carries them. Polly takes ranges
/// of whole arrays, as the definition does.
fn of_analysis(path: &Path) -> BTreeSet<Update> {
    let file = common::read(path, &["-DVARIABLE"]).unwrap();
    let trees = file.regions.iter().filter_map(|region| region.tree.as_ref().ok());
    let rule = DetectionRule { by_instance: false, ..DetectionRule::default() };
    let options = Options { rule, ..Options::default() };
    let statements = trees.flat_map(|tree| analyze(tree, &options).unwrap().statements);
    let updates = statements.filter_map(|statement| {
        let name = statement.target.split('.').next().unwrap_or_default().to_string();
        Some((name, statement.combines?.name().to_string()))
    });
    updates.collect()
}

#[test]
fn what_polly_finds_is_found() {
    let paths: Vec<_> =
        common::nests(&[]).into_iter().filter(|path| !common::name(path).starts_with("rejected/")).collect();
    let paths = common::sample(paths, 4);
    let found = common::in_parallel(&paths, |path| {
        let polly = of_polly(&printed(path));
        let ours = of_analysis(path);
        let missing: Vec<_> =
            polly.difference(&ours).map(|(array, operator)| format!("{array} {operator}")).collect();
        (polly.len(), ours.len(), missing)
    });
    let [polly, ours] = found.iter().fold([0, 0], |[polly, ours], (p, o, _)| [polly + p, ours + o]);
    println!("Polly finds {polly} updates, the analysis {ours}");
    let missing: Vec<_> = paths
        .iter()
        .zip(&found)
        .filter(|(_, (_, _, missing))| !missing.is_empty())
        .map(|(path, (_, _, missing))| format!("{}: {}", common::name(path), missing.join(", ")))
        .collect();
    assert!(polly > 15, "Polly's output is not understood: it finds {polly}");
    assert!(missing.is_empty(), "only Polly finds:\n{}", missing.join("\n"));
}
