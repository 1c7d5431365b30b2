//! Where the regions of a file are: between pragmas, and loop nests.

use std::{collections::BTreeSet, ops::Range};

use clang_ast::Kind;

use super::{
    around::Around,
    ast::{Node, NodeExt},
    changes::is_once,
    directives, library,
    pragmas::{Lexeme, Marks, Pragma, Scan},
    provenance::Provenance,
    reader::Reader,
    scope::{Declarations, Locals, body},
    source::{Error, Input, LoopDirective, SourceRegion},
    uses::words,
};
use crate::{
    ir::{self, Region, walk},
    rules::{Rejection, Rule},
};

/// Reads all regions of a file; if directives are to be checked, those of its loops, too, as they are written.
pub(super) fn regions(
    declarations: &Declarations<'_>,
    input: &Input<'_>,
    (marks, text): (&Marks, &[u8]),
    mut directives: Option<&mut Vec<LoopDirective>>,
) -> Result<Vec<SourceRegion>, Error> {
    let file = input.file.to_string_lossy();
    let mut functions: Vec<&Node> = declarations.functions.values().copied().collect();
    functions.sort_by_key(|function| function.bytes_in(&file).map(|bytes| bytes.start));
    let mut found = Vec::new();
    for function in functions {
        let (Some(bytes), Some(body)) = (function.bytes_in(&file), body(function)) else { continue };
        let mut places = Vec::new();
        for region in
            marks.regions.iter().filter(|region| bytes.start <= region.start && region.end <= bytes.end)
        {
            places.push((region.clone(), Found::of(body, &file, region)));
        }
        if input.auto {
            let marked: Vec<_> = places.iter().map(|(region, _)| region.clone()).collect();
            let nests = Nests { text, file: &file, marked: &marked };
            nests.find(&body.inner, &(bytes.start + 1..bytes.end - 1), &mut places);
        }
        if places.is_empty() {
            continue;
        }
        let locals = Locals::of(function, declarations, &file, marks);
        let provenance = Provenance::of(function, declarations);
        let name = function.name.clone().unwrap_or_default();
        let mut kept = BTreeSet::new();
        if let Some(found) = &mut directives {
            found.extend(directives::find(body, &locals, (marks, &file), &mut kept));
        }
        let kept = directives.is_some().then_some(&kept);
        let mut read = Vec::new();
        while let Some((bytes, place)) = places.pop() {
            if text.get(bytes.clone()).is_none() {
                return Err(Error::SyntaxTree(format!(
                    "it has a loop at the bytes {bytes:?}, behind the text"
                )));
            }
            let at = marks.position(first_byte(text, &bytes));
            let reader = Reader::new(
                declarations,
                (&locals, &provenance),
                input,
                marks,
                (&file, text),
                bytes.clone(),
                kept,
            );
            let tree = match &place {
                Found::Block(statements) => reader.region(function, at, statements),
                Found::Body(statement) => reader.region(function, at, &[*statement]),
                Found::Parts(reason) => Err(Rejection::new(Rule::Model, at, *reason)),
            };
            let tree = tree.and_then(|tree| match lost(marks, &bytes, body, &file, kept.is_some()) {
                Some(pragma) => {
                    let reason = format!("`{}` stands in front of no loop", pragma.text);
                    Err(Rejection::new(Rule::Annotations, marks.position(pragma.start), reason))
                }
                None => Ok(tree),
            });
            // Whatever else stands there, what keeps the order of iterations makes a loop sequential.
            let tree = tree.map_err(|rejection| match place.statements() {
                [only] if rejection.rule != Rule::Annotations && is_loop(only) => {
                    match library::ordered_call(declarations, only) {
                        Some((call, effect)) => {
                            let at = call.bytes_in(&file).map_or(at, |bytes| marks.position(bytes.start));
                            Rejection::new(
                                Rule::Dependences,
                                at,
                                format!("{effect}, in the order of the iterations"),
                            )
                        }
                        None => rejection,
                    }
                }
                _ => rejection,
            });
            // What is not understood as a whole may have nests that are.
            if tree.as_ref().is_err_and(|rejection| rejection.rule != Rule::Annotations || kept.is_some()) {
                let nests = Nests { text, file: &file, marked: &[] };
                match place.statements() {
                    [only] => nests.find(&only.inner, &(bytes.start + 1..bytes.end), &mut places),
                    all => nests.find(all.iter().copied(), &bytes, &mut places),
                }
            }
            read.push((bytes, at, matches!(place, Found::Body(_)), tree));
        }
        let all: Vec<_> =
            read.iter().filter(|(.., tree)| tree.is_ok()).map(|(bytes, ..)| bytes.clone()).collect();
        for (bytes, at, is_body, tree) in read {
            let mut unused = locals.unused_outside(&all, &bytes, &file);
            unused.extend(tree.iter().flat_map(|tree| left_over(tree, &locals, &bytes)));
            unused.sort();
            unused.dedup();
            let around = Around { function, declarations, locals: &locals, marks, text, file: &file };
            let surroundings =
                (is_plain_c(input) && tree.is_ok()).then(|| around.surroundings(&bytes)).flatten();
            found.push(SourceRegion {
                bytes,
                at,
                function: name.clone(),
                unused,
                surroundings,
                is_body,
                assertions: Vec::new(),
                tree,
            });
        }
    }
    Ok(found)
}

