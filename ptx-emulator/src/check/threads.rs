//! What the threads of a launch know of each other: the happens-before order of PTX's memory model.
//!
//! Barriers of a block order what the arrived threads did before what the waiting ones do next, `bar.warp.sync` does
//! so for its lanes, and a release that is read by an acquire for its two threads. A release is a store or atomic
//! with that order, or any strong one after a fence; an acquire is a load or atomic with that order, or any strong
//! one before a fence. Scopes must include the other thread. No other instruction orders memory: not shuffles,
//! votes or atomics that are only relaxed.
//!
//! Source: Lustig, Sahasrabuddhe, Giroux, "A Formal Analysis of the NVIDIA PTX Memory Consistency Model" (ASPLOS
//! 2019), and the PTX ISA's chapter on the memory consistency model. Weaker orders of the model that involve
//! neither are left out: what they order, too, is one thread's.

use std::collections::HashMap;
use std::mem;

use super::clock::{Clock, ThreadIndex};
use crate::memory::{MemoryOrder, Scope};

/// A value per lane, usually the same for all.
#[derive(Clone, Debug)]
pub(super) enum PerLane<T> {
    Same(T),
    Each(Box<[T; 32]>),
}

impl<T: Clone> PerLane<T> {
    #[inline]
    pub fn get(&self, lane: usize) -> &T {
        match self {
            PerLane::Same(value) => value,
            PerLane::Each(values) => &values[lane & 31],
        }
    }

    fn lane_mut(&mut self, lane: usize) -> &mut T {
        if let PerLane::Same(value) = self {
            *self = PerLane::Each(Box::new(std::array::from_fn(|_| value.clone())));
        }
        match self {
            PerLane::Each(values) => &mut values[lane & 31],
            PerLane::Same(_) => unreachable!("made above"),
        }
    }

    fn set(&mut self, lanes: u32, all: u32, value: &T) {
        if lanes & all == all {
            *self = PerLane::Same(value.clone());
        } else {
            lanes_of(lanes).for_each(|lane| *self.lane_mut(lane) = value.clone());
        }
    }
}

fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |lane| mask >> lane & 1 != 0)
}

/// What a thread knew at a fence, and when that was.
#[derive(Clone, Debug, Default)]
struct Fence {
    known: Clock,
    time: u32,
}

impl PartialEq for Fence {
    fn eq(&self, other: &Fence) -> bool {
        self.time == other.time && self.known.is_same(&other.known)
    }
}

/// What fences and strong accesses of a lane have prepared.
#[derive(Clone, Debug, Default)]
struct LaneFences {
    /// The last fence for the device or the system, and the last one of any scope.
    device: Option<Fence>,
    block: Option<Fence>,
    /// What strong loads have read since, for the next fence: from the whole device, and from the own block.
    read: Clock,
    read_in_block: Clock,
    /// What the last acquire has learned, and the last strong load without that order: a thread that waits learns the
    /// same again and again.
    acquired: Learned,
    loaded: Learned,
    /// What the last strong access since the fences has left at its address.
    released: Option<Learned>,
}

/// What was released to the device and to the block, where a thread has read it.
#[derive(Clone, Debug, Default)]
struct Learned {
    device: Clock,
    block: Clock,
}

impl Learned {
    fn is(&self, device: &Clock, block: &Clock) -> bool {
        self.device.is_same(device) && self.block.is_same(block)
    }

    /// Whether it is the same as before.
    fn repeats(&mut self, device: &Clock, block: &Clock) -> bool {
        if self.is(device, block) {
            return true;
        }
        *self = Learned { device: device.clone(), block: block.clone() };
        false
    }
}

