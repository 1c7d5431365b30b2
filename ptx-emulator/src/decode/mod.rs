//! Syntax trees to instructions.
//!
//! | file | what it holds |
//! |---|---|
//! | `modifiers` | the dotted parts of an opcode |
//! | `sources` | source positions from `.file` and `.loc` |
//! | `decoder` | the state of the program: code, constants, names |
//! | `function` | the state of a function: scopes, registers, labels |
//! | `operand` | operands |
//! | `forms` | the table of instructions that are one operation on registers |
//! | `arithmetic`, `bits`, `moves`, `convert`, `compare`, `memory`, `control`, `sync`, `matrix` | the instructions |
//! | `body` | the statements of a function |
//! | `program` | all functions, then the descriptions of the kernels |

mod arithmetic;
mod bits;
mod body;
mod compare;
mod control;
mod convert;
mod decoder;
mod forms;
mod function;
mod matrix;
mod memory;
mod modifiers;
mod moves;
mod operand;
mod program;
mod sources;
mod sync;

pub(crate) use program::decode;
