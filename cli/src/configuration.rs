//! Tests that docs/configuration.md names every option and variable, and nothing else.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Of the project's variables.
const PREFIX: &str = "WARPFOLD_";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The rows of the tables, by heading: cells without the backquotes.
fn page() -> BTreeMap<String, Vec<Vec<String>>> {
    let text = fs::read_to_string(root().join("docs/configuration.md")).expect("the page");
    let mut sections = BTreeMap::new();
    let mut heading = String::new();
    for line in text.lines() {
        if let Some(title) = line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#'))
        {
            heading = title.replace('`', "");
        } else if line.starts_with("| `") {
            let cells = line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect();
            sections.entry(heading.clone()).or_insert_with(Vec::new).push(cells);
        }
    }
    sections
}

/// The options of a command and of its subcommands, as the page names them: the first word.
fn options(command: &clap::Command) -> BTreeMap<String, &clap::Arg> {
    let all =
        std::iter::once(command).chain(command.get_subcommands()).flat_map(clap::Command::get_arguments);
    let named = all.filter(|arg| !arg.is_hide_set() && !matches!(arg.get_id().as_str(), "help" | "version"));
    let name = |arg: &clap::Arg| {
        arg.get_long().map(|long| format!("--{long}")).or(arg.get_short().map(|short| format!("-{short}")))
    };
    named.filter_map(|arg| Some((name(arg)?, arg))).collect()
}

#[test]
fn the_page_names_every_option_with_its_variable_and_default() {
    let page = page();
    let mut program = super::command();
    program.build();
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
    for command in commands.filter(|command| command.get_name() != "help") {
        let name = command.get_name();
        let options = options(command);
        if options.is_empty() {
            continue;
        }
        // One section for the three compilers.
        let section = if matches!(name, "c++" | "fc") { "cc" } else { name };
        let limits = page["Limits"].iter().filter(|_| matches!(name, "run" | "check" | "profile"));
        let rows: Vec<_> =
            page.get(&format!("warpfold {section}")).into_iter().flatten().chain(limits).collect();
        for row in &rows {
            let option = row[0].split([' ', '[']).next().expect("a word");
            let arg = options.get(option).unwrap_or_else(|| panic!("{name} has no {}", row[0]));
            let optional =
                arg.get_num_args().is_some_and(|values| values.min_values() == 0 && values.takes_values());
            assert_eq!(row[0].contains("[="), optional, "{name} {option}: a value that may be missing");
            let variable = arg.get_env().map(|variable| variable.to_string_lossy().into_owned());
            if let Some(variable) = variable {
                assert!(row[1].starts_with(&variable), "{name} {option} is set by {variable}");
            }
            if arg.get_num_args().is_some_and(|values| values.takes_values()) {
                for value in arg.get_default_values() {
                    assert_eq!(row[2], value.to_string_lossy(), "{name} {option}: the default");
                }
            }
        }
        for option in options.keys() {
            let described = rows.iter().any(|row| row[0].split([' ', '[']).next() == Some(option));
            assert!(described, "docs/configuration.md does not describe warpfold {name} {option}");
        }
    }
}

/// The variables that the project's programs read: every string that is the name of one.
fn variables(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() {
            if !matches!(name.to_str(), Some("target" | ".git" | "docs")) {
                variables(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source file");
            let strings = text.split('"').zip(text.split('"').skip(1));
            // `env!` reads a variable that a build script sets.
            let read = strings.filter(|(before, word)| {
                word.len() > PREFIX.len() && word.starts_with(PREFIX) && !before.ends_with("env!(")
            });
            let is_name = |word: &&str| word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
            found.extend(read.map(|(_, word)| word).filter(is_name).map(String::from));
        }
    }
}

#[test]
fn the_page_names_every_variable() {
    let page = fs::read_to_string(root().join("docs/configuration.md")).expect("the page");
    let is_part = |c: char| c.is_ascii_uppercase() || c == '_';
    let named: BTreeSet<_> = page
        .split(|c| !is_part(c))
        .filter(|word| word.starts_with(PREFIX) && *word != PREFIX)
        .map(String::from)
        .collect();
    let mut read = BTreeSet::new();
    variables(&root(), &mut read);
    let missing: Vec<_> = read.difference(&named).collect();
    assert!(missing.is_empty(), "docs/configuration.md does not describe {missing:?}");
    let unknown: Vec<_> = named.difference(&read).collect();
    assert!(unknown.is_empty(), "docs/configuration.md describes {unknown:?}, which nothing reads");
}
