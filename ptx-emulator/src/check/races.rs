//! Compares each access with those before it: FastTrack (Flanagan and Freund, PLDI 2009), for PTX.
//!
//! Of each location the last write and the reads since then are known. An access conflicts with one of another
//! thread if at least one of them writes, and races with it unless the other one comes before it, or both are
//! strong, of the same bytes, and include each other's thread in their scopes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::clock::{Clock, ThreadIndex};
use super::definedness::{Definedness, OriginSite, OriginSites};
use super::finding::{Finding, FindingKind, Side, SiteInfo, space_name};
use super::operations::{Operation, OperationOrder, Operations};
use super::options::Checks;
use super::shadow::{Cell, Epoch, PAGE, Page, ReaderSets, Readers, Shadow};
use super::threads::{BlockClocks, Released};
use crate::instruction::{Address, AddressBase, AtomicOp, CONSTANT, Op, Reg};
use crate::launch::LaunchConfig;
use crate::memory::{MemoryEvent, MemoryOrder, Scope};
use crate::observer::{AccessKind, BarrierArrival, Observer, Origin, UndefinedBytes, WarpAccess};
use crate::program::{Kernel, Program};
use crate::semantics::{Bin64, Un64};
use crate::text::types::Space;

/// The most pairs of instructions of which races are kept; further ones are not reported.
const MAX_FINDINGS: usize = 10_000;

/// Instructions after a load among which a compare-and-swap at its address is searched.
const CAS_DISTANCE: u32 = 64;

/// Strong accesses of a launch without any progress after which its threads count as waiting for ever. A kernel that
/// waits for the host, or for a kernel of another stream, executes fewer.
const MAX_WAITING: u64 = 1 << 20;

/// The site of the host's accesses.
const HOST_SITE: u16 = 0;

/// In place of a first site: the finding is about uninitialised memory.
const UNINITIALISED: u16 = u16::MAX;

/// What a machine knows of the accesses to its memory.
#[derive(Clone, Debug)]
pub(crate) struct Checker {
    checks: Checks,
    operations: Operations,
    sites: Vec<SiteInfo>,
    /// The index of each instruction's site, by the address of its program and its pc.
    numbers: HashMap<(usize, u32), u16>,
    global: Shadow,
    sets: ReaderSets,
    memory: Definedness,
    /// What was released in global memory.
    released: HashMap<u64, Released>,
    /// The order of what the host does at present, if that was told.
    host: Option<OperationOrder>,
    /// The number of the last operation that was not told its order: it comes after all others.
    last: u64,
    findings: Findings,
}

/// What was found and not taken yet.
#[derive(Clone, Debug, Default)]
struct Findings {
    list: Vec<Finding>,
    /// Where in the list, by sites; `None` once it was taken.
    known: HashMap<(u16, u16), Option<usize>>,
    /// The sites that take part in races.
    racing: HashSet<u16>,
    /// How often races were found since they were taken.
    repeated: HashMap<(u16, u16), u64>,
}

/// What is known of a launch's threads.
#[derive(Clone, Debug)]
pub(crate) struct LaunchState {
    operation: u16,
    threads: u32,
    blocks: HashMap<u64, BlockState>,
    /// The index of each instruction's site.
    sites: Vec<u16>,
    /// Strong accesses since a thread has made progress.
    waiting: u64,
}

#[derive(Clone, Debug)]
struct BlockState {
    clocks: BlockClocks,
    shared: Vec<Page>,
    shared_memory: Definedness,
    /// What was released in shared memory.
    released: HashMap<u64, Released>,
}

/// The accesses of one thread, for a comparison with others.
struct Comparison<'c> {
    own: Epoch,
    site: &'c SiteInfo,
    known: &'c Clock,
    floor: u32,
    order: &'c OperationOrder,
    operations: &'c Operations,
    sites: &'c [SiteInfo],
}

