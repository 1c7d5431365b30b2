//! The order in which the calls of all threads arrive, and in which their work begins: kept in a file, and followed
//! again.
//!
//! A recording has a line of JSON for each call whose place among those of other threads matters, and one for each
//! operation that has begun:
//!
//! ```json
//! {"recording": 1}
//! {"thread": 2, "call": "cuLaunchKernel(fill, [4, 1, 1], [32, 1, 1], stream 1)"}
//! {"thread": 1, "call": "cuMemAlloc(64)", "status": 2}
//! {"begin": 1, "turn": 0}
//! ```
//!
//! Threads are numbered in the order in which the process made them, streams in that in which the program did.
//! `begin` is the number of an operation, `turn` how many turns kernels had had before. When a recording is followed,
//! a thread waits with its call until the calls before it have come, and work begins as it did.

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    sync::{Condvar, PoisonError},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{
    state::{State, lock},
    work::{self, Ticket},
};
use crate::{Status, log};

/// How long a thread waits for the call of another one that a recording has before its own.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

/// The first line of a recording.
const VERSION: u64 = 1;

/// Whether the order is kept or followed, if either.
#[derive(Debug, Default)]
pub(crate) enum Order {
    #[default]
    Free,
    Record {
        file: File,
        threads: Threads,
    },
    Replay {
        path: PathBuf,
        calls: VecDeque<Call>,
        begins: VecDeque<(Ticket, u64)>,
        threads: Threads,
    },
    /// The program did something else than what was recorded.
    Lost,
}

/// A call of a recording, and the line that it is in.
#[derive(Debug)]
pub(crate) struct Call {
    line: usize,
    thread: u64,
    text: String,
    status: i32,
}

/// What a thread may do with its call.
enum Arrival {
    Now,
    Later,
}

/// What may begin, as a recording has it.
pub(super) enum Begin {
    /// What the driver likes best.
    Any,
    /// This operation, as soon as it can.
    Only(Ticket),
    /// Nothing before the next turn of a kernel.
    Nothing,
}

/// Told whenever a call has arrived.
static ARRIVALS: Condvar = Condvar::new();

impl Order {
    /// Keeps the order in a file.
    pub fn record(path: &Path) -> Result<Order, String> {
        let mut file = File::create(path).map_err(|error| error.to_string())?;
        writeln!(file, "{}", json!({ "recording": VERSION })).map_err(|error| error.to_string())?;
        Ok(Order::Record { file, threads: Threads::default() })
    }

    /// Follows the order in a file.
    pub fn replay(path: &Path) -> Result<Order, String> {
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
        let head = lines.next().and_then(|(_, line)| serde_json::from_str::<Value>(line).ok());
        if head.is_none_or(|head| head["recording"] != VERSION) {
            return Err(format!("the first line is not {}", json!({ "recording": VERSION })));
        }
        let (mut calls, mut begins) = (VecDeque::new(), VecDeque::new());
        for (line, text) in lines {
            let wrong = |why: String| format!("line {line}: {why}");
            let entry: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
            let number =
                |name: &str| entry[name].as_u64().ok_or_else(|| wrong(format!("no number '{name}'")));
            if entry["begin"].is_u64() {
                begins.push_back((number("begin")?, number("turn")?));
                continue;
            }
            let text = entry["call"].as_str().ok_or_else(|| wrong("neither a call nor a begin".into()))?;
            let status = entry["status"].as_i64().and_then(|status| i32::try_from(status).ok()).unwrap_or(0);
            calls.push_back(Call { line, thread: number("thread")?, text: text.to_owned(), status });
        }
        Ok(Order::Replay { path: path.to_owned(), calls, begins, threads: Threads::default() })
    }

    /// Whether the order matters at all.
    pub fn is_kept(&self) -> bool {
        !matches!(self, Order::Free)
    }

    /// The driver has started a thread of its own, which does not count.
    pub fn exclude(&mut self, thread: u32) {
        if let Order::Record { threads, .. } | Order::Replay { threads, .. } = self {
            threads.own.insert(thread);
        }
    }

    /// A thread wants to make a call.
    fn arrive(&mut self, text: &str, waits_since: Instant, idle: bool) -> Result<Arrival, String> {
        let Order::Replay { path, calls, threads, .. } = self else { return Ok(Arrival::Now) };
        let thread = threads.number();
        let Some(next) = calls.front() else { return Ok(Arrival::Now) };
        let place = |call: &Call| format!("{}, line {}: thread {}", path.display(), call.line, call.thread);
        if next.thread == thread {
            return match next.text == text {
                true => Ok(Arrival::Now),
                false => Err(format!("{} called {}; now it calls {text}", place(next), next.text)),
            };
        }
        if !calls.iter().any(|call| call.thread == thread) {
            return Err(format!(
                "{}: thread {thread} has no more calls there; now it calls {text}",
                path.display()
            ));
        }
        if threads.is_gone(next.thread) {
            return Err(format!("{} called {}; now it has ended before", place(next), next.text));
        }
        if !idle || waits_since.elapsed() < PATIENCE {
            return Ok(Arrival::Later);
        }
        Err(format!("{} called {}, which has not come for {PATIENCE:?}", place(next), next.text))
    }

