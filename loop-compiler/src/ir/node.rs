//! The nodes of a tree: loops, guards and statements.

use super::{
    attributes::LoopAttributes,
    expression::{BinaryOperator, Expression, ReductionOperator, Reference},
    names::{Position, VariableId},
};
use crate::ir::types::Scalar;

/// A step of a tree's body.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a region has tens of nodes, mostly loops and statements")]
pub enum Node {
    /// See [`Loop`].
    Loop(Loop),
    /// See [`If`].
    If(If),
    /// See [`Statement`].
    Statement(Statement),
    /// See [`Declaration`].
    Declaration(Declaration),
    /// Leaves the innermost loop.
    Break(Position),
    /// Memory of the region for private copies: seed 000's `memref`.
    Private(Private),
    /// See [`ReduceDimension`].
    ReduceDimension(ReduceDimension),
}

/// Which loop it is, whatever is made of its region: transformations keep it, and loops that they make have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(pub(super) u32);

impl LoopId {
    /// That of a loop which a transformation has made.
    pub const NONE: LoopId = LoopId(0);

    /// Its number in the region as it was read, in which a loop comes before those inside; `None` of loops that were made.
    pub fn place(self) -> Option<usize> {
        (self.0 as usize).checked_sub(1)
    }
}

/// A counted loop: `for (iterator = lower; condition; iterator += step)`.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Which loop it is. Two loops that only differ in it are equal.
    pub id: LoopId,
    /// Its iterator.
    pub iterator: VariableId,
    /// Whether the loop declares its iterator, which then ends with it.
    pub declares: bool,
    /// The iterator's first value.
    pub lower: Expression,
    /// While it holds the loop goes on. It compares the iterator with expressions that the loop does not change, possibly several times, joined by `&&`.
    pub condition: Expression,
    /// What is added to the iterator: from C a constant that is not zero.
    pub step: Expression,
    /// Whether the input says that its iterations are executed in parallel: `par.for`, or `#pragma omp parallel for`.
    pub parallel: bool,
    /// What it keeps besides.
    pub attributes: LoopAttributes,
    /// What is executed, in order.
    pub body: Vec<Node>,
    /// Where it begins.
    pub at: Position,
}

/// A guard.
#[derive(Clone, Debug, PartialEq)]
pub struct If {
    /// What is tested.
    pub condition: Expression,
    /// What is executed if the condition holds.
    pub then: Vec<Node>,
    /// What is executed if it does not.
    pub otherwise: Vec<Node>,
    /// Where it begins.
    pub at: Position,
}

/// A store.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What is stored to.
    pub target: Reference,
    /// What is done with the target.
    pub store: Store,
    /// The value.
    pub value: Expression,
    /// Where it begins.
    pub at: Position,
}

/// What a statement does with its target.
#[derive(Clone, Debug, PartialEq)]
pub enum Store {
    /// `target = value`.
    Assign,
    /// `target = (type of the target)((type) target operator value)`: C's compound assignments and increments.
    Update {
        /// The operator.
        operator: BinaryOperator,
        /// The type of the computation.
        computed_in: Scalar,
    },
    /// Seed 000's `reduce(target, value) <operator, init>`: combined atomically with the target, whatever loops are
    /// around it are executed in parallel.
    Reduce {
        /// The operator.
        operator: ReductionOperator,
        /// The initial value.
        init: Expression,
    },
}

/// A scalar or array declared in a body; without a value its elements are not initialised.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// The variable.
    pub variable: VariableId,
    /// The value.
    pub value: Option<Expression>,
    /// Where it begins.
    pub at: Position,
}

/// See [`Node::Private`].
#[derive(Clone, Debug, PartialEq)]
pub struct Private {
    /// The variable.
    pub variable: VariableId,
    /// The operator whose identity all elements are at first; without one they have no value.
    pub operator: Option<ReductionOperator>,
    /// Where it begins.
    pub at: Position,
}

/// Seed 000's `reduce_dimension` and, without a target, `reduce_dimension_inplace`:
/// `target[indices, k] = ⊕ source[indices, i, k]` over all `i` of dimension `dimension` for each `k` in the ranges.
#[derive(Clone, Debug, PartialEq)]
pub struct ReduceDimension {
    /// `None`: the destination is `source[indices, 0, k]`.
    pub target: Option<VariableId>,
    /// The array that is reduced.
    pub source: VariableId,
    /// The dimension that is reduced, from 0.
    pub dimension: usize,
    /// One for each dimension before `dimension`.
    pub indices: Vec<Expression>,
    /// Begin and end (exclusive), one for each dimension after `dimension`; none stands for all of it.
    pub ranges: Vec<Option<(Expression, Expression)>>,
    /// Dimensions of the source that index the target, in the target's order; others were reduced before and have the single index 0.
    pub mapped: Vec<usize>,
    /// The operator.
    pub operator: ReductionOperator,
    /// With a value the target is set to it combined with the reduced elements; without, they are combined with what the target holds.
    pub init: Option<Expression>,
    /// Which elements are combined with which.
    pub pairing: Pairing,
    /// Where it begins.
    pub at: Position,
}

/// Which elements a [`ReduceDimension`] combines with which. The trees are in place alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// The first with the second, the result with the third, and so on.
    InOrder,
    /// A tree of halves: each time the second half of what is left is combined with the first, as far as there are so many elements.
    Halves,
    /// A tree of neighbours: elements 0 and 1, 2 and 3, and so on, then what has become of them; one without a neighbour stays.
    Neighbours,
}

impl PartialEq for Loop {
    fn eq(&self, other: &Loop) -> bool {
        let Loop { id: _, iterator, declares, lower, condition, step, parallel, attributes, body, at } = self;
        (*iterator, *declares, *parallel, *at) == (other.iterator, other.declares, other.parallel, other.at)
            && (lower, condition, step) == (&other.lower, &other.condition, &other.step)
            && (attributes, body) == (&other.attributes, &other.body)
    }
}
