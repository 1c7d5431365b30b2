//! Reports of faults as people read them: what they say, in which words, and where.

mod common;

use std::process::Output;

use common::{command, made, text, warpfold};

/// Writes one element too many.
const BEYOND: &str = r#"
#include <stdlib.h>
static void scale(double *x, int i) {
  x[i] *= 2;
}
int main(int argc, char **argv) {
  int n = 500;
  double *values = malloc(n * sizeof *values);
#pragma omp target teams distribute parallel for map(tofrom : values[0 : n])
  for (int i = 0; i <= n; i++)
    scale(values, i);
  return 0;
}
"#;

/// Standard error of a program that ends with a fault.
fn failed(output: &Output) -> String {
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(125), "{message}");
    message
}

/// The report, with one space between words.
fn report(message: &str) -> String {
    let start = message.find("warpfold: ").expect("a report");
    message[start..].split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_report_says_the_source_line_first_and_names_the_variable() {
    for (level, caller) in [("-O0", "called from beyond.c:11"), ("-O2", "")] {
        let (folder, _) = made(&[("beyond.c", BEYOND)], &["cc", level, "-g", "beyond.c", "-o", "program"]);
        let message = failed(&warpfold(folder.path(), &["run", "./program"]));
        let brief = report(&message);
        assert!(
            brief.starts_with("warpfold: beyond.c:4: an access of 8 bytes of global memory at 0x"),
            "{message}"
        );
        for part in [
            "0 bytes past the end of the 4000 bytes allocated at",
            "4 | x[i] *= 2;",
            caller,
            "in the target region at line 9 of `main`, block (",
            "the 4000 bytes are those of `values[0:n]`",
        ] {
            assert!(brief.contains(part), "{level}: {part}: {message}");
        }
        for part in ["PTX", "%rd", "__omp_offloading_", "warp "] {
            assert!(!brief.contains(part), "{level}: {part}: {message}");
        }
        // Last on the screen: after what LLVM's host runtime says.
        let other = message.find("omptarget fatal error").expect("what LLVM's host runtime says");
        assert!(other < message.find("warpfold: beyond.c").expect("the report"), "{message}");

        let verbose = report(&failed(&warpfold(folder.path(), &["run", "--verbose", "./program"])));
        assert!(
            verbose.starts_with("warpfold: beyond.c:4: ") && verbose.contains("at PTX line"),
            "{verbose}"
        );
    }
}

/// The kind, the position and the rest of what one check run of a program reports.
fn checked(source: &str, level: &str, arguments: &[&str]) -> String {
    let (folder, _) = made(&[("near.c", source)], &["cc", level, "-g", "near.c", "-o", "program"]);
    let run = [&["run", "--check", "./program"], arguments].concat();
    report(&failed(&warpfold(folder.path(), &run)))
}

/// An access goes with the array that its pointer comes from, not with another one that happens to lie there.
#[test]
fn an_access_names_the_array_that_its_pointer_comes_from() {
    let before = r#"
#include <stdlib.h>
int main(void) {
  int n = 50;
  double *a = malloc(n * n * 8), *b = malloc(n * n * 8);
  for (int i = 0; i < n * n; i++) a[i] = i;
#pragma omp target teams distribute parallel for map(to : a[:n * n]) map(from : b[:n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) b[i * n + j] = a[(i - 1) * n + j] + a[(i + 1) * n + j];
  return 0;
}
"#;
    let mapped_before = r#"
#include <stdlib.h>
int main(void) {
  int n = 100;
  double *a = malloc(n * 8), *b = malloc(n * 8);
#pragma omp target enter data map(to : a[:n]) map(to : b[:n])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) a[i] = b[i - 1];
  return 0;
}
"#;
    // Beyond `a` and its gap, close to `b`.
    let far = r#"
#include <stdlib.h>
int main(void) {
  int n = 100;
  double *a = malloc(n * 8), *b = malloc(n * 8);
#pragma omp target teams distribute parallel for map(tofrom : a[:n]) map(tofrom : b[:n])
  for (int i = 0; i < n; i++) {
    b[i] = 1;
    a[i + 595] = b[i];
  }
  return 0;
}
"#;
    for level in ["-O0", "-O2"] {
        let said = checked(before, level, &[]);
        assert!(
            said.contains("400 bytes before the start of the 20000 bytes allocated at"),
            "{level}: {said}"
        );
        assert!(said.contains("the 20000 bytes are those of `a[:n * n]`"), "{level}: {said}");
        let said = checked(mapped_before, level, &[]);
        assert!(said.contains("8 bytes before the start of the 800 bytes allocated at"), "{level}: {said}");
        assert!(said.contains("the 800 bytes are those of `b`"), "{level}: {said}");
        let said = checked(far, level, &[]);
        assert!(said.contains("3960 bytes past the end of the 800 bytes allocated at"), "{level}: {said}");
        assert!(said.contains("the 800 bytes are those of `a[:n]`"), "{level}: {said}");
    }
}

#[test]
fn a_variable_that_was_never_assigned_is_uninitialised() {
    let source = r#"
#include <stdio.h>
int main(int argc, char **argv) {
  int r[64];
#pragma omp target teams distribute parallel for map(from : r)
  for (int i = 0; i < 64; i++) {
    int x, k = argc + 3;
    if (k == 6) x = i;
    r[i] = x * 3;
  }
  printf("%d\n", r[3]);
}
"#;
    for (level, of, helps) in [
        ("-O0", "memory that nobody wrote", "initialise the memory"),
        ("-O2", "a variable that was never assigned", "initialise the variable"),
    ] {
        let said = checked(source, level, &[]);
        assert!(said.starts_with("warpfold: near.c:9: 4 bytes of `r` were computed from"), "{level}: {said}");
        assert!(said.contains(of) && said.contains(helps), "{level}: {said}");
        assert!(said.contains("warpfold: 1 finding (1 uninitialised)"), "{level}: {said}");
        assert!(!said.contains("lane"), "{level}: {said}");
    }
}

#[test]
fn an_assertion_says_block_and_thread() {
    let source = r#"
#include <assert.h>
int main(void) {
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(64)
  for (int i = 0; i < 100; i++) assert(i != 70);
}
"#;
    let (text, place) = (
        "near.c:5: int main(void): block: [1,0,0], thread: [6,0,0] Assertion `i != 70` failed.",
        "in the target region at line 4 of `main`, block (1,0,0) thread (6,0,0)",
    );
    for level in ["-O0", "-O2"] {
        let said = checked(source, level, &[]);
        assert!(said.contains(text) && said.contains(place), "{level}: {said}");
        assert!(said.contains("warpfold: 1 finding (1 assertion)"), "{level}: {said}");
    }
}

#[test]
fn without_line_information_a_report_shows_ptx_and_says_how_to_get_it() {
    let (folder, _) = made(&[("beyond.c", BEYOND)], &["cc", "-O0", "beyond.c", "-o", "program"]);
    let message = report(&failed(&warpfold(folder.path(), &["run", "./program"])));
    assert!(
        message.starts_with("warpfold: the target region at line 9 of `main`: an access of 8 bytes"),
        "{message}"
    );
    for part in ["at PTX line", "%rd", "compile with -gline-tables-only to see source lines"] {
        assert!(message.contains(part), "{part}: {message}");
    }
}

#[test]
fn a_report_has_colours_where_they_are_asked_for() {
    let compile = ["cc", "-O1", "-gline-tables-only", "beyond.c", "-o", "program"];
    let (folder, _) = made(&[("beyond.c", BEYOND)], &compile);
    let painted = |options: &[&str], variables: &[(&str, &str)]| {
        let mut run = command(folder.path(), &[&["run"], options, &["./program"]].concat());
        let output =
            run.env_remove("WARPFOLD_COLOR").envs(variables.iter().copied()).output().expect("it starts");
        failed(&output).contains("\u{1b}[1;31mwarpfold: beyond.c:4: ")
    };
    assert!(painted(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(painted(&[], &[("WARPFOLD_COLOR", "always")]));
    // Standard error is no terminal.
    assert!(
        !painted(&[], &[]) && !painted(&["--color", "auto"], &[]) && !painted(&["--color", "never"], &[])
    );
}

#[test]
fn functions_have_their_names_in_the_source() {
    let source = r#"
struct Grid {
  float *p;
  template <class T> void fill(T value) {
    float *to = p;
#pragma omp target map(tofrom : to[0 : 10])
    to[10] = value;
  }
};
int main() {
  float values[10];
  Grid{values}.fill<float>(3);
}
"#;
    let compile = ["c++", "-O1", "-gline-tables-only", "grid.cpp", "-o", "program"];
    let (folder, _) = made(&[("grid.cpp", source)], &compile);
    let message = report(&failed(&warpfold(folder.path(), &["run", "./program"])));
    assert!(message.contains("in the target region at line 6 of `Grid::fill<float>`, block"), "{message}");
}

#[test]
fn what_explains_a_fault_is_said_with_what_helps() {
    let host = r#"
#include <stdlib.h>
struct vector { double *p; int n; };
int main(void) {
  struct vector v = {malloc(800), 100};
#pragma omp target map(to : v)
  v.p[3] = 1;
  return 0;
}
"#;
    let heap = r#"
#include <stdlib.h>
int main(int argc, char **argv) {
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(64)
  for (int i = 0; i < 4000; i++) {
    double *volatile p = malloc(65536);
    p[i] = argc;
  }
  return 0;
}
"#;
    let lock = r#"
#include <omp.h>
int main(void) {
  unsigned long address = 8;
#pragma omp target map(tofrom : address)
  omp_set_lock((omp_lock_t *)address);
  return 0;
}
"#;
    let host_says =
        "this is memory of the host: is a `map` clause missing? `warpfold run --unified-memory` lets";
    let heap_says = "the device heap of 8388608 bytes was full LIBOMPTARGET_HEAP_SIZE=BYTES sets its size";
    let lock_says = "or shortly after it, in the OpenMP runtime (";
    for (source, line, said) in [(host, 7, host_says), (heap, 7, heap_says), (lock, 6, lock_says)] {
        let compile = ["cc", "-O2", "-gline-tables-only", "cause.c", "-o", "program"];
        let (folder, _) = made(&[("cause.c", source)], &compile);
        let message = report(&failed(&warpfold(folder.path(), &["run", "./program"])));
        assert!(message.starts_with(&format!("warpfold: cause.c:{line}: an access of")), "{message}");
        assert!(message.contains(said), "{message}");
    }
    let (folder, _) = made(&[("heap.c", heap)], &["cc", "-O2", "heap.c", "-o", "program"]);
    let mut run = command(folder.path(), &["run", "./program"]);
    let output = run.env("LIBOMPTARGET_HEAP_SIZE", "400000000").output().expect("it starts");
    assert!(output.status.success(), "the variable helps: {output:?}");
}

/// A program that goes on after a fault does not hide the report.
#[test]
fn a_report_is_shown_while_the_program_goes_on() {
    let program =
        "touch started; echo 'warpfold: a report' > \"$WARPFOLD_REPORT_FILE\"; read line; echo \"$line\"";
    let folder = tempfile::tempdir().expect("a folder");
    let mut run = command(folder.path(), &["run", "sh", "-c", program]);
    run.stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let mut child = run.spawn().expect("it starts");
    let mut said = String::new();
    let mut messages = std::io::BufReader::new(child.stderr.take().expect("a pipe"));
    std::io::BufRead::read_line(&mut messages, &mut said).expect("the report");
    assert_eq!(said, "warpfold: a report\n");
    // Only now does the program end.
    drop(child.stdin.take());
    assert!(child.wait().expect("its status").success());
}
