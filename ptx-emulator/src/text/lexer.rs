//! PTX text to tokens.

use super::clip::clip;
use super::error::{SyntaxError, error};

/// The kinds of token. A word keeps its dots: `ld.global.v2.b32`, `.reg` and `%tid.x` are one word each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Tok<'a> {
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
    pub tok: Tok<'a>,
    pub at: u32,
    pub end: u32,
}

fn word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'%' | b'.')
}

/// The tokens of a text, one after the other. After the last one, and from a place on that holds none, comes
/// `End` for ever.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    next: usize,
    /// Why the tokens ended before the text.
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
                Token { tok: Tok::End, at, end: at }
            }
        }
    }

    fn read(&mut self) -> Result<Token<'a>, SyntaxError> {
        let (text, bytes) = (self.text, self.text.as_bytes());
        let mut i = self.next;
        let (start, tok) = loop {
            let start = i;
            let Some(&b) = bytes.get(i) else { break (start, Tok::End) };
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
                    None => return error(start as u32, "a comment that does not end"),
                },
                b'"' => {
                    let Some(length) = bytes[i + 1..].iter().position(|&b| b == b'"' || b == b'\n') else {
                        return error(start as u32, "a string that does not end");
                    };
                    if bytes[i + 1 + length] != b'"' {
                        return error(start as u32, "a string that does not end on its line");
                    }
                    i += length + 2;
                    Tok::Str(&text[start + 1..i - 1])
                }
                b'0'..=b'9' => {
                    i = word_end(bytes, i);
                    // Decimal floats with a signed exponent are the one number with a sign inside.
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
                    while i < bytes.len()
                        && (word_byte(bytes[i])
                            // `.shared::cta` is one word; a single colon ends a label.
                            || (bytes[i] == b':' && bytes.get(i + 1) == Some(&b':'))
                            || (bytes[i] == b':' && bytes[i - 1] == b':'))
                    {
                        i += 1;
                    }
                    Tok::Word(&text[start..i])
                }
                b'{' | b'}' | b'(' | b')' | b'[' | b']' | b',' | b';' | b':' | b'+' | b'-' | b'<' | b'>'
                | b'=' | b'@' | b'!' | b'|' => {
                    i += 1;
                    Tok::Punct(b)
                }
                _ => {
                    let c = text[start..].chars().next().unwrap_or(' ');
                    return error(start as u32, format!("the character {c:?} means nothing here"));
                }
            };
            break (start, tok);
        };
        self.next = i;
        Ok(Token { tok, at: start as u32, end: i as u32 })
    }
}

/// Where the word that reaches to `from` or beyond it ends.
fn word_end(bytes: &[u8], from: usize) -> usize {
    from + bytes[from..].iter().position(|&b| !word_byte(b)).unwrap_or(bytes.len() - from)
}

fn number(word: &str, at: u32) -> Result<Tok<'_>, SyntaxError> {
    let parsed = if let Some(hex) = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        u64::from_str_radix(hex.trim_end_matches('U'), 16).ok().map(Tok::Int)
    } else if let Some(hex) = word.strip_prefix("0f").or_else(|| word.strip_prefix("0F")) {
        (hex.len() == 8).then(|| u32::from_str_radix(hex, 16).ok().map(Tok::F32)).flatten()
    } else if let Some(hex) = word.strip_prefix("0d").or_else(|| word.strip_prefix("0D")) {
        (hex.len() == 16).then(|| u64::from_str_radix(hex, 16).ok().map(Tok::F64)).flatten()
    } else if let Some(binary) = word.strip_prefix("0b").or_else(|| word.strip_prefix("0B")) {
        u64::from_str_radix(binary.trim_end_matches('U'), 2).ok().map(Tok::Int)
    } else if word.contains(['.', 'e', 'E']) {
        word.parse::<f64>().ok().map(|v| Tok::F64(v.to_bits()))
    } else {
        let digits = word.trim_end_matches('U');
        let octal = digits.len() > 1 && digits.starts_with('0');
        u64::from_str_radix(digits, if octal { 8 } else { 10 }).ok().map(Tok::Int)
    };
    match parsed {
        Some(tok) => Ok(tok),
        None => error(at, format!("`{}` is not a number", clip(word))),
    }
}
