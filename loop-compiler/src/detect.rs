//! Detection of reductions: which statements combine their target with an associative and commutative operator.
//!
//! The data flow of Doerfert, Streit, Hack and Benaissa, "Polly's Polyhedral Scheduling in the Presence of Reductions"
//! (IMPACT 2015), section 3: each load of the target's cell is followed through the operations to the store. Beyond the
//! paper are minimum and maximum in every form, searches (argmin, argmax, first and last), conditional updates, values
//! that pass through a local variable, and several statements on one target. Whether a loop carries the reduction is
//! asked later, of its dependences.

use std::{collections::BTreeMap, rc::Rc};

use crate::{
    isl::{Context, IslError, Set},
    program::{Action, Program, stripped},
    rules::Rule,
    tree::{
        BinaryOperator, Expression, ExpressionKind, If, Node, ReductionOperator, Reference, Statement, Step,
        Store, UnaryOperator, VariableId,
    },
    types::Scalar,
};

/// Where the paper's text and its examples differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DetectionRule {
    /// Whether another load of the target's array disturbs only where it reads the same cell in the same instance
    /// (the sentence about `A[i % 2] + A[i % 2 + 1]`), or wherever its range meets the target's (the definition).
    pub by_instance: bool,
    /// Whether `x - e` is taken as `x + (-e)`.
    pub subtraction: bool,
}

impl Default for DetectionRule {
    fn default() -> DetectionRule {
        DetectionRule { by_instance: true, subtraction: true }
    }
}

/// Statements that update a target in a way that may be reordered: `(S, l, ⊕, s)` of the paper.
#[derive(Clone, Debug)]
pub(crate) struct ReductionLike {
    pub operator: ReductionOperator,
    /// Equal for statements that form one reduction: same operator, same targets.
    pub group: usize,
    /// The statements that store.
    pub statements: Vec<usize>,
    /// The `if` whose condition is part of the form, if there is one.
    pub guard: Option<usize>,
    /// Accesses to the targets that belong to it, loads and stores.
    pub members: Vec<usize>,
    /// The load and the store, where they name the same cell in some instances only.
    pub only_where_equal: Option<(usize, usize)>,
}

/// An accumulation whose intermediate values are stored or used: into the next cell, `b[i] = b[i - 1] + a[i]`, or through a
/// local variable that has other uses. It is a scan if a loop carries nothing else.
#[derive(Clone, Debug)]
pub(crate) struct Prefix {
    pub loads: Vec<usize>,
    pub store: usize,
    /// Whether load and store name different cells, so that only a distance of one iteration makes a scan.
    pub next_cell: bool,
}

/// What detection finds.
#[derive(Debug, Default)]
pub(crate) struct Detected {
    pub reductions: Vec<ReductionLike>,
    pub prefixes: Vec<Prefix>,
    /// By statement: why something that resembles a reduction is none.
    pub rejected: BTreeMap<usize, (Rule, String)>,
}

/// How a loaded value reaches an operation: the symbols ⊥, ↑, ⊕ and ⊤ of the paper.
#[derive(Clone, Debug, PartialEq)]
enum Symbol {
    /// ⊥: not used.
    Unused,
    /// ↑: used as it is, or negated.
    Loaded { negated: bool },
    /// ⊕: one operand of a chain of one operator.
    Combined { operator: ReductionOperator, negated: bool },
    /// ⊤.
    Other(Rule, String),
}

pub(crate) fn detect(
    program: &Program<'_>,
    context: &Rc<Context>,
    rule: DetectionRule,
) -> Result<Detected, IslError> {
    let mut detection = Detection {
        program,
        context,
        rule,
        found: Detected::default(),
        groups: Vec::new(),
        temporaries: BTreeMap::new(),
    };
    detection.find_temporaries();
    for loop_index in 0..program.loops.len() {
        detection.search(loop_index);
    }
    for (index, statement) in program.statements.iter().enumerate() {
        if let Action::Condition(guard) = statement.action {
            detection.guarded(index, guard)?;
        }
    }
    for (index, statement) in program.statements.iter().enumerate() {
        if let Action::Statement(statement) = statement.action
            && !detection.is_found(index)
        {
            detection.statement(index, statement)?;
        }
    }
    for (index, statement) in program.statements.iter().enumerate() {
        if let Action::Statement(statement) = statement.action
            && !detection.is_found(index)
        {
            detection.last(index, statement);
        }
    }
    Ok(detection.found)
}

