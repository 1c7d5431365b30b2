//! The class of each loop: what keeps its iterations from being executed in any order, and what would help.
//!
//! Dependences are memory-based: two iterations depend on each other if they touch the same cell and one stores. Those
//! between members of one reduction are reduction dependences (`D_ρ`), which privatizing the target removes; those of
//! cells that each iteration writes before it reads them are removed by private copies. The rest (`D_ν`) keeps the
//! order.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    rc::Rc,
};

use crate::{
    analysis::{
        affine::Case,
        detect::{Combination, Detected, Prefix, ReductionLike},
        program::{Action, Array, Program, StatementFacts},
    },
    ir::{Position, ReductionOperator as Operator},
    isl::{Affine, Context, Formula, IslError, Set, Space, Term},
    rules::Rule,
};

/// The class of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// No two iterations depend on each other.
    Parallel,
    /// With private copies of reductions' targets.
    Reduction,
    /// With private copies of other variables.
    Private,
    /// With both.
    ReductionAndPrivate,
    /// An accumulation whose intermediate values the loop reads.
    Scan,
    /// Iterations depend on each other otherwise.
    Sequential,
}

impl Class {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Class::Parallel => "parallel",
            Class::Reduction => "reduction",
            Class::Private => "private",
            Class::ReductionAndPrivate => "reduction+private",
            Class::Scan => "scan",
            Class::Sequential => "sequential",
        }
    }
}

/// A dependence between two iterations of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// The array or scalar.
    pub array: String,
    /// The access in the earlier iteration.
    pub from: Position,
    /// The access in the later one.
    pub to: Position,
    /// `flow` (a read of what was written), `anti` (a write of what was read) or `output` (two writes).
    pub kind: &'static str,
    /// The least distance, in iterations, if there is one for all sizes.
    pub distance: Option<i64>,
}

impl Dependence {
    /// That of two accesses to one array.
    pub(crate) fn between(
        program: &Program<'_>,
        from: usize,
        to: usize,
        distance: Option<i64>,
    ) -> Dependence {
        let [from, to] = [from, to].map(|access| &program.accesses[access]);
        let kind = match (from.write, to.write) {
            (true, true) => "output",
            (true, false) => "flow",
            _ => "anti",
        };
        let array = program.arrays[from.array].name.clone();
        Dependence { array, from: from.reference.at, to: to.reference.at, kind, distance }
    }

    /// What the earlier access does, and the later one.
    pub(crate) fn verbs(&self) -> (&'static str, &'static str) {
        match self.kind {
            "flow" => ("writes", "reads"),
            "anti" => ("reads", "overwrites"),
            _ => ("writes", "overwrites"),
        }
    }
}

/// As a sentence.
impl fmt::Display for Dependence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second) = self.verbs();
        let (from, to, array) = (self.from.line, self.to.line, &self.array);
        write!(f, "line {from} {first} `{array}`, and line {to} {second} it ")?;
        match self.distance {
            Some(1) => f.write_str("at least 1 iteration later")?,
            Some(distance) => write!(f, "at least {distance} iterations later")?,
            None => f.write_str("in a later iteration")?,
        }
        write!(f, " ({} dependence)", self.kind)
    }
}

/// What is known of a loop.
#[derive(Clone, Debug)]
pub(crate) struct LoopClass {
    pub class: Class,
    /// Arrays of which each thread needs a copy of its own: reductions' targets, then others.
    pub reduced: BTreeSet<usize>,
    pub privatized: BTreeSet<usize>,
    /// Of those that are private for other reasons, whose last value is read afterwards: whether the very last iteration
    /// writes every element that any iteration writes.
    pub kept: BTreeMap<usize, bool>,
    /// Those of which an iteration may read an element that it has not written.
    pub uncovered: BTreeSet<usize>,
    /// By array: the elements that one entry of the loop writes, of which each thread has a copy; in isl's notation, with
    /// the iterators of loops around as parameters.
    pub copies: BTreeMap<usize, String>,
    /// Arrays whose intermediate values the loop uses.
    pub scanned: BTreeSet<usize>,
    /// The groups of reductions that the loop carries.
    pub groups: BTreeSet<usize>,
    /// Groups that it would carry, were they not guarded by a value that it carries.
    pub dependent: BTreeSet<usize>,
    /// What keeps the order, of a scan or a sequential loop.
    pub obstacle: Option<Dependence>,
    pub reason: Option<(Rule, String)>,
}

/// Guards, by the statement of the condition, and the branch that was taken.
type Branches = BTreeSet<(usize, bool)>;

