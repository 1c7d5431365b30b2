//! The first and the last iterations of parallel loops on their own, where these alone meet a condition, or are at the end
//! of an array whose elements follow each other in a ring.
//!
//! Of `for (i = 0; …; i++) if (i != 2) …` compilers execute the first three iterations apart, so that the others are
//! without a condition and become vectors, and of `a[(i + 1) % N]` the last. They cannot if threads begin anywhere.

use crate::cost::policy::{GREATEST_PEELED, PEELED};
use crate::ir::{
    BinaryOperator, Expression, ExpressionKind, Loop, LoopAttributes, Node, Region, Store, VariableId,
    arithmetic::constant,
    compare::{mirrored, stripped},
    rewrite,
    types::Scalar,
    walk,
};

/// The region with such iterations of innermost parallel loops before and after these, executed by one thread.
pub(crate) fn peeled(region: &Region, allowed: &Allowed<'_>) -> Region {
    let mut out = region.clone();
    out.body = all(out.body, allowed);
    out
}

/// What may be done with loops.
pub(crate) struct Allowed<'a> {
    /// Whether a loop with these attributes may be divided.
    pub attributes: &'a dyn Fn(&LoopAttributes) -> bool,
    /// Whether an innermost loop without conditions is one for the lanes of a vector.
    pub lanes: &'a dyn Fn(&Loop) -> bool,
}

fn all(nodes: Vec<Node>, allowed: &Allowed<'_>) -> Vec<Node> {
    nodes.into_iter().flat_map(|one| node(one, allowed)).collect()
}

fn node(old: Node, allowed: &Allowed<'_>) -> Vec<Node> {
    match old {
        Node::Loop(looped) if looped.parallel && (allowed.attributes)(&looped.attributes) => {
            apart(looped, allowed)
        }
        other => vec![other.map_bodies(|body| all(body, allowed))],
    }
}

fn apart(looped: Loop, allowed: &Allowed<'_>) -> Vec<Node> {
    let counts = looped.declares && constant(&looped.step) == Some(1);
    let lower = constant(stripped(&looped.lower)).filter(|lower| (0..=GREATEST_PEELED).contains(lower));
    let Some(lower) = lower.filter(|_| counts && is_simple(&looped.body)) else {
        return vec![Node::Loop(looped)];
    };
    let comparisons =
        conditions(&looped.body).into_iter().filter_map(|one| Comparison::of(one, looped.iterator));
    let decided = comparisons.map(|comparison| comparison.decided_from());
    let first = decided.filter(|from| (lower..=lower + PEELED).contains(from)).max().unwrap_or(lower);
    let end = Comparison::of(&looped.condition, looped.iterator)
        .filter(|comparison| comparison.relation == BinaryOperator::Less)
        .map(|comparison| comparison.constant);
    let past = end.map(|end| {
        let values = walk(&looped.body).flat_map(Node::expressions).flat_map(Expression::walk);
        let wraps =
            values.filter_map(|value| ring(value, looped.iterator)).map(|(_, offset, size)| size - offset);
        let late = wraps.filter(|wraps| (end - PEELED..end).contains(wraps) && *wraps > first);
        late.min().unwrap_or(end)
    });
    if first == lower && past == end {
        return vec![Node::Loop(looped)];
    }
    let scalar = looped.lower.scalar;
    let iterator = Expression { kind: ExpressionKind::Iterator(looped.iterator), scalar };
    let binary = |operator, left: Expression, right: Expression| Expression {
        kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)),
        scalar: Scalar::INT,
    };
    let is_below =
        |limit: i128| binary(BinaryOperator::Less, iterator.clone(), Expression::integer(limit, scalar));
    let mut out = Vec::new();
    if first > lower {
        let condition = binary(BinaryOperator::LogicalAnd, looped.condition.clone(), is_below(first));
        out.push(Node::Loop(Loop {
            parallel: false,
            attributes: LoopAttributes::default(),
            condition,
            ..looped.clone()
        }));
    }
    let range = Range { iterator: looped.iterator, first, past };
    let after = past.filter(|_| past != end).map(|past| {
        let lower = Expression::integer(past, scalar);
        Node::Loop(Loop { parallel: false, attributes: LoopAttributes::default(), lower, ..looped.clone() })
    });
    let has_branches = |nodes: &[Node]| nodes.iter().any(|node| matches!(node, Node::If(_)));
    let had_branches = has_branches(&looped.body);
    let mut rest = Loop {
        lower: Expression::integer(first, scalar),
        condition: past.filter(|_| past != end).map_or_else(|| looped.condition.clone(), is_below),
        body: range.nodes(&looped.body),
        ..looped
    };
    if had_branches && !has_branches(&rest.body) && rest.attributes.is_empty() && (allowed.lanes)(&rest) {
        rest.attributes = LoopAttributes::of_lanes();
    }
    out.push(Node::Loop(rest));
    out.extend(after);
    out
}

/// Whether nodes have no loops: those of the iterations that are apart would be executed by one thread.
fn is_simple(nodes: &[Node]) -> bool {
    walk(nodes).all(|node| matches!(node, Node::Statement(_) | Node::Declaration(_) | Node::If(_)))
}

/// The values of an iterator.
struct Range {
    iterator: VariableId,
    first: i128,
    /// The one after the last, if it is known.
    past: Option<i128>,
}

