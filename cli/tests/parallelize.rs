//! `warpfold parallelize`: exit statuses, streams, the files it writes, and its messages.

mod common;

use std::{fs, os::unix::fs::MetadataExt, path::Path};

use common::{command, folder, text, warpfold};
use host_rt::{Lift, Product, Reduce, Sum, canonical::reduce};
use serde_json::Value;

/// Two regions; what is around them has what a careless writer would change: tabs, CRLF, no line end, no UTF-8.
const KERNEL: &str = "/* \u{e4} */\r\n#define N  10\t\nvoid f(const double *restrict x, double *restrict s) {\n\
                      #pragma scop\n\tfor (int i = 0; i < N; i++)\n\t\ts[0] += x[i];\n\t#pragma endscop // end\n\
                      #pragma scop\n  for (int i = 1; i < N; i++) s[i] = s[i - 1] * 2 + 1;\n#pragma endscop\n}";

const REJECTED: &str = "int next(void);\nvoid f(int n, int *restrict a) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    \
                        a[i] = next();\n#pragma endscop\n}\n";

/// Runs the command in a folder: exit status, standard output, standard error.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = warpfold(folder, &[&["parallelize"], arguments].concat());
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The files of a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn the_report_is_standard_output() {
    let folder = folder(&[("a.c", KERNEL)]);
    let (status, out, err) = run(folder.path(), &["a.c"]);
    assert_eq!((status, err.as_str()), (Some(0), ""));
    assert!(
        out.starts_with("a.c: 2 regions, 2 loops (1 reduction, 1 scan), 1 reduction statement\n"),
        "{out}"
    );
    assert!(out.contains("may be reordered only with --order free or -ffast-math"), "{out}");
    for allowed in [&["--order", "free"][..], &["-ffast-math"], &["-fassociative-math"]] {
        let (status, out, _) = run(folder.path(), &[&["a.c"], allowed].concat());
        assert_eq!(status, Some(0));
        assert!(!out.contains("reordered"), "{allowed:?}: {out}");
    }
    let (_, out, _) = run(folder.path(), &["a.c", "-ffast-math", "-fno-associative-math"]);
    assert!(out.contains("reordered"), "{out}");
    assert_eq!(names(folder.path()), ["a.c"]);
}

#[test]
fn every_format_goes_where_it_is_said() {
    let folder = folder(&[("a.c", KERNEL)]);
    for format in ["json", "sarif"] {
        let (status, out, err) = run(folder.path(), &["a.c", &format!("--report={format}")]);
        assert_eq!((status, err.as_str()), (Some(0), ""));
        let parsed: Value = serde_json::from_str(&out).expect("JSON");
        let (_, written, _) =
            run(folder.path(), &["a.c", &format!("--report={format}"), "--report-file", "r"]);
        assert_eq!(written, "");
        assert_eq!(fs::read_to_string(folder.path().join("r")).expect("a file"), out);
        match format {
            "json" => assert_eq!(parsed["scops"][0]["loops"][0]["status"], "reduction"),
            _ => assert_eq!(parsed["runs"][0]["results"][0]["level"], "note"),
        }
    }
    let (status, out, err) = run(folder.path(), &["a.c", "--report=html"]);
    assert_eq!((status, out.as_str()), (Some(0), ""));
    assert!(err.contains("a.c.html"), "{err}");
    let (_, _, err) = run(folder.path(), &["a.c", "--report=html", "--report-file=page"]);
    assert!(err.contains("page"), "{err}");
    let page = fs::read_to_string(folder.path().join("a.c.html")).expect("a page");
    assert!(page.starts_with("<!DOCTYPE html>"));
    assert_eq!(names(folder.path()), ["a.c", "a.c.html", "page", "r"]);
}

/// What is said where an output has no parallel loops.
fn in_order(output: &str) -> String {
    format!("warpfold: {output}: the loops stay in order; --target cpu or gpu makes them parallel\n")
}

#[test]
fn outside_of_regions_the_output_is_the_input() {
    let mut kernel = KERNEL.as_bytes().to_vec();
    kernel[3] = 0xff;
    let folder = folder(&[]);
    fs::write(folder.path().join("a.c"), &kernel).expect("a file");
    let (status, out, err) = run(folder.path(), &["a.c", "-o", "b.c"]);
    assert_eq!((status, out.as_str()), (Some(0), ""));
    assert_eq!(err, in_order("b.c"));
    let written = fs::read(folder.path().join("b.c")).expect("the output");
    // Everything up to the first region, between the regions, and after them.
    let expected = [
        &kernel[..kernel.windows(4).position(|four| four == b"scop").expect("a pragma") + 4],
        b"\n\tfor (int i = 0; i < 10; i++) {\n\t  s[0] += x[i];\n\t}\n\t#pragma endscop // end\n#pragma scop\n",
        b"  for (int i = 1; i < 10; i++) {\n    s[i] = s[i - 1] * (double) 2 + (double) 1;\n  }\n#pragma endscop\n}",
    ];
    assert_eq!(text(&written), text(&expected.concat()));
    assert_eq!(written, expected.concat());
    // The output is C, of which the same is found.
    let (_, again, _) = run(folder.path(), &["b.c", "--dump=classes"]);
    let (_, before, _) = run(folder.path(), &["a.c", "--dump=classes"]);
    let without_place = |text: &str| text.lines().filter(|line| !line.starts_with("//")).count();
    assert_eq!(without_place(&again), without_place(&before));
    assert_eq!(names(folder.path()), ["a.c", "b.c"]);
}

#[test]
fn loop_nests_outside_of_pragmas_are_regions_with_auto() {
    let source = "void f(int n, int *restrict a, int c) {\n  if (c)\n    for (int i = 0; i < n; i++) a[i] = 0 ;\n  else\n    \
                  for (int i = 0; i < n; i++) { a[i] = 1; }\n#pragma omp parallel for\n  for (int i = 0; i < n; i++)\n    \
                  for (int j = 0; j < 3; j++) a[i] += j;\n}\n";
    let folder = folder(&[("a.c", source)]);
    let (status, out, err) = run(folder.path(), &["a.c", "--auto", "--report=json", "-o", "b.c", "--strict"]);
    assert_eq!((status, err), (Some(0), in_order("b.c")));
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["scops"].as_array().map(Vec::len), Some(3), "{out}");
    assert_eq!(
        fs::read_to_string(folder.path().join("b.c")).expect("the output"),
        "void f(int n, int *restrict a, int c) {\n  if (c)\n    for (int i = 0; i < n; i++) {\n      a[i] = 0;\n    }\n  else\n    \
         for (int i = 0; i < n; i++) {\n      a[i] = 1;\n    }\n#pragma omp parallel for\n  for (int i = 0; i < n; i++) {\n    \
         for (int j = 0; j < 3; j++) {\n      a[i] += j;\n    }\n  }\n}\n"
    );
}

