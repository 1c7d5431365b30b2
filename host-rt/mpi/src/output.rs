//! Whether a launcher has read what this process has written.

use std::{
    ffi::c_int,
    io::{self, Write},
    os::fd::RawFd,
    thread,
    time::{Duration, Instant},
};

/// How long a launcher may take to read what was written.
const LONGEST: Duration = Duration::from_secs(2);

/// How often it is asked for.
const PAUSE: Duration = Duration::from_millis(5);

/// Waits until the pipes that standard output and standard error are have been read. Other files keep what is written to them.
pub fn until_read() {
    // Nobody may read it any more.
    let _ = io::stdout().flush();
    let end = Instant::now() + LONGEST;
    while Instant::now() < end
        && [libc::STDOUT_FILENO, libc::STDERR_FILENO].into_iter().any(|fd| unread(fd) > 0)
    {
        thread::sleep(PAUSE);
    }
    // What was read is passed on.
    thread::sleep(PAUSE);
}

/// The bytes in a pipe that nobody has read; 0 of any other file.
fn unread(fd: RawFd) -> c_int {
    // SAFETY: `fstat` writes the structure that it is given, in which any bits are valid.
    let is_pipe = unsafe {
        let mut status: libc::stat = std::mem::zeroed();
        libc::fstat(fd, &raw mut status) == 0 && status.st_mode & libc::S_IFMT == libc::S_IFIFO
    };
    let mut bytes: c_int = 0;
    // SAFETY: of a pipe, `FIONREAD` writes one `int`.
    if is_pipe && unsafe { libc::ioctl(fd, libc::FIONREAD, &raw mut bytes) } == 0 { bytes } else { 0 }
}
