//! Innermost reductions of a team's threads on a GPU: which elements each thread has, and when the threads are combined.
//!
//! `VectorAccumulator` gives each thread of a team accumulators of its own, which the team's `reduction` clause combines once
//! a row. A thread loads 16 bytes at a time: what stands before the first element that is aligned so, and behind the last
//! whole group, is accumulated one element at a time. `InnerReduction` combines so many elements at each step.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    lanes::{
        Moves, array, array_declared, assign, chunks, declared, each, element, iterated, movement, read,
    },
    plan::is_innermost,
};
use crate::{
    c::{ELEMENTS_TO_ALIGNMENT, reductions_of},
    cost::policy::{BYTES_OF_LOAD, LOADS_IN_FLIGHT},
    ir::{
        BinaryOperator, Expression, ExpressionKind, Hint, Loop, LoopAttributes, LoopId, Node, Position,
        Reference, Region, Strategy, Variable, VariableId,
        arithmetic::{add, and, compare, constant, divide, least, multiply, number, subtract, value_of},
        compare::same_reference,
        convert, map_expressions, operators,
        types::Scalar,
        walk,
    },
    transform::{
        has_break, in_expression,
        privatize::{Counted, combine},
        renamed,
        schedule::Mark,
        substituted, uses,
    },
};

/// How the threads of teams execute their innermost reductions, by loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct OfTeams(BTreeMap<LoopId, Division>);

/// How a team's threads divide a loop.
#[derive(Clone, Copy, Debug)]
struct Division {
    strategy: Strategy,
    /// Iterations that are assumed for the choice.
    iterations: f64,
}

impl OfTeams {
    /// Divides a loop, of about so many iterations; `InnerParallel` leaves it to one thread.
    pub fn insert(&mut self, id: LoopId, strategy: Strategy, iterations: f64) {
        self.0.insert(id, Division { strategy, iterations });
    }

    /// Divides the loops of others so, too.
    pub fn extend(&mut self, others: OfTeams) {
        self.0.extend(others.0);
    }

    /// A region with kernels, in which the loops of teams' threads are divided so.
    pub fn apply(&self, region: &Region) -> Region {
        let mut out = region.clone();
        if !self.0.is_empty() {
            let body = std::mem::take(&mut out.body);
            out.body = self.nodes(&mut out, body, false);
        }
        out
    }

    fn nodes(&self, region: &mut Region, nodes: Vec<Node>, in_kernel: bool) -> Vec<Node> {
        let one = |node: Node| {
            let is_inside = in_kernel || node.is_parallel();
            let divided = node.as_loop().and_then(|looped| {
                // Another nest may have the same loop around others.
                let is_divided = in_kernel && looped.parallel && is_innermost(looped);
                let division = self.0.get(&looped.id).filter(|_| is_divided);
                division.and_then(|division| divided(region, looped, *division))
            });
            divided.unwrap_or_else(|| node.map_bodies(|body| self.nodes(region, body, is_inside)))
        };
        nodes.into_iter().map(one).collect()
    }
}

/// A loop of a team's threads with its iterations divided; `None` if their number has no simple form.
fn divided(region: &mut Region, looped: &Loop, division: Division) -> Option<Node> {
    if has_break(&looped.body) {
        return None;
    }
    let counted = Counted::of(looped)?;
    match division.strategy {
        Strategy::InnerParallel { .. } => None,
        Strategy::InnerReduction { lanes, .. } => by_steps(region, looped, &counted, i128::from(lanes)),
        Strategy::VectorAccumulator { lanes, .. } => {
            let most = (division.iterations / f64::from(lanes)).max(1.0) as usize;
            Some(in_threads(region, looped, &counted, i128::from(lanes), most))
        }
    }
}

/// A loop over the threads of a team.
fn over_threads(lane: VariableId, count: i128, body: Vec<Node>, at: Position) -> Node {
    match each(lane, count, LoopAttributes::of_mark(Mark::Lanes), body, at) {
        Node::Loop(made) => Node::Loop(Loop { parallel: true, ..made }),
        other => other,
    }
}

/// The body of a loop for the iteration of a number, from 0.
fn iteration(
    region: &Region,
    looped: &Loop,
    counted: &Counted,
    place: Expression,
    body: Vec<Node>,
) -> Vec<Node> {
    if !uses(&body, looped.iterator) {
        return body;
    }
    let scalar = region.variable(looped.iterator).scalar;
    let value = add(counted.lower.clone(), multiply(place, counted.step.clone()));
    let iterator = declared(looped.iterator, convert::convert(value, scalar), looped.at);
    let body = substituted(&body, looped.iterator, &value_of(looped.iterator, scalar));
    std::iter::once(iterator).chain(body).collect()
}

