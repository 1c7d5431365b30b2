//! Checks dependencies: no cycle among the files of a crate, and crates depend on each other only as the
//! table in docs/architecture.md says.
//!
//! A file depends on the file that defines a name that it uses. Paths, imports, re-exports and macros are
//! resolved; method calls are not, because types are unknown here.

mod crates;
mod cycles;
mod names;
mod tree;

use std::path::PathBuf;

use crate::readme::workspace_root;

/// Options of `cargo xtask modules`.
#[derive(clap::Args)]
pub struct Options {
    /// Names of packages to check [default: all of the workspace]
    crates: Vec<String>,
    /// Print every dependency between files, not only cycles
    #[arg(long)]
    list: bool,
}

/// Checks the workspace; an error lists every cycle with the names that cause it.
pub fn run(options: &Options) -> Result<(), String> {
    let root = workspace_root();
    let metadata = crates::metadata()?;
    let mut problems = crates::check(&metadata)?;
    let mut files = 0;
    for target in crates::targets(&metadata) {
        if !options.crates.is_empty() && !options.crates.contains(&target.package) {
            continue;
        }
        let tree = tree::read(&target.root)?;
        files += tree.modules.len();
        let dependencies = names::dependencies(&tree);
        let shown = |path: &PathBuf| path.strip_prefix(root).unwrap_or(path).display().to_string();
        if options.list {
            for dependency in &dependencies {
                println!("{} -> {}: {}", shown(&dependency.from), shown(&dependency.to), dependency.name);
            }
        }
        for cycle in cycles::find(&dependencies) {
            let mut text = format!("a cycle of {} files in {}:", cycle.len(), target.package);
            for dependency in &dependencies {
                if cycle.contains(&dependency.from) && cycle.contains(&dependency.to) {
                    let (from, to) = (shown(&dependency.from), shown(&dependency.to));
                    text += &format!("\n  {from} -> {to}: {}", dependency.name);
                }
            }
            problems.push(text);
        }
    }
    if problems.is_empty() {
        println!("{files} modules: no cycle");
        return Ok(());
    }
    Err(problems.join("\n"))
}
