//! `for (i = a; i < b; i += s)` with a stride that is a variable: a loop that counts its iterations, in which `i` is an induction
//! variable. `i + c < b` may stand in place of the condition.
//!
//! There is an iteration for each stride from `a` to `b`, if it is greater than 0. With another one the loop of C would not end, or
//! would overflow. A variable without a sign does not overflow but starts again at 0: strides and ends are assumed to be so small
//! that it does not, and where they are not the source's text is executed.

use std::collections::BTreeSet;

use clang_ast::{Id, Kind};

use super::{
    ast::{Node, NodeExt},
    changes::{self, Increment, without_casts},
    counted::{Counted, step_of},
    forms::Head,
    reader::Reader,
};
use crate::{
    cost::policy::{WIDEST_SHORT_STRIDE, WIDEST_STRIDE},
    ir::{
        self, BinaryOperator, Declaration, Expression, ExpressionKind, Loop, LoopId, Storage,
        arithmetic::{constant, number},
        convert,
        types::Scalar,
    },
    rules::Rejection,
    transform::in_expression,
};

const UNSIGNED_LONG: Scalar = Scalar::Integer { bits: 64, signed: false };

/// What a loop of this form steps.
pub(super) struct Stride<'t> {
    id: Id,
    includes_end: bool,
    /// The variable, or a sum of it and of what stays as it is.
    compared: &'t Node,
    end: &'t Node,
    by: &'t Node,
}

