//! Rows in lanes: eight iterations of the loop around an innermost reduction are executed together, one in each lane.
//!
//! Each result is accumulated in the order of the source, so that floats keep their bits, and yet the processor does not
//! wait for one addition after the other. What lies in rows is transposed through a tile, as neighbouring lanes have to
//! be neighbours in memory. This is the strategy `InnerParallel` of Caballero's proposal for innermost reductions in
//! Linalg (IREE, 2022).

use std::collections::{BTreeMap, BTreeSet};

use super::lanes::{
    Moves, array, array_declared, assign, declared, each, element, iterated, moved, movement, read,
};
use crate::{
    analysis::{
        Analysis, LoopReport, StatementReport,
        classes::Class,
        reduced::{Operators, with_selections},
    },
    cost::policy::{FEWEST_ROWS, ROWS_TOGETHER},
    ir::{
        BinaryOperator, Declaration, Expression, ExpressionKind, Hint, Loop, LoopAttributes, LoopId, Node,
        Position, Reference, Region, Statement, Store, VariableId,
        arithmetic::{add, compare, constant, divide, multiply, number, value_of},
        compare::{mentions, same, same_reference},
        convert, loops, loops_with_outer, reads,
        types::Scalar,
        walk_into,
    },
    rules::FloatOrder,
    transform::{
        in_expression,
        privatize::Counted,
        schedule::{Mark, calls},
    },
};

/// The loops whose iterations are independent, around innermost loops that compilers do not vectorize: those
/// that sum floats in their order, or far apart, and those that go down columns which lie side by side in the rows.
/// With each, whether its inner loops are [`InRows::apart`].
pub(super) fn rows(region: &Region, analysis: &Analysis, order: FloatOrder) -> BTreeMap<LoopId, bool> {
    let apart = apart(region, analysis);
    let operators = Operators::all(analysis, order);
    let (mut found, mut others) = (BTreeSet::new(), BTreeSet::new());
    let loops = loops_with_outer(&region.body);
    for (index, (node, outer)) in loops.iter().enumerate() {
        // Of a loop that stands in several parts of a nest each has to be one.
        let is_independent = |index: usize| is_independent(region, &analysis.loops[index]);
        if !is_independent(index) {
            others.insert(node.id);
        }
        let Some(outer) = *outer else { continue };
        let inner = Loop { body: with_selections(&node.body, &operators), ..(*node).clone() };
        let is_innermost = inner.body.iter().all(is_plain);
        let mut carried = analysis.statements.iter().filter(|report| report.carried_by.contains(&index));
        let is_slow = |report: &StatementReport| {
            report.depends_on_order && (order != FloatOrder::Free || reads_far(&inner))
                || goes_down_columns(&inner, loops[outer].0.iterator)
        };
        if is_innermost && is_independent(outer) && carried.any(is_slow) {
            found.insert(loops[outer].0.id);
        }
    }
    found.difference(&others).map(|id| (*id, apart.contains(id))).collect()
}

/// The loops in which no loop directly inside reads elements that it updates but for the reduction.
pub(super) fn apart(region: &Region, analysis: &Analysis) -> BTreeSet<LoopId> {
    let (mut all, mut others) = (BTreeSet::new(), BTreeSet::new());
    let loops = loops_with_outer(&region.body);
    for (index, (_, outer)) in loops.iter().enumerate() {
        let Some(outer) = *outer else { continue };
        let id = loops[outer].0.id;
        all.insert(id);
        if !matches!(analysis.loops[index].class, Class::Reduction | Class::Parallel) {
            others.insert(id);
        }
    }
    all.difference(&others).copied().collect()
}

/// Whether rows may be executed together: each has scalars of its own then, and none has arrays of its own.
pub(super) fn is_independent(region: &Region, report: &LoopReport) -> bool {
    let is_scalar = |name: &String| {
        let named = || region.variables.iter().filter(|variable| variable.name == *name);
        named().next().is_some() && named().all(|variable| variable.extents.is_empty())
    };
    match report.class {
        Class::Parallel => true,
        Class::Private => report.privatized.iter().all(is_scalar),
        _ => false,
    }
}

