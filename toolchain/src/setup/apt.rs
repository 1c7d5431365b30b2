//! Debian's packages.

use std::fs;
use std::os::unix::fs::MetadataExt;

use super::step::{failed, stream};
use crate::error::Error;
use crate::find::on_path;
use crate::process::command;

/// Whether this process may install packages.
pub(super) fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

/// The command for a user without root privileges.
pub(super) fn by_hand(packages: &[String]) -> String {
    format!("sudo apt-get update && sudo apt-get install --no-install-recommends {}", packages.join(" "))
}

pub(super) fn install(
    packages: &[String],
    step: &str,
    report: &mut dyn FnMut(Option<&str>),
) -> Result<(), Error> {
    let Some(apt) = on_path("apt-get").into_iter().next() else {
        return Err(failed(step, String::from("apt-get is not installed"), ELSEWHERE.to_string()));
    };
    if !is_root() {
        return Err(failed(step, String::from("it needs root privileges"), by_hand(packages)));
    }
    let mut get = |arguments: &[&str]| {
        stream(command(&apt).env("DEBIAN_FRONTEND", "noninteractive").args(arguments), report)
    };
    // Package lists of fresh images are usually old. If the update fails, they may still be sufficient.
    let update = get(&["update"]);
    let options = ["install", "-y", "--no-install-recommends"];
    let install: Vec<&str> = options.into_iter().chain(packages.iter().map(String::as_str)).collect();
    get(&install).map_err(|error| {
        let before = update
            .err()
            .map_or_else(String::new, |error| format!("\nbefore that, `apt-get update` failed: {error}"));
        let hint = format!(
            "check that the machine reaches a package mirror that has these packages; otherwise {ELSEWHERE}"
        );
        failed(step, format!("{error}{before}"), hint)
    })
}

/// The suggested fix where Debian's packages are not available.
const ELSEWHERE: &str = "install rustc 1.95 or newer with its library source, LLVM 22 or newer and clang from elsewhere: \
     `rustup component add rust-src llvm-tools`, the system's package manager, or LLVM's own packages";
