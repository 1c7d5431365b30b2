//! Device images in all the forms in which compilers and linkers put them into executables: each runs.

mod common;

use std::process::Command;

use common::{folder, made, make, printed};

/// Both ways to build: each unit's device code for itself, and all of it together.
const MODES: [&[&str]; 2] = [&[], &["-foffload-lto"]];

/// A program of two units that use each other's functions and variables on the device.
const UNITS: [(&str, &str); 2] = [
    (
        "main.c",
        r#"
#include <stdio.h>
#pragma omp begin declare target
int factor = 3;
int twice(int x);
#pragma omp end declare target
int total(int n);
int main(void) {
  long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 1; i <= 1000; i++) s += twice(i) * factor;
  printf("%ld %d\n", s, total(100));
  return 0;
}
"#,
    ),
    (
        "other.c",
        r#"
#pragma omp begin declare target
extern int factor;
int twice(int x) { return 2 * x + factor - 3; }
#pragma omp end declare target
int total(int n) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 1; i <= n; i++) s += i * factor;
  return s;
}
"#,
    ),
];

const PRINTS: &str = "3003000 15150\n";

#[test]
fn every_level_of_optimisation_and_of_debugging() {
    let folder = folder(&UNITS);
    let levels: [&[&str]; 10] = [
        &["-O0"],
        &["-O1"],
        &["-O2"],
        &["-O3"],
        &["-Os"],
        &["-g"],
        &["-g", "-O2"],
        &["-gline-tables-only"],
        &["-gline-tables-only", "-O1"],
        &["-g0", "-O2"],
    ];
    for level in levels {
        for mode in MODES {
            make(folder.path(), &[&["cc", "main.c", "other.c", "-o", "program"], level, mode].concat());
            assert_eq!(printed(folder.path(), &[]), PRINTS, "{level:?} {mode:?}");
        }
    }
}

#[test]
fn objects_archives_and_shared_libraries() {
    let folder = folder(&UNITS);
    let library = r#"
int library_total(int n) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 1; i <= n; i++) s += i;
  return s;
}
"#;
    let caller = r#"
#include <stdio.h>
int library_total(int n);
int main(void) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 1; i <= 10; i++) s += i;
  printf("%d %d\n", s, library_total(100));
  return 0;
}
"#;
    for (name, text) in [("library.c", library), ("caller.c", caller)] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let run = |program: &str, arguments: &[&str]| {
        let status = Command::new(program).current_dir(folder.path()).args(arguments).status();
        assert!(status.expect("it starts").success(), "{program} {arguments:?}");
    };
    for mode in MODES {
        let cc = |arguments: &[&str]| make(folder.path(), &[&["cc", "-O2"], arguments, mode].concat());
        cc(&["-c", "other.c", "-o", "other.o"]);
        let _ = std::fs::remove_file(folder.path().join("libother.a"));
        run("ar", &["rcs", "libother.a", "other.o"]);
        cc(&["main.c", "libother.a", "-o", "program"]);
        assert_eq!(printed(folder.path(), &[]), PRINTS, "archive, {mode:?}");
        run("strip", &["program"]);
        assert_eq!(printed(folder.path(), &[]), PRINTS, "stripped, {mode:?}");

        cc(&["-fPIC", "-shared", "library.c", "-o", "libtotal.so"]);
        cc(&["caller.c", "-L.", "-ltotal", "-Wl,-rpath,$ORIGIN", "-s", "-o", "program"]);
        assert_eq!(printed(folder.path(), &[]), "55 5050\n", "shared library, {mode:?}");
    }
}

#[test]
fn one_executable_for_two_architectures() {
    for mode in MODES {
        let command = ["cc", "-O2", "--offload-arch=sm_80,sm_90", "main.c", "other.c", "-o", "program"];
        let (folder, _) = made(&UNITS, &[&command, mode].concat());
        for sm in ["sm_80", "sm_90"] {
            assert_eq!(printed(folder.path(), &["--sm", sm]), PRINTS, "{sm} {mode:?}");
        }
    }
}

/// Two units with the same target region: as a template's instance and as an inline function.
#[test]
fn target_regions_in_templates_and_inline_functions() {
    let header = r#"
template <class T> struct Sum {
  T value;
  void add(T x) { value += x; }
};
template <class T> T sum(int n) {
  T s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 1; i <= n; i++) {
    Sum<T> part{0};
    part.add(i);
    s += part.value;
  }
  return s;
}
inline int most(int n) {
  int m = 0;
#pragma omp target teams distribute parallel for reduction(max : m)
  for (int i = 0; i < n; i++) m = m > i ? m : i;
  return m;
}
"#;
    let main = r#"
#include "header.hpp"
#include <cstdio>
long other(int n);
int main() { std::printf("%ld %.1f %d %ld\n", sum<long>(100), sum<double>(10), most(7), other(10)); }
"#;
    let other = "#include \"header.hpp\"\nlong other(int n) { return sum<long>(n) * most(3); }\n";
    for level in ["-O0", "-O2"] {
        for mode in MODES {
            let files = [("header.hpp", header), ("main.cpp", main), ("other.cpp", other)];
            let command = ["c++", level, "main.cpp", "other.cpp", "-o", "program"];
            let (folder, _) = made(&files, &[&command, mode].concat());
            assert_eq!(printed(folder.path(), &[]), "5050 55.0 6 110\n", "{level} {mode:?}");
        }
    }
}

/// A function of another unit sees the team and the threads of the region that calls it.
#[test]
fn units_share_the_state_of_the_runtime() {
    let main = r#"
#include <stdio.h>
#pragma omp begin declare target
int where(int *size, int *team, int *teams);
#pragma omp end declare target
int main(void) {
  int id[64], size[64], team[64], teams[64], wrong = 0;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) map(from : id, size, team, teams)
  for (int i = 0; i < 64; i++) id[i] = where(&size[i], &team[i], &teams[i]);
  for (int i = 0; i < 64; i++)
    wrong += id[i] != i % 32 || size[i] != 32 || team[i] != i / 32 || teams[i] != 2;
  printf("%d wrong\n", wrong);
  return 0;
}
"#;
    let other = r#"
#include <omp.h>
#pragma omp begin declare target
int where(int *size, int *team, int *teams) {
  *size = omp_get_num_threads();
  *team = omp_get_team_num();
  *teams = omp_get_num_teams();
  return omp_get_thread_num();
}
#pragma omp end declare target
"#;
    let folder = folder(&[("main.c", main), ("other.c", other)]);
    for level in ["-O0", "-O2"] {
        for mode in MODES {
            make(folder.path(), &[&["cc", level, "main.c", "other.c", "-o", "program"], mode].concat());
            assert_eq!(printed(folder.path(), &[]), "0 wrong\n", "{level} {mode:?}");
        }
    }
}
