//! `warpfold setup`: installs missing tools.

use std::{
    ffi::OsString,
    io::{self, IsTerminal},
};

use toolchain::{Tools, setup};

use crate::{device_runtime, error::Error, llvm::LlvmOptions, messages, output, progress::during_steps};

/// Options of `warpfold setup`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    llvm: LlvmOptions,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
    /// Only show the changes
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    /// A warpfold command to run afterwards, with arguments: `warpfold setup --yes -- reduce …`
    #[arg(last = true, value_name = "COMMAND")]
    pub then: Vec<OsString>,
}

/// Shows the plan, asks, executes it and builds the device runtime. If a command follows, all output goes to
/// standard error, so that standard output is that command's.
pub fn run(options: &Options) -> Result<(), Error> {
    options.llvm.choose();
    let report = |text: &dyn std::fmt::Display| match options.then.is_empty() {
        true => output::line(text),
        false => {
            messages::note(text);
            Ok(())
        }
    };
    let plan = setup::plan();
    report(&format_args!("Plan:\n{plan}"))?;
    if options.dry_run {
        return Ok(());
    }
    if !plan.is_empty() {
        if !options.yes && !confirmed()? {
            return Err(Error::Usage("nothing was installed; `warpfold setup --yes` does not ask".into()));
        }
        execute_with(&plan, &report)?;
    }
    let tools = Tools::find()?;
    report(&"Building the device runtime (once, about half a minute) …")?;
    let runtime = device_runtime::bitcode(&tools)?;
    report(&format_args!("Device runtime: {}", runtime.display()))
}

/// Asks for confirmation on a terminal; returns false if there is none.
pub fn confirmed() -> Result<bool, Error> {
    if !io::stdin().is_terminal() {
        return Ok(false);
    }
    output::text("Continue? [y/N] ")?;
    let mut reply = String::new();
    io::stdin()
        .read_line(&mut reply)
        .map_err(|e| Error::Usage(format!("cannot read standard input: {e}")))?;
    Ok(matches!(reply.trim(), "y" | "Y" | "yes"))
}

/// Executes the steps of a plan. Prints a line for each and, on a terminal, the last line that the running
/// program printed.
pub fn execute(plan: &setup::Plan) -> Result<(), Error> {
    execute_with(plan, &|text| output::line(text))
}

fn execute_with(
    plan: &setup::Plan,
    report: &dyn Fn(&dyn std::fmt::Display) -> Result<(), Error>,
) -> Result<(), Error> {
    let outcome = during_steps("", |rename| {
        setup::run(plan, &mut |progress| match progress.line {
            Some(line) => rename(line),
            None => {
                let step = format!("[{}/{}] {} …", progress.step, progress.steps, progress.description);
                // An error here shows again when the next line is printed outside of the callback.
                report(&step).unwrap_or_default();
            }
        })
    });
    Ok(outcome?)
}
