//! C programs that time one of their functions: after one call that is not timed, as many calls as are asked for, and twice
//! as many each time until they take 50 ms. Their arrays start at cache lines.

use std::{
    error::Error,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// The time that one execution of a program may take.
const LIMIT: Duration = Duration::from_secs(60);

/// Nanoseconds of so many calls that they are seldom less than the least time.
const ENOUGH: f64 = 55e6;

/// What stands in front of each program. No call may be left out because of the one before.
const TIMER: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifndef BENCH_CLOCK
#define BENCH_CLOCK CLOCK_MONOTONIC
#endif
static inline double bench_now(void) {
  struct timespec time;
  clock_gettime(BENCH_CLOCK, &time);
  return 1e9 * time.tv_sec + time.tv_nsec;
}
#define TIMED(...)                                                                                                     \
  do {                                                                                                                 \
    double bench_spent = 0;                                                                                            \
    const char *bench_asked = getenv("BENCH_CALLS");                                                                   \
    long bench_calls = bench_asked ? atol(bench_asked) : 1;                                                            \
    __VA_ARGS__;                                                                                                       \
    for (;; bench_calls *= 2) {                                                                                        \
      double bench_start = bench_now();                                                                                \
      for (long bench_call = 0; bench_call < bench_calls; bench_call++) {                                              \
        __VA_ARGS__;                                                                                                   \
        __asm__ volatile("" ::: "memory");                                                                             \
      }                                                                                                                \
      bench_spent = bench_now() - bench_start;                                                                         \
      if (bench_spent >= 50e6)                                                                                         \
        break;                                                                                                         \
    }                                                                                                                  \
    fprintf(stderr, "bench %.3f\n", bench_spent / bench_calls);                                                        \
  } while (0)
"#;

/// A program that times the call of the function with the region; `None` if it has no such call in a line.
pub fn timed(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let region = lines.iter().position(|line| line.contains("#pragma scop"))?;
    let begins = |line: &&str| line.starts_with(|c: char| c.is_alphabetic()) && line.contains('(');
    let function = lines[..region].iter().rposition(begins)?;
    let name = lines[function].split_once('(')?.0.rsplit([' ', '*']).next()?;
    let call = format!("{name}(");
    let first = region + lines[region..].iter().position(|line| line.trim_start().starts_with(&call))?;
    let last = first + lines[first..].iter().position(|line| line.contains(';'))?;
    let mut out = TIMER.to_owned();
    for (index, line) in lines.iter().enumerate() {
        let mut line = (*line).to_owned();
        if index == function {
            // What the compiler knows of the caller must not enter the loop, and no call may fall out.
            line = format!(
                "__attribute__((noinline)) {}",
                line.trim_start_matches("static ").trim_start_matches("inline ")
            );
        }
        // Where a compiler happens to put an array must not decide: one that crosses cache lines takes up to 1.7 times as long.
        if line.starts_with("  static ") {
            line = line.replacen("static ", "static _Alignas(64) ", 1);
        }
        if index == first {
            line = line.replacen(&call, &format!("TIMED({call}"), 1);
        }
        if index == last {
            line = line.replacen(");", "));", 1);
        }
        out += &line;
        out.push('\n');
    }
    Some(out)
}

/// Nanoseconds of a call in a program made by [`timed`], which the command executes; `None` if it takes too long. `known` is
/// what a call took before, so that the program needs not find out how many calls take 50 ms.
pub fn run(mut command: Command, known: Option<f64>) -> Result<Option<f64>, Box<dyn Error>> {
    if let Some(known) = known {
        command.env("BENCH_CALLS", format!("{:.0}", (ENOUGH / known).ceil().max(1.0)));
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let output = child.wait_with_output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let time = said.lines().find_map(|line| line.strip_prefix("bench ")?.parse().ok());
    match time {
        Some(time) if output.status.success() => Ok(Some(time)),
        _ => Err(format!("{command:?}: {} {said}", output.status).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_call_is_timed() {
        let text = "static void other(int n) {\n}\nstatic void sum(int n,\n                int *a) {\n#pragma scop\n  ;\n\
                    #pragma endscop\n}\nint main(void) {\n  static int a[3];\n  sum(3,\n      a);\n  return 0;\n}\n";
        let made = timed(text).expect("a call");
        assert!(made.contains("\n__attribute__((noinline)) void sum(int n,\n"), "{made}");
        assert!(made.contains("\n  static _Alignas(64) int a[3];\n"), "{made}");
        assert!(made.contains("\n  TIMED(sum(3,\n      a));\n"), "{made}");
        assert!(timed("int main(void) {\n#pragma scop\n#pragma endscop\n}\n").is_none());
    }
}