/// Whether an innermost loop reads distant elements that neighbouring iterations of the loop around have side by side, and
/// no others.
pub(super) fn goes_down_columns(inner: &Loop, rows: VariableId) -> bool {
    let is_column = |read: &Reference| {
        movement(read, rows) == Moves::ByOne && movement(read, inner.iterator) == Moves::Far
    };
    reads(&inner.body).all(|read| movement(read, rows) != Moves::Far) && reads(&inner.body).any(is_column)
}

/// Whether an innermost loop reads elements that lie far apart: then compilers make no vectors of it, whatever the order.
pub(super) fn reads_far(inner: &Loop) -> bool {
    reads(&inner.body).any(|read| !read.path.is_empty() && movement(read, inner.iterator) == Moves::Far)
}

/// Whether a region has loops that may be such rows.
pub(crate) fn may_have_rows(nodes: &[Node]) -> bool {
    let is_row = |inner: &Node| {
        inner
            .as_loop()
            .is_some_and(|inner| inner.body.iter().all(|node| is_plain(node) || matches!(node, Node::If(_))))
    };
    loops(nodes).any(|looped| looped.body.iter().any(is_row))
}

/// The region with these loops' iterations in lanes, where they have the form for it.
/// Minima of these operators are selections there.
pub(super) fn in_rows(region: &Region, rows: &BTreeMap<LoopId, InRows>, operators: &Operators) -> Region {
    let mut out = region.clone();
    if !rows.is_empty() {
        let body = std::mem::take(&mut out.body);
        out.body = Rows { region: &mut out, rows, operators }.nodes(body);
    }
    out
}

/// How the iterations of a loop are put into lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct InRows {
    /// Columns of a tile.
    pub columns: i128,
    /// Whether a person wants it, also for few rows.
    pub forced: bool,
    /// Whether no inner loop reads elements that it updates but for the reduction, even if it reads others of the array.
    pub apart: bool,
}

struct Rows<'r> {
    region: &'r mut Region,
    rows: &'r BTreeMap<LoopId, InRows>,
    operators: &'r Operators,
}

/// What becomes of a body that several rows execute together.
struct Body {
    /// The scalars that the body declares or assigns first, and elements that innermost loops update, with the arrays of all rows.
    arrays: BTreeMap<VariableId, VariableId>,
    /// Those of the scalars that are declared outside and keep the last row's value.
    kept: Vec<Reference>,
    updated: Vec<(Reference, VariableId)>,
    row: VariableId,
    /// The iterator of the loop over rows, and what it is in a lane.
    iterator: VariableId,
    iteration: Expression,
}

impl InRows {
    /// Rows for which it is done.
    pub(super) fn fewest(self) -> i128 {
        if self.forced { ROWS_TOGETHER } else { FEWEST_ROWS }
    }
}

