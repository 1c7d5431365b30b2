//! `loop_compiler::check` finds what is planted: a copy that is left out, another value, a region that is not defined.

#[path = "common/programs.rs"]
mod programs;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    process::Command,
};

use loop_compiler::{
    Options, c,
    check::{Check, Made, Verdict},
    ir::Region,
    notation,
    privatize::{Choice, Copies, privatize},
    report::FloatOrder,
};
use programs::Folder;

/// As many as a check takes by itself: sizes that are 0 are among them.
const INPUTS: usize = 12;

const COLUMNS: &str = "func @columns(n: i64, m: i64, a: memref<n x m x f64>, sum: memref<m x f64>) {
  for i in range(0 : n) {
    for j in range(0 : m) {
      sum[j] += a[i, j]
    }
  }
}
";

/// A region, its loop 0 made parallel without the copies of some arrays, and its text.
fn made(text: &str, order: FloatOrder, omitted: &[&str]) -> (Region, Region, Option<usize>, String) {
    let original = notation::parse(text, "").unwrap().remove(0);
    let choice = Choice {
        loops: BTreeSet::from([0]),
        copies: Copies::Workers,
        atomic: BTreeSet::new(),
        order,
        least_work: None,
        is_tested: false,
        omitted: omitted.iter().map(|name| (*name).to_owned()).collect(),
    };
    let privatized = privatize(&original, &choice, &Options::default()).unwrap();
    let workers = privatized.workers.map(|id| format!("long {} = 5;\n", privatized.region.variable(id).name));
    let text = format!("{{\n{}{}}}\n", workers.unwrap_or_default(), c::print(&privatized.region, 2));
    (original, privatized.region, privatized.workers.map(|id| id.0), text)
}

/// The verdict on a region of C with a text in its place, in the order of the source.
fn verdict_on(name: &str, function: &str, text: &str) -> Verdict {
    let folder = Folder::new(name);
    let file = folder.0.join("source.c");
    std::fs::write(&file, function).unwrap();
    let clang = Path::new("clang-22");
    let input = c::Input { clang, file: &file, arguments: &[], auto: false, assume_distinct: false };
    let original = c::read(&input).unwrap().regions.remove(0).tree.unwrap();
    Check {
        original: &original,
        text: &c::print(&original, 2),
        made: Made { region: &original, workers: None, text, interleaved: false },
        before: "",
        order: FloatOrder::Kept,
        exact: true,
        sizes: &BTreeMap::new(),
        inputs: INPUTS,
        folder: &folder.0,
        reference: &|| Command::new("clang-22"),
        compiler: &|| Command::new("clang-22"),
        runs: &|program: &Path| vec![("alone".to_owned(), Command::new(program))],
    }
    .run()
}

/// The verdict on a region with the loop parallel; its text may be changed.
fn verdict(
    text: &str,
    order: FloatOrder,
    omitted: &[&str],
    interleaved: bool,
    change: &dyn Fn(String) -> String,
) -> Verdict {
    let (original, region, workers, printed) = made(text, order, omitted);
    let name = format!("checked-{:?}-{}-{interleaved}", order, omitted.join("-"));
    let folder = Folder::new(&format!("{name}-{:x}", change(printed.clone()).len()));
    let compiler = |options: &'static [&'static str]| {
        move || {
            let mut command = Command::new("clang-22");
            command.args(options);
            command
        }
    };
    let runs = |program: &Path| {
        let run = |threads: &str| {
            let mut command = Command::new(program);
            command.env("OMP_NUM_THREADS", threads);
            (format!("{threads} threads"), command)
        };
        vec![run("2"), run("7")]
    };
    Check {
        original: &original,
        text: &c::print(&original, 2),
        made: Made {
            region: &region,
            workers: workers.map(loop_compiler::ir::VariableId),
            text: &change(printed),
            interleaved,
        },
        before: "",
        order,
        exact: true,
        sizes: &BTreeMap::new(),
        inputs: INPUTS,
        folder: &folder.0,
        reference: &compiler(&["-O1"]),
        compiler: &compiler(&["-O1", "-fopenmp"]),
        runs: &runs,
    }
    .run()
}

fn same(text: String) -> String {
    text
}

#[test]
fn what_is_right_is_equal() {
    for order in [FloatOrder::Free, FloatOrder::Fixed] {
        let found = verdict(COLUMNS, order, &[], true, &same);
        assert_eq!(found, Verdict::Equal { inputs: INPUTS, seeds: 3 }, "{order:?}");
    }
}

/// Loads before all stores are right unless a pointer is just behind another.
#[test]
fn pointers_into_the_same_memory_are_tried() {
    let loops = "for (int i = 0; i < n; i++) a[i] = b[i] + 1;";
    let function = |qualifier: &str| {
        format!(
            "void f(int n, double *{qualifier} a, double *b) {{\n#pragma scop\n{loops}\n#pragma endscop\n}}\n"
        )
    };
    let backwards = "for (int i = n - 1; i >= 0; i--) a[i] = b[i] + 1;";
    let Verdict::Different(what) = verdict_on("overlapping", &function(""), backwards) else {
        panic!("not found")
    };
    assert!(what.contains(" and `a` 8 bytes behind `b`, alone: `"), "{what}");
    let equal = Verdict::Equal { inputs: INPUTS + 4, seeds: 0 };
    assert_eq!(verdict_on("overlapping_equal", &function(""), loops), equal);
    let equal = Verdict::Equal { inputs: INPUTS, seeds: 0 };
    assert_eq!(verdict_on("overlapping_restrict", &function("restrict"), backwards), equal);
}

