//! Private copies and records behind a compiler's reduction list and callbacks.

use core::cell::Cell;
use core::ffi::c_void;
use core::hint::assert_unchecked;
use core::num::NonZero;

use super::private::{Accumulate, Algorithm, Fold, InterWarp, Load, Shuffle, ShuffleDispersed, Store};
use crate::WARP_SIZE;
use crate::abi::callbacks::{BufferCallback, InterWarpCopy, List, ShuffleReduce, ShuffleReduceMasked};
use crate::arch::{block_sync, id, warp::lane};

/// A list that a warp reduces.
#[derive(Clone, Copy, Debug)]
pub struct WarpList {
    /// The private copies.
    pub list: List,
    /// Combines them between lanes.
    pub shfl: ShuffleReduce,
}

impl Shuffle for WarpList {
    #[inline(always)]
    unsafe fn shuffle_reduce(&mut self, lane: u32, offset: u32, algorithm: Algorithm) {
        // SAFETY: the caller's contract is the callback's.
        unsafe { (self.shfl)(self.list, lane as i16, offset as i16, algorithm as i16) }
    }
}

/// A list that some lanes of a warp reduce.
#[derive(Clone, Copy, Debug)]
pub struct DispersedList {
    /// The private copies.
    pub list: List,
    /// Combines them between lanes.
    pub shfl: ShuffleReduceMasked,
}

impl ShuffleDispersed for DispersedList {
    #[inline(always)]
    unsafe fn shuffle_reduce_dispersed(&mut self, mask: u32, logical: u32, offset: u32) {
        let algorithm = Algorithm::Dispersed as i16;
        // SAFETY: the caller's contract is the callback's.
        unsafe { (self.shfl)(self.list, mask, logical as i16, offset as i16, algorithm) }
    }
}

/// A list that a block reduces, with small code if `COMPACT`.
#[derive(Clone, Copy, Debug)]
pub struct BlockList<const COMPACT: bool> {
    /// The private copies.
    pub list: List,
    /// Combines them between lanes.
    pub shfl: ShuffleReduce,
    /// Moves them between warps.
    pub iwcpy: InterWarpCopy,
}

impl<const COMPACT: bool> Shuffle for BlockList<COMPACT> {
    #[inline(always)]
    unsafe fn shuffle_reduce(&mut self, lane: u32, offset: u32, algorithm: Algorithm) {
        // SAFETY: the caller's contract is the same; a distance is at most half a warp.
        unsafe {
            // Callbacks take it as 16 bits: no conversion of what LLVM knows to be small.
            if COMPACT {
                assert_unchecked(offset <= WARP_SIZE / 2);
            }
            WarpList { list: self.list, shfl: self.shfl }.shuffle_reduce(lane, offset, algorithm)
        }
    }
}

impl<const COMPACT: bool> InterWarp for BlockList<COMPACT> {
    const COMPACT: bool = COMPACT;

    #[inline(always)]
    unsafe fn inter_warp_copy(&mut self, warps: u32) {
        // SAFETY: the caller's contract is the callback's.
        unsafe { (self.iwcpy)(self.list, warps as i32) }
    }
}

/// Private copies behind a list.
pub trait HasList {
    /// The list.
    fn list(&self) -> List;
}

impl HasList for WarpList {
    #[inline(always)]
    fn list(&self) -> List {
        self.list
    }
}

impl<const COMPACT: bool> HasList for BlockList<COMPACT> {
    #[inline(always)]
    fn list(&self) -> List {
        self.list
    }
}

/// How the memory of the reduction buffer is divided into records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Layout {
    /// Records that are used.
    pub records: u32,
    /// Bytes from one record to the next.
    pub stride: u32,
    /// Bytes of a record.
    pub bytes: u32,
}

