//! What a file declares: functions, members, enumerators, and the variables of a function.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use clang_ast::{Id, Kind};

use super::{
    ast::{Node, NodeExt},
    pragmas::Marks,
    uses::{Uses, words},
};

/// Declarations of a whole file.
pub(super) struct Declarations<'t> {
    pub functions: HashMap<Id, &'t Node>,
    /// By name: the declaration with a body, if there is one.
    definitions: HashMap<&'t str, &'t Node>,
    pub enumerators: HashMap<Id, i128>,
    /// Members that share memory with others: bit-fields, and those of unions.
    pub shared_members: HashSet<Id>,
    /// Variables outside functions.
    pub globals: HashMap<Id, &'t Node>,
    /// Of each name of a variable with linkage the first declaration: others are of the same object.
    first: HashMap<&'t str, Id>,
    /// That one, of the declarations with linkage.
    objects: HashMap<Id, Id>,
    /// Variables whose address is taken, and arrays that are used as pointers.
    pub address_taken: HashSet<Id>,
    /// Other names of types for which C's rule of types does not hold: `may_alias`.
    pub may_alias: HashSet<&'t str>,
    /// Other names of types, as they are written: clang resolves those of whole types alone, not of elements.
    pub type_names: HashMap<&'t str, &'t str>,
    /// Structures, unions and enumerations that have a name.
    pub tags: HashMap<&'t str, &'t Node>,
    /// Structures and unions.
    records: HashMap<Id, &'t Node>,
    /// The structures and unions that other names of types stand for.
    named_records: HashMap<&'t str, Id>,
}

impl<'t> Declarations<'t> {
    pub fn of(unit: &'t Node) -> Declarations<'t> {
        let mut declarations = Declarations {
            functions: HashMap::new(),
            definitions: HashMap::new(),
            enumerators: HashMap::new(),
            shared_members: HashSet::new(),
            globals: HashMap::new(),
            first: HashMap::new(),
            objects: HashMap::new(),
            address_taken: HashSet::new(),
            may_alias: HashSet::new(),
            type_names: HashMap::new(),
            tags: HashMap::new(),
            records: HashMap::new(),
            named_records: HashMap::new(),
        };
        declarations.add(unit);
        declarations.add_objects(unit);
        add_address_taken(unit, &mut declarations.address_taken);
        let taken = declarations.address_taken.iter();
        let objects: Vec<Id> = taken.map(|id| declarations.object(*id)).collect();
        declarations.address_taken.extend(objects);
        declarations
    }

    /// The declaration that stands for a variable.
    pub fn object(&self, id: Id) -> Id {
        self.objects.get(&id).copied().unwrap_or(id)
    }

    fn add_objects(&mut self, node: &'t Node) {
        for child in &node.inner {
            let has_linkage =
                self.globals.contains_key(&child.id) || child.storage_class.as_deref() == Some("extern");
            if let Some(name) = child.name.as_deref().filter(|_| child.is(Kind::VarDecl) && has_linkage) {
                let first = *self.first.entry(name).or_insert(child.id);
                self.objects.insert(child.id, first);
            }
            self.add_objects(child);
        }
    }

    /// Whether no pointer points to a variable, as other files do not know it.
    pub fn is_hidden(&self, id: Id) -> bool {
        let is_static = |declared: &&Node| declared.storage_class.as_deref() == Some("static");
        let is_known = self.globals.get(&id).is_none_or(is_static);
        is_known && !self.address_taken.contains(&id)
    }

    fn add(&mut self, node: &'t Node) {
        for child in &node.inner {
            match child.kind {
                Kind::FunctionDecl | Kind::CXXMethodDecl => {
                    self.functions.insert(child.id, child);
                    if let (Some(name), Some(_)) = (&child.name, body(child)) {
                        self.definitions.insert(name, child);
                    }
                }
                Kind::VarDecl => {
                    self.globals.insert(child.id, child);
                }
                Kind::TypedefDecl | Kind::TypeAliasDecl => {
                    if let (Some(name), Some(of_type)) = (&child.name, &child.of_type) {
                        let of_other =
                            || words(&of_type.qual_type).any(|word| self.may_alias.contains(&*word));
                        if child.inner.iter().any(|child| child.is(Kind::MayAliasAttr)) || of_other() {
                            self.may_alias.insert(name);
                        }
                        self.type_names.insert(name, &of_type.qual_type);
                    }
                    let declared = child.child(0).and_then(|inner| inner.decl.as_ref());
                    if let (Some(name), Some(decl)) = (&child.name, declared) {
                        self.named_records.insert(name, decl.id);
                    }
                }
                Kind::EnumDecl => {
                    self.add_tag(child);
                    self.add_enumerators(child);
                }
                Kind::RecordDecl | Kind::CXXRecordDecl => {
                    if child.inner.iter().any(|child| child.is(Kind::MayAliasAttr)) {
                        self.may_alias.extend(child.name.as_deref());
                    }
                    self.add_tag(child);
                    self.records.insert(child.id, child);
                    self.add_members(child);
                    self.add(child);
                }
                Kind::NamespaceDecl | Kind::LinkageSpecDecl | Kind::TranslationUnitDecl => self.add(child),
                _ => {}
            }
        }
    }

    fn add_enumerators(&mut self, node: &'t Node) {
        let mut next = 0i128;
        for constant in node.inner.iter().filter(|child| child.is(Kind::EnumConstantDecl)) {
            if let Some(value) = constant.child(0).and_then(constant_value) {
                next = value;
            }
            self.enumerators.insert(constant.id, next);
            next += 1;
        }
    }

    fn add_tag(&mut self, node: &'t Node) {
        if let Some(name) = node.name.as_deref().filter(|_| !node.inner.is_empty()) {
            self.tags.insert(name, node);
        }
    }

    /// The names of functions, variables and types.
    pub fn names(&self) -> impl Iterator<Item = &'t str> {
        let declared = self.functions.values().chain(self.globals.values());
        let declared = declared.filter_map(|node| node.name.as_deref());
        declared.chain(self.type_names.keys().copied())
    }

