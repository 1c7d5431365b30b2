//! isl, the integer set library, loaded when it is needed: sets of integer points bounded by affine constraints.
//!
//! Sets are made from formulas, or from text in isl's notation, which it reads slowly. Every operation counts against a
//! limit of the [`Context`]; beyond it all further ones end with [`IslError::TooComplex`].

mod context;
mod formula;
mod relation;
mod set;
mod watchdog;

pub use context::{Context, IslError};
pub(crate) use formula::{Affine, Copy, Formula, Term, names};
pub use relation::{Relation, Scan};
pub(crate) use set::Space;
pub use set::{Constraints, Set};

#[cfg(test)]
mod tests {
    use super::*;
    use std::{rc::Rc, slice, time::Duration};

    fn context() -> Rc<Context> {
        Context::new(1_000_000, Duration::from_secs(10)).unwrap()
    }

    #[test]
    fn sets_are_compared_and_printed() {
        let context = context();
        let set = |text: &str| Set::parse(&context, text).unwrap();
        assert!(set("[n] -> { [i] : 0 <= i < n and n < 0 }").is_empty().unwrap());
        let rest = set("{ [i] : 0 <= i < 9 }").subtract(set("{ [i] : 2 <= i }")).unwrap();
        assert_eq!(rest.text().unwrap(), "{ [i] : 0 <= i <= 1 }");
        assert_eq!((rest.least(0).unwrap(), rest.greatest(0).unwrap()), (Some(0), Some(1)));
        let pairs = set("{ [i, j] : 0 <= i < 3 and j = 2i }").project_out(0, 1).unwrap();
        assert!(pairs.subtract(set("{ [0]; [2]; [4] }")).unwrap().is_empty().unwrap());
        assert_eq!(set("[n] -> { [i] : i < n }").greatest(0).unwrap(), None);
    }

    /// A set from a formula, and the same one from isl's own notation.
    #[test]
    fn formulas_are_sets() {
        let context = context();
        let (n, i, j) = (Term::Parameter(0), Term::Named('a', 0), Term::Named('a', 1));
        let value = |term: &Term| Affine::term(term.clone());
        let number = |value: i128| Affine::constant(value);
        let range = Formula::and([
            Formula::NotNegative(value(&i)),
            Formula::less(value(&i), value(&n)),
            Formula::less(value(&n), number(40)),
        ]);
        let half = value(&Term::Floor(Box::new(value(&i).plus(&number(1), -1)), 2));
        let nested = value(&Term::Floor(Box::new(half.plus(&value(&n), 1)), 3));
        let odd = Formula::equal(value(&i), value(&j).times(2).plus(&number(1), 1));
        let cases = [
            (Formula::True, "true"),
            (Formula::Unknown, "true"),
            (Formula::False, "false"),
            (Formula::Multiple(value(&i), 3), "i mod 3 = 0"),
            (Formula::NotMultiple(value(&i).plus(&value(&n), 1), 3), "(i + n) mod 3 > 0"),
            (Formula::equal(half.clone(), number(4)), "floor((i - 1)/2) = 4"),
            (Formula::equal(nested.clone(), number(5)), "floor((floor((i - 1)/2) + n)/3) = 5"),
            (Formula::less(half, nested).negated(), "floor((i - 1)/2) >= floor((floor((i - 1)/2) + n)/3)"),
            (odd.clone(), "exists (j : i = 2 j + 1)"),
            (Formula::or([odd, Formula::equal(value(&i), number(4))]), "exists (j : i = 2 j + 1 or i = 4)"),
            (Formula::or([]), "false"),
            (Formula::equal(value(&i), number(7)).negated(), "i != 7"),
            (Formula::less(value(&i), number(1 << 40)), "i < 1099511627776"),
        ];
        for (formula, text) in cases {
            let [n_alone, i_alone, j_alone] = [&n, &i, &j].map(slice::from_ref);
            let space = Space { parameters: n_alone, dimensions: i_alone, hidden: j_alone };
            let made = Set::of(&context, &space, &Formula::and([range.clone(), formula.clone()])).unwrap();
            let text =
                format!("[p0] -> {{ [i] : 0 <= i < p0 and p0 < 40 and {text} }}").replace("+ n", "+ p0");
            let read = Set::parse(&context, &text).unwrap();
            let is_less = |one: &Set, other: &Set| {
                one.copy().unwrap().subtract(other.copy().unwrap()).unwrap().is_empty().unwrap()
            };
            assert!(is_less(&made, &read) && is_less(&read, &made), "{formula} is not {text}");
            // What formulas are as text is the same, too.
            let text = format!("[p0] -> {{ [a0] : exists (a1 : {range} and {formula}) }}");
            let read = Set::parse(&context, &text).unwrap();
            assert!(is_less(&made, &read) && is_less(&read, &made), "{formula} is not {text}");
        }
        let space = Space { parameters: &[], dimensions: slice::from_ref(&i), hidden: &[] };
        let unknown = Set::of(&context, &space, &Formula::NotNegative(value(&n)));
        assert!(matches!(unknown, Err(IslError::Rejected(name)) if name == "p0"));
    }

    #[test]
    fn bounds_are_c() {
        let context = context();
        let set = |text: &str| Set::parse(&context, text).unwrap();
        let triangle = set("[n] -> { [c] : exists (i, j : 0 <= i < n and 0 <= j < i and c = i - 1) }");
        assert_eq!(triangle.bounds(0).unwrap(), Some(("0".into(), "n - 2".into())));
        assert_eq!(triangle.has_points().unwrap(), "n >= 2");
        let either = set("[n, m] -> { [c] : 0 <= c < n or 0 <= c < m }");
        let greatest = either.bounds(0).unwrap().unwrap().1;
        assert_eq!(greatest, "n >= 1 && n >= m + 1 ? n - 1 : m - 1");
        assert_eq!(set("[n] -> { [c] : c >= n }").bounds(0).unwrap(), None);
        assert_eq!(set("[n] -> { [c] : 2c = n }").bounds(0).unwrap().unwrap().0, "n / 2");
        assert_eq!(set("{ [c] : 0 <= c < 4 }").has_points().unwrap(), "1");
    }

    #[test]
    fn relations_are_compared() {
        let context = context();
        let relation = |text: &str| Relation::parse(&context, text).unwrap();
        let all = relation("{ S[i] -> T[i + 1] : 0 <= i < 9; T[i] -> S[i] : i = 3 }");
        let part = relation("{ S[i] -> T[j] : j = i + 1 and 0 <= i < 9 }");
        let rest = all.subtract(&part).unwrap();
        assert!(rest.is_equal(&relation("{ T[3] -> S[3] }")).unwrap());
        assert!(all.intersect(&part).unwrap().is_equal(&part).unwrap() && !rest.is_empty().unwrap());
        assert!(rest.union(&part).unwrap().is_equal(&all).unwrap());
        assert_eq!(rest.text().unwrap(), "{ T[i = 3] -> S[3] }");
    }

    #[test]
    fn the_limit_of_operations_ends_the_work() {
        let context = Context::new(50, Duration::from_secs(10)).unwrap();
        let result =
            Set::parse(&context, "[n] -> { [i, j, k] : 0 <= i < n and i <= j < n and (i + j) mod 7 = k }")
                .and_then(|set| set.project_out(0, 2))
                .and_then(|set| set.is_empty());
        assert!(matches!(result, Err(IslError::TooComplex { .. })), "{result:?}");
    }
}
