//! Tries one input, and checks what every target guarantees: no panic, and a limited time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::target::{Fuzzer, Outcome};

/// The first panic since the last trial began, of any thread.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

fn panic() -> Option<String> {
    PANIC.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Stores panic messages instead of printing them.
pub fn catch_panics() {
    std::panic::set_hook(Box::new(|info| {
        PANIC.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| info.to_string());
    }));
}

/// Tries an input; an error describes the violated guarantee.
pub fn run(fuzzer: &dyn Fuzzer, input: &[u8], seed: u64) -> Result<Outcome, String> {
    let limit = fuzzer.time(input);
    let start = Instant::now();
    let outcome = guarded(fuzzer, input, seed)?;
    if start.elapsed() > limit {
        // Another process may have caused the delay: the best of three runs counts.
        let again = || {
            let start = Instant::now();
            guarded(fuzzer, input, seed).map(|_| start.elapsed())
        };
        let best = again()?.min(again()?);
        if best > limit {
            return Err(format!("took {best:?} for {} bytes", input.len()));
        }
    }
    Ok(outcome)
}

fn guarded(fuzzer: &dyn Fuzzer, input: &[u8], seed: u64) -> Result<Outcome, String> {
    panic();
    let outcome = catch_unwind(AssertUnwindSafe(|| fuzzer.run(input, seed)));
    match (panic(), outcome) {
        (Some(message), _) => Err(message),
        (None, Ok(outcome)) => outcome,
        (None, Err(_)) => Err("it panicked".to_owned()),
    }
}
