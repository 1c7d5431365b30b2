//! Worksharing loops.
//!
//! Each family of functions has one member for each type of the loop's variable.

use core::ffi::c_void;
use core::mem::MaybeUninit;

use super::Ident;
use super::callbacks::{LoopBody32, LoopBody64};
use super::layout::DoacrossDimension;

macro_rules! static_loops {
    ($($init:ident $t:ty, $unsigned:ty, $signed:ty, $sharers:literal $numbers:literal;)*) => {
        symbols! {
            /// Loops with static schedules.
            const STATIC for Compilers;

            device {
                use core::hint::assert_unchecked;
                use core::num::NonZero;

                use crate::arch::{LoopBound, id};
                use crate::openmp::workshare::{chosen_schedule, participant};
                use crate::static_schedule::{Bounds, Schedule};
            }

            $(
                #[doc = concat!("The caller's chunks of a loop over ", $numbers, " that ", $sharers, " run.")]
                ///
                /// # Safety
                /// The pointers are valid. The range is that of a loop that counts from 0: of a signed type,
                /// it has no number below 0. It does not end with the type's largest.
                #[allow(clippy::too_many_arguments, reason = "the type is that of LLVM's calls")]
                unsafe fn $init(
                    location: Ident, thread: i32, schedule: i32, last: *mut i32, lower: *mut $t,
                    upper: *mut $t, stride: *mut $signed, increment: $signed, chunk: $signed,
                ) {
                    callers: ALONE, orders: NOTHING, result: STATIC_CHUNK,
                } => {
                    let schedule = chosen_schedule(Schedule::from_abi(schedule), chunk as u64);
                    let chunk = match schedule {
                        // Clang's chunk is that of a usual block: where a launch has smaller ones, all its teams share.
                        Schedule::DISTRIBUTE_ONE_EACH => id::block_threads() as $signed,
                        _ => chunk,
                    };
                    let chunk = NonZero::new(if chunk > 0 { chunk as $unsigned } else { 0 });
                    let (from, to) = (lower.read() as $unsigned, upper.read() as $unsigned);
                    let bounds = Bounds::<$unsigned>::of(schedule, participant(schedule), from, to, chunk);
                    let (first, mut end) = (bounds.lower as $t, bounds.upper as $t);
                    let first = match schedule {
                        Schedule::STATIC_CHUNKED => first.opaque_first(),
                        _ => first,
                    };
                    // So that LLVM sees that the loop over a chunk of one runs once.
                    if schedule == Schedule::STATIC_CHUNKED && chunk.is_some_and(|chunk| chunk.get() == 1) {
                        end = first.min(to as $t);
                    }
                    if schedule == Schedule::DISTRIBUTE_ONE_EACH {
                        end = end.opaque_last();
                        assert_unchecked(end <= to as $t);
                    }
                    // Compilers make loops count from 0 first. Told so, LLVM widens a signed counter, which
                    // takes a third of the instructions out of each iteration.
                    assert_unchecked(first >= 0 as $t && bounds.stride as $t >= 0 as $t);
                    last.write(bounds.last as i32);
                    lower.write(first);
                    upper.write(end);
                    stride.write(bounds.stride as $signed);
                };
            )*

            /// Does nothing: ends a loop that threads share.
            fn __kmpc_for_static_fini(location: Ident, thread: i32) => {};

            /// Does nothing: ends a loop that teams share.
            fn __kmpc_distribute_static_fini(location: Ident, thread: i32) => {};
        }
    };
}

static_loops! {
    __kmpc_for_static_init_4 i32, u32, i32, "threads" "int32_t";
    __kmpc_for_static_init_4u u32, u32, i32, "threads" "uint32_t";
    __kmpc_for_static_init_8 i64, u64, i64, "threads" "int64_t";
    __kmpc_for_static_init_8u u64, u64, i64, "threads" "uint64_t";
    __kmpc_distribute_static_init_4 i32, u32, i32, "teams" "int32_t";
    __kmpc_distribute_static_init_4u u32, u32, i32, "teams" "uint32_t";
    __kmpc_distribute_static_init_8 i64, u64, i64, "teams" "int64_t";
    __kmpc_distribute_static_init_8u u64, u64, i64, "teams" "uint64_t";
}

