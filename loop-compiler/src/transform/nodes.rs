//! Loops by number, as an [`crate::Analysis`] has them, and expressions in place of iterators.

use crate::analysis::AnalysisError;
use crate::ir::{
    BinaryOperator, Expression, ExpressionKind, Loop, Node, Position, Reference, Region, Store, VariableId,
    arithmetic::{self, constant},
    compare::same_reference,
    for_each_mut, loops,
    types::Scalar,
    walk, walk_iteration,
};

/// The loop of a number.
pub(crate) fn loop_at(region: &Region, index: usize) -> Option<&Loop> {
    loops(&region.body).nth(index)
}

/// Puts nodes in place of the loop of a number.
pub(crate) fn replace(region: &mut Region, index: usize, with: Vec<Node>) {
    fn visit(nodes: &mut Vec<Node>, left: &mut usize, with: &mut Option<Vec<Node>>) {
        let mut place = 0;
        while place < nodes.len() && with.is_some() {
            if matches!(nodes[place], Node::Loop(_)) {
                if *left == 0 {
                    nodes.splice(place..=place, with.take().unwrap_or_default());
                    return;
                }
                *left -= 1;
            }
            nodes[place].bodies_mut().for_each(|body| visit(body, left, with));
            place += 1;
        }
    }
    visit(&mut region.body, &mut { index }, &mut Some(with));
}

/// Whether nodes use a variable or iterator.
pub(crate) fn uses(nodes: &[Node], variable: VariableId) -> bool {
    walk(nodes).any(|node| match node {
        // Their variables are not transformed.
        Node::Private(_) | Node::ReduceDimension(_) => true,
        _ => {
            node.target().is_some_and(|target| target.variable == variable)
                || node.expressions().into_iter().any(|value| value.mentions(variable))
        }
    })
}

/// Nodes with a value in place of an iterator.
pub(crate) fn substituted(nodes: &[Node], iterator: VariableId, value: &Expression) -> Vec<Node> {
    let value = |id: VariableId| (id == iterator).then(|| value.clone());
    Change { value: &value, ..Change::NONE }.nodes(nodes)
}

/// An expression with a value in place of an iterator or variable.
pub(crate) fn in_expression(old: &Expression, iterator: VariableId, value: &Expression) -> Expression {
    let value = |id: VariableId| (id == iterator).then(|| value.clone());
    Change { value: &value, ..Change::NONE }.expression(old)
}

/// An expression with values in place of iterators, all at once.
pub(crate) fn substituted_in(old: &Expression, values: &[(VariableId, Expression)]) -> Expression {
    let value =
        |id: VariableId| values.iter().find(|(other, _)| *other == id).map(|(_, value)| value.clone());
    Change { value: &value, ..Change::NONE }.expression(old)
}

/// Nodes with values in place of variables in subscripts, bounds of loops and conditions, but not in what is stored.
pub(super) fn substituted_in_subscripts(nodes: &[Node], values: &[(VariableId, Expression)]) -> Vec<Node> {
    let value =
        |id: VariableId| values.iter().find(|(other, _)| *other == id).map(|(_, value)| value.clone());
    Change { value: &value, stored: false, ..Change::NONE }.nodes(nodes)
}

/// Whether a loop has an iteration.
pub(crate) fn first_condition(looped: &Loop) -> Expression {
    in_expression(&looped.condition, looped.iterator, &looped.lower)
}

/// Whether nodes of a loop's body leave it.
pub(crate) fn has_break(nodes: &[Node]) -> bool {
    walk_iteration(nodes).any(|node| matches!(node, Node::Break(_)))
}

/// Nodes that are executed under a condition; without it if there is none, or if it is known to hold.
pub(crate) fn where_executed(
    condition: impl Into<Option<Expression>>,
    nodes: Vec<Node>,
    at: Position,
) -> Vec<Node> {
    let Some(condition) = condition.into() else { return nodes };
    let holds = match &condition.kind {
        ExpressionKind::Binary(operator, left, right) => match (constant(left), constant(right), operator) {
            (Some(left), Some(right), BinaryOperator::Less) => left < right,
            (Some(left), Some(right), BinaryOperator::LessEqual) => left <= right,
            _ => false,
        },
        _ => false,
    };
    match holds {
        true => nodes,
        false => vec![Node::guarded(condition, nodes, at)],
    }
}

/// Nodes in which variables from a number on have greater numbers.
pub(crate) fn renumbered(nodes: &[Node], from: usize, by: usize) -> Vec<Node> {
    let id = |id: VariableId| VariableId(if id.0 >= from { id.0 + by } else { id.0 });
    Change { id: &id, ..Change::NONE }.nodes(nodes)
}

