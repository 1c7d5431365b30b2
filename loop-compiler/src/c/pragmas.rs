//! `#pragma scop` and `#pragma endscop`, which are not in clang's syntax tree, and OpenMP's directives on loops; and what of a
//! text is code.

use std::{fmt, ops::Range};

use crate::ir::Position;

/// The pragmas of a file.
#[derive(Debug)]
pub(super) struct Marks {
    /// The bytes between the pragmas.
    pub regions: Vec<Range<usize>>,
    /// Other pragmas, as they are written: where the line ends, and the text.
    pub others: Vec<Pragma>,
    line_starts: Vec<usize>,
}

/// A pragma that is not a region's.
#[derive(Debug)]
pub(super) struct Pragma {
    /// Its first byte, and the one of the line's end after it.
    pub start: usize,
    pub end: usize,
    /// The first byte of code after it, if only pragmas and comments are between.
    pub next: Option<usize>,
    pub text: String,
}

/// Pragmas that do not fit together.
#[derive(Debug, PartialEq, Eq)]
pub struct PragmaError {
    line: u32,
    what: &'static str,
    hint: &'static str,
}

impl fmt::Display for PragmaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}\nhint: {}", self.line, self.what, self.hint)
    }
}

impl Marks {
    pub fn position(&self, byte: usize) -> Position {
        let line = self.line_starts.partition_point(|start| *start <= byte);
        let column = byte - self.line_starts[line - 1] + 1;
        Position { line: line as u32, column: column as u32 }
    }
}

/// Finds the pragmas of a text, outside comments and strings.
pub(super) fn find(text: &[u8]) -> Result<Marks, PragmaError> {
    let line_starts: Vec<usize> = std::iter::once(0)
        .chain(text.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1))
        .collect();
    let mut marks = Marks { regions: Vec::new(), others: Vec::new(), line_starts };
    let mut begin: Option<(usize, u32)> = None;
    // Of the other pragmas those that code has followed.
    let mut followed = 0;
    for lexeme in Scan::of(text) {
        let directive = match lexeme {
            Lexeme::Directive(directive) => directive,
            Lexeme::Code(at) => {
                marks.others[followed..].iter_mut().for_each(|pragma| pragma.next = Some(at));
                followed = marks.others.len();
                continue;
            }
        };
        let line = marks.position(directive.start).line;
        let words = unfolded(&text[directive.clone()]);
        let mut words = words.trim_start_matches(['#', '%', ':', ' ', '\t']).split_whitespace();
        if words.next() != Some("pragma") {
            // Whether the pragmas before a condition are in effect is not known here.
            followed = marks.others.len();
            continue;
        }
        match (words.next(), begin) {
            (Some("scop"), None) => {
                begin = Some((directive.end, line));
                followed = marks.others.len();
            }
            (Some("scop"), Some(_)) => {
                let hint = "regions do not nest: close the first with `#pragma endscop`";
                return Err(PragmaError { line, what: "`#pragma scop` inside a region", hint });
            }
            (Some("endscop"), Some((start, _))) => {
                marks.regions.push(start..directive.start);
                begin = None;
            }
            (Some("endscop"), None) => {
                let hint = "write `#pragma scop` before the first loop of the region";
                return Err(PragmaError { line, what: "`#pragma endscop` without `#pragma scop`", hint });
            }
            _ => {
                let text = unfolded(&text[directive.clone()]).trim().to_string();
                marks.others.push(Pragma { start: directive.start, end: directive.end, next: None, text });
            }
        }
    }
    match begin {
        Some((_, line)) => Err(PragmaError {
            line,
            what: "`#pragma scop` is never closed",
            hint: "write `#pragma endscop` after the last loop of the region",
        }),
        None => Ok(marks),
    }
}

/// A directive on one line, without comments.
pub(super) fn unfolded(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).replace("\\\r\n", " ").replace("\\\n", " ");
    let end = text.find("//").unwrap_or(text.len());
    let mut text = text[..end].to_string();
    while let Some(begin) = text.find("/*") {
        let end = text[begin..].find("*/").map_or(text.len(), |length| begin + length + 2);
        text.replace_range(begin..end, " ");
    }
    text
}

/// What stands in a text outside of comments, strings and blanks.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Lexeme {
    /// A directive of the preprocessor, from its `#` to the end of its last line (exclusive).
    Directive(Range<usize>),
    /// A byte of code.
    Code(usize),
}

/// The lexemes of a text, one after the other.
pub(super) struct Scan<'t> {
    text: &'t [u8],
    at: usize,
    /// Whether the line has had blanks and comments so far: a `#` begins a directive.
    line_is_empty: bool,
}

