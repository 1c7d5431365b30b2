//! Random trees are the same after they are printed and parsed; malformed texts have their messages.

use proptest::prelude::*;

use super::{parse, print};
use crate::ir::convert;
use crate::ir::types::{Half, Scalar};
use crate::ir::verify::verify;
use crate::ir::{
    Aliasing, BinaryOperator, Declaration, Expression, ExpressionKind, If, Loop, LoopAttributes, LoopId,
    Node, Pairing, Position, Private, ReduceDimension, ReductionOperator, Reference, Region, Statement, Step,
    Storage, Store, UnaryOperator, Variable, VariableId,
};

/// Makes a tree from a list of numbers; when they are used up, everything is as small as it can be.
struct Maker<'n> {
    numbers: std::slice::Iter<'n, u32>,
    region: Region,
    /// Variables that can be named.
    visible: Vec<VariableId>,
    iterators: Vec<VariableId>,
    loops: Vec<bool>,
}

const SCALARS: [Scalar; 10] = [
    Scalar::Half(Half::Ieee),
    Scalar::Half(Half::Brain),
    Scalar::INT,
    Scalar::LONG,
    Scalar::F64,
    Scalar::F32,
    Scalar::Bool,
    Scalar::Integer { bits: 8, signed: false },
    Scalar::Integer { bits: 128, signed: true },
    Scalar::Complex { bits: 32 },
];

/// Some are reserved, and some are no words.
const NAMES: [&str; 10] = ["a", "x", "for", "i8", "map", "range", "two words", "naïve", "reduce", "$"];

