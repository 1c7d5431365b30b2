//! What the tasks of an OpenMP program's host side know of the device's operations, for the checks of races.
//!
//! Two `target nowait` regions run in two helper threads of the host; whether the second one comes after the first is
//! decided by `depend` clauses and `taskwait`, of which the driver sees nothing. LLVM's host runtime tells a tool, though
//! (OMPT): which task each thread executes, which tasks it creates, on which others they depend, and where threads wait.
//! From that follows which operations come before a call of the driver: those that its task has waited for, and those
//! that the tasks before it have. Without such a tool all threads of the host count as one.

use std::{
    cell::Cell,
    collections::HashMap,
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};

use ptx_emulator::OperationOrder;

/// A task, explicit or implicit; 0 is none.
pub type TaskId = u64;

/// A parallel region of the host; 0 is none.
pub type RegionId = u64;

/// Tasks that have ended and are still remembered, for tasks that depend on them.
const REMEMBERED: usize = 1 << 16;

/// How a task depends on a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependence {
    /// `depend(in: …)`
    In,
    /// `depend(out: …)`, `inout` and all others.
    Out,
}

/// What a task knows.
#[derive(Clone, Debug, Default)]
struct Task {
    /// The operations that come before what it does next.
    known: OperationOrder,
    parent: TaskId,
    region: RegionId,
    /// The tasks that it depends on.
    before: Vec<TaskId>,
    /// What the tasks that it has created, and that have ended, know.
    children: OperationOrder,
    /// Its creator waits for its end.
    undeferred: bool,
}

/// The tasks that last had a dependence on a variable.
#[derive(Clone, Debug, Default)]
struct Variable {
    out: TaskId,
    ins: Vec<TaskId>,
}

/// A parallel region.
#[derive(Clone, Debug, Default)]
struct Region {
    /// What its threads know when they begin.
    begin: OperationOrder,
    /// What those know that have reached a barrier, and its tasks that have ended.
    arrived: OperationOrder,
}

#[derive(Debug, Default)]
struct Tasks {
    last: u64,
    tasks: HashMap<TaskId, Task>,
    /// The ones that have ended, the oldest first.
    ended: std::collections::VecDeque<TaskId>,
    regions: HashMap<RegionId, Region>,
    variables: HashMap<u64, Variable>,
}

static TASKS: LazyLock<Mutex<Tasks>> = LazyLock::new(Mutex::default);

thread_local! {
    /// The task that the thread executes.
    static CURRENT: Cell<TaskId> = const { Cell::new(0) };
}

fn lock() -> MutexGuard<'static, Tasks> {
    // After a panic the tasks are still what they were.
    TASKS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Tasks {
    fn new_task(&mut self, task: Task) -> TaskId {
        self.last += 1;
        self.tasks.insert(self.last, task);
        self.last
    }

    fn known(&self, task: TaskId) -> OperationOrder {
        self.tasks.get(&task).map(|task| task.known.clone()).unwrap_or_default()
    }

    /// A task learns what others know.
    fn learn(&mut self, task: TaskId, what: &OperationOrder) {
        if let Some(task) = self.tasks.get_mut(&task) {
            task.known.join_all(what);
        }
    }

    fn learn_of_dependences(&mut self, task: TaskId, of: TaskId) {
        let before = self.tasks.get(&of).map(|of| of.before.clone()).unwrap_or_default();
        for other in before {
            let known = self.known(other);
            self.learn(task, &known);
        }
    }

    fn end(&mut self, id: TaskId) {
        let Some(task) = self.tasks.get(&id).cloned() else { return };
        let mut known = task.known;
        known.join_all(&task.children);
        if let Some(parent) = self.tasks.get_mut(&task.parent) {
            parent.children.join_all(&known);
            if task.undeferred {
                parent.known.join_all(&known);
            }
        }
        if let Some(region) = self.regions.get_mut(&task.region) {
            region.arrived.join_all(&known);
        }
        self.ended.push_back(id);
        if self.ended.len() > REMEMBERED
            && let Some(oldest) = self.ended.pop_front()
        {
            self.tasks.remove(&oldest);
        }
    }
}

/// The task that the calling thread executes; 0 if no tool has told of any.
pub(crate) fn current() -> TaskId {
    CURRENT.get()
}

/// What the calling thread's task knows; none if no tool has told of any task.
pub(crate) fn known_to_current() -> Option<OperationOrder> {
    let current = CURRENT.get();
    (current != 0).then(|| lock().known(current))
}

/// The calling thread has waited for an operation; returns false if no tool has told of its task.
pub(crate) fn current_waited(order: &OperationOrder) -> bool {
    let current = CURRENT.get();
    if let Some(task) = lock().tasks.get_mut(&current) {
        task.known.join(order);
        return true;
    }
    false
}

/// A task encounters a parallel region of the host.
pub fn begin_region(encountering: TaskId) -> RegionId {
    let mut tasks = lock();
    tasks.last += 1;
    let (region, begin) = (tasks.last, tasks.known(encountering));
    tasks.regions.insert(region, Region { begin, ..Region::default() });
    region
}

/// The region has ended; the calling thread goes on with the task that encountered it.
pub fn end_region(region: RegionId, encountering: TaskId) {
    let mut tasks = lock();
    if let Some(Region { arrived, .. }) = tasks.regions.remove(&region) {
        tasks.learn(encountering, &arrived);
    }
    CURRENT.set(encountering);
}

