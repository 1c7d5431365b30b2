//! The strategies of innermost reductions by name, as a person asks for them.

use std::{fmt, str::FromStr};

/// What the lanes of a vector do in an innermost reduction: the three of Caballero's proposal for Linalg (IREE, 2022).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strategy {
    /// A row in each lane, in the order of the source, so that floats have the same bits.
    InnerParallel {
        /// Columns of the tiles that are transposed; by default 8.
        columns: u32,
    },
    /// One accumulator a row, to which the sum of so many elements is added.
    InnerReduction {
        /// Elements; by default 64.
        lanes: u32,
        /// How these elements are combined.
        end: Combining,
    },
    /// Accumulators in lanes, one reduction of the lanes at the end of a row.
    VectorAccumulator {
        /// Lanes; by default 16.
        lanes: u32,
        /// How the lanes are combined.
        end: Combining,
    },
}

/// In which order lanes are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Combining {
    /// Halves, each time the second added to the first.
    #[default]
    Tree,
    /// One after the other.
    Sequential,
}

/// A strategy as a person asks for it: what is not said is left to the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The strategy, with the usual numbers of a CPU where none are said.
    pub strategy: Strategy,
    /// Whether the number of columns or lanes is said.
    pub is_counted: bool,
}

/// Lanes at most: their accumulators are on the stack.
const MOST_LANES: u32 = 1024;

const HINT: &str = "strategies are inner_parallel, inner_reduction and vector_accumulator, each with the number of columns or \
                    lanes if it is to be another one, and the last two with `tree` or `sequential`: \
                    strategy(vector_accumulator, 16, sequential)";

impl Strategy {
    /// The strategy that a directive `#pragma warpfold strategy(…)` gives; `None` for other directives.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and what would be right.
    pub fn of(directive: &str) -> Option<Result<Strategy, String>> {
        Some(Asked::of(directive)?.map(|asked| asked.strategy))
    }

    /// Each with its usual numbers.
    pub const DEFAULTS: [Strategy; 3] = [
        Strategy::InnerParallel { columns: 8 },
        Strategy::InnerReduction { lanes: 64, end: Combining::Tree },
        Strategy::VectorAccumulator { lanes: 16, end: Combining::Tree },
    ];

    /// What a row takes, of which a function says how many vectors of so many elements it has.
    pub(crate) fn takes(self, vectors: &dyn Fn(u32) -> String) -> String {
        match self {
            Strategy::InnerParallel { columns } => format!(
                "8 rows together take {} vector operations and {} transposed tiles",
                vectors(1),
                vectors(columns)
            ),
            Strategy::InnerReduction { lanes, .. } => {
                format!("a row takes {} reductions of lanes", vectors(lanes))
            }
            Strategy::VectorAccumulator { lanes, .. } => {
                format!("a row takes {} vector operations and 1 reduction of lanes", vectors(lanes))
            }
        }
    }

    /// The name, without what may follow it.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::InnerParallel { .. } => "inner_parallel",
            Strategy::InnerReduction { .. } => "inner_reduction",
            Strategy::VectorAccumulator { .. } => "vector_accumulator",
        }
    }

    /// Whether it adds in another order than the source.
    pub fn reorders(self) -> bool {
        !matches!(self, Strategy::InnerParallel { .. })
    }
}

impl Asked {
    /// As [`Strategy::of`].
    ///
    /// # Errors
    ///
    /// What is wrong with it, and what would be right.
    pub fn of(directive: &str) -> Option<Result<Asked, String>> {
        let text = directive.trim_start().strip_prefix('#')?.trim_start().strip_prefix("pragma")?;
        let text = text.trim_start().strip_prefix("warpfold")?;
        let text = text.strip_prefix([' ', '\t'])?.trim().strip_prefix("strategy")?.trim();
        let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        Some(inside.ok_or_else(|| format!("`{text}` has no parentheses; {HINT}")).and_then(str::parse))
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, end) = match self {
            Strategy::InnerParallel { columns } => (columns, Combining::Tree),
            Strategy::InnerReduction { lanes, end } | Strategy::VectorAccumulator { lanes, end } => {
                (lanes, *end)
            }
        };
        let end = if end == Combining::Sequential { ", sequential" } else { "" };
        write!(f, "{}, {count}{end}", self.name())
    }
}

