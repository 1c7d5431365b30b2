//! The interpreter: executes a region over a [`Memory`], and tells an observer of every access.
//!
//! It is the oracle of what a tree means: C's arithmetic exactly (see [`Value`]), and an error with its place for
//! what C leaves undefined: subscripts outside of an array, values that were never set, division by 0. Parallel
//! loops are executed in order or, with [`IterationOrder::Interleaved`], with their iterations interleaved at random at every
//! access of memory, and a log of all accesses that finds races whether or not they changed a result.
//!
//! | file | what is in it |
//! |---|---|
//! | `options` | options, counts, and what an observer is told |
//! | `value`, `cells` | values, arithmetic, conversions; arrays of cells |
//! | `slots` | which memory a region needs |
//! | `code` | a region to instructions |
//! | `races`, `random` | the log that finds races; random numbers |
//! | `machine` | executes instructions; tasks of parallel iterations |
//! | `memory` | the memory of a region |

mod cells;
mod code;
mod machine;
mod memory;
mod options;
mod races;
mod random;
mod slots;
mod value;
mod vectors;

#[cfg(test)]
mod tests;

use crate::ir::{Region, located::Located};

pub(crate) use cells::subscripts;
pub(crate) use random::Random;
pub(crate) use value::same_bits;

pub use cells::Cells;
pub use memory::{Memory, Sizes};
pub use options::{Access, Counts, IterationOrder, Observer, Options};
pub use value::Value;

/// Whether an error says that an execution needs more steps or memory than it may, and not that something is wrong.
pub fn is_limit(error: &Located) -> bool {
    error.hint.contains("a greater `Options::")
}

/// Whether an error says that an element is accessed which an array does not have.
pub(crate) fn is_outside(error: &Located) -> bool {
    error.what.contains("whose extent is")
}

/// Executes a region.
///
/// # Errors
///
/// What C does not define, an exceeded limit, a race, or a tree that [`crate::ir::verify::verify`] would not let
/// through. The memory is then as the execution left it.
pub fn run(region: &Region, memory: &mut Memory, options: &Options) -> Result<Counts, Located> {
    observe(region, memory, options, &mut |_| {})
}

/// Whether a memory has what a region assumes of its parameters.
pub(crate) fn has_assumed(region: &Region, memory: &Memory, options: &Options) -> bool {
    let Ok(slots) = slots::Slots::of(region) else { return false };
    let mut cells = memory.clone().take(region, &slots);
    let mut holds = |condition| machine::evaluate(region, condition, &mut cells, options);
    region.assumed.iter().all(|condition| holds(condition).is_ok_and(|value| value != 0))
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
    let interleaved = matches!(options.order, IterationOrder::Interleaved(_));
    let code = code::region(region, interleaved)?;
    let mut cells = memory.take(region, &code.slots);
    let result = machine::execute(region, &code, &mut cells, options, observer);
    memory.put(&code.slots, cells);
    result.map(|(counts, _)| counts)
}
