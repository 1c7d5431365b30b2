//! Atomic floats with a scope. Names are those of `cuda_std::atomic`.
//!
//! A reduction needs none of these: it is faster, and gives the same bits on every run. For integers use
//! `core::sync::atomic`, whose scope is the whole system. LLVM 22 drops the orderings of its
//! read-modify-writes: pair them with the fences of [`thread`](super::thread).

use core::cell::UnsafeCell;
use core::sync::atomic::Ordering;

use crate::arch::float_atomic::{self, Block, Device, Fences, System};

/// The fence before an access of this order.
#[inline(always)]
fn before<S: Fences>(order: Ordering) {
    match order {
        Ordering::Release | Ordering::AcqRel => S::fence(),
        Ordering::SeqCst => S::total_fence(),
        _ => {}
    }
}

/// The fence after an access of this order.
#[inline(always)]
fn after<S: Fences>(order: Ordering) {
    match order {
        Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst => S::fence(),
        _ => {}
    }
}

macro_rules! floats {
    ($($(#[$doc:meta])* $name:ident $ty:ident $align:literal $scope:ident $access:ident $($unsafe:ident)?;)*) => {$(
        $(#[$doc])*
        ///
        /// It has the layout of the float. Zeroed memory is a 0.
        #[derive(Debug)]
        #[repr(C, align($align))]
        pub struct $name(UnsafeCell<$ty>);

        // SAFETY: threads access the shared value only by atomics.
        unsafe impl Sync for $name {}

        impl $name {
            /// An atomic of this value.
            pub const fn new(value: $ty) -> $name {
                $name(UnsafeCell::new(value))
            }

            /// The value of an atomic that is no longer shared.
            pub fn into_inner(self) -> $ty {
                self.0.into_inner()
            }

            /// Adds; returns the old value.
            ///
            /// # Safety
            /// All threads that use it at the same time are in the scope of its type.
            #[inline(always)]
            pub $($unsafe)? fn fetch_add(&self, value: $ty, order: Ordering) -> $ty {
                before::<$scope>(order);
                // SAFETY: a reference is valid, and the type allows no other access.
                let old = unsafe { float_atomic::$access::add(self.0.get(), value) };
                after::<$scope>(order);
                old
            }

            /// Subtracts; returns the old value.
            ///
            /// # Safety
            /// As for `fetch_add`.
            #[inline(always)]
            pub $($unsafe)? fn fetch_sub(&self, value: $ty, order: Ordering) -> $ty {
                before::<$scope>(order);
                // SAFETY: as above.
                let old = unsafe { float_atomic::$access::add(self.0.get(), -value) };
                after::<$scope>(order);
                old
            }

            /// The value. The order `Release` has no effect here.
            ///
            /// # Safety
            /// As for `fetch_add`.
            #[inline(always)]
            pub $($unsafe)? fn load(&self, order: Ordering) -> $ty {
                if order == Ordering::SeqCst {
                    $scope::total_fence();
                }
                // SAFETY: as above.
                let value = unsafe { float_atomic::$access::load(self.0.get()) };
                after::<$scope>(order);
                value
            }

            /// Sets the value. The order `Acquire` has no effect here.
            ///
            /// # Safety
            /// As for `fetch_add`.
            #[inline(always)]
            pub $($unsafe)? fn store(&self, value: $ty, order: Ordering) {
                before::<$scope>(order);
                // SAFETY: as above.
                unsafe { float_atomic::$access::store(self.0.get(), value) };
            }
        }
    )*};
}

floats! {
    /// An `f32` for the threads of the device.
    AtomicF32 f32 4 Device f32_device;
    /// An `f64` for the threads of the device.
    AtomicF64 f64 8 Device f64_device;
    /// An `f32` for the threads of one block.
    BlockAtomicF32 f32 4 Block f32_block unsafe;
    /// An `f64` for the threads of one block.
    BlockAtomicF64 f64 8 Block f64_block unsafe;
    /// An `f32` for the device, the host and other devices.
    SystemAtomicF32 f32 4 System f32_system;
    /// An `f64` for the device, the host and other devices.
    SystemAtomicF64 f64 8 System f64_system;
}
