//! A launch on a machine that checks: what its threads do, as the executor tells it.

use std::collections::HashSet;
use std::sync::Arc;

use super::cell::{ANY_THREAD, Cell, Epoch, NumberMap};
use super::clock::{Clock, ThreadIndex};
use super::comparison::Comparison;
use super::definedness::{Definedness, OriginSite, OriginSites};
use super::footprint::{Footprint, for_each_shape};
use super::history;
use super::operations::OperationOrder;
use super::options::Checks;
use super::pages::PAGE;
use super::races::Checker;
use super::shadow::Page;
use super::sites::HOST_SITE;
use super::threads::{BlockClocks, Released};
use super::unused::Race;
use crate::launch::LaunchConfig;
use crate::memory::{MemoryEvent, MemoryOrder, Scope};
use crate::observer::{
    AccessKind, BarrierArrival, Observer, Origin, UndefinedBytes, UndefinedSource, WarpAccess,
};
use crate::program::{Kernel, Program};
use crate::target_region::{begins_as_one, is_as_one_after};
use crate::text::types::Space;

/// Strong accesses of a launch without any progress after which its threads count as waiting for ever, at least. A kernel
/// that waits for the host, or for a kernel of another stream, executes fewer.
const MAX_WAITING: u64 = 1 << 20;

/// The same for each warp that is resident: while thousands wait, the one they wait for may have its turn seldom, and
/// compute for long without an access.
const MAX_WAITING_OF_WARP: u64 = 1 << 14;

/// Accesses of a warp that have more shapes than so many have none at all.
const MANY_SHAPES: usize = 8;

/// What is known of a launch's threads.
#[derive(Clone, Debug)]
pub(crate) struct LaunchState {
    operation: u16,
    threads: u32,
    blocks: NumberMap<u64, BlockState>,
    /// The index of each instruction's site.
    sites: Vec<u16>,
    /// Strong accesses since a thread has made progress.
    waiting: u64,
    /// The instructions that may use what others have read and not used, one bit each.
    uses: Vec<u64>,
    /// Threads, by block and number, that have read what another launch, an operation, has released, and that acquire it by
    /// a fence.
    read: HashSet<(u64, u32, u16)>,
    /// Whether pages have histories; otherwise each location is compared, with the same findings.
    histories: bool,
    /// Whether all threads of a block begin with what one thread would do.
    as_one: bool,
    /// The shapes of an access: the page's number, the lanes that access it, and what they access. Kept for their memory.
    shapes: Vec<(u64, u32, Footprint)>,
}

impl LaunchState {
    /// A new launch.
    pub fn begin(
        checker: &mut Checker,
        program: &Program,
        kernel: &Kernel,
        config: &LaunchConfig,
        (params, histories): (&[u8], bool),
        order: Option<OperationOrder>,
    ) -> LaunchState {
        let words =
            (0..).zip(&kernel.params).filter(|(_, param)| param.size == 8).filter_map(|(number, param)| {
                let bytes = params.get(param.offset as usize..)?.first_chunk::<8>()?;
                Some((number, u64::from_le_bytes(*bytes)))
            });
        let parameters = (words.collect(), kernel.params.len() as u32);
        let instructions = program.linked.code.len();
        LaunchState {
            operation: checker.begin(&kernel.name, order, Some(config), parameters),
            threads: config.block_threads() as u32,
            blocks: NumberMap::default(),
            sites: vec![HOST_SITE; instructions],
            waiting: 0,
            uses: vec![0; instructions.div_ceil(64)],
            read: HashSet::new(),
            histories,
            as_one: begins_as_one(program, &kernel.name),
            shapes: Vec::new(),
        }
    }
}

#[derive(Clone, Debug)]
struct BlockState {
    clocks: BlockClocks,
    shared: Vec<Page>,
    shared_memory: Definedness,
    /// What was released in shared memory.
    released: NumberMap<u64, Released>,
    /// Whether all threads do what one would, since the last barrier that says so.
    as_one: bool,
    /// The same from the next time on that each barrier is complete.
    announced: NumberMap<u32, bool>,
}

