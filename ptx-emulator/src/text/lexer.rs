//! PTX text to tokens.

use super::error::{SyntaxError, error};
use super::printable::printable;

/// The kinds of token. A word keeps its dots: `ld.global.v2.b32`, `.reg` and `%tid.x` are one word each. Words that start
/// with a dot have no other: `.reg.b32` are two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TokenKind<'a> {
    Word(&'a str),
    Int(u64),
    F32(u32),
    F64(u64),
    Str(&'a str),
    Punct(u8),
    End,
}

/// A token and where it starts and ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub kind: TokenKind<'a>,
    pub at: u32,
    pub end: u32,
}

fn word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'%' | b'.')
}

/// The tokens of a text, one after the other. After the last one, and after an error, every token is `End`.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    next: usize,
    /// The error that ended the tokens before the text.
    pub problem: Option<SyntaxError>,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, next: 0, problem: None }
    }

    pub fn token(&mut self) -> Token<'a> {
        match self.read() {
            Ok(token) => token,
            Err(problem) => {
                let at = problem.at;
                self.next = self.text.len();
                self.problem = Some(problem);
                Token { kind: TokenKind::End, at, end: at }
            }
        }
    }

    fn read(&mut self) -> Result<Token<'a>, SyntaxError> {
        let (text, bytes) = (self.text, self.text.as_bytes());
        let mut i = self.next;
        let (start, tok) = loop {
            let start = i;
            let Some(&b) = bytes.get(i) else { break (start, TokenKind::End) };
            let tok = match b {
                b' ' | b'\t' | b'\r' | b'\n' | 0 => {
                    i += 1;
                    continue;
                }
                b'/' if bytes.get(i + 1) == Some(&b'/') => {
                    i += bytes[i..].iter().position(|&b| b == b'\n').unwrap_or(bytes.len() - i);
                    continue;
                }
                b'/' if bytes.get(i + 1) == Some(&b'*') => match text[i + 2..].find("*/") {
                    Some(length) => {
                        i += length + 4;
                        continue;
                    }
                    None => return error(start as u32, "unterminated comment"),
                },
                b'"' => {
                    let Some(length) = bytes[i + 1..].iter().position(|&b| b == b'"' || b == b'\n') else {
                        return error(start as u32, "unterminated string");
                    };
                    if bytes[i + 1 + length] != b'"' {
                        return error(start as u32, "unterminated string: it must end on its line");
                    }
                    i += length + 2;
                    TokenKind::Str(&text[start + 1..i - 1])
                }
                b'0'..=b'9' => {
                    i = word_end(bytes, i);
                    // Only decimal floats with an exponent have a sign inside.
                    let prefixed = ["0x", "0X", "0f", "0F", "0d", "0D"];
                    if matches!(bytes[i - 1], b'e' | b'E')
                        && !prefixed.iter().any(|p| text[start..i].starts_with(p))
                        && matches!(bytes.get(i), Some(b'-' | b'+'))
                    {
                        i = word_end(bytes, i + 1);
                    }
                    number(&text[start..i], start as u32)?
                }
                _ if word_byte(b) => {
                    i += 1;
                    // A directive ends before the next one, as in `.reg.b32`.
                    while i < bytes.len()
                        && (b != b'.' || bytes[i] != b'.')
                        && (word_byte(bytes[i])
                            // `.shared::cta` is one word; a single colon ends a label.
                            || (bytes[i] == b':' && bytes.get(i + 1) == Some(&b':'))
                            || (bytes[i] == b':' && bytes[i - 1] == b':'))
                    {
                        i += 1;
                    }
                    TokenKind::Word(&text[start..i])
                }
                b'{' | b'}' | b'(' | b')' | b'[' | b']' | b',' | b';' | b':' | b'+' | b'-' | b'<' | b'>'
                | b'=' | b'@' | b'!' | b'|' => {
                    i += 1;
                    TokenKind::Punct(b)
                }
                _ => {
                    let c = text[start..].chars().next().unwrap_or(' ');
                    return error(start as u32, format!("unexpected character {c:?}"));
                }
            };
            break (start, tok);
        };
        self.next = i;
        Ok(Token { kind: tok, at: start as u32, end: i as u32 })
    }
}

/// The end of the word that contains `from`, or starts there.
fn word_end(bytes: &[u8], from: usize) -> usize {
    from + bytes[from..].iter().position(|&b| !word_byte(b)).unwrap_or(bytes.len() - from)
}

fn number(word: &str, at: u32) -> Result<TokenKind<'_>, SyntaxError> {
    let parsed = if let Some(hex) = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        u64::from_str_radix(hex.trim_end_matches('U'), 16).ok().map(TokenKind::Int)
    } else if let Some(hex) = word.strip_prefix("0f").or_else(|| word.strip_prefix("0F")) {
        (hex.len() == 8).then(|| u32::from_str_radix(hex, 16).ok().map(TokenKind::F32)).flatten()
    } else if let Some(hex) = word.strip_prefix("0d").or_else(|| word.strip_prefix("0D")) {
        (hex.len() == 16).then(|| u64::from_str_radix(hex, 16).ok().map(TokenKind::F64)).flatten()
    } else if let Some(binary) = word.strip_prefix("0b").or_else(|| word.strip_prefix("0B")) {
        u64::from_str_radix(binary.trim_end_matches('U'), 2).ok().map(TokenKind::Int)
    } else if word.contains(['.', 'e', 'E']) {
        word.parse::<f64>().ok().map(|v| TokenKind::F64(v.to_bits()))
    } else {
        let digits = word.trim_end_matches('U');
        let octal = digits.len() > 1 && digits.starts_with('0');
        u64::from_str_radix(digits, if octal { 8 } else { 10 }).ok().map(TokenKind::Int)
    };
    match parsed {
        Some(tok) => Ok(tok),
        None => error(at, format!("`{}` is not a number", printable(word))),
    }
}