impl<'t> Reader<'_, 't> {
    /// The stride of a loop, if that is a variable.
    pub(super) fn stride(&self, head: &Head<'t>) -> Option<Stride<'t>> {
        let test = head.only_test()?.bare();
        let [compared, end] = &test.inner[..] else { return None };
        let sum = without_casts(compared);
        let sides: Vec<&Node> = match sum.is(Kind::BinaryOperator) && sum.opcode() == "+" {
            true => sum.inner.iter().collect(),
            false => vec![sum],
        };
        // The variable, what each iteration adds to it, and what else is compared.
        let (id, steps, other) = sides.iter().enumerate().find_map(|(place, side)| {
            let name = without_casts(side);
            let id = name.referenced().filter(|_| name.is(Kind::DeclRefExpr))?;
            let steps =
                changes::increments(&head.iteration, id).filter(|_| self.is_followed(id) == Some(false))?;
            let other = sides.iter().enumerate().find(|(other, _)| *other != place).map(|(_, side)| *side);
            (!steps.is_empty()).then_some((id, steps, other))
        })?;
        let is_comparison = test.is(Kind::BinaryOperator) && matches!(test.opcode(), "<" | "<=");
        let [Increment::Value { value: by, negative: false }] = steps[..] else { return None };
        let mut names = BTreeSet::new();
        [end, by].into_iter().chain(other).for_each(|node| changes::add_names(node, &mut names));
        let changed = changes::changed(&head.iteration.parts());
        let is_constant = changes::constant(by).is_some() || self.constant_of(by).is_some();
        let stays = !is_constant && names.is_disjoint(&changed);
        let fits =
            is_comparison && stays && matches!(self.type_of(id), Scalar::Integer { bits: 32 | 64, .. });
        fits.then(|| Stride { id, includes_end: test.opcode() == "<=", compared, end, by })
    }

    pub(super) fn strided_loop(
        &mut self,
        node: &'t Node,
        head: &Head<'t>,
        stride: &Stride<'t>,
        out: &mut Vec<ir::Node>,
    ) -> Result<(), Rejection> {
        let (at, id) = (self.at(node), stride.id);
        for initial in &head.initial {
            match initial.kind {
                Kind::VarDecl => self.with_effects(out, |reader, made| reader.declaration(initial, made))?,
                _ => self.statement(initial, out)?,
            }
        }
        let scalar = self.type_of(id);
        let first = match without_casts(stride.compared).is(Kind::DeclRefExpr) {
            true => self.integer_value(id, node)?,
            false => self.without_effects(|reader| reader.expression(stride.compared))?,
        };
        let end = self.without_effects(|reader| reader.expression(stride.end))?;
        let by = self.without_effects(|reader| reader.expression(stride.by))?;
        let is_long =
            |value: &Expression| matches!(value.scalar, Scalar::Integer { bits: ..=64, signed: true });
        let is_own = |value: &Expression| value.scalar == scalar;
        let (compared, by) = match scalar.is_unsigned() {
            true => ([&first, &end].into_iter().all(is_own), convert::convert(by, scalar)),
            false => (is_long(&first) && is_long(&end) && is_long(&by), by),
        };
        let stays = |value: &Expression| self.stays_in(value, (&head.iteration, Id::default()));
        if !compared || ![&end, &by].into_iter().all(stays) {
            return self
                .model(node, "a loop whose step may change, or which compares numbers of other types");
        }
        if scalar.is_unsigned() && !(self.is_assumed_small(&end, 0) && self.is_assumed_small(&by, 1)) {
            return self.model(node, "a loop whose step or end may be too large");
        }
        // From 0 there are no more iterations than the variable can count, and no product is larger than it.
        let scalar = match constant(&first) {
            Some(0) if !scalar.is_unsigned() => scalar,
            _ => Scalar::LONG,
        };
        let trips = self.own_variable(&format!("{}_trips", self.name_of(id)), Id::default(), scalar);
        let value = Some(convert::convert(trips_of(first, end, by, stride.includes_end), scalar));
        out.push(ir::Node::Declaration(Declaration { variable: trips, value, at }));
        let trips = self.value_of(trips, at);
        let iterator = self.iterator_of(id, scalar);
        let value = Expression { kind: ExpressionKind::Iterator(iterator), scalar };
        let lower = Expression::integer(0, scalar);
        let condition = computed(BinaryOperator::Less, value, trips, Scalar::INT);
        let first = in_expression(&condition, iterator, &lower);
        let mut counted = Counted::new((iterator, scalar), lower.clone(), 1, (first, &condition));
        if changes::leaves(&head.iteration.body) {
            counted.exit = None;
        }
        let before = self.values.clone();
        let inductions = self.enter(node, &head.iteration, (Id::default(), &BTreeSet::new()), &counted)?;
        if !self.values.integers.contains_key(&id) {
            return self
                .model(node, "a loop whose step is no constant, and whose iterations cannot be counted");
        }
        self.iterators.push(iterator);
        let writes = std::mem::take(&mut self.writes);
        let body = self.nested(node, |reader| reader.iteration(head));
        self.iterators.pop();
        for (key, at) in std::mem::replace(&mut self.writes, writes) {
            self.writes.entry(key).or_insert(at);
        }
        out.push(ir::Node::Loop(Loop {
            id: LoopId::NONE,
            iterator,
            declares: true,
            lower,
            condition,
            step: step_of(1, scalar),
            parallel: false,
            attributes: self.attributes(node),
            body: body?,
            at,
        }));
        self.behind(node, before, (inductions, &counted), &head.iteration, out)
    }

    /// The largest magnitude of a sum of variables of the function, each at most so large.
    fn largest(&self, value: &Expression, most: i128) -> Option<i128> {
        match &value.kind {
            ExpressionKind::Integer(value) => Some((*value).abs()),
            ExpressionKind::Cast(inner) if value.scalar.is_integer() => self.largest(inner, most),
            ExpressionKind::Read(read) => {
                let is_plain = read.path.is_empty() && value.scalar.is_integer();
                (is_plain && self.region.variable(read.variable).storage != Storage::Region).then_some(most)
            }
            ExpressionKind::Binary(operator, left, right) => {
                let (left, right) = (self.largest(left, most)?, self.largest(right, most)?);
                match operator {
                    BinaryOperator::Add | BinaryOperator::Subtract => Some(left + right),
                    BinaryOperator::Multiply => left.checked_mul(right),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a number without a sign can be assumed to be at least so large, and so small that no sum of two like it overflows.
    fn is_assumed_small(&mut self, value: &Expression, least: i128) -> bool {
        let most = match value.scalar {
            Scalar::Integer { bits: 64, .. } => WIDEST_STRIDE,
            _ => WIDEST_SHORT_STRIDE,
        };
        // What is computed of small numbers is what it is in mathematics.
        let is_exact = self
            .largest(value, most)
            .and_then(|largest| largest.checked_mul(2))
            .is_some_and(|twice| convert::fits(twice, value.scalar));
        if !is_exact {
            return false;
        }
        let reads = value.walk().filter(|part| matches!(part.kind, ExpressionKind::Read(_)));
        for part in reads.chain([value]) {
            let at_least = |more: &Expression, less: &Expression| {
                computed(BinaryOperator::GreaterEqual, more.clone(), less.clone(), Scalar::INT)
            };
            if let Some((lowest, highest)) = convert::integer_range(part.scalar) {
                let least = if std::ptr::eq(part, value) { least } else { 0 };
                if highest > most {
                    self.assume(at_least(&Expression::integer(most, part.scalar), part));
                }
                if lowest < least {
                    self.assume(at_least(part, &Expression::integer(least, part.scalar)));
                }
            }
        }
        true
    }
}

/// How many strides there are from a first number to an end, without overflow.
fn trips_of(first: Expression, end: Expression, by: Expression, includes_end: bool) -> Expression {
    let compared = if first.scalar.is_unsigned() { first.scalar } else { Scalar::LONG };
    let own = |value: &Expression| convert::convert(value.clone(), compared);
    let unsigned = |value: &Expression| convert::convert(own(value), UNSIGNED_LONG);
    let one = || Expression::integer(1, UNSIGNED_LONG);
    let operator = if includes_end { BinaryOperator::LessEqual } else { BinaryOperator::Less };
    let is_entered = computed(operator, own(&first), own(&end), Scalar::INT);
    let is_positive =
        computed(BinaryOperator::Greater, own(&by), Expression::integer(0, compared), Scalar::INT);
    let distance = computed(BinaryOperator::Subtract, unsigned(&end), unsigned(&first), UNSIGNED_LONG);
    let distance = match includes_end {
        true => distance,
        false => computed(BinaryOperator::Subtract, distance, one(), UNSIGNED_LONG),
    };
    let strides = computed(BinaryOperator::Divide, distance, unsigned(&by), UNSIGNED_LONG);
    let trips = computed(BinaryOperator::Add, strides, one(), UNSIGNED_LONG);
    let condition = computed(BinaryOperator::LogicalAnd, is_positive, is_entered, Scalar::INT);
    convert::select(condition, convert::convert(trips, Scalar::LONG), number(0))
}

fn computed(operator: BinaryOperator, left: Expression, right: Expression, scalar: Scalar) -> Expression {
    Expression { kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)), scalar }
}
