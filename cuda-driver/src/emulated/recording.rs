//! Record and replay: the order in which the calls of all threads arrive, and in which their operations
//! start, written to a file or followed from one.
//!
//! A recording has a line of JSON for each call whose place among those of other threads matters, and one for
//! each operation that has started:
//!
//! ```json
//! {"recording": 1}
//! {"thread": 2, "call": "cuLaunchKernel(fill, [4, 1, 1], [32, 1, 1], stream 1)"}
//! {"thread": 1, "call": "cuMemAlloc(64)", "status": 2}
//! {"begin": 1, "turn": 0}
//! ```
//!
//! Threads are numbered in the order in which the process created them, streams in that in which the program
//! did. `begin` is the ticket of an operation, `turn` the number of time slices of kernels that had ended
//! before. In a replay a thread waits with its call until the calls before it have arrived, and operations
//! start as they did.

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::scheduler::{StartRule, Ticket};
use crate::settings::values::{ConfigureError, RecordingFile};

/// How long a thread waits for the call of another thread that the recording has before its own.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// The first line of a recording.
const VERSION: u64 = 1;

/// The recording that is written or followed, if any.
#[derive(Debug, Default)]
pub(crate) enum Recording {
    #[default]
    Off,
    Record {
        file: File,
        threads: ThreadNumbers,
    },
    Replay {
        path: PathBuf,
        calls: VecDeque<RecordedCall>,
        starts: VecDeque<(Ticket, u64)>,
        threads: ThreadNumbers,
    },
    /// The program has left the recording, or the file could not be written: every call fails.
    Lost,
}

/// A call of a recording, and the number of its line.
#[derive(Debug)]
pub(crate) struct RecordedCall {
    line: usize,
    thread: u64,
    text: String,
    status: i32,
}

/// Whether a thread may make its call.
pub(crate) enum Arrival {
    Now,
    Later,
}

impl Recording {
    /// Opens the file of a recording.
    pub fn open(file: &RecordingFile) -> Result<Recording, ConfigureError> {
        let (path, opened) = match file {
            RecordingFile::Record(path) => (path, Recording::record(path)),
            RecordingFile::Replay(path) => (path, Recording::replay(path)),
        };
        opened.map_err(|why| ConfigureError::Recording { path: path.clone(), why })
    }

    /// Records to a file.
    fn record(path: &Path) -> Result<Recording, String> {
        let mut file = File::create(path).map_err(|error| error.to_string())?;
        writeln!(file, "{}", json!({ "recording": VERSION })).map_err(|error| error.to_string())?;
        Ok(Recording::Record { file, threads: ThreadNumbers::default() })
    }

    /// Replays a file.
    fn replay(path: &Path) -> Result<Recording, String> {
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
        let head = lines.next().and_then(|(_, line)| serde_json::from_str::<Value>(line).ok());
        if head.is_none_or(|head| head["recording"] != VERSION) {
            return Err(format!("the first line is not {}", json!({ "recording": VERSION })));
        }
        let (mut calls, mut starts) = (VecDeque::new(), VecDeque::new());
        for (line, text) in lines {
            let wrong = |why: String| format!("line {line}: {why}");
            let entry: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
            let number =
                |name: &str| entry[name].as_u64().ok_or_else(|| wrong(format!("'{name}' is not a number")));
            if entry["begin"].is_u64() {
                starts.push_back((number("begin")?, number("turn")?));
                continue;
            }
            let text =
                entry["call"].as_str().ok_or_else(|| wrong("neither 'call' nor 'begin' is there".into()))?;
            let status = entry["status"].as_i64().and_then(|status| i32::try_from(status).ok()).unwrap_or(0);
            calls.push_back(RecordedCall { line, thread: number("thread")?, text: text.to_owned(), status });
        }
        Ok(Recording::Replay { path: path.to_owned(), calls, starts, threads: ThreadNumbers::default() })
    }

    /// Whether calls are recorded or replayed.
    pub fn is_active(&self) -> bool {
        !matches!(self, Recording::Off)
    }

