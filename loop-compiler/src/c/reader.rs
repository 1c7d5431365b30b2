//! The state of reading one region: its variables, and what is read and written so far.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    ops::Range,
};

use clang_ast::{Id, Kind};

use super::{
    ast::{Node, NodeExt},
    pragmas::Marks,
    provenance::{Provenance, Root},
    scope::{Declarations, Locals},
    source::Input,
    types,
    values::{Effects, Frame, Inlined, Values},
};
use crate::{
    ir::{
        Aliasing, Expression, ExpressionKind, Position, Reference, Region, Storage, Variable, VariableId,
        types::Scalar,
    },
    rules::{Rejection, Rule},
};

/// Loops and guards inside each other, so that every later step may be recursive.
const MAX_NESTING: usize = 64;

/// An array as a whole: a variable and the members on the way.
pub(super) type ArrayKey = (VariableId, Vec<String>);

/// Reads one region.
pub(super) struct Reader<'r, 't> {
    pub(super) declarations: &'r Declarations<'t>,
    pub(super) locals: &'r Locals<'t>,
    /// Of the function's pointers.
    pub(super) provenance: &'r Provenance<'t>,
    pub(super) input: &'r Input<'r>,
    pub(super) marks: &'r Marks,
    pub(super) file: &'r str,
    pub(super) text: &'r [u8],
    /// Of the region.
    pub(super) bytes: Range<usize>,
    pub(super) region: Region,
    pub(super) variables: HashMap<Id, VariableId>,
    /// What pointers that the region sets, and integers that its loops count with, are at this place.
    pub(super) values: Values,
    /// Pointers of the function that the region sets.
    pub(super) set_pointers: BTreeSet<Id>,
    /// Variables that the region changes.
    pub(super) changed: BTreeSet<Id>,
    /// If the directives of loops are to be checked, those that stay variables of the region, as directives speak of them.
    pub(super) kept: Option<&'r BTreeSet<Id>>,
    /// Integers that may have another value here than where the region begins.
    pub(super) stored: BTreeSet<Id>,
    /// What the expression that is read does besides having a value.
    pub(super) effects: Effects,
    /// Functions whose code is read in place of calls, outermost first, and the nodes of all such code.
    pub(super) inlined: Vec<Inlined>,
    pub(super) inlined_nodes: usize,
    /// Structures that the region declares.
    pub(super) records: BTreeSet<VariableId>,
    /// The variables in place of their members.
    pub(super) members: BTreeMap<ArrayKey, VariableId>,
    /// How often members that are pointers have been set.
    pub(super) changes_of_members: u32,
    /// The variable to which the value is assigned that is read.
    pub(super) assigned: Option<Id>,
    /// What follows the statements that are read, outermost first.
    pub(super) frames: Vec<Frame<'t>>,
    /// Statements that have been read behind others with jumps, and the nodes of those that were read again.
    pub(super) read: HashSet<Id>,
    pub(super) repeated: usize,
    /// Variables that are no variables of the program.
    pub(super) made: BTreeSet<VariableId>,
    /// Iterators of the loops around, outermost first.
    pub(super) iterators: Vec<VariableId>,
    /// Variables that are the iterator of some loop and not declared by it.
    pub(super) outer_iterators: BTreeSet<VariableId>,
    /// Variables that end with a block inside the region.
    pub(super) ending: HashSet<Id>,
    /// Levels of expressions and of loops around.
    pub(super) depth: usize,
    pub(super) nesting: usize,
    pub(super) writes: BTreeMap<ArrayKey, Position>,
    pub(super) reads: BTreeMap<ArrayKey, Position>,
    /// The types of what is read and written.
    pub(super) scalars: BTreeMap<ArrayKey, Scalar>,
    /// What variables, or what they point to, are made of.
    pub(super) memory: BTreeMap<VariableId, BTreeSet<Root>>,
    /// Where pointers that are variables are kept.
    pub(super) places: BTreeMap<VariableId, BTreeSet<Root>>,
    /// Arrays that are reached through a pointer in memory: how many steps lead to the pointer, and whether there are several.
    pub(super) loaded: BTreeMap<ArrayKey, Loaded>,
    /// Arrays whose types may be those of any object.
    pub(super) untyped: BTreeSet<ArrayKey>,
    /// Integers in memory that are taken not to change.
    pub(super) relied: RefCell<BTreeSet<ArrayKey>>,
}

