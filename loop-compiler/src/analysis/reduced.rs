//! What the statements of a loop's body reduce: `s += x;`, `s -= x;`, `m = x > m ? x : m;`, `m = fmax(m, x);`, and the same
//! under conditions, as targets with an operator and a value, which lanes can accumulate.

use std::collections::BTreeMap;

use crate::{
    analysis::{Analysis, StatementReport},
    ir::{
        BinaryOperator, Declaration, Expression, ExpressionKind, If, Node, Position, ReductionOperator,
        Reference, Statement, Store, UnaryOperator, VariableId,
        compare::{mentions, mirrored, same, same_reference, stripped},
        convert, first_accesses, functions, operators, walk_iteration,
    },
    rules::FloatOrder,
    transform::{in_expression, privatize::combined_value, uses},
};

/// The operators of a loop's reductions, by the position of the statement, as the analysis has found them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Operators {
    by_position: BTreeMap<Position, ReductionOperator>,
    /// Whether floats may be combined in any order. Then minima and maxima may take any of several zeros and skip NaN.
    any_order: bool,
}

/// A statement that reduces `value` into an element.
#[derive(Clone)]
pub(crate) struct Step {
    pub target: Reference,
    pub operator: ReductionOperator,
    pub value: Expression,
    pub store: Store,
    /// Whether the statement is executed under a condition: the element may not exist where it does not hold.
    pub is_guarded: bool,
    pub at: Position,
}

impl Step {
    /// Whether the element exists if the loop has an iteration, so that lanes may be combined with it afterwards.
    pub fn exists_in(&self, body: &[Node]) -> bool {
        let first = first_accesses(body);
        !self.is_guarded
            || self.target.path.is_empty()
            || first.iter().any(|other| same_reference(other, &self.target, None))
    }
}

impl Operators {
    pub fn new(order: FloatOrder) -> Operators {
        Operators { by_position: BTreeMap::new(), any_order: order == FloatOrder::Free }
    }

    /// Those of all reductions of a region.
    pub fn all(analysis: &Analysis, order: FloatOrder) -> Operators {
        let mut operators = Operators::new(order);
        let of = |report: &StatementReport| Some((report.at, report.reduction?));
        operators.extend(analysis.statements.iter().filter_map(of));
        operators
    }

    pub fn extend(&mut self, others: impl IntoIterator<Item = (Position, ReductionOperator)>) {
        self.by_position.extend(others);
    }

