//! Loads, stores, atomics and fences.

use super::decoder::{Operands, RegisterClass, Result};
use super::function::FunctionDecoder;
use super::modifiers::{Modifiers, among};
use super::operand::NamedAddress;
use crate::instruction::{Address, AddressBase, Atomic, AtomicOp, MemoryAccess, Op, Reg, SINK};
use crate::memory::{MemoryOrder, Scope};
use crate::semantics::general_float::{FloatArithmetic, FloatOp};
use crate::semantics::real::Format;
use crate::semantics::{Narrow, Un32, Un64};
use crate::text::ast::Operand;
use crate::text::types::{Space, Type};

impl<'a> FunctionDecoder<'_, 'a> {
    /// Decodes `name` if it accesses memory.
    pub(super) fn memory_access(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: Operands<'a>,
    ) -> Result<Option<()>> {
        match name {
            "ld" | "ldu" => self.load(name, mods, operands)?,
            "st" => self.store(mods, operands)?,
            "atom" | "red" => self.atomic(name, mods, operands)?,
            "fence" => self.fence(mods, operands)?,
            "membar" => {
                let scope = mods.find(among(&[("cta", Scope::Cta), ("gl", Scope::Gpu), ("sys", Scope::Sys)]));
                let Some(scope) = scope else { return self.reject("the scope is missing") };
                self.arity::<0>(operands)?;
                // PTX defines membar as fence.sc.
                self.emit(Op::Fence(MemoryOrder::SeqCst, scope))?;
            }
            "prefetch" | "prefetchu" | "discard" | "applypriority" => {
                let space = mods.find(Space::parse);
                let level = mods.find(|p| matches!(p, "L1" | "L2").then_some(())).is_some();
                let _ = level || mods.cache_hints();
                let address = match operands {
                    [address] if name.starts_with("prefetch") => address,
                    [address, Operand::Int(128)] if !name.starts_with("prefetch") => address,
                    _ => return self.reject("the operands do not fit"),
                };
                self.address(address, space)?;
                self.emit(Op::Nop)?;
            }
            "createpolicy" => self.cache_policy(mods, operands)?,
            "cp" => self.copy_async(mods, operands)?,
            "mapa" | "getctarank" => {
                mods.find(Space::parse);
                let ty = mods.ty()?;
                if !matches!(ty, Type::U32 | Type::U64) {
                    return self.unsupported_type();
                }
                // A cluster is one block: every address is the block's own, and its rank is 0.
                match (name, operands) {
                    ("mapa", [d, a, rank]) => {
                        self.value32(rank, Type::U32)?;
                        let op = if ty == Type::U64 {
                            Op::Un64(Un64::Mov, self.dest(d, ty)?, self.value64(a)?)
                        } else {
                            Op::Un32(Un32::Mov, self.dest(d, ty)?, self.value32(a, ty)?)
                        };
                        self.emit(op)?;
                    }
                    ("getctarank", [d, _]) => {
                        let op = Op::Un32(Un32::Mov, self.dest(d, Type::U32)?, self.constant32(0)?);
                        self.emit(op)?;
                    }
                    _ => return self.reject("the operands do not fit"),
                }
            }
            _ => return Ok(None),
        }
        Ok(Some(()))
    }

    fn fence(&mut self, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        let order = mods.order();
        if !matches!(
            order,
            None | Some(
                MemoryOrder::Acquire | MemoryOrder::Release | MemoryOrder::AcqRel | MemoryOrder::SeqCst
            )
        ) {
            return self.reject("a fence cannot have this memory order");
        }
        let shared = |p: &str| matches!(p, "shared::cta" | "shared::cluster" | "global").then_some(());
        if mods.has("proxy") {
            // There is only one proxy here, so a fence between proxies has nothing to do.
            let Some(kind) = mods.find(|p| match p {
                "alias" | "async" => Some(0),
                "tensormap::generic" => Some(1),
                "async::generic" => Some(2),
                _ => None,
            }) else {
                return self.reject("this proxy is not supported");
            };
            return match (kind, order, mods.scope(), operands) {
                (0, None, None, []) => {
                    mods.find(shared);
                    self.emit(Op::Nop)
                }
                (1, Some(MemoryOrder::Acquire), Some(scope), [address, Operand::Int(128)]) => {
                    self.address(address, None)?;
                    self.emit(Op::Fence(MemoryOrder::Acquire, scope))
                }
                (1, Some(MemoryOrder::Release), Some(scope), []) => {
                    self.emit(Op::Fence(MemoryOrder::Release, scope))
                }
                (2, Some(order @ (MemoryOrder::Acquire | MemoryOrder::Release)), Some(scope), []) => {
                    if mods.find(restriction).is_none() {
                        return self.reject("`.sync_restrict` is missing");
                    }
                    self.emit(Op::Fence(order, scope))
                }
                _ => self.reject("this form is not supported"),
            };
        }
        mods.has("mbarrier_init");
        mods.find(restriction);
        let Some(scope) = mods.scope() else { return self.reject("the scope is missing") };
        self.arity::<0>(operands)?;
        self.emit(Op::Fence(order.unwrap_or(MemoryOrder::AcqRel), scope))
    }

    /// A cache policy is a number that only cache hints use; it is 0 here.
    fn cache_policy(&mut self, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        let known = mods.has("fractional") || mods.has("range") || mods.has("cvt");
        mods.find(Space::parse);
        mods.has("L2");
        mods.cache_hints();
        let [d, ..] = operands else { return self.reject("the operands do not fit") };
        if !known || mods.ty()? != Type::B64 {
            return self.reject("this form is not supported");
        }
        let op = Op::Un64(Un64::Mov, self.dest(d, Type::B64)?, self.constant64(0)?);
        self.emit(op)
    }

    /// `cp.async`: the copy happens at once, which is one of the times at which it may happen, so waiting for
    /// it has nothing to do.
    fn copy_async(&mut self, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        if !mods.has("async") {
            return self.reject("this form is not supported");
        }
        if mods.has("commit_group") || mods.has("wait_all") {
            self.arity::<0>(operands)?;
            return self.emit(Op::Nop);
        }
        if mods.has("wait_group") {
            let [Operand::Int(_)] = operands else { return self.reject("expected a number") };
            return self.emit(Op::Nop);
        }
        let all = mods.has("ca");
        let spaces = (mods.find(Space::parse), mods.find(Space::parse));
        if !(all || mods.has("cg")) || spaces != (Some(Space::Shared), Some(Space::Global)) {
            return self.reject("this form is not supported");
        }
        let operands = self.without_policy(mods.cache_hints(), operands)?;
        let (to, from, size, take) = match operands {
            [to, from, Operand::Int(size)] => (to, from, *size, *size),
            [to, from, Operand::Int(size), Operand::Int(take)] => (to, from, *size, *take),
            _ => return self.reject("the sizes must be numbers"),
        };
        if !matches!(size, 4 | 8 | 16) || !all && size != 16 || take > size || take % 4 != 0 {
            return self.reject("this size is not supported");
        }
        let zero = self.constant32(0)?;
        let access = |address, bytes: u64, regs| MemoryAccess {
            address,
            ty: Type::B32,
            count: (bytes / 4) as u8,
            wide: false,
            extend: 4,
            order: MemoryOrder::Weak,
            scope: Scope::Gpu,
            regs,
        };
        let mut regs = [SINK; 8];
        let (to, from) = (self.address(to, Some(Space::Shared))?, self.address(from, Some(Space::Global))?);
        for reg in &mut regs[..take as usize / 4] {
            *reg = self.temporary(RegisterClass::B32)?;
        }
        // Three words are two loads.
        let parts = if take == 12 { &[8u64, 4][..] } else { &[take][..] };
        let mut done = 0u64;
        for &part in parts.iter().filter(|&&part| part != 0) {
            let mut some = [SINK; 8];
            some[..part as usize / 4].copy_from_slice(&regs[done as usize / 4..(done + part) as usize / 4]);
            let from = Address { offset: from.offset.wrapping_add(done as i64), ..from };
            self.helper(Op::Load(Box::new(access(from, part, some))))?;
            done += part;
        }
        regs[take as usize / 4..size as usize / 4].fill(zero);
        self.emit(Op::Store(Box::new(access(to, size, regs))))
    }

    /// The operands without the cache policy at their end, which must be a 64-bit value.
    fn without_policy(&mut self, policy: bool, operands: Operands<'a>) -> Result<Operands<'a>> {
        match operands {
            all if !policy => Ok(all),
            [rest @ .., policy] => self.value64(policy).map(|_| rest),
            [] => self.reject("the cache policy is missing"),
        }
    }

    /// An address operand in the space that the instruction names.
    pub(super) fn address(&mut self, operand: &'a Operand<'a>, space: Option<Space>) -> Result<Address> {
        let (name, offset) = match operand {
            Operand::Address(name, offset) => (*name, *offset),
            _ => return self.reject("expected an address in brackets"),
        };
        let space = space.unwrap_or(Space::Generic);
        let Some(name) = name else {
            let base = AddressBase::Reg(self.constant64(0)?);
            return Ok(Address { space, base, offset });
        };
        Ok(match self.address_name(name)? {
            NamedAddress::Register(reg) => {
                // In a function, parameters are in its frame, and their addresses are local.
                let space = if space == Space::Param && !self.entry { Space::Local } else { space };
                Address { space, base: AddressBase::Reg(reg), offset }
            }
            NamedAddress::Frame(start) if matches!(space, Space::Param | Space::Local) => Address {
                space: Space::Local,
                base: AddressBase::Frame,
                offset: i64::from(start).wrapping_add(offset),
            },
            NamedAddress::Kernel(start) if space == Space::Param => {
                Address { space, base: AddressBase::Kernel, offset: i64::from(start).wrapping_add(offset) }
            }
            // The value of a symbol is its address in its own space.
            NamedAddress::Symbol(reg, symbol_space) => {
                let fits = symbol_space == space || (symbol_space == Space::Global && space == Space::Const);
                if !fits && space != Space::Generic {
                    return self.reject("the symbol is in another space");
                }
                Address { space: symbol_space, base: AddressBase::Reg(reg), offset }
            }
            _ => return self.reject("the symbol is in another space"),
        })
    }

    /// The type and length of a load or store, its qualifiers, and the operands without a cache policy.
    fn access<const N: usize>(
        &mut self,
        mods: &mut Modifiers<'a>,
        operands: Operands<'a>,
        orders: [MemoryOrder; 4],
        address: usize,
    ) -> Result<(MemoryAccess, &'a [Operand<'a>; N])> {
        let order = mods.order().unwrap_or(MemoryOrder::Weak);
        let scope = mods.scope();
        let mmio = mods.has("mmio");
        let communicates = !matches!(order, MemoryOrder::Weak | MemoryOrder::Volatile);
        if !orders.contains(&order)
            || scope.is_some() != communicates
            || mmio && order != MemoryOrder::Relaxed
        {
            return self.reject("this memory order is not supported here");
        }
        let scope = scope.unwrap_or(if order == MemoryOrder::Volatile { Scope::Sys } else { Scope::Gpu });
        let space = mods.find(Space::parse);
        let operands = self.without_policy(mods.cache_hints(), operands)?;
        let mut count = mods.vector();
        let mut ty = mods.ty()?;
        if ty == Type::B128 {
            // As two elements of 64 bits.
            (ty, count) = (Type::B64, 2 * count);
        }
        if ty == Type::Pred || ty.size() * u32::from(count) > 32 {
            return self.unsupported_type();
        }
        let operands: &[Operand; N] = self.arity(operands)?;
        let address = self.address(&operands[address], space)?;
        let access =
            MemoryAccess { address, ty, count, wide: false, extend: 4, order, scope, regs: [SINK; 8] };
        Ok((access, operands))
    }

    /// Sets the registers of an access to 128-bit registers, as elements of 64 bits. Returns false if the
    /// operand is none.
    fn b128_elements(&mut self, operand: &'a Operand<'a>, access: &mut MemoryAccess) -> Result<bool> {
        let list = match operand {
            Operand::Vector(list) => &list[..],
            single => std::slice::from_ref(single),
        };
        let mut regs = Vec::new();
        for element in list {
            match self.b128(element)? {
                Some(low) => regs.extend([low, low + 1]),
                None => return Ok(false),
            }
        }
        if access.ty != Type::B64 || regs.len() != usize::from(access.count) {
            return self.reject("the registers have the wrong size");
        }
        access.regs[..regs.len()].copy_from_slice(&regs);
        (access.wide, access.extend) = (true, 8);
        Ok(true)
    }

    /// The registers of a load or store: all of one class, at least as wide as the elements.
    fn elements(&mut self, operand: &'a Operand<'a>, count: u8) -> Result<Operands<'a>> {
        let list = match operand {
            Operand::Vector(list) => &list[..],
            single => std::slice::from_ref(single),
        };
        if list.len() != usize::from(count) {
            return self.reject("the vector has the wrong length");
        }
        Ok(list)
    }

    fn load(&mut self, name: &str, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        let orders = match name {
            "ldu" => [MemoryOrder::Weak; 4],
            _ => [MemoryOrder::Weak, MemoryOrder::Volatile, MemoryOrder::Relaxed, MemoryOrder::Acquire],
        };
        let (mut access, [d, _]) = self.access(mods, operands, orders, 1)?;
        if self.b128_elements(d, &mut access)? {
            return self.emit(Op::Load(Box::new(access)));
        }
        let mut class = None;
        for (i, element) in self.elements(d, access.count)?.iter().enumerate() {
            if *element == Operand::Name("_", 0) {
                continue;
            }
            let Some((this, ty, reg)) = self.register(element)? else {
                return self.reject("the destination is not a register");
            };
            if this == RegisterClass::Pred
                || ty.size() < access.ty.size()
                || class.is_some_and(|c| c != (this, ty.size()))
            {
                return self.reject("the destination has the wrong size");
            }
            class = Some((this, ty.size()));
            access.regs[i] = reg;
        }
        let (class, size) = class.unwrap_or((RegisterClass::B32, 4));
        access.wide = class == RegisterClass::B64;
        access.extend = size as u8;
        self.emit(Op::Load(Box::new(access)))
    }

    fn store(&mut self, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        let orders = [MemoryOrder::Weak, MemoryOrder::Volatile, MemoryOrder::Relaxed, MemoryOrder::Release];
        let (mut access, [_, s]) = self.access(mods, operands, orders, 0)?;
        if self.b128_elements(s, &mut access)? {
            return self.emit(Op::Store(Box::new(access)));
        }
        let ty = access.ty;
        let wide = ty.size() == 8;
        for (i, element) in self.elements(s, access.count)?.iter().enumerate() {
            access.regs[i] = match self.register(element)? {
                Some((RegisterClass::B64, _, reg)) if wide => reg,
                Some((RegisterClass::B32, have, reg)) if !wide && have.size() >= ty.size() => reg,
                Some((RegisterClass::B64, _, reg)) => {
                    let low = self.temporary(RegisterClass::B32)?;
                    self.helper(Op::Narrow(Narrow::Low, low, reg))?;
                    low
                }
                Some(_) => return self.reject("the source has the wrong size"),
                None => self.value(element, ty)?,
            };
        }
        access.wide = wide;
        self.emit(Op::Store(Box::new(access)))
    }

    fn atomic(&mut self, name: &str, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        let order = mods.order().unwrap_or(MemoryOrder::Relaxed);
        if !matches!(
            order,
            MemoryOrder::Relaxed | MemoryOrder::Acquire | MemoryOrder::Release | MemoryOrder::AcqRel
        ) {
            return self.reject("this memory order is not supported here");
        }
        let scope = mods.scope().unwrap_or(Scope::Gpu);
        let space = mods.find(Space::parse);
        let operands = self.without_policy(mods.cache_hints(), operands)?;
        let unflushed = mods.has("noftz");
        let count = mods.vector();
        let Some(operation) = mods.next(|p| Some(p.to_owned())) else {
            return self.reject("the operation is missing");
        };
        let ty = mods.ty()?;
        let half = matches!(ty, Type::F16 | Type::F16x2 | Type::Bf16 | Type::Bf16x2);
        let op = match (operation.as_str(), ty) {
            ("add", Type::U32 | Type::S32 | Type::U64 | Type::S64) => AtomicOp::Add,
            ("add", Type::F32 | Type::F64) => AtomicOp::AddF,
            ("inc", Type::U32) => AtomicOp::Inc,
            ("dec", Type::U32) => AtomicOp::Dec,
            ("and", Type::B32 | Type::B64) => AtomicOp::And,
            ("or", Type::B32 | Type::B64) => AtomicOp::Or,
            ("xor", Type::B32 | Type::B64) => AtomicOp::Xor,
            ("min", Type::U32 | Type::U64) => AtomicOp::MinU,
            ("max", Type::U32 | Type::U64) => AtomicOp::MaxU,
            ("min", Type::S32 | Type::S64) => AtomicOp::MinS,
            ("max", Type::S32 | Type::S64) => AtomicOp::MaxS,
            ("exch", Type::B32 | Type::B64 | Type::B128) if name == "atom" => AtomicOp::Exchange,
            ("cas", Type::B16 | Type::B32 | Type::B64 | Type::B128) if name == "atom" => AtomicOp::Cas,
            ("add" | "min" | "max", _) if half => {
                let Some((format, parts)) = Format::of(ty) else { return self.unsupported_type() };
                let op = match operation.as_str() {
                    "add" => FloatOp::Add,
                    "min" => FloatOp::Min,
                    _ => FloatOp::Max,
                };
                AtomicOp::Float(FloatArithmetic::plain(op, format, parts))
            }
            _ => return self.reject("this atomic operation is not supported"),
        };
        if unflushed && !half {
            return self.reject("`.noftz` is not supported here");
        }
        let (dest, address, values) = match (name, operands) {
            ("atom", [d, address, values @ ..]) => (Some(d), address, values),
            ("red", [address, values @ ..]) => (None, address, values),
            _ => return self.reject("the operands do not fit"),
        };
        if values.len() != if op == AtomicOp::Cas { 2 } else { 1 } {
            return self.reject("the operands do not fit");
        }
        let address = self.address(address, space)?;
        let align = (ty.size() * u32::from(count)) as u8;
        let atomic = Atomic { address, align, op, ty, dest: SINK, a: 0, b: 0, order, scope };
        if count > 1 {
            let float = half || op == AtomicOp::AddF && ty == Type::F32;
            if !float || align > 16 {
                return self.unsupported_type();
            }
            return self.vector_atomic(atomic, count, dest, &values[0]);
        }
        if half && operation != "add" {
            return self.reject("this atomic operation exists for vectors only");
        }
        let (dest, a) = (dest.map_or(Ok(SINK), |d| self.dest_or_b128(d, ty))?, self.operand(&values[0], ty)?);
        let b = if op == AtomicOp::Cas { self.operand(&values[1], ty)? } else { a };
        self.emit(Op::Atomic(Box::new(Atomic { dest, a, b, ..atomic })))
    }

    /// A vector atomic: each element is an atomic of its own, as the architecture defines. No result is
    /// written before all operands are read.
    fn vector_atomic(
        &mut self,
        atomic: Atomic,
        count: u8,
        dest: Option<&'a Operand<'a>>,
        values: &'a Operand<'a>,
    ) -> Result {
        let values = self.elements(values, count)?;
        let dests = dest.map(|d| self.elements(d, count)).transpose()?;
        let mut moves = Vec::new();
        let counted = self.counted;
        for (i, value) in values.iter().enumerate() {
            let a = self.value32(value, atomic.ty)?;
            let offset = atomic.address.offset.wrapping_add(i as i64 * i64::from(atomic.ty.size()));
            let mut element =
                Atomic { a, b: a, address: Address { offset, ..atomic.address }, ..atomic.clone() };
            // The first element is aligned like the vector.
            if i > 0 {
                element.align = atomic.ty.size() as u8;
            }
            if let Some(dests) = dests {
                let dest = self.dest(&dests[i], atomic.ty)?;
                element.dest = self.temporary(RegisterClass::B32)?;
                moves.push((dest, element.dest));
            }
            self.emit(Op::Atomic(Box::new(element)))?;
            self.counted = false;
        }
        self.counted = counted;
        for (dest, old) in moves {
            self.helper(Op::Un32(Un32::Mov, dest, old))?;
        }
        Ok(())
    }

    /// An operand of any size.
    fn operand(&mut self, operand: &'a Operand<'a>, ty: Type) -> Result<Reg> {
        match ty.size() {
            16 => match self.b128(operand)? {
                Some(low) => Ok(low),
                None => self.reject("expected a register of 128 bits"),
            },
            _ => self.value(operand, ty),
        }
    }

    fn dest_or_b128(&mut self, operand: &'a Operand<'a>, ty: Type) -> Result<Reg> {
        if ty == Type::B128 { self.operand(operand, ty) } else { self.dest(operand, ty) }
    }
}

/// `.sync_restrict`, which limits what a fence orders.
fn restriction(part: &str) -> Option<()> {
    matches!(part, "sync_restrict::shared::cta" | "sync_restrict::shared::cluster").then_some(())
}
