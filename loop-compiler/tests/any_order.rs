//! Floats that may be combined in any order, in nests that are parallel and in nests that stay in order: in lanes, under
//! conditions, as minima, with elements of one array in scalars. Values are small integers, so that all orders give the same.

#[path = "common/programs.rs"]
mod programs;

use std::{fs, path::Path};

use loop_compiler::{
    Options, c,
    parallelize::{CPU, Machine, Original, parallelize},
    report::FloatOrder,
    rewrite,
};
use programs::{Folder, compiled, printed};

/// The regions of a file as they are made for a machine.
fn made(file: &Path, machine: &Machine, order: FloatOrder) -> String {
    let input =
        c::Input { clang: Path::new("clang-22"), file, arguments: &[], auto: false, assume_distinct: false };
    let text = rewrite::rewritten(&c::read(&input).unwrap(), |region| {
        let tree = region.tree.as_ref().unwrap();
        let made = parallelize(tree, order, machine, &Options::default())
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        made.text(&Original::from(tree))
    });
    String::from_utf8(text).unwrap()
}

/// Names and bodies, of `int n, m; double a[n][m], b[n][m], q[n], p[m], row[m], *out; int k[m]`, and of `a` and `b` as
/// `struct { int rows, columns; double *data; } *g, *h`.
const NESTS: [(&str, &str); 24] = [
    ("counted", "int c = 0; for (int i = 0; i < n; i++) { s += q[i]; c += 2; } t = c;"),
    ("minus", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) q[i] -= a[i][j] * p[j];"),
    ("assigned", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) q[i] = q[i] - a[i][j];"),
    (
        "triangle",
        "for (int i = 0; i < n; i++) { q[i] = i % 5 - 2; for (int j = 0; j < i && j < m; j++) q[i] -= a[i][j] * q[j]; \
         q[i] = (q[i] > 0) - (q[i] < 0); }",
    ),
    (
        "solve",
        "for (int i = 0; i < n && i < m; i++) { q[i] = p[i]; for (int j = 0; j < i; j++) q[i] -= a[i][j] * q[j]; q[i] = \
         (q[i] > 0) - (q[i] < 0); }",
    ),
    (
        "backwards",
        "for (int i = 1; i < n; i++) { double s = q[i - 1]; for (int j = 0; j < m; j++) s += p[m - 1 - j] * a[i][j]; q[i] = \
         s > 9 ? 9 : s; }",
    ),
    (
        "conditions",
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { if (a[i][j] > 0) s += a[i][j]; else t -= p[j]; if (k[j] \
         > 0) { u += 1; if (a[i][j] > 1) u -= p[j]; } }",
    ),
    (
        "limits",
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { s = fmax(a[i][j] * p[j], s); t = t < a[i][j] ? t : \
         a[i][j]; if (p[j] > u) u = p[j]; }",
    ),
    (
        "limit",
        "for (int j = 0; j < m; j++) { s = s >= p[j] ? s : p[j]; t += p[j]; if (k[j] > 0) u = fmin(u, p[j]); }",
    ),
    (
        "limits_in_order",
        "for (int i = 1; i < n; i++) { q[i] = q[i - 1] - 3; for (int j = 0; j < m; j++) q[i] = fmax(q[i], a[i][j]); }",
    ),
    (
        "elements",
        "out[0] = out[1] = 1; out[2] = out[3] = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { out[0] += \
         a[i][j]; out[1] *= a[i][j] ? 1 - 2 * (k[j] > 0) : 1; if (a[i][j] > out[2]) out[2] = a[i][j]; out[3] -= p[j]; }",
    ),
    ("elements_of_some", "for (int j = 0; j < m; j++) { out[0] += p[j]; out[1] = fmax(out[1], p[j]); }"),
    ("strides", "for (int j = 0; j < m / 3; j++) if (k[j] != 2) s += p[3 * j] * p[3 * j + 1];"),
    ("chain", "for (int j = 0; j < m; j++) s = p[j] * s * p[j];"),
    (
        "inside",
        "for (int j = 0; j < m; j++) { s = p[j] + ((s - k[j]) + 2); t = k[j] > 0 ? t + p[j] : t; double x = u - p[j], y = x \
         + 1; u = y; }",
    ),
    ("nowhere", "for (int j = 0; j < m; j++) if (k[j] > 100) out[100000000] += p[j];"),
    (
        "columns",
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { for (int l = i + 1; l < n; l++) b[i][j] += a[l][i % m] * \
         b[l][j]; b[i][j] = (b[i][j] > 0) - (b[i][j] < 0); }",
    ),
    (
        "distant",
        "for (int i = 0; i < n; i++) { double sum = 0; for (int l = 0; l < m / 2; l++) sum += a[i][l] * p[2 * l]; q[i] += \
         sum; }",
    ),
    (
        "scratch",
        "for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) { row[j] = 1; for (int l = 0; l < m; l++) row[j] += \
         a[i][l] * p[(l + j) % m]; } for (int j = 0; j < m; j++) b[i][j] = row[j]; }",
    ),
    (
        "edges",
        "for (int j = 0; j < m; j++) if (j != 2 && 0 < j || k[0] > 100) row[j] = p[j] + (j >= 4 ? 1 : p[0]); else row[j] = 5;",
    ),
    (
        "narrow",
        "for (int j = 0; j < m; j++) if ((unsigned char) j != 2) row[j] = (signed char) j > 3 ? p[j] : 9; else row[j] = 7;",
    ),
    (
        "ring",
        "double ring[40], turned[40]; for (int i = 0; i < 40; i++) ring[i] = i % 7; for (int i = 0; i < 40; i++) turned[i] = \
         ring[i] + ring[(i + 3) % 40]; for (int i = 0; i < 4; i++) out[i] += turned[36 + i] * 10 + turned[i];",
    ),
    (
        "matrices",
        "for (int i = 0; i < h->rows; i++) for (int j = 0; j < h->columns; j++) h->data[i * h->columns + j] += g->data[i * \
         h->columns + j] * p[j];",
    ),
    (
        "symmetric",
        "for (int i = 0; i < n && i < m; i++) for (int j = 0; j < i; j++) { q[i] += a[i][j] * p[j]; q[j] += a[i][j] * p[i]; \
         }",
    ),
];