/// Nodes with a variable in place of another one.
pub(crate) fn renamed(nodes: &[Node], from: VariableId, to: VariableId) -> Vec<Node> {
    let id = |id: VariableId| if id == from { to } else { id };
    Change { id: &id, ..Change::NONE }.nodes(nodes)
}

/// Nodes with a reference in place of those that are written like another one.
pub(crate) fn with_reference(nodes: &[Node], from: &Reference, to: &Reference) -> Vec<Node> {
    Change { reference: Some((from, to)), ..Change::NONE }.nodes(nodes)
}

/// An expression with a reference in place of those that are written like another one.
pub(crate) fn reference_in(old: &Expression, from: &Reference, to: &Reference) -> Expression {
    Change { reference: Some((from, to)), ..Change::NONE }.expression(old)
}

/// What becomes of variables.
struct Change<'c> {
    /// A value in place of an iterator or scalar.
    value: &'c dyn Fn(VariableId) -> Option<Expression>,
    id: &'c dyn Fn(VariableId) -> VariableId,
    /// Whether values that are stored change, outside of their subscripts.
    stored: bool,
    /// A reference, and what stands in its place.
    reference: Option<(&'c Reference, &'c Reference)>,
}

impl Change<'_> {
    const NONE: Change<'static> = Change { value: &|_| None, id: &|id| id, stored: true, reference: None };

    fn nodes(&self, nodes: &[Node]) -> Vec<Node> {
        let mut out = nodes.to_vec();
        for_each_mut(&mut out, &mut |node| self.node(node));
        out
    }

    fn node(&self, node: &mut Node) {
        match node {
            Node::Loop(looped) => looped.iterator = (self.id)(looped.iterator),
            Node::Statement(statement) => {
                statement.target = self.reference(&statement.target);
                statement.value = self.stored(&statement.value);
                if let Store::Reduce { init, .. } = &mut statement.store {
                    *init = self.stored(init);
                }
            }
            Node::Declaration(declaration) => {
                declaration.variable = (self.id)(declaration.variable);
                declaration.value = declaration.value.as_ref().map(|value| self.stored(value));
            }
            _ => {}
        }
        if matches!(node, Node::Loop(_) | Node::If(_)) {
            node.change_expressions(|value| self.expression(value));
        }
    }

    fn stored(&self, value: &Expression) -> Expression {
        match &value.kind {
            _ if self.stored => self.expression(value),
            ExpressionKind::Read(read) => {
                Expression { kind: ExpressionKind::Read(self.reference(read)), scalar: value.scalar }
            }
            _ => value.map_operands(|operand| self.stored(operand)),
        }
    }

    fn reference(&self, reference: &Reference) -> Reference {
        if let Some((from, to)) = self.reference
            && same_reference(reference, from, None)
        {
            return to.clone();
        }
        let variable = (self.id)(reference.variable);
        Reference { variable, ..reference.map_subscripts(|index| self.expression(index)) }
    }

    fn expression(&self, old: &Expression) -> Expression {
        let value = match &old.kind {
            ExpressionKind::Iterator(id) => (self.value)(*id),
            ExpressionKind::Read(read) => (self.value)(read.variable).filter(|_| read.path.is_empty()),
            _ => None,
        };
        let kind = match (value, &old.kind) {
            (Some(value), _) => return value,
            (None, ExpressionKind::Iterator(id)) => ExpressionKind::Iterator((self.id)(*id)),
            (None, ExpressionKind::Read(read)) => ExpressionKind::Read(self.reference(read)),
            (None, _) => return shortened(old.map_operands(|operand| self.expression(operand)), old),
        };
        Expression { kind, scalar: old.scalar }
    }
}

/// A difference of values that have taken the places of names: they may have the same terms.
fn shortened(value: Expression, old: &Expression) -> Expression {
    match &value.kind {
        ExpressionKind::Binary(BinaryOperator::Subtract, left, right)
            if value.scalar == Scalar::LONG && value != *old =>
        {
            arithmetic::without_common(left, right).unwrap_or(value)
        }
        _ => value,
    }
}

/// The region with what is made of each of its outermost loops; none if nothing is.
pub(crate) fn of_each_nest(
    region: &Region,
    mut made: impl FnMut(&Region) -> Result<Option<Region>, AnalysisError>,
) -> Result<Option<Region>, AnalysisError> {
    let mut out = Region { body: Vec::new(), ..region.clone() };
    let mut is_changed = false;
    for node in &region.body {
        let alone = Region { body: vec![node.clone()], ..out.clone() };
        match made(&alone)? {
            Some(made) => {
                out.variables = made.variables;
                out.body.extend(made.body);
                is_changed = true;
            }
            None => out.body.push(node.clone()),
        }
    }
    Ok(is_changed.then_some(out))
}