/// A pointer that is loaded from memory.
#[derive(Clone, Copy)]
pub(super) struct Loaded {
    /// The steps from the variable to the pointer.
    pub steps: usize,
    /// Whether different elements are different pointers.
    pub varies: bool,
}

impl<'r, 't> Reader<'r, 't> {
    /// Where a node begins; of the code of a header where the call is that it takes the place of.
    pub(super) fn at(&self, node: &Node) -> Position {
        let location = node.range.as_ref().and_then(|range| range.begin.expansion_loc.as_ref());
        if let Some(call) = self.inlined.last()
            && location.is_some_and(|at| *at.file != *self.file)
        {
            return call.at;
        }
        location.map_or(Position::default(), |at| Position { line: at.line as u32, column: at.col as u32 })
    }

    pub(super) fn model<T>(&self, node: &Node, reason: impl Into<String>) -> Result<T, Rejection> {
        Err(Rejection::new(Rule::Model, self.at(node), reason))
    }

    pub(super) fn new(
        declarations: &'r Declarations<'t>,
        (locals, provenance): (&'r Locals<'t>, &'r Provenance<'t>),
        input: &'r Input<'r>,
        marks: &'r Marks,
        (file, text): (&'r str, &'r [u8]),
        bytes: Range<usize>,
        kept: Option<&'r BTreeSet<Id>>,
    ) -> Self {
        Reader {
            declarations,
            locals,
            provenance,
            input,
            marks,
            file,
            text,
            bytes,
            region: Region::default(),
            variables: HashMap::new(),
            values: Values::default(),
            set_pointers: BTreeSet::new(),
            changed: BTreeSet::new(),
            kept,
            stored: BTreeSet::new(),
            effects: Effects::default(),
            inlined: Vec::new(),
            inlined_nodes: 0,
            records: BTreeSet::new(),
            members: BTreeMap::new(),
            changes_of_members: 0,
            assigned: None,
            frames: Vec::new(),
            read: HashSet::new(),
            repeated: 0,
            made: BTreeSet::new(),
            iterators: Vec::new(),
            outer_iterators: BTreeSet::new(),
            ending: HashSet::new(),
            depth: 0,
            nesting: 0,
            writes: BTreeMap::new(),
            reads: BTreeMap::new(),
            scalars: BTreeMap::new(),
            memory: BTreeMap::new(),
            places: BTreeMap::new(),
            loaded: BTreeMap::new(),
            untyped: BTreeSet::new(),
            relied: RefCell::default(),
        }
    }

    /// Whether a variable stays one because directives speak of it.
    pub(super) fn is_kept(&self, id: Id) -> bool {
        self.kept.is_some_and(|kept| kept.contains(&id))
    }

    /// A loop's iterator is an ordinary variable outside the loop; nothing else may use it there.
    pub(super) fn check_iterators(&self) -> Result<(), Rejection> {
        for id in &self.outer_iterators {
            let key = (*id, Vec::new());
            if let Some(at) = self.reads.get(&key).or_else(|| self.writes.get(&key)) {
                let name = &self.region.variable(*id).name;
                return Err(Rejection::new(
                    Rule::Model,
                    *at,
                    format!("the iterator `{name}` is used outside its loop"),
                ));
            }
        }
        Ok(())
    }

    pub(super) fn array_name(&self, key: &ArrayKey) -> String {
        std::iter::once(self.region.variable(key.0).name.clone())
            .chain(key.1.iter().cloned())
            .collect::<Vec<_>>()
            .join(".")
    }

    pub(super) fn note_read(&mut self, reference: &Reference) {
        self.scalars.insert(reference.array(), reference.scalar);
        self.reads.entry(reference.array()).or_insert(reference.at);
    }

