//! The PTX files that inputs are made of, as tokens.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use ptx_emulator::Program;

use super::statements;
use super::tokens::{Token, tokens, trimmed};
use crate::random::Random;

/// Random instructions that are tried to find those that the emulator accepts.
const INVENTED: usize = 30_000;

/// A declaration outside functions.
pub struct Item {
    /// The function's name; empty for variables and the like.
    pub name: String,
    pub tokens: Vec<Token>,
    /// Tokens up to the function's body.
    pub head: usize,
}

/// A file.
pub struct Source {
    pub text: Vec<u8>,
    /// `.version`, `.target`, `.address_size` and `.file`.
    pub preamble: Vec<Token>,
    pub items: Vec<Item>,
    /// The functions by name.
    pub functions: HashMap<String, usize>,
}

/// Everything that inputs are made of.
pub struct Corpus {
    pub sources: Vec<Source>,
    /// Statements with registers, labels and symbols renamed to those that generated kernels declare.
    pub statements: Vec<String>,
    /// Random statements that the emulator accepts.
    pub invented: Vec<String>,
    /// Parts of opcodes between dots.
    pub modifiers: Vec<String>,
    /// Opcodes without modifiers.
    pub opcodes: Vec<String>,
    /// All distinct tokens.
    pub words: Vec<Token>,
}

/// Splits a file into its declarations.
fn source(text: Vec<u8>) -> Source {
    let mut preamble = Vec::new();
    let mut items: Vec<Item> = Vec::new();
    let mut open: Vec<Token> = Vec::new();
    let (mut depth, mut head) = (0usize, 0);
    let string = String::from_utf8_lossy(&text).into_owned();
    let all = tokens(&string);
    let mut rest = all.into_iter().peekable();
    while let Some(token) = rest.next() {
        let word = trimmed(&token).to_owned();
        if open.is_empty() && matches!(&word[..], ".version" | ".target" | ".address_size" | ".file") {
            preamble.push(token);
            while rest.peek().is_some_and(|next| !next[..next.len() - trimmed(next).len()].contains('\n')) {
                preamble.extend(rest.next());
            }
            continue;
        }
        match &word[..] {
            "{" => {
                if depth == 0 {
                    head = open.len();
                }
                depth += 1;
            }
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        open.push(token);
        let braced = open.iter().take(8).any(|p| matches!(trimmed(p), ".func" | ".entry" | ".section"));
        if depth == 0 && (word == ";" || word == "}" && braced) {
            let tokens = std::mem::take(&mut open);
            let name = if braced { function_name(&tokens) } else { String::new() };
            items.push(Item { name, head: if word == "}" { head } else { tokens.len() - 1 }, tokens });
        }
    }
    let functions = items
        .iter()
        .enumerate()
        .filter(|(_, item)| !item.name.is_empty())
        .map(|(i, item)| (item.name.clone(), i))
        .collect();
    Source { text, preamble, items, functions }
}

/// The first name outside parentheses after `.func` or `.entry`.
fn function_name(tokens: &[Token]) -> String {
    let mut depth = 0;
    for token in tokens {
        match trimmed(token) {
            "(" => depth += 1,
            ")" => depth -= 1,
            word if depth == 0 && word.starts_with(|c: char| c.is_ascii_alphabetic() || "_$".contains(c)) => {
                return word.to_owned();
            }
            _ => {}
        }
    }
    String::new()
}

/// A statement with the names that generated kernels declare; none if it is not a plain instruction.
fn normal(statement: &[Token]) -> Option<String> {
    let first = trimmed(statement.first()?);
    if !first.starts_with(|c: char| c.is_ascii_lowercase() || c == '@') || first.contains('$') {
        return None;
    }
    let mut out = String::new();
    for (i, token) in statement.iter().enumerate() {
        let word = trimmed(token);
        let class = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let name = match class {
            "%r" | "%rd" | "%rs" | "%f" | "%fd" | "%p" | "%h" | "%b" | "%rb" | "%hh" => {
                let number: usize = word[class.len()..].parse().unwrap_or(0);
                format!("{class}{}", number % 8)
            }
            _ if i > 1 && word.starts_with('$') => format!("$L{}", word.len() % 4),
            _ if i > 0 && word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && word != "_" => {
                ["buffer", "tile", "depot"][word.len() % 3].to_owned()
            }
            _ => word.to_owned(),
        };
        let opcode = i == 0 || trimmed(&statement[i - 1]).starts_with('%') && out.starts_with('@');
        // After a guard, a word is an opcode and not a symbol.
        let name = if opcode && !word.starts_with('%') { word.to_owned() } else { name };
        if i > 0 && !matches!(&name[..], "," | ";" | "]" | "}" | ")") {
            out.push(' ');
        }
        out.push_str(&name);
    }
    out.push('\n');
    Some(out)
}

fn ptx_files(folder: &Path, out: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            ptx_files(&path, out)?;
        } else if path.extension().is_some_and(|e| e == "ptx") {
            out.push(path);
        }
    }
    Ok(())
}

impl Corpus {
    /// Reads every `.ptx` file below the folders.
    pub fn read(folders: &[PathBuf]) -> Result<Corpus, String> {
        let mut paths = Vec::new();
        for folder in folders {
            ptx_files(folder, &mut paths)?;
        }
        paths.sort();
        let mut sources = Vec::new();
        for path in &paths {
            let text = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
            sources.push(source(text));
        }
        sources.retain(|s| !s.items.is_empty());
        if sources.is_empty() {
            return Err("no PTX in the corpus".into());
        }
        let (mut statements, mut words) = (HashSet::new(), HashSet::new());
        let (mut modifiers, mut opcodes) = (HashSet::new(), HashSet::new());
        for item in sources.iter().flat_map(|s| &s.items) {
            words.extend(item.tokens.iter().map(|p| format!(" {}", trimmed(p))));
            if item.head == item.tokens.len() {
                continue;
            }
            for statement in
                item.tokens[item.head..].split_inclusive(|p| matches!(trimmed(p), ";" | "{" | "}" | ":"))
            {
                if statement.last().is_none_or(|p| trimmed(p) != ";") {
                    continue;
                }
                for word in
                    statement.iter().map(|p| trimmed(p)).filter(|w| w.contains('.') && !w.starts_with('%'))
                {
                    let mut parts = word.split('.');
                    opcodes.extend(parts.next().filter(|p| !p.is_empty()).map(str::to_owned));
                    modifiers.extend(parts.map(str::to_owned));
                }
                statements.extend(normal(statement));
            }
        }
        // A kernel holds many of them, so that each alone must be legal.
        let mut random = Random::new(0, 0);
        let mut legal = |s: &String| {
            Program::load("statement", statements::around(std::slice::from_ref(s), &mut random).as_bytes())
                .is_ok()
        };
        statements.retain(|s| legal(s));
        let sorted = |set: HashSet<String>| {
            let mut list: Vec<String> = set.into_iter().collect();
            list.sort();
            list
        };
        let statements = sorted(statements);
        let mut random = Random::new(0, 1);
        let mut invent = || match random.one_in(4) {
            true => statements::instruction(&mut random),
            false => statements::variation(random.pick(&statements).as_str(), &mut random),
        };
        let invented = (0..INVENTED).map(|_| invent()).filter(|s| legal(s)).collect();
        Ok(Corpus {
            sources,
            statements,
            invented: sorted(invented),
            modifiers: sorted(modifiers),
            opcodes: sorted(opcodes),
            words: sorted(words),
        })
    }
}
