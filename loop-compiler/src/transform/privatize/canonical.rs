//! Loops that reduce floats in the canonical order (`docs/reduction-algorithms.md`), in which iteration i is element i.
//!
//! Two forms compute the same bits. By chunks: a thread executes a chunk's iterations in their order, and each adds to the
//! copy of its column; the columns are in an array, so that lanes can take them. By columns: a thread executes the iterations
//! of one column, which a loop with loops inside has enough of and a device can read side by side.
//!
//! A copy begins with the operator's identity. That leaves what is combined with it as it is, so that iterations which add
//! nothing, or several values, need no rule of their own.

use std::collections::BTreeSet;

use super::{
    counted::{Counted, counting},
    nodes::{combined_cell, iterated, nest, parallel_nest, read, stored},
    rewrite::combine,
    state::{Cell, Copies, Copy, Dimension, Failure, Plan, Privatizer, Setup, rejected},
};
use crate::{
    analysis::bounds::When,
    ir::{
        BinaryOperator, Declaration, Expression, ExpressionKind, Loop, Node, Pairing, Position, Private,
        ReduceDimension, ReductionOperator, Reference, Step, VariableId,
        arithmetic::{
            add, compare, constant, divide, greatest, least, multiply, number, remainder, subtract, value_of,
        },
        convert, operators,
        types::Scalar,
    },
    rules::{FloatOrder, Rule},
    transform,
};

// The order's constants are those of `device_rt::reduce::canonical`, which this crate does not know; a test of the program compares
// the bits (`cli/tests/parallelize.rs`).

/// Iterations of a chunk.
const CHUNK: i128 = 8192;
/// Columns of a chunk: iteration e of a chunk is in column e mod 128.
const COLUMNS: i128 = 128;
/// Iterations of a chunk in which each column has the 16 that are a segment of it.
const SEGMENT: i128 = 16 * COLUMNS;

/// Columns that a thread loads before it combines them.
const TOGETHER: i128 = 16;

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Chunks,
    Columns,
}

/// A loop in the canonical order.
pub(super) struct Canonical {
    form: Form,
    /// The loop over chunks, or over columns.
    variable: VariableId,
    pub dimension: Dimension,
    chunks: Expression,
    /// The columns of a chunk that have an iteration.
    width: Expression,
    /// Which chunk and which of its columns the present iteration is in.
    chunk: Expression,
    column: Expression,
    /// The first iteration, the one after the last, and in how many segments they are.
    first: Expression,
    past: Expression,
    segments: Expression,
    /// The iterator of the loop over segments, and the first iteration of one and the one after its last.
    segment: VariableId,
    segment_first: VariableId,
    segment_past: VariableId,
    /// The iterator of the loop over the rows of a segment or, by columns, over its iterations; and where a row ends.
    row: VariableId,
    row_past: VariableId,
    /// The results of reductions into single elements.
    pub results_of_elements: Vec<VariableId>,
    /// What stands in front of each segment, and behind it.
    begin: Vec<Node>,
    end: Vec<Node>,
}

impl Canonical {
    /// The dimensions of results in front of those of an element.
    fn dimensions(&self) -> usize {
        if self.form == Form::Columns { 2 } else { 1 }
    }

    /// By columns: how many results there are, and that of the present column.
    fn shape(&self) -> Vec<Expression> {
        vec![self.chunks.clone(), number(COLUMNS)]
    }

    fn place(&self) -> Vec<Expression> {
        vec![self.chunk.clone(), self.column.clone()]
    }

    /// Whether the loop's own iterator is a variable that each iteration declares.
    pub fn declared_iterator(&self) -> bool {
        self.form == Form::Columns
    }

    /// The column of an iteration, by the value of the loop's own iterator.
    pub fn set_column(&mut self, counted: &Counted, own: Expression) {
        if self.form == Form::Chunks {
            let place = match counted.down {
                true => subtract(counted.lower.clone(), own),
                false => subtract(own, counted.lower.clone()),
            };
            self.column = subtract(place, iterated(self.row));
        }
    }

