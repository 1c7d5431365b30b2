//! The device runtime's algorithms: its own files.

#[path = "../../../src/reduce/block.rs"]
pub mod block;
#[path = "../../../src/reduce/grid.rs"]
pub mod grid;
#[path = "../../../src/reduce/multiprocessor_slots.rs"]
pub mod multiprocessor_slots;
#[path = "../../../src/reduce/pairing.rs"]
pub mod pairing;
#[path = "../../../src/reduce/private.rs"]
pub mod private;
#[path = "../../../src/reduce/warp.rs"]
pub mod warp;
