//! Files with parallel loops: `examples/loops` as `--target cpu` writes them, compiled by clang and gcc, print with any
//! number of threads what the original prints; so do sizes below the least work.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use loop_compiler::{
    Options, c,
    parallelize::{CPU, parallelize},
    report::FloatOrder,
    rewrite,
};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = env::temp_dir().join(format!("loop-compiler-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The file with parallel loops, and how many loops were chosen.
fn transformed(file: &Path, order: FloatOrder) -> (Vec<u8>, usize) {
    let input =
        c::Input { clang: Path::new("clang-22"), file, arguments: &[], auto: false, assume_distinct: false };
    let source = c::read(&input).unwrap();
    let mut chosen = 0;
    let text = rewrite::rewritten(&source, |region| {
        let tree = region.tree.as_ref().unwrap();
        let made = parallelize(tree, order, &CPU, &Options::default())
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        chosen += made.alternatives.iter().filter(|alternative| alternative.chosen).count();
        made.text(tree, None)
    });
    (text, chosen)
}

fn compiled(compiler: &str, options: &[&str], source: &Path) -> PathBuf {
    let program = source.with_extension(compiler);
    let mut command = Command::new(compiler);
    let output = command.args(options).arg(source).arg("-o").arg(&program).arg("-lm").output().unwrap();
    let messages = String::from_utf8_lossy(&output.stderr);
    let text = fs::read_to_string(source).unwrap();
    assert!(output.status.success(), "{compiler} {}: {messages}\n{text}", source.display());
    program
}

fn printed(program: &Path, threads: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(program);
    let output = command.env("OMP_NUM_THREADS", threads).args(arguments).output().unwrap();
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{} with {threads} threads: {messages}", program.display());
    String::from_utf8(output.stdout).unwrap()
}

/// Each example, whether it is parallel without an order of floats, and small sizes.
const EXAMPLES: [(&str, bool); 5] =
    [("column_sums", true), ("bicg", false), ("histogram", true), ("argmax", true), ("covariance", true)];

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
static double x[300000], s, p = 1, column[50];
int main(void) {
  for (int i = 0; i < 300000; i++) x[i] = 1.0 / (i + 1);
#pragma scop
  for (int i = 0; i < 300000; i++) {
    s += x[i];
    p *= 1 + x[i] / 1000;
    column[i % 50] += x[i];
  }
#pragma endscop
  printf("%a %a %a %a\n", s, p, column[0], column[49]);
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
