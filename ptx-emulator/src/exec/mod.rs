//! The executor: runs the blocks of a launch, a warp at a time. `schedule` picks what runs next, `step` runs
//! the instructions of a lane group, and the other files hold what each kind of instruction does.

mod access;
mod atomic;
mod barrier;
mod call;
mod chooser;
mod compute;
mod diagnose;
mod grid;
mod lanes;
mod run;
mod schedule;
mod special_register;
mod state;
mod step;
mod system_call;
mod transfer;
mod warp_sync;

pub(crate) use grid::{Grid, JobPool};
pub(crate) use run::{Progress, Run};
