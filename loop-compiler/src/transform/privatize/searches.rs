//! Searches in parallel loops: the greatest element and where it is, the first or the last index.
//!
//! Each worker has copies of what a search stores, which are combined in the order of the workers. On a device they are
//! members of a structure that a reduction of OpenMP combines in any order; the numbers of the iterations say which of
//! equal findings is first, or last.

use std::collections::BTreeSet;

use super::{
    counted::{Counted, counting},
    nodes::{iterated, nest, read, stored},
    state::{Cell, Copy, Dimension, Failure, Privatizer, Setup, rejected},
};
use crate::{
    analysis::{
        detect::{ReductionLike, sentinel},
        program::Action,
    },
    ir::{
        BinaryOperator, Declaration, Expression, ExpressionKind, Loop, Node, Position, Private,
        ReductionOperator, Reference, Search, Statement, Step, Store, UnaryOperator, VariableId,
        arithmetic::{add, and, compare, divide, greatest, multiply, number, subtract, value_of},
        compare::{conjuncts, same, same_reference, stripped},
        convert,
        operators::identity,
        types::Scalar,
    },
    rules::Rule,
    transform::{has_break, in_expression},
};

/// What a search reduces through a structure.
struct Found {
    parts: Vec<SearchTarget>,
    /// The arrays with their targets and the values that the iteration's number says.
    afterwards: Vec<(usize, Reference, Expression)>,
    /// The member with the number of the iteration in which something was found, and that number.
    iteration: (String, Expression),
    /// Whether `omp_in` is better than `omp_out`.
    is_better: Expression,
}

/// A target of a search, for which a member of the structure stands.
struct SearchTarget {
    array: usize,
    target: Reference,
    member: String,
    /// Its value where nothing is found yet, than which everything that can be found is better.
    begin: Expression,
}

