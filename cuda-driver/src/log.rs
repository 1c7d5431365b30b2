//! `WARPFOLD_LOG`: the driver's calls on standard error; reports of faults and launches for programs.
//!
//! Messages come from places that hold the driver's lock, and writing one may block. So they wait in a list
//! until a thread that holds no lock writes them: each call of the driver does so before it returns.

use std::{
    fmt,
    io::Write,
    mem,
    sync::{
        LazyLock, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// Whether faults are written to standard error without `WARPFOLD_LOG`.
static FAULTS_SHOWN: AtomicBool = AtomicBool::new(false);

/// The messages that wait, and whether there are any.
static MESSAGES: Mutex<Vec<Message>> = Mutex::new(Vec::new());
static WAITING: AtomicBool = AtomicBool::new(false);

/// A message, and where it goes.
enum Message {
    /// To standard error.
    Text(String),
    /// To the file that a variable names.
    Json(&'static str, String),
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn add(message: Message) {
    locked(&MESSAGES).push(message);
    WAITING.store(true, Ordering::Release);
}

/// Whether messages wait.
pub(crate) fn is_waiting() -> bool {
    WAITING.load(Ordering::Acquire)
}

/// Writes the messages that wait, in their order. The caller holds no lock.
pub(crate) fn flush() {
    if !is_waiting() {
        return;
    }
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = locked(&ONE_AT_A_TIME);
    let messages = {
        let mut messages = locked(&MESSAGES);
        WAITING.store(false, Ordering::Release);
        mem::take(&mut *messages)
    };
    for message in messages {
        match message {
            // A closed standard error is no reason to fail.
            Message::Text(text) => drop(writeln!(std::io::stderr(), "{}", shown(&text))),
            Message::Json(variable, line) => append(variable, line),
        }
    }
}

/// The text without characters that would control a terminal, apart from the ends of its lines.
fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_control() && c != '\n' {
            true => shown.extend(c.escape_unicode()),
            false => shown.push(c),
        }
    }
    shown
}

/// Whether `WARPFOLD_LOG` asks for the driver's calls: `1`, or a comma-separated list with `driver` in it.
pub(crate) fn enabled() -> bool {
    static ENABLED: LazyLock<bool> = LazyLock::new(|| {
        let value = std::env::var("WARPFOLD_LOG").unwrap_or_default();
        value.split(',').any(|word| matches!(word.trim(), "1" | "driver"))
    });
    *ENABLED
}

/// Writes faults to standard error from now on.
pub(crate) fn show_faults() {
    FAULTS_SHOWN.store(true, Ordering::Relaxed);
}

/// Reports why a module was rejected or a launch failed: as text and, where `WARPFOLD_FAULT_JSON` names a
/// file, as JSON.
pub(crate) fn fault(report: &str, json: &serde_json::Value) {
    json_line("WARPFOLD_FAULT_JSON", || json.to_string());
    if FAULTS_SHOWN.load(Ordering::Relaxed) {
        add(Message::Text(format!("warpfold: {report}")));
    } else {
        call(format_args!("{report}"));
    }
}

/// The text of an assertion of a kernel that failed.
pub(crate) fn assertion(text: &str) {
    add(Message::Text(text.to_owned()));
}

/// One line on standard error, if `WARPFOLD_LOG` asks for it.
pub(crate) fn call(line: fmt::Arguments<'_>) {
    if enabled() {
        add(Message::Text(format!("warpfold driver: {line}")));
    }
}

/// Reports a launch as JSON, where `WARPFOLD_LAUNCHES_JSON` names a file.
pub(crate) fn launch(json: impl FnOnce() -> serde_json::Value) {
    json_line("WARPFOLD_LAUNCHES_JSON", || json().to_string());
}

/// A line for the file that a variable names, if it is set.
fn json_line(variable: &'static str, line: impl FnOnce() -> String) {
    if std::env::var_os(variable).is_some_and(|path| !path.is_empty()) {
        add(Message::Json(variable, line()));
    }
}

/// Adds a line to the file that a variable names.
fn append(variable: &str, line: String) {
    let Some(path) = std::env::var_os(variable) else { return };
    // A line is written whole, so that several processes may share the file.
    let written = std::fs::File::options()
        .append(true)
        .create(true)
        .open(&path)
        .and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
    if let Err(error) = written {
        let _ = writeln!(std::io::stderr(), "warpfold: {variable}: {}: {error}", path.display());
    }
}
