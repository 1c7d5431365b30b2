//! The work of streams: operations in order of arrival, and whoever does them.
//!
//! A call that is asynchronous in CUDA becomes an operation with a *ticket*. It waits for earlier operations only, so
//! that there is always one that can go on: what goes before it on its stream, and the event that the stream waits
//! for. One thread at a time does work: a thread of the program that waits for work, or else the driver's *worker*,
//! which looks after the operations a moment later. So a launch that is waited for at once never changes threads,
//! and work goes on where nobody waits. Functions of the program's run on a thread of their own, because they may
//! take long.
//!
//! The oldest operation that can go on is done first, alone. Only a kernel that has not ended after a long first
//! turn takes turns with what came later, in case it waits for that. What runs when thus depends on the order of
//! arrival and nothing else, as long as nothing runs longer than such a turn.

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet, VecDeque},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, MutexGuard, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use ptx_emulator::{Execution, Fault, LaunchReport, Machine};

use super::{
    abi::{Handle, Outcome},
    launch,
    order::{self, Begin, Order},
    print,
    state::{State, lock, with},
};
use crate::{Status, emulator, log};

/// The number of an operation. Later ones have higher ones; 0 is none.
pub(super) type Ticket = u64;

/// Instructions of a kernel's first turn: some 30 ms. Kernels that need no more run one after the other.
const FIRST_TURN: u64 = 1 << 20;

/// Instructions of its later turns, and of a piece of any turn. Whatever changes the device's memory waits for the
/// end of a piece, about a millisecond.
const PIECE: u64 = 1 << 15;

/// Operations that may be unfinished; a call that wants to add one waits, as with NVIDIA's driver.
const MOST: usize = 1024;

/// How long the worker leaves new work to threads that may be about to wait for it.
const NAP: Duration = Duration::from_micros(200);

/// Naps with nothing to do after which the worker sleeps until it is woken.
const IDLE_NAPS: u32 = 100;

/// Something short that the driver does itself.
pub(crate) type Task = Box<dyn FnOnce(&Machine) -> Outcome + Send>;

/// A function of the program's, with what it is told of the work before it.
pub(crate) type Function = Box<dyn FnOnce(Outcome) + Send>;

/// What an operation does when its turn comes.
pub(crate) enum Action {
    /// Nothing: others wait for what it waits for.
    Join,
    /// The time is kept in an event.
    Record(Handle),
    /// Something short that the driver does itself.
    Task(Box<dyn FnOnce(&Machine) -> Outcome + Send>),
    /// A function of the program's, which is told of a failure if it wants to be called after one.
    Call {
        function: Box<dyn FnOnce(Outcome) + Send>,
        after_failure: bool,
    },
    Launch(Box<Execution>),
}

struct Operation {
    context: Handle,
    /// Operations that it waits for, and those that wait for it.
    missing: usize,
    dependents: Vec<Ticket>,
    /// What is to be done; nothing once it has begun.
    action: Option<Action>,
}

