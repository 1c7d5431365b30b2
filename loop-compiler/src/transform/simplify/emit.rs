//! Plans as loops again: each kind of combination is a set of points, and isl makes the loops that go through all of them
//! in the order of the results.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    equation::{Equation, Placement, parameters},
    plan::{Combined, Plan},
};
use crate::{
    analysis::{bounds::parsed, program::Program},
    ir::{
        Aliasing, BinaryOperator, Declaration, Expression, ExpressionKind, If, Loop, LoopAttributes, LoopId,
        Node, Position, ReductionOperator, Reference, Region, Statement, Step, Storage, Store, Variable,
        VariableId, convert, operators::identity, types::Scalar,
    },
    isl::{Context, IslError, Relation, Scan, Set},
    rules::{Rejection, Rule},
    transform::substituted_in,
};
use std::rc::Rc;

/// Loops in place of those of an equation.
pub(super) struct Emitted {
    pub nodes: Vec<Node>,
    /// Variables that keep results from one iteration to the next, to be declared before the loops.
    pub kept: Vec<VariableId>,
    /// The sets of points for each of which there is one operation.
    pub operations: Vec<Set>,
}

/// Where results are kept.
#[derive(Clone)]
enum Target {
    /// In the equation's target.
    Own,
    /// In a scalar.
    Scalar(VariableId),
}

/// What happens at the points of a set.
struct Combination {
    points: Set,
    target: Target,
    /// The distance to the result that this one begins with.
    begins_at: Option<Vec<i64>>,
    /// What it begins with otherwise; none if with nothing, or with what is there.
    init: Option<Expression>,
    /// Whether the target's value takes part.
    updates: bool,
    /// What is combined: the equation's value, or a scalar; none for copies.
    value: Option<Option<VariableId>>,
    inverse: bool,
    /// Its place in the order of one result.
    place: (usize, usize),
}

pub(super) struct Emission<'e, 'r> {
    pub program: &'e Program<'r>,
    pub context: &'e Rc<Context>,
    pub equation: &'e Equation<'r>,
    pub region: &'e mut Region,
    /// The directions in which results are computed.
    pub order: Vec<i64>,
    steps: Vec<Combination>,
    kept: Vec<VariableId>,
    /// The type in which values are combined.
    computed_in: Scalar,
    groups: usize,
}

impl<'e, 'r> Emission<'e, 'r> {
    pub fn new(
        program: &'e Program<'r>,
        context: &'e Rc<Context>,
        equation: &'e Equation<'r>,
        region: &'e mut Region,
        order: Vec<i64>,
    ) -> Emission<'e, 'r> {
        let computed_in = equation.statement.target.scalar;
        Emission {
            program,
            context,
            equation,
            region,
            order,
            steps: Vec::new(),
            kept: Vec::new(),
            computed_in,
            groups: 0,
        }
    }

    /// The loops of a plan.
    pub fn emitted(mut self, plan: &Plan) -> Result<Result<Emitted, Rejection>, IslError> {
        let equation = self.equation;
        if self.wraps(plan)? {
            // Sums of other parts may overflow where those of the source do not.
            self.computed_in = self.computed_in.unsigned();
        }
        if equation.ignores_nan() && self.init_of_part().is_none() {
            let reason = "extremes of its type have no number to begin with, and a NaN replaces nothing";
            return Ok(Err(Rejection::new(Rule::Floats, equation.statement.at, reason)));
        }
        if equation.places.is_some() {
            let init = equation.init.clone().filter(|_| !equation.begins_with_nothing());
            self.plan(plan, Target::Own, init)?;
        } else {
            let scalar = self.scalar();
            let init = self.init_of_part();
            self.plan(plan, Target::Scalar(scalar), init)?;
            let results = equation.space.results_of(&plan.points)?;
            let points = self.at_origin(&results)?;
            self.push(points, Target::Own, Some(Some(scalar)), |step| step.updates = true);
            self.groups += 1;
        }
        if let Placement::Nest { unchanged: Some(unchanged) } = &equation.placement
            && !unchanged.is_empty()?
        {
            let points = self.at_origin(unchanged)?;
            let init = equation.init.clone();
            self.push(points, Target::Own, None, |step| step.init = init);
        }
        self.loops()
    }