/// Carried dependences of one array in one loop.
#[derive(Default)]
struct Carried {
    /// Pairs of accesses, the earlier first, that are reduction dependences.
    reduction: Vec<(usize, usize)>,
    others: Vec<(usize, usize)>,
}

/// Classifies every loop.
pub(crate) fn classify(
    program: &Program<'_>,
    detected: &Detected,
    context: &Rc<Context>,
) -> Result<Vec<LoopClass>, IslError> {
    let classes = Classes { program, detected, context };
    (0..program.loops.len()).map(|index| classes.class_of(index)).collect()
}

struct Classes<'p, 'r> {
    program: &'p Program<'r>,
    detected: &'p Detected,
    context: &'p Rc<Context>,
}

impl Classes<'_, '_> {
    fn class_of(&self, index: usize) -> Result<LoopClass, IslError> {
        let mut result = LoopClass {
            class: Class::Parallel,
            reduced: BTreeSet::new(),
            privatized: BTreeSet::new(),
            kept: BTreeMap::new(),
            uncovered: BTreeSet::new(),
            copies: BTreeMap::new(),
            scanned: BTreeSet::new(),
            groups: BTreeSet::new(),
            dependent: BTreeSet::new(),
            obstacle: None,
            reason: None,
        };
        let mut keep = |obstacle: Option<Dependence>, reason: (Rule, String)| {
            if result.reason.is_none() {
                result.class = Class::Sequential;
                result.obstacle = obstacle;
                result.reason = Some(reason);
            }
        };
        if let Some(at) = self.program.loops[index].leaves
            && !self.is_search(index)
        {
            let reason = format!(
                "the `break` in line {} ends the loop, which is no search for a first element",
                at.line
            );
            keep(None, (Rule::Searches, reason));
        }
        if let Some(at) = self.program.loops[index].opaque {
            let reason =
                format!("what the reduction of a dimension in line {} accesses is not analysed", at.line);
            keep(None, (Rule::Model, reason));
        }
        let (mut scan, mut reduced, mut privatized) = (None, BTreeSet::new(), BTreeSet::new());
        // Arrays whose values the loop carries from iteration to iteration.
        let mut kept = BTreeSet::new();
        for array in self.program.arrays_changed_in(index) {
            let carried = self.carried(index, array)?;
            let groups: BTreeSet<usize> = carried
                .reduction
                .iter()
                .flat_map(|(from, to)| self.common_groups(index, *from, *to))
                .collect();
            if let Some(at) = groups.iter().find_map(|group| self.moving_store(index, *group)) {
                kept.insert(array);
                let reason = format!(
                    "line {} stores elsewhere in each iteration, as a condition on an intermediate value decides",
                    at.line
                );
                keep(None, (Rule::Searches, reason));
                continue;
            }
            // Only a variable that is not read keeps its last value.
            let is_last = |group: &usize| {
                let mut reductions = self.detected.reductions.iter();
                reductions.any(|reduction| reduction.group == *group && reduction.operator == Operator::Last)
            };
            let groups = groups.into_iter().filter(|group| carried.others.is_empty() || !is_last(group));
            let Some(first) = carried.others.first() else {
                result.groups.extend(groups);
                if !carried.reduction.is_empty() {
                    reduced.insert(array);
                    kept.insert(array);
                }
                continue;
            };
            match self.private(index, array)? {
                None => {
                    privatized.insert(array);
                }
                Some(_) if self.is_scan(index, &carried)? => {
                    result.groups.extend(groups);
                    result.scanned.insert(array);
                    kept.insert(array);
                    if scan.is_none() {
                        scan = Some(self.dependence(index, *first)?);
                    }
                }
                Some(reason) => {
                    result.groups.extend(groups);
                    kept.insert(array);
                    keep(Some(self.dependence(index, *first)?), self.refined(&carried, reason));
                }
            }
        }
        let depends = |group: &usize| self.depends_on_carried(index, *group, &kept);
        result.dependent = result.groups.iter().copied().filter(depends).collect();
        if !result.dependent.is_empty() {
            result.groups.retain(|group| !result.dependent.contains(group));
            keep(None, (Rule::Scans, "a guard reads a value that the loop carries".into()));
        }
        if result.class == Class::Sequential {
            return Ok(result);
        }
        for array in reduced.iter().chain(&privatized) {
            result.copies.insert(*array, self.copies(index, *array)?);
        }
        for array in privatized.iter().filter(|array| !self.is_dead_after(index, **array)) {
            let accesses: Vec<usize> = self.program.accesses_in(index, *array).collect();
            result.kept.insert(*array, self.last_iteration_writes_all(index, &accesses, true)?);
        }
        for array in &privatized {
            let accesses: Vec<usize> = self.program.accesses_in(index, *array).collect();
            for read in accesses.iter().filter(|access| !self.program.accesses[**access].write) {
                if !self.uncovered(index, *read, &accesses, true)?.is_empty()? {
                    result.uncovered.insert(*array);
                }
            }
        }
        (result.reduced, result.privatized) = (reduced, privatized);
        // A search stores once; its loop is left then, whatever else it carries.
        if self.program.loops[index].leaves.is_some() {
            let found = self.detected.reductions.iter().filter(|reduction| self.stores_in(reduction, index));
            for reduction in found {
                result.groups.insert(reduction.group);
                result
                    .reduced
                    .extend(reduction.members.iter().map(|member| self.program.accesses[*member].array));
            }
        }
        result.class = match (&scan, result.reduced.is_empty(), result.privatized.is_empty()) {
            (Some(_), ..) => Class::Scan,
            (None, true, true) => Class::Parallel,
            (None, false, true) => Class::Reduction,
            (None, true, false) => Class::Private,
            (None, false, false) => Class::ReductionAndPrivate,
        };
        if scan.is_some() {
            let reads = (Rule::Scans, "the loop reads intermediate values of the accumulation".into());
            result.reason = Some(self.recurrence(&result.scanned).unwrap_or(reads));
        }
        result.obstacle = scan;
        Ok(result)
    }

