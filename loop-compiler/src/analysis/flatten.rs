//! A region as a [`Program`].
//!
//! Subscripts and bounds are read as C computes them. An unsigned sum or product that may be beyond its type, and a conversion to a
//! narrower type, are the mathematical value only if that fits: what neither types nor the bounds of loops say is assumed of
//! parameters where [`wanted`] asks for assumptions, and is otherwise not known.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use crate::{
    analysis::{
        affine::{Case, Names, compared, formula, pieces},
        linear::{linear, not_negative},
        polynomial::{Linear, Polynomial},
        program::{Access, Action, Array, Guard, LoopFacts, Parameter, Program, StatementFacts, bounds_of},
    },
    cost::policy::{COMPUTED, OPERATIONS_OF_NAME, TYPICAL_SIZE, WIDEST_STRIDE},
    ir::{
        BinaryOperator, Declaration, Expression, ExpressionKind, Loop, Node, Position, Reference, Region,
        Step, Storage, Store, UnaryOperator, VariableId,
        compare::{mirrored, stripped},
        convert::{self, integer_range},
        notation,
        types::Scalar,
        walk,
    },
    isl::{Affine, Formula, Term},
};

impl<'r> Program<'r> {
    /// Flattens a region; parameters may be fixed to sizes.
    pub fn new(region: &'r Region, sizes: BTreeMap<String, i64>) -> Program<'r> {
        Flatten::of(region, sizes, None).0
    }

    /// As [`new`](Self::new), and what has to be assumed of parameters, each not negative, so that subscripts and bounds are
    /// what they would be in integers without limits.
    pub fn with_assumptions(
        region: &'r Region,
        sizes: BTreeMap<String, i64>,
    ) -> (Program<'r>, Vec<Polynomial>) {
        Flatten::of(region, sizes, Some(Vec::new()))
    }
}

/// The iterator of a loop whose condition is read: its values are not known yet.
struct Own {
    index: usize,
    lower: Option<Affine>,
    step: i128,
    /// Values that do not exceed their type before the first iteration, and have to be looked at again.
    growing: Vec<(Polynomial, i128)>,
}

impl Own {
    /// A value that grows with the iterator, at one of its values.
    fn value_at(&self, value: &Polynomial, at: &Affine) -> Option<Polynomial> {
        let (factor, rest) = value.coefficient(self.index)?;
        let factor = factor.affine()?.as_constant().filter(|factor| *factor > 0 && self.step > 0)?;
        Some(rest.plus(&Polynomial::of(at), factor))
    }
}

struct Flatten<'r> {
    program: Program<'r>,
    written: BTreeSet<(VariableId, Vec<String>)>,
    declared: BTreeMap<VariableId, Expression>,
    around: Vec<usize>,
    guards: Vec<Guard>,
    bodies: usize,
    own: Option<Own>,
    /// What is assumed, if anything may be.
    wanted: Option<Vec<Polynomial>>,
    /// Whether what is read now is what a region assumes.
    trusts: bool,
    /// What operators give where C does not allow them to overflow, of the expressions that are read now, and its range.
    computed: Vec<(Polynomial, (i128, i128))>,
    /// The ranges of iterators, by loop, and whether parameters are sizes.
    ranges: RefCell<BTreeMap<(usize, bool), (i128, i128)>>,
}

/// Every variable, with members, that the region stores to.
fn written(region: &Region) -> BTreeSet<(VariableId, Vec<String>)> {
    let one = |node: &Node| match node {
        Node::Statement(statement) => Some(statement.target.array()),
        Node::ReduceDimension(reduce) => Some((reduce.target.unwrap_or(reduce.source), Vec::new())),
        Node::Declaration(_) | Node::Private(_) => node.declared().map(|variable| (variable, Vec::new())),
        Node::Loop(_) | Node::If(_) | Node::Break(_) => None,
    };
    walk(&region.body).filter_map(one).collect()
}

