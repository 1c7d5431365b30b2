//! Numbers by which the loop compiler decides stand in one table, `src/cost/policy.rs`, each with where it comes from.

use std::{fs, path::Path};

/// Files of these folders decide.
const FOLDERS: [&str; 5] = ["analysis", "transform", "cost", "decide", "parallelize"];

/// The table; and the definition of the canonical order, whose numbers are the device runtime's.
const TABLES: [&str; 2] = ["cost/policy.rs", "transform/privatize/canonical.rs"];

/// Floating-point numbers that compute and do not decide: nothing, once, and the middle.
const NEUTRAL: [&str; 3] = ["0.0", "1.0", "2.0"];

fn source() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
}

fn files(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            let name = path.strip_prefix(source()).unwrap().to_str().unwrap().replace('\\', "/");
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

/// The constant that a line defines, and the rest of the line.
fn constant(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let line = ["pub(super) ", "pub(crate) ", "pub "]
        .iter()
        .find_map(|word| line.strip_prefix(word))
        .unwrap_or(line);
    line.strip_prefix("const ")?.split_once(':')
}

/// The floating-point numbers of a line.
fn numbers(line: &str) -> impl Iterator<Item = &str> {
    let of_number = |c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_');
    line.split(of_number).filter(|word| {
        word.starts_with(|c: char| c.is_ascii_digit())
            && word.split_once('.').is_some_and(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_digit()))
    })
}

#[test]
fn each_threshold_says_where_it_comes_from() {
    let table = fs::read_to_string(source().join(TABLES[0])).unwrap();
    let (mut documentation, mut thresholds) = (String::new(), 0);
    for line in table.lines() {
        if let Some(text) = line.strip_prefix("///") {
            documentation += text;
        } else if let Some((name, _)) = constant(line) {
            let has_origin =
                ["Measured", "Derived", "Assumed"].iter().any(|origin| documentation.contains(origin));
            assert!(has_origin, "{name} does not say whether it was measured, derived or assumed");
            thresholds += 1;
            documentation.clear();
        }
    }
    assert!(thresholds > 40, "{thresholds} thresholds");
}

#[test]
fn no_threshold_stands_outside_of_the_table() {
    let mut all = Vec::new();
    FOLDERS.iter().for_each(|folder| files(&source().join(folder), &mut all));
    assert!(all.len() > 60, "{} files", all.len());
    let mut found = Vec::new();
    for (name, text) in all.iter().filter(|(name, _)| !TABLES.contains(&name.as_str())) {
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in code.lines().enumerate() {
            let line = line.split("//").next().unwrap_or_default();
            let is_number = constant(line).is_some_and(|(_, rest)| {
                let kind = rest.split('=').next().unwrap_or_default();
                ["i128", "i64", "i32", "u128", "u64", "u32", "u8", "usize", "f64", "f32", "Duration"]
                    .iter()
                    .any(|scalar| kind.contains(scalar))
            });
            if is_number || numbers(line).any(|value| !NEUTRAL.contains(&value)) {
                found.push(format!("{name}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "put these into {}:\n{}", TABLES[0], found.join("\n"));
}