impl Comparison<'_> {
    /// Whether an earlier access comes before this one.
    #[inline]
    fn is_ordered(&self, other: Epoch) -> bool {
        if other.operation != self.own.operation {
            return other.operation == 0 || self.is_operation_ordered(other.operation);
        }
        other.thread == self.own.thread
            || other.thread.same_block(self.own.thread) && other.time <= self.floor
            || self.known.get(other.thread) >= other.time
    }

    fn is_operation_ordered(&self, operation: u16) -> bool {
        let other = self.operations.get(operation);
        other.is_none_or(|other| self.order.is_after(other.order.stream, other.order.number))
    }

    /// Whether both accesses are strong and include each other.
    fn is_strong_with(&self, other: Epoch) -> bool {
        let site = &self.sites[usize::from(other.site)];
        let near = || other.operation == self.own.operation && other.thread.same_block(self.own.thread);
        self.site.strong
            && site.strong
            // LLVM updates one or two bytes by a compare-and-swap of the word around them: its other bytes stay.
            && (self.site.size == site.size || self.site.swaps || site.swaps)
            && (!self.site.block_scope && !site.block_scope || near())
    }

    #[inline]
    fn races_with(&self, other: Epoch) -> bool {
        other.operation != 0 && !self.is_ordered(other) && !self.is_strong_with(other)
    }

    /// A read of a location; returns what it races with.
    #[inline]
    fn read(&self, cell: &mut Cell, sets: &mut ReaderSets) -> Option<Epoch> {
        let race = self.races_with(cell.write).then_some(cell.write);
        let before = cell.read;
        if cell.readers().is_some() {
            if before.operation != self.own.operation && self.is_operation_ordered(before.operation) {
                sets.release(cell);
                cell.read = self.own;
            } else {
                sets.add(cell, self.own);
            }
        } else if before.operation == 0 {
            cell.read = self.own;
        } else if before.thread == self.own.thread && before.operation == self.own.operation {
            // Of a weak and a strong read, the weak one races with more.
            if !self.site.strong || self.sites[usize::from(before.site)].strong {
                cell.read = self.own;
            }
        } else if self.is_ordered(before) {
            cell.read = self.own;
        } else {
            sets.add(cell, self.own);
        }
        race
    }

    /// A write of a location; returns what it races with.
    #[inline]
    fn write(&self, cell: &mut Cell, sets: &mut ReaderSets) -> Option<Epoch> {
        let mut race = self.races_with(cell.write).then_some(cell.write);
        if let Some(index) = cell.readers() {
            race = race.or_else(|| match sets.get(index) {
                Readers::Few(few) => few.iter().copied().find(|&reader| self.races_with(reader)),
                Readers::Many(clock, last) => self.races_with_many(clock, *last),
            });
            sets.release(cell);
        } else if race.is_none() && self.races_with(cell.read) {
            race = Some(cell.read);
        }
        *cell = Cell { write: self.own, read: Epoch::default() };
        race
    }

    #[cold]
    fn races_with_many(&self, clock: &Clock, last: Epoch) -> Option<Epoch> {
        if last.operation != self.own.operation {
            return self.races_with(last).then_some(last);
        }
        // Of the last reader it is known where it read.
        if self.races_with(last) {
            return Some(last);
        }
        let (thread, time) = clock.beyond(self.known, self.own.thread)?;
        let reader = Epoch { thread, time, ..last };
        self.races_with(reader).then_some(reader)
    }
}

impl Checker {
    pub fn new(checks: Checks) -> Checker {
        let host = SiteInfo {
            program: None,
            pc: 0,
            kind: AccessKind::Store,
            strong: false,
            block_scope: false,
            swaps: false,
            size: 0,
        };
        Checker {
            checks,
            operations: Operations::default(),
            sites: vec![host],
            numbers: HashMap::new(),
            global: Shadow::default(),
            sets: ReaderSets::default(),
            memory: Definedness::default(),
            released: HashMap::new(),
            host: None,
            last: 0,
            findings: Findings::default(),
        }
    }

    /// Tells the order of what the host does from now on.
    pub fn set_host_order(&mut self, order: Option<OperationOrder>) {
        self.host = order;
    }

    /// Takes what was found since the last call.
    pub fn take_findings(&mut self) -> Vec<Finding> {
        for (sites, count) in self.findings.repeated.drain() {
            if let Some(Some(at)) = self.findings.known.get(&sites) {
                self.findings.list[*at].count += count;
            }
        }
        self.findings.known.values_mut().for_each(|at| *at = None);
        std::mem::take(&mut self.findings.list)
    }

    /// Bytes of the host's memory that the shadow takes.
    pub fn host_bytes(&self) -> usize {
        self.global.host_bytes() + self.sets.host_bytes() + self.memory.host_bytes()
    }