/// A difference that overflows, and a comparison that a NaN makes false.
#[test]
fn extremes_of_types_are_tried() {
    for (name, kind, right, wrong) in [
        ("extreme_integers", "int", "if (a[i] > m[0]) m[0] = a[i];", "if (a[i] - m[0] > 0) m[0] = a[i];"),
        ("extreme_floats", "float", "m[i] = a[i] > 0 ? 1 : 2;", "m[i] = a[i] <= 0 ? 2 : 1;"),
        ("extreme_zeros", "double", "m[i] = 0 + a[i];", "m[i] = a[i];"),
    ] {
        let around = |body: &str| format!("for (int i = 0; i < n; i++) {{ {body} }}");
        let function = format!(
            "void f(int n, {kind} *restrict a, {kind} *restrict m) {{\n#pragma scop\n{}\n#pragma endscop\n}}\n",
            around(right)
        );
        let Verdict::Different(what) = verdict_on(name, &function, &around(wrong)) else { panic!("{name}") };
        assert!(what.contains(" and extreme values, alone: `m["), "{name}: {what}");
        assert_eq!(verdict_on(name, &function, &around(right)), Verdict::Equal { inputs: INPUTS, seeds: 0 });
    }
}

#[test]
fn a_copy_that_is_left_out_is_a_race_with_both_places() {
    let found = verdict(COLUMNS, FloatOrder::Free, &["sum"], true, &same);
    let Verdict::Different(what) = &found else { panic!("{found:?}") };
    assert!(what.starts_with("with m = 3, n = 3, 4:7: a race in the loop over `"), "{what}");
    assert!(what.contains("`sum`[") && what.matches("(line 4)").count() == 2, "{what}");
}

#[test]
fn another_value_differs_on_the_cpu_only() {
    // The identity of the copies is wrong in the text alone.
    let wrong = |text: String| text.replace("-0.0", "0.5");
    assert_ne!(wrong(made(COLUMNS, FloatOrder::Free, &[]).3), made(COLUMNS, FloatOrder::Free, &[]).3);
    let found = verdict(COLUMNS, FloatOrder::Free, &[], true, &wrong);
    let Verdict::Different(what) = &found else { panic!("{found:?}") };
    assert!(what.starts_with("with m = 3, n = 3, 2 threads: `sum["), "{what}");
    let rejected = |text: String| text.replace("sum", "sun");
    let found = verdict(COLUMNS, FloatOrder::Free, &[], true, &rejected);
    assert!(matches!(&found, Verdict::Different(what) if what.contains("it is not compiled: ")), "{found:?}");
}

#[test]
fn other_bits_with_another_number_of_threads_are_found() {
    let result = "sum[k] += sum_of[0l][0l][k];";
    let rounded = "sum[k] += sum_of[0l][0l][k] / omp_get_max_threads() * omp_get_max_threads();";
    let depends = |text: String| {
        assert!(text.contains(result), "{text}");
        format!("extern int omp_get_max_threads(void);\n{}", text.replace(result, rounded))
    };
    let found = verdict(COLUMNS, FloatOrder::Fixed, &[], true, &depends);
    let Verdict::Different(what) = &found else { panic!("{found:?}") };
    assert!(what.starts_with("with m = 130, n = 3, 7 threads: `sum["), "{what}");
    assert!(what.ends_with(" as with another number of threads"), "{what}");
}

#[test]
fn values_that_are_subscripts_are_inside() {
    let text = "func @histogram(n: i64, k: memref<n x i32>, w: memref<n x f64>, bin: memref<5 x f64>) {
  for i in range(0 : n) {
    bin[k[i]] += w[i]
  }
}
";
    assert_eq!(
        verdict(text, FloatOrder::Free, &[], true, &same),
        Verdict::Equal { inputs: INPUTS, seeds: 3 }
    );
}

/// With `m` = 0 the value is that of before.
#[test]
fn a_value_of_a_loop_without_iterations_is_not_kept() {
    let text = "func @last(n: i64, m: i64, a: memref<n x f64>, b: memref<n x f64>, t: memref<1 x f64>) {
  for i in range(0 : n) {
    b[i] = 0.0
    for j in range(0 : m) {
      t[0] = a[i]
      b[i] += t[0]
    }
  }
}
";
    assert_eq!(
        verdict(text, FloatOrder::Free, &[], true, &same),
        Verdict::Equal { inputs: INPUTS, seeds: 3 }
    );
}

#[test]
fn what_is_not_defined_is_not_checked() {
    let text = "func @outside(a: memref<4 x f64>, s: memref<1 x f64>) {
  for i in range(0 : 5) {
    s[0] += a[i]
  }
}
";
    let found = verdict(text, FloatOrder::Free, &[], true, &same);
    let Verdict::Unchecked(why) = &found else { panic!("{found:?}") };
    assert!(why.contains("`a`"), "{why}");
}
