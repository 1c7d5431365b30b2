//! PTX text as tokens.

/// A token with the blanks before it.
pub type Token = String;

/// A token without the blanks before it.
pub fn trimmed(token: &str) -> &str {
    token.trim_start()
}

fn word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'%' | b'$' | b'.')
}

/// Splits a text into tokens, which together are the text without its comments.
pub fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let (mut start, mut i) = (0, 0);
    while i < bytes.len() {
        let b = bytes[i];
        if b.is_ascii_whitespace() {
            i += 1;
            continue;
        }
        if bytes[i..].starts_with(b"//") {
            // Comments are kept only where a whole file is mutated as bytes.
            i += bytes[i..].iter().position(|&b| b == b'\n').unwrap_or(bytes.len() - i);
            start = i;
            continue;
        }
        if b == b'"' {
            let length = bytes[i + 1..].iter().position(|&b| b == b'"').map_or(bytes.len() - i, |n| n + 2);
            i += length;
        } else if word_byte(b) {
            while i < bytes.len() && (word_byte(bytes[i]) || bytes[i..].starts_with(b"::")) {
                i += if bytes[i] == b':' { 2 } else { 1 };
            }
        } else {
            i += text[i..].chars().next().map_or(1, char::len_utf8);
        }
        out.push(text[start..i].to_owned());
        start = i;
    }
    out
}
