//! Simplified reductions: they compute what was written, with the operations that the literature says.
//!
//! The files of `tests/simplified` are simplified, and compared with their `.expected` files (`WARPFOLD_BLESS=1` writes
//! them). `SIMPLIFIED=10000` says how many random reductions there are.

#[path = "common/random.rs"]
mod random;

use std::{collections::BTreeSet, env, fs, path::Path};

use loop_compiler::{
    Class, Options, analyze,
    interpret::{self, Memory, Sizes},
    ir::{ReductionOperator, Region},
    notation::{parse, print},
    report::FloatOrder,
    simplify::{Search, Setting, Simplification, Simplified, simplify},
    verify::verify,
};
use random::Random;

fn region(text: &str) -> Region {
    parse(text, "simplified").unwrap_or_else(|error| panic!("{error}\n{text}")).remove(0)
}

fn simplified(region: &Region, change: impl FnOnce(&mut Setting<'_>)) -> Simplified {
    let options = Options::default();
    let mut setting = Setting::new(FloatOrder::Free, &options);
    change(&mut setting);
    let result = simplify(region, &setting).unwrap_or_else(|error| panic!("{error}\n{}", text(region)));
    verify(&result.region).unwrap_or_else(|error| panic!("{error}\n{}", text(&result.region)));
    result
}

fn text(region: &Region) -> String {
    print(std::slice::from_ref(region))
}

/// Executes a region with these sizes, and returns its memory and the number of operations that are no comparisons: those
/// are of guards around what is combined.
fn executed(region: &Region, sizes: &[(&str, i128)], seed: u64) -> (Memory, u64) {
    let options = interpret::Options::default();
    let mut memory = Memory::new(region, &Sizes::of(sizes.iter().copied()), &options).unwrap();
    memory.fill(seed);
    let counts = interpret::run(region, &mut memory, &options)
        .unwrap_or_else(|error| panic!("{error} with {sizes:?}\n{}", text(region)));
    (memory, counts.operations - counts.comparisons)
}

/// Fails unless both regions compute the same with these sizes; returns the operations of both.
fn compared(original: &Region, made: &Region, sizes: &[(&str, i128)], seed: u64) -> (u64, u64) {
    let ((expected, before), (found, after)) = (executed(original, sizes, seed), executed(made, sizes, seed));
    if let Some(difference) = expected.first_difference(&found) {
        panic!("{difference} with {sizes:?}\n{}\n{}", text(original), text(made));
    }
    (before, after)
}

const PREFIX: &str = "func @Prefix(n: index, A: memref<n x i32>, B: memref<n x i32>) {
  for i in range(0 : n) {
    B[i] = 0
    for j in range(0 : i + 1) { B[i] += A[j] }
  }
}";

const SQUARE: &str = "func @Square(n: index, A: memref<n x i32>, B: memref<n x i32>) {
  for i in range(0 : n) {
    B[i] = 0
    for j in range(0 : n) { B[i] += A[j] }
  }
}";

const WINDOW: &str = "func @Window(n: index, k: index, A: memref<n + k x i32>, B: memref<n x i32>) {
  for i in range(0 : n) {
    B[i] = 0
    for j in range(i : i + k) { B[i] += A[j] }
  }
}";

const DIAGONAL: &str = "func @Diagonal(n: index, k: index, A: memref<n + k x i32>, B: memref<n x i32>) {
  for i in range(0 : n) {
    B[i] = 0
    for j in range(0 : k) { B[i] += A[i + j] }
  }
}";

const AREA: &str = "func @Area(n: index, A: memref<n x n x i32>, B: memref<n x n x i32>) {
  for i in range(0 : n) {
    for j in range(0 : n) {
      B[i, j] = 0
      for a in range(0 : i + 1) { for b in range(0 : j + 1) { B[i, j] += A[a, b] } }
    }
  }
}";

const ALONE: &str = "func @Alone(n: index, A: memref<n x n x n x i32>, B: memref<n x n x i32>) {
  for i in range(0 : n) { for j in range(0 : n) {
    B[i, j] = 0
    for k in range(0 : n) { B[i, j] += A[i, j, k] }
  } }
}";

