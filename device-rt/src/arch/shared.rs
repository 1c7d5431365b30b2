//! Shared memory: the runtime's own, that of a launch, and arrays of kernels written in Rust.

unsafe extern "C" {
    safe fn __warpfold_per_variable_words() -> *mut u64;
    safe fn __warpfold_sharing_scratch() -> *mut u8;
    safe fn __warpfold_dynamic_shared() -> *mut u8;
}

/// 32 words, one for each warp, for the block stage of the per-variable path.
#[inline(always)]
pub fn warp_values() -> *mut u64 {
    __warpfold_per_variable_words()
}

/// Bytes of [`sharing_stack`].
pub const SHARING_STACK_BYTES: usize = 512;

/// Where the main thread of a team in generic mode shares variables, aligned to 16 bytes.
#[inline(always)]
pub fn sharing_stack() -> *mut u8 {
    __warpfold_sharing_scratch()
}

/// The address of an array in shared memory, one for the block: `shared_array![T; N]` is a `*mut T`. Each
/// place in the source has its own array; it has no values until a thread writes them. Reading and writing
/// it are unsafe: barriers keep threads apart.
///
/// ```ignore
/// let tile = shared_array![f32; 256];
/// unsafe { tile.add(thread::thread_idx_x() as usize).write(x) };
/// thread::sync_threads();
/// ```
#[macro_export]
macro_rules! shared_array {
    ($ty:ty; $len:expr) => {{
        // The device build moves statics of this section to shared memory.
        #[unsafe(link_section = ".shared")]
        static mut ARRAY: ::core::mem::MaybeUninit<[$ty; $len]> = ::core::mem::MaybeUninit::uninit();
        (&raw mut ARRAY).cast::<$ty>()
    }};
}

/// The shared memory that the launch gives each block, aligned to 16 bytes; the same for every type and
/// call. It has no values until a thread writes them.
#[inline(always)]
pub fn dynamic_shared_mem<T>() -> *mut T {
    __warpfold_dynamic_shared().cast()
}

/// Memory for 32 records of so many words, at most 32, that values pass through on their way between warps.
/// Records whose sizes round up to the same power of two share it.
#[inline(always)]
pub fn scratch(words: usize) -> *mut u32 {
    match words {
        0..=1 => shared_array![u32; 32],
        2 => shared_array![u32; 2 * 32],
        3..=4 => shared_array![u32; 4 * 32],
        5..=8 => shared_array![u32; 8 * 32],
        9..=16 => shared_array![u32; 16 * 32],
        _ => shared_array![u32; 32 * 32],
    }
}
