//! The executor: runs the blocks of a launch, a warp at a time.

mod access;
mod atomic;
mod barrier;
mod call;
mod chooser;
mod compute;
mod grid;
mod lanes;
mod report;
mod row;
mod run;
mod schedule;
mod special;
mod state;
mod step;
mod sync;
mod system;

pub(crate) use grid::{Grid, JobPool};
pub(crate) use run::{Progress, Run};
#[cfg(test)]
pub(crate) use sync::shuffle_source;
