//! Builds programs, runs them and compares.

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};

use cuda_driver::settings::LlvmCompiler;
use cust::memory::DeviceBuffer;
use host_rt::Select;
use ptx_emulator::{
    Engine, HostCompiler, LaneGroupChoice, LaunchConfig, LaunchOptions, Machine, MachineDescription,
    Program as Ptx,
};
use tests_gpu::Fixture;
use tests_gpu::fixture::Kernels;
use toolchain::{Cache, Tools};

use crate::ast::Program;
use crate::recorded::Recorded;
use crate::{generate, print, reduce};

/// Optimisation levels of the device's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    /// -O0.
    O0,
    /// -O2.
    O2,
    /// Both.
    Both,
}

/// Where device code runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The emulator; each program's seed says how it schedules, and one in four is compiled for the host.
    Emulator,
    /// The emulator, with every program compiled for the host.
    Compiled,
    /// The GPU, through the real driver.
    Gpu,
}

/// What [`run`] does.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many programs.
    pub programs: u64,
    /// The seed of the first program; the others follow.
    pub seed: u64,
    /// How the device's code is optimised.
    pub levels: Levels,
    /// The architecture; `None` takes sm_90 and, for every fourth batch, sm_70.
    pub sm: Option<u32>,
    /// Whether programs have half and bfloat numbers.
    pub short_floats: bool,
    /// Where device code runs.
    pub target: Target,
    /// Programs that are compiled together.
    pub batch: usize,
    /// Where programs that differ are written, each in a folder of its own.
    pub folder: PathBuf,
    /// Differences after which the run ends.
    pub most_differences: usize,
    /// Where programs on which all runs agree are written for [`crate::replay`].
    pub record: Option<PathBuf>,
}

/// A program whose runs differ.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The seed that the program is generated from.
    pub seed: u64,
    /// Its architecture.
    pub sm: u32,
    /// Which run differs from the host at -O0, and how.
    pub what: String,
    /// The reduced program, all forms of it, and all outputs.
    pub folder: PathBuf,
}

/// What could not be built or loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rejection {
    /// What rejected it: `emulator -O2`.
    pub who: String,
    /// Its message, without lines and columns.
    pub why: String,
}

/// The result of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Programs on which all runs agree.
    pub agreed: u64,
    /// Programs on which they differ.
    pub differences: Vec<Difference>,
    /// Seeds and architectures of programs on which -O0 and -O2 differ on the host, and the device agrees with one of
    /// them: a compiler bug.
    pub compiler_disagrees: Vec<(u64, u32)>,
    /// Programs that were rejected: how many, and the seed and architecture of one of them.
    pub rejected: BTreeMap<Rejection, (u64, u64, u32)>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rejected: u64 = self.rejected.values().map(|(count, ..)| count).sum();
        writeln!(f, "{} agree, {} differ, {rejected} rejected", self.agreed, self.differences.len())?;
        for d in &self.differences {
            writeln!(f, "differs: seed {} (sm_{}): {}", d.seed, d.sm, d.what)?;
            writeln!(f, "  written to {}", d.folder.display())?;
            writeln!(f, "  again: cargo xtask differential --programs 1 --seed {} --sm {}", d.seed, d.sm)?;
        }
        for (seed, sm) in &self.compiler_disagrees {
            writeln!(f, "-O0 and -O2 differ on the host: seed {seed} (sm_{sm})")?;
        }
        for (rejection, (count, seed, sm)) in &self.rejected {
            writeln!(
                f,
                "rejected {count} times (as seed {seed}, sm_{sm}) by {}: {}",
                rejection.who, rejection.why
            )?;
        }
        Ok(())
    }
}

/// Generates, builds, runs and compares; reports progress on standard error.
///
/// # Errors
/// A message, if tools or the device are missing or a file operation fails.
pub fn run(options: &Options) -> Result<Summary, String> {
    let session = Session::new(options)?;
    let mut summary = Summary::default();
    let mut done = 0;
    while done < options.programs && summary.differences.len() < options.most_differences {
        let count = (options.programs - done).min(options.batch.max(1) as u64);
        let first = options.seed.wrapping_add(done);
        let sm = options.sm.unwrap_or(if first / options.batch.max(1) as u64 % 4 == 3 { 70 } else { 90 });
        let dialect = generate::Dialect { sm, short_floats: options.short_floats };
        let programs: Vec<Program> =
            (0..count).map(|n| generate::program(first.wrapping_add(n), dialect)).collect();
        session.batch(&programs, sm, &mut summary)?;
        done += count;
        if options.programs > count {
            let (found, rejected) =
                (summary.differences.len(), summary.rejected.values().map(|r| r.0).sum::<u64>());
            eprintln!("{done} of {} programs: {found} differ, {rejected} rejected", options.programs);
        }
    }
    Ok(summary)
}

