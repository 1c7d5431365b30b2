//! Device code compiled by clang 19: runs `tests-gpu/tests/clang19.rs`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::crates;
use super::suite::{Outcomes, Setup, Stop, fetch};

/// Runs the tests with the clang that is unpacked in the suite's folder.
pub fn run(setup: &Setup) -> Result<Outcomes, Stop> {
    let clang = unpacked(&setup.folder)?.join("bin/clang-19");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--package=tests-gpu", "--test=clang19"]).env("CARGO_TERM_COLOR", "never");
    crates::tests(cargo.env("WARPFOLD_CLANG_19", clang))
}

/// Downloads Debian's packages of clang 19 and its device runtime and unpacks them below a folder; returns
/// LLVM's folder there.
pub fn unpacked(folder: &Path) -> Result<PathBuf, Stop> {
    const PACKAGES: [&str; 5] =
        ["clang-19", "libclang-cpp19", "libllvm19", "libclang-common-19-dev", "libomp-19-dev"];
    let root = folder.join("root");
    let home = root.join("usr/lib/llvm-19");
    if !home.join("bin/clang-19").exists() {
        let broken = |error: std::io::Error| Stop::Broken(format!("{}: {error}", root.display()));
        fs::create_dir_all(&root).map_err(broken)?;
        fetch(Command::new("apt-get").current_dir(folder).args(["--quiet", "download"]).args(PACKAGES))?;
        let files = fs::read_dir(folder).map_err(broken)?.flatten().map(|entry| entry.path());
        for package in files.filter(|path| path.extension() == Some("deb".as_ref())) {
            fetch(Command::new("dpkg").arg("-x").arg(package).arg(&root))?;
        }
    }
    Ok(home)
}