/// The threads of a warp.
#[derive(Clone, Debug)]
pub(super) struct WarpClocks {
    /// Lanes that have a thread.
    exists: u32,
    first: ThreadIndex,
    /// Each thread's own time. It advances when others may learn what the thread has done.
    pub times: [u32; 32],
    pub known: PerLane<Clock>,
    /// A time up to which every thread of the block is known to every lane.
    pub floor: u32,
    /// Lanes that have accessed memory since their time began; again and again atomically at one address does not count,
    /// as threads do that wait.
    accessed: u32,
    /// Where each lane's last strong access was.
    strong: [u64; 32],
    fences: Option<Box<[LaneFences; 32]>>,
}

/// An arrival at a block barrier.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    warp: u32,
    lanes: u32,
    waits: bool,
}

/// A block barrier at which threads have arrived.
#[derive(Clone, Debug, Default)]
struct Barrier {
    arrivals: Vec<Arrival>,
    /// What threads that do not wait knew.
    known: Clock,
}

/// The threads of a resident block.
#[derive(Clone, Debug)]
pub(super) struct BlockClocks {
    pub warps: Vec<WarpClocks>,
    /// The latest time of any thread.
    time: u32,
    barriers: HashMap<u32, Barrier>,
}

/// What has been released at an address.
#[derive(Clone, Debug, Default)]
pub(super) struct Released {
    /// To the device.
    device: Clock,
    /// By threads of one block, to their block.
    block: Option<(u32, Clock)>,
    /// The operation that did so.
    pub operation: u16,
}

impl Released {
    /// Whether threads of other blocks acquire anything.
    pub fn is_to_device(&self) -> bool {
        !self.device.is_same(&Clock::default())
    }

    /// Whether an acquire would learn anything.
    pub fn is_something(&self) -> bool {
        !self.device.is_same(&Clock::default()) || self.block.is_some()
    }
}

impl BlockClocks {
    pub fn new(block: u64, threads: u32) -> BlockClocks {
        let warp = |w: u32| WarpClocks {
            exists: u32::MAX >> (32 - (threads - 32 * w).min(32)),
            first: ThreadIndex::new(block, 32 * w),
            times: [1; 32],
            known: PerLane::Same(Clock::default()),
            floor: 0,
            accessed: 0,
            strong: [0; 32],
            fences: None,
        };
        BlockClocks {
            warps: (0..threads.div_ceil(32)).map(warp).collect(),
            time: 1,
            barriers: HashMap::new(),
        }
    }

    /// Lanes arrive at a barrier.
    pub fn arrive(&mut self, barrier: u32, warp: u32, lanes: u32, waits: bool) {
        let Some(clocks) = self.warps.get_mut(warp as usize) else { return };
        let barrier = self.barriers.entry(barrier).or_default();
        if !waits {
            clocks.publish_lanes(lanes, &mut barrier.known);
            self.time = self.time.max(clocks.advance(lanes));
        }
        barrier.arrivals.push(Arrival { warp, lanes, waits });
    }

    /// A barrier is complete; with `all` every thread that has not exited has arrived.
    pub fn complete(&mut self, barrier: u32, all: bool) {
        let Some(Barrier { arrivals, known: mut joined }) = self.barriers.remove(&barrier) else { return };
        let Some(first) = self.warps.first().map(|warp| warp.first) else { return };
        if all && arrivals.iter().all(|arrival| arrival.waits) {
            for arrival in &arrivals {
                self.warps[arrival.warp as usize].join_lanes(arrival.lanes, &mut joined);
            }
            joined.set_block(first, self.time);
            for warp in &mut self.warps {
                (warp.known, warp.floor) = (PerLane::Same(joined.clone()), self.time);
                warp.times = [self.time + 1; 32];
            }
            self.time += 1;
            return;
        }
        for arrival in arrivals.iter().filter(|arrival| arrival.waits) {
            self.warps[arrival.warp as usize].publish_lanes(arrival.lanes, &mut joined);
        }
        for arrival in arrivals.iter().filter(|arrival| arrival.waits) {
            let warp = &mut self.warps[arrival.warp as usize];
            warp.known.set(arrival.lanes, warp.exists, &joined);
            lanes_of(arrival.lanes).for_each(|lane| warp.times[lane] = self.time + 1);
        }
        self.time += 1;
    }

