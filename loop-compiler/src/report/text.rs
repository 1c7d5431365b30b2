//! The report for people, on a terminal.

use std::{collections::BTreeMap, fmt::Write};

use super::{
    FileReport, RegionReport, Report, classes, counted,
    remark::{Severity, remarks},
};

impl Report {
    /// The report as text: a summary, and for each region its loops and reductions with what is to be said of them.
    pub fn to_text(&self) -> String {
        let mut out = format!("{}\n", self.summary());
        for file in &self.files {
            for region in &file.regions {
                out.push('\n');
                self.region(file, region, &mut out);
            }
        }
        out
    }

    /// One line about everything.
    pub fn summary(&self) -> String {
        let name = match &self.files[..] {
            [only] => only.name(),
            files => counted(files.len(), "file"),
        };
        let regions = self.regions().count();
        if regions == 0 {
            return format!("{name}: no regions");
        }
        let classes = classes(self.regions());
        let loops = counted(classes.iter().map(|(_, count)| count).sum(), "loop");
        let classes: Vec<_> =
            classes.iter().map(|(class, count)| format!("{count} {}", class.name())).collect();
        let statements = self.regions().flat_map(|region| &region.analysis().statements);
        let reductions = statements.filter(|statement| statement.reduction.is_some()).count();
        let mut parts = vec![counted(regions, "region")];
        match classes.is_empty() {
            true => parts.push(loops),
            false => parts.push(format!("{loops} ({})", classes.join(", "))),
        }
        if reductions > 0 {
            parts.push(counted(reductions, "reduction statement"));
        }
        if self.rejected() > 0 {
            parts.push(format!("{} rejected", counted(self.rejected(), "region")));
        }
        format!("{name}: {}", parts.join(", "))
    }

    fn region(&self, file: &FileReport, region: &RegionReport, out: &mut String) {
        let _ = write!(out, "{}:{}: region", file.name(), region.at.line);
        if !region.function.is_empty() {
            let _ = write!(out, " in {}", region.function);
        }
        out.push('\n');
        // What is written beside a line: classes of loops, operators of reductions.
        let mut beside: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
        let analysis = region.analysis();
        for looped in &analysis.loops {
            beside.entry(looped.at.line).or_default().push(looped.class.name());
        }
        for statement in &analysis.statements {
            if let Some(operator) = statement.reduction {
                beside.entry(statement.at.line).or_default().push(operator.name());
            }
        }
        let width = beside.values().map(|words| words.join(", ").len()).max().unwrap_or_default();
        for (line, words) in &beside {
            let source = file.line(*line).trim_end().replace('\t', "    ");
            let _ = writeln!(out, "{line:>6}  {:width$}  {source}", words.join(", "));
        }
        for remark in remarks(region, self.order) {
            let warning = if remark.severity >= Severity::Warning { "warning: " } else { "" };
            let _ = write!(out, "  line {}: {warning}{}", remark.at.line, remark.text);
            match remark.hint {
                Some(hint) => writeln!(out, ": {hint}"),
                None => writeln!(out),
            }
            .unwrap_or_default();
        }
    }
}
