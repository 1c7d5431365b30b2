//! The output of `printf` in device programs, until the host takes it.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Bytes that are kept by default.
const DEFAULT_LIMIT: usize = 64 << 20;

/// What the kernels of a machine have printed, in order, call by call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// The text, as bytes.
    pub text: Vec<u8>,
    /// Calls of `printf` whose text was dropped because the buffer was full: the earliest ones.
    pub dropped: u64,
}

/// Collects output. When it is full the oldest is dropped, as in a GPU's buffer. Threads may print at the
/// same time: the text of one call stays together.
#[derive(Debug)]
pub(crate) struct PrintBuffer(Mutex<Collected>);

#[derive(Clone, Debug)]
struct Collected {
    calls: VecDeque<Vec<u8>>,
    bytes: usize,
    dropped: u64,
    limit: usize,
}

impl Default for PrintBuffer {
    fn default() -> PrintBuffer {
        PrintBuffer(Mutex::new(Collected {
            calls: VecDeque::new(),
            bytes: 0,
            dropped: 0,
            limit: DEFAULT_LIMIT,
        }))
    }
}

impl Clone for PrintBuffer {
    fn clone(&self) -> PrintBuffer {
        PrintBuffer(Mutex::new(self.with(|c| c.clone())))
    }
}

impl PrintBuffer {
    fn with<R>(&self, action: impl FnOnce(&mut Collected) -> R) -> R {
        action(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
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

    /// Sets how many bytes are kept from now on.
    pub fn set_limit(&self, bytes: usize) {
        self.with(|c| c.limit = bytes);
    }

    /// Takes all output out of the buffer.
    pub fn take(&self) -> Output {
        self.with(|c| {
            c.bytes = 0;
            let text = std::mem::take(&mut c.calls).into_iter().flatten().collect();
            Output { text, dropped: std::mem::take(&mut c.dropped) }
        })
    }
}
