//! Subscripts such as `i * n + j`, split into `i` and `j` where `j` is proved to stay below `n`.
//!
//! A product of an iterator and a parameter is not affine, so that such an element might be any. If each subscript of an
//! array is `outer * stride + inner` with one stride (a constant more or less than a parameter) and `0 <= inner < stride`
//! wherever the access happens, then two elements are the same only if both parts are. Both parts are split again, so that
//! `(i * n + j) * m + k` has three dimensions, and `p * plane + i * pitch + j`, too. A factor of all subscripts is a stride:
//! `2 * (i * n + j) + 1` is the second of two numbers. Of `m->data[i * n + j]` the last subscript is split, behind that of
//! `m`. The tree keeps its subscripts: only the sets have more dimensions.
//!
//! What is not known may be assumed, and is then tested when the program is executed: that the greatest inner part by the
//! bounds of the loops is less than the stride. Of an inner part that is not affine isl proves nothing; there the assumption alone
//! decides.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use crate::{
    analysis::{
        affine::Case,
        polynomial::Polynomial,
        program::{Program, bounds_of},
    },
    cost::policy::ASSUMPTIONS,
    isl::{Affine, Context, Formula, IslError, Term},
};

/// Splits the subscripts of the arrays of a program.
pub(crate) fn split(program: &mut Program<'_>, context: &Rc<Context>) -> Result<(), IslError> {
    split_under(program, context, None)
}

/// What has to be true of parameters, each not negative, for all subscripts to be split, besides what is assumed already.
pub(crate) fn assumptions(
    program: &mut Program<'_>,
    context: &Rc<Context>,
    assumed: Vec<Polynomial>,
) -> Result<Vec<Polynomial>, IslError> {
    let assumed = RefCell::new(assumed);
    split_under(program, context, Some(&assumed))?;
    Ok(assumed.into_inner())
}

fn split_under(
    program: &mut Program<'_>,
    context: &Rc<Context>,
    assumed: Option<&RefCell<Vec<Polynomial>>>,
) -> Result<(), IslError> {
    for array in 0..program.arrays.len() {
        let accesses: Vec<usize> =
            (0..program.accesses.len()).filter(|access| program.accesses[*access].array == array).collect();
        let product = accesses.iter().any(|access| {
            let subscripts = program.accesses[*access].subscripts.split_last();
            subscripts.is_some_and(|(last, before)| last.is_none() && before.iter().all(Option::is_some))
        });
        if !product {
            continue;
        }
        let before = assumed.map_or(0, |assumed| assumed.borrow().len());
        let apart = apart(program, accesses);
        let split: Result<Option<Vec<Dimensions>>, IslError> =
            apart.iter().map(|accesses| split_alike(program, context, accesses, assumed)).collect();
        let Some(split) = split? else {
            if let Some(assumed) = assumed {
                assumed.borrow_mut().truncate(before);
            }
            continue;
        };
        let count = split.iter().map(|split| split.weights.len()).max().unwrap_or_default();
        let weights = match &split[..] {
            [first, others @ ..] if others.iter().all(|other| other.weights == first.weights) => {
                first.weights.iter().cloned().map(Some).collect()
            }
            _ => vec![None; count],
        };
        for (accesses, Dimensions { values, .. }) in apart.iter().zip(split) {
            for (access, mut values) in accesses.iter().zip(values) {
                let whole = |value| Some(vec![Case { condition: Formula::True, value }]);
                let subscripts = &mut program.accesses[*access].subscripts;
                subscripts.pop();
                values.resize(count, Affine::constant(0));
                subscripts.extend(values.into_iter().map(whole));
            }
        }
        program.weights.insert(array, weights);
    }
    Ok(())
}

