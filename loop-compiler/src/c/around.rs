//! What is around a region: where a function in front of the region's own can stand, and what it can take from there.
//!
//! What cannot be proved to mean the same in another function keeps the region's code where it is.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use clang_ast::Kind;

use super::{
    ast::{Node, NodeExt},
    pragmas::{Lexeme, Marks, Scan, unfolded},
    scope::{Declarations, Locals, body},
    surroundings::{Before, Passed, Surroundings},
    types,
    uses::words,
};

/// A function with regions.
pub(super) struct Around<'a, 't> {
    pub function: &'t Node,
    pub declarations: &'a Declarations<'t>,
    pub locals: &'a Locals<'t>,
    pub marks: &'a Marks,
    pub text: &'a [u8],
    pub file: &'a str,
}

/// What a function declares, and what is around a region.
#[derive(Default)]
struct Found<'t> {
    /// Variables with the blocks that they are declared in.
    variables: Vec<(&'t Node, Range<usize>)>,
    inside: BTreeSet<String>,
    is_in_loop: bool,
    has_assembly: bool,
}

impl<'t> Around<'_, 't> {
    /// What a function can take from around a region; none if the region's code has to stay in this one.
    pub fn surroundings(&self, region: &Range<usize>) -> Option<Surroundings> {
        let bytes = self.function.bytes_in(self.file)?;
        let head = self.text.get(bytes.start..body(self.function)?.bytes_in(self.file)?.start)?;
        let before = self.text.get(bytes.start..region.start)?;
        if !self.is_plain(head) || has_word(before, "_Pragma") || self.has_pragmas(&bytes, region) {
            return None;
        }
        let mut found = Found::default();
        self.find(self.function, &bytes, region, &mut found);
        if found.has_assembly {
            return None;
        }
        let at = place(self.text, bytes.start, region.start)?;
        let mut visible: Vec<&(&Node, Range<usize>)> =
            found.variables.iter().filter(|(node, scope)| self.is_visible(node, scope, region)).collect();
        // Of two with one name the inner one is meant.
        visible.sort_by_key(|(_, scope)| scope.start);
        let mut variables = BTreeMap::new();
        for (node, _) in visible {
            let Some(name) = node.name.clone() else { continue };
            match self.passed(node, region, &found) {
                Some(passed) => variables.insert(name, passed),
                None => variables.remove(&name),
            };
        }
        let line = self.marks.position(at).line;
        Some(Surroundings { at, line, variables, inside: found.inside })
    }

    /// Whether a function with that text in front of its body may call a static one, and all that is said of it goes for
    /// that one, too, or does not matter.
    fn is_plain(&self, head: &[u8]) -> bool {
        let function = self.function;
        let known = |node: &Node| {
            matches!(
                node.kind,
                Kind::ParmVarDecl
                    | Kind::CompoundStmt
                    | Kind::FullComment
                    | Kind::AlwaysInlineAttr
                    | Kind::DeprecatedAttr
                    | Kind::NoInlineAttr
                    | Kind::NonNullAttr
                    | Kind::NoThrowAttr
                    | Kind::UnusedAttr
                    | Kind::VisibilityAttr
                    | Kind::WeakAttr
            )
        };
        // Such an inline function may be part of other files, which do not see a static one.
        let is_shared = function.inline && function.storage_class.as_deref() != Some("static");
        let is_named = function.name.as_deref().is_some_and(|name| has_word(head, name));
        // A structure that the head declares is not known in front of it.
        function.is(Kind::FunctionDecl)
            && function.inner.iter().all(known)
            && !is_shared
            && is_named
            && !head.contains(&b'{')
    }

    /// Whether the function has pragmas, other than those of this program, that may be about the region.
    fn has_pragmas(&self, function: &Range<usize>, region: &Range<usize>) -> bool {
        let is_own = |text: &str| words(text).nth(1).is_some_and(|word| word == "warpfold");
        let before = |end: usize| function.start < end && end <= region.end;
        self.marks.others.iter().any(|pragma| before(pragma.end) && !is_own(&pragma.text))
    }

    fn find(&self, node: &'t Node, block: &Range<usize>, region: &Range<usize>, found: &mut Found<'t>) {
        for child in &node.inner {
            let bytes = child.bytes_in(self.file);
            let around = bytes.clone().filter(|own| own.start <= region.start && region.end <= own.end);
            match child.kind {
                Kind::ParmVarDecl => found.variables.push((child, block.clone())),
                Kind::VarDecl if is_passed(child) => found.variables.push((child, block.clone())),
                Kind::VarDecl
                | Kind::FunctionDecl
                | Kind::TypedefDecl
                | Kind::RecordDecl
                | Kind::EnumDecl
                | Kind::EnumConstantDecl => found.inside.extend(child.name.clone()),
                Kind::ForStmt | Kind::WhileStmt | Kind::DoStmt => {
                    // A loop that is the region itself begins with it.
                    let is_around = around.as_ref().is_some_and(|own| own.start < region.start);
                    found.is_in_loop |= is_around;
                }
                Kind::GCCAsmStmt => found.has_assembly = true,
                _ => {}
            }
            // The parameters of a declared function are nobody's.
            if child.is(Kind::FunctionDecl) {
                continue;
            }
            let is_block = matches!(child.kind, Kind::CompoundStmt | Kind::ForStmt);
            self.find(child, bytes.as_ref().filter(|_| is_block).unwrap_or(block), region, found);
        }
    }

    fn is_visible(&self, node: &Node, scope: &Range<usize>, region: &Range<usize>) -> bool {
        let start = node.bytes_in(self.file).map(|bytes| bytes.start);
        scope.start <= region.start
            && region.end <= scope.end
            && start.is_some_and(|start| start < region.start)
    }

    fn passed(&self, node: &Node, region: &Range<usize>, found: &Found<'_>) -> Option<Passed> {
        let type_name = node.of_type.as_ref()?.qual_type.as_str();
        let bracket = type_name.find('[').unwrap_or(type_name.len());
        let (element, lengths) = type_name.split_at(bracket);
        if !self.is_type(element, &found.inside) || !self.is_copied(node.type_name()) {
            return None;
        }
        let lengths: Vec<String> = words(lengths).filter(|word| word != "restrict").collect();
        if !lengths.iter().all(|name| self.stays(name, found)) {
            return None;
        }
        let is_parameter = self.locals.parameters.contains(&node.id);
        let is_used = || self.locals.uses.is_used_before(region, node.id);
        let before = if is_parameter || node.init.is_some() || is_used() {
            Before::Set
        } else if found.is_in_loop || self.locals.uses.has_jumps() {
            Before::Unknown
        } else {
            Before::Unset
        };
        Some(Passed { type_name: type_name.into(), lengths, before })
    }

    /// Whether all names in a type mean the same in front of the function.
    fn is_type(&self, text: &str, inside: &BTreeSet<String>) -> bool {
        const WORDS: [&str; 17] = [
            "void", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "bool", "_Bool",
            "_Complex", "__int128", "_Float16", "__bf16", "const", "restrict",
        ];
        let mut words = words(text);
        while let Some(word) = words.next() {
            let is_known = match word.as_str() {
                "struct" | "union" | "enum" => words.next().is_some_and(|tag| {
                    self.declarations.tags.contains_key(tag.as_str()) && !inside.contains(&tag)
                }),
                word if WORDS.contains(&word) => true,
                word => self.declarations.type_names.contains_key(word) && !inside.contains(word),
            };
            if !is_known {
                return false;
            }
        }
        true
    }

    /// Whether a variable of a type without aliases can be copied at little cost: a scalar, a pointer, an array that is passed
    /// as one, or a structure of scalars and pointers.
    fn is_copied(&self, type_name: &str) -> bool {
        let is_scalar = |name: &str| types::scalar(name).is_some();
        let is_pointer = |name: &str| types::shape(name).is_some_and(|shape| shape.pointers > 0);
        let is_small = |record: &Node| {
            let mut fields = record.inner.iter().filter(|child| child.is(Kind::FieldDecl));
            let is_plain = |field: &Node| {
                let name = field.type_name();
                // A structure with constants cannot be set.
                let is_constant = name.contains("*const") || !name.contains('*') && name.contains("const ");
                let is_one = is_scalar(name) || is_pointer(name) && !name.contains('[');
                !field.is_bitfield && !is_constant && is_one
            };
            record.tag_used.as_deref() == Some("struct") && fields.all(is_plain)
        };
        let Some(shape) = types::shape(type_name) else { return false };
        let of_type = !shape.extents.is_empty() || is_scalar(&shape.element);
        of_type || self.declarations.record(&shape.element).is_some_and(is_small)
    }

    /// Whether a name is that of one variable of the function, an integer that keeps its first value.
    fn stays(&self, name: &str, found: &Found<'_>) -> bool {
        let mut named = found.variables.iter().filter(|(node, _)| node.name.as_deref() == Some(name));
        match (named.next(), named.next()) {
            (Some((node, _)), None) => {
                types::scalar(node.type_name()).is_some_and(|scalar| scalar.is_integer())
                    && !self.locals.assigned.contains(&node.id)
                    && !self.declarations.address_taken.contains(&node.id)
            }
            _ => false,
        }
    }
}

