//! Mutation testing: inserts known bugs of other projects into a copy of the sources, one by one; a named
//! test must fail for each.

mod bugs;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

use bugs::{BUGS, Bug};

/// Options of `cargo xtask mutate`.
#[derive(clap::Args)]
pub struct Options {
    /// Only the bugs whose names contain one of these words
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// Only print the table of docs/pitfalls.md
    #[arg(long)]
    table: bool,
    /// Do not run the tests on the unchanged copy first
    #[arg(long)]
    no_baseline: bool,
}

/// Seconds after which a test counts as hanging, and its bug as found.
const LIMIT: u32 = 900;

/// Inserts each bug and runs its test.
pub fn run(options: &Options) -> Result<(), String> {
    if options.table {
        print!("{}", table());
        return Ok(());
    }
    let chosen: Vec<&Bug> = BUGS
        .iter()
        .filter(|bug| options.words.is_empty() || options.words.iter().any(|word| bug.name.contains(word)))
        .collect();
    let copy = Copy::make()?;
    // A bug that can no longer be inserted is reported before hours are spent.
    for bug in &chosen {
        bug.insert_into(&read(&copy.root, bug.file)?)?;
    }
    if !options.no_baseline {
        let tests: BTreeSet<_> = chosen.iter().map(|bug| bug.test).collect();
        for test in tests {
            let output = copy.test(test, &[])?;
            if !output.status.success() {
                return Err(format!("{test} fails without a bug:\n{}", shown(&output)));
            }
        }
    }
    let mut not_found = Vec::new();
    for bug in chosen {
        let started = Instant::now();
        let verdict = copy.with(bug, || copy.verdict(bug))?;
        println!("{:28} {:>4} s  {verdict}", bug.name, started.elapsed().as_secs());
        if !verdict.starts_with("found") {
            not_found.push(bug.name);
        }
    }
    match not_found.as_slice() {
        [] => Ok(()),
        names => Err(format!("not found: {}", names.join(", "))),
    }
}

/// The table of docs/pitfalls.md.
fn table() -> String {
    let mut table = String::from("| bug | where it was | test that finds it |\n|---|---|---|\n");
    for bug in BUGS {
        table.push_str(&format!("| {} | {} | `{}` |\n", bug.description, bug.origin, bug.test));
    }
    table
}

impl Bug {
    /// The file's text with the bug.
    fn insert_into(&self, text: &str) -> Result<String, String> {
        match text.matches(self.find).count() {
            1 => Ok(text.replacen(self.find, self.replace, 1)),
            count => Err(format!(
                "{}: {} contains the text to be changed {count} times, not once; update \
                 xtask/src/mutate/bugs.rs:\n{}",
                self.name, self.file, self.find
            )),
        }
    }
}

/// A copy of the sources with a separate target folder.
struct Copy {
    root: PathBuf,
    target: PathBuf,
}

fn read(root: &Path, file: &str) -> Result<String, String> {
    let path = root.join(file);
    fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
}

fn shown(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

impl Copy {
    /// Makes or updates a copy of the tree that this program was built from.
    fn make() -> Result<Copy, String> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no workspace")?;
        let target =
            std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| source.join("target"), PathBuf::from);
        let folder = target.join("mutate");
        let copy = Copy { root: folder.join("tree"), target: folder.join("target") };
        let listed = Command::new("git")
            .current_dir(source)
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .output()
            .map_err(|error| format!("git: {error}"))?;
        for name in String::from_utf8_lossy(&listed.stdout).split_terminator('\0') {
            let (from, to) = (source.join(name), copy.root.join(name));
            let Ok(bytes) = fs::read(&from) else { continue };
            // Unchanged files keep their time stamps and are not built again.
            if fs::read(&to).ok().as_ref() != Some(&bytes) {
                let parent = to.parent().unwrap_or(&to);
                fs::create_dir_all(parent)
                    .and_then(|()| fs::write(&to, bytes))
                    .map_err(|error| format!("{}: {error}", to.display()))?;
            }
        }
        Ok(copy)
    }

    /// Runs `body` with the bug in the copy.
    fn with<T>(&self, bug: &Bug, body: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
        let path = self.root.join(bug.file);
        let text = read(&self.root, bug.file)?;
        let write =
            |text: &str| fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()));
        write(&bug.insert_into(&text)?)?;
        let result = body();
        write(&text)?;
        result
    }

    /// Whether the bug's test finds it.
    fn verdict(&self, bug: &Bug) -> Result<String, String> {
        let built = self.cargo(bug.test, &["--no-run"], &[])?;
        if !built.status.success() {
            return Ok(format!("DOES NOT BUILD:\n{}", shown(&built)));
        }
        let output = self.test(bug.test, bug.environment)?;
        let text = shown(&output);
        Ok(match output.status.code() {
            Some(0) => String::from("NOT FOUND"),
            Some(124 | 137) => format!("found: no end within {LIMIT} s"),
            // The test must fail for the right reason, and not because device code does not compile.
            _ if text.contains(bug.message) => format!("found: {}", line_with(&text, bug.message)),
            _ => format!("FAILS FOR ANOTHER REASON, without '{}':\n{text}", bug.message),
        })
    }

    /// Runs a test: `package/program name`.
    fn test(&self, test: &str, environment: &[(&str, &str)]) -> Result<Output, String> {
        self.cargo(test, &[], environment)
    }

    fn cargo(&self, test: &str, more: &[&str], environment: &[(&str, &str)]) -> Result<Output, String> {
        let (target, name) = test.split_once(' ').ok_or("a test is: package/program name")?;
        let (package, program) = target.split_once('/').ok_or("a test is: package/program name")?;
        let mut command = Command::new("timeout");
        command.args(["--kill-after=5", &LIMIT.to_string()]);
        command.arg(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        command.args(["test", "--quiet", "--package", package]);
        match program {
            "lib" => command.arg("--lib"),
            "bin" => command.arg("--bins"),
            program => command.args(["--test", program]),
        };
        command.args(more).args(["--", "--exact", name]);
        command
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_TERM_COLOR", "never");
        command.env("RUST_BACKTRACE", "0").envs(environment.iter().copied());
        command.output().map_err(|error| format!("timeout: {error}"))
    }
}

/// The first line that contains the text, shortened.
fn line_with(text: &str, part: &str) -> String {
    let line = text.lines().find(|line| line.contains(part)).unwrap_or(part);
    line.trim().chars().take(150).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bug_can_be_inserted() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        for bug in BUGS {
            let changed =
                bug.insert_into(&read(root, bug.file).unwrap()).unwrap_or_else(|error| panic!("{error}"));
            assert!(changed.contains(bug.replace), "{}", bug.name);
        }
    }

    #[test]
    fn a_change_that_does_not_apply_is_an_error() {
        let error = BUGS[0].insert_into("something else").unwrap_err();
        assert!(error.contains("0 times, not once"), "{error}");
    }

    /// `cargo xtask mutate --table` prints the table.
    #[test]
    fn the_page_has_the_table() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let page = read(root, "docs/pitfalls.md").unwrap();
        assert!(page.contains(&table()), "docs/pitfalls.md has another table than:\n{}", table());
    }
}
