//! Reductions made cheaper than they were written: the simplification of Gautam and Rajopadhye, and of dependent
//! reductions by Yang, Atkinson and Carbin (POPL 2021), in the chosen order of the loops.
//!
//! A reduction is extracted as an equation over a domain. Results that share what they combine are computed from each
//! other, and what is left is a reduction of fewer points, for which the same is asked again. Only what lowers the degree
//! of the number of operations is done, since the result is a recurrence: it trades parallelism for less work.
//!
//! | file | what is in it |
//! |---|---|
//! | `equation` | a reduction as an equation, and where its loops stand |
//! | `space` | points, reuse vectors, faces, degrees |
//! | `plan` | the transformation, and the search for vectors |
//! | `emit` | loops from sets |
//! | `report` | what is said |

mod emit;
mod equation;
mod plan;
mod report;
mod space;

use std::collections::BTreeSet;

use self::{
    emit::{Emission, counted, declared},
    equation::{Extraction, Placement, coordinates},
    plan::{Part, Plan, Planner},
    space::{degree, faces},
};
use crate::{
    analysis::{AnalysisError, Detection, Options, failed},
    operators::identity,
    rules::{FloatOrder, Rejection, Rule},
    transform::replace,
    tree::{ReductionOperator, Region},
};

pub use self::report::{Candidate, Search, Simplification};

/// How reductions are simplified.
#[derive(Clone, Debug)]
pub struct Setting<'s> {
    /// How vectors are chosen.
    pub search: Search,
    /// Whether floating-point operations may be reordered.
    pub order: FloatOrder,
    /// How regions are analysed. Sizes are for counts only.
    pub options: &'s Options,
    /// Only a vector that begins with this is taken for a reduction as it is written, for experiments.
    pub forced: Option<Vec<i64>>,
    /// How often what is left of a reduction is simplified again, at most.
    pub depth: usize,
}

impl<'s> Setting<'s> {
    /// Until no degree drops, by any valid vectors.
    pub fn new(order: FloatOrder, options: &'s Options) -> Setting<'s> {
        Setting { search: Search::Heuristic, order, options, forced: None, depth: usize::MAX }
    }
}

/// A region whose reductions are simplified.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// The region; the same if nothing was simplified.
    pub region: Region,
    /// What is known of each reduction.
    pub reductions: Vec<Simplification>,
}

impl Simplified {
    /// Whether something was simplified.
    pub fn is_changed(&self) -> bool {
        self.reductions.iter().any(|reduction| reduction.outcome.is_ok())
    }
}

/// Simplifies the reductions of a region, one after the other.
///
/// # Errors
///
/// If isl is missing, or if the region is too complex for all analyses.
pub fn simplify(region: &Region, setting: &Setting<'_>) -> Result<Simplified, AnalysisError> {
    let mut simplified = Simplified { region: region.clone(), reductions: Vec::new() };
    let mut done = BTreeSet::new();
    // Variables that keep partial results are not looked at.
    let own = region.variables.len();
    while let Some((report, changed)) = next(&simplified.region, own, &mut done, setting)? {
        simplified.reductions.push(report);
        if let Some(changed) = changed {
            simplified.region = changed;
        }
    }
    Ok(simplified)
}