impl Maker<'_> {
    fn below(&mut self, n: usize) -> usize {
        self.numbers.next().map_or(0, |number| *number as usize % n.max(1))
    }

    fn variable(&mut self, scalar: Scalar, extents: Vec<Option<Expression>>, storage: Storage) -> VariableId {
        // Unique names whose ids are in the order of the text: then parsing gives the same ids.
        let name = match NAMES[self.below(NAMES.len())] {
            name if self.region.variables.iter().any(|variable| variable.name == name) => {
                format!("v{}", self.region.variables.len())
            }
            name => name.to_owned(),
        };
        let declared_type = if self.below(8) == 1 { "a \"type\" \\".to_owned() } else { String::new() };
        let aliasing = [Aliasing::Distinct, Aliasing::Shared, Aliasing::Rows][self.below(3)];
        self.region.add(Variable { name, scalar, declared_type, extents, storage, aliasing })
    }

    fn scalar(&mut self) -> Scalar {
        SCALARS[self.below(SCALARS.len())]
    }

    fn literal(&mut self, scalar: Scalar) -> Expression {
        let number = self.below(300) as i128 - 100;
        let kind = match scalar {
            Scalar::Bool => ExpressionKind::Integer(number.rem_euclid(2)),
            Scalar::Integer { .. } if convert::fits(number, scalar) => ExpressionKind::Integer(number),
            Scalar::Integer { .. } => ExpressionKind::Integer(0),
            Scalar::Half(_) => {
                let kind = ExpressionKind::Float(number as f64);
                ExpressionKind::Cast(Box::new(Expression { kind, scalar: Scalar::F32 }))
            }
            Scalar::Float { .. } => ExpressionKind::Float(match number {
                0..8 => [
                    f64::INFINITY,
                    f64::NEG_INFINITY,
                    -0.0,
                    1e30f32.into(),
                    0.1f32.into(),
                    0.5,
                    1e-40f32.into(),
                    3.0,
                ][number as usize],
                _ if scalar == Scalar::F64 => number as f64 / 10.0,
                _ => number as f64,
            }),
            Scalar::Complex { .. } => ExpressionKind::Imaginary(number as f64 / 4.0),
        };
        Expression { kind, scalar }
    }

    fn reference(&mut self, variable: VariableId, depth: usize) -> Reference {
        let (rank, scalar) = {
            let variable = self.region.variable(variable);
            (variable.extents.len(), variable.scalar)
        };
        let path = (0..rank).map(|_| Step::Index(self.integer(depth))).collect();
        Reference { variable, path, scalar, at: Position::default() }
    }

    fn integer(&mut self, depth: usize) -> Expression {
        let index = self.expression(depth);
        if index.scalar.is_integer() { index } else { convert::convert(index, Scalar::LONG) }
    }

    fn expression(&mut self, depth: usize) -> Expression {
        let choice = if depth == 0 { self.below(3) } else { self.below(10) };
        let scalar = self.scalar();
        match choice {
            0 => self.literal(scalar),
            1 if !self.visible.is_empty() => {
                let chosen = self.below(self.visible.len());
                let variable = self.visible[chosen];
                let reference = self.reference(variable, depth.saturating_sub(1));
                Expression { scalar: reference.scalar, kind: ExpressionKind::Read(reference) }
            }
            2 if !self.iterators.is_empty() => {
                let chosen = self.below(self.iterators.len());
                let variable = self.iterators[chosen];
                let scalar = self.region.variable(variable).scalar;
                Expression { kind: ExpressionKind::Iterator(variable), scalar }
            }
            3..=5 => {
                let operator = BinaryOperator::ALL[self.below(18)];
                let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
                convert::binary(operator, left.clone(), right).unwrap_or(left)
            }
            6 => {
                let operators = [
                    UnaryOperator::Negate,
                    UnaryOperator::Not,
                    UnaryOperator::Complement,
                    UnaryOperator::Real,
                    UnaryOperator::Imaginary,
                ];
                let operator = operators[self.below(5)];
                let operand = self.expression(depth - 1);
                convert::unary(operator, operand.clone()).unwrap_or(operand)
            }
            7 => {
                let parts = [(); 3].map(|()| self.expression(depth - 1));
                let [condition, then, otherwise] = parts;
                convert::select(condition, then, otherwise)
            }
            8 => {
                let operand = Box::new(self.expression(depth - 1));
                Expression { kind: ExpressionKind::Cast(operand), scalar }
            }
            9 => {
                let (name, count) = [("sqrtf", 1), ("pow", 2), ("max", 2), ("my function", 1)][self.below(4)];
                let arguments: Vec<Expression> = (0..count).map(|_| self.expression(depth - 1)).collect();
                let types: Vec<Scalar> = arguments.iter().map(|argument| argument.scalar).collect();
                let known = convert::known_signature(name, &types);
                let Some((types, result)) =
                    known.or_else(|| (count == 1).then(|| (vec![Scalar::INT], Scalar::F32)))
                else {
                    return self.literal(scalar);
                };
                convert::call(name, arguments, (&types, result)).unwrap()
            }
            _ => self.literal(scalar),
        }
    }

    fn of(&mut self, scalar: Scalar) -> Expression {
        let value = self.expression(3);
        convert::convert(value, scalar)
    }

    fn body(&mut self, depth: usize) -> Vec<Node> {
        let visible = self.visible.len();
        let nodes = (0..self.below(7)).map(|_| self.node(depth)).collect();
        self.visible.truncate(visible);
        nodes
    }

    fn node(&mut self, depth: usize) -> Node {
        let at = Position::default();
        match self.below(if depth == 0 { 6 } else { 9 }) {
            1 => {
                let scalar = self.scalar();
                let array = self.below(2) == 1;
                let extents = if array { vec![Some(self.integer(1))] } else { vec![] };
                let variable = self.variable(scalar, extents, Storage::Region);
                let value = (!array && self.below(2) == 1).then(|| self.of(scalar));
                self.visible.push(variable);
                Node::Declaration(Declaration { variable, value, at })
            }
            2 => {
                let extents = vec![Some(self.integer(1)), Some(self.integer(1))];
                let variable = self.variable(Scalar::F32, extents, Storage::Region);
                self.visible.push(variable);
                Node::Private(Private { variable, operator: Some(ReductionOperator::Minimum), at })
            }
            3 if self.loops.last() == Some(&false) => Node::Break(at),
            4 => self.reduce_dimension().unwrap_or_else(|| self.statement()),
            6 => {
                let condition = self.expression(2);
                Node::If(If { condition, then: self.body(depth - 1), otherwise: self.body(depth - 1), at })
            }
            7 | 8 => Node::Loop(self.counted(depth)),
            _ => self.statement(),
        }
    }

    fn statement(&mut self) -> Node {
        let at = Position::default();
        let free: Vec<VariableId> =
            self.visible.iter().copied().filter(|variable| !self.iterators.contains(variable)).collect();
        let target = self.reference(free[0], 1);
        let variable = free[self.below(free.len())];
        let target = if variable == free[0] { target } else { self.reference(variable, 1) };
        let value = self.expression(3);
        let scalar = target.scalar;
        let operators = [
            BinaryOperator::Add,
            BinaryOperator::Divide,
            BinaryOperator::ShiftLeft,
            BinaryOperator::ShiftRight,
            BinaryOperator::Xor,
        ];
        let operator = operators[self.below(5)];
        let (store, value) = match (self.below(3), convert::operator_types(operator, scalar, value.scalar)) {
            (1, Some(types)) => {
                (Store::Update { operator, computed_in: types.result }, convert::convert(value, types.right))
            }
            (2, _) if crate::ir::operators::applies(ReductionOperator::Add, scalar) => {
                let init = match self.below(2) {
                    0 => Expression { kind: ExpressionKind::Read(target.clone()), scalar },
                    _ => self.of(scalar),
                };
                let store = Store::Reduce { operator: ReductionOperator::Add, init };
                (store, convert::convert(value, scalar))
            }
            _ => (Store::Assign, convert::convert(value, scalar)),
        };
        Node::Statement(Statement { target, store, value, at })
    }

    fn reduce_dimension(&mut self) -> Option<Node> {
        let arrays: Vec<VariableId> =
            self.visible.iter().copied().filter(|id| self.region.variable(*id).extents.len() == 2).collect();
        let source = *arrays.first()?;
        let scalar = self.region.variable(source).scalar;
        let targets = self.visible.iter().copied().filter(|id| {
            let variable = self.region.variable(*id);
            *id != source && variable.scalar == scalar && variable.extents.len() < 2
        });
        let targets: Vec<VariableId> = targets.filter(|id| !self.iterators.contains(id)).collect();
        let target = if self.below(2) == 0 { None } else { targets.first().copied() };
        let dimension = self.below(2);
        let rank = target.map_or(0, |target| self.region.variable(target).extents.len());
        let indices = (0..dimension).map(|_| self.integer(1)).collect();
        let mut ranges = vec![None; 1 - dimension];
        if dimension == 0 && self.below(2) == 1 {
            ranges[0] = if target.is_some() && rank == 0 {
                Some((Expression::integer(0, Scalar::INT), Expression::integer(1, Scalar::INT)))
            } else {
                Some((self.integer(1), self.integer(1)))
            };
        }
        let mapped = if rank == 1 { vec![1 - dimension] } else { vec![] };
        let operators = [ReductionOperator::Add, ReductionOperator::Or];
        let operator =
            operators.into_iter().find(|operator| crate::ir::operators::applies(*operator, scalar))?;
        let init = (self.below(2) == 1).then(|| self.of(scalar));
        let pairings = [Pairing::InOrder, Pairing::Halves, Pairing::Neighbours];
        let may_be_tree = target.is_none() && init.is_none();
        let pairing = if may_be_tree { pairings[self.below(3)] } else { Pairing::InOrder };
        let at = Position::default();
        Some(Node::ReduceDimension(ReduceDimension {
            target,
            source,
            dimension,
            indices,
            ranges,
            mapped,
            operator,
            init,
            pairing,
            at,
        }))
    }

    fn counted(&mut self, depth: usize) -> Loop {
        let scalar = [Scalar::LONG, Scalar::INT, Scalar::Integer { bits: 8, signed: false }][self.below(3)];
        let visible = self.visible.len();
        let usable: Vec<VariableId> = self
            .visible
            .iter()
            .copied()
            .filter(|id| {
                let variable = self.region.variable(*id);
                !self.iterators.contains(id) && variable.extents.is_empty() && variable.scalar == Scalar::LONG
            })
            .collect();
        let declares = usable.is_empty() || self.below(3) > 0;
        let scalar = if declares { scalar } else { Scalar::LONG };
        // The iterator is named before the first value.
        let iterator = if declares { self.variable(scalar, vec![], Storage::Region) } else { usable[0] };
        let lower = self.of(scalar);
        let step = match self.below(4) {
            0 => Expression::integer(1, scalar),
            1 if convert::fits(-2, scalar) => Expression::integer(-2, scalar),
            2 => convert::convert(self.expression(1), scalar),
            _ => Expression::integer(3, scalar),
        };
        let step = match step.kind {
            ExpressionKind::Integer(0) => Expression::integer(1, scalar),
            _ => step,
        };
        let value = Expression { kind: ExpressionKind::Iterator(iterator), scalar };
        self.iterators.push(iterator);
        let hidden: Vec<VariableId> = self.visible.drain(..).collect();
        self.visible = hidden.iter().copied().filter(|id| *id != iterator).collect();
        let kept = self.visible.len();
        let condition = match self.below(3) {
            0 => self.expression(2),
            1 => convert::binary(BinaryOperator::Greater, value, self.integer(2)).unwrap(),
            _ => convert::binary(BinaryOperator::Less, value, self.integer(2)).unwrap(),
        };
        let parallel = self.below(2) == 1;
        self.loops.push(parallel);
        let body = if kept == 0 { vec![] } else { self.body(depth - 1) };
        self.loops.pop();
        self.iterators.pop();
        self.visible = hidden;
        self.visible.truncate(visible);
        let attributes = LoopAttributes::default();
        Loop {
            id: LoopId::NONE,
            iterator,
            declares,
            lower,
            condition,
            step,
            parallel,
            attributes,
            body,
            at: Position::default(),
        }
    }
}

