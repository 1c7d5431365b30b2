//! The block as the hardware has it.

use crate::WARP_SIZE;
use crate::arch::id;

/// [`id::thread`].
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_get_hardware_thread_id_in_block() -> u32 {
    id::thread()
}

/// [`id::block_threads`].
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_get_hardware_num_threads_in_block() -> u32 {
    id::block_threads()
}

/// [`id::grid_blocks`].
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_get_hardware_num_blocks() -> u32 {
    id::grid_blocks()
}

/// [`WARP_SIZE`].
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_get_warp_size() -> u32 {
    WARP_SIZE
}
