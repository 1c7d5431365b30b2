//! Tokens to variables: declarators, parameters and initialisers.

use super::ast::*;
use super::error::{SyntaxError, error};
use super::lexer::TokenKind;
use super::parser::Parser;
use super::printable::printable;
use super::types::{Space, Type};

/// Largest variable that a module may declare.
const MAX_VARIABLE: u64 = 1 << 30;

/// What a declaration of variables says of all of them.
#[derive(Clone, Copy)]
struct Head {
    space: Space,
    align: Option<u32>,
    ty: Type,
    lanes: u32,
    managed: bool,
}

impl<'a> Parser<'a> {
    /// Parameters up to the closing parenthesis.
    pub fn params(&mut self) -> Result<Vec<Variable<'a>>, SyntaxError> {
        let mut params = Vec::new();
        while !self.eat(b')') {
            if !params.is_empty() {
                self.expect(b',')?;
            }
            if !matches!(self.peek(), TokenKind::Word(".param" | ".reg")) {
                return self.unexpected("`.param`");
            }
            if self.peek() == TokenKind::Word(".reg") {
                return error(self.at(), "parameters in registers are not supported");
            }
            let head = self.variable_head()?;
            params.push(self.declarator(Linkage::Local, head)?);
        }
        Ok(params)
    }

    /// `.space .attribute(…) .align n .type`, with the vector length; also `.ptr .space .align n` of kernel parameters.
    fn variable_head(&mut self) -> Result<Head, SyntaxError> {
        let at = self.at();
        let TokenKind::Word(word) = self.take() else { return error(at, "expected a state space") };
        let Some(space) = Space::parse(word.trim_start_matches('.')) else {
            return error(at, format!("`{}` is not a state space", printable(word)));
        };
        let (mut align, mut lanes, mut ty, mut pointer, mut managed) = (None, 1, None, false, false);
        loop {
            let at = self.at();
            let TokenKind::Word(word) = self.peek() else { break };
            if !word.starts_with('.') {
                break;
            }
            self.take();
            match word {
                ".align" => {
                    let value = self.small()?;
                    if !value.is_power_of_two() || value > 1 << 16 {
                        return error(at, "an alignment is a power of two, at most 65536");
                    }
                    // In `.ptr .align n` the number is the alignment of what the pointer points to.
                    if !pointer {
                        align = Some(value);
                    }
                }
                ".ptr" => pointer = true,
                ".v2" => lanes = 2,
                ".v4" => lanes = 4,
                ".global" | ".const" | ".shared" | ".local" if pointer => {}
                ".attribute" => {
                    self.expect(b'(')?;
                    while !self.eat(b')') {
                        match self.take() {
                            TokenKind::Word(".managed") if space == Space::Global => managed = true,
                            TokenKind::Word(".managed") => return error(at, "only global memory is managed"),
                            TokenKind::End => return self.unexpected("`)`"),
                            _ => {}
                        }
                    }
                }
                _ => match Type::parse(&word[1..]) {
                    Some(Type::Pred) | None => {
                        return error(at, format!("`{}` is not allowed here", printable(word)));
                    }
                    Some(found) => ty = Some(found),
                },
            }
        }
        match ty {
            Some(ty) => Ok(Head { space, align, ty, lanes, managed }),
            None => self.unexpected("a type"),
        }
    }

    /// Name, array extents and initialiser.
    fn declarator(&mut self, linkage: Linkage, head: Head) -> Result<Variable<'a>, SyntaxError> {
        let Head { space, align, ty, lanes, managed } = head;
        let at = self.at();
        let name = self.name()?;
        let element = ty.size();
        let mut size = u64::from(element * lanes);
        let mut open = false;
        while self.eat(b'[') {
            if self.eat(b']') {
                open = true;
                continue;
            }
            size = size.saturating_mul(self.int()?);
            self.expect(b']')?;
        }
        let initial = if self.eat(b'=') { self.initial()? } else { Vec::new() };
        if open {
            size = initial.len() as u64 * u64::from(element);
        }
        if size > MAX_VARIABLE {
            return error(at, format!("{} is larger than {MAX_VARIABLE} bytes", printable(name)));
        }
        if initial.len() as u64 * u64::from(element) > size {
            return error(at, "more initial values than elements");
        }
        let align = align.unwrap_or(element * lanes);
        Ok(Variable { at, space, linkage, align, name, managed, size, element, initial })
    }

    /// Declarators separated by commas, up to the semicolon.
    pub fn variables(
        &mut self,
        linkage: Linkage,
        mut take: impl FnMut(Variable<'a>),
    ) -> Result<(), SyntaxError> {
        let head = self.variable_head()?;
        loop {
            take(self.declarator(linkage, head)?);
            if !self.eat(b',') {
                return self.expect(b';');
            }
        }
    }

    /// An initialiser. Nested braces only group elements, which all have one type.
    fn initial(&mut self) -> Result<Vec<Initial<'a>>, SyntaxError> {
        let mut values = Vec::new();
        if self.peek() != TokenKind::Punct(b'{') {
            values.push(self.initial_value()?);
            return Ok(values);
        }
        let mut depth = 0u32;
        loop {
            match self.peek() {
                TokenKind::Punct(b'{') => {
                    self.take();
                    depth += 1;
                }
                TokenKind::Punct(b'}') => {
                    self.take();
                    depth -= 1;
                    if depth == 0 {
                        return Ok(values);
                    }
                }
                TokenKind::Punct(b',') => {
                    self.take();
                }
                _ => values.push(self.initial_value()?),
            }
        }
    }

    fn initial_value(&mut self) -> Result<Initial<'a>, SyntaxError> {
        match self.peek() {
            TokenKind::F32(bits) => {
                self.take();
                Ok(Initial::F32(bits))
            }
            TokenKind::F64(bits) => {
                self.take();
                Ok(Initial::F64(bits))
            }
            TokenKind::Int(mask) if self.peek_second() == TokenKind::Punct(b'(') => {
                self.take();
                self.take();
                let (name, addend) = self.address_constant()?;
                self.expect(b')')?;
                Ok(Initial::Address { name, addend, mask: Some(mask) })
            }
            TokenKind::Int(_) | TokenKind::Punct(b'-') => Ok(Initial::Bits(self.signed()?)),
            TokenKind::Word(_) => {
                let (name, addend) = self.address_constant()?;
                Ok(Initial::Address { name, addend, mask: None })
            }
            _ => self.unexpected("an initial value"),
        }
    }

    /// `name`, `name+n`, `generic(name)+n`, `generic(name+n)`.
    fn address_constant(&mut self) -> Result<(&'a str, u64), SyntaxError> {
        let mut name = self.name()?;
        let mut addend = 0u64;
        if name == "generic" && self.eat(b'(') {
            name = self.name()?;
            addend = self.addend()?;
            self.expect(b')')?;
        }
        addend = addend.wrapping_add(self.addend()?);
        Ok((name, addend))
    }

    fn addend(&mut self) -> Result<u64, SyntaxError> {
        match self.peek() {
            TokenKind::Punct(b'+') => {
                self.take();
                self.signed()
            }
            TokenKind::Punct(b'-') => self.signed(),
            _ => Ok(0),
        }
    }
}
