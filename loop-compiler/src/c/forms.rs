//! Loops in other forms than `for (i = a; i < b; i += c)` as such ones: `while` and `do`, conditions that change what they test,
//! pointers that walk to an end, further conditions, and several iterators.
//!
//! What a condition tests becomes the iterator of a loop that declares it. The tested variable is the iterator's value inside, and
//! is set behind the loop if the function uses it there.

use std::collections::BTreeSet;

use clang_ast::{Id, Kind};

use super::{
    ast::{Node, NodeExt},
    changes::{self, Iteration, without_casts},
    counted::{Counted, isolated, step_of},
    induction::advanced,
    loops::counts_down,
    reader::Reader,
    values::{Exit, Pointer},
};
use crate::{
    ir::{
        self, BinaryOperator, Expression, ExpressionKind, If, Loop, LoopId, Storage, UnaryOperator,
        VariableId,
        arithmetic::{self, number},
        convert,
        types::Scalar,
    },
    rules::Rejection,
    transform::in_expression,
};

/// The parts of a loop.
pub(super) struct Head<'t> {
    /// What is executed first: declarations and assignments.
    pub initial: Vec<&'t Node>,
    /// What has to hold for an iteration.
    tests: Vec<Test<'t>>,
    pub iteration: Iteration<'t>,
    /// Whether the first iteration is executed without a test.
    is_do: bool,
}

/// A condition, or the opposite of one.
#[derive(Clone, Copy)]
struct Test<'t> {
    node: &'t Node,
    holds: bool,
}

/// What a test compares.
#[derive(Clone, Copy)]
struct Tested {
    id: Id,
    is_pointer: bool,
    step: i128,
    /// How the test itself changes it.
    within: Option<Within>,
}

#[derive(Clone, Copy, PartialEq)]
enum Within {
    Before,
    After,
}

/// Puts a statement before what ends the loop of a body.
fn set_before_breaks(body: &mut Vec<ir::Node>, sets: &ir::Node) {
    let mut place = 0;
    while place < body.len() {
        match &mut body[place] {
            ir::Node::Break(_) => {
                body.insert(place, sets.clone());
                place += 1;
            }
            ir::Node::If(guard) => {
                set_before_breaks(&mut guard.then, sets);
                set_before_breaks(&mut guard.otherwise, sets);
            }
            _ => {}
        }
        place += 1;
    }
}

fn has_jump(node: &Node) -> bool {
    matches!(node.kind, Kind::GotoStmt | Kind::IndirectGotoStmt) || node.inner.iter().any(has_jump)
}

fn has_call(node: &Node) -> bool {
    node.is(Kind::CallExpr) || node.inner.iter().any(has_call)
}

pub(super) const UNKNOWN_DISTANCE: &str =
    "pointers that are compared, and into what is not known to be one array";