    /// Whether partial results occur that the source does not compute.
    fn wraps(&self, plan: &Plan) -> Result<bool, IslError> {
        let arithmetic =
            matches!(self.equation.operator, ReductionOperator::Add | ReductionOperator::Multiply);
        let [(Combined::Points(points), false)] = &plan.parts[..] else { return Ok(arithmetic) };
        let space = &self.equation.space;
        let several = space.later(points)?.intersect(space.around(&plan.copies)?)?;
        Ok(arithmetic && (self.equation.places.is_none() || !several.is_empty()?))
    }

    /// What a partial result begins with, if that is not its first value.
    fn init_of_part(&self) -> Option<Expression> {
        identity(self.equation.operator, self.computed_in).filter(|_| self.equation.ignores_nan())
    }

    fn scalar(&mut self) -> VariableId {
        let name = format!("{}_part", self.region.variable(self.equation.statement.target.variable).name);
        let variable = self.region.add_scalar(&name, self.computed_in);
        self.kept.push(variable);
        variable
    }

    /// Results as points of the space.
    fn at_origin(&self, results: &Set) -> Result<Set, IslError> {
        let space = &self.equation.space;
        let to = [space.results(""), vec!["0".to_string(); space.iterations]].concat();
        results.mapped(&space.text(&format!("[{}] -> [{}]", space.results("").join(", "), to.join(", "))))
    }

    fn push(
        &mut self,
        points: Set,
        target: Target,
        value: Option<Option<VariableId>>,
        change: impl FnOnce(&mut Combination),
    ) {
        let place = (self.groups, 0);
        let mut step = Combination {
            points,
            target,
            begins_at: None,
            init: None,
            updates: false,
            value,
            inverse: false,
            place,
        };
        change(&mut step);
        self.steps.push(step);
    }

    /// The steps that compute the results of a plan.
    fn plan(&mut self, plan: &Plan, target: Target, init: Option<Expression>) -> Result<(), IslError> {
        let space = self.equation.space.clone();
        let mut parts = Vec::new();
        for (part, inverse) in &plan.parts {
            match part {
                Combined::Points(points) => parts.push((points.copy()?, None, *inverse)),
                Combined::Reduction(inner) => {
                    let scalar = self.scalar();
                    let init = self.init_of_part();
                    self.plan(inner, Target::Scalar(scalar), init)?;
                    let results = space.results_of(&inner.points)?;
                    parts.push((self.at_origin(&results)?, Some(scalar), *inverse));
                }
            }
        }
        let is_own = matches!(target, Target::Own);
        let copies = space.around(&plan.copies)?;
        let mut uncovered = plan.copies.copy()?;
        let mut begun =
            Set::parse(self.context, &space.text(&format!("[{}] : false", space.results("").join(", "))))?;
        for (place, (points, scalar, inverse)) in parts.into_iter().enumerate() {
            let place = (self.groups, place + 1);
            let value = Some(scalar);
            if inverse {
                self.push(points, target.clone(), value, |step| {
                    (step.updates, step.inverse, step.place) = (true, true, place);
                });
                continue;
            }
            let later = space.later(&points)?;
            let first = points.copy()?.subtract(later)?.subtract(space.around(&begun)?)?;
            let rest = points.copy()?.subtract(first.copy()?)?;
            let results = space.results_of(&points)?;
            begun = begun.union(results.copy()?)?;
            uncovered = uncovered.subtract(results)?;
            let distance = plan.distance.clone();
            self.push(first.copy()?.intersect(copies.copy()?)?, target.clone(), value, |step| {
                step.place = place;
                if is_own {
                    step.begins_at = Some(distance);
                } else {
                    step.updates = true;
                }
            });
            let init = init.clone();
            self.push(first.subtract(copies.copy()?)?, target.clone(), value, |step| {
                (step.init, step.place) = (init, place);
            });
            self.push(rest, target.clone(), value, |step| (step.updates, step.place) = (true, place));
        }
        if is_own {
            let distance = plan.distance.clone();
            let points = self.at_origin(&uncovered)?;
            self.push(points, target, None, |step| step.begins_at = Some(distance));
        }
        self.groups += 1;
        Ok(())
    }

