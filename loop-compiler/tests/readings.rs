//! Both readings of the rule of reductions where the article's text and its examples differ, the copies that a loop's
//! reductions need, and the limits of an analysis.

mod common;

use std::{
    fmt::Write,
    path::Path,
    time::{Duration, Instant},
};

use loop_compiler::{Analysis, AnalysisError, Class, DetectionRule, Options, analyze, c, notation};

fn analysis(text: &str, rule: DetectionRule) -> Analysis {
    let regions = notation::parse(text, "test.loops").unwrap();
    analyze(&regions[0], &Options { rule, ..Options::default() }).unwrap()
}

fn operators(text: &str, rule: DetectionRule) -> Vec<Option<&'static str>> {
    analysis(text, rule)
        .statements
        .iter()
        .map(|statement| statement.reduction.map(|operator| operator.name()))
        .collect()
}

const BY_INSTANCE: DetectionRule = DetectionRule { by_instance: true, subtraction: true };
const BY_RANGE: DetectionRule = DetectionRule { by_instance: false, subtraction: true };
const STRICT: DetectionRule = DetectionRule { by_instance: true, subtraction: false };

/// "A reduction-like computation on A[i%2] is not invalidated by any occurrence of A[i%2 + 1] in the same statement", but
/// the ranges {0, 1} and {1, 2} of its definition meet.
#[test]
fn another_element_of_the_target() {
    let text = "func @f(n: index, a: memref<4 x f64>) { for i in range(0 : n) { a[i % 2] = a[i % 2] + a[i % 2 + 1] } }";
    assert_eq!(operators(text, BY_INSTANCE), [Some("+")]);
    assert_eq!(operators(text, BY_RANGE), [None]);
    // Either way the element that is read is written by other iterations.
    for rule in [BY_INSTANCE, BY_RANGE] {
        assert_eq!(analysis(text, rule).loops[0].class, Class::Sequential);
    }
    let apart = text.replace("i % 2 + 1", "i % 2 + 2");
    assert_eq!(operators(&apart, BY_INSTANCE), [Some("+")]);
    assert_eq!(operators(&apart, BY_RANGE), [Some("+")]);
    assert_eq!(analysis(&apart, BY_INSTANCE).loops[0].class, Class::Reduction);
    // The same element, whatever is read of it: the reading by instance says why.
    let same = text.replace("i % 2 + 1", "1 - i % 2 + 2 * (i % 2) - i % 2 + 0");
    assert_eq!(operators(&same, BY_RANGE), [None]);
}

/// A triangular solve reads other elements of the vector that it updates; only their ranges meet.
#[test]
fn updates_from_other_elements() {
    let text = "func @f(n: index, l: memref<n x n x f64>, x: memref<n x f64>) {
        for i in range(0 : n) { for j in range(0 : i) { x[i] = x[i] - l[i, j] * x[j] } } }";
    assert_eq!(operators(text, BY_INSTANCE), [Some("+")]);
    assert_eq!(operators(text, BY_RANGE), [None]);
    let classes: Vec<_> = analysis(text, BY_INSTANCE).loops.iter().map(|looped| looped.class).collect();
    assert_eq!(classes, [Class::Sequential, Class::Reduction]);
}

#[test]
fn differences_as_sums() {
    let text = "func @f(n: index, a: memref<n x f64>, s: memref<1 x f64>) { for i in range(0 : n) { s[0] -= a[i] } }";
    assert_eq!(operators(text, BY_INSTANCE), [Some("+")]);
    assert_eq!(operators(text, STRICT), [None]);
    // A linear recurrence, whose factor is 1.
    assert_eq!(analysis(text, STRICT).loops[0].class, Class::Scan);
}

