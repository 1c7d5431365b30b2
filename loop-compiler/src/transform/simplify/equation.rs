//! Reductions as equations: `X[x] = ⊕ E(z)` over the points of a domain.

use std::rc::Rc;

use super::{
    plan::Places,
    space::{Space, Vector},
};
use crate::{
    analysis::{
        detect::ReductionLike,
        program::{Action, Program},
    },
    c,
    ir::{
        BinaryOperator, Expression, ExpressionKind, Node, ReductionOperator, Reference, Statement, Step,
        Store,
        compare::{same_reference, stripped},
        operators::identity,
        types::Scalar,
        walk,
    },
    isl::{Affine, Context, Formula, IslError, Set, Term, names},
    rules::{Rejection, Rule},
};

/// A reduction as an equation.
pub(super) struct Equation<'r> {
    pub statement: &'r Statement,
    pub operator: ReductionOperator,
    /// What is combined; whether it is subtracted.
    pub value: Expression,
    pub negated: bool,
    pub space: Space,
    pub points: Set,
    /// What the value depends on: rows over the coordinates of points.
    pub reads: Vec<Vector>,
    /// The loops around the statement, outermost first: the last ones are the coordinates of what is combined.
    pub around: Vec<usize>,
    pub placement: Placement,
    /// What results begin with, if they are kept in the target.
    pub init: Option<Expression>,
    /// The subscripts of the target by the coordinates of results, if it keeps them.
    pub places: Option<Places>,
    /// What is known where the loops are, of the parameters: `{ : p0 >= 0 }`.
    pub context: String,
}

impl Equation<'_> {
    /// Whether a NaN among the values replaces no result: a result does not begin with a value then.
    pub fn ignores_nan(&self) -> bool {
        let is_extreme = matches!(self.operator, ReductionOperator::Minimum | ReductionOperator::Maximum);
        is_extreme && self.statement.target.scalar.is_float()
    }

    /// Whether results begin with the operator's identity, so that they may begin with their first value.
    pub fn begins_with_nothing(&self) -> bool {
        if self.ignores_nan() {
            return false;
        }
        let neutral = identity(self.operator, self.statement.target.scalar);
        self.init.as_ref().zip(neutral).is_some_and(|(init, neutral)| same_number(init, &neutral))
    }
}

/// Where the loops of an equation stand.
pub(super) enum Placement {
    /// In place of a nest that computes nothing else: the coordinates of results are the target's subscripts. The set has
    /// results that are initialised only.
    Nest { unchanged: Option<Set> },
    /// In place of a loop, in the loops that are the coordinates of results.
    Inside { results: usize },
}

/// What extraction needs.
pub(super) struct Extraction<'p, 'r> {
    pub program: &'p Program<'r>,
    pub context: &'p Rc<Context>,
}

type Extracted<T> = Result<Result<T, Rejection>, IslError>;

macro_rules! accepted {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(rejection) => return Ok(Err(rejection)),
        }
    };
}

