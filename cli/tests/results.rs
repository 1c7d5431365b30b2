//! `warpfold cc`, `fc` and `run`: programs whose results depend on a detail of the runtime, at every level of
//! optimisation.

mod common;

use std::path::Path;

use common::{folder, make, text, warpfold};

const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-O3"];

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

/// Blocks have at most 1024 threads; LLVM's OpenMP passes take the constant of the clause for their size.
#[test]
fn a_thread_limit_above_that_of_blocks_is_legal() {
    let source = r#"
#include <stdio.h>
int main(void) {
  static int a[3000];
  long sum = 0;
  int most = 0, wrong = 0;
#pragma omp target teams distribute parallel for thread_limit(LIMIT) map(tofrom : a)
  for (int i = 0; i < 3000; i++) a[i] = i + 1;
  for (int i = 0; i < 3000; i++) wrong += a[i] != i + 1;
#pragma omp target teams thread_limit(LIMIT) map(tofrom : a)
#pragma omp distribute parallel for
  for (int i = 0; i < 3000; i++) a[i] += i;
  for (int i = 0; i < 3000; i++) wrong += a[i] != 2 * i + 1;
#pragma omp target teams distribute parallel for thread_limit(LIMIT) reduction(+ : sum) reduction(max : most)
  for (int i = 0; i < 5000; i++) {
    sum += i;
    if (i % 977 > most) most = i % 977;
  }
#pragma omp target teams thread_limit(LIMIT) num_teams(3) map(tofrom : a)
  {
#pragma omp distribute
    for (int i = 0; i < 3; i++) {
#pragma omp parallel for
      for (int j = 0; j < 1000; j++) a[i * 1000 + j] = i * j;
    }
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 1000; j++) wrong += a[i * 1000 + j] != i * j;
#pragma omp target parallel for thread_limit(LIMIT) map(tofrom : a)
  for (int i = 0; i < 3000; i++) a[i] = i + 7;
  for (int i = 0; i < 3000; i++) wrong += a[i] != i + 7;
#pragma omp target
  {
  }
  printf("%ld %d, %d wrong\n", sum, most, wrong);
}
"#;
    let folder = folder(&[("limit.c", source)]);
    for level in LEVELS {
        for (at, limit) in ["1024", "1025", "1048", "2000", "2048"].into_iter().enumerate() {
            // Without optimisation, nvlink rejects kernels of 2000 threads: they would have 32 registers. Each other level
            // is tried with some.
            let tried = match level {
                "-O0" => ["1025", "1048"].contains(&limit),
                "-O2" => true,
                _ => ["1025", "2048"].contains(&limit),
            };
            if !tried {
                continue;
            }
            for (mode, lto) in [&[][..], &["-fno-offload-lto"]].into_iter().enumerate() {
                // Each limit in one mode at -O2, and in the other one elsewhere.
                if !common::is_nightly() && at % 2 != (mode + usize::from(level == "-O2")) % 2 {
                    continue;
                }
                let limit = format!("-DLIMIT={limit}");
                let printed = result(folder.path(), &[&["cc", level, &limit, "limit.c"], lto].concat(), &[]);
                assert_eq!(printed, "12497500 976, 0 wrong\n", "{level} {limit} {lto:?}");
            }
        }
    }
}

/// flang emits no barrier behind a loop that threads share.
#[test]
fn a_loop_of_flang_ends_with_a_barrier() {
    let source = "\
program two
  integer :: a(2000), b(2000), i, wrong
  a = 0
  b = 0
!$omp target map(tofrom: a, b)
!$omp parallel
!$omp do
  do i = 1, 2000
    a(i) = i
  end do
!$omp do
  do i = 1, 2000
    b(i) = a(2001 - i)
  end do
!$omp end parallel
!$omp end target
  wrong = 0
  do i = 1, 2000
    if (b(i) /= 2001 - i) wrong = wrong + 1
  end do
  print '(i0,a)', wrong, ' wrong'
end program
";
    let folder = folder(&[("two.f90", source)]);
    for level in LEVELS {
        assert_eq!(result(folder.path(), &["fc", level, "two.f90"], &["--check"]), "0 wrong\n", "{level}");
    }
}

