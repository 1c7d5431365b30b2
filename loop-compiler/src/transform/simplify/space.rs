//! Points of reductions, and what linear algebra knows of them.

use std::rc::Rc;

use crate::cost::policy::{CONSTRAINTS_OF_FACES, LEAST_EXTENT};
use crate::isl::{Context, IslError, Set, Term};

/// The points `[x0, …, z0, …]` of a reduction: the coordinates of a result, and those of what is combined into it.
#[derive(Clone, Debug)]
pub(super) struct Space {
    /// The names of the parameters.
    pub parameters: Vec<String>,
    pub results: usize,
    pub iterations: usize,
}

/// A vector over the coordinates of points.
pub(super) type Vector = Vec<i64>;

impl Space {
    /// `x0, x1`, each with a suffix.
    pub fn results(&self, suffix: &str) -> Vec<String> {
        (0..self.results).map(|index| format!("x{index}{suffix}")).collect()
    }

    /// `z0, z1`, each with a suffix.
    pub fn iterations(&self, suffix: &str) -> Vec<String> {
        (0..self.iterations).map(|index| format!("z{index}{suffix}")).collect()
    }

    /// The dimensions: those of results, then the others.
    pub fn dimensions(&self) -> Vec<Term> {
        let results = (0..self.results).map(|index| Term::Named('x', index));
        results.chain((0..self.iterations).map(|index| Term::Named('z', index))).collect()
    }

    /// `x0, x1, z0, z1`, each with a suffix.
    pub fn points(&self, suffix: &str) -> Vec<String> {
        [self.results(suffix), self.iterations(suffix)].concat()
    }

    /// `[p0, p1] -> { body }`.
    pub fn text(&self, body: &str) -> String {
        format!("[{}] -> {{ {body} }}", self.parameters.join(", "))
    }

    /// The points moved along a vector.
    pub fn moved(&self, points: &Set, vector: &[i64]) -> Result<Set, IslError> {
        let from = self.points("");
        let from = &from[..vector.len()];
        let to: Vec<_> = from.iter().zip(vector).map(|(name, by)| format!("{name} + {by}")).collect();
        points.mapped(&self.text(&format!("[{}] -> [{}]", from.join(", "), to.join(", "))))
    }

    /// The results of points.
    pub fn results_of(&self, points: &Set) -> Result<Set, IslError> {
        points.copy()?.project_out(self.results, self.iterations)
    }

    /// The points of the space whose results are in a set.
    pub fn around(&self, results: &Set) -> Result<Set, IslError> {
        let (from, to) = (self.results("").join(", "), self.points("").join(", "));
        results.mapped(&self.text(&format!("[{from}] -> [{to}]")))
    }

    /// The points that come after another one of the same result.
    pub fn later(&self, points: &Set) -> Result<Set, IslError> {
        let (results, from, to) = (self.results(""), self.iterations(""), self.iterations("_"));
        let follows = lexicographic(&from, &to, &vec![1; self.iterations]);
        let from = [results.clone(), from].concat().join(", ");
        let to = [results, to].concat().join(", ");
        let following = points.mapped(&self.text(&format!("[{from}] -> [{to}] : {follows}")))?;
        following.intersect(points.copy()?)
    }
}

/// Whether the first names stand before the second ones in lexicographic order; in a dimension of direction -1 greater
/// values come first.
pub(super) fn lexicographic(first: &[String], second: &[String], directions: &[i64]) -> String {
    let mut cases = Vec::new();
    for (depth, direction) in directions.iter().enumerate() {
        let mut parts: Vec<_> =
            (0..depth).map(|index| format!("{} = {}", first[index], second[index])).collect();
        let relation = if *direction > 0 { "<" } else { ">" };
        parts.push(format!("{} {relation} {}", first[depth], second[depth]));
        cases.push(format!("({})", parts.join(" and ")));
    }
    if cases.is_empty() { "false".into() } else { cases.join(" or ") }
}

