//! Files with parallel loops: `examples/loops` as `--target cpu` writes them, compiled by clang and gcc, print with any
//! number of threads what the original prints; so do sizes below the least work.

#[path = "common/programs.rs"]
mod programs;

use std::{fs, path::Path, process::Command};

use loop_compiler::{
    Options, c,
    parallelize::{CPU, GPU, Machine, Original, parallelize},
    report::FloatOrder,
    rewrite,
};
use programs::{Folder, compiled, printed};

/// The file with parallel loops, and how many loops were chosen.
fn transformed(file: &Path, order: FloatOrder) -> (Vec<u8>, usize) {
    transformed_for(file, order, &CPU)
}

fn transformed_for(file: &Path, order: FloatOrder, machine: &Machine) -> (Vec<u8>, usize) {
    let input =
        c::Input { clang: Path::new("clang-22"), file, arguments: &[], auto: false, assume_distinct: false };
    let source = c::read(&input).unwrap();
    let mut chosen = 0;
    let text = rewrite::rewritten(&source, |region| {
        let tree = region.tree.as_ref().unwrap();
        let made = parallelize(tree, order, machine, &Options::default())
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        chosen += made.alternatives.iter().filter(|alternative| alternative.chosen).count();
        made.text(&Original::from(tree))
    });
    (text, chosen)
}

/// Each example, whether it is parallel without an order of floats, and small sizes.
const EXAMPLES: [(&str, bool); 7] = [
    ("column_sums", true),
    ("bicg", false),
    ("histogram", true),
    ("argmax", true),
    ("covariance", true),
    ("forest", true),
    ("prefix_sums", true),
];

fn check(name: &str, file: &Path, folder: &Folder) {
    let original = compiled("clang-22", &["-O1"], file);
    let expected: Vec<_> = [&[][..], &["3", "2"]].map(|sizes| printed(&original, "1", sizes)).into();
    for order in [FloatOrder::Kept, FloatOrder::Free, FloatOrder::Fixed] {
        let (text, chosen) = transformed(file, order);
        let kept = EXAMPLES.iter().any(|(example, kept)| *example == name && *kept);
        assert_eq!(chosen > 0, kept || order != FloatOrder::Kept, "{name} {order:?}: {chosen} loops");
        let source = folder.0.join(format!("{name}_{order:?}.c"));
        fs::write(&source, &text).unwrap();
        for (compiler, options) in [
            (
                "clang-22",
                &[
                    "-O1",
                    "-fopenmp",
                    "-Wall",
                    "-Werror",
                    "-Wno-unused-variable",
                    "-Wno-unknown-pragmas",
                    "-Wno-pass-failed",
                    "-fsanitize=undefined",
                ][..],
            ),
            ("gcc", &["-O1", "-fopenmp", "-Wall", "-Werror", "-Wno-unused-variable", "-Wno-unknown-pragmas"]),
        ] {
            let program = compiled(compiler, options, &source);
            for threads in ["1", "2", "7"] {
                for (sizes, expected) in [&[][..], &["3", "2"]].iter().zip(&expected) {
                    let found = printed(&program, threads, sizes);
                    assert_eq!(found, *expected, "{name} {order:?} by {compiler} with {threads} threads");
                }
            }
        }
        // Without OpenMP the directives mean nothing.
        let program = compiled("gcc", &["-O1"], &source);
        assert_eq!(printed(&program, "1", &[]), expected[0], "{name} {order:?} without OpenMP");
    }
}

#[test]
fn examples_print_the_same_with_any_number_of_threads() {
    let folder = Folder::new("parallelized");
    for (name, _) in EXAMPLES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../examples/loops/{name}.c"));
        let file = folder.0.join(format!("{name}.c"));
        fs::copy(path, &file).unwrap();
        check(name, &file, &folder);
    }
}

/// Sums of floats that round differently in another order: with `--order fixed` all threads give the same bits.
#[test]
fn a_fixed_order_has_the_same_bits_with_any_number_of_threads() {
    let folder = Folder::new("fixed");
    let file = folder.0.join("sum.c");
    let text = r#"
#include <stdio.h>
static double x[300000], s, p = 1, column[2];
int main(void) {
  for (int i = 0; i < 300000; i++) x[i] = 1.0 / (i + 1);
#pragma scop
  for (int i = 0; i < 300000; i++) {
    s += x[i];
    p *= 1 + x[i] / 1000;
    column[i % 2] += x[i];
  }
#pragma endscop
  printf("%a %a %a %a\n", s, p, column[0], column[1]);
}
"#;
    fs::write(&file, text).unwrap();
    let (text, chosen) = transformed(&file, FloatOrder::Fixed);
    assert_eq!(chosen, 1);
    let source = folder.0.join("fixed.c");
    fs::write(&source, text).unwrap();
    let mut results = Vec::new();
    for compiler in ["clang-22", "gcc"] {
        let program = compiled(compiler, &["-O2", "-fopenmp", "-ffp-contract=off"], &source);
        results.extend(["1", "2", "3", "7", "64"].map(|threads| printed(&program, threads, &[])));
    }
    results.dedup();
    assert_eq!(results.len(), 1, "{results:?}");
    let original = compiled("clang-22", &["-O1", "-ffp-contract=off"], &file);
    assert_ne!(results[0], printed(&original, "1", &[]), "the order is another one");
}