/// What LLVM 22 makes wrong device code of is rejected, with the line and what helps.
#[test]
fn what_becomes_wrong_device_code_is_rejected() {
    let scan = "#include <stdio.h>
int main(void) {
  int a[1000], o[1000], run = 0;
  for (int i = 0; i < 1000; i++) a[i] = i % 13;
#pragma omp target map(to : a) map(from : o) map(tofrom : run)
#pragma omp parallel for reduction(inscan, + : run)
  for (int i = 0; i < 1000; i++) {
    run += a[i];
#pragma omp scan inclusive(run)
    o[i] = run;
  }
  printf(\"%d %d %d\\n\", o[500], o[999], run);
}
";
    let concurrent = "program q
  integer :: i
  integer, parameter :: n = 1000
  real(8) :: s, a(n)
  do concurrent (i = 1:n)
    a(i) = i * 2
  end do
  s = 5
  do concurrent (i = 1:n) reduce(+: s)
    s = s + a(i)
  end do
  print '(f0.1)', s
end program
";
    let narrow = "#include <stdio.h>
int main(void) {
  signed char c[3] = {0};
#pragma omp target teams distribute parallel for reduction(+ : c) num_teams(1)
  for (int i = 0; i < 100; i++) c[0]++, c[1]++, c[2]++;
  printf(\"%d %d %d\\n\", c[0], c[1], c[2]);
}
";
    let wide = narrow.replace("[3]", "[4]");
    let host = scan.replace("#pragma omp target map(to : a) map(from : o) map(tofrom : run)\n", "");
    let folder = folder(&[
        ("scan.c", scan),
        ("narrow.c", narrow),
        ("wide.c", &wide),
        ("host.c", &host),
        ("sum.f90", concurrent),
    ]);
    let device = "-fdo-concurrent-to-openmp=device";
    for (words, place, helps) in [
        (vec!["cc", "-O2", "scan.c"], "scan.c:6: clang 22", "warpfold parallelize --target gpu"),
        (
            vec!["cc", "-O2", "-c", "narrow.c"],
            "narrow.c:4: clang 22",
            "a multiple of 4 bytes ([3 x i8] in LLVM IR)",
        ),
        (vec!["fc", "-O2", device, "sum.f90"], "sum.f90:9: flang 22", "!$omp target teams distribute"),
    ] {
        let output = warpfold(folder.path(), &[&words[..], &["-o", "rejected"]].concat());
        let message = text(&output.stderr);
        assert!(!output.status.success() && message.contains(place) && message.contains(helps), "{message}");
        assert!(!folder.path().join("rejected").exists());
    }
    make(folder.path(), &["cc", "-O1", "wide.c", "-o", "program"]);
    let output = warpfold(folder.path(), &["run", "./program"]);
    assert_eq!(text(&output.stdout), "100 100 100\n", "{output:?}");
    // On the host both are right.
    make(folder.path(), &["cc", "-O1", "host.c", "-lm", "-o", "program"]);
    let output = warpfold(folder.path(), &["run", "./program"]);
    assert_eq!(text(&output.stdout), "2985 5994 5994\n", "{output:?}");
    make(folder.path(), &["fc", "-O1", "sum.f90", "-o", "program"]);
    let output = warpfold(folder.path(), &["run", "./program"]);
    assert_eq!(text(&output.stdout), "1001005.0\n", "{output:?}");
}

/// A lock that no other thread can see, taken twice by its thread.
#[test]
fn a_lock_that_is_never_free_is_a_livelock() {
    let source = "#include <omp.h>
int main(void) {
#pragma omp target
  {
    omp_lock_t lock;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
    omp_set_lock(&lock);
  }
}
";
    let folder = folder(&[("lock.c", source)]);
    for level in ["-O0", "-O2"] {
        make(folder.path(), &["cc", level, "-g", "lock.c", "-o", "program"]);
        let output = warpfold(folder.path(), &["run", "--check", "--timeout=300", "./program"]);
        let message = text(&output.stderr);
        assert!(message.ends_with("warpfold: 1 finding (1 livelock)\n"), "{level}: {message}");
    }
}
