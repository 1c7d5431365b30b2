//! The text of faults and heap allocations: at most one screen.
//!
//! Where a line of the program's own source is known, a report begins with it and says the rest in words of the source;
//! PTX, registers and other lanes are added where they are asked for, or there is nothing else.

use std::fmt;
use std::path::Path;

use crate::fault::{Cause, CodeLocation, Fault, FaultKind, LaneState, LanesAt, Reached, is_of_runtime};
use crate::heap::HeapAllocation;
use crate::source::SourceLocation;
use crate::target_region::{TargetRegion, source_name};
use crate::text::printable;
use crate::text::types::Space;

/// The most and the fewest columns of a line.
const COLUMNS: usize = 110;
const FEWEST_COLUMNS: usize = 40;
/// The most lines of each section of a report.
const MESSAGE_LINES: usize = 3;
const POSITIONS: usize = 4;
const NOTES: usize = 3;
const NOTE_LINES: usize = 3;
const INLINED: usize = 3;
const VALUES: usize = 4;
const CALLS: usize = 4;
const LANES: usize = 5;

/// How a report is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportStyle<'s> {
    /// With PTX, registers and other lanes, also where a source line is known.
    pub verbose: bool,
    /// Columns of a line: between 40 and 110.
    pub columns: usize,
    /// Source files below this folder are named relative to it.
    pub folder: Option<&'s Path>,
}

impl Default for ReportStyle<'_> {
    /// Everything, in the longest lines.
    fn default() -> Self {
        ReportStyle { verbose: true, columns: COLUMNS, folder: None }
    }
}

/// The lines of a report.
pub(crate) struct Lines<'s> {
    style: &'s ReportStyle<'s>,
    columns: usize,
    lines: Vec<String>,
}

impl Fault {
    /// The report of the fault for a person: at most 32 lines.
    pub fn report(&self, style: &ReportStyle<'_>) -> String {
        let mut lines = Lines::new(style);
        let within = within(&self.kernel);
        let positions = self.source_positions();
        let head = match positions.first() {
            Some((_, source)) => lines.position(source),
            None => within.clone(),
        };
        lines.wrapped("", &format!("{head}: {}", self.kind), MESSAGE_LINES);
        if let (Some((_, source)), Some(text)) = (positions.first(), &self.source_text) {
            lines.cut(format!("  {:>5} | {}", source.line, text.trim()));
        } else if let Some(hint) = self.source_hint {
            lines.cut(format!("        {hint}"));
        }
        let Some(place) = &self.place else {
            lines.notes(self);
            return lines.text();
        };
        lines.positions(self, &positions);
        let ([bx, by, bz], [tx, ty, tz]) = (self.block, self.thread);
        let thread = format!("block ({bx},{by},{bz}) thread ({tx},{ty},{tz})");
        let within = if positions.is_empty() { String::new() } else { format!("{within}, ") };
        let detailed = style.verbose || positions.is_empty();
        let lane =
            if detailed { format!(", lane {} of warp {}", self.lane, self.warp) } else { String::new() };
        lines.wrapped("  ", &format!("in {within}{thread}{lane}"), 2);
        lines.notes(self);
        if detailed {
            lines.code(place);
            let values = self.values.iter().map(|v| format!("{} = {}", printable(&v.register), v.value));
            lines.section(VALUES, values.collect());
            lines.section(CALLS, calls(&self.calls, self.depth));
            lines.section(LANES, self.lanes.iter().map(LanesAt::to_string).collect());
        } else if self.concerns_other_threads() {
            let waiting = lines.threads(self);
            lines.section(LANES, waiting);
        }
        lines.text()
    }

    /// Whether the positions of other threads explain the fault.
    fn concerns_other_threads(&self) -> bool {
        matches!(
            self.kind,
            FaultKind::Deadlock(_)
                | FaultKind::Livelock(_)
                | FaultKind::BadBarrier(_)
                | FaultKind::BadMask(_)
                | FaultKind::StepLimit(_)
                | FaultKind::Interrupted(_)
        )
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report(&ReportStyle::default()))
    }
}

