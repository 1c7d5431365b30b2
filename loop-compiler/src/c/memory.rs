//! `memcpy` and `memset` as loops over elements.
//!
//! Source: ISO C, which leaves it undefined what a `memcpy` between objects that overlap does.

use clang_ast::{Id, Kind};

use super::{
    ast::{Node, NodeExt},
    counted::step_of,
    reader::Reader,
    scope::called,
    types,
    values::Pointer,
};
use crate::{
    ir::{
        self, BinaryOperator, Declaration, Expression, ExpressionKind, Loop, LoopAttributes, LoopId,
        Reference, Statement, Step, Storage, Store, arithmetic, compare, convert, types::Scalar,
    },
    rules::Rejection,
};

impl<'t> Reader<'_, 't> {
    /// The loop that a call of `memcpy` or `memset` stands for; whether the call is one of elements of one type.
    pub(super) fn copied(&mut self, call: &Node, out: &mut Vec<ir::Node>) -> Result<bool, Rejection> {
        let library = |(id, _): &(Id, &str)| self.declarations.definition(*id).is_none();
        let Some((_, name)) = called(call).filter(library) else { return Ok(false) };
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        let (Some(to), Some(from), Some(size)) = (call.child(1), call.child(2), call.child(3)) else {
            return Ok(false);
        };
        let Some((to, scalar)) = self.elements(to) else { return Ok(false) };
        let is_copy = name == "memcpy" && self.elements(from).is_some_and(|(_, other)| other == scalar);
        if !is_copy && name != "memset" {
            return Ok(false);
        }
        let size = self.expression(size)?;
        let Some(count) = divided(&size, scalar.size() as i128) else { return Ok(false) };
        let to = self.pointer(to)?;
        let value = match self.elements(from) {
            Some((from, _)) if is_copy => Ok(self.pointer(from)?),
            _ => Err(self.expression(from)?),
        };
        let value = match value {
            Ok(from) => Ok(from),
            Err(byte) => match filled(&byte, scalar) {
                Some(value) => Err(value),
                None => return Ok(false),
            },
        };
        let at = self.at(call);
        let count = self.kept("count", count, out, call);
        let to = self.with_kept_indices(to, "to", call.id, at, out);
        let value = value.map(|from| self.with_kept_indices(from, "from", call.id, at, out));
        let iterator = self.new_scalar("k", call.id, Scalar::LONG, Storage::Region);
        let k = || Expression { kind: ExpressionKind::Iterator(iterator), scalar: Scalar::LONG };
        let element = |pointer: Pointer| {
            let mut target = pointer.target;
            let index = pointer.offset.map_or_else(k, |offset| arithmetic::add(offset, k()));
            target.path.push(Step::Index(index));
            Reference { scalar, at, ..target }
        };
        if to.is_object || value.as_ref().is_ok_and(|from| from.is_object) {
            return self.model(call, "a copy of the bytes of a variable");
        }
        let target = element(to);
        self.note_write(&target);
        self.untyped.insert(target.array());
        let value = match value {
            Ok(from) => {
                let read = element(from);
                self.note_read(&read);
                self.untyped.insert(read.array());
                Expression { kind: ExpressionKind::Read(read), scalar }
            }
            Err(value) => value,
        };
        out.push(ir::Node::Loop(Loop {
            id: LoopId::NONE,
            iterator,
            declares: true,
            lower: arithmetic::number(0),
            condition: arithmetic::compare(BinaryOperator::Less, k(), count),
            step: step_of(1, Scalar::LONG),
            parallel: false,
            attributes: LoopAttributes::default(),
            body: vec![ir::Node::Statement(Statement { target, store: Store::Assign, value, at })],
            at,
        }));
        Ok(true)
    }

    /// A value that the loop does not compute again: its stores may change what was read for it.
    fn kept(&mut self, name: &str, value: Expression, out: &mut Vec<ir::Node>, call: &Node) -> Expression {
        if !value.reads().into_iter().any(|read| !read.path.is_empty()) {
            return arithmetic::long(value);
        }
        let (variable, at) = (self.new_scalar(name, call.id, Scalar::LONG, Storage::Region), self.at(call));
        self.made.insert(variable);
        let value = Some(convert::convert(value, Scalar::LONG));
        out.push(ir::Node::Declaration(Declaration { variable, value, at }));
        self.value_of(variable, at)
    }

    /// A pointer without its conversion to `void *`, and the type of its elements.
    fn elements<'n>(&self, node: &'n Node) -> Option<(&'n Node, Scalar)> {
        let mut node = node.bare();
        loop {
            let shape = self.shape(node.type_name());
            if let Some((scalar, shape)) =
                shape.and_then(|shape| Some((types::scalar(&shape.element)?, shape)))
            {
                let is_plain = shape.pointers == 1 && shape.extents.len() == 1 && !shape.volatile;
                return is_plain.then_some((node, scalar));
            }
            let is_cast = matches!(node.kind, Kind::ImplicitCastExpr | Kind::CStyleCastExpr);
            if !is_cast || !matches!(node.cast_kind.as_deref(), Some("BitCast" | "NoOp")) {
                return None;
            }
            node = node.child(0)?.bare();
        }
    }
}

/// A number of bytes as one of elements.
fn divided(bytes: &Expression, size: i128) -> Option<Expression> {
    if size == 1 {
        return Some(bytes.clone());
    }
    match &bytes.kind {
        ExpressionKind::Integer(bytes) => (bytes % size == 0).then(|| arithmetic::number(bytes / size)),
        ExpressionKind::Cast(inner)
            if inner.scalar.is_integer() && inner.scalar.size() <= bytes.scalar.size() =>
        {
            divided(inner, size)
        }
        ExpressionKind::Binary(BinaryOperator::Multiply, left, right) => {
            match (divided(left, size), divided(right, size)) {
                (Some(left), _) => Some(arithmetic::multiply(left, (**right).clone())),
                (None, Some(right)) => Some(arithmetic::multiply((**left).clone(), right)),
                (None, None) => None,
            }
        }
        ExpressionKind::Binary(BinaryOperator::Add, left, right) => {
            Some(arithmetic::add(divided(left, size)?, divided(right, size)?))
        }
        _ => None,
    }
}

/// An element all of whose bytes are the same.
fn filled(byte: &Expression, scalar: Scalar) -> Option<Expression> {
    let value = compare::constant(byte)? & 255;
    match (scalar, value) {
        (Scalar::Float { .. }, 0) => Some(Expression { kind: ExpressionKind::Float(0.0), scalar }),
        (Scalar::Integer { .. } | Scalar::Bool, 0) => Some(Expression::integer(0, scalar)),
        (Scalar::Integer { signed: true, .. }, 255) => Some(Expression::integer(-1, scalar)),
        (Scalar::Integer { bits: 8, .. }, _) => Some(convert::convert(byte.clone(), scalar)),
        _ => None,
    }
}
