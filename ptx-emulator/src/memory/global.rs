//! Global memory: allocations in one virtual address space.
//!
//! Addresses are not used again until the address space has run out, so that a use after free is found. A gap
//! follows every allocation, so that an access past its end is found. Host memory that the device can access
//! has the same address as on the host.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use super::address_space::{GLOBAL_BASE, GLOBAL_END, HOST_END, NEAR_NULL};
use super::budget::Budget;
use super::error::MemoryError;
use super::host::{HostAccess, HostMappings, Mapping};
use super::region::Region;
use crate::heap::HeapAllocation;
use std::ptr::NonNull;

/// Alignment of every allocation, as the driver promises.
const ALIGNMENT: u64 = 256;
/// Bytes after every allocation that belong to none.
const GAP: u64 = 4096;
/// Alignment of host memory: a page, as with a real driver.
const PAGE: u64 = 4096;
/// The most freed allocations that are remembered, to name them in faults.
const MAX_REMEMBERED: usize = 64;

/// What an allocation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Purpose {
    /// Memory that the host allocated.
    Data,
    /// A `.global` variable of a module.
    Variable,
    /// A `.const` variable of a module: programs cannot write it.
    Constant,
    /// Host memory that the device can only read.
    HostReadOnly,
    /// Host memory that the device can access.
    Host,
    /// An allocation of a kernel with `malloc`.
    Heap,
    /// Memory that the host mapped at an address that it had reserved.
    Mapped,
}

/// A live allocation.
#[derive(Debug)]
pub(crate) struct Allocation {
    pub base: u64,
    pub purpose: Purpose,
    pub region: Region,
}

impl Allocation {
    #[inline]
    pub fn size(&self) -> u64 {
        self.region.size()
    }

    /// Host memory that it takes.
    fn cost(&self) -> u64 {
        if self.region.is_owned() { cost(self.size()) } else { 0 }
    }
}

/// Host memory that an allocation takes in addition to its bytes.
const OVERHEAD: u64 = 256;

fn cost(bytes: u64) -> u64 {
    bytes.saturating_add(OVERHEAD)
}

/// An allocation that an address has to do with.
pub(crate) struct Nearest {
    pub how: Nearness,
    pub base: u64,
    pub size: u64,
}

/// What an address has to do with an allocation.
#[derive(PartialEq, Eq)]
pub(crate) enum Nearness {
    /// It is in the allocation.
    Inside,
    /// It was, before the allocation was freed.
    Freed,
    /// It is behind its end.
    Beyond,
    /// It is before its start.
    Before,
}

/// What an address has to do with memory, as a phrase.
pub(crate) fn position(address: u64, base: u64, size: u64) -> String {
    let memory = format!("the {size} bytes allocated at {base:#x}");
    match (address.checked_sub(base), address.checked_sub(base.saturating_add(size))) {
        (None, _) => format!("{} bytes before the start of {memory}", base - address),
        (_, Some(past)) => format!("{past} bytes past the end of {memory}"),
        (Some(offset), None) => format!("at byte {offset} of {memory}"),
    }
}

/// Where [`GlobalMemory::find_near`] looks first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Near {
    /// The place in the list that lane 0 would have if the places followed each other as the lanes do.
    of_lane_0: usize,
    /// The place that was found last.
    last: usize,
}

/// All allocations.
#[derive(Debug)]
pub(crate) struct GlobalMemory {
    /// Allocations of the device, sorted by address. Freed ones stay in the list, without bytes, until it is
    /// half full of them: so freeing takes the same time wherever in the list it is.
    live: Vec<Allocation>,
    emptied: usize,
    /// Memory of the host that the device can access, by address: the host chooses the addresses, in any order.
    host: BTreeMap<u64, Allocation>,
    /// All memory of the host, if programs may access it, as far as it is known to be there.
    unified: Option<Vec<Allocation>>,
    budget: Arc<Budget>,
    freed: VecDeque<(u64, u64)>,
    /// Ranges of addresses that the host has reserved.
    reserved: Vec<(u64, u64)>,
    /// The addresses of its own memory.
    range: Range<u64>,
    next: u64,
    used: u64,
    total: u64,
    heap_used: u64,
    heap_limit: u64,
    /// The largest allocation that did not fit into the heap, 0 if all did.
    heap_missed: u64,
    /// What is known of each allocation on the heap, by address, if they are tracked.
    heap_allocations: Option<BTreeMap<u64, HeapAllocation>>,
}