/// With 8 results, and windows of 3 elements: the vector of results, additions before and after, and whether the maximum
/// has one, too.
#[test]
fn additions_are_those_of_the_literature() {
    let cases: [(&str, &[i64], u64, u64, bool); 8] = [
        (PREFIX, &[1], 28, 7, true),
        (PREFIX, &[-1], 28, 14, false),
        (SQUARE, &[1], 56, 7, true),
        (SQUARE, &[-1], 56, 7, true),
        (WINDOW, &[1], 16, 16, false),
        (WINDOW, &[-1], 16, 16, false),
        (DIAGONAL, &[1], 16, 16, false),
        (AREA, &[1, 0], 1232, 112, true),
    ];
    let sizes = |region: &Region| {
        let has_width = region.variables.iter().any(|variable| variable.name == "k");
        if has_width { vec![("n", 8), ("k", 3)] } else { vec![("n", 8)] }
    };
    for (source, vector, before, after, maximum) in cases {
        let original = region(source);
        let made = simplified(&original, |setting| setting.forced = Some(vector.to_vec()));
        let sizes = sizes(&original);
        let (all, found) = compared(&original, &made.region, &sizes, 3);
        // The first value of each result is added to 0 as it is written.
        let results = if source == AREA { 64 } else { 8 };
        assert_eq!((all - results, found), (before, after), "{source}\n{}", text(&made.region));
        // The report counts the same.
        let options = Options {
            sizes: sizes.iter().map(|(name, size)| (name.to_string(), *size as i64)).collect(),
            ..Options::default()
        };
        let setting = Setting { forced: Some(vector.to_vec()), ..Setting::new(FloatOrder::Kept, &options) };
        let report = simplify(&original, &setting).unwrap().reductions.remove(0);
        assert_eq!(report.operations, Some((before, after)), "{source}");

        let greatest = region(
            &source
                .replace("= 0", "= -2147483648")
                .replace("+= ", "= max(B[I], ")
                .replace("] }", "]) }")
                .replace("B[I]", if source == AREA { "B[i, j]" } else { "B[i]" }),
        );
        let made = simplified(&greatest, |setting| setting.forced = Some(vector.to_vec()));
        assert_eq!(made.is_changed(), maximum, "{}", text(&greatest));
        compared(&greatest, &made.region, &sizes, 3);
        let reason = &made.reductions[0].candidates[0].rejected;
        assert_eq!(reason.as_ref().is_some_and(|reason| reason.contains("inverse")), !maximum);
    }
    let original = region(AREA);
    let made = simplified(&original, |setting| {
        (setting.forced, setting.depth) = (Some(vec![1, 0]), 0);
    });
    assert_eq!(compared(&original, &made.region, &[("n", 8)], 1).1, 280);
    let alone = simplified(&region(ALONE), |_| {});
    assert!(!alone.is_changed() && alone.reductions[0].candidates.is_empty());
    assert_eq!(
        alone.reductions[0].outcome.as_ref().unwrap_err().reason,
        "no two results combine the same values"
    );
    // Windows of few elements take as many operations either way.
    let few = region(&WINDOW.replace("i + k)", "i + 3)"));
    let made = simplified(&few, |_| {});
    let report = &made.reductions[0];
    assert!(!made.is_changed() && report.outcome.as_ref().unwrap_err().reason.contains("stays 1"));
    // Many elements in each of them do not.
    assert!(
        simplified(&region(&WINDOW.replace("i + k)", "i + 100)").replace("n + k", "n + 100")), |_| {})
            .is_changed()
    );
}

#[test]
fn operations_have_the_degree_of_the_report() {
    let cases = [
        (PREFIX, 2, 1),
        (SQUARE, 2, 1),
        (AREA, 4, 2),
        (&*WINDOW.replace("i + k)", "i + n)").replace("n + k", "2 * n"), 2, 1),
    ];
    for (source, from, to) in cases {
        let original = region(source);
        let made = simplified(&original, |_| {});
        assert_eq!(
            (made.reductions[0].from_degree, &made.reductions[0].outcome),
            (from, &Ok(to)),
            "{source}"
        );
        // What is of degree 4 as it is written takes long.
        let sizes = |region: &Region| match region == &original && source == AREA {
            true => [4, 8, 12, 16, 20],
            false => [16, 32, 48, 64, 80],
        };
        for (region, degree) in [(&original, from), (&made.region, to)] {
            let counts = sizes(region).into_iter().map(|size| {
                let sizes = [("n", size), ("k", 3)];
                executed(region, &sizes[..1 + usize::from(source.contains("k: index"))], 1).1 as i64
            });
            let mut differences: Vec<i64> = counts.collect();
            for _ in 0..degree {
                differences = differences.windows(2).map(|pair| pair[1] - pair[0]).collect();
            }
            assert!(differences[0] != 0, "{source}");
            assert!(differences.windows(2).all(|pair| pair[0] == pair[1]), "{source}: {differences:?}");
        }
    }
}