impl Layout {
    /// Aligns each record to 8 bytes, in the memory of `records` records of `bytes` bytes: fewer records if
    /// `bytes` is not a multiple of 8, but at least one if there was one.
    ///
    /// clang 22 copies a variable of a record as if it were aligned to 8 bytes, whatever its type: in an
    /// array of structs of three floats every other record would be accessed misaligned.
    pub fn aligned(records: u32, bytes: u32) -> Layout {
        let stride = bytes.wrapping_add(7) & !7;
        let lost = records.saturating_mul(stride.wrapping_sub(bytes));
        match NonZero::new(stride) {
            Some(by) if lost > 0 => {
                // Rounded up: bytes that the last record lacks cost one record more.
                Layout { records: records.saturating_sub((lost - 1) / by + 1).max(1), stride, bytes }
            }
            _ => Layout { records, stride, bytes },
        }
    }
}

/// Where an array of records is: an address, or a cell with the address of records that may be elsewhere later.
pub trait BufferAddress: Copy {
    /// The address of the first record.
    fn address(self) -> *mut c_void;
}

impl BufferAddress for *mut c_void {
    #[inline(always)]
    fn address(self) -> *mut c_void {
        self
    }
}

impl BufferAddress for &Cell<*mut c_void> {
    #[inline(always)]
    fn address(self) -> *mut c_void {
        self.get()
    }
}

/// An array of records.
#[derive(Clone, Copy, Debug)]
pub struct Buffer<A = *mut c_void> {
    first: A,
    /// Bytes from one record to the next; none where the callbacks compute addresses themselves.
    stride: Option<u32>,
    /// The most bytes that a record has, as far as its compiler says.
    most_bytes: u64,
}

impl<A: BufferAddress> Buffer<A> {
    /// Records whose addresses the callbacks compute.
    pub fn array(first: A, most_bytes: u64) -> Buffer<A> {
        Buffer { first, stride: None, most_bytes }
    }

    /// Records with this layout; a callback gets each as the first record of an array.
    pub fn laid_out(first: A, layout: Layout, most_bytes: u64) -> Buffer<A> {
        Buffer { first, stride: Some(layout.stride), most_bytes }
    }

    /// The arguments of a callback for a record.
    #[inline(always)]
    fn at(self, record: u32) -> (*mut c_void, i32) {
        let first = self.first.address();
        match self.stride {
            None => (first, record as i32),
            Some(stride) => (first.wrapping_byte_add(record as usize * stride as usize), 0),
        }
    }
}

/// Records that lists are copied to.
#[derive(Clone, Copy, Debug)]
pub struct StoreRecords<A = *mut c_void> {
    /// The records.
    pub buffer: Buffer<A>,
    /// List to record.
    pub lgcpy: BufferCallback,
}

impl<A: BufferAddress, P: HasList> Store<P> for StoreRecords<A> {
    #[inline(always)]
    unsafe fn store(&self, copies: &mut P, record: u32) {
        let (buffer, record) = self.buffer.at(record);
        // SAFETY: the caller's contract is the callback's.
        unsafe { (self.lgcpy)(buffer, record, copies.list()) }
    }
}

/// Records that lists are combined into.
#[derive(Clone, Copy, Debug)]
pub struct AccumulateRecords<A = *mut c_void> {
    /// The records.
    pub buffer: Buffer<A>,
    /// `record = record op list`.
    pub lgred: BufferCallback,
}

impl<A: BufferAddress, P: HasList> Accumulate<P> for AccumulateRecords<A> {
    #[inline(always)]
    unsafe fn accumulate(&self, copies: &mut P, record: u32) {
        let (buffer, record) = self.buffer.at(record);
        // SAFETY: the caller's contract is the callback's.
        unsafe { (self.lgred)(buffer, record, copies.list()) }
    }
}

/// Records that lists are loaded from.
#[derive(Clone, Copy, Debug)]
pub struct FoldRecords<A = *mut c_void> {
    /// The records.
    pub buffer: Buffer<A>,
    /// Record to list.
    pub glcpy: BufferCallback,
    /// `list = list op record`.
    pub glred: BufferCallback,
}

impl<A: BufferAddress, P: HasList> Load<P> for FoldRecords<A> {
    #[inline(always)]
    unsafe fn load(&self, copies: &mut P, record: u32) {
        let (buffer, record) = self.buffer.at(record);
        // SAFETY: the caller's contract is the callback's.
        unsafe { (self.glcpy)(buffer, record, copies.list()) }
    }
}