impl<'r> Privatizer<'_, 'r> {
    /// Copies for a search: of each target, and of a flag.
    pub(super) fn search(
        &mut self,
        index: usize,
        node: &'r Loop,
        array: usize,
        dimension: &Dimension,
        setup: &mut Setup,
    ) -> Result<(), Failure> {
        let program = self.program;
        let at = node.at;
        let (reductions, arrays) = self.searched(index, array);
        let operator = reductions[0].operator;
        if let Some(array) = arrays.iter().find(|array| self.omitted(**array)) {
            let copy = self.original_copy(index, *array, None);
            for array in arrays {
                let copy =
                    Copy { members: self.members(index, array), ..self.original_copy(index, array, None) };
                self.copies.insert(array, copy);
            }
            drop(copy);
            return Ok(());
        }
        if self.levels(index, array).len() > 1 {
            return rejected(Rule::Searches, at, "two parallel loops around one search");
        }
        if let Some(found) = self.last_iteration(index, array, operator) {
            self.search_last(index, array, found, dimension, setup);
            return Ok(());
        }
        let (alike, one) = self.targets_are(index, &arrays);
        if !alike || !one && reductions.len() > 1 {
            return rejected(Rule::Searches, at, "the targets of a search have different subscripts");
        }
        let mut extents = Vec::new();
        let mut offsets = Vec::new();
        if !one {
            let Some((bounds, ..)) = self.extent(index, arrays[0])? else {
                return rejected(Rule::Subscripts, at, "the elements that a search sets are not known");
            };
            for (begin, end) in bounds {
                let (begin, end) = (self.expression(&begin), self.expression(&end));
                extents.push(greatest(subtract(end, begin.clone()), number(1)));
                offsets.push(begin);
            }
        }
        let shape: Vec<_> = std::iter::once(dimension.count.clone()).chain(extents.clone()).collect();
        let flags_after: BTreeSet<usize> =
            reductions.iter().filter_map(|reduction| reduction.statements.iter().max().copied()).collect();
        let mut parts = Vec::new();
        for array in &arrays {
            let target = self.statements(index, *array)[0].target.clone();
            let (name, scalar) = (program.arrays[*array].name.replace('.', "_"), target.scalar);
            let part = self.fresh(&format!("{name}_of"), scalar, shape.clone());
            setup.before.push(Node::Private(Private { variable: part, operator: None, at }));
            let mut variable = part;
            if one {
                variable = self.fresh(&format!("{name}_own"), scalar, Vec::new());
                // What is compared begins with the target's value, so that no comparison needs the flag.
                let is_read =
                    self.members(index, *array).iter().any(|member| !program.accesses[*member].write);
                let value = Some(match is_read {
                    true => Expression { kind: ExpressionKind::Read(self.original(&target)), scalar },
                    false => convert::convert(Expression::integer(0, Scalar::INT), scalar),
                });
                setup.begin.push(Node::Declaration(Declaration { variable, value, at }));
                let path = vec![Step::Index(dimension.index.clone())];
                let own = value_of(variable, scalar);
                setup.end.push(stored(Reference { variable: part, path, scalar, at }, own));
            }
            parts.push((*array, part, target, variable));
        }
        // In the order of the parts: from each what was set there, if it is better than what there is.
        let each = self.fresh("part", Scalar::LONG, Vec::new());
        let iterators: Vec<VariableId> =
            extents.iter().map(|_| self.fresh("k", Scalar::LONG, Vec::new())).collect();
        let mut place = vec![Step::Index(iterated(each))];
        place.extend(iterators.iter().map(|iterator| Step::Index(iterated(*iterator))));
        let target_of = |this: &Self, target: &Reference| {
            if one {
                return this.original(target);
            }
            let mut subscripts = iterators
                .iter()
                .zip(&offsets)
                .map(|(iterator, offset)| add(iterated(*iterator), offset.clone()));
            let path = target.path.iter().map(|step| match step {
                Step::Index(_) => Step::Index(subscripts.next().unwrap_or_else(|| number(0))),
                member => member.clone(),
            });
            Reference { path: path.collect(), ..target.clone() }
        };
        let candidate = |part: VariableId, scalar: Scalar| {
            read(Reference { variable: part, path: place.clone(), scalar, at })
        };
        let mut copied: Vec<Node> = parts
            .iter()
            .map(|(_, part, target, _)| stored(target_of(self, target), candidate(*part, target.scalar)))
            .collect();
        let mut better: Option<Expression> = None;
        if !matches!(operator, ReductionOperator::First | ReductionOperator::Last) {
            let candidates: Vec<_> = parts
                .iter()
                .map(|(array, part, target, _)| (*array, target, candidate(*part, target.scalar)))
                .collect();
            let targets = |reference: &Reference| target_of(self, reference);
            better = self.better(index, &reductions, &arrays, &candidates, &targets);
            if better.is_none() {
                let reason = "what a search compares is not among what it stores";
                return rejected(Rule::Searches, at, reason);
            }
        }
        // A part that found nothing has the target's value, which is not strictly better than itself.
        let is_target = |read: &Reference, target: &Reference| {
            let mut of_parts = parts.iter().filter(|(_, part, ..)| read.variable == *part);
            of_parts.any(|(.., other, _)| same_reference(&target_of(self, other), target, None))
        };
        let flag = match better.as_ref().is_some_and(|better| one && is_strict(better, &is_target)) {
            true => None,
            false => Some(self.flags(one, dimension, &extents, setup, at)),
        };
        let mut condition = and(flag.map(|(flags, _)| candidate(flags, Scalar::INT)), better);
        let mut around = Vec::new();
        if operator == ReductionOperator::First {
            let taken = self.fresh("is_taken", Scalar::INT, Vec::new());
            let declared =
                Declaration { variable: taken, value: Some(Expression::integer(0, Scalar::INT)), at };
            around.push(Node::Declaration(declared));
            let kind = ExpressionKind::Unary(UnaryOperator::Not, Box::new(value_of(taken, Scalar::INT)));
            condition = and(condition, Some(Expression { kind, scalar: Scalar::INT }));
            let reference = Reference { variable: taken, path: Vec::new(), scalar: Scalar::INT, at };
            copied.push(stored(reference, Expression::integer(1, Scalar::INT)));
        }
        let condition = condition.unwrap_or_else(|| number(1));
        let chosen = Node::guarded(condition, copied, at);
        around.push(Node::Loop(counting(each, number(0), dimension.count.clone(), vec![chosen])));
        let cells = extents.iter().map(|extent| (number(0), extent.clone()));
        setup.after.extend(nest(&iterators, cells, around));
        for (array, _, _, variable) in parts {
            let members = self.members(index, array);
            let prefix = if one { Vec::new() } else { vec![Some(dimension.index.clone())] };
            let cell = if one { Cell::One } else { Cell::Box { offsets: offsets.clone() } };
            let copy = Copy {
                prefix,
                flag: flag.map(|(_, flag)| flag),
                flags_after: flags_after.clone(),
                ..Copy::new(members, variable, cell)
            };
            self.copies.insert(array, copy);
        }
        Ok(())
    }

    /// A search for the last iteration that stores, which says all that it stores.
    fn last_iteration(&self, index: usize, array: usize, operator: ReductionOperator) -> Option<Found> {
        let nobody = VariableId(usize::MAX);
        let found = self.found(index, array, nobody, nobody)?;
        (operator == ReductionOperator::Last && found.parts.is_empty()).then_some(found)
    }

    /// Each worker remembers the number of the iteration alone: one variable, which compilers keep in lanes, where several that
    /// are set together are branches (1/5 of the speed with clang 22).
    fn search_last(
        &mut self,
        index: usize,
        array: usize,
        found: Found,
        dimension: &Dimension,
        setup: &mut Setup,
    ) {
        let at = self.program.loops[index].node.at;
        let none = || Some(Expression::integer(-1, Scalar::LONG));
        let scalar = |variable| Reference { variable, path: Vec::new(), scalar: Scalar::LONG, at };
        let name = self.program.arrays[array].name.replace('.', "_");
        let parts = self.fresh(&format!("{name}_found_of"), Scalar::LONG, vec![dimension.count.clone()]);
        let own = self.fresh(&format!("{name}_found"), Scalar::LONG, Vec::new());
        let last = self.fresh(&format!("{name}_found_last"), Scalar::LONG, Vec::new());
        let each = self.fresh("part", Scalar::LONG, Vec::new());
        let of = |place: Expression| Reference {
            variable: parts,
            path: vec![Step::Index(place)],
            scalar: Scalar::LONG,
            at,
        };
        let is_set = |reference: Reference| compare(BinaryOperator::GreaterEqual, read(reference), number(0));
        setup.before.push(Node::Private(Private { variable: parts, operator: None, at }));
        setup.begin.push(Node::Declaration(Declaration { variable: own, value: none(), at }));
        setup.end.push(stored(of(dimension.index.clone()), value_of(own, Scalar::LONG)));
        setup.after.push(Node::Declaration(Declaration { variable: last, value: none(), at }));
        let part = of(iterated(each));
        let later = Node::guarded(is_set(part.clone()), vec![stored(scalar(last), read(part))], at);
        let parts = counting(each, number(0), dimension.count.clone(), vec![later]);
        setup.after.push(Node::Loop(parts));
        let flags_after: BTreeSet<usize> = self
            .reductions(index, array)
            .filter_map(|reduction| reduction.statements.iter().max().copied())
            .collect();
        // A flag is the same whichever iteration sets it: compilers have faster code for a constant than for a number.
        let last_number = value_of(last, Scalar::LONG);
        let is_flag = found.afterwards.iter().all(|(array, _, value)| {
            let in_last = self.iterator_values(index, *array, value, &last_number);
            in_last.is_some_and(|in_last| same(value, &in_last, None))
        });
        let iteration = if is_flag { number(0) } else { found.iteration.1 };
        let mut then = Vec::new();
        for (array, target, value) in found.afterwards {
            let original = self.original(&target);
            let value = self.iterator_values(index, array, &value, &last_number);
            let value = value.map_or_else(|| read(original.clone()), |value| self.expression(&value));
            then.push(stored(original, convert::convert(value, target.scalar)));
            let copy = self.original_copy(index, array, None);
            let number = Some((scalar(own), iteration.clone()));
            let flags_after = flags_after.clone();
            self.copies.insert(array, Copy { cell: Cell::Afterwards, number, flags_after, ..copy });
        }
        let condition = is_set(scalar(last));
        setup.after.push(Node::guarded(condition, then, at));
    }

    /// Flags of a search, which are 0 at first: of all parts, and the one that a part sets.
    fn flags(
        &mut self,
        one: bool,
        dimension: &Dimension,
        extents: &[Expression],
        setup: &mut Setup,
        at: Position,
    ) -> (VariableId, VariableId) {
        let shape = std::iter::once(dimension.count.clone()).chain(extents.iter().cloned()).collect();
        let flags = self.fresh("is_set_of", Scalar::INT, shape);
        setup.before.push(Node::Private(Private { variable: flags, operator: None, at }));
        let zero = Expression::integer(0, Scalar::INT);
        if !one {
            setup.begin.extend(self.fill(flags, Scalar::INT, &dimension.index, extents, zero, at));
            return (flags, flags);
        }
        let own = self.fresh("is_set", Scalar::INT, Vec::new());
        setup.begin.push(Node::Declaration(Declaration { variable: own, value: Some(zero), at }));
        let path = vec![Step::Index(dimension.index.clone())];
        let part = Reference { variable: flags, path, scalar: Scalar::INT, at };
        setup.end.push(stored(part, value_of(own, Scalar::INT)));
        (flags, own)
    }

    /// The reductions of a search, and the arrays that it stores to.
    fn searched(&self, index: usize, array: usize) -> (Vec<ReductionLike>, Vec<usize>) {
        let reductions: Vec<ReductionLike> = self.reductions(index, array).cloned().collect();
        let mut arrays: Vec<usize> = Vec::new();
        for member in reductions.iter().flat_map(|reduction| &reduction.members) {
            let access = &self.program.accesses[*member];
            if access.around.contains(&index) && !arrays.contains(&access.array) {
                arrays.push(access.array);
            }
        }
        arrays.retain(|array| self.classes[index].reduced.contains(array));
        (reductions, arrays)
    }

    /// Whether all targets of a search have the same subscripts, and whether these stay the same throughout the loop.
    fn targets_are(&self, index: usize, arrays: &[usize]) -> (bool, bool) {
        let first = self.statements(index, arrays[0])[0].target.clone();
        let alike = arrays.iter().flat_map(|array| self.members(index, *array)).all(|member| {
            let other = self.program.accesses[member].reference;
            other.path.len() == first.path.len()
                && other.subscripts().zip(first.subscripts()).all(|(a, b)| same(a, b, None))
        });
        let changed = self.program.arrays_changed_in(index);
        (alike, first.subscripts().all(|subscript| self.is_invariant(subscript, index, &changed)))
    }

    /// What each iteration of a search finds is stored in a structure, which a reduction combines.
    pub(super) fn find(
        &mut self,
        index: usize,
        node: &'r Loop,
        array: usize,
        setup: &mut Setup,
    ) -> Result<(), Failure> {
        if self.copies.contains_key(&array) {
            return Ok(());
        }
        let at = node.at;
        let (incoming, outgoing) = (self.side("omp_in"), self.side("omp_out"));
        let Some(found) = self.found(index, array, incoming, outgoing) else {
            return rejected(Rule::Searches, at, "what it finds cannot be combined");
        };
        let Found { parts, afterwards, iteration: (iteration, value), is_better } = found;
        let name = self.program.arrays[array].name.replace('.', "_");
        let variable = self.fresh(&format!("{name}_found"), Scalar::LONG, Vec::new());
        let name = self.out.variable(variable).name.clone();
        self.out.variables[variable.0].declared_type = format!("struct {name}");
        let none = Expression::integer(-1, Scalar::LONG);
        let mut members: Vec<_> =
            parts.iter().map(|part| (part.member.clone(), part.target.scalar, part.begin.clone())).collect();
        members.push((iteration.clone(), Scalar::LONG, none));
        let begin = members
            .iter()
            .map(|(name, scalar, begin)| stored(member(variable, name, *scalar, at), begin.clone()));
        setup.before.push(Node::Declaration(Declaration { variable, value: None, at }));
        setup.before.extend(begin);
        self.out.searches.insert(variable, Search { members, is_better });
        let replaces = self.replaces(index, array, &parts, variable);
        let flags_after: BTreeSet<usize> = self
            .reductions(index, array)
            .filter_map(|reduction| reduction.statements.iter().max().copied())
            .collect();
        let iteration = member(variable, &iteration, Scalar::LONG, at);
        let is_found = compare(BinaryOperator::GreaterEqual, read(iteration.clone()), number(0));
        let condition = match replaces {
            Some(replaces) => logical(BinaryOperator::LogicalAnd, is_found, replaces),
            None => is_found,
        };
        // Before any of the targets is replaced.
        let chosen = self.fresh(&format!("is_{name}"), Scalar::INT, Vec::new());
        setup.after.push(Node::Declaration(Declaration { variable: chosen, value: Some(condition), at }));
        let replaced = |original: Reference, value: Expression| {
            let old = read(original.clone());
            stored(original, convert::select(value_of(chosen, Scalar::INT), value, old))
        };
        for SearchTarget { array, target, member: name, .. } in parts {
            let own = member(variable, &name, target.scalar, at);
            setup.after.push(replaced(self.original(&target), read(own)));
            let copy = self.original_copy(index, array, None);
            self.copies.insert(
                array,
                Copy {
                    variable,
                    cell: Cell::Member(name),
                    number: Some((iteration.clone(), value.clone())),
                    flags_after: flags_after.clone(),
                    ..copy
                },
            );
        }
        for (array, target, last) in afterwards {
            let original = self.original(&target);
            let last = self.iterator_values(index, array, &last, &read(iteration.clone()));
            let last = last.map_or_else(|| read(original.clone()), |last| self.expression(&last));
            setup.after.push(replaced(original, convert::convert(last, target.scalar)));
            let copy = self.original_copy(index, array, None);
            self.copies.insert(
                array,
                Copy {
                    cell: Cell::Afterwards,
                    number: Some((iteration.clone(), value.clone())),
                    flags_after: flags_after.clone(),
                    ..copy
                },
            );
        }
        Ok(())
    }

    /// Whether what threads have found in any iteration replaces what there was before the loop: `None` if always.
    fn replaces(
        &self,
        index: usize,
        array: usize,
        parts: &[SearchTarget],
        found: VariableId,
    ) -> Option<Expression> {
        let (reductions, _) = self.searched(index, array);
        let at = self.program.loops[index].node.at;
        let of_part = |part: &SearchTarget| read(member(found, &part.member, part.target.scalar, at));
        let candidates: Vec<_> = match reductions[0].operator {
            ReductionOperator::Last => return None,
            // Compares what is stored with a constant, which may be stored, too.
            ReductionOperator::First => Vec::new(),
            _ => parts.iter().map(|part| (part.array, &part.target, of_part(part))).collect(),
        };
        let arrays: Vec<usize> = parts.iter().map(|part| part.array).collect();
        self.better(index, &reductions, &arrays, &candidates, &|reference| self.original(reference))
    }

    /// Whether what threads find can be combined by a reduction.
    pub(super) fn is_combined(&self, index: usize, array: usize) -> bool {
        let (incoming, outgoing) = (VariableId(usize::MAX), VariableId(usize::MAX - 1));
        self.found(index, array, incoming, outgoing).is_some()
    }

    /// One side of a reduction that combines structures, by OpenMP's name for it.
    fn side(&mut self, name: &str) -> VariableId {
        let known = self.out.variables.iter().position(|variable| variable.name == name);
        known.map_or_else(|| self.fresh(name, Scalar::LONG, Vec::new()), VariableId)
    }

    /// A search whose threads' findings can be combined in any order: of equal ones the iterations' numbers decide. `incoming`
    /// and `outgoing` are structures with what two threads have found.
    fn found(&self, index: usize, array: usize, incoming: VariableId, outgoing: VariableId) -> Option<Found> {
        use BinaryOperator as B;
        let (reductions, arrays) = self.searched(index, array);
        let at = self.program.loops[index].node.at;
        if arrays.is_empty() || arrays.iter().any(|array| self.omitted(*array)) {
            return None;
        }
        if !arrays.iter().all(|array| self.is_one(index, *array)) {
            return None;
        }
        let value = self.iteration_number(index, array)?;
        let mut parts: Vec<SearchTarget> = Vec::new();
        let mut afterwards = Vec::new();
        for array in arrays {
            let target = self.statements(index, array).first()?.target.clone();
            let name = self.program.arrays[array].name.replace('.', "_");
            if matches!(target.scalar, Scalar::Complex { .. }) {
                return None;
            }
            match self.afterwards(index, array) {
                Some(value) => afterwards.push((array, target, value)),
                None => {
                    let begin = convert::convert(number(0), target.scalar);
                    parts.push(SearchTarget { array, target, member: name, begin });
                }
            }
        }
        let mut iteration = "iteration".to_owned();
        while parts.iter().any(|part| part.member == iteration) {
            iteration.push('_');
        }
        let number_of = |side: VariableId| read(member(side, &iteration, Scalar::LONG, at));
        let relation = |relation: B| compare(relation, number_of(incoming), number_of(outgoing));
        let is_set = |side: VariableId| compare(B::GreaterEqual, number_of(side), number(0));
        let is_better = match reductions[0].operator {
            ReductionOperator::Last => relation(B::Greater),
            ReductionOperator::First => {
                let arrays: Vec<usize> = parts.iter().map(|part| part.array).collect();
                let holds = self.better(index, &reductions, &arrays, &[], &Reference::clone)?;
                let (comparison, target, limit) = sentinel(&holds)?;
                let part = parts.iter_mut().find(|part| same_reference(&part.target, target, None))?;
                let begin = match comparison {
                    B::Less => limit - 1,
                    B::Greater | B::NotEqual => limit + 1,
                    _ => limit,
                };
                part.begin = convert::convert(Expression::integer(begin, Scalar::LONG), part.target.scalar);
                let earlier = logical(B::LogicalOr, not(is_set(outgoing)), relation(B::Less));
                logical(B::LogicalAnd, is_set(incoming), earlier)
            }
            _ => {
                let better = |candidate: VariableId, target: VariableId| {
                    let candidates: Vec<_> = parts
                        .iter()
                        .map(|part| {
                            let of_side = member(candidate, &part.member, part.target.scalar, at);
                            (part.array, &part.target, read(of_side))
                        })
                        .collect();
                    let targets = |reference: &Reference| {
                        let part = parts.iter().find(|part| same_reference(&part.target, reference, None));
                        part.map_or_else(
                            || reference.clone(),
                            |part| member(target, &part.member, part.target.scalar, at),
                        )
                    };
                    let arrays: Vec<usize> = parts.iter().map(|part| part.array).collect();
                    self.better(index, &reductions, &arrays, &candidates, &targets)
                };
                let is_target = |first: &Reference, second: &Reference| {
                    first.variable == incoming && second.variable == outgoing && first.path == second.path
                };
                let (forth, back) = (better(incoming, outgoing)?, better(outgoing, incoming)?);
                let mut conjuncts_of = Vec::new();
                conjuncts(&forth, &mut conjuncts_of);
                let ([_], ExpressionKind::Binary(operator, left, right)) =
                    (&conjuncts_of[..], &stripped(&forth).kind)
                else {
                    return None;
                };
                let (candidate, target) = (compared(left)?, compared(right)?);
                let is_candidate = candidate.variable == incoming;
                let limit = match operator {
                    B::Less | B::LessEqual if is_candidate => ReductionOperator::Minimum,
                    B::Greater | B::GreaterEqual if !is_candidate => ReductionOperator::Minimum,
                    _ => ReductionOperator::Maximum,
                };
                let path = if is_candidate { &candidate.path } else { &target.path };
                let part = parts.iter_mut().find(|part| *path == [Step::Member(part.member.clone())])?;
                part.begin = identity(limit, part.target.scalar)?;
                match operator {
                    B::Less | B::Greater if is_strict(&forth, &is_target) => {
                        let equal = logical(B::LogicalAnd, not(back), relation(B::Less));
                        logical(B::LogicalOr, forth, equal)
                    }
                    B::LessEqual | B::GreaterEqual if compares(&forth, &is_target) => {
                        let better = logical(B::LogicalOr, not(back), relation(B::Greater));
                        logical(B::LogicalAnd, forth, better)
                    }
                    _ => return None,
                }
            }
        };
        Some(Found { parts, afterwards, iteration: (iteration, value), is_better })
    }

    /// What a search stores last to an array that nothing reads, if iterators of the chosen loops say it.
    fn afterwards(&self, index: usize, array: usize) -> Option<Expression> {
        let members = self.members(index, array);
        let [statement] = self.statements(index, array)[..] else { return None };
        let is_only_written = self
            .program
            .accesses_in(index, array)
            .all(|access| members.contains(&access) && self.program.accesses[access].write);
        let changed = self.program.arrays_changed_in(index);
        let value = self.iterator_values(index, array, &statement.value, &number(0))?;
        (is_only_written && statement.store == Store::Assign && self.is_invariant(&value, index, &changed))
            .then(|| statement.value.clone())
    }

    /// The number of an iteration of a chosen loop, and of those directly inside that take part in a search.
    fn iteration_number(&self, index: usize, array: usize) -> Option<Expression> {
        let mut number: Option<Expression> = None;
        for (node, counted, trips) in self.numbered(index, array)? {
            let scalar = self.program.region.variable(node.iterator).scalar;
            let iterator = Expression { kind: ExpressionKind::Iterator(node.iterator), scalar };
            let place = counted.place(crate::ir::arithmetic::long(iterator));
            number = Some(match number {
                None => place,
                Some(number) => add(multiply(number, trips), place),
            });
        }
        number
    }

    /// A value with the iterators as the number of an iteration says them.
    fn iterator_values(
        &self,
        index: usize,
        array: usize,
        value: &Expression,
        number: &Expression,
    ) -> Option<Expression> {
        let (mut value, mut rest) = (value.clone(), number.clone());
        let loops = self.numbered(index, array)?;
        for (place, (node, counted, trips)) in loops.into_iter().enumerate().rev() {
            let own = match place {
                0 => rest.clone(),
                _ => Expression {
                    kind: ExpressionKind::Binary(
                        BinaryOperator::Remainder,
                        Box::new(rest.clone()),
                        Box::new(trips.clone()),
                    ),
                    scalar: Scalar::LONG,
                },
            };
            let scalar = self.program.region.variable(node.iterator).scalar;
            let iterator = convert::convert(add(counted.lower, multiply(counted.step, own)), scalar);
            value = in_expression(&value, node.iterator, &iterator);
            rest = divide(rest, trips);
        }
        Some(value)
    }

    /// The loops whose iterations a search numbers, the outermost first, with their trip counts.
    fn numbered(&self, index: usize, array: usize) -> Option<Vec<(&'r Loop, Counted, Expression)>> {
        let program = self.program;
        let changed = program.arrays_changed_in(index);
        let sizes = self.sizes();
        let mut loops = Vec::new();
        let mut around = None;
        for level in self.levels(index, array) {
            let [looped] = level[..] else { return None };
            let facts = &program.loops[looped];
            let counted = Counted::of(facts.node)?;
            let trips = counted.trips(&sizes);
            let is_directly_inside = around.is_none_or(|around| facts.around.last() == Some(&around));
            let is_known = self.is_invariant(&trips, index, &changed)
                && self.is_invariant(&counted.lower, index, &changed)
                && self.is_invariant(&counted.step, index, &changed);
            // Threads cannot leave a loop together.
            if !is_directly_inside || !is_known || has_break(&facts.node.body) {
                return None;
            }
            loops.push((facts.node, counted, trips));
            around = Some(looped);
        }
        (!loops.is_empty()).then_some(loops)
    }

    /// The condition under which a search stores, of candidates in place of what it would store, and what there is
    /// already: `None` if the guard has no such form.
    fn better(
        &self,
        index: usize,
        reductions: &[ReductionLike],
        arrays: &[usize],
        candidates: &[(usize, &Reference, Expression)],
        target: &dyn Fn(&Reference) -> Reference,
    ) -> Option<Expression> {
        let mut better: Option<Expression> = None;
        for reduction in reductions {
            let statements = reduction.statements.iter().filter_map(|statement| {
                match self.program.statements[*statement].action {
                    Action::Statement(statement) => Some(statement),
                    _ => None,
                }
            });
            let statements: Vec<&Statement> = statements.collect();
            let mut stored: Vec<(&Expression, Expression)> = Vec::new();
            for (_, of, value) in candidates {
                let own = statements.iter().filter(|statement| same_reference(&statement.target, of, None));
                stored.extend(own.map(|statement| (&statement.value, value.clone())));
            }
            let found = self.guard_of(index, reduction, arrays, &stored, target)?;
            if better.as_ref().is_some_and(|better| *better != found) {
                return None;
            }
            better = Some(found);
        }
        better
    }

    /// The condition of a search's guard, of what a part has found and of what there is already.
    fn guard_of(
        &self,
        index: usize,
        reduction: &ReductionLike,
        arrays: &[usize],
        stored: &[(&Expression, Expression)],
        target: &dyn Fn(&Reference) -> Reference,
    ) -> Option<Expression> {
        let Action::Condition(guard) = self.program.statements[reduction.guard?].action else { return None };
        let mut parts = Vec::new();
        conjuncts(&guard.condition, &mut parts);
        let mut condition = None;
        for part in parts {
            let mut compares = false;
            part.visit_reads(&mut |read| {
                let access = self.program.access_of(read);
                compares |=
                    access.is_some_and(|access| arrays.contains(&self.program.accesses[access].array));
            });
            // Other parts held when the value was stored.
            if compares {
                condition = and(condition, Some(self.replaced(index, part, arrays, stored, target)?));
            }
        }
        condition
    }

    /// An expression with what was stored in place of the values that were, and the targets themselves.
    fn replaced(
        &self,
        index: usize,
        value: &Expression,
        arrays: &[usize],
        stored: &[(&Expression, Expression)],
        target: &dyn Fn(&Reference) -> Reference,
    ) -> Option<Expression> {
        if let Some((_, found)) = stored.iter().find(|(other, _)| same(other, value, None)) {
            return Some(convert::convert(found.clone(), value.scalar));
        }
        match &value.kind {
            ExpressionKind::Iterator(_) => {
                let changed = BTreeSet::new();
                return self.is_invariant(value, index, &changed).then(|| self.expression(value));
            }
            ExpressionKind::Read(read) => {
                let array = self.program.access_of(read).map(|access| self.program.accesses[access].array);
                if array.is_some_and(|array| arrays.contains(&array)) {
                    return Some(Expression {
                        kind: ExpressionKind::Read(target(read)),
                        scalar: value.scalar,
                    });
                }
                let changed = self.program.arrays_changed_in(index);
                let is_own = array.is_some_and(|array| {
                    let declared = &self.program.arrays[array].declared_in;
                    changed.contains(&array)
                        || declared.as_ref().is_some_and(|around| around.contains(&index))
                });
                if is_own {
                    return None;
                }
            }
            _ => {}
        }
        let operand = |operand: &Expression| self.replaced(index, operand, arrays, stored, target).ok_or(());
        value.try_map_operands(operand).ok()
    }
}

