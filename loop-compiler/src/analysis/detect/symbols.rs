//! The data flow: how the value of a load reaches a store.

use super::detection::Detection;
use crate::{
    ir::{
        BinaryOperator, Expression, ExpressionKind, ReductionOperator, Reference, Statement, UnaryOperator,
        compare::{comparison, same, same_reference, widened},
        types::Scalar,
    },
    rules::Rule,
};

/// How a loaded value reaches an operation: the symbols ⊥, ↑, ⊕ and ⊤ of the paper.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Symbol {
    /// ⊥: not used.
    Unused,
    /// ↑: used as it is, or negated; `exact` if conversions on the way keep its value, and so what is less.
    Loaded { negated: bool, exact: bool },
    /// ⊕: one operand of a chain of one operator.
    Combined { operator: ReductionOperator, negated: bool },
    /// ⊤.
    Other(Rule, String),
}

impl Detection<'_, '_> {
    /// `target operator= value`.
    pub(super) fn update(
        &self,
        statement: &Statement,
        operator: BinaryOperator,
        computed_in: Scalar,
    ) -> Symbol {
        let target = &statement.target;
        let value = self.symbol(&statement.value, &|reference| same_reference(reference, target, None));
        if value != Symbol::Unused {
            let reason = "the target is used on both sides";
            return Symbol::Other(Rule::Operators, reason.into());
        }
        let loaded = Symbol::Loaded { negated: false, exact: computed_in.holds_all_of(target.scalar) };
        let combined = self.combined(operator, computed_in, loaded, Symbol::Unused);
        stored(combined, computed_in, target.scalar, fits(&statement.value, target.scalar))
    }

    /// The symbol of a value that is stored in a type.
    pub(super) fn converted(
        &self,
        value: &Expression,
        to: Scalar,
        is_load: &dyn Fn(&Reference) -> bool,
    ) -> Symbol {
        // Conversions to integers that are not narrower than what is stored do nothing but the last one.
        let mut value = value;
        let are_integers =
            |types: &[Scalar]| types.iter().all(|scalar| matches!(scalar, Scalar::Integer { .. }));
        while let ExpressionKind::Cast(inner) = &value.kind
            && value.scalar.size() >= to.size()
            && are_integers(&[value.scalar, inner.scalar, to])
        {
            value = inner;
        }
        let fits = self.operands_fit(value, to, is_load);
        stored(self.symbol(value, is_load), value.scalar, to, fits)
    }

    /// How the loaded value is used.
    pub(super) fn symbol(&self, expression: &Expression, is_load: &dyn Fn(&Reference) -> bool) -> Symbol {
        match &expression.kind {
            ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::Imaginary(_)
            | ExpressionKind::Iterator(_) => Symbol::Unused,
            ExpressionKind::Read(reference) => {
                if let Some(temporary) = self.temporaries.get(&reference.variable) {
                    return self.symbol(temporary.value, is_load);
                }
                if is_load(reference) {
                    return Symbol::Loaded { negated: false, exact: true };
                }
                let in_subscript =
                    reference.subscripts().any(|subscript| self.symbol(subscript, is_load) != Symbol::Unused);
                if in_subscript { other("the target is part of a subscript") } else { Symbol::Unused }
            }
            ExpressionKind::Cast(inner) => {
                let fits = self.operands_fit(inner, expression.scalar, is_load);
                conversion(self.symbol(inner, is_load), inner.scalar, expression.scalar, fits)
            }
            ExpressionKind::Unary(operator, inner) => match (self.symbol(inner, is_load), operator) {
                (Symbol::Unused, _) => Symbol::Unused,
                (Symbol::Loaded { negated, exact }, UnaryOperator::Negate) => {
                    Symbol::Loaded { negated: !negated, exact }
                }
                (Symbol::Combined { operator: ReductionOperator::Add, negated }, UnaryOperator::Negate) => {
                    Symbol::Combined { operator: ReductionOperator::Add, negated: !negated }
                }
                _ => other("the target is an operand of a unary operator"),
            },
            ExpressionKind::Binary(operator, left, right) => self.combined(
                *operator,
                expression.scalar,
                self.symbol(left, is_load),
                self.symbol(right, is_load),
            ),
            ExpressionKind::Call(name, arguments) => {
                let symbols: Vec<_> =
                    arguments.iter().map(|argument| self.symbol(argument, is_load)).collect();
                match (extreme_function(name, expression.scalar), &symbols[..]) {
                    (_, symbols) if symbols.iter().all(|symbol| *symbol == Symbol::Unused) => Symbol::Unused,
                    (Some(operator), [left, right]) => chained(operator, left.clone(), right.clone()),
                    _ => other(format!("the target is an argument of `{name}`")),
                }
            }
            ExpressionKind::Select(condition, then, otherwise) => {
                self.select(condition, then, otherwise, is_load)
            }
        }
    }

