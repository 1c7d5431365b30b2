//! The CUDA Driver API as one table of entry points.
//!
//! The table is filled once per process by [`init`], either from NVIDIA's driver (`libcuda.so.1`, loaded at
//! run time) or from this crate's own driver over the PTX emulator. Everything above the table is the same
//! for both: this is the one seam between GPU and emulator.
//!
//! The crate defines no `cu*` symbol. `cuda-driver-link` makes hidden symbols of them that jump through
//! [`TABLE`], so that a binding such as `cust` links unmodified, and `cuda-driver-so` makes exported symbols
//! of a shared library of them; [`for_each_entry_point`] is the list of names that all are generated from.
//!
//! # Files
//!
//! Each file uses only files above it in this list:
//!
//! | file | what is in it |
//! |---|---|
//! | `status` | result codes, their names and texts |
//! | `environment` | variables of the environment |
//! | `report_style` | how reports are written: lengths of lines, colours |
//! | `log` | log of calls, reports of faults and launches for programs |
//! | `source_lines` | lines of source files, for reports |
//! | `debug_info` | debugging information of the process's files |
//! | `host_variables` | names of variables that target regions use, for reports |
//! | `host_site` | where the program calls the driver, for reports |
//! | `entry_points` | the list of entry points and the table |
//! | `settings/gpu_model` | the GPUs that can be emulated |
//! | `settings/host_memory` | how much memory the host has |
//! | `settings/values` | settings of the emulated driver, read from the environment |
//! | `image/` | device images: finding PTX in them, writing them |
//! | `reports/json` | counts of launches as JSON |
//! | `emulated/` | the emulated driver; its `mod.rs` lists its files |
//! | `real` | NVIDIA's driver |
//! | `profiles` | the profiles of a file |
//! | `settings`, `reports` | what programs can set and ask beyond CUDA's interface |
//! | `select` | which driver the table is filled from |
//!
//! # Environment
//!
//! | variable | meaning |
//! |---|---|
//! | `WARPFOLD_DEVICE` | `auto`, `cuda` or `emulator`: what [`Select::Auto`] means |
//! | `WARPFOLD_LOG` | `1` or `driver`: logs calls of the emulated driver to standard error, and calls that a driver does not have |
//! | `WARPFOLD_REPORT_FILE` | a file to which reports are appended, instead of standard error |
//! | `WARPFOLD_VERBOSE` | `1`: reports show PTX, registers and other lanes, also where the source line is known |
//! | `WARPFOLD_COLOR` | `always`, `never` or `auto`: whether reports have colours; `auto` on a terminal, unless `NO_COLOR` is set |
//! | `WARPFOLD_FAULT_JSON` | a file to which each failed launch and rejected module is appended as a line of JSON |
//! | `WARPFOLD_LAUNCHES_JSON` | a file to which each successful launch is appended, with its counts, as a line of JSON |
//! | `WARPFOLD_MACHINE` | the emulated GPU: `b200` or `sm_100`, `h200` or `sm_90`, `a100` or `sm_80`, `v100` or `sm_70`; several, separated by commas |
//! | `WARPFOLD_DEVICES` | how many GPUs are emulated, 1 to 64; those of `WARPFOLD_MACHINE` repeat in order |
//! | `WARPFOLD_SEED` | a number: the emulator runs blocks and warps in an order drawn from it |
//! | `WARPFOLD_REVERSE_BLOCKS` | `1`: blocks start from the last to the first |
//! | `WARPFOLD_RESIDENT_BLOCKS` | blocks that run at a time; with `1`, a block that waits for a later one waits forever |
//! | `WARPFOLD_ENGINE` | `interpret`: kernels are interpreted; `compile`: they are compiled for the host before they run; `auto`: those that run long |
//! | `WARPFOLD_RECORD` | a file to which the order of all threads' calls and operations is recorded |
//! | `WARPFOLD_REPLAY` | a file with such a recording, which is followed |
//! | `WARPFOLD_CHECK` | `race`, `init` or `all`: what launches are checked for besides faults; `lane`, `barrier` and `memory` are accepted, too |
//! | `WARPFOLD_CHECK_LEAKS` | `1`: device memory that the program or a kernel allocated and did not free is reported when the context, or the process, ends |
//! | `WARPFOLD_PROFILE` | a file to which profiles of launches are appended as lines of JSON |
//! | `WARPFOLD_FAIL_ALLOCATION` | `N`: the Nth allocation fails with `CUDA_ERROR_OUT_OF_MEMORY`; `N+`: also all later ones |
//! | `WARPFOLD_DEVICE_MEMORY` | bytes of each emulated GPU's memory, such as `8G` |
//! | `WARPFOLD_HOST_MEMORY` | bytes of host memory that the driver takes at most, such as `8G` |
//! | `WARPFOLD_PRINTF_BUFFER` | bytes of kernels' output that are kept until the program waits |
//! | `WARPFOLD_IMAGE_LIMIT` | bytes that an image may have together with all that reading it copies, with `K`, `M` or `G` behind the number (256M) |
//! | `WARPFOLD_SOURCE_PATH` | folders, separated by colons: reports quote source lines of files below them, besides those below the working folder and the folder of the executable |
//! | `WARPFOLD_STEP_LIMIT` | warp instructions after which a launch fails with `CUDA_ERROR_LAUNCH_TIMEOUT` |

mod debug_info;
mod emulated;
mod entry_points;
mod environment;
mod host_site;
pub mod host_tasks;
mod host_variables;
pub mod image;
mod log;
pub mod profiles;
mod real;
mod report_style;
pub mod reports;
mod select;
pub mod settings;
mod source_lines;
mod status;

pub use ptx_emulator::printable;

pub use entry_points::{COUNT, EntryPoint, TABLE};
pub use environment::variable;
pub use select::{DEVICE_VARIABLE, DriverKind, Error, Select, declined, init, init_within_program, kind};
pub use status::Status;
