//! Expressions and references of clang's syntax tree as those of the loop tree.

use std::collections::BTreeSet;

use clang_ast::Kind;

use super::{
    ast::{Node, NodeExt},
    changes,
    forms::UNKNOWN_DISTANCE,
    functions,
    reader::Reader,
    types,
    uses::words,
    values::Pointer,
};
use crate::{
    ir::{
        BinaryOperator, Expression, ExpressionKind, Reference, Step, Storage, UnaryOperator, arithmetic,
        types::Scalar,
    },
    rules::{Rejection, Rule},
};

/// Levels of an expression, so that every later step may be recursive.
const MAX_DEPTH: usize = 200;

impl Reader<'_, '_> {
    fn scalar(&self, node: &Node) -> Result<Scalar, Rejection> {
        let name = node.type_name();
        types::scalar(name).ok_or(()).or_else(|()| {
            self.model(
                node,
                format!(
                    "a value of type `{name}`; values are integers, `float`, `double` and complex numbers"
                ),
            )
        })
    }

    /// An expression, nested to a bounded depth.
    pub(super) fn expression(&mut self, node: &Node) -> Result<Expression, Rejection> {
        if self.depth >= MAX_DEPTH {
            let reason = format!("an expression of more than {MAX_DEPTH} levels");
            return Err(Rejection::new(Rule::Limits, self.at(node), reason));
        }
        self.depth += 1;
        let expression = self.unbounded_expression(node);
        self.depth -= 1;
        expression
    }

    fn unbounded_expression(&mut self, node: &Node) -> Result<Expression, Rejection> {
        let node = node.bare();
        if node.value_category.as_deref() == Some("lvalue") && !node.is(Kind::CallExpr) {
            return self.read(node);
        }
        if self.is_pointer(node) {
            return self.is_set(node);
        }
        match node.kind {
            Kind::IntegerLiteral | Kind::CharacterLiteral | Kind::CXXBoolLiteralExpr => {
                let scalar = self.scalar(node)?;
                match integer(node) {
                    Some(value) => Ok(Expression::integer(value, scalar)),
                    None => self.model(node, "a constant of this kind"),
                }
            }
            Kind::FloatingLiteral => {
                let scalar = self.scalar(node)?;
                Ok(Expression { kind: ExpressionKind::Float(self.float(node, scalar)?), scalar })
            }
            // An imaginary constant, a kind that the crate for the syntax tree lacks.
            Kind::OpaqueValueExpr
                if node.type_name().starts_with("_Complex")
                    && node.child(0).is_some_and(|part| part.is(Kind::FloatingLiteral)) =>
            {
                let scalar = self.scalar(node)?;
                let part = &node.inner[0];
                let value = self.float(part, Scalar::F64)?;
                Ok(Expression { kind: ExpressionKind::Imaginary(value), scalar })
            }
            Kind::DeclRefExpr => {
                let decl = node.referenced_decl.as_ref();
                match decl.and_then(|decl| self.declarations.enumerators.get(&decl.id)) {
                    Some(value) => Ok(Expression::integer(*value, self.scalar(node)?)),
                    None => self.model(node, "this name is no value here"),
                }
            }
            Kind::ImplicitCastExpr
            | Kind::CStyleCastExpr
            | Kind::CXXStaticCastExpr
            | Kind::CXXFunctionalCastExpr => self.cast(node),
            Kind::UnaryOperator => self.unary(node),
            Kind::BinaryOperator => self.binary(node),
            Kind::ConditionalOperator => {
                let scalar = self.scalar(node)?;
                let condition = self.first_operand(node)?;
                let [then, otherwise] =
                    [1, 2].map(|index| self.without_effects(|reader| reader.operand(node, index)));
                let kind = ExpressionKind::Select(Box::new(condition), Box::new(then?), Box::new(otherwise?));
                Ok(Expression { kind, scalar })
            }
            Kind::UnaryExprOrTypeTraitExpr if node.name.as_deref() == Some("sizeof") => {
                let name = measured(node);
                match types::size(name) {
                    Some(size) => Ok(Expression::integer(size, self.scalar(node)?)),
                    None => self.model(node, format!("`sizeof` of the type `{name}`")),
                }
            }
            Kind::CallExpr => self.call(node),
            // A member of what a function returns.
            Kind::MemberExpr => self.read(node),
            Kind::CompoundAssignOperator => self.assigned(node),
            Kind::StmtExpr => self.model(node, "a statement inside an expression"),
            kind => self.model(node, format!("an expression of this kind ({kind:?})")),
        }
    }

