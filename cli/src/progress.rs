//! Progress of what takes long: on standard error, if that is a terminal, after a second; without colours.

use std::{
    env,
    fmt::Display,
    io::{self, IsTerminal},
    sync::{Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long nothing is shown.
const DELAY: Duration = Duration::from_secs(1);

/// Between two pictures of what has no amount.
const TICK: Duration = Duration::from_millis(200);

/// What is shown now, if anything.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Whether progress is shown.
fn is_shown() -> bool {
    shows(io::stderr().is_terminal(), env::var("TERM").ok().as_deref())
}

/// Whether progress is shown on a standard error like this, with this variable `TERM`.
fn shows(is_terminal: bool, term: Option<&str>) -> bool {
    is_terminal && term != Some("dumb")
}

/// Writes something else to the terminal: what is shown makes room for it.
pub fn suspended<R>(write: impl FnOnce() -> R) -> R {
    let shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match shown {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// A bar on the terminal while this exists.
struct Shown {
    bar: ProgressBar,
    before: Option<ProgressBar>,
}

impl Shown {
    /// A bar that is not drawn yet.
    fn new(size: Option<u64>, template: &str) -> Shown {
        let bar = ProgressBar::with_draw_target(size, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let before = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).replace(bar.clone());
        // One is shown at a time.
        if let Some(before) = &before {
            before.finish_and_clear();
        }
        Shown { bar, before }
    }

    fn draw(&self) {
        if is_shown() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = self.before.take();
    }
}

/// A bar of bytes, until it is dropped.
pub struct Bytes {
    shown: Shown,
    started: Instant,
}

impl Bytes {
    /// Nothing of this many bytes, if their number is known.
    pub fn new(size: Option<u64>) -> Bytes {
        let template = match size {
            Some(_) => "{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
            None => "{spinner} {bytes} {bytes_per_sec}",
        };
        Bytes { shown: Shown::new(size, template), started: Instant::now() }
    }

    /// So many of them are done.
    pub fn show(&self, bytes: u64) {
        if self.shown.bar.is_hidden() && self.started.elapsed() > DELAY {
            self.shown.draw();
        }
        self.shown.bar.set_position(bytes);
    }

    /// All of them are done: it is shown no longer.
    pub fn end(&self) {
        self.shown.bar.finish_and_clear();
    }
}

/// Does something that takes long: shows its name and the time that it takes.
pub fn during<R>(name: impl Display, work: impl FnOnce() -> R) -> R {
    during_steps(name, |_| work())
}

/// Likewise, and `work` gets a function that changes the name.
pub fn during_steps<R>(name: impl Display, work: impl FnOnce(&dyn Fn(&str)) -> R) -> R {
    let shown = Shown::new(None, "{spinner} {wide_msg} [{elapsed}]");
    let rename = |name: &str| shown.bar.set_message(name.to_owned());
    rename(&name.to_string());
    if !is_shown() {
        return work(&rename);
    }
    thread::scope(|scope| {
        // Dropped when the work ends, also by a panic.
        let (_done, waits) = mpsc::channel::<()>();
        let shown = &shown;
        scope.spawn(move || {
            if waits.recv_timeout(DELAY) == Err(mpsc::RecvTimeoutError::Timeout) {
                shown.draw();
                shown.bar.enable_steady_tick(TICK);
            }
        });
        work(&rename)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_shown_on_terminals_only() {
        assert!(shows(true, Some("xterm")) && shows(true, None));
        assert!(!shows(true, Some("dumb")) && !shows(false, Some("xterm")));
    }

    #[test]
    fn work_has_its_result_and_leaves_nothing_shown() {
        let inner = || during("inner", || suspended(|| 2));
        assert_eq!(
            during_steps("outer", |rename| [inner(), {
                rename("more");
                3
            }]),
            [2, 3]
        );
        assert!(SHOWN.lock().unwrap().is_none());
    }
}