#[test]
fn an_output_is_written_whole_or_not_at_all() {
    let folder = folder(&[("a.c", KERNEL), ("bad.c", "int x\n"), ("b.c", "old\n"), ("rejected.c", REJECTED)]);
    let output = folder.path().join("b.c");
    let (status, out, err) = run(folder.path(), &["bad.c", "-o", "b.c", "--report"]);
    assert_eq!((status, out.as_str()), (Some(1), ""));
    assert!(err.contains("bad.c:1:6: error: expected ';'") && err.contains("warpfold: "), "{err}");
    let (status, ..) = run(folder.path(), &["rejected.c", "-o", "b.c", "--strict"]);
    assert_eq!(status, Some(1));
    assert_eq!(fs::read_to_string(&output).expect("a file"), "old\n");
    // A reader that has the file open keeps the old one.
    let before = fs::metadata(&output).expect("a file").ino();
    let (status, ..) = run(folder.path(), &["a.c", "-o", "b.c"]);
    assert_eq!(status, Some(0));
    assert_ne!(fs::metadata(&output).expect("a file").ino(), before);
    assert_eq!(names(folder.path()), ["a.c", "b.c", "bad.c", "rejected.c"]);
    let (status, _, err) = run(folder.path(), &["a.c", "-o", "none/b.c"]);
    assert_eq!(status, Some(1));
    assert!(err.contains("cannot write none/b.c"), "{err}");
}

#[test]
fn an_output_of_a_dash_is_standard_output() {
    let folder = folder(&[(
        "a.c",
        "void f(int n, double *restrict a) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = 2 * a[i];\n#pragma endscop\n}\n",
    )]);
    for (target, hint) in [(&[][..], in_order("-")), (&["--target", "cpu"], String::new())] {
        let arguments = |output| [&["a.c", "-o", output][..], target].concat();
        assert_eq!(run(folder.path(), &arguments("b.c")).0, Some(0));
        let (status, out, err) = run(folder.path(), &arguments("-"));
        assert_eq!((status, err), (Some(0), hint));
        assert_eq!(out, fs::read_to_string(folder.path().join("b.c")).expect("the same in a file"));
        assert_eq!(names(folder.path()), ["a.c", "b.c"]);
    }
}

#[test]
fn an_output_never_replaces_the_input() {
    let folder = folder(&[("a.c", KERNEL)]);
    fs::hard_link(folder.path().join("a.c"), folder.path().join("same.c")).expect("a link");
    std::os::unix::fs::symlink("a.c", folder.path().join("link.c")).expect("a link");
    for output in ["a.c", "./a.c", "same.c", "link.c"] {
        let (status, _, err) = run(folder.path(), &["a.c", "-o", output]);
        assert_eq!(status, Some(1), "{output}");
        assert!(err.contains("would replace the input"), "{err}");
    }
    for report in ["a.c", "link.c"] {
        let (status, _, err) = run(folder.path(), &["a.c", "--report-file", report]);
        assert_eq!(status, Some(1), "{report}");
        assert!(err.contains("would replace the input"), "{err}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("a.c")).expect("a file"), KERNEL);
}

#[test]
fn a_rejected_region_stays_and_fails_if_strict() {
    let folder = folder(&[("a.c", REJECTED)]);
    let (status, out, err) = run(folder.path(), &["a.c", "--report", "-o", "b.c"]);
    assert_eq!((status, err.as_str()), (Some(0), ""));
    assert!(out.contains("line 5: warning: rejected: calls: `next` may have effects"), "{out}");
    assert_eq!(fs::read_to_string(folder.path().join("b.c")).expect("a file"), REJECTED);
    let (status, out, err) = run(folder.path(), &["a.c", "--strict", "--report=json"]);
    assert_eq!(status, Some(1));
    assert!(err.contains("1 of 1 regions rejected"), "{err}");
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["scops"][0]["status"], "refused");
    assert!(
        report["scops"][0]["reason"].as_str().is_some_and(|reason| reason.starts_with("calls: ")),
        "{out}"
    );
}

#[test]
fn without_regions_the_hint_says_how_to_make_one() {
    let folder = folder(&[("a.c", "int x;\n")]);
    let (status, out, err) = run(folder.path(), &["a.c"]);
    assert_eq!((status, out.as_str()), (Some(0), "a.c: no regions\n"));
    assert!(err.contains("#pragma scop") && err.contains("--auto"), "{err}");
    let (status, out, _) = run(folder.path(), &["a.c", "--report=json"]);
    assert_eq!((status, out.as_str()), (Some(0), "{\n  \"scops\": []\n}\n"));
    assert_eq!(run(folder.path(), &["a.c", "--strict"]).0, Some(1));
}

#[test]
fn a_line_is_explained() {
    let folder = folder(&[("a.c", KERNEL)]);
    let (status, out, _) = run(folder.path(), &["--explain", "6", "a.c"]);
    assert_eq!(status, Some(0));
    assert!(
        out.starts_with("a.c:6: s[0] += x[i];\n- A `+` reduction into `s`, carried by loop `i` (line 5)"),
        "{out}"
    );
    let (status, out, err) = run(folder.path(), &["a.c", "--explain", "1"]);
    assert_eq!((status, out.as_str()), (Some(1), ""));
    assert!(err.contains("lines that have: 4, 5, 6, 8, 9"), "{err}");
}

#[test]
fn what_cannot_be_read_is_an_error_with_its_reason() {
    let open = "void f(int n, int *a) {\n#pragma scop\n  for (int i = 0; i < n; i++) a[i] = 0;\n}\n";
    let folder = folder(&[("open.c", open), ("a.f90", "end\n"), ("a.txt", "text\n"), ("a.c", KERNEL)]);
    for (file, said) in [
        ("open.c", "open.c:2: `#pragma scop` is never closed\nhint: write `#pragma endscop`"),
        ("a.f90", "a.f90 is Fortran; the loop compiler reads C and C++"),
        ("a.txt", "a.txt: neither C nor C++ by its name"),
        ("none.c", "none.c: No such file"),
        (".", "Is a directory"),
    ] {
        let (status, out, err) = run(folder.path(), &[file, "-o", "out.c", "--report=json"]);
        assert_eq!((status, out.as_str()), (Some(1), ""), "{file}");
        assert!(err.contains(said), "{file}: {err}");
        // One wrong file: nothing of the others either.
        let (status, out, err) = run(folder.path(), &["a.c", file, "--report=json"]);
        assert_eq!((status, out.as_str()), (Some(1), ""), "{file}");
        assert!(err.contains(said), "{file}: {err}");
    }
    assert!(!folder.path().join("out.c").exists());
}

#[test]
fn several_files_make_one_report() {
    let folder = folder(&[("a.c", KERNEL), ("b.c", REJECTED)]);
    let (status, out, _) = run(folder.path(), &["a.c", "b.c"]);
    assert_eq!(status, Some(0));
    assert!(out.starts_with("2 files: 3 regions, 2 loops") && out.contains("1 region rejected\n"), "{out}");
    let (_, out, _) = run(folder.path(), &["a.c", "b.c", "--report=json"]);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    let files: Vec<_> =
        report["scops"].as_array().expect("a list").iter().map(|scop| &scop["file"]).collect();
    assert_eq!(files, ["a.c", "a.c", "b.c"]);
    let (status, _, err) = run(folder.path(), &["a.c", "b.c", "-o", "c.c"]);
    assert_eq!(status, Some(1));
    assert!(err.contains("one file"), "{err}");
}

#[test]
fn options_of_clang_stand_anywhere() {
    let source = "#include \"size.h\"\nvoid f(int *restrict a) {\n#pragma scop\n  for (int i = OFFSET; i < SIZE; i++) a[i] = a[i - 3] + 1;\n\
                  #pragma endscop\n}\n";
    let folder = folder(&[("a.c", source)]);
    fs::create_dir(folder.path().join("inc")).expect("a folder");
    fs::write(folder.path().join("inc/size.h"), "#define SIZE 9\n").expect("a file");
    for arguments in [
        &["-Iinc", "a.c", "-DOFFSET=4", "--dump=tree"][..],
        &["a.c", "-I", "inc", "--dump", "tree", "-D", "OFFSET=4"],
        &["--dump=tree", "a.c", "--", "-Iinc", "-DOFFSET=4"],
    ] {
        let (status, out, err) = run(folder.path(), arguments);
        assert_eq!(status, Some(0), "{err}");
        assert!(out.contains("for (int i = 4; i < 9; i++) {"), "{out}");
    }
}

#[test]
fn cpp_is_read_as_far_as_it_has_the_same_forms() {
    let source = "template <typename T> T twice(T x) { return x + x; }\nint f(int n, const int *__restrict a) {\n  int s = 0;\n\
                  #pragma scop\n  for (int i = 0; i < n; ++i) s += a[i];\n#pragma endscop\n  return twice(s);\n}\n";
    let folder = folder(&[("a.cpp", source)]);
    let (status, out, err) = run(folder.path(), &["a.cpp", "--strict"]);
    assert_eq!(status, Some(0), "{err}");
    assert!(out.contains("a `+` reduction into `s`"), "{out}");
}

#[test]
fn arrays_that_may_overlap_are_named() {
    let source = "void f(int n, int *a, int *b) {\n#pragma scop\n  for (int i = 0; i < n; i++) a[i] = b[i];\n#pragma endscop\n}\n";
    let folder = folder(&[("a.c", source)]);
    let (_, out, _) = run(folder.path(), &["a.c"]);
    assert!(
        out.contains("holds if `b` and `a` do not overlap: declare them restrict, or pass --assume-distinct"),
        "{out}"
    );
    let (_, out, _) = run(folder.path(), &["a.c", "--assume-distinct"]);
    assert!(!out.contains("overlap"), "{out}");
}

#[test]
fn sizes_are_taken_as_given() {
    let source = "void f(int n, int *restrict a) {\n#pragma scop\n  for (int i = 0; i < 10; i++) a[i] = a[i + n];\n#pragma endscop\n}\n";
    let folder = folder(&[("a.c", source)]);
    let class = |arguments: &[&str]| run(folder.path(), &[&["a.c", "--dump=classes"], arguments].concat()).1;
    assert!(class(&[]).contains("sequential"));
    assert!(class(&["--sizes", "n=10"]).contains("parallel"));
    let (status, _, err) = run(folder.path(), &["a.c", "--sizes", "n"]);
    assert_eq!(status, Some(2));
    assert!(err.contains("NAME=N"), "{err}");
}

#[test]
fn a_missing_clang_is_reported_as_by_other_commands() {
    let folder = folder(&[("a.c", KERNEL)]);
    let mut parallelize = command(folder.path(), &["parallelize", "a.c"]);
    let output = parallelize.env("WARPFOLD_CLANG", "/none/clang").output().expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    let err = text(&output.stderr);
    assert!(err.contains("/none/clang") && err.contains("hint: `warpfold setup`"), "{err}");
}

#[test]
fn a_source_does_not_control_the_terminal() {
    let source = "void f(int n, int *restrict a) {\n#pragma scop\n  for (int i = 0; i < n; i++) a[i] = 0; // \u{1b}[2J\n#pragma endscop\n}\n";
    let folder = folder(&[("a.c", source)]);
    let (status, out, _) = run(folder.path(), &["a.c"]);
    assert_eq!(status, Some(0));
    assert!(!out.contains('\u{1b}') && out.contains("\\u{1b}[2J"), "{out}");
}

/// The loader takes the first library of a name, and does not go on if it is damaged.
#[test]
fn a_missing_isl_is_an_error_with_a_hint() {
    let folder = folder(&[("a.c", KERNEL), ("libisl.so.23", ""), ("libisl.so.22", ""), ("libisl.so", "")]);
    let with_damaged = |arguments: &[&str]| {
        let mut command = command(folder.path(), arguments);
        command.env("LD_LIBRARY_PATH", folder.path()).output().expect("it starts")
    };
    let output = with_damaged(&["parallelize", "a.c", "-o", "b.c"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), String::new()));
    let err = text(&output.stderr);
    assert!(err.contains("isl is missing") && err.contains("`apt-get install libisl23`"), "{err}");
    assert!(!folder.path().join("b.c").exists());
    let doctor = text(&with_damaged(&["doctor"]).stdout);
    assert!(doctor.contains("isl: missing, needed for analysing loops; `warpfold setup`"), "{doctor}");
    let plan = text(&with_damaged(&["setup", "--dry-run"]).stdout);
    assert!(plan.contains("libisl23"), "{plan}");
}