    /// The steps as loops.
    fn loops(mut self) -> Result<Result<Emitted, Rejection>, IslError> {
        let equation = self.equation;
        let space = &equation.space;
        let mut steps = Vec::new();
        for step in std::mem::take(&mut self.steps) {
            if !step.points.is_empty()? {
                steps.push(step);
            }
        }
        let outer: &[usize] = match equation.placement {
            Placement::Inside { results } => &equation.around[..results],
            Placement::Nest { .. } => &[],
        };
        let names = parameters(self.program, outer);
        let list = names.join(", ");
        let points = space.points("").join(", ");
        // Results whose steps differ have loops of their own, so that these have no guards.
        let separated = if outer.is_empty() { space.results } else { 0 };
        let times = separated + 2 + space.iterations;
        let mut schedule = Vec::new();
        let mut sets = Vec::new();
        let mut operations = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            let mut times = Vec::new();
            if outer.is_empty() {
                times.extend(self.order.iter().enumerate().map(|(place, sign)| format!("{sign} * x{place}")));
            }
            times.extend([step.place.0.to_string(), step.place.1.to_string()]);
            times.extend(space.iterations(""));
            schedule.push(format!("S{index}[{points}] -> [{}]", times.join(", ")));
            let fixed = outer.iter().enumerate().map(|(place, index)| format!("x{place} = o{index}"));
            let fixed = std::iter::once("true".to_string()).chain(fixed).collect::<Vec<_>>().join(" and ");
            sets.push(
                step.points
                    .mapped(&format!("[{list}] -> {{ [{points}] -> S{index}[{points}] : {fixed} }}"))?,
            );
            let combines = step.updates || step.begins_at.is_some() || step.init.is_some();
            if combines && step.value.is_some() {
                operations.push(step.points.copy()?);
            }
        }
        let relation = Relation::parse(self.context, &format!("[{list}] -> {{ {} }}", schedule.join("; ")))?;
        let known = Set::parse(self.context, &equation.context)?;
        let times: Vec<_> = (0..times).map(|place| format!("t{place}")).collect();
        let separated = (0..separated).map(|place| format!("[{}] -> separate[{place}]", times.join(", ")));
        let separated = format!("{{ {} }}", separated.collect::<Vec<_>>().join("; "));
        let separated = Relation::parse(self.context, &separated)?;
        let scan = relation.scan(&sets, &known, &separated)?;
        let mut printer = Printer {
            emission: &mut self,
            steps: &steps,
            names,
            outer: outer.to_vec(),
            iterators: BTreeMap::new(),
            made: BTreeSet::new(),
        };
        let nodes = printer.nodes(&scan);
        Ok(match nodes {
            Some(nodes) => Ok(Emitted { nodes, kept: self.kept, operations }),
            None => {
                let reason = "isl's loops for it have a form that is not read";
                Err(Rejection::new(Rule::Limits, equation.statement.at, reason))
            }
        })
    }
}

struct Printer<'p, 'e, 'r> {
    emission: &'p mut Emission<'e, 'r>,
    steps: &'p [Combination],
    names: Vec<String>,
    outer: Vec<usize>,
    iterators: BTreeMap<String, VariableId>,
    /// The iterators of all loops that are made.
    made: BTreeSet<VariableId>,
}

