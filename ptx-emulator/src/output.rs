//! What programs print, until somebody takes it.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Bytes that are kept unless told otherwise.
pub(crate) const USUAL_LIMIT: usize = 64 << 20;

/// What the kernels of a machine have printed, in order, call by call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// The text, as bytes.
    pub text: Vec<u8>,
    /// Calls of `printf` whose text was dropped for want of room: the earliest ones.
    pub dropped: u64,
}

/// Collects output; the oldest gives way when there is too much, as in the buffer of a GPU. Threads may print at
/// the same time: the text of one call stays together.
#[derive(Debug)]
pub(crate) struct Sink(Mutex<Collected>);

#[derive(Clone, Debug)]
struct Collected {
    calls: VecDeque<Vec<u8>>,
    bytes: usize,
    dropped: u64,
    limit: usize,
}

impl Default for Sink {
    fn default() -> Sink {
        Sink(Mutex::new(Collected { calls: VecDeque::new(), bytes: 0, dropped: 0, limit: USUAL_LIMIT }))
    }
}

impl Clone for Sink {
    fn clone(&self) -> Sink {
        Sink(Mutex::new(self.with(|c| c.clone())))
    }
}

impl Sink {
    fn with<R>(&self, use_it: impl FnOnce(&mut Collected) -> R) -> R {
        use_it(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds the text of one call.
    pub fn print(&self, text: Vec<u8>) {
        self.with(|c| {
            c.bytes += text.len();
            c.calls.push_back(text);
            // Short texts cost more than their bytes.
            while c.bytes + c.calls.len() * size_of::<Vec<u8>>() > c.limit && c.calls.len() > 1 {
                c.bytes -= c.calls.pop_front().map_or(0, |t| t.len());
                c.dropped += 1;
            }
        });
    }

    /// Bytes to keep from now on.
    pub fn set_limit(&self, bytes: usize) {
        self.with(|c| c.limit = bytes);
    }

    /// Takes what is there.
    pub fn take(&self) -> Output {
        self.with(|c| {
            c.bytes = 0;
            let text = std::mem::take(&mut c.calls).into_iter().flatten().collect();
            Output { text, dropped: std::mem::take(&mut c.dropped) }
        })
    }
}
