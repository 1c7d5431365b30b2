//! Parallel regions.

use core::ffi::c_void;

use super::outlined::{self, Outlined};
use super::state::{self, Place, Work};
use super::{sharing, worker};
use crate::WARP_SIZE;
use crate::arch::{block_sync, id};

/// What a parallel region is asked to be.
#[derive(Clone, Copy)]
pub struct Request {
    /// Value of the `if` clause.
    pub condition: bool,
    /// Value of the `num_threads` clause; 0 or less if there is none.
    pub threads: i32,
}

/// Runs `f` in the threads of a new parallel region.
///
/// A region inside another one, and one whose condition does not hold, has one thread. A region that
/// is asked to have fewer threads than the block gets whole warps of them, or a part of one warp: so
/// many threads can meet at a barrier of their own. In generic mode the workers run it, through `work`, and
/// the main thread waits for them. Without `work`, as flang calls this, the main thread runs it alone: what it
/// captures then lies in the main thread's own memory, where no worker can read it.
///
/// Who must arrive: outside any region all threads of the block, converged, or in generic mode the main
/// thread; inside one, whoever starts the region, alone. What it orders: at the end of an outermost region
/// all memory among the threads of the block.
///
/// # Safety
/// As for [`outlined::call`], and [`worker::share_out`] for `work`.
#[inline(always)]
pub unsafe fn run(request: Request, f: Outlined, work: Work, captured: *const *mut c_void, count: u64) {
    let thread = id::thread();
    let outside = state::place(thread);
    if !work.is_null() && !state::is_spmd() && outside == Place::ALONE {
        let threads = region_threads(request.settled(), worker::workers());
        if threads > 1 {
            // SAFETY: passed on from the caller; the main thread is outside of every region.
            unsafe {
                let shared = sharing::copy(captured, count);
                worker::share_out(threads, work, shared);
                sharing::release(shared.cast());
            }
            return;
        }
    }
    let block = id::block_threads();
    let outermost = outside == Place::OUTSIDE;
    let threads = if outermost { region_threads(request, block) } else { 1 };
    let part = outermost && threads < block;
    if part {
        // SAFETY: all threads of the block are here; the barriers are inside.
        unsafe { announce_part(thread, threads) };
    }
    if !part || thread < threads {
        let number = if outermost { thread as i32 } else { 0 };
        let inside = match (outermost, part) {
            (true, false) => Place::WHOLE_BLOCK,
            (true, true) => Place::PART,
            (false, _) => outside.nested(),
        };
        state::set_place(thread, inside);
        // One call for all kinds of region: each is a copy of the body once inlined.
        // SAFETY: passed on from the caller.
        unsafe { outlined::call(f, number, captured, count) };
        state::set_place(thread, outside);
    }
    if outermost {
        block_sync();
    }
}

/// Puts the calling thread into a region of its own.
#[inline(always)]
pub fn begin_serialized() {
    let thread = id::thread();
    state::set_place(thread, state::place(thread).nested());
}

/// Takes the calling thread out of it.
#[inline(always)]
pub fn end_serialized() {
    let thread = id::thread();
    state::set_place(thread, state::place(thread).outer());
}

impl Request {
    /// With what the initial task has set, where clauses say nothing.
    #[inline(always)]
    fn settled(self) -> Request {
        // SAFETY: the main thread's own.
        let settings = unsafe { state::settings().read() };
        let threads = if self.threads > 0 { self.threads } else { settings.threads as i32 };
        Request { condition: self.condition && settings.flat == 0, threads }
    }
}

/// Tells all threads of the block, each of which comes here, the size of a region that is a part of it.
///
/// # Safety
/// All threads of the block, converged.
#[inline(always)]
unsafe fn announce_part(thread: u32, threads: u32) {
    // Whoever still reads the size of the region before has left it by the barrier at its end.
    if thread == 0 {
        // SAFETY: thread 0, between that barrier and this.
        unsafe { state::set_part_threads(threads) };
    }
    block_sync();
}

/// How many threads a region gets of the block's, or of the workers.
#[inline(always)]
fn region_threads(request: Request, block: u32) -> u32 {
    match (request.condition, u32::try_from(request.threads).unwrap_or(0)) {
        (false, _) => 1,
        (true, 0) => block,
        (true, asked) if asked >= block => block,
        (true, asked) if asked < WARP_SIZE => asked,
        (true, asked) => asked / WARP_SIZE * WARP_SIZE,
    }
}
