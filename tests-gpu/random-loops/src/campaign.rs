//! Files of programs through `warpfold parallelize`, compilers and the emulator.

mod combination;
mod trial;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::reduce::reduced;
use crate::tree::{Program, SUPPORT};
use combination::Combination;
use trial::{Fault, Reference, Trial};

/// What [`run`] does.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many programs.
    pub programs: u64,
    /// The seed of the first program; the others follow.
    pub seed: u64,
    /// Programs of a file.
    pub batch: u64,
    /// Files at the same time.
    pub parallel: usize,
    /// What the names of combinations contain that are tried.
    pub only: String,
    /// Features of programs that are left out, as findings with them are known.
    pub without: Vec<String>,
    /// Where findings are written, and what is done: a campaign that is interrupted goes on there.
    pub folder: PathBuf,
    /// Different findings after which the campaign ends.
    pub most_findings: usize,
    /// Time after which it ends.
    pub limit: Option<Duration>,
    /// How many smaller programs are tried for a finding.
    pub tries: usize,
    /// Time after which no more are tried: programs for a GPU take seconds.
    pub tries_limit: Option<Duration>,
    /// The program `warpfold`.
    pub warpfold: PathBuf,
    /// Where programs for a GPU are kept, with what they print, if anywhere.
    pub keep: Option<PathBuf>,
}

/// The result of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// By combination: programs that computed the same.
    pub agreed: BTreeMap<String, u64>,
    /// Of these, how many an earlier run of the campaign did.
    pub earlier: u64,
    /// Programs that are no legal C, or have a feature that is left out.
    pub left_out: u64,
    /// Programs with a fault, all of them.
    pub faults: u64,
    /// The kind and the features of the findings.
    kinds: Vec<(String, BTreeSet<&'static str>)>,
    /// By kind and features: the folder of a finding, and how it differs.
    pub findings: BTreeMap<String, (PathBuf, String)>,
}

impl Summary {
    /// Whether nothing was found.
    pub fn is_clean(&self) -> bool {
        self.faults == 0
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: u64 = self.agreed.values().sum();
        let least = self.agreed.values().min().copied().unwrap_or_default();
        for (name, (folder, how)) in &self.findings {
            writeln!(f, "{}: {how}: {name}", folder.display())?;
        }
        writeln!(
            f,
            "{all} programs compute the same ({} of them in an earlier run), at least {least} under each of {} \
             combinations; {} left out; {} with a fault, {} different findings",
            self.earlier,
            self.agreed.len(),
            self.left_out,
            self.faults,
            self.findings.len()
        )
    }
}

struct Campaign<'a> {
    options: &'a Options,
    start: Instant,
    /// What is done, as lines of a file.
    done: Mutex<(BTreeSet<String>, File)>,
    summary: Mutex<Summary>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a campaign.
///
/// # Errors
/// A message if tools are missing or files cannot be written.
pub fn run(options: &Options) -> Result<Summary, String> {
    let cannot = |error| format!("cannot write to {}: {error}", options.folder.display());
    for folder in [Some(&options.folder), options.keep.as_ref()].into_iter().flatten() {
        fs::create_dir_all(folder).map_err(cannot)?;
    }
    let list = options.folder.join("done");
    let done: BTreeSet<String> =
        fs::read_to_string(&list).unwrap_or_default().lines().map(String::from).collect();
    let file = File::options().append(true).create(true).open(&list).map_err(cannot)?;
    let campaign = Campaign {
        options,
        start: Instant::now(),
        done: Mutex::new((done, file)),
        summary: Mutex::default(),
    };
    let files = options.programs.div_ceil(options.batch);
    let (next, failed) = (AtomicU64::new(0), Mutex::new(None));
    std::thread::scope(|scope| {
        for _ in 0..options.parallel.max(1) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= files || campaign.is_over() || lock(&failed).is_some() {
                        break;
                    }
                    if let Err(message) = campaign.file(number) {
                        *lock(&failed) = Some(message);
                    }
                }
            });
        }
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(message) => Err(message),
        None => Ok(campaign.summary.into_inner().unwrap_or_else(PoisonError::into_inner)),
    }
}

