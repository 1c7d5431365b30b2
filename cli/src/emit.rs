//! `warpfold emit`: what other compilers and kernels build with.

use std::{fs, path::PathBuf};

use crate::{error::Error, output};

/// What is written.
#[derive(clap::Args)]
pub struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// The C header of the device runtime: every function with its contract
    Header {
        /// Write to this file [default: standard output]
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

/// Writes it.
pub fn run(options: &Options) -> Result<(), Error> {
    let What::Header { output } = &options.what;
    write(output.as_ref(), &device_rt::c_header())
}

/// Writes a text to a file, or to standard output.
fn write(path: Option<&PathBuf>, text: &str) -> Result<(), Error> {
    match path {
        Some(path) => fs::write(path, text).map_err(|source| Error::Write { path: path.clone(), source }),
        None => output::line(text.trim_end()),
    }
}
