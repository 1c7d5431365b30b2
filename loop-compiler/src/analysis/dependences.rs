//! The dependences of a region as named sets, in isl's notation.
//!
//! The names are those of Doerfert, Streit, Hack and Benaissa (IMPACT 2015): `D_ρ`, the reduction dependences; `D_ν`, all
//! others; `D_τ`, the privatization dependences, which keep other accesses out of a reduction. They are computed as
//! value-based dependences: a pair is left out where a write in between overwrites the cell. `D_ρ⁺`, between any two
//! instances of a reduction, needs no transitive closure: it is the memory-based relation.

use std::{
    collections::BTreeSet,
    fmt::Write,
    rc::Rc,
    time::{Duration, Instant},
};

use crate::{
    analysis::{
        AnalysisError, Detection, Options,
        detect::Detected,
        failed,
        program::{Action, Program},
    },
    ir::Region,
    isl::{Context, Formula, IslError, Relation, names},
};

/// What the instances of a dependence are: section 3.3 of the paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Granularity {
    /// Statements between which no loop or guard begins or ends are one; reductions cannot be told from other
    /// accesses of their statement.
    Statement,
    /// Each access on its own.
    Access,
    /// Reductions on their own, other accesses by statement.
    #[default]
    Hybrid,
}

impl Granularity {
    /// All of them.
    pub const ALL: [Granularity; 3] = [Granularity::Statement, Granularity::Access, Granularity::Hybrid];

    /// The name in options and output.
    pub fn name(self) -> &'static str {
        match self {
            Granularity::Statement => "statement",
            Granularity::Access => "access",
            Granularity::Hybrid => "hybrid",
        }
    }
}

/// The dependences of a region, each relation in isl's notation.
#[derive(Clone, Debug)]
pub struct Dependences {
    /// `S0: line 7, q`: the names in the relations.
    pub names: Vec<String>,
    /// The name of each set, what it holds, and the relation.
    pub sets: Vec<(&'static str, &'static str, String)>,
    /// The time that the analysis took.
    pub time: Duration,
}

/// Computes the dependences of a region.
pub fn dependences(
    region: &Region,
    options: &Options,
    granularity: Granularity,
) -> Result<Dependences, AnalysisError> {
    let Detection { program, context, detected } = Detection::of(region, &options.begun())?;
    let begin = Instant::now();
    let sets = Sets { program: &program, detected: &detected, context: &context, granularity };
    let computed = sets.all().map_err(failed(region.at))?;
    let time = begin.elapsed();
    let computed: Vec<_> =
        computed.into_iter().map(|(name, what, text)| (name, what, program.renamed(&text))).collect();
    let occurs = |line: &String| {
        let name = format!("{}[", line.split(':').next().unwrap_or_default());
        computed.iter().any(|(_, _, text)| text.contains(&name))
    };
    Ok(Dependences { names: sets.legend().into_iter().filter(occurs).collect(), sets: computed, time })
}

struct Sets<'p, 'r> {
    program: &'p Program<'r>,
    detected: &'p Detected,
    context: &'p Rc<Context>,
    granularity: Granularity,
}

/// A pair of accesses, the first executed earlier.
type Pair = (usize, usize);