/// Figure 7: the loop over `i` needs copies of all `P`, that over `k` of one element; that over `j` none.
/// Figure 2 and its tiled form: "the whole array s", and "only tile size locations of the q array".
#[test]
fn copies_that_reductions_need() {
    let figure_7 = "func @f(NX: index, NY: index, NZ: index, P: memref<NY x f64>, Q: memref<NX x NY x f64>, R: memref<NY x NZ x f64>) {
        for i in range(0 : NX) { for j in range(0 : NY) { for k in range(0 : NZ) { P[j] += Q[i, j] * R[j, k] } } } }";
    let found = analysis(figure_7, BY_INSTANCE);
    assert_eq!(found.loops[0].copies["P"], "[NX, NY, NZ] -> { [c0] : NX > 0 and NZ > 0 and 0 <= c0 < NY }");
    assert_eq!(found.loops[1].class, Class::Parallel);
    assert!(found.loops[1].copies.is_empty());
    assert!(found.loops[2].copies["P"].contains("[c0 = j]"), "{:?}", found.loops[2].copies);

    let bicg = "func @f(NX: index, NY: index, A: memref<NX x NY x f64>, p: memref<NY x f64>, q: memref<NX x f64>, r: memref<NX x f64>, s: memref<NY x f64>) {
        for i in range(0 : NX) { for j in range(0 : NY) {
            q[i] = q[i] + A[i, j] * p[j]
            s[j] = s[j] + r[i] * A[i, j] } } }";
    let found = analysis(bicg, BY_INSTANCE);
    assert_eq!(found.loops[0].copies["s"], "[NX, NY] -> { [c0] : NX > 0 and 0 <= c0 < NY }");
    assert_eq!(found.loops[1].copies.keys().collect::<Vec<_>>(), ["q"]);

    let tiled = bicg
        .replace(
            "for i in range(0 : NX) { for j in range(0 : NY) {",
            "for it in range(0 : NX / 32) { for jt in range(0 : NY / 32) {
            for i in range(32 * it : 32 * it + 32) { for j in range(32 * jt : 32 * jt + 32) {",
        )
        .replace("} } }", "} } } } }");
    let found = analysis(&tiled, BY_INSTANCE);
    let classes: Vec<_> = found.loops.iter().map(|looped| looped.class).collect();
    assert_eq!(classes, [Class::Reduction; 4]);
    let q = &found.loops[1].copies["q"];
    assert!(q.contains("32it <= c0 <= 31 + 32it"), "{q}");
}

/// A region of 30 statements and 60 loops takes at most 2 s.
#[test]
fn a_large_region_takes_little_time() {
    let mut text = String::from(
        "func @f(n: index, t: index, a: memref<n x n x f64>, b: memref<n x n x f64>, d: memref<n x n x f64>) {\n",
    );
    for nest in 0..30 {
        let [first, second, third] = [0, 1, 2].map(|shift| ["a", "b", "d"][(nest + shift) % 3]);
        let body = match nest % 3 {
            0 => format!("{first}[i, j] = {second}[i - 1, j] + {third}[i, j + 1]"),
            1 => format!("{first}[i, j] += {second}[j, i] * {third}[i, i]"),
            _ => format!("{first}[j, i] = {first}[j, i - 1] * 0.5 + {second}[i, j]"),
        };
        let lower = if nest % 2 == 0 { "1" } else { "i" };
        writeln!(text, "for i in range(1 : n - 1) {{ for j in range({lower} : n - 1) {{ {body} }} }}")
            .unwrap();
    }
    text.push('}');
    let regions = notation::parse(&text, "test.loops").unwrap();
    let begin = Instant::now();
    let found = analyze(&regions[0], &Options::default()).unwrap();
    assert_eq!((found.statements.len(), found.loops.len()), (30, 60));
    println!("{:?}", begin.elapsed());
    let limited = Options { time: Duration::from_secs(2), ..Options::default() };
    assert!(analyze(&regions[0], &limited).is_ok(), "more than two seconds");
}

/// What is too hard ends soon, and says so.
#[test]
fn a_hard_region_ends_as_too_complex() {
    let scratch = std::env::temp_dir().join(format!("loop-compiler-hard-{}.c", std::process::id()));
    let text = "void k(int n, int m, double A[n][n][n]) {
#pragma scop
for (int a = 0; a < n; a++) for (int b = a / 3; b < n - a % 7; b++) for (int c = (a > b ? a : b); c < n; c++)
 for (int d = c % 5; d < (a < b ? n : m); d++) for (int e = d / 2; e < n && e < m - a % 3; e++)
  for (int f = (e + a) / 3; f < n - (b + c) % 11; f++) {
  A[(a + 2*b - c) % 13][(d * 3 - e + f) / 4][(a + d + f) % 9] +=
    A[(b + c) % 11][(a - d + 2 * f) / 5][(c + e) % 6] * A[(a + 3*c) / 7][(b - e) % 17][f / 3];
  A[(a * 5 + b) % 19][(c + d) / 3][(e - f) % 8] = A[(a + c + e) / 2][(b + d - f) % 23][(a - f) % 3] + 1;
 }
#pragma endscop
}
";
    std::fs::write(&scratch, text).unwrap();
    let input = c::Input {
        clang: Path::new("clang-22"),
        file: &scratch,
        arguments: &[],
        auto: false,
        assume_distinct: false,
    };
    let file = c::read(&input).unwrap();
    let tree = file.regions[0].tree.as_ref().unwrap();
    let options = Options { time: Duration::from_secs(3), ..Options::default() };
    let begin = Instant::now();
    let error = analyze(tree, &options).unwrap_err();
    let took = begin.elapsed();
    std::fs::remove_file(&scratch).unwrap();
    let AnalysisError::Rejected(rejection) = &error else { panic!("{error}") };
    assert_eq!(rejection.rule.name(), "limits");
    assert!(rejection.reason.starts_with("too complex"), "{rejection}");
    // A single operation is not interrupted by the clock, but by its number.
    assert!(took < Duration::from_secs(60), "{took:?}");
}

