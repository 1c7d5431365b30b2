//! Counts what the instructions of a launch do.

use std::collections::HashMap;
use std::sync::Arc;

use super::analysis::{Analysis, Branch};
use super::counters::{Counters, InstructionClass, WarpTotals};
use crate::exec::{Vectors, passes, sectors};
use crate::memory::MemoryEvent;
use crate::observer::{AccessKind, BarrierArrival, Observer, WarpAccess};
use crate::text::types::Space;

/// Bytes of a sector.
const SECTOR: u64 = 32;
/// Sectors of a page of [`Sectors`], one bit each.
const PAGE: u64 = 4096;
/// Addresses of atomics that are told apart; what is done to others is in the sums only.
const MOST_ADDRESSES: usize = 1 << 20;
/// In place of the number of an instruction that was not executed.
const UNUSED: u32 = u32::MAX;

/// Which sectors of global memory were accessed.
#[derive(Clone, Debug, Default)]
struct Sectors {
    pages: HashMap<u64, Box<[u64; (PAGE / 64) as usize]>>,
}

impl Sectors {
    fn insert(&mut self, sector: u64) {
        let page = self.pages.entry(sector / PAGE).or_insert_with(|| Box::new([0; (PAGE / 64) as usize]));
        page[(sector % PAGE / 64) as usize] |= 1 << (sector % 64);
    }

    fn count(&self) -> u64 {
        self.pages.values().flat_map(|page| page.iter()).map(|word| u64::from(word.count_ones())).sum()
    }
}

/// What is known of an executed instruction.
#[derive(Clone, Debug)]
pub(super) struct SiteCounts {
    pub pc: u32,
    pub counters: Counters,
    /// The most atomics on one of its addresses.
    pub hottest: u64,
}

/// An atomic whose lanes come one at a time.
#[derive(Clone, Debug)]
struct PendingAtomic {
    pc: u32,
    space: Space,
    size: u32,
    addresses: [u64; 32],
    lanes: usize,
}

/// The warps of a resident block.
type Warps = Vec<WarpTotals>;

/// Counts of a launch in progress.
#[derive(Clone, Debug)]
pub(crate) struct Collector {
    analysis: Arc<Analysis>,
    /// The index of each instruction among `sites`.
    numbers: Vec<u32>,
    sites: Vec<SiteCounts>,
    touched: Sectors,
    /// Atomics of global memory by address, with the instruction that did the last one.
    atomics: HashMap<u64, (u64, u32)>,
    pending: Option<PendingAtomic>,
    /// An indexed branch: block, warp, instruction and lanes.
    branched: Option<(u64, u32, u32, u32)>,
    /// The block of the last instruction, and other resident ones.
    current: (u64, Warps),
    others: HashMap<u64, Warps>,
    longest: WarpTotals,
}

impl Collector {
    pub fn new(analysis: Arc<Analysis>) -> Collector {
        Collector {
            numbers: vec![UNUSED; analysis.instructions()],
            analysis,
            sites: Vec::new(),
            touched: Sectors::default(),
            atomics: HashMap::new(),
            pending: None,
            branched: None,
            current: (0, Vec::new()),
            others: HashMap::new(),
            longest: WarpTotals::default(),
        }
    }

    /// What was counted: of each instruction, sectors of global memory that were accessed, and the largest totals of a
    /// warp.
    pub(super) fn finish(mut self) -> (Vec<SiteCounts>, u64, WarpTotals) {
        self.settle();
        let resident =
            std::mem::take(&mut self.others).into_values().chain([std::mem::take(&mut self.current.1)]);
        for warps in resident.collect::<Vec<_>>() {
            self.end(&warps);
        }
        for &(count, pc) in self.atomics.values() {
            if let Some(site) = self.sites.get_mut(self.numbers[pc as usize] as usize) {
                site.hottest = site.hottest.max(count);
            }
        }
        (self.sites, self.touched.count(), self.longest)
    }

    /// The counts of an instruction.
    fn counters(&mut self, pc: u32) -> &mut Counters {
        let number = &mut self.numbers[pc as usize];
        if *number == UNUSED {
            *number = self.sites.len() as u32;
            self.sites.push(SiteCounts { pc, counters: Counters::default(), hottest: 0 });
        }
        &mut self.sites[*number as usize].counters
    }

    /// The totals of a warp.
    fn warp(&mut self, block: u64, warp: u32) -> &mut WarpTotals {
        if self.current.0 != block {
            let warps = self.others.remove(&block).unwrap_or_default();
            let (last, warps) = std::mem::replace(&mut self.current, (block, warps));
            self.others.insert(last, warps);
        }
        let warps = &mut self.current.1;
        if warps.len() <= warp as usize {
            warps.resize(warp as usize + 1, WarpTotals::default());
        }
        &mut warps[warp as usize]
    }

    fn end(&mut self, warps: &[WarpTotals]) {
        warps.iter().for_each(|warp| self.longest.raise(warp));
    }

