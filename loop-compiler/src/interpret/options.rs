//! Options and counts of an execution, and what an observer is told.

use crate::ir::{Loop, Node, Reference, VariableId};

/// How to execute a region, and within which limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The order of parallel iterations.
    pub order: IterationOrder,
    /// Instructions of the interpreter, some ten for a statement.
    pub steps: u64,
    /// Bytes of memory, logs included.
    pub memory: u64,
    /// Whether functions that have no value here are taken to return 0, for who asks for accesses only; otherwise a call of
    /// one is an error.
    pub unknown_calls: bool,
}

impl Default for Options {
    /// In order, 100 million steps, 256 MiB.
    fn default() -> Options {
        Options {
            order: IterationOrder::Sequential,
            steps: 100_000_000,
            memory: 256 << 20,
            unknown_calls: false,
        }
    }
}

/// The order of the iterations of parallel loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IterationOrder {
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
    /// Of the operations, comparisons.
    pub comparisons: u64,
    /// Operators and calls in subscripts, extents and the headers of loops.
    pub address_operations: u64,
    /// Cells read.
    pub loads: u64,
    /// Cells written.
    pub stores: u64,
    /// Statements of loops over the lanes of a vector that compute something, once for each execution of the loop.
    pub vector_operations: u64,
    /// Lists of elements, such as the lanes of a vector, that the reduction of a dimension has combined.
    pub reduced_lists: u64,
    /// Tiles that were filled by rows, to be read by columns.
    pub transposed_tiles: u64,
    /// The most bytes that private memory had at a time.
    pub private_bytes: u64,
    /// Calls of functions that have no value, see [`Options::unknown_calls`].
    pub unknown_calls: u64,
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
