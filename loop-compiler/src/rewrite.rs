//! A file's text with its regions printed from their trees.

use crate::{
    c::{self, SourceFile, SourceRegion},
    tree::{Node, Region},
};

/// The file with each region that `accepts` printed, in the place and indentation of the original. All other bytes are
/// kept, the pragmas around regions among them.
pub fn printed(file: &SourceFile, mut accepts: impl FnMut(&SourceRegion) -> bool) -> Vec<u8> {
    file.with_regions(|region| {
        let tree = region.tree.as_ref().ok().filter(|_| accepts(region))?;
        Some(replacement(&file.text, region, tree))
    })
}

/// What stands in place of a region's bytes.
fn replacement(text: &[u8], region: &SourceRegion, tree: &Region) -> String {
    let bytes = &text[region.bytes.clone()];
    // Between pragmas the text begins with the end of the first one's line; a loop nest begins with the loop.
    if bytes.first().is_some_and(|byte| !byte.is_ascii_whitespace()) {
        let line = text[..region.bytes.start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let indent = blanks(&text[line..]);
        // The directives in front of the loop are not among its bytes.
        let mut tree = tree.clone();
        if let Some(Node::Loop(first)) = tree.body.first_mut() {
            first.directives.clear();
        }
        return indented(&c::print(&tree, 0), &indent).trim().to_string();
    }
    let first = bytes.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(bytes.len());
    let line = bytes[..first].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let last = bytes.iter().rposition(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
    let before_pragma = String::from_utf8_lossy(&bytes[last..]);
    format!("\n{}{before_pragma}", indented(&c::print(tree, 0), &blanks(&bytes[line..])))
}

/// The blanks and tabs in front of a text.
fn blanks(text: &[u8]) -> String {
    text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).map(|byte| char::from(*byte)).collect()
}

fn indented(text: &str, indent: &str) -> String {
    text.lines().map(|line| format!("{indent}{line}\n")).collect()
}
