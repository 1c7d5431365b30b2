//! Strategies for innermost loops: what the lanes of a vector do where compilers keep the order of the source.
//!
//! | file | what is in it |
//! |---|---|
//! | `inner_parallel` | a row in each lane: each result's order stays, so that floats have the same bits |
//! | `searches` | the least or greatest value and what belongs to it, a part of the iterations in each lane |
//! | `lanes` | loops over lanes, and how subscripts move |
//!
//! Sums in another order, where that is allowed, are left to OpenMP's `simd` (`schedule::vectorized`).

mod inner_parallel;
mod lanes;
mod searches;

pub(crate) use self::{
    inner_parallel::{in_rows, may_have_rows, rows},
    searches::in_lanes,
};
