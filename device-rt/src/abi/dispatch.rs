//! Loops whose chunks are taken while they run, and those whose iterations wait for each other.

use core::mem::MaybeUninit;

use super::Ident;
use crate::arch::variable;
use crate::workshare::{self, Chunk, Dimension, Extent};

macro_rules! dispatch {
    ($($init:ident $next:ident $fini:ident $t:ty, $unsigned:ty, $signed:ty;)*) => {$(
        /// [`Extent::begin`].
        ///
        /// # Safety
        /// As there.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $init(
            _location: Ident,
            _thread_number: i32,
            schedule: i32,
            lower: $t,
            upper: $t,
            _step: $signed,
            chunk: $signed,
        ) {
            let extent = Extent::<$unsigned> { lower: lower as $unsigned, upper: upper as $unsigned };
            // SAFETY: the caller's contract is the same.
            unsafe { extent.begin(schedule, chunk, <$t>::MIN != 0) }
        }

        /// [`Extent::next`].
        ///
        /// # Safety
        /// As there.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $next(
            _location: Ident,
            _thread_number: i32,
            last: *mut i32,
            lower: MaybeUninit<*mut $t>,
            upper: MaybeUninit<*mut $t>,
            stride: MaybeUninit<*mut $signed>,
        ) -> i32 {
            // SAFETY: the caller's contract is the same.
            unsafe {
                let (lower, upper, stride) = (variable(lower), variable(upper), variable(stride));
                let chunk =
                    Chunk::<$unsigned> { last, lower: lower.cast(), upper: upper.cast(), stride: stride.cast() };
                Extent::<$unsigned>::next(chunk, <$t>::MIN != 0)
            }
        }

        /// Nothing is left to do: it ends an iteration of a loop with `ordered` regions, which one thread has.
        #[unsafe(no_mangle)]
        pub extern "C" fn $fini(_location: Ident, _thread_number: i32) {}
    )*};
}

dispatch! {
    __kmpc_dispatch_init_4 __kmpc_dispatch_next_4 __kmpc_dispatch_fini_4 i32, u32, i32;
    __kmpc_dispatch_init_4u __kmpc_dispatch_next_4u __kmpc_dispatch_fini_4u u32, u32, i32;
    __kmpc_dispatch_init_8 __kmpc_dispatch_next_8 __kmpc_dispatch_fini_8 i64, u64, i64;
    __kmpc_dispatch_init_8u __kmpc_dispatch_next_8u __kmpc_dispatch_fini_8u u64, u64, i64;
}

/// Nothing is left to do: the next loop waits until all have left this one.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_dispatch_deinit(_location: Ident, _thread_number: i32) {}

/// [`workshare::begin_doacross`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_doacross_init(
    _location: Ident,
    _thread_number: i32,
    count: i32,
    nest: *const Dimension,
) {
    // SAFETY: the caller's contract is the same.
    unsafe { workshare::begin_doacross(nest, count as u64) }
}

/// [`workshare::wait`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_doacross_wait(_location: Ident, _thread_number: i32, values: *const i64) {
    // SAFETY: the caller's contract is the same.
    unsafe { workshare::wait(values) }
}

/// [`workshare::post`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_doacross_post(_location: Ident, _thread_number: i32, values: *const i64) {
    // SAFETY: the caller's contract is the same.
    unsafe { workshare::post(values) }
}

/// [`workshare::end_doacross`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_doacross_fini(_location: Ident, _thread_number: i32) {
    // SAFETY: the caller's contract is the same.
    unsafe { workshare::end_doacross() }
}
