//! A region as what the analyses ask about: its loops, arrays and accesses, each with the instances in which it occurs.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    rc::Rc,
};

use crate::{
    analysis::{
        affine::Case,
        polynomial::{Linear, Polynomial},
    },
    cost::policy::WIDEST_STRIDE,
    ir::{Declaration, Expression, Loop, Position, Reference, Region, Statement, VariableId},
    isl::{Affine, Context, Copy, Formula, IslError, Set, Space, Term, names},
};

/// An array as a whole, or a scalar: a variable and the members on the way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Array {
    pub variable: VariableId,
    pub members: Vec<String>,
    /// The loops around its declaration, if the region declares it: none of them carries its values.
    pub declared_in: Option<Vec<usize>>,
    pub name: String,
}

/// A loop and the values of its iterator. Where the first value is not affine, the terms of the iterator are its distance from that.
#[derive(Debug)]
pub(crate) struct LoopFacts<'r> {
    pub node: &'r Loop,
    /// The loops around, outermost first.
    pub around: Vec<usize>,
    /// The first value of the iterator, where that is not affine.
    pub first: Option<Linear>,
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
    pub known: Vec<Formula>,
    /// The same as values that are not negative.
    assumed_values: Vec<Polynomial>,
    /// Sizes that are given for parameters, by text.
    pub sizes: BTreeMap<String, i64>,
    /// Of arrays whose subscripts were split: for each dimension that was made of the last subscript how far apart elements are whose
    /// values differ by one, in parameters; none where that is not the same for all accesses.
    pub weights: BTreeMap<usize, Vec<Option<Polynomial>>>,
    /// The accesses of references in the tree, by address.
    pub by_reference: HashMap<*const Reference, usize>,
}

impl<'r> Program<'r> {
    /// A program of which only the region is known.
    pub fn empty(region: &'r Region, sizes: BTreeMap<String, i64>) -> Program<'r> {
        Program {
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
        }
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

    /// Conditions, each not negative, that a parameter is a size: not negative, and without a sign or 64 bits not so large that sums
    /// and products are beyond their types.
    pub fn limits(&self, parameter: usize) -> Vec<Polynomial> {
        let scalar = self.parameters[parameter].value.scalar;
        let value = Affine::term(Term::Parameter(parameter));
        let below = Affine::constant(WIDEST_STRIDE).plus(&value, -1);
        let not_negative = scalar.is_signed().then_some(value);
        let limits = not_negative.into_iter().chain((!scalar.is_narrow()).then_some(below));
        limits.map(|limit| Polynomial::of(&limit)).collect()
    }

    /// Assumes what a region does: conditions, and values that are not negative.
    pub fn assume(&mut self, conditions: Formula, values: Vec<Polynomial>) {
        self.assumed = conditions;
        self.assumed_values = values;
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

/// Values that an iterator may never exceed, or never be less than, by a condition, and whether that is certain: what bounds only
/// some cases may bound all.
pub(crate) fn bounds_of(condition: &Formula, index: usize, greatest: bool) -> Vec<(Affine, bool)> {
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
    add(&mut found, condition, index, if greatest { -1 } else { 1 }, true);
    found
}