    /// An operation that comes after the others as `order` says, or after all of them.
    fn begin(
        &mut self,
        name: &str,
        order: Option<OperationOrder>,
        config: Option<&LaunchConfig>,
        parameters: (Vec<(u32, u64)>, u32),
    ) -> u16 {
        let order = order.unwrap_or_else(|| {
            self.last += 1;
            OperationOrder { stream: u64::MAX, number: self.last, after: Vec::new() }
        });
        let [grid, block] = config.map_or([[0; 3]; 2], |config| [config.grid, config.block]);
        let operation = Operation { name: name.into(), order, grid, block, parameters };
        match self.operations.add(operation.clone()) {
            Some(index) => index,
            None => {
                // Races with earlier operations are not found from here on.
                self.operations.clear();
                (self.global, self.sets) = Default::default();
                self.released.clear();
                self.operations.add(operation).unwrap_or(1)
            }
        }
    }

    /// Whether undefined values are tracked.
    pub fn tracks_undefined(&self) -> bool {
        self.checks.uninitialised
    }

    /// What is known of a new launch.
    pub fn begin_launch(
        &mut self,
        program: &Program,
        kernel: &Kernel,
        config: &LaunchConfig,
        params: &[u8],
        order: Option<OperationOrder>,
    ) -> LaunchState {
        let words =
            (0..).zip(&kernel.params).filter(|(_, param)| param.size == 8).filter_map(|(number, param)| {
                let bytes = params.get(param.offset as usize..)?.first_chunk::<8>()?;
                Some((number, u64::from_le_bytes(*bytes)))
            });
        let parameters = (words.collect(), kernel.params.len() as u32);
        let operation = self.begin(&kernel.name, order, Some(config), parameters);
        let sites = vec![HOST_SITE; program.linked.code.len()];
        LaunchState {
            operation,
            threads: config.block_threads() as u32,
            blocks: HashMap::new(),
            sites,
            waiting: 0,
        }
    }

    /// New memory of the device: nobody has written it.
    pub fn allocated(&mut self, address: u64, bytes: u64) {
        if self.checks.uninitialised {
            self.memory.add(address, bytes);
        }
    }

    /// The host copies bytes from one address to another.
    pub fn host_copy(&mut self, to: u64, from: u64, bytes: u64) {
        self.host_access(AccessKind::Load, from, bytes);
        if self.checks.uninitialised {
            self.memory.copy(to, from, bytes);
        }
        self.host_races(AccessKind::Store, to, bytes);
    }

    /// Memory that was freed, or belongs to the host again.
    pub fn forget(&mut self, address: u64, bytes: u64) {
        self.memory.remove(address, bytes);
        self.global.forget(address, bytes, &mut self.sets);
        if !self.released.is_empty() {
            self.released.retain(|&at, _| at < address || at - address >= bytes);
        }
    }

    /// The host accesses memory.
    pub fn host_access(&mut self, kind: AccessKind, address: u64, bytes: u64) {
        if self.checks.uninitialised && bytes > 0 {
            match kind {
                AccessKind::Load => self.report_computed(address, bytes),
                _ => self.memory.define(address, bytes),
            }
        }
        self.host_races(kind, address, bytes);
    }

    /// Reports a value that the host copies and that was computed from undefined ones.
    fn report_computed(&mut self, address: u64, bytes: u64) {
        let Some((at, origin)) = self.memory.first_computed(address, bytes) else { return };
        let write = self.global.page(at).cells(((at % PAGE) & !3) as usize, 4, &mut self.sets)[0].write;
        let sites = (UNINITIALISED, write.site);
        if self.findings.known.contains_key(&sites) || self.findings.known.len() >= MAX_FINDINGS {
            return;
        }
        self.findings.known.insert(sites, Some(self.findings.list.len()));
        // A race explains a value that is read too early.
        let racing = |site: u16| self.findings.racing.contains(&site);
        if racing(write.site) || origin.is_some_and(|origin| racing(origin.read)) {
            return;
        }
        let mut sides = Vec::new();
        if let Some(OriginSites { read, computed, .. }) = origin {
            let mut side = self.side(Epoch { site: computed.unwrap_or(read), ..write }, None);
            side.access = "computation";
            sides.push(side);
            if computed.is_some_and(|computed| computed != read) {
                sides.insert(0, self.side(Epoch { site: read, ..write }, None));
            }
        } else {
            sides.push(self.side(write, None));
        }
        let operation = self.operations.get(write.operation);
        let parameters = operation.map(|operation| operation.parameters.clone()).unwrap_or_default();
        let bytes = self.sites[usize::from(write.site)].size.max(1);
        let memory = origin.is_none_or(|origin| origin.memory);
        let kind = if memory { FindingKind::Uninitialised } else { FindingKind::UndefinedLane };
        let space = "global";
        self.findings.list.push(Finding {
            kind,
            space,
            address: at,
            bytes,
            sides,
            count: 1,
            memory: None,
            parameters,
        });
    }

