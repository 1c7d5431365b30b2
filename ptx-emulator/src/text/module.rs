//! Tokens to a module: directives, functions and their headers. Every loop consumes tokens and nothing
//! recurses, so time and memory are bounded by the length of the text.

use super::ast::*;
use super::error::{SyntaxError, error};
use super::lexer::TokenKind;
use super::parser::Parser;
use super::printable::printable;

/// The first version of PTX that is not supported.
const NEXT_VERSION: f64 = 10.0;

/// Parses a module.
pub(crate) fn parse(text: &str) -> Result<Module<'_>, SyntaxError> {
    let mut parser = Parser::new(text);
    let module = parser.module();
    // To the parser, the end of the tokens is the end of the text: an error of the lexer takes precedence.
    parser.into_problem().map_or(module, Err)
}

impl<'a> Parser<'a> {
    fn module(&mut self) -> Result<Module<'a>, SyntaxError> {
        let mut module = Module::default();
        let mut versioned = false;
        loop {
            let at = self.at();
            let word = match self.peek() {
                TokenKind::End => break,
                TokenKind::Word(w) => w,
                TokenKind::Punct(b';') => {
                    self.take();
                    continue;
                }
                _ => return self.unexpected("a declaration"),
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
                    let TokenKind::Str(file) = self.take() else {
                        return error(at, "`.file` needs a number and a string");
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

    /// A version such as `8.3`. Newer versions than the known ones are rejected: they may change the meaning
    /// of words.
    fn version(&mut self) -> Result<(), SyntaxError> {
        let at = self.at();
        let version = match self.take() {
            TokenKind::F64(bits) => f64::from_bits(bits),
            TokenKind::Int(major) => major as f64,
            _ => return error(at, "`.version` needs a number"),
        };
        if !(1.0..NEXT_VERSION).contains(&version) {
            return error(
                at,
                format!("PTX version {version} is not supported; versions below {NEXT_VERSION} are"),
            );
        }
        Ok(())
    }

    /// The architecture, and whether the target has architecture-specific features.
    fn target(&mut self) -> Result<(u32, bool), SyntaxError> {
        let (mut sm, mut specific) = (None, false);
        loop {
            let at = self.at();
            match self.take() {
                TokenKind::Word(w) => {
                    if let Some(number) = w.strip_prefix("sm_") {
                        specific = number.ends_with('a');
                        sm = number.trim_end_matches(['a', 'f']).parse().ok();
                    } else if w == "texmode_unified" || w == "texmode_independent" || w == "debug" {
                        // For debug builds and textures; without effect here.
                    } else {
                        return error(at, format!("the target `{}` is not known", printable(w)));
                    }
                }
                _ => return error(at, "`.target` needs names"),
            }
            if !self.eat(b',') {
                break;
            }
        }
        match sm {
            Some(sm) => Ok((sm, specific)),
            None => error(self.at(), "`.target` does not name an sm_… architecture"),
        }
    }

    /// A debug section: a name, then braces. Only the strings of `.debug_str` are kept.
    fn section(&mut self, module: &mut Module<'a>) -> Result<(), SyntaxError> {
        let strings = self.take() == TokenKind::Word(".debug_str");
        self.expect(b'{')?;
        while !self.eat(b'}') {
            match (self.take(), self.peek()) {
                (TokenKind::End, _) => return error(self.at(), "unterminated `.section`"),
                (TokenKind::Word(label), TokenKind::Punct(b':')) if strings => {
                    module.string_labels.insert(label, module.strings.len());
                }
                (TokenKind::Int(byte), _) if strings => module.strings.push(byte as u8),
                _ => {}
            }
        }
        Ok(())
    }

    fn linkage(&mut self) -> Linkage {
        let mut linkage = Linkage::Local;
        loop {
            linkage = match self.peek() {
                TokenKind::Word(".visible") => Linkage::Visible,
                TokenKind::Word(".extern") => Linkage::Extern,
                TokenKind::Word(".weak") => Linkage::Weak,
                TokenKind::Word(".common") => Linkage::Common,
                _ => return linkage,
            };
            self.take();
        }
    }

    fn declaration(&mut self, module: &mut Module<'a>) -> Result<(), SyntaxError> {
        let linkage = self.linkage();
        match self.peek() {
            TokenKind::Word(word @ (".entry" | ".func")) => {
                self.take();
                let function = self.function(word == ".entry", linkage)?;
                module.functions.push(function);
                Ok(())
            }
            TokenKind::Word(".global" | ".const" | ".shared") => {
                self.variables(linkage, |v| module.variables.push(v))
            }
            _ => self.unexpected("a declaration"),
        }
    }

    fn function(&mut self, entry: bool, linkage: Linkage) -> Result<Function<'a>, SyntaxError> {
        let mut returns = Vec::new();
        while let TokenKind::Word(".attribute") = self.peek() {
            self.take();
            self.expect(b'(')?;
            while !self.eat(b')') {
                if self.take() == TokenKind::End {
                    return self.unexpected("`)`");
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
                TokenKind::Word(word @ (".maxntid" | ".reqntid")) => {
                    self.take();
                    let mut shape = [1; 3];
                    shape[0] = self.small()?;
                    for n in &mut shape[1..] {
                        if self.eat(b',') {
                            *n = self.small()?;
                        }
                    }
                    if shape.contains(&0) {
                        return error(at, format!("`{word}` needs at least one thread in each dimension"));
                    }
                    let threads = shape.iter().fold(1u64, |product, &n| product.saturating_mul(u64::from(n)));
                    max_threads = Some(threads);
                    if word == ".reqntid" {
                        required = Some(shape);
                    }
                }
                TokenKind::Word(".maxnreg") => {
                    self.take();
                    max_registers = Some(self.small()?);
                }
                // Without effect: with the guessed number of registers, as many blocks fit as a kernel can
                // ask for.
                TokenKind::Word(".minnctapersm" | ".maxnctapersm" | ".maxclusterrank") => {
                    self.take();
                    self.int()?;
                }
                // Every block is a cluster of one block.
                TokenKind::Word(".reqnctapercluster") => {
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
                TokenKind::Word(".noreturn" | ".blocksareclusters" | ".explicitcluster") => {
                    self.take();
                }
                TokenKind::Word(".pragma") => self.skip_to_semicolon()?,
                TokenKind::Word(".abi_preserve" | ".abi_preserve_control") => {
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
}