/// A launch on a machine that checks; with `T` it tracks undefined values.
pub(crate) struct CheckedLaunch<'c, const T: bool> {
    pub checker: &'c mut Checker,
    pub launch: &'c mut LaunchState,
    pub program: &'c Arc<Program>,
    pub shared_bytes: u32,
}

impl<const T: bool> CheckedLaunch<'_, T> {
    /// The site of the instruction that brought an undefined value into a register.
    fn origin_site(&mut self, undefined: &UndefinedBytes) -> OriginSite {
        let Origin { pc, from, computed } = undefined.origin?;
        let mut site = |pc: u32| {
            let (order, scope) = (MemoryOrder::Weak, Scope::Cta);
            let (kind, space, addresses) = (AccessKind::Load, Space::Global, &[0; 32]);
            let access = WarpAccess {
                kind,
                space,
                addresses,
                lanes: 0,
                size: 0,
                order,
                scope,
                pc,
                block: 0,
                warp: 0,
                unchanged: 0,
            };
            self.checker.sites.find(self.program, &access)
        };
        Some(OriginSites { read: site(pc), computed: computed.map(site), from })
    }

    /// The site of an instruction that is executed for the first time in this launch.
    #[cold]
    fn new_site(&mut self, access: &WarpAccess<'_>) -> u16 {
        let number = self.checker.sites.find(self.program, access);
        if let Some(known) = self.launch.sites.get_mut(access.pc as usize) {
            *known = number;
        }
        for point in self.checker.sites.get(number).used_at.iter().flatten() {
            self.launch.uses[point.pc as usize / 64] |= 1 << (point.pc % 64);
        }
        number
    }

    fn compare(&mut self, access: &WarpAccess<'_>) {
        let number = match self.launch.sites.get(access.pc as usize) {
            Some(&HOST_SITE) | None => self.new_site(access),
            Some(&number) => number,
        };
        let Checker { checks, operations, sites, global, sets, .. } = &mut *self.checker;
        let report_same = checks.contains(Checks::SAME_VALUE);
        let operation = self.launch.operation;
        let Some(order) = operations.get(operation).map(|operation| &operation.order) else { return };
        let Some(block) = self.launch.blocks.get_mut(&access.block) else { return };
        let site = sites.get(number);
        let Some(warp) = block.clocks.warps.get(access.warp as usize) else { return };
        let (mut races, mut waiting, mut found) = (Vec::<Race>::new(), Vec::new(), Vec::new());
        let first = ThreadIndex::new(access.block, 32 * access.warp);
        // The accesses that have no place in the histories of their pages.
        let mut single = access.lanes;
        if self.launch.histories
            && let Some(time) = warp.common_time(access.lanes)
        {
            let own = Epoch { thread: first, time, operation, site: number };
            let nothing = Clock::default();
            let known = warp.common_knowledge().unwrap_or(&nothing);
            let floor = warp.floor;
            let sites = sites.all();
            let comparison = Comparison { own, site, known, floor, order, operations, sites };
            let is_write = access.kind != AccessKind::Load;
            let shapes = &mut self.launch.shapes;
            shapes.clear();
            for_each_shape(own, (access.addresses, access.lanes, access.size), |number, lanes, shape| {
                shapes.push((number, lanes, shape));
            });
            let room = if shapes.len() > MANY_SHAPES { history::MOST_OF_MANY } else { history::MOST };
            for (number, lanes, shape) in shapes.iter() {
                let page = match access.space {
                    Space::Shared => block.shared.get_mut(*number as usize),
                    _ => Some(global.page(number * PAGE)),
                };
                if page.is_none_or(|page| page.add(is_write, shape, room, &comparison)) {
                    single &= !lanes;
                }
            }
        }
        for lane in (0..32).filter(|lane| single >> lane & 1 != 0) {
            let own = Epoch {
                thread: ThreadIndex(first.0 + lane as u32),
                time: warp.times[lane],
                operation,
                site: number,
            };
            let comparison = Comparison {
                own,
                site,
                known: warp.known.get(lane),
                floor: warp.floor,
                order,
                operations,
                sites: sites.all(),
            };
            let address = access.addresses[lane];
            let page = match access.space {
                Space::Shared => match block.shared.get_mut((address / PAGE) as usize) {
                    Some(page) => page,
                    None => continue,
                },
                _ => global.page(address),
            };
            // The executor has checked that the access is aligned, so it lies in one page.
            for cell in page.cells((address % PAGE) as usize, access.size as usize, sets) {
                match access.kind {
                    AccessKind::Load => found.extend(comparison.read(cell, sets)),
                    _ => comparison.write(cell, sets, &mut found),
                }
                // What all threads do as one is no race if they store the same.
                if block.as_one && access.unchanged >> lane & 1 != 0 {
                    found.retain(|other| {
                        let near = other.operation == operation && other.thread.same_block(first);
                        report_same
                            || !near
                            || other.thread == ANY_THREAD
                            || sites.get(other.site).kind == AccessKind::Atomic
                    });
                }
                for other in found.drain(..) {
                    let (space, bytes, block) = (access.space, access.size, Some(access.block));
                    let race = Race { space, address, bytes, first: other, second: own, block };
                    // Readers whose values may stay unused wait one by one, and may be many.
                    if !sites.get(other.site).is_used() {
                        waiting.push(race);
                        continue;
                    }
                    // Once for all bytes of the access.
                    let same = |known: &Race| known.second == own && known.first.site == other.site;
                    if !races.iter().rev().take_while(|known| known.second == own).any(same) {
                        races.push(race);
                    }
                }
            }
        }
        self.advance(access, number);
        for race in races.into_iter().chain(waiting) {
            self.checker.found(race);
        }
    }

    /// What an access that has been compared means for later ones: its value may stay unused, and strong ones release and
    /// acquire.
    fn advance(&mut self, access: &WarpAccess<'_>, number: u16) {
        let Checker { operations, sites, released, unused, .. } = &mut *self.checker;
        let (operation, site) = (self.launch.operation, sites.get(number));
        let Some(block) = self.launch.blocks.get_mut(&access.block) else { return };
        if !site.is_used() {
            let thread = ThreadIndex::new(access.block, 32 * access.warp);
            let own = Epoch { thread, time: 0, operation, site: number };
            unused.add(access.block, own, access.lanes);
        }
        block.clocks.access(access.warp, access.lanes, site.strong.then_some(access.addresses));
        if site.strong {
            self.launch.waiting += 1;
            let released = if access.space == Space::Shared { &mut block.released } else { released };
            match access.kind {
                AccessKind::Store => {
                    for lane in (0..32).filter(|lane| access.lanes >> lane & 1 != 0) {
                        release(&mut block.clocks, access.kind, &access.event(lane), released, operation);
                    }
                }
                _ => {
                    let of_others = acquire(&mut block.clocks, access, released, operation);
                    for (thread, other) in of_others {
                        match access.order.acquires() {
                            true => operations.order_after(operation, other),
                            false => drop(self.launch.read.insert((access.block, thread, other))),
                        }
                    }
                }
            }
        }
    }

    /// Lanes of a warp use values that they have read before.
    #[cold]
    fn use_values(&mut self, block: u64, warp: u32, pc: u32, lanes: u32, active: u32) {
        let first = ThreadIndex::new(block, 32 * warp);
        let mut races = Vec::new();
        for &(site, by_guard) in self.checker.sites.used_by(self.program, pc) {
            let lanes = if by_guard { lanes } else { active };
            races.extend(self.checker.unused.take_used(first, self.launch.operation, site, lanes));
        }
        for race in races {
            self.checker.add_race(race);
        }
    }
}