/// What makes reductions one: the operator, the targets' arrays, and whether ties keep the first.
type ReductionKey = (ReductionOperator, Vec<usize>, bool);

struct Detection<'p, 'r> {
    program: &'p Program<'r>,
    context: &'p Rc<Context>,
    rule: DetectionRule,
    found: Detected,
    groups: Vec<ReductionKey>,
    /// Local variables with one value that is used in the statements that follow.
    temporaries: BTreeMap<VariableId, Temporary<'r>>,
}

/// A local variable with one value.
struct Temporary<'r> {
    value: &'r Expression,
    /// The statement that declares it.
    declared: usize,
    /// A line of a second use.
    used_elsewhere: Option<u32>,
}

impl<'r> Detection<'_, 'r> {
    fn is_found(&self, statement: usize) -> bool {
        self.found.reductions.iter().any(|reduction| reduction.statements.contains(&statement))
    }

    fn find_temporaries(&mut self) {
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
            if !is_scalar || uses.iter().any(|access| access.write) {
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
            if !changed {
                let used_elsewhere = uses.get(1).map(|access| access.reference.at.line);
                self.temporaries
                    .insert(declaration.variable, Temporary { value, declared: index, used_elsewhere });
            }
        }
    }

    fn add(
        &mut self,
        operator: ReductionOperator,
        first_wins: bool,
        statements: Vec<usize>,
        guard: Option<usize>,
        members: Vec<usize>,
        only_where_equal: Option<(usize, usize)>,
    ) {
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
    fn store_of(&self, statement: usize) -> usize {
        *self.program.statements[statement].accesses.last().expect("a statement stores")
    }

    fn statement(&mut self, index: usize, statement: &'r Statement) -> Result<(), IslError> {
        let store = self.store_of(index);
        let (symbol, loads) = match &statement.store {
            Store::Reduce { operator, .. } => {
                let load = self.program.statements[index].accesses.iter().rev().nth(1).copied();
                (Symbol::Combined { operator: *operator, negated: false }, load.into_iter().collect())
            }
            Store::Update { operator, computed_in } => {
                let load = self.program.statements[index].accesses.iter().rev().nth(1).copied();
                (self.update(statement, *operator, *computed_in), load.into_iter().collect())
            }
            Store::Assign => {
                let mut loads = Vec::new();
                self.loads_of(&statement.value, &statement.target, &mut loads);
                if loads.is_empty() {
                    return self.elsewhere(index, statement, store);
                }
                let symbol = self.converted(&statement.value, statement.target.scalar, &|reference| {
                    same_reference(reference, &statement.target, None)
                });
                (symbol, loads)
            }
        };
        match symbol {
            Symbol::Combined { operator, negated: false } => {
                if let Some(line) = self.used_elsewhere(&statement.value, &statement.target) {
                    let reason = format!("line {line} uses the intermediate value, too");
                    self.found.rejected.insert(index, (Rule::Scans, reason));
                    self.found.prefixes.push(Prefix { loads, store, next_cell: false });
                    return Ok(());
                }
                if let Some(line) = self.disturbing(index, store, &loads)? {
                    let reason =
                        format!("the statement reads an element of its target elsewhere (line {line})");
                    self.found.rejected.insert(index, (Rule::Subscripts, reason));
                    return Ok(());
                }
                self.next_cell(statement, store, &loads, operator);
                let members = loads.into_iter().chain([store]).collect();
                self.add(operator, true, vec![index], None, members, None);
            }
            Symbol::Combined { .. } | Symbol::Loaded { negated: true } => {
                let reason =
                    "the target is subtracted; only what is subtracted from the target can be reordered";
                self.found.rejected.insert(index, (Rule::Operators, reason.into()));
            }
            Symbol::Other(rule, reason) => {
                self.found.rejected.insert(index, (rule, reason));
            }
            Symbol::Unused | Symbol::Loaded { .. } => {}
        }
        Ok(())
    }

    /// A statement whose value reads the target's array at another subscript.
    fn elsewhere(&mut self, index: usize, statement: &'r Statement, store: usize) -> Result<(), IslError> {
        let program = self.program;
        let array = program.accesses[store].array;
        let mut others = Vec::new();
        self.visit(&statement.value, &mut |reference| {
            let access = program.access_of(reference);
            others.extend(
                access
                    .filter(|access| program.accesses[*access].array == array)
                    .map(|access| (access, reference)),
            );
        });
        let Some((load, reference)) = only_one(&others) else { return Ok(()) };
        let symbol = self.converted(&statement.value, statement.target.scalar, &|other| {
            same_reference(other, reference, None)
        });
        let Symbol::Combined { operator, negated: false } = symbol else {
            if let Symbol::Other(rule, reason) = symbol {
                self.found.rejected.insert(index, (rule, reason));
            }
            return Ok(());
        };
        let meets = self.meet(load, store, true)?;
        if meets || !self.rule.by_instance && self.meet(load, store, false)? {
            self.add(operator, true, vec![index], None, vec![load, store], Some((load, store)));
        }
        if meets {
            let reason = "the load and the store name the same element in some iterations only";
            self.found.rejected.insert(index, (Rule::Subscripts, reason.into()));
        } else {
            self.found.prefixes.push(Prefix { loads: all(&others), store, next_cell: true });
            let reason = "each element is computed from another element of the same array";
            self.found.rejected.insert(index, (Rule::Scans, reason.into()));
        }
        Ok(())
    }

    /// `a[i] += a[i - 1]`: the other load of the target's array is an operand of the same operator.
    fn next_cell(
        &mut self,
        statement: &'r Statement,
        store: usize,
        loads: &[usize],
        operator: ReductionOperator,
    ) {
        let program = self.program;
        let array = program.accesses[store].array;
        let mut others = Vec::new();
        self.visit(&statement.value, &mut |reference| {
            let access = program.access_of(reference).filter(|access| !loads.contains(access));
            others.extend(
                access
                    .filter(|access| program.accesses[*access].array == array)
                    .map(|access| (access, reference)),
            );
        });
        let Some((_, reference)) = only_one(&others) else { return };
        let symbol = self.symbol(&statement.value, &|other| same_reference(other, reference, None));
        let chained = match symbol {
            Symbol::Combined { operator: same, negated: false } => same == operator,
            Symbol::Loaded { negated: false } => matches!(statement.store, Store::Update { .. }),
            _ => false,
        };
        if chained {
            self.found.prefixes.push(Prefix { loads: all(&others), store, next_cell: true });
        }
    }

    /// A line that uses, besides this statement, a local variable in which the target's value reaches it.
    fn used_elsewhere(&self, value: &Expression, target: &Reference) -> Option<u32> {
        let mut found = None;
        value.visit_reads(&mut |reference| {
            let Some(temporary) = self.temporaries.get(&reference.variable) else { return };
            let is_load = |other: &Reference| same_reference(other, target, None);
            if found.is_none() && self.symbol(temporary.value, &is_load) != Symbol::Unused {
                found = temporary.used_elsewhere.or_else(|| self.used_elsewhere(temporary.value, target));
            }
        });
        found
    }

    /// The line of a load of the statement that disturbs the reduction: it may read the cell that is updated.
    fn disturbing(&self, statement: usize, store: usize, loads: &[usize]) -> Result<Option<u32>, IslError> {
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
    fn meet(&self, first: usize, second: usize, in_one_instance: bool) -> Result<bool, IslError> {
        let program = self.program;
        let (f, s) = (&program.accesses[first], &program.accesses[second]);
        let other = if in_one_instance { 'a' } else { 'b' };
        let names = if in_one_instance {
            program.iterators(&s.around, 'a')
        } else {
            let names = [program.iterators(&f.around, 'a'), program.iterators(&s.around, 'b')];
            names.into_iter().filter(|names| !names.is_empty()).collect::<Vec<_>>().join(", ")
        };
        let text = format!(
            "{}{{ [{names}] : {} and {} and {} and {} }}",
            program.parameter_list(),
            program.context(),
            program.domain(f, 'a'),
            program.domain(s, other),
            program.same_cell(f, 'a', s, other),
        );
        Ok(!Set::parse(self.context, &text)?.is_empty()?)
    }

    /// Calls `visit` with each read of a value, through temporaries, without subscripts.
    fn visit(&self, expression: &'r Expression, visit: &mut dyn FnMut(&'r Reference)) {
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
    fn loads_of(&self, value: &'r Expression, target: &Reference, loads: &mut Vec<usize>) {
        self.visit(value, &mut |reference| {
            if same_reference(reference, target, None) {
                loads.extend(self.program.access_of(reference));
            }
        });
    }

    /// `target operator= value`.
    fn update(&self, statement: &Statement, operator: BinaryOperator, computed_in: Scalar) -> Symbol {
        let target = &statement.target;
        let value = self.symbol(&statement.value, &|reference| same_reference(reference, target, None));
        if value != Symbol::Unused {
            let reason = "the target is used on both sides";
            return Symbol::Other(Rule::Operators, reason.into());
        }
        let loaded = Symbol::Loaded { negated: false };
        let combined = self.combined(operator, computed_in, loaded, Symbol::Unused);
        let fits = fits(&statement.value, target.scalar);
        conversion(combined, computed_in, target.scalar, fits)
    }

    /// The symbol of a value that is stored in a type.
    fn converted(&self, value: &Expression, to: Scalar, is_load: &dyn Fn(&Reference) -> bool) -> Symbol {
        let symbol = self.symbol(value, is_load);
        let fits = self.operands_fit(value, to, is_load);
        conversion(symbol, value.scalar, to, fits)
    }

    /// How the loaded value is used.
    fn symbol(&self, expression: &Expression, is_load: &dyn Fn(&Reference) -> bool) -> Symbol {
        match &expression.kind {
            ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::Imaginary(_)
            | ExpressionKind::Iterator(_) => Symbol::Unused,
            ExpressionKind::Read(reference) => {
                if let Some(temporary) = self.temporaries.get(&reference.variable) {
                    return self.symbol(temporary.value, is_load);
                }
                if is_load(reference) {
                    return Symbol::Loaded { negated: false };
                }
                let in_subscript =
                    reference.subscripts().any(|subscript| self.symbol(subscript, is_load) != Symbol::Unused);
                if in_subscript { other("the target is part of a subscript") } else { Symbol::Unused }
            }
            ExpressionKind::Cast(inner) => {
                let fits = self.operands_fit(inner, expression.scalar, is_load);
                conversion(self.symbol(inner, is_load), inner.scalar, expression.scalar, fits)
            }
            ExpressionKind::Unary(operator, inner) => match (self.symbol(inner, is_load), operator) {
                (Symbol::Unused, _) => Symbol::Unused,
                (Symbol::Loaded { negated }, UnaryOperator::Negate) => Symbol::Loaded { negated: !negated },
                (Symbol::Combined { operator: ReductionOperator::Add, negated }, UnaryOperator::Negate) => {
                    Symbol::Combined { operator: ReductionOperator::Add, negated: !negated }
                }
                _ => other("the target is an operand of a unary operator"),
            },
            ExpressionKind::Binary(operator, left, right) => self.combined(
                *operator,
                expression.scalar,
                self.symbol(left, is_load),
                self.symbol(right, is_load),
            ),
            ExpressionKind::Call(name, arguments) => {
                let symbols: Vec<_> =
                    arguments.iter().map(|argument| self.symbol(argument, is_load)).collect();
                match (extreme_function(name), &symbols[..]) {
                    (_, symbols) if symbols.iter().all(|symbol| *symbol == Symbol::Unused) => Symbol::Unused,
                    (Some(operator), [left, right]) => chained(operator, left.clone(), right.clone()),
                    _ => other(format!("the target is an argument of `{name}`")),
                }
            }
            ExpressionKind::Select(condition, then, otherwise) => {
                self.select(condition, then, otherwise, is_load)
            }
        }
    }

    fn select(
        &self,
        condition: &Expression,
        then: &Expression,
        otherwise: &Expression,
        is_load: &dyn Fn(&Reference) -> bool,
    ) -> Symbol {
        let symbols = [condition, then, otherwise].map(|part| self.symbol(part, is_load));
        match symbols {
            [Symbol::Unused, Symbol::Unused, Symbol::Unused] => Symbol::Unused,
            // `c ? s + x : s`.
            [Symbol::Unused, then, otherwise] => match (then, otherwise) {
                (Symbol::Combined { operator, negated: false }, Symbol::Loaded { negated: false })
                | (Symbol::Loaded { negated: false }, Symbol::Combined { operator, negated: false }) => {
                    Symbol::Combined { operator, negated: false }
                }
                (
                    Symbol::Combined { operator, negated: false },
                    Symbol::Combined { operator: same, negated: false },
                ) if operator == same => Symbol::Combined { operator, negated: false },
                (Symbol::Other(rule, reason), _) | (_, Symbol::Other(rule, reason)) => {
                    Symbol::Other(rule, reason)
                }
                _ => other("the target is replaced in some iterations"),
            },
            _ => match self.extreme(condition, then, otherwise) {
                Some((operator, left, right)) => {
                    chained(operator, self.symbol(left, is_load), self.symbol(right, is_load))
                }
                None => other("a condition reads the target"),
            },
        }
    }

    /// `a < b ? a : b` and the other forms of minimum and maximum.
    fn extreme<'e>(
        &self,
        condition: &'e Expression,
        then: &Expression,
        otherwise: &Expression,
    ) -> Option<(ReductionOperator, &'e Expression, &'e Expression)> {
        let (relation, left, right) = comparison(condition)?;
        let straight = same(left, then, None) && same(right, otherwise, None);
        let crossed = same(left, otherwise, None) && same(right, then, None);
        let less = matches!(relation, BinaryOperator::Less | BinaryOperator::LessEqual);
        match (straight, crossed) {
            (true, _) => Some((
                if less { ReductionOperator::Minimum } else { ReductionOperator::Maximum },
                left,
                right,
            )),
            (_, true) => Some((
                if less { ReductionOperator::Maximum } else { ReductionOperator::Minimum },
                left,
                right,
            )),
            _ => None,
        }
    }

    fn combined(&self, operator: BinaryOperator, scalar: Scalar, left: Symbol, right: Symbol) -> Symbol {
        let reduction = match operator {
            BinaryOperator::Add => ReductionOperator::Add,
            BinaryOperator::Multiply => ReductionOperator::Multiply,
            BinaryOperator::And => ReductionOperator::And,
            BinaryOperator::Or => ReductionOperator::Or,
            BinaryOperator::Xor => ReductionOperator::Xor,
            BinaryOperator::LogicalAnd => ReductionOperator::LogicalAnd,
            BinaryOperator::LogicalOr => ReductionOperator::LogicalOr,
            BinaryOperator::Subtract if self.rule.subtraction => {
                let right = match right {
                    Symbol::Loaded { negated } => Symbol::Loaded { negated: !negated },
                    Symbol::Combined { operator: ReductionOperator::Add, negated } => {
                        Symbol::Combined { operator: ReductionOperator::Add, negated: !negated }
                    }
                    right => right,
                };
                return chained(ReductionOperator::Add, left, right);
            }
            _ if left == Symbol::Unused && right == Symbol::Unused => return Symbol::Unused,
            BinaryOperator::Divide
                if scalar.is_float()
                    && right == Symbol::Unused
                    && matches!(
                        left,
                        Symbol::Loaded { .. }
                            | Symbol::Combined { operator: ReductionOperator::Multiply, .. }
                    ) =>
            {
                let reason = "a division; write a product with reciprocals, whose rounding differs";
                return Symbol::Other(Rule::Floats, reason.into());
            }
            BinaryOperator::Divide
                if right == Symbol::Unused
                    && matches!(left, Symbol::Combined { operator: ReductionOperator::Add, .. }) =>
            {
                return Symbol::Other(
                    Rule::Scans,
                    "a linear recurrence (x = (x + a) / b) is no reduction".into(),
                );
            }
            _ => return other(format!("`{}` is not associative and commutative", operator.symbol())),
        };
        chained(reduction, left, right)
    }

    /// Whether every operand other than the target is a value of a type, so that converting the result loses nothing.
    fn operands_fit(&self, value: &Expression, to: Scalar, is_load: &dyn Fn(&Reference) -> bool) -> bool {
        match &value.kind {
            ExpressionKind::Cast(inner) => fits(value, to) || self.operands_fit(inner, to, is_load),
            ExpressionKind::Binary(
                BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor,
                left,
                right,
            ) => self.operands_fit(left, to, is_load) && self.operands_fit(right, to, is_load),
            ExpressionKind::Select(_, then, otherwise) => {
                self.operands_fit(then, to, is_load) && self.operands_fit(otherwise, to, is_load)
            }
            ExpressionKind::Read(reference) if is_load(reference) => true,
            _ => fits(value, to),
        }
    }

    /// `if (x > m) m = x;`, with indices or without, and searches for a first element without `break`.
    fn guarded(&mut self, index: usize, guard: &'r If) -> Result<(), IslError> {
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

    fn index_of(&self, statement: &Statement) -> Option<usize> {
        let is =
            |action: Action<'_>| matches!(action, Action::Statement(other) if std::ptr::eq(other, statement));
        self.program.statements.iter().position(|facts| is(facts.action))
    }

    /// Whether an expression reads an array that one of the stores changes.
    fn reads_target(&self, expression: &'r Expression, stores: &[&'r Statement]) -> bool {
        let mut reads = false;
        expression.visit_reads(&mut |reference| {
            reads |= stores.iter().any(|store| {
                store.target.variable == reference.variable && store.target.members().eq(reference.members())
            });
        });
        reads
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
            let is_target = |side: &Expression| matches!(&stripped(side).kind, ExpressionKind::Read(reference) if same_reference(reference, &store.target, None));
            // The value that is compared is the value that is stored, or the element that the stored index names.
            let by_value = |target: &'r Expression, value: &'r Expression| {
                is_target(target) && same(stripped(value), stripped(&store.value), None)
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
                    let reason = "the value that is stored is not the one that is compared";
                    self.found.rejected.insert(*index, (Rule::Operators, reason.into()));
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
                if !keeps(stripped(&store.value).scalar, store.target.scalar) {
                    let reason =
                        format!("the value is converted to `{}` at each step", store.target.scalar.c_name());
                    self.found.rejected.insert(*index, (Rule::Integers, reason));
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

    /// The loads of a guard from arrays that the stores change.
    fn reads_of_targets(&self, guard: usize, stores: &[&Statement]) -> Vec<usize> {
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
        let text = format!(
            "{}{{ [{}] : {} and {} and a{index} {} {limit} }}",
            program.parameter_list(),
            program.iterators(&facts.around, 'a'),
            program.context(),
            program.instances(&facts.around, &[], 'a'),
            if relation == BinaryOperator::Equal { "=" } else { relation.symbol() },
        );
        Ok(!Set::parse(self.context, &text)?.is_empty()?)
    }

    /// A loop that looks for a first element: `if (c) { position = i; break; }` and nothing else that is stored.
    fn search(&mut self, loop_index: usize) {
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
    fn last(&mut self, index: usize, statement: &'r Statement) {
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
            && statement.target.subscripts().all(|subscript| !uses_iterators(subscript))
        {
            let store = self.store_of(index);
            self.add(ReductionOperator::Last, false, vec![index], None, vec![store], None);
        }
    }
}

fn all(loads: &[(usize, &Reference)]) -> Vec<usize> {
    loads.iter().map(|(load, _)| *load).collect()
}

/// The first of the loads, if they are all written alike: minimum and maximum write their operands twice.
fn only_one<'r>(loads: &[(usize, &'r Reference)]) -> Option<(usize, &'r Reference)> {
    let first = *loads.first()?;
    loads.iter().all(|(_, other)| same_reference(other, first.1, None)).then_some(first)
}

/// Whether a guard stands around a statement.
fn contains(guard: &If, statement: &Statement) -> bool {
    fn within(nodes: &[Node], statement: &Statement) -> bool {
        nodes.iter().any(|node| match node {
            Node::Statement(other) => std::ptr::eq(other, statement),
            Node::Loop(looped) => within(&looped.body, statement),
            Node::If(guard) => contains(guard, statement),
            _ => false,
        })
    }
    within(&guard.then, statement) || within(&guard.otherwise, statement)
}

fn uses_iterators(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Iterator(_) => true,
        ExpressionKind::Read(reference) => reference.subscripts().any(uses_iterators),
        ExpressionKind::Unary(_, inner) | ExpressionKind::Cast(inner) => uses_iterators(inner),
        ExpressionKind::Binary(_, left, right) => uses_iterators(left) || uses_iterators(right),
        ExpressionKind::Select(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().any(|part| uses_iterators(part))
        }
        ExpressionKind::Call(_, arguments) => arguments.iter().any(uses_iterators),
        ExpressionKind::Integer(_) | ExpressionKind::Float(_) | ExpressionKind::Imaginary(_) => false,
    }
}