fn region(numbers: &[u32]) -> Region {
    let mut maker = Maker {
        numbers: numbers.iter(),
        region: Region { function: "f".to_owned(), ..Region::default() },
        visible: Vec::new(),
        iterators: Vec::new(),
        loops: Vec::new(),
    };
    let size = maker.variable(Scalar::LONG, vec![], Storage::Local);
    let size_of = |id| Expression {
        kind: ExpressionKind::Read(Reference {
            variable: id,
            path: vec![],
            scalar: Scalar::LONG,
            at: Position::default(),
        }),
        scalar: Scalar::LONG,
    };
    maker.visible.push(size);
    for _ in 0..2 + maker.below(4) {
        let scalar = maker.scalar();
        let extents =
            (0..maker.below(3)).map(|_| [None, Some(size_of(size))][maker.below(2)].clone()).collect();
        let storage = [Storage::Parameter, Storage::Local, Storage::Pointer, Storage::Global][maker.below(4)];
        let variable = maker.variable(scalar, extents, storage);
        maker.visible.push(variable);
    }
    maker.region.body = maker.body(3);
    maker.region.identify_loops();
    maker.region
}

/// The region without positions, as its debug text: that compares -0 with 0 as different.
fn shown(region: &Region) -> String {
    let text = format!("{region:?}");
    let mut parts = text.split("Position {");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('}').map_or("", |(_, rest)| rest))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parsing_what_is_printed_restores_the_tree(numbers in prop::collection::vec(any::<u32>(), 0..1500)) {
        let region = region(&numbers);
        prop_assert_eq!(verify(&region), Ok(()), "{:?}", region);
        let text = print(std::slice::from_ref(&region));
        let parsed = parse(&text, "").map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(print(&parsed), text.clone());
        prop_assert_eq!(shown(&parsed[0]), shown(&region), "{}", text);
    }
}
