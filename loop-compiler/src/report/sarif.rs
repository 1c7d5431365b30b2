//! The report as SARIF 2.1.0, the format of editors and code hosts for results of static analysis.

use crate::ir::Position;
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

/// A log of one run, from the rules and results of which it consists, with a line end. Columns are those of characters.
pub fn log(rules: Vec<Value>, results: Vec<Value>) -> String {
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "warpfold",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
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

/// A path as a reference of a URI: relative as it is, absolute as `file://`.
pub fn uri(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let encode = |byte: u8| match is_plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    let encoded: String = path.bytes().map(encode).collect();
    if path.starts_with('/') { format!("file://{encoded}") } else { encoded }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        assert_eq!(uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("/x/ä#.c"), "file:///x/%C3%A4%23.c");
    }

    #[test]
    fn columns_are_characters() {
        let file = FileReport { path: "a.c".into(), text: "/* ä */ x\n".into(), regions: Vec::new() };
        let found = location(&file, Position { line: 1, column: 10 });
        assert_eq!(found["region"], json!({ "startLine": 1, "startColumn": 9 }));
        assert_eq!(location(&file, Position::default())["region"], Value::Null);
    }
}
