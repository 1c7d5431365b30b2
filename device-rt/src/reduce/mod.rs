//! Reductions that know neither types, operators nor the number of variables.
//!
//! A compiler makes callbacks for its *reduction list*; the algorithms here decide which lane, warp
//! and block combines with which, and in what order.
//!
//! | module | what is in it |
//! |---|---|
//! | [`private`] | what the algorithms ask of a thread's private copies |
//! | `list` | the copies as a compiler gives them: a list and callbacks |
//! | [`schedule`] | who combines with whom: arithmetic, tested on the host |
//! | `warp` | full, contiguous and dispersed lanes |
//! | `block` | the threads of a block |
//! | `grid` | blocks with a slot of their own, or with as many slots as an ABI gives |
//! | `slots` | blocks that share the slots of a multiprocessor |
//! | [`op`] | operators over values whose type is known, on the device and on the host |
//! | `value` | the copies as a kernel written in Rust has them: a value and its operator |
//! | `legacy` | what these replace, to compare with |
//!
//! Where no module says otherwise, the order in which values are combined depends on the number of
//! threads and blocks alone, never on timing: the same launch gives the same bits. It is not the order
//! of the threads, so operators are taken to be commutative as well as associative; the dispersed
//! reduction alone keeps the order of the lanes.

pub mod op;
pub mod private;
pub mod schedule;

/// Bytes before the first record of a workspace. The header's first word counts the blocks that
/// have stored their record; it is zero before the first launch, and every launch leaves it zero.
/// The rest is reserved.
pub const WORKSPACE_HEADER_BYTES: usize = 128;

/// Bytes of global memory that a reduction of `T` over a grid of so many blocks needs, aligned to 16: zero before
/// the first launch, and every launch leaves them ready for the next. A workspace serves one reduction
/// of one launch at a time.
pub const fn workspace_bytes<T>(blocks: usize) -> usize {
    WORKSPACE_HEADER_BYTES + blocks * size_of::<T>()
}

/// Bytes before the first record of a workspace whose slots are `rows` rows: the header, then for each
/// row a word of the slots in use and, after those of all rows, a word of the filled ones. Zero
/// before the first launch; every reduction that was finalized leaves them zero.
pub const fn slots_header_bytes(rows: usize) -> usize {
    WORKSPACE_HEADER_BYTES + (2 * rows * size_of::<u32>()).next_multiple_of(WORKSPACE_HEADER_BYTES)
}

#[cfg(any(target_arch = "nvptx64", test))]
pub mod block;
#[cfg(any(target_arch = "nvptx64", test))]
pub mod grid;
#[cfg(target_arch = "nvptx64")]
pub mod legacy;
#[cfg(any(target_arch = "nvptx64", test))]
pub mod list;
#[cfg(any(target_arch = "nvptx64", test))]
pub mod slots;
#[cfg(target_arch = "nvptx64")]
pub mod value;
#[cfg(any(target_arch = "nvptx64", test))]
pub mod warp;

#[cfg(test)]
mod tests;
