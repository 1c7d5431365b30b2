//! The scheduler: which operation runs next.
//!
//! A call that is asynchronous in CUDA becomes an *operation* with a *ticket*. It depends on those before it on
//! its stream, on those that blocking streams and the default stream wait for, and on the event that the
//! stream waits for. All of them are earlier operations, so one can always run.
//!
//! The oldest operation that waits for nothing runs first, alone. Only a kernel that has not ended after a
//! long first time slice shares the device with what came later, in case it waits for that. What runs when
//! thus depends on the order of arrival and nothing else, as long as nothing runs longer than a first time
//! slice.
//!
//! The scheduler performs nothing itself. [`Scheduler::next`] returns a work item, which the caller performs
//! without the driver's lock, and [`Scheduler::settle`] takes its result. What a change means for the rest of
//! the driver is appended to a list of [`SchedulerEvent`]s, which the caller applies; the list is an argument
//! so that it can be reused.

use std::{
    any::Any,
    collections::{BTreeMap, BTreeSet, HashMap, VecDeque},
    mem,
    sync::Arc,
};

use ptx_emulator::{Execution, LaunchReport, Machine};

use super::abi::{DriverResult, Handle};
use crate::Status;

/// The number of an operation. Later operations have higher numbers; 0 is none.
pub(crate) type Ticket = u64;

/// Instructions of a kernel's first time slice: some 30 ms. Kernels that need no more run one after the
/// other.
const FIRST_TIME_SLICE: u64 = 1 << 20;

/// Instructions of a later time slice, and of one work item of any time slice. Whatever changes the device's
/// memory waits for the end of a work item, about a millisecond.
pub(super) const TIME_SLICE: u64 = 1 << 15;

/// Something short that the driver does itself.
pub(crate) type Task = Box<dyn FnOnce() -> DriverResult + Send>;

/// A function of the program, called with the result of the operations before it.
pub(crate) type Callback = Box<dyn FnOnce(DriverResult) + Send>;

/// What an operation does.
pub(crate) enum Action {
    /// Nothing: later operations wait for what it waits for.
    Join,
    /// Records an event of the program.
    RecordEvent(Handle),
    /// Something short that the driver does itself.
    Task(Task),
    /// Calls a function of the program; after a failure only if it wants to be called then.
    Callback { function: Callback, after_failure: bool },
    /// Runs a kernel.
    Launch(Box<Launch>),
}

/// A kernel and where it runs.
pub(crate) struct Launch {
    pub machine: Arc<Machine>,
    /// The device's number, if there are several.
    pub device: Option<usize>,
    pub execution: Execution,
    /// What the launch needs until it has ended, and is then dropped.
    #[expect(dead_code, reason = "it is dropped with the launch")]
    pub kept: Option<Box<dyn Any + Send>>,
}

struct Operation {
    context: Handle,
    /// How many unfinished operations it waits for.
    missing: usize,
    /// Operations that wait for it.
    dependents: Vec<Ticket>,
    /// What is to be done; `None` once it has started or was abandoned.
    action: Option<Action>,
    /// Its context failed or was destroyed after it had started.
    abandoned: bool,
}

/// Which operations wait for each other beside those of one queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueueKind {
    /// A context's default stream: it and every blocking stream of the context wait for each other.
    Default,
    Blocking,
    /// A stream with `CU_STREAM_NON_BLOCKING`.
    NonBlocking,
}

/// The handle of a stream, or of a context for its default stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct QueueId(pub Handle);

/// The operations of a stream.
struct Queue {
    context: Handle,
    kind: QueueKind,
    /// The operation that arrived last.
    last: Ticket,
    /// For a stream that the context's default stream waits for: it is in the list of that one.
    listed: bool,
    /// For a default stream: other streams that it may have to wait for, those with unfinished operations among
    /// them.
    others: Vec<QueueId>,
}

/// A kernel that has started and not ended.
pub(crate) struct RunningKernel {
    ticket: Ticket,
    pub launch: Box<Launch>,
    /// Instructions left of its time slice, and whether this is its first one.
    left: u64,
    first: bool,
}

