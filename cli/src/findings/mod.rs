//! Findings: what the checks, and the emulator's faults, say of a program, from one run or several.
//!
//! The driver appends each report as a line of JSON to a file. Findings of several runs with the same kind and lines are
//! one. Those that a file of suppressions names are left out.

mod finding;
mod sarif;
mod suppressions;

use std::{
    collections::HashMap,
    env,
    fmt::Write,
    path::{Path, PathBuf},
};

use cuda_driver::reports::paint;
use serde_json::{Value, json};

use self::{
    finding::{Finding, FindingSide, Merged},
    suppressions::Suppressions,
};
use crate::{error::Error, messages, output};

/// The most runs of a program.
const MOST_SCHEDULES: i64 = 100_000;

/// The most findings that are kept; further ones are counted.
const MOST_FINDINGS: usize = 10_000;

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
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    report: Option<Format>,
    /// The file for the report [default: standard output]
    #[arg(long, value_name = "FILE")]
    report_file: Option<PathBuf>,
    /// Do not report what this file lists
    #[arg(long, value_name = "FILE", env = SUPPRESSIONS)]
    suppressions: Option<PathBuf>,
}

/// How a report is written.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
    Sarif,
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

    /// No findings yet. `ptx` is the file whose kernels are launched, if they are; `colors`, whether reports are painted;
    /// `quiet`, whether no text is written.
    pub fn findings(&self, ptx: Option<&Path>, colors: bool, quiet: bool) -> Result<Findings, Error> {
        let suppressions = self.suppressions.as_deref().map(Suppressions::read).transpose()?;
        Ok(Findings {
            suppressions: suppressions.unwrap_or_default(),
            ptx: ptx.map(|path| path.to_string_lossy().into_owned()),
            colors,
            quiet,
            schedules: self.schedules(),
            runs: 0,
            all: Vec::new(),
            known: HashMap::new(),
            suppressed: 0,
            dropped: 0,
            incomplete: None,
        })
    }

    /// Writes the report that is asked for. Then says on standard error what was found in all.
    pub fn finish(&self, findings: &Findings) -> Result<(), Error> {
        findings.show_merged();
        let format = self.report.or(self.report_file.is_some().then_some(Format::Text));
        let text = match format {
            None => None,
            Some(Format::Text) if self.report_file.is_none() => None,
            Some(Format::Text) => Some(findings.text()),
            Some(Format::Json) => Some(format!("{:#}\n", findings.json())),
            Some(Format::Sarif) => {
                Some(sarif::log(&findings.all, findings.runs, findings.incomplete.as_deref()))
            }
        };
        match (text, &self.report_file) {
            (Some(text), Some(path)) => output::replace(path, text.as_bytes())?,
            (Some(text), None) => output::text(&text)?,
            (None, _) => {}
        }
        findings.show_summary();
        Ok(())
    }
}

/// What was found in all runs.
pub struct Findings {
    suppressions: Suppressions,
    ptx: Option<String>,
    colors: bool,
    quiet: bool,
    schedules: u32,
    /// Runs that have begun.
    runs: u32,
    all: Vec<Merged>,
    /// The index of each finding by its key; `None` if it is suppressed.
    known: HashMap<String, Option<usize>>,
    suppressed: usize,
    dropped: u64,
    /// Why a run was not seen to its end: the first one that was not.
    incomplete: Option<String>,
}

impl Findings {
    /// What is added from now on is of the next run.
    pub fn next_run(&mut self) {
        self.runs += 1;
    }

    /// Adds lines of JSON. A single run's findings are shown at once, those of several when all have ended.
    pub fn add(&mut self, lines: &str) {
        for line in lines.lines() {
            let Some(finding) = Finding::read(line, self.ptx.as_deref()) else { continue };
            let run = self.runs.saturating_sub(1);
            let key = finding.key();
            match self.known.get(&key) {
                Some(Some(index)) => {
                    let merged = &mut self.all[*index];
                    if merged.last != run {
                        (merged.last, merged.runs) = (run, merged.runs + 1);
                    }
                }
                Some(None) => {}
                None if self.known.len() == MOST_FINDINGS => self.dropped += 1,
                None if self.suppressions.suppress(&finding) => {
                    self.suppressed += 1;
                    self.known.insert(key, None);
                }
                None => {
                    if self.schedules == 1 {
                        self.show(&self.of_report(&finding));
                    }
                    self.known.insert(key, Some(self.all.len()));
                    self.all.push(Merged { finding, first: run, last: run, runs: 1 });
                }
            }
        }
    }