/// Copies of a row that each iteration sets are counted where a fixed order decides whether they are worth it.
#[test]
fn rows_in_a_fixed_order_have_to_be_worth_their_copies() {
    let folder = Folder::new("rows");
    let file = folder.0.join("rows.c");
    let text = "double rows(int n, double a[restrict n][1000]) {\n  double s = 0, t[1000];\n#pragma scop\n\
                for (int i = 0; i < n; i++) {\n  for (int j = 0; j < 1000; j++) t[j] = 2 * a[i][j];\n\
                for (int j = 0; j < 1000; j++) s += t[j] * t[999 - j];\n}\n#pragma endscop\n  return s;\n}\n";
    fs::write(&file, text).unwrap();
    let (text, chosen) = transformed(&file, FloatOrder::Fixed);
    let text = String::from_utf8(text).unwrap();
    assert_eq!(chosen, 1, "{text}");
    let guard =
        text.lines().find(|line| line.contains("int is_parallel")).unwrap_or_else(|| panic!("{text}"));
    assert!(guard.contains("(double) i_columns * 1000.0 * 4.0"), "{guard}");
}

/// Arrays that overlap take the original loops.
#[test]
fn arrays_that_overlap_are_found_at_run_time() {
    let folder = Folder::new("overlap");
    let file = folder.0.join("overlap.c");
    let text = r#"
#include <stdio.h>
__attribute__((noinline)) static void twice(int n, const int *a, int *b) {
#pragma scop
  for (int i = 0; i < n; i++)
    b[i] = a[i] + 1;
#pragma endscop
}
static int x[400001], y[400000];
int main(void) {
  twice(400000, x, x + 1);
  twice(400000, x, y);
  printf("%d %d %d\n", x[400000], y[0], y[399999]);
}
"#;
    fs::write(&file, text).unwrap();
    let (text, chosen) = transformed(&file, FloatOrder::Kept);
    assert_eq!(chosen, 1);
    let source = folder.0.join("checked.c");
    fs::write(&source, text).unwrap();
    let program = compiled("clang-22", &["-O1", "-fopenmp"], &source);
    for threads in ["1", "4"] {
        assert_eq!(printed(&program, threads, &[]), "400000 1 400000\n");
    }
}

/// A program around a function of [`innermost_loops_are_made_fast`], which prints a sum of all bits that it leaves. The values
/// are small integers, whose sums are the same in every order.
const AROUND: &str = "
#include <stdio.h>
#include <stdlib.h>
void f(int n, int m, double a[restrict n][m], double *restrict q, int *restrict k, double *restrict h);
int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]), length = n + m + 200;
  double (*a)[m] = malloc((n + 1) * sizeof *a), *q = malloc(length * sizeof *q), *h = malloc(length * sizeof *h);
  int *k = malloc(length * sizeof *k);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = (i * 31 + j * 17) % 11 - 5;
  for (int i = 0; i < length; i++)
    q[i] = i % 13 - 6, h[i] = i % 7 - 3, k[i] = i * 5 % (m + 1);
  f(n, m, a, q, k, h);
  unsigned long sum = 0;
  unsigned char *bytes[] = {(void *)a, (void *)q, (void *)k, (void *)h};
  size_t sizes[] = {n * sizeof *a, length * sizeof *q, length * sizeof *k, length * sizeof *h};
  for (int part = 0; part < 4; part++)
    for (size_t at = 0; at < sizes[part]; at++)
      sum = sum * 1099511628211u + bytes[part][at];
  printf(\"%lx\\n\", sum);
}
";

