//! Whether the OpenMP directives of a source are right: whether each loop computes with its directive what it computes without.
//!
//! A directive is proved by the dependences of the loop and what its clauses give to threads (`proof`), for all inputs and any
//! number of threads. It is wrong if there is an input for which it computes something else: the interpreter executes the loop on
//! small inputs as threads may (`applied`), and finds races whether or not they change a result. Otherwise it is not decided.
//!
//! | file | what is in it |
//! |---|---|
//! | `applied` | a region whose loop is executed as the directive says |
//! | `proof` | whether that is the same for all inputs |

mod applied;
mod proof;

use std::collections::{BTreeMap, BTreeSet};

use self::{
    applied::{Sharing, applied, dead, shared_loops},
    proof::{Proof, proof},
};
use crate::{
    analysis::{AnalysisError, Options, assumed},
    c::{self, LoopDirective, SourceFile},
    check::{Counterexample, counterexample},
    ir::{
        BinaryOperator, Clause, Node, Position, ReductionOperator, Reference, Region, Statement, Store,
        VariableId, arithmetic, convert, loops, operators::converts, walk_iteration,
    },
    rules::FloatOrder,
};

/// What is found of a directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is right, if these conditions hold.
    Proved(Vec<String>),
    /// It is wrong.
    Wrong {
        /// What is wrong, with the input.
        what: String,
        /// What would make it right, if that is known.
        hint: Option<String>,
    },
    /// Neither is known, and why.
    Undecided(String),
}

/// Inputs on which a loop is executed.
const INPUTS: usize = 12;

/// How iterations are shared.
const SHARINGS: [Sharing; 3] = [Sharing::Single, Sharing::Blocks(2), Sharing::Cyclic(3)];

/// Clauses that say something about values and that are not read here.
const NOT_READ: [&str; 9] = [
    "linear",
    "ordered",
    "inclusive",
    "exclusive",
    "copyin",
    "in_reduction",
    "task_reduction",
    "uses_allocators",
    "allocate",
];

/// Clauses that give threads copies of variables.
const COPIES: [&str; 5] = ["private", "firstprivate", "lastprivate", "reduction", "linear"];

/// Decides about each directive of a file that was read by [`c::read_directives`].
///
/// # Errors
///
/// If isl is missing.
pub fn verify(
    file: &SourceFile,
    options: &Options,
    sizes: &BTreeMap<String, i64>,
) -> Result<Vec<(LoopDirective, Verdict)>, AnalysisError> {
    let mut found = Vec::new();
    for directive in &file.directives {
        let is_in = |region: &&c::SourceRegion| {
            region.bytes.start <= directive.bytes.start && directive.bytes.end <= region.bytes.end
        };
        let around: Vec<&c::SourceRegion> = file.regions.iter().filter(is_in).collect();
        let verdict = match tree_of(file, directive) {
            Some(tree) => match verdict(tree, directive, options, sizes)? {
                Verdict::Undecided(why) => shared(directive).unwrap_or(Verdict::Undecided(why)),
                verdict => verdict,
            },
            None => shared(directive).unwrap_or_else(|| {
                // The smallest region says what it is about.
                let smallest = around.iter().min_by_key(|region| region.bytes.len());
                Verdict::Undecided(match smallest.map(|region| &region.tree) {
                    Some(Err(rejection)) => format!("line {}: {}", rejection.at.line, rejection.reason),
                    _ => "the loop is none that is analysed".into(),
                })
            }),
        };
        found.push((directive.clone(), verdict));
    }
    found.sort_by_key(|(directive, _)| directive.bytes.start);
    Ok(found)
}

