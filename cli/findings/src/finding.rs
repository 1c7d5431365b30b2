//! A report of the driver, as it has it in `WARPFOLD_FAULT_JSON`.

use serde_json::Value;

/// The kinds of findings, with what each means.
pub const KINDS: [(&str, &str); 9] = [
    ("data-race", "Two accesses of the same memory, at least one of them a write, that nothing orders"),
    (
        "uninitialised",
        "A value is used that was computed from memory that nobody wrote, or from a variable without a value",
    ),
    ("undefined-lane", "A value is used that a lane of the warp did not define"),
    ("barrier", "A barrier, or a warp operation, that not all of its threads execute together"),
    ("deadlock", "No thread of a block can run"),
    ("livelock", "A launch reached its limit of instructions"),
    ("use-after-free", "An access of memory that was freed"),
    ("out-of-bounds", "An access outside of every allocation"),
    ("misaligned", "An access at an address that is not a multiple of its size"),
];

/// The driver's other reports, which keep their names.
pub const OTHER_KINDS: [&str; 16] = [
    "assertion",
    "bad-branch",
    "bad-call",
    "bad-free",
    "breakpoint",
    "emulator",
    "host-memory",
    "interrupted",
    "leak",
    "lost-order",
    "read-only",
    "refused",
    "refused-module",
    "stack-overflow",
    "trap",
    "unresolved",
];

/// What the driver reported.
#[derive(Clone, Debug)]
pub struct Finding {
    /// One of [`KINDS`], or the driver's own name.
    pub kind: String,
    /// The accesses of a race, the last one first; a fault has one, or none.
    pub sides: Vec<FindingSide>,
    /// The kernel, if there is one.
    pub kernel: Option<String>,
    /// The driver's fields.
    pub fields: Value,
}

/// One of the instructions that take part, or an operation of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingSide {
    /// What it does, if the driver says so: `read`, `write` or `atomic`.
    pub access: Option<String>,
    /// The kernel, or what the host did.
    pub operation: String,
    /// The place in a file.
    pub position: Option<FilePosition>,
    /// The line of PTX whose file is not known; 0 for the host.
    pub ptx_line: u64,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FilePosition {
    /// The path, as debugging information has it.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1; 0 if it is not known.
    pub column: u64,
}

/// A finding, and how many runs showed it.
pub struct Merged {
    pub finding: Finding,
    /// The first run, from 0, and the last one so far.
    pub first: u32,
    pub last: u32,
    pub runs: u32,
}

impl Finding {
    /// Reads a line; `None` if it is no report. `ptx` is the file of PTX that was launched, if there is one: its lines are
    /// positions where there is no source.
    pub fn read(line: &str, ptx: Option<&str>) -> Option<Finding> {
        let fields: Value = serde_json::from_str(line).ok()?;
        let name = fields["kind"].as_str()?;
        let message = fields["message"].as_str().unwrap_or_default();
        let kernel = fields["kernel"].as_str().map(String::from);
        let mut sides: Vec<FindingSide> = match fields["sides"].as_array() {
            Some(sides) => sides.iter().rev().map(|side| side_of(side, ptx)).collect(),
            None => side_of_fault(&fields, kernel.as_deref().unwrap_or_default(), ptx).into_iter().collect(),
        };
        if name == "leak" {
            sides =
                fields["places"].as_array().into_iter().flatten().map(|place| side_of(place, ptx)).collect();
        }
        Some(Finding { kind: kind_of(name, message).to_owned(), sides, kernel, fields })
    }

    /// What makes two findings the same: kind and lines, whichever access came first.
    pub fn key(&self) -> String {
        let mut sides: Vec<String> = self
            .sides
            .iter()
            .map(|side| match &side.position {
                Some(position) => format!("{}:{}", position.file, position.line),
                None => format!("{} {}", side.operation, side.ptx_line),
            })
            .collect();
        sides.sort();
        let kernel = if sides.is_empty() { self.kernel.as_deref().unwrap_or_default() } else { "" };
        format!("{}\n{}\n{kernel}", self.kind, sides.join("\n"))
    }

    /// The report for a person.
    pub fn text(&self) -> &str {
        let text = self.fields["report"].as_str().filter(|text| !text.is_empty());
        text.or(self.fields["message"].as_str()).unwrap_or(&self.kind)
    }

    /// One sentence.
    pub fn message(&self) -> &str {
        self.fields["message"].as_str().unwrap_or(&self.kind)
    }
}

/// The kind of a report.
fn kind_of<'n>(name: &'n str, message: &str) -> &'n str {
    match name {
        "undefined-value" if message.contains("lane") => "undefined-lane",
        "undefined-value" => "uninitialised",
        "bad-barrier" | "bad-mask" => "barrier",
        "step-limit" => "livelock",
        "out-of-bounds" if message.contains("freed") => "use-after-free",
        name => name,
    }
}

