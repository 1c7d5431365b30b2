//! Runs the examples of a page of the documentation.
//!
//! What a fenced block is, its first line says:
//!
//! * ` ```console `: lines `$ COMMAND`, each followed by the output, standard error included, which must be the same.
//!   A command that ends with `\` continues in the next line.
//! * ` ```sh `: commands that must succeed; ` ```sh no-run ` is not run.
//! * ` ```LANGUAGE file=NAME `: a file of that name, which may be in a folder.
//!
//! Other blocks are not looked at. The blocks of a page run in order, in one folder that is empty at first. The program
//! `warpfold` is the one that was built, on the emulator; this repository is at `../warpfold`.

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::Path,
    process::{Command, Output},
};

/// What a page asks to be done.
#[derive(Debug, PartialEq)]
enum Step {
    File { name: String, text: String },
    Script { line: usize, text: String },
    Console { line: usize, command: String, output: String },
}

/// The steps of a page.
fn steps(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut lines = (1..).zip(page.lines());
    while let Some((line, first)) = lines.next() {
        let Some(info) = first.strip_prefix("```") else {
            continue;
        };
        let block: Vec<_> = lines.by_ref().take_while(|(_, line)| *line != "```").collect();
        let text = || block.iter().map(|(_, line)| format!("{line}\n")).collect();
        match (info, info.split_once(" file=")) {
            (_, Some((_, name))) => steps.push(Step::File { name: name.to_owned(), text: text() }),
            ("sh", None) => steps.push(Step::Script { line, text: text() }),
            ("console", None) => console(&block, &mut steps),
            _ => {}
        }
    }
    steps
}

fn console(block: &[(usize, &str)], steps: &mut Vec<Step>) {
    let mut continues = false;
    for &(line, text) in block {
        match (text.strip_prefix("$ "), steps.last_mut()) {
            (None, Some(Step::Console { command, .. })) if continues => {
                *command += &format!("\n{text}");
                continues = text.ends_with('\\');
            }
            (None, Some(Step::Console { output, .. })) => *output += &format!("{text}\n"),
            (command, _) => {
                let command = command
                    .unwrap_or_else(|| panic!("line {line}: a console block starts with `$ `"))
                    .to_owned();
                continues = command.ends_with('\\');
                steps.push(Step::Console { line, command, output: String::new() });
            }
        }
    }
}

/// The files of a page, whose path is relative to the repository: name and text.
#[allow(dead_code, reason = "not every test uses it")]
pub fn files(path: &str) -> Vec<(String, String)> {
    let steps = steps(&read(path)).into_iter();
    steps
        .filter_map(|step| match step {
            Step::File { name, text } => Some((name, text)),
            Step::Script { .. } | Step::Console { .. } => None,
        })
        .collect()
}

fn read(path: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    fs::read_to_string(page).expect("the page")
}

/// Runs the examples of a page, whose path is relative to the repository; panics where one of them is not true.
#[allow(dead_code, reason = "not every test uses it")]
pub fn run(path: &str) {
    let steps = steps(&read(path));
    assert!(!steps.is_empty(), "{path} has no examples");
    let all = tempfile::tempdir().expect("a folder");
    symlink(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), all.path().join("warpfold")).expect("a link");
    let folder = &all.path().join("page");
    fs::create_dir(folder).expect("a folder");
    let mut differences = Vec::new();
    for step in steps {
        match step {
            Step::File { name, text } => {
                let path = folder.join(name);
                fs::create_dir_all(path.parent().expect("it is in the folder")).expect("a folder");
                fs::write(path, text).expect("a file");
            }
            Step::Script { line, text } => {
                let output = bash(folder, &format!("set -euo pipefail\n{text}"));
                let shown = String::from_utf8_lossy(&output.stdout);
                assert!(output.status.success(), "{path}, line {line}: {}\n{text}{shown}", output.status);
            }
            Step::Console { line, command, output: expected } => {
                let output = bash(folder, &command);
                let found = String::from_utf8_lossy(&output.stdout);
                if found != expected {
                    differences
                        .push(format!("{path}, line {line}: $ {command}\n{found}instead of\n{expected}"));
                }
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Runs a script; standard error is part of the output.
fn bash(folder: &Path, script: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_warpfold")).parent().expect("a folder");
    let others = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([program.to_path_buf()].into_iter().chain(env::split_paths(&others)))
        .expect("a path");
    Command::new("bash")
        .args(["-c", &format!("exec 2>&1\n{script}")])
        .current_dir(folder)
        .env("PATH", path)
        .env("WARPFOLD_DEVICE", "emulator")
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        // A reader has not what cargo sets for the tests of this workspace.
        .env_remove("CUDA_LIBRARY_PATH")
        .output()
        .expect("bash")
}

#[test]
fn blocks_become_steps() {
    let page = "a\n```c file=x.c\nint x;\n```\n```sh\ntrue\n```\n```sh no-run\nfalse\n```\n```console\n\
                $ echo a \\\n  b\na b\n$ true\n```\n";
    let console = |line, command: &str, output: &str| Step::Console {
        line,
        command: command.into(),
        output: output.into(),
    };
    assert_eq!(
        steps(page),
        [
            Step::File { name: "x.c".into(), text: "int x;\n".into() },
            Step::Script { line: 5, text: "true\n".into() },
            console(12, "echo a \\\n  b", "a b\n"),
            console(15, "true", ""),
        ]
    );
}
