//! The kernels that `--target gpu` makes: threads, teams or the whole device for a reduction, and copies in the memory of a
//! block; each way executed on the emulator, without optimisation and with.

mod common;

#[path = "common/device.rs"]
mod device;

use std::{fs, process::Command};

use loop_compiler::parallelize::{Device, GPU, Machine};

use device::{for_device, machine, ran, ran_at};

const ROWS: &str = "void rows(int n, int m, const int a[restrict n][m], int *restrict q) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      q[i] += a[i][j];
#pragma endscop
}
";

/// T10 of seed 000: blocks of 256; many short reductions, few long ones, and one of the whole device. The host is so slow
/// that nothing is too small.
#[test]
fn t10_the_model_chooses_between_threads_teams_and_the_device() {
    let folder = common::folder(&[("rows.c", ROWS)]);
    let device = GPU.device.map(|device| Device { slower: device.slower / 100.0, team: 256, ..device });
    let machine = Machine { statement: 100.0 * GPU.statement, device, ..GPU.clone() };
    for (n, m, wanted) in [
        (512, 8, "#pragma omp target teams distribute parallel for\n for (int i"),
        (4, 1024, "#pragma omp parallel for reduction(+: q_all) firstprivate(a)\n for (int lane"),
        (
            1,
            1_000_000,
            "unsigned int q_all = 0;\n #pragma omp target teams distribute parallel for reduction(+: q_all)\n for (int j",
        ),
    ] {
        let text = for_device(&folder.path().join("rows.c"), &machine, &[("n", n), ("m", m)])
            .expect("it is parallel");
        let lines: Vec<String> = text.lines().map(|line| format!(" {}", line.trim())).collect();
        assert!(lines.join("\n").contains(wanted), "{n} reductions of {m} each:\n{text}");
    }
}

/// T10: each way gives the same, whichever is chosen by a schedule. Rows and the elements of results have lengths that are
/// known at run time only.
#[test]
fn t10_all_ways_give_equal_results() {
    let ways = [("threads", "parallel(i)"), ("teams", "parallel(i), parallel(j)"), ("device", "parallel(j)")];
    let mut text = String::from("#include <stdio.h>\n#include <stdlib.h>\n");
    for (name, steps) in ways {
        text += &ROWS
            .replace("rows", name)
            .replace("#pragma scop\n", &format!("#pragma scop\n#pragma warpfold schedule({steps})\n"));
        text += &format!(
            "void {name}_of_columns(int n, int m, int l, const double a[restrict n][m], double c[restrict n][l]) {{
#pragma scop
#pragma warpfold schedule({})
  for (int i = 0; i < n; i++)
    for (int k = 0; k < l; k++) {{
      c[i][k] = i;
      for (int j = 0; j < m; j++)
        c[i][k] += a[i][j] * (k + 1);
    }}
#pragma endscop
}}
",
            steps.replace("parallel(i)", "parallel(i), parallel(k)")
        );
    }
    text += "int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]), l = 2, wrong = 0;
  int (*a)[m] = malloc(n * sizeof *a), *q[3];
  double (*b)[m] = malloc(n * sizeof *b), (*c[3])[l];
  for (int w = 0; w < 3; w++) {
    q[w] = malloc(n * sizeof *q[w]), c[w] = malloc(n * sizeof *c[w]);
    for (int i = 0; i < n; i++)
      q[w][i] = 5 * i;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = i * 31 + j * 7, b[i][j] = (i * 5 + j) % 64 / 4.0;
  threads(n, m, a, q[0]), teams(n, m, a, q[1]), device(n, m, a, q[2]);
  threads_of_columns(n, m, l, b, c[0]), teams_of_columns(n, m, l, b, c[1]), device_of_columns(n, m, l, b, c[2]);
  for (int i = 0; i < n; i++) {
    unsigned sum = 5 * i;
    for (int j = 0; j < m; j++)
      sum += i * 31 + j * 7;
    for (int w = 0; w < 3; w++)
      wrong += q[w][i] != (int) sum;
    for (int k = 0; k < l; k++) {
      double sum = i;
      for (int j = 0; j < m; j++)
        sum += b[i][j] * (k + 1);
      for (int w = 0; w < 3; w++)
        wrong += c[w][i][k] != sum;
    }
  }
  printf(\"%d wrong\\n\", wrong);
}
";
    let folder = common::folder(&[("ways.c", &text)]);
    let made = for_device(&folder.path().join("ways.c"), &machine(), &[]).expect("each is possible");
    assert_eq!(made.matches("#pragma omp target teams distribute\n").count(), 1, "{made}");
    assert_eq!(made.matches("#pragma omp target teams distribute collapse(2)\n").count(), 1, "{made}");
    for (n, m) in [("33", "8"), ("4", "1024"), ("1", "20000")] {
        let (printed, launches, _) = ran(folder.path(), &made, &[n, m]);
        assert_eq!(printed, "0 wrong\n", "{n} {m}\n{made}");
        assert!(launches >= 6, "{launches}");
    }
}

