//! A region as what the analyses ask about: its loops, arrays and accesses, each with the instances in which it occurs.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    rc::Rc,
};

use crate::{
    analysis::{
        affine::{Case, Names, formula, pieces},
        polynomial::{Linear, Polynomial, linear, not_negative},
    },
    cost::policy::{OPERATIONS_OF_NAME, WIDEST_STRIDE},
    ir::{
        BinaryOperator, Declaration, Expression, ExpressionKind, Loop, Node, Position, Reference, Region,
        Statement, Step, Storage, Store, VariableId, arithmetic, compare::stripped, convert, notation,
        types::Scalar, walk,
    },
    isl::{Affine, Context, Copy, Formula, IslError, Set, Space, Term, names},
};

/// What products of sizes are computed in.
const WIDE: Scalar = Scalar::Integer { bits: 128, signed: true };

/// An array as a whole, or a scalar: a variable and the members on the way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Array {
    pub variable: VariableId,
    pub members: Vec<String>,
    /// The loops around its declaration, if the region declares it: none of them carries its values.
    pub declared_in: Option<Vec<usize>>,
    pub name: String,
}

/// A loop and the values of its iterator.
#[derive(Debug)]
pub(crate) struct LoopFacts<'r> {
    pub node: &'r Loop,
    /// The loops around, outermost first.
    pub around: Vec<usize>,
    /// When an iteration occurs, given those of the loops around; too large where it is not exact.
    pub domain: Formula,
    /// Whether the domain is exact.
    pub exact: bool,
    /// 1 or -1: the direction in which the iterator moves.
    pub direction: i128,
    /// The distance of two iterations at least, where the step is no constant: it is taken to be positive.
    pub stride: Option<Vec<Case>>,
    /// Where the loop is left early.
    pub leaves: Option<Position>,
    /// A reduction of a dimension inside, whose accesses are not known.
    pub opaque: Option<Position>,
}

/// A guard around an access, and how far it is the same for another access.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Guard {
    /// The statement that is the `if`'s condition, and the branch.
    pub statement: usize,
    pub then: bool,
    /// The loops around the `if`.
    pub depth: usize,
    pub condition: Formula,
}

/// A read or a write at one place of the region.
#[derive(Debug)]
pub(crate) struct Access<'r> {
    pub reference: &'r Reference,
    pub array: usize,
    pub write: bool,
    /// The number of its statement.
    pub statement: usize,
    /// The loops around, outermost first.
    pub around: Vec<usize>,
    pub guards: Vec<Guard>,
    /// The value of each subscript, where it is affine; of a subscript that was split, of each part.
    pub subscripts: Vec<Option<Vec<Case>>>,
    /// The last subscript as a polynomial.
    pub linear: Option<Linear>,
}

/// What performs accesses.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Action<'r> {
    Statement(&'r Statement),
    Declaration(&'r Declaration),
    /// The condition of an `if`.
    Condition(&'r crate::ir::If),
    /// The bounds of a loop.
    Bounds,
}

/// A statement: in textual order, which is the order of execution within an iteration.
#[derive(Debug)]
pub(crate) struct StatementFacts<'r> {
    pub action: Action<'r>,
    pub at: Position,
    pub around: Vec<usize>,
    pub guards: Vec<Guard>,
    pub accesses: Vec<usize>,
    /// The number of the body in which it stands, for what must be in one sequence.
    pub body: usize,
}

/// A value that the region does not change.
#[derive(Debug)]
pub(crate) struct Parameter {
    /// As the source has it.
    pub text: String,
    pub value: Expression,
}

/// A region, flattened.
#[derive(Debug)]
pub(crate) struct Program<'r> {
    pub region: &'r Region,
    pub loops: Vec<LoopFacts<'r>>,
    pub arrays: Vec<Array>,
    pub accesses: Vec<Access<'r>>,
    pub statements: Vec<StatementFacts<'r>>,
    pub parameters: Vec<Parameter>,
    /// What is assumed of parameters.
    assumed: Formula,
    /// What is known of those that stand for expressions.
    known: Vec<Formula>,
    /// The same as values that are not negative.
    assumed_values: Vec<Polynomial>,
    /// Sizes that are given for parameters, by text.
    pub sizes: BTreeMap<String, i64>,
    /// Of arrays whose subscripts were split: for each dimension that was made of the last subscript how far apart elements are whose
    /// values differ by one, in parameters.
    pub weights: BTreeMap<usize, Vec<Polynomial>>,
    /// The accesses of references in the tree, by address.
    by_reference: HashMap<*const Reference, usize>,
}