/// The variables that a directive reduces by `&&` or `||`, which make 1 of other numbers.
fn truths(tree: &Region, directive: &LoopDirective) -> impl Iterator<Item = VariableId> {
    let is_logical = |clause: &&Clause| {
        let operator = clause.operator();
        operator.is_some_and(|operator| {
            matches!(operator, ReductionOperator::LogicalAnd | ReductionOperator::LogicalOr)
        })
    };
    let clauses = directive.directive.clauses_of("reduction").filter(is_logical);
    let names = clauses.flat_map(Clause::variables);
    let ids = names.filter_map(|name| tree.variables.iter().position(|variable| variable.name == name));
    ids.map(VariableId).filter(|id| {
        let variable = tree.variable(*id);
        variable.extents.is_empty() && converts(ReductionOperator::LogicalAnd, variable.scalar)
    })
}

/// Makes variables 0 or 1 before a region.
fn set_truths(region: &mut Region, variables: &[VariableId]) {
    let at = Position::default();
    let set = variables.iter().filter_map(|id| {
        let scalar = region.variable(*id).scalar;
        let target = Reference { variable: *id, path: Vec::new(), scalar, at };
        let zero = convert::convert(arithmetic::number(0), scalar);
        let is_set =
            convert::binary(BinaryOperator::NotEqual, arithmetic::value_of(*id, scalar), zero).ok()?;
        let value = convert::convert(is_set, scalar);
        Some(Node::Statement(Statement { target, store: Store::Assign, value, at }))
    });
    let set: Vec<Node> = set.collect();
    region.body.splice(0..0, set);
}

/// The region that has the loop of a directive, if it is understood.
pub fn tree_of<'f>(file: &'f SourceFile, directive: &LoopDirective) -> Option<&'f Region> {
    let mut trees = file.regions.iter().filter_map(|region| region.tree.as_ref().ok());
    trees.find(|tree| loops(&tree.body).any(|looped| looped.at == directive.at))
}

fn verdict(
    tree: &Region,
    directive: &LoopDirective,
    options: &Options,
    sizes: &BTreeMap<String, i64>,
) -> Result<Verdict, AnalysisError> {
    let of_openmp = &directive.directive;
    if let Some(clause) = of_openmp.clauses.iter().find(|clause| NOT_READ.contains(&&*clause.name)) {
        return Ok(Verdict::Undecided(format!("the clause `{}` is not checked", clause.name)));
    }
    let is_simd = of_openmp.name.iter().all(|word| word == "simd");
    if !is_simd && !["parallel", "teams", "taskloop"].iter().any(|word| of_openmp.is(word)) {
        return Ok(Verdict::Undecided("no `parallel` or `teams` is around it in its function".into()));
    }
    let of_threads = |name: &&String| tree.variables.iter().any(|variable| variable.name == **name);
    if let Some(name) = directive.threadprivate.iter().find(of_threads) {
        return Ok(Verdict::Undecided(format!("`{name}` is threadprivate")));
    }
    if let Some(at) = left_early(tree, directive) {
        let what = format!("line {} leaves the loop early, which OpenMP does not allow", at.line);
        return Ok(Verdict::Wrong { what, hint: None });
    }
    let tree = &assumed(tree, options)?;
    let Proof { missing, is_anti, is_update, clauses } = proof(tree, directive, options)?;
    let Some(missing) = missing else {
        let truths = truths(tree, directive)
            .map(|id| format!("`{}` is 0 or 1 before the loop", tree.variable(id).name));
        let sections = of_openmp.clauses_of("reduction").flat_map(|clause| &clause.items);
        let sections = sections.filter(|item| item.contains('['));
        let sections = sections.map(|item| format!("`{item}` has all elements that the loop accesses"));
        return Ok(Verdict::Proved(conditions(tree).into_iter().chain(truths).chain(sections).collect()));
    };
    let own = directive.own.iter().find(|name| directive.changed.contains(*name));
    if let Some(own) = own {
        let what =
            format!("what becomes of `{own}`, of which each thread has its own, is not checked ({missing})");
        return Ok(Verdict::Undecided(what));
    }
    // Lanes read what they overwrite before any of them does.
    if is_simd && is_anti {
        return Ok(Verdict::Undecided(missing));
    }
    let shown = match shown(tree, directive, sizes) {
        Err(reason) if reason == missing => return Ok(Verdict::Undecided(missing)),
        Err(reason) => return Ok(Verdict::Undecided(format!("{missing}; no input shows it: {reason}"))),
        Ok(None) => return Ok(Verdict::Undecided(missing)),
        Ok(Some(shown)) => shown,
    };
    let Counterexample { what, depends_on } = shown;
    if !is_update && !depends_on.is_empty() {
        let names: Vec<String> = depends_on.iter().map(|name| format!("`{name}`")).collect();
        return Ok(Verdict::Undecided(format!(
            "it depends on the values of {}: {what}",
            names.join(" and ")
        )));
    }
    let hint = match (clauses, is_update) {
        (Some(clauses), _) => Some(format!("it needs {clauses}")),
        (None, true) => Some("make the update atomic, or reduce into a copy of each thread".into()),
        (None, false) => None,
    };
    Ok(Verdict::Wrong { what, hint })
}

