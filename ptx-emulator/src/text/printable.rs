//! Text from others, made safe for a message.

use terminal_text::controls_terminal;

/// The most characters of any such text in a message.
const KEPT_TEXT: usize = 160;

/// `text` as one line that a terminal only shows: blanks for tabs and line ends, escapes such as `\u{1b}` for
/// other characters that would control the terminal or the direction of text. It is cut to a length that fits
/// a line.
pub fn printable(text: &str) -> String {
    let (mut kept, mut length) = (String::new(), 0);
    for c in text.chars() {
        let before = kept.len();
        match c {
            '\t' | '\n' | '\r' => kept.push(' '),
            _ if controls_terminal(c) => kept.extend(c.escape_unicode()),
            _ => kept.push(c),
        }
        length += kept[before..].chars().count();
        if length > KEPT_TEXT {
            kept.truncate(before);
            kept.push('…');
            break;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_control_a_terminal_is_escaped() {
        assert_eq!(printable("a\tb\x1b[31m\u{202e}é\u{9b}"), "a b\\u{1b}[31m\\u{202e}é\\u{9b}");
        assert_eq!(printable(&"é".repeat(160)), "é".repeat(160));
        assert_eq!(printable(&"é".repeat(161)), format!("{}…", "é".repeat(160)));
        assert_eq!(printable(&"\x1b".repeat(100)).chars().count(), 26 * 6 + 1);
    }
}
