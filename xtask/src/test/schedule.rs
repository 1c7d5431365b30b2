//! Test binaries side by side, each with one test at a time: where a few long tests end a binary, other binaries run.

use std::{
    collections::VecDeque,
    io,
    sync::{Mutex, PoisonError},
    time::Instant,
};

use super::binaries::Job;

/// How tests are run.
pub struct RunOptions<'a> {
    /// Arguments for the harness.
    pub arguments: &'a [String],
    /// Tests that are left out, by binary and name.
    pub skipped: &'a [(String, String)],
    /// Whether the time of each test is measured.
    pub with_times: bool,
    /// Variables for the tests.
    pub variables: &'a [(&'a str, &'a str)],
}

/// A process of tests that has ended.
pub struct Finished {
    pub name: String,
    pub passed: bool,
    pub seconds: f64,
    /// The number of tests that passed or failed.
    pub count: usize,
    /// The tests and their seconds, if they were measured.
    pub tests: Vec<(String, f64)>,
}

/// Runs all, as many at a time as there are processors; prints a line for each, and what failing ones print.
pub fn run(jobs: Vec<Job>, settings: &RunOptions) -> Result<Vec<Finished>, String> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(jobs.len());
    let total = jobs.len();
    let waiting = Mutex::new(VecDeque::from(jobs));
    let finished = Mutex::new(Vec::new());
    let work = || -> Result<(), String> {
        loop {
            let Some(job) = lock(&waiting).pop_front() else { return Ok(()) };
            let (done, output) = run_one(&job, settings).map_err(|error| format!("{}: {error}", job.name))?;
            let mut finished = lock(&finished);
            let state = if done.passed { "ok" } else { "FAILED" };
            println!(
                "[{}/{total}] {state:<6} {:>6.1} s {:>4} tests  {}",
                finished.len() + 1,
                done.seconds,
                done.count,
                done.name
            );
            if !done.passed {
                println!("{output}");
            }
            finished.push(done);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or(Err("a worker panicked".into())))
    })?;
    Ok(finished.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn run_one(job: &Job, settings: &RunOptions) -> io::Result<(Finished, String)> {
    let mut command = job.command();
    // Threads of one test's programs that wait do not take processors from the other tests.
    command.env("OMP_WAIT_POLICY", "passive").envs(settings.variables.iter().copied());
    if job.is_binary {
        command.arg("--test-threads=1").args(settings.arguments);
        let skipped: Vec<&String> =
            settings.skipped.iter().filter(|(binary, _)| *binary == job.name).map(|(_, test)| test).collect();
        if !skipped.is_empty() {
            // Tests are named as a whole, so that none is left out because of a part of its name.
            command.arg("--exact").args(skipped.into_iter().flat_map(|test| ["--skip", test]));
        }
        if settings.with_times {
            command.env("RUSTC_BOOTSTRAP", "1").args(["-Zunstable-options", "--report-time"]);
        }
    }
    let start = Instant::now();
    let output = command.output()?;
    let seconds = start.elapsed().as_secs_f64();
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    let (count, tests) = read(&text);
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    Ok((Finished { name: job.name.clone(), passed: output.status.success(), seconds, count, tests }, text))
}

/// The number of tests in the harness's output, and the seconds of those that have them.
fn read(text: &str) -> (usize, Vec<(String, f64)>) {
    let mut count = 0;
    let mut tests = Vec::new();
    for line in text.lines() {
        if let Some(result) = line.strip_prefix("test result: ") {
            let before = |word: &str| {
                let (before, _) = result.split_once(word)?;
                before.trim_end().rsplit(' ').next()?.parse::<usize>().ok()
            };
            count += before("passed").unwrap_or(0) + before("failed").unwrap_or(0);
        } else if let Some((name, rest)) =
            line.strip_prefix("test ").and_then(|line| line.split_once(" ... "))
        {
            // `ok <1.234s>`
            let seconds = rest.split_once('<').and_then(|(_, rest)| rest.strip_suffix("s>"));
            tests.extend(
                seconds.and_then(|seconds| seconds.parse().ok()).map(|seconds| (name.to_string(), seconds)),
            );
        }
    }
    (count, tests)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_times_are_read() {
        let text = "test a::b ... ok <1.250s>\ntest c ... FAILED <0.002s>\ntest d ... ignored\n\
                    test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 1.2s\n";
        assert_eq!(read(text), (2, vec![("a::b".into(), 1.25), ("c".into(), 0.002)]));
    }
}
