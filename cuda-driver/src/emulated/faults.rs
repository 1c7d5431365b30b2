//! Reports of launches that fail, and the status that a GPU would report for them.

use ptx_emulator::{Cause, Fault, FaultKind, printable};

use super::scheduler::FailedLaunch;
use crate::{
    Status, host_variables, log, report_style,
    settings::values::{STEP_LIMIT, set_by},
};

/// Shows why a launch failed, on the device of that number if there are several; returns the report and the status.
pub(super) fn report(fault: &mut Fault, device: Option<usize>) -> FailedLaunch {
    if let FaultKind::Assertion(text) = &fault.kind {
        // As NVIDIA's driver does.
        log::line(format!("{text}\n"));
    }
    fault.notes.extend(device.map(|device| format!("the kernel ran on device {device}")));
    fault.notes.extend(notes(fault));
    let report = report_style::with_style(|style| fault.report(style));
    let mut json = as_json(fault);
    if let (Some(object), Some(device)) = (json.as_object_mut(), device) {
        object.insert("device".into(), device.into());
    }
    log::report(&report, &json);
    FailedLaunch { report, status: status_of(&fault.kind) }
}

/// A fault as JSON, with the position in the program's own source as the side of a finding.
fn as_json(fault: &Fault) -> serde_json::Value {
    let mut json = serde_json::to_value(fault).unwrap_or_default();
    let side = fault.place.as_ref().map(|place| {
        serde_json::json!({
            "access": fault.kind.name(),
            "line": place.line,
            "place": place,
            "source": match fault.source_position() {
                Some(source) => serde_json::to_value(source).unwrap_or_default(),
                // Code of the OpenMP runtime alone: at least the region is known.
                None => fault.target_region_line().map_or(serde_json::Value::Null, |line| serde_json::json!({ "line": line })),
            },
            "block": fault.block,
            "thread": fault.thread,
        })
    });
    let origin = fault.origin.as_ref().map(|place| {
        serde_json::json!({ "access": "read", "line": place.line, "place": place, "source": place.source })
    });
    if let Some(object) = json.as_object_mut() {
        object.insert("sides".into(), side.into_iter().chain(origin).collect());
    }
    json
}

/// What a user can do about a fault.
fn notes(fault: &Fault) -> Vec<String> {
    let mut notes = Vec::new();
    let named = fault
        .memory
        .as_ref()
        .and_then(|memory| Some((memory, host_variables::name_of(&fault.kernel, memory)?)));
    if let Some((memory, name)) = named {
        notes.push(format!("the {} bytes are those of `{}`", memory.bytes, printable(&name)));
    }
    if let FaultKind::StepLimit(_) = fault.kind {
        notes.push(format!("{} sets the limit", set_by(STEP_LIMIT, "N")));
    }
    if let FaultKind::Emulator(_) = fault.kind {
        notes.push(
            "this is a bug of the emulator, whatever the program does: please report it with the program and this text; \
             what was reported of this launch before is not complete"
                .to_owned(),
        );
    }
    match fault.cause {
        Some(Cause::HostMemory) => notes.push(
            "`warpfold run --unified-memory` lets kernels access the host's memory, as a GPU with unified memory does"
                .to_owned(),
        ),
        Some(Cause::HeapFull { .. }) => notes.push(
            "LIBOMPTARGET_HEAP_SIZE=BYTES sets its size for OpenMP programs, cuCtxSetLimit with \
             CU_LIMIT_MALLOC_HEAP_SIZE for others"
                .to_owned(),
        ),
        Some(Cause::OtherSpace { .. }) => notes.push(
            "usually it was the compiler, which infers what kind of memory pointers point to: without optimisation \
             (-O0) it does not"
                .to_owned(),
        ),
        _ => {}
    }
    if fault.is_in_target_region() && fault.place.is_some() && fault.source_position().is_none() {
        notes.push("compile with -gline-tables-only to see source lines in this report".to_owned());
    }
    notes
}

/// The status with which a GPU would report a fault.
pub(super) fn status_of(fault: &FaultKind) -> Status {
    match fault {
        FaultKind::Launch(_) => Status::LAUNCH_OUT_OF_RESOURCES,
        FaultKind::OutOfBounds(_) | FaultKind::UseAfterFree(_) | FaultKind::ReadOnly(_) => {
            Status::ILLEGAL_ADDRESS
        }
        FaultKind::Assertion(_) => Status::ASSERT,
        FaultKind::Misaligned(_) => Status::MISALIGNED_ADDRESS,
        FaultKind::BadMask(_) | FaultKind::BadBarrier(_) => Status::ILLEGAL_INSTRUCTION,
        FaultKind::Deadlock(_)
        | FaultKind::Livelock(_)
        | FaultKind::StepLimit(_)
        | FaultKind::Interrupted(_) => Status::LAUNCH_TIMEOUT,
        FaultKind::BadCall(_) | FaultKind::BadBranch(_) | FaultKind::Unresolved(_) => Status::INVALID_PC,
        FaultKind::StackOverflow(_) => Status::HARDWARE_STACK_ERROR,
        FaultKind::Emulator(_) => Status::UNKNOWN,
        _ => Status::LAUNCH_FAILED,
    }
}
