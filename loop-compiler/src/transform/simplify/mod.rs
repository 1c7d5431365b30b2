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

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use self::{
    emit::{Emission, Emitted, counted},
    equation::{Equation, Extraction, Placement, coordinates},
    plan::{Combined, Plan, Planner},
    space::{degree, faces},
};
use crate::{
    analysis::{
        AnalysisError, Detection, Options,
        detect::ReductionLike,
        failed,
        program::{Access, Parameter, Program},
    },
    ir::{Loop, LoopId, ReductionOperator, Region, loops},
    isl::{Context, IslError, Set},
    rules::{FloatOrder, Rejection, Rule},
    transform::{self, divided, replace, with_own_iterators},
};

pub use self::report::{Candidate, Search, Simplification};

const STEP: &str = "simplification";

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

/// Simplifies the reductions of a region, one after the other: of nests as they are, or of their loops divided into as many
/// as dependences allow.
///
/// # Errors
///
/// If isl is missing, or if the region is too complex for all analyses.
pub fn simplify(region: &Region, setting: &Setting<'_>) -> Result<Simplified, AnalysisError> {
    let options = setting.options.begun();
    let setting = &Setting { options: &options, ..setting.clone() };
    // Loops that are replaced leave no last values in iterators that are declared before them.
    let owned = with_own_iterators(region, setting.options, STEP, |_| true)?;
    let (mut simplified, mut nests) = all_of(owned.clone(), setting)?;
    let is_left = |looped: &Loop| !nests.contains(&looped.id) && !loops_of(looped).any(is_directed);
    let order = transform::Setting { order: setting.order, options: setting.options };
    let mut apart = BTreeSet::new();
    if let Some(divided) = divided(&owned, is_left, order)? {
        let (other, of_divided) = all_of(divided, setting)?;
        apart = of_divided.difference(&nests).copied().collect();
        if !apart.is_empty() {
            let left = simplified.reductions.iter_mut().filter(|known| known.outcome.is_err());
            left.for_each(|known| {
                let is_it = |one: &&Simplification| (one.at, &one.target) == (known.at, &known.target);
                if let Some(better) = other.reductions.iter().find(is_it).filter(|one| one.outcome.is_ok()) {
                    *known = Simplification { is_distributed: true, ..better.clone() };
                }
            });
            nests.extend(&apart);
        }
    }
    if nests.is_empty() {
        return Ok(Simplified { region: region.clone(), ..simplified });
    }
    if apart.is_empty() && owned.variables.len() == region.variables.len() {
        return Ok(simplified);
    }
    // Other nests stay as they are.
    let owned = with_own_iterators(region, setting.options, STEP, |node| nests.contains(&node.id))?;
    let divided = divided(&owned, |looped| apart.contains(&looped.id), order)?.unwrap_or(owned);
    let (made, _) = all_of(divided, setting)?;
    Ok(Simplified { region: made.region, ..simplified })
}

/// The loops of a nest.
fn loops_of(looped: &Loop) -> impl Iterator<Item = &Loop> {
    std::iter::once(looped).chain(loops(&looped.body))
}

/// Whether a person says what becomes of a loop.
fn is_directed(looped: &Loop) -> bool {
    !looped.attributes.is_empty()
}

