//! `warpfold setup`: brings what is missing. The only command that installs.

use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};
use toolchain::{Tools, setup};

use crate::{error::Error, output};

/// How `setup` goes about it.
#[derive(clap::Args)]
pub struct Options {
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// Only show the plan
    #[arg(long, conflicts_with = "yes")]
    plan: bool,
}

/// Shows the plan, asks, carries it out and builds the device runtime.
pub fn run(options: &Options) -> Result<(), Error> {
    let plan = setup::plan();
    output::line(format_args!("Plan:\n{plan}"))?;
    if options.plan {
        return Ok(());
    }
    if !plan.is_empty() {
        if !options.yes && !agreed()? {
            return Err(Error::Usage("nothing was done; `warpfold setup --yes` does not ask".into()));
        }
        carry_out(&plan)?;
    }
    output::line("Building the device runtime (once, about half a minute) …")?;
    let runtime = device_library::runtime_bitcode(&Tools::find()?)?;
    output::line(format_args!("Device runtime: {}", runtime.display()))
}

/// Asks on a terminal; elsewhere the answer is no.
pub fn agreed() -> Result<bool, Error> {
    if !io::stdin().is_terminal() {
        return Ok(false);
    }
    let mut out = io::stdout().lock();
    write!(out, "Go ahead? [y/N] ").and_then(|()| out.flush()).map_err(|source| Error::Output { source })?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).map_err(|e| Error::Usage(format!("cannot read the answer: {e}")))?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Takes the steps: a line per step and, on a terminal, the last words of the program at work.
pub fn carry_out(plan: &setup::Plan) -> Result<(), Error> {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} [{elapsed}] {wide_msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    let outcome = setup::run(plan, &mut |progress| match progress.line {
        Some(line) => bar.set_message(line.to_owned()),
        None => {
            let step = format!("[{}/{}] {} …", progress.step, progress.steps, progress.what);
            // A closed output is noticed by the next line that is printed outside of the callback.
            bar.suspend(|| output::line(step)).unwrap_or_default();
        }
    });
    bar.finish_and_clear();
    Ok(outcome?)
}