    /// The structure or union that a type without qualifiers names; clang writes `struct` also before another name of one
    /// that has no tag.
    pub fn record(&self, type_name: &str) -> Option<&'t Node> {
        let name = type_name.strip_prefix("struct ").unwrap_or(type_name);
        let of_tag = self.tags.get(name).filter(|_| name != type_name);
        of_tag.or_else(|| self.records.get(self.named_records.get(name)?)).copied()
    }

    fn add_members(&mut self, record: &'t Node) {
        let union = record.tag_used.as_deref() == Some("union");
        for field in record.inner.iter().filter(|child| child.is(Kind::FieldDecl)) {
            if union || field.is_bitfield {
                self.shared_members.insert(field.id);
            }
        }
    }

    /// The function with its body, wherever it is declared.
    pub fn body_of(&self, id: Id) -> Option<&'t Node> {
        let declaration = *self.functions.get(&id)?;
        let definition = match body(declaration) {
            Some(_) => declaration,
            None => *self.definitions.get(declaration.name.as_deref()?)?,
        };
        let is_weak = |node: &Node| node.inner.iter().any(|child| child.is(Kind::WeakAttr));
        (!is_weak(declaration) && !is_weak(definition)).then_some(definition)
    }

    /// The function with its body, wherever it is declared, if no other file can replace it.
    pub fn definition(&self, id: Id) -> Option<&'t Node> {
        let declaration = *self.functions.get(&id)?;
        let definition = match body(declaration) {
            Some(_) => declaration,
            None => *self.definitions.get(declaration.name.as_deref()?)?,
        };
        let is_own =
            |node: &Node| node.storage_class.as_deref() == Some("static") || node.inline || node.constexpr;
        (is_own(declaration) || is_own(definition)).then_some(definition)
    }
}