    /// As [`Checker::host_access`], for races.
    fn host_races(&mut self, kind: AccessKind, address: u64, bytes: u64) {
        if bytes == 0 {
            return;
        }
        let operation = self.begin("a copy or fill by the host", self.host.clone(), None, Default::default());
        let Some(order) = self.operations.get(operation).map(|operation| operation.order.clone()) else {
            return;
        };
        let own = Epoch { thread: ThreadIndex::default(), time: 1, operation, site: HOST_SITE };
        let known = Clock::default();
        let Checker { operations, sites, global, sets, .. } = self;
        let comparison =
            Comparison { own, site: &sites[0], known: &known, floor: 0, order: &order, operations, sites };
        let mut races = Vec::new();
        let mut at = address;
        while at < address + bytes {
            let size = (PAGE - at % PAGE).min(address + bytes - at);
            let page = global.page(at);
            let whole = size == PAGE;
            let cells = match whole {
                true => page.known(),
                false => page.cells((at % PAGE) as usize, size as usize, sets),
            };
            for cell in cells {
                let race = match kind {
                    AccessKind::Load => comparison.read(cell, sets),
                    _ => comparison.write(cell, sets),
                };
                if let Some(other) = race {
                    races.push((at, other));
                }
            }
            if whole && kind != AccessKind::Load {
                page.fill(Cell { write: own, read: Epoch::default() }, sets);
            }
            at += size;
        }
        for (at, other) in races {
            self.add_race(Space::Global, at, 1, other, own, None);
        }
    }

    /// The site of an instruction of a launch.
    fn site(&mut self, launch: &mut LaunchState, program: &Arc<Program>, access: &WarpAccess<'_>) -> u16 {
        let number = self.find_site(program, access);
        if let Some(known) = launch.sites.get_mut(access.pc as usize) {
            *known = number;
        }
        number
    }

    fn find_site(&mut self, program: &Arc<Program>, access: &WarpAccess<'_>) -> u16 {
        let key = (Arc::as_ptr(program) as usize, access.pc);
        let next = self.sites.len();
        *self.numbers.entry(key).or_insert_with(|| {
            let swaps = swaps(program, access.pc);
            let strong = access.kind == AccessKind::Atomic || access.order != MemoryOrder::Weak || swaps;
            // The last index says that there are several readers.
            if next >= usize::from(u16::MAX) {
                return 1;
            }
            self.sites.push(SiteInfo {
                program: Some(program.clone()),
                pc: access.pc,
                kind: access.kind,
                strong,
                block_scope: strong && access.scope == Scope::Cta && access.order != MemoryOrder::Weak,
                swaps,
                size: access.size,
            });
            next as u16
        })
    }

    fn add_race(
        &mut self,
        space: Space,
        address: u64,
        bytes: u32,
        first: Epoch,
        second: Epoch,
        block: Option<u64>,
    ) {
        if !self.checks.races {
            return;
        }
        let sites = (first.site.min(second.site), first.site.max(second.site));
        if self.findings.known.contains_key(&sites) {
            *self.findings.repeated.entry(sites).or_default() += 1;
            return;
        }
        if self.findings.known.len() >= MAX_FINDINGS {
            return;
        }
        let sides = vec![self.side(first, block), self.side(second, block)];
        self.findings.racing.extend([first.site, second.site]);
        self.findings.known.insert(sites, Some(self.findings.list.len()));
        let (kind, space) = (FindingKind::DataRace, space_name(space));
        let operation = self.operations.get(second.operation);
        let parameters = operation.map(|operation| operation.parameters.clone()).unwrap_or_default();
        self.findings.list.push(Finding {
            kind,
            space,
            address,
            bytes,
            sides,
            count: 1,
            memory: None,
            parameters,
        });
    }

