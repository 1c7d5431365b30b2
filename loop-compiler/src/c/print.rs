//! The loop tree as C.

use std::fmt::Write;

use crate::tree::{
    BinaryOperator, Expression, ExpressionKind, If, Loop, Node, Reference, Region, Statement, Step, Store,
    UnaryOperator, VariableId,
};
use crate::types::Scalar;

/// Whether C has a form for each node of a region: not for private memory, reductions that run in parallel, and those of
/// dimensions.
pub fn is_printable(region: &Region) -> bool {
    fn all(nodes: &[Node]) -> bool {
        nodes.iter().all(|node| match node {
            Node::Loop(looped) => all(&looped.body),
            Node::If(guard) => all(&guard.then) && all(&guard.otherwise),
            Node::Statement(statement) => !matches!(statement.store, Store::Reduce { .. }),
            Node::Declaration(_) | Node::Break(_) => true,
            Node::Private(_) | Node::ReduceDimension(_) => false,
        })
    }
    all(&region.body)
}

/// Prints a region's body, each line indented by so many columns. The region [is printable](is_printable).
pub fn print(region: &Region, indent: usize) -> String {
    let mut printer = Printer { region, out: String::new() };
    printer.nodes(&region.body, indent);
    printer.out
}

/// How tightly an expression binds, from C's grammar; an operand that binds less gets parentheses.
const SELECT: u8 = 1;
const UNARY: u8 = 12;
const PRIMARY: u8 = 13;

struct Printer<'r> {
    region: &'r Region,
    out: String,
}

impl Printer<'_> {
    fn name(&self, id: VariableId) -> &str {
        &self.region.variable(id).name
    }

    fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.out, "{:indent$}{text}", "");
    }

    fn nodes(&mut self, nodes: &[Node], indent: usize) {
        nodes.iter().for_each(|node| self.node(node, indent));
    }

    fn node(&mut self, node: &Node, indent: usize) {
        match node {
            Node::Loop(looped) => self.looped(looped, indent),
            Node::If(guard) => self.guard(guard, indent),
            Node::Statement(statement) => {
                let text = self.statement(statement);
                self.line(indent, &text);
            }
            Node::Declaration(declaration) => {
                let declared = self.declared(declaration.variable);
                let value = declaration
                    .value
                    .as_ref()
                    .map_or(String::new(), |value| format!(" = {}", self.value(value)));
                self.line(indent, &format!("{declared}{value};"));
            }
            Node::Break(_) => self.line(indent, "break;"),
            Node::Private(_) | Node::ReduceDimension(_) => {
                unreachable!("the region is printable")
            }
        }
    }

    fn declared(&self, id: VariableId) -> String {
        let variable = self.region.variable(id);
        let extents: String = variable
            .extents
            .iter()
            .map(|extent| format!("[{}]", extent.as_ref().map_or(String::new(), |extent| self.value(extent))))
            .collect();
        let written = variable.declared_type.as_str();
        let element = match written.find('[') {
            Some(bracket) => &written[..bracket],
            None => written,
        };
        // The name of a type may stand for an array.
        let dimensions = match written.find('[') {
            Some(bracket) => &written[bracket..],
            None if written.is_empty() => extents.as_str(),
            None => "",
        };
        let element = if element.is_empty() { variable.scalar.c_name() } else { element };
        format!("{element} {}{dimensions}", variable.name)
    }

    fn looped(&mut self, looped: &Loop, indent: usize) {
        for directive in &looped.directives {
            self.line(indent, directive);
        }
        let name = self.name(looped.iterator).to_string();
        let declared = if looped.declares { self.declared(looped.iterator) } else { name.clone() };
        let step = match looped.step.kind {
            ExpressionKind::Integer(1) => format!("{name}++"),
            ExpressionKind::Integer(-1) => format!("{name}--"),
            ExpressionKind::Integer(step) if step < 0 => format!("{name} -= {}", -step),
            _ => format!("{name} += {}", self.value(&looped.step)),
        };
        let header = format!(
            "for ({declared} = {}; {}; {step}) {{",
            self.value(&looped.lower),
            self.value(&looped.condition)
        );
        self.line(indent, &header);
        self.nodes(&looped.body, indent + 2);
        self.line(indent, "}");
    }

    fn guard(&mut self, guard: &If, indent: usize) {
        let condition = self.value(&guard.condition);
        match (&guard.then[..], &guard.otherwise[..]) {
            ([], otherwise) if !otherwise.is_empty() => {
                self.line(indent, &format!("if (!({condition})) {{"));
                self.nodes(otherwise, indent + 2);
            }
            (then, otherwise) => {
                self.line(indent, &format!("if ({condition}) {{"));
                self.nodes(then, indent + 2);
                if !otherwise.is_empty() {
                    self.line(indent, "} else {");
                    self.nodes(otherwise, indent + 2);
                }
            }
        }
        self.line(indent, "}");
    }

    fn statement(&self, statement: &Statement) -> String {
        let target = self.reference(&statement.target);
        let value = self.value(&statement.value);
        match &statement.store {
            Store::Assign => format!("{target} = {value};"),
            Store::Update { operator, .. } => format!("{target} {}= {value};", operator.symbol()),
            Store::Reduce { .. } => unreachable!("the region is printable"),
        }
    }

    fn reference(&self, reference: &Reference) -> String {
        let mut text = self.name(reference.variable).to_string();
        for step in &reference.path {
            match step {
                Step::Index(index) => {
                    let _ = write!(text, "[{}]", self.value(index));
                }
                Step::Member(name) => {
                    let _ = write!(text, ".{name}");
                }
            }
        }
        text
    }

    fn value(&self, expression: &Expression) -> String {
        self.expression(expression).0
    }

    /// An operand of something that binds as tightly as `level`.
    fn operand(&self, expression: &Expression, level: u8) -> String {
        let (text, own) = self.expression(expression);
        if own < level { format!("({text})") } else { text }
    }

    fn expression(&self, expression: &Expression) -> (String, u8) {
        match &expression.kind {
            ExpressionKind::Integer(value) => integer(*value, expression.scalar),
            ExpressionKind::Float(value) => float(*value, expression.scalar),
            ExpressionKind::Imaginary(value) => {
                let suffix = if expression.scalar == (Scalar::Complex { bits: 32 }) { "fi" } else { "i" };
                (format!("{value:?}{suffix}"), PRIMARY)
            }
            ExpressionKind::Iterator(id) => (self.name(*id).into(), PRIMARY),
            ExpressionKind::Read(reference) => (self.reference(reference), PRIMARY),
            ExpressionKind::Unary(operator, operand) => {
                let text = self.operand(operand, UNARY);
                let symbol = match operator {
                    // Not `--x`.
                    UnaryOperator::Negate if text.starts_with('-') => "- ",
                    UnaryOperator::Negate => "-",
                    UnaryOperator::Not => "!",
                    UnaryOperator::Complement => "~",
                    UnaryOperator::Real => "__real__ ",
                    UnaryOperator::Imaginary => "__imag__ ",
                };
                (format!("{symbol}{text}"), UNARY)
            }
            ExpressionKind::Binary(operator, left, right) => {
                let level = level(*operator);
                let (left, right) = (self.operand(left, level), self.operand(right, level + 1));
                (format!("{left} {} {right}", operator.symbol()), level)
            }
            ExpressionKind::Select(condition, then, otherwise) => {
                let condition = self.operand(condition, SELECT + 1);
                let (then, otherwise) = (self.operand(then, SELECT + 1), self.operand(otherwise, SELECT));
                (format!("{condition} ? {then} : {otherwise}"), SELECT)
            }
            ExpressionKind::Cast(inner) => {
                (format!("({}) {}", expression.scalar.c_name(), self.operand(inner, UNARY)), UNARY)
            }
            ExpressionKind::Call(name, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|argument| self.value(argument)).collect();
                (format!("{name}({})", arguments.join(", ")), PRIMARY)
            }
        }
    }
}