fn program() -> String {
    let mut text = String::from(
        "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
         typedef struct { double s, t, u; } Scalars;\ntypedef struct { int rows, columns; double *data; } Matrix;\n",
    );
    let parameters = "int n, int m, const double a[restrict n][m], double b[restrict n][m], double *restrict q, const \
                      double *restrict p, double *restrict row, const int *restrict k, double *restrict out, const Matrix *g, const Matrix \
                      *h, Scalars *own";
    for (name, body) in NESTS {
        for (form, before, after) in [("plain", "", ""), ("made", "#pragma scop", "#pragma endscop")] {
            text += &format!(
                "static void {form}_{name}({parameters}) {{\n  double s = own->s, t = own->t, u = own->u;\n{before}\n  \
                 {body}\n{after}\n  *own = (Scalars) {{s, t, u}};\n}}\n"
            );
        }
    }
    text += "static unsigned state = 1;
static int next(int bound) {
  state = state * 1103515245 + 12345;
  return (int) (state >> 16) % bound;
}
static void all(int n, int m) {
  size_t size = (size_t) n * m;
  double (*a)[m ? m : 1] = malloc(size * sizeof(double) + 1), *b[2], *q[2], *row[2], out[2][4];
  double *p = malloc(m * sizeof *p + 1);
  int *k = malloc(m * sizeof *k + 1);
  for (int w = 0; w < 2; w++) {
    b[w] = malloc(size * sizeof(double) + 1);
    q[w] = malloc(n * sizeof(double) + 1);
    row[w] = malloc(m * sizeof(double) + 1);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = next(5) - 2;
  for (int j = 0; j < m; j++)
    p[j] = next(7) - 3, k[j] = next(3) - 1;
#define CHECK(name) \\
  do { \\
    Scalars own[2] = {{-1, 1, -2}, {-1, 1, -2}}; \\
    for (size_t i = 0; i < size; i++) \\
      b[0][i] = b[1][i] = (double) (i % 3) - 1; \\
    for (int i = 0; i < n; i++) \\
      q[0][i] = q[1][i] = i % 4; \\
    for (int j = 0; j < m; j++) \\
      row[0][j] = row[1][j] = j; \\
    for (int i = 0; i < 4; i++) \\
      out[0][i] = out[1][i] = i; \\
    /* What no iteration accesses may be anywhere. */ \\
    Matrix g = {n, m, (double *) a}, h[2] = {{n, m, b[0]}, {n, m, b[1]}}; \\
    double *none = m == 0 && strcmp(#name, \"elements\") && strcmp(#name, \"ring\") ? (double *) 8 : 0; \\
    plain_##name(n, m, a, (void *) b[0], q[0], p, row[0], k, none ? none : out[0], &g, &h[0], &own[0]); \\
    made_##name(n, m, a, (void *) b[1], q[1], p, row[1], k, none ? none : out[1], &g, &h[1], &own[1]); \\
    int differ = memcmp(&own[0], &own[1], sizeof own[0]) || memcmp(out[0], out[1], sizeof out[0]); \\
    if (differ || memcmp(b[0], b[1], size * 8) || memcmp(q[0], q[1], n * 8) || memcmp(row[0], row[1], m * 8)) \\
      printf(\"%s differs with %d rows of %d\\n\", #name, n, m); \\
  } while (0)
";
    for (name, _) in NESTS {
        text += &format!("  CHECK({name});\n");
    }
    text += "  free(a), free(p), free(k);
  for (int w = 0; w < 2; w++)
    free(b[w]), free(q[w]), free(row[w]);
}
int main(void) {
  const int sizes[] = {0, 1, 2, 7, 15, 16, 17, 31, 32, 33, 70};
  for (int i = 0; i < 11; i++)
    for (int j = 0; j < 11; j++)
      all(sizes[i], sizes[j]);
  all(3, 300);
  all(300, 3);
  puts(\"done\");
}
";
    text
}

#[test]
fn results_are_those_of_the_source() {
    let folder = Folder::new("any_order");
    let file = folder.0.join("nests.c");
    fs::write(&file, program()).unwrap();
    // Threads for all sizes, and for none.
    let eager = Machine { least_work: 0, fork: 1e-3, ..CPU.clone() };
    let (free, fixed) = (FloatOrder::Free, FloatOrder::Fixed);
    for (name, machine, order) in
        [("eager", &eager, free), ("usual", &*CPU, free), ("canonical", &eager, fixed)]
    {
        let text = made(&file, machine, order);
        let made = folder.0.join(format!("{name}.c"));
        fs::write(&made, &text).unwrap();
        for (compiler, options) in [
            ("clang-22", &["-O3", "-march=native", "-fopenmp", "-Wno-pass-failed"][..]),
            ("clang-22", &["-O1", "-fopenmp", "-fsanitize=address,undefined", "-Wno-pass-failed"]),
            ("gcc", &["-O2", "-fopenmp"]),
        ] {
            let program = compiled(compiler, options, &made);
            for threads in ["1", "3"] {
                assert_eq!(
                    printed(&program, threads, &[]),
                    "done\n",
                    "{name} {compiler} {options:?}\n{text}"
                );
            }
        }
    }
}

/// Minima and maxima whose result with NaN does not depend on the order, of `int n, m; double a[n][m], q[n], row[m], s; int
/// k[n]`: values that are compared, where a NaN replaces nothing, and those of `fmin` and `fmax`, which a number replaces.
const EXTREMES: [(&str, &str); 10] = [
    ("compared", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if (a[i][j] > s) s = a[i][j];"),
    ("chosen", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s = a[i][j] < s ? a[i][j] : s;"),
    ("greatest", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s = fmax(s, a[i][j]);"),
    ("least", "for (int i = 0; i < n; i++) s = fmin(fabs(a[i][0]), s);"),
    ("columns", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) row[j] = fmax(row[j], a[i][j]);"),
    ("rows", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) q[i] = fmin(q[i], a[i][j]);"),
    ("scattered", "for (int i = 0; i < n; i++) row[k[i]] = fmax(row[k[i]], a[i][0]);"),
    ("counted", "for (int i = 0; i < n; i++) if (a[i][0] > row[k[i]]) row[k[i]] = a[i][0];"),
    ("prefix", "for (int i = 0; i < n; i++) { if (a[i][0] > s) s = a[i][0]; q[i] = s; }"),
    (
        "suffix",
        "for (int i = 0; i < n; i++) { q[i] = row[0]; for (int j = i; j < n; j++) if (a[j][0] > q[i]) q[i] = a[j][0]; }",
    ),
];

#[test]
fn not_a_number_stays_where_the_source_has_it() {
    let folder = Folder::new("not_a_number");
    let file = folder.0.join("nests.c");
    let mut text = String::from("#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n");
    let parameters = "int n, int m, const double a[restrict n][m], double *restrict q, double *restrict row, const int \
                      *restrict k, double *result";
    for (name, body) in EXTREMES {
        for (form, before, after) in [("plain", "", ""), ("made", "#pragma scop", "#pragma endscop")] {
            text += &format!(
                "static void {form}_{name}({parameters}) {{\n  double s = *result;\n{before}\n  {body}\n{after}\n  \
                 *result = s;\n}}\n"
            );
        }
    }
    text += "static int differ(int n, const double *x, const double *y) {
  for (int i = 0; i < n; i++)
    if (isnan(x[i]) != isnan(y[i]) || (!isnan(x[i]) && x[i] != y[i]))
      return 1;
  return 0;
}
static void all(int n, int m, int nan, double first) {
  double (*a)[m] = malloc(sizeof(double[n][m])), *q[2], *row[2], s[2];
  int *k = malloc(n * sizeof *k);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = nan == 1 || (nan > 1 && (i * m + j) % nan == 0) ? NAN : (i * 37 + j * 11) % 101 - 50;
  for (int w = 0; w < 2; w++)
    q[w] = malloc(n * sizeof(double)), row[w] = malloc(m * sizeof(double));
#define CHECK(name) \\
  do { \\
    for (int w = 0; w < 2; w++) { \\
      s[w] = first; \\
      for (int i = 0; i < n; i++) \\
        q[w][i] = i % 3 ? first : -3, k[i] = i % m; \\
      for (int j = 0; j < m; j++) \\
        row[w][j] = j % 2 ? -7 : first; \\
    } \\
    plain_##name(n, m, a, q[0], row[0], k, &s[0]); \\
    made_##name(n, m, a, q[1], row[1], k, &s[1]); \\
    if (differ(1, &s[0], &s[1]) || differ(n, q[0], q[1]) || differ(m, row[0], row[1])) \\
      printf(\"%s differs: %d rows of %d, each %d NaN, from %g\\n\", #name, n, m, nan, first); \\
  } while (0)
";
    for (name, _) in EXTREMES {
        text += &format!("  CHECK({name});\n");
    }
    text += "  free(a), free(k);
  for (int w = 0; w < 2; w++)
    free(q[w]), free(row[w]);
}
int main(void) {
  const int sizes[] = {1, 2, 33, 200}, nans[] = {0, 1, 2, 7};
  const double firsts[] = {NAN, -INFINITY, INFINITY, 4};
  for (int i = 0; i < 256; i++)
    all(sizes[i % 4], sizes[i / 4 % 4], nans[i / 16 % 4], firsts[i / 64]);
  puts(\"done\");
}
";
    fs::write(&file, text).unwrap();
    let eager = Machine { least_work: 0, fork: 1e-3, ..CPU.clone() };
    for (name, machine) in [("eager", &eager), ("usual", &*CPU)] {
        let text = made(&file, machine, FloatOrder::Free);
        let made = folder.0.join(format!("{name}.c"));
        fs::write(&made, &text).unwrap();
        for (compiler, options) in [
            ("clang-22", &["-O3", "-march=native", "-fopenmp", "-Wno-pass-failed"][..]),
            ("gcc", &["-O2", "-fopenmp"]),
        ] {
            let program = compiled(compiler, options, &made);
            for threads in ["1", "3"] {
                assert_eq!(
                    printed(&program, threads, &[]),
                    "done\n",
                    "{name} {compiler} {options:?}\n{text}"
                );
            }
        }
    }
}

/// What is made of a body of [`NESTS`]' function.
fn region(folder: &Folder, name: &str) -> String {
    let (_, body) = NESTS.iter().find(|(other, _)| *other == name).unwrap();
    let file = folder.0.join(format!("{name}.c"));
    let text = format!(
        "#include <math.h>\nvoid f(int n, int m, const double a[restrict n][m], double b[restrict n][m], double *restrict q, \
         const double *restrict p, double *restrict row, const int *restrict k, double *restrict out, double s, double t, \
         double u) {{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
    );
    fs::write(&file, text).unwrap();
    made(&file, &CPU, FloatOrder::Free)
}

#[test]
fn nests_that_stay_in_order_have_lanes() {
    let folder = Folder::new("any_order_forms");
    let text = region(&folder, "solve");
    assert!(!text.contains("omp parallel"), "{text}");
    assert!(text.contains(">= 32) {"), "{text}");
    assert!(text.contains("q_in_lanes += -(a[i][j] * q[j]);"), "{text}");
    // A NaN might be lost in lanes: with compilers' `simd` there would be none.
    let text = region(&folder, "limits_in_order");
    assert!(text.contains("double q_of_lanes[16];"), "{text}");
    // Columns, which the loop over rows has in lanes.
    let text = region(&folder, "columns");
    assert!(text.contains("b_of_rows[row] += "), "{text}");
    // Rows that are transposed, as what is read beside them is far apart.
    let text = region(&folder, "distant");
    assert!(text.contains("a_tile[row][column]") || text.contains("a_tile[column][row]"), "{text}");
}

#[test]
fn iterations_at_the_edges_are_apart() {
    let folder = Folder::new("any_order_edges");
    let text = region(&folder, "edges");
    assert!(text.contains("for (int j = 4; j < m; j++) {\n      row[j] = p[j] + (double) 1;"), "{text}");
    assert!(text.contains("for (int j = 0; j < m && j < 4; j++)"), "{text}");
    let file = folder.0.join("ring.c");
    let body = "for (int i = 0; i < 1000000; i++) b[i] = a[i] + a[(i + 3) % 1000000];";
    let function = format!(
        "void f(const double *restrict a, double *restrict b) {{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
    );
    fs::write(&file, function).unwrap();
    let text = made(&file, &CPU, FloatOrder::Free);
    assert!(text.contains("for (int i = 0; i < 999997; i++) {\n      b[i] = a[i] + a[i + 3];"), "{text}");
    assert!(text.contains("for (int i = 999997; i < 1000000; i++) {"), "{text}");
}

#[test]
fn conditions_choose_what_is_reduced() {
    let folder = Folder::new("any_order_conditions");
    let text = region(&folder, "conditions");
    assert!(
        text.contains("simd reduction(+: s_in_lanes) reduction(+: t_in_lanes) reduction(+: u_in_lanes)"),
        "{text}"
    );
    assert!(text.contains("? a[i][j] : -0.0;"), "{text}");
    let text = region(&folder, "nowhere");
    // Where no condition holds, there may be no such element.
    assert!(text.contains("if (out_in_lanes != -0.0) {\n      out[100000000] += out_in_lanes;"), "{text}");
    let text = region(&folder, "strides");
    assert!(text.contains("reduction(+: s_in_lanes)") && text.contains("p[3 * j + 1]"), "{text}");
    let text = region(&folder, "chain");
    assert!(text.contains("s_in_lanes *= p[j] * p[j];"), "{text}");
    let text = region(&folder, "inside");
    for part in [
        "s_in_lanes += p[j] + (-(double) k[j] + (double) 2);",
        "t_in_lanes += k[j] > 0 ? p[j] : -0.0;",
        "u_in_lanes += -p[j] + (double) 1;",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn elements_that_move_are_apart_from_those_that_stay() {
    let text = region(&Folder::new("any_order_symmetric"), "symmetric");
    assert!(text.contains("q_in_lanes += a[i][j] * p[j];\n"), "{text}");
    assert!(
        text.contains("simd reduction(+: q_of_in_lanes)") || text.contains("simd reduction(+: q_in_lanes)"),
        "{text}"
    );
}

#[test]
fn elements_of_an_array_have_reductions_of_their_own() {
    let folder = Folder::new("any_order_elements");
    let text = region(&folder, "elements");
    assert!(text.contains("out_0 = out[0];"), "{text}");
    assert!(text.contains("out[3] = out_3;") && text.contains("omp parallel for"), "{text}");
    assert!(!text.contains("if (0 < n"), "{text}");
    // They exist if there is an iteration.
    let text = region(&folder, "elements_of_some");
    assert!(text.contains("if (0 < m) {\n      double out_0;") && text.contains("out[1] = out_1;"), "{text}");
}
