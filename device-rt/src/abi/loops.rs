//! Loops with a function for their body, as flang calls them.

use core::ffi::c_void;

use super::Ident;
use crate::workshare::{Deal, Loop};

macro_rules! loops {
    ($($for_loop:ident $distribute:ident $distribute_for:ident $t:ty;)*) => {$(
        /// [`Loop::run`] by the threads of the parallel region.
        ///
        /// # Safety
        /// As there.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $for_loop(
            _location: Ident,
            body: unsafe extern "C" fn($t, *mut c_void),
            argument: *mut c_void,
            trips: $t,
            threads: $t,
            thread_chunk: $t,
            once: u8,
        ) {
            let deal = Deal::<$t>::threads(threads, thread_chunk);
            // SAFETY: the caller's contract is the same.
            unsafe { Loop::<$t> { body, argument, trips, once: once != 0 }.run(deal) }
        }

        /// [`Loop::run`] by the teams.
        ///
        /// # Safety
        /// As there.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $distribute(
            _location: Ident,
            body: unsafe extern "C" fn($t, *mut c_void),
            argument: *mut c_void,
            trips: $t,
            block_chunk: $t,
            once: u8,
        ) {
            let deal = Deal::<$t>::teams(block_chunk, 1);
            // SAFETY: the caller's contract is the same.
            unsafe { Loop::<$t> { body, argument, trips, once: once != 0 }.run(deal) }
        }

        /// [`Loop::run_in_teams`].
        ///
        /// # Safety
        /// As there.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $distribute_for(
            _location: Ident,
            body: unsafe extern "C" fn($t, *mut c_void),
            argument: *mut c_void,
            trips: $t,
            threads: $t,
            block_chunk: $t,
            thread_chunk: $t,
            once: u8,
        ) {
            let (teams, threads) =
                (Deal::<$t>::teams(block_chunk, threads), Deal::<$t>::threads(threads, thread_chunk));
            // SAFETY: the caller's contract is the same.
            unsafe { Loop::<$t> { body, argument, trips, once: once != 0 }.run_in_teams(teams, threads) }
        }
    )*};
}

loops! {
    __kmpc_for_static_loop_4 __kmpc_distribute_static_loop_4 __kmpc_distribute_for_static_loop_4 u32;
    __kmpc_for_static_loop_4u __kmpc_distribute_static_loop_4u __kmpc_distribute_for_static_loop_4u u32;
    __kmpc_for_static_loop_8 __kmpc_distribute_static_loop_8 __kmpc_distribute_for_static_loop_8 u64;
    __kmpc_for_static_loop_8u __kmpc_distribute_static_loop_8u __kmpc_distribute_for_static_loop_8u u64;
}