fn position(source: &Value) -> Option<FilePosition> {
    let file = source["file"].as_str()?.to_owned();
    let line = source["line"].as_u64().filter(|line| *line > 0)?;
    Some(FilePosition { file, line, column: source["column"].as_u64().unwrap_or(0) })
}

fn ptx_position(place: &Value, ptx: Option<&str>) -> Option<FilePosition> {
    let line = place["line"].as_u64()?;
    Some(FilePosition { file: ptx?.to_owned(), line, column: 0 })
}

/// A side of a race, or of a value that is not defined.
fn side_of(side: &Value, ptx: Option<&str>) -> FindingSide {
    let place = &side["place"];
    FindingSide {
        access: side["access"].as_str().map(String::from),
        operation: side["operation"].as_str().unwrap_or_default().to_owned(),
        position: position(&side["source"]).or_else(|| ptx_position(place, ptx)),
        ptx_line: place["line"].as_u64().unwrap_or(0),
    }
}

/// The instruction of a fault; of the positions that led to it the innermost one of the program itself, which the OpenMP
/// runtime, in Rust, is not.
fn side_of_fault(fault: &Value, kernel: &str, ptx: Option<&str>) -> Option<FindingSide> {
    let place = Some(&fault["place"]).filter(|place| place.is_object())?;
    let calls = fault["calls"].as_array().map(Vec::as_slice).unwrap_or_default();
    let inlined = |place: &Value| place["inlined_at"].as_array().cloned().unwrap_or_default();
    let all = [place["source"].clone()]
        .into_iter()
        .chain(inlined(place))
        .chain([fault["near"].clone()])
        .chain(calls.iter().flat_map(|call| [call["source"].clone()].into_iter().chain(inlined(call))));
    let in_target_region = kernel.starts_with("__omp_offloading_");
    let own = all
        .filter_map(|source| position(&source))
        .find(|position| !(in_target_region && position.file.ends_with(".rs")));
    Some(FindingSide {
        access: None,
        operation: kernel.to_owned(),
        position: own.or_else(|| ptx_position(place, ptx)),
        ptx_line: place["line"].as_u64().unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_the_kinds_of_findings() {
        for (name, message, kind) in [
            ("undefined-value", "an undefined value reached a store", "uninitialised"),
            ("undefined-value", "a lane that did not take part", "undefined-lane"),
            ("undefined-lane", "", "undefined-lane"),
            ("bad-barrier", "", "barrier"),
            ("bad-mask", "", "barrier"),
            ("deadlock", "", "deadlock"),
            ("step-limit", "", "livelock"),
            ("livelock", "", "livelock"),
            ("out-of-bounds", "4 bytes past the end", "out-of-bounds"),
            ("out-of-bounds", "at byte 0 of 8 bytes that were freed", "use-after-free"),
            ("use-after-free", "", "use-after-free"),
            ("misaligned", "", "misaligned"),
            ("trap", "", "trap"),
        ] {
            assert_eq!(kind_of(name, message), kind, "{name}: {message}");
        }
    }

    #[test]
    fn the_order_of_the_sides_makes_no_other_finding() {
        let side = |line: u32| format!(r#"{{"access":"write","operation":"k","place":{{"line":{line}}}}}"#);
        let read = |first, second, ptx| {
            let line = format!(r#"{{"kind":"data-race","sides":[{},{}]}}"#, side(first), side(second));
            Finding::read(&line, ptx).expect("a report")
        };
        assert_eq!(read(1, 2, None).key(), read(2, 1, None).key());
        assert_ne!(read(1, 2, None).key(), read(1, 3, None).key());
        let position = FilePosition { file: "k.ptx".into(), line: 2, column: 0 };
        assert_eq!(read(1, 2, Some("k.ptx")).sides[0].position, Some(position));
        assert!(Finding::read("no JSON", None).is_none() && Finding::read("{}", None).is_none());
    }

    #[test]
    fn a_fault_in_the_runtime_is_at_the_line_of_the_program() {
        let line = r#"{"kind":"bad-barrier","kernel":"__omp_offloading_1_2_main_l3","near":{"file":"a.c","line":6},
            "place":{"line":9,"source":{"file":"/device_rt/barrier.rs","line":17},"inlined_at":[]}}"#;
        let finding = Finding::read(&line.replace('\n', ""), None).expect("a report");
        assert_eq!(finding.kind, "barrier");
        let position = finding.sides[0].position.clone().expect("a position");
        assert_eq!((&*position.file, position.line), ("a.c", 6));
    }
}