impl Sets<'_, '_> {
    fn all(&self) -> Result<Vec<(&'static str, &'static str, String)>, IslError> {
        let kinds = [(true, true), (true, false), (false, true)].map(|kind| self.pairs(kind));
        let mut value_based = Vec::new();
        for pairs in &kinds {
            value_based.push(self.relation(pairs)?.subtract(&self.overwritten(pairs)?)?);
        }
        let every: Vec<Pair> = kinds.iter().flatten().copied().collect();
        let (reduction, others): (Vec<Pair>, Vec<Pair>) =
            every.iter().partition(|pair| self.is_reduction(**pair));
        let writes: Vec<Pair> = reduction.iter().copied().filter(|pair| kinds[0].contains(pair)).collect();
        // Where load and store differ, only instances in which they agree accumulate.
        let all_rho = self.accumulating(&writes)?;
        let rho = all_rho.subtract(&self.overwritten(&writes)?)?;
        let memory_nu = self.relation(&others)?.union(&self.not_accumulating(&reduction)?)?;
        let mut nu = self.parse(&[])?;
        // Kind by kind: between a read and a write the same instance's own write may lie, which is none between two writes.
        for pairs in &kinds {
            let of_kind = |all: &[Pair]| -> Vec<Pair> {
                all.iter().copied().filter(|pair| pairs.contains(pair)).collect()
            };
            let (reduction, others) = (of_kind(&reduction), of_kind(&others));
            nu = nu.union(&self.relation(&others)?.subtract(&self.overwritten(&others)?)?)?;
            let not_accumulating = self.not_accumulating(&reduction)?;
            nu = nu.union(&not_accumulating.subtract(&self.overwritten(&reduction)?)?)?;
        }
        let members: BTreeSet<usize> =
            self.detected.reductions.iter().flat_map(|reduction| reduction.members.iter().copied()).collect();
        let at_reductions: Vec<Pair> = others
            .iter()
            .copied()
            .filter(|(from, to)| members.contains(from) || members.contains(to))
            .collect();
        let tau = self.relation(&at_reductions)?.intersect(&memory_nu)?.subtract(&nu)?;
        let mut values = value_based.into_iter();
        let mut next = || values.next().expect("there are three kinds");
        Ok(vec![
            ("D_WAW", "write after write", next().text()?),
            ("D_RAW", "read after write", next().text()?),
            ("D_WAR", "write after read", next().text()?),
            ("D_rho", "reduction dependences", rho.text()?),
            ("D_rho+", "any two instances of a reduction on one cell", all_rho.text()?),
            ("D_nu", "other dependences", nu.text()?),
            ("D_tau", "privatization dependences", tau.text()?),
        ])
    }

    fn legend(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut seen = BTreeSet::new();
        for access in 0..self.program.accesses.len() {
            let name = self.name(access);
            if !seen.insert(name.clone()) {
                continue;
            }
            let statement = &self.program.statements[self.program.accesses[access].statement];
            let array = &self.program.arrays[self.program.accesses[access].array].name;
            let what = match (self.granularity, statement.action) {
                (Granularity::Access, _) if self.program.accesses[access].write => format!("writes {array}"),
                (Granularity::Access, _) => format!("reads {array}"),
                (_, Action::Statement(_)) => {
                    let store = *statement.accesses.last().expect("a statement stores");
                    format!("sets {}", self.program.arrays[self.program.accesses[store].array].name)
                }
                (_, Action::Declaration(_)) => "declares a variable".into(),
                (_, Action::Condition(_)) => "is a condition".into(),
                (_, Action::Bounds) => "bounds a loop".into(),
            };
            lines.push(format!("{name}: line {} {what}", statement.at.line));
        }
        lines
    }

    /// The name of the instances of an access.
    fn name(&self, access: usize) -> String {
        let statement = self.program.accesses[access].statement;
        match self.granularity {
            Granularity::Access => format!("S{statement}_{access}"),
            Granularity::Hybrid => format!("S{statement}"),
            Granularity::Statement => {
                // The first of the statements in one sequence.
                let same = |other: usize| {
                    let (first, second) =
                        (&self.program.statements[other], &self.program.statements[statement]);
                    first.body == second.body
                        && matches!(first.action, Action::Statement(_) | Action::Declaration(_))
                };
                let is_store = matches!(
                    self.program.statements[statement].action,
                    Action::Statement(_) | Action::Declaration(_)
                );
                let first = if is_store {
                    (0..=statement).rev().take_while(|other| same(*other)).last()
                } else {
                    None
                };
                format!("B{}", first.unwrap_or(statement))
            }
        }
    }

    /// Pairs of accesses to one array: of writes or reads, the first and the second.
    fn pairs(&self, (first, second): (bool, bool)) -> Vec<Pair> {
        let accesses = &self.program.accesses;
        let of = |write: bool| (0..accesses.len()).filter(move |access| accesses[*access].write == write);
        let pairs = of(first).flat_map(|from| of(second).map(move |to| (from, to)));
        pairs.filter(|(from, to)| accesses[*from].array == accesses[*to].array).collect()
    }

    fn is_reduction(&self, (from, to): Pair) -> bool {
        if self.granularity == Granularity::Statement {
            // Only a sequence of one statement is its reduction alone.
            let alone = |access: usize| {
                let body = self.program.statements[self.program.accesses[access].statement].body;
                self.program.statements.iter().filter(|statement| statement.body == body).count() == 1
            };
            if !alone(from) || !alone(to) {
                return false;
            }
        }
        self.detected.reductions.iter().any(|first| {
            first.members.contains(&from)
                && self
                    .detected
                    .reductions
                    .iter()
                    .any(|second| second.group == first.group && second.members.contains(&to))
        })
    }

