//! Messages to a person, on standard error. A message that cannot be written is no error of the command.

use std::{
    borrow::Cow,
    fmt,
    io::{self, Write},
};

use cuda_driver::controls_terminal;

use crate::progress::suspended;

/// Writes one line to standard error. Errors are ignored.
pub fn note(text: impl fmt::Display) {
    let _ = suspended(|| writeln!(io::stderr(), "{}", printable(&text.to_string())));
}

/// Writes a text that contains its line ends to standard error as it is. Errors are ignored.
pub fn raw_note(text: &str) {
    let _ = suspended(|| io::stderr().lock().write_all(text.as_bytes()));
}

/// A text without characters that a terminal obeys: names of files, columns and symbols come from anywhere.
/// Line ends and tabs stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    let obeyed = |c| controls_terminal(c) && !matches!(c, '\n' | '\t');
    if !text.contains(obeyed) {
        return text.into();
    }
    text.chars().map(|c| if obeyed(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}

/// The name of a file or column as part of a line: what a terminal obeys is escaped, line ends and tabs, too.
pub fn name(name: impl fmt::Display) -> String {
    let escaped = |c| if controls_terminal(c) { c.escape_unicode().to_string() } else { c.to_string() };
    name.to_string().chars().map(escaped).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_do_not_reach_the_terminal() {
        assert_eq!(printable("a\tb\nc ä"), "a\tb\nc ä");
        assert_eq!(name("a\tb\nc ä\x1b"), "a\\u{9}b\\u{a}c ä\\u{1b}");
        assert_eq!(printable("\x1b[2J\r\u{202e}x\u{9b}"), "\\u{1b}[2J\\u{d}\\u{202e}x\\u{9b}");
    }
}