#[test]
fn a_target_makes_loops_parallel() {
    let source = "int sum(int n, const int *restrict a) {\n  int s = 0;\n#pragma scop\n  for (int i = 0; i < n; i++)\n    \
                  s += a[i];\n#pragma endscop\n  return s;\n}\n";
    let cpp = source.replace("restrict", "__restrict");
    let folder = folder(&[("a.c", source), ("b.cpp", &cpp), ("c.loops", "func @f(n: index) {\n}\n")]);
    let arguments = ["a.c", "--target", "cpu", "--lines", "-o", "out.c", "--report=json"];
    let (status, out, err) = run(folder.path(), &arguments);
    assert_eq!((status, err.as_str()), (Some(0), ""));
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["scops"][0]["status"], "transformed");
    assert_eq!(report["scops"][0]["loops"][0]["chosen"], true);
    assert_eq!(report["scops"][0]["loops"][0]["strategy"], "privatized");
    let written = fs::read_to_string(folder.path().join("out.c")).expect("the output");
    assert!(written.starts_with("static __attribute__((noinline)) void sum_parallel(int n, "), "{written}");
    assert!(
        written.contains("\nint sum(int n, const int *restrict a) {\n  int s = 0;\n#pragma scop\n  {\n"),
        "{written}"
    );
    assert!(written.ends_with("#pragma endscop\n  return s;\n}\n"), "{written}");
    for part in ["#pragma omp parallel for", "unsigned int s_own = 0;", "#line 4 \"a.c\"\n"] {
        assert!(written.contains(part), "{part}: {written}");
    }
    // The line after the region is that of the source.
    let after = written.rsplit_once("#line ").expect("a directive").1;
    assert!(after.starts_with("6 \"a.c\"\n#pragma endscop"), "{after}");
    let (_, out, _) = run(folder.path(), &["a.c", "--target=cpu", "--explain", "4"]);
    assert!(out.contains("In order it takes about ") && out.contains("(chosen)"), "{out}");
    let (status, _, err) = run(folder.path(), &["b.cpp", "--target", "cpu", "-o", "none.c"]);
    assert_eq!(status, Some(1));
    assert!(err.contains("--target needs C"), "{err}");
    assert!(!folder.path().join("none.c").exists());
    // A function of the notation becomes one of C.
    let (status, _, err) = run(folder.path(), &["c.loops", "--target", "cpu", "-o", "function.c"]);
    assert_eq!(status, Some(0), "{err}");
    let function = fs::read_to_string(folder.path().join("function.c")).unwrap();
    assert!(function.starts_with("void f("), "{function}");
    // Sums of floats keep their order.
    let floats = source
        .replace("int s = 0", "double s = 0")
        .replace("const int *restrict a", "const double *restrict a");
    fs::write(folder.path().join("a.c"), &floats).expect("a file");
    let (_, out, _) = run(folder.path(), &["a.c", "--target=cpu", "-o", "out.c", "--report=json"]);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["scops"][0]["status"], "unchanged");
    assert_eq!(fs::read_to_string(folder.path().join("out.c")).expect("the output"), floats);
}