impl<'r> Program<'r> {
    /// Flattens a region; parameters may be fixed to sizes.
    pub fn new(region: &'r Region, sizes: BTreeMap<String, i64>) -> Program<'r> {
        let written = written(region);
        let program = Program {
            region,
            loops: Vec::new(),
            arrays: Vec::new(),
            accesses: Vec::new(),
            statements: Vec::new(),
            parameters: Vec::new(),
            known: Vec::new(),
            assumed: Formula::True,
            assumed_values: Vec::new(),
            sizes,
            weights: BTreeMap::new(),
            by_reference: HashMap::new(),
        };
        let declared = declared(region);
        let mut flatten =
            Flatten { program, written, declared, around: Vec::new(), guards: Vec::new(), bodies: 0 };
        let assumed: Vec<_> = region.assumed.iter().map(|one| formula(&mut flatten, one)).collect();
        flatten.program.assumed = Formula::and(assumed);
        let values: Vec<_> =
            region.assumed.iter().filter_map(|one| not_negative(&mut flatten, one)).collect();
        flatten.program.assumed_values = values;
        flatten.body(&region.body);
        flatten.program
    }

    /// The access of a reference in the tree.
    pub fn access_of(&self, reference: &Reference) -> Option<usize> {
        self.by_reference.get(&std::ptr::from_ref(reference)).copied()
    }

    /// The parameters of sets.
    pub fn parameter_terms(&self) -> Vec<Term> {
        (0..self.parameters.len()).map(Term::Parameter).collect()
    }

    /// With the iterators of loops around, `o0`, as further parameters.
    pub fn parameters_inside(&self, outer: &[usize]) -> Vec<Term> {
        [self.parameter_terms(), self.iterators(outer, 'o')].concat()
    }

    /// The declaration of a set's parameters in isl's notation: `[p0, p1] -> `.
    pub fn parameter_list(&self) -> String {
        format!("[{}] -> ", names(&self.parameter_terms()))
    }

    /// What is known of the parameters.
    pub fn context(&self) -> Formula {
        let known = self.parameters.iter().enumerate().map(|(index, Parameter { text, value })| {
            let parameter = Affine::term(Term::Parameter(index));
            match self.sizes.get(text) {
                Some(size) => Formula::equal(parameter, Affine::constant((*size).into())),
                None if value.scalar.is_unsigned() => Formula::NotNegative(parameter),
                None => Formula::True,
            }
        });
        Formula::and(known.chain([self.assumed.clone()]).chain(self.known.iter().cloned()))
    }

    /// Values that an iterator may never exceed, or never be less than, and whether that is certain: what bounds only some cases of
    /// its loop may bound all.
    pub fn bounds(&self, index: usize, greatest: bool) -> Vec<(Affine, bool)> {
        fn add(found: &mut Vec<(Affine, bool)>, formula: &Formula, index: usize, sign: i128, certain: bool) {
            match formula {
                Formula::NotNegative(value) if value.coefficient(index) == sign => {
                    let rest = value.plus(&Affine::term(Term::Iterator(index)), -sign);
                    let bound = rest.times(-sign);
                    if !bound.mentions(index) {
                        found.push((bound, certain));
                    }
                }
                Formula::And(parts) => parts.iter().for_each(|part| add(found, part, index, sign, certain)),
                Formula::Or(parts) => parts.iter().for_each(|part| add(found, part, index, sign, false)),
                _ => {}
            }
        }
        let mut found = Vec::new();
        add(&mut found, &self.loops[index].domain, index, if greatest { -1 } else { 1 }, true);
        found
    }

    /// A condition that a value of parameters is not negative, computed without overflow.
    pub fn not_negative(&self, value: &Polynomial) -> Option<Expression> {
        let parameter = |term: &Term| match term {
            Term::Parameter(index) => self.parameters.get(*index).map(|parameter| &parameter.value),
            _ => None,
        };
        let is_wide = |term: &Term| parameter(term).is_none_or(|value| !value.scalar.is_narrow());
        let mut others: Vec<_> = value.products().collect();
        // A size of 64 bits stands alone, so that nothing is added to it. In products all are as great as a test lets them be.
        let wide = others
            .iter()
            .position(|(product, factor)| product.len() == 1 && is_wide(&product[0]) && factor.abs() == 1);
        let alone = wide.map(|index| others.remove(index));
        let bits = |term| match parameter(term).map(|value| value.scalar) {
            Some(Scalar::Integer { bits, signed }) if bits <= 32 => {
                f64::from(bits) - f64::from(u8::from(signed))
            }
            _ => (WIDEST_STRIDE as f64).log2(),
        };
        let most = others
            .iter()
            .map(|(product, factor)| factor.abs() as f64 * product.iter().map(bits).sum::<f64>().exp2());
        let scalar = if most.sum::<f64>() < 63f64.exp2() { Scalar::LONG } else { WIDE };
        let read = |term: &Term| Some(convert::convert(arithmetic::long(parameter(term)?.clone()), scalar));
        let computed = |operator, left: Expression, right: Expression| match (operator, scalar) {
            (_, WIDE) => convert::binary(operator, left, right).ok(),
            (BinaryOperator::Add, _) => Some(arithmetic::add(left, right)),
            (BinaryOperator::Subtract, _) => Some(arithmetic::subtract(left, right)),
            (BinaryOperator::Multiply, _) => Some(arithmetic::multiply(left, right)),
            (comparison, _) => Some(arithmetic::compare(comparison, left, right)),
        };
        let is_first = |factor: i128| alone.map_or(factor > 0, |(_, alone)| alone < 0);
        // Those that are added come first, the constant last.
        let is_added = |factor: i128| is_first(factor) == (factor > 0);
        others.sort_by_key(|(product, factor)| (product.is_empty(), !is_added(*factor)));
        let mut sides = [arithmetic::number(0), arithmetic::number(0)];
        for (product, factor) in others {
            let size = Some(factor.checked_abs()?).filter(|size| *size != 1 || product.is_empty());
            let factors = size.map(arithmetic::number).into_iter().map(Some).chain(product.iter().map(read));
            let term = factors.reduce(|left, right| computed(BinaryOperator::Multiply, left?, right?))??;
            let side = &mut sides[usize::from(!is_first(factor))];
            *side = match is_added(factor) {
                true if *side == arithmetic::number(0) => term,
                true => computed(BinaryOperator::Add, side.clone(), term)?,
                false => computed(BinaryOperator::Subtract, side.clone(), term)?,
            };
        }
        if let Some((product, factor)) = alone {
            sides[usize::from(factor < 0)] = read(&product[0])?;
        }
        let [more, less] = sides;
        computed(BinaryOperator::GreaterEqual, more, less)
    }

    /// What is assumed not to be negative.
    pub fn assumed(&self) -> &[Polynomial] {
        &self.assumed_values
    }

    /// A set or relation with the source's names: `n` for `p0`, `i` for `a0` and `o0`, `i'` for `b0`.
    pub fn renamed(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(begin) = rest.find(|c: char| c.is_alphabetic() || c == '_') {
            let (before, name) = rest.split_at(begin);
            let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
            let (name, after) = name.split_at(end);
            out.push_str(before);
            out.push_str(&self.source_name(name).unwrap_or_else(|| name.into()));
            rest = after;
        }
        out + rest
    }

    fn source_name(&self, name: &str) -> Option<String> {
        let index: usize = name.get(1..)?.parse().ok()?;
        let iterator = |index: usize| {
            let id = self.loops.get(index)?.node.iterator;
            Some(self.region.variable(id).name.clone())
        };
        match name.as_bytes()[0] {
            b'p' => {
                let text = &self.parameters.get(index)?.text;
                Some(text.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect())
            }
            b'a' | b'o' => iterator(index),
            b'b' => Some(iterator(index)? + "'"),
            _ => None,
        }
    }

    /// The iterators of an access, or of a loop's surroundings, in one copy.
    pub fn iterators(&self, around: &[usize], copy: Copy) -> Vec<Term> {
        around.iter().map(|index| Term::Named(copy, *index)).collect()
    }

    /// When an access occurs; too large where something is not affine.
    pub fn domain(&self, access: &Access<'_>, copy: Copy) -> Formula {
        self.instances(&access.around, &access.guards, copy)
    }

    /// When what stands inside these loops and guards occurs.
    pub fn instances(&self, around: &[usize], guards: &[Guard], copy: Copy) -> Formula {
        let loops = around.iter().map(|index| self.loops[*index].domain.in_copy(copy));
        Formula::and(loops.chain(guards.iter().map(|guard| guard.condition.in_copy(copy))))
    }

    /// Whether two accesses, in two copies of the iterators, touch the same cell.
    pub fn same_cell(&self, first: &Access<'_>, a: Copy, second: &Access<'_>, b: Copy) -> Formula {
        let known = first.subscripts.iter().zip(&second.subscripts);
        let known = known.filter_map(|(first, second)| Some((first.as_ref()?, second.as_ref()?)));
        Formula::and(known.map(|(first, second)| {
            let pairs = first.iter().flat_map(|f| second.iter().map(move |s| (f, s)));
            Formula::or(pairs.map(|(f, s)| {
                let equal = Formula::equal(f.value.in_copy(a), s.value.in_copy(b));
                Formula::and([f.condition.in_copy(a), s.condition.in_copy(b), equal])
            }))
        }))
    }

    /// Whether two accesses are executed, in copies `a` and `b` of the iterators, and touch the same cell.
    pub fn conflict(&self, first: &Access<'_>, second: &Access<'_>) -> Formula {
        let executed = [self.context(), self.domain(first, 'a'), self.domain(second, 'b')];
        Formula::and(executed.into_iter().chain([self.same_cell(first, 'a', second, 'b')]))
    }

    /// The set of pairs of instances that are executed and touch the same cell, of which a condition holds: the
    /// iterators of the first are `a0`, `a1` …, those of the second `b0`, `b1` ….
    pub fn conflicts(
        &self,
        context: &Rc<Context>,
        (first, second): (usize, usize),
        condition: Formula,
    ) -> Result<Set, IslError> {
        let (first, second) = (&self.accesses[first], &self.accesses[second]);
        let dimensions = [self.iterators(&first.around, 'a'), self.iterators(&second.around, 'b')].concat();
        let condition = Formula::and([self.conflict(first, second), condition]);
        self.set(context, &dimensions, &[], &condition)
    }

    /// The points of a condition with values for some dimensions; of those that are hidden there are some.
    pub fn set(
        &self,
        context: &Rc<Context>,
        dimensions: &[Term],
        hidden: &[Term],
        condition: &Formula,
    ) -> Result<Set, IslError> {
        let space = Space { parameters: &self.parameter_terms(), dimensions, hidden };
        Set::of(context, &space, condition)
    }

    /// The cell that an access touches, as dimensions `c0`, `c1` …; those that are not affine may be any.
    pub fn cell(&self, access: &Access<'_>, copy: Copy) -> Formula {
        let known = access.subscripts.iter().enumerate();
        let known =
            known.filter_map(|(index, subscript)| Some((Term::Named('c', index), subscript.as_ref()?)));
        Formula::and(known.map(|(coordinate, pieces)| {
            Formula::or(pieces.iter().map(|piece| {
                let equal = Formula::equal(coordinate.clone(), piece.value.in_copy(copy));
                Formula::and([piece.condition.in_copy(copy), equal])
            }))
        }))
    }

    /// Whether an access happens in every instance of its domain, at a known cell.
    pub fn is_certain(&self, access: &Access<'_>) -> bool {
        self.are_exact(&access.around)
            && access.guards.iter().all(|guard| guard.condition.is_exact())
            && access.subscripts.iter().all(Option::is_some)
    }

    pub fn are_exact(&self, around: &[usize]) -> bool {
        around.iter().all(|index| self.loops[*index].exact && self.loops[*index].leaves.is_none())
    }

    /// The loops around both, outermost first.
    pub fn common(&self, first: &[usize], second: &[usize]) -> Vec<usize> {
        first.iter().zip(second).take_while(|(f, s)| f == s).map(|(f, _)| *f).collect()
    }

    /// Whether an iteration of a loop in copy `a` comes before that in copy `b`.
    pub fn earlier(&self, loop_index: usize, a: Copy, b: Copy) -> Formula {
        let looped = &self.loops[loop_index];
        let [a_value, b_value] = [a, b].map(|copy| Affine::term(Term::Named(copy, loop_index)));
        let earlier = match looped.direction > 0 {
            true => Formula::less(a_value.clone(), b_value.clone()),
            false => Formula::less(b_value.clone(), a_value.clone()),
        };
        let Some(stride) = &looped.stride else { return earlier };
        let apart = stride.iter().map(|piece| {
            let distance = b_value.plus(&a_value, -1).plus(&piece.value.in_copy(a), -1);
            Formula::and([piece.condition.in_copy(a), Formula::NotNegative(distance)])
        });
        Formula::and([earlier, Formula::or(apart)])
    }

    /// Whether two copies are in the same iterations of some loops.
    pub fn same_iterations(&self, loops: &[usize], a: Copy, b: Copy) -> Formula {
        Formula::and(loops.iter().map(|index| Formula::equal(Term::Named(a, *index), Term::Named(b, *index))))
    }

    /// Whether an access in copy `a` is executed before another in copy `b`.
    pub fn before(&self, first: usize, a: Copy, second: usize, b: Copy) -> Formula {
        let (f, s) = (&self.accesses[first], &self.accesses[second]);
        let common = self.common(&f.around, &s.around);
        let later = common.iter().enumerate().map(|(depth, index)| {
            Formula::and([self.same_iterations(&common[..depth], a, b), self.earlier(*index, a, b)])
        });
        // Accesses are numbered in the order of execution.
        let here = (first < second).then(|| self.same_iterations(&common, a, b));
        Formula::or(later.chain(here))
    }

    /// Accesses inside a loop to an array.
    pub fn accesses_in(&self, loop_index: usize, array: usize) -> impl Iterator<Item = usize> + '_ {
        self.accesses
            .iter()
            .enumerate()
            .filter(move |(_, access)| access.array == array && access.around.contains(&loop_index))
            .map(|(index, _)| index)
    }

