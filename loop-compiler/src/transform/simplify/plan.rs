//! The simplifying transformation, applied to a reduction and to what is left of it until no degree drops.
//!
//! With `D` the points of a reduction `X[x] = ⊕ E(z)`, and `r` a vector along which neither `E` nor the affine hull of `D`
//! changes, `X[x] = X[x - s] ⊕ (⊕ over D \ (D + r)) ⊖ (⊕ over (D + r) \ D)`, where `s` is what `r` makes of the result.

use std::rc::Rc;

use super::{
    report::{Candidate, Search},
    space::{Space, Vector, degree, directions, lexicographic},
};
use crate::cost::policy::{COMBINATIONS_OF_DIRECTIONS, PIECES_OF_REST, TRIED_DIRECTIONS};
use crate::isl::{Context, IslError, Set};

/// A reduction by a reuse vector.
pub(super) struct Plan {
    /// Its points.
    pub points: Set,
    /// The distance between the results that share.
    pub distance: Vector,
    /// The results that begin with another one.
    pub copies: Set,
    /// What is combined, with whether it is by the inverse operator.
    pub parts: Vec<(Combined, bool)>,
    /// The degree of the number of operations.
    pub degree: usize,
}

/// What is combined into results.
pub(super) enum Combined {
    /// Points, one by one.
    Points(Set),
    /// The results of a reduction of its own.
    Reduction(Plan),
}

/// Where a reduction's results are kept, as subscripts of the results' coordinates: no two of them that are in use at one
/// time may share a place.
pub(super) type Places = Vec<String>;

/// Plans reductions.
pub(super) struct Planner<'p> {
    pub context: &'p Rc<Context>,
    pub space: &'p Space,
    /// What the value depends on: rows over the coordinates of points.
    pub reads: &'p [Vector],
    /// Whether the operator has an inverse.
    pub inverse: bool,
    pub search: Search,
    /// In which direction the results are computed in each dimension, where that is decided.
    pub order: Vec<Option<i64>>,
    /// The vectors that were looked at.
    pub candidates: Vec<Candidate>,
    /// What vectors begin with, where one does.
    pub forced: Option<Vector>,
    /// How often what is left is simplified again, at most.
    pub depth: usize,
}