impl Rows<'_> {
    fn nodes(&mut self, nodes: Vec<Node>) -> Vec<Node> {
        nodes.into_iter().flat_map(|node| self.node(node)).collect()
    }

    fn node(&mut self, node: Node) -> Vec<Node> {
        match node {
            Node::Loop(looped) => {
                let chosen = self.rows.get(&looped.id).copied().and_then(|rows| {
                    let body = with_selections(&looped.body, self.operators);
                    let has_form = !looped.attributes.has_openmp()
                        && has_form(
                            self.region,
                            &Loop { body: body.clone(), ..looped.clone() },
                            rows.fewest(),
                            rows.apart,
                        );
                    has_form.then_some((rows, body))
                });
                match chosen {
                    Some((rows, selected)) => self.together(looped, &selected, rows),
                    None => vec![Node::Loop(looped).map_bodies(|body| self.nodes(body))],
                }
            }
            other => vec![other.map_bodies(|body| self.nodes(body))],
        }
    }

    /// The loop over eight rows at a time, with the selected body, and the rest of the rows; or all rows as they were, if there are few.
    fn together(&mut self, looped: Loop, selected: &[Node], rows: InRows) -> Vec<Node> {
        let Some(counted) = by_one(&looped) else { return vec![Node::Loop(looped)] };
        let at = looped.at;
        let scalar = self.region.variable(looped.iterator).scalar;
        let name = self.region.variable(looped.iterator).name.clone();
        let trips = counted.trips(&[]);
        let in_rows = self.region.add_scalar(&format!("{name}_in_rows"), Scalar::LONG);
        let all = value_of(in_rows, Scalar::LONG);
        let whole = multiply(divide(trips.clone(), number(ROWS_TOGETHER)), number(ROWS_TOGETHER));
        let enough = compare(BinaryOperator::GreaterEqual, trips, number(rows.fewest()));
        let first_row = self.region.add_scalar(&format!("{name}_of_row_0"), scalar);
        let row = self.region.add_scalar("row", Scalar::INT);
        let iteration = moved(&iterated(first_row, scalar), row);
        let mut body = Body {
            arrays: BTreeMap::new(),
            kept: assigned_first(selected),
            updated: Vec::new(),
            row,
            iterator: looped.iterator,
            iteration,
        };
        let inside = self.body(selected, &mut body, rows.columns, at);
        let end = add(counted.lower.clone(), all.clone());
        let tiles = Loop {
            id: LoopId::NONE,
            iterator: first_row,
            declares: true,
            lower: convert::convert(counted.lower.clone(), scalar),
            condition: before(iterated(first_row, scalar), &end),
            step: convert::convert(number(ROWS_TOGETHER), scalar),
            parallel: looped.parallel,
            attributes: looped.attributes.clone(),
            body: inside,
            at,
        };
        let rest = Loop { lower: convert::convert(end, scalar), parallel: false, ..looped.clone() };
        let tiled = vec![declared(in_rows, whole, at), Node::Loop(tiles), Node::Loop(rest)];
        vec![Node::either(enough, tiled, vec![Node::Loop(looped)], at)]
    }

    /// A body as eight rows execute it.
    fn body(&mut self, nodes: &[Node], body: &mut Body, columns: i128, at: Position) -> Vec<Node> {
        let mut out = Vec::new();
        // All that is a row's own has an array of all rows.
        let mut all: Vec<VariableId> = body.kept.iter().map(|kept| kept.variable).collect();
        all.extend(scalars(nodes));
        for id in all {
            let Some(scalar) = self.region.variables.get(id.0).map(|variable| variable.scalar) else {
                continue;
            };
            let name = format!("{}_of_rows", self.region.variable(id).name);
            let of_rows = array(self.region, &name, scalar, &[ROWS_TOGETHER]);
            body.arrays.insert(id, of_rows);
            out.push(array_declared(of_rows, at));
        }
        for node in nodes {
            match node {
                Node::Loop(inner) => out.extend(self.inner(inner, body, columns)),
                node => out.push(self.of_rows(node, body, at)),
            }
        }
        for kept in &body.kept {
            if let Some(of_rows) = body.arrays.get(&kept.variable) {
                let last = element(*of_rows, vec![number(ROWS_TOGETHER - 1)], kept.scalar, at);
                out.push(assign(kept, read(&last)));
            }
        }
        out
    }

    /// A node without loops in a loop over the rows, by lanes if these access neighbours.
    fn of_rows(&self, node: &Node, body: &Body, at: Position) -> Node {
        let is_near = node.references().all(|access| movement(access, body.iterator) != Moves::Far);
        let attributes = if is_near { LoopAttributes::of_lanes() } else { LoopAttributes::default() };
        each(body.row, ROWS_TOGETHER, attributes, vec![body.node(node, &|_| None)], at)
    }

    /// An innermost loop as eight rows execute it: in tiles, whose rows are transposed, and the rest.
    fn inner(&mut self, inner: &Loop, body: &mut Body, columns: i128) -> Vec<Node> {
        let at = inner.at;
        let Some(counted) = by_one(inner) else { return Vec::new() };
        let scalar = self.region.variable(inner.iterator).scalar;
        let name = self.region.variable(inner.iterator).name.clone();
        let row = iterated(body.row, Scalar::INT);
        let mut out = Vec::new();
        // Elements that it updates are kept in arrays of all rows.
        let (mut load, mut store) = (Vec::new(), Vec::new());
        for node in &inner.body {
            let Node::Statement(Statement { target, .. }) = node else { continue };
            let is_known = body.updated.iter().any(|(known, _)| same_reference(known, target, None));
            if target.path.is_empty() || is_known {
                continue;
            }
            let of_rows = format!("{}_of_rows", self.region.variable(target.variable).name);
            let of_rows = array(self.region, &of_rows, target.scalar, &[ROWS_TOGETHER]);
            out.push(array_declared(of_rows, at));
            let own = element(of_rows, vec![row.clone()], target.scalar, at);
            let original = body.reference(target, &|_| None);
            load.push(assign(&own, read(&original)));
            store.push(assign(&original, read(&own)));
            body.updated.push((target.clone(), of_rows));
        }
        // What lies in rows, and what is computed of it alone, goes through a tile.
        let mut tiles: Vec<(Expression, VariableId)> = Vec::new();
        let own = |id: VariableId| {
            body.arrays.contains_key(&id) || body.updated.iter().any(|(target, _)| target.variable == id)
        };
        for value in inner.body.iter().filter_map(value_of_node) {
            tiled_parts(value, body.iterator, &own, &mut |part| {
                if !tiles.iter().any(|(known, _)| same(known, part, None)) {
                    tiles.push((part.clone(), VariableId(usize::MAX)));
                }
            });
        }
        for (value, tile) in &mut tiles {
            let mut name = "tile".to_owned();
            for read in value.reads() {
                if movement(read, body.iterator) == Moves::Far {
                    name = format!("{}_tile", self.region.variable(read.variable).name);
                }
            }
            *tile = array(self.region, &name, value.scalar, &[ROWS_TOGETHER, columns]);
        }
        let trips = counted.trips(&[]);
        let columns_in_tiles = self.region.add_scalar(&format!("{name}_in_tiles"), Scalar::LONG);
        let in_tiles = value_of(columns_in_tiles, Scalar::LONG);
        let whole = multiply(divide(trips, number(columns)), number(columns));
        out.push(declared(columns_in_tiles, whole, at));
        if !load.is_empty() {
            out.push(each(body.row, ROWS_TOGETHER, LoopAttributes::of_mark(Mark::Lanes), load, at));
        }
        let first = self.region.add_scalar(&format!("{name}_of_tile"), scalar);
        let column = self.region.add_scalar("column", Scalar::INT);
        let place = moved(&iterated(first, scalar), column);
        let at_place = |value: &Expression| {
            in_expression(&in_expression(value, inner.iterator, &place), body.iterator, &body.iteration)
        };
        let mut of_tile = Vec::new();
        let mut fills = Vec::new();
        let in_tile = |tile: VariableId, scalar: Scalar| {
            element(tile, vec![row.clone(), iterated(column, Scalar::INT)], scalar, at)
        };
        for (value, tile) in &tiles {
            of_tile.push(array_declared(*tile, at));
            fills.push(assign(&in_tile(*tile, value.scalar), at_place(value)));
        }
        if !fills.is_empty() {
            let filled = each(column, columns, LoopAttributes::of_lanes(), fills, at);
            // For AVX-512, clang 22 would gather each column: measured six times slower.
            let transposed = LoopAttributes {
                hints: vec![Hint::NotVectorized],
                ..LoopAttributes::of_mark(Mark::Transposed)
            };
            of_tile.push(each(body.row, ROWS_TOGETHER, transposed, vec![filled], at));
        }
        let from_tile = |value: &Expression| {
            let (_, tile) = tiles.iter().find(|(known, _)| same(known, value, None))?;
            Some(read(&in_tile(*tile, value.scalar)))
        };
        // Compilers unroll both loops, and transpose the tile by shuffles; with `simd` they would gather.
        let attributes = match tiles.is_empty() {
            true => LoopAttributes::of_lanes(),
            false => LoopAttributes::of_mark(Mark::Lanes),
        };
        let steps =
            inner.body.iter().map(|node| in_node(&body.node(node, &from_tile), inner.iterator, &place));
        let together = each(body.row, ROWS_TOGETHER, attributes, steps.collect(), at);
        of_tile.push(each(column, columns, LoopAttributes::default(), vec![together], at));
        let end = add(counted.lower.clone(), in_tiles);
        out.push(Node::Loop(Loop {
            id: LoopId::NONE,
            iterator: first,
            declares: true,
            lower: convert::convert(counted.lower.clone(), scalar),
            condition: before(iterated(first, scalar), &end),
            step: convert::convert(number(columns), scalar),
            parallel: false,
            attributes: LoopAttributes::default(),
            body: of_tile,
            at,
        }));
        let steps = inner.body.iter().map(|node| body.node(node, &|_| None)).collect();
        out.push(Node::Loop(Loop {
            lower: convert::convert(end, scalar),
            body: vec![each(body.row, ROWS_TOGETHER, LoopAttributes::of_mark(Mark::Lanes), steps, at)],
            ..inner.clone()
        }));
        if !store.is_empty() {
            out.push(each(body.row, ROWS_TOGETHER, LoopAttributes::of_mark(Mark::Lanes), store, at));
        }
        body.updated.clear();
        out
    }
}

