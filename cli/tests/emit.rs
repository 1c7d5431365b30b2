//! `warpfold emit`, as a person runs it.

use std::process::Command;

fn warpfold(arguments: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_warpfold")).args(arguments).output().expect("the program starts")
}

#[test]
fn the_header_goes_to_standard_output_or_a_file() {
    let printed = warpfold(&["emit", "header"]);
    assert!(printed.status.success(), "{printed:?}");
    let text = String::from_utf8(printed.stdout).expect("text");
    assert!(text.contains("int32_t __warpfold_block_reduce(void *list, "), "{text}");

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("warpfold.h");
    let written = warpfold(&["emit", "header", "-o", file.to_str().expect("a plain path")]);
    assert!(written.status.success() && written.stdout.is_empty(), "{written:?}");
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), text);

    let nowhere = folder.path().join("missing").join("warpfold.h");
    let failed = warpfold(&["emit", "header", "-o", nowhere.to_str().expect("a plain path")]);
    let message = String::from_utf8_lossy(&failed.stderr).into_owned();
    assert!(!failed.status.success() && message.contains("cannot write"), "{message}");
}
