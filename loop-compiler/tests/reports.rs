//! The formats of the report: golden files beside `tests/reports/classes.c`. `WARPFOLD_BLESS=1` rewrites them.

use std::{env, fs, path::Path};

use loop_compiler::{
    Options, c,
    report::{FileReport, FloatOrder, Report},
};

/// The report on the file with every class, under the name that it has in its folder.
fn report(order: FloatOrder) -> Report {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reports/classes.c"));
    let clang = Path::new("clang-22");
    let input = c::Input { clang, file: path, arguments: &[], auto: false, assume_distinct: false };
    let file = c::read(&input).unwrap();
    Report { files: vec![FileReport::new("classes.c".into(), &file, &Options::default()).unwrap()], order }
}

/// Compares a text with a golden file.
fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reports").join(name);
    if env::var_os("WARPFOLD_BLESS").is_some() {
        fs::write(&path, text).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(text == expected, "{name} differs; WARPFOLD_BLESS=1 rewrites it. Now it is\n{text}");
}

#[test]
fn text() {
    golden("classes.txt", &report(FloatOrder::Kept).to_text());
}

#[test]
fn json() {
    golden("classes.json", &report(FloatOrder::Kept).to_json());
}

#[test]
fn html() {
    golden("classes.html", &report(FloatOrder::Kept).to_html());
}

#[test]
fn sarif() {
    golden("classes.sarif", &report(FloatOrder::Kept).to_sarif());
}

#[test]
fn every_line_that_is_known_is_explained() {
    let report = report(FloatOrder::Kept);
    let explained: String =
        report.known_lines().into_iter().map(|line| report.explain(line).unwrap() + "\n").collect();
    golden("explained.txt", &explained);
    assert_eq!(report.explain(1), None);
}

/// Programs read these keys: in this order, and no others.
#[test]
fn json_has_the_documented_keys() {
    fn keys(text: &str, indent: usize) -> Vec<&str> {
        let start = format!("{:indent$}\"", "");
        let mut found: Vec<&str> = Vec::new();
        for key in text.lines().filter_map(|line| line.strip_prefix(&start)?.split_once("\":")) {
            if !found.contains(&key.0) {
                found.push(key.0);
            }
        }
        found
    }
    let text = report(FloatOrder::Kept).to_json();
    assert_eq!(keys(&text, 2), ["scops"]);
    assert_eq!(
        keys(&text, 6),
        ["file", "function", "line", "status", "reason", "statements", "loops", "simplified"]
    );
    let inner = ["line", "target", "reduction", "reason"];
    let loops = ["iterator", "depth", "status", "privatized", "chosen", "strategy"];
    assert_eq!(keys(&text, 10), [&inner[..], &loops[..]].concat());
    let classes = ["parallel", "reduction", "private", "reduction+private", "scan", "sequential"];
    for class in classes {
        assert!(text.contains(&format!("\"status\": \"{class}\"")), "no loop is {class}");
    }
}

#[test]
fn the_users_word_turns_the_remark_on_orders_off() {
    let said = |order| report(order).to_text();
    assert!(said(FloatOrder::Kept).contains("may be reordered only with --order free or -ffast-math"));
    assert!(!said(FloatOrder::Free).contains("order"));
    assert!(said(FloatOrder::Fixed).contains("--order fixed"));
}
