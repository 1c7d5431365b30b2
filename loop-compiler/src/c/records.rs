//! Structures that a region declares, or that functions take and return by value: each member that is a number is a variable of
//! its own, and each that is a pointer a name for what it points to.

use clang_ast::Kind;

use super::{
    ast::{Node, NodeExt},
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

/// Numbers of a structure or an array that are set one by one.
const MAX_ELEMENTS: usize = 64;

/// What a type is made of.
#[derive(Clone, Debug)]
pub(super) enum Layout {
    Number(Scalar),
    Pointer,
    Array(usize, Box<Layout>),
    Record(Vec<(String, Layout)>),
    /// What no expression reads: a union, an array whose length is not a number.
    Other,
}

/// The value of a part of a structure that has no parts.
#[derive(Clone)]
enum Part {
    Number(Expression),
    Pointer(Option<Pointer>),
    /// Nobody can read it.
    Other,
}

/// Parts without parts, each with its way.
type Parts<'l> = Vec<(Vec<Step>, &'l Layout)>;

impl Layout {
    pub fn is_record(&self) -> bool {
        matches!(self, Layout::Record(_))
    }

    /// Whether it is a structure, or an array of structures.
    pub fn is_record_or_array_of(&self) -> bool {
        match self {
            Layout::Array(_, element) => element.is_record_or_array_of(),
            layout => layout.is_record(),
        }
    }