    /// The present run was not seen to its end.
    pub fn incomplete(&mut self, why: &str) {
        let run = self.runs.saturating_sub(1);
        self.incomplete.get_or_insert_with(|| match run {
            0 => why.to_owned(),
            seed => format!("with seed {seed} {why}"),
        });
    }

    /// Whether nothing was found that is not suppressed.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty() && self.dropped == 0
    }

    /// Whether anything was suppressed.
    pub fn has_suppressed(&self) -> bool {
        self.suppressed > 0
    }

    /// Whether a launch was interrupted.
    pub fn has_interrupted(&self) -> bool {
        self.known.keys().any(|key| key.starts_with("interrupted\n"))
    }

    fn of_report(&self, finding: &Finding) -> String {
        format!("warpfold: {}\n", finding.text())
    }

    fn of_merged(&self, merged: &Merged) -> String {
        let mut text = self.of_report(&merged.finding);
        if self.schedules > 1 {
            let first = match merged.first {
                0 => "in order".to_owned(),
                seed => format!("with seed {seed}"),
            };
            let _ = writeln!(text, "  in {} of {} runs, the first {first}", merged.runs, self.runs);
        }
        text
    }

    fn show(&self, text: &str) {
        if !self.quiet {
            let text = terminal_text::printable(text);
            messages::raw_note(&if self.colors { paint(&text) } else { text.into_owned() });
        }
    }

    fn show_merged(&self) {
        if self.schedules > 1 {
            self.all.iter().for_each(|merged| self.show(&self.of_merged(merged)));
        }
    }

    fn text(&self) -> String {
        let reports: String = self.all.iter().map(|merged| self.of_merged(merged)).collect();
        format!("{}{}\n", terminal_text::printable(&reports), terminal_text::printable(&self.summary()))
    }

    fn json(&self) -> Value {
        let findings = self.all.iter().map(|merged| {
            let mut fields = merged.finding.fields.clone();
            if fields["kind"] != *merged.finding.kind {
                fields["fault"] = fields["kind"].take();
                fields["kind"] = merged.finding.kind.clone().into();
            }
            fields["runs"] = merged.runs.into();
            fields["first_seed"] = if merged.first == 0 { Value::Null } else { merged.first.into() };
            fields
        });
        json!({
            "findings": findings.collect::<Vec<_>>(),
            "incomplete": self.incomplete,
            "runs": self.runs,
            "suppressed": self.suppressed,
        })
    }

    /// Lists suppressions without effect, and says how much was found.
    fn show_summary(&self) {
        for (path, line, text) in self.suppressions.unused() {
            messages::note(format_args!(
                "warpfold: {}:{line}: `{text}` suppressed nothing",
                terminal_text::name(path.display())
            ));
        }
        if self.all.iter().any(|merged| lacks_lines(&merged.finding)) {
            messages::note("warpfold: compile with -gline-tables-only to see source lines");
        }
        messages::note(self.summary());
    }

    fn summary(&self) -> String {
        let mut text = match self.all.len() as u64 + self.dropped {
            0 => "warpfold: no findings".to_owned(),
            1 => "warpfold: 1 finding".to_owned(),
            number => format!("warpfold: {number} findings"),
        };
        if self.schedules > 1 {
            let _ = write!(text, " in {} run{}", self.runs, if self.runs == 1 { "" } else { "s" });
        }
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        for Merged { finding, .. } in &self.all {
            match kinds.iter_mut().find(|(kind, _)| *kind == finding.kind) {
                Some((_, number)) => *number += 1,
                None => kinds.push((&finding.kind, 1)),
            }
        }
        if !kinds.is_empty() {
            let kinds: Vec<String> = kinds.iter().map(|(kind, number)| format!("{number} {kind}")).collect();
            let _ = write!(text, " ({})", kinds.join(", "));
        }
        if self.dropped > 0 {
            let _ = write!(text, ", of which {MOST_FINDINGS} are compared and shown");
        }
        if self.suppressed > 0 {
            let _ = write!(text, ", {} suppressed", self.suppressed);
        }
        if let Some(why) = &self.incomplete {
            let _ = write!(text, "; the checks are not complete: {why}");
        }
        text
    }
}

/// Whether a compiler's option would add source lines to what is said of an OpenMP program.
fn lacks_lines(finding: &Finding) -> bool {
    let is_openmp = finding.kernel.as_ref().is_some_and(|kernel| kernel.starts_with("__omp_offloading"));
    let lacks = |side: &FindingSide| side.position.is_none() && side.ptx_line > 0;
    is_openmp && finding.sides.iter().any(lacks) && !finding.text().contains("-gline-tables-only")
}
