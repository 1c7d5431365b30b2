//! A program that runs with more rights than its caller ignores the caller's variables.

use std::{
    env, fs,
    os::unix::fs::{PermissionsExt, chown},
    process::Command,
};

/// What the copy of this program sees.
#[test]
fn print_the_seed() {
    println!("seed: {:?}", cuda_driver::variable("WARPFOLD_SEED"));
}

#[test]
fn a_setuid_program_ignores_variables() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("a folder of ours");
    let copy = folder.path().join("program");
    fs::copy(env::current_exe().expect("this program"), &copy).expect("a copy");
    let seen = || {
        let mut program = Command::new(&copy);
        program.args(["--exact", "print_the_seed", "--nocapture"]).env("WARPFOLD_SEED", "7");
        let output = program.output().expect("it starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(seen().contains("seed: Some(\"7\")"), "{}", seen());
    if chown(&copy, Some(1234), Some(1234)).is_err() {
        eprintln!("skipped: only root can give a program to another user");
        return;
    }
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o4755)).expect("a program of ours");
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    if mounts.lines().any(|line| line.contains("nosuid") && line.contains(" /tmp ")) {
        eprintln!("skipped: /tmp is mounted with nosuid");
        return;
    }
    assert!(seen().contains("seed: None"), "{}", seen());
}
