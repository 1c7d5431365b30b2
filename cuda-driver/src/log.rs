//! `WARPFOLD_LOG`: the driver's calls on standard error; reports of faults and launches for programs.

use std::{
    fmt,
    io::Write,
    sync::{
        LazyLock,
        atomic::{AtomicBool, Ordering},
    },
};

/// Whether faults are written to standard error without `WARPFOLD_LOG`.
static FAULTS_SHOWN: AtomicBool = AtomicBool::new(false);

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
    append("WARPFOLD_FAULT_JSON", || json.to_string());
    if FAULTS_SHOWN.load(Ordering::Relaxed) {
        let _ = writeln!(std::io::stderr(), "warpfold: {report}");
    } else {
        call(format_args!("{report}"));
    }
}

/// One line on standard error, if `WARPFOLD_LOG` asks for it. A closed standard error is no reason to fail.
pub(crate) fn call(line: fmt::Arguments<'_>) {
    if enabled() {
        let _ = writeln!(std::io::stderr(), "warpfold driver: {line}");
    }
}

/// Reports a launch as JSON, where `WARPFOLD_LAUNCHES_JSON` names a file.
pub(crate) fn launch(json: impl FnOnce() -> serde_json::Value) {
    append("WARPFOLD_LAUNCHES_JSON", || json().to_string());
}

/// Adds a line to the file that a variable names, if it is set.
fn append(variable: &str, line: impl FnOnce() -> String) {
    let Some(path) = std::env::var_os(variable).filter(|path| !path.is_empty()) else { return };
    // A line is written whole, so that several processes may share the file.
    let written = std::fs::File::options()
        .append(true)
        .create(true)
        .open(&path)
        .and_then(|mut file| file.write_all(format!("{}\n", line()).as_bytes()));
    if let Err(error) = written {
        let _ = writeln!(std::io::stderr(), "warpfold: {variable}: {}: {error}", path.display());
    }
}
