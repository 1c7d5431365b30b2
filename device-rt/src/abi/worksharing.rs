//! Static worksharing. The two families differ in name only.

use core::hint::assert_unchecked;
use core::num::NonZero;

use super::Ident;
use crate::workshare::{Bounds, Schedule, Share, settled};

macro_rules! init {
    ($($name:ident $t:ty, $unsigned:ty, $signed:ty;)*) => {$(
        /// [`Bounds::of`] the range in `lower` and `upper`, which get the caller's share of it.
        ///
        /// # Safety
        /// The pointers are valid. The range is that of a loop that counts from 0: of a signed type, it has no
        /// number below 0, and does not end with the type's largest.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $name(
            _location: Ident,
            _thread_number: i32,
            schedule: i32,
            last: *mut i32,
            lower: *mut $t,
            upper: *mut $t,
            stride: *mut $signed,
            _increment: $signed,
            chunk: $signed,
        ) {
            let schedule = settled(Schedule::from_abi(schedule), chunk as u64);
            let chunk = NonZero::new(if chunk > 0 { chunk as $unsigned } else { 0 });
            // SAFETY: passed on from the caller.
            unsafe {
                let (from, to) = (lower.read() as $unsigned, upper.read() as $unsigned);
                let bounds = Bounds::<$unsigned>::of(schedule, Share::of(schedule), from, to, chunk);
                // Compilers make loops count from 0 first. Said to LLVM, a signed counter is widened, and takes a
                // third fewer instructions in each iteration.
                assert_unchecked(bounds.lower as $t >= 0 as $t && bounds.stride as $t >= 0 as $t);
                last.write(bounds.last as i32);
                lower.write(bounds.lower as $t);
                upper.write(bounds.upper as $t);
                stride.write(bounds.stride as $signed);
            }
        }
    )*};
}

init! {
    __kmpc_for_static_init_4 i32, u32, i32;
    __kmpc_for_static_init_4u u32, u32, i32;
    __kmpc_for_static_init_8 i64, u64, i64;
    __kmpc_for_static_init_8u u64, u64, i64;
    __kmpc_distribute_static_init_4 i32, u32, i32;
    __kmpc_distribute_static_init_4u u32, u32, i32;
    __kmpc_distribute_static_init_8 i64, u64, i64;
    __kmpc_distribute_static_init_8u u64, u64, i64;
}

/// Nothing is left to do.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_for_static_fini(_location: Ident, _thread_number: i32) {}

/// Nothing is left to do.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_distribute_static_fini(_location: Ident, _thread_number: i32) {}
