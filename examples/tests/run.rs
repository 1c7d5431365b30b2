//! The examples run and print what they promise, on whatever device the machine has.

use std::process::Command;

fn output(program: &str) -> String {
    let output = Command::new(program).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn foo_bar() {
    let text = output(env!("CARGO_BIN_EXE_foo_bar"));
    assert!(text.contains("\nfoo 499999500000.5\nbar 249021.4375\n"), "{text}");
}

#[test]
fn dot() {
    let text = output(env!("CARGO_BIN_EXE_dot"));
    assert!(text.contains("\ndot -4\n"), "{text}");
}
