//! Directives of OpenMP that are right and wrong: those of `tests/directives` say which they are, those of `tests/styles` follow from
//! what the loops say, and right ones without one of their clauses are not proved.

mod common;
#[path = "common/programs.rs"]
mod programs;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use loop_compiler::{
    Options, assumed,
    c::{self, Input},
    openmp::{Verdict, shown, tree_of, verify},
    parallelize::{CPU, Original, parallelize},
    report::FloatOrder,
    rewrite,
};
use programs::Folder;

/// How a file is read.
fn input(file: &Path) -> Input<'_> {
    Input { clang: Path::new("clang-22"), file, arguments: &[], auto: true, assume_distinct: false }
}

/// A file with its directives.
fn read(path: &Path) -> c::SourceFile {
    c::read_directives(&input(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The verdicts of a file, by the line of the directive.
fn verdicts(path: &Path) -> BTreeMap<usize, Verdict> {
    let file = read(path);
    let found = verify(&file, &Options::default(), &BTreeMap::new());
    let found = found.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    found.into_iter().map(|(directive, verdict)| (directive.line as usize, verdict)).collect()
}

/// A text as a file of its own, with the verdicts.
fn verdicts_of(name: &str, text: &str) -> BTreeMap<usize, Verdict> {
    let folder = Folder::new(&format!("directives-{}", name.replace(['/', '.'], "-")));
    let path = folder.0.join("made.c");
    fs::write(&path, text).unwrap();
    verdicts(&path)
}

fn files(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut found = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

#[derive(Default)]
struct Counts {
    all: usize,
    undecided: usize,
    errors: Vec<String>,
}

impl Counts {
    fn add(&mut self, at: &str, verdict: Option<&Verdict>, is_right: bool) {
        self.all += 1;
        match verdict {
            Some(Verdict::Undecided(why)) => {
                self.undecided += 1;
                println!("{at}: undecided: {why}");
            }
            Some(Verdict::Proved(_)) if is_right => {}
            Some(Verdict::Wrong { what, .. }) if !is_right && !what.is_empty() => {}
            other => self.errors.push(format!("{at}: {other:?}")),
        }
    }
}

/// The line of a file that a directive is in, and whether it is right.
fn directives(text: &str) -> impl Iterator<Item = (usize, &str, bool)> {
    text.lines().enumerate().filter_map(|(index, line)| {
        let (directive, truth) =
            line.split_once(" // ").filter(|_| line.trim_start().starts_with("#pragma"))?;
        Some((index + 1, directive, truth == "right"))
    })
}

/// The directive without one of the names of its clauses that give copies, each.
fn without_one_name(directive: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for clause in ["private(", "lastprivate(", "reduction("] {
        let Some(at) = directive.find(&format!(" {clause}")).map(|at| at + 1) else { continue };
        let close = at + directive[at..].find(')').unwrap();
        let inside = &directive[at + clause.len()..close];
        let (before, list) = inside.split_once(':').map_or(("", inside), |(before, list)| (before, list));
        let names: Vec<&str> = list.split(',').map(str::trim).collect();
        for name in &names {
            let rest: Vec<&str> = names.iter().filter(|other| other != &name).copied().collect();
            let colon = if before.is_empty() { "" } else { ":" };
            let clause = match rest.is_empty() {
                true => String::new(),
                false => format!("{clause}{before}{colon}{})", rest.join(", ")),
            };
            found
                .push((name.to_string(), format!("{}{clause}{}", &directive[..at], &directive[close + 1..])));
        }
    }
    found
}

/// The directive with another operator of its reduction.
fn with_other_operator(directive: &str) -> Option<(String, String)> {
    let at = directive.find(" reduction(")? + " reduction(".len();
    let colon = at + directive[at..].find(':')?;
    let operator = directive[at..colon].trim();
    let other = match operator {
        "+" | "-" => "*",
        "*" | "&" => "+",
        "max" => "min",
        "min" => "max",
        "|" => "&",
        "^" => "|",
        "&&" => "||",
        "||" => "&&",
        _ => return None,
    };
    Some((format!("the operator {operator}"), format!("{}{other}{}", &directive[..at], &directive[colon..])))
}

#[test]
fn directives_are_what_their_comments_say() {
    let files = files("directives");
    let found = common::in_parallel(&files, |path| {
        let text = fs::read_to_string(path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut counts = Counts::default();
        let known = verdicts(path);
        for (line, directive, is_right) in directives(&text) {
            counts.add(&format!("{name}:{line}"), known.get(&line), is_right);
            if !is_right {
                continue;
            }
            for (dropped, other) in
                without_one_name(directive).into_iter().chain(with_other_operator(directive))
            {
                // Its own iterator is private without a clause.
                let own = text.lines().nth(line).unwrap_or_default();
                if own.contains(&format!("for ({dropped} =")) {
                    continue;
                }
                let lines = text.lines().enumerate();
                let changed: Vec<&str> =
                    lines.map(|(index, text)| if index + 1 == line { &*other } else { text }).collect();
                let made = verdicts_of(&format!("{name}-{line}-{dropped}"), &changed.join("\n"));
                counts.add(&format!("{name}:{line} without {dropped}"), made.get(&line), false);
            }
        }
        counts
    });
    let all: usize = found.iter().map(|counts| counts.all).sum();
    let undecided: usize = found.iter().map(|counts| counts.undecided).sum();
    let errors: Vec<String> = found.into_iter().flat_map(|counts| counts.errors).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    println!("{all} directives, {undecided} undecided");
    assert!(undecided * 10 <= all, "{undecided} of {all} are undecided");
}

/// The loops of the styles with a directive without clauses, those that are parallel and not inside another such one, or those that
/// are not; and with the clauses that are said to be needed.
#[test]
fn what_the_loops_of_the_styles_need_makes_directives_right() {
    let mut files = files("styles");
    if std::env::var_os("WARPFOLD_NIGHTLY").is_none() {
        files = files.into_iter().step_by(8).collect();
    }
    let found = common::in_parallel(&files, |path| {
        let text = fs::read_to_string(path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut errors = Vec::new();
        for is_parallel in [true, false] {
            let (mut made, mut line) = (String::new(), 0);
            let (mut around, mut at) = (None, BTreeMap::new());
            for (index, own) in text.lines().enumerate() {
                let depth = own.len() - own.trim_start().len();
                let truth = own.split_once("// truth: ").filter(|_| own.trim_start().starts_with("for"));
                if truth.is_some_and(|(_, truth)| (truth.trim() == "parallel") == is_parallel) {
                    if around.is_none_or(|around| depth <= around) {
                        made += "#pragma omp parallel for\n";
                        line += 1;
                        at.insert(line, index + 1);
                        around = Some(depth);
                    }
                } else if truth.is_some() && around.is_some_and(|around| depth <= around) {
                    around = None;
                }
                made += own;
                made += "\n";
                line += 1;
            }
            let verdicts = verdicts_of(&format!("{name}-{is_parallel}"), &made);
            let mut lines: Vec<String> = made.lines().map(String::from).collect();
            let mut needed = Vec::new();
            for (line, own) in &at {
                match &verdicts[line] {
                    Verdict::Proved(conditions) if !is_parallel && conditions.is_empty() => {
                        errors.push(format!("{name}:{own}: proved, but sequential"));
                    }
                    Verdict::Wrong { hint: Some(hint), .. } => {
                        if let Some(clauses) = hint.strip_prefix("it needs ") {
                            lines[line - 1] += &format!(" {clauses}");
                            needed.push((line, own));
                        }
                    }
                    _ => {}
                }
            }
            if !needed.is_empty() {
                let verdicts = verdicts_of(&format!("{name}-{is_parallel}-needed"), &lines.join("\n"));
                for (line, own) in needed {
                    if let Verdict::Wrong { what, .. } = &verdicts[line] {
                        errors.push(format!("{name}:{own}: {}: {what}", lines[line - 1]));
                    }
                }
            }
        }
        errors
    });
    let errors: Vec<String> = found.into_iter().flatten().collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

/// The interpreter finds no input for which what is proved is wrong.
#[test]
fn what_is_proved_cannot_be_shown_to_be_wrong() {
    let found = common::in_parallel(&files("directives"), |path| {
        let file = read(path);
        let mut errors = Vec::new();
        for (directive, verdict) in verify(&file, &Options::default(), &BTreeMap::new()).unwrap() {
            if let (Verdict::Proved(_), Some(tree)) = (verdict, tree_of(&file, &directive)) {
                let tree = assumed(tree, &Options::default()).unwrap();
                let shown = shown(&tree, &directive, &BTreeMap::new());
                if let Ok(Some(shown)) = shown {
                    errors.push(format!("{}:{}: {}", path.display(), directive.line, shown.what));
                }
            }
        }
        errors
    });
    let errors: Vec<String> = found.into_iter().flatten().collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

/// Two sums in one statement, of which each has to be in a clause.
const TWO_SUMS: &str = "typedef struct { double lo, hi; } pair;
static pair add(pair a, pair b) { return (pair){ a.lo + b.lo, a.hi + b.hi }; }
pair sums(const pair *a, int n) {
  pair all = { 0.0, 0.0 };
  for (int i = 0; i < n; i++)
    all = add(all, (pair){ a[i].hi * 2, a[i].lo * 3 });
  return all;
}
static inline void both(double *s, double *t, double x) { *s += x; *t += x * x; }
void moments(int n, const double *x, double *restrict out) {
  double s = 0, t = 0;
  for (int i = 0; i < n; i++)
    both(&s, &t, x[i]);
  out[0] = s;
  out[1] = t;
}
";

/// No directive that the compiler makes is wrong.
#[test]
fn directives_that_are_made_are_not_wrong() {
    let folder = Folder::new("directives-made");
    let two = folder.0.join("two.c");
    fs::write(&two, TWO_SUMS).unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/loops");
    let examples = fs::read_dir(examples).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        examples.filter(|path| path.extension().is_some_and(|end| end == "c")).collect();
    files.push(two);
    files.sort();
    let found = common::in_parallel(&files, |path| {
        let file = c::read(&input(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let options = Options::default();
        let text = rewrite::rewritten(&file, |region| {
            let tree = assumed(region.tree.as_ref().ok()?, &options).unwrap();
            let made = parallelize(&tree, FloatOrder::Free, &CPU, &options).ok()?;
            made.outlined(&Original::from(&tree), None, &mut c::Names::default())
        });
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = String::from_utf8(text).unwrap();
        let found = verdicts_of(&format!("made-{name}"), &text);
        let wrong = found.iter().filter_map(|(line, verdict)| match verdict {
            Verdict::Wrong { what, .. } => Some(format!("{name}:{line}: {what}")),
            _ => None,
        });
        (found.len(), wrong.collect::<Vec<_>>())
    });
    let errors: Vec<&String> = found.iter().flat_map(|(_, errors)| errors).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert!(found.iter().all(|(count, _)| *count > 0), "a file without a directive");
}