fn count_breaks(nodes: &[Node]) -> usize {
    nodes
        .iter()
        .map(|node| match node {
            Node::Break(_) => 1,
            Node::If(guard) => count_breaks(&guard.then) + count_breaks(&guard.otherwise),
            _ => 0,
        })
        .sum()
}

/// The parts of a condition that all must hold.
fn conjuncts<'e>(condition: &'e Expression, parts: &mut Vec<&'e Expression>) {
    match &condition.kind {
        ExpressionKind::Binary(BinaryOperator::LogicalAnd, left, right) => {
            conjuncts(left, parts);
            conjuncts(right, parts);
        }
        _ => parts.push(condition),
    }
}

/// `<`, `<=`, `>`, `>=` and the sides.
fn comparison(condition: &Expression) -> Option<(BinaryOperator, &Expression, &Expression)> {
    match &stripped(condition).kind {
        ExpressionKind::Binary(relation, left, right)
            if matches!(
                relation,
                BinaryOperator::Less
                    | BinaryOperator::LessEqual
                    | BinaryOperator::Greater
                    | BinaryOperator::GreaterEqual
            ) =>
        {
            Some((*relation, left, right))
        }
        _ => None,
    }
}

/// A comparison of a variable with a constant: `p < 0`, `-1 == p`, `!found`, `found`.
fn sentinel(condition: &Expression) -> Option<(BinaryOperator, &Reference, i128)> {
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

/// The comparison with its sides exchanged.
fn mirrored(relation: BinaryOperator) -> BinaryOperator {
    match relation {
        BinaryOperator::Less => BinaryOperator::Greater,
        BinaryOperator::LessEqual => BinaryOperator::GreaterEqual,
        BinaryOperator::Greater => BinaryOperator::Less,
        BinaryOperator::GreaterEqual => BinaryOperator::LessEqual,
        other => other,
    }
}

fn constant(expression: &Expression) -> Option<i128> {
    match &stripped(expression).kind {
        ExpressionKind::Integer(value) => Some(*value),
        ExpressionKind::Unary(UnaryOperator::Negate, inner) => constant(inner).map(|value| -value),
        _ => None,
    }
}

fn other(reason: impl Into<String>) -> Symbol {
    Symbol::Other(Rule::Operators, reason.into())
}

/// One more operand of a chain.
fn chained(operator: ReductionOperator, left: Symbol, right: Symbol) -> Symbol {
    let additive = operator == ReductionOperator::Add;
    match (left, right) {
        (Symbol::Unused, Symbol::Unused) => Symbol::Unused,
        (Symbol::Other(rule, reason), _) | (_, Symbol::Other(rule, reason)) => Symbol::Other(rule, reason),
        (Symbol::Loaded { negated }, Symbol::Unused) | (Symbol::Unused, Symbol::Loaded { negated })
            if additive || !negated =>
        {
            Symbol::Combined { operator, negated }
        }
        (Symbol::Combined { operator: same, negated }, Symbol::Unused)
        | (Symbol::Unused, Symbol::Combined { operator: same, negated })
            if same == operator =>
        {
            Symbol::Combined { operator, negated }
        }
        (Symbol::Combined { operator: inner, .. }, Symbol::Unused)
        | (Symbol::Unused, Symbol::Combined { operator: inner, .. })
            if matches!(
                (inner, operator),
                (ReductionOperator::Multiply, ReductionOperator::Add)
                    | (ReductionOperator::Add, ReductionOperator::Minimum | ReductionOperator::Maximum)
            ) =>
        {
            let form = if operator == ReductionOperator::Add { "x = a * x + b" } else { "x = max(x + a, b)" };
            Symbol::Other(Rule::Scans, format!("a linear recurrence ({form}) is no reduction"))
        }
        (left, right) if left != Symbol::Unused && right != Symbol::Unused => {
            other("the target is used twice")
        }
        _ => other("different operators are mixed"),
    }
}

/// What a conversion makes of a symbol. `fits`: the other operands are values of the new type.
fn conversion(symbol: Symbol, from: Scalar, to: Scalar, fits: bool) -> Symbol {
    if matches!(symbol, Symbol::Unused | Symbol::Other(..)) || keeps(from, to) {
        return symbol;
    }
    let selects = match symbol {
        Symbol::Combined { operator, .. } => matches!(
            operator,
            ReductionOperator::And
                | ReductionOperator::Or
                | ReductionOperator::Xor
                | ReductionOperator::LogicalAnd
                | ReductionOperator::LogicalOr
                | ReductionOperator::Minimum
                | ReductionOperator::Maximum
        ),
        _ => true,
    };
    if selects && fits && from.is_integer() && to.is_integer() {
        return symbol;
    }
    let reason =
        format!("the result is converted from `{}` to `{}` at each step", from.c_name(), to.c_name());
    Symbol::Other(Rule::Integers, reason)
}

/// Whether a conversion may be done once, at the end, instead of at each step.
fn keeps(from: Scalar, to: Scalar) -> bool {
    match (from, to) {
        _ if to.holds_all_of(from) => true,
        // Rounded, as floats are at each step anyway.
        (
            Scalar::Float { .. } | Scalar::Integer { .. } | Scalar::Bool,
            Scalar::Float { .. } | Scalar::Complex { .. },
        ) => true,
        (Scalar::Complex { .. }, Scalar::Complex { .. }) => true,
        // The same bits.
        (Scalar::Integer { bits: from, .. }, Scalar::Integer { bits: to, .. }) => from == to,
        _ => false,
    }
}

/// Whether a value, before its conversions, is one of a type.
fn fits(value: &Expression, to: Scalar) -> bool {
    let value = stripped(value);
    match &value.kind {
        ExpressionKind::Integer(constant) => to.holds(*constant),
        ExpressionKind::Binary(operator, ..)
            if operator.is_comparison()
                || matches!(operator, BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr) =>
        {
            to.is_integer()
        }
        ExpressionKind::Unary(UnaryOperator::Not, _) => to.is_integer(),
        _ => to.holds_all_of(value.scalar),
    }
}

/// The C library's minimum and maximum.
fn extreme_function(name: &str) -> Option<ReductionOperator> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    match name.strip_suffix('f').unwrap_or(name) {
        "fmin" | "min" => Some(ReductionOperator::Minimum),
        "fmax" | "max" => Some(ReductionOperator::Maximum),
        _ => None,
    }
}

