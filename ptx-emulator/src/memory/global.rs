//! Global memory: allocations in one virtual address space.
//!
//! Addresses are never reused while the machine lives unless the space runs out, so that a use after free
//! is found; between allocations lies a gap that no access can cross unseen.

use std::collections::VecDeque;

use super::{GLOBAL_BASE, GLOBAL_END};

/// Alignment of every allocation, as the driver promises.
const ALIGNMENT: u64 = 256;
/// Unmapped bytes after every allocation.
const GAP: u64 = 4096;
/// How many freed allocations are remembered to name them in faults.
const REMEMBERED: usize = 64;

/// An operation on device memory that cannot be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// The device has not enough memory left.
    #[error("out of device memory: {requested} bytes asked for, {available} of {total} available")]
    OutOfMemory {
        /// Bytes asked for.
        requested: u64,
        /// Bytes left.
        available: u64,
        /// Bytes of the device.
        total: u64,
    },
    /// Zero bytes were asked for.
    #[error("an allocation of zero bytes")]
    Empty,
    /// The address is not the start of a live allocation.
    #[error("{address:#x} is not the start of an allocation")]
    NotAnAllocation {
        /// The address given.
        address: u64,
    },
    /// The range is not inside one live allocation.
    #[error("{bytes} bytes at {address:#x} are {place}")]
    OutOfBounds {
        /// First address of the range.
        address: u64,
        /// Length of the range.
        bytes: u64,
        /// Where the range lies, in words.
        place: String,
    },
}

/// What an allocation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Purpose {
    /// Memory a caller asked for.
    Data,
    /// A `.global` variable of a module.
    Variable,
    /// A `.const` variable of a module: programs cannot write it.
    Constant,
    /// Host memory that the device can reach.
    Host,
    /// What a kernel took with `malloc`.
    Heap,
}

/// A live allocation.
#[derive(Clone, Debug, Hash)]
pub(crate) struct Allocation {
    pub base: u64,
    pub bytes: Vec<u8>,
    pub purpose: Purpose,
}

impl Allocation {
    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }
}

/// All allocations, sorted by address.
#[derive(Clone, Debug)]
pub(crate) struct GlobalMemory {
    live: Vec<Allocation>,
    freed: VecDeque<(u64, u64)>,
    next: u64,
    used: u64,
    total: u64,
    heap_used: u64,
    heap_limit: u64,
}

/// Bytes of the device heap unless told otherwise, as on a GPU.
const USUAL_HEAP: u64 = 8 << 20;

/// What `malloc` takes from the heap for some bytes.
fn heap_bytes(bytes: u64) -> u64 {
    bytes.max(1).saturating_add(15) & !15
}

impl GlobalMemory {
    pub fn new(total: u64) -> GlobalMemory {
        GlobalMemory {
            live: Vec::new(),
            freed: VecDeque::new(),
            next: GLOBAL_BASE,
            used: 0,
            total,
            heap_used: 0,
            heap_limit: USUAL_HEAP,
        }
    }

    /// Bytes in use and bytes of the device.
    pub fn usage(&self) -> (u64, u64) {
        (self.used, self.total)
    }

    /// Allocates zeroed memory at a multiple of `align` and of 256.
    pub fn allocate(&mut self, bytes: u64, align: u64, purpose: Purpose) -> Result<u64, MemoryError> {
        if bytes == 0 {
            return Err(MemoryError::Empty);
        }
        let out = MemoryError::OutOfMemory {
            requested: bytes,
            available: self.total - self.used,
            total: self.total,
        };
        if bytes > self.total - self.used {
            return Err(out);
        }
        let Ok(length) = usize::try_from(bytes) else { return Err(out) };
        let Some(base) = self.place(bytes, align.max(ALIGNMENT)) else { return Err(out) };
        self.next = self.next.max(base + bytes + GAP);
        self.used += bytes;
        // `vec![0; n]` asks the host for zeroed pages, which cost nothing until they are touched.
        let allocation = Allocation { base, bytes: vec![0; length], purpose };
        self.live.insert(self.live.partition_point(|a| a.base < base), allocation);
        Ok(base)
    }

    /// An address for `bytes` bytes: one that was never used, or the lowest that fits once there is none.
    fn place(&self, bytes: u64, align: u64) -> Option<u64> {
        let fits = |base: u64, end: u64| base.saturating_add(bytes).saturating_add(GAP) <= end;
        let fresh = self.next.next_multiple_of(align);
        if fits(fresh, GLOBAL_END) {
            return Some(fresh);
        }
        let mut base = GLOBAL_BASE;
        for a in &self.live {
            if fits(base, a.base) {
                return Some(base);
            }
            base = (a.base + a.size() + GAP).next_multiple_of(align);
        }
        fits(base, GLOBAL_END).then_some(base)
    }

    pub fn free(&mut self, address: u64) -> Result<(), MemoryError> {
        self.release(address, |purpose| purpose != Purpose::Heap).map(drop)
    }

