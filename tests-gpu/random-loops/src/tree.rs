//! Programs as trees whose parts can be left out, and how they are printed.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;

/// A line of C, and which feature it is there for. `@` in it stands for the number of the program in its file, as in
/// the name `A@`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// The text; it may have several lines.
    pub text: String,
    /// The feature.
    pub tag: &'static str,
}

impl SourceLine {
    /// A line for a feature.
    pub fn new(tag: &'static str, text: impl Into<String>) -> SourceLine {
        SourceLine { text: text.into(), tag }
    }
}

/// A part of a function's body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A statement, a declaration or a directive.
    Line(SourceLine),
    /// What stands behind a head such as `for (…)`.
    Block {
        /// The head.
        head: SourceLine,
        /// What it governs.
        body: Vec<Node>,
        /// Whether the body has no braces, if it is one statement.
        bare: bool,
    },
    /// What stands between `#pragma scop` and `#pragma endscop`.
    Region(Vec<Node>),
}

impl Node {
    /// A line.
    pub fn line(tag: &'static str, text: impl Into<String>) -> Node {
        Node::Line(SourceLine::new(tag, text))
    }

    /// A block in braces.
    pub fn block(tag: &'static str, head: impl Into<String>, body: Vec<Node>) -> Node {
        Node::Block { head: SourceLine::new(tag, head), body, bare: false }
    }

    /// The nodes inside.
    pub fn body(&self) -> &[Node] {
        match self {
            Node::Line(_) => &[],
            Node::Block { body, .. } | Node::Region(body) => body,
        }
    }

    fn is_statement(&self) -> bool {
        match self {
            Node::Line(line) => line.text.ends_with(';') && !line.text.starts_with("int "),
            Node::Block { head, .. } => head.text.starts_with("for") || head.text.starts_with("if"),
            // Only its first statement is governed by what stands before.
            Node::Region(body) => body.first().is_some_and(Node::is_statement),
        }
    }

    fn print(&self, depth: usize, pragmas: bool, out: &mut String) {
        let indent = 2 * depth;
        match self {
            Node::Line(line) if line.text.starts_with('#') => {
                if pragmas || !line.text.contains("scop") {
                    let _ = writeln!(out, "{}", line.text);
                }
            }
            Node::Line(line) => {
                let _ = writeln!(out, "{:indent$}{}", "", line.text);
            }
            Node::Block { head, body, bare } => {
                let bare = *bare && body.len() == 1 && body[0].is_statement();
                let _ = writeln!(out, "{:indent$}{}{}", "", head.text, if bare { "" } else { " {" });
                body.iter().for_each(|node| node.print(depth + 1, pragmas, out));
                if !bare {
                    let _ = writeln!(out, "{:indent$}}}", "");
                }
            }
            Node::Region(body) => {
                if pragmas {
                    out.push_str("#pragma scop\n");
                }
                body.iter().for_each(|node| node.print(depth, pragmas, out));
                if pragmas {
                    out.push_str("#pragma endscop\n");
                }
            }
        }
    }

    fn tags(&self, tags: &mut BTreeSet<&'static str>) {
        match self {
            Node::Line(line) | Node::Block { head: line, .. } => {
                tags.insert(line.tag);
            }
            Node::Region(_) => {}
        }
        self.body().iter().for_each(|node| node.tags(tags));
    }
}

/// A call of a program's function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What is set before.
    pub setup: Vec<SourceLine>,
    /// The arguments, one for each parameter.
    pub arguments: Vec<String>,
}

/// A function with what it needs, and calls of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// What it is made from.
    pub seed: u64,
    /// Types and variables of the file.
    pub globals: Vec<SourceLine>,
    /// The parameters.
    pub parameters: Vec<SourceLine>,
    /// The body, but what is returned.
    pub body: Vec<Node>,
    /// The type and the value that it returns.
    pub result: (&'static str, String),
    /// The calls.
    pub calls: Vec<Call>,
    /// What is shown after each call, as arguments of `show`.
    pub shown: Vec<SourceLine>,
}

/// The file that all programs include.
pub const SUPPORT: &str = include_str!("support.h");

impl Program {
    /// The features that it has.
    pub fn tags(&self) -> BTreeSet<&'static str> {
        let mut tags = BTreeSet::new();
        self.globals.iter().chain(&self.parameters).for_each(|line| {
            tags.insert(line.tag);
        });
        self.body.iter().for_each(|node| node.tags(&mut tags));
        tags.remove("");
        tags
    }

    /// How many parts it has.
    pub fn size(&self) -> usize {
        fn nodes(body: &[Node]) -> usize {
            body.iter().map(|node| 1 + nodes(node.body())).sum()
        }
        let setups: usize = self.calls.iter().map(|call| 1 + call.setup.len()).sum();
        self.globals.len() + self.parameters.len() + nodes(&self.body) + setups + self.shown.len()
    }

    fn print(&self, number: usize, pragmas: bool) -> String {
        let mut out = format!("// seed {}\n", self.seed);
        for line in &self.globals {
            let _ = writeln!(out, "{}", line.text);
        }
        let parameters: Vec<&str> = self.parameters.iter().map(|line| &*line.text).collect();
        let parameters = if parameters.is_empty() { "void".into() } else { parameters.join(", ") };
        let (kind, result) = &self.result;
        let _ = writeln!(out, "{kind} f@({parameters}) {{");
        self.body.iter().for_each(|node| node.print(1, pragmas, &mut out));
        if !result.is_empty() {
            let _ = writeln!(out, "  return {result};");
        }
        out += "}\n";
        out += "static void run@(void) {\n";
        for (call, Call { setup, arguments }) in self.calls.iter().enumerate() {
            out += "  {\n";
            for line in setup {
                let _ = writeln!(out, "    {}", line.text);
            }
            let _ = writeln!(out, "    begin({number}, {call});");
            let arguments = arguments.join(", ");
            let _ = match *kind {
                "void" => writeln!(out, "    f@({arguments});"),
                "float" | "double" => writeln!(out, "    show_number(\"result\", f@({arguments}));"),
                _ => writeln!(out, "    show(\"result\", f@({arguments}));"),
            };
            for line in &self.shown {
                let _ = writeln!(out, "    {}", line.text);
            }
            out += "    end();\n  }\n";
        }
        out += "}\n";
        out.replace('@', &number.to_string())
    }
}

/// A file of programs, and the lines of each, counted from 1. Without pragmas it has no regions.
pub fn file(programs: &[Program], pragmas: bool) -> (String, Vec<Range<usize>>) {
    let mut out = String::from("#include \"support.h\"\n");
    let mut lines = 2;
    let mut ranges = Vec::new();
    for (number, program) in programs.iter().enumerate() {
        let text = program.print(number, pragmas);
        let count = text.matches('\n').count();
        ranges.push(lines..lines + count);
        lines += count;
        out += &text;
    }
    out += "static void (*const all[])(void) = {";
    (0..programs.len()).for_each(|number| {
        let _ = write!(out, "run{number}, ");
    });
    out += "};\nint main(int count, char **words) { return run_all(all, sizeof all / sizeof *all, count, words); }\n";
    (out, ranges)
}
