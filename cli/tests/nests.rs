//! The nests of `loop-compiler/tests/nests` for a device: what `--target gpu` makes of each runs on the emulator, gives what
//! the interpreter gives, launches kernels, and moves no array twice. The same of each loop that carries a reduction, made
//! parallel alone, and together with a parallel loop around it.
//!
//! A part of the nests by default, without optimisation and with, and under the race check. `NESTS=all` and `FORCED=all`
//! take all of them, `NESTS=NAME` and `FORCED=NAME` those whose path has the name, and say more.
//!
//! `NESTS_KEEP=DIR` copies the programs into a folder, each with its input and with its output on the emulator.
//! `NESTS_RESULTS=DIR` executes nothing, and compares the outputs (`*.out`) that programs had on another device.

mod common;
#[path = "../../loop-compiler/tests/common/executed.rs"]
mod executed;
#[path = "../../loop-compiler/tests/common/mod.rs"]
mod nests;

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use executed::{Case, compiled_by, difference, groups, ran_by};
use loop_compiler::{
    Class, Options, analyze,
    check::{input, output},
    interpret::{self, Memory},
    ir::{Loop, Node, Region},
    parallelize::{self, Device, GPU, Machine, parallelize},
    report::FloatOrder,
    schedule::{Schedule, Step},
};
use serde_json::Value;

const SIZE: i64 = 9;
const DEFINITIONS: [&str; 5] = ["-DN=9", "-DM=9", "-DK=9", "-DL=9", "-DTSTEPS=9"];

/// A device for which nothing is too small.
fn machine() -> Machine {
    let device = GPU.device.map(|device| Device { slower: 1e-6, workers: 5, ..device });
    Machine { fork: 0.0, least_work: 1, device, ..GPU.clone() }
}

/// A nest for the device.
struct Made {
    case: Case,
    original: Region,
    text: String,
    after: Memory,
}

/// A region of a nest, with the memory before and after it.
struct Original {
    label: String,
    region: Region,
    memory: Memory,
    after: Memory,
}

fn originals(path: &Path) -> Vec<Result<Original, String>> {
    let file = nests::read(path, &DEFINITIONS).expect("clang reads it");
    let regions = file.regions.into_iter().filter_map(|region| region.tree.ok());
    let original = regions.map(|mut region| {
        let label = format!("{}:{}", nests::name(path), region.at.line);
        region.variables.iter_mut().for_each(|variable| variable.declared_type.clear());
        let failed = |error: String| format!("{label}: {}", error.replace('\n', " "));
        let options = interpret::Options { steps: 20_000_000, ..interpret::Options::default() };
        let memory =
            nests::filled_memory(&region, SIZE, &options).map_err(|error| failed(error.to_string()))?;
        let mut after = memory.clone();
        interpret::run(&region, &mut after, &options).map_err(|error| failed(error.to_string()))?;
        Ok(Original { label, region, memory, after })
    });
    original.collect()
}

fn analysis() -> Options {
    Options { time: std::time::Duration::from_secs(120), ..Options::default() }
}

impl Original {
    /// The region, or one with schedules, for a device.
    fn made(&self, label: String, region: &Region, machine: &Machine) -> Result<Made, String> {
        let failed = |error: String| format!("{label}: {}", error.replace('\n', " "));
        let made = parallelize(region, FloatOrder::Free, machine, &analysis());
        let made = made.map_err(|error| failed(error.to_string()))?;
        let text = made
            .text(&parallelize::Original::from(&self.region))
            .ok_or_else(|| failed("no loop is parallel".into()))?;
        let case = Case::new(label, self.region.clone(), self.memory.clone());
        Ok(Made { case, original: self.region.clone(), text, after: self.after.clone() })
    }

    /// Each loop that carries a reduction, parallel alone, and with the loop around it if that is parallel.
    fn forced(&self) -> Vec<Result<Made, String>> {
        // The model itself chooses nothing.
        let machine = Machine { fork: 1e30, least_work: 0, ..machine() };
        let known = analyze(&self.region, &analysis()).expect("an analysis");
        let mut made = Vec::new();
        for (index, looped) in known.loops.iter().enumerate() {
            if !matches!(looped.class, Class::Reduction | Class::ReductionAndPrivate) {
                continue;
            }
            let label = format!("{}, loop {} of line {}", self.label, looped.iterator, looped.at.line);
            let alone = scheduled(&self.region, &[index]);
            made.push(self.made(format!("{label} alone"), &alone, &machine));
            // The loop around it is the last one before that is less deep.
            let around = (0..index).rev().find(|other| known.loops[*other].depth < looped.depth);
            if let Some(around) = around.filter(|around| known.loops[*around].class == Class::Parallel) {
                let both = scheduled(&self.region, &[around, index]);
                made.push(self.made(format!("{label} and the one around"), &both, &machine));
            }
        }
        made
    }
}

