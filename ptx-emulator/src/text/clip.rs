//! Text of a program as part of a message.

/// Characters kept of any text that comes from the program.
const KEPT_TEXT: usize = 160;

/// `text` cut to a length that a line can show, without control characters.
pub(crate) fn clip(text: &str) -> String {
    let mut kept: String =
        text.chars().take(KEPT_TEXT).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(KEPT_TEXT).is_some() {
        kept.push('…');
    }
    kept
}
