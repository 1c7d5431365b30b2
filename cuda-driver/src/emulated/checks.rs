//! Reports of what the machine's checks find.

use std::{
    collections::HashSet,
    sync::{
        LazyLock, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use ptx_emulator::{Finding, Machine, Quote, Side, printable};
use serde_json::{Value, json};

use crate::{host_variables, log, report_style, source_lines};

/// What was reported already: kind, and the lines of both sides.
static REPORTED: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);

/// Whether it was said that readers are not told apart.
static SAID_DROPPED: AtomicBool = AtomicBool::new(false);

/// Reports what was found since the last call, each pair of lines once.
pub(super) fn report(machine: &Machine) {
    if machine.take_dropped_readers() && !SAID_DROPPED.swap(true, Ordering::Relaxed) {
        log::notice(
            "so many threads read locations that no others read that not all of them are told apart: later writes in the same \
             launch may be reported as possible races where there is none; check a smaller input as well",
        );
    }
    for mut finding in machine.take_findings() {
        let lines: Vec<String> = finding.sides.iter().map(place).collect();
        let key = format!("{:?} {lines:?}", finding.kind);
        if !REPORTED.lock().unwrap_or_else(PoisonError::into_inner).insert(key) {
            continue;
        }
        for side in &mut finding.sides {
            if let Some(source) = &side.source
                && let Quote::Line(line) = source_lines::quote(source)
            {
                side.source_text = Some(printable(line.trim_end()));
            }
        }
        let memory = machine.allocation(finding.address).filter(|_| finding.space == "global");
        if let Some((base, bytes)) = memory {
            let kernel = finding.sides.iter().rev().find(|side| side.place.is_some());
            let parameters = finding.parameters_at(base, bytes);
            let name = kernel.and_then(|side| {
                let (parameters, parameter_count) = parameters.clone()?;
                let memory = ptx_emulator::NearMemory { address: base, bytes, parameters, parameter_count };
                host_variables::name_of(&side.operation, &memory)
            });
            finding.memory = Some(match name {
                Some(name) => format!("`{}`", printable(&name)),
                None => format!("an allocation of {bytes} bytes"),
            });
        }
        let text = report_style::with_style(|style| finding.report(style));
        log::report(&text, &as_json(&finding));
    }
}

/// The place of a side, for the comparison of reports.
fn place(side: &Side) -> String {
    match (&side.source, &side.place) {
        (Some(source), _) => format!("{}:{}", source.file, source.line),
        (None, Some(place)) => format!("PTX {:?}:{}", place.unit, place.line),
        (None, None) => side.operation.clone(),
    }
}

fn as_json(finding: &Finding) -> Value {
    let sides: Vec<Value> = finding
        .sides
        .iter()
        .map(|side| {
            json!({
                "access": side.access,
                "operation": side.operation,
                "operation_number": side.operation_number,
                "block": side.block,
                "thread": side.thread,
                "line": side.place.as_ref().map(|place| place.line),
                "place": side.place,
                "source": side.source,
            })
        })
        .collect();
    json!({
        "kind": finding.kind,
        "message": finding.message(),
        "kernel": finding.sides.last().map(|side| &side.operation),
        "space": finding.space,
        "address": finding.address,
        "bytes": finding.bytes,
        "memory": finding.memory,
        "count": finding.count,
        "advice": finding.advice(),
        "sides": sides,
    })
}