    /// The instances of pairs that touch the same cell, the first before the second.
    fn relation(&self, pairs: &[Pair]) -> Result<Relation, IslError> {
        self.relation_where(pairs, |_| Some("true".into()))
    }

    /// The pairs of instances that both accumulate.
    fn accumulating(&self, pairs: &[Pair]) -> Result<Relation, IslError> {
        self.relation_where(pairs, |pair| {
            Some(Formula::and(self.detected.agreements(self.program, pair)).to_string())
        })
    }

    /// The pairs of instances of which one does not accumulate, because its load and its store differ.
    fn not_accumulating(&self, pairs: &[Pair]) -> Result<Relation, IslError> {
        let restricted: Vec<Pair> = pairs
            .iter()
            .copied()
            .filter(|pair| !self.detected.agreements(self.program, *pair).is_empty())
            .collect();
        self.relation(&restricted)?.subtract(&self.accumulating(&restricted)?)
    }

    /// The instances of pairs between which the cell is overwritten for certain.
    fn overwritten(&self, pairs: &[Pair]) -> Result<Relation, IslError> {
        let program = self.program;
        let mut all = self.parse(&[])?;
        for write in 0..program.accesses.len() {
            let between = &program.accesses[write];
            if !between.write || !program.is_certain(between) {
                continue;
            }
            let through = self.relation_where(pairs, |(from, to)| {
                let (f, t) = (&program.accesses[from], &program.accesses[to]);
                (f.array == between.array).then(|| {
                    let through = Formula::and([
                        program.domain(between, 'c'),
                        program.same_cell(f, 'a', between, 'c'),
                        program.same_cell(between, 'c', t, 'b'),
                        program.before(from, 'a', write, 'c'),
                        program.before(write, 'c', to, 'b'),
                    ]);
                    format!("exists ({} : {through})", names(&program.iterators(&between.around, 'c')))
                })
            })?;
            all = all.union(&through)?;
        }
        Ok(all)
    }

    fn relation_where(
        &self,
        pairs: &[Pair],
        condition: impl Fn(Pair) -> Option<String>,
    ) -> Result<Relation, IslError> {
        let program = self.program;
        let mut parts = Vec::new();
        for (from, to) in pairs {
            let Some(condition) = condition((*from, *to)) else { continue };
            let (f, t) = (&program.accesses[*from], &program.accesses[*to]);
            let different = match f.statement == t.statement && f.around == t.around {
                // Two accesses of one instance are no dependence.
                true => program.same_iterations(&f.around, 'a', 'b').negated(),
                false => Formula::True,
            };
            let all = Formula::and([program.conflict(f, t), program.before(*from, 'a', *to, 'b'), different]);
            let [source, target] =
                [(f, 'a'), (t, 'b')].map(|(access, copy)| names(&program.iterators(&access.around, copy)));
            let (first, second) = (self.name(*from), self.name(*to));
            parts.push(format!("{first}[{source}] -> {second}[{target}] : {all} and {condition}"));
        }
        self.parse(&parts)
    }

    fn parse(&self, parts: &[String]) -> Result<Relation, IslError> {
        let mut relation: Option<Relation> = None;
        // isl reads a long text slowly; the parts are united instead.
        for part in parts {
            let one =
                Relation::parse(self.context, &format!("{}{{ {part} }}", self.program.parameter_list()))?;
            relation = Some(match relation {
                Some(others) => others.union(&one)?,
                None => one,
            });
        }
        match relation {
            Some(relation) => Ok(relation),
            None => Relation::parse(self.context, &format!("{}{{ }}", self.program.parameter_list())),
        }
    }
}

impl Dependences {
    /// The names, and each set on a line, with parameters and iterators by their names in the source.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for name in &self.names {
            let _ = writeln!(text, "{name}");
        }
        for (name, meaning, relation) in &self.sets {
            let _ = writeln!(text, "{name} ({meaning}) := {relation}");
        }
        let _ = writeln!(text, "time: {:.1} ms", self.time.as_secs_f64() * 1e3);
        text
    }
}
