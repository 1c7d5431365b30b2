//! The crate's own source, for the build of its device side.

/// The crate's name as rustc takes it.
pub const NAME: &str = "device_rt";

/// The Rust edition of the source.
pub const EDITION: &str = "2024";

/// The files of [`SOURCES`] that only the OpenMP library has: what a compiler must keep, and that blocks and grids
/// have one dimension, as OpenMP's have.
pub const OPENMP_ONLY: [&str; 2] = ["src/arch/kept.ll", "src/arch/one_dimension.ll"];

/// The file of [`SOURCES`] that the OpenMP library has not: blocks and grids have up to three dimensions.
pub const REDUCTION_ONLY: [&str; 1] = ["src/arch/three_dimensions.ll"];

/// The named constants of Fortran's OpenMP modules, as LLVM IR: a part of the OpenMP library by itself.
pub const FORTRAN_CONSTANTS: &str = include_str!("../fortran/omp_lib.ll");

/// What the OpenMP library is made of.
pub const OPENMP_SOURCES: &[(&str, &str)] = &without::<1, { SOURCES.len() - 1 }>(REDUCTION_ONLY);

/// The reductions, and what a crate of kernels depends on.
pub const REDUCTION_SOURCES: &[(&str, &str)] = &without::<2, { SOURCES.len() - 2 }>(OPENMP_ONLY);

/// [`SOURCES`] but these.
const fn without<const LESS: usize, const LEFT: usize>(
    names: [&str; LESS],
) -> [(&'static str, &'static str); LEFT] {
    let mut files = [("", ""); LEFT];
    let (mut from, mut to) = (0, 0);
    while from < SOURCES.len() {
        let (mut name, mut left_out) = (0, false);
        while name < LESS {
            left_out |= same(SOURCES[from].0.as_bytes(), names[name].as_bytes());
            name += 1;
        }
        if !left_out {
            files[to] = SOURCES[from];
            to += 1;
        }
        from += 1;
    }
    files
}

const fn same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

macro_rules! sources {
    ($($path:literal)*) => {
        /// Every file below `src`: its path from the crate's root, and its text.
        pub const SOURCES: &[(&str, &str)] =
            &[$((concat!("src/", $path), include_str!($path))),*];
    };
}

sources! {
    "abi/alloc.rs"
    "abi/c.rs"
    "abi/dispatch.rs"
    "abi/hardware.rs"
    "abi/kernel.rs"
    "abi/legacy.rs"
    "abi/lock.rs"
    "abi/loops.rs"
    "abi/mod.rs"
    "abi/ompx.rs"
    "abi/parallel.rs"
    "abi/query.rs"
    "abi/reduce.rs"
    "abi/reduction.rs"
    "abi/sharing.rs"
    "abi/sync.rs"
    "abi/tasking.rs"
    "abi/worksharing.rs"
    "alloc.rs"
    "arch/atomic.ll"
    "arch/atomic.rs"
    "arch/barrier.ll"
    "arch/cell.ll"
    "arch/cell.rs"
    "arch/dim.rs"
    "arch/float.ll"
    "arch/float.rs"
    "arch/frozen.ll"
    "arch/heap.rs"
    "arch/id.ll"
    "arch/id.rs"
    "arch/kept.ll"
    "arch/mod.rs"
    "arch/one_dimension.ll"
    "arch/shared.ll"
    "arch/shared.rs"
    "arch/simulated.rs"
    "arch/state.ll"
    "arch/system.ll"
    "arch/system.rs"
    "arch/three_dimensions.ll"
    "arch/warp.ll"
    "arch/warp.rs"
    "arrays.rs"
    "atomic.rs"
    "block.rs"
    "code.rs"
    "complex.rs"
    "exports.rs"
    "grid.rs"
    "header.rs"
    "lib.rs"
    "print.rs"
    "query.rs"
    "reduce/block.rs"
    "reduce/grid.rs"
    "reduce/legacy.rs"
    "reduce/list.rs"
    "reduce/mod.rs"
    "reduce/op.rs"
    "reduce/private.rs"
    "reduce/schedule.rs"
    "reduce/slots.rs"
    "reduce/tests.rs"
    "reduce/value.rs"
    "reduce/warp.rs"
    "shared.rs"
    "sources.rs"
    "sync/lock.rs"
    "sync/mod.rs"
    "tasking.rs"
    "team/kernel.rs"
    "team/mod.rs"
    "team/outlined.rs"
    "team/parallel.rs"
    "team/sharing.rs"
    "team/state.rs"
    "team/worker.rs"
    "thread.rs"
    "warp.rs"
    "workshare/bounds.rs"
    "workshare/callback.rs"
    "workshare/doacross.rs"
    "workshare/dynamic.rs"
    "workshare/mod.rs"
    "workshare/share.rs"
}
