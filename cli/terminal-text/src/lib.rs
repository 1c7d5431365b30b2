//! Text from others, such as names of files, columns and symbols, made safe for a terminal: characters that a terminal or
//! an editor acts on become escapes such as `\u{1b}`.

use std::{borrow::Cow, ffi::OsStr, fmt};

/// Whether a terminal or an editor acts on a character instead of showing it.
pub fn controls_terminal(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// A text of several lines without characters that a terminal obeys. Line ends and tabs stay.
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

/// A word, quoted for a shell where necessary.
pub fn quoted(word: impl AsRef<OsStr>) -> String {
    let word = word.as_ref().to_string_lossy().into_owned();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./:,@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
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

    #[test]
    fn words_are_quoted_for_a_shell() {
        for (word, shown) in
            [("-O2", "-O2"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("", "''"), ("$X", "'$X'")]
        {
            assert_eq!(quoted(word), shown);
        }
    }
}
