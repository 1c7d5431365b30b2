//! Counted loops: how many iterations, which part of them, and which values their iterators have afterwards.

use std::collections::BTreeMap;

use super::state::{Failure, Privatizer, rejected};
use crate::{
    ir::{
        BinaryOperator, Declaration, Expression, ExpressionKind, Loop, LoopAttributes, LoopId, Node,
        Position, Storage, VariableId,
        arithmetic::{add, compare, constant, divide, greatest, least, long, number, subtract, value_of},
        compare::{conjuncts, mirrored, stripped},
        convert, loops, walk,
    },
    rules::Rule,
    transform::has_break,
};

/// The values of a loop's iterator: from `lower` in steps of `step`, up to `end` or down to it, without it.
pub(crate) struct Counted {
    pub lower: Expression,
    pub end: Expression,
    pub step: Expression,
    /// Whether the iterator decreases.
    pub down: bool,
}

impl Counted {
    pub fn of(node: &Loop) -> Option<Counted> {
        let down = constant(&node.step).is_some_and(|step| step < 0);
        let mut parts = Vec::new();
        conjuncts(&node.condition, &mut parts);
        let mut end: Option<Expression> = None;
        for part in parts {
            let ExpressionKind::Binary(operator, left, right) = &stripped(part).kind else { return None };
            let is_iterator = |side: &Expression| match &stripped(side).kind {
                ExpressionKind::Iterator(id) => *id == node.iterator,
                ExpressionKind::Read(read) => read.variable == node.iterator && read.path.is_empty(),
                _ => false,
            };
            let (operator, limit) = match (is_iterator(left), is_iterator(right)) {
                (true, false) => (*operator, right),
                (false, true) => (mirrored(*operator), left),
                _ => return None,
            };
            let limit = long((**limit).clone());
            let limit = match (operator, down) {
                (BinaryOperator::Less, false) | (BinaryOperator::Greater, true) => limit,
                (BinaryOperator::LessEqual, false) => add(limit, number(1)),
                (BinaryOperator::GreaterEqual, true) => subtract(limit, number(1)),
                (BinaryOperator::NotEqual, _) if matches!(constant(&node.step), Some(1 | -1)) => limit,
                _ => return None,
            };
            end = Some(match end {
                None => limit,
                Some(end) if down => greatest(end, limit),
                Some(end) => least(end, limit),
            });
        }
        let (lower, step) = (long(node.lower.clone()), long(node.step.clone()));
        Some(Counted { lower, end: end?, step, down })
    }

    /// How many iterations there are.
    pub fn trips(&self, sizes: &[VariableId]) -> Expression {
        let (distance, step) = match self.down {
            true => (subtract(self.lower.clone(), self.end.clone()), subtract(number(0), self.step.clone())),
            false => (subtract(self.end.clone(), self.lower.clone()), self.step.clone()),
        };
        let rounded = add(distance.clone(), subtract(step.clone(), number(1)));
        let count = divide(rounded, step.clone());
        if is_size(&distance, sizes) && constant(&step) == Some(1) {
            return count;
        }
        match constant(&distance) {
            Some(..=0) => number(0),
            Some(_) => count,
            None => convert::select(compare(BinaryOperator::Greater, distance, number(0)), count, number(0)),
        }
    }

    /// How many iterations a tile has, unless it is the last one: the end is the nearer of two, of which one is so many behind
    /// the lower bound.
    pub fn of_tile(&self) -> Option<i128> {
        let ExpressionKind::Select(_, first, second) = &stripped(&self.end).kind else { return None };
        let step = constant(&self.step).filter(|step| *step > 0)?;
        let behind = |limit: &Expression| constant(&subtract(limit.clone(), self.lower.clone()));
        let distance = behind(first).or_else(|| behind(second)).filter(|distance| *distance > 0)?;
        Some((distance + step - 1) / step)
    }

    /// The number of an iteration, from 0.
    pub fn place(&self, iterator: Expression) -> Expression {
        divide(subtract(iterator, self.lower.clone()), self.step.clone())
    }
}

/// Whether a value is a size of an array, which is not negative.
fn is_size(value: &Expression, sizes: &[VariableId]) -> bool {
    match &stripped(value).kind {
        ExpressionKind::Integer(value) => *value >= 0,
        ExpressionKind::Read(read) => read.path.is_empty() && sizes.contains(&read.variable),
        _ => false,
    }
}

