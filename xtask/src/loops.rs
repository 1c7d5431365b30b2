//! A folder of C that others wrote: `warpfold parallelize` reads and analyses each file, and clang must take what it
//! prints. A file that crashes it, or takes too long, does not end the others.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use cuda_driver::printable;
use serde_json::{Value, json};
use toolchain::Tools;

use crate::{
    cargo,
    process::{self, Finished, Limits},
};

/// Options of `cargo xtask loops`.
#[derive(clap::Args)]
pub struct Options {
    /// The folder: every `.c` file in it, and in its folders
    folder: PathBuf,
    /// Definitions for clang (may be given several times)
    #[arg(long, value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Take every loop nest as a region, besides what stands between pragmas
    #[arg(long)]
    auto: bool,
    /// Make loops parallel for `cpu` or `gpu`, floats in any order
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,
    /// Seconds that a file may take
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    /// The program `warpfold` [default: built now]
    #[arg(long, value_name = "FILE")]
    warpfold: Option<PathBuf>,
    /// Also write the results as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Options for clang
    #[arg(last = true, value_name = "CLANG OPTION")]
    clang: Vec<OsString>,
}

/// The classes of loops, as the JSON of `warpfold parallelize` names them.
const CLASSES: [&str; 6] = ["parallel", "reduction", "private", "reduction+private", "scan", "sequential"];

/// Bytes of memory that a process may allocate.
const MEMORY: u64 = 8 << 30;

/// How a file ended.
#[derive(Debug, PartialEq)]
enum Outcome {
    /// It was read, and clang takes what was printed.
    Good,
    /// clang, or the command, does not take the file.
    Unread(String),
    /// clang does not take what was printed.
    Miscompiled(String),
    Crashed(String),
    TimedOut,
}

impl Outcome {
    fn name(&self) -> &'static str {
        match self {
            Outcome::Good => "good",
            Outcome::Unread(_) => "not read",
            Outcome::Miscompiled(_) => "misprinted",
            Outcome::Crashed(_) => "crashed",
            Outcome::TimedOut => "timed out",
        }
    }

    fn note(&self) -> &str {
        match self {
            Outcome::Good | Outcome::TimedOut => "",
            Outcome::Unread(note) | Outcome::Miscompiled(note) | Outcome::Crashed(note) => note,
        }
    }

    /// Whether it is a fault of the loop compiler's.
    fn is_fault(&self) -> bool {
        !matches!(self, Outcome::Good | Outcome::Unread(_))
    }
}

/// What was found in a file, or in all.
#[derive(Debug, Default)]
struct Found {
    regions: usize,
    reductions: usize,
    loops: [usize; CLASSES.len()],
    /// Regions of which a loop was made parallel.
    transformed: usize,
    /// Why regions are rejected.
    rejected: Vec<String>,
    truth: Truth,
    reading: f64,
    analysis: f64,
}

/// Loops whose comments (`// truth: parallel`, `sequential` or `scan`) say what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Truth {
    /// Parallel, and found to be; and not found to be.
    found: usize,
    missed: usize,
    /// Found to be parallel, and not.
    wrong: usize,
}

impl Truth {
    /// What the comments of a text say of the classes in a report, by line.
    fn of(text: &str, report: &Value) -> Truth {
        let mut parallel = BTreeMap::new();
        for looped in
            report["scops"].as_array().into_iter().flatten().flat_map(|scop| scop["loops"].as_array())
        {
            for looped in looped {
                let is_parallel = !matches!(looped["status"].as_str(), Some("scan" | "sequential"));
                *parallel.entry(looped["line"].as_u64().unwrap_or_default()).or_insert(false) |= is_parallel;
            }
        }
        let mut truth = Truth::default();
        for (line, text) in (1..).zip(text.lines()) {
            let Some((_, said)) = text.split_once("// truth: ") else { continue };
            match (said.trim() == "parallel", parallel.get(&line).copied().unwrap_or_default()) {
                (true, true) => truth.found += 1,
                (true, false) => truth.missed += 1,
                (false, true) => truth.wrong += 1,
                (false, false) => {}
            }
        }
        truth
    }

