//! Our own driver, over the PTX emulator.
//!
//! Calls that are asynchronous in CUDA are operations that streams have in order, done by whoever waits for them or by
//! a thread of the driver (`work.rs`). One lock guards the state, and nobody holds it while he works or waits.
//! Handles are numbers that are looked up: a stale or foreign one is an error. A fault of a kernel stays with its
//! context, as on a GPU.

mod abi;
mod context;
mod copy;
mod device;
mod errors;
mod event;
mod launch;
mod leaks;
mod library;
mod memory;
mod module;
mod occupancy;
mod order;
mod pool;
mod print;
mod state;
mod stream;
mod work;

pub(crate) use errors::{cuGetErrorName, cuGetErrorString};
pub(crate) use order::Order;
pub(crate) use state::{with_any, with_existing};

use crate::{EntryPoint, emulator};

/// The entry points that this driver has.
fn entries() -> Vec<abi::Entry> {
    [
        context::entries(),
        copy::entries(),
        device::entries(),
        errors::entries(),
        event::entries(),
        launch::entries(),
        library::entries(),
        memory::entries(),
        module::entries(),
        occupancy::entries(),
        pool::entries(),
        stream::entries(),
    ]
    .concat()
}

/// Puts this driver into the table.
pub(crate) fn fill_table() -> Result<(), emulator::ConfigureError> {
    // The environment's settings are read here, where an error can be told.
    with_any(|_| ())?;
    for &entry in EntryPoint::ALL {
        entry.set(None);
    }
    for (entry, address) in entries() {
        entry.set(Some(address));
    }
    Ok(())
}

/// Whether this driver has the entry point.
pub(crate) fn has(entry: EntryPoint) -> bool {
    entries().iter().any(|(known, _)| *known == entry)
}
