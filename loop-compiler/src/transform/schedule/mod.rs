//! Schedules: what a person directs of a loop nest.
//!
//! A schedule stands in front of a loop: `#pragma warpfold schedule(…)` in C, `schedule(…)` in the notation, where the
//! tree has it among the loop's directives. [`apply`] performs its steps, each of which is proved. What the steps `parallel`
//! say is then [`crate::ir::Loop::parallel`]; other properties stay on their loop, as a schedule of that loop alone, until
//! code is made: [`marked`] finds them.

mod apply;
mod loops;
mod vectorize;

pub(crate) use self::vectorize::{calls, is_plain, vectorized, where_many};
pub use self::{
    apply::apply,
    loops::{is_directed, marked},
    vectorize::simd,
};
pub use crate::ir::{Mark, Schedule, ScheduleStep as Step};
