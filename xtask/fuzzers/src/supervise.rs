//! The parent process: starts child processes, and another one where one hangs or crashes.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::campaign::Campaign;
use super::progress::{self, Progress};

/// An input that takes longer than this hangs.
const HANG: Duration = Duration::from_secs(60);
/// Findings after which a run ends.
const MOST_FINDINGS: u64 = 50;

/// A child process, or what is left of it.
struct Running {
    child: Option<Child>,
    progress: PathBuf,
    /// The current input (plus one), and when it started.
    at: u64,
    since: Instant,
}

/// Tries all inputs in child processes, and prints a summary.
pub fn run(campaign: &Campaign, child: &dyn Fn(u64, &Path) -> Result<Command, String>) -> Result<(), String> {
    let start = |number, progress: &Path| {
        child(number, progress)?.stdin(Stdio::null()).spawn().map_err(|e| e.to_string())
    };
    let begin = Instant::now();
    let mut children = Vec::new();
    for number in 0..campaign.jobs {
        let progress = progress::path(&campaign.crashes, number);
        std::fs::write(&progress, []).map_err(|e| format!("{}: {e}", progress.display()))?;
        let child = Some(start(number, &progress)?);
        children.push(Running { child, progress, at: 0, since: begin });
    }
    let (mut crashes, mut ended) = (0, false);
    while children.iter().any(|running| running.child.is_some()) {
        std::thread::sleep(Duration::from_millis(50));
        let over = campaign.seconds.is_some_and(|s| begin.elapsed().as_secs() >= s);
        for (number, running) in (0..).zip(&mut children) {
            let Some(child) = &mut running.child else { continue };
            let progress = Progress::read(&running.progress);
            if progress.at != running.at {
                (running.at, running.since) = (progress.at, Instant::now());
            }
            let problem = match child.try_wait().map_err(|e| e.to_string())? {
                Some(status) if status.success() => {
                    running.child = None;
                    continue;
                }
                Some(status) => format!("the process ended with {status}"),
                None if running.at != 0 && running.since.elapsed() > HANG => {
                    format!("ran for more than {HANG:?}")
                }
                None if over || progress.findings + crashes > MOST_FINDINGS => {
                    ended = true;
                    String::new()
                }
                None => continue,
            };
            // The second call also reaps a child that has ended.
            let _ = child.kill();
            let _ = child.wait();
            running.child = None;
            if ended {
                continue;
            }
            // What it has done until its end.
            running.at = Progress::read(&running.progress).at;
            if running.at == 0 {
                return Err(format!("a child process could not start: {problem}"));
            }
            crashes += 1;
            let at = running.at - 1;
            campaign.keep(at, &campaign.open()?.input(campaign.seed, at), &problem)?;
            running.child = Some(start(number, &running.progress)?);
        }
    }
    let mut total = Progress { done: crashes, findings: crashes, ..Progress::default() };
    for running in &children {
        total.add(&Progress::read(&running.progress));
        let _ = std::fs::remove_file(&running.progress);
    }
    println!("{}", summary(campaign, &total, begin.elapsed().as_secs_f64()));
    if total.findings == 0 { Ok(()) } else { Err(format!("{} inputs failed", total.findings)) }
}

fn summary(campaign: &Campaign, total: &Progress, seconds: f64) -> String {
    let target = campaign.target();
    let (done, passed) = (total.done as f64, total.passed as f64);
    let share = 100.0 * passed / done.max(1.0);
    let counts = target.counts.iter().zip(total.counts).map(|(name, count)| format!(", {count} {name}"));
    format!(
        "{}: {done} inputs in {seconds:.0} s ({:.0}/s): {passed} {} ({share:.0} %){}; at most {} {}; {} findings",
        target.name,
        done / seconds,
        target.passed,
        counts.collect::<String>(),
        total.largest,
        target.largest,
        total.findings
    )
}
