//! Loops that are executed by the lanes of a vector.
//!
//! What such a loop reduces into one element is accumulated in a scalar of its own, so that OpenMP's `reduction` clause
//! can name it, and combined with the element after the loop.

use std::{cell::OnceCell, collections::BTreeSet, rc::Rc};

use super::loops::{change, marked};
use crate::{
    analysis::{
        Analysis, AnalysisError, Description,
        affine::Case,
        analysis_of, analyze,
        classes::Class,
        failed,
        program::{Access, Program},
        reduced::{Operators, Step, through_variables},
    },
    cost::policy::{
        BYTES_OF_UNROLLED, FEWEST_IN_ORDER, FEWEST_OF_VECTOR, LANES_OF_SHORT_SUM, LONGEST_STRIDE, SHORT_LOOP,
        UNROLLED_BY_COMPILER, step_of,
    },
    ir::{
        BinaryOperator, Declaration, Expression, ExpressionKind, Hint, If, Loop, LoopId, Mark, Node,
        Position, ReductionOperator, Reference, Region, Simd, Statement, Storage, Store, VariableId,
        arithmetic,
        compare::{conjuncts, same, same_reference, stripped},
        convert, for_each_loop_mut, functions, operators,
        types::Scalar,
        walk,
    },
    isl::{Context, IslError},
    rules::{FloatOrder, Rejection, Rule},
    transform::{
        Setting, first_condition, loop_at,
        privatize::{Counted, combine, not_clamped, trips},
        replace, where_executed,
    },
};

/// The region with the reductions of vectorized loops in scalars.
///
/// # Errors
///
/// If lanes would depend on each other.
pub(super) fn accumulated(region: &Region, setting: Setting<'_>) -> Result<Region, AnalysisError> {
    let mut out = region.clone();
    for index in marked(region, Mark::Vectorize).into_iter().rev() {
        let analysis = analyze(&out, setting.options)?;
        let Description { program, context } = Description::of(&out, setting.options)?;
        let own = of_own_elements(&program, &context, index).map_err(failed(region.at))?;
        let mut made = out.clone();
        let nodes =
            lanes(&mut made, index, &analysis, &own, setting.order).map_err(AnalysisError::Rejected)?;
        out = made;
        replace(&mut out, index, nodes);
    }
    Ok(out)
}

