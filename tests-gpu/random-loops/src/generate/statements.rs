//! Loop nests, and the statements in them that loop compilers look for.

use super::scene::{Flavour, Iterator, Name, Scalar, Scene, Shape};
use super::types::Type;
use crate::tree::{Node, SourceLine};

/// All kinds of statements, by their tags, with their weights in sums and in comparisons.
pub const STATEMENTS: &[(usize, usize, &str)] = &[
    (12, 2, "store"),
    (6, 6, "copy"),
    (10, 2, "update"),
    (10, 0, "scalar-sum"),
    (4, 0, "conditional-sum"),
    (4, 0, "scalar-operator"),
    (3, 10, "minmax-if"),
    (3, 8, "minmax-choice"),
    (3, 12, "minmax-converted"),
    (2, 4, "minmax-element"),
    (3, 6, "search-index"),
    (2, 3, "search-first"),
    (2, 3, "search-last"),
    (5, 0, "scan"),
    (3, 0, "exclusive-scan"),
    (2, 3, "minmax-scan"),
    (4, 0, "recurrence"),
    (4, 0, "element-recurrence"),
    (4, 3, "histogram"),
    (4, 2, "histogram-parameter"),
    (5, 2, "private"),
    (4, 2, "private-conditional"),
    (2, 1, "private-read-first"),
    (4, 3, "private-array"),
    (5, 3, "if-else"),
    (3, 2, "continue"),
    (2, 2, "break"),
    (3, 3, "count"),
    (5, 2, "inner-suffix"),
    (4, 2, "inner-triangle"),
    (4, 2, "inner-short"),
    (5, 0, "inner-reduction"),
    (4, 1, "region-pointer"),
    (3, 1, "macro"),
    (3, 1, "call"),
    (2, 2, "logical"),
    (1, 1, "compaction"),
    (2, 1, "ring"),
    (2, 0, "swap"),
];

/// How a loop nest is reduced when it has no statements left.
const NOTHING: &str = "";

impl Scene {
    /// A loop nest.
    pub fn nest(&mut self) -> Vec<Node> {
        let depth = match self.wide {
            true => self.dice.weighted(&[(20, 1), (65, 2), (15, 3)]),
            false => 1,
        };
        let mut env = Vec::new();
        self.loops(&mut env, depth)
    }

    fn loops(&mut self, env: &mut Vec<Iterator>, depth: usize) -> Vec<Node> {
        let is_column = self.wide && env.len() == 1;
        let (before, head, iterator) = self.head(env, is_column);
        env.push(iterator);
        let mut body = Vec::new();
        if depth > 1 {
            if self.dice.percent(35) {
                body.extend(self.statement(env));
            }
            body.extend(self.loops(env, depth - 1));
            if self.dice.percent(25) {
                body.extend(self.statement(env));
            }
        } else {
            for _ in 0..self.dice.weighted(&[(50, 1), (35, 2), (15, 3)]) {
                body.extend(self.statement(env));
            }
        }
        env.pop();
        let bare = self.dice.percent(60);
        let mut nodes = before;
        nodes.push(Node::Block { head: SourceLine::new("", head), body, bare });
        nodes
    }

    /// Declarations before a loop, its head, and its iterator.
    fn head(&mut self, env: &[Iterator], is_column: bool) -> (Vec<Node>, String, Iterator) {
        let name = ["i", "j", "k", "l"][env.len().min(3)].to_string();
        let past = match (env.len(), is_column) {
            (_, true) => "m",
            (0, _) => "n",
            _ => "4",
        };
        let mut least = 0;
        let mut before = Vec::new();
        let mut name_used = name.clone();
        let mut end = past.to_string();
        let head = match self.dice.below(20) {
            0 => {
                least = self.dice.between(1, 2);
                format!("for (int {name} = {least}; {name} < {past}; {name}++)")
            }
            1 => format!("for (int {name} = {past} - 1; {name} >= 0; {name}--)"),
            2 => format!("for (int {name} = {past}; {name}-- > 0;)"),
            3 => {
                let step = self.dice.between(2, 3);
                format!("for (int {name} = 0; {name} < {past}; {name} += {step})")
            }
            4 => format!("for (int {name} = 0; {name} <= {past} - 1; {name}++)"),
            5 => {
                let kind = self.dice.weighted(&[
                    (5, "long"),
                    (5, "unsigned"),
                    (4, "unsigned long"),
                    (1, "short"),
                    (1, "signed char"),
                ]);
                format!("for ({kind} {name} = 0; {name} < {past}; {name}++)")
            }
            6 => {
                end = format!("({past} - 1)");
                format!("for (int {name} = 0; {name} < {past} - 1; {name}++)")
            }
            // Rows of `m` elements have no more.
            7 if !is_column || self.names.iter().all(|name| name.shape != Shape::SizedRows) => {
                // A bound that is a macro.
                let macro_name = self.fresh("BOUND") + "_@";
                let value = if is_column {
                    9
                } else if env.is_empty() {
                    29
                } else {
                    4
                };
                let value = if env.is_empty() && !self.wide { 90 } else { value };
                // Also of another value than the one that the loop compiler sees.
                let other = value * 2 / 3;
                let text = format!(
                    "#ifdef OTHER\n#define {macro_name} {other}\n#else\n#define {macro_name} {value}\n#endif"
                );
                self.globals.push(SourceLine::new("macro-bound", text));
                end = macro_name.clone();
                format!("for (int {name} = 0; {name} < {macro_name}; {name}++)")
            }
            8 => format!("EACH({name}, {past})"),
            9 => {
                name_used = self.fresh(&name);
                before.push(Node::line("outer-iterator", format!("int {name_used};")));
                format!("for ({name_used} = 0; {name_used} < {past}; {name_used}++)")
            }
            10 => {
                name_used = self.fresh(&name);
                self.locals.push(Node::line("outer-iterator", format!("int {name_used} = 0;")));
                if self.dice.percent(40) {
                    let keep = format!("last_{name_used}_@");
                    self.globals.push(SourceLine::new("last-iterator", format!("static int {keep};")));
                    self.after.push(Node::line("last-iterator", format!("{keep} = {name_used};")));
                    self.shown.push(SourceLine::new("last-iterator", format!("show(\"{keep}\", {keep});")));
                }
                format!("for ({name_used} = 0; {name_used} < {past}; {name_used}++)")
            }
            _ => format!("for (int {name} = 0; {name} < {past}; {name}++)"),
        };
        (before, head, Iterator { name: name_used, least, is_column, past: end })
    }