/// The integers that the region declares once, with their values, and changes nowhere. With the names in it replaced, each value is
/// short.
fn declared(region: &Region) -> BTreeMap<VariableId, Expression> {
    let (mut found, mut lengths) = (BTreeMap::new(), BTreeMap::new());
    let mut changed: BTreeSet<VariableId> =
        walk(&region.body).filter_map(Node::target).map(|target| target.variable).collect();
    for node in walk(&region.body) {
        let Node::Declaration(Declaration { variable, value, .. }) = node else { continue };
        let described = region.variable(*variable);
        let value = value.as_ref().filter(|_| described.scalar.is_integer() && described.extents.is_empty());
        let value = value.map(|value| convert::convert(value.clone(), described.scalar));
        let length = |value: &Expression| {
            let names = value.reads().into_iter().filter_map(|read| lengths.get(&read.variable));
            names.fold(value.walk().count(), |sum, length: &usize| sum.saturating_add(*length))
        };
        let length = value.as_ref().map(length).filter(|length| *length <= OPERATIONS_OF_NAME);
        match value.filter(|_| length.is_some()) {
            Some(value) => {
                lengths.insert(*variable, length.unwrap_or_default());
                if found.insert(*variable, value).is_some() {
                    changed.insert(*variable);
                }
            }
            None => drop(changed.insert(*variable)),
        }
    }
    found.retain(|variable, _| !changed.contains(variable));
    found
}

impl Names for Flatten<'_> {
    fn declared(&self, reference: &Reference) -> Option<Expression> {
        self.declared.get(&reference.variable).filter(|_| reference.path.is_empty()).cloned()
    }

    fn loop_of(&self, iterator: VariableId) -> Option<usize> {
        self.around.iter().rev().copied().find(|index| self.program.loops[*index].node.iterator == iterator)
    }

    fn first_of(&self, looped: usize) -> Option<Linear> {
        self.program.loops[looped].first.clone()
    }

    fn parameter(&mut self, reference: &Reference) -> Option<usize> {
        let invariant = !self.written.contains(&reference.array())
            && reference.scalar.is_integer()
            && reference.subscripts().all(|subscript| matches!(subscript.kind, ExpressionKind::Integer(_)));
        if !invariant {
            return None;
        }
        let text = parameter_text(self.program.region, reference);
        let known = self.program.parameters.iter().position(|parameter| parameter.text == text);
        Some(known.unwrap_or_else(|| {
            let kind = ExpressionKind::Read(reference.clone());
            self.add(text, Expression { kind, scalar: reference.scalar })
        }))
    }

    fn named(&mut self, value: &Expression, cases: &[Case]) -> usize {
        let known = self.program.parameters.iter().position(|parameter| parameter.value == *value);
        known.unwrap_or_else(|| {
            let text = notation::value(self.program.region, value);
            let parameter = self.add(format!("({text})"), value.clone());
            let term = Affine::term(Term::Parameter(parameter));
            self.program.known.push(Formula::or(cases.iter().map(|case| {
                Formula::and([case.condition.clone(), Formula::equal(term.clone(), case.value.clone())])
            })));
            parameter
        })
    }

    fn size(&self, reference: &Reference) -> Option<i128> {
        let text = parameter_text(self.program.region, reference);
        self.program.sizes.get(&text).map(|size| i128::from(*size))
    }

    fn range(&self, term: &Term) -> (i128, i128) {
        self.range_of(term, false)
    }

    fn computed(&mut self, value: &Expression, found: &Polynomial) {
        let has_room = self.computed.len() < COMPUTED && found.degree() > 1;
        if let (true, Some(range)) = (has_room && value.scalar.is_signed(), integer_range(value.scalar))
            && self.is_exact(value)
        {
            self.computed.push((found.clone(), range));
        }
    }

    fn is_exact(&mut self, expression: &Expression) -> bool {
        if expression.scalar.is_narrow() {
            // They are read as what they are, or not at all.
            return true;
        }
        // C does not allow signed numbers to overflow.
        if !expression.scalar.is_signed() {
            let most = integer_range(Scalar::LONG).map_or(0, |(_, most)| most);
            return linear(self, expression).is_some_and(|found| self.lies_in(&found.value, 0, most));
        }
        match &expression.kind {
            ExpressionKind::Read(reference) => {
                self.declared(reference).is_none_or(|declared| self.is_exact(&declared))
            }
            ExpressionKind::Integer(_) | ExpressionKind::Iterator(_) => true,
            ExpressionKind::Cast(inner) | ExpressionKind::Unary(UnaryOperator::Negate, inner) => {
                inner.scalar.is_integer() && self.is_exact(inner)
            }
            ExpressionKind::Binary(_, left, right) | ExpressionKind::Select(_, left, right) => {
                self.is_exact(left) && self.is_exact(right)
            }
            _ => false,
        }
    }

    fn lies_in(&mut self, value: &Polynomial, least: i128, most: i128) -> bool {
        if self.trusts {
            return true;
        }
        let (low, high) = value.range(&|term| self.range(term));
        if low >= least && high <= most || self.lies_beside_computed(value, least, most) {
            return true;
        }
        if low >= least && self.grows(value, most) {
            return true;
        }
        let before = self.wanted.as_ref().map_or(0, Vec::len);
        let lies_in = self.is_assumed_in(value, (least, low), (most, high));
        if let (false, Some(wanted)) = (lies_in, &mut self.wanted) {
            wanted.truncate(before);
        }
        lies_in
    }
}

