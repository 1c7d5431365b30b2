//! `for` loops of clang's syntax tree as counted loops.

use std::collections::{BTreeMap, BTreeSet};

use clang_ast::{Id, Kind};

use super::{
    ast::{Node, NodeExt},
    changes::{self, Iteration, without_casts},
    counted::{Counted, isolated, mentions, step_of},
    reader::{ArrayKey, Reader},
    values::Exit,
};
use crate::{
    ir::{
        self, BinaryOperator, Expression, ExpressionKind, Loop, LoopAttributes, LoopId, Position, Pragma,
        Storage, UnaryOperator, Variable, VariableId, arithmetic, convert, types::Scalar,
    },
    rules::{Rejection, Rule},
    transform::in_expression,
};

impl<'t> Reader<'_, 't> {
    pub(super) fn for_loop(&mut self, node: &'t Node, out: &mut Vec<ir::Node>) -> Result<(), Rejection> {
        let at = self.at(node);
        let Some(initial) = node.child(0) else {
            return self.model(node, "a loop without an initial value; hint: write `for (int i = 0; …)`");
        };
        let initial = initial.bare();
        let (iterator, declares, lower, id) = match initial.kind {
            Kind::DeclStmt => {
                let [declared] = &initial.inner[..] else {
                    return self.model(node, "a loop that declares more than its iterator");
                };
                let Some(value) = declared.initial_value() else {
                    return self.model(node, "a loop without an initial value");
                };
                let lower = self.expression(value)?;
                let name = declared.name.clone().unwrap_or_default();
                let mut variable = self.described(declared, &name, true)?;
                variable.storage = Storage::Region;
                variable.name = self.iterator_name(&name, declared.id);
                (self.region.add(variable), true, lower, declared.id)
            }
            Kind::BinaryOperator if initial.opcode() == "=" => {
                let (Some(name), Some(value)) = (initial.child(0), initial.child(1)) else {
                    return self.model(node, "a loop without an initial value");
                };
                let name = name.bare();
                let Some(decl) = name.referenced_decl.as_ref().filter(|_| name.is(Kind::DeclRefExpr)) else {
                    return self.model(node, "a loop whose iterator is no variable");
                };
                let lower = self.expression(value)?;
                let dead = self.local_that_dies(decl.id);
                let iterator = match dead {
                    Some(declared) => self.own_iterator(node, declared)?,
                    None => self.variable(name)?,
                };
                (iterator, dead.is_some(), lower, decl.id)
            }
            _ => return self.model(node, "a loop that sets more than its iterator"),
        };
        self.check_iterator(node, iterator, id)?;
        let (condition, step) = (node.child(2), node.child(3));
        let scalar = self.region.variable(iterator).scalar;
        let counts_down = step.is_none() && condition.is_some_and(|condition| counts_down(condition, id));
        if counts_down && !matches!(scalar, Scalar::Integer { signed: true, .. }) {
            return self.model(
                node,
                "a loop that counts an unsigned iterator below 0; hint: write `for (long i = n - 1; i >= 0; i--)`",
            );
        }
        if !counts_down && (condition.is_none() || step.is_none()) {
            return self.model(node, "a loop without a condition or a step");
        }
        if !declares {
            self.outer_iterators.insert(iterator);
        }
        self.variables.insert(id, iterator);
        self.iterators.push(iterator);
        self.values.known.remove(&id);
        let bounds = match (condition, step) {
            (Some(condition), Some(step)) => {
                let condition = self.without_effects(|reader| reader.expression(condition));
                condition.and_then(|condition| Ok((lower, condition, self.step(step, iterator)?)))
            }
            _ => downwards_from(lower, iterator, scalar).or_else(|reason| self.model(node, reason)),
        };
        let mut after = Vec::new();
        let mut before_all = None;
        let looped = bounds.and_then(|(lower, condition, step)| {
            let (condition, unrelated) = parted(condition, iterator);
            let condition = match unrelated {
                // A condition that the loop does not change holds for all iterations, or there are none.
                Some(unrelated)
                    if declares && is_of_scalars(&unrelated) && self.attributes(node).pragmas.is_empty() =>
                {
                    before_all = Some(unrelated);
                    condition
                }
                Some(unrelated) => arithmetic::and(Some(unrelated), condition),
                None => condition,
            };
            let condition = condition.unwrap_or_else(|| Expression::integer(1, Scalar::INT));
            self.check_condition(node, &condition, iterator)?;
            let condition = isolated(condition, iterator);
            let writes = std::mem::take(&mut self.writes);
            let iteration = Iteration::of_for(node);
            let added = constant(&step).unwrap_or(1);
            let first = in_expression(&condition, iterator, &lower);
            let mut counted = Counted::new((iterator, scalar), lower.clone(), added, (first, &condition));
            if changes::leaves(&iteration.body) {
                counted.exit = None;
            }
            counted.exit = counted.exit.filter(|exit| self.stays_in(exit, (&iteration, id)));
            let before = self.values.clone();
            let mut compared = BTreeSet::new();
            node.child(2).into_iter().for_each(|condition| changes::add_names(condition, &mut compared));
            let inductions = self.enter(node, &iteration, (id, &compared), &counted)?;
            let body = self.body_of(node.child(4), Exit::Continue);
            let written = std::mem::replace(&mut self.writes, writes);
            let body = body?;
            self.check_invariant(&condition, &written)?;
            if let Some(unrelated) = &before_all {
                self.check_invariant(unrelated, &written)?;
                if !inductions.is_empty() {
                    return self.model(node, "a loop whose condition does not compare its iterator alone");
                }
            }
            self.behind(node, before, (inductions, &counted), &iteration, &mut after)?;
            for (key, at) in written {
                self.writes.entry(key).or_insert(at);
            }
            let attributes = self.attributes(node);
            let parallel = attributes.pragmas.iter().any(is_parallel);
            Ok(Loop {
                id: LoopId::NONE,
                iterator,
                declares,
                lower,
                condition,
                step,
                parallel,
                attributes,
                body,
                at,
            })
        });
        self.iterators.pop();
        let looped = ir::Node::Loop(looped?);
        match before_all {
            Some(condition) => out.push(ir::Node::guarded(condition, vec![looped], at)),
            None => out.push(looped),
        }
        out.extend(after);
        Ok(())
    }

    /// The declaration of a variable of the function whose value nobody uses after the region.
    pub(super) fn local_that_dies(&self, id: Id) -> Option<&'t Node> {
        let declared = self.locals.variables.get(&id).copied().filter(|_| !self.is_kept(id))?;
        let name = declared.name.as_deref().unwrap_or_default();
        let ends = self.ending.contains(&id);
        self.locals.uses.is_dead_after(&self.bytes, id, name, ends).then_some(declared)
    }

    /// An iterator that a loop declares from now on.
    fn own_iterator(&mut self, node: &Node, declared: &Node) -> Result<VariableId, Rejection> {
        let name = declared.name.clone().unwrap_or_default();
        if self.variables.get(&declared.id).is_some_and(|around| self.iterators.contains(around)) {
            return self.inside_itself(node, &name);
        }
        let variable = self.described(declared, &name, true)?;
        let storage = if variable.storage == Storage::Local { Storage::Region } else { variable.storage };
        let name = self.iterator_name(&name, declared.id);
        Ok(self.region.add(Variable { name, storage, ..variable }))
    }

    /// The name of an iterator: another one where the source's hides that of a variable of which pointers and closed forms may be
    /// made.
    fn iterator_name(&self, name: &str, id: Id) -> String {
        let is_around = |(index, variable): (usize, &Variable)| {
            let is_own = variable.storage != Storage::Region || self.iterators.contains(&VariableId(index));
            variable.name == name && is_own
        };
        let hides = self.region.variables.iter().enumerate().any(is_around);
        if hides || !self.inlined.is_empty() { self.fresh_name(name, id) } else { name.into() }
    }

    fn inside_itself<T>(&self, node: &Node, name: &str) -> Result<T, Rejection> {
        self.model(node, format!("two loops inside each other use the iterator `{name}`"))
    }

    fn check_iterator(&self, node: &Node, iterator: VariableId, id: Id) -> Result<(), Rejection> {
        let variable = self.region.variable(iterator);
        let name = &variable.name;
        let fits =
            matches!(variable.scalar, Scalar::Integer { bits: 32.., .. }) && variable.extents.is_empty();
        if !fits {
            return self.model(node, format!("the iterator `{name}` is no `int` or wider integer"));
        }
        if self.iterators.contains(&iterator) {
            return self.inside_itself(node, name);
        }
        if self.declarations.address_taken.contains(&id) || variable.storage == Storage::Global {
            return self.model(
                node,
                format!("the iterator `{name}` may be changed from elsewhere; hint: declare it in the loop"),
            );
        }
        Ok(())
    }

    /// The number that a name stands for that cannot be changed: `static const int block = 16;`.
    pub(super) fn constant_of(&self, node: &Node) -> Option<i128> {
        let name = without_casts(node);
        let id = name.referenced().filter(|_| name.is(Kind::DeclRefExpr))?;
        let declared = self.locals.variables.get(&id).or_else(|| self.declarations.globals.get(&id))?;
        // Others keep their names, by which a reader knows them, or may be another file's.
        if declared.storage_class.as_deref() != Some("static") {
            return None;
        }
        let scalar = super::types::scalar(declared.type_name().strip_prefix("const ")?)?;
        let value = changes::constant(declared.initial_value()?)?;
        convert::fits(value, scalar).then_some(value)
    }

    /// The constant that a loop adds to its iterator.
    fn step(&mut self, node: &Node, iterator: VariableId) -> Result<Expression, Rejection> {
        let node = node.bare();
        let scalar = self.region.variable(iterator).scalar;
        let target = node.child(0).map(NodeExt::bare).and_then(|target| target.referenced_decl.as_ref());
        let is_iterator = target.is_some_and(|decl| self.variables.get(&decl.id) == Some(&iterator));
        let constant = match (node.kind, node.opcode()) {
            _ if !is_iterator => None,
            (Kind::UnaryOperator, "++") => Some(1),
            (Kind::UnaryOperator, "--") => Some(-1),
            (Kind::CompoundAssignOperator, "+=" | "-=") => {
                let value = node.child(1).map(|value| self.expression(value)).transpose()?;
                let value = value.and_then(|value| constant(&value));
                if node.opcode() == "+=" { value } else { value.map(|value| -value) }
            }
            (Kind::BinaryOperator, "=") => {
                let value = node.child(1).map(|value| self.expression(value)).transpose()?;
                value.and_then(|value| added(&value, iterator))
            }
            _ => None,
        };
        match constant {
            Some(step) if step != 0 => Ok(step_of(step, scalar)),
            _ => self.model(node, "a loop whose step is no constant; hint: write `i++` or `i += 4`"),
        }
    }

    /// The condition compares the iterator, possibly several times.
    pub(super) fn check_condition(
        &self,
        node: &Node,
        condition: &Expression,
        iterator: VariableId,
    ) -> Result<(), Rejection> {
        match &condition.kind {
            ExpressionKind::Binary(BinaryOperator::LogicalAnd, left, right) => {
                self.check_condition(node, left, iterator)?;
                self.check_condition(node, right, iterator)
            }
            ExpressionKind::Binary(operator, left, right)
                if operator.is_comparison()
                    && *operator != BinaryOperator::Equal
                    && mentions(left, iterator) != mentions(right, iterator)
                    && !selects(condition, iterator) =>
            {
                Ok(())
            }
            _ => {
                self.model(node, "a loop's condition that does not compare its iterator; hint: write `i < n`")
            }
        }
    }

    /// What a loop's condition reads must stay as it is.
    pub(super) fn check_invariant(
        &self,
        condition: &Expression,
        written: &BTreeMap<ArrayKey, Position>,
    ) -> Result<(), Rejection> {
        let mut changed = None;
        condition.visit_reads(&mut |reference| {
            let key = reference.array();
            if let Some(at) = written.get(&key) {
                changed = changed.take().or(Some((self.array_name(&key), *at)));
            }
        });
        match changed {
            Some((name, at)) => Err(Rejection::new(
                Rule::Model,
                at,
                format!("`{name}`, which bounds the loop, is changed in its body"),
            )),
            None => Ok(()),
        }
    }

    /// What the directives in front of a loop say.
    pub(super) fn attributes(&self, node: &Node) -> LoopAttributes {
        let mut attributes = LoopAttributes::default();
        let Some(bytes) = node.bytes_in(self.file) else { return attributes };
        let own = self.marks.others.iter().filter(|pragma| pragma.next == Some(bytes.start));
        own.for_each(|pragma| attributes.add(&pragma.text));
        attributes
    }
}

