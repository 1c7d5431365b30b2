//! What a nest costs: an expression of sizes and workers, of type `double`: statements, lines of memory that are read, a
//! parallel loop's begin and end, and copies.

use std::collections::BTreeMap;

use super::goal::{Goal, Scheme};
use crate::{
    analysis::Analysis,
    cost::estimate::{Estimate, Values},
    cost::policy::{ASSUMED_SIZES, UNKNOWN_TRIPS},
    ir::{
        BinaryOperator, Expression, ExpressionKind, Loop, Node, Reference, Region, Step as Path, VariableId,
        arithmetic::{least, long, number, value_of},
        convert, loops,
        types::Scalar,
    },
    transform::privatize::Counted,
};

pub(super) fn uses_iterators(value: &Expression) -> bool {
    value.iterators().next().is_some()
}

pub(super) fn real(value: f64) -> Expression {
    Expression { kind: ExpressionKind::Float(value), scalar: Scalar::F64 }
}

fn float(value: Expression) -> Expression {
    match value.kind {
        ExpressionKind::Integer(value) => real(value as f64),
        _ => convert::convert(value, Scalar::F64),
    }
}

fn folded(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    let (left, right) = (float(left), float(right));
    let value = |side: &Expression| match side.kind {
        ExpressionKind::Float(value) => Some(value),
        _ => None,
    };
    match (operator, value(&left), value(&right)) {
        (BinaryOperator::Add, Some(left), Some(right)) => real(left + right),
        (BinaryOperator::Multiply, Some(left), Some(right)) => real(left * right),
        (BinaryOperator::Add, Some(0.0), _) => right,
        (BinaryOperator::Add, _, Some(0.0)) => left,
        (BinaryOperator::Multiply, Some(1.0), _) => right,
        (BinaryOperator::Multiply, _, Some(1.0)) => left,
        (BinaryOperator::Multiply, Some(0.0), _) | (BinaryOperator::Multiply, _, Some(0.0)) => real(0.0),
        _ => Expression {
            kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)),
            scalar: Scalar::F64,
        },
    }
}

pub(super) fn sum(left: Expression, right: Expression) -> Expression {
    folded(BinaryOperator::Add, left, right)
}

pub(super) fn product(left: Expression, right: Expression) -> Expression {
    folded(BinaryOperator::Multiply, left, right)
}

/// A loop around what is costed.
#[derive(Clone)]
pub(super) struct Around {
    pub(super) iterator: VariableId,
    pub(super) step: f64,
    pub(super) trips: Expression,
    pub(super) count: f64,
}

/// The cost of a nest.
pub(super) struct Model<'m> {
    pub(super) region: &'m Region,
    pub(super) workers: VariableId,
    pub(super) goal: Goal<'m>,
    pub(super) assumed: f64,
    /// The iterators' values in the middle of their loops, and with sizes twice as large.
    middles: Values,
    wide_middles: Values,
}