/// Whether two references are written alike.
pub(crate) fn same_reference(
    first: &Reference,
    second: &Reference,
    replaced: Option<(&Reference, &Expression)>,
) -> bool {
    first.variable == second.variable
        && first.path.len() == second.path.len()
        && first.path.iter().zip(&second.path).all(|steps| match steps {
            (Step::Index(first), Step::Index(second)) => same(first, second, replaced),
            (Step::Member(first), Step::Member(second)) => first == second,
            _ => false,
        })
}

/// Whether two expressions are written alike, apart from conversions that lose nothing. In the second, a reference may
/// stand for an expression.
fn same(first: &Expression, second: &Expression, replaced: Option<(&Reference, &Expression)>) -> bool {
    let (first, second) = (widened(first), widened(second));
    if let (Some((reference, value)), ExpressionKind::Read(read)) = (replaced, &second.kind)
        && same_reference(reference, read, None)
    {
        return same(first, value, None);
    }
    match (&first.kind, &second.kind) {
        (ExpressionKind::Integer(first), ExpressionKind::Integer(second)) => first == second,
        (ExpressionKind::Float(first), ExpressionKind::Float(second)) => first.to_bits() == second.to_bits(),
        (ExpressionKind::Imaginary(first), ExpressionKind::Imaginary(second)) => {
            first.to_bits() == second.to_bits()
        }
        (ExpressionKind::Iterator(first), ExpressionKind::Iterator(second)) => first == second,
        (ExpressionKind::Read(first), ExpressionKind::Read(second)) => {
            same_reference(first, second, replaced)
        }
        (ExpressionKind::Unary(f, first), ExpressionKind::Unary(s, second)) => {
            f == s && same(first, second, replaced)
        }
        (ExpressionKind::Cast(inner_first), ExpressionKind::Cast(inner_second)) => {
            first.scalar == second.scalar && same(inner_first, inner_second, replaced)
        }
        (ExpressionKind::Binary(f, fl, fr), ExpressionKind::Binary(s, sl, sr)) => {
            f == s && same(fl, sl, replaced) && same(fr, sr, replaced)
        }
        (ExpressionKind::Select(fc, ft, fo), ExpressionKind::Select(sc, st, so)) => {
            same(fc, sc, replaced) && same(ft, st, replaced) && same(fo, so, replaced)
        }
        (ExpressionKind::Call(f, first), ExpressionKind::Call(s, second)) => {
            f == s
                && first.len() == second.len()
                && first.iter().zip(second).all(|(f, s)| same(f, s, replaced))
        }
        _ => false,
    }
}

/// Without conversions that lose nothing.
fn widened(mut expression: &Expression) -> &Expression {
    while let ExpressionKind::Cast(inner) = &expression.kind {
        if !expression.scalar.holds_all_of(inner.scalar) {
            break;
        }
        expression = inner;
    }
    expression
}