    fn select(
        &self,
        condition: &Expression,
        then: &Expression,
        otherwise: &Expression,
        is_load: &dyn Fn(&Reference) -> bool,
    ) -> Symbol {
        let symbols = [condition, then, otherwise].map(|part| self.symbol(part, is_load));
        match symbols {
            [Symbol::Unused, Symbol::Unused, Symbol::Unused] => Symbol::Unused,
            // `c ? s + x : s`.
            [Symbol::Unused, then, otherwise] => match (then, otherwise) {
                (Symbol::Combined { operator, negated: false }, Symbol::Loaded { negated: false, .. })
                | (Symbol::Loaded { negated: false, .. }, Symbol::Combined { operator, negated: false }) => {
                    Symbol::Combined { operator, negated: false }
                }
                (
                    Symbol::Combined { operator, negated: false },
                    Symbol::Combined { operator: same, negated: false },
                ) if operator == same => Symbol::Combined { operator, negated: false },
                (Symbol::Other(rule, reason), _) | (_, Symbol::Other(rule, reason)) => {
                    Symbol::Other(rule, reason)
                }
                _ => other("the target is replaced in some iterations"),
            },
            _ => match self.extreme(condition, then, otherwise) {
                Some((operator, left, right)) => {
                    chained(operator, self.symbol(left, is_load), self.symbol(right, is_load))
                }
                None => other("a condition reads the target"),
            },
        }
    }

