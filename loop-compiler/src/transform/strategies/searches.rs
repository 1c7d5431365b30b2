//! Searches of innermost loops in the lanes of a vector: the least or greatest value and what belongs to it.
//!
//! Compilers execute `if (a[i] < low) { low = a[i]; at = i; }` one element after the other, each of which waits for the
//! comparison before (clang 22 does not vectorize it). Here each lane searches every so many elements, which are `omp
//! simd`, and remembers the iteration; of the lanes with the best value the least iteration has found it first, as in the
//! order of the program. What is stored is then computed for that iteration. The rest of the iterations follows in order.

use super::lanes::{
    Moves, array, array_declared, assign, chunks, declared, each, element, iterated, moved, movement, read,
};
use crate::{
    cost::policy::{BYTES_OF_LANES, ITERATIONS_OF_SEARCH_LANE, LANES_OF_SEARCH},
    ir::{
        Aliasing, BinaryOperator, Declaration, Expression, ExpressionKind, Loop, LoopAttributes, Node,
        Reference, Region, Statement, Store, VariableId,
        arithmetic::{add, and, compare, constant, divide, long, multiply, number, value_of},
        compare::{conjuncts, mentions, same},
        convert,
        types::Scalar,
    },
    transform::{in_expression, privatize::Counted, schedule::calls},
};

/// The region with such searches in lanes, in loops that are inside a parallel one.
pub(crate) fn in_lanes(region: &Region) -> Region {
    let mut out = region.clone();
    let body = std::mem::take(&mut out.body);
    out.body = Lanes { region: &mut out, is_parallel: false }.nodes(body);
    out
}

struct Lanes<'r> {
    region: &'r mut Region,
    is_parallel: bool,
}

/// A search, with all that its iterations declare computed where it is used.
struct Search {
    counted: Counted,
    /// What is compared with the best value so far.
    best: Reference,
    /// Whether something is found.
    condition: Expression,
    /// Whether the first of two values is better.
    relation: BinaryOperator,
    /// What is stored if something is found, and where.
    stores: Vec<(Reference, Expression)>,
}