/// The region with those innermost loops vectorized whose lanes access the same element or neighbours, and which compilers
/// leave: in all nests those that sum floats, if these may be in any order, and in parallel nests all, as what is in a function
/// of its own for several threads has lost its `restrict`. Sums of floats may read with short strides, unless the loop directly
/// around has its iterations in lanes: `rows` are such loops. The loops `kept` stay as they are, and
/// so do loops that cannot be vectorized.
///
/// # Errors
///
/// If isl is missing, or the region is too complex.
pub(crate) fn vectorized(
    region: &Region,
    kept: &BTreeSet<LoopId>,
    rows: &BTreeSet<LoopId>,
    setting: Setting<'_>,
    known: &OnceCell<Analysis>,
) -> Result<Region, AnalysisError> {
    let mut out = region.clone();
    let Description { program, context } = Description::of(region, setting.options)?;
    let loops = &program.loops;
    let is_parallel = |index: usize| {
        let outermost = loops[index].around.first().copied().unwrap_or(index);
        (0..loops.len()).any(|other| {
            loops[other].node.parallel
                && (other == outermost || loops[other].around.first() == Some(&outermost))
        })
    };
    let is_free = setting.order == FloatOrder::Free;
    let is_in_rows =
        |index: usize| loops[index].around.last().is_some_and(|outer| rows.contains(&loops[*outer].node.id));
    let found: Vec<usize> = (0..loops.len())
        .filter(|index| {
            let node = loops[*index].node;
            node.attributes.is_empty()
                && !kept.contains(&node.id)
                && !is_in_registers(&program, *index)
                && (is_free || is_parallel(*index))
                && (has_neighbours(&program, *index)
                    || is_free && !is_in_rows(*index) && sums_with_strides(&program, *index))
        })
        .collect();
    if found.is_empty() {
        return Ok(out);
    }
    let analysis = analysis_of(region, setting.options, known)?;
    // Compilers reorder integers themselves, and of minima and maxima of floats they make no vectors.
    let is_of_use = |index: usize| {
        let mut carried = analysis.statements.iter().filter(|report| report.carried_by.contains(&index));
        let is_limit = |at: Position| {
            let is_extreme =
                |report: &crate::StatementReport| report.reduction.is_some_and(ReductionOperator::is_extreme);
            carried.clone().any(|report| report.at == at && is_extreme(report))
        };
        let inside = program.accesses.iter().filter(|access| access.around.last() == Some(&index));
        let mut stores = inside.filter(|access| access.write && access.reference.scalar.is_float());
        if stores.any(|access| is_limit(program.statements[access.statement].at)) {
            return false;
        }
        let branches = loops[index].node.body.iter().any(|node| matches!(node, Node::If(_)));
        let is_near = has_neighbours(&program, index);
        is_near && is_parallel(index) && analysis.loops[index].class == Class::Parallel && !branches
            || carried.any(|report| report.depends_on_order)
    };
    // Of a sum of so many elements of 4 bytes or more clang 22 would make as many scalar additions: of integers for AVX-512
    // only, up to seventeen times slower than vectors; of floats always, and vectors of all lanes leave many elements over.
    // Of other short loops it would make lanes of the iterations around them, which gather their elements one by one.
    let is_unrolled = |index: usize| {
        let mut accesses = program.accesses.iter().filter(|access| access.around.last() == Some(&index));
        let trips = known_trips(loops[index].node);
        match analysis.loops[index].class {
            Class::Reduction => {
                trips.is_some_and(|trips| UNROLLED_BY_COMPILER.contains(&trips))
                    && accesses.all(|access| access.reference.scalar.size() >= BYTES_OF_UNROLLED)
            }
            Class::Parallel => {
                is_parallel(index)
                    && is_of_use(index)
                    && trips.is_some_and(|trips| SHORT_LOOP.contains(&trips))
            }
            _ => false,
        }
    };
    for index in found.into_iter().rev() {
        let mut made = out.clone();
        let mut nodes = None;
        if is_of_use(index) {
            let own = of_own_elements(&program, &context, index).map_err(failed(region.at))?;
            nodes = lanes(&mut made, index, analysis, &own, setting.order).ok();
        }
        let with_directive = nodes.is_some();
        if let Some(mut nodes) = nodes {
            for one in &mut nodes {
                if let Node::Loop(looped) = one {
                    looped.attributes.marks.insert(Mark::Vectorize);
                }
            }
            if !is_parallel(index) {
                nodes = where_many(nodes, loops[index].node);
            }
            replace(&mut made, index, nodes);
            out = made;
        }
        let hint = match is_of_use(index) {
            true if with_directive => Hint::NotUnrolled,
            true => continue,
            false if !is_parallel(index) => continue,
            false => Hint::NotUnrolledForAvx512,
        };
        if is_unrolled(index) {
            change(&mut out, index, |looped| looped.attributes.hints.push(hint));
        }
    }
    Ok(out)
}

/// What is made of a loop with lanes, where it has [enough iterations](FEWEST_IN_ORDER) for them; the loop as it is otherwise.
pub(crate) fn where_many(nodes: Vec<Node>, looped: &Loop) -> Vec<Node> {
    let Some(trips) = trips(looped).filter(|_| known_trips(looped).is_none()) else { return nodes };
    let fewest = arithmetic::number(FEWEST_IN_ORDER);
    let condition = arithmetic::compare(BinaryOperator::GreaterEqual, not_clamped(&trips).clone(), fewest);
    let otherwise = vec![Node::Loop(looped.clone())];
    vec![Node::If(If { condition, then: nodes, otherwise, at: looped.at })]
}

/// Whether a loop accesses an array that the region declares and is [short](SHORT_LOOP): unrolled by the compiler as it is, the
/// array lies in registers. (Measured with 20 elements: lanes took 1.8 times as long.)
fn is_in_registers(program: &Program<'_>, index: usize) -> bool {
    let is_local = |access: &Access<'_>| {
        let variable = program.region.variable(access.reference.variable);
        variable.storage == Storage::Region && !variable.extents.is_empty()
    };
    known_trips(program.loops[index].node).is_some_and(|trips| trips <= *SHORT_LOOP.end())
        && program.accesses.iter().any(|access| access.around.last() == Some(&index) && is_local(access))
}

/// Lanes for sums of floats with so many iterations, measured with SSE2, AVX2 and AVX-512: the widest vectors are several
/// accumulators of all lanes, for which there are too few iterations.
fn lanes_of_short(trips: i128) -> u32 {
    step_of(&LANES_OF_SHORT_SUM, trips).unwrap_or(1)
}