    /// `a < b ? a : b` and the other forms of minimum and maximum.
    fn extreme<'e>(
        &self,
        condition: &'e Expression,
        then: &Expression,
        otherwise: &Expression,
    ) -> Option<(ReductionOperator, &'e Expression, &'e Expression)> {
        let (relation, left, right) = comparison(condition)?;
        let straight = same(left, then, None) && same(right, otherwise, None);
        let crossed = same(left, otherwise, None) && same(right, then, None);
        let less = matches!(relation, BinaryOperator::Less | BinaryOperator::LessEqual);
        match (straight, crossed) {
            (true, _) => Some((
                if less { ReductionOperator::Minimum } else { ReductionOperator::Maximum },
                left,
                right,
            )),
            (_, true) => Some((
                if less { ReductionOperator::Maximum } else { ReductionOperator::Minimum },
                left,
                right,
            )),
            _ => None,
        }
    }

    fn combined(&self, operator: BinaryOperator, scalar: Scalar, left: Symbol, right: Symbol) -> Symbol {
        let reduction = match operator {
            BinaryOperator::Add => ReductionOperator::Add,
            BinaryOperator::Multiply => ReductionOperator::Multiply,
            BinaryOperator::And => ReductionOperator::And,
            BinaryOperator::Or => ReductionOperator::Or,
            BinaryOperator::Xor => ReductionOperator::Xor,
            BinaryOperator::LogicalAnd => ReductionOperator::LogicalAnd,
            BinaryOperator::LogicalOr => ReductionOperator::LogicalOr,
            BinaryOperator::Subtract if self.rule.subtraction => {
                let right = match right {
                    Symbol::Loaded { negated, exact } => Symbol::Loaded { negated: !negated, exact },
                    Symbol::Combined { operator: ReductionOperator::Add, negated } => {
                        Symbol::Combined { operator: ReductionOperator::Add, negated: !negated }
                    }
                    right => right,
                };
                return chained(ReductionOperator::Add, left, right);
            }
            _ if left == Symbol::Unused && right == Symbol::Unused => return Symbol::Unused,
            BinaryOperator::Divide
                if scalar.is_float()
                    && right == Symbol::Unused
                    && matches!(
                        left,
                        Symbol::Loaded { .. }
                            | Symbol::Combined { operator: ReductionOperator::Multiply, .. }
                    ) =>
            {
                let reason = "a division; write a product with reciprocals, whose rounding differs";
                return Symbol::Other(Rule::Floats, reason.into());
            }
            BinaryOperator::Divide
                if right == Symbol::Unused
                    && matches!(left, Symbol::Combined { operator: ReductionOperator::Add, .. }) =>
            {
                return Symbol::Other(
                    Rule::Scans,
                    "a linear recurrence (x = (x + a) / b) is no reduction".into(),
                );
            }
            _ => return other(format!("`{}` is not associative and commutative", operator.symbol())),
        };
        chained(reduction, left, right)
    }

    /// Whether every operand other than the target is a value of a type, so that converting the result loses nothing.
    fn operands_fit(&self, value: &Expression, to: Scalar, is_load: &dyn Fn(&Reference) -> bool) -> bool {
        match &value.kind {
            ExpressionKind::Cast(inner) => fits(value, to) || self.operands_fit(inner, to, is_load),
            ExpressionKind::Binary(
                BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor,
                left,
                right,
            ) => self.operands_fit(left, to, is_load) && self.operands_fit(right, to, is_load),
            ExpressionKind::Select(_, then, otherwise) => {
                self.operands_fit(then, to, is_load) && self.operands_fit(otherwise, to, is_load)
            }
            ExpressionKind::Read(reference) if is_load(reference) => to.holds_all_of(reference.scalar),
            _ => fits(value, to),
        }
    }
}

fn other(reason: impl Into<String>) -> Symbol {
    Symbol::Other(Rule::Operators, reason.into())
}

/// One more operand of a chain.
fn chained(operator: ReductionOperator, left: Symbol, right: Symbol) -> Symbol {
    let additive = operator == ReductionOperator::Add;
    match (left, right) {
        (Symbol::Unused, Symbol::Unused) => Symbol::Unused,
        (Symbol::Other(rule, reason), _) | (_, Symbol::Other(rule, reason)) => Symbol::Other(rule, reason),
        (Symbol::Loaded { exact: false, .. }, Symbol::Unused)
        | (Symbol::Unused, Symbol::Loaded { exact: false, .. })
            if operator.is_extreme() =>
        {
            Symbol::Other(Rule::Integers, "the target is converted before it is compared".into())
        }
        (Symbol::Loaded { negated, .. }, Symbol::Unused)
        | (Symbol::Unused, Symbol::Loaded { negated, .. })
            if additive || !negated =>
        {
            Symbol::Combined { operator, negated }
        }
        (Symbol::Combined { operator: same, negated }, Symbol::Unused)
        | (Symbol::Unused, Symbol::Combined { operator: same, negated })
            if same == operator =>
        {
            Symbol::Combined { operator, negated }
        }
        (Symbol::Combined { operator: inner, .. }, Symbol::Unused)
        | (Symbol::Unused, Symbol::Combined { operator: inner, .. })
            if matches!((inner, operator), (ReductionOperator::Multiply, ReductionOperator::Add))
                || inner == ReductionOperator::Add && operator.is_extreme() =>
        {
            let form = if operator == ReductionOperator::Add { "x = a * x + b" } else { "x = max(x + a, b)" };
            Symbol::Other(Rule::Scans, format!("a linear recurrence ({form}) is no reduction"))
        }
        (left, right) if left != Symbol::Unused && right != Symbol::Unused => {
            other("the target is used twice")
        }
        _ => other("different operators are mixed"),
    }
}

