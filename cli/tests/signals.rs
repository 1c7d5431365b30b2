//! `warpfold run`: signals and the time limit end a program, which reports where its kernels were.

mod common;

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use common::{command, made, text, warpfold};
use nix::{
    sys::signal::{SigHandler, Signal, kill, signal},
    unistd::Pid,
};

/// A kernel that ends, and one that does not.
const ENDLESS: &str = r#"
#include <stdio.h>
int main(void) {
  volatile int stop = 0;
  int n = 0;
#pragma omp target map(tofrom : n)
  n++;
  printf("%d\n", n);
  fflush(stdout);
#pragma omp target map(tofrom : stop, n)
  while (!stop) // the endless loop
    n++;
  printf("not reached\n");
}
"#;

/// What no test waits for: a machine that does this much else is broken.
const WATCHDOG: Duration = Duration::from_secs(120);

/// Starts a command whose signals have their default actions, whatever the test's own are.
fn start(command: &mut Command) -> Child {
    let defaults = || {
        for number in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
            // SAFETY: no handler is installed.
            unsafe { signal(number, SigHandler::SigDfl)? };
        }
        Ok(())
    };
    // SAFETY: the closure makes system calls only, which is allowed between fork and exec.
    unsafe { command.pre_exec(defaults) };
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

/// The exit status and what was written to standard error.
fn end(mut child: Child) -> (ExitStatus, String) {
    let begun = Instant::now();
    loop {
        match child.try_wait().expect("a child") {
            Some(status) => {
                let mut message = String::new();
                child.stderr.take().expect("a pipe").read_to_string(&mut message).expect("text");
                return (status, message);
            }
            None if begun.elapsed() > WATCHDOG => {
                let _ = child.kill();
                panic!("the program goes on");
            }
            None => thread::sleep(Duration::from_millis(10)),
        }
    }
}

fn send(child: &Child, number: Signal) {
    kill(Pid::from_raw(child.id() as i32), number).expect("the process runs");
}

/// Waits for the first line, after which the endless kernel starts.
fn first_line(child: &mut Child) -> BufReader<std::process::ChildStdout> {
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    output.read_line(&mut line).expect("text");
    assert_eq!(line, "1\n");
    output
}

/// Waits until no process has this word in its command line.
fn gone(word: &str) -> bool {
    let runs = || {
        let processes = fs::read_dir("/proc").expect("/proc").flatten();
        let mut commands = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
        commands.any(|command| text(&command).contains(word))
    };
    let begun = Instant::now();
    while runs() {
        if begun.elapsed() > Duration::from_secs(10) {
            return false;
        }
        thread::sleep(Duration::from_millis(10));
    }
    true
}

