//! Each loop that carries a reduction, in the nests of `tests/nests`, made parallel on its own: right on the interpreter
//! with interleaved workers, right on the CPU with 2 and 7 threads, clean there under ThreadSanitizer with Archer, and a race
//! without one of its copies.
//!
//! A part of the nests by default, of which a part under ThreadSanitizer, all with `FORCED=all`; `FORCED=NAME` takes those
//! whose path has the name, and says more.

mod common;
#[path = "common/executed.rs"]
mod executed;

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use executed::{Case, difference};
use loop_compiler::{
    Class, Options, analyze,
    interpret::{self, IterationOrder, Memory},
    ir::Region,
    notation,
    privatize::{Choice, Copies, privatize},
    report::FloatOrder,
    verify::verify,
};

const SIZE: i64 = 6;
const DEFINITIONS: [&str; 5] = ["-DN=6", "-DM=6", "-DK=6", "-DL=6", "-DTSTEPS=6"];

/// A loop made parallel.
struct Forced {
    label: String,
    original: Region,
    region: Region,
    memory: Memory,
    /// The memory after the original.
    after: Memory,
}

/// What became of the loops of a nest.
#[derive(Default)]
struct Found {
    forced: Vec<Forced>,
    rejected: Vec<String>,
    /// What the interpreter does not execute.
    skipped: Vec<String>,
    wrong: Vec<String>,
    races: usize,
    /// Loops without one of their copies, in which the interpreter finds a race.
    broken: Vec<Case>,
}

/// Processors may be busy.
fn analysis() -> Options {
    Options { time: std::time::Duration::from_secs(120), ..Options::default() }
}

fn memory(region: &Region) -> Result<Memory, String> {
    memory_of(region, 1)
}

/// Memory with other numbers for another seed, in which subscripts that are read from arrays repeat, so that different
/// workers update one element.
fn memory_of(region: &Region, seed: u64) -> Result<Memory, String> {
    let size = if seed > 37 { 2 * SIZE } else { SIZE };
    let memory = common::filled_memory(region, size, &interpret::Options::default());
    let mut memory = memory.map_err(|error| error.to_string())?;
    if seed > 1 {
        memory.fill(seed);
    }
    for (place, variable) in region.variables.iter().enumerate() {
        let Some(values) = memory.values(&variable.name).filter(|_| variable.scalar.is_integer()) else {
            continue;
        };
        if !variable.extents.is_empty() {
            let (step, bound) = if seed > 10 { (seed as usize, 5) } else { (1, 3) };
            let least = [0.0, -9.0, 7.0][usize::from(seed > 30) + usize::from(seed > 35)];
            let bound = [bound, 19, 1][usize::from(seed > 30) + usize::from(seed > 35)];
            let value = |index: usize| ((index * step + place * (seed as usize - 1)) % bound) as f64 + least;
            memory.set_values(&variable.name, (0..values.len()).map(value));
        } else if seed > 20 && values == [SIZE as f64] {
            // Sizes that differ, such as where a loop begins and where it ends.
            memory.set_values(&variable.name, [[6.0, 2.0, 4.0][(place + seed as usize) % 3]]);
        }
    }
    memory.set_values("workers", [3.0 + (seed / 2 % 4) as f64]);
    Ok(memory)
}

fn run(region: &Region, memory: &Memory, order: IterationOrder) -> Result<Memory, String> {
    let mut memory = memory.clone();
    let options = interpret::Options { order, steps: 20_000_000, ..interpret::Options::default() };
    interpret::run(region, &mut memory, &options).map_err(|error| error.to_string())?;
    Ok(memory)
}

