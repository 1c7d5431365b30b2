//! A file's text with its regions printed from their trees.

use crate::{
    c::{self, Replacement, SourceFile, SourceRegion},
    ir::{LoopAttributes, Node, Region, Returned},
};

/// The file with each region that `accepts` printed, in the place and indentation of the original, but for those that rely on
/// memory. All other bytes are kept, the pragmas around regions among them.
pub fn printed(file: &SourceFile, mut accepts: impl FnMut(&SourceRegion) -> bool) -> Vec<u8> {
    rewritten(file, |region| {
        let tree = region.tree.as_ref().ok().filter(|tree| !tree.is_conditional && accepts(region))?;
        Some(match is_nest(file, region) {
            // The directives in front of the loop are not among its bytes.
            true => c::print(&without_directives(tree), 0),
            false => c::print(tree, 0),
        })
    })
}

/// The file with other texts in place of its regions, in their indentation; without a text a region stays.
pub fn rewritten<R: Into<Replacement>>(
    file: &SourceFile,
    mut text_of: impl FnMut(&SourceRegion) -> Option<R>,
) -> Vec<u8> {
    file.with_regions(|region| {
        let made = text_of(region)?.into();
        Some(Replacement { text: replacement(file, region, &made), ..made })
    })
}

/// Whether a region is a loop nest, and not what stands between pragmas.
pub fn is_nest(file: &SourceFile, region: &SourceRegion) -> bool {
    // Between pragmas the text begins with the end of the first one's line.
    file.text[region.bytes.clone()].first().is_some_and(|byte| !byte.is_ascii_whitespace())
}

fn without_directives(tree: &Region) -> Region {
    let mut tree = tree.clone();
    if let Some(Node::Loop(first)) = tree.body.first_mut() {
        first.attributes = LoopAttributes::default();
        first.parallel = false;
    }
    tree
}

/// What stands in place of a region's bytes.
fn replacement(file: &SourceFile, region: &SourceRegion, made: &Replacement) -> String {
    let text = &file.text;
    let bytes = &text[region.bytes.clone()];
    let mut printed = match made.has_source {
        true => made.text.clone(),
        false => with_unused(&made.text, region, is_nest(file, region)),
    };
    if let Ok(tree) = &region.tree {
        printed = with_surroundings(printed, tree, made.has_source);
    }
    if region.is_body && !printed.starts_with("{\n") {
        printed = format!("{{\n{}}}\n", indented(&printed, "  "));
    }
    if !region.assertions.is_empty() {
        printed = with_assertions(printed, region, is_nest(file, region));
    }
    let printed = &printed;
    if is_nest(file, region) {
        let line = text[..region.bytes.start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let made = indented(printed, &blanks(&text[line..])).trim().to_string();
        // What follows on the line of the loop must not become a part of a directive.
        let is_directive = made.lines().next_back().is_some_and(|line| line.starts_with('#'));
        return if is_directive { made + "\n" } else { made };
    }
    let first = bytes.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(bytes.len());
    let line = bytes[..first].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let last = bytes.iter().rposition(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
    let before_pragma = String::from_utf8_lossy(&bytes[last..]);
    format!("\n{}{before_pragma}", indented(printed, &blanks(&bytes[line..])))
}

/// The text with a use of iterators that nothing else uses any more, so that compilers do not warn of them. What takes the
/// place of one loop alone has no room for it.
fn with_unused(printed: &str, region: &SourceRegion, is_nest: bool) -> String {
    if region.unused.is_empty() {
        return printed.into();
    }
    let uses = c::use_of(&region.unused);
    match head(printed) {
        Some(head) => format!("{}  {uses};\n{}", &printed[..head], &printed[head..]),
        None if is_nest => printed.into(),
        None => format!("{uses};\n{printed}"),
    }
}

/// The text of a region between its own variables and what follows from them, unless it has that in it.
fn with_surroundings(printed: String, tree: &Region, has_source: bool) -> String {
    let behind = if has_source { String::new() } else { behind(tree) };
    if tree.defined.is_empty() && behind.is_empty() {
        return printed;
    }
    let declared = tree.defined.iter().map(|(id, value)| {
        let variable = tree.variable(*id);
        format!("  {} {} = {value};\n", variable.scalar.c_name(), variable.name)
    });
    let declared = declared.collect::<String>();
    format!("{{\n{declared}{}{}}}\n", indented(&printed, "  "), indented(&behind, "  "))
}

/// The text with the assertions of a region about macros. One loop alone needs a block for them.
fn with_assertions(printed: String, region: &SourceRegion, is_nest: bool) -> String {
    let assertions: String = region.assertions.iter().map(|assertion| format!("{assertion}\n")).collect();
    let macros = c::MACRO_TEXT;
    match head(&printed) {
        Some(head) => {
            format!("{}{macros}{}{}", &printed[..head], indented(&assertions, "  "), &printed[head..])
        }
        None if is_nest => format!("{{\n{macros}{}}}\n", indented(&(assertions + &printed), "  ")),
        None => format!("{macros}{assertions}{printed}"),
    }
}

/// Where the statements of a block begin, if the text is one.
fn head(printed: &str) -> Option<usize> {
    let rest = printed.strip_prefix("{\n")?;
    // A pragma of the block has to stay in front of its statements.
    let pragma = rest.split_once('\n').filter(|(line, _)| line.trim_start().starts_with("#pragma STDC"));
    Some(2 + pragma.map_or(0, |(line, _)| line.len() + 1))
}

/// The blanks and tabs in front of a text.
fn blanks(text: &[u8]) -> String {
    text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).map(|byte| char::from(*byte)).collect()
}

/// What follows from variables that a region has for itself, as C: `return`, and pointers that it moves.
pub(crate) fn behind(tree: &Region) -> String {
    let mut out = String::new();
    if let Some(Returned { flag, value }) = &tree.returned {
        let result = value.map_or(String::new(), |value| format!(" {}", tree.variable(value).name));
        out += &format!("if ({})\n  return{result};\n", tree.variable(*flag).name);
    }
    out.extend(tree.set_behind.iter().map(|statement| format!("{statement}\n")));
    out
}

/// Lines with blanks in front, but for directives of the preprocessor that stand at the first column.
pub(crate) fn indented(text: &str, indent: &str) -> String {
    text.lines()
        .map(|line| match line.starts_with('#') && !line.starts_with("#pragma") {
            true => format!("{line}\n"),
            false if line.is_empty() => "\n".into(),
            false => format!("{indent}{line}\n"),
        })
        .collect()
}