    /// Counts an atomic whose lanes have all come.
    fn settle(&mut self) {
        let Some(PendingAtomic { pc, space, size, addresses, lanes }) = self.pending.take() else { return };
        let mut sorted = addresses;
        let sorted = &mut sorted[..lanes];
        sorted.sort_unstable();
        let groups = || sorted.chunk_by(|a, b| a == b);
        let mask = u32::MAX >> (32 - lanes);
        let (of_sectors, of_passes) = match space {
            Space::Shared => (0, passes(&addresses, mask, size as usize)),
            _ => (sectors(Vectors::of_host(), &addresses, mask), 0),
        };
        let loads = self.analysis.site(pc).loads;
        let counters = self.counters(pc);
        counters.atomics += lanes as u64;
        counters.atomic_requests += 1;
        counters.atomic_addresses += groups().count() as u64;
        let turns = groups().map(<[u64]>::len).max().unwrap_or(0) as u64;
        counters.atomic_turns += turns;
        counters.atomic_sectors += of_sectors;
        if space == Space::Shared {
            counters.shared_turns += turns;
            counters.shared_requests += 1;
            counters.shared_passes += of_passes;
            counters.ideal_passes += (lanes as u64 * u64::from(size.div_ceil(4))).div_ceil(32);
        } else if loads {
            counters.round_loads += 1;
            counters.round_bytes += lanes as u64 * u64::from(size);
        }
        // Each block has an address of shared memory for itself.
        if space == Space::Shared {
            return;
        }
        sorted.iter().for_each(|address| self.touched.insert(address / SECTOR));
        for group in sorted.chunk_by(|a, b| a == b) {
            if self.atomics.len() < MOST_ADDRESSES || self.atomics.contains_key(&group[0]) {
                let known = self.atomics.entry(group[0]).or_default();
                *known = (known.0 + group.len() as u64, pc);
            }
        }
    }

    fn of_global(&mut self, access: &WarpAccess<'_>) {
        let lanes = u64::from(access.lanes.count_ones());
        let bytes = lanes * u64::from(access.size);
        let count = sectors(Vectors::of_host(), access.addresses, access.lanes);
        let loads = self.analysis.site(access.pc).loads;
        let counters = self.counters(access.pc);
        counters.ideal_sectors += bytes.div_ceil(SECTOR).min(count);
        if access.kind == AccessKind::Store {
            counters.store_requests += 1;
            counters.store_sectors += count;
            counters.store_bytes += bytes;
        } else {
            counters.load_requests += 1;
            counters.load_sectors += count;
            counters.load_bytes += bytes;
            if loads {
                counters.round_loads += 1;
                counters.round_bytes += bytes;
            }
        }
        let mut last = u64::MAX;
        for lane in (0..32).filter(|lane| access.lanes >> lane & 1 != 0) {
            let sector = access.addresses[lane] / SECTOR;
            if sector != last {
                self.touched.insert(sector);
                last = sector;
            }
        }
    }
}

impl Observer for Collector {
    const TRACKS_USES: bool = true;

    fn instruction(&mut self, block: u64, warp: u32, pc: u32, lanes: u32, active: u32) {
        self.settle();
        let site = self.analysis.site(pc);
        if let Some((of_block, of_warp, branch, before)) = self.branched.take()
            && (of_block, of_warp) == (block, warp)
            // Lanes that chose another target come to the branch again.
            && lanes != before
            && lanes & before == lanes
        {
            self.counters(branch).divergent_branches += 1;
        }
        let counters = self.counters(pc);
        if site.counted {
            counters.warp_instructions += 1;
            counters.thread_instructions += u64::from(active.count_ones());
            counters.classes[site.class as usize] += 1;
        }
        counters.local_requests += u64::from(site.local && active != 0);
        let round = site.round && active != 0;
        counters.load_rounds += u64::from(round);
        match site.branch {
            Branch::No => {}
            Branch::Guarded => {
                counters.branches += 1;
                counters.divergent_branches += u64::from(active != 0 && active != lanes);
            }
            Branch::Indexed => {
                counters.branches += 1;
                self.branched = Some((block, warp, pc, lanes));
            }
        }
        let totals = self.warp(block, warp);
        totals.instructions += u64::from(site.counted);
        totals.rounds += u64::from(round) + u64::from(site.waits_for_stores && active != 0);
    }

    fn warp_access(&mut self, access: &WarpAccess<'_>) {
        // Constants have a cache of their own.
        if self.analysis.site(access.pc).class == InstructionClass::Parameter {
            return;
        }
        match access.space {
            Space::Shared => {
                let bytes = u64::from(access.lanes.count_ones()) * u64::from(access.size.max(4));
                let count = passes(access.addresses, access.lanes, access.size as usize);
                let counters = self.counters(access.pc);
                counters.shared_requests += 1;
                counters.shared_passes += count;
                counters.ideal_passes += bytes.div_ceil(128).min(count);
            }
            Space::Global => self.of_global(access),
            _ => {}
        }
    }

    fn access(&mut self, kind: AccessKind, event: &MemoryEvent) {
        if kind != AccessKind::Atomic {
            return;
        }
        let pending = self.pending.get_or_insert(PendingAtomic {
            pc: event.pc,
            space: event.space,
            size: event.size,
            addresses: [0; 32],
            lanes: 0,
        });
        if (pending.pc, pending.space) != (event.pc, event.space) || pending.lanes == 32 {
            self.settle();
            return self.access(kind, event);
        }
        pending.addresses[pending.lanes] = event.address;
        pending.lanes += 1;
    }

    fn barrier_arrive(&mut self, arrival: BarrierArrival) {
        self.counters(arrival.pc).barriers += 1;
        self.warp(arrival.block, arrival.warp).barriers += 1;
    }

    fn block_end(&mut self, block: u64) {
        let warps = match self.current.0 == block {
            true => std::mem::take(&mut self.current.1),
            false => self.others.remove(&block).unwrap_or_default(),
        };
        self.end(&warps);
    }
}
