//! The engines that execute kernels: the same results and counts, and a reason where machine code was asked for in vain.

mod common;

use common::{command, folder, made, text, warpfold};
use serde_json::Value;

const SUM: &str = r#"
#include <stdio.h>
int main(void) {
  long sum = 0;
  int values[1000];
  for (int i = 0; i < 1000; i++)
    values[i] = i % 17;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : values)
  for (int i = 0; i < 1000; i++)
    sum += values[i] * (i % 3 ? 1 : -2);
  printf("%ld\n", sum);
  return 0;
}
"#;

/// The launches in a file that `--counts` wrote, and how many instructions ran compiled.
fn counts(path: &std::path::Path) -> (Vec<Value>, u64) {
    let text = std::fs::read_to_string(path).expect("counts");
    let mut counts: Value = serde_json::from_str(&text).expect("JSON");
    let launches = counts["launches"].as_array_mut().expect("launches");
    let mut compiled = 0;
    for launch in launches.iter_mut() {
        let launch = launch.as_object_mut().expect("an object");
        compiled += launch.remove("compiled_instructions").and_then(|count| count.as_u64()).unwrap_or(0);
    }
    (launches.clone(), compiled)
}

#[test]
fn engines_compute_and_count_the_same() {
    for level in ["-O0", "-O2"] {
        let (folder, _) = made(&[("sum.c", SUM)], &["cc", level, "sum.c", "-o", "program"]);
        let run = |engine: &str| {
            let arguments = ["run", "--engine", engine, "--counts=counts.json", "./program"];
            let output = warpfold(folder.path(), &arguments);
            assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
            (text(&output.stdout), counts(&folder.path().join("counts.json")))
        };
        let (interpreted, (of_interpreter, none)) = run("interpret");
        let (compiled, (of_code, some)) = run("compile");
        assert_eq!(interpreted, compiled, "{level}");
        assert_eq!(of_interpreter, of_code, "{level}");
        assert_eq!(none, 0, "{level}");
        let all: u64 = of_code.iter().filter_map(|launch| launch["warp_instructions"].as_u64()).sum();
        assert!(some > all / 2, "{level}: {some} of {all}");
    }
}

#[test]
fn a_reason_is_given_where_machine_code_is_asked_for_in_vain() {
    let (folder, _) = made(&[("sum.c", SUM)], &["cc", "-O2", "sum.c", "-o", "program"]);
    let asked = |options: &[&str], variables: &[(&str, &str)]| {
        let arguments = [&["run", "--engine", "compile"], options, &["./program"]].concat();
        let output = command(folder.path(), &arguments).envs(variables.iter().copied()).output();
        let output = output.expect("it starts");
        assert!(output.status.success(), "{output:?}");
        text(&output.stderr)
    };
    let message = asked(&["--seed", "3"], &[]);
    assert_eq!(
        message.trim_end(),
        "warpfold: kernels are interpreted, not compiled: a schedule that a seed chooses uses the interpreter"
    );
    let message = asked(&["--check"], &[]);
    assert!(message.contains("not compiled: checks and profiles use the interpreter"), "{message}");
    let empty = folder_without_tools();
    let variables = [("WARPFOLD_LLVM_BIN", empty.path().to_str().expect("a name"))];
    let message = asked(&[], &variables);
    let reason = "not compiled: LLVM's llc, needed for machine code of emulated kernels, was not found";
    assert!(message.contains(reason) && message.contains("warpfold setup"), "{message}");
    assert_eq!(asked(&[], &[]), "");
}

fn folder_without_tools() -> tempfile::TempDir {
    folder(&[("readme", "No tools are here.")])
}
