//! Builds trees from Rust: for compilers that generate loops.
//!
//! Values are [`Term`]s: Rust's operators on them make expressions, with the conversions that C makes. Mistakes are
//! kept, and [`Builder::finish`] returns the first one.
//!
//! ```
//! use loop_compiler::builder::{Builder, Term};
//! use loop_compiler::notation::print;
//! use loop_compiler::ir::ReductionOperator;
//! use loop_compiler::types::Scalar;
//!
//! let mut builder = Builder::new("ReduceVector");
//! let n = builder.size("n");
//! let arr = builder.memref("arr", Scalar::F64, [n.clone()]);
//! let result = builder.memref("result", Scalar::F64, [1]);
//! let half = n.clone() / 2;
//! builder.par_for("i0", 0, half.clone(), n, |builder, i0| {
//!     builder.for_range("i1", 0, half, |builder, i1| {
//!         builder.reduce(result.at([0]), arr.at([i0 + i1]), ReductionOperator::Add, Some(0.0.into()));
//!     });
//! });
//! let region = builder.finish()?;
//! assert_eq!(
//!     print(&[region]),
//!     r#"func @ReduceVector(n: index, arr: memref<n x f64>, result: memref<1 x f64>) {
//!   par.for i0 in range(0 : n / 2 : n) {
//!     for i1 in range(0 : n / 2) {
//!       reduce(result[0], arr[i0 + i1]) <"+", 0.0>
//!     }
//!   }
//! }
//! "#
//! );
//! # Ok::<(), loop_compiler::located::Located>(())
//! ```

use std::ops;

use crate::ir::convert;
use crate::ir::located::Located;
use crate::ir::types::Scalar;
use crate::ir::verify::verify;
use crate::ir::{
    Aliasing, BinaryOperator, Declaration, Expression, ExpressionKind, If, Loop, LoopAttributes, LoopId,
    Node, Pairing, Position, Private, ReduceDimension, ReductionOperator, Reference, Region, Statement, Step,
    Storage, Store, UnaryOperator, Variable, VariableId,
};

/// A value: numbers, iterators and [`Cell`]s become one by `into`, and operators make others.
#[derive(Clone, Debug)]
pub struct Term(Result<Expression, String>);

/// An array, or memory that is private to iterations.
#[derive(Clone, Copy, Debug)]
pub struct Array {
    variable: VariableId,
    scalar: Scalar,
}

/// A scalar variable or an element of an array: a target of stores, and a value.
#[derive(Clone, Debug)]
pub struct Cell(Result<Reference, String>);

/// What may be said of the reduction of a dimension; the rest is as usual.
#[derive(Clone, Debug, Default)]
pub struct DimensionOptions {
    /// One for each dimension before the reduced one.
    pub indices: Vec<Term>,
    /// Begin and end of each dimension behind the reduced one; empty for all of them.
    pub ranges: Vec<Option<(Term, Term)>>,
    /// The dimensions of the source that index the target; all but the reduced one if it is not said.
    pub mapped: Option<Vec<usize>>,
    /// With a value the target is set to it and the elements, and otherwise combined with them.
    pub init: Option<Term>,
}

impl Term {
    /// An integer of this type.
    pub fn integer(value: i128, scalar: Scalar) -> Term {
        Term(Ok(Expression::integer(value, scalar)))
    }

    fn kind(kind: ExpressionKind, scalar: Scalar) -> Term {
        Term(Ok(Expression { kind, scalar }))
    }

    /// The value with another one and an operator, for instance a comparison, between them.
    pub fn binary(self, operator: BinaryOperator, other: impl Into<Term>) -> Term {
        let (left, right) = (self.0, other.into().0);
        Term(left.and_then(|left| convert::binary(operator, left, right?)))
    }

    /// A unary operator of the value.
    pub fn unary(self, operator: UnaryOperator) -> Term {
        Term(self.0.and_then(|operand| convert::unary(operator, operand)))
    }

    /// If the value is not 0 the first one, and otherwise the second.
    pub fn select(self, then: impl Into<Term>, otherwise: impl Into<Term>) -> Term {
        let (then, otherwise) = (then.into().0, otherwise.into().0);
        Term(self.0.and_then(|condition| Ok(convert::select(condition, then?, otherwise?))))
    }

