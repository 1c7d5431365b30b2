//! Conditions on parameters as expressions, which are tested when the program is executed.

use crate::{
    analysis::{
        polynomial::Polynomial,
        program::{Parameter, Program},
    },
    cost::policy::WIDEST_STRIDE,
    ir::{
        BinaryOperator, Expression, arithmetic,
        convert::{self, select},
        types::Scalar,
    },
    isl::{Affine, Term},
};

/// What products of sizes are computed in.
const WIDE: Scalar = Scalar::Integer { bits: 128, signed: true };

impl Program<'_> {
    /// A condition that a value of parameters is not negative, computed without overflow.
    pub fn not_negative(&self, value: &Polynomial) -> Option<Expression> {
        // A number without a sign is compared as one.
        if let Some((Term::Parameter(index), most)) = value.as_limit()
            && let Some(Parameter { value: size, .. }) = self.parameters.get(*index)
            && !size.scalar.is_narrow()
            && size.scalar.is_unsigned()
        {
            let most = convert::convert(arithmetic::number(most), size.scalar);
            return convert::binary(BinaryOperator::GreaterEqual, most, size.clone()).ok();
        }
        let is_wide = |term: &Term| !self.is_narrow(term);
        let mut others: Vec<_> = value.products().collect();
        // A size of 64 bits stands alone, so that nothing is added to it. In products all are as great as a test lets them be.
        let wide = others
            .iter()
            .position(|(product, factor)| product.len() == 1 && is_wide(&product[0]) && factor.abs() == 1);
        let alone = wide.map(|index| others.remove(index));
        let most = others.iter().map(|(product, factor)| {
            factor.abs() as f64 * product.iter().map(|term| self.bits(term)).sum::<f64>().exp2()
        });
        let scalar = if most.sum::<f64>() < 63f64.exp2() { Scalar::LONG } else { WIDE };
        let read = |term: &Term| Some(convert::convert(self.size(term)?, scalar));
        let computed = |operator, left: Expression, right: Expression| match (operator, scalar) {
            (_, WIDE) => convert::binary(operator, left, right).ok(),
            (BinaryOperator::Add, _) => Some(arithmetic::add(left, right)),
            (BinaryOperator::Subtract, _) => Some(arithmetic::subtract(left, right)),
            (BinaryOperator::Multiply, _) => Some(arithmetic::multiply(left, right)),
            (comparison, _) => Some(arithmetic::compare(comparison, left, right)),
        };
        let is_first = |factor: i128| alone.map_or(factor > 0, |(_, alone)| alone < 0);
        // Those that are added come first, the constant last.
        let is_added = |factor: i128| is_first(factor) == (factor > 0);
        others.sort_by_key(|(product, factor)| (product.is_empty(), !is_added(*factor)));
        let mut sides = [arithmetic::number(0), arithmetic::number(0)];
        for (product, factor) in others {
            let size = Some(factor.checked_abs()?).filter(|size| *size != 1 || product.is_empty());
            let factors = size.map(arithmetic::number).into_iter().map(Some).chain(product.iter().map(read));
            let term = factors.reduce(|left, right| computed(BinaryOperator::Multiply, left?, right?))??;
            let side = &mut sides[usize::from(!is_first(factor))];
            *side = match is_added(factor) {
                true if *side == arithmetic::number(0) => term,
                true => computed(BinaryOperator::Add, side.clone(), term)?,
                false => computed(BinaryOperator::Subtract, side.clone(), term)?,
            };
        }
        if let Some((product, factor)) = alone {
            sides[usize::from(factor < 0)] = read(&product[0])?;
        }
        let [more, less] = sides;
        computed(BinaryOperator::GreaterEqual, more, less)
    }

    /// A bound of the bits of a parameter, or of what is computed of parameters.
    fn bits(&self, term: &Term) -> f64 {
        match term {
            Term::Parameter(index) => {
                match self.parameters.get(*index).map(|parameter| parameter.value.scalar) {
                    Some(Scalar::Integer { bits, signed }) if bits <= 32 => {
                        f64::from(bits) - f64::from(u8::from(signed))
                    }
                    _ => (WIDEST_STRIDE as f64).log2(),
                }
            }
            Term::Floor(value, _) => value.terms.keys().map(|term| self.bits(term)).fold(0.0, f64::max),
            Term::Iterator(_) | Term::Named(..) => f64::INFINITY,
        }
    }

    fn is_narrow(&self, term: &Term) -> bool {
        match term {
            Term::Parameter(index) => self.parameters[*index].value.scalar.is_narrow(),
            Term::Floor(value, _) => value.terms.keys().all(|term| self.is_narrow(term)),
            Term::Iterator(_) | Term::Named(..) => false,
        }
    }

    /// A parameter, or what is computed of parameters, as C's `long`.
    fn size(&self, term: &Term) -> Option<Expression> {
        match term {
            Term::Parameter(index) => Some(arithmetic::long(self.parameters.get(*index)?.value.clone())),
            Term::Floor(value, divisor) => {
                let value = self.sum(value)?;
                if divisor.count_ones() == 1 {
                    let bits = arithmetic::number(i128::from(divisor.trailing_zeros()));
                    return convert::binary(BinaryOperator::ShiftRight, value, bits).ok();
                }
                let by = || arithmetic::number(*divisor);
                let below = arithmetic::subtract(arithmetic::number(divisor - 1), value.clone());
                let negative = arithmetic::subtract(arithmetic::number(0), arithmetic::divide(below, by()));
                let is_positive =
                    arithmetic::compare(BinaryOperator::GreaterEqual, value.clone(), arithmetic::number(0));
                Some(select(is_positive, arithmetic::divide(value, by()), negative))
            }
            Term::Iterator(_) | Term::Named(..) => None,
        }
    }

    fn sum(&self, value: &Affine) -> Option<Expression> {
        value.terms.iter().try_fold(arithmetic::number(value.constant), |sum, (term, factor)| {
            Some(arithmetic::add(arithmetic::multiply(arithmetic::number(*factor), self.size(term)?), sum))
        })
    }
}
