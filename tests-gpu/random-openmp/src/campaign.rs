//! Builds cases, runs them and compares.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tests_gpu::offload;
use toolchain::{Language as Compiler, OffloadBuild, OptLevel, Tools};

use crate::generate::{Case, Language, program};

/// How the device's code is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// Its name, for messages.
    pub name: &'static str,
    opt: OptLevel,
    whole: bool,
}

/// All modes: by level, as a whole program (the default of `warpfold cc`) or each file by itself.
pub const MODES: [Mode; 8] = [
    Mode { name: "O0", opt: OptLevel::O0, whole: true },
    Mode { name: "O2", opt: OptLevel::O2, whole: true },
    Mode { name: "O1", opt: OptLevel::O1, whole: true },
    Mode { name: "O3", opt: OptLevel::O3, whole: true },
    Mode { name: "O0-file", opt: OptLevel::O0, whole: false },
    Mode { name: "O1-file", opt: OptLevel::O1, whole: false },
    Mode { name: "O2-file", opt: OptLevel::O2, whole: false },
    Mode { name: "O3-file", opt: OptLevel::O3, whole: false },
];

/// What [`run`] does.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many cases.
    pub programs: u64,
    /// The seed of the first case; the others follow.
    pub seed: u64,
    /// The modes.
    pub modes: Vec<Mode>,
    /// Cases that are compiled together.
    pub batch: u64,
    /// Batches at the same time.
    pub parallel: usize,
    /// The folder of the emulated driver.
    pub driver: PathBuf,
    /// Where cases that differ are written, and what is done: a campaign that is interrupted goes on there.
    pub folder: PathBuf,
    /// Differences after which the campaign ends.
    pub most_differences: usize,
}

/// The result of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Runs of a case in a mode that gave the expected result.
    pub agreed: u64,
    /// Of these, how many an earlier run of the same campaign did.
    pub earlier: u64,
    /// What differs: the folder, and how.
    pub differences: Vec<(PathBuf, String)>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} runs of a case in a mode agree with the host ({} of them in an earlier run), {} differ",
            self.agreed,
            self.earlier,
            self.differences.len()
        )?;
        self.differences
            .iter()
            .try_for_each(|(folder, how)| writeln!(f, "differs: {}: {how}", folder.display()))
    }
}

/// The lines of a program, by the seed that each begins with.
type Results = BTreeMap<u64, String>;

fn results(text: &str) -> Results {
    text.lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(seed, value)| Some((seed.parse().ok()?, value.to_string())))
        .collect()
}

struct Campaign<'a> {
    options: &'a Options,
    tools: Tools,
    library: PathBuf,
    /// Steps that are done, as lines of a file.
    done: Mutex<(BTreeSet<String>, File)>,
    summary: Mutex<Summary>,
}

