//! What the emulated driver reports beyond CUDA's interface: exact counts of launches, faults, leaks, and
//! what is in use.
//!
//! All of it may be used before and after [`crate::init`], and is empty on a GPU.

pub(crate) mod json;

pub use json::{counts_json, launch_json};
pub use ptx_emulator::{Counts, LaunchReport, source_name};

pub use crate::emulated::{LAUNCHES_KEPT, Resources};
pub use crate::report_style::{has_colors, paint};
use crate::{
    emulated::{self, with_existing},
    log,
};

/// Keeps the reports of launches that complete from now on, for [`take_launches`].
pub fn keep_launches() {
    emulated::keep_launches();
}

/// Takes the reports of the launches that completed since the last call, the oldest first, if they are kept
/// ([`keep_launches`]): at most [`LAUNCHES_KEPT`].
pub fn take_launches() -> Vec<LaunchReport> {
    with_existing(|state| state.reports.take_launches()).unwrap_or_default()
}

/// How many reports were dropped because [`take_launches`] was not called in time.
pub fn forgotten_launches() -> u64 {
    with_existing(|state| state.reports.forgotten_launches).unwrap_or(0)
}

/// What is in use at present. After the last context has ended everything is 0.
pub fn resources() -> Resources {
    with_existing(|state| state.resources()).unwrap_or_default()
}

/// Ends all launches, for a program that is to end: those that run fail with `CUDA_ERROR_LAUNCH_TIMEOUT` within
/// milliseconds, and their reports say where they were and give `why`; so do those that are run later. Calls that
/// wait for operations return, and from now on every context has this failure. It cannot be undone.
///
/// Returns whether any operation was unfinished. Any thread may call it, at any time; a signal handler may not.
pub fn interrupt(why: &str) -> bool {
    emulated::interrupt(why)
}

/// The last report: of a failed launch, a rejected module, or a call with memory of the host that is not there. At
/// most one screen of text.
pub fn last_report() -> Option<String> {
    with_existing(|state| state.reports.last.clone()).flatten()
}

/// Reports what kernels have allocated from the device heap and not freed, if
/// [`Settings::check_leaks`](crate::settings::Settings::check_leaks) is set: for the end of a process that
/// does not destroy its contexts.
pub fn report_leaks() {
    emulated::report_leaks_at_exit();
}

/// Writes reports to standard error from now on, for programs that do
/// not call [`last_report`].
pub fn show_reports() {
    log::show_reports();
}
