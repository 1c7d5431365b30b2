//! Structures that a region declares, or that functions take and return by value: each member that is a number is a variable of
//! its own, and each that is a pointer a name for what it points to.

use clang_ast::Kind;

use super::{
    ast::{Node, NodeExt},
    layout::{Layout, MAX_ELEMENTS},
    reader::{ArrayKey, Reader},
    types,
    values::Pointer,
};
use crate::{
    ir::{
        self, Aliasing, Declaration, Expression, ExpressionKind, Position, Reference, Statement, Step,
        Storage, Store, Variable, VariableId, convert, types::Scalar,
    },
    rules::Rejection,
};

/// Structures inside each other.
const MAX_DEPTH: usize = 16;

/// The value of a part of a structure that has no parts.
#[derive(Clone)]
enum PartValue {
    Number(Expression),
    Pointer(Option<Pointer>),
    /// Nobody can read it.
    Other,
}

impl<'t> Reader<'_, 't> {
    pub(super) fn layout(&self, type_name: &str) -> Layout {
        self.layout_inside(type_name, 0)
    }

    fn layout_inside(&self, type_name: &str, depth: usize) -> Layout {
        let Some(shape) = self.shape(type_name).filter(|shape| !shape.volatile && depth < MAX_DEPTH) else {
            return Layout::Other;
        };
        let lengths: Option<Vec<usize>> =
            shape.extents.iter().map(|text| text.and_then(|text| text.parse().ok())).collect();
        let element = match (types::scalar(&shape.element), shape.pointers) {
            (_, 1) if !shape.is_array => return Layout::Pointer,
            (_, 1..) => return Layout::Other,
            (Some(scalar), _) => Layout::Number(scalar),
            (None, _) => self.record(&shape.element, depth),
        };
        let wrapped = |element, length: &usize| Layout::Array(*length, Box::new(element));
        lengths.map_or(Layout::Other, |lengths| lengths.iter().rev().fold(element, wrapped))
    }

    fn record(&self, name: &str, depth: usize) -> Layout {
        let Some(record) = self.declarations.record(name) else { return Layout::Other };
        if record.tag_used.as_deref() == Some("union") {
            return Layout::Other;
        }
        let fields = record.inner.iter().filter(|child| child.is(Kind::FieldDecl));
        let members = fields.map(|field| {
            let layout = match field.is_bitfield || field.name.is_none() {
                true => Layout::Other,
                false => self.layout_inside(field.type_name(), depth + 1),
            };
            (field.name.clone().unwrap_or_default(), layout)
        });
        Layout::Record(members.collect())
    }

    /// Whether a value is a structure that can be taken apart.
    pub(super) fn record_of(&self, type_name: &str) -> Option<Layout> {
        let is_scalar = types::scalar(type_name).is_some();
        (!is_scalar).then(|| self.layout(type_name)).filter(Layout::is_record)
    }

    /// A structure, or an array of such, that the region declares.
    pub(super) fn declared_record(&mut self, node: &Node, name: &str, layout: &Layout) -> VariableId {
        let variable = |name, scalar, extents, aliasing| Variable {
            name,
            scalar,
            declared_type: String::new(),
            extents,
            storage: Storage::Region,
            aliasing,
        };
        let mut parts = Vec::new();
        for (members, lengths, scalar) in layout.arrays() {
            let full = [&[name.to_owned()], &members[..]].concat().join("_");
            let extents =
                lengths.iter().map(|length| Some(Expression::integer(*length as i128, Scalar::LONG)));
            // Pointers lead to it while the region is read.
            let own = variable(self.fresh_name(&full, node.id), scalar, extents.collect(), Aliasing::Shared);
            let own = self.region.add(own);
            self.made.insert(own);
            parts.push((members, own));
        }
        let whole = self.fresh_name(name, node.id);
        let id = self.region.add(variable(whole, Scalar::INT, Vec::new(), Aliasing::Shared));
        self.members.extend(parts.into_iter().map(|(members, own)| ((id, members), own)));
        self.records.insert(id);
        self.variables.insert(node.id, id);
        id
    }

    /// A part of a structure that the region declares by the variable that is in its place.
    pub(super) fn member(&self, reference: Reference) -> Option<Reference> {
        if !self.records.contains(&reference.variable) {
            return Some(reference);
        }
        let variable = *self.members.get(&reference.array())?;
        let path = reference.path.into_iter().filter(|step| matches!(step, Step::Index(_))).collect();
        Some(Reference { variable, path, ..reference })
    }

    /// The value of a pointer that is a member of a structure of the region; none of another one.
    pub(super) fn pointer_member(&self, of: &Reference) -> Option<Option<Pointer>> {
        self.records.contains(&of.variable).then(|| self.values.members.get(&of.array())?.1.clone())
    }

    fn set_pointer_member(&mut self, key: ArrayKey, pointer: Option<Pointer>) {
        self.changes_of_members += 1;
        self.values.members.insert(key, (self.changes_of_members, pointer));
    }

    /// A declaration of a structure, or of an array with initial values.
    pub(super) fn record_declaration(
        &mut self,
        declared: &Node,
        name: &str,
        (layout, initial): (&Layout, Option<&Node>),
        out: &mut Vec<ir::Node>,
    ) -> Result<VariableId, Rejection> {
        let parts = match initial {
            Some(initial) => Some(self.parts_of(initial, layout)?),
            None => None,
        };
        let id = self.declared_record(declared, name, layout);
        let at = self.at(declared);
        for (members, lengths, _) in layout.arrays() {
            let variable = self.members[&(id, members.clone())];
            // A number is declared with its value.
            let own: Vec<Step> = members.into_iter().map(Step::Member).collect();
            let value = parts.iter().flatten().find(|(path, _)| *path == own && lengths.is_empty());
            let value = match value {
                Some((_, PartValue::Number(value))) => Some(value.clone()),
                _ => None,
            };
            out.push(ir::Node::Declaration(Declaration { variable, value, at }));
        }
        let is_declared = |path: &[Step]| path.iter().all(|step| matches!(step, Step::Member(_)));
        for (path, part) in parts.into_iter().flatten() {
            match part {
                PartValue::Number(_) if is_declared(&path) => {}
                part => {
                    let target = Reference { variable: id, path, scalar: Scalar::INT, at };
                    self.set_part(declared, target, (name, part), out)?;
                }
            }
        }
        Ok(id)
    }

    /// `a = b` of structures.
    pub(super) fn record_assignment(
        &mut self,
        node: &Node,
        layout: &Layout,
        out: &mut Vec<ir::Node>,
    ) -> Result<(), Rejection> {
        let (Some(target), Some(value)) = (node.child(0), node.child(1)) else {
            return self.model(node, "an assignment of nothing");
        };
        let parts = self.parts_of(value, layout)?;
        let mut target = self.location(target)?;
        let name = self.region.variable(target.variable).name.clone();
        // One part may be a number that the target's subscripts load.
        let loads = |subscript: &Expression| subscript.reads().iter().any(|read| !read.path.is_empty());
        if target.subscripts().any(loads) {
            let id = clang_ast::Id::default();
            target = self.with_kept_indices(Pointer::to(target), &name, id, self.at(node), out).target;
        }
        self.set_record(node, (&target, &name), parts, out)
    }

    /// Sets each part of a structure. All values are known before any part changes.
    fn set_record(
        &mut self,
        node: &Node,
        (target, name): (&Reference, &str),
        parts: Vec<(Vec<Step>, PartValue)>,
        out: &mut Vec<ir::Node>,
    ) -> Result<(), Rejection> {
        let at = self.at(node);
        let mut kept = Vec::new();
        for (path, part) in parts {
            let part = match part {
                PartValue::Number(value) if !matches!(value.kind, ExpressionKind::Integer(_)) => {
                    let scalar = value.scalar;
                    let part = format!("{name}_part");
                    let variable = self.new_scalar(&part, clang_ast::Id::default(), scalar, Storage::Region);
                    self.made.insert(variable);
                    out.push(ir::Node::Declaration(Declaration { variable, value: Some(value), at }));
                    PartValue::Number(self.value_of(variable, at))
                }
                other => other,
            };
            kept.push((path, part));
        }
        for (path, part) in kept {
            let path = target.path.iter().cloned().chain(path).collect();
            self.set_part(node, Reference { path, at, ..target.clone() }, (name, part), out)?;
        }
        Ok(())
    }

    fn set_part(
        &mut self,
        node: &Node,
        target: Reference,
        (name, part): (&str, PartValue),
        out: &mut Vec<ir::Node>,
    ) -> Result<(), Rejection> {
        let at = target.at;
        match part {
            PartValue::Number(value) => {
                let Some(target) = self.member(Reference { scalar: value.scalar, ..target }) else {
                    return self.model(node, "a part of a structure that is not a number");
                };
                self.note_write(&target);
                out.push(ir::Node::Statement(Statement { target, store: Store::Assign, value, at }));
            }
            PartValue::Pointer(pointer) if self.records.contains(&target.variable) => {
                let id = clang_ast::Id::default();
                let pointer = pointer.map(|pointer| self.with_kept_indices(pointer, name, id, at, out));
                self.set_pointer_member(target.array(), pointer);
            }
            PartValue::Other if self.records.contains(&target.variable) => {}
            PartValue::Pointer(_) | PartValue::Other => {
                return self.model(node, "a structure with pointers that is stored in memory");
            }
        }
        Ok(())
    }

    /// The parts of a structure that an expression computes.
    fn parts_of(&mut self, node: &Node, layout: &Layout) -> Result<Vec<(Vec<Step>, PartValue)>, Rejection> {
        if layout.parts().len() > MAX_ELEMENTS {
            let reason =
                format!("more than {MAX_ELEMENTS} elements of a structure or an array that are set at once");
            return self.model(node, reason);
        }
        let node = node.bare();
        match (node.kind, node.cast_kind.as_deref(), node.child(0)) {
            (Kind::InitListExpr | Kind::ImplicitValueInitExpr, ..) => {
                let mut parts = Vec::new();
                self.listed(Some(node), layout, &mut Vec::new(), &mut parts)?;
                Ok(parts)
            }
            (Kind::CompoundLiteralExpr, _, Some(list)) => self.parts_of(list, layout),
            (Kind::ImplicitCastExpr, Some("LValueToRValue" | "NoOp"), Some(inner)) => {
                self.parts_of(inner, layout)
            }
            (Kind::ConditionalOperator, _, Some(_)) => {
                let condition = self.first_operand(node)?;
                let [Some(then), Some(otherwise)] = [1, 2].map(|index| node.child(index)) else {
                    return self.model(node, "an expression without its operand");
                };
                let then = self.without_effects(|reader| reader.parts_of(then, layout))?;
                let otherwise = self.without_effects(|reader| reader.parts_of(otherwise, layout))?;
                let chosen = then.into_iter().zip(otherwise).map(|((path, then), (_, otherwise))| {
                    let part = match (then, otherwise) {
                        (PartValue::Number(then), PartValue::Number(otherwise)) => {
                            let scalar = then.scalar;
                            let condition = Box::new(condition.clone());
                            let kind = ExpressionKind::Select(condition, Box::new(then), Box::new(otherwise));
                            PartValue::Number(Expression { kind, scalar })
                        }
                        (PartValue::Pointer(then), PartValue::Pointer(otherwise)) => {
                            PartValue::Pointer(then.filter(|then| Some(then) == otherwise.as_ref()))
                        }
                        _ => PartValue::Other,
                    };
                    (path, part)
                });
                Ok(chosen.collect())
            }
            _ => {
                let location = self.location(node)?;
                self.read_parts(node, &location, layout)
            }
        }
    }

    /// The parts of a structure that is somewhere.
    fn read_parts(
        &mut self,
        node: &Node,
        location: &Reference,
        layout: &Layout,
    ) -> Result<Vec<(Vec<Step>, PartValue)>, Rejection> {
        let at = self.at(node);
        let mut read = Vec::new();
        for (path, part) in layout.parts() {
            let whole: Vec<Step> = location.path.iter().chain(&path).cloned().collect();
            let own = Reference { path: whole, at, ..location.clone() };
            let part = match part {
                Layout::Number(scalar) => match self.member(Reference { scalar: *scalar, ..own }) {
                    Some(own) => {
                        self.note_read(&own);
                        PartValue::Number(Expression { kind: ExpressionKind::Read(own), scalar: *scalar })
                    }
                    None => PartValue::Other,
                },
                Layout::Pointer => match self.pointer_member(&own) {
                    Some(pointer) => PartValue::Pointer(pointer),
                    None => {
                        self.note_pointer(&own);
                        PartValue::Pointer(Some(Pointer::to(own)))
                    }
                },
                _ => PartValue::Other,
            };
            read.push((path, part));
        }
        Ok(read)
    }

    /// The parts of what a list in braces initialises; what it leaves out is zero.
    fn listed(
        &mut self,
        node: Option<&Node>,
        layout: &Layout,
        path: &mut Vec<Step>,
        out: &mut Vec<(Vec<Step>, PartValue)>,
    ) -> Result<(), Rejection> {
        let node = node.filter(|node| !node.is(Kind::ImplicitValueInitExpr));
        let list = node.map(NodeExt::bare).filter(|node| node.is(Kind::InitListExpr));
        match layout {
            Layout::Array(length, element) if node.is_none() || list.is_some() => {
                for index in 0..*length {
                    path.push(Step::Index(Expression::integer(index as i128, Scalar::LONG)));
                    self.listed(list.and_then(|list| list.child(index)), element, path, out)?;
                    path.pop();
                }
            }
            Layout::Record(members) if node.is_none() || list.is_some() => {
                for (index, (name, member)) in members.iter().enumerate() {
                    path.push(Step::Member(name.clone()));
                    self.listed(list.and_then(|list| list.child(index)), member, path, out)?;
                    path.pop();
                }
            }
            Layout::Record(_) | Layout::Array(..) => {
                let Some(node) = node else { return Ok(()) };
                for (inner, part) in self.parts_of(node, layout)? {
                    out.push((path.iter().cloned().chain(inner).collect(), part));
                }
            }
            Layout::Number(scalar) => {
                let node = list.and_then(|list| list.child(0)).or(node);
                let value = match node {
                    Some(node) => convert::convert(self.expression(node)?, *scalar),
                    None => convert::convert(Expression::integer(0, Scalar::INT), *scalar),
                };
                out.push((path.clone(), PartValue::Number(value)));
            }
            Layout::Pointer => {
                let pointer = match node {
                    Some(node) => Some(self.pointer(node)?),
                    None => None,
                };
                out.push((path.clone(), PartValue::Pointer(pointer)));
            }
            Layout::Other => out.push((path.clone(), PartValue::Other)),
        }
        Ok(())
    }

    /// The structure that a call returns.
    pub(super) fn returned_structure(&mut self, node: &Node) -> Result<Reference, Rejection> {
        if self.record_of(node.type_name()).is_some() && self.effects.allowed {
            let mut before = Vec::new();
            if let Some(Some(result)) = self.inlined(node, &mut before)? {
                self.effects.before.extend(before);
                return Ok(result);
            }
        }
        self.rejected_call(
            node,
            "a function that returns a structure, and whose code is not read here".into(),
        )
    }

    /// What only the region reaches is apart from everything else.
    pub(super) fn finish_records(&mut self) {
        for variable in &mut self.region.variables {
            if variable.storage == Storage::Region {
                variable.aliasing = Aliasing::Distinct;
            }
        }
    }

    /// A structure that a position of the program sets as a result.
    pub(super) fn returned_record(
        &mut self,
        node: &Node,
        (variable, layout): (VariableId, &Layout),
        value: &Node,
        out: &mut Vec<ir::Node>,
    ) -> Result<(), Rejection> {
        let at: Position = self.at(node);
        let parts = self.parts_of(value, layout)?;
        let target = Reference { variable, path: Vec::new(), scalar: Scalar::INT, at };
        let name = self.region.variable(variable).name.clone();
        self.set_record(node, (&target, &name), parts, out)
    }
}
