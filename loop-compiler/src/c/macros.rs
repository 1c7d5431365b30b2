//! What the regions of a file take from macros that another compilation may define otherwise.
//!
//! A region is printed from its syntax tree, where macros are expanded. The printed region therefore asserts, when it is
//! compiled, that each macro that it depends on and that can change expands to what it did. These are the macros of the
//! command line, and those defined or undefined under a condition; a macro that a file defines in any case cannot
//! change. A region depends on the macros in its own text, in the declarations of what it names, in their bodies, and in
//! the conditions under which these stand in the file.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    ops::Range,
};

use clang_ast::Kind;

use super::{
    ast::{Node, NodeExt},
    clang,
    pragmas::{Lexeme, Scan, unfolded},
    source::{Error, Input},
    uses::words,
};

/// The directives of a file and of what it includes, in their order.
#[derive(Default)]
pub(super) struct Macros {
    events: Vec<Event>,
    /// The files of the user, by the names that clang gives them.
    texts: BTreeMap<String, Text>,
}

/// A `#define` or `#undef`.
struct Event {
    name: String,
    /// What is defined, from the parameters on; none if it is undefined.
    definition: Option<String>,
    /// Whether it may be another one, or missing, in another compilation.
    can_change: bool,
    /// The last line of the main file before it.
    main_line: usize,
}

/// A file of the user.
struct Text {
    bytes: Vec<u8>,
    conditionals: Vec<Conditional>,
}

/// What stands under conditions, from `#if` to `#endif`.
struct Conditional {
    bytes: Range<usize>,
    lines: Range<usize>,
    /// The names in its conditions.
    names: BTreeSet<String>,
}

impl Macros {
    /// Has clang print the definitions of a file.
    pub fn read(input: &Input<'_>) -> Result<Macros, Error> {
        let printed =
            clang::output(input, &["-E", "-dD", "-w", "-fno-openmp", "-fno-color-diagnostics"], None)?;
        let file = input.file.to_string_lossy();
        let mut macros = Macros::default();
        let mut at = (String::new(), 0, true);
        let mut main_line = 0;
        for line in String::from_utf8_lossy(&printed).lines() {
            if let Some(marker) = line.strip_prefix("# ") {
                let Some((number, rest)) = marker.split_once(" \"") else { continue };
                let (name, flags) = rest.rsplit_once('"').unwrap_or((rest, ""));
                let is_system = name.starts_with('<') || flags.split(' ').any(|flag| flag == "3");
                at = (unescaped(name), number.parse().unwrap_or(0), is_system);
                if !is_system {
                    macros.text(&at.0);
                }
                continue;
            }
            let (name, number, is_system) = &mut at;
            if *name == file {
                main_line = *number;
            }
            let defined = line.strip_prefix("#define ").map(|rest| (rest, true));
            if let Some((rest, defines)) = defined.or(line.strip_prefix("#undef ").map(|rest| (rest, false)))
            {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                let can_change = match name.as_str() {
                    "<command line>" => true,
                    "<built-in>" | "" => false,
                    _ if *is_system => false,
                    name => macros.text(name).is_under_condition(*number),
                };
                macros.events.push(Event {
                    name: rest[..end].into(),
                    definition: defines.then(|| rest[end..].into()),
                    can_change,
                    main_line,
                });
            }
            *number += 1;
        }
        Ok(macros)
    }

    fn text(&mut self, name: &str) -> &Text {
        self.texts.entry(name.into()).or_insert_with(|| Text::of(fs::read(name).unwrap_or_default()))
    }

    /// What each region asserts, as statements; `places` has its bytes and the line where it begins.
    pub fn assertions(
        &mut self,
        input: &Input<'_>,
        unit: &Node,
        places: &[(Range<usize>, usize)],
    ) -> Result<Vec<Vec<String>>, Error> {
        let file = input.file.to_string_lossy();
        if self.events.iter().all(|event| !event.can_change) && self.text(&file).conditionals.is_empty() {
            return Ok(vec![Vec::new(); places.len()]);
        }
        let declared = Declared::of(unit, &file, self);
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_key(|index| places[*index].1);
        // One text defines the macros as the file does, and has between the definitions what each region depends on.
        let mut probes = TEXT.to_string();
        let mut probed: Vec<(usize, String)> = Vec::new();
        let mut defined: HashMap<&str, &Event> = HashMap::new();
        let mut events = self.events.iter().peekable();
        for index in order {
            let (place, line) = &places[index];
            while let Some(event) = events.next_if(|event| event.main_line < *line) {
                match &event.definition {
                    Some(definition) => probes += &format!("#define {}{definition}\n", event.name),
                    None => probes += &format!("#undef {}\n", event.name),
                }
                defined.insert(&event.name, event);
            }
            for name in self.needed(&file, place, &declared, &defined) {
                let definition = defined.get(&*name).and_then(|event| event.definition.as_deref());
                let used = name + &arguments(definition.unwrap_or_default());
                probes += &format!("WARPFOLD_PROBE WARPFOLD_TEXT({used})\n");
                probed.push((index, used));
            }
        }
        let mut assertions = vec![Vec::new(); places.len()];
        if probed.is_empty() {
            return Ok(assertions);
        }
        let printed = clang::output(input, &["-E", "-P", "-w", "-undef", "-x", "c", "-"], Some(&probes))?;
        let printed = String::from_utf8_lossy(&printed);
        let texts: Vec<&str> =
            printed.lines().filter_map(|line| line.trim().strip_prefix("WARPFOLD_PROBE ")).collect();
        if texts.len() != probed.len() {
            return Err(Error::SyntaxTree(format!(
                "{} of {} macros of the regions are in the preprocessor's output",
                texts.len(),
                probed.len()
            )));
        }
        let assert = if is_cpp(input) { "static_assert" } else { "_Static_assert" };
        for ((index, used), text) in probed.into_iter().zip(texts) {
            let name = used.split('(').next().unwrap_or_default();
            assertions[index].push(format!(
                "{assert}(!__builtin_strcmp(WARPFOLD_TEXT({used}), {text}), \"these loops were made for another {name}\");"
            ));
        }
        Ok(assertions)
    }