/// The parts of a loop's condition with its iterator, and those without.
fn parted(condition: Expression, iterator: VariableId) -> (Option<Expression>, Option<Expression>) {
    match condition.kind {
        ExpressionKind::Binary(BinaryOperator::LogicalAnd, left, right) => {
            let ((left, first), (right, second)) = (parted(*left, iterator), parted(*right, iterator));
            (arithmetic::and(left, right), arithmetic::and(first, second))
        }
        // `for (…; i; i--)`.
        ExpressionKind::Iterator(id) if id == iterator => {
            let none = Expression::integer(0, condition.scalar);
            let kind = ExpressionKind::Binary(BinaryOperator::NotEqual, condition.into(), none.into());
            (Some(Expression { kind, scalar: Scalar::INT }), None)
        }
        _ if mentions(&condition, iterator) => (Some(condition), None),
        _ => (None, Some(condition)),
    }
}

/// Whether a value can be computed whatever holds.
fn is_of_scalars(value: &Expression) -> bool {
    let is_plain = |part: &Expression| match &part.kind {
        ExpressionKind::Read(read) => read.path.is_empty(),
        ExpressionKind::Call(..) => false,
        ExpressionKind::Binary(operator, ..) => {
            !matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder)
        }
        _ => true,
    };
    value.walk().all(is_plain)
}

