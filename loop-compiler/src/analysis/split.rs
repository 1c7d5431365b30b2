//! Subscripts such as `i * n + j`, split into `i` and `j` where `j` is proved to stay below `n`.
//!
//! A product of an iterator and a parameter is not affine, so that such an element might be any. If each subscript of an
//! array is `outer * stride + inner` with one stride (a constant more or less than a parameter) and `0 <= inner < stride`
//! wherever the access happens, then two elements are the same only if both parts are. The outer part is split again, so
//! that `(i * n + j) * m + k` has three dimensions. A factor of all subscripts is a stride, too: `2 * (i * n + j) + 1` is the
//! second of two numbers. Of `m->data[i * n + j]` the last subscript is split, behind that of `m`. The tree keeps its
//! subscripts: only the sets have more dimensions.

use std::rc::Rc;

use crate::{
    analysis::{affine::Case, polynomial::Polynomial, program::Program},
    isl::{Affine, Context, Formula, IslError},
};

/// Splits the subscripts of the arrays of a program.
pub(crate) fn split(program: &mut Program<'_>, context: &Rc<Context>) -> Result<(), IslError> {
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
        let split = Split { program, context, accesses: &accesses, strides: &strides };
        let Some((dimensions, found)) = split.dimensions(&values)? else { continue };
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
        let outside =
            Formula::and([self.program.context(), self.program.domain(access, 'a'), inside.negated()]);
        let iterators = self.program.iterators(&access.around, 'a');
        self.program.set(self.context, &iterators, &[], &outside)?.is_empty()
    }
}
