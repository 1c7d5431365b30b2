//! Whether a machine profiles its launches, and what it knows of programs.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::analysis::Analysis;
use super::collector::Collector;
use crate::program::Program;

/// Analyses by the address of their program, which is alive as long as it can be upgraded.
type Analyses = HashMap<usize, (Weak<Program>, Arc<Analysis>)>;

/// Whether launches are profiled, with the analyses of the programs that were.
#[derive(Debug, Default)]
pub(crate) struct Profiler {
    active: AtomicBool,
    analyses: Mutex<Analyses>,
}

impl Clone for Profiler {
    fn clone(&self) -> Profiler {
        Profiler {
            active: AtomicBool::new(self.active.load(Ordering::Relaxed)),
            analyses: Mutex::new(self.analyses.lock().unwrap_or_else(PoisonError::into_inner).clone()),
        }
    }
}

impl Profiler {
    /// Profiles later launches, or does not.
    pub fn set(&self, active: bool) {
        self.active.store(active, Ordering::Relaxed);
    }

    /// What counts a launch of a program, if launches are profiled.
    pub fn begin(&self, program: &Arc<Program>) -> Option<Collector> {
        if !self.active.load(Ordering::Relaxed) {
            return None;
        }
        let mut analyses = self.analyses.lock().unwrap_or_else(PoisonError::into_inner);
        analyses.retain(|_, (program, _)| program.strong_count() != 0);
        let new = || (Arc::downgrade(program), Arc::new(Analysis::new(program)));
        let (_, analysis) = analyses.entry(Arc::as_ptr(program) as usize).or_insert_with(new);
        Some(Collector::new(analysis.clone()))
    }
}