impl Planner<'_> {
    /// The best plan for points whose results are kept at `places`, if its degree is less than theirs.
    pub fn plan(&mut self, points: &Set, places: Option<&Places>) -> Result<Option<Plan>, IslError> {
        let from = degree(self.context, points, self.space)?;
        let mut best: Option<(Plan, Vec<Option<i64>>)> = None;
        let order = self.order.clone();
        for vector in self.vectors(points)? {
            self.order.clone_from(&order);
            let candidate = self.candidates.len();
            self.candidates.push(Candidate { vector: vector.clone(), depth: from, rejected: None });
            match self.by(points, from, &vector, places)? {
                Err(reason) => self.candidates[candidate].rejected = Some(reason),
                Ok(plan) => {
                    let better =
                        |known: &Plan| (plan.degree, plan.parts.len()) < (known.degree, known.parts.len());
                    if best.as_ref().is_none_or(|(known, _)| better(known)) {
                        best = Some((plan, self.order.clone()));
                    }
                    // No vector leaves less than an operation for each result.
                    let outputs = degree(self.context, &self.space.results_of(points)?, &self.of_results())?;
                    let is_least = best.as_ref().is_some_and(|(plan, _)| plan.degree <= outputs);
                    if self.search == Search::Heuristic && is_least {
                        break;
                    }
                }
            }
        }
        self.order = order;
        Ok(best.map(|(plan, order)| {
            self.order = order;
            plan
        }))
    }

    /// Vectors along which the value stays the same and the result does not, short ones first.
    fn vectors(&self, points: &Set) -> Result<Vec<Vector>, IslError> {
        let basis = directions(points, self.reads, self.space)?;
        let mut found: Vec<Vector> = Vec::new();
        let mut factors = vec![-1i64; basis.len()];
        for _ in 0..COMBINATIONS_OF_DIRECTIONS {
            if found.len() == TRIED_DIRECTIONS {
                break;
            }
            let width = self.space.results + self.space.iterations;
            let mut vector = vec![0; width];
            for (factor, direction) in factors.iter().zip(&basis) {
                vector.iter_mut().zip(direction).for_each(|(entry, other)| *entry += factor * other);
            }
            if vector[..self.space.results].iter().any(|entry| *entry != 0) {
                found.push(vector);
            }
            let Some(next) = factors.iter().position(|factor| *factor < 1) else { break };
            factors[next] += 1;
            factors[..next].fill(-1);
        }
        if let Some(forced) = &self.forced {
            let is_forced = |vector: &Vector| vector.starts_with(forced);
            // What is left over follows its own vectors.
            if found.iter().any(is_forced) {
                found.retain(is_forced);
            }
        }
        found.sort_by_key(|vector| {
            let length: i64 = vector.iter().map(|entry| entry.abs()).sum();
            let backwards = vector.iter().find(|entry| **entry != 0).is_some_and(|entry| *entry < 0);
            (length, backwards)
        });
        Ok(found)
    }

    /// The transformation by one vector, or why it is not possible.
    fn by(
        &mut self,
        points: &Set,
        from: usize,
        vector: &Vector,
        places: Option<&Places>,
    ) -> Result<Result<Plan, String>, IslError> {
        let space = self.space;
        let distance = vector[..space.results].to_vec();
        let Some(along) = distance.iter().position(|entry| *entry != 0) else {
            return Ok(Err("it leads to the same result".into()));
        };
        let sign = distance[along].signum();
        match self.order[along] {
            Some(known) if known != sign => {
                return Ok(Err(
                    "a result would need one that is computed after it: the equations would depend on each \
                               other in a cycle"
                        .into(),
                ));
            }
            _ => self.order[along] = Some(sign),
        }
        let results = space.results_of(points)?;
        let copies = results.copy()?.intersect(space.moved(&results, &distance)?)?;
        if copies.is_empty()? {
            return Ok(Err("no two results share anything along it".into()));
        }
        let moved = space.moved(points, vector)?;
        let added = points.copy()?.subtract(moved.copy()?)?;
        let subtracted = moved.intersect(space.around(&results)?)?.subtract(points.copy()?)?;
        if !self.inverse && !subtracted.is_empty()? {
            return Ok(Err(
                "the operator has no inverse, which would be needed for what leaves the result".into()
            ));
        }
        let mut parts = Vec::new();
        for (set, inverse) in [(&added, false), (&subtracted, true)] {
            let pieces = set.pieces()?;
            for piece in pieces {
                if !piece.is_empty()? {
                    parts.push((piece, inverse));
                }
            }
        }
        if parts.len() > PIECES_OF_REST {
            return Ok(Err(format!("what is left has {} pieces", parts.len())));
        }
        let outputs = degree(self.context, &results, &self.of_results())?;
        let mut degrees = Vec::new();
        for (piece, _) in &parts {
            degrees.push(degree(self.context, piece, space)?);
        }
        if degrees.iter().any(|left| *left >= from) || outputs >= from {
            return Ok(Err(format!("the degree of the work stays {from}")));
        }
        if !self.is_kept(&results, &copies, &distance, places)? {
            return Ok(Err("the result that it leads to is overwritten before it is used".into()));
        }
        let mut plan = Plan { points: points.copy()?, distance, copies, parts: Vec::new(), degree: outputs };
        for ((piece, inverse), left) in parts.into_iter().zip(degrees) {
            let smaller = match left > outputs && self.depth > 0 {
                true => {
                    self.depth -= 1;
                    let smaller = self.plan(&piece, None);
                    self.depth += 1;
                    smaller?
                }
                false => None,
            };
            let part = match smaller {
                Some(smaller) => {
                    plan.degree = plan.degree.max(smaller.degree);
                    Combined::Reduction(smaller)
                }
                None => {
                    plan.degree = plan.degree.max(left);
                    Combined::Points(piece)
                }
            };
            plan.parts.push((part, inverse));
        }
        Ok(Ok(plan))
    }

    fn of_results(&self) -> Space {
        Space { iterations: 0, ..self.space.clone() }
    }

    /// Whether each result is still there when another one begins with it: neither a result between both of them nor the
    /// initial value of the other one takes its place. Without places there is one scalar.
    fn is_kept(
        &self,
        results: &Set,
        copies: &Set,
        distance: &[i64],
        places: Option<&Places>,
    ) -> Result<bool, IslError> {
        let space = self.space;
        let (x, between) = (space.results(""), space.results("_"));
        let before: Vec<_> = x.iter().zip(distance).map(|(name, by)| format!("({name} - {by})")).collect();
        let order: Vec<i64> = self.order.iter().map(|direction| direction.unwrap_or(1)).collect();
        // `x0` becomes what stands in `names` in the texts of the places.
        let at = |names: &[String]| -> Vec<String> {
            let replaced = |place: &String| {
                let indexed = names.iter().enumerate();
                indexed.fold(place.clone(), |text, (index, name)| text.replace(&format!("x{index}"), name))
            };
            places.into_iter().flatten().map(replaced).collect()
        };
        let (first, second) = (at(&before), at(&between));
        let equal = first.iter().zip(&second).map(|(first, second)| format!("{first} = {second}"));
        let condition = std::iter::once("true".to_string()).chain(equal).collect::<Vec<_>>().join(" and ");
        let is_begun = match places {
            Some(_) => x.iter().zip(&between).map(|(x, other)| format!("{x} = {other}")).collect::<Vec<_>>(),
            None => vec!["false".into()],
        };
        let text = format!(
            "[{}] -> [{}] : ({}) and ({} or {}) and {condition}",
            x.join(", "),
            between.join(", "),
            lexicographic(&before, &between, &order),
            lexicographic(&between, &x, &order),
            is_begun.join(" and "),
        );
        copies.mapped(&space.text(&text))?.intersect(results.copy()?)?.is_empty()
    }
}
