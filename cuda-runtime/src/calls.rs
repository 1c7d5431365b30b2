//! The C functions of the interface: their errors, and their variants for per-thread default streams.

use std::{
    ffi::{c_int, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
};

use crate::{
    error::{self, Error, Outcome},
    layouts::{Dimensions, Extent, Location, PitchedPointer, Stream},
};

/// Runs the body of a call, keeps its error for `cudaGetLastError`, and returns its code. No panic crosses the
/// boundary.
pub(crate) fn call(body: impl FnOnce() -> Outcome) -> c_int {
    // A panic would be an error of this library. Its state is behind locks that are taken without regard to
    // poisoning, and the caller gets an error.
    let outcome = catch_unwind(AssertUnwindSafe(body)).unwrap_or(Err(Error::UNKNOWN));
    outcome.map_or_else(
        |error| {
            error::remember(error);
            error.code()
        },
        |()| 0,
    )
}

/// An argument of a function that has a variant for per-thread default streams, in whose name is `_ptsz`.
pub(crate) trait Argument {
    /// The argument for the function itself.
    fn per_thread(self) -> Self;
}

impl Argument for Stream {
    fn per_thread(self) -> Stream {
        if self == Stream::DEFAULT { Stream::PER_THREAD } else { self }
    }
}

macro_rules! same_for_all_streams {
    ($([$($generic:ident)?] $ty:ty;)*) => {
        $(impl$(<$generic>)? Argument for $ty {
            fn per_thread(self) -> Self {
                self
            }
        })*
    };
}

same_for_all_streams! {
    [] c_int;
    [] u32;
    [] u64;
    [] usize;
    [T] *mut T;
    [T] *const T;
    [] Dimensions;
    [] PitchedPointer;
    [] Extent;
    [] Location;
    [] Option<unsafe extern "C" fn(*mut c_void)>;
    [] Option<unsafe extern "C" fn(usize, c_int, *mut c_void)>;
}

/// Defines functions of the interface, whose bodies return an [`Outcome`].
///
/// Callers promise what CUDA's documentation asks of them: a pointer is null or points to what its type says, and
/// memory has the size that is given with it. A second name, behind `|`, is the variant of the function for
/// programs with per-thread default streams.
macro_rules! functions {
    () => {};
    (
        fn $name:ident | $per_thread:ident($($argument:ident: $ty:ty),* $(,)?) $body:block
        $($rest:tt)*
    ) => {
        $crate::calls::functions! { fn $name($($argument: $ty),*) $body }

        #[doc = concat!("`", stringify!($name), "` where 0 means the calling thread's default stream.")]
        ///
        /// # Safety
        ///
        /// As CUDA's documentation of the function says.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments, reason = "the arguments are CUDA's")]
        pub unsafe extern "C" fn $per_thread($($argument: $ty),*) -> ::std::ffi::c_int {
            // SAFETY: by the promise of this function's caller.
            unsafe { $name($($crate::calls::Argument::per_thread($argument)),*) }
        }

        $crate::calls::functions! { $($rest)* }
    };
    (
        fn $name:ident($($argument:ident: $ty:ty),* $(,)?) $body:block
        $($rest:tt)*
    ) => {
        #[doc = concat!("`", stringify!($name), "` of the CUDA runtime API.")]
        ///
        /// # Safety
        ///
        /// As CUDA's documentation of the function says.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments, reason = "the arguments are CUDA's")]
        pub unsafe extern "C" fn $name($($argument: $ty),*) -> ::std::ffi::c_int {
            // SAFETY: pointers are what the caller promises.
            #[allow(unused_unsafe, reason = "some functions read no pointer")]
            $crate::calls::call(|| unsafe { $body })
        }

        $crate::calls::functions! { $($rest)* }
    };
}
pub(crate) use functions;

/// Writes a result; null is rejected.
///
/// # Safety
///
/// `to` is null or valid for a write.
pub(crate) unsafe fn write<T>(to: *mut T, value: T) -> Outcome {
    if to.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: not null, so valid for a write by the caller's promise.
    unsafe { to.write_unaligned(value) };
    Ok(())
}

/// Reads a structure; null is rejected.
///
/// # Safety
///
/// `from` is null or points to a whole `T`.
pub(crate) unsafe fn read<T: Copy>(from: *const T) -> Result<T, Error> {
    if from.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: not null, so a pointer to a whole structure by the caller's promise.
    Ok(unsafe { from.read_unaligned() })
}
