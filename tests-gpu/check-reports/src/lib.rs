//! What the emulated driver reports under `WARPFOLD_CHECK`, one JSON object a line in the file that
//! `WARPFOLD_FAULT_JSON` names: read, shortened to kind and lines, and grouped over runs.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    fs,
    path::Path,
};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Switches all checks on: variable and value.
pub const ALL_CHECKS: (&str, &str) = ("WARPFOLD_CHECK", "all");

/// The variable that names the file of reports.
pub const REPORT_FILE: &str = "WARPFOLD_FAULT_JSON";

/// Compiler options of programs that run under the checks: reports need lines.
pub const LINES: &str = "-gline-tables-only";

/// A report: a finding of the checks, or a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The kind, such as `data-race`.
    pub kind: String,
    /// Where its sides are, sorted: `FILE:LINE` without folders, or the instruction in its function where no line of
    /// the program is known.
    pub lines: Vec<String>,
    /// One line of text.
    pub message: String,
    /// How often it was found at these instructions.
    pub count: u64,
    /// Whether it is a finding of the checks. A fault is not: it ends the launch without them, too.
    pub finding: bool,
}

impl Report {
    /// Reads a report as the driver wrote it.
    ///
    /// # Errors
    ///
    /// A message if it is not JSON, or has no kind.
    pub fn parse(line: &str) -> Result<Report, String> {
        let value: Value = serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
        let kind = value["kind"].as_str().ok_or(format!("a report has no kind: {line}"))?.to_owned();
        let sides = value["sides"].as_array().map_or(&[][..], Vec::as_slice);
        let mut lines: Vec<String> = match sides {
            [] => place(&value).into_iter().collect(),
            sides => sides.iter().filter_map(place).collect(),
        };
        lines.sort();
        let message = value["message"].as_str().unwrap_or_default().to_owned();
        let count = value["count"].as_u64();
        Ok(Report { kind, lines, message, count: count.unwrap_or(1), finding: count.is_some() })
    }
}

/// Where a side is.
fn place(side: &Value) -> Option<String> {
    let line_of = |source: &Value| {
        let file = source["file"].as_str()?.rsplit('/').next()?;
        Some(format!("{file}:{}", source["line"].as_u64()?))
    };
    let instruction = || {
        let place = &side["place"];
        Some(format!("`{}` in {}", place["text"].as_str()?, without_ids(place["function"].as_str()?)))
    };
    let host = || side["operation"].as_str().map(|operation| without_ids(operation).into_owned());
    line_of(&side["source"]).or_else(instruction).or_else(host)
}

/// The name of a function. That of a target region, `__omp_offloading_DEVICE_FILE_FUNCTION_lLINE`, begins with numbers
/// of the file in the file system, which are different in each folder.
fn without_ids(name: &str) -> std::borrow::Cow<'_, str> {
    let rest = name.strip_prefix("__omp_offloading_").and_then(|rest| rest.splitn(3, '_').nth(2));
    rest.map_or(name.into(), |rest| format!("the target region {rest}").into())
}

/// The reports in a file; none if there is no file, which the driver makes with the first report. A last line without
/// an end is left out: its program was killed.
///
/// # Errors
///
/// A message about a file that cannot be read, or a line that is no report.
pub fn read(path: &Path) -> Result<Vec<Report>, String> {
    let text = match fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(|error| format!("cannot read {}: {error}", path.display()))?,
    };
    String::from_utf8_lossy(&text)
        .split_inclusive('\n')
        .filter_map(|line| line.strip_suffix('\n'))
        .map(Report::parse)
        .collect()
}

/// Equal reports of several runs: those of the same kind with the same lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportGroup {
    /// The kind.
    pub kind: String,
    /// Where the sides are.
    pub lines: Vec<String>,
    /// The text of the first.
    pub message: String,
    /// How often it was found, in all runs.
    pub count: u64,
    /// The runs.
    pub runs: BTreeSet<String>,
}