    pub fn iter(&self) -> impl Iterator<Item = (Position, ReductionOperator)> + '_ {
        self.by_position.iter().map(|(at, operator)| (*at, *operator))
    }

    /// Whether one of the statements in a node has one.
    pub fn are_in(&self, node: &Node) -> bool {
        self.count_in(node) > 0
    }

    /// How many of the statements in a node have one.
    pub fn count_in(&self, node: &Node) -> usize {
        let nodes = walk_iteration(std::slice::from_ref(node));
        nodes
            .filter(|node| matches!(node, Node::Statement(statement) if self.of(statement.at).is_some()))
            .count()
    }

    pub fn of(&self, at: Position) -> Option<ReductionOperator> {
        self.by_position.get(&at).copied()
    }

    /// What a node reduces: several elements, if it is a condition with several statements. None if it does anything else.
    pub fn steps(&self, node: &Node) -> Option<Vec<Step>> {
        match node {
            Node::Statement(statement) => Some(vec![self.step(statement)?]),
            Node::If(guard) => match selected(guard) {
                Some(statement) => Some(vec![self.step(&statement)?]),
                None => self.guarded(guard),
            },
            _ => None,
        }
    }

    /// What is reduced under a condition: otherwise the operator's identity is.
    fn guarded(&self, guard: &If) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        for (nodes, holds) in [(&guard.then, true), (&guard.otherwise, false)] {
            for node in nodes {
                for step in self.steps(node)? {
                    if operators::converts(step.operator, step.target.scalar) {
                        return None;
                    }
                    let scalar = step.value.scalar;
                    let identity = operators::identity(step.operator, scalar)?;
                    let (then, otherwise) =
                        if holds { (step.value, identity) } else { (identity, step.value) };
                    let value =
                        convert::convert(convert::select(guard.condition.clone(), then, otherwise), scalar);
                    steps.push(Step { value, is_guarded: true, ..step });
                }
            }
        }
        // What the first statement changes the second one's condition would see.
        let mut reads = false;
        guard.condition.visit_reads(&mut |read| {
            reads |= steps.iter().any(|step| step.target.variable == read.variable);
        });
        (!reads).then_some(steps)
    }

    fn step(&self, statement: &Statement) -> Option<Step> {
        let operator = self.of(statement.at)?;
        let value = match (operator, &statement.store) {
            (_, Store::Reduce { .. }) => statement.value.clone(),
            _ if operator.is_extreme() => self.limited(statement, operator)?,
            _ => match combined_value(statement, operator) {
                Some(value) => value.clone(),
                None => subtracted(statement, operator).or_else(|| self.in_chain(statement, operator))?,
            },
        };
        let (target, store) = (statement.target.clone(), statement.store.clone());
        Some(Step { target, operator, value, store, is_guarded: false, at: statement.at })
    }

    /// The other values of a chain around the target, for floats in any order: `a * b` of `s = a * s * b`, `a - b` of
    /// `s = a + (s - b)`, and `c ? a : -0.0` of `s = c ? s + a : s`.
    fn in_chain(&self, statement: &Statement, operator: ReductionOperator) -> Option<Expression> {
        let symbol = match operator {
            ReductionOperator::Add => BinaryOperator::Add,
            ReductionOperator::Multiply => BinaryOperator::Multiply,
            _ => return None,
        };
        let is_possible =
            self.any_order && statement.target.scalar.is_float() && statement.store == Store::Assign;
        if !is_possible {
            return None;
        }
        let target = &statement.target;
        let ExpressionKind::Select(condition, then, otherwise) = &statement.value.kind else {
            return without(&statement.value, target, symbol)?;
        };
        let chosen = |value: &Expression| {
            without(value, target, symbol)?.or_else(|| operators::identity(operator, target.scalar))
        };
        let (then, otherwise) = (chosen(then)?, chosen(otherwise)?);
        (!mentions(condition, &|id| id == target.variable))
            .then(|| convert::select((**condition).clone(), then, otherwise))
    }

    /// The other value of a minimum or maximum: `value < target ? value : target`, in which a NaN is not chosen, and, in any
    /// order, `target < value ? target : value` and `fmin`.
    fn limited(&self, statement: &Statement, operator: ReductionOperator) -> Option<Expression> {
        let target = &statement.target;
        let wanted = operator.relation();
        // Narrow integers are promoted, which changes nothing.
        let of_type = |side: &Expression| {
            let plain = stripped(side);
            if plain.scalar == target.scalar { plain.clone() } else { side.clone() }
        };
        let is_target = |side: &Expression| matches!(&side.kind, ExpressionKind::Read(read) if same_reference(read, target, None));
        if statement.store != Store::Assign {
            return None;
        }
        let value = match &stripped(&statement.value).kind {
            ExpressionKind::Select(condition, then, otherwise) if !operator.is_of_numbers() => {
                let ExpressionKind::Binary(relation, left, right) = &condition.kind else { return None };
                let [then, otherwise, left, right] = [then, otherwise, left, right].map(|side| of_type(side));
                let is_of = |wanted: BinaryOperator, first: &Expression, second: &Expression| {
                    *relation == wanted && same(&left, first, None) && same(&right, second, None)
                };
                // `first < second` chooses `first`.
                let compares = |wanted: BinaryOperator| {
                    is_of(wanted, &then, &otherwise) || is_of(mirrored(wanted), &otherwise, &then)
                };
                let with_equal = match wanted {
                    BinaryOperator::Less => BinaryOperator::LessEqual,
                    _ => BinaryOperator::GreaterEqual,
                };
                if is_target(&otherwise) && compares(wanted) {
                    then
                } else if self.any_order && (compares(wanted) || compares(with_equal)) {
                    match (is_target(&then), is_target(&otherwise)) {
                        (true, false) => otherwise,
                        (false, true) => then,
                        _ => return None,
                    }
                } else {
                    return None;
                }
            }
            ExpressionKind::Call(name, arguments) if self.any_order => {
                let is_function = functions::base(name).is_some_and(|(base, _)| base == operator.name());
                let [left, right] = &arguments[..] else { return None };
                match (is_target(&of_type(left)), is_target(&of_type(right))) {
                    (true, false) if is_function => of_type(right),
                    (false, true) if is_function => of_type(left),
                    _ => return None,
                }
            }
            _ => return None,
        };
        (value.scalar == target.scalar).then_some(value)
    }
}

