//! Functions of the C library whose calls keep the order of iterations: what they write to or read from a stream, or a state that they
//! change. A loop that calls one is sequential, whatever else stands in it.

use std::collections::HashSet;

use clang_ast::{Id, Kind};

use super::{
    ast::{Node, NodeExt},
    scope::{Declarations, body, called},
};

/// What functions do, and which. Sources: ISO C, POSIX.
const ORDERED: [(&str, &[&str]); 4] = [
    (
        "writes to a stream",
        &[
            "fflush", "fprintf", "fputc", "fputs", "fputwc", "fputws", "fwprintf", "fwrite", "perror",
            "printf", "putc", "putchar", "puts", "putwchar", "vfprintf", "vprintf", "wprintf", "write",
        ],
    ),
    (
        "reads from a stream",
        &[
            "fgetc", "fgets", "fgetwc", "fread", "fscanf", "getc", "getchar", "getline", "gets", "read",
            "scanf", "ungetc", "vfscanf", "vscanf",
        ],
    ),
    (
        "moves or opens a stream",
        &["fclose", "fopen", "freopen", "fseek", "fsetpos", "ftell", "remove", "rename", "rewind", "tmpfile"],
    ),
    (
        "changes a state of the library",
        &[
            "drand48",
            "lrand48",
            "mrand48",
            "rand",
            "random",
            "setlocale",
            "srand",
            "srand48",
            "srandom",
            "strtok",
        ],
    ),
];

/// The first call in a loop that keeps the order of its iterations, and what it does.
pub(super) fn ordered_call<'t>(
    declarations: &Declarations<'t>,
    looped: &'t Node,
) -> Option<(&'t Node, String)> {
    Calls { declarations, seen: HashSet::new(), is_callee: false }.in_statement(looped)
}

struct Calls<'d, 't> {
    declarations: &'d Declarations<'t>,
    seen: HashSet<Id>,
    /// Whether the code of a function is looked at, which `return` ends, and not the loop.
    is_callee: bool,
}

impl<'t> Calls<'_, 't> {
    fn in_statement(&mut self, node: &'t Node) -> Option<(&'t Node, String)> {
        // What is followed by the end of the loop happens once.
        let is_callee = self.is_callee;
        let ends = |last: &Node| match last.kind {
            Kind::ReturnStmt | Kind::BreakStmt | Kind::GotoStmt => !is_callee,
            _ => is_call_of_end(last),
        };
        let ends_once = node.is(Kind::CompoundStmt) && node.inner.last().is_some_and(ends);
        let inner = node.inner.iter().filter(|child| {
            !ends_once
                || matches!(
                    child.kind,
                    Kind::ForStmt | Kind::WhileStmt | Kind::DoStmt | Kind::IfStmt | Kind::SwitchStmt
                )
        });
        for child in inner {
            if let Some(found) = self.in_statement(child) {
                return Some(found);
            }
        }
        let effect = node.is(Kind::CallExpr).then(|| self.of_call(node)).flatten()?;
        Some((node, effect))
    }

    fn of_call(&mut self, node: &'t Node) -> Option<String> {
        let (id, name) = called(node)?;
        match self.declarations.definition(id) {
            Some(definition) if self.seen.insert(id) => {
                let is_callee = std::mem::replace(&mut self.is_callee, true);
                let found = self.in_statement(body(definition)?);
                self.is_callee = is_callee;
                let (_, effect) = found?;
                Some(format!("`{name}` is called: {effect}"))
            }
            Some(_) => None,
            None => {
                let (effect, _) = ORDERED.iter().find(|(_, names)| names.contains(&name))?;
                Some(format!("`{name}` {effect}"))
            }
        }
    }
}

fn is_call_of_end(node: &Node) -> bool {
    let ends = |name: &str| matches!(name, "exit" | "abort" | "_exit" | "_Exit" | "quick_exit" | "longjmp");
    node.is(Kind::CallExpr) && called(node).is_some_and(|(_, name)| ends(name))
}
