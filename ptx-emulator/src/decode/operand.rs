//! The operands of instructions: registers, numbers, symbols, special registers.

use super::decoder::{RegisterClass, Result, Signature};
use super::function::{Entity, FunctionDecoder};
use super::modifiers::among;
use crate::instruction::{FALSE, Op, Reg, SINK, SpecialRegister, TRUE};
use crate::link::Global;
use crate::program::{Constant64, Symbol};
use crate::semantics::{LANES, Un32};
use crate::text::ast::Operand;
use crate::text::printable;
use crate::text::types::{Space, Type};

impl<'a> FunctionDecoder<'_, 'a> {
    /// The number of a predicate register.
    pub fn pred_register(&mut self, name: &'a str) -> Result<Reg> {
        match self.lookup(name)? {
            Some(Entity::Register(RegisterClass::Pred, _, reg)) => Ok(reg),
            _ => self.reject(format!("`{}` is not a predicate register", printable(name))),
        }
    }

    /// The number of a 32-bit register.
    pub fn b32_register(&mut self, name: &'a str) -> Result<Reg> {
        match self.lookup(name)? {
            Some(Entity::Register(RegisterClass::B32, ty, reg)) if ty.size() == 4 => Ok(reg),
            _ => self.reject(format!("`{}` is not a 32-bit register", printable(name))),
        }
    }

    /// A predicate operand that is not negated.
    pub fn pred(&mut self, operand: &'a Operand<'a>) -> Result<Reg> {
        match operand {
            Operand::Name("_", 0) => Ok(SINK),
            // Clusters are single blocks, and no launch asks for them.
            Operand::Name("%is_explicit_cluster", 0) => Ok(FALSE),
            Operand::Name(name, 0) => self.pred_register(name),
            Operand::Int(0) => Ok(FALSE),
            Operand::Int(_) => Ok(TRUE),
            _ => self.reject("expected a predicate"),
        }
    }

    /// A predicate operand and whether it is negated.
    pub fn pred_or_not(&mut self, operand: &'a Operand<'a>) -> Result<(Reg, bool)> {
        match operand {
            Operand::Not(name) => Ok((self.pred_register(name)?, true)),
            _ => Ok((self.pred(operand)?, false)),
        }
    }

    /// A predicate operand, negated if it is written so.
    pub fn pred_value(&mut self, operand: &'a Operand<'a>) -> Result<Reg> {
        let (reg, negated) = self.pred_or_not(operand)?;
        if !negated {
            return Ok(reg);
        }
        let temporary = self.temporary(RegisterClass::Pred)?;
        self.helper(Op::PredNot(temporary, reg))?;
        Ok(temporary)
    }

    /// A register by name: class, declared type, number.
    pub fn register(&mut self, operand: &'a Operand<'a>) -> Result<Option<(RegisterClass, Type, Reg)>> {
        match operand {
            Operand::Name(name, 0) => match self.lookup(name)? {
                Some(Entity::Register(class, ty, reg)) => Ok(Some((class, ty, reg))),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// A destination register that holds values of `ty`.
    pub fn dest(&mut self, operand: &'a Operand<'a>, ty: Type) -> Result<Reg> {
        if *operand == Operand::Name("_", 0) {
            return Ok(SINK);
        }
        match self.register(operand)? {
            Some((class, have, reg)) if Some(class) == RegisterClass::of(ty) && have.size() == ty.size() => {
                Ok(reg)
            }
            Some(_) => self.reject("the destination has the wrong size"),
            None => self.reject("the destination is not a register"),
        }
    }

    /// A source operand of at most 64 bits.
    pub fn value(&mut self, operand: &'a Operand<'a>, ty: Type) -> Result<Reg> {
        if ty.size() == 8 { self.value64(operand) } else { self.value32(operand, ty) }
    }

    /// A source operand of at most 32 bits.
    pub fn value32(&mut self, operand: &'a Operand<'a>, ty: Type) -> Result<Reg> {
        let mask = match ty.size() {
            1 | 2 => (1 << ty.bits()) - 1,
            4 => u32::MAX,
            _ => return self.reject("this type is not supported"),
        };
        match operand {
            Operand::Int(n) => self.constant32(*n as u32 & mask),
            Operand::F32(bits) => self.constant32(*bits),
            Operand::F64(bits) if ty == Type::F32 => {
                self.constant32((f64::from_bits(*bits) as f32).to_bits())
            }
            Operand::Name(name, 0) => match self.lookup(name)? {
                Some(Entity::Register(RegisterClass::B32, have, reg)) if have.size() == ty.size() => Ok(reg),
                Some(Entity::Register(..)) => {
                    self.reject(format!("`{}` has the wrong size", printable(name)))
                }
                _ if *name == "WARP_SZ" => self.constant32(LANES as u32),
                _ => match special(name) {
                    Some(special) => {
                        let temporary = self.temporary(RegisterClass::B32)?;
                        self.helper(Op::Special(special, temporary))?;
                        if ty.size() == 2 {
                            self.helper(Op::Un32(Un32::Zext16, temporary, temporary))?;
                        }
                        Ok(temporary)
                    }
                    None => self.reject(format!("`{}` is not a register of this size", printable(name))),
                },
            },
            _ => self.reject("this operand is not supported"),
        }
    }

    /// A register of 128 bits: the first of its two 64-bit registers, which holds the lower half.
    pub fn b128(&mut self, operand: &'a Operand<'a>) -> Result<Option<Reg>> {
        match operand {
            Operand::Name(name, 0) => match self.lookup(name)? {
                Some(Entity::B128(reg)) => Ok(Some(reg)),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// A source operand of 64 bits: register, number, or the address of a symbol in its own space.
    pub fn value64(&mut self, operand: &'a Operand<'a>) -> Result<Reg> {
        match operand {
            Operand::Int(n) => self.constant64(*n),
            Operand::F64(bits) => self.constant64(*bits),
            Operand::F32(bits) => self.constant64(f64::from(f32::from_bits(*bits)).to_bits()),
            Operand::Name(name, offset) => {
                if let Some(entity) = self.lookup(name)? {
                    return match entity {
                        Entity::Register(RegisterClass::B64, _, reg) if *offset == 0 => Ok(reg),
                        Entity::Register(..) | Entity::B128(_) => {
                            self.reject(format!("`{}` has the wrong size", printable(name)))
                        }
                        Entity::Frame(start, _) => {
                            let temporary = self.temporary(RegisterClass::B64)?;
                            let start = start.wrapping_add(*offset as u32);
                            self.helper(Op::FrameAddress(temporary, start))?;
                            Ok(temporary)
                        }
                        Entity::Kernel(start) => {
                            self.constant64(u64::from(start).wrapping_add(*offset as u64))
                        }
                        Entity::Shared(global) => self.symbol(global, *offset),
                    };
                }
                match self.decoder.name(name) {
                    Some(global) => self.symbol(global, *offset),
                    None => match special(name) {
                        Some(special) if *offset == 0 => {
                            let temporary = self.temporary(RegisterClass::B64)?;
                            self.helper(Op::Special64(special, temporary))?;
                            Ok(temporary)
                        }
                        _ => self.reject(format!("`{}` is not declared", printable(name))),
                    },
                }
            }
            _ => self.reject("this operand is not supported"),
        }
    }

    /// The address of a symbol in its own space, as a constant.
    fn symbol(&mut self, global: Global, offset: i64) -> Result<Reg> {
        let symbol = match global {
            Global::Shared { offset: start, end } => {
                let uses = &mut self.decoder.uses[self.number as usize];
                uses.shared_end = uses.shared_end.max(end);
                return self.constant64(u64::from(start).wrapping_add(offset as u64));
            }
            Global::Variable(number) => Symbol::Variable(number),
            Global::Function(number) => {
                // A function that no unit defines is an error as if it were called.
                if self.decoder.is_missing(number) {
                    self.note_call(number);
                }
                self.decoder.address_taken.push(number);
                Symbol::Function(number)
            }
        };
        self.decoder.constant64(Constant64 { symbol: Some(symbol), value: offset as u64 }, self.span.at)
    }

    pub fn constant32(&mut self, value: u32) -> Result<Reg> {
        self.decoder.constant32(value, self.span.at)
    }

    pub fn constant64(&mut self, value: u64) -> Result<Reg> {
        self.decoder.constant64(Constant64 { symbol: None, value }, self.span.at)
    }

    /// The name in an address operand: a register, frame offset, kernel parameter, or symbol.
    pub fn address_name(&mut self, name: &'a str) -> Result<NamedAddress> {
        match self.lookup(name)? {
            Some(Entity::Register(RegisterClass::B64, _, reg)) => return Ok(NamedAddress::Register(reg)),
            Some(Entity::Register(RegisterClass::B32, have, reg)) if have.size() == 4 => {
                let temporary = self.temporary(RegisterClass::B64)?;
                self.helper(Op::Widen(crate::semantics::Widen::Zext, temporary, reg))?;
                return Ok(NamedAddress::Register(temporary));
            }
            Some(Entity::Register(..) | Entity::B128(_)) => return self.reject("an address has 64 bits"),
            Some(Entity::Frame(offset, _)) => return Ok(NamedAddress::Frame(offset)),
            Some(Entity::Kernel(offset)) => return Ok(NamedAddress::Kernel(offset)),
            Some(Entity::Shared(global)) => {
                return Ok(NamedAddress::Symbol(self.symbol(global, 0)?, Space::Shared));
            }
            None => {}
        }
        match self.decoder.name(name) {
            Some(global) => {
                let space = match global {
                    Global::Shared { .. } => Space::Shared,
                    Global::Variable(_) => Space::Global,
                    Global::Function(_) => return self.reject("functions are not in memory"),
                };
                Ok(NamedAddress::Symbol(self.symbol(global, 0)?, space))
            }
            None => self.reject(format!("`{}` is not declared", printable(name))),
        }
    }

    /// The number of a function, if the name is one.
    pub fn function(&self, name: &str) -> Option<u32> {
        match self.decoder.name(name) {
            Some(Global::Function(number)) => Some(number),
            _ => None,
        }
    }

    /// Records a call, for the shared memory of kernels and for what must be defined.
    pub fn note_call(&mut self, callee: u32) {
        if self.decoder.is_missing(callee) {
            self.decoder.unresolved.entry(callee).or_insert((self.decoder.unit, self.span.at));
        }
        self.decoder.uses[self.number as usize].calls.push(callee);
    }

    /// As [`note_call`](Self::note_call), of a call through a pointer.
    pub fn note_indirect_call(&mut self, signature: Signature) {
        self.decoder.uses[self.number as usize].indirect.insert(signature);
    }

    /// Frame offset and size of a call argument or result.
    pub fn argument(&mut self, operand: &'a Operand<'a>) -> Result<Option<(u32, u32)>> {
        match operand {
            Operand::Name(name, 0) => match self.lookup(name)? {
                Some(Entity::Frame(offset, size)) => Ok(Some((offset, size))),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }
}

/// The base of an address operand.
pub(super) enum NamedAddress {
    Register(Reg),
    Frame(u32),
    Kernel(u32),
    /// A constant that holds an address in the space.
    Symbol(Reg, Space),
}

/// The register of an axis.
type ByAxis = fn(u8) -> SpecialRegister;

/// Special registers with components `.x`, `.y` and `.z`; `.w` exists, too, and is 0. A cluster is always a single block.
const TRIPLES: [(&str, ByAxis); 8] = [
    ("%tid", SpecialRegister::Tid),
    ("%ntid", SpecialRegister::Ntid),
    ("%ctaid", SpecialRegister::Ctaid),
    ("%nctaid", SpecialRegister::Nctaid),
    ("%clusterid", SpecialRegister::Ctaid),
    ("%nclusterid", SpecialRegister::Nctaid),
    ("%cluster_ctaid", |_| SpecialRegister::Zero),
    ("%cluster_nctaid", |_| SpecialRegister::One),
];

/// The special register of a name.
fn special(name: &str) -> Option<SpecialRegister> {
    if let Some((base, axis)) = name.split_once('.') {
        let (_, register) = TRIPLES.iter().find(|(known, _)| *known == base)?;
        return among(&[
            ("x", register(0)),
            ("y", register(1)),
            ("z", register(2)),
            ("w", SpecialRegister::Zero),
        ])(axis);
    }
    Some(match name {
        "%laneid" => SpecialRegister::LaneId,
        "%warpid" => SpecialRegister::WarpId,
        "%nwarpid" => SpecialRegister::NwarpId,
        "%smid" => SpecialRegister::SmId,
        "%nsmid" => SpecialRegister::NsmId,
        "%gridid" => SpecialRegister::GridId,
        "%lanemask_eq" => SpecialRegister::MaskEq,
        "%lanemask_lt" => SpecialRegister::MaskLt,
        "%lanemask_le" => SpecialRegister::MaskLe,
        "%lanemask_gt" => SpecialRegister::MaskGt,
        "%lanemask_ge" => SpecialRegister::MaskGe,
        "%clock" | "%clock64" => SpecialRegister::Clock,
        "%clock_hi" => SpecialRegister::ClockHigh,
        "%globaltimer" | "%globaltimer_lo" => SpecialRegister::GlobalTimer,
        "%globaltimer_hi" => SpecialRegister::GlobalTimerHigh,
        "%dynamic_smem_size" => SpecialRegister::DynamicShared,
        "%total_smem_size" | "%aggr_smem_size" => SpecialRegister::TotalShared,
        "%cluster_nctarank" => SpecialRegister::One,
        "%cluster_ctarank" | "%current_graph_exec" => SpecialRegister::Zero,
        // No shared memory is reserved for the system.
        "%reserved_smem_offset_begin" | "%reserved_smem_offset_end" | "%reserved_smem_offset_cap" => {
            SpecialRegister::Zero
        }
        "%reserved_smem_offset_0" | "%reserved_smem_offset_1" => SpecialRegister::Zero,
        "%envreg1" => SpecialRegister::MeetingHigh,
        "%envreg2" => SpecialRegister::MeetingLow,
        _ if name.strip_prefix("%envreg").is_some_and(|n| n.parse::<u32>().is_ok_and(|n| n < 32)) => {
            SpecialRegister::Zero
        }
        _ => return None,
    })
}
