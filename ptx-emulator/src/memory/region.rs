//! Bytes that several host threads can access at the same time: the one file of this crate that accesses memory of
//! programs with `unsafe`.
//!
//! Device programs may race, so each of their accesses is a relaxed atomic access of the host, in units of at
//! most eight bytes; fences of the program become fences of the host. Racing accesses of different sizes are
//! outside Rust's memory model. Here they are still single accesses of the machine to memory that is valid,
//! and the values are only bytes.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The alignment that the host's allocator provides without writing to the memory.
const DEFAULT_ALIGN: usize = 16;

/// The size of memory is rounded up to this: to the words that programs exchange whole, to change a byte.
const WORD: usize = 4;

/// Bytes that the host's caches fetch at once.
#[cfg(target_arch = "x86_64")]
const CACHE_LINE: usize = 64;

/// Units that are copied in one round of a loop: the compiler does not unroll loops over atomics.
const UNROLLED: usize = 8;

/// Locks for atomics that the host does not have, by address.
static STRIPES: [Mutex<()>; 64] = [const { Mutex::new(()) }; 64];

/// A range of the host's memory.
#[derive(Debug)]
pub(crate) struct Region {
    start: NonNull<u8>,
    size: usize,
    /// The bytes that may be accessed: up to the end of the last word of memory that is owned.
    capacity: usize,
    owner: Owner,
}

/// Whose memory a region is.
#[derive(Debug)]
enum Owner {
    /// Its own: what to deallocate at the end.
    Region(NonNull<u8>, Layout),
    /// That of a region which lives as long.
    Whole { _region: Arc<Region> },
    /// The host's.
    Host,
}

// SAFETY: access through `&` is atomic, and any thread may deallocate owned memory.
unsafe impl Send for Region {}
// SAFETY: as above.
unsafe impl Sync for Region {}

impl Region {
    /// Zeroed memory at a multiple of `align`, a power of two. `None` if the host has none. The last word, of 4
    /// bytes, may be accessed whole.
    pub fn zeroed(size: usize, align: usize) -> Option<Region> {
        // For a larger alignment than its default, the allocator writes the zeros itself; otherwise fresh
        // pages cost nothing until they are used.
        let extra = if align > DEFAULT_ALIGN { align } else { 0 };
        let capacity = size.checked_next_multiple_of(WORD)?;
        let bytes = capacity.checked_add(extra)?.max(1);
        let layout = Layout::from_size_align(bytes, DEFAULT_ALIGN).ok()?;
        // SAFETY: the layout has a size.
        let all = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let skip = if extra == 0 { 0 } else { all.as_ptr().align_offset(align) };
        // SAFETY: `skip` is below `align`, which was added to the size.
        let start = unsafe { all.add(skip) };
        Some(Region { start, size, capacity, owner: Owner::Region(all, layout) })
    }

    /// No memory.
    pub fn empty() -> Region {
        Region { start: NonNull::dangling(), size: 0, capacity: 0, owner: Owner::Host }
    }

    /// Memory that belongs to others.
    ///
    /// # Safety
    ///
    /// Until the region is dropped, its bytes may be read and written through it, at any offset that is
    /// accessed. Others that access a byte at the same time do so atomically, unless both only read.
    pub unsafe fn host(start: NonNull<u8>, size: usize) -> Region {
        Region { start, size, capacity: size, owner: Owner::Host }
    }

    /// A part of another region; `None` if it does not lie in it.
    pub fn part(whole: &Arc<Region>, offset: usize, size: usize) -> Option<Region> {
        let is_inside = offset.checked_add(size).is_some_and(|end| end <= whole.size);
        // SAFETY: inside of the region.
        let start = is_inside.then(|| unsafe { whole.start.add(offset) })?;
        Some(Region { start, size, capacity: size, owner: Owner::Whole { _region: whole.clone() } })
    }

    pub fn size(&self) -> u64 {
        self.size as u64
    }

    /// The address of the first byte.
    pub fn address(&self) -> u64 {
        self.start.addr().get() as u64
    }

