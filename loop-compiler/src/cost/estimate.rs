//! Values of expressions for assumed sizes.

use std::collections::BTreeMap;

use crate::{
    analysis::Options,
    ir::{
        BinaryOperator, Declaration, Expression, ExpressionKind, Node, Region, UnaryOperator, VariableId,
        walk,
    },
};

/// Values of iterators and variables.
pub(crate) type Values = BTreeMap<VariableId, f64>;

/// What variables are declared with.
pub(crate) type Declared<'t> = BTreeMap<VariableId, &'t Expression>;

/// What is assumed.
#[derive(Clone, Copy)]
pub(crate) struct Estimate<'e> {
    pub region: &'e Region,
    pub options: &'e Options,
    /// The value of sizes.
    pub assumed: f64,
    /// The number of threads: the value of variables from this number on.
    pub threads: f64,
    pub known: usize,
}

/// Whether a divisor is a size, or a multiple of one.
fn is_block(divisor: &Expression) -> bool {
    match &divisor.kind {
        ExpressionKind::Read(_) => true,
        ExpressionKind::Cast(inner) => is_block(inner),
        ExpressionKind::Binary(BinaryOperator::Multiply, left, right) => {
            let is_number = |side: &Expression| matches!(side.kind, ExpressionKind::Integer(_));
            is_number(left) && is_block(right) || is_block(left) && is_number(right)
        }
        _ => false,
    }
}

impl Estimate<'_> {
    pub fn value(&self, expression: &Expression, iterators: &Values, declared: &Declared<'_>) -> Option<f64> {
        let part = |part: &Expression| self.value(part, iterators, declared);
        Some(match &expression.kind {
            ExpressionKind::Integer(value) => *value as f64,
            ExpressionKind::Float(value) => *value,
            ExpressionKind::Iterator(id) => *iterators.get(id)?,
            // A size in a structure, or in an array: `m->rows`, `size[0]`.
            ExpressionKind::Read(read) if !read.path.is_empty() => {
                let is_size = read.scalar.is_integer()
                    && read.subscripts().all(|index| matches!(index.kind, ExpressionKind::Integer(_)));
                return is_size.then_some(self.assumed);
            }
            ExpressionKind::Read(read) => {
                let variable = self.region.variable(read.variable);
                if let Some(value) = declared.get(&read.variable) {
                    return part(value);
                }
                match (iterators.get(&read.variable), self.options.sizes.get(&variable.name)) {
                    (Some(value), _) => *value,
                    (None, Some(size)) => *size as f64,
                    (None, None) if read.variable.0 >= self.known => self.threads,
                    (None, None) => self.assumed,
                }
            }
            ExpressionKind::Cast(inner) => part(inner)?,
            ExpressionKind::Unary(UnaryOperator::Negate, inner) => -part(inner)?,
            // Blocks are taken to be as long as there are blocks: `n / block`.
            ExpressionKind::Binary(BinaryOperator::Divide, left, right) if is_block(right) => {
                let of_blocks = Estimate { assumed: self.assumed.sqrt(), ..*self };
                part(left)? / of_blocks.value(right, iterators, declared)?
            }
            ExpressionKind::Binary(operator, left, right) => {
                let (left, right) = (part(left)?, part(right)?);
                let truth = |holds: bool| f64::from(u8::from(holds));
                match operator {
                    BinaryOperator::Add => left + right,
                    BinaryOperator::Subtract => left - right,
                    BinaryOperator::Multiply => left * right,
                    BinaryOperator::Divide => left / right,
                    BinaryOperator::Less => truth(left < right),
                    BinaryOperator::LessEqual => truth(left <= right),
                    BinaryOperator::Greater => truth(left > right),
                    BinaryOperator::GreaterEqual => truth(left >= right),
                    BinaryOperator::Equal => truth(left == right),
                    BinaryOperator::LogicalAnd => truth(left != 0.0 && right != 0.0),
                    BinaryOperator::LogicalOr => truth(left != 0.0 || right != 0.0),
                    _ => return None,
                }
            }
            ExpressionKind::Select(condition, then, otherwise) => {
                if part(condition)? != 0.0 {
                    part(then)?
                } else {
                    part(otherwise)?
                }
            }
            _ => return None,
        })
    }

    /// For each private memory of the region its elements and the bytes of one.
    pub fn copies(&self, iterators: &Values) -> Vec<(f64, f64)> {
        let (mut declared, mut found) = (BTreeMap::new(), Vec::new());
        for node in walk(&self.region.body) {
            match node {
                Node::Declaration(Declaration { variable, value: Some(value), .. }) => {
                    declared.insert(*variable, value);
                }
                Node::Private(private) => found.push(private.variable),
                _ => {}
            }
        }
        let size = |id: VariableId| {
            let variable = self.region.variable(id);
            let extents = variable.extents.iter().flatten();
            let value = |extent| self.value(extent, iterators, &declared).unwrap_or(self.assumed);
            (extents.map(value).product(), variable.scalar.size() as f64)
        };
        found.into_iter().map(size).collect()
    }
}