    /// A subscript of a name with one dimension.
    fn subscript(&mut self, env: &[Iterator]) -> String {
        let iterator = self.dice.of(env);
        let i = &iterator.name;
        let row = env.iter().find(|iterator| !iterator.is_column);
        let column = env.iter().find(|iterator| iterator.is_column);
        if self.dice.percent(35) {
            return i.clone();
        }
        match self.dice.below(20) {
            0 | 1 => format!("{i} + {}", self.dice.between(1, 3)),
            2 => match iterator.least {
                0 => format!("{i} + 1"),
                least => format!("{i} - {least}"),
            },
            3 => format!("{} - 1 - {i}", iterator.past),
            4 => format!("2 * {i}"),
            5 => format!("2 * {i} + 1"),
            6 => format!("{i} / 2"),
            7 => format!("{i} % {}", self.dice.of(&[2, 3, 8])),
            8 => self.dice.between(0, 3).to_string(),
            9 => match self.indirect(env) {
                Some(indirect) => indirect,
                None => i.clone(),
            },
            10 => format!("({i} + 1) % {}", iterator.past),
            11 => format!("{i} + m"),
            12..15 if row.is_some() && column.is_some() => {
                let (row, column) = (&row.unwrap().name, &column.unwrap().name);
                match self.dice.below(3) {
                    0 => format!("{row} * m + {column}"),
                    1 => format!("{row} * 14 + {column}"),
                    _ => format!("{row} + {column}"),
                }
            }
            _ => i.clone(),
        }
    }

    /// A subscript that is an element.
    fn indirect(&mut self, env: &[Iterator]) -> Option<String> {
        let names: Vec<Name> = self.names.clone();
        let names: Vec<&Name> = names
            .iter()
            .filter(|name| name.is_read && !name.of.is_float() && name.shape == Shape::Line)
            .collect();
        let name = (*names.get(self.dice.below(names.len().max(1)))?).clone();
        let i = self.dice.of(env).name;
        let mask = self.dice.of(&[7, 15, 63]);
        Some(format!("{}[{i}]{} & {mask}", name.text, name.member))
    }

    fn fits(name: &Name, env: &[Iterator]) -> bool {
        name.shape == Shape::Line
            || (env.iter().any(|iterator| !iterator.is_column)
                && env.iter().any(|iterator| iterator.is_column))
    }

    fn element(&mut self, name: &Name, env: &[Iterator]) -> String {
        let Name { text, member, .. } = name;
        if name.shape == Shape::Line {
            return format!("{text}[{}]{member}", self.subscript(env));
        }
        let row = env.iter().find(|iterator| !iterator.is_column).expect("a row").name.clone();
        let column = env.iter().find(|iterator| iterator.is_column).expect("a column");
        let (column, past) = (column.name.clone(), column.past.clone());
        let row = match self.dice.below(10) {
            0 | 1 => format!("{row} + 1"),
            2 => "0".into(),
            _ => row,
        };
        let column = match self.dice.below(10) {
            0 | 1 if name.shape == Shape::Rows => format!("{column} + 1"),
            2 => format!("{past} - 1 - {column}"),
            3 => "0".into(),
            _ => column,
        };
        format!("{text}[{row}][{column}]")
    }

    /// An element that is written.
    fn target(&mut self, env: &[Iterator]) -> (String, Type) {
        let names: Vec<Name> =
            self.names.iter().filter(|name| name.is_written && Self::fits(name, env)).cloned().collect();
        if names.is_empty() {
            let scalar = self.scalar(None);
            return (scalar.text, scalar.of);
        }
        let name = self.one_of(&names);
        if self.is_calm && self.dice.percent(85) {
            return (self.own_element(&name, env), name.of);
        }
        (self.element(&name, env), name.of)
    }

    /// An element that no other iteration has, as far as the name's dimensions allow it.
    fn own_element(&mut self, name: &Name, env: &[Iterator]) -> String {
        let row = env.iter().find(|iterator| !iterator.is_column).map(|iterator| &iterator.name);
        let column = env.iter().find(|iterator| iterator.is_column).map(|iterator| &iterator.name);
        let Name { text, member, shape, .. } = name;
        match (row, column) {
            (Some(row), Some(column)) if *shape == Shape::Line => match self.dice.below(4) {
                0 => format!("{text}[{row}]{member}"),
                1 => format!("{text}[{column}]{member}"),
                2 => format!("{text}[{row} * 14 + {column}]{member}"),
                _ => format!("{text}[{row} * m + {column}]{member}"),
            },
            (Some(row), Some(column)) => format!("{text}[{row}][{column}]"),
            _ => format!("{text}[{}]{member}", env[0].name),
        }
    }