const DEPENDENT: &str = "func @Dependent(n: index, A: memref<n + 1 x i64>, B: memref<n x i64>) {
  for i in range(0 : n) {
    B[i] = 0
    for j in range(0 : i + 1) { B[i] += A[j] }
    A[i + 1] = (3 * B[i] + 1) % 101
  }
}";

/// Whether results of the dependent prefix sum would depend on each other in a cycle.
fn is_cyclic(n: i64, vector: i64) -> bool {
    // Nodes: `B[i]` is i, `A[i]` is n + i.
    let mut needs: Vec<Vec<i64>> = Vec::new();
    for i in 0..n {
        let reuses = (0..n).contains(&(i - vector));
        let added: Vec<i64> = match (reuses, vector) {
            (false, _) => (0..=i).collect(),
            (true, 1) => vec![i],
            // What leaves the greater result.
            (true, _) => vec![i + 1],
        };
        let mut of: Vec<i64> = added.into_iter().map(|j| n + j).collect();
        of.extend(reuses.then_some(i - vector));
        needs.push(of);
    }
    for i in 0..=n {
        needs.push(if i == 0 { Vec::new() } else { vec![i - 1] });
    }
    let mut left: Vec<bool> = vec![true; needs.len()];
    while let Some(ready) =
        (0..needs.len()).find(|node| left[*node] && needs[*node].iter().all(|other| !left[*other as usize]))
    {
        left[ready] = false;
    }
    left.contains(&true)
}

#[test]
fn a_dependent_prefix_sum_follows_its_order() {
    let original = region(DEPENDENT);
    for first in [1, -1] {
        for search in [Search::Heuristic, Search::Exhaustive] {
            let made = simplified(&original, |setting| {
                (setting.search, setting.forced) = (search, Some(vec![first]));
            });
            let report = &made.reductions[0];
            assert_eq!(made.is_changed(), !is_cyclic(6, first), "{report:?}");
            let rejected = report.candidates[0].rejected.as_ref();
            assert_eq!(rejected.is_some_and(|reason| reason.contains("cycle")), is_cyclic(6, first));
        }
    }
    // Without a word both directions are looked at, and one is taken.
    let made = simplified(&original, |setting| setting.search = Search::Exhaustive);
    assert_eq!(made.reductions[0].candidates.len(), 2);
    assert_eq!(made.reductions[0].faces, [3, 3, 1]);
    let options = interpret::Options::default();
    for region in [&original, &made.region] {
        let mut memory = Memory::new(region, &Sizes::of([("n", 6)]), &options).unwrap();
        memory.fill(1);
        memory.set_values("A", [5.0]);
        interpret::run(region, &mut memory, &options).unwrap();
        assert_eq!(memory.values("B").unwrap(), [5.0, 21.0, 85.0, 139.0, 153.0, 209.0]);
        assert_eq!(memory.values("A").unwrap()[..6], [5.0, 16.0, 64.0, 54.0, 14.0, 56.0]);
    }
}

type Bounds = fn(i64, i64) -> (i64, i64);
type Element = fn(i64, i64) -> i64;

/// Sums of elements that depend on earlier sums: bounds of what is combined, and the element that depends on a result.
const BOUNDS: [(&str, &str, Bounds); 6] = [
    ("0", "i + 1", |i, _| (0, i + 1)),
    ("0", "i + 4", |i, _| (0, i + 4)),
    ("i", "i + n", |i, n| (i, i + n)),
    ("i", "n", |i, n| (i, n)),
    ("0", "n", |_, n| (0, n)),
    ("0", "2 * i + 1", |i, _| (0, 2 * i + 1)),
];
const DEPENDENT_ELEMENTS: [(&str, Element); 7] = [
    ("i", |i, _| i),
    ("i + 1", |i, _| i + 1),
    ("i + 4", |i, _| i + 4),
    ("2 * i + 1", |i, _| 2 * i + 1),
    ("i + n", |i, n| i + n),
    ("3 * n", |_, n| 3 * n),
    // What a descending loop has combined already is above.
    ("n - 1 - i", |i, n| n - 1 - i),
];

