//! Affine values and conditions of the dimensions and parameters of sets.

use std::{collections::BTreeMap, fmt};

/// What a coefficient belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Term {
    /// The iterator of a loop, by its number in the program.
    Iterator(usize),
    /// A value that the region does not change, by its number in the program.
    Parameter(usize),
    /// A dimension or a parameter of a set, `a0` or `c1`: of an iterator's copies `a` and `b`, of a cell's coordinates.
    Named(char, usize),
    /// The greatest integer that is no more than a value divided by a positive number.
    Floor(Box<Affine>, i128),
}

/// A sum of terms with coefficients, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Affine {
    pub terms: BTreeMap<Term, i128>,
    pub constant: i128,
}

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Formula {
    True,
    False,
    /// A condition that is not affine.
    Unknown,
    /// The value is 0 or more.
    NotNegative(Affine),
    Zero(Affine),
    /// The value is a multiple of a positive number.
    Multiple(Affine, i128),
    NotMultiple(Affine, i128),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

/// Which copy of an instance a formula speaks of: the names of iterators begin with it.
pub(crate) type Copy = char;

impl Term {
    /// The name of a dimension or a parameter.
    pub fn name(&self) -> String {
        match self {
            Term::Iterator(index) => format!("i{index}"),
            Term::Parameter(index) => format!("p{index}"),
            Term::Named(letter, index) => format!("{letter}{index}"),
            Term::Floor(value, divisor) => format!("floor(({value})/{divisor})"),
        }
    }

    /// Whether it is a parameter, or computed of parameters alone.
    pub fn is_of_parameters(&self) -> bool {
        match self {
            Term::Parameter(_) => true,
            Term::Floor(value, _) => value.is_of_parameters(),
            Term::Iterator(_) | Term::Named(..) => false,
        }
    }
}

/// The names of dimensions, as a tuple has them.
pub(crate) fn names(terms: &[Term]) -> String {
    terms.iter().map(Term::name).collect::<Vec<_>>().join(", ")
}

impl Affine {
    pub fn constant(constant: i128) -> Affine {
        Affine { terms: BTreeMap::new(), constant }
    }

    pub fn term(term: Term) -> Affine {
        Affine { terms: BTreeMap::from([(term, 1)]), constant: 0 }
    }

    pub fn plus(&self, other: &Affine, factor: i128) -> Affine {
        let mut sum = self.clone();
        for (term, coefficient) in &other.terms {
            let entry = sum.terms.entry(term.clone()).or_default();
            *entry = entry.saturating_add(coefficient.saturating_mul(factor));
        }
        sum.terms.retain(|_, coefficient| *coefficient != 0);
        sum.constant = sum.constant.saturating_add(other.constant.saturating_mul(factor));
        sum
    }

    pub fn times(&self, factor: i128) -> Affine {
        Affine::default().plus(self, factor)
    }

    pub fn as_constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The coefficient of a loop's iterator, outside of divisions.
    pub fn coefficient(&self, loop_index: usize) -> i128 {
        self.terms.get(&Term::Iterator(loop_index)).copied().unwrap_or(0)
    }

    /// Whether a loop's iterator occurs.
    pub fn mentions(&self, loop_index: usize) -> bool {
        self.terms.keys().any(|term| match term {
            Term::Iterator(index) => *index == loop_index,
            Term::Parameter(_) | Term::Named(..) => false,
            Term::Floor(value, _) => value.mentions(loop_index),
        })
    }

    /// Whether all its terms are of parameters alone.
    pub fn is_of_parameters(&self) -> bool {
        self.terms.keys().all(Term::is_of_parameters)
    }

    /// With the iterators of one copy.
    pub fn in_copy(&self, copy: Copy) -> Affine {
        self.with_iterators(&|index| Term::Named(copy, index))
    }

    /// With other terms in place of iterators.
    pub fn with_iterators(&self, named: &dyn Fn(usize) -> Term) -> Affine {
        let other = |term: &Term| match term {
            Term::Iterator(index) => named(*index),
            Term::Floor(value, divisor) => Term::Floor(Box::new(value.with_iterators(named)), *divisor),
            other => other.clone(),
        };
        let terms = self.terms.iter().map(|(term, coefficient)| (other(term), *coefficient));
        Affine { terms: terms.collect(), constant: self.constant }
    }
}

/// In isl's notation.
impl fmt::Display for Affine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut plus = "";
        for (term, coefficient) in &self.terms {
            write!(f, "{plus}{coefficient}*{}", term.name())?;
            plus = " + ";
        }
        if self.constant != 0 || plus.is_empty() {
            write!(f, "{plus}{}", self.constant)?;
        }
        Ok(())
    }
}

