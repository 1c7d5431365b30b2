//! The limits of `warpfold run`: a message names the limit, and the option or variable that sets it.

mod common;

use common::{command, made, text, warpfold};

/// Maps more memory than it touches, and prints.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  long n = atol(argv[1]) << 20;
  char *a = malloc(n);
#pragma omp target map(alloc : a[:n])
  {
    a[n / 2] = 1;
    for (int i = 0; i < 20000; i++)
      a[i % n]++;
    for (int i = 0; i < 100; i++)
      printf("%500d\n", 7);
  }
  printf("done\n");
}
"#;

#[test]
fn a_limit_that_is_reached_is_named() {
    let (folder, _) = made(&[("program.c", PROGRAM)], &["cc", "-O0", "program.c", "-o", "program"]);
    let run = |options: &[&str], mib: &str| {
        let output = warpfold(folder.path(), &[&["run"], options, &["./program", mib]].concat());
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (status, printed, message) = run(&[], "600");
    assert!(status == Some(0) && printed.ends_with("done\n"), "{message}");
    for (options, mib, words) in [
        (
            &["--host-memory", "100M"][..],
            "600",
            &["host memory", "104857600", "WARPFOLD_HOST_MEMORY", "--host-memory"][..],
        ),
        (&["--device-memory", "100M"], "600", &["WARPFOLD_DEVICE_MEMORY", "--device-memory"]),
        (&["--step-limit", "1000"], "1", &["1000 warp instructions", "WARPFOLD_STEP_LIMIT", "--step-limit"]),
        (&["--image-limit", "1K"], "1", &["more than 1024 bytes", "WARPFOLD_IMAGE_LIMIT", "--image-limit"]),
    ] {
        let (status, printed, message) = run(options, mib);
        assert!(status != Some(0) && !printed.contains("done"), "{options:?}: {message}");
        for word in words {
            assert!(message.contains(word), "{options:?}, {word}: {message}");
        }
    }
    // Output that does not fit is dropped; the program goes on.
    let (status, printed, message) = run(&["--printf-buffer", "4000"], "1");
    assert!(status == Some(0) && printed.ends_with("done\n") && printed.len() < 6000, "{printed}");
    for word in ["dropped", "WARPFOLD_PRINTF_BUFFER", "--printf-buffer"] {
        assert!(message.contains(word), "{word}: {message}");
    }
}

#[test]
fn the_command_line_comes_before_the_environment_and_that_before_the_default() {
    let folder = tempfile::tempdir().expect("a folder");
    let seen = |options: &[&str], variables: &[(&str, &str)]| {
        let script = "echo $WARPFOLD_MACHINE $WARPFOLD_SEED $WARPFOLD_CHECK_LEAKS $WARPFOLD_LOG; exit 7";
        let mut run = command(folder.path(), &[&["run"], options, &["sh", "-c", script]].concat());
        for name in ["WARPFOLD_MACHINE", "WARPFOLD_SEED", "WARPFOLD_CHECK_LEAKS", "WARPFOLD_LOG"] {
            run.env_remove(name);
        }
        let output = run.envs(variables.iter().copied()).output().expect("it starts");
        text(&output.stdout).trim().to_owned()
    };
    assert_eq!(seen(&[], &[]), "h200");
    assert_eq!(seen(&[], &[("WARPFOLD_MACHINE", ""), ("WARPFOLD_SEED", "")]), "h200");
    let set = [("WARPFOLD_MACHINE", "a100"), ("WARPFOLD_SEED", "5"), ("WARPFOLD_LOG", "calls")];
    assert_eq!(seen(&[], &set), "a100 5 calls");
    assert_eq!(
        seen(&["--sm", "v100", "--seed", "6", "--trace", "--check-leaks"], &set),
        "v100 6 1 calls,driver"
    );
    let output = command(folder.path(), &["run", "true"])
        .env("WARPFOLD_CHECK_LEAKS", "2")
        .output()
        .expect("it starts");
    assert!(text(&output.stderr).contains("neither 0 nor 1"), "{output:?}");
}

/// A user who asks for the driver's reports gets them under `warpfold run`, too.
#[test]
fn the_files_of_reports_that_the_user_named_are_written() {
    let (folder, _) = made(&[("program.c", PROGRAM)], &["cc", "-O1", "program.c", "-o", "program"]);
    let file = folder.path().join("launches");
    for lines in 1..3 {
        let mut run = command(folder.path(), &["run", "./program", "1"]);
        let output = run.env("WARPFOLD_LAUNCHES_JSON", &file).output().expect("it starts");
        assert!(output.status.success(), "{output:?}");
        let text = std::fs::read_to_string(&file).expect("the file");
        assert_eq!(text.lines().count(), lines, "{text}");
    }
}