    /// The value converted to a type.
    pub fn cast(self, scalar: Scalar) -> Term {
        Term(self.0.map(|operand| Expression { kind: ExpressionKind::Cast(Box::new(operand)), scalar }))
    }

    /// A call of a function of `math.h`, or of `min`, `max` or `abs`.
    pub fn call(name: &str, arguments: impl IntoIterator<Item = impl Into<Term>>) -> Term {
        let arguments: Result<Vec<Expression>, String> =
            arguments.into_iter().map(|argument| argument.into().0).collect();
        Term(arguments.and_then(|arguments| {
            let types: Vec<Scalar> = arguments.iter().map(|argument| argument.scalar).collect();
            let Some((types, result)) = convert::known_signature(name, &types) else {
                return Err(format!("there is no function `{name}` of these arguments: see `Term::call_as`"));
            };
            convert::call(name, arguments, (&types, result))
        }))
    }

    /// A call of a pure function with this type of result; its parameters have the types of the arguments.
    pub fn call_as(name: &str, arguments: impl IntoIterator<Item = impl Into<Term>>, scalar: Scalar) -> Term {
        let arguments: Result<Vec<Expression>, String> =
            arguments.into_iter().map(|argument| argument.into().0).collect();
        Term(
            arguments.map(|arguments| Expression {
                kind: ExpressionKind::Call(name.to_owned(), arguments),
                scalar,
            }),
        )
    }
}

impl From<i32> for Term {
    fn from(value: i32) -> Term {
        Term::integer(value.into(), Scalar::INT)
    }
}

impl From<i64> for Term {
    fn from(value: i64) -> Term {
        Term::integer(value.into(), Scalar::LONG)
    }
}

impl From<f32> for Term {
    fn from(value: f32) -> Term {
        Term::kind(ExpressionKind::Float(value.into()), Scalar::F32)
    }
}

impl From<f64> for Term {
    fn from(value: f64) -> Term {
        Term::kind(ExpressionKind::Float(value), Scalar::F64)
    }
}

impl From<Cell> for Term {
    fn from(cell: Cell) -> Term {
        Term(
            cell.0.map(|reference| Expression {
                scalar: reference.scalar,
                kind: ExpressionKind::Read(reference),
            }),
        )
    }
}

macro_rules! operators {
    ($($name:ident $method:ident $operator:ident,)*) => {$(
        impl<T: Into<Term>> ops::$name<T> for Term {
            type Output = Term;

            fn $method(self, other: T) -> Term {
                self.binary(BinaryOperator::$operator, other)
            }
        }

        impl<T: Into<Term>> ops::$name<T> for Cell {
            type Output = Term;

            fn $method(self, other: T) -> Term {
                Term::from(self).binary(BinaryOperator::$operator, other)
            }
        }
    )*};
}

operators! {
    Add add Add,
    Sub sub Subtract,
    Mul mul Multiply,
    Div div Divide,
    Rem rem Remainder,
    BitAnd bitand And,
    BitOr bitor Or,
    BitXor bitxor Xor,
    Shl shl ShiftLeft,
    Shr shr ShiftRight,
}

impl ops::Neg for Term {
    type Output = Term;

    fn neg(self) -> Term {
        self.unary(UnaryOperator::Negate)
    }
}

impl Array {
    /// The element of these subscripts.
    pub fn at(self, subscripts: impl IntoIterator<Item = impl Into<Term>>) -> Cell {
        let steps: Result<Vec<Step>, String> =
            subscripts.into_iter().map(|subscript| subscript.into().0.map(Step::Index)).collect();
        Cell(steps.map(|path| Reference {
            variable: self.variable,
            path,
            scalar: self.scalar,
            at: Position::default(),
        }))
    }
}

/// Builds a region: parameters first, then its body from the top.
#[derive(Debug)]
pub struct Builder {
    region: Region,
    /// The bodies around, the innermost last.
    bodies: Vec<Vec<Node>>,
    problem: Option<String>,
}

impl Builder {
    /// A region of this name without parameters.
    pub fn new(function: &str) -> Builder {
        let region = Region { function: function.to_owned(), ..Region::default() };
        Builder { region, bodies: vec![Vec::new()], problem: None }
    }

