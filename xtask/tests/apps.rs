//! `cargo xtask apps` with three programs of its own.

mod common;

use std::{fs, path::Path, process::Output};

use serde_json::Value;

/// The device's sum has the order of its own, so that the last digits may differ.
const RIGHT: &str = r#"
#include "terms.h"
#include <omp.h>
#include <stdio.h>
int main(int argc, char **argv) {
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < 1000 * argc; i++) sum += TERM(i);
  printf("%d arguments, sum %.17g\n", argc - 1, sum);
  printf("time %p\n", (void *)&sum);
  int device = omp_get_default_device();
  int *memory = omp_target_alloc(sizeof *memory, device);
  printf("memory: %d\n", memory != NULL);
  omp_target_free(memory, device);
  return argc;
}
"#;

const TERMS: &str = "#define TERM(i) (1.0 / (1 + (i)))\n";

const DIFFERS: &str = r#"
program differs
  use omp_lib
  logical :: host
  !$omp target map(from: host)
  host = omp_is_initial_device()
  !$omp end target
  print *, "host: ", host
end program
"#;

const LAUNCHES_NOTHING: &str = "#include <iostream>\nint main() { std::cout << 1.5 << \"\\n\"; }\n";

const LIST: &str = "
[programs.right]
arguments = ['x', '-y']
ignore = ['^time ']
";

fn apps(arguments: &[&Path]) -> Output {
    common::xtask("apps", arguments)
}

#[test]
fn programs_are_right_differ_or_launch_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    for name in ["right", "programs"] {
        fs::create_dir(at(name)).expect("a folder");
    }
    for (name, text) in [
        ("right/main.c", RIGHT),
        ("right/terms.h", TERMS),
        ("differs.f90", DIFFERS),
        ("nothing.cpp", LAUNCHES_NOTHING),
        ("apps.toml", LIST),
    ] {
        fs::write(at(name), text).expect("a file");
    }
    let results = at("results");
    let ran = apps(&[folder.path(), Path::new("--json"), &results]);
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert_eq!(ran.status.code(), Some(1), "{out}{err}");
    assert!(out.ends_with("3 programs: 1 differs, 1 launches nothing, 1 right\n"), "{out}{err}");
    assert!(err.ends_with("1 of 3 programs differ from the host, have a fault or a report\n"), "{err}");
    let json: Value = serde_json::from_slice(&fs::read(&results).expect("a file")).expect("JSON");
    let of = |number: usize, what: &str| json["programs"][number][what].clone();
    assert_eq!(of(0, "note"), "line 1: ` host:  F`, on the host ` host:  T`");
    assert_eq!((of(0, "launches"), of(1, "launches"), of(2, "launches")), (1.into(), 0.into(), 1.into()));
    assert!(of(2, "thread_instructions").as_u64() > Some(3000), "{json}");

    let ran = apps(&[folder.path(), Path::new("right")]);
    assert!(ran.status.success(), "{ran:?}");
    let ran = apps(&[folder.path(), Path::new("nothing")]);
    assert!(String::from_utf8_lossy(&ran.stderr).ends_with("nothing ran on the device\n"), "{ran:?}");
    let ran = apps(&[folder.path(), Path::new("other")]);
    let err = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(err.ends_with("no program `other`; there are differs, nothing, right\n"), "{err}");
}

/// Threads combine into one variable without a reduction.
const RACES: &str = r#"
#include <stdio.h>
int main(void) {
  int sum = 0;
#pragma omp target parallel for num_threads(64) map(tofrom : sum)
  for (int i = 0; i < 64; i++)
    sum |= i;
  printf("%s\n", sum < 64 ? "small" : "large");
}
"#;

#[test]
fn what_the_checks_report_is_listed_by_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("races.c"), RACES).expect("a file");
    let ran = apps(&[folder.path()]);
    assert!(ran.status.success(), "{ran:?}");
    let results = folder.path().join("results");
    let ran = apps(&[folder.path(), Path::new("--check"), Path::new("--json"), &results]);
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert_eq!(ran.status.code(), Some(1), "{out}{err}");
    assert!(out.contains("1 programs: 1 reported\n\ndata-race: races.c:"), "{out}{err}");
    let json: Value = serde_json::from_slice(&fs::read(&results).expect("a file")).expect("JSON");
    let reports = json["programs"][0]["reports"].as_array().expect("a list");
    let writes = |report: &Value| report["kind"] == "data-race" && report["lines"][1] == "races.c:7";
    assert!(reports.iter().any(writes), "{json}");
}