/// A kernel that has begun.
struct Running {
    ticket: Ticket,
    execution: Box<Execution>,
    /// Instructions left of its turn, and whether this is the first one.
    left: u64,
    first: bool,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Worker {
    #[default]
    Missing,
    Awake,
    Asleep,
}

/// All operations, and how far they are.
#[derive(Default)]
pub(crate) struct Work {
    last: Ticket,
    unfinished: BTreeMap<Ticket, Operation>,
    /// Those that wait for nothing any more and have not begun.
    ready: BTreeSet<Ticket>,
    /// Kernels that have begun, the one whose turn it is first.
    running: VecDeque<Running>,
    /// The first one has not used up its turn.
    in_turn: bool,
    /// The last turn that ended was a kernel's first.
    was_first: bool,
    /// Turns of kernels that have ended.
    turns: u64,
    /// Functions of the program's to call.
    calls: VecDeque<(Ticket, Function, Outcome)>,
    has_caller: bool,
    /// Somebody does work, without the lock.
    busy: bool,
    /// Operations that have begun and are not among `running`: they cannot be given up.
    begun: BTreeSet<Ticket>,
    worker: Worker,
    /// Threads that wait for work that others do.
    waiting: usize,
}

/// Something was finished, or somebody else may do work.
static PROGRESS: Condvar = Condvar::new();
/// The worker is wanted.
static WORKER: Condvar = Condvar::new();
/// There is a function of the program's to call.
static CALLS: Condvar = Condvar::new();

thread_local! {
    static IN_CALL: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is inside a function that the driver calls, where CUDA allows no call of the driver.
pub(super) fn in_call() -> bool {
    IN_CALL.get()
}

/// What somebody does without the lock.
enum Piece {
    Task(Ticket, Task),
    Kernel(Running),
}

/// What came of a piece.
enum Done {
    Task(Ticket, Outcome),
    /// With its report if it has ended.
    Kernel(Running, Result<Option<Box<LaunchReport>>, Box<Fault>>),
}

impl Work {
    /// Whether an operation is unfinished.
    pub fn is_unfinished(&self, ticket: Ticket) -> bool {
        self.unfinished.contains_key(&ticket)
    }

    /// Whether all operations of a context are finished, or all of those up to a ticket.
    pub fn is_done(&self, context: Handle, last: Ticket) -> bool {
        !self.unfinished.range(..=last).any(|(_, operation)| operation.context == context)
    }

    /// Whether there is nothing to do.
    pub fn is_idle(&self) -> bool {
        self.unfinished.is_empty()
    }

    /// How many operations are unfinished.
    pub fn unfinished(&self) -> usize {
        self.unfinished.len()
    }

    /// The ticket of the operation that arrived last.
    pub fn last(&self) -> Ticket {
        self.last
    }

    /// Whether somebody who does work could do something now.
    fn has_piece(&self) -> bool {
        !self.busy && (!self.ready.is_empty() || !self.running.is_empty())
    }

    /// Removes an operation that is done; what waited for it alone.
    fn remove(&mut self, ticket: Ticket) -> Vec<Ticket> {
        self.begun.remove(&ticket);
        let Some(operation) = self.unfinished.remove(&ticket) else { return Vec::new() };
        let mut next = operation.dependents;
        next.retain(|dependent| match self.unfinished.get_mut(dependent) {
            Some(waits) => {
                waits.missing -= 1;
                waits.missing == 0
            }
            None => false,
        });
        next
    }

    /// Which operation is to begin now, if any; an error if one has to that cannot yet.
    fn beginner(&self, order: &Order) -> Result<Option<Ticket>, Ticket> {
        if self.in_turn {
            return Ok(None);
        }
        match order.next(self.turns) {
            Begin::Only(ticket) if self.ready.contains(&ticket) => Ok(Some(ticket)),
            Begin::Only(ticket) => Err(ticket),
            Begin::Nothing if !self.running.is_empty() => Ok(None),
            // A turn of those that run already comes between the first turns of two kernels.
            _ if self.was_first && !self.running.is_empty() => Ok(None),
            _ => Ok(self.ready.first().copied()),
        }
    }

    /// What is to be done next.
    fn next(&mut self, order: &mut Order) -> Option<Piece> {
        if let Some(ticket) = self.beginner(order).ok()? {
            self.ready.remove(&ticket);
            order.begins(ticket, self.turns);
            match self.unfinished.get_mut(&ticket).and_then(|operation| operation.action.take()) {
                Some(Action::Task(task)) => {
                    self.begun.insert(ticket);
                    return Some(Piece::Task(ticket, task));
                }
                Some(Action::Launch(execution)) => {
                    self.running.push_front(Running { ticket, execution, left: FIRST_TURN, first: true });
                }
                // The others never are among those that are ready.
                _ => return None,
            }
        }
        let running = self.running.pop_front()?;
        self.begun.insert(running.ticket);
        self.in_turn = true;
        Some(Piece::Kernel(running))
    }

    /// A kernel's turn is over.
    fn end_turn(&mut self, was_first: bool) {
        (self.in_turn, self.was_first) = (false, was_first);
        self.turns += 1;
    }

    /// Wakes the worker if it sleeps and there is something for it.
    fn call_worker(&mut self, order: &mut Order) {
        if self.has_piece() {
            match self.worker {
                Worker::Awake => {}
                Worker::Asleep => WORKER.notify_one(),
                Worker::Missing => {
                    // Where there can be no thread, threads that wait do all the work.
                    match start("warpfold device", worker, order) {
                        true => self.worker = Worker::Awake,
                        false => self.tell(),
                    }
                }
            }
        }
    }

    /// Tells threads that wait.
    fn tell(&self) {
        if self.waiting > 0 {
            PROGRESS.notify_all();
        }
    }

    /// Hands a function of the program's to the thread for them.
    fn call(&mut self, ticket: Ticket, function: Function, outcome: Outcome, order: &mut Order) {
        self.begun.insert(ticket);
        self.calls.push_back((ticket, function, outcome));
        if !self.has_caller {
            self.has_caller = start("warpfold callbacks", caller, order);
        }
        CALLS.notify_one();
    }
}

impl State {
    /// Adds an operation that waits for others, as far as these are unfinished.
    pub(super) fn add(&mut self, context: Handle, after: &[Ticket], action: Action) -> Ticket {
        let work = &mut self.work;
        work.last += 1;
        let ticket = work.last;
        let mut missing = 0;
        for before in after {
            if let Some(operation) = work.unfinished.get_mut(before)
                && operation.dependents.last() != Some(&ticket)
            {
                operation.dependents.push(ticket);
                missing += 1;
            }
        }
        let operation = Operation { context, missing, dependents: Vec::new(), action: Some(action) };
        work.unfinished.insert(ticket, operation);
        if missing == 0 {
            self.begin(ticket);
        }
        ticket
    }

    /// An operation waits for nothing any more. What the driver's state alone is needed for is done at once.
    fn begin(&mut self, ticket: Ticket) {
        // Not by recursion: operations that only wait may be many in a row.
        let mut beginning = vec![ticket];
        while let Some(ticket) = beginning.pop() {
            let Some(operation) = self.work.unfinished.get_mut(&ticket) else { continue };
            match operation.action {
                Some(Action::Task(_) | Action::Launch(_)) => {
                    self.work.ready.insert(ticket);
                }
                Some(Action::Call { .. }) => {
                    if let Some(Action::Call { function, .. }) = operation.action.take() {
                        self.work.call(ticket, function, Ok(()), &mut self.order);
                    }
                }
                Some(Action::Record(event)) => {
                    if let Some(event) = self.events.get_mut(&event).filter(|event| event.ticket == ticket) {
                        event.time = Some(Instant::now());
                    }
                    beginning.extend(self.work.remove(ticket));
                }
                Some(Action::Join) => beginning.extend(self.work.remove(ticket)),
                // It was given up.
                None => {}
            }
        }
    }

    /// An operation is done: what waited for it alone begins.
    fn finish(&mut self, ticket: Ticket) {
        for next in self.work.remove(ticket) {
            self.begin(next);
        }
        self.work.tell();
    }

    /// An operation has failed: its context is lost, and what it has still to do.
    fn fail(&mut self, ticket: Ticket, status: Status) {
        if let Some(operation) = self.work.unfinished.get(&ticket) {
            let context = operation.context;
            if let Some(context) = self.contexts.get_mut(&context) {
                context.fault.get_or_insert(status);
            }
            self.give_up(context, status);
        }
        self.finish(ticket);
    }

    /// Drops what a context has still to do, apart from functions that want to be told.
    pub(super) fn give_up(&mut self, context: Handle, status: Status) {
        let work = &mut self.work;
        let mut lost = Vec::new();
        for (&ticket, operation) in &mut work.unfinished {
            if operation.context == context && !work.begun.contains(&ticket) {
                lost.push((ticket, operation.action.take()));
            }
        }
        for (ticket, _) in &lost {
            work.ready.remove(ticket);
            if work.running.front().is_some_and(|first| first.ticket == *ticket) {
                work.in_turn = false;
            }
            work.running.retain(|running| running.ticket != *ticket);
        }
        // Only now that none of them has anything to do: one may wait for another.
        for (ticket, action) in lost {
            match action {
                Some(Action::Call { function, after_failure: true }) => {
                    self.work.call(ticket, function, Err(status), &mut self.order);
                }
                _ => self.finish(ticket),
            }
        }
    }

    /// Takes in what came of a piece of work.
    fn settle(&mut self, done: Done) {
        match done {
            Done::Task(ticket, Ok(())) => self.finish(ticket),
            Done::Task(ticket, Err(status)) => self.fail(ticket, status),
            Done::Kernel(running, Ok(None)) => self.take_turns(running),
            Done::Kernel(running, Ok(Some(report))) => {
                self.work.end_turn(running.first);
                launch::completed(self, *report);
                self.finish(running.ticket);
            }
            Done::Kernel(running, Err(fault)) => {
                self.work.end_turn(running.first);
                let status = launch::failed(self, *fault);
                self.fail(running.ticket, status);
            }
        }
    }

    /// A kernel goes on, now or after the others.
    fn take_turns(&mut self, mut running: Running) {
        let context = self.work.unfinished.get(&running.ticket).map(|operation| operation.context);
        let context = context.and_then(|context| self.contexts.get(&context));
        if context.is_none_or(|context| context.fault.is_some()) {
            // Its context ended or was lost meanwhile.
            self.work.end_turn(running.first);
            return self.finish(running.ticket);
        }
        let work = &mut self.work;
        work.begun.remove(&running.ticket);
        running.left = running.left.saturating_sub(PIECE);
        if running.left > 0 {
            work.running.push_front(running);
        } else {
            work.end_turn(running.first);
            (running.left, running.first) = (PIECE, false);
            work.running.push_back(running);
        }
    }
}

/// Starts a thread of the driver's; false where there can be none.
fn start(name: &str, work: fn(), order: &mut Order) -> bool {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::Builder::new().name(name.into()).spawn(move || {
        // Nobody may listen.
        let _ = sender.send(order::this_thread());
        work();
    });
    if thread.is_ok()
        && order.is_kept()
        && let Ok(Some(thread)) = receiver.recv()
    {
        order.exclude(thread);
    }
    thread.is_ok()
}

type Guard = MutexGuard<'static, Option<State>>;

/// Does a piece of work, if there is one and nobody else does any: then true.
fn drive(mut guard: Guard) -> (Guard, bool) {
    let Some(state) = guard.as_mut().filter(|state| !state.work.busy) else { return (guard, false) };
    let Some(piece) = state.work.next(&mut state.order) else { return (guard, false) };
    state.work.busy = true;
    let machine = state.machine.clone();
    drop(guard);
    let done = perform(&machine, piece);
    let mut guard = lock();
    if let Some(state) = guard.as_mut() {
        state.work.busy = false;
        state.settle(done);
    }
    (guard, true)
}

fn perform(machine: &Machine, piece: Piece) -> Done {
    // A panic would be an error of this program: the operation has failed, and the worker goes on.
    match piece {
        Piece::Task(ticket, task) => {
            let outcome = catch_unwind(AssertUnwindSafe(|| task(machine)));
            Done::Task(ticket, outcome.unwrap_or(Err(Status::UNKNOWN)))
        }
        Piece::Kernel(mut running) => {
            let execution = &mut running.execution;
            let ended =
                execution.run(machine, PIECE).map(|ended| ended.then(|| Box::new(execution.report())));
            if let Ok(Some(report)) = &ended {
                log::launch(|| emulator::launch_record(report));
            }
            Done::Kernel(running, ended)
        }
    }
}

/// Waits, and does work meanwhile, until `done` holds.
pub(super) fn wait_until(mut done: impl FnMut(&State) -> bool) {
    let mut guard = lock();
    let machine: Option<Arc<Machine>> = loop {
        let Some(state) = guard.as_mut() else { break None };
        if done(state) {
            if state.work.has_piece() {
                state.work.tell();
                state.work.call_worker(&mut state.order);
            }
            break Some(state.machine.clone());
        }
        let (mut after, worked) = drive(guard);
        if !worked {
            if let Some(state) = after.as_mut() {
                state.work.waiting += 1;
            }
            let waited = PROGRESS.wait_timeout(after, order::PATIENCE);
            let (woken, time) = waited.unwrap_or_else(PoisonError::into_inner);
            after = woken;
            if let Some(state) = after.as_mut() {
                state.work.waiting -= 1;
                if time.timed_out()
                    && !state.work.busy
                    && let Err(ticket) = state.work.beginner(&state.order)
                {
                    order::lose(state, &format!("operation {ticket} was to begin, and has not come"));
                }
            }
        }
        guard = after;
    };
    drop(guard);
    if let Some(machine) = machine {
        print::flush(&machine);
    }
}

/// Waits for operations.
pub(super) fn wait_for(tickets: &[Ticket]) {
    wait_until(|state| tickets.iter().all(|&ticket| !state.work.is_unfinished(ticket)));
}

/// Whether operations are done, for programs that ask instead of waiting: `CUDA_ERROR_NOT_READY` if they are not.
pub(super) fn ask(tickets: &[Ticket]) -> Outcome {
    let state_of = |state: &mut State| {
        let done = tickets.iter().all(|&ticket| !state.work.is_unfinished(ticket));
        Ok(done.then(|| state.machine.clone()))
    };
    match with(state_of)? {
        Some(machine) => {
            print::flush(&machine);
            Ok(())
        }
        None => {
            // Programs ask again and again: let those work that they wait for.
            thread::yield_now();
            Err(Status::NOT_READY)
        }
    }
}

/// Waits for all that a context has to do at present.
pub(super) fn wait_for_context(context: Handle) {
    let mut last = None;
    wait_until(|state| state.work.is_done(context, *last.get_or_insert(state.work.last())));
}

/// Waits until an operation can be added.
pub(super) fn wait_for_room() {
    wait_until(|state| state.work.unfinished() < MOST);
}

/// Sees to it that work goes on although nobody waits for it.
pub(super) fn look_after(state: &mut State) {
    state.work.call_worker(&mut state.order);
}

/// The worker: does work that nobody waits for. It never ends.
fn worker() {
    let (mut guard, mut idle) = (lock(), 0);
    loop {
        let (mut after, worked) = drive(guard);
        if worked {
            idle = 0;
            guard = after;
            continue;
        }
        let Some(state) = after.as_mut() else { return };
        idle += 1;
        if idle > IDLE_NAPS || state.work.busy {
            state.work.worker = Worker::Asleep;
            after = WORKER.wait(after).unwrap_or_else(PoisonError::into_inner);
            if let Some(state) = after.as_mut() {
                state.work.worker = Worker::Awake;
            }
            idle = 0;
        }
        guard = WORKER.wait_timeout(after, NAP).unwrap_or_else(PoisonError::into_inner).0;
    }
}

/// Calls functions of the program's. It never ends.
fn caller() {
    IN_CALL.set(true);
    let mut guard = lock();
    loop {
        let Some(state) = guard.as_mut() else { return };
        let Some((ticket, function, outcome)) = state.work.calls.pop_front() else {
            guard = CALLS.wait(guard).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        let machine = state.machine.clone();
        drop(guard);
        print::flush(&machine);
        // A function of C's cannot panic.
        function(outcome);
        guard = lock();
        if let Some(state) = guard.as_mut() {
            state.finish(ticket);
            state.work.call_worker(&mut state.order);
        }
    }
}
