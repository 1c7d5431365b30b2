//! The state of a program while its functions are decoded: instructions so far, constants, names.

use std::collections::{BTreeSet, HashMap};

use super::sources::SourceReader;
use crate::instruction::{CONSTANT, Instruction, Reg};
use crate::link::{Global, Layout};
use crate::program::{Constant64, LinkedProgram, TextSpan};
use crate::text::ast::Operand;
use crate::text::types::Type;
use crate::text::{SyntaxError, error};

/// The result of decoding, or where the text is wrong.
pub(super) type Result<T = ()> = std::result::Result<T, SyntaxError>;

/// The operands of an instruction.
pub(super) type Operands<'a> = &'a [Operand<'a>];

/// Distinct constants that a program may have; each takes a register plane of 32 lanes in a loaded module.
const MAX_CONSTANTS: usize = 1 << 17;
/// Instructions, and branch targets in tables, that a program may have.
pub(super) const MAX_CODE: usize = 1 << 22;

/// A program while its functions are decoded.
pub(super) struct Decoder<'a> {
    pub program: LinkedProgram,
    /// The unit that is being decoded.
    pub unit: usize,
    /// What each name of each unit stands for.
    names: Vec<HashMap<&'a str, Global>>,
    /// Shared variables inside functions, by unit and by offset of the declaration in its text.
    pub function_shared: HashMap<(usize, u32), Global>,
    interned32: HashMap<u32, Reg>,
    interned64: HashMap<Constant64, Reg>,
    pub sources: SourceReader<'a>,
    /// Functions whose address is taken: what an indirect call may reach.
    pub address_taken: Vec<u32>,
    /// What each function uses.
    pub uses: Vec<FunctionUses>,
    /// Where a function that no unit defines is used first: unit and offset in its text.
    pub unresolved: HashMap<u32, (usize, u32)>,
    /// Branch targets of all tables.
    pub table_entries: usize,
}

/// What a function uses, for the shared memory of kernels and for what must be defined.
#[derive(Clone, Debug, Default)]
pub(super) struct FunctionUses {
    pub shared_end: u32,
    pub calls: Vec<u32>,
    /// The calls through pointers, by what they call.
    pub indirect: BTreeSet<Signature>,
}

/// The sizes of results and of parameters.
pub(super) type Signature = (Vec<u32>, Vec<u32>);

impl<'a> Decoder<'a> {
    pub fn new(layout: Layout<'a>) -> Decoder<'a> {
        let Layout { program, names, function_shared, address_taken, .. } = layout;
        Decoder {
            uses: vec![FunctionUses::default(); program.functions.len()],
            program,
            unit: 0,
            names,
            function_shared,
            interned32: HashMap::new(),
            interned64: HashMap::new(),
            sources: SourceReader::default(),
            address_taken,
            unresolved: HashMap::new(),
            table_entries: 0,
        }
    }

    /// What a name stands for in the unit that is being decoded.
    pub fn name(&self, name: &str) -> Option<Global> {
        self.names[self.unit].get(name).copied()
    }

    /// Whether neither a unit nor the system defines a function.
    pub fn is_missing(&self, number: u32) -> bool {
        self.program.functions[number as usize].is_missing()
    }

    pub fn constant32(&mut self, value: u32, at: u32) -> Result<Reg> {
        let next = self.program.constants32.len();
        let reg = *self.interned32.entry(value).or_insert(CONSTANT | next as u32);
        if reg == CONSTANT | next as u32 {
            if next == MAX_CONSTANTS {
                return error(at, "the program has too many distinct constants");
            }
            self.program.constants32.push(value);
        }
        Ok(reg)
    }

    pub fn constant64(&mut self, value: Constant64, at: u32) -> Result<Reg> {
        let next = self.program.constants64.len();
        let reg = *self.interned64.entry(value).or_insert(CONSTANT | next as u32);
        if reg == CONSTANT | next as u32 {
            if next == MAX_CONSTANTS {
                return error(at, "the program has too many distinct constants");
            }
            self.program.constants64.push(value);
        }
        Ok(reg)
    }

    pub fn push(&mut self, instruction: Instruction, span: TextSpan) -> Result {
        if self.program.code.len() == MAX_CODE {
            return error(span.at, "the program is too long");
        }
        self.program.code.push(instruction);
        self.program.spans.push(span);
        Ok(())
    }
}

/// The class of a register: how its values are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RegisterClass {
    Pred,
    B32,
    B64,
}

impl RegisterClass {
    pub fn of(ty: Type) -> Option<RegisterClass> {
        match ty {
            Type::Pred => Some(RegisterClass::Pred),
            Type::B128 => None,
            _ if ty.size() == 8 => Some(RegisterClass::B64),
            _ => Some(RegisterClass::B32),
        }
    }
}
