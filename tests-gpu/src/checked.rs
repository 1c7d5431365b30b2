//! The conformance suite under `WARPFOLD_CHECK=all`: a report of the checks is a failure.
//!
//! Every build runs in order first, then every program with seeds 1, 2, …, its builds in turn: what the checks find
//! depends little on the order of execution, and what a wrong program does afterwards a lot. Results are kept in a folder, one line of JSON for each
//! run, and a campaign that was interrupted goes on there; a run counts again if its program, the compiler's options,
//! the device runtime and the driver are still the same.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt::Write as _,
    fs::{self, File},
    hash::{DefaultHasher, Hash, Hasher},
    io::Write as _,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use check_reports::{ALL_CHECKS, LINES, REPORT_FILE, Report, ReportGroup};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolchain::{Language, Tools};

use crate::conformance::{Build, MODES, ORDERS};
use crate::offload;

/// What a run under the checks takes compared with one without, at most.
const SLOWDOWN: u32 = 6;

/// The file of results in their folder.
pub const RESULTS: &str = "results.jsonl";

/// Settings of a campaign.
#[derive(Clone, Debug)]
pub struct CampaignSettings {
    /// The folder of the emulated driver.
    pub driver: PathBuf,
    /// Programs that are built or run at the same time.
    pub parallel: usize,
    /// Further options of the compiler for all programs.
    pub options: Vec<String>,
    /// Seeds after the run in order: 1 to this.
    pub seeds: u32,
    /// The folder of results; none to keep nothing.
    pub folder: Option<PathBuf>,
    /// Whether to report progress on standard error.
    pub verbose: bool,
}

/// A run, as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The program.
    pub program: String,
    /// The build mode.
    pub mode: String,
    /// The seed; 0 for the run in order.
    pub seed: u32,
    /// A number for all that it depends on.
    pub identity: u64,
    /// Seconds.
    pub seconds: f64,
    /// What was reported.
    pub reports: Vec<Report>,
    /// What else is wrong: it is not built, a wrong result, no end.
    pub failure: Option<String>,
}

impl Run {
    /// Program, mode and order.
    pub fn name(&self) -> String {
        let Run { program, mode, seed, .. } = self;
        let order = if *seed == 0 { "in order".to_owned() } else { format!("seed {seed}") };
        format!("{program} {mode} {order}")
    }

    fn key(&self) -> (String, String, u32, u64) {
        (self.program.clone(), self.mode.clone(), self.seed, self.identity)
    }
}

/// The runs of a campaign, in order of builds, with those that were done before.
#[derive(Clone, Debug, Default)]
pub struct Campaign {
    /// All runs.
    pub runs: Vec<Run>,
    /// How many an earlier call did.
    pub earlier: usize,
}