/// Accesses to an array, apart by what stands before the last subscript, if all of that is constants: `planes[0][…]` and
/// `planes[1][…]` may have other strides.
fn apart(program: &Program<'_>, accesses: Vec<usize>) -> Vec<Vec<usize>> {
    let constants = |access: &usize| -> Option<Vec<i128>> {
        let (_, before) = program.accesses[*access].subscripts.split_last()?;
        let constant = |subscript: &Option<Vec<Case>>| match subscript.as_deref() {
            Some([Case { condition: Formula::True, value }]) => value.as_constant(),
            _ => None,
        };
        before.iter().map(constant).collect()
    };
    let mut parts: BTreeMap<Vec<i128>, Vec<usize>> = BTreeMap::new();
    for access in &accesses {
        match constants(access) {
            Some(constants) => parts.entry(constants).or_default().push(*access),
            None => return vec![accesses],
        }
    }
    parts.into_values().collect()
}

/// The dimensions of accesses of which the same elements are those with the same last subscript.
fn split_alike(
    program: &Program<'_>,
    context: &Rc<Context>,
    accesses: &[usize],
    assumed: Option<&RefCell<Vec<Polynomial>>>,
) -> Result<Option<Dimensions>, IslError> {
    let values: Option<Vec<Polynomial>> = accesses
        .iter()
        .map(|access| Some(program.accesses[*access].linear.as_ref()?.value.clone()))
        .collect();
    let Some(values) = values else { return Ok(None) };
    let strides = strides(program, accesses);
    let split = Split { program, context, accesses, strides: &strides, assumed: None };
    let mut parts = split.dimensions(&values)?;
    if let (None, Some(assumed)) = (&parts, assumed) {
        let before = assumed.borrow().len();
        let under = Split { assumed: Some(assumed), ..split };
        parts = under.dimensions(&values)?;
        if parts.is_none() || assumed.borrow().len() > ASSUMPTIONS || !under.has_use()? {
            parts = None;
            assumed.borrow_mut().truncate(before);
        }
    }
    Ok(parts)
}

/// The strides that occur in accesses: first those of outer loops, which are usually the greater ones.
fn strides(program: &Program<'_>, accesses: &[usize]) -> Vec<Affine> {
    let linear: Vec<_> =
        accesses.iter().filter_map(|access| program.accesses[*access].linear.as_ref()).collect();
    let strides: BTreeSet<&Affine> = linear.iter().flat_map(|linear| &linear.strides).collect();
    let mut strides: Vec<Affine> = strides.into_iter().cloned().collect();
    strides.sort_by_cached_key(|stride| {
        let loops = linear.iter().flat_map(|linear| linear.value.loops_beside(stride));
        loops.map(|index| program.loops[index].around.len()).min()
    });
    strides
}

/// What the subscripts of an array are split into.
struct Dimensions {
    /// For each access a value for each dimension.
    values: Vec<Vec<Affine>>,
    /// For each dimension how far apart two elements are whose values differ by one.
    weights: Vec<Polynomial>,
}

struct Split<'s, 'r> {
    program: &'s Program<'r>,
    context: &'s Rc<Context>,
    accesses: &'s [usize],
    strides: &'s [Affine],
    /// What is assumed where it is not known, if anything may be.
    assumed: Option<&'s RefCell<Vec<Polynomial>>>,
}

impl Split<'_, '_> {
    fn dimensions(&self, values: &[Polynomial]) -> Result<Option<Dimensions>, IslError> {
        if let Some(values) = values.iter().map(Polynomial::affine).collect::<Option<Vec<_>>>() {
            let values = values.into_iter().map(|value| vec![value]).collect();
            return Ok(Some(Dimensions { values, weights: vec![Polynomial::of(&Affine::constant(1))] }));
        }
        // `first + i * step`, without columns.
        let first = Polynomial::common_part(values);
        if first == Polynomial::default() || values.iter().any(Polynomial::has_iterator) {
            return self.split(values);
        }
        let moved: Vec<Polynomial> = values.iter().map(|value| value.clone().plus(&first, -1)).collect();
        Ok(self.dimensions(&moved)?.map(|mut found| {
            found.values.iter_mut().for_each(|values| values.push(Affine::constant(1)));
            found.weights.push(first);
            found
        }))
    }

