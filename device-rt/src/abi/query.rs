//! What programs ask by OpenMP's own names.

use crate::arch::id;
use crate::query;

/// [`id::grid_blocks`].
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_num_teams() -> i32 {
    id::grid_blocks() as i32
}

/// [`query::threads`].
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_num_threads() -> i32 {
    query::threads() as i32
}

/// [`id::block`].
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_team_num() -> i32 {
    id::block() as i32
}

/// [`query::thread_number`].
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_thread_num() -> i32 {
    query::thread_number() as i32
}