    /// Precision, recall and their harmonic mean.
    fn scores(self) -> Option<[f64; 3]> {
        let part = |of: usize| self.found as f64 / (self.found + of) as f64;
        let (precision, recall) = (part(self.wrong), part(self.missed));
        (self.found > 0).then(|| [precision, recall, 2.0 * precision * recall / (precision + recall)])
    }
}

struct Checked {
    name: String,
    outcome: Outcome,
    found: Found,
}

/// Checks every file and prints a table; an error if there is no region, or the loop compiler is at fault.
pub fn run(options: &Options) -> Result<(), String> {
    let mut files = Vec::new();
    collect(&options.folder, &mut files)?;
    files.sort();
    let setup = Setup {
        warpfold: cargo::warpfold(options.warpfold.as_deref())?,
        clang: Tools::find().and_then(|tools| tools.clang()).map_err(|error| error.to_string())?.path,
        folder: tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))?,
        limits: Limits { time: Duration::from_secs(options.seconds.into()), memory: MEMORY },
        options,
    };
    let mut checked = Vec::new();
    for file in &files {
        let name = file.strip_prefix(&options.folder).unwrap_or(file).display().to_string();
        let (outcome, found) = setup.check(file)?;
        checked.push(Checked { name, outcome, found });
    }
    print!("{}", table(&checked));
    if let Some(path) = &options.json {
        let text = format!("{:#}\n", as_json(&checked));
        fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    let faults = checked.iter().filter(|checked| checked.outcome.is_fault()).count();
    let folder = options.folder.display();
    match checked.iter().map(|checked| checked.found.regions).sum() {
        _ if faults > 0 => {
            Err(format!("{faults} of {} files show a fault of the loop compiler", checked.len()))
        }
        0 if checked.is_empty() => Err(format!("{folder} has no .c files")),
        0 => Err(format!("no file in {folder} has a region: `--auto` takes every loop nest")),
        _ => Ok(()),
    }
}

/// The `.c` files of a folder. Links to folders are not followed.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |error| format!("cannot read {}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (path, kind) = (entry.path(), entry.file_type().map_err(failed)?);
        if kind.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "c") && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

struct Setup<'o> {
    warpfold: PathBuf,
    clang: PathBuf,
    folder: tempfile::TempDir,
    limits: Limits,
    options: &'o Options,
}

impl Setup<'_> {
    fn check(&self, file: &Path) -> Result<(Outcome, Found), String> {
        let printed = self.folder.path().join("printed.c");
        // What an earlier file left.
        let _ = fs::remove_file(&printed);
        let mut command = Command::new(&self.warpfold);
        command.arg("parallelize").arg(file).args(["--report=json", "--times", "-o"]).arg(&printed);
        command.args(self.options.auto.then_some("--auto"));
        if let Some(target) = &self.options.target {
            command.args(["--order", "free", "--target", target]);
        }
        command.arg("--").args(self.clang_options());
        let ran = self.run(&mut command)?;
        let text = fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        let found = match outcome(&ran) {
            Outcome::Good => found(&ran, &String::from_utf8_lossy(&text))?,
            other => return Ok((other, Found::default())),
        };
        let mut clang = Command::new(&self.clang);
        clang.args(self.clang_options()).args(["-w", "-fsyntax-only", "-iquote"]);
        clang.arg(file.parent().unwrap_or(Path::new("."))).arg(&printed);
        let ran = self.run(&mut clang)?;
        let outcome = match ran.status {
            None => Outcome::TimedOut,
            Some(status) if status.success() => Outcome::Good,
            Some(_) => Outcome::Miscompiled(first_error(&ran.err.text)),
        };
        Ok((outcome, found))
    }

    fn clang_options(&self) -> impl Iterator<Item = OsString> {
        let definitions = self.options.define.iter().map(|definition| format!("-D{definition}").into());
        definitions.chain(self.options.clang.iter().cloned())
    }

    fn run(&self, command: &mut Command) -> Result<Finished, String> {
        let program = command.get_program().to_string_lossy().into_owned();
        process::run(command, self.limits).map_err(|error| format!("cannot run {program}: {error}"))
    }
}

