//! The conformance suite: the OpenMP programs of `tests-gpu/programs`, which check their own results.
//!
//! A program prints `0 failures`, or `N checks, 0 failures`, unless `prints` says otherwise. Directives are those of the
//! comments at its top that begin with `//! ` (`!! ` in Fortran):
//!
//! | directive | meaning |
//! |---|---|
//! | `note TEXT` | a comment |
//! | `modes M…` | the build modes; default: all of [`MODES`], in Fortran those without LTO |
//! | `orders O…` | the orders of execution; default: all of [`ORDERS`] |
//! | `options W…` | further options of the compiler |
//! | `environment NAME=VALUE…` | environment variables |
//! | `prints LINE` | a line of the expected output; these lines must be all that it prints |
//! | `whole` | runs only with the whole suite, not with every change |
//! | `seconds N` | the time limit of a run; default: [`USUAL_SECONDS`] |
//! | `fails [NN] M… because TEXT` | a known failure in these modes, of LLVM NN only if it says so; passing is then an error |
//! | `reports M… KIND LINES because TEXT` | what the checks are known to report in these modes ([`checked`](crate::checked)): the kind, and the lines between commas; no such report is then an error |
//!
//! A line `#include "NAME"` is replaced by that file, from the same folder.

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

use toolchain::{Language, Tools};

use crate::offload::{self, Mode, RunResult};

/// The build modes by name.
pub const MODES: [(&str, Mode); 4] = [
    ("O0", offload::MODES[0]),
    ("O0-lto", offload::MODES[1]),
    ("O2", offload::MODES[2]),
    ("O2-lto", offload::MODES[3]),
];

/// The orders in which blocks and warps run, by name, with the variables that configure the emulator.
pub const ORDERS: [(&str, &[(&str, &str)]); 4] = [
    ("in-order", &[]),
    ("reversed", &[("WARPFOLD_REVERSE_BLOCKS", "1")]),
    ("random", &[("WARPFOLD_SEED", "5")]),
    ("one-block", &[("WARPFOLD_RESIDENT_BLOCKS", "1"), ("WARPFOLD_REVERSE_BLOCKS", "1")]),
];

/// The time limit of a run in seconds, unless the program sets one.
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
    /// Environment variables.
    pub environment: Vec<(String, String)>,
    /// The expected output, if it is not a count of failures.
    pub prints: Option<String>,
    /// Whether it runs with the whole suite only.
    pub whole: bool,
    /// The time limit of a run.
    pub time_limit: Duration,
    /// Known failures.
    pub fails: Vec<KnownFailure>,
    /// What the checks are known to report.
    pub reports: Vec<KnownReport>,
}

/// A failure that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownFailure {
    /// The major version of LLVM whose programs fail; none for all.
    pub llvm: Option<u32>,
    /// The build modes: indices of [`MODES`].
    pub modes: Vec<usize>,
    /// The reason.
    pub reason: String,
}

/// A report of the checks that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownReport {
    /// The build modes: indices of [`MODES`].
    pub modes: Vec<usize>,
    /// Its kind.
    pub kind: String,
    /// The lines of the program that it may name.
    pub lines: Vec<u32>,
    /// The reason.
    pub reason: String,
}

/// The folder of the programs, in this repository.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}

/// All programs, by name.
///
/// # Errors
///
/// A message about a file that cannot be read, or an invalid directive.
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

