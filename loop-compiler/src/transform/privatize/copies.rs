//! The copies that a parallel loop needs, and how they are combined.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    counted::{Counted, counting, not_clamped},
    nodes::{combined_cell, iterated, nest, parallel_nest, read, reduced, stored},
    rewrite::{combine, combined_value},
    state::{Cell, Copies, Copy, Dimension, Ends, Failure, Plan, Privatizer, Scan, Setup, Value, rejected},
};
use crate::{
    analysis::{
        bounds::{self, Extent, When},
        classes::{Class, cells},
        detect::ReductionLike,
        program::{Access, Action},
    },
    cost::policy::{
        ITERATIONS_OF_CALL, ITERATIONS_OF_SCAN_PART, PARTS_IN_TURN, PARTS_OF_SCAN, STATEMENTS_OF_ELEMENT,
        UNTIL_BREAK, WORKERS_IN_TURN, WORKERS_OF_TWO_PASSES, WORKERS_OF_UNEVEN,
    },
    ir::{
        BinaryOperator, Declaration, Expression, ExpressionKind, Loop, Mark, Node, Pairing, Position,
        Private, ReduceDimension, ReductionOperator, Reference, Statement, Step, Storage, Store, VariableId,
        arithmetic::{
            add, and, any_of, compare, constant, divide, greatest, least, multiply, number, subtract,
            value_of,
        },
        compare::{conjuncts, mentions, same, same_reference, stripped},
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

    /// When a parallel loop is worth it, and not the original; `then` is what it needs.
    fn is_worth_it(
        &mut self,
        index: usize,
        node: &'r Loop,
        workers: Option<Dimension>,
        least: u64,
        then: &[Node],
    ) -> Option<Expression> {
        let enough = self.has_enough(index, least);
        let is_whole =
            self.program.loops.iter().all(|facts| facts.node.at == node.at || !facts.around.is_empty());
        let known = self.is_known_before(&enough);
        self.enough.push(Some(enough.clone()).filter(|_| known));
        // Then the test of the region is this one.
        let is_tested = self.choice.is_tested && (is_whole || (known && self.outermost() == 1));
        let mut condition = Some(enough).filter(|_| !is_tested);
        if let Some(workers) = workers.filter(|_| self.choice.copies == Copies::Workers) {
            let in_turn = self.parts_per_worker(index, node);
            let reduces = !self.classes[index].reduced.is_empty();
            let few = match (self.updates_in_turn(index), self.twice.contains(&index)) {
                (true, _) => WORKERS_IN_TURN,
                (false, true) => WORKERS_OF_TWO_PASSES,
                (false, false) if reduces && node.is_uneven() && in_turn == 1 => WORKERS_OF_UNEVEN,
                (false, false) => in_turn,
            };
            let several = compare(BinaryOperator::Greater, workers.count, number(few));
            condition = and(condition, Some(several));
        }
        match self.has_little_copies(index, then, &[]) {
            Some(little) => and(condition, Some(little)),
            None => condition,
        }
    }

    /// When setting and combining copies of arrays is little beside the work of a loop; none if there are none. Results of single
    /// elements are none.
    fn has_little_copies(
        &mut self,
        index: usize,
        nodes: &[Node],
        results: &[VariableId],
    ) -> Option<Expression> {
        let mut little: Vec<Expression> = Vec::new();
        for node in nodes {
            let Node::Private(private) = node else { continue };
            let extents = self.out.variable(private.variable).extents.iter().flatten().cloned();
            let shape: Vec<_> = extents.collect();
            if shape.len() > 1
                && !results.contains(&private.variable)
                && let Some(cells) =
                    product(shape.into_iter().chain([number(STATEMENTS_OF_ELEMENT)]).collect())
                && !little.iter().any(|other| same(other, &cells, None))
            {
                little.push(cells);
            }
        }
        let (factors, _) = self.work(index);
        let work = product(factors).unwrap_or_else(|| float(1.0));
        little.into_iter().fold(None, |all, cells| and(all, Some(at_least(work.clone(), cells))))
    }

    /// When a loop executes at least so many statements.
    fn has_enough(&mut self, index: usize, least: u64) -> Expression {
        let (factors, statements) = self.work(index);
        are_at_least(&factors, (least as f64 / statements as f64).ceil())
    }

    /// A loop by several threads if there is enough work, and otherwise the same one by one thread.
    fn by_one_or_several(&mut self, index: usize, looped: Loop, least: u64) -> Node {
        let condition = self.has_enough(index, least);
        let one = Loop { parallel: false, ..looped.clone() };
        let at = looped.at;
        Node::either(condition, vec![Node::Loop(looped)], vec![Node::Loop(one)], at)
    }

    /// Whether a statement of a loop updates elements in turn, a power of two of them.
    fn updates_in_turn(&self, index: usize) -> bool {
        fn in_turn(value: &Expression, iterator: VariableId) -> bool {
            match &value.kind {
                ExpressionKind::Binary(BinaryOperator::Remainder, left, right) => {
                    left.mentions(iterator)
                        && constant(right).is_some_and(|count| count > 1 && count & (count - 1) == 0)
                }
                ExpressionKind::Binary(_, left, right) => in_turn(left, iterator) || in_turn(right, iterator),
                ExpressionKind::Cast(inner) => in_turn(inner, iterator),
                _ => false,
            }
        }
        let iterator = self.program.loops[index].node.iterator;
        let mut inside = self.program.statements.iter().filter(|facts| facts.around.contains(&index));
        inside.any(|facts| match facts.action {
            Action::Statement(statement) => {
                let is_target = |id: VariableId| id == statement.target.variable;
                (statement.store != Store::Assign || mentions(&statement.value, &is_target))
                    && statement.target.subscripts().any(|subscript| in_turn(subscript, iterator))
            }
            _ => false,
        })
    }

    /// How many parallel loops are in no other one.
    fn outermost(&self) -> usize {
        let chosen = |index: &usize| self.choice.loops.contains(index);
        let around = |index: usize| &self.program.loops[index].around;
        self.choice.loops.iter().filter(|index| !around(**index).iter().any(chosen)).count()
    }

    /// Whether the region changes nothing that an expression reads.
    fn is_known_before(&self, value: &Expression) -> bool {
        let program = self.program;
        let mut changed: BTreeSet<VariableId> =
            program.loops.iter().map(|facts| facts.node.iterator).collect();
        changed.extend(program.statements.iter().filter_map(|facts| match facts.action {
            Action::Statement(statement) => Some(statement.target.variable),
            Action::Declaration(declaration) => Some(declaration.variable),
            _ => None,
        }));
        let mut known = true;
        known &= value.iterators().next().is_none();
        value.visit_reads(&mut |read| {
            let storage = self.out.variable(read.variable).storage;
            known &= read.path.is_empty() && storage != Storage::Region && !changed.contains(&read.variable);
        });
        known
    }

    /// The trip counts of a loop and of those inside, along the longest nest, and the statements of that nest's body.
    fn work(&mut self, index: usize) -> (Vec<Expression>, usize) {
        let program = self.program;
        let inside: Vec<usize> = (0..program.loops.len())
            .filter(|other| *other == index || program.loops[*other].around.contains(&index))
            .collect();
        let deepest = inside
            .iter()
            .copied()
            .max_by_key(|other| (program.loops[*other].around.len(), std::cmp::Reverse(*other)));
        let around = deepest.map_or_else(Vec::new, |deepest| {
            program.loops[deepest].around.iter().copied().chain([deepest]).collect()
        });
        let outer = self.iterators.clone();
        let sizes = self.sizes();
        let mut factors = Vec::new();
        for looped in around.into_iter().skip_while(|other| *other != index) {
            let node = program.loops[looped].node;
            let Some(counted) = Counted::of(node) else { continue };
            let changed = program.arrays_changed_in(index);
            let count = counted.of_tile().map_or_else(|| counted.trips(&sizes), number);
            let mut known = true;
            count.visit_reads(&mut |read| {
                known &= read.path.is_empty()
                    && program.region.variable(read.variable).storage != Storage::Region
                    && !changed.iter().any(|array| program.arrays[*array].variable == read.variable);
            });
            if known {
                let executed = match looped != index && transform::has_break(&node.body) {
                    true => least(count, number(UNTIL_BREAK)),
                    false => count,
                };
                factors.push(self.expression(&executed));
            }
            // Inner counts are those in the middle.
            let middle = divide(add(counted.lower, counted.end), number(2));
            let scalar = program.region.variable(node.iterator).scalar;
            let middle = convert::convert(self.expression(&middle), scalar);
            self.iterators.insert(node.iterator, middle);
        }
        self.iterators = outer;
        let depth = deepest.map_or(0, |deepest| program.loops[deepest].around.len() + 1);
        let statements = program.statements.iter().filter(|facts| {
            facts.around.contains(&index)
                && facts.around.len() >= depth
                && matches!(facts.action, Action::Statement(_) | Action::Declaration(_))
        });
        let count = statements.count().max(1);
        (factors, count)
    }

    /// See [`Privatized::several`](super::Privatized::several).
    pub(super) fn several(&mut self) -> Option<Expression> {
        let mut nests = Vec::new();
        for index in 0..self.program.loops.len() {
            if !self.program.loops[index].around.is_empty() {
                continue;
            }
            let (factors, _) = self.work(index);
            let several = are_several(&factors);
            if factors.iter().all(|factor| constant(factor).is_some()) || !self.is_known_before(&several) {
                return None;
            }
            nests.push(factors);
        }
        let depths: BTreeSet<usize> = nests.iter().map(|factors| factors.len().min(2)).collect();
        if depths.len() < 2 {
            return any_of(nests.iter().map(|factors| are_several(factors)));
        }
        // Compilers must not learn that a length is below 32 where it is not the work that counts: clang 22 took vectors of
        // other lengths for the inner loops of 20 iterations then, which took 5 to 7 % longer.
        let mut terms: Vec<Expression> = Vec::new();
        for factors in &nests {
            let single = (factors.len() < 2).then(|| float(ITERATIONS_OF_CALL as f64));
            let product = product(factors.clone()).unwrap_or_else(|| float(1.0));
            let term =
                single.into_iter().fold(product, |all, one| in_double(BinaryOperator::Multiply, all, one));
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
        let all = terms.into_iter().reduce(|left, right| in_double(BinaryOperator::Add, left, right))?;
        Some(at_least(all, float(ITERATIONS_OF_CALL.pow(2) as f64)))
    }

    /// The statements of the whole region, about.
    pub(super) fn whole_work(&mut self) -> Expression {
        let program = self.program;
        let mut all: Option<Expression> = None;
        for index in 0..program.loops.len() {
            if !program.loops[index].around.is_empty() {
                continue;
            }
            let (factors, statements) = self.work(index);
            let number = float(statements as f64);
            let work = match product(factors) {
                Some(factors) if statements == 1 => factors,
                Some(factors) => in_double(BinaryOperator::Multiply, factors, number),
                None => number,
            };
            all = Some(match all {
                Some(all) => in_double(BinaryOperator::Add, all, work),
                None => work,
            });
        }
        all.unwrap_or_else(|| float(0.0))
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

    fn rank(&self, array: usize) -> usize {
        let accesses = &self.program.accesses;
        let access = accesses.iter().find(|access| access.array == array);
        access.map_or(0, |access| access.reference.subscripts().count())
    }

    /// The reductions inside a loop that update an array.
    pub(super) fn reductions(&self, index: usize, array: usize) -> impl Iterator<Item = &ReductionLike> {
        let accesses = &self.program.accesses;
        let groups = &self.classes[index].groups;
        self.detected.reductions.iter().filter(move |reduction| {
            groups.contains(&reduction.group)
                && reduction.members.iter().any(|member| {
                    accesses[*member].array == array && accesses[*member].around.contains(&index)
                })
        })
    }

    fn group(&self, index: usize, array: usize) -> Option<usize> {
        self.reductions(index, array).next().map(|reduction| reduction.group)
    }

    /// The accesses of a reduction to an array inside a loop.
    pub(super) fn members(&self, index: usize, array: usize) -> BTreeSet<usize> {
        let members = self.reductions(index, array).flat_map(|reduction| reduction.members.iter().copied());
        let accesses = &self.program.accesses;
        members
            .filter(|member| accesses[*member].array == array && accesses[*member].around.contains(&index))
            .collect()
    }

    fn plan(&self, index: usize, node: &Loop, array: usize) -> Result<Plan, Failure> {
        let name = self.program.arrays[array].name.clone();
        let mut reductions = self.reductions(index, array);
        let Some(first) = reductions.next() else {
            return rejected(Rule::Dependences, node.at, format!("the reduction into `{name}` is not known"));
        };
        let (operator, group) = (first.operator, first.group);
        if reductions.any(|other| other.group != group) {
            let reason = format!("several reductions update `{name}`");
            return rejected(Rule::Operators, node.at, reason);
        }
        let members = self.members(index, array);
        let others: Vec<usize> =
            self.program.accesses_in(index, array).filter(|access| !members.contains(access)).collect();
        let outer = &self.program.loops[index].around;
        let inside: Vec<usize> = members.iter().copied().collect();
        if let Some(other) = others.first()
            && !cells(self.program, self.context, outer, &inside)?
                .intersect(cells(self.program, self.context, outer, &others)?)?
                .is_empty()?
        {
            let line = self.program.accesses[*other].reference.at.line;
            let reason = format!("line {line} accesses `{name}` besides the reduction");
            return rejected(Rule::Dependences, node.at, reason);
        }
        let store = members.iter().map(|member| &self.program.accesses[*member]).find(|access| access.write);
        let Some(store) = store else {
            return rejected(Rule::Dependences, node.at, format!("nothing stores to `{name}`"));
        };
        let scalar = store.reference.scalar;
        use ReductionOperator as R;
        // A person may want copies: in the memory of a block. Those of teams, whose threads divide loops inside, come later:
        // see `team_copies`.
        let wants_copies = node.attributes.has(Mark::Shared) && !self.is_of_teams(index);
        let shares = self.choice.copies == Copies::Device && !wants_copies;
        if matches!(operator, R::First | R::Last | R::ArgMin | R::ArgMax) {
            let combined = shares && self.is_combined(index, array);
            return Ok(if combined { Plan::Found } else { Plan::Search });
        }
        // Combining with the identity makes 1 of 5.
        let converts = operators::converts(operator, scalar);
        let one = self.is_one(index, array);
        let is_unknown = |accessed| matches!(accessed, When::Unknown);
        if converts && (!one || is_unknown(self.accessed(index, node, array, store.reference)?)) {
            let reason = format!(
                "`{name}` becomes 0 or 1 if an iteration updates it, and whether one does is not known: declare it _Bool"
            );
            return rejected(Rule::Operators, node.at, reason);
        }
        let order = self.choice.order;
        self.may_reorder(node, &name, operator, scalar, self.follows_comparison(index, array))?;
        let statements: Vec<&Statement> = self.statements(index, array);
        let forms = statements.iter().all(|statement| combined_value(statement, operator).is_some());
        // A clause of OpenMP: scalars, where the order is of no meaning and sums do not overflow.
        let signed_sum = matches!(scalar, Scalar::Integer { signed: true, .. })
            && matches!(operator, R::Add | R::Multiply);
        let plain = store.reference.path.is_empty();
        let clause = order == FloatOrder::Free && plain && forms && !signed_sum && scalar != Scalar::Bool;
        if self.choice.copies == Copies::Workers
            && clause
            && !converts
            && self.levels(index, array).len() == 1
            && self.classes[index].reduced.len() == 1
        {
            return Ok(Plan::Shared);
        }
        let limited = operator.is_extreme();
        let simple =
            !matches!(scalar, Scalar::Complex { .. } | Scalar::Bool | Scalar::Integer { bits: 128, .. });
        // Of zeros with different signs, a clause may take another one than the program.
        let any_order = !scalar.is_float() || order == FloatOrder::Free;
        let clause = simple && (any_order || !limited) && (forms || limited);
        if shares && one && clause {
            return Ok(Plan::Clause);
        }
        let atomic = simple && !operator.is_of_numbers() && !matches!(operator, R::LogicalAnd | R::LogicalOr);
        let atomic = forms && atomic && (!scalar.is_float() || order == FloatOrder::Free);
        if shares && atomic {
            return Ok(Plan::Shared);
        }
        let bounded = one || self.extent(index, array)?.is_some();
        if bounded || self.choice.omitted.contains(&name) {
            return Ok(Plan::Own);
        }
        if atomic {
            return Ok(Plan::Shared);
        }
        let reason =
            format!("how many elements of `{name}` the loop updates is not known; declare it as an array");
        rejected(Rule::Subscripts, node.at, reason)
    }

    /// Whether a loop has parallel loops inside, and none around it.
    fn is_of_teams(&self, index: usize) -> bool {
        let loops = &self.program.loops;
        let is_parallel = |index: &usize| self.choice.loops.contains(index);
        let has_inside = self.choice.loops.iter().any(|other| loops[*other].around.contains(&index));
        has_inside && !loops[index].around.iter().any(is_parallel)
    }

    /// Whether values of a type may be combined in another order; `strict` is what [`Self::follows_comparison`] says.
    pub(super) fn may_reorder(
        &self,
        node: &Loop,
        name: &str,
        operator: ReductionOperator,
        scalar: Scalar,
        strict: bool,
    ) -> Result<(), Failure> {
        use ReductionOperator as R;
        let kept = scalar.is_float() && self.choice.order == FloatOrder::Kept;
        if kept && matches!(operator, R::Add | R::Multiply) {
            let reason = format!("sums and products of floats keep their order, that of `{name}`, too");
            return rejected(Rule::Floats, node.at, reason);
        }
        if operators::identity(operator, scalar).is_none() {
            return rejected(Rule::Operators, node.at, format!("`{operator}` has no identity of {scalar}"));
        }
        if kept && operator.is_extreme() && (!strict || operator.is_of_numbers()) {
            let reason = format!(
                "the minimum or maximum in `{name}` may meet NaN or -0, whose place matters; --order free allows it"
            );
            return rejected(Rule::Floats, node.at, reason);
        }
        Ok(())
    }

    /// The statements inside a loop that reduce into an array.
    pub(super) fn statements(&self, index: usize, array: usize) -> Vec<&'r Statement> {
        let program = self.program;
        let members = self.members(index, array).into_iter();
        let stores = members.filter(|access| program.accesses[*access].write);
        let statements =
            stores.filter_map(|access| match program.statements[program.accesses[access].statement].action {
                Action::Statement(statement) => Some(statement),
                _ => None,
            });
        statements.collect()
    }

    /// Whether minima and maxima replace what they have only by a value that is less, or greater, so that the result is
    /// the same in any order.
    pub(super) fn follows_comparison(&self, index: usize, array: usize) -> bool {
        let strict = |condition: &Expression| {
            let mut parts = Vec::new();
            conjuncts(condition, &mut parts);
            parts.iter().all(|part| {
                !matches!(
                    stripped(part).kind,
                    ExpressionKind::Binary(BinaryOperator::LessEqual | BinaryOperator::GreaterEqual, ..)
                )
            })
        };
        self.reductions(index, array).all(|reduction| {
            if let Some(guard) = reduction.guard {
                let Action::Condition(guard) = self.program.statements[guard].action else { return false };
                return strict(&guard.condition);
            }
            self.statements(index, array).iter().all(|statement| match (&statement.store, &statement.value.kind) {
                (Store::Reduce { .. }, _) => true,
                (Store::Assign, ExpressionKind::Select(condition, _, otherwise)) => {
                    let keeps = matches!(&otherwise.kind, ExpressionKind::Read(read) if same_reference(read, &statement.target, None));
                    keeps && strict(condition)
                }
                _ => false,
            })
        })
    }

    /// The loops inside a chosen one, itself included, that are chosen and carry a reduction into the array: by how many
    /// of them are around.
    pub(super) fn levels(&self, index: usize, array: usize) -> Vec<Vec<usize>> {
        let conflicts =
            |looped: &usize| self.is_chosen(*looped) && self.classes[*looped].reduced.contains(&array);
        let mut levels: Vec<Vec<usize>> = Vec::new();
        for looped in (0..self.program.loops.len()).filter(conflicts) {
            let around = &self.program.loops[looped].around;
            if looped != index && !around.contains(&index) {
                continue;
            }
            let inside = around.iter().skip_while(|around| **around != index);
            let level = inside.filter(|around| conflicts(around)).count();
            levels.resize_with(levels.len().max(level + 1), Vec::new);
            levels[level].push(looped);
        }
        levels
    }

    /// Whether all accesses of a reduction name one element, which stays the same throughout a loop.
    pub(super) fn is_one(&self, index: usize, array: usize) -> bool {
        let members = self.members(index, array);
        let references: Vec<_> =
            members.iter().map(|member| self.program.accesses[*member].reference).collect();
        let Some(first) = references.first() else { return false };
        let changed = self.program.arrays_changed_in(index);
        references.iter().all(|other| same_reference(first, other, None))
            && first.subscripts().all(|subscript| self.is_invariant(subscript, index, &changed))
    }

    /// Whether an expression has one value throughout a loop.
    pub(super) fn is_invariant(&self, value: &Expression, index: usize, changed: &BTreeSet<usize>) -> bool {
        let inside = |iterator: VariableId| {
            let loops = self.program.loops.iter().enumerate();
            loops
                .filter(|(other, looped)| *other == index || looped.around.contains(&index))
                .any(|(_, looped)| looped.node.iterator == iterator)
        };
        match &value.kind {
            ExpressionKind::Iterator(id) => !inside(*id),
            ExpressionKind::Read(reference) => {
                let own = self.program.arrays.iter().enumerate().any(|(number, array)| {
                    let declared = array.declared_in.as_ref();
                    array.variable == reference.variable
                        && reference.members().eq(array.members.iter())
                        && (changed.contains(&number)
                            || declared.is_some_and(|around| around.contains(&index)))
                });
                !own && !inside(reference.variable)
                    && reference.subscripts().all(|part| self.is_invariant(part, index, changed))
            }
            ExpressionKind::Unary(_, inner) | ExpressionKind::Cast(inner) => {
                self.is_invariant(inner, index, changed)
            }
            ExpressionKind::Binary(_, left, right) => {
                self.is_invariant(left, index, changed) && self.is_invariant(right, index, changed)
            }
            ExpressionKind::Select(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().all(|part| self.is_invariant(part, index, changed))
            }
            ExpressionKind::Call(_, arguments) => {
                arguments.iter().all(|part| self.is_invariant(part, index, changed))
            }
            ExpressionKind::Integer(_) | ExpressionKind::Float(_) | ExpressionKind::Imaginary(_) => true,
        }
    }

    /// For each dimension of an array the least subscript and one more than the greatest that a loop's stores have, when
    /// there are any, and whether there are in each iteration; `None` if it is not known.
    #[expect(clippy::type_complexity, reason = "the extents, and what is known of them")]
    pub(super) fn extent(
        &self,
        index: usize,
        array: usize,
    ) -> Result<Option<(Vec<(Expression, Expression)>, When, bool)>, Failure> {
        let members = self.members(index, array);
        let accesses = self.program.accesses_in(index, array);
        let all: Vec<usize> =
            accesses.filter(|access| members.is_empty() || members.contains(access)).collect();
        let Extent { dimensions, when, whenever } = bounds::extent(self.program, self.context, index, &all)?;
        let variable = self.program.region.variable(self.program.arrays[array].variable);
        let known = self.program.arrays[array].members.is_empty();
        let mut out = Vec::new();
        for (place, bounds) in dimensions.into_iter().enumerate() {
            let declared = variable.extents.get(place).cloned().flatten().filter(|_| known);
            match (bounds, declared) {
                (Some((least, greatest)), _) => out.push((least, add(greatest, number(1)))),
                (None, Some(extent)) => out.push((number(0), crate::ir::arithmetic::long(extent))),
                (None, None) => return Ok(None),
            }
        }
        Ok(Some((out, when, whenever)))
    }

    /// How many contiguous parts a worker gets. Of two halves of a triangle one has three quarters of the work: with several
    /// parts, given out in turn, workers have about the same. Copies of arrays would take too much memory for that.
    fn parts_per_worker(&self, index: usize, node: &Loop) -> i128 {
        let class = &self.classes[index];
        let is_outermost = self.program.loops[index].around.iter().all(|around| !self.is_chosen(*around));
        let is_scalar = |array: &usize| self.levels(index, *array).len() == 1 && self.is_one(index, *array);
        let are_scalars = class.scanned.is_empty()
            && class.reduced.iter().all(is_scalar)
            && class.privatized.iter().all(|array| self.rank(*array) == 0);
        let in_turn =
            self.choice.copies == Copies::Workers && is_outermost && are_scalars && node.is_uneven();
        if in_turn { PARTS_IN_TURN } else { 1 }
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

    pub(super) fn omitted(&self, array: usize) -> bool {
        self.choice.omitted.contains(&self.program.arrays[array].name)
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

    /// Arrays of which a loop reduces into one element, in every iteration, and touches nothing else; with that element.
    pub(super) fn kept_by_thread(&self, index: usize) -> Vec<(usize, Reference)> {
        let program = self.program;
        let arrays = self.classes[index].reduced.iter().copied();
        let is_kept = |array: &usize| {
            let members = self.members(index, *array);
            !self.copies.contains_key(array)
                && self.is_one(index, *array)
                && program.accesses_in(index, *array).all(|access| members.contains(&access))
                && members.iter().all(|member| self.is_unguarded(index, *member))
        };
        let target = |array: usize| {
            let target = &self.statements(index, array).first()?.target;
            (!target.path.is_empty()).then(|| (array, target.clone()))
        };
        arrays.filter(is_kept).filter_map(target).collect()
    }

    /// Whether no condition inside a loop decides about an access, which an inner loop may not have.
    fn is_unguarded(&self, index: usize, access: usize) -> bool {
        let access = &self.program.accesses[access];
        let depth = self.program.loops[index].around.len();
        self.program.is_certain(access) && access.guards.iter().all(|guard| guard.depth <= depth)
    }

    /// Whether each iteration of a loop accesses an element, or stores to it: so that it exists, or has been updated, if there
    /// is an iteration.
    pub(super) fn is_accessed_by_each(
        &self,
        index: usize,
        array: usize,
        element: &Reference,
        stores: bool,
    ) -> bool {
        self.program.accesses_in(index, array).any(|number| {
            let access = &self.program.accesses[number];
            (access.write || !stores)
                && access.around.last() == Some(&index)
                && self.is_unguarded(index, number)
                && same_reference(access.reference, element, None)
        })
    }

    /// When an iteration of a loop accesses the one element that all of them do.
    pub(super) fn accessed(
        &self,
        index: usize,
        node: &Loop,
        array: usize,
        element: &Reference,
    ) -> Result<When, Failure> {
        // Where a reduction stores, it accesses all that it needs.
        if self.is_accessed_by_each(index, array, element, true) {
            return Ok(When::If(self.expression(&transform::first_condition(node))));
        }
        let is_certain = |member: &usize| self.program.is_certain(&self.program.accesses[*member]);
        if !self.members(index, array).iter().all(is_certain) {
            return Ok(When::Unknown);
        }
        Ok(match self.extent(index, array)? {
            Some((_, When::If(condition), _)) => When::If(self.expression(&condition)),
            Some((_, when, _)) => when,
            None => When::Unknown,
        })
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

    /// The widest integer type in which the statements of a reduction compute; that of the target if there is none.
    pub(super) fn computed_in(&self, index: usize, array: usize) -> Scalar {
        let statements = self.statements(index, array);
        let target = statements[0].target.scalar;
        let types = statements.iter().map(|statement| match &statement.store {
            Store::Update { computed_in, .. } => *computed_in,
            _ => converted(&statement.value).scalar,
        });
        types.filter(|scalar| scalar.is_integer()).fold(target, |widest, scalar| {
            match scalar.size() > widest.size() {
                true => scalar,
                false => widest,
            }
        })
    }

    /// In C, integers are accumulated in the unsigned type in which they are computed: sums in another order may overflow where
    /// those of the source do not. What is stored has the lower bits.
    pub(super) fn accumulates(
        &mut self,
        variable: VariableId,
        operator: ReductionOperator,
        computed_in: Scalar,
    ) {
        let variable = &mut self.out.variables[variable.0];
        if matches!(variable.scalar, Scalar::Integer { .. })
            && variable.scalar != computed_in.unsigned()
            && matches!(operator, ReductionOperator::Add | ReductionOperator::Multiply)
            && self.choice.copies != Copies::Iterations
        {
            variable.declared_type = computed_in.unsigned().c_name().into();
        }
    }

    /// All extents of an array, if the tree has them.
    fn declared_extents(&self, array: usize) -> Option<Vec<Expression>> {
        let described = &self.program.arrays[array];
        let variable = self.program.region.variable(described.variable);
        if !described.members.is_empty() {
            return None;
        }
        variable.extents.iter().map(|extent| extent.clone().map(crate::ir::arithmetic::long)).collect()
    }

    /// Whether all loops around are parallel: what they do not carry may be filled before them.
    fn only_parallel_around(&self, index: usize) -> bool {
        let around = &self.program.loops[index].around;
        let inside = around.iter().skip_while(|looped| !self.is_chosen(**looped));
        inside.into_iter().all(|looped| self.is_chosen(*looped))
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

    /// A copy of what each iteration writes before it reads it; returns the copy that it replaces, of a loop around.
    fn private(
        &mut self,
        index: usize,
        node: &'r Loop,
        array: usize,
        dimension: &Dimension,
        setup: &mut Setup,
    ) -> Result<Option<Copy>, Failure> {
        let program = self.program;
        let accesses: BTreeSet<usize> = program.accesses_in(index, array).collect();
        let kept = self.classes[index].kept.contains_key(&array);
        if self.omitted(array) {
            return Ok(None);
        }
        let Some(first) = accesses.first() else { return Ok(None) };
        // In a loop around it has a copy already.
        let target = self.reference(program.accesses[*first].reference);
        let (name, scalar, at) = (program.arrays[array].name.replace('.', "_"), target.scalar, node.at);
        let mut is_last = compare(BinaryOperator::Equal, dimension.index.clone(), dimension.last.clone());
        let writes = if kept { self.last_writes(index, &accesses) } else { LastWrites::Always };
        if let LastWrites::If(condition) = &writes {
            is_last = and(Some(is_last), Some(condition.clone())).unwrap_or_else(|| number(1));
        }
        let mut finish = |body: Vec<Node>| {
            if kept {
                setup.end.push(Node::guarded(is_last.clone(), body, at));
            }
        };
        let (variable, prefix, cell);
        if target.subscripts().next().is_none() {
            let mut value = None;
            if matches!(writes, LastWrites::Unknown) {
                // One worker stores the last value while others begin.
                let before = self.fresh(&format!("{name}_before"), scalar, Vec::new());
                let known = Some(read(target.clone()));
                setup.before.push(Node::Declaration(Declaration { variable: before, value: known, at }));
                value = Some(value_of(before, scalar));
            }
            variable = self.fresh(&format!("{name}_own"), scalar, Vec::new());
            setup.begin.push(Node::Declaration(Declaration { variable, value, at }));
            finish(vec![stored(target, value_of(variable, scalar))]);
            (prefix, cell) = (Vec::new(), Cell::One);
        } else {
            let Some((bounds, ..)) = self.extent(index, array)? else {
                return rejected(Rule::Subscripts, at, format!("the elements of `{name}` are not known"));
            };
            if kept && !self.writes_box(index, array)? {
                let reason = format!("which elements of `{name}` the last iteration writes is not simple");
                return rejected(Rule::Liveness, at, reason);
            }
            let bounds =
                bounds.into_iter().map(|(begin, end)| (self.expression(&begin), self.expression(&end)));
            let bounds: Vec<_> = bounds.collect();
            let extents: Vec<_> = bounds
                .iter()
                .map(|(begin, end)| greatest(subtract(end.clone(), begin.clone()), number(1)))
                .collect();
            let shape: Vec<_> = std::iter::once(dimension.count.clone()).chain(extents).collect();
            variable = self.fresh(&format!("{name}_of"), scalar, shape);
            setup.before.push(Node::Private(Private { variable, operator: None, at }));
            let iterators: Vec<VariableId> =
                bounds.iter().map(|_| self.fresh("k", Scalar::LONG, Vec::new())).collect();
            let mut own = vec![Step::Index(dimension.index.clone())];
            let offset = iterators.iter().zip(&bounds);
            own.extend(
                offset
                    .map(|(iterator, (begin, _))| Step::Index(subtract(iterated(*iterator), begin.clone()))),
            );
            let mut subscripts = iterators.iter();
            let path = target.path.iter().map(|step| match (step, subscripts.len()) {
                (Step::Index(_), 1..) => {
                    Step::Index(subscripts.next().map_or_else(|| number(0), |iterator| iterated(*iterator)))
                }
                (step, _) => step.clone(),
            });
            let original = Reference { path: path.collect(), ..target.clone() };
            let copied = stored(original, read(Reference { variable, path: own, scalar, at }));
            finish(nest(&iterators, bounds.iter().cloned(), vec![copied]));
            prefix = vec![Some(dimension.index.clone())];
            cell = Cell::Box { offsets: bounds.into_iter().map(|(begin, _)| begin).collect() };
        }
        Ok(self.copies.insert(array, Copy { prefix, ..Copy::new(accesses, variable, cell) }))
    }

    /// When the last iteration writes what its copies are kept of: not if the loops inside have no iterations.
    fn last_writes(&mut self, index: usize, accesses: &BTreeSet<usize>) -> LastWrites {
        let program = self.program;
        let mut alternatives: Vec<Vec<Expression>> = Vec::new();
        for write in accesses.iter().map(|access| &program.accesses[*access]).filter(|access| access.write) {
            let inside = write.around.iter().skip_while(|looped| **looped != index).skip(1);
            // The loops that copy a row have no iterations where those that write it have none.
            let is_subscript = |looped: &usize| {
                let iterator = ExpressionKind::Iterator(program.loops[*looped].node.iterator);
                write.reference.subscripts().any(|subscript| stripped(subscript).kind == iterator)
            };
            let inside = inside.filter(|looped| !is_subscript(looped));
            let mut conditions = Vec::new();
            let mut is_known = write.guards.is_empty();
            for looped in inside {
                let trips = Counted::of(program.loops[*looped].node).map(|counted| counted.trips(&[]));
                match trips.filter(|trips| self.is_invariant(trips, index, &BTreeSet::new())) {
                    Some(trips) if constant(&trips).is_some_and(|trips| trips > 0) => {}
                    Some(trips) => {
                        let trips = self.expression(not_clamped(&trips));
                        conditions.push(compare(BinaryOperator::Greater, trips, number(0)));
                    }
                    None => is_known = false,
                }
            }
            match (is_known, conditions.is_empty()) {
                (true, true) => return LastWrites::Always,
                (true, false) => alternatives.push(conditions),
                (false, _) => alternatives.push(Vec::new()),
            }
        }
        if alternatives.is_empty() || alternatives.iter().any(Vec::is_empty) {
            return LastWrites::Unknown;
        }
        // What holds only where another one holds is not said.
        let implies = |one: &[Expression], other: &[Expression]| other.iter().all(|part| one.contains(part));
        let mut any: Vec<Vec<Expression>> = Vec::new();
        for one in alternatives {
            if !any.iter().any(|other| implies(&one, other)) {
                any.retain(|other| !implies(other, &one));
                any.push(one);
            }
        }
        let all =
            any.into_iter().filter_map(|one| one.into_iter().fold(None, |all, part| and(all, Some(part))));
        any_of(all).map_or(LastWrites::Unknown, LastWrites::If)
    }

    /// Whether the elements of an array that an iteration writes are all of a box: one store writes that, and the others
    /// nothing else.
    fn writes_box(&self, index: usize, array: usize) -> Result<bool, Failure> {
        let program = self.program;
        let writes: Vec<usize> =
            program.accesses_in(index, array).filter(|access| program.accesses[*access].write).collect();
        let around: Vec<usize> = program.loops[index].around.iter().copied().chain([index]).collect();
        for write in writes.iter().filter(|write| self.is_box(index, &program.accesses[**write])) {
            let own = cells(program, self.context, &around, &[*write])?;
            if writes.len() == 1
                || cells(program, self.context, &around, &writes)?.subtract(own)?.is_empty()?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the elements that a store writes in an iteration are all of a box: its subscripts are iterators of different
    /// loops with constant distance one, or do not change.
    fn is_box(&self, index: usize, write: &Access<'_>) -> bool {
        let program = self.program;
        let inner = write.around.iter().skip_while(|looped| **looped != index).skip(1);
        let mut free: Vec<usize> = inner.copied().collect();
        let simple = |looped: &usize| {
            let facts = &program.loops[*looped];
            let own = |value: &Expression| {
                mentions(value, &|iterator| {
                    free.iter()
                        .any(|other| other != looped && program.loops[*other].node.iterator == iterator)
                })
            };
            matches!(constant(&facts.node.step), Some(1 | -1))
                && !own(&facts.node.lower)
                && !own(&facts.node.condition)
        };
        if !free.iter().all(simple) || !write.guards.is_empty() {
            return false;
        }
        write.reference.subscripts().all(|subscript| match &stripped(subscript).kind {
            ExpressionKind::Iterator(id) => {
                let place = free.iter().position(|looped| program.loops[*looped].node.iterator == *id);
                place.is_none_or(|place| {
                    free.remove(place);
                    true
                })
            }
            _ => self.is_invariant(subscript, index, &BTreeSet::new()),
        })
    }
}

/// When the last iteration of a loop writes a variable.
enum LastWrites {
    Always,
    /// If this holds, of values outside of the loop.
    If(Expression),
    Unknown,
}

/// The loop over workers.
struct LoopPart {
    variable: VariableId,
    first: Expression,
    past: Expression,
}

fn float(value: f64) -> Expression {
    Expression { kind: ExpressionKind::Float(value), scalar: Scalar::F64 }
}

fn in_double(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    let kind = ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
    Expression { kind, scalar: Scalar::F64 }
}

fn at_least(left: Expression, right: Expression) -> Expression {
    let kind = ExpressionKind::Binary(BinaryOperator::GreaterEqual, Box::new(left), Box::new(right));
    Expression { kind, scalar: Scalar::INT }
}

/// Whether trip counts of loops inside each other have at least that product.
fn are_at_least(factors: &[Expression], least: f64) -> Expression {
    match factors {
        [count] => compare(BinaryOperator::GreaterEqual, not_clamped(count).clone(), number(least as i128)),
        _ => at_least(product(factors.to_vec()).unwrap_or_else(|| float(1.0)), float(least)),
    }
}

/// Whether loops inside each other have more than a few iterations.
fn are_several(factors: &[Expression]) -> Expression {
    are_at_least(factors, ITERATIONS_OF_CALL.pow(factors.len().clamp(1, 2) as u32) as f64)
}

/// The product of integers as a `double`, which does not overflow.
fn product(factors: Vec<Expression>) -> Option<Expression> {
    let factors = factors.into_iter().map(|factor| convert::convert(factor, Scalar::F64));
    factors.reduce(|left, right| in_double(BinaryOperator::Multiply, left, right))
}

/// Loops that were to be parallel with copies are not parallel without them.
fn in_order(nodes: &mut [Node]) {
    for_each_loop_mut(nodes, |looped| {
        looped.parallel &= looped.attributes.has_openmp();
    });
}

/// What a value is before it is converted.
fn converted(value: &Expression) -> &Expression {
    match &value.kind {
        ExpressionKind::Cast(inner) => converted(inner),
        _ => value,
    }
}