/// The calling thread begins its implicit task of a region; region 0 is the whole program.
pub fn begin_implicit(region: RegionId) -> TaskId {
    let mut tasks = lock();
    let known = tasks.regions.get(&region).map(|region| region.begin.clone()).unwrap_or_default();
    let task = tasks.new_task(Task { known, region, ..Task::default() });
    CURRENT.set(task);
    task
}

/// The calling thread has ended its implicit task.
pub fn end_implicit(task: TaskId) {
    lock().tasks.remove(&task);
    if CURRENT.get() == task {
        CURRENT.set(0);
    }
}

/// A task creates another one.
pub fn create(encountering: TaskId, undeferred: bool) -> TaskId {
    let mut tasks = lock();
    let region = tasks.tasks.get(&encountering).map_or(0, |task| task.region);
    let known = tasks.known(encountering);
    tasks.new_task(Task { known, parent: encountering, region, undeferred, ..Task::default() })
}

/// A task depends on variables, given by their addresses.
pub fn depend(task: TaskId, on: impl Iterator<Item = (u64, Dependence)>) {
    let mut tasks = lock();
    let mut before = Vec::new();
    for (address, how) in on {
        let variable = tasks.variables.entry(address).or_default();
        before.push(variable.out);
        match how {
            Dependence::In => variable.ins.push(task),
            Dependence::Out => {
                before.append(&mut variable.ins);
                variable.out = task;
            }
        }
    }
    if let Some(task) = tasks.tasks.get_mut(&task) {
        task.before = before;
    }
}

/// The calling thread goes on with another task.
pub fn switch(to: TaskId) {
    lock().learn_of_dependences(to, to);
    CURRENT.set(to);
}

/// A task has ended.
pub fn end(task: TaskId) {
    lock().end(task);
}

/// The calling thread's task has waited for what another one, which is only there for that, depends on.
pub fn waited_for_dependences(of: TaskId) {
    lock().learn_of_dependences(CURRENT.get(), of);
}

/// A task has waited for the tasks that it has created.
pub fn waited_for_children(task: TaskId) {
    let mut tasks = lock();
    if let Some(task) = tasks.tasks.get_mut(&task) {
        let children = task.children.clone();
        task.known.join_all(&children);
    }
}

/// A task arrives at a barrier of its parallel region.
pub fn arrive_at_barrier(task: TaskId) {
    let mut tasks = lock();
    let Some(known) = tasks.tasks.get(&task).cloned() else { return };
    let Some(region) = tasks.regions.get_mut(&known.region) else { return };
    region.arrived.join_all(&known.known);
    region.arrived.join_all(&known.children);
}

/// A task leaves the barrier: all threads of its region have arrived, and all tasks have ended.
pub fn leave_barrier(task: TaskId) {
    let mut tasks = lock();
    let region = tasks.tasks.get(&task).map_or(0, |task| task.region);
    if let Some(Region { arrived, .. }) = tasks.regions.get(&region).cloned() {
        tasks.learn(task, &arrived);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of the last operation of a stream that the calling thread's task knows; 0 for none.
    fn known(stream: u64) -> u64 {
        let order = known_to_current().unwrap_or_default();
        order.after.iter().find(|(known, _)| *known == stream).map_or(0, |&(_, number)| number)
    }

    fn wait_for(stream: u64, number: u64) {
        assert!(current_waited(&OperationOrder { stream, number, after: Vec::new() }));
    }

    #[test]
    fn a_task_knows_what_those_before_it_have_waited_for() {
        let initial = begin_implicit(0);
        wait_for(1, 3);
        let tasks = [create(initial, false), create(initial, false), create(initial, false)];
        let [writes, reads, other] = tasks;
        depend(writes, [(8, Dependence::Out)].into_iter());
        depend(reads, [(8, Dependence::In)].into_iter());
        switch(writes);
        assert_eq!(known(1), 3);
        wait_for(2, 5);
        end(writes);
        switch(other);
        assert_eq!((known(1), known(2)), (3, 0));
        end(other);
        switch(reads);
        assert_eq!((known(1), known(2)), (3, 5));
        end(reads);
        switch(initial);
        assert_eq!(known(2), 0);
        waited_for_children(initial);
        assert_eq!(known(2), 5);

        let included = create(initial, true);
        switch(included);
        wait_for(3, 1);
        end(included);
        switch(initial);
        assert_eq!(known(3), 1);
        end_implicit(initial);
        assert_eq!(known_to_current(), None);
    }

    #[test]
    fn threads_of_a_region_know_of_each_other_after_a_barrier() {
        let initial = begin_implicit(0);
        wait_for(1, 1);
        let region = begin_region(initial);
        let first = begin_implicit(region);
        wait_for(1, 7);
        arrive_at_barrier(first);
        // A thread that begins late knows no more than the region did.
        let second = begin_implicit(region);
        assert_eq!(known(1), 1);
        arrive_at_barrier(second);
        leave_barrier(second);
        assert_eq!(known(1), 7);
        end_region(region, initial);
        assert_eq!((current(), known(1)), (initial, 7));
        end_implicit(initial);
    }
}
