//! Synchronisation.

use super::Ident;
use crate::arch::block_sync;
use crate::sync;

/// [`sync::barrier`].
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_barrier(_location: Ident, _thread_number: i32) {
    sync::barrier()
}

/// [`block_sync`]: LLVM guards the code of one thread with it where all threads run a team's code.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_barrier_simple_spmd(_location: Ident, _thread_number: i32) {
    block_sync()
}
