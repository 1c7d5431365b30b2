//! LLVM's kernel language: the hardware by plain names (`ompx.h`).

use crate::arch::warp::{ballot, shuffle_down_in};
use crate::arch::{block_sync, block_sync_divergent, dim};

macro_rules! dims {
    ($($name:ident = $of:ident;)*) => {$(
        /// The component of dimension 0, 1 or 2; 0 of any other.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(dimension: i32) -> i32 {
            let [x, y, z] = dim::$of();
            match dimension {
                0 => x as i32,
                1 => y as i32,
                2 => z as i32,
                _ => 0,
            }
        }
    )*};
}

dims! {
    ompx_thread_id = thread;
    ompx_block_dim = block_size;
    ompx_block_id = block;
    ompx_grid_dim = grid_size;
}

/// [`block_sync`], which orders all memory whatever the order asked for.
#[unsafe(no_mangle)]
pub extern "C" fn ompx_sync_block(_order: i32) {
    block_sync()
}

/// [`block_sync`].
#[unsafe(no_mangle)]
pub extern "C" fn ompx_sync_block_acq_rel() {
    block_sync()
}

/// [`block_sync_divergent`].
#[unsafe(no_mangle)]
pub extern "C" fn ompx_sync_block_divergent(_order: i32) {
    block_sync_divergent()
}

/// [`ballot`] of the mask's low 32 bits.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompx_ballot_sync(mask: u64, predicate: i32) -> u64 {
    // SAFETY: the caller's contract is the same.
    u64::from(unsafe { ballot(mask as u32, predicate != 0) })
}

/// The 32 bits of another lane.
///
/// # Safety
/// As for [`shuffle_down_in`].
#[inline(always)]
unsafe fn word(mask: u64, value: u32, delta: u32, width: i32) -> u32 {
    // SAFETY: passed on from the caller.
    unsafe { shuffle_down_in(mask as u32, value, delta, width as u32) }
}

/// The 64 bits of another lane.
///
/// # Safety
/// As for [`shuffle_down_in`].
#[inline(always)]
unsafe fn long(mask: u64, value: u64, delta: u32, width: i32) -> u64 {
    // SAFETY: passed on from the caller.
    unsafe {
        let (low, high) =
            (word(mask, value as u32, delta, width), word(mask, (value >> 32) as u32, delta, width));
        u64::from(low) | u64::from(high) << 32
    }
}

macro_rules! shuffles {
    ($($name:ident $ty:ty: $value:ident => $there:expr, $back:expr;)*) => {$(
        /// [`shuffle_down_in`] of the mask's low 32 bits.
        ///
        /// # Safety
        /// As there.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(mask: u64, $value: $ty, delta: u32, width: i32) -> $ty {
            // SAFETY: the caller's contract is the same.
            unsafe { ($back)(($there)(mask, delta, width)) }
        }
    )*};
}

shuffles! {
    ompx_shfl_down_sync_i i32: value => |mask, delta, width| word(mask, value as u32, delta, width), |bits: u32| bits as i32;
    ompx_shfl_down_sync_f f32: value => |mask, delta, width| word(mask, value.to_bits(), delta, width), f32::from_bits;
    ompx_shfl_down_sync_l i64: value => |mask, delta, width| long(mask, value as u64, delta, width), |bits: u64| bits as i64;
    ompx_shfl_down_sync_d f64: value => |mask, delta, width| long(mask, value.to_bits(), delta, width), f64::from_bits;
}