/// What a thread performs without the driver's lock.
pub(crate) enum WorkItem {
    Task(Ticket, Task),
    /// Up to [`TIME_SLICE`] instructions of a kernel.
    Kernel(RunningKernel),
}

/// The result of a work item.
pub(crate) enum WorkResult {
    Task(Ticket, DriverResult),
    /// With the launch's report if the kernel has ended.
    Kernel(RunningKernel, Result<Option<Box<LaunchReport>>, FailedLaunch>),
}

/// What [`Scheduler::next`] returns.
pub(crate) struct NextItem {
    pub item: WorkItem,
    /// The operation that starts with this item, if one does.
    pub started: Option<Ticket>,
}

/// Which operation may start next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StartRule {
    /// The oldest ready one.
    Any,
    /// This one, as soon as it is ready.
    Only(Ticket),
    /// None before the end of another time slice.
    Nothing,
}

/// A callback whose turn has come.
pub(crate) struct ReadyCallback {
    pub ticket: Ticket,
    pub function: Callback,
    /// The result of the operations before it.
    pub result: DriverResult,
}

/// The report of a launch that ended with a fault, which has been written, and the status of the fault.
pub(crate) struct FailedLaunch {
    pub report: String,
    pub status: Status,
}

/// Why an operation failed.
pub(crate) enum Failure {
    Task(Status),
    Kernel(FailedLaunch),
}

/// What a change of the scheduler means for the rest of the driver.
pub(crate) enum SchedulerEvent {
    /// Operations have finished: threads that wait check again.
    OperationsFinished,
    /// An event of the program is recorded, by the operation with this ticket.
    EventRecorded { event: Handle, ticket: Ticket },
    /// A callback is to be called; [`Scheduler::finish`] follows.
    CallbackReady(ReadyCallback),
    /// A kernel has ended without a fault.
    KernelCompleted(Box<LaunchReport>),
    /// An operation has failed; [`Scheduler::fail`] follows.
    OperationFailed { ticket: Ticket, failure: Failure },
}

/// All unfinished operations.
#[derive(Default)]
pub(crate) struct Scheduler {
    queues: HashMap<QueueId, Queue>,
    last: Ticket,
    unfinished: BTreeMap<Ticket, Operation>,
    /// Tasks and launches that wait for nothing any more and have not started.
    ready: BTreeSet<Ticket>,
    /// Kernels that have started, in the order of their next time slices.
    running: VecDeque<RunningKernel>,
    /// The first running kernel has not used up its time slice.
    in_time_slice: bool,
    /// The time slice that ended last was a kernel's first.
    first_slice_ended: bool,
    /// Time slices that have ended.
    time_slices: u64,
    /// A thread performs a work item.
    executing: bool,
    /// Operations that a thread performs at present, callbacks included: they cannot be abandoned.
    started: BTreeSet<Ticket>,
}

impl Scheduler {
    /// Opens a queue for a new stream, or for a new context's default stream.
    pub fn open_queue(&mut self, queue: QueueId, context: Handle, kind: QueueKind) {
        self.queues.insert(queue, Queue { context, kind, last: 0, listed: false, others: Vec::new() });
    }

    /// Forgets the queue of a stream.
    pub fn close_queue(&mut self, queue: QueueId) {
        self.queues.remove(&queue);
    }

    /// Forgets all queues of a context.
    pub fn close_queues_of(&mut self, context: Handle) {
        self.queues.retain(|_, queue| queue.context != context);
    }

    /// The operation that arrived last on a queue.
    pub fn last_of(&self, queue: QueueId) -> Ticket {
        self.queues.get(&queue).map_or(0, |queue| queue.last)
    }

    /// The unfinished operations that an operation would wait for on a queue.
    pub fn dependencies(&self, queue: QueueId) -> Vec<Ticket> {
        let Some(known) = self.queues.get(&queue) else { return Vec::new() };
        let mut tickets = match known.kind {
            QueueKind::NonBlocking => vec![known.last],
            QueueKind::Blocking => vec![known.last, self.last_of(QueueId(known.context))],
            QueueKind::Default => {
                let others = known.others.iter().map(|&other| self.last_of(other));
                std::iter::once(known.last).chain(others).collect()
            }
        };
        tickets.retain(|&ticket| self.is_unfinished(ticket));
        tickets
    }