    /// An access for a person. The number of the block is exact if it is `block`'s, or below 2^20.
    fn side(&self, epoch: Epoch, block: Option<u64>) -> Side {
        let site = &self.sites[usize::from(epoch.site)];
        let operation = self.operations.get(epoch.operation);
        let on_device = site.program.is_some();
        let of = |linear: u64, [x, y, _]: [u32; 3]| {
            let (x, y) = (u64::from(x.max(1)), u64::from(y.max(1)));
            [(linear % x) as u32, (linear / x % y) as u32, (linear / x / y) as u32]
        };
        let number = u64::from(epoch.thread.0 >> 10);
        let linear = block.filter(|block| block & 0xf_ffff == number).unwrap_or(number);
        let operation_shape = operation.map_or([[1; 3]; 2], |operation| [operation.grid, operation.block]);
        Side {
            access: site.access(),
            strong: site.strong,
            block_scope: site.block_scope,
            operation: operation.map_or(String::new(), |operation| operation.name.to_string()),
            operation_number: self.operations.number(epoch.operation),
            block: on_device.then(|| of(linear, operation_shape[0])),
            thread: on_device.then(|| of(u64::from(epoch.thread.0 & 1023), operation_shape[1])),
            place: site.place(),
            source: operation.and_then(|operation| site.own_source(&operation.name)),
            source_text: None,
        }
    }
}

/// Whether an instruction is a compare-and-swap, or a load that only gives a loop around one its first guess. So LLVM's
/// atomics of one or two bytes, and of operations that hardware does not have, begin: another thread's atomic in between
/// is harmless.
fn swaps(program: &Program, pc: u32) -> bool {
    let code = &program.linked.code;
    let load = match &code[pc as usize].op {
        Op::Atomic(atomic) => return atomic.op == AtomicOp::Cas,
        Op::Load(load) => load,
        _ => return false,
    };
    let Some(address) = origin_of_address(program, pc, &load.address) else { return false };
    let size = load.ty.size() * u32::from(load.count);
    let later = (pc + 1..).zip(code.iter().skip(pc as usize + 1)).take(CAS_DISTANCE as usize);
    let mut swaps = later.filter_map(|(pc, instruction)| match &instruction.op {
        Op::Atomic(atomic) if atomic.op == AtomicOp::Cas => Some((pc, atomic)),
        _ => None,
    });
    swaps.any(|(pc, atomic)| {
        atomic.ty.size() == size && origin_of_address(program, pc, &atomic.address) == Some(address)
    })
}

/// The register that an address comes from, through the copies and additions that unoptimised code has before it, and
/// the offset from there.
fn origin_of_address(program: &Program, pc: u32, address: &Address) -> Option<(Reg, i64)> {
    let AddressBase::Reg(mut base) = address.base else { return None };
    let mut offset = address.offset;
    let before = program.linked.code[..pc as usize].iter().rev().take(CAS_DISTANCE as usize);
    for instruction in before {
        match instruction.op {
            Op::Un64(Un64::Mov, to, from) if to == base => base = from,
            Op::Bin64(Bin64::Add, to, from, by) if to == base && by & CONSTANT != 0 => {
                let by = program.linked.constants64.get((by & !CONSTANT) as usize)?;
                offset = by.symbol.is_none().then(|| offset.wrapping_add(by.value as i64))?;
                base = from;
            }
            _ => {}
        }
    }
    Some((base, offset))
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
        let Origin { pc, memory, computed } = undefined.origin?;
        let mut site = |pc: u32| {
            let (order, scope) = (MemoryOrder::Weak, Scope::Cta);
            let (kind, space, addresses) = (AccessKind::Load, Space::Global, &[0; 32]);
            let access =
                WarpAccess { kind, space, addresses, lanes: 0, size: 0, order, scope, pc, block: 0, warp: 0 };
            self.checker.find_site(self.program, &access)
        };
        Some(OriginSites { read: site(pc), computed: computed.map(site), memory })
    }

    fn compare(&mut self, access: &WarpAccess<'_>) {
        let number = match self.launch.sites.get(access.pc as usize) {
            Some(&HOST_SITE) | None => self.checker.site(self.launch, self.program, access),
            Some(&number) => number,
        };
        let Checker { operations, sites, global, sets, released, .. } = &mut *self.checker;
        let operation = self.launch.operation;
        let Some(order) = operations.get(operation).map(|operation| &operation.order) else { return };
        let Some(block) = self.launch.blocks.get_mut(&access.block) else { return };
        let site = &sites[usize::from(number)];
        let Some(warp) = block.clocks.warps.get(access.warp as usize) else { return };
        let mut races: Vec<(u64, Epoch, Epoch)> = Vec::new();
        let first = ThreadIndex::new(access.block, 32 * access.warp);
        for lane in (0..32).filter(|lane| access.lanes >> lane & 1 != 0) {
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
                sites,
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
                let race = match access.kind {
                    AccessKind::Load => comparison.read(cell, sets),
                    _ => comparison.write(cell, sets),
                };
                if let Some(other) = race
                    && races.last().is_none_or(|last| last.2.thread != own.thread)
                {
                    races.push((address, other, own));
                }
            }
        }
        if site.strong {
            self.launch.waiting += 1;
            let released = if access.space == Space::Shared { &mut block.released } else { released };
            synchronise(&mut block.clocks, access, released, operation);
        }
        for (address, other, own) in races {
            self.checker.add_race(access.space, address, access.size, other, own, Some(access.block));
        }
    }
}

