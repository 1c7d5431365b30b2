//! Writes what kernels print to the program's standard output.

use std::{
    io::Write,
    sync::{Arc, Mutex, PoisonError},
};

use ptx_emulator::{Machine, Output};

use crate::{
    log,
    settings::values::{PRINT_BUFFER, set_by},
};

/// C's standard output, whose buffer the program's own output goes through.
#[cfg(target_os = "linux")]
mod libc {
    use std::ffi::c_void;

    unsafe extern "C" {
        pub static stdout: *mut c_void;
        pub fn fwrite(from: *const c_void, size: usize, count: usize, stream: *mut c_void) -> usize;
        pub fn fflush(stream: *mut c_void) -> i32;
    }
}

/// Writes what kernels have printed since the last call. It follows what the program has printed before,
/// through C's streams or Rust's, and is flushed, so that later output of either kind follows it.
///
/// Threads that have waited for operations call it; the output is written when it returns.
pub(super) fn flush(machines: &[Arc<Machine>]) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    machines.iter().for_each(|machine| write(machine.take_output()));
}

fn write(output: Output) {
    if output.dropped > 0 {
        log::notice(&format!(
            "the output of {} calls of printf was dropped, because the buffer was full; {} sets its size",
            output.dropped,
            set_by(PRINT_BUFFER, "BYTES")
        ));
    }
    if output.text.is_empty() {
        return;
    }
    // A closed standard output is no reason to fail.
    let _ = std::io::stdout().flush();
    #[cfg(target_os = "linux")]
    // SAFETY: the C library sets `stdout` before any code of the program runs, and locks the stream itself;
    // the text is as long as it says.
    unsafe {
        libc::fwrite(output.text.as_ptr().cast(), 1, output.text.len(), libc::stdout);
        libc::fflush(libc::stdout);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = std::io::stdout().write_all(&output.text).and_then(|()| std::io::stdout().flush());
}
