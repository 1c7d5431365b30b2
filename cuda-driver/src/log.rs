//! `WARPFOLD_LOG`: what the driver is asked, on standard error.

use std::{fmt, io::Write, sync::LazyLock};

/// Whether `WARPFOLD_LOG` asks for the driver's calls: `1`, or a comma-separated list with `driver` in it.
pub(crate) fn enabled() -> bool {
    static ENABLED: LazyLock<bool> = LazyLock::new(|| {
        let wish = std::env::var("WARPFOLD_LOG").unwrap_or_default();
        wish.split(',').any(|word| matches!(word.trim(), "1" | "driver"))
    });
    *ENABLED
}

/// One line on standard error, if asked for. A closed standard error is no reason to fail.
pub(crate) fn call(line: fmt::Arguments<'_>) {
    if enabled() {
        let _ = writeln!(std::io::stderr(), "warpfold driver: {line}");
    }
}