macro_rules! callback_loops {
    ($($body:ident $t:ty: $for_loop:ident $distribute:ident $distribute_for:ident;)*) => {
        symbols! {
            /// Loops whose body is a function, as flang calls them.
            const CALLBACK_LOOPS for Compilers;

            device {
                use crate::openmp::sync;
                use crate::openmp::workshare::{Loop, StaticChunks};
            }

            $(
                /// Runs the caller's iterations of a loop that threads share, thread_chunk (or 1) at a time; a barrier.
                ///
                /// # Safety
                /// As for [`Loop::run`].
                unsafe fn $for_loop(
                    location: Ident, body: $body, argument: *mut c_void, trips: $t, threads: $t,
                    thread_chunk: $t, once: u8,
                ) {
                    callers: REGION, orders: AMONG_CALLERS, result: NONE,
                } => {
                    let shared = Loop::<$t> { body, argument, trips, once: once != 0 };
                    match (thread_chunk, shared.once) {
                        (0, false) => shared.run_side_by_side(threads),
                        _ => shared.run(StaticChunks::<$t>::of_threads(threads, thread_chunk)),
                    }
                    // flang calls this for loops with `nowait` and without it, and emits no barrier behind it.
                    sync::barrier();
                };

                /// Runs the caller's iterations of a loop that teams share, block_chunk (or 1) at a time.
                ///
                /// # Safety
                /// As for [`Loop::run`].
                unsafe fn $distribute(
                    location: Ident, body: $body, argument: *mut c_void, trips: $t, block_chunk: $t, once: u8,
                ) => {
                    let chunks = StaticChunks::<$t>::of_teams(block_chunk, 1);
                    Loop::<$t> { body, argument, trips, once: once != 0 }.run(chunks)
                };

                /// Runs the caller's iterations of a loop whose chunks teams, and their threads, share.
                ///
                /// # Safety
                /// As for [`Loop::run_in_teams`].
                unsafe fn $distribute_for(
                    location: Ident, body: $body, argument: *mut c_void, trips: $t, threads: $t,
                    block_chunk: $t, thread_chunk: $t, once: u8,
                ) {
                    callers: REGION, orders: NOTHING, result: NONE,
                } => {
                    let shared = Loop::<$t> { body, argument, trips, once: once != 0 };
                    match (block_chunk, thread_chunk, shared.once) {
                        (0, 0, false) => shared.run_in_one_chunk(threads),
                        _ => shared.run_in_teams(
                            StaticChunks::<$t>::of_teams(block_chunk, threads),
                            StaticChunks::<$t>::of_threads(threads, thread_chunk),
                        ),
                    }
                };
            )*
        }
    };
}

callback_loops! {
    LoopBody32 u32:
        __kmpc_for_static_loop_4 __kmpc_distribute_static_loop_4 __kmpc_distribute_for_static_loop_4;
    LoopBody32 u32:
        __kmpc_for_static_loop_4u __kmpc_distribute_static_loop_4u __kmpc_distribute_for_static_loop_4u;
    LoopBody64 u64:
        __kmpc_for_static_loop_8 __kmpc_distribute_static_loop_8 __kmpc_distribute_for_static_loop_8;
    LoopBody64 u64:
        __kmpc_for_static_loop_8u __kmpc_distribute_static_loop_8u __kmpc_distribute_for_static_loop_8u;
}

