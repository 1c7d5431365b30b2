//! Variables of the environment.

use std::ffi::OsString;

/// The value of a `WARPFOLD_*` variable; `None` if it is not set or empty.
///
/// A process with more rights than the user who started it (setuid) has none of these variables: they name files to
/// write and to read, and that user chose them.
pub fn variable(name: &str) -> Option<OsString> {
    if has_more_rights() {
        return None;
    }
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Whether the process has more rights than the user who started it.
#[cfg(target_os = "linux")]
pub(crate) fn has_more_rights() -> bool {
    // SAFETY: the function reads a value that the kernel passed to the process.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// Whether the process has more rights than the user who started it.
#[cfg(not(target_os = "linux"))]
pub(crate) fn has_more_rights() -> bool {
    false
}