/// The iterations of a loop, if their number is known.
fn known_trips(node: &Loop) -> Option<i128> {
    trips(node).and_then(|trips| arithmetic::constant(&trips))
}

/// Iterations of a loop at most, if its bounds are that far apart whatever else is in them: as of a band of a matrix, from
/// `max(0, i - 2)` to `min(n, i + 3)`.
fn most_trips(node: &Loop) -> Option<i128> {
    let counted = Counted::of(node).filter(|counted| !counted.down)?;
    let step = arithmetic::constant(&counted.step)?;
    let (mut ends, mut lowers) = (Vec::new(), Vec::new());
    alternatives(&counted.end, &mut ends);
    alternatives(&counted.lower, &mut lowers);
    let distances = ends.iter().flat_map(|end| lowers.iter().filter_map(|lower| distance(end, lower)));
    distances.min().map(|most| (most + step - 1) / step)
}

/// Those of which a value is the least or the greatest.
fn alternatives<'e>(value: &'e Expression, found: &mut Vec<&'e Expression>) {
    let value = stripped(value);
    if let ExpressionKind::Select(condition, then, otherwise) = &value.kind
        && let ExpressionKind::Binary(operator, left, right) = &stripped(condition).kind
        && operator.is_comparison()
        && [left, right].iter().all(|side| [then, otherwise].iter().any(|one| same(side, one, None)))
    {
        alternatives(then, found);
        alternatives(otherwise, found);
    } else {
        found.push(value);
    }
}

/// How much greater a value is than another one, where both are the same but for a constant.
fn distance(value: &Expression, other: &Expression) -> Option<i128> {
    fn split(value: &Expression) -> (Option<&Expression>, i128) {
        use BinaryOperator::{Add, Subtract};
        let value = stripped(value);
        if let Some(constant) = arithmetic::constant(value) {
            return (None, constant);
        }
        let ExpressionKind::Binary(operator @ (Add | Subtract), left, right) = &value.kind else {
            return (Some(value), 0);
        };
        match arithmetic::constant(right) {
            Some(constant) => {
                let (base, own) = split(left);
                (base, if *operator == Add { own + constant } else { own - constant })
            }
            None => (Some(value), 0),
        }
    }
    match (split(value), split(other)) {
        ((None, value), (None, other)) => Some(value - other),
        ((Some(base), value), (Some(of), other)) if same(base, of, None) => Some(value - other),
        _ => None,
    }
}

/// Whether lanes access the same elements or neighbours, and compute what processors have instructions for.
fn has_neighbours(program: &Program<'_>, index: usize) -> bool {
    // Elements of an array in a structure are neighbours, members of structures in an array are not.
    let is_element =
        |access: &Access<'_>| matches!(access.reference.path.last(), None | Some(crate::ir::Step::Index(_)));
    has_form_of_lanes(program, index, |access| {
        let moves = moves(access, index);
        let Some((last, others)) = moves.split_last() else { return is_element(access) };
        is_element(access) && matches!(last, Some(-1..=1)) && others.iter().all(|moves| *moves == Some(0))
    })
}

/// Whether lanes store into the same elements, and read elements with short strides. What sums of floats wait for is the addition
/// before, so that lanes gain also where their elements have to be collected.
fn sums_with_strides(program: &Program<'_>, index: usize) -> bool {
    has_form_of_lanes(program, index, |access| {
        let most = if access.write { 0 } else { LONGEST_STRIDE };
        let moves = moves(access, index);
        let mut limits = moves.iter().rev().zip(std::iter::once(most).chain(std::iter::repeat(0)));
        limits.all(|(by, most)| by.is_some_and(|by| by.abs() <= most))
    })
}

/// By how much the subscripts of an access increase with a loop's iterator, if that is known. Unsigned subscripts have several
/// cases, of which one is met.
fn moves(access: &Access<'_>, index: usize) -> Vec<Option<i128>> {
    let of = |subscript: &Option<Vec<Case>>| {
        let mut cases = subscript.iter().flatten().map(|case| case.value.coefficient(index));
        let first = cases.next()?;
        cases.all(|other| other == first).then_some(first)
    };
    access.subscripts.iter().map(of).collect()
}

