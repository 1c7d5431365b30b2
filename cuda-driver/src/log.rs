//! `WARPFOLD_LOG`: what the driver is asked, on standard error.

use std::{
    fmt,
    io::Write,
    sync::{
        LazyLock,
        atomic::{AtomicBool, Ordering},
    },
};

/// Whether faults are shown without being asked for.
static FAULTS_SHOWN: AtomicBool = AtomicBool::new(false);

/// Whether `WARPFOLD_LOG` asks for the driver's calls: `1`, or a comma-separated list with `driver` in it.
pub(crate) fn enabled() -> bool {
    static ENABLED: LazyLock<bool> = LazyLock::new(|| {
        let wish = std::env::var("WARPFOLD_LOG").unwrap_or_default();
        wish.split(',').any(|word| matches!(word.trim(), "1" | "driver"))
    });
    *ENABLED
}

/// Shows faults from now on.
pub(crate) fn show_faults() {
    FAULTS_SHOWN.store(true, Ordering::Relaxed);
}

/// Why a module was refused or a launch failed, for people and, where a file is named, for programs.
pub(crate) fn fault(report: &str, record: &serde_json::Value) {
    append("WARPFOLD_FAULT_JSON", || record.to_string());
    if FAULTS_SHOWN.load(Ordering::Relaxed) {
        let _ = writeln!(std::io::stderr(), "warpfold: {report}");
    } else {
        call(format_args!("{report}"));
    }
}

/// One line on standard error, if asked for. A closed standard error is no reason to fail.
pub(crate) fn call(line: fmt::Arguments<'_>) {
    if enabled() {
        let _ = writeln!(std::io::stderr(), "warpfold driver: {line}");
    }
}

/// What a launch did, for programs, where a file is named.
pub(crate) fn launch(record: impl FnOnce() -> serde_json::Value) {
    append("WARPFOLD_LAUNCHES_JSON", || record().to_string());
}

/// Adds a line to the file that a variable names, if it does.
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
