//! One-way dependencies: no cycle among the files of a crate, and none among crates but those of the table in
//! docs/architecture.md.
//!
//! A file depends on the file that defines what it names. Method calls are not seen, because their types are not
//! known here; the rest (paths, imports, re-exports, macros) is.

mod crates;
mod cycles;
mod names;
mod tree;

use std::path::PathBuf;

use crate::readme::workspace_root;

/// What `cargo xtask modules` checks.
#[derive(clap::Args)]
pub struct Options {
    /// Crates to check, by package name; all of the workspace when none is given
    crates: Vec<String>,
    /// Print every dependency between files, not cycles alone
    #[arg(long)]
    list: bool,
}

/// Checks the workspace; an error lists every cycle with the names that tie it.
pub fn run(options: &Options) -> Result<(), String> {
    let root = workspace_root();
    let metadata = crates::metadata()?;
    let mut faults = crates::check(&metadata)?;
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
            faults.push(text);
        }
    }
    if faults.is_empty() {
        println!("{files} modules: no cycle");
        return Ok(());
    }
    Err(faults.join("\n"))
}