/// The allocation of a sorted list that holds an address.
fn find_in(known: &[Allocation], address: u64) -> Option<&Allocation> {
    let after = known.partition_point(|a| a.base <= address);
    known[..after].last().filter(|a| address - a.base < a.size())
}

/// The default size of the device heap in bytes, as on a GPU.
const DEFAULT_HEAP: u64 = 8 << 20;

/// How much of the heap `malloc` takes for a number of bytes.
fn heap_bytes(bytes: u64) -> u64 {
    bytes.max(1).saturating_add(15) & !15
}

impl Clone for GlobalMemory {
    /// Host memory becomes memory of the clone, at the same addresses.
    fn clone(&self) -> GlobalMemory {
        let copy = |a: &Allocation| {
            // `Clone` cannot return an error.
            let region = a.region.duplicate().unwrap_or_else(|| {
                std::alloc::handle_alloc_error(std::alloc::Layout::new::<u8>());
            });
            Allocation { base: a.base, purpose: a.purpose, region }
        };
        GlobalMemory {
            live: self.live.iter().filter(|a| a.size() > 0).map(copy).collect(),
            emptied: 0,
            host: self.host.iter().map(|(&base, a)| (base, copy(a))).collect(),
            unified: None,
            budget: Arc::new((*self.budget).clone()),
            freed: self.freed.clone(),
            reserved: self.reserved.clone(),
            range: self.range.clone(),
            heap_allocations: self.heap_allocations.clone(),
            ..*self
        }
    }
}

impl GlobalMemory {
    /// Memory of `total` bytes, with addresses in `range`.
    pub fn new(total: u64, range: Range<u64>, budget: Arc<Budget>) -> GlobalMemory {
        GlobalMemory {
            live: Vec::new(),
            emptied: 0,
            host: BTreeMap::new(),
            unified: None,
            budget,
            freed: VecDeque::new(),
            reserved: Vec::new(),
            next: range.start,
            range,
            used: 0,
            total,
            heap_used: 0,
            heap_limit: DEFAULT_HEAP,
            heap_missed: 0,
            heap_allocations: None,
        }
    }

    /// Host memory that it may take.
    pub fn budget(&self) -> &Arc<Budget> {
        &self.budget
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
        let available = self.total - self.used;
        let address = if bytes > available { None } else { self.find_address(bytes, align.max(ALIGNMENT)) };
        let Some(base) = address else {
            return Err(MemoryError::OutOfMemory { requested: bytes, available, total: self.total });
        };
        // Accesses need an alignment of at most 16 bytes, which all memory of the host has.
        let region = self.host_memory(bytes, 16)?;
        self.next = self.next.max(base + bytes + GAP);
        self.used += bytes;
        self.insert(Allocation { base, purpose, region });
        Ok(base)
    }

    /// Allocates zeroed host memory, which the device can access at the same address.
    pub fn allocate_host(&mut self, bytes: u64) -> Result<u64, MemoryError> {
        if bytes == 0 {
            return Err(MemoryError::Empty);
        }
        let region = self.host_memory(bytes, PAGE)?;
        let base = region.address();
        self.insert(Allocation { base, purpose: Purpose::Host, region });
        Ok(base)
    }

    /// Zeroed memory without an address, for [`GlobalMemory::map_part`].
    pub fn allocate_unmapped(&mut self, bytes: u64) -> Result<Arc<Region>, MemoryError> {
        if bytes == 0 {
            return Err(MemoryError::Empty);
        }
        let available = self.total - self.used;
        if bytes > available {
            return Err(MemoryError::OutOfMemory { requested: bytes, available, total: self.total });
        }
        let region = self.host_memory(bytes, 16)?;
        self.used += bytes;
        Ok(Arc::new(region))
    }

    /// Counts memory of [`GlobalMemory::allocate_unmapped`] as free, which nobody uses any more.
    pub fn release_unmapped(&mut self, bytes: u64) {
        self.budget.give(cost(bytes));
        self.used -= bytes;
    }

    /// Addresses that no allocation gets, at a multiple of `align`, a power of two; none if they have run out.
    pub fn reserve(&mut self, bytes: u64, align: u64) -> Option<u64> {
        let base = self.next.checked_next_multiple_of(align.max(ALIGNMENT))?;
        let past = base.checked_add(bytes)?.checked_add(GAP)?;
        if past > self.range.end {
            return None;
        }
        self.next = past;
        self.reserved.push((base, base + bytes));
        Some(base)
    }

