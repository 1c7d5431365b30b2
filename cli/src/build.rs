//! `warpfold build`: writes the device runtime with the files that compilers and build systems need.

use std::{env, path::PathBuf};

use toolchain::Tools;

use crate::{device_runtime, error::Error, llvm::LlvmOptions, output, this_program};

/// Options of `warpfold build`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    llvm: LlvmOptions,
    /// Write the files below this folder [default: warpfold-VERSION, unless --archive is given]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write one archive with this program, for machines without Rust: unpack it, or `warpfold install --archive`
    #[arg(long, value_name = "FILE.tar.gz")]
    archive: Option<PathBuf>,
}

/// Builds the package and writes it.
pub fn run(options: &Options) -> Result<(), Error> {
    options.llvm.choose();
    let package = device_runtime::package(&Tools::find()?)?;
    let folder = match (&options.out, &options.archive) {
        (None, None) => Some(PathBuf::from(format!("warpfold-{}", package.version))),
        (out, _) => out.clone(),
    };
    if let Some(folder) = folder {
        package.write(&folder)?;
        for path in package.files.keys() {
            output::line(terminal_text::name(folder.join(path).display()))?;
        }
        let absolute = env::current_dir().map_or(folder.clone(), |here| here.join(&folder));
        output::line(format_args!(
            "CMake: -DCMAKE_PREFIX_PATH={0}; pkg-config: PKG_CONFIG_PATH={0}/lib/pkgconfig; plain clang: `warpfold install`",
            terminal_text::name(absolute.display())
        ))?;
    }
    if let Some(archive) = &options.archive {
        output::replace(archive, &package.archive(&this_program::path()?)?)?;
        output::line(terminal_text::name(archive.display()))?;
    }
    Ok(())
}
