//! Where this program is: others call it in the place of NVIDIA's tools, and it calls itself.

use std::{env, path::PathBuf};

use crate::error::Error;

/// The path of this program.
pub fn path() -> Result<PathBuf, Error> {
    env::current_exe().map_err(|source| Error::Program { program: "warpfold".into(), source })
}