/// The text of a file, with included files inserted.
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
    /// A message with an invalid directive.
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
            time_limit: Duration::from_secs(USUAL_SECONDS),
            fails: Vec::new(),
            reports: Vec::new(),
        };
        let mark = if fortran { "!! " } else { "//! " };
        let comments = text.lines().take_while(|line| line.starts_with(mark.split_at(1).0));
        for directive in comments.filter_map(|line| line.strip_prefix(mark)) {
            program.apply_directive(directive).map_err(|why| format!("{name}: `{directive}`: {why}"))?;
        }
        Ok(program)
    }

    fn apply_directive(&mut self, directive: &str) -> Result<(), String> {
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
                self.time_limit = Duration::from_secs(rest.parse().map_err(|_| "seconds are a number")?);
            }
            "fails" => {
                let (words, reason) = rest.split_once(" because ").ok_or("a failure has a reason")?;
                let first = words.split_once(' ').and_then(|(first, rest)| Some((first.parse().ok()?, rest)));
                let (llvm, modes) = first.map_or((None, words), |(llvm, modes)| (Some(llvm), modes));
                self.fails.push(KnownFailure {
                    llvm,
                    modes: indices(modes, &MODES)?,
                    reason: reason.to_owned(),
                });
            }
            "reports" => {
                let (words, reason) = rest.split_once(" because ").ok_or("a report has a reason")?;
                let words: Vec<&str> = words.split_whitespace().collect();
                let [modes @ .., kind, lines] = &words[..] else {
                    return Err("a report has a kind and lines".to_owned());
                };
                let lines = lines.split(',').map(|line| line.parse().map_err(|_| "lines are numbers"));
                self.reports.push(KnownReport {
                    modes: indices(&modes.join(" "), &MODES)?,
                    kind: (*kind).to_owned(),
                    lines: lines.collect::<Result<_, _>>()?,
                    reason: reason.to_owned(),
                });
            }
            _ => return Err("no such directive".to_owned()),
        }
        Ok(())
    }

    /// The number of checks of a run that passed, otherwise what is wrong.
    fn judge(&self, ran: &RunResult) -> Result<u64, String> {
        if ran.err.lines().any(|line| line.starts_with("warpfold: "))
            && ran.status.is_some_and(|it| it.success())
        {
            return Err(format!("a report\n{}{}", last_lines(&ran.out), last_lines(&ran.err)));
        }
        self.judge_results(ran)
    }

    /// As [`Program::judge`], but for reports, which the caller has read.
    pub(crate) fn judge_results(&self, ran: &RunResult) -> Result<u64, String> {
        let RunResult { status, out, err } = ran;
        let output = format!("{}{}", last_lines(out), last_lines(err));
        let Some(status) = status else {
            return Err(format!("it did not end in {} s\n{output}", self.time_limit.as_secs()));
        };
        if !status.success() {
            return Err(format!("{status}\n{output}"));
        }
        match &self.prints {
            Some(prints) if prints == out => Ok(0),
            Some(prints) => Err(format!("it printed\n{}instead of\n{prints}", last_lines(out))),
            None if out == "0 failures\n" => Ok(0),
            None => match out.strip_suffix(" checks, 0 failures\n").and_then(|n| n.parse().ok()) {
                Some(checks) if checks > 0 => Ok(checks),
                _ => Err(output),
            },
        }
    }
}

/// The indices of names in a table.
fn indices<T>(names: &str, table: &[(&str, T)]) -> Result<Vec<usize>, String> {
    let index =
        |name| table.iter().position(|(known, _)| *known == name).ok_or(format!("`{name}` is not known"));
    names.split_whitespace().map(index).collect()
}

/// The end of a text, for a report.
fn last_lines(text: &str) -> String {
    const MOST: usize = 30;
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(MOST)..].iter().map(|line| format!("{line}\n")).collect()
}

/// A program in one build mode ([`MODES`]), and the orders ([`ORDERS`]) in which it runs.
#[derive(Clone, Debug)]
pub struct Build<'p> {
    /// The program.
    pub program: &'p Program,
    /// Index of the build mode.
    pub mode: usize,
    /// Indices of the orders.
    pub orders: Vec<usize>,
}

/// All programs in all their modes and orders.
pub fn all_builds(programs: &[Program]) -> Vec<Build<'_>> {
    let mut builds = Vec::new();
    for program in programs {
        builds.extend(program.modes.iter().map(|&mode| Build {
            program,
            mode,
            orders: program.orders.clone(),
        }));
    }
    builds
}