    /// Takes addresses for its own that a machine of the same address space has reserved.
    pub fn share_reserved(&mut self, base: u64, bytes: u64) {
        self.reserved.push((base, base + bytes));
    }

    /// Ends what [`GlobalMemory::reserve`] or [`GlobalMemory::share_reserved`] began; whether it did.
    pub fn unreserve(&mut self, base: u64, bytes: u64) -> bool {
        let known = self.reserved.len();
        self.reserved.retain(|range| *range != (base, base.saturating_add(bytes)));
        self.reserved.len() < known
    }

    /// Gives memory an address that is reserved.
    pub fn map_part(&mut self, base: u64, region: Region, access: HostAccess) -> Result<(), MemoryError> {
        let bytes = region.size();
        let end = base.checked_add(bytes).filter(|_| bytes > 0).ok_or(MemoryError::Empty)?;
        let is_reserved = self.reserved.iter().any(|(start, past)| *start <= base && end <= *past);
        if !is_reserved {
            return Err(MemoryError::NotAnAllocation { address: base });
        }
        let at = self.live.partition_point(|a| a.base < end);
        let before = self.live[..at].iter().rfind(|a| a.size() > 0);
        if before.is_some_and(|a| base < a.base + a.size()) {
            return Err(MemoryError::AlreadyMapped { address: base, bytes });
        }
        // What is left of memory that was unmapped here.
        self.tidy();
        let purpose = match access {
            HostAccess::Write => Purpose::Mapped,
            HostAccess::Read => Purpose::HostReadOnly,
        };
        self.insert(Allocation { base, purpose, region });
        Ok(())
    }

    /// Zeroed memory of the host, from the budget.
    fn host_memory(&self, bytes: u64, align: u64) -> Result<Region, MemoryError> {
        self.budget.take(cost(bytes))?;
        let length = usize::try_from(bytes).ok();
        length.and_then(|length| Region::zeroed(length, align as usize)).ok_or_else(|| {
            self.budget.give(cost(bytes));
            MemoryError::OutOfHostMemory { requested: bytes }
        })
    }

    /// Lets the device access a range of host memory, or only read it.
    ///
    /// # Safety
    ///
    /// As for [`Region::host`], until the range is unmapped.
    pub unsafe fn map(
        &mut self,
        start: NonNull<u8>,
        bytes: usize,
        access: HostAccess,
    ) -> Result<(), MemoryError> {
        let (base, size) = (start.addr().get() as u64, bytes as u64);
        if bytes == 0 {
            return Err(MemoryError::Empty);
        }
        if base >= HOST_END || size > HOST_END - base {
            return Err(MemoryError::NotHostMemory { address: base, bytes: size });
        }
        let before = self.host.range(..base + size).next_back();
        if before.is_some_and(|(_, a)| base < a.base + a.size()) {
            return Err(MemoryError::AlreadyMapped { address: base, bytes: size });
        }
        // SAFETY: the caller's promise.
        let region = unsafe { Region::host(start, bytes) };
        let purpose = match access {
            HostAccess::Write => Purpose::Host,
            HostAccess::Read => Purpose::HostReadOnly,
        };
        self.insert(Allocation { base, purpose, region });
        Ok(())
    }

    /// Ends what [`GlobalMemory::map`] began.
    pub fn unmap(&mut self, address: u64) -> Result<(), MemoryError> {
        self.remove(address, |a| !a.region.is_owned()).map(drop)
    }

    /// Lets the device access all memory of the host, or ends that.
    ///
    /// # Safety
    ///
    /// As for [`Region::host`], for every address that a program uses and that belongs to the host.
    pub unsafe fn unify(&mut self, unified: bool) {
        self.unified = unified.then(Vec::new);
    }

    /// Whether an address in no known allocation may be the host's.
    pub fn may_be_host(&self, address: u64) -> bool {
        self.unified.is_some() && address < HOST_END && self.find(address).is_none()
    }