    /// The driver has started a thread of its own, which gets no number.
    pub fn exclude(&mut self, thread: u32) {
        if let Recording::Record { threads, .. } | Recording::Replay { threads, .. } = self {
            threads.own.insert(thread);
        }
    }

    /// A thread wants to make a call. `idle`: the driver has nothing to do.
    pub fn arrive(&mut self, text: &str, waits_since: Instant, idle: bool) -> Result<Arrival, String> {
        let Recording::Replay { path, calls, threads, .. } = self else { return Ok(Arrival::Now) };
        let thread = threads.number();
        let Some(next) = calls.front() else { return Ok(Arrival::Now) };
        let location =
            |call: &RecordedCall| format!("{}, line {}: thread {}", path.display(), call.line, call.thread);
        if next.thread == thread {
            return match next.text == text {
                true => Ok(Arrival::Now),
                false => Err(format!("{} called {}; now it calls {text}", location(next), next.text)),
            };
        }
        if !calls.iter().any(|call| call.thread == thread) {
            return Err(format!(
                "{}: thread {thread} has no more calls there; now it calls {text}",
                path.display()
            ));
        }
        if threads.is_gone(next.thread) {
            return Err(format!(
                "{} called {}; now it has ended without that call",
                location(next),
                next.text
            ));
        }
        if !idle || waits_since.elapsed() < LONGEST_WAIT {
            return Ok(Arrival::Later);
        }
        Err(format!("{} called {}; that call has not come for {LONGEST_WAIT:?}", location(next), next.text))
    }

    /// A call was made and returned this status.
    pub fn arrived(&mut self, text: &str, status: i32) -> Result<(), String> {
        match self {
            Recording::Record { file, threads } => {
                let mut entry = json!({ "thread": threads.number(), "call": text });
                if status != 0 {
                    entry["status"] = status.into();
                }
                writeln!(file, "{entry}").map_err(|error| format!("the recording cannot be written: {error}"))
            }
            Recording::Replay { path, calls, .. } => match calls.pop_front() {
                Some(call) if call.status != status => Err(format!(
                    "{}, line {}: {text} returned {}; now it returns {status}",
                    path.display(),
                    call.line,
                    call.status
                )),
                _ => Ok(()),
            },
            Recording::Off | Recording::Lost => Ok(()),
        }
    }

    /// Which operation may start after so many time slices.
    pub fn start_rule(&self, time_slices: u64) -> StartRule {
        match self {
            Recording::Replay { starts, .. } => match starts.front() {
                Some(&(ticket, after)) if after <= time_slices => StartRule::Only(ticket),
                Some(_) => StartRule::Nothing,
                None => StartRule::Any,
            },
            _ => StartRule::Any,
        }
    }

    /// An operation starts after so many time slices.
    pub fn started(&mut self, ticket: Ticket, time_slices: u64) {
        match self {
            Recording::Record { file, .. } => {
                // A full file was reported by a call.
                let _ = writeln!(file, "{}", json!({ "begin": ticket, "turn": time_slices }));
            }
            Recording::Replay { starts, .. } => {
                starts.pop_front();
            }
            Recording::Off | Recording::Lost => {}
        }
    }
}

/// The numbers of the process's threads, by their identifiers for the operating system.
#[derive(Debug, Default)]
pub(crate) struct ThreadNumbers {
    known: HashMap<u32, u64>,
    /// The driver's own threads.
    own: BTreeSet<u32>,
}

impl ThreadNumbers {
    /// The number of the calling thread: its place among all threads that are alive or have called, in the
    /// order in which they were created.
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

    /// Whether the thread with a number has ended.
    fn is_gone(&self, number: u64) -> bool {
        let thread = self.known.iter().find(|(_, known)| **known == number).map(|(thread, _)| *thread);
        thread.is_some_and(|thread| !Path::new("/proc/self/task").join(thread.to_string()).exists())
    }
}

/// The operating system's identifier of the calling thread.
pub(super) fn this_thread() -> Option<u32> {
    fs::read_link("/proc/thread-self").ok()?.file_name()?.to_str()?.parse().ok()
}
