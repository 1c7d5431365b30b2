//! Atomic floats: relaxed accesses with a scope, and the fences to pair them with.

unsafe extern "C" {
    safe fn __warpfold_total_fence_block();
    safe fn __warpfold_total_fence_device();
    safe fn __warpfold_total_fence_system();
}

/// Fences of one scope.
pub trait Fences {
    /// Acquire and release.
    fn fence();
    /// Acquire and release, and in one total order with all other such fences.
    fn total_fence();
}

macro_rules! scopes {
    ($($(#[$doc:meta])* $name:ident: $fence:expr, $total:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Fences for $name {
            #[inline(always)]
            fn fence() {
                $fence
            }

            #[inline(always)]
            fn total_fence() {
                $total()
            }
        }
    )*};
}

scopes! {
    /// The threads of the block.
    Block: super::atomic::fence(super::atomic::Scope::Block), __warpfold_total_fence_block;
    /// The threads of the device.
    Device: super::atomic::fence(super::atomic::Scope::Device), __warpfold_total_fence_device;
    /// The threads of the device, the host and other devices.
    System: super::system::fence(), __warpfold_total_fence_system;
}

macro_rules! cells {
    ($($module:ident $ty:ident: $add:ident $load:ident $store:ident;)*) => {$(
        #[doc = concat!("An ", stringify!($ty), ", at the scope in the module's name.")]
        ///
        /// # Safety of each
        /// `cell` is valid, in global or shared memory, and only accessed atomically while this may run.
        pub mod $module {
            unsafe extern "C" {
                fn $add(cell: *mut $ty, value: $ty) -> $ty;
                fn $load(cell: *mut $ty) -> $ty;
                fn $store(cell: *mut $ty, value: $ty);
            }

            /// Adds; returns the old value.
            ///
            /// # Safety
            /// As for the module.
            #[inline(always)]
            pub unsafe fn add(cell: *mut $ty, value: $ty) -> $ty {
                // SAFETY: passed on from the caller.
                unsafe { $add(cell, value) }
            }

            /// The value.
            ///
            /// # Safety
            /// As for the module.
            #[inline(always)]
            pub unsafe fn load(cell: *mut $ty) -> $ty {
                // SAFETY: passed on from the caller.
                unsafe { $load(cell) }
            }

            /// Sets the value.
            ///
            /// # Safety
            /// As for the module.
            #[inline(always)]
            pub unsafe fn store(cell: *mut $ty, value: $ty) {
                // SAFETY: passed on from the caller.
                unsafe { $store(cell, value) }
            }
        }
    )*};
}

cells! {
    f32_block f32: __warpfold_add_f32_block __warpfold_load_f32_block __warpfold_store_f32_block;
    f64_block f64: __warpfold_add_f64_block __warpfold_load_f64_block __warpfold_store_f64_block;
    f32_device f32: __warpfold_add_f32_device __warpfold_load_f32_device __warpfold_store_f32_device;
    f64_device f64: __warpfold_add_f64_device __warpfold_load_f64_device __warpfold_store_f64_device;
    f32_system f32: __warpfold_add_f32_system __warpfold_load_f32_system __warpfold_store_f32_system;
    f64_system f64: __warpfold_add_f64_system __warpfold_load_f64_system __warpfold_store_f64_system;
}