    /// The loop over chunks or columns; `inner` is the loop itself.
    pub fn looped(self, counted: &Counted, inner: Loop, scalar: Scalar, setup: &mut Setup) -> Loop {
        let (id, place) = (inner.id, inner.at);
        let at = |count: Expression| add(counted.lower.clone(), multiply(counted.step.clone(), count));
        let segment_first = value_of(self.segment_first, Scalar::LONG);
        let segment_past = value_of(self.segment_past, Scalar::LONG);
        let row = iterated(self.row);
        let declared = |variable: VariableId, value: Expression| {
            Node::Declaration(Declaration { variable, value: Some(value), at: place })
        };
        let rows = match self.form {
            Form::Chunks => {
                let row_past = value_of(self.row_past, Scalar::LONG);
                let own = Expression { kind: ExpressionKind::Iterator(inner.iterator), scalar };
                let relation = if counted.down { BinaryOperator::Greater } else { BinaryOperator::Less };
                let past =
                    declared(self.row_past, least(segment_past.clone(), add(row.clone(), number(COLUMNS))));
                let looped = Loop {
                    lower: convert::convert(at(row), scalar),
                    condition: compare(relation, own, at(row_past)),
                    ..inner
                };
                vec![past, Node::Loop(looped)]
            }
            Form::Columns => {
                let value = convert::convert(at(row), scalar);
                std::iter::once(declared(inner.iterator, value)).chain(inner.body).collect()
            }
        };
        let by = |step: i128, looped: Loop| Node::Loop(Loop { step: number(step), at: place, ..looped });
        let rows = by(COLUMNS, counting(self.row, segment_first.clone(), segment_past, rows));
        let before = multiply(iterated(self.segment), number(SEGMENT));
        let first = declared(self.segment_first, add(self.first, before));
        let past = declared(self.segment_past, least(self.past, add(segment_first, number(SEGMENT))));
        let body = self.begin.into_iter().chain([first, past, rows]).chain(self.end).collect();
        let segments = by(1, counting(self.segment, number(0), self.segments, body));
        let body = std::mem::take(&mut setup.begin).into_iter().chain([segments]);
        let body = body.chain(std::mem::take(&mut setup.end)).collect();
        Loop { id, at: place, ..counting(self.variable, number(0), self.dimension.count, body) }
    }
}

