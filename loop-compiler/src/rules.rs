//! The rules that keep results right. What is rejected, or is no reduction, names one of them.

use std::fmt;

use crate::ir::Position;

/// A rule. `docs/loops-reference.md` has a section on each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// The region's form: counted loops, guards and stores to scalars and arrays.
    Model,
    /// Arrays must not overlap.
    Aliasing,
    /// Values must be known after the loop.
    Liveness,
    /// Conversions of integers at each step.
    Integers,
    /// The order of floating-point operations.
    Floats,
    /// Functions without effects.
    Calls,
    /// Subscripts that are not affine.
    Subscripts,
    /// Searches: argmin, argmax, first and last index.
    Searches,
    /// Values of an accumulation that the loop reads, and linear recurrences.
    Scans,
    /// The operator of an update.
    Operators,
    /// Dependences between iterations.
    Dependences,
    /// Loops that the input says are parallel.
    Annotations,
    /// What a person directs of a loop nest.
    Schedules,
    /// What makes a reduction cheaper.
    Simplification,
    /// Bounds on time and memory.
    Limits,
}

impl Rule {
    /// Every rule, in the order of `docs/loops-reference.md`.
    pub const ALL: [Rule; 15] = [
        Rule::Model,
        Rule::Aliasing,
        Rule::Liveness,
        Rule::Integers,
        Rule::Floats,
        Rule::Calls,
        Rule::Subscripts,
        Rule::Searches,
        Rule::Scans,
        Rule::Operators,
        Rule::Dependences,
        Rule::Annotations,
        Rule::Schedules,
        Rule::Simplification,
        Rule::Limits,
    ];

    /// What the rule asks for, in a sentence.
    pub fn summary(self) -> &'static str {
        match self {
            Rule::Model => "A region has counted loops, guards, and stores to scalars and arrays.",
            Rule::Aliasing => "Arrays that one loop reads and writes must not overlap.",
            Rule::Liveness => "Values that are read after a loop must be known after it.",
            Rule::Integers => "An accumulation in a narrow type converts at each step.",
            Rule::Floats => "The order of floating-point operations is kept.",
            Rule::Calls => "Functions that a region calls have no effects.",
            Rule::Subscripts => "Elements are compared by subscripts that are affine.",
            Rule::Searches => "A search keeps the first, last, least or greatest element.",
            Rule::Scans => "A loop that reads intermediate values of an accumulation keeps its order.",
            Rule::Operators => "A reduction combines by an associative and commutative operator.",
            Rule::Dependences => "Iterations that use each other's results keep their order.",
            Rule::Annotations => "A loop that a directive executes in parallel must allow it.",
            Rule::Schedules => "The steps of a schedule name loops and sizes that there are.",
            Rule::Simplification => {
                "A reduction takes fewer operations where its results share what they combine."
            }
            Rule::Limits => "The analysis of a region has bounded time and memory.",
        }
    }

    /// What helps in most cases.
    pub fn hint(self) -> Option<&'static str> {
        Some(match self {
            Rule::Model => "move what is no counted loop, `if` or store out of the region",
            Rule::Aliasing => "declare them restrict, or pass --assume-distinct",
            Rule::Liveness => "declare the variable inside the loop if nothing reads it afterwards",
            Rule::Integers => "accumulate in `int` or a wider integer, and convert after the loop",
            Rule::Calls => {
                "functions of <math.h>, with `__attribute__((const))`, and `static` ones without effects \
                 are values"
            }
            Rule::Subscripts => "write subscripts as sums of iterators and sizes, with constant factors",
            Rule::Annotations => "remove the directive",
            Rule::Schedules => "`schedule(…)` names loops of the nest behind it by their iterators",
            Rule::Limits => "divide the region, give sizes with --sizes, or more time with --seconds",
            Rule::Floats
            | Rule::Searches
            | Rule::Scans
            | Rule::Operators
            | Rule::Dependences
            | Rule::Simplification => return None,
        })
    }

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Model => "model",
            Rule::Aliasing => "aliasing",
            Rule::Liveness => "liveness",
            Rule::Integers => "integers",
            Rule::Floats => "floats",
            Rule::Calls => "calls",
            Rule::Subscripts => "subscripts",
            Rule::Searches => "searches",
            Rule::Scans => "scans",
            Rule::Operators => "operators",
            Rule::Dependences => "dependences",
            Rule::Annotations => "annotations",
            Rule::Schedules => "schedules",
            Rule::Simplification => "simplification",
            Rule::Limits => "limits",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether floating-point operations may be reordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FloatOrder {
    /// Nobody has allowed it.
    #[default]
    Kept,
    /// Into one documented order.
    Fixed,
    /// Into any.
    Free,
}

/// Why a region is left as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The rule that forbids it.
    pub rule: Rule,
    /// Where it was found.
    pub at: Position,
    /// What was found, and what would help where that is known.
    pub reason: String,
}

impl Rejection {
    pub(crate) fn new(rule: Rule, at: Position, reason: impl Into<String>) -> Rejection {
        Rejection { rule, at, reason: reason.into() }
    }
}

/// `rule: reason`, as reports show it.
impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.reason)
    }
}
