//! Calls as the code of the functions that they call, where the file has that.
//!
//! Parameters are variables of the region with the arguments as values; pointers are names for what the arguments point to.

use clang_ast::{Id, Kind};

use super::{
    ast::{Node, NodeExt},
    changes,
    jumps::{nodes, returns_in_loop},
    layout::Layout,
    reader::Reader,
    scope::{body, callee, may_take_place},
    values::{Exit, Inlined},
};
use crate::{
    ir::{
        self, Declaration, Expression, Reference, Returned, Statement, Storage, Store, VariableId, convert,
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
        let Some(body) = body(definition).filter(|_| may_take_place(definition, self.file)) else {
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
            && parameters.len() + 1 == call.inner.len();
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
                    let variable = self.own_variable(&name, parameter.id, scalar);
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
                let variable = self.own_variable(&name, definition.id, scalar);
                out.push(ir::Node::Declaration(Declaration { variable, value: None, at }));
                Some((variable, Layout::Number(scalar)))
            }
            Some(layout) => Some((self.record_declaration(definition, &name, (&layout, None), out)?, layout)),
            None => None,
        };
        self.inlined.push(Inlined { function: definition.id, result: result.clone(), at });
        let flag = returns_in_loop(body).then(|| {
            let flag = self.own_variable(&format!("{name}_returned"), body.id, Scalar::INT);
            let value = Some(Expression::integer(0, Scalar::INT));
            out.push(ir::Node::Declaration(Declaration { variable: flag, value, at }));
            flag
        });
        let exit = Exit::Return { flag };
        let made = self.nested(call, |reader| reader.sequence(&Self::children(body), exit));
        self.inlined.pop();
        out.extend(made?);
        Ok(Some(result.map(|(variable, layout)| {
            let scalar = if let Layout::Number(scalar) = layout { scalar } else { Scalar::INT };
            Reference { variable, path: Vec::new(), scalar, at }
        })))
    }

    pub(super) fn own_variable(&mut self, name: &str, declared: Id, scalar: Scalar) -> VariableId {
        let variable = self.new_scalar(name, Id::default(), scalar, Storage::Region);
        self.made.insert(variable);
        self.variables.insert(declared, variable);
        variable
    }

    /// What holds the value that the region's function returns, if a `return` is among the statements; the flag that says so.
    pub(super) fn returns_of_region(&mut self, function: &Node, statements: &[&Node]) -> Option<VariableId> {
        if !statements.iter().any(|node| has_return(node)) {
            return None;
        }
        let flag = self.defined_variable("returned", Scalar::INT, "0");
        let returned = function.type_name().split_once(" (").map_or("", |(returned, _)| returned);
        let value = match self.layout(returned.trim()) {
            Layout::Number(scalar) => Some(self.defined_variable("result", scalar, "0")),
            _ => None,
        };
        self.region.returned = Some(Returned { flag, value });
        Some(flag)
    }

    /// A variable that exists for the region alone, with a value as C.
    pub(super) fn defined_variable(&mut self, name: &str, scalar: Scalar, value: &str) -> VariableId {
        let variable = self.new_scalar(name, Id::default(), scalar, Storage::Local);
        self.region.defined.push((variable, value.into()));
        variable
    }

    /// The value of a `return`.
    pub(super) fn returned(&mut self, node: &Node, out: &mut Vec<ir::Node>) -> Result<(), Rejection> {
        let of_region = || {
            let value = self.region.returned.as_ref()?.value?;
            Some((value, Layout::Number(self.region.variable(value).scalar)))
        };
        let result = self.inlined.last().map_or_else(of_region, |function| function.result.clone());
        let (variable, layout, value) = match (result, node.child(0)) {
            (Some((variable, layout)), Some(value)) => (variable, layout, value),
            (_, None) => return Ok(()),
            (None, Some(_)) => return self.model(node, "a `return` of a pointer or a structure"),
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

fn has_return(node: &Node) -> bool {
    node.is(Kind::ReturnStmt) || node.inner.iter().any(has_return)
}