    /// Frees an allocation of a purpose that is allowed.
    fn release(
        &mut self,
        address: u64,
        allowed: impl FnOnce(Purpose) -> bool,
    ) -> Result<Allocation, MemoryError> {
        let at = self
            .live
            .binary_search_by_key(&address, |a| a.base)
            .ok()
            .filter(|&at| allowed(self.live[at].purpose))
            .ok_or(MemoryError::NotAnAllocation { address })?;
        let gone = self.live.remove(at);
        self.used -= gone.size();
        if self.freed.len() == REMEMBERED {
            self.freed.pop_front();
        }
        self.freed.push_back((gone.base, gone.size()));
        Ok(gone)
    }

    /// Bytes of the heap in use, and in all.
    pub fn heap_usage(&self) -> (u64, u64) {
        (self.heap_used, self.heap_limit)
    }

    pub fn set_heap_limit(&mut self, bytes: u64) {
        self.heap_limit = bytes;
    }

    /// `malloc` of a kernel: `None` when the heap is exhausted. Zero bytes have an address of their own.
    pub fn heap_allocate(&mut self, bytes: u64) -> Option<u64> {
        let taken = heap_bytes(bytes);
        if taken > self.heap_limit.saturating_sub(self.heap_used) {
            return None;
        }
        let address = self.allocate(bytes.max(1), 1, Purpose::Heap).ok()?;
        self.heap_used += taken;
        Some(address)
    }

    /// `free` of a kernel.
    pub fn heap_free(&mut self, address: u64) -> Result<(), MemoryError> {
        let gone = self.release(address, |purpose| purpose == Purpose::Heap)?;
        self.heap_used -= heap_bytes(gone.size());
        Ok(())
    }

    /// Frees all of the heap.
    pub fn heap_clear(&mut self) {
        let heap = self.live.iter().filter(|a| a.purpose == Purpose::Heap);
        for base in heap.map(|a| a.base).collect::<Vec<_>>() {
            // It was there a moment ago.
            let _ = self.heap_free(base);
        }
    }

    /// Index of the allocation that could hold `address`, if there is one at or below it.
    #[inline]
    pub fn find(&self, address: u64) -> Option<usize> {
        let after = self.live.partition_point(|a| a.base <= address);
        let at = after.checked_sub(1)?;
        (address - self.live[at].base < self.live[at].size()).then_some(at)
    }

    #[inline]
    pub fn at(&self, index: usize) -> &Allocation {
        &self.live[index]
    }

    #[inline]
    pub fn at_mut(&mut self, index: usize) -> &mut Allocation {
        &mut self.live[index]
    }

    /// The bytes of a range that must lie in one allocation.
    pub fn slice(&self, address: u64, bytes: u64) -> Result<&[u8], MemoryError> {
        let (at, range) = self.locate(address, bytes)?;
        Ok(&self.live[at].bytes[range])
    }

    /// As [`GlobalMemory::slice`], to be written.
    pub fn slice_mut(&mut self, address: u64, bytes: u64) -> Result<&mut [u8], MemoryError> {
        let (at, range) = self.locate(address, bytes)?;
        Ok(&mut self.live[at].bytes[range])
    }

    fn locate(&self, address: u64, bytes: u64) -> Result<(usize, std::ops::Range<usize>), MemoryError> {
        self.find(address)
            .and_then(|at| {
                let start = address - self.live[at].base;
                let inside = bytes <= self.live[at].size() - start;
                inside.then_some((at, start as usize..(start + bytes) as usize))
            })
            .ok_or_else(|| MemoryError::OutOfBounds { address, bytes, place: self.describe(address) })
    }

    /// Where an address lies, for a message.
    pub fn describe(&self, address: u64) -> String {
        if let Some(at) = self.find(address) {
            let a = &self.live[at];
            return format!(
                "at byte {} of the {} bytes allocated at {:#x}",
                address - a.base,
                a.size(),
                a.base
            );
        }
        if let Some((base, size)) =
            self.freed.iter().rev().find(|(base, size)| address.wrapping_sub(*base) < *size)
        {
            return format!("at byte {} of {size} bytes that were freed", address - base);
        }
        let after = self.live.partition_point(|a| a.base <= address);
        match after.checked_sub(1).map(|at| &self.live[at]) {
            Some(a) if address - a.base - a.size() < GAP => format!(
                "{} bytes past the end of the {} bytes allocated at {:#x}",
                address - a.base - a.size(),
                a.size(),
                a.base
            ),
            _ if address < 4096 => "near the null address".into(),
            _ => "in no allocation".into(),
        }
    }

    /// Feeds what programs can observe to a hasher.
    pub fn hash_into(&self, state: &mut impl std::hash::Hasher) {
        use std::hash::Hash;
        self.live.hash(state);
        self.next.hash(state);
    }
}