/// What lanes of a warp acquire by strong loads and atomics. Returns the threads that read what other operations have
/// released to the device, with these.
fn acquire(
    clocks: &mut BlockClocks,
    access: &WarpAccess<'_>,
    all: &NumberMap<u64, Released>,
    operation: u16,
) -> Vec<(u32, u16)> {
    let mut of_others = Vec::new();
    if all.is_empty() {
        return of_others;
    }
    for lane in (0..32).filter(|lane| access.lanes >> lane & 1 != 0) {
        let Some(released) = all.get(&access.addresses[lane]) else { continue };
        if released.operation != operation {
            if access.scope != Scope::Cta && released.is_to_device() {
                of_others.push((access.warp * 32 + lane as u32, released.operation));
            }
        } else {
            clocks.acquire(access.warp * 32 + lane as u32, order_of(access.order, access.scope), released);
        }
    }
    of_others
}

/// What a thread releases by a strong store, or by an atomic, which leaves there what others have released.
fn release(
    clocks: &mut BlockClocks,
    kind: AccessKind,
    event: &MemoryEvent,
    all: &mut NumberMap<u64, Released>,
    operation: u16,
) {
    let order = order_of(event.order, event.scope);
    if all.is_empty() && !clocks.releases(event.thread, order.0) {
        return;
    }
    let mut released = match kind {
        AccessKind::Store => Released::default(),
        _ => all.remove(&event.address).filter(|known| known.operation == operation).unwrap_or_default(),
    };
    released.operation = operation;
    clocks.release(event.thread, order, kind == AccessKind::Store, &mut released);
    if released.is_something() {
        all.insert(event.address, released);
    } else if kind == AccessKind::Store {
        all.remove(&event.address);
    }
}