/// What clang and gcc do not do by themselves in a parallel loop: vectorize what lanes may do, and keep in a register what
/// an innermost loop updates. What is made computes what was written.
#[test]
fn innermost_loops_are_made_fast() {
    let folder = Folder::new("innermost");
    fs::write(folder.0.join("around.c"), AROUND).unwrap();
    let around = folder.0.join("around.c");
    let program = |file: &Path, options: &[&str]| {
        let with = ["-include", around.to_str().unwrap()];
        compiled("clang-22", &[options, &["-w", "-ffp-contract=off"], &with].concat(), file)
    };
    // How often clang makes vectors, of loops or of statements.
    let vectorized = |name: &str| {
        let output = Command::new("clang-22")
            .args(["-O3", "-mavx2", "-fopenmp", "-w", "-Rpass=vectorize", "-c", "-o", "/dev/null"])
            .arg(folder.0.join(format!("{name}.c")))
            .output()
            .unwrap();
        assert!(output.status.success(), "{name}: {output:?}");
        String::from_utf8_lossy(&output.stderr).matches(": remark: ").count()
    };
    let made = |name: &str, order: FloatOrder, body: &str| {
        let file = folder.0.join(format!("{name}.c"));
        let text = format!(
            "#include <math.h>\nvoid f(int n, int m, double a[restrict n][m], double *restrict q, int *restrict k, \
             double *restrict h) {{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
        );
        fs::write(&file, text).unwrap();
        let (text, _) = transformed(&file, order);
        let made = folder.0.join(format!("{name}_made.c"));
        fs::write(&made, &text).unwrap();
        for compiler in ["clang-22", "gcc"] {
            compiled(
                compiler,
                &["-O3", "-fopenmp", "-shared", "-fPIC", "-Wall", "-Werror", "-Wno-unknown-pragmas"],
                &made,
            );
        }
        let (original, parallel) = (program(&file, &["-O1"]), program(&made, &["-O2", "-fopenmp"]));
        for sizes in [["0", "5"], ["1", "1"], ["67", "131"], ["300", "97"]] {
            let expected = printed(&original, "1", &sizes);
            for threads in ["1", "3"] {
                assert_eq!(
                    printed(&parallel, threads, &sizes),
                    expected,
                    "{name} {sizes:?} {threads} threads"
                );
            }
        }
        String::from_utf8(text).unwrap()
    };
    let rows = "for (int i = 0; i < n; i++)\n for (int j = 0; j < m; j++)\n  q[i] += a[i][j];";
    let text = made("rows", FloatOrder::Free, rows);
    assert!(text.contains("#pragma omp parallel for firstprivate(n, m, q, a)\n"), "{text}");
    assert!(text.contains("#pragma omp simd reduction(+: q_in_lanes)\n"), "{text}");
    assert_eq!(vectorized("rows"), 0, "it would not need to be made fast");
    assert!(vectorized("rows_made") > 0, "{text}");
    // In the order of the source each row has a register, or a lane.
    let text = made("rows_in_order", FloatOrder::Kept, rows);
    assert!(text.contains("q_of_rows[row] += a_tile[row][column];"), "{text}");
    assert!(text.contains("double q_value = q[i];") && text.contains("q_value += a[i][j];"), "{text}");
    assert!(text.contains("if (0 < m) {") && !text.contains("simd reduction"), "{text}");
    assert!(vectorized("rows_in_order_made") > 0, "{text}");
    // One directive for threads and lanes.
    let alone = "for (int i = 0; i < n; i++)\n q[i] = 2 * h[i] + 1;";
    let text = made("alone", FloatOrder::Kept, alone);
    assert!(text.contains("#pragma omp parallel for simd firstprivate(n, h, q)\n"), "{text}");
    // Columns in lanes: neighbours are in one line of a cache, and each sum keeps its order.
    let columns = "for (int j = 0; j < m; j++)\n for (int i = 0; i < n; i++)\n  q[j] += a[i][j];";
    for order in [FloatOrder::Kept, FloatOrder::Free, FloatOrder::Fixed] {
        let text = made("columns", order, columns);
        assert!(text.contains("q_of_rows[row] += a[i_of_tile + column][j_of_row_0 + row];"), "{text}");
        assert!(text.contains("omp parallel for") && !text.contains("tile[row]"), "{text}");
        assert!(vectorized("columns_made") > 0, "{text}");
    }
    assert_eq!(vectorized("columns"), 0, "it would not need to be made fast");
    // Functions that are no instructions, and few iterations.
    let calls = "for (int i = 0; i < n; i++)\n for (int j = 0; j < m; j++)\n  a[i][j] = exp(a[i][j]);";
    let few = "for (int i = 0; i < n; i++)\n for (int j = 0; j < 4; j++)\n  q[i] += a[i][j];";
    let band = "for (int i = 0; i < n; i++)\n for (int j = 0 > i - 2 ? 0 : i - 2; j < (n < i + 3 ? n : i + 3); j++)\n  q[i] \
                += a[i][j];";
    let two_bounds =
        "for (int i = 0; i < n; i++)\n for (int j = 0; j < i * i && j < m; j++)\n  a[i][j] += q[j];";
    let all = [("calls", calls), ("few", few), ("band", band), ("two_bounds", two_bounds)];
    for (name, body) in all {
        let text = made(name, FloatOrder::Free, body);
        assert!(text.contains("omp parallel for") && !text.contains("simd"), "{text}");
    }
    // clang would unroll what is short, and make no vectors of it.
    let short = |name: &str, count: u32, statement: &str, order: FloatOrder| {
        let body = format!("for (int i = 0; i < n; i++)\n for (int j = 0; j < {count}; j++)\n  {statement}");
        made(name, order, &body).lines().map(str::trim_start).collect::<Vec<_>>().join("\n")
    };
    let hint = "\n#pragma clang loop unroll(disable)\n";
    for (count, lanes) in [(8, None), (9, Some(4)), (63, Some(4)), (64, Some(8)), (96, Some(8)), (97, None)] {
        let text = short("short", count, "q[i] += a[i][j];", FloatOrder::Free);
        let expected =
            lanes.map(|lanes| format!(" simdlen({lanes}) reduction(+: q_in_lanes)\n#ifdef __clang__{hint}"));
        match expected {
            Some(expected) => assert!(text.contains(&expected), "{text}"),
            None => assert!(!text.contains("simdlen") && !text.contains(hint), "{text}"),
        }
        let text = short("integers", count, "k[i] += k[j + n];", FloatOrder::Kept);
        assert_eq!(text.contains(&format!("__AVX512F__{hint}")), lanes.is_some(), "{text}");
        assert!(!short("in_order", count, "q[i] += a[i][j];", FloatOrder::Kept).contains(hint), "{count}");
    }
    // What a loop that stores elsewhere reads in each iteration, and its bounds, are read once.
    let outer =
        "for (int i = 0; i < n; i++)\n for (int j = k[i]; j < k[i + 1]; j++)\n  a[i][j] += q[i] * h[j];";
    let text = made("outer", FloatOrder::Kept, outer);
    assert!(text.contains("int k_value = k[i + 1];") && text.contains("j < k_value;"), "{text}");
    assert!(text.contains("double q_value = q[i];") && text.contains("+= q_value * h[j];"), "{text}");
    let pairs =
        "for (int i = 0; i < n; i++)\n for (int j = 0; j < m; j++)\n  if (k[i] && k[j]) a[i][j] += 1;";
    let text = made("pairs", FloatOrder::Kept, pairs);
    assert!(text.contains("int k_value = k[i];") && text.contains("if (k_value && k[j])"), "{text}");
    let triangle = "for (int i = 0; i < n; i++)\n for (int j = i; j < m; j++)\n  a[i][j] += q[i];";
    let text = made("triangle", FloatOrder::Kept, triangle);
    assert!(text.contains("schedule(guided)") && text.contains("double q_value = q[i];"), "{text}");
    // Where each worker has copies of scalars, too, it gets several parts of a triangle, but one of a rectangle.
    for (from, parts, schedule) in [("i", "workers * 8", true), ("0", "workers", false)] {
        let search = format!(
            "for (int i = 0; i < n; i++)\n for (int j = {from}; j < m; j++)\n  if (a[i][j] < q[0]) q[0] = a[i][j];"
        );
        let text = made(&format!("search_{from}"), FloatOrder::Kept, &search);
        assert!(text.contains(&format!("i_trips < {parts} ? i_trips : {parts};")), "{text}");
        assert_eq!(text.contains("schedule(dynamic)"), schedule, "{text}");
    }
    // What not every iteration accesses may be another thread's, or nowhere.
    let guarded =
        "for (int i = 0; i < n; i++)\n for (int j = 0; j < m; j++)\n  if (a[i][j] > 0) q[i] += a[i][j];";
    let text = made("guarded", FloatOrder::Kept, guarded);
    assert!(text.contains("omp parallel for") && !text.contains("_value"), "{text}");
    let stopped = "for (int i = 0; i < n; i++)\n for (int j = 0; j < m; j++) {\n  if (a[i][j] > 0) break;\n  q[i] += \
                   1;\n }";
    let text = made("stopped", FloatOrder::Kept, stopped);
    assert!(!text.contains("_value"), "{text}");
    // A search whose comparison is strict needs no flags.
    let search = |operator: &str| {
        format!(
            "for (int i = 0; i < n; i++)\n if (h[i] {operator} q[0]) {{\n  q[0] = h[i];\n  k[0] = i;\n }}"
        )
    };
    let text = made("strict", FloatOrder::Kept, &search("<"));
    assert!(text.contains("omp parallel for") && !text.contains("is_set"), "{text}");
    assert!(text.contains("double q_of_lanes[16];") || text.contains("_of_lanes["), "{text}");
    let text = made("last", FloatOrder::Kept, &search("<="));
    assert!(text.contains("omp parallel for") && text.contains("is_set"), "{text}");
    // The last iteration that stores says what it stores.
    let last = "for (int i = 0; i < n; i++)\n if (h[i] > 0) {\n  k[0] = i;\n  q[0] = h[i];\n }";
    let text = made("last_iteration", FloatOrder::Kept, last);
    assert!(text.contains("q[0] = h[") && text.contains("q_found_last = q_found_of["), "{text}");
    assert!(text.contains("omp parallel for") && !text.contains("is_set"), "{text}");
    // Who leaves a loop early may do so at once.
    let leaves = "for (int i = 0; i < n; i++)\n if (h[i] > 0) {\n  k[0] = i;\n  break;\n }";
    assert!(!made("leaves", FloatOrder::Kept, leaves).contains("omp"));
    // Where only atomic updates would be right, the loops stay in order.
    let scattered = "for (int i = 0; i < n; i++)\n h[k[i]] += q[i];";
    assert!(!made("scattered", FloatOrder::Free, scattered).contains("omp"));
}