    pub(super) fn note_write(&mut self, reference: &Reference) {
        self.scalars.insert(reference.array(), reference.scalar);
        self.writes.entry(reference.array()).or_insert(reference.at);
    }

    /// A pointer is loaded: from a variable, or from memory.
    pub(super) fn note_pointer(&mut self, pointer: &Reference) {
        if !pointer.path.is_empty() {
            let is_first = |subscript: &Expression| subscript.kind == ExpressionKind::Integer(0);
            let varies = !pointer.subscripts().all(is_first);
            let loaded = self.loaded.entry(pointer.array());
            let loaded = loaded.or_insert(Loaded { steps: pointer.path.len(), varies });
            loaded.steps = loaded.steps.max(pointer.path.len());
            loaded.varies |= varies;
        }
    }

    /// The variable that a name stands for.
    pub(super) fn variable(&mut self, node: &Node) -> Result<VariableId, Rejection> {
        let Some(decl) = &node.referenced_decl else {
            return self.model(node, "a name without its declaration");
        };
        let local = self.locals.variables.get(&decl.id).copied();
        let object = self.declarations.object(decl.id);
        if let Some(id) = self.variables.get(&object).copied() {
            let is_global = self.region.variable(id).storage == Storage::Global;
            self.region.calls_use_globals |= !self.inlined.is_empty() && is_global;
            return Ok(id);
        }
        let name = decl.name.clone().unwrap_or_default();
        if local.is_none() {
            self.check_visible(node, self.declarations.globals.get(&object).copied(), &name)?;
        }
        let Some(declared) = local.or_else(|| self.declarations.globals.get(&decl.id).copied()) else {
            return self.model(node, format!("`{name}` is not a variable of this function or file"));
        };
        self.add_variable(declared, decl.id, local.is_some())
    }

    /// What functions name whose code is read in place of calls has to be visible in the function around.
    pub(super) fn check_visible(
        &self,
        node: &Node,
        declared: Option<&Node>,
        name: &str,
    ) -> Result<(), Rejection> {
        let is_later = || {
            let bytes = declared.and_then(|declared| declared.bytes_in(self.file));
            bytes.is_some_and(|bytes| bytes.start > self.bytes.start)
        };
        if !self.inlined.is_empty() && (self.locals.own.contains(name) || is_later()) {
            let reason = format!("a call of a function that uses `{name}`, which is something else here");
            return self.model(node, reason);
        }
        Ok(())
    }

    fn add_variable(&mut self, declared: &'t Node, id: Id, is_local: bool) -> Result<VariableId, Rejection> {
        let (object, of_function) = (self.declarations.object(id), id);
        let name = declared.name.clone().unwrap_or_default();
        let variable = self.described(declared, &name, is_local)?;
        let is_scalar = variable.storage == Storage::Local && variable.extents.is_empty();
        let is_unused_outside = is_scalar
            && variable.aliasing == Aliasing::Distinct
            && !self.locals.parameters.contains(&of_function)
            && self.locals.uses.is_used_only_in(&self.bytes, of_function, &name);
        self.region.calls_use_globals |= !self.inlined.is_empty() && variable.storage == Storage::Global;
        let is_parameter = variable.storage == Storage::Parameter;
        let id = self.region.add(variable);
        self.variables.insert(object, id);
        if let Some(length) = self.declared_length(declared).filter(|_| is_parameter) {
            self.region.declared_lengths.insert(id, length);
        }
        self.memory.insert(id, self.provenance.memory(declared));
        self.places.insert(id, self.provenance.place(declared));
        if declared.inner.iter().any(|child| child.is(Kind::MayAliasAttr)) {
            self.untyped.insert((id, Vec::new()));
        }
        if is_unused_outside {
            self.region.unused_outside.insert(id);
        }
        Ok(id)
    }

    /// That of a variable of the function, which `at` uses.
    pub(super) fn variable_of_id(&mut self, id: Id, at: &Node) -> Result<VariableId, Rejection> {
        if let Some(known) = self.variables.get(&self.declarations.object(id)) {
            return Ok(*known);
        }
        let Some(declared) = self.locals.variables.get(&id).copied() else {
            return self.model(at, "a variable that is not the function's");
        };
        self.add_variable(declared, id, true)
    }

