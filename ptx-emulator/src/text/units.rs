//! A text that holds several PTX modules.

/// The PTX modules of a text that holds several, one after the other, each from its `.version` line on. What
/// precedes the first stays with it, so that lines count from the start; a text without `.version` is one.
pub fn split_units(text: &str) -> Vec<&str> {
    let is_version = |line: &str| {
        let rest = line.trim_start().strip_prefix(".version");
        rest.is_some_and(|rest| rest.starts_with([' ', '\t']))
    };
    let mut units = Vec::new();
    let (mut start, mut at, mut found) = (0, 0, false);
    for line in text.split_inclusive('\n') {
        if is_version(line) && std::mem::replace(&mut found, true) {
            units.push(&text[start..at]);
            start = at;
        }
        at += line.len();
    }
    units.push(&text[start..]);
    units
}