/// Runs a campaign.
///
/// # Errors
/// A message if tools are missing, files cannot be written, or the host's compiler rejects a program.
pub fn run(options: &Options) -> Result<Summary, String> {
    let tools = Tools::find().map_err(|error| error.to_string())?;
    let library = device_library::openmp_library(&tools).map_err(|error| error.to_string())?;
    let cannot = |error| format!("cannot write to {}: {error}", options.folder.display());
    fs::create_dir_all(&options.folder).map_err(cannot)?;
    let list = options.folder.join("done");
    let done = fs::read_to_string(&list).unwrap_or_default().lines().map(String::from).collect();
    let file = File::options().append(true).create(true).open(&list).map_err(cannot)?;
    let campaign =
        Campaign { options, tools, library, done: Mutex::new((done, file)), summary: Mutex::default() };
    let batches = options.programs.div_ceil(options.batch) as usize;
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(None));
    std::thread::scope(|scope| {
        for _ in 0..options.parallel {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let differences = lock(&campaign.summary).differences.len();
                    if number >= batches || differences >= options.most_differences || lock(&failed).is_some()
                    {
                        break;
                    }
                    if let Err(message) = campaign.batch(number as u64) {
                        *lock(&failed) = Some(message);
                    }
                }
            });
        }
    });
    match failed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some(message) => Err(message),
        None => Ok(campaign.summary.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Campaign<'_> {
    fn batch(&self, number: u64) -> Result<(), String> {
        let first = self.options.seed + number * self.options.batch;
        let count = self.options.batch.min(self.options.programs - number * self.options.batch);
        for mode in &self.options.modes {
            let step = format!("{first}+{count} {}", mode.name);
            if lock(&self.done).0.contains(&step) {
                let mut summary = lock(&self.summary);
                summary.agreed += count;
                summary.earlier += count;
                continue;
            }
            // Passing structs by value is wrong where each file is optimised by itself, and LLVM 23's reductions of
            // `teams loop` are wrong: docs/pitfalls.md.
            let loop_reductions = self.tools.llvm.version.major < 23;
            let language = Language { cpp: number % 2 == 1, by_value: mode.whole, loop_reductions };
            let mut cases: Vec<Case> = (first..first + count).map(|seed| Case::new(seed, language)).collect();
            let expected = self.on_host(&cases)?;
            let mut differences = 0;
            while let Some((wrong, how)) = self.wrong(&cases, *mode, &expected)? {
                let position = cases.iter().position(|case| case.seed == wrong).unwrap_or(0);
                self.record(&cases, position, *mode, &how)?;
                cases.remove(position);
                differences += 1;
                if cases.is_empty() {
                    break;
                }
            }
            lock(&self.summary).agreed += count - differences;
            if differences == 0 {
                let mut done = lock(&self.done);
                writeln!(done.1, "{step}").map_err(|error| format!("cannot write what is done: {error}"))?;
                done.0.insert(step);
            }
        }
        Ok(())
    }

    /// The results on the host, without OpenMP.
    fn on_host(&self, cases: &[Case]) -> Result<Results, String> {
        let (compiler, name) = language(cases);
        let folder = tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))?;
        fs::write(folder.path().join(name), program(cases))
            .map_err(|error| format!("cannot write: {error}"))?;
        let compiler = self.tools.offload_compiler(compiler).map_err(|error| error.to_string())?;
        let output = Command::new(compiler)
            .current_dir(folder.path())
            .args(["--no-default-config", "-w", "-O0", "-fsanitize=undefined", "-fsanitize-trap=all"])
            .args([name, "-o", "program"])
            .output()
            .map_err(|error| format!("clang: {error}"))?;
        if !output.status.success() {
            return Err(format!(
                "clang rejects {}: {}",
                cases[0].seed,
                String::from_utf8_lossy(&output.stderr)
            ));
        }
        let output =
            Command::new(folder.path().join("program")).output().map_err(|error| format!("it: {error}"))?;
        let found = results(&String::from_utf8_lossy(&output.stdout));
        match cases.iter().find(|case| !found.contains_key(&case.seed)) {
            None => Ok(found),
            Some(case) => {
                Err(format!("seed {} on the host: {}", case.seed, String::from_utf8_lossy(&output.stderr)))
            }
        }
    }

    /// The first case whose result differs, and how.
    fn wrong(&self, cases: &[Case], mode: Mode, expected: &Results) -> Result<Option<(u64, String)>, String> {
        let (compiler, name) = language(cases);
        let folder = tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))?;
        fs::write(folder.path().join(name), program(cases))
            .map_err(|error| format!("cannot write: {error}"))?;
        let build = OffloadBuild {
            units: &[],
            sm: 90,
            opt: mode.opt,
            lto: mode.whole,
            options: &["-w", "-gline-tables-only"],
        };
        let mut compile =
            self.tools.offload_command(compiler, &build, &self.library).map_err(|error| error.to_string())?;
        let output = compile
            .current_dir(folder.path())
            .args([name, "-o", "program"])
            .output()
            .map_err(|error| format!("clang: {error}"))?;
        let first = cases[0].seed;
        if !output.status.success() {
            return Ok(Some((
                first,
                format!("is not compiled: {}", String::from_utf8_lossy(&output.stderr)),
            )));
        }
        let limit = Duration::from_secs(300);
        let run = offload::run_with(Some(&self.options.driver), &folder.path().join("program"), &[], limit);
        let found = results(&run.out);
        let wrong = cases.iter().find(|case| found.get(&case.seed) != expected.get(&case.seed));
        Ok(wrong.map(|case| {
            let how = match found.get(&case.seed) {
                Some(value) => format!("{value}, not {}", expected[&case.seed]),
                None => format!("ended: {}", run.err),
            };
            (case.seed, how)
        }))
    }

    /// Makes a case that differs smaller, if it differs alone, and writes it.
    fn record(&self, cases: &[Case], position: usize, mode: Mode, how: &str) -> Result<(), String> {
        let seed = cases[position].seed;
        let fails = |case: &Case| -> Result<bool, String> {
            let alone = std::slice::from_ref(case);
            Ok(self.wrong(alone, mode, &self.on_host(alone)?)?.is_some())
        };
        let mut kept = cases.to_vec();
        let mut how = how.to_string();
        if fails(&cases[position])? {
            let mut case = cases[position].clone();
            let mut number = 0;
            while number < case.statements.len() {
                let mut smaller = case.clone();
                smaller.statements.remove(number);
                match fails(&smaller)? {
                    true => case = smaller,
                    false => number += 1,
                }
            }
            kept = vec![case];
        } else {
            how = format!("among {} cases, but not alone: {how}", cases.len());
        }
        let folder = self.options.folder.join(format!("{seed}-{}", mode.name));
        let cannot = |error| format!("cannot write to {}: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(cannot)?;
        fs::write(folder.join(language(&kept).1), program(&kept)).map_err(cannot)?;
        fs::write(folder.join("how.txt"), &how).map_err(cannot)?;
        let line = how.lines().next().unwrap_or_default().to_string();
        eprintln!("differs: seed {seed}, {}: {line}", mode.name);
        lock(&self.summary).differences.push((folder, line));
        Ok(())
    }
}

/// The compiler of cases, and the name of a file.
fn language(cases: &[Case]) -> (Compiler, &'static str) {
    match cases.first().is_some_and(Case::is_cpp) {
        true => (Compiler::Cpp, "program.cpp"),
        false => (Compiler::C, "program.c"),
    }
}
