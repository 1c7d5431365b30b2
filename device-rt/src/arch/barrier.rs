//! Barriers of a block and of a part of its threads.

unsafe extern "C" {
    safe fn __warpfold_block_sync();
    safe fn __warpfold_block_sync_as_one();
    safe fn __warpfold_block_sync_each();
    safe fn __warpfold_block_sync_any(holds: bool) -> bool;
    safe fn __warpfold_sync_divergent();
    fn __warpfold_named_barrier(barrier: u32, threads: u32);
    safe fn __warpfold_sync_count(predicate: bool) -> u32;
    safe fn __warpfold_sync_and(predicate: bool) -> bool;
    safe fn __warpfold_sync_or(predicate: bool) -> bool;
}

/// The barrier of the block: every thread of it that has not exited arrives, all at this one
/// instruction with their warps converged. Orders all memory among them.
#[inline(always)]
pub fn block_sync() {
    __warpfold_block_sync()
}

/// A barrier as [`block_sync`], after which all threads of the block do what one thread would. The emulator's race check
/// knows it.
#[inline(always)]
pub fn block_sync_as_one() {
    __warpfold_block_sync_as_one()
}

/// A barrier as [`block_sync`], after which each thread does its own work again.
#[inline(always)]
pub fn block_sync_each() {
    __warpfold_block_sync_each()
}

/// A barrier as [`block_sync`]; returns whether `holds` is true in any thread.
#[inline(always)]
pub fn block_sync_any(holds: bool) -> bool {
    __warpfold_block_sync_any(holds)
}

/// The barrier of the block for threads that arrive at different places of the code, their warps converged or
/// not: every thread of the block that has not exited. Orders all memory among them.
#[inline(always)]
pub fn block_sync_divergent() {
    __warpfold_sync_divergent()
}

/// A barrier of `threads` threads of the block, whole warps of them. Orders all memory among them.
///
/// # Safety
/// `threads` is a multiple of 32; `barrier` is 1 to 15 (0 is the block's own), and so many threads, and no
/// others, come here with the same number.
#[inline(always)]
pub unsafe fn named_barrier(barrier: u32, threads: u32) {
    // SAFETY: passed on from the caller.
    unsafe { __warpfold_named_barrier(barrier, threads) }
}

macro_rules! reducing_barriers {
    ($($(#[$doc:meta])* $name:ident $ret:ty = $symbol:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// Who must arrive: every thread of the block that has not exited, at this one call; their warps
        /// need not be converged. Orders all memory among them.
        #[inline(always)]
        pub fn $name(predicate: bool) -> $ret {
            $symbol(predicate)
        }
    )*};
}

reducing_barriers! {
    /// A barrier that returns the number of threads whose `predicate` holds.
    block_sync_count u32 = __warpfold_sync_count;
    /// A barrier that returns whether `predicate` holds in every thread.
    block_sync_and bool = __warpfold_sync_and;
    /// A barrier that returns whether `predicate` holds in any thread.
    block_sync_or bool = __warpfold_sync_or;
}