/// Whether a condition is `i-- > 0`, `i-- != 0` or `i--`. What counts from below 0 so overflows, or has no iteration.
pub(super) fn counts_down(condition: &Node, iterator: Id) -> bool {
    let condition = without_casts(condition);
    let decrement = match (condition.kind, condition.opcode()) {
        (Kind::BinaryOperator, ">" | "!=") => {
            match (condition.child(0), condition.child(1).map(without_casts)) {
                (Some(left), Some(zero))
                    if zero.is(Kind::IntegerLiteral)
                        && zero.value.as_ref().is_some_and(|text| text.as_str() == Some("0")) =>
                {
                    without_casts(left)
                }
                _ => return false,
            }
        }
        _ => condition,
    };
    decrement.is(Kind::UnaryOperator)
        && decrement.opcode() == "--"
        && decrement.is_postfix
        && decrement.child(0).is_some_and(|name| name.bare().referenced() == Some(iterator))
}

/// First value, condition and step of a loop over the numbers below `end`, the largest first; or what C does not have.
fn downwards_from(
    end: Expression,
    iterator: VariableId,
    scalar: Scalar,
) -> Result<(Expression, Expression, Expression), String> {
    let of_end = end.scalar;
    let first = match constant(&end) {
        Some(end) => Expression::integer(end - 1, of_end),
        None => convert::binary(BinaryOperator::Subtract, end, Expression::integer(1, of_end))?,
    };
    let counter = Expression { kind: ExpressionKind::Iterator(iterator), scalar };
    let condition = convert::binary(BinaryOperator::GreaterEqual, counter, Expression::integer(0, scalar))?;
    Ok((first, condition, step_of(-1, scalar)))
}