impl fmt::Display for Asked {
    /// As it is read: without the number of columns or lanes if that was not said.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.strategy.to_string();
        match (self.is_counted, whole.split(", ").nth(2)) {
            (true, _) => f.write_str(&whole),
            (false, None) => f.write_str(self.strategy.name()),
            (false, Some(end)) => write!(f, "{}, {end}", self.strategy.name()),
        }
    }
}

impl FromStr for Strategy {
    type Err = String;

    /// As [`Asked`].
    fn from_str(text: &str) -> Result<Strategy, String> {
        text.parse().map(|asked: Asked| asked.strategy)
    }
}

impl FromStr for Asked {
    type Err = String;

    /// `name`, `name, count` or `name, count, order`.
    fn from_str(text: &str) -> Result<Asked, String> {
        let mut parts = text.split(',').map(str::trim);
        let name = parts.next().unwrap_or_default().replace('-', "_");
        let (mut count, mut end) = (None, None);
        for part in parts {
            match (part, part.parse::<u32>()) {
                (_, Ok(number)) if count.is_none() && (2..=MOST_LANES).contains(&number) => {
                    count = Some(number)
                }
                (_, Ok(_)) => {
                    return Err(format!("`{part}` in `{text}` is not a number from 2 to {MOST_LANES}"));
                }
                ("tree", _) if end.is_none() => end = Some(Combining::Tree),
                ("sequential", _) if end.is_none() => end = Some(Combining::Sequential),
                _ => return Err(format!("`{part}` in `{text}` is nothing that a strategy has; {HINT}")),
            }
        }
        let usual = Strategy::DEFAULTS.into_iter().find(|strategy| strategy.name() == name);
        let strategy = match usual.ok_or_else(|| format!("`{name}` is no strategy; {HINT}"))? {
            Strategy::InnerParallel { .. } if end.is_some() => {
                return Err(format!("`{text}`: rows in lanes keep the order of the source"));
            }
            Strategy::InnerParallel { columns } => {
                Strategy::InnerParallel { columns: count.unwrap_or(columns) }
            }
            Strategy::InnerReduction { lanes, .. } => {
                Strategy::InnerReduction { lanes: count.unwrap_or(lanes), end: end.unwrap_or_default() }
            }
            Strategy::VectorAccumulator { lanes, .. } => {
                Strategy::VectorAccumulator { lanes: count.unwrap_or(lanes), end: end.unwrap_or_default() }
            }
        };
        Ok(Asked { strategy, is_counted: count.is_some() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_are_read_as_they_are_printed() {
        for (text, printed) in [
            ("inner_parallel", "inner_parallel, 8"),
            ("inner-parallel, 64", "inner_parallel, 64"),
            ("inner_reduction", "inner_reduction, 64"),
            ("vector_accumulator,32 , sequential", "vector_accumulator, 32, sequential"),
            ("vector-accumulator, tree", "vector_accumulator, 16"),
        ] {
            let strategy: Strategy = text.parse().unwrap();
            assert_eq!(strategy.to_string(), printed);
            assert_eq!(printed.parse(), Ok(strategy));
            let directive = format!("#pragma  warpfold strategy ( {text} ) ");
            assert_eq!(Strategy::of(&directive), Some(Ok(strategy)), "{directive}");
            let is_counted = text.contains(|digit: char| digit.is_ascii_digit());
            let asked = Asked { strategy, is_counted };
            assert_eq!(Asked::of(&directive), Some(Ok(asked)), "{directive}");
            assert_eq!(asked.to_string().parse(), Ok(asked));
        }
        assert_eq!(Strategy::of("#pragma warpfold schedule(parallel(i))"), None);
        assert_eq!(Strategy::of("#pragma omp simd"), None);
    }

    #[test]
    fn mistakes_say_what_is_right() {
        for (text, what) in [
            ("", "`` is no strategy; strategies are inner_parallel"),
            ("outer", "`outer` is no strategy"),
            ("inner_reduction, 1", "`1` in `inner_reduction, 1` is not a number from 2 to 1024"),
            ("inner_reduction, 8, 8", "`8` in"),
            ("inner_reduction, fast", "`fast` in `inner_reduction, fast` is nothing that a strategy has"),
            ("inner_parallel, sequential", "rows in lanes keep the order"),
        ] {
            let error = text.parse::<Strategy>().unwrap_err();
            assert!(error.contains(what), "{text}: {error}");
        }
        let error = Strategy::of("#pragma warpfold strategy inner_parallel").unwrap().unwrap_err();
        assert!(error.contains("has no parentheses"), "{error}");
    }
}
