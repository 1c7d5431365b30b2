//! Subscripts such as `i * n + j`, split into `i` and `j` where `j` is proved to stay below `n`.
//!
//! A product of an iterator and a parameter is not affine, so that such an element might be any. If each subscript of an
//! array is `outer * stride + inner` with one stride (a constant more or less than a parameter) and `0 <= inner < stride`
//! wherever the access happens, then two elements are the same only if both parts are. The outer part is split again, so
//! that `(i * n + j) * m + k` has three dimensions. A factor of all subscripts is a stride, too: `2 * (i * n + j) + 1` is the
//! second of two numbers. Of `m->data[i * n + j]` the last subscript is split, behind that of `m`. The tree keeps its
//! subscripts: only the sets have more dimensions.

use std::{cell::RefCell, rc::Rc};

use crate::{
    analysis::{affine::Case, polynomial::Polynomial, program::Program},
    cost::policy::ASSUMPTIONS,
    isl::{Affine, Context, Formula, IslError, Term},
};

/// Splits the subscripts of the arrays of a program.
pub(crate) fn split(program: &mut Program<'_>, context: &Rc<Context>) -> Result<(), IslError> {
    split_under(program, context, None)
}

/// What has to be true of parameters, each not negative, for all subscripts to be split.
pub(crate) fn assumptions(program: &mut Program<'_>, context: &Rc<Context>) -> Result<Vec<Affine>, IslError> {
    let assumed = RefCell::new(Vec::new());
    split_under(program, context, Some(&assumed))?;
    Ok(assumed.into_inner())
}

fn split_under(
    program: &mut Program<'_>,
    context: &Rc<Context>,
    assumed: Option<&RefCell<Vec<Affine>>>,
) -> Result<(), IslError> {
    for array in 0..program.arrays.len() {
        let accesses: Vec<usize> =
            (0..program.accesses.len()).filter(|access| program.accesses[*access].array == array).collect();
        let product = accesses.iter().any(|access| {
            let subscripts = program.accesses[*access].subscripts.split_last();
            subscripts.is_some_and(|(last, before)| last.is_none() && before.iter().all(Option::is_some))
        });
        let values: Option<Vec<Polynomial>> = accesses
            .iter()
            .map(|access| Some(program.accesses[*access].linear.as_ref()?.value.clone()))
            .collect();
        let Some(values) = values.filter(|_| product) else { continue };
        let linear = accesses.iter().filter_map(|access| program.accesses[*access].linear.as_ref());
        let mut strides: Vec<Affine> = linear.flat_map(|linear| linear.strides.clone()).collect();
        strides.sort();
        strides.dedup();
        let split = Split { program, context, accesses: &accesses, strides: &strides, assumed: None };
        let mut parts = split.dimensions(&values)?;
        if let (None, Some(assumed)) = (&parts, assumed) {
            let before = assumed.borrow().len();
            parts = Split { assumed: Some(assumed), ..split }.dimensions(&values)?;
            if parts.is_none() || assumed.borrow().len() > ASSUMPTIONS {
                assumed.borrow_mut().truncate(before);
            }
        }
        let Some((dimensions, found)) = parts else { continue };
        for (access, values) in accesses.iter().zip(dimensions) {
            let whole = |value| Some(vec![Case { condition: Formula::True, value }]);
            let subscripts = &mut program.accesses[*access].subscripts;
            subscripts.pop();
            subscripts.extend(values.into_iter().map(whole));
        }
        program.strides.insert(array, found);
    }
    Ok(())
}

struct Split<'s, 'r> {
    program: &'s Program<'r>,
    context: &'s Rc<Context>,
    accesses: &'s [usize],
    strides: &'s [Affine],
    /// What is assumed where it is not known, if anything may be.
    assumed: Option<&'s RefCell<Vec<Affine>>>,
}

