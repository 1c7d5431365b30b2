//! The conformance suite: the OpenMP programs of `tests-gpu/programs`, which check themselves.
//!
//! A program prints `0 failures`, or `N checks, 0 failures`, and nothing else. Lines at its top that begin with `//! `
//! (`!! ` in Fortran) say what is special:
//!
//! | directive | meaning |
//! |---|---|
//! | `note TEXT` | nothing |
//! | `modes M…` | it is built in these modes only; else in all of [`MODES`], Fortran in those without LTO |
//! | `orders O…` | it runs in these orders only; else in all of [`ORDERS`] |
//! | `options W…` | further options of the compiler |
//! | `environment NAME=VALUE…` | variables that it runs with |
//! | `prints LINE` | a line that it prints; with such lines, all that it prints |
//! | `whole` | it runs with the whole suite only, not with every change |
//! | `seconds N` | the most that a run may take; else [`USUAL_SECONDS`] |
//! | `fails M… because TEXT` | it is known to fail in these modes; that it passes is then an error |
//!
//! A line `#include "NAME"` stands for the file of that name beside the programs.

use std::{
    collections::BTreeMap,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use toolchain::Language;

use crate::offload::{self, Mode, Ran};

/// The build modes by name.
pub const MODES: [(&str, Mode); 4] = [
    ("O0", offload::MODES[0]),
    ("O0-lto", offload::MODES[1]),
    ("O2", offload::MODES[2]),
    ("O2-lto", offload::MODES[3]),
];

/// The orders in which blocks and warps run, by name, with the variables that ask the emulator for them.
pub const ORDERS: [(&str, &[(&str, &str)]); 4] = [
    ("in-order", &[]),
    ("reversed", &[("WARPFOLD_REVERSE_BLOCKS", "1")]),
    ("random", &[("WARPFOLD_SEED", "5")]),
    ("alone", &[("WARPFOLD_RESIDENT_BLOCKS", "1"), ("WARPFOLD_REVERSE_BLOCKS", "1")]),
];

/// The most seconds that a run may take unless the program says otherwise.
pub const USUAL_SECONDS: u64 = 300;

/// A program of the suite.
#[derive(Clone, Debug)]
pub struct Program {
    /// The name of its file.
    pub name: String,
    /// Its source.
    pub text: String,
    /// The build modes: indices of [`MODES`].
    pub modes: Vec<usize>,
    /// The orders: indices of [`ORDERS`].
    pub orders: Vec<usize>,
    /// Options of the compiler.
    pub options: Vec<String>,
    /// Variables that it runs with.
    pub environment: Vec<(String, String)>,
    /// What it prints, if that is not a count of failures.
    pub prints: Option<String>,
    /// Whether it runs with the whole suite only.
    pub whole: bool,
    /// The most that a run may take.
    pub most: Duration,
    /// The build modes in which it is known to fail, with the reason.
    pub fails: BTreeMap<usize, String>,
}

/// The folder of the programs, in this repository.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}

/// All programs, by name.
///
/// # Errors
///
/// A sentence about a file that cannot be read, or a directive that is none.
pub fn programs(folder: &Path) -> Result<Vec<Program>, String> {
    let cannot = |error| format!("cannot read {}: {error}", folder.display());
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot)? {
        names.extend(entry.map_err(cannot)?.file_name().into_string());
    }
    names.retain(|name| [".c", ".cpp", ".f90"].iter().any(|ending| name.ends_with(ending)));
    names.sort();
    names.iter().map(|name| Program::read(name, &source(folder, name)?)).collect()
}

/// A file with the files that it includes.
fn source(folder: &Path, name: &str) -> Result<String, String> {
    let path = folder.join(name);
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut whole = String::new();
    for (number, line) in text.lines().enumerate() {
        match line.strip_prefix("#include \"").and_then(|rest| rest.strip_suffix('"')) {
            Some(included) => {
                let included_text = source(folder, included)?;
                let _ =
                    writeln!(whole, "#line 1 \"{included}\"\n{included_text}#line {} \"{name}\"", number + 2);
            }
            None => {
                let _ = writeln!(whole, "{line}");
            }
        }
    }
    Ok(whole)
}