    /// The macros that a region depends on and that can change.
    fn needed(
        &self,
        file: &str,
        place: &Range<usize>,
        declared: &Declared,
        defined: &HashMap<&str, &Event>,
    ) -> BTreeSet<String> {
        let mut needed = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut ranges = vec![(file.to_string(), place.clone())];
        let mut taken = BTreeSet::new();
        while let Some((file_of, range)) = ranges.pop() {
            if !taken.insert((file_of.clone(), range.start, range.end)) {
                continue;
            }
            let Some(text) = self.texts.get(&file_of) else { continue };
            let mut names: Vec<String> = text.words(range.clone());
            for conditional in &text.conditionals {
                let meets = conditional.bytes.start < range.end && range.start < conditional.bytes.end;
                let is_around = |inner: &Range<usize>| {
                    conditional.bytes.start < inner.start && inner.end < conditional.bytes.end
                };
                // Without the region's own condition the region is not compiled either.
                if meets && !(file_of == file && is_around(place)) {
                    for name in &conditional.names {
                        let can_change =
                            defined.get(&**name).is_none_or(|event| event.can_change) && !is_reserved(name);
                        if can_change {
                            needed.insert(name.clone());
                        }
                        names.push(name.clone());
                    }
                }
            }
            while let Some(name) = names.pop() {
                if !seen.insert(name.clone()) {
                    continue;
                }
                if let Some(event) = defined.get(&*name) {
                    if event.can_change {
                        needed.insert(name.clone());
                    }
                    names.extend(words(event.definition.as_deref().unwrap_or_default()));
                }
                ranges.extend(declared.of_name(&name, place));
            }
        }
        needed
    }
}

/// The macro that makes a string of what another one expands to. Defining it twice is allowed.
pub(crate) const TEXT: &str =
    "#define WARPFOLD_TEXT_OF(...) #__VA_ARGS__\n#define WARPFOLD_TEXT(...) WARPFOLD_TEXT_OF(__VA_ARGS__)\n";

/// Names that compilers define, each in its way.
fn is_reserved(name: &str) -> bool {
    name.strip_prefix('_').is_some_and(|rest| rest.starts_with(|c: char| c == '_' || c.is_ascii_uppercase()))
}

/// What a macro with parameters is given to show its definition: their names.
fn arguments(definition: &str) -> String {
    let Some(parameters) = definition.strip_prefix('(').and_then(|rest| rest.split_once(')')) else {
        return String::new();
    };
    format!("({})", parameters.0.replace("...", "rest"))
}

fn is_cpp(input: &Input<'_>) -> bool {
    let mut words = input.arguments.iter().map(|word| word.to_string_lossy());
    let language = words.rfind(|word| word.contains("c++") || word == "c");
    let ending = input.file.extension().unwrap_or_default();
    language.map_or(ending != "c" && ending != "h" && ending != "i", |word| word.contains("c++"))
}

/// A file's name in a line marker.
fn unescaped(name: &str) -> String {
    name.replace("\\\"", "\"").replace("\\\\", "\\")
}

