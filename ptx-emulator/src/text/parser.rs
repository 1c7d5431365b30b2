//! A cursor over the tokens of a text, with two tokens of lookahead, and the elements that all parts of the
//! grammar use.

use super::error::{SyntaxError, error};
use super::lexer::{Lexer, Token, TokenKind};
use super::printable::printable;

pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    next: Token<'a>,
    second: Token<'a>,
    last_end: u32,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str) -> Parser<'a> {
        let mut lexer = Lexer::new(text);
        let (next, second) = (lexer.token(), lexer.token());
        Parser { lexer, next, second, last_end: 0 }
    }

    /// The error of the lexer, if the parser has come to the end of the tokens.
    pub fn into_problem(self) -> Option<SyntaxError> {
        self.lexer.problem.filter(|_| self.next.kind == TokenKind::End)
    }

    pub fn peek(&self) -> TokenKind<'a> {
        self.next.kind
    }

    pub fn peek_second(&self) -> TokenKind<'a> {
        self.second.kind
    }

    pub fn at(&self) -> u32 {
        self.next.at
    }

    /// Where the last token that was taken ends.
    pub fn last_end(&self) -> u32 {
        self.last_end
    }

    pub fn take(&mut self) -> TokenKind<'a> {
        let token = self.next;
        self.last_end = token.end;
        self.next = std::mem::replace(&mut self.second, self.lexer.token());
        token.kind
    }

    pub fn eat(&mut self, punct: u8) -> bool {
        let there = self.peek() == TokenKind::Punct(punct);
        if there {
            self.take();
        }
        there
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let there = self.peek() == TokenKind::Word(word);
        if there {
            self.take();
        }
        there
    }

    pub fn expect(&mut self, punct: u8) -> Result<(), SyntaxError> {
        if self.eat(punct) { Ok(()) } else { self.unexpected(&format!("`{}`", punct as char)) }
    }

    /// An error at the next token, which is not `what`.
    pub fn unexpected<T>(&self, what: &str) -> Result<T, SyntaxError> {
        let found = match self.peek() {
            TokenKind::Word(w) => format!("`{}`", printable(w)),
            TokenKind::Int(n) => format!("{n}"),
            TokenKind::F32(_) | TokenKind::F64(_) => "a float".into(),
            TokenKind::Str(_) => "a string".into(),
            TokenKind::Punct(p) => format!("`{}`", p as char),
            TokenKind::End => "the end of the text".into(),
        };
        error(self.at(), format!("expected {what}, found {found}"))
    }

    /// A name: a word that does not start with a dot.
    pub fn name(&mut self) -> Result<&'a str, SyntaxError> {
        match self.peek() {
            TokenKind::Word(w) if !w.starts_with('.') => {
                self.take();
                Ok(w)
            }
            _ => self.unexpected("a name"),
        }
    }

    pub fn int(&mut self) -> Result<u64, SyntaxError> {
        match self.peek() {
            TokenKind::Int(n) => {
                self.take();
                Ok(n)
            }
            _ => self.unexpected("a number"),
        }
    }

    /// A number that may be negative, as two's complement.
    pub fn signed(&mut self) -> Result<u64, SyntaxError> {
        let negative = self.eat(b'-');
        let n = self.int()?;
        Ok(if negative { n.wrapping_neg() } else { n })
    }

    pub fn small(&mut self) -> Result<u32, SyntaxError> {
        let at = self.at();
        u32::try_from(self.int()?).or_else(|_| error(at, "the number is too large"))
    }

    pub fn skip_to_semicolon(&mut self) -> Result<(), SyntaxError> {
        while !self.eat(b';') {
            if self.take() == TokenKind::End {
                return self.unexpected("`;`");
            }
        }
        Ok(())
    }
}