    fn parts(&self) -> Parts<'_> {
        let mut found = Vec::new();
        self.add_parts(&mut Vec::new(), &mut found);
        found
    }

    fn add_parts<'l>(&'l self, path: &mut Vec<Step>, found: &mut Parts<'l>) {
        match self {
            // One more says that there are too many.
            _ if found.len() > MAX_ELEMENTS => {}
            Layout::Array(length, element) => {
                for index in 0..*length {
                    path.push(Step::Index(Expression::integer(index as i128, Scalar::LONG)));
                    element.add_parts(path, found);
                    path.pop();
                }
            }
            Layout::Record(members) => {
                for (name, member) in members {
                    path.push(Step::Member(name.clone()));
                    member.add_parts(path, found);
                    path.pop();
                }
            }
            Layout::Number(_) | Layout::Pointer | Layout::Other => found.push((path.clone(), self)),
        }
    }

    /// The members that are numbers, as arrays: names, lengths and types.
    fn arrays(&self) -> Vec<(Vec<String>, Vec<usize>, Scalar)> {
        match self {
            Layout::Number(scalar) => vec![(Vec::new(), Vec::new(), *scalar)],
            Layout::Array(length, element) => {
                let mut arrays = element.arrays();
                arrays.iter_mut().for_each(|(_, lengths, _)| lengths.insert(0, *length));
                arrays
            }
            Layout::Record(members) => {
                let all = members.iter().flat_map(|(name, member)| {
                    let mut arrays = member.arrays();
                    arrays.iter_mut().for_each(|(names, ..)| names.insert(0, name.clone()));
                    arrays
                });
                all.collect()
            }
            Layout::Pointer | Layout::Other => Vec::new(),
        }
    }
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
                Some((_, Part::Number(value))) => Some(value.clone()),
                _ => None,
            };
            out.push(ir::Node::Declaration(Declaration { variable, value, at }));
        }
        let is_declared = |path: &[Step]| path.iter().all(|step| matches!(step, Step::Member(_)));
        for (path, part) in parts.into_iter().flatten() {
            match part {
                Part::Number(_) if is_declared(&path) => {}
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
        let target = self.location(target)?;
        let name = self.region.variable(target.variable).name.clone();
        self.set_record(node, (&target, &name), parts, out)
    }

    /// Sets each part of a structure. All values are known before any part changes.
    fn set_record(
        &mut self,
        node: &Node,
        (target, name): (&Reference, &str),
        parts: Vec<(Vec<Step>, Part)>,
        out: &mut Vec<ir::Node>,
    ) -> Result<(), Rejection> {
        let at = self.at(node);
        let mut kept = Vec::new();
        for (path, part) in parts {
            let part = match part {
                Part::Number(value) if !matches!(value.kind, ExpressionKind::Integer(_)) => {
                    let scalar = value.scalar;
                    let variable = self.region.add(Variable {
                        name: self.fresh_name(&format!("{name}_part"), clang_ast::Id::default()),
                        scalar,
                        declared_type: String::new(),
                        extents: Vec::new(),
                        storage: Storage::Region,
                        aliasing: Aliasing::Distinct,
                    });
                    self.made.insert(variable);
                    out.push(ir::Node::Declaration(Declaration { variable, value: Some(value), at }));
                    let reference = Reference { variable, path: Vec::new(), scalar, at };
                    self.note_read(&reference);
                    Part::Number(Expression { kind: ExpressionKind::Read(reference), scalar })
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
        (name, part): (&str, Part),
        out: &mut Vec<ir::Node>,
    ) -> Result<(), Rejection> {
        let at = target.at;
        match part {
            Part::Number(value) => {
                let Some(target) = self.member(Reference { scalar: value.scalar, ..target }) else {
                    return self.model(node, "a part of a structure that is no number");
                };
                self.note_write(&target);
                out.push(ir::Node::Statement(Statement { target, store: Store::Assign, value, at }));
            }
            Part::Pointer(pointer) if self.records.contains(&target.variable) => {
                let id = clang_ast::Id::default();
                let pointer = pointer.map(|pointer| self.with_kept_indices(pointer, name, id, at, out));
                self.set_pointer_member(target.array(), pointer);
            }
            Part::Other if self.records.contains(&target.variable) => {}
            Part::Pointer(_) | Part::Other => {
                return self.model(node, "a structure with pointers that is stored in memory");
            }
        }
        Ok(())
    }

    /// The parts of a structure that an expression computes.
    fn parts_of(&mut self, node: &Node, layout: &Layout) -> Result<Vec<(Vec<Step>, Part)>, Rejection> {
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
                        (Part::Number(then), Part::Number(otherwise)) => {
                            let scalar = then.scalar;
                            let condition = Box::new(condition.clone());
                            let kind = ExpressionKind::Select(condition, Box::new(then), Box::new(otherwise));
                            Part::Number(Expression { kind, scalar })
                        }
                        (Part::Pointer(then), Part::Pointer(otherwise)) => {
                            Part::Pointer(then.filter(|then| Some(then) == otherwise.as_ref()))
                        }
                        _ => Part::Other,
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
    ) -> Result<Vec<(Vec<Step>, Part)>, Rejection> {
        let at = self.at(node);
        let mut read = Vec::new();
        for (path, part) in layout.parts() {
            let whole: Vec<Step> = location.path.iter().chain(&path).cloned().collect();
            let own = Reference { path: whole, at, ..location.clone() };
            let part = match part {
                Layout::Number(scalar) => match self.member(Reference { scalar: *scalar, ..own }) {
                    Some(own) => {
                        self.note_read(&own);
                        Part::Number(Expression { kind: ExpressionKind::Read(own), scalar: *scalar })
                    }
                    None => Part::Other,
                },
                Layout::Pointer => match self.pointer_member(&own) {
                    Some(pointer) => Part::Pointer(pointer),
                    None => {
                        self.note_pointer(&own);
                        Part::Pointer(Some(Pointer::to(own)))
                    }
                },
                _ => Part::Other,
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
        out: &mut Vec<(Vec<Step>, Part)>,
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
                out.push((path.clone(), Part::Number(value)));
            }
            Layout::Pointer => {
                let pointer = match node {
                    Some(node) => Some(self.pointer(node)?),
                    None => None,
                };
                out.push((path.clone(), Part::Pointer(pointer)));
            }
            Layout::Other => out.push((path.clone(), Part::Other)),
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