/// The builds that run with every change: each program in order at -O0 and in random order at -O2;
/// alternately without and with link-time optimisation.
pub fn quick_builds(programs: &[Program]) -> Vec<Build<'_>> {
    const UNOPTIMISED: [usize; 2] = [0, 1];
    const OPTIMISED: [[usize; 2]; 2] = [[2, 3], [3, 2]];
    let mut builds = Vec::new();
    for (number, program) in programs.iter().filter(|program| !program.whole).enumerate() {
        let mut add = |modes: [usize; 2], preferred: usize| {
            let mode = modes.into_iter().find(|mode| program.modes.contains(mode));
            let order = if program.orders.contains(&preferred) {
                Some(preferred)
            } else {
                program.orders.first().copied()
            };
            if let (Some(mode), Some(order)) = (mode, order) {
                builds.push(Build { program, mode, orders: vec![order] });
            }
        };
        add(UNOPTIMISED, 0);
        add(OPTIMISED[number % 2], 2);
    }
    builds
}

/// The outcome of a build and its runs.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Runs that passed.
    pub passed: usize,
    /// Checks that these runs counted.
    pub checks: u64,
    /// A message for each run that failed.
    pub failures: Vec<String>,
    /// Runs that failed as they are known to.
    pub known: usize,
    /// Seconds of the build, and of the runs.
    pub seconds: [f64; 2],
}

/// Settings of the suite.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder of the emulated driver. Without one, each program runs once with the machine's own driver,
    /// which has no orders.
    pub driver: Option<PathBuf>,
    /// Programs that are built or run at the same time.
    pub parallel: usize,
    /// Further options of the compiler for all programs.
    pub options: Vec<String>,
    /// A folder for programs that pass, each with its output: NAME-MODE and NAME-MODE.expected.
    pub keep: Option<PathBuf>,
    /// Whether each program also runs interpreted and then compiled, in order: both must count the same.
    pub engines: bool,
    /// Whether to report progress on standard error.
    pub verbose: bool,
}

/// Builds and runs programs; returns an outcome for each build.
pub fn run(builds: &[Build], settings: &Settings) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(vec![Outcome::default(); builds.len()]);
    std::thread::scope(|scope| {
        for _ in 0..settings.parallel.max(1) {
            scope.spawn(|| {
                while let Some((at, build)) = {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    builds.get(at).map(|build| (at, build))
                } {
                    let outcome = build.run(settings);
                    if settings.verbose {
                        let ok =
                            outcome.failures.first().map_or("ok".to_owned(), |why| format!("FAILED: {why}"));
                        let [building, running] = outcome.seconds;
                        eprintln!(
                            "{build}: built in {building:.1} s, {} runs in {running:.1} s: {ok}",
                            build.orders.len()
                        );
                    }
                    outcomes.lock().unwrap_or_else(PoisonError::into_inner)[at] = outcome;
                }
            });
        }
    });
    outcomes.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl std::fmt::Display for Build<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.program.name, MODES[self.mode].0)
    }
}

