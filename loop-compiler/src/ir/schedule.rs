//! The text of schedules: `schedule(tile(i, 32, i_tile), reorder(i_tile, j, i), parallel(i_tile))`.

use std::fmt;

/// What a person asks for, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The steps.
    pub steps: Vec<Step>,
}

/// A step of a schedule; loops are named by their iterators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// `tile(i, size, outer)`, or `tile(i, size, outer, inner)` with an inner iterator that begins with 0 in each tile.
    Tile {
        /// The loop.
        name: String,
        /// Iterations of a tile: an integer, or an expression of the region's sizes.
        size: String,
        /// The iterator over tiles.
        outer: String,
        /// The iterator inside a tile, if it is not the original one.
        inner: Option<String>,
    },
    /// `reorder(j, i)`: loops directly inside each other, outermost first.
    Reorder(Vec<String>),
    /// `distribute(i)`: a loop for each part of the body.
    Distribute(String),
    /// `parallel(i)`: executed by several workers.
    Parallel(String),
    /// A property that the loop keeps.
    Mark(Mark, String),
}

/// What a loop keeps until code is made of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// `vectorize(i)`: by the lanes of a vector.
    Vectorize,
    /// `shared(i)`: on a GPU the copies that the loop needs are in the memory of a block.
    Shared,
    /// `atomic(i)`: copies are added to the target atomically, at the end of each worker.
    Atomic,
    /// `lanes(i)`, of a strategy: as `vectorize`, but compilers find it out themselves, and do worse with a directive.
    Lanes,
    /// `transposed(i)`, of a strategy: the loop fills tiles by rows, which are read by columns.
    Transposed,
}

impl Mark {
    /// All of them.
    pub const ALL: [Mark; 5] = [Mark::Vectorize, Mark::Shared, Mark::Atomic, Mark::Lanes, Mark::Transposed];

    /// Whether a person may ask for it.
    pub fn is_directed(self) -> bool {
        !matches!(self, Mark::Lanes | Mark::Transposed)
    }

    /// As a schedule of the loop of an iterator.
    pub fn schedule(self, iterator: &str) -> Schedule {
        Schedule { steps: vec![Step::Mark(self, iterator.to_owned())] }
    }

    /// As a directive of the loop of an iterator.
    pub fn directive(self, iterator: &str) -> String {
        self.schedule(iterator).directive()
    }

    /// The name of its step.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Vectorize => "vectorize",
            Mark::Shared => "shared",
            Mark::Atomic => "atomic",
            Mark::Lanes => "lanes",
            Mark::Transposed => "transposed",
        }
    }
}

impl Step {
    /// The loops that it needs, by their iterators.
    pub fn loops(&self) -> Vec<&str> {
        match self {
            Step::Reorder(names) => names.iter().map(String::as_str).collect(),
            Step::Tile { name, .. } | Step::Distribute(name) | Step::Parallel(name) | Step::Mark(_, name) => {
                vec![name]
            }
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Tile { name, size, outer, inner } => {
                write!(f, "tile({name}, {size}, {outer}")?;
                if let Some(inner) = inner {
                    write!(f, ", {inner}")?;
                }
                f.write_str(")")
            }
            Step::Reorder(names) => write!(f, "reorder({})", names.join(", ")),
            Step::Distribute(name) => write!(f, "distribute({name})"),
            Step::Parallel(name) => write!(f, "parallel({name})"),
            Step::Mark(mark, name) => write!(f, "{}({name})", mark.name()),
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps: Vec<_> = self.steps.iter().map(Step::to_string).collect();
        write!(f, "schedule({})", steps.join(", "))
    }
}

const HINT: &str = "steps are tile(i, 32, i_tile), tile(i, 32, i_tile, i_in), reorder(j, i), distribute(i), parallel(i), \
                    vectorize(i), shared(i) and atomic(i)";

impl Schedule {
    /// The schedule that a directive `#pragma warpfold schedule(…)` gives; `None` for other directives, among them those with a
    /// [`super::Strategy`].
    ///
    /// # Errors
    ///
    /// What is wrong with it, and what would be right.
    pub fn of(directive: &str) -> Option<Result<Schedule, String>> {
        let text = directive.trim_start().strip_prefix('#')?.trim_start().strip_prefix("pragma")?;
        let text = text.trim_start().strip_prefix("warpfold")?;
        if text.trim_start().starts_with("strategy") {
            return None;
        }
        text.is_empty().then_some("").or_else(|| text.strip_prefix([' ', '\t'])).map(Schedule::parse)
    }

    /// Reads `schedule(…)`.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and what would be right.
    pub fn parse(text: &str) -> Result<Schedule, String> {
        let text = text.trim();
        let Some((word, arguments)) = call(text)? else {
            return Err(format!("`{text}` is no directive of warpfold: write `schedule(…)`"));
        };
        if word != "schedule" {
            return Err(format!("`{word}` is no directive of warpfold: write `schedule(…)`"));
        }
        let steps: Vec<Step> = arguments.iter().map(|argument| step(argument)).collect::<Result<_, _>>()?;
        if steps.is_empty() {
            return Err(format!("the schedule has no steps; {HINT}"));
        }
        Ok(Schedule { steps })
    }

