//! The CUDA Driver API as one table of entry points.
//!
//! The table is filled once per process by [`init`], either from NVIDIA's driver (`libcuda.so.1`, loaded at
//! run time) or from this crate's own driver over the PTX emulator. Everything above the table is the same
//! for both: this is the one seam between GPU and emulator.
//!
//! The crate defines no `cu*` symbol. `cuda-driver-link` makes hidden symbols of them that jump through
//! [`TABLE`], so that a binding such as `cust` links unmodified, and `cuda-driver-so` makes exported symbols of a
//! shared library of them; [`for_each_entry_point`] is the list of names that all are made from.
//!
//! # Environment
//!
//! | variable | meaning |
//! |---|---|
//! | `WARPFOLD_DEVICE` | `auto`, `cuda` or `emulator`: what [`Select::Auto`] means |
//! | `WARPFOLD_LOG` | `1` or `driver`: calls of the emulated driver on standard error, and calls that a driver lacks |
//! | `WARPFOLD_FAULT_JSON` | a file to which each failed launch and refused module is added as a line of JSON |
//! | `WARPFOLD_LAUNCHES_JSON` | a file to which each launch that ended well is added, with its counts, as a line of JSON |
//! | `WARPFOLD_MACHINE` | the emulated GPU: `b200`, `h200`, `a100` or `v100` |
//! | `WARPFOLD_SEED` | a number: the emulator runs blocks and warps in an order drawn from it |
//! | `WARPFOLD_REVERSE_BLOCKS` | `1`: blocks start from the last to the first |
//! | `WARPFOLD_RESIDENT_BLOCKS` | blocks that run at a time; `1` leaves a block that waits for a later one waiting |
//! | `WARPFOLD_RECORD` | a file to which the order of all threads' calls, and of their work, is written |
//! | `WARPFOLD_REPLAY` | a file with such an order, which is followed |
//! | `WARPFOLD_CHECK_LEAKS` | `1`: what kernels took with `malloc` and did not free is reported when the last context, or the process, ends |
//! | `WARPFOLD_FAIL_ALLOCATION` | `N`: the Nth allocation is refused with `CUDA_ERROR_OUT_OF_MEMORY`; `N+`: also all later ones |
//! | `WARPFOLD_STEP_LIMIT` | warp instructions after which a launch fails with `CUDA_ERROR_LAUNCH_TIMEOUT` |

mod emulated;
pub mod emulator;
mod entry_points;
pub mod image;
mod log;
mod real;
mod select;
mod status;

pub use entry_points::{COUNT, EntryPoint, TABLE};
pub use select::{DEVICE_VARIABLE, Error, Kind, Select, declined, init, kind};
pub use status::Status;
