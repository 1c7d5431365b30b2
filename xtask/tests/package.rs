//! `cargo xtask package`: a package of each kind, installed, used and removed on a fresh Debian, and the crates.

use std::{path::PathBuf, process::Command};

/// The packages with the releases that they are tried on; crates are built where they are made.
const PACKAGES: [(&str, &[&str]); 4] =
    [("deb", &["bookworm"]), ("wheel", &["trixie"]), ("image", &["trixie"]), ("crates", &[])];

/// What makes and tries them, and is not installed by `cargo xtask test`.
const TOOLS: [&str; 4] = ["debootstrap", "dpkg-shlibdeps", "python3", "buildah"];

#[test]
fn packages_are_installed_used_and_removed_on_a_fresh_debian() {
    if std::env::var_os("WARPFOLD_NIGHTLY").is_none() {
        return eprintln!("skipped: packages are tried by `cargo xtask test nightly`");
    }
    if !rustix::process::geteuid().is_root() {
        return eprintln!("skipped: only root makes a chroot");
    }
    if let Some(tool) = TOOLS.iter().find(|tool| Command::new(tool).arg("--version").output().is_err()) {
        return eprintln!("skipped: there is no {tool}");
    }
    // Not in /tmp, which may be memory: a chroot has gigabytes.
    let folder = tempfile::tempdir_in("/var/tmp").expect("a folder");
    let out = folder.path().join("out");
    let root = folder.path().join("root");
    for (kind, releases) in PACKAGES {
        let mut xtask = Command::new(PathBuf::from(env!("CARGO_BIN_EXE_xtask")));
        xtask.args(["package", kind, "--out"]).arg(&out).arg("--root").arg(&root);
        xtask.args(releases.iter().flat_map(|release| ["--try", release]));
        let status = xtask.status().expect("it starts");
        assert!(status.success(), "{kind}: {status}");
        assert!(!root.exists(), "{kind}: the chroot stays");
    }
}
