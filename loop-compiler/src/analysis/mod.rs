//! The analysis of a region: its reductions, and the class of each loop.

pub(crate) mod affine;
pub(crate) mod arrays;
pub(crate) mod bounds;
pub(crate) mod classes;
pub(crate) mod closed_form;
pub(crate) mod conditions;
pub(crate) mod dependences;
pub(crate) mod detect;
pub(crate) mod flatten;
pub(crate) mod linear;
pub(crate) mod polynomial;
pub(crate) mod program;
pub(crate) mod reduced;
pub(crate) mod split;

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    time::{Duration, Instant},
};

use crate::{
    analysis::{
        classes::{Class, Dependence, LoopClass},
        detect::{Detected, DetectionRule},
        program::{Action, Program},
        split::split,
    },
    ir::{Position, ReductionOperator, Region},
    isl::{Context, IslError},
    rules::{Rejection, Rule},
};

/// How a region is analysed.
#[derive(Clone, Debug)]
pub struct Options {
    /// How strictly a statement must look like a reduction.
    pub rule: DetectionRule,
    /// Operations on sets that are spent on a region at most.
    pub operations: u64,
    /// The time that they may take, on a machine that is busy, in each of the analysis, the simplification and the search for
    /// parallel code.
    pub time: Duration,
    /// When that time ends, once a step has begun.
    pub end: Option<Instant>,
    /// Values of parameters, by name, that are taken as given.
    pub sizes: BTreeMap<String, i64>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            rule: DetectionRule::default(),
            operations: 40_000_000,
            time: Duration::from_secs(20),
            end: None,
            sizes: BTreeMap::new(),
        }
    }
}

impl Options {
    /// The options of a step that begins, unless it is a part of another one.
    #[must_use]
    pub(crate) fn begun(&self) -> Options {
        Options { end: self.end.or_else(|| Instant::now().checked_add(self.time)), ..self.clone() }
    }

    fn context(&self) -> Result<Rc<Context>, IslError> {
        let left = self.end.map_or(self.time, |end| end.saturating_duration_since(Instant::now()));
        Context::new(self.operations, left)
    }
}

/// What is known of a region.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// In the order of the source.
    pub statements: Vec<StatementReport>,
    /// In the order of the source: a loop comes before those inside.
    pub loops: Vec<LoopReport>,
}

/// What is known of a statement that stores.
#[derive(Clone, Debug)]
pub struct StatementReport {
    /// Where it begins.
    pub at: Position,
    /// The array or scalar.
    pub target: String,
    /// The operator, if the statement is a reduction that some loop carries.
    pub reduction: Option<ReductionOperator>,
    /// The operator by which the statement combines its target, whether or not a loop carries that.
    pub combines: Option<ReductionOperator>,
    /// The loops that carry it, by number.
    pub carried_by: Vec<usize>,
    /// Whether the target holds floating-point numbers whose sum or product depends on the order.
    pub depends_on_order: bool,
    /// Why it is no reduction, where it resembles one.
    pub reason: Option<(Rule, String)>,
}

/// What is known of a loop.
#[derive(Clone, Debug)]
pub struct LoopReport {
    /// Where it begins.
    pub at: Position,
    /// The name of its iterator.
    pub iterator: String,
    /// Loops around.
    pub depth: usize,
    /// What keeps its iterations in order, and what would help.
    pub class: Class,
    /// Arrays and scalars that need private copies as targets of reductions, and for other reasons.
    pub reduced: Vec<String>,
    /// Those for other reasons.
    pub privatized: Vec<String>,
    /// By name: the elements of the private arrays of which each thread has a copy, in isl's notation.
    pub copies: BTreeMap<String, String>,
    /// The dependence that keeps the order.
    pub obstacle: Option<Dependence>,
    /// Why the order is kept.
    pub reason: Option<(Rule, String)>,
    /// Whether the input says that the loop is parallel.
    pub annotated: bool,
}

/// Why an analysis has no result.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// isl is missing.
    #[error(transparent)]
    Library(IslError),
    /// The region is left as it is.
    #[error("{0}")]
    Rejected(Rejection),
}

