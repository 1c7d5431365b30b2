//! Runs programs of others within limits of time, memory, files and kept output, so that nothing of the process group
//! stays; and trusted ones without.

use std::{
    io::{self, Read},
    os::unix::process::CommandExt,
    process::{Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, channel},
    },
    time::{Duration, Instant},
};

use rustix::process::{
    Pid, Resource, Rlimit, Signal, kill_process_group, set_parent_process_death_signal, setrlimit,
};

/// Bytes of an output that are kept; the rest is read and dropped.
const KEPT: usize = 8 << 20;

/// Bytes of a file that a program can write.
const LARGEST_FILE: u64 = 4 << 30;

/// How often a running program is asked whether it has ended.
const INTERVAL: Duration = Duration::from_millis(5);

/// How long an ended program's output is waited for: a process that left the group may keep it open.
const LAST_OUTPUT: Duration = Duration::from_secs(2);

/// What a program may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub time: Duration,
    /// Bytes of memory that each of its processes may allocate.
    pub memory: u64,
}

/// A program that has ended.
#[derive(Debug)]
pub struct Finished {
    /// None if it was ended at its time limit.
    pub status: Option<ExitStatus>,
    pub out: Output,
    pub err: Output,
    pub seconds: f64,
}

/// What a program printed.
#[derive(Clone, Debug, Default)]
pub struct Output {
    pub text: String,
    /// Whether there was more, which was not kept.
    pub cut: bool,
}

/// Runs a program without input; an error if it cannot be started.
pub fn run(command: &mut Command, limits: Limits) -> io::Result<Finished> {
    let limit = |most| Rlimit { current: Some(most), maximum: Some(most) };
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    // SAFETY: the closure runs between fork and exec and makes system calls only, which is allowed there.
    unsafe {
        command.pre_exec(move || {
            // The terminal's signals do not reach its group, so it must not outlive this process.
            set_parent_process_death_signal(Some(Signal::KILL))?;
            setrlimit(Resource::Data, limit(limits.memory))?;
            setrlimit(Resource::Fsize, limit(LARGEST_FILE))?;
            Ok(setrlimit(Resource::Core, limit(0))?)
        });
    }
    let start = Instant::now();
    let mut child = command.spawn()?;
    let out = Pipe::of(child.stdout.take());
    let err = Pipe::of(child.stderr.take());
    let status = loop {
        match child.try_wait()? {
            None if start.elapsed() < limits.time => std::thread::sleep(INTERVAL),
            status => break status,
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    // The group's number is the child's, and no other process gets it while a process of the group is left. If none
    // is left, and the child was waited for, the number is free; that another group has got it already is as unlikely
    // as for any process that is named by its number.
    if let Some(group) = Pid::from_raw(child.id() as i32) {
        // The group may have ended.
        let _ = kill_process_group(group, Signal::KILL);
    }
    if status.is_none() {
        child.wait()?;
    }
    let deadline = Instant::now() + LAST_OUTPUT;
    Ok(Finished { status, out: out.finish(deadline), err: err.finish(deadline), seconds })
}

/// Runs a program of this machine with its output shown; an error unless it succeeds.
pub fn call(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program} ended with {status}")),
        Err(e) => Err(format!("{program}: {e}")),
    }
}

/// A pipe that a thread reads to its end.
struct Pipe {
    kept: Arc<Mutex<(Vec<u8>, bool)>>,
    ended: Receiver<()>,
}

impl Pipe {
    fn of(from: Option<impl Read + Send + 'static>) -> Pipe {
        let (end, ended) = channel();
        let kept = Arc::new(Mutex::default());
        let shared = Arc::clone(&kept);
        // Not joined: a process that nobody can find may keep the pipe open.
        std::thread::spawn(move || {
            if let Some(from) = from {
                read(from, &shared);
            }
            drop(end);
        });
        Pipe { kept, ended }
    }

    /// What was read until the pipe's end, or the deadline.
    fn finish(self, deadline: Instant) -> Output {
        // Nothing is ever sent: it ends when the thread does, or at the deadline.
        let _ = self.ended.recv_timeout(deadline.saturating_duration_since(Instant::now()));
        let (bytes, cut) = std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner));
        Output { text: String::from_utf8_lossy(&bytes).into_owned(), cut }
    }
}

fn read(mut from: impl Read, kept: &Mutex<(Vec<u8>, bool)>) {
    let mut piece = vec![0; 1 << 16];
    loop {
        let length = match from.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Ok(0) | Err(_) => return,
            Ok(length) => length,
        };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = length.min(KEPT - kept.0.len().min(KEPT));
        kept.0.extend_from_slice(&piece[..fits]);
        kept.1 |= fits < length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, seconds: f64) -> Finished {
        let limits = Limits { time: Duration::from_secs_f64(seconds), memory: 1 << 30 };
        run(Command::new("sh").args(["-c", script]), limits).expect("it starts")
    }

    #[test]
    fn status_and_both_outputs_are_kept() {
        let ran = shell("echo out; echo err >&2; cat; exit 3", 20.0);
        assert_eq!(ran.status.and_then(|status| status.code()), Some(3));
        assert_eq!((&*ran.out.text, &*ran.err.text, ran.out.cut), ("out\n", "err\n", false));
    }

    #[test]
    fn endless_output_is_cut_and_ends_with_the_time() {
        let ran = shell("yes", 0.5);
        assert!(ran.status.is_none() && ran.out.cut);
        assert_eq!(ran.out.text.len(), KEPT);
    }

    #[test]
    fn nothing_of_the_group_stays() {
        for script in ["sleep 1000 & echo $!; wait", "sleep 1000 & echo $!"] {
            let start = Instant::now();
            let ran = shell(script, 0.5);
            let process: i32 = ran.out.text.trim().parse().expect("a number");
            let gone = || {
                // It may wait for whoever adopted it.
                let stat = std::fs::read_to_string(format!("/proc/{process}/stat"));
                stat.map_or(true, |stat| stat.contains(") Z "))
            };
            while !gone() {
                assert!(start.elapsed().as_secs() < 20, "{script}: it is still there");
                std::thread::sleep(INTERVAL);
            }
        }
    }

    #[test]
    fn memory_is_limited() {
        let ran = shell("head -c 3000000000 /dev/zero | tail -c 2000000000 | wc -c", 60.0);
        assert!(ran.err.text.contains("memory"), "{ran:?}");
    }

    #[test]
    fn a_missing_program_is_an_error() {
        let limits = Limits { time: Duration::from_secs(1), memory: 1 << 30 };
        run(&mut Command::new("/nowhere/program"), limits).expect_err("it is missing");
    }
}
