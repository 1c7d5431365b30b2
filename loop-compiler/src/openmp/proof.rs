//! Whether a loop with a directive computes what it does without, whatever the threads do: from its class.

use std::collections::{BTreeMap, BTreeSet};

use super::applied::{Clauses, Copies, dead, shared_loops};
use crate::{
    analysis::{
        AnalysisError, Classified, Detection, Options,
        classes::{Class, LoopClass},
        program::Program,
    },
    c::LoopDirective,
    ir::{Loop, LoopId, Node, ReductionOperator, Region, Storage, Store, VariableId, loops, walk},
};

/// What is found of a loop.
pub(super) struct Proof {
    /// Why it is not proved, if it is not.
    pub missing: Option<String>,
    /// Whether the dependence that keeps the order is one of values that are overwritten after they are read.
    pub is_anti: bool,
    /// Whether it is a reduction that no clause names.
    pub is_update: bool,
    /// Clauses with which it is parallel, if there are any.
    pub clauses: Option<String>,
}

/// Looks for a proof.
///
/// # Errors
///
/// If isl is missing.
pub(super) fn proof(
    region: &Region,
    directive: &LoopDirective,
    options: &Options,
) -> Result<Proof, AnalysisError> {
    let unknown =
        |missing: String| Proof { missing: Some(missing), is_anti: false, is_update: false, clauses: None };
    let loops: Vec<LoopId> = loops(&region.body)
        .filter(|looped| looped.at == directive.at)
        .flat_map(|looped| shared_loops(looped, directive.directive.collapsed().unwrap_or(1)))
        .flatten()
        .map(|looped| looped.id)
        .collect();
    let dead: Vec<VariableId> = dead(region, &directive.live).collect();
    let dead_behind = loops.iter().flat_map(|id| dead.iter().map(|variable| (*id, *variable))).collect();
    let region = &Region { dead_behind, ..region.clone() };
    let classified = match Classified::of(region, &options.begun()) {
        Ok(classified) => classified,
        Err(AnalysisError::Rejected(rejection)) => return Ok(unknown(rejection.reason)),
        Err(error) => return Err(error),
    };
    let Detection { program, detected, .. } = &classified.detection;
    let Some(index) = program.loops.iter().position(|facts| facts.node.at == directive.at) else {
        return Ok(unknown("it is not in the loops that are analysed".into()));
    };
    let looped = program.loops[index].node;
    let count = directive.directive.collapsed().unwrap_or(1);
    let Some(shared) = shared_loops(looped, count) else {
        return Ok(unknown("`collapse` joins loops that are not directly inside each other".into()));
    };
    // Loops directly inside each other come one after the other.
    let classes = &classified.classes[index..index + shared.len()];
    let clauses = match Clauses::of(region, directive, looped) {
        Ok(clauses) => clauses,
        Err(reason) => return Ok(unknown(reason)),
    };
    let reducing = |class: &LoopClass, array: usize| -> BTreeSet<ReductionOperator> {
        let groups = detected.reductions.iter().filter(|reduction| class.groups.contains(&reduction.group));
        let of_array = groups.filter(|reduction| {
            reduction.members.iter().any(|member| program.accesses[*member].array == array)
        });
        of_array.map(|reduction| reduction.operator).collect()
    };
    let variable = |array: usize| program.arrays[array].variable;
    let name = |array: usize| region.variable(variable(array)).name.clone();
    let (mut missing, mut is_update) = (Vec::new(), false);
    for (class, looped) in classes.iter().zip(&shared) {
        if matches!(class.class, Class::Scan | Class::Sequential) {
            let obstacle = class.obstacle.as_ref().map(ToString::to_string);
            let reason = obstacle.or_else(|| class.reason.as_ref().map(|(_, reason)| reason.clone()));
            missing.push(format!(
                "loop `{}`: {}",
                region.variable(looped.iterator).name,
                reason.unwrap_or_default()
            ));
        }
        for array in &class.reduced {
            let operators = reducing(class, *array);
            let given = clauses.copies.iter().find(|(other, ..)| *other == variable(*array));
            let is_given = match given {
                Some((_, Copies::Reduced(operator), _)) => {
                    operators.iter().all(|one| is_same(*one, *operator))
                }
                Some(_) => false,
                None => is_atomic(looped, variable(*array)),
            };
            if !is_given {
                let operator = operators.first().map(ToString::to_string).unwrap_or_default();
                is_update |= missing.is_empty();
                missing.push(format!(
                    "a `{operator}` reduction into `{}` that no clause names",
                    program.arrays[*array].name
                ));
            }
        }
        for array in &class.privatized {
            let given = clauses.copies.iter().find(|(other, ..)| *other == variable(*array));
            let name = name(*array);
            let kept = class.kept.get(array);
            match given {
                Some((_, Copies::Private | Copies::First, keeps_last)) => match kept {
                    _ if class.uncovered.contains(array) => {
                        missing.push(format!("an iteration may read a `{name}` that it has not set"));
                    }
                    Some(true) if *keeps_last => {}
                    Some(_) => {
                        missing.push(format!("the last value of `{name}`, which is used after the loop"))
                    }
                    None => {}
                },
                _ => missing.push(format!("a private `{name}`")),
            }
        }
    }
    // What has copies and needs none.
    let needs = |variable: VariableId| {
        let mut all = classes.iter().flat_map(|class| class.reduced.iter().chain(&class.privatized));
        all.any(|array| program.arrays[*array].variable == variable)
    };
    for (id, copies, _) in clauses.copies.iter().filter(|(id, ..)| !needs(*id)) {
        let read = program
            .accesses
            .iter()
            .any(|access| access.around.contains(&index) && access.reference.variable == *id);
        let written = walk(&looped.body).flat_map(Node::changed).any(|changed| changed == *id);
        let is_iterator = walk(&looped.body).filter_map(Node::as_loop).any(|inner| inner.iterator == *id);
        if !is_iterator && (read || written) && (written || *copies != Copies::First) {
            missing.push(format!("copies of `{}` without a value from before", region.variable(*id).name));
        }
    }
    let inner = walk(&looped.body).filter_map(Node::as_loop).skip(shared.len() - 1);
    let is_shared =
        |inner: &&Loop| !inner.declares && region.variable(inner.iterator).storage != Storage::Region;
    let iterators: BTreeSet<VariableId> = inner.filter(is_shared).map(|inner| inner.iterator).collect();
    for iterator in iterators.iter().filter(|iterator| !clauses.has(**iterator)) {
        missing.push(format!("a private `{}`", region.variable(*iterator).name));
    }
    // Iterators, of which threads have their own.
    for inner in walk(&looped.body).filter_map(Node::as_loop).chain(shared.iter().copied()) {
        let name = &region.variable(inner.iterator).name;
        let keeps_last =
            clauses.copies.iter().any(|(id, _, keeps_last)| *id == inner.iterator && *keeps_last);
        if !inner.declares && directive.live.contains(name) && !keeps_last {
            missing.push(format!("the last value of `{name}`, which is used after the loop"));
        }
    }
    // What the loop changes and has one of.
    for changed in &directive.changed {
        let id = region.variables.iter().position(|variable| variable.name == *changed).map(VariableId);
        let is_known = id.is_some_and(|id| clauses.has(id) || is_atomic(looped, id));
        if !is_known && missing.is_empty() {
            missing.push(format!("all threads set one `{changed}`"));
        }
    }
    let obstacle = classes.iter().find_map(|class| class.obstacle.as_ref());
    Ok(Proof {
        missing: missing.into_iter().next(),
        is_update,
        is_anti: obstacle.is_some_and(|obstacle| obstacle.kind == "anti"),
        clauses: needed(program, classes, &iterators, &reducing),
    })
}

