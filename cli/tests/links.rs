//! Linking programs at -O2 prints no messages. For a kernel with possible recursion, also through pointers,
//! NVIDIA's tools report a stack of unknown size; the runtime must not cause this.

mod common;

use std::path::Path;

use common::{folder, text, warpfold};

/// Programs of `tests-gpu/programs`. `tasks.c` is left out: with -foffload-lto, tasks that create tasks are
/// called through pointers in memory.
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

/// The messages of the compiler and both linkers for each program.
fn messages(options: &[&str]) -> Vec<String> {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("tests-gpu").join("programs");
    let built = folder(&[]);
    let mut messages = Vec::new();
    for (at, name) in PROGRAMS.into_iter().enumerate() {
        // Every program in one mode.
        if !common::is_nightly() && at % 2 != options.len() % 2 {
            continue;
        }
        let source = programs.join(name).to_string_lossy().into_owned();
        let command = [&["cc"], options, &[&source, "-o", "program", "-lm"]].concat();
        let output = warpfold(built.path(), &command);
        assert!(output.status.success(), "{name} {options:?}: {}", text(&output.stderr));
        let lines = text(&output.stderr);
        messages.extend(lines.lines().map(|line| format!("{name} {options:?}: {line}")));
    }
    messages
}

#[test]
fn programs_without_recursion_link_without_messages() {
    for options in [&["-O2"][..], &["-O2", "-foffload-lto"]] {
        assert_eq!(messages(options), Vec::<String>::new());
    }
}

/// The counterpart of the test above: recursion is reported.
#[test]
fn recursion_is_reported() {
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
    let message = text(&output.stderr);
    assert!(output.status.success() && message.contains("cannot be statically determined"), "{message}");
}