impl Program {
    /// Reads the directives of a program.
    ///
    /// # Errors
    ///
    /// The line of a directive that is none.
    pub fn read(name: &str, text: &str) -> Result<Program, String> {
        let fortran = Language::of(name) == Language::Fortran;
        let modes = if fortran { vec![0, 2] } else { (0..MODES.len()).collect() };
        let mut program = Program {
            name: name.to_owned(),
            text: text.to_owned(),
            modes,
            orders: (0..ORDERS.len()).collect(),
            options: Vec::new(),
            environment: Vec::new(),
            prints: None,
            whole: false,
            most: Duration::from_secs(USUAL_SECONDS),
            fails: BTreeMap::new(),
        };
        let mark = if fortran { "!! " } else { "//! " };
        for directive in text.lines().map_while(|line| line.strip_prefix(mark)) {
            program.obey(directive).map_err(|why| format!("{name}: `{directive}`: {why}"))?;
        }
        Ok(program)
    }

    fn obey(&mut self, directive: &str) -> Result<(), String> {
        let (word, rest) = directive.split_once(' ').unwrap_or((directive, ""));
        match word {
            "note" => {}
            "whole" => self.whole = true,
            "modes" => self.modes = indices(rest, &MODES)?,
            "orders" => self.orders = indices(rest, &ORDERS)?,
            "options" => self.options.extend(rest.split_whitespace().map(String::from)),
            "environment" => {
                for setting in rest.split_whitespace() {
                    let (name, value) = setting.split_once('=').ok_or("a variable has a value")?;
                    self.environment.push((name.to_owned(), value.to_owned()));
                }
            }
            "prints" => {
                let prints = self.prints.get_or_insert_default();
                prints.push_str(rest);
                prints.push('\n');
            }
            "seconds" => {
                self.most = Duration::from_secs(rest.parse().map_err(|_| "seconds are a number")?);
            }
            "fails" => {
                let (modes, reason) = rest.split_once(" because ").ok_or("a failure has a reason")?;
                for mode in indices(modes, &MODES)? {
                    self.fails.insert(mode, reason.to_owned());
                }
            }
            _ => return Err("no such directive".to_owned()),
        }
        Ok(())
    }

    /// How many checks a run has made, if it did what it should, else what is wrong.
    fn judge(&self, ran: &Ran) -> Result<u64, String> {
        let Ran { status, out, err } = ran;
        let told = format!("{}{}", last_lines(out), last_lines(err));
        let Some(status) = status else {
            return Err(format!("it did not end in {} s\n{told}", self.most.as_secs()));
        };
        if !status.success() {
            return Err(format!("{status}\n{told}"));
        }
        if err.lines().any(|line| line.starts_with("warpfold: ")) {
            return Err(format!("a report\n{told}"));
        }
        match &self.prints {
            Some(prints) if prints == out => Ok(0),
            Some(prints) => Err(format!("it printed\n{}instead of\n{prints}", last_lines(out))),
            None if out == "0 failures\n" => Ok(0),
            None => match out.strip_suffix(" checks, 0 failures\n").and_then(|n| n.parse().ok()) {
                Some(checks) if checks > 0 => Ok(checks),
                _ => Err(told),
            },
        }
    }
}

/// The places of names in a table.
fn indices<T>(names: &str, table: &[(&str, T)]) -> Result<Vec<usize>, String> {
    let place =
        |name| table.iter().position(|(known, _)| *known == name).ok_or(format!("no `{name}` is known"));
    names.split_whitespace().map(place).collect()
}

/// The end of a text, for a report.
fn last_lines(text: &str) -> String {
    const MOST: usize = 30;
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(MOST)..].iter().map(|line| format!("{line}\n")).collect()
}