/// Runs builds under the checks; what was done before is taken from the folder of results.
///
/// # Errors
///
/// A message if tools are missing, or results cannot be read or written.
pub fn run(builds: &[Build], settings: &CampaignSettings) -> Result<Campaign, String> {
    let tools = Tools::find().map_err(|error| error.to_string())?;
    let library = device_library::openmp_library(&tools).map_err(|error| error.to_string())?;
    let driver = settings.driver.join("libcuda.so.1");
    let driver = fs::read(&driver).map_err(|error| format!("cannot read {}: {error}", driver.display()))?;
    // The folder of the library is named by what it was made of.
    let tools = hash(&(driver, library, compilers(&tools)));
    let (done, file) = match &settings.folder {
        Some(folder) => {
            let (done, file) = open(folder)?;
            (done, Some(Mutex::new(file)))
        }
        None => (HashMap::new(), None),
    };
    let steps = steps(builds, settings.seeds);
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(None));
    let runs = Mutex::new(vec![Run::default(); steps.len()]);
    let earlier = AtomicUsize::new(0);
    let step = |build: &Build, seed: u32| -> Result<Run, String> {
        let options = options(build, &settings.options);
        let mut wanted = Run {
            program: build.program.name.clone(),
            mode: MODES[build.mode].0.to_owned(),
            seed,
            identity: hash(&(tools, &build.program.text, &options)),
            ..Run::default()
        };
        if let Some(run) = done.get(&wanted.key()) {
            earlier.fetch_add(1, Ordering::Relaxed);
            return Ok(run.clone());
        }
        let start = Instant::now();
        match checked_run(build, seed, &options, settings)? {
            Ok((reports, failure)) => (wanted.reports, wanted.failure) = (reports, failure),
            Err(error) => wanted.failure = Some(format!("it is not built: {error}")),
        }
        wanted.seconds = start.elapsed().as_secs_f64();
        if settings.verbose {
            let Run { seconds, reports, failure, .. } = &wanted;
            let failed = if failure.is_some() { ", FAILED" } else { "" };
            eprintln!("{}: {} reports{failed}, {seconds:.1} s", wanted.name(), reports.len());
        }
        if let Some(file) = &file {
            let line = serde_json::to_string(&wanted).map_err(|error| error.to_string())?;
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            writeln!(file, "{line}").map_err(|error| format!("cannot write results: {error}"))?;
        }
        Ok(wanted)
    };
    std::thread::scope(|scope| {
        for _ in 0..settings.parallel.max(1) {
            scope.spawn(|| {
                while let Some((at, &(build, seed))) = {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    steps.get(at).map(|step| (at, step))
                } {
                    match step(build, seed) {
                        Ok(run) => runs.lock().unwrap_or_else(PoisonError::into_inner)[at] = run,
                        Err(message) => {
                            *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(message);
                            next.store(usize::MAX / 2, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
    });
    if let Some(message) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(message);
    }
    let runs = runs.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Campaign { runs, earlier: earlier.into_inner() })
}

/// Every build in order, and every program with each seed: its builds take turns.
fn steps<'b, 'p>(builds: &'b [Build<'p>], seeds: u32) -> Vec<(&'b Build<'p>, u32)> {
    let mut steps: Vec<(&Build, u32)> = builds.iter().map(|build| (build, 0)).collect();
    let mut programs: BTreeMap<&str, Vec<&Build>> = BTreeMap::new();
    for build in builds.iter().filter(|build| build.orders.iter().any(|&order| is_random(order))) {
        programs.entry(&build.program.name).or_default().push(build);
    }
    for seed in 1..=seeds {
        let turn = |builds: &Vec<&'b Build<'p>>| (builds[(seed as usize - 1) % builds.len()], seed);
        steps.extend(programs.values().map(turn));
    }
    steps
}

/// Whether an order is one of a seed.
fn is_random(order: usize) -> bool {
    ORDERS[order].1.iter().any(|(name, _)| *name == "WARPFOLD_SEED")
}

/// A number that is the same for the same value, in every call of this program.
fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// What the compilers are.
fn compilers(tools: &Tools) -> Vec<PathBuf> {
    [Language::C, Language::Cpp, Language::Fortran]
        .into_iter()
        .filter_map(|language| tools.offload_compiler(language).ok())
        .collect()
}

/// Runs by what they depend on.
type Runs = HashMap<(String, String, u32, u64), Run>;

/// The results of earlier calls, and the file to which further ones are added.
fn open(folder: &Path) -> Result<(Runs, File), String> {
    let path = folder.join(RESULTS);
    let cannot = |error| format!("cannot write {}: {error}", path.display());
    fs::create_dir_all(folder).map_err(cannot)?;
    // The last line may be cut short, if that call was killed.
    let text = fs::read_to_string(&path).unwrap_or_default();
    let runs: Vec<Run> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let mut file = File::options().append(true).create(true).open(&path).map_err(cannot)?;
    if !text.is_empty() && !text.ends_with('\n') {
        writeln!(file).map_err(cannot)?;
    }
    Ok((runs.into_iter().map(|run| (run.key(), run)).collect(), file))
}

/// The compiler's options: those of the program, and lines for the reports.
fn options(build: &Build, further: &[String]) -> Vec<String> {
    let mut options = [&build.program.options[..], further].concat();
    // flang 22 crashes with `-gline-tables-only` at -O0 more often than with `-g`.
    let fortran = Language::of(&build.program.name) == Language::Fortran;
    options.push(if fortran { "-g" } else { LINES }.to_owned());
    options
}

/// Builds a program and runs it once; an error of the compiler is the inner one.
type Checked = Result<(Vec<Report>, Option<String>), String>;

fn checked_run(
    build: &Build,
    seed: u32,
    options: &[String],
    settings: &CampaignSettings,
) -> Result<Checked, String> {
    let program = build.program;
    let compile =
        |options: &[String]| offload::compile(&program.name, &program.text, MODES[build.mode].1, options);
    // At -O0 flang 22 crashes in some programs if it has to describe them for debuggers.
    let without: Vec<String> = options.iter().filter(|option| *option != "-g").cloned().collect();
    let built = compile(options).or_else(|error| match without.len() < options.len() {
        true => compile(&without),
        false => Err(error),
    });
    let path = match built {
        Ok(path) => path,
        Err(error) => return Ok(Err(error)),
    };
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let file = folder.path().join("reports");
    let seed = seed.to_string();
    let first = build.orders.first().map_or(&[][..], |&order| ORDERS[order].1);
    let order = if seed == "0" { first } else { &[("WARPFOLD_SEED", &seed[..])] };
    let mut environment: Vec<(&str, &str)> = vec![ALL_CHECKS, ("WARPFOLD_CHECK_LEAKS", "1")];
    environment.extend(order);
    let reports = file.display().to_string();
    environment.push((REPORT_FILE, &reports));
    // What the program asks for comes last and wins.
    environment.extend(program.environment.iter().map(|(name, value)| (&name[..], &value[..])));
    let time_limit = program.time_limit * SLOWDOWN;
    let ran = offload::run_with(Some(&settings.driver), &path, &environment, time_limit);
    let reports = check_reports::read(&file)?;
    // A leak has no line of JSON.
    let is_leak = |line: &str| line.starts_with("warpfold: ") && line.contains("never freed");
    let leak = ran.err.lines().find(|line| is_leak(line)).map(str::to_owned);
    Ok(Ok((reports, leak.or(program.judge_results(&ran).err()))))
}

/// What is wrong with a campaign, and what is known.
#[derive(Debug)]
pub struct Judged {
    /// Reports that nobody knows, grouped.
    pub groups: Vec<ReportGroup>,
    /// Known ones, grouped.
    pub known: Vec<ReportGroup>,
    /// Runs that failed otherwise, and known reports that did not come.
    pub failures: Vec<String>,
}

impl Campaign {
    /// Compares with what the programs say about themselves.
    pub fn judge(&self, builds: &[Build]) -> Judged {
        let build_of: BTreeMap<(&str, &str), &Build> =
            builds.iter().map(|build| ((&*build.program.name, MODES[build.mode].0), build)).collect();
        let (mut unknown, mut known, mut failures) = (Vec::new(), Vec::new(), Vec::new());
        let mut seen: BTreeSet<(&str, &str, usize)> = BTreeSet::new();
        for run in &self.runs {
            let Some(build) = build_of.get(&(&*run.program, &*run.mode)) else { continue };
            let fails = build.known_failure().is_some();
            for report in &run.reports {
                match known_report(build, report) {
                    Some(number) => {
                        seen.insert((&run.program, &run.mode, number));
                        known.push((run.name(), report));
                    }
                    None if fails => known.push((run.name(), report)),
                    None => unknown.push((run.name(), report)),
                }
            }
            if let Some(failure) = &run.failure
                && !fails
                && run.reports.is_empty()
            {
                failures.push(format!("{}: {failure}", run.name()));
            }
        }
        for build in builds {
            let (name, mode) = (&*build.program.name, MODES[build.mode].0);
            for (number, report) in build.program.reports.iter().enumerate() {
                let expected = report.modes.contains(&build.mode);
                if expected && !seen.contains(&(name, mode, number)) {
                    let (kind, lines, reason) = (&report.kind, &report.lines, &report.reason);
                    failures.push(format!(
                        "{name} {mode}: no {kind} at lines {lines:?}, which is listed because {reason}"
                    ));
                }
            }
        }
        Judged { groups: check_reports::groups(unknown), known: check_reports::groups(known), failures }
    }

    /// A table of programs and modes, the totals, and the groups of reports.
    pub fn report(&self, judged: &Judged, seconds: f64) -> String {
        let mut rows: BTreeMap<&str, [Vec<&Run>; MODES.len()]> = BTreeMap::new();
        for run in &self.runs {
            if let Some(mode) = MODES.iter().position(|(name, _)| *name == run.mode) {
                rows.entry(&run.program).or_default()[mode].push(run);
            }
        }
        let wrong: BTreeSet<&String> = judged.groups.iter().flat_map(|group| &group.runs).collect();
        let known: BTreeSet<&String> = judged.known.iter().flat_map(|group| &group.runs).collect();
        let mut text = format!("{:<24}", "program");
        for (mode, _) in MODES {
            let _ = write!(text, "{mode:>18}");
        }
        text.push('\n');
        for (name, row) in &rows {
            let _ = write!(text, "{name:<24}");
            for runs in row {
                let of =
                    |set: &BTreeSet<&String>| runs.iter().filter(|run| set.contains(&run.name())).count();
                let (reported, known) = (of(&wrong), of(&known));
                let failed =
                    runs.iter().filter(|run| run.failure.is_some() && run.reports.is_empty()).count();
                let seconds: f64 = runs.iter().map(|run| run.seconds).sum();
                let cell = match () {
                    () if runs.is_empty() => String::new(),
                    () if reported > 0 => format!("{reported} REPORTED"),
                    () if known > 0 => format!("{known} known"),
                    () if failed > 0 => format!("{failed} failed"),
                    () => format!("{} ok {seconds:.1} s", runs.len()),
                };
                let _ = write!(text, "{cell:>18}");
            }
            text.push('\n');
        }
        let _ = writeln!(
            text,
            "{} programs, {} runs ({} of them by an earlier call): {} groups of reports in {} runs, {} known groups in \
             {} runs, {} failures; {:.1} minutes, all runs one after the other {:.1} minutes",
            rows.len(),
            self.runs.len(),
            self.earlier,
            judged.groups.len(),
            wrong.len(),
            judged.known.len(),
            known.len(),
            judged.failures.len(),
            seconds / 60.0,
            self.runs.iter().map(|run| run.seconds).sum::<f64>() / 60.0,
        );
        for (title, groups) in [("reported", &judged.groups), ("known", &judged.known)] {
            for group in groups {
                let _ = write!(text, "\n{title}: {}", group.text());
            }
        }
        for failure in &judged.failures {
            let _ = writeln!(text, "\n{failure}");
        }
        text
    }

    /// All runs and groups, for programs.
    pub fn json(&self, judged: &Judged) -> Value {
        let groups = |groups: &[ReportGroup]| groups.iter().map(ReportGroup::json).collect::<Vec<_>>();
        json!({
            "runs": self.runs,
            "reported": groups(&judged.groups),
            "known": groups(&judged.known),
            "failures": judged.failures,
        })
    }
}

/// The number of the directive that a report is known by.
fn known_report(build: &Build, report: &Report) -> Option<usize> {
    build.program.reports.iter().position(|known| {
        known.modes.contains(&build.mode)
            && known.kind == report.kind
            && report
                .lines
                .iter()
                .filter_map(|line| source_line(line))
                .all(|line| known.lines.contains(&line))
    })
}

/// The number of a line of a program or of a file that it includes. A side of a report may have none: what a compiler
/// adds, and the device runtime.
fn source_line(line: &str) -> Option<u32> {
    let (file, number) = line.rsplit_once(':')?;
    let is_source = [".c", ".cpp", ".h", ".f90", ".inc"].iter().any(|ending| file.ends_with(ending));
    number.parse().ok().filter(|_| is_source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::{Program, all_builds};

    fn program(name: &str, directives: &str) -> Program {
        Program::read(name, directives).expect("valid directives")
    }

    /// With each seed a program runs once, and all its builds have seeds.
    #[test]
    fn builds_take_turns() {
        let programs =
            [program("a.c", ""), program("b.c", "//! modes O2\n"), program("c.c", "//! orders in-order\n")];
        let builds = all_builds(&programs);
        let steps = steps(&builds, 6);
        let of = |name: &str| -> Vec<(&str, u32)> {
            let of_program = steps.iter().filter(|(build, _)| build.program.name == name);
            of_program.map(|(build, seed)| (MODES[build.mode].0, *seed)).collect()
        };
        let in_order = MODES.map(|(mode, _)| (mode, 0));
        assert_eq!(of("a.c")[..4], in_order);
        let turns: Vec<(&str, u32)> = (0..6).map(|turn| (MODES[turn % 4].0, turn as u32 + 1)).collect();
        assert_eq!(of("a.c")[4..], turns);
        assert_eq!(of("b.c"), (0..=6).map(|seed| ("O2", seed)).collect::<Vec<_>>());
        assert_eq!(of("c.c"), in_order);
    }

    #[test]
    fn lines_of_the_runtime_are_none_of_a_program() {
        assert_eq!(source_line("constructs.h:17"), Some(17));
        assert_eq!(source_line("program.f90:9"), Some(9));
        assert_eq!(source_line("device-rt/src/arch/barrier.rs:17"), None);
        assert_eq!(source_line("`ld.b64 %rd3, [%rd1];` in _omp_reduction_shuffle_and_reduce_func"), None);
    }
}
