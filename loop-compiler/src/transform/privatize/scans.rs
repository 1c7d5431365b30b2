//! The passes of a loop whose intermediate values are used: see [`crate::transform::scans`].

use std::collections::BTreeSet;

use super::{
    counted::{Counted, counting},
    nodes::{iterated, read, stored},
    rewrite::{combine, combined_value},
    state::{Cell, Copies, Copy, Dimension, Failure, Privatizer, RunningStore, Scan, Setup, Value, rejected},
};
use crate::{
    analysis::{
        detect::{Combination, Prefix},
        program::Access,
    },
    ir::{
        BinaryOperator, Declaration, Expression, ExpressionKind, Loop, Node, Private, ReductionOperator,
        Reference, Statement, Step, Store, VariableId,
        arithmetic::{compare, number, subtract, value_of},
        compare::same_reference,
        convert, operators,
        types::Scalar,
    },
    rules::{FloatOrder, Rule},
    transform::{
        self,
        scans::{Running, factor, for_totals, stored_value, without_factors},
        schedule::Mark,
    },
};

impl<'r> Privatizer<'_, 'r> {
    /// What is needed of an array to divide its scan into parts.
    pub(super) fn scan(&self, index: usize, node: &Loop, array: usize) -> Result<Scan, Failure> {
        let program = self.program;
        let name = &program.arrays[array].name;
        let accesses: BTreeSet<usize> = program.accesses_in(index, array).collect();
        let order = |operator: ReductionOperator, scalar: Scalar, strict: bool| {
            self.may_reorder(node, name, operator, scalar, strict)
        };
        let is_here = |prefix: &&Prefix| accesses.contains(&prefix.store);
        let reduction = self.reductions(index, array).next();
        let prefix = self.detected.prefixes.iter().find(is_here);
        if let Some(prefix) = prefix.filter(|prefix| prefix.next_cell) {
            let (load, store) = (&program.accesses[prefix.loads[0]], &program.accesses[prefix.store]);
            let only = accesses.iter().filter(|access| program.accesses[**access].write).count() == 1;
            if !only || !self.follows(index, load, store) {
                let reason =
                    format!("an iteration does not continue with the one element of `{name}` of the last");
                return rejected(Rule::Scans, node.at, reason);
            }
            match &prefix.combination {
                Combination::Operator(operator) => order(*operator, store.reference.scalar, false)?,
                Combination::Linear => self.may_be_linear(node, name, store.reference.scalar)?,
            }
            return Ok(Scan {
                array,
                combination: prefix.combination,
                statement: store.statement,
                load: load.reference.clone(),
                members: prefix.loads.iter().copied().collect(),
                next_cell: true,
                guarded: false,
            });
        }
        let (combination, store, guarded) = match (reduction, prefix) {
            (Some(reduction), _) => {
                let operator = reduction.operator;
                let store = accesses.iter().copied().find(|access| program.accesses[*access].write);
                let guarded = self.reductions(index, array).any(|reduction| reduction.guard.is_some());
                let Some(store) = store else {
                    return rejected(Rule::Scans, node.at, format!("nothing stores to `{name}`"));
                };
                let scalar = program.accesses[store].reference.scalar;
                order(operator, scalar, self.follows_comparison(index, array))?;
                (Combination::Operator(operator), store, guarded)
            }
            (None, Some(prefix)) => {
                let scalar = program.accesses[prefix.store].reference.scalar;
                match &prefix.combination {
                    Combination::Operator(operator) => order(*operator, scalar, false)?,
                    Combination::Linear => self.may_be_linear(node, name, scalar)?,
                }
                (prefix.combination, prefix.store, false)
            }
            (None, None) => {
                return rejected(Rule::Scans, node.at, format!("how `{name}` accumulates is not known"));
            }
        };
        let load = program.accesses[store].reference.clone();
        let changed = program.arrays_changed_in(index);
        let one =
            accesses.iter().all(|access| same_reference(&load, program.accesses[*access].reference, None))
                && load.subscripts().all(|subscript| self.is_invariant(subscript, index, &changed));
        if !one {
            let reason = format!("`{name}` has several running values; a loop over them may be parallel");
            return rejected(Rule::Scans, node.at, reason);
        }
        // The value before the first iteration is read, and the last one is stored.
        let converts = match &combination {
            Combination::Operator(operator) => operators::converts(*operator, load.scalar),
            Combination::Linear => false,
        };
        let is_needed = converts || !load.path.is_empty();
        if is_needed && !self.is_accessed_by_each(index, array, &load, converts) {
            let reason = match converts {
                true => format!("`{name}` becomes 0 or 1 if an iteration updates it: declare it _Bool"),
                false => format!(
                    "the element of `{name}` may not exist if no iteration accesses it: accumulate in a variable"
                ),
            };
            return rejected(Rule::Scans, node.at, reason);
        }
        let statement = program.accesses[store].statement;
        Ok(Scan { array, combination, statement, load, members: accesses, next_cell: false, guarded })
    }

    /// Whether a linear recurrence may be computed in parts.
    fn may_be_linear(&self, node: &Loop, name: &str, scalar: Scalar) -> Result<(), Failure> {
        if scalar.is_float() && self.choice.order == FloatOrder::Kept {
            let reason = format!("a linear recurrence of floats keeps its order, that of `{name}`, too");
            return rejected(Rule::Floats, node.at, reason);
        }
        Ok(())
    }

    /// Whether in each iteration of a loop what is loaded was stored in the one before, if there was one.
    fn follows(&self, index: usize, load: &Access<'_>, store: &Access<'_>) -> bool {
        let Some(step) = crate::ir::arithmetic::constant(&self.program.loops[index].node.step) else {
            return false;
        };
        let depth = self.program.loops[index].around.len();
        let always = store.around.last() == Some(&index)
            && self.program.is_certain(store)
            && store.guards.iter().all(|guard| guard.depth <= depth);
        always
            && load.subscripts.len() == store.subscripts.len()
            && load.subscripts.iter().zip(&store.subscripts).all(|both| {
                let (Some(load), Some(store)) = both else { return false };
                let ([load], [store]) = (&load[..], &store[..]) else { return false };
                let moves = store.value.coefficient(index);
                let mut rest = store.value.clone();
                rest.terms.retain(|term, _| *term != crate::isl::Term::Iterator(index));
                let distance = store.value.plus(&load.value, -1).as_constant();
                !rest.mentions(index) && distance == Some(moves * step)
            })
    }

    /// The variables of a scan's running value, and their values at the beginning of a part.
    pub(super) fn begin_scan(
        &mut self,
        node: &Loop,
        scan: &Scan,
        counted: &Counted,
        dimension: &Dimension,
        setup: &mut Setup,
    ) -> Value {
        let Reference { scalar, at, .. } = scan.load;
        let name = self.program.arrays[scan.array].name.replace('.', "_");
        let operator = match &scan.combination {
            Combination::Operator(operator) => *operator,
            Combination::Linear => ReductionOperator::Add,
        };
        let own = self.fresh(&format!("{name}_own"), scalar, Vec::new());
        let sum = self.fresh(&format!("{name}_total"), scalar, Vec::new());
        let totals = self.fresh(&format!("{name}_of"), scalar, vec![dimension.count.clone()]);
        [sum, totals].into_iter().for_each(|variable| self.accumulates(variable, operator, scalar));
        setup.before.push(Node::Private(Private { variable: totals, operator: None, at }));
        let (mut factor, mut factors) = (None, None);
        if scan.combination == Combination::Linear {
            let product = self.fresh(&format!("{name}_factor"), scalar, Vec::new());
            let products = self.fresh(&format!("{name}_factors"), scalar, vec![dimension.count.clone()]);
            [product, products].into_iter().for_each(|variable| self.accumulates(variable, operator, scalar));
            setup.before.push(Node::Private(Private { variable: products, operator: None, at }));
            (factor, factors) = (Some(product), Some(products));
        }
        // The value before the first iteration.
        let iterator = self.program.region.variable(node.iterator).scalar;
        let first = convert::convert(counted.lower.clone(), iterator);
        let outer = self.iterators.insert(node.iterator, first);
        let initial = read(self.original(&scan.load));
        match outer {
            Some(outer) => self.iterators.insert(node.iterator, outer),
            None => self.iterators.remove(&node.iterator),
        };
        let begin = self.of_part(totals, scalar, dimension.index.clone());
        setup.begin.push(declaration(own, read(begin), node));
        let copy = Copy::new(scan.members.clone(), own, Cell::One);
        self.copies.insert(scan.array, copy);
        let running = Running { own, factor, guarded: scan.guarded };
        if scan.next_cell || factor.is_some() {
            self.running.insert(scan.statement, RunningStore { own, next_cell: scan.next_cell, factor });
        }
        if !scan.next_cell {
            // The last part has the last value.
            let last = subtract(dimension.count.clone(), number(1));
            let condition = compare(BinaryOperator::Equal, dimension.index.clone(), last);
            let target = self.original(&scan.load);
            let then = vec![stored(target, value_of(own, scalar))];
            setup.end.push(Node::guarded(condition, then, node.at));
        }
        Value { running, scalar, sum, totals, factors, initial }
    }

    fn of_part(&self, variable: VariableId, scalar: Scalar, part: Expression) -> Reference {
        Reference { variable, path: vec![Step::Index(part)], scalar, at: Default::default() }
    }

    /// A statement that computes a running value.
    pub(super) fn running_statement(&self, statement: &'r Statement, running: &RunningStore) -> Vec<Node> {
        let (at, scalar) = (statement.at, statement.target.scalar);
        let own = Reference { variable: running.own, path: Vec::new(), scalar, at };
        let target = self.original(&statement.target);
        let mut value = self.expression(&statement.value);
        let mut out = Vec::new();
        if let Some(product) = running.factor {
            let stored = stored_value(&statement.store, &own, value.clone());
            let is_own = |load: &Reference| load.variable == running.own;
            let product = Reference { variable: product, ..own.clone() };
            let factor = factor(&stored, scalar, &is_own);
            out.extend(factor.map(|factor| combine(ReductionOperator::Multiply, product, factor, at)));
        }
        if !running.next_cell {
            out.push(Node::Statement(Statement { target: own, store: statement.store.clone(), value, at }));
            return out;
        }
        value = stored_value(&statement.store, &target, value);
        out.push(stored(own, value));
        out.push(stored(target, value_of(running.own, scalar)));
        out
    }

    /// Puts the first two passes in front of a loop over parts; returns the body of the last one, and whether it executes
    /// the loop once more.
    pub(super) fn passes(
        &mut self,
        scans: &[Scan],
        values: &[Value],
        part: VariableId,
        dimension: &Dimension,
        inner: Loop,
        setup: &mut Setup,
    ) -> Result<(Vec<Node>, bool), Failure> {
        let running: Vec<Running> = values.iter().map(|value| value.running.clone()).collect();
        let at = inner.at;
        let memory = setup.before.iter().filter_map(|node| match node {
            Node::Private(private) => Some(private.variable),
            _ => None,
        });
        let memory: BTreeSet<VariableId> = memory.collect();
        let begin = std::mem::take(&mut setup.begin);
        let nodes: Vec<Node> = begin.iter().cloned().chain([Node::Loop(inner.clone())]).collect();
        let mut totals = match for_totals(&self.out, &nodes, &running, &memory) {
            Ok(totals) => totals,
            Err(reason) => return rejected(Rule::Scans, at, reason),
        };
        // Where nothing uses the running values, the totals are all there is to compute; what ends a part stores last values.
        let is_all = totals.last() == nodes.last() && setup.end.len() == scans.len();
        for value in values {
            totals = transform::renamed(&totals, value.running.own, value.sum);
        }
        self.vectorize(scans, values, &mut totals);
        // The first pass.
        let mut first = Vec::new();
        let mut after = Vec::new();
        let next = match is_all {
            true => dimension.index.clone(),
            false => crate::ir::arithmetic::add(dimension.index.clone(), number(1)),
        };
        for (scan, value) in scans.iter().zip(values) {
            let start = match &scan.combination {
                Combination::Operator(operator) => operators::identity(*operator, value.scalar),
                Combination::Linear => Some(constant(0, value.scalar)),
            };
            first.extend(start.map(|start| self.declared(value.sum, start, at)));
            after.push(stored(
                self.of_part(value.totals, value.scalar, next.clone()),
                value_of(value.sum, value.scalar),
            ));
            if let (Some(factor), Some(factors)) = (value.running.factor, value.factors) {
                first.push(self.declared(factor, constant(1, value.scalar), at));
                after.push(stored(
                    self.of_part(factors, value.scalar, next.clone()),
                    value_of(factor, value.scalar),
                ));
            }
        }
        let body = first.into_iter().chain(totals).chain(after).collect();
        let place = self.fresh("k", Scalar::LONG, Vec::new());
        if is_all {
            let folded = scans.iter().zip(values).flat_map(|(scan, value)| {
                let target = self.original(&scan.load);
                match scan.combination {
                    Combination::Operator(operator) => {
                        let total = read(self.of_part(value.totals, value.scalar, iterated(place)));
                        vec![combine(operator, target, total, at)]
                    }
                    Combination::Linear => self.continued(value, place, target.clone(), read(target)),
                }
            });
            let ordered = folded.collect();
            setup.end.clear();
            setup.after.push(Node::Loop(Loop {
                at,
                ..counting(place, number(0), dimension.count.clone(), ordered)
            }));
            return Ok((body, false));
        }
        // The last part's total is not needed.
        let all_but_one = subtract(dimension.count.clone(), number(1));
        let parts = Loop { at, parallel: true, ..counting(part, number(0), all_but_one, body) };
        setup.before.push(Node::Loop(parts));
        // The second pass.
        let mut set = Vec::new();
        let mut ordered = Vec::new();
        for (scan, value) in scans.iter().zip(values) {
            set.push(stored(self.of_part(value.totals, value.scalar, number(0)), value.initial.clone()));
            ordered.extend(self.prefix(scan, value, place));
        }
        set.push(Node::Loop(Loop { at, ..counting(place, number(1), dimension.count.clone(), ordered) }));
        let condition = compare(BinaryOperator::Greater, dimension.count.clone(), number(0));
        setup.before.push(Node::guarded(condition, set, at));
        let inner = Node::Loop(Loop { body: without_factors(&inner.body, &running), ..inner });
        let mut end = std::mem::take(&mut setup.end);
        for scan in
            scans.iter().filter(|scan| self.choice.copies != Copies::Device && scan.load.path.is_empty())
        {
            end = self.last_value_apart(scan, &end, setup);
        }
        Ok((begin.into_iter().chain([inner]).chain(end).collect(), true))
    }

    /// What ends a part, with a variable beside the loop for the last value of a scalar. What threads share has an address, and
    /// stays in memory where the loop runs in order, too.
    fn last_value_apart(&mut self, scan: &Scan, end: &[Node], setup: &mut Setup) -> Vec<Node> {
        let target = self.original(&scan.load);
        let name = format!("{}_last", self.program.arrays[scan.array].name.replace('.', "_"));
        let last = Reference { variable: self.fresh(&name, target.scalar, Vec::new()), ..target.clone() };
        setup.before.push(self.declared(last.variable, read(target.clone()), target.at));
        setup.after.push(stored(target.clone(), read(last.clone())));
        transform::with_reference(end, &target, &last)
    }

    /// Sets a target to what a linear recurrence that begins with a value has after a part.
    fn continued(&self, value: &Value, part: VariableId, target: Reference, before: Expression) -> Vec<Node> {
        let (scalar, at) = (value.scalar, target.at);
        let factor = value.factors.map(|factors| read(self.of_part(factors, scalar, iterated(part))));
        let carried =
            factor.and_then(|factor| convert::binary(BinaryOperator::Multiply, factor, before).ok());
        let total = read(self.of_part(value.totals, scalar, iterated(part)));
        let sum = carried.and_then(|carried| convert::binary(BinaryOperator::Add, carried, total).ok());
        sum.map(|sum| Node::Statement(Statement { target, store: Store::Assign, value: sum, at }))
            .into_iter()
            .collect()
    }

    /// The value with which a part begins, from that of the part before and its total.
    fn prefix(&mut self, scan: &Scan, value: &Value, place: VariableId) -> Vec<Node> {
        let (scalar, at) = (value.scalar, scan.load.at);
        let here = self.of_part(value.totals, scalar, iterated(place));
        let before = self.of_part(value.totals, scalar, subtract(iterated(place), number(1)));
        match &scan.combination {
            Combination::Operator(operator) => {
                let name = format!("{}_more", self.program.arrays[scan.array].name.replace('.', "_"));
                let total = self.fresh(&name, scalar, Vec::new());
                self.accumulates(total, *operator, self.out.variable(total).scalar);
                vec![
                    self.declared(total, read(here.clone()), at),
                    stored(here.clone(), read(before)),
                    combine(*operator, here, value_of(total, scalar), at),
                ]
            }
            Combination::Linear => self.continued(value, place, here, read(before)),
        }
    }

    fn declared(&self, variable: VariableId, value: Expression, at: crate::ir::Position) -> Node {
        let scalar = self.out.variable(variable).scalar;
        Node::Declaration(Declaration { variable, value: Some(convert::convert(value, scalar)), at })
    }

    /// Lanes of a vector sum floats of a part in another order, as intermediate values are not used there; compilers do
    /// it by themselves for integers only.
    fn vectorize(&self, scans: &[Scan], values: &[Value], totals: &mut [Node]) {
        let ([scan], [value], Some(Node::Loop(looped))) = (scans, values, totals.last_mut()) else { return };
        let Combination::Operator(operator) = scan.combination else { return };
        let free = self.choice.order == FloatOrder::Free && self.choice.copies == Copies::Workers;
        if free && value.scalar.is_float() && in_lanes(looped, value.sum, operator) {
            looped.attributes.marks.insert(Mark::Vectorize);
        }
    }
}

