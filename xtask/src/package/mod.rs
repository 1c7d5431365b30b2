//! `cargo xtask package`: the packages for those who use the program, each made by one command and, with `--try`, tried
//! on a fresh Debian without Rust.
//!
//! | file | what it makes |
//! |---|---|
//! | `options` | the options of the command |
//! | `program` | the program as packages hold it, its commit and version |
//! | `deb` | Debian's package |
//! | `wheel` | a wheel for pip |
//! | `crates` | the libraries as crates |
//! | `image` | a container file |
//! | `trial` | trying a package in a chroot |

mod crates;
mod deb;
mod image;
mod options;
mod program;
mod trial;
mod wheel;

use std::{fs, path::Path};

pub use options::Options;
use options::PackageKind;

/// The most bytes that a package may have.
const LARGEST: u64 = 30_000_000;

/// Makes the package, and tries it.
pub fn run(options: &Options) -> Result<(), String> {
    let out = std::path::absolute(&options.out).map_err(|e| format!("{}: {e}", options.out.display()))?;
    fs::create_dir_all(&out).map_err(|e| format!("{}: {e}", out.display()))?;
    let (made, attempt): (_, Attempt) = match options.kind {
        PackageKind::Deb => (deb::make(options, &out)?, deb::attempt),
        PackageKind::Wheel => (wheel::make(&out)?, wheel::attempt),
        PackageKind::Image => (image::make(options, &out)?, image::attempt),
        PackageKind::Crates if options.releases.is_empty() => return crates::make(&out),
        PackageKind::Crates => return Err("crates are built where they are made: leave out --try".into()),
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