impl<'r> Privatizer<'_, 'r> {
    /// Whether the order in which a loop combines values decides about the result, and has to be one that does not depend on
    /// threads.
    pub(super) fn is_canonical(&self, index: usize, reduced: &[(usize, Plan)]) -> bool {
        use ReductionOperator as R;
        let depends = |(array, plan): &(usize, Plan)| {
            let Some(statement) = self.statements(index, *array).first().copied() else { return false };
            let operator = self.reductions(index, *array).next().map(|reduction| reduction.operator);
            *plan == Plan::Own
                && statement.target.scalar.is_float()
                && match operator {
                    Some(R::Add | R::Multiply) => true,
                    Some(operator) if operator.is_of_numbers() => true,
                    Some(R::Minimum | R::Maximum) => !self.follows_comparison(index, *array),
                    _ => false,
                }
        };
        self.choice.order == FloatOrder::Fixed
            && self.choice.copies != Copies::Iterations
            && reduced.iter().any(depends)
    }

    /// What cannot be beside a reduction in the canonical order.
    pub(super) fn check_canonical(
        &self,
        index: usize,
        node: &Loop,
        reduced: &[(usize, Plan)],
    ) -> Result<(), Failure> {
        let name = &self.program.region.variable(node.iterator).name;
        let no = |reason: &str| {
            rejected(
                Rule::Floats,
                node.at,
                format!("with `--order fixed` loop `{name}` stays in order: {reason}"),
            )
        };
        let around = &self.program.loops[index].around;
        if around.iter().any(|other| self.is_chosen(*other)) {
            return no("a loop around it is parallel");
        }
        if !self.classes[index].scanned.is_empty() {
            return no("it has a scan besides the reduction of floats");
        }
        if reduced.iter().any(|(_, plan)| matches!(plan, Plan::Search | Plan::Found)) {
            return no("it has a search besides the reduction of floats");
        }
        if reduced.iter().any(|(array, _)| self.levels(index, *array).len() > 1) {
            return no("a loop inside it is parallel and reduces into the same elements");
        }
        if self.choice.atomic.contains(&index) {
            return no("`atomic` updates have no order");
        }
        Ok(())
    }

    pub(super) fn canonical(
        &mut self,
        index: usize,
        node: &Loop,
        counted: &Counted,
        setup: &mut Setup,
    ) -> Canonical {
        let name = self.program.region.variable(node.iterator).name.clone();
        let sizes = self.sizes();
        let trips = self.named(&format!("{name}_trips"), counted.trips(&sizes), &mut setup.before);
        let chunks = greatest(divide(add(trips.clone(), number(CHUNK - 1)), number(CHUNK)), number(1));
        let chunks = self.named(&format!("{name}_chunks"), chunks, &mut setup.before);
        let fresh = |privatizer: &mut Self, what: &str| {
            privatizer.fresh(&format!("{name}_{what}"), Scalar::LONG, Vec::new())
        };
        let form = if self.is_by_chunks(index, counted) { Form::Chunks } else { Form::Columns };
        let (variable, count, chunk, column, width, last, begin);
        match form {
            Form::Chunks => {
                variable = fresh(self, "chunk");
                (count, chunk) = (chunks.clone(), iterated(variable));
                (column, width) = (number(0), number(COLUMNS));
                last = subtract(chunks.clone(), number(1));
                begin = multiply(chunk.clone(), number(CHUNK));
            }
            Form::Columns => {
                // Fewer iterations than columns: each has its own.
                let some = greatest(least(trips.clone(), number(COLUMNS)), number(1));
                width = self.named(&format!("{name}_width"), some, &mut setup.before);
                let all = multiply(chunks.clone(), width.clone());
                count = self.named(&format!("{name}_columns"), all, &mut setup.before);
                variable = fresh(self, "column");
                let of = divide(iterated(variable), width.clone());
                chunk = self.named(&format!("{name}_chunk"), of, &mut setup.begin);
                let inside = remainder(iterated(variable), width.clone());
                column = self.named(&format!("{name}_of_chunk"), inside, &mut setup.begin);
                let end = subtract(trips.clone(), number(1));
                let of_end = multiply(divide(end.clone(), number(CHUNK)), width.clone());
                last = add(of_end, remainder(end, number(COLUMNS)));
                begin = add(multiply(chunk.clone(), number(CHUNK)), column.clone());
            }
        }
        let first = self.named(&format!("{name}_first"), begin, &mut setup.begin);
        let chunk_past = multiply(add(chunk.clone(), number(1)), number(CHUNK));
        let past = self.named(&format!("{name}_past"), least(trips, chunk_past), &mut setup.begin);
        let iterations = subtract(past.clone(), first.clone());
        let segments = divide(add(iterations, number(SEGMENT - 1)), number(SEGMENT));
        let segments = self.named(&format!("{name}_segments"), segments, &mut setup.begin);
        Canonical {
            form,
            variable,
            dimension: Dimension { count, index: iterated(variable), last },
            chunks,
            width,
            chunk,
            column,
            first,
            past,
            segments,
            segment: fresh(self, "segment"),
            segment_first: fresh(self, "segment_first"),
            row: fresh(self, "row"),
            segment_past: fresh(self, "segment_past"),
            row_past: fresh(self, "row_past"),
            results_of_elements: Vec::new(),
            begin: Vec::new(),
            end: Vec::new(),
        }
    }

    /// Whether threads take chunks: of innermost loops that reduce into single elements.
    fn is_by_chunks(&self, index: usize, counted: &Counted) -> bool {
        let has_inner = self.program.loops.iter().any(|other| other.around.contains(&index));
        let by_one = matches!(constant(&counted.step), Some(1 | -1));
        let are_single = self.classes[index].reduced.iter().all(|array| self.is_one(index, *array));
        self.choice.copies == Copies::Workers && by_one && are_single && !has_inner
    }

    /// The copies of a reduction in the canonical order.
    pub(super) fn own_in_order(
        &mut self,
        index: usize,
        node: &'r Loop,
        array: usize,
        canonical: &mut Canonical,
        setup: &mut Setup,
    ) -> Result<(), Failure> {
        if self.omitted(array) {
            let copy = self.original_copy(index, array, None);
            self.copies.insert(array, copy);
            return Ok(());
        }
        let operator = self.reductions(index, array).next().map(|reduction| reduction.operator);
        let Some(operator) = operator else { return Ok(()) };
        let target = self.statements(index, array)[0].target.clone();
        let Some(identity) = operators::identity(operator, target.scalar) else { return Ok(()) };
        let is_one = self.is_one(index, array);
        let (mut bounds, mut condition) = (Vec::new(), None);
        if !is_one {
            let Some((extent, when, whenever)) = self.extent(index, array)? else {
                let reason = format!("the elements of `{}` are not known", self.program.arrays[array].name);
                return rejected(Rule::Subscripts, node.at, reason);
            };
            if self.initial(index, array)?.is_some() {
                return rejected(
                    Rule::Operators,
                    node.at,
                    "the canonical order has no initial values of arrays",
                );
            }
            let each = extent.into_iter();
            bounds = each.map(|(begin, end)| (self.expression(&begin), self.expression(&end))).collect();
            if let When::If(needed) = when
                && !whenever
            {
                condition = Some(self.expression(&needed));
            }
        }
        let copied = Copied {
            array,
            operator,
            computed_in: self.computed_in(index, array),
            scalar: target.scalar,
            at: node.at,
            identity,
            extents: bounds
                .iter()
                .map(|(begin, end)| greatest(subtract(end.clone(), begin.clone()), number(1)))
                .collect(),
            iterators: bounds.iter().map(|_| self.fresh("k", Scalar::LONG, Vec::new())).collect(),
            offsets: bounds.into_iter().map(|(begin, _)| begin).collect(),
        };
        let members = self.members(index, array);
        let results = match (canonical.form, is_one) {
            (Form::Chunks, _) => self.in_lanes(&copied, members.clone(), canonical, setup),
            (Form::Columns, true) => self.in_variables(&copied, members.clone(), canonical, setup),
            (Form::Columns, false) => self.in_memory(&copied, members.clone(), canonical, setup),
        };
        setup.before.push(copied.memory(results));
        self.combine_results(&copied, results, canonical, setup);
        // The target's value takes part once, if any iteration takes part.
        let first = vec![number(0); canonical.dimensions()];
        let rewritten = self.original(&target);
        let nodes = if is_one {
            canonical.results_of_elements.push(results);
            let value = read(copied.element(results, first));
            condition = match self.accessed(index, node, array, &target)? {
                When::Always => None,
                When::If(condition) => Some(condition),
                When::Unknown => operators::changes(operator, value.clone()),
            };
            vec![combine(operator, rewritten, value, node.at)]
        } else {
            let is_certain =
                members.iter().all(|member| self.program.is_certain(&self.program.accesses[*member]));
            let cell = combined_cell(
                (operator, &rewritten, is_certain),
                results,
                first,
                &copied.offsets,
                &copied.iterators,
                false,
            );
            self.by_threads(copied.each(cell), copied.iterators.len())
        };
        setup.after.extend(transform::where_executed(condition, nodes, node.at));
        Ok(())
    }

    /// By chunks: arrays of columns.
    fn in_lanes(
        &mut self,
        copied: &Copied,
        members: BTreeSet<usize>,
        canonical: &mut Canonical,
        setup: &mut Setup,
    ) -> VariableId {
        let own = self.copy(copied, "own", vec![number(COLUMNS)]);
        let columns = self.copy(copied, "columns", vec![number(COLUMNS)]);
        let results = self.copy(copied, "of", vec![canonical.chunks.clone()]);
        let lane = self.fresh("k", Scalar::LONG, Vec::new());
        let each = |node: Node| Node::Loop(counting(lane, number(0), number(COLUMNS), vec![node]));
        let of_lane = |variable: VariableId| copied.element(variable, vec![iterated(lane)]);
        setup
            .begin
            .extend([self.declared_copy(copied, columns, false), self.declared_copy(copied, own, false)]);
        setup.begin.push(each(copied.set(of_lane(columns))));
        canonical.begin.push(each(copied.set(of_lane(own))));
        canonical.end.push(each(copied.combined(of_lane(columns), of_lane(own))));
        setup.end.push(copied.neighbours(columns, 0, Vec::new(), Vec::new()));
        let first = read(copied.element(columns, vec![number(0)]));
        setup.end.push(stored(copied.element(results, vec![canonical.chunk.clone()]), first));
        let prefix = vec![Some(canonical.column.clone())];
        self.copies.insert(copied.array, Copy { prefix, ..Copy::new(members, own, Cell::One) });
        results
    }

    /// By columns, of one element: variables of the thread.
    fn in_variables(
        &mut self,
        copied: &Copied,
        members: BTreeSet<usize>,
        canonical: &mut Canonical,
        setup: &mut Setup,
    ) -> VariableId {
        let own = self.copy(copied, "own", Vec::new());
        let column = self.copy(copied, "column", Vec::new());
        let results = self.copy(copied, "of", canonical.shape());
        setup.begin.push(self.declared_copy(copied, column, true));
        canonical.begin.push(self.declared_copy(copied, own, true));
        let (of_column, of_segment) = (copied.element(column, Vec::new()), copied.element(own, Vec::new()));
        canonical.end.push(copied.combined(of_column, of_segment));
        let result = copied.element(results, canonical.place());
        setup.end.push(stored(result, value_of(column, copied.scalar)));
        self.copies.insert(copied.array, Copy::new(members, own, Cell::One));
        results
    }

    /// By columns, of an array.
    fn in_memory(
        &mut self,
        copied: &Copied,
        members: BTreeSet<usize>,
        canonical: &mut Canonical,
        setup: &mut Setup,
    ) -> VariableId {
        let shape: Vec<_> = canonical.shape().into_iter().chain(copied.extents.iter().cloned()).collect();
        let own = self.copy(copied, "own", shape.clone());
        let results = self.copy(copied, "of", shape);
        setup.before.push(copied.memory(own));
        let inside = || copied.iterators.iter().map(|k| iterated(*k));
        let cell = |variable: VariableId| {
            copied.element(variable, canonical.place().into_iter().chain(inside()).collect())
        };
        let (of_column, of_segment) = (cell(results), cell(own));
        setup.begin.extend(copied.each(vec![copied.set(of_column.clone())]));
        canonical.begin.extend(copied.each(vec![copied.set(of_segment.clone())]));
        canonical.end.extend(copied.each(vec![copied.combined(of_column, of_segment)]));
        let prefix = canonical.place().into_iter().map(Some).collect();
        let cell = Cell::Box { offsets: copied.offsets.clone() };
        self.copies.insert(copied.array, Copy { prefix, ..Copy::new(members, own, cell) });
        results
    }

    /// Combines the columns of each chunk, then the chunks; the result is in the first column of the first chunk.
    fn combine_results(
        &mut self,
        copied: &Copied,
        results: VariableId,
        canonical: &Canonical,
        setup: &mut Setup,
    ) {
        let mut ranges: Vec<Option<(Expression, Expression)>> = vec![None; copied.extents.len()];
        if canonical.form == Form::Columns {
            let chunk = self.fresh("chunk", Scalar::LONG, Vec::new());
            let column = self.fresh("column", Scalar::LONG, Vec::new());
            let cell = |column: Expression| {
                let inside = copied.iterators.iter().map(|k| iterated(*k));
                copied.element(results, [iterated(chunk), column].into_iter().chain(inside).collect())
            };
            let unused = copied.each(vec![copied.set(cell(iterated(column)))]);
            let unused = counting(column, canonical.width.clone(), number(COLUMNS), unused);
            // Loads that do not wait for each other: of so many columns at a time.
            let some = self.copy(copied, "some", vec![number(TOGETHER)]);
            let groups = self.copy(copied, "groups", vec![number(COLUMNS / TOGETHER)]);
            let [group, k] = ["group", "k"].map(|name| self.fresh(name, Scalar::LONG, Vec::new()));
            let element = |variable: VariableId, index: Expression| copied.element(variable, vec![index]);
            let of_group = add(multiply(iterated(group), number(TOGETHER)), iterated(k));
            let load = stored(element(some, iterated(k)), read(cell(of_group)));
            let of_group = vec![
                self.declared_copy(copied, some, false),
                Node::Loop(counting(k, number(0), number(TOGETHER), vec![load])),
                copied.neighbours(some, 0, Vec::new(), Vec::new()),
                stored(element(groups, iterated(group)), read(element(some, number(0)))),
            ];
            let all = vec![
                self.declared_copy(copied, groups, false),
                Node::Loop(counting(group, number(0), number(COLUMNS / TOGETHER), of_group)),
                copied.neighbours(groups, 0, Vec::new(), Vec::new()),
                stored(cell(number(0)), read(element(groups, number(0)))),
            ];
            let body = [Node::Loop(unused)].into_iter().chain(copied.each(all)).collect();
            let looped = Node::Loop(counting(chunk, number(0), canonical.chunks.clone(), body));
            setup.after.extend(self.by_threads(vec![looped], 1));
            ranges.insert(0, Some((number(0), number(1))));
        }
        let several = compare(BinaryOperator::Greater, canonical.chunks.clone(), number(1));
        let chunks = vec![copied.neighbours(results, 0, Vec::new(), ranges)];
        setup.after.extend(transform::where_executed(Some(several), chunks, copied.at));
    }

    /// A nest of so many loops, which are a kernel on a device.
    fn by_threads(&self, nodes: Vec<Node>, depth: usize) -> Vec<Node> {
        if self.choice.copies == Copies::Columns { parallel_nest(nodes, depth) } else { nodes }
    }

    /// The declaration of a copy, with its identity or without a value. A type that is written is that of the whole array.
    fn declared_copy(&mut self, copied: &Copied, variable: VariableId, has_value: bool) -> Node {
        let described = &mut self.out.variables[variable.0];
        if !described.declared_type.is_empty() {
            for extent in described.extents.iter().flatten().filter_map(constant) {
                described.declared_type += &format!("[{extent}]");
            }
        }
        let value = has_value.then(|| copied.identity.clone());
        Node::Declaration(Declaration { variable, value, at: copied.at })
    }

    /// A variable for copies of an array.
    fn copy(&mut self, copied: &Copied, what: &str, extents: Vec<Expression>) -> VariableId {
        let name = self.program.arrays[copied.array].name.replace('.', "_");
        let variable = self.fresh(&format!("{name}_{what}"), copied.scalar, extents);
        self.accumulates(variable, copied.operator, copied.computed_in);
        variable
    }
}