/// Every vector that is accepted leaves a graph of instances without cycles, as enumeration finds; every one that is
/// rejected says why.
#[test]
fn accepted_vectors_leave_no_cycle() {
    const SIZE: i64 = 6;
    let (mut accepted, mut rejected, mut cyclic, mut distributed) = (0, 0, 0, 0);
    for (lower, upper, bounds) in BOUNDS {
        for (element, cell) in DEPENDENT_ELEMENTS {
            for order in ["0 : n", "n - 1 : -1 : -1"] {
                let source = format!(
                    "func @Dependent(n: index, A: memref<4 * n + 8 x i64>, B: memref<n x i64>) {{
                      for i in range({order}) {{
                        B[i] = 0
                        for j in range({lower} : {upper}) {{ B[i] += A[j] }}
                        A[{element}] = (3 * B[i] + 1) % 101
                      }}
                    }}"
                );
                let original = region(&source);
                for search in [Search::Heuristic, Search::Exhaustive] {
                    let made = simplified(&original, |setting| setting.search = search);
                    compared(&original, &made.region, &[("n", SIZE.into())], 5);
                    let report = &made.reductions[0];
                    for candidate in &report.candidates {
                        let r = &candidate.vector;
                        let points = |x: i64| {
                            let (first, past) = bounds(x, SIZE);
                            (first..past).collect::<BTreeSet<i64>>()
                        };
                        // What a result needs: another result, and elements; or elements only.
                        let needs = |x: i64| -> (Option<i64>, BTreeSet<i64>) {
                            let before = x - r[0];
                            if !(0..SIZE).contains(&before) {
                                return (None, points(x));
                            }
                            let moved: BTreeSet<i64> = points(before).iter().map(|j| j + r[1]).collect();
                            (Some(before), points(x).symmetric_difference(&moved).copied().collect())
                        };
                        let writer = |element: i64| (0..SIZE).filter(move |x| cell(*x, SIZE) == element);
                        let mut left: BTreeSet<i64> = (0..SIZE).collect();
                        while let Some(ready) = left.iter().copied().find(|x| {
                            let (result, elements) = needs(*x);
                            let mut all =
                                elements.into_iter().flat_map(writer).filter(|y| y != x).chain(result);
                            all.all(|needed| !left.contains(&needed))
                        }) {
                            left.remove(&ready);
                        }
                        match &candidate.rejected {
                            // What distribution has moved apart is no cycle any more.
                            None if report.is_distributed => distributed += 1,
                            None => assert!(left.is_empty(), "{source}: {r:?} leaves a cycle"),
                            Some(reason) => assert!(!reason.is_empty()),
                        }
                        accepted += usize::from(candidate.rejected.is_none());
                        rejected += usize::from(candidate.rejected.is_some());
                        cyclic += usize::from(!left.is_empty());
                    }
                }
            }
        }
    }
    println!(
        "{accepted} vectors accepted, {rejected} rejected, {cyclic} with a cycle, {distributed} distributed"
    );
    assert!(accepted > 2 * distributed);
    assert!(accepted > 20 && rejected > 20 && cyclic > 5, "{accepted}, {rejected}, {cyclic}");
}

