//! Calls as the code of the functions that they call, where the file has that.
//!
//! Parameters are variables of the region with the arguments as values; pointers are names for what the arguments point to. A
//! function returns at its end: what follows a branch that returns is executed in the other one.

use clang_ast::{Id, Kind};

use super::{
    ast::{Node, NodeExt},
    changes,
    reader::Reader,
    records::Layout,
    scope::{body, callee},
    values::Inlined,
};
use crate::{
    ir::{
        self, Aliasing, Declaration, Reference, Statement, Storage, Store, Variable, VariableId, convert,
        types::Scalar,
    },
    rules::Rejection,
};

/// Calls inside each other whose code is read.
const MAX_DEPTH: usize = 8;

/// Nodes of clang's tree that take the place of calls in a region.
const MAX_NODES: usize = 20_000;

impl<'t> Reader<'_, 't> {
    /// The code of a function in place of a call; where the value is that it returns, a number or a structure. `None` if its code
    /// is not known, or has another form.
    pub(super) fn inlined(
        &mut self,
        call: &Node,
        out: &mut Vec<ir::Node>,
    ) -> Result<Option<Option<Reference>>, Rejection> {
        let Some(definition) = callee(call).and_then(|id| self.declarations.body_of(id)) else {
            return Ok(None);
        };
        let (Some(body), Some(_)) = (body(definition), definition.bytes_in(self.file)) else {
            return Ok(None);
        };
        let parameters: Vec<&'t Node> =
            definition.inner.iter().filter(|child| child.is(Kind::ParmVarDecl)).collect();
        let is_known = parameters.iter().all(|parameter| self.locals.variables.contains_key(&parameter.id));
        let is_inside = self.inlined.iter().any(|one| one.function == definition.id);
        self.inlined_nodes += nodes(body);
        let fits = is_known
            && !is_inside
            && self.inlined.len() < MAX_DEPTH
            && self.inlined_nodes <= MAX_NODES
            && parameters.len() + 1 == call.inner.len()
            && returns_at_end(&Self::children(body));
        let returned = definition.type_name().split_once(" (").map_or("", |(returned, _)| returned);
        let returned = match self.layout(returned.trim()) {
            layout @ (Layout::Number(_) | Layout::Record(_)) => Some(layout),
            _ => None,
        };
        let is_void = definition.type_name().starts_with("void (");
        if !fits || returned.is_none() && !is_void {
            return Ok(None);
        }
        self.changed.extend(changes::changed(&[body]));
        let after = self.effects.after.len();
        for (parameter, argument) in parameters.iter().zip(&call.inner[1..]) {
            let name = parameter.name.clone().unwrap_or_default();
            let shape = self.shape(parameter.type_name());
            match shape {
                Some(shape) if shape.pointers > 0 => {
                    let pointer = self.pointer(argument)?;
                    let at = self.at(call);
                    let pointer = self.with_kept_indices(pointer, &name, parameter.id, at, out);
                    self.values.pointers.insert(parameter.id, Some(pointer));
                }
                _ => {
                    let scalar = match self.layout(parameter.type_name()) {
                        Layout::Number(scalar) => scalar,
                        layout @ Layout::Record(_) => {
                            self.record_declaration(parameter, &name, (&layout, Some(argument)), out)?;
                            continue;
                        }
                        _ => {
                            let name = parameter.type_name();
                            return self.model(call, format!("a function that takes a `{name}`"));
                        }
                    };
                    let value = convert::convert(self.expression(argument)?, scalar);
                    let variable = self.own_variable(&name, parameter, scalar);
                    self.values.integers.remove(&parameter.id);
                    self.note_known(parameter.id, Some(&value));
                    let at = self.at(call);
                    out.push(ir::Node::Declaration(Declaration { variable, value: Some(value), at }));
                }
            }
        }
        // What arguments do is complete where the function begins.
        out.extend(self.effects.after.split_off(after));
        let name = format!("{}_value", definition.name.clone().unwrap_or_default());
        let at = self.at(call);
        let result = match returned {
            Some(Layout::Number(scalar)) => {
                let variable = self.own_variable(&name, definition, scalar);
                out.push(ir::Node::Declaration(Declaration { variable, value: None, at }));
                Some((variable, Layout::Number(scalar)))
            }
            Some(layout) => Some((self.record_declaration(definition, &name, (&layout, None), out)?, layout)),
            None => None,
        };
        self.inlined.push(Inlined { function: definition.id, result: result.clone() });
        let made = self.nested(call, |reader| reader.sequence(&Self::children(body)));
        self.inlined.pop();
        out.extend(made?);
        Ok(Some(result.map(|(variable, layout)| {
            let scalar = if let Layout::Number(scalar) = layout { scalar } else { Scalar::INT };
            Reference { variable, path: Vec::new(), scalar, at }
        })))
    }

    fn own_variable(&mut self, name: &str, declared: &Node, scalar: Scalar) -> VariableId {
        let name = self.fresh_name(name, Id::default());
        let variable = self.region.add(Variable {
            name,
            scalar,
            declared_type: String::new(),
            extents: Vec::new(),
            storage: Storage::Region,
            aliasing: Aliasing::Distinct,
        });
        self.made.insert(variable);
        self.variables.insert(declared.id, variable);
        variable
    }

    /// `return e;` of a function whose code is read in place of a call.
    pub(super) fn returned(&mut self, node: &Node, out: &mut Vec<ir::Node>) -> Result<(), Rejection> {
        let Some(function) = self.inlined.last() else {
            return self.model(node, "a `return` inside the region");
        };
        let (Some((variable, layout)), Some(value)) = (function.result.clone(), node.child(0)) else {
            return Ok(());
        };
        let Layout::Number(scalar) = layout else {
            return self.returned_record(node, (variable, &layout), value, out);
        };
        let value = convert::convert(self.expression(value)?, scalar);
        let target = Reference { variable, path: Vec::new(), scalar, at: self.at(node) };
        self.note_write(&target);
        let at = self.at(node);
        out.push(ir::Node::Statement(Statement { target, store: Store::Assign, value, at }));
        Ok(())
    }
}

fn nodes(node: &Node) -> usize {
    1 + node.inner.iter().map(nodes).sum::<usize>()
}

fn has_return(node: &Node) -> bool {
    node.is(Kind::ReturnStmt) || node.inner.iter().any(has_return)
}

/// Whether a statement always returns.
pub(super) fn returns(node: &Node) -> bool {
    match node.kind {
        Kind::ReturnStmt => true,
        Kind::CompoundStmt => node.inner.last().is_some_and(returns),
        Kind::IfStmt => node.has_else && [1, 2].iter().all(|index| node.child(*index).is_some_and(returns)),
        _ => false,
    }
}

/// Whether statements return at their end, or at the end of branches behind which nothing else of that branch is executed.
fn returns_at_end(statements: &[&Node]) -> bool {
    statements.iter().enumerate().all(|(place, node)| {
        let is_last = place + 1 == statements.len();
        match node.kind {
            _ if !has_return(node) => true,
            Kind::ReturnStmt => is_last,
            Kind::CompoundStmt => is_last && returns_at_end(&node.inner.iter().collect::<Vec<_>>()),
            Kind::IfStmt => [1, 2].into_iter().filter_map(|index| node.child(index)).all(|branch| {
                let statements: Vec<&Node> = match branch.kind {
                    Kind::CompoundStmt => branch.inner.iter().collect(),
                    _ => vec![branch],
                };
                !has_return(branch) || returns_at_end(&statements) && (is_last || returns(branch))
            }),
            _ => false,
        }
    })
}
