// Names and signatures of `cuda_std` that device-rt's Rust interface has too. This text is compiled twice: for
// the host with `rt` for cuda_std, and for the device with `rt` for device-rt.

macro_rules! same {
    ($module:ident [$ty:ty] $($name:ident)*) => {$(
        const _: $ty = rt::$module::$name;
    )*};
}

same!(thread [fn() -> u32] thread_idx_x thread_idx_y thread_idx_z block_idx_x block_idx_y block_idx_z);
same!(thread [fn() -> u32] block_dim_x block_dim_y block_dim_z grid_dim_x grid_dim_y grid_dim_z);
same!(thread [fn() -> u32] index index_1d warp_size);
same!(thread [fn() -> bool] first);
same!(thread [fn()] sync_threads grid_fence device_fence system_fence);
same!(thread [fn(u32) -> u32] sync_threads_count sync_threads_and sync_threads_or);
same!(thread [fn(u32)] nanosleep);
same!(warp [fn() -> u32] lane_id);
same!(warp [unsafe fn(u32)] sync_warp);
same!(shared [fn() -> *mut f64] dynamic_shared_mem);

// These return a vector, of each crate's own type; its fields have the same names and types.
macro_rules! vectors {
    ($($name:ident $($field:ident)*;)*) => {$(
        const _: fn() = || {
            let vector = rt::thread::$name();
            $(let _: u32 = vector.$field;)*
        };
    )*};
}

vectors! {
    thread_idx x y z;
    block_idx x y z;
    block_dim x y z;
    grid_dim x y z;
    index_2d x y;
    index_3d x y z;
}

macro_rules! atomics {
    ($($name:ident $ty:ident $($unsafety:ident)?;)*) => {$(
        const _: $($unsafety)? fn(&rt::atomic::$name, $ty, Ordering) -> $ty = rt::atomic::$name::fetch_add;
        const _: $($unsafety)? fn(&rt::atomic::$name, $ty, Ordering) -> $ty = rt::atomic::$name::fetch_sub;
        const _: $($unsafety)? fn(&rt::atomic::$name, Ordering) -> $ty = rt::atomic::$name::load;
        const _: fn($ty) -> rt::atomic::$name = rt::atomic::$name::new;
        const _: fn(rt::atomic::$name) -> $ty = rt::atomic::$name::into_inner;
    )*};
}

use core::sync::atomic::Ordering;

atomics! {
    AtomicF32 f32;
    AtomicF64 f64;
    BlockAtomicF32 f32 unsafe;
    BlockAtomicF64 f64 unsafe;
    SystemAtomicF32 f32;
    SystemAtomicF64 f64;
}