/// The article's examples from machine learning: what they are.
#[test]
fn descent_with_momentum_and_attention_are_no_dependent_reductions() {
    let momentum = region(
        "func @Momentum(t: index, g: memref<t x f64>, v: memref<1 x f64>, x: memref<1 x f64>) {
          for s in range(0 : t) {
            v[0] = 0.9 * v[0] + 0.1 * (x[0] - 3.0)
            x[0] -= 0.5 * v[0]
          }
        }",
    );
    let analysis = analyze(&momentum, &Options::default()).unwrap();
    assert_eq!(analysis.loops[0].class, Class::Sequential);
    let [velocity, place] = &analysis.statements[..] else { panic!("{:?}", analysis.statements) };
    assert!(velocity.combines.is_none() && velocity.reason.as_ref().unwrap().1.contains("linear recurrence"));
    assert_eq!(place.combines, Some(ReductionOperator::Add));
    let made = simplified(&momentum, |_| {});
    assert!(!made.is_changed());
    let reason = &made.reductions[0].outcome.as_ref().unwrap_err().reason;
    assert!(reason.contains("reads `x` between its updates"), "{reason}");

    let attention = region(
        "func @Attention(t: index, w: memref<t x t x f64>, values: memref<t x f64>, context: memref<1 x f64>) {
          for i in range(0 : t) { for j in range(0 : i + 1) { context[0] += w[i, j] * values[j] } }
        }",
    );
    let analysis = analyze(&attention, &Options::default()).unwrap();
    assert!(analysis.loops.iter().all(|looped| looped.class == Class::Reduction));
    assert!(!simplified(&attention, |_| {}).is_changed());
}

/// Iterators that are declared before their loops have their last values behind them.
#[test]
fn last_values_of_iterators_stay() {
    let original = region(
        "func @Last(n: index, A: memref<n x i32>, B: memref<n x i32>, C: memref<n x i32>, D: memref<2 x i64>) {
          i: i64 = 7
          j: i64 = 8
          for i = range(0 : n) {
            B[i] = 0
            for j = range(0 : i + 1) { B[i] += A[j] }
          }
          for i = range(0 : n) { C[i] = A[i] }
          D[0] = i
          D[1] = j
        }",
    );
    let made = simplified(&original, |_| {});
    assert!(made.is_changed());
    for size in [0, 1, 2, 7] {
        compared(&original, &made.region, &[("n", size)], 1);
    }
    // The nest that has nothing to simplify keeps its iterator.
    assert!(text(&made.region).contains("for i = range(0 : n) {\n    C[i] = A[i]"), "{}", text(&made.region));
}

/// Floats differ by what the operations round: what was added and is subtracted again counts with its size.
#[test]
fn floats_differ_within_a_bound() {
    const SIZES: [(&str, i128); 2] = [("n", 200), ("k", 30)];
    let original = region(&WINDOW.replace("i32", "f64"));
    let made = simplified(&original, |_| {});
    assert!(made.is_changed() && made.reductions[0].subtracts);
    let options = interpret::Options::default();
    for large in [0.0, 1e9] {
        let values: Vec<f64> =
            (0..230).map(|j| if j == 40 { large } else { 1.0 / f64::from(j + 1) }).collect();
        let [exact, shared] = [&original, &made.region].map(|region| {
            let mut memory = Memory::new(region, &Sizes::of(SIZES), &options).unwrap();
            memory.fill(1);
            memory.set_values("A", values.clone());
            interpret::run(region, &mut memory, &options).unwrap();
            memory.values("B").unwrap()
        });
        let sum: f64 = values.iter().sum();
        let bound = 2.0 * 230.0 * f64::EPSILON * sum;
        let greatest = exact.iter().zip(&shared).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(greatest > 0.0 && greatest <= bound, "{greatest} of {bound}");
    }
}

/// A NaN replaces no extreme, wherever it is: partial results begin without one.
#[test]
fn not_a_number_replaces_nothing() {
    let inits = ["B[i]", "0.0", "-inf", "B[i] + 1.0"];
    let loops = ["i : n", "0 : i + 1", "i : i + 3", "0 : n"];
    let options = interpret::Options::default();
    let mut simplified_ones = 0;
    for (init, range) in inits.iter().flat_map(|init| loops.map(|range| (*init, range))) {
        for is_local in [false, true] {
            let target = if is_local { "m" } else { "B[i]" };
            let (begin, end) = match is_local {
                true => (format!("m: f64 = {init}"), "B[i] = m"),
                false => (format!("B[i] = {init}"), ""),
            };
            for order in ["0 : n", "n - 1 : -1 : -1"] {
                let source = format!(
                    "func @Extreme(n: index, A: memref<n + 3 x f64>, B: memref<n x f64>) {{
                      for i in range({order}) {{
                        {begin}
                        for j in range({range}) {{ if A[j] > {target} {{ {target} = A[j] }} }}
                        {end}
                      }}
                    }}"
                );
                let original = region(&source);
                let made = simplified(&original, |_| {});
                simplified_ones += usize::from(made.is_changed());
                for nan in 0..8u32 {
                    let results = [&original, &made.region].map(|region| {
                        let mut memory = Memory::new(region, &Sizes::of([("n", 5)]), &options).unwrap();
                        let value = |index: u32| match index {
                            _ if index == nan || nan == 7 => f64::NAN,
                            4 => f64::NEG_INFINITY,
                            _ => f64::from(index * 3 % 7),
                        };
                        memory.set_values("A", (0..8).map(value));
                        memory.set_values("B", [1.5, f64::NAN, -2.0, f64::NEG_INFINITY, 9.0]);
                        interpret::run(region, &mut memory, &options).unwrap();
                        memory.values("B").unwrap().iter().map(|value| value.to_bits()).collect::<Vec<_>>()
                    });
                    assert_eq!(results[0], results[1], "{source}\n{}", text(&made.region));
                }
            }
        }
    }
    assert!(simplified_ones > 20, "{simplified_ones}");
}