impl Printer<'_, '_, '_> {
    fn nodes(&mut self, scan: &Scan) -> Option<Vec<Node>> {
        let at = self.emission.equation.statement.at;
        Some(match scan {
            Scan::Sequence(parts) => {
                let mut nodes = Vec::new();
                for part in parts {
                    nodes.extend(self.nodes(part)?);
                }
                nodes
            }
            Scan::If { condition, then, otherwise } => {
                let condition = self.expression(condition)?;
                let then = self.nodes(then)?;
                let otherwise = match otherwise {
                    Some(otherwise) => self.nodes(otherwise)?,
                    None => Vec::new(),
                };
                vec![Node::either(condition, then, otherwise, at)]
            }
            Scan::Loop { iterator, first, condition, step, body } => {
                let (base, place) = self.iterator(iterator);
                let scalar = self.scalar();
                let variable = self.emission.region.add(Variable {
                    name: self.unused_name(&base),
                    scalar,
                    declared_type: String::new(),
                    extents: Vec::new(),
                    storage: Storage::Region,
                    aliasing: Aliasing::Distinct,
                });
                self.made.insert(variable);
                let lower = convert::convert(self.expression(first)?, scalar);
                let before = self.iterators.insert(iterator.clone(), variable);
                let condition = self.expression(condition)?;
                let step = convert::convert(self.expression(step)?, scalar);
                let body = self.nodes(body)?;
                match before {
                    Some(before) => self.iterators.insert(iterator.clone(), before),
                    None => self.iterators.remove(iterator),
                };
                vec![Node::Loop(Loop {
                    id: LoopId::NONE,
                    iterator: variable,
                    declares: true,
                    lower,
                    condition,
                    step,
                    parallel: false,
                    attributes: LoopAttributes::default(),
                    body,
                    at: place,
                })]
            }
            Scan::Element(name, coordinates) => {
                let index: usize = name.strip_prefix('S')?.parse().ok()?;
                let values: Option<Vec<_>> = coordinates.iter().map(|text| self.expression(text)).collect();
                vec![self.step(&self.steps[index], &values?)]
            }
        })
    }

    /// The type of iterators: that of all loops around, so that there are few conversions.
    fn scalar(&self) -> Scalar {
        let emission = &self.emission;
        let of = |index: &usize| {
            emission.program.region.variable(emission.program.loops[*index].node.iterator).scalar
        };
        let mut all = emission.equation.around.iter().map(of);
        let first = all.next().unwrap_or(Scalar::LONG);
        if all.all(|scalar| scalar == first) && !first.is_unsigned() { first } else { Scalar::LONG }
    }

    /// A name like this one for an iterator: what loops declare that are not around needs another one only in the loops
    /// that are made.
    fn unused_name(&self, base: &str) -> String {
        let program = self.emission.program;
        let declared = (0..program.loops.len()).filter(|index| !self.outer.contains(index));
        let declared = declared.map(|index| program.loops[index].node).filter(|node| node.declares);
        let free: BTreeSet<VariableId> =
            declared.map(|node| node.iterator).chain(self.made.iter().copied()).collect();
        let is_used = |name: &str| {
            let mut variables = self.emission.region.variables.iter().enumerate();
            variables.any(|(id, variable)| {
                let id = VariableId(id);
                let is_around = self.iterators.values().any(|iterator| *iterator == id);
                variable.name == name && (is_around || !free.contains(&id))
            })
        };
        match is_used(base) {
            true => self.emission.region.unused_name(base),
            false => base.into(),
        }
    }

    /// The name of the loop whose iterator is a dimension of the schedule, and where it is.
    fn iterator(&self, name: &str) -> (String, Position) {
        let equation = self.emission.equation;
        let program = self.emission.program;
        let dimension: usize = name.get(1..).and_then(|digits| digits.parse().ok()).unwrap_or(0);
        let results = if self.outer.is_empty() { equation.space.results } else { 0 };
        let first = equation.around.len() - equation.space.iterations;
        let found = match dimension.checked_sub(results + 2) {
            Some(iteration) => equation.around.get(first + iteration),
            None => {
                let subscript = equation.statement.target.subscripts().nth(dimension);
                let id =
                    subscript.and_then(|subscript| match &crate::ir::compare::stripped(subscript).kind {
                        ExpressionKind::Iterator(id) => Some(*id),
                        _ => None,
                    });
                let is = |index: &&usize| Some(program.loops[**index].node.iterator) == id;
                equation.around.iter().find(is).or(equation.around.get(dimension))
            }
        };
        match found {
            Some(index) => {
                let node = program.loops[*index].node;
                (program.region.variable(node.iterator).name.clone(), node.at)
            }
            None => ("k".into(), equation.statement.at),
        }
    }

    fn expression(&self, text: &str) -> Option<Expression> {
        let names: Vec<_> = self.names.iter().chain(self.iterators.keys()).cloned().collect();
        let scalar = self.scalar();
        let value = |name: &str| {
            let id = self.iterators.get(name)?;
            Some(Expression { kind: ExpressionKind::Iterator(*id), scalar })
        };
        Some(narrowed(&parsed(self.emission.program, &names, text, &value)?, scalar))
    }

    /// The statement at a point.
    fn step(&self, step: &Combination, coordinates: &[Expression]) -> Node {
        let emission = &self.emission;
        let equation = emission.equation;
        let computed_in = emission.computed_in;
        let target = self.target(&step.target, coordinates, None);
        let scalar = target.scalar;
        let read = |reference: Reference| {
            let scalar = reference.scalar;
            convert::convert(Expression { kind: ExpressionKind::Read(reference), scalar }, computed_in)
        };
        let begin = match (&step.begins_at, &step.init) {
            (Some(distance), _) => Some(read(self.target(&step.target, coordinates, Some(distance)))),
            (None, Some(init)) => Some(convert::convert(init.clone(), computed_in)),
            (None, None) if step.updates => Some(read(target.clone())),
            (None, None) => None,
        };
        let value = step.value.map(|part| match part {
            Some(part) => read(self.target(&Target::Scalar(part), coordinates, None)),
            None => convert::convert(self.value(coordinates), computed_in),
        });
        // A scalar holds what is subtracted as a sum; each point has the sign of the source.
        let negated = equation.negated && step.value == Some(None);
        let at = equation.statement.at;
        let operator = equation.operator;
        let subtracts = negated != step.inverse && operator == ReductionOperator::Add;
        if let (true, Some(symbol), Some(value)) = (step.updates, update(operator, subtracts), &value)
            && computed_in == scalar
        {
            let store = Store::Update { operator: symbol, computed_in };
            return Node::Statement(Statement { target, store, value: value.clone(), at });
        }
        let value = match (begin, value) {
            (Some(begin), Some(value)) => combination(operator, subtracts, begin, value),
            (Some(begin), None) => begin,
            (None, Some(value)) if subtracts => {
                let kind = ExpressionKind::Unary(crate::ir::UnaryOperator::Negate, Box::new(value));
                Expression { kind, scalar: computed_in }
            }
            (None, Some(value)) => truth(operator, value),
            (None, None) => Expression::integer(0, computed_in),
        };
        let value = convert::convert(value, scalar);
        Node::Statement(Statement { target, store: Store::Assign, value, at })
    }

    /// Where a result is kept; or the one at a distance before it.
    fn target(&self, target: &Target, coordinates: &[Expression], distance: Option<&[i64]>) -> Reference {
        let equation = self.emission.equation;
        let own = &equation.statement.target;
        match target {
            Target::Scalar(variable) => Reference {
                variable: *variable,
                path: Vec::new(),
                scalar: self.emission.computed_in,
                at: own.at,
            },
            Target::Own => {
                let coordinate = |place: usize| {
                    let by = distance.map_or(0, |distance| distance[place]);
                    narrowed(
                        &crate::ir::arithmetic::subtract(
                            coordinates[place].clone(),
                            crate::ir::arithmetic::number(by.into()),
                        ),
                        self.scalar(),
                    )
                };
                match equation.placement {
                    Placement::Nest { .. } => {
                        let mut place = 0;
                        let path = own.path.iter().map(|step| match step {
                            Step::Index(index) => {
                                place += 1;
                                Step::Index(convert::convert(coordinate(place - 1), index.scalar))
                            }
                            Step::Member(name) => Step::Member(name.clone()),
                        });
                        Reference { path: path.collect(), ..own.clone() }
                    }
                    Placement::Inside { results } => {
                        let values: Vec<_> = (0..results).map(coordinate).collect();
                        own.map_subscripts(|index| self.substituted(index, &self.outer, &values))
                    }
                }
            }
        }
    }

    /// The equation's value at a point.
    fn value(&self, coordinates: &[Expression]) -> Expression {
        let equation = self.emission.equation;
        let inside = matches!(equation.placement, Placement::Inside { .. });
        let first = if inside { 0 } else { equation.space.results };
        self.substituted(&equation.value, &equation.around, &coordinates[first..])
    }

    /// An expression with values in place of the iterators of loops.
    fn substituted(&self, expression: &Expression, loops: &[usize], values: &[Expression]) -> Expression {
        let program = self.emission.program;
        let mut all = Vec::new();
        for (index, value) in loops.iter().zip(values) {
            let iterator = program.loops[*index].node.iterator;
            let scalar = program.region.variable(iterator).scalar;
            all.push((iterator, convert::convert(value.clone(), scalar)));
        }
        substituted_in(expression, &all)
    }
}

