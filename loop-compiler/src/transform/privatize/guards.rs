//! When a parallel loop pays: conditions of its work, its workers and its copies, which are tested before it.

use std::collections::BTreeSet;

use super::{
    counted::{Counted, not_clamped},
    state::{Copies, Dimension, Privatizer},
};
use crate::{
    analysis::program::Action,
    cost::policy::{
        ITERATIONS_OF_CALL, PARTS_IN_TURN, STATEMENTS_OF_ELEMENT, UNTIL_BREAK, WORKERS_IN_TURN,
        WORKERS_OF_TWO_PASSES, WORKERS_OF_UNEVEN,
    },
    ir::{
        BinaryOperator, Expression, ExpressionKind, Loop, Node, Storage, Store, VariableId,
        arithmetic::{add, and, any_of, compare, constant, divide, least, number},
        compare::{mentions, same},
        convert,
        types::Scalar,
    },
    transform,
};

impl<'r> Privatizer<'_, 'r> {
    /// When a parallel loop is worth it, and not the original; `then` is what it needs.
    pub(super) fn is_worth_it(
        &mut self,
        index: usize,
        node: &'r Loop,
        workers: Option<Dimension>,
        least: u64,
        then: &[Node],
    ) -> Option<Expression> {
        let enough = self.has_enough(index, least);
        let is_whole =
            self.program.loops.iter().all(|facts| facts.node.at == node.at || !facts.around.is_empty());
        let known = self.is_known_before(&enough);
        self.enough.push(Some(enough.clone()).filter(|_| known));
        // Then the test of the region is this one.
        let is_tested = self.choice.is_tested && (is_whole || (known && self.outermost() == 1));
        let mut condition = Some(enough).filter(|_| !is_tested);
        if let Some(workers) = workers.filter(|_| self.choice.copies == Copies::Workers) {
            let in_turn = self.parts_per_worker(index, node);
            let reduces = !self.classes[index].reduced.is_empty();
            let few = match (self.updates_in_turn(index), self.twice.contains(&index)) {
                (true, _) => WORKERS_IN_TURN,
                (false, true) => WORKERS_OF_TWO_PASSES,
                (false, false) if reduces && node.is_uneven() && in_turn == 1 => WORKERS_OF_UNEVEN,
                (false, false) => in_turn,
            };
            let several = compare(BinaryOperator::Greater, workers.count, number(few));
            condition = and(condition, Some(several));
        }
        match self.has_little_copies(index, then, &[]) {
            Some(little) => and(condition, Some(little)),
            None => condition,
        }
    }

    /// When setting and combining copies of arrays is little beside the work of a loop; none if there are none. Results of single
    /// elements are none.
    pub(super) fn has_little_copies(
        &mut self,
        index: usize,
        nodes: &[Node],
        results: &[VariableId],
    ) -> Option<Expression> {
        let mut little: Vec<Expression> = Vec::new();
        for node in nodes {
            let Node::Private(private) = node else { continue };
            let extents = self.out.variable(private.variable).extents.iter().flatten().cloned();
            let shape: Vec<_> = extents.collect();
            if shape.len() > 1
                && !results.contains(&private.variable)
                && let Some(cells) =
                    product(shape.into_iter().chain([number(STATEMENTS_OF_ELEMENT)]).collect())
                && !little.iter().any(|other| same(other, &cells, None))
            {
                little.push(cells);
            }
        }
        let (factors, _) = self.work(index);
        let work = product(factors).unwrap_or_else(|| float(1.0));
        little.into_iter().fold(None, |all, cells| and(all, Some(at_least(work.clone(), cells))))
    }

    /// When a loop executes at least so many statements.
    fn has_enough(&mut self, index: usize, least: u64) -> Expression {
        let (factors, statements) = self.work(index);
        are_at_least(&factors, (least as f64 / statements as f64).ceil())
    }

    /// A loop by several threads if there is enough work, and otherwise the same one by one thread.
    pub(super) fn by_one_or_several(&mut self, index: usize, looped: Loop, least: u64) -> Node {
        let condition = self.has_enough(index, least);
        let one = Loop { parallel: false, ..looped.clone() };
        let at = looped.at;
        Node::either(condition, vec![Node::Loop(looped)], vec![Node::Loop(one)], at)
    }

    /// Whether a statement of a loop updates elements in turn, a power of two of them.
    fn updates_in_turn(&self, index: usize) -> bool {
        fn in_turn(value: &Expression, iterator: VariableId) -> bool {
            match &value.kind {
                ExpressionKind::Binary(BinaryOperator::Remainder, left, right) => {
                    left.mentions(iterator)
                        && constant(right).is_some_and(|count| count > 1 && count & (count - 1) == 0)
                }
                ExpressionKind::Binary(_, left, right) => in_turn(left, iterator) || in_turn(right, iterator),
                ExpressionKind::Cast(inner) => in_turn(inner, iterator),
                _ => false,
            }
        }
        let iterator = self.program.loops[index].node.iterator;
        let mut inside = self.program.statements.iter().filter(|facts| facts.around.contains(&index));
        inside.any(|facts| match facts.action {
            Action::Statement(statement) => {
                let is_target = |id: VariableId| id == statement.target.variable;
                (statement.store != Store::Assign || mentions(&statement.value, &is_target))
                    && statement.target.subscripts().any(|subscript| in_turn(subscript, iterator))
            }
            _ => false,
        })
    }

    /// How many parallel loops are in no other one.
    pub(super) fn outermost(&self) -> usize {
        let chosen = |index: &usize| self.choice.loops.contains(index);
        let around = |index: usize| &self.program.loops[index].around;
        self.choice.loops.iter().filter(|index| !around(**index).iter().any(chosen)).count()
    }

    /// Whether the region changes nothing that an expression reads.
    fn is_known_before(&self, value: &Expression) -> bool {
        let program = self.program;
        let mut changed: BTreeSet<VariableId> =
            program.loops.iter().map(|facts| facts.node.iterator).collect();
        changed.extend(program.statements.iter().filter_map(|facts| match facts.action {
            Action::Statement(statement) => Some(statement.target.variable),
            Action::Declaration(declaration) => Some(declaration.variable),
            _ => None,
        }));
        let mut known = true;
        known &= value.iterators().next().is_none();
        value.visit_reads(&mut |read| {
            let storage = self.out.variable(read.variable).storage;
            known &= read.path.is_empty() && storage != Storage::Region && !changed.contains(&read.variable);
        });
        known
    }

    /// The trip counts of a loop and of those inside, along the longest nest, and the statements of that nest's body.
    pub(super) fn work(&mut self, index: usize) -> (Vec<Expression>, usize) {
        let program = self.program;
        let inside: Vec<usize> = (0..program.loops.len())
            .filter(|other| *other == index || program.loops[*other].around.contains(&index))
            .collect();
        let deepest = inside
            .iter()
            .copied()
            .max_by_key(|other| (program.loops[*other].around.len(), std::cmp::Reverse(*other)));
        let around = deepest.map_or_else(Vec::new, |deepest| {
            program.loops[deepest].around.iter().copied().chain([deepest]).collect()
        });
        let outer = self.iterators.clone();
        let sizes = self.sizes();
        let mut factors = Vec::new();
        for looped in around.into_iter().skip_while(|other| *other != index) {
            let node = program.loops[looped].node;
            let Some(counted) = Counted::of(node) else { continue };
            let changed = program.arrays_changed_in(index);
            let count = counted.of_tile().map_or_else(|| counted.trips(&sizes), number);
            let mut known = true;
            count.visit_reads(&mut |read| {
                known &= read.path.is_empty()
                    && program.region.variable(read.variable).storage != Storage::Region
                    && !changed.iter().any(|array| program.arrays[*array].variable == read.variable);
            });
            if known {
                let executed = match looped != index && transform::has_break(&node.body) {
                    true => least(count, number(UNTIL_BREAK)),
                    false => count,
                };
                factors.push(self.expression(&executed));
            }
            // Inner counts are those in the middle.
            let middle = divide(add(counted.lower, counted.end), number(2));
            let scalar = program.region.variable(node.iterator).scalar;
            let middle = convert::convert(self.expression(&middle), scalar);
            self.iterators.insert(node.iterator, middle);
        }
        self.iterators = outer;
        let depth = deepest.map_or(0, |deepest| program.loops[deepest].around.len() + 1);
        let statements = program.statements.iter().filter(|facts| {
            facts.around.contains(&index)
                && facts.around.len() >= depth
                && matches!(facts.action, Action::Statement(_) | Action::Declaration(_))
        });
        let count = statements.count().max(1);
        (factors, count)
    }

    /// See [`Privatized::several`](super::Privatized::several).
    pub(super) fn several(&mut self) -> Option<Expression> {
        let mut nests = Vec::new();
        for index in 0..self.program.loops.len() {
            if !self.program.loops[index].around.is_empty() {
                continue;
            }
            let (factors, _) = self.work(index);
            let several = are_several(&factors);
            if factors.iter().all(|factor| constant(factor).is_some()) || !self.is_known_before(&several) {
                return None;
            }
            nests.push(factors);
        }
        let depths: BTreeSet<usize> = nests.iter().map(|factors| factors.len().min(2)).collect();
        if depths.len() < 2 {
            return any_of(nests.iter().map(|factors| are_several(factors)));
        }
        // Compilers must not learn that a length is below 32 where it is not the work that counts: clang 22 took vectors of
        // other lengths for the inner loops of 20 iterations then, which took 5 to 7 % longer.
        let mut terms: Vec<Expression> = Vec::new();
        for factors in &nests {
            let single = (factors.len() < 2).then(|| float(ITERATIONS_OF_CALL as f64));
            let product = product(factors.clone()).unwrap_or_else(|| float(1.0));
            let term =
                single.into_iter().fold(product, |all, one| in_double(BinaryOperator::Multiply, all, one));
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
        let all = terms.into_iter().reduce(|left, right| in_double(BinaryOperator::Add, left, right))?;
        Some(at_least(all, float(ITERATIONS_OF_CALL.pow(2) as f64)))
    }

    /// The statements of the whole region, about.
    pub(super) fn whole_work(&mut self) -> Expression {
        let program = self.program;
        let mut all: Option<Expression> = None;
        for index in 0..program.loops.len() {
            if !program.loops[index].around.is_empty() {
                continue;
            }
            let (factors, statements) = self.work(index);
            let number = float(statements as f64);
            let work = match product(factors) {
                Some(factors) if statements == 1 => factors,
                Some(factors) => in_double(BinaryOperator::Multiply, factors, number),
                None => number,
            };
            all = Some(match all {
                Some(all) => in_double(BinaryOperator::Add, all, work),
                None => work,
            });
        }
        all.unwrap_or_else(|| float(0.0))
    }

    /// How many contiguous parts a worker gets. Of two halves of a triangle one has three quarters of the work: with several
    /// parts, given out in turn, workers have about the same. Copies of arrays would take too much memory for that.
    pub(super) fn parts_per_worker(&self, index: usize, node: &Loop) -> i128 {
        let class = &self.classes[index];
        let is_outermost = self.program.loops[index].around.iter().all(|around| !self.is_chosen(*around));
        let is_scalar = |array: &usize| self.levels(index, *array).len() == 1 && self.is_one(index, *array);
        let are_scalars = class.scanned.is_empty()
            && class.reduced.iter().all(is_scalar)
            && class.privatized.iter().all(|array| self.rank(*array) == 0);
        let in_turn =
            self.choice.copies == Copies::Workers && is_outermost && are_scalars && node.is_uneven();
        if in_turn { PARTS_IN_TURN } else { 1 }
    }
}