/// Without the features that nearly every program has, if there are others. What stands around a region is left out
/// from a smaller program if the fault does not need it.
fn telling(tags: &BTreeSet<&'static str>) -> BTreeSet<&'static str> {
    const AROUND: [&str; 5] =
        ["if-bare-region", "else-bare-region", "for-bare-region", "while-bare-region", "region-ends-outside"];
    let around: BTreeSet<&str> = tags.iter().copied().filter(|tag| AROUND.contains(tag)).collect();
    if !around.is_empty() {
        return around;
    }
    const USUAL: [&str; 11] = [
        "parameter",
        "restrict-parameter",
        "local-scalar",
        "file-array",
        "store",
        "copy",
        "update",
        "scalar-sum",
        "count",
        "private",
        "if-else",
    ];
    let telling: BTreeSet<&str> = tags.iter().copied().filter(|tag| !USUAL.contains(tag)).collect();
    if telling.is_empty() { tags.clone() } else { telling }
}

impl Campaign<'_> {
    fn is_over(&self) -> bool {
        let is_late = self.options.limit.is_some_and(|limit| self.start.elapsed() > limit);
        is_late || lock(&self.summary).findings.len() >= self.options.most_findings
    }

    fn file(&self, number: u64) -> Result<(), String> {
        let options = self.options;
        let combination = Combination::of(number, options.seed);
        let name = combination.name();
        if !name.contains(&options.only) {
            return Ok(());
        }
        let first = options.seed + number * options.batch;
        let count = options.batch.min(options.programs - number * options.batch);
        let mut step = format!("{first}+{count} {name}");
        for tag in &options.without {
            step += &format!(" without {tag}");
        }
        let earlier = lock(&self.done).0.iter().find_map(|line| {
            let counts = line.strip_prefix(&step)?.strip_prefix(": ")?;
            let (agreed, left_out) = counts.split_once(' ')?;
            Some((agreed.parse::<u64>().ok()?, left_out.parse::<u64>().ok()?))
        });
        if let Some((agreed, left_out)) = earlier {
            let mut summary = lock(&self.summary);
            *summary.agreed.entry(name).or_default() += agreed;
            summary.earlier += agreed;
            summary.left_out += left_out;
            return Ok(());
        }
        let language = combination.language();
        let mut programs: Vec<Program> =
            (first..first + count).map(|seed| Program::new(seed, language)).collect();
        programs.retain(|program| {
            let tags = program.tags();
            !options.without.iter().any(|tag| tags.contains(&**tag))
        });
        let keep = options.keep.as_deref().map(|folder| (folder, format!("loops-{first}")));
        let trial =
            Trial { combination: &combination, both: true, runs: 1, warpfold: &options.warpfold, keep };
        let mut why = Vec::new();
        let (programs, reference) = trial.legal(programs, true, &mut why)?;
        let mut left_out = count - programs.len() as u64;
        let mut faults = Vec::new();
        let mut wrong = BTreeSet::new();
        for (at, fault) in trial.faults(&programs, &reference)? {
            wrong.insert(at);
            match trial.is_of_compiler(&programs[at], &reference[at], &fault)? {
                Some(command) => {
                    why.push(format!(
                        "{}: `{command}` makes wrong code of the program itself",
                        programs[at].seed
                    ));
                    left_out += 1;
                }
                None => faults.push((at, fault)),
            }
        }
        self.note_left_out(&why)?;
        for (at, fault) in &faults {
            if !self.is_over() && !self.is_known(&programs[*at], fault) {
                self.record(&trial, &programs, *at, fault)?;
            }
        }
        let agreed = (programs.len() - wrong.len()) as u64;
        let wrong: BTreeSet<usize> = faults.iter().map(|(at, _)| *at).collect();
        let mut summary = lock(&self.summary);
        *summary.agreed.entry(name).or_default() += agreed;
        summary.left_out += left_out;
        summary.faults += wrong.len() as u64;
        drop(summary);
        if wrong.is_empty() {
            let mut done = lock(&self.done);
            let line = format!("{step}: {agreed} {left_out}");
            writeln!(done.1, "{line}").map_err(|error| format!("cannot write what is done: {error}"))?;
            done.0.insert(line);
        }
        Ok(())
    }

    /// Writes why programs are left out.
    fn note_left_out(&self, why: &[String]) -> Result<(), String> {
        let cannot = |error| format!("cannot write why programs are left out: {error}");
        let path = self.options.folder.join("left-out");
        let mut file = File::options().append(true).create(true).open(path).map_err(cannot)?;
        why.iter().try_for_each(|line| writeln!(file, "{line}")).map_err(cannot)
    }

    /// Whether a finding is known that needs no more features than a program has.
    fn is_known(&self, program: &Program, fault: &Fault) -> bool {
        let (kind, tags) = (fault.kind(), program.tags());
        lock(&self.summary).kinds.iter().any(|(known, needed)| *known == kind && needed.is_subset(&tags))
    }

    /// Makes a program with a fault smaller, if it has the fault alone, and writes it.
    fn record(
        &self,
        trial: &Trial<'_>,
        programs: &[Program],
        at: usize,
        fault: &Fault,
    ) -> Result<(), String> {
        let seconds = self.start.elapsed().as_secs_f64();
        let seed = programs[at].seed;
        let alone = std::slice::from_ref(&programs[at]);
        let both = matches!(fault, Fault::Compiler { .. });
        let runs = if trial.combination.threads > 1 { 5 } else { 1 };
        let trial = &Trial { both, runs, keep: None, ..*trial };
        let begin = Instant::now();
        let has = |program: &Program| -> Option<(Reference, Fault)> {
            let legal = |checks| trial.legal(vec![program.clone()], checks, &mut Vec::new());
            let (programs, reference) = legal(false).ok()?;
            let faults = trial.faults(&programs, &reference).ok()?;
            let (_, found) = faults.into_iter().next().filter(|(_, found)| found.kind() == fault.kind())?;
            if trial.is_of_compiler(program, &reference[0], &found).ok()?.is_some() {
                return None;
            }
            // Checks take most of the time.
            let (programs, reference) = legal(true).ok()?;
            (!programs.is_empty()).then_some((reference, found))
        };
        let kept = match has(&alone[0]) {
            Some(_) => vec![reduced(&alone[0], self.options.tries, &mut |smaller| {
                let is_late = self.options.tries_limit.is_some_and(|limit| begin.elapsed() > limit);
                !is_late && has(smaller).is_some()
            })],
            None => programs.to_vec(),
        };
        let found = match &kept[..] {
            [one] => has(one).map(|(_, fault)| fault),
            _ => None,
        };
        let is_alone = found.is_some();
        let fault = found.as_ref().unwrap_or(fault);
        let tags: Vec<&str> = match is_alone {
            true => kept[0].tags().into_iter().collect(),
            false => vec!["not alone"],
        };
        let signature = format!("{} [{}]", fault.kind(), tags.join(", "));
        let mut summary = lock(&self.summary);
        if summary.findings.contains_key(&signature) {
            return Ok(());
        }
        let folder =
            self.options.folder.join(format!("{seed}-{}", trial.combination.name().replace(' ', "-")));
        summary.findings.insert(signature.clone(), (folder.clone(), fault.line()));
        if is_alone {
            summary.kinds.push((fault.kind(), telling(&kept[0].tags())));
        }
        drop(summary);
        let cannot = |error| format!("cannot write to {}: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(cannot)?;
        fs::write(folder.join("support.h"), SUPPORT).map_err(cannot)?;
        let text = format!(
            "{}// {signature}\n// seed {seed}, program {} of the campaign, found after {seconds:.0} s\n{}{}",
            trial.commands(),
            seed - self.options.seed + 1,
            fault.text(),
            trial.text(&kept)
        );
        fs::write(folder.join("program.c"), text).map_err(cannot)?;
        println!("{}: after {seconds:.0} s: {signature}: {}", folder.display(), fault.line());
        Ok(())
    }
}
