//! A loaded program as data: what linking and decoding produce, and machines and the executor consume.

use std::ops::Range;

use crate::instruction::{CallTarget, Instruction, Op};
use crate::source::{LineTable, SourceLocation, SourcePositions};
use crate::system_call::SystemCall;
use crate::text::Lines;

/// Functions that a program may declare: each kernel's calls are followed through all of them, and a loaded
/// program has as many addresses for functions.
pub(crate) const MAX_FUNCTIONS: usize = 1 << 14;

/// One parameter of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Param {
    /// Byte offset in the parameter block.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// Alignment in bytes.
    pub align: u32,
}

/// A kernel (`.entry`) of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Name of the entry.
    pub name: String,
    /// Its parameters in order.
    pub params: Vec<Param>,
    /// Bytes of the parameter block.
    pub param_bytes: u32,
    /// Bytes of static shared memory for the kernel and everything it can call. All kernels of a program
    /// share one layout, so this may count variables of others that lie before its own.
    pub static_shared_bytes: u32,
    /// Bytes of local memory of the kernel's own frame.
    pub local_bytes: u32,
    /// Whether a function may be called below itself, as far as calls through pointers can be told apart by the sizes of
    /// parameters and results: a compiler of machine code does not know then how much stack a thread needs.
    pub recurses: bool,
    /// 32-bit registers of each thread. PTX registers are virtual: until [`Program::set_registers`] sets what
    /// a compiler allocated, this is a guess from 16 to 32, and at most `.maxnreg`.
    pub registers: u32,
    /// Whether the number of registers was set.
    pub registers_known: bool,
    /// The most threads a block may have: `.maxntid`, `.reqntid`, or the machine's limit of 1024.
    pub max_threads: u32,
    /// `.reqntid`, if given: the only block shape allowed.
    pub required_block: Option<[u32; 3]>,
    /// Host memory in bytes for the registers and frames of one warp that is in every function it can reach,
    /// once in each.
    pub(crate) warp_bytes: u64,
}

/// A function or kernel.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub name: String,
    pub entry: bool,
    pub defined: bool,
    /// The system call that the declaration stands for, if no text defines it.
    pub system: Option<SystemCall>,
    /// First instruction.
    pub start: u32,
    pub params: Vec<Param>,
    pub returns: Vec<Param>,
    /// End of parameters and results in the frame.
    pub param_end: u32,
    /// Bytes of local memory that a call takes.
    pub frame_bytes: u32,
    /// The alignment of the frame: at least 16.
    pub frame_align: u32,
    /// Registers of each class.
    pub count32: u32,
    pub count64: u32,
    pub count_pred: u32,
    /// Names of the registers of each class, for faults.
    pub names32: Vec<String>,
    pub names64: Vec<String>,
    pub names_pred: Vec<String>,
}

impl Function {
    /// Host memory in bytes that a warp's call takes for registers and local memory.
    pub fn warp_bytes(&self) -> u64 {
        // Of each class there is one plane more, for results.
        let registers = 4 * (u64::from(self.count32) + 1) + 8 * (u64::from(self.count64) + 1);
        let of_a_lane = registers + u64::from(self.frame_bytes);
        32 * of_a_lane
    }

    /// Whether neither a text nor the system defines it.
    pub fn is_missing(&self) -> bool {
        !self.defined && self.system.is_none()
    }

    pub fn new(name: &str, entry: bool) -> Function {
        Function {
            name: name.to_owned(),
            entry,
            defined: false,
            system: None,
            start: 0,
            params: Vec::new(),
            returns: Vec::new(),
            param_end: 0,
            frame_bytes: 0,
            frame_align: 16,
            count32: 0,
            count64: 0,
            count_pred: 0,
            names32: Vec::new(),
            names64: Vec::new(),
            names_pred: Vec::new(),
        }
    }
}

/// A symbol whose address is known once the program is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Symbol {
    Variable(u32),
    Function(u32),
    /// A generic address of shared memory, by offset.
    Shared(u32),
}

/// A 64-bit constant: a value, plus the address of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Constant64 {
    pub symbol: Option<Symbol>,
    pub value: u64,
}

/// An address in an initialiser.
#[derive(Clone, Debug)]
pub(crate) struct InitialAddress {
    /// Offset in the variable.
    pub at: u64,
    pub value: Constant64,
    /// Bits by which the address is shifted right.
    pub shift: u32,
    /// Bytes of the address that are written.
    pub size: u32,
}

/// A `.global` or `.const` variable.
#[derive(Clone, Debug)]
pub(crate) struct GlobalVariable {
    pub name: String,
    pub constant: bool,
    /// It is memory of the host, which accesses it at the same address.
    pub managed: bool,
    pub size: u64,
    pub align: u32,
    /// Initial bytes; the rest is zero.
    pub bytes: Vec<u8>,
    pub addresses: Vec<InitialAddress>,
}

/// The range of an instruction in its text, and the number of its source position plus one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextSpan {
    pub at: u32,
    pub end: u32,
    pub location: u32,
}

/// The code, the variables and the constants of a program.
#[derive(Debug, Default)]
pub(crate) struct LinkedProgram {
    pub kernels: Vec<Kernel>,
    pub kernel_functions: Vec<u32>,
    pub functions: Vec<Function>,
    pub code: Vec<Instruction>,
    pub spans: Vec<TextSpan>,
    /// First instruction of each unit.
    pub unit_starts: Vec<u32>,
    pub sources: SourcePositions,
    pub variables: Vec<GlobalVariable>,
    pub constants32: Vec<u32>,
    pub constants64: Vec<Constant64>,
    pub shared_end: u32,
}

