//! Privatization: loops that carry reductions, or need private copies, become parallel.
//!
//! Each loop that is to be parallel and *carries* a reduction (two of its iterations update one element, in the same
//! iterations of the loops around) gets a private dimension: a copy of the target for each iteration, or for each worker,
//! which is filled with the operator's identity. After the loop the dimension is reduced: into the target after the
//! outermost of the loops, where the target's value takes part once, and in place after the others. Statements on one
//! target with one operator share the copies. Searches (`argmin`, `first` …) have no identity: each copy has a flag that
//! says whether it was set. A loop that carries anything else is refused, with the dependence.
//!
//! | file | what is in it |
//! |---|---|
//! | `copies` | which copies a loop needs, and how they are combined |
//! | `rewrite` | nodes and expressions with copies in place of targets |
//! | `counted` | trip counts, the parts of a loop, the last values of iterators |

mod copies;
mod counted;
mod rewrite;

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use crate::{
    analysis::{AnalysisError, Options},
    classes::{self, LoopClass},
    detect::{self, Detected},
    isl::{Context, IslError},
    program::Program,
    rules::{FloatOrder, Rejection, Rule},
    tree::{Aliasing, Expression, Node, Position, Region, Storage, Variable, VariableId},
    types::Scalar,
};

use self::copies::Copy;

/// What each copy is private to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copies {
    /// An iteration.
    Iterations,
    /// A worker: a parallel loop is divided into as many contiguous parts as a variable of the region says, which is
    /// added to it, and at most as it has iterations.
    Workers,
    /// A part of a loop, whose number depends on the loop's trip count alone: at most [`PARTS`].
    Parts,
}

/// Parts of a loop at most with [`Copies::Parts`].
pub const PARTS: i128 = 64;

/// Iterations of a part at least with [`Copies::Parts`].
pub const PART_ITERATIONS: i128 = 64;

/// Which loops become parallel, and how.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The loops, by number: as in an [`crate::Analysis`].
    pub loops: BTreeSet<usize>,
    /// What each copy is private to.
    pub copies: Copies,
    /// Whether each copy is added to the target atomically at the end of its iteration or worker, instead of all of them
    /// after the loop.
    pub atomic: bool,
    /// Whether floating-point operations may be reordered.
    pub order: FloatOrder,
    /// Statements that a parallel loop executes at least: with fewer, the original is executed.
    pub least_work: Option<u64>,
    /// Arrays, by name, whose copies are left out: for tests, which must find the races.
    pub omitted: BTreeSet<String>,
}

/// A region with parallel loops.
#[derive(Clone, Debug)]
pub struct Privatized {
    /// The region.
    pub region: Region,
    /// With [`Copies::Workers`] the variable that says how many workers there are, if it is needed.
    pub workers: Option<VariableId>,
}

/// Makes loops of a region parallel.
///
/// # Errors
///
/// If isl is missing, and what keeps one of the loops from being parallel.
pub fn privatize(region: &Region, choice: &Choice, options: &Options) -> Result<Privatized, AnalysisError> {
    let failed = |error: IslError| match error {
        IslError::Missing(_) => AnalysisError::Library(error),
        error => {
            AnalysisError::Rejected(Rejection::new(Rule::Limits, region.at, format!("too complex: {error}")))
        }
    };
    let context = Context::new(options.operations, options.time).map_err(failed)?;
    let program = Program::new(region, options.sizes.clone());
    let detected = detect::detect(&program, &context, options.rule).map_err(failed)?;
    let classes = classes::classify(&program, &detected, &context).map_err(failed)?;
    let mut privatizer = Privatizer {
        program: &program,
        detected: &detected,
        classes: &classes,
        context: &context,
        choice,
        out: region.clone(),
        next: 0,
        workers: None,
        copies: BTreeMap::new(),
        iterators: BTreeMap::new(),
        hoisted: None,
    };
    match privatizer.body(&region.body) {
        Ok(body) => {
            privatizer.out.body = body;
            Ok(Privatized { region: privatizer.out, workers: privatizer.workers })
        }
        Err(Refusal::Sets(error)) => Err(failed(error)),
        Err(Refusal::Rule(rejection)) => Err(AnalysisError::Rejected(rejection)),
    }
}

/// Why a loop cannot be parallel.
enum Refusal {
    Sets(IslError),
    Rule(Rejection),
}

impl From<IslError> for Refusal {
    fn from(error: IslError) -> Refusal {
        Refusal::Sets(error)
    }
}

fn refused<T>(rule: Rule, at: Position, reason: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Rule(Rejection::new(rule, at, reason)))
}

struct Privatizer<'p, 'r> {
    program: &'p Program<'r>,
    detected: &'p Detected,
    classes: &'p [LoopClass],
    context: &'p Rc<Context>,
    choice: &'p Choice,
    /// The region that is made; its variables are those of the original, and more.
    out: Region,
    /// The number of the next loop.
    next: usize,
    workers: Option<VariableId>,
    /// By array: the copies that take its place.
    copies: BTreeMap<usize, Copy>,
    /// What iterators have become.
    iterators: BTreeMap<VariableId, Expression>,
    /// Inside a parallel loop: what has to stand in front of the outermost one.
    hoisted: Option<Vec<Node>>,
}

impl Privatizer<'_, '_> {
    /// A new variable of the region, whose name begins with that text.
    fn fresh(&mut self, name: &str, scalar: Scalar, extents: Vec<Expression>) -> VariableId {
        let taken = |name: &str| self.out.variables.iter().any(|variable| variable.name == name);
        let mut unique = name.to_string();
        let mut number = 1;
        while taken(&unique) {
            number += 1;
            unique = format!("{name}_{number}");
        }
        let plain = |extent: Expression| match crate::arithmetic::constant(&extent) {
            Some(value) => crate::convert::convert(Expression::integer(value, Scalar::LONG), Scalar::INT),
            None => extent,
        };
        self.out.add(Variable {
            name: unique,
            scalar,
            declared_type: String::new(),
            extents: extents.into_iter().map(|extent| Some(plain(extent))).collect(),
            storage: Storage::Region,
            aliasing: Aliasing::Distinct,
        })
    }

    /// How many workers there are.
    fn workers(&mut self) -> Expression {
        let variable = self.workers.unwrap_or_else(|| {
            let variable = self.fresh("workers", Scalar::LONG, Vec::new());
            self.out.variables[variable.0].storage = Storage::Local;
            variable
        });
        self.workers = Some(variable);
        crate::arithmetic::value_of(variable, Scalar::LONG)
    }

    /// Whether a loop is to be parallel.
    fn is_chosen(&self, index: usize) -> bool {
        self.choice.loops.contains(&index)
    }
}

/// How many iterations a loop has, if that has a simple form.
pub(crate) fn trips(node: &crate::tree::Loop) -> Option<Expression> {
    Some(counted::Counted::of(node)?.trips(&[]))
}

/// The loops that the input says are parallel, by number.
pub fn marked(region: &Region) -> BTreeSet<usize> {
    fn visit(nodes: &[Node], next: &mut usize, found: &mut BTreeSet<usize>) {
        for node in nodes {
            match node {
                Node::Loop(looped) => {
                    if looped.parallel {
                        found.insert(*next);
                    }
                    *next += 1;
                    visit(&looped.body, next, found);
                }
                Node::If(guard) => {
                    visit(&guard.then, next, found);
                    visit(&guard.otherwise, next, found);
                }
                _ => {}
            }
        }
    }
    let mut found = BTreeSet::new();
    visit(&region.body, &mut 0, &mut found);
    found
}
