//! Which operations come before which, for the checks of races.
//!
//! An operation comes after the earlier ones of its stream, after those that the default stream and blocking streams
//! wait for in each other, after the event that its stream waits for, and after everything that the host has waited for
//! before. Threads of the host count as one, unless OpenMP's host runtime tells how they wait for each other
//! (`host_tasks`).

use std::collections::{BTreeMap, HashMap};

use ptx_emulator::OperationOrder;

use super::scheduler::{QueueId, Ticket};
use crate::host_tasks;

/// Operations whose order is remembered, for events and for threads that wait.
const REMEMBERED: usize = 1 << 14;

/// Marks the streams of tasks.
const TASKS: u64 = 1 << 63;

/// The order of all operations.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    /// The last operation of each stream.
    queues: HashMap<QueueId, OperationOrder>,
    /// The latest operations.
    tickets: BTreeMap<Ticket, OperationOrder>,
    /// What the host has waited for.
    host: OperationOrder,
}

impl Orders {
    /// Adds an operation of a queue, which comes after another one and after all of other queues.
    ///
    /// LLVM's host runtime takes streams from a pool: that operations of two tasks are on one stream is chance, and
    /// orders nothing that the program can rely on. So each task that is known has a stream of its own here.
    pub fn add(
        &mut self,
        ticket: Ticket,
        queue: QueueId,
        after: Ticket,
        before: Vec<QueueId>,
    ) -> OperationOrder {
        let task = host_tasks::current();
        let stream = if task == 0 { queue.0.0 as u64 } else { TASKS | task };
        let mut order = OperationOrder { stream, number: ticket, after: self.known_to_host() };
        let queues = before.iter().chain([&queue]).filter_map(|queue| self.queues.get(queue));
        queues.filter(|other| task == 0 || other.stream == stream).for_each(|other| order.join(other));
        if let Some(other) = self.tickets.get(&after) {
            order.join(other);
        }
        self.queues.insert(queue, order.clone());
        self.tickets.insert(ticket, order.clone());
        if self.tickets.len() > REMEMBERED {
            self.tickets.pop_first();
        }
        order
    }

    /// The operations that the calling thread knows to be done.
    fn known_to_host(&self) -> Vec<(u64, u64)> {
        let mut known = self.host.clone();
        if let Some(own) = host_tasks::known_to_current() {
            known.join_all(&own);
        }
        known.after
    }

    /// The order of an operation.
    pub fn of(&self, ticket: Ticket) -> Option<OperationOrder> {
        self.tickets.get(&ticket).cloned()
    }

    /// The host has waited for operations.
    pub fn host_waited(&mut self, tickets: &[Ticket]) {
        for ticket in tickets {
            if let Some(order) = self.tickets.get(ticket)
                && !host_tasks::current_waited(order)
            {
                self.host.join(order);
            }
        }
    }

    /// The host has waited for all operations up to a ticket.
    pub fn host_waited_for_all(&mut self, last: Ticket) {
        for order in self.tickets.range(..=last).map(|(_, order)| order) {
            if !host_tasks::current_waited(order) {
                self.host.join(order);
            }
        }
    }
}
