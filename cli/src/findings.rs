//! Options of commands that check a program, and what they write of the findings.

use std::{
    env,
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use cuda_driver::reports::paint;
use findings::{Findings, ReportFormat};
use program_runs::Console;

use crate::{error::Error, messages, output};

/// The most runs of a program.
const MOST_SCHEDULES: i64 = 100_000;

/// The variable of the file of suppressions.
const SUPPRESSIONS: &str = "WARPFOLD_CHECK_SUPPRESSIONS";

/// Options of commands that check a program.
#[derive(clap::Args)]
#[command(next_help_heading = "Checks")]
pub struct ReportOptions {
    /// Check N runs: the first in order, the others with the seeds 1 to N-1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_SCHEDULES))]
    schedules: Option<u32>,
    /// Write what was found as text, json or sarif, besides the text on standard error
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text",
        value_parser = format())]
    report: Option<ReportFormat>,
    /// The file for the report [default: standard output]
    #[arg(long, value_name = "FILE")]
    report_file: Option<PathBuf>,
    /// Do not report what this file lists
    #[arg(long, value_name = "FILE", env = SUPPRESSIONS)]
    suppressions: Option<PathBuf>,
}

/// The formats by their names.
fn format() -> impl TypedValueParser<Value = ReportFormat> {
    let names = PossibleValuesParser::new(ReportFormat::ALL.map(ReportFormat::name));
    names.try_map(|name| name.parse::<ReportFormat>())
}

/// How the texts of findings are shown on standard error.
#[derive(Clone, Copy)]
pub struct ReportDisplay {
    /// Whether they are painted.
    pub colors: bool,
    /// Whether they are left out.
    pub quiet: bool,
}

impl ReportDisplay {
    /// As the driver writes them.
    pub const PLAIN: ReportDisplay = ReportDisplay { colors: false, quiet: false };

    /// Shows texts with their line ends.
    fn show(self, texts: &[String]) {
        for text in texts.iter().filter(|_| !self.quiet) {
            match self.colors {
                true => messages::raw_note(&paint(text)),
                false => messages::raw_note(text),
            }
        }
    }
}

impl Console for ReportDisplay {
    fn note(&self, text: &str) {
        messages::note(format_args!("warpfold: {text}"));
    }

    fn show_reports(&self, text: &[u8]) {
        let _ = io::stderr().write_all(text);
    }

    fn show_findings(&self, texts: &[String]) {
        self.show(texts);
    }
}

impl ReportOptions {
    /// The number of runs.
    pub fn schedules(&self) -> u32 {
        self.schedules.unwrap_or(1)
    }

    /// The file that is written, if there is one.
    pub fn output(&self) -> Option<&Path> {
        self.report_file.as_deref()
    }

    /// The file that is read, if there is one.
    pub fn input(&self) -> Option<&Path> {
        self.suppressions.as_deref()
    }

    /// An error for options that have no effect, because nothing is checked.
    pub fn check_unused(&self) -> Result<(), Error> {
        let by_variable = env::var_os(SUPPRESSIONS).is_some_and(|path| !path.is_empty());
        let given = [
            ("--schedules", self.schedules.is_some()),
            ("--report", self.report.is_some()),
            ("--report-file", self.report_file.is_some()),
            ("--suppressions", self.suppressions.is_some() && !by_variable),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(Error::Usage(format!("{option} needs --check"))),
            None => Ok(()),
        }
    }

    /// No findings yet. `ptx` is the file whose kernels are launched, if they are.
    pub fn findings(&self, ptx: Option<&Path>) -> Result<Findings, Error> {
        Ok(Findings::new(self.schedules(), self.suppressions.as_deref(), ptx)?)
    }

    /// Writes the report that is asked for. Then says on standard error what was found in all.
    pub fn finish(&self, findings: &Findings, display: ReportDisplay) -> Result<(), Error> {
        display.show(&findings.texts_of_runs());
        let format = self.report.or(self.report_file.is_some().then_some(ReportFormat::Text));
        match (format, &self.report_file) {
            (Some(format), Some(path)) => output::replace(path, findings.report(format).as_bytes())?,
            (None | Some(ReportFormat::Text), None) => {}
            (Some(format), None) => output::text(&findings.report(format))?,
            (None, Some(_)) => {}
        }
        findings.summary_lines().iter().for_each(messages::note);
        Ok(())
    }
}
