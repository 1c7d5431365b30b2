//! Provenance: what the pointers of a function may point into.
//!
//! Values of pointers flow from variable to variable, whatever the order of the statements is; what flows elsewhere (into
//! memory, to a function) has escaped, and whatever is loaded from memory may point there. `restrict` is C's: what a
//! restrict pointer points to is reached through what is based on it alone (C17, 6.7.3.1).

use std::collections::{BTreeSet, HashMap, HashSet};

use clang_ast::{Id, Kind};

use super::{
    ast::{Node, NodeExt},
    scope::Declarations,
    types,
};

/// What a pointer may point into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Root {
    /// The memory of a variable.
    Object(Id),
    /// What is reached through a restrict pointer, and through what is based on it.
    Restricted(Id),
    /// What a call has allocated.
    Allocated(Id),
    /// What the function's caller gave it: neither its own variables nor what is based on its restrict pointers.
    Caller,
    /// What a pointer in memory points to, or one that a function returned.
    Memory,
    /// Whatever there is.
    Anything,
}

/// Functions that return memory to which nothing else points.
const ALLOCATORS: [&str; 4] = ["malloc", "calloc", "aligned_alloc", "valloc"];

/// Functions that keep no pointer that they are given.
const FORGETFUL: [&str; 12] = [
    "free", "memset", "memcmp", "printf", "fprintf", "snprintf", "sprintf", "puts", "fread", "fwrite",
    "memcpy", "memmove",
];

/// Where a value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sink {
    /// It is used at once: to load, to store, to compare.
    Use,
    Variable(Id),
    /// Where it is not followed.
    Away,
}

/// Provenance of a function's pointers.
pub(super) struct Provenance<'t> {
    declarations: &'t Declarations<'t>,
    roots: HashMap<Id, BTreeSet<Root>>,
    escaped: BTreeSet<Root>,
    /// From variable to variable.
    flows: HashSet<(Id, Id)>,
    /// Variables whose values escape.
    away: HashSet<Id>,
    /// Variables of the function that are pointers, and whether `restrict` is said of them.
    pointers: HashMap<Id, bool>,
    /// The function's own variables, but for static ones.
    automatic: HashSet<Id>,
}

