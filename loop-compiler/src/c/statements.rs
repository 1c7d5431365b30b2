//! Guards and statements of clang's syntax tree as those of the loop tree.

use clang_ast::{Id, Kind};

use super::{
    ast::{Node, NodeExt},
    changes::{self, is_once},
    jumps::has_break,
    layout::Layout,
    reader::Reader,
    scope::{called, is_assignment, variable_of},
    types,
    values::{Effects, Exit, Pointer},
};
use crate::{
    ir::{
        self, BinaryOperator, Declaration, Expression, ExpressionKind, Position, Reference, Region,
        Statement, Step, Storage, Store, convert, types::Scalar,
    },
    rules::{Rejection, Rule},
    transform::{forwarded, with_one_exit, with_own_findings, without_copies, without_rotation},
};

impl<'t> Reader<'_, 't> {
    pub(super) fn region(
        mut self,
        function: &Node,
        at: Position,
        statements: &[&'t Node],
    ) -> Result<Region, Rejection> {
        self.region.function = function.name.clone().unwrap_or_default();
        self.region.at = at;
        self.changed = changes::changed(statements);
        let flag = self.returns_of_region(function, statements);
        self.region.body = self.sequence(statements, Exit::Return { flag })?;
        self.check_changed(&changes::changed(statements))?;
        self.region.identify_loops();
        self.check_iterators()?;
        self.check_relied()?;
        self.finish_records();
        self.note_overlaps();
        self.region.body = without_copies(&self.region, &self.made);
        if self.kept.is_none() {
            with_own_findings(&mut self.region);
        }
        self.region.body = with_one_exit(std::mem::take(&mut self.region.body));
        if self.kept.is_none()
            && let Some((body, loads)) = without_rotation(&self.region, &|id| self.is_over(id))
        {
            self.region.body = body;
            self.region.is_conditional |= loads;
        }
        let mut region = forwarded(&self.region);
        region.separate_positions();
        Ok(region)
    }

    /// Whether nobody reads a variable's value behind the region.
    fn is_over(&self, variable: ir::VariableId) -> bool {
        let described = self.region.variable(variable);
        if described.storage == Storage::Region {
            return !self.region.used_after.contains(&variable);
        }
        let own = self.variables.iter().find(|(_, other)| **other == variable);
        own.is_some_and(|(id, _)| self.locals.is_over_after(&self.bytes, *id, &described.name, self.file))
    }

    pub(super) fn children(node: &'t Node) -> Vec<&'t Node> {
        node.inner.iter().filter(|child| !child.is(Kind::null)).collect()
    }

    /// The statements of a loop's or a guard's body.
    pub(super) fn body_of(&mut self, node: Option<&'t Node>, exit: Exit) -> Result<Vec<ir::Node>, Rejection> {
        let Some(node) = node else { return Ok(Vec::new()) };
        self.nested(node, |reader| match node.kind {
            Kind::CompoundStmt => reader.sequence(&Self::children(node), exit),
            _ => reader.sequence(&[node], exit),
        })
    }

    /// The condition of a branch; what it does besides is executed before.
    pub(super) fn branch_condition(
        &mut self,
        node: &'t Node,
        out: &mut Vec<ir::Node>,
    ) -> Result<Expression, Rejection> {
        let around = std::mem::replace(&mut self.effects, Effects { allowed: true, ..Effects::default() });
        let condition = self.expression(node);
        let effects = std::mem::replace(&mut self.effects, around);
        let condition = condition?;
        if !effects.after.is_empty() {
            return self.model(node, "a condition that changes what it compares");
        }
        out.extend(effects.before);
        Ok(condition)
    }

    /// A statement, with what its expressions do before and after it.
    pub(super) fn statement(&mut self, node: &'t Node, out: &mut Vec<ir::Node>) -> Result<(), Rejection> {
        let mut made = Vec::new();
        self.with_effects(&mut made, |reader, made| reader.plain_statement(node, made))?;
        out.extend(self.atomic(node, made)?);
        Ok(())
    }

    /// What a part of a program is, with what its expressions do before and after it.
    pub(super) fn with_effects(
        &mut self,
        out: &mut Vec<ir::Node>,
        read: impl FnOnce(&mut Self, &mut Vec<ir::Node>) -> Result<(), Rejection>,
    ) -> Result<(), Rejection> {
        let around = std::mem::replace(&mut self.effects, Effects { allowed: true, ..Effects::default() });
        let mut made = Vec::new();
        let result = read(self, &mut made);
        let effects = std::mem::replace(&mut self.effects, around);
        out.extend(effects.before);
        out.extend(made);
        out.extend(effects.after);
        result
    }

    fn plain_statement(&mut self, node: &'t Node, out: &mut Vec<ir::Node>) -> Result<(), Rejection> {
        let node = node.bare();
        let at = self.at(node);
        match node.kind {
            Kind::NullStmt => {}
            Kind::CompoundStmt => {
                let body = self.nested(node, |reader| reader.sequence(&Self::children(node), Exit::End))?;
                out.extend(body);
            }
            Kind::AttributedStmt => {
                let Some(inner) = node.inner.last() else { return Ok(()) };
                self.nested(node, |reader| reader.statement(inner, out))?;
            }
            Kind::DeclStmt => {
                // Each is complete before the next one.
                for declared in &node.inner {
                    self.with_effects(out, |reader, made| reader.declaration(declared, made))?;
                }
            }
            Kind::ForStmt | Kind::WhileStmt => self.nested(node, |reader| reader.looped(node, out))?,
            Kind::IfStmt => {
                if node.has_init || node.has_var {
                    return self.model(node, "a declaration in an `if`");
                }
                let Some(condition) = node.child(0) else {
                    return self.model(node, "an `if` without a condition");
                };
                let condition = self.branch_condition(condition, out)?;
                let [then, otherwise] =
                    self.branches([&mut |reader| reader.body_of(node.child(1), Exit::End), &mut |reader| {
                        if node.has_else { reader.body_of(node.child(2), Exit::End) } else { Ok(Vec::new()) }
                    }])?;
                out.push(ir::Node::either(condition, then, otherwise, at));
            }
            Kind::BreakStmt => out.push(ir::Node::Break(at)),
            Kind::DoStmt => {
                let Some(inner) = node.child(0) else { return self.model(node, "a `do` loop") };
                match is_once(node) && !has_break(inner) {
                    true => self.nested(node, |reader| reader.statement(inner, out))?,
                    false => self.nested(node, |reader| reader.looped(node, out))?,
                }
            }
            Kind::BinaryOperator | Kind::CompoundAssignOperator
                if is_assignment(node) && self.sets_pointer(node, out)? => {}
            Kind::UnaryOperator
                if matches!(node.opcode(), "++" | "--") && self.stepped_pointer(node)?.is_some() => {}
            Kind::BinaryOperator | Kind::CompoundAssignOperator | Kind::UnaryOperator
                if (is_assignment(node) || matches!(node.opcode(), "++" | "--"))
                    && self.stepped_integer(node)?.is_some() => {}
            Kind::BinaryOperator if node.opcode() == "=" => match self.record_of(node.type_name()) {
                Some(layout) => self.record_assignment(node, &layout, out)?,
                None => self.assignment(node, out)?,
            },
            Kind::BinaryOperator if node.opcode() == "," && !is_assertion(node) => {
                for child in Self::children(node) {
                    self.nested(node, |reader| reader.statement(child, out))?;
                }
            }
            Kind::CompoundAssignOperator => self.update(node, out)?,
            Kind::UnaryOperator if matches!(node.opcode(), "++" | "--") => self.update(node, out)?,
            // `*p++;`: the value is not used.
            Kind::BinaryOperator | Kind::ParenExpr | Kind::ConditionalOperator if is_assertion(node) => {
                // Whether the program ends there is the same whoever executes the loop.
                if self.kept.is_none() {
                    let reason = "an assertion may end the program; hint: -DNDEBUG leaves it out";
                    return Err(Rejection::new(Rule::Calls, at, reason));
                }
            }
            Kind::ImplicitCastExpr | Kind::ParenExpr => {
                if let Some(child) = node.child(0) {
                    self.plain_statement(child, out)?;
                }
            }
            Kind::UnaryOperator if node.opcode() == "*" => {
                self.reference(node)?;
            }
            // `(void) x;` and other expressions that compute nothing.
            Kind::CStyleCastExpr if node.cast_kind.as_deref() == Some("ToVoid") => {
                if let Some(value) = node.child(0) {
                    self.expression(value)?;
                }
            }
            Kind::CallExpr if self.inlined(node, out)?.is_some() => {}
            Kind::CallExpr if self.copied(node, out)? => {}
            Kind::CallExpr => {
                let callee = node.child(0).map(NodeExt::bare).and_then(|callee| callee.child(0));
                let decl = callee.and_then(|callee| callee.bare().referenced_decl.as_ref());
                let name = decl.and_then(|decl| decl.name.as_deref()).unwrap_or("a function");
                let reason = format!("`{name}` is called for its effects");
                return Err(Rejection::new(Rule::Calls, at, reason));
            }
            Kind::ReturnStmt
            | Kind::GotoStmt
            | Kind::LabelStmt
            | Kind::IndirectGotoStmt
            | Kind::SwitchStmt
            | Kind::ContinueStmt => return self.model(node, "a jump from here"),
            Kind::CXXForRangeStmt => {
                return self.model(node, "a range-based `for`; hint: use a loop that counts");
            }
            kind => return self.model(node, format!("a statement of this kind ({kind:?})")),
        }
        Ok(())
    }

    /// `x += e` and `x++`.
    pub(super) fn update(&mut self, node: &Node, out: &mut Vec<ir::Node>) -> Result<(), Rejection> {
        let at = self.at(node);
        let target = self.target(node)?;
        let (operator, computed_in, value) = match node.kind {
            Kind::CompoundAssignOperator => {
                let (Some(symbol), Some(value)) = (node.opcode().strip_suffix('='), node.child(1)) else {
                    return self.model(node, "an assignment without an operator");
                };
                let computed_in = node.computed_in.as_ref().and_then(|name| types::scalar(name.resolved()));
                let (Some(operator), Some(computed_in)) = (BinaryOperator::from_symbol(symbol), computed_in)
                else {
                    return self.model(node, format!("the assignment `{}`", node.opcode()));
                };
                self.computes(node, computed_in)?;
                (operator, computed_in, self.expression(value)?)
            }
            _ => {
                let operator =
                    if node.opcode() == "++" { BinaryOperator::Add } else { BinaryOperator::Subtract };
                // An integer narrower than `int` is promoted, as everywhere.
                let computed_in = match target.scalar {
                    Scalar::Bool => Scalar::INT,
                    Scalar::Integer { bits, .. } if bits < 32 => Scalar::INT,
                    scalar => scalar,
                };
                self.computes(node, computed_in)?;
                let value = match computed_in {
                    scalar if scalar.is_float() => Expression { kind: ExpressionKind::Float(1.0), scalar },
                    scalar => Expression::integer(1, scalar),
                };
                (operator, computed_in, value)
            }
        };
        self.note_read(&target);
        let store = Store::Update { operator, computed_in };
        out.push(ir::Node::Statement(Statement { target, store, value, at }));
        Ok(())
    }

    /// What a store writes.
    fn target(&mut self, node: &Node) -> Result<Reference, Rejection> {
        let Some(target) = node.child(0) else { return self.model(node, "an assignment to nothing") };
        if types::scalar(target.bare().type_name()).is_none() {
            let name = target.bare().type_name();
            return match name.contains('*') {
                true => self.model(node, "a pointer that walks; hint: use subscripts"),
                false => self.model(node, format!("a store of a whole `{name}`; hint: store its members")),
            };
        }
        let reference = self.reference(target)?;
        if target.bare().is(Kind::DeclRefExpr)
            && let Some(id) = target.bare().referenced()
        {
            if self.values.integers.contains_key(&id) {
                return self.model(node, "a variable that counts iterations, and is set in another way, too");
            }
            self.values.known.remove(&id);
            self.stored.insert(id);
        }
        if self.iterators.contains(&reference.variable) {
            let name = &self.region.variable(reference.variable).name;
            return self.model(node, format!("the loop's iterator `{name}` is changed in its body"));
        }
        self.note_write(&reference);
        Ok(reference)
    }

    /// `a = b = e` stores twice, from the right.
    pub(super) fn assignment(&mut self, node: &Node, out: &mut Vec<ir::Node>) -> Result<(), Rejection> {
        let at = self.at(node);
        let Some(value) = node.child(1) else { return self.model(node, "an assignment of nothing") };
        let mut inner = value;
        let mut casts = Vec::new();
        while inner.is(Kind::ImplicitCastExpr) || inner.is(Kind::ParenExpr) {
            if inner.is(Kind::ImplicitCastExpr) {
                casts.push(types::scalar(inner.type_name()));
            }
            match inner.child(0) {
                Some(child) => inner = child,
                None => break,
            }
        }
        let value = if inner.is(Kind::BinaryOperator) && inner.opcode() == "=" {
            self.nested(node, |reader| reader.assignment(inner, out))?;
            let Some(ir::Node::Statement(first)) = out.last() else {
                return self.model(node, "a chain of assignments");
            };
            let first = first.target.clone();
            self.note_read(&first);
            let mut value = Expression { scalar: first.scalar, kind: ExpressionKind::Read(first) };
            for scalar in casts.into_iter().rev().flatten() {
                if scalar != value.scalar {
                    value = Expression { kind: ExpressionKind::Cast(Box::new(value)), scalar };
                }
            }
            value
        } else {
            let assigned = node.child(0).and_then(variable_of);
            let before = std::mem::replace(&mut self.assigned, assigned);
            let value = self.expression(value);
            self.assigned = before;
            value?
        };
        let target = self.target(node)?;
        if let Some(id) = node.child(0).and_then(|target| target.bare().referenced()) {
            self.note_known(id, Some(&value));
        }
        out.push(ir::Node::Statement(Statement { target, store: Store::Assign, value, at }));
        Ok(())
    }

    pub(super) fn declaration(
        &mut self,
        declared: &'t Node,
        out: &mut Vec<ir::Node>,
    ) -> Result<(), Rejection> {
        if !declared.is(Kind::VarDecl) {
            // Types, and what declares no memory.
            return match declared.kind {
                Kind::TypedefDecl
                | Kind::RecordDecl
                | Kind::EnumDecl
                | Kind::StaticAssertDecl
                | Kind::EmptyDecl => Ok(()),
                kind => self.model(declared, format!("a declaration of this kind ({kind:?})")),
            };
        }
        if declared.storage_class.as_deref() == Some("static") {
            if let Some(function) =
                self.inlined.last().and_then(|one| self.declarations.functions.get(&one.function))
            {
                let name = function.name.as_deref().unwrap_or_default();
                let reason = format!("`{name}` keeps a value from call to call in a static variable");
                return Err(Rejection::new(Rule::Calls, self.at(declared), reason));
            }
            return self.model(declared, "a static variable inside the region; hint: declare it before");
        }
        let name = declared.name.clone().unwrap_or_default();
        let initial = declared.initial_value();
        let is_list = initial.is_some_and(|initial| initial.bare().is(Kind::InitListExpr));
        let layout = self.layout(declared.type_name());
        if layout.is_record_or_array_of() || is_list && matches!(layout, Layout::Array(..)) {
            if self.nesting == 0 && self.locals.uses.is_used_after(&self.bytes, declared.id, &name) {
                return self
                    .model(declared, format!("`{name}` is a structure that is used behind the region"));
            }
            self.described(declared, &name, true)?;
            self.record_declaration(declared, &name, (&layout, initial), out)?;
            return Ok(());
        }
        let mut variable = self.described(declared, &name, true)?;
        if variable.storage == Storage::Pointer
            && (self.is_followed(declared.id) == Some(true) || self.stays(declared, &name))
            && !self.locals.uses.is_used_after(&self.bytes, declared.id, &name)
        {
            let pointer = match initial {
                Some(value) => {
                    let pointer = self.pointer(value)?;
                    Some(self.with_kept_indices(pointer, &name, declared.id, self.at(declared), out))
                }
                None => None,
            };
            self.values.pointers.insert(declared.id, pointer);
            return Ok(());
        }
        if variable.storage != Storage::Local {
            return self
                .model(declared, format!("`{name}` is a pointer that the region sets; hint: set it before"));
        }
        if types::scalar(&self.shape(declared.type_name()).map_or(String::new(), |shape| shape.element))
            .is_none()
        {
            return self.model(declared, format!("`{name}` is a structure that the region declares"));
        }
        if self.nesting > 0 {
            self.ending.insert(declared.id);
        }
        if initial.is_none() && self.local_that_dies(declared.id).is_some() {
            // The loops that use it declare it.
            return Ok(());
        }
        variable.storage = Storage::Region;
        let value = match initial {
            Some(value) => Some(self.expression(value)?),
            None => None,
        };
        // Behind the value, which may be the code of a function.
        variable.name = self.fresh_name(&name, declared.id);
        let id = self.region.add(variable);
        self.variables.insert(declared.id, id);
        self.note_known(declared.id, value.as_ref());
        // What a block inside declares ends there.
        if self.nesting == 0 && self.locals.uses.is_used_after(&self.bytes, declared.id, &name) {
            self.region.used_after.insert(id);
        }
        out.push(ir::Node::Declaration(Declaration { variable: id, value, at: self.at(declared) }));
        Ok(())
    }

    /// Whether a variable of the region keeps its first value.
    fn stays(&self, declared: &Node, name: &str) -> bool {
        !self.locals.assigned.contains(&declared.id)
            && !self.declarations.address_taken.contains(&declared.id)
            && !self.locals.uses.is_used_after(&self.bytes, declared.id, name)
    }

    /// A pointer whose subscripts have the same values wherever its name is visible: what may change is put into scalars.
    pub(super) fn with_kept_indices(
        &mut self,
        pointer: Pointer,
        name: &str,
        id: Id,
        at: Position,
        out: &mut Vec<ir::Node>,
    ) -> Pointer {
        let mut kept = |reader: &mut Self, value: Expression| {
            if matches!(value.kind, ExpressionKind::Integer(_) | ExpressionKind::Iterator(_)) {
                return value;
            }
            let scalar = Scalar::LONG;
            let variable = reader.new_scalar(&format!("{name}_index"), id, scalar, Storage::Region);
            reader.made.insert(variable);
            let value = Some(convert::convert(value, scalar));
            out.push(ir::Node::Declaration(Declaration { variable, value, at }));
            let reference = Reference { variable, path: Vec::new(), scalar, at };
            Expression { kind: ExpressionKind::Read(reference), scalar }
        };
        let Pointer { mut target, offset, is_object } = pointer;
        for step in &mut target.path {
            if let Step::Index(index) = step {
                *index = kept(self, index.clone());
            }
        }
        let offset = offset.map(|offset| kept(self, offset));
        Pointer { target, offset, is_object }
    }
}

/// Whether a statement is what the C library makes of `assert`.
fn is_assertion(node: &Node) -> bool {
    let fails = |node: &Node| {
        let name = called(node).map(|(_, name)| name);
        node.is(Kind::CallExpr) && matches!(name, Some("__assert_fail" | "__assert_rtn" | "__assert"))
    };
    fails(node) || node.inner.iter().any(is_assertion)
}
