//! `cargo xtask faults`: the planted faults (`tests-gpu/src/faults.rs`) with this project's checks, and OpenMP programs
//! with the tools of others (`tests-gpu/src/peers`), too.

use std::{
    collections::BTreeMap,
    fmt::Write,
    fs,
    path::PathBuf,
    process::ExitCode,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use clap::Parser;
use serde_json::{Value, json};
use tests_gpu::{
    faults::{self, Devices, Language, Program, Variant},
    peers::{Installed, Outcome, PEERS, Peer},
};

/// Planted faults, by this project's checks and by sanitizers and Valgrind on the host
#[derive(Parser)]
#[command(name = "cargo xtask faults")]
struct Arguments {
    /// Only these programs: a part of the name, such as histogram or openmp/
    names: Vec<String>,
    /// The folder of the emulated driver
    #[arg(long, hide = true)]
    driver: PathBuf,
    /// The program that launches kernels
    #[arg(long, hide = true)]
    launcher: PathBuf,
    /// Runs of a program by a tool on the host, until it reports something
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Seconds that a run on the host may take
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    /// Seeds of the emulator, after the run in order
    #[arg(long, value_name = "N", default_value_t = 1)]
    seeds: u32,
    /// Also write the results as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The column of this project's checks.
const OURS: &str = "warpfold";

/// The column of what is documented of compute-sanitizer, which is not run.
const DOCUMENTED: &str = "compute-sanitizer, documented";

/// What was found out about a program.
struct Compared {
    name: String,
    kind: String,
    /// The state space of the memory that the fault is about, by this project's report.
    space: Option<String>,
    /// For each column what the faulty program and the twin showed.
    outcomes: BTreeMap<&'static str, (Outcome, Outcome)>,
}

fn main() -> ExitCode {
    match compare(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("faults: {message}");
            ExitCode::FAILURE
        }
    }
}

fn compare(arguments: &Arguments) -> Result<(), String> {
    let mut programs = faults::programs(&faults::folder())?;
    let names = &arguments.names;
    programs.retain(|program| names.is_empty() || names.iter().any(|name| program.name.contains(name)));
    if programs.is_empty() {
        return Err("no program has such a name".to_owned());
    }
    let installed = Installed::find()?;
    let mut peers = Vec::new();
    for peer in &PEERS {
        match installed.usable(peer) {
            Ok(()) => peers.push(peer),
            Err(why) => println!("{} is left out: {why}", peer.name),
        }
    }
    let devices = Devices { driver: arguments.driver.clone(), launcher: arguments.launcher.clone() };
    let all = Mutex::new(Vec::new());
    let failures = faults::for_each(&programs, |program| {
        let one = compare_one(arguments, &devices, &installed, &peers, program)?;
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(one);
        eprintln!("{} of {} {}", all.len(), programs.len(), program.name);
        Ok(())
    });
    let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    all.sort_by(|a, b| a.name.cmp(&b.name));
    print!("{}", tables(&all, &peers));
    if let Some(path) = &arguments.json {
        let text = format!("{:#}\n", as_json(&all, arguments));
        fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    let wrong = |one: &&Compared| !matches!(&one.outcomes[OURS], (Outcome::Fault, Outcome::Nothing(_)));
    match all.iter().filter(wrong).count() {
        _ if !failures.is_empty() => Err(failures.join("\n")),
        0 => Ok(()),
        count => Err(format!("{count} programs are not judged right by this project's checks")),
    }
}

fn compare_one(
    arguments: &Arguments,
    devices: &Devices,
    installed: &Installed,
    peers: &[&'static Peer],
    program: &Program,
) -> Result<Compared, String> {
    let mut space = None;
    let mut ours = |variant| checked(devices, program, variant, arguments.seeds, &mut space);
    let mut outcomes = BTreeMap::from([(OURS, (ours(Variant::Faulty), ours(Variant::Twin)))]);
    if program.language() == Language::OpenMp {
        let limit = Duration::from_secs(arguments.seconds.into());
        for peer in peers {
            let examine = |variant| installed.examine(peer, program, variant, arguments.runs, limit);
            outcomes.insert(peer.name, (examine(Variant::Faulty), examine(Variant::Twin)));
        }
    }
    let kind = program.fault();
    let documented = match is_documented(&kind, space.as_deref()) {
        true => Outcome::Fault,
        false => Outcome::Nothing(String::new()),
    };
    outcomes.insert(DOCUMENTED, (documented, Outcome::Nothing(String::new())));
    Ok(Compared { name: program.name.clone(), kind, space, outcomes })
}

/// What this project's checks report of a variant, in order and with seeds.
fn checked(
    devices: &Devices,
    program: &Program,
    variant: Variant,
    seeds: u32,
    space: &mut Option<String>,
) -> Outcome {
    let levels = program.levels();
    let built = match faults::build(program, variant, levels[levels.len() - 1]) {
        Ok(built) => built,
        Err(why) => return Outcome::NotRun(why),
    };
    let mut outcome = Outcome::Nothing(String::new());
    for seed in 0..=seeds {
        let observed = match devices.run(program, variant, &built, Some(seed).filter(|&seed| seed > 0)) {
            Ok(observed) => observed,
            Err(why) => return Outcome::NotRun(why),
        };
        let first = observed.reports.first();
        outcome = match (faults::judge(program, variant, &observed), first) {
            (Ok(()), Some(report)) => {
                *space = space.take().or_else(|| space_of(&report.json));
                Outcome::Fault
            }
            (Ok(()), None) => outcome,
            (Err(_), Some(report)) => return Outcome::Other(report.json.clone()),
            (Err(why), None) if variant == Variant::Twin => return Outcome::NotRun(why),
            (Err(why), None) => return Outcome::Nothing(why),
        };
    }
    outcome
}

/// The state space of the memory that a report is about. That of an undefined value is where it was read: the report
/// names the memory that it got to.
fn space_of(report: &str) -> Option<String> {
    let report: Value = serde_json::from_str(report).ok()?;
    let spaces = ["global", "shared", "local"];
    let named = |text: &str, form: fn(&str) -> String| {
        spaces.into_iter().find(|space| text.contains(&form(space))).map(str::to_owned)
    };
    let mut sides = report["sides"].as_array().into_iter().flatten();
    let read = sides.find(|side| side["access"] == "read");
    if let (Some("uninitialised"), Some(side)) = (report["kind"].as_str(), read) {
        return named(side["place"]["text"].as_str()?, |space| format!(".{space}"));
    }
    let of_report = report["space"].as_str().map(str::to_owned);
    of_report.or_else(|| named(report["message"].as_str()?, |space| format!("{space} memory")))
}

/// Whether compute-sanitizer is documented to report faults of a kind in a state space (Compute Sanitizer 2026.3, the
/// sections of its tools and the known limitations).
fn is_documented(kind: &str, space: Option<&str>) -> bool {
    match kind {
        // Racecheck sees shared memory only.
        "data-race" => space == Some("shared"),
        // Initcheck sees global memory and, with --initcheck-address-space, shared memory. Where a generic address is read,
        // it is taken to be of these.
        "uninitialised" => space != Some("local"),
        // Memcheck, whose precision for global memory depends on --padding.
        "misaligned" | "out-of-bounds" | "use-after-free" => true,
        // Synccheck.
        "barrier" => true,
        // Racecheck finds those of cuda::barrier only; no tool reports other deadlocks, livelocks, and lanes that take no
        // part in a shuffle.
        _ => false,
    }
}

/// A table of programs and one of counts.
fn tables(all: &[Compared], peers: &[&'static Peer]) -> String {
    let columns: Vec<&str> = [OURS].into_iter().chain(peers.iter().map(|peer| peer.name)).collect();
    let mut out = String::new();
    for one in all {
        let space = one.space.as_deref().map(|space| format!(", {space} memory")).unwrap_or_default();
        let _ = writeln!(out, "{}: {}{space}", one.name, one.kind);
        for column in columns.iter().filter(|&column| one.outcomes.contains_key(column)) {
            let (faulty, twin) = &one.outcomes[column];
            let (word, note) = words(faulty);
            let _ = write!(out, "  {column:16} {word}{note}");
            let (word, note) = words(twin);
            let _ = if word == "nothing" && note.is_empty() {
                writeln!(out)
            } else {
                writeln!(out, "; the twin: {word}{note}")
            };
        }
    }
    let _ = writeln!(
        out,
        "\nFaults reported at their lines, of the programs that could be run; in parentheses twins that were reported:"
    );
    for (language, openmp) in [("OpenMP", true), ("kernels", false)] {
        for kind in faults::KINDS.map(Some).into_iter().chain([None]) {
            let is_counted = |one: &&Compared| {
                one.name.starts_with("openmp/") == openmp && kind.is_none_or(|kind| one.kind == kind)
            };
            let these: Vec<_> = all.iter().filter(is_counted).collect();
            if !these.is_empty() {
                let _ = write!(out, "{language}, {}: {} programs", kind.unwrap_or("all kinds"), these.len());
                counts(&mut out, &these, &columns, peers);
            }
        }
    }
    out
}

/// For each column of how many programs it reported the fault.
fn counts(out: &mut String, these: &[&Compared], columns: &[&'static str], peers: &[&'static Peer]) {
    for column in columns.iter().chain([&DOCUMENTED]) {
        let outcomes = these.iter().filter_map(|one| one.outcomes.get(column));
        let ran: Vec<_> = outcomes.filter(|(faulty, _)| !matches!(faulty, Outcome::NotRun(_))).collect();
        if !ran.is_empty() {
            let found = ran.iter().filter(|(faulty, _)| *faulty == Outcome::Fault).count();
            let _ = write!(out, "; {column} {found}/{}", ran.len());
            let alarms = ran.iter().filter(|(_, twin)| matches!(twin, Outcome::Other(_))).count();
            let _ = if alarms > 0 { write!(out, " ({alarms})") } else { Ok(()) };
        }
    }
    let by_any = these.iter().filter(|one| {
        peers.iter().any(|peer| matches!(one.outcomes.get(peer.name), Some((Outcome::Fault, _))))
    });
    let _ = writeln!(out, "; any of the others {}", by_any.count());
}

fn words(outcome: &Outcome) -> (&'static str, String) {
    let note = |text: &str| if text.is_empty() { String::new() } else { format!(" ({text})") };
    match outcome {
        Outcome::Fault => ("the fault", String::new()),
        Outcome::Other(what) => ("something else", note(what)),
        Outcome::Nothing(how) => ("nothing", note(how)),
        Outcome::NotRun(why) => ("not run", note(why)),
    }
}

fn as_json(all: &[Compared], arguments: &Arguments) -> Value {
    let outcome = |outcome: &Outcome| {
        let (word, note) = words(outcome);
        json!({ "outcome": word, "note": note.trim() })
    };
    let programs = all.iter().map(|one| {
        let outcomes: serde_json::Map<_, _> = one
            .outcomes
            .iter()
            .map(|(column, (faulty, twin))| {
                ((*column).to_owned(), json!({ "faulty": outcome(faulty), "twin": outcome(twin) }))
            })
            .collect();
        json!({ "program": one.name, "kind": one.kind, "space": one.space, "tools": outcomes })
    });
    json!({ "runs": arguments.runs, "seeds": arguments.seeds, "programs": programs.collect::<Vec<_>>() })
}