impl<'t> Provenance<'t> {
    pub fn of(function: &'t Node, declarations: &'t Declarations<'t>) -> Provenance<'t> {
        let mut found = Provenance {
            declarations,
            roots: HashMap::new(),
            escaped: BTreeSet::new(),
            flows: HashSet::new(),
            away: HashSet::new(),
            pointers: HashMap::new(),
            automatic: HashSet::new(),
        };
        found.declare(function);
        found.visit(function, Sink::Use);
        found.close();
        found
    }

    /// What an array, a scalar or what a pointer points to is made of.
    pub fn memory(&self, declared: &Node) -> BTreeSet<Root> {
        let own = match declared.inner.iter().any(|child| child.is(Kind::AliasAttr)) {
            true => Root::Anything,
            false => Root::Object(self.declarations.object(declared.id)),
        };
        match (self.pointers.get(&declared.id), is_pointer(declared.type_name())) {
            (_, false) => [own].into(),
            (_, true) if is_restrict(declared.type_name()) => [Root::Restricted(declared.id)].into(),
            (Some(_), true) => self.roots.get(&declared.id).cloned().unwrap_or_default(),
            (None, true) => [Root::Memory].into(),
        }
    }

    /// Where a pointer itself is kept.
    pub fn place(&self, declared: &Node) -> BTreeSet<Root> {
        [Root::Object(self.declarations.object(declared.id))].into()
    }

    /// The same without what `restrict` says: it is said of the elements that are accessed, not of those between them.
    pub fn unrestricted(&self, memory: &BTreeSet<Root>) -> BTreeSet<Root> {
        let mut all = BTreeSet::new();
        for root in memory {
            match root {
                Root::Restricted(id) => {
                    let values = self.roots.get(id).into_iter().flatten();
                    all.extend(values.filter(|root| !matches!(root, Root::Restricted(_))));
                    all.insert(if self.automatic.contains(id) { Root::Caller } else { Root::Memory });
                }
                root => drop(all.insert(*root)),
            }
        }
        all
    }

    /// Whether two sets of places may have memory in common.
    pub fn may_meet(&self, first: &BTreeSet<Root>, second: &BTreeSet<Root>) -> bool {
        first.iter().any(|a| second.iter().any(|b| self.meet(*a, *b) || self.meet(*b, *a)))
    }

    fn meet(&self, first: Root, second: Root) -> bool {
        let has_escaped = || self.escaped.contains(&first);
        let is_own = |id| self.automatic.contains(&id);
        match (first, second) {
            (Root::Object(id), Root::Caller) if is_own(id) => false,
            (Root::Object(id), Root::Memory | Root::Anything) if is_own(id) => has_escaped(),
            (Root::Object(id), Root::Caller | Root::Memory) => !self.declarations.is_hidden(id),
            // What a restrict pointer of the file points to may have been given to anybody.
            (Root::Restricted(id), Root::Caller) => !is_own(id),
            (Root::Restricted(id), Root::Memory | Root::Anything) => !is_own(id) || has_escaped(),
            (Root::Allocated(_), Root::Memory | Root::Anything) => has_escaped(),
            (Root::Allocated(_), Root::Caller) => false,
            (_, Root::Anything) => true,
            (Root::Caller | Root::Memory, Root::Caller | Root::Memory) => true,
            _ => first == second,
        }
    }

    fn declare(&mut self, node: &Node) {
        let is_static = matches!(node.storage_class.as_deref(), Some("static" | "extern"));
        if matches!(node.kind, Kind::VarDecl | Kind::ParmVarDecl) && !is_static {
            self.automatic.insert(node.id);
            if is_pointer(node.type_name()) {
                let is_restrict = is_restrict(node.type_name());
                self.pointers.insert(node.id, is_restrict);
                if node.is(Kind::ParmVarDecl) {
                    let own = if is_restrict { Root::Restricted(node.id) } else { Root::Caller };
                    self.roots.entry(node.id).or_default().insert(own);
                } else if is_restrict {
                    self.roots.entry(node.id).or_default().insert(Root::Restricted(node.id));
                }
            }
        }
        node.inner.iter().for_each(|child| self.declare(child));
    }

    /// Follows all flows to their ends.
    fn close(&mut self) {
        loop {
            let before = self.roots.values().map(BTreeSet::len).sum::<usize>() + self.away.len();
            for (from, to) in &self.flows {
                let roots = self.roots.get(from).cloned().unwrap_or_default();
                self.roots.entry(*to).or_default().extend(roots);
                if self.away.contains(to) {
                    self.away.insert(*from);
                }
            }
            if before == self.roots.values().map(BTreeSet::len).sum::<usize>() + self.away.len() {
                break;
            }
        }
        for id in &self.away {
            self.escaped.extend(self.roots.get(id).into_iter().flatten().copied());
        }
    }

    fn flow(&mut self, root: Root, sink: Sink) {
        match sink {
            Sink::Use => {}
            Sink::Variable(id) => drop(self.roots.entry(id).or_default().insert(root)),
            Sink::Away => drop(self.escaped.insert(root)),
        }
    }

    /// The value of a variable is used.
    fn load(&mut self, variable: Id, sink: Sink) {
        if !self.pointers.contains_key(&variable) {
            return self.flow(Root::Memory, sink);
        }
        match sink {
            Sink::Use => {}
            Sink::Variable(id) => drop(self.flows.insert((variable, id))),
            Sink::Away => drop(self.away.insert(variable)),
        }
    }

    /// An object's address is used.
    fn address(&mut self, lvalue: &Node, sink: Sink) {
        let node = lvalue.bare();
        match node.kind {
            Kind::DeclRefExpr => {
                let Some(id) = node.referenced() else { return };
                self.flow(Root::Object(self.declarations.object(id)), sink);
                // Somebody may change the pointer, and use what it points to.
                if sink != Sink::Use && self.pointers.contains_key(&id) {
                    self.roots.entry(id).or_default().insert(Root::Anything);
                    self.away.insert(id);
                }
            }
            Kind::MemberExpr if node.is_arrow => self.child(node, 0, sink),
            Kind::MemberExpr | Kind::ImplicitCastExpr => {
                if let Some(child) = node.child(0) {
                    self.address(child, sink);
                }
            }
            Kind::ArraySubscriptExpr => {
                for child in &node.inner {
                    let is_base = is_pointer(child.type_name());
                    self.visit(child, if is_base { sink } else { Sink::Use });
                }
            }
            Kind::UnaryOperator if node.opcode() == "*" => self.child(node, 0, sink),
            Kind::UnaryOperator if matches!(node.opcode(), "__real" | "__imag" | "__extension__") => {
                if let Some(child) = node.child(0) {
                    self.address(child, sink);
                }
            }
            Kind::StringLiteral | Kind::PredefinedExpr => {}
            _ => {
                self.flow(Root::Anything, sink);
                node.inner.iter().for_each(|child| self.visit(child, Sink::Away));
            }
        }
    }

    fn child(&mut self, node: &Node, index: usize, sink: Sink) {
        if let Some(child) = node.child(index) {
            self.visit(child, sink);
        }
    }

    fn visit(&mut self, node: &Node, sink: Sink) {
        let node = node.bare();
        match node.kind {
            // Not evaluated, but for lengths, which are no pointers.
            Kind::UnaryExprOrTypeTraitExpr => {}
            Kind::DeclRefExpr | Kind::ArraySubscriptExpr | Kind::MemberExpr => self.address(node, Sink::Use),
            Kind::VarDecl => self.variable(node),
            Kind::ImplicitCastExpr
            | Kind::CStyleCastExpr
            | Kind::CXXStaticCastExpr
            | Kind::CXXReinterpretCastExpr
            | Kind::CXXConstCastExpr
            | Kind::CXXFunctionalCastExpr => self.cast(node, sink),
            Kind::UnaryOperator if node.opcode() == "&" => {
                if let Some(lvalue) = node.child(0) {
                    self.address(lvalue, sink);
                }
            }
            Kind::UnaryOperator if node.opcode() == "*" => self.child(node, 0, Sink::Use),
            Kind::UnaryOperator if matches!(node.opcode(), "++" | "--") => {
                let Some(operand) = node.child(0) else { return };
                match variable_of(operand) {
                    Some(id) => self.load(id, sink),
                    None => self.loaded(operand, sink),
                }
            }
            Kind::UnaryOperator if node.opcode() == "__extension__" => self.child(node, 0, sink),
            Kind::UnaryOperator => self.child(node, 0, Sink::Use),
            Kind::BinaryOperator if node.opcode() == "=" => self.assignment(node, sink),
            Kind::BinaryOperator if node.opcode() == "," => {
                self.child(node, 0, Sink::Use);
                self.child(node, 1, sink);
            }
            Kind::BinaryOperator if is_pointer(node.type_name()) => {
                for child in &node.inner {
                    let is_base = is_pointer(child.type_name());
                    self.visit(child, if is_base { sink } else { Sink::Use });
                }
            }
            // Comparisons and differences.
            Kind::BinaryOperator => node.inner.iter().for_each(|child| self.visit(child, Sink::Use)),
            Kind::CompoundAssignOperator => {
                self.child(node, 1, Sink::Use);
                let Some(target) = node.child(0) else { return };
                match variable_of(target) {
                    Some(id) => self.load(id, sink),
                    None => self.loaded(target, sink),
                }
            }
            Kind::ConditionalOperator => {
                self.child(node, 0, Sink::Use);
                self.child(node, 1, sink);
                self.child(node, 2, sink);
            }
            Kind::CallExpr => self.call(node, sink),
            Kind::GCCAsmStmt | Kind::LambdaExpr | Kind::StmtExpr => {
                self.flow(Root::Anything, sink);
                self.unknown(node);
                node.inner.iter().for_each(|child| self.visit(child, Sink::Away));
            }
            Kind::InitListExpr | Kind::CompoundLiteralExpr => {
                self.flow(Root::Anything, sink);
                node.inner.iter().for_each(|child| self.visit(child, Sink::Away));
            }
            _ if is_statement(node.kind) => {
                node.inner.iter().for_each(|child| self.visit(child, Sink::Use));
            }
            Kind::StringLiteral
            | Kind::IntegerLiteral
            | Kind::FloatingLiteral
            | Kind::CharacterLiteral
            | Kind::PredefinedExpr => {}
            _ => {
                self.flow(Root::Anything, sink);
                node.inner.iter().for_each(|child| self.visit(child, Sink::Away));
            }
        }
    }

    fn variable(&mut self, node: &Node) {
        let Some(value) = node.initial_value() else { return };
        let follows = self.pointers.contains_key(&node.id);
        let value_is_pointer = !is_scalar(node.type_name());
        self.visit(
            value,
            match (follows, value_is_pointer) {
                (true, _) => Sink::Variable(node.id),
                (false, true) => Sink::Away,
                (false, false) => Sink::Use,
            },
        );
    }

    fn cast(&mut self, node: &Node, sink: Sink) {
        let Some(child) = node.child(0) else { return };
        match node.cast_kind.as_deref().unwrap_or_default() {
            "LValueToRValue" => match variable_of(child) {
                Some(id) => self.load(id, sink),
                None => self.loaded(child, sink),
            },
            "ArrayToPointerDecay" => self.address(child, sink),
            "PointerToIntegral" => self.visit(child, Sink::Away),
            "IntegralToPointer" => {
                self.flow(Root::Anything, sink);
                self.visit(child, Sink::Use);
            }
            "NullToPointer" | "FunctionToPointerDecay" | "BuiltinFnToFnPtr" => {}
            "PointerToBoolean" | "ToVoid" => self.visit(child, Sink::Use),
            _ if is_scalar(node.type_name()) => self.visit(child, Sink::Use),
            _ => self.visit(child, sink),
        }
    }

    /// A value that is loaded through an address.
    fn loaded(&mut self, lvalue: &Node, sink: Sink) {
        if !is_scalar(lvalue.bare().type_name()) {
            self.flow(Root::Memory, sink);
        }
        if lvalue.bare().value_category.as_deref() == Some("lvalue") {
            self.address(lvalue, Sink::Use);
        } else {
            self.visit(lvalue, Sink::Use);
        }
    }

    fn assignment(&mut self, node: &Node, sink: Sink) {
        let (Some(target), Some(value)) = (node.child(0), node.child(1)) else { return };
        if is_scalar(node.type_name()) {
            self.visit(value, Sink::Use);
            return self.address(target, Sink::Use);
        }
        match variable_of(target).filter(|id| self.pointers.contains_key(id)) {
            Some(id) => {
                self.visit(value, Sink::Variable(id));
                self.load(id, sink);
            }
            None => {
                self.visit(value, Sink::Away);
                self.loaded(target, sink);
            }
        }
    }

    fn call(&mut self, node: &Node, sink: Sink) {
        let callee = node.child(0).map(NodeExt::bare);
        let callee = callee.map(|callee| callee.child(0).map_or(callee, NodeExt::bare));
        let decl = callee.and_then(|callee| callee.referenced_decl.as_ref());
        let name = decl.and_then(|decl| decl.name.as_deref()).unwrap_or_default();
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        let is_allocated = ALLOCATORS.contains(&name);
        let forgets = is_allocated || FORGETFUL.contains(&name);
        if !is_scalar(node.type_name()) {
            self.flow(if is_allocated { Root::Allocated(node.id) } else { Root::Memory }, sink);
        }
        for (index, argument) in node.inner.iter().enumerate() {
            let returned = index == 1 && matches!(name, "memcpy" | "memmove" | "memset");
            let sink = match index {
                0 => Sink::Use,
                _ if returned => sink,
                _ if forgets => Sink::Use,
                _ => Sink::Away,
            };
            self.visit(argument, sink);
        }
    }

    /// All variables in a part of the program that is not understood.
    fn unknown(&mut self, node: &Node) {
        if let Some(id) = node.referenced() {
            self.escaped.insert(Root::Object(self.declarations.object(id)));
            if self.pointers.contains_key(&id) {
                self.roots.entry(id).or_default().insert(Root::Anything);
                self.away.insert(id);
            }
        }
        node.inner.iter().for_each(|child| self.unknown(child));
    }
}

/// Whether a type is that of pointers.
pub(super) fn is_pointer(type_name: &str) -> bool {
    match types::shape(type_name) {
        Some(shape) => shape.pointers > 0 && !shape.is_array,
        // Of functions, and others.
        None => type_name.contains('*'),
    }
}

/// Whether `restrict` is said of a pointer itself, not of what it points to.
pub(super) fn is_restrict(type_name: &str) -> bool {
    types::shape(type_name).is_some_and(|shape| shape.restrict)
}

fn is_scalar(type_name: &str) -> bool {
    types::scalar(type_name).is_some()
}

fn variable_of(lvalue: &Node) -> Option<Id> {
    let node = lvalue.bare();
    node.referenced().filter(|_| node.is(Kind::DeclRefExpr))
}

fn is_statement(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::FunctionDecl
            | Kind::ParmVarDecl
            | Kind::CompoundStmt
            | Kind::DeclStmt
            | Kind::ForStmt
            | Kind::WhileStmt
            | Kind::DoStmt
            | Kind::IfStmt
            | Kind::SwitchStmt
            | Kind::CaseStmt
            | Kind::DefaultStmt
            | Kind::LabelStmt
            | Kind::GotoStmt
            | Kind::BreakStmt
            | Kind::ContinueStmt
            | Kind::NullStmt
            | Kind::ReturnStmt
            | Kind::AttributedStmt
            | Kind::null
    )
}