impl<'r> Extraction<'_, 'r> {
    /// The equation of a reduction, or why it is none.
    pub fn equation(&self, found: &ReductionLike) -> Extracted<Equation<'r>> {
        let program = self.program;
        let index = found.statements[0];
        let facts = &program.statements[index];
        let Action::Statement(statement) = facts.action else {
            return Ok(Err(Rejection::new(Rule::Model, facts.at, "it is no store")));
        };
        let reject = |rule: Rule, reason: &str| Err(Rejection::new(rule, statement.at, reason));
        let scalar = statement.target.scalar;
        let of_operator = matches!(scalar, Scalar::Integer { bits: 32.., .. } | Scalar::Float { .. });
        if found.only_where_equal.is_some() {
            return Ok(reject(Rule::Searches, "several values are found together"));
        }
        if found.statements.len() != 1 {
            return Ok(reject(Rule::Model, "several statements combine into its results"));
        }
        if matches!(
            found.operator,
            ReductionOperator::First
                | ReductionOperator::Last
                | ReductionOperator::ArgMin
                | ReductionOperator::ArgMax
        ) {
            return Ok(reject(Rule::Searches, "a search depends on the order"));
        }
        if !of_operator {
            return Ok(reject(Rule::Integers, "its type is narrower than int, or neither integer nor float"));
        }
        let Some((value, negated)) = combined(statement, found) else {
            return Ok(reject(
                Rule::Integers,
                "a conversion at each step, or a form that is no single operation",
            ));
        };
        let guards = match found.guard {
            Some(guard) => &program.statements[guard].guards,
            None => &facts.guards,
        };
        if !program.are_exact(&facts.around) || !guards.iter().all(|guard| guard.condition.is_exact()) {
            let reason = "which values are combined depends on more than iterators and sizes";
            return Ok(reject(Rule::Subscripts, reason));
        }
        if facts.around.is_empty() {
            return Ok(reject(Rule::Dependences, "no loop is around it"));
        }
        let is_directed = |index: &usize| {
            let node = program.loops[*index].node;
            node.parallel || !node.attributes.is_empty()
        };
        if facts.around.iter().any(is_directed) {
            return Ok(reject(Rule::Annotations, "a directive says how its loops are executed"));
        }
        let store = self.store_of(index);
        let Some(subscripts) = affine(&program.accesses[store].subscripts) else {
            return Ok(reject(Rule::Subscripts, "the target's subscripts are not affine"));
        };
        let array = program.accesses[store].array;
        let names: Vec<&str> = facts
            .accesses
            .iter()
            .map(|access| program.accesses[*access].array)
            .chain([array])
            .map(|array| program.arrays[array].name.as_str())
            .collect();
        // What is computed at another time must be the same then, whatever other statements store in between.
        let region = program.region;
        let mut pairs = region.overlaps.iter().chain(&region.apart_by_type);
        if pairs.any(|(a, b)| names.contains(&&**a) || names.contains(&&**b)) {
            return Ok(reject(Rule::Aliasing, "its arrays may overlap"));
        }
        let mut extraction = Partial {
            statement,
            found,
            index,
            array,
            value,
            negated,
            subscripts: &subscripts,
            instances: program.instances(&facts.around, guards, 'a'),
        };
        match self.in_place_of_nest(&mut extraction)? {
            Ok(equation) => Ok(Ok(equation)),
            Err(_) => self.inside(&mut extraction),
        }
    }

    /// The whole nest computes this reduction only.
    fn in_place_of_nest(&self, partial: &mut Partial<'_, 'r>) -> Extracted<Equation<'r>> {
        let program = self.program;
        let facts = &program.statements[partial.index];
        let reject = |reason: &str| Err(Rejection::new(Rule::Model, facts.at, reason));
        let top = facts.around[0];
        let inside = |statement: &usize| program.statements[*statement].around.first() == Some(&top);
        let mut init = None;
        for index in (0..program.statements.len()).filter(inside) {
            match program.statements[index].action {
                Action::Statement(_) if index == partial.index => {}
                Action::Statement(other)
                    if init.is_none()
                        && program.accesses[self.store_of(index)].array == partial.array
                        && is_constant(program, other) =>
                {
                    init = Some((index, other));
                }
                Action::Statement(_) | Action::Declaration(_) => {
                    return Ok(reject("its loops have other statements"));
                }
                Action::Condition(_) | Action::Bounds => {}
            }
        }
        let node = program.loops[top].node;
        if !node.declares || !is_only(&node.body) || !node.attributes.is_empty() {
            return Ok(reject(NOT_ONLY));
        }
        if partial.statement.target.subscripts().count() != partial.subscripts.len() {
            return Ok(reject("its target's subscripts are rows and columns in one"));
        }
        if program.arrays[partial.array].declared_in.is_some() {
            return Ok(reject("its target ends with a loop"));
        }
        let loads = facts.accesses.iter().filter(|access| !partial.found.members.contains(access));
        if loads.clone().any(|access| program.accesses[*access].array == partial.array) {
            return Ok(reject("it reads its target elsewhere"));
        }
        let around = facts.around.clone();
        let space = Space {
            parameters: parameters(program, &[]),
            results: partial.subscripts.len(),
            iterations: around.len(),
        };
        let coordinates: Vec<_> = partial.subscripts.iter().map(|subscript| subscript.in_copy('a')).collect();
        let iterators = program.iterators(&around, 'a').into_iter().map(Affine::term);
        let coordinates: Vec<Affine> = coordinates.into_iter().chain(iterators).collect();
        let points = self.points(partial, &space, &coordinates)?;
        let width = space.results + space.iterations;
        let mut reads = Vec::new();
        accepted!(
            rows(self.program, &partial.value, &around, &mut reads, partial)
                .map_err(|()| { Rejection::new(Rule::Subscripts, facts.at, "what it reads is not known") })
        );
        reads.iter_mut().for_each(|row: &mut Vector| {
            row.splice(0..0, vec![0; space.results]);
            row.resize(width, 0);
        });
        let mut unchanged = None;
        let mut kept = None;
        if let Some((index, other)) = init {
            let facts = &program.statements[index];
            let exact = program.are_exact(&facts.around)
                && facts.guards.iter().all(|guard| guard.condition.is_exact());
            let cells = affine(&program.accesses[self.store_of(index)].subscripts).filter(|_| exact);
            let Some(cells) = cells else { return Ok(reject("where it begins is not known")) };
            // Each result begins before anything is combined into it.
            let store = self.store_of(partial.index);
            if !self.is_empty(store, self.store_of(index), true)? {
                return Ok(reject("it begins again while it is computed"));
            }
            let equal = cells
                .iter()
                .enumerate()
                .map(|(place, cell)| Formula::equal(Term::Named('x', place), cell.in_copy('b')));
            let instances = program.instances(&facts.around, &facts.guards, 'b');
            let condition = Formula::and(equal.chain([instances, program.context()]));
            let results: Vec<Term> = (0..space.results).map(|place| Term::Named('x', place)).collect();
            let hidden = program.iterators(&facts.around, 'b');
            let begun = program.set(self.context, &results, &hidden, &condition)?;
            let results = space.results_of(&points)?;
            if !results.copy()?.subtract(begun.copy()?)?.is_empty()? {
                return Ok(reject("some results begin with what was there"));
            }
            unchanged = Some(begun.subtract(results)?);
            kept = Some(other.value.clone());
        }
        let places = kept.is_some().then(|| space.results(""));
        Ok(Ok(Equation {
            statement: partial.statement,
            operator: partial.found.operator,
            value: partial.value.clone(),
            negated: partial.negated,
            context: space.text(&format!(": {}", program.context())),
            space,
            points,
            reads,
            around,
            placement: Placement::Nest { unchanged },
            init: kept,
            places,
        }))
    }

    /// The loops inside those of the results compute this reduction only.
    fn inside(&self, partial: &mut Partial<'_, 'r>) -> Extracted<Equation<'r>> {
        let program = self.program;
        let facts = &program.statements[partial.index];
        let at = facts.at;
        let declared = &program.arrays[partial.array].declared_in;
        let (top, around) = (facts.around[0], facts.around.clone());
        let mut begins = None;
        let mut kept = None;
        for index in 0..partial.index {
            let other = &program.statements[index];
            if let Action::Statement(store) = other.action
                && matches!(store.store, Store::Assign)
                && same_reference(&store.target, &partial.statement.target, None)
                && around.starts_with(&other.around)
                && !other.around.is_empty()
                && facts.guards.starts_with(&other.guards)
            {
                begins = Some((index, other.around.len()));
                kept = Some(store.value.clone()).filter(|_| is_constant(program, store));
            }
        }
        let mentioned = |index: &usize| partial.subscripts.iter().any(|subscript| subscript.mentions(*index));
        let covering = around.iter().rposition(mentioned).map_or(0, |last| last + 1);
        let results = match (declared, begins) {
            (Some(loops), _) => loops.len(),
            (None, Some((_, depth))) if depth >= covering => depth,
            _ => covering,
        };
        let is_nested = results < around.len()
            && declared.as_ref().is_none_or(|declared| declared.iter().eq(around[..results].iter()));
        if results == 0 || !is_nested {
            let reads_meanwhile = (0..program.accesses.len()).find(|access| {
                let read = &program.accesses[*access];
                let is_other = read.statement != partial.index && !partial.found.members.contains(access);
                is_other && !read.write && read.array == partial.array && read.around.first() == Some(&top)
            });
            let reason = match reads_meanwhile {
                Some(access) => format!(
                    "line {} reads `{}` between its updates, so that each of its values is needed",
                    program.statements[program.accesses[access].statement].at.line,
                    program.arrays[partial.array].name
                ),
                None if results == 0 => "there is one result, which has nothing to share".into(),
                None => "no loop only combines values into one result".into(),
            };
            return Ok(Err(Rejection::new(Rule::Dependences, at, reason)));
        }
        let replaced = program.loops[around[results]].node;
        if stores(&replaced.body) != 1 {
            let reason = "the loops that combine have other statements, too";
            return Ok(Err(Rejection::new(Rule::Model, at, reason)));
        }
        if !replaced.declares || !is_only(&replaced.body) {
            return Ok(Err(Rejection::new(Rule::Model, at, NOT_ONLY)));
        }
        // The target keeps results if nothing else touches it meanwhile.
        let others = (0..program.accesses.len()).filter(|access| {
            let access_facts = &program.accesses[*access];
            access_facts.array == partial.array
                && access_facts.around.first() == Some(&top)
                && !partial.found.members.contains(access)
        });
        let begin = begins.map(|(index, _)| index);
        for access in others {
            let other = &program.accesses[access];
            let is_begin = begin == Some(other.statement) && other.write;
            let between = begin
                .is_some_and(|begin| other.statement > begin && other.statement < partial.index)
                && other.around.starts_with(&around[..results]);
            if other.write && !is_begin || between {
                kept = None;
            }
        }
        if begins.is_none_or(|(_, depth)| depth != results) || declared.is_some() {
            kept = None;
        }
        // Values stay the same from their first use on.
        let loads = facts.accesses.iter().copied().filter(|access| !partial.found.members.contains(access));
        let guard =
            partial.found.guard.iter().flat_map(|guard| program.statements[*guard].accesses.iter().copied());
        let guard = guard.filter(|access| !partial.found.members.contains(access));
        for load in loads.chain(guard) {
            let read = &program.accesses[load];
            if program.arrays[read.array].declared_in.is_some() {
                let name = &program.arrays[read.array].name;
                let reason = format!("it reads `{name}`, a variable of the loop");
                return Ok(Err(Rejection::new(Rule::Liveness, at, reason)));
            }
            for write in 0..program.accesses.len() {
                let other = &program.accesses[write];
                if other.write
                    && other.array == read.array
                    && other.around.first() == Some(&top)
                    && !self.is_empty(load, write, true)?
                {
                    let name = &program.arrays[read.array].name;
                    let line = program.statements[other.statement].at.line;
                    let reason =
                        format!("it reads `{name}`, which line {line} changes later: nothing can be reused");
                    return Ok(Err(Rejection::new(Rule::Dependences, at, reason)));
                }
            }
        }
        let space =
            Space { parameters: parameters(program, &[]), results, iterations: around.len() - results };
        let coordinates: Vec<_> = program.iterators(&around, 'a').into_iter().map(Affine::term).collect();
        let points = self.points(partial, &space, &coordinates)?;
        let mut reads = Vec::new();
        accepted!(rows(program, &partial.value, &around, &mut reads, partial).map_err(|()| Rejection::new(
            Rule::Subscripts,
            at,
            "what it reads is not known"
        )));
        let places = kept.is_some().then(|| {
            let named = |index: usize| match around[..results].iter().position(|outer| *outer == index) {
                Some(place) => Term::Named('x', place),
                None => Term::Iterator(index),
            };
            let place = |subscript: &Affine| subscript.with_iterators(&named).to_string();
            partial.subscripts.iter().map(place).collect()
        });
        let outer = &around[..results];
        let guards: Vec<_> = facts.guards.iter().filter(|guard| guard.depth <= results).cloned().collect();
        let conditions = Formula::and([
            program.same_iterations(outer, 'a', 'o'),
            program.instances(outer, &guards, 'a'),
            program.context(),
        ]);
        let context = format!(
            "[{}] -> {{ : exists ({} : {conditions}) }}",
            parameters(program, outer).join(", "),
            names(&program.iterators(outer, 'a')),
        );
        Ok(Ok(Equation {
            statement: partial.statement,
            operator: partial.found.operator,
            value: partial.value.clone(),
            negated: partial.negated,
            space,
            points,
            reads,
            around,
            placement: Placement::Inside { results },
            init: kept,
            places,
            context,
        }))
    }

    fn store_of(&self, statement: usize) -> usize {
        *self.program.statements[statement].accesses.last().expect("a statement stores")
    }

    /// Whether no instance of an access comes before one of another access to the same cell.
    fn is_empty(&self, first: usize, second: usize, before: bool) -> Result<bool, IslError> {
        let program = self.program;
        let order = if before { program.before(first, 'a', second, 'b') } else { Formula::True };
        program.conflicts(self.context, (first, second), order)?.is_empty()
    }

    /// The points with these coordinates, of iterators `a0`, `a1` …
    fn points(
        &self,
        partial: &Partial<'_, 'r>,
        space: &Space,
        coordinates: &[Affine],
    ) -> Result<Set, IslError> {
        let dimensions = space.dimensions();
        let equal = dimensions
            .iter()
            .zip(coordinates)
            .map(|(dimension, value)| Formula::equal(dimension.clone(), value.clone()));
        let condition = Formula::and(equal.chain([partial.instances.clone(), self.program.context()]));
        let around = &self.program.statements[partial.index].around;
        self.program.set(self.context, &dimensions, &self.program.iterators(around, 'a'), &condition)
    }
}

