//! Syntax trees to instructions.

mod arithmetic;
mod bits;
mod body;
mod context;
mod control;
mod decoder;
mod memory;
mod modifiers;
mod moves;
mod operand;
mod program;
mod sources;
mod sync;

pub(crate) use program::decode;