/// Sums whose bits depend on their order, and on whether products are rounded before they are added.
/// Reductions of floats for several sizes: of single elements, of an array, downwards, and in a loop with one inside. The
/// bits of each result are printed.
const ROUNDED: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { MOST = 30000 };
static double x[MOST], y[MOST];
static float z[MOST];
static void print(double value) {
  unsigned long long bits;
  memcpy(&bits, &value, sizeof bits);
  printf(" %llx", bits);
}
static void reduce(int n) {
  double s = 0.5, half[2] = {1, 1}, rows = 0;
  float p = 1, down = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    s += x[i] * y[i];
    p *= 1 + z[i] / 1000;
  }
  for (int i = 0; i < n; i++)
    half[i % 2] += x[i];
  for (int i = n - 1; i >= 0; i--)
    down -= z[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 3; j++)
      rows += x[i] * y[j];
#pragma endscop
  printf("%d", n);
  print(s), print(p), print(down), print(rows), print(half[0]), print(half[1]);
  printf("\n");
}
int main(int argc, char **argv) {
  for (int i = 0; i < MOST; i++) {
    // Of both signs, with all digits, so that each order rounds in its own way.
    x[i] = (int)(i * 2654435761u) / 3e9;
    y[i] = 1.0 + i % 77 / 3.0;
    z[i] = x[i];
  }
  for (int i = 1; i < argc; i++)
    reduce(atoi(argv[i]));
}
"#;

/// What [`ROUNDED`] prints of a size, but for the array: by the definition of the order on the host.
fn canonical(n: u64) -> String {
    #[derive(Clone, Copy)]
    struct Rows;
    impl Reduce<f64> for Rows {
        fn combine(self, left: f64, right: f64) -> f64 {
            left + right
        }
    }
    impl Lift<f64> for Rows {
        type Value = f64;
        fn lift(self, x: f64, _: u64) -> f64 {
            self.accumulate(-0.0, x, 0)
        }
        fn accumulate(self, value: f64, x: f64, _: u64) -> f64 {
            value + x * y(0) + x * y(1) + x * y(2)
        }
    }
    fn y(i: u64) -> f64 {
        1.0 + (i % 77) as f64 / 3.0
    }
    let x = |i: u64| f64::from((i as u32).wrapping_mul(2_654_435_761) as i32) / 3e9;
    let z = |i: u64| x(i) as f32;
    let sum = reduce(Sum, n, |i| x(i) * y(i)).map_or(0.5, |sum| 0.5 + sum);
    let product = reduce(Product, n, |i| 1.0 + z(i) / 1000.0).unwrap_or(1.0);
    let down = reduce(Sum, n, |i| -z(n - 1 - i)).map_or(0.0, |sum| 0.0 + sum);
    let rows = reduce(Rows, n, x).map_or(0.0, |sum| 0.0 + sum);
    let half = |odd: u64| reduce(Sum, n, |i| if i % 2 == odd { x(i) } else { -0.0 });
    let [even, odd] = [0, 1].map(|odd| half(odd).map_or(1.0, |sum| 1.0 + sum));
    let all = [sum, f64::from(product), f64::from(down), rows, even, odd];
    all.iter().fold(n.to_string(), |line, value| format!("{line} {:x}", value.to_bits()))
}

const ROWS: &str = r#"#include <stdio.h>
enum { ROWS = 700, COLUMNS = 203 };
static signed char a[ROWS][COLUMNS];
static float b[ROWS][COLUMNS], f[ROWS];
static int o[ROWS];
int main(void) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = i * 37 + j * 11, b[i][j] = 1.0f / (1 + i + j * j % 100);
#pragma scop
  for (int i = 0; i < ROWS; i++) {
    #pragma warpfold strategy(vector_accumulator, 32)
    for (int j = 0; j < COLUMNS; j++)
      o[i] += a[i][j];
  }
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      f[i] += b[i][j];
#pragma endscop
  double all = 0;
  for (int i = 0; i < ROWS; i++) all = all / 2 + o[i] + f[i];
  printf("%a\n", all);
}
"#;

#[test]
fn innermost_reductions_have_the_strategy_that_is_asked_for() {
    let folder = folder(&[("a.c", ROWS)]);
    let path = folder.path();
    let compiled = |source: &str, program: &str| {
        let arguments = ["-O2", "-fopenmp", "-w", source, "-o", program];
        let output = std::process::Command::new("clang-22").args(arguments).current_dir(path).output();
        assert!(output.expect("clang-22 starts").status.success(), "{source}");
        let output = std::process::Command::new(path.join(program)).output().expect("it starts");
        text(&output.stdout)
    };
    let expected = compiled("a.c", "original");
    let own = &["--strategy", "inner-parallel,16"][..];
    for (options, dumped) in [(&[][..], "f_of_rows"), (own, "b_tile[row][column]")] {
        let arguments = [&["a.c", "--target=cpu", "-o", "b.c"], options].concat();
        assert_eq!(run(path, &arguments).0, Some(0));
        let made = fs::read_to_string(path.join("b.c")).expect("the output");
        assert!(made.contains("o_of_lanes[32]") && made.contains(dumped), "{made}");
        assert_eq!(compiled("b.c", "made"), expected, "{options:?}");
    }
    let (_, out, _) = run(path, &["a.c", "--dump=scheduled", "--strategy=inner-parallel,16"]);
    assert!(out.contains("reduce_dimension_inplace(o_of_lanes, 0, tree) <\"+\">"), "{out}");
    assert!(out.contains("schedule(transposed(row))"), "{out}");
    let (_, out, _) = run(path, &["a.c", "--explain=13"]);
    for line in [
        "- As `inner_parallel, 8`, 8 rows together take 203 vector operations and 25 transposed tiles.",
        "- As `inner_reduction, 64`, a row takes 3 reductions of lanes.",
        "- As `vector_accumulator, 16`, a row takes 12 vector operations and 1 reduction of lanes.",
        "otherwise: what the compiler makes of the loop, as it may reorder this reduction itself.",
    ] {
        assert!(out.contains(line), "{out}");
    }
    let (_, out, _) = run(path, &["a.c", "--explain=17"]);
    assert!(
        out.contains(
            "- `inner_reduction` and `vector_accumulator` are not possible: lanes add to `f` in another order"
        ),
        "{out}"
    );
    assert!(out.contains("otherwise: inner_parallel, where there are 32 rows or more"), "{out}");
    // What is not possible is rejected where a directive asks for it, and the option leaves it alone.
    let (status, out, _) = run(path, &["a.c", "--target=cpu", "-o", "b.c", "--strategy=vector-accumulator"]);
    assert_eq!((status, out.contains("rejected")), (Some(0), false), "{out}");
    fs::write(path.join("c.c"), ROWS.replace("o[i] += a[i][j];", "f[i] += a[i][j];")).expect("a file");
    let (_, out, err) = run(path, &["c.c", "--dump=scheduled"]);
    assert!(out.contains("lanes add to `f` in another order, which --order free allows"), "{out}{err}");
    let (status, _, err) = run(path, &["a.c", "--target=cpu", "-o", "b.c", "--strategy=outer"]);
    assert_eq!(status, Some(2));
    assert!(err.contains("`outer` is no strategy; strategies are inner_parallel"), "{err}");
    let (status, out, err) = run(path, &["a.c", "--emit=mlir"]);
    assert_eq!((status, err.as_str()), (Some(0), ""));
    assert!(out.contains("tensor<700x6x32xi8>") && out.matches("func.func").count() == 1, "{out}");
    assert!(out.contains("// a.c:17: ") && out.contains("lanes add to `f` in another order"), "{out}");
    let (_, out, _) = run(path, &["a.c", "--emit=mlir", "--order=free"]);
    assert!(out.contains("tensor<700x12x16xf32>") && out.matches("func.func").count() == 2, "{out}");
    // On a device lanes are threads.
    assert_eq!(run(path, &["a.c", "--target=gpu", "-o", "b.c"]).0, Some(0));
    let made = fs::read_to_string(path.join("b.c")).expect("the output");
    assert!(made.contains("lane < 32; lane++") && !made.contains("o_of_lanes"), "{made}");
}

