//! Variables that each iteration has for itself, and the last values of those that are read after the loop.

use std::collections::BTreeSet;

use super::{
    counted::{Counted, not_clamped},
    nodes::{iterated, nest, read, stored},
    state::{Cell, Copy, Dimension, Failure, Privatizer, Setup, rejected},
};
use crate::{
    analysis::{classes::cells, program::Access},
    ir::{
        BinaryOperator, Declaration, Expression, ExpressionKind, Loop, Node, Private, Reference, Step,
        VariableId,
        arithmetic::{and, any_of, compare, constant, greatest, number, subtract, value_of},
        compare::{mentions, stripped},
        types::Scalar,
    },
    rules::Rule,
};

impl<'r> Privatizer<'_, 'r> {
    /// A copy of what each iteration writes before it reads it; returns the copy that it replaces, of a loop around.
    pub(super) fn private(
        &mut self,
        index: usize,
        node: &'r Loop,
        array: usize,
        dimension: &Dimension,
        setup: &mut Setup,
    ) -> Result<Option<Copy>, Failure> {
        let program = self.program;
        let accesses: BTreeSet<usize> = program.accesses_in(index, array).collect();
        let kept = self.classes[index].kept.contains_key(&array);
        if self.omitted(array) {
            return Ok(None);
        }
        let Some(first) = accesses.first() else { return Ok(None) };
        // In a loop around it has a copy already.
        let target = self.reference(program.accesses[*first].reference);
        let (name, scalar, at) = (program.arrays[array].name.replace('.', "_"), target.scalar, node.at);
        let mut is_last = compare(BinaryOperator::Equal, dimension.index.clone(), dimension.last.clone());
        let writes = if kept { self.last_writes(index, &accesses) } else { LastWrites::Always };
        if let LastWrites::If(condition) = &writes {
            is_last = and(Some(is_last), Some(condition.clone())).unwrap_or_else(|| number(1));
        }
        let mut finish = |body: Vec<Node>| {
            if kept {
                setup.end.push(Node::guarded(is_last.clone(), body, at));
            }
        };
        let (variable, prefix, cell);
        if target.subscripts().next().is_none() {
            let mut value = None;
            if matches!(writes, LastWrites::Unknown) {
                // One worker stores the last value while others begin.
                let before = self.fresh(&format!("{name}_before"), scalar, Vec::new());
                let known = Some(read(target.clone()));
                setup.before.push(Node::Declaration(Declaration { variable: before, value: known, at }));
                value = Some(value_of(before, scalar));
            }
            variable = self.fresh(&format!("{name}_own"), scalar, Vec::new());
            setup.begin.push(Node::Declaration(Declaration { variable, value, at }));
            finish(vec![stored(target, value_of(variable, scalar))]);
            (prefix, cell) = (Vec::new(), Cell::One);
        } else {
            let Some((bounds, ..)) = self.extent(index, array)? else {
                return rejected(Rule::Subscripts, at, format!("the elements of `{name}` are not known"));
            };
            if kept && !self.writes_box(index, array)? {
                let reason = format!("which elements of `{name}` the last iteration writes is not simple");
                return rejected(Rule::Liveness, at, reason);
            }
            let bounds =
                bounds.into_iter().map(|(begin, end)| (self.expression(&begin), self.expression(&end)));
            let bounds: Vec<_> = bounds.collect();
            let extents: Vec<_> = bounds
                .iter()
                .map(|(begin, end)| greatest(subtract(end.clone(), begin.clone()), number(1)))
                .collect();
            let shape: Vec<_> = std::iter::once(dimension.count.clone()).chain(extents).collect();
            variable = self.fresh(&format!("{name}_of"), scalar, shape);
            setup.before.push(Node::Private(Private { variable, operator: None, at }));
            let iterators: Vec<VariableId> =
                bounds.iter().map(|_| self.fresh("k", Scalar::LONG, Vec::new())).collect();
            let mut own = vec![Step::Index(dimension.index.clone())];
            let offset = iterators.iter().zip(&bounds);
            own.extend(
                offset
                    .map(|(iterator, (begin, _))| Step::Index(subtract(iterated(*iterator), begin.clone()))),
            );
            let mut subscripts = iterators.iter();
            let path = target.path.iter().map(|step| match (step, subscripts.len()) {
                (Step::Index(_), 1..) => {
                    Step::Index(subscripts.next().map_or_else(|| number(0), |iterator| iterated(*iterator)))
                }
                (step, _) => step.clone(),
            });
            let original = Reference { path: path.collect(), ..target.clone() };
            let copied = stored(original, read(Reference { variable, path: own, scalar, at }));
            finish(nest(&iterators, bounds.iter().cloned(), vec![copied]));
            prefix = vec![Some(dimension.index.clone())];
            cell = Cell::Box { offsets: bounds.into_iter().map(|(begin, _)| begin).collect() };
        }
        Ok(self.copies.insert(array, Copy { prefix, ..Copy::new(accesses, variable, cell) }))
    }

    /// When the last iteration writes what its copies are kept of: not if the loops inside have no iterations.
    fn last_writes(&mut self, index: usize, accesses: &BTreeSet<usize>) -> LastWrites {
        let program = self.program;
        let mut alternatives: Vec<Vec<Expression>> = Vec::new();
        for write in accesses.iter().map(|access| &program.accesses[*access]).filter(|access| access.write) {
            let inside = write.around.iter().skip_while(|looped| **looped != index).skip(1);
            // The loops that copy a row have no iterations where those that write it have none.
            let is_subscript = |looped: &usize| {
                let iterator = ExpressionKind::Iterator(program.loops[*looped].node.iterator);
                write.reference.subscripts().any(|subscript| stripped(subscript).kind == iterator)
            };
            let inside = inside.filter(|looped| !is_subscript(looped));
            let mut conditions = Vec::new();
            let mut is_known = write.guards.is_empty();
            for looped in inside {
                let trips = Counted::of(program.loops[*looped].node).map(|counted| counted.trips(&[]));
                match trips.filter(|trips| self.is_invariant(trips, index, &BTreeSet::new())) {
                    Some(trips) if constant(&trips).is_some_and(|trips| trips > 0) => {}
                    Some(trips) => {
                        let trips = self.expression(not_clamped(&trips));
                        conditions.push(compare(BinaryOperator::Greater, trips, number(0)));
                    }
                    None => is_known = false,
                }
            }
            match (is_known, conditions.is_empty()) {
                (true, true) => return LastWrites::Always,
                (true, false) => alternatives.push(conditions),
                (false, _) => alternatives.push(Vec::new()),
            }
        }
        if alternatives.is_empty() || alternatives.iter().any(Vec::is_empty) {
            return LastWrites::Unknown;
        }
        // What holds only where another one holds is not said.
        let implies = |one: &[Expression], other: &[Expression]| other.iter().all(|part| one.contains(part));
        let mut any: Vec<Vec<Expression>> = Vec::new();
        for one in alternatives {
            if !any.iter().any(|other| implies(&one, other)) {
                any.retain(|other| !implies(other, &one));
                any.push(one);
            }
        }
        let all =
            any.into_iter().filter_map(|one| one.into_iter().fold(None, |all, part| and(all, Some(part))));
        any_of(all).map_or(LastWrites::Unknown, LastWrites::If)
    }

    /// Whether the elements of an array that an iteration writes are all of a box: one store writes that, and the others
    /// nothing else.
    fn writes_box(&self, index: usize, array: usize) -> Result<bool, Failure> {
        let program = self.program;
        let writes: Vec<usize> =
            program.accesses_in(index, array).filter(|access| program.accesses[*access].write).collect();
        let around: Vec<usize> = program.loops[index].around.iter().copied().chain([index]).collect();
        for write in writes.iter().filter(|write| self.is_box(index, &program.accesses[**write])) {
            let own = cells(program, self.context, &around, &[*write])?;
            if writes.len() == 1
                || cells(program, self.context, &around, &writes)?.subtract(own)?.is_empty()?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the elements that a store writes in an iteration are all of a box: its subscripts are iterators of different
    /// loops with constant distance one, or do not change.
    fn is_box(&self, index: usize, write: &Access<'_>) -> bool {
        let program = self.program;
        let inner = write.around.iter().skip_while(|looped| **looped != index).skip(1);
        let mut free: Vec<usize> = inner.copied().collect();
        let simple = |looped: &usize| {
            let facts = &program.loops[*looped];
            let own = |value: &Expression| {
                mentions(value, &|iterator| {
                    free.iter()
                        .any(|other| other != looped && program.loops[*other].node.iterator == iterator)
                })
            };
            matches!(constant(&facts.node.step), Some(1 | -1))
                && !own(&facts.node.lower)
                && !own(&facts.node.condition)
        };
        if !free.iter().all(simple) || !write.guards.is_empty() {
            return false;
        }
        write.reference.subscripts().all(|subscript| match &stripped(subscript).kind {
            ExpressionKind::Iterator(id) => {
                let place = free.iter().position(|looped| program.loops[*looped].node.iterator == *id);
                place.is_none_or(|place| {
                    free.remove(place);
                    true
                })
            }
            _ => self.is_invariant(subscript, index, &BTreeSet::new()),
        })
    }
}

/// When the last iteration of a loop writes a variable.
pub(super) enum LastWrites {
    Always,
    /// If this holds, of values outside of the loop.
    If(Expression),
    Unknown,
}
