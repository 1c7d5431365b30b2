//! Nodes and expressions of the region, with copies in place of what is privatized.

use super::{
    counted::Counted,
    state::{Cell, Copies, Copy, Failure, Privatizer},
};
use crate::{
    analysis::program::Action,
    ir::{
        BinaryOperator, Declaration, Expression, ExpressionKind, Loop, Node, Position, ReductionOperator,
        Reference, Statement, Step, Store,
        arithmetic::{compare, number, subtract, value_of},
        compare::same_reference,
        convert,
        types::Scalar,
    },
};

impl<'r> Privatizer<'_, 'r> {
    pub(super) fn body(&mut self, nodes: &'r [Node]) -> Result<Vec<Node>, Failure> {
        let mut out = Vec::new();
        for (place, node) in nodes.iter().enumerate() {
            match node {
                Node::Loop(looped) => {
                    let index = self.next;
                    self.next += 1;
                    if self.is_chosen(index) {
                        out.extend(self.parallel(index, looped, &nodes[place + 1..])?);
                    } else {
                        out.extend(self.in_order(index, looped)?);
                    }
                }
                Node::If(guard) => {
                    let condition = self.expression(&guard.condition);
                    let (then, otherwise) = (self.body(&guard.then)?, self.body(&guard.otherwise)?);
                    out.push(Node::either(condition, then, otherwise, guard.at));
                }
                Node::Statement(statement) => out.extend(self.statement(statement)),
                Node::Declaration(declaration) => out.push(Node::Declaration(Declaration {
                    value: declaration.value.as_ref().map(|value| self.expression(value)),
                    ..declaration.clone()
                })),
                Node::Break(_) | Node::Private(_) | Node::ReduceDimension(_) => out.push(node.clone()),
            }
        }
        Ok(out)
    }

    /// A loop that a thread executes: on a device, what it reduces into one element is kept in a variable of the thread.
    fn in_order(&mut self, index: usize, node: &'r Loop) -> Result<Vec<Node>, Failure> {
        let kept = match (&self.hoisted, self.choice.copies) {
            (Some(_), Copies::Device) => self.kept_by_thread(index),
            _ => Vec::new(),
        };
        let Some(counted) = Counted::of(node).filter(|_| !kept.is_empty()) else {
            return Ok(vec![Node::Loop(self.sequential(node)?)]);
        };
        let relation = if counted.down { BinaryOperator::Greater } else { BinaryOperator::Less };
        let condition = compare(relation, self.expression(&counted.lower), self.expression(&counted.end));
        let (mut then, mut after) = (Vec::new(), Vec::new());
        for (array, target) in &kept {
            let original = self.original(target);
            let scalar = target.scalar;
            let name = self.program.arrays[*array].name.replace('.', "_");
            let variable = self.fresh(&format!("{name}_own"), scalar, Vec::new());
            let value = Expression { scalar, kind: ExpressionKind::Read(original.clone()) };
            then.push(Node::Declaration(Declaration { variable, value: Some(value), at: node.at }));
            let value = value_of(variable, scalar);
            after.push(Node::Statement(Statement {
                target: original,
                store: Store::Assign,
                value,
                at: node.at,
            }));
            self.keep(index, *array, variable);
        }
        then.push(Node::Loop(self.sequential(node)?));
        then.append(&mut after);
        for (array, _) in kept {
            self.copies.remove(&array);
        }
        // Without an iteration there may be no such element.
        Ok(vec![Node::guarded(condition, then, node.at)])
    }

    fn sequential(&mut self, node: &'r Loop) -> Result<Loop, Failure> {
        let lower = self.expression(&node.lower);
        let step = self.expression(&node.step);
        let (iterator, declares) = match self.hoisted {
            Some(_) => (self.own_iterator(node), true),
            None => (node.iterator, node.declares),
        };
        let condition = self.expression(&node.condition);
        let body = self.body(&node.body)?;
        self.iterators.remove(&node.iterator);
        // Its clauses name variables that have copies now.
        let attributes = match self.hoisted {
            Some(_) => node.attributes.without_openmp(),
            None => node.attributes.clone(),
        };
        Ok(Loop {
            id: node.id,
            iterator,
            declares,
            lower,
            condition,
            step,
            parallel: false,
            attributes,
            body,
            at: node.at,
        })
    }

    fn statement(&mut self, statement: &'r Statement) -> Vec<Node> {
        let at = statement.at;
        let value = self.expression(&statement.value);
        let access = self.program.access_of(&statement.target);
        let array = access.map(|access| self.program.accesses[access].array);
        let copy = array.and_then(|array| self.copies.get(&array));
        let copy = copy.filter(|copy| access.is_some_and(|access| copy.members.contains(&access)));
        let is =
            |action: Action<'_>| matches!(action, Action::Statement(other) if std::ptr::eq(other, statement));
        let index = self.program.statements.iter().position(|facts| is(facts.action));
        if let Some(running) = index.and_then(|index| self.running.get(&index)) {
            return self.running_statement(statement, running);
        }
        let target = self.reference(&statement.target);
        let Some(copy) = copy else {
            let store = match &statement.store {
                Store::Reduce { operator, init } => {
                    Store::Reduce { operator: *operator, init: self.expression(init) }
                }
                other => other.clone(),
            };
            return vec![Node::Statement(Statement { target, store, value, at })];
        };
        if let Some(operator) = copy.shared_by {
            // The target stays: all iterations reduce into it.
            let value = combined_value(statement, operator).map_or(value, |value| self.expression(value));
            let value = convert::convert(value, target.scalar);
            let read = Expression { scalar: target.scalar, kind: ExpressionKind::Read(target.clone()) };
            let store = Store::Reduce { operator, init: read };
            return vec![Node::Statement(Statement { target, store, value, at })];
        }
        let mut out = vec![match &statement.store {
            Store::Reduce { operator, .. } => combine(*operator, target, value, at),
            store => Node::Statement(Statement { target, store: store.clone(), value, at }),
        }];
        if matches!(copy.cell, Cell::Afterwards) {
            out.clear();
        }
        if index.is_some_and(|index| copy.flags_after.contains(&index)) {
            if let Some((number, value)) = &copy.number {
                let value = self.expression(value);
                let target = number.clone();
                out.push(Node::Statement(Statement { target, store: Store::Assign, value, at }));
            }
            let flag = self.flag(&statement.target);
            out.extend(flag.map(|target| {
                let value = Expression::integer(1, target.scalar);
                Node::Statement(Statement { target, store: Store::Assign, value, at })
            }));
        }
        out
    }

    pub(super) fn expression(&self, expression: &Expression) -> Expression {
        match &expression.kind {
            ExpressionKind::Iterator(id) => self.iterators.get(id).unwrap_or(expression).clone(),
            ExpressionKind::Read(reference) => match self.iterators.get(&reference.variable) {
                Some(value) if reference.path.is_empty() => value.clone(),
                _ => self.read(reference, expression.scalar),
            },
            _ => expression.map_operands(|operand| self.expression(operand)),
        }
    }

    /// A read of the copy; or of the original until the copy is set, if the copy does not begin with its value.
    fn read(&self, reference: &Reference, scalar: Scalar) -> Expression {
        let of = |reference| Expression { kind: ExpressionKind::Read(reference), scalar };
        let read = of(self.reference(reference));
        let is_one = self.copy_of(reference).is_some_and(|copy| matches!(copy.cell, Cell::One));
        let Some(flag) = self.flag(reference).filter(|_| !is_one) else { return read };
        let flag = Expression { scalar: flag.scalar, kind: ExpressionKind::Read(flag) };
        let original = of(self.original(reference));
        let kind = ExpressionKind::Select(Box::new(flag), Box::new(read), Box::new(original));
        Expression { kind, scalar }
    }

    /// A reference whose subscripts are rewritten, to the original.
    pub(super) fn original(&self, reference: &Reference) -> Reference {
        reference.map_subscripts(|index| self.expression(index))
    }

    fn copy_of(&self, reference: &Reference) -> Option<&Copy> {
        let access = self.program.access_of(reference)?;
        let copy = self.copies.get(&self.program.accesses[access].array)?;
        copy.members.contains(&access).then_some(copy)
    }

    /// A reference to the original or to the copy.
    pub(super) fn reference(&self, reference: &Reference) -> Reference {
        match self.copy_of(reference) {
            Some(copy) if !matches!(copy.cell, Cell::Original) => {
                let path = self.place(copy, reference);
                let scalar = reference.scalar;
                Reference { variable: copy.variable, path, scalar, at: reference.at }
            }
            _ => self.original(reference),
        }
    }

    /// The flag that says whether the copy of what a reference names was set.
    fn flag(&self, reference: &Reference) -> Option<Reference> {
        let copy = self.copy_of(reference)?;
        let variable = copy.flag?;
        let path = self.place(copy, reference);
        Some(Reference { variable, path, scalar: Scalar::INT, at: reference.at })
    }

    /// The way to a copy's element.
    fn place(&self, copy: &Copy, reference: &Reference) -> Vec<Step> {
        let mut path: Vec<Step> =
            copy.prefix.iter().map(|index| Step::Index(index.clone().unwrap_or_else(|| number(0)))).collect();
        if let Cell::Member(name) = &copy.cell {
            path.push(Step::Member(name.clone()));
        }
        if let Cell::Box { offsets } = &copy.cell {
            for (subscript, offset) in reference.subscripts().zip(offsets) {
                let subscript = self.expression(subscript);
                path.push(Step::Index(match crate::ir::arithmetic::constant(offset) {
                    Some(0) => subscript,
                    _ => subtract(subscript, offset.clone()),
                }));
            }
        }
        path
    }
}