fn of_nest(path: &Path) -> Found {
    let mut found = Found::default();
    let file = common::read(path, &DEFINITIONS).unwrap();
    for original in file.regions.into_iter().filter_map(|region| region.tree.ok()) {
        let known = analyze(&original, &analysis()).unwrap();
        let after = memory(&original).and_then(|memory| run(&original, &memory, IterationOrder::Sequential));
        let after = match after {
            Ok(after) => after,
            Err(error) => {
                found.skipped.push(format!("{}: {}", common::name(path), error.replace('\n', " ")));
                continue;
            }
        };
        for (index, looped) in known.loops.iter().enumerate() {
            let label = format!("{}:{} {}", common::name(path), looped.at.line, looped.iterator);
            if !matches!(looped.class, Class::Reduction | Class::ReductionAndPrivate) {
                continue;
            }
            for (copies, order) in [
                (Copies::Workers, FloatOrder::Free),
                (Copies::Workers, FloatOrder::Fixed),
                (Copies::Columns, FloatOrder::Fixed),
                (Copies::Device, FloatOrder::Free),
            ] {
                let label = format!("{label} {copies:?} {order:?}");
                let choice = Choice {
                    loops: BTreeSet::from([index]),
                    copies,
                    atomic: BTreeSet::new(),
                    order,
                    least_work: None,
                    is_tested: false,
                    omitted: BTreeSet::new(),
                };
                let (region, canonical) = match privatize(&original, &choice, &analysis()) {
                    Ok(privatized) => (privatized.region, privatized.canonical),
                    Err(error) => {
                        found.rejected.push(format!("{label}: {error}"));
                        continue;
                    }
                };
                let text = || notation::print(std::slice::from_ref(&region));
                if let Err(error) = verify(&region) {
                    found.wrong.push(format!("{label}: {error}\n{}", text()));
                    continue;
                }
                let memory = memory(&region).unwrap_or_else(|error| panic!("{error}\n{}", text()));
                // A comparison with what a clause reduces into is of a thread's own copy in C, and a race in the tree.
                let seeds = if copies == Copies::Device { 0..0 } else { 0..6 };
                for seed in seeds {
                    match run(&region, &memory, IterationOrder::Interleaved(seed)) {
                        Err(error) => found.wrong.push(format!("{label}: {error}\n{}", text())),
                        Ok(result) => match difference(&original, &after, &result) {
                            Some(difference) => {
                                found.wrong.push(format!("{label}: {difference}\n{}", text()))
                            }
                            None => continue,
                        },
                    }
                    break;
                }
                // A chunk has more iterations than these loops.
                let is_divided = match order {
                    FloatOrder::Fixed => copies == Copies::Columns && canonical,
                    _ => copies == Copies::Workers,
                };
                if is_divided {
                    let arrays: BTreeSet<&String> = looped.reduced.iter().chain(&looped.privatized).collect();
                    for array in arrays {
                        let choice = Choice { omitted: BTreeSet::from([array.clone()]), ..choice.clone() };
                        let broken = match privatize(&original, &choice, &analysis()) {
                            Ok(privatized) => privatized.region,
                            Err(error) => {
                                found.wrong.push(format!("{label} without {array}: {error}"));
                                continue;
                            }
                        };
                        // Two workers have to update the element, which depends on the numbers.
                        let racing = (1..40).find_map(|seed| {
                            let memory = memory_of(&broken, seed).unwrap();
                            let ended = run(&broken, &memory, IterationOrder::Interleaved(seed));
                            let races = ended.is_err_and(|error| error.contains("a race in the loop over "));
                            races.then_some(memory)
                        });
                        if let Some(memory) = racing {
                            found.races += 1;
                            let label = format!("{label} without {array}");
                            found.broken.push(Case::new(label, broken, memory));
                        } else {
                            let broken = notation::print(&[broken]);
                            found.wrong.push(format!("{label} without {array} is no race\n{broken}"));
                        }
                    }
                }
                let (original, after) = (original.clone(), after.clone());
                found.forced.push(Forced { label, original, region, memory, after });
            }
        }
    }
    found
}

/// Cases in a program at most.
const TOGETHER: usize = 24;

/// Programs with a copy left out that ThreadSanitizer is given, about: by default, and with `FORCED`.
const BROKEN: [usize; 2] = [4, 40];

/// Where Archer is, which tells ThreadSanitizer how OpenMP synchronises; or why it cannot be used.
fn archer() -> Result<PathBuf, String> {
    let file = |name: &str, package: &str| {
        let output = Command::new("clang-22").arg(format!("-print-file-name={name}")).output().unwrap();
        let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        // clang prints the name alone if it does not find the file.
        match path.is_absolute() && path.exists() {
            true => Ok(path),
            false => Err(format!("clang has no {name}: `apt-get install {package}` installs it")),
        }
    };
    let library = format!("libclang_rt.tsan-{}.a", env::consts::ARCH);
    file(&library, "libclang-rt-22-dev").and(file("libarcher.so", "libomp-22-dev"))
}

/// What ThreadSanitizer reports of the cases as one program, with 2 and with 7 threads.
fn sanitized(archer: &Path, cases: &[Case], folder: &Path, stem: &str) -> Vec<Result<(), String>> {
    let options = ["-O1", "-g", "-fopenmp", "-fsanitize=thread"];
    if let Err(error) = executed::compiled(cases, &options, folder, stem) {
        return vec![Err(error)];
    }
    let library = archer.display().to_string();
    let run = |threads: &str| {
        let environment = [
            ("OMP_NUM_THREADS", threads),
            ("OMP_TOOL_LIBRARIES", &library),
            ("TSAN_OPTIONS", "ignore_noninstrumented_modules=1 history_size=7"),
            // Threads that wait do not take processors from the others.
            ("KMP_BLOCKTIME", "0"),
        ];
        executed::ran(cases, &environment, folder, stem).map(drop)
    };
    ["2", "7"].map(run).into()
}