/// What the conversion of a stored value makes of a symbol: of integers the lower bits depend on lower bits alone.
fn stored(symbol: Symbol, from: Scalar, to: Scalar, fits: bool) -> Symbol {
    use ReductionOperator::{Add, And, Multiply, Or, Xor};
    match (&symbol, from, to) {
        (
            Symbol::Combined { operator: Add | Multiply | And | Or | Xor, .. },
            Scalar::Integer { bits: from, .. },
            Scalar::Integer { bits: to, .. },
        ) if from >= to => symbol,
        _ => conversion(symbol, from, to, fits),
    }
}

/// What a conversion makes of a symbol. `fits`: the other operands are values of the new type.
fn conversion(symbol: Symbol, from: Scalar, to: Scalar, fits: bool) -> Symbol {
    let keeps = match symbol {
        Symbol::Unused | Symbol::Other(..) => true,
        Symbol::Combined { operator, .. } if operator.is_extreme() => keeps_order(from, to),
        _ => keeps(from, to),
    };
    if keeps {
        return match symbol {
            Symbol::Loaded { negated, exact } => {
                Symbol::Loaded { negated, exact: exact && to.holds_all_of(from) }
            }
            symbol => symbol,
        };
    }
    let selects = match symbol {
        Symbol::Combined { operator, .. } => matches!(
            operator,
            ReductionOperator::And
                | ReductionOperator::Or
                | ReductionOperator::Xor
                | ReductionOperator::LogicalAnd
                | ReductionOperator::LogicalOr
                | ReductionOperator::Minimum
                | ReductionOperator::Maximum
        ),
        _ => true,
    };
    if selects && fits && from.is_integer() && to.is_integer() {
        return symbol;
    }
    let reason =
        format!("the result is converted from `{}` to `{}` at each step", from.c_name(), to.c_name());
    Symbol::Other(Rule::Integers, reason)
}

/// Whether a conversion may be done once, at the end, instead of at each step.
fn keeps(from: Scalar, to: Scalar) -> bool {
    match (from, to) {
        _ if to.holds_all_of(from) => true,
        // Rounded, as floats are at each step anyway.
        (
            Scalar::Float { .. } | Scalar::Integer { .. } | Scalar::Bool,
            Scalar::Float { .. } | Scalar::Complex { .. },
        ) => true,
        (Scalar::Complex { .. }, Scalar::Complex { .. }) => true,
        // The same bits.
        (Scalar::Integer { bits: from, .. }, Scalar::Integer { bits: to, .. }) => from == to,
        _ => false,
    }
}

/// Whether a conversion never makes of the greater of two values the less.
pub(super) fn keeps_order(from: Scalar, to: Scalar) -> bool {
    let is_real = |scalar: Scalar| scalar.is_integer() || matches!(scalar, Scalar::Float { .. });
    to.holds_all_of(from) || is_real(from) && matches!(to, Scalar::Float { .. })
}

/// Whether a value, before conversions that keep it, is one of a type.
fn fits(value: &Expression, to: Scalar) -> bool {
    let value = widened(value);
    match &value.kind {
        ExpressionKind::Integer(constant) => to.holds(*constant),
        ExpressionKind::Binary(operator, ..)
            if operator.is_comparison()
                || matches!(operator, BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr) =>
        {
            to.is_integer()
        }
        ExpressionKind::Unary(UnaryOperator::Not, _) => to.is_integer(),
        _ => to.holds_all_of(value.scalar),
    }
}

/// The C library's minimum and maximum.
fn extreme_function(name: &str, scalar: Scalar) -> Option<ReductionOperator> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    match name.strip_suffix('f').unwrap_or(name) {
        "fmin" if scalar.is_float() => Some(ReductionOperator::LeastNumber),
        "fmax" if scalar.is_float() => Some(ReductionOperator::GreatestNumber),
        "fmin" | "min" => Some(ReductionOperator::Minimum),
        "fmax" | "max" => Some(ReductionOperator::Maximum),
        _ => None,
    }
}