/// What a comparison reads: the order of values stays the same in the type in which they are compared.
fn compared(value: &Expression) -> Option<&Reference> {
    match &value.kind {
        ExpressionKind::Read(read) => Some(read),
        ExpressionKind::Cast(inner) => {
            let keeps_order = match (inner.scalar, value.scalar) {
                (from @ Scalar::Integer { .. }, to @ Scalar::Integer { .. }) => to.holds_all_of(from),
                (Scalar::Integer { .. } | Scalar::Float { .. }, Scalar::Float { .. }) => true,
                _ => false,
            };
            compared(inner).filter(|_| keeps_order)
        }
        _ => None,
    }
}

/// A member of a structure.
fn member(variable: VariableId, name: &str, scalar: Scalar, at: Position) -> Reference {
    Reference { variable, path: vec![Step::Member(name.into())], scalar, at }
}

fn not(value: Expression) -> Expression {
    let kind = ExpressionKind::Unary(UnaryOperator::Not, Box::new(value));
    Expression { kind, scalar: Scalar::INT }
}

fn logical(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    let kind = ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
    Expression { kind, scalar: Scalar::INT }
}

/// Whether a condition does not hold where each part has the target's value.
fn is_strict(better: &Expression, is_target: &dyn Fn(&Reference, &Reference) -> bool) -> bool {
    let mut parts = Vec::new();
    conjuncts(better, &mut parts);
    parts.into_iter().any(|part| {
        matches!(part.kind, ExpressionKind::Binary(BinaryOperator::Less | BinaryOperator::Greater, ..))
            && compares(part, is_target)
    })
}

/// Whether a condition compares a part with the target.
fn compares(condition: &Expression, is_target: &dyn Fn(&Reference, &Reference) -> bool) -> bool {
    fn alike(
        first: &Expression,
        second: &Expression,
        is_target: &dyn Fn(&Reference, &Reference) -> bool,
    ) -> bool {
        first.scalar == second.scalar
            && match (&first.kind, &second.kind) {
                (ExpressionKind::Cast(first), ExpressionKind::Cast(second)) => {
                    alike(first, second, is_target)
                }
                (ExpressionKind::Read(first), ExpressionKind::Read(second)) => {
                    is_target(first, second) || is_target(second, first)
                }
                _ => false,
            }
    }
    matches!(&condition.kind, ExpressionKind::Binary(_, first, second) if alike(first, second, is_target))
}
