//! Scans: loops that carry a *running value*, which each iteration combines with something and which the loop uses in
//! between.
//!
//! Such a loop is divided into contiguous parts and executed in three passes. The first computes of each part but the
//! last its *total*, what the part combines the running value with. The second goes through the totals in order and puts
//! the value with which each part begins in their place. The third executes the loop's body for each part from there.
//!
//! A linear recurrence `x = a * x + b` has two totals: the product of the factors, and the value that a part that begins
//! with 0 ends with.
//!
//! The passes are made by [`crate::transform::privatize`]; here is what they need to know of the loop's body.
//!
//! | file | what is in it |
//! |---|---|
//! | `factor` | the factor of a linear recurrence |
//! | `slice` | what of a body the first pass executes |

mod factor;
mod slice;

pub(crate) use self::{
    factor::{factor, stored_value},
    slice::{Running, for_totals, without_factors},
};
