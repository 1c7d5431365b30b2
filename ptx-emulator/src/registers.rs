//! The registers that operations read and write, and the lanes that shuffles read.

use crate::instruction::{
    AddressBase, BarrierKind, CONSTANT, CallTarget, MatrixProduct, Op, Reg, SINK, ShuffleMode, SyncKind,
    VoteMode,
};
use crate::semantics::matrix::{Element, Matrix};

/// The class of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Class {
    B32,
    B64,
    Pred,
}

/// A register: its class, and its number there.
pub(crate) type Register = (Class, Reg);

impl MatrixProduct {
    /// The class of the registers of one of the matrices.
    pub fn class(&self, matrix: Matrix) -> Class {
        if self.shape.element(matrix) == Element::Double { Class::B64 } else { Class::B32 }
    }

    /// The registers that it reads.
    pub fn sources(&self) -> impl Iterator<Item = Register> {
        let all = [(Matrix::A, &self.a), (Matrix::B, &self.b), (Matrix::C, &self.c)];
        all.into_iter().flat_map(move |(matrix, regs)| regs.iter().map(move |&reg| (self.class(matrix), reg)))
    }

    /// The registers that it writes.
    pub fn results(&self) -> impl Iterator<Item = Register> {
        self.dest.iter().map(|&reg| (self.class(Matrix::C), reg))
    }
}

/// The destination and the sources of an operation on registers; `None` for any other.
pub(crate) fn operands(op: &Op) -> Option<(Register, [Option<Register>; 4])> {
    use Class::{B32, B64, Pred};
    let of = |dest: Register, sources: &[Register]| {
        let mut all = [None; 4];
        for (to, &source) in all.iter_mut().zip(sources) {
            *to = Some(source);
        }
        Some((dest, all))
    };
    match *op {
        Op::Un32(_, d, a) => of((B32, d), &[(B32, a)]),
        Op::Un64(_, d, a) => of((B64, d), &[(B64, a)]),
        Op::Widen(_, d, a) => of((B64, d), &[(B32, a)]),
        Op::Narrow(_, d, a) => of((B32, d), &[(B64, a)]),
        Op::Bin32(_, d, a, b) | Op::Carry32(_, d, a, b) => of((B32, d), &[(B32, a), (B32, b)]),
        Op::Bin64(_, d, a, b) | Op::Carry64(_, d, a, b) => of((B64, d), &[(B64, a), (B64, b)]),
        Op::Shift64(_, d, a, b) => of((B64, d), &[(B64, a), (B32, b)]),
        Op::Wide(_, d, a, b) => of((B64, d), &[(B32, a), (B32, b)]),
        Op::Tri32(_, d, a, b, c) => of((B32, d), &[(B32, a), (B32, b), (B32, c)]),
        Op::Tri64(_, d, a, b, c) => of((B64, d), &[(B64, a), (B64, b), (B64, c)]),
        Op::MadWide(_, d, a, b, c) => of((B64, d), &[(B32, a), (B32, b), (B64, c)]),
        Op::Quad32(_, d, ref s) => of((B32, d), &s.map(|s| (B32, s))),
        Op::Bfe64(_, d, a, b, c) => of((B64, d), &[(B64, a), (B32, b), (B32, c)]),
        Op::Bfi64(_, d, ref s) => of((B64, d), &[(B64, s[0]), (B64, s[1]), (B32, s[2]), (B32, s[3])]),
        Op::Float(ref float) => {
            let class = if float.arith.wide() { B64 } else { B32 };
            of((class, float.dest), &float.sources.map(|s| (class, s)))
        }
        Op::Cmp32(_, d, a, b) => of((Pred, d), &[(B32, a), (B32, b)]),
        Op::Cmp64(_, d, a, b) => of((Pred, d), &[(B64, a), (B64, b)]),
        Op::Sel32(d, a, b, p) => of((B32, d), &[(B32, a), (B32, b), (Pred, p)]),
        Op::Sel64(d, a, b, p) => of((B64, d), &[(B64, a), (B64, b), (Pred, p)]),
        Op::SelPred(d, a, b, p) => of((Pred, d), &[(Pred, a), (Pred, b), (Pred, p)]),
        Op::PredLogic(_, d, a, b) => of((Pred, d), &[(Pred, a), (Pred, b)]),
        Op::PredNot(d, a) | Op::PredMov(d, a) => of((Pred, d), &[(Pred, a)]),
        Op::Convert(ref convert, d, a) => {
            let class = |wide| if wide { B64 } else { B32 };
            of((class(convert.to.wide()), d), &[(class(convert.from.wide()), a)])
        }
        Op::Isspacep(_, p, a) => of((Pred, p), &[(B64, a)]),
        Op::FromGeneric(_, d, a) | Op::ToGeneric(_, d, a) => of((B64, d), &[(B64, a)]),
        _ => None,
    }
}

