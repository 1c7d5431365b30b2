//! What a loop keeps besides its iterations: what a person asks for, and what transformations have decided.

use std::collections::BTreeSet;

use super::{
    directive::Directive,
    expression::ReductionOperator,
    names::VariableId,
    schedule::{Mark, Schedule, Step},
    strategy::Asked,
};

/// What a loop keeps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoopAttributes {
    /// Schedules that a person directs and nobody has performed, or what is wrong with them.
    pub schedules: Vec<Result<Schedule, String>>,
    /// The strategy that a person directs, or what is wrong with it.
    pub strategy: Option<Result<Asked, String>>,
    /// Properties that it keeps until code is made of it.
    pub marks: BTreeSet<Mark>,
    /// Its iterations are the lanes of a vector, with OpenMP's directive for it.
    pub simd: Option<Simd>,
    /// What compilers are told of it.
    pub hints: Vec<Hint>,
    /// Other directives in front of it in the source, which are printed again.
    pub pragmas: Vec<Pragma>,
}

/// OpenMP's `simd`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simd {
    /// The lanes, if compilers should not choose.
    pub lanes: Option<u32>,
    /// The scalars that are reduced, and how.
    pub reductions: Vec<(VariableId, ReductionOperator)>,
}

/// What compilers are told of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// clang does not vectorize it.
    NotVectorized,
    /// clang does not unroll it before it is vectorized.
    NotUnrolled,
    /// The same for processors with AVX-512 only.
    NotUnrolledForAvx512,
    /// clang and gcc make so many copies of its body.
    Unrolled(u32),
}

/// A directive of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pragma {
    /// As it is written.
    pub text: String,
    /// What it is if it is one of OpenMP's.
    pub openmp: Option<Directive>,
}

impl LoopAttributes {
    /// Those with a property.
    pub fn of_mark(mark: Mark) -> LoopAttributes {
        LoopAttributes { marks: BTreeSet::from([mark]), ..LoopAttributes::default() }
    }

    /// Those of a loop whose iterations are the lanes of a vector.
    pub fn of_lanes() -> LoopAttributes {
        LoopAttributes { simd: Some(Simd::default()), ..LoopAttributes::default() }
    }

    /// Those with what compilers are told.
    pub fn of_hint(hint: Hint) -> LoopAttributes {
        LoopAttributes { hints: vec![hint], ..LoopAttributes::default() }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        *self == LoopAttributes::default()
    }

    /// Takes a directive as it is written in front of a loop of C.
    pub fn add(&mut self, text: &str) {
        match (Asked::of(text), Schedule::of(text)) {
            (Some(strategy), _) => self.strategy = self.strategy.take().or(Some(strategy)),
            (None, Some(schedule)) => self.schedules.push(schedule),
            (None, None) => self.pragmas.push(Pragma::of(text)),
        }
    }

    /// Whether a schedule or a strategy is directed.
    pub fn is_of_person(&self) -> bool {
        self.is_directed() || self.strategy.is_some()
    }

    /// Whether a person directs the loop's transformation.
    pub fn is_directed(&self) -> bool {
        !self.schedules.is_empty() || !self.marks.is_empty()
    }

    /// Whether it has a directive of OpenMP: of the source, or for lanes.
    pub fn has_openmp(&self) -> bool {
        self.simd.is_some() || self.pragmas.iter().any(|pragma| pragma.openmp.is_some())
    }

    /// Whether its iterations are the lanes of a vector by OpenMP's `simd`.
    pub fn is_simd(&self) -> bool {
        let is_simd = |pragma: &Pragma| {
            pragma
                .openmp
                .as_ref()
                .is_some_and(|directive| directive.name.first().is_some_and(|name| name == "simd"))
        };
        self.simd.is_some() || self.pragmas.iter().any(is_simd)
    }

    /// Those without OpenMP's directives: their clauses name variables that may have copies now.
    #[must_use]
    pub fn without_openmp(&self) -> LoopAttributes {
        let mut out = self.clone();
        out.simd = None;
        out.pragmas.retain(|pragma| pragma.openmp.is_none());
        out
    }

    /// Whether it has a property, kept or directed of the loop.
    pub fn has(&self, mark: Mark) -> bool {
        let mut directed = self.schedules.iter().flatten().flat_map(|schedule| &schedule.steps);
        self.marks.contains(&mark)
            || directed.any(|step| matches!(step, Step::Mark(other, _) if *other == mark))
    }
}

impl Hint {
    /// The lines of C, in front of the loop.
    pub fn lines(self) -> Vec<String> {
        let for_clang = |condition: &str, what: &str| {
            vec![condition.to_owned(), format!("#pragma clang loop {what}(disable)"), "#endif".to_owned()]
        };
        match self {
            Hint::NotVectorized => for_clang("#ifdef __clang__", "vectorize"),
            Hint::NotUnrolled => for_clang("#ifdef __clang__", "unroll"),
            Hint::NotUnrolledForAvx512 => for_clang("#if defined __clang__ && defined __AVX512F__", "unroll"),
            Hint::Unrolled(count) => vec![format!("#pragma GCC unroll {count}")],
        }
    }
}

impl Pragma {
    /// A directive as it is written.
    pub fn of(text: &str) -> Pragma {
        Pragma { text: text.to_owned(), openmp: Directive::of(text) }
    }

    /// Whether one of these clauses names a variable.
    pub fn names(&self, clauses: &[&str], variable: &str) -> bool {
        self.openmp.as_ref().is_some_and(|directive| directive.names(clauses, variable))
    }

    /// Whether it moves its loop to a device.
    pub fn is_for_device(&self) -> bool {
        self.openmp.as_ref().is_some_and(|directive| directive.is("target"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_name_variables() {
        let text = "#pragma omp parallel for schedule(static) reduction(+ : sum, s2) private (t)";
        let pragma = Pragma::of(text);
        assert!(pragma.names(&["reduction"], "sum") && pragma.names(&["reduction"], "s2"));
        assert!(pragma.names(&["private", "lastprivate"], "t"));
        assert!(!pragma.names(&["reduction"], "s") && !pragma.names(&["private"], "sum"));
        assert!(!Pragma::of("#pragma omp for reduction(").names(&["reduction"], "s"));
        assert_eq!(Pragma::of("#pragma GCC ivdep").openmp, None);
    }

    #[test]
    fn directives_are_told_apart() {
        let mut attributes = LoopAttributes::default();
        for text in [
            "#pragma warpfold schedule(vectorize(i))",
            "#pragma warpfold strategy(inner_parallel)",
            "# pragma omp parallel for",
            "#pragma GCC ivdep",
        ] {
            attributes.add(text);
        }
        assert!(attributes.has(Mark::Vectorize) && attributes.is_directed() && attributes.has_openmp());
        assert!(attributes.strategy.is_some_and(|strategy| strategy.is_ok()));
        assert_eq!(attributes.pragmas.len(), 2);
    }
}
