//! Runs the README's commands, read from the README itself, so that it stays correct.
//!
//! A code block that starts with ```` ```sh NAME ```` has that name; it is displayed as an ordinary shell
//! block.

use std::{path::Path, process::Command};

/// Options of `cargo xtask readme`.
#[derive(clap::Args)]
pub struct Options {
    /// Run what they build with the dev profile instead of --release, for those who build with it anyway
    #[arg(long)]
    dev: bool,
    /// Names of README blocks to run [default: all]
    names: Vec<String>,
}

/// A named shell block of the README.
pub struct Block {
    pub name: String,
    pub script: String,
}

/// The named shell blocks of a Markdown text, in order.
pub fn blocks(markdown: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for line in markdown.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                let name = info.strip_prefix("sh ").unwrap_or("").trim().to_owned();
                open = Some(Block { name, script: String::new() });
            }
            (Some(_), Some(_)) => found.extend(open.take().filter(|block| !block.name.is_empty())),
            (Some(block), None) => {
                block.script.push_str(line);
                block.script.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}

/// The README's named blocks; only those in `names`, if it is not empty.
pub fn read(names: &[String]) -> Result<Vec<Block>, String> {
    let path = workspace_root().join("README.md");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let all = blocks(&text);
    for name in names {
        if !all.iter().any(|block| block.name == *name) {
            return Err(format!("README.md has no block `sh {name}`"));
        }
    }
    Ok(all.into_iter().filter(|block| names.is_empty() || names.contains(&block.name)).collect())
}

/// The repository's top folder.
pub fn workspace_root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

/// Runs the named blocks one after the other, until one fails.
pub fn run(options: &Options) -> Result<(), String> {
    for block in read(&options.names)? {
        println!("--- README: {}\n{}", block.name, block.script);
        let script =
            if options.dev { block.script.replace("--release", "--profile=dev") } else { block.script };
        let status = Command::new("bash")
            .args(["-euo", "pipefail", "-c", &script])
            .current_dir(workspace_root())
            .status()
            .map_err(|e| format!("bash: {e}"))?;
        if !status.success() {
            return Err(format!("README block `{}` ended with {status}", block.name));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_named_shell_blocks_are_found() {
        let found = blocks("a\n```sh one\nx\ny\n```\n```text\nno\n```\n```sh\nno\n```\n```sh two\nz\n```\n");
        let pairs: Vec<_> = found.iter().map(|b| (b.name.as_str(), b.script.as_str())).collect();
        assert_eq!(pairs, [("one", "x\ny\n"), ("two", "z\n")]);
    }

    #[test]
    fn the_readme_has_its_two_commands() {
        let names: Vec<_> = read(&[]).unwrap().into_iter().map(|b| b.name).collect();
        assert!(names.starts_with(&["first-run".into(), "test".into()]), "{names:?}");
    }
}