impl HeapAllocation {
    /// Its thread and its code location for a person: at most twelve lines.
    pub fn report(&self, style: &ReportStyle<'_>) -> String {
        let mut lines = Lines::new(style);
        let own = |place: &CodeLocation| {
            let all = place.source.iter().chain(&place.inlined_at);
            all.filter(|source| !is_of_runtime(&self.kernel, source)).cloned().collect::<Vec<_>>()
        };
        let positions: Vec<_> = std::iter::once(&self.place).chain(&self.calls).flat_map(own).collect();
        let ([bx, by, bz], [tx, ty, tz]) = (self.block, self.thread);
        for (at, source) in positions.iter().take(POSITIONS).enumerate() {
            let how = if at == 0 { "at" } else { "called from" };
            lines.cut(format!("  {how} {}", lines.position(source)));
        }
        let within = within(&self.kernel);
        lines.cut(format!("  in block ({bx},{by},{bz}) thread ({tx},{ty},{tz}) of {within}"));
        if style.verbose || positions.is_empty() {
            lines.code(&self.place);
            lines.section(CALLS, calls(&self.calls, self.depth));
        }
        lines.text()
    }
}

impl fmt::Display for HeapAllocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report(&ReportStyle::default()))
    }
}

impl<'s> Lines<'s> {
    pub fn new(style: &'s ReportStyle<'s>) -> Lines<'s> {
        Lines { style, columns: style.columns.clamp(FEWEST_COLUMNS, COLUMNS), lines: Vec::new() }
    }

    pub fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// A position in the source, with its file as short as it can be.
    pub fn position(&self, source: &SourceLocation) -> String {
        let short = self.style.folder.and_then(|folder| Path::new(&source.file).strip_prefix(folder).ok());
        match short {
            Some(file) => {
                SourceLocation { file: file.to_string_lossy().into_owned(), ..source.clone() }.to_string()
            }
            None => source.to_string(),
        }
    }

    /// Adds a line; what does not fit is left out.
    pub fn cut(&mut self, line: String) {
        self.lines.push(match line.char_indices().nth(self.columns) {
            None => line,
            Some(_) => line.chars().take(self.columns - 1).chain(['…']).collect(),
        });
    }

    /// Adds a text in at most `most` lines, the first of which begins with `indent` and the others with two columns more.
    pub fn wrapped(&mut self, indent: &str, text: &str, most: usize) {
        let mut lines = vec![indent.to_owned()];
        for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty())
        {
            let count = lines.len();
            let last = &mut lines[count - 1];
            let is_empty = last.trim().is_empty();
            if !is_empty && last.chars().count() + 1 + word.chars().count() > self.columns && count < most {
                lines.push(format!("{indent}  {word}"));
            } else {
                last.push_str(if is_empty { "" } else { " " });
                last.push_str(word);
            }
        }
        lines.into_iter().for_each(|line| self.cut(line));
    }

    /// Adds at most `most` of `entries`, and how many more there are.
    fn section(&mut self, most: usize, mut entries: Vec<String>) {
        let all = entries.len();
        if all > most {
            entries.truncate(most - 1);
            entries.push(format!("… and {} more", all - (most - 1)));
        }
        entries.into_iter().for_each(|entry| self.cut(format!("  {entry}")));
    }

    /// Adds how the program came to the first position, which begins the report.
    fn positions(&mut self, fault: &Fault, positions: &[(Reached, &SourceLocation)]) {
        let mut entries: Vec<String> = Vec::new();
        if let (Some((Reached::Near, _)), Some(place)) = (positions.first(), &fault.place)
            && let Some(source) = &place.source
        {
            entries.push(format!("or shortly after it, in the OpenMP runtime ({})", self.position(source)));
        }
        for (reached, source) in positions.iter().skip(1) {
            let how = match reached {
                Reached::Inlined => "inlined at",
                Reached::Here | Reached::Near | Reached::Called => "called from",
            };
            let entry = format!("{how} {}", self.position(source));
            if entries.last() != Some(&entry) {
                entries.push(entry);
            }
        }
        self.section(POSITIONS, entries);
    }

    /// Adds what explains the fault, and what the host says.
    fn notes(&mut self, fault: &Fault) {
        let is_region = TargetRegion::of(&fault.kernel).is_some();
        if let Some(origin) = &fault.origin {
            let at = match &origin.source {
                Some(source) => self.position(source),
                None => format!("PTX {origin}"),
            };
            self.wrapped("  ", &format!("the value was read at {at}"), NOTE_LINES);
        }
        let cause = fault.cause.map(|cause| cause_text(cause, is_region));
        for note in cause.iter().chain(&fault.notes).take(NOTES) {
            self.wrapped("  ", note, NOTE_LINES);
        }
    }

    /// Adds the code location of an instruction in PTX.
    pub fn code(&mut self, place: &CodeLocation) {
        self.cut(format!("  at PTX {place}"));
        if let Some(source) = &place.source {
            self.cut(format!("  from {source}"));
        }
        let inlined = place.inlined_at.iter().map(|source| format!("inlined at {source}"));
        self.section(INLINED, inlined.collect());
    }

    /// Where the threads are, in the source: those with the same position and state together.
    fn threads(&self, fault: &Fault) -> Vec<String> {
        let mut groups: Vec<(String, u32)> = Vec::new();
        for lanes in &fault.lanes {
            let all = lanes.place.source.iter().chain(&lanes.place.inlined_at).chain(&lanes.near);
            let own =
                all.into_iter().find(|source| source.line != 0 && !is_of_runtime(&fault.kernel, source));
            let at = own
                .map_or("in the OpenMP runtime".to_owned(), |source| format!("at {}", self.position(source)));
            let key = format!("{} {at}", waiting(lanes.state));
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, threads)) => *threads += lanes.mask.count_ones(),
                None => groups.push((key, lanes.mask.count_ones())),
            }
        }
        groups.sort_by_key(|(_, threads)| std::cmp::Reverse(*threads));
        let counted =
            |threads| if threads == 1 { "1 thread:".to_owned() } else { format!("{threads} threads:") };
        groups.into_iter().map(|(key, threads)| format!("{} {key}", counted(threads))).collect()
    }
}

