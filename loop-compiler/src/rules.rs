//! The rules that keep results right. What is rejected, or is no reduction, names one of them.

use std::fmt;

use crate::tree::Position;

/// A rule. `docs/loops.md` has a section on each.
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
    /// Bounds on time and memory.
    Limits,
}

impl Rule {
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
            Rule::Limits => "limits",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a region is left as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    pub rule: Rule,
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