/// Whether a loop has one condition, as OpenMP's loops have, iterations enough, statements that are instructions, and accesses
/// that lanes can do.
fn has_form_of_lanes(program: &Program<'_>, index: usize, allows: impl Fn(&Access<'_>) -> bool) -> bool {
    let node = program.loops[index].node;
    let few = known_trips(node).or_else(|| most_trips(node)).is_some_and(|trips| trips < FEWEST_OF_VECTOR);
    let mut accesses = program.accesses.iter().filter(|access| access.around.last() == Some(&index));
    let mut conditions = Vec::new();
    conjuncts(&node.condition, &mut conditions);
    conditions.len() == 1
        && !few
        && node.body.iter().all(is_plain)
        && accesses.all(|access| !matches!(access.reference.scalar, Scalar::Complex { .. }) && allows(access))
}

/// Whether a node is computed by instructions without a loop.
pub(crate) fn is_plain(node: &Node) -> bool {
    let is_plain = |one: &Node| match one {
        Node::Declaration(_) => std::ptr::eq(one, node),
        Node::Statement(_) | Node::If(_) => true,
        _ => false,
    };
    walk(std::slice::from_ref(node)).all(|one| is_plain(one) && !one.expressions().into_iter().any(calls))
}

/// Whether a function is called that is no instruction.
pub(crate) fn calls(value: &Expression) -> bool {
    value.walk().any(|value| match &value.kind {
        ExpressionKind::Call(name, _) => {
            !functions::base(name).is_some_and(|(base, _)| INSTRUCTIONS.contains(&base))
        }
        _ => false,
    })
}

/// Functions that are instructions.
const INSTRUCTIONS: [&str; 4] = ["sqrt", "fabs", "fmin", "fmax"];

/// The loop with what it reduces into one element in a scalar of its own, or why lanes would depend on each other.
/// `own` are the statements of [`of_own_elements`].
fn lanes(
    out: &mut Region,
    index: usize,
    analysis: &Analysis,
    own: &BTreeSet<Position>,
    order: FloatOrder,
) -> Result<Vec<Node>, Rejection> {
    let Some(node) = loop_at(out, index).cloned() else { return Ok(Vec::new()) };
    let name = out.variable(node.iterator).name.clone();
    let wrong = |rule: Rule, what: String| {
        let reason = format!("`vectorize({name})` is not possible: {what}");
        Err(Rejection::new(rule, node.at, reason))
    };
    if node.body.iter().any(|node| matches!(node, Node::Loop(_))) {
        return wrong(
            Rule::Schedules,
            "a loop inside it would be executed by each lane; name an innermost loop".into(),
        );
    }
    let found = &analysis.loops[index];
    match found.class {
        Class::Parallel => return Ok(vec![Node::Loop(node.clone())]),
        Class::Reduction => {}
        _ => {
            let (rule, reason) = found.reason.clone().unwrap_or((
                Rule::Liveness,
                format!(
                    "each lane needs its own `{}`; declare it in the loop",
                    found.privatized.join("`, `")
                ),
            ));
            return wrong(rule, found.obstacle.as_ref().map_or(reason, ToString::to_string));
        }
    }
    let mut accumulators: Vec<Accumulator> = Vec::new();
    let mut operators = Operators::new(order);
    for report in analysis.statements.iter().filter(|report| report.carried_by.contains(&index)) {
        operators.extend(report.reduction.map(|operator| (report.at, operator)));
        if report.depends_on_order && order != FloatOrder::Free {
            return wrong(
                Rule::Floats,
                format!("lanes sum `{}` in another order, which --order free allows", report.target),
            );
        }
    }
    let mut body = Vec::new();
    for inner in &through_variables(&node.body, &operators) {
        let is_own = matches!(inner, Node::Statement(statement) if own.contains(&statement.at));
        if is_own || !operators.are_in(inner) {
            body.push(inner.clone());
            continue;
        }
        // Another statement may be at the same place, as a copy of this one.
        let mut left = operators.count_in(inner);
        for step in operators.steps(inner).unwrap_or_default() {
            let invariant = step.target.subscripts().all(|subscript| !varies(subscript, &node));
            let identity = operators::identity(step.operator, step.target.scalar);
            let Some(identity) = identity.filter(|_| invariant) else { continue };
            let exists = step.exists_in(&node.body);
            let same = |other: &&Accumulator| {
                other.operator == step.operator && same_reference(&other.target, &step.target, None)
            };
            let variable = match accumulators.iter().position(|other| same(&other)) {
                Some(known) => {
                    accumulators[known].exists |= exists;
                    accumulators[known].variable
                }
                None => {
                    let variable = accumulator(out, &step);
                    let Step { target, operator, store, at, .. } = step.clone();
                    accumulators.push(Accumulator {
                        variable,
                        operator,
                        target,
                        store,
                        identity,
                        exists,
                        at,
                    });
                    variable
                }
            };
            let scalar = out.variable(variable).scalar;
            let target = Reference { variable, path: Vec::new(), scalar, at: step.at };
            body.push(combine(step.operator, target, convert::convert(step.value, scalar), step.at));
            left = left.saturating_sub(1);
        }
        if left > 0 {
            let form = "a vectorized reduction is a statement of the loop's own, such as `s += x;`, into an element \
                        that stays the same";
            return wrong(Rule::Schedules, form.into());
        }
    }
    let mut nodes = Vec::new();
    for one in &accumulators {
        let scalar = out.variable(one.variable).scalar;
        let value = Some(convert::convert(one.identity.clone(), scalar));
        nodes.push(Node::Declaration(Declaration { variable: one.variable, value, at: one.at }));
    }
    nodes.push(Node::Loop(Loop { body, ..node.clone() }));
    for one in accumulators {
        let scalar = out.variable(one.variable).scalar;
        let value = arithmetic::value_of(one.variable, scalar);
        let value = convert::convert(value, one.target.scalar);
        let is_atomic = matches!(one.store, Store::Reduce { .. });
        let (store, at) = (one.store, one.at);
        let combined = match is_atomic {
            // With its initial value.
            true => Node::Statement(Statement { target: one.target.clone(), store, value, at }),
            false => combine(one.operator, one.target.clone(), value, at),
        };
        let converts = operators::converts(one.operator, one.target.scalar);
        if one.target.path.is_empty() && !converts || is_atomic && one.exists {
            nodes.push(combined);
        } else if one.exists {
            // Without an iteration there may be no such element.
            nodes.extend(where_executed(first_condition(&node), vec![combined], at));
        } else {
            // If no iteration meets the condition, there may be none, either.
            let changes = operators::changes(one.operator, arithmetic::value_of(one.variable, scalar));
            nodes.extend(where_executed(changes, vec![combined], at));
        }
    }
    Ok(nodes)
}