    /// The region, verified.
    ///
    /// # Errors
    ///
    /// The first mistake of a [`Term`], or what [`verify`] finds.
    pub fn finish(mut self) -> Result<Region, Located> {
        if let Some(problem) = self.problem {
            return Err(Located::new(Position::default(), problem, ""));
        }
        self.region.body = self.bodies.pop().unwrap_or_default();
        self.region.identify_loops();
        verify(&self.region)?;
        Ok(self.region)
    }

    /// The value, or a number in its place after a mistake.
    fn take<T>(&mut self, value: Result<T, String>) -> Option<T> {
        match value {
            Ok(value) => Some(value),
            Err(problem) => {
                self.problem.get_or_insert(problem);
                None
            }
        }
    }

    fn expression(&mut self, term: impl Into<Term>) -> Expression {
        self.take(term.into().0).unwrap_or(Expression::integer(0, Scalar::INT))
    }

    fn push(&mut self, node: Node) {
        if let Some(body) = self.bodies.last_mut() {
            body.push(node);
        }
    }

    fn inside(&mut self, body: impl FnOnce(&mut Builder)) -> Vec<Node> {
        self.bodies.push(Vec::new());
        body(self);
        self.bodies.pop().unwrap_or_default()
    }

    fn add(
        &mut self,
        name: &str,
        scalar: Scalar,
        extents: impl IntoIterator<Item = impl Into<Term>>,
        storage: Storage,
    ) -> VariableId {
        let extents = extents.into_iter().map(|extent| Some(self.expression(extent))).collect();
        self.region.add(Variable {
            name: name.to_owned(),
            scalar,
            declared_type: String::new(),
            extents,
            storage,
            aliasing: Aliasing::Distinct,
        })
    }

    // Parameters.

    /// A parameter that is a size: an integer of 64 bits.
    pub fn size(&mut self, name: &str) -> Term {
        self.parameter(name, Scalar::LONG).into()
    }

    /// A scalar parameter.
    pub fn parameter(&mut self, name: &str, scalar: Scalar) -> Cell {
        let variable = self.add(name, scalar, [0; 0], Storage::Local);
        Array { variable, scalar }.at([0; 0])
    }

    /// A parameter that is an array, which overlaps with no other one.
    pub fn memref(
        &mut self,
        name: &str,
        scalar: Scalar,
        extents: impl IntoIterator<Item = impl Into<Term>>,
    ) -> Array {
        let variable = self.add(name, scalar, extents, Storage::Parameter);
        Array { variable, scalar }
    }

    // Memory of a body.

    /// A variable of the body with a value.
    pub fn declare(&mut self, name: &str, scalar: Scalar, value: impl Into<Term>) -> Cell {
        let value = self.expression(value);
        let variable = self.add(name, scalar, [0; 0], Storage::Region);
        let value = Some(convert::convert(value, scalar));
        self.push(Node::Declaration(Declaration { variable, value, at: Position::default() }));
        Array { variable, scalar }.at([0; 0])
    }

    /// An array of the body, without values.
    pub fn declare_array(
        &mut self,
        name: &str,
        scalar: Scalar,
        extents: impl IntoIterator<Item = impl Into<Term>>,
    ) -> Array {
        let variable = self.add(name, scalar, extents, Storage::Region);
        self.push(Node::Declaration(Declaration { variable, value: None, at: Position::default() }));
        Array { variable, scalar }
    }

    /// Private memory, whose elements are the identity of the operator.
    pub fn private(
        &mut self,
        name: &str,
        scalar: Scalar,
        extents: impl IntoIterator<Item = impl Into<Term>>,
        operator: ReductionOperator,
    ) -> Array {
        let variable = self.add(name, scalar, extents, Storage::Region);
        let operator = Some(operator);
        self.push(Node::Private(Private { variable, operator, at: Position::default() }));
        Array { variable, scalar }
    }

    // Control.

    /// `for name in range(begin : end)`; the body is given the iterator.
    pub fn for_range(
        &mut self,
        name: &str,
        begin: impl Into<Term>,
        end: impl Into<Term>,
        body: impl FnOnce(&mut Builder, Term),
    ) {
        self.counted(name, [begin.into(), 1.into(), end.into()], false, body);
    }

