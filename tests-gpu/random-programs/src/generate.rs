//! Programs from a seed.

use crate::ast::{
    Access, Callee, Exchange, Expr, Function, Parameter, Passing, Program, Region, Scalar, Stmt, Ty,
};
use crate::print::{IN, ORDERS, THREADS};
use tests_gpu::random::random;

/// Reproducible choices.
pub struct Dice {
    words: Box<dyn Iterator<Item = u64>>,
    short_floats: bool,
}

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice { words: Box::new(random(seed)), short_floats: true }
    }

    pub fn word(&mut self) -> u64 {
        self.words.next().expect("the sequence has no end")
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.word()) * n as u128) >> 64) as usize
    }

    /// True `n` times out of `of`.
    pub fn chance(&mut self, n: usize, of: usize) -> bool {
        self.below(of) < n
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Bits of a number: often one at an edge, or a small one.
    fn bits(&mut self, scalar: Scalar) -> u128 {
        let width = scalar.bits();
        let all = u128::MAX >> (128 - width);
        let random = (u128::from(self.word()) << 64 | u128::from(self.word())) & all;
        if !scalar.is_int() {
            let (infinity, sign) = (scalar.infinity(), 1 << (width - 1));
            let quiet = infinity | 1 << (scalar.fraction_bits() - 1);
            let one = infinity >> (scalar.fraction_bits() + 1) << scalar.fraction_bits();
            let size = match self.below(12) {
                0 => 0,
                1 => 1,
                2 => infinity,
                3 => infinity - 1,
                4 => return quiet,
                5 => 1 << scalar.fraction_bits(),
                6 => one,
                7 => one + (random & 0xff),
                // A number near one in size, so that sums and products are not all infinite or zero.
                _ => one + (random & ((8 << scalar.fraction_bits()) - 1)) - (4 << scalar.fraction_bits()),
            };
            return size | if self.chance(1, 2) { sign } else { 0 };
        }
        match self.below(8) {
            0 => 0,
            1 => 1,
            2 => all,
            3 => all >> 1,
            4 => (all >> 1) + 1,
            5 => random & 15,
            _ => random,
        }
    }
}

/// The input of all threads of a program.
pub fn input(seed: u64) -> Vec<u8> {
    let mut dice = Dice::new(!seed);
    let scalars =
        [Scalar::Int(64), Scalar::Int(32), Scalar::Float, Scalar::Double, Scalar::Half, Scalar::Int(8)];
    let mut bytes = Vec::with_capacity(THREADS * IN);
    while bytes.len() < THREADS * IN {
        let scalar = dice.pick(&scalars);
        let size = scalar.bits() as usize / 8;
        for _ in 0..8 / size {
            bytes.extend_from_slice(&dice.bits(scalar).to_le_bytes()[..size]);
        }
    }
    bytes
}

/// What programs may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The oldest architecture they are for.
    pub sm: u32,
    /// Whether half and bfloat are among the types.
    pub short_floats: bool,
}

