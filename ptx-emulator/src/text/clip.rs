//! Text from a program, made safe for a message.

/// The most characters of any text from a program in a message.
const KEPT_TEXT: usize = 160;

/// `text` without control characters, and cut to a length that fits a line.
pub(crate) fn clip(text: &str) -> String {
    let mut kept: String =
        text.chars().take(KEPT_TEXT).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(KEPT_TEXT).is_some() {
        kept.push('…');
    }
    kept
}
