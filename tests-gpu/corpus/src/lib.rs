//! Small realistic kernels in C, C++, Fortran and Rust, each with a reference on the host.
//!
//! A program reads [`ITEMS`] items of [`IN_WORDS`] 32-bit words and writes [`OUT_WORDS`] words for each. It
//! is either a function `item` of one item, with C's calling convention, which is compiled for host and
//! device from the same source; or a kernel for whole blocks with a sequential `reference` for the host.
//! [`Program::ptx`] compiles the device program, [`Program::expected`] runs the host program.

mod build;
mod program;

pub use program::{KERNEL, Language, PROGRAMS, Program};

/// 32-bit words of an item's input.
pub const IN_WORDS: usize = 64;
/// 32-bit words of an item's output.
pub const OUT_WORDS: usize = 16;
/// Threads of a block.
pub const THREADS: u32 = 128;
/// Blocks of a launch.
pub const BLOCKS: u32 = 2;
/// Items, one for each thread.
pub const ITEMS: usize = (THREADS * BLOCKS) as usize;
/// The input of every program: pseudo-random words (SplitMix64), many of them small numbers or special cases.
/// The same on every call.
pub fn input() -> Vec<u32> {
    let mut state = 0_u64;
    let mut next = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let word = |bits: u64| match bits >> 60 {
        0 => (bits % 16) as u32,
        1 => u32::MAX - (bits % 4) as u32,
        2 => 1 << (bits % 32),
        _ => bits as u32,
    };
    (0..ITEMS * IN_WORDS).map(|_| word(next())).collect()
}