/// Where a loop inside gains next to nothing, those beside it on its array stay in order.
#[test]
fn loops_beside_one_that_gains_little_stay_in_order() {
    let folder = Folder::new("little");
    let chosen = |body: &str| {
        let file = folder.0.join("little.c");
        let text = format!(
            "void f(int n, int m, double x[restrict n][m], double c[restrict n][m], const int *restrict label) {{\n\
             #pragma scop\n{body}\n#pragma endscop\n}}\n"
        );
        fs::write(&file, text).unwrap();
        transformed(&file, FloatOrder::Kept).1
    };
    let all =
        |statement: &str| format!("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {statement}\n");
    let (zero, divide) = (all("c[i][j] = 0;"), all("c[i][j] /= 2;"));
    assert_eq!(chosen(&format!("{zero}{divide}")), 2);
    assert_eq!(chosen(&format!("{zero}{}{divide}", all("c[label[i]][j] += x[i][j];"))), 1);
}

/// Columns in lanes, with results in scalars and stores that are far apart, have the bits of the source in any order, for
/// numbers of columns that lanes do not divide.
#[test]
fn columns_in_lanes_have_the_bits_of_the_source() {
    let folder = Folder::new("columns");
    let file = folder.0.join("columns.c");
    let text = r#"#include <stdio.h>
#include <stdlib.h>
static double pairs(int n, int m, double x[restrict n][m], double c[restrict m][m]) {
  double dot = -1;
#pragma scop
  for (int j = 0; j < m; j++)
    for (int k = j; k < m; k++) {
      dot = 0;
      for (int i = 0; i < n; i++)
        dot += x[i][j] * x[i][k];
      c[j][k] = dot;
      c[k][j] = c[j][k] + k;
    }
#pragma endscop
  return dot;
}
static void products(int n, int m, double x[restrict n][m], double c[restrict m][m], double d[restrict n][m]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double dot = d[i][j] * 0.5;
      for (int k = 0; k < m; k++)
        dot += x[i][k] * c[k][j];
      d[i][j] = dot;
    }
#pragma endscop
}
static void least(int n, int m, short a[restrict n][m], short low[restrict m]) {
#pragma scop
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      low[j] = a[i][j] < low[j] ? a[i][j] : low[j];
#pragma endscop
}
static void arrays_of_rows(int n, int m, double x[restrict n][m], double e[restrict m][m]) {
#pragma scop
  for (int k = 0; k < m; k++) {
    double pair[2];
    for (int j = 0; j < m; j++) {
      pair[0] = j + k;
      for (int i = 0; i < n; i++)
        pair[0] += x[i][j];
      e[k][j] = pair[0];
    }
  }
#pragma endscop
}
int main(int argc, char **argv) {
  int n = argc > 2 ? atoi(argv[1]) : 1201, m = argc > 2 ? atoi(argv[2]) : 103;
  double (*e)[m] = malloc(m * sizeof *e + 1);
  double (*x)[m] = malloc(n * sizeof *x + 1), (*c)[m] = malloc(m * sizeof *c + 1), (*d)[m] = malloc(n * sizeof *d + 1);
  short (*a)[m] = malloc(n * sizeof *a + 1), *low = calloc(m + 1, sizeof *low);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      x[i][j] = (i * 17 + j * j * 3) % 100 / 7.0, d[i][j] = i - j;
      a[i][j] = (i * 31 + j * 7) % 211 - 100;
    }
  double last = pairs(n, m, x, c);
  products(n, m, x, c, d);
  least(n, m, a, low);
  arrays_of_rows(n, m, x, e);
  printf("%a\n", last);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%a %a %a %d\n", d[i][j], c[j][i % m], e[i % m][j], low[j]);
  return 0;
}
"#;
    fs::write(&file, text).unwrap();
    let original = compiled("clang-22", &["-O1", "-ffp-contract=off"], &file);
    for order in [FloatOrder::Kept, FloatOrder::Free, FloatOrder::Fixed] {
        let (text, chosen) = transformed(&file, order);
        assert!(chosen >= 4, "{order:?}: {chosen}");
        let made = String::from_utf8_lossy(&text);
        for lanes in
            ["dot_own_of_rows[row", "dot_of_rows[row", "low_of_rows[row", "dot_own = dot_own_of_rows[7"]
        {
            assert!(made.contains(lanes), "{order:?}: {lanes}\n{made}");
        }
        // What rows store into one array is no row's own.
        assert!(!made.contains("pair_of_rows"), "{order:?}\n{made}");
        let source = folder.0.join(format!("columns_{order:?}.c"));
        fs::write(&source, &text).unwrap();
        for (compiler, level) in [("clang-22", "-O0"), ("clang-22", "-O3"), ("gcc", "-O3")] {
            let program = compiled(compiler, &[level, "-fopenmp", "-w", "-ffp-contract=off"], &source);
            for (threads, sizes) in
                [("1", None), ("3", None), ("3", Some(["2500", "41"])), ("2", Some(["7", "0"]))]
            {
                let sizes = sizes.as_ref().map_or(&[][..], |sizes| &sizes[..]);
                let expected = printed(&original, "1", sizes);
                assert!(
                    printed(&program, threads, sizes) == expected,
                    "{order:?} {compiler} {level} {threads} {sizes:?}"
                );
            }
        }
    }
}

