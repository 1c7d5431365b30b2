//! Strategies for innermost loops: what the lanes of a vector do where compilers keep the order of the source.
//!
//! | file | what is in it |
//! |---|---|
//! | `plan` | which loop has which strategy |
//! | `inner_parallel` | a row in each lane: each result's order stays, so that floats have the same bits |
//! | `split` | an innermost reduction into lanes, and one of the lanes |
//! | `mlir` | the two reductions of a split one as operations of MLIR |
//! | `searches` | the least or greatest value and what belongs to it, a part of the iterations in each lane |
//! | `device` | which loop has which strategy on a device |
//! | `threads` | the loops of a team's threads on a device |
//! | `lanes` | loops over lanes, and how subscripts move |
//!
//! Sums in another order, where that is allowed and nothing else is asked for, are left to OpenMP's `simd`
//! (`schedule::vectorized`).

mod device;
mod inner_parallel;
mod lanes;
mod mlir;
mod plan;
mod searches;
mod split;
mod threads;

pub(crate) use self::{
    device::OnDevice,
    inner_parallel::may_have_rows,
    lanes::stores_neighbours,
    plan::{has_directives, without_directives},
    searches::in_lanes,
    threads::OfTeams,
};
pub use self::{
    mlir::mlir,
    plan::{InnermostReduction, Plan, apply, innermost_reductions, plan},
};
pub use crate::ir::{Asked, Combining, Strategy};
