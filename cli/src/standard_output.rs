//! Whether standard output was closed when the program was started.
//!
//! Rust's runtime opens `/dev/null` in its place before `main`, so that what is written there is lost without an error. The
//! program looks before.

use std::{
    fs::File,
    io,
    process::Stdio,
    sync::atomic::{AtomicBool, Ordering},
};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

#[used]
// SAFETY: the C library calls the functions of this section before `main`, and this one is such a function. It needs nothing
// that is set up later.
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

extern "C" fn look() {
    // SAFETY: the call asks for flags of a descriptor, which need not be open.
    let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
    WAS_CLOSED.store(flags == -1, Ordering::Relaxed);
}

mod c {
    unsafe extern "C" {
        pub static stdout: *mut libc::FILE;
    }
}

/// Standard output for a child: if this program's was closed, one that takes nothing.
pub fn of_child() -> io::Result<Stdio> {
    match check() {
        Ok(()) => Ok(Stdio::inherit()),
        // It cannot be written to.
        Err(_) => File::open("/dev/null").map(Stdio::from),
    }
}

/// An error if something that kernels of this process have printed is lost.
pub fn check_printed() -> io::Result<()> {
    // SAFETY: the C library sets the stream before `main`, and locks it itself.
    let lost = unsafe { libc::fflush(c::stdout) != 0 || libc::ferror(c::stdout) != 0 };
    if lost { Err(io::Error::other("what kernels have printed is lost")) } else { Ok(()) }
}

/// An error if standard output was closed.
pub fn check() -> io::Result<()> {
    match WAS_CLOSED.load(Ordering::Relaxed) {
        true => Err(io::Error::from_raw_os_error(libc::EBADF)),
        false => Ok(()),
    }
}
