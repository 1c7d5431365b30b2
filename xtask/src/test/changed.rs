//! The packages that a change concerns.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::binaries::Selection;
use crate::cargo::cargo;

/// A package of the workspace.
struct Package {
    folder: PathBuf,
    /// Packages of the workspace that it uses.
    uses: BTreeSet<String>,
}

/// The packages with files that differ from a commit, and all that use them. A file outside of packages that all depend
/// on, such as `Cargo.toml`, concerns all.
pub fn packages(since: &str) -> Result<Selection, String> {
    let packages = workspace()?;
    let folder = std::env::current_dir().map_err(|error| error.to_string())?;
    let mut names = BTreeSet::new();
    for file in differing(since)? {
        // The folder of one package may be in that of another.
        let within = packages.iter().filter(|(_, package)| folder.join(&file).starts_with(&package.folder));
        let owner = within.max_by_key(|(_, package)| package.folder.as_os_str().len());
        match owner {
            Some((name, _)) => drop(names.insert(name.clone())),
            None if matches!(&*file, "Cargo.toml" | "Cargo.lock" | ".cargo/config.toml") => {
                return Ok(Selection::All);
            }
            // Pages are compared with options and run by the program's tests.
            None if file.starts_with("docs/") || file == "README.md" => {
                names.insert("warpfold".into());
            }
            None => {}
        }
    }
    Ok(Selection::Some(with_users(&packages, names)))
}

/// These packages and those that use them, in order.
fn with_users(packages: &BTreeMap<String, Package>, mut names: BTreeSet<String>) -> Vec<String> {
    loop {
        let users: Vec<String> = packages
            .iter()
            .filter(|(name, package)| !names.contains(*name) && !package.uses.is_disjoint(&names))
            .map(|(name, _)| name.clone())
            .collect();
        if users.is_empty() {
            return names.into_iter().collect();
        }
        names.extend(users);
    }
}

/// Files that differ from a commit in the working tree, also those that git does not know yet.
fn differing(since: &str) -> Result<Vec<String>, String> {
    let mut files = Vec::new();
    for arguments in [&["diff", "--name-only", since][..], &["ls-files", "--others", "--exclude-standard"]] {
        let output = Command::new("git").args(arguments).output().map_err(|error| format!("git: {error}"))?;
        if !output.status.success() {
            return Err(format!("git: {}", String::from_utf8_lossy(&output.stderr).trim_end()));
        }
        files.extend(String::from_utf8_lossy(&output.stdout).lines().map(String::from));
    }
    Ok(files)
}

/// The workspace's packages by name.
fn workspace() -> Result<BTreeMap<String, Package>, String> {
    let output = cargo(&["metadata", "--format-version=1", "--no-deps"])
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    let metadata: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    let package = |package: &Value| {
        let folder = Path::new(package["manifest_path"].as_str()?).parent()?.to_path_buf();
        let used = package["dependencies"].as_array()?.iter();
        let uses = used
            .filter(|used| !used["path"].is_null())
            .filter_map(|used| used["name"].as_str().map(String::from));
        Some((package["name"].as_str()?.to_string(), Package { folder, uses: uses.collect() }))
    };
    let packages = metadata["packages"].as_array().into_iter().flatten();
    Ok(packages.filter_map(package).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_of_users_are_found() {
        let package = |uses: &[&str]| Package {
            folder: PathBuf::new(),
            uses: uses.iter().map(|name| name.to_string()).collect(),
        };
        let packages = BTreeMap::from([
            ("a".to_string(), package(&[])),
            ("b".to_string(), package(&["a"])),
            ("c".to_string(), package(&["b"])),
            ("d".to_string(), package(&[])),
        ]);
        let with_users = |name: &str| with_users(&packages, BTreeSet::from([name.to_string()]));
        assert_eq!(with_users("a"), ["a", "b", "c"]);
        assert_eq!(with_users("d"), ["d"]);
    }
}