/// The compound assignment of an operator, if there is one.
fn update(operator: ReductionOperator, subtracts: bool) -> Option<BinaryOperator> {
    Some(match operator {
        ReductionOperator::Add if subtracts => BinaryOperator::Subtract,
        ReductionOperator::Add => BinaryOperator::Add,
        ReductionOperator::Multiply => BinaryOperator::Multiply,
        ReductionOperator::And => BinaryOperator::And,
        ReductionOperator::Or => BinaryOperator::Or,
        ReductionOperator::Xor => BinaryOperator::Xor,
        _ => return None,
    })
}

/// Two values of one type by an operator.
fn combination(
    operator: ReductionOperator,
    subtracts: bool,
    left: Expression,
    right: Expression,
) -> Expression {
    let scalar = left.scalar;
    let binary = |operator, left: &Expression, right: &Expression, scalar| Expression {
        kind: ExpressionKind::Binary(operator, Box::new(left.clone()), Box::new(right.clone())),
        scalar,
    };
    if let Some(symbol) = update(operator, subtracts) {
        return binary(symbol, &left, &right, scalar);
    }
    match operator {
        ReductionOperator::LogicalAnd | ReductionOperator::LogicalOr => {
            let symbol = match operator {
                ReductionOperator::LogicalAnd => BinaryOperator::LogicalAnd,
                _ => BinaryOperator::LogicalOr,
            };
            convert::convert(binary(symbol, &left, &right, Scalar::INT), scalar)
        }
        _ => {
            let relation = match operator {
                ReductionOperator::Minimum => BinaryOperator::Less,
                _ => BinaryOperator::Greater,
            };
            convert::select(binary(relation, &right, &left, Scalar::INT), right, left)
        }
    }
}