const TREES: &str = "#include <stdio.h>
static double result[4];
int main(void) {
#pragma scop
#pragma warpfold schedule(tile(b, 2, i0, i1), tile(t, 2, t0, t1), reorder(i0, t0, t1, i1), parallel(i0), parallel(t0))
  for (int b = 0; b < 4; b++)
    for (int t = 0; t < TREES; t++)
      result[b] += 10 * t + b;
#pragma endscop
  for (int b = 0; b < 4; b++)
    printf(\"%g \", result[b]);
}
";

/// T11 of seed 000: Treebeard's nest with two rows for each block. The copies of two iterations, each of two rows, are 32
/// bytes, in the memory of the block where the schedule says so; results are the same.
#[test]
fn t11_copies_are_in_the_memory_of_a_block_or_not() {
    for (is_shared, mark) in [(false, "parallel(t0))"), (true, "parallel(t0), shared(t0))")] {
        let text = TREES.replace("TREES", "4").replace("parallel(t0))", mark);
        let folder = common::folder(&[("trees.c", &text)]);
        let made = for_device(&folder.path().join("trees.c"), &machine(), &[]).expect("it is possible");
        let (printed, launches, assembly) = ran(folder.path(), &made, &[]);
        assert_eq!(printed, "60 64 68 72 ", "{made}");
        assert_eq!(launches, 1);
        // Without optimisation it is a part of the runtime's memory of the block.
        let shared: Vec<&str> = assembly[1].lines().filter(|line| line.contains(".shared")).collect();
        let of_block = shared.iter().any(|line| line.ends_with("[32];"));
        assert_eq!(of_block, is_shared, "{shared:?}\n{made}");
    }
}

/// The same with both ways of a reduction inside of the block: copies of a vector, and of one element.
#[test]
fn t11_each_reduction_of_a_team_may_have_copies_in_its_block() {
    let text = "#include <stdio.h>
#include <stdlib.h>
static void sums(int n, int m, const int a[restrict n][m], int *restrict q, int *restrict h) {
#pragma scop
#pragma warpfold schedule(parallel(i), parallel(j) MARK)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      q[i] += a[i][j];
      for (int k = 0; k < 4; k++)
        h[4 * i + k] += a[i][j] * k;
    }
#pragma endscop
}
int main(void) {
  int n = 3, m = 1000, (*a)[m] = malloc(n * sizeof *a), q[3] = {1, 2, 3}, h[12] = {4};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = i + j;
  sums(n, m, a, q, h);
  for (int i = 0; i < n; i++)
    printf(\"%d %d %d\\n\", q[i], h[4 * i], h[4 * i + 3]);
}
";
    let mut all = Vec::new();
    for mark in ["", ", shared(j)"] {
        let folder = common::folder(&[("sums.c", &text.replace(" MARK", mark))]);
        let made = for_device(&folder.path().join("sums.c"), &machine(), &[]).expect("it is possible");
        let (printed, _, assembly) = ran(folder.path(), &made, &[]);
        let shared: Vec<&str> = assembly[1].lines().filter(|line| line.contains(".shared")).collect();
        let of_block = shared.iter().any(|line| line.ends_with("[512];"));
        assert_eq!(of_block, !mark.is_empty(), "{made}");
        all.push(printed);
    }
    assert_eq!(all[0], "499501 4 1498500\n500502 0 1501500\n501503 0 1504500\n");
    assert_eq!(all[0], all[1]);
}

/// Two regions of a file with copies in the memory of a block. With OpenMP's `allocate`, for which each region declared the
/// type of allocators, clang took that of the second for another one, and each thread had an array of its own.
#[test]
fn several_regions_of_a_file_have_copies() {
    let region = TREES.replace("TREES", "4").replace("parallel(t0))", "parallel(t0), shared(t0))");
    let (begin, end) = (region.find("#pragma scop").unwrap(), region.find("#pragma endscop").unwrap());
    let scop = &region[begin..end];
    let text = region.replace(scop, &format!("{scop}#pragma endscop\n{scop}"));
    let folder = common::folder(&[("trees.c", &text)]);
    let made = for_device(&folder.path().join("trees.c"), &machine(), &[]).expect("it is possible");
    let (printed, launches, _) = ran(folder.path(), &made, &[]);
    assert_eq!((&*printed, launches), ("120 128 136 144 ", 2), "{made}");
}

const HISTOGRAMS: &str = "#include <stdio.h>
#include <stdlib.h>
static int bins[256], few[3], most[40], table[8][5], large[20000], read[16];
static double weight[16];
static void made(int n, int m, const unsigned char *restrict k, const double *restrict w) {
#pragma scop
  for (int i = 0; i < n; i++)
    bins[k[i]] += 1;
#pragma endscop
#pragma scop
  for (int i = n - 1; i >= 0; i -= 2) {
    few[k[i] % 3] ^= i;
    if (k[i] > 7)
      most[k[i] % 40] |= i;
  }
#pragma endscop
#pragma scop
  for (int i = 0; i < m; i++)
    for (int j = 0; j < 50; j++)
      table[k[i * 50 + j] % 8][k[j] % 5] += j;
#pragma endscop
#pragma scop
  for (int i = 0; i < n; i++)
    weight[k[i] % 16] += w[i];
#pragma endscop
#pragma scop
  for (int i = 0; i < n; i++)
    large[k[i] * 70] += i;
#pragma endscop
#pragma scop
  for (int i = 0; i < n; i++)
    read[k[i] % 16] += few[k[i] % 3];
#pragma endscop
}
static void print(void) {
  long s[6] = {0};
  double t = 0;
  for (int i = 0; i < 256; i++) s[0] += (i + 1L) * bins[i];
  for (int i = 0; i < 3; i++) s[1] += (i + 1L) * few[i];
  for (int i = 0; i < 40; i++) s[2] += (i + 1L) * most[i];
  for (int i = 0; i < 40; i++) s[3] += (i + 1L) * table[i / 5][i % 5];
  for (int i = 0; i < 20000; i++) s[4] += (i + 1L) * large[i];
  for (int i = 0; i < 16; i++) s[5] += (i + 1L) * read[i], t += (i + 1) * weight[i];
  for (int i = 0; i < 6; i++) printf(\"%ld \", s[i]);
  printf(\"%g\\n\", t);
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  unsigned char *k = malloc(n + 50);
  double *w = malloc((n + 1) * sizeof *w);
  for (int i = 0; i < n + 50; i++) k[i] = (unsigned) i * 2654435761u >> 23;
  for (int i = 0; i < n; i++) w[i] = i % 64 / 4.0;
  for (int i = 0; i < 40; i++) most[i] = 1 << 20, few[i % 3] = 5;
  made(n, n / 50, k, w);
  print();
}
";

/// Each team has copies of small arrays that its threads update: of one dimension or two, of integers and floats, with
/// sums and bits, several in a loop, with iterations of two loops, and loops that run down. Arrays that are large, or
/// that the loop reads, have none.
#[test]
fn teams_have_copies_of_small_arrays_that_threads_update() {
    let folder = common::folder(&[("histograms.c", HISTOGRAMS)]);
    let made = for_device(&folder.path().join("histograms.c"), &machine(), &[]).expect("all are possible");
    for array in ["int bins", "int few", "int most", "int table", "double weight", "int read"] {
        assert_eq!(made.matches(&format!("{array}_of_team[")).count(), 1, "{array}: {made}");
    }
    assert!(!made.contains("large_of_team"), "{made}");
    let host = HISTOGRAMS.replace("#pragma scop", "").replace("#pragma endscop", "");
    fs::write(folder.path().join("host.c"), host).unwrap();
    common::make(folder.path(), &["cc", "-O1", "-w", "host.c", "-o", "host"]);
    for n in ["0", "1", "2047", "2049", "10000"] {
        let wanted = Command::new(folder.path().join("host")).arg(n).output().unwrap();
        let (printed, _, assembly) = ran(folder.path(), &made, &[n]);
        assert_eq!(printed, common::text(&wanted.stdout), "{n}: {made}");
        assert!(assembly[1].contains("atom.shared.add.u32"), "{made}");
        assert!(!assembly[1].contains(".local"), "{made}");
    }
}

const PARAMETERS: &str = "#include <stdio.h>
void fixed(int n, const unsigned char *restrict k, int h[static restrict 256]) {
#pragma scop
  for (int i = 0; i < n; i++)
    h[k[i]] += 1;
#pragma endscop
}
void named(int n, int m, const unsigned char *restrict k, int h[restrict m]) {
#pragma scop
  for (int i = 0; i < n; i++)
    h[k[i] % m] += k[i] * 100;
#pragma endscop
}
unsigned char narrow(int n, const unsigned char *k) {
  unsigned char s = 9;
#pragma scop
  for (int i = 0; i < n; i++)
    s += k[i];
#pragma endscop
  return s;
}
int truncated(int n, const unsigned char *k) {
  int s = -9;
#pragma scop
  for (int i = 0; i < n; i++)
    s += k[i] * 1000000007L;
#pragma endscop
  return s;
}
int main(void) {
  static unsigned char k[5000];
  static int h[256];
  static int few[33];
  long sums[2] = {0};
  for (int i = 0; i < 5000; i++) k[i] = i * 2654435761u >> 21;
  fixed(5000, k, h), named(4999, 33, k, few);
  for (int i = 0; i < 256; i++) sums[0] += (i + 1L) * h[i], sums[1] += (i + 1L) * few[i % 33];
  printf(\"%ld %ld %d %d\\n\", sums[0], sums[1], narrow(5000, k), truncated(5000, k));
}
";

/// Parameters that are declared as arrays are moved as such where the elements that are accessed are not known; sums are
/// narrower than what is added.
#[test]
fn declared_parameters_and_narrow_sums() {
    let folder = common::folder(&[("parameters.c", PARAMETERS)]);
    let made = for_device(&folder.path().join("parameters.c"), &machine(), &[]).expect("all are possible");
    assert!(made.contains("h_first = 0l, h_count = (long) n >= 1 ? 256l : 0l"), "{made}");
    assert!(
        made.contains("h_first = 0l, h_count = (long) n >= 1 ? ((long) m > 0 ? (long) m : 0l) : 0l"),
        "{made}"
    );
    let host = PARAMETERS.replace("#pragma scop", "").replace("#pragma endscop", "");
    fs::write(folder.path().join("host.c"), host).unwrap();
    common::make(folder.path(), &["cc", "-O1", "-w", "host.c", "-o", "host"]);
    let wanted = Command::new(folder.path().join("host")).output().unwrap();
    let (printed, launches, _) = ran(folder.path(), &made, &[]);
    assert_eq!(printed, common::text(&wanted.stdout), "{made}");
    assert!(launches >= 4, "{launches} launches: {made}");
    // A pointer that is not null.
    let one = PARAMETERS.replacen("h[static restrict 256]", "h[static restrict 1]", 1);
    fs::write(folder.path().join("one.c"), one).unwrap();
    let error = for_device(&folder.path().join("one.c"), &machine(), &[]).expect_err("it is rejected");
    assert!(error.contains("which elements of `h` are accessed is not known"), "{error}");
}

/// Elements of reductions that no iteration accesses are not accessed afterwards, either: of the whole device, of teams and of
/// threads.
#[test]
fn elements_that_no_iteration_accesses() {
    let source = include_str!("../../loop-compiler/tests/hostile/absent.c");
    let parts = source.split("#ifndef DEVICE\n").enumerate();
    let parts = parts.map(|(at, part)| if at == 0 { part } else { part.split_once("#endif\n").unwrap().1 });
    let source = &parts.collect::<String>();
    let in_teams = source.replace(
        "#pragma scop\n  for (int i",
        "#pragma scop\n#pragma warpfold schedule(parallel(i), parallel(j))\n  for (int i",
    );
    assert_ne!(*source, in_teams);
    let folder = common::folder(&[("absent.c", source), ("teams.c", &in_teams)]);
    common::make(folder.path(), &["cc", "-O1", "-w", "absent.c", "-o", "host"]);
    let wanted = Command::new(folder.path().join("host")).output().unwrap();
    for file in ["absent.c", "teams.c"] {
        let made =
            for_device(&folder.path().join(file), &machine(), &[]).unwrap_or_else(|error| panic!("{error}"));
        let (printed, launches, _) = ran(folder.path(), &made, &[]);
        assert_eq!(printed, common::text(&wanted.stdout), "{file}: {made}");
        assert!(launches >= 40, "{launches} launches: {made}");
    }
}

/// The threads of a team have copies of a variable of which the team has one: last values and reductions go into that one.
#[test]
fn copies_in_loops_with_copies() {
    let source = include_str!("../../loop-compiler/tests/hostile/nested.c");
    let folder = common::folder(&[("nested.c", source)]);
    common::make(folder.path(), &["cc", "-O1", "-w", "nested.c", "-o", "host"]);
    let wanted = Command::new(folder.path().join("host")).output().unwrap();
    let made = for_device(&folder.path().join("nested.c"), &machine(), &[]).expect("all are possible");
    assert!(made.contains("y_own = y_own_2") && made.contains("s_own += s_all"), "{made}");
    let (printed, launches, _) = ran(folder.path(), &made, &[]);
    assert_eq!(printed, common::text(&wanted.stdout), "{made}");
    assert!(launches >= 12, "{launches} launches: {made}");
    // Elements of an array have no copies of copies.
    let rows = "int a[70][90], b[70];\nvoid rows(int n) {\n  int z[2];\n#pragma scop\n\
                #pragma warpfold schedule(parallel(i), parallel(j))\n  for (int i = 0; i < n; i++) {\n\
                for (int j = 0; j < 7; j++)\n      for (int k = 0; k < 2; k++) z[k] = a[i][j + k];\n\
                b[i] = z[0] + z[1];\n  }\n#pragma endscop\n}\n";
    fs::write(folder.path().join("rows.c"), rows).unwrap();
    let error = for_device(&folder.path().join("rows.c"), &machine(), &[]).expect_err("it is rejected");
    assert!(error.contains("the threads of a loop around have copies of `z`"), "{error}");
}

/// Copies whose size is not a constant, of all teams, and more than a block has.
#[test]
fn t11_what_is_no_memory_of_a_block_is_rejected() {
    for (old, new, what) in
        [("parallel(i0), ", "", "belong to all teams"), ("b, 2,", "b, 5000,", "the copies take 80000 bytes")]
    {
        let text = TREES.replace("TREES", "4").replace("parallel(t0))", "parallel(t0), shared(t0))");
        let text = text.replace("result[4]", "result[20000]").replace("b < 4", "b < 20000").replace(old, new);
        let folder = common::folder(&[("trees.c", &text)]);
        let error = for_device(&folder.path().join("trees.c"), &machine(), &[]).expect_err("it is rejected");
        assert!(error.contains(what), "{error}");
    }
}

/// Threads of a team would disagree on a condition that one of them changes.
#[test]
fn teams_whose_threads_might_take_different_ways_are_rejected() {
    let text = ROWS
        .replace("#pragma scop\n", "#pragma scop\n#pragma warpfold schedule(parallel(i), parallel(j))\n")
        .replace("    for (int j", "    if (p[i] == 1) {\n      p[i] = 7;\n      for (int j")
        .replace("a[i][j];\n", "a[i][j];\n    }\n")
        .replace("int n, int m,", "int n, int m, int *restrict p,");
    let folder = common::folder(&[("rows.c", &text)]);
    let error = for_device(&folder.path().join("rows.c"), &machine(), &[]).expect_err("it is rejected");
    assert!(error.contains("a condition or a bound between the parallel loops of a team"), "{error}");
}

/// Searches whose counter is used behind them, which are inside others, and which leave the function.
#[test]
fn loops_that_end_early_are_searches() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../loop-compiler/tests/normal_forms/searches.c");
    let folder = common::folder(&[("searches.c", &fs::read_to_string(source).unwrap())]);
    let path = folder.path();
    let made = ["parallelize", "searches.c", "--auto", "--target", "gpu", "--order", "free", "-o", "made.c"];
    common::make(path, &made);
    // No region is too small.
    let made = fs::read_to_string(path.join("made.c")).unwrap().replace(">= 100000)", ">= 1)");
    assert!(made.matches("#pragma omp target").count() >= 20, "{made}");
    let host = Command::new("gcc").args(["-w", "searches.c", "-o", "host"]).current_dir(path).status();
    assert!(host.expect("gcc").success());
    let expected = Command::new(path.join("host")).arg("64").output().expect("it starts").stdout;
    let (printed, launches, _) = ran_at(&["-O2"], path, &made, &["64"]);
    assert_eq!(printed, common::text(&expected));
    assert!(launches > 200, "{launches}");
}

/// What each thread finds is combined by a reduction: of equal elements the first or the last, none, rows with a team each,
/// elements of arrays as targets, iterators that run down, and values that are no numbers.
#[test]
fn searches_are_reductions() {
    let ways = [
        ("least", "", "if (a[i][j] < v[0]) { v[0] = a[i][j]; at[0] = i * m + j; }"),
        ("last", "", "if (a[i][j] >= v[0]) { v[0] = a[i][j]; at[0] = i * m + j; }"),
        ("magnitude", "", "if (fabs(a[i][j]) > v[0]) { v[0] = fabs(a[i][j]); at[1] = i * m + j; }"),
        ("valid", "", "if (a[j][i] != 3 && v[0] > a[j][i]) { v[0] = a[j][i]; at[0] = i; }"),
        ("where", "", "if (a[i][j] == 3) at[0] = i * m + j;"),
        ("of_rows", "parallel(i), parallel(j)", "if (a[i][j] < v[i]) { v[i] = a[i][j]; at[i] = j; }"),
        ("both", "parallel(i), parallel(j)", "if (a[i][j] <= v[0]) { v[0] = a[i][j]; at[0] = i + j; }"),
    ];
    let mut text =
        String::from("#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n");
    let across = "for (int i = 0; i < n; i++)\n for (int j = 0; j < m; j++)";
    let down = "for (int i = m - 1; i >= 0; i--)\n for (int j = 0; j < n; j++)";
    let mut calls = String::new();
    for (name, steps, body) in ways {
        let directed = match steps {
            "" => String::new(),
            steps => format!("\n#pragma warpfold schedule({steps})"),
        };
        for (form, before, after) in
            [("host", String::new(), ""), ("device", format!("#pragma scop{directed}"), "#pragma endscop")]
        {
            let loops = if name == "valid" { down } else { across };
            text += &format!(
                "void {form}_{name}(int n, int m, const double a[restrict n][m], double *restrict v, int *restrict at) \
                 {{\n{before}\n{loops} {body}\n{after}\n}}\n"
            );
        }
        calls += &format!("  CHECK({name});\n");
    }
    text += "#define CHECK(name) \\
  for (int w = 0; w < 2; w++) \\
    for (int i = 0; i < n; i++) \\
      v[w][i] = begin, at[w][i] = -7; \\
  host_##name(n, m, a, v[0], at[0]), device_##name(n, m, a, v[1], at[1]); \\
  if (memcmp(v[0], v[1], n * sizeof *v[0]) || memcmp(at[0], at[1], n * sizeof *at[0])) \\
    printf(\"wrong: %s with %g\\n\", #name, begin)
int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]);
  double (*a)[m] = malloc(n * sizeof *a), *v[2];
  int *at[2];
  for (int w = 0; w < 2; w++)
    v[w] = malloc(n * sizeof *v[w]), at[w] = malloc(n * sizeof *at[w]);
  for (int kind = 0; kind < 4; kind++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        a[i][j] = kind == 3 && j % 3 == 1 ? NAN : (i * 37 + j * 101) % 29 - 14;
    double begin = kind == 0 ? 5 : kind == 1 ? -100 : kind == 2 ? 100 : NAN;
";
    text += &calls;
    text += "  }\n  puts(\"done\");\n}\n";
    let folder = common::folder(&[("search.c", &text)]);
    let made = for_device(&folder.path().join("search.c"), &machine(), &[]).expect("each is possible");
    assert_eq!(made.matches("#pragma omp declare reduction(").count(), ways.len(), "{made}");
    assert!(!made.contains("malloc(i_parts"), "{made}");
    for (n, m) in [("23", "41"), ("2", "700")] {
        let (printed, launches, _) = ran(folder.path(), &made, &[n, m]);
        assert_eq!(printed, "done\n", "{n} {m}\n{made}");
        assert!(launches >= 4 * ways.len(), "{launches}");
    }
}