#[test]
fn a_fixed_order_is_the_canonical_one_on_cpu_and_device() {
    let folder = folder(&[("a.c", ROUNDED)]);
    let path = folder.path();
    for target in ["cpu", "gpu"] {
        let output = format!("{target}.c");
        let (status, _, err) = run(path, &["a.c", "--target", target, "--order=fixed", "-o", &output]);
        assert_eq!((status, err.as_str()), (Some(0), ""));
    }
    let device = fs::read_to_string(path.join("gpu.c")).expect("the output");
    assert!(device.contains("#pragma STDC FP_CONTRACT OFF"), "{device}");
    let compiled = |compiler: &str, arguments: &[&str]| {
        let output = std::process::Command::new(compiler).args(arguments).current_dir(path).output();
        let output = output.unwrap_or_else(|error| panic!("{compiler}: {error}"));
        assert!(output.status.success(), "{compiler} {arguments:?}: {}", text(&output.stderr));
    };
    // Where the CPU has a fused operation, the file says that it is not used.
    compiled("clang-22", &["-O2", "-mfma", "-fopenmp", "cpu.c", "-o", "clang", "-lm"]);
    compiled("gcc", &["-O2", "-ffp-contract=off", "-fopenmp", "cpu.c", "-o", "gcc", "-lm"]);
    // Around columns, segments and chunks. Copies of an array are worth it from some iterations on.
    let sizes = [0, 1, 2, 127, 128, 129, 2047, 2049, 8191, 8192, 8193, 16385, 30000];
    let arguments = sizes.map(|n: u64| n.to_string());
    let expected: Vec<String> = sizes.iter().map(|n| canonical(*n)).collect();
    let check = |command: &mut std::process::Command| {
        let output = command.args(&arguments).output().expect("it starts");
        let printed = text(&output.stdout);
        let lines: Vec<&str> = printed.lines().collect();
        assert_eq!(lines.len(), sizes.len(), "{command:?}: {}", text(&output.stderr));
        for ((line, expected), n) in lines.iter().zip(&expected).zip(sizes) {
            let compared = if n < 2047 { 5 } else { 7 };
            let values = |line: &str| line.split(' ').take(compared).map(String::from).collect::<Vec<_>>();
            assert_eq!(values(line), values(expected), "{command:?}");
        }
    };
    for program in ["./clang", "./gcc"] {
        for threads in ["1", "2", "3", "7", "64"] {
            let mut command = std::process::Command::new(path.join(program));
            check(command.env("OMP_NUM_THREADS", threads));
        }
    }
    for level in ["-O0", "-O2"] {
        common::make(path, &["cc", level, "gpu.c", "-o", "device", "-lm"]);
        for (variable, count) in [("OMP_NUM_TEAMS", "1"), ("OMP_NUM_TEAMS", "3"), ("WARPFOLD_SEED", "5")] {
            let mut command = command(path, &["run", "--require-launch", "./device"]);
            check(command.env(variable, count));
        }
    }
}

/// What the examples print as they are, on the host.
fn on_host(folder: &Path, file: &str, sizes: &[&str]) -> String {
    let program = folder.join("host");
    let mut compiler = std::process::Command::new("clang-22");
    compiler.args(["-O1", "-ffp-contract=off", "-w", file, "-o"]).arg(&program).args(["-lm"]);
    let output = compiler.current_dir(folder).output().expect("clang-22");
    assert!(output.status.success(), "{file}: {}", text(&output.stderr));
    text(&std::process::Command::new(program).args(sizes).output().expect("it starts").stdout)
}

/// What a program prints on the emulator, and how many kernels it launches.
fn on_device(folder: &Path, program: &str, sizes: &[&str], options: &[&str]) -> (String, usize) {
    let output = warpfold(folder, &[&["run", "--counts=counts.json"], options, &[program], sizes].concat());
    assert!(output.status.success(), "{program}: {}", text(&output.stderr));
    let counts = fs::read_to_string(folder.join("counts.json")).unwrap_or_default();
    let counts: Value = serde_json::from_str(&counts).unwrap_or_default();
    (text(&output.stdout), counts["launches"].as_array().map_or(0, Vec::len))
}

#[test]
fn examples_run_on_the_device() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/loops");
    // Kernels: a sum for each column; zeros, and a product with a thread for each result and one with a team; an update
    // for each element; a search, which a reduction combines; means, and pairs of columns; three passes for each scan.
    for (name, sizes, kernels) in [
        ("column_sums", &["300", "400"][..], 1),
        ("bicg", &["300", "400"], 3),
        ("histogram", &["120000"], 1),
        ("argmax", &["300", "400"], 1),
        ("covariance", &["80", "60"], 2),
        ("prefix_sums", &["60000"], 6),
    ] {
        let source = fs::read_to_string(examples.join(format!("{name}.c"))).expect("an example");
        let folder = folder(&[("a.c", &source)]);
        let path = folder.path();
        let (status, _, err) = run(path, &["a.c", "--target=gpu", "--order=free", "-o", "b.c"]);
        assert_eq!((status, err.as_str()), (Some(0), ""));
        common::make(path, &["cc", "-O2", "-ffp-contract=off", "b.c", "-o", "b", "-lm"]);
        let (printed, launched) = on_device(path, "./b", sizes, &["--check=race"]);
        assert_eq!((printed, launched), (on_host(path, "a.c", sizes), kernels), "{name}");
        // What is too small runs on the host.
        let (printed, launched) = on_device(path, "./b", &["3", "2"], &[]);
        assert_eq!((printed, launched), (on_host(path, "a.c", &["3", "2"]), 0), "{name}");
    }
}