/// The registers whose values an operation uses.
pub(crate) fn used_registers(op: &Op) -> Vec<Register> {
    use Class::{B32, B64, Pred};
    let base = |base: AddressBase| match base {
        AddressBase::Reg(reg) => Some((B64, reg)),
        AddressBase::Frame | AddressBase::Kernel => None,
    };
    if let Some((_, sources)) = operands(op) {
        return sources.into_iter().flatten().collect();
    }
    match op {
        Op::Load(access) => base(access.address.base).into_iter().collect(),
        Op::Store(access) => {
            let class = if access.wide { B64 } else { B32 };
            let values = access.regs[..usize::from(access.count)].iter().map(|&reg| (class, reg));
            base(access.address.base).into_iter().chain(values).collect()
        }
        Op::Atomic(atomic) => {
            let class = if atomic.ty.size() < 8 { B32 } else { B64 };
            base(atomic.address.base).into_iter().chain([(class, atomic.a), (class, atomic.b)]).collect()
        }
        Op::BranchIndex(index, _) => vec![(B32, *index)],
        Op::Call(call) => match call.target {
            CallTarget::Pointer(reg) => vec![(B64, reg)],
            CallTarget::Function(_) => Vec::new(),
        },
        Op::Barrier(barrier) => {
            let count = barrier.count.map(|count| (B32, count));
            [(B32, barrier.id), (Pred, barrier.predicate)].into_iter().chain(count).collect()
        }
        Op::WarpSync(sync) => vec![(B32, sync.mask)],
        Op::Alloca(_, size, _) => vec![(B64, *size)],
        _ => Vec::new(),
    }
}

/// The registers that an operation writes.
pub(crate) fn written(op: &Op) -> Vec<Register> {
    use Class::{B32, B64, Pred};
    if let Some((dest, _)) = operands(op) {
        return vec![dest];
    }
    match op {
        Op::Load(access) => {
            let class = if access.wide { B64 } else { B32 };
            access.regs[..usize::from(access.count)].iter().map(|&reg| (class, reg)).collect()
        }
        Op::Atomic(atomic) if atomic.dest == SINK => Vec::new(),
        Op::Atomic(atomic) => match atomic.ty.size() {
            16 => vec![(B64, atomic.dest), (B64, atomic.dest + 1)],
            8 => vec![(B64, atomic.dest)],
            _ => vec![(B32, atomic.dest)],
        },
        Op::Special(_, d) | Op::Activemask(d) => vec![(B32, *d)],
        Op::Special64(_, d) | Op::FrameAddress(d, _) | Op::Alloca(d, ..) | Op::StackSave(d) => {
            vec![(B64, *d)]
        }
        Op::WarpSync(sync) => match sync.kind {
            SyncKind::Barrier => Vec::new(),
            SyncKind::Shuffle { dest, valid, .. } => vec![(B32, dest), (Pred, valid)],
            SyncKind::Vote { mode: VoteMode::Ballot, dest, .. } => vec![(B32, dest)],
            SyncKind::Vote { dest, .. } => vec![(Pred, dest)],
            SyncKind::Match { dest, valid, .. } => vec![(B32, dest), (Pred, valid)],
            SyncKind::Redux { dest, .. } => vec![(B32, dest)],
            SyncKind::Elect { dest, elected } => vec![(B32, dest), (Pred, elected)],
            SyncKind::Product(ref product) => product.results().collect(),
        },
        Op::Barrier(barrier) => match barrier.kind {
            BarrierKind::Popc => vec![(B32, barrier.dest)],
            BarrierKind::And | BarrierKind::Or => vec![(Pred, barrier.dest)],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The registers that an operation reads.
pub(crate) fn read(op: &Op) -> Vec<Register> {
    use Class::{B32, B64, Pred};
    let mut all = used_registers(op);
    match op {
        Op::WarpSync(sync) => match sync.kind {
            SyncKind::Barrier | SyncKind::Elect { .. } => {}
            SyncKind::Shuffle { value, lane, clamp, .. } => {
                all.extend([(B32, value), (B32, lane), (B32, clamp)])
            }
            SyncKind::Vote { value, .. } => all.push((Pred, value)),
            SyncKind::Match { wide, value, .. } => all.push((if wide { B64 } else { B32 }, value)),
            SyncKind::Redux { value, .. } => all.push((B32, value)),
            SyncKind::Product(ref product) => all.extend(product.sources()),
        },
        // A value of 128 bits has two registers.
        Op::Atomic(atomic) if atomic.ty.size() == 16 => {
            let values = [atomic.a, atomic.b].into_iter().filter(|reg| reg & CONSTANT == 0);
            all.extend(values.map(|reg| (B64, reg + 1)));
        }
        Op::StackRestore(from) => all.push((B64, *from)),
        _ => {}
    }
    all
}

/// The lane that `lane` reads, and whether that is inside the lane's segment; if not, the lane reads itself.
#[inline(always)]
pub(crate) fn shuffle_source(mode: ShuffleMode, lane: u32, by: u32, clamp: u32) -> (u32, bool) {
    let by = by & 31;
    let segment = clamp >> 8 & 31;
    let clamp = clamp & 31;
    let most = (lane & segment) | (clamp & !segment);
    let least = lane & segment;
    let (source, inside) = match mode {
        ShuffleMode::Up => (lane.wrapping_sub(by), lane as i32 - by as i32 >= most as i32),
        ShuffleMode::Down => (lane + by, lane + by <= most),
        ShuffleMode::Butterfly => (lane ^ by, (lane ^ by) <= most),
        ShuffleMode::Index => {
            let source = least | (by & !segment);
            (source, source <= most)
        }
    };
    if inside { (source & 31, true) } else { (lane, false) }
}
