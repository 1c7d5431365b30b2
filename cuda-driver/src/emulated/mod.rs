//! Our own driver, over the PTX emulator.
//!
//! Calls that are asynchronous in CUDA are operations, which run in order on each stream. A thread that waits
//! for operations performs them, or else a thread of the driver. One lock guards the state, and nobody holds it
//! while a kernel runs, bytes are copied, a callback is called, a module is read or something is printed (a
//! recording is written under it, because its lines have the order of the calls). Handles are numbers that are looked up: a
//! stale or foreign one is an error. A fault of a kernel stays with its context, as on a GPU.
//!
//! Each file uses only files above it in this list:
//!
//! | file | what is in it |
//! |---|---|
//! | `process` | whether the driver allows calls: forked processes, threads inside callbacks |
//! | `abi` | types of arguments, the macro that defines entry points, the wrapper of every call |
//! | `current` | the calling thread's stack of contexts |
//! | `scheduler` | operations, their tickets and dependencies, time slices; performs nothing itself |
//! | `recording` | record and replay of calls and of the order of operations |
//! | `objects` | contexts, modules, streams, events, memory: what handles stand for |
//! | `graphs` | graphs of work, and the captures that make them |
//! | `orders` | which operations come before which, for checks |
//! | `faults`, `checks`, `leaks`, `print` | reports of failed launches, of checks and of leaks, output of kernels |
//! | `profiles` | profiles of launches, in a file |
//! | `configuration`, `allocations` | what the settings say; the allocations that are to fail |
//! | `reports`, `streams` | reports that are kept until somebody takes them; the streams of programs |
//! | `devices` | the emulated GPUs, and what belongs to each |
//! | `state` | all data, its lock, and what the scheduler's events change in it |
//! | `drive` | performs one work item without the lock |
//! | `background` | the driver's own threads |
//! | `wait` | where a driver call waits: for operations, for room, for its turn in a replay |
//! | `nvidia_runtime` | what programs with NVIDIA's own runtime library are told |
//! | `capture` | streams whose work becomes nodes of a graph |
//! | `device`, `module`, `stream` | entry points by concern, with functions that other entry points share |
//! | `memory` | entry points of device memory and shared memory |
//! | `context`, `copy`, `errors`, `event`, `launch`, `graph`, `library`, `link`, `occupancy`, `pool`, `virtual_memory` | further entry points |

mod abi;
mod allocations;
mod background;
mod capture;
mod checks;
mod configuration;
mod context;
mod copy;
mod current;
mod device;
mod devices;
mod drive;
mod errors;
mod event;
mod faults;
mod flags;
mod graph;
mod graphs;
mod host_compiler;
mod launch;
mod leaks;
mod library;
mod link;
mod memory;
mod module;
mod nvidia_runtime;
mod objects;
mod occupancy;
mod orders;
mod pool;
mod print;
mod process;
mod profiles;
mod recording;
mod reports;
mod scheduler;
mod state;
mod stream;
mod streams;
mod virtual_memory;
mod wait;

pub use host_compiler::{LlvmCompiler, code_generator};
pub use reports::LAUNCHES_KEPT;
pub(crate) use reports::keep_launches;
pub use state::Resources;
pub(crate) use state::{report_leaks_at_exit, with_any, with_existing};
pub(crate) use wait::interrupt;

use crate::{EntryPoint, Status, entry_points::set_missing_status, settings::values::ConfigureError};

/// The entry points that this driver has.
fn entries() -> Vec<abi::Entry> {
    [
        context::entries(),
        copy::entries(),
        device::entries(),
        errors::entries(),
        event::entries(),
        graph::entries(),
        launch::entries(),
        library::entries(),
        link::entries(),
        memory::entries(),
        module::entries(),
        occupancy::entries(),
        pool::entries(),
        stream::entries(),
        virtual_memory::entries(),
    ]
    .concat()
}

/// Puts this driver into the table.
pub(crate) fn fill_table() -> Result<(), ConfigureError> {
    // The environment's settings are read here, where an error can be returned.
    with_any(|_| ())?;
    set_missing_status(Status::NOT_SUPPORTED);
    for &entry in EntryPoint::ALL {
        entry.set(None);
    }
    for (entry, address) in entries() {
        entry.set(Some(address));
    }
    Ok(())
}
