//! Scalars of the function that one loop's body sets before it reads them, and nothing else uses, declared there.
//!
//! Of `double t; … for (…) { t = a[i]; s += t * t; }` each thread and each lane has its own `t` then, and nobody copies the
//! last value out.

use super::nodes::{renamed, uses};
use crate::ir::{
    Declaration, If, Loop, Node, Region, Statement, Storage, Store, Variable, VariableId, convert,
};

/// The region with such scalars declared in loops, and the names of those that the function declares for nobody any more.
pub(crate) fn declared_in_loops(region: &Region) -> (Region, Vec<String>) {
    let (mut out, mut names) = (region.clone(), Vec::new());
    for variable in &region.unused_outside {
        let name = region.variable(*variable).name.clone();
        let mut made = out.clone();
        let body = std::mem::take(&mut made.body);
        if let Some(body) = in_loops(&mut made, &body, *variable) {
            made.body = body;
            // Nothing uses it any more: its name is that of the others.
            made.variables[variable.0].storage = Storage::Region;
            out = made;
            names.push(name);
        }
    }
    (out, names)
}

/// Nodes with the variable declared in the bodies of the loops and guards that use it; none if something else does.
fn in_loops(region: &mut Region, nodes: &[Node], variable: VariableId) -> Option<Vec<Node>> {
    let mut out = Vec::new();
    for node in nodes {
        match node {
            node if !uses(std::slice::from_ref(node), variable) => out.push(node.clone()),
            Node::Loop(looped) => {
                if looped.iterator == variable
                    || looped.bounds().into_iter().any(|bound| bound.mentions(variable))
                {
                    return None;
                }
                let body = in_body(region, &looped.body, variable)?;
                out.push(Node::Loop(Loop { body, ..looped.clone() }));
            }
            Node::If(guard) if !guard.condition.mentions(variable) => {
                let mut branch = |body: &[Node]| match uses(body, variable) {
                    true => in_body(region, body, variable),
                    false => Some(body.to_vec()),
                };
                let (then, otherwise) = (branch(&guard.then)?, branch(&guard.otherwise)?);
                out.push(Node::If(If { then, otherwise, ..guard.clone() }));
            }
            _ => return None,
        }
    }
    Some(out)
}

/// The body of a loop or guard that declares the variable where it is set first.
fn in_body(region: &mut Region, body: &[Node], variable: VariableId) -> Option<Vec<Node>> {
    let first = body.iter().position(|node| uses(std::slice::from_ref(node), variable))?;
    let Node::Statement(Statement { target, store: Store::Assign, value, at }) = &body[first] else {
        return in_loops(region, body, variable);
    };
    if target.variable != variable || !target.path.is_empty() || value.mentions(variable) {
        return None;
    }
    let described = region.variable(variable).clone();
    let own = region.add(Variable { storage: Storage::Region, ..described });
    let value = Some(convert::convert(value.clone(), target.scalar));
    let mut out = body[..first].to_vec();
    out.push(Node::Declaration(Declaration { variable: own, value, at: *at }));
    out.extend(renamed(&body[first + 1..], variable, own));
    Some(out)
}