#[test]
fn files_are_simplified_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/simplified");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "loops"));
    files.sort();
    assert!(!files.is_empty());
    for path in files {
        let source = fs::read_to_string(&path).unwrap();
        let mut found = String::new();
        for original in parse(&source, &path.display().to_string()).unwrap() {
            let made = simplified(&original, |_| {});
            for report in &made.reductions {
                found += &said(report);
            }
            found += &text(&made.region);
            for size in [0, 1, 2, 5] {
                let sizes: Vec<_> = loop_compiler::check::parameters(&original);
                let sizes: Vec<_> = sizes.iter().map(|name| (name.as_str(), size)).collect();
                for seed in 0..3 {
                    compared(&original, &made.region, &sizes, seed);
                }
            }
        }
        let expected = path.with_extension("expected");
        if env::var_os("WARPFOLD_BLESS").is_some() {
            fs::write(&expected, &found).unwrap();
        }
        assert_eq!(fs::read_to_string(&expected).unwrap_or_default(), found, "{}", path.display());
    }
}

fn said(report: &Simplification) -> String {
    let mut out = match &report.outcome {
        Ok(to) => {
            format!("// {} {}: degree {} to {to}\n", report.operator, report.target, report.from_degree)
        }
        Err(rejection) => format!("// {} {}: {rejection}\n", report.operator, report.target),
    };
    for candidate in &report.candidates {
        let verdict = candidate.rejected.as_deref().unwrap_or("possible");
        out += &format!("//   {:?}, degree {}: {verdict}\n", candidate.vector, candidate.depth);
    }
    out
}

