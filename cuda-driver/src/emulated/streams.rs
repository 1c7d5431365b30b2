//! The streams that programs have created.

use std::collections::HashMap;

use super::{
    abi::Handle,
    objects::Stream,
    scheduler::{QueueId, Scheduler},
};
use crate::Status;

/// `CU_STREAM_LEGACY` and `CU_STREAM_PER_THREAD`, which every context has.
pub(super) const LEGACY: Handle = Handle(1);
pub(super) const PER_THREAD: Handle = Handle(2);

#[derive(Default)]
pub(crate) struct Streams {
    known: HashMap<Handle, Stream>,
    /// Destroyed streams whose operations may be unfinished.
    destroyed: Vec<Handle>,
    created: u64,
}

impl Streams {
    /// How many there are, with destroyed ones whose operations are unfinished.
    pub fn count(&self) -> usize {
        self.known.len()
    }

    /// A stream, which may be destroyed and have unfinished operations.
    pub fn get(&self, stream: Handle) -> Option<&Stream> {
        self.known.get(&stream)
    }

    /// A stream that is not destroyed.
    pub fn alive(&self, stream: Handle) -> Option<&Stream> {
        self.get(stream).filter(|known| !known.destroyed)
    }

    /// Adds a stream, whose number this sets.
    pub fn add(&mut self, handle: Handle, stream: Stream) {
        self.created += 1;
        self.known.insert(handle, Stream { number: self.created, ..stream });
    }

    /// Destroys a stream, which ends with its operations; returns its context.
    pub fn destroy(&mut self, stream: Handle) -> Result<Handle, Status> {
        let known = self.known.get_mut(&stream).filter(|known| !known.destroyed);
        let known = known.ok_or(Status::INVALID_HANDLE)?;
        known.destroyed = true;
        self.destroyed.push(stream);
        Ok(known.context)
    }

    /// Forgets those of a context.
    pub fn remove_all_of(&mut self, context: Handle) {
        self.known.retain(|_, stream| stream.context != context);
    }

    /// Forgets destroyed streams whose operations are finished.
    pub fn forget_finished(&mut self, scheduler: &mut Scheduler) {
        let known = &mut self.known;
        self.destroyed.retain(|&handle| {
            let queue = QueueId(handle);
            let kept = known.contains_key(&handle) && scheduler.is_unfinished(scheduler.last_of(queue));
            if !kept {
                known.remove(&handle);
                scheduler.close_queue(queue);
            }
            kept
        });
    }

    /// The name of a stream in a recording.
    pub fn name(&self, stream: Handle) -> String {
        match (stream, self.get(stream)) {
            (_, Some(known)) => format!("stream {}", known.number),
            (PER_THREAD, _) => "the thread's stream".to_owned(),
            _ => "the default stream".to_owned(),
        }
    }
}
