//! Searches, and minimum and maximum under a guard: values that a condition on the target decides.

use super::{detection::Detection, symbols::keeps_order};
use crate::{
    analysis::{affine::compared, program::Action},
    ir::{
        BinaryOperator, Expression, ExpressionKind, If, Node, ReductionOperator, Reference, Statement, Store,
        UnaryOperator,
        compare::{comparison, conjuncts, constant, mirrored, same, same_reference, stripped, widened},
        types::Scalar,
        walk, walk_iteration,
    },
    isl::{Affine, Formula, IslError, Term},
    rules::Rule,
};

impl<'r> Detection<'_, 'r> {
    /// `if (x > m) m = x;`, with indices or without, and searches for a first element without `break`.
    pub(super) fn guarded(&mut self, index: usize, guard: &'r If) -> Result<(), IslError> {
        let mut stores = Vec::new();
        for node in &guard.then {
            match node {
                Node::Statement(statement) if statement.store == Store::Assign => stores.push(statement),
                _ => return Ok(()),
            }
        }
        let mut conditions = Vec::new();
        conjuncts(&guard.condition, &mut conditions);
        for (position, condition) in conditions.iter().enumerate() {
            let rest: Vec<_> = conditions
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != position)
                .map(|(_, rest)| *rest)
                .collect();
            let extreme = self.extreme_store(index, condition, &rest, &stores)?;
            let found = extreme
                || guard.otherwise.is_empty() && self.first_store(index, condition, &rest, &stores)?;
            if found {
                if !guard.otherwise.is_empty() {
                    // The other branch depends on the intermediate value: its load is one like any other.
                    let reads = self.reads_of_targets(index, &stores);
                    let reduction = self.found.reductions.last_mut().expect("was found");
                    reduction.members.retain(|member| !reads.contains(member));
                }
                return Ok(());
            }
        }
        Ok(())
    }

    /// A loop that looks for a first element: `if (c) { position = i; break; }` and nothing else that is stored.
    pub(super) fn search(&mut self, loop_index: usize) {
        let program = self.program;
        if program.loops[loop_index].leaves.is_none() {
            return;
        }
        let found = program.loops[loop_index].node.body.iter().find_map(|node| match node {
            Node::If(guard) if matches!(guard.then.last(), Some(Node::Break(_))) => Some(guard),
            _ => None,
        });
        let Some(guard) = found else { return };
        let mut stores = Vec::new();
        for node in &guard.then[..guard.then.len() - 1] {
            match node {
                Node::Statement(statement) if statement.store == Store::Assign => stores.push(statement),
                _ => return,
            }
        }
        let Some(statements) = stores.iter().map(|store| self.index_of(store)).collect::<Option<Vec<_>>>()
        else {
            return;
        };
        let stored: Vec<_> = statements.iter().map(|statement| self.store_of(*statement)).collect();
        let arrays: Vec<_> = stored.iter().map(|store| program.accesses[*store].array).collect();
        let changed = program.arrays_changed_in(loop_index);
        let only = changed.iter().all(|array| arrays.contains(array));
        let read = arrays
            .iter()
            .any(|array| program.accesses_in(loop_index, *array).any(|access| !stored.contains(&access)));
        let exits = count_breaks(&program.loops[loop_index].node.body);
        if only && !read && exits == 1 && guard.otherwise.is_empty() && !statements.is_empty() {
            self.add(ReductionOperator::First, true, statements, None, stored, None);
        }
    }

    /// A store under a guard that depends on data, to a target that it does not read: the last value stays.
    pub(super) fn last(&mut self, index: usize, statement: &'r Statement) {
        let facts = &self.program.statements[index];
        let guarded = facts.guards.iter().any(|guard| !guard.condition.is_exact());
        let guards_read = facts.guards.iter().any(|guard| {
            let read = self.program.statements.iter().find_map(|other| match other.action {
                Action::Condition(condition) if contains(condition, statement) => Some(condition),
                _ => None,
            });
            let _ = guard;
            read.is_some_and(|condition| self.reads_target(&condition.condition, &[statement]))
        });
        if statement.store == Store::Assign
            && guarded
            && !guards_read
            && !self.reads_target(&statement.value, &[statement])
            && !self.found.rejected.contains_key(&index)
            && self.program.accesses[self.store_of(index)].subscripts.iter().all(Option::is_some)
            && statement.target.subscripts().all(|subscript| subscript.iterators().next().is_none())
        {
            let store = self.store_of(index);
            self.add(ReductionOperator::Last, false, vec![index], None, vec![store], None);
        }
    }

    fn extreme_store(
        &mut self,
        guard: usize,
        condition: &'r Expression,
        rest: &[&'r Expression],
        stores: &[&'r Statement],
    ) -> Result<bool, IslError> {
        let Some((relation, left, right)) = comparison(condition) else { return Ok(false) };
        if rest.iter().any(|condition| self.reads_target(condition, stores)) {
            return Ok(false);
        }
        let Some(statements) = stores.iter().map(|store| self.index_of(store)).collect::<Option<Vec<_>>>()
        else {
            return Ok(false);
        };
        for (store, index) in stores.iter().zip(&statements) {
            let others: Vec<_> =
                stores.iter().copied().filter(|other| !std::ptr::eq(*other, *store)).collect();
            let names_target = |side: &Expression| matches!(&side.kind, ExpressionKind::Read(reference) if same_reference(reference, &store.target, None));
            let is_target = |side: &Expression| names_target(stripped(side));
            // The value that is compared is the value that is stored, or the element that the stored index names. Both are
            // compared as what they are: conversions keep what is less.
            let by_value = |target: &'r Expression, value: &'r Expression| {
                names_target(widened(target)) && is_stored(value, &store.value, store.target.scalar)
            };
            let by_index = |target: &'r Expression, value: &'r Expression| {
                others.is_empty()
                    && !is_target(target)
                    && self.reads_target(target, stores)
                    && !self.reads_target(value, stores)
                    && same(value, target, Some((&store.target, &store.value)))
            };
            let (target_on_left, by_index) = if by_value(left, right) {
                (true, false)
            } else if by_value(right, left) {
                (false, false)
            } else if by_index(left, right) {
                (true, true)
            } else if by_index(right, left) {
                (false, true)
            } else {
                if is_target(left) || is_target(right) {
                    let is_converted = same(stripped(left), stripped(&store.value), None)
                        || same(stripped(right), stripped(&store.value), None);
                    self.found.rejected.insert(
                        *index,
                        match is_converted {
                            true => (Rule::Integers, "a conversion may change which value is less".into()),
                            false => {
                                let reason = "the value that is stored is not the one that is compared";
                                (Rule::Operators, reason.into())
                            }
                        },
                    );
                }
                continue;
            };
            if others.iter().any(|other| self.reads_target(&other.value, stores)) {
                continue;
            }
            let mut members = self.reads_of_targets(guard, stores);
            if !by_index {
                // Other elements of the target's array may be part of the value.
                members.retain(|access| {
                    same_reference(self.program.accesses[*access].reference, &store.target, None)
                });
                let disturbing = match self.disturbing(guard, self.store_of(*index), &members)? {
                    None => self.disturbing(*index, self.store_of(*index), &members)?,
                    found => found,
                };
                if let Some(line) = disturbing {
                    let reason =
                        format!("the statement reads an element of its target elsewhere (line {line})");
                    self.found.rejected.insert(*index, (Rule::Subscripts, reason));
                    return Ok(false);
                }
            }
            // `x > m`: the greater value is kept.
            let less = matches!(relation, BinaryOperator::Less | BinaryOperator::LessEqual);
            let maximum = less == target_on_left;
            let first_wins = matches!(relation, BinaryOperator::Less | BinaryOperator::Greater);
            let operator = match (others.is_empty() && !by_index, maximum) {
                (true, true) => ReductionOperator::Maximum,
                (true, false) => ReductionOperator::Minimum,
                (false, true) => ReductionOperator::ArgMax,
                (false, false) => ReductionOperator::ArgMin,
            };
            members.extend(statements.iter().map(|statement| self.store_of(*statement)));
            // Whether the first of equal values wins is of no meaning without an index.
            let first_wins =
                first_wins || matches!(operator, ReductionOperator::Minimum | ReductionOperator::Maximum);
            for statement in &statements {
                self.found.rejected.remove(statement);
            }
            self.add(operator, first_wins, statements, Some(guard), members, None);
            return Ok(true);
        }
        Ok(false)
    }

    /// `if (position < 0 && c) position = i;`: the condition on the target holds until something is stored, and never again.
    fn first_store(
        &mut self,
        guard: usize,
        condition: &'r Expression,
        rest: &[&'r Expression],
        stores: &[&'r Statement],
    ) -> Result<bool, IslError> {
        if rest.is_empty() || rest.iter().any(|condition| self.reads_target(condition, stores)) {
            return Ok(false);
        }
        let (relation, target, limit) = match sentinel(condition) {
            Some(found) => found,
            None => return Ok(false),
        };
        let Some(store) = stores.iter().find(|store| same_reference(target, &store.target, None)) else {
            return Ok(false);
        };
        if stores.iter().any(|store| self.reads_target(&store.value, stores)) {
            return Ok(false);
        }
        let Some(statements) = stores.iter().map(|store| self.index_of(store)).collect::<Option<Vec<_>>>()
        else {
            return Ok(false);
        };
        if self.may_hold(statements[0], &store.value, relation, limit)? {
            return Ok(false);
        }
        let mut members = self.reads_of_targets(guard, stores);
        members.extend(statements.iter().map(|statement| self.store_of(*statement)));
        self.add(ReductionOperator::First, true, statements, Some(guard), members, None);
        Ok(true)
    }

    /// Whether a value that is stored may satisfy a comparison with a constant.
    fn may_hold(
        &self,
        statement: usize,
        value: &Expression,
        relation: BinaryOperator,
        limit: i128,
    ) -> Result<bool, IslError> {
        if let Some(constant) = constant(value) {
            return Ok(match relation {
                BinaryOperator::Less => constant < limit,
                BinaryOperator::LessEqual => constant <= limit,
                BinaryOperator::Greater => constant > limit,
                BinaryOperator::GreaterEqual => constant >= limit,
                BinaryOperator::Equal => constant == limit,
                _ => constant != limit,
            });
        }
        let ExpressionKind::Iterator(id) = stripped(value).kind else { return Ok(true) };
        let program = self.program;
        let facts = &program.statements[statement];
        let Some(index) = facts.around.iter().rev().find(|index| program.loops[**index].node.iterator == id)
        else {
            return Ok(true);
        };
        let value = Affine::term(Term::Named('a', *index));
        let holds = compared(relation, &value, &Affine::constant(limit));
        let condition = Formula::and([program.context(), program.instances(&facts.around, &[], 'a'), holds]);
        let iterators = program.iterators(&facts.around, 'a');
        Ok(!program.set(self.context, &iterators, &[], &condition)?.is_empty()?)
    }
}

/// Whether a value that is compared is the one that is stored in a type, but for conversions that keep what is less.
fn is_stored(compared: &Expression, stored: &Expression, target: Scalar) -> bool {
    let mut inner = stored;
    keeps_order(stored.scalar, target)
        && loop {
            if same(compared, inner, None) {
                break true;
            }
            match &inner.kind {
                ExpressionKind::Cast(value) if keeps_order(value.scalar, inner.scalar) => inner = value,
                _ => break false,
            }
        }
}

/// Whether a guard stands around a statement.
fn contains(guard: &If, statement: &Statement) -> bool {
    [&guard.then, &guard.otherwise]
        .into_iter()
        .flat_map(|branch| walk(branch))
        .any(|node| matches!(node, Node::Statement(other) if std::ptr::eq(other, statement)))
}

fn count_breaks(nodes: &[Node]) -> usize {
    walk_iteration(nodes).filter(|node| matches!(node, Node::Break(_))).count()
}

/// A comparison of a variable with a constant: `p < 0`, `-1 == p`, `!found`, `found`.
pub(crate) fn sentinel(condition: &Expression) -> Option<(BinaryOperator, &Reference, i128)> {
    let condition = stripped(condition);
    match &condition.kind {
        ExpressionKind::Read(reference) => Some((BinaryOperator::NotEqual, reference, 0)),
        ExpressionKind::Unary(UnaryOperator::Not, inner) => match &stripped(inner).kind {
            ExpressionKind::Read(reference) => Some((BinaryOperator::Equal, reference, 0)),
            _ => None,
        },
        ExpressionKind::Binary(relation, left, right) if relation.is_comparison() => {
            match (&stripped(left).kind, constant(right), &stripped(right).kind, constant(left)) {
                (ExpressionKind::Read(reference), Some(limit), ..) => Some((*relation, reference, limit)),
                (_, _, ExpressionKind::Read(reference), Some(limit)) => {
                    Some((mirrored(*relation), reference, limit))
                }
                _ => None,
            }
        }
        _ => None,
    }
}