/// The analysis of a region, made where it is not known yet.
pub(crate) fn analysis_of<'k>(
    region: &Region,
    options: &Options,
    known: &'k OnceCell<Analysis>,
) -> Result<&'k Analysis, AnalysisError> {
    if let Some(analysis) = known.get() {
        return Ok(analysis);
    }
    let analysis = analyze(region, options)?;
    Ok(known.get_or_init(|| analysis))
}

/// An error of isl about a region at a position.
pub(crate) fn failed(at: Position) -> impl Fn(IslError) -> AnalysisError + Copy {
    move |error| match error {
        IslError::Missing(_) => AnalysisError::Library(error),
        error => AnalysisError::Rejected(Rejection::new(Rule::Limits, at, format!("too complex: {error}"))),
    }
}

/// A region as isl's sets describe it, its subscripts split into dimensions.
pub(crate) struct Description<'r> {
    pub program: Program<'r>,
    pub context: Rc<Context>,
}

impl<'r> Description<'r> {
    pub fn of(region: &'r Region, options: &Options) -> Result<Description<'r>, AnalysisError> {
        let context = options.context().map_err(failed(region.at))?;
        let mut program = Program::new(region, options.sizes.clone());
        split(&mut program, &context).map_err(failed(region.at))?;
        Ok(Description { program, context })
    }
}

/// A [`Description`] with the reductions in it.
pub(crate) struct Detection<'r> {
    pub program: Program<'r>,
    pub context: Rc<Context>,
    pub detected: Detected,
}

impl<'r> Detection<'r> {
    pub fn of(region: &'r Region, options: &Options) -> Result<Detection<'r>, AnalysisError> {
        let Description { program, context } = Description::of(region, options)?;
        let detected = detect::detect(&program, &context, options.rule).map_err(failed(region.at))?;
        Ok(Detection { program, context, detected })
    }
}

/// A [`Detection`] with the classes of the loops.
pub(crate) struct Classified<'r> {
    pub detection: Detection<'r>,
    pub classes: Vec<LoopClass>,
}

impl<'r> Classified<'r> {
    pub fn of(region: &'r Region, options: &Options) -> Result<Classified<'r>, AnalysisError> {
        let detection = Detection::of(region, options)?;
        let Detection { program, context, detected } = &detection;
        let classes = classes::classify(program, detected, context).map_err(failed(region.at))?;
        Ok(Classified { detection, classes })
    }

    /// What a report says of it.
    pub fn analysis(&self) -> Analysis {
        let Detection { program, detected, .. } = &self.detection;
        let loops = self.classes.iter().enumerate();
        Analysis {
            statements: statements(program, detected, &self.classes),
            loops: loops.map(|(index, class)| looped(program, index, class)).collect(),
        }
    }
}

/// What is known of a region, found when it is first asked for. All of it has one limit of operations.
pub(crate) struct Analyses<'r> {
    region: &'r Region,
    options: &'r Options,
    classified: OnceCell<Result<Classified<'r>, Rejection>>,
    analysis: OnceCell<Analysis>,
}

impl<'r> Analyses<'r> {
    pub fn new(region: &'r Region, options: &'r Options) -> Analyses<'r> {
        Analyses { region, options, classified: OnceCell::new(), analysis: OnceCell::new() }
    }

    /// The classes of its loops. What is too complex once is not tried again.
    pub fn classified(&self) -> Result<&Classified<'r>, AnalysisError> {
        let found = match self.classified.get() {
            Some(found) => found,
            None => {
                let found = match Classified::of(self.region, &self.options.begun()) {
                    Ok(classified) => Ok(classified),
                    Err(AnalysisError::Rejected(rejection)) => Err(rejection),
                    Err(error) => return Err(error),
                };
                self.classified.get_or_init(|| found)
            }
        };
        found.as_ref().map_err(|rejection| AnalysisError::Rejected(rejection.clone()))
    }

    /// Its analysis.
    pub fn analysis(&self) -> Result<&Analysis, AnalysisError> {
        let classified = self.classified()?;
        Ok(self.analysis.get_or_init(|| classified.analysis()))
    }
}

