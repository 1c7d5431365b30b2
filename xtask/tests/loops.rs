//! `cargo xtask loops` with files of its own.

mod common;

use std::{fs, path::Path, process::Output};

use serde_json::Value;

const GOOD: &str = "#include \"size.h\"\nint f(const int *restrict a) {\n  int s = 0;\n#pragma scop\n  for (int i = 0; i < SIZE * K; i++)\n    \
                    s += a[i];\n#pragma endscop\n  return s;\n}\n";

const REJECTED: &str = "int next(void);\nvoid g(int *restrict a) {\n#pragma scop\n  for (int i = 0; i < 9; i++)\n    a[i] = next();\n\
                        #pragma endscop\n}\n";

fn loops(arguments: &[&Path]) -> Output {
    common::xtask("loops", arguments)
}

#[test]
fn files_are_counted_and_one_that_is_not_read_does_not_end_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("inner")).expect("a folder");
    for (name, text) in [
        ("inner/good.c", GOOD),
        ("inner/size.h", "#define SIZE 9\n"),
        ("rejected.c", REJECTED),
        ("wrong.c", "int x\n"),
        ("other.txt", "text\n"),
    ] {
        fs::write(at(name), text).expect("a file");
    }
    let output = loops(&[folder.path(), "--define=K=2".as_ref(), "--json".as_ref(), &at("r.json")]);
    assert!(output.status.success(), "{output:?}");
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(
        table.contains("wrong.c:1:6: error: expected ';'") && table.contains("3 files; rejected: calls 1"),
        "{table}"
    );
    let report: Value = serde_json::from_slice(&fs::read(at("r.json")).expect("a file")).expect("JSON");
    let outcomes: Vec<_> =
        report["files"].as_array().expect("a list").iter().map(|file| &file["outcome"]).collect();
    assert_eq!(outcomes, ["good", "good", "not read"]);
    assert_eq!((&report["all"]["regions"], &report["all"]["reductions"]), (&2.into(), &1.into()));
    assert_eq!(report["all"]["loops"]["reduction"], 1);
}

#[test]
fn an_empty_folder_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.c"), "int x;\n").expect("a file");
    for (said, remove) in [("no file in", true), ("has no .c files", false)] {
        let output = loops(&[folder.path()]);
        assert!(!output.status.success());
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(said), "{message}");
        if remove {
            fs::remove_file(folder.path().join("a.c")).expect("it is there");
        }
    }
}
