//! Whether a function reads the value that a loop leaves in a variable.

use clang_ast::{Id, Kind};

use super::ast::{Node, NodeExt};

/// What a part of a program does with a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// Nothing, or it sets the variable on some paths.
    Perhaps,
    /// It sets the variable before it reads it, on all paths.
    Set,
    /// It may read it first.
    Read,
}

/// Whether the function with this body may read a variable behind a statement of it before it sets it again. `is_global` is one that
/// others may read when the function has returned.
pub(super) fn is_read_behind(body: &Node, statement: &Node, id: Id, is_global: bool) -> bool {
    if has_jumps(body) {
        return true;
    }
    let mut path = Vec::new();
    if !find(body, statement, &mut path) {
        return true;
    }
    // Whether something before may have left what is around.
    let mut leaves = false;
    while let Some((around, place)) = path.pop() {
        let is_loop = matches!(around.kind, Kind::ForStmt | Kind::WhileStmt | Kind::DoStmt);
        let next: Vec<&Node> = match around.kind {
            Kind::CompoundStmt => around.inner[place + 1..].iter().collect(),
            // The next iteration: its step, its condition, and its body.
            Kind::ForStmt => [3, 2, 4].into_iter().filter_map(|part| around.child(part)).collect(),
            _ if is_loop => around.inner.iter().collect(),
            _ => Vec::new(),
        };
        for part in next {
            match use_of(part, id) {
                Use::Read => return true,
                Use::Set if !leaves && !is_loop => return false,
                Use::Set | Use::Perhaps => leaves |= may_leave(part),
            }
        }
        if is_loop {
            leaves = false;
        }
    }
    is_global
}

/// The parts of a program in which a statement is, outermost first, with the place in each.
fn find<'t>(node: &'t Node, statement: &Node, path: &mut Vec<(&'t Node, usize)>) -> bool {
    if std::ptr::eq(node, statement) {
        return true;
    }
    for (place, child) in node.inner.iter().enumerate() {
        path.push((node, place));
        if find(child, statement, path) {
            return true;
        }
        path.pop();
    }
    false
}

/// Whether a part of a program has labels, or goes to one: what is executed behind a statement is not followed then.
pub(super) fn has_jumps(node: &Node) -> bool {
    matches!(node.kind, Kind::GotoStmt | Kind::IndirectGotoStmt | Kind::LabelStmt)
        || node.inner.iter().any(has_jumps)
}

/// Whether a statement may end the function or the loop or the `switch` around it, or go on with the loop.
pub(super) fn may_leave(node: &Node) -> bool {
    match node.kind {
        Kind::BreakStmt | Kind::ContinueStmt | Kind::ReturnStmt | Kind::GotoStmt => true,
        // What leaves a loop inside stays here, but for what returns.
        Kind::ForStmt | Kind::WhileStmt | Kind::DoStmt => returns(node),
        _ => node.inner.iter().any(may_leave),
    }
}

fn returns(node: &Node) -> bool {
    node.is(Kind::ReturnStmt) || node.inner.iter().any(returns)
}

fn use_of(node: &Node, id: Id) -> Use {
    let in_order = |parts: &mut dyn Iterator<Item = &Node>| {
        let mut leaves = false;
        for part in parts {
            match use_of(part, id) {
                Use::Perhaps => leaves |= may_leave(part),
                Use::Set if leaves => {}
                used => return used,
            }
        }
        Use::Perhaps
    };
    let is_it = |node: &Node| node.is(Kind::DeclRefExpr) && node.referenced() == Some(id);
    match node.kind {
        Kind::DeclRefExpr if is_it(node) => Use::Read,
        Kind::BinaryOperator if node.opcode() == "=" => {
            let (Some(target), Some(value)) = (node.child(0), node.child(1)) else { return Use::Perhaps };
            match (use_of(value, id), is_it(target.bare())) {
                (Use::Read, _) => Use::Read,
                (_, true) | (Use::Set, false) => Use::Set,
                (Use::Perhaps, false) => use_of(target, id),
            }
        }
        // Their second part is not always evaluated.
        Kind::BinaryOperator if matches!(node.opcode(), "&&" | "||") => first_of(node, id),
        Kind::ConditionalOperator | Kind::IfStmt => first_of(node, id),
        // Of a loop the body may be executed, or not.
        Kind::ForStmt => {
            let first = in_order(&mut [0, 2].into_iter().filter_map(|part| node.child(part)));
            let rest = in_order(&mut [4, 3].into_iter().filter_map(|part| node.child(part)));
            match (first, rest) {
                (Use::Perhaps, Use::Read) => Use::Read,
                (first, _) => first,
            }
        }
        Kind::WhileStmt | Kind::SwitchStmt => first_of(node, id),
        _ => in_order(&mut node.inner.iter()),
    }
}

/// That of a condition and what may be executed then.
fn first_of(node: &Node, id: Id) -> Use {
    let mut parts = node.inner.iter();
    let first = parts.next().map_or(Use::Perhaps, |first| use_of(first, id));
    if first != Use::Perhaps {
        return first;
    }
    let rest: Vec<Use> = parts.map(|part| use_of(part, id)).collect();
    let is_either = node.is(Kind::ConditionalOperator) || node.is(Kind::IfStmt) && node.has_else;
    match is_either && rest.iter().all(|part| *part == Use::Set) {
        _ if rest.contains(&Use::Read) => Use::Read,
        true => Use::Set,
        false => Use::Perhaps,
    }
}