impl<'m> Model<'m> {
    pub(super) fn new(region: &'m Region, workers: VariableId, goal: Goal<'m>) -> Model<'m> {
        let depth = depth(&region.body);
        let assumed = ASSUMED_SIZES[depth.saturating_sub(1).min(ASSUMED_SIZES.len() - 1)];
        let (middles, wide_middles) = (Values::new(), Values::new());
        let mut model = Model { region, workers, goal, assumed: 2.0 * assumed, middles, wide_middles };
        model.find_middles(&region.body);
        model.wide_middles = std::mem::take(&mut model.middles);
        model.assumed = assumed;
        model.find_middles(&region.body);
        model
    }

    /// The iterations of a loop. Where they are as many for all sizes, as in a tile, that is their number.
    pub(super) fn trips(&self, node: &Loop) -> Expression {
        let trips = trips(node);
        if !uses_iterators(&trips) {
            return trips;
        }
        let wide = Model {
            assumed: 2.0 * self.assumed,
            middles: self.wide_middles.clone(),
            wide_middles: Values::new(),
            region: self.region,
            workers: self.workers,
            goal: self.goal,
        };
        let (first, second) = (self.evaluated(&trips), wide.evaluated(&trips));
        if first == second { real(first) } else { trips }
    }

    fn find_middles(&mut self, nodes: &[Node]) {
        for looped in loops(nodes) {
            let trips = self.evaluated(&trips(looped));
            let lower = self.value(&looped.lower, &self.middles).unwrap_or(0.0);
            let step = self.value(&looped.step, &self.middles).unwrap_or(1.0);
            self.middles.insert(looped.iterator, lower + step * (trips / 2.0).floor());
        }
    }

    pub(super) fn value(&self, expression: &Expression, iterators: &Values) -> Option<f64> {
        let estimate = Estimate {
            region: self.region,
            options: self.goal.options,
            assumed: self.assumed,
            threads: self.goal.machine.threads,
            known: self.workers.0,
        };
        estimate.value(expression, iterators, &BTreeMap::new())
    }

    pub(super) fn evaluated(&self, cost: &Expression) -> f64 {
        self.value(cost, &self.middles).unwrap_or(f64::INFINITY).max(0.0)
    }

    /// The cost of the nest, with a parallel loop or without one.
    pub(super) fn cost(&self, parallel: Option<usize>, analysis: Option<&Analysis>) -> Expression {
        self.nodes(&self.region.body, &mut 0, &mut Vec::new(), parallel.zip(analysis))
    }

    pub(super) fn nodes(
        &self,
        nodes: &[Node],
        next: &mut usize,
        around: &mut Vec<Around>,
        parallel: Option<(usize, &Analysis)>,
    ) -> Expression {
        let mut cost = real(0.0);
        for node in nodes {
            let one = match node {
                Node::Loop(looped) => self.looped(looped, next, around, parallel),
                Node::Statement(statement) => {
                    let mut lines = self.lines(&statement.target, around);
                    statement.value.visit_reads(&mut |read| lines += self.lines(read, around));
                    real(self.goal.machine.statement + lines)
                }
                Node::Declaration(_) => real(self.goal.machine.statement),
                _ => {
                    let [then, otherwise] = node.bodies();
                    let then = self.nodes(then, next, around, parallel);
                    sum(then, self.nodes(otherwise, next, around, parallel))
                }
            };
            cost = sum(cost, one);
        }
        cost
    }

    pub(super) fn looped(
        &self,
        node: &Loop,
        next: &mut usize,
        around: &mut Vec<Around>,
        parallel: Option<(usize, &Analysis)>,
    ) -> Expression {
        let index = *next;
        *next += 1;
        let trips = self.trips(node);
        around.push(self.entered(node));
        let body = self.nodes(&node.body, next, around, parallel);
        around.pop();
        let mut cost = product(trips.clone(), body);
        if let Some((_, analysis)) = parallel.filter(|(chosen, _)| *chosen == index) {
            let workers = self.workers_of(&trips);
            cost = Expression {
                kind: ExpressionKind::Binary(
                    BinaryOperator::Divide,
                    Box::new(cost),
                    Box::new(workers.clone()),
                ),
                scalar: Scalar::F64,
            };
            cost = sum(cost, real(self.goal.machine.fork));
            if self.goal.scheme != Scheme::Scheduling {
                for (cells, _) in self.cells(analysis, index, node) {
                    cost = sum(cost, product(real(self.goal.machine.copy), product(workers.clone(), cells)));
                }
            }
        }
        cost
    }

    fn entered(&self, node: &Loop) -> Around {
        let trips = self.trips(node);
        let count = self.evaluated(&trips);
        let step = self.value(&node.step, &self.middles).unwrap_or(1.0);
        Around { iterator: node.iterator, step, trips, count }
    }

    /// Workers of a loop: at most as many as it has iterations.
    pub(super) fn workers_of(&self, trips: &Expression) -> Expression {
        float(least(value_of(self.workers, Scalar::LONG), long(as_long(trips))))
    }

    /// The loops around a loop, and the loop.
    pub(super) fn around(&self, index: usize) -> Option<(Vec<Around>, &Loop)> {
        fn find<'n>(
            model: &Model<'_>,
            nodes: &'n [Node],
            left: &mut usize,
            around: &mut Vec<Around>,
        ) -> Option<&'n Loop> {
            for node in nodes {
                if let Node::Loop(looped) = node {
                    if *left == 0 {
                        return Some(looped);
                    }
                    *left -= 1;
                    around.push(model.entered(looped));
                }
                let mut bodies = node.bodies().into_iter();
                if let Some(found) = bodies.find_map(|body| find(model, body, left, around)) {
                    return Some(found);
                }
                if matches!(node, Node::Loop(_)) {
                    around.pop();
                }
            }
            None
        }
        let mut around = Vec::new();
        let node = find(self, &self.region.body, &mut { index }, &mut around)?;
        Some((around, node))
    }

    /// For each array that a loop reduces into, the elements of a copy, and the bytes of one.
    pub(super) fn cells(&self, analysis: &Analysis, index: usize, node: &Loop) -> Vec<(Expression, f64)> {
        let report = &analysis.loops[index];
        let mut found = Vec::new();
        for array in &report.reduced {
            let mut best: Option<(Expression, f64)> = None;
            let mut inside = vec![self.entered(node)];
            self.visit_targets(&node.body, &mut inside, &mut |target, inside| {
                let variable = self.region.variable(target.variable);
                let own = *array == variable.name || array.starts_with(&format!("{}.", variable.name));
                if !own {
                    return;
                }
                let mut cells = real(1.0);
                for (place, subscript) in target.subscripts().enumerate() {
                    let extent = variable.extents.get(place).cloned().flatten();
                    cells = product(cells, self.range(subscript, inside, extent));
                }
                let bytes = target.scalar.size() as f64;
                let more = |known: &(Expression, f64)| self.evaluated(&known.0) < self.evaluated(&cells);
                if best.as_ref().is_none_or(more) {
                    best = Some((cells, bytes));
                }
            });
            found.extend(best);
        }
        found
    }

    fn visit_targets(
        &self,
        nodes: &[Node],
        inside: &mut Vec<Around>,
        with: &mut impl FnMut(&Reference, &[Around]),
    ) {
        for node in nodes {
            let depth = inside.len();
            inside.extend(node.as_loop().map(|looped| self.entered(looped)));
            node.target().into_iter().for_each(|target| with(target, inside));
            node.bodies().into_iter().for_each(|body| self.visit_targets(body, inside, with));
            inside.truncate(depth);
        }
    }

    /// How many values a subscript has in these loops.
    fn range(&self, subscript: &Expression, inside: &[Around], extent: Option<Expression>) -> Expression {
        let mut range = real(1.0);
        for around in inside {
            match self.moves(subscript, around) {
                Some(0.0) => {}
                Some(moves) => {
                    let before = Expression {
                        kind: ExpressionKind::Binary(
                            BinaryOperator::Subtract,
                            Box::new(float(around.trips.clone())),
                            Box::new(real(1.0)),
                        ),
                        scalar: Scalar::F64,
                    };
                    range = sum(range, product(real(moves.abs()), before));
                }
                None => return extent.map_or(real(self.assumed), float),
            }
        }
        // Not more than there are, as `i % 4` is.
        match extent {
            Some(extent) if self.evaluated(&float(extent.clone())) < self.evaluated(&range) => float(extent),
            _ => range,
        }
    }

    /// How far a subscript moves in an iteration of a loop.
    pub(super) fn moves(&self, subscript: &Expression, around: &Around) -> Option<f64> {
        if !subscript.mentions(around.iterator) {
            return Some(0.0);
        }
        let mut next = self.middles.clone();
        *next.get_mut(&around.iterator)? += around.step;
        Some(self.value(subscript, &next)? - self.value(subscript, &self.middles)?)
    }

    /// Nanoseconds for what an access reads from memory, on average.
    pub(super) fn lines(&self, reference: &Reference, around: &[Around]) -> f64 {
        let machine = self.goal.machine;
        let subscripts: Vec<&Expression> = reference
            .path
            .iter()
            .filter_map(|step| match step {
                Path::Index(index) => Some(index),
                Path::Member(_) => None,
            })
            .collect();
        let Some((last, rest)) = subscripts.split_last() else { return 0.0 };
        let share = |moves: f64| (moves.abs() * reference.scalar.size() as f64 / machine.line_bytes).min(1.0);
        let Some(innermost) = around.last() else { return machine.line };
        let stays = |around: &Around| rest.iter().all(|subscript| self.moves(subscript, around) == Some(0.0));
        let next = around.len().checked_sub(2).map(|place| &around[place]);
        if let (true, Some(moves)) = (stays(innermost), self.moves(last, innermost)) {
            // Where the loop begins again, it goes on elsewhere.
            let jumps = moves != 0.0 && next.is_some_and(|next| !stays(next));
            let jump = if jumps { machine.jump / innermost.count.max(1.0) } else { 0.0 };
            return machine.line * share(moves) + jump;
        }
        // Lines that the innermost loop leaves in the cache are read again by the next one.
        let kept = innermost.count * machine.line_bytes <= machine.cache_bytes;
        match next.filter(|next| kept && stays(next)).and_then(|next| self.moves(last, next)) {
            Some(moves) => machine.line * share(moves),
            None => machine.line,
        }
    }
}

pub(super) fn depth(nodes: &[Node]) -> usize {
    let one = |node: &Node| match node {
        // A loop over tiles is none of its own.
        Node::Loop(looped) if matches!(looped.step.kind, ExpressionKind::Integer(-1..=1)) => {
            1 + depth(&looped.body)
        }
        Node::Loop(looped) => depth(&looped.body).max(1),
        _ => node.bodies().into_iter().map(depth).max().unwrap_or(0),
    };
    nodes.iter().map(one).max().unwrap_or(0)
}

/// The iterations of a loop; 8 if that has no simple form.
pub(super) fn trips(node: &Loop) -> Expression {
    Counted::of(node).map_or(real(UNKNOWN_TRIPS), |counted| float(counted.trips(&[])))
}

/// What was converted to a double.
fn as_long(value: &Expression) -> Expression {
    match &value.kind {
        ExpressionKind::Cast(inner) => (**inner).clone(),
        ExpressionKind::Float(value) => number(*value as i128),
        _ => value.clone(),
    }
}