#[test]
fn scans_have_the_results_of_the_loops() {
    let forms = concat!(env!("CARGO_MANIFEST_DIR"), "/../loop-compiler/tests/scans/forms.c");
    let source = fs::read_to_string(forms).expect("the forms");
    let folder = folder(&[("a.c", &source)]);
    let path = folder.path();
    let made = |target: &str, order: &str, options: &[&str], output: &str| {
        let (status, _, err) =
            run(path, &[&["a.c", "--target", target, "--order", order, "-o", output], options].concat());
        assert_eq!((status, err.as_str()), (Some(0), ""));
    };
    let device = |level: &str, options: &[&str]| -> Vec<String> {
        let levels = ["-O0", "-O2"].into_iter().filter(|other| common::is_nightly() || *other == level);
        let printed = levels.map(|level| {
            let before = ["cc", level, "-ffp-contract=off", "-Wno-unknown-pragmas", "b.c", "-o", "b"];
            common::make(path, &[&before, options].concat());
            let (printed, launched) = on_device(path, "./b", &["100003"], &["--check=race"]);
            // Three passes, or two of a last value alone; one form is too short for a device, and one reduces floats, too, which
            // a fixed order leaves in order.
            assert!(launched >= 3 * printed.lines().count() - 11, "{launched}: {printed}");
            printed
        });
        printed.collect()
    };
    let host = |compiler: &[&str], options: &[&str]| {
        let mut command = std::process::Command::new("clang-22");
        let command = command.args(compiler).args(options).args(["-w", "-ffp-contract=off", "-o", "c"]);
        assert!(command.current_dir(path).status().expect("clang-22").success());
        text(&std::process::Command::new(path.join("c")).arg("100003").output().expect("it starts").stdout)
    };
    let integers = ["-DT=unsigned", "-DINTEGER", "-DUNSIGNED"];
    made("gpu", "free", &integers, "b.c");
    let expected = host(&["-O1", "a.c"], &integers);
    assert!(device("-O0", &integers).iter().all(|printed| *printed == expected));
    // A fixed order has the same bits on the host.
    let floats = ["-DT=double", "-DROUNDED"];
    made("gpu", "fixed", &floats, "b.c");
    made("cpu", "fixed", &floats, "c.c");
    let expected = host(&["-O2", "-fopenmp", "c.c"], &floats);
    assert!(device("-O2", &floats).iter().all(|printed| *printed == expected));
    // Small sizes, with iterations interleaved.
    let (status, _, err) = run(path, &["a.c", "--check=5", "-DT=long", "-DINTEGER", "--report-file=report"]);
    assert_eq!(status, Some(0), "{err}");
    let equal = err.lines().filter(|line| line.ends_with(": checked with 5 inputs and 3 seeds: equal"));
    assert!(equal.count() > expected.lines().count(), "{err}");
}

/// Elements whose number is known at run time, in the order of the program or, where that is allowed, in any.
const ARRAYS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = 20000, m = argc + 40;
  int *ix = malloc(n * sizeof *ix);
  double *w = malloc(n * sizeof *w), *x = malloc(n * m * sizeof *x), h[m], rows[m], least[m];
  unsigned seen[m];
  for (int i = 0; i < n; i++)
    ix[i] = i * 7 % m, w[i] = i % 11;
  for (int i = 0; i < n * m; i++)
    x[i] = i % 13;
  for (int j = 0; j < m; j++)
    h[j] = rows[j] = seen[j] = j, least[j] = 99;
#pragma scop
  for (int i = 0; i < n; i++) {
    h[ix[i]] += w[i];
    seen[ix[i]] |= 1u << i % 31;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      rows[j] += x[i * m + j];
      if (x[i * m + j] + j < least[j])
        least[j] = x[i * m + j] + j;
    }
#pragma endscop
  for (int j = 0; j < m; j++)
    printf("%g %g %g %x\n", h[j], rows[j], least[j], seen[j]);
  return 0;
}
"#;

#[test]
fn arrays_of_run_time_length_are_reduced_on_the_device() {
    let folder = folder(&[("a.c", ARRAYS)]);
    let path = folder.path();
    let expected = on_host(path, "a.c", &[]);
    let (status, _, err) = run(path, &["a.c", "--target=gpu", "--order=free", "-o", "b.c"]);
    assert_eq!((status, err.as_str()), (Some(0), ""));
    let written = fs::read_to_string(path.join("b.c")).expect("the output");
    for part in ["#pragma omp atomic", "h[ix[i]] += w[i];", "map(tofrom: h)", "map(to: ix["] {
        assert!(written.contains(part), "{part}: {written}");
    }
    // The elements of a column belong to one thread, which keeps their order.
    let column = [
        "#pragma omp target teams distribute parallel for",
        "for (int j = 0;",
        "if (0 < (long) n) {",
        "double rows_own",
    ];
    let lines: Vec<&str> = written.lines().map(str::trim).collect();
    let is_column = |lines: &[&str]| lines.iter().zip(column).all(|(line, start)| line.starts_with(start));
    assert!(lines.windows(4).any(is_column), "{written}");
    for level in ["-O0", "-O2"] {
        common::make(path, &["cc", level, "b.c", "-o", "b"]);
        let (printed, launched) = on_device(path, "./b", &[], &[]);
        assert_eq!(printed, expected, "{level}");
        assert!(launched >= 2, "{launched}");
    }
    // The compiler's command does the same; without an order sums of floats keep theirs.
    common::make(path, &["cc", "--parallelize=gpu", "-O2", "-Wno-unknown-pragmas", "a.c", "-o", "c"]);
    let (printed, launched) = on_device(path, "./c", &[], &["--check=race"]);
    assert_eq!(printed, expected);
    assert!(launched >= 1, "{launched}");
    // With the options that say what is analysed and allowed: loops that nobody marked, in any order.
    let unmarked = ARRAYS.lines().filter(|line| !line.trim_start().starts_with("#pragma"));
    fs::write(path.join("d.c"), unmarked.collect::<Vec<_>>().join("\n")).expect("a file");
    let build = ["cc", "--parallelize=gpu", "--auto", "--order=free", "-O2", "-Wno-unknown-pragmas", "d.c"];
    common::make(path, &[&build[..], &["-o", "d"]].concat());
    let (printed, launched) = on_device(path, "./d", &[], &[]);
    assert_eq!(printed, expected);
    assert!(launched >= 1, "{launched}");
}

#[test]
fn what_cannot_be_mapped_stays_and_says_why() {
    let source = "void f(int n, const int *restrict k, int *restrict h) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    \
                  h[k[i]] += 1;\n#pragma endscop\n}\n";
    let folder = folder(&[("a.c", source)]);
    let (status, out, _) = run(folder.path(), &["a.c", "--target=gpu", "-o", "b.c", "--explain", "3"]);
    assert_eq!(status, Some(0));
    assert!(out.contains("which elements of `h` are accessed is not known"), "{out}");
    assert_eq!(fs::read_to_string(folder.path().join("b.c")).expect("the output"), source);
}