/// `target = target operator value`, the form that a reduction has in its own copy.
pub(crate) fn combine(
    operator: ReductionOperator,
    target: Reference,
    value: Expression,
    at: Position,
) -> Node {
    use ReductionOperator as R;
    let scalar = target.scalar;
    let read = Expression { scalar, kind: ExpressionKind::Read(target.clone()) };
    let update = |operator: BinaryOperator| {
        let types = convert::operator_types(operator, scalar, value.scalar)?;
        let store = Store::Update { operator, computed_in: types.result };
        Some(Statement {
            target: target.clone(),
            store,
            value: convert::convert(value.clone(), types.right),
            at,
        })
    };
    let assign = |value: Expression| Statement {
        target: target.clone(),
        store: Store::Assign,
        value: convert::convert(value, scalar),
        at,
    };
    let chosen = |relation: BinaryOperator| {
        let condition =
            convert::binary(relation, value.clone(), read.clone()).unwrap_or_else(|_| value.clone());
        assign(convert::select(condition, value.clone(), read.clone()))
    };
    let logical = |operator: BinaryOperator| {
        assign(convert::binary(operator, read.clone(), value.clone()).unwrap_or_else(|_| value.clone()))
    };
    let updated = match operator {
        R::Add => update(BinaryOperator::Add),
        R::Multiply => update(BinaryOperator::Multiply),
        R::And => update(BinaryOperator::And),
        R::Or => update(BinaryOperator::Or),
        R::Xor => update(BinaryOperator::Xor),
        _ => None,
    };
    Node::Statement(updated.unwrap_or_else(|| match operator {
        R::Minimum | R::Maximum => chosen(operator.relation()),
        // Compilers make vectors of the function, and fewer instructions than of comparisons.
        R::LeastNumber | R::GreatestNumber => {
            let suffix = if scalar == Scalar::F32 { "f" } else { "" };
            let arguments = vec![read.clone(), convert::convert(value.clone(), scalar)];
            assign(Expression {
                kind: ExpressionKind::Call(format!("__builtin_{operator}{suffix}"), arguments),
                scalar,
            })
        }
        R::LogicalAnd => logical(BinaryOperator::LogicalAnd),
        R::LogicalOr => logical(BinaryOperator::LogicalOr),
        _ => assign(value.clone()),
    }))
}