    /// An operand whose effects are complete before the others are evaluated.
    pub(super) fn first_operand(&mut self, node: &Node) -> Result<Expression, Rejection> {
        let after = self.effects.after.len();
        let operand = self.operand(node, 0)?;
        match self.effects.after.len() == after {
            true => Ok(operand),
            false => self.model(node, "a condition that changes what it compares"),
        }
    }

    fn operand(&mut self, node: &Node, index: usize) -> Result<Expression, Rejection> {
        match node.child(index) {
            Some(child) => self.expression(child),
            None => self.model(node, "an expression without its operand"),
        }
    }

    fn float(&self, node: &Node, scalar: Scalar) -> Result<f64, Rejection> {
        let text = match &node.value {
            Some(serde_json::Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
            None => String::new(),
        };
        let value = match scalar {
            Scalar::Half(_) => None,
            // clang prints as many digits as a `float` needs.
            Scalar::Float { bits: 32 } => text.parse::<f32>().map(f64::from).ok(),
            _ => text.parse::<f64>().ok(),
        };
        value.ok_or(()).or_else(|()| self.model(node, format!("the constant `{text}`")))
    }

    /// An assignment whose value is used: it is executed before the statement.
    fn assigned(&mut self, node: &Node) -> Result<Expression, Rejection> {
        if let Some(value) = self.stepped_integer(node)? {
            return Ok(value);
        }
        self.check_effects(node)?;
        let mut before = Vec::new();
        match node.opcode() {
            "=" => self.assignment(node, &mut before)?,
            _ => self.update(node, &mut before)?,
        }
        self.effects.before.extend(before);
        match node.child(0) {
            Some(target) => self.read(target),
            None => self.model(node, "an assignment to nothing"),
        }
    }

    /// `k++`: what does not change the value that is used is executed behind the statement.
    fn stepped(&mut self, node: &Node) -> Result<Expression, Rejection> {
        let Some(target) = node.child(0) else { return self.model(node, "an increment of nothing") };
        let id = target.bare().referenced();
        if let Some(before) = id.and_then(|id| self.values.integers.get(&id)).cloned() {
            let after = self.stepped_integer(node)?;
            return Ok(after.filter(|_| !node.is_postfix).unwrap_or(before));
        }
        self.check_effects(node)?;
        if !target.bare().is(Kind::DeclRefExpr) {
            return self.model(node, "an increment of an element inside an expression");
        }
        let mut made = Vec::new();
        self.update(node, &mut made)?;
        match node.is_postfix {
            true => self.effects.after.extend(made),
            false => self.effects.before.extend(made),
        }
        self.read(target)
    }

    fn read(&mut self, node: &Node) -> Result<Expression, Rejection> {
        if let Some(value) = node.bare().referenced().and_then(|id| self.values.integers.get(&id))
            && node.bare().is(Kind::DeclRefExpr)
        {
            return Ok(value.clone());
        }
        let reference = self.reference(node)?;
        let scalar = reference.scalar;
        if reference.path.is_empty() && self.iterators.contains(&reference.variable) {
            return Ok(Expression { kind: ExpressionKind::Iterator(reference.variable), scalar });
        }
        self.note_read(&reference);
        Ok(Expression { kind: ExpressionKind::Read(reference), scalar })
    }

    fn cast(&mut self, node: &Node) -> Result<Expression, Rejection> {
        let Some(child) = node.child(0) else { return self.model(node, "a conversion of nothing") };
        match node.cast_kind.as_deref().unwrap_or_default() {
            "LValueToRValue" => match child.bare() {
                call if call.is(Kind::CallExpr) => self.expression(call),
                part if part.is(Kind::UnaryOperator) && part.opcode().starts_with("__") => self.unary(part),
                lvalue => match self.constant_of(lvalue) {
                    Some(value) => Ok(Expression::integer(value, self.scalar(node)?)),
                    None => self.read(lvalue),
                },
            },
            "NoOp" | "ConstructorConversion" | "UserDefinedConversion"
                if types::scalar(node.type_name()).is_some() =>
            {
                self.expression(child)
            }
            "IntegralCast"
            | "FloatingCast"
            | "IntegralToFloating"
            | "FloatingToIntegral"
            | "IntegralToBoolean"
            | "FloatingToBoolean"
            | "BooleanToSignedIntegral"
            | "FloatingRealToComplex"
            | "FloatingComplexCast"
            | "FloatingComplexToReal"
            | "FloatingComplexToBoolean" => {
                let scalar = self.scalar(node)?;
                let value = self.expression(child)?;
                if value.scalar == scalar {
                    return Ok(value);
                }
                Ok(Expression { kind: ExpressionKind::Cast(Box::new(value)), scalar })
            }
            kind => self.model(node, format!("a conversion of this kind ({kind}) to `{}`", node.type_name())),
        }
    }

    fn unary(&mut self, node: &Node) -> Result<Expression, Rejection> {
        let operator = match node.opcode() {
            "+" | "__extension__" => return self.operand(node, 0),
            "-" => UnaryOperator::Negate,
            "!" => UnaryOperator::Not,
            "~" => UnaryOperator::Complement,
            "__real" | "__real__" => UnaryOperator::Real,
            "__imag" | "__imag__" => UnaryOperator::Imaginary,
            "++" | "--" => return self.stepped(node),
            "&" => return self.model(node, "an address"),
            other => return self.model(node, format!("the operator `{other}`")),
        };
        let scalar = self.scalar(node)?;
        let operand = self.operand(node, 0)?;
        self.computes(node, operand.scalar)?;
        Ok(Expression { kind: ExpressionKind::Unary(operator, Box::new(operand)), scalar })
    }

    fn binary(&mut self, node: &Node) -> Result<Expression, Rejection> {
        let Some(operator) = BinaryOperator::from_symbol(node.opcode()) else {
            return match node.opcode() {
                "=" => self.assigned(node),
                "," => {
                    let after = self.effects.after.len();
                    self.operand(node, 0)?;
                    let done = self.effects.after.split_off(after);
                    self.effects.before.extend(done);
                    self.operand(node, 1)
                }
                other => self.model(node, format!("the operator `{other}` inside an expression")),
            };
        };
        let scalar = self.scalar(node)?;
        if let (BinaryOperator::Divide, Some(left), Some(right)) = (operator, node.child(0), node.child(1))
            && let (Some(array), Some(element)) = (size_of(left), size_of(right))
            && let Some(count) = element.iter().find_map(|element| types::elements(array[1], element))
        {
            return Ok(Expression::integer(count, scalar));
        }
        if let (Some(left), Some(right)) = (node.child(0), node.child(1))
            && !matches!(operator, BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr)
            && (self.is_pointer(left) || self.is_pointer(right))
        {
            return self.of_pointers(node, (operator, scalar), left, right);
        }
        let (left, right) = match operator {
            BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr => {
                let left = self.first_operand(node)?;
                (left, self.without_effects(|reader| reader.operand(node, 1))?)
            }
            _ => (self.operand(node, 0)?, self.operand(node, 1)?),
        };
        self.computes(node, left.scalar)?;
        self.computes(node, right.scalar)?;
        Ok(Expression { kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)), scalar })
    }

    fn is_pointer(&self, node: &Node) -> bool {
        let name = node.type_name();
        name.contains('*') && self.shape(name).is_some_and(|shape| shape.pointers > 0 && !shape.is_array)
    }

    /// Whether a pointer, which the region does not set, is not null.
    fn is_set(&mut self, node: &Node) -> Result<Expression, Rejection> {
        if is_null(node) {
            return Ok(Expression::integer(0, Scalar::INT));
        }
        let pointer = self.pointer(node)?;
        let Pointer { target, offset, is_object } = &pointer;
        let variable = self.region.variable(target.variable);
        let is_array = variable.extents.first().is_some_and(Option::is_some)
            && matches!(variable.storage, Storage::Local | Storage::Region | Storage::Global);
        if *is_object || target.path.is_empty() && is_array {
            return Ok(Expression::integer(1, Scalar::INT));
        }
        // A member of a structure that is a variable; what is in memory may not be loaded in front of the region.
        let is_loaded = target.subscripts().next().is_some();
        let is_variable = variable.storage != Storage::Region && offset.is_none() && !is_loaded;
        if !is_variable {
            return self.model(node, "whether a pointer is null; hint: test it before the loop");
        }
        let key = target.array();
        let name = self.array_name(&key);
        let tested = match self.region.null_tests.get(&key) {
            Some(tested) => *tested,
            None => {
                let own = format!("{}_is_set", name.replace('.', "_"));
                let tested = self.defined_variable(&own, Scalar::INT, &format!("{name} != 0"));
                self.region.null_tests.insert(key, tested);
                tested
            }
        };
        Ok(self.value_of(tested, self.at(node)))
    }

    /// A comparison of two pointers, or what is between them.
    fn of_pointers(
        &mut self,
        node: &Node,
        (operator, scalar): (BinaryOperator, Scalar),
        left: &Node,
        right: &Node,
    ) -> Result<Expression, Rejection> {
        let (is_equality, is_equal) = (
            matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual),
            operator == BinaryOperator::Equal,
        );
        if is_equality && (is_null(left) || is_null(right)) {
            let is_set = self.is_set(if is_null(left) { right } else { left })?;
            return Ok(match is_equal {
                true => {
                    Expression { kind: ExpressionKind::Unary(UnaryOperator::Not, Box::new(is_set)), scalar }
                }
                false => is_set,
            });
        }
        if !self.is_pointer(left) || !self.is_pointer(right) {
            return self.model(node, "a pointer inside an expression");
        }
        let (left, right) = (self.pointer(left)?, self.pointer(right)?);
        let Some(distance) = self.distance(right, left)? else {
            return self.model(node, UNKNOWN_DISTANCE);
        };
        let distance = arithmetic::long(distance);
        Ok(match operator {
            BinaryOperator::Subtract => distance,
            _ => {
                let none = Expression::integer(0, Scalar::LONG);
                let kind = ExpressionKind::Binary(operator, Box::new(distance), Box::new(none));
                Expression { kind, scalar }
            }
        })
    }

    fn call(&mut self, node: &Node) -> Result<Expression, Rejection> {
        let scalar = self.scalar(node)?;
        let callee =
            node.child(0).map(NodeExt::bare).map(|callee| callee.child(0).map_or(callee, NodeExt::bare));
        let Some(decl) = callee.and_then(|callee| callee.referenced_decl.as_ref()) else {
            return self.rejected_call(node, "a call through a pointer".into());
        };
        let name = decl.name.clone().unwrap_or_default();
        let mut arguments = Vec::new();
        // The C++ library's functions take references; the names are not in C.
        let by_reference = matches!(name.as_str(), "min" | "max") && node.inner.len() == 3;
        let effects = match by_reference {
            true => None,
            false => functions::effects(self.declarations, decl.id, &name),
        };
        if self.effects.allowed && (effects.is_some() || self.is_update(node)) {
            let mut before = Vec::new();
            if let Some(Some(result)) = self.inlined(node, &mut before)? {
                self.effects.before.extend(before);
                self.note_read(&result);
                return Ok(Expression { kind: ExpressionKind::Read(result), scalar });
            }
        }
        if let Some(effects) = effects {
            return self.rejected_call(node, effects);
        }
        self.check_visible(node, self.declarations.functions.get(&decl.id).copied(), &name)?;
        for index in 1..node.inner.len() {
            arguments.push(self.operand(node, index)?);
        }
        if by_reference {
            let [left, right] = <[Expression; 2]>::try_from(arguments).expect("has two");
            self.computes(node, scalar)?;
            if left.scalar != scalar || right.scalar != scalar {
                return self.rejected_call(node, format!("`{name}` of different types"));
            }
            // `std::max(a, b)` is `(a < b) ? b : a`, `std::min(a, b)` is `(b < a) ? b : a`.
            let (less, more) = if name == "max" { (&left, &right) } else { (&right, &left) };
            let condition = Expression {
                kind: ExpressionKind::Binary(
                    BinaryOperator::Less,
                    Box::new(less.clone()),
                    Box::new(more.clone()),
                ),
                scalar: Scalar::INT,
            };
            let kind = ExpressionKind::Select(Box::new(condition), Box::new(right), Box::new(left));
            return Ok(Expression { kind, scalar });
        }
        Ok(Expression { kind: ExpressionKind::Call(name, arguments), scalar })
    }

    /// Whether a call takes what its result is assigned to: as `s = add(s, x)`, which may be a reduction.
    fn is_update(&self, call: &Node) -> bool {
        let mut names = BTreeSet::new();
        changes::add_names(call, &mut names);
        self.assigned.is_some_and(|assigned| names.contains(&assigned))
    }

    /// Rejects arithmetic in types that are converted only.
    pub(super) fn computes(&self, node: &Node, scalar: Scalar) -> Result<(), Rejection> {
        match scalar {
            Scalar::Half(_) => {
                let name = scalar.c_name();
                self.model(node, format!("arithmetic in `{name}`; hint: convert to `float` first"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn rejected_call<T>(&self, node: &Node, reason: String) -> Result<T, Rejection> {
        Err(Rejection::new(Rule::Calls, self.at(node), reason))
    }

    /// What an lvalue names.
    pub(super) fn reference(&mut self, node: &Node) -> Result<Reference, Rejection> {
        if self.depth >= MAX_DEPTH {
            let reason = format!("an expression of more than {MAX_DEPTH} levels");
            return Err(Rejection::new(Rule::Limits, self.at(node), reason));
        }
        self.depth += 1;
        let reference = self.location(node.bare()).and_then(|mut reference| {
            if node.type_name().split_whitespace().any(|word| word == "volatile")
                || node.type_name().contains("_Atomic")
            {
                return self.model(node, format!("`{}` is volatile or atomic", node.type_name()));
            }
            reference.scalar = self.scalar(node)?;
            reference.at = self.at(node);
            let Some(reference) = self.member(reference) else {
                return self.model(node, "a member of this kind of a structure that the region declares");
            };
            if !self.declarations.may_alias.is_empty() && self.has_any_type(node) {
                self.untyped.insert(reference.array());
            }
            Ok(reference)
        });
        self.depth -= 1;
        reference
    }

    /// Whether what a node accesses has a type that is said to be `may_alias`, or is a member of such a structure.
    fn has_any_type(&self, node: &Node) -> bool {
        let node = node.bare();
        let written = node.of_type.as_ref().map_or("", |of_type| of_type.qual_type.as_str());
        let is_inside = matches!(
            node.kind,
            Kind::ArraySubscriptExpr | Kind::MemberExpr | Kind::ImplicitCastExpr | Kind::UnaryOperator
        );
        words(written).any(|word| self.declarations.may_alias.contains(&*word))
            || is_inside && node.inner.iter().any(|child| self.has_any_type(child))
    }

    /// As [`Reader::reference`], for arrays and structures on the way, too.
    pub(super) fn location(&mut self, node: &Node) -> Result<Reference, Rejection> {
        let node = node.bare();
        match node.kind {
            Kind::DeclRefExpr => {
                let variable = self.variable(node)?;
                Ok(Reference { variable, path: Vec::new(), scalar: Scalar::INT, at: self.at(node) })
            }
            Kind::ArraySubscriptExpr => {
                let (Some(first), Some(second)) = (node.child(0), node.child(1)) else {
                    return self.model(node, "a subscript without its array");
                };
                // `2[a]` is `a[2]`.
                let (base, index) =
                    if first.type_name().ends_with([']', '*', ')']) || first.type_name().contains('*') {
                        (first, second)
                    } else {
                        (second, first)
                    };
                let pointer = self.pointer(base)?;
                let index = self.expression(index)?;
                self.pointed(node, pointer, Some(index))
            }
            Kind::UnaryOperator if node.opcode() == "*" => match node.child(0) {
                Some(operand) => {
                    let pointer = self.pointer(operand)?;
                    self.pointed(node, pointer, None)
                }
                None => self.model(node, "a pointer's target"),
            },
            Kind::MemberExpr => {
                let Some(base) = node.child(0) else { return self.model(node, "a member of nothing") };
                if node
                    .referenced_member_decl
                    .is_some_and(|id| self.declarations.shared_members.contains(&id))
                {
                    return self.model(node, "a bit-field, or a member of a union");
                }
                let mut reference = if node.is_arrow {
                    let pointer = self.pointer(base)?;
                    self.pointed(node, pointer, None)?
                } else {
                    self.location(base)?
                };
                let name = node.name.clone().unwrap_or_default();
                if !name.is_empty() {
                    reference.path.push(Step::Member(name));
                }
                Ok(reference)
            }
            Kind::ImplicitCastExpr if node.cast_kind.as_deref() == Some("NoOp") => match node.child(0) {
                Some(child) => self.location(child),
                None => self.model(node, "a conversion of nothing"),
            },
            Kind::CallExpr => self.returned_structure(node),
            Kind::StringLiteral | Kind::CompoundLiteralExpr => self.model(node, "a literal in memory"),
            kind => self.model(node, format!("this is no scalar, array or member ({kind:?})")),
        }
    }

    /// The element that a pointer and an index name.
    fn pointed(
        &self,
        node: &Node,
        pointer: Pointer,
        index: Option<Expression>,
    ) -> Result<Reference, Rejection> {
        let Pointer { mut target, offset, is_object } = pointer;
        let index = match (offset, index) {
            (None, None) => Expression::integer(0, Scalar::INT),
            (Some(only), None) | (None, Some(only)) => only,
            (Some(offset), Some(index)) => add(BinaryOperator::Add, offset, index),
        };
        match (is_object, &index.kind) {
            (true, ExpressionKind::Integer(0)) => {}
            (true, _) => return self.model(node, "an element behind a variable that is no array"),
            (false, _) => target.path.push(Step::Index(index)),
        }
        Ok(target)
    }

    pub(super) fn pointer(&mut self, node: &Node) -> Result<Pointer, Rejection> {
        let node = node.bare();
        let cast = node.cast_kind.as_deref();
        match (node.kind, cast, node.child(0)) {
            (Kind::ImplicitCastExpr, Some("ArrayToPointerDecay"), Some(array)) => {
                Ok(Pointer::to(self.location(array)?))
            }
            (Kind::ImplicitCastExpr, Some("LValueToRValue"), Some(pointer)) => {
                if pointer.bare().is(Kind::DeclRefExpr) {
                    return self.pointer_value(pointer.bare());
                }
                let target = self.location(pointer)?;
                match self.pointer_member(&target) {
                    Some(Some(pointer)) => return Ok(pointer),
                    Some(None) => return self.unknown_pointer(node),
                    None => self.note_pointer(&target),
                }
                Ok(Pointer::to(target))
            }
            (Kind::ImplicitCastExpr, Some("NoOp"), Some(pointer)) => self.pointer(pointer),
            (Kind::UnaryOperator, _, Some(lvalue)) if node.opcode() == "&" => {
                let mut target = self.location(lvalue)?;
                Ok(match target.path.pop_if(|step| matches!(step, Step::Index(_))) {
                    Some(Step::Index(offset)) => Pointer { offset: Some(offset), ..Pointer::to(target) },
                    _ => Pointer { is_object: true, ..Pointer::to(target) },
                })
            }
            (Kind::BinaryOperator, _, Some(left)) if matches!(node.opcode(), "+" | "-") => {
                let Some(right) = node.child(1) else { return self.model(node, "a sum of nothing") };
                let (base, distance) =
                    if types::scalar(left.type_name()).is_some() { (right, left) } else { (left, right) };
                let pointer = self.pointer(base)?;
                let distance = self.expression(distance)?;
                let offset = match (pointer.offset.clone(), node.opcode()) {
                    (None, "+") => distance,
                    (None, _) => {
                        add(BinaryOperator::Subtract, Expression::integer(0, distance.scalar), distance)
                    }
                    (Some(offset), "+") => add(BinaryOperator::Add, offset, distance),
                    (Some(offset), _) => add(BinaryOperator::Subtract, offset, distance),
                };
                Ok(Pointer { offset: Some(offset), ..pointer })
            }
            (Kind::UnaryOperator, ..) if matches!(node.opcode(), "++" | "--") => {
                match self.stepped_pointer(node)? {
                    Some(pointer) => Ok(pointer),
                    None => self.model(node, "a pointer that walks; hint: use subscripts"),
                }
            }
            (Kind::CallExpr, ..) => self.rejected_call(node, "a function that returns a pointer".into()),
            _ => self
                .model(node, "a pointer of this kind; hint: use arrays, pointers to elements and subscripts"),
        }
    }
}

/// A sum of subscripts, in the wider of their types: C adds pointers and integers in the address's width.
fn add(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    let widened = |value: Expression| {
        if value.scalar == Scalar::LONG {
            return value;
        }
        Expression { kind: ExpressionKind::Cast(Box::new(value)), scalar: Scalar::LONG }
    };
    let kind = ExpressionKind::Binary(operator, Box::new(widened(left)), Box::new(widened(right)));
    Expression { kind, scalar: Scalar::LONG }
}

/// The type of which a `sizeof` is the size.
fn measured(node: &Node) -> &str {
    node.arg_type.as_ref().map_or_else(
        || node.child(0).map_or("", |operand| operand.bare().type_name()),
        |of_type| of_type.resolved(),
    )
}

/// The names of that type, as it is written and what it stands for.
fn size_of(node: &Node) -> Option<[&str; 2]> {
    let node = node.bare();
    let is_size = node.is(Kind::UnaryExprOrTypeTraitExpr) && node.name.as_deref() == Some("sizeof");
    let operand = node.child(0).map(NodeExt::bare).and_then(|operand| operand.of_type.as_ref());
    let written = node.arg_type.as_ref().or(operand).map_or("", |of_type| of_type.qual_type.as_str());
    is_size.then(|| [written, measured(node)])
}

/// `0`, or `NULL`, which is a `(void *) 0` in most headers.
fn is_null(node: &Node) -> bool {
    let node = node.bare();
    match node.cast_kind.as_deref() {
        Some("NullToPointer") => true,
        Some("BitCast" | "NoOp") => node.child(0).is_some_and(is_null),
        _ => false,
    }
}

fn integer(node: &Node) -> Option<i128> {
    match node.value.as_ref()? {
        serde_json::Value::String(text) => text.parse().ok(),
        serde_json::Value::Number(number) => number.as_i64().map(i128::from),
        serde_json::Value::Bool(value) => Some(i128::from(*value)),
        _ => None,
    }
}
