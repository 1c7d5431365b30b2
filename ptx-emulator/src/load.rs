//! PTX texts to a program: parses, links and decodes them.

use std::collections::{HashMap, HashSet};

use crate::decode::decode;
use crate::link::link;
use crate::program::{Program, Unit};
use crate::source::LineTable;
use crate::text::ast::Linkage;
use crate::text::{self, Lines, SyntaxError};

/// The longest text that is accepted, in bytes.
const MAX_TEXT: usize = 32 << 20;

/// Why PTX text was rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[error("{name}:{line}:{column}: {message}")]
pub struct LoadError {
    /// Name of the text as given to [`Program::load`] or [`Program::link`].
    pub name: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What is wrong there, with the instruction if it is in one.
    pub message: String,
    /// The name that a text declares and no text defines, if that is the error.
    pub undefined: Option<String>,
}

/// A symbol that a PTX text shares with other texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The name.
    pub name: String,
    /// Whether the text defines it; if not, another text must.
    pub defined: bool,
    /// Whether it is weak: another text's definition takes precedence.
    pub weak: bool,
    /// Whether it is a kernel or function; if not, it is a variable.
    pub function: bool,
}

/// The symbols that a PTX text shares with other texts, each once.
///
/// # Errors
///
/// The first syntax error of the text. Instructions are not checked; [`Program::link`] does that.
pub fn declarations(name: &str, ptx: &[u8]) -> Result<Vec<Declaration>, LoadError> {
    let text = String::from_utf8_lossy(&ptx[..ptx.len().min(MAX_TEXT)]);
    let module = text::parse(&text).map_err(|error| {
        let (line, column) = Lines::new(&text).position(error.at);
        let (message, undefined) = (error.message, error.undefined);
        LoadError { name: name.to_owned(), line, column, message, undefined }
    })?;
    let functions = module.functions.iter().map(|f| (f.name, f.linkage, f.body.is_some(), true));
    let variables = module.variables.iter().map(|v| (v.name, v.linkage, v.linkage != Linkage::Extern, false));
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut found: Vec<Declaration> = Vec::new();
    for (name, linkage, defined, function) in functions.chain(variables) {
        // A function that is declared without `.extern` is local to the text.
        if linkage == Linkage::Local || !defined && linkage != Linkage::Extern {
            continue;
        }
        let new = Declaration { name: name.to_owned(), defined, weak: linkage == Linkage::Weak, function };
        match known.get(name) {
            Some(&at) if defined => found[at] = new,
            Some(_) => {}
            None => {
                known.insert(name, found.len());
                found.push(new);
            }
        }
    }
    Ok(found)
}

impl Program {
    /// Loads PTX text; a trailing NUL is allowed. All instructions are checked here: an unsupported one is an
    /// error with its text, line and column.
    pub fn load(name: &str, ptx: &[u8]) -> Result<Program, LoadError> {
        Program::link(name, &[(name, ptx)])
    }

    /// Links PTX texts, each with its own name, to one program by the rules of nvlink:
    ///
    /// - A name without linkage directive is local to its text.
    /// - `.extern` stands for the definition in another text. What a kernel needs and no text defines is an
    ///   error; an `.extern .shared` array without a length is the block's dynamic shared memory.
    /// - A `.visible` definition takes precedence over `.weak` ones, and the first of several `.weak` ones
    ///   over the others; two `.visible` ones are an error.
    /// - `.common` variables are one variable, as large as the largest of them.
    /// - Declarations must agree in state space, in size, and in the sizes of parameters.
    ///
    /// A text that equals an earlier one is left out.
    ///
    /// # Errors
    ///
    /// The first error, with the name of the text and the line. All texts together may have 32 MiB.
    pub fn link(name: &str, texts: &[(&str, &[u8])]) -> Result<Program, LoadError> {
        let reject = |name: &str, line, column, message| {
            Err(LoadError { name: name.to_owned(), line, column, message, undefined: None })
        };
        let mut units: Vec<Unit> = Vec::with_capacity(texts.len());
        let (mut left, mut known) = (MAX_TEXT, HashSet::new());
        for &(name, ptx) in texts {
            match left.checked_sub(ptx.len()) {
                Some(less) => left = less,
                None => return reject(name, 1, 1, format!("the text is longer than {MAX_TEXT} bytes")),
            }
            let ptx = ptx.split(|&b| b == 0).next().unwrap_or_default();
            if known.insert(ptx) {
                let text = String::from_utf8_lossy(ptx).into_owned();
                units.push(Unit {
                    name: name.to_owned(),
                    lines: Lines::new(&text),
                    text,
                    sources: LineTable::default(),
                });
            }
        }
        if units.is_empty() {
            return reject(name, 1, 1, "there is no PTX here".into());
        }
        let names: Vec<&str> = units.iter().map(|u| &u.name[..]).collect();
        let parsed = units.iter().enumerate().map(|(u, unit)| text::parse(&unit.text).map_err(|e| (u, e)));
        let linked = parsed.collect::<Result<Vec<_>, _>>().and_then(|modules| {
            let target_sm = modules.iter().map(|m| m.target_sm).max().unwrap_or(0);
            Ok((target_sm, decode(&modules, link(&modules, &names)?)?))
        });
        match linked {
            Ok((target_sm, linked)) => Ok(Program { name: name.to_owned(), units, target_sm, linked }),
            Err((unit, error)) => {
                let unit = &units[unit];
                let (line, column) = unit.lines.position(error.at);
                let SyntaxError { message, undefined, .. } = error;
                Err(LoadError { name: unit.name.clone(), line, column, message, undefined })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_lists_each_shared_symbol_once() {
        let ptx = ".version 8.3\n.target sm_90\n.address_size 64\n\
            .extern .func wanted;\n.extern .global .b32 there;\n.visible .func both;\n.func own;\n\
            .weak .global .b32 here = 1;\n.global .b32 mine;\n\
            .visible .func both { ret; }\n.func own { ret; }\n.weak .entry k() { ret; }\n";
        let found = declarations("x", ptx.as_bytes()).unwrap();
        let has = |name: &str, defined, weak, function| {
            found.contains(&Declaration { name: name.to_owned(), defined, weak, function })
        };
        assert!(has("wanted", false, false, true) && has("there", false, false, false), "{found:?}");
        assert!(has("both", true, false, true) && has("k", true, true, true), "{found:?}");
        assert!(has("here", true, true, false) && found.len() == 5, "{found:?}");
        assert_eq!(declarations("x", b".version 8.3\n.target\n{").unwrap_err().line, 3);
    }
}
