//! The copies that a parallel loop needs, and how they are combined.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    counted::{Counted, counting},
    nodes::{combined_cell, iterated, nest, parallel_nest, read, reduced, stored},
    rewrite::combine,
    state::{Cell, Copies, Copy, Dimension, Ends, Failure, Plan, Privatizer, Scan, Setup, Value, rejected},
};
use crate::{
    analysis::{bounds::When, classes::Class},
    cost::policy::{ITERATIONS_OF_SCAN_PART, PARTS_OF_SCAN},
    ir::{
        BinaryOperator, Declaration, Expression, ExpressionKind, Loop, Node, Pairing, Position, Private,
        ReduceDimension, ReductionOperator, Reference, Statement, Step, Store, VariableId,
        arithmetic::{add, compare, constant, divide, greatest, least, multiply, number, subtract, value_of},
        compare::{mentions, same, same_reference, stripped},
        convert, for_each_loop_mut, operators,
        types::Scalar,
    },
    rules::{FloatOrder, Rule},
    transform,
};

impl<'r> Privatizer<'_, 'r> {
    /// A parallel loop with what it needs; `rest` are the nodes after it.
    pub(super) fn parallel(
        &mut self,
        index: usize,
        node: &'r Loop,
        rest: &'r [Node],
    ) -> Result<Vec<Node>, Failure> {
        self.check(index, node)?;
        let outermost = self.hoisted.is_none();
        if outermost {
            self.hoisted = Some(Vec::new());
        }
        let mut counted = self.counted(node)?;
        for part in [&mut counted.lower, &mut counted.end, &mut counted.step] {
            *part = self.expression(part);
        }
        let class = &self.classes[index];
        let reduced: Vec<(usize, Plan)> = class
            .reduced
            .iter()
            .map(|array| Ok((*array, self.plan(index, node, *array)?)))
            .collect::<Result<_, Failure>>()?;
        self.check_copies_around(index, node, &reduced)?;
        let scans: Vec<Scan> = class
            .scanned
            .iter()
            .map(|array| self.scan(index, node, *array))
            .collect::<Result<_, Failure>>()?;
        let shared =
            reduced.iter().all(|(_, plan)| matches!(plan, Plan::Shared | Plan::Clause | Plan::Found));
        // A device has no need of few workers for a last value.
        let keeps = |array: &usize| self.choice.copies != Copies::Device && class.kept.contains_key(array);
        let slices = !shared
            || !scans.is_empty()
            || class.privatized.iter().any(|array| keeps(array) || self.rank(*array) > 0);
        let before: BTreeSet<usize> = self.copies.keys().copied().collect();
        // Copies of loops around, while this one has copies of its own.
        let mut replaced: BTreeMap<usize, Copy> = BTreeMap::new();
        let mut setup = Setup::default();
        let mut canonical = None;
        let mut worker = None;
        if self.is_canonical(index, &reduced) {
            self.check_canonical(index, node, &reduced)?;
            canonical = Some(self.canonical(index, node, &counted, &mut setup));
            self.has_canonical = true;
        } else if slices && self.choice.copies != Copies::Iterations {
            worker = Some(self.worker(index, node, &counted, &mut setup));
        }
        let iterator = self.own_iterator(node);
        let scalar = self.program.region.variable(node.iterator).scalar;
        let own = Expression { kind: ExpressionKind::Iterator(iterator), scalar };
        let dimension = match (&worker, &mut canonical) {
            (Some((_, dimension)), _) => dimension.clone(),
            (None, Some(canonical)) => {
                let own = match canonical.declared_iterator() {
                    // What stands in the body is the variable's value.
                    true => {
                        let value = value_of(iterator, scalar);
                        self.iterators.insert(node.iterator, value.clone());
                        value
                    }
                    false => own.clone(),
                };
                canonical.set_column(&counted, own);
                canonical.dimension.clone()
            }
            (None, None) => {
                let sizes = self.sizes();
                Dimension::in_order(counted.trips(&sizes), counted.place(own.clone()))
            }
        };
        let values: Vec<Value> =
            scans.iter().map(|scan| self.begin_scan(node, scan, &counted, &dimension, &mut setup)).collect();
        let mut searched = BTreeSet::new();
        for (array, plan) in &reduced {
            match plan {
                Plan::Shared => self.share(index, *array),
                Plan::Clause => {
                    let copy = self.clause(index, node, *array, &mut setup)?;
                    replaced.extend(copy.map(|copy| (*array, copy)));
                }
                Plan::Own => match canonical.as_mut() {
                    Some(canonical) => self.own_in_order(index, node, *array, canonical, &mut setup)?,
                    None => self.own(index, node, rest, *array, &dimension, &mut setup)?,
                },
                Plan::Found => {
                    if searched.insert(self.group(index, *array)) {
                        self.find(index, node, *array, &mut setup)?;
                    }
                }
                Plan::Search => {
                    if searched.insert(self.group(index, *array)) {
                        self.search(index, node, *array, &dimension, &mut setup)?;
                    }
                }
            }
        }
        for array in class.privatized.clone() {
            let copy = self.private(index, node, array, &dimension, &mut setup)?;
            replaced.extend(copy.map(|copy| (array, copy)));
        }
        let condition = self.header(node, &own, &counted);
        let mut body = self.body(&node.body)?;
        self.finish(index, &mut setup);
        self.copies.retain(|array, copy| before.contains(array) || copy.ends.is_some());
        self.copies.extend(replaced);
        self.running.retain(|statement, _| !scans.iter().any(|scan| scan.statement == *statement));
        self.iterators.remove(&node.iterator);
        let mut out = Vec::new();
        let (lower, step) = (counted.lower.clone(), self.expression(&node.step));
        // Clauses of the input name variables that have copies now.
        let attributes = node.attributes.without_openmp();
        let results = canonical.as_ref().map(|canonical| canonical.results_of_elements.clone());
        let mut looped = match (&worker, canonical) {
            (None, Some(canonical)) => {
                let inner = Loop {
                    id: node.id,
                    iterator,
                    declares: true,
                    lower: counted.lower.clone(),
                    condition,
                    step,
                    parallel: false,
                    attributes,
                    body,
                    at: node.at,
                };
                canonical.looped(&counted, inner, scalar, &mut setup)
            }
            (None, None) => {
                body = setup.begin.into_iter().chain(body).chain(setup.end).collect();
                let lower = convert::convert(self.expression(&node.lower), scalar);
                Loop { iterator, declares: true, lower, condition, step, body, attributes, ..node.clone() }
            }
            (Some((worker, dimension)), _) => {
                let at =
                    |place: &Expression| add(lower.clone(), multiply(counted.step.clone(), place.clone()));
                let (first, past) = (worker.first.clone(), worker.past.clone());
                let relation = if counted.down { BinaryOperator::Greater } else { BinaryOperator::Less };
                let inner = Loop {
                    id: node.id,
                    iterator,
                    declares: true,
                    lower: convert::convert(at(&first), scalar),
                    condition: compare(relation, own, at(&past)),
                    step,
                    parallel: false,
                    attributes,
                    body,
                    at: node.at,
                };
                let body = match values.is_empty() {
                    true => setup.begin.into_iter().chain([Node::Loop(inner)]).chain(setup.end).collect(),
                    false => {
                        let (body, twice) =
                            self.passes(&scans, &values, worker.variable, dimension, inner, &mut setup)?;
                        self.twice.extend(twice.then_some(index));
                        body
                    }
                };
                let over_workers = counting(worker.variable, number(0), dimension.count.clone(), body);
                Loop { id: node.id, at: node.at, ..over_workers }
            }
        };
        looped.parallel = true;
        let after = setup.after;
        if outermost {
            out.extend(self.hoisted.take().unwrap_or_default());
        }
        out.extend(setup.before);
        match self.choice.least_work.filter(|_| results.is_some() && self.choice.copies == Copies::Workers) {
            Some(least) => out.push(self.by_one_or_several(index, looped, least)),
            None => out.push(Node::Loop(looped)),
        }
        out.extend(after);
        if outermost {
            out.extend(self.last_values(index, node)?);
        }
        let Some(least) = self.choice.least_work.filter(|_| outermost) else { return Ok(out) };
        let head = out.iter().take_while(|node| matches!(node, Node::Declaration(_))).count();
        let then = out.split_off(head);
        let condition = match &results {
            Some(results) => {
                self.enough.push(None);
                self.has_little_copies(index, &then, results)
            }
            None => self.is_worth_it(index, node, worker.map(|(_, dimension)| dimension), least, &then),
        };
        let Some(condition) = condition else {
            out.extend(then);
            return Ok(out);
        };
        let mut original = node.clone();
        original.parallel = false;
        original.attributes = original.attributes.without_openmp();
        in_order(&mut original.body);
        out.push(Node::either(condition, then, vec![Node::Loop(original)], node.at));
        Ok(out)
    }

    /// Whether the loop's class lets it be parallel.
    fn check(&self, index: usize, node: &Loop) -> Result<(), Failure> {
        let class = &self.classes[index];
        let name = &self.program.region.variable(node.iterator).name;
        // A copy for each iteration would take as long as the loop.
        let is_kept = class.class == Class::Scan && self.choice.copies == Copies::Iterations;
        if is_kept || class.class == Class::Sequential {
            let (rule, reason) = class.reason.clone().unwrap_or((Rule::Dependences, String::new()));
            let why = class.obstacle.as_ref().map_or(reason, ToString::to_string);
            return rejected(rule, node.at, format!("loop `{name}` cannot be parallel: {why}"));
        }
        for array in &class.privatized {
            let name = &self.program.arrays[*array].name;
            if class.uncovered.contains(array) {
                let reason = format!("an iteration reads elements of `{name}` that it has not written");
                return rejected(Rule::Dependences, node.at, reason);
            }
            if class.kept.get(array) == Some(&false) {
                let reason = format!("the last value of `{name}` is not that of the last iteration");
                return rejected(Rule::Liveness, node.at, reason);
            }
        }
        Ok(())
    }

    /// The loop over workers, and the declarations that it needs.
    fn worker(
        &mut self,
        index: usize,
        node: &Loop,
        counted: &Counted,
        setup: &mut Setup,
    ) -> (LoopPart, Dimension) {
        let name = self.program.region.variable(node.iterator).name.clone();
        let sizes = self.sizes();
        let trips = self.named(&format!("{name}_trips"), counted.trips(&sizes), &mut setup.before);
        let is_scan = !self.classes[index].scanned.is_empty();
        let parts = if is_scan && self.choice.order == FloatOrder::Fixed {
            let rounded = add(trips.clone(), number(ITERATIONS_OF_SCAN_PART - 1));
            least(number(PARTS_OF_SCAN), divide(rounded, number(ITERATIONS_OF_SCAN_PART)))
        } else {
            let per_worker = self.parts_per_worker(index, node);
            least(trips.clone(), multiply(self.workers(), number(per_worker)))
        };
        let count = self.named(&format!("{name}_parts"), parts, &mut setup.before);
        let variable = self.fresh(&format!("{name}_part"), Scalar::LONG, Vec::new());
        let index = Expression { kind: ExpressionKind::Iterator(variable), scalar: Scalar::LONG };
        let part = |index: Expression| divide(multiply(trips.clone(), index), count.clone());
        let first = self.named(&format!("{name}_first"), part(index.clone()), &mut setup.begin);
        let past = self.named(&format!("{name}_past"), part(add(index.clone(), number(1))), &mut setup.begin);
        (LoopPart { variable, first, past }, Dimension::in_order(count, index))
    }

    /// A value by a name, unless it is simple.
    pub(super) fn named(&mut self, name: &str, value: Expression, out: &mut Vec<Node>) -> Expression {
        let simple = match &stripped(&value).kind {
            ExpressionKind::Integer(_) => true,
            ExpressionKind::Read(reference) => reference.path.is_empty(),
            _ => false,
        };
        if simple {
            return value;
        }
        let variable = self.fresh(name, Scalar::LONG, Vec::new());
        out.push(Node::Declaration(Declaration { variable, value: Some(value), at: Position::default() }));
        value_of(variable, Scalar::LONG)
    }

    /// The condition of a parallel loop, in the form that OpenMP takes.
    fn header(&self, node: &Loop, own: &Expression, counted: &Counted) -> Expression {
        if let ExpressionKind::Binary(operator, left, _) = &node.condition.kind
            && operator.is_comparison()
            && left.kind == ExpressionKind::Iterator(node.iterator)
        {
            return self.expression(&node.condition);
        }
        let relation = if counted.down { BinaryOperator::Greater } else { BinaryOperator::Less };
        let end = convert::convert(counted.end.clone(), own.scalar);
        let kind = ExpressionKind::Binary(relation, Box::new(own.clone()), Box::new(end));
        Expression { kind, scalar: Scalar::INT }
    }

    /// The statements of a reduction reduce into the target itself, atomically.
    fn share(&mut self, index: usize, array: usize) {
        let operator = self.reductions(index, array).next().map(|reduction| reduction.operator);
        let shared_by = if self.omitted(array) { None } else { operator };
        let copy = self.original_copy(index, array, shared_by);
        self.copies.insert(array, copy);
    }

    /// The statements of a reduction reduce into a variable, which is combined with the target afterwards; returns the copy
    /// that it replaces, of a loop around.
    fn clause(
        &mut self,
        index: usize,
        node: &Loop,
        array: usize,
        setup: &mut Setup,
    ) -> Result<Option<Copy>, Failure> {
        let reduction = self.reductions(index, array).next().map(|reduction| reduction.operator);
        // A loop around that reduces has the variable already.
        let is_new = !self.copies.contains_key(&array) || self.has_copies_around(index, array);
        let Some(operator) = reduction.filter(|_| is_new) else { return Ok(None) };
        if self.omitted(array) {
            let copy = self.original_copy(index, array, None);
            return Ok(self.copies.insert(array, copy));
        }
        let target = &self.statements(index, array)[0].target;
        let scalar = target.scalar;
        let name = self.program.arrays[array].name.replace('.', "_");
        let own = self.fresh(&format!("{name}_all"), scalar, Vec::new());
        self.accumulates(own, operator, self.computed_in(index, array));
        let value = operators::identity(operator, scalar);
        let accessed = match operators::converts(operator, scalar) || !target.path.is_empty() {
            true => self.accessed(index, node, array, target)?,
            false => When::Always,
        };
        let target = self.reference(target);
        let combined = combine(operator, target, value_of(own, scalar), node.at);
        setup.before.push(Node::Declaration(Declaration { variable: own, value, at: node.at }));
        // If no iteration updates the element, there may be none.
        let condition = match accessed {
            When::Always => None,
            When::If(condition) => Some(condition),
            When::Unknown => operators::changes(operator, value_of(own, scalar)),
        };
        setup.after.extend(transform::where_executed(condition, vec![combined], node.at));
        let copy = self.original_copy(index, array, Some(operator));
        Ok(self.copies.insert(array, Copy { variable: own, cell: Cell::One, ..copy }))
    }

    /// A variable of the thread in place of an element.
    pub(super) fn keep(&mut self, index: usize, array: usize, variable: VariableId) {
        let copy = self.original_copy(index, array, None);
        self.copies.insert(array, Copy { variable, cell: Cell::One, ..copy });
    }

    /// The array itself in place of a copy.
    pub(super) fn original_copy(
        &self,
        index: usize,
        array: usize,
        shared_by: Option<ReductionOperator>,
    ) -> Copy {
        let variable = self.program.arrays[array].variable;
        Copy { shared_by, ..Copy::new(self.members(index, array), variable, Cell::Original) }
    }

    /// A private dimension for a reduction into an array.
    fn own(
        &mut self,
        index: usize,
        node: &'r Loop,
        rest: &'r [Node],
        array: usize,
        dimension: &Dimension,
        setup: &mut Setup,
    ) -> Result<(), Failure> {
        if let Some(copy) = self.copies.get_mut(&array) {
            if copy.ends.is_none() {
                return Ok(());
            }
            let level = copy.prefix.iter().take_while(|index| index.is_some()).count();
            copy.prefix[level] = Some(dimension.index.clone());
            return Ok(());
        }
        if self.omitted(array) {
            let copy = self.original_copy(index, array, None);
            self.copies.insert(array, copy);
            return Ok(());
        }
        let program = self.program;
        let members = self.members(index, array);
        let operator = self.reductions(index, array).next().map(|reduction| reduction.operator);
        let Some(operator) = operator else { return Ok(()) };
        let target = self.statements(index, array)[0].target.clone();
        let scalar = target.scalar;
        let Some(identity) = operators::identity(operator, scalar) else { return Ok(()) };
        let levels = self.levels(index, array);
        let name = program.arrays[array].name.replace('.', "_");
        let rewritten = self.original(&target);
        if self.choice.copies != Copies::Iterations && levels.len() == 1 && self.is_one(index, array) {
            let own = self.fresh(&format!("{name}_own"), scalar, Vec::new());
            self.accumulates(own, operator, self.computed_in(index, array));
            setup.begin.push(Node::Declaration(Declaration {
                variable: own,
                value: Some(identity.clone()),
                at: node.at,
            }));
            self.copies.insert(array, Copy::new(members, own, Cell::One));
            if self.choice.atomic.contains(&index) {
                setup.end.push(reduced(operator, rewritten, value_of(own, scalar)));
                return Ok(());
            }
            let parts = self.fresh(&format!("{name}_of"), scalar, vec![dimension.count.clone()]);
            self.accumulates(parts, operator, self.computed_in(index, array));
            setup.before.push(Node::Private(Private { variable: parts, operator: None, at: node.at }));
            let part = |index: Expression| Reference {
                variable: parts,
                path: vec![Step::Index(index)],
                scalar,
                at: node.at,
            };
            setup.end.push(stored(part(dimension.index.clone()), value_of(own, scalar)));
            let accessed = match operators::converts(operator, scalar) {
                true => self.accessed(index, node, array, &target)?,
                false => When::Unknown,
            };
            if rewritten.path.is_empty() {
                let reduce = Node::ReduceDimension(ReduceDimension {
                    target: Some(rewritten.variable),
                    source: parts,
                    dimension: 0,
                    indices: Vec::new(),
                    ranges: Vec::new(),
                    mapped: Vec::new(),
                    operator,
                    init: None,
                    pairing: Pairing::InOrder,
                    at: node.at,
                });
                let condition = match accessed {
                    When::If(condition) => Some(condition),
                    _ => None,
                };
                setup.after.extend(transform::where_executed(condition, vec![reduce], node.at));
            } else {
                let each = self.fresh(&format!("{name}_part"), Scalar::LONG, Vec::new());
                let index = Expression { kind: ExpressionKind::Iterator(each), scalar: Scalar::LONG };
                let value = read(part(index));
                let changes = match accessed {
                    When::Always => None,
                    When::If(condition) => Some(condition),
                    When::Unknown => operators::changes(operator, value.clone()),
                };
                let body = transform::where_executed(
                    changes,
                    vec![combine(operator, rewritten, value, node.at)],
                    node.at,
                );
                let looped = counting(each, number(0), dimension.count.clone(), body);
                setup.after.push(Node::Loop(looped));
            }
            return Ok(());
        }
        let mut counts = vec![dimension.count.clone()];
        for loops in levels.iter().skip(1) {
            counts.push(self.count_of(loops, index, node.at)?);
        }
        let Some((bounds, when, whenever)) = self.extent(index, array)? else {
            return rejected(Rule::Subscripts, node.at, format!("the elements of `{name}` are not known"));
        };
        let bounds: Vec<_> =
            bounds.into_iter().map(|(begin, end)| (self.expression(&begin), self.expression(&end))).collect();
        let declared = self.declared_extents(array);
        let whole = declared.is_some() && self.choice.copies == Copies::Iterations;
        let one = number(1);
        let extents = match &declared {
            Some(declared) if whole => declared.clone(),
            _ => bounds
                .iter()
                .map(|(begin, end)| greatest(subtract(end.clone(), begin.clone()), one.clone()))
                .collect(),
        };
        let offsets: Vec<_> = match whole {
            true => vec![number(0); bounds.len()],
            false => bounds.iter().map(|(begin, _)| begin.clone()).collect(),
        };
        let ranges = bounds.iter().zip(&extents).map(|(bounds, extent)| {
            let all = constant(&bounds.0) == Some(0) && bounds.1 == *extent;
            (whole && !all).then(|| bounds.clone())
        });
        let ranges = ranges.collect();
        let shape: Vec<_> = counts.iter().chain(&extents).cloned().collect();
        let suffix = if self.choice.copies == Copies::Iterations { "1" } else { "of" };
        let variable = self.fresh(&format!("{name}_{suffix}"), scalar, shape.clone());
        self.accumulates(variable, operator, self.computed_in(index, array));
        let filled = self.choice.copies == Copies::Iterations;
        let node_of = Node::Private(Private { variable, operator: filled.then_some(operator), at: node.at });
        let hoistable = filled
            && !shape.iter().any(|extent| self.mentions_iterators(extent))
            && self.only_parallel_around(index);
        match &mut self.hoisted {
            Some(hoisted) if hoistable => hoisted.push(node_of),
            _ => setup.before.push(node_of),
        }
        if !filled {
            let rest: Vec<_> = shape[1..].to_vec();
            let fill = self.fill(variable, scalar, &dimension.index, &rest, identity, node.at);
            setup.begin.extend(fill);
        }
        let certain = whole
            || members.iter().all(|member| program.is_certain(&program.accesses[*member]))
            || self.program.arrays[array].members.is_empty() && declared.is_some();
        let condition = match when {
            When::If(condition) if !whenever => Some(self.expression(&condition)),
            _ => None,
        };
        let last = self.last_sharing(index, array, &counts, rest);
        let ends = Ends {
            last,
            operator,
            target,
            ranges,
            extents,
            init: self.initial(index, array)?,
            condition,
            certain,
        };
        let mut prefix = vec![None; counts.len()];
        prefix[0] = Some(dimension.index.clone());
        let members = (index..=last).flat_map(|looped| self.members(looped, array)).collect();
        let copy =
            Copy { prefix, ends: Some(ends.clone()), ..Copy::new(members, variable, Cell::Box { offsets }) };
        self.copies.insert(array, copy);
        if self.choice.atomic.contains(&index) {
            let nodes = self.combined(array, &ends, Some(dimension.index.clone()));
            setup.end.extend(nodes);
        }
        Ok(())
    }

    fn mentions_iterators(&self, value: &Expression) -> bool {
        match &value.kind {
            ExpressionKind::Iterator(_) => true,
            ExpressionKind::Unary(_, inner) | ExpressionKind::Cast(inner) => self.mentions_iterators(inner),
            ExpressionKind::Binary(_, left, right) => {
                self.mentions_iterators(left) || self.mentions_iterators(right)
            }
            ExpressionKind::Select(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().any(|part| self.mentions_iterators(part))
            }
            _ => false,
        }
    }

    /// The copies that the greatest of inner loops needs.
    fn count_of(&mut self, loops: &[usize], index: usize, at: Position) -> Result<Expression, Failure> {
        if self.choice.copies != Copies::Iterations {
            return Ok(self.workers());
        }
        let sizes = self.sizes();
        let mut most: Option<Expression> = None;
        for looped in loops {
            let count = self.counted(self.program.loops[*looped].node)?.trips(&sizes);
            let inner = self.program.loops.iter().filter(|other| other.around.contains(&index));
            let inner: Vec<_> = inner.map(|other| other.node.iterator).collect();
            if mentions(&count, &|iterator| {
                inner.contains(&iterator) || iterator == self.program.loops[index].node.iterator
            }) {
                let reason = "the number of copies for a loop inside depends on the iterators around it";
                return rejected(Rule::Model, at, reason);
            }
            most = Some(most.map_or(count.clone(), |most| greatest(most, count)));
        }
        Ok(most.unwrap_or_else(|| number(1)))
    }

    /// Loops that set a worker's copy to a value.
    pub(super) fn fill(
        &mut self,
        variable: VariableId,
        scalar: Scalar,
        part: &Expression,
        extents: &[Expression],
        value: Expression,
        at: Position,
    ) -> Vec<Node> {
        let iterators: Vec<VariableId> =
            extents.iter().map(|_| self.fresh("k", Scalar::LONG, Vec::new())).collect();
        let mut path = vec![Step::Index(part.clone())];
        path.extend(iterators.iter().map(|iterator| Step::Index(iterated(*iterator))));
        let set = stored(Reference { variable, path, scalar, at }, value);
        nest(&iterators, extents.iter().map(|extent| (number(0), extent.clone())), vec![set])
    }

    /// The last of the loops that follow and share the copies: nothing between accesses the array.
    fn last_sharing(&self, index: usize, array: usize, counts: &[Expression], rest: &'r [Node]) -> usize {
        let mut last = index;
        if self.choice.copies != Copies::Iterations || self.choice.atomic.contains(&index) {
            return last;
        }
        let inside = |looped: usize| {
            let loops = &self.program.loops;
            1 + loops.iter().filter(|other| other.around.contains(&looped)).count()
        };
        let mut next = index + inside(index);
        let sizes = self.sizes();
        for node in rest {
            let Node::Loop(looped) = node else { break };
            let current = next;
            next += inside(current);
            let accessed = self.program.accesses_in(current, array).next().is_some();
            if !accessed {
                continue;
            }
            let same_group = self.group(current, array) == self.group(index, array);
            let conflicts = self.is_chosen(current) && self.classes[current].reduced.contains(&array);
            let count = Counted::of(looped).map(|counted| counted.trips(&sizes));
            let same_count = count.is_some_and(|count| same(&count, &counts[0], None));
            let only = self.members(current, array).len() == self.program.accesses_in(current, array).count();
            if !(same_group && conflicts && same_count && only && counts.len() == 1)
                || self.levels(current, array).len() != 1
            {
                break;
            }
            last = current;
        }
        last
    }

    /// The initial value of reductions in seed 000's form, which the target is set to, if they all have the same one and
    /// nothing else has stored to the array before.
    pub(super) fn initial(&self, index: usize, array: usize) -> Result<Option<Expression>, Failure> {
        let statements = self.statements(index, array);
        let initial = |statement: &&'r Statement| match &statement.store {
            Store::Reduce { init, .. } => {
                let own = matches!(&init.kind, ExpressionKind::Read(read) if same_reference(read, &statement.target, None));
                (!own).then_some(init)
            }
            _ => None,
        };
        let values: Vec<_> = statements.iter().map(initial).collect();
        let Some(Some(first)) = values.first() else {
            let mixed = values.iter().any(Option::is_some);
            return match mixed {
                true => {
                    rejected(Rule::Operators, statements[0].at, "only some reductions have an initial value")
                }
                false => Ok(None),
            };
        };
        let alike = values.iter().all(|value| value.is_some_and(|value| same(value, first, None)));
        let sequential_around =
            self.program.loops[index].around.iter().any(|around| !self.is_chosen(*around));
        let first_access = self.program.accesses_in(index, array).min();
        let before = self
            .program
            .accesses
            .iter()
            .enumerate()
            .any(|(place, access)| access.array == array && access.write && Some(place) < first_access);
        if !alike || sequential_around || before {
            let reason = "the initial value counts only where nothing was stored before; \
                          leave it out to accumulate, or store it before the loops";
            return rejected(Rule::Operators, statements[0].at, reason);
        }
        Ok(Some((*first).clone()))
    }

    /// Ends the private dimensions of a loop.
    fn finish(&mut self, index: usize, setup: &mut Setup) {
        let arrays: Vec<usize> = self.copies.keys().copied().collect();
        for array in arrays {
            if !self.classes[index].reduced.contains(&array) {
                continue;
            }
            let Some(copy) = self.copies.get_mut(&array) else { continue };
            let Some(ends) = copy.ends.clone() else { continue };
            let level = copy.prefix.iter().filter(|index| index.is_some()).count().saturating_sub(1);
            copy.prefix[level] = None;
            if level > 0 {
                let indices = copy.prefix[..level].iter().flatten().cloned().collect();
                let source = copy.variable;
                let inner = copy.prefix.len() - level - 1;
                let ranges = vec![Some((number(0), number(1))); inner];
                let ranges: Vec<_> = ranges.into_iter().chain(ends.ranges.iter().cloned()).collect();
                setup.after.push(Node::ReduceDimension(ReduceDimension {
                    target: None,
                    source,
                    dimension: level,
                    indices,
                    ranges,
                    mapped: Vec::new(),
                    operator: ends.operator,
                    init: None,
                    pairing: Pairing::InOrder,
                    at: Position::default(),
                }));
            } else if ends.last == index {
                let nodes = match self.choice.atomic.contains(&index) {
                    true => Vec::new(),
                    false => self.combined(array, &ends, None),
                };
                setup.after.extend(match &ends.condition {
                    Some(condition) if !nodes.is_empty() => {
                        vec![Node::guarded(condition.clone(), nodes, ends.target.at)]
                    }
                    _ => nodes,
                });
                self.copies.remove(&array);
            }
        }
    }

    /// Combines copies with their target: all of them, or one of them atomically.
    fn combined(&mut self, array: usize, ends: &Ends, one: Option<Expression>) -> Vec<Node> {
        let copy = &self.copies[&array];
        let (source, levels) = (copy.variable, copy.prefix.len());
        let offsets = match &copy.cell {
            Cell::Box { offsets } => offsets.clone(),
            Cell::Original | Cell::One | Cell::Member(_) | Cell::Afterwards => Vec::new(),
        };
        let rank = offsets.len();
        let plain = offsets.iter().all(|offset| constant(offset) == Some(0))
            && ends.target.members().next().is_none()
            && ends.certain
            && one.is_none();
        if plain {
            let whole = self.declared_extents(array);
            let part = |place: usize| {
                // A copy that is smaller than the array has all of its elements.
                let bounded = whole.as_ref().is_some_and(|whole| whole.len() > place);
                ends.ranges[place].clone().filter(|_| bounded)
            };
            let inner = vec![Some((number(0), number(1))); levels - 1];
            return vec![Node::ReduceDimension(ReduceDimension {
                target: Some(ends.target.variable),
                source,
                dimension: 0,
                indices: Vec::new(),
                ranges: inner.into_iter().chain((0..rank).map(part)).collect(),
                mapped: (levels..levels + rank).collect(),
                operator: ends.operator,
                init: ends.init.clone(),
                pairing: Pairing::InOrder,
                at: ends.target.at,
            })];
        }
        let name = self.program.arrays[array].name.replace('.', "_");
        let part = self.fresh(&format!("{name}_part"), Scalar::LONG, Vec::new());
        let iterators: Vec<VariableId> =
            (0..rank).map(|_| self.fresh("k", Scalar::LONG, Vec::new())).collect();
        let mut copy = vec![one.clone().unwrap_or_else(|| iterated(part))];
        copy.extend((1..levels).map(|_| number(0)));
        let target = (ends.operator, &ends.target, ends.certain);
        let body = combined_cell(target, source, copy, &offsets, &iterators, one.is_some());
        let cells = ends.extents.iter().map(|extent| (number(0), extent.clone()));
        if one.is_some() {
            return nest(&iterators, cells, body);
        }
        let count = self.out.variable(source).extents[0].clone().unwrap_or_else(|| number(0));
        if self.choice.copies == Copies::Device {
            // An element is a thread's.
            let nodes = nest(&iterators, cells, vec![Node::Loop(counting(part, number(0), count, body))]);
            return parallel_nest(nodes, iterators.len());
        }
        let inner = nest(&iterators, cells, body);
        vec![Node::Loop(counting(part, number(0), count, inner))]
    }

    /// Whether the threads of a parallel loop around have copies of what each of its iterations writes.
    fn has_copies_around(&self, index: usize, array: usize) -> bool {
        let mut around = self.program.loops[index].around.iter();
        around.any(|other| self.is_chosen(*other) && self.classes[*other].privatized.contains(&array))
    }

    /// Rejects a loop that would need copies of such copies, other than of a variable: the last value of one, and the
    /// combined value of a clause, go into the copy around.
    fn check_copies_around(
        &self,
        index: usize,
        node: &Loop,
        reduced: &[(usize, Plan)],
    ) -> Result<(), Failure> {
        let reduced = reduced.iter().filter(|(_, plan)| *plan != Plan::Clause).map(|(array, _)| *array);
        let privatized = self.classes[index].privatized.iter().copied().filter(|array| self.rank(*array) > 0);
        match reduced.chain(privatized).find(|array| self.has_copies_around(index, *array)) {
            None => Ok(()),
            Some(array) => {
                let name = &self.program.arrays[array].name;
                let reason = format!("the threads of a loop around have copies of `{name}`");
                rejected(Rule::Dependences, node.at, reason)
            }
        }
    }
}

/// The loop over workers.
struct LoopPart {
    variable: VariableId,
    first: Expression,
    past: Expression,
}

/// Loops that were to be parallel with copies are not parallel without them.
fn in_order(nodes: &mut [Node]) {
    for_each_loop_mut(nodes, |looped| {
        looped.parallel &= looped.attributes.has_openmp();
    });
}
