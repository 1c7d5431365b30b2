//! Branches, calls, and the stack.

use super::decoder::{Operands, Result};
use super::function::FunctionDecoder;
use super::modifiers::Modifiers;
use crate::instruction::{Call, CallTarget, Op};
use crate::program::Param;
use crate::text::ast::{Operand, Variable};
use crate::text::types::Type;

impl<'a> FunctionDecoder<'_, 'a> {
    /// Decodes `name` if it changes the flow of control or the stack.
    pub(super) fn control(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: Operands<'a>,
    ) -> Result<Option<()>> {
        match name {
            "bra" => {
                mods.has("uni");
                let [Operand::Name(label, 0)] = operands else { return self.reject("expected a label") };
                self.branch(Op::Branch(0), &[label])?;
            }
            "brx" => {
                mods.has("uni");
                if !mods.has("idx") {
                    return self.reject("only `brx.idx` is supported");
                }
                let [index, Operand::Name(table, 0)] = operands else {
                    return self.reject("expected an index and branch targets");
                };
                let index = self.value32(index, Type::U32)?;
                let Some(labels) = self.targets(table) else {
                    return self.reject(format!("branch targets `{table}` do not exist"));
                };
                self.branch(Op::BranchIndex(index, Box::new([])), labels)?;
            }
            "call" => {
                mods.has("uni");
                self.call(operands)?;
            }
            "ret" => {
                mods.has("uni");
                self.arity::<0>(operands)?;
                self.emit(Op::Return)?;
            }
            "exit" => {
                self.arity::<0>(operands)?;
                self.emit(Op::Exit)?;
            }
            "trap" => self.emit(Op::Trap)?,
            "brkpt" => self.emit(Op::Breakpoint)?,
            // The clock counts instructions: how long does not matter.
            "nanosleep" => {
                mods.ty()?;
                self.emit(Op::Sleep)?;
            }
            "pmevent" => {
                let mask = mods.has("mask");
                let events = match self.arity(operands)? {
                    [Operand::Int(bits)] if mask && *bits < 1 << 16 => *bits as u16,
                    [Operand::Int(number)] if !mask && *number < 16 => 1 << number,
                    _ => return self.reject("expected an event from 0 to 15 or a mask of events"),
                };
                self.emit(Op::Event(events))?;
            }
            // A launch depends on no other, and the register file is not modelled: nothing to do.
            "griddepcontrol" => {
                if !mods.has("launch_dependents") && !mods.has("wait") {
                    return self.reject("this form is not supported");
                }
                self.arity::<0>(operands)?;
                self.emit(Op::Nop)?;
            }
            "setmaxnreg" => {
                let known = (mods.has("inc") || mods.has("dec")) && mods.has("sync") && mods.has("aligned");
                let [Operand::Int(_)] = operands else { return self.reject("expected a number") };
                if !known || mods.ty()? != Type::U32 {
                    return self.reject("this form is not supported");
                }
                self.emit(Op::Nop)?;
            }
            "alloca" => {
                if mods.ty()?.size() != 8 {
                    return self.reject("only 64-bit addresses are supported");
                }
                let (d, size, align) = match operands {
                    [d, size] => (d, size, 8),
                    [d, size, Operand::Int(align)] if align.is_power_of_two() && *align <= 16 => {
                        (d, size, *align as u32)
                    }
                    _ => return self.reject("the operands do not fit"),
                };
                let op = Op::Alloca(self.dest(d, Type::U64)?, self.value64(size)?, align);
                self.emit(op)?;
            }
            "stacksave" => {
                mods.ty()?;
                let [d] = self.arity(operands)?;
                let op = Op::StackSave(self.dest(d, Type::U64)?);
                self.emit(op)?;
            }
            "stackrestore" => {
                mods.ty()?;
                let [a] = self.arity(operands)?;
                let op = Op::StackRestore(self.value64(a)?);
                self.emit(op)?;
            }
            _ => return Ok(None),
        }
        Ok(Some(()))
    }

    /// `call (returns), target, (arguments), prototype;` where both lists and the prototype are optional.
    fn call(&mut self, operands: Operands<'a>) -> Result {
        let (returns, rest) = match operands {
            [Operand::List(list), rest @ ..] => (&list[..], rest),
            rest => (&[][..], rest),
        };
        let [Operand::Name(name, 0), rest @ ..] = rest else {
            return self.reject("the callee is missing");
        };
        let (arguments, rest) = match rest {
            [Operand::List(list), rest @ ..] => (&list[..], rest),
            rest => (&[][..], rest),
        };
        let callee = &operands[usize::from(matches!(operands[0], Operand::List(_)))];
        // A register may have the name of a function: the inner name takes precedence.
        let direct = if self.register(callee)?.is_some() { None } else { self.function(name) };
        let (target, sizes) = match direct {
            Some(number) => {
                let callee = &self.decoder.program.functions[number as usize];
                if callee.entry {
                    return self.reject("kernels cannot be called");
                }
                let sizes = |list: &[Param]| list.iter().map(|p| p.size).collect::<Vec<_>>();
                (CallTarget::Function(number), (sizes(&callee.returns), sizes(&callee.params)))
            }
            None => {
                let pointer = self.value64(callee)?;
                let [Operand::Name(prototype, 0)] = rest else {
                    return self.reject("an indirect call needs a prototype");
                };
                let Some(prototype) = self.prototype(prototype) else {
                    return self.reject(format!("prototype `{prototype}` does not exist"));
                };
                let sizes = |list: &[Variable<'_>]| list.iter().map(|p| p.size as u32).collect::<Vec<_>>();
                (CallTarget::Pointer(pointer), (sizes(&prototype.returns), sizes(&prototype.params)))
            }
        };
        if sizes.0.len() != returns.len() || sizes.1.len() != arguments.len() {
            return self.reject("the number of arguments is not that of the parameters");
        }
        let mut parameters = |list: &'a [Operand<'a>], sizes: Vec<u32>| {
            list.iter()
                .zip(sizes)
                .map(|(operand, size)| match self.argument(operand)? {
                    Some((offset, have)) if have == size => Ok((offset, size)),
                    Some((_, have)) => {
                        self.reject(format!("an argument of {have} bytes for a parameter of {size}"))
                    }
                    None => self.reject("arguments must be `.param` variables"),
                })
                .collect::<Result<Vec<_>>>()
        };
        let returns = parameters(returns, sizes.0)?;
        let arguments = parameters(arguments, sizes.1)?;
        let sizes = |list: &[(u32, u32)]| list.iter().map(|(_, size)| *size).collect();
        match target {
            CallTarget::Function(number) => self.note_call(number),
            CallTarget::Pointer(_) => self.note_indirect_call((sizes(&returns), sizes(&arguments))),
        }
        self.emit(Op::Call(Box::new(Call { target, arguments, returns })))
    }
}