    /// The dimensions of what is not affine.
    fn split(&self, values: &[Polynomial]) -> Result<Option<Dimensions>, IslError> {
        let factor = Polynomial::common_factor(values);
        if factor > 1 {
            let one = Polynomial::of(&Affine::constant(1));
            let parts = values.iter().map(|value| value.divided_by(factor));
            let (outer, inner): (Vec<_>, Vec<_>) = parts.unzip();
            let values = inner.into_iter().map(|value| vec![Affine::constant(value)]).collect();
            let inner = Dimensions { values, weights: vec![one] };
            let outer = self.dimensions(&outer)?;
            return Ok(outer.map(|outer| outer.behind(&Affine::constant(factor), inner)));
        }
        // `3 * (i * n + j) + k`.
        let factors: BTreeSet<i128> =
            values.iter().flat_map(Polynomial::coefficients).map(i128::abs).collect();
        for factor in factors.into_iter().rev().filter(|factor| *factor > 1) {
            let parts: Vec<_> = values.iter().map(|value| value.parted_by(factor)).collect();
            let (outer, inner): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
            let stride = Affine::constant(factor);
            let mut fits = true;
            for (access, inner) in self.accesses.iter().zip(&inner) {
                let Some(inner) = inner.affine().filter(|_| fits) else {
                    fits = false;
                    break;
                };
                fits = self.is_below(*access, &inner, &stride)?;
            }
            if fits && let Some(outer) = self.dimensions(&outer)? {
                let inner = self.dimensions(&inner)?;
                return Ok(inner.map(|inner| outer.behind(&stride, inner)));
            }
        }
        // Inner parts that are affine first: these can be proved.
        for has_products in [false, true] {
            for stride in self.strides {
                let before = self.assumed.map_or(0, |assumed| assumed.borrow().len());
                if let Some(found) = self.by(stride, values, has_products)? {
                    return Ok(Some(found));
                }
                if let Some(assumed) = self.assumed {
                    assumed.borrow_mut().truncate(before);
                }
            }
        }
        Ok(None)
    }

    /// The dimensions of both parts by a stride.
    fn by(
        &self,
        stride: &Affine,
        values: &[Polynomial],
        has_products: bool,
    ) -> Result<Option<Dimensions>, IslError> {
        let Some((outer, inner)) = self.parts(values, stride, has_products)? else { return Ok(None) };
        let degree = |values: &[Polynomial]| values.iter().map(Polynomial::degree).max();
        if degree(&outer) >= degree(values) || inner == values {
            return Ok(None);
        }
        let Some(outer) = self.dimensions(&outer)? else { return Ok(None) };
        let inner = self.dimensions(&inner)?;
        Ok(inner.map(|inner| outer.behind(stride, inner)))
    }

    /// For each access what the stride is multiplied with, and what is added: not negative, and less than the stride.
    #[expect(clippy::type_complexity, reason = "two lists")]
    fn parts(
        &self,
        values: &[Polynomial],
        stride: &Affine,
        has_products: bool,
    ) -> Result<Option<(Vec<Polynomial>, Vec<Polynomial>)>, IslError> {
        let Some(parameter) = stride.terms.keys().next() else { return Ok(None) };
        let (mut outer, mut inner) = (Vec::new(), Vec::new());
        'accesses: for (access, value) in self.accesses.iter().zip(values) {
            let (quotient, rest) = value.divided(parameter, stride.constant);
            if let Some(rest) = rest.affine() {
                // `i * n + n - 1` is the last element of row `i`, not one before row `i + 1`.
                for rows in [0, -1, 1] {
                    let rest = rest.plus(stride, -rows);
                    if self.is_below(*access, &rest, stride)? {
                        outer.push(quotient.clone().plus(&Polynomial::of(&Affine::constant(rows)), 1));
                        inner.push(Polynomial::of(&rest));
                        continue 'accesses;
                    }
                }
            } else if !has_products || quotient == Polynomial::default() {
                // Another layout than that of the other accesses would not be apart from theirs.
                return Ok(None);
            }
            if !self.is_below_if(*access, &rest, stride)? {
                return Ok(None);
            }
            outer.push(quotient);
            inner.push(rest);
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
        let outside = Formula::and([self.known(), self.program.domain(access, 'a'), inside.negated()]);
        let iterators = self.program.iterators(&access.around, 'a');
        self.program.set(self.context, &iterators, &[], &outside)?.is_empty()
    }