fn is_loop(node: &Node) -> bool {
    matches!(node.kind, Kind::ForStmt | Kind::WhileStmt | Kind::DoStmt)
}

/// Variables of the function that the region alone uses, and that its tree does not read.
fn left_over(tree: &Region, locals: &Locals<'_>, bytes: &Range<usize>) -> Vec<String> {
    let changed = tree.changed_for_nobody.iter().map(|(name, _)| name);
    let names = changed.chain(tree.defined_before.iter().map(|(name, ..)| name));
    let is_read = |name: &str| {
        let mut reads = walk(&tree.body).flat_map(ir::Node::reads);
        reads.any(|read| tree.variable(read.variable).name == name)
    };
    let is_left = |name: &&String| !is_read(name) && locals.is_used_only_in(bytes, name);
    names.filter(is_left).cloned().collect()
}

/// Whether a file is C by its name, and nothing else is said of its language.
fn is_plain_c(input: &Input<'_>) -> bool {
    let is_language = |word: &std::ffi::OsString| word.to_string_lossy().starts_with("-x");
    input.file.extension().is_some_and(|ending| ending == "c") && !input.arguments.iter().any(is_language)
}

/// The line of a region is its pragma's, or its first loop's.
fn first_byte(text: &[u8], bytes: &Range<usize>) -> usize {
    let pragma = text[..bytes.start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let is_pragma = text[pragma..bytes.start].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'#');
    if is_pragma { pragma } else { bytes.start }
}

