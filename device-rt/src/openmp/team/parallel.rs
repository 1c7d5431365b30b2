//! Parallel regions.

use core::ffi::c_void;
use core::hint::assert_unchecked;

use super::outlined::{self, Outlined};
use super::state::{self, Nesting, RegionWrapper};
use super::{sharing, worker};
use crate::arch::{block_sync, block_sync_as_one, block_sync_each, id, own_copy};
use crate::{USUAL_THREADS, WARP_SIZE};

/// What the program asks for a parallel region.
#[derive(Clone, Copy)]
pub struct Request {
    /// Value of the `if` clause.
    pub condition: bool,
    /// Value of the `num_threads` clause; 0 or less if there is none.
    pub threads: i32,
}

/// Runs `f` in the threads of a new parallel region.
///
/// A region inside another one, and one whose condition does not hold, has one thread. A region that asks for
/// fewer threads than the block has is partial: it gets whole warps, or the first lanes of one warp, so that
/// its threads can meet at a barrier of their own. In generic mode the workers run the region, through
/// `wrapper`, and the main thread waits for them. Without `wrapper`, as flang calls this, the main thread
/// runs it alone: what it captures then lies in the main thread's local memory, where no worker can read it.
///
/// Who must arrive: outside every region all threads of the block, converged, or in generic mode the main
/// thread; inside a region the thread that starts the nested one, alone. What it orders: at the end of an
/// outermost region all memory among the threads of the block; at its beginning, too, in a kernel that LLVM has made an
/// SPMD one.
///
/// # Safety
/// As for [`outlined::call`], and [`worker::distribute_to_workers`] for `wrapper`.
#[inline(always)]
pub unsafe fn run(
    request: Request,
    f: Outlined,
    wrapper: RegionWrapper,
    captured: *const *mut c_void,
    count: u64,
) {
    let thread = id::thread();
    let outside = state::nesting(thread);
    if !wrapper.is_null() && !state::is_spmd() && outside == Nesting::MAIN_THREAD {
        let threads = region_threads(request.with_icvs(), worker::workers());
        if threads > 1 {
            // SAFETY: passed on from the caller; the main thread is outside of every region.
            unsafe {
                let shared = sharing::copy(captured, count);
                worker::distribute_to_workers(threads, wrapper, shared);
                sharing::release(shared.cast());
            }
            return;
        }
    }
    let block = id::block_threads();
    // What the program does before the region LLVM lets each thread do: none begins the region before all have done it.
    let as_one = outside == Nesting::AS_ONE;
    let is_outermost = outside == Nesting::OUTSIDE || as_one;
    let threads = if is_outermost { region_threads(request, block) } else { 1 };
    let is_partial = is_outermost && threads < block;
    if is_partial {
        // SAFETY: all threads of the block are here, and after this barrier the size is known.
        unsafe { announce_partial(thread, threads) };
    }
    if as_one {
        block_sync_each();
    } else if is_partial {
        block_sync();
    }
    if !is_partial || thread < threads {
        let number = if is_outermost { thread as i32 } else { 0 };
        let inside = match (is_outermost, is_partial) {
            (true, false) => Nesting::WHOLE_BLOCK,
            (true, true) => Nesting::PARTIAL,
            (false, _) => outside.nested(),
        };
        state::set_nesting(thread, inside);
        // Two calls for all kinds of region: each is a copy of the body once inlined.
        // SAFETY: passed on from the caller.
        unsafe {
            if inside == Nesting::WHOLE_BLOCK && block == USUAL_THREADS {
                own_copy();
                assert_unchecked(thread < USUAL_THREADS);
                outlined::call(f, number, captured, count);
                own_copy();
            } else {
                outlined::call(f, number, captured, count);
            }
        }
        state::set_nesting(thread, outside);
    }
    if as_one {
        block_sync_as_one();
    } else if is_outermost {
        block_sync();
    }
}

/// Puts the calling thread into a nested region of one thread.
#[inline(always)]
pub fn begin_serialized() {
    let thread = id::thread();
    state::set_nesting(thread, state::nesting(thread).nested());
}

/// Takes the calling thread out of that region.
#[inline(always)]
pub fn end_serialized() {
    let thread = id::thread();
    state::set_nesting(thread, state::nesting(thread).outer());
}

impl Request {
    /// With the ICVs of the initial task, where there is no clause.
    #[inline(always)]
    fn with_icvs(self) -> Request {
        // SAFETY: the main thread's own.
        let icvs = unsafe { state::icvs().read() };
        let threads = if self.threads > 0 { self.threads } else { icvs.threads as i32 };
        Request { condition: self.condition && icvs.serial == 0, threads }
    }
}

/// Makes the size of a partial region known to all threads of the block, each of which comes here and to a barrier after
/// this.
///
/// # Safety
/// All threads of the block.
#[inline(always)]
unsafe fn announce_partial(thread: u32, threads: u32) {
    // No thread still reads the size of the region before: all have left it by the barrier at its end.
    if thread == 0 {
        // SAFETY: thread 0, between that barrier and this.
        unsafe { state::set_partial_threads(threads) };
    }
}

/// How many of the block's threads, or of the workers, a region gets.
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