    /// The queues whose earlier operations come before those of a queue.
    pub fn queues_before(&self, queue: QueueId) -> Vec<QueueId> {
        let Some(known) = self.queues.get(&queue) else { return Vec::new() };
        match known.kind {
            QueueKind::NonBlocking => Vec::new(),
            QueueKind::Blocking => vec![QueueId(known.context)],
            QueueKind::Default => {
                let blocking =
                    |other: &&Queue| other.context == known.context && other.kind == QueueKind::Blocking;
                let all = self.queues.iter().filter(|(_, other)| blocking(other));
                all.map(|(&queue, _)| queue).collect()
            }
        }
    }

    /// The ticket that the next operation will get.
    pub fn next_ticket(&self) -> Ticket {
        self.last + 1
    }

    /// The ticket of the operation that arrived last.
    pub fn last(&self) -> Ticket {
        self.last
    }

    /// Whether an operation is unfinished.
    pub fn is_unfinished(&self, ticket: Ticket) -> bool {
        self.unfinished.contains_key(&ticket)
    }

    /// Whether a context has no unfinished operation up to a ticket.
    pub fn is_done(&self, context: Handle, last: Ticket) -> bool {
        !self.unfinished.range(..=last).any(|(_, operation)| operation.context == context)
    }

    /// Whether all operations are finished.
    pub fn is_idle(&self) -> bool {
        self.unfinished.is_empty()
    }

    /// How many operations are unfinished.
    pub fn unfinished(&self) -> usize {
        self.unfinished.len()
    }

    /// The context of an unfinished operation.
    pub fn context_of(&self, ticket: Ticket) -> Option<Handle> {
        self.unfinished.get(&ticket).map(|operation| operation.context)
    }

    /// Time slices of kernels that have ended.
    pub fn time_slices(&self) -> u64 {
        self.time_slices
    }

    /// Whether a thread performs a work item at present.
    pub fn is_executing(&self) -> bool {
        self.executing
    }

    /// Whether a thread could perform a work item now.
    pub fn has_work_item(&self) -> bool {
        !self.executing && (!self.ready.is_empty() || !self.running.is_empty())
    }

    /// Adds an operation to a queue. It waits for the queue's [`dependencies`](Scheduler::dependencies) and
    /// for `after`, as far as these are unfinished.
    pub fn enqueue(
        &mut self,
        queue: QueueId,
        after: Ticket,
        action: Action,
        events: &mut Vec<SchedulerEvent>,
    ) -> Ticket {
        let dependencies = self.dependencies(queue);
        self.last += 1;
        let ticket = self.last;
        let mut missing = 0;
        for before in dependencies.iter().chain([&after]) {
            if let Some(operation) = self.unfinished.get_mut(before)
                && operation.dependents.last() != Some(&ticket)
            {
                operation.dependents.push(ticket);
                missing += 1;
            }
        }
        let mut context = Handle::NULL;
        if let Some(known) = self.queues.get_mut(&queue) {
            known.last = ticket;
            context = known.context;
            if known.kind == QueueKind::Blocking && !mem::replace(&mut known.listed, true) {
                self.list(queue, QueueId(context));
            }
        }
        let (dependents, action) = (Vec::new(), Some(action));
        self.unfinished.insert(ticket, Operation { context, missing, dependents, action, abandoned: false });
        if missing == 0 {
            self.release(ticket, events);
        }
        ticket
    }

    /// Adds a queue to the list of its default stream, which is thinned out whenever it would have to grow.
    fn list(&mut self, queue: QueueId, default: QueueId) {
        let Some(known) = self.queues.get_mut(&default) else { return };
        let mut others = mem::take(&mut known.others);
        if others.len() == others.capacity() {
            others.retain(|queue| match self.queues.get_mut(queue) {
                Some(known) => {
                    known.listed = self.unfinished.contains_key(&known.last);
                    known.listed
                }
                None => false,
            });
        }
        others.push(queue);
        if let Some(known) = self.queues.get_mut(&default) {
            known.others = others;
        }
    }

