//! Tokens to declarations. Every loop consumes tokens and nothing recurses, so time and memory are bounded
//! by the length of the text.

use super::ast::*;
use super::lexer::{Lexer, Tok, Token};
use super::types::{Space, Type};
use super::{SyntaxError, error};
use crate::fault::clip;

/// The first version of PTX that is not read.
const NEXT_VERSION: f64 = 10.0;

/// Largest variable that a module may declare.
const MAX_VARIABLE: u64 = 1 << 30;

/// Parses a module.
pub(crate) fn parse(text: &str) -> Result<Module<'_>, SyntaxError> {
    let mut lexer = Lexer::new(text);
    let (next, second) = (lexer.token(), lexer.token());
    let mut parser = Parser { lexer, next, second, last_end: 0 };
    let read = parser.module();
    // What stops the lexer looks like the end of the text to the parser.
    match parser.lexer.problem {
        Some(problem) if parser.next.tok == Tok::End => Err(problem),
        _ => read,
    }
}

pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    next: Token<'a>,
    second: Token<'a>,
    last_end: u32,
}

impl<'a> Parser<'a> {
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

    fn small(&mut self) -> Result<u32, SyntaxError> {
        let at = self.at();
        u32::try_from(self.int()?).or_else(|_| error(at, "the number is too large"))
    }