/// A parameter as the source names it.
pub(crate) fn parameter_text(region: &Region, reference: &Reference) -> String {
    let mut text = region.variable(reference.variable).name.clone();
    for step in &reference.path {
        match step {
            Step::Index(index) => match index.kind {
                ExpressionKind::Integer(index) => text.push_str(&format!("[{index}]")),
                _ => text.push_str("[…]"),
            },
            Step::Member(name) => {
                text.push('.');
                text.push_str(name);
            }
        }
    }
    text
}

impl<'r> Flatten<'r> {
    fn of(
        region: &'r Region,
        sizes: BTreeMap<String, i64>,
        wanted: Option<Vec<Polynomial>>,
    ) -> (Program<'r>, Vec<Polynomial>) {
        let mut flatten = Flatten {
            program: Program::empty(region, sizes),
            written: written(region),
            declared: declared(region),
            around: Vec::new(),
            guards: Vec::new(),
            bodies: 0,
            own: None,
            wanted,
            trusts: true,
            computed: Vec::new(),
            ranges: RefCell::default(),
        };
        let formulas = region.assumed.iter().map(|one| formula(&mut flatten, one)).collect::<Vec<_>>();
        let values = region.assumed.iter().filter_map(|one| not_negative(&mut flatten, one)).collect();
        flatten.program.assume(Formula::and(formulas), values);
        flatten.trusts = false;
        flatten.body(&region.body);
        (flatten.program, flatten.wanted.unwrap_or_default())
    }

    /// Whether a value is between two numbers because it is what an operator gave, and a few sizes.
    fn lies_beside_computed(&mut self, value: &Polynomial, least: i128, most: i128) -> bool {
        let lowest = value.range(&|term| self.range(term)).0;
        let beside = |(computed, (low, high)): &(Polynomial, (i128, i128))| {
            let rest = value.clone().plus(computed, -1);
            let (least_rest, most_rest) = rest.range(&|term| self.range_of(term, true));
            let lies =
                lowest.max(low.saturating_add(least_rest)) >= least && high.saturating_add(most_rest) <= most;
            rest.parameters().filter(|_| lies)
        };
        let found: Vec<_> = self.computed.iter().filter_map(beside).collect();
        found.into_iter().any(|parameters| {
            let limits = parameters.iter().flat_map(|parameter| self.program.limits(*parameter));
            limits.collect::<Vec<_>>().into_iter().all(|limit| self.assume(limit))
        })
    }

