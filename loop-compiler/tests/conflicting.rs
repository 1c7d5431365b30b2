//! Conflicting loops: the parallel loops along which a reduction needs private copies, by what they carry (seed examples
//! of Treebeard's draft of a `reduce` dialect).

use loop_compiler::{Class, Options, analyze, notation};

/// The class of each loop, with its iterator, and the statements' operators.
fn classes(text: &str) -> (Vec<(String, Class)>, Vec<Option<&'static str>>) {
    let regions = notation::parse(text, "test.loops").unwrap();
    let analysis = analyze(&regions[0], &Options::default()).unwrap();
    let loops = analysis.loops.into_iter().map(|looped| (looped.iterator, looped.class)).collect();
    let operators =
        analysis.statements.iter().map(|statement| statement.reduction.map(|operator| operator.name()));
    (loops, operators.collect())
}

/// The parallel loops that carry the reduction.
fn conflicting(text: &str) -> Vec<String> {
    let (loops, _) = classes(text);
    let parallel: Vec<String> = text
        .split("par.for ")
        .skip(1)
        .map(|rest| rest.split_whitespace().next().unwrap().to_string())
        .collect();
    loops
        .into_iter()
        .filter(|(iterator, class)| parallel.contains(iterator) && *class == Class::Reduction)
        .map(|(iterator, _)| iterator)
        .collect()
}

#[test]
fn one_parallel_loop_over_one_cell() {
    let text = "func @f(n: index, arr: memref<n x f64>, result: memref<1 x f64>) {
        par.for i0 in range(0 : n / 2 : n) { for i1 in range(0 : n / 2) {
            reduce(result[0], arr[i0 + i1]) <\"+\", 0.0> } } }";
    assert_eq!(conflicting(text), ["i0"]);
    assert_eq!(classes(text).1, [Some("+")]);
}

#[test]
fn nested_parallel_loops() {
    let text = "func @f(n: index, arr: memref<n x f64>, result: memref<1 x f64>) {
        par.for i0 in range(0 : n / 2 : n) { par.for i1 in range(0 : n / 4 : n / 2) { for i2 in range(0 : n / 4) {
            reduce(result[0], arr[i0 + i1 + i2]) <\"+\", 0.0> } } } }";
    assert_eq!(conflicting(text), ["i0", "i1"]);
}

/// The loop over the batch names other cells in each iteration, since its steps are as long as the inner loop.
#[test]
fn trees_and_batch() {
    let text = "func @f(b: index, t: index, vote: memref<t x b x f64>, result: memref<b x f64>) {
        par.for i0 in range(0 : b / 2 : b) { par.for t0 in range(0 : t / 2 : t) {
            for t1 in range(0 : t / 2) { for i1 in range(0 : b / 2) {
                reduce(result[i0 + i1], vote[t0 + t1, i0 + i1]) <\"+\", 0.0> } } } } }";
    assert_eq!(conflicting(text), ["t0"]);
}

#[test]
fn two_statements_share_their_target() {
    let text = "func @f(n: index, a: memref<n x i64>, result: memref<1 x i64>) {
        par.for i in range(0 : n) { reduce(result[0], a[i]) <\"+\", 0>  reduce(result[0], a[i] * 2) <\"+\", 0> } }";
    assert_eq!(conflicting(text), ["i"]);
    assert_eq!(classes(text).1, [Some("+"), Some("+")]);
    let mixed = text.replacen("\"+\", 0", "\"max\", 0", 1);
    assert_eq!(classes(&mixed).0[0].1, Class::Sequential);
}

/// The distance (1, -1) is not zero in the parallel loop, but the sequential loop around it carries it: the draft's
/// definition would make a private copy without need.
#[test]
fn what_a_sequential_loop_carries_needs_no_copy() {
    let text = "func @f(n: index, a: memref<n x f64>, result: memref<n + n x f64>) {
        for k in range(0 : n) { par.for i in range(0 : n) { reduce(result[k + i], a[i]) <\"+\", 0.0> } } }";
    assert!(conflicting(text).is_empty());
    let (loops, _) = classes(text);
    assert_eq!(
        loops.iter().map(|(_, class)| *class).collect::<Vec<_>>(),
        [Class::Reduction, Class::Parallel]
    );
}

/// Of two parallel loops over one antidiagonal, the outer carries the reduction.
#[test]
fn only_the_outer_of_two_parallel_loops() {
    let text = "func @f(n: index, a: memref<n x f64>, result: memref<n + n x f64>) {
        par.for i0 in range(0 : n) { par.for i1 in range(0 : n) { reduce(result[i0 + i1], a[i1]) <\"+\", 0.0> } } }";
    assert_eq!(conflicting(text), ["i0"]);
}