/// Whether all that a loop over rows does can be done by lanes; `apart` as in [`InRows`].
pub(super) fn has_form(region: &Region, looped: &Loop, fewest: i128, apart: bool) -> bool {
    let Some(counted) = by_one(looped) else { return false };
    let iterator = looped.iterator;
    // What several threads execute has no scalars of rows outside.
    let kept = if looped.parallel { Vec::new() } else { assigned_first(&looped.body) };
    let mut declared_in: Vec<VariableId> = kept.iter().map(|kept| kept.variable).collect();
    let mut stored: Vec<VariableId> = Vec::new();
    let mut reads = Vec::new();
    let mut has_reduction = false;
    for node in &looped.body {
        match node {
            Node::Loop(inner) => {
                let Some(counts) = by_one(inner) else { return false };
                let header = [&counts.lower, &counts.end];
                let is_free = header.iter().all(|value| {
                    !mentions(value, &|id| {
                        id == iterator || declared_in.contains(&id) || stored.contains(&id)
                    })
                });
                let updates = |node: &Node| match node {
                    Node::Statement(statement) => is_update(statement, inner),
                    Node::Declaration(declaration) => declaration.value.is_some(),
                    _ => false,
                };
                if !is_free || !inner.attributes.is_empty() || !inner.body.iter().all(updates) {
                    return false;
                }
                // What is updated is kept apart meanwhile.
                let updated: Vec<&Reference> = inner.body.iter().filter_map(Node::target).collect();
                let is_alike = |access: &Reference| {
                    let mut others = updated.iter().filter(|other| other.variable == access.variable);
                    others.all(|other| same_reference(other, access, None))
                };
                let is_apart = inner.body.iter().flat_map(Node::reads).all(is_alike);
                let alike = updated.iter().all(|target| is_alike(target));
                if !(apart || is_apart) || !alike {
                    return false;
                }
                has_reduction |= inner.body.iter().any(|node| matches!(node, Node::Statement(_)));
                for node in &inner.body {
                    if !plain_parts(node, &mut declared_in, &mut stored, &mut |read| {
                        reads.push((read.clone(), inner.iterator));
                    }) {
                        return false;
                    }
                }
            }
            node => {
                // Outside of the innermost loops rows may be anywhere.
                if !plain_parts(node, &mut declared_in, &mut stored, &mut |_| {}) {
                    return false;
                }
            }
        }
    }
    let is_own = |id: &VariableId| declared_in.contains(id);
    let scalars_are_own = stored.iter().all(|id| is_own(id) || !region.variable(*id).extents.is_empty());
    // Lanes read neighbours, one element, or a tile of rows.
    let is_near = |(read, inner): &(Reference, VariableId)| {
        read.path.is_empty()
            || movement(read, iterator) != Moves::Far
            || movement(read, *inner) == Moves::ByOne
    };
    let known = constant(&counted.trips(&[])).is_some_and(|trips| trips < fewest);
    has_reduction && !known && scalars_are_own && reads.iter().all(is_near)
}