/// Groups reports, each with the name of its run, by kind and lines; the most frequent first.
pub fn groups<'a>(reports: impl IntoIterator<Item = (String, &'a Report)>) -> Vec<ReportGroup> {
    let mut groups: BTreeMap<(&str, &[String]), ReportGroup> = BTreeMap::new();
    for (run, report) in reports {
        let Report { kind, lines, message, count, .. } = report;
        let group = groups.entry((kind, lines)).or_insert_with(|| ReportGroup {
            kind: kind.clone(),
            lines: lines.clone(),
            message: message.clone(),
            count: 0,
            runs: BTreeSet::new(),
        });
        group.count = group.count.saturating_add(*count);
        group.runs.insert(run);
    }
    let mut groups: Vec<ReportGroup> = groups.into_values().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.runs.len()));
    groups
}

impl ReportGroup {
    /// Kind and lines, how often it was found, the text, and the runs.
    pub fn text(&self) -> String {
        /// Runs that are named.
        const NAMED: usize = 6;
        let lines = if self.lines.is_empty() { "no line".to_owned() } else { self.lines.join(", ") };
        let (runs, count) = (self.runs.len(), self.count);
        let plural =
            |number: u64, one: &str, more: &str| format!("{number} {}", if number == 1 { one } else { more });
        let mut text = format!(
            "{}: {lines}: {} in {}\n  {}\n",
            self.kind,
            plural(count, "time", "times"),
            plural(runs as u64, "run", "runs"),
            self.message
        );
        let named: Vec<&str> = self.runs.iter().take(NAMED).map(String::as_str).collect();
        let more = if runs > NAMED { format!("; {} more", runs - NAMED) } else { String::new() };
        let _ = writeln!(text, "  {}{more}", named.join("; "));
        text
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        json!({
            "kind": self.kind,
            "lines": self.lines,
            "message": self.message,
            "count": self.count,
            "runs": self.runs,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RACE: &str = r#"{"kind":"data-race","message":"a race","count":3,"sides":[
        {"source":{"file":"/folder/b.c","line":7}},
        {"source":null,"place":{"function":"__omp_offloading_fe00_9aa2_main_l4","text":"st.b8 [%r1], 0;"}}]}"#;

    fn race() -> Report {
        Report::parse(&RACE.replace('\n', "")).expect("a report")
    }

    #[test]
    fn reports_are_shortened_to_kind_and_lines() {
        let report = race();
        assert_eq!((&*report.kind, report.count, report.finding), ("data-race", 3, true));
        assert_eq!(report.lines, ["`st.b8 [%r1], 0;` in the target region main_l4", "b.c:7"]);
        let host =
            r#"{"kind":"data-race","count":1,"sides":[{"operation":"a copy from the host","source":null}]}"#;
        assert_eq!(Report::parse(host).expect("a report").lines, ["a copy from the host"]);
        let fault = r#"{"kind":"out-of-bounds","message":"m","source":{"file":"a.c","line":3}}"#;
        let fault = Report::parse(fault).expect("a report");
        assert_eq!((fault.lines, fault.finding), (vec!["a.c:3".to_owned()], false));
        assert!(Report::parse("{}").is_err() && Report::parse("x").is_err());
    }

    #[test]
    fn a_file_of_reports_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("reports");
        assert_eq!(read(&path), Ok(Vec::new()));
        let line = RACE.replace('\n', "");
        fs::write(&path, format!("{line}\n{line}\n")).expect("a file");
        assert_eq!(read(&path), Ok(vec![race(), race()]));
        fs::write(&path, format!("{line}\n{{\"kind\":")).expect("a file");
        assert_eq!(read(&path), Ok(vec![race()]));
        fs::write(&path, "{\"kind\":\n").expect("a file");
        assert!(read(&path).is_err());
    }

    #[test]
    fn equal_reports_are_one_group() {
        let other = Report { kind: "uninitialised".into(), ..race() };
        let reports = [("a", race()), ("b", other), ("c", race()), ("c", race())];
        let groups = groups(reports.iter().map(|(run, report)| ((*run).to_owned(), report)));
        let short: Vec<_> =
            groups.iter().map(|group| (&*group.kind, group.count, group.runs.len())).collect();
        assert_eq!(short, [("data-race", 9, 2), ("uninitialised", 3, 1)]);
        let text = groups[0].text();
        assert!(text.ends_with("b.c:7: 9 times in 2 runs\n  a race\n  a; c\n"), "{text}");
        assert_eq!(groups[0].json()["runs"], json!(["a", "c"]));
    }
}
