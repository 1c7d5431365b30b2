//! How reports are written: how long their lines are, what they show, and their colours.

use std::{env, io};

use ptx_emulator::ReportStyle;

use crate::environment::variable;

/// Columns where standard error is no terminal.
const COLUMNS: usize = 110;

/// What the first line of a report has in addition: `warpfold: `.
const PREFIX: usize = 10;

/// SGR codes: bold red, bold, and the end of both.
const ERROR: &str = "\x1b[1;31m";
const BOLD: &str = "\x1b[1m";
const PLAIN: &str = "\x1b[0m";

/// Calls a function with the style that the environment asks for.
pub(crate) fn with_style<R>(write: impl FnOnce(&ReportStyle<'_>) -> R) -> R {
    let folder = env::current_dir().ok().filter(|folder| folder.parent().is_some());
    let verbose = variable("WARPFOLD_VERBOSE").is_some_and(|value| value == "1");
    write(&ReportStyle { verbose, columns: columns(), folder: folder.as_deref() })
}

/// The width of the terminal that standard error is.
#[cfg(target_os = "linux")]
fn columns() -> usize {
    let size = rustix::termios::tcgetwinsize(io::stderr());
    let columns = size.ok().map(|size| usize::from(size.ws_col)).filter(|&columns| columns > 0);
    columns.map_or(COLUMNS, |columns| columns.saturating_sub(PREFIX))
}

#[cfg(not(target_os = "linux"))]
fn columns() -> usize {
    COLUMNS
}

/// Whether reports have colours, if they are written to a terminal or elsewhere.
pub fn has_colors(on_terminal: bool) -> bool {
    match variable("WARPFOLD_COLOR").as_ref().and_then(|color| color.to_str()) {
        Some("always") => true,
        Some("never") => false,
        _ => {
            let set = |name: &str, plain: fn(&str) -> bool| env::var(name).is_ok_and(|value| plain(&value));
            on_terminal
                && !set("NO_COLOR", |value| !value.is_empty())
                && !set("TERM", |value| value == "dumb")
        }
    }
}

/// The text of a report, with colours if it is to have them: its first line, and lines of source.
pub(crate) fn painted(text: String, on_terminal: bool) -> String {
    if has_colors(on_terminal) { paint(&text) } else { text }
}

/// The text of a report with colours: its first line, and lines of source.
pub fn paint(text: &str) -> String {
    let paint_line = |(at, line): (usize, &str)| {
        let quotes =
            line.trim_start().split_once(" | ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
        match line.strip_suffix('\n').unwrap_or(line) {
            bare if at == 0 => format!("{ERROR}{bare}{PLAIN}\n"),
            bare if quotes => format!("{BOLD}{bare}{PLAIN}\n"),
            bare => format!("{bare}\n"),
        }
    };
    text.split_inclusive('\n').enumerate().map(paint_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_and_lines_of_source_are_painted() {
        let text = "warpfold: k.c:2: wrong\n      2 | *p = a | 7;\n  at x | y\n";
        let expected =
            "\x1b[1;31mwarpfold: k.c:2: wrong\x1b[0m\n\x1b[1m      2 | *p = a | 7;\x1b[0m\n  at x | y\n";
        assert_eq!(paint(text), expected);
    }
}