/// The region with schedules that make these loops parallel, by number.
fn scheduled(region: &Region, loops: &[usize]) -> Region {
    fn visit(nodes: &mut [Node], next: &mut usize, change: &mut dyn FnMut(usize, &mut Loop)) {
        for node in nodes {
            match node {
                Node::Loop(looped) => {
                    change(*next, looped);
                    *next += 1;
                    visit(&mut looped.body, next, change);
                }
                Node::If(guard) => {
                    visit(&mut guard.then, next, change);
                    visit(&mut guard.otherwise, next, change);
                }
                _ => {}
            }
        }
    }
    let mut out = region.clone();
    visit(&mut out.body, &mut 0, &mut |index, looped| {
        if loops.contains(&index) {
            let name = region.variable(looped.iterator).name.clone();
            looped.attributes.schedules.push(Ok(Schedule { steps: vec![Step::Parallel(name)] }));
        }
    });
    out
}

/// Arrays that were moved in one direction more than once.
fn moved_twice(trace: &str) -> Vec<String> {
    let mut moved: BTreeMap<(bool, &str, u64), u32> = BTreeMap::new();
    let calls = trace.lines().filter_map(|line| line.strip_prefix("warpfold driver: cuMemcpy"));
    for call in calls {
        let to_device = call.starts_with("HtoD");
        let field = |name: &str| {
            call.split(['(', ',', ')', ' ']).find_map(|part| part.strip_prefix(name)?.strip_prefix('='))
        };
        let host = if to_device { field("from") } else { field("to") };
        let bytes: u64 = field("bytes")
            .and_then(|bytes| bytes.parse().ok())
            .unwrap_or_else(|| panic!("a number of bytes in `{call}`"));
        // Scalars belong to the host, and so do the structures of what searches find.
        if bytes > 40 {
            *moved.entry((to_device, host.expect("an address"), bytes)).or_default() += 1;
        }
    }
    let twice = moved.into_iter().filter(|(_, count)| *count > 1);
    let said = |((to_device, at, bytes), count)| {
        let way = if to_device { "to" } else { "from" };
        format!("{bytes} bytes at {at} {way} the device {count} times")
    };
    twice.map(said).collect()
}

/// How many kernels each case launches, by its number.
fn launches(counts: &str) -> BTreeMap<usize, usize> {
    let counts: Value = serde_json::from_str(counts).expect("JSON");
    let mut found = BTreeMap::new();
    for launch in counts["launches"].as_array().expect("launches") {
        let kernel = launch["kernel"].as_str().expect("a name");
        let number =
            kernel.split_once("_region_").and_then(|(_, rest)| rest.split_once("_l")).expect("a region").0;
        *found.entry(number.parse().expect("a number")).or_default() += 1;
    }
    found
}

/// The nests that a variable names, or every so many.
fn wanted(variable: &str, every: usize) -> (String, Vec<PathBuf>) {
    let wanted = env::var(variable).unwrap_or_default();
    let paths = nests::nests(&[]).into_iter().filter(|path| !nests::name(path).starts_with("rejected/"));
    let is_wanted = |(index, path): &(usize, PathBuf)| match wanted.as_str() {
        // With loops of one thread that store what it reads, between those of the team.
        "" => index % every == 0 || nests::name(path) == "data-mining/attention.c",
        "all" => true,
        name => nests::name(path).contains(name),
    };
    let paths = paths.enumerate().filter(is_wanted).map(|(_, path)| path).collect();
    (wanted, paths)
}

/// Cases in a program at most.
const TOGETHER: usize = 12;

/// Copies a program, its input and its output on the emulator into the folder that `NESTS_KEEP` names.
fn keep(name: &str, program: &Path, cases: &[Case], memories: &[Memory]) {
    let Some(folder) = env::var_os("NESTS_KEEP").map(PathBuf::from) else { return };
    let bytes = |memories: &mut dyn Iterator<Item = &Memory>| -> Vec<u8> {
        memories.flat_map(Memory::iter).flat_map(|(.., cells)| cells.bytes.clone()).collect()
    };
    let write = |ending: &str, bytes: Vec<u8>| fs::write(folder.join(format!("{name}.{ending}")), bytes);
    fs::create_dir_all(&folder).expect("a folder");
    fs::copy(program, folder.join(name)).expect("a program that was built");
    write("input", input(cases)).expect("a file");
    write("expected", bytes(&mut memories.iter())).expect("a file");
}

/// What programs wrote on another device, into the folder that `NESTS_RESULTS` names.
fn compare(folder: &Path, test: &str, made: &[Made]) -> usize {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (number, of_group) in made.chunks(TOGETHER).enumerate() {
        let cases: Vec<Case> = of_group.iter().map(|made| made.case.clone()).collect();
        for level in ["-O0", "-O2"] {
            let path = folder.join(format!("{test}-{number}{level}.out"));
            let Ok(bytes) = fs::read(&path) else { continue };
            match output(&cases, &bytes) {
                Err(error) => wrong.push(format!("{}: {error}", path.display())),
                Ok(memories) => {
                    for (made, memory) in of_group.iter().zip(&memories) {
                        compared += 1;
                        if let Some(difference) = difference(&made.original, &made.after, memory) {
                            wrong.push(format!("{} {level}: {difference}\n{}", made.case.label, made.text));
                        }
                    }
                }
            }
        }
    }
    println!("{compared} executions of another device compared");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 0, "{} has no output of {test}", folder.display());
    made.len()
}