impl Build<'_> {
    /// Why it is known to fail with the LLVM in use.
    pub(crate) fn known_failure(&self) -> Option<&str> {
        let llvm = Tools::of_process().ok().map(|tools| tools.llvm.version.major);
        let known = self.program.fails.iter().find(|known| {
            known.modes.contains(&self.mode) && known.llvm.is_none_or(|major| Some(major) == llvm)
        });
        known.map(|known| known.reason.as_str())
    }

    fn run(&self, settings: &Settings) -> Outcome {
        let Program { name, text, options, environment, time_limit, .. } = self.program;
        let mut outcome = Outcome::default();
        let start = Instant::now();
        let options = [&options[..], &settings.options].concat();
        let built = offload::compile(name, text, MODES[self.mode].1, &options);
        outcome.seconds[0] = start.elapsed().as_secs_f64();

        let start = Instant::now();
        // A build that failed counts as one failure.
        let orders = if settings.driver.is_some() && built.is_ok() { &self.orders[..] } else { &[0] };
        for &order in orders {
            let (order, of_order) = ORDERS[order];
            let variables = environment.iter().map(|(name, value)| (&name[..], &value[..]));
            // What the program asks for comes last and wins.
            let usual = of_order.iter().copied().chain([("WARPFOLD_CHECK_LEAKS", "1")]);
            let environment: Vec<_> = usual.chain(variables).collect();
            let judged =
                built.as_ref().map_err(|error| format!("it is not built: {error}")).and_then(|path| {
                    let ran = offload::run_with(settings.driver.as_deref(), path, &environment, *time_limit);
                    let checks = self.program.judge(&ran)?;
                    settings.keep.as_deref().map_or(Ok(()), |folder| self.keep(folder, path, &ran.out))?;
                    Ok(checks)
                });
            match (judged, self.known_failure()) {
                (Ok(checks), None) => {
                    outcome.passed += 1;
                    outcome.checks += checks;
                }
                (Err(_), Some(_)) => outcome.known += 1,
                (Err(why), None) => outcome.failures.push(format!("{self} {order}: {why}")),
                (Ok(_), Some(reason)) => {
                    outcome
                        .failures
                        .push(format!("{self} {order} passes, but is listed to fail because {reason}"));
                }
            }
        }
        if let (true, Ok(path), None) = (settings.engines, &built, self.known_failure()) {
            match self.compare_engines(path, settings) {
                Ok(()) => outcome.passed += 1,
                Err(why) => outcome.failures.push(format!("{self} engines: {why}")),
            }
        }
        outcome.seconds[1] = start.elapsed().as_secs_f64();
        outcome
    }

    /// Runs a program interpreted and compiled. Launches of several host threads have no order: all are compared, sorted.
    fn compare_engines(&self, program: &Path, settings: &Settings) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))?;
        let run = |engine: &str| {
            let file = folder.path().join(engine);
            let file_name = file.to_string_lossy();
            let own = self.program.environment.iter().map(|(name, value)| (&name[..], &value[..]));
            let usual = [("WARPFOLD_ENGINE", engine), ("WARPFOLD_LAUNCHES_JSON", &file_name)];
            let environment: Vec<_> = own.chain(usual).collect();
            // LLVM may take longer than the program.
            let time_limit = self.program.time_limit * 4;
            let ran = offload::run_with(settings.driver.as_deref(), program, &environment, time_limit);
            self.program.judge(&ran).map_err(|why| format!("{engine}: {why}"))?;
            // Without a launch there is no file.
            let text = fs::read_to_string(&file).unwrap_or_default();
            let mut launches = Vec::new();
            for line in text.lines() {
                let launch: serde_json::Value =
                    serde_json::from_str(line).map_err(|error| format!("{engine}: {error}"))?;
                let mut launch = launch.as_object().cloned().ok_or("a launch is an object")?;
                launch.remove("compiled_instructions");
                launches.push(serde_json::Value::from(launch).to_string());
            }
            launches.sort();
            Ok::<_, String>(launches)
        };
        let (interpreted, compiled) = (run("interpret")?, run("compile")?);
        match interpreted.iter().zip(&compiled).find(|(one, other)| one != other) {
            Some((one, other)) => Err(format!("interpreted\n{one}\ncompiled\n{other}")),
            None if interpreted.len() != compiled.len() => {
                Err(format!("{} launches interpreted, {} compiled", interpreted.len(), compiled.len()))
            }
            None => Ok(()),
        }
    }

    /// Copies a program into a folder, with its output.
    fn keep(&self, folder: &Path, program: &Path, printed: &str) -> Result<(), String> {
        let name = Path::new(&self.program.name).file_stem().unwrap_or_default().to_string_lossy();
        let to = folder.join(format!("{name}-{}", MODES[self.mode].0));
        let cannot = |error| format!("cannot keep {}: {error}", to.display());
        fs::copy(program, &to).map_err(cannot)?;
        fs::write(to.with_extension("expected"), printed).map_err(cannot)
    }
}

/// A table of programs and modes, the totals, and all failures.
pub fn report(builds: &[Build], outcomes: &[Outcome], taken: Duration) -> String {
    let mut rows: BTreeMap<&str, [Option<&Outcome>; MODES.len()]> = BTreeMap::new();
    for (build, outcome) in builds.iter().zip(outcomes) {
        rows.entry(&build.program.name).or_default()[build.mode] = Some(outcome);
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
        builds.len(),
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