impl<A: BufferAddress, P: HasList> Fold<P> for FoldRecords<A> {
    #[inline(always)]
    fn together(&self) -> u32 {
        match self.buffer.most_bytes {
            0..=8 => 8,
            9..=32 => 4,
            33..=64 => 2,
            _ => 1,
        }
    }

    #[inline(always)]
    unsafe fn combine(&self, copies: &mut P, record: u32) {
        let (buffer, record) = self.buffer.at(record);
        // SAFETY: the caller's contract is the callback's.
        unsafe { (self.glred)(buffer, record, copies.list()) }
    }
}

/// Records that lists are loaded from and not combined with.
#[derive(Clone, Copy, Debug)]
pub struct LoadRecords {
    /// The records.
    pub buffer: Buffer,
    /// Record to list.
    pub glcpy: BufferCallback,
}

impl<P: HasList> Load<P> for LoadRecords {
    #[inline(always)]
    unsafe fn load(&self, copies: &mut P, record: u32) {
        let (buffer, record) = self.buffer.at(record);
        // SAFETY: the caller's contract is the callback's.
        unsafe { (self.glcpy)(buffer, record, copies.list()) }
    }
}

/// The most bytes of a record that [`DenseRecords`] move.
pub const MOST_MOVED_BYTES: usize = 512;

/// Records without gaps between them, in an array that is aligned to 8 bytes, as LLVM 23 allocates them. A callback gets
/// each as the first record of an array: clang's arrays have gaps of their own for variables with an alignment attribute.
///
/// clang copies a variable of a record as if it were aligned to 8 bytes, whatever its type ([`Layout::aligned`]). Of
/// records whose size is an odd multiple of 4 bytes every other one is not: it is stored elsewhere and moved to its place,
/// and moved back over the end of the record before it, which has been combined, before it is combined.
#[derive(Clone, Copy, Debug)]
pub struct DenseRecords {
    /// The address of the first record.
    pub first: *mut c_void,
    /// Bytes of a record.
    pub bytes: u32,
    /// [`MOST_MOVED_BYTES`] of the block, aligned to 8 bytes.
    pub scratch: *mut u32,
    /// List to record.
    pub lgcpy: BufferCallback,
    /// Record to list.
    pub glcpy: BufferCallback,
    /// `list = list op record`.
    pub glred: BufferCallback,
}

impl DenseRecords {
    /// The same records without regard to alignment.
    #[inline(always)]
    pub fn buffer(self) -> Buffer {
        Buffer { first: self.first, stride: Some(self.bytes), most_bytes: self.bytes.into() }
    }

    /// Whether every other record is not aligned. A record of 4 bytes is a number, which clang copies as such.
    #[inline(always)]
    fn moves(self) -> bool {
        self.bytes % 8 == 4 && self.bytes > 4 && self.bytes as usize <= MOST_MOVED_BYTES
    }

    /// The address of a record, and whether it is to be moved.
    #[inline(always)]
    fn at(self, record: u32) -> (*mut c_void, bool) {
        (self.buffer().at(record).0, self.moves() && record % 2 == 1)
    }

    /// Moves a record, forwards.
    ///
    /// # Safety
    /// Both places are allocated, and no other thread uses them.
    #[inline(always)]
    unsafe fn move_words(self, from: *const u32, to: *mut u32) {
        for word in 0..self.bytes as usize / 4 {
            // SAFETY: passed on from the caller. LLVM makes no call of `memmove` of volatile accesses.
            unsafe { to.add(word).write_volatile(from.add(word).read_volatile()) };
        }
    }
}

impl<P: HasList> Store<P> for DenseRecords {
    #[inline(always)]
    unsafe fn store(&self, copies: &mut P, record: u32) {
        let (place, moves) = self.at(record);
        let target = if moves { self.scratch.cast() } else { place };
        // SAFETY: the caller's contract is the callback's; only the thread that stores a block's record uses the scratch.
        unsafe {
            (self.lgcpy)(target, 0, copies.list());
            if moves {
                self.move_words(self.scratch, place.cast());
            }
        }
    }
}

