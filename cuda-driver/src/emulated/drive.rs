//! Performs work items: takes one under the driver's lock, performs it without the lock, and applies its
//! result.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use ptx_emulator::Machine;

use super::{
    checks, faults, profiles,
    scheduler::{TIME_SLICE, WorkItem, WorkResult},
    state::{StateGuard, lock},
};
use crate::{Status, log, reports::json::launch_json, source_lines};

/// Performs one work item, if there is one and no other thread performs any: then true.
pub(super) fn perform_next(mut guard: StateGuard) -> (StateGuard, bool) {
    let Some(state) = guard.as_mut() else { return (guard, false) };
    let Some(item) = state.next_work_item() else { return (guard, false) };
    let machine = state.machine.clone();
    drop(guard);
    let result = perform(&machine, item);
    let mut guard = lock();
    if let Some(state) = guard.as_mut() {
        state.settle(result);
    }
    (guard, true)
}

fn perform(machine: &Machine, item: WorkItem) -> WorkResult {
    match item {
        WorkItem::Task(ticket, task) => {
            // A panic would be an error of this program: the operation has failed, and the thread goes on.
            let result = catch_unwind(AssertUnwindSafe(|| task(machine)));
            checks::report(machine);
            WorkResult::Task(ticket, result.unwrap_or(Err(Status::UNKNOWN)))
        }
        WorkItem::Kernel(mut kernel) => {
            let execution = &mut kernel.execution;
            let mut ended =
                execution.run(machine, TIME_SLICE).map(|ended| ended.then(|| Box::new(execution.report())));
            // Files are read here, where the state is not locked.
            if let Err(fault) = &mut ended {
                fault.quote(source_lines::quote);
            }
            if !matches!(ended, Ok(None)) {
                checks::report(machine);
            }
            if let Ok(Some(report)) = &ended {
                if let Some(profile) = execution.take_profile() {
                    profiles::report(profile, &Arc::downgrade(execution.program()));
                }
                log::launch(|| launch_json(report));
            }
            WorkResult::Kernel(kernel, ended.map_err(|mut fault| faults::report(&mut fault)))
        }
    }
}