    fn module(&mut self) -> Result<Module<'a>, SyntaxError> {
        let mut module = Module::default();
        let mut versioned = false;
        loop {
            let at = self.at();
            let word = match self.peek() {
                Tok::End => break,
                Tok::Word(w) => w,
                Tok::Punct(b';') => {
                    self.take();
                    continue;
                }
                _ => return self.wanted("a declaration"),
            };
            if !versioned && word != ".version" {
                return error(at, "PTX starts with `.version`");
            }
            match word {
                ".version" => {
                    self.take();
                    self.version()?;
                    versioned = true;
                }
                ".target" => {
                    self.take();
                    (module.target_sm, module.specific) = self.target()?;
                }
                ".address_size" => {
                    self.take();
                    if self.int()? != 64 {
                        return error(at, "only 64-bit addresses are supported");
                    }
                }
                ".file" => {
                    self.take();
                    let number = self.int()?;
                    let Tok::Str(file) = self.take() else {
                        return error(at, "`.file` wants a number and a string");
                    };
                    module.files.push((number, file.to_owned()));
                    while self.eat(b',') {
                        self.int()?;
                    }
                }
                ".section" => {
                    self.take();
                    self.section(&mut module)?;
                }
                ".pragma" => {
                    self.take();
                    self.skip_to_semicolon()?;
                }
                ".alias" => {
                    self.take();
                    let second = self.name()?;
                    self.expect(b',')?;
                    let first = self.name()?;
                    self.expect(b';')?;
                    module.aliases.push((second, first, at));
                }
                _ => self.declaration(&mut module)?,
            }
        }
        if !versioned {
            return error(0, "there is no PTX here: PTX starts with `.version`");
        }
        Ok(module)
    }

    /// `8.3`, as a number: a newer version may give old words new meanings.
    fn version(&mut self) -> Result<(), SyntaxError> {
        let at = self.at();
        let version = match self.take() {
            Tok::F64(bits) => f64::from_bits(bits),
            Tok::Int(major) => major as f64,
            _ => return error(at, "`.version` wants a number"),
        };
        if !(1.0..NEXT_VERSION).contains(&version) {
            return error(
                at,
                format!("PTX {version} is not known; this reads versions below {NEXT_VERSION}"),
            );
        }
        Ok(())
    }

    /// The architecture, and whether its own features are asked for.
    fn target(&mut self) -> Result<(u32, bool), SyntaxError> {
        let (mut sm, mut specific) = (None, false);
        loop {
            let at = self.at();
            match self.take() {
                Tok::Word(w) => {
                    if let Some(number) = w.strip_prefix("sm_") {
                        specific = number.ends_with('a');
                        sm = number.trim_end_matches(['a', 'f']).parse().ok();
                    } else if w == "texmode_unified" || w == "texmode_independent" || w == "debug" {
                        // Said by debug builds and by texture users; nothing hangs on it here.
                    } else {
                        return error(at, format!("the target `{}` is not known", clip(w)));
                    }
                }
                _ => return error(at, "`.target` wants names"),
            }
            if !self.eat(b',') {
                break;
            }
        }
        match sm {
            Some(sm) => Ok((sm, specific)),
            None => error(self.at(), "`.target` names no sm_… architecture"),
        }
    }

    /// Debug sections: a name, then braces. Of their contents only the strings are of use.
    fn section(&mut self, module: &mut Module<'a>) -> Result<(), SyntaxError> {
        let strings = self.take() == Tok::Word(".debug_str");
        self.expect(b'{')?;
        while !self.eat(b'}') {
            match (self.take(), self.peek()) {
                (Tok::End, _) => return error(self.at(), "a `.section` that does not end"),
                (Tok::Word(label), Tok::Punct(b':')) if strings => {
                    module.string_labels.insert(label, module.strings.len());
                }
                (Tok::Int(byte), _) if strings => module.strings.push(byte as u8),
                _ => {}
            }
        }
        Ok(())
    }

    pub fn skip_to_semicolon(&mut self) -> Result<(), SyntaxError> {
        while !self.eat(b';') {
            if self.take() == Tok::End {
                return self.wanted("`;`");
            }
        }
        Ok(())
    }

    pub fn linkage(&mut self) -> Linkage {
        let mut linkage = Linkage::Local;
        loop {
            linkage = match self.peek() {
                Tok::Word(".visible") => Linkage::Visible,
                Tok::Word(".extern") => Linkage::Extern,
                Tok::Word(".weak") => Linkage::Weak,
                Tok::Word(".common") => Linkage::Common,
                _ => return linkage,
            };
            self.take();
        }
    }

    fn declaration(&mut self, module: &mut Module<'a>) -> Result<(), SyntaxError> {
        let linkage = self.linkage();
        match self.peek() {
            Tok::Word(word @ (".entry" | ".func")) => {
                self.take();
                let function = self.function(word == ".entry", linkage)?;
                module.functions.push(function);
                Ok(())
            }
            Tok::Word(".global" | ".const" | ".shared") => {
                self.variables(linkage, |v| module.variables.push(v))
            }
            _ => self.wanted("a declaration"),
        }
    }

    fn function(&mut self, entry: bool, linkage: Linkage) -> Result<Function<'a>, SyntaxError> {
        let mut returns = Vec::new();
        while let Tok::Word(".attribute") = self.peek() {
            self.take();
            self.expect(b'(')?;
            while !self.eat(b')') {
                if self.take() == Tok::End {
                    return self.wanted("`)`");
                }
            }
        }
        if !entry && self.eat(b'(') {
            returns = self.params()?;
        }
        let at = self.at();
        let name = self.name()?;
        let params = if self.eat(b'(') { self.params()? } else { Vec::new() };
        let (mut max_threads, mut required, mut max_registers) = (None, None, None);
        loop {
            let at = self.at();
            match self.peek() {
                Tok::Word(word @ (".maxntid" | ".reqntid")) => {
                    self.take();
                    let mut shape = [1; 3];
                    shape[0] = self.small()?;
                    for n in &mut shape[1..] {
                        if self.eat(b',') {
                            *n = self.small()?;
                        }
                    }
                    if shape.contains(&0) {
                        return error(at, format!("`{word}` wants at least one thread in each direction"));
                    }
                    let threads = shape.iter().fold(1u64, |product, &n| product.saturating_mul(u64::from(n)));
                    max_threads = Some(threads);
                    if word == ".reqntid" {
                        required = Some(shape);
                    }
                }
                Tok::Word(".maxnreg") => {
                    self.take();
                    max_registers = Some(self.small()?);
                }
                // With the registers that a guess gives a kernel, any number of blocks that could fit does fit.
                Tok::Word(".minnctapersm" | ".maxnctapersm" | ".maxclusterrank") => {
                    self.take();
                    self.int()?;
                }
                // A cluster of one block is what every block is.
                Tok::Word(".reqnctapercluster") => {
                    self.take();
                    loop {
                        let at = self.at();
                        if self.int()? != 1 {
                            return error(at, "clusters of several blocks are not supported");
                        }
                        if !self.eat(b',') {
                            break;
                        }
                    }
                }
                Tok::Word(".noreturn" | ".blocksareclusters" | ".explicitcluster") => {
                    self.take();
                }
                Tok::Word(".pragma") => self.skip_to_semicolon()?,
                Tok::Word(".abi_preserve" | ".abi_preserve_control") => {
                    self.take();
                    self.int()?;
                }
                _ => break,
            }
        }
        let body = if self.eat(b';') {
            None
        } else {
            self.expect(b'{')?;
            Some(self.body()?)
        };
        Ok(Function { at, entry, linkage, name, returns, params, max_threads, max_registers, required, body })
    }

    /// Parameters up to the closing parenthesis.
    pub fn params(&mut self) -> Result<Vec<Variable<'a>>, SyntaxError> {
        let mut params = Vec::new();
        while !self.eat(b')') {
            if !params.is_empty() {
                self.expect(b',')?;
            }
            if !matches!(self.peek(), Tok::Word(".param" | ".reg")) {
                return self.wanted("`.param`");
            }
            if self.peek() == Tok::Word(".reg") {
                return error(self.at(), "parameters in registers are not supported");
            }
            let (space, align, ty, lanes) = self.variable_head()?;
            params.push(self.declarator(Linkage::Local, space, align, ty, lanes)?);
        }
        Ok(params)
    }

    /// `.space .align n .type`, with the vector length; also `.ptr .space .align n` of kernel parameters.
    fn variable_head(&mut self) -> Result<(Space, Option<u32>, Type, u32), SyntaxError> {
        let at = self.at();
        let Tok::Word(word) = self.take() else { return error(at, "a state space was expected") };
        let Some(space) = Space::parse(word.trim_start_matches('.')) else {
            return error(at, format!("`{}` is not a state space", clip(word)));
        };
        let (mut align, mut lanes, mut ty, mut pointer) = (None, 1, None, false);
        loop {
            let at = self.at();
            let Tok::Word(word) = self.peek() else { break };
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
                    // In `.ptr .align n` the number describes what the pointer points to.
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
                        if self.take() == Tok::End {
                            return self.wanted("`)`");
                        }
                    }
                }
                _ => match Type::parse(&word[1..]) {
                    Some(Type::Pred) | None => {
                        return error(at, format!("`{}` cannot stand here", clip(word)));
                    }
                    Some(found) => ty = Some(found),
                },
            }
        }
        match ty {
            Some(ty) => Ok((space, align, ty, lanes)),
            None => self.wanted("a type"),
        }
    }

    /// Name, array extents and initialiser.
    fn declarator(
        &mut self,
        linkage: Linkage,
        space: Space,
        align: Option<u32>,
        ty: Type,
        lanes: u32,
    ) -> Result<Variable<'a>, SyntaxError> {
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
            return error(at, format!("{} is larger than {MAX_VARIABLE} bytes", clip(name)));
        }
        if initial.len() as u64 * u64::from(element) > size {
            return error(at, "more initial values than elements");
        }
        let align = align.unwrap_or(element * lanes);
        Ok(Variable { at, space, linkage, align, name, size, element, initial })
    }

    /// Declarators separated by commas, up to the semicolon.
    pub fn variables(
        &mut self,
        linkage: Linkage,
        mut take: impl FnMut(Variable<'a>),
    ) -> Result<(), SyntaxError> {
        let (space, align, ty, lanes) = self.variable_head()?;
        loop {
            take(self.declarator(linkage, space, align, ty, lanes)?);
            if !self.eat(b',') {
                return self.expect(b';');
            }
        }
    }

    /// An initialiser; nested braces only group, as all elements have one type.
    fn initial(&mut self) -> Result<Vec<Initial<'a>>, SyntaxError> {
        let mut values = Vec::new();
        if self.peek() != Tok::Punct(b'{') {
            values.push(self.initial_value()?);
            return Ok(values);
        }
        let mut depth = 0u32;
        loop {
            match self.peek() {
                Tok::Punct(b'{') => {
                    self.take();
                    depth += 1;
                }
                Tok::Punct(b'}') => {
                    self.take();
                    depth -= 1;
                    if depth == 0 {
                        return Ok(values);
                    }
                }
                Tok::Punct(b',') => {
                    self.take();
                }
                _ => values.push(self.initial_value()?),
            }
        }
    }

    fn initial_value(&mut self) -> Result<Initial<'a>, SyntaxError> {
        match self.peek() {
            Tok::F32(bits) => {
                self.take();
                Ok(Initial::F32(bits))
            }
            Tok::F64(bits) => {
                self.take();
                Ok(Initial::F64(bits))
            }
            Tok::Int(mask) if self.peek_second() == Tok::Punct(b'(') => {
                self.take();
                self.take();
                let (name, addend) = self.address_constant()?;
                self.expect(b')')?;
                Ok(Initial::Address { name, addend, mask: Some(mask) })
            }
            Tok::Int(_) | Tok::Punct(b'-') => Ok(Initial::Bits(self.signed()?)),
            Tok::Word(_) => {
                let (name, addend) = self.address_constant()?;
                Ok(Initial::Address { name, addend, mask: None })
            }
            _ => self.wanted("an initial value"),
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
            Tok::Punct(b'+') => {
                self.take();
                self.signed()
            }
            Tok::Punct(b'-') => self.signed(),
            _ => Ok(0),
        }
    }
}
