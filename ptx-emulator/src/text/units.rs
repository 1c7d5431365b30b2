//! A text that holds several PTX modules.

/// Splits a text that holds several PTX modules, each from its `.version` line on. Text before the first
/// module stays with it, so that its lines count from the start. A text without `.version` is one module.
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
