//! The text of what the checks find: at most one screen.

use super::finding::{Finding, FindingKind, Side};
use crate::fault_text::{Lines, ReportStyle, within};
use crate::target_region::TargetRegion;

/// The most lines of a message and of what would help.
const MESSAGE_LINES: usize = 3;

impl Finding {
    /// One sentence: what is wrong.
    pub fn message(&self) -> String {
        let bytes = match self.bytes {
            1 => "1 byte".to_owned(),
            bytes => format!("{bytes} bytes"),
        };
        let memory = match &self.memory {
            Some(memory) => memory.clone(),
            None => format!("{} memory", self.space),
        };
        match (self.kind, &self.sides[..]) {
            (FindingKind::DataRace, [first, second]) => {
                let race = if self.possible { "possible data race" } else { "data race" };
                format!("{race}: {} and {} of {bytes} of {memory} in any order", first.what(), second.what())
            }
            (FindingKind::UndefinedLane, _) => {
                format!("{bytes} of {memory} hold what no thread computed: the value of a lane without one")
            }
            (FindingKind::Uninitialised, _) if self.unassigned => {
                format!("{bytes} of {memory} were computed from a variable that was never assigned")
            }
            _ => format!("{bytes} of {memory} were computed from memory that nobody wrote"),
        }
    }

    /// What would help.
    pub fn advice(&self) -> String {
        let (FindingKind::DataRace, [first, second]) = (self.kind, &self.sides[..]) else {
            return match self.kind {
                FindingKind::UndefinedLane => "every lane whose value a shuffle reads must execute it".into(),
                _ if self.unassigned => {
                    "initialise the variable: the compiler has left out what nobody assigns".into()
                }
                _ => "initialise the memory, or map its contents to the device".into(),
            };
        };
        if self.possible {
            return "so many threads have read it that it is not known which: if a barrier or an atomic access orders them \
                    before the write, there is no race; a smaller input tells"
                .into();
        }
        let openmp = self.sides.iter().any(|side| TargetRegion::of(&side.operation).is_some());
        let both_strong = first.strong && second.strong;
        if both_strong && (first.block_scope || second.block_scope) && first.block != second.block {
            return "atomic in its block only (`.cta`): accesses of several blocks need the scope of the device \
                    (`.gpu`)"
                .into();
        }
        if both_strong {
            return "atomic accesses of different sizes are not atomic with each other".into();
        }
        if first.operation_number != second.operation_number {
            let one = match openmp {
                true => "`depend` clauses on both, or a `taskwait` between them,",
                false => "an event, or a synchronisation of the first one's stream,",
            };
            return format!("the two run on different streams: {one} would order them");
        }
        if first.strong != second.strong {
            let other = if first.strong { second } else { first };
            let how = match (openmp, other.access) {
                (true, "read") => "`#pragma omp atomic read`",
                (true, _) => "`#pragma omp atomic`",
                (false, _) => "an atomic access, too",
            };
            return format!(
                "one of the two is atomic, the other one is not: it needs {how}, or a barrier between them"
            );
        }
        // Loads that LLVM moves before a loop get the line of the region.
        let region = |side: &Side| {
            let region = TargetRegion::of(&side.operation);
            side.source.as_ref().is_some_and(|source| region.is_some_and(|region| region.line == source.line))
        };
        let same_line = first.line() == second.line() || region(first) || region(second);
        if same_line && openmp {
            return "if every iteration adds to it, a `reduction` clause is missing; if each needs one of its own, a \
                    `private` clause; else `#pragma omp atomic`"
                .into();
        }
        if same_line {
            return "each thread needs a location of its own, or an atomic operation".into();
        }
        if first.block == second.block {
            return match openmp {
                true => "a barrier (`#pragma omp barrier`) between the two lines would order them".into(),
                false => "a barrier of the block between the two would order them".into(),
            };
        }
        match openmp {
            true => "teams run in any order, and no barrier orders them: a `reduction` clause, `#pragma omp atomic`, or \
                     two target regions"
                .into(),
            false => "blocks run in any order, and no barrier orders them: a release and an acquire of the device \
                      (fences around an atomic), or two launches"
                .into(),
        }
    }

    /// The report for a person: at most 16 lines.
    pub fn report(&self, style: &ReportStyle<'_>) -> String {
        let mut lines = Lines::new(style);
        let position = self.sides.last().and_then(|side| side.source.as_ref());
        let head = match (position, self.sides.last()) {
            (Some(source), _) => format!("{}: ", lines.position(source)),
            (None, Some(side)) => format!("{}: ", within(&side.operation)),
            (None, None) => String::new(),
        };
        lines.wrapped("", &format!("{head}{}", self.message()), MESSAGE_LINES);
        for side in self.sides.iter().rev() {
            if let (Some(source), Some(text)) = (&side.source, &side.source_text) {
                lines.cut(format!("  {:>5} | {}", source.line, text.trim()));
            }
            let by = match (&side.source, side.block, side.thread) {
                (_, Some([bx, by, bz]), Some([tx, ty, tz])) => {
                    format!("block ({bx},{by},{bz}) thread ({tx},{ty},{tz})")
                }
                _ if side.place.is_some() => "a thread of many".to_owned(),
                _ => "the host".to_owned(),
            };
            let at = match &side.source {
                Some(source) => format!(" at {}", lines.position(source)),
                None => String::new(),
            };
            let other = self.sides.first().map(|side| side.operation_number) != Some(side.operation_number);
            let several =
                other || self.sides.last().map(|side| side.operation_number) != Some(side.operation_number);
            let during = match several {
                true => format!(", in {}", side.during()),
                false => String::new(),
            };
            lines.wrapped("  ", &format!("{}{at} by {by}{during}", side.what()), 2);
            if let Some(place) = side.place.as_ref().filter(|_| style.verbose || side.source.is_none()) {
                lines.code(place);
            }
        }
        if self.sides.iter().all(|side| side.operation_number == self.sides[0].operation_number)
            && let Some(side) = self.sides.last().filter(|_| position.is_some())
        {
            lines.cut(format!("  in {}", within(&side.operation)));
        }
        if self.count > 1 {
            lines.cut(format!("  {} times at these instructions", self.count));
        }
        lines.wrapped("  ", &self.advice(), MESSAGE_LINES);
        lines.text()
    }
}

impl Side {
    /// What it does, as a noun.
    fn what(&self) -> &'static str {
        match (self.access, self.strong) {
            ("computation", _) => "a computation",
            ("read", false) => "a read",
            ("read", true) => "an atomic read",
            ("write", false) => "a write",
            ("write", true) => "an atomic write",
            _ => "an atomic update",
        }
    }

    /// The line, in the source or else in the PTX.
    fn line(&self) -> Option<(&str, u32)> {
        match (&self.source, &self.place) {
            (Some(source), _) => Some((&source.file, source.line)),
            (None, Some(place)) => Some((place.unit.as_deref().unwrap_or(""), place.line)),
            (None, None) => None,
        }
    }

    /// The launch or the operation of the host.
    fn during(&self) -> String {
        match self.place {
            Some(_) => format!("launch {}, {}", self.operation_number, within(&self.operation)),
            None => self.operation.clone(),
        }
    }
}