/// What clang and gcc compute without executing the loop stays as it is; what only looks so does not.
#[test]
fn loops_that_only_count_stay_in_order() {
    let folder = Folder::new("counting");
    let chosen = |body: &str| {
        let file = folder.0.join("counting.c");
        let text = format!(
            "void f(int n, int m, int *restrict k, double *restrict h, int *count, double *sum) {{\n int c = 0; double s = 0;\n\
             #pragma scop\n{body}\n#pragma endscop\n *count = c; *sum = s;\n}}\n"
        );
        fs::write(&file, text).unwrap();
        transformed(&file, FloatOrder::Free).1
    };
    let looped = |body: &str| format!("for (int i = 0; i < n; i++) {body}");
    for counting in [
        "c++;",
        "c += 2 * i - m;",
        "s = m * 0.5;",
        "c = i * i;",
        "s = h[i] * 2;",
        "for (int j = 0; j < m; j++) c -= j;",
    ] {
        assert_eq!(chosen(&looped(counting)), 0, "{counting}");
    }
    for computing in [
        "s += 1.0 / (1 + i);",
        "c ^= i * 7;",
        "c += k[i];",
        "c += i % 3;",
        "h[i] = i;",
        "if (i > m) c++;",
        "c = c * i;",
    ] {
        assert_eq!(chosen(&looped(computing)), 1, "{computing}");
    }
}

