//! The operations on a thread's private copies of the reduction variables that the algorithms use.
//!
//! The algorithms exist once, over these traits. Behind them are either the callbacks of a compiler (`list`)
//! or values whose type is known (`value`). The receiver is always the left operand.

/// Private copies that lanes of one warp can combine.
pub trait Shuffle {
    /// Fetches the copies of the lane `offset` above and combines, copies or ignores them as `algorithm`
    /// says.
    ///
    /// Who must arrive: every lane of the warp that exists, converged, with the same offset and
    /// algorithm. No memory is ordered.
    ///
    /// # Safety
    /// The lanes arrive as said; `lane` is the caller's lane, or anything for [`Algorithm::Full`], or 0 for
    /// [`Algorithm::Contiguous`] in a lane whose value is not needed, or the logical lane for [`Algorithm::Dispersed`].
    unsafe fn shuffle_reduce(&mut self, lane: u32, offset: u32, algorithm: Algorithm);
}

/// Private copies that some lanes of one warp can combine, while the other lanes are elsewhere.
pub trait ShuffleDispersed {
    /// Fetches the copies of the lane `offset` above and combines them where `logical` is even and
    /// `offset` is more than 0; changes nothing elsewhere.
    ///
    /// Who must arrive: the lanes of `mask`, with the same mask. No memory is ordered.
    ///
    /// # Safety
    /// The lanes arrive as said; the lane `offset` above is one of them where the copies combine.
    unsafe fn shuffle_reduce_dispersed(&mut self, mask: u32, logical: u32, offset: u32);
}

/// Private copies that can move between the warps of a block.
pub trait InterWarp: Shuffle {
    /// Whether the code is to be small rather than unrolled. LLVM's compilers put a copy of it into every
    /// kernel that reduces, beside the user's code.
    const COMPACT: bool = false;

    /// Inter-warp copy: linear thread `t < warps` gets the copies of lane 0 of warp `t`.
    ///
    /// Who must arrive: every thread of the block, converged, or of the partial region that reduces.
    /// What it orders: all memory among them.
    ///
    /// # Safety
    /// The threads arrive as said; `warps` is the same in all of them and at most 32.
    unsafe fn inter_warp_copy(&mut self, warps: u32);
}

/// Records in memory, numbered from 0, that private copies can be stored in. One thread calls, independently
/// of the others; orders nothing.
pub trait Store<P> {
    /// `record = copies`.
    ///
    /// # Safety
    /// The record exists, and no other thread uses it unless ordered after this.
    unsafe fn store(&self, copies: &mut P, record: u32);
}

/// Records that private copies can be combined into. One thread calls, independently of the others; orders
/// nothing.
pub trait Accumulate<P> {
    /// `record = record op copies`; the copies may be lost.
    ///
    /// # Safety
    /// The record was stored, this is ordered after the thread that wrote it, and no other thread uses it
    /// unless ordered after this.
    unsafe fn accumulate(&self, copies: &mut P, record: u32);
}

/// Records that private copies can be loaded from. One thread calls, independently of the others; orders
/// nothing.
pub trait Load<P> {
    /// `copies = record`.
    ///
    /// # Safety
    /// The record was stored, and this is ordered after the thread that wrote it.
    unsafe fn load(&self, copies: &mut P, record: u32);
}

/// Records that private copies can be combined with. One thread calls, independently of the others; orders
/// nothing.
pub trait Fold<P>: Load<P> {
    /// How many records a thread should load at a time, 8 or less: the more, the fewer waits for memory, and the more
    /// registers. Compilers know it as a constant.
    #[inline(always)]
    fn together(&self) -> u32 {
        1
    }

    /// Whether a record with an odd number may only be combined, once, and after the record before it, which is lost then.
    #[inline(always)]
    fn by_pairs(&self) -> bool {
        false
    }

    /// `copies = copies op record`.
    ///
    /// # Safety
    /// As for [`load`](Load::load); see [`by_pairs`](Self::by_pairs).
    unsafe fn combine(&self, copies: &mut P, record: u32);
}

/// What [`Shuffle::shuffle_reduce`] does with the copies that it fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i16)]
pub enum Algorithm {
    /// Always combines.
    Full = 0,
    /// Combines where `lane < offset`, else copies.
    Contiguous = 1,
    /// Combines where the logical lane is even and the offset more than 0, else changes nothing.
    Dispersed = 2,
}