/// How `warpfold parallelize` ended.
fn outcome(ran: &Finished) -> Outcome {
    match ran.status.map(|status| status.code()) {
        None => Outcome::TimedOut,
        Some(Some(0)) => Outcome::Good,
        Some(Some(1)) => Outcome::Unread(first_error(&ran.err.text)),
        _ => Outcome::Crashed(first_error(&ran.err.text)),
    }
}

/// The line that says what is wrong.
fn first_error(messages: &str) -> String {
    let named = messages
        .lines()
        .find(|line| ["error:", "panicked", "warpfold:"].iter().any(|word| line.contains(word)));
    named.or(messages.lines().next()).unwrap_or_default().trim().to_string()
}

/// What the JSON says, and the times on standard error.
fn found(ran: &Finished, text: &str) -> Result<Found, String> {
    let report: Value = serde_json::from_str(&ran.out.text)
        .map_err(|error| format!("warpfold parallelize wrote no JSON: {error}"))?;
    let mut found = Found { truth: Truth::of(text, &report), ..Found::default() };
    for scop in report["scops"].as_array().into_iter().flatten() {
        found.regions += 1;
        found.transformed += usize::from(scop["status"] == "transformed");
        let statements = scop["statements"].as_array().into_iter().flatten();
        found.reductions += statements.filter(|statement| !statement["reduction"].is_null()).count();
        for looped in scop["loops"].as_array().into_iter().flatten() {
            if let Some(class) = CLASSES.iter().position(|class| looped["status"] == *class) {
                found.loops[class] += 1;
            }
        }
        found
            .rejected
            .extend(scop["reason"].as_str().map(|reason| format!("line {}: {reason}", scop["line"])));
    }
    let seconds = |name: &str| {
        let after = ran.err.text.rsplit_once(&format!("{name} "))?.1;
        after.split_once(' ')?.0.parse().ok()
    };
    found.reading = seconds("reading").unwrap_or_default();
    found.analysis = seconds("analysis").unwrap_or_default();
    Ok(found)
}

fn sum(checked: &[Checked]) -> Found {
    checked.iter().fold(Found::default(), |mut all, Checked { found, .. }| {
        all.regions += found.regions;
        all.reductions += found.reductions;
        all.loops.iter_mut().zip(found.loops).for_each(|(all, one)| *all += one);
        all.transformed += found.transformed;
        all.truth.found += found.truth.found;
        all.truth.missed += found.truth.missed;
        all.truth.wrong += found.truth.wrong;
        all.rejected.extend(found.rejected.iter().cloned());
        all.reading += found.reading;
        all.analysis += found.analysis;
        all
    })
}

