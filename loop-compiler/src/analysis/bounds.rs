//! Bounds of what accesses touch, as expressions: isl computes them as C, which the parser of the notation reads.

use std::rc::Rc;

use crate::{
    analysis::{classes::cells, polynomial::Polynomial, program::Program},
    ir::{
        BinaryOperator, Expression, ExpressionKind, Node,
        arithmetic::{add, compare, divide, greatest, least, long, multiply, number, subtract},
        convert, notation,
        types::Scalar,
    },
    isl::{Context, Formula, IslError, Set, Space, Term},
};

/// The least box around the elements of an array that some accesses touch.
pub(crate) struct Extent {
    /// For each dimension the least and the greatest subscript, where there are elements; `None` if they are not known.
    pub dimensions: Vec<Option<(Expression, Expression)>>,
    pub when: When,
    /// Whether there are elements whenever the loop is entered and has an iteration.
    pub whenever: bool,
}

/// The extent of accesses inside a loop, for one entry of it: the iterators of the loops around it are known.
pub(crate) fn extent(
    program: &Program<'_>,
    context: &Rc<Context>,
    index: usize,
    accesses: &[usize],
) -> Result<Extent, IslError> {
    let outer = &program.loops[index].around;
    let all = cells(program, context, outer, accesses)?;
    let rank = accesses.first().map_or(0, |access| program.accesses[*access].subscripts.len());
    let dimensions = dimensions(program, outer, accesses, &all)?;
    let when = When::of(program, outer, &all)?;
    // Iterations of the loop for which nothing is touched in any of them.
    let around: Vec<usize> = outer.iter().copied().chain([index]).collect();
    let condition = Formula::and([
        program.context(),
        program.instances(&around, &[], 'a'),
        program.same_iterations(outer, 'a', 'o'),
    ]);
    let parameters = program.parameters_inside(outer);
    let hidden = program.iterators(&around, 'a');
    let iterations =
        Set::of(context, &Space { parameters: &parameters, dimensions: &[], hidden: &hidden }, &condition)?;
    let touched = all.project_out(0, rank)?;
    Ok(Extent { dimensions, when, whenever: iterations.subtract(touched)?.is_empty()? })
}

/// For each subscript the least and the greatest value, where they are known.
pub(crate) type Bounds = Vec<Option<(Expression, Expression)>>;

/// When there are elements.
pub(crate) enum When {
    Always,
    If(Expression),
    Unknown,
}

/// For each dimension the least and the greatest subscript of accesses in the whole region, where they are known, and when
/// there are elements.
pub(crate) fn everywhere(
    program: &Program<'_>,
    context: &Rc<Context>,
    accesses: &[usize],
) -> Result<(Bounds, When), IslError> {
    let all = cells(program, context, &[], accesses)?;
    Ok((dimensions(program, &[], accesses, &all)?, When::of(program, &[], &all)?))
}

impl When {
    fn of(program: &Program<'_>, outer: &[usize], elements: &Set) -> Result<When, IslError> {
        Ok(match elements.has_points()?.as_str() {
            "1" => When::Always,
            text => expression(program, outer, text).map_or(When::Unknown, When::If),
        })
    }
}

/// For each subscript the least and the greatest value in a set of elements, where they are known.
fn dimensions(
    program: &Program<'_>,
    outer: &[usize],
    accesses: &[usize],
    all: &Set,
) -> Result<Bounds, IslError> {
    let Some(first) = accesses.first().map(|access| &program.accesses[*access]) else {
        return Ok(Vec::new());
    };
    let mut parts = Vec::new();
    for dimension in 0..first.subscripts.len() {
        let affine = accesses.iter().all(|access| program.accesses[*access].subscripts[dimension].is_some());
        let bounds = if affine { all.bounds(dimension)? } else { None };
        let bound = |text: &str| expression(program, outer, text);
        parts.push(bounds.and_then(|(least, greatest)| Some((bound(&least)?, bound(&greatest)?))));
    }
    let Some(weights) = program.weights.get(&first.array) else { return Ok(parts) };
    // A box of parts lies between its corners. The subscripts in front of the one that was split are what they are.
    let split = parts.split_off(parts.len().saturating_sub(weights.len()));
    let weighted = split.into_iter().zip(weights).map(|(part, weight)| {
        let (part, weight) = (part?, size(program, weight.as_ref()?)?);
        Some((multiply(part.0, weight.clone()), multiply(part.1, weight)))
    });
    let whole = weighted.reduce(|outer, inner| {
        let (outer, inner) = (outer?, inner?);
        Some((add(outer.0, inner.0), add(outer.1, inner.1)))
    });
    parts.push(whole.flatten());
    Ok(parts)
}