/// Whether an OpenMP directive executes the loop's iterations in parallel.
fn is_parallel(pragma: &Pragma) -> bool {
    let directive = pragma.openmp.as_ref();
    directive
        .is_some_and(|directive| ["parallel", "distribute", "loop"].iter().any(|word| directive.is(word)))
}

/// The value of an expression of constants.
fn constant(value: &Expression) -> Option<i128> {
    match &value.kind {
        ExpressionKind::Integer(value) => Some(*value),
        ExpressionKind::Cast(inner) if value.scalar.is_integer() => constant(inner),
        ExpressionKind::Unary(UnaryOperator::Negate, inner) => constant(inner)?.checked_neg(),
        ExpressionKind::Binary(operator, left, right) => {
            let (left, right) = (constant(left)?, constant(right)?);
            match operator {
                BinaryOperator::Add => left.checked_add(right),
                BinaryOperator::Subtract => left.checked_sub(right),
                BinaryOperator::Multiply => left.checked_mul(right),
                BinaryOperator::Divide => left.checked_div(right),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What `i + c`, `c + i` or `i - c` adds to the iterator.
fn added(value: &Expression, iterator: VariableId) -> Option<i128> {
    let is_iterator = |value: &Expression| value.kind == ExpressionKind::Iterator(iterator);
    match &value.kind {
        ExpressionKind::Cast(inner) => added(inner, iterator),
        ExpressionKind::Binary(BinaryOperator::Add, left, right) if is_iterator(left) => constant(right),
        ExpressionKind::Binary(BinaryOperator::Add, left, right) if is_iterator(right) => constant(left),
        ExpressionKind::Binary(BinaryOperator::Subtract, left, right) if is_iterator(left) => {
            Some(-constant(right)?)
        }
        _ => None,
    }
}

/// Whether an expression reads an element that an iterator selects.
fn selects(expression: &Expression, iterator: VariableId) -> bool {
    expression
        .reads()
        .into_iter()
        .flat_map(|read| read.subscripts())
        .any(|subscript| mentions(subscript, iterator))
}