    /// Replaces what is known of the host's memory, with unified memory.
    pub fn set_host_memory(&mut self, mappings: &HostMappings) {
        let Some(known) = &mut self.unified else { return };
        known.clear();
        // Nothing is mapped near the null address, and accesses there are mistakes.
        let everything = [Mapping { start: 1 << 16, end: HOST_END, writable: true }];
        for mapping in mappings.list().unwrap_or(&everything) {
            let size = (mapping.end - mapping.start) as usize;
            let Some(start) = NonNull::new(std::ptr::with_exposed_provenance_mut(mapping.start as usize))
            else {
                continue;
            };
            // SAFETY: the range is mapped, and what a program accesses in it is the promise of whoever called
            // `unify`.
            let region = unsafe { Region::host(start, size) };
            let purpose = if mapping.writable { Purpose::Host } else { Purpose::HostReadOnly };
            known.push(Allocation { base: mapping.start, purpose, region });
        }
    }

    fn insert(&mut self, allocation: Allocation) {
        if allocation.base < GLOBAL_BASE {
            self.host.insert(allocation.base, allocation);
            return;
        }
        // Most addresses are above all others.
        if self.live.last().is_none_or(|last| last.base < allocation.base) {
            self.live.push(allocation);
            return;
        }
        let at = self.live.partition_point(|a| a.base < allocation.base);
        self.live.insert(at, allocation);
    }

    /// The allocations that are not freed, sorted by address.
    fn live(&self) -> impl Iterator<Item = &Allocation> {
        self.host.values().chain(self.live.iter().filter(|a| a.size() > 0))
    }

    // Not inlined: the search of the map would keep the way of the device's own memory from being inlined.
    #[inline(never)]
    fn host_at_or_below(&self, address: u64) -> Option<&Allocation> {
        self.host.range(..=address).next_back().map(|(_, a)| a)
    }

    /// The last allocation that starts at an address or below.
    #[inline]
    fn at_or_below(&self, address: u64) -> Option<&Allocation> {
        if address < GLOBAL_BASE {
            return self.host_at_or_below(address);
        }
        let after = self.live.partition_point(|a| a.base <= address);
        self.live[..after].last()
    }

    /// Removes what is left of freed allocations.
    fn tidy(&mut self) {
        self.live.retain(|a| a.size() > 0);
        self.emptied = 0;
    }

    /// An address for `bytes` bytes: one that was never used, or the lowest that fits once there is none.
    fn find_address(&mut self, bytes: u64, align: u64) -> Option<u64> {
        let fits = |base: u64, end: u64| base.saturating_add(bytes).saturating_add(GAP) <= end;
        let fresh = self.next.next_multiple_of(align);
        if fits(fresh, self.range.end) {
            return Some(fresh);
        }
        self.tidy();
        let mut taken: Vec<_> = self.live.iter().map(|a| (a.base, a.base + a.size())).collect();
        taken.extend(&self.reserved);
        taken.sort_unstable();
        let mut base = self.range.start;
        for (start, end) in taken {
            if fits(base, start) {
                return Some(base);
            }
            base = base.max((end + GAP).next_multiple_of(align));
        }
        fits(base, self.range.end).then_some(base)
    }

    pub fn free(&mut self, address: u64) -> Result<(), MemoryError> {
        self.remove(address, |a| a.region.is_owned() && a.purpose != Purpose::Heap).map(drop)
    }

    /// Removes the allocation that starts at an address, if `wanted` accepts it.
    fn remove(
        &mut self,
        address: u64,
        wanted: impl FnOnce(&Allocation) -> bool,
    ) -> Result<Allocation, MemoryError> {
        let missing = MemoryError::NotAnAllocation { address };
        let gone = if address < GLOBAL_BASE {
            match self.host.entry(address) {
                Entry::Occupied(entry) if wanted(entry.get()) => entry.remove(),
                _ => return Err(missing),
            }
        } else {
            let at = self.live.binary_search_by_key(&address, |a| a.base).ok();
            let Some(at) = at.filter(|&at| self.live[at].size() > 0 && wanted(&self.live[at])) else {
                return Err(missing);
            };
            let Allocation { base, purpose, ref mut region } = self.live[at];
            let region = std::mem::replace(region, Region::empty());
            self.emptied += 1;
            if self.emptied > 64 && self.emptied > self.live.len() / 2 {
                self.tidy();
            }
            Allocation { base, purpose, region }
        };
        self.budget.give(gone.cost());
        if !matches!(gone.purpose, Purpose::Host | Purpose::HostReadOnly | Purpose::Mapped) {
            self.used -= gone.size();
        }
        if self.freed.len() == MAX_REMEMBERED {
            self.freed.pop_front();
        }
        self.freed.push_back((gone.base, gone.size()));
        Ok(gone)
    }

