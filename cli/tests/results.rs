//! `warpfold cc`, `fc` and `run`: programs whose results depend on a detail of the runtime, at every level of
//! optimisation.

mod common;

use std::path::Path;

use common::{folder, make, text, warpfold};

/// Compiles `program` with these words of a command line after `warpfold`, and runs it with a limit of time and further
/// options; what it prints.
#[track_caller]
fn result(folder: &Path, compile: &[&str], run: &[&str]) -> String {
    make(folder, &[compile, &["-o", "program"]].concat());
    let output = warpfold(folder, &[&["run", "--timeout=300"], run, &["./program"]].concat());
    assert!(output.status.success(), "{compile:?} {run:?}: {output:?}");
    text(&output.stdout)
}

/// The main thread's stack for shared variables has 512 bytes.
#[test]
fn the_sharing_stack_may_be_exactly_full() {
    let source = r#"
#include <omp.h>
#include <stdio.h>
__attribute__((noinline)) void use(volatile char *p, int n) { p[0] = 1; p[n - 1] = 2; }
#pragma omp declare target(use)
int main(void) {
  int wrong = 0;
#pragma omp target map(tofrom : wrong)
  {
    for (int round = 0; round < 3; round++) {
      char buffer[BYTES];
      use(buffer, BYTES);
#pragma omp parallel num_threads(4)
      { if (omp_get_thread_num() == 1) buffer[5] = 7; }
      // Captures nothing.
#pragma omp parallel num_threads(4)
      { volatile int x = omp_get_thread_num(); (void)x; }
      wrong += buffer[5] != 7 || buffer[0] != 1 || buffer[BYTES - 1] != 2;
    }
  }
  printf("%d wrong\n", wrong);
}
"#;
    let folder = folder(&[("full.c", source)]);
    for level in ["-O0", "-O2"] {
        for bytes in [480, 496, 504, 511, 512, 513] {
            let bytes = format!("-DBYTES={bytes}");
            let printed = result(folder.path(), &["cc", level, &bytes, "full.c"], &["--check"]);
            assert_eq!(printed, "0 wrong\n", "{level} {bytes}");
        }
    }
}