    /// As a directive of C.
    pub fn directive(&self) -> String {
        format!("#pragma warpfold {self}")
    }
}

/// The word and the arguments of `word(argument, …)`; `None` if it is something else.
fn call(text: &str) -> Result<Option<(&str, Vec<&str>)>, String> {
    let Some((word, rest)) = text.split_once('(') else { return Ok(None) };
    let mut depth = 1;
    let (mut begin, mut arguments) = (0, Vec::new());
    for (at, character) in rest.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 1 => {
                arguments.push(rest[begin..at].trim());
                begin = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            let behind = rest[at + 1..].trim();
            if !behind.is_empty() {
                return Err(format!(
                    "`{behind}` stands behind `{}`",
                    &text[..text.len() - behind.len()].trim()
                ));
            }
            let last = rest[begin..at].trim();
            if !last.is_empty() || !arguments.is_empty() {
                arguments.push(last);
            }
            return Ok(Some((word.trim(), arguments)));
        }
    }
    Err(format!("`{text}` has no closing parenthesis"))
}

fn step(text: &str) -> Result<Step, String> {
    let Some((word, arguments)) = call(text)? else { return Err(format!("`{text}` is no step; {HINT}")) };
    let names = |range: std::ops::Range<usize>| -> Result<Vec<String>, String> {
        arguments[range]
            .iter()
            .map(|name| match is_name(name) {
                true => Ok((*name).to_string()),
                false => Err(format!("`{name}` in `{text}` is not a name")),
            })
            .collect()
    };
    let one = || match arguments[..] {
        [_] => names(0..1).map(|mut names| names.remove(0)),
        _ => Err(format!("`{word}` takes the name of one loop, and is given {}; {HINT}", arguments.len())),
    };
    if let Some(mark) = Mark::ALL.into_iter().find(|mark| mark.name() == word) {
        return Ok(Step::Mark(mark, one()?));
    }
    match word {
        "parallel" => Ok(Step::Parallel(one()?)),
        "distribute" => Ok(Step::Distribute(one()?)),
        "reorder" if arguments.len() > 1 => Ok(Step::Reorder(names(0..arguments.len())?)),
        "reorder" => Err(format!("`reorder` takes the names of several loops; {HINT}")),
        "tile" if matches!(arguments.len(), 3 | 4) => {
            let name = names(0..1)?.remove(0);
            let mut iterators = names(2..arguments.len())?.into_iter();
            let outer = iterators.next().unwrap_or_default();
            if arguments[1].is_empty() {
                return Err(format!("`{text}` has no size of a tile"));
            }
            Ok(Step::Tile { name, size: arguments[1].into(), outer, inner: iterators.next() })
        }
        "tile" => Err(format!("`tile` takes a loop, a size and one or two names of iterators; {HINT}")),
        _ => Err(format!("`{word}` is no step; {HINT}")),
    }
}

fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && characters.all(|character| character.is_alphanumeric() || character == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_are_printed_as_they_are_read() {
        let text = "schedule(tile(i, n / (2 * m), i0, i1), tile(j, 32, j_tile), reorder(i0, j_tile, i1), distribute(k), \
                    parallel(i0), vectorize(j), shared(i0), atomic(i0))";
        assert_eq!(Schedule::parse(text).unwrap().to_string(), text);
        let directive = "#  pragma\twarpfold   schedule( parallel ( i ) )";
        assert_eq!(
            Schedule::of(directive).unwrap().unwrap().directive(),
            "#pragma warpfold schedule(parallel(i))"
        );
        assert_eq!(Schedule::of("#pragma omp parallel for"), None);
        assert_eq!(Schedule::of("#pragma warpfolded schedule(parallel(i))"), None);
    }

    #[test]
    fn mistakes_say_what_is_right() {
        for (text, what) in [
            ("tile(i, 2, t)", "`tile` is no directive of warpfold: write `schedule(…)`"),
            ("", "`` is no directive of warpfold"),
            ("schedule(parallel(i)", "has no closing parenthesis"),
            ("schedule(parallel(i)) x", "`x` stands behind `schedule(parallel(i))`"),
            ("schedule()", "the schedule has no steps; steps are tile"),
            ("schedule(parallel)", "`parallel` is no step"),
            ("schedule(unroll(i))", "`unroll` is no step"),
            ("schedule(parallel(i, j))", "`parallel` takes the name of one loop, and is given 2"),
            ("schedule(tile(i, 32))", "`tile` takes a loop, a size and one or two names"),
            ("schedule(tile(i, , t))", "`tile(i, , t)` has no size of a tile"),
            ("schedule(reorder(i))", "`reorder` takes the names of several loops"),
            ("schedule(reorder(i, 3))", "`3` in `reorder(i, 3)` is not a name"),
            ("schedule(parallel(i),)", "`` is no step"),
        ] {
            let error = Schedule::parse(text).unwrap_err();
            assert!(error.contains(what), "{text}: {error}");
        }
    }
}
