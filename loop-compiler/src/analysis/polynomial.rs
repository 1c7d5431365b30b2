//! Polynomials of iterators and parameters.

use std::collections::{BTreeMap, BTreeSet};

use crate::isl::{Affine, Term};

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

    pub fn times(&self, other: &Polynomial) -> Polynomial {
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

    /// How many products there are.
    pub fn length(&self) -> usize {
        self.0.len()
    }

    /// A number that the polynomial is never less than, and one that it never exceeds, for the ranges of its terms.
    pub fn range(&self, of: &dyn Fn(&Term) -> (i128, i128)) -> (i128, i128) {
        let product = |(least, most): (i128, i128), (low, high): (i128, i128)| {
            let corners =
                [least, most].into_iter().flat_map(|one| [one.saturating_mul(low), one.saturating_mul(high)]);
            corners
                .fold((i128::MAX, i128::MIN), |(least, most), corner| (least.min(corner), most.max(corner)))
        };
        self.0.iter().fold((0, 0), |(least, most): (i128, i128), (terms, factor)| {
            let (low, high) = terms.iter().map(of).fold((*factor, *factor), product);
            (least.saturating_add(low), most.saturating_add(high))
        })
    }

    /// A term and a positive number, if the polynomial is the number less the term.
    pub fn as_limit(&self) -> Option<(&Term, i128)> {
        let most = self.0.get(&Vec::new()).copied().filter(|most| *most > 0)?;
        let mut terms = self.0.iter().filter(|(product, _)| !product.is_empty());
        match (terms.next(), terms.next()) {
            (Some((product, -1)), None) if product.len() == 1 => Some((&product[0], most)),
            _ => None,
        }
    }

    pub fn degree(&self) -> usize {
        self.0.keys().map(Vec::len).max().unwrap_or(0)
    }

    /// The numbers with which products are multiplied.
    pub fn coefficients(&self) -> impl Iterator<Item = i128> + '_ {
        self.0.values().copied()
    }

    /// The products, and what each is multiplied with.
    pub fn products(&self) -> impl Iterator<Item = (&[Term], i128)> {
        self.0.iter().map(|(product, factor)| (&product[..], *factor))
    }

    /// The parameters, if there is nothing else.
    pub fn parameters(&self) -> Option<BTreeSet<usize>> {
        let parameter = |term: &Term| match term {
            Term::Parameter(index) => Some(*index),
            _ => None,
        };
        self.0.keys().flatten().map(parameter).collect()
    }

    /// The parameters in products of several, if there is nothing but parameters.
    pub fn factors(&self) -> Option<BTreeSet<usize>> {
        let products = self.0.iter().filter(|(product, _)| product.len() > 1);
        self.parameters()?;
        Polynomial(products.map(|(product, factor)| (product.clone(), *factor)).collect()).parameters()
    }

    /// The innermost loop whose iterator occurs.
    pub fn innermost(&self) -> Option<usize> {
        self.0.keys().flatten().filter_map(iterator).max()
    }

    /// The loops whose iterators are multiplied with a stride.
    pub fn loops_beside(&self, stride: &Affine) -> impl Iterator<Item = usize> {
        let parameter = stride.terms.keys().next();
        let products =
            self.0.keys().filter(move |product| product.iter().any(|term| Some(term) == parameter));
        products.flatten().filter_map(iterator)
    }

    /// What an iterator is multiplied with, and what is added; none if one of them has it, too.
    pub fn coefficient(&self, loop_index: usize) -> Option<(Polynomial, Polynomial)> {
        let (mut coefficient, mut rest) = (Polynomial::default(), Polynomial::default());
        for (product, factor) in &self.0 {
            let others: Vec<Term> =
                product.iter().filter(|term| **term != Term::Iterator(loop_index)).cloned().collect();
            if others.iter().any(|term| matches!(term, Term::Floor(value, _) if value.mentions(loop_index))) {
                return None;
            }
            match product.len() - others.len() {
                0 => rest.add(others, *factor),
                1 => coefficient.add(others, *factor),
                _ => return None,
            }
        }
        Some((coefficient, rest))
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

    /// Whether an iterator is added that nothing is multiplied with.
    pub fn has_iterator(&self) -> bool {
        self.0.keys().any(|product| matches!(product[..], [Term::Iterator(_) | Term::Floor(..)]))
    }

    /// What all have in products of parameters alone, and the least of their constants.
    pub fn common_part(values: &[Polynomial]) -> Polynomial {
        let mut common = Polynomial::default();
        let Some(first) = values.first() else { return common };
        for (product, factor) in &first.0 {
            let is_common = || values.iter().all(|value| value.0.get(product) == Some(factor));
            if !product.is_empty() && product.iter().all(Term::is_of_parameters) && is_common() {
                common.add(product.clone(), *factor);
            }
        }
        let constants = values.iter().map(|value| value.0.get(&Vec::new()).copied().unwrap_or(0));
        common.add(Vec::new(), constants.min().unwrap_or(0));
        common
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

    /// What of the sum a number divides, divided by it, and the rest.
    pub fn parted_by(&self, number: i128) -> (Polynomial, Polynomial) {
        let (mut quotient, mut rest) = (Polynomial::default(), Polynomial::default());
        for (product, factor) in &self.0 {
            match (product.is_empty(), factor.rem_euclid(number)) {
                (true, left) => {
                    quotient.add(Vec::new(), factor.div_euclid(number));
                    rest.add(Vec::new(), left);
                }
                (false, 0) => quotient.add(product.clone(), factor / number),
                (false, _) => rest.add(product.clone(), *factor),
            }
        }
        (quotient, rest)
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

fn iterator(term: &Term) -> Option<usize> {
    match term {
        Term::Iterator(index) => Some(*index),
        _ => None,
    }
}

fn greatest_divisor(first: i128, second: i128) -> i128 {
    if second == 0 { first } else { greatest_divisor(second, first % second) }
}
