//! Tokens to expressions and references.

use super::lexer::Lexeme;
use super::parser::Parser;
use super::words;
use crate::ir::convert;
use crate::ir::located::Located;
use crate::ir::types::Scalar;
use crate::ir::verify::MAXIMUM_DEPTH;
use crate::ir::{
    BinaryOperator, Expression, ExpressionKind, Position, Reference, Step, UnaryOperator, VariableId,
};

/// An expression and its depth, which is limited: everything that walks over trees calls itself.
type Deep = (Expression, usize);

const LIMIT: usize = 2 * MAXIMUM_DEPTH;

type Parsed<T> = Result<T, Located>;

impl Parser {
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        self.conditional().map(|(expression, _)| expression)
    }

    fn conditional(&mut self) -> Parsed<Deep> {
        let (condition, depth) = self.binary(1)?;
        if !self.take("?") {
            return Ok((condition, depth));
        }
        let (then, then_depth) = self.inside(Parser::conditional)?;
        self.expect(":", "a choice is `condition ? value : other`")?;
        let (otherwise, otherwise_depth) = self.inside(Parser::conditional)?;
        self.deep(convert::select(condition, then, otherwise), depth.max(then_depth).max(otherwise_depth))
    }

    /// Operators of this precedence and stronger ones.
    pub(super) fn binary(&mut self, least: u8) -> Parsed<Deep> {
        let (mut left, mut depth) = self.unary()?;
        loop {
            let at = self.at();
            let Lexeme::Symbol(symbol) = *self.peek() else { break };
            let Some(operator) = BinaryOperator::from_symbol(symbol) else { break };
            let precedence = words::precedence(operator);
            if precedence < least {
                break;
            }
            self.advance();
            let (right, right_depth) = self.binary(precedence + 1)?;
            let converts = left.scalar != right.scalar;
            let joined = convert::binary(operator, left, right);
            left = joined.map_err(|what| Located::new(at, what, "convert an operand: `type(operand)`"))?;
            depth = self.deeper(depth.max(right_depth), if converts { 2 } else { 1 })?;
        }
        Ok((left, depth))
    }

    /// An expression around others of this depth; it may have converted them.
    fn deep(&self, expression: Expression, depth: usize) -> Parsed<Deep> {
        self.deeper(depth, 2).map(|depth| (expression, depth))
    }

    /// Conversions are counted where there may be none: [`crate::ir::verify`] has the exact limit.
    fn deeper(&self, depth: usize, levels: usize) -> Parsed<usize> {
        if depth + levels > LIMIT { Err(self.too_deep()) } else { Ok(depth + levels) }
    }

    fn too_deep(&self) -> Located {
        let what = format!("the expression is more than {MAXIMUM_DEPTH} deep");
        Located::new(self.at(), what, "name parts of it by declarations")
    }

    /// Runs `body` one level deeper in an expression.
    fn inside<T>(&mut self, body: impl FnOnce(&mut Parser) -> Parsed<T>) -> Parsed<T> {
        if self.expression_nesting == LIMIT {
            return Err(self.too_deep());
        }
        self.expression_nesting += 1;
        let result = body(self);
        self.expression_nesting -= 1;
        result
    }

    fn unary(&mut self) -> Parsed<Deep> {
        let at = self.at();
        let operator = match self.peek() {
            Lexeme::Symbol("-") => UnaryOperator::Negate,
            Lexeme::Symbol("!") => UnaryOperator::Not,
            Lexeme::Symbol("~") => UnaryOperator::Complement,
            _ => return self.primary(),
        };
        self.advance();
        if operator == UnaryOperator::Negate
            && let Some(literal) = self.literal(true)?
        {
            return Ok((literal, 1));
        }
        let (operand, depth) = self.inside(Parser::unary)?;
        self.unary_of(operator, operand, depth, at)
    }

    fn unary_of(
        &self,
        operator: UnaryOperator,
        operand: Expression,
        depth: usize,
        at: Position,
    ) -> Parsed<Deep> {
        let expression = convert::unary(operator, operand);
        let expression =
            expression.map_err(|what| Located::new(at, what, "convert the operand: `type(operand)`"))?;
        self.deep(expression, depth)
    }

    /// A number, `true`, `inf` and so on, if there is one.
    fn literal(&mut self, negative: bool) -> Parsed<Option<Expression>> {
        let at = self.at();
        let sign = if negative { -1.0 } else { 1.0 };
        let float =
            |value: f64, scalar| Some(Expression { kind: ExpressionKind::Float(sign * value), scalar });
        let literal = match self.peek() {
            Lexeme::Integer(value, suffix) => {
                let value = signed(*value, negative);
                let scalar = match *suffix {
                    Some(scalar) => value.filter(|value| convert::fits(*value, scalar)).map(|_| scalar),
                    None => value.and_then(convert::literal_type),
                };
                let Some((value, scalar)) = value.zip(scalar) else {
                    let (what, hint) = match suffix {
                        Some(scalar) => (format!("the number is not in the range of {scalar}"), ""),
                        None => ("the number has more than 64 bits".to_owned(), "give its type: `1i128`"),
                    };
                    return Err(Located::new(at, what, hint));
                };
                Some(Expression::integer(value, scalar))
            }
            Lexeme::Float(value, scalar) => float(*value, *scalar),
            Lexeme::Imaginary(value, scalar) => {
                Some(Expression { kind: ExpressionKind::Imaginary(sign * *value), scalar: *scalar })
            }
            Lexeme::Word(word) => match word.as_str() {
                "true" | "false" if !negative => {
                    Some(Expression::integer(i128::from(word == "true"), Scalar::Bool))
                }
                "inf" => float(f64::INFINITY, Scalar::F64),
                "inf32" => float(f64::INFINITY, Scalar::F32),
                "nan" => float(f64::NAN, Scalar::F64),
                "nan32" => float(f64::NAN, Scalar::F32),
                _ => None,
            },
            _ => None,
        };
        if literal.is_some() {
            self.advance();
        }
        Ok(literal)
    }

    fn primary(&mut self) -> Parsed<Deep> {
        let at = self.at();
        if let Some(literal) = self.literal(false)? {
            return Ok((literal, 1));
        }
        if self.take("(") {
            let inner = self.inside(Parser::conditional)?;
            self.expect(")", "a parenthesis is open")?;
            return Ok(inner);
        }
        if let Some(scalar) = self.peek_scalar() {
            self.advance();
            let (operand, depth) = self.operand("a conversion is `type(value)`")?;
            let expression = Expression { kind: ExpressionKind::Cast(Box::new(operand)), scalar };
            return self.deep(expression, depth);
        }
        match self.peek() {
            Lexeme::Word(word) if word == "real" || word == "imag" => {
                let real = word == "real";
                self.advance();
                let (operand, depth) =
                    self.operand("a part of a complex number is `real(z)` or `imag(z)`")?;
                let operator = if real { UnaryOperator::Real } else { UnaryOperator::Imaginary };
                self.unary_of(operator, operand, depth, at)
            }
            Lexeme::Name(name) => {
                let name = name.clone();
                self.advance();
                if self.is("(") {
                    return self.call(&name, at);
                }
                let (reference, depth) = self.deep_reference(&name, at)?;
                let scalar = reference.scalar;
                let kind = match reference.path.is_empty() && self.iterators.contains(&reference.variable) {
                    true => ExpressionKind::Iterator(reference.variable),
                    false => ExpressionKind::Read(reference),
                };
                self.deep(Expression { kind, scalar }, depth)
            }
            Lexeme::Symbol("%") => self.expected("a value", "names have no sigil: write `name`, not `%name`"),
            Lexeme::Word(word) if word.starts_with("reduce") => {
                self.expected("a value", "a reduction is a statement of its own")
            }
            _ => self.expected("a value", "a value is a number, a variable, a call or an operation"),
        }
    }

    fn operand(&mut self, hint: &str) -> Parsed<Deep> {
        self.expect("(", hint)?;
        let operand = self.inside(Parser::conditional)?;
        self.expect(")", hint)?;
        Ok(operand)
    }

    fn call(&mut self, name: &str, at: Position) -> Parsed<Deep> {
        self.expect("(", "")?;
        let mut arguments = Vec::new();
        let mut deepest = 0;
        while !self.take(")") {
            let (argument, depth) = self.inside(Parser::conditional)?;
            deepest = deepest.max(depth);
            arguments.push(argument);
            if !self.is(")") {
                self.expect(",", "a comma separates arguments")?;
            }
        }
        let types: Vec<Scalar> = arguments.iter().map(|argument| argument.scalar).collect();
        let declared = self.functions.get(name).cloned();
        let Some((parameters, result)) = declared.or_else(|| convert::known_signature(name, &types)) else {
            let hint = format!("declare it before the function: `declare func @{name}(f64) -> f64`");
            return Err(Located::new(at, format!("there is no function `{name}` of these arguments"), hint));
        };
        let call = convert::call(name, arguments, (&parameters, result));
        self.deep(call.map_err(|what| Located::new(at, what, ""))?, deepest)
    }

    /// A scalar, an element or a member.
    pub(super) fn reference(&mut self) -> Parsed<Reference> {
        let at = self.at();
        let Lexeme::Name(name) = self.peek().clone() else {
            return self
                .expected("a variable", "names have no sigil, and reserved words have backquotes as names");
        };
        self.advance();
        self.deep_reference(&name, at).map(|(reference, _)| reference)
    }

    /// A reference and the depth of its subscripts; the name has been read.
    fn deep_reference(&mut self, name: &str, at: Position) -> Parsed<(Reference, usize)> {
        let variable = self.names.find(name, at)?;
        let mut path = Vec::new();
        let mut deepest = 0;
        loop {
            if self.take("[") {
                loop {
                    let (subscript, depth) = self.inside(Parser::conditional)?;
                    deepest = deepest.max(depth);
                    path.push(Step::Index(subscript));
                    if self.take("]") {
                        break;
                    }
                    self.expect(",", "subscripts are `a[i, j]` or `a[i][j]`")?;
                }
            } else if self.take(".") {
                match self.advance() {
                    Lexeme::Name(member) => path.push(Step::Member(member)),
                    _ => return Err(Located::new(at, "a member has no name", "members are `p[i].x`")),
                }
            } else {
                break;
            }
        }
        let scalar = self.scalar_of(variable, &path, at)?;
        Ok((Reference { variable, path, scalar, at }, deepest))
    }

    /// The type behind a path.
    fn scalar_of(&self, variable: VariableId, path: &[Step], at: Position) -> Parsed<Scalar> {
        let declared = self.region.variable(variable);
        let first = path.iter().position(|step| matches!(step, Step::Member(_)));
        let (Some(first), members) = (first, self.members.get(&variable)) else {
            if self.members.contains_key(&variable) {
                let what = format!("`{}` is a structure", declared.name);
                return Err(Located::new(at, what, "name one of its members: `p[i].x`"));
            }
            return Ok(declared.scalar);
        };
        let key: Vec<String> = path[first..]
            .iter()
            .map(|step| match step {
                Step::Index(_) => "[]".to_owned(),
                Step::Member(name) => name.clone(),
            })
            .collect();
        members.and_then(|members| members.get(&key)).copied().ok_or_else(|| {
            let shown = key.iter().fold(String::new(), |shown, step| match step.as_str() {
                "[]" => shown + step,
                _ => shown + "." + step,
            });
            let what = format!("`{}` has no member `{shown}`", declared.name);
            Located::new(at, what, "declare it with its type: `memref<n x {x: f64, v[]: i32}>`")
        })
    }
}

fn signed(value: u128, negative: bool) -> Option<i128> {
    if negative { 0i128.checked_sub_unsigned(value) } else { i128::try_from(value).ok() }
}
