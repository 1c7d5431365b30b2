//! What linking says of programs at -O2: nothing. A kernel that may call itself again, through pointers as well, has
//! a stack of unknown size, and NVIDIA's tools say so; the runtime must not be the reason.

mod common;

use std::path::Path;

use common::{folder, text, warpfold};

/// Programs of `tests-gpu/programs`. Not among them is `tasks.c`: linked before it is optimised, tasks that start
/// tasks are called through what is in memory.
const PROGRAMS: [&str; 14] = [
    "allocate.c",
    "chunks.c",
    "distribute.c",
    "generic.c",
    "library.c",
    "loops.c",
    "nested.c",
    "operators.c",
    "reduce.c",
    "schedules.c",
    "shapes.c",
    "sum.c",
    "sync.c",
    "threads.c",
];

/// As the compiler and both linkers say it, of each program that they say something of.
fn remarks(options: &[&str]) -> Vec<String> {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("tests-gpu").join("programs");
    let built = folder(&[]);
    let mut said = Vec::new();
    for name in PROGRAMS {
        let source = programs.join(name).to_string_lossy().into_owned();
        let command = [&["cc"], options, &[&source, "-o", "program", "-latomic", "-lm"]].concat();
        let output = warpfold(built.path(), &command);
        assert!(output.status.success(), "{name} {options:?}: {}", text(&output.stderr));
        let lines = text(&output.stderr);
        said.extend(lines.lines().map(|line| format!("{name} {options:?}: {line}")));
    }
    said
}

#[test]
fn nothing_is_said_of_programs_without_recursion() {
    for options in [&["-O2"][..], &["-O2", "-foffload-lto"]] {
        assert_eq!(remarks(options), Vec::<String>::new());
    }
}

/// So that silence means something: a function that calls itself is told of.
#[test]
fn a_recursion_is_told() {
    const RECURSION: &str = "
#pragma omp begin declare target
int fibonacci(int x) { return x < 2 ? x : fibonacci(x - 1) + fibonacci(x - 2); }
#pragma omp end declare target
int main(int count, char **words) {
  int x = count;
#pragma omp target map(tofrom : x)
  x = fibonacci(x);
  return x;
}
";
    let folder = folder(&[("recursion.c", RECURSION)]);
    let output = warpfold(folder.path(), &["cc", "-O2", "recursion.c", "-o", "program"]);
    let said = text(&output.stderr);
    assert!(output.status.success() && said.contains("cannot be statically determined"), "{said}");
}
