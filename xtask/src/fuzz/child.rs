//! A child process: tries inputs one by one.

use std::fs::File;
use std::path::Path;

use super::options::Options;
use super::progress::Progress;
use super::trial;

/// Tries the inputs of a child process: every `jobs`-th from `first + number` on. It continues after the
/// input at which the process before it ended.
pub fn run(options: &Options, number: u64, progress: &Path) -> Result<(), String> {
    let fuzzer = options.open()?;
    trial::catch_panics();
    let file =
        File::options().write(true).open(progress).map_err(|e| format!("{}: {e}", progress.display()))?;
    let mut progress = Progress::read(progress);
    let mut at = if progress.at == 0 { options.first + number } else { progress.at - 1 + options.jobs };
    while at < options.first + options.inputs {
        progress.at = at + 1;
        progress.write(&file)?;
        let input = fuzzer.input(options.seed, at);
        match trial::run(&*fuzzer, &input, options.seed ^ at) {
            Ok(outcome) => progress.count(&outcome),
            Err(problem) => {
                progress.findings += 1;
                options.keep(at, &input, &problem)?;
            }
        }
        progress.done += 1;
        at += options.jobs;
    }
    progress.write(&file)
}