/// The scalars that a body assigns before anything else accesses them: a row's own, though they are declared outside.
fn assigned_first(body: &[Node]) -> Vec<Reference> {
    let (mut found, mut accessed) = (Vec::new(), BTreeSet::new());
    for node in body {
        accessed.extend(node.reads().into_iter().map(|read| read.variable));
        accessed.extend(node.children().flat_map(Node::references).map(|access| access.variable));
        let Node::Statement(Statement { target, store, .. }) = node else { continue };
        let is_first = accessed.insert(target.variable);
        if is_first && target.path.is_empty() && matches!(store, Store::Assign) {
            found.push(target.clone());
        }
    }
    found
}

/// Whether a statement updates a number that stays the same in an innermost loop.
fn is_update(statement: &Statement, inner: &Loop) -> bool {
    let target = &statement.target;
    let accumulates = match &statement.store {
        Store::Update { .. } => true,
        Store::Assign => statement.value.reads().into_iter().any(|read| same_reference(read, target, None)),
        Store::Reduce { .. } => false,
    };
    accumulates
        && matches!(target.scalar, Scalar::Float { bits: 32 | 64 } | Scalar::Integer { bits: ..=64, .. })
        && movement(target, inner.iterator) == Moves::Not
}

impl Body {
    /// A node with all that is a row's own in place of what there was, and values that a tile has.
    fn node(&self, node: &Node, tile: &dyn Fn(&Expression) -> Option<Expression>) -> Node {
        match node {
            Node::Statement(statement) => Node::Statement(Statement {
                target: self.reference(&statement.target, tile),
                value: self.value(&statement.value, tile),
                ..statement.clone()
            }),
            Node::Declaration(Declaration { variable, value: Some(value), at }) => {
                let own = Reference { variable: *variable, path: Vec::new(), scalar: value.scalar, at: *at };
                assign(&self.reference(&own, tile), self.value(value, tile))
            }
            other => other.clone(),
        }
    }