/// A line for each file, the totals, and how often regions were rejected by which rule.
fn table(checked: &[Checked]) -> String {
    let width = checked.iter().map(|checked| printable(&checked.name).chars().count()).max();
    let width = width.unwrap_or_default().max("all files".len());
    let mut out = format!("{:width$}  outcome     regions  rejected  reductions", "file");
    for class in CLASSES {
        let _ = write!(out, "  {class}");
    }
    out += "  reading s  analysis s\n";
    let row = |out: &mut String, name: &str, outcome: &str, found: &Found| {
        let _ = write!(
            out,
            "{name:width$}  {outcome:10} {:>8}  {:>8}  {:>10}",
            found.regions,
            found.rejected.len(),
            found.reductions
        );
        for (class, count) in CLASSES.iter().zip(found.loops) {
            let _ = write!(out, "  {count:>0$}", class.len());
        }
        let _ = writeln!(out, "  {:>9.3}  {:>10.3}", found.reading, found.analysis);
    };
    for Checked { name, outcome, found } in checked {
        row(&mut out, &printable(name), outcome.name(), found);
        for note in std::iter::once(outcome.note()).filter(|note| !note.is_empty()) {
            let _ = writeln!(out, "    {}", printable(note));
        }
        for reason in &found.rejected {
            let _ = writeln!(out, "    {}", printable(reason));
        }
    }
    let all = sum(checked);
    row(&mut out, "all files", "", &all);
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in &all.rejected {
        *rules.entry(reason.split(": ").nth(1).unwrap_or_default()).or_default() += 1;
    }
    let rules: Vec<_> = rules.iter().map(|(rule, count)| format!("{rule} {count}")).collect();
    let _ = writeln!(
        out,
        "{} files; rejected: {}",
        checked.len(),
        if rules.is_empty() { "none".into() } else { rules.join(", ") }
    );
    if all.transformed > 0 {
        let _ = writeln!(out, "{} of {} regions made parallel", all.transformed, all.regions);
    }
    if let Some([precision, recall, both]) = all.truth.scores() {
        let Truth { found, missed, .. } = all.truth;
        let _ = writeln!(
            out,
            "{found} of {} parallel loops: precision {precision:.3}, recall {recall:.3}, F1 {both:.3}",
            found + missed
        );
    }
    out
}

fn as_json(checked: &[Checked]) -> Value {
    let numbers = |found: &Found| {
        let loops =
            CLASSES.iter().zip(found.loops).map(|(class, count)| ((*class).to_string(), count.into()));
        json!({
            "regions": found.regions,
            "reductions": found.reductions,
            "loops": loops.collect::<serde_json::Map<_, _>>(),
            "transformed": found.transformed,
            "rejected": found.rejected,
            "truth": { "found": found.truth.found, "missed": found.truth.missed, "wrong": found.truth.wrong },
            "seconds": { "reading": found.reading, "analysis": found.analysis },
        })
    };
    let files = checked.iter().map(|Checked { name, outcome, found }| {
        let mut object = numbers(found);
        object["file"] = name.as_str().into();
        object["outcome"] = outcome.name().into();
        object["note"] = outcome.note().into();
        object
    });
    json!({ "files": files.collect::<Vec<_>>(), "all": numbers(&sum(checked)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_counted() {
        let out = r#"{"scops": [
            {"line": 3, "reason": null, "statements": [{"reduction": "+"}, {"reduction": null}],
             "loops": [{"status": "scan", "line": 3}, {"status": "parallel", "line": 4}]},
            {"line": 9, "reason": "calls: `f` may have effects", "statements": [], "loops": []}]}"#;
        let output = |text: &str| process::Output { text: text.into(), cut: false };
        let text = "\n\nfor // truth: parallel\nfor // truth: parallel\nfor // truth: sequential\n";
        let err = output("a.c: reading 0.250 s, analysis 1.500 s\n");
        let found =
            found(&Finished { status: None, out: output(out), err, seconds: 0.0 }, text).expect("JSON");
        assert_eq!(found.truth, Truth { found: 1, missed: 1, wrong: 0 });
        assert_eq!((found.regions, found.reductions, found.loops), (2, 1, [1, 0, 0, 0, 1, 0]));
        assert_eq!((found.reading, found.analysis), (0.25, 1.5));
        assert_eq!(found.rejected, ["line 9: calls: `f` may have effects"]);
        let checked = [Checked { name: "a.c".into(), outcome: Outcome::Good, found }];
        let table = table(&checked);
        let end = "1 files; rejected: calls 1\n\
                   1 of 2 parallel loops: precision 1.000, recall 0.500, F1 0.667\n";
        assert!(table.ends_with(end), "{table}");
        assert_eq!(as_json(&checked)["all"]["loops"]["scan"], 1);
    }
}
