//! Characters to tokens.

use super::words;
use crate::ir::Position;
use crate::ir::located::Located;
use crate::ir::types::Scalar;
use crate::ir::verify::name_problem;

/// A token and where it begins.
#[derive(Clone, Debug)]
pub struct Token {
    pub lexeme: Lexeme,
    pub at: Position,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub enum Lexeme {
    /// A reserved word.
    Word(String),
    /// A name, without backquotes.
    Name(String),
    /// Digits, and the type of the suffix.
    Integer(u128, Option<Scalar>),
    /// A number with a fraction or an exponent.
    Float(f64, Scalar),
    /// A number that is imaginary.
    Imaginary(f64, Scalar),
    /// In double quotes.
    Text(String),
    Symbol(&'static str),
    End,
}

impl Lexeme {
    /// The token as messages call it.
    pub fn describe(&self) -> String {
        match self {
            Lexeme::Word(word) => format!("`{word}`"),
            Lexeme::Name(name) => format!("the name `{name}`"),
            Lexeme::Integer(..) | Lexeme::Float(..) | Lexeme::Imaginary(..) => "a number".to_owned(),
            Lexeme::Text(_) => "a text in quotes".to_owned(),
            Lexeme::Symbol(symbol) => format!("`{symbol}`"),
            Lexeme::End => "the end of the file".to_owned(),
        }
    }
}

/// The longest first, of those that begin with the same character.
const SYMBOLS: &[&str] = &[
    "<<=", ">>=", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=",
    "|=", "^=", "(", ")", "[", "]", "{", "}", "<", ">", "=", "!", "~", "?", ":", ",", ".", "+", "-", "*",
    "/", "%", "&", "|", "^", "@",
];

/// All tokens of a text; the last is [`Lexeme::End`].
pub fn tokens(text: &str) -> Result<Vec<Token>, Located> {
    let mut lexer = Lexer { rest: text, at: Position { line: 1, column: 1 } };
    let mut tokens = Vec::new();
    loop {
        let token = lexer.token()?;
        let end = token.lexeme == Lexeme::End;
        tokens.push(token);
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    rest: &'a str,
    at: Position,
}

impl<'a> Lexer<'a> {
    fn token(&mut self) -> Result<Token, Located> {
        self.blank()?;
        let at = self.at;
        let lexeme = self.lexeme()?;
        Ok(Token { lexeme, at })
    }

    fn lexeme(&mut self) -> Result<Lexeme, Located> {
        let at = self.at;
        let Some(first) = self.rest.chars().next() else {
            return Ok(Lexeme::End);
        };
        if words::starts_word(first) {
            let word = self.take_while(words::continues_word);
            let word = word.to_owned();
            return Ok(if words::is_reserved(&word) { Lexeme::Word(word) } else { Lexeme::Name(word) });
        }
        if first.is_ascii_digit() {
            return self.number();
        }
        match first {
            '`' => {
                let name = self.quoted('`', at)?;
                match name_problem(&name) {
                    Some(problem) => Err(Located::new(at, problem, "write a name between the backquotes")),
                    None => Ok(Lexeme::Name(name)),
                }
            }
            '"' => Ok(Lexeme::Text(self.quoted('"', at)?)),
            _ => match SYMBOLS.iter().find(|symbol| self.rest.starts_with(**symbol)) {
                Some(symbol) => {
                    self.skip(symbol.len());
                    Ok(Lexeme::Symbol(symbol))
                }
                None => Err(Located::new(
                    at,
                    format!("the character `{}` has no meaning here", first.escape_debug()),
                    "comments begin with `//`",
                )),
            },
        }
    }

    /// Skips so many bytes, which end at a character's end.
    fn skip(&mut self, bytes: usize) -> &'a str {
        let (skipped, rest) = self.rest.split_at(bytes);
        for character in skipped.chars() {
            if character == '\n' {
                self.at = Position { line: self.at.line.saturating_add(1), column: 1 };
            } else {
                self.at.column = self.at.column.saturating_add(1);
            }
        }
        self.rest = rest;
        skipped
    }

    fn take_while(&mut self, mut accept: impl FnMut(char) -> bool) -> &'a str {
        let end = self.rest.find(|character| !accept(character)).unwrap_or(self.rest.len());
        self.skip(end)
    }

    /// Skips blanks and comments.
    fn blank(&mut self) -> Result<(), Located> {
        loop {
            self.take_while(char::is_whitespace);
            if self.rest.starts_with("//") {
                self.take_while(|character| character != '\n');
            } else if self.rest.starts_with("/*") {
                let at = self.at;
                let Some(end) = self.rest[2..].find("*/") else {
                    return Err(Located::new(at, "the comment does not end", "write `*/` after it"));
                };
                self.skip(end + 4);
            } else {
                return Ok(());
            }
        }
    }

    /// A text up to the same quote in the same line; a backslash takes the next character as it is.
    fn quoted(&mut self, quote: char, at: Position) -> Result<String, Located> {
        self.skip(1);
        let mut text = String::new();
        loop {
            let Some(character) = self.rest.chars().next().filter(|character| *character != '\n') else {
                let what = format!("the quote {quote} is not closed in its line");
                return Err(Located::new(at, what, format!("write {quote} behind the text")));
            };
            self.skip(character.len_utf8());
            match character {
                '\\' if quote == '"' => {
                    if let Some(next) = self.rest.chars().next().filter(|next| *next != '\n') {
                        self.skip(next.len_utf8());
                        text.push(next);
                    }
                }
                _ if character == quote => return Ok(text),
                _ => text.push(character),
            }
        }
    }

    fn number(&mut self) -> Result<Lexeme, Located> {
        let at = self.at;
        let digits = |lexer: &mut Self| lexer.take_while(|c| c.is_ascii_digit()).len();
        let whole = self.rest;
        let mut length = digits(self);
        let mut float = false;
        let mut characters = self.rest.chars();
        if characters.next() == Some('.') && characters.next().is_some_and(|c| c.is_ascii_digit()) {
            self.skip(1);
            length += 1 + digits(self);
            float = true;
        }
        let exponent =
            self.rest.strip_prefix(['e', 'E']).map(|rest| rest.strip_prefix(['+', '-']).unwrap_or(rest));
        if let Some(exponent) = exponent.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
            let prefix = self.rest.len() - exponent.len();
            self.skip(prefix);
            length += prefix + digits(self);
            float = true;
        }
        let number = &whole[..length];
        let suffix_at = self.at;
        let suffix = self.take_while(words::continues_word);
        let unknown = || {
            let hint = match suffix.strip_prefix('x') {
                Some(_) => format!("write blanks around the `x` of a shape: `{number} x …`"),
                None => {
                    "suffixes are types: `1i64`, `0.5f32`, and `j` and `j32` of imaginary numbers".to_owned()
                }
            };
            Located::new(suffix_at, format!("`{suffix}` is no suffix of a number"), hint)
        };
        if !float && !suffix.starts_with('j') {
            let value: u128 = number
                .parse()
                .map_err(|_| Located::new(at, "the number has more than 128 bits", "write a smaller one"))?;
            return match (suffix, words::scalar(suffix)) {
                ("", _) => Ok(Lexeme::Integer(value, None)),
                (_, Some(scalar @ Scalar::Integer { .. })) => Ok(Lexeme::Integer(value, Some(scalar))),
                (_, Some(scalar @ Scalar::Float { .. })) => self.float(number, scalar, at),
                _ => Err(unknown()),
            };
        }
        let imaginary = |bits| {
            let scalar = Scalar::Complex { bits };
            let value = finite(number, Scalar::Float { bits }, at)?;
            Ok(Lexeme::Imaginary(value, scalar))
        };
        match suffix {
            "" | "f64" => self.float(number, Scalar::F64, at),
            "f32" => self.float(number, Scalar::F32, at),
            "j" => imaginary(64),
            "j32" => imaginary(32),
            _ => Err(unknown()),
        }
    }

    fn float(&self, number: &str, scalar: Scalar, at: Position) -> Result<Lexeme, Located> {
        Ok(Lexeme::Float(finite(number, scalar, at)?, scalar))
    }
}

/// The nearest value of the type, which must be finite.
fn finite(number: &str, scalar: Scalar, at: Position) -> Result<f64, Located> {
    let value = match scalar {
        Scalar::F32 => number.parse::<f32>().map(f64::from),
        _ => number.parse::<f64>(),
    };
    match value {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(Located::new(
            at,
            format!("the number is too large for {scalar}"),
            "infinity is `inf` or `inf32`",
        )),
    }
}