    /// What detection says of a linear recurrence, if one of the arrays has one.
    fn recurrence(&self, arrays: &BTreeSet<usize>) -> Option<(Rule, String)> {
        let store = |prefix: &Prefix| &self.program.accesses[prefix.store];
        let mut prefixes = self.detected.prefixes.iter();
        let found = prefixes.find(|prefix| {
            prefix.combination == Combination::Linear && arrays.contains(&store(prefix).array)
        })?;
        self.detected.rejected.get(&store(found).statement).cloned()
    }

    fn stores_in(&self, reduction: &ReductionLike, index: usize) -> bool {
        let innermost = |statement: &usize| self.program.statements[*statement].around.last() == Some(&index);
        reduction.operator == Operator::First && reduction.statements.iter().all(innermost)
    }

    /// Whether a loop that is left early looks for a first element.
    fn is_search(&self, index: usize) -> bool {
        self.detected.reductions.iter().any(|reduction| self.stores_in(reduction, index))
    }

    /// The pairs of accesses to an array that two iterations of a loop perform on the same cell.
    fn carried(&self, index: usize, array: usize) -> Result<Carried, IslError> {
        let accesses: Vec<usize> = self.program.accesses_in(index, array).collect();
        let mut carried = Carried::default();
        // Of pairs that belong to no accumulation one is enough: it alone decides.
        let accumulates = |access: usize| {
            let mut reductions = self.detected.reductions.iter();
            let mut prefixes = self.detected.prefixes.iter();
            reductions.any(|reduction| reduction.members.contains(&access))
                || prefixes.any(|prefix| prefix.store == access || prefix.loads.contains(&access))
        };
        let accumulating: BTreeSet<usize> =
            accesses.iter().copied().filter(|access| accumulates(*access)).collect();
        let mut decided = false;
        for from in &accesses {
            for to in &accesses {
                if !self.program.accesses[*from].write && !self.program.accesses[*to].write {
                    continue;
                }
                let plain = !accumulating.contains(from) && !accumulating.contains(to);
                if plain && decided || self.conflicts(index, *from, *to, Formula::True)?.is_empty()? {
                    continue;
                }
                decided |= plain;
                if self.common_groups(index, *from, *to).is_empty() {
                    carried.others.push((*from, *to));
                    continue;
                }
                match self.outside_reduction(index, *from, *to)? {
                    true => carried.others.push((*from, *to)),
                    false => carried.reduction.push((*from, *to)),
                }
            }
        }
        Ok(carried)
    }

    /// The groups of reductions of a loop of which both accesses are members.
    fn common_groups(&self, index: usize, from: usize, to: usize) -> BTreeSet<usize> {
        // What a `break` ends is the first of its own loop: a loop around goes on, and the last of these stays.
        let is_reduced = |reduction: &&ReductionLike| {
            let by_break = reduction.operator == Operator::First && reduction.guard.is_none();
            !by_break || self.stores_in(reduction, index)
        };
        let groups = |access: usize| -> BTreeSet<usize> {
            let reductions = self.detected.reductions.iter().filter(is_reduced);
            let reductions = reductions.filter(|reduction| reduction.members.contains(&access));
            reductions.map(|reduction| reduction.group).collect()
        };
        groups(from).intersection(&groups(to)).copied().collect()
    }

