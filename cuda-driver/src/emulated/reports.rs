//! Reports that are kept until somebody takes them.

use std::{
    collections::VecDeque,
    sync::atomic::{AtomicBool, Ordering},
};

use ptx_emulator::LaunchReport;

/// How many reports of launches are kept for [`take_launches`](crate::reports::take_launches); beyond that
/// the oldest are dropped.
pub const LAUNCHES_KEPT: usize = 1 << 16;

/// Whether somebody wants the reports of launches.
static LAUNCHES_WANTED: AtomicBool = AtomicBool::new(false);

/// Keeps the reports of launches from now on.
pub(crate) fn keep_launches() {
    LAUNCHES_WANTED.store(true, Ordering::Relaxed);
}

#[derive(Default)]
pub(crate) struct Reports {
    /// Reports of launches that nobody has taken yet, the oldest first.
    launches: VecDeque<LaunchReport>,
    /// Reports dropped because nobody took them.
    pub forgotten_launches: u64,
    /// The last report of an error.
    pub last: Option<String>,
}

impl Reports {
    /// Keeps the report of a launch that ended without a fault, where somebody wants it.
    pub fn keep_launch(&mut self, report: LaunchReport) {
        if !LAUNCHES_WANTED.load(Ordering::Relaxed) {
            return;
        }
        if self.launches.len() == LAUNCHES_KEPT {
            self.launches.pop_front();
            self.forgotten_launches += 1;
        }
        self.launches.push_back(report);
    }

    pub fn take_launches(&mut self) -> Vec<LaunchReport> {
        self.launches.drain(..).collect()
    }
}