    /// A call was made, and answered so.
    fn arrived(&mut self, text: &str, status: i32) -> Result<(), String> {
        match self {
            Order::Record { file, threads } => {
                let mut entry = json!({ "thread": threads.number(), "call": text });
                if status != 0 {
                    entry["status"] = status.into();
                }
                writeln!(file, "{entry}").map_err(|error| format!("the recording cannot be written: {error}"))
            }
            Order::Replay { path, calls, .. } => match calls.pop_front() {
                Some(call) if call.status != status => Err(format!(
                    "{}, line {}: {text} answered {}; now it answers {status}",
                    path.display(),
                    call.line,
                    call.status
                )),
                _ => Ok(()),
            },
            Order::Free | Order::Lost => Ok(()),
        }
    }

    /// What may begin after so many turns.
    pub(super) fn next(&self, turns: u64) -> Begin {
        match self {
            Order::Replay { begins, .. } => match begins.front() {
                Some(&(ticket, turn)) if turn <= turns => Begin::Only(ticket),
                Some(_) => Begin::Nothing,
                None => Begin::Any,
            },
            _ => Begin::Any,
        }
    }

    /// An operation begins after so many turns.
    pub(super) fn begins(&mut self, ticket: Ticket, turns: u64) {
        match self {
            Order::Record { file, .. } => {
                // A file that is full was told of by a call.
                let _ = writeln!(file, "{}", json!({ "begin": ticket, "turn": turns }));
            }
            Order::Replay { begins, .. } => {
                begins.pop_front();
            }
            Order::Free | Order::Lost => {}
        }
    }
}

/// The threads of the process, by their numbers for the operating system.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    known: HashMap<u32, u64>,
    /// The driver's own.
    own: BTreeSet<u32>,
}

impl Threads {
    /// The number of the calling thread: its place among all threads there are or that have called, in the order in
    /// which they were made.
    fn number(&mut self) -> u64 {
        let Some(this) = this_thread() else { return 0 };
        if let Some(&number) = self.known.get(&this) {
            return number;
        }
        let tasks = fs::read_dir("/proc/self/task").into_iter().flatten();
        let alive = tasks.filter_map(|task| task.ok()?.file_name().to_str()?.parse::<u32>().ok());
        let all: BTreeSet<u32> = alive.chain(self.known.keys().copied()).collect();
        let before = all.range(..this).filter(|thread| !self.own.contains(thread)).count();
        let mut number = before as u64 + 1;
        while self.known.values().any(|&taken| taken == number) {
            number += 1;
        }
        self.known.insert(this, number);
        number
    }

    /// Whether the thread of a number has ended.
    fn is_gone(&self, number: u64) -> bool {
        let thread = self.known.iter().find(|(_, known)| **known == number).map(|(thread, _)| *thread);
        thread.is_some_and(|thread| !Path::new("/proc/self/task").join(thread.to_string()).exists())
    }
}

/// The operating system's number of the calling thread.
pub(super) fn this_thread() -> Option<u32> {
    fs::read_link("/proc/thread-self").ok()?.file_name()?.to_str()?.parse().ok()
}

/// Uses the state for a call whose place among those of other threads matters.
pub(super) fn ordered<R>(
    call: impl Fn(&State) -> String,
    use_it: impl FnOnce(&mut State) -> Result<R, Status>,
) -> Result<R, Status> {
    let (mut guard, mut since) = (lock(), None);
    loop {
        let Some(state) = guard.as_mut().filter(|state| state.initialised) else {
            return Err(Status::NOT_INITIALIZED);
        };
        match state.order {
            Order::Free => return use_it(state),
            Order::Lost => return Err(Status::ILLEGAL_STATE),
            Order::Record { .. } | Order::Replay { .. } => {}
        }
        let text = call(state);
        match state.order.arrive(&text, *since.get_or_insert_with(Instant::now), state.work.is_idle()) {
            Ok(Arrival::Now) => {
                let outcome = use_it(state);
                let status = outcome.as_ref().err().map_or(0, |status| status.code());
                let kept = state.order.arrived(&text, status);
                ARRIVALS.notify_all();
                return match kept {
                    Ok(()) => outcome,
                    Err(why) => Err(lose(state, &why)),
                };
            }
            Ok(Arrival::Later) => {
                let wait = ARRIVALS.wait_timeout(guard, Duration::from_millis(200));
                guard = wait.unwrap_or_else(PoisonError::into_inner).0;
            }
            Err(why) => {
                ARRIVALS.notify_all();
                return Err(lose(state, &why));
            }
        }
    }
}

/// The order cannot be followed or kept any more: nothing works from now on.
pub(super) fn lose(state: &mut State, why: &str) -> Status {
    let report = format!("the recorded order is lost: {why}");
    log::fault(&report, &json!({ "kind": "lost-order", "message": report }));
    state.last_fault = Some(report);
    state.order = Order::Lost;
    work::look_after(state);
    Status::ILLEGAL_STATE
}