/// What is known of a reduction before it is clear where its loops stand.
struct Partial<'f, 'r> {
    statement: &'r Statement,
    found: &'f ReductionLike,
    index: usize,
    array: usize,
    value: Expression,
    negated: bool,
    subscripts: &'f [Affine],
    instances: Formula,
}

/// The names of parameters in sets, and of the iterators of loops that are parameters.
pub(super) fn parameters(program: &Program<'_>, outer: &[usize]) -> Vec<String> {
    program.parameters_inside(outer).iter().map(Term::name).collect()
}

/// Subscripts that are sums of iterators and parameters, without conditions and divisions.
fn affine(subscripts: &[Option<Vec<crate::analysis::affine::Case>>]) -> Option<Vec<Affine>> {
    let plain = |subscript: &Option<Vec<crate::analysis::affine::Case>>| match subscript.as_deref() {
        Some([only]) if only.condition == Formula::True => {
            let simple = only.value.terms.keys().all(|term| !matches!(term, Term::Floor(..)));
            simple.then(|| only.value.clone())
        }
        _ => None,
    };
    subscripts.iter().map(plain).collect()
}

/// Whether both are constants of one value.
fn same_number(first: &Expression, second: &Expression) -> bool {
    let value = |expression: &Expression| match &stripped(expression).kind {
        ExpressionKind::Integer(value) => Some(*value as f64),
        ExpressionKind::Float(value) => Some(*value),
        _ => None,
    };
    value(first).is_some_and(|first| value(second) == Some(first))
}