impl Split<'_, '_> {
    /// The dimensions of each access, and the strides.
    #[expect(clippy::type_complexity, reason = "a list for each access")]
    fn dimensions(&self, values: &[Polynomial]) -> Result<Option<(Vec<Vec<Affine>>, Vec<Affine>)>, IslError> {
        if let Some(values) = values.iter().map(Polynomial::affine).collect::<Option<Vec<_>>>() {
            return Ok(Some((values.into_iter().map(|value| vec![value]).collect(), Vec::new())));
        }
        let factor = Polynomial::common_factor(values);
        if factor > 1 {
            let parts = values.iter().map(|value| value.divided_by(factor));
            let (outer, inner): (Vec<_>, Vec<_>) = parts.unzip();
            let Some((mut dimensions, mut strides)) = self.dimensions(&outer)? else { return Ok(None) };
            let inner = inner.into_iter().map(Affine::constant);
            dimensions.iter_mut().zip(inner).for_each(|(dimensions, inner)| dimensions.push(inner));
            strides.push(Affine::constant(factor));
            return Ok(Some((dimensions, strides)));
        }
        let degree = |values: &[Polynomial]| values.iter().map(Polynomial::degree).max();
        for stride in self.strides {
            let Some((outer, inner)) = self.parts(values, stride)? else { continue };
            if degree(&outer) >= degree(values) {
                continue;
            }
            if let Some((mut dimensions, mut strides)) = self.dimensions(&outer)? {
                dimensions.iter_mut().zip(inner).for_each(|(dimensions, inner)| dimensions.push(inner));
                strides.push(stride.clone());
                return Ok(Some((dimensions, strides)));
            }
        }
        Ok(None)
    }

    /// For each access what the stride is multiplied with, and what is added: not negative, and less than the stride.
    #[expect(clippy::type_complexity, reason = "two lists")]
    fn parts(
        &self,
        values: &[Polynomial],
        stride: &Affine,
    ) -> Result<Option<(Vec<Polynomial>, Vec<Affine>)>, IslError> {
        let Some(parameter) = stride.terms.keys().next() else { return Ok(None) };
        let before = self.assumed.map_or(0, |assumed| assumed.borrow().len());
        let parts = self.parts_by(values, stride, parameter)?;
        if let (None, Some(assumed)) = (&parts, self.assumed) {
            assumed.borrow_mut().truncate(before);
        }
        Ok(parts)
    }

    #[expect(clippy::type_complexity, reason = "two lists")]
    fn parts_by(
        &self,
        values: &[Polynomial],
        stride: &Affine,
        parameter: &Term,
    ) -> Result<Option<(Vec<Polynomial>, Vec<Affine>)>, IslError> {
        let (mut outer, mut inner) = (Vec::new(), Vec::new());
        'accesses: for (access, value) in self.accesses.iter().zip(values) {
            let (quotient, rest) = value.divided(parameter, stride.constant);
            let Some(rest) = rest.affine() else { return Ok(None) };
            // `i * n + n - 1` is the last element of row `i`, not one before row `i + 1`.
            for rows in [0, -1, 1] {
                let rest = rest.plus(stride, -rows);
                if self.is_below(*access, &rest, stride)? {
                    outer.push(quotient.clone().plus(&Polynomial::of(&Affine::constant(rows)), 1));
                    inner.push(rest);
                    continue 'accesses;
                }
            }
            if self.is_below_if(*access, &rest, stride)? {
                outer.push(quotient);
                inner.push(rest);
                continue;
            }
            return Ok(None);
        }
        Ok(Some((outer, inner)))
    }

    /// Whether a value is not negative and less than a bound wherever an access happens.
    fn is_below(&self, access: usize, value: &Affine, bound: &Affine) -> Result<bool, IslError> {
        let access = &self.program.accesses[access];
        let inside = Formula::and([
            Formula::NotNegative(value.in_copy('a')),
            Formula::less(value.in_copy('a'), bound.in_copy('a')),
        ]);
        let known = self.program.context();
        let assumed = self.assumed.map_or(Formula::True, |assumed| {
            Formula::and(assumed.borrow().iter().cloned().map(Formula::NotNegative))
        });
        let outside = Formula::and([known, assumed, self.program.domain(access, 'a'), inside.negated()]);
        let iterators = self.program.iterators(&access.around, 'a');
        self.program.set(self.context, &iterators, &[], &outside)?.is_empty()
    }

    /// The same under assumptions on parameters, which are kept: that the extremes of the value are within the bound.
    fn is_below_if(&self, access: usize, value: &Affine, bound: &Affine) -> Result<bool, IslError> {
        let Some(assumed) = self.assumed else { return Ok(false) };
        let greatest = self.program.extreme(value, true);
        let least = self.program.extreme(value, false);
        let (Some(greatest), Some(least)) = (greatest, least) else { return Ok(false) };
        let below = bound.plus(&greatest, -1).plus(&Affine::constant(1), -1);
        for condition in [below, least] {
            if condition.as_constant().is_some_and(|value| value < 0) {
                return Ok(false);
            }
            let is_new = condition.as_constant().is_none() && !assumed.borrow().contains(&condition);
            if is_new && !self.is_below(access, value, bound)? {
                assumed.borrow_mut().push(condition);
            }
        }
        self.is_below(access, value, bound)
    }
}
