//! `WARPFOLD_LOG`: the driver's calls on standard error. Reports, which say what is wrong with a program (a fault, a
//! leak, a rejected module), as text and for programs; launches for programs.
//!
//! Standard error is written to without the lock of Rust's handle, which a forked process may find taken.
//! Nothing is written by a thread that holds the driver's lock: what it says with `…_later` it takes along when it
//! releases the lock ([`take_kept`]), and writes then. Another thread never writes it: a report that cannot be written
//! yet stops the call that it is about, and no other.

use std::{
    fmt,
    io::{self, IsTerminal, Write},
    mem,
    sync::{
        LazyLock, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use terminal_text::controls_terminal;

use crate::{environment, report_style};

/// Whether reports are written to standard error without `WARPFOLD_LOG`.
static REPORTS_SHOWN: AtomicBool = AtomicBool::new(false);

/// The file to which reports are appended, instead of standard error.
const REPORTS: &str = "WARPFOLD_REPORT_FILE";

/// Lines of threads that hold the driver's lock, and whether there are any.
static KEPT: Mutex<Vec<Line>> = Mutex::new(Vec::new());
static ANY_KEPT: AtomicBool = AtomicBool::new(false);

/// A line, with the place that it is for.
enum Line {
    StandardError(String),
    /// A report, which goes to standard error, or to the file that [`REPORTS`] names.
    Report(String),
    /// For the file that a variable names.
    File(&'static str, String),
}

/// What a thread has said under the driver's lock.
#[must_use]
pub(crate) struct Kept(Vec<Line>);

impl Kept {
    /// Writes it, after the release of the lock.
    pub(crate) fn write(self) {
        self.0.into_iter().for_each(Line::write);
    }
}

/// Takes what was said under the driver's lock, before the thread releases it.
pub(crate) fn take_kept() -> Kept {
    if !is_kept() {
        return Kept(Vec::new());
    }
    ANY_KEPT.store(false, Ordering::Relaxed);
    Kept(mem::take(&mut *KEPT.lock().unwrap_or_else(PoisonError::into_inner)))
}

/// Whether lines wait for the release of the driver's lock.
pub(crate) fn is_kept() -> bool {
    ANY_KEPT.load(Ordering::Relaxed)
}

/// Whether `WARPFOLD_LOG` asks for the driver's calls: `1`, or a comma-separated list with `driver` in it.
pub(crate) fn enabled() -> bool {
    static ENABLED: LazyLock<bool> = LazyLock::new(|| {
        let value = environment::variable("WARPFOLD_LOG").unwrap_or_default().to_string_lossy().into_owned();
        value.split(',').any(|word| matches!(word.trim(), "1" | "driver"))
    });
    *ENABLED
}

/// Writes reports to standard error from now on.
pub(crate) fn show_reports() {
    REPORTS_SHOWN.store(true, Ordering::Relaxed);
}

/// Reports what is wrong with the program: as text and, where `WARPFOLD_FAULT_JSON` names a file, as JSON, which has the
/// text, too.
pub(crate) fn report(report: &str, json: &serde_json::Value) {
    report_lines(report, json).for_each(Line::write);
}

/// As [`report`], once the driver's lock is released.
pub(crate) fn report_later(report: &str, json: &serde_json::Value) {
    report_lines(report, json).for_each(Line::keep);
}

/// Says something that concerns a program's user as a report does.
pub(crate) fn notice(text: &str) {
    notice_line(text).into_iter().for_each(Line::write);
}

/// As [`notice`], once the driver's lock is released.
pub(crate) fn notice_later(text: &str) {
    notice_line(text).into_iter().for_each(Line::keep);
}

/// One line on standard error, if `WARPFOLD_LOG` asks for it.
pub(crate) fn call(text: fmt::Arguments<'_>) {
    call_line(text).into_iter().for_each(Line::write);
}

/// As [`call`], once the driver's lock is released.
pub(crate) fn call_later(text: fmt::Arguments<'_>) {
    call_line(text).into_iter().for_each(Line::keep);
}

fn report_lines(report: &str, json: &serde_json::Value) -> impl Iterator<Item = Line> {
    let variable = "WARPFOLD_FAULT_JSON";
    let json = is_set(variable).then(|| {
        let mut json = json.clone();
        if let Some(fields) = json.as_object_mut() {
            fields.insert("report".to_owned(), report.into());
        }
        Line::File(variable, format!("{json}\n"))
    });
    let shown = match REPORTS_SHOWN.load(Ordering::Relaxed) {
        true => Some(Line::Report(format!("warpfold: {report}\n"))),
        false => call_line(format_args!("{report}")),
    };
    json.into_iter().chain(shown)
}

fn notice_line(text: &str) -> Option<Line> {
    match REPORTS_SHOWN.load(Ordering::Relaxed) {
        true => Some(Line::StandardError(format!("warpfold: {text}\n"))),
        false => call_line(format_args!("{text}")),
    }
}

fn call_line(text: fmt::Arguments<'_>) -> Option<Line> {
    enabled().then(|| Line::StandardError(format!("warpfold driver: {text}\n")))
}

/// Writes a text to standard error. A closed standard error is no reason to fail.
pub(crate) fn line(text: String) {
    Line::StandardError(text).write();
}

/// Reports a launch as JSON, where `WARPFOLD_LAUNCHES_JSON` names a file when the first launch ends.
pub(crate) fn launch(json: impl FnOnce() -> serde_json::Value) {
    const VARIABLE: &str = "WARPFOLD_LAUNCHES_JSON";
    static WANTED: LazyLock<bool> = LazyLock::new(|| is_set(VARIABLE));
    if *WANTED {
        Line::File(VARIABLE, format!("{}\n", json())).write();
    }
}

/// Whether a variable names a file.
fn is_set(variable: &str) -> bool {
    environment::variable(variable).is_some()
}

impl Line {
    fn keep(self) {
        KEPT.lock().unwrap_or_else(PoisonError::into_inner).push(self);
        ANY_KEPT.store(true, Ordering::Relaxed);
    }

    /// A line is written whole, so that several processes and threads may share the file.
    fn write(self) {
        match self {
            Line::StandardError(text) => write_all(shown(text).as_bytes()),
            Line::Report(text) if is_set(REPORTS) => {
                append(REPORTS, &report_style::painted(shown(text), false))
            }
            Line::Report(text) => {
                let painted = report_style::painted(shown(text), io::stderr().is_terminal());
                write_all(painted.as_bytes());
            }
            Line::File(variable, text) => append(variable, &text),
        }
    }
}

/// Appends a text to the file that a variable names.
fn append(variable: &str, text: &str) {
    let Some(path) = environment::variable(variable) else { return };
    let file = std::fs::File::options().append(true).create(true).open(&path);
    if let Err(error) = file.and_then(|mut file| file.write_all(text.as_bytes())) {
        write_all(format!("warpfold: {variable}: {}: {error}\n", path.display()).as_bytes());
    }
}

/// The text without characters that a terminal obeys, apart from the ends of its lines.
fn shown(text: String) -> String {
    let obeyed = |c| c != '\n' && controls_terminal(c);
    if !text.contains(obeyed) {
        return text;
    }
    text.chars().map(|c| if obeyed(c) { c.escape_unicode().to_string() } else { c.into() }).collect()
}

/// Writes to standard error without a lock.
#[cfg(target_os = "linux")]
fn write_all(mut bytes: &[u8]) {
    while !bytes.is_empty() {
        match rustix::io::write(io::stderr(), bytes) {
            Ok(0) => return,
            Ok(written) => bytes = &bytes[written..],
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn write_all(bytes: &[u8]) {
    let _ = io::stderr().write_all(bytes);
}
