//! Names of variables and their scopes.

use std::collections::HashMap;

use crate::ir::located::Located;
use crate::ir::{Position, VariableId};

/// The variables that can be named at a place. No name has two meanings at a time.
#[derive(Default)]
pub struct Names {
    known: HashMap<String, (VariableId, Position)>,
    /// The names of each scope, the innermost last.
    scopes: Vec<Vec<String>>,
}

impl Names {
    /// Names that are declared from now on end with the matching [`Names::leave`].
    pub fn enter(&mut self) {
        self.scopes.push(Vec::new());
    }

    pub fn leave(&mut self) {
        for name in self.scopes.pop().unwrap_or_default() {
            self.known.remove(&name);
        }
    }

    pub fn find(&self, name: &str, at: Position) -> Result<VariableId, Located> {
        let unknown = || {
            let what = format!("`{name}` is not declared");
            let hint = "declare it as a parameter, `name: type`, or in a body around its use".to_owned();
            Located::new(at, what, hint)
        };
        self.known.get(name).map(|(variable, _)| *variable).ok_or_else(unknown)
    }

    pub fn declare(&mut self, name: &str, variable: VariableId, at: Position) -> Result<(), Located> {
        if let Some((_, Position { line, column })) = self.known.get(name) {
            let what = format!("`{name}` is declared already, at {line}:{column}");
            return Err(Located::new(at, what, "choose another name"));
        }
        self.known.insert(name.to_owned(), (variable, at));
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(name.to_owned());
        }
        Ok(())
    }
}