macro_rules! dynamic_loops {
    ($($init:ident $next:ident $fini:ident $t:ty, $unsigned:ty, $signed:ty;)*) => {
        symbols! {
            /// Loops whose chunks threads take at run time.
            const DYNAMIC for Compilers;

            device {
                use crate::arch::variable;
                use crate::openmp::workshare::{Chunk, Extent};
            }

            $(
                /// Starts a loop whose chunks threads take at run time; step is 1.
                ///
                /// # Safety
                /// As for [`Extent::begin`].
                unsafe fn $init(
                    location: Ident, thread: i32, schedule: i32, lower: $t, upper: $t, step: $signed,
                    chunk: $signed,
                ) {
                    callers: REGION, orders: AMONG_CALLERS, result: NONE,
                } => {
                    let extent = Extent::<$unsigned> { lower: lower as $unsigned, upper: upper as $unsigned };
                    extent.begin(schedule, chunk, <$t>::MIN != 0)
                };

                /// The caller's next chunk; *lower, *upper and *stride begin as the whole loop and 1.
                ///
                /// # Safety
                /// As for [`Extent::next`].
                unsafe fn $next(
                    location: Ident, thread: i32, last: *mut i32, lower: MaybeUninit<*mut $t>,
                    upper: MaybeUninit<*mut $t>, stride: MaybeUninit<*mut $signed>,
                ) -> i32 {
                    callers: REGION_THREAD, orders: NOTHING, result: DYNAMIC_CHUNK,
                } => {
                    let (lower, upper, stride) = (variable(lower), variable(upper), variable(stride));
                    let chunk = Chunk::<$unsigned> {
                        last,
                        lower: lower.cast(),
                        upper: upper.cast(),
                        stride: stride.cast(),
                    };
                    Extent::<$unsigned>::next(chunk, <$t>::MIN != 0)
                };

                /// Does nothing: ends an iteration of a loop with ordered regions, which one thread runs.
                fn $fini(location: Ident, thread: i32) => {};
            )*

            /// Does nothing: the next loop waits until all threads have left this one.
            fn __kmpc_dispatch_deinit(location: Ident, thread: i32) => {};
        }
    };
}

dynamic_loops! {
    __kmpc_dispatch_init_4 __kmpc_dispatch_next_4 __kmpc_dispatch_fini_4 i32, u32, i32;
    __kmpc_dispatch_init_4u __kmpc_dispatch_next_4u __kmpc_dispatch_fini_4u u32, u32, i32;
    __kmpc_dispatch_init_8 __kmpc_dispatch_next_8 __kmpc_dispatch_fini_8 i64, u64, i64;
    __kmpc_dispatch_init_8u __kmpc_dispatch_next_8u __kmpc_dispatch_fini_8u u64, u64, i64;
}

symbols! {
    /// Loop nests whose iterations wait for each other.
    const DOACROSS for Compilers;

    device {
        use crate::openmp::workshare::{begin_doacross, end_doacross, post, wait};
    }

    /// Starts a nest of count loops whose iterations wait for each other; nest has their bounds and steps.
    ///
    /// # Safety
    /// As for [`begin_doacross`].
    unsafe fn __kmpc_doacross_init(location: Ident, thread: i32, count: i32, nest: *const DoacrossDimension) {
        callers: REGION, orders: AMONG_CALLERS, result: NONE,
    } => begin_doacross(nest, count as u64);

    /// Waits until the iteration with these values of the loops' variables has posted.
    ///
    /// # Safety
    /// As for [`wait`].
    unsafe fn __kmpc_doacross_wait(location: Ident, thread: i32, values: *const c_void) {
        callers: REGION_THREAD,
        orders: "what the other iteration did before it posted happens before what the caller does next",
        result: NONE,
    } => wait(values.cast());

    /// Posts the iteration with these values: iterations that wait for it continue.
    ///
    /// # Safety
    /// As for [`post`].
    unsafe fn __kmpc_doacross_post(location: Ident, thread: i32, values: *const c_void) {
        callers: REGION_THREAD,
        orders: "what the caller did happens before what the waiting iterations do next",
        result: NONE,
    } => post(values.cast());

    /// Leaves the nest.
    ///
    /// # Safety
    /// As for [`end_doacross`].
    unsafe fn __kmpc_doacross_fini(location: Ident, thread: i32) {
        callers: "each thread of the region, once", orders: NOTHING, result: NONE,
    } => end_doacross();
}
