//! The loop tree: a region of loops, guards and statements over scalars and arrays.
//!
//! It is what the reader of C and the notation of `.loops` files produce, what every analysis reads, and what is
//! printed. Positions are kept for messages; they mean nothing otherwise.

mod attributes;
mod expression;
mod rewrite;
mod schedule;
mod strategy;
mod visit;

use std::collections::{BTreeMap, BTreeSet};

pub use self::{
    attributes::{Hint, LoopAttributes, Pragma, Simd},
    expression::{
        BinaryOperator, Expression, ExpressionKind, ReductionOperator, Reference, Step, UnaryOperator,
    },
    rewrite::{for_each_loop_mut, for_each_mut, map_expressions, rewrite},
    schedule::{Mark, Schedule, Step as ScheduleStep},
    strategy::{Asked, Combining, Strategy},
    visit::{first_accesses, loops, loops_with_outer, reads, walk, walk_into, walk_iteration},
};
use crate::types::Scalar;

/// A line and column of the input, both from 1; 0 where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column, in bytes.
    pub column: u32,
}

/// A piece of a program that is analysed as one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// The function around it.
    pub function: String,
    /// Where it begins.
    pub at: Position,
    /// What [`VariableId`]s stand for.
    pub variables: Vec<Variable>,
    /// What is executed, in order.
    pub body: Vec<Node>,
    /// Variables that it declares and that the function uses after it.
    pub used_after: BTreeSet<VariableId>,
    /// Scalars of the function that nothing uses outside of the region.
    pub unused_outside: BTreeSet<VariableId>,
    /// Pairs of arrays, by name, that are taken not to overlap although nothing says so. `&p` is the pointer `p` itself, `&p[]`
    /// are pointers that it points to; a pair of an array with itself are its rows, to which it has pointers.
    pub overlaps: Vec<(String, String)>,
    /// Pairs of which C's rule of types says that they do not overlap, if what is stored as one is not loaded as the other.
    pub apart_by_type: Vec<(String, String)>,
    /// Pairs that only matter if they are moved to a device, and whether one of them is written: what is moved may overlap
    /// although what is accessed does not, or is not written.
    pub moved_together: Vec<(String, String, bool)>,
    /// Arrays that are reached through pointers in memory, with the number of steps of a reference that lead to the pointer.
    pub loaded: BTreeMap<(VariableId, Vec<String>), usize>,
    /// The number of elements, or of rows, with which parameters are declared. C takes it for a comment: there may be others.
    pub declared_lengths: BTreeMap<VariableId, Expression>,
    /// Structures with what threads have found, each of which a reduction of its own combines.
    pub searches: BTreeMap<VariableId, Search>,
}

/// How two threads' structures with what they have found are combined.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// The members of the structure, and what they are where nothing is found.
    pub members: Vec<(String, Scalar, Expression)>,
    /// Whether `omp_in` is better than `omp_out`, which are structures of this kind.
    pub is_better: Expression,
}

/// The index of a variable in its [`Region`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub usize);

/// A scalar, an array or the iterator of a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name, which no other variable of the region has.
    pub name: String,
    /// The type of an element. Of a structure's members each has its own type, see [`Reference::scalar`].
    pub scalar: Scalar,
    /// The type as the source declares it, for declarations that are printed again; empty if it is [`Scalar::c_name`]'s.
    pub declared_type: String,
    /// One for each dimension; none for a scalar. An extent is not known for the first dimension of a pointer.
    pub extents: Vec<Option<Expression>>,
    /// Where it lives.
    pub storage: Storage,
    /// Whether other variables may share its memory.
    pub aliasing: Aliasing,
}

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Declared before the region, in the function or as a parameter by value.
    Local,
    /// A parameter that points to the caller's memory.
    Parameter,
    /// A pointer of the function's own.
    Pointer,
    /// A variable of the file.
    Global,
    /// Declared inside the region, by a [`Node::Declaration`] or a loop: nobody reads it afterwards.
    Region,
}

/// Whether a variable's memory may be reached through others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aliasing {
    /// A variable of its own whose address is not taken, or a `restrict` pointer.
    Distinct,
    /// A pointer without `restrict`, or a variable to which such a pointer may point.
    Shared,
    /// An array of pointers to rows: the rows may overlap, too.
    Rows,
}

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
pub struct LoopId(u32);

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

impl Loop {
    /// Whether iterations differ in the trip counts of the loops directly inside: their bounds depend on the iterator. Loops
    /// further inside are tiles more often than triangles.
    pub(crate) fn is_uneven(&self) -> bool {
        walk_iteration(&self.body).any(|node| match node {
            Node::Loop(inner) => {
                [&inner.lower, &inner.condition].into_iter().any(|bound| bound.mentions(self.iterator))
            }
            _ => false,
        })
    }

    /// Whether this loop gives parts of an uneven loop to its iterations: contiguous ones, whose bounds it declares.
    pub(crate) fn has_uneven_parts(&self) -> bool {
        let declares =
            |id| self.body.iter().any(|node| matches!(node, Node::Declaration(d) if d.variable == id));
        self.body.iter().any(|node| match node {
            Node::Loop(inner) => {
                let bounds = [&inner.lower, &inner.condition].into_iter();
                bounds.flat_map(Expression::reads).any(|read| declares(read.variable)) && inner.is_uneven()
            }
            _ => false,
        })
    }
}

impl PartialEq for Loop {
    fn eq(&self, other: &Loop) -> bool {
        let Loop { id: _, iterator, declares, lower, condition, step, parallel, attributes, body, at } = self;
        (*iterator, *declares, *parallel, *at) == (other.iterator, other.declares, other.parallel, other.at)
            && (lower, condition, step) == (&other.lower, &other.condition, &other.step)
            && (attributes, body) == (&other.attributes, &other.body)
    }
}

impl Region {
    /// Gives its loops their identities.
    pub(crate) fn identify_loops(&mut self) {
        let mut last = 0;
        for_each_loop_mut(&mut self.body, |looped| {
            last += 1;
            looped.id = LoopId(last);
        });
    }

    /// What an id stands for.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0]
    }

    /// A name that no variable has: this one, or with a number.
    pub fn unused_name(&self, base: &str) -> String {
        let taken = |name: &String| self.variables.iter().any(|variable| variable.name == *name);
        let numbered = (2..).map(|number| format!("{base}_{number}"));
        std::iter::once(base.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
    }

    /// Adds a scalar of the region's own, of this name if none has it.
    pub fn add_scalar(&mut self, name: &str, scalar: Scalar) -> VariableId {
        self.add(Variable {
            name: self.unused_name(name),
            scalar,
            declared_type: String::new(),
            extents: Vec::new(),
            storage: Storage::Region,
            aliasing: Aliasing::Distinct,
        })
    }

    /// The name of a variable or, with the members on the way, of one of its members: `p.v`.
    pub fn full_name(&self, id: VariableId, members: &[String]) -> String {
        members.iter().fold(self.variable(id).name.clone(), |name, member| name + "." + member)
    }

    /// Adds a variable.
    pub fn add(&mut self, variable: Variable) -> VariableId {
        self.variables.push(variable);
        VariableId(self.variables.len() - 1)
    }
}