/// Whether a statement stores a value that is the same everywhere in the region.
fn is_constant(program: &Program<'_>, statement: &Statement) -> bool {
    fn constant(program: &Program<'_>, value: &Expression) -> bool {
        match &stripped(value).kind {
            ExpressionKind::Integer(_) | ExpressionKind::Float(_) => true,
            ExpressionKind::Unary(_, inner) => constant(program, inner),
            ExpressionKind::Read(reference) => {
                let constant_index = |step: &Step| match step {
                    Step::Index(index) => matches!(index.kind, ExpressionKind::Integer(_)),
                    Step::Member(_) => true,
                };
                let is_written = |access: &crate::analysis::program::Access<'_>| {
                    access.write && access.reference.variable == reference.variable
                };
                reference.path.iter().all(constant_index) && !program.accesses.iter().any(is_written)
            }
            _ => false,
        }
    }
    matches!(statement.store, Store::Assign) && constant(program, &statement.value)
}

/// Why loops are not replaced.
const NOT_ONLY: &str = "its loops have more than loops that declare their iterators, guards and stores";

/// Whether bodies have loops that declare their iterators, guards and stores only.
fn is_only(nodes: &[Node]) -> bool {
    walk(nodes).all(|node| match node {
        Node::Loop(looped) => looped.declares && looped.attributes.is_empty(),
        Node::If(_) | Node::Statement(_) => true,
        _ => false,
    })
}

