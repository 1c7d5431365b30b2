//! A function body: scopes, registers, labels, and the operands of instructions.

use std::collections::HashMap;

use super::mods::Mods;
use super::{Class, Global, Linker, MAX_CODE};
use crate::fault::clip;
use crate::op::{Guard, Instruction, Op, Reg};
use crate::program::Place;
use crate::text::ast::{self, Prototype, Statement};
use crate::text::types::{Space, Type};
use crate::text::{SyntaxError, error};

/// Register slots of one class that a function may have.
const MAX_SLOTS: u32 = 1 << 16;
/// Local memory that a function may declare.
const MAX_FRAME: u64 = 1 << 20;
/// What a name in a function stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entity {
    Register(Class, Type, Reg),
    /// A register of 128 bits, in two slots for 64 that follow each other.
    Quad(Reg),
    /// A variable in the frame: offset and size.
    Frame(u32, u32),
    /// A parameter of the kernel.
    Kernel(u32),
    Shared(Global),
}

/// An open pair of braces.
#[derive(Default)]
struct Scope<'a> {
    names: HashMap<&'a str, Entity>,
    ranges: HashMap<&'a str, (Type, u32)>,
    labels: HashMap<&'a str, u32>,
    prototypes: HashMap<&'a str, &'a Prototype<'a>>,
    targets: HashMap<&'a str, &'a [&'a str]>,
    /// Frame offset to go back to when the scope closes.
    frame_mark: u32,
    /// The first branch inside.
    fixups: usize,
}

/// A branch, or an entry of its table, that waits for its label: a scope's labels are known when it closes.
struct Fixup<'a> {
    pc: u32,
    entry: u32,
    label: &'a str,
    at: u32,
}

/// A function while it is decoded.
pub(super) struct Context<'l, 'a> {
    pub linker: &'l mut Linker<'a>,
    pub number: u32,
    pub entry: bool,
    /// The open scopes, innermost last; the first is the function's.
    scopes: Vec<Scope<'a>>,
    fixups: Vec<Fixup<'a>>,
    counts: [u32; 3],
    names: [Vec<String>; 3],
    frame: u32,
    frame_end: u32,
    frame_align: u32,
    pub place: Place,
    guard: Guard,
    pub counted: bool,
}

/// Decodes a body.
pub(super) fn decode<'a>(
    linker: &mut Linker<'a>,
    module: &ast::Module<'a>,
    function: &'a ast::Function<'a>,
    body: &'a [Statement<'a>],
) -> Result<(), SyntaxError> {
    let Some(Global::Function(number)) = linker.name(function.name) else { return Ok(()) };
    let start = linker.out.code.len() as u32;
    let place = Place { at: function.at, end: function.at, location: 0 };
    let mut cx = Context {
        linker,
        number,
        entry: function.entry,
        scopes: vec![Scope::default()],
        fixups: Vec::new(),
        counts: [0; 3],
        names: Default::default(),
        frame: 0,
        frame_end: 0,
        frame_align: 16,
        place,
        guard: Guard::NONE,
        counted: true,
    };
    let known = cx.linker.out.functions[number as usize].clone();
    for (v, p) in function.params.iter().zip(&known.params).chain(function.returns.iter().zip(&known.returns))
    {
        let entity = if function.entry { Entity::Kernel(p.offset) } else { Entity::Frame(p.offset, p.size) };
        cx.declare(v.name, entity, v.at)?;
    }
    if !function.entry {
        (cx.frame, cx.frame_end) = (known.param_end, known.param_end);
    }
    cx.linker.sources.enter_function();
    cx.statements(module, body)?;
    // Falling off the end returns.
    cx.place = Place { at: cx.place.end.saturating_sub(1).max(cx.place.at), ..cx.place };
    (cx.guard, cx.counted) = (Guard::NONE, true);
    cx.emit(Op::Return)?;
    cx.close();
    if let Some(fixup) = cx.fixups.first() {
        return error(fixup.at, format!("label `{}` does not exist", clip(fixup.label)));
    }
    let Context { counts, names, frame_end, frame_align, linker, .. } = cx;
    let known = &mut linker.out.functions[number as usize];
    known.start = start;
    known.frame_bytes = frame_end.next_multiple_of(16);
    known.frame_align = known.frame_align.max(frame_align);
    [known.count_pred, known.count32, known.count64] = counts;
    [known.names_pred, known.names32, known.names64] = names;
    Ok(())
}

