//! The test binaries that cargo builds.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::cargo::cargo;

/// The packages whose tests are run.
pub enum Selection {
    All,
    Some(Vec<String>),
}

impl Selection {
    fn arguments(&self) -> Vec<&str> {
        match self {
            Selection::All => vec!["--workspace"],
            Selection::Some(names) => names.iter().flat_map(|name| ["--package", name]).collect(),
        }
    }
}

/// A process that runs tests.
#[derive(Clone, Debug)]
pub struct Job {
    /// The package and the target: `loop-compiler/nests`, `warpfold/bin`; `doc` for all examples in documentation.
    pub name: String,
    program: PathBuf,
    arguments: Vec<String>,
    /// Where it runs.
    folder: PathBuf,
    /// Whether it takes the arguments of Rust's test harness, and not cargo's.
    pub is_binary: bool,
}

impl Job {
    /// The command, without a test harness's arguments.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder);
        command
    }
}

/// Builds the tests.
pub fn jobs(selection: &Selection) -> Result<Vec<Job>, String> {
    let output = cargo(&["test", "--no-run", "--message-format=json-render-diagnostics"])
        .args(selection.arguments())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !output.status.success() {
        return Err("the tests were not built".into());
    }
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let messages = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut jobs: Vec<Job> = messages.filter_map(|message| of_artifact(&message)).collect();
    let folder = std::env::current_dir().map_err(|error| error.to_string())?;
    let mut arguments = vec![String::from("test"), "--doc".into()];
    arguments.extend(selection.arguments().into_iter().map(String::from));
    jobs.push(Job { name: "doc".into(), program: env!("CARGO").into(), arguments, folder, is_binary: false });
    Ok(jobs)
}

/// The binary that one of cargo's messages names, if it is one with tests.
fn of_artifact(message: &Value) -> Option<Job> {
    let program = PathBuf::from(message["executable"].as_str()?);
    if message["profile"]["test"] != true {
        return None;
    }
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_path_buf();
    // `path+file:///folder#name@0.1.0`, or `…/name#0.1.0`.
    let id = message["package_id"].as_str()?;
    let (path, version) = id.rsplit_once('#')?;
    let package = version.split_once('@').map_or(path.rsplit('/').next(), |(name, _)| Some(name))?;
    let target = &message["target"];
    let target = match target["kind"][0].as_str()? {
        "test" | "bench" => target["name"].as_str()?.to_string(),
        "bin" if target["name"] != package => format!("bin/{}", target["name"].as_str()?),
        "bin" => "bin".into(),
        _ => "lib".into(),
    };
    Some(Job { name: format!("{package}/{target}"), program, arguments: Vec::new(), folder, is_binary: true })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn binaries_are_named_by_package_and_target() {
        let of = |id: &str, kind: &str, name: &str, test: bool| {
            let message = json!({
                "executable": "/t/x-1", "profile": { "test": test }, "manifest_path": "/w/p/Cargo.toml",
                "package_id": id, "target": { "kind": [kind], "name": name },
            });
            of_artifact(&message).map(|job| job.name)
        };
        assert_eq!(of("path+file:///w/p#0.1.0", "test", "nests", true).as_deref(), Some("p/nests"));
        assert_eq!(of("path+file:///w/cli#p@0.1.0", "bin", "p", true).as_deref(), Some("p/bin"));
        assert_eq!(of("path+file:///w/p#0.1.0", "bin", "dot", true).as_deref(), Some("p/bin/dot"));
        assert_eq!(of("path+file:///w/p#0.1.0", "lib", "p", true).as_deref(), Some("p/lib"));
        assert_eq!(of("path+file:///w/p#0.1.0", "bin", "p", false), None);
    }
}