/// What has copies in the canonical order.
struct Copied {
    array: usize,
    operator: ReductionOperator,
    computed_in: Scalar,
    scalar: Scalar,
    at: Position,
    identity: Expression,
    /// Of an array: for each dimension the elements of a copy, an iterator, and the target's first subscript.
    extents: Vec<Expression>,
    iterators: Vec<VariableId>,
    offsets: Vec<Expression>,
}

impl Copied {
    fn element(&self, variable: VariableId, path: Vec<Expression>) -> Reference {
        let path = path.into_iter().map(Step::Index).collect();
        Reference { variable, path, scalar: self.scalar, at: self.at }
    }

    fn memory(&self, variable: VariableId) -> Node {
        Node::Private(Private { variable, operator: None, at: self.at })
    }

    fn set(&self, target: Reference) -> Node {
        stored(target, self.identity.clone())
    }

    fn combined(&self, target: Reference, source: Reference) -> Node {
        combine(self.operator, target, read(source), self.at)
    }

    /// Loops over the elements of a copy.
    fn each(&self, body: Vec<Node>) -> Vec<Node> {
        nest(&self.iterators, self.extents.iter().map(|extent| (number(0), extent.clone())), body)
    }

    fn neighbours(
        &self,
        source: VariableId,
        dimension: usize,
        indices: Vec<Expression>,
        ranges: Vec<Option<(Expression, Expression)>>,
    ) -> Node {
        Node::ReduceDimension(ReduceDimension {
            target: None,
            source,
            dimension,
            indices,
            ranges,
            mapped: Vec::new(),
            operator: self.operator,
            init: None,
            pairing: Pairing::Neighbours,
            at: self.at,
        })
    }
}
