//! Subscripts with products of iterators and parameters, as polynomials.

use std::collections::BTreeMap;

use crate::{
    analysis::affine::{Case, Names, pieces},
    cost::policy::MONOMIALS,
    ir::{BinaryOperator, Expression, ExpressionKind, UnaryOperator, types::Scalar},
    isl::{Affine, Formula, Term},
};

/// A sum of products of terms, with coefficients.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Polynomial(BTreeMap<Vec<Term>, i128>);

/// A subscript as a polynomial, and the factors in it that may be strides.
#[derive(Clone, Debug, Default)]
pub(crate) struct Linear {
    pub value: Polynomial,
    pub strides: Vec<Affine>,
}

impl Polynomial {
    pub fn of(value: &Affine) -> Polynomial {
        let terms = value.terms.iter().map(|(term, coefficient)| (vec![term.clone()], *coefficient));
        let constant = Some((Vec::new(), value.constant)).filter(|(_, constant)| *constant != 0);
        Polynomial(terms.chain(constant).collect())
    }

    fn add(&mut self, monomial: Vec<Term>, coefficient: i128) {
        let sum = self.0.entry(monomial.clone()).or_default();
        *sum = sum.saturating_add(coefficient);
        if *sum == 0 {
            self.0.remove(&monomial);
        }
    }

    pub fn plus(mut self, other: &Polynomial, factor: i128) -> Polynomial {
        for (monomial, coefficient) in &other.0 {
            self.add(monomial.clone(), coefficient.saturating_mul(factor));
        }
        self
    }

    fn times(&self, other: &Polynomial) -> Polynomial {
        let mut product = Polynomial::default();
        for (left, first) in &self.0 {
            for (right, second) in &other.0 {
                let mut monomial: Vec<Term> = left.iter().chain(right).cloned().collect();
                monomial.sort();
                product.add(monomial, first.saturating_mul(*second));
            }
        }
        product
    }

    pub fn degree(&self) -> usize {
        self.0.keys().map(Vec::len).max().unwrap_or(0)
    }

    /// The same as an affine value.
    pub fn affine(&self) -> Option<Affine> {
        let mut value = Affine::default();
        for (monomial, coefficient) in &self.0 {
            match &monomial[..] {
                [] => value.constant = *coefficient,
                [term] => {
                    value.terms.insert(term.clone(), *coefficient);
                }
                _ => return None,
            }
        }
        Some(value)
    }

    /// The greatest number that divides all coefficients but the constants'.
    pub fn common_factor(values: &[Polynomial]) -> i128 {
        let coefficients = values.iter().flat_map(|value| &value.0);
        let factors = coefficients.filter(|(monomial, _)| !monomial.is_empty()).map(|(_, factor)| *factor);
        factors.fold(0, |found: i128, factor| greatest_divisor(found, factor.saturating_abs()))
    }

    /// The quotient and the remainder by a common factor.
    pub fn divided_by(&self, factor: i128) -> (Polynomial, i128) {
        let quotient = |coefficient: &i128| coefficient.div_euclid(factor);
        let rest = self.0.get(&Vec::new()).map_or(0, |constant| constant.rem_euclid(factor));
        let terms = self.0.iter().map(|(monomial, coefficient)| (monomial.clone(), quotient(coefficient)));
        (Polynomial(terms.filter(|(_, coefficient)| *coefficient != 0).collect()), rest)
    }

    /// The quotient and the remainder by `parameter + constant`; the remainder does not have the parameter.
    pub fn divided(&self, parameter: &Term, constant: i128) -> (Polynomial, Polynomial) {
        let (mut quotient, mut rest) = (Polynomial::default(), self.clone());
        while let Some(monomial) = rest.0.keys().find(|monomial| monomial.contains(parameter)).cloned() {
            let coefficient = rest.0.remove(&monomial).unwrap_or_default();
            let mut less = monomial;
            less.remove(less.iter().position(|term| term == parameter).unwrap_or_default());
            quotient.add(less.clone(), coefficient);
            rest.add(less, coefficient.saturating_mul(-constant));
        }
        (quotient, rest)
    }
}

fn greatest_divisor(first: i128, second: i128) -> i128 {
    if second == 0 { first } else { greatest_divisor(second, first % second) }
}

/// A subscript as a polynomial. In 64 bits it is computed modulo 2^64, which the element's address is, too; in fewer bits
/// without a sign, differences may become large numbers.
pub(crate) fn linear(names: &mut dyn Names, expression: &Expression) -> Option<Linear> {
    if let Some([Case { condition: Formula::True, value }]) = pieces(names, expression).as_deref() {
        return Some(Linear { value: Polynomial::of(value), strides: Vec::new() });
    }
    let Scalar::Integer { bits, signed } = expression.scalar else { return None };
    if bits > 64 {
        return None;
    }
    let found = match &expression.kind {
        ExpressionKind::Cast(inner) => {
            let Scalar::Integer { bits: from, .. } = inner.scalar else { return None };
            let exact = bits == 64 && from <= 64 || expression.scalar.holds_all_of(inner.scalar);
            linear(names, inner).filter(|_| exact)?
        }
        ExpressionKind::Unary(UnaryOperator::Negate, inner) if signed || bits == 64 => {
            let inner = linear(names, inner)?;
            Linear { value: Polynomial::default().plus(&inner.value, -1), ..inner }
        }
        ExpressionKind::Binary(operator, left, right) => {
            let (left, right) = (linear(names, left)?, linear(names, right)?);
            let mut strides = left.strides;
            strides.extend(right.strides);
            let value = match operator {
                BinaryOperator::Add => left.value.plus(&right.value, 1),
                BinaryOperator::Subtract if signed || bits == 64 => left.value.plus(&right.value, -1),
                BinaryOperator::Multiply => {
                    strides.extend([&left.value, &right.value].into_iter().filter_map(stride));
                    left.value.times(&right.value)
                }
                _ => return None,
            };
            Linear { value, strides }
        }
        _ => return None,
    };
    (found.value.0.len() <= MONOMIALS).then_some(found)
}

/// `parameter + constant`.
fn stride(value: &Polynomial) -> Option<Affine> {
    let value = value.affine()?;
    let only = value.terms.iter().next().filter(|_| value.terms.len() == 1);
    only.is_some_and(|(term, factor)| matches!(term, Term::Parameter(_)) && *factor == 1).then_some(value)
}