    /// Lanes of a warp execute `bar.warp.sync`.
    pub fn warp_barrier(&mut self, warp: u32, lanes: u32) {
        let Some(clocks) = self.warps.get_mut(warp as usize) else { return };
        let mut joined = Clock::default();
        clocks.publish_lanes(lanes, &mut joined);
        clocks.known.set(lanes, clocks.exists, &joined);
        self.time = self.time.max(clocks.advance(lanes));
    }

    /// Lanes of a warp access memory, at these addresses if the accesses are strong.
    #[inline]
    pub fn access(&mut self, warp: u32, lanes: u32, strong: Option<&[u64; 32]>) {
        let Some(clocks) = self.warps.get_mut(warp as usize) else { return };
        let Some(addresses) = strong else {
            clocks.accessed |= lanes;
            return;
        };
        for lane in lanes_of(lanes) {
            if mem::replace(&mut clocks.strong[lane], addresses[lane]) != addresses[lane] {
                clocks.accessed |= 1 << lane;
            }
        }
    }

    /// Lanes of a warp execute a fence.
    pub fn fence(&mut self, warp: u32, lanes: u32, order: MemoryOrder, scope: Scope) {
        let Some(clocks) = self.warps.get_mut(warp as usize) else { return };
        let device = scope != Scope::Cta;
        let mut later = 0;
        for lane in lanes_of(lanes) {
            let mut fences = mem::take(&mut clocks.fences.get_or_insert_default()[lane]);
            if order.acquires() {
                let read = if device { &fences.read } else { &fences.read_in_block };
                if !read.is_same(&Clock::default()) {
                    clocks.known.lane_mut(lane).join(read);
                }
            }
            let known = clocks.known.get(lane);
            // A thread that only waits has done nothing at its present time, which goes on: else the new times of waiting
            // threads would be news to each other for ever.
            let accessed = clocks.accessed >> lane & 1;
            let fence = Fence { known: known.clone(), time: clocks.times[lane] - (1 - accessed) };
            let last = if device { &fences.device } else { &fences.block };
            if order.releases() && last.as_ref() != Some(&fence) {
                if device {
                    fences.device = Some(fence.clone());
                }
                fences.block = Some(fence);
                fences.released = None;
                later |= accessed << lane;
            }
            clocks.fences.get_or_insert_default()[lane] = fences;
        }
        if later != 0 {
            self.time = self.time.max(clocks.advance(later));
        }
    }

    /// Whether a strong store or atomic of this order may release something: what the thread did before it, or before a
    /// fence.
    pub fn releases(&self, thread: u32, order: MemoryOrder) -> bool {
        let has_fences = |warp: &WarpClocks| warp.fences.is_some();
        order.releases() || self.warps.get(thread as usize / 32).is_some_and(has_fences)
    }