/// A reduction into `B`, with loops, strides, guards and other statements that depend on the seed.
fn random_reduction(seed: u64) -> String {
    let random = &mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed);
    let two_results = random.below(3) == 0;
    let two_values = random.below(3) == 0;
    let outer = if two_results { vec!["i", "j"] } else { vec!["i"] };
    let inner = if two_values && !two_results { vec!["a", "b"] } else { vec!["a"] };
    let range = |random: &mut Random, known: &[&str]| {
        let last = known.last().copied().unwrap_or("n");
        let step = random.pick(&["", "", "", "2 : ", "3 : "]);
        match random.below(7) {
            0 => format!("0 : {step}n"),
            1 => format!("0 : {step}m"),
            2 if !known.is_empty() => format!("0 : {step}{last} + 1"),
            3 if !known.is_empty() => format!("{last} : {step}n"),
            4 if !known.is_empty() => format!("{last} : {step}{last} + m"),
            5 if !known.is_empty() => format!("{} : {step}n", known[0]),
            6 if !known.is_empty() => format!("0 : {step}n - {last}"),
            _ => format!("1 : {step}n"),
        }
    };
    let mut ranges = Vec::new();
    let mut known: Vec<&str> = Vec::new();
    for name in outer.iter().chain(&inner) {
        ranges.push((*name, range(random, &known)));
        known.push(name);
    }
    let target = match (two_results, random.below(5)) {
        (false, 0) => "2 * i".into(),
        (false, 1) => "i + 3".into(),
        (false, _) => "i".to_string(),
        (true, 0) => "j, i".into(),
        (true, 1) => "i + j".into(),
        (true, _) => "i, j".into(),
    };
    let rank = target.matches(',').count() + 1;
    let subscript = |random: &mut Random| {
        let mut terms = vec!["20".to_string()];
        for name in known.iter().rev() {
            match random.below(if inner.contains(name) { 3 } else { 5 }) {
                0 | 1 if inner.contains(name) => terms.push(name.to_string()),
                0 => terms.push(name.to_string()),
                1 => terms.push(format!("-1 * {name}")),
                _ => {}
            }
        }
        terms.join(" + ")
    };
    let read = format!(
        "A[{}, {}]",
        subscript(random),
        if random.below(2) == 0 { "3".into() } else { subscript(random) }
    );
    let value = match random.below(6) {
        0 => format!("{read} * {}", known[random.below(known.len() as u64) as usize]),
        1 => format!("{read} * 3"),
        _ => read,
    };
    let store = match random.below(8) {
        0 => format!("B[{target}] = max(B[{target}], {value})"),
        1 => format!("B[{target}] -= {value}"),
        2 => format!("B[{target}] ^= {value}"),
        3 => format!("B[{target}] |= {value}"),
        4 => format!("if {value} < B[{target}] {{ B[{target}] = {value} }}"),
        _ => format!("B[{target}] += {value}"),
    };
    let guarded = match random.below(6) {
        0 => format!("if {} + a < n {{ {store} }}", outer[0]),
        1 => format!("if a % 2 == 0 {{ {store} }}"),
        _ => store,
    };
    let begin = match random.below(5) {
        0 => String::new(),
        1 => format!("B[{target}] = 7"),
        _ => format!("B[{target}] = 0"),
    };
    let after = match random.below(6) {
        0 => format!("A[21 + i, 3] = B[{target}] % 5"),
        1 => format!("C[i] = B[{target}]"),
        2 => "C[i] = 1".into(),
        _ => String::new(),
    };
    let nested = |names: &[&str], body: String| {
        let of = |name: &str| &ranges.iter().find(|(other, _)| *other == name).unwrap().1;
        names
            .iter()
            .rev()
            .fold(body, |body, name| format!("for {name}: i64 in range({}) {{ {body} }}", of(name)))
    };
    let combining = nested(&inner, guarded);
    let body = format!("{begin} {combining} {after}");
    let extents = ["40"; 2][..rank].join(" x ");
    format!(
        "func @Random(n: index, m: index, A: memref<60 x 60 x i64>, B: memref<{extents} x i64>, C: memref<40 x i64>) {{ {} }}",
        nested(&outer, body)
    )
}

#[test]
fn random_reductions_compute_the_same() {
    let number = env::var("SIMPLIFIED").ok().and_then(|number| number.parse().ok()).unwrap_or(300);
    let (mut changed, mut rejected) = (0, 0);
    for seed in 0..number {
        let source = random_reduction(seed);
        let original = region(&source);
        let quick = simplified(&original, |_| {});
        for report in &quick.reductions {
            assert!(report.outcome.as_ref().err().is_none_or(|rejection| !rejection.reason.is_empty()));
            assert!(
                report.outcome.is_err()
                    || report.candidates.iter().any(|candidate| candidate.rejected.is_none())
            );
            rejected += report.candidates.iter().filter(|candidate| candidate.rejected.is_some()).count();
        }
        for (n, m) in [(0, 3), (1, 1), (2, 4), (4, 2), (6, 3), (7, 6)] {
            compared(&original, &quick.region, &[("n", n), ("m", m)], seed);
        }
        changed += usize::from(quick.is_changed());
        if seed % 5 == 0 {
            let thorough = simplified(&original, |setting| setting.search = Search::Exhaustive);
            compared(&original, &thorough.region, &[("n", 6), ("m", 4)], seed);
            for (quick, thorough) in quick.reductions.iter().zip(&thorough.reductions) {
                if matches!(quick.operator.name(), "+" | "^") {
                    assert_eq!(
                        quick.outcome, thorough.outcome,
                        "seed {seed}: {source}\n{quick:?}\n{thorough:?}"
                    );
                }
            }
        }
    }
    println!("{changed} of {number} simplified, {rejected} vectors rejected");
    assert!(changed * 6 > number as usize && rejected > 0, "{changed} of {number}, {rejected}");
}