/// A chain of one operator without the one target in it: `Some(None)` if that is all there is. Of a sum the other values may be
/// subtracted.
fn without(value: &Expression, target: &Reference, operator: BinaryOperator) -> Option<Option<Expression>> {
    let is_target = |id: VariableId| id == target.variable;
    match &value.kind {
        ExpressionKind::Read(read) if same_reference(read, target, None) => Some(None),
        ExpressionKind::Binary(own, left, right)
            if *own == operator || (*own, operator) == (BinaryOperator::Subtract, BinaryOperator::Add) =>
        {
            let (inner, other, is_left) = match (mentions(left, &is_target), mentions(right, &is_target)) {
                (true, false) => (left, right, true),
                (false, true) if *own == operator => (right, left, false),
                _ => return None,
            };
            let rest = match without(inner, target, operator)? {
                None if *own == operator => (**other).clone(),
                None => convert::unary(UnaryOperator::Negate, (**other).clone()).ok()?,
                Some(rest) => {
                    let (left, right) =
                        if is_left { (rest, (**other).clone()) } else { ((**other).clone(), rest) };
                    let kind = ExpressionKind::Binary(*own, Box::new(left), Box::new(right));
                    Expression { kind, scalar: value.scalar }
                }
            };
            (value.scalar == target.scalar && rest.scalar == target.scalar).then_some(Some(rest))
        }
        _ => None,
    }
}

/// A loop's body in which a reduction is one statement that goes through variables declared right before it, which nothing else
/// uses: `s = s + a[i];` of `double t = s + a[i]; s = t;`.
pub(crate) fn through_variables(body: &[Node], operators: &Operators) -> Vec<Node> {
    let mut out: Vec<Node> = Vec::new();
    for (place, node) in body.iter().enumerate() {
        let mut node = node.clone();
        while let Node::Statement(statement) = &node
            && operators.of(statement.at).is_some()
            && let Some(Node::Declaration(Declaration { variable, value: Some(value), .. })) = out.last()
            && value.scalar == statement.value.scalar
            && mentions(&statement.value, &|id| id == *variable)
        {
            let whole = in_expression(&statement.value, *variable, value);
            let whole = Node::Statement(Statement { value: whole, ..statement.clone() });
            if uses(std::slice::from_ref(&whole), *variable) || uses(&body[place + 1..], *variable) {
                break;
            }
            out.pop();
            node = whole;
        }
        out.push(node);
    }
    out
}

/// What is added by a subtraction of floats: of integers the least has no negative.
fn subtracted(statement: &Statement, operator: ReductionOperator) -> Option<Expression> {
    let scalar = statement.target.scalar;
    if operator != ReductionOperator::Add || !scalar.is_float() {
        return None;
    }
    let value = match (&statement.store, &statement.value.kind) {
        (Store::Update { operator: BinaryOperator::Subtract, computed_in }, _) if *computed_in == scalar => {
            &statement.value
        }
        (Store::Assign, ExpressionKind::Binary(BinaryOperator::Subtract, left, right)) => {
            let ExpressionKind::Read(read) = &left.kind else { return None };
            let mut reads = false;
            right.visit_reads(&mut |other| reads |= other.variable == read.variable);
            if reads || !same_reference(read, &statement.target, None) {
                return None;
            }
            right
        }
        _ => return None,
    };
    convert::unary(UnaryOperator::Negate, value.clone()).ok().filter(|negative| negative.scalar == scalar)
}

/// Nodes with `if (value < target) target = value;` of these reductions as selections, which lanes can do.
pub(crate) fn with_selections(nodes: &[Node], operators: &Operators) -> Vec<Node> {
    let of = |node: &Node| match node {
        Node::Loop(_) => node.clone().map_bodies(|body| with_selections(&body, operators)),
        Node::If(guard) => match selected(guard) {
            Some(statement) if operators.of(statement.at).is_some() => Node::Statement(statement),
            _ => node.clone(),
        },
        _ => node.clone(),
    };
    nodes.iter().map(of).collect()
}

/// `if (condition) target = value;` as `target = condition ? value : target;`, which it is if the condition reads the target.
fn selected(guard: &If) -> Option<Statement> {
    let [Node::Statement(statement)] = &guard.then[..] else { return None };
    let mut reads = false;
    guard.condition.visit_reads(&mut |read| reads |= same_reference(read, &statement.target, None));
    let kept = ExpressionKind::Read(statement.target.clone());
    (reads && guard.otherwise.is_empty() && statement.store == Store::Assign).then(|| Statement {
        value: convert::select(
            guard.condition.clone(),
            convert::convert(statement.value.clone(), statement.target.scalar),
            Expression { kind: kept, scalar: statement.target.scalar },
        ),
        ..statement.clone()
    })
}
