//! What privatization keeps: the choice, the region that is made, and the copies.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use crate::{
    analysis::{
        classes::LoopClass,
        detect::{Combination, Detected},
        program::Program,
    },
    ir::{
        Aliasing, Expression, Node, Position, ReductionOperator, Reference, Region, Storage, Variable,
        VariableId,
        arithmetic::{number, subtract},
        types::Scalar,
    },
    isl::{Context, IslError},
    rules::{FloatOrder, Rejection, Rule},
    transform::scans::Running,
};

/// What each copy is private to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copies {
    /// An iteration.
    Iterations,
    /// A worker: a parallel loop is divided into as many contiguous parts as a variable of the region says, which is
    /// added to it, and at most as it has iterations.
    Workers,
    /// A worker, of a device on which all results have one order. In the canonical order of `docs/reduction-algorithms.md` neighbouring
    /// threads have neighbouring iterations.
    Columns,
    /// A worker, of a device: what is one element throughout the loop is reduced through a variable of its own, which a
    /// clause of OpenMP may name, and elements of arrays atomically, where the order is of no meaning.
    Device,
}

/// Which loops become parallel, and how.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The loops, by number: as in an [`crate::Analysis`].
    pub loops: BTreeSet<usize>,
    /// What each copy is private to.
    pub copies: Copies,
    /// The loops, by number, whose copies are each added to the target atomically at the end of the iteration or worker,
    /// instead of all of them after the loop. Of several that share copies the outermost decides.
    pub atomic: BTreeSet<usize>,
    /// Whether floating-point operations may be reordered.
    ///
    /// With [`FloatOrder::Fixed`] a loop that sums floats has the canonical order, and its copies are private to columns or
    /// chunks.
    pub order: FloatOrder,
    /// Statements that a parallel loop executes at least: with fewer, the original is executed.
    pub least_work: Option<u64>,
    /// Whether the region is executed only if it has the least work as a whole.
    pub is_tested: bool,
    /// Arrays, by name, whose copies are left out: for tests, which must find the races.
    pub omitted: BTreeSet<String>,
}

/// What takes the place of an array inside a parallel loop.
pub(super) struct Copy {
    /// The accesses that use it.
    pub members: BTreeSet<usize>,
    /// What holds the copies.
    pub variable: VariableId,
    /// For each private dimension the index, inside its loop; outside the index is 0.
    pub prefix: Vec<Option<Expression>>,
    /// The elements of a copy.
    pub cell: Cell,
    /// Of searches: flags that say which elements were set.
    pub flag: Option<VariableId>,
    /// Of searches that a reduction combines: where the number of the iteration is stored, and that number.
    pub number: Option<(Reference, Expression)>,
    /// The statements that set the flag or the number.
    pub flags_after: BTreeSet<usize>,
    /// There are no copies: the target is reduced into atomically.
    pub shared_by: Option<ReductionOperator>,
    /// How the private dimensions end: of reductions into a box.
    pub ends: Option<Ends>,
}

impl Copy {
    /// Copies outside of private dimensions, combined by nobody.
    pub fn new(members: BTreeSet<usize>, variable: VariableId, cell: Cell) -> Copy {
        Copy {
            members,
            variable,
            prefix: Vec::new(),
            cell,
            flag: None,
            number: None,
            flags_after: BTreeSet::new(),
            shared_by: None,
            ends: None,
        }
    }
}

/// An array of which a loop uses intermediate values.
pub(super) struct Scan {
    pub array: usize,
    pub combination: Combination,
    /// A statement that stores the running value, and what the first iteration loads.
    pub statement: usize,
    pub load: Reference,
    /// The accesses that use the running value.
    pub members: BTreeSet<usize>,
    /// Whether each iteration stores it to an element of its own.
    pub next_cell: bool,
    pub guarded: bool,
}

/// What holds a running value.
pub(super) struct Value {
    pub running: Running,
    pub scalar: Scalar,
    /// In the first pass.
    pub sum: VariableId,
    /// By part.
    pub totals: VariableId,
    /// Of a linear recurrence: the products of the factors, by part.
    pub factors: Option<VariableId>,
    /// Before the loop.
    pub initial: Expression,
}

/// A statement of a scan that does more than the original.
pub(super) struct RunningStore {
    /// What holds the running value.
    pub own: VariableId,
    /// Whether each iteration stores it to an element of its own, too.
    pub next_cell: bool,
    /// Of a linear recurrence the product of the factors.
    pub factor: Option<VariableId>,
}

/// The elements of a copy.
#[derive(Clone)]
pub(super) enum Cell {
    /// There is no copy.
    Original,
    /// The target is one element throughout the loop.
    One,
    /// The same, and the copy is this member of a structure.
    Member(String),
    /// What is stored last is computed after the loop.
    Afterwards,
    /// Subscripts are those of the target less the offsets.
    Box { offsets: Vec<Expression> },
}

