//! `warpfold completions`: completions for shells, and manual pages for packages.

use std::{fs, path::PathBuf};

use clap::Command;
use clap_complete::Shell;
use output_files::FileError;

use crate::{error::Error, output};

/// Options of `warpfold completions`.
#[derive(clap::Args)]
pub struct Options {
    /// The shell
    #[arg(value_name = "SHELL", required_unless_present = "manual_pages")]
    shell: Option<Shell>,
    /// Write the manual pages into this folder instead
    #[arg(long, value_name = "FOLDER", conflicts_with = "shell")]
    manual_pages: Option<PathBuf>,
}

/// Prints them, or writes the pages, for the commands of the program.
pub fn run(options: &Options, mut command: Command) -> Result<(), Error> {
    if let Some(folder) = &options.manual_pages {
        return Ok(manual_pages(command, folder)?);
    }
    let Some(shell) = options.shell else { return Ok(()) };
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, "warpfold", &mut text);
    output::text(&String::from_utf8_lossy(&text))
}

/// One page for the program and one for each command: `warpfold.1`, `warpfold-run.1`.
fn manual_pages(command: Command, folder: &PathBuf) -> Result<(), FileError> {
    let failed = |source| FileError::Write { path: folder.clone(), source };
    fs::create_dir_all(folder).map_err(failed)?;
    // Options that every command has are not repeated; hidden commands have no page.
    clap_mangen::generate_to(command.disable_help_subcommand(true), folder).map_err(failed)
}