/// Whether a variable lives as long as its block, and is no array without an address.
fn is_passed(variable: &Node) -> bool {
    match variable.storage_class.as_deref() {
        None | Some("auto") => true,
        Some("register") => !variable.type_name().contains('['),
        Some(_) => false,
    }
}

fn has_word(text: &[u8], word: &str) -> bool {
    words(&String::from_utf8_lossy(text)).any(|other| other == word)
}

/// A place between two declarations of a file.
struct Gap {
    at: usize,
    /// The branches of `#if` around it.
    branches: Vec<usize>,
    /// Whether a declaration ends there, and not a directive.
    ends_declaration: bool,
}

/// Where another function can stand in front of the one that begins at a byte and has a region at another one: after what
/// stands before it, at the beginning of a line if there is one. Attributes, pragmas and comments in front of a function
/// belong to it. Where the region is compiled, the place has to be compiled, too.
fn place(text: &[u8], function: usize, region: usize) -> Option<usize> {
    let mark = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut gaps = vec![Gap { at: mark, branches: Vec::new(), ends_declaration: true }];
    let (mut depth, mut depth_of_function) = (0usize, None);
    // The number of each branch around, and the depth where it begins.
    let mut branches: Vec<(usize, usize)> = Vec::new();
    let mut branch = 0;
    for lexeme in Scan::of(text) {
        let begin = match &lexeme {
            Lexeme::Directive(bytes) => bytes.start,
            Lexeme::Code(at) => *at,
        };
        if begin >= function {
            depth_of_function.get_or_insert(depth);
        }
        if begin >= region {
            break;
        }
        let mut end = None;
        match lexeme {
            Lexeme::Directive(bytes) => {
                let line = unfolded(&text[bytes.clone()]);
                let mut words = words(&line);
                match words.next().as_deref() {
                    Some("if" | "ifdef" | "ifndef") => {
                        branch += 1;
                        branches.push((branch, depth));
                    }
                    Some("elif" | "elifdef" | "elifndef" | "else") => {
                        branch += 1;
                        let (current, at_begin) = branches.last_mut()?;
                        (*current, depth) = (branch, *at_begin);
                    }
                    Some("endif") => drop(branches.pop()?),
                    _ => {}
                }
                end = Some((bytes.end, false)).filter(|_| !is_of_next_function(&line));
            }
            Lexeme::Code(at) => {
                let two = text.get(at..at + 2).unwrap_or_default();
                match (text[at], two) {
                    (b'{', _) | (_, b"<%") => depth += 1,
                    (b'}', _) | (_, b"%>") => {
                        depth = depth.checked_sub(1)?;
                        end = Some((at + if text[at] == b'}' { 1 } else { 2 }, true));
                    }
                    (b';', _) => end = Some((at + 1, true)),
                    _ => {}
                }
            }
        }
        if let Some((at, ends_declaration)) = end.filter(|_| depth == 0 && begin < function) {
            let branches = branches.iter().map(|(number, _)| *number).collect();
            gaps.push(Gap { at, branches, ends_declaration });
        }
    }
    if depth_of_function != Some(0) {
        return None;
    }
    let is_compiled = |gap: &&Gap| {
        let mut around = branches.iter().map(|(number, _)| number);
        gap.branches.iter().all(|number| around.next() == Some(number))
    };
    let found = gaps.iter().rposition(|gap| is_compiled(&gap))?;
    let skipped = gaps[found + 1..].iter().any(|gap| gap.ends_declaration);
    (!skipped).then(|| next_line(text, gaps[found].at)).filter(|at| *at <= function)
}