    /// The same under assumptions on parameters, which are kept: that the extremes of the value are within the bound.
    fn is_below_if(&self, access: usize, value: &Polynomial, bound: &Affine) -> Result<bool, IslError> {
        let affine = value.affine();
        if affine.is_some() && self.assumed.is_none() {
            return Ok(false);
        }
        let (Some(greatest), Some(least)) = (self.extreme(value, true)?, self.extreme(value, false)?) else {
            return Ok(false);
        };
        let below = Polynomial::of(&bound.plus(&Affine::constant(1), -1)).plus(&greatest, -1);
        for condition in [below, least] {
            let is_known = match &affine {
                Some(value) => self.is_below(access, value, bound)?,
                None => false,
            };
            if !is_known && !self.holds(&condition)? {
                return Ok(false);
            }
        }
        affine.map_or(Ok(true), |value| self.is_below(access, &value, bound))
    }

    /// The greatest or least value of a subscript, by the bounds of loops alone.
    fn extreme(&self, value: &Polynomial, greatest: bool) -> Result<Option<Polynomial>, IslError> {
        let Some(mut value) = self.outside_floors(value, greatest)? else { return Ok(None) };
        // Bounds are made of iterators of loops around.
        while let Some(innermost) = value.innermost() {
            let Some((coefficient, rest)) = value.coefficient(innermost) else { return Ok(None) };
            let Some(is_positive) = self.is_positive(&coefficient)? else { return Ok(None) };
            let Some(bound) = self.bound(innermost, is_positive == greatest)? else { return Ok(None) };
            value = rest.plus(&coefficient.times(&Polynomial::of(&bound)), 1);
        }
        Ok(Some(value))
    }

    /// A subscript with the extremes of what `i / 2` divides in its place.
    fn outside_floors(&self, value: &Polynomial, greatest: bool) -> Result<Option<Polynomial>, IslError> {
        let mut out = value.clone();
        for (product, factor) in value.products() {
            let is_of_iterators =
                |term: &&Term| matches!(term, Term::Floor(divided, _) if !divided.is_of_parameters());
            let Some(floor) = product.iter().find(is_of_iterators) else { continue };
            let (Term::Floor(divided, by), [_]) = (floor, product) else { return Ok(None) };
            let extreme = self.extreme(&Polynomial::of(divided), (factor > 0) == greatest)?;
            let Some(extreme) = extreme.and_then(|extreme| extreme.affine()) else { return Ok(None) };
            let bound = match extreme.as_constant() {
                Some(constant) => Affine::constant(constant.div_euclid(*by)),
                None => Affine::term(Term::Floor(Box::new(extreme), *by)),
            };
            out = out.plus(&Polynomial::of(&Affine::term(floor.clone())), -factor);
            out = out.plus(&Polynomial::of(&bound), factor);
        }
        Ok(Some(out))
    }

    /// A value that an iterator never exceeds, or that it is never less than.
    fn bound(&self, index: usize, greatest: bool) -> Result<Option<Affine>, IslError> {
        let iterator = Affine::term(Term::Iterator(index));
        for (bound, is_certain) in bounds_of(&self.program.loops[index].domain, index, greatest) {
            if is_certain {
                return Ok(Some(bound));
            }
            let beyond = match greatest {
                true => Formula::less(bound.in_copy('a'), iterator.in_copy('a')),
                false => Formula::less(iterator.in_copy('a'), bound.in_copy('a')),
            };
            let around = [&self.program.loops[index].around[..], &[index]].concat();
            let all = Formula::and([self.known(), self.program.instances(&around, &[], 'a'), beyond]);
            let iterators = self.program.iterators(&around, 'a');
            if self.program.set(self.context, &iterators, &[], &all)?.is_empty()? {
                return Ok(Some(bound));
            }
        }
        Ok(None)
    }

    /// Whether a product of parameters is not negative, or not positive, if that is known or may be assumed.
    fn is_positive(&self, value: &Polynomial) -> Result<Option<bool>, IslError> {
        let Some(parameters) = value.parameters() else { return Ok(None) };
        for is_positive in [true, false] {
            if value.coefficients().all(|factor| (factor > 0) == is_positive) {
                for parameter in parameters {
                    if !self.is_size(parameter)? {
                        return Ok(None);
                    }
                }
                return Ok(Some(is_positive));
            }
        }
        Ok(self.holds(value)?.then_some(true))
    }

