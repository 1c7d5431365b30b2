//! Static schedules: who takes part in a loop, and what is left to the runtime to choose.

use core::num::NonZero;

use crate::USUAL_THREADS;
use crate::arch::id;
use crate::openmp::query;
use crate::openmp::team::state;
use crate::static_schedule::{Participant, Schedule};

/// The caller among the threads of its parallel region, the teams, or the threads of all teams.
#[inline(always)]
pub fn participant(schedule: Schedule) -> Participant {
    let (thread, threads) = (u64::from(query::thread_number()), u64::from(query::threads()));
    let (team, teams) = (u64::from(id::block()), u64::from(id::grid_blocks()));
    let (number, of) = match schedule {
        Schedule::DISTRIBUTE | Schedule::DISTRIBUTE_CHUNKED | Schedule::DISTRIBUTE_ONE_EACH => (team, teams),
        Schedule::DISTRIBUTE_THREADS => (team * threads + thread, teams * threads),
        _ => (thread, threads),
    };
    Participant { number, of: NonZero::new(of).unwrap_or(NonZero::<u64>::MIN) }
}

unsafe extern "C" {
    safe fn __warpfold_distributes_round_robin() -> bool;
}

/// The schedule that teams follow where a compiler asks for `schedule` with this chunk.
///
/// For `distribute parallel for` without a `dist_schedule` clause clang asks for chunks of a block's threads.
/// It enters the parallel region, and reduces over the block, once for each chunk: thousands of times in a
/// long loop. The choice is the runtime's, which gives each team one chunk. A clause with the same chunk,
/// or one of 128, looks alike; programs that rely on its order of teams opt out by a definition of
/// `__warpfold_dist_round_robin` other than 0 (arch/state.ll).
#[inline(always)]
pub fn chosen_schedule(schedule: Schedule, chunk: u64) -> Schedule {
    let is_ours = schedule == Schedule::DISTRIBUTE_CHUNKED
        && !__warpfold_distributes_round_robin()
        // First the chunk of most kernels, a constant: LLVM then knows the choice.
        && (chunk == u64::from(USUAL_THREADS)
            || chunk == u64::from(id::block_threads())
            || chunk == u64::from(state::max_threads()));
    if is_ours { Schedule::DISTRIBUTE_ONE_EACH } else { schedule }
}