/// So many iterations at each step, which the threads combine.
fn by_steps(region: &mut Region, looped: &Loop, counted: &Counted, lanes: i128) -> Option<Node> {
    let at = looped.at;
    let name = region.variable(looped.iterator).name.clone();
    let first = region.add_scalar(&format!("{name}_of_lane_0"), Scalar::LONG);
    let lane = region.add_scalar("lane", Scalar::INT);
    let mut body = looped.body.clone();
    let (mut begins, mut ends) = (Vec::new(), Vec::new());
    for (total, operator) in reductions_of(looped) {
        let of_total = region.variable(total).clone();
        let (name, scalar) = (format!("{}_of_step", of_total.name), of_total.scalar);
        let of_step = region.add(Variable { name: region.unused_name(&name), ..of_total });
        begins.push(declared(of_step, operators::identity(operator, scalar)?, at));
        body = renamed(&body, total, of_step);
        let target = element(total, Vec::new(), scalar, at);
        ends.push(combine(operator, target, value_of(of_step, scalar), at));
    }
    let trips = counted.trips(&[]);
    let place = add(iterated(first, Scalar::LONG), iterated(lane, Scalar::INT));
    let condition = compare(BinaryOperator::Less, place.clone(), trips.clone());
    let then = iteration(region, looped, counted, place, body);
    let of_thread = vec![Node::guarded(condition, then, at)];
    let threads = over_threads(lane, lanes, of_thread, at);
    let steps = begins.into_iter().chain([threads]).chain(ends).collect();
    Some(chunks(first, Scalar::LONG, (&number(0), &trips), lanes, steps, at))
}

/// Accumulators of each thread, which loads at most so many elements at a time.
fn in_threads(region: &mut Region, looped: &Loop, counted: &Counted, lanes: i128, most: usize) -> Node {
    let at = looped.at;
    let name = region.variable(looped.iterator).name.clone();
    let new = |region: &mut Region, what: &str| region.add_scalar(&format!("{name}_{what}"), Scalar::LONG);
    let long = |id: VariableId| value_of(id, Scalar::LONG);
    let trips = new(region, "trips");
    let left = new(region, "left");
    let groups = Groups::of(region, looped, counted, most);
    let mut body = vec![declared(trips, counted.trips(&[]), at)];
    let lane = region.add_scalar("lane", Scalar::INT);
    let by_threads = |iterator: VariableId, first: Expression, end: Expression, by: i128, body: Vec<Node>| {
        chunks(iterator, Scalar::LONG, (&first, &end), by, body, at)
    };
    let in_flight = |node: Node| match node {
        Node::Loop(made) => {
            Node::Loop(Loop { attributes: LoopAttributes::of_hint(Hint::Unrolled(LOADS_IN_FLIGHT)), ..made })
        }
        other => other,
    };
    let lane_value = || iterated(lane, Scalar::INT);
    match groups {
        None => {
            let one = iteration(region, looped, counted, iterated(left, Scalar::LONG), looped.body.clone());
            body.push(in_flight(by_threads(left, lane_value(), long(trips), lanes, one)));
        }
        Some(groups) => {
            let [head, behind, group] = ["head", "behind", "group"].map(|what| new(region, what));
            let count = groups.count as i128;
            body.extend(groups.heads.iter().map(|(_, own)| own.clone()));
            body.push(declared(head, groups.head(long(trips)), at));
            let whole = multiply(divide(subtract(long(trips), long(head)), number(count)), number(count));
            body.push(declared(behind, add(long(head), whole), at));
            let element = region.add_scalar("element", Scalar::INT);
            let loads = groups.loads(region, looped, counted, iterated(group, Scalar::LONG), element);
            let place = add(iterated(group, Scalar::LONG), iterated(element, Scalar::INT));
            let own = groups.replaced(&looped.body, element);
            let own = iteration(region, looped, counted, place, own);
            let elements =
                each(element, count, LoopAttributes::of_hint(Hint::Unrolled(groups.count as u32)), own, at);
            let inside = loads.into_iter().chain([elements]).collect();
            let first = add(long(head), multiply(number(count), lane_value()));
            body.push(in_flight(by_threads(group, first, long(behind), count * lanes, inside)));
            // The elements before and behind the groups; of several arrays that may be all.
            let in_groups = subtract(long(behind), long(head));
            let place = convert::select(
                compare(BinaryOperator::Less, iterated(left, Scalar::LONG), long(head)),
                iterated(left, Scalar::LONG),
                add(iterated(left, Scalar::LONG), in_groups.clone()),
            );
            let one = iteration(region, looped, counted, place, looped.body.clone());
            let others = by_threads(left, lane_value(), subtract(long(trips), in_groups), lanes, one);
            body.push(if groups.reads.len() > 1 { in_flight(others) } else { others });
        }
    }
    over_threads(lane, lanes, body, at)
}

/// Neighbouring elements that a thread loads at once.
struct Groups {
    /// What is read: an element of each array, and the array that holds a group.
    reads: Vec<(Reference, VariableId)>,
    /// How many elements are before the first aligned one, for each array.
    heads: Vec<(VariableId, Node)>,
    /// Elements of a group.
    count: usize,
}