/// The value of an enumerator or another constant expression.
fn constant_value(node: &Node) -> Option<i128> {
    match &node.value {
        Some(serde_json::Value::String(text)) => text.parse().ok(),
        Some(serde_json::Value::Number(number)) => number.as_i64().map(i128::from),
        _ => node.child(0).and_then(constant_value),
    }
}

/// The statements of a function.
pub(super) fn body(function: &Node) -> Option<&Node> {
    function.inner.iter().find(|child| child.is(Kind::CompoundStmt))
}

/// The variables of a function.
pub(super) struct Locals<'t> {
    pub variables: HashMap<Id, &'t Node>,
    pub parameters: HashSet<Id>,
    /// Variables that are given a value after their declaration.
    pub assigned: HashSet<Id>,
    /// Variables of which a part is given a value.
    pub changed_parts: HashSet<Id>,
    /// The names of the function's own variables.
    pub own: HashSet<String>,
    /// Every name in the function.
    pub names: HashSet<String>,
    /// Where variables are used, as iterators and else.
    pub uses: Uses,
    /// The bytes of each loop.
    loops: Vec<Range<usize>>,
    /// Where variables are given values after their declarations.
    changes: HashMap<Id, Vec<usize>>,
    /// Statements of blocks that set a variable: its value, and the bytes of statement and block.
    settings: HashMap<Id, Vec<Setting<'t>>>,
}

/// A statement of a block that sets a variable, or declares it with a value.
#[derive(Clone)]
struct Setting<'t> {
    value: &'t Node,
    statement: Range<usize>,
    block: Range<usize>,
}