fn assert_reported(message: &str, why: &str) {
    for part in [
        &format!("the launch was interrupted: {why}"),
        "in the target region at line 10 of `main`, block (0,0,0) thread (0,0,0)",
        "endless.c:1", // line 11 or 12
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
}

#[test]
fn signals_reach_the_program_and_report_its_kernel() {
    let (folder, _) = made(&[("endless.c", ENDLESS)], &["cc", "-O1", "-g", "endless.c", "-o", "program"]);
    for (number, why) in
        [(Signal::SIGTERM, "SIGTERM"), (Signal::SIGINT, "SIGINT"), (Signal::SIGHUP, "SIGHUP")]
    {
        let mut run = start(&mut command(folder.path(), &["run", "--counts=counts.json", "./program"]));
        let _output = first_line(&mut run);
        // The kernel is started right after the line; one that has not begun is reported without a location.
        thread::sleep(Duration::from_millis(500));
        send(&run, number);
        let (status, message) = end(run);
        assert_eq!(status.code(), Some(128 + number as i32), "{message}");
        assert_reported(&message, why);
        let counts = fs::read(folder.path().join("counts.json")).expect("the counts");
        let counts: serde_json::Value = serde_json::from_slice(&counts).expect("JSON");
        assert_eq!(counts["launches"].as_array().map(Vec::len), Some(1), "{counts}");
        fs::remove_file(folder.path().join("counts.json")).expect("the counts");
    }
}

#[test]
fn the_time_limit_ends_the_program_and_reports_its_kernel() {
    let (folder, _) = made(&[("endless.c", ENDLESS)], &["cc", "-O1", "-g", "endless.c", "-o", "program"]);
    let run = start(&mut command(folder.path(), &["run", "--timeout", "4", "./program"]));
    let (status, message) = end(run);
    assert_eq!(status.code(), Some(124), "{message}");
    assert_reported(&message, "the time of");
    assert!(message.contains("reached its limit of 4 s (`--timeout`)"), "{message}");
}

/// The host part can block, too, and processes can start others.
#[test]
fn no_process_stays_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = |word: &str| format!("sleep {word} & (sleep {word} & sleep {word}); sleep {word}");
    // Unlike any other process's.
    let word = |test: u32| format!("99{test}.{}", std::process::id());
    let shell = |options: &[&str], word: &str| {
        let text = script(word);
        let mut run = command(folder.path(), &[&["run"], options, &["sh", "-c", &text]].concat());
        start(&mut run)
    };
    let (status, message) = end(shell(&["--timeout", "0.5"], &word(1)));
    assert_eq!(status.code(), Some(124), "{message}");
    assert!(message.contains("no kernel was running") && gone(&word(1)), "{message}");

    let run = shell(&[], &word(2));
    thread::sleep(Duration::from_millis(500));
    send(&run, Signal::SIGTERM);
    let (status, message) = end(run);
    assert_eq!(status.code(), Some(143), "{message}");
    assert!(gone(&word(2)), "{message}");

    // A program that ignores the first signal ends with the second.
    let mut run =
        command(folder.path(), &["run", "sh", "-c", &format!("trap '' TERM; {}", script(&word(3)))]);
    let run = start(&mut run);
    thread::sleep(Duration::from_millis(500));
    send(&run, Signal::SIGTERM);
    thread::sleep(Duration::from_millis(500));
    send(&run, Signal::SIGTERM);
    end(run);
    assert!(gone(&word(3)));

    // Nothing can be passed on, but the program itself ends.
    let run = start(&mut command(folder.path(), &["run", "sleep", &word(4)]));
    thread::sleep(Duration::from_millis(500));
    send(&run, Signal::SIGKILL);
    let (status, _) = end(run);
    assert_eq!(status.signal(), Some(9));
    assert!(gone(&word(4)));
}

/// The program's own handler decides.
#[test]
fn a_program_may_handle_the_signal() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "trap 'echo handled; exit 3' TERM; echo 1; while :; do sleep 0.1; done";
    let mut run = start(&mut command(folder.path(), &["run", "sh", "-c", script]));
    let mut output = first_line(&mut run);
    send(&run, Signal::SIGTERM);
    let (status, message) = end(run);
    assert_eq!(status.code(), Some(3), "{message}");
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("text");
    assert_eq!(rest, "handled\n");
}

#[test]
fn a_wrong_time_limit_is_an_error() {
    for limit in ["0", "-1", "x", "inf", "nan", "1e99"] {
        let output = warpfold(Path::new("."), &["run", &format!("--timeout={limit}"), "true"]);
        assert_eq!(output.status.code(), Some(2), "{limit}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("number of seconds"), "{}", text(&output.stderr));
    }
}

#[test]
fn folders_of_libraries_are_named_exactly() {
    let folder = tempfile::tempdir().expect("a folder");
    let listed = |current: &str| {
        let mut run = command(folder.path(), &["run", "sh", "-c", "echo $LD_LIBRARY_PATH; exit 7"]);
        text(&run.env("LD_LIBRARY_PATH", current).output().expect("it starts").stdout)
    };
    // An empty entry would mean the current folder.
    let list = listed("");
    assert!(list.ends_with("/driver\n") && !list.contains(':'), "{list}");
    assert!(listed("/x").ends_with("/driver:/x\n"), "{}", listed("/x"));

    let cache = folder.path().join("a:b");
    let output =
        command(folder.path(), &["run", "true"]).env("WARPFOLD_CACHE", &cache).output().expect("it starts");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(125), "{message}");
    assert!(message.contains("a:b") && message.contains("colon"), "{message}");
}