    fn value(&self, value: &Expression, tile: &dyn Fn(&Expression) -> Option<Expression>) -> Expression {
        if let Some(of_tile) = tile(value) {
            return of_tile;
        }
        match &value.kind {
            // The iterator may be declared outside.
            ExpressionKind::Iterator(id) if *id == self.iterator => self.iteration.clone(),
            ExpressionKind::Read(read) if read.variable == self.iterator && read.path.is_empty() => {
                self.iteration.clone()
            }
            ExpressionKind::Read(read) => {
                Expression { kind: ExpressionKind::Read(self.reference(read, tile)), scalar: value.scalar }
            }
            _ => value.map_operands(|operand| self.value(operand, tile)),
        }
    }

    fn reference(
        &self,
        reference: &Reference,
        tile: &dyn Fn(&Expression) -> Option<Expression>,
    ) -> Reference {
        let own = |array: VariableId| {
            element(array, vec![iterated(self.row, Scalar::INT)], reference.scalar, reference.at)
        };
        if let Some((_, array)) =
            self.updated.iter().find(|(known, _)| same_reference(known, reference, None))
        {
            return own(*array);
        }
        match self.arrays.get(&reference.variable) {
            Some(array) => own(*array),
            None => reference.map_subscripts(|index| self.value(index, tile)),
        }
    }
}

