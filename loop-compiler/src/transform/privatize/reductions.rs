//! What a loop reduces, and which plan its copies have.

use std::collections::BTreeSet;

use super::{
    guards::converted,
    rewrite::combined_value,
    state::{Copies, Failure, Plan, Privatizer, rejected},
};
use crate::{
    analysis::{
        bounds::{self, Extent, When},
        classes::cells,
        detect::ReductionLike,
        program::Action,
    },
    ir::{
        BinaryOperator, Expression, ExpressionKind, Loop, Mark, ReductionOperator, Reference, Statement,
        Store, VariableId,
        arithmetic::{add, number},
        compare::{conjuncts, same_reference, stripped},
        operators,
        types::Scalar,
    },
    rules::{FloatOrder, Rule},
    transform,
};

impl<'r> Privatizer<'_, 'r> {
    pub(super) fn rank(&self, array: usize) -> usize {
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

    pub(super) fn group(&self, index: usize, array: usize) -> Option<usize> {
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

    pub(super) fn plan(&self, index: usize, node: &Loop, array: usize) -> Result<Plan, Failure> {
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

    pub(super) fn omitted(&self, array: usize) -> bool {
        self.choice.omitted.contains(&self.program.arrays[array].name)
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
    pub(super) fn declared_extents(&self, array: usize) -> Option<Vec<Expression>> {
        let described = &self.program.arrays[array];
        let variable = self.program.region.variable(described.variable);
        if !described.members.is_empty() {
            return None;
        }
        variable.extents.iter().map(|extent| extent.clone().map(crate::ir::arithmetic::long)).collect()
    }

    /// Whether all loops around are parallel: what they do not carry may be filled before them.
    pub(super) fn only_parallel_around(&self, index: usize) -> bool {
        let around = &self.program.loops[index].around;
        let inside = around.iter().skip_while(|looped| !self.is_chosen(**looped));
        inside.into_iter().all(|looped| self.is_chosen(*looped))
    }
}