/// What a thread executes, in words of the source if they are known.
pub(crate) fn within(kernel: &str) -> String {
    match TargetRegion::of(kernel) {
        Some(TargetRegion { function, line }) => {
            format!("the target region at line {line} of `{}`", printable(&function))
        }
        None => format!("kernel {}", printable(&source_name(kernel))),
    }
}

fn cause_text(cause: Cause, in_target_region: bool) -> String {
    match cause {
        Cause::HostMemory if in_target_region => {
            "this is memory of the host: is a `map` clause missing?".into()
        }
        Cause::HostMemory => "this is memory of the host, which the device cannot access".into(),
        Cause::HeapFull { bytes } => {
            format!("`malloc` or `new` has returned null before: the device heap of {bytes} bytes was full")
        }
        Cause::OtherSpace { address, space } => {
            let what = match space {
                Space::Global => "global memory, or memory of the host".to_owned(),
                _ => format!("{} memory", space.name()),
            };
            format!(
                "the pointer {address:#x} points to {what}: the compiler, or the program, took it for a pointer to another \
                 kind of memory"
            )
        }
    }
}

/// The backtrace; consecutive calls from the same location, as in recursion, take one line.
fn calls(calls: &[CodeLocation], depth: u32) -> Vec<String> {
    let mut lines = Vec::new();
    for same in calls.chunk_by(|a, b| a == b) {
        let source = same[0].source.as_ref().map_or(String::new(), |source| format!("{source}, "));
        let times = if same.len() > 1 { format!("{} times ", same.len()) } else { String::new() };
        lines.push(format!("called {times}from {source}PTX {}", same[0]));
    }
    if depth as usize > calls.len() {
        lines.push(format!("… {depth} calls in all"));
    }
    lines
}

impl fmt::Display for CodeLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.unit.as_ref().map_or(String::new(), |unit| format!(" of {}", printable(unit)));
        write!(f, "line {}{unit} in `{}`: {}", self.line, printable(&self.function), printable(&self.text))
    }
}

/// What lanes in this state do.
fn waiting(state: LaneState) -> &'static str {
    match state {
        LaneState::Ready => "are",
        LaneState::Mask => "wait for lanes of their mask",
        LaneState::Warp => "wait for the rest of the warp",
        LaneState::Block => "wait for the block",
    }
}

impl fmt::Display for LanesAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "warp {} lanes {:#010x} {} at PTX {}",
            self.warp,
            self.mask,
            waiting(self.state),
            self.place
        )
    }
}