    fn range_of(&self, term: &Term, are_sizes: bool) -> (i128, i128) {
        let of = |value: &Affine| Polynomial::of(value).range(&|term| self.range_of(term, are_sizes));
        match term {
            Term::Parameter(index) => {
                let scalar = self.program.parameters[*index].value.scalar;
                match integer_range(scalar) {
                    Some(_) if are_sizes && !scalar.is_narrow() => (0, WIDEST_STRIDE),
                    Some(range) => range,
                    None => (i128::MIN, i128::MAX),
                }
            }
            Term::Iterator(index) => {
                let known = self.ranges.borrow().get(&(*index, are_sizes)).copied();
                known.unwrap_or_else(|| {
                    let range = self.range_of_iterator(*index, &of);
                    // Its bounds are not known while they are read.
                    if self.program.loops[*index].domain != Formula::True {
                        self.ranges.borrow_mut().insert((*index, are_sizes), range);
                    }
                    range
                })
            }
            Term::Floor(value, divisor) => {
                let (least, most) = of(value);
                (least.div_euclid(*divisor), most.div_euclid(*divisor))
            }
            Term::Named(..) => (i128::MIN, i128::MAX),
        }
    }

    fn range_of_iterator(&self, index: usize, of: &dyn Fn(&Affine) -> (i128, i128)) -> (i128, i128) {
        let looped = &self.program.loops[index];
        let scalar = self.program.region.variable(looped.node.iterator).scalar;
        let (mut least, mut most) = integer_range(scalar).unwrap_or((i128::MIN, i128::MAX));
        if looped.first.is_some() {
            (least, most) = (least.saturating_sub(most), most.saturating_sub(least));
        }
        if let (ExpressionKind::Integer(lower), true) = (&looped.node.lower.kind, looped.direction > 0) {
            least = least.max(*lower);
        }
        let bounds = |greatest| bounds_of(&looped.domain, index, greatest).into_iter();
        for (bound, _) in bounds(false).filter(|(_, certain)| *certain) {
            least = least.max(of(&bound).0);
        }
        for (bound, _) in bounds(true).filter(|(_, certain)| *certain) {
            most = most.min(of(&bound).1);
        }
        (least, most)
    }

    /// Whether a value of the iterator whose loop's condition is read does not exceed a number before the first iteration. That it
    /// does not later, either, is seen when the condition is known.
    fn grows(&mut self, value: &Polynomial, most: i128) -> bool {
        let Some(mut own) = self.own.take() else { return false };
        let at_first = own.lower.as_ref().and_then(|lower| own.value_at(value, lower));
        let grows = at_first.is_some_and(|first| self.lies_in(&first, i128::MIN, most));
        if grows {
            own.growing.push((value.clone(), most));
        }
        self.own = Some(own);
        grows
    }

    /// Whether a value that may be less or more than it should by the ranges of its terms is not, under assumptions.
    fn is_assumed_in(
        &mut self,
        value: &Polynomial,
        (least, low): (i128, i128),
        (most, high): (i128, i128),
    ) -> bool {
        let mut conditions = Vec::new();
        for (greatest, is_beyond) in [(false, low < least), (true, high > most)] {
            if !is_beyond {
                continue;
            }
            let Some(extreme) = self.extreme(value, greatest) else { return false };
            let limit = Polynomial::of(&Affine::constant(if greatest { most } else { least }));
            let sign = if greatest { 1 } else { -1 };
            conditions.push(Polynomial::default().plus(&limit, sign).plus(&extreme, -sign));
        }
        // Sizes of 64 bits are far from the ends of their type.
        let is_wide = most > WIDEST_STRIDE || least < -WIDEST_STRIDE;
        let (low, high) = value.range(&|term| self.range_of(term, true));
        let are_limits_enough = is_wide && low >= least && high <= most;
        // What is tested then is computed in 128 bits.
        if is_wide && [low, high].into_iter().any(|end| end.saturating_abs() > i128::MAX / 2) {
            return false;
        }
        for condition in conditions {
            let Some(parameters) = condition.parameters() else { return false };
            if is_wide || condition.degree() > 1 {
                let limits = parameters.iter().flat_map(|parameter| self.program.limits(*parameter));
                if !limits.collect::<Vec<_>>().into_iter().all(|limit| self.assume(limit)) {
                    return false;
                }
            }
            let is_usual = condition.range(&|_| (TYPICAL_SIZE, TYPICAL_SIZE)).0 >= 0;
            if !are_limits_enough && !(is_usual && (parameters.is_empty() || self.assume(condition))) {
                return false;
            }
        }
        true
    }