    /// An element.
    fn read(&mut self, env: &[Iterator]) -> (String, Type) {
        let names: Vec<Name> =
            self.names.iter().filter(|name| name.is_read && Self::fits(name, env)).cloned().collect();
        if names.is_empty() && self.is_calm {
            return (format!("(int){}", self.dice.of(env).name), Type::Int);
        }
        if names.is_empty() || !self.is_calm && self.dice.percent(4) {
            let scalar = self.scalar(None);
            return (scalar.text, scalar.of);
        }
        let name = self.one_of(&names);
        (self.element(&name, env), name.of)
    }

    /// One of these names, rather one of rows.
    fn one_of(&mut self, names: &[Name]) -> Name {
        let rows: Vec<Name> = names.iter().filter(|name| name.shape != Shape::Line).cloned().collect();
        match !rows.is_empty() && self.dice.percent(60) {
            true => self.dice.of(&rows),
            false => self.dice.of(names),
        }
    }

    /// An element, converted to a type that its value fits: numbers with a point to integers rarely without care.
    fn read_as(&mut self, env: &[Iterator], to: Type) -> String {
        let (element, from) = self.read(env);
        match (from.is_float(), to.is_float()) {
            (true, false) if self.flavour == Flavour::Comparisons || self.dice.percent(80) => {
                format!("({element} > {})", self.dice.between(-2, 4))
            }
            // What wrapped around is too large for exact sums.
            (false, true) if from.wraps() => format!("(int){element}"),
            _ => element,
        }
    }

    /// A scalar, of numbers with a point or of integers if that matters.
    fn scalar(&mut self, is_float: Option<bool>) -> Scalar {
        let fits = |scalar: &&Scalar| is_float.is_none_or(|wanted| scalar.of.is_float() == wanted);
        let mut fitting: Vec<Scalar> = self.scalars.iter().filter(fits).cloned().collect();
        fitting.retain(|scalar| !self.is_calm || !scalar.is_used);
        if fitting.is_empty() {
            let name = self.fresh("x");
            let of = if is_float == Some(true) { Type::Double } else { Type::Int };
            self.locals.push(Node::line("local-scalar", format!("{} {name} = 0;", of.c())));
            let keep = format!("last_{name}_@");
            self.globals.push(SourceLine::new("local-scalar", format!("static {} {keep};", of.c())));
            self.after.push(Node::line("local-scalar", format!("{keep} = {name};")));
            let show = of.show();
            self.shown.push(SourceLine::new("local-scalar", format!("{show}(\"{keep}\", {keep});")));
            let scalar = Scalar { text: name, of, is_used: true };
            self.scalars.push(scalar.clone());
            return scalar;
        }
        let chosen = self.dice.of(&fitting);
        let same = self.scalars.iter_mut().filter(|scalar| scalar.text == chosen.text);
        same.for_each(|scalar| scalar.is_used = true);
        chosen
    }

    /// A small `int`.
    fn value(&mut self, env: &[Iterator], depth: usize) -> String {
        match self.dice.below(if depth > 0 { 16 } else { 8 }) {
            0 | 1 => self.dice.between(1, 9).to_string(),
            2 | 3 => {
                let i = self.dice.of(env).name;
                // Iterators of other types would make all of it unsigned.
                format!("(int){i}")
            }
            4..8 => {
                let (element, of) = self.read(env);
                match of {
                    _ if of.is_float() => format!("({element} > {})", self.dice.between(-2, 4)),
                    Type::Bool => element,
                    Type::Uchar | Type::Schar | Type::Short => format!("({element} & 31)"),
                    _ => format!("(int)({element} & {})", self.dice.of(&[7, 15])),
                }
            }
            8 => format!("({} + {})", self.value(env, depth - 1), self.value(env, depth - 1)),
            9 => format!("({} - {})", self.value(env, depth - 1), self.value(env, depth - 1)),
            10 => format!("{} * {}", self.dice.between(2, 3), self.value(env, 0)),
            11 => format!("({} < {})", self.value(env, depth - 1), self.value(env, depth - 1)),
            12 => {
                let kind = self.dice.of(&["unsigned char", "signed char", "short", "_Bool"]);
                format!("({kind})({})", self.value(env, depth - 1))
            }
            13 => {
                let condition = self.condition(env);
                format!("({condition} ? {} : {})", self.value(env, 0), self.value(env, 0))
            }
            14 => {
                let name = self.dice.of(&["MAX", "MIN"]);
                format!("{name}({}, {})", self.value(env, 0), self.value(env, 0))
            }
            _ => {
                let name = self.dice.of(&["clamp", "SQUARE", "ABS"]);
                format!("{name}({})", self.value(env, 0))
            }
        }
    }

