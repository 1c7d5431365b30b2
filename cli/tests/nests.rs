//! The nests of `loop-compiler/tests/nests` for a device: what `--target gpu` makes of each runs on the emulator, gives what
//! the interpreter gives, launches kernels, and moves no array twice.
//!
//! A part of the nests by default, without optimisation and with, and under the race check. `NESTS=all` takes all of them,
//! `NESTS=NAME` those whose path has the name, and says more.

mod common;
#[allow(dead_code)]
#[path = "../../loop-compiler/tests/common/executed.rs"]
mod executed;
#[allow(dead_code)]
#[path = "../../loop-compiler/tests/common/mod.rs"]
mod nests;

use std::{collections::BTreeMap, env, path::Path, process::Command};

use executed::{Case, compiled_by, difference, groups, ran_by};
use loop_compiler::{
    Options,
    interpret::{self, Memory},
    parallelize::{Device, GPU, Machine, parallelize},
    report::FloatOrder,
    tree::Region,
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

/// Each region of a nest, or why there is none.
fn of_nest(path: &Path) -> Vec<Result<Made, String>> {
    let file = nests::read(path, &DEFINITIONS).expect("clang reads it");
    let regions = file.regions.into_iter().filter_map(|region| region.tree.ok());
    let made = regions.map(|mut region| {
        let label = format!("{}:{}", nests::name(path), region.at.line);
        region.variables.iter_mut().for_each(|variable| variable.declared_type.clear());
        let failed = |error: String| format!("{label}: {}", error.replace('\n', " "));
        let options = interpret::Options { steps: 20_000_000, ..interpret::Options::default() };
        let memory =
            nests::filled_memory(&region, SIZE, &options).map_err(|error| failed(error.to_string()))?;
        let mut after = memory.clone();
        interpret::run(&region, &mut after, &options).map_err(|error| failed(error.to_string()))?;
        let analysis = Options { time: std::time::Duration::from_secs(120), ..Options::default() };
        let made = parallelize(&region, FloatOrder::Free, &machine(), &analysis);
        let made = made.map_err(|error| failed(error.to_string()))?;
        let text = made.text(&region, None).ok_or_else(|| failed("no loop is parallel".into()))?;
        Ok(Made { case: Case { label, region: region.clone(), memory }, original: region, text, after })
    });
    made.collect()
}

/// Arrays that were moved in one direction more than once.
fn moved_twice(trace: &str) -> Vec<String> {
    let mut moved: BTreeMap<(bool, &str), u32> = BTreeMap::new();
    let calls = trace.lines().filter_map(|line| line.strip_prefix("warpfold driver: cuMemcpy"));
    for call in calls {
        let to_device = call.starts_with("HtoD");
        let field = |name: &str| {
            call.split(['(', ',', ')', ' ']).find_map(|part| part.strip_prefix(name)?.strip_prefix('='))
        };
        let host = if to_device { field("from") } else { field("to") };
        let bytes: u64 = field("bytes").and_then(|bytes| bytes.parse().ok()).expect("a number of bytes");
        // Scalars belong to the host.
        if bytes > 16 {
            *moved.entry((to_device, host.expect("an address"))).or_default() += 1;
        }
    }
    let twice = moved.into_iter().filter(|(_, count)| *count > 1);
    twice.map(|((to_device, at), count)| format!("{at} ({to_device}): {count} times")).collect()
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

#[test]
fn every_nest_runs_on_the_device() {
    let wanted = env::var("NESTS").unwrap_or_default();
    let paths: Vec<_> = nests::nests(&[])
        .into_iter()
        .filter(|path| !nests::name(path).starts_with("rejected/"))
        .enumerate()
        .filter(|(index, path)| match wanted.as_str() {
            "" => index % 9 == 0,
            "all" => true,
            name => nests::name(path).contains(name),
        })
        .map(|(_, path)| path)
        .collect();
    let made = nests::in_parallel(&paths, |path| of_nest(path)).into_iter().flatten();
    let (made, left): (Vec<_>, Vec<_>) = made.partition(Result::is_ok);
    let made: Vec<Made> = made.into_iter().flatten().collect();
    let left: Vec<String> = left.into_iter().filter_map(Result::err).collect();
    let texts: BTreeMap<String, String> =
        made.iter().map(|made| (made.case.label.clone(), made.text.clone())).collect();
    let cases = made.iter().map(|made| Case {
        label: made.case.label.clone(),
        region: made.case.region.clone(),
        memory: made.case.memory.clone(),
    });
    let folder = common::folder(&[]);
    let text = |case: &Case| texts[&case.label].clone();
    let (mut wrong, mut kernels, mut executions) = (Vec::new(), 0, 0);
    for (number, cases) in groups(cases.collect(), 12).into_iter().enumerate() {
        let of_group = &made[number * 12..];
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
                Err(error) => wrong.push(format!("{level}: {error}")),
                Ok((memories, said)) => {
                    let launched = launches(&std::fs::read_to_string(&counts).expect("counts"));
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
                    wrong.extend(moved_twice(&said).into_iter().map(|moved| format!("{level}: {moved}")));
                    if extra[0] == "--check=race" && said.trim() != "warpfold: no findings" {
                        wrong.push(said);
                    }
                }
            }
        }
    }
    println!(
        "{} nests: {} regions for the device, {executions} executions with {kernels} kernels; {} left as they are:\n{}",
        paths.len(),
        made.len(),
        left.len(),
        left.join("\n")
    );
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(!wanted.is_empty() || made.len() >= 20, "{}", made.len());
}
