//! The search for the forms of nests: its costs, its schemes, and C that is made of what it finds.

#[path = "common/programs.rs"]
mod programs;

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    time::{Duration, Instant},
};

use loop_compiler::{
    Options, c,
    ir::{Node, Region},
    notation::parse,
    parallelize::{CPU, Goal, Machine, Original, Scheme, parallelize_by},
    report::FloatOrder,
    rewrite,
    search::placements,
};
use programs::{Folder, compiled, printed};

fn options(sizes: &[(&str, i64)]) -> Options {
    let sizes: BTreeMap<String, i64> =
        sizes.iter().map(|(name, size)| ((*name).to_string(), *size)).collect();
    Options { sizes, ..Options::default() }
}

fn by<'g>(scheme: Scheme, machine: &'g Machine, options: &'g Options) -> Goal<'g> {
    Goal { machine, scheme, order: FloatOrder::Free, options, strategy: None, explained: false }
}

fn region(text: &str) -> Region {
    parse(text, "").unwrap_or_else(|error| panic!("{error}")).remove(0)
}

const FIGURE_7: &str =
    "func @Figure7(nx: index, ny: index, nz: index, P: memref<ny x f64>, Q: memref<nx x ny x f64>,
      R: memref<ny x nz x f64>) {
  for i in range(0 : nx) {
    for j in range(0 : ny) {
      for k in range(0 : nz) {
        P[j] += Q[i, j] * R[j, k]
      }
    }
  }
}";

/// 003 T4: copies and aggregations at the places A, B and C.
#[test]
fn the_table_of_figure_7_comes_out_of_the_model() {
    for (sizes, threads, expected) in [
        ([4, 8, 16], 4.0, [(32.0, 32.0), (32.0, 128.0), (4.0, 128.0)]),
        // p, p NX NY; p NY, p NY NX; p NY, p NY.
        ([5, 7, 9], 3.0, [(21.0, 21.0), (21.0, 105.0), (3.0, 105.0)]),
    ] {
        let machine = Machine { threads, ..CPU.clone() };
        let options = options(&[("nx", sizes[0]), ("ny", sizes[1]), ("nz", sizes[2])]);
        let costs = |text: &str| -> Vec<(f64, f64)> {
            let found = placements(&region(text), by(Scheme::Aware, &machine, &options)).unwrap();
            found.iter().map(|place| (place.copies, place.aggregations)).collect()
        };
        // The loop of `j` needs no copies: it is parallel by itself.
        assert_eq!(costs(FIGURE_7), [expected[0], (0.0, 0.0), expected[2]]);
        // Copies at the place B are of all that the loop of `j` reduces into: around it the loop of `k` is parallel.
        let (j, k) = ("for j in range(0 : ny)", "for k in range(0 : nz)");
        let swapped = FIGURE_7.replace(j, "for K").replace(k, j).replace("for K", k);
        assert_eq!(costs(&swapped), [expected[0], expected[1], (0.0, 0.0)]);
    }
}