/// A compiler level and where the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Run {
    Host(&'static str),
    Device(&'static str),
}

/// The outputs of all threads of one program, or why there are none.
pub type Output = Result<Vec<u8>, String>;

/// A tool or a run failed.
struct Failure {
    who: String,
    why: String,
}

struct Session {
    clang: PathBuf,
    opt: PathBuf,
    llc: PathBuf,
    /// The host's `target` lines of IR.
    target: String,
    scratch: tempfile::TempDir,
    runs: Vec<Run>,
    fixture: Option<Fixture>,
    /// Whether the emulator compiles every program for the host.
    compiled: bool,
    folder: PathBuf,
    record: Option<PathBuf>,
}

/// Options of the host's code generator: fused operations and halves as hardware does them, nothing contracted.
fn host_options() -> &'static [&'static str] {
    if cfg!(target_arch = "x86_64") {
        &["-mfma", "-mf16c", "-ffp-contract=off"]
    } else {
        &["-ffp-contract=off"]
    }
}

impl Session {
    fn new(options: &Options) -> Result<Session, String> {
        let tools = Tools::find().map_err(|error| error.to_string())?;
        let clang = tools.clang().map_err(|error| error.to_string())?.path;
        let program = |name: &str| tools.llvm.dir.join(format!("{name}{}", tools.llvm.suffix));
        let (opt, llc) = (program("opt"), program("llc"));
        let mut runs = vec![Run::Host("-O0"), Run::Host("-O2")];
        if options.levels != Levels::O2 {
            runs.push(Run::Device("-O0"));
        }
        if options.levels != Levels::O0 {
            runs.push(Run::Device("-O2"));
        }
        let fixture = match options.target {
            Target::Emulator | Target::Compiled => None,
            Target::Gpu => {
                let fixture = Fixture::open(Select::Cuda).ok_or("there is no GPU")?;
                fixture.deepen_stacks();
                Some(fixture)
            }
        };
        let scratch = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        let (folder, record) = (options.folder.clone(), options.record.clone());
        let (target, compiled) = (String::new(), options.target == Target::Compiled);
        let mut session =
            Session { clang, opt, llc, target, scratch, runs, fixture, compiled, folder, record };
        session.write("host.c", include_str!("host.c"))?;
        let mut compile = Command::new(&session.clang);
        compile.args(["-O2", "-c", "host.c", "-o", "driver.o"]);
        session.tool(&mut compile).map_err(|why| format!("the host's driver: {why}"))?;
        let mut show = Command::new(&session.clang);
        show.args(["-S", "-emit-llvm", "host.c", "-o", "driver.ll"]);
        session.tool(&mut show).map_err(|why| format!("the host's driver: {why}"))?;
        let path = session.scratch.path().join("driver.ll");
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("target ")).collect();
        session.target = lines.join("\n");
        Ok(session)
    }

    fn write(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        write(&self.scratch.path().join(name), text)
    }

    /// Runs a compiler in the scratch folder.
    fn tool(&self, command: &mut Command) -> Result<(), String> {
        let output = command
            .current_dir(self.scratch.path())
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("{}: {error}", command.get_program().display()))?;
        if output.status.success() {
            return Ok(());
        }
        let words = String::from_utf8_lossy(&output.stderr);
        let first =
            words.lines().find(|line| line.contains("rror")).or(words.lines().next()).unwrap_or_default();
        Err(format!("{}: {first}", output.status))
    }

    fn who(&self, run: Run) -> String {
        match run {
            Run::Host(level) => format!("host {level}"),
            Run::Device(level) if self.fixture.is_some() => format!("GPU {level}"),
            Run::Device(level) => format!("emulator {level}"),
        }
    }

    /// Executes all runs. If one fails, halves the batch until the failing program is found.
    fn batch(&self, programs: &[Program], sm: u32, summary: &mut Summary) -> Result<(), String> {
        match self.outputs(programs, sm, &self.runs) {
            Ok(outputs) => {
                let mut agreed = Vec::new();
                for (n, program) in programs.iter().enumerate() {
                    let of_program: Vec<&Output> = outputs.iter().map(|outputs| &outputs[n]).collect();
                    match self.verdict(&self.runs, &of_program) {
                        None => {
                            summary.agreed += 1;
                            if let Ok(output) = of_program[0] {
                                agreed.push(Recorded::new(n, program.seed, output));
                            }
                        }
                        Some(_) if self.compiler_is_wrong(&of_program) => {
                            summary.compiler_disagrees.push((program.seed, sm));
                        }
                        Some((run, what)) => {
                            let difference = self.difference(program, sm, run, what)?;
                            summary.differences.push(difference);
                        }
                    }
                }
                if let Some(folder) = &self.record {
                    self.write_record(folder, programs, sm, &agreed)?;
                }
            }
            Err(Failure { who, why }) if programs.len() == 1 => {
                let why = without_places(&why);
                let entry =
                    summary.rejected.entry(Rejection { who, why }).or_insert((0, programs[0].seed, sm));
                entry.0 += 1;
                if entry.0 == 1 {
                    self.describe(&programs[0], sm)?;
                }
            }
            Err(_) => {
                let (a, b) = programs.split_at(programs.len() / 2);
                self.batch(a, sm, summary)?;
                self.batch(b, sm, summary)?;
            }
        }
        Ok(())
    }

    /// The outputs of each program, for each run.
    fn outputs(&self, programs: &[Program], sm: u32, runs: &[Run]) -> Result<Vec<Vec<Output>>, Failure> {
        let run = |run: &Run| {
            let outputs = match run {
                Run::Host(level) => self.host(programs, level),
                Run::Device(level) => self.ptx(programs, level, sm).and_then(|ptx| match &self.fixture {
                    None => emulate(&ptx, programs, self.compiled),
                    Some(fixture) => on_gpu(fixture, &ptx, programs),
                }),
            };
            outputs.map_err(|why| Failure { who: self.who(*run), why })
        };
        runs.iter().map(run).collect()
    }

    /// Whether the host's levels disagree, and each device output equals one of the host's.
    fn compiler_is_wrong(&self, outputs: &[&Output]) -> bool {
        let (mut host, mut device) = (Vec::new(), Vec::new());
        for (run, output) in self.runs.iter().zip(outputs) {
            match run {
                Run::Host(_) => host.push(*output),
                Run::Device(_) => device.push(*output),
            }
        }
        let known = |output: &&Output| output.is_ok() && host.contains(output);
        host.iter().any(|output| *output != host[0]) && device.iter().all(known)
    }

    /// The first run whose output differs from that of the first run, and how.
    fn verdict(&self, runs: &[Run], outputs: &[&Output]) -> Option<(Run, String)> {
        for (run, output) in runs.iter().zip(outputs) {
            let what = match (outputs[0], output) {
                (_, Err(why)) => why.clone(),
                (Ok(expected), Ok(found)) if expected != found => {
                    let at = expected.iter().zip(found).position(|(a, b)| a != b).unwrap_or_default();
                    let count = expected.iter().zip(found).filter(|(a, b)| a != b).count();
                    format!(
                        "{count} bytes differ, the first is byte {} of thread {}",
                        at % print::OUT,
                        at / print::OUT
                    )
                }
                _ => continue,
            };
            return Some((*run, format!("{}: {what}", self.who(*run))));
        }
        None
    }

    fn host(&self, programs: &[Program], level: &str) -> Result<Vec<Output>, String> {
        self.write("host.ll", &print::host(programs, &self.target))?;
        let mut compile = Command::new(&self.clang);
        compile.args([level, "-Wno-override-module", "host.ll", "driver.o", "-lm", "-o", "program"]);
        self.tool(compile.args(host_options()))?;
        let input: Vec<u8> = programs.iter().flat_map(|program| generate::input(program.seed)).collect();
        let path = self.scratch.path().join("input");
        fs::write(&path, input).map_err(|error| format!("{}: {error}", path.display()))?;
        let input = File::open(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let program = self.scratch.path().join("program");
        let output = Command::new(&program)
            .stdin(input)
            .output()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let bytes = print::THREADS * print::OUT;
        if !output.status.success() || output.stdout.len() != bytes * programs.len() {
            return Err(format!("the program ended with {}", output.status));
        }
        Ok(output.stdout.chunks(bytes).map(|chunk| Ok(chunk.to_vec())).collect())
    }

    fn ptx(&self, programs: &[Program], level: &str, sm: u32) -> Result<String, String> {
        self.write("device.ll", &print::device(programs))?;
        let version = toolchain::ptx_version(sm).ok_or_else(|| format!("sm_{sm} is not known"))?;
        let machine = [format!("-mcpu=sm_{sm}"), format!("-mattr=+ptx{version}")];
        let mut input = "device.ll";
        if level != "-O0" {
            let mut optimise = Command::new(&self.opt);
            optimise.args([level, "device.ll", "-o", "device.bc"]).args(&machine);
            self.tool(&mut optimise)?;
            input = "device.bc";
        }
        let mut generate = Command::new(&self.llc);
        generate.args([level, input, "-o", "device.ptx"]).args(&machine);
        self.tool(&mut generate)?;
        let path = self.scratch.path().join("device.ptx");
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        // As device code is that this project makes: drivers compile what LLVM makes into wrong code.
        Ok(toolchain::without_narrow_stores(text))
    }

    /// Writes the PTX of programs, and for each level what those that agree have to give.
    fn write_record(
        &self,
        folder: &Path,
        programs: &[Program],
        sm: u32,
        agreed: &[Recorded],
    ) -> Result<(), String> {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for run in &self.runs {
            let Run::Device(level) = run else { continue };
            let path = folder.join(format!("{}-sm{sm}{level}.ptx", programs[0].seed));
            write(&path, &self.ptx(programs, level, sm)?)?;
            let lines: String = agreed.iter().map(|program| format!("{program}\n")).collect();
            write(&path.with_extension("agreed"), &lines)?;
        }
        Ok(())
    }

    /// Writes a program and its PTX to files.
    fn describe(&self, program: &Program, sm: u32) -> Result<PathBuf, String> {
        let folder = self.folder.join(format!("{}-sm{sm}", program.seed));
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let program = std::slice::from_ref(program);
        write(&folder.join("device.ll"), &print::device(program))?;
        write(&folder.join("host.ll"), &print::host(program, &self.target))?;
        for level in ["-O0", "-O2"] {
            if let Ok(ptx) = self.ptx(program, level, sm) {
                write(&folder.join(format!("device{level}.ptx")), &ptx)?;
            }
        }
        Ok(folder)
    }

    /// Reduces a program that differs and writes it with all outputs to files.
    fn difference(&self, program: &Program, sm: u32, run: Run, what: String) -> Result<Difference, String> {
        let runs = if run == self.runs[0] { vec![run] } else { vec![self.runs[0], run] };
        let faults = |program: &Program| {
            let outputs = self.outputs(std::slice::from_ref(program), sm, &runs).ok()?;
            let outputs: Vec<&Output> = outputs.iter().map(|outputs| &outputs[0]).collect();
            let (found, _) = self.verdict(&runs, &outputs)?;
            (found == run).then(|| outputs.iter().any(|output| output.is_err()))
        };
        let kind = faults(program);
        let small = match kind {
            Some(_) => reduce::reduce(program.clone(), 600, &mut |program| faults(program) == kind),
            None => program.clone(),
        };
        let folder = self.describe(&small, sm)?;
        write(&folder.join("original.ll"), &print::device(std::slice::from_ref(program)))?;
        let small = std::slice::from_ref(&small);
        let mut text = format!("{what}\n");
        for run in &self.runs {
            let _ = writeln!(text, "\n{}:", self.who(*run));
            match self.outputs(small, sm, &[*run]) {
                Ok(outputs) => match &outputs[0][0] {
                    Ok(bytes) => text += &table(bytes),
                    Err(why) => text += why,
                },
                Err(failure) => text += &failure.why,
            }
        }
        write(&folder.join("outputs.txt"), &text)?;
        fs::copy(self.scratch.path().join("input"), folder.join("input.bin"))
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Difference { seed: program.seed, sm, what, folder })
    }
}

