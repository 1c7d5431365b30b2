//! Findings as SARIF 2.1.0.

use std::env;

use serde_json::{Value, json};

use crate::finding::{FilePosition, FindingSide, KINDS, Merged};

/// The log, with a line end. `incomplete` is why a run was not seen to its end.
pub fn log(findings: &[Merged], runs: u32, incomplete: Option<&str>) -> String {
    let mut rules: Vec<(&str, &str)> = KINDS.to_vec();
    for finding in findings {
        let kind = &*finding.finding.kind;
        if !rules.iter().any(|(known, _)| *known == kind) {
            rules.push((kind, "Another report of the emulated driver"));
        }
    }
    // Tools that show results take paths below their folder only.
    let folder =
        env::current_dir().ok().and_then(|folder| folder.to_str().map(|folder| format!("{folder}/")));
    let folder = folder.filter(|folder| folder != "/");
    let result = |merged: &Merged| {
        let finding = &merged.finding;
        let text = match finding.fields["advice"].as_str() {
            Some(advice) => format!("{}: {advice}", finding.message()),
            None => finding.message().to_owned(),
        };
        let kernel = finding.kernel.as_deref();
        let mut result = json!({
            "ruleId": finding.kind,
            "ruleIndex": rules.iter().position(|(kind, _)| *kind == finding.kind),
            "level": "error",
            "message": { "text": text },
            "properties": { "runs": runs, "shownBy": merged.runs },
        });
        if let Some(first) = finding.sides.first() {
            result["locations"] = json!([location(first, kernel, folder.as_deref())]);
        }
        if finding.sides.len() > 1 {
            // Both sides of a race, also that which is the location.
            let related = finding.sides.iter().enumerate().map(|(id, side)| {
                let mut related = location(side, kernel, folder.as_deref());
                related["id"] = id.into();
                related["message"] = json!({ "text": what(side) });
                related
            });
            result["relatedLocations"] = related.collect();
        }
        result
    };
    let mut results: Vec<Value> = findings.iter().map(result).collect();
    results.extend(incomplete.map(|why| {
        json!({
            "kind": "open",
            "level": "none",
            "message": { "text": format!("The checks are not complete: {why}") },
        })
    }));
    let rules = rules.iter().map(|(kind, text)| json!({ "id": kind, "shortDescription": { "text": text } }));
    ::sarif::log(rules.collect(), results)
}

/// What a side does, and where.
fn what(side: &FindingSide) -> String {
    let access = match side.access.as_deref() {
        Some("atomic") => "an atomic access",
        Some("read") => "a read",
        Some("write") => "a write",
        _ => "an operation",
    };
    format!("{access} in {}", side.operation)
}

fn location(side: &FindingSide, kernel: Option<&str>, folder: Option<&str>) -> Value {
    let name = if side.operation.is_empty() { kernel.unwrap_or_default() } else { &*side.operation };
    let mut location = json!({});
    if let Some(FilePosition { file, line, column }) = &side.position {
        let file = folder.and_then(|folder| file.strip_prefix(folder)).unwrap_or(file);
        let mut region = json!({ "startLine": line });
        if *column > 0 {
            region["startColumn"] = (*column).into();
        }
        location["physicalLocation"] =
            json!({ "artifactLocation": { "uri": ::sarif::uri(file) }, "region": region });
    }
    if !name.is_empty() {
        location["logicalLocations"] = json!([{ "name": name, "kind": "function" }]);
    }
    location
}
