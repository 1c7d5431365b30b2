//! The blocks of a launch: those that wait, those that are resident, and what the jobs of a launch share.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::chooser::Chooser;
use super::state::Block;
use crate::launch::{LaunchConfig, LaunchOptions};

/// Steps that a job of several takes at once: what they count together is written by all, and with 256 steps a time
/// two jobs ran clang's -O0 code 1.4 times as fast as one.
const STEPS_AT_ONCE: u64 = 1 << 14;
/// Where fewer than so many such shares are left, jobs take less at a time, so that none keeps what another needs.
const FEW_SHARES: u64 = 64;

/// The blocks of a grid that have not started, in the order in which they may, and the places on the machine
/// for those that have.
#[derive(Clone, Debug, Default, Hash)]
pub(crate) struct Waiting {
    next: u64,
    total: u64,
    reverse: bool,
    /// A window of the next blocks, from which a seeded run picks.
    window: Vec<u64>,
    /// Places that no block has had yet are those from `fresh` to `places`; those given back are used again in
    /// the order in which they were.
    fresh: u64,
    places: u64,
    free: VecDeque<u64>,
    /// Blocks that have a place, and the most that may.
    resident: u64,
    most: u64,
}

/// A block that may start.
pub(super) struct Start {
    pub block: u64,
    pub place: u64,
}

impl Waiting {
    const WINDOW: usize = 64;

    /// `None` if no block is left, or no place.
    pub fn take(&mut self, chooser: &mut Chooser) -> Option<Start> {
        if self.resident == self.most {
            return None;
        }
        let width = if chooser.seeded() { Waiting::WINDOW } else { 1 };
        while self.window.len() < width && self.next < self.total {
            self.window.push(if self.reverse { self.total - 1 - self.next } else { self.next });
            self.next += 1;
        }
        if self.window.is_empty() {
            return None;
        }
        let pick = chooser.choose(self.window.len() as u32) as usize;
        let block = self.window.swap_remove(pick);
        let place = if self.fresh < self.places {
            self.fresh += 1;
            self.fresh - 1
        } else {
            self.free.pop_front().unwrap_or(0)
        };
        self.resident += 1;
        Some(Start { block, place })
    }

    /// A block has ended.
    pub fn give(&mut self, place: u64) {
        self.resident -= 1;
        self.free.push_back(place);
    }

    pub fn empty(&self) -> bool {
        self.next == self.total && self.window.is_empty()
    }
}

/// What the jobs of a launch share.
#[derive(Debug)]
pub(crate) struct JobPool {
    waiting: Mutex<Waiting>,
    steps: AtomicU64,
    pub stopped: AtomicBool,
}

impl JobPool {
    pub fn new(waiting: Waiting, steps: u64) -> JobPool {
        JobPool {
            waiting: Mutex::new(waiting),
            steps: AtomicU64::new(steps),
            stopped: AtomicBool::new(false),
        }
    }

    /// Ends the work of all jobs.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes steps for a job: so many or, as long as there are plenty, more at once.
    pub fn steps(&self, wanted: u64) -> u64 {
        let share = |left: u64| (left / FEW_SHARES).min(STEPS_AT_ONCE).max(wanted).min(left);
        let take = |left: u64| Some(left - share(left));
        self.steps.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).map_or(0, share)
    }
}

/// The state of a grid, or of one job's part of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    pub waiting: Waiting,
    pub running: Vec<Block>,
    /// Blocks that have ended, kept for their memory.
    pub spare: Vec<Block>,
    /// The block whose turn it is, and the turns of warps it has had.
    pub turn: usize,
    pub spent: u32,
    /// Blocks that should be resident, and the most that may.
    pub wanted: u64,
    pub most: u64,
    pub begun: bool,
}

impl Grid {
    /// A grid that has not started. `places` is how many blocks the machine can hold at a time.
    pub fn new(config: &LaunchConfig, options: &LaunchOptions, places: u64) -> Grid {
        let total = config.grid.iter().fold(1u64, |n, &g| n.saturating_mul(u64::from(g)));
        let most = options.resident_blocks.map_or(places, |n| u64::from(n).min(places)).max(1);
        // In order, one block at a time is enough until it waits for another.
        let all = options.seed.is_some() || options.resident_blocks.is_some();
        let waiting = Waiting {
            next: 0,
            total,
            reverse: options.reverse_blocks,
            window: Vec::new(),
            fresh: 0,
            places: places.max(1),
            free: VecDeque::new(),
            resident: 0,
            most,
        };
        Grid { waiting, most, wanted: if all { most } else { 1 }, ..Grid::default() }
    }

    /// How many jobs can work on the grid, at most: 1 if it has started.
    pub fn parallel(&self) -> u64 {
        let untouched = self.waiting.next == 0;
        if untouched { self.waiting.total.min(self.waiting.most) } else { 1 }
    }

    /// Takes the blocks that wait; the grid is left without.
    pub fn take_waiting(&mut self) -> Waiting {
        std::mem::take(&mut self.waiting)
    }

    /// One job's part of a grid that has blocks only from the pool.
    pub fn of_job(pool: &JobPool) -> Grid {
        let most = pool.waiting().most;
        Grid { most, wanted: 1, ..Grid::default() }
    }

    /// Feeds everything that decides how the grid goes on to a hasher.
    pub fn hash_into(&self, state: &mut impl std::hash::Hasher) {
        use std::hash::Hash;
        (&self.waiting, self.turn, self.spent, self.wanted, self.begun).hash(state);
        self.running.iter().for_each(|block| block.hash_into(state));
    }
}
