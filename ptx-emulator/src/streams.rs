//! Streams: launches that wait for each other, and others that run at the same time.

use std::collections::VecDeque;

use crate::execution::Execution;
use crate::fault::Fault;
use crate::launch::LaunchReport;
use crate::machine::Machine;
use crate::memory::MemoryModel;
use crate::observer::Observer;

/// Launches in streams. Those of one stream run one after the other; the first ones of all streams run at the
/// same time and take turns, a warp's turn at a time, so that a kernel that waits for one in another stream goes
/// on. The order is always the same.
///
/// Each launch has the whole machine's places for its blocks.
#[derive(Clone, Debug, Default)]
pub struct Streams {
    queues: Vec<VecDeque<Execution>>,
}

impl Streams {
    /// Streams without launches.
    pub fn new() -> Streams {
        Streams::default()
    }

    /// Appends a launch that [`Machine::begin`] has made to a stream; streams are numbered from 0.
    pub fn enqueue(&mut self, stream: usize, execution: Execution) {
        if self.queues.len() <= stream {
            self.queues.resize_with(stream + 1, VecDeque::new);
        }
        self.queues[stream].push_back(execution);
    }

    /// Runs all launches on their machine. `done` is told of each that has ended, with its stream.
    ///
    /// # Errors
    ///
    /// The fault of the first launch that fails. Nothing runs after it, as on a GPU; the launches that have not
    /// ended stay where they are.
    pub fn run<M: MemoryModel, O: Observer>(
        &mut self,
        machine: &Machine,
        model: &mut M,
        observer: &mut O,
        mut done: impl FnMut(usize, LaunchReport),
    ) -> Result<(), Box<Fault>> {
        while self.queues.iter().any(|queue| !queue.is_empty()) {
            for (stream, queue) in self.queues.iter_mut().enumerate() {
                let Some(execution) = queue.front_mut() else { continue };
                if execution.step(machine, model, observer)? {
                    done(stream, execution.report());
                    queue.pop_front();
                }
            }
        }
        Ok(())
    }
}