    /// Whether some of the conflicts are not between instances that accumulate: where load and store differ.
    fn outside_reduction(&self, index: usize, from: usize, to: usize) -> Result<bool, IslError> {
        let accumulates = self.detected.agreements(self.program, (from, to));
        if accumulates.is_empty() {
            return Ok(false);
        }
        let all = self.conflicts(index, from, to, Formula::True)?;
        let inside = self.conflicts(index, from, to, Formula::and(accumulates))?;
        Ok(!all.subtract(inside)?.is_empty()?)
    }

    /// Pairs of instances in different iterations of a loop, the first in the earlier one, that touch the same cell.
    fn conflicts(&self, index: usize, from: usize, to: usize, further: Formula) -> Result<Set, IslError> {
        let program = self.program;
        let outside = program.same_iterations(&program.loops[index].around, 'a', 'b');
        let condition = Formula::and([outside, program.earlier(index, 'a', 'b'), further]);
        program.conflicts(self.context, (from, to), condition)
    }

    /// Why an array cannot be private to each iteration; `None` if it can.
    fn private(&self, index: usize, array: usize) -> Result<Option<(Rule, String)>, IslError> {
        let name = &self.program.arrays[array].name;
        let accesses: Vec<usize> = self.program.accesses_in(index, array).collect();
        for read in accesses.iter().filter(|access| !self.program.accesses[**access].write) {
            if !self.uncovered(index, *read, &accesses, false)?.is_empty()? {
                return Ok(Some((
                    Rule::Dependences,
                    format!("an iteration reads `{name}` from another one"),
                )));
            }
        }
        if self.is_dead_after(index, array) || self.last_iteration_writes_all(index, &accesses, false)? {
            return Ok(None);
        }
        let reason = format!("the last value of `{name}` would have to be found among the private copies");
        Ok(Some((Rule::Liveness, reason)))
    }

    /// Instances of a read whose cell its own iteration has not written before: all of them, or those that another
    /// iteration writes.
    fn uncovered(&self, index: usize, read: usize, accesses: &[usize], all: bool) -> Result<Set, IslError> {
        let program = self.program;
        let r = &program.accesses[read];
        let mut around = program.loops[index].around.clone();
        let outer = around.clone();
        around.push(index);
        let writes: Vec<usize> =
            accesses.iter().copied().filter(|access| program.accesses[*access].write).collect();
        let read_here = Formula::and([program.context(), program.domain(r, 'a')]);
        let of_reads = |hidden: &[Term], condition: &Formula| {
            program.set(self.context, &program.iterators(&r.around, 'a'), hidden, condition)
        };
        let with = |write: usize, condition: Formula| {
            let w = &program.accesses[write];
            let written = [program.domain(w, 'b'), program.same_cell(r, 'a', w, 'b'), condition];
            let condition = Formula::and([read_here.clone()].into_iter().chain(written));
            of_reads(&program.iterators(&w.around, 'b'), &condition)
        };
        let mut uncovered = of_reads(&[], if all { &read_here } else { &Formula::False })?;
        for write in writes.iter().filter(|_| !all) {
            let different = Formula::or([program.earlier(index, 'a', 'b'), program.earlier(index, 'b', 'a')]);
            let different = Formula::and([program.same_iterations(&outer, 'a', 'b'), different]);
            uncovered = uncovered.union(with(*write, different)?)?;
        }
        // What is written before the read, by the guards under which that is certain; two branches together are.
        let mut written: BTreeMap<Branches, Set> = BTreeMap::new();
        for write in &writes {
            let Some((depth, guards)) = self.certain_for(*write, read) else { continue };
            let same = program.same_iterations(&around, 'a', 'b');
            let equal = program.same_iterations(&r.around[..depth], 'a', 'b');
            let before = program.before(*write, 'b', read, 'a');
            let cells = with(*write, Formula::and([same, equal, before]))?;
            let cells = match written.remove(&guards) {
                Some(others) => others.union(cells)?,
                None => cells,
            };
            written.insert(guards, cells);
        }
        while let Some((guards, guard)) = deepest_pair(&written) {
            let mut other = guards.clone();
            other.remove(&guard);
            let rest = other.clone();
            other.insert((guard.0, !guard.1));
            let (Some(then), Some(otherwise)) = (written.remove(&guards), written.remove(&other)) else {
                break;
            };
            let both = then.intersect(otherwise)?;
            let both = match written.remove(&rest) {
                Some(others) => others.union(both)?,
                None => both,
            };
            written.insert(rest, both);
        }
        if let Some(certain) = written.remove(&BTreeSet::new()) {
            uncovered = uncovered.subtract(certain)?;
        }
        Ok(uncovered)
    }