impl Lanes<'_> {
    fn nodes(&mut self, nodes: Vec<Node>) -> Vec<Node> {
        nodes.into_iter().flat_map(|node| self.node(node)).collect()
    }

    fn node(&mut self, node: Node) -> Vec<Node> {
        if let Node::Loop(looped) = &node
            && let Some(search) = self.search(looped)
        {
            return self.searched(looped.clone(), search);
        }
        let around = self.is_parallel;
        self.is_parallel |= node.is_parallel();
        let changed = node.map_bodies(|body| self.nodes(body));
        self.is_parallel = around;
        vec![changed]
    }

    fn search(&self, looped: &Loop) -> Option<Search> {
        if !self.is_parallel || looped.parallel || !looped.attributes.is_empty() {
            return None;
        }
        let counted = Counted::of(looped).filter(|counted| constant(&counted.step) == Some(1))?;
        let (last, declared) = looped.body.split_last()?;
        let Node::If(guard) = last else { return None };
        let mut values: Vec<(VariableId, Expression)> = Vec::new();
        for node in declared {
            let Node::Declaration(Declaration { variable, value: Some(value), .. }) = node else {
                return None;
            };
            values.push((*variable, computed(value, &values)));
        }
        let mut stores: Vec<(Reference, Expression)> = Vec::new();
        for node in &guard.then {
            let Node::Statement(Statement { target, store: Store::Assign, value, .. }) = node else {
                return None;
            };
            let is_known = stores.iter().any(|(other, _)| other.variable == target.variable);
            let variable = self.region.variable(target.variable);
            let is_scalar = target.path.is_empty() && variable.aliasing == Aliasing::Distinct;
            if is_known || !is_scalar || values.iter().any(|(id, _)| *id == target.variable) {
                return None;
            }
            stores.push((target.clone(), computed(value, &values)));
        }
        let is_target = |id: VariableId| stores.iter().any(|(target, _)| target.variable == id);
        let condition = computed(&guard.condition, &values);
        let mut parts = Vec::new();
        conjuncts(&condition, &mut parts);
        let (compared, others): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|part| mentions(part, &is_target));
        let [compared] = compared[..] else { return None };
        let ExpressionKind::Binary(operator, left, right) = &compared.kind else { return None };
        let as_best = |side: &Expression| match &side.kind {
            ExpressionKind::Read(read) if read.path.is_empty() && is_target(read.variable) => {
                Some(read.clone())
            }
            _ => None,
        };
        let (relation, value, best) = match (operator, as_best(left), as_best(right)) {
            (BinaryOperator::Less | BinaryOperator::Greater, None, Some(best)) => (*operator, left, best),
            (BinaryOperator::Less, Some(best), None) => (BinaryOperator::Greater, right, best),
            (BinaryOperator::Greater, Some(best), None) => (BinaryOperator::Less, right, best),
            _ => return None,
        };
        let (_, stored) = stores.iter().find(|(target, _)| target.variable == best.variable)?;
        let is_numeric = match best.scalar {
            Scalar::Integer { bits, .. } => bits <= 64,
            Scalar::Float { bits } => bits <= 64,
            _ => false,
        };
        let is_possible = |value: &Expression| !mentions(value, &is_target) && !calls(value);
        let iterations = self.region.variable(looped.iterator).scalar;
        // Shorter ones would be promoted, and other comparisons are longer than vectors.
        // Of the least or greatest integer alone compilers make vectors by themselves, without the iterations (measured: lanes
        // take 1.1 times as long in the cache).
        let is_alone = stores.len() == 1 && others.is_empty() && best.scalar.is_integer();
        let possible = guard.otherwise.is_empty()
            && !is_alone
            && matches!(iterations, Scalar::Integer { bits: 32 | 64, .. })
            && is_numeric
            && value.scalar == best.scalar
            && same(value, stored, None)
            && stores.iter().all(|(_, value)| is_possible(value))
            && others.iter().all(|other| is_possible(other) && is_near(other, looped.iterator))
            && is_near(value, looped.iterator);
        possible.then(|| Search {
            best: best.clone(),
            relation,
            condition: condition.clone(),
            counted,
            stores,
        })
    }

    /// The lanes, and the rest of the iterations.
    fn searched(&mut self, looped: Loop, search: Search) -> Vec<Node> {
        let Search { counted, best, condition, relation, stores } = search;
        let at = looped.at;
        let scalar = best.scalar;
        let iterations = self.region.variable(looped.iterator).scalar;
        let count =
            (i128::from(BYTES_OF_LANES) / scalar.size() as i128).clamp(LANES_OF_SEARCH, 2 * LANES_OF_SEARCH);
        let name = |region: &Region, id: VariableId| region.variable(id).name.clone();
        let (best_name, iterator_name) =
            (name(self.region, best.variable), name(self.region, looped.iterator));
        let trips = counted.trips(&[]);
        // Iterations that are in lanes.
        let in_lanes = self.region.add_scalar(&format!("{iterator_name}_in_lanes"), Scalar::LONG);
        let lane_iterations = value_of(in_lanes, Scalar::LONG);
        let enough =
            compare(BinaryOperator::GreaterEqual, trips.clone(), number(ITERATIONS_OF_SEARCH_LANE * count));
        let whole = multiply(divide(trips, number(count)), number(count));
        let value = convert::select(enough, whole, number(0));
        let mut out = vec![declared(in_lanes, value, at)];
        let values = array(self.region, &format!("{best_name}_of_lanes"), scalar, &[count]);
        let places = array(self.region, &format!("{iterator_name}_of_lanes"), iterations, &[count]);
        let lane = self.region.add_scalar("lane", Scalar::INT);
        let of_lane =
            |array: VariableId, scalar: Scalar| element(array, vec![iterated(lane, Scalar::INT)], scalar, at);
        let (own, own_place) = (of_lane(values, scalar), of_lane(places, iterations));
        let each_lane = |body: Vec<Node>, attributes: LoopAttributes| each(lane, count, attributes, body, at);
        let lower = convert::convert(counted.lower.clone(), iterations);
        let begin = vec![assign(&own, read(&best)), assign(&own_place, lower.clone())];
        // The iterations of all lanes.
        let chunk = self.region.add_scalar(&format!("{iterator_name}_of_lane_0"), iterations);
        let chunk_value = iterated(chunk, iterations);
        let iteration = moved(&chunk_value, lane);
        let here = |value: &Expression| in_expression(value, looped.iterator, &iteration);
        let is_better = self.region.add_scalar("is_better", Scalar::INT);
        let better = value_of(is_better, Scalar::INT);
        let found = in_expression(&here(&condition), best.variable, &read(&own));
        let stored = stores.iter().find(|(target, _)| target.variable == best.variable);
        let Some((_, stored)) = stored else { return vec![Node::Loop(looped)] };
        let chosen = |then: Expression, place: &Reference| {
            assign(place, convert::select(better.clone(), then, read(place)))
        };
        let step = vec![
            declared(is_better, convert::convert(found, Scalar::INT), at),
            chosen(here(stored), &own),
            chosen(iteration.clone(), &own_place),
        ];
        let end = add(counted.lower.clone(), lane_iterations.clone());
        let body = vec![each_lane(step, LoopAttributes::of_lanes())];
        let chunks = chunks(chunk, iterations, (&lower, &end), count, body, at);
        // The best of all lanes, and the first iteration that has found it.
        let of_all = self.region.add_scalar(&format!("{best_name}_of_all"), scalar);
        let of_all = Reference { variable: of_all, path: Vec::new(), scalar, at };
        let relates = |left: Expression, right: Expression| Expression {
            kind: ExpressionKind::Binary(relation, Box::new(left), Box::new(right)),
            scalar: Scalar::INT,
        };
        let improved = convert::select(relates(read(&own), read(&of_all)), read(&own), read(&of_all));
        let first = self.region.add_scalar(&format!("{iterator_name}_of_all"), iterations);
        let first = Reference { variable: first, path: Vec::new(), scalar: iterations, at };
        let has_it = Expression {
            kind: ExpressionKind::Binary(
                BinaryOperator::Equal,
                Box::new(read(&own)),
                Box::new(read(&of_all)),
            ),
            scalar: Scalar::INT,
        };
        let earlier = compare(BinaryOperator::Less, long(read(&own_place)), long(read(&first)));
        let earlier = and(Some(has_it), Some(earlier)).unwrap_or_else(|| number(1));
        let mut then = vec![
            declared(first.variable, convert::convert(add(end.clone(), number(-1)), iterations), at),
            each_lane(
                vec![assign(&first, convert::select(earlier, read(&own_place), read(&first)))],
                LoopAttributes::default(),
            ),
        ];
        then.extend(
            stores
                .iter()
                .map(|(target, value)| assign(target, in_expression(value, looped.iterator, &read(&first)))),
        );
        out.push(Node::guarded(
            compare(BinaryOperator::Greater, lane_iterations, number(0)),
            vec![
                array_declared(values, at),
                array_declared(places, at),
                each_lane(begin, LoopAttributes::default()),
                chunks,
                declared(of_all.variable, read(&best), at),
                each_lane(vec![assign(&of_all, improved)], LoopAttributes::default()),
                Node::guarded(relates(read(&of_all), read(&best)), then, at),
            ],
            at,
        ));
        out.push(Node::Loop(Loop { lower: convert::convert(end, iterations), ..looped }));
        out
    }
}

/// A value with what is declared around it in place of the variables.
fn computed(value: &Expression, declared: &[(VariableId, Expression)]) -> Expression {
    declared.iter().fold(value.clone(), |value, (id, of)| in_expression(&value, *id, of))
}

/// Whether neighbouring iterations read the same elements or neighbours.
fn is_near(value: &Expression, iterator: VariableId) -> bool {
    let mut near = true;
    value.visit_reads(&mut |read| near &= movement(read, iterator) != Moves::Far);
    near
}