/// The program of a seed.
pub fn program(seed: u64, Dialect { sm, short_floats }: Dialect) -> Program {
    let mut dice = Dice::new(seed);
    dice.short_floats = short_floats;
    let phases = 1 + dice.below(3);
    let helpers = 1 + dice.below(3);
    let mut exchanges: Vec<Exchange> = Vec::new();
    for _ in 0..phases - dice.below(2) {
        exchanges.push(exchange(&mut dice, sm));
    }
    let constants = (0..8).map(|_| dice.bits(Scalar::Int(64)) as u64).collect();
    let mut functions = Vec::new();
    for n in 0..phases + helpers {
        let parameters = if n < phases { Vec::new() } else { parameters(&mut dice) };
        let results = match n {
            _ if n < phases => Vec::new(),
            _ if dice.chance(2, 3) => vec![ty(&mut dice)],
            _ => (0..2 + dice.below(2)).map(|_| ty(&mut dice)).collect(),
        };
        let inline = dice.chance(1, 2);
        functions.push(Function { parameters, results, locals: Vec::new(), body: Vec::new(), inline });
    }
    // A table: the last function, and others of its signature. Only functions before all of them use it.
    let mut table = Vec::new();
    if dice.chance(1, 3) {
        let last = functions.len() - 1;
        table = vec![last];
        for _ in 0..dice.pick(&[1, 3]) {
            table.push(functions.len());
            let signature = functions[last].clone();
            functions.push(signature);
        }
    }
    // From the last to the first, as the cost of calls must be known.
    let mut costs = vec![0; functions.len()];
    for n in (0..functions.len()).rev() {
        let mut g = Generator {
            dice: &mut dice,
            functions: &functions,
            table: &table,
            costs: &costs,
            number: n,
            locals: Vec::new(),
            counters: Vec::new(),
            inside: 0,
            times: 1,
            cost: 0,
            size: 0,
            recursed: false,
        };
        let (locals, body) = g.function(n < phases);
        costs[n] = g.cost.max(1);
        functions[n].locals = locals;
        functions[n].body = body;
    }
    Program { seed, functions, phases, exchanges, table, constants }
}

fn exchange(dice: &mut Dice, sm: u32) -> Exchange {
    let bits = dice.pick(&[8, 16, 32, 32, 32, 64, 64]);
    match dice.below(10) {
        0 | 1 => Exchange::Shuffle { mode: dice.below(4), width: dice.pick(&[32, 32, 16, 8, 2]) },
        2 => Exchange::Vote { mode: dice.below(4) },
        3 => Exchange::Match { all: dice.chance(1, 2), bits: dice.pick(&[32, 64]) },
        4 if sm >= 80 => Exchange::Redux { op: dice.below(8) },
        5 => Exchange::Swap { mode: dice.below(2), bits, shared: dice.chance(1, 2) },
        6 => Exchange::BarrierReduce { mode: dice.below(3) },
        7 | 8 => Exchange::Atomic {
            op: dice.below(9),
            bits,
            shared: dice.chance(1, 2),
            order: dice.below(ORDERS.len()),
            initial: dice.bits(Scalar::Int(64)) as u64,
        },
        _ => Exchange::Shared { sync: dice.below(16) },
    }
}

/// Any type.
fn ty(dice: &mut Dice) -> Ty {
    let scalar = match dice.below(32) {
        0 => Scalar::Int(1),
        1..=2 => Scalar::Int(8),
        3..=5 => Scalar::Int(16),
        6..=12 => Scalar::Int(32),
        13..=17 => Scalar::Int(64),
        18 => Scalar::Int(128),
        19 => Scalar::Int(dice.pick(&[2, 5, 7, 13, 24, 31, 33, 48, 63])),
        20..=22 if dice.short_floats => Scalar::Half,
        23 if dice.short_floats => Scalar::Bfloat,
        24..=28 => Scalar::Float,
        _ => Scalar::Double,
    };
    let narrow = scalar.bits() <= 64 && scalar.bits().is_power_of_two();
    let lanes = if narrow && dice.chance(1, 5) { if dice.chance(1, 4) { 4 } else { 2 } } else { 1 };
    Ty { scalar, lanes }
}

fn parameters(dice: &mut Dice) -> Vec<Parameter> {
    let mut list = Vec::new();
    for _ in 0..1 + dice.below(4) {
        let fields = match dice.chance(3, 4) {
            true => vec![ty(dice)],
            false => (0..2 + dice.below(3)).map(|_| ty(dice)).collect(),
        };
        // A type whose size in memory is not its size in bits stays out of memory.
        let memory = fields.iter().all(|ty| ty.in_memory());
        let passing = if memory && dice.chance(1, 4) { Passing::ByValue } else { Passing::Direct };
        list.push(Parameter { passing, fields });
    }
    list
}

/// The most expressions that one run of a function evaluates, roughly.
const MOST_COST: usize = 3000;
/// The most expressions of a function.
const MOST_SIZE: usize = 90;