    fn condition(&mut self, env: &[Iterator]) -> String {
        match self.dice.below(8) {
            0 => format!("{} != {}", self.dice.of(env).name, self.dice.between(0, 3)),
            1 => format!("{} % 2", self.dice.of(env).name),
            2 => format!("{} > 2", self.dice.of(env).name),
            3 => "m > 3".into(),
            _ => {
                let (element, of) = self.read(env);
                let operator = self.dice.of(&["<", ">", ">=", "<=", "!=", "=="]);
                let value = match of.is_float() {
                    true => self.dice.between(-2, 9),
                    false => self.dice.between(0, 9),
                };
                format!("{element} {operator} {value}")
            }
        }
    }

    /// What is stored to an element of a type.
    fn stored(&mut self, env: &[Iterator], of: Type) -> String {
        if self.flavour == Flavour::Comparisons {
            return self.read_as(env, of);
        }
        match self.dice.below(8) {
            0 => self.value(env, 2),
            1 => self.read_as(env, of),
            2 if of.wraps() => {
                let (element, from) = self.read(env);
                match from.is_float() {
                    true => self.value(env, 2),
                    false => format!("{element} * {} + {}", self.dice.of(&["3u", "5u"]), self.value(env, 1)),
                }
            }
            3 if !of.is_float() => {
                let (element, from) = self.read(env);
                match from.is_float() {
                    true => format!("(int){element} + {}", self.value(env, 1)),
                    false => format!("({element} ^ {}) & 127", self.value(env, 1)),
                }
            }
            4 => format!("{} - {}", self.read_as(env, of), self.value(env, 1)),
            _ => format!("{} + {}", self.read_as(env, of), self.value(env, 1)),
        }
    }

