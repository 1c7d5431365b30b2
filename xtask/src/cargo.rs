//! Runs cargo and finds the files that it built.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// The cargo that runs this program, with these arguments.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(arguments);
    cargo
}

/// Builds, and returns the path of the executable of that name.
pub fn executable(arguments: &[&str], name: &str) -> Result<PathBuf, String> {
    artifact(arguments, name, |message| message["executable"].as_str().map(PathBuf::from))
}

/// The program `warpfold`: the given file, or what is built now.
pub fn warpfold(given: Option<&Path>) -> Result<PathBuf, String> {
    match given {
        Some(given) => {
            std::path::absolute(given).map_err(|error| format!("cannot find {}: {error}", given.display()))
        }
        None => executable(&["build", "--quiet", "--package", "warpfold"], "warpfold"),
    }
}

/// Builds, and returns the path of the shared library of that name.
pub fn shared_library(arguments: &[&str], name: &str) -> Result<PathBuf, String> {
    artifact(arguments, name, |message| {
        let files = message["filenames"].as_array()?.iter().filter_map(|file| file.as_str());
        files.map(PathBuf::from).find(|path| path.extension().is_some_and(|extension| extension == "so"))
    })
}

/// Builds, and finds a file in cargo's output, which has one line of JSON for each target.
fn artifact(
    arguments: &[&str],
    name: &str,
    file: impl Fn(&Value) -> Option<PathBuf>,
) -> Result<PathBuf, String> {
    let output = cargo(arguments)
        .arg("--message-format=json-render-diagnostics")
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("{name} was not built"));
    }
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .find_map(|message| file(&message))
        .ok_or_else(|| format!("cargo names no file for {name}"))
}