    /// Bytes of the heap in use, and in total.
    pub fn heap_usage(&self) -> (u64, u64) {
        (self.heap_used, self.heap_limit)
    }

    pub fn set_heap_limit(&mut self, bytes: u64) {
        self.heap_limit = bytes;
        self.heap_missed = 0;
    }

    /// The bytes of the heap, if an address lies in what `malloc` would have returned had they sufficed: null, and as many
    /// bytes as were asked for.
    pub fn heap_that_was_full(&self, address: u64) -> Option<u64> {
        let missed = self.heap_missed > 0 && address < self.heap_missed.max(NEAR_NULL);
        missed.then_some(self.heap_limit)
    }

    /// `malloc` of a kernel; `None` if the heap is exhausted. An allocation of zero bytes has an address of
    /// its own.
    pub fn heap_allocate(&mut self, bytes: u64) -> Option<u64> {
        let taken = heap_bytes(bytes);
        if taken > self.heap_limit.saturating_sub(self.heap_used) {
            self.heap_missed = self.heap_missed.max(bytes);
            return None;
        }
        let address = self.allocate(bytes.max(1), 1, Purpose::Heap).ok()?;
        self.heap_used += taken;
        Some(address)
    }

    /// Starts or ends keeping what is known of each allocation on the heap.
    pub fn track_heap_allocations(&mut self, keep: bool) {
        self.heap_allocations = keep.then(BTreeMap::new);
    }

    pub fn tracks_heap_allocations(&self) -> bool {
        self.heap_allocations.is_some()
    }

    /// Keeps what is known of an allocation on the heap.
    pub fn record_heap_allocation(&mut self, allocation: HeapAllocation) {
        if let Some(known) = &mut self.heap_allocations {
            known.insert(allocation.address, allocation);
        }
    }

    /// What is known of the allocations on the heap, by address.
    pub fn heap_allocations(&self) -> Vec<HeapAllocation> {
        self.heap_allocations.iter().flatten().map(|(_, allocation)| allocation.clone()).collect()
    }

    /// `free` of a kernel.
    pub fn heap_free(&mut self, address: u64) -> Result<(), MemoryError> {
        let gone = self.remove(address, |a| a.purpose == Purpose::Heap)?;
        self.heap_used -= heap_bytes(gone.size());
        if let Some(known) = &mut self.heap_allocations {
            known.remove(&address);
        }
        Ok(())
    }

    /// Frees all of the heap.
    pub fn heap_clear(&mut self) {
        self.heap_missed = 0;
        let heap = self.live().filter(|a| a.purpose == Purpose::Heap);
        for base in heap.map(|a| a.base).collect::<Vec<_>>() {
            // It was found a moment ago.
            let _ = self.heap_free(base);
        }
    }

    /// The allocation that holds `address`.
    #[inline]
    pub fn find(&self, address: u64) -> Option<&Allocation> {
        match self.at_or_below(address) {
            Some(a) if address - a.base < a.size() => Some(a),
            _ => self.unified.as_ref().and_then(|known| find_in(known, address)),
        }
    }

    /// The allocation that [`GlobalMemory::find_near`] tries first for a lane, and the offset, if `bytes` bytes are there.
    #[inline(always)]
    pub fn at_guess(
        &self,
        address: u64,
        bytes: u64,
        lane: usize,
        near: &Near,
    ) -> Option<(&Allocation, usize)> {
        let a = self.live.get(near.of_lane_0.wrapping_add(lane))?;
        let offset = address.wrapping_sub(a.base);
        (offset < a.size() && bytes <= a.size() - offset).then_some((a, offset as usize))
    }

    /// As [`GlobalMemory::find`], for the addresses of several lanes, which often lie in one allocation, or in allocations
    /// that follow each other as the lanes do.
    #[inline]
    pub fn find_near(&self, address: u64, lane: usize, near: &mut Near) -> Option<&Allocation> {
        let holds = |a: &&Allocation| address.wrapping_sub(a.base) < a.size();
        let guess = near.of_lane_0.wrapping_add(lane);
        for place in [guess, near.last] {
            if let Some(a) = self.live.get(place).filter(holds) {
                *near = Near { of_lane_0: place.wrapping_sub(lane), last: place };
                return Some(a);
            }
        }
        if address < GLOBAL_BASE {
            return self.find(address);
        }
        let place = self.live.partition_point(|a| a.base <= address).wrapping_sub(1);
        match self.live.get(place).filter(holds) {
            Some(a) => {
                *near = Near { of_lane_0: place.wrapping_sub(lane), last: place };
                Some(a)
            }
            None => self.find(address),
        }
    }

