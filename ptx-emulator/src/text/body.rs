//! Tokens to the statements of a function body.

use super::ast::*;
use super::error::{SyntaxError, error};
use super::lexer::TokenKind;
use super::parser::Parser;
use super::printable::printable;
use super::types::Type;

/// The deepest nesting of braces in a function.
const MAX_SCOPES: u32 = 256;

/// Instructions that the emulator does not support, by the start of their names, and what they are for. They
/// are rejected before their operands, which have special forms, are parsed.
const UNSUPPORTED: [(&str, &str); 21] = [
    ("clusterlaunchcontrol", "launches of clusters"),
    ("cp.async.bulk", "bulk copies"),
    ("cp.reduce.async.bulk", "bulk copies"),
    ("istypep", "textures"),
    ("mbarrier", "barrier objects in memory"),
    ("movmatrix", "tensor cores"),
    ("multimem", "memory of several devices"),
    ("red.async", "asynchronous stores"),
    ("st.async", "asynchronous stores"),
    ("st.bulk", "bulk stores"),
    ("stmatrix", "tensor cores"),
    ("suld", "surfaces"),
    ("suq", "surfaces"),
    ("sured", "surfaces"),
    ("sust", "surfaces"),
    ("tcgen05", "tensor cores"),
    ("tensormap", "tensor cores"),
    ("tex", "textures"),
    ("tld4", "textures"),
    ("txq", "textures"),
    ("wgmma", "tensor cores"),
];

