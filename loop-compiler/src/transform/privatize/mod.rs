//! Privatization: loops that carry reductions, or need private copies, become parallel.
//!
//! Each loop that is to be parallel and *carries* a reduction (two of its iterations update one element, in the same
//! iterations of the loops around) gets a private dimension: a copy of the target for each iteration, or for each worker,
//! which is filled with the operator's identity. After the loop the dimension is reduced: into the target after the
//! outermost of the loops, where the target's value takes part once, and in place after the others. Statements on one
//! target with one operator share the copies. Searches (`argmin`, `first` …) have no identity. A loop that carries anything else is rejected, with the dependence.
//!
//! | file | what is in it |
//! |---|---|
//! | `state` | the choice, the region that is made, and the copies |
//! | `reductions` | what a loop reduces, and which plan its copies have |
//! | `copies` | the copies of reductions, and how they are combined |
//! | `private` | variables that each iteration has for itself, and their last values |
//! | `guards` | when a parallel loop pays |
//! | `canonical` | loops that reduce floats in the canonical order |
//! | `scans` | the passes of a loop whose intermediate values are used |
//! | `searches` | copies of searches, and structures that a reduction combines |
//! | `elements` | elements of an array with reductions of their own, in scalars |
//! | `nodes` | nodes of which loops with copies are made |
//! | `rewrite` | nodes and expressions with copies in place of targets |
//! | `counted` | trip counts, the parts of a loop, the last values of iterators |

mod canonical;
mod copies;
mod counted;
mod elements;
mod guards;
mod nodes;
mod private;
mod reductions;
mod rewrite;
mod scans;
mod searches;
mod state;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    analysis::{AnalysisError, Classified, Detection, Options, classes::Class, failed},
    ir::{Expression, Node, Region, VariableId, arithmetic, loops, walk},
};

use self::state::{Failure, Privatizer};

pub use self::state::{Choice, Copies};
pub(crate) use self::{
    counted::{Counted, counting, not_clamped},
    nodes::{iterated, nest, read, reduced, stored},
    rewrite::{combine, combined_value},
};

/// A region with parallel loops.
#[derive(Clone, Debug)]
pub struct Privatized {
    /// The region.
    pub region: Region,
    /// With [`Copies::Workers`] the variable that says how many workers there are, if it is needed.
    pub workers: Option<VariableId>,
    /// Whether one of the loops is a scan.
    pub scans: bool,
    /// Whether one of the loops is executed twice.
    pub twice: bool,
    /// Whether one of the loops reduces floats in the canonical order, which small loops have, too.
    pub canonical: bool,
    /// Statements that are executed about, as a `double`, from trip counts that are known before the region.
    pub work: Expression,
    /// When one of the parallel loops has the least work, if that is known before the region.
    pub enough: Option<Expression>,
    /// When one of the nests has more than a few iterations (`ITERATIONS_OF_CALL`), if that is known before the region and depends on it.
    pub several: Option<Expression>,
}

impl Privatized {
    /// How often the loops are executed.
    pub fn passes(&self) -> f64 {
        if self.twice { 2.0 } else { 1.0 }
    }

    /// The name of what was done.
    pub fn strategy(&self) -> &'static str {
        match (self.scans, has_copies(&self.region.body)) {
            (true, _) => "scan",
            (false, true) => "privatized",
            (false, false) => "parallel",
        }
    }
}

/// Makes loops of a region parallel.
///
/// # Errors
///
/// If isl is missing, and what keeps one of the loops from being parallel.
pub fn privatize(region: &Region, choice: &Choice, options: &Options) -> Result<Privatized, AnalysisError> {
    privatize_classified(&Classified::of(region, options)?, choice, options)
}

/// As [`privatize`], of a region whose loops have been classified.
pub(crate) fn privatize_classified(
    classified: &Classified<'_>,
    choice: &Choice,
    options: &Options,
) -> Result<Privatized, AnalysisError> {
    let Classified { detection: Detection { program, context, detected }, classes } = classified;
    let region = program.region;
    let failed = failed(region.at);
    if let Some((apart, scalars)) = elements::in_scalars(program, classes, &choice.loops) {
        let mut choice = choice.clone();
        let omitted = scalars.into_iter().filter(|(array, _)| choice.omitted.contains(array));
        let omitted: Vec<String> = omitted.flat_map(|(_, names)| names).collect();
        choice.omitted.extend(omitted);
        return privatize(&apart, &choice, options);
    }
    let mut privatizer = Privatizer {
        program,
        detected,
        classes,
        context,
        choice,
        out: region.clone(),
        next: 0,
        workers: None,
        copies: BTreeMap::new(),
        running: BTreeMap::new(),
        twice: BTreeSet::new(),
        has_canonical: false,
        iterators: BTreeMap::new(),
        hoisted: None,
        enough: Vec::new(),
    };
    match privatizer.body(&region.body) {
        Ok(body) => {
            privatizer.out.body = body;
            let work = privatizer.whole_work();
            let several = privatizer.several();
            let enough = std::mem::take(&mut privatizer.enough).into_iter().collect::<Option<Vec<_>>>();
            let enough = enough.and_then(arithmetic::any_of);
            let scans = choice
                .loops
                .iter()
                .any(|index| classes.get(*index).is_some_and(|known| known.class == Class::Scan));
            let twice = !privatizer.twice.is_empty();
            let canonical = privatizer.has_canonical;
            let (region, workers) = (privatizer.out, privatizer.workers);
            Ok(Privatized { region, workers, scans, twice, canonical, work, enough, several })
        }
        Err(Failure::Sets(error)) => Err(failed(error)),
        Err(Failure::Rule(rejection)) => Err(AnalysisError::Rejected(rejection)),
    }
}

/// How many iterations a loop has, if that has a simple form.
pub(crate) fn trips(node: &crate::ir::Loop) -> Option<Expression> {
    Some(Counted::of(node)?.trips(&[]))
}

/// Whether workers have copies of their own.
pub(crate) fn has_copies(nodes: &[Node]) -> bool {
    walk(nodes).any(|node| matches!(node, Node::Private(_)))
}

/// The loops that the input says are parallel, by number.
pub fn marked(region: &Region) -> BTreeSet<usize> {
    loops(&region.body).enumerate().filter(|(_, looped)| looped.parallel).map(|(index, _)| index).collect()
}