/// Whether lanes can execute a loop that only combines a variable with neighbouring elements; its statements have the form
/// that a clause of OpenMP names then.
fn in_lanes(looped: &mut Loop, sum: VariableId, operator: ReductionOperator) -> bool {
    let iterator = Expression { kind: ExpressionKind::Iterator(looped.iterator), scalar: Scalar::LONG };
    let is_near = |value: &Expression| {
        let mut near = !calls(value);
        value.visit_reads(&mut |read| {
            let moves = |subscript: &&Expression| subscript.mentions(looped.iterator);
            let mut subscripts: Vec<&Expression> = read.subscripts().collect();
            let last = subscripts.pop();
            near &= !subscripts.iter().any(&moves);
            near &= last.filter(moves).is_none_or(|last| {
                crate::ir::arithmetic::constant(&subtract(last.clone(), iterator.clone())).is_some()
            });
        });
        near
    };
    let mut body = Vec::new();
    for node in &looped.body {
        body.push(match node {
            Node::Declaration(declaration) if declaration.value.as_ref().is_some_and(is_near) => node.clone(),
            Node::Statement(statement) if statement.target.variable == sum => {
                match combined_value(statement, operator).filter(|value| is_near(value)) {
                    Some(value) => combine(operator, statement.target.clone(), value.clone(), statement.at),
                    None => return false,
                }
            }
            _ => return false,
        });
    }
    looped.body = body;
    true
}

/// Whether a function is called.
fn calls(value: &Expression) -> bool {
    let mut found = matches!(value.kind, ExpressionKind::Call(..));
    value.map_operands(|operand| {
        found |= calls(operand);
        operand.clone()
    });
    found
}

fn declaration(variable: VariableId, value: Expression, node: &Loop) -> Node {
    Node::Declaration(Declaration { variable, value: Some(value), at: node.at })
}

fn constant(value: i32, scalar: Scalar) -> Expression {
    match scalar {
        Scalar::Float { .. } => Expression { kind: ExpressionKind::Float(f64::from(value)), scalar },
        _ => Expression::integer(i128::from(value), scalar),
    }
}