impl<'t> Head<'t> {
    pub fn of(node: &'t Node) -> Option<Head<'t>> {
        let (mut initial, mut tests) = (Vec::new(), Vec::new());
        let (condition, body, steps) = match node.kind {
            Kind::ForStmt => (node.child(2), node.child(4), node.child(3)),
            Kind::WhileStmt if !node.has_var => (node.child(0), node.child(1), None),
            Kind::DoStmt => (node.child(1), node.child(0), None),
            _ => return None,
        };
        if let Some(first) = node.child(0).filter(|_| node.is(Kind::ForStmt)) {
            if first.is(Kind::DeclStmt) {
                initial.extend(&first.inner);
            } else {
                sequence(first, &mut initial);
            }
        }
        let mut iteration = Iteration { body: body.into_iter().collect(), steps: Vec::new() };
        steps.into_iter().for_each(|steps| sequence(steps, &mut iteration.steps));
        let is_endless = condition.is_none_or(|condition| {
            without_casts(condition).is(Kind::IntegerLiteral)
                && without_casts(condition).value.as_ref().is_some_and(|value| value.as_str() != Some("0"))
        });
        match condition.filter(|_| !is_endless) {
            Some(condition) => conjuncts(condition, &mut tests),
            // `for (;;) { if (c) break; …`
            None => {
                let statements = match body {
                    Some(body) if body.is(Kind::CompoundStmt) => body.inner.iter().collect(),
                    body => body.into_iter().collect::<Vec<_>>(),
                };
                let (first, rest) = statements.split_first()?;
                let node = breaks(first)?;
                tests.push(Test { node, holds: false });
                iteration.body = rest.to_vec();
            }
        }
        Some(Head { initial, tests, iteration, is_do: node.is(Kind::DoStmt) && !is_endless })
    }

    /// Takes what ends the loop at the beginning of its body for further conditions.
    fn add_breaks(&mut self) {
        if self.is_do {
            return;
        }
        if let [only] = self.iteration.body[..]
            && only.is(Kind::CompoundStmt)
        {
            self.iteration.body = only.inner.iter().collect();
        }
        while let Some(node) = self.iteration.body.first().and_then(|first| breaks(first)) {
            self.tests.push(Test { node, holds: false });
            self.iteration.body.remove(0);
        }
    }

    /// The condition, if it is one, and is tested before each iteration.
    pub fn only_test(&self) -> Option<&'t Node> {
        let [test] = self.tests[..] else { return None };
        (test.holds && !self.is_do).then_some(test.node)
    }
}

/// `a, b` as two.
fn sequence<'t>(node: &'t Node, out: &mut Vec<&'t Node>) {
    let node = node.bare();
    match node.is(Kind::BinaryOperator) && node.opcode() == "," {
        true => node.inner.iter().for_each(|part| sequence(part, out)),
        false => out.push(node),
    }
}

fn conjuncts<'t>(node: &'t Node, out: &mut Vec<Test<'t>>) {
    let bare = node.bare();
    match bare.is(Kind::BinaryOperator) && bare.opcode() == "&&" {
        true => bare.inner.iter().for_each(|part| conjuncts(part, out)),
        false => out.push(Test { node: bare, holds: true }),
    }
}

/// `if (c) break;`: the condition.
fn breaks(node: &Node) -> Option<&Node> {
    let is_break = |node: &Node| match node.kind {
        Kind::BreakStmt => true,
        Kind::CompoundStmt => matches!(&node.inner[..], [only] if only.is(Kind::BreakStmt)),
        _ => false,
    };
    let breaks = node.is(Kind::IfStmt) && !node.has_else && node.child(1).is_some_and(is_break);
    if breaks { node.child(0) } else { None }
}