/// What is run of the suite: a program, a build mode ([`MODES`]) and the orders ([`ORDERS`]) that it runs in there.
#[derive(Clone, Debug)]
pub struct Part<'p> {
    /// The program.
    pub program: &'p Program,
    /// Index of the build mode.
    pub mode: usize,
    /// Indices of the orders.
    pub orders: Vec<usize>,
}

/// Everything.
pub fn whole(programs: &[Program]) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    for program in programs {
        parts.extend(program.modes.iter().map(|&mode| Part {
            program,
            mode,
            orders: program.orders.clone(),
        }));
    }
    parts
}

/// What is run with every change: each program in order at -O0 and in random order at -O2, the latter one program
/// with link-time optimisation, the next one without.
pub fn some(programs: &[Program]) -> Vec<Part<'_>> {
    const UNOPTIMISED: [usize; 2] = [0, 1];
    const OPTIMISED: [[usize; 2]; 2] = [[2, 3], [3, 2]];
    let mut parts = Vec::new();
    for (number, program) in programs.iter().filter(|program| !program.whole).enumerate() {
        let mut add = |modes: [usize; 2], wish: usize| {
            let mode = modes.into_iter().find(|mode| program.modes.contains(mode));
            let order =
                if program.orders.contains(&wish) { Some(wish) } else { program.orders.first().copied() };
            if let (Some(mode), Some(order)) = (mode, order) {
                parts.push(Part { program, mode, orders: vec![order] });
            }
        };
        add(UNOPTIMISED, 0);
        add(OPTIMISED[number % 2], 2);
    }
    parts
}

/// What came of a part.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Runs that did what they should.
    pub passed: usize,
    /// Checks that these have counted.
    pub checks: u64,
    /// What is wrong, a text for each run.
    pub failures: Vec<String>,
    /// Runs that failed as they are known to.
    pub known: usize,
    /// How long the build took, and the runs.
    pub seconds: [f64; 2],
}

/// How the suite is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder of the emulated driver; the machine's own driver if there is none. With that one orders mean nothing,
    /// and each program runs once.
    pub driver: Option<PathBuf>,
    /// Programs that are built or run at a time.
    pub jobs: usize,
    /// Further options of the compiler for all programs.
    pub options: Vec<String>,
    /// Where programs that are right are kept, each with what it printed: NAME-MODE and NAME-MODE.expected.
    pub keep: Option<PathBuf>,
    /// Whether to say on standard error what is done.
    pub verbose: bool,
}

/// Builds and runs parts of the suite; an outcome for each.
pub fn run(parts: &[Part], settings: &Settings) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(vec![Outcome::default(); parts.len()]);
    std::thread::scope(|scope| {
        for _ in 0..settings.jobs.max(1) {
            scope.spawn(|| {
                while let Some((at, part)) = {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    parts.get(at).map(|part| (at, part))
                } {
                    let outcome = part.run(settings);
                    if settings.verbose {
                        let ok = if outcome.failures.is_empty() { "ok" } else { "FAILED" };
                        let [build, run] = outcome.seconds;
                        eprintln!(
                            "{part}: {ok}, built in {build:.1} s, {} runs in {run:.1} s",
                            part.orders.len()
                        );
                    }
                    outcomes.lock().unwrap_or_else(PoisonError::into_inner)[at] = outcome;
                }
            });
        }
    });
    outcomes.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl std::fmt::Display for Part<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.program.name, MODES[self.mode].0)
    }
}

