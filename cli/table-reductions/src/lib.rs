//! Reductions of the columns of a [table](tables) on a device.
//!
//! [`Operators`] are what is computed of which columns. A [`Reducer`] has the kernels for them: each column is a reduction of
//! its own (`plan.rs`), with its own type, and gets its values, piece by piece, as the table returns them. [`Results`] are
//! written as lines or as JSON.

mod column;
mod error;
mod functions;
mod median;
mod operator;
mod pieces;
mod plan;
mod reducer;
mod results;
mod together;

pub use self::{
    column::ResultOptions,
    error::Error,
    operator::{Operator, Operators, Population, Requested},
    reducer::{Input, Reduced, Reducer, Watcher},
    results::Results,
    together::Others,
};