    /// Where its first byte is. Compiled code accesses it there as the methods here do.
    pub fn pointer(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// Whether the memory came from [`Region::zeroed`].
    pub fn is_owned(&self) -> bool {
        matches!(self.owner, Owner::Region(..))
    }

    /// The address of `bytes` bytes at an offset.
    #[inline]
    fn at(&self, offset: usize, bytes: usize) -> *mut u8 {
        let capacity = self.capacity;
        assert!(offset <= capacity && bytes <= capacity - offset, "an access outside its region");
        // SAFETY: the offset is inside the region's capacity.
        unsafe { self.start.add(offset).as_ptr() }
    }

    /// Reads bytes: in one access if they are 1, 2, 4 or 8 and aligned, else in units.
    #[inline]
    pub fn read(&self, offset: usize, into: &mut [u8]) {
        // SAFETY: the bytes are inside the region.
        unsafe { load(self.at(offset, into.len()), into) }
    }

    /// Writes bytes, as [`Region::read`] reads them.
    #[inline]
    pub fn write(&self, offset: usize, from: &[u8]) {
        // SAFETY: the bytes are inside the region.
        unsafe { store(self.at(offset, from.len()), from) }
    }

    /// Reads little-endian words of 8 bytes. Returns false, and does nothing, if the host's address is not a multiple of 8.
    #[inline]
    pub fn read_words64(&self, offset: usize, into: &mut [u64; 32]) -> bool {
        // SAFETY: the bytes are inside the region.
        unsafe { load_words64(self.at(offset, size_of_val(into)), into) }
    }

    /// As [`Region::read_words64`], of 4 bytes.
    #[inline]
    pub fn read_words32(&self, offset: usize, into: &mut [u32; 32]) -> bool {
        // SAFETY: the bytes are inside the region.
        unsafe { load_words32(self.at(offset, size_of_val(into)), into) }
    }

    /// Writes little-endian words, as [`Region::read_words64`] reads them.
    #[inline]
    pub fn write_words64(&self, offset: usize, from: &[u64; 32]) -> bool {
        // SAFETY: the bytes are inside the region.
        unsafe { store_words64(self.at(offset, size_of_val(from)), from) }
    }

    /// As [`Region::write_words64`], of 4 bytes.
    #[inline]
    pub fn write_words32(&self, offset: usize, from: &[u32; 32]) -> bool {
        // SAFETY: the bytes are inside the region.
        unsafe { store_words32(self.at(offset, size_of_val(from)), from) }
    }

    /// Lets the host's caches fetch bytes that are likely to be read soon; they need not be inside.
    #[inline]
    pub fn prefetch(&self, offset: usize, bytes: usize) {
        #[cfg(target_arch = "x86_64")]
        if offset < self.capacity {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            for line in (offset..offset + bytes).step_by(CACHE_LINE) {
                // SAFETY: a prefetch accesses nothing, whatever the address.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(self.start.as_ptr().wrapping_add(line).cast()) };
            }
        }
    }

    /// Replaces 1, 2, 4, 8 or 16 aligned bytes by what `update` makes of them, atomically with respect to
    /// other updates of the same size, and to reads and writes of up to 8 bytes. `update` may be called
    /// several times; the last result is stored.
    pub fn update<const T: usize>(&self, offset: usize, update: &mut dyn FnMut(&mut [u8])) {
        let at = self.at(offset, T);
        let in_bytes = |word: u64| {
            let mut bytes = word.to_le_bytes();
            update(&mut bytes[..T]);
            u64::from_le_bytes(bytes)
        };
        // SAFETY: the bytes are inside the region.
        if T <= 8 && unsafe { exchange(at, T, in_bytes) } {
            return;
        }
        let stripe = &STRIPES[at.addr() / 16 % STRIPES.len()];
        let _held = stripe.lock().unwrap_or_else(PoisonError::into_inner);
        let mut value = [0; T];
        self.read(offset, &mut value);
        update(&mut value);
        self.write(offset, &value);
    }

    /// As [`Region::update`], of 1, 2, 4 or 8 bytes as a little-endian word. Returns false, and does nothing, if the host's
    /// address is not a multiple of their number.
    #[inline]
    pub fn update_word<const T: usize>(&self, offset: usize, update: impl FnMut(u64) -> u64) -> bool {
        // SAFETY: the bytes are inside the region.
        unsafe { exchange(self.at(offset, T), T, update) }
    }

    /// Copies bytes of `from` here; ranges of one memory may overlap.
    pub fn copy(&self, offset: usize, from: &Region, from_offset: usize, bytes: usize) {
        let mut chunk = [0; 4096];
        let mut copy_chunk = |start: usize| {
            let chunk = &mut chunk[..(bytes - start).min(4096)];
            from.read(from_offset + start, chunk);
            self.write(offset + start, chunk);
        };
        // A copy to higher addresses starts at the end, so as not to overwrite what is still to be read.
        let starts = (0..bytes).step_by(4096);
        if self.address() + offset as u64 <= from.address() + from_offset as u64 {
            starts.for_each(&mut copy_chunk);
        } else {
            starts.rev().for_each(&mut copy_chunk);
        }
    }

    /// A copy of the bytes in memory of its own.
    pub fn duplicate(&self) -> Option<Region> {
        let copy = Region::zeroed(self.size, DEFAULT_ALIGN)?;
        copy.copy(0, self, 0, self.size);
        Some(copy)
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        if let Owner::Region(all, layout) = self.owner {
            // SAFETY: it was allocated with this layout, and is deallocated once.
            unsafe { dealloc(all.as_ptr(), layout) }
        }
    }
}

/// The largest unit, up to 8, that divides the address and the number of bytes.
#[inline]
fn unit(address: *const u8, bytes: usize) -> usize {
    1 << (address.addr() | bytes | 8).trailing_zeros()
}

macro_rules! words {
    ($($load:ident $store:ident $atomic:ident $word:ident)*) => {$(
        /// Reads little-endian words; returns false if their address is not aligned.
        ///
        /// # Safety
        ///
        /// The bytes are inside a region.
        #[inline]
        unsafe fn $load(from: *mut u8, into: &mut [$word; 32]) -> bool {
            if !from.addr().is_multiple_of(size_of::<$word>()) {
                return false;
            }
            for (group, words) in into.chunks_exact_mut(UNROLLED).enumerate() {
                for (i, word) in words.iter_mut().enumerate() {
                    let at = (group * UNROLLED + i) * size_of::<$word>();
                    // SAFETY: a word of the range, aligned to its size; all accesses to it are atomic.
                    let from = unsafe { $atomic::from_ptr(from.add(at).cast()) };
                    *word = $word::from_le(from.load(Ordering::Relaxed));
                }
            }
            true
        }

        /// Writes little-endian words; returns false if their address is not aligned.
        ///
        /// # Safety
        ///
        /// The bytes are inside a region.
        #[inline]
        unsafe fn $store(to: *mut u8, from: &[$word; 32]) -> bool {
            if !to.addr().is_multiple_of(size_of::<$word>()) {
                return false;
            }
            for (group, words) in from.chunks_exact(UNROLLED).enumerate() {
                for (i, word) in words.iter().enumerate() {
                    let at = (group * UNROLLED + i) * size_of::<$word>();
                    // SAFETY: as in the function above.
                    let to = unsafe { $atomic::from_ptr(to.add(at).cast()) };
                    to.store(word.to_le(), Ordering::Relaxed);
                }
            }
            true
        }
    )*};
}

words! {
    load_words32 store_words32 AtomicU32 u32
    load_words64 store_words64 AtomicU64 u64
}

macro_rules! by_unit {
    ($($size:literal $atomic:ident $word:ident)*) => {
        /// Reads `into.len()` bytes, unit by unit.
        ///
        /// # Safety
        ///
        /// The bytes are inside a region.
        #[inline]
        unsafe fn load(from: *mut u8, into: &mut [u8]) {
            match unit(from, into.len()) {
                $($size => {
                    let read = |i: usize, unit: &mut [u8]| {
                        // SAFETY: a unit of the range, aligned to its size; all accesses to it are atomic.
                        let from = unsafe { $atomic::from_ptr(from.add(i * $size).cast()) };
                        unit.copy_from_slice(&from.load(Ordering::Relaxed).to_ne_bytes());
                    };
                    let mut groups = into.chunks_exact_mut($size * UNROLLED);
                    let mut done = 0;
                    for group in &mut groups {
                        for (i, unit) in group.chunks_exact_mut($size).enumerate() {
                            read(done + i, unit);
                        }
                        done += UNROLLED;
                    }
                    for (i, unit) in groups.into_remainder().chunks_exact_mut($size).enumerate() {
                        read(done + i, unit);
                    }
                })*
                _ => {}
            }
        }

        /// Writes `from.len()` bytes, unit by unit.
        ///
        /// # Safety
        ///
        /// The bytes are inside a region.
        #[inline]
        unsafe fn store(to: *mut u8, from: &[u8]) {
            match unit(to, from.len()) {
                $($size => {
                    let write = |i: usize, unit: &[u8]| {
                        // SAFETY: as in `load`.
                        let to = unsafe { $atomic::from_ptr(to.add(i * $size).cast()) };
                        let word = $word::from_ne_bytes(unit.try_into().unwrap_or_default());
                        to.store(word, Ordering::Relaxed);
                    };
                    let groups = from.chunks_exact($size * UNROLLED);
                    let (mut done, rest) = (0, groups.remainder());
                    for group in groups {
                        for (i, unit) in group.chunks_exact($size).enumerate() {
                            write(done + i, unit);
                        }
                        done += UNROLLED;
                    }
                    for (i, unit) in rest.chunks_exact($size).enumerate() {
                        write(done + i, unit);
                    }
                })*
                _ => {}
            }
        }

        /// Updates one unit; returns false if the bytes are not one unit.
        ///
        /// # Safety
        ///
        /// The bytes are inside a region.
        #[inline]
        unsafe fn exchange(at: *mut u8, bytes: usize, mut update: impl FnMut(u64) -> u64) -> bool {
            if unit(at, bytes) != bytes {
                return false;
            }
            match bytes {
                $($size => {
                    // SAFETY: as in `load`.
                    let at = unsafe { $atomic::from_ptr(at.cast()) };
                    let mut old = at.load(Ordering::Relaxed);
                    loop {
                        let new = (update(u64::from($word::from_le(old))) as $word).to_le();
                        match at.compare_exchange_weak(old, new, Ordering::AcqRel, Ordering::Relaxed) {
                            Ok(_) => return true,
                            Err(now) => old = now,
                        }
                    }
                })*
                _ => false,
            }
        }
    };
}

by_unit! {
    1 AtomicU8 u8
    2 AtomicU16 u16
    4 AtomicU32 u32
    8 AtomicU64 u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_offset_and_length() {
        let region = Region::zeroed(64, 4096).expect("memory");
        assert!(region.address().is_multiple_of(4096));
        let mut model = [0u8; 64];
        for (round, (offset, length)) in (0..64).flat_map(|o| (0..=64 - o).map(move |l| (o, l))).enumerate() {
            let bytes: Vec<u8> = (0..length).map(|i| (round * 7 + i * 3) as u8).collect();
            region.write(offset, &bytes);
            model[offset..offset + length].copy_from_slice(&bytes);
            let mut back = vec![0; length];
            region.read(offset, &mut back);
            assert_eq!(back, bytes);
        }
        let mut all = [0; 64];
        region.read(0, &mut all);
        assert_eq!(all, model);
    }

    #[test]
    #[should_panic(expected = "outside its region")]
    fn no_access_outside() {
        let region = Region::zeroed(64, 16).expect("memory");
        region.read(60, &mut [0; 5]);
    }

    #[test]
    fn updates_of_threads_add_up() {
        fn count<const T: usize>(region: &Region) {
            for _ in 0..20_000 {
                region.update::<T>(0, &mut |bytes| {
                    let carry: Result<(), ()> = bytes.iter_mut().try_for_each(|b| {
                        *b = b.wrapping_add(1);
                        if *b == 0 { Ok(()) } else { Err(()) }
                    });
                    let _ = carry;
                });
            }
        }
        for (size, run) in
            [(2, count::<2> as fn(&Region)), (4, count::<4>), (8, count::<8>), (16, count::<16>)]
        {
            let region = Region::zeroed(16, 16).expect("memory");
            std::thread::scope(|scope| (0..3).for_each(|_| drop(scope.spawn(|| run(&region)))));
            let mut sum = [0; 8];
            region.read(0, &mut sum);
            assert_eq!(u64::from_le_bytes(sum), 60_000 % (1 << (8 * size.min(7))), "{size} bytes");
        }
    }

    #[test]
    fn copies_may_overlap() {
        let data: Vec<u8> = (0..20_000).map(|i| ((i * i) >> 7) as u8).collect();
        for (to, from, bytes) in [(5, 0, 19_995), (0, 5, 19_995), (9000, 100, 9500), (7, 7, 100)] {
            let region = Region::zeroed(data.len(), 16).expect("memory");
            region.write(0, &data);
            region.copy(to, &region, from, bytes);
            let mut expected = data.clone();
            expected.copy_within(from..from + bytes, to);
            let mut back = vec![0; data.len()];
            region.duplicate().expect("memory").read(0, &mut back);
            assert!(back == expected, "{bytes} bytes from {from} to {to}");
        }
    }
}
