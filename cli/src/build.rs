//! `warpfold build`: the device runtime with all that a compiler or a build system needs to use it.

use std::{env, path::PathBuf};

use toolchain::Tools;

use crate::{error::Error, output, package::Package};

/// Where to.
#[derive(clap::Args)]
pub struct Options {
    /// The folder that the files go below [default: warpfold-VERSION, unless an archive is asked for]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// One archive with all of them, for `warpfold install --archive` on machines without Rust
    #[arg(long, value_name = "FILE.tar.gz")]
    archive: Option<PathBuf>,
}

/// Builds and writes.
pub fn run(options: &Options) -> Result<(), Error> {
    let package = Package::build(&Tools::find()?)?;
    let folder = match (&options.out, &options.archive) {
        (None, None) => Some(PathBuf::from(format!("warpfold-{}", package.version))),
        (out, _) => out.clone(),
    };
    if let Some(folder) = folder {
        package.write(&folder)?;
        for place in package.files.keys() {
            output::line(folder.join(place).display())?;
        }
        let whole = env::current_dir().map_or(folder.clone(), |here| here.join(&folder));
        output::line(format_args!(
            "CMake: -DCMAKE_PREFIX_PATH={0}; pkg-config: PKG_CONFIG_PATH={0}/lib/pkgconfig; plain clang: `warpfold install`",
            whole.display()
        ))?;
    }
    if let Some(archive) = &options.archive {
        package.archive(archive)?;
        output::line(archive.display())?;
    }
    Ok(())
}