/// Whether all that a loop does with a variable are atomic updates.
fn is_atomic(looped: &Loop, variable: VariableId) -> bool {
    let mut changes = 0;
    let all = walk(&looped.body).all(|node| match node {
        Node::Statement(statement) if statement.target.variable == variable => {
            changes += 1;
            let reads = statement.value.reads();
            matches!(statement.store, Store::Reduce { .. })
                && !reads.iter().any(|read| read.variable == variable)
        }
        node => !node.reads().iter().any(|read| read.variable == variable),
    });
    all && changes > 0
}

fn is_same(found: ReductionOperator, given: ReductionOperator) -> bool {
    use ReductionOperator as R;
    found == given || matches!((found, given), (R::LeastNumber, R::Minimum) | (R::GreatestNumber, R::Maximum))
}

/// The clauses with which loops are parallel, with private iterators of loops inside; none if they are not, or if no clause of
/// OpenMP says it.
fn needed(
    program: &Program<'_>,
    classes: &[LoopClass],
    iterators: &BTreeSet<VariableId>,
    reducing: &dyn Fn(&LoopClass, usize) -> BTreeSet<ReductionOperator>,
) -> Option<String> {
    use ReductionOperator as R;
    let name = |variable: VariableId| program.region.variable(variable).name.clone();
    let mut clauses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut add = |clause: &str, name: String| clauses.entry(clause.to_owned()).or_default().insert(name);
    for iterator in iterators {
        add("private(", name(*iterator));
    }
    for class in classes {
        if matches!(class.class, Class::Scan | Class::Sequential) {
            return None;
        }
        for array in &class.reduced {
            let operators: Vec<R> = reducing(class, *array).into_iter().collect();
            let variable = program.arrays[*array].variable;
            let operator = match operators[..] {
                _ if !program.region.variable(variable).extents.is_empty() => return None,
                [R::LeastNumber] => R::Minimum,
                [R::GreatestNumber] => R::Maximum,
                [R::First | R::Last | R::ArgMin | R::ArgMax] => return None,
                [operator] => operator,
                _ => return None,
            };
            add(&format!("reduction({operator}: "), name(variable));
        }
        for array in &class.privatized {
            let kept = class.kept.get(array);
            let clause = match (class.uncovered.contains(array), kept) {
                (false, None) => "private(",
                (false, Some(true)) => "lastprivate(",
                _ => return None,
            };
            add(clause, name(program.arrays[*array].variable));
        }
    }
    let clause = |(clause, names): (String, BTreeSet<String>)| {
        format!("{clause}{})", names.into_iter().collect::<Vec<_>>().join(", "))
    };
    let all: Vec<String> = clauses.into_iter().map(clause).collect();
    (!all.is_empty()).then(|| all.join(" "))
}