/// What a statement combines its target with, if it is of the form `target = target operator value`.
pub(crate) fn combined_value(statement: &Statement, operator: ReductionOperator) -> Option<&Expression> {
    use ReductionOperator as R;
    let symbol = match operator {
        R::Add => Some(BinaryOperator::Add),
        R::Multiply => Some(BinaryOperator::Multiply),
        R::And => Some(BinaryOperator::And),
        R::Or => Some(BinaryOperator::Or),
        R::Xor => Some(BinaryOperator::Xor),
        R::LogicalAnd => Some(BinaryOperator::LogicalAnd),
        R::LogicalOr => Some(BinaryOperator::LogicalOr),
        _ => None,
    };
    let same_type = |value: &Expression| value.scalar == statement.target.scalar;
    match &statement.store {
        Store::Reduce { .. } => Some(&statement.value),
        Store::Update { operator, computed_in } => {
            let exact = *computed_in == statement.target.scalar && same_type(&statement.value);
            (Some(*operator) == symbol && exact).then_some(&statement.value)
        }
        Store::Assign => {
            let ExpressionKind::Binary(operator, left, right) = &statement.value.kind else { return None };
            let is_target = |side: &Expression| matches!(&side.kind, ExpressionKind::Read(read) if same_reference(read, &statement.target, None));
            if Some(*operator) != symbol || !same_type(left) || !same_type(right) {
                return None;
            }
            let reads = |side: &Expression| {
                let mut reads = false;
                side.visit_reads(&mut |read| reads |= read.variable == statement.target.variable);
                reads
            };
            match (is_target(left), is_target(right)) {
                (true, _) if !reads(right) => Some(&**right),
                (_, true) if !reads(left) => Some(&**left),
                _ => None,
            }
        }
    }
}