    /// A strong store or atomic of a lane at an address: adds what it releases, and with `replaces` ends what
    /// others have released there before.
    pub fn release(
        &mut self,
        thread: u32,
        (order, scope): (MemoryOrder, Scope),
        replaces: bool,
        released: &mut Released,
    ) {
        let Some(clocks) = self.warps.get_mut(thread as usize / 32) else { return };
        let lane = thread as usize % 32;
        let device = scope != Scope::Cta;
        if replaces {
            (released.device, released.block) = (Clock::default(), None);
        }
        let index = ThreadIndex(clocks.first.0 + lane as u32);
        let nothing = Clock::default();
        let fences = &mut clocks.fences.get_or_insert_default()[lane];
        let in_block = released.block.as_ref().map_or(&nothing, |(_, clock)| clock);
        if !replaces
            && !order.releases()
            && fences.released.as_ref().is_some_and(|last| last.is(&released.device, in_block))
        {
            return;
        }
        let own = order
            .releases()
            .then(|| Fence { known: clocks.known.get(lane).clone(), time: clocks.times[lane] });
        let to_device = own.as_ref().or(fences.device.as_ref()).filter(|_| device);
        // The block needs to be told only what the device is not.
        let to_block = own.as_ref().or(fences.block.as_ref()).filter(|&fence| to_device != Some(fence));
        let add = |fence: &Fence, clock: &mut Clock| {
            clock.join(&fence.known);
            if clock.get(index) < fence.time {
                clock.set_lanes(index, 1 << lane, &[fence.time; 32]);
            }
        };
        if let Some(fence) = to_device {
            add(fence, &mut released.device);
        }
        if let Some(fence) = to_block {
            let number = index.0 >> 10;
            match &mut released.block {
                Some((block, clock)) if *block == number => add(fence, clock),
                other => {
                    let mut clock = Clock::default();
                    add(fence, &mut clock);
                    *other = Some((number, clock));
                }
            }
        }
        let in_block = released.block.as_ref().map_or(&nothing, |(_, clock)| clock);
        let left = Learned { device: released.device.clone(), block: in_block.clone() };
        fences.released = own.is_none().then_some(left);
        if own.is_some() {
            self.time = self.time.max(clocks.advance(1 << lane));
        }
    }

    /// A strong load or atomic of a lane at an address where others have released.
    pub fn acquire(&mut self, thread: u32, (order, scope): (MemoryOrder, Scope), released: &Released) {
        let Some(clocks) = self.warps.get_mut(thread as usize / 32) else { return };
        let lane = thread as usize % 32;
        let own_block = released.block.as_ref().filter(|(block, _)| *block == clocks.first.0 >> 10);
        let nothing = Clock::default();
        let in_block = own_block.map_or(&nothing, |(_, clock)| clock);
        let device = if scope != Scope::Cta { &released.device } else { &nothing };
        let fences = &mut clocks.fences.get_or_insert_default()[lane];
        if order.acquires() {
            if !fences.acquired.repeats(device, in_block) {
                let known = clocks.known.lane_mut(lane);
                known.join(in_block);
                known.join(device);
            }
        } else if !fences.loaded.repeats(device, in_block) {
            for clock in [device, in_block] {
                fences.read.join(clock);
                fences.read_in_block.join(clock);
            }
        }
    }
}

impl WarpClocks {
    /// The time of lanes, if it is the same for all.
    #[inline]
    pub fn common_time(&self, lanes: u32) -> Option<u32> {
        let first = self.times[lanes.trailing_zeros() as usize & 31];
        let others = self
            .times
            .iter()
            .enumerate()
            .fold(0, |others, (i, &time)| others | u32::from(time != first) << i);
        (others & lanes == 0).then_some(first)
    }

    /// What every lane knows, if it is the same for all.
    pub fn common_knowledge(&self) -> Option<&Clock> {
        match &self.known {
            PerLane::Same(known) => Some(known),
            PerLane::Each(_) => None,
        }
    }

    /// Adds what lanes know, without what they have done themselves.
    fn join_lanes(&self, lanes: u32, to: &mut Clock) {
        match &self.known {
            PerLane::Same(known) => to.join(known),
            PerLane::Each(known) => lanes_of(lanes).for_each(|lane| to.join(&known[lane])),
        }
    }

    /// Adds what lanes know and what they have done.
    fn publish_lanes(&self, lanes: u32, to: &mut Clock) {
        self.join_lanes(lanes, to);
        to.set_lanes(self.first, lanes, &self.times);
    }

    /// Begins a new time of lanes; returns it.
    fn advance(&mut self, lanes: u32) -> u32 {
        let time = 1 + lanes_of(lanes).map(|lane| self.times[lane]).max().unwrap_or(0);
        lanes_of(lanes).for_each(|lane| self.times[lane] = time);
        self.accessed &= !lanes;
        time
    }
}