    /// What a thread is to perform next, unless a thread performs something already.
    pub fn next(&mut self, rule: StartRule) -> Option<NextItem> {
        if self.executing {
            return None;
        }
        let started = self.next_start(rule).ok()?;
        if let Some(ticket) = started {
            self.ready.remove(&ticket);
            match self.unfinished.get_mut(&ticket).and_then(|operation| operation.action.take()) {
                Some(Action::Task(task)) => {
                    self.executing = true;
                    self.started.insert(ticket);
                    return Some(NextItem { item: WorkItem::Task(ticket, task), started });
                }
                Some(Action::Launch(launch)) => {
                    let kernel = RunningKernel { ticket, launch, left: FIRST_TIME_SLICE, first: true };
                    self.running.push_front(kernel);
                }
                // Other operations are never ready: `release` does what they need.
                _ => return None,
            }
        }
        let kernel = self.running.pop_front()?;
        (self.executing, self.in_time_slice) = (true, true);
        self.started.insert(kernel.ticket);
        Some(NextItem { item: WorkItem::Kernel(kernel), started })
    }

    /// The operation that the rule demands next, if it cannot start yet and nothing else may run before it.
    pub fn blocked_on(&self, rule: StartRule) -> Option<Ticket> {
        self.next_start(rule).err()
    }

    /// Takes the result of a work item.
    pub fn settle(&mut self, result: WorkResult, events: &mut Vec<SchedulerEvent>) {
        self.executing = false;
        match result {
            WorkResult::Task(ticket, Ok(())) => self.finish(ticket, events),
            WorkResult::Task(ticket, Err(status)) => {
                events.push(SchedulerEvent::OperationFailed { ticket, failure: Failure::Task(status) });
            }
            WorkResult::Kernel(kernel, Ok(None)) => self.requeue(kernel, events),
            WorkResult::Kernel(kernel, Ok(Some(report))) => {
                self.end_time_slice(kernel.first);
                events.push(SchedulerEvent::KernelCompleted(report));
                self.finish(kernel.ticket, events);
            }
            WorkResult::Kernel(kernel, Err(failed)) => {
                self.end_time_slice(kernel.first);
                let (ticket, failure) = (kernel.ticket, Failure::Kernel(failed));
                events.push(SchedulerEvent::OperationFailed { ticket, failure });
            }
        }
    }

    /// An operation is done: those that waited for it alone can start.
    pub fn finish(&mut self, ticket: Ticket, events: &mut Vec<SchedulerEvent>) {
        for next in self.remove(ticket) {
            self.release(next, events);
        }
        events.push(SchedulerEvent::OperationsFinished);
    }

    /// An operation has failed with a status: its context's other operations are abandoned.
    pub fn fail(&mut self, ticket: Ticket, status: Status, events: &mut Vec<SchedulerEvent>) {
        if let Some(context) = self.context_of(ticket) {
            self.abandon(context, status, events);
        }
        self.finish(ticket, events);
    }

    /// Drops all operations of a context that have not started, apart from callbacks that are called after a
    /// failure.
    pub fn abandon(&mut self, context: Handle, status: Status, events: &mut Vec<SchedulerEvent>) {
        let mut dropped = Vec::new();
        for (&ticket, operation) in &mut self.unfinished {
            if operation.context != context {
                continue;
            }
            if self.started.contains(&ticket) {
                operation.abandoned = true;
            } else {
                dropped.push((ticket, operation.action.take()));
            }
        }
        for (ticket, _) in &dropped {
            self.ready.remove(ticket);
            if self.running.front().is_some_and(|first| first.ticket == *ticket) {
                self.in_time_slice = false;
            }
            self.running.retain(|kernel| kernel.ticket != *ticket);
        }
        // Only now that none of them has an action left: one may wait for another.
        for (ticket, action) in dropped {
            match action {
                Some(Action::Callback { function, after_failure: true }) => {
                    self.started.insert(ticket);
                    let callback = ReadyCallback { ticket, function, result: Err(status) };
                    events.push(SchedulerEvent::CallbackReady(callback));
                }
                _ => self.finish(ticket, events),
            }
        }
    }

