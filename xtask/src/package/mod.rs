//! `cargo xtask package`: the packages for those who use the program, each made by one command and, with `--try`, tried
//! on a fresh Debian without Rust.
//!
//! | file | what it makes |
//! |---|---|
//! | `program` | the program as packages hold it, and its commit |
//! | `deb` | Debian's package |
//! | `wheel` | a wheel for pip |
//! | `crates` | the libraries as crates |
//! | `image` | a container file |
//! | `trial` | trying a package in a chroot |

mod crates;
mod deb;
mod image;
mod program;
mod trial;
mod wheel;

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The version of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The most bytes that a package may have.
const LARGEST: u64 = 30_000_000;

/// Options of `cargo xtask package`.
#[derive(clap::Args)]
pub struct Options {
    /// What to make
    #[arg(value_enum)]
    kind: Kind,
    /// The folder that gets the package
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Who gives the package to others
    #[arg(long, value_name = "NAME <ADDRESS>", default_value = "warpfold developers <warpfold@example.org>")]
    maintainer: String,
    /// Install, use and remove the package on this fresh Debian, without network once it is installed (needs root and
    /// debootstrap); once for each release
    #[arg(long = "try", value_name = "RELEASE")]
    releases: Vec<String>,
    /// The chroot's folder; must not exist, and is removed afterwards (see --keep)
    #[arg(long, default_value = "/var/tmp/warpfold-package")]
    root: PathBuf,
    /// Keep the chroot if a command failed
    #[arg(long)]
    keep: bool,
}

/// The packages.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Kind {
    /// Debian's package
    Deb,
    /// A wheel for pip
    Wheel,
    /// A container file, with the Debian package that it installs
    Image,
    /// The libraries as crates, which cargo tries to publish; nothing is
    Crates,
}

/// Makes the package, and tries it.
pub fn run(options: &Options) -> Result<(), String> {
    let out = std::path::absolute(&options.out).map_err(|e| format!("{}: {e}", options.out.display()))?;
    fs::create_dir_all(&out).map_err(|e| format!("{}: {e}", out.display()))?;
    let (made, attempt): (_, Attempt) = match options.kind {
        Kind::Deb => (deb::make(options, &out)?, deb::attempt),
        Kind::Wheel => (wheel::make(&out)?, wheel::attempt),
        Kind::Image => (image::make(options, &out)?, image::attempt),
        Kind::Crates if options.releases.is_empty() => return crates::make(&out),
        Kind::Crates => return Err("crates are built where they are made: leave out --try".into()),
    };
    println!("{} ({:.1} MB)", made.display(), size(&made)? as f64 / 1e6);
    options.releases.iter().try_for_each(|release| attempt(&made, release, options))
}

/// Installs, uses and removes a package on a release of Debian.
type Attempt = fn(&Path, &str, &Options) -> Result<(), String>;

/// The size of a package; an error if it is too large.
fn size(package: &Path) -> Result<u64, String> {
    let size = fs::metadata(package).map_err(|e| format!("{}: {e}", package.display()))?.len();
    if size > LARGEST {
        return Err(format!("{} has {size} bytes, and may have {LARGEST}", package.display()));
    }
    Ok(size)
}

/// Writes a file of a package, and the folders it lies in.
fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, content));
    written.map_err(|e| format!("{}: {e}", path.display()))
}
