//! The crate's own source, for the build of its device side.

/// The crate's name as rustc takes it.
pub const NAME: &str = "device_rt";

/// The Rust edition of the source.
pub const EDITION: &str = "2024";

macro_rules! sources {
    ($($path:literal)*) => {
        /// Every file below `src`: its path from the crate's root, and its text.
        pub const SOURCES: &[(&str, &str)] =
            &[$((concat!("src/", $path), include_str!($path))),*];
    };
}

sources! {
    "abi/mod.rs"
    "abi/reduce.rs"
    "arch/atomic.ll"
    "arch/atomic.rs"
    "arch/call.ll"
    "arch/call.rs"
    "arch/id.rs"
    "arch/mod.rs"
    "arch/shared.ll"
    "arch/shared.rs"
    "arch/simulated.rs"
    "arch/warp.ll"
    "arch/warp.rs"
    "exports.rs"
    "lib.rs"
    "reduce/block.rs"
    "reduce/grid.rs"
    "reduce/list.rs"
    "reduce/mod.rs"
    "reduce/schedule.rs"
    "reduce/tests.rs"
    "reduce/warp.rs"
    "sources.rs"
}