fn stores(nodes: &[Node]) -> usize {
    walk(nodes).filter(|node| !matches!(node, Node::Loop(_) | Node::If(_))).count()
}

/// What a statement combines with its target, and whether it is subtracted; none if it is converted at each step.
fn combined(statement: &Statement, found: &ReductionLike) -> Option<(Expression, bool)> {
    let scalar = statement.target.scalar;
    let of_type = |value: &Expression| value.scalar == scalar;
    let is_load = |value: &Expression| match &value.kind {
        ExpressionKind::Read(reference) => same_reference(reference, &statement.target, None),
        _ => false,
    };
    if found.guard.is_some() {
        return Some((statement.value.clone(), false)).filter(|(value, _)| of_type(value));
    }
    let (value, negated) = match &statement.store {
        Store::Reduce { .. } => (statement.value.clone(), false),
        Store::Update { operator, computed_in } => {
            if *computed_in != scalar {
                return None;
            }
            (statement.value.clone(), *operator == BinaryOperator::Subtract)
        }
        Store::Assign => match &statement.value.kind {
            ExpressionKind::Binary(operator, left, right) => match (is_load(left), is_load(right)) {
                (true, false) => ((**right).clone(), *operator == BinaryOperator::Subtract),
                (false, true) if *operator != BinaryOperator::Subtract => ((**left).clone(), false),
                _ => return None,
            },
            ExpressionKind::Call(_, arguments) => match &arguments[..] {
                [left, right] if is_load(left) => (right.clone(), false),
                [left, right] if is_load(right) => (left.clone(), false),
                _ => return None,
            },
            ExpressionKind::Select(_, then, otherwise) => match (is_load(then), is_load(otherwise)) {
                (true, false) => ((**otherwise).clone(), false),
                (false, true) => ((**then).clone(), false),
                _ => return None,
            },
            _ => return None,
        },
    };
    let mut reads_target = false;
    value.visit_reads(&mut |reference| reads_target |= same_reference(reference, &statement.target, None));
    (of_type(&value) && !reads_target).then_some((value, negated))
}

