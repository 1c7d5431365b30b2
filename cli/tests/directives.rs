//! `warpfold parallelize`: what directives ask for is done, or is said not to be, and fails with `--strict`.

mod common;

use std::path::Path;

use common::{folder, text, warpfold};

/// Runs the command in a folder: exit status, standard output, standard error.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = warpfold(folder, &[&["parallelize"], arguments].concat());
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// A function with a region of a directive and a loop.
fn region(directive: &str, body: &str) -> String {
    format!(
        "void f(int n, double *restrict a, double *restrict b) {{\n#pragma scop\n{directive}\n  for (int i = 1; i < n; i++)\n    \
         {body}\n#pragma endscop\n}}\n"
    )
}

#[test]
fn an_impossible_directive_is_said_and_fails_if_strict() {
    let (apart, chained) = ("a[i] = b[i] + 1;", "a[i] = a[i - 1] + 1;");
    let said = "1 of 1 regions have directives that cannot be performed, which --strict does not allow\n";
    for (directive, body, reason) in [
        (
            "#pragma omp parallel for",
            chained,
            "a directive makes loop `i` parallel, but it is not: line 5 writes `a`",
        ),
        (
            "#pragma omp parallel for simd",
            chained,
            "a directive makes loop `i` parallel, but it is not: line 5 writes `a`",
        ),
        (
            "#pragma warpfold schedule(parallel(k))",
            apart,
            "schedules: parallel(k): there is no loop `k`; loops are `i`",
        ),
        (
            "#pragma warpfold schedule(parallel(i))",
            chained,
            "floats: sums and products of floats keep their order",
        ),
        (
            "#pragma warpfold strategy(vector-accumulator,16)",
            apart,
            "the strategy of loop `i`: it carries no reduction",
        ),
        ("#pragma warpfold strategy(magic)", apart, "`magic` is no strategy"),
        ("#pragma warpfold shedule(parallel(i))", apart, "`shedule` is no directive of warpfold"),
    ] {
        let folder = folder(&[("a.c", &region(directive, body))]);
        for target in [&[][..], &["--target=cpu"], &["--target=gpu"]] {
            let (status, out, err) = run(folder.path(), &[&["a.c"], target].concat());
            assert_eq!((status, err.as_str()), (Some(0), ""), "{directive} {target:?}");
            let warning = |line: &&str| line.contains("line 4: warning: ") && line.contains(reason);
            assert!(out.lines().any(|line| warning(&line)), "{directive} {target:?}: {out}");
            let (status, again, err) =
                run(folder.path(), &[&["a.c", "--strict", "--report"], target].concat());
            assert_eq!((status, again), (Some(1), out), "{directive} {target:?}");
            assert!(err.ends_with(said), "{directive} {target:?}: {err}");
            // Nothing is written.
            let output = [&["a.c", "--strict", "-o", "b.c"], target].concat();
            assert_eq!(run(folder.path(), &output).0, Some(1), "{directive} {target:?}");
            assert!(!folder.path().join("b.c").exists(), "{directive} {target:?}");
        }
    }
    // What can be done is no reason to fail.
    for (directive, body) in [
        ("#pragma omp parallel for", apart),
        ("#pragma omp parallel for", "b[i] = a[i] > 0;"),
        ("#pragma warpfold schedule(parallel(i))", apart),
        ("#pragma GCC ivdep", chained),
    ] {
        let folder = folder(&[("a.c", &region(directive, body))]);
        for target in [&[][..], &["--target=cpu"]] {
            let (status, _, err) = run(folder.path(), &[&["a.c", "--strict"], target].concat());
            assert_eq!((status, err.as_str()), (Some(0), ""), "{directive}");
        }
    }
}

/// OpenMP's directives of statements, and directives of loops that are not there: the output would not have them.
#[test]
fn a_directive_of_no_loop_is_no_part_of_a_region() {
    for directive in ["omp atomic", "omp critical", "omp barrier", "warpfold schedule(parallel(i))"] {
        let source = format!(
            "void f(int n, int *restrict a, int *restrict b) {{\n#pragma scop\n  for (int i = 0; i < n; i++) {{\n#pragma {directive}\n    \
             a[b[i]] += 1;\n  }}\n#pragma endscop\n}}\n"
        );
        let folder = folder(&[("a.c", &source)]);
        let (status, out, err) = run(folder.path(), &["a.c", "--strict"]);
        assert_eq!(status, Some(1), "{directive}: {err}");
        let expected = format!(
            "line 4: warning: rejected: annotations: `#pragma {directive}` stands in front of no loop"
        );
        assert!(out.contains(&expected), "{out}");
        assert_eq!(run(folder.path(), &["a.c", "--target=cpu", "-ob.c"]).0, Some(0));
        assert_eq!(std::fs::read_to_string(folder.path().join("b.c")).expect("a file"), source);
    }
}

