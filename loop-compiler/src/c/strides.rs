//! `for (i = a; i < b; i += s)` with a stride that is a variable: a loop that counts its iterations, in which `i` is an induction
//! variable.
//!
//! There is an iteration for each stride from `a` to `b`, if it is greater than 0. With another one the loop of C would not end, or
//! would overflow.

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
    ir::{
        self, BinaryOperator, Declaration, Expression, ExpressionKind, Loop, LoopId,
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
    end: &'t Node,
    by: &'t Node,
}

impl<'t> Reader<'_, 't> {
    /// The stride of a loop, if that is a variable.
    pub(super) fn stride(&self, head: &Head<'t>) -> Option<Stride<'t>> {
        let test = head.only_test()?.bare();
        let [compared, end] = &test.inner[..] else { return None };
        let compared = without_casts(compared);
        let id = compared.referenced().filter(|_| compared.is(Kind::DeclRefExpr))?;
        let is_comparison = test.is(Kind::BinaryOperator) && matches!(test.opcode(), "<" | "<=");
        let is_signed = matches!(self.type_of(id), Scalar::Integer { bits: 32 | 64, signed: true });
        if !is_comparison || !is_signed || self.is_followed(id) != Some(false) {
            return None;
        }
        let increments = changes::increments(&head.iteration, id)?;
        let [Increment::Value { value: by, negative: false }] = increments[..] else { return None };
        let mut names = BTreeSet::new();
        [end, by].into_iter().for_each(|node| changes::add_names(node, &mut names));
        let changed = changes::changed(&head.iteration.parts());
        let stays = changes::constant(by).is_none() && names.is_disjoint(&changed);
        stays.then(|| Stride { id, includes_end: test.opcode() == "<=", end, by })
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
        let first = self.integer_value(id, node)?;
        let end = self.without_effects(|reader| reader.expression(stride.end))?;
        let by = self.without_effects(|reader| reader.expression(stride.by))?;
        let is_long =
            |value: &Expression| matches!(value.scalar, Scalar::Integer { bits: ..=64, signed: true });
        let stays =
            |value: &Expression| is_long(value) && self.stays_in(value, (&head.iteration, Id::default()));
        if ![&end, &by].into_iter().all(stays) {
            return self.model(node, "a loop whose step may change, or is no signed integer");
        }
        // From 0 there are no more iterations than the variable can count, and no product is larger than it.
        let scalar = match constant(&first) {
            Some(0) => self.type_of(id),
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
}

/// How many strides there are from a first number to an end, without overflow.
fn trips_of(first: Expression, end: Expression, by: Expression, includes_end: bool) -> Expression {
    let long = |value: &Expression| convert::convert(value.clone(), Scalar::LONG);
    let unsigned = |value: &Expression| convert::convert(long(value), UNSIGNED_LONG);
    let one = || Expression::integer(1, UNSIGNED_LONG);
    let operator = if includes_end { BinaryOperator::LessEqual } else { BinaryOperator::Less };
    let is_entered = computed(operator, long(&first), long(&end), Scalar::INT);
    let is_positive = computed(BinaryOperator::Greater, long(&by), number(0), Scalar::INT);
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
