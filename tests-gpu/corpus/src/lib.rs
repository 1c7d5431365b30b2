//! Small real kernels in C, C++, Fortran and Rust, each with its own check on the host.
//!
//! A program reads [`ITEMS`] items of [`IN_WORDS`] 32-bit words and leaves [`OUT_WORDS`] words for each. It is
//! either a function `item` of one item, in C's calling convention, which host and device compile from the
//! same source; or a kernel for whole blocks beside a plain `reference` for the host. [`Program::ptx`] makes
//! the device's half, [`Program::expected`] runs the host's.

mod build;

use toolchain::{Error, OptLevel, Tools};

pub use build::Fortran;

/// Words that every item has.
pub const IN_WORDS: usize = 64;
/// Words that a program leaves for every item.
pub const OUT_WORDS: usize = 16;
/// Threads of a block.
pub const THREADS: u32 = 128;
/// Blocks of the launch.
pub const BLOCKS: u32 = 2;
/// Items, one for each thread.
pub const ITEMS: usize = (THREADS * BLOCKS) as usize;
/// The kernel of every program; its parameters are the addresses of both arrays and the number of items.
pub const KERNEL: &str = "kernel";

/// What a program is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// C, by clang.
    C,
    /// C++, by clang.
    Cpp,
    /// Fortran, by flang.
    Fortran,
    /// Rust, by the device's rustc.
    Rust,
}

/// One program of the corpus.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its name, that of its file.
    pub name: &'static str,
    /// Its language.
    pub language: Language,
    pub(crate) source: &'static str,
    /// Has a kernel for whole blocks of its own.
    pub(crate) whole: bool,
}

macro_rules! programs {
    ($($language:ident $extension:literal $whole:literal: $($name:literal)*;)*) => {
        &[$($(Program {
            name: $name,
            language: Language::$language,
            source: include_str!(concat!("../programs/", $name, ".", $extension)),
            whole: $whole,
        },)*)*]
    };
}

/// All programs.
pub const PROGRAMS: &[Program] = programs! {
    C "c" false: "sort" "matrix" "bytecode" "varargs" "wide" "half" "bfloat" "complex" "bits" "hash" "fractal"
        "fft" "physics" "linear" "strings" "random" "bignum" "records" "calls" "cluster";
    C "c" true: "life" "scan" "histogram" "warp" "pipeline";
    Cpp "cpp" false: "classes" "templates";
    Cpp "cpp" true: "reduce" "transpose";
    Fortran "f90" false: "numbers" "tables";
    Rust "rs" false: "collections" "traits" "text";
};

impl Program {
    /// The device's half.
    ///
    /// # Errors
    /// As the toolchain's, and [`Error::ToolMissing`] without flang for a Fortran program.
    pub fn ptx(&self, tools: &Tools, sm: u32, opt: OptLevel) -> Result<String, Error> {
        build::ptx(self, tools, sm, opt)
    }

    /// What the program must leave of `input`: the host's half, run.
    ///
    /// # Errors
    /// As [`Program::ptx`]; [`Error::Command`] if the host's half fails.
    pub fn expected(&self, tools: &Tools, input: &[u32]) -> Result<Vec<u32>, Error> {
        build::expected(self, tools, input)
    }
}

/// The input of every program: reproducible words (SplitMix64's), among them small ones and edges.
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