    /// `for name in range(begin : step : end)`: with a negative number as its step it goes down.
    pub fn for_step(
        &mut self,
        name: &str,
        begin: impl Into<Term>,
        step: impl Into<Term>,
        end: impl Into<Term>,
        body: impl FnOnce(&mut Builder, Term),
    ) {
        self.counted(name, [begin.into(), step.into(), end.into()], false, body);
    }

    /// `par.for name in range(begin : step : end)`.
    pub fn par_for(
        &mut self,
        name: &str,
        begin: impl Into<Term>,
        step: impl Into<Term>,
        end: impl Into<Term>,
        body: impl FnOnce(&mut Builder, Term),
    ) {
        self.counted(name, [begin.into(), step.into(), end.into()], true, body);
    }

    fn counted(
        &mut self,
        name: &str,
        range: [Term; 3],
        parallel: bool,
        body: impl FnOnce(&mut Builder, Term),
    ) {
        let scalar = Scalar::LONG;
        let iterator = self.add(name, scalar, [0; 0], Storage::Region);
        let value = Term::kind(ExpressionKind::Iterator(iterator), scalar);
        let [lower, step, end] = range.map(|term| self.expression(term));
        let step = convert::convert(step, scalar);
        let down = matches!(step.kind, ExpressionKind::Integer(..0));
        let operator = if down { BinaryOperator::Greater } else { BinaryOperator::Less };
        let condition = self.expression(value.clone().binary(operator, Term(Ok(end))));
        let body = self.inside(|builder| body(builder, value));
        self.push(Node::Loop(Loop {
            id: LoopId::NONE,
            iterator,
            declares: true,
            lower: convert::convert(lower, scalar),
            condition,
            step,
            parallel,
            attributes: LoopAttributes::default(),
            body,
            at: Position::default(),
        }));
    }

    /// A guard.
    pub fn if_then(&mut self, condition: impl Into<Term>, then: impl FnOnce(&mut Builder)) {
        self.if_else(condition, then, |_| {});
    }

    /// A guard with another branch.
    pub fn if_else(
        &mut self,
        condition: impl Into<Term>,
        then: impl FnOnce(&mut Builder),
        otherwise: impl FnOnce(&mut Builder),
    ) {
        let condition = self.expression(condition);
        let (then, otherwise) = (self.inside(then), self.inside(otherwise));
        self.push(Node::If(If { condition, then, otherwise, at: Position::default() }));
    }

    /// Leaves the innermost loop.
    pub fn leave_loop(&mut self) {
        self.push(Node::Break(Position::default()));
    }

    // Stores.

    fn store(&mut self, target: Cell, store: Store, value: Expression) {
        if let Some(target) = self.take(target.0) {
            self.push(Node::Statement(Statement { target, store, value, at: Position::default() }));
        }
    }

    fn scalar_of(target: &Cell) -> Scalar {
        target.0.as_ref().map_or(Scalar::INT, |reference| reference.scalar)
    }

    /// `target = value`.
    pub fn assign(&mut self, target: Cell, value: impl Into<Term>) {
        let value = convert::convert(self.expression(value), Builder::scalar_of(&target));
        self.store(target, Store::Assign, value);
    }

    /// `target operator= value`.
    pub fn update(&mut self, target: Cell, operator: BinaryOperator, value: impl Into<Term>) {
        let value = self.expression(value);
        let scalar = Builder::scalar_of(&target);
        let types = convert::operator_types(operator, scalar, value.scalar);
        let wrong = || format!("`{}=` is not defined for {scalar} and {}", operator.symbol(), value.scalar);
        if let Some(types) = self.take(types.ok_or_else(wrong)) {
            let store = Store::Update { operator, computed_in: types.result };
            self.store(target, store, convert::convert(value, types.right));
        }
    }

    /// `reduce(target, value) <operator, init>`; without an initial value from what the target holds.
    pub fn reduce(
        &mut self,
        target: Cell,
        value: impl Into<Term>,
        operator: ReductionOperator,
        init: Option<Term>,
    ) {
        let scalar = Builder::scalar_of(&target);
        let value = convert::convert(self.expression(value), scalar);
        let init = init.unwrap_or_else(|| target.clone().into());
        let init = convert::convert(self.expression(init), scalar);
        self.store(target, Store::Reduce { operator, init }, value);
    }