fn level(operator: BinaryOperator) -> u8 {
    match operator {
        BinaryOperator::LogicalOr => 2,
        BinaryOperator::LogicalAnd => 3,
        BinaryOperator::Or => 4,
        BinaryOperator::Xor => 5,
        BinaryOperator::And => 6,
        BinaryOperator::Equal | BinaryOperator::NotEqual => 7,
        BinaryOperator::Less
        | BinaryOperator::LessEqual
        | BinaryOperator::Greater
        | BinaryOperator::GreaterEqual => 8,
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => 9,
        BinaryOperator::Add | BinaryOperator::Subtract => 10,
        BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Remainder => 11,
    }
}

/// A constant of the type: with a suffix, or a cast where no suffix gives it.
fn integer(value: i128, scalar: Scalar) -> (String, u8) {
    let suffix = match scalar {
        Scalar::Integer { bits: 32, signed: true } => "",
        Scalar::Integer { bits: 32, signed: false } => "u",
        Scalar::Integer { bits: 64, signed: true } => "l",
        Scalar::Integer { bits: 64, signed: false } => "ul",
        _ => return (format!("({}) {}", scalar.c_name(), wide(value)), UNARY),
    };
    // The least value of a signed type has no constant of its own.
    let least = |bits: u32| -(1i128 << (bits - 1));
    match value {
        value if value == least(64) => (format!("-{}l - 1", i64::MAX), 10),
        value if value == least(32) && suffix.is_empty() => (format!("-{} - 1", i32::MAX), 10),
        value if value < 0 => (format!("{value}{suffix}"), UNARY),
        _ => (format!("{value}{suffix}"), PRIMARY),
    }
}

/// The operand of a cast to a type without a suffix: C has no constants of more than 64 bits.
fn wide(value: i128) -> String {
    match (i64::try_from(value), u64::try_from(value)) {
        (Ok(value), _) if value > i64::MIN => value.to_string(),
        (_, Ok(value)) => format!("{value}ul"),
        _ => format!("((unsigned __int128) {}ul << 64 | {}ul)", (value >> 64) as u64, value as u64),
    }
}

/// The shortest decimal constant that is read as the same number.
fn float(value: f64, scalar: Scalar) -> (String, u8) {
    let text = match scalar {
        // Out of the range of a constant.
        _ if value.is_infinite() => "__builtin_inff()".into(),
        _ if value.is_nan() => "__builtin_nanf(\"\")".into(),
        Scalar::Float { bits: 32 } => format!("{:?}f", value as f32),
        _ => format!("{value:?}"),
    };
    let level = if value.is_sign_negative() { UNARY } else { PRIMARY };
    (if value == f64::NEG_INFINITY { format!("-{text}") } else { text }, level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_128_bits_are_made_of_two_constants() {
        let wide = |value| integer(value, Scalar::Integer { bits: 128, signed: true }).0;
        assert_eq!(wide(-5), "(__int128) -5");
        assert_eq!(wide(i128::from(u64::MAX)), "(__int128) 18446744073709551615ul");
        assert_eq!(wide(1 << 64), "(__int128) ((unsigned __int128) 1ul << 64 | 0ul)");
        // `-9223372036854775808` would be the negated `unsigned long`, which is positive.
        let least = "(__int128) ((unsigned __int128) 18446744073709551615ul << 64 | 9223372036854775808ul)";
        assert_eq!(wide(i128::from(i64::MIN)), least);
    }
}
