//! The state of detection, and what it asks of the program.

use std::{collections::BTreeMap, rc::Rc};

use super::found::{Detected, DetectionRule, ReductionLike};
use crate::{
    analysis::program::{Action, Program},
    cost::policy::EXPANDED_NODES,
    ir::{
        Expression, ExpressionKind, ReductionOperator, Reference, Statement, VariableId,
        compare::same_reference,
    },
    isl::{Context, Formula, IslError},
};

/// What makes reductions one: the operator, the targets' arrays, and whether ties keep the first.
pub(super) type ReductionKey = (ReductionOperator, Vec<usize>, bool);

pub(super) struct Detection<'p, 'r> {
    pub(super) program: &'p Program<'r>,
    pub(super) context: &'p Rc<Context>,
    pub(super) rule: DetectionRule,
    pub(super) found: Detected,
    pub(super) groups: Vec<ReductionKey>,
    /// Local variables with one value that is used in the statements that follow.
    pub(super) temporaries: BTreeMap<VariableId, Temporary<'r>>,
}

/// A local variable with one value.
pub(super) struct Temporary<'r> {
    pub(super) value: &'r Expression,
    /// The statement that declares it.
    pub(super) declared: usize,
    /// The nodes of the value with those of the temporaries in it.
    pub(super) expanded: usize,
    /// A line of a second use.
    pub(super) used_elsewhere: Option<u32>,
}