impl<'a> Parser<'a> {
    /// Statements up to the brace that closes the function.
    pub(super) fn body(&mut self) -> Result<Vec<Statement<'a>>, SyntaxError> {
        let mut out = Vec::new();
        let mut depth = 0u32;
        loop {
            let at = self.at();
            match self.peek() {
                TokenKind::End => return self.unexpected("`}`"),
                TokenKind::Punct(b';') => {
                    self.take();
                }
                TokenKind::Punct(b'{') => {
                    self.take();
                    depth += 1;
                    if depth > MAX_SCOPES {
                        return error(at, "braces are nested too deeply");
                    }
                    out.push(Statement::Open);
                }
                TokenKind::Punct(b'}') => {
                    self.take();
                    if depth == 0 {
                        return Ok(out);
                    }
                    depth -= 1;
                    // An empty scope has no effect.
                    match out.last() {
                        Some(Statement::Open) => drop(out.pop()),
                        _ => out.push(Statement::Close),
                    }
                }
                TokenKind::Word(word) if word.starts_with('.') => self.directive(word, &mut out)?,
                TokenKind::Word(word) if self.peek_second() == TokenKind::Punct(b':') => {
                    self.take();
                    self.take();
                    match self.peek() {
                        TokenKind::Word(".callprototype") => {
                            self.take();
                            let prototype = self.prototype()?;
                            out.push(Statement::Prototype { at, name: word, prototype });
                        }
                        TokenKind::Word(".branchtargets") => {
                            self.take();
                            let mut labels = vec![self.name()?];
                            while self.eat(b',') {
                                labels.push(self.name()?);
                            }
                            self.expect(b';')?;
                            out.push(Statement::Targets { at, name: word, labels });
                        }
                        // Possible targets of an indirect call: a hint for register allocation.
                        TokenKind::Word(".calltargets") => self.skip_to_semicolon()?,
                        _ => out.push(Statement::Label { at, name: word }),
                    }
                }
                _ => out.push(Statement::Instruction(self.instruction()?)),
            }
        }
    }

    fn directive(&mut self, word: &'a str, out: &mut Vec<Statement<'a>>) -> Result<(), SyntaxError> {
        match word {
            ".reg" => {
                self.take();
                self.registers(out)
            }
            ".param" | ".local" | ".shared" | ".global" | ".const" => {
                self.variables(Linkage::Local, |v| out.push(Statement::Variable(v)))
            }
            ".loc" => {
                self.take();
                let (file, line) = (self.int()?, self.int()? as u32);
                let column = if let TokenKind::Int(n) = self.peek() {
                    self.take();
                    n as u32
                } else {
                    0
                };
                let inlined = self.inlined()?;
                out.push(Statement::Location { position: (file, line, column), inlined });
                Ok(())
            }
            ".pragma" => self.skip_to_semicolon(),
            _ => self.unexpected("a statement"),
        }
    }

    /// `, function_name label + n, inlined_at file line column` of a `.loc`.
    fn inlined(&mut self) -> Result<Option<Box<Inlined<'a>>>, SyntaxError> {
        let mut inlined: Option<Box<Inlined<'a>>> = None;
        while self.eat(b',') {
            let known = inlined.get_or_insert_default();
            if self.eat_word("function_name") {
                let label = self.name()?;
                let offset = if self.eat(b'+') { self.int()? } else { 0 };
                known.function = Some((label, offset));
            } else if self.eat_word("inlined_at") {
                known.at = Some((self.int()?, self.int()? as u32, self.int()? as u32));
            } else {
                return self.unexpected("`function_name` or `inlined_at`");
            }
        }
        Ok(inlined)
    }

    fn registers(&mut self, out: &mut Vec<Statement<'a>>) -> Result<(), SyntaxError> {
        let at = self.at();
        let ty = match self.take() {
            TokenKind::Word(word) => word.strip_prefix('.').and_then(Type::parse),
            _ => None,
        };
        let Some(ty) = ty else { return error(at, "`.reg` needs a type") };
        loop {
            let at = self.at();
            let name = self.name()?;
            let count = if self.eat(b'<') {
                let count = self.int()?;
                self.expect(b'>')?;
                match u32::try_from(count) {
                    Ok(count) => Some(count),
                    Err(_) => return error(at, "too many registers"),
                }
            } else {
                None
            };
            out.push(Statement::Registers { at, ty, name, count });
            if !self.eat(b',') {
                return self.expect(b';');
            }
        }
    }

    /// `(returns) _ (params) .noreturn;` with either list left out if empty.
    fn prototype(&mut self) -> Result<Prototype<'a>, SyntaxError> {
        let returns = if self.eat(b'(') { self.params()? } else { Vec::new() };
        self.name()?;
        let params = if self.eat(b'(') { self.params()? } else { Vec::new() };
        self.eat_word(".noreturn");
        self.expect(b';')?;
        Ok(Prototype { returns, params })
    }

    fn instruction(&mut self) -> Result<Instruction<'a>, SyntaxError> {
        let at = self.at();
        let guard = if self.eat(b'@') {
            let negated = self.eat(b'!');
            Some((self.name()?, negated))
        } else {
            None
        };
        let opcode = self.name()?;
        let is = |name: &str| {
            opcode.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if let Some((_, what)) = UNSUPPORTED.iter().find(|(name, _)| is(name)) {
            return error(at, format!("`{}` is not supported: {what}", printable(opcode)));
        }
        let mut operands = Vec::new();
        while !self.eat(b';') {
            if !operands.is_empty() {
                self.expect(b',')?;
            }
            operands.push(self.operand()?);
        }
        Ok(Instruction { at, end: self.last_end(), guard, opcode, operands })
    }

    fn operand(&mut self) -> Result<Operand<'a>, SyntaxError> {
        match self.peek() {
            TokenKind::Punct(b'{') => {
                self.take();
                Ok(Operand::Vector(self.simple_operands(b'}')?))
            }
            TokenKind::Punct(b'(') => {
                self.take();
                Ok(Operand::List(self.simple_operands(b')')?))
            }
            TokenKind::Punct(b'[') => {
                self.take();
                let base = match self.peek() {
                    TokenKind::Word(_) => Some(self.name()?),
                    _ => None,
                };
                let offset = match base {
                    Some(_) => self.offset()?,
                    None => self.signed()? as i64,
                };
                self.expect(b']')?;
                Ok(Operand::Address(base, offset))
            }
            _ => self.simple_operand(),
        }
    }

    fn simple_operands(&mut self, close: u8) -> Result<Vec<Operand<'a>>, SyntaxError> {
        let mut out = Vec::new();
        while !self.eat(close) {
            if !out.is_empty() {
                self.expect(b',')?;
            }
            out.push(self.simple_operand()?);
        }
        Ok(out)
    }

    fn simple_operand(&mut self) -> Result<Operand<'a>, SyntaxError> {
        match self.peek() {
            TokenKind::Punct(b'!') => {
                self.take();
                Ok(Operand::Not(self.name()?))
            }
            TokenKind::Punct(b'-') => {
                self.take();
                match self.peek() {
                    TokenKind::Int(n) => {
                        self.take();
                        Ok(Operand::Int(n.wrapping_neg()))
                    }
                    TokenKind::F64(bits) => {
                        self.take();
                        Ok(Operand::F64(bits ^ (1 << 63)))
                    }
                    _ => self.unexpected("a number"),
                }
            }
            TokenKind::Int(n) => {
                self.take();
                Ok(Operand::Int(n))
            }
            TokenKind::F32(bits) => {
                self.take();
                Ok(Operand::F32(bits))
            }
            TokenKind::F64(bits) => {
                self.take();
                Ok(Operand::F64(bits))
            }
            TokenKind::Word(_) => {
                let name = self.name()?;
                if self.eat(b'|') {
                    return Ok(Operand::Pair(name, self.name()?));
                }
                let offset = self.offset()?;
                Ok(Operand::Name(name, offset))
            }
            _ => self.unexpected("an operand"),
        }
    }

    /// `+n`, `+-n`, `-n` or nothing.
    fn offset(&mut self) -> Result<i64, SyntaxError> {
        match self.peek() {
            TokenKind::Punct(b'+') => {
                self.take();
                Ok(self.signed()? as i64)
            }
            TokenKind::Punct(b'-') => Ok(self.signed()? as i64),
            _ => Ok(0),
        }
    }
}