/// A region with all of its reductions simplified, and where the nests begin of which that is true.
fn all_of(region: Region, setting: &Setting<'_>) -> Result<(Simplified, BTreeSet<LoopId>), AnalysisError> {
    // Variables that keep partial results are not looked at.
    let own = region.variables.len();
    let mut simplified = Simplified { region, reductions: Vec::new() };
    let mut nests = BTreeSet::new();
    // Degrees are of sizes that are not known.
    let options = Options { sizes: BTreeMap::new(), ..setting.options.clone() };
    let mut known = BTreeSet::new();
    let mut before: Option<Region> = None;
    loop {
        let current = simplified.region.clone();
        let detection =
            match (Detection::of(&current, &options), before.take(), simplified.reductions.last_mut()) {
                (Ok(detection), ..) => detection,
                // What nobody can analyse any more is of no use.
                (Err(AnalysisError::Rejected(rejection)), Some(before), Some(last)) => {
                    last.outcome = Err(rejection);
                    simplified.region = before;
                    return Ok((simplified, nests));
                }
                (Err(error), ..) => return Err(error),
            };
        let Detection { program, context, detected } = detection;
        let mut changed = None;
        for found in &detected.reductions {
            let facts = &program.statements[found.statements[0]];
            let array = &program.arrays[store_of(&program, found.statements[0]).array];
            let Some(outermost) = facts.around.first() else { continue };
            if array.variable.0 >= own || !known.insert((facts.at, array.name.clone())) {
                continue;
            }
            let attempt = Attempt { region: &current, program: &program, context: &context, setting };
            let (report, made) = attempt.of(found)?;
            simplified.reductions.push(report);
            if made.is_some() {
                nests.insert(program.loops[*outermost].node.id);
                changed = made;
                break;
            }
        }
        match changed {
            Some(changed) => before = Some(std::mem::replace(&mut simplified.region, changed)),
            None => return Ok((simplified, nests)),
        }
    }
}

/// The element that a statement stores to.
fn store_of<'p, 'r>(program: &'p Program<'r>, statement: usize) -> &'p Access<'r> {
    &program.accesses[*program.statements[statement].accesses.last().expect("a statement stores")]
}

/// What is needed to simplify one reduction of a region.
struct Attempt<'a, 'r> {
    region: &'r Region,
    program: &'a Program<'r>,
    context: &'a Rc<Context>,
    setting: &'a Setting<'a>,
}

impl Attempt<'_, '_> {
    /// What is known of a reduction, and the region with it simplified.
    fn of(&self, found: &ReductionLike) -> Result<(Simplification, Option<Region>), AnalysisError> {
        let at = self.program.statements[found.statements[0]].at;
        let target = self.program.arrays[store_of(self.program, found.statements[0]).array].name.clone();
        let mut report = Simplification {
            at,
            target,
            operator: found.operator,
            coordinates: Vec::new(),
            from_degree: 0,
            outcome: Err(Rejection::new(Rule::Simplification, at, "")),
            candidates: Vec::new(),
            faces: Vec::new(),
            operations: None,
            is_distributed: false,
            subtracts: false,
        };
        let statements = found.statements.iter().map(|statement| &self.program.statements[*statement]);
        let mut around = statements.flat_map(|statement| &statement.around);
        if around.any(|index| self.program.loops[*index].first.is_some()) {
            let reason = "a loop around it begins at a value that is not affine";
            report.outcome = Err(Rejection::new(Rule::Simplification, at, reason));
            return Ok((report, None));
        }
        let equation = Extraction { program: self.program, context: self.context }.equation(found);
        let made = equation.and_then(|equation| match equation {
            Ok(equation) => self.planned(&equation, &mut report),
            Err(rejection) => Ok(Err(rejection)),
        });
        let made = match made {
            Ok(made) => made,
            // What is too complex is left alone.
            Err(error) => match failed(at)(error) {
                AnalysisError::Rejected(rejection) => Err(rejection),
                error => return Err(error),
            },
        };
        Ok(match made {
            Ok((degree, region)) => {
                report.outcome = Ok(degree);
                (report, Some(region))
            }
            Err(rejection) => {
                report.outcome = Err(rejection);
                (report, None)
            }
        })
    }