    /// Which operation is to start now, if any; `Err` with the one that has to start and cannot yet.
    fn next_start(&self, rule: StartRule) -> Result<Option<Ticket>, Ticket> {
        if self.in_time_slice {
            return Ok(None);
        }
        match rule {
            StartRule::Only(ticket) if self.ready.contains(&ticket) => Ok(Some(ticket)),
            StartRule::Only(ticket) => Err(ticket),
            StartRule::Nothing if !self.running.is_empty() => Ok(None),
            // A time slice of those that run already comes between the first time slices of two kernels.
            _ if self.first_slice_ended && !self.running.is_empty() => Ok(None),
            _ => Ok(self.ready.first().copied()),
        }
    }

    /// An operation is ready. One that needs no work item is finished at once.
    fn release(&mut self, ticket: Ticket, events: &mut Vec<SchedulerEvent>) {
        // Not by recursion: operations that only wait may be many in a row.
        let mut released = vec![ticket];
        while let Some(ticket) = released.pop() {
            let Some(operation) = self.unfinished.get_mut(&ticket) else { continue };
            match operation.action {
                Some(Action::Task(_) | Action::Launch(_)) => {
                    self.ready.insert(ticket);
                }
                Some(Action::Callback { .. }) => {
                    if let Some(Action::Callback { function, .. }) = operation.action.take() {
                        self.started.insert(ticket);
                        let callback = ReadyCallback { ticket, function, result: Ok(()) };
                        events.push(SchedulerEvent::CallbackReady(callback));
                    }
                }
                Some(Action::RecordEvent(event)) => {
                    events.push(SchedulerEvent::EventRecorded { event, ticket });
                    released.extend(self.remove(ticket));
                }
                Some(Action::Join) => released.extend(self.remove(ticket)),
                // It was abandoned.
                None => {}
            }
        }
    }

