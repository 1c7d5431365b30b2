//! Expressions: references, operators and constants, each with its type.

use std::{convert::Infallible, fmt};

use super::names::{Position, VariableId};
use crate::ir::types::Scalar;

/// A scalar, an array's element or a member: what may be read or stored.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The variable.
    pub variable: VariableId,
    /// From the variable to the scalar. `p->x` has the index 0 before the member.
    pub path: Vec<Step>,
    /// The type of the value.
    pub scalar: Scalar,
    /// Where it begins.
    pub at: Position,
}

/// A step from a variable to the scalar that is accessed.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// To an element.
    Index(Expression),
    /// To a member of a structure.
    Member(String),
}

/// The same cell, wherever the references stand.
impl PartialEq for Reference {
    fn eq(&self, other: &Reference) -> bool {
        (self.variable, &self.path, self.scalar) == (other.variable, &other.path, other.scalar)
    }
}

impl Reference {
    /// The reference with what `change` makes of its subscripts, or the first error.
    pub fn try_map_subscripts<E>(
        &self,
        mut change: impl FnMut(&Expression) -> Result<Expression, E>,
    ) -> Result<Reference, E> {
        let path = self.path.iter().map(|step| match step {
            Step::Index(index) => Ok(Step::Index(change(index)?)),
            Step::Member(name) => Ok(Step::Member(name.clone())),
        });
        Ok(Reference { path: path.collect::<Result<_, _>>()?, ..*self })
    }

    /// The reference with what `change` makes of its subscripts.
    pub fn map_subscripts(&self, mut change: impl FnMut(&Expression) -> Expression) -> Reference {
        let Ok(reference) = self.try_map_subscripts(|index| Ok::<_, Infallible>(change(index)));
        reference
    }

    /// The indices, outermost first.
    pub fn subscripts(&self) -> impl Iterator<Item = &Expression> {
        self.path.iter().filter_map(|step| match step {
            Step::Index(expression) => Some(expression),
            Step::Member(_) => None,
        })
    }

    /// The members on the way: two references with different ones never share a cell.
    pub fn members(&self) -> impl Iterator<Item = &str> {
        self.path.iter().filter_map(|step| match step {
            Step::Index(_) => None,
            Step::Member(name) => Some(name.as_str()),
        })
    }

    /// The array that it is an element of: the variable and the members on the way.
    pub(crate) fn array(&self) -> (VariableId, Vec<String>) {
        (self.variable, self.members().map(String::from).collect())
    }
}

