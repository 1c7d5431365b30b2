//! The process of a program: signals reach it, its time can be limited, and nothing of it stays.

use std::{
    collections::HashMap,
    fs, io,
    os::fd::AsFd,
    os::unix::process::CommandExt,
    process::{Child, Command, ExitStatus},
    time::{Duration, Instant},
};

use nix::{
    errno::Errno,
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::{
        prctl,
        signal::{SigSet, Signal, kill},
        signalfd::{SfdFlags, SignalFd},
    },
    unistd::{Pid, getpid},
};

/// How long a program may go on after its time, to report where it was and to clean up.
const GRACE: Duration = Duration::from_secs(5);

/// How often the caller has its turn while a program runs.
const INTERVAL: Duration = Duration::from_secs(1);

/// Why a program was asked to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Its time was over.
    Time,
    /// This program got a signal, which it passed on.
    Signal(Signal),
}

/// Runs a program to its end. SIGINT, SIGTERM and SIGHUP that this process gets are passed on to the program and the
/// processes that it started; a second one kills them. So does SIGALRM at the end of the `limit`, and a while
/// later SIGKILL. A program that was asked to end leaves no process behind. `meanwhile` is called about every second.
///
/// # Errors
/// If the program cannot be started, or signals cannot be received.
pub fn run(
    command: &mut Command,
    limit: Option<Duration>,
    mut meanwhile: impl FnMut(),
) -> io::Result<(ExitStatus, Option<Ended>)> {
    let mask = SigSet::thread_get_mask()?;
    let signals = receive_signals()?;
    // For the next program, which inherits it.
    let _restored = RestoredMask(mask);
    // The processes of a program that has ended become this process's own, and can be found.
    prctl::set_child_subreaper(true)?;
    let parent = getpid();
    // SAFETY: the closure runs between fork and exec and makes system calls only, which is allowed there.
    unsafe {
        command.pre_exec(move || {
            mask.thread_set_mask()?;
            // If this process is killed, it cannot pass anything on.
            prctl::set_pdeathsig(Signal::SIGKILL)?;
            match nix::unistd::getppid() == parent {
                true => Ok(()),
                false => Err(Errno::ESRCH.into()),
            }
        });
    }
    let mut supervised = Supervised {
        child: command.spawn()?,
        ended: None,
        deadline: limit.map(|limit| Instant::now() + limit),
    };
    let mut last = Instant::now();
    loop {
        if let Some(status) = supervised.child.try_wait()? {
            if supervised.ended.is_some() {
                signal_descendants(Signal::SIGKILL);
            }
            return Ok((status, supervised.ended));
        }
        if supervised.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            supervised.time_is_over();
        }
        if last.elapsed() >= INTERVAL {
            last = Instant::now();
            meanwhile();
        }
        let next = last + INTERVAL;
        wait(&signals, supervised.deadline.map_or(next, |deadline| deadline.min(next)))?;
        while let Ok(Some(received)) = signals.read_signal() {
            let from_kernel = received.ssi_code > 0;
            match Signal::try_from(received.ssi_signo as i32) {
                Ok(Signal::SIGCHLD) | Err(_) => {}
                // The terminal sends it to all processes in the foreground.
                Ok(Signal::SIGINT) if from_kernel => supervised.got(Signal::SIGINT, false),
                Ok(signal) => supervised.got(signal, true),
            }
        }
    }
}

/// Sets the thread's mask of signals again when it is dropped.
struct RestoredMask(SigSet);

impl Drop for RestoredMask {
    fn drop(&mut self) {
        // A mask that was the thread's is accepted.
        let _ = self.0.thread_set_mask();
    }
}

/// Blocks the signals, which are then read from a file.
fn receive_signals() -> io::Result<SignalFd> {
    let mut mask = SigSet::empty();
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGCHLD] {
        mask.add(signal);
    }
    mask.thread_block()?;
    Ok(SignalFd::with_flags(&mask, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?)
}

/// Waits for a signal, or the deadline, which is near.
fn wait(signals: &SignalFd, deadline: Instant) -> io::Result<()> {
    let left = deadline.saturating_duration_since(Instant::now());
    // Rounded up, so that a deadline has passed afterwards.
    let timeout = PollTimeout::try_from(left.as_millis() + 1).unwrap_or(PollTimeout::MAX);
    match poll(&mut [PollFd::new(signals.as_fd(), PollFlags::POLLIN)], timeout) {
        Err(Errno::EINTR) | Ok(_) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

struct Supervised {
    child: Child,
    ended: Option<Ended>,
    deadline: Option<Instant>,
}

impl Supervised {
    fn got(&mut self, signal: Signal, passed_on: bool) {
        match self.ended.replace(Ended::Signal(signal)) {
            Some(before) => {
                self.ended = Some(before);
                signal_descendants(Signal::SIGKILL);
            }
            None if passed_on => signal_descendants(signal),
            None => {}
        }
    }

    fn time_is_over(&mut self) {
        match self.ended {
            None => {
                self.ended = Some(Ended::Time);
                self.deadline = Some(Instant::now() + GRACE);
                signal_descendants(Signal::SIGALRM);
            }
            Some(_) => {
                self.deadline = None;
                signal_descendants(Signal::SIGKILL);
            }
        }
    }
}

/// Sends a signal to all processes that this one has started, directly or not.
fn signal_descendants(signal: Signal) {
    for process in descendants(getpid().as_raw(), &parents()) {
        // It may have ended meanwhile.
        let _ = kill(Pid::from_raw(process), signal);
    }
}

/// Every process's parent.
fn parents() -> HashMap<i32, i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    processes.filter_map(|process| Some((process, parent(process)?))).collect()
}

fn parent(process: i32) -> Option<i32> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // After the program's name, which may contain anything: state, parent.
    text.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()
}

fn descendants(of: i32, parents: &HashMap<i32, i32>) -> Vec<i32> {
    let mut found = Vec::new();
    let mut level = vec![of];
    while let Some(parent) = level.pop() {
        let children = parents.iter().filter(|(_, known)| **known == parent).map(|(process, _)| *process);
        let children: Vec<i32> = children.collect();
        found.extend(&children);
        level.extend(children);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descendants_are_found_at_any_depth() {
        let parents = HashMap::from([(2, 1), (3, 2), (4, 3), (5, 1), (6, 9)]);
        let mut found = descendants(2, &parents);
        found.sort_unstable();
        assert_eq!(found, [3, 4]);
        assert_eq!(descendants(6, &parents), [0; 0]);
    }

    #[test]
    fn the_parent_of_this_process_is_known() {
        assert_eq!(parent(std::process::id() as i32), Some(nix::unistd::getppid().as_raw()));
        assert_eq!(parent(0), None);
    }
}