impl<P: HasList> Load<P> for DenseRecords {
    #[inline(always)]
    unsafe fn load(&self, copies: &mut P, record: u32) {
        // SAFETY: the caller's contract is the callback's.
        unsafe { (self.glcpy)(self.at(record).0, 0, copies.list()) }
    }
}

impl<P: HasList> Fold<P> for DenseRecords {
    #[inline(always)]
    fn together(&self) -> u32 {
        if self.bytes <= 8 { 8 } else { 2 }
    }

    #[inline(always)]
    fn by_pairs(&self) -> bool {
        self.moves()
    }

    #[inline(always)]
    unsafe fn combine(&self, copies: &mut P, record: u32) {
        let (mut place, moves) = self.at(record);
        // SAFETY: the caller's contract is the callback's; the record before is lost, as `by_pairs` says.
        unsafe {
            if moves {
                let from: *mut u32 = place.cast();
                self.move_words(from, from.sub(1));
                place = from.sub(1).cast();
            }
            (self.glred)(place, 0, copies.list())
        }
    }
}

/// A list that the threads of a block reduce while they fold records: it moves between warps through the
/// records themselves. One barrier for a record of any size and no shared memory, where clang's inter-warp
/// copy takes two barriers for every word of 4 bytes.
///
/// Thread t has loaded record t, and no other thread has or will: lane 0 of a warp may write where it has
/// read.
#[derive(Clone, Copy, Debug)]
pub struct FoldList<A = *mut c_void> {
    /// The list, as a warp reduces it.
    pub warp: WarpList,
    /// The records.
    pub from: FoldRecords<A>,
    /// The same records.
    pub to: StoreRecords<A>,
}

impl<A> HasList for FoldList<A> {
    #[inline(always)]
    fn list(&self) -> List {
        self.warp.list
    }
}

impl<A> Shuffle for FoldList<A> {
    #[inline(always)]
    unsafe fn shuffle_reduce(&mut self, lane: u32, offset: u32, algorithm: Algorithm) {
        // SAFETY: the caller's contract is the same; see BlockList.
        unsafe {
            assert_unchecked(offset <= WARP_SIZE / 2);
            self.warp.shuffle_reduce(lane, offset, algorithm)
        }
    }
}

impl<A: BufferAddress> InterWarp for FoldList<A> {
    // Runs once, in the last block of a grid.
    const COMPACT: bool = true;

    #[inline(always)]
    unsafe fn inter_warp_copy(&mut self, warps: u32) {
        let (thread, from, to) = (id::thread(), self.from, self.to);
        if lane(thread) == 0 && thread / WARP_SIZE < warps {
            // SAFETY: this thread has loaded the record with its number, and no other thread uses it.
            unsafe { to.store(self, thread) };
        }
        block_sync();
        if thread < warps {
            // SAFETY: stored before the barrier.
            unsafe { from.load(self, thread * WARP_SIZE) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_aligned_and_stay_in_their_memory() {
        let first: *mut c_void = core::ptr::without_provenance_mut(4096);
        for bytes in 1..200 {
            for records in [1, 2, 3, 128, 1024] {
                let layout = Layout::aligned(records, bytes);
                assert!(
                    (1..=records).contains(&layout.records) && layout.stride >= bytes,
                    "{bytes} {records}"
                );
                assert!(layout.records == records || bytes % 8 != 0, "{bytes} {records}");
                let more = u64::from(layout.records) * u64::from(layout.stride) + u64::from(layout.stride);
                assert!(more > u64::from(records * bytes), "{bytes} {records}: there is room for one more");
                for record in 0..layout.records {
                    let (base, index) = Buffer::laid_out(first, layout, u64::from(bytes)).at(record);
                    let start = base.addr() as u64 - 4096;
                    assert_eq!((start % 8, index), (0, 0), "{bytes} {records} {record}");
                    assert!(
                        start + u64::from(bytes) <= u64::from(records * bytes),
                        "{bytes} {records} {record}"
                    );
                }
            }
        }
        assert_eq!(Layout::aligned(1024, 12), Layout { records: 768, stride: 16, bytes: 12 });
        assert_eq!(Layout::aligned(1024, 0).records, 1024);
    }
}
