//! The modules of a crate, as rustc finds them from its root file.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Item, Meta, UseTree};

/// The meaning of a name in a module.
#[derive(Clone, Debug)]
pub enum Name {
    /// A module, by its index.
    Module(usize),
    /// Defined in the module itself.
    Item,
    /// Imported: the path of a `use`.
    Import(Vec<String>),
}

/// A module: a file, or a block inside one.
pub struct Module {
    pub file: PathBuf,
    pub parent: Option<usize>,
    pub names: HashMap<String, Vec<Name>>,
    /// Paths imported with `*`.
    pub globs: Vec<Vec<String>>,
    /// The paths of all `use` items.
    pub imports: Vec<Vec<String>>,
    /// All other items except modules and tests.
    pub items: Vec<Item>,
}

/// All modules; the root is the first.
#[derive(Default)]
pub struct Tree {
    pub modules: Vec<Module>,
    /// The macros of `macro_rules!`, and the modules that define one of the name.
    pub macros: HashMap<String, Vec<usize>>,
}

/// Reads the crate with this root file, without its tests.
pub fn read(root: &Path) -> Result<Tree, String> {
    let mut tree = Tree::default();
    let folder = root.parent().unwrap_or(Path::new(".")).to_path_buf();
    read_file(&mut tree, root, &folder, None)?;
    Ok(tree)
}

fn read_file(tree: &mut Tree, file: &Path, folder: &Path, parent: Option<usize>) -> Result<usize, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let parsed = syn::parse_file(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    add_module(tree, file, folder, parent, parsed.items)
}

/// Adds a module. `folder` holds the files of its submodules.
fn add_module(
    tree: &mut Tree,
    file: &Path,
    folder: &Path,
    parent: Option<usize>,
    items: Vec<Item>,
) -> Result<usize, String> {
    let index = tree.modules.len();
    tree.modules.push(Module {
        file: file.to_path_buf(),
        parent,
        names: HashMap::new(),
        globs: Vec::new(),
        imports: Vec::new(),
        items: Vec::new(),
    });
    for item in items {
        if is_test(attributes(&item)) {
            continue;
        }
        match item {
            Item::Mod(module) => {
                let name = module.ident.to_string();
                let below = folder.join(&name);
                let child = match module.content {
                    Some((_, items)) => add_module(tree, file, &below, Some(index), items)?,
                    None => match module_file(file, folder, &name, &module.attrs)? {
                        // `#[path]` puts the files of submodules beside the file.
                        (found, true) => {
                            let beside = found.parent().unwrap_or(folder).to_path_buf();
                            read_file(tree, &found, &beside, Some(index))?
                        }
                        (found, false) => read_file(tree, &found, &below, Some(index))?,
                    },
                };
                tree.modules[index].names.entry(name).or_default().push(Name::Module(child));
            }
            Item::Use(item) => {
                let mut paths = Vec::new();
                let mut prefix = Vec::new();
                if item.leading_colon.is_some() {
                    continue;
                }
                flatten(&item.tree, &mut prefix, &mut paths);
                let module = &mut tree.modules[index];
                for (path, name) in paths {
                    match name {
                        Some(name) => {
                            module.names.entry(name).or_default().push(Name::Import(path.clone()));
                        }
                        None => module.globs.push(path.clone()),
                    }
                    module.imports.push(path);
                }
            }
            Item::Macro(item) if item.ident.is_some() => {
                let name = item.ident.as_ref().map(ToString::to_string).unwrap_or_default();
                tree.macros.entry(name).or_default().push(index);
                tree.modules[index].items.push(Item::Macro(item));
            }
            item => {
                let module = &mut tree.modules[index];
                if let Some(name) = defined_name(&item) {
                    module.names.entry(name).or_default().push(Name::Item);
                }
                module.items.push(item);
            }
        }
    }
    Ok(index)
}

/// The file of `mod name;`, and whether an attribute names it.
fn module_file(
    file: &Path,
    folder: &Path,
    name: &str,
    attributes: &[Attribute],
) -> Result<(PathBuf, bool), String> {
    for attribute in attributes {
        if let Meta::NameValue(pair) = &attribute.meta
            && attribute.path().is_ident("path")
            && let syn::Expr::Lit(literal) = &pair.value
            && let syn::Lit::Str(text) = &literal.lit
        {
            return Ok((file.parent().unwrap_or(folder).join(text.value()), true));
        }
    }
    let (plain, nested) = (folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs"));
    match [plain, nested].into_iter().find(|path| path.is_file()) {
        Some(path) => Ok((path, false)),
        None => Err(format!("{}: module {name} has no file", file.display())),
    }
}

/// The paths of a `use`, each with the name that it defines; none for `*` and `_`.
fn flatten(tree: &UseTree, prefix: &mut Vec<String>, paths: &mut Vec<(Vec<String>, Option<String>)>) {
    let mut with = |last: String, name: Option<String>| {
        let mut path = prefix.clone();
        if last != "self" || path.is_empty() {
            path.push(last);
        }
        paths.push((path, name));
    };
    match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            flatten(&path.tree, prefix, paths);
            prefix.pop();
        }
        UseTree::Name(name) => {
            let last = name.ident.to_string();
            let given = if last == "self" { prefix.last().cloned() } else { Some(last.clone()) };
            with(last, given);
        }
        UseTree::Rename(rename) => with(rename.ident.to_string(), Some(rename.rename.to_string())),
        UseTree::Glob(_) => paths.push((prefix.clone(), None)),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, prefix, paths)),
    }
}

/// Whether an item is compiled for tests only.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) if attribute.path().is_ident("cfg") => {
            let condition = list.tokens.to_string().replace(' ', "");
            condition == "test" || condition.starts_with("all(test,")
        }
        meta => meta.path().is_ident("test"),
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn defined_name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}
