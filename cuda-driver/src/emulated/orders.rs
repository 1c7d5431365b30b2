//! Which operations come before which, for the checks of races.
//!
//! An operation comes after the earlier ones of its stream, after those that the default stream and blocking streams
//! wait for in each other, after the event that its stream waits for, and after everything that the host has waited for
//! before. Threads of the host count as one: how they wait for each other is not known.

use std::collections::{BTreeMap, HashMap};

use ptx_emulator::OperationOrder;

use super::scheduler::{QueueId, Ticket};

/// Operations whose order is remembered, for events and for threads that wait.
const REMEMBERED: usize = 1 << 14;

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
    pub fn add(
        &mut self,
        ticket: Ticket,
        queue: QueueId,
        after: Ticket,
        before: Vec<QueueId>,
    ) -> OperationOrder {
        let mut order =
            OperationOrder { stream: queue.0.0 as u64, number: ticket, after: self.host.after.clone() };
        let queues = before.iter().chain([&queue]).filter_map(|queue| self.queues.get(queue));
        queues.chain(self.tickets.get(&after)).for_each(|other| order.join(other));
        self.queues.insert(queue, order.clone());
        self.tickets.insert(ticket, order.clone());
        if self.tickets.len() > REMEMBERED {
            self.tickets.pop_first();
        }
        order
    }

    /// The order of an operation.
    pub fn of(&self, ticket: Ticket) -> Option<OperationOrder> {
        self.tickets.get(&ticket).cloned()
    }

    /// The host has waited for operations.
    pub fn host_waited(&mut self, tickets: &[Ticket]) {
        for ticket in tickets {
            if let Some(order) = self.tickets.get(ticket) {
                self.host.join(order);
            }
        }
    }

    /// The host has waited for all operations up to a ticket.
    pub fn host_waited_for_all(&mut self, last: Ticket) {
        for order in self.queues.values() {
            let order = OperationOrder { number: order.number.min(last), ..order.clone() };
            self.host.join(&order);
        }
    }
}