    /// Removes an operation that is done; returns those that waited for it alone.
    fn remove(&mut self, ticket: Ticket) -> Vec<Ticket> {
        self.started.remove(&ticket);
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

    /// A kernel goes on, now or after the others.
    fn requeue(&mut self, mut kernel: RunningKernel, events: &mut Vec<SchedulerEvent>) {
        if self.unfinished.get(&kernel.ticket).is_none_or(|operation| operation.abandoned) {
            self.end_time_slice(kernel.first);
            return self.finish(kernel.ticket, events);
        }
        self.started.remove(&kernel.ticket);
        kernel.left = kernel.left.saturating_sub(TIME_SLICE);
        if kernel.left > 0 {
            self.running.push_front(kernel);
        } else {
            self.end_time_slice(kernel.first);
            (kernel.left, kernel.first) = (TIME_SLICE, false);
            self.running.push_back(kernel);
        }
    }

    /// A kernel's time slice is over.
    fn end_time_slice(&mut self, first: bool) {
        (self.in_time_slice, self.first_slice_ended) = (false, first);
        self.time_slices += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTEXT: Handle = Handle(1);
    const DEFAULT: QueueId = QueueId(CONTEXT);
    const BLOCKING: QueueId = QueueId(Handle(2));
    const NON_BLOCKING: QueueId = QueueId(Handle(3));

    fn scheduler() -> Scheduler {
        let mut scheduler = Scheduler::default();
        scheduler.open_queue(DEFAULT, CONTEXT, QueueKind::Default);
        scheduler.open_queue(BLOCKING, CONTEXT, QueueKind::Blocking);
        scheduler.open_queue(NON_BLOCKING, CONTEXT, QueueKind::NonBlocking);
        scheduler
    }

    fn task(scheduler: &mut Scheduler, queue: QueueId) -> Ticket {
        enqueue(scheduler, queue, 0, Action::Task(Box::new(|| Ok(())))).0
    }

    fn enqueue(
        scheduler: &mut Scheduler,
        queue: QueueId,
        after: Ticket,
        action: Action,
    ) -> (Ticket, Vec<SchedulerEvent>) {
        let mut events = Vec::new();
        (scheduler.enqueue(queue, after, action, &mut events), events)
    }

    fn settle(scheduler: &mut Scheduler, ticket: Ticket, result: DriverResult) -> Vec<SchedulerEvent> {
        let mut events = Vec::new();
        scheduler.settle(WorkResult::Task(ticket, result), &mut events);
        events
    }

    /// Takes the next work item; its ticket.
    fn start(scheduler: &mut Scheduler, rule: StartRule) -> Option<Ticket> {
        let next = scheduler.next(rule)?;
        match next.item {
            WorkItem::Task(ticket, _) => assert_eq!(next.started, Some(ticket)),
            WorkItem::Kernel(_) => unreachable!("there are no launches here"),
        }
        next.started
    }

    #[test]
    fn the_oldest_ready_operation_runs_first_and_alone() {
        let mut scheduler = scheduler();
        let first = task(&mut scheduler, BLOCKING);
        let waiting = task(&mut scheduler, DEFAULT);
        let second = task(&mut scheduler, NON_BLOCKING);
        assert_eq!(scheduler.dependencies(BLOCKING), [first, waiting]);
        for ticket in [first, waiting, second] {
            assert_eq!(start(&mut scheduler, StartRule::Any), Some(ticket));
            assert_eq!(start(&mut scheduler, StartRule::Any), None);
            let events = settle(&mut scheduler, ticket, Ok(()));
            assert!(matches!(events[..], [SchedulerEvent::OperationsFinished]));
        }
        assert!(scheduler.is_idle() && !scheduler.has_work_item());
    }

    #[test]
    fn a_rule_decides_which_operation_starts() {
        let mut scheduler = scheduler();
        let first = task(&mut scheduler, BLOCKING);
        let waiting = task(&mut scheduler, DEFAULT);
        let other = task(&mut scheduler, NON_BLOCKING);
        assert_eq!(start(&mut scheduler, StartRule::Only(waiting)), None);
        assert_eq!(scheduler.blocked_on(StartRule::Only(waiting)), Some(waiting));
        assert_eq!(start(&mut scheduler, StartRule::Only(other)), Some(other));
        settle(&mut scheduler, other, Ok(()));
        assert_eq!(start(&mut scheduler, StartRule::Any), Some(first));
    }

    #[test]
    fn an_event_is_recorded_when_the_operations_before_it_are_done() {
        let mut scheduler = scheduler();
        let (event, before) = (Handle(7), task(&mut scheduler, BLOCKING));
        let (ticket, events) = enqueue(&mut scheduler, BLOCKING, 0, Action::RecordEvent(event));
        assert!(events.is_empty());
        let (_, events) = enqueue(&mut scheduler, NON_BLOCKING, ticket, Action::Join);
        assert!(events.is_empty() && scheduler.unfinished() == 3);
        assert_eq!(start(&mut scheduler, StartRule::Any), Some(before));
        let events = settle(&mut scheduler, before, Ok(()));
        let recorded = SchedulerEvent::EventRecorded { event, ticket };
        assert!(mem::discriminant(&events[0]) == mem::discriminant(&recorded));
        assert!(scheduler.is_idle());
    }

    #[test]
    fn a_failure_drops_all_but_callbacks_that_want_it() {
        let mut scheduler = scheduler();
        let failing = task(&mut scheduler, NON_BLOCKING);
        for after_failure in [true, false] {
            let action = Action::Callback { function: Box::new(|_| ()), after_failure };
            assert!(enqueue(&mut scheduler, NON_BLOCKING, 0, action).1.is_empty());
        }
        assert_eq!(start(&mut scheduler, StartRule::Any), Some(failing));
        let events = settle(&mut scheduler, failing, Err(Status::UNKNOWN));
        assert!(matches!(events[..], [SchedulerEvent::OperationFailed { ticket, .. }] if ticket == failing));
        let mut events = Vec::new();
        scheduler.fail(failing, Status::UNKNOWN, &mut events);
        let called: Vec<_> = events
            .iter()
            .filter_map(|event| match event {
                SchedulerEvent::CallbackReady(callback) => Some((callback.ticket, callback.result)),
                _ => None,
            })
            .collect();
        assert_eq!(called, [(failing + 1, Err(Status::UNKNOWN))]);
        assert_eq!(scheduler.unfinished(), 1);
        scheduler.finish(failing + 1, &mut events);
        assert!(scheduler.is_idle());
    }
}
