//! Tries one input: loads and launches it, and checks the emulator's guarantees.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use cuda_driver::settings::LlvmCompiler;
use ptx_emulator::{
    Engine, HostCompiler, LaneGroupChoice, LaunchConfig, LaunchOptions, LoadError, LoadedModule, Machine,
    MachineDescription, Program,
};
use toolchain::Cache;

use crate::memory;
use crate::random::Random;
use crate::target::Outcome;

/// Bytes that loading may take: for each byte of text, plus a constant.
const LOAD_FACTOR: usize = 96;
const LOAD_BASE: usize = 1 << 20;
/// Bytes that a launch may take in addition to the machine's memory.
const LAUNCH_BYTES: usize = 1 << 30;
/// Device memory of the machines that inputs run on.
const DEVICE_BYTES: u64 = 4 << 20;
/// Time that an input may take, plus a time for each byte: much more than necessary, because the host may be
/// busy.
const TIME: Duration = Duration::from_millis(2000);
const TIME_PER_BYTE: Duration = Duration::from_micros(20);

/// Time that an input may take.
pub fn time(text: &[u8]) -> Duration {
    TIME + TIME_PER_BYTE * text.len() as u32
}

/// Places in the counts of an outcome.
const LAUNCHES: usize = 0;
const FAULTS: usize = 1;
const COMPILED: usize = 2;

/// Tries an input; an error describes the violated guarantee.
pub fn run(text: &[u8], seed: u64) -> Result<Outcome, String> {
    let mut outcome = Outcome::default();
    let (program, bytes) = memory::peak(|| Program::load("input", text));
    outcome.largest = bytes.saturating_sub(LOAD_BASE) as u64 / text.len().max(1) as u64;
    if bytes > LOAD_FACTOR * text.len() + LOAD_BASE {
        return Err(format!("loading {} bytes took {bytes} bytes of memory", text.len()));
    }
    let program = match program {
        Ok(program) => Arc::new(program),
        Err(error) => return check_error(&error, text).map(|()| outcome),
    };
    outcome.passed = true;
    let mut random = Random::new(seed, text.len() as u64);
    let (done, bytes) = memory::peak(|| launch(&program, &mut random, &mut outcome));
    done?;
    if bytes > LAUNCH_BYTES {
        return Err(format!("launches took {bytes} bytes of memory"));
    }
    Ok(outcome)
}

/// Checks that an error has a location in the text and a short message.
fn check_error(error: &LoadError, text: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(text);
    let line = text.split('\n').nth((error.line as usize).wrapping_sub(1));
    let inside = line.is_some_and(|l| (1..=l.len() as u32 + 1).contains(&error.column));
    if !inside {
        return Err(format!("the error's location is not in the text: {error}"));
    }
    let message = &error.message;
    if message.is_empty() || message.chars().count() > 1000 || message.chars().any(char::is_control) {
        return Err(format!("the error's message is not a readable line: {message:?}"));
    }
    Ok(())
}

/// Of so many launches, one runs in both engines: LLVM takes some ten milliseconds for each function.
const ENGINES_EVERY: usize = 300;

/// What compiles kernels for the host; without LLVM nothing is compared.
fn compiler() -> Option<Arc<dyn HostCompiler>> {
    static COMPILER: OnceLock<Option<(Arc<LlvmCompiler>, tempfile::TempDir)>> = OnceLock::new();
    let found = COMPILER.get_or_init(|| {
        let folder = tempfile::tempdir().ok()?;
        let cache = Cache::open_at(folder.path().to_owned()).ok()?;
        Some((Arc::new(LlvmCompiler::find_with(cache).ok()?), folder))
    });
    found.as_ref().map(|(tools, _)| tools.clone() as Arc<dyn HostCompiler>)
}

