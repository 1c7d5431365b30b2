//! The error of everything that reads or executes a tree: what is wrong, where, and what to do about it.

use std::fmt;

use crate::ir::Position;

/// What is wrong with a program, and where. It is displayed as `file:line:column: what; hint`.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
pub struct Located {
    /// The file's name; empty if it is not known.
    pub file: String,
    /// Zeros if there is no place, as in trees that a program made.
    pub at: Position,
    /// What is wrong.
    pub what: String,
    /// What to do about it; empty if `what` says it.
    pub hint: String,
}

impl Located {
    /// An error at a place.
    pub fn new(at: Position, what: impl Into<String>, hint: impl Into<String>) -> Located {
        Located { file: String::new(), at, what: what.into(), hint: hint.into() }
    }

    /// The error with the name of the file that it is in.
    pub fn in_file(self, file: &str) -> Located {
        Located { file: file.to_owned(), ..self }
    }
}

impl fmt::Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column } = self.at;
        match (self.file.is_empty(), line) {
            (true, 0) => {}
            (false, 0) => write!(f, "{}: ", self.file)?,
            (true, _) => write!(f, "{line}:{column}: ")?,
            (false, _) => write!(f, "{}:{line}:{column}: ", self.file)?,
        }
        f.write_str(&self.what)?;
        if self.hint.is_empty() { Ok(()) } else { write!(f, "; {}", self.hint) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_place_or_hint_leaves_no_trace() {
        let at = Position { line: 3, column: 7 };
        assert_eq!(
            Located::new(at, "what", "hint").in_file("a.loops").to_string(),
            "a.loops:3:7: what; hint"
        );
        assert_eq!(Located::new(at, "what", "").to_string(), "3:7: what");
        assert_eq!(Located::new(Position::default(), "what", "").in_file("a").to_string(), "a: what");
        assert_eq!(Located::new(Position::default(), "what", "hint").to_string(), "what; hint");
    }
}