/// Of a region with parallel loops in others, or with several, the text is the original where none of them has enough work.
#[test]
fn a_region_is_tested_for_the_work_of_its_loops() {
    let folder = Folder::new("tested");
    let made = |body: &str| {
        let file = folder.0.join("tested.c");
        let text = format!(
            "void f(int t, int n, int m, double a[restrict n][m], double *restrict h) {{\n int s;\n#pragma \
             scop\n{body}\n#pragma endscop\n}}\n"
        );
        fs::write(&file, text).unwrap();
        let text = String::from_utf8(transformed(&file, FloatOrder::Kept).0).unwrap();
        let start = text.find("  if (").unwrap_or_else(|| panic!("{text}"));
        (text[start..].lines().next().unwrap().to_owned(), text)
    };
    // The work of a step, and the iterator of the steps in each thread.
    let (test, text) = made(
        "for (s = 0; s < t; s++)\n for (int i = 0; i < n; i++)\n  for (int j = 0; j < m; j++)\n   a[i][j] = a[i][j] * h[s];",
    );
    assert!(!test.contains(" t ") && test.contains(" n ") && test.ends_with(">= 100000.0)) {"), "{test}");
    assert!(
        text.contains("firstprivate(s, n, m, a, h)") || text.contains("firstprivate(n, m, a, s, h)"),
        "{text}"
    );
    assert_eq!(text.matches(">= 100000").count(), 1, "{text}");
    // The work of either loop.
    let (test, text) = made(
        "for (int i = 0; i < n; i++)\n h[i] = i;\nfor (int i = 0; i < n; i++)\n for (int j = 0; j < m; j++)\n  a[i][j] = h[i];",
    );
    assert!(test.contains(" || "), "{test}");
    assert_eq!(text.matches(">= 100000").count(), 4, "{text}");
    // A triangle's rows have the work of the whole alone.
    let (test, _) = made(
        "for (s = 0; s < t; s++)\n for (int i = 0; i < n - s; i++)\n  for (int j = 0; j < m; j++)\n   a[i][j] = a[i][j] * h[s];",
    );
    assert!(test.contains(" t "), "{test}");
}

/// Sums of columns on a device: of integers, and of floats in any order, several threads have a column; otherwise one has it,
/// and so it is where neighbouring threads would read distant elements, and where there are results enough.
#[test]
fn results_have_several_threads_on_a_device() {
    let folder = Folder::new("parts");
    let made = |ty: &str, order: FloatOrder, body: &str| {
        let file = folder.0.join("parts.c");
        let text = format!(
            "void f(int n, int m, {ty} a[restrict n][m], {ty} *restrict s, {ty} *restrict q) {{\n#pragma scop\n{body}\n\
             #pragma endscop\n}}\n"
        );
        fs::write(&file, text).unwrap();
        String::from_utf8(transformed_for(&file, order, &GPU).0).unwrap()
    };
    let columns = "for (int i = 0; i < n; i++)\n for (int j = 0; j < m; j++)\n  s[j] += a[i][j];";
    let has_parts = |text: &str| {
        let once = text.lines().any(|line| line.trim() == "s[j] += s_part;");
        let both = text.contains("collapse(2)") && text.contains("part += 512") && once;
        assert_eq!(both, text.contains("part += 512"), "{text}");
        both
    };
    for (ty, order, is_divided) in [
        ("double", FloatOrder::Free, true),
        ("float", FloatOrder::Free, true),
        ("int", FloatOrder::Kept, true),
        ("double", FloatOrder::Kept, false),
        ("double", FloatOrder::Fixed, false),
    ] {
        let text = made(ty, order, columns);
        assert_eq!(has_parts(&text), is_divided, "{ty} {order:?}\n{text}");
    }
    // Products, with loops before and after them.
    let products = "for (int j = 0; j < m; j++)\n s[j] = 7;\nfor (int i = 0; i < n; i++)\n for (int j = 0; j < m; j++)\n  \
                    s[j] *= a[i][j] + q[i];\nfor (int j = 0; j < m; j++)\n q[j] = s[j];";
    let text = made("int", FloatOrder::Free, products);
    assert!(text.contains("int s_part = 1;") && text.contains("part += 512"), "{text}");
    // Both products of BiCG: threads divide the rows of one, and not those of the other.
    let both = "for (int i = 0; i < n; i++)\n for (int j = 0; j < m; j++) {\n  s[j] += a[i][j];\n  q[i] += a[i][j];\n }";
    let text = made("double", FloatOrder::Free, both);
    assert!(has_parts(&text), "{text}");
    let after = text.split_once("part += 512").map_or("", |(_, after)| after);
    let next = after.lines().nth(1).unwrap_or_default();
    assert!(
        next.trim().starts_with("for (int j = 0; j < m; j++)") && text.contains("lane < 32"),
        "{next}\n{text}"
    );
    let rows = "for (int i = 0; i < n; i++)\n for (int j = 0; j < m; j++)\n  s[i] += a[i][j];";
    assert!(!has_parts(&made("double", FloatOrder::Free, rows)));
    let pairs = "for (int i = 0; i < n; i++)\n for (int j = 0; j < m; j++)\n  for (int k = 0; k < n; k++)\n   a[i][j] += s[k] * q[j];";
    assert!(!made("double", FloatOrder::Free, pairs).contains("part += 512"));
}

