//! What was found in all runs.

use std::{collections::HashMap, fmt::Write, path::Path, str::FromStr};

use serde_json::{Value, json};
use terminal_text::printable;

use crate::{
    error::Error,
    finding::{Finding, FindingSide, Merged},
    sarif,
    suppressions::Suppressions,
};

/// The most findings that are kept; further ones are counted.
const MOST_FINDINGS: usize = 10_000;

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFormat {
    /// The reports one after the other, and how much was found.
    Text,
    /// One object.
    Json,
    /// SARIF 2.1.0.
    Sarif,
}

impl ReportFormat {
    /// All of them.
    pub const ALL: [ReportFormat; 3] = [ReportFormat::Text, ReportFormat::Json, ReportFormat::Sarif];

    /// Its name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            ReportFormat::Text => "text",
            ReportFormat::Json => "json",
            ReportFormat::Sarif => "sarif",
        }
    }
}

impl FromStr for ReportFormat {
    type Err = String;

    /// The format of a name; the error lists all names.
    fn from_str(text: &str) -> Result<ReportFormat, String> {
        ReportFormat::ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| {
            let names = ReportFormat::ALL.map(ReportFormat::name).join(", ");
            format!("unknown format '{text}'; known formats: {names}")
        })
    }
}

/// What was found in all runs.
pub struct Findings {
    suppressions: Suppressions,
    ptx: Option<String>,
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
    /// No findings yet, of a program that is run under so many schedules. `suppressions` is a file of findings that are known;
    /// `ptx`, the file whose kernels are launched, if they are.
    ///
    /// # Errors
    ///
    /// A file of suppressions that cannot be read, or is none.
    pub fn new(schedules: u32, suppressions: Option<&Path>, ptx: Option<&Path>) -> Result<Findings, Error> {
        let suppressions = suppressions.map(Suppressions::read).transpose()?;
        Ok(Findings {
            suppressions: suppressions.unwrap_or_default(),
            ptx: ptx.map(|path| path.to_string_lossy().into_owned()),
            schedules,
            runs: 0,
            all: Vec::new(),
            known: HashMap::new(),
            suppressed: 0,
            dropped: 0,
            incomplete: None,
        })
    }

    /// What is added from now on is of the next run.
    pub fn next_run(&mut self) {
        self.runs += 1;
    }

    /// Adds lines of JSON, the driver's reports. Returns what a person is to see at once: the texts of a single run's
    /// findings, with line ends; those of several are seen when all have ended ([`Findings::texts_of_runs`]).
    pub fn add(&mut self, lines: &str) -> Vec<String> {
        let mut shown = Vec::new();
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
                        shown.push(printable(&self.of_report(&finding)).into_owned());
                    }
                    self.known.insert(key, Some(self.all.len()));
                    self.all.push(Merged { finding, first: run, last: run, runs: 1 });
                }
            }
        }
        shown
    }

    /// The present run was not seen to its end: `why` is the rest of a sentence.
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

    /// What a person is to see when several runs have ended: the texts of their findings, with line ends; nothing of a
    /// single run.
    pub fn texts_of_runs(&self) -> Vec<String> {
        match self.schedules > 1 {
            true => self.texts().collect(),
            false => Vec::new(),
        }
    }

    fn texts(&self) -> impl Iterator<Item = String> {
        self.all.iter().map(|merged| printable(&self.of_merged(merged)).into_owned())
    }

    /// A report of all findings, with a line end.
    pub fn report(&self, format: ReportFormat) -> String {
        match format {
            ReportFormat::Text => self.text(),
            ReportFormat::Json => format!("{:#}\n", self.json()),
            ReportFormat::Sarif => sarif::log(&self.all, self.runs, self.incomplete.as_deref()),
        }
    }

    fn text(&self) -> String {
        format!("{}{}\n", self.texts().collect::<String>(), printable(&self.summary()))
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

    /// Lines that say which suppressions have no effect, and how much was found.
    pub fn summary_lines(&self) -> Vec<String> {
        let unused = |(path, line, text): (&Path, usize, &str)| {
            format!("warpfold: {}:{line}: `{text}` suppressed nothing", terminal_text::name(path.display()))
        };
        let mut lines: Vec<String> = self.suppressions.unused().map(unused).collect();
        if self.all.iter().any(|merged| lacks_lines(&merged.finding)) {
            lines.push("warpfold: compile with -gline-tables-only to see source lines".to_owned());
        }
        lines.push(self.summary());
        lines
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