/// Volatile accesses are of the whole system.
fn order_of(order: MemoryOrder, scope: Scope) -> (MemoryOrder, Scope) {
    (order, if order == MemoryOrder::Volatile { Scope::Sys } else { scope })
}

impl<const T: bool> Observer for CheckedLaunch<'_, T> {
    fn block_begin(&mut self, block: u64) {
        let clocks = BlockClocks::new(block, self.launch.threads);
        let pages = u64::from(self.shared_bytes).div_ceil(PAGE) as usize;
        let mut shared_memory = Definedness::default();
        if self.shared_bytes > 0 {
            shared_memory.add(0, self.shared_bytes.into());
        }
        let state = BlockState {
            clocks,
            shared: vec![Page::default(); pages],
            shared_memory,
            released: NumberMap::default(),
            as_one: self.launch.as_one,
            announced: NumberMap::default(),
        };
        self.launch.blocks.insert(block, state);
    }

    fn block_end(&mut self, block: u64) {
        if let Some(mut state) = self.launch.blocks.remove(&block) {
            let sets = &mut self.checker.sets;
            state.shared.iter_mut().for_each(|page| page.fill(Cell::default(), sets));
        }
        self.checker.unused.end_block(self.launch.operation, block);
    }

    const TRACKS_UNDEFINED: bool = T;
    const TRACKS_USES: bool = true;

    #[inline]
    fn instruction(&mut self, block: u64, warp: u32, pc: u32, lanes: u32, active: u32) {
        if self.launch.uses.get(pc as usize / 64).is_some_and(|bits| bits >> (pc % 64) & 1 != 0) {
            self.use_values(block, warp, pc, lanes, active);
        }
    }

    fn wants_unchanged(&self, block: u64) -> bool {
        self.launch.blocks.get(&block).is_some_and(|block| block.as_one)
    }

    fn load_undefined(&mut self, access: &WarpAccess<'_>) -> Option<Box<UndefinedBytes>> {
        let size = access.size as usize;
        let loaded = match access.space {
            Space::Shared => self.launch.blocks.get_mut(&access.block)?.shared_memory.load(
                access.addresses,
                access.lanes,
                size,
            ),
            _ => self.checker.memory.load(access.addresses, access.lanes, size),
        }?;
        let pc = |site: u16| self.checker.sites.get(site).pc;
        let origin = Some(match loaded.origin {
            Some(OriginSites { read, computed, from }) => {
                Origin { pc: pc(read), from, computed: computed.map(pc) }
            }
            None => Origin { pc: access.pc, from: UndefinedSource::Memory, computed: None },
        });
        Some(Box::new(UndefinedBytes { bytes: loaded.bytes, computed: loaded.computed, origin }))
    }

    fn store_undefined(&mut self, access: &WarpAccess<'_>, undefined: Option<&UndefinedBytes>) {
        let undefined = undefined.map(|undefined| (undefined, self.origin_site(undefined)));
        let memory = match access.space {
            Space::Shared => match self.launch.blocks.get_mut(&access.block) {
                Some(block) => &mut block.shared_memory,
                None => return,
            },
            _ => &mut self.checker.memory,
        };
        memory.store(access.addresses, access.lanes, access.size as usize, undefined);
    }

    fn heap(&mut self, address: u64, bytes: u64, allocated: bool) {
        match allocated {
            true => self.checker.allocated(address, bytes),
            false => self.checker.forget(address, bytes),
        }
    }

    fn progress(&mut self) {
        self.launch.waiting = 0;
    }

    fn waits(&mut self) {
        self.launch.waiting += 1;
    }

    fn stuck(&self) -> Option<String> {
        if self.launch.waiting <= MAX_WAITING {
            return None;
        }
        let warps = self.launch.blocks.len() as u64 * u64::from(self.launch.threads.div_ceil(32));
        let most = MAX_WAITING.max(MAX_WAITING_OF_WARP * warps);
        (self.launch.waiting > most).then(|| {
            format!(
                "{most} atomic accesses or pauses were executed since a thread has changed memory, passed a barrier or \
                 ended: all threads wait for what none of them will do"
            )
        })
    }

    fn warp_access(&mut self, access: &WarpAccess<'_>) {
        self.compare(access);
    }

    fn access(&mut self, kind: AccessKind, event: &MemoryEvent) {
        let lane = event.thread % 32;
        let mut addresses = [0; 32];
        addresses[lane as usize] = event.address;
        self.warp_access(&WarpAccess {
            kind,
            space: event.space,
            addresses: &addresses,
            lanes: 1 << lane,
            size: event.size,
            order: event.order,
            scope: event.scope,
            pc: event.pc,
            block: event.block,
            warp: event.thread / 32,
            unchanged: 0,
        });
    }

    fn atomic_stored(&mut self, event: &MemoryEvent) {
        let Some(block) = self.launch.blocks.get_mut(&event.block) else { return };
        let released = match event.space {
            Space::Shared => &mut block.released,
            _ => &mut self.checker.released,
        };
        release(&mut block.clocks, AccessKind::Atomic, event, released, self.launch.operation);
    }

    fn fence(&mut self, event: &MemoryEvent, lanes: u32) {
        if let Some(block) = self.launch.blocks.get_mut(&event.block) {
            block.clocks.fence(event.thread / 32, lanes, event.order, event.scope);
        }
        if !self.launch.read.is_empty() && event.order.acquires() && event.scope != Scope::Cta {
            let is_here = |&(block, thread, _): &(u64, u32, u16)| {
                block == event.block && thread / 32 == event.thread / 32 && lanes >> (thread % 32) & 1 != 0
            };
            let acquired: Vec<_> = self.launch.read.iter().copied().filter(is_here).collect();
            for one in acquired {
                self.launch.read.remove(&one);
                self.checker.operations.order_after(self.launch.operation, one.2);
            }
        }
    }

    fn barrier_arrive(&mut self, arrival: BarrierArrival) {
        if let Some(block) = self.launch.blocks.get_mut(&arrival.block) {
            if let Some(as_one) = self.program.comment(arrival.pc).and_then(is_as_one_after) {
                block.announced.insert(arrival.barrier, as_one);
            }
            block.clocks.arrive(arrival.barrier, arrival.warp, arrival.lanes, arrival.waits);
        }
    }

    fn barrier_complete(&mut self, block: u64, barrier: u32, all: bool) {
        if let Some(block) = self.launch.blocks.get_mut(&block) {
            block.clocks.complete(barrier, all);
            if let Some(as_one) = block.announced.remove(&barrier) {
                block.as_one = as_one;
            }
            self.launch.waiting = 0;
        }
    }

    fn warp_sync(&mut self, block: u64, warp: u32, lanes: u32, _pc: u32, orders_memory: bool) {
        if orders_memory && let Some(block) = self.launch.blocks.get_mut(&block) {
            block.clocks.warp_barrier(warp, lanes);
        }
    }
}
