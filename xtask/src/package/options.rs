//! The options of the command.

use std::path::PathBuf;

/// Options of `cargo xtask package`.
#[derive(clap::Args)]
pub struct Options {
    /// What to make
    #[arg(value_enum)]
    pub kind: PackageKind,
    /// The folder that gets the package
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Who gives the package to others
    #[arg(long, value_name = "NAME <ADDRESS>", default_value = "warpfold developers <warpfold@example.org>")]
    pub maintainer: String,
    /// Install, use and remove the package on this fresh Debian, without network once it is installed (needs root and
    /// debootstrap); once for each release
    #[arg(long = "try", value_name = "RELEASE")]
    pub releases: Vec<String>,
    /// The chroot's folder; must not exist, and is removed afterwards (see --keep)
    #[arg(long, default_value = "/var/tmp/warpfold-package")]
    pub root: PathBuf,
    /// Keep the chroot if a command failed
    #[arg(long)]
    pub keep: bool,
}

/// The packages.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum PackageKind {
    /// Debian's package
    Deb,
    /// A wheel for pip
    Wheel,
    /// A container file, with the Debian package that it installs
    Image,
    /// The libraries as crates, which cargo tries to publish; nothing is
    Crates,
}