/// What stands between pragmas.
enum Found<'t> {
    /// Statements of one block.
    Block(Vec<&'t Node>),
    /// A statement that is the body of a loop or a branch, without braces.
    Body(&'t Node),
    /// What is no part of a program by itself, and why.
    Parts(&'static str),
}

impl<'t> Found<'t> {
    fn statements(&self) -> &[&'t Node] {
        match self {
            Found::Block(statements) => statements,
            Found::Body(statement) => std::slice::from_ref(statement),
            Found::Parts(_) => &[],
        }
    }

    fn of(body: &'t Node, file: &str, range: &Range<usize>) -> Found<'t> {
        let mut found = Vec::new();
        statements_in(body, file, range, &mut found);
        let Some((parent, first)) = found.first().copied() else {
            return match is_in_block(body, file, range) {
                true => Found::Block(Vec::new()),
                false => Found::Parts("no statements of one block are in the region"),
            };
        };
        if found.iter().any(|(other, _)| !std::ptr::eq(*other, parent)) {
            return Found::Parts(
                "the region begins as the body of a loop, a branch or a label, and goes on behind it; hint: put braces \
                 around it",
            );
        }
        if parent.is(Kind::CompoundStmt) {
            let is_inside =
                parent.bytes_in(file).is_some_and(|block| block.start < range.start && range.end < block.end);
            return match is_inside {
                true => Found::Block(found.into_iter().map(|(_, statement)| statement).collect()),
                false => Found::Parts("the region ends outside of the block in which it begins"),
            };
        }
        let is_last = |node: &Node| parent.inner.last().is_some_and(|last| std::ptr::eq(last, node));
        let is_first = |node: &Node| parent.inner.first().is_some_and(|first| std::ptr::eq(first, node));
        let is_body = match parent.kind {
            Kind::ForStmt | Kind::WhileStmt => is_last(first),
            Kind::IfStmt => !is_first(first),
            Kind::DoStmt => is_first(first),
            _ => false,
        };
        match &found[..] {
            [(_, statement)] if is_body => Found::Body(statement),
            _ => Found::Parts("the region is a part of a statement; hint: put braces around it"),
        }
    }
}

/// Whether a range without statements is between those of a block.
fn is_in_block(node: &Node, file: &str, range: &Range<usize>) -> bool {
    let meets = |child: &&Node| {
        child.bytes_in(file).is_some_and(|bytes| bytes.start < range.end && range.start < bytes.end)
    };
    match node.inner.iter().find(meets) {
        None => node.is(Kind::CompoundStmt),
        Some(child) => {
            let around = child.bytes_in(file).is_some_and(|b| b.start < range.start && range.end < b.end);
            around && is_in_block(child, file, range)
        }
    }
}

/// The statements whose text is in a range, outermost first, each with what it is a part of.
fn statements_in<'t>(
    node: &'t Node,
    file: &str,
    range: &Range<usize>,
    found: &mut Vec<(&'t Node, &'t Node)>,
) {
    for child in &node.inner {
        match child.bytes_in(file) {
            Some(bytes) if range.start <= bytes.start && bytes.end <= range.end => found.push((node, child)),
            Some(bytes) if bytes.end <= range.start || range.end <= bytes.start => {}
            _ => statements_in(child, file, range, found),
        }
    }
}

/// The outermost loops outside the marked regions whose text is theirs alone: a macro may hold more than the loop.
struct Nests<'a> {
    text: &'a [u8],
    file: &'a str,
    marked: &'a [Range<usize>],
}

impl Nests<'_> {
    /// Those among and in the parts of a node; `space` is where their text can stand.
    fn find<'t>(
        &self,
        parts: impl IntoIterator<Item = &'t Node>,
        space: &Range<usize>,
        found: &mut Vec<(Range<usize>, Found<'t>)>,
    ) {
        let parts: Vec<_> = parts.into_iter().filter_map(|child| Some((child, self.bytes(child)?))).collect();
        for (index, (child, bytes)) in parts.iter().enumerate() {
            if self.marked.iter().any(|region| region.start <= bytes.start && bytes.end <= region.end) {
                continue;
            }
            let begin = index.checked_sub(1).map_or(0, |before| parts[before].1.end);
            let end = parts.get(index + 1).map_or(usize::MAX, |(_, next)| next.start);
            let space = space.start.max(begin)..space.end.min(end);
            // What is behind the text is an error of the caller's.
            let is_whole = space.start <= bytes.start && bytes.end <= space.end
                || self.text.get(bytes.clone()).is_none();
            let overlaps =
                self.marked.iter().any(|region| region.start < bytes.end && bytes.start < region.end);
            if is_loop(child) && !is_once(child) && !overlaps && is_whole {
                found.push((bytes.clone(), Found::Block(vec![child])));
            } else {
                // Each statement begins with a token of its own, and a block ends with one.
                let past = if child.is(Kind::CompoundStmt) { bytes.end - 1 } else { bytes.end };
                self.find(&child.inner, &(space.start.max(bytes.start + 1)..space.end.min(past)), found);
            }
        }
    }

    /// The text of a node, with the arguments of a macro that makes its end.
    fn bytes(&self, node: &Node) -> Option<Range<usize>> {
        let bytes = node.bytes_in(self.file)?;
        let end = &node.range.as_ref()?.end;
        let rest = self.text.get(bytes.end..).unwrap_or_default();
        let is_plain = end.spelling_loc == end.expansion_loc;
        let open = rest.iter().position(|byte| !byte.is_ascii_whitespace());
        if is_plain || open.is_none_or(|at| rest[at] != b'(') {
            return Some(bytes);
        }
        let mut depth = 0;
        let close = Scan::of(rest).find_map(|lexeme| {
            let Lexeme::Code(at) = lexeme else { return None };
            depth += match rest[at] {
                b'(' => 1,
                b')' => -1,
                _ => 0,
            };
            (depth == 0).then_some(at)
        })?;
        Some(bytes.start..bytes.end + close + 1)
    }
}

/// A directive of OpenMP or of this program in a region that is in front of no loop: what is made of the region would not have
/// it.
fn lost<'m>(
    marks: &'m Marks,
    region: &Range<usize>,
    body: &Node,
    file: &str,
    has_atomics: bool,
) -> Option<&'m Pragma> {
    fn is_loop(node: &Node, at: usize, file: &str) -> bool {
        let own = node.is(Kind::ForStmt) && node.bytes_in(file).is_some_and(|bytes| bytes.start == at);
        own || node.inner.iter().any(|child| is_loop(child, at, file))
    }
    let is_meant = |text: &str| words(text).nth(1).is_some_and(|word| matches!(&*word, "omp" | "warpfold"));
    let mut inside =
        marks.others.iter().filter(|pragma| region.contains(&pragma.start) && is_meant(&pragma.text));
    inside.find(|pragma| {
        let is_understood = has_atomics && directives::is_atomic(pragma);
        !is_understood && !pragma.next.is_some_and(|at| is_loop(body, at, file))
    })
}
