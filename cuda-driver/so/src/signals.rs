//! Ends launches when a signal ends the process, so that their reports say where they were.
//!
//! Only where `WARPFOLD_REPORT_SIGNALS` is 1, as `warpfold run` sets it: otherwise the process's signals are none of
//! a library's business. A signal that the program itself handles or ignores is left alone.

use std::{
    io::{self, Read, pipe},
    mem::{self, MaybeUninit},
    os::fd::IntoRawFd,
    ptr,
    sync::atomic::{AtomicI32, Ordering},
    thread,
    time::{Duration, Instant},
};

use cuda_driver::reports;

/// The signals, with what reports say of each.
const SIGNALS: [(libc::c_int, &str); 4] = [
    (libc::SIGINT, "SIGINT (Ctrl-C)"),
    (libc::SIGTERM, "SIGTERM"),
    (libc::SIGHUP, "SIGHUP"),
    // `warpfold run` sends it at the end of the time.
    (libc::SIGALRM, "the time of `warpfold run --timeout` is over"),
];

/// How long the process waits for its launches to end.
const GRACE: Duration = Duration::from_secs(2);

/// The process that has the thread below, and the end of its pipe that the handler writes to.
static PROCESS: AtomicI32 = AtomicI32::new(0);
static PIPE: AtomicI32 = AtomicI32::new(-1);

/// Watches the signals that would end the process.
///
/// # Errors
/// Those of pipes, threads and `sigaction`.
pub(crate) fn watch() -> io::Result<()> {
    let (mut reader, writer) = pipe()?;
    PIPE.store(writer.into_raw_fd(), Ordering::Relaxed);
    PROCESS.store(std::process::id() as i32, Ordering::Release);
    thread::Builder::new().name("warpfold-signals".into()).spawn(move || {
        let mut number = [0];
        if reader.read_exact(&mut number).is_ok() {
            end(libc::c_int::from(number[0]));
        }
    })?;
    SIGNALS.iter().try_for_each(|(signal, _)| handle(*signal))
}

/// Installs the handler, if the signal would end the process.
fn handle(signal: libc::c_int) -> io::Result<()> {
    let mut present = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: `sigaction` fills `present` if it succeeds. The handler only does what is allowed in one.
    unsafe {
        checked(libc::sigaction(signal, ptr::null(), present.as_mut_ptr()))?;
        if present.assume_init().sa_sigaction != libc::SIG_DFL {
            return Ok(());
        }
        let mut action: libc::sigaction = mem::zeroed();
        action.sa_sigaction = on_signal as extern "C" fn(libc::c_int) as usize;
        action.sa_flags = libc::SA_RESTART;
        checked(libc::sigaction(signal, &raw const action, ptr::null_mut()))
    }
}

fn checked(result: libc::c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// The handler: wakes the thread. A forked process has no such thread, and ends as without the handler.
extern "C" fn on_signal(signal: libc::c_int) {
    // SAFETY: `getpid`, `write`, `signal` and `raise` may be called in a handler; the byte is alive. Only the first
    // byte is read; the pipe has room for thousands of others.
    unsafe {
        let errno = *libc::__errno_location();
        if libc::getpid() == PROCESS.load(Ordering::Acquire) {
            let number = signal as u8;
            libc::write(PIPE.load(Ordering::Relaxed), (&raw const number).cast(), 1);
        } else {
            end_by(signal);
        }
        *libc::__errno_location() = errno;
    }
}

/// Ends the launches, waits for their reports, and ends the process as the signal would have.
fn end(signal: libc::c_int) {
    let why = SIGNALS.iter().find(|(number, _)| *number == signal).map_or("a signal", |(_, why)| *why);
    let begun = Instant::now();
    if reports::interrupt(why) {
        while reports::resources().operations > 0 && begun.elapsed() < GRACE {
            thread::sleep(Duration::from_millis(5));
        }
    }
    end_by(signal);
}

/// Ends the process by the signal's default action.
fn end_by(signal: libc::c_int) {
    // SAFETY: both functions may be called anywhere, also in a handler, where the signal arrives on return.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::kill(libc::getpid(), signal);
    }
}
