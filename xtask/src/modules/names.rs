//! Resolves names: which file defines a name that another file uses.

use std::collections::BTreeSet;
use std::path::PathBuf;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

use super::tree::{Name, Tree};

/// One file uses names that another one defines.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dependency {
    pub from: PathBuf,
    pub to: PathBuf,
    pub name: String,
}

/// The most imports between a name and its definition; more are a cycle of imports.
const MOST_IMPORTS: u32 = 16;

/// All dependencies between different files of a crate, in order, each once.
pub fn dependencies(tree: &Tree) -> Vec<Dependency> {
    let mut found = BTreeSet::new();
    for (index, module) in tree.modules.iter().enumerate() {
        let mut add = |path: &[String]| {
            if let Some((at, name)) = resolve(tree, index, path, 0)
                && tree.modules[at].file != module.file
            {
                let (from, to) = (module.file.clone(), tree.modules[at].file.clone());
                found.insert(Dependency { from, to, name });
            }
        };
        module.imports.iter().for_each(|path| add(path));
        for item in &module.items {
            paths(item.to_token_stream(), &mut add);
        }
        let mut macros = BTreeSet::new();
        for item in &module.items {
            called_macros(item.to_token_stream(), &mut macros);
        }
        for name in macros {
            // A name that several files give to macros of their own stands for the file's own.
            if let Some([at]) = tree.macros.get(&name).map(Vec::as_slice)
                && tree.modules[*at].file != module.file
            {
                let (from, to) = (module.file.clone(), tree.modules[*at].file.clone());
                found.insert(Dependency { from, to, name: format!("{name}!") });
            }
        }
    }
    found.into_iter().collect()
}

/// The module that defines the item that a path in module `from` names, and the item's name. None for items
/// of other crates and for modules.
fn resolve(tree: &Tree, from: usize, path: &[String], depth: u32) -> Option<(usize, String)> {
    if depth > MOST_IMPORTS {
        return None;
    }
    let (first, rest) = path.split_first()?;
    match first.as_str() {
        "crate" => walk(tree, 0, rest, depth),
        "self" => walk(tree, from, rest, depth),
        "super" => walk(tree, tree.modules[from].parent?, rest, depth),
        _ => walk(tree, from, path, depth),
    }
}

/// As [`resolve`], for a path relative to module `at`.
fn walk(tree: &Tree, at: usize, path: &[String], depth: u32) -> Option<(usize, String)> {
    let (first, rest) = path.split_first()?;
    let module = &tree.modules[at];
    if first == "super" {
        return walk(tree, module.parent?, rest, depth);
    }
    for name in module.names.get(first).into_iter().flatten() {
        let found = match name {
            Name::Module(child) => walk(tree, *child, rest, depth),
            Name::Item => Some((at, first.clone())),
            Name::Import(import) if import.first() != Some(first) || import.len() > 1 => {
                let whole: Vec<String> = import.iter().chain(rest).cloned().collect();
                resolve(tree, at, &whole, depth + 1)
            }
            Name::Import(_) => None,
        };
        if found.is_some() {
            return found;
        }
    }
    if module.names.contains_key(first) {
        return None;
    }
    module.globs.iter().find_map(|glob| {
        let whole: Vec<String> = glob.iter().chain(path).cloned().collect();
        resolve(tree, at, &whole, depth + 1)
    })
}

/// Calls `add` with every path of at least two names.
fn paths(tokens: TokenStream, add: &mut impl FnMut(&[String])) {
    let mut path: Vec<String> = Vec::new();
    let mut colons = 0;
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                if colons != 2 {
                    end(&mut path, add);
                }
                path.push(name.to_string());
                colons = 0;
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
            TokenTree::Group(group) => {
                end(&mut path, add);
                colons = 0;
                paths(group.stream(), add);
            }
            _ => {
                end(&mut path, add);
                colons = 0;
            }
        }
    }
    end(&mut path, add);
}

fn end(path: &mut Vec<String>, add: &mut impl FnMut(&[String])) {
    if path.len() > 1 {
        add(path);
    }
    path.clear();
}

/// The names before a `!`.
fn called_macros(tokens: TokenStream, found: &mut BTreeSet<String>) {
    let mut last = None;
    for token in tokens {
        match token {
            TokenTree::Ident(name) => last = Some(name.to_string()),
            TokenTree::Punct(punct) if punct.as_char() == '!' => found.extend(last.take()),
            TokenTree::Group(group) => {
                last = None;
                called_macros(group.stream(), found);
            }
            _ => last = None,
        }
    }
}