struct Generator<'a> {
    dice: &'a mut Dice,
    functions: &'a [Function],
    table: &'a [usize],
    costs: &'a [usize],
    number: usize,
    locals: Vec<Ty>,
    /// Variables that loops around here count.
    counters: Vec<usize>,
    /// Statements around here.
    inside: usize,
    /// How often what is here runs, at most.
    times: usize,
    cost: usize,
    size: usize,
    recursed: bool,
}

impl Generator<'_> {
    fn function(&mut self, phase: bool) -> (Vec<Ty>, Vec<Stmt>) {
        let signature = &self.functions[self.number];
        self.locals = signature.parameters.iter().flat_map(|parameter| parameter.fields.clone()).collect();
        for _ in 0..3 + self.dice.below(4) {
            let ty = ty(self.dice);
            self.locals.push(ty);
        }
        self.locals.extend([Ty::I32; 3]);
        let count = 3 + self.dice.below(4);
        let mut body = self.statements(count);
        let results = signature.results.clone();
        if phase {
            for word in 0..2_u128 {
                let value = self.expr(Ty::I64, 3);
                let index = Expr::Const(Ty::I32, vec![word]);
                body.push(Stmt::Store(Region::Exchange, Access::Plain, index, value));
            }
            let at = Expr::Const(Ty::I32, vec![self.dice.below(16) as u128]);
            let value = self.expr(Ty::I64, 3);
            body.push(Stmt::Store(Region::Out, Access::Plain, at, value));
        } else {
            let values = results.iter().map(|ty| self.expr(*ty, 3)).collect();
            body.push(Stmt::Return(values));
        }
        (std::mem::take(&mut self.locals), body)
    }

    fn statements(&mut self, count: usize) -> Vec<Stmt> {
        (0..count).map(|_| self.statement()).collect()
    }

    /// A few statements inside another.
    fn body(&mut self) -> Vec<Stmt> {
        self.inside += 1;
        let count = 1 + self.dice.below(3);
        let body = self.statements(count);
        self.inside -= 1;
        body
    }

    fn set(&mut self) -> Stmt {
        let mut local = self.dice.below(self.locals.len());
        if self.counters.contains(&local) {
            local = 0;
            if self.counters.contains(&local) {
                return self.store();
            }
        }
        let e = self.expr(self.locals[local], 3);
        Stmt::Set(local, e)
    }

    fn store(&mut self) -> Stmt {
        let ty = self.memory_type();
        let region = self.dice.pick(&[Region::Out, Region::Out, Region::Private]);
        let access = self.access(ty, true);
        let index = self.expr(Ty::I32, 1);
        let value = self.expr(ty, 3);
        Stmt::Store(region, access, index, value)
    }

    fn statement(&mut self) -> Stmt {
        let nest = self.inside < 3 && self.size < MOST_SIZE;
        match self.dice.below(16) {
            0..=4 => self.set(),
            5..=7 => self.store(),
            8 | 9 if nest => {
                let condition = self.expr(Ty::BOOL, 2);
                let yes = self.body();
                let no = if self.dice.chance(1, 2) { self.body() } else { Vec::new() };
                Stmt::If(condition, yes, no)
            }
            10 | 11 if nest && self.counters.len() < 2 => {
                let count = self.expr(Ty::I32, 2);
                let free = (0..self.locals.len())
                    .rev()
                    .find(|local| self.locals[*local] == Ty::I32 && !self.counters.contains(local));
                let Some(local) = free else { return self.set() };
                self.counters.push(local);
                self.times *= 7;
                let body = self.body();
                self.times /= 7;
                self.counters.pop();
                Stmt::Loop(local, count, body)
            }
            12 if nest => {
                let e = self.expr(Ty::I32, 2);
                self.inside += 1;
                let cases = (0..2 + self.dice.below(6)).map(|_| vec![self.set()]).collect();
                self.inside -= 1;
                Stmt::Switch(e, cases)
            }
            13 if !self.counters.is_empty() => {
                let condition = self.expr(Ty::BOOL, 2);
                if self.dice.chance(1, 2) { Stmt::Break(condition) } else { Stmt::Continue(condition) }
            }
            14 if self.inside > 0 && self.dice.chance(1, 2) => {
                let results = self.functions[self.number].results.clone();
                Stmt::Return(results.iter().map(|ty| self.expr(*ty, 2)).collect())
            }
            15 => {
                let bytes = 1 + self.dice.below(16) as u32;
                let to = self.dice.pick(&[Region::Out, Region::Private]);
                let place = |dice: &mut Dice, region: Region| {
                    (region, dice.below((region.bytes() - bytes) as usize + 1) as u32)
                };
                let to = place(self.dice, to);
                if self.dice.chance(1, 2) {
                    let from = self.dice.pick(&[Region::In, Region::Private, Region::Out, Region::Table]);
                    return Stmt::Copy { to, from: place(self.dice, from), bytes };
                }
                Stmt::Fill { to, value: self.expr(Ty::int(8), 1), bytes }
            }
            _ => self.set(),
        }
    }

    /// A type that may lie in memory.
    fn memory_type(&mut self) -> Ty {
        loop {
            let ty = ty(self.dice);
            if ty.in_memory() && ty.bits() <= 128 {
                return ty;
            }
        }
    }

    fn access(&mut self, ty: Ty, store: bool) -> Access {
        let atomic = ty.lanes == 1 && ty.scalar.is_int() && ty.bits() <= 64;
        match self.dice.below(12) {
            0 => Access::Unaligned,
            1 => Access::Volatile,
            2 if atomic => Access::Atomic(self.dice.pick(&["unordered", "monotonic"])),
            3 if atomic => Access::Atomic(match (store, self.dice.chance(1, 3)) {
                (_, true) => "seq_cst",
                (true, false) => "release",
                (false, false) => "acquire",
            }),
            _ => Access::Plain,
        }
    }

    fn boxed(&mut self, ty: Ty, depth: usize) -> Box<Expr> {
        Box::new(self.expr(ty, depth))
    }

    fn expr(&mut self, ty: Ty, depth: usize) -> Expr {
        self.size += 1;
        self.cost += self.times;
        if depth == 0 || self.size > MOST_SIZE {
            return self.leaf(ty);
        }
        let d = depth - 1;
        match self.dice.below(20) {
            0 | 1 => self.leaf(ty),
            2 => {
                let lanes = if self.dice.chance(1, 2) { ty.lanes } else { 1 };
                let condition = Box::new(self.expr(Ty { lanes, ..Ty::BOOL }, d));
                Expr::Select(condition, self.boxed(ty, d), self.boxed(ty, d))
            }
            3 => Expr::Branch(self.boxed(Ty::BOOL, d), self.boxed(ty, d), self.boxed(ty, d)),
            4 | 5 => self.call(ty, d),
            6 if ty.in_memory() && ty.bits() <= 128 => self.load(ty, d),
            7 if ty.in_memory() => self.bits(ty, d),
            8 | 9 if ty.lanes > 1 => self.vector(ty, d),
            8 if ty.lanes == 1 && ty.in_memory() && ty.bits() <= 64 => {
                let of = Ty { lanes: self.dice.pick(&[2, 4]), ..ty };
                let reduce = ["add", "mul", "and", "or", "xor", "smin", "smax", "umin", "umax"];
                if ty.scalar.is_int() && self.dice.chance(1, 3) {
                    return Expr::Reduce(self.dice.pick(&reduce), self.boxed(of, d));
                }
                Expr::Extract(self.boxed(of, d), self.boxed(Ty::I32, d.min(1)))
            }
            _ if ty.scalar == Scalar::Int(1) => self.truth(ty, d),
            10..=13 if ty.scalar.is_int() => self.convert_to_int(ty, d),
            10..=12 => self.convert_to_float(ty, d),
            _ if ty.scalar.is_int() => self.integer(ty, d),
            _ => self.float(ty, d),
        }
    }

    fn leaf(&mut self, ty: Ty) -> Expr {
        let same: Vec<usize> = (0..self.locals.len()).filter(|local| self.locals[*local] == ty).collect();
        if !same.is_empty() && self.dice.chance(2, 3) {
            return Expr::Local(self.dice.pick(&same), ty);
        }
        if ty == Ty::I32 && self.dice.chance(1, 4) {
            return Expr::Thread;
        }
        if ty.in_memory() && ty.bits() <= 128 && self.dice.chance(1, 2) {
            return self.load(ty, 0);
        }
        Expr::Const(ty, (0..ty.lanes).map(|_| self.dice.bits(ty.scalar)).collect())
    }

    fn load(&mut self, ty: Ty, depth: usize) -> Expr {
        let regions = [
            Region::In,
            Region::In,
            Region::In,
            Region::Out,
            Region::Private,
            Region::Private,
            Region::Table,
            Region::Exchange,
        ];
        let region = self.dice.pick(&regions);
        let access = match region {
            // LLVM 22's back end fails at atomic loads of constants.
            Region::Table => Access::Plain,
            _ => self.access(ty, false),
        };
        let index = if depth == 0 {
            Expr::Const(Ty::I32, vec![self.dice.below(16) as u128])
        } else {
            self.expr(Ty::I32, depth.min(2) - 1)
        };
        Expr::Load(region, access, Box::new(index), ty)
    }

    /// The bits of another type of the same size.
    fn bits(&mut self, ty: Ty, depth: usize) -> Expr {
        let of = |scalar, lanes| Ty { scalar, lanes };
        let all = [
            Scalar::Int(8),
            Scalar::Int(16),
            Scalar::Int(32),
            Scalar::Int(64),
            Scalar::Half,
            Scalar::Bfloat,
            Scalar::Float,
            Scalar::Double,
        ];
        let fits: Vec<Ty> = all
            .into_iter()
            .flat_map(|scalar| [1, 2, 4].map(|lanes| of(scalar, lanes)))
            .filter(|other| other.bits() == ty.bits() && *other != ty)
            .filter(|other| self.dice.short_floats || other.scalar.is_int() || other.scalar.bits() > 16)
            .collect();
        if fits.is_empty() {
            return self.leaf(ty);
        }
        let from = self.dice.pick(&fits);
        Expr::Bits(self.boxed(from, depth), ty)
    }

    fn vector(&mut self, ty: Ty, d: usize) -> Expr {
        if self.dice.chance(1, 2) {
            let lanes = (0..ty.lanes).map(|_| self.dice.below(2 * ty.lanes as usize) as u32).collect();
            return Expr::Shuffle(self.boxed(ty, d), self.boxed(ty, d), lanes);
        }
        let index = match self.dice.chance(3, 4) {
            true => Expr::Const(Ty::I32, vec![self.dice.below(4) as u128]),
            false => self.expr(Ty::I32, 1),
        };
        Expr::Insert(self.boxed(ty, d), Box::new(index), self.boxed(ty.element(), d))
    }

    /// A number's type with the lanes of `like`; vectors are of types that vectors may have.
    fn scalar_like(&mut self, like: Ty) -> Ty {
        loop {
            let ty = ty(self.dice);
            let fits = ty.bits() / ty.lanes <= 64 && ty.scalar.bits().is_power_of_two();
            if like.lanes == 1 || fits {
                return like.of(ty.scalar);
            }
        }
    }

    fn truth(&mut self, ty: Ty, d: usize) -> Expr {
        match self.dice.below(6) {
            0 => {
                let op = self.dice.pick(&["and", "or", "xor"]);
                Expr::Binary(op, self.boxed(ty, d), self.boxed(ty, d))
            }
            1 => Expr::Unary("not", self.boxed(ty, d)),
            _ => {
                let of = self.scalar_like(ty);
                if of.scalar.is_int() {
                    let predicates = ["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"];
                    let predicate = self.dice.pick(&predicates);
                    return Expr::Compare(predicate, self.boxed(of, d), self.boxed(of, d));
                }
                if self.dice.chance(1, 6) {
                    // Quiet and signalling NaNs together: which one it is, is not specified.
                    let mask = (self.dice.below(256) as u32) << 2 | self.dice.pick(&[0, 3]);
                    return Expr::Class(mask, self.boxed(of, d));
                }
                let predicates = [
                    "oeq", "one", "olt", "ole", "ogt", "oge", "ord", "ueq", "une", "ult", "ule", "ugt",
                    "uge", "uno", "true", "false",
                ];
                let predicate = self.dice.pick(&predicates);
                Expr::Compare(predicate, self.boxed(of, d), self.boxed(of, d))
            }
        }
    }

    fn convert_to_int(&mut self, ty: Ty, d: usize) -> Expr {
        let of = self.scalar_like(ty);
        match of.scalar {
            Scalar::Int(bits) if bits > ty.scalar.bits() => Expr::Cast("trunc", self.boxed(of, d), ty),
            Scalar::Int(bits) if bits < ty.scalar.bits() => {
                let op = self.dice.pick(&["zext", "sext"]);
                Expr::Cast(op, self.boxed(of, d), ty)
            }
            Scalar::Int(_) if ty.scalar.bits() >= 8 => {
                let of = self.scalar_like(ty);
                if !of.scalar.is_int() {
                    return self.leaf(ty);
                }
                let op = self.dice.pick(&["scmp", "ucmp"]);
                Expr::ThreeWay(op, self.boxed(of, d), self.boxed(of, d), ty)
            }
            Scalar::Int(_) => self.leaf(ty),
            // There is no library on the device that converts wider ones.
            _ if ty.scalar.bits() <= 64 => {
                let op = self.dice.pick(&["fptosi", "fptoui"]);
                Expr::Cast(op, self.boxed(of, d), ty)
            }
            _ => self.leaf(ty),
        }
    }

    fn convert_to_float(&mut self, ty: Ty, d: usize) -> Expr {
        let of = self.scalar_like(ty);
        let (from, to) = (of.scalar.bits(), ty.scalar.bits());
        match of.scalar {
            // The host goes through float, which rounds twice where that is not exact.
            Scalar::Int(bits) if bits <= if ty.scalar == Scalar::Bfloat { 16 } else { 64 } => {
                let op = self.dice.pick(&["sitofp", "uitofp"]);
                Expr::Cast(op, self.boxed(of, d), ty)
            }
            Scalar::Int(_) => self.leaf(ty),
            _ if from > to => Expr::Cast("fptrunc", self.boxed(of, d), ty),
            _ if from < to => Expr::Cast("fpext", self.boxed(of, d), ty),
            _ => self.leaf(ty),
        }
    }

    fn integer(&mut self, ty: Ty, d: usize) -> Expr {
        let bits = ty.scalar.bits();
        let rare = self.dice.chance(1, 8);
        match self.dice.below(8) {
            0 => {
                let mut ops = vec!["ctpop", "ctlz", "cttz", "bitreverse", "abs", "neg", "not"];
                if bits.is_multiple_of(16) {
                    ops.extend(["bswap", "bswap"]);
                }
                Expr::Unary(self.dice.pick(&ops), self.boxed(ty, d))
            }
            1 => {
                let op = self.dice.pick(&["fshl", "fshr"]);
                Expr::Ternary(op, self.boxed(ty, d), self.boxed(ty, d), self.boxed(ty, d))
            }
            n => {
                let ops: &[&str] = match n {
                    2 if bits <= 64 || rare => &["udiv", "sdiv", "urem", "srem"],
                    3 if bits <= 64 && rare => &["sadd", "uadd", "ssub", "usub", "smul", "umul"],
                    3 => &["smin", "smax", "umin", "umax"],
                    4 if rare => &["sadd.sat", "uadd.sat", "ssub.sat", "usub.sat", "sshl.sat", "ushl.sat"],
                    4 | 5 => &["shl", "lshr", "ashr", "and", "or", "xor"],
                    _ => &["add", "sub", "mul", "and", "or", "xor"],
                };
                Expr::Binary(self.dice.pick(ops), self.boxed(ty, d), self.boxed(ty, d))
            }
        }
    }

    fn float(&mut self, ty: Ty, d: usize) -> Expr {
        match self.dice.below(6) {
            0 => {
                let ops = [
                    "sqrt",
                    "fabs",
                    "floor",
                    "ceil",
                    "trunc",
                    "rint",
                    "nearbyint",
                    "roundeven",
                    "round",
                    "fneg",
                ];
                Expr::Unary(self.dice.pick(&ops), self.boxed(ty, d))
            }
            // The host's fma of bfloat rounds twice.
            1 if ty.scalar != Scalar::Bfloat => {
                Expr::Ternary("fma", self.boxed(ty, d), self.boxed(ty, d), self.boxed(ty, d))
            }
            2 => {
                let op = self.dice.pick(&["minnum", "maxnum", "minimum", "maximum", "copysign"]);
                Expr::Binary(op, self.boxed(ty, d), self.boxed(ty, d))
            }
            _ => {
                let op = self.dice.pick(&["fadd", "fsub", "fmul", "fdiv"]);
                Expr::Binary(op, self.boxed(ty, d), self.boxed(ty, d))
            }
        }
    }

    /// A call of a function that returns the type, if there is one and its cost allows it.
    fn call(&mut self, ty: Ty, d: usize) -> Expr {
        let results = |f: usize| self.functions[f].results.iter().position(|result| *result == ty);
        let mut all: Vec<(Callee, usize, usize, usize)> = Vec::new();
        for f in self.number + 1..self.functions.len() {
            if let Some(field) = results(f) {
                all.push((Callee::Direct(f), f, field, self.costs[f]));
            }
        }
        if let Some(&first) = self.table.first()
            && self.number < first
            && let Some(field) = results(first)
        {
            let cost = self.table.iter().map(|f| self.costs[*f]).max().unwrap_or(0);
            for _ in 0..3 {
                all.push((Callee::Indirect(Box::new(Expr::Thread)), first, field, cost));
            }
        }
        if !self.recursed
            && self.times == 1
            && let Some(field) = results(self.number)
        {
            for _ in 0..3 {
                all.push((Callee::Itself, self.number, field, 0));
            }
        }
        all.retain(|(.., cost)| self.cost + self.times * cost <= MOST_COST);
        if all.is_empty() {
            // If no function returns the type, convert another function's result.
            return if ty.scalar.is_int() { self.convert_or_leaf(ty, d) } else { self.leaf(ty) };
        }
        let (mut callee, f, field, cost) = all.swap_remove(self.dice.below(all.len()));
        self.cost += self.times * cost;
        if let Callee::Itself = callee {
            self.recursed = true;
            self.cost *= 4;
        }
        if let Callee::Indirect(index) = &mut callee {
            **index = self.expr(Ty::I32, 1);
        }
        let fields: Vec<Ty> = self.functions[f].parameters.iter().flat_map(|p| p.fields.clone()).collect();
        let arguments = fields.into_iter().map(|ty| self.expr(ty, d.min(1))).collect();
        Expr::Call { callee, arguments, field, ty }
    }

    /// An integer from a call's result of another integer type.
    fn convert_or_leaf(&mut self, ty: Ty, d: usize) -> Expr {
        let returned: Vec<Ty> = self.functions[self.number + 1..]
            .iter()
            .flat_map(|f| f.results.clone())
            .filter(|other| other.lanes == 1 && other.scalar.is_int() && other.bits() != ty.bits())
            .collect();
        if ty.lanes > 1 || returned.is_empty() || d == 0 {
            return self.leaf(ty);
        }
        let of = self.dice.pick(&returned);
        let op = if of.bits() > ty.bits() { "trunc" } else { self.dice.pick(&["zext", "sext"]) };
        let value = self.call(of, d - 1);
        Expr::Cast(op, Box::new(value), ty)
    }
}
