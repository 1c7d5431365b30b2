//! Programs as trees: typed, and without undefined behaviour however they are put together.
//!
//! What could be undefined (divisors, shift amounts, indices, float-to-int conversions, payloads of NaNs) is
//! made defined when a tree is printed, so that the reducer may replace any part by any other of the same
//! type.

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// An integer of this many bits.
    Int(u32),
    Half,
    Bfloat,
    Float,
    Double,
}

impl Scalar {
    /// Bits of a value.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Int(bits) => bits,
            Scalar::Half | Scalar::Bfloat => 16,
            Scalar::Float => 32,
            Scalar::Double => 64,
        }
    }

    pub fn is_int(self) -> bool {
        matches!(self, Scalar::Int(_))
    }

    /// Bits of the significand that are stored; integers have none.
    pub fn fraction_bits(self) -> u32 {
        match self {
            Scalar::Int(_) => 0,
            Scalar::Half => 10,
            Scalar::Bfloat => 7,
            Scalar::Float => 23,
            Scalar::Double => 52,
        }
    }

    /// The bits of positive infinity.
    pub fn infinity(self) -> u128 {
        let exponent_bits = self.bits() - 1 - self.fraction_bits();
        ((1 << exponent_bits) - 1) << self.fraction_bits()
    }

    /// As LLVM writes it.
    pub fn name(self) -> String {
        match self {
            Scalar::Int(bits) => format!("i{bits}"),
            Scalar::Half => "half".into(),
            Scalar::Bfloat => "bfloat".into(),
            Scalar::Float => "float".into(),
            Scalar::Double => "double".into(),
        }
    }

    /// As it is part of an intrinsic's name.
    pub fn suffix(self) -> String {
        match self {
            Scalar::Int(bits) => format!("i{bits}"),
            Scalar::Bfloat => "bf16".into(),
            float => format!("f{}", float.bits()),
        }
    }
}

/// The type of a value: a number, or a vector of 2 or 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ty {
    pub scalar: Scalar,
    pub lanes: u32,
}

impl Ty {
    pub const BOOL: Ty = Ty::int(1);
    pub const I32: Ty = Ty::int(32);
    pub const I64: Ty = Ty::int(64);

    pub const fn int(bits: u32) -> Ty {
        Ty { scalar: Scalar::Int(bits), lanes: 1 }
    }

    /// The same number of lanes of another scalar.
    pub fn of(self, scalar: Scalar) -> Ty {
        Ty { scalar, ..self }
    }

    /// One lane.
    pub fn element(self) -> Ty {
        Ty { lanes: 1, ..self }
    }

    /// Bits of all lanes.
    pub fn bits(self) -> u32 {
        self.scalar.bits() * self.lanes
    }

    /// Whether a value has the same bytes in memory on every target: whole powers of two.
    pub fn in_memory(self) -> bool {
        self.scalar.bits() >= 8 && self.scalar.bits().is_power_of_two()
    }

    /// As LLVM writes it.
    pub fn name(self) -> String {
        match self.lanes {
            1 => self.scalar.name(),
            lanes => format!("<{lanes} x {}>", self.scalar.name()),
        }
    }

    /// As it is part of an intrinsic's name.
    pub fn suffix(self) -> String {
        match self.lanes {
            1 => self.scalar.suffix(),
            lanes => format!("v{lanes}{}", self.scalar.suffix()),
        }
    }
}

/// Memory that a program may touch. Every access is at a multiple of its size, modulo the region's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// This thread's input, read-only.
    In,
    /// This thread's output.
    Out,
    /// What the exchanges between phases read and write: a value and a selector, 64 bits each.
    Exchange,
    /// An array of the function's own.
    Private,
    /// A constant table of the program.
    Table,
}

impl Region {
    /// Bytes; a power of two.
    pub fn bytes(self) -> u32 {
        match self {
            Region::In | Region::Private => 64,
            Region::Out => 128,
            Region::Exchange => 16,
            Region::Table => 64,
        }
    }
}

/// How an access is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Plain,
    /// With an alignment of one byte.
    Unaligned,
    Volatile,
    /// Atomic with this order; integers of 8 to 64 bits only.
    Atomic(&'static str),
}