impl Text {
    fn of(bytes: Vec<u8>) -> Text {
        let mut open: Vec<Conditional> = Vec::new();
        let mut conditionals = Vec::new();
        let directives: Vec<_> = Scan::of(&bytes)
            .filter_map(|lexeme| match lexeme {
                Lexeme::Directive(range) => Some((unfolded(&bytes[range.clone()]), range)),
                Lexeme::Code(_) => None,
            })
            .collect();
        let mut line = 1;
        let mut counted = 0;
        for (index, (directive, range)) in directives.iter().enumerate() {
            line += bytes[counted..range.start].iter().filter(|byte| **byte == b'\n').count();
            counted = range.start;
            let directive = directive.trim_start_matches(['#', '%', ':', ' ', '\t']);
            let word = words(directive).next().unwrap_or_default();
            let names = || words(directive).skip(1).filter(|name| name != "defined");
            match &*word {
                "if" | "ifdef" | "ifndef" => {
                    let guarded = directives.get(index + 1).map(|(next, _)| words(next).collect::<Vec<_>>());
                    // A file's guard against a second inclusion is no condition.
                    let is_guard = index == 0
                        && names().count() == 1
                        && guarded.is_some_and(|next| {
                            next.len() == 2 && next[0] == "define" && names().eq(next[1..].iter().cloned())
                        })
                        && word != "ifdef";
                    let names = if is_guard { BTreeSet::new() } else { names().collect() };
                    open.push(Conditional { bytes: range.start..usize::MAX, lines: line..usize::MAX, names });
                }
                "elif" | "elifdef" | "elifndef" => {
                    if let Some(last) = open.last_mut() {
                        last.names.extend(names());
                    }
                }
                "endif" => conditionals.extend(open.pop().map(|conditional| Conditional {
                    bytes: conditional.bytes.start..range.end,
                    lines: conditional.lines.start..line,
                    ..conditional
                })),
                _ => {}
            }
        }
        conditionals.extend(open);
        // Guards, and `#if 0`.
        conditionals.retain(|conditional| conditional.names.iter().any(|name| !is_reserved(name)));
        Text { bytes, conditionals }
    }

    fn is_under_condition(&self, line: usize) -> bool {
        self.conditionals.iter().any(|conditional| conditional.lines.contains(&line))
    }

    /// The words of a range, outside of comments and strings, but with those of directives.
    fn words(&self, range: Range<usize>) -> Vec<String> {
        let Some(bytes) = self.bytes.get(range) else { return Vec::new() };
        let mut code = String::new();
        let mut last = 0;
        for lexeme in Scan::of(bytes) {
            match lexeme {
                Lexeme::Directive(range) => {
                    code += &format!(" {} ", unfolded(&bytes[range.clone()]));
                    last = range.end;
                }
                Lexeme::Code(at) => {
                    if at > last {
                        code.push(' ');
                    }
                    code.push(if bytes[at].is_ascii() { char::from(bytes[at]) } else { 'x' });
                    last = at + 1;
                }
            }
        }
        words(&code).collect()
    }
}

/// Bytes of a file.
type InFile = (String, Range<usize>);

/// Where the user's files declare names.
struct Declared {
    /// Outside functions: in which file.
    outside: HashMap<String, Vec<InFile>>,
    /// Inside functions of the main file, with the function's bytes.
    inside: HashMap<String, Vec<[Range<usize>; 2]>>,
    file: String,
}

impl Declared {
    fn of(unit: &Node, file: &str, macros: &mut Macros) -> Declared {
        let mut declared = Declared { outside: HashMap::new(), inside: HashMap::new(), file: file.into() };
        let user: Vec<String> = macros.texts.keys().cloned().collect();
        declared.add(unit, &user);
        declared
    }

    fn add(&mut self, node: &Node, user: &[String]) {
        for child in &node.inner {
            let location = child.range.as_ref().and_then(|range| range.begin.expansion_loc.as_ref());
            let Some(file) = location.and_then(|at| user.iter().find(|file| ***file == *at.file)) else {
                continue;
            };
            let Some(bytes) = child.bytes_in(file) else { continue };
            if matches!(child.kind, Kind::NamespaceDecl | Kind::LinkageSpecDecl) {
                self.add(child, user);
                continue;
            }
            let mut names: Vec<&str> = child.name.as_deref().into_iter().collect();
            if child.is(Kind::EnumDecl) {
                names.extend(child.inner.iter().filter_map(|constant| constant.name.as_deref()));
            }
            for name in names {
                self.outside.entry(name.into()).or_default().push((file.clone(), bytes.clone()));
            }
            if child.is(Kind::FunctionDecl) && *file == self.file {
                self.add_inside(child, &bytes);
            }
        }
    }

    fn add_inside(&mut self, node: &Node, function: &Range<usize>) {
        for child in &node.inner {
            let is_declaration = matches!(
                child.kind,
                Kind::VarDecl | Kind::ParmVarDecl | Kind::TypedefDecl | Kind::RecordDecl | Kind::EnumDecl
            );
            if let Some(name) = child.name.as_deref().filter(|_| is_declaration)
                && let Some(bytes) = child.bytes_in(&self.file)
            {
                self.inside.entry(name.into()).or_default().push([function.clone(), bytes]);
            }
            self.add_inside(child, function);
        }
    }

    /// The declarations of a name that a region may mean.
    fn of_name(&self, name: &str, place: &Range<usize>) -> Vec<InFile> {
        let is_around = |function: &Range<usize>| function.start <= place.start && place.end <= function.end;
        let inside = self.inside.get(name).into_iter().flatten();
        let inside = inside.filter(|[function, _]| is_around(function));
        let inside = inside.map(|[_, bytes]| (self.file.clone(), bytes.clone()));
        let outside = self.outside.get(name).into_iter().flatten().cloned();
        // The function around the region is no part of it.
        let outside = outside.filter(|(file, bytes)| !(*file == self.file && is_around(bytes)));
        inside.chain(outside).collect()
    }
}