impl Part<'_> {
    fn run(&self, settings: &Settings) -> Outcome {
        let Program { name, text, options, environment, most, fails, .. } = self.program;
        let mut outcome = Outcome::default();
        let start = Instant::now();
        let options = [&options[..], &settings.options].concat();
        let built = offload::compile(name, text, MODES[self.mode].1, &options);
        outcome.seconds[0] = start.elapsed().as_secs_f64();

        let start = Instant::now();
        // What is not built fails once.
        let orders = if settings.driver.is_some() && built.is_ok() { &self.orders[..] } else { &[0] };
        for &order in orders {
            let (order, of_order) = ORDERS[order];
            let own = environment.iter().map(|(name, value)| (&name[..], &value[..]));
            let environment: Vec<_> =
                own.chain(of_order.iter().copied()).chain([("WARPFOLD_CHECK_LEAKS", "1")]).collect();
            let judged =
                built.as_ref().map_err(|error| format!("it is not built: {error}")).and_then(|path| {
                    let ran = offload::run_with(settings.driver.as_deref(), path, &environment, *most);
                    let checks = self.program.judge(&ran)?;
                    settings.keep.as_deref().map_or(Ok(()), |folder| self.keep(folder, path, &ran.out))?;
                    Ok(checks)
                });
            match (judged, fails.get(&self.mode)) {
                (Ok(checks), None) => {
                    outcome.passed += 1;
                    outcome.checks += checks;
                }
                (Err(_), Some(_)) => outcome.known += 1,
                (Err(why), None) => outcome.failures.push(format!("{self} {order}: {why}")),
                (Ok(_), Some(reason)) => {
                    outcome
                        .failures
                        .push(format!("{self} {order} passes, though listed to fail because {reason}"));
                }
            }
        }
        outcome.seconds[1] = start.elapsed().as_secs_f64();
        outcome
    }

    /// Keeps a program in a folder, with what it printed.
    fn keep(&self, folder: &Path, program: &Path, printed: &str) -> Result<(), String> {
        let name = Path::new(&self.program.name).file_stem().unwrap_or_default().to_string_lossy();
        let to = folder.join(format!("{name}-{}", MODES[self.mode].0));
        let cannot = |error| format!("cannot keep {}: {error}", to.display());
        fs::copy(program, &to).map_err(cannot)?;
        fs::write(to.with_extension("expected"), printed).map_err(cannot)
    }
}

/// A table of programs and modes, what was counted, and everything that is wrong.
pub fn report(parts: &[Part], outcomes: &[Outcome], taken: Duration) -> String {
    let mut rows: BTreeMap<&str, [Option<&Outcome>; MODES.len()]> = BTreeMap::new();
    for (part, outcome) in parts.iter().zip(outcomes) {
        rows.entry(&part.program.name).or_default()[part.mode] = Some(outcome);
    }
    let mut text = format!("{:<24}", "program");
    for (mode, _) in MODES {
        let _ = write!(text, "{mode:>18}");
    }
    text.push('\n');
    for (name, row) in &rows {
        let _ = write!(text, "{name:<24}");
        for outcome in row {
            let cell = outcome.map_or(String::new(), |outcome| match outcome {
                Outcome { failures, .. } if !failures.is_empty() => format!("{} FAILED", failures.len()),
                Outcome { known, .. } if *known > 0 => format!("{known} known"),
                Outcome { passed, seconds, .. } => format!("{passed} ok {:.1} s", seconds[1]),
            });
            let _ = write!(text, "{cell:>18}");
        }
        text.push('\n');
    }
    let sum = |of: fn(&Outcome) -> usize| outcomes.iter().map(of).sum::<usize>();
    let checks: u64 = outcomes.iter().map(|outcome| outcome.checks).sum();
    let _ = writeln!(
        text,
        "{} programs, {} builds, {} runs: {} right with {checks} counted checks, {} known failures, {} failures; \
         {:.1} minutes",
        rows.len(),
        parts.len(),
        sum(|o| o.passed + o.known + o.failures.len()),
        sum(|o| o.passed),
        sum(|o| o.known),
        sum(|o| o.failures.len()),
        taken.as_secs_f64() / 60.0,
    );
    for failure in outcomes.iter().flat_map(|outcome| &outcome.failures) {
        let _ = writeln!(text, "\n{failure}");
    }
    text
}
