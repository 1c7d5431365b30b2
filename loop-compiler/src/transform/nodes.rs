//! Loops by number, as an [`crate::Analysis`] has them, and expressions in place of iterators.

use crate::tree::{
    Declaration, Expression, ExpressionKind, If, Loop, Node, Reference, Region, Statement, Step, Store,
    VariableId,
};

/// The loop of a number.
pub(crate) fn loop_at(region: &Region, index: usize) -> Option<&Loop> {
    fn find<'r>(nodes: &'r [Node], left: &mut usize) -> Option<&'r Loop> {
        nodes.iter().find_map(|node| match node {
            Node::Loop(looped) => {
                if *left == 0 {
                    return Some(looped);
                }
                *left -= 1;
                find(&looped.body, left)
            }
            Node::If(guard) => find(&guard.then, left).or_else(|| find(&guard.otherwise, left)),
            _ => None,
        })
    }
    find(&region.body, &mut { index })
}

/// Puts nodes in place of the loop of a number.
pub(crate) fn replace(region: &mut Region, index: usize, with: Vec<Node>) {
    fn visit(nodes: &mut Vec<Node>, left: &mut usize, with: &mut Option<Vec<Node>>) {
        let mut place = 0;
        while place < nodes.len() && with.is_some() {
            match &mut nodes[place] {
                Node::Loop(_) if *left == 0 => {
                    nodes.splice(place..=place, with.take().unwrap_or_default());
                    return;
                }
                Node::Loop(looped) => {
                    *left -= 1;
                    visit(&mut looped.body, left, with);
                }
                Node::If(guard) => {
                    visit(&mut guard.then, left, with);
                    visit(&mut guard.otherwise, left, with);
                }
                _ => {}
            }
            place += 1;
        }
    }
    visit(&mut region.body, &mut { index }, &mut Some(with));
}

/// Whether an expression uses a variable or iterator.
pub(crate) fn mentions(value: &Expression, variable: VariableId) -> bool {
    match &value.kind {
        ExpressionKind::Iterator(id) => *id == variable,
        ExpressionKind::Read(read) => {
            read.variable == variable || read.subscripts().any(|subscript| mentions(subscript, variable))
        }
        ExpressionKind::Unary(_, inner) | ExpressionKind::Cast(inner) => mentions(inner, variable),
        ExpressionKind::Binary(_, left, right) => mentions(left, variable) || mentions(right, variable),
        ExpressionKind::Select(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().any(|part| mentions(part, variable))
        }
        ExpressionKind::Call(_, arguments) => arguments.iter().any(|argument| mentions(argument, variable)),
        ExpressionKind::Integer(_) | ExpressionKind::Float(_) | ExpressionKind::Imaginary(_) => false,
    }
}

/// Whether nodes use a variable or iterator.
pub(super) fn uses(nodes: &[Node], variable: VariableId) -> bool {
    let in_reference = |reference: &Reference| {
        reference.variable == variable
            || reference.subscripts().any(|subscript| mentions(subscript, variable))
    };
    nodes.iter().any(|node| match node {
        Node::Loop(looped) => {
            [&looped.lower, &looped.condition, &looped.step].into_iter().any(|part| mentions(part, variable))
                || uses(&looped.body, variable)
        }
        Node::If(guard) => {
            mentions(&guard.condition, variable)
                || uses(&guard.then, variable)
                || uses(&guard.otherwise, variable)
        }
        Node::Statement(statement) => in_reference(&statement.target) || mentions(&statement.value, variable),
        Node::Declaration(declaration) => {
            declaration.value.as_ref().is_some_and(|value| mentions(value, variable))
        }
        Node::Break(_) => false,
        // Their variables are not transformed.
        Node::Private(_) | Node::ReduceDimension(_) => true,
    })
}

/// Nodes with a value in place of an iterator.
pub(super) fn substituted(nodes: &[Node], iterator: VariableId, value: &Expression) -> Vec<Node> {
    let expression = |old: &Expression| in_expression(old, iterator, value);
    let all = |nodes: &[Node]| substituted(nodes, iterator, value);
    nodes
        .iter()
        .map(|node| match node {
            Node::Loop(looped) => Node::Loop(Loop {
                lower: expression(&looped.lower),
                condition: expression(&looped.condition),
                step: expression(&looped.step),
                body: all(&looped.body),
                ..looped.clone()
            }),
            Node::If(guard) => Node::If(If {
                condition: expression(&guard.condition),
                then: all(&guard.then),
                otherwise: all(&guard.otherwise),
                at: guard.at,
            }),
            Node::Statement(statement) => Node::Statement(Statement {
                target: in_reference(&statement.target, iterator, value),
                store: match &statement.store {
                    Store::Reduce { operator, init } => {
                        Store::Reduce { operator: *operator, init: expression(init) }
                    }
                    other => other.clone(),
                },
                value: expression(&statement.value),
                at: statement.at,
            }),
            Node::Declaration(declaration) => Node::Declaration(Declaration {
                value: declaration.value.as_ref().map(expression),
                ..declaration.clone()
            }),
            Node::Break(_) | Node::Private(_) | Node::ReduceDimension(_) => node.clone(),
        })
        .collect()
}

fn in_reference(reference: &Reference, iterator: VariableId, value: &Expression) -> Reference {
    let path = reference.path.iter().map(|step| match step {
        Step::Index(index) => Step::Index(in_expression(index, iterator, value)),
        member => member.clone(),
    });
    Reference { path: path.collect(), ..reference.clone() }
}

fn in_expression(old: &Expression, iterator: VariableId, value: &Expression) -> Expression {
    let part = |part: &Expression| Box::new(in_expression(part, iterator, value));
    let kind = match &old.kind {
        ExpressionKind::Iterator(id) if *id == iterator => return value.clone(),
        ExpressionKind::Read(read) => ExpressionKind::Read(in_reference(read, iterator, value)),
        ExpressionKind::Unary(operator, inner) => ExpressionKind::Unary(*operator, part(inner)),
        ExpressionKind::Binary(operator, left, right) => {
            ExpressionKind::Binary(*operator, part(left), part(right))
        }
        ExpressionKind::Select(condition, then, otherwise) => {
            ExpressionKind::Select(part(condition), part(then), part(otherwise))
        }
        ExpressionKind::Cast(inner) => ExpressionKind::Cast(part(inner)),
        ExpressionKind::Call(name, arguments) => ExpressionKind::Call(
            name.clone(),
            arguments.iter().map(|argument| in_expression(argument, iterator, value)).collect(),
        ),
        other => other.clone(),
    };
    Expression { kind, scalar: old.scalar }
}