/// A region with what has to be true of its parameters for subscripts such as `i * ld + j` to be rows and columns, the columns being
/// fewer than what the rows are apart, and for unsigned sums to be within their types. The code that is made of it tests that.
///
/// # Errors
///
/// If isl is missing.
pub fn assumed(region: &Region, options: &Options) -> Result<Region, AnalysisError> {
    let begun = options.begun();
    let context = begun.context().map_err(failed(region.at))?;
    let (mut program, wanted) = Program::with_assumptions(region, options.sizes.clone());
    let found = split::assumptions(&mut program, &context, wanted.clone()).unwrap_or(wanted);
    let assumed: Option<Vec<_>> = found.iter().map(|value| program.not_negative(value)).collect();
    let assumed = region.assumed.iter().cloned().chain(assumed.into_iter().flatten());
    Ok(Region { assumed: assumed.collect(), ..region.clone() })
}

/// Analyses a region.
pub fn analyze(region: &Region, options: &Options) -> Result<Analysis, AnalysisError> {
    Ok(Classified::of(region, &options.begun())?.analysis())
}

fn statements(program: &Program<'_>, detected: &Detected, classes: &[LoopClass]) -> Vec<StatementReport> {
    let mut reports = Vec::new();
    for (index, facts) in program.statements.iter().enumerate() {
        let Action::Statement(statement) = facts.action else { continue };
        let store = *facts.accesses.last().expect("a statement stores");
        let mut carried_by = BTreeSet::new();
        let found = detected.reductions.iter().find(|reduction| reduction.statements.contains(&index));
        if let Some(reduction) = found {
            let carries = |looped: &&usize| classes[**looped].groups.contains(&reduction.group);
            carried_by.extend(facts.around.iter().filter(carries));
        }
        let reduction = found.filter(|_| !carried_by.is_empty()).map(|reduction| reduction.operator);
        let mut reason = detected.rejected.get(&index).cloned();
        if reduction.is_some() {
            reason = None;
        } else if reason.is_none() && found.is_some() {
            let dependent = |reduction: &detect::ReductionLike| {
                facts.around.iter().any(|looped| classes[*looped].dependent.contains(&reduction.group))
            };
            reason = Some(match found.map(|reduction| reduction.operator) {
                _ if found.is_some_and(dependent) => {
                    (Rule::Scans, "whether it happens depends on a value that the loop carries".into())
                }
                Some(ReductionOperator::Last | ReductionOperator::First) => {
                    (Rule::Searches, "no loop keeps only the first or the last of several values".into())
                }
                _ => (
                    Rule::Dependences,
                    "no loop updates an element twice, independently of its values".into(),
                ),
            });
        }
        let scalar = statement.target.scalar;
        let ordered = matches!(reduction, Some(ReductionOperator::Add | ReductionOperator::Multiply));
        reports.push(StatementReport {
            at: facts.at,
            target: program.arrays[program.accesses[store].array].name.clone(),
            reduction,
            combines: found.map(|reduction| reduction.operator),
            carried_by: carried_by.into_iter().collect(),
            depends_on_order: ordered && scalar.is_float(),
            reason,
        });
    }
    reports
}

fn looped(program: &Program<'_>, index: usize, class: &LoopClass) -> LoopReport {
    let facts = &program.loops[index];
    let names =
        |arrays: &BTreeSet<usize>| arrays.iter().map(|array| program.arrays[*array].name.clone()).collect();
    LoopReport {
        at: facts.node.at,
        iterator: program.region.variable(facts.node.iterator).name.clone(),
        depth: facts.around.len(),
        class: class.class,
        reduced: names(&class.reduced),
        privatized: names(&class.privatized),
        copies: class
            .copies
            .iter()
            .map(|(array, set)| (program.arrays[*array].name.clone(), set.clone()))
            .collect(),
        obstacle: class.obstacle.clone(),
        reason: class.reason.clone(),
        annotated: facts.node.parallel,
    }
}
