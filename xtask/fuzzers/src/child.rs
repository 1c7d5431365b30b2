//! A child process: tries inputs one by one.

use std::fs::File;
use std::path::Path;

use super::campaign::Campaign;
use super::progress::Progress;
use super::trial;

/// Tries the inputs of a child process: every `jobs`-th from `first + number` on. It continues after the
/// input at which the process before it ended.
pub fn run(campaign: &Campaign, number: u64, progress: &Path) -> Result<(), String> {
    let fuzzer = campaign.open()?;
    trial::catch_panics();
    let file =
        File::options().write(true).open(progress).map_err(|e| format!("{}: {e}", progress.display()))?;
    let mut progress = Progress::read(progress);
    let mut at = if progress.at == 0 { campaign.first + number } else { progress.at - 1 + campaign.jobs };
    while at < campaign.first + campaign.inputs {
        progress.at = at + 1;
        progress.write(&file)?;
        let input = fuzzer.input(campaign.seed, at);
        match trial::run(&*fuzzer, &input, campaign.seed ^ at) {
            Ok(outcome) => progress.count(&outcome),
            Err(problem) => {
                progress.findings += 1;
                campaign.keep(at, &input, &problem)?;
            }
        }
        progress.done += 1;
        at += campaign.jobs;
    }
    progress.write(&file)
}
