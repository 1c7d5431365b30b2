//! Reports of launches that fail, and the status that a GPU would report for them.

use ptx_emulator::{Fault, FaultKind};

use super::scheduler::FailedLaunch;
use crate::{
    Status, log,
    settings::values::{STEP_LIMIT, set_by},
};

/// Shows why a launch failed; returns the report and the status.
pub(super) fn report(fault: &Fault) -> FailedLaunch {
    if let FaultKind::Assertion(text) = &fault.kind {
        // As NVIDIA's driver does.
        log::line(format!("{text}\n"));
    }
    let mut report = fault.to_string();
    if let FaultKind::StepLimit(_) = fault.kind {
        report += &format!("\n  {} sets the limit", set_by(STEP_LIMIT, "N"));
    }
    log::fault(&report, &serde_json::to_value(fault).unwrap_or_default());
    FailedLaunch { report, status: status_of(&fault.kind) }
}

/// The status with which a GPU would report a fault.
pub(super) fn status_of(fault: &FaultKind) -> Status {
    match fault {
        FaultKind::Launch(_) => Status::LAUNCH_OUT_OF_RESOURCES,
        FaultKind::OutOfBounds(_) | FaultKind::ReadOnly(_) => Status::ILLEGAL_ADDRESS,
        FaultKind::Assertion(_) => Status::ASSERT,
        FaultKind::Misaligned(_) => Status::MISALIGNED_ADDRESS,
        FaultKind::BadMask(_) | FaultKind::BadBarrier(_) => Status::ILLEGAL_INSTRUCTION,
        FaultKind::Deadlock(_) | FaultKind::StepLimit(_) | FaultKind::Interrupted(_) => {
            Status::LAUNCH_TIMEOUT
        }
        FaultKind::BadCall(_) | FaultKind::BadBranch(_) | FaultKind::Unresolved(_) => Status::INVALID_PC,
        FaultKind::StackOverflow(_) => Status::HARDWARE_STACK_ERROR,
        _ => Status::LAUNCH_FAILED,
    }
}