impl<'r> Detection<'_, 'r> {
    /// The nodes of a value with those of the temporaries in it.
    fn expanded(&self, value: &Expression) -> usize {
        let mut nodes = 1;
        value.visit_reads(&mut |read| {
            let inside = self.temporaries.get(&read.variable).map_or(1, |temporary| temporary.expanded);
            nodes += inside;
        });
        nodes
    }

    pub(super) fn is_found(&self, statement: usize) -> bool {
        self.found.reductions.iter().any(|reduction| reduction.statements.contains(&statement))
    }

    pub(super) fn find_temporaries(&mut self) {
        let program = self.program;
        for (index, facts) in program.statements.iter().enumerate() {
            let Action::Declaration(declaration) = facts.action else { continue };
            let Some(value) = &declaration.value else { continue };
            let uses: Vec<_> = program
                .accesses
                .iter()
                .filter(|access| access.reference.variable == declaration.variable)
                .collect();
            let Some(first) = uses.first() else { continue };
            let is_scalar = program.region.variable(declaration.variable).extents.is_empty();
            // Used once for each value: in the statements of the same body.
            let same_body = program.statements[first.statement].body == facts.body;
            if !is_scalar || !same_body || uses.iter().any(|access| access.write) {
                continue;
            }
            // Nothing that the value reads may change before it is used.
            let reads: Vec<usize> =
                facts.accesses.iter().map(|access| program.accesses[*access].array).collect();
            let changed = (index + 1..first.statement).any(|between| {
                let mut accesses =
                    program.statements[between].accesses.iter().map(|access| &program.accesses[*access]);
                accesses.any(|access| access.write && reads.contains(&access.array))
            });
            let expanded = self.expanded(value);
            if !changed && expanded <= EXPANDED_NODES {
                let used_elsewhere = uses.get(1).map(|access| access.reference.at.line);
                self.temporaries.insert(
                    declaration.variable,
                    Temporary { value, declared: index, used_elsewhere, expanded },
                );
            }
        }
    }

    pub(super) fn add(
        &mut self,
        operator: ReductionOperator,
        first_wins: bool,
        statements: Vec<usize>,
        guard: Option<usize>,
        members: Vec<usize>,
        only_where_equal: Option<(usize, usize)>,
    ) {
        let target = |statement: &usize| self.program.accesses[self.store_of(*statement)].reference;
        // What is kept as an integer is no NaN.
        let is_float = statements.iter().all(|statement| target(statement).scalar.is_float());
        let operator = if is_float { operator } else { operator.of_integers() };
        let mut arrays: Vec<usize> = Vec::new();
        for statement in &statements {
            let array = self.program.accesses[self.store_of(*statement)].array;
            if !arrays.contains(&array) {
                arrays.push(array);
            }
        }
        let group = (operator, arrays, first_wins);
        let index = self.groups.iter().position(|known| *known == group).unwrap_or_else(|| {
            self.groups.push(group);
            self.groups.len() - 1
        });
        let found = ReductionLike { operator, group: index, statements, guard, members, only_where_equal };
        self.found.reductions.push(found);
    }

    /// The access by which a statement stores.
    pub(super) fn store_of(&self, statement: usize) -> usize {
        *self.program.statements[statement].accesses.last().expect("a statement stores")
    }

    /// The line of a load of the statement that disturbs the reduction: it may read the cell that is updated.
    pub(super) fn disturbing(
        &self,
        statement: usize,
        store: usize,
        loads: &[usize],
    ) -> Result<Option<u32>, IslError> {
        let array = self.program.accesses[store].array;
        let mut statements = vec![statement];
        statements.extend(self.temporaries.values().map(|temporary| temporary.declared).filter(|declared| {
            let uses = &self.program.statements[statement].accesses;
            let variable = match self.program.statements[*declared].action {
                Action::Declaration(declaration) => declaration.variable,
                _ => return false,
            };
            uses.iter().any(|access| self.program.accesses[*access].reference.variable == variable)
        }));
        for access in statements.iter().flat_map(|statement| &self.program.statements[*statement].accesses) {
            let other = &self.program.accesses[*access];
            if !other.write
                && other.array == array
                && !loads.contains(access)
                && self.meet(*access, store, self.rule.by_instance)?
            {
                return Ok(Some(other.reference.at.line));
            }
        }
        Ok(None)
    }

    /// Whether two accesses may touch the same cell, in one instance or in any two.
    pub(super) fn meet(&self, first: usize, second: usize, in_one_instance: bool) -> Result<bool, IslError> {
        let program = self.program;
        let (f, s) = (&program.accesses[first], &program.accesses[second]);
        let other = if in_one_instance { 'a' } else { 'b' };
        let first = if in_one_instance { &[] } else { &f.around[..] };
        let dimensions = [program.iterators(first, 'a'), program.iterators(&s.around, other)].concat();
        let condition = Formula::and([
            program.context(),
            program.domain(f, 'a'),
            program.domain(s, other),
            program.same_cell(f, 'a', s, other),
        ]);
        Ok(!program.set(self.context, &dimensions, &[], &condition)?.is_empty()?)
    }

    /// Calls `visit` with each read of a value, through temporaries, without subscripts.
    pub(super) fn visit(&self, expression: &'r Expression, visit: &mut dyn FnMut(&'r Reference)) {
        match &expression.kind {
            ExpressionKind::Read(reference) => match self.temporaries.get(&reference.variable) {
                Some(temporary) => self.visit(temporary.value, visit),
                None => visit(reference),
            },
            ExpressionKind::Unary(_, inner) | ExpressionKind::Cast(inner) => self.visit(inner, visit),
            ExpressionKind::Binary(_, left, right) => {
                self.visit(left, visit);
                self.visit(right, visit);
            }
            ExpressionKind::Select(condition, then, otherwise) => {
                self.visit(condition, visit);
                self.visit(then, visit);
                self.visit(otherwise, visit);
            }
            ExpressionKind::Call(_, arguments) => {
                arguments.iter().for_each(|argument| self.visit(argument, visit))
            }
            ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::Imaginary(_)
            | ExpressionKind::Iterator(_) => {}
        }
    }

    /// The reads of a value that name the target as the target does.
    pub(super) fn loads_of(&self, value: &'r Expression, target: &Reference, loads: &mut Vec<usize>) {
        self.visit(value, &mut |reference| {
            if same_reference(reference, target, None) {
                loads.extend(self.program.access_of(reference));
            }
        });
    }

    pub(super) fn index_of(&self, statement: &Statement) -> Option<usize> {
        let is =
            |action: Action<'_>| matches!(action, Action::Statement(other) if std::ptr::eq(other, statement));
        self.program.statements.iter().position(|facts| is(facts.action))
    }

    /// Whether an expression reads an array that one of the stores changes.
    pub(super) fn reads_target(&self, expression: &'r Expression, stores: &[&'r Statement]) -> bool {
        let mut reads = false;
        expression.visit_reads(&mut |reference| {
            reads |= stores.iter().any(|store| {
                store.target.variable == reference.variable && store.target.members().eq(reference.members())
            });
        });
        reads
    }

    /// The loads of a guard from arrays that the stores change.
    pub(super) fn reads_of_targets(&self, guard: usize, stores: &[&Statement]) -> Vec<usize> {
        let accesses = self.program.statements[guard].accesses.iter().copied();
        accesses
            .filter(|access| {
                let reference = self.program.accesses[*access].reference;
                stores.iter().any(|store| {
                    store.target.variable == reference.variable
                        && store.target.members().eq(reference.members())
                })
            })
            .collect()
    }
}
