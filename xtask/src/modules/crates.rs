//! The packages of the workspace: their root files, and their allowed dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::readme::workspace_root;

/// The page with the table of crates.
const PAGE: &str = "docs/architecture.md";

/// A library or program of a package.
pub struct Target {
    pub package: String,
    pub root: PathBuf,
}

/// cargo's metadata of the workspace.
pub fn metadata() -> Result<Value, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version=1"])
        .current_dir(workspace_root())
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

fn packages(metadata: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    packages.filter_map(|package| Some((package["name"].as_str()?, package)))
}

/// All libraries and programs.
pub fn targets(metadata: &Value) -> Vec<Target> {
    let mut found = Vec::new();
    for (name, package) in packages(metadata) {
        for target in package["targets"].as_array().into_iter().flatten() {
            let kinds = target["kind"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let wanted = ["lib", "rlib", "cdylib", "bin"];
            if kinds.into_iter().any(|kind| wanted.contains(&kind))
                && let Some(root) = target["src_path"].as_str()
            {
                found.push(Target { package: name.to_owned(), root: PathBuf::from(root) });
            }
        }
    }
    found
}

/// Compares the packages' dependencies on each other with the table of docs/architecture.md.
pub fn check(metadata: &Value) -> Result<Vec<String>, String> {
    let path = workspace_root().join(PAGE);
    let page = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let allowed = table(&page);
    let members: BTreeSet<&str> = packages(metadata).map(|(name, _)| name).collect();
    let mut problems = Vec::new();
    for (name, package) in packages(metadata) {
        let used: BTreeSet<String> = package["dependencies"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|dependency| dependency["kind"].is_null())
            .filter_map(|dependency| dependency["name"].as_str())
            .filter(|dependency| members.contains(dependency))
            .map(String::from)
            .collect();
        match allowed.get(name) {
            None => problems.push(format!("{PAGE}: the table of crates has no row for `{name}`")),
            Some(row) if *row != used => problems
                .push(format!("{PAGE}: `{name}` depends on {used:?}, but the table of crates has {row:?}")),
            Some(_) => {}
        }
    }
    Ok(problems)
}

/// The rows `| `crate` | … | dependencies |` below the heading "Crates".
fn table(page: &str) -> BTreeMap<String, BTreeSet<String>> {
    let rows = page.lines().skip_while(|line| *line != "## Crates").skip(1);
    rows.take_while(|line| !line.starts_with("## "))
        .filter_map(|line| {
            let cells = line.strip_prefix("| ")?.trim_end_matches('|');
            let (first, last) = (cells.split(" | ").next()?, cells.rsplit(" | ").next()?);
            let (name, uses) = (quoted(first).next()?, quoted(last).collect());
            Some((name, uses))
        })
        .collect()
}

/// The words between backquotes.
fn quoted(cell: &str) -> impl Iterator<Item = String> {
    cell.split('`').skip(1).step_by(2).map(String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_column_has_the_dependencies() {
        let page = "## Crates\n\n| crate | what | depends on |\n|---|---|---|\n| `a` | is `x` | `b`, `c` |\n\
                    | `b` | y | none |\n\n## Next\n| `z` | | `a` |\n";
        let table = table(page);
        assert_eq!(table.len(), 2);
        assert_eq!(table["a"], BTreeSet::from(["b".to_owned(), "c".to_owned()]));
        assert!(table["b"].is_empty());
    }
}