/// A scalar that takes the place of an element.
struct Accumulator {
    variable: VariableId,
    operator: ReductionOperator,
    target: Reference,
    store: Store,
    identity: Expression,
    /// Whether the element exists if the loop has an iteration.
    exists: bool,
    at: Position,
}

/// The statements of an innermost loop, by position, that update another element in each iteration, while others update one
/// that stays the same and lies elsewhere in the array, as in `y[i] += a * x[j]; y[j] += a * x[i];` with `j < i`.
fn of_own_elements(
    program: &Program<'_>,
    context: &Rc<Context>,
    index: usize,
) -> Result<BTreeSet<Position>, IslError> {
    let mut found = BTreeSet::new();
    let moves = |access: &Access<'_>| {
        let subscripts = access.subscripts.iter().map(|subscript| match subscript.as_deref() {
            Some([only]) => Some(only.value.coefficient(index)),
            _ => None,
        });
        let subscripts = subscripts.collect::<Option<Vec<i128>>>()?;
        Some(subscripts.into_iter().any(|coefficient| coefficient != 0))
    };
    for array in program.arrays_changed_in(index) {
        let accesses: Vec<usize> = program.accesses_in(index, array).collect();
        let known: Option<Vec<bool>> =
            accesses.iter().map(|access| moves(&program.accesses[*access])).collect();
        let Some(known) = known.filter(|known| known.contains(&true) && known.contains(&false)) else {
            continue;
        };
        let of = |wanted: bool| {
            let all = accesses.iter().zip(&known).filter(move |(_, moves)| **moves == wanted);
            all.map(|(access, _)| *access).collect::<Vec<usize>>()
        };
        let (moving, staying) = (of(true), of(false));
        let reference = |access: &usize| program.accesses[*access].reference;
        let mut apart =
            moving.iter().all(|access| same_reference(reference(access), reference(&moving[0]), None));
        let same_outside = program.same_iterations(&program.loops[index].around, 'a', 'b');
        for (first, second) in
            moving.iter().flat_map(|first| staying.iter().map(move |second| (*first, *second)))
        {
            apart = apart && program.conflicts(context, (first, second), same_outside.clone())?.is_empty()?;
        }
        if apart {
            let writes = moving.iter().map(|access| &program.accesses[*access]).filter(|access| access.write);
            found.extend(writes.map(|access| program.statements[access.statement].at));
        }
    }
    Ok(found)
}

