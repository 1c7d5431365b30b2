//! The blocks of a launch: those that have not started, those that are resident, and what its jobs share.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::chooser::Chooser;
use super::state::Block;
use crate::launch::{LaunchConfig, LaunchOptions};

/// Steps that one of several jobs takes from the common budget at once. All jobs write that counter: with 256
/// steps a time, two jobs ran clang's -O0 code only 1.4 times as fast as one.
const STEPS_AT_ONCE: u64 = 1 << 14;
/// When fewer than this many shares are left, jobs take less at a time, so that none holds steps that another
/// needs.
const FEW_SHARES: u64 = 64;

/// The blocks of a grid that have not started, in the order in which they start, and the residency indices of
/// those that have.
#[derive(Clone, Debug, Default, Hash)]
pub(crate) struct PendingBlocks {
    next: u64,
    total: u64,
    reverse: bool,
    /// The next blocks, from which a seeded run picks one.
    window: Vec<u64>,
    /// The residency indices from `unused` to `capacity` have not been used yet; those of blocks that have
    /// ended are in `released`, and are used again in that order.
    unused: u64,
    capacity: u64,
    released: VecDeque<u64>,
    /// Blocks that are resident, and the most that may be.
    resident: u64,
    max_resident: u64,
}

/// A block that may start.
pub(crate) struct BlockStart {
    pub block: u64,
    pub resident_index: u64,
}

impl PendingBlocks {
    const WINDOW: usize = 64;

    /// The next block to start; `None` if no block is left or no more may be resident.
    pub fn take(&mut self, chooser: &mut Chooser) -> Option<BlockStart> {
        if self.resident == self.max_resident {
            return None;
        }
        let width = if chooser.seeded() { PendingBlocks::WINDOW } else { 1 };
        while self.window.len() < width && self.next < self.total {
            self.window.push(if self.reverse { self.total - 1 - self.next } else { self.next });
            self.next += 1;
        }
        if self.window.is_empty() {
            return None;
        }
        let pick = chooser.choose(self.window.len() as u32) as usize;
        let block = self.window.swap_remove(pick);
        let resident_index = if self.unused < self.capacity {
            self.unused += 1;
            self.unused - 1
        } else {
            self.released.pop_front().unwrap_or(0)
        };
        self.resident += 1;
        Some(BlockStart { block, resident_index })
    }

    /// A block with this residency index has ended.
    pub fn release(&mut self, resident_index: u64) {
        self.resident -= 1;
        self.released.push_back(resident_index);
    }

    pub fn is_empty(&self) -> bool {
        self.next == self.total && self.window.is_empty()
    }
}

/// The host threads that run one launch: what these jobs share.
#[derive(Debug)]
pub(crate) struct JobPool {
    pending: Mutex<PendingBlocks>,
    /// Steps that no job has taken yet.
    steps: AtomicU64,
    pub stopped: AtomicBool,
}

impl JobPool {
    pub fn new(pending: PendingBlocks, steps: u64) -> JobPool {
        JobPool {
            pending: Mutex::new(pending),
            steps: AtomicU64::new(steps),
            stopped: AtomicBool::new(false),
        }
    }

    /// Makes all jobs end.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub fn pending(&self) -> MutexGuard<'_, PendingBlocks> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes steps for a job: as many as it needs and, as long as there are plenty, more at once.
    pub fn take_steps(&self, needed: u64) -> u64 {
        let share = |left: u64| (left / FEW_SHARES).min(STEPS_AT_ONCE).max(needed).min(left);
        let take = |left: u64| Some(left - share(left));
        self.steps.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).map_or(0, share)
    }
}

/// The state of a grid, or of one job's part of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    pub pending: PendingBlocks,
    pub resident: Vec<Block>,
    /// Blocks that have ended; new ones use their memory again.
    pub spare: Vec<Block>,
    /// The index of the block that runs now, and how many warp turns it has had.
    pub current: usize,
    pub turns: u32,
    /// Blocks that should be resident now, and the most that may be.
    pub target_resident: u64,
    pub max_resident: u64,
    pub begun: bool,
}

impl Grid {
    /// Whether any of it has run.
    pub fn has_begun(&self) -> bool {
        self.begun || !self.resident.is_empty()
    }

    /// A grid that has not started. `capacity` is how many blocks the machine can hold at a time.
    pub fn new(config: &LaunchConfig, options: &LaunchOptions, capacity: u64) -> Grid {
        let total = config.grid.iter().fold(1u64, |n, &g| n.saturating_mul(u64::from(g)));
        let limit = match options.resident_blocks {
            Some(blocks) if options.cooperative.is_none() => u64::from(blocks).min(capacity),
            _ => capacity,
        };
        let max_resident = limit.max(1);
        // In order, one block at a time is enough until it waits for another.
        let all = options.seed.is_some() || options.resident_blocks.is_some();
        let pending = PendingBlocks {
            next: 0,
            total,
            reverse: options.reverse_blocks,
            window: Vec::new(),
            unused: 0,
            capacity: capacity.max(1),
            released: VecDeque::new(),
            resident: 0,
            max_resident,
        };
        let target_resident = if all { max_resident } else { 1 };
        Grid { pending, max_resident, target_resident, ..Grid::default() }
    }

    /// How many jobs can run the grid, at most: 1 if it has started.
    pub fn max_jobs(&self) -> u64 {
        let untouched = self.pending.next == 0;
        if untouched { self.pending.total.min(self.pending.max_resident) } else { 1 }
    }

    /// Takes the blocks that have not started out of the grid.
    pub fn take_pending(&mut self) -> PendingBlocks {
        std::mem::take(&mut self.pending)
    }

    /// The part of one job, which takes its blocks from the pool.
    pub fn of_job(pool: &JobPool) -> Grid {
        let max_resident = pool.pending().max_resident;
        Grid { max_resident, target_resident: 1, ..Grid::default() }
    }

    /// Hashes everything that decides how the grid continues.
    pub fn hash_into(&self, state: &mut impl std::hash::Hasher) {
        use std::hash::Hash;
        (&self.pending, self.current, self.turns, self.target_resident, self.begun).hash(state);
        self.resident.iter().for_each(|block| block.hash_into(state));
    }
}