impl<'a> Context<'_, 'a> {
    fn statements(&mut self, module: &ast::Module<'a>, body: &'a [Statement<'a>]) -> Result<(), SyntaxError> {
        let mut location = 0;
        for statement in body {
            match statement {
                Statement::Open => {
                    let (frame_mark, fixups) = (self.frame, self.fixups.len());
                    self.scopes.push(Scope { frame_mark, fixups, ..Scope::default() });
                }
                Statement::Close => self.close(),
                Statement::Label { at, name } => {
                    let pc = self.linker.out.code.len() as u32;
                    if self.innermost().labels.insert(name, pc).is_some() {
                        return error(*at, format!("label `{}` appears twice", clip(name)));
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
                    location = self.linker.sources.position(module, *position, inlined.as_deref());
                }
                Statement::Prototype { at, name, prototype } => {
                    if self.innermost().prototypes.insert(name, prototype).is_some() {
                        return error(*at, format!("prototype `{}` appears twice", clip(name)));
                    }
                }
                Statement::Targets { at, name, labels } => {
                    if self.innermost().targets.insert(name, labels).is_some() {
                        return error(*at, format!("branch targets `{}` appear twice", clip(name)));
                    }
                }
                Statement::Instruction(instruction) => {
                    self.place = Place { at: instruction.at, end: instruction.end, location };
                    self.instruction(instruction)?;
                }
            }
        }
        Ok(())
    }

    fn declare(&mut self, name: &'a str, entity: Entity, at: u32) -> Result<(), SyntaxError> {
        if name == "_" {
            return Ok(());
        }
        match self.innermost().names.insert(name, entity) {
            None => Ok(()),
            Some(_) => error(at, format!("`{}` is declared twice", clip(name))),
        }
    }

    fn variable(&mut self, v: &'a ast::Variable<'a>) -> Result<(), SyntaxError> {
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
            Space::Shared => match self.linker.inner_shared.get(&(self.linker.unit, v.at)) {
                Some(&shared) => Entity::Shared(shared),
                None => return error(v.at, "this shared variable has no place"),
            },
            _ => return error(v.at, "variables of this space are declared outside functions"),
        };
        self.declare(v.name, entity, v.at)
    }

    fn new_slot(&mut self, class: Class, name: &str, at: u32) -> Result<Reg, SyntaxError> {
        let index = class as usize;
        let slot = self.counts[index];
        if slot == MAX_SLOTS {
            return error(at, "the function uses too many registers");
        }
        self.counts[index] += 1;
        self.names[index].push(name.to_owned());
        Ok(slot)
    }

    fn new_register(&mut self, ty: Type, name: &str, at: u32) -> Result<Entity, SyntaxError> {
        match Class::of(ty) {
            Some(class) => Ok(Entity::Register(class, ty, self.new_slot(class, name, at)?)),
            None => {
                let low = self.new_slot(Class::Double, name, at)?;
                self.new_slot(Class::Double, name, at)?;
                Ok(Entity::Quad(low))
            }
        }
    }

    /// A register for a helper step.
    pub fn temporary(&mut self, class: Class) -> Result<Reg, SyntaxError> {
        self.new_slot(class, "", self.place.at)
    }

    fn innermost(&mut self) -> &mut Scope<'a> {
        self.scopes.last_mut().expect("the parser matches braces")
    }

    /// Leaves the innermost scope. What it declared is out of reach, and its place in the frame is free again.
    fn close(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        self.frame = scope.frame_mark;
        if scope.labels.is_empty() {
            return;
        }
        let mut open = scope.fixups;
        for i in scope.fixups..self.fixups.len() {
            let Fixup { pc, entry, label, .. } = self.fixups[i];
            match (scope.labels.get(label), &mut self.linker.out.code[pc as usize].op) {
                (Some(&to), Op::Branch(target)) => *target = to,
                (Some(&to), Op::BranchIndex(_, table)) => table[entry as usize] = to,
                _ => {
                    self.fixups.swap(open, i);
                    open += 1;
                }
            }
        }
        self.fixups.truncate(open);
    }

    pub fn lookup(&mut self, name: &'a str) -> Result<Option<Entity>, SyntaxError> {
        // `%r7` may come from `%r<9>`; slots are given out when a register is first named.
        let digits = name.len() - name.bytes().rev().take(9).take_while(u8::is_ascii_digit).count();
        for scope in (0..self.scopes.len()).rev() {
            if let Some(&entity) = self.scopes[scope].names.get(name) {
                return Ok(Some(entity));
            }
            for split in digits..name.len() {
                let Some(&(ty, count)) = self.scopes[scope].ranges.get(&name[..split]) else { continue };
                if name[split..].parse::<u32>().is_ok_and(|n| n < count) {
                    let entity = self.new_register(ty, name, self.place.at)?;
                    self.scopes[scope].names.insert(name, entity);
                    return Ok(Some(entity));
                }
            }
        }
        Ok(None)
    }

    fn search<T>(&self, find: impl Fn(&Scope<'a>) -> Option<T>) -> Option<T> {
        self.scopes.iter().rev().find_map(find)
    }

    pub fn prototype(&self, name: &str) -> Option<&'a Prototype<'a>> {
        self.search(|s| s.prototypes.get(name).copied())
    }

    pub fn targets(&self, name: &str) -> Option<&'a [&'a str]> {
        self.search(|s| s.targets.get(name).copied())
    }

    /// Adds a branch whose labels are found when their scope closes.
    pub fn branch(&mut self, mut op: Op, labels: &[&'a str]) -> Result<(), SyntaxError> {
        // Tables may be shared by many branches: what they take together is bounded.
        self.linker.table_entries += labels.len();
        if self.linker.table_entries > MAX_CODE {
            return self.refuse("the program has too many branch targets");
        }
        if let Op::BranchIndex(_, table) = &mut op {
            *table = vec![0; labels.len()].into();
        }
        let (pc, at) = (self.linker.out.code.len() as u32, self.place.at);
        self.fixups.extend(labels.iter().zip(0..).map(|(&label, entry)| Fixup { pc, entry, label, at }));
        self.emit(op)
    }

    /// Adds an operation under the guard of the current instruction.
    pub fn emit(&mut self, op: Op) -> Result<(), SyntaxError> {
        let instruction = Instruction { op, guard: self.guard, counted: self.counted };
        self.linker.push(instruction, self.place)
    }

    /// Adds a helper step, which is not counted as an instruction.
    pub fn helper(&mut self, op: Op) -> Result<(), SyntaxError> {
        let counted = std::mem::replace(&mut self.counted, false);
        let done = self.emit(op);
        self.counted = counted;
        done
    }

    /// A complaint about the current instruction.
    pub fn refuse<T>(&self, message: impl Into<String>) -> Result<T, SyntaxError> {
        error(self.place.at, message)
    }

    fn instruction(&mut self, i: &'a ast::Instruction<'a>) -> Result<(), SyntaxError> {
        self.guard = Guard::NONE;
        if let Some((name, negated)) = i.guard {
            let slot = self.pred_slot(name)?;
            self.guard = Guard::new(slot, negated);
        }
        let (name, mut mods) = Mods::new(i.opcode, i.at);
        let operands = &i.operands[..];
        let done = self
            .arithmetic(name, &mut mods, operands)
            .transpose()
            .or_else(|| self.bit_operation(name, &mut mods, operands).transpose())
            .or_else(|| self.movement(name, &mut mods, operands).transpose())
            .or_else(|| self.memory_access(name, &mut mods, operands).transpose())
            .or_else(|| self.control(name, &mut mods, operands).transpose())
            .or_else(|| self.synchronisation(name, &mut mods, operands).transpose());
        match done {
            Some(done) => done.and_then(|()| mods.finish()),
            None => self.refuse("the instruction is not supported"),
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
        clip(&format!("{guard}{} …", i.opcode))
    }
}
