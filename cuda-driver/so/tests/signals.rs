//! Signals that end a process of the driver's, wherever it is.

mod common;

use std::{
    io::{BufRead, BufReader},
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use common::{Folder, succeed, text};

const HEAD: &str = ".version 8.3\n.target sm_80\n.address_size 64\n";

fn program(folder: &Folder) -> PathBuf {
    let program = folder.path().join("interrupted");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/interrupted.c");
    let mut clang = Command::new("clang-22");
    clang.args(["-O1", "-Wall", "-Werror", "-o"]).arg(&program).arg(source);
    succeed(clang.arg("-L").arg(folder.path()).arg("-lcuda"));
    program
}

/// Interrupts the program a moment after it is ready; returns its messages.
fn interrupted(folder: &Folder, action: &str, image: &Path, jobs: &str) -> String {
    let mut command = folder.command(program(folder));
    command.arg(action).arg(image).env("WARPFOLD_REPORT_SIGNALS", "1").env("WARPFOLD_JOBS", jobs);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut ready = String::new();
    BufReader::new(child.stdout.take().expect("it is a pipe")).read_line(&mut ready).expect("it prints");
    assert_eq!(ready, "ready\n");
    thread::sleep(Duration::from_millis(100));
    let since = Instant::now();
    succeed(Command::new("kill").args(["-INT", &child.id().to_string()]));
    while child.try_wait().expect("it is a child").is_none() && since.elapsed().as_secs() < 60 {
        thread::sleep(Duration::from_millis(10));
    }
    // A process that has ended is not there to be killed.
    let _ = child.kill();
    let output = child.wait_with_output().expect("it is a child");
    let messages = text(&output);
    assert_eq!(output.status.signal(), Some(2), "{messages}");
    messages
}

#[test]
fn a_launch_of_very_many_tiny_blocks_ends_with_a_report() {
    let folder = Folder::new();
    let image = folder.file("empty.ptx", format!("{HEAD}.visible .entry empty() {{ ret; }}\n"));
    for jobs in ["1", "2"] {
        let messages = interrupted(&folder, "launch", &image, jobs);
        assert!(messages.contains("kernel empty: the launch was interrupted: SIGINT (Ctrl-C)"), "{messages}");
    }
}

#[test]
fn a_process_that_loads_a_module_ends() {
    let folder = Folder::new();
    let variables: String = (0..500_000).map(|n| format!(".global .u32 v{n};\n")).collect();
    let image = folder.file("variables.ptx", format!("{HEAD}{variables}"));
    assert_eq!(interrupted(&folder, "load", &image, "1"), "");
}
