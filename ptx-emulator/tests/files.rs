//! Runs the PTX files of `tests/ptx` as the comments in them say.
//!
//! Lines that start with `//!` are read, in order:
//! ```text
//! //! note …                                     read by people
//! //! refuse TEXT & TEXT…                        loading must fail and say each TEXT
//! //! run KERNEL grid=2,1,1 block=64 shared=0    starts a run; grid and block may have one to three numbers
//! //! in NAME TYPE VALUE… | VALUE*COUNT | iota*COUNT      allocates and fills a buffer
//! //! arg NAME | TYPE VALUE                      the next kernel parameter
//! //! out NAME TYPE VALUE…                       what the buffer must hold afterwards
//! //! count NAME VALUE                           an exact count of the run in order
//! //! fault TEXT & TEXT…                         the run must fault and say each TEXT
//! //! only SCHEDULE                              the run holds for one schedule only: `in-order`
//! ```
//! Every run is repeated under several schedules and must leave the same memory under each.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use ptx_emulator::{Fault, GroupChoice, LaunchConfig, LaunchOptions, Machine, MachineDescription, Program};

/// The schedules each run is repeated under; the first is the one whose counts are compared.
fn schedules() -> Vec<(&'static str, LaunchOptions)> {
    let base = LaunchOptions { step_limit: 20_000_000, ..LaunchOptions::default() };
    let any = GroupChoice::Any;
    vec![
        ("in-order", base.clone()),
        ("reversed", LaunchOptions { reverse_blocks: true, resident_blocks: Some(3), ..base.clone() }),
        ("switching", LaunchOptions { switch_every: Some(1), ..base.clone() }),
        ("seed 1", LaunchOptions { seed: Some(1), switch_every: Some(7), ..base.clone() }),
        (
            "seed 2, any group",
            LaunchOptions { seed: Some(2), switch_every: Some(1), groups: any, ..base.clone() },
        ),
        ("seed 3, any group", LaunchOptions { seed: Some(3), groups: any, ..base.clone() }),
        ("2 jobs", LaunchOptions { jobs: 2, ..base.clone() }),
        ("5 jobs, switching", LaunchOptions { jobs: 5, switch_every: Some(1), ..base }),
    ]
}

#[derive(Default)]
struct Run {
    line: usize,
    kernel: String,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    buffers: Vec<(String, Vec<u8>)>,
    args: Vec<Arg>,
    outs: Vec<(String, Vec<u8>, String)>,
    counts: Vec<(String, u64)>,
    fault: Option<String>,
    in_order_only: bool,
}

enum Arg {
    Buffer(String),
    Bytes(Vec<u8>),
}

fn value(ty: &str, text: &str) -> Vec<u8> {
    let int = |text: &str| -> i128 {
        match text.strip_prefix("0x") {
            Some(hex) => i128::from_str_radix(hex, 16).unwrap_or_else(|e| panic!("{text}: {e}")),
            None => text.parse().unwrap_or_else(|e| panic!("{text}: {e}")),
        }
    };
    match ty {
        "u8" | "i8" => vec![int(text) as u8],
        "u16" | "i16" => (int(text) as u16).to_le_bytes().into(),
        "u32" | "i32" => (int(text) as u32).to_le_bytes().into(),
        "u64" | "i64" => (int(text) as u64).to_le_bytes().into(),
        "f32" => text.parse::<f32>().expect("a float").to_le_bytes().into(),
        "f64" => text.parse::<f64>().expect("a float").to_le_bytes().into(),
        _ => panic!("unknown type {ty}"),
    }
}

fn values(ty: &str, words: &[&str]) -> Vec<u8> {
    let mut out = Vec::new();
    for word in words {
        match word.split_once('*') {
            Some(("iota", count)) => {
                (0..count.parse::<u32>().expect("a count"))
                    .for_each(|n| out.extend(value(ty, &n.to_string())));
            }
            Some((v, count)) => {
                (0..count.parse::<u32>().expect("a count")).for_each(|_| out.extend(value(ty, v)));
            }
            None => out.extend(value(ty, word)),
        }
    }
    out
}

fn extent(text: &str) -> [u32; 3] {
    let mut out = [1; 3];
    for (to, n) in out.iter_mut().zip(text.split(',')) {
        *to = n.parse().expect("an extent");
    }
    out
}

/// The runs a file asks for, and the refusal it expects.
fn read(text: &str) -> (Vec<Run>, Option<String>) {
    let (mut runs, mut refusal) = (Vec::new(), None);
    for (number, line) in text.lines().enumerate() {
        let Some(rest) = line.trim().strip_prefix("//!") else { continue };
        let words: Vec<&str> = rest.split_whitespace().collect();
        if words[0] == "note" {
            continue;
        }
        if words[0] == "refuse" {
            refusal = Some(words[1..].join(" "));
            continue;
        }
        if words[0] == "run" {
            let mut run = Run {
                line: number + 1,
                kernel: words[1].into(),
                grid: [1; 3],
                block: [1; 3],
                ..Run::default()
            };
            for word in &words[2..] {
                match word.split_once('=') {
                    Some(("grid", v)) => run.grid = extent(v),
                    Some(("block", v)) => run.block = extent(v),
                    Some(("shared", v)) => run.shared = v.parse().expect("bytes"),
                    _ => panic!("line {}: {word}", number + 1),
                }
            }
            runs.push(run);
            continue;
        }
        let run = runs.last_mut().expect("`run` comes first");
        match words[0] {
            "in" => run.buffers.push((words[1].into(), values(words[2], &words[3..]))),
            "arg" if words.len() == 2 => run.args.push(Arg::Buffer(words[1].into())),
            "arg" => run.args.push(Arg::Bytes(values(words[1], &words[2..]))),
            "out" => run.outs.push((words[1].into(), values(words[2], &words[3..]), words[2].into())),
            "count" => run.counts.push((words[1].into(), words[2].parse().expect("a count"))),
            "fault" => run.fault = Some(words[1..].join(" ")),
            "only" => run.in_order_only = true,
            other => panic!("line {}: {other}", number + 1),
        }
    }
    (runs, refusal)
}

