//! The report as SARIF 2.1.0, the format of editors and code hosts for results of static analysis.

use crate::ir::Position;
use sarif::{log, uri};
use serde_json::{Value, json};

use super::{
    FileReport, Report,
    remark::{Remark, Severity, remarks},
};
use crate::rules::Rule;

impl Report {
    /// Results for what keeps the order, what is rejected and what is wrong, with a line end.
    pub fn to_sarif(&self) -> String {
        let rules = Rule::ALL.iter().map(|rule| {
            let mut described = json!({
                "id": rule.name(),
                "shortDescription": { "text": rule.summary() },
            });
            if let Some(hint) = rule.hint() {
                described["help"] = json!({ "text": hint });
            }
            described
        });
        let results = self.files.iter().flat_map(|file| {
            let remarks = file.regions.iter().flat_map(|region| remarks(region, self.order));
            remarks.filter_map(|remark| result(file, &remark)).collect::<Vec<_>>()
        });
        log(rules.collect(), results.collect())
    }
}

fn result(file: &FileReport, remark: &Remark) -> Option<Value> {
    let level = match remark.severity {
        Severity::Finding => return None,
        Severity::Obstacle => "note",
        Severity::Warning => "warning",
        Severity::Wrong => "error",
    };
    let rule = remark.rule?;
    let text = match &remark.hint {
        Some(hint) => format!("{}: {hint}", remark.text),
        None => remark.text.clone(),
    };
    let mut result = json!({
        "ruleId": rule.name(),
        "ruleIndex": Rule::ALL.iter().position(|other| *other == rule),
        "level": level,
        "message": { "text": text },
        "locations": [{ "physicalLocation": location(file, remark.at) }],
    });
    if !remark.related.is_empty() {
        let related = remark.related.iter().enumerate().map(|(id, (at, text))| {
            json!({ "id": id, "physicalLocation": location(file, *at), "message": { "text": text } })
        });
        result["relatedLocations"] = related.collect();
    }
    Some(result)
}

fn location(file: &FileReport, at: Position) -> Value {
    let mut location = json!({ "artifactLocation": { "uri": uri(&file.path) } });
    if at.line > 0 {
        // Columns are counted in bytes elsewhere.
        let line = file.line(at.line).as_bytes();
        let before = &line[..line.len().min(at.column.saturating_sub(1) as usize)];
        let column = String::from_utf8_lossy(before).chars().count() + 1;
        location["region"] = json!({ "startLine": at.line, "startColumn": column });
    }
    location
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_characters() {
        let file = FileReport { path: "a.c".into(), text: "/* ä */ x\n".into(), regions: Vec::new() };
        let found = location(&file, Position { line: 1, column: 10 });
        assert_eq!(found["region"], json!({ "startLine": 1, "startColumn": 9 }));
        assert_eq!(location(&file, Position::default())["region"], Value::Null);
    }
}
