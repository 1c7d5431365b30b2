//! Hardware ids and sizes.

symbols! {
    /// Hardware ids and sizes.
    const HARDWARE for Compilers;

    device {
        use crate::WARP_SIZE;
        use crate::arch::id;
    }

    /// The number of blocks of the grid.
    fn __kmpc_get_hardware_num_blocks() -> i32 => id::grid_blocks() as i32;

    /// The number of threads of the block.
    fn __kmpc_get_hardware_num_threads_in_block() -> i32 => id::unranged_block_threads() as i32;

    /// The linear number of the thread in its block.
    fn __kmpc_get_hardware_thread_id_in_block() -> i32 => id::thread() as i32;

    /// The number of lanes of a warp: 32.
    fn __kmpc_get_warp_size() -> i32 => WARP_SIZE as i32;
}
