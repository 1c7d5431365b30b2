//! The output of `printf` in device programs, until the host takes it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::memory::Budget;

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
pub(crate) struct PrintBuffer {
    collected: Mutex<Collected>,
    budget: Arc<Budget>,
}

#[derive(Clone, Debug)]
struct Collected {
    calls: VecDeque<Vec<u8>>,
    /// What the calls take.
    bytes: usize,
    dropped: u64,
    limit: usize,
}

/// What a call takes in the buffer: a short text costs more than its bytes.
fn cost(text: &[u8]) -> usize {
    text.len() + size_of::<Vec<u8>>()
}

impl PrintBuffer {
    /// An empty buffer, whose contents are taken from a budget.
    pub fn new(budget: Arc<Budget>) -> PrintBuffer {
        let collected = Collected { calls: VecDeque::new(), bytes: 0, dropped: 0, limit: DEFAULT_LIMIT };
        PrintBuffer { collected: Mutex::new(collected), budget }
    }

    /// A copy, which has taken its contents from another budget.
    pub fn duplicate(&self, budget: Arc<Budget>) -> PrintBuffer {
        PrintBuffer { collected: Mutex::new(self.with(|c| c.clone())), budget }
    }

    fn with<R>(&self, action: impl FnOnce(&mut Collected) -> R) -> R {
        action(&mut self.collected.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds the text of one call.
    pub fn print(&self, text: Vec<u8>) {
        self.with(|c| {
            let needed = cost(&text);
            let mut taken = self.budget.take(needed as u64).is_ok();
            while !taken || c.bytes + needed > c.limit {
                let Some(oldest) = c.calls.pop_front() else { break };
                c.bytes -= cost(&oldest);
                c.dropped += 1;
                self.budget.give(cost(&oldest) as u64);
                taken = taken || self.budget.take(needed as u64).is_ok();
            }
            if !taken {
                c.dropped += 1;
                return;
            }
            c.bytes += needed;
            c.calls.push_back(text);
        });
    }

    /// Sets how many bytes are kept from now on.
    pub fn set_limit(&self, bytes: usize) {
        self.with(|c| c.limit = bytes);
    }

    /// Takes all output out of the buffer.
    pub fn take(&self) -> Output {
        self.with(|c| {
            self.budget.give(std::mem::take(&mut c.bytes) as u64);
            let text = std::mem::take(&mut c.calls).into_iter().flatten().collect();
            Output { text, dropped: std::mem::take(&mut c.dropped) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(output: &Output) -> String {
        String::from_utf8_lossy(&output.text).into_owned()
    }

    #[test]
    fn the_oldest_output_is_dropped_where_a_limit_is_reached() {
        let one = cost(b"0\n") as u64;
        for by_budget in [false, true] {
            let budget = Arc::new(Budget::unlimited());
            let buffer = PrintBuffer::new(budget.clone());
            if by_budget {
                budget.set_limit(3 * one)
            } else {
                buffer.set_limit(3 * one as usize)
            }
            for n in 0..10 {
                buffer.print(format!("{n}\n").into_bytes());
            }
            assert_eq!(budget.usage().0, 3 * one);
            let output = buffer.take();
            assert_eq!((text(&output).as_str(), output.dropped), ("7\n8\n9\n", 7));
            assert_eq!(budget.usage().0, 0);
            // What is larger than the budget is dropped itself.
            buffer.print(vec![b'x'; 1000]);
            let output = buffer.take();
            let kept = if by_budget { (0, 1) } else { (1000, 0) };
            assert_eq!((output.text.len(), output.dropped), kept);
            assert_eq!(budget.usage().0, 0);
        }
    }
}
