//! Parallel code in functions of its own: what is moved there, and that the program computes the same.

mod common;

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use common::{folder, text, warpfold};

const SHAPES: &str = include_str!("outlined/shapes.c");

/// The functions whose code has to stay: a length changes, a structure is large, a variable is `static`, a type is the
/// function's own, an inline function is part of other files, what pragmas and attributes say goes for this function alone, and
/// vectors of a complex result would take longer.
const STAY: [&str; 9] =
    ["lengthened", "of_grid", "kept", "parts", "own_type", "shared", "contracted", "unrolled", "targeted"];

/// Compiles a program and returns what it prints for some threads and a size.
fn printed(folder: &Path, compiler: &str, optimize: &str, source: &str) -> Vec<String> {
    let program = format!("{source}.{compiler}");
    // The pragmas of regions and a hint for clang are unknown to gcc.
    let options = ["-fopenmp", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-std=gnu17"];
    // Functions without prototypes are older than some compilers' warnings.
    let own: &[&str] = if compiler == "gcc" { &[] } else { &["-Wno-deprecated-non-prototype"] };
    let mut command = Command::new(compiler);
    command.current_dir(folder).args(options).args(own).args([optimize, source, "-o", &program]);
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{compiler} {source}: {}", text(&output.stderr));
    let mut printed = Vec::new();
    for threads in ["1", "2", "7"] {
        for size in ["20", "200000"] {
            let mut command = Command::new(folder.join(&program));
            let output = command.env("OMP_NUM_THREADS", threads).arg(size).output().expect("it starts");
            assert!(output.status.success(), "{compiler} {source} {threads} {size}");
            printed.push(text(&output.stdout));
        }
    }
    printed
}

#[test]
fn functions_of_all_shapes_compute_the_same() {
    let folder = folder(&[("shapes.c", SHAPES)]);
    let make = |order: &str, made: &str| {
        let arguments =
            ["parallelize", "--target", "cpu", "--order", order, "--lines", "shapes.c", "-o", made];
        let output = warpfold(folder.path(), &arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        fs::read_to_string(folder.path().join(made)).expect("the file")
    };
    let made = make("free", "made.c");
    let fixed = make("fixed", "fixed.c");
    let names = made.lines().filter_map(|line| line.strip_prefix("static __attribute__((noinline)) void "));
    let moved: BTreeSet<&str> = names.filter_map(|line| Some(line.split_once("_parallel")?.0)).collect();
    let expected = [
        "inner",
        "last_of",
        "local_array",
        "of_rows",
        "old",
        "old_style",
        "repeated",
        "rows",
        "scaled",
        "sum",
        "temporary",
        "two_regions",
        "weighted",
        "written",
    ];
    assert_eq!(moved.into_iter().collect::<Vec<_>>(), expected, "{made}");
    assert!(STAY.iter().all(|name| SHAPES.contains(&format!(" {name}("))));
    for (compiler, optimize) in [("clang-22", "-O1"), ("clang-22", "-O3"), ("gcc", "-O2")] {
        let original = printed(folder.path(), compiler, optimize, "shapes.c");
        for (file, made) in [("made.c", &made), ("fixed.c", &fixed)] {
            let printed = printed(folder.path(), compiler, optimize, file);
            assert_eq!(printed, original, "{compiler} {optimize}: {made}");
        }
    }
}

#[test]
fn the_source_s_bytes_stay_around_functions() {
    let source = "void f(int n, double *restrict a) {\r\n#pragma scop\r\n  for (int i = 0; i < n; i++) a[i] = 1;\r\n\
                  #pragma endscop\r\n} void g(int f_parallel, double *restrict a) {\r\n#pragma scop\r\n  \
                  for (int i = 0; i < f_parallel; i++) a[i] = 2;\r\n#pragma endscop\r\n}";
    let folder = folder(&[("a.c", source)]);
    let output = warpfold(folder.path(), &["parallelize", "--target", "cpu", "a.c", "-o", "-"]);
    let made = text(&output.stdout);
    let expected = "static __attribute__((noinline)) void f_parallel_2(int n, double *restrict a) {\n  \
                    #pragma omp parallel for simd firstprivate(n, a)\n  for (int i = 0; i < n; i++) {\n    \
                    a[i] = (double) 1;\n  }\n}\n\nvoid f(int n, double *restrict a) {\r\n";
    assert!(made.starts_with(expected), "{made}");
    assert!(made.contains("}\nstatic __attribute__((noinline)) void g_parallel(int f_parallel, "), "{made}");
    assert!(made.contains("\n void g(int f_parallel, double *restrict a) {\r\n"), "{made}");
}