/// What an operator makes of one value.
fn truth(operator: ReductionOperator, value: Expression) -> Expression {
    if !matches!(operator, ReductionOperator::LogicalAnd | ReductionOperator::LogicalOr) {
        return value;
    }
    let scalar = value.scalar;
    let zero = convert::convert(Expression::integer(0, Scalar::INT), scalar);
    let kind = ExpressionKind::Binary(BinaryOperator::NotEqual, Box::new(value), Box::new(zero));
    convert::convert(Expression { kind, scalar: Scalar::INT }, scalar)
}

/// A sum, or a comparison of sums, computed in a type that all of its operands have.
fn narrowed(value: &Expression, scalar: Scalar) -> Expression {
    fn sum(value: &Expression, scalar: Scalar) -> Option<Expression> {
        match &value.kind {
            ExpressionKind::Integer(constant) if scalar.holds(*constant) => {
                Some(Expression::integer(*constant, scalar))
            }
            ExpressionKind::Cast(inner) if inner.scalar == scalar => Some((**inner).clone()),
            _ if value.scalar == scalar
                && matches!(value.kind, ExpressionKind::Iterator(_) | ExpressionKind::Read(_)) =>
            {
                Some(value.clone())
            }
            ExpressionKind::Binary(
                operator @ (BinaryOperator::Add | BinaryOperator::Subtract),
                left,
                right,
            ) => {
                let (left, right) = (sum(left, scalar)?, sum(right, scalar)?);
                let kind = ExpressionKind::Binary(*operator, Box::new(left), Box::new(right));
                Some(Expression { kind, scalar })
            }
            _ => None,
        }
    }
    match &value.kind {
        ExpressionKind::Binary(operator, left, right) if operator.is_comparison() => {
            match (sum(left, scalar), sum(right, scalar)) {
                (Some(left), Some(right)) => {
                    let kind = ExpressionKind::Binary(*operator, Box::new(left), Box::new(right));
                    Expression { kind, scalar: value.scalar }
                }
                _ => value.clone(),
            }
        }
        ExpressionKind::Binary(
            operator @ (BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr),
            left,
            right,
        ) => {
            let (left, right) = (narrowed(left, scalar), narrowed(right, scalar));
            let kind = ExpressionKind::Binary(*operator, Box::new(left), Box::new(right));
            Expression { kind, scalar: value.scalar }
        }
        _ => sum(value, scalar).unwrap_or_else(|| value.clone()),
    }
}

