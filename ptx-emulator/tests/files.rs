//! Runs the PTX files of `tests/ptx` as the comments in them define.
//!
//! The format of the comments is described in `expectations`.
//! Every run is repeated under several schedules and must leave the same memory under each.

mod compiler;
mod expectations;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use expectations::{Arg, Run, read, show};
use ptx_emulator::{
    Engine, Fault, LaneGroupChoice, LaunchConfig, LaunchOptions, Machine, MachineDescription, Program,
};

/// The schedules each run is repeated under; the first is the one whose counts are compared.
fn schedules() -> Vec<(&'static str, LaunchOptions)> {
    let base = LaunchOptions { step_limit: 20_000_000, ..LaunchOptions::default() };
    let any = LaneGroupChoice::Any;
    vec![
        ("in-order", base.clone()),
        ("compiled", LaunchOptions { engine: Engine::Compile, ..base.clone() }),
        ("without shortcuts", LaunchOptions { shortcuts: false, ..base.clone() }),
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

/// Whether a message contains all parts of an expectation, with any line breaks.
fn contains_all(message: &str, wanted: &str) -> bool {
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    wanted.split(" & ").all(|part| message.contains(part.trim()))
}

/// Runs once; what differs from the expectations goes to `problems`.
fn execute(
    program: &Arc<Program>,
    run: &Run,
    name: &str,
    options: &LaunchOptions,
    counts: bool,
    problems: &mut String,
) {
    let mut machine = Machine::new(MachineDescription { sm: 120, ..MachineDescription::h200() });
    if let Some(compiler) = compiler::compiler() {
        machine.set_compiler(compiler);
    }
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
    for failure in module.compilation_failures() {
        let _ = writeln!(problems, "not compiled: {failure}");
    }
    let run_name = format!("run at line {} ({name})", run.line);
    match (&result, &run.fault) {
        (Err(fault), None) => {
            let _ = writeln!(problems, "{run_name}: {fault}");
            return;
        }
        (Ok(_), Some(text)) => {
            let _ = writeln!(problems, "{run_name}: no fault; expected {text}");
        }
        (Err(fault), Some(text)) => {
            let said = fault.to_string();
            let kind = fault.kind.name();
            // What is before the colon is the kind, if it is one word.
            let (wanted, text) = match text.split_once(": ") {
                Some((wanted, text)) if !wanted.contains(' ') => (wanted, text),
                _ => (kind, &text[..]),
            };
            if !contains_all(&said, text) || wanted != kind {
                let _ = writeln!(
                    problems,
                    "{run_name}: expected a fault that contains {text}, got {kind}:\n{said}"
                );
            }
            one_screen(fault, problems);
        }
        (Ok(report), None) if counts => {
            for (name, want) in &run.counts {
                let have = report.counts.named().into_iter().find(|c| c.0 == name).expect("a count").1;
                if have != *want {
                    let _ = writeln!(problems, "{run_name}: {name} is {have}, expected {want}");
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
                let _ = writeln!(problems, "{run_name}: {name}[{i}] is {have}, expected {want}");
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
        let (runs, load_error) = read(&text);
        let mut here = String::new();
        match (Program::load(&name, text.as_bytes()), load_error) {
            (Err(e), Some(text)) => {
                if !contains_all(&e.to_string(), &text) {
                    let _ = writeln!(here, "rejected with {e}, expected {text}");
                }
                runs_done += 1;
            }
            (Err(e), None) => {
                let _ = writeln!(here, "rejected: {e}");
            }
            (Ok(_), Some(_)) => here.push_str("was not rejected\n"),
            (Ok(program), None) => {
                let program = Arc::new(program);
                for run in &runs {
                    for (i, (schedule, options)) in schedules().iter().enumerate() {
                        if i < 3 || !run.in_order_only {
                            // The first three execute the same steps.
                            execute(&program, run, schedule, options, i < 3, &mut here);
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
