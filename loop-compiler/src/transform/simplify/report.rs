//! What is said of a reduction that was, or could not be, simplified.

use super::space::Vector;
use crate::{
    ir::{Position, ReductionOperator},
    rules::Rejection,
};

/// How reuse vectors are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// For each face any valid vector, in the direction in which the results are computed; another one only if what is left
    /// is more than an operation for each result, which with strides depends on the vector.
    #[default]
    Heuristic,
    /// For each face the vector that leaves the least.
    Exhaustive,
}

/// A vector that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Over the coordinates of the results and of what is combined.
    pub vector: Vector,
    /// The degree of the reduction for which it was looked at.
    pub depth: usize,
    /// Why it was rejected.
    pub rejected: Option<String>,
}

/// What is known of a reduction's work.
#[derive(Clone, Debug)]
pub struct Simplification {
    /// The statement.
    pub at: Position,
    /// The array or scalar.
    pub target: String,
    /// The operator.
    pub operator: ReductionOperator,
    /// The names of the coordinates of vectors.
    pub coordinates: Vec<String>,
    /// The degree of the number of operations as it is written.
    pub from_degree: usize,
    /// The degree that it has now; or why it is left alone.
    pub outcome: Result<usize, Rejection>,
    /// Vectors that were looked at, in this order.
    pub candidates: Vec<Candidate>,
    /// How many faces of each dimension the reduction's points have, from dimension 0 on; none if that is not known.
    pub faces: Vec<usize>,
    /// Operations before and after at the given sizes.
    pub operations: Option<(u64, u64)>,
    /// Whether its loops were distributed first.
    pub is_distributed: bool,
    /// Whether what was added is subtracted again, so that floats may cancel.
    pub subtracts: bool,
}