impl LinkedProgram {
    /// Whether an operation calls a function of the program that is known.
    pub fn calls_code(&self, op: &Op) -> bool {
        let Op::Call(call) = op else { return false };
        let CallTarget::Function(number) = call.target else { return false };
        let function = &self.functions[number as usize];
        function.defined && function.system.is_none()
    }

    /// Whether an operation allocates or frees memory of the device's heap.
    pub fn changes_heap(&self, op: &Op) -> bool {
        let Op::Call(call) = op else { return false };
        let CallTarget::Function(number) = call.target else { return false };
        matches!(self.functions[number as usize].system, Some(SystemCall::Malloc | SystemCall::Free))
    }
}

/// A PTX text of a program.
#[derive(Debug)]
pub(crate) struct Unit {
    pub name: String,
    pub text: String,
    pub lines: Lines,
    pub sources: LineTable,
}

/// A program that machines can load.
#[derive(Debug)]
pub struct Program {
    pub(crate) name: String,
    pub(crate) units: Vec<Unit>,
    pub(crate) target_sm: u32,
    pub(crate) linked: LinkedProgram,
}

impl Program {
    /// The name given to [`Program::load`] or [`Program::link`].
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The PTX texts that it was linked from.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.units.iter().map(|unit| &unit.text[..])
    }

    /// The kernels in the order of the texts.
    pub fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        self.linked.kernels.iter()
    }

    /// The kernel of this name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.linked.kernels.iter().find(|k| k.name == name)
    }

    /// The initial bytes of the `.global` or `.const` variable of this name, with zeros in place of addresses
    /// and without zeros at the end; if several have that name, those of the first.
    pub fn initial_bytes(&self, variable: &str) -> Option<&[u8]> {
        self.linked.variables.iter().find(|known| known.name == variable).map(|known| &known.bytes[..])
    }

    /// Sets the registers of each thread of a kernel, as a compiler has allocated them. Returns false if
    /// there is no such kernel.
    pub fn set_registers(&mut self, kernel: &str, registers: u32) -> bool {
        let found = self.linked.kernels.iter_mut().find(|k| k.name == kernel);
        found.map(|kernel| (kernel.registers, kernel.registers_known) = (registers, true)).is_some()
    }

    /// Sets the source positions of instructions that no `.loc` precedes: `tables` returns those of the text
    /// of a name.
    pub fn set_sources(&mut self, mut tables: impl FnMut(&str) -> Option<LineTable>) {
        for unit in &mut self.units {
            unit.sources = tables(&unit.name).unwrap_or_default();
        }
    }

    /// The number in `.target sm_…`, the highest of several.
    pub fn target_sm(&self) -> u32 {
        self.target_sm
    }

    /// The text that an instruction is in.
    fn unit(&self, pc: u32) -> &Unit {
        &self.units[self.unit_number(pc) as usize]
    }

    /// The number of the text that an instruction is in.
    pub(crate) fn unit_number(&self, pc: u32) -> u32 {
        self.linked.unit_starts.partition_point(|&start| start <= pc) as u32 - 1
    }

    /// Line and text of an instruction.
    pub(crate) fn instruction_text(&self, pc: u32) -> (u32, &str) {
        let (span, unit) = (self.linked.spans[pc as usize], self.unit(pc));
        (unit.lines.position(span.at).0, &unit.text[span.at as usize..span.end as usize])
    }

    /// The comment behind an instruction, on its line.
    pub(crate) fn comment(&self, pc: u32) -> Option<&str> {
        let (span, unit) = (self.linked.spans[pc as usize], self.unit(pc));
        let rest = unit.text[span.end as usize..].split(['\n', '\0']).next()?;
        Some(rest.trim_start_matches([';', ' ', '\t']).strip_prefix("//")?.trim())
    }

    /// The name of the text that an instruction is in, if the program has several.
    pub(crate) fn unit_name(&self, pc: u32) -> Option<&str> {
        (self.units.len() > 1).then(|| &self.unit(pc).name[..])
    }

    /// The source position of an instruction, and where that was inlined, innermost first.
    pub(crate) fn source(&self, pc: u32) -> (Option<SourceLocation>, Vec<SourceLocation>) {
        let span = self.linked.spans[pc as usize];
        match self.linked.sources.find(span.location) {
            (None, _) => {
                let unit = self.unit(pc);
                (unit.sources.find(unit.lines.position(span.at).0), Vec::new())
            }
            found => found,
        }
    }

    /// The instructions of the function that holds one of them.
    pub(crate) fn function_range(&self, pc: u32) -> Range<u32> {
        let starts = || self.linked.functions.iter().filter(|f| f.defined).map(|f| f.start);
        let start = starts().filter(|&start| start <= pc).max().unwrap_or(0);
        start..starts().filter(|&start| start > pc).min().unwrap_or(self.linked.code.len() as u32)
    }

    /// The instructions from one pc to another.
    #[inline]
    pub(crate) fn instructions(&self, range: Range<u32>) -> &[Instruction] {
        &self.linked.code[range.start as usize..range.end as usize]
    }

    /// The instruction at a pc.
    #[inline]
    pub(crate) fn instruction(&self, pc: u32) -> &Instruction {
        &self.linked.code[pc as usize]
    }
}