/// A basis of the integer vectors that all rows map to 0.
pub(super) fn kernel(rows: &[Vector], width: usize) -> Vec<Vector> {
    let mut basis: Vec<Vector> =
        (0..width).map(|place| (0..width).map(|index| i64::from(index == place)).collect()).collect();
    for row in rows {
        let product = |vector: &Vector| -> i64 { row.iter().zip(vector).map(|(a, b)| a * b).sum() };
        loop {
            let others = basis.iter().enumerate().filter(|(_, vector)| product(vector) != 0);
            let Some((pivot, least)) =
                others.map(|(index, vector)| (index, product(vector).abs())).min_by_key(|(_, value)| *value)
            else {
                break;
            };
            let by = basis[pivot].clone();
            let mut only = true;
            for (index, vector) in basis.iter_mut().enumerate() {
                let value = product(vector);
                if index != pivot && value != 0 {
                    let factor = value / (least * product(&by).signum());
                    vector.iter_mut().zip(&by).for_each(|(entry, other)| *entry -= factor * other);
                    only &= product(vector) == 0;
                }
            }
            if only {
                basis.remove(pivot);
                break;
            }
        }
    }
    basis
}

/// The vectors along which points can be moved without leaving the affine hull of a set, among those that rows over its
/// coordinates map to 0.
pub(super) fn directions(points: &Set, rows: &[Vector], space: &Space) -> Result<Vec<Vector>, IslError> {
    let hull = points.equalities()?;
    let (skipped, width) = (1 + space.parameters.len(), space.results + space.iterations);
    let all = hull.columns - skipped;
    let mut system: Vec<Vector> = hull.equalities.iter().map(|row| row[skipped..].to_vec()).collect();
    system.extend(rows.iter().map(|row| {
        let mut row = row.clone();
        row.resize(all, 0);
        row
    }));
    let basis = kernel(&system, all).into_iter();
    // What only local variables change is no direction.
    let mut basis: Vec<Vector> = basis.map(|vector| vector[..width].to_vec()).collect();
    basis.retain(|vector| vector.iter().any(|entry| *entry != 0));
    Ok(basis)
}

/// The degree of the number of points as a polynomial of the parameters and of large constants: the dimension of the set
/// when small constants are 0.
pub(super) fn degree(context: &Rc<Context>, points: &Set, space: &Space) -> Result<usize, IslError> {
    let mut greatest = 0;
    for piece in points.pieces()? {
        if piece.is_empty()? {
            continue;
        }
        let constraints = piece.constraints()?;
        let names: Vec<_> = (0..constraints.columns).map(|column| format!("v{column}")).collect();
        let row = |row: &Vector| {
            let mut row = row.clone();
            row[0] = if row[0].abs() < LEAST_EXTENT { 0 } else { row[0].signum() };
            let terms = row.iter().zip(&names).filter(|(factor, _)| **factor != 0);
            let sum: Vec<_> = terms.map(|(factor, name)| format!("{factor} * {name}")).collect();
            if sum.is_empty() { "0".to_string() } else { sum.join(" + ") }
        };
        let equal = constraints.equalities.iter().map(|entries| format!("{} = 0", row(entries)));
        let not_negative = constraints.inequalities.iter().map(|entries| format!("{} >= 0", row(entries)));
        // `v0` stands for all large constants.
        let conditions: Vec<_> = equal.chain(not_negative).chain(["v0 >= 0".to_string()]).collect();
        let cone = format!("{{ [{}] : {} }}", names.join(", "), conditions.join(" and "));
        let cone = Set::parse(context, &cone)?;
        let sizes = 1 + space.parameters.len();
        let whole = constraints.columns - cone.equalities()?.equalities.len();
        let of_sizes = cone.project_out(sizes, constraints.columns - sizes)?;
        let fixed = sizes - of_sizes.equalities()?.equalities.len();
        greatest = greatest.max(whole - fixed);
    }
    Ok(greatest)
}