/// Whether a message contains all parts of an expectation, wherever its lines break.
fn says(message: &str, wanted: &str) -> bool {
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    wanted.split(" & ").all(|part| message.contains(part.trim()))
}

fn show(bytes: &[u8], ty: &str) -> Vec<String> {
    let size = value(ty, "0").len();
    let one = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..size].copy_from_slice(chunk);
        let n = u64::from_le_bytes(word);
        match ty {
            "f32" => f32::from_bits(n as u32).to_string(),
            "f64" => f64::from_bits(n).to_string(),
            "i32" => (n as i32).to_string(),
            "i64" => (n as i64).to_string(),
            _ => n.to_string(),
        }
    };
    bytes.chunks(size).map(one).collect()
}

/// Runs once; complaints go to `problems`.
fn execute(
    program: &Arc<Program>,
    run: &Run,
    name: &str,
    options: &LaunchOptions,
    counts: bool,
    problems: &mut String,
) {
    let mut machine = Machine::new(MachineDescription { sm: 120, ..MachineDescription::h200() });
    let module = machine.load(program).expect("the program fits");
    let mut addresses = HashMap::new();
    for (name, bytes) in &run.buffers {
        let address = machine.alloc(bytes.len() as u64).expect("memory");
        machine.write(address, bytes).expect("the buffer exists");
        addresses.insert(name.as_str(), address);
    }
    let kernel = program.kernel(&run.kernel).unwrap_or_else(|| panic!("no kernel {}", run.kernel));
    let mut params = vec![0; kernel.param_bytes as usize];
    for (param, arg) in kernel.params.iter().zip(&run.args) {
        let bytes = match arg {
            Arg::Buffer(name) => addresses[name.as_str()].to_le_bytes().to_vec(),
            Arg::Bytes(bytes) => bytes.clone(),
        };
        let at = param.offset as usize;
        params[at..at + bytes.len()].copy_from_slice(&bytes);
    }
    let config = LaunchConfig { grid: run.grid, block: run.block, dynamic_shared: run.shared };
    let result = machine.launch(&module, &run.kernel, &config, &params, options);
    let place = format!("run at line {} ({name})", run.line);
    match (&result, &run.fault) {
        (Err(fault), None) => {
            let _ = writeln!(problems, "{place}: {fault}");
            return;
        }
        (Ok(_), Some(text)) => {
            let _ = writeln!(problems, "{place}: no fault; expected {text}");
        }
        (Err(fault), Some(text)) => {
            let said = fault.to_string();
            let kind = fault.kind.name();
            // What is before the colon is the kind, if it is one word.
            let (wanted, text) = match text.split_once(": ") {
                Some((wanted, text)) if !wanted.contains(' ') => (wanted, text),
                _ => (kind, &text[..]),
            };
            if !says(&said, text) || wanted != kind {
                let _ = writeln!(problems, "{place}: expected a fault that says {text}, got {kind}:\n{said}");
            }
            one_screen(fault, problems);
        }
        (Ok(report), None) if counts => {
            for (name, want) in &run.counts {
                let have = report.counts.named().into_iter().find(|c| c.0 == name).expect("a count").1;
                if have != *want {
                    let _ = writeln!(problems, "{place}: {name} is {have}, expected {want}");
                }
            }
        }
        _ => {}
    }
    for (name, want, ty) in &run.outs {
        let mut have = vec![0; want.len()];
        machine.read(addresses[name.as_str()], &mut have).expect("the buffer is as long as expected");
        if have != *want {
            let (have, want) = (show(&have, ty), show(want, ty));
            for (i, (have, want)) in
                have.iter().zip(&want).enumerate().filter(|(_, (have, want))| have != want)
            {
                let _ = writeln!(problems, "{place}: {name}[{i}] is {have}, expected {want}");
            }
        }
    }
}

fn one_screen(fault: &Fault, problems: &mut String) {
    let text = fault.to_string();
    if text.lines().count() > 24 || text.lines().any(|l| l.chars().count() > 110) {
        let _ = writeln!(problems, "the fault takes more than a screen:\n{text}");
    }
}

#[test]
fn files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx");
    let only = std::env::var("PTX_FILE").ok();
    let mut problems = String::new();
    let mut runs_done = 0;
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the folder exists").map(|e| e.expect("readable").path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if only.as_ref().is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("readable");
        let (runs, refusal) = read(&text);
        let mut here = String::new();
        match (Program::load(&name, text.as_bytes()), refusal) {
            (Err(e), Some(text)) => {
                if !says(&e.to_string(), &text) {
                    let _ = writeln!(here, "refused as {e}, expected {text}");
                }
                runs_done += 1;
            }
            (Err(e), None) => {
                let _ = writeln!(here, "refused: {e}");
            }
            (Ok(_), Some(_)) => here.push_str("was not refused\n"),
            (Ok(program), None) => {
                let program = Arc::new(program);
                for run in &runs {
                    for (i, (schedule, options)) in schedules().iter().enumerate() {
                        if i == 0 || !run.in_order_only {
                            execute(&program, run, schedule, options, i == 0, &mut here);
                            runs_done += 1;
                        }
                    }
                }
            }
        }
        if !here.is_empty() {
            let _ = writeln!(problems, "---- {name}\n{here}");
        }
    }
    assert!(problems.is_empty(), "\n{problems}");
    assert!(runs_done > 0, "no file was run");
}