/// Executes all on the emulator; the number of regions.
fn execute(test: &str, paths: usize, all: Vec<Result<Made, String>>) -> usize {
    let (made, left): (Vec<_>, Vec<_>) = all.into_iter().partition(Result::is_ok);
    let made: Vec<Made> = made.into_iter().flatten().collect();
    let left: Vec<String> = left.into_iter().filter_map(Result::err).collect();
    let texts: BTreeMap<String, String> =
        made.iter().map(|made| (made.case.label.clone(), made.text.clone())).collect();
    if let Some(folder) = env::var_os("NESTS_RESULTS") {
        return compare(Path::new(&folder), test, &made);
    }
    let cases = made.iter().map(|made| made.case.clone());
    let folder = common::folder(&[]);
    let text = |case: &Case| texts[&case.label].clone();
    let (mut wrong, mut kernels, mut executions) = (Vec::new(), 0, 0);
    for (number, cases) in groups(cases.collect(), TOGETHER).into_iter().enumerate() {
        let of_group = &made[number * TOGETHER..];
        for (level, extra) in [("-O0", &["--trace"][..]), ("-O2", &["--check=race"])] {
            let stem = format!("group{number}{level}");
            let compiler = common::command(folder.path(), &["cc"]);
            if let Err(error) = compiled_by(compiler, &cases, &text, &[level], folder.path(), &stem) {
                wrong.push(format!("{level}: {error}"));
                continue;
            }
            let counts = folder.path().join("counts.json");
            let written = format!("--counts={}", counts.display());
            let program = format!("./{stem}");
            let arguments = [&["run", &written], extra, &[&program]].concat();
            let command: Command = common::command(folder.path(), &arguments);
            match ran_by(command, &cases) {
                Err(error) => {
                    let number = error.split_once("`region_").and_then(|(_, rest)| rest.split_once('`'));
                    let place: Option<usize> = number.and_then(|(number, _)| number.parse().ok());
                    let made = place.and_then(|place| of_group.get(place));
                    let shown =
                        made.map_or(String::new(), |made| format!("{}\n{}", made.case.label, made.text));
                    wrong.push(format!("{level}: {error}\n{shown}"));
                }
                Ok((memories, said)) => {
                    keep(&format!("{test}-{number}{level}"), &folder.path().join(&stem), &cases, &memories);
                    let launched = launches(&fs::read_to_string(&counts).expect("counts"));
                    for (place, memory) in memories.iter().enumerate() {
                        let made = &of_group[place];
                        let label = format!("{} {level}", made.case.label);
                        if let Some(difference) = difference(&made.original, &made.after, memory) {
                            wrong.push(format!("{label}: {difference}\n{}", made.text));
                        }
                        match launched.get(&place) {
                            Some(number) => kernels += number,
                            None => wrong.push(format!("{label} launches nothing\n{}", made.text)),
                        }
                        executions += 1;
                    }
                    let labels: Vec<&str> =
                        of_group.iter().take(TOGETHER).map(|made| made.case.label.as_str()).collect();
                    // One row, to and from the device, is another object in each iteration of a loop that the host executes.
                    let has_rows =
                        |label: &&str| label.starts_with("forms/local_rows.c") && label.ends_with("alone");
                    let moved = moved_twice(&said);
                    if moved.len() > 2 * labels.iter().filter(|label| has_rows(label)).count() {
                        let (moved, among) = (moved.join(", "), labels.join(", "));
                        wrong.push(format!("{level}: {moved}, by some of {among}"));
                    }
                    if extra[0] == "--check=race" && said.trim() != "warpfold: no findings" {
                        wrong.push(said);
                    }
                }
            }
        }
    }
    println!(
        "{paths} nests: {} regions for the device, {executions} executions with {kernels} kernels; {} left as they are:\n{}",
        made.len(),
        left.len(),
        left.join("\n")
    );
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    made.len()
}

#[test]
fn every_nest_runs_on_the_device() {
    let (wanted, paths) = wanted("NESTS", 9);
    let of_nest = |path: &PathBuf| -> Vec<_> {
        let made = |original: Original| original.made(original.label.clone(), &original.region, &machine());
        originals(path).into_iter().map(|original| original.and_then(made)).collect()
    };
    let made =
        execute("nests", paths.len(), nests::in_parallel(&paths, of_nest).into_iter().flatten().collect());
    assert!(!wanted.is_empty() || made >= 20, "{made}");
}

#[test]
fn every_loop_with_a_reduction_is_right_on_the_device() {
    let (wanted, paths) = wanted("FORCED", 24);
    let of_nest = |path: &PathBuf| -> Vec<_> {
        let forced = |original: Result<Original, String>| match original {
            Ok(original) => original.forced(),
            Err(error) => vec![Err(error)],
        };
        originals(path).into_iter().flat_map(forced).collect()
    };
    let made =
        execute("forced", paths.len(), nests::in_parallel(&paths, of_nest).into_iter().flatten().collect());
    assert!(!wanted.is_empty() || made >= 10, "{made}");
}