/// A message without what stands behind colons as a number.
fn without_places(message: &str) -> String {
    let mut parts = message.split(':');
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        text.push(':');
        text += part.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    text
}

/// The words of each thread's output that are not zero in all.
fn table(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (thread, row) in bytes.chunks(print::OUT).enumerate() {
        let _ = write!(text, "thread {thread:2}:");
        for (at, word) in row.chunks(8).enumerate().filter(|(_, word)| word.iter().any(|byte| *byte != 0)) {
            let word = word.iter().rev().fold(0_u64, |value, byte| value << 8 | u64::from(*byte));
            let _ = write!(text, " {}:{word:016x}", at * 8);
        }
        text.push('\n');
    }
    text
}

fn write(path: &Path, text: &str) -> Result<PathBuf, String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path.to_path_buf())
}

/// How a program's seed has it scheduled; what is right under one schedule is right under all.
fn schedule(seed: u64, compiled: bool) -> LaunchOptions {
    let base = LaunchOptions { step_limit: 10_000_000, ..LaunchOptions::default() };
    match seed % 4 {
        _ if compiled => LaunchOptions { engine: Engine::Compile, ..base },
        0 => base,
        1 => LaunchOptions { engine: Engine::Compile, ..base },
        2 => LaunchOptions { seed: Some(seed), groups: LaneGroupChoice::Any, ..base },
        _ => LaunchOptions { seed: Some(seed), switch_every: Some(1), ..base },
    }
}

