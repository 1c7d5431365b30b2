//! Phrases that the contracts of several symbols share.

pub const EVERY_THREAD: &str = "every thread of the block, converged";
pub const EVERY_LANE: &str = "every lane of the warp that exists, converged";
pub const ALL_LANES: &str = "all 32 lanes of the warp, converged";
pub const LANES_OF_MASK: &str = "the lanes of the mask, each with the same mask; they need not be converged";
pub const GRID: &str = "every thread of the grid, each block converged; blocks need not run at the same time";
pub const ONE_BLOCK: &str = "every thread of the one block of a later launch, converged";
pub const ALONE: &str = "any thread, independently of the others";
pub const REGION: &str = "every thread of the parallel region";
pub const REGION_THREAD: &str = "any thread of the region, independently of the others";
pub const STARTERS: &str = "\
    outside every region all threads of the block, converged, or in generic mode the main thread; inside \
    a region the thread that starts the nested one, alone";
pub const WORKER: &str = "a worker, between the barriers at the start and end of a region";
pub const MAIN_THREAD: &str = "the main thread, outside every parallel region";
pub const LOCK_HOLDER: &str = "the thread that holds the lock";
pub const ONE_LANE: &str = "one lane of a warp at a time";
pub const TEAMS: &str = "\
    of each team linear thread 0, which holds the team's value, and either all its other threads, \
    converged, or none, because they have exited; in generic mode the main thread; teams need not run at \
    the same time";

pub const NOTHING: &str = "nothing";
pub const BLOCK: &str = "all memory among the threads of the block";
pub const BLOCK_IF_LARGE: &str =
    "with more than 32 threads all memory among the threads of the block, else nothing";
pub const AMONG_CALLERS: &str = "all memory among the callers";
pub const REGION_END: &str = "at the end of an outermost region all memory among the threads of the block";
pub const HAND_OVER: &str = "\
    what precedes the call in the thread that holds each block's value (linear thread 0, in generic mode the \
    main thread) happens before the return in the thread that gets 1";
pub const LOCK_TAKEN: &str = "what the last holder did happens before what the caller does next";
pub const LOCK_GIVEN: &str = "what the caller did happens before what the next holder does";
pub const LOCKED_OBJECT: &str = "earlier accesses to the object by these functions happen before this one";

pub const NONE: &str = "none";
pub const EACH: &str = "returned to each caller";
pub const IN_LANE_0: &str = "in lane 0";
pub const IN_THREAD_0: &str = "in linear thread 0, which gets 1; all others get 0";
pub const IN_LEADERS: &str = "in lane 0 of every warp; linear thread 0 gets 1, all others 0";
pub const IN_ONE_THREAD: &str = "in linear thread 0 of one block, which gets 1; all others of the grid get 0";
pub const IN_ONE_TEAM: &str = "\
    in linear thread 0 of one team, in generic mode in its main thread, which gets 1; all others get 0";
pub const IN_LOWEST_LANE: &str = "in the lowest lane of the mask, which gets 1; the others get 0";
pub const STATIC_CHUNK: &str = "\
    the bounds of the caller's first chunk in *lower and *upper, both inclusive, the distance to its \
    next chunk in *stride, and in *last whether it has the loop's last iteration";
pub const DYNAMIC_CHUNK: &str = "1 and the chunk, or 0";
pub const SHUFFLED: &str =
    "returned to each caller; a lane without one delta above it in its segment gets its own value";
