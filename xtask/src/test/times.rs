//! How long test binaries and tests take.

use std::{collections::BTreeMap, fs, time::Duration};

use super::binaries::Job;
use super::schedule::Finished;

/// The table that `--record` writes: it orders the binaries, and says which tests `quick` leaves out.
const TABLE: &str = "docs/test-times.tsv";

/// From how many seconds a test is left out by `quick`, and has a row.
const SLOW: f64 = 3.0;

/// Seconds by the name of a binary, or of a binary and its test, with a space between.
#[derive(Default)]
pub struct Times(BTreeMap<String, f64>);

impl Times {
    /// Reads the table.
    pub fn read() -> Result<Times, String> {
        let text = fs::read_to_string(TABLE).map_err(|error| format!("{TABLE}: {error}"))?;
        let row = |line: &str| {
            let (name, seconds) = line.rsplit_once('\t')?;
            Some((name.replace('\t', " "), seconds.parse().ok()?))
        };
        Ok(Times(text.lines().filter_map(row).collect()))
    }

    /// The times of a run.
    pub fn of(finished: &[Finished]) -> Times {
        let mut times = BTreeMap::new();
        for job in finished {
            times.insert(job.name.clone(), job.seconds);
            let slow = job.tests.iter().filter(|(_, seconds)| *seconds >= SLOW);
            times.extend(slow.map(|(test, seconds)| (format!("{} {test}", job.name), *seconds)));
        }
        Times(times)
    }

    /// Writes the table.
    pub fn write(&self) -> Result<(), String> {
        let mut text = String::from("binary\ttest\tseconds\n");
        for (name, seconds) in &self.0 {
            let (binary, test) = name.split_once(' ').unwrap_or((name, ""));
            text.push_str(&format!("{binary}\t{test}\t{seconds:.1}\n"));
        }
        fs::write(TABLE, text).map_err(|error| format!("{TABLE}: {error}"))
    }

    /// The jobs, those that take long first; one without a row counts as long.
    pub fn longest_first(&self, mut jobs: Vec<Job>) -> Vec<Job> {
        let seconds = |job: &Job| *self.0.get(&format!("{} ", job.name)).unwrap_or(&f64::MAX);
        jobs.sort_by(|a, b| seconds(b).total_cmp(&seconds(a)));
        jobs
    }

    /// The tests that take long, by binary and name.
    pub fn slow(&self) -> Vec<(String, String)> {
        let tests = self.0.keys().filter_map(|name| name.split_once(' '));
        tests
            .filter(|(_, test)| !test.is_empty())
            .map(|(binary, test)| (binary.into(), test.into()))
            .collect()
    }
}

/// Prints how long everything took.
pub fn summary(finished: &[Finished], built: Duration, all: Duration) {
    let mut packages: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
    for job in finished {
        let package = packages.entry(job.name.split('/').next().unwrap_or(&job.name)).or_default();
        package.0 += job.seconds;
        package.1 += job.count;
    }
    println!("\n{:<24} {:>9} {:>6}", "package", "seconds", "tests");
    for (name, (seconds, count)) in &packages {
        println!("{name:<24} {seconds:>9.1} {count:>6}");
    }
    let tests: usize = finished.iter().map(|job| job.count).sum();
    println!(
        "{tests} tests; built in {:.0} s, run in {:.0} s",
        built.as_secs_f64(),
        (all - built).as_secs_f64()
    );
}