/// A value without conversions that keep all values from 0 on.
fn unconverted(mut value: &Expression) -> &Expression {
    while let ExpressionKind::Cast(inner) = &value.kind {
        let (scalar, from) = (value.scalar, inner.scalar);
        let is_wide = scalar != Scalar::Bool && scalar.is_unsigned() && scalar.size() >= from.size();
        if !scalar.is_integer() || !from.is_integer() || !scalar.holds_all_of(from) && !is_wide {
            break;
        }
        value = inner;
    }
    value
}

/// `(i + offset) % size` with constants that are not negative: the sum, and both.
fn ring(value: &Expression, iterator: VariableId) -> Option<(&Expression, i128, i128)> {
    let ExpressionKind::Binary(BinaryOperator::Remainder, sum, size) = &value.kind else { return None };
    let is_iterator = |side: &Expression| unconverted(side).kind == ExpressionKind::Iterator(iterator);
    let offset = match &unconverted(sum).kind {
        ExpressionKind::Binary(BinaryOperator::Add, left, right) if is_iterator(left) => {
            constant(unconverted(right)).filter(|offset| *offset >= 0)?
        }
        _ if is_iterator(sum) => 0,
        _ => return None,
    };
    let size = constant(unconverted(size)).filter(|size| *size > 0)?;
    (value.scalar == sum.scalar).then_some((&**sum, offset, size))
}

/// A comparison of an iterator with a constant that is not negative.
struct Comparison {
    relation: BinaryOperator,
    constant: i128,
}

impl Comparison {
    fn of(condition: &Expression, iterator: VariableId) -> Option<Comparison> {
        let ExpressionKind::Binary(relation, left, right) = &stripped(condition).kind else { return None };
        let is_iterator = |side: &Expression| unconverted(side).kind == ExpressionKind::Iterator(iterator);
        let (relation, limit) = match (is_iterator(left), is_iterator(right)) {
            (true, false) => (*relation, right),
            (false, true) => (mirrored(*relation), left),
            _ => return None,
        };
        let constant = constant(unconverted(limit)).filter(|constant| *constant >= 0)?;
        relation.is_comparison().then_some(Comparison { relation, constant })
    }

    /// From which value of the iterator on it has the same result.
    fn decided_from(&self) -> i128 {
        match self.relation {
            BinaryOperator::Less | BinaryOperator::GreaterEqual => self.constant,
            _ => self.constant + 1,
        }
    }

    fn holds_behind(&self) -> bool {
        use BinaryOperator::{Greater, GreaterEqual, NotEqual};
        matches!(self.relation, Greater | GreaterEqual | NotEqual)
    }
}

/// The conditions of guards, and of values that are chosen.
fn conditions(nodes: &[Node]) -> Vec<&Expression> {
    fn add<'e>(condition: &'e Expression, found: &mut Vec<&'e Expression>) {
        match &condition.kind {
            ExpressionKind::Binary(BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr, left, right) => {
                add(left, found);
                add(right, found);
            }
            _ => found.push(condition),
        }
    }
    let mut found = Vec::new();
    for node in walk(nodes) {
        if let Node::If(guard) = node {
            add(&guard.condition, &mut found);
        }
        for value in node.expressions().into_iter().flat_map(Expression::walk) {
            if let ExpressionKind::Select(condition, ..) = &value.kind {
                add(condition, &mut found);
            }
        }
    }
    found
}

impl Range {
    /// Nodes as they are for these values. There are no loops in what is simple.
    fn nodes(&self, old: &[Node]) -> Vec<Node> {
        rewrite(old.to_vec(), &mut |mut node| {
            match &mut node {
                // What is updated names its element twice.
                Node::Statement(statement) if statement.store != Store::Assign => {
                    statement.value = self.value(&statement.value);
                }
                node => node.change_expressions(|value| self.value(value)),
            }
            match node {
                Node::If(guard) => match constant(&guard.condition) {
                    Some(0) => guard.otherwise,
                    Some(_) => guard.then,
                    None => vec![Node::If(guard)],
                },
                other => vec![other],
            }
        })
    }

    fn value(&self, old: &Expression) -> Expression {
        let decided = Comparison::of(old, self.iterator)
            .filter(|comparison| comparison.decided_from() <= self.first && old.scalar == Scalar::INT);
        if let Some(comparison) = decided {
            return Expression::integer(i128::from(comparison.holds_behind()), Scalar::INT);
        }
        if let (Some((sum, offset, size)), Some(past)) = (ring(old, self.iterator), self.past)
            && past + offset <= size
        {
            return sum.clone();
        }
        let new = old.map_operands(|operand| self.value(operand));
        match &new.kind {
            ExpressionKind::Select(condition, then, otherwise) => match constant(condition) {
                Some(0) => (**otherwise).clone(),
                Some(_) => (**then).clone(),
                None => new,
            },
            ExpressionKind::Binary(
                operator @ (BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr),
                left,
                right,
            ) => {
                let decides = *operator == BinaryOperator::LogicalOr;
                match (constant(left).map(|left| left != 0), constant(right).map(|right| right != 0)) {
                    (Some(value), _) | (_, Some(value)) if value == decides => {
                        Expression::integer(i128::from(decides), Scalar::INT)
                    }
                    (Some(_), Some(_)) => Expression::integer(i128::from(!decides), Scalar::INT),
                    (Some(_), None) if is_truth(right) => (**right).clone(),
                    (None, Some(_)) if is_truth(left) => (**left).clone(),
                    _ => new,
                }
            }
            _ => new,
        }
    }
}

/// Whether a value is 0 or 1.
fn is_truth(value: &Expression) -> bool {
    match &value.kind {
        ExpressionKind::Binary(operator, ..) => {
            operator.is_comparison()
                || matches!(operator, BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr)
        }
        _ => false,
    }
}
