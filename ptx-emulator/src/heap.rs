//! Allocations that device programs make with `malloc`.

use crate::fault::CodeLocation;

/// An allocation on the device heap that a thread made with `malloc` and that is not freed.
///
/// Its text ([`Display`](std::fmt::Display)) names the thread and the code location: at most eleven lines of
/// 110 columns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct HeapAllocation {
    /// Its address.
    pub address: u64,
    /// Bytes that were requested.
    pub bytes: u64,
    /// The kernel.
    pub kernel: String,
    /// `%ctaid` of the thread's block.
    pub block: [u32; 3],
    /// `%tid` of the thread.
    pub thread: [u32; 3],
    /// The call of `malloc`.
    pub place: CodeLocation,
    /// The calls that the thread was in, innermost first; the outermost of very many are left out.
    pub calls: Vec<CodeLocation>,
    /// How many calls the thread was in.
    pub depth: u32,
}
