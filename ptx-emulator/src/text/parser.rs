//! A cursor over the tokens of a text, with two tokens of lookahead, and the elements that all parts of the grammar share.

use super::clip::clip;
use super::error::{SyntaxError, error};
use super::lexer::{Lexer, Tok, Token};

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

    /// Why the tokens ended before the text, if they did and the parser has come that far.
    pub fn into_problem(self) -> Option<SyntaxError> {
        self.lexer.problem.filter(|_| self.next.tok == Tok::End)
    }

    pub fn peek(&self) -> Tok<'a> {
        self.next.tok
    }

    pub fn peek_second(&self) -> Tok<'a> {
        self.second.tok
    }

    pub fn at(&self) -> u32 {
        self.next.at
    }

    /// Where the token before the next one ended.
    pub fn last_end(&self) -> u32 {
        self.last_end
    }

    pub fn take(&mut self) -> Tok<'a> {
        let token = self.next;
        self.last_end = token.end;
        self.next = std::mem::replace(&mut self.second, self.lexer.token());
        token.tok
    }

    pub fn eat(&mut self, punct: u8) -> bool {
        let there = self.peek() == Tok::Punct(punct);
        if there {
            self.take();
        }
        there
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let there = self.peek() == Tok::Word(word);
        if there {
            self.take();
        }
        there
    }

    pub fn expect(&mut self, punct: u8) -> Result<(), SyntaxError> {
        if self.eat(punct) { Ok(()) } else { self.wanted(&format!("`{}`", punct as char)) }
    }

    pub fn wanted<T>(&self, what: &str) -> Result<T, SyntaxError> {
        let found = match self.peek() {
            Tok::Word(w) => format!("`{}`", clip(w)),
            Tok::Int(n) => format!("{n}"),
            Tok::F32(_) | Tok::F64(_) => "a float".into(),
            Tok::Str(_) => "a string".into(),
            Tok::Punct(p) => format!("`{}`", p as char),
            Tok::End => "the end of the text".into(),
        };
        error(self.at(), format!("{what} was expected, not {found}"))
    }

    /// A word that is a name: it starts with no dot.
    pub fn name(&mut self) -> Result<&'a str, SyntaxError> {
        match self.peek() {
            Tok::Word(w) if !w.starts_with('.') => {
                self.take();
                Ok(w)
            }
            _ => self.wanted("a name"),
        }
    }

    pub fn int(&mut self) -> Result<u64, SyntaxError> {
        match self.peek() {
            Tok::Int(n) => {
                self.take();
                Ok(n)
            }
            _ => self.wanted("a number"),
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
            if self.take() == Tok::End {
                return self.wanted("`;`");
            }
        }
        Ok(())
    }
}
