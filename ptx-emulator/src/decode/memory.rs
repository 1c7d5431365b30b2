//! Loads, stores, atomics and fences.

use super::Class;
use super::function::Context;
use super::mods::Mods;
use super::operand::Named;
use crate::op::{Access, Address, Atomic, AtomicOp, Base, Op, Order, SINK, Scope};
use crate::semantics::Narrow;
use crate::text::SyntaxError;
use crate::text::ast::Operand;
use crate::text::types::{Space, Type};

impl<'a> Context<'_, 'a> {
    /// Decodes `name` if it accesses memory.
    pub(super) fn memory_access(
        &mut self,
        name: &str,
        mods: &mut Mods<'a>,
        operands: &'a [Operand<'a>],
    ) -> Result<Option<()>, SyntaxError> {
        match name {
            "ld" | "ldu" => self.load(mods, operands)?,
            "st" => self.store(mods, operands)?,
            "atom" | "red" => self.atomic(name, mods, operands)?,
            "fence" => {
                let order = mods.order().unwrap_or(Order::AcqRel);
                let Some(scope) = mods.scope() else { return self.refuse("the scope is missing") };
                self.emit(Op::Fence(order, scope))?;
            }
            "membar" => {
                let scope = mods.find(|p| match p {
                    "cta" => Some(Scope::Cta),
                    "gl" => Some(Scope::Gpu),
                    "sys" => Some(Scope::Sys),
                    _ => None,
                });
                let Some(scope) = scope else { return self.refuse("the scope is missing") };
                // PTX defines membar as fence.sc.
                self.emit(Op::Fence(Order::SeqCst, scope))?;
            }
            "prefetch" | "prefetchu" | "discard" | "applypriority" => {
                mods.find(Space::parse);
                mods.cache_hints();
                mods.find(|p| matches!(p, "L1" | "L2").then_some(()));
                self.emit(Op::Nop)?;
            }
            _ => return Ok(None),
        }
        Ok(Some(()))
    }

    /// An address operand in the space that the instruction names.
    fn address(&mut self, operand: &'a Operand<'a>, space: Option<Space>) -> Result<Address, SyntaxError> {
        let (name, offset) = match operand {
            Operand::Address(name, offset) => (*name, *offset),
            _ => return self.refuse("an address in brackets was expected"),
        };
        let space = space.unwrap_or(Space::Generic);
        let Some(name) = name else {
            let base = Base::Reg(self.constant64(0)?);
            return Ok(Address { space, base, offset });
        };
        Ok(match self.address_name(name)? {
            Named::Register(reg) => {
                // In a function, parameters are in its frame, and their addresses are local.
                let space = if space == Space::Param && !self.entry { Space::Local } else { space };
                Address { space, base: Base::Reg(reg), offset }
            }
            Named::Frame(start) if matches!(space, Space::Param | Space::Local) => Address {
                space: Space::Local,
                base: Base::Frame,
                offset: i64::from(start).wrapping_add(offset),
            },
            Named::Kernel(start) if space == Space::Param => {
                Address { space, base: Base::Kernel, offset: i64::from(start).wrapping_add(offset) }
            }
            // A symbol stands for its address in its own space.
            Named::Symbol(reg, own) => {
                let fits = own == space || (own == Space::Global && space == Space::Const);
                if !fits && space != Space::Generic {
                    return self.refuse("the symbol is in another space");
                }
                Address { space: own, base: Base::Reg(reg), offset }
            }
            _ => return self.refuse("the symbol is in another space"),
        })
    }

    /// The type and length of a load or store, and its qualifiers.
    fn access(&mut self, mods: &mut Mods<'a>, operand: &'a Operand<'a>) -> Result<Access, SyntaxError> {
        let order = mods.order().unwrap_or(Order::Weak);
        let scope = mods.scope().unwrap_or(if order == Order::Volatile { Scope::Sys } else { Scope::Gpu });
        let space = mods.find(Space::parse);
        mods.cache_hints();
        mods.has("unified");
        let count = mods.vector();
        let ty = mods.ty()?;
        if matches!(ty, Type::Pred | Type::B128) || ty.size() * u32::from(count) > 32 {
            return self.refuse("this type is not supported");
        }
        let address = self.address(operand, space)?;
        Ok(Access { address, ty, count, wide: false, extend: 4, order, scope, regs: [SINK; 8] })
    }

    /// The registers of a load or store: all of one class, at least as wide as the elements.
    fn elements(&mut self, operand: &'a Operand<'a>, count: u8) -> Result<&'a [Operand<'a>], SyntaxError> {
        let list = match operand {
            Operand::Vector(list) => &list[..],
            single => std::slice::from_ref(single),
        };
        if list.len() != usize::from(count) {
            return self.refuse("the vector has the wrong length");
        }
        Ok(list)
    }

    fn load(&mut self, mods: &mut Mods<'a>, operands: &'a [Operand<'a>]) -> Result<(), SyntaxError> {
        let [d, a] = self.arity(operands)?;
        let mut access = self.access(mods, a)?;
        let mut class = None;
        for (i, element) in self.elements(d, access.count)?.iter().enumerate() {
            if *element == Operand::Name("_", 0) {
                continue;
            }
            let Some((this, ty, reg)) = self.register(element)? else {
                return self.refuse("the destination is not a register");
            };
            if this == Class::Pred
                || ty.size() < access.ty.size()
                || class.is_some_and(|c| c != (this, ty.size()))
            {
                return self.refuse("the destination has the wrong size");
            }
            class = Some((this, ty.size()));
            access.regs[i] = reg;
        }
        let (class, size) = class.unwrap_or((Class::Word, 4));
        access.wide = class == Class::Double;
        access.extend = size as u8;
        self.emit(Op::Load(Box::new(access)))
    }

    fn store(&mut self, mods: &mut Mods<'a>, operands: &'a [Operand<'a>]) -> Result<(), SyntaxError> {
        let [a, s] = self.arity(operands)?;
        let mut access = self.access(mods, a)?;
        let ty = access.ty;
        let wide = ty.size() == 8;
        for (i, element) in self.elements(s, access.count)?.iter().enumerate() {
            access.regs[i] = match self.register(element)? {
                Some((Class::Double, _, reg)) if wide => reg,
                Some((Class::Word, have, reg)) if !wide && have.size() >= ty.size() => reg,
                Some((Class::Double, _, reg)) => {
                    let low = self.temporary(Class::Word)?;
                    self.helper(Op::Narrow(Narrow::Low, low, reg))?;
                    low
                }
                Some(_) => return self.refuse("the source has the wrong size"),
                None if wide => self.value64(element)?,
                None => self.value32(element, ty)?,
            };
        }
        access.wide = wide;
        self.emit(Op::Store(Box::new(access)))
    }

    fn atomic(
        &mut self,
        name: &str,
        mods: &mut Mods<'a>,
        operands: &'a [Operand<'a>],
    ) -> Result<(), SyntaxError> {
        let order = mods.order().unwrap_or(Order::Relaxed);
        let scope = mods.scope().unwrap_or(Scope::Gpu);
        let space = mods.find(Space::parse);
        mods.cache_hints();
        mods.has("noftz");
        let Some(operation) = mods.next(|p| Some(p.to_owned())) else {
            return self.refuse("the operation is missing");
        };
        let ty = mods.ty()?;
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
            ("exch", Type::B32 | Type::B64) => AtomicOp::Exchange,
            ("cas", Type::B16 | Type::B32 | Type::B64) => AtomicOp::Cas,
            _ => return self.refuse("this atomic operation is not supported"),
        };
        let (dest, address, values) = match (name, operands) {
            ("atom", [d, address, values @ ..]) => (self.dest(d, ty)?, address, values),
            ("red", [address, values @ ..]) => (SINK, address, values),
            _ => return self.refuse("the operands do not fit"),
        };
        if values.len() != if op == AtomicOp::Cas { 2 } else { 1 } {
            return self.refuse("the operands do not fit");
        }
        let mut value =
            |operand| if ty.size() == 8 { self.value64(operand) } else { self.value32(operand, ty) };
        let a = value(&values[0])?;
        let b = if op == AtomicOp::Cas { value(&values[1])? } else { a };
        let address = self.address(address, space)?;
        self.emit(Op::Atomic(Box::new(Atomic { address, op, ty, dest, a, b, order, scope })))
    }
}