/// Declares variables in front of a loop that stands somewhere, in a guard if it is not in a body.
pub(super) fn declared(region: &mut Region, index: usize, kept: &[VariableId]) {
    let Some(node) = crate::transform::loop_at(region, index).cloned() else { return };
    let at = node.at;
    let declarations = declarations(region, kept, at);
    let condition = crate::transform::first_condition(&node);
    let then = declarations.into_iter().chain([Node::Loop(node)]).collect();
    crate::transform::replace(region, index, vec![Node::guarded(condition, then, at)]);
}

/// Nodes that use variables of their own, in a guard that always holds.
pub(super) fn in_block(region: &Region, nodes: Vec<Node>, kept: &[VariableId], at: Position) -> Node {
    let then = declarations(region, kept, at).into_iter().chain(nodes).collect();
    Node::If(If { condition: Expression::integer(1, Scalar::INT), then, otherwise: Vec::new(), at })
}

/// Declares variables, scalars with a value: without an iteration nothing sets them, and threads may copy them all the same.
fn declarations(region: &Region, kept: &[VariableId], at: Position) -> Vec<Node> {
    let zero = |variable: &VariableId| {
        let Variable { scalar, extents, .. } = region.variable(*variable);
        let zero = Expression::integer(0, Scalar::INT);
        extents.is_empty().then(|| convert::convert(zero, *scalar))
    };
    let declared = |variable: &VariableId| Declaration { variable: *variable, value: zero(variable), at };
    kept.iter().map(|variable| Node::Declaration(declared(variable))).collect()
}

/// The number of operations of sets of points with given parameters, if all are given.
pub(super) fn counted(sets: &[Set], sizes: &str) -> Result<Option<u64>, IslError> {
    let mut all = 0;
    for set in sets {
        match set.with_parameters(sizes)?.count()? {
            Some(count) => all += count,
            None => return Ok(None),
        }
    }
    Ok(Some(all))
}
