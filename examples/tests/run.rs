//! The examples run on the machine's device and print the expected results.

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

#[test]
fn argmax() {
    let text = output(env!("CARGO_BIN_EXE_argmax"));
    assert!(text.contains("\nlargest 1008 at 1008\nfrom -1.5 to 1008, 1000003 samples\n"), "{text}");
}

#[test]
fn mean_variance() {
    let text = output(env!("CARGO_BIN_EXE_mean_variance"));
    let line = "mean 1000000004.500, variance 8.250";
    assert!(text.contains(&format!("\n{line}\n{line} on the host\n")), "{text}");
}

#[test]
fn histogram() {
    let text = output(env!("CARGO_BIN_EXE_histogram"));
    let mut counts = [0; 16];
    for i in 0..300_000 {
        counts[(i % 128 + i / 128 * 37 % 128) * 16 / 256] += 1;
    }
    let lines = text.lines().skip(1).map(|line| line.split_whitespace().nth(1).unwrap().parse().unwrap());
    assert_eq!(lines.collect::<Vec<u32>>(), counts, "{text}");
}

#[test]
fn rust_kernel() {
    let text = output(env!("CARGO_BIN_EXE_rust_kernel"));
    let signal = |i: i32| if i % 100 == 50 { i as f32 } else { (i % 4) as f32 };
    let mean = |i: i32| (signal(i - 1) + signal(i) + signal(i + 1)) / 3.0;
    let smooth: Vec<f32> = (48..53).map(mean).collect();
    // The first element, which has one neighbour only, is not a peak.
    let peaks: Vec<f32> =
        (0..10).map(|b| (1.max(b * 128)..(b + 1) * 128).map(mean).fold(0.0, f32::max)).collect();
    assert!(text.contains(&format!("\nsmooth {smooth:?}\npeaks {peaks:?}\n")), "{text}");
}