/// An input for which a loop of a region computes something else with its directive, if one is found.
///
/// # Errors
///
/// Why it cannot be executed.
pub fn shown(
    tree: &Region,
    directive: &LoopDirective,
    sizes: &BTreeMap<String, i64>,
) -> Result<Option<Counterexample>, String> {
    // What nobody reads behind the loop does not matter there, and what perhaps nobody reads shows nothing.
    let mut compared = tree.clone();
    let nothing = BTreeSet::new();
    let live = if directive.has_jumps { &nothing } else { &directive.live };
    compared.unused_outside.extend(dead(tree, live));
    let truths: Vec<VariableId> = truths(tree, directive).collect();
    set_truths(&mut compared, &truths);
    for sharing in SHARINGS {
        let mut made = applied(tree, directive, sharing)?;
        set_truths(&mut made, &truths);
        let found = counterexample(&compared, &made, sizes, INPUTS, FloatOrder::Free)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// The verdict on a directive that leaves one variable for all threads which every iteration changes.
fn shared(directive: &LoopDirective) -> Option<Verdict> {
    let of_openmp = &directive.directive;
    // Lanes and devices have rules of their own.
    let is_of_threads = of_openmp.is("parallel") && !of_openmp.is("target");
    let has_copies = |name: &str| {
        of_openmp
            .clauses
            .iter()
            .any(|clause| COPIES.contains(&&*clause.name) && clause.variables().any(|other| other == name))
    };
    let is_one = |name: &str| {
        !has_copies(name) && !directive.own.contains(name) && !directive.ambiguous.contains(name)
    };
    let has_default =
        of_openmp.clauses_of("default").any(|clause| clause.variables().any(|item| item.contains("private")));
    let (name, line) =
        directive.always.iter().find(|(name, _)| is_of_threads && !has_default && is_one(name))?;
    let what =
        format!("every iteration changes `{name}` (line {line}), of which there is one for all threads");
    Some(Verdict::Wrong { what, hint: None })
}

/// Where a loop is left before its condition does not hold.
fn left_early(tree: &Region, directive: &LoopDirective) -> Option<Position> {
    let looped = loops(&tree.body).find(|looped| looped.at == directive.at)?;
    let leaves = |node: &Node| match node {
        Node::Break(at) => Some(*at),
        _ => None,
    };
    let shared = shared_loops(looped, directive.directive.collapsed()?)?;
    shared.into_iter().find_map(|looped| walk_iteration(&looped.body).find_map(leaves))
}

/// What has to be true for a proof to hold.
fn conditions(tree: &Region) -> Vec<String> {
    let mut all: Vec<String> =
        tree.assumed.iter().map(|condition| format!("`{}`", c::value(tree, condition))).collect();
    all.extend(tree.overlaps.iter().map(|(first, second)| match first == second {
        true => format!("the rows of `{first}` do not overlap"),
        false => format!("`{first}` and `{second}` do not overlap"),
    }));
    all
}
