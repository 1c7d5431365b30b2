//! Directives of OpenMP, as they are written.

use super::expression::ReductionOperator;

/// A directive: what it is called, and its clauses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directive {
    /// The words of its name, such as `parallel` and `for`.
    pub name: Vec<String>,
    /// Its clauses, in order.
    pub clauses: Vec<Clause>,
}

/// A clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Its name.
    pub name: String,
    /// What stands before the colon.
    pub modifier: String,
    /// What stands between the commas, behind the colon.
    pub items: Vec<String>,
}

/// Words that are parts of a directive's name where no parenthesis follows.
const NAMES: [&str; 22] = [
    "atomic",
    "barrier",
    "critical",
    "declare",
    "distribute",
    "flush",
    "for",
    "loop",
    "masked",
    "master",
    "ordered",
    "parallel",
    "scan",
    "section",
    "sections",
    "simd",
    "single",
    "target",
    "task",
    "taskloop",
    "teams",
    "threadprivate",
];

impl Directive {
    /// The directive that a line is; none of other pragmas.
    pub fn of(text: &str) -> Option<Directive> {
        let rest =
            text.trim_start().trim_start_matches(['#', '%', ':']).trim_start().strip_prefix("pragma")?;
        let mut rest = rest.trim_start().strip_prefix("omp").filter(|rest| !rest.starts_with(is_word))?;
        let mut directive = Directive::default();
        loop {
            rest = rest.trim_start_matches(|c: char| !is_word(c));
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            if length == 0 {
                return Some(directive);
            }
            let (name, behind) = rest.split_at(length);
            let arguments = behind.trim_start().strip_prefix('(').map(inside);
            rest = match arguments {
                Some(arguments) => {
                    &behind.trim_start()[(arguments.len() + 2).min(behind.trim_start().len())..]
                }
                None => behind,
            };
            // `critical(name)` and `threadprivate(x)`.
            if arguments.is_some() && matches!(name, "critical" | "threadprivate") {
                directive.name.push(name.into());
            }
            match arguments {
                None if directive.clauses.is_empty() && NAMES.contains(&name) => {
                    directive.name.push(name.into())
                }
                _ => directive.clauses.push(Clause::of(name, arguments.unwrap_or_default())),
            }
        }
    }

    /// Whether a word is in its name.
    pub fn is(&self, word: &str) -> bool {
        self.name.iter().any(|name| name == word)
    }

    /// The clauses of that name.
    pub fn clauses_of<'d>(&'d self, name: &'d str) -> impl Iterator<Item = &'d Clause> {
        self.clauses.iter().filter(move |clause| clause.name == name)
    }

    /// Whether one of these clauses names a variable.
    pub fn names(&self, clauses: &[&str], variable: &str) -> bool {
        let mut named = self.clauses.iter().filter(|clause| clauses.contains(&&*clause.name));
        named.any(|clause| clause.variables().any(|name| name == variable))
    }

    /// How many loops it is about, if that is a number.
    pub fn collapsed(&self) -> Option<usize> {
        match self.clauses_of("collapse").last() {
            None => Some(1),
            Some(clause) => clause.items.first()?.parse().ok().filter(|count| *count > 0),
        }
    }
}

impl Clause {
    fn of(name: &str, arguments: &str) -> Clause {
        let colon = split(arguments, ':').next().map(str::len).filter(|length| *length < arguments.len());
        let (modifier, list) = colon.map_or(("", arguments), |at| (&arguments[..at], &arguments[at + 1..]));
        let items = split(list, ',').map(|item| item.trim().to_owned()).filter(|item| !item.is_empty());
        Clause { name: name.into(), modifier: modifier.trim().into(), items: items.collect() }
    }

    /// The variables that are listed, without sections of arrays.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.items.iter().map(|item| item[..item.find(|c| !is_word(c)).unwrap_or(item.len())].trim())
    }

    /// The operator of a `reduction` clause, if it is one of the language's.
    pub fn operator(&self) -> Option<ReductionOperator> {
        use ReductionOperator as R;
        let name = self.modifier.rsplit(',').next()?.trim();
        Some(match name {
            "+" | "-" => R::Add,
            "*" => R::Multiply,
            "min" => R::Minimum,
            "max" => R::Maximum,
            "&" => R::And,
            "|" => R::Or,
            "^" => R::Xor,
            "&&" => R::LogicalAnd,
            "||" => R::LogicalOr,
            _ => return None,
        })
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What stands before the parenthesis that closes.
fn inside(text: &str) -> &str {
    let mut depth = 0;
    let close = text.char_indices().find(|(_, c)| {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return true,
            ')' => depth -= 1,
            _ => {}
        }
        false
    });
    &text[..close.map_or(text.len(), |(at, _)| at)]
}

/// Parts between separators that stand in no parentheses and brackets.
fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |c| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        c == separator && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_clauses() {
        let text = "# pragma omp target teams distribute parallel for map(tofrom: a[0:n], s) reduction(max : m) collapse(2) nowait";
        let directive = Directive::of(text).unwrap();
        assert_eq!(directive.name.join(" "), "target teams distribute parallel for");
        let names: Vec<&str> = directive.clauses.iter().map(|clause| &*clause.name).collect();
        assert_eq!(names, ["map", "reduction", "collapse", "nowait"]);
        assert_eq!(directive.clauses[0].items, ["a[0:n]", "s"]);
        assert_eq!(directive.clauses[0].variables().collect::<Vec<_>>(), ["a", "s"]);
        assert_eq!(directive.clauses[1].operator(), Some(ReductionOperator::Maximum));
        assert_eq!(directive.collapsed(), Some(2));
        assert!(directive.is("for") && !directive.is("simd"));
        assert!(directive.names(&["reduction"], "m") && !directive.names(&["private"], "m"));
    }

    #[test]
    fn other_words_are_no_directives() {
        assert_eq!(Directive::of("#pragma GCC ivdep"), None);
        assert_eq!(Directive::of("#pragma ompx"), None);
        for text in [
            "#pragma omp",
            "#pragma omp for reduction(",
            "#pragma omp for private(a",
            "#pragma omp )(",
            "#pragma omp for if(a(",
        ] {
            assert!(Directive::of(text).is_some(), "{text}");
        }
        assert_eq!(
            Directive::of("#pragma omp for schedule(static, f(1, 2)) private (x)").unwrap().clauses.len(),
            2
        );
    }

    #[test]
    fn words_with_parentheses_are_clauses() {
        let directive = Directive::of("#pragma omp parallel for ordered(1) if(parallel: n > 3)").unwrap();
        assert_eq!(directive.name, ["parallel", "for"]);
        assert_eq!(directive.clauses[1].items, ["n > 3"]);
    }
}
