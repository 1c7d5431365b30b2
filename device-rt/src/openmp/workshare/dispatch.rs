//! What describes a loop whose chunks threads take at run time.

use crate::arch::atomic::Word64;

/// A dynamically scheduled loop of a parallel region. Iterations are counted from 0.
#[derive(Debug)]
#[repr(C)]
pub struct Dispatch {
    /// Iterations that are taken; at least as many as there are when none is left.
    pub taken: Word64,
    /// The first value of the loop's variable.
    pub first: u64,
    /// The number of iterations.
    pub trips: u64,
    /// The iterations of a chunk; of a guided loop the least.
    pub chunk: u64,
    /// How threads take chunks.
    pub schedule: ChunkSchedule,
}

/// How threads take chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum ChunkSchedule {
    /// Thread t of T has chunks t, t+T, t+2T …
    Static,
    /// Each request takes the next chunk.
    Dynamic,
    /// As `Dynamic`, with chunks that become smaller: half of an equal share of what is left.
    Guided,
    /// The first thread has the whole loop: its iterations run in order.
    InOrder,
}
