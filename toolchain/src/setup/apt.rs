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
        return Err(refuse(step, String::from("there is no apt-get here"), ELSEWHERE.to_string()));
    };
    if !is_root() {
        return Err(refuse(step, String::from("it needs root"), by_hand(packages)));
    }
    let mut get = |arguments: &[&str]| {
        stream(command(&apt).env("DEBIAN_FRONTEND", "noninteractive").args(arguments), tell)
    };
    // Stale package lists are the rule on fresh images. If new ones cannot be had, the old may still do.
    let update = get(&["update"]);
    let options = ["install", "-y", "--no-install-recommends"];
    let install: Vec<&str> = options.into_iter().chain(packages.iter().copied()).collect();
    get(&install).map_err(|error| {
        let before = update.err().map_or_else(String::new, |error| format!("\nbefore that: {error}"));
        let cure = format!(
            "see that the machine reaches its package mirror and has these packages; else {ELSEWHERE}"
        );
        refuse(step, format!("{error}{before}"), cure)
    })
}

/// What to do where Debian's packages cannot be had.
const ELSEWHERE: &str = "install rustc 1.95 or newer with its library source, LLVM 22 or newer and clang otherwise: \
     `rustup component add rust-src llvm-tools`, the system's package manager, or LLVM's own packages";