/// An expression. Every one has a type that [`Expr::ty`] gives.
#[derive(Clone, Debug)]
pub enum Expr {
    /// The bits of each lane.
    Const(Ty, Vec<u128>),
    /// A variable of the function.
    Local(usize, Ty),
    /// The thread's number, i32.
    Thread,
    /// One operand of the type of the result: an instruction or intrinsic without further rules.
    Unary(&'static str, Box<Expr>),
    /// Two operands of the type of the result.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// Three operands of the type of the result.
    Ternary(&'static str, Box<Expr>, Box<Expr>, Box<Expr>),
    /// `icmp` or `fcmp` with a predicate.
    Compare(&'static str, Box<Expr>, Box<Expr>),
    /// `llvm.scmp` or `llvm.ucmp` to a type.
    ThreeWay(&'static str, Box<Expr>, Box<Expr>, Ty),
    /// `llvm.is.fpclass` with a mask.
    Class(u32, Box<Expr>),
    /// `select`: the condition is one bit, or one for each lane.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The same by branches and a phi.
    Branch(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A conversion instruction or intrinsic.
    Cast(&'static str, Box<Expr>, Ty),
    /// The same bits as another type.
    Bits(Box<Expr>, Ty),
    /// A lane, by a number that is taken modulo the lanes.
    Extract(Box<Expr>, Box<Expr>),
    /// A vector with a lane replaced.
    Insert(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `shufflevector` of two vectors of one type.
    Shuffle(Box<Expr>, Box<Expr>, Vec<u32>),
    /// `llvm.vector.reduce.*`.
    Reduce(&'static str, Box<Expr>),
    /// A value in memory.
    Load(Region, Access, Box<Expr>, Ty),
    /// A call of a function with arguments; the field of its result that is the value.
    Call { callee: Callee, arguments: Vec<Expr>, field: usize, ty: Ty },
}

/// What is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function of the program.
    Direct(usize),
    /// One of the program's table, by an index that is taken modulo its length.
    Indirect(Box<Expr>),
    /// The function itself, while its depth lasts; zero then.
    Itself,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    Set(usize, Expr),
    Store(Region, Access, Expr, Expr),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// Counts a variable up from zero; as often as the i32 modulo 8 says.
    Loop(usize, Expr, Vec<Stmt>),
    /// Cases 0, 1, … of the i32 modulo 8; the last is the default.
    Switch(Expr, Vec<Vec<Stmt>>),
    /// Leaves the innermost loop if the condition holds; nothing outside of one.
    Break(Expr),
    /// Continues with the next iteration if the condition holds; nothing outside of a loop.
    Continue(Expr),
    /// Leaves the function.
    Return(Vec<Expr>),
    /// Copies some bytes between regions, from and to offsets.
    Copy {
        to: (Region, u32),
        from: (Region, u32),
        bytes: u32,
    },
    /// Sets some bytes of a region from an offset to an i8.
    Fill {
        to: (Region, u32),
        value: Expr,
        bytes: u32,
    },
}

/// How a parameter is passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passing {
    /// By itself; a struct if it has more fields than one.
    Direct,
    /// A struct in memory.
    ByValue,
}

/// A parameter: one or more fields, each of which is a variable in the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub passing: Passing,
    pub fields: Vec<Ty>,
}

/// A function. Its first variables are the fields of its parameters.
#[derive(Clone, Debug)]
pub struct Function {
    pub parameters: Vec<Parameter>,
    /// A struct if there are more than one.
    pub results: Vec<Ty>,
    pub locals: Vec<Ty>,
    pub body: Vec<Stmt>,
    pub inline: bool,
}

/// An operation of all threads between two phases, on the value and the selector of each.
///
/// The discriminants are what the host's model of them (`host.c`) switches on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// A shuffle of mode 0..4 (idx, bfly, up, down) in segments of `width` lanes by the selector.
    Shuffle { mode: usize, width: u32 },
    /// ballot, any, all, uni of the value's lowest bit.
    Vote { mode: usize },
    /// match.any, or match.all with `all`, of the value's low bits, as 32 or 64 bits.
    Match { all: bool, bits: u32 },
    /// A reduction over the warp, of i32.
    Redux { op: usize },
    /// Values are exchanged through shared memory.
    Shared { sync: usize },
    /// Atomic operations of all threads on 8 cells, and what the cells hold afterwards.
    Atomic { op: usize, bits: u32, shared: bool, order: usize, initial: u64 },
    /// Exchange (mode 0) or compare-and-exchange (mode 1) on a separate cell for each thread.
    Swap { mode: usize, bits: u32, shared: bool },
    /// A barrier that counts, or combines by and, or.
    BarrierReduce { mode: usize },
}

/// A whole program: phases (functions without parameters and results) with exchanges between them.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it was generated from.
    pub seed: u64,
    /// A function calls only functions behind it. The phases come first.
    pub functions: Vec<Function>,
    /// After phase n comes exchange n; there may be one less than phases.
    pub phases: usize,
    pub exchanges: Vec<Exchange>,
    /// Functions of one signature that are called through a table; a power of two, or none.
    pub table: Vec<usize>,
    /// The constant table.
    pub constants: Vec<u64>,
}

impl Expr {
    /// The type of the value.
    pub fn ty(&self) -> Ty {
        match self {
            Expr::Const(ty, _)
            | Expr::Local(_, ty)
            | Expr::ThreeWay(_, _, _, ty)
            | Expr::Cast(_, _, ty)
            | Expr::Bits(_, ty)
            | Expr::Load(_, _, _, ty)
            | Expr::Call { ty, .. } => *ty,
            Expr::Thread => Ty::I32,
            Expr::Unary(_, a) | Expr::Binary(_, a, _) | Expr::Ternary(_, a, _, _) => a.ty(),
            Expr::Compare(_, a, _) | Expr::Class(_, a) => a.ty().of(Scalar::Int(1)),
            Expr::Select(_, a, _) | Expr::Branch(_, a, _) => a.ty(),
            Expr::Extract(a, _) | Expr::Reduce(_, a) => a.ty().element(),
            Expr::Insert(a, _, _) | Expr::Shuffle(a, _, _) => a.ty(),
        }
    }

    /// Zero of a type.
    pub fn zero(ty: Ty) -> Expr {
        Expr::Const(ty, vec![0; ty.lanes as usize])
    }

    /// The operands, for the reducer.
    pub fn operands_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Expr::Const(..) | Expr::Local(..) | Expr::Thread => Vec::new(),
            Expr::Unary(_, a)
            | Expr::Class(_, a)
            | Expr::Cast(_, a, _)
            | Expr::Bits(a, _)
            | Expr::Reduce(_, a)
            | Expr::Load(_, _, a, _) => vec![a],
            Expr::Binary(_, a, b)
            | Expr::Compare(_, a, b)
            | Expr::ThreeWay(_, a, b, _)
            | Expr::Extract(a, b)
            | Expr::Shuffle(a, b, _) => vec![a, b],
            Expr::Ternary(_, a, b, c)
            | Expr::Select(a, b, c)
            | Expr::Branch(a, b, c)
            | Expr::Insert(a, b, c) => vec![a, b, c],
            Expr::Call { callee, arguments, .. } => {
                let index = match callee {
                    Callee::Indirect(index) => Some(&mut **index),
                    Callee::Direct(_) | Callee::Itself => None,
                };
                index.into_iter().chain(arguments).collect()
            }
        }
    }
}

impl Stmt {
    /// The expressions of the statement itself, for the reducer.
    pub fn expressions_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Stmt::Set(_, e)
            | Stmt::If(e, _, _)
            | Stmt::Loop(_, e, _)
            | Stmt::Switch(e, _)
            | Stmt::Break(e)
            | Stmt::Continue(e)
            | Stmt::Fill { value: e, .. } => vec![e],
            Stmt::Store(_, _, index, value) => vec![index, value],
            Stmt::Return(values) => values.iter_mut().collect(),
            Stmt::Copy { .. } => Vec::new(),
        }
    }

    /// The lists of statements inside.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::If(_, a, b) => vec![a, b],
            Stmt::Loop(_, _, body) => vec![body],
            Stmt::Switch(_, cases) => cases.iter_mut().collect(),
            _ => Vec::new(),
        }
    }
}