/// The first of the least, or greatest, elements: of equal ones, with zeros of both signs, with values that are no numbers,
/// of short and long loops, with conditions, and with what is computed of the place.
#[test]
fn searches_in_lanes_find_what_the_loop_finds() {
    let searches = [
        ("least", "if (a[i] < v) { v = a[i]; at = i; }"),
        ("greatest", "if (v < a[i] && k[i] > 0) { v = a[i]; at = i; }"),
        ("magnitude", "{ double x = fabs(a[i] - 1); if (x > v) { at = 2 * i + k[i]; v = x; } }"),
        ("integer", "if (k[i] > w) { w = k[i]; at = i; }"),
        ("long", "if (k[i + 1] - k[i] < w) { w = k[i + 1] - k[i]; at = i; v = a[i]; }"),
    ];
    let mut text =
        String::from("#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n");
    let mut checks = String::new();
    for (name, body) in searches {
        let iterator = if name == "long" { "long" } else { "int" };
        for (form, before, after) in [("plain", "", ""), ("lanes", "#pragma scop", "#pragma endscop")] {
            text += &format!(
                "static void {form}_{name}(int n, const double *a, const int *k, double *v_, int *w_, long *at_) {{\n  \
                 double v = *v_;\n  int w = *w_;\n  long at = *at_;\n{before}\n  for ({iterator} i = 0; i < n; i++)\n    \
                 {body}\n{after}\n  *v_ = v, *w_ = w, *at_ = at;\n}}\n"
            );
        }
        checks += &format!("      CHECK({name});\n");
    }
    text += "#define CHECK(name) \\
  do { \\
    double v[2] = {begin, begin}; \\
    int w[2] = {kind - 2, kind - 2}; \\
    long at[2] = {-5, -5}; \\
    plain_##name(n, a, k, &v[0], &w[0], &at[0]), lanes_##name(n, a, k, &v[1], &w[1], &at[1]); \\
    if (memcmp(&v[0], &v[1], sizeof v[0]) || w[0] != w[1] || at[0] != at[1]) \\
      printf(\"%s of %d with %g: %a %d %ld, not %a %d %ld\\n\", #name, n, begin, v[1], w[1], at[1], v[0], w[0], at[0]); \\
  } while (0)
int main(void) {
  const int sizes[] = {0, 1, 2, 63, 64, 65, 127, 128, 129, 255, 300, 1000, 4099};
  for (int size = 0; size < 13; size++)
    for (int kind = 0; kind < 6; kind++) {
      int n = sizes[size];
      double *a = malloc((n + 1) * sizeof *a), begin = kind == 3 ? NAN : kind == 4 ? 0 : 20 - 10 * kind;
      int *k = malloc((n + 1) * sizeof *k);
      for (int i = 0; i <= n; i++) {
        a[i] = kind == 5 ? n - i : (i * 37 + kind * 11) % 29 - 14 + 0.5 * (kind == 2);
        if (kind == 1 && i % 5 < 3) a[i] = NAN;
        if (kind == 4) a[i] = i % 3 ? -0.0 : 0.0;
        k[i] = (i * 53 + kind) % 23 - 11;
      }
";
    text += &checks;
    text += "      free(a), free(k);\n    }\n  puts(\"done\");\n}\n";
    let folder = Folder::new("searches");
    let file = folder.0.join("searches.c");
    fs::write(&file, text).unwrap();
    // No loop is too short for threads.
    let machine = Machine { least_work: 0, fork: 1e-3, ..CPU.clone() };
    let (text, chosen) = transformed_for(&file, FloatOrder::Kept, &machine);
    assert_eq!(chosen, searches.len());
    let made = folder.0.join("made.c");
    fs::write(&made, &text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(text.matches("#pragma omp simd\n").count(), searches.len(), "{text}");
    for (compiler, options) in [
        ("clang-22", &["-O3", "-march=native", "-ffp-contract=off", "-fopenmp"][..]),
        ("clang-22", &["-O1", "-fopenmp", "-ffp-contract=off", "-fsanitize=address,undefined"]),
        ("gcc", &["-O2", "-fopenmp", "-ffp-contract=off"]),
    ] {
        let program = compiled(compiler, options, &made);
        for threads in ["2", "3"] {
            assert_eq!(printed(&program, threads, &[]), "done\n", "{compiler} {options:?}\n{text}");
        }
    }
}

/// Sums of rows in the order of the source, eight rows at a time: the bits of the loops, for all lengths.
#[test]
fn rows_in_lanes_have_the_bits_of_the_loops() {
    let nests = [
        ("sums", "for (int j = 0; j < m; j++)\n q[i] += a[i][j];"),
        ("products", "T s = 0.5;\n for (int j = 0; j < m; j++)\n s += a[i][j] * p[j];\n q[i] = s / 3;"),
        ("flat", "for (int j = 0; j < m; j++)\n q[i] -= flat[i * m + j] * flat[i * m + j];"),
        (
            "two",
            "T s = 0, t = p[0];\n for (int j = 0; j < m; j++) {\n  T x = a[i][j] - p[j];\n  s += x;\n  t += x * x;\n }\n \
                 q[i] = s + t;",
        ),
        ("columns", "for (int j = 0; j < m; j++)\n q[i] += c[j][i];"),
        ("middle", "q[i] = i;\n for (long j = 1; j < m; j++)\n q[i] = q[i] + k[j] * a[i][j - 1];"),
        (
            "after",
            "T s = 0, t = 0;\n for (int j = 0; j < m; j++)\n s += a[i][j];\n for (int j = 0; j < m; j++)\n t += (a[i][j] - s / \
                   m) * (a[i][j] - s / m);\n q[i] = t;",
        ),
    ];
    let mut text = String::from(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#ifndef T\n#define T double\n#endif\n",
    );
    let mut checks = String::new();
    for (name, body) in nests {
        for (form, before, after) in [("plain", "", ""), ("lanes", "#pragma scop", "#pragma endscop")] {
            text += &format!(
                "static void {form}_{name}(int n, int m, const T a[restrict n][m], const T c[restrict m][n], const T *restrict \
                 flat, const T *restrict p, const int *restrict k, T *restrict q) {{\n{before}\nfor (int i = 0; i < n; i++) \
                 {{\n {body}\n}}\n{after}\n}}\n"
            );
        }
        checks += &format!("    CHECK({name});\n");
    }
    text += "#define CHECK(name) \\
  do { \\
    for (int i = 0; i < n; i++) \\
      q[0][i] = q[1][i] = 1.0 / (i + 3); \\
    plain_##name(n, m, a, (const T (*)[n]) a, &a[0][0], p, k, q[0]); \\
    lanes_##name(n, m, a, (const T (*)[n]) a, &a[0][0], p, k, q[1]); \\
    if (memcmp(q[0], q[1], n * sizeof(T))) \\
      printf(\"%s differs for %d rows of %d\\n\", #name, n, m); \\
  } while (0)
static void all(int n, int m) {
  T (*a)[m ? m : 1] = malloc(n * m * sizeof(T) + 1), *p = malloc((m + 1) * sizeof *p), *q[2];
  int *k = malloc((m + 1) * sizeof *k);
  for (int w = 0; w < 2; w++)
    q[w] = malloc(n * sizeof *q[w]);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = (i * 37 + j * 11) % 251 / 7.0 - 9;
  for (int j = 0; j <= m; j++)
    p[j] = j % 13 / 3.0, k[j] = j % 5 - 2;
";
    text += &checks;
    text += "  free(a), free(p), free(k), free(q[0]), free(q[1]);
}
int main(void) {
  const int rows[] = {1, 7, 8, 9, 31, 32, 33, 40, 100, 384}, columns[] = {0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 500};
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 12; j++)
      all(rows[i], columns[j]);
  puts(\"done\");
}
";
    let folder = Folder::new("rows");
    let file = folder.0.join("rows.c");
    let machine = Machine { least_work: 0, fork: 1e-3, ..CPU.clone() };
    for (order, scalar) in [(FloatOrder::Kept, "double"), (FloatOrder::Fixed, "float")] {
        fs::write(&file, text.replace("TYPE", scalar)).unwrap();
        let (text, chosen) = transformed_for(&file, order, &machine);
        assert_eq!(chosen, nests.len());
        let made = folder.0.join("made.c");
        fs::write(&made, &text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text.matches("i_in_rows = ").count(), nests.len(), "{text}");
        for (compiler, options) in [
            ("clang-22", &["-O3", "-march=native", "-ffp-contract=off", "-fopenmp"][..]),
            ("clang-22", &["-O1", "-fopenmp", "-ffp-contract=off", "-fsanitize=address,undefined"]),
            ("gcc", &["-O2", "-fopenmp", "-ffp-contract=off"]),
        ] {
            let program = compiled(compiler, options, &made);
            for threads in ["1", "3"] {
                assert_eq!(printed(&program, threads, &[]), "done\n", "{compiler} {options:?}\n{text}");
            }
        }
    }
}