impl<'r> Privatizer<'_, 'r> {
    /// Variables that are extents of arrays.
    pub(super) fn sizes(&self) -> Vec<VariableId> {
        let extents = self.program.region.variables.iter().flat_map(|variable| &variable.extents);
        let reads = extents.flatten().filter_map(|extent| match &stripped(extent).kind {
            ExpressionKind::Read(read) if read.path.is_empty() => Some(read.variable),
            _ => None,
        });
        reads.collect()
    }

    pub(super) fn counted(&self, node: &Loop) -> Result<Counted, Failure> {
        match Counted::of(node) {
            Some(counted) => Ok(counted),
            None => rejected(Rule::Model, node.at, "the number of the loop's iterations has no simple form"),
        }
    }

    /// Nodes that set the iterators of a parallel loop, and of loops inside, to the values that they have after it, where
    /// they are variables that the program may read.
    pub(super) fn last_values(&mut self, index: usize, node: &'r Loop) -> Result<Vec<Node>, Failure> {
        let mut out = Vec::new();
        if keeps_iterators(std::slice::from_ref(node)) {
            self.check_last_values(index, node)?;
            self.last_values_of(node, &mut BTreeMap::new(), &mut out);
        }
        Ok(out)
    }

    fn check_last_values(&self, index: usize, node: &Loop) -> Result<(), Failure> {
        let changed = self.program.arrays_changed_in(index);
        let is_own = |array: usize| {
            let declared = &self.program.arrays[array].declared_in;
            declared.as_ref().is_some_and(|around| around.contains(&index))
        };
        let is_changed = |looped: &&Loop| {
            let reads = [&looped.lower, &looped.condition].into_iter().flat_map(Expression::reads);
            let mut arrays = reads
                .filter_map(|read| self.program.access_of(read))
                .map(|access| self.program.accesses[access].array);
            arrays.any(|array| is_own(array) || changed.contains(&array))
        };
        let is_unknown = guarded(&node.body) || leaves(node);
        let wrong = is_unknown.then_some(node.at);
        match wrong.or_else(|| loops(&node.body).filter(is_changed).last().map(|looped| looped.at)) {
            Some(at) => rejected(
                Rule::Liveness,
                at,
                "the last value of an iterator that is declared before the loop is not known",
            ),
            None => Ok(()),
        }
    }

    fn last_values_of(
        &mut self,
        node: &'r Loop,
        iterators: &mut BTreeMap<VariableId, Expression>,
        out: &mut Vec<Node>,
    ) {
        if !keeps_iterators(std::slice::from_ref(node)) {
            return;
        }
        let scalar = self.program.region.variable(node.iterator).scalar;
        let mut iterator = node.iterator;
        if node.declares {
            let name = format!("{}_last", self.program.region.variable(iterator).name);
            iterator = self.fresh(&name, scalar, Vec::new());
            out.push(Node::Declaration(Declaration { variable: iterator, value: None, at: node.at }));
        }
        let outer = std::mem::replace(&mut self.iterators, iterators.clone());
        let lower = self.expression(&node.lower);
        let step = self.expression(&node.step);
        let own = Expression { kind: ExpressionKind::Iterator(iterator), scalar };
        self.iterators.insert(node.iterator, own);
        let condition = self.expression(&node.condition);
        self.iterators = outer;
        out.push(Node::Loop(Loop {
            id: LoopId::NONE,
            iterator,
            declares: false,
            lower: lower.clone(),
            condition,
            step: step.clone(),
            parallel: false,
            attributes: LoopAttributes::default(),
            body: Vec::new(),
            at: node.at,
        }));
        let mut inner = Vec::new();
        let last = convert::convert(subtract(value_of(iterator, scalar), step), scalar);
        iterators.insert(node.iterator, last);
        for node in &node.body {
            if let Node::Loop(looped) = node {
                self.last_values_of(looped, iterators, &mut inner);
            }
        }
        iterators.remove(&node.iterator);
        if !inner.is_empty() {
            let condition = compare(BinaryOperator::NotEqual, value_of(iterator, scalar), lower);
            out.push(Node::guarded(condition, inner, node.at));
        }
    }

    /// The iterator in terms of which a loop inside a parallel one is written: one that the loop declares.
    pub(super) fn own_iterator(&mut self, node: &Loop) -> VariableId {
        let variable = self.program.region.variable(node.iterator).clone();
        if node.declares && variable.storage == Storage::Region {
            return node.iterator;
        }
        let own = self.fresh(&format!("{}_own", variable.name), variable.scalar, Vec::new());
        let kind = ExpressionKind::Iterator(own);
        self.iterators.insert(node.iterator, Expression { kind, scalar: variable.scalar });
        own
    }
}

/// Whether the iterator of one of the loops, or of a loop inside, is a variable that others may read.
fn keeps_iterators(nest: &[Loop]) -> bool {
    nest.iter().any(|looped| !looped.declares || loops(&looped.body).any(|inner| !inner.declares))
}

/// Whether a loop whose iterator is a variable of the program stands under a guard.
fn guarded(nodes: &[Node]) -> bool {
    let guards = walk(nodes).filter(|node| matches!(node, Node::If(_)));
    guards.flat_map(|guard| loops(std::slice::from_ref(guard))).any(|looped| !looped.declares)
}

/// Whether a loop whose iterator is a variable of the program may be left early.
fn leaves(node: &Loop) -> bool {
    let mut nest = std::iter::once(node).chain(loops(&node.body));
    nest.any(|looped| !looped.declares && has_break(&looped.body))
}

/// A loop over `iterator` from `begin` to `end`.
pub(crate) fn counting(iterator: VariableId, begin: Expression, end: Expression, body: Vec<Node>) -> Loop {
    let own = Expression { kind: ExpressionKind::Iterator(iterator), scalar: crate::ir::types::Scalar::LONG };
    Loop {
        id: LoopId::NONE,
        iterator,
        declares: true,
        lower: long(begin),
        condition: compare(BinaryOperator::Less, own, end),
        step: number(1),
        parallel: false,
        attributes: LoopAttributes::default(),
        body,
        at: Position::default(),
    }
}

/// A count that is compared with a positive number: it need not be 0 where there are no iterations.
pub(crate) fn not_clamped(count: &Expression) -> &Expression {
    match &count.kind {
        ExpressionKind::Select(_, count, otherwise) if constant(otherwise) == Some(0) => count,
        _ => count,
    }
}