/// Launches a kernel interpreted and compiled: the reports, or the faults, and the memory must be the same.
fn compare_engines(
    machine: &Machine,
    module: &LoadedModule,
    kernel: &str,
    config: &LaunchConfig,
    params: &[u8],
) -> Result<(), String> {
    let Some(compiler) = compiler() else { return Ok(()) };
    let run = |engine| {
        let mut machine = machine.clone();
        machine.set_compiler(compiler.clone());
        let options = LaunchOptions { step_limit: 600, engine, ..LaunchOptions::default() };
        let result = machine.launch(module, kernel, config, params, &options);
        let told = match result {
            Ok(report) => format!("{:?}", report.counts),
            Err(fault) => fault.to_string(),
        };
        (told, machine.digest())
    };
    let (interpreted, compiled) = (run(Engine::Interpret), run(Engine::Compile));
    if let Some(failure) = module.compilation_failures().first() {
        return Err(format!("not compiled: {failure}"));
    }
    if interpreted == compiled {
        return Ok(());
    }
    let lines = |told: &'_ str| told.split(['\n', ',']).map(str::to_owned).collect::<Vec<_>>();
    let (mine, other) = (lines(&interpreted.0), lines(&compiled.0));
    let line = |all: &[String], at: usize| all.get(at).cloned().unwrap_or_default();
    let count = mine.len().max(other.len());
    match (0..count).find(|&at| line(&mine, at) != line(&other, at)) {
        Some(at) => Err(format!(
            "the engines differ: interpreted `{}`, compiled `{}`",
            line(&mine, at),
            line(&other, at)
        )),
        None => Err("the engines leave different memory".into()),
    }
}

/// Launches the first kernels briefly; some twice, which must have the same result.
fn launch(program: &Arc<Program>, random: &mut Random, outcome: &mut Outcome) -> Result<(), String> {
    let description = MachineDescription { memory_bytes: DEVICE_BYTES, ..MachineDescription::h200() };
    let mut machine = Machine::new(description);
    let buffer = machine.alloc(4096).map_err(|e| e.to_string())?;
    let Ok(module) = machine.load(program) else { return Ok(()) };
    for kernel in program.kernels().take(3) {
        let mut params = vec![0; kernel.param_bytes as usize];
        for p in kernel.params.iter() {
            let value = match p.size {
                8 => (buffer + 512 * random.below(4) as u64).to_le_bytes(),
                _ => (random.below(70) as u64).to_le_bytes(),
            };
            let size = (p.size as usize).min(8);
            params[p.offset as usize..][..size].copy_from_slice(&value[..size]);
        }
        let config = LaunchConfig {
            grid: [1 + random.below(2) as u32, 1, 1],
            block: *random.pick(&[[1, 1, 1], [31, 1, 1], [32, 1, 1], [33, 1, 1], [8, 4, 2], [64, 1, 1]]),
            dynamic_shared: *random.pick(&[0, 0, 16, 1024]),
        };
        let options = LaunchOptions {
            step_limit: 600,
            seed: (!random.one_in(3)).then(|| random.next()),
            switch_every: random.one_in(2).then(|| 1 + random.below(9) as u32),
            groups: if random.one_in(2) { LaneGroupChoice::Any } else { LaneGroupChoice::Lowest },
            reverse_blocks: random.one_in(4),
            ..LaunchOptions::default()
        };
        if random.one_in(ENGINES_EVERY) {
            compare_engines(&machine, &module, &kernel.name, &config, &params)?;
            outcome.counts[COMPILED] += 1;
        }
        let twice = random.one_in(8).then(|| machine.clone());
        let result = machine.launch(&module, &kernel.name, &config, &params, &options);
        outcome.counts[LAUNCHES] += 1;
        if let Err(fault) = &result {
            outcome.counts[FAULTS] += 1;
            let report = fault.to_string();
            let wide = report.lines().any(|line| line.chars().count() > 110);
            if wide || report.lines().count() > 24 || report.contains(|c: char| c.is_control() && c != '\n') {
                return Err(format!("the report is too large or has control characters:\n{report}"));
            }
        }
        if let Some(mut other) = twice
            && other.launch(&module, &kernel.name, &config, &params, &options) != result
        {
            return Err("the same launch had two different results".into());
        }
    }
    Ok(())
}