/// A loop around kernels that ends when what is on the device says so.
#[test]
fn what_the_host_cannot_control_stays_and_says_why() {
    let source = "int x;\nvoid f(int n, int m, int *restrict a) {\n#pragma scop\n  for (int i = n - 1; i >= 0; i--) {\n    \
                  if (x > 3) break;\n    x += a[i + 2] > 2;\n    int sum = 0;\n#pragma warpfold schedule(parallel(j))\n    \
                  for (int j = 0; j < m; j++) sum += 6 * j;\n    a[i] = sum;\n  }\n#pragma endscop\n}\n";
    let folder = folder(&[("a.c", source)]);
    for order in [&[][..], &["--order=free"], &["--order=fixed"]] {
        let arguments = [&["a.c", "--target=gpu", "-o", "b.c", "--report=text"], order].concat();
        let (status, out, _) = run(folder.path(), &arguments);
        assert_eq!(status, Some(0), "{order:?}: {out}");
        assert!(out.contains("the host would need values that the region computes"), "{order:?}: {out}");
        assert_eq!(fs::read_to_string(folder.path().join("b.c")).expect("the output"), source);
    }
}

#[test]
fn what_reads_an_array_again_says_why() {
    let source = "void f(int n, int m, double a[restrict n][m], const double *restrict p, const double *restrict r,\n       \
                  double *restrict q, double *restrict s) {\n#pragma scop\n  for (int i = 0; i < n; i++) {\n    \
                  q[i] = 0;\n    for (int j = 0; j < m; j++) {\n      s[j] += r[i] * a[i][j];\n      \
                  q[i] += a[i][j] * p[j];\n    }\n  }\n#pragma endscop\n}\n";
    let folder = folder(&[("a.c", source)]);
    let said = |arguments: &[&str]| {
        let arguments = [&["a.c", "--order=free", "-o", "b.c"], arguments].concat();
        let (status, out, err) = run(folder.path(), &arguments);
        assert_eq!(status, Some(0), "{err}");
        out
    };
    let again = "oop `i` becomes 3 loops for the device, of which several read `a`: they take about ";
    let out = said(&["--target=gpu", "--report=text"]);
    assert!(out.contains(again), "{out}");
    let out = said(&["--target=gpu", "--explain", "4"]);
    assert!(out.contains(again) && out.contains("which updates elements atomically"), "{out}");
    let out = said(&["--target=gpu", "--report=json"]);
    assert!(out.contains("\"read_again\": [\n"), "{out}");
    assert!(!said(&["--target=cpu", "--report=text"]).contains(again));
    let directed = source
        .replace("#pragma scop\n", "#pragma scop\n#pragma warpfold schedule(parallel(i), parallel(j))\n");
    fs::write(folder.path().join("a.c"), directed).expect("a file");
    let out = said(&["--target=gpu", "--report=text"]);
    assert!(!out.contains(again), "{out}");
}

#[test]
fn examples_are_checked() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/loops");
    let mut files: Vec<_> = fs::read_dir(examples)
        .expect("the examples")
        .map(|entry| entry.expect("an entry").path().display().to_string())
        .filter(|path| path.ends_with(".c"))
        .collect();
    files.sort();
    let folder = folder(&[]);
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    let arguments = [&names[..], &["--order=free", "--check=8", "--strict", "--report=json"]].concat();
    let (status, out, err) = run(folder.path(), &arguments);
    assert_eq!(status, Some(0), "{err}");
    let equal = err.lines().filter(|line| line.ends_with(": checked with 8 inputs and 3 seeds: equal"));
    // One of them has two regions.
    let regions = files.len() + 1;
    assert_eq!((equal.count(), err.lines().count()), (regions, regions), "{err}");
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["scops"][0]["check"]["status"], "equal");
    assert_eq!(report["scops"][0]["check"]["inputs"], 8);
    let columns = files.iter().find(|file| file.ends_with("column_sums.c")).expect("an example");
    let (status, _, err) =
        run(folder.path(), &[columns, "--target=gpu", "--order=free", "--check=4", "--report"]);
    assert_eq!(status, Some(0), "{err}");
    // Recurrences that magnify errors of rounding, as they do those of their inputs.
    let nests = concat!(env!("CARGO_MANIFEST_DIR"), "/../loop-compiler/tests/nests");
    for name in ["levinson", "lu_solve"] {
        let (file, headers) = (format!("{nests}/linear-algebra/{name}.c"), format!("-I{nests}"));
        let arguments =
            [&file, &headers, "-DVARIABLE", "--target=cpu", "--order=free", "--check=8", "-o", "-"];
        let (_, _, err) = run(folder.path(), &arguments);
        assert!(err.contains(": checked with ") && err.contains(": equal"), "{err}");
    }
    assert!(err.ends_with("column_sums.c:7: checked with 4 inputs: equal\n"), "{err}");
    assert!(fs::read_dir(folder.path()).expect("a folder").next().is_none());
}

#[test]
fn a_target_takes_fewer_operations() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/loops");
    let example = |name: &str| examples.join(format!("{name}.c")).display().to_string();
    let source = fs::read_to_string(example("summed_area")).expect("an example");
    let folder = folder(&[("a.c", &source)]);
    let path = folder.path();
    let loops = |text: &str| text.matches("for (int").count();
    let (status, out, _) =
        run(path, &["a.c", "--target=cpu", "--sizes=n=8,m=8", "--report=json", "-o", "b.c"]);
    assert_eq!(status, Some(0));
    let report: Value = serde_json::from_str(&out).expect("JSON");
    let expected = serde_json::json!([{
        "line": 14, "from_degree": 4, "to_degree": 2, "operations_before": 1232, "operations_after": 112
    }]);
    assert_eq!(report["scops"][0]["simplified"], expected);
    // The loops are those that are written.
    let written = fs::read_to_string(path.join("b.c")).expect("the output");
    assert_eq!(report["scops"][0]["loops"].as_array().map(Vec::len), Some(3));
    assert!(written.contains("sum[i][j] = (int) ((unsigned int) sum[i - 1][j] + sum_part);"), "{written}");
    common::make(path, &["cc", "-O1", "b.c", "-o", "b"]);
    let printed = std::process::Command::new(path.join("b")).output().expect("the program runs");
    assert_eq!(text(&printed.stdout), on_host(path, "a.c", &[]));
    let (_, out, _) = run(path, &["a.c", "--report=json"]);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["scops"][0]["simplified"][0]["operations_after"], Value::Null);
    assert_eq!(report["scops"][0]["loops"].as_array().map(Vec::len), Some(4));

    let (_, out, _) = run(path, &["a.c", "--target=cpu", "--simplify=off", "--report=json", "-o", "c.c"]);
    assert!(out.contains("\"simplified\": []"), "{out}");
    assert!(loops(&fs::read_to_string(path.join("c.c")).expect("the output")) > loops(&written));
    let (_, thorough, _) = run(path, &["a.c", "--simplify=exhaustive", "--dump=simplified"]);
    let (_, quick, _) = run(path, &["a.c", "--dump=simplified"]);
    assert_eq!(thorough.matches("for ").count(), quick.matches("for ").count());
    // A loop nest without pragmas is one statement.
    let nest = "void f(int n, const int *restrict a, int *restrict b) {\n  if (n > 2)\n    for (int i = 0; i < n; i++) {\n      \
                b[i] = 0;\n      for (int j = 0; j <= i; j++) b[i] += a[j];\n    }\n  else\n    b[0] = 1;\n}\n";
    fs::write(path.join("d.c"), nest).expect("a file");
    let (status, _, _) = run(path, &["d.c", "--auto", "--target=cpu", "-o", "e.c"]);
    assert_eq!(status, Some(0));
    let written = fs::read_to_string(path.join("e.c")).expect("the output");
    assert!(written.contains("b[i] = b[i - 1] + a[i];"), "{written}");
    common::make(path, &["cc", "-c", "e.c"]);

    // Floats need a word; what a step reads is computed by each.
    let (_, out, _) = run(path, &[&example("prefix_attention"), "--explain", "19"]);
    assert!(out.contains("would be 2 instead of 3 with --order free"), "{out}");
    let (_, out, _) = run(path, &[&example("momentum"), "--order=free", "--explain", "14"]);
    assert!(out.contains("line 12 reads `theta` between its updates"), "{out}");
}