#[test]
fn every_loop_with_a_reduction_is_right_when_it_is_parallel() {
    let wanted = env::var("FORCED").unwrap_or_default();
    let nests: Vec<PathBuf> = common::nests(&[])
        .into_iter()
        .filter(|path| !common::name(path).starts_with("rejected/"))
        .enumerate()
        .filter(|(index, path)| match wanted.as_str() {
            "" => index % 6 == 0,
            "all" => true,
            name => common::name(path).contains(name),
        })
        .map(|(_, path)| path)
        .collect();
    let (mut forced, mut rejected, mut wrong, mut races) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let (mut skipped, mut broken) = (Vec::new(), Vec::new());
    for found in common::in_parallel(&nests, |path| of_nest(path)) {
        forced.extend(found.forced);
        rejected.extend(found.rejected);
        skipped.extend(found.skipped);
        wrong.extend(found.wrong);
        races += found.races;
        broken.extend(found.broken);
    }
    let folder = env::temp_dir().join(format!("loop-compiler-forced-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let cases = forced
        .iter()
        .map(|forced| Case::new(forced.label.clone(), forced.region.clone(), forced.memory.clone()));
    let groups = executed::groups(cases.collect(), TOGETHER);
    let groups: Vec<(usize, Vec<Case>)> = groups.into_iter().enumerate().collect();
    let run_group = |(index, cases): &(usize, Vec<Case>)| {
        let stem = format!("group-{index}");
        let mut results = Vec::new();
        if let Err(error) = executed::compiled(cases, &["-O1", "-fopenmp"], &folder, &stem) {
            return vec![Err(error)];
        }
        for threads in ["2", "7"] {
            results.push(executed::ran(cases, &[("OMP_NUM_THREADS", threads)], &folder, &stem));
        }
        results
    };
    let ran = common::in_parallel(&groups, run_group);
    let mut on_cpu = 0;
    for ((index, cases), results) in groups.iter().zip(ran) {
        for result in results {
            match result {
                Err(error) => wrong.push(error),
                Ok(memories) => {
                    for (place, memory) in memories.iter().enumerate() {
                        let forced = &forced[index * TOGETHER + place];
                        assert_eq!(forced.label, cases[place].label);
                        if let Some(difference) = difference(&forced.original, &forced.after, memory) {
                            let text = loop_compiler::c::print(&forced.region, 0);
                            wrong.push(format!("{} on the CPU: {difference}\n{text}", forced.label));
                        }
                        on_cpu += 1;
                    }
                }
            }
        }
    }
    let whole = !wanted.is_empty();
    match archer() {
        Err(reason) => println!("not under ThreadSanitizer: {reason}"),
        Ok(archer) => {
            let clean: Vec<_> = groups.iter().filter(|(index, _)| whole || index % 3 == 0).collect();
            let reported = common::in_parallel(&clean, |(index, cases)| {
                sanitized(&archer, cases, &folder, &format!("sanitized-{index}"))
            });
            let (cases, runs): (usize, usize) =
                (clean.iter().map(|(_, cases)| cases.len()).sum(), reported.iter().map(Vec::len).sum());
            wrong.extend(reported.into_iter().flatten().filter_map(Result::err));
            let every = (broken.len() / BROKEN[usize::from(whole)]).max(1);
            let broken: Vec<(usize, Case)> = broken.into_iter().enumerate().step_by(every).collect();
            let reported = common::in_parallel(&broken, |(index, case)| {
                let ran = sanitized(&archer, std::slice::from_ref(case), &folder, &format!("broken-{index}"));
                ran.into_iter().any(|ran| ran.is_err_and(|said| said.contains("ThreadSanitizer: data race")))
            });
            let found = reported.iter().filter(|reported| **reported).count();
            println!(
                "under ThreadSanitizer: {cases} loops in {runs} runs of {} programs; {found} of {} without a copy reported",
                clean.len(),
                broken.len()
            );
            if found == 0 && !broken.is_empty() {
                wrong.push("ThreadSanitizer reports no loop without a copy".into());
            }
        }
    }
    let _ = fs::remove_dir_all(&folder);
    println!(
        "{} nests: {} loops made parallel, {on_cpu} executions on the CPU, {races} races without a copy, {} rejected:\n{}\n{} not executed:\n{}",
        nests.len(),
        forced.len(),
        rejected.len(),
        rejected.join("\n"),
        skipped.len(),
        skipped.join("\n"),
    );
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(whole || forced.len() >= 60 && races >= 30, "{} {races}", forced.len());
}
