//! A function while it is decoded: scopes, names, registers, labels, and the instructions it emits.

use std::collections::HashMap;

use super::decoder::{Decoder, MAX_CODE, RegisterClass, Result};
use crate::instruction::{Guard, Instruction, Op, Reg};
use crate::link::Global;
use crate::program::TextSpan;
use crate::text::ast::Prototype;
use crate::text::types::Type;
use crate::text::{error, printable};

/// Registers of one class that a function may have.
const MAX_REGISTERS: u32 = 1 << 16;

/// What a name in a function stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entity {
    Register(RegisterClass, Type, Reg),
    /// A register of 128 bits, in two consecutive 64-bit registers.
    B128(Reg),
    /// A variable in the frame: offset and size.
    Frame(u32, u32),
    /// A parameter of the kernel: its offset.
    Kernel(u32),
    Shared(Global),
}

/// An open pair of braces.
#[derive(Default)]
pub(super) struct Scope<'a> {
    pub names: HashMap<&'a str, Entity>,
    pub ranges: HashMap<&'a str, (Type, u32)>,
    pub labels: HashMap<&'a str, u32>,
    pub prototypes: HashMap<&'a str, &'a Prototype<'a>>,
    pub targets: HashMap<&'a str, &'a [&'a str]>,
    /// Frame offset to restore when the scope closes.
    pub frame_mark: u32,
    /// Number of branches without target when the scope opened.
    pub fixups: usize,
}

/// A branch, or an entry of its table, whose label is not resolved yet: the labels of a scope are known when
/// it closes.
pub(super) struct Fixup<'a> {
    pub pc: u32,
    pub entry: u32,
    pub label: &'a str,
    pub at: u32,
}

/// A function while it is decoded.
pub(super) struct FunctionDecoder<'l, 'a> {
    pub decoder: &'l mut Decoder<'a>,
    pub number: u32,
    pub entry: bool,
    /// The open scopes, innermost last; the first is the function's.
    pub scopes: Vec<Scope<'a>>,
    pub fixups: Vec<Fixup<'a>>,
    pub counts: [u32; 3],
    pub names: [Vec<String>; 3],
    pub frame: u32,
    pub frame_end: u32,
    pub frame_align: u32,
    pub span: TextSpan,
    pub guard: Guard,
    pub counted: bool,
}

impl<'a> FunctionDecoder<'_, 'a> {
    pub fn declare(&mut self, name: &'a str, entity: Entity, at: u32) -> Result {
        if name == "_" {
            return Ok(());
        }
        match self.innermost().names.insert(name, entity) {
            None => Ok(()),
            Some(_) => error(at, format!("`{}` is declared twice", printable(name))),
        }
    }

    pub fn new_register_number(&mut self, class: RegisterClass, name: &str, at: u32) -> Result<Reg> {
        let index = class as usize;
        let reg = self.counts[index];
        if reg == MAX_REGISTERS {
            return error(at, "the function uses too many registers");
        }
        self.counts[index] += 1;
        self.names[index].push(name.to_owned());
        Ok(reg)
    }

    pub fn new_register(&mut self, ty: Type, name: &str, at: u32) -> Result<Entity> {
        match RegisterClass::of(ty) {
            Some(class) => Ok(Entity::Register(class, ty, self.new_register_number(class, name, at)?)),
            None => {
                let low = self.new_register_number(RegisterClass::B64, name, at)?;
                self.new_register_number(RegisterClass::B64, name, at)?;
                Ok(Entity::B128(low))
            }
        }
    }

    /// A register for a helper operation.
    pub fn temporary(&mut self, class: RegisterClass) -> Result<Reg> {
        self.new_register_number(class, "", self.span.at)
    }

    pub fn innermost(&mut self) -> &mut Scope<'a> {
        self.scopes.last_mut().expect("the parser matches braces")
    }

    /// Closes the innermost scope: its names are gone, and its range of the frame is free again.
    pub fn close(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        self.frame = scope.frame_mark;
        if scope.labels.is_empty() {
            return;
        }
        let mut open = scope.fixups;
        for i in scope.fixups..self.fixups.len() {
            let Fixup { pc, entry, label, .. } = self.fixups[i];
            match (scope.labels.get(label), &mut self.decoder.program.code[pc as usize].op) {
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

    pub fn lookup(&mut self, name: &'a str) -> Result<Option<Entity>> {
        // `%r7` may come from `%r<9>`; a register gets its number when it is first used.
        let digits = name.len() - name.bytes().rev().take(9).take_while(u8::is_ascii_digit).count();
        for scope in (0..self.scopes.len()).rev() {
            if let Some(&entity) = self.scopes[scope].names.get(name) {
                return Ok(Some(entity));
            }
            for split in digits..name.len() {
                let Some(&(ty, count)) = self.scopes[scope].ranges.get(&name[..split]) else { continue };
                if name[split..].parse::<u32>().is_ok_and(|n| n < count) {
                    let entity = self.new_register(ty, name, self.span.at)?;
                    self.scopes[scope].names.insert(name, entity);
                    return Ok(Some(entity));
                }
            }
        }
        Ok(None)
    }

    pub fn search<T>(&self, find: impl Fn(&Scope<'a>) -> Option<T>) -> Option<T> {
        self.scopes.iter().rev().find_map(find)
    }

    pub fn prototype(&self, name: &str) -> Option<&'a Prototype<'a>> {
        self.search(|s| s.prototypes.get(name).copied())
    }

    pub fn targets(&self, name: &str) -> Option<&'a [&'a str]> {
        self.search(|s| s.targets.get(name).copied())
    }

    /// Adds a branch whose labels are resolved when their scope closes.
    pub fn branch(&mut self, mut op: Op, labels: &[&'a str]) -> Result {
        // Many branches may share a table: all entries together are bounded.
        self.decoder.table_entries += labels.len();
        if self.decoder.table_entries > MAX_CODE {
            return self.reject("the program has too many branch targets");
        }
        if let Op::BranchIndex(_, table) = &mut op {
            *table = vec![0; labels.len()].into();
        }
        let (pc, at) = (self.decoder.program.code.len() as u32, self.span.at);
        self.fixups.extend(labels.iter().zip(0..).map(|(&label, entry)| Fixup { pc, entry, label, at }));
        self.emit(op)
    }

    /// Adds an operation under the guard of the current instruction.
    pub fn emit(&mut self, op: Op) -> Result {
        let instruction = Instruction { op, guard: self.guard, counted: self.counted, leads: false, run: 0 };
        self.decoder.push(instruction, self.span)
    }

    /// Adds a helper operation, which is not counted as an instruction.
    pub fn helper(&mut self, op: Op) -> Result {
        let counted = std::mem::replace(&mut self.counted, false);
        let done = self.emit(op);
        self.counted = counted;
        done
    }

    /// An error at the current instruction.
    pub fn reject<T>(&self, message: impl Into<String>) -> Result<T> {
        error(self.span.at, message)
    }
}