impl<'t> Locals<'t> {
    /// Also of the functions that it calls, whose code may take the place of calls.
    pub fn of(function: &'t Node, declarations: &Declarations<'t>, file: &str, marks: &Marks) -> Locals<'t> {
        let mut locals = Locals {
            variables: HashMap::new(),
            parameters: HashSet::new(),
            assigned: HashSet::new(),
            changed_parts: HashSet::new(),
            own: HashSet::new(),
            names: HashSet::new(),
            uses: Uses::of(function, file, marks),
            loops: Vec::new(),
            changes: HashMap::new(),
            settings: HashMap::new(),
        };
        locals.add(function, file);
        locals.own = locals.variables.values().filter_map(|declared| declared.name.clone()).collect();
        let parameters = locals.parameters.clone();
        let mut seen = HashSet::from([function.id]);
        let mut called = vec![function];
        while let Some(function) = called.pop() {
            let mut inside = Vec::new();
            calls(function, declarations, &mut inside);
            for definition in inside.into_iter().filter(|definition| may_take_place(definition, file)) {
                if seen.len() < MAX_CALLED && seen.insert(definition.id) {
                    locals.add(definition, file);
                    locals.uses.add_called(definition, file);
                    called.push(definition);
                }
            }
        }
        locals.parameters = parameters;
        locals
    }

    /// Loops around some bytes of which a variable outlives the iterations.
    fn loops_around<'a>(
        &'a self,
        bytes: &'a Range<usize>,
        id: Id,
        file: &str,
    ) -> impl Iterator<Item = &'a Range<usize>> {
        let declared = self.variables.get(&id).filter(|_| !self.parameters.contains(&id));
        let declared = declared.and_then(|declared| declared.bytes_in(file));
        self.loops.iter().filter(move |around| {
            let is_around = around.start <= bytes.start && bytes.end <= around.end && *around != bytes;
            is_around && declared.as_ref().is_none_or(|own| own.start < around.start || around.end < own.end)
        })
    }

    /// Whether nobody uses a variable any more behind some bytes, nor comes back to use it there.
    pub fn is_over_after(&self, bytes: &Range<usize>, id: Id, name: &str, file: &str) -> bool {
        !self.uses.is_used_after(bytes, id, name) && self.loops_around(bytes, id, file).next().is_none()
    }

    /// What a variable has been set to when a region begins, whenever that is, by the last statement that sets it, and the bytes of
    /// that.
    pub fn set_before(&self, region: &Range<usize>, id: Id) -> Option<(&'t Node, Range<usize>)> {
        let settings = self.settings.get(&id)?;
        let is_around = |block: &Range<usize>| block.start <= region.start && region.end <= block.end;
        let before = settings.iter().filter(|one| one.statement.end <= region.start && is_around(&one.block));
        let last = before.max_by_key(|one| one.statement.start)?;
        self.stays_until(region, id, &last.statement).then(|| (last.value, last.statement.clone()))
    }

    /// Whether a variable keeps its value from a statement to the first time a region is executed, and is the same each time.
    pub fn stays_until(&self, region: &Range<usize>, id: Id, since: &Range<usize>) -> bool {
        // Those that begin behind the declaration bring what they change back to the region.
        let around = self.loops.iter().filter(|around| {
            since.end <= around.start && around.start <= region.start && region.end <= around.end
        });
        let is_around = |around: &&Range<usize>| **around != *region;
        let end = around.filter(is_around).map(|around| around.end).max().unwrap_or(region.start);
        let changes = self.changes.get(&id).map_or(&[][..], Vec::as_slice);
        !self.uses.has_jumps() && !changes.iter().any(|at| since.end <= *at && *at < end)
    }

    /// Whether a region alone uses the variable of that name, of which there is one.
    pub fn is_used_only_in(&self, region: &Range<usize>, name: &str) -> bool {
        let mut named = self.variables.iter().filter(|(_, declared)| declared.name.as_deref() == Some(name));
        let (Some((id, _)), None) = (named.next(), named.next()) else { return false };
        self.uses.is_used_only_in(region, *id, name)
    }

    /// Variables declared outside of a region that nothing names but the loops in some `regions`, of which it has the last
    /// one.
    pub fn unused_outside(&self, regions: &[Range<usize>], region: &Range<usize>, file: &str) -> Vec<String> {
        let mut found = Vec::new();
        for (id, declared) in &self.variables {
            let name = declared.name.as_deref().unwrap_or_default();
            let start =
                declared.bytes_in(file).map(|bytes| bytes.start).filter(|start| !region.contains(start));
            if start.is_some() && self.uses.is_unused_outside(regions, region, *id, name) {
                found.push((start, name.to_string()));
            }
        }
        found.sort();
        found.into_iter().map(|(_, name)| name).collect()
    }

    fn add(&mut self, node: &'t Node, file: &str) {
        match node.kind {
            Kind::ForStmt | Kind::WhileStmt | Kind::DoStmt | Kind::CXXForRangeStmt => {
                self.loops.extend(node.bytes_in(file));
            }
            Kind::CompoundStmt => {
                // A `switch` may jump past its statements.
                let is_case = |child: &Node| matches!(child.kind, Kind::CaseStmt | Kind::DefaultStmt);
                if let Some(block) = node.bytes_in(file).filter(|_| !node.inner.iter().any(is_case)) {
                    node.inner.iter().for_each(|statement| self.set_in(statement, &block, file));
                }
            }
            Kind::VarDecl => {
                self.variables.insert(node.id, node);
            }
            Kind::ParmVarDecl => {
                self.variables.insert(node.id, node);
                self.parameters.insert(node.id);
            }
            Kind::DeclRefExpr => {
                self.names.extend(node.referenced_decl.as_ref().and_then(|decl| decl.name.clone()));
            }
            Kind::UnaryOperator if matches!(node.opcode(), "++" | "--") => {
                self.changed_parts.extend(node.child(0).and_then(variable_of));
                self.change(node, node.child(0).and_then(variable_of), file);
            }
            Kind::BinaryOperator | Kind::CompoundAssignOperator if is_assignment(node) => {
                self.changed_parts.extend(node.child(0).and_then(variable_of));
                self.change(node, node.child(0).map(NodeExt::bare).and_then(NodeExt::referenced), file);
            }
            _ => {}
        }
        self.names.extend(node.name.clone());
        node.inner.iter().for_each(|child| self.add(child, file));
    }

    fn set_in(&mut self, node: &'t Node, block: &Range<usize>, file: &str) {
        let parts = match node.kind {
            Kind::DeclStmt => &node.inner[..],
            Kind::BinaryOperator if node.opcode() == "," => &node.inner[..],
            _ => std::slice::from_ref(node),
        };
        for part in parts {
            let (id, value) = match part.kind {
                Kind::VarDecl => (Some(part.id), part.initial_value()),
                Kind::BinaryOperator if part.opcode() == "=" => {
                    (part.child(0).map(NodeExt::bare).and_then(NodeExt::referenced), part.child(1))
                }
                _ => continue,
            };
            if let (Some(id), Some(value), Some(statement)) = (id, value, part.bytes_in(file)) {
                let setting = Setting { value, statement, block: block.clone() };
                self.settings.entry(id).or_default().push(setting);
            }
        }
    }

    fn change(&mut self, node: &Node, id: Option<Id>, file: &str) {
        let Some(id) = id else { return };
        self.assigned.insert(id);
        // What stands elsewhere is no part of a region.
        let at = node.bytes_in(file).map_or(usize::MAX, |bytes| bytes.start);
        self.changes.entry(id).or_default().push(at);
    }
}