/// How private dimensions are reduced.
#[derive(Clone)]
pub(super) struct Ends {
    /// The loop after which the copies are combined with the target.
    pub last: usize,
    pub operator: ReductionOperator,
    pub target: Reference,
    /// For each dimension of the target begin and end, if they are not all of it.
    pub ranges: Vec<Option<(Expression, Expression)>>,
    /// For each dimension of the target the elements that a copy has.
    pub extents: Vec<Expression>,
    /// Seed 000's initial value.
    pub init: Option<Expression>,
    /// When there is something to combine.
    pub condition: Option<Expression>,
    /// Whether each element of the box is the target's for certain; otherwise those that hold the identity are left out.
    pub certain: bool,
}

/// What stands around and inside a parallel loop.
#[derive(Default)]
pub(super) struct Setup {
    pub before: Vec<Node>,
    pub begin: Vec<Node>,
    pub end: Vec<Node>,
    pub after: Vec<Node>,
}

/// The private dimension of a loop: how many copies, and which one the present iteration has.
#[derive(Clone)]
pub(super) struct Dimension {
    pub count: Expression,
    pub index: Expression,
    /// The copy that the last iteration has.
    pub last: Expression,
}

impl Dimension {
    /// With the last iteration in the last copy.
    pub fn in_order(count: Expression, index: Expression) -> Dimension {
        let last = subtract(count.clone(), number(1));
        Dimension { count, index, last }
    }
}

/// How a reduction's target is privatized.
#[derive(PartialEq)]
pub(super) enum Plan {
    Shared,
    /// Through a variable of its own, which all iterations share.
    Clause,
    Own,
    Search,
    /// A search through a structure of its own, which a reduction combines.
    Found,
}

/// Why a loop cannot be parallel.
pub(super) enum Failure {
    Sets(IslError),
    Rule(Rejection),
}

impl From<IslError> for Failure {
    fn from(error: IslError) -> Failure {
        Failure::Sets(error)
    }
}

pub(super) fn rejected<T>(rule: Rule, at: Position, reason: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Rule(Rejection::new(rule, at, reason)))
}

pub(super) struct Privatizer<'p, 'r> {
    pub program: &'p Program<'r>,
    pub detected: &'p Detected,
    pub classes: &'p [LoopClass],
    pub context: &'p Rc<Context>,
    pub choice: &'p Choice,
    /// The region that is made; its variables are those of the original, and more.
    pub out: Region,
    /// The number of the next loop.
    pub next: usize,
    pub workers: Option<VariableId>,
    /// By array: the copies that take its place.
    pub copies: BTreeMap<usize, Copy>,
    /// By statement: the running value of a scan that it computes.
    pub running: BTreeMap<usize, RunningStore>,
    /// Scans that are executed twice.
    pub twice: BTreeSet<usize>,
    /// Whether a loop reduces in the canonical order.
    pub has_canonical: bool,
    /// What iterators have become.
    pub iterators: BTreeMap<VariableId, Expression>,
    /// Inside a parallel loop: what has to stand in front of the outermost one.
    pub hoisted: Option<Vec<Node>>,
    /// Of each outermost parallel loop, when it has the least work, if that is known before the region.
    pub enough: Vec<Option<Expression>>,
}

impl Privatizer<'_, '_> {
    /// A new variable of the region, whose name begins with that text.
    pub(super) fn fresh(&mut self, name: &str, scalar: Scalar, extents: Vec<Expression>) -> VariableId {
        let plain = |extent: Expression| match crate::ir::arithmetic::constant(&extent) {
            Some(value) => crate::ir::convert::convert(Expression::integer(value, Scalar::LONG), Scalar::INT),
            None => extent,
        };
        self.out.add(Variable {
            name: self.out.unused_name(name),
            scalar,
            declared_type: String::new(),
            extents: extents.into_iter().map(|extent| Some(plain(extent))).collect(),
            storage: Storage::Region,
            aliasing: Aliasing::Distinct,
        })
    }

    /// How many workers there are.
    pub(super) fn workers(&mut self) -> Expression {
        let variable = self.workers.unwrap_or_else(|| {
            let variable = self.fresh("workers", Scalar::LONG, Vec::new());
            self.out.variables[variable.0].storage = Storage::Local;
            variable
        });
        self.workers = Some(variable);
        crate::ir::arithmetic::value_of(variable, Scalar::LONG)
    }

    /// Whether a loop is to be parallel.
    pub(super) fn is_chosen(&self, index: usize) -> bool {
        self.choice.loops.contains(&index)
    }
}