/// What strong accesses acquire and release.
fn synchronise(
    clocks: &mut BlockClocks,
    access: &WarpAccess<'_>,
    all: &mut HashMap<u64, Released>,
    operation: u16,
) {
    let volatile = access.order == MemoryOrder::Volatile;
    let (order, scope) = (access.order, if volatile { Scope::Sys } else { access.scope });
    for lane in (0..32).filter(|lane| access.lanes >> lane & 1 != 0) {
        let thread = access.warp * 32 + lane as u32;
        let address = access.addresses[lane];
        if access.kind != AccessKind::Store
            && let Some(released) = all.get(&address)
            && released.operation == operation
        {
            clocks.acquire(thread, (order, scope), released);
        }
        if access.kind != AccessKind::Load {
            let mut released = match access.kind {
                AccessKind::Store => Released::default(),
                _ => all.remove(&address).filter(|known| known.operation == operation).unwrap_or_default(),
            };
            released.operation = operation;
            clocks.release(thread, (order, scope), access.kind == AccessKind::Store, &mut released);
            if released.is_something() {
                all.insert(address, released);
            } else if access.kind == AccessKind::Store {
                all.remove(&address);
            }
        }
    }
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
            released: HashMap::new(),
        };
        self.launch.blocks.insert(block, state);
    }

    fn block_end(&mut self, block: u64) {
        if let Some(mut state) = self.launch.blocks.remove(&block) {
            let sets = &mut self.checker.sets;
            state.shared.iter_mut().for_each(|page| page.fill(Cell::default(), sets));
        }
    }

    const TRACKS_UNDEFINED: bool = T;

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
        let pc = |site: u16| self.checker.sites[usize::from(site)].pc;
        let origin = Some(match loaded.origin {
            Some(OriginSites { read, computed, memory }) => {
                Origin { pc: pc(read), memory, computed: computed.map(pc) }
            }
            None => Origin { pc: access.pc, memory: true, computed: None },
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

    fn stuck(&self) -> Option<String> {
        (self.launch.waiting > MAX_WAITING).then(|| {
            format!(
                "{MAX_WAITING} atomic accesses were executed since a thread has changed memory, passed a barrier or \
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
        });
    }

    fn fence(&mut self, event: &MemoryEvent, lanes: u32) {
        if let Some(block) = self.launch.blocks.get_mut(&event.block) {
            block.clocks.fence(event.thread / 32, lanes, event.order, event.scope);
        }
    }

    fn barrier_arrive(&mut self, arrival: BarrierArrival) {
        if let Some(block) = self.launch.blocks.get_mut(&arrival.block) {
            block.clocks.arrive(arrival.barrier, arrival.warp, arrival.lanes, arrival.waits);
        }
    }

    fn barrier_complete(&mut self, block: u64, barrier: u32, all: bool) {
        if let Some(block) = self.launch.blocks.get_mut(&block) {
            block.clocks.complete(barrier, all);
            self.launch.waiting = 0;
        }
    }

    fn warp_sync(&mut self, block: u64, warp: u32, lanes: u32, _pc: u32, orders_memory: bool) {
        if orders_memory && let Some(block) = self.launch.blocks.get_mut(&block) {
            block.clocks.warp_barrier(warp, lanes);
        }
    }
}