/// Collects what a value depends on, as rows over the iterators of loops.
fn rows(
    program: &Program<'_>,
    value: &Expression,
    around: &[usize],
    out: &mut Vec<Vector>,
    partial: &Partial<'_, '_>,
) -> Result<(), ()> {
    match &value.kind {
        ExpressionKind::Iterator(id) => {
            let place =
                around.iter().position(|index| program.loops[*index].node.iterator == *id).ok_or(())?;
            out.push((0..around.len()).map(|index| i64::from(index == place)).collect());
            Ok(())
        }
        ExpressionKind::Read(reference) => {
            let access = access_like(program, reference, partial);
            let subscripts = access.and_then(|access| affine(&program.accesses[access].subscripts));
            let Some(subscripts) = subscripts else {
                return reference.subscripts().try_for_each(|part| rows(program, part, around, out, partial));
            };
            for subscript in subscripts {
                let row = around.iter().map(|index| i64::try_from(subscript.coefficient(*index)));
                out.push(row.collect::<Result<_, _>>().map_err(|_| ())?);
            }
            Ok(())
        }
        _ => {
            value.try_map_operands(|operand| {
                rows(program, operand, around, out, partial)?;
                Ok(operand.clone())
            })?;
            Ok(())
        }
    }
}

/// The access of the statement that is written like a reference.
fn access_like(program: &Program<'_>, reference: &Reference, partial: &Partial<'_, '_>) -> Option<usize> {
    let accesses = program.statements[partial.index].accesses.iter().copied();
    accesses
        .filter(|access| !program.accesses[*access].write)
        .find(|access| same_reference(program.accesses[*access].reference, reference, None))
}

/// The coordinates of points as the source names them, subscripts in brackets.
pub(super) fn coordinates(program: &Program<'_>, equation: &Equation<'_>) -> Vec<String> {
    let name = |index: &usize| program.region.variable(program.loops[*index].node.iterator).name.clone();
    match equation.placement {
        Placement::Inside { .. } => equation.around.iter().map(name).collect(),
        Placement::Nest { .. } => {
            let subscripts = equation.statement.target.subscripts();
            let texts = subscripts.map(|subscript| format!("[{}]", c::value(program.region, subscript)));
            texts.chain(equation.around.iter().map(name)).collect()
        }
    }
}