/// Regions that a check treats differently: one that clang reads as another one when it optimises, which is what is planted;
/// functions of the file, rows behind pointers and members of structures, and what cannot be checked.
const CHECKED: &str = r#"
#ifdef __OPTIMIZE__
#define SCALE 3
#else
#define SCALE 2
#endif
void differs(int n, const double *restrict x, double *restrict y) {
#pragma scop
  for (int i = 0; i < n; i++)
    y[i] = SCALE * x[i];
#pragma endscop
}
static int twice(int x) { return 2 * x; }
struct point { double x, v[3]; };
void equal(int n, int m, double **a, struct point *q, const int *row, const int *col, double *restrict y, int *restrict z) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] += q[i].v[j % 3] * q[j].x;
#pragma endscop
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = row[i]; j < row[i + 1]; j++)
      y[i] += q[col[j]].x;
#pragma endscop
#pragma scop
  for (int i = 0; i < n; i++)
    z[i] = twice(z[i]);
#pragma endscop
}
__attribute__((const)) double declared(double);
void unchecked(int n, double *restrict y) {
#pragma scop
  for (int i = 0; i < n; i++)
    y[i] = declared(y[i]);
#pragma endscop
#pragma scop
  for (int i = 1; i < n; i++)
    y[i] += y[i - 1];
#pragma endscop
}
int main(void) { return 0; }
"#;

#[test]
fn a_difference_fails_and_what_cannot_be_checked_does_if_strict() {
    let folder = folder(&[("a.c", CHECKED)]);
    let path = folder.path();
    let arguments = ["a.c", "--assume-distinct", "--check=6", "--report=json"];
    let (status, out, err) = run(path, &arguments);
    assert_eq!(status, Some(1), "{err}");
    let lines: Vec<&str> = err.lines().collect();
    let [differs, rows, members, functions, declared, scan, summary] = lines[..] else { panic!("{err}") };
    assert!(differs.starts_with("a.c:8: different: with n = 3, in interleaving 0, `y[0]` is "), "{err}");
    for (line, at) in [(rows, 16), (members, 21), (functions, 26)] {
        assert_eq!(line, format!("a.c:{at}: checked with 6 inputs and 3 seeds: equal"));
    }
    assert_eq!(declared, "a.c:33: not checked: it calls `declared`, which is only declared");
    assert_eq!(scan, "a.c:37: not checked: it stays as it is: no loop is made parallel");
    assert!(summary.contains("1 of 6 regions compute something else than the original"), "{err}");
    let report: Value = serde_json::from_str(&out).expect("JSON");
    let of = |scop: usize| report["scops"][scop]["check"]["status"].as_str().unwrap_or_default().to_owned();
    assert_eq!([0, 1, 5].map(of), ["different", "equal", "unchecked"]);
    // clang reads the same with and without optimisation.
    let (status, _, err) = run(path, &[&arguments[..], &["-U__OPTIMIZE__"]].concat());
    assert_eq!(status, Some(0), "{err}");
    let (status, _, err) = run(path, &[&arguments[..], &["-U__OPTIMIZE__", "--strict"]].concat());
    assert_eq!(status, Some(1));
    assert!(err.contains("2 of 6 regions not checked, which --strict does not allow"), "{err}");
}

#[test]
fn a_check_needs_c_and_takes_sizes() {
    let folder = folder(&[("a.c", CHECKED), ("c.loops", "func @f(n: index) {\n}\n")]);
    let (status, _, err) = run(folder.path(), &["c.loops", "--check"]);
    assert_eq!(status, Some(1));
    assert!(err.contains("c.loops: --check needs C"), "{err}");
    let arguments = ["a.c", "--assume-distinct", "--check=2", "--sizes", "n=4", "--report"];
    let (_, _, err) = run(folder.path(), &arguments);
    assert!(err.contains("a.c:8: different: with n = 4, "), "{err}");
}

#[test]
fn directives_are_verified() {
    let source = "double f(int n, const double *a, double *restrict b, int *restrict p) {\n  double s = 0, t;\n\
                  #pragma omp parallel for private(t) reduction(+: s)\n  for (int i = 0; i < n; i++) {\n    t = a[i];\n    s += t;\n  }\n\
                  #pragma omp parallel for\n  for (int i = 1; i < n; i++)\n    b[i] = b[i - 1] + s;\n\
                  #pragma omp parallel for\n  for (int i = 0; i < n; i++)\n    b[p[i]] = i;\n  return s;\n}\n";
    let folder = folder(&[("a.c", source), ("none.c", "int x;\n")]);
    let path = folder.path();
    let (status, out, err) = run(path, &["--verify", "a.c", "none.c"]);
    assert_eq!(status, Some(1), "{err}");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "a.c:3: proved: #pragma omp parallel for private(t) reduction(+: s)");
    assert_eq!(lines[1], "a.c:8: wrong: #pragma omp parallel for");
    assert!(lines[2].contains("a race in the loop over `i` of line 9: `b`["), "{out}");
    assert_eq!(lines[3], "a.c:11: undecided: #pragma omp parallel for");
    assert!(lines[4].starts_with("  it depends on the values of `p`: "), "{out}");
    assert_eq!(lines[5], "3 loops with directives: 1 proved, 1 wrong, 1 undecided");
    assert_eq!(err, "warpfold: 1 of 3 loops with directives that are wrong\n");
    let (_, json, _) = run(path, &["--verify", "a.c", "--report=json"]);
    let json: Value = serde_json::from_str(&json).expect("it is JSON");
    let of = |index: usize, key: &str| json["directives"][index][key].clone();
    assert_eq!(
        (of(0, "verdict"), of(0, "line"), of(0, "if")),
        ("proved".into(), 3.into(), serde_json::json!([]))
    );
    assert!(of(1, "reason").as_str().is_some_and(|reason| reason.contains("race")));
    let (_, log, _) = run(path, &["--verify", "a.c", "--report=sarif"]);
    let log: Value = serde_json::from_str(&log).expect("it is JSON");
    let levels: Vec<_> = log["runs"][0]["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|one| one["level"].clone())
        .collect();
    assert_eq!(levels, ["error", "note"]);
    // Nothing wrong, and nothing undecided if that is asked for.
    let right = source.split("#pragma omp parallel for\n").next().expect("the first loop").to_owned()
        + "  return s;\n}\n";
    fs::write(path.join("right.c"), right).expect("it is written");
    assert_eq!(run(path, &["--verify", "--strict", "right.c"]).0, Some(0));
    let (status, _, err) = run(path, &["--verify", "a.c", "--report=html"]);
    assert_eq!((status, err.as_str()), (Some(1), "warpfold: --verify reports as text, json or sarif\n"));
}