/// What compiles kernels for the host; without LLVM they are interpreted.
fn compiler() -> Option<Arc<dyn HostCompiler>> {
    static COMPILER: OnceLock<Option<Arc<LlvmCompiler>>> = OnceLock::new();
    let find = || Cache::open().and_then(LlvmCompiler::find_with).map(Arc::new).ok();
    COMPILER.get_or_init(find).clone().map(|compiler| compiler as Arc<dyn HostCompiler>)
}

fn emulate(ptx: &str, programs: &[Program], compiled: bool) -> Result<Vec<Output>, String> {
    let rejected = |error: &dyn std::error::Error| error.to_string();
    let ptx = Ptx::load("device.ptx", ptx.as_bytes()).map_err(|error| error.message)?;
    let mut machine = Machine::new(MachineDescription::h200());
    if let Some(compiler) = compiler() {
        machine.set_compiler(compiler);
    }
    let module = machine.load(&Arc::new(ptx)).map_err(|error| rejected(&error))?;
    let (in_bytes, out_bytes) = (print::THREADS * print::IN, print::THREADS * print::OUT);
    let input = machine.alloc(in_bytes as u64).map_err(|error| rejected(&error))?;
    let output = machine.alloc(out_bytes as u64).map_err(|error| rejected(&error))?;
    let parameters = [input.to_le_bytes(), output.to_le_bytes()].concat();
    let config = LaunchConfig::linear(1, print::THREADS as u32);
    let mut run = |place: usize, program: &Program| -> Output {
        let mut bytes = vec![0; out_bytes];
        machine.write(input, &generate::input(program.seed)).map_err(|error| rejected(&error))?;
        machine.write(output, &bytes).map_err(|error| rejected(&error))?;
        let launch = || {
            let schedule = schedule(program.seed, compiled);
            machine.launch(&module, &print::kernel(place), &config, &parameters, &schedule)
        };
        // A panic of the emulator is a finding like any other.
        catch_unwind(AssertUnwindSafe(launch))
            .map_err(|_| "the emulator panicked".to_string())?
            .map_err(|fault| fault.to_string())?;
        machine.read(output, &mut bytes).map_err(|error| rejected(&error))?;
        match module.compilation_failures().first() {
            Some(failure) => Err(format!("not compiled for the host: {failure}")),
            None => Ok(bytes),
        }
    };
    Ok(programs.iter().enumerate().map(|(place, program)| run(place, program)).collect())
}

/// As [`emulate`], through the driver.
fn on_gpu(fixture: &Fixture, ptx: &str, programs: &[Program]) -> Result<Vec<Output>, String> {
    let kernels = fixture.try_load_ptx(ptx).map_err(|error| error.to_string())?;
    let of = |(place, program): (usize, &Program)| launch(fixture, &kernels, place, program.seed);
    Ok(programs.iter().enumerate().map(of).collect())
}

/// Runs a program of a module through the driver, from its place in the module and its seed.
pub fn launch(fixture: &Fixture, kernels: &Kernels, place: usize, seed: u64) -> Output {
    let input = fixture.upload(&generate::input(seed));
    let output: DeviceBuffer<u8> = fixture.upload(&vec![0; print::THREADS * print::OUT]);
    let words = [input.as_device_ptr().as_raw(), output.as_device_ptr().as_raw()];
    kernels
        .try_run_blocks(&print::kernel(place), 1, print::THREADS as u32, &words)
        .and_then(|()| output.as_host_vec())
        .map_err(|error| error.to_string())
}