/// Whether a pragma says something of the function behind it.
fn is_of_next_function(directive: &str) -> bool {
    let words: Vec<String> = words(directive).take(4).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    matches!(
        words[..],
        ["pragma", "omp", "declare", "simd" | "variant", ..] | ["pragma", "acc", "routine", ..]
    )
}

/// The beginning of the next line that is not empty, if a line ends there but for comments; the same byte otherwise.
fn next_line(text: &[u8], end: usize) -> usize {
    let is_blank = |line: &[u8]| line.iter().all(u8::is_ascii_whitespace);
    let length = |at: usize| text[at..].iter().position(|byte| *byte == b'\n');
    let mut at = end;
    if end > 0 {
        let Some(length) = length(end) else { return end };
        let rest = text[end..end + length].trim_ascii_end();
        // A comment that goes on in the next line is left where it is.
        let goes_on = rest.windows(2).any(|two| two == b"/*") && !rest.ends_with(b"*/");
        if goes_on || rest.ends_with(b"\\") || !unfolded(rest).trim().is_empty() {
            return end;
        }
        at = end + length + 1;
    }
    while let Some(length) = length(at).filter(|length| is_blank(&text[at..at + length])) {
        at += length + 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with `@` at the place before the function `f`, whose region begins at `region`.
    fn placed(text: &str) -> Option<String> {
        let function = text.find("void f").unwrap();
        let at = place(text.as_bytes(), function, text.find("region").unwrap())?;
        Some(format!("{}@{}", &text[..at], &text[at..]))
    }

    #[test]
    fn functions_stand_behind_what_stands_before() {
        let at = |text: &str| {
            let expected = text.to_string();
            assert_eq!(placed(&text.replace('@', "")), Some(expected));
        };
        at("@void f() { region }");
        at("/* License */\n\n#include <math.h>\n\n@/* About f. */\nvoid f() { region }");
        at("int x;@ void f() { region }");
        at("int x; // an x\n@void f() { region }");
        at("int x; /* an x */ /* of */\r\n\r\n@__attribute__((noinline))\nvoid f() { region }");
        at("int g() { return ';'; /* } */ }@ static void f() { region }");
        at("struct s { int x; } t = { 1 };\n@#pragma omp declare simd\nvoid f() { region }");
        at("#define X }\n#pragma STDC FP_CONTRACT OFF\n@void f() { region }");
        at("int g();\n#define LONG \\\n  ;\n@void f() { region }");
        at("int x;@ /* goes\n on */ void f() { region }");
        at("\u{feff}@void f() { region }");
        at("int g() <% return 0; %>@ void f() { region }");
    }

    #[test]
    fn functions_are_compiled_where_the_region_is() {
        let at = |text: &str| {
            let expected = text.to_string();
            assert_eq!(placed(&text.replace('@', "")), Some(expected));
        };
        at("#ifdef A\nint x;\n#else\nint y;\n#endif\n@void f() { region }");
        at("#ifdef A\nint x;\n@void f() { region }\n#endif");
        at("int x;\n@#ifdef A\nvoid g() {\n#else\nvoid f() {\n#endif\nregion }");
        at("int x;\n@#ifdef A\nvoid f() {\n#else\nvoid g() {\n#endif\nregion }");
        at("int g() {\n#if A\nif (x) {\n#else\nif (y) {\n#endif\n}\n}\n@void f() { region }");
        // What is declared behind the place would not be known there.
        assert_eq!(placed("#ifdef A\ntypedef int t;\nvoid f() {\n#else\nvoid g() {\n#endif\nregion }"), None);
        assert_eq!(placed("OPEN {\n void f() { region } }"), None);
    }

    #[test]
    fn any_text_is_scanned() {
        for text in [
            "void f region",
            "}void f region",
            "#endif\nvoid f region",
            "#else\nvoid f region",
            "\\void f region",
        ] {
            let _ = placed(text);
        }
    }
}