/// A value with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// The type of the value.
    pub scalar: Scalar,
}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionKind {
    /// A constant.
    Integer(i128),
    /// A float, exactly; a `float` is widened.
    Float(f64),
    /// The imaginary number of so much.
    Imaginary(f64),
    /// The iterator of a loop around the expression.
    Iterator(VariableId),
    /// A read of memory.
    Read(Reference),
    /// An operator with one operand.
    Unary(UnaryOperator, Box<Expression>),
    /// An operator with two operands.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// `condition ? then : otherwise`.
    Select(Box<Expression>, Box<Expression>, Box<Expression>),
    /// A conversion to the expression's type; whether the source writes it is of no meaning.
    Cast(Box<Expression>),
    /// A pure function.
    Call(String, Vec<Expression>),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// `-`.
    Negate,
    /// `!`.
    Not,
    /// `~`.
    Complement,
    /// `__real__`.
    Real,
    /// `__imag__`.
    Imaginary,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`.
    Divide,
    /// `%`.
    Remainder,
    /// `<<`.
    ShiftLeft,
    /// `>>`.
    ShiftRight,
    /// `&`.
    And,
    /// `|`.
    Or,
    /// `^`.
    Xor,
    /// `&&`.
    LogicalAnd,
    /// `||`.
    LogicalOr,
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
}

impl BinaryOperator {
    /// All of them.
    pub const ALL: [BinaryOperator; 18] = [
        BinaryOperator::Add,
        BinaryOperator::Subtract,
        BinaryOperator::Multiply,
        BinaryOperator::Divide,
        BinaryOperator::Remainder,
        BinaryOperator::ShiftLeft,
        BinaryOperator::ShiftRight,
        BinaryOperator::And,
        BinaryOperator::Or,
        BinaryOperator::Xor,
        BinaryOperator::LogicalAnd,
        BinaryOperator::LogicalOr,
        BinaryOperator::Less,
        BinaryOperator::LessEqual,
        BinaryOperator::Greater,
        BinaryOperator::GreaterEqual,
        BinaryOperator::Equal,
        BinaryOperator::NotEqual,
    ];

    /// As C writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOperator::Add => "+",
            BinaryOperator::Subtract => "-",
            BinaryOperator::Multiply => "*",
            BinaryOperator::Divide => "/",
            BinaryOperator::Remainder => "%",
            BinaryOperator::ShiftLeft => "<<",
            BinaryOperator::ShiftRight => ">>",
            BinaryOperator::And => "&",
            BinaryOperator::Or => "|",
            BinaryOperator::Xor => "^",
            BinaryOperator::LogicalAnd => "&&",
            BinaryOperator::LogicalOr => "||",
            BinaryOperator::Less => "<",
            BinaryOperator::LessEqual => "<=",
            BinaryOperator::Greater => ">",
            BinaryOperator::GreaterEqual => ">=",
            BinaryOperator::Equal => "==",
            BinaryOperator::NotEqual => "!=",
        }
    }

    /// The operator that C writes so.
    pub fn from_symbol(symbol: &str) -> Option<BinaryOperator> {
        BinaryOperator::ALL.into_iter().find(|operator| operator.symbol() == symbol)
    }

    /// `<`, `<=`, `>`, `>=`, `==`, `!=`.
    pub fn is_comparison(self) -> bool {
        use BinaryOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        matches!(self, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual)
    }
}

/// The operator of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReductionOperator {
    /// `+`.
    Add,
    /// `*`.
    Multiply,
    /// The least value: a value that is less replaces the one before, so that a NaN replaces nothing and stays where it was
    /// before.
    Minimum,
    /// The greatest value, likewise.
    Maximum,
    /// The least number, as `fmin` has it: NaN only among NaN.
    LeastNumber,
    /// The greatest number, as `fmax` has it.
    GreatestNumber,
    /// The least value with one or more indices.
    ArgMin,
    /// The greatest value with one or more indices.
    ArgMax,
    /// `&`.
    And,
    /// `|`.
    Or,
    /// `^`.
    Xor,
    /// `&&`.
    LogicalAnd,
    /// `||`.
    LogicalOr,
    /// The value of the first iteration that stores one.
    First,
    /// The value of the last iteration that stores one.
    Last,
}

impl ReductionOperator {
    /// All of them.
    pub const ALL: [ReductionOperator; 15] = [
        ReductionOperator::Add,
        ReductionOperator::Multiply,
        ReductionOperator::Minimum,
        ReductionOperator::Maximum,
        ReductionOperator::LeastNumber,
        ReductionOperator::GreatestNumber,
        ReductionOperator::ArgMin,
        ReductionOperator::ArgMax,
        ReductionOperator::And,
        ReductionOperator::Or,
        ReductionOperator::Xor,
        ReductionOperator::LogicalAnd,
        ReductionOperator::LogicalOr,
        ReductionOperator::First,
        ReductionOperator::Last,
    ];

    /// The name in reports and in the notation.
    pub fn name(self) -> &'static str {
        match self {
            ReductionOperator::Add => "+",
            ReductionOperator::Multiply => "*",
            ReductionOperator::Minimum => "min",
            ReductionOperator::Maximum => "max",
            ReductionOperator::LeastNumber => "fmin",
            ReductionOperator::GreatestNumber => "fmax",
            ReductionOperator::ArgMin => "argmin",
            ReductionOperator::ArgMax => "argmax",
            ReductionOperator::And => "&",
            ReductionOperator::Or => "|",
            ReductionOperator::Xor => "^",
            ReductionOperator::LogicalAnd => "&&",
            ReductionOperator::LogicalOr => "||",
            ReductionOperator::First => "first",
            ReductionOperator::Last => "last",
        }
    }

    /// Whether it is a minimum or a maximum, without an index.
    pub fn is_extreme(self) -> bool {
        matches!(self, ReductionOperator::Minimum | ReductionOperator::Maximum) || self.is_of_numbers()
    }

    /// Whether it is a minimum or a maximum of what is no NaN.
    pub fn is_of_numbers(self) -> bool {
        matches!(self, ReductionOperator::LeastNumber | ReductionOperator::GreatestNumber)
    }

    /// The same among values of which none is NaN.
    pub fn of_integers(self) -> ReductionOperator {
        match self {
            ReductionOperator::LeastNumber => ReductionOperator::Minimum,
            ReductionOperator::GreatestNumber => ReductionOperator::Maximum,
            other => other,
        }
    }

    /// Of a minimum or a maximum the comparison with which a value is better than another one.
    pub fn relation(self) -> BinaryOperator {
        match self {
            ReductionOperator::Minimum | ReductionOperator::LeastNumber => BinaryOperator::Less,
            _ => BinaryOperator::Greater,
        }
    }

    /// The operator of a name.
    pub fn from_name(name: &str) -> Option<ReductionOperator> {
        ReductionOperator::ALL.into_iter().find(|operator| operator.name() == name)
    }
}

impl fmt::Display for ReductionOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Expression {
    /// An integer constant of a type.
    pub fn integer(value: i128, scalar: Scalar) -> Expression {
        Expression { kind: ExpressionKind::Integer(value), scalar }
    }

    /// The same operation on what `change` makes of its operands, and of a read's subscripts; or the first error.
    pub fn try_map_operands<E>(
        &self,
        mut change: impl FnMut(&Expression) -> Result<Expression, E>,
    ) -> Result<Expression, E> {
        let mut boxed = |operand: &Expression| Ok(Box::new(change(operand)?));
        let kind = match &self.kind {
            leaf @ (ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::Imaginary(_)
            | ExpressionKind::Iterator(_)) => leaf.clone(),
            ExpressionKind::Read(reference) => ExpressionKind::Read(reference.try_map_subscripts(change)?),
            ExpressionKind::Unary(operator, operand) => ExpressionKind::Unary(*operator, boxed(operand)?),
            ExpressionKind::Binary(operator, left, right) => {
                ExpressionKind::Binary(*operator, boxed(left)?, boxed(right)?)
            }
            ExpressionKind::Select(condition, then, otherwise) => {
                ExpressionKind::Select(boxed(condition)?, boxed(then)?, boxed(otherwise)?)
            }
            ExpressionKind::Cast(operand) => ExpressionKind::Cast(boxed(operand)?),
            ExpressionKind::Call(name, arguments) => {
                let arguments = arguments.iter().map(change).collect::<Result<_, _>>()?;
                ExpressionKind::Call(name.clone(), arguments)
            }
        };
        Ok(Expression { kind, scalar: self.scalar })
    }

    /// The same operation on what `change` makes of its operands, and of a read's subscripts.
    pub fn map_operands(&self, mut change: impl FnMut(&Expression) -> Expression) -> Expression {
        let Ok(changed) = self.try_map_operands(|operand| Ok::<_, Infallible>(change(operand)));
        changed
    }

    /// Calls `visit` with every reference that is read, subscripts' included.
    pub fn visit_reads<'e>(&'e self, visit: &mut (impl FnMut(&'e Reference) + ?Sized)) {
        self.reads().into_iter().for_each(visit);
    }
}