    /// The greatest or least value, by bounds of loops that are certain.
    fn extreme(&mut self, value: &Polynomial, greatest: bool) -> Option<Polynomial> {
        let mut value = value.clone();
        while let Some(innermost) = value.innermost() {
            let (coefficient, rest) = value.coefficient(innermost)?;
            let is_positive = self.is_positive(&coefficient)?;
            let bounds = bounds_of(&self.program.loops[innermost].domain, innermost, is_positive == greatest);
            let (bound, _) = bounds.into_iter().find(|(_, certain)| *certain)?;
            value = rest.plus(&coefficient.times(&Polynomial::of(&bound)), 1);
        }
        Some(value)
    }

    fn is_positive(&mut self, value: &Polynomial) -> Option<bool> {
        let is_positive = value.coefficients().all(|factor| factor > 0);
        let is_one = is_positive || value.coefficients().all(|factor| factor < 0);
        for parameter in value.parameters().filter(|_| is_one)? {
            let term = Term::Parameter(parameter);
            if self.range(&term).0 < 0 && !self.assume(Polynomial::of(&Affine::term(term))) {
                return None;
            }
        }
        Some(is_positive)
    }

    /// Whether it is assumed that a value is not negative, now or before.
    fn assume(&mut self, value: Polynomial) -> bool {
        if self.program.assumed().contains(&value) {
            return true;
        }
        let Some(wanted) = &mut self.wanted else { return false };
        if !wanted.contains(&value) {
            wanted.push(value);
        }
        true
    }