    /// The allocation that a range must lie in, and the offset there.
    pub fn locate(&self, address: u64, bytes: u64) -> Result<(&Allocation, usize), MemoryError> {
        self.find(address)
            .and_then(|a| {
                let start = address - a.base;
                (bytes <= a.size() - start).then_some((a, start as usize))
            })
            .ok_or_else(|| MemoryError::OutOfBounds { address, bytes, location: self.describe(address) })
    }

    /// How many of `bytes` bytes are in one allocation, if a range may go on in the next one: of memory that is mapped.
    pub fn together(&self, address: u64, bytes: u64) -> u64 {
        match self.find(address) {
            Some(a) if !a.region.is_owned() => bytes.min(a.base + a.size() - address),
            _ => bytes,
        }
    }

    /// As [`GlobalMemory::locate`], for writing by the host.
    pub fn locate_writable(&self, address: u64, bytes: u64) -> Result<(&Allocation, usize), MemoryError> {
        let found = self.locate(address, bytes)?;
        if found.0.purpose == Purpose::HostReadOnly {
            return Err(MemoryError::ReadOnly { address });
        }
        Ok(found)
    }

    /// Describes where an address lies, for messages.
    pub fn describe(&self, address: u64) -> String {
        match self.nearest(address) {
            Some(Nearest { how: Nearness::Freed, base, size }) => {
                format!("at byte {} of {size} bytes that were freed", address - base)
            }
            Some(Nearest { base, size, .. }) => position(address, base, size),
            None if address < NEAR_NULL => "near the null address".into(),
            None if self.unified.is_some() && address < HOST_END => "where the host has no memory".into(),
            None if self.is_elsewhere(address) => "in the memory of another GPU".into(),
            None => "in no allocation".into(),
        }
    }

    /// Whether an address belongs to another machine of the same address space.
    fn is_elsewhere(&self, address: u64) -> bool {
        (GLOBAL_BASE..GLOBAL_END).contains(&address) && !self.range.contains(&address)
    }

    /// The allocation that an address is in, was in, or is nearest to. Of the host's memory only what is close counts.
    pub fn nearest(&self, address: u64) -> Option<Nearest> {
        if let Some(a) = self.find(address) {
            return Some(Nearest { how: Nearness::Inside, base: a.base, size: a.size() });
        }
        let freed = self.freed.iter().rev().find(|(base, size)| address.wrapping_sub(*base) < *size);
        if let Some(&(base, size)) = freed {
            return Some(Nearest { how: Nearness::Freed, base, size });
        }
        let at = self.live.partition_point(|a| a.base <= address);
        let before = self.live[..at].iter().rfind(|a| a.size() > 0).or_else(|| self.at_or_below(address));
        let after = self.live[at..].iter().find(|a| a.size() > 0);
        let after = self.host.range(address..).next().map(|(_, a)| a).or(after);
        let past = before.map(|a| (address - a.base - a.size(), Nearness::Beyond, a));
        let short = after.map(|a| (a.base - address, Nearness::Before, a));
        let most = if self.range.contains(&address) { u64::MAX } else { GAP };
        let near = past.into_iter().chain(short).filter(|(distance, ..)| *distance < most);
        let (_, how, a) = near.min_by_key(|(distance, ..)| *distance)?;
        Some(Nearest { how, base: a.base, size: a.size() })
    }

    /// Hashes what programs can observe.
    pub fn hash_into(&self, state: &mut impl std::hash::Hasher) {
        use std::hash::Hash;
        for a in self.live() {
            (a.base, a.purpose, a.size()).hash(state);
            let mut chunk = [0; 4096];
            for start in (0..a.size() as usize).step_by(chunk.len()) {
                let bytes = &mut chunk[..(a.size() as usize - start).min(4096)];
                a.region.read(start, bytes);
                bytes.hash(state);
            }
        }
        self.next.hash(state);
    }
}