/// Functions whose variables are known where a function calls them.
const MAX_CALLED: usize = 64;

/// The definitions of functions that a part of a program calls.
fn calls<'t>(node: &Node, declarations: &Declarations<'t>, out: &mut Vec<&'t Node>) {
    if node.is(Kind::CallExpr)
        && let Some(id) = callee(node)
    {
        out.extend(declarations.body_of(id));
    }
    node.inner.iter().for_each(|child| calls(child, declarations, out));
}

/// Whether the code of a function may take the place of a call: one of the file, or one that a header has for each file.
pub(super) fn may_take_place(definition: &Node, file: &str) -> bool {
    let is_extern = definition.storage_class.as_deref() == Some("extern");
    let is_static = definition.storage_class.as_deref() == Some("static");
    definition.bytes_in(file).is_some() || !is_extern && (is_static || definition.inline)
}

/// The function that a call names.
pub(super) fn callee(call: &Node) -> Option<Id> {
    called(call).map(|(id, _)| id)
}

/// That function, and its name.
pub(super) fn called(call: &Node) -> Option<(Id, &str)> {
    let callee = call.child(0)?.bare();
    let callee = callee.child(0).map_or(callee, NodeExt::bare);
    let declared = callee.referenced_decl.as_ref().filter(|_| callee.is(Kind::DeclRefExpr))?;
    Some((declared.id, declared.name.as_deref()?))
}

/// Adds the variables whose address a node takes.
fn add_address_taken(node: &Node, found: &mut HashSet<Id>) {
    match node.kind {
        Kind::UnaryOperator if node.opcode() == "&" => {
            found.extend(node.child(0).and_then(variable_of));
        }
        Kind::LambdaExpr | Kind::GCCAsmStmt => all_references(node, found),
        _ => {}
    }
    let subscript = node.is(Kind::ArraySubscriptExpr);
    for child in &node.inner {
        // An array decays to a pointer that may be kept, unless its element is used at once.
        let decays = child.cast_kind.as_deref() == Some("ArrayToPointerDecay");
        if decays && !subscript {
            found.extend(child.child(0).and_then(variable_of));
        }
        add_address_taken(child, found);
    }
}

pub(super) fn is_assignment(node: &Node) -> bool {
    node.is(Kind::CompoundAssignOperator) || node.opcode() == "="
}

fn all_references(node: &Node, found: &mut HashSet<Id>) {
    found.extend(node.referenced());
    node.inner.iter().for_each(|child| all_references(child, found));
}

/// The variable of which a node names a part.
pub(super) fn variable_of(node: &Node) -> Option<Id> {
    let node = node.bare();
    match node.kind {
        Kind::DeclRefExpr => node.referenced(),
        Kind::ArraySubscriptExpr | Kind::MemberExpr | Kind::ImplicitCastExpr => {
            node.child(0).and_then(variable_of)
        }
        _ => None,
    }
}