    /// The degree that a reduction has by the best plan, and the region with it.
    fn planned(
        &self,
        equation: &Equation<'_>,
        report: &mut Simplification,
    ) -> Result<Result<(usize, Region), Rejection>, IslError> {
        let (program, context, space) = (self.program, self.context, &equation.space);
        report.coordinates = coordinates(program, equation);
        report.from_degree = degree(context, &equation.points, space)?;
        for piece in equation.points.pieces()? {
            for face in faces(&piece, context, space)? {
                let dimension = degree(context, &face, space)?;
                report.faces.resize(report.faces.len().max(dimension + 1), 0);
                report.faces[dimension] += 1;
            }
        }
        let order = match equation.placement {
            Placement::Inside { results } => {
                let direction = |index: &usize| i64::try_from(program.loops[*index].direction).ok();
                equation.around[..results].iter().map(direction).collect()
            }
            Placement::Nest { .. } => vec![None; space.results],
        };
        let mut planner = Planner {
            context,
            space,
            reads: &equation.reads,
            inverse: matches!(equation.operator, ReductionOperator::Add | ReductionOperator::Xor),
            search: self.setting.search,
            order,
            candidates: Vec::new(),
            forced: self.setting.forced.clone(),
            depth: self.setting.depth,
        };
        let plan = planner.plan(&equation.points, equation.places.as_ref());
        report.candidates = std::mem::take(&mut planner.candidates);
        let reject = |rule, reason: String| Ok(Err(Rejection::new(rule, equation.statement.at, reason)));
        let Some(plan) = plan? else {
            let reasons = report.candidates.iter().filter_map(|candidate| candidate.rejected.clone());
            let reasons: BTreeSet<String> = reasons.collect();
            return reject(
                Rule::Simplification,
                match reasons.is_empty() {
                    true => "no two results combine the same values".into(),
                    false => reasons.into_iter().collect::<Vec<_>>().join("; "),
                },
            );
        };
        let is_float = equation.statement.target.scalar.is_float();
        if is_float && self.setting.order != FloatOrder::Free {
            let reason = format!(
                "the degree of its operations would be {} instead of {} with --order free",
                plan.degree, report.from_degree
            );
            return reject(Rule::Floats, reason);
        }
        report.subtracts = is_float && subtracts(&plan);
        let mut changed = self.region.clone();
        let directions = planner.order.iter().map(|direction| direction.unwrap_or(1)).collect();
        let emission = Emission::new(program, context, equation, &mut changed, directions);
        let emitted = match emission.emitted(&plan)? {
            Ok(emitted) => emitted,
            Err(rejection) => return Ok(Err(rejection)),
        };
        report.operations = self.operations(equation, &emitted.operations)?;
        inserted(&mut changed, equation, emitted);
        Ok(Ok((plan.degree, changed)))
    }

    /// How many operations there are before and after at the given sizes, if all are given.
    fn operations(&self, equation: &Equation<'_>, made: &[Set]) -> Result<Option<(u64, u64)>, IslError> {
        let parameters = self.program.parameters.iter().enumerate();
        let size = |(index, parameter): (usize, &Parameter)| {
            Some(format!("p{index} = {}", self.setting.options.sizes.get(&parameter.text)?))
        };
        let Some(sizes) = parameters.map(size).collect::<Option<Vec<_>>>() else { return Ok(None) };
        let sizes = std::iter::once("true".to_string()).chain(sizes).collect::<Vec<_>>().join(" and ");
        let sizes = format!("{}{{ : {sizes} }}", self.program.parameter_list());
        let before = counted(std::slice::from_ref(&equation.points), &sizes)?;
        // What begins with nothing needs no operation for its first value.
        let begun = match equation.begins_with_nothing() {
            true => counted(&[equation.space.results_of(&equation.points)?], &sizes)?,
            false => Some(0),
        };
        let after = counted(made, &sizes)?;
        Ok(before.zip(begun).zip(after).map(|((before, begun), after)| (before - begun, after)))
    }
}

/// Puts loops in place of those of an equation.
fn inserted(region: &mut Region, equation: &Equation<'_>, Emitted { nodes, kept, .. }: Emitted) {
    match equation.placement {
        Placement::Nest { .. } => {
            let nodes = match kept.is_empty() {
                true => nodes,
                false => vec![emit::in_block(region, nodes, &kept, equation.statement.at)],
            };
            replace(region, equation.around[0], nodes);
        }
        Placement::Inside { results } => {
            replace(region, equation.around[results], nodes);
            if !kept.is_empty() {
                emit::declared(region, equation.around[results - 1], &kept);
            }
        }
    }
}

/// Whether a plan takes away what it has combined.
fn subtracts(plan: &Plan) -> bool {
    plan.parts.iter().any(|(part, inverse)| {
        *inverse
            || match part {
                Combined::Reduction(plan) => subtracts(plan),
                Combined::Points(_) => false,
            }
    })
}
