//! Strategies of innermost reductions on a GPU: what `--target gpu` makes of each runs on the emulator, for all sizes, types
//! and operators, under the race check; and the counts that tell them apart.

mod common;
#[path = "common/device.rs"]
mod device;

use std::{env, fmt::Write, fs, path::Path};

use device::{for_device, machine, ran_at};
use serde_json::Value;

/// Rows of elements that are reduced: a name, the type of an element and of a result, and the statement.
type Rows<'r> = (&'r str, &'r str, &'r str, &'r str);

const PARALLEL: &str = "inner_parallel";
const STEPS: &str = "inner_reduction";
const WARP: &str = "vector_accumulator, 32";
const WARPS: &str = "vector_accumulator, 128";

/// A program that reduces rows with strategies, and prints how many results are not those of the loops, for 1 to 384 rows of 1
/// to 500 elements, which fill all groups, lanes and steps or do not.
fn program(all: &[(Rows<'_>, &[&str])]) -> String {
    let mut text = String::from("#include <stdio.h>\n#include <stdlib.h>\n");
    let mut calls = String::new();
    for ((name, element, result, statement), strategies) in all {
        let own = statement.replace("o[i]", "own");
        let _ = write!(
            calls,
            "    {{
      {element} (*a)[m] = malloc(n * sizeof *a), *b = malloc((m + 1) * sizeof *b);
      {result} *o = malloc(n * sizeof *o);
      for (int j = 0; j <= m; j++)
        b[j] = j % 5;
      for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
          a[i][j] = (i * 37 + j * 11) % 120 - 3;
"
        );
        for (number, strategy) in strategies.iter().enumerate() {
            let _ = write!(
                text,
                "void {name}_{number}(int n, int m, const {element} a[restrict n][m], const {element} *restrict b, \
                 {result} *restrict o) {{
#pragma scop
  for (int i = 0; i < n; i++) {{
    o[i] = i % 3 + 1;
    #pragma warpfold strategy({strategy})
    for (int j = 0; j < m; j++)
      {statement}
  }}
#pragma endscop
}}
"
            );
            let _ = write!(
                calls,
                "      {name}_{number}(n, m, a, b, o);
      for (int i = 0; i < n; i++) {{
        {result} own = i % 3 + 1;
        for (int j = 0; j < m; j++)
          {own}
        if (own != o[i] && wrong++ < 9)
          printf(\"{name}_{number}, %d x %d, row %d: %g, not %g\\n\", n, m, i, (double) o[i], (double) own);
      }}
"
            );
        }
        calls += "      free(a), free(b), free(o);\n    }\n";
    }
    text + "int main(void) {
  int wrong = 0, rows[] = {1, 7, 8, 9, 384}, columns[] = {1, 15, 16, 17, 63, 64, 65, 500};
  for (int r = 0; r < 5; r++)
  for (int c = 0; c < 8; c++) {
    int n = rows[r], m = columns[c];
" + &calls
        + "  }\n  printf(\"%d wrong\\n\", wrong);\n}\n"
}

/// Runs a program at some levels of optimisation; every result has to be right.
fn run(text: &str, levels: &[&str], kernels: usize) {
    let folder = common::folder(&[("rows.c", text)]);
    let made = for_device(&folder.path().join("rows.c"), &machine(), &[]).expect("each is possible");
    let (printed, launches, _) = ran_at(levels, folder.path(), &made, &[]);
    assert_eq!(printed, "0 wrong\n", "{made}");
    assert_eq!(launches, 40 * kernels);
}

/// Rows begin at any address, so that the first group has elements before it, also where two arrays are not aligned alike.
#[test]
fn each_strategy_is_right_for_every_size() {
    let all: [(Rows<'_>, &[&str]); 3] = [
        (("bytes", "signed char", "int", "o[i] += a[i][j];"), &[PARALLEL, STEPS, WARP, WARPS]),
        (("products", "double", "double", "o[i] += a[i][j] * b[j + 1];"), &[PARALLEL, STEPS, WARP]),
        (("least", "short", "short", "o[i] = a[i][j] < o[i] ? a[i][j] : o[i];"), &[WARP]),
    ];
    run(&program(&all), &["-O0", "-O2"], 8);
}

#[test]
fn every_operator_has_accumulators_in_lanes() {
    let all: [(Rows<'_>, &[&str]); 9] = [
        (("bytes", "unsigned char", "unsigned", "o[i] += a[i][j];"), &[STEPS, WARP]),
        (("wide", "signed char", "long", "o[i] += a[i][j];"), &[WARP]),
        (("squares", "int", "int", "o[i] += a[i][j] * a[i][j];"), &[WARP]),
        (("greatest", "float", "float", "if (a[i][j] > o[i]) o[i] = a[i][j];"), &[STEPS, WARP]),
        (("floats", "float", "float", "o[i] += a[i][j];"), &[WARP]),
        (("bits", "unsigned", "unsigned", "o[i] ^= a[i][j];"), &[STEPS, WARP]),
        (("masks", "unsigned short", "unsigned", "o[i] |= a[i][j]; "), &[WARP]),
        (("factors", "long", "long", "o[i] *= a[i][j];"), &[WARP]),
        (("counted", "int", "int", "if (a[i][j] > b[j]) o[i] += 1;"), &[WARP]),
    ];
    run(&program(&all), &["-O0"], 12);
}

const SUMS: &str = "#include <stdio.h>
#include <stdlib.h>
#define ROWS(name, T, S) static void name(int n, int m, const T a[restrict n][m], S *restrict o)
ROWS(threads, signed char, int) {
#pragma scop
  for (int i = 0; i < n; i++)
    #pragma warpfold strategy(inner_parallel)
    for (int j = 0; j < m; j++)
      o[i] += a[i][j];
#pragma endscop
}
ROWS(steps, signed char, int) {
#pragma scop
  for (int i = 0; i < n; i++)
    #pragma warpfold strategy(inner_reduction)
    for (int j = 0; j < m; j++)
      o[i] += a[i][j];
#pragma endscop
}
ROWS(accumulators, signed char, int) {
#pragma scop
  for (int i = 0; i < n; i++)
    #pragma warpfold strategy(vector_accumulator, 32)
    for (int j = 0; j < m; j++)
      o[i] += a[i][j];
#pragma endscop
}
ROWS(sums, int, int) {
#pragma scop
  for (int i = 0; i < n; i++)
    #pragma warpfold strategy(vector_accumulator, 256)
    for (int j = 0; j < m; j++)
      o[i] += a[i][j];
#pragma endscop
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]), *a = calloc(n, m * sizeof *a), *o = calloc(n, sizeof *o);
  if (argc > 3) {
    threads(n, m, (void *) a, o);
    steps(n, m, (void *) a, o);
    accumulators(n, m, (void *) a, o);
  } else
    sums(n, m, (void *) a, o);
}
";

/// The counts of each launch.
fn counts(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let output = common::warpfold(folder, &[&["run", "--counts=counts.json", "./sums"], arguments].concat());
    assert!(output.status.success(), "{}", common::text(&output.stderr));
    let counts = fs::read_to_string(folder.join("counts.json")).expect("counts");
    let counts: Value = serde_json::from_str(&counts).expect("JSON");
    counts["launches"].as_array().expect("launches").clone()
}

/// T8 of seed 001, and the main loop of long rows beside that of the kernel for sums.
#[test]
fn a_row_takes_one_shuffle_tree_and_no_more_instructions_than_a_sum() {
    let folder = common::folder(&[("sums.c", SUMS)]);
    let path = folder.path();
    let made = for_device(&path.join("sums.c"), &machine(), &[]).expect("each is possible");
    fs::write(path.join("made.c"), &made).expect("a file");
    common::make(path, &["cc", "-O2", "-w", "made.c", "-o", "sums"]);
    let of = |launch: &Value, what: &str| launch[what].as_u64().expect("a number");
    let [rows, columns] = [384, 512];
    let launches = counts(path, &["384", "512", "each"]);
    let shuffles: Vec<u64> = launches.iter().map(|launch| of(launch, "shuffles")).collect();
    assert_eq!((shuffles[0], shuffles[2]), (0, rows * 5), "{made}");
    // Each step has a tree; a row has at most one shuffle besides.
    let steps = rows * (columns / 32) * 5;
    assert!((steps..=steps + rows).contains(&shuffles[1]), "{shuffles:?}");
    // Neighbouring threads read neighbouring elements, unless each has a row.
    let sectors: Vec<u64> = launches.iter().map(|launch| of(launch, "global_sectors")).collect();
    assert!(sectors[0] >= rows * columns && sectors[1] <= rows * columns / 32 * 2, "{sectors:?}");
    assert!(sectors[2] <= rows * columns / 32 * 2, "{sectors:?}");

    let instructions = |columns: &str| {
        let launches = counts(path, &["8", columns]);
        of(&launches[0], "thread_instructions") as f64
    };
    let of_rows = (instructions("131072") - instructions("65536")) / f64::from(8 << 16);
    common::make(path, &["emit", "kernel", "total=sum:i32", "--ptx", "-o", "sum.ptx"]);
    let of_sum = main_loop(&fs::read_to_string(path.join("sum.ptx")).expect("PTX"));
    assert!(of_rows <= 1.1 * of_sum, "{of_rows} and {of_sum} for each element\n{made}");
}

/// The instructions of a kernel's main loop, which has several loads of four elements, for each element.
fn main_loop(ptx: &str) -> f64 {
    let mut found = None;
    let mut body: Vec<&str> = Vec::new();
    for line in ptx.lines().map(str::trim).filter(|line| !line.starts_with(['.', '/']) && !line.is_empty()) {
        if line.starts_with("$L") {
            body.clear();
            continue;
        }
        body.push(line);
        let loads = body.iter().filter(|line| line.starts_with("ld.global") && line.contains(".v4.")).count();
        if line.contains("bra") && loads > 1 {
            found = found.or(Some(body.len() as f64 / (4 * loads) as f64));
        }
    }
    found.expect("a main loop")
}

/// `WARPFOLD_BLESS=1` writes the expected file.
#[test]
fn rows_are_divided_among_threads_as_expected() {
    let of_tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gpu_strategies");
    let source = fs::read_to_string(of_tests.join("rows.c")).expect("the rows");
    let folder = common::folder(&[("rows.c", &source)]);
    let arguments = ["parallelize", "rows.c", "--target=gpu", "--order=free", "-o", "made.c"];
    common::make(folder.path(), &arguments);
    let made = fs::read_to_string(folder.path().join("made.c")).expect("the output");
    let expected = of_tests.join("rows.expected.c");
    if env::var_os("WARPFOLD_BLESS").is_some() {
        fs::write(&expected, &made).expect("the expected file");
    }
    let expected = fs::read_to_string(expected).expect("the expected file");
    assert!(made == expected, "rows.expected.c differs; WARPFOLD_BLESS=1 rewrites it. Now it is\n{made}");
    // Other compilers take it, too.
    let mut gcc = std::process::Command::new("gcc");
    gcc.args(["-fopenmp", "-fsyntax-only", "-Wall", "-Werror", "-Wno-unknown-pragmas"]).arg("made.c");
    let output = gcc.current_dir(folder.path()).output().expect("gcc");
    assert!(output.status.success(), "{}", common::text(&output.stderr));
}

/// A thread for each row, or column, where there are many; otherwise teams that are larger where rows are few, and several
/// threads for each column.
#[test]
fn the_model_chooses_the_threads_of_a_row() {
    let rows = "void rows(int n, int m, const float a[restrict n][m], float *restrict o) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      o[i] += a[i][j];
#pragma endscop
}
";
    let folder = common::folder(&[("rows.c", rows), ("columns.c", &rows.replace("a[i][j]", "a[j][i]"))]);
    let made = |file: &str, n: i64, m: i64| {
        for_device(&folder.path().join(file), &machine(), &[("n", n), ("m", m)]).expect("it is parallel")
    };
    let threads = "#pragma omp target teams distribute parallel for\n";
    for (file, n, m, form) in [
        ("rows.c", 1 << 20, 64, threads),
        ("rows.c", 10_000, 10_000, "target teams distribute thread_limit(32)\n"),
        ("rows.c", 100, 1_000_000, "target teams distribute thread_limit(256)\n"),
        ("rows.c", 10, 1_000_000, "target teams distribute thread_limit(1024)\n"),
        // Several threads have a column then.
        ("columns.c", 10_000, 10_000, "parallel for collapse(2)\n"),
    ] {
        let text = made(file, n, m);
        assert!(text.contains(form), "{file} with {n} and {m}: {text}");
    }
}

#[test]
fn strategies_are_explained_and_rejected() {
    let rows =
        "void rows(int n, int m, const float a[restrict n][m], const int k[restrict n][m], float *restrict o,
          int *restrict s) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      o[i] += a[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s[i] += k[i][j];
#pragma endscop
}
";
    let directed = |strategy: &str| {
        let directive = format!("#pragma warpfold strategy({strategy})\n    for (int j");
        rows.replacen("for (int j", &directive, 1)
    };
    let folder = common::folder(&[
        ("rows.c", rows),
        ("order.c", &directed("vector_accumulator")),
        ("sequential.c", &directed("vector_accumulator, sequential")),
    ]);
    let explained = |file: &str, options: &[&str]| {
        let arguments = [&["parallelize", file, "--target=gpu", "-o", "made.c"], options].concat();
        common::text(&common::warpfold(folder.path(), &arguments).stdout)
    };
    let text = explained("rows.c", &["--explain=5"]);
    for part in [
        "- As `inner_parallel`, a thread has a row: about ",
        " us, 1.000 sectors of memory for each element.",
        "- `inner_reduction` and `vector_accumulator` are not possible: lanes add to `o` in another order",
        "- Chosen on a GPU, unless --strategy or a directive says otherwise: inner_parallel, as the others are not possible.",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let text = explained("rows.c", &["--explain=8"]);
    for part in [
        "- As `inner_reduction, 32`, a team of 32 threads has a row, with 313 shuffle trees: about ",
        "- As `vector_accumulator, 32`, a team of 32 threads has a row, with a shuffle tree: about ",
        " us, 0.125 sectors of memory for each element.",
        "otherwise: vector_accumulator, 32, as it takes the least.",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let text = explained("order.c", &["--report"]);
    assert!(text.contains("the strategy of loop `j`: lanes add to `o` in another order"), "{text}");
    let text = explained("sequential.c", &["--report", "--order=free"]);
    assert!(text.contains("combined by a tree, not one after the other"), "{text}");
    // For all reductions that can have it.
    let text = explained("rows.c", &["--strategy=inner-reduction", "--report"]);
    assert!(!text.contains("stays as it is"), "{text}");
    let made = fs::read_to_string(folder.path().join("made.c")).expect("the output");
    let kernels = ["target teams distribute parallel for\n", "target teams distribute thread_limit(32)\n"];
    assert!(kernels.iter().all(|kernel| made.matches(kernel).count() == 1), "{made}");
}
