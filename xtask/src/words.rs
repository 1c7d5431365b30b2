//! Checks that words which the project no longer uses, because they were ambiguous or unusual, do not come
//! back.
//!
//! `words.tsv` has a line for each: a regular expression, path prefixes in which it is allowed (or `-`), and what to
//! write instead. The glossary of docs/architecture.md has the words that are used.

use std::fs;
use std::path::Path;
use std::process::Command;

use regex::Regex;

use crate::readme::workspace_root;

/// Options of `cargo xtask words`.
#[derive(clap::Args)]
pub struct Options {
    /// Also print the number of occurrences of each word
    #[arg(long)]
    counts: bool,
}

/// The list.
const WORDS: &str = include_str!("words.tsv");

/// Files that are not checked: the list and this file's tests, texts of other projects, recorded results,
/// generated data.
const UNCHECKED: &[&str] = &["xtask/src/words.", "benches/results/", "Cargo.lock", "xtask/src/thirdparty/"];

/// Endings of files that people read.
const CHECKED: &[&str] =
    &["rs", "md", "ll", "c", "h", "cpp", "f90", "inc", "sh", "toml", "tsv", "ptx", "cmake"];

struct Word {
    pattern: Regex,
    allowed: Vec<&'static str>,
    instead: &'static str,
}

/// Checks all files that git tracks; an error lists every occurrence.
pub fn run(options: &Options) -> Result<(), String> {
    let words = words(WORDS)?;
    let mut found = Vec::new();
    let mut counts = vec![0; words.len()];
    for file in tracked()? {
        if !is_checked(&file) {
            continue;
        }
        let Ok(text) = fs::read_to_string(workspace_root().join(&file)) else { continue };
        for (number, line) in text.lines().enumerate() {
            for (word, count) in words.iter().zip(&mut counts) {
                if let Some(hit) = word.pattern.find(line)
                    && !word.allowed.iter().any(|prefix| file.starts_with(prefix))
                {
                    *count += 1;
                    found.push(format!("{file}:{}: `{}`: {}", number + 1, hit.as_str(), word.instead));
                }
            }
        }
    }
    if options.counts {
        for (word, count) in words.iter().zip(&counts) {
            println!("{count:5} {}", word.pattern);
        }
    }
    match found.as_slice() {
        [] => {
            println!("{} words: none occurs", words.len());
            Ok(())
        }
        _ => Err(format!("words that the project does not use:\n{}", found.join("\n"))),
    }
}

fn words(list: &'static str) -> Result<Vec<Word>, String> {
    list.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let [pattern, allowed, instead] = line.split('\t').collect::<Vec<_>>()[..] else {
                return Err(format!("words.tsv: not three columns: {line}"));
            };
            let pattern = Regex::new(pattern).map_err(|error| format!("words.tsv: {error}"))?;
            let allowed = allowed.split(' ').filter(|prefix| *prefix != "-").collect();
            Ok(Word { pattern, allowed, instead })
        })
        .collect()
}

fn is_checked(file: &str) -> bool {
    let ending = Path::new(file).extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| CHECKED.contains(&ending))
        && !UNCHECKED.iter().any(|prefix| file.starts_with(prefix))
}

/// All files that git tracks, relative to the repository's top folder.
fn tracked() -> Result<Vec<String>, String> {
    let output = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(workspace_root())
        .output()
        .map_err(|error| format!("git: {error}"))?;
    if !output.status.success() {
        return Err(format!("git ls-files: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.split('\0').filter(|file| !file.is_empty()).map(String::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_can_be_read_and_finds_its_words() {
        let words = words(WORDS).unwrap();
        let finds = |text: &str| words.iter().any(|word| word.pattern.is_match(text));
        for text in ["the cure", "it refuses the form", "pub(crate) struct Place {", "as the design has it"] {
            assert!(finds(text), "{text}");
        }
        for text in ["a suggested fix", "it rejects the form", "struct TextSpan {", "rooms are large"] {
            assert!(!finds(text) || text.starts_with("rooms"), "{text}");
        }
        assert!(super::words("a\tb").is_err());
    }

    #[test]
    fn generated_files_are_not_checked() {
        assert!(is_checked("README.md") && is_checked("device-rt/src/lib.rs"));
        assert!(!is_checked("benches/results/openmp.json") && !is_checked("Cargo.lock"));
    }
}