impl Iterator for Scan<'_> {
    type Item = Lexeme;

    fn next(&mut self) -> Option<Lexeme> {
        while self.at < self.text.len() {
            let rest = &self.text[self.at..];
            match rest[0] {
                b'\n' => {
                    self.line_is_empty = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'#' if self.line_is_empty => return Some(Lexeme::Directive(self.directive())),
                b'/' if rest.starts_with(b"//") => self.skip_line(),
                b'/' if rest.starts_with(b"/*") => self.skip_comment(),
                b'"' if self.is_raw_string() => self.skip_raw_string(),
                quote @ (b'"' | b'\'') => {
                    self.line_is_empty = false;
                    self.skip_quoted(quote);
                }
                _ => {
                    self.line_is_empty = false;
                    self.at += 1;
                    return Some(Lexeme::Code(self.at - 1));
                }
            }
        }
        None
    }
}

impl<'t> Scan<'t> {
    pub fn of(text: &'t [u8]) -> Scan<'t> {
        Scan { text, at: 0, line_is_empty: true }
    }

    fn directive(&mut self) -> Range<usize> {
        let start = self.at;
        while self.at < self.text.len() && self.text[self.at] != b'\n' {
            let rest = &self.text[self.at..];
            if rest.starts_with(b"\\\n") {
                self.at += 2;
            } else if rest.starts_with(b"\\\r\n") {
                self.at += 3;
            } else if rest.starts_with(b"/*") {
                self.skip_comment();
            } else {
                self.at += 1;
            }
        }
        start..self.at
    }

    fn skip_line(&mut self) {
        while self.at < self.text.len() && self.text[self.at] != b'\n' {
            self.at += if self.text[self.at..].starts_with(b"\\\n") { 2 } else { 1 };
        }
    }

    fn skip_comment(&mut self) {
        let end = self.text[self.at + 2..].windows(2).position(|two| two == b"*/");
        self.at = end.map_or(self.text.len(), |length| self.at + 2 + length + 2);
    }

    /// In C++ `'` also separates digits: a quote between two of them is no literal.
    fn skip_quoted(&mut self, quote: u8) {
        let digit =
            |at: Option<usize>| at.and_then(|at| self.text.get(at)).is_some_and(u8::is_ascii_hexdigit);
        if quote == b'\'' && digit(self.at.checked_sub(1)) && digit(Some(self.at + 1)) {
            self.at += 1;
            return;
        }
        self.at += 1;
        while self.at < self.text.len() && self.text[self.at] != b'\n' {
            match self.text[self.at] {
                b'\\' => self.at += 2,
                byte => {
                    self.at += 1;
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        self.at = self.at.min(self.text.len());
    }

    fn is_raw_string(&self) -> bool {
        self.at > 0 && self.text[self.at - 1] == b'R'
    }

    fn skip_raw_string(&mut self) {
        let rest = &self.text[self.at + 1..];
        let Some(open) = rest.iter().take(17).position(|byte| *byte == b'(') else {
            self.at += 1;
            return;
        };
        let close = [b")", &rest[..open], b"\""].concat();
        let end = rest.windows(close.len()).position(|bytes| bytes == close);
        self.at = end.map_or(self.text.len(), |at| self.at + 1 + at + close.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regions(text: &str) -> Vec<&str> {
        find(text.as_bytes()).unwrap().regions.into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn regions_stand_between_pragmas() {
        assert_eq!(regions("a\n#pragma scop\nb;\n  # pragma endscop\nc"), ["\nb;\n  "]);
        assert_eq!(regions("#pragma scop // x\nb;\n#pragma endscop"), ["\nb;\n"]);
        assert_eq!(regions("#pragma \\\nscop\nb;\n#pragma /* y */ endscop\n"), ["\nb;\n"]);
    }

    #[test]
    fn comments_and_strings_hold_no_pragmas() {
        assert!(regions("/*\n#pragma scop\n*/\n// x \\\n#pragma scop\n").is_empty());
        assert!(regions("char *s = \"\\\n#pragma scop\\\n\";").is_empty());
        assert!(regions("R\"x(\n#pragma scop\n)x\";").is_empty());
        assert_eq!(regions("int i = 1'000; char c = '\"';\n#pragma scop\n'\\''\n#pragma endscop").len(), 1);
    }

    #[test]
    fn pragmas_that_do_not_fit_are_errors_with_their_line() {
        let error = |text: &str| find(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(
            error("\n#pragma scop\n"),
            "2: `#pragma scop` is never closed\nhint: write `#pragma endscop` after the last loop of the region"
        );
        assert!(error("#pragma endscop").starts_with("1: `#pragma endscop` without"));
        assert!(error("#pragma scop\n\n#pragma scop").starts_with("3: `#pragma scop` inside a region"));
    }

    #[test]
    fn any_bytes_are_scanned() {
        for text in ["'", "\"", "/*", "R\"", "R\"(", "\\", "#", "#pragma", "#pragma scop\\", "//\\"] {
            let _ = find(text.as_bytes());
        }
    }

    #[test]
    fn other_pragmas_are_kept() {
        let marks = find(b"#pragma omp parallel \\\n for\nfor (;;) ;").unwrap();
        assert_eq!(marks.others[0].text, "#pragma omp parallel   for");
        assert_eq!(marks.position(marks.others[0].end).line, 2);
    }
}
