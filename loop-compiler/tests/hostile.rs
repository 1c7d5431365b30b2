//! Programs whose loops ask for wrong code: legal C as gcc compiles it at -O0 against the parallel C, in every order, by
//! clang and gcc, with 1, 2 and 7 threads, also where a test for work would keep the loops of the source. Comments at the
//! top of a file, `// rejected: …`, say for which reasons regions may be rejected: all others are read.

#[path = "common/programs.rs"]
mod programs;

use std::{fs, path::Path, process::Command};

use loop_compiler::{
    Options, c,
    parallelize::{CPU, Machine, Original, parallelize},
    report::FloatOrder,
    rewrite,
};
use programs::{Folder, compiled, printed};

/// A file with parallel loops. Its regions are rejected for the reasons that it states alone.
fn parallelized(file: &Path, order: FloatOrder, rejected: &[&str]) -> Vec<u8> {
    // Without pragmas.
    let auto = fs::read_to_string(file).unwrap().starts_with("// every loop");
    let input = c::Input { clang: Path::new("clang-22"), file, arguments: &[], auto, assume_distinct: false };
    let source = c::read(&input).unwrap();
    let mut left: Vec<&str> = rejected.to_vec();
    for region in &source.regions {
        if let Err(rejection) = &region.tree {
            let known = left.iter().position(|reason| rejection.reason.contains(reason));
            let known = known.unwrap_or_else(|| panic!("{}:{}: {rejection}", file.display(), region.at.line));
            left.remove(known);
        }
    }
    assert!(left.is_empty(), "{}: not rejected: {left:?}", file.display());
    let machine = Machine { least_work: 0, ..CPU.clone() };
    assert!(!source.regions.is_empty());
    rewrite::rewritten(&source, |region| {
        let tree = region.tree.as_ref().ok()?;
        // What cannot be parallel stays as it is.
        parallelize(tree, order, &machine, &Options::default()).ok()?.text(&Original::from(tree))
    })
}

fn check(name: &str) {
    let folder = Folder::new(&format!("hostile_{name}"));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/hostile/{name}.c"));
    let text = fs::read_to_string(&file).unwrap();
    let rejected: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("// rejected: ")).collect();
    let copy = folder.0.join(format!("{name}.c"));
    fs::copy(&file, &copy).unwrap();
    let expected = printed(&compiled("gcc", &["-O0", "-w"], &copy), "1", &[]);
    for order in [FloatOrder::Kept, FloatOrder::Free, FloatOrder::Fixed] {
        let source = folder.0.join(format!("{name}_{order:?}.c"));
        fs::write(&source, parallelized(&copy, order, &rejected)).unwrap();
        for compiler in ["clang-22", "gcc"] {
            let program = compiled(compiler, &["-O2", "-w", "-fopenmp"], &source);
            for threads in ["1", "2", "7"] {
                let found = printed(&program, threads, &[]);
                assert_eq!(found, expected, "{name}, {order:?}, by {compiler} with {threads} threads");
            }
        }
    }
}

/// Comments at the top of the file say what other options do: `// -DN=7: N` is rejected for that macro, `// -DK: none` is not.
#[test]
fn macros_are_those_of_the_analysis() {
    let folder = Folder::new("hostile_macros");
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    for file in ["macros.c", "macros.h"] {
        fs::copy(tests.join(file), folder.0.join(file)).unwrap();
    }
    let made = folder.0.join("made.c");
    fs::write(&made, parallelized(&folder.0.join("macros.c"), FloatOrder::Kept, &[])).unwrap();
    let text = fs::read_to_string(&made).unwrap();
    // What is the same as it was has none.
    assert_eq!(
        text.matches("#pragma omp parallel").count(),
        text.matches("  {\n#define WARPFOLD_TEXT_OF").count()
    );
    let cases: Vec<_> = text.lines().map_while(|line| line.strip_prefix("// ")?.split_once(": ")).collect();
    assert!(cases.len() > 8, "{cases:?}");
    for (option, name) in cases {
        for compiler in ["gcc", "clang-22"] {
            let options = option.split_whitespace();
            let mut command = Command::new(compiler);
            command
                .current_dir(&folder.0)
                .args(["-Wall", "-Wno-unknown-pragmas", "-c", "made.c"])
                .args(options);
            let output = command.output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            match name {
                "none" => {
                    assert!(output.status.success() && errors.is_empty(), "{compiler} {option}: {errors}")
                }
                _ => {
                    let reason = format!("these loops were made for another {name}");
                    let first = errors.lines().find(|line| line.contains("error:")).unwrap_or_default();
                    assert!(first.contains(&reason), "{compiler} {option}: {errors}");
                }
            }
        }
    }
}

#[test]
fn pointers_of_every_provenance() {
    check("pointers");
}

#[test]
fn minima_and_maxima_through_conversions() {
    check("extremes");
}

#[test]
fn loops_that_macros_begin_or_end() {
    check("expansions");
}

#[test]
fn elements_that_no_iteration_accesses() {
    check("absent");
}

#[test]
fn copies_in_loops_with_copies() {
    check("nested");
}

#[test]
fn accumulators_that_are_narrow() {
    check("narrow");
}

#[test]
fn regions_and_functions() {
    check("regions");
}
