//! The crate's own source, for the build of its device side.

/// The crate's name as rustc takes it.
pub const NAME: &str = "device_rt";

/// The Rust edition of the source.
pub const EDITION: &str = "2024";

/// The file of [`SOURCES`] that only the OpenMP library has: it names what a compiler must keep.
pub const KEPT: &str = "src/arch/kept.ll";

/// [`SOURCES`] without [`KEPT`]: the reductions, and what a crate of kernels depends on.
pub const REDUCTION_SOURCES: &[(&str, &str)] = &without_kept();

const fn without_kept() -> [(&'static str, &'static str); SOURCES.len() - 1] {
    let mut files = [("", ""); SOURCES.len() - 1];
    let (mut from, mut to) = (0, 0);
    while from < SOURCES.len() {
        if !same(SOURCES[from].0.as_bytes(), KEPT.as_bytes()) {
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
    "arch/heap.rs"
    "arch/id.ll"
    "arch/id.rs"
    "arch/kept.ll"
    "arch/mod.rs"
    "arch/shared.ll"
    "arch/shared.rs"
    "arch/simulated.rs"
    "arch/state.ll"
    "arch/system.ll"
    "arch/system.rs"
    "arch/warp.ll"
    "arch/warp.rs"
    "arrays.rs"
    "atomic.rs"
    "block.rs"
    "code.rs"
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
