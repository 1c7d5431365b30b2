//! Suppression files: findings that are known, and not reported.
//!
//! A line is `KIND FILE:LINE`, `KIND FILE:LINE FILE:LINE` or `KIND kernel:NAME`. `*` stands for any characters in a file
//! or name, and for any line and kind. A file is a path, or the end of one.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use output_files::FileError;

use crate::{
    error::Error,
    finding::{Finding, FindingSide, KINDS, OTHER_KINDS},
};

/// The largest file, in bytes, and the most lines that suppress something.
const LARGEST: u64 = 1 << 20;
const MOST: usize = 10_000;

/// The lines of a file.
#[derive(Debug, Default)]
pub struct Suppressions {
    path: PathBuf,
    all: Vec<Suppression>,
}

/// A line of the file.
#[derive(Debug)]
struct Suppression {
    line: usize,
    text: String,
    kind: String,
    what: Suppressed,
    used: bool,
}

/// Which findings of its kind a line suppresses.
#[derive(Debug, PartialEq, Eq)]
enum Suppressed {
    /// Those with a side at this line.
    One(LinePattern),
    /// Those with sides at both lines.
    Both(LinePattern, LinePattern),
    /// Those in kernels of such a name.
    Kernel(String),
}

#[derive(Debug, PartialEq, Eq)]
struct LinePattern {
    file: String,
    /// `None` is any.
    line: Option<u64>,
}

impl Suppressions {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Suppressions, Error> {
        let mut text = String::new();
        let read = File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text));
        read.map_err(|source| FileError::Read { path: path.into(), source })?;
        if text.len() as u64 > LARGEST {
            let path = terminal_text::name(path.display());
            return Err(Error::Suppressions(format!(
                "{path}: a file of suppressions has at most {LARGEST} bytes"
            )));
        }
        let all = parse(&text).map_err(|(line, why)| {
            Error::Suppressions(format!("{}:{line}: {why}", terminal_text::name(path.display())))
        })?;
        Ok(Suppressions { path: path.into(), all })
    }

    /// Whether a finding is suppressed.
    pub fn suppress(&mut self, finding: &Finding) -> bool {
        // All that match count as used.
        let mut found = false;
        for suppression in &mut self.all {
            if suppression.matches(finding) {
                suppression.used = true;
                found = true;
            }
        }
        found
    }

    /// What suppressed nothing: the file, the number of the line, and its text.
    pub fn unused(&self) -> impl Iterator<Item = (&Path, usize, &str)> {
        self.all.iter().filter(|one| !one.used).map(|one| (&*self.path, one.line, &*one.text))
    }
}

/// The lines; an error is the number of a line, and what is wrong.
fn parse(text: &str) -> Result<Vec<Suppression>, (usize, String)> {
    let mut all = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        if let Some(suppression) = parse_line(line, text).map_err(|why| (line, why))? {
            if all.len() == MOST {
                return Err((line, format!("there are more than {MOST} suppressions")));
            }
            all.push(suppression);
        }
    }
    Ok(all)
}

fn parse_line(line: usize, text: &str) -> Result<Option<Suppression>, String> {
    let words: Vec<&str> = text.split_whitespace().take_while(|word| !word.starts_with('#')).collect();
    let Some((kind, places)) = words.split_first() else { return Ok(None) };
    let known = KINDS.iter().map(|(kind, _)| *kind).chain(OTHER_KINDS);
    if *kind != "*" && !known.clone().any(|known| known == *kind) {
        let kinds: Vec<&str> = KINDS.iter().map(|(kind, _)| *kind).collect();
        return Err(format!("unknown kind `{kind}`; the kinds are {}, or *", kinds.join(", ")));
    }
    let what = match places {
        [] => return Err("KIND FILE:LINE or KIND kernel:NAME is needed".to_owned()),
        [place] if place.starts_with("kernel:") => {
            let name = place.trim_start_matches("kernel:");
            if name.is_empty() {
                return Err("`kernel:` needs a name".to_owned());
            }
            Suppressed::Kernel(name.to_owned())
        }
        [one] => Suppressed::One(LinePattern::parse(one)?),
        [one, other] => Suppressed::Both(LinePattern::parse(one)?, LinePattern::parse(other)?),
        _ => {
            return Err(
                "at most two lines are given; a file's name with a space is written with `*`".to_owned()
            );
        }
    };
    Ok(Some(Suppression { line, text: words.join(" "), kind: (*kind).to_owned(), what, used: false }))
}

impl LinePattern {
    fn parse(word: &str) -> Result<LinePattern, String> {
        let (file, line) = word.rsplit_once(':').ok_or_else(|| format!("`{word}` is not FILE:LINE"))?;
        let line = match line {
            "*" => None,
            number => match number.parse() {
                Ok(number) if number > 0 => Some(number),
                _ => return Err(format!("`{line}` in `{word}` is neither the number of a line nor *")),
            },
        };
        match file {
            "" => Err(format!("`{word}` has no file")),
            "kernel" => Err("kernel:NAME stands alone".to_owned()),
            file => Ok(LinePattern { file: file.to_owned(), line }),
        }
    }