    /// What is read, without what was assumed for it if there is nothing.
    fn tried<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.wanted.as_ref().map_or(0, Vec::len);
        let found = read(self);
        self.computed.clear();
        if let (None, Some(wanted)) = (&found, &mut self.wanted) {
            wanted.truncate(before);
        }
        found
    }

    /// A new parameter.
    fn add(&mut self, text: String, value: Expression) -> usize {
        self.program.parameters.push(Parameter { text, value });
        self.program.parameters.len() - 1
    }

    fn body(&mut self, nodes: &'r [Node]) {
        self.bodies += 1;
        let body = self.bodies;
        for node in nodes {
            match node {
                Node::Loop(looped) => self.looped(looped, body),
                Node::If(guard) => {
                    // What holds for the branch alone is not assumed for all.
                    let wanted = self.wanted.take();
                    let condition = formula(self, &guard.condition);
                    self.wanted = wanted;
                    self.statement(Action::Condition(guard), guard.at, body, |flatten, statement| {
                        flatten.reads(&guard.condition, statement);
                    });
                    let statement = self.program.statements.len() - 1;
                    let depth = self.around.len();
                    self.guards.push(Guard { statement, then: true, depth, condition: condition.clone() });
                    self.body(&guard.then);
                    self.guards.pop();
                    self.guards.push(Guard { statement, then: false, depth, condition: condition.negated() });
                    self.body(&guard.otherwise);
                    self.guards.pop();
                }
                Node::Statement(statement) => {
                    self.statement(Action::Statement(statement), statement.at, body, |flatten, index| {
                        flatten.reads(&statement.value, index);
                        statement.target.subscripts().for_each(|subscript| flatten.reads(subscript, index));
                        if !matches!(statement.store, Store::Assign) {
                            flatten.access(&statement.target, false, index);
                        }
                        flatten.access(&statement.target, true, index);
                    });
                }
                Node::Declaration(declaration) => {
                    self.declare(declaration.variable);
                    self.statement(
                        Action::Declaration(declaration),
                        declaration.at,
                        body,
                        |flatten, index| {
                            if let Some(value) = &declaration.value {
                                flatten.reads(value, index);
                            }
                        },
                    );
                }
                Node::Break(at) => {
                    if let Some(innermost) = self.around.last() {
                        self.program.loops[*innermost].leaves.get_or_insert(*at);
                    }
                }
                Node::Private(private) => self.declare(private.variable),
                Node::ReduceDimension(reduce) => {
                    for index in &self.around {
                        self.program.loops[*index].opaque.get_or_insert(reduce.at);
                    }
                }
            }
        }
    }

    fn declare(&mut self, variable: VariableId) {
        let around = self.around.clone();
        let name = self.program.region.variable(variable).name.clone();
        self.program.arrays.push(Array { variable, members: Vec::new(), declared_in: Some(around), name });
    }

    fn statement(
        &mut self,
        step: Action<'r>,
        at: Position,
        body: usize,
        accesses: impl FnOnce(&mut Self, usize),
    ) {
        let index = self.program.statements.len();
        let (around, guards) = (self.around.clone(), self.guards.clone());
        self.program.statements.push(StatementFacts {
            action: step,
            at,
            around,
            guards,
            accesses: Vec::new(),
            body,
        });
        accesses(self, index);
    }

    fn looped(&mut self, looped: &'r Loop, body: usize) {
        self.statement(Action::Bounds, looped.at, body, |flatten, statement| {
            flatten.reads(&looped.lower, statement);
        });
        let index = self.program.loops.len();
        let step = match pieces(self, &looped.step).as_deref() {
            Some([only]) => only.value.as_constant().filter(|step| *step != 0),
            _ => None,
        };
        let lower = pieces(self, &looped.lower);
        let stride = if step.is_none() { pieces(self, &looped.step) } else { None };
        let distances =
            if lower.is_none() { self.tried(|flatten| flatten.distances(looped, step)) } else { None };
        self.program.loops.push(LoopFacts {
            node: looped,
            around: self.around.clone(),
            first: None,
            domain: Formula::True,
            exact: false,
            direction: if step.is_some_and(|step| step < 0) { -1 } else { 1 },
            stride,
            leaves: None,
            opaque: None,
        });
        self.around.push(index);
        let (domain, exact) = match distances {
            Some((first, distances)) => {
                self.program.loops[index].first = Some(first);
                (distances(index), true)
            }
            None => self.domain(looped, index, lower, step),
        };
        self.program.loops[index].domain = domain;
        self.program.loops[index].exact = exact;
        // The condition is read in each iteration, and once more.
        let statement = self.program.statements.len() - 1;
        self.reads(&looped.condition, statement);
        self.body(&looped.body);
        self.around.pop();
    }

    /// The first value of a loop's iterator, which is not affine, and the distances from it, if the end is an affine distance away:
    /// `for (i = r * w; i < r * w + w; i++)`.
    fn distances(
        &mut self,
        looped: &Loop,
        step: Option<i128>,
    ) -> Option<(Linear, impl Fn(usize) -> Formula + use<>)> {
        let step = step?;
        let scalar = self.program.region.variable(looped.iterator).scalar;
        let is_iterator = |mut side: &Expression| {
            while let ExpressionKind::Cast(inner) = &side.kind
                && side.scalar.holds_all_of(inner.scalar)
            {
                side = inner;
            }
            matches!(side.kind, ExpressionKind::Iterator(id) if id == looped.iterator)
        };
        let ExpressionKind::Binary(relation, left, right) = &looped.condition.kind else { return None };
        let (relation, end) =
            if is_iterator(left) { (*relation, right) } else { (mirrored(*relation), left) };
        let relation = match (relation, step) {
            (BinaryOperator::Less | BinaryOperator::LessEqual, 1..) => relation,
            (BinaryOperator::Greater | BinaryOperator::GreaterEqual, ..0) => relation,
            (BinaryOperator::NotEqual, 1) => BinaryOperator::Less,
            (BinaryOperator::NotEqual, -1) => BinaryOperator::Greater,
            _ => return None,
        };
        let fits = (is_iterator(left) || is_iterator(right)) && scalar.holds_all_of(looped.lower.scalar);
        let first = self.exact(&looped.lower).filter(|_| fits)?;
        let distance = self.exact(end)?.value.plus(&first.value, -1).affine()?;
        let domain = move |index| {
            let iterator = Affine::term(Term::Iterator(index));
            let begin = Formula::NotNegative(iterator.times(step.signum()));
            let multiple = match step {
                1 | -1 => Formula::True,
                _ => Formula::Multiple(iterator.clone(), step.abs()),
            };
            Formula::and([begin, multiple, compared(relation, &iterator, &distance)])
        };
        Some((first, domain))
    }

    /// An integer as a polynomial that is its value, not only its value modulo what its type holds.
    fn exact(&mut self, expression: &Expression) -> Option<Linear> {
        let found = linear(self, expression)?;
        let is_exact = match expression.scalar {
            Scalar::Integer { bits: 64, .. } if !self.is_exact(expression) => {
                let (least, most) = integer_range(expression.scalar)?;
                self.lies_in(&found.value, least, most)
            }
            _ => true,
        };
        is_exact.then_some(found)
    }

    /// The iterations of a loop, and whether that is exact.
    fn domain(
        &mut self,
        looped: &Loop,
        index: usize,
        lower: Option<Vec<Case>>,
        step: Option<i128>,
    ) -> (Formula, bool) {
        let iterator = Affine::term(Term::Iterator(index));
        let direction = self.program.loops[index].direction;
        let from_lower = |piece: Case| {
            let distance = iterator.plus(&piece.value, -1).times(direction);
            let stride = match step {
                Some(1 | -1) | None => Formula::True,
                Some(step) => Formula::Multiple(distance.clone(), step.abs()),
            };
            Formula::and([piece.condition, Formula::NotNegative(distance), stride])
        };
        let exact_lower = lower.is_some() && step.is_some();
        let first = match lower.as_deref() {
            Some([Case { condition: Formula::True, value }]) => Some(value.clone()),
            _ => None,
        };
        let begin = lower.map_or(Formula::Unknown, |pieces| Formula::or(pieces.into_iter().map(from_lower)));
        self.own = step.map(|step| Own { index, lower: first, step, growing: Vec::new() });
        let (mut end, mut exact_end) = self.end(&looped.condition, index, direction, step);
        if self.own.take().is_some_and(|own| !self.end_in_range(&own, &end)) {
            (end, exact_end) = (Formula::Unknown, false);
        }
        (Formula::and([begin, end.clone()]), exact_lower && exact_end && end.is_exact())
    }

    /// Whether values of a loop's iterator in its condition do not exceed their type when the loop ends.
    fn end_in_range(&mut self, own: &Own, end: &Formula) -> bool {
        let last = bounds_of(end, own.index, true).into_iter().find(|(_, certain)| *certain);
        own.growing.iter().all(|(value, most)| {
            let step = Affine::constant(own.step);
            let behind = last.as_ref().and_then(|(last, _)| own.value_at(value, &last.plus(&step, 1)));
            behind.is_some_and(|behind| self.lies_in(&behind, i128::MIN, *most))
        })
    }

    /// While the condition holds, and whether a condition that fails once never holds again.
    fn end(
        &mut self,
        condition: &Expression,
        index: usize,
        direction: i128,
        step: Option<i128>,
    ) -> (Formula, bool) {
        match &condition.kind {
            ExpressionKind::Binary(BinaryOperator::LogicalAnd, left, right) => {
                let (left, exact_left) = self.end(left, index, direction, step);
                let (right, exact_right) = self.end(right, index, direction, step);
                (Formula::and([left, right]), exact_left && exact_right)
            }
            // With steps of one, `i != n` ends where `i < n` does, if it ends.
            ExpressionKind::Binary(BinaryOperator::NotEqual, left, right) if matches!(step, Some(1 | -1)) => {
                let operator = if direction > 0 { BinaryOperator::Less } else { BinaryOperator::Greater };
                let is_iterator =
                    |side: &Expression| matches!(stripped(side).kind, ExpressionKind::Iterator(_));
                let (left, right) = if is_iterator(left) { (left, right) } else { (right, left) };
                if !is_iterator(left) {
                    return (Formula::Unknown, false);
                }
                let kind = ExpressionKind::Binary(operator, left.clone(), right.clone());
                (formula(self, &Expression { kind, scalar: Scalar::INT }), true)
            }
            _ => {
                let end = formula(self, condition);
                let monotone = is_monotone(&end, index, direction);
                (end, monotone)
            }
        }
    }

    fn reads(&mut self, expression: &'r Expression, statement: usize) {
        let mut found = Vec::new();
        expression.visit_reads(&mut |reference| found.push(reference));
        found.into_iter().for_each(|reference| self.access(reference, false, statement));
    }

    fn access(&mut self, reference: &'r Reference, write: bool, statement: usize) {
        let (variable, members) = reference.array();
        let around = &self.around;
        let arrays = &mut self.program.arrays;
        // Copies of a loop declare the variables of its body again: the last declaration that is visible here counts.
        let is_visible =
            |array: &Array| array.declared_in.as_ref().is_none_or(|declared| around.starts_with(declared));
        let is_named = |array: &Array| array.variable == variable && is_visible(array);
        let array = arrays.iter().rposition(|array| is_named(array) && array.members == members);
        let array = array.unwrap_or_else(|| {
            // A variable of the region that is declared without being named here would be a loop's iterator.
            let declared = arrays.iter().rfind(|array| is_named(array));
            let declared_in = declared.and_then(|array| array.declared_in.clone());
            let described = self.program.region.variable(variable);
            let declared_in = declared_in.or_else(|| (described.storage == Storage::Region).then(Vec::new));
            let name = std::iter::once(described.name.as_str()).chain(members.iter().map(String::as_str));
            let name = name.collect::<Vec<_>>().join(".");
            arrays.push(Array { variable, members, declared_in, name });
            arrays.len() - 1
        });
        let read = |subscript| self.tried(|flatten| pieces(flatten, subscript));
        let subscripts = reference.subscripts().map(read).collect();
        let last = reference.subscripts().last();
        let linear = last.and_then(|subscript| self.tried(|flatten| linear(flatten, subscript)));
        let index = self.program.accesses.len();
        let (around, guards) = (self.around.clone(), self.guards.clone());
        self.program.accesses.push(Access {
            reference,
            array,
            write,
            statement,
            around,
            guards,
            subscripts,
            linear,
        });
        self.program.statements[statement].accesses.push(index);
        if !write || !self.program.by_reference.contains_key(&std::ptr::from_ref(reference)) {
            self.program.by_reference.insert(std::ptr::from_ref(reference), index);
        }
    }
}

/// Whether a condition that fails for an iterator's value fails for all that follow.
fn is_monotone(formula: &Formula, index: usize, direction: i128) -> bool {
    match formula {
        Formula::True | Formula::False | Formula::Unknown => true,
        Formula::NotNegative(value) => {
            let plain = value
                .terms
                .keys()
                .all(|term| !matches!(term, Term::Floor(..)) || !floor_mentions(term, index));
            plain && value.coefficient(index) * direction <= 0
        }
        Formula::Zero(value) => !value.mentions(index),
        Formula::Multiple(value, _) | Formula::NotMultiple(value, _) => !value.mentions(index),
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().all(|part| is_monotone(part, index, direction))
        }
    }
}

fn floor_mentions(term: &Term, index: usize) -> bool {
    matches!(term, Term::Floor(value, _) if value.mentions(index))
}
