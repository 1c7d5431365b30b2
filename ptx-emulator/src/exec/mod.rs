//! The executor: runs the blocks of a launch, a warp at a time.
//!
//! | file | what it holds |
//! |---|---|
//! | `lanes`, `chooser` | iteration over lane masks; scheduling choices from a seed |
//! | `planes` | the registers of one class in a frame |
//! | `state` | blocks, warps, lane groups, call frames, barriers |
//! | `grid` | blocks that have not started, resident blocks, and what several jobs share |
//! | `run` | a launch while one job runs it |
//! | `diagnose` | faults with thread, instruction, values, calls and lanes |
//! | `undefined`, `definedness` | which bits of registers are undefined, for checks; what operations make of them |
//! | `vectors` | which vector instructions of the host loops over lanes use |
//! | `compute`, `special_register` | operations on registers only; the values of special registers |
//! | `compiled` | runs lane groups in compiled code |
//! | `transfer` | bytes between lanes and global or shared memory; sectors and bank passes |
//! | `access`, `atomic` | loads and stores; atomics |
//! | `system_call`, `call` | system calls; calls, returns and exits |
//! | `warp_sync`, `barrier` | `.sync` instructions of a warp; block barriers |
//! | `step` | runs the instructions of a lane group |
//! | `schedule` | picks the block, the warp and the lane group that run next |

mod access;
mod atomic;
mod barrier;
mod call;
mod chooser;
mod compiled;
mod compute;
mod definedness;
mod diagnose;
mod exchange;
mod grid;
mod lanes;
mod matrix;
mod planes;
mod provenance;
mod run;
mod schedule;
mod special_register;
mod state;
mod step;
mod system_call;
mod transfer;
mod undefined;
mod vectors;
mod warp_sync;

pub(crate) use grid::{Grid, JobPool};
pub(crate) use run::{Progress, Run};
pub(crate) use transfer::{passes, sectors};
pub(crate) use vectors::Vectors;
