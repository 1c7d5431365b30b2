//! The syntax tree. Names are not resolved.

use std::collections::HashMap;

use super::types::{Space, Type};

/// Which modules share a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linkage {
    /// The symbol is local to this module.
    Local,
    /// Defined here, for all modules.
    Visible,
    /// Defined elsewhere.
    Extern,
    /// Defined here, unless a definition elsewhere takes precedence.
    Weak,
    /// A variable that all modules share.
    Common,
}

/// A module.
#[derive(Debug, Default)]
pub(crate) struct Module<'a> {
    pub target_sm: u32,
    /// Whether the target has architecture-specific features, as `sm_90a` has.
    pub specific: bool,
    pub files: Vec<(u64, String)>,
    /// The bytes of `.debug_str`, and where its labels are.
    pub strings: Vec<u8>,
    pub string_labels: HashMap<&'a str, usize>,
    pub variables: Vec<Variable<'a>>,
    pub functions: Vec<Function<'a>>,
    /// Alias, function, and offset of the directive.
    pub aliases: Vec<(&'a str, &'a str, u32)>,
}

/// A variable of any space, parameters included.
#[derive(Clone, Debug)]
pub(crate) struct Variable<'a> {
    pub at: u32,
    pub space: Space,
    pub linkage: Linkage,
    pub align: u32,
    pub name: &'a str,
    /// Whether host and device access it at one address.
    pub managed: bool,
    /// Bytes; 0 for an array of unknown length.
    pub size: u64,
    /// Bytes of one element.
    pub element: u32,
    pub initial: Vec<Initial<'a>>,
}

/// One element of an initialiser.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Initial<'a> {
    /// The bits; those beyond the size of the element do not count.
    Bits(u64),
    /// A float of single precision, which may initialise a double.
    F32(u32),
    F64(u64),
    /// The address of a symbol, or one byte of it.
    Address {
        name: &'a str,
        addend: u64,
        /// The bits to take, as in `0xFF00(name)`.
        mask: Option<u64>,
    },
}

/// A kernel or function.
#[derive(Debug)]
pub(crate) struct Function<'a> {
    pub at: u32,
    pub entry: bool,
    pub linkage: Linkage,
    pub name: &'a str,
    pub returns: Vec<Variable<'a>>,
    pub params: Vec<Variable<'a>>,
    pub max_threads: Option<u64>,
    pub max_registers: Option<u32>,
    pub required: Option<[u32; 3]>,
    pub body: Option<Vec<Statement<'a>>>,
}

impl Function<'_> {
    /// Whether parameters and results have the sizes of another function's.
    pub fn same_shape(&self, other: &Function<'_>) -> bool {
        let sizes = |list: &[Variable<'_>]| list.iter().map(|v| v.size).collect::<Vec<_>>();
        sizes(&self.params) == sizes(&other.params) && sizes(&self.returns) == sizes(&other.returns)
    }
}

/// Signature of an indirect call.
#[derive(Debug)]
pub(crate) struct Prototype<'a> {
    pub returns: Vec<Variable<'a>>,
    pub params: Vec<Variable<'a>>,
}

/// File, line and column of a `.loc`.
pub(crate) type Position = (u64, u32, u32);

/// The inlined function that a `.loc` names.
#[derive(Debug, Default)]
pub(crate) struct Inlined<'a> {
    /// Label, and offset from it, of the function's name among the strings of `.debug_str`.
    pub function: Option<(&'a str, u64)>,
    /// Where it was inlined.
    pub at: Option<Position>,
}

/// A statement of a function body.
#[derive(Debug)]
pub(crate) enum Statement<'a> {
    Label {
        at: u32,
        name: &'a str,
    },
    Instruction(Instruction<'a>),
    /// Registers; with a count the names are `name0`, `name1`, ….
    Registers {
        at: u32,
        ty: Type,
        name: &'a str,
        count: Option<u32>,
    },
    Variable(Variable<'a>),
    Open,
    Close,
    Location {
        position: Position,
        inlined: Option<Box<Inlined<'a>>>,
    },
    Prototype {
        at: u32,
        name: &'a str,
        prototype: Prototype<'a>,
    },
    Targets {
        at: u32,
        name: &'a str,
        labels: Vec<&'a str>,
    },
}

/// An instruction.
#[derive(Debug)]
pub(crate) struct Instruction<'a> {
    pub at: u32,
    pub end: u32,
    /// Guard predicate and whether it is negated.
    pub guard: Option<(&'a str, bool)>,
    pub opcode: &'a str,
    pub operands: Vec<Operand<'a>>,
}

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand<'a> {
    /// A register, special register, symbol, label, or `_`, plus an offset.
    Name(&'a str, i64),
    Int(u64),
    F32(u32),
    F64(u64),
    /// `!p`
    Not(&'a str),
    /// `p|q`
    Pair(&'a str, &'a str),
    /// `[name+offset]` or `[number]`
    Address(Option<&'a str>, i64),
    /// `{a, b}`
    Vector(Vec<Operand<'a>>),
    /// `(a, b)` of a call
    List(Vec<Operand<'a>>),
}