fn value_of_node(node: &Node) -> Option<&Expression> {
    match node {
        Node::Statement(statement) => Some(&statement.value),
        Node::Declaration(declaration) => declaration.value.as_ref(),
        _ => None,
    }
}

/// Calls `each` with the largest parts of a value that read what lies in rows, and nothing that is a row's own or that
/// neighbouring rows have next to each other.
fn tiled_parts(
    value: &Expression,
    iterator: VariableId,
    own: &dyn Fn(VariableId) -> bool,
    each: &mut dyn FnMut(&Expression),
) {
    let moves = |read: &Reference| match read.path.is_empty() {
        true => Moves::Not,
        false => movement(read, iterator),
    };
    let reads = value.reads();
    let far = reads.iter().any(|read| moves(read) == Moves::Far);
    if far && reads.iter().all(|read| moves(read) != Moves::ByOne && !own(read.variable)) {
        each(value);
    } else if far {
        value.operands().into_iter().for_each(|operand| tiled_parts(operand, iterator, own, each));
    }
}

/// Whether an iterator has not reached the end, compared in its own type, as OpenMP wants it.
fn before(iterator: Expression, end: &Expression) -> Expression {
    let end = convert::convert(end.clone(), iterator.scalar);
    let kind = ExpressionKind::Binary(BinaryOperator::Less, Box::new(iterator), Box::new(end));
    Expression { kind, scalar: Scalar::INT }
}

/// A loop whose iterator increases by one.
fn by_one(looped: &Loop) -> Option<Counted> {
    Counted::of(looped).filter(|counted| constant(&counted.step) == Some(1))
}

fn is_plain(node: &Node) -> bool {
    matches!(node, Node::Statement(_) | Node::Declaration(_))
}

/// Goes through a node without loops; whether it is one that lanes may execute.
fn plain_parts(
    node: &Node,
    declared: &mut Vec<VariableId>,
    stored: &mut Vec<VariableId>,
    each: &mut dyn FnMut(&Reference),
) -> bool {
    let is_simple = |scalar: Scalar| match scalar {
        Scalar::Integer { bits, .. } => bits <= 64,
        Scalar::Float { bits } => bits <= 64,
        _ => false,
    };
    match node {
        Node::Statement(statement) => {
            stored.push(statement.target.variable);
            node.references().for_each(each);
            let is_reduce = matches!(statement.store, Store::Reduce { .. });
            is_simple(statement.target.scalar)
                && !is_reduce
                && !calls(&statement.value)
                && statement.target.members().next().is_none()
        }
        Node::Declaration(Declaration { variable, value: Some(value), .. }) => {
            declared.push(*variable);
            node.reads().into_iter().for_each(each);
            is_simple(value.scalar) && !calls(value)
        }
        _ => false,
    }
}

/// The scalars that nodes and the loops among them declare.
fn scalars(nodes: &[Node]) -> Vec<VariableId> {
    let inside = walk_into(nodes, |node| matches!(node, Node::Loop(_)));
    let declared = inside.filter_map(|node| match node {
        Node::Declaration(declaration) => Some(declaration.variable),
        _ => None,
    });
    declared.collect()
}

fn in_node(node: &Node, iterator: VariableId, value: &Expression) -> Node {
    match node {
        Node::Statement(statement) => Node::Statement(Statement {
            target: statement.target.map_subscripts(|index| in_expression(index, iterator, value)),
            value: in_expression(&statement.value, iterator, value),
            ..statement.clone()
        }),
        other => other.clone(),
    }
}
