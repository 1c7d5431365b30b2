//! `continue`, `return`, forward `goto` and `switch` as conditions: what a jump skips is executed in the other branch.
//!
//! Statements with jumps are read together with what follows them: `if (c) continue; rest` is `if (c) {} else { rest }`. What both
//! branches reach stands in both. A `return` inside a loop sets a flag and ends the loop; behind it the flag is tested.

use clang_ast::{Id, Kind};

use super::{
    ast::{Node, NodeExt},
    changes::is_once,
    reader::Reader,
    values::{Exit, Frame},
};
use crate::{
    ir::{
        self, Declaration, Expression, ExpressionKind, Position, Reference, Statement, Store, VariableId,
        types::Scalar,
    },
    rules::{Rejection, Rule},
};

/// Nodes of clang's tree that are read again for another branch.
const MAX_REPEATED: usize = 2000;

impl<'t> Reader<'_, 't> {
    /// Statements one after the other, which have jumps to their end as `exit` says.
    pub(super) fn sequence(&mut self, nodes: &[&'t Node], exit: Exit) -> Result<Vec<ir::Node>, Rejection> {
        let mut out = Vec::new();
        self.frames.push(Frame { rest: Vec::new(), is_last: true, exit });
        let read = self.statements(nodes, &mut out);
        self.frames.pop();
        read.map(|()| out)
    }

    /// Statements, and what follows them.
    fn statements(&mut self, nodes: &[&'t Node], out: &mut Vec<ir::Node>) -> Result<(), Rejection> {
        for (index, node) in nodes.iter().enumerate() {
            let rest = &nodes[index + 1..];
            match node.kind {
                Kind::ContinueStmt => {
                    return self.jump(
                        node,
                        |exit| matches!(exit, Exit::Continue | Exit::Switch { is_once: true }),
                        out,
                    );
                }
                Kind::BreakStmt if self.breaks_switch() => {
                    return self.jump(node, |exit| matches!(exit, Exit::Switch { .. }), out);
                }
                Kind::BreakStmt => {
                    out.push(ir::Node::Break(self.at(node)));
                    return Ok(());
                }
                Kind::ReturnStmt => {
                    self.with_effects(out, |reader, made| reader.returned(node, made))?;
                    if let Some(flag) = self.region.returned.as_ref().map(|returned| returned.flag)
                        && self.inlined.is_empty()
                    {
                        self.set_flag(flag, self.at(node), out);
                    }
                    return self.jump(node, |exit| matches!(exit, Exit::Return { .. }), out);
                }
                Kind::GotoStmt => return self.jump_to_label(node, rest, out),
                _ if self.is_structured(node) => self.statement(node, out)?,
                _ if is_loop(node) && !self.escapes(node) => self.statement(node, out)?,
                _ if !self.escapes(node) => {
                    let exit = self.exit_of(node);
                    self.frames.push(Frame { rest: Vec::new(), is_last: true, exit });
                    let read = self.lower_inside(node, out);
                    self.frames.pop();
                    read?;
                }
                _ => {
                    let exit = self.exit_of(node);
                    self.frames.push(Frame { rest: rest.to_vec(), is_last: false, exit });
                    let read = self.lower_inside(node, out);
                    self.frames.pop();
                    return read;
                }
            }
        }
        self.go_on(out)
    }

    /// What follows the innermost statements that have jumps.
    fn go_on(&mut self, out: &mut Vec<ir::Node>) -> Result<(), Rejection> {
        match self.frames.pop() {
            Some(frame) if !frame.is_last => {
                let read = self.read_again(&frame.rest).and_then(|()| self.statements(&frame.rest, out));
                self.frames.push(frame);
                read
            }
            frame => {
                self.frames.extend(frame);
                Ok(())
            }
        }
    }

    /// Counts what is read for another branch.
    fn read_again(&mut self, statements: &[&Node]) -> Result<(), Rejection> {
        let Some(first) = statements.first() else { return Ok(()) };
        if !self.read.insert(first.id) {
            self.repeated += statements.iter().map(|node| nodes(node)).sum::<usize>();
        }
        match self.repeated > MAX_REPEATED {
            true => Err(Rejection::new(Rule::Limits, self.at(first), "too many jumps past this")),
            false => Ok(()),
        }
    }

    /// Whether a statement has no jumps but those of its own loops, and `break` of the loop around.
    fn is_structured(&self, node: &Node) -> bool {
        is_structured(node) && !(self.breaks_switch() && has_break(node))
    }

    fn exit_of(&self, node: &Node) -> Exit {
        match node.kind {
            Kind::SwitchStmt => Exit::Switch { is_once: false },
            Kind::DoStmt if is_once(node) => Exit::Switch { is_once: true },
            _ => Exit::End,
        }
    }

    /// Whether the innermost loop or `switch` around is a `switch`.
    fn breaks_switch(&self) -> bool {
        let around =
            self.frames.iter().rev().find(|frame| {
                matches!(frame.exit, Exit::Continue | Exit::Switch { .. } | Exit::Return { .. })
            });
        around.is_some_and(|frame| matches!(frame.exit, Exit::Switch { .. }))
    }

    /// Goes on behind the innermost statements that end so.
    fn jump(
        &mut self,
        node: &'t Node,
        is_end: impl Fn(&Exit) -> bool,
        out: &mut Vec<ir::Node>,
    ) -> Result<(), Rejection> {
        let Some(place) = self.frames.iter().rposition(|frame| is_end(&frame.exit)) else {
            return self.model(node, "a jump out of the region");
        };
        let inside = &self.frames[place + 1..];
        if inside.iter().any(|frame| frame.exit == Exit::Continue) {
            let Exit::Return { flag: Some(flag) } = self.frames[place].exit else {
                return self.model(node, "a jump out of a loop");
            };
            let at = self.at(node);
            if !self.inlined.is_empty() {
                self.set_flag(flag, at, out);
            }
            out.push(ir::Node::Break(at));
            return Ok(());
        }
        if inside.iter().any(|frame| frame.is_last) {
            return self.model(node, "a jump of this kind");
        }
        let inside = self.frames.split_off(place + 1);
        let read = self.go_on(out);
        self.frames.extend(inside);
        read
    }

    fn set_flag(&mut self, flag: VariableId, at: Position, out: &mut Vec<ir::Node>) {
        let target = Reference { variable: flag, path: Vec::new(), scalar: Scalar::INT, at };
        self.note_write(&target);
        let value = Expression::integer(1, Scalar::INT);
        out.push(ir::Node::Statement(Statement { target, store: Store::Assign, value, at }));
    }

    fn jump_to_label(
        &mut self,
        node: &'t Node,
        rest: &[&'t Node],
        out: &mut Vec<ir::Node>,
    ) -> Result<(), Rejection> {
        let is_label =
            |other: &&Node| other.is(Kind::LabelStmt) && other.decl_id == node.target_label_decl_id;
        let skipped =
            |reader: &Self, skipped: &[&'t Node]| match skipped.iter().any(|node| node.is(Kind::DeclStmt)) {
                true => reader.model(node, "a `goto` past a declaration"),
                false => Ok(()),
            };
        if let Some(label) = rest.iter().position(&is_label) {
            skipped(self, &rest[..label])?;
            return self.statements(&rest[label..], out);
        }
        for place in (0..self.frames.len()).rev() {
            let frame = &self.frames[place];
            if let Some(label) = frame.rest.iter().position(&is_label) {
                skipped(self, &frame.rest[..label])?;
                let target = frame.rest[label..].to_vec();
                let inside = self.frames.split_off(place);
                let read = self.read_again(&target).and_then(|()| self.statements(&target, out));
                self.frames.extend(inside);
                return read;
            }
            if frame.is_last {
                break;
            }
        }
        self.model(node, "a `goto` back, or out of a loop or of the region")
    }

    /// Whether a jump inside a statement goes beyond its end.
    fn escapes(&self, node: &Node) -> bool {
        let mut labels = Vec::new();
        add_labels(node, &mut labels);
        escapes(node, &labels, false, false, self.breaks_switch())
    }

    /// A statement with jumps, and what follows it.
    fn lower_inside(&mut self, node: &'t Node, out: &mut Vec<ir::Node>) -> Result<(), Rejection> {
        let node = node.bare();
        match node.kind {
            Kind::CompoundStmt => self.nested(node, |reader| reader.statements(&Self::children(node), out)),
            Kind::LabelStmt | Kind::AttributedStmt => match node.inner.last() {
                Some(inner) => self.nested(node, |reader| reader.statements(&[inner], out)),
                None => self.go_on(out),
            },
            Kind::DoStmt if is_once(node) => match node.child(0) {
                Some(inner) => self.nested(node, |reader| reader.statements(&[inner], out)),
                None => self.go_on(out),
            },
            Kind::IfStmt => self.lower_if(node, out),
            Kind::SwitchStmt => self.lower_switch(node, out),
            _ if is_loop(node) => {
                self.statement(node, out)?;
                let target = self.frames.iter().rev().find(|frame| matches!(frame.exit, Exit::Return { .. }));
                let Some(Exit::Return { flag: Some(flag) }) = target.map(|frame| frame.exit) else {
                    return self.model(node, "a jump out of a loop");
                };
                let at = self.at(node);
                let [left, stayed] = self.branches([
                    &mut |reader| {
                        let mut left = Vec::new();
                        reader.leave_on(node, &mut left)?;
                        Ok(left)
                    },
                    &mut |reader| {
                        let mut stayed = Vec::new();
                        reader.nested(node, |reader| reader.go_on(&mut stayed))?;
                        Ok(stayed)
                    },
                ])?;
                if !left.is_empty() || !stayed.is_empty() {
                    let condition = self.value_of(flag, at);
                    out.push(ir::Node::either(condition, left, stayed, at));
                }
                Ok(())
            }
            kind => self.model(node, format!("a jump out of a statement of this kind ({kind:?})")),
        }
    }

    /// Behind a loop that a `return` has left: the loop around it, if there is one, is left, too.
    fn leave_on(&mut self, node: &'t Node, out: &mut Vec<ir::Node>) -> Result<(), Rejection> {
        let place = self.frames.iter().rposition(|frame| matches!(frame.exit, Exit::Return { .. }));
        let inside = &self.frames[place.map_or(0, |place| place + 1)..];
        if inside.iter().any(|frame| frame.exit == Exit::Continue) {
            out.push(ir::Node::Break(self.at(node)));
            return Ok(());
        }
        self.jump(node, |exit| matches!(exit, Exit::Return { .. }), out)
    }

    fn lower_if(&mut self, node: &'t Node, out: &mut Vec<ir::Node>) -> Result<(), Rejection> {
        let at = self.at(node);
        if node.has_init || node.has_var {
            return self.model(node, "a declaration in an `if`");
        }
        let Some(condition) = node.child(0) else { return self.model(node, "an `if` without a condition") };
        let condition = self.branch_condition(condition, out)?;
        let branch = |reader: &mut Self, branch: Option<&'t Node>| {
            let branch: Vec<&'t Node> = branch.into_iter().collect();
            let mut body = Vec::new();
            reader.nested(node, |reader| reader.statements(&branch, &mut body))?;
            Ok(body)
        };
        let otherwise = node.child(2).filter(|_| node.has_else);
        let [then, otherwise] = self
            .branches([&mut |reader| branch(reader, node.child(1)), &mut |reader| {
                branch(reader, otherwise)
            }])?;
        out.push(ir::Node::either(condition, then, otherwise, at));
        Ok(())
    }

    /// `switch` as one `if` behind the other; a case that falls through goes on with those behind it.
    fn lower_switch(&mut self, node: &'t Node, out: &mut Vec<ir::Node>) -> Result<(), Rejection> {
        let at = self.at(node);
        if node.has_init || node.has_var {
            return self.model(node, "a declaration in a `switch`");
        }
        let (Some(value), Some(body)) =
            (node.child(0), node.child(1).filter(|body| body.is(Kind::CompoundStmt)))
        else {
            return self.model(node, "a `switch` without a block");
        };
        let (mut statements, mut cases) = (Vec::new(), Vec::new());
        for child in Self::children(body) {
            let mut inner = child;
            while matches!(inner.kind, Kind::CaseStmt | Kind::DefaultStmt) {
                let (label, of_case) = match (inner.kind, &inner.inner[..]) {
                    (Kind::CaseStmt, [label, of_case]) => (Some(label), of_case),
                    (Kind::DefaultStmt, [of_case]) => (None, of_case),
                    _ => return self.model(inner, "a range of cases"),
                };
                cases.push((statements.len(), label));
                inner = of_case;
            }
            if inner.is(Kind::DeclStmt) {
                return self
                    .model(inner, "a declaration among the cases of a `switch`; hint: put braces around it");
            }
            statements.push(inner);
        }
        let value = self.branch_condition(value, out)?;
        let scalar = value.scalar;
        let variable = self.own_variable("switched", node.id, scalar);
        out.push(ir::Node::Declaration(Declaration { variable, value: Some(value), at }));
        self.cases(node, (variable, scalar), &statements, &cases, out)
    }

    fn cases(
        &mut self,
        node: &'t Node,
        (variable, scalar): (VariableId, Scalar),
        statements: &[&'t Node],
        cases: &[(usize, Option<&'t Node>)],
        out: &mut Vec<ir::Node>,
    ) -> Result<(), Rejection> {
        let at = self.at(node);
        // The default is last, wherever it stands.
        let labels = || cases.iter().filter_map(|(place, label)| Some((*place, (*label)?)));
        let Some((place, _)) = labels().next() else {
            return match cases.first() {
                Some((place, _)) => self.nested(node, |reader| reader.statements(&statements[*place..], out)),
                None => self.go_on(out),
            };
        };
        let value = self.value_of(variable, at);
        let is_default = cases.iter().any(|(other, label)| *other == place && label.is_none());
        let mut condition: Option<Expression> = None;
        for (_, label) in labels().filter(|(other, _)| *other == place && !is_default) {
            let label = ir::convert::convert(self.expression(label)?, scalar);
            let equal = |left: Expression, operator, right: Expression| Expression {
                kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)),
                scalar: Scalar::INT,
            };
            let one = equal(value.clone(), ir::BinaryOperator::Equal, label);
            condition = Some(match condition {
                Some(others) => equal(others, ir::BinaryOperator::LogicalOr, one),
                None => one,
            });
        }
        // Labels beside the default are the default.
        let rest: Vec<_> = cases
            .iter()
            .filter(|(other, label)| *other != place || is_default && label.is_none())
            .copied()
            .collect();
        let Some(condition) = condition else {
            return self.cases(node, (variable, scalar), statements, &rest, out);
        };
        let [then, otherwise] = self.branches([
            &mut |reader| {
                let mut body = Vec::new();
                reader.nested(node, |reader| reader.statements(&statements[place..], &mut body))?;
                Ok(body)
            },
            &mut |reader| {
                let mut body = Vec::new();
                reader.nested(node, |reader| {
                    reader.cases(node, (variable, scalar), statements, &rest, &mut body)
                })?;
                Ok(body)
            },
        ])?;
        out.push(ir::Node::either(condition, then, otherwise, at));
        Ok(())
    }
}

fn is_loop(node: &Node) -> bool {
    matches!(node.kind, Kind::ForStmt | Kind::WhileStmt | Kind::DoStmt) && !is_once(node)
}

pub(super) fn nodes(node: &Node) -> usize {
    1 + node.inner.iter().map(nodes).sum::<usize>()
}

/// Whether a statement has no jumps but those of its own loops.
fn is_structured(node: &Node) -> bool {
    fn inside(node: &Node, in_loop: bool) -> bool {
        match node.kind {
            Kind::ReturnStmt | Kind::GotoStmt | Kind::LabelStmt | Kind::SwitchStmt => false,
            Kind::ContinueStmt => in_loop,
            // A jump out of it would leave the loop around.
            Kind::DoStmt if is_once(node) => {
                !node.inner.iter().any(has_break) && node.inner.iter().all(|child| inside(child, in_loop))
            }
            Kind::ForStmt | Kind::WhileStmt | Kind::DoStmt => {
                node.inner.iter().all(|child| inside(child, true))
            }
            _ => node.inner.iter().all(|child| inside(child, in_loop)),
        }
    }
    inside(node, false)
}

/// Whether a loop of a function is left by `return`.
pub(super) fn returns_in_loop(node: &Node) -> bool {
    fn inside(node: &Node, in_loop: bool) -> bool {
        let in_loop = in_loop || is_loop(node);
        node.is(Kind::ReturnStmt) && in_loop || node.inner.iter().any(|child| inside(child, in_loop))
    }
    inside(node, false)
}

/// Whether a statement has a `break` or a `continue` of its own.
pub(super) fn has_break(node: &Node) -> bool {
    match node.kind {
        Kind::BreakStmt | Kind::ContinueStmt => true,
        Kind::ForStmt | Kind::WhileStmt | Kind::DoStmt | Kind::SwitchStmt => false,
        _ => node.inner.iter().any(has_break),
    }
}

fn add_labels(node: &Node, labels: &mut Vec<Option<Id>>) {
    if node.is(Kind::LabelStmt) {
        labels.push(node.decl_id);
    }
    node.inner.iter().for_each(|child| add_labels(child, labels));
}

fn escapes(node: &Node, labels: &[Option<Id>], in_loop: bool, in_switch: bool, of_switch: bool) -> bool {
    match node.kind {
        Kind::ReturnStmt => true,
        Kind::GotoStmt => !labels.contains(&node.target_label_decl_id),
        Kind::ContinueStmt => !in_loop,
        Kind::BreakStmt => !in_loop && !in_switch && of_switch,
        _ => {
            let (in_loop, in_switch) = match node.kind {
                _ if is_loop(node) => (true, false),
                // `continue` ends it, too.
                Kind::DoStmt => (true, true),
                Kind::SwitchStmt => (in_loop, true),
                _ => (in_loop, in_switch),
            };
            node.inner.iter().any(|child| escapes(child, labels, in_loop, in_switch, of_switch))
        }
    }
}
