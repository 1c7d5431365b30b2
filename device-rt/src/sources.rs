//! The crate's own source, for the build of its device side.

/// The crate's name as rustc takes it.
pub const NAME: &str = "device_rt";

/// The Rust edition of the source.
pub const EDITION: &str = "2024";

/// The file of [`SOURCES`] that only the OpenMP library has: it names what a compiler must keep.
pub const KEPT: &str = "src/arch/kept.ll";

macro_rules! sources {
    ($($path:literal)*) => {
        /// Every file below `src`: its path from the crate's root, and its text.
        pub const SOURCES: &[(&str, &str)] =
            &[$((concat!("src/", $path), include_str!($path))),*];
    };
}

sources! {
    "abi/hardware.rs"
    "abi/kernel.rs"
    "abi/legacy.rs"
    "abi/mod.rs"
    "abi/parallel.rs"
    "abi/reduce.rs"
    "abi/reduction.rs"
    "abi/sync.rs"
    "abi/worksharing.rs"
    "arch/atomic.ll"
    "arch/atomic.rs"
    "arch/barrier.ll"
    "arch/id.ll"
    "arch/id.rs"
    "arch/kept.ll"
    "arch/mod.rs"
    "arch/shared.ll"
    "arch/shared.rs"
    "arch/simulated.rs"
    "arch/state.ll"
    "arch/warp.ll"
    "arch/warp.rs"
    "exports.rs"
    "header.rs"
    "lib.rs"
    "query.rs"
    "reduce/block.rs"
    "reduce/grid.rs"
    "reduce/legacy.rs"
    "reduce/list.rs"
    "reduce/mod.rs"
    "reduce/private.rs"
    "reduce/schedule.rs"
    "reduce/slots.rs"
    "reduce/tests.rs"
    "reduce/warp.rs"
    "sources.rs"
    "sync.rs"
    "team/kernel.rs"
    "team/mod.rs"
    "team/outlined.rs"
    "team/parallel.rs"
    "team/state.rs"
    "workshare/bounds.rs"
    "workshare/mod.rs"
    "workshare/share.rs"
}
