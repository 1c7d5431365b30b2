//! Debian's packages.

use std::fs;
use std::os::unix::fs::MetadataExt;

use super::{refuse, stream};
use crate::Error;
use crate::find::on_path;
use crate::process::command;

/// May this process install packages?
pub(super) fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

/// What a user without root's rights types.
pub(super) fn by_hand(packages: &[&str]) -> String {
    format!("sudo apt-get update && sudo apt-get install --no-install-recommends {}", packages.join(" "))
}

pub(super) fn install(
    packages: &[&str],
    step: &str,
    tell: &mut dyn FnMut(Option<&str>),
) -> Result<(), Error> {
    let Some(apt) = on_path("apt-get").into_iter().next() else {
        let cure = "install rustc 1.95 or newer with its library source, LLVM 22 or newer and clang with your \
                    system's package manager, or rustup's components rust-src and llvm-tools";
        return Err(refuse(step, String::from("there is no apt-get here"), cure.to_string()));
    };
    if !is_root() {
        return Err(refuse(step, String::from("it needs root"), by_hand(packages)));
    }
    let mut get = |arguments: &[&str]| {
        stream(command(&apt).env("DEBIAN_FRONTEND", "noninteractive").args(arguments), tell)
    };
    // Stale package lists are the rule on fresh images. If the lists cannot be had, what apt knows may still do.
    let update = get(&["update"]);
    let install: Vec<&str> =
        ["install", "-y", "--no-install-recommends"].into_iter().chain(packages.iter().copied()).collect();
    match (get(&install), update) {
        (Ok(()), _) => Ok(()),
        (Err(install), Ok(())) => Err(install),
        (Err(install), Err(update)) => Err(refuse(
            step,
            format!("{install}\nbefore that, the package lists could not be updated: {update}"),
            String::from("see that the machine reaches its package mirror, then run setup again"),
        )),
    }
}