    /// A type taken apart, with the names of types resolved.
    pub(super) fn shape<'n>(&self, type_name: &'n str) -> Option<types::Shape<'n>>
    where
        'r: 'n,
    {
        let mut shape = types::shape(type_name)?;
        // A chain of names ends: no type is its own.
        for _ in 0..16 {
            let known = types::scalar(&shape.element).is_some();
            let alias = self.declarations.type_names.get(shape.element.as_str()).copied().filter(|_| !known);
            let Some(inner) = alias.and_then(|name: &'r str| types::shape(name)) else { break };
            shape.element = inner.element;
            shape.has_rows |= inner.has_rows || inner.pointers > 0 && !shape.extents.is_empty();
            shape.is_array |= inner.is_array && shape.extents.is_empty();
            shape.restrict |= inner.restrict && shape.extents.is_empty();
            shape.extents.extend(inner.extents);
            shape.pointers += inner.pointers;
            shape.volatile |= inner.volatile;
        }
        Some(shape)
    }

    pub(super) fn described(
        &mut self,
        declared: &Node,
        name: &str,
        local: bool,
    ) -> Result<Variable, Rejection> {
        let type_name = declared.type_name();
        let Some(shape) = self.shape(type_name) else {
            return self.model(declared, format!("`{name}` has the type `{type_name}`"));
        };
        if shape.volatile {
            return self.model(declared, format!("`{name}` is volatile or atomic: `{type_name}`"));
        }
        if declared.tls.is_some() {
            let reason =
                format!("each thread has a `{name}` of its own; hint: use a copy, or a pointer to it");
            return self.model(declared, reason);
        }
        if type_name.contains('&') {
            return self.model(declared, format!("`{name}` is a reference"));
        }
        let parameter = self.locals.parameters.contains(&declared.id);
        let is_static = matches!(declared.storage_class.as_deref(), Some("static" | "extern"));
        let address_taken = self.declarations.address_taken.contains(&declared.id);
        let storage = match (local && !is_static, shape.pointers > 0, parameter) {
            (false, ..) => Storage::Global,
            (true, true, true) => Storage::Parameter,
            (true, true, false) => Storage::Pointer,
            (true, false, _) => Storage::Local,
        };
        // Pairs that may overlap make both shared, see `overlaps`.
        let aliasing = match storage {
            _ if shape.has_rows => Aliasing::Rows,
            Storage::Local | Storage::Region if !address_taken => Aliasing::Distinct,
            Storage::Global | Storage::Local | Storage::Region => Aliasing::Shared,
            Storage::Parameter | Storage::Pointer => match self.owns(declared) {
                true => Aliasing::Distinct,
                false => Aliasing::Shared,
            },
        };
        let scalar = types::scalar(&shape.element).unwrap_or(Scalar::Integer { bits: 8, signed: false });
        let mut extents = Vec::new();
        for text in &shape.extents {
            extents.push(text.and_then(|text| self.extent(text)));
        }
        let written = declared.of_type.as_ref().map_or(type_name, |of_type| of_type.qual_type.as_str());
        Ok(Variable { name: name.into(), scalar, declared_type: written.into(), extents, storage, aliasing })
    }

    /// Whether a pointer is a `restrict` one, or what it points to was allocated for it.
    fn owns(&self, declared: &Node) -> bool {
        let memory = self.provenance.memory(declared);
        memory.iter().all(|root| matches!(root, Root::Restricted(_) | Root::Allocated(_)))
    }

    /// What a parameter has in its first brackets, if that is a number or a variable that keeps its value. The syntax tree has
    /// a pointer.
    fn declared_length(&mut self, parameter: &Node) -> Option<Expression> {
        let written = self.text.get(parameter.bytes_in(self.file)?)?;
        let (before, rest) = std::str::from_utf8(written).ok()?.split_once('[')?;
        let (written, _) = rest.split_once(']').filter(|_| !before.contains('('))?;
        let is_qualifier =
            |word: &&str| matches!(*word, "static" | "const" | "restrict" | "__restrict" | "__restrict__");
        let words: Vec<&str> = written.split_whitespace().skip_while(is_qualifier).collect();
        let [word] = words[..] else { return None };
        // That is how one says that a pointer is not null.
        if word == "1" && written.contains("static") {
            return None;
        }
        let variable = self.locals.variables.iter().find(|(_, other)| other.name.as_deref() == Some(word));
        let changes = variable.is_some_and(|(id, _)| {
            self.locals.assigned.contains(id) || self.declarations.address_taken.contains(id)
        });
        if changes { None } else { self.extent(word) }
    }

    /// An extent that is a number or the name of a variable; others are not needed.
    pub(super) fn extent(&mut self, text: &str) -> Option<Expression> {
        if let Ok(number) = text.parse::<i128>() {
            return Some(Expression::integer(number, Scalar::LONG));
        }
        let declared =
            self.locals.variables.values().find(|declared| declared.name.as_deref() == Some(text))?;
        let scalar = types::scalar(declared.type_name()).filter(|scalar| scalar.is_integer())?;
        let id = match self.variables.get(&declared.id) {
            Some(id) => *id,
            None => {
                let variable = self.described(declared, text, true).ok()?;
                let id = self.region.add(variable);
                self.variables.insert(declared.id, id);
                self.memory.insert(id, self.provenance.memory(declared));
                id
            }
        };
        let reference = Reference { variable: id, path: Vec::new(), scalar, at: Position::default() };
        Some(Expression { kind: ExpressionKind::Read(reference), scalar })
    }

    /// A scalar that no variable of the program is.
    pub(super) fn new_scalar(&mut self, name: &str, id: Id, scalar: Scalar, storage: Storage) -> VariableId {
        let name = self.fresh_name(name, id);
        self.region.add(Variable {
            name,
            scalar,
            declared_type: String::new(),
            extents: Vec::new(),
            storage,
            aliasing: Aliasing::Distinct,
        })
    }

    /// The value of a scalar.
    pub(super) fn value_of(&mut self, variable: VariableId, at: Position) -> Expression {
        let scalar = self.region.variable(variable).scalar;
        let reference = Reference { variable, path: Vec::new(), scalar, at };
        self.note_read(&reference);
        Expression { kind: ExpressionKind::Read(reference), scalar }
    }

    /// Reads what is perhaps not evaluated, or several times.
    pub(super) fn without_effects<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Rejection>,
    ) -> Result<T, Rejection> {
        let allowed = std::mem::replace(&mut self.effects.allowed, false);
        let result = read(self);
        self.effects.allowed = allowed;
        result
    }

    /// An error where an expression may have no effects.
    pub(super) fn check_effects(&self, node: &Node) -> Result<(), Rejection> {
        match self.effects.allowed {
            true => Ok(()),
            false => self.model(node, "an assignment inside an expression that is not always evaluated"),
        }
    }

    /// One level deeper.
    pub(super) fn nested<T>(
        &mut self,
        node: &Node,
        read: impl FnOnce(&mut Self) -> Result<T, Rejection>,
    ) -> Result<T, Rejection> {
        if self.nesting >= MAX_NESTING {
            let reason = format!("more than {MAX_NESTING} loops and guards inside each other");
            return Err(Rejection::new(Rule::Limits, self.at(node), reason));
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    /// A name that no other variable of the region has: blocks are not kept, and could hold the same name twice.
    pub(super) fn fresh_name(&self, name: &str, id: Id) -> String {
        let taken = |candidate: &str| self.region.variables.iter().any(|variable| variable.name == candidate);
        let mut others = self.locals.variables.iter().chain(&self.declarations.globals);
        let shadows = others.any(|(other, declared)| *other != id && declared.name.as_deref() == Some(name));
        if !taken(name) && !shadows {
            return name.into();
        }
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        numbered
            .into_iter()
            .find(|candidate| !taken(candidate) && !self.locals.names.contains(candidate))
            .expect("there are more numbers than names")
    }
}