/// What looks like a reduction, or like a value that each iteration has for itself, and is none.
#[test]
fn what_only_looks_like_a_reduction() {
    let classes = |body: &str| {
        let text = format!(
            "func @f(n: index, m: f64, k: index, t: memref<n x f64>, ix: memref<n x i64>, a: memref<n x f64>, b: memref<n x f64>, s: f64) {{ {body} }}"
        );
        let found = analysis(&text, BY_INSTANCE);
        found.loops.iter().map(|looped| looped.class).collect::<Vec<_>>()
    };
    // Each new maximum leaves a mark where it was found.
    let marks = "for i in range(0 : n) { if a[i] > m { m = a[i]  b[i] = 1.0 } }";
    assert_eq!(classes(marks), [Class::Sequential]);
    let marks_rows = "for i in range(0 : n) { for j in range(0 : n) { if a[j] > b[i] { b[i] = a[j]  t[i] = a[j] + 1.0 } } }";
    assert_eq!(classes(marks_rows), [Class::Parallel, Class::Reduction]);
    // The local value is computed once, and stored several times.
    let stored_again = "for i in range(0 : n) { u: f64 = s + a[i]  for j in range(0 : n) { s = u } }";
    assert_eq!(classes(stored_again)[0], Class::Sequential);
    let found =
        analysis(&format!("func @f(n: index, s: f64, a: memref<n x f64>) {{ {stored_again} }}"), BY_INSTANCE);
    assert!(found.statements.iter().all(|statement| statement.combines.is_none()));
    // Another iteration of the inner loop wrote that element, if any did.
    let other_element =
        "for i in range(0 : n) { for j in range(1 : n) { b[j] = t[ix[j - 1]]  t[ix[j]] = a[j] } }";
    assert_eq!(classes(other_element)[0], Class::Sequential);
    let own_element = "for i in range(0 : n) { t[ix[i]] = a[i]  b[i] = t[ix[i]] }";
    assert_ne!(classes(own_element), [Class::Parallel]);
    // A sum that each iteration begins anew is carried by the inner loop alone.
    let row = "for i in range(0 : n) { s = 0.0  for j in range(0 : n) { s += a[j] }  b[i] = s }";
    assert_eq!(classes(row), [Class::Private, Class::Reduction]);
    let found = analysis(
        &format!("func @f(n: index, s: f64, a: memref<n x f64>, b: memref<n x f64>) {{ {row} }}"),
        BY_INSTANCE,
    );
    assert_eq!(found.statements[1].carried_by, [1]);
}
