//! Whether the OpenMP directives of a source are right: whether each loop computes with its directive what it computes without.
//!
//! A directive is proved by the dependences of the loop and what its clauses give to threads ([`proof`]), for all inputs and any
//! number of threads. It is wrong if there is an input for which it computes something else: the interpreter executes the loop on
//! small inputs as threads may ([`applied`]), and finds races whether or not they change a result. Otherwise it is not decided.
//!
//! | file | what is in it |
//! |---|---|
//! | `applied` | a region whose loop is executed as the directive says |
//! | `proof` | whether that is the same for all inputs |

mod applied;
mod proof;

use std::collections::BTreeMap;

use self::{
    applied::{Sharing, applied, shared_loops},
    proof::{Proof, proof},
};
use crate::{
    analysis::{AnalysisError, Options, assumed},
    c::{self, LoopDirective, SourceFile},
    check::{Counterexample, counterexample},
    ir::{Aliasing, Node, Position, Region, Storage, Variable, VariableId, loops, walk_iteration},
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

/// The variables of a region that nobody reads behind a loop.
fn dead(tree: &Region, directive: &LoopDirective) -> impl Iterator<Item = VariableId> {
    let is_dead = |variable: &Variable| {
        // What pointers point to is read by others.
        variable.storage == Storage::Local
            && variable.aliasing == Aliasing::Distinct
            && !directive.live.contains(&variable.name)
    };
    (0..tree.variables.len()).map(VariableId).filter(move |id| is_dead(tree.variable(*id)))
}

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
        let tree = around.iter().find_map(|region| {
            let tree = region.tree.as_ref().ok()?;
            loops(&tree.body).any(|looped| looped.at == directive.at).then_some(tree)
        });
        let verdict = match tree {
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
    if let Some(at) = left_early(tree, directive) {
        let what = format!("line {} leaves the loop early, which OpenMP does not allow", at.line);
        return Ok(Verdict::Wrong { what, hint: None });
    }
    let tree = &assumed(tree, options)?;
    let Proof { missing, is_anti, is_update, clauses } = proof(tree, directive, options)?;
    let Some(missing) = missing else { return Ok(Verdict::Proved(conditions(tree))) };
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
    // What nobody reads behind the loop does not matter there.
    let mut compared = tree.clone();
    compared.unused_outside.extend(dead(tree, directive));
    for sharing in SHARINGS {
        let made = match applied(tree, directive.at, directive, sharing) {
            Ok(made) => made,
            Err(reason) => return Ok(Verdict::Undecided(reason)),
        };
        match counterexample(&compared, &made, sizes, INPUTS, FloatOrder::Free) {
            Err(reason) => return Ok(Verdict::Undecided(format!("{missing}; no input shows it: {reason}"))),
            Ok(None) => {}
            Ok(Some(Counterexample { what, depends_on })) => {
                return Ok(match &depends_on[..] {
                    [_, ..] if !is_update => {
                        let names: Vec<String> = depends_on.iter().map(|name| format!("`{name}`")).collect();
                        Verdict::Undecided(format!(
                            "it depends on the values of {}: {what}",
                            names.join(" and ")
                        ))
                    }
                    _ => {
                        let hint = match (clauses, is_update) {
                            (Some(clauses), _) => Some(format!("it needs {clauses}")),
                            (None, true) => {
                                Some("make the update atomic, or reduce into a copy of each thread".into())
                            }
                            (None, false) => None,
                        };
                        Verdict::Wrong { what, hint }
                    }
                });
            }
        }
    }
    Ok(Verdict::Undecided(missing))
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
