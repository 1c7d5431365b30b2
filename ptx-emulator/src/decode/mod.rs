//! Syntax trees to instructions.

mod arithmetic;
mod bits;
mod body;
mod compare;
mod context;
mod control;
mod convert;
mod decoder;
mod forms;
mod memory;
mod modifiers;
mod moves;
mod operand;
mod program;
mod sources;
mod sync;

pub(crate) use program::decode;