#[test]
fn a_directive_is_of_the_next_loop_alone() {
    let inner = "for (int i = 0; i < n; i++) for (int j = 1; j < m; j++) a[i][j] = a[i][j - 1] + 1;";
    let next =
        "for (int i = 0; i < n; i++) a[i][0] = 1; for (int i = 1; i < n; i++) a[i][0] = a[i - 1][0] + 1;";
    for (name, loops) in [("inner", inner), ("next", next)] {
        for between in ["", "\n", "  /* for the next */\n// loop\n"] {
            let source = format!(
                "void f(int n, int m, double a[restrict n][m]) {{\n#pragma scop\n#pragma omp parallel for\n{between}  {loops}\n\
                 #pragma endscop\n}}\n"
            );
            let folder = folder(&[("a.c", &source)]);
            let (status, out, err) = run(folder.path(), &["a.c", "--strict"]);
            assert_eq!((status, err.as_str()), (Some(0), ""), "{name}: {out}");
            assert!(!out.contains("directive"), "{name}: {out}");
            let (status, made, _) = run(folder.path(), &["a.c", "-o-"]);
            assert_eq!(status, Some(0));
            assert_eq!(made.matches("#pragma omp").count(), 1, "{made}");
            let lines: Vec<&str> = made.lines().map(str::trim).collect();
            assert_eq!(lines[2..4], ["#pragma omp parallel for", "for (int i = 0; i < n; i++) {"], "{made}");
        }
    }
    // The pragma of the inner loop stays its own.
    let source = "void f(int n, int m, double a[restrict n][m]) {\n#pragma scop\n#pragma omp parallel for\n  for (int i = 0; i < n; i++)\n\
                  #pragma omp simd\n    for (int j = 0; j < m; j++) for (int k = 0; k < 3; k++) a[i][j] += k;\n#pragma endscop\n}\n";
    let folder = folder(&[("a.c", source)]);
    let (_, made, _) = run(folder.path(), &["a.c", "-o-"]);
    let lines: Vec<&str> = made.lines().map(str::trim).collect();
    assert_eq!(
        lines[2..7],
        [
            "#pragma omp parallel for",
            "for (int i = 0; i < n; i++) {",
            "#pragma omp simd",
            "for (int j = 0; j < m; j++) {",
            "for (int k = 0; k < 3; k++) {",
        ]
    );
}

/// The notation has `par.for`, `reduce` and declarations in loops, not clauses.
#[test]
fn reports_on_loops_advise_what_their_notation_has() {
    let text = "func @combined(n: index, x: memref<n x f64>, s: memref<1 x f64>) {\n  par.for i in range(0 : n) {\n    \
                reduce(s[0], x[i]) <\"+\", 0.0>\n  }\n}\nfunc @added(n: index, x: memref<n x f64>, s: memref<1 x f64>) {\n  \
                par.for i in range(0 : n) {\n    s[0] += x[i]\n  }\n}\nfunc @shared(n: index, x: memref<n x f64>, s: memref<n x f64>) {\n  \
                t: f64\n  par.for i in range(0 : n) {\n    t = x[i]\n    s[i] = t * t\n  }\n}\n\
                func @chained(n: index, x: memref<n x f64>) {\n  par.for i in range(1 : n) {\n    x[i] = x[i - 1] * 2\n  }\n}\n";
    let folder = folder(&[("a.loops", text)]);
    let (status, out, err) = run(folder.path(), &["a.loops", "--strict"]);
    assert_eq!(status, Some(1));
    assert!(err.contains("1 of 4 regions have directives that cannot be performed"), "{err}");
    let warnings: Vec<&str> =
        out.lines().filter_map(|line| line.trim().split_once(": warning: ")).map(|(_, said)| said).collect();
    assert_eq!(warnings.len(), 3, "{out}");
    assert_eq!(
        warnings[0],
        "`par.for` makes loop `i` parallel, which needs private copies of `s`: combine them by `reduce`"
    );
    assert_eq!(
        warnings[1],
        "`par.for` makes loop `i` parallel, which needs private copies of `t`: declare them inside the loop"
    );
    assert!(
        warnings[2].starts_with("`par.for` makes loop `i` parallel, but it is not: line 20 writes `x`"),
        "{out}"
    );
    assert!(warnings[2].ends_with(": write `for`"), "{out}");
    assert!(!out.contains("clause") && !out.contains("directive"), "{out}");
}