impl From<Term> for Affine {
    fn from(term: Term) -> Affine {
        Affine::term(term)
    }
}

impl Formula {
    /// Whether two values are equal.
    pub fn equal(first: impl Into<Affine>, second: impl Into<Affine>) -> Formula {
        Formula::Zero(first.into().plus(&second.into(), -1))
    }

    /// Whether the first of two values is less.
    pub fn less(first: impl Into<Affine>, second: impl Into<Affine>) -> Formula {
        Formula::NotNegative(second.into().plus(&first.into(), -1).plus(&Affine::constant(1), -1))
    }

    pub fn and(formulas: impl IntoIterator<Item = Formula>) -> Formula {
        let mut parts = Vec::new();
        for formula in formulas {
            match formula {
                Formula::True => {}
                Formula::False => return Formula::False,
                Formula::And(more) => parts.extend(more),
                other => parts.push(other),
            }
        }
        match parts.len() {
            0 => Formula::True,
            1 => parts.remove(0),
            _ => Formula::And(parts),
        }
    }

    pub fn or(formulas: impl IntoIterator<Item = Formula>) -> Formula {
        let mut parts = Vec::new();
        for formula in formulas {
            match formula {
                Formula::False => {}
                Formula::True => return Formula::True,
                Formula::Or(more) => parts.extend(more),
                other => parts.push(other),
            }
        }
        match parts.len() {
            0 => Formula::False,
            1 => parts.remove(0),
            _ => Formula::Or(parts),
        }
    }

    pub fn negated(&self) -> Formula {
        match self {
            Formula::True => Formula::False,
            Formula::False => Formula::True,
            Formula::Unknown => Formula::Unknown,
            // Not (v >= 0): -v - 1 >= 0.
            Formula::NotNegative(value) => {
                Formula::NotNegative(value.times(-1).plus(&Affine::constant(1), -1))
            }
            Formula::Zero(value) => Formula::or([
                Formula::NotNegative(value.plus(&Affine::constant(1), -1)),
                Formula::NotNegative(value.times(-1).plus(&Affine::constant(1), -1)),
            ]),
            Formula::Multiple(value, divisor) => Formula::NotMultiple(value.clone(), *divisor),
            Formula::NotMultiple(value, divisor) => Formula::Multiple(value.clone(), *divisor),
            Formula::And(parts) => Formula::or(parts.iter().map(Formula::negated)),
            Formula::Or(parts) => Formula::and(parts.iter().map(Formula::negated)),
        }
    }

    /// Whether it says exactly when the condition holds.
    pub fn is_exact(&self) -> bool {
        match self {
            Formula::Unknown => false,
            Formula::And(parts) | Formula::Or(parts) => parts.iter().all(Formula::is_exact),
            _ => true,
        }
    }

    /// How many comparisons it has.
    pub fn comparisons(&self) -> usize {
        match self {
            Formula::And(parts) | Formula::Or(parts) => parts.iter().map(Formula::comparisons).sum(),
            _ => 1,
        }
    }

    /// With the iterators of one copy.
    pub fn in_copy(&self, copy: Copy) -> Formula {
        let all = |parts: &[Formula]| parts.iter().map(|part| part.in_copy(copy)).collect();
        match self {
            Formula::True | Formula::False | Formula::Unknown => self.clone(),
            Formula::NotNegative(value) => Formula::NotNegative(value.in_copy(copy)),
            Formula::Zero(value) => Formula::Zero(value.in_copy(copy)),
            Formula::Multiple(value, divisor) => Formula::Multiple(value.in_copy(copy), *divisor),
            Formula::NotMultiple(value, divisor) => Formula::NotMultiple(value.in_copy(copy), *divisor),
            Formula::And(parts) => Formula::And(all(parts)),
            Formula::Or(parts) => Formula::Or(all(parts)),
        }
    }
}

/// In isl's notation; what is unknown is taken to hold, so that the set may be too large.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |parts: &[Formula], word: &str| {
            parts.iter().map(|part| format!("({part})")).collect::<Vec<_>>().join(word)
        };
        match self {
            Formula::True | Formula::Unknown => f.write_str("true"),
            Formula::False => f.write_str("false"),
            Formula::NotNegative(value) => write!(f, "{value} >= 0"),
            Formula::Zero(value) => write!(f, "{value} = 0"),
            Formula::Multiple(value, divisor) => write!(f, "({value}) mod {divisor} = 0"),
            Formula::NotMultiple(value, divisor) => write!(f, "({value}) mod {divisor} > 0"),
            Formula::And(parts) => f.write_str(&joined(parts, " and ")),
            Formula::Or(parts) => write!(f, "({})", joined(parts, " or ")),
        }
    }
}