impl<'t> Reader<'_, 't> {
    /// A loop, with what is executed before and after it in other forms than `for (i = a; i < b; i += c)`.
    pub(super) fn looped(&mut self, node: &'t Node, out: &mut Vec<ir::Node>) -> Result<(), Rejection> {
        let Some(head) = Head::of(node) else {
            return self.model(node, "a loop without an end that its head or its first statement says");
        };
        match (self.stride(&head), self.is_plain(node, &head)) {
            (Some(stride), _) => self.strided_loop(node, &head, &stride, out)?,
            (None, true) if !self.is_found(node, &head) => self.for_loop(node, out)?,
            (None, _) => self.other_loop(node, head, out)?,
        }
        // What follows the statement would follow the loop.
        match self.effects.after.is_empty() {
            true => Ok(()),
            false => self.model(node, "a loop whose head changes what it uses"),
        }
    }

    /// Whether a loop that sets and steps one integer looks for the first for which a condition holds: it is used behind it.
    fn is_found(&self, node: &Node, head: &Head<'t>) -> bool {
        let [initial] = head.initial[..] else { return false };
        let id = initial.child(0).and_then(|name| name.bare().referenced());
        let is_set = initial.is(Kind::BinaryOperator) && id.is_some_and(|id| self.is_used_behind(id, node));
        // Jumps usually stay in the loop.
        let jumps = head.iteration.body.iter().any(|part| has_jump(part));
        is_set && changes::leaves(&head.iteration.body) && !jumps && self.attributes(node).pragmas.is_empty()
    }

    /// Whether a loop sets and steps one integer.
    fn is_plain(&self, node: &Node, head: &Head<'t>) -> bool {
        if !node.is(Kind::ForStmt) || node.child(2).is_none() {
            return false;
        }
        let [initial] = head.initial[..] else { return false };
        let id = match initial.kind {
            Kind::VarDecl => Some(initial.id),
            Kind::BinaryOperator if initial.opcode() == "=" => {
                initial.child(0).and_then(|name| name.bare().referenced())
            }
            _ => None,
        };
        let is_pointer = id.is_some_and(|id| self.is_followed(id) == Some(true));
        let steps_it = match head.iteration.steps[..] {
            [] => node.child(2).is_some_and(|condition| {
                id.is_some_and(|id| counts_down(condition, id) && !self.type_of(id).is_unsigned())
            }),
            [step] => step.child(0).and_then(|target| target.bare().referenced()) == id && id.is_some(),
            _ => false,
        };
        !is_pointer && steps_it
    }

    /// A loop of any of these forms, with what is executed before and after it.
    pub(super) fn other_loop(
        &mut self,
        node: &'t Node,
        mut head: Head<'t>,
        out: &mut Vec<ir::Node>,
    ) -> Result<(), Rejection> {
        let at = self.at(node);
        head.add_breaks();
        let Some((place, tested)) = self.tested(&head) else {
            let reason = match node.kind {
                Kind::ForStmt => "a loop whose condition does not compare what each iteration adds to",
                Kind::WhileStmt => "a `while` loop that does not count; hint: use a `for` loop",
                _ => "a `do` loop that does not count; hint: use a `for` loop",
            };
            return self.model(node, reason);
        };
        let test = head.tests.remove(place);
        if head.is_do && !head.tests.is_empty() {
            return self.model(node, "a `do` loop with several conditions");
        }
        for initial in std::mem::take(&mut head.initial) {
            let sets = initial.child(0).and_then(|target| target.bare().referenced()) == Some(tested.id);
            if sets && initial.opcode() == "=" && !self.is_used_behind(tested.id, node) {
                // Nobody reads the variable: its first value is the iterator's.
                let mut made = Vec::new();
                self.statement(initial, &mut made)?;
                let is_known = self.values.known.contains_key(&tested.id)
                    || self.values.pointers.contains_key(&tested.id);
                out.extend(made.into_iter().filter(|_| !is_known));
                continue;
            }
            match initial.kind {
                Kind::VarDecl => {
                    self.with_effects(out, |reader, made| reader.declaration(initial, made))?;
                }
                _ => self.statement(initial, out)?,
            }
        }
        let is_found = self.is_used_behind(tested.id, node)
            && (!head.tests.is_empty() || changes::leaves(&head.iteration.body));
        let (mut lower, scalar, pointer) = self.lower(node, &head, &test, tested)?;
        let own = self.variables.get(&tested.id).copied();
        if is_found && pointer.is_none() && own.is_some_and(|own| lower.mentions(own)) {
            // The variable is set before the loop.
            let first =
                self.own_variable(&format!("{}_first", self.name_of(tested.id)), Id::default(), scalar);
            out.push(ir::Node::Declaration(ir::Declaration { variable: first, value: Some(lower), at }));
            lower = self.value_of(first, at);
        }
        // What else the test names must stay as it is, unless it comes to meet what is tested.
        let other = self.meeting(&head, &test, tested);
        let mut compared_names = BTreeSet::new();
        changes::add_names(test.node, &mut compared_names);
        compared_names.remove(&tested.id);
        if let Some((other, _)) = other {
            compared_names.remove(&other);
        }
        let changed = changes::changed(&head.iteration.parts());
        if compared_names.iter().any(|name| changed.contains(name)) {
            return self.model(node, "a loop that changes what its condition compares");
        }
        let iterator = self.iterator_of(tested.id, scalar);
        let value = Expression { kind: ExpressionKind::Iterator(iterator), scalar };
        let before = self.values.clone();
        let condition = match &pointer {
            Some(pointer) => {
                self.values.pointers.insert(tested.id, Some(pointer.clone().moved(value.clone())));
                match other {
                    Some((other, step)) => {
                        let end = self.pointer_of_id(other, node)?;
                        let Some(distance) = self.distance(pointer.clone(), end)? else {
                            return self.model(node, UNKNOWN_DISTANCE);
                        };
                        met(&test, value.clone(), &lower, distance, step)
                    }
                    None => self.pointer_condition(node, &test, tested, pointer, &value)?,
                }
            }
            None if let Some((other, step)) = other => {
                let end = self.integer_value(other, node)?;
                let distance = arithmetic::subtract(end, lower.clone());
                self.values.integers.insert(tested.id, value.clone());
                met(&test, value.clone(), &lower, distance, step)
            }
            None => {
                let start = match tested.within {
                    Some(Within::Before) if !head.is_do => advanced(&value, &number(-tested.step)),
                    _ => value.clone(),
                };
                self.values.integers.insert(tested.id, start);
                match head.is_do && tested.within.is_some() {
                    true => {
                        compared(BinaryOperator::GreaterEqual, value.clone(), Expression::integer(0, scalar))
                    }
                    false => self.condition(&test, Some(tested))?,
                }
            }
        };
        self.check_condition(node, &condition, iterator)?;
        let mut condition = isolated(condition, iterator);
        if head.is_do && tested.within.is_none() {
            condition = match at_least_once(&condition, iterator, &lower, tested.step) {
                Some(condition) => condition,
                None => return self.model(node, "a `do` loop with such a condition; hint: use a `for` loop"),
            };
        }
        if head.is_do && tested.within.is_some() {
            let value = convert::convert(arithmetic::add(value.clone(), number(1)), self.type_of(tested.id));
            self.values.integers.insert(tested.id, value);
        }
        let first = in_expression(&condition, iterator, &lower);
        let mut counted = Counted::new((iterator, scalar), lower.clone(), tested.step, (first, &condition));
        // Where something else ends the loop, the tested variable has the iterator's value.
        let searched = match is_found {
            true => self.searched(node, &head, tested, &counted, (value.clone(), out))?,
            false => None,
        };
        counted.exit = counted.exit.filter(|exit| self.stays_in(exit, (&head.iteration, tested.id)));
        if !head.tests.is_empty() || changes::leaves(&head.iteration.body) {
            counted.exit = None;
        }
        let inductions = self.enter(node, &head.iteration, (tested.id, &compared_names), &counted)?;
        self.iterators.push(iterator);
        let writes = std::mem::take(&mut self.writes);
        let body = self.nested(node, |reader| {
            let mut body = Vec::new();
            for test in &head.tests {
                let condition = reader.condition(test, None)?;
                let then = searched.iter().cloned().chain([ir::Node::Break(at)]).collect();
                body.push(ir::Node::If(If {
                    condition: negated(condition),
                    then,
                    otherwise: Vec::new(),
                    at,
                }));
            }
            let mut iteration = reader.iteration(&head)?;
            if let Some(sets) = &searched {
                set_before_breaks(&mut iteration, sets);
            }
            body.extend(iteration);
            Ok(body)
        });
        self.iterators.pop();
        let written = std::mem::replace(&mut self.writes, writes);
        let body = body?;
        self.check_invariant(&condition, &written)?;
        for (key, at) in written {
            self.writes.entry(key).or_insert(at);
        }
        out.push(ir::Node::Loop(Loop {
            id: LoopId::NONE,
            iterator,
            declares: true,
            lower: lower.clone(),
            condition,
            step: step_of(tested.step, scalar),
            parallel: false,
            attributes: self.attributes(node),
            body,
            at,
        }));
        self.behind(node, before, (inductions, &counted), &head.iteration, out)?;
        if let Some(ir::Node::Statement(sets)) = searched {
            self.values.integers.remove(&tested.id);
            if let Some(pointer) = pointer {
                let moved = self.value_of(sets.target.variable, at);
                self.values.pointers.insert(tested.id, Some(pointer.moved(moved)));
                self.set_pointers.insert(tested.id);
            }
            return Ok(());
        }
        self.leave_tested(node, &head, tested, pointer, &counted, out)
    }

    /// What each iteration of a loop executes.
    pub(super) fn iteration(&mut self, head: &Head<'t>) -> Result<Vec<ir::Node>, Rejection> {
        let mut body = match &head.iteration.body[..] {
            [only] => self.body_of(Some(only), Exit::Continue)?,
            all => self.sequence(all, Exit::Continue)?,
        };
        for step in &head.iteration.steps {
            self.statement(step, &mut body)?;
        }
        Ok(body)
    }

    /// Sets the tested variable, or how far a pointer is moved, to what it is where nothing else ends the loop; the statement that
    /// sets it where something does.
    fn searched(
        &mut self,
        node: &Node,
        head: &Head<'t>,
        tested: Tested,
        counted: &Counted,
        (value, out): (Expression, &mut Vec<ir::Node>),
    ) -> Result<Option<ir::Node>, Rejection> {
        let changes_it = changes::changed(&head.iteration.body).contains(&tested.id);
        let is_set = tested.within.is_none() && !(changes_it && changes::leaves(&head.iteration.body));
        let Some(exit) = counted.exit.clone().filter(|_| is_set) else { return Ok(None) };
        let mut changed = changes::changed(&head.iteration.parts());
        changed.remove(&tested.id);
        let variable = match tested.is_pointer {
            true => None,
            false => Some(self.variable_of_id(tested.id, node)?),
        };
        let is_own = |value: &Expression| variable.is_some_and(|variable| value.mentions(variable));
        if is_own(&exit) || is_own(&counted.lower) || !self.is_made_of_others(&exit, &changed, true) {
            return Ok(None);
        }
        let at = self.at(node);
        let variable = match variable {
            Some(variable) => variable,
            None => self.defined_variable(&format!("{}_moved", self.name_of(tested.id)), Scalar::LONG, "0"),
        };
        let scalar = self.region.variable(variable).scalar;
        self.stored.insert(tested.id);
        self.values.known.remove(&tested.id);
        let sets = |value: Expression| {
            let target = ir::Reference { variable, path: Vec::new(), scalar, at };
            ir::Statement { target, store: ir::Store::Assign, value: convert::convert(value, scalar), at }
        };
        let first = sets(exit);
        self.note_write(&first.target);
        out.push(ir::Node::Statement(first));
        Ok(Some(ir::Node::Statement(sets(value))))
    }

    /// Sets the tested variable behind the loop.
    fn leave_tested(
        &mut self,
        node: &Node,
        head: &Head<'t>,
        tested: Tested,
        pointer: Option<Pointer>,
        counted: &Counted,
        out: &mut Vec<ir::Node>,
    ) -> Result<(), Rejection> {
        let id = tested.id;
        self.values.known.remove(&id);
        self.stored.insert(id);
        if let Some(pointer) = pointer {
            let after = counted.exit.clone().map(|exit| pointer.moved(exit));
            self.values.pointers.insert(id, after);
            self.set_pointers.insert(id);
            return Ok(());
        }
        let scalar = self.type_of(id);
        let after = counted.exit.clone().map(|exit| match tested.within {
            Some(_) if head.is_do => number(0),
            Some(Within::After) => arithmetic::add(exit, number(tested.step)),
            _ => exit,
        });
        let after = after.map(|after| convert::convert(after, scalar));
        let is_stored = !self.values.integers.contains_key(&id);
        match after {
            Some(after) if !is_stored => {
                self.values.integers.insert(id, after);
            }
            Some(after) if self.is_used_behind(id, node) => self.store(id, after, node, out)?,
            None if !is_stored || self.is_used_behind(id, node) => {
                let name = self.name_of(id);
                return self.model(
                    node,
                    format!(
                        "a loop that ends early, behind which `{name}` is used; hint: set another variable"
                    ),
                );
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn name_of(&self, id: Id) -> String {
        self.locals.variables.get(&id).and_then(|declared| declared.name.clone()).unwrap_or_default()
    }

    pub(super) fn type_of(&self, id: Id) -> Scalar {
        let declared = self.locals.variables.get(&id).copied();
        let shape = declared.and_then(|declared| self.shape(declared.type_name()));
        shape.and_then(|shape| super::types::scalar(&shape.element)).unwrap_or(Scalar::INT)
    }

    /// An iterator for a variable.
    pub(super) fn iterator_of(&mut self, id: Id, scalar: Scalar) -> VariableId {
        let name = self.name_of(id);
        let name = match self.is_followed(id) {
            Some(true) => format!("{name}_index"),
            _ => name,
        };
        // The variable itself may be visible, and have another value.
        self.new_scalar(&name, Id::default(), scalar, Storage::Region)
    }

    /// The test of which the loop can be counted, and what it compares.
    fn tested(&self, head: &Head<'t>) -> Option<(usize, Tested)> {
        head.tests.iter().enumerate().find_map(|(place, test)| {
            let node = test.node.bare();
            let is_comparison = node.is(Kind::BinaryOperator)
                && matches!(node.opcode(), "<" | "<=" | ">" | ">=" | "!=" | "==");
            let sides: Vec<&Node> = match is_comparison {
                true => node.inner.iter().collect(),
                false => vec![node],
            };
            sides.into_iter().find_map(|side| {
                let tested = self.side(head, side)?;
                // Pointers are compared, and `!(i == n)` is `i != n`.
                let fits = (is_comparison || !tested.is_pointer)
                    && (node.opcode() != "==" || !is_comparison || !test.holds);
                fits.then_some((place, tested))
            })
        })
    }

    fn side(&self, head: &Head<'t>, side: &'t Node) -> Option<Tested> {
        let side = without_casts(side);
        let is_step = side.is(Kind::UnaryOperator) && matches!(side.opcode(), "++" | "--");
        let name = if is_step { without_casts(side.child(0)?) } else { side };
        let id = name.referenced().filter(|_| name.is(Kind::DeclRefExpr))?;
        let is_pointer = self.is_followed(id)?;
        let sum = head.iteration.constant_added(id)?;
        let tests: Vec<&Node> = head.tests.iter().map(|test| test.node).collect();
        let in_tests = changes::changed(&tests).contains(&id);
        let is_changed = changes::changed(&head.iteration.parts()).contains(&id);
        let (step, within) = match (is_step, is_changed) {
            (true, false) if !is_pointer => {
                let within = if side.is_postfix { Within::After } else { Within::Before };
                (if side.opcode() == "++" { 1 } else { -1 }, Some(within))
            }
            (false, _) if sum != 0 && !in_tests => (sum, None),
            _ => return None,
        };
        Some(Tested { id, is_pointer, step, within })
    }

    /// What a test compares with the tested variable, if the iterations bring that towards it: and by how much the two come nearer.
    fn meeting(&self, head: &Head<'t>, test: &Test<'t>, tested: Tested) -> Option<(Id, i128)> {
        let node = test.node.bare();
        let is_less = test.holds && matches!(node.opcode(), "<" | "<=");
        let (left, right) = (without_casts(node.child(0)?), without_casts(node.child(1)?));
        let is_name = left.referenced() == Some(tested.id) && right.is(Kind::DeclRefExpr);
        let other = right.referenced().filter(|_| is_less && is_name && !head.is_do)?;
        let fits = self.is_followed(other) == Some(tested.is_pointer)
            && (tested.is_pointer || self.type_of(other) == self.type_of(tested.id))
            && tested.step == 1
            && tested.within.is_none();
        let nearer = 1 - head.iteration.constant_added(other).filter(|added| fits && *added < 0)?;
        Some((other, nearer))
    }

    /// The first value that is tested, its type, and the pointer of which it is a distance.
    fn lower(
        &mut self,
        node: &Node,
        head: &Head<'t>,
        test: &Test<'t>,
        tested: Tested,
    ) -> Result<(Expression, Scalar, Option<Pointer>), Rejection> {
        if tested.is_pointer {
            let pointer = self.pointer_of_id(tested.id, node)?;
            return Ok((number(0), Scalar::LONG, Some(pointer)));
        }
        let first = self.integer_value(tested.id, node)?;
        let scalar = first.scalar;
        if !head.is_do {
            let first = match tested.within {
                Some(Within::Before) => advanced(&first, &number(tested.step)),
                _ => first,
            };
            return Ok((first, scalar, None));
        }
        let Some(within) = tested.within else { return Ok((first, scalar, None)) };
        // `do … while (--n)`: of numbers without a sign, 0 becomes the largest.
        let condition = test.node.bare();
        let is_comparison = condition.is(Kind::BinaryOperator);
        let is_unsigned = scalar.is_unsigned();
        let is_zero = |side: Option<&Node>| side.and_then(changes::constant) == Some(0);
        let fits = within == Within::Before
            && tested.step == -1
            && (!is_comparison
                || is_zero(condition.child(1))
                    && (condition.opcode() == "!=" || is_unsigned && condition.opcode() == ">"));
        if !fits {
            return self.model(node, "a `do` loop with such a condition; hint: use a `for` loop");
        }
        let last = advanced(&first, &number(-1));
        Ok(match is_unsigned {
            true => (convert::convert(last, Scalar::LONG), Scalar::LONG, None),
            false => (last, scalar, None),
        })
    }

    /// What a test says, as a comparison.
    fn condition(&mut self, test: &Test<'t>, tested: Option<Tested>) -> Result<Expression, Rejection> {
        // It is evaluated for each iteration: only what is tested may be changed by it, which is the iterator here.
        let changes_tested = tested.is_some_and(|tested| {
            let changed = changes::changed(&[test.node]);
            changed.len() == 1 && changed.contains(&tested.id) && !has_call(test.node)
        });
        let allowed = std::mem::replace(&mut self.effects.allowed, changes_tested);
        let condition = self.expression(test.node);
        self.effects.allowed = allowed;
        let condition = condition?;
        let condition = match &condition.kind {
            ExpressionKind::Binary(operator, ..)
                if operator.is_comparison() || *operator == BinaryOperator::LogicalAnd =>
            {
                condition
            }
            _ if condition.scalar.is_integer() => {
                let zero = Expression::integer(0, condition.scalar);
                compared(BinaryOperator::NotEqual, condition, zero)
            }
            _ => condition,
        };
        Ok(if test.holds { condition } else { negated(condition) })
    }

    /// `p < end` as a comparison of distances.
    fn pointer_condition(
        &mut self,
        node: &Node,
        test: &Test<'t>,
        tested: Tested,
        first: &Pointer,
        value: &Expression,
    ) -> Result<Expression, Rejection> {
        let condition = test.node.bare();
        let (Some(left), Some(right)) = (condition.child(0), condition.child(1)) else {
            return self.model(node, "a pointer's comparison");
        };
        let is_tested = |side: &Node| without_casts(side).referenced() == Some(tested.id);
        let (end, is_left) = if is_tested(left) { (right, true) } else { (left, false) };
        let end = self.without_effects(|reader| reader.pointer(end))?;
        let Some(distance) = self.distance(first.clone(), end)? else {
            return self.model(node, UNKNOWN_DISTANCE);
        };
        let operator = BinaryOperator::from_symbol(condition.opcode()).unwrap_or(BinaryOperator::Equal);
        let operator = if is_left { operator } else { ir::compare::mirrored(operator) };
        let compared = compared(operator, value.clone(), distance);
        let compared = if test.holds { compared } else { negated(compared) };
        let is_exact = !matches!(compared.kind, ExpressionKind::Binary(BinaryOperator::NotEqual, ..))
            || tested.step.abs() == 1;
        if !is_exact {
            return self.model(node, "a pointer that may walk past the end; hint: compare it with `<`");
        }
        Ok(compared)
    }
}

/// `iterator < end` of an `end` that comes nearer, at first so far away, by so much in each iteration.
fn met(
    test: &Test<'_>,
    iterator: Expression,
    lower: &Expression,
    distance: Expression,
    nearer: i128,
) -> Expression {
    let more = if test.node.bare().opcode() == "<" { nearer - 1 } else { nearer };
    let trips = arithmetic::divide(arithmetic::add(distance, number(more)), number(nearer));
    let iterator = convert::convert(iterator, Scalar::LONG);
    compared(BinaryOperator::Less, iterator, arithmetic::add(lower.clone(), trips))
}

fn compared(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    let kind = ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
    Expression { kind, scalar: Scalar::INT }
}

/// The opposite of a condition.
fn negated(condition: Expression) -> Expression {
    let ExpressionKind::Binary(operator, left, right) = condition.kind else {
        let kind = ExpressionKind::Unary(UnaryOperator::Not, Box::new(condition));
        return Expression { kind, scalar: Scalar::INT };
    };
    let is_float = left.scalar.is_float() || !left.scalar.is_integer();
    let opposite = match operator {
        BinaryOperator::Equal => Some(BinaryOperator::NotEqual),
        BinaryOperator::NotEqual => Some(BinaryOperator::Equal),
        // Of a NaN neither holds.
        _ if is_float => None,
        BinaryOperator::Less => Some(BinaryOperator::GreaterEqual),
        BinaryOperator::LessEqual => Some(BinaryOperator::Greater),
        BinaryOperator::Greater => Some(BinaryOperator::LessEqual),
        BinaryOperator::GreaterEqual => Some(BinaryOperator::Less),
        _ => None,
    };
    let same = Expression { kind: ExpressionKind::Binary(operator, left, right), scalar: condition.scalar };
    match (opposite, same.kind) {
        (Some(opposite), ExpressionKind::Binary(_, left, right)) => compared(opposite, *left, *right),
        (_, kind) => {
            let same = Expression { kind, scalar: same.scalar };
            Expression {
                kind: ExpressionKind::Unary(UnaryOperator::Not, Box::new(same)),
                scalar: Scalar::INT,
            }
        }
    }
}

/// A condition that holds for the first value, too, and else as before.
fn at_least_once(
    condition: &Expression,
    iterator: VariableId,
    lower: &Expression,
    step: i128,
) -> Option<Expression> {
    let ExpressionKind::Binary(operator, left, right) = &condition.kind else { return None };
    let is_iterator = |side: &Expression| matches!(ir::compare::stripped(side).kind, ExpressionKind::Iterator(id) if id == iterator);
    if !is_iterator(left) || left.scalar.is_unsigned() && *operator == BinaryOperator::NotEqual {
        return None;
    }
    let up = step > 0;
    let next = |by| arithmetic::add(lower.clone(), number(by));
    let bound = match operator {
        BinaryOperator::Less if up => arithmetic::greatest((**right).clone(), next(1)),
        BinaryOperator::NotEqual if step == 1 => arithmetic::greatest((**right).clone(), next(1)),
        BinaryOperator::LessEqual if up => arithmetic::greatest((**right).clone(), next(0)),
        BinaryOperator::Greater if !up => arithmetic::least((**right).clone(), next(-1)),
        BinaryOperator::NotEqual if step == -1 => arithmetic::least((**right).clone(), next(-1)),
        BinaryOperator::GreaterEqual if !up => arithmetic::least((**right).clone(), next(0)),
        _ => return None,
    };
    let operator = match operator {
        BinaryOperator::NotEqual if up => BinaryOperator::Less,
        BinaryOperator::NotEqual => BinaryOperator::Greater,
        operator => *operator,
    };
    Some(compared(operator, convert::convert((**left).clone(), Scalar::LONG), bound))
}