    /// Up to which depth of common loops a write is certain to happen whenever a read does, and under which guards
    /// besides: those that are not affine and not around both, evaluated once.
    fn certain_for(&self, write: usize, read: usize) -> Option<(usize, Branches)> {
        let (w, r) = (&self.program.accesses[write], &self.program.accesses[read]);
        let mut depth = 0;
        if w.subscripts.iter().any(Option::is_none) {
            // An element that is not known is the same one only in the same iterations, while nothing changes it.
            let changed = w.reference.subscripts().any(|subscript| {
                let mut changed = false;
                subscript.visit_reads(&mut |read| {
                    let accesses = &self.program.accesses;
                    changed |= accesses
                        .iter()
                        .any(|access| access.write && access.reference.variable == read.variable);
                });
                changed
            });
            let alike = crate::ir::compare::same_reference(w.reference, r.reference, None);
            if changed || !alike || w.around != r.around {
                return None;
            }
            depth = w.around.len();
        }
        let mut guards = BTreeSet::new();
        for guard in w.guards.iter().filter(|guard| !guard.condition.is_exact()) {
            let shared =
                r.guards.iter().any(|other| other.statement == guard.statement && other.then == guard.then);
            if !shared {
                guards.insert((guard.statement, guard.then));
            }
            depth = depth.max(guard.depth);
        }
        // Loops whose iterations are not known count only where both are inside them.
        let common = self.program.common(&w.around, &r.around);
        for (level, index) in w.around.iter().enumerate() {
            let facts = &self.program.loops[*index];
            if !facts.exact || facts.leaves.is_some() {
                depth = depth.max(level + 1);
            }
        }
        (depth <= common.len()).then_some((depth, guards))
    }

    /// The elements of an array that one entry of a loop writes, in isl's notation.
    fn copies(&self, index: usize, array: usize) -> Result<String, IslError> {
        let accesses = self.program.accesses_in(index, array);
        let writes: Vec<usize> = accesses.filter(|access| self.program.accesses[*access].write).collect();
        let outer = &self.program.loops[index].around;
        Ok(self.program.renamed(&cells(self.program, self.context, outer, &writes)?.text()?))
    }