/// A sum of products of parameters.
fn size(program: &Program<'_>, value: &Polynomial) -> Option<Expression> {
    value.products().try_fold(number(0), |sum, (product, factor)| {
        let product = product.iter().try_fold(number(factor), |product, term| {
            Some(multiply(product, expression(program, &[], &term.name())?))
        })?;
        Some(add(sum, product))
    })
}

/// An expression of C that isl has made of parameters and of iterators of loops around.
fn expression(program: &Program<'_>, outer: &[usize], text: &str) -> Option<Expression> {
    let names: Vec<_> = program.parameters_inside(outer).iter().map(Term::name).collect();
    parsed(program, &names, text, &|_| None)
}

/// An expression of C that isl has made of these names: those of parameters, of iterators of loops around, and others, of
/// which `value` knows what they stand for.
pub(crate) fn parsed(
    program: &Program<'_>,
    names: &[String],
    text: &str,
    value: &dyn Fn(&str) -> Option<Expression>,
) -> Option<Expression> {
    let names = names.iter().map(String::as_str).chain(["`the bound`"]);
    let declared: Vec<_> = names.map(|name| format!("{name}: index")).collect();
    let text = format!(
        "declare func @floord(i64, i64) -> i64\nfunc @bound({}) {{ `the bound` = {text} }}",
        declared.join(", ")
    );
    let region = notation::parse(&text, "").ok()?.pop()?;
    let Some(Node::Statement(statement)) = region.body.first() else { return None };
    let bound = convert::convert(statement.value.clone(), Scalar::LONG);
    let of_name = |name: &str| {
        if let Some(value) = value(name) {
            return Some(long(value));
        }
        let index: usize = name.get(1..)?.parse().ok()?;
        let value = match name.as_bytes()[0] {
            b'p' => program.parameters.get(index)?.value.clone(),
            _ => {
                let looped = program.loops.get(index)?;
                let iterator = looped.node.iterator;
                let scalar = program.region.variable(iterator).scalar;
                let value = Expression { kind: ExpressionKind::Iterator(iterator), scalar };
                match looped.first {
                    Some(_) => subtract(long(value), long(looped.node.lower.clone())),
                    None => value,
                }
            }
        };
        Some(long(value))
    };
    rewritten(&bound, &|variable| of_name(&region.variable(variable).name))
}

/// The expression in terms of the program's variables, with sums and products simplified.
fn rewritten(
    value: &Expression,
    variable: &dyn Fn(crate::ir::VariableId) -> Option<Expression>,
) -> Option<Expression> {
    let part = |value: &Expression| rewritten(value, variable);
    Some(match &value.kind {
        ExpressionKind::Integer(value) => number(*value),
        ExpressionKind::Read(reference) => variable(reference.variable)?,
        ExpressionKind::Cast(inner) => part(inner)?,
        ExpressionKind::Unary(crate::ir::UnaryOperator::Negate, inner) => subtract(number(0), part(inner)?),
        ExpressionKind::Binary(operator, left, right) => {
            let (left, right) = (part(left)?, part(right)?);
            match operator {
                BinaryOperator::Add => add(left, right),
                BinaryOperator::Subtract => subtract(left, right),
                BinaryOperator::Multiply => multiply(left, right),
                BinaryOperator::Divide => divide(left, right),
                operator if operator.is_comparison() => compare(*operator, left, right),
                operator => {
                    let kind = ExpressionKind::Binary(*operator, Box::new(left), Box::new(right));
                    Expression { kind, scalar: value.scalar }
                }
            }
        }
        ExpressionKind::Select(condition, then, otherwise) => {
            convert::select(part(condition)?, part(then)?, part(otherwise)?)
        }
        ExpressionKind::Call(name, arguments) => {
            let [left, right] = &arguments[..] else { return None };
            let (left, right) = (part(left)?, part(right)?);
            match name.as_str() {
                "min" => least(left, right),
                "max" => greatest(left, right),
                // Rounded down: the divisor is positive.
                "floord" => {
                    let not_negative = compare(BinaryOperator::GreaterEqual, left.clone(), number(0));
                    let below = subtract(left.clone(), subtract(right.clone(), number(1)));
                    convert::select(not_negative, divide(left, right.clone()), divide(below, right))
                }
                _ => return None,
            }
        }
        _ => return None,
    })
}