/// Loops that the region has in the end, by iterators from the outermost one to the parallel one, and how they are chosen.
fn shape(region: &Region) -> Vec<String> {
    fn visit(region: &Region, nodes: &[Node], around: &[String], found: &mut Vec<String>) {
        for node in nodes {
            match node {
                Node::Loop(looped) => {
                    let name = region.variable(looped.iterator).name.clone();
                    let path: Vec<String> = around.iter().cloned().chain([name]).collect();
                    if looped.parallel {
                        found.push(path.join(" "));
                    }
                    visit(region, &looped.body, &path, found);
                }
                Node::If(guard) => {
                    visit(region, &guard.then, around, found);
                    visit(region, &guard.otherwise, around, found);
                }
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    visit(region, &region.body, &[], &mut found);
    found
}

const COLUMNS: &str = "func @Columns(n: index, m: index, a: memref<n x m x f64>, sum: memref<m x f64>) {
  for i in range(0 : n) {
    for j in range(0 : m) {
      sum[j] += a[i, j]
    }
  }
}";

/// Free parallelism is preferred where reductions have a cost; without one the loop stays that carries the reduction.
#[test]
fn schemes_differ_in_what_they_know_of_reductions() {
    let options = Options::default();
    let made = |text: &str, scheme: Scheme| {
        let made = parallelize_by(&region(text), by(scheme, &CPU, &options)).unwrap();
        shape(&made.region.unwrap())
    };
    assert_eq!(made(COLUMNS, Scheme::Codegen), ["i_part"]);
    assert_eq!(made(COLUMNS, Scheme::Scheduling), ["i_part"]);
    assert_eq!(made(COLUMNS, Scheme::Aware), ["i_part", "j_tile"]);
}

/// The region keeps its loops if nothing is better, and says what was considered.
#[test]
fn what_was_considered_is_sorted_by_its_cost() {
    let options = Options::default();
    let begin = Instant::now();
    let made = parallelize_by(&region(COLUMNS), by(Scheme::Aware, &CPU, &options)).unwrap();
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    let [searched] = &made.searched[..] else { panic!("{:?}", made.searched) };
    assert!(searched.considered.len() >= 8, "{}", searched.considered.len());
    assert!(searched.considered.is_sorted_by(|first, second| first.time <= second.time));
    assert_eq!(searched.considered[0].steps, searched.steps);
    let tiles = "schedule(tile(j, 512, j_tile), reorder(j_tile, i, j), parallel(j_tile))";
    let schedules: Vec<String> = searched.considered.iter().map(|form| form.schedule().to_string()).collect();
    assert_eq!(schedules[0], "schedule(parallel(i))");
    assert!(schedules.iter().any(|schedule| schedule == tiles), "{schedules:?}");
    // A person may direct another one.
    let directed = COLUMNS.replacen("  for i", &format!("  {tiles}\n  for i"), 1);
    let again = parallelize_by(&region(&directed), by(Scheme::Codegen, &CPU, &options)).unwrap();
    let few_rows = Options { sizes: BTreeMap::from([("n".into(), 10), ("m".into(), 1_000_000)]), ..options };
    let made = parallelize_by(&region(COLUMNS), by(Scheme::Aware, &CPU, &few_rows)).unwrap();
    // Of few rows the copies would be as large as the matrix: free parallelism is better.
    let best = &made.searched[0].considered[0];
    assert_eq!(
        (best.schedule().to_string().as_str(), best.copies),
        ("schedule(reorder(j, i), parallel(j))", 0.0)
    );
    assert_eq!(shape(&again.region.unwrap()), ["j_tile"]);
}

/// BiCG: whether the matrix is read once, with a copy of a whole vector for each worker, or twice in tiles without copies
/// depends on the sizes and on the number of workers, and is decided when the program is executed.
#[test]
fn forms_are_chosen_by_sizes_and_threads() {
    let folder = Folder::new("searched");
    for name in ["bicg", "column_sums"] {
        let file = folder.0.join(format!("{name}.c"));
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../examples/loops/{name}.c"));
        fs::copy(path, &file).unwrap();
        let input = c::Input {
            clang: Path::new("clang-22"),
            file: &file,
            arguments: &[],
            auto: false,
            assume_distinct: false,
        };
        let source = c::read(&input).unwrap();
        let options = Options::default();
        let mut shapes = Vec::new();
        let text = rewrite::rewritten(&source, |region| {
            let tree = region.tree.as_ref().unwrap();
            let made = parallelize_by(tree, by(Scheme::Aware, &CPU, &options)).unwrap();
            shapes.extend(shape(made.region.as_ref().unwrap()));
            made.text(&Original::from(tree))
        });
        let text = String::from_utf8(text).unwrap();
        match name {
            "bicg" => {
                assert!(shapes.iter().any(|shape| shape == "i_part"), "{shapes:?}");
                assert!(shapes.iter().any(|shape| shape == "j_tile"), "{shapes:?}");
                let choice = text.lines().find(|line| line.contains(" <= ")).unwrap();
                assert!(
                    choice.contains("workers") && choice.contains(") n") && choice.contains(") m"),
                    "{choice}"
                );
            }
            _ => assert_eq!(shapes, ["i_part", "j_tile"]),
        }
        let parallel = folder.0.join(format!("{name}_parallel.c"));
        fs::write(&parallel, &text).unwrap();
        let warnings =
            ["-Wall", "-Werror", "-Wno-unused-variable", "-Wno-unknown-pragmas", "-Wno-pass-failed"];
        let strict: Vec<&str> =
            ["-O1", "-fopenmp", "-fsanitize=undefined"].into_iter().chain(warnings).collect();
        let (expected, found) =
            (compiled("clang-22", &["-O1"], &file), compiled("clang-22", &strict, &parallel));
        for sizes in [&["1300", "900"][..], &["40", "30000"], &["30000", "40"], &["3", "2"], &["0", "5"]] {
            let wanted = printed(&expected, "1", sizes);
            for threads in ["1", "2", "64"] {
                assert_eq!(
                    printed(&found, threads, sizes),
                    wanted,
                    "{name} {sizes:?} with {threads} threads"
                );
            }
        }
    }
}

/// What directives say is done, or rejected with the dependence.
#[test]
fn directives_are_performed_or_rejected() {
    let folder = Folder::new("directed");
    let made = |name: &str, directive: &str, body: &str| {
        let file = folder.0.join(format!("{name}.c"));
        let text = format!(
            "int f(int n, int m, double a[restrict n][m], double s[restrict m]) {{\n int k, l;\n#pragma scop\n{directive}\n{body}\n\
             #pragma endscop\nreturn k + l;\n}}\n"
        );
        fs::write(&file, text).unwrap();
        let input = c::Input {
            clang: Path::new("clang-22"),
            file: &file,
            arguments: &[],
            auto: false,
            assume_distinct: false,
        };
        let source = c::read(&input).unwrap();
        let tree = source.regions[0].tree.clone().unwrap();
        let options = Options::default();
        let made =
            parallelize_by(&tree, by(Scheme::Aware, &CPU, &options)).map_err(|error| error.to_string())?;
        let text = made.text(&Original::from(&tree)).unwrap_or_default();
        fs::write(
            &file,
            format!(
                "void f(int n, int m, double a[restrict n][m], double s[restrict m]) {{ int k, l; {text} }}"
            ),
        )
        .unwrap();
        compiled(
            "clang-22",
            &["-fopenmp", "-shared", "-fPIC", "-Wall", "-Werror", "-Wno-unused-variable"],
            &file,
        );
        Ok::<String, String>(text)
    };
    let sums = "for (int i = 0; i < n; i++)\n for (int j = 0; j < m; j++)\n  s[j] += a[i][j];";
    let text = made(
        "columns",
        "#pragma warpfold schedule(tile(j, 64, j_tile), \\\n  reorder(j_tile, i, j), parallel(j_tile), vectorize(j))",
        sums,
    );
    let text = text.unwrap();
    assert!(
        text.contains("#pragma omp parallel for firstprivate(n, m, s, a)\n")
            && text.contains("#pragma omp simd\n"),
        "{text}"
    );
    assert!(text.contains("j_tile += 64") && !text.contains("warpfold"), "{text}");
    // Where there is little to do, no loop is parallel: the copies are missing there.
    let both = "#pragma warpfold schedule(tile(i, 8, i_tile), tile(j, 8, j_tile), reorder(j_tile, i_tile, i, j), \
                parallel(j_tile), parallel(i_tile))";
    let text = made("both", both, sums).unwrap();
    assert_eq!(text.matches("#pragma omp parallel for").count(), 1, "{text}");
    let rows = "for (int i = 0; i < n; i++)\n for (int j = 0; j < m; j++)\n  s[i] += a[i][j];";
    let text = made("rows", "#pragma warpfold schedule(parallel(i), vectorize(j))", rows).unwrap();
    assert!(text.contains("#pragma omp simd reduction(+: s_in_lanes)"), "{text}");
    // Iterators that are declared before their loops keep their last values for those who read them.
    let before = "for (k = 0; k < n; k++)\n for (l = 0; l < m; l++)\n  s[l] += a[k][l];";
    let text = made("before", "#pragma warpfold schedule(reorder(l, k), parallel(l))", before).unwrap();
    assert!(
        text.contains("for (int l_own = 0; l_own < m; l_own++)") && text.contains("for (l = 0; l < m; l++)"),
        "{text}"
    );
    let text = made("annotated", "#pragma omp parallel for", sums).unwrap();
    assert!(text.contains("s_of[i_part]") && text.matches("#pragma omp parallel for").count() == 1, "{text}");
    let text = made("right", "#pragma omp parallel for reduction(+: s[:m])", sums).unwrap();
    assert_eq!(text, "");
    let recurrence = "for (int i = 1; i < n; i++)\n a[i][0] = a[i - 1][0] + 1;";
    let error = made("wrong", "#pragma omp parallel for", recurrence).unwrap_err();
    assert!(
        error.contains("annotations: a directive makes loop `i` parallel, but it is not: line 6 writes `a`"),
        "{error}"
    );
    let error = made("unknown", "#pragma warpfold schedule(parallel(k))", sums).unwrap_err();
    assert!(error.contains("schedules: parallel(k): there is no loop `k`; loops are `i`, `j`"), "{error}");
    let error = made("size", "#pragma warpfold schedule(tile(i, q, t))", sums).unwrap_err();
    assert!(error.contains("`q` is no size"), "{error}");
    let error = made("form", "#pragma warpfold schedule(unroll(i))", sums).unwrap_err();
    assert!(error.contains("`unroll` is no step"), "{error}");
}