    /// Whether nothing outside a loop reads what it leaves in an array.
    fn is_dead_after(&self, index: usize, array: usize) -> bool {
        let Array { declared_in, variable, .. } = &self.program.arrays[array];
        if self.program.region.dead_behind.contains(&(self.program.loops[index].node.id, *variable)) {
            return true;
        }
        let declared = declared_in.is_some() || self.program.region.unused_outside.contains(variable);
        let outside = |access: &crate::analysis::program::Access<'_>| {
            access.array == array && !access.write && !access.around.contains(&index)
        };
        declared && !self.program.accesses.iter().any(outside)
    }

    /// Whether the last iteration of a loop that writes anything, or the very last one, writes every cell that any
    /// iteration writes, so that its copy is the result.
    fn last_iteration_writes_all(
        &self,
        index: usize,
        accesses: &[usize],
        very_last: bool,
    ) -> Result<bool, IslError> {
        let program = self.program;
        if !program.are_exact(&[index]) {
            return Ok(false);
        }
        let outer = &program.loops[index].around;
        let Some(rank) = accesses.first().map(|access| program.accesses[*access].subscripts.len()) else {
            return Ok(true);
        };
        let around: Vec<usize> = outer.iter().copied().chain([index]).collect();
        let entry = program.iterators(&around, 'o');
        let cells = (0..rank).map(|dimension| Term::Named('c', dimension));
        let dimensions: Vec<Term> = entry.iter().cloned().chain(cells).collect();
        // Of those that are somewhere, in an iteration that satisfies a condition.
        let of = |inside: &[usize], condition: [Formula; 3]| {
            let condition = Formula::and([program.context()].into_iter().chain(condition));
            program.set(self.context, &dimensions, &program.iterators(inside, 'a'), &condition)
        };
        let mut all = of(&[], [Formula::False, Formula::True, Formula::True])?;
        let mut certain = all.copy()?;
        for write in accesses.iter().filter(|access| program.accesses[**access].write) {
            let w = &program.accesses[*write];
            let here = program.same_iterations(&around, 'a', 'o');
            let written = of(&w.around, [program.domain(w, 'a'), here, program.cell(w, 'a')])?;
            if program.is_certain(w) {
                certain = certain.union(written.copy()?)?;
            }
            all = all.union(written)?;
        }
        // Iterations after which others write.
        let later =
            || Formula::and([program.same_iterations(outer, 'a', 'o'), program.earlier(index, 'o', 'a')]);
        let mut not_last = of(&[], [Formula::False, Formula::True, Formula::True])?;
        if very_last {
            not_last = of(&around, [program.instances(&around, &[], 'a'), later(), Formula::True])?;
        }
        for write in accesses.iter().filter(|access| program.accesses[**access].write) {
            let w = &program.accesses[*write];
            not_last = not_last.union(of(&w.around, [program.domain(w, 'a'), later(), Formula::True])?)?;
        }
        let last = certain.subtract(not_last)?.project_out(outer.len(), 1)?;
        let all = all.project_out(outer.len(), 1)?;
        all.subtract(last)?.is_empty()
    }

    /// Whether what is carried besides reductions are reads of an accumulation's intermediate values.
    fn is_scan(&self, index: usize, carried: &Carried) -> Result<bool, IslError> {
        for prefix in &self.detected.prefixes {
            let is_end = |access: usize| access == prefix.store || prefix.loads.contains(&access);
            let members = || prefix.loads.iter().copied().chain([prefix.store]).collect();
            if carried.others.iter().all(|(from, to)| is_end(*from) && is_end(*to)) {
                let moves_on = !prefix.next_cell || self.moves_on(index, carried)?;
                return Ok(moves_on && !self.feeds_itself(index, &members()));
            }
            // Others may read the running value that one statement computes.
            let accesses = &self.program.accesses;
            let own = |access: usize| is_end(access) || !accesses[access].write;
            let direct =
                prefix.loads.iter().all(|load| accesses[*load].statement == accesses[prefix.store].statement);
            if direct
                && !prefix.next_cell
                && carried
                    .others
                    .iter()
                    .all(|(from, to)| own(*from) && own(*to) && (is_end(*from) || is_end(*to)))
            {
                return Ok(!self.feeds_itself(index, &members()));
            }
        }
        let accumulation = |access: usize| {
            self.detected.reductions.iter().find(|reduction| {
                let searches = matches!(
                    reduction.operator,
                    Operator::First | Operator::Last | Operator::ArgMin | Operator::ArgMax
                );
                !searches && reduction.members.contains(&access)
            })
        };
        let ends = carried.others.iter().chain(&carried.reduction).flat_map(|(from, to)| [*from, *to]);
        let accumulations: Vec<_> = ends.filter_map(accumulation).collect();
        let Some(first) = accumulations.first() else { return Ok(false) };
        let reads_prefix = |(from, to): &(usize, usize)| {
            let reads =
                |access: usize| !self.program.accesses[access].write && accumulation(access).is_none();
            (accumulation(*from).is_some() && reads(*to)) || (reads(*from) && accumulation(*to).is_some())
        };
        Ok(accumulations.iter().all(|other| other.group == first.group)
            && !carried.reduction.is_empty()
            && carried.others.iter().all(reads_prefix)
            && !self.feeds_itself(index, &self.members_of(first.group)))
    }

    /// Whether each element is computed from that of the iteration before, and of the same iterations of inner loops.
    fn moves_on(&self, index: usize, carried: &Carried) -> Result<bool, IslError> {
        for (from, to) in &carried.others {
            let (f, t) = (&self.program.accesses[*from], &self.program.accesses[*to]);
            let (least, greatest) = self.distances(index, (*from, *to))?;
            if !f.write || t.write || least != Some(1) || greatest != Some(1) {
                return Ok(false);
            }
            let common = self.program.common(&f.around, &t.around);
            for inner in common.iter().filter(|inner| self.program.loops[**inner].around.contains(&index)) {
                let (a, b) = (self.program.earlier(*inner, 'a', 'b'), self.program.earlier(*inner, 'b', 'a'));
                if !self.conflicts(index, *from, *to, Formula::or([a, b]))?.is_empty()? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The accesses of a group of reductions.
    fn members_of(&self, group: usize) -> BTreeSet<usize> {
        let reductions = self.detected.reductions.iter().filter(|reduction| reduction.group == group);
        reductions.flat_map(|reduction| reduction.members.iter().copied()).collect()
    }

    /// Whether an intermediate value of an accumulation decides, inside a loop, what is accumulated next.
    fn feeds_itself(&self, index: usize, members: &BTreeSet<usize>) -> bool {
        let program = self.program;
        // Accesses that write what was computed from an intermediate value, and variables that are declared with it.
        let mut writes: BTreeSet<usize> =
            members.iter().copied().filter(|member| program.accesses[*member].write).collect();
        let mut declared: BTreeSet<usize> = BTreeSet::new();
        loop {
            let before = writes.len() + declared.len();
            for statement in program.statements.iter().filter(|statement| statement.around.contains(&index)) {
                let uses = statement.accesses.iter().chain(self.conditions_of(statement));
                let mut reads =
                    uses.filter(|access| !program.accesses[**access].write && !members.contains(access));
                let computed = reads.any(|read| {
                    declared.contains(&program.accesses[*read].array)
                        || writes.iter().any(|write| self.reaches(index, *write, *read))
                });
                if !computed {
                    continue;
                }
                if statement.accesses.iter().any(|access| members.contains(access)) {
                    return true;
                }
                writes.extend(statement.accesses.iter().filter(|access| program.accesses[**access].write));
                if let Action::Declaration(declaration) = statement.action {
                    let of_variable = |array: &Array| {
                        array.variable == declaration.variable
                            && array.declared_in.as_ref() == Some(&statement.around)
                    };
                    declared.extend(
                        (0..program.arrays.len()).filter(|array| of_variable(&program.arrays[*array])),
                    );
                }
            }
            if writes.len() + declared.len() == before {
                return false;
            }
        }
    }

    /// Whether what is written in an entry of a loop may be read later in it: not if each iteration reads an element of its
    /// own, and writes it afterwards.
    fn reaches(&self, index: usize, write: usize, read: usize) -> bool {
        let (w, r) = (&self.program.accesses[write], &self.program.accesses[read]);
        let inner: Vec<usize> = w.around.iter().copied().skip_while(|around| *around != index).collect();
        // A subscript that is another one in each iteration of a loop, whatever the others inside it do.
        let tells_apart = |iterator: usize, w: &Option<Vec<Case>>, r: &Option<Vec<Case>>| {
            let (Some([w]), Some([r])) = (w.as_deref(), r.as_deref()) else { return false };
            let mut rest = w.value.clone();
            rest.terms.retain(|term, _| *term != Term::Iterator(iterator));
            let same = w.value.plus(&r.value, -1).as_constant() == Some(0);
            same && w.value.coefficient(iterator) != 0 && !inner.iter().any(|inner| rest.mentions(*inner))
        };
        let mut is_own = w.around == r.around && !inner.is_empty() && read < write;
        for iterator in &inner {
            let mut subscripts = w.subscripts.iter().zip(&r.subscripts);
            is_own &= subscripts.any(|(w, r)| tells_apart(*iterator, w, r));
        }
        w.array == r.array && !is_own
    }

    /// The accesses of the conditions of the guards around a statement.
    fn conditions_of<'s>(&'s self, statement: &'s StatementFacts<'_>) -> impl Iterator<Item = &'s usize> {
        statement.guards.iter().flat_map(|guard| &self.program.statements[guard.statement].accesses)
    }

    /// A store of a search, such as `if (x > m) { m = x; b[i] = i; }`, whose element the loop changes: what it leaves there
    /// depends on the order. (What a loop stores before it is left with `break`, it stores once.)
    fn moving_store(&self, index: usize, group: usize) -> Option<Position> {
        let mut searches = self.detected.reductions.iter().filter(|reduction| {
            reduction.group == group && reduction.guard.is_some() && reduction.statements.len() > 1
        });
        searches.find_map(|reduction| {
            let stores = reduction.members.iter().map(|member| &self.program.accesses[*member]);
            stores.filter(|store| store.write).find_map(|store| {
                let inner = store.around.iter().skip_while(|around| **around != index);
                let inner: Vec<usize> = inner.copied().collect();
                let moves = store.subscripts.iter().any(|subscript| match subscript {
                    Some(cases) => {
                        cases.iter().any(|case| inner.iter().any(|index| case.value.mentions(*index)))
                    }
                    None => true,
                });
                moves.then_some(store.reference.at)
            })
        })
    }

    /// Whether a statement of a reduction is guarded by a value that the loop carries: not by the condition of its form.
    fn depends_on_carried(&self, index: usize, group: usize, carried: &BTreeSet<usize>) -> bool {
        let mut reductions = self.detected.reductions.iter().filter(|reduction| reduction.group == group);
        reductions.any(|reduction| {
            reduction.statements.iter().any(|statement| {
                let facts = &self.program.statements[*statement];
                facts.guards.iter().any(|guard| {
                    let condition = &self.program.statements[guard.statement];
                    let own = Some(guard.statement) == reduction.guard;
                    let mut reads =
                        condition.accesses.iter().map(|access| self.program.accesses[*access].array);
                    !own && condition.around.contains(&index) && reads.any(|array| carried.contains(&array))
                })
            })
        })
    }

    /// A better reason than that of the array, where the statement itself says it.
    fn refined(&self, carried: &Carried, reason: (Rule, String)) -> (Rule, String) {
        let known = carried.others.iter().filter_map(|(from, to)| {
            let [from, to] = [from, to].map(|access| &self.program.accesses[*access]);
            let found =
                self.detected.rejected.get(&from.statement).filter(|_| from.statement == to.statement)?;
            // What is wrong with an update says nothing of elements that it only reads.
            let own = crate::ir::compare::same_reference(from.reference, to.reference, None);
            (own || found.0 == Rule::Scans).then_some((from.statement, found))
        });
        known.min_by_key(|(statement, _)| *statement).map_or(reason, |(_, found)| found.clone())
    }

    /// The least and the greatest distance, in iterations of a loop, of a pair of accesses.
    fn distances(
        &self,
        index: usize,
        (from, to): (usize, usize),
    ) -> Result<(Option<i64>, Option<i64>), IslError> {
        let program = self.program;
        let (f, t) = (&program.accesses[from], &program.accesses[to]);
        let step = match program.loops[index].node.step.kind {
            crate::ir::ExpressionKind::Integer(step) => step,
            _ => 1,
        };
        let [a, b] = ['a', 'b'].map(|copy| Affine::term(Term::Named(copy, index)));
        let distance = Term::Named('d', 0);
        let is_distance = Formula::equal(Affine::term(distance.clone()).times(step), b.plus(&a, -1));
        let condition = Formula::and([
            program.conflict(f, t),
            program.same_iterations(&program.loops[index].around, 'a', 'b'),
            program.earlier(index, 'a', 'b'),
            is_distance,
        ]);
        let instances = [program.iterators(&f.around, 'a'), program.iterators(&t.around, 'b')].concat();
        let distances = program.set(self.context, &[distance], &instances, &condition)?;
        Ok((distances.least(0)?, distances.greatest(0)?))
    }

    fn dependence(&self, index: usize, pair: (usize, usize)) -> Result<Dependence, IslError> {
        let (distance, _) = self.distances(index, pair)?;
        Ok(Dependence::between(self.program, pair.0, pair.1, distance))
    }
}