/// The next reduction that has not been looked at, and the region with it simplified.
fn next(
    region: &Region,
    own: usize,
    done: &mut BTreeSet<(crate::tree::Position, String)>,
    setting: &Setting<'_>,
) -> Result<Option<(Simplification, Option<Region>)>, AnalysisError> {
    let fails = failed(region.at);
    // Of symbolic sizes: degrees are of them.
    let options = Options { sizes: Default::default(), ..setting.options.clone() };
    let Detection { program, context, detected } = Detection::of(region, &options)?;
    let found = detected.reductions.iter().find(|found| {
        let facts = &program.statements[found.statements[0]];
        let store = *facts.accesses.last().expect("a statement stores");
        let key = (facts.at, program.arrays[program.accesses[store].array].name.clone());
        let array = &program.arrays[program.accesses[store].array];
        !facts.around.is_empty() && array.variable.0 < own && done.insert(key)
    });
    let Some(found) = found else { return Ok(None) };
    let facts = &program.statements[found.statements[0]];
    let store = *facts.accesses.last().expect("a statement stores");
    let mut report = Simplification {
        at: facts.at,
        target: program.arrays[program.accesses[store].array].name.clone(),
        operator: found.operator,
        coordinates: Vec::new(),
        from_degree: 0,
        outcome: Err(Rejection::new(Rule::Dependences, facts.at, "")),
        candidates: Vec::new(),
        faces: Vec::new(),
        operations: None,
        subtracts: false,
    };
    let extraction = Extraction { program: &program, context: &context, order: setting.order };
    // What is too complex is left alone.
    let limited = |error: crate::isl::IslError| match fails(error) {
        AnalysisError::Rejected(rejection) => Ok(rejection),
        error => Err(error),
    };
    let equation = match extraction.equation(found) {
        Ok(Ok(equation)) => equation,
        Ok(Err(rejection)) => {
            report.outcome = Err(rejection);
            return Ok(Some((report, None)));
        }
        Err(error) => {
            report.outcome = Err(limited(error)?);
            return Ok(Some((report, None)));
        }
    };
    report.coordinates = coordinates(&program, &equation);
    let order = match equation.placement {
        Placement::Inside { results } => {
            let direction = |index: &usize| i64::try_from(program.loops[*index].direction).ok();
            equation.around[..results].iter().map(direction).collect()
        }
        Placement::Nest { .. } => vec![None; equation.space.results],
    };
    let scalar = equation.statement.target.scalar;
    let mut planner = Planner {
        context: &context,
        space: &equation.space,
        reads: &equation.reads,
        inverse: matches!(equation.operator, ReductionOperator::Add | ReductionOperator::Xor),
        search: setting.search,
        order,
        candidates: Vec::new(),
        forced: setting.forced.clone(),
        depth: setting.depth,
    };
    let mut work = || -> Result<Option<Region>, crate::isl::IslError> {
        report.from_degree = degree(&context, &equation.points, &equation.space)?;
        for piece in equation.points.pieces()? {
            for face in faces(&piece, &context, &equation.space)? {
                let dimension = degree(&context, &face, &equation.space)?;
                report.faces.resize(report.faces.len().max(dimension + 1), 0);
                report.faces[dimension] += 1;
            }
        }
        let plan = planner.plan(&equation.points, equation.places.as_ref())?;
        let Some(plan) = plan else { return Ok(None) };
        report.subtracts = scalar.is_float() && subtracts(&plan);
        let mut changed = region.clone();
        let directions = planner.order.iter().map(|direction| direction.unwrap_or(1)).collect();
        let emission = Emission::new(&program, &context, &equation, &mut changed, directions);
        let emitted = match emission.emitted(&plan)? {
            Ok(emitted) => emitted,
            Err(rejection) => {
                report.outcome = Err(rejection);
                return Ok(None);
            }
        };
        let sizes: Option<Vec<String>> = program
            .parameters
            .iter()
            .enumerate()
            .map(|(index, (name, _))| Some(format!("p{index} = {}", setting.options.sizes.get(name)?)))
            .collect();
        if let Some(sizes) = sizes {
            let sizes = std::iter::once("true".to_string()).chain(sizes).collect::<Vec<_>>().join(" and ");
            let sizes = format!("{}{{ : {sizes} }}", program.parameter_list());
            let mut written = vec![equation.points.copy()?];
            let before = counted(&written, &sizes)?;
            // What begins with nothing needs no operation for its first value.
            let neutral = equation.init.as_ref().zip(identity(equation.operator, scalar));
            written.clear();
            if neutral.is_some_and(|(init, neutral)| emit::same_number(init, &neutral)) {
                written.push(equation.space.results_of(&equation.points)?);
            }
            let begun = counted(&written, &sizes)?;
            let after = counted(&emitted.operations, &sizes)?;
            report.operations =
                before.zip(begun).zip(after).map(|((before, begun), after)| (before - begun, after));
        }
        let (place, kept) = match equation.placement {
            Placement::Nest { .. } => (equation.around[0], 0),
            Placement::Inside { results } => (equation.around[results], equation.around[results - 1]),
        };
        let nest = matches!(equation.placement, Placement::Nest { .. });
        let mut nodes = emitted.nodes;
        if nest && !emitted.kept.is_empty() {
            nodes = emit::in_block(nodes, &emitted.kept, equation.statement.at);
        }
        replace(&mut changed, place, nodes);
        if !nest && !emitted.kept.is_empty() {
            declared(&mut changed, kept, &emitted.kept);
        }
        report.outcome = Ok(plan.degree);
        Ok(Some(changed))
    };
    let changed = match work() {
        Ok(changed) => changed,
        Err(error) => {
            report.outcome = Err(limited(error)?);
            None
        }
    };
    report.candidates = planner.candidates;
    if let Err(rejection) = &mut report.outcome
        && rejection.reason.is_empty()
    {
        let reasons: BTreeSet<_> =
            report.candidates.iter().filter_map(|candidate| candidate.rejected.clone()).collect();
        rejection.reason = match report.candidates.is_empty() {
            true => "no two results combine the same values".into(),
            false => reasons.into_iter().collect::<Vec<_>>().join("; "),
        };
    }
    Ok(Some((report, changed)))
}

/// Whether a plan takes away what it has combined.
fn subtracts(plan: &Plan) -> bool {
    plan.parts.iter().any(|(part, inverse)| {
        *inverse
            || match part {
                Part::Reduction(plan) => subtracts(plan),
                Part::Points(_) => false,
            }
    })
}
