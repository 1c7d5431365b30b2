//! The device runtime's algorithms: its own files.

#[path = "../../../src/reduce/block.rs"]
pub mod block;
#[path = "../../../src/reduce/grid.rs"]
pub mod grid;
#[path = "../../../src/reduce/private.rs"]
pub mod private;
#[path = "../../../src/reduce/schedule.rs"]
pub mod schedule;
#[path = "../../../src/reduce/slots.rs"]
pub mod slots;
#[path = "../../../src/reduce/warp.rs"]
pub mod warp;
