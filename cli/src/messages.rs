//! Messages to a person, on standard error. A message that cannot be written is no error of the command.

use std::{
    fmt,
    io::{self, Write},
};

use terminal_text::printable;

use crate::progress::suspended;

/// Writes one line to standard error. Errors are ignored.
pub fn note(text: impl fmt::Display) {
    let _ = suspended(|| writeln!(io::stderr(), "{}", printable(&text.to_string())));
}

/// Writes a text that contains its line ends to standard error as it is. Errors are ignored.
pub fn raw_note(text: &str) {
    let _ = suspended(|| io::stderr().lock().write_all(text.as_bytes()));
}

/// Writes an error and its causes to standard error.
pub fn error(error: &dyn std::error::Error) -> io::Result<()> {
    let mut message = format!("warpfold: {error}");
    let mut shown = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        // Many errors repeat their cause in their text.
        let text = inner.to_string();
        if !shown.contains(&text) {
            message += &format!("\n  caused by: {text}");
        }
        shown = text;
        cause = inner.source();
    }
    suspended(|| writeln!(io::stderr().lock(), "{}", printable(&message)))
}