impl Groups {
    /// The arrays of which a loop reads one element after the other in each iteration, so that groups of at most so many can
    /// be loaded.
    fn of(region: &mut Region, looped: &Loop, counted: &Counted, most: usize) -> Option<Groups> {
        if constant(&counted.step) != Some(1) {
            return None;
        }
        let changed: BTreeSet<VariableId> = walk(&looped.body).flat_map(Node::changed).collect();
        let mut found: Vec<Reference> = Vec::new();
        for read in always_read(&looped.body) {
            let size = read.scalar.size();
            let is_free = !read.subscripts().flat_map(Expression::variables).any(|id| changed.contains(&id));
            let is_loaded = movement(read, looped.iterator) == Moves::ByOne
                && (size.is_power_of_two() && size < BYTES_OF_LOAD)
                && !changed.contains(&read.variable)
                && is_free;
            if is_loaded && !found.iter().any(|other| same_reference(other, read, None)) {
                found.push(read.clone());
            }
        }
        let largest = found.iter().map(|read| read.scalar.size()).max()?;
        let most = (BYTES_OF_LOAD / largest).min(most);
        let count = if most.is_power_of_two() { most } else { most.next_power_of_two() / 2 };
        if count < 2 {
            return None;
        }
        let (mut reads, mut heads) = (Vec::new(), Vec::new());
        for read in found {
            let name = region.variable(read.variable).name.clone();
            let own = array(region, &format!("{name}_group"), read.scalar, &[count as i128]);
            let head = region.add_scalar(&format!("{name}_head"), Scalar::LONG);
            let bytes = (count * read.scalar.size()) as i128;
            let first = at_place(&read, looped, counted, number(0), region);
            let arguments =
                vec![Expression { scalar: read.scalar, kind: ExpressionKind::Read(first) }, number(bytes)];
            let kind = ExpressionKind::Call(ELEMENTS_TO_ALIGNMENT.into(), arguments);
            heads.push((head, declared(head, Expression { kind, scalar: Scalar::LONG }, looped.at)));
            reads.push((read, own));
        }
        Some(Groups { reads, heads, count })
    }

    /// How many elements are before the first group: all, if there is no element at which all arrays are aligned.
    fn head(&self, trips: Expression) -> Expression {
        let own = |index: usize| value_of(self.heads[index].0, Scalar::LONG);
        let are_equal = (1..self.heads.len())
            .map(|index| compare(BinaryOperator::Equal, own(index), own(0)))
            .fold(None, |all, one| and(all, Some(one)));
        let head = least(own(0), trips.clone());
        match are_equal {
            None => head,
            Some(are_equal) => convert::select(are_equal, head, trips),
        }
    }

    /// The loads of the group that begins with an iteration.
    fn loads(
        &self,
        region: &Region,
        looped: &Loop,
        counted: &Counted,
        group: Expression,
        lane: VariableId,
    ) -> Vec<Node> {
        let of_array = |(reference, own): &(Reference, VariableId)| {
            let place = add(group.clone(), iterated(lane, Scalar::INT));
            let from = at_place(reference, looped, counted, place, region);
            let to = element(*own, vec![iterated(lane, Scalar::INT)], reference.scalar, looped.at);
            let body = vec![assign(&to, read(&from))];
            let load = each(lane, self.count as i128, LoopAttributes::of_mark(Mark::Lanes), body, looped.at);
            [array_declared(*own, looped.at), load]
        };
        self.reads.iter().flat_map(of_array).collect()
    }

    /// Nodes that read the elements of a group from the arrays that hold it.
    fn replaced(&self, nodes: &[Node], lane: VariableId) -> Vec<Node> {
        map_expressions(nodes, |value| self.replaced_in(value, lane))
    }

    fn replaced_in(&self, value: &Expression, lane: VariableId) -> Expression {
        if let ExpressionKind::Read(reference) = &value.kind
            && let Some((_, own)) =
                self.reads.iter().find(|(other, _)| same_reference(other, reference, None))
        {
            return read(&element(*own, vec![iterated(lane, Scalar::INT)], reference.scalar, reference.at));
        }
        value.map_operands(|operand| self.replaced_in(operand, lane))
    }
}

/// The element that a loop reads in the iteration of a number.
fn at_place(
    reference: &Reference,
    looped: &Loop,
    counted: &Counted,
    place: Expression,
    region: &Region,
) -> Reference {
    let value = match region.variable(looped.iterator).scalar {
        // A wider subscript is the same, and compilers know that it does not wrap.
        Scalar::Integer { signed: true, .. } => add(counted.lower.clone(), place),
        scalar => convert::convert(add(counted.lower.clone(), place), scalar),
    };
    reference.map_subscripts(|subscript| in_expression(subscript, looped.iterator, &value))
}

/// What nodes read whichever branches they take: other elements may not exist.
fn always_read(nodes: &[Node]) -> impl Iterator<Item = &Reference> {
    let executed = nodes.iter().filter(|node| !matches!(node, Node::Loop(_)));
    executed.flat_map(Node::expressions).flat_map(Expression::first_reads)
}