fn float(value: f64) -> Expression {
    Expression { kind: ExpressionKind::Float(value), scalar: Scalar::F64 }
}

fn in_double(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    let kind = ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
    Expression { kind, scalar: Scalar::F64 }
}

fn at_least(left: Expression, right: Expression) -> Expression {
    let kind = ExpressionKind::Binary(BinaryOperator::GreaterEqual, Box::new(left), Box::new(right));
    Expression { kind, scalar: Scalar::INT }
}

/// Whether trip counts of loops inside each other have at least that product.
fn are_at_least(factors: &[Expression], least: f64) -> Expression {
    match factors {
        [count] => compare(BinaryOperator::GreaterEqual, not_clamped(count).clone(), number(least as i128)),
        _ => at_least(product(factors.to_vec()).unwrap_or_else(|| float(1.0)), float(least)),
    }
}

/// Whether loops inside each other have more than a few iterations.
fn are_several(factors: &[Expression]) -> Expression {
    are_at_least(factors, ITERATIONS_OF_CALL.pow(factors.len().clamp(1, 2) as u32) as f64)
}

/// The product of integers as a `double`, which does not overflow.
pub(super) fn product(factors: Vec<Expression>) -> Option<Expression> {
    let factors = factors.into_iter().map(|factor| convert::convert(factor, Scalar::F64));
    factors.reduce(|left, right| in_double(BinaryOperator::Multiply, left, right))
}

/// What a value is before it is converted.
pub(super) fn converted(value: &Expression) -> &Expression {
    match &value.kind {
        ExpressionKind::Cast(inner) => converted(inner),
        _ => value,
    }
}
