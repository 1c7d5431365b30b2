//! What a machine knows of the accesses to its memory, and what was found.

use std::collections::{HashMap, HashSet};

use super::cell::{ANY_THREAD, Cell, Epoch, NumberMap};
use super::clock::{Clock, ThreadIndex};
use super::comparison::Comparison;
use super::definedness::{Definedness, OriginSites};
use super::finding::{Finding, FindingKind, Side, space_name};
use super::footprint::Footprint;
use super::history;
use super::operations::{Operation, OperationOrder, Operations};
use super::options::Checks;
use super::pages::PAGE;
use super::readers::ReaderSets;
use super::shadow::Shadow;
use super::sites::{HOST_SITE, Sites};
use super::threads::Released;
use super::unused::{Race, UnusedReads};
use crate::launch::LaunchConfig;
use crate::observer::{AccessKind, UndefinedSource};
use crate::text::types::Space;

/// The most pairs of instructions of which races are kept; further ones are not reported.
const MAX_FINDINGS: usize = 10_000;

/// In place of a first site: the finding is about uninitialised memory.
const UNINITIALISED: u16 = u16::MAX;

/// What a machine knows of the accesses to its memory.
#[derive(Clone, Debug)]
pub(crate) struct Checker {
    pub(super) checks: Checks,
    pub(super) operations: Operations,
    pub(super) sites: Sites,
    pub(super) global: Shadow,
    pub(super) sets: ReaderSets,
    pub(super) memory: Definedness,
    /// What was released in global memory.
    pub(super) released: NumberMap<u64, Released>,
    pub(super) unused: UnusedReads,
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

impl Checker {
    pub fn new(checks: Checks) -> Checker {
        Checker {
            checks,
            operations: Operations::default(),
            sites: Sites::default(),
            global: Shadow::default(),
            sets: ReaderSets::default(),
            memory: Definedness::default(),
            released: NumberMap::default(),
            unused: UnusedReads::default(),
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

    /// Whether readers became a summary for want of memory since the last call: later writes that do not come after all of
    /// a block, or of an operation, are reported as possible races.
    pub fn take_dropped_readers(&mut self) -> bool {
        self.sets.take_dropped()
    }

    /// Bytes of the host's memory that the shadow takes.
    pub fn host_bytes(&self) -> usize {
        self.global.host_bytes()
            + self.sets.host_bytes()
            + self.memory.host_bytes()
            + self.unused.host_bytes()
    }

    /// An operation that comes after the others as `order` says, or after all of them.
    pub(super) fn begin(
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
                self.global.clear(&mut self.sets);
                self.unused = UnusedReads::default();
                self.released.clear();
                self.operations.add(operation).unwrap_or(1)
            }
        }
    }

    /// Whether undefined values are tracked.
    pub fn tracks_undefined(&self) -> bool {
        self.checks.contains(Checks::UNINITIALISED)
    }

    /// New memory of the device: nobody has written it.
    pub fn allocated(&mut self, address: u64, bytes: u64) {
        if self.checks.contains(Checks::UNINITIALISED) {
            self.memory.add(address, bytes);
        }
    }

    /// The host copies bytes from one address to another.
    pub fn host_copy(&mut self, to: u64, from: u64, bytes: u64) {
        self.host_access(AccessKind::Load, from, bytes);
        if self.checks.contains(Checks::UNINITIALISED) {
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
        if self.checks.contains(Checks::UNINITIALISED) && bytes > 0 {
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
        let bytes = self.sites.get(write.site).size.max(1);
        let from = origin.map_or(UndefinedSource::Memory, |origin| origin.from);
        let kind = match from {
            UndefinedSource::Memory | UndefinedSource::Register => FindingKind::Uninitialised,
            UndefinedSource::Lane => FindingKind::UndefinedLane,
        };
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
            unassigned: from == UndefinedSource::Register,
            possible: false,
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
        let comparison = Comparison {
            own,
            site: sites.get(HOST_SITE),
            known: &known,
            floor: 0,
            order: &order,
            operations,
            sites: sites.all(),
        };
        let (mut races, mut found) = (Vec::new(), Vec::new());
        let mut at = address;
        while at < address + bytes {
            let size = (PAGE - at % PAGE).min(address + bytes - at);
            let page = global.page(at);
            let whole = size == PAGE;
            let is_write = kind != AccessKind::Load;
            let bytes = Footprint::of_thread(own, at % PAGE..at % PAGE + size);
            if page.add(is_write, &bytes, history::MOST, &comparison) {
                if whole && is_write {
                    page.fill(Cell { write: own, read: Epoch::default() }, sets);
                }
                at += size;
                continue;
            }
            let cells = match whole {
                true => page.known(sets),
                false => page.cells((at % PAGE) as usize, size as usize, sets),
            };
            for cell in cells {
                match kind {
                    AccessKind::Load => found.extend(comparison.read(cell, sets)),
                    _ => comparison.write(cell, sets, &mut found),
                }
                races.extend(found.drain(..).map(|other| (at, other)));
            }
            if whole && is_write {
                page.fill(Cell { write: own, read: Epoch::default() }, sets);
            }
            at += size;
        }
        for (at, other) in races {
            self.found(Race {
                space: Space::Global,
                address: at,
                bytes: 1,
                first: other,
                second: own,
                block: None,
            });
        }
    }

    /// A race is found: it is one now, or once its reader uses the value.
    pub(super) fn found(&mut self, race: Race) {
        match [race.first, race.second].into_iter().find(|&side| self.unused.is_unused(side)) {
            Some(reader) => self.unused.wait(reader, race),
            None => self.add_race(race),
        }
    }

    pub(super) fn add_race(&mut self, race: Race) {
        let Race { space, address, bytes, first, second, block } = race;
        if !self.checks.contains(Checks::RACES) {
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
            unassigned: false,
            // What comes before an access of another operation is known of the whole operation.
            possible: first.thread == ANY_THREAD && first.operation == second.operation,
        });
    }

    /// An access for a person. The number of the block is exact if it is `block`'s, or below 2^20.
    fn side(&self, epoch: Epoch, block: Option<u64>) -> Side {
        let site = self.sites.get(epoch.site);
        let operation = self.operations.get(epoch.operation);
        let is_known = site.program.is_some() && epoch.thread != ANY_THREAD;
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
            block: is_known.then(|| of(linear, operation_shape[0])),
            thread: is_known.then(|| of(u64::from(epoch.thread.0 & 1023), operation_shape[1])),
            place: site.place(),
            source: operation.and_then(|operation| site.own_source(&operation.name)),
            source_text: None,
        }
    }
}