/// Signed integers are summed in the unsigned type: sums in another order might overflow.
fn accumulator(region: &mut Region, step: &Step) -> VariableId {
    let scalar = match step.store {
        Store::Update { .. } => step.target.scalar.unsigned(),
        _ => step.target.scalar,
    };
    let name = format!("{}_in_lanes", region.variable(step.target.variable).name);
    region.add_scalar(&name, scalar)
}

/// Whether a subscript may differ between a loop's iterations: it uses the iterator, or what the loop writes.
fn varies(subscript: &Expression, node: &Loop) -> bool {
    let written = |variable: VariableId| {
        node.body.iter().any(|inner| match inner {
            Node::Statement(_) | Node::Declaration(_) => inner.changed().any(|changed| changed == variable),
            Node::If(_) => true,
            _ => false,
        })
    };
    subscript.mentions(node.iterator) || subscript.reads().into_iter().any(|read| written(read.variable))
}

/// The region with OpenMP's `simd` on its vectorized loops, and without what else is left of schedules: as code is made
/// of it.
pub fn simd(region: &Region) -> Region {
    let mut out = region.clone();
    for_each_loop_mut(&mut out.body, |looped| {
        let vectorized = looped.attributes.has(Mark::Vectorize) && is_canonical(looped);
        looped.attributes.schedules.clear();
        looped.attributes.marks.clear();
        if vectorized {
            // The clauses of a loop that is parallel, too, are added with those of threads.
            let reductions = if looped.parallel { Vec::new() } else { reduced(&looped.body) };
            let is_short = !reductions.is_empty() && looped.attributes.hints.contains(&Hint::NotUnrolled);
            let lanes = known_trips(looped).filter(|_| is_short).map(lanes_of_short);
            looped.attributes.simd = Some(Simd { lanes, reductions });
            compare_iterator(looped);
        }
    });
    out
}

/// OpenMP wants the iterator itself compared, which C converts as the condition does.
fn compare_iterator(looped: &mut Loop) {
    let ExpressionKind::Binary(_, left, right) = &mut looped.condition.kind else { return };
    for side in [left, right] {
        if let ExpressionKind::Cast(inner) = &side.kind
            && inner.kind == ExpressionKind::Iterator(looped.iterator)
        {
            *side = inner.clone();
        }
    }
}

/// Whether OpenMP takes a loop: its condition compares the iterator with a value.
fn is_canonical(looped: &Loop) -> bool {
    let is_iterator = |side: &Expression| stripped(side).kind == ExpressionKind::Iterator(looped.iterator);
    matches!(&looped.condition.kind, ExpressionKind::Binary(operator, left, right)
        if operator.is_comparison() && (is_iterator(left) || is_iterator(right)))
}

/// The scalars that a loop's statements combine, and how.
fn reduced(body: &[Node]) -> Vec<(VariableId, ReductionOperator)> {
    let mut found = Vec::new();
    let mut declared = Vec::new();
    for node in body {
        match node {
            Node::Declaration(declaration) => declared.push(declaration.variable),
            Node::Statement(statement) if statement.target.path.is_empty() => {
                let one = operator(statement).map(|operator| (statement.target.variable, operator));
                found.extend(one.filter(|(variable, _)| !declared.contains(variable)));
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The operator of a statement that [`combine`] has made.
fn operator(statement: &Statement) -> Option<ReductionOperator> {
    let of = |operator: BinaryOperator| ReductionOperator::from_name(operator.symbol());
    match (&statement.store, &statement.value.kind) {
        (Store::Update { operator, .. }, _) => of(*operator),
        (Store::Reduce { operator, .. }, _) => Some(*operator),
        (Store::Assign, ExpressionKind::Select(condition, ..)) => match &condition.kind {
            ExpressionKind::Binary(BinaryOperator::Less, ..) => Some(ReductionOperator::Minimum),
            ExpressionKind::Binary(BinaryOperator::Greater, ..) => Some(ReductionOperator::Maximum),
            _ => None,
        },
        (Store::Assign, ExpressionKind::Binary(operator, ..)) => of(*operator),
        (Store::Assign, ExpressionKind::Call(name, _)) => {
            functions::base(name).and_then(|(base, _)| ReductionOperator::from_name(base))
        }
        _ => None,
    }
}
