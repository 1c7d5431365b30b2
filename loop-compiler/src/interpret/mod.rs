//! The interpreter: executes a region over a [`Memory`], and tells an observer of every access.
//!
//! It is the oracle of what a tree means: C's arithmetic exactly (see [`Value`]), and an error with its place for
//! what C leaves undefined: subscripts outside of an array, values that were never set, division by 0. Parallel
//! loops are executed in order or, with [`Order::Interleaved`], with their iterations interleaved at random at every
//! access of memory, and a log of all accesses that finds races whether or not they changed a result.
//!
//! | file | what is in it |
//! |---|---|
//! | `value` | values, arithmetic, conversions, cells |
//! | `slots`, `memory` | which memory a region needs; the memory |
//! | `code` | a region to instructions |
//! | `races` | the log that finds races |
//! | `machine` | executes instructions; tasks of parallel iterations |

mod code;
mod machine;
mod memory;
mod races;
mod slots;
mod value;

#[cfg(test)]
mod tests;

use crate::located::Located;
use crate::tree::{Loop, Node, Reference, Region, VariableId};

pub use memory::{Cells, Memory, Sizes};
pub use value::Value;

/// How to execute a region, and within which limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The order of parallel iterations.
    pub order: Order,
    /// Instructions of the interpreter, some ten for a statement.
    pub steps: u64,
    /// Bytes of memory, logs included.
    pub memory: u64,
}

impl Default for Options {
    /// In order, 100 million steps, 256 MiB.
    fn default() -> Options {
        Options { order: Order::Sequential, steps: 100_000_000, memory: 256 << 20 }
    }
}

/// The order of the iterations of parallel loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// One after the other, as if the loops were not parallel.
    Sequential,
    /// At random, from this seed: up to 64 iterations of a loop at a time, another one after each access of memory.
    /// A race is an error.
    Interleaved(u64),
}

/// What an execution took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Instructions of the interpreter.
    pub steps: u64,
    /// Operators and calls that compute values: those in expressions, of updates and of reductions. Conversions,
    /// `?:`, `&&` and `||` are none.
    pub operations: u64,
    /// Operators and calls in subscripts, extents and the headers of loops.
    pub address_operations: u64,
    /// Cells read.
    pub loads: u64,
    /// Cells written.
    pub stores: u64,
    /// The most bytes that private memory had at a time.
    pub private_bytes: u64,
}

/// A cell is read or written.
#[derive(Debug)]
pub struct Access<'t, 'a> {
    /// The node that does it: a statement, a guard (its condition), a loop (its header), a declaration, private
    /// memory (its extents) or the reduction of a dimension.
    pub node: &'t Node,
    /// The reference; none if a declaration sets its variable, and none of the cells that the reduction of a
    /// dimension goes through.
    pub reference: Option<&'t Reference>,
    /// The variable of the cell.
    pub variable: VariableId,
    /// The members that lead to the cell.
    pub members: &'a [String],
    /// The values of all subscripts.
    pub subscripts: &'a [i64],
    /// Whether it is written.
    pub write: bool,
    /// The loops around the node and the values of their iterators, the outermost first.
    pub iterators: &'a [(&'t Loop, i128)],
}

/// Is told of each access, in the order of the program: in a statement the reads of the target's subscripts, then
/// of the value, then, in updates and reductions, of the target, then the write. Both sides of a loop's comparison
/// are told each time that it is evaluated. Values of iterators are no accesses.
pub type Observer<'t, 'o> = dyn FnMut(&Access<'t, '_>) + 'o;

/// Executes a region.
///
/// # Errors
///
/// What C does not define, an exceeded limit, a race, or a tree that [`crate::verify::verify`] would not let
/// through. The memory is then as the execution left it.
pub fn run(region: &Region, memory: &mut Memory, options: &Options) -> Result<Counts, Located> {
    observe(region, memory, options, &mut |_| {})
}

/// Executes a region, and tells the observer of each access.
///
/// # Errors
///
/// As [`run`].
pub fn observe<'t>(
    region: &'t Region,
    memory: &mut Memory,
    options: &Options,
    observer: &mut Observer<'t, '_>,
) -> Result<Counts, Located> {
    let interleaved = matches!(options.order, Order::Interleaved(_));
    let code = code::region(region, interleaved)?;
    machine::execute(region, &code, memory, options, observer)
}
