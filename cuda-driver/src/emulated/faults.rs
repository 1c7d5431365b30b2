//! Reports of launches that fail, and the status that a GPU would report for them.

use std::fs;

use ptx_emulator::{Fault, FaultKind, SourceLocation};

use super::scheduler::FailedLaunch;
use crate::{Status, log};

/// Shows why a launch failed; returns the report and the status.
pub(super) fn report(mut fault: Fault) -> FailedLaunch {
    fault.quote(source_line);
    if let FaultKind::Assertion(text) = &fault.kind {
        // As NVIDIA's driver does.
        log::line(format!("{text}\n"));
    }
    let report = fault.to_string();
    log::fault(&report, &serde_json::to_value(&fault).unwrap_or_default());
    FailedLaunch { report, status: status_of(&fault.kind) }
}

/// Largest source file that is read for a report.
const MOST_SOURCE: u64 = 16 << 20;

/// A line of a source file, if the file is there.
fn source_line(source: &SourceLocation) -> Option<String> {
    let at = source.line.checked_sub(1)? as usize;
    let about = fs::metadata(&source.file).ok()?;
    if !about.is_file() || about.len() > MOST_SOURCE {
        return None;
    }
    let text = fs::read(&source.file).ok()?;
    let line = text.split(|&b| b == b'\n').nth(at)?;
    Some(String::from_utf8_lossy(line).into_owned())
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