    /// `reduce_dimension(target, source, dimension)`, or without a target `reduce_dimension_inplace`.
    pub fn reduce_dimension(
        &mut self,
        target: Option<Array>,
        source: Array,
        dimension: usize,
        operator: ReductionOperator,
        options: DimensionOptions,
    ) {
        let rank = self.region.variable(source.variable).extents.len();
        let behind = rank.saturating_sub(dimension.saturating_add(1));
        let DimensionOptions { indices, ranges, mapped, init } = options;
        let indices = indices.into_iter().map(|index| self.expression(index)).collect();
        let mut ranges: Vec<_> = ranges
            .into_iter()
            .map(|range| range.map(|(begin, end)| (self.expression(begin), self.expression(end))))
            .collect();
        if ranges.is_empty() {
            ranges = vec![None; behind];
        }
        let all = || (0..rank).filter(|other| *other != dimension).collect();
        let mapped = mapped.unwrap_or_else(|| if target.is_some() { all() } else { Vec::new() });
        let init = init.map(|init| convert::convert(self.expression(init), source.scalar));
        self.push(Node::ReduceDimension(ReduceDimension {
            target: target.map(|target| target.variable),
            source: source.variable,
            dimension,
            indices,
            ranges,
            mapped,
            operator,
            init,
            pairing: Pairing::InOrder,
            at: Position::default(),
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::notation::{parse, print};

    #[test]
    fn every_construct_is_printed_as_it_is_written() {
        let mut builder = Builder::new("All");
        let n = builder.size("n");
        let factor = builder.parameter("factor", Scalar::F32);
        let a = builder.memref("a", Scalar::F64, [n.clone()]);
        let result = builder.memref("result", Scalar::F64, [1]);
        let private = builder.private("private", Scalar::F64, [n.clone(), 1.into()], ReductionOperator::Add);
        builder.par_for("i", 0, 1, n.clone(), |builder, i| {
            let t = builder.declare("t", Scalar::INT, i.clone() % 3);
            builder.if_else(
                Term::from(t.clone()).binary(BinaryOperator::Less, 1),
                |builder| {
                    let value = Term::call("fmax", [a.at([i.clone()]).into(), Term::from(factor.clone())]);
                    builder.assign(a.at([i.clone()]), value);
                },
                |builder| builder.update(t.clone(), BinaryOperator::ShiftLeft, 2),
            );
            builder.for_step("j", i.clone(), -2, -1, |builder, j| {
                builder.if_then(j.clone().binary(BinaryOperator::Equal, 7), Builder::leave_loop);
                builder.reduce(private.at([i, 0.into()]), a.at([j]) + 1, ReductionOperator::Add, None);
            });
        });
        let options = DimensionOptions { init: Some(0.0.into()), ..DimensionOptions::default() };
        builder.reduce_dimension(Some(result), private, 0, ReductionOperator::Add, options);
        let text = r#"func @All(n: index, factor: f32, a: memref<n x f64>, result: memref<1 x f64>) {
  private = memref<n x 1 x f64> <"+">
  par.for i in range(0 : n) {
    t: i32 = i % 3
    if t < 1 {
      a[i] = fmax(a[i], f64(factor))
    } else {
      t <<= 2
    }
    for j in range(i : -2 : -1) {
      if j == 7 {
        break
      }
      reduce(private[i, 0], a[j] + 1.0) <"+">
    }
  }
  reduce_dimension(result, private, 0) <"+", 0.0>
}
"#;
        assert_eq!(print(&[builder.finish().unwrap()]), text);
        assert_eq!(print(&parse(text, "").unwrap()), text);
    }

    #[test]
    fn the_first_mistake_is_returned() {
        let mut builder = Builder::new("Wrong");
        let x = builder.parameter("x", Scalar::F64);
        builder.assign(x.clone(), x.clone() % 2);
        builder.assign(x.clone(), x << 2);
        let error = builder.finish().unwrap_err();
        assert_eq!(error.to_string(), "`%` is not defined for f64 and i32");

        let mut builder = Builder::new("Wrong");
        let a = builder.memref("a", Scalar::F64, [4, 4]);
        builder.assign(a.at([0]), 1);
        let error = builder.finish().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`a` has 2 dimensions, and is given 1 subscript; give one for each dimension"
        );
    }
}