    fn operator(&mut self, of: Type) -> &'static str {
        if of.is_float() {
            return self.dice.of(&["+=", "+=", "-="]);
        }
        self.dice.of(&["+=", "+=", "+=", "-=", "^=", "|=", "&="])
    }

    /// A statement of some kind; perhaps several that belong together.
    fn statement(&mut self, env: &mut Vec<Iterator>) -> Vec<Node> {
        let weights: Vec<(usize, &'static str)> = STATEMENTS
            .iter()
            .map(|(sums, comparisons, tag)| match self.flavour {
                Flavour::Sums => (*sums, *tag),
                Flavour::Comparisons => (*comparisons, *tag),
            })
            .collect();
        let tag = self.dice.weighted(&weights);
        self.statement_of(tag, env)
    }

    /// The names through which elements of a line may be stored.
    fn written_lines(&self) -> Vec<Name> {
        let is_written = |name: &&Name| name.is_written && name.shape == Shape::Line;
        self.names.iter().filter(is_written).cloned().collect()
    }

    fn line(&mut self, tag: &'static str, text: String) -> Vec<Node> {
        vec![Node::line(tag, text)]
    }

    /// An accumulator that belongs to the iteration of an outer loop, or the function.
    fn statement_of(&mut self, tag: &'static str, env: &mut Vec<Iterator>) -> Vec<Node> {
        let is_comparing = self.flavour == Flavour::Comparisons;
        match tag {
            "store" | "copy" => {
                let (target, of) = self.target(env);
                let value = match tag {
                    "copy" => self.read_as(env, of),
                    _ => self.stored(env, of),
                };
                self.line(tag, format!("{target} = {value};"))
            }
            "update" => {
                let (target, of) = self.target(env);
                if of.wraps() && self.dice.percent(20) {
                    let value = self.value(env, 1);
                    return self.line(tag, format!("{target} *= {value};"));
                }
                let operator = if is_comparing { "=" } else { self.operator(of) };
                let value = self.value(env, 2);
                self.line(tag, format!("{target} {operator} {value};"))
            }
            "scalar-sum" | "conditional-sum" => {
                let scalar = self.scalar(None);
                let x = &scalar.text;
                let term = match self.dice.below(3) {
                    0 => self.value(env, 2),
                    1 => format!("{} - {}", self.read_as(env, scalar.of), self.value(env, 0)),
                    _ => self.read_as(env, scalar.of),
                };
                let text = match self.dice.below(5) {
                    0 => format!("{x} = {x} + ({term});"),
                    1 => format!("{x} = ({term}) + {x};"),
                    2 => format!("{x} -= {term};"),
                    _ => format!("{x} += {term};"),
                };
                match tag {
                    "scalar-sum" => self.line(tag, text),
                    _ => {
                        let condition = self.condition(env);
                        self.line(tag, format!("if ({condition}) {text}"))
                    }
                }
            }
            "scalar-operator" => {
                let scalar = self.scalar(Some(false));
                let x = &scalar.text;
                let value = self.value(env, 2);
                let text = match self.dice.below(5) {
                    0 if scalar.of.wraps() => format!("{x} *= ({value}) | 1;"),
                    1 => format!("{x} |= {value};"),
                    2 => format!("{x} &= ({value}) | 3;"),
                    3 => format!("{x} = {x} ^ ({value});"),
                    _ => format!("{x} ^= {value};"),
                };
                self.line(tag, text)
            }
            "minmax-if" | "minmax-choice" | "minmax-element" => {
                let (element, from) = self.read(env);
                let (x, of) = match tag {
                    "minmax-element" => self.target(env),
                    _ => {
                        let wanted = from.is_float().then_some(true);
                        let scalar = self.scalar(wanted);
                        (scalar.text, scalar.of)
                    }
                };
                let element = match from.is_float() && !of.is_float() {
                    true => self.value(env, 1),
                    false => element,
                };
                // What replaces equal values, or is replaced by a NaN, shows in which order it is compared.
                let is_strict = !(self.language.ordered && self.dice.percent(40));
                let [less, greater] = if is_strict { ["<", ">"] } else { ["<=", ">="] };
                let is_minimum = self.dice.percent(45);
                let (better, worse) = if is_minimum { (less, greater) } else { (greater, less) };
                let text = match tag == "minmax-if" || self.dice.percent(30) {
                    true => match self.dice.percent(70) {
                        true => format!("if ({element} {better} {x}) {x} = {element};"),
                        false => format!("if ({x} {worse} {element}) {x} = {element};"),
                    },
                    false => match self.dice.below(if is_strict { 3 } else { 4 }) {
                        0 => format!("{x} = {element} {better} {x} ? {element} : {x};"),
                        1 => format!("{x} = {x} {worse} {element} ? {element} : {x};"),
                        2 if is_minimum => format!("{x} = MIN({element}, {x});"),
                        2 => format!("{x} = MAX({element}, {x});"),
                        _ => format!("{x} = {x} {better} {element} ? {x} : {element};"),
                    },
                };
                self.line(tag, text)
            }
            "minmax-converted" => {
                let (element, from) = self.read(env);
                let scalar = self.scalar(Some(from.is_float()));
                let x = &scalar.text;
                let through = match from.is_float() {
                    true => self.dice.of(&["float", "double"]),
                    false => self.dice.of(&[
                        "unsigned",
                        "unsigned",
                        "int",
                        "long",
                        "unsigned char",
                        "signed char",
                        "short",
                        "unsigned long",
                    ]),
                };
                let better = self.dice.of(&["<", ">", ">"]);
                match self.dice.below(4) {
                    0 => {
                        let name = self.fresh("u");
                        vec![
                            Node::line(tag, format!("{through} {name} = {element};")),
                            Node::line(tag, format!("if ({name} {better} {x}) {x} = {name};")),
                        ]
                    }
                    1 => {
                        let text =
                            format!("if (({through}){element} {better} {x}) {x} = ({through}){element};");
                        self.line(tag, text)
                    }
                    2 => {
                        let text =
                            format!("{x} = ({through}){element} {better} {x} ? ({through}){element} : {x};");
                        self.line(tag, text)
                    }
                    _ => self.line(tag, format!("if ({element} {better} {x}) {x} = {element};")),
                }
            }
            "search-index" => {
                let (element, from) = self.read(env);
                let best = self.scalar(Some(from.is_float()));
                let at = self.place_of_search();
                let better = match self.language.ordered && self.dice.percent(30) {
                    true => self.dice.of(&["<=", ">="]),
                    false => self.dice.of(&["<", ">"]),
                };
                let i = self.dice.of(env).name;
                let x = &best.text;
                self.line(tag, format!("if ({element} {better} {x}) {{ {x} = {element}; {at} = {i}; }}"))
            }
            "search-last" => {
                let condition = self.condition(env);
                let at = self.place_of_search();
                let i = self.dice.of(env).name;
                self.line(tag, format!("if ({condition}) {at} = {i};"))
            }
            "search-first" => {
                let condition = self.condition(env);
                let at = self.place_of_search();
                let i = env.last().map(|iterator| iterator.name.clone()).unwrap_or_default();
                self.line(tag, format!("if ({condition}) {{ {at} = {i}; break; }}"))
            }
            "scan" | "exclusive-scan" => {
                let scalar = self.scalar(None);
                let x = &scalar.text;
                let element = match self.dice.percent(30) {
                    true => self.value(env, 1),
                    false => self.read_as(env, scalar.of),
                };
                let (target, to) = self.target(env);
                if scalar.of.is_float() && !to.is_float() {
                    return self.statement_of("store", env);
                }
                let operator = self.dice.of(&["+=", "+=", "-="]);
                let mut nodes = vec![
                    Node::line(tag, format!("{x} {operator} {element};")),
                    Node::line(tag, format!("{target} = {x};")),
                ];
                if tag == "exclusive-scan" {
                    nodes.reverse();
                }
                nodes
            }
            "minmax-scan" => {
                let (element, from) = self.read(env);
                let scalar = self.scalar(Some(from.is_float()));
                let x = &scalar.text;
                let (target, of) = self.target(env);
                let better = self.dice.of(&["<", ">"]);
                let mut nodes = self.line(tag, format!("if ({element} {better} {x}) {x} = {element};"));
                if of.is_float() == scalar.of.is_float() {
                    nodes.extend(self.line(tag, format!("{target} = {x};")));
                }
                nodes
            }
            "recurrence" => {
                let scalar = self.scalar(Some(false));
                let x = &scalar.text;
                let value = self.value(env, 1);
                let mut text = match self.dice.below(3) {
                    _ if !scalar.of.wraps() => format!("{x} = ({x} & 255) * 3 + {value};"),
                    0 => format!("{x} = {x} * 31 + {value};"),
                    1 => format!("{x} = 7 * ({x} + {value});"),
                    _ => format!("{x} = {x} * (1 + {value}) + {};", self.value(env, 0)),
                };
                if self.dice.percent(15) {
                    text = format!("{x} = ({x} << 1) ^ {value};");
                    if !scalar.of.wraps() {
                        text = format!("{x} = ({x} & 63) << 1 ^ {value};");
                    }
                }
                let mut nodes = self.line(tag, text);
                if self.dice.percent(50) {
                    let (target, of) = self.target(env);
                    if !of.is_float() {
                        nodes.extend(self.line(tag, format!("{target} = {x};")));
                    }
                }
                nodes
            }
            "element-recurrence" => {
                let names = self.written_lines();
                if names.is_empty() {
                    return self.statement_of("store", env);
                }
                let name = self.dice.of(&names);
                let i = self.dice.of(env).name;
                let (text, member) = (&name.text, name.member);
                let distance = self.dice.of(&[1, 1, 1, 2]);
                let value = self.value(env, 1);
                let line = match self.dice.below(3) {
                    0 if name.of.wraps() => {
                        format!("{text}[{i} + {distance}]{member} = {text}[{i}]{member} * 3 + {value};")
                    }
                    1 => format!("{text}[{i}]{member} = {text}[{i} + {distance}]{member} + {value};"),
                    _ => format!("{text}[{i} + {distance}]{member} = {text}[{i}]{member} + {value};"),
                };
                self.line(tag, line)
            }
            "histogram" | "histogram-parameter" => {
                let Some(index) = self.indirect(env) else { return self.statement_of("store", env) };
                let of = self.dice.of(&[Type::Int, Type::Unsigned, Type::Double, Type::Uchar, Type::Long]);
                let name = self.fresh("h");
                let (text, index) = if tag == "histogram" {
                    let name = name + "_@";
                    self.globals.push(SourceLine::new(tag, format!("static {} {name}[64];", of.c())));
                    let text = format!("show_sum(\"{name}\", sum_{}({name}, 64));", of.suffix());
                    self.shown.push(SourceLine::new(tag, text));
                    (name, index)
                } else {
                    let is_alone = self.dice.percent(60);
                    let restrict = if is_alone { "restrict " } else { "" };
                    let places = self.place(of, is_alone);
                    let (text, index) = match self.dice.below(3) {
                        0 => {
                            let restrict = restrict.trim_end();
                            (format!("{} {name}[static {restrict} 256]", of.c()), index)
                        }
                        1 => (format!("{} *{restrict}{name}", of.c()), index),
                        _ => {
                            self.sizes.iter_mut().for_each(|[_, m]| *m = (*m).max(1));
                            let index = format!("({index}) % m");
                            (format!("{} {name}[{}m]", of.c(), restrict), index)
                        }
                    };
                    self.parameter(tag, text, places);
                    (name, index)
                };
                let update = match self.dice.below(5) {
                    _ if is_comparing && of == Type::Uchar => format!("{text}[{index}] ^= 1;"),
                    0 if !is_comparing => format!("{text}[{index}] += {};", self.value(env, 1)),
                    1 => format!("{text}[{index}] -= 1;"),
                    2 => format!("{text}[{index}] = {text}[{index}] + 1;"),
                    3 => format!("++{text}[{index}];"),
                    _ => format!("{text}[{index}]++;"),
                };
                self.line(tag, update)
            }
            "private" | "private-conditional" | "private-read-first" => {
                let (element, from) = self.read(env);
                let of = match is_comparing || self.dice.percent(70) {
                    true => from,
                    false => {
                        self.dice.of(&[Type::Int, Type::Unsigned, Type::Double, Type::Uchar, Type::Long])
                    }
                };
                let element = match (from.is_float(), of.is_float()) {
                    (true, false) => self.value(env, 1),
                    (false, true) => format!("(int){element}"),
                    _ => element,
                };
                let name = self.fresh("t");
                let is_inside = tag == "private" && self.dice.percent(35);
                let mut nodes = Vec::new();
                let set = match is_inside {
                    true => {
                        let before = self.dice.of(&["", "const "]);
                        format!("{before}{} {name} = {element};", of.c())
                    }
                    false => {
                        self.locals.push(Node::line(tag, format!("{} {name} = 2;", of.c())));
                        if self.dice.percent(50) {
                            let keep = format!("last_{name}_@");
                            self.globals
                                .push(SourceLine::new("last-value", format!("static {} {keep};", of.c())));
                            self.after.push(Node::line("last-value", format!("{keep} = {name};")));
                            let text = format!("{}(\"{keep}\", {keep});", of.show());
                            self.shown.push(SourceLine::new("last-value", text));
                        }
                        format!("{name} = {element};")
                    }
                };
                let set = match tag {
                    "private-conditional" => {
                        let condition = self.condition(env);
                        match self.dice.percent(40) {
                            true => format!("if ({condition}) {set} else {name} = {};", self.value(env, 0)),
                            false => format!("if ({condition}) {set}"),
                        }
                    }
                    _ => set,
                };
                let (target, to) = self.target(env);
                let used = match (of.is_float() && !to.is_float(), is_comparing) {
                    (true, _) => format!("{name} > 3"),
                    (_, true) => name.clone(),
                    _ => match self.dice.below(3) {
                        0 => format!("{name} + {}", self.value(env, 1)),
                        1 if !of.is_float() && of != Type::Bool => {
                            format!("({name} & 31) * ({name} & 15)")
                        }
                        _ => name.clone(),
                    },
                };
                let used = Node::line(tag, format!("{target} = {used};"));
                let set = Node::line(tag, set);
                match tag {
                    "private-read-first" => nodes.extend([used, set]),
                    _ => nodes.extend([set, used]),
                }
                nodes
            }
            "private-array" => {
                let name = self.fresh("b");
                let of = self.dice.of(&[Type::Int, Type::Int, Type::Double]);
                let (text, k) = (self.value(env, 1), self.fresh("k"));
                let mut nodes = Vec::new();
                match self.dice.percent(50) {
                    true => nodes.push(Node::line(tag, format!("{} {name}[4];", of.c()))),
                    false => self.locals.push(Node::line(tag, format!("{} {name}[4] = {{0}};", of.c()))),
                }
                let fill = format!("for (int {k} = 0; {k} < 4; {k}++) {name}[{k}] = {text} + {k};");
                nodes.push(Node::line(tag, fill));
                let (target, to) = self.target(env);
                let at = self.dice.of(env).name;
                let used = match of.is_float() && !to.is_float() {
                    true => format!("{name}[{at} % 4] > 3"),
                    false => format!("{name}[{at} % 4]"),
                };
                nodes.push(Node::line(tag, format!("{target} = {used};")));
                nodes
            }
            "if-else" => {
                let condition = self.condition(env);
                let then = self.plain(env);
                let bare = self.dice.percent(50);
                let mut nodes = vec![Node::Block {
                    head: SourceLine::new(tag, format!("if ({condition})")),
                    body: then,
                    bare,
                }];
                if self.dice.percent(50) {
                    let other = self.plain(env);
                    let head = match self.dice.percent(25) {
                        true => format!("else if ({})", self.condition(env)),
                        false => "else".to_string(),
                    };
                    nodes.push(Node::Block { head: SourceLine::new(tag, head), body: other, bare: false });
                }
                nodes
            }
            "continue" | "break" => {
                let condition = self.condition(env);
                let mut nodes = self.line(tag, format!("if ({condition}) {tag};"));
                nodes.extend(self.plain(env));
                nodes
            }
            "count" => {
                let scalar = self.scalar(None);
                let condition = self.condition(env);
                let x = &scalar.text;
                let text = match self.dice.below(4) {
                    // Of what a pointer points to, not of the pointer.
                    0 => format!("({x})++;"),
                    1 if scalar.of != Type::Bool => format!("{x} += {condition};"),
                    2 => format!("if ({condition}) ++{x};"),
                    _ => format!("{x} += 2;"),
                };
                self.line(tag, text)
            }
            "inner-suffix" | "inner-triangle" | "inner-short" => {
                let Some(outer) = env.iter().find(|iterator| !iterator.is_column).cloned() else {
                    return self.statement_of("store", env);
                };
                let (i, l) = (format!("(int){}", outer.name), self.fresh("l"));
                let head = match (tag, self.dice.below(4)) {
                    ("inner-suffix", 0) => format!("for (int {l} = {i} + 1; {l} < n; {l}++)"),
                    ("inner-suffix", 1) => format!("for (int {l} = n - 1; {l} >= {i}; {l}--)"),
                    ("inner-suffix", 2) => format!("for (int {l} = 0; {i} + {l} < n; {l}++)"),
                    ("inner-suffix", _) => format!("for (int {l} = {i}; {l} < n; {l}++)"),
                    ("inner-triangle", 0) => format!("for (int {l} = 0; {l} <= {i}; {l}++)"),
                    ("inner-triangle", 1) => format!("for (int {l} = {i}; {l}-- > 0;)"),
                    ("inner-triangle", _) => format!("for (int {l} = 0; {l} < {i}; {l}++)"),
                    (_, 0) => format!("for (int {l} = {i}; {l} < {i} + 3; {l}++)"),
                    (_, 1) => format!("for (int {l} = 0; {l} < 3; {l}++)"),
                    (_, 2) => format!("for (int {l} = 0; {l} < {i} % 5; {l}++)"),
                    (_, _) => format!("for (int {l} = 0; {l} < m; {l}++)"),
                };
                let past = "n".to_string();
                env.push(Iterator { name: l, least: 0, is_column: false, past });
                // Else an iterator of rows would be one of columns.
                let mut body = self.plain(env);
                if self.dice.percent(30) {
                    body.extend(self.plain(env));
                }
                env.pop();
                let bare = self.dice.percent(60);
                vec![Node::Block { head: SourceLine::new(tag, head), body, bare }]
            }
            "inner-reduction" => {
                let l = self.fresh("l");
                let of = self.dice.of(&[Type::Int, Type::Double, Type::Unsigned, Type::Float]);
                let name = self.fresh("sum");
                let bound = self.dice.of(&["m", "n", "3", "n - 1"]);
                let mut nodes = vec![Node::line(tag, format!("{} {name} = 0;", of.c()))];
                let (target, to) = self.target(env);
                let is_least = self.wide && bound == "m";
                env.push(Iterator { name: l.clone(), least: 0, is_column: is_least, past: bound.into() });
                let value = self.value(env, 1);
                let element = self.read_as(env, of);
                env.pop();
                let term = if self.dice.percent(40) { value } else { element };
                let text = format!("for (int {l} = 0; {l} < {bound}; {l}++) {name} += {term};");
                nodes.push(Node::line(tag, text));
                nodes.push(match of.is_float() && !to.is_float() {
                    true => Node::line(tag, format!("{target} = {name} > 9;")),
                    false => Node::line(tag, format!("{target} = {name};")),
                });
                nodes
            }
            "region-pointer" => {
                let names: Vec<Name> =
                    self.names.iter().filter(|name| name.is_base && name.is_written).cloned().collect();
                if names.is_empty() {
                    return self.statement_of("store", env);
                }
                let base = self.dice.of(&names);
                let name = self.fresh("q");
                let i = self.dice.of(env).name;
                let at = self.dice.of(&[i.clone(), format!("{i} + 1"), "1".into(), format!("2 * {i}")]);
                let mut nodes = self.line(tag, format!("{} *{name} = {} + {at};", base.of.c(), base.text));
                let value = self.stored(env, base.of);
                nodes.push(Node::line(tag, format!("{name}[{}] = {value};", self.dice.of(&[0, 0, 1]))));
                nodes
            }
            "macro" => {
                let mut names = self.written_lines();
                names.retain(|name| name.member.is_empty());
                if names.is_empty() {
                    return self.statement_of("store", env);
                }
                let name = self.dice.of(&names);
                let at = self.fresh("AT") + "_@";
                let offset = self.dice.of(&["i", "i + 1", "2 * (i)"]).replace('i', "(i)");
                let text = format!("#define {at}(i) {}[{offset}]", name.text);
                self.globals.push(SourceLine::new(tag, text));
                let i = self.dice.of(env).name;
                let value = self.stored(env, name.of);
                self.line(tag, format!("{at}({i}) = {value};"))
            }
            "call" => {
                let name = self.fresh("call") + "_@";
                let body = self.dice.of(&["x * 2 - 1", "x > 3 ? 3 : x", "x ^ 5", "x & 7"]);
                let before = self.dice.of(&["static", "static inline", "__attribute__((const))"]);
                let text = format!("{before} int {name}(int x) {{ return {body}; }}");
                self.globals.push(SourceLine::new(tag, text));
                let (target, _) = self.target(env);
                let value = self.value(env, 1);
                self.line(tag, format!("{target} = {name}({value});"))
            }
            "logical" => {
                let scalar = self.scalar(Some(false));
                let x = &scalar.text;
                let condition = self.condition(env);
                let text = match self.dice.below(4) {
                    0 => format!("{x} = {x} && {condition};"),
                    1 => format!("{x} = {x} || {condition};"),
                    2 => format!("if ({condition}) {x} = 1;"),
                    _ => format!("{x} |= {condition};"),
                };
                self.line(tag, text)
            }
            "compaction" => {
                let count = self.fresh("c");
                self.locals.push(Node::line(tag, format!("int {count} = 0;")));
                let keep = format!("last_{count}_@");
                self.globals.push(SourceLine::new(tag, format!("static int {keep};")));
                self.after.push(Node::line(tag, format!("{keep} = {count};")));
                self.shown.push(SourceLine::new(tag, format!("show(\"{keep}\", {keep});")));
                let names = self.written_lines();
                if names.is_empty() {
                    return self.statement_of("count", env);
                }
                let name = self.dice.of(&names);
                let condition = self.condition(env);
                let value = self.value(env, 1);
                let (text, member) = (&name.text, name.member);
                self.line(tag, format!("if ({condition}) {text}[{count}++ % 64]{member} = {value};"))
            }
            "ring" => {
                let (target, of) = self.target(env);
                let iterator = env[0].clone();
                let names: Vec<Name> =
                    self.names.iter().filter(|name| name.shape == Shape::Line).cloned().collect();
                if names.is_empty() {
                    return self.statement_of("store", env);
                }
                let name = self.dice.of(&names);
                let text =
                    format!("{}[({} + 1) % {}]{}", name.text, iterator.name, iterator.past, name.member);
                let text = match name.of.is_float() && !of.is_float() {
                    true => format!("{text} > 2"),
                    false => text,
                };
                self.line(tag, format!("{target} = {text};"))
            }
            _ => {
                let (target, of) = self.target(env);
                let (other, to) = self.target(env);
                if of.is_float() != to.is_float() {
                    return self.statement_of("store", env);
                }
                let name = self.fresh("t");
                vec![
                    Node::line(tag, format!("{} {name} = {target};", of.c())),
                    Node::line(tag, format!("{target} = {other};")),
                    Node::line(tag, format!("{other} = {name};")),
                ]
            }
        }
    }

    /// A statement that is one line or more, without loops.
    fn plain(&mut self, env: &mut Vec<Iterator>) -> Vec<Node> {
        const SUMS: [&str; 8] = [
            "store",
            "store",
            "update",
            "scalar-sum",
            "conditional-sum",
            "minmax-element",
            "count",
            "scalar-operator",
        ];
        const COMPARISONS: [&str; 6] =
            ["minmax-if", "minmax-choice", "minmax-converted", "search-index", "copy", "search-last"];
        let tag = match self.flavour {
            Flavour::Sums => self.dice.of(&SUMS),
            Flavour::Comparisons => self.dice.of(&COMPARISONS),
        };
        self.statement_of(tag, env)
    }

    /// Where a search leaves what it finds.
    fn place_of_search(&mut self) -> String {
        let name = self.fresh("at");
        self.locals.push(Node::line(NOTHING, format!("int {name} = -1;")));
        let keep = format!("last_{name}_@");
        self.globals.push(SourceLine::new(NOTHING, format!("static int {keep};")));
        self.after.push(Node::line(NOTHING, format!("{keep} = {name};")));
        self.shown.push(SourceLine::new(NOTHING, format!("show(\"{keep}\", {keep});")));
        name
    }
}