/// The faces of a convex set that have points: some of its inequalities are equalities. Equal ones are one, and those that
/// there are for one size only are none.
pub(super) fn faces(points: &Set, context: &Rc<Context>, space: &Space) -> Result<Vec<Set>, IslError> {
    let constraints = points.constraints()?;
    let names: Vec<_> =
        ["1".to_string()].into_iter().chain(space.parameters.clone()).chain(space.points("")).collect();
    // With local variables, or many constraints, the faces are not listed.
    if constraints.columns != names.len() || constraints.inequalities.len() > CONSTRAINTS_OF_FACES {
        return Ok(Vec::new());
    }
    let sum = |row: &Vector| {
        let terms = row.iter().zip(&names).map(|(factor, name)| format!("{factor} * {name}"));
        terms.collect::<Vec<_>>().join(" + ")
    };
    let mut faces: Vec<Set> = Vec::new();
    // What only the parameters satisfy bounds no face.
    let bounds: Vec<_> = constraints
        .inequalities
        .iter()
        .filter(|row| row[1 + space.parameters.len()..].iter().any(|entry| *entry != 0))
        .collect();
    for chosen in 0..1u32 << bounds.len() {
        let equal = (0..bounds.len()).filter(|index| chosen & (1 << index) != 0);
        let equal = equal.map(|index| format!("{} = 0", sum(bounds[index])));
        let condition = std::iter::once("true".to_string()).chain(equal).collect::<Vec<_>>().join(" and ");
        let text = space.text(&format!("[{}] : {condition}", space.points("").join(", ")));
        let face = Set::parse(context, &text)?.intersect(points.copy()?)?;
        let is_known = |other: &Set| {
            let less = face.copy()?.subtract(other.copy()?)?.is_empty()?;
            Ok(less && other.copy()?.subtract(face.copy()?)?.is_empty()?)
        };
        let known: Result<Vec<bool>, IslError> = faces.iter().map(is_known).collect();
        let width = space.results + space.iterations;
        let sizes = |set: &Set| Ok(set.copy()?.project_out(0, width)?.equalities()?.equalities.len());
        if !face.is_empty()? && sizes(&face)? == sizes(points)? && !known?.contains(&true) {
            faces.push(face);
        }
    }
    Ok(faces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn context() -> Rc<Context> {
        Context::new(10_000_000, Duration::from_secs(60)).unwrap()
    }

    fn plane() -> Space {
        Space { parameters: vec!["n".into()], results: 1, iterations: 1 }
    }

    #[test]
    fn kernels_are_bases_of_lattices() {
        assert_eq!(kernel(&[vec![0, 1]], 2), [[1, 0]]);
        assert_eq!(kernel(&[vec![1, 1]], 2), [[-1, 1]]);
        assert_eq!(kernel(&[vec![2, -4, 0], vec![0, 0, 3]], 3), [[2, 1, 0]]);
        assert_eq!(kernel(&[vec![6, 10, 15]], 3).len(), 2);
        assert!(kernel(&[vec![6, 10, 15]], 3).iter().all(|v| 6 * v[0] + 10 * v[1] + 15 * v[2] == 0));
        assert!(kernel(&[vec![1, 0], vec![1, 1]], 2).is_empty());
    }

    #[test]
    fn degrees_ignore_small_constants() {
        let context = context();
        let of = |text: &str| {
            let set = Set::parse(&context, &format!("[n] -> {{ [x0, z0] : 0 <= x0 < n and {text} }}"));
            degree(&context, &set.unwrap(), &plane()).unwrap()
        };
        assert_eq!(of("0 <= z0 <= x0"), 2);
        assert_eq!(of("z0 = x0"), 1);
        assert_eq!(of("x0 <= z0 < x0 + 3"), 1);
        assert_eq!(of("x0 <= z0 < x0 + 100"), 2);
        assert_eq!(of("x0 = 0 and z0 = 5"), 0);
        assert_eq!(of("0 <= z0 < n and z0 mod 2 = 0"), 2);
        assert_eq!(of("0 <= z0 < n and x0 + z0 <= 4"), 0);
    }

    #[test]
    fn a_triangle_has_seven_faces() {
        let context = context();
        let triangle = Set::parse(&context, "[n] -> { [x0, z0] : 0 <= x0 < n and 0 <= z0 <= x0 }").unwrap();
        let faces = faces(&triangle, &context, &plane()).unwrap();
        let mut dimensions: Vec<_> =
            faces.iter().map(|face| degree(&context, face, &plane()).unwrap()).collect();
        dimensions.sort_unstable();
        assert_eq!(dimensions, [0, 0, 0, 1, 1, 1, 2]);
    }
}