/// The elements of an array that accesses touch: the dimensions are those of the array. The iterators of some of the loops
/// around, `o0` and so on, are parameters.
pub(crate) fn cells(
    program: &Program<'_>,
    context: &Rc<Context>,
    outer: &[usize],
    accesses: &[usize],
) -> Result<Set, IslError> {
    let parameters = program.parameters_inside(outer);
    let rank = accesses.first().map_or(0, |access| program.accesses[*access].subscripts.len());
    let dimensions: Vec<Term> = (0..rank).map(|dimension| Term::Named('c', dimension)).collect();
    let space = Space { parameters: &parameters, dimensions: &dimensions, hidden: &[] };
    let mut all = Set::of(context, &space, &Formula::False)?;
    for access in accesses.iter().map(|access| &program.accesses[*access]) {
        let here = program.same_iterations(outer, 'a', 'o');
        let condition =
            Formula::and([program.context(), program.domain(access, 'a'), here, program.cell(access, 'a')]);
        let iterators = program.iterators(&access.around, 'a');
        let space = Space { parameters: &parameters, dimensions: &dimensions, hidden: &iterators };
        all = all.union(Set::of(context, &space, &condition)?)?;
    }
    Ok(all)
}

/// A set of guards, and one of them, for which the set with the other branch is there, too; the largest sets first.
fn deepest_pair(written: &BTreeMap<Branches, Set>) -> Option<(Branches, (usize, bool))> {
    let mut sets: Vec<_> = written.keys().collect();
    sets.sort_by_key(|guards| std::cmp::Reverse(guards.len()));
    for guards in sets {
        for guard in guards {
            let mut other = guards.clone();
            other.remove(guard);
            other.insert((guard.0, !guard.1));
            if written.contains_key(&other) {
                return Some((guards.clone(), *guard));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::{Options, analyze, ir::notation::parse};

    /// Each copy of a loop has the variables that its body declares, be they used in conditions or in loops.
    #[test]
    fn copies_of_a_loop_are_of_its_class() {
        let text = "func @f(n: i32, a: memref<? x i32>, h: memref<16 x i32>) {
  for i: i32 in range(0 : n) {
    sum: i32 = 0
    if a[i] > 0 {
      sum = sum + 1
    }
    for j: i32 in range(0 : n) {
      sum = sum + a[j]
    }
    h[a[i]] = h[a[i]] + sum
  }
}";
        let mut region = parse(text, "").unwrap().remove(0);
        let classes = |region: &_| -> Vec<_> {
            let analysis = analyze(region, &Options::default()).unwrap();
            analysis.loops.iter().map(|looped| (looped.class, looped.reason.clone())).collect()
        };
        let once = classes(&region);
        region.body.extend(region.body.clone());
        assert_eq!(classes(&region), [once.clone(), once].concat());
    }
}