    /// Arrays that are written inside a loop, and that live through several of its iterations.
    pub fn arrays_changed_in(&self, loop_index: usize) -> BTreeSet<usize> {
        let inside =
            self.accesses.iter().filter(|access| access.write && access.around.contains(&loop_index));
        let arrays = inside.map(|access| access.array);
        arrays
            .filter(|array| {
                let declared = self.arrays[*array].declared_in.as_ref();
                declared.is_none_or(|around| !around.contains(&loop_index))
            })
            .collect()
    }
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

/// The integers that the region declares once, with their values, and changes nowhere.
fn declared(region: &Region) -> BTreeMap<VariableId, Expression> {
    let mut found = BTreeMap::new();
    let mut changed: BTreeSet<VariableId> =
        walk(&region.body).filter_map(Node::target).map(|target| target.variable).collect();
    for node in walk(&region.body) {
        let Node::Declaration(Declaration { variable, value, .. }) = node else { continue };
        let described = region.variable(*variable);
        let value = value.as_ref().filter(|_| described.scalar.is_integer() && described.extents.is_empty());
        let value = value.map(|value| convert::convert(value.clone(), described.scalar));
        match value.filter(|value| value.walk().count() <= OPERATIONS_OF_NAME) {
            Some(value) => {
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

struct Flatten<'r> {
    program: Program<'r>,
    written: BTreeSet<(VariableId, Vec<String>)>,
    declared: BTreeMap<VariableId, Expression>,
    around: Vec<usize>,
    guards: Vec<Guard>,
    bodies: usize,
}

impl Names for Flatten<'_> {
    fn declared(&self, reference: &Reference) -> Option<Expression> {
        self.declared.get(&reference.variable).filter(|_| reference.path.is_empty()).cloned()
    }

    fn loop_of(&self, iterator: VariableId) -> Option<usize> {
        self.around.iter().rev().copied().find(|index| self.program.loops[*index].node.iterator == iterator)
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

    fn is_not_negative(&self, term: &Term) -> bool {
        match term {
            Term::Iterator(index) => {
                let looped = &self.program.loops[*index];
                let lower = matches!(looped.node.lower.kind, ExpressionKind::Integer(0..));
                // A negative step needs a condition such as `i >= 0`, which is not looked at here.
                lower && looped.direction > 0
            }
            Term::Parameter(index) => self.program.parameters[*index].value.scalar.is_unsigned(),
            Term::Named(..) | Term::Floor(..) => false,
        }
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
                    let condition = formula(self, &guard.condition);
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
        self.program.loops.push(LoopFacts {
            node: looped,
            around: self.around.clone(),
            domain: Formula::True,
            exact: false,
            direction: if step.is_some_and(|step| step < 0) { -1 } else { 1 },
            stride,
            leaves: None,
            opaque: None,
        });
        self.around.push(index);
        let (domain, exact) = self.domain(looped, index, lower, step);
        self.program.loops[index].domain = domain;
        self.program.loops[index].exact = exact;
        // The condition is read in each iteration, and once more.
        let statement = self.program.statements.len() - 1;
        self.reads(&looped.condition, statement);
        self.body(&looped.body);
        self.around.pop();
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
        let begin = lower.map_or(Formula::Unknown, |pieces| Formula::or(pieces.into_iter().map(from_lower)));
        let (end, exact_end) = self.end(&looped.condition, index, direction, step);
        (Formula::and([begin, end.clone()]), exact_lower && exact_end && end.is_exact())
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
        let subscripts = reference.subscripts().map(|subscript| pieces(self, subscript)).collect();
        let linear = reference.subscripts().last().and_then(|subscript| linear(self, subscript));
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