    fn matches(&self, side: &FindingSide) -> bool {
        let Some(position) = &side.position else { return false };
        self.line.is_none_or(|line| line == position.line) && matches_path(&self.file, &position.file)
    }
}

impl Suppression {
    fn matches(&self, finding: &Finding) -> bool {
        let sides = &finding.sides;
        (self.kind == "*" || self.kind == finding.kind)
            && match &self.what {
                Suppressed::One(line) => sides.iter().any(|side| line.matches(side)),
                Suppressed::Both(one, other) => match &sides[..] {
                    [first, second] => {
                        one.matches(first) && other.matches(second)
                            || one.matches(second) && other.matches(first)
                    }
                    _ => false,
                },
                Suppressed::Kernel(name) => {
                    let operations = sides.iter().map(|side| &side.operation).chain(&finding.kernel);
                    operations.into_iter().any(|operation| matches(name, operation))
                }
            }
    }
}

/// Whether a pattern is that of a path, or of its last components.
fn matches_path(pattern: &str, path: &str) -> bool {
    matches(pattern, path) || (!pattern.starts_with('/') && matches(&format!("*/{pattern}"), path))
}

/// Whether a pattern with `*` for any characters matches a text, in time proportional to the product of their lengths.
fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut at, mut from) = (0, 0);
    // The last `*`, and how much of the text it stands in front of.
    let mut star: Option<(usize, usize)> = None;
    while from < text.len() {
        if pattern.get(at) == Some(&b'*') {
            star = Some((at, from));
            at += 1;
        } else if pattern.get(at) == Some(&text[from]) {
            (at, from) = (at + 1, from + 1);
        } else if let Some((starred, taken)) = star {
            star = Some((starred, taken + 1));
            (at, from) = (starred + 1, taken + 1);
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(kind: &str, lines: &[(&str, u64)]) -> Finding {
        let side = |(file, line): &(&str, u64)| {
            format!(r#"{{"operation":"k_main","source":{{"file":"{file}","line":{line}}}}}"#)
        };
        let sides: Vec<String> = lines.iter().map(side).collect();
        let line = format!(r#"{{"kind":"{kind}","sides":[{}]}}"#, sides.join(","));
        Finding::read(&line, None).expect("a report")
    }

    #[test]
    fn stars_stand_for_any_characters() {
        for (pattern, text, expected) in [
            ("a.c", "a.c", true),
            ("*", "", true),
            ("*.c", "x/a.c", true),
            ("a*b*c", "a--b-b-c", true),
            ("a*b*c", "a--b-b-", false),
            ("a", "ab", false),
            ("a**", "a", true),
            ("", "a", false),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
        // Not exponential.
        assert!(!matches(&"*a".repeat(500), &"a".repeat(499)));
    }

    #[test]
    fn paths_match_by_their_ends() {
        assert!(
            matches_path("a.c", "/x/a.c")
                && matches_path("x/a.c", "/y/x/a.c")
                && matches_path("/x/a.c", "/x/a.c")
        );
        assert!(!matches_path("a.c", "/x/ba.c") && !matches_path("/a.c", "/x/a.c"));
    }

    #[test]
    fn lines_suppress_findings() {
        let race = finding("data-race", &[("/x/a.c", 3), ("/x/a.c", 5)]);
        for (line, expected) in [
            ("data-race a.c:3", true),
            ("data-race a.c:5 # known", true),
            ("data-race a.c:4", false),
            ("data-race a.c:3 a.c:5", true),
            ("data-race a.c:5 a.c:3", true),
            ("data-race a.c:5 a.c:5", false),
            ("data-race *:* *:5", true),
            ("uninitialised a.c:3", false),
            ("* *.c:*", true),
            ("data-race kernel:k_*", true),
            ("data-race kernel:main", false),
        ] {
            let mut all = Suppressions { path: "s".into(), all: parse(line).expect(line) };
            assert_eq!(all.suppress(&race), expected, "{line}");
            assert_eq!(all.unused().count(), usize::from(!expected), "{line}");
        }
        assert!(parse("# nothing\n\n   # more\n").expect("comments").is_empty());
    }

    #[test]
    fn errors_name_the_line() {
        for (text, line, said) in [
            ("\nrace a.c:3", 2, "unknown kind `race`"),
            ("data-race", 1, "is needed"),
            ("data-race a.c", 1, "`a.c` is not FILE:LINE"),
            ("data-race a.c:x", 1, "`x` in `a.c:x`"),
            ("data-race a.c:0", 1, "`0` in `a.c:0`"),
            ("data-race :3", 1, "has no file"),
            ("data-race kernel:", 1, "needs a name"),
            ("data-race a.c:1 kernel:3", 1, "stands alone"),
            ("data-race a:1 b:2 c:3", 1, "at most two"),
        ] {
            let (number, why) = parse(text).expect_err(text);
            assert!(number == line && why.contains(said), "{text}: {number}: {why}");
        }
        let many = "* a:1\n".repeat(MOST + 1);
        assert_eq!(parse(&many).expect_err("too many").0, MOST + 1);
    }
}