    /// Whether a parameter is not negative. Of one that has all bits of an address and no sign it has to be tested: a negative
    /// distance looks like a large one.
    fn is_size(&self, parameter: usize) -> Result<bool, IslError> {
        let scalar = self.program.parameters[parameter].value.scalar;
        match scalar.is_narrow() || scalar.is_signed() {
            true => self.holds(&Polynomial::of(&Affine::term(Term::Parameter(parameter)))),
            false => Ok(self.is_limited(parameter)),
        }
    }

    /// Whether it is assumed that a parameter is no larger than sizes are.
    fn is_limited(&self, parameter: usize) -> bool {
        self.program.limits(parameter).into_iter().all(|limit| self.assume(limit))
    }

    /// Whether a value is not negative; that may be assumed.
    fn holds(&self, value: &Polynomial) -> Result<bool, IslError> {
        if let Some(value) = value.affine() {
            let outside = Formula::and([self.known(), Formula::NotNegative(value.clone()).negated()]);
            if self.program.set(self.context, &[], &[], &outside)?.is_empty()? {
                return Ok(true);
            }
            return Ok(value.as_constant().is_none() && self.assume(Polynomial::of(&value)));
        }
        let Some(parameters) = value.factors() else { return Ok(false) };
        for parameter in parameters {
            // Products of these are computed without overflow.
            let is_wide = !self.program.parameters[parameter].value.scalar.is_narrow();
            if is_wide && !self.is_limited(parameter) {
                return Ok(false);
            }
        }
        Ok(self.assume(value.clone()))
    }

    /// Whether it is assumed that a value is not negative, now or before.
    fn assume(&self, value: Polynomial) -> bool {
        if self.program.assumed().contains(&value) {
            return true;
        }
        let Some(assumed) = self.assumed else { return false };
        if !assumed.borrow().contains(&value) {
            assumed.borrow_mut().push(value);
        }
        true
    }

    /// Whether each loop may have several iterations under the assumptions, if it may without them.
    fn has_use(&self) -> Result<bool, IslError> {
        let around = self.accesses.iter().flat_map(|access| &self.program.accesses[*access].around);
        for index in around.collect::<BTreeSet<_>>() {
            let outer = &self.program.loops[*index].around;
            let inner = [&outer[..], &[*index]].concat();
            let [first, last] = ['a', 'b'].map(|copy| Affine::term(Term::Named(copy, *index)));
            let several = Formula::and([
                self.program.instances(&inner, &[], 'a'),
                self.program.instances(&inner, &[], 'b'),
                self.program.same_iterations(outer, 'a', 'b'),
                Formula::less(first.plus(&Affine::constant(1), 1), last),
            ]);
            let iterators =
                [self.program.iterators(&inner, 'a'), self.program.iterators(&inner, 'b')].concat();
            let is_possible = |known| {
                let all = Formula::and([known, several.clone()]);
                Ok(!self.program.set(self.context, &iterators, &[], &all)?.is_empty()?)
            };
            if !is_possible(self.known())? && is_possible(self.program.context())? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What is known of parameters.
    fn known(&self) -> Formula {
        let assumed = self.assumed.map(RefCell::borrow);
        let assumed = assumed.iter().flat_map(|assumed| assumed.iter()).filter_map(Polynomial::affine);
        Formula::and([self.program.context()].into_iter().chain(assumed.map(Formula::NotNegative)))
    }
}

impl Dimensions {
    /// The dimensions of both parts, of which the outer one is multiplied with a stride.
    fn behind(mut self, stride: &Affine, inner: Dimensions) -> Dimensions {
        for (values, inner) in self.values.iter_mut().zip(inner.values) {
            values.extend(inner);
        }
        let stride = Polynomial::of(stride);
        let outer = self.weights.iter().map(|weight| weight.times(&stride));
        Dimensions { values: self.values, weights: outer.chain(inner.weights).collect() }
    }
}
