//! A function body: its statements in order. Each instruction goes to the file that decodes its kind.

use super::decoder::{Decoder, Result};
use super::function::{Entity, FunctionDecoder, Scope};
use super::modifiers::Modifiers;
use crate::instruction::{Guard, Op};
use crate::link::Global;
use crate::program::TextSpan;
use crate::text::ast::{self, Statement};
use crate::text::types::Space;
use crate::text::{SyntaxError, error, printable};

/// Local memory that a function may declare.
const MAX_FRAME: u64 = 1 << 20;

/// Decodes a body.
pub(super) fn decode<'a>(
    decoder: &mut Decoder<'a>,
    module: &ast::Module<'a>,
    f: &'a ast::Function<'a>,
    body: &'a [Statement<'a>],
) -> Result {
    let Some(Global::Function(number)) = decoder.name(f.name) else { return Ok(()) };
    let start = decoder.program.code.len() as u32;
    let span = TextSpan { at: f.at, end: f.at, location: 0 };
    let mut function = FunctionDecoder {
        decoder,
        number,
        entry: f.entry,
        scopes: vec![Scope::default()],
        fixups: Vec::new(),
        counts: [0; 3],
        names: Default::default(),
        frame: 0,
        frame_end: 0,
        frame_align: 16,
        span,
        guard: Guard::NONE,
        counted: true,
    };
    let known = function.decoder.program.functions[number as usize].clone();
    for (v, p) in f.params.iter().zip(&known.params).chain(f.returns.iter().zip(&known.returns)) {
        let entity = if f.entry { Entity::Kernel(p.offset) } else { Entity::Frame(p.offset, p.size) };
        function.declare(v.name, entity, v.at)?;
    }
    if !f.entry {
        (function.frame, function.frame_end) = (known.param_end, known.param_end);
    }
    function.decoder.sources.enter_function();
    function.statements(module, body)?;
    // Falling off the end returns.
    function.span =
        TextSpan { at: function.span.end.saturating_sub(1).max(function.span.at), ..function.span };
    (function.guard, function.counted) = (Guard::NONE, true);
    function.emit(Op::Return)?;
    function.close();
    if let Some(fixup) = function.fixups.first() {
        return error(fixup.at, format!("label `{}` does not exist", printable(fixup.label)));
    }
    let FunctionDecoder { counts, names, frame_end, frame_align, decoder, .. } = function;
    let known = &mut decoder.program.functions[number as usize];
    known.start = start;
    known.frame_bytes = frame_end.next_multiple_of(16);
    known.frame_align = known.frame_align.max(frame_align);
    [known.count_pred, known.count32, known.count64] = counts;
    [known.names_pred, known.names32, known.names64] = names;
    Ok(())
}

impl<'a> FunctionDecoder<'_, 'a> {
    fn statements(&mut self, module: &ast::Module<'a>, body: &'a [Statement<'a>]) -> Result {
        let mut location = 0;
        for statement in body {
            match statement {
                Statement::Open => {
                    let (frame_mark, fixups) = (self.frame, self.fixups.len());
                    self.scopes.push(Scope { frame_mark, fixups, ..Scope::default() });
                }
                Statement::Close => self.close(),
                Statement::Label { at, name } => {
                    let pc = self.decoder.program.code.len() as u32;
                    if self.innermost().labels.insert(name, pc).is_some() {
                        return error(*at, format!("label `{}` appears twice", printable(name)));
                    }
                }
                Statement::Registers { at, ty, name, count } => match count {
                    Some(count) => {
                        self.innermost().ranges.insert(name, (*ty, *count));
                    }
                    None => {
                        let register = self.new_register(*ty, name, *at)?;
                        self.declare(name, register, *at)?;
                    }
                },
                Statement::Variable(v) => self.variable(v)?,
                Statement::Location { position, inlined } => {
                    location = self.decoder.sources.position(module, *position, inlined.as_deref());
                }
                Statement::Prototype { at, name, prototype } => {
                    if self.innermost().prototypes.insert(name, prototype).is_some() {
                        return error(*at, format!("prototype `{}` appears twice", printable(name)));
                    }
                }
                Statement::Targets { at, name, labels } => {
                    if self.innermost().targets.insert(name, labels).is_some() {
                        return error(*at, format!("branch targets `{}` appear twice", printable(name)));
                    }
                }
                Statement::Instruction(instruction) => {
                    self.span = TextSpan { at: instruction.at, end: instruction.end, location };
                    self.instruction(instruction)?;
                }
            }
        }
        Ok(())
    }

    fn variable(&mut self, v: &'a ast::Variable<'a>) -> Result {
        let entity = match v.space {
            Space::Local | Space::Param => {
                // Call arguments are copied in whole words.
                let align = v.align.max(4);
                self.frame_align = self.frame_align.max(align);
                let start = u64::from(self.frame).next_multiple_of(u64::from(align));
                let end = start + v.size.next_multiple_of(4);
                if v.size == 0 && v.space == Space::Local {
                    return error(v.at, "a local variable needs a size");
                }
                if end > MAX_FRAME {
                    return error(
                        v.at,
                        format!("the function needs more than {MAX_FRAME} bytes of local memory"),
                    );
                }
                self.frame = end as u32;
                self.frame_end = self.frame_end.max(self.frame);
                Entity::Frame(start as u32, v.size as u32)
            }
            Space::Shared => match self.decoder.function_shared.get(&(self.decoder.unit, v.at)) {
                Some(&shared) => Entity::Shared(shared),
                None => return error(v.at, "this shared variable has no offset"),
            },
            _ => return error(v.at, "variables of this space are declared outside functions"),
        };
        self.declare(v.name, entity, v.at)
    }

    fn instruction(&mut self, i: &'a ast::Instruction<'a>) -> Result {
        self.guard = Guard::NONE;
        if let Some((name, negated)) = i.guard {
            let reg = self.pred_register(name)?;
            self.guard = Guard::new(reg, negated);
        }
        let (name, mut mods) = Modifiers::new(i.opcode, i.at);
        let operands = &i.operands[..];
        let done = self
            .arithmetic(name, &mut mods, operands)
            .transpose()
            .or_else(|| self.bit_operation(name, &mut mods, operands).transpose())
            .or_else(|| self.movement(name, &mut mods, operands).transpose())
            .or_else(|| self.conversion(name, &mut mods, operands).transpose())
            .or_else(|| self.selection(name, &mut mods, operands).transpose())
            .or_else(|| self.memory_access(name, &mut mods, operands).transpose())
            .or_else(|| self.control(name, &mut mods, operands).transpose())
            .or_else(|| self.synchronisation(name, &mut mods, operands).transpose())
            .or_else(|| self.matrix_operation(name, &mut mods, operands).transpose());
        match done {
            Some(done) => done.and_then(|()| mods.finish()),
            None => self.reject("the instruction is not supported"),
        }
        .map_err(|e| {
            if e.at != i.at {
                return e;
            }
            SyntaxError { message: format!("{} in `{}`", e.message, self.instruction_text(i)), ..e }
        })
    }

    fn instruction_text(&self, i: &ast::Instruction<'_>) -> String {
        let guard = i.guard.map_or(String::new(), |(p, n)| format!("@{}{p} ", if n { "!" } else { "" }));
        printable(&format!("{guard}{} …", i.opcode))
    }
}
