//! What a thread can ask about where it is.

use crate::arch::id;
use crate::team::state::{self, Place};

/// `omp_get_thread_num`: the number in the innermost parallel region.
///
/// A nested region has one thread, and so has the team outside every region.
#[inline(always)]
pub fn thread_number() -> u32 {
    let thread = id::thread();
    if state::place(thread).level() == 1 { thread } else { 0 }
}

/// `omp_get_num_threads`: the size of the innermost parallel region.
#[inline(always)]
pub fn threads() -> u32 {
    match state::place(id::thread()) {
        Place::WHOLE_BLOCK => id::block_threads(),
        Place::PART => state::part_threads(),
        _ => 1,
    }
}
