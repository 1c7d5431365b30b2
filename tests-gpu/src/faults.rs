//! The planted faults: the programs of `tests-gpu/faults`, each with one known fault and a correct twin.
//!
//! A program is a file in C, C++, Fortran (OpenMP), Rust or PTX (kernels). A line that ends in `//faulty` is only in the
//! faulty program; a line that begins with `//fixed: ` is, without that prefix, only in the twin. A line that takes
//! part in the fault ends in `//~`, before `//faulty` if it has both: a check must report the fault, and every report
//! must have the fault's kind and name these lines only. For the twin a check must report nothing. Fortran writes
//! `!faulty`, `!fixed: ` and `!~`.
//!
//! Directives are comments at the top of the file, in Fortran `!! ` instead of `//! `:
//!
//! | directive | meaning |
//! |---|---|
//! | `fault KIND` | the kind of the fault, one of [`KINDS`] |
//! | `note TEXT` | what is wrong, and what the twin does instead |
//! | `options W…` | OpenMP: further options of the compiler |
//! | `environment NAME=VALUE…` | environment variables |
//! | `kernel NAME` | kernels: the kernel of the launches that follow; needed only if there are several |
//! | `stream N` | kernels: the stream of the launches that follow; 0, the default stream, if not given. Other streams do not wait for the default stream |
//! | `launch GRID BLOCK [SHARED]` | kernels: a launch: blocks, threads of a block, bytes of dynamic shared memory |
//! | `synchronise` | kernels: the host waits for all launches |
//! | `argument words N` | kernels: a buffer of N u32, which hold 0, 1, 2, … |
//! | `argument zeros N` | kernels: a buffer of N u32, which hold 0 |
//! | `argument undefined N` | kernels: a buffer of N u32 that nobody wrote |
//! | `argument freed N` | kernels: a buffer of N u32 that was freed before the first launch |
//! | `argument u32 V` | kernels: a number |
//! | `prints V…` | kernels: the first words of the first argument, a buffer, after the twin has run |
//!
//! All launches have the same arguments.

use std::{
    fmt::{self, Write},
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use device_library::RUNTIME;
use serde_json::Value;
use toolchain::{DeviceCrate, Input, OptLevel, PtxBuild, Tools};

use crate::offload::{self, Mode, RunResult};

/// The kinds of fault.
pub const KINDS: [&str; 9] = [
    "barrier",
    "data-race",
    "deadlock",
    "livelock",
    "misaligned",
    "out-of-bounds",
    "undefined-lane",
    "uninitialised",
    "use-after-free",
];

/// The root of a crate of kernels.
const ROOT: &str = "src/lib.rs";

/// The time limit of a run.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Warp instructions of a launch: many times what any of the programs needs, and few enough that one that never ends
/// ends soon.
const STEP_LIMIT: &str = "20000000";

/// The language of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// OpenMP in C, C++ or Fortran, as the file's extension says.
    OpenMp,
    /// Kernels in Rust.
    Rust,
    /// Kernels in PTX.
    Ptx,
}

/// The two programs that a file contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// With the fault.
    Faulty,
    /// Without.
    Twin,
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Variant::Faulty => "faulty",
            Variant::Twin => "twin",
        })
    }
}

/// What the host does, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostStep {
    /// Launches a kernel.
    Launch {
        /// Its name, unless there is only one.
        kernel: Option<String>,
        /// The stream; 0 is the default stream.
        stream: u32,
        /// The number of blocks.
        blocks: u32,
        /// The number of threads of a block.
        threads: u32,
        /// Bytes of dynamic shared memory.
        shared: u32,
    },
    /// Waits for all launches.
    Synchronise,
}

/// An argument of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A buffer that holds 0, 1, 2, …
    Words(u32),
    /// A buffer that holds zeros.
    Zeros(u32),
    /// A buffer that nobody wrote.
    Undefined(u32),
    /// A buffer that was freed.
    Freed(u32),
    /// A number.
    Number(u32),
}

/// The directives of a variant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directives {
    /// The kind of the fault.
    pub fault: Option<String>,
    /// What is wrong.
    pub note: Option<String>,
    /// Options of the compiler.
    pub options: Vec<String>,
    /// Environment variables.
    pub environment: Vec<(String, String)>,
    /// Launches and waits.
    pub steps: Vec<HostStep>,
    /// The kernels' arguments.
    pub arguments: Vec<Argument>,
    /// The first words of the first argument.
    pub prints: Vec<u32>,
}

impl Directives {
    /// Reads the directives of the text of a variant.
    ///
    /// # Errors
    ///
    /// A message with an invalid directive.
    pub fn read(text: &str, fortran: bool) -> Result<Directives, String> {
        let (comment, mark) = if fortran { ("!", "!! ") } else { ("//", "//! ") };
        let mut directives = Directives::default();
        let (mut kernel, mut stream) = (None, 0);
        // A line that is not in this variant is empty.
        let top = text.lines().take_while(|line| line.is_empty() || line.starts_with(comment));
        for directive in top.filter_map(|line| line.strip_prefix(mark)).map(str::trim_end) {
            directives
                .apply(directive, &mut kernel, &mut stream)
                .map_err(|why| format!("`{directive}`: {why}"))?;
        }
        Ok(directives)
    }

    fn apply(
        &mut self,
        directive: &str,
        kernel: &mut Option<String>,
        stream: &mut u32,
    ) -> Result<(), String> {
        let (word, rest) = directive.split_once(' ').unwrap_or((directive, ""));
        match word {
            "fault" if self.fault.is_some() => return Err("a program has one fault".to_owned()),
            "fault" if KINDS.contains(&rest) => self.fault = Some(rest.to_owned()),
            "fault" => return Err(format!("the kinds are {}", KINDS.join(", "))),
            "note" => self.note = Some(rest.to_owned()),
            "options" => self.options.extend(rest.split_whitespace().map(String::from)),
            "environment" => {
                for setting in rest.split_whitespace() {
                    let (name, value) = setting.split_once('=').ok_or("a variable has a value")?;
                    self.environment.push((name.to_owned(), value.to_owned()));
                }
            }
            "kernel" => *kernel = Some(rest.to_owned()),
            "stream" => *stream = number(rest)?,
            "launch" => {
                let numbers = numbers(rest)?;
                let (blocks, threads, shared) = match numbers[..] {
                    [blocks, threads] => (blocks, threads, 0),
                    [blocks, threads, shared] => (blocks, threads, shared),
                    _ => return Err("a launch has two or three numbers".to_owned()),
                };
                let kernel = kernel.clone();
                self.steps.push(HostStep::Launch { kernel, stream: *stream, blocks, threads, shared });
            }
            "synchronise" => self.steps.push(HostStep::Synchronise),
            "argument" => {
                let (what, value) = rest.split_once(' ').ok_or("an argument has a kind and a number")?;
                let value = number(value)?;
                self.arguments.push(match what {
                    "words" => Argument::Words(value),
                    "zeros" => Argument::Zeros(value),
                    "undefined" => Argument::Undefined(value),
                    "freed" => Argument::Freed(value),
                    "u32" => Argument::Number(value),
                    _ => return Err("no such kind of argument".to_owned()),
                });
            }
            "prints" => self.prints.extend(numbers(rest)?),
            _ => return Err("no such directive".to_owned()),
        }
        Ok(())
    }
}

fn number(word: &str) -> Result<u32, String> {
    word.trim().parse().map_err(|_| format!("`{word}` is not a number of 32 bits"))
}

fn numbers(words: &str) -> Result<Vec<u32>, String> {
    words.split_whitespace().map(number).collect()
}

/// A program with a fault.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its path below the folder of the programs.
    pub name: String,
    /// The file's text.
    pub text: String,
}

/// The folder of the programs.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("faults")
}

/// All programs, by name.
///
/// # Errors
///
/// A message about a file that cannot be read, or that is not a program.
pub fn programs(folder: &Path) -> Result<Vec<Program>, String> {
    let cannot = |error| format!("cannot read {}: {error}", folder.display());
    let mut programs = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let below = entry.map_err(cannot)?.path();
        for file in fs::read_dir(&below).map_err(|error| format!("{}: {error}", below.display()))? {
            let path = file.map_err(cannot)?.path();
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
            programs.push(Program::new(&name, &text)?);
        }
    }
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(programs)
}

impl Program {
    /// A program of this name, from its file's text.
    ///
    /// # Errors
    ///
    /// A message if the program lacks something that every program has, or has an invalid directive.
    pub fn new(name: &str, text: &str) -> Result<Program, String> {
        let program = Program { name: name.to_owned(), text: text.to_owned() };
        program.check().map_err(|why| format!("{name}: {why}"))?;
        Ok(program)
    }

    fn check(&self) -> Result<(), String> {
        if !["c", "cpp", "f90", "rs", "ptx"].contains(&self.extension()) {
            return Err("its extension is not one of c, cpp, f90, rs and ptx".to_owned());
        }
        let (faulty, twin) = (self.directives(Variant::Faulty)?, self.directives(Variant::Twin)?);
        if faulty.fault.is_none() || faulty.fault != twin.fault {
            return Err("it has no directive `fault`".to_owned());
        }
        if faulty.note.as_ref().is_none_or(|note| !note.ends_with('.')) {
            return Err("it has no directive `note` with a sentence".to_owned());
        }
        if self.marked_lines().is_empty() {
            return Err("no line of the faulty program is marked".to_owned());
        }
        if self.variant(Variant::Faulty) == self.variant(Variant::Twin) {
            return Err("the faulty program and its twin are the same".to_owned());
        }
        let launches = |directives: &Directives| {
            directives.steps.iter().filter(|step| matches!(step, HostStep::Launch { .. })).count()
        };
        if self.language() == Language::OpenMp {
            if launches(&twin) > 0 || !twin.arguments.is_empty() || !twin.prints.is_empty() {
                return Err("an OpenMP program has no launches, arguments and printed words".to_owned());
            }
            return Ok(());
        }
        if launches(&faulty) == 0 || launches(&twin) == 0 || twin.prints.is_empty() {
            return Err("kernels have launches and printed words".to_owned());
        }
        let kernels = self.kernels();
        for step in faulty.steps.iter().chain(&twin.steps) {
            let HostStep::Launch { kernel, .. } = step else { continue };
            match kernel {
                Some(kernel) if kernels.contains(kernel) => {}
                Some(kernel) => return Err(format!("there is no kernel {kernel}")),
                None if kernels.len() == 1 => {}
                None => {
                    return Err("a launch of one of several kernels needs the directive `kernel`".to_owned());
                }
            }
        }
        match twin.arguments.first() {
            Some(Argument::Words(count) | Argument::Zeros(count) | Argument::Undefined(count))
                if *count as usize >= twin.prints.len() =>
            {
                Ok(())
            }
            _ => Err("the first argument is not a buffer for the printed words".to_owned()),
        }
    }

    fn extension(&self) -> &str {
        self.name.rsplit_once('.').map_or("", |(_, extension)| extension)
    }

    /// The name of the file.
    pub fn file(&self) -> &str {
        self.name.rsplit_once('/').map_or(&self.name, |(_, file)| file)
    }

    /// The name of the file without its extension.
    pub fn stem(&self) -> &str {
        self.file().split_once('.').map_or(self.file(), |(stem, _)| stem)
    }

    /// Its language.
    pub fn language(&self) -> Language {
        match self.extension() {
            "rs" => Language::Rust,
            "ptx" => Language::Ptx,
            _ => Language::OpenMp,
        }
    }

    fn is_fortran(&self) -> bool {
        self.extension() == "f90"
    }

    fn comment(&self) -> &'static str {
        if self.is_fortran() { "!" } else { "//" }
    }

    /// The line without the comment `faulty` at its end, if it has it.
    fn only_faulty<'l>(&self, line: &'l str) -> Option<&'l str> {
        let rest = line.trim_end().strip_suffix("faulty")?.strip_suffix(self.comment())?;
        Some(rest.trim_end())
    }

    /// The text of a variant. Lines have the numbers that they have in the file.
    pub fn variant(&self, variant: Variant) -> String {
        let fixed = format!("{}fixed:", self.comment());
        let mut text = String::with_capacity(self.text.len());
        for line in self.text.lines() {
            let of_faulty = self.only_faulty(line);
            let of_twin = line.trim_start().strip_prefix(&fixed);
            text.push_str(match (variant, of_faulty, of_twin) {
                (Variant::Faulty, Some(line), _) => line,
                (Variant::Twin, _, Some(rest)) => rest.strip_prefix(' ').unwrap_or(rest),
                (_, None, None) => line,
                _ => "",
            });
            text.push('\n');
        }
        text
    }

    /// The directives of a variant.
    ///
    /// # Errors
    ///
    /// A message with an invalid directive.
    pub fn directives(&self, variant: Variant) -> Result<Directives, String> {
        Directives::read(&self.variant(variant), self.is_fortran())
    }

    /// The numbers of the lines of the faulty program that take part in the fault.
    pub fn marked_lines(&self) -> Vec<u32> {
        let mark = format!("{}~", self.comment());
        let marked = |line: &str| self.only_faulty(line).unwrap_or(line).trim_end().ends_with(&mark);
        (1..).zip(self.text.lines()).filter(|(_, line)| marked(line)).map(|(number, _)| number).collect()
    }

    /// The kind of its fault.
    pub fn fault(&self) -> String {
        self.directives(Variant::Faulty).ok().and_then(|directives| directives.fault).unwrap_or_default()
    }

    /// The names of the kernels that it defines, in PTX or Rust.
    pub fn kernels(&self) -> Vec<String> {
        let mark = match self.language() {
            Language::OpenMp => return Vec::new(),
            Language::Rust => "extern \"ptx-kernel\" fn ",
            Language::Ptx => ".entry ",
        };
        let name = |text: &str| {
            text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().map(String::from)
        };
        self.text.split(mark).skip(1).filter_map(name).collect()
    }

    /// The levels at which it is built.
    pub fn levels(&self) -> &'static [Level] {
        match self.language() {
            Language::OpenMp => &[Level::O0, Level::O2],
            Language::Rust => &[Level::O2],
            Language::Ptx => &[Level::AsWritten],
        }
    }
}

/// The level at which a program is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Without optimisation.
    O0,
    /// With.
    O2,
    /// PTX as the file has it.
    AsWritten,
}

/// A program that was built.
#[derive(Clone, Debug)]
pub enum Built {
    /// An executable.
    Executable(PathBuf),
    /// PTX for the launcher.
    Ptx(String),
}

/// Builds a variant of a program, with line information. Results are cached.
///
/// # Errors
///
/// The tools' messages, if they fail.
pub fn build(program: &Program, variant: Variant, level: Level) -> Result<Built, String> {
    let text = program.variant(variant);
    match program.language() {
        Language::Ptx => Ok(Built::Ptx(text)),
        Language::Rust => rust_ptx(program, &text).map(Built::Ptx),
        Language::OpenMp => {
            let mut options = program.directives(variant)?.options;
            // flang 22 crashes with `-gline-tables-only` at -O0.
            let lines = if program.is_fortran() { "-g" } else { "-gline-tables-only" };
            options.push(lines.to_owned());
            // As `warpfold cc` does: C and C++ as whole programs, which flang cannot do.
            let lto = !program.is_fortran();
            let mode: Mode = (if level == Level::O0 { OptLevel::O0 } else { OptLevel::O2 }, lto);
            offload::compile(program.file(), &text, mode, &options).map(Built::Executable)
        }
    }
}

fn rust_ptx(program: &Program, text: &str) -> Result<String, String> {
    let tools = Tools::find().map_err(|error| error.to_string())?;
    let kernels = program.kernels();
    let kernels: Vec<&str> = kernels.iter().map(String::as_str).collect();
    let krate = DeviceCrate {
        name: program.stem(),
        edition: RUNTIME.edition,
        sources: &[(ROOT, text)],
        exports: &kernels,
        dependencies: &[RUNTIME],
    };
    let module = tools.device_module(&krate).map_err(|error| error.to_string())?;
    let modules = [Input::Bitcode(&module)];
    tools
        .ptx(&PtxBuild { modules: &modules, keep: &kernels, sm: 90, opt: OptLevel::O2 })
        .map_err(|error| error.to_string())
}

/// Where the programs run.
#[derive(Clone, Debug)]
pub struct Devices {
    /// The folder of the emulated driver, for OpenMP.
    pub driver: PathBuf,
    /// The program `launch-faults`, for kernels.
    pub launcher: PathBuf,
}

/// A run of a program, and what was reported.
#[derive(Debug)]
pub struct Observed {
    /// Status and output.
    pub result: RunResult,
    /// The reports.
    pub reports: Vec<Report>,
}

impl Devices {
    /// Runs a program that was built, with or without the checks, in order or with a seed.
    ///
    /// # Errors
    ///
    /// A message about files that cannot be written or read, or a report that is not JSON.
    pub fn run(
        &self,
        program: &Program,
        variant: Variant,
        built: &Built,
        seed: Option<u32>,
    ) -> Result<Observed, String> {
        let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        let put = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).map(|()| path).map_err(|error| format!("cannot write {name}: {error}"))
        };
        let mut command = match built {
            Built::Executable(path) => {
                let mut command = Command::new(path);
                command.env("LD_LIBRARY_PATH", &self.driver).env("OMP_TARGET_OFFLOAD", "MANDATORY");
                // The driver library tells the checks which tasks of the host wait for which, too.
                command.env("OMP_TOOL_LIBRARIES", self.driver.join("libcuda.so"));
                // LLVM's host runtime would keep memory that the program frees.
                command.env("LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD", "0");
                command
            }
            Built::Ptx(ptx) => {
                let mut command = Command::new(&self.launcher);
                command.arg(put("directives", &program.variant(variant))?).arg(put("kernels.ptx", ptx)?);
                command
            }
        };
        let reports = folder.path().join("reports.json");
        command.env("WARPFOLD_FAULT_JSON", &reports).env("WARPFOLD_STEP_LIMIT", STEP_LIMIT);
        command.envs(seed.map(|seed| ("WARPFOLD_SEED", seed.to_string())));
        command.env("WARPFOLD_CHECK", "all");
        // What the program asks for comes last and wins.
        command.envs(program.directives(variant)?.environment);
        let result = offload::run_command(command, TIME_LIMIT);
        let lines = fs::read_to_string(&reports).unwrap_or_default();
        let reports =
            lines.lines().map(|line| Report::read(program, built, line)).collect::<Result<_, _>>()?;
        Ok(Observed { result, reports })
    }
}

/// A report of the driver.
#[derive(Clone, Debug)]
pub struct Report {
    /// The kind.
    pub kind: String,
    /// The line of each side of the fault in the program's file; `None` for a line of another file.
    pub lines: Vec<Option<u32>>,
    /// The report as the driver wrote it.
    pub json: String,
}

impl Report {
    /// Reads a line of the file of reports.
    ///
    /// # Errors
    ///
    /// A message if it is not JSON, or has no kind.
    pub fn read(program: &Program, built: &Built, json: &str) -> Result<Report, String> {
        let value: Value =
            serde_json::from_str(json).map_err(|error| format!("{error} in the report {json}"))?;
        let kind = value["kind"].as_str().ok_or(format!("the report {json} has no kind"))?.to_owned();
        // A report of one instruction may have `place` instead of sides.
        let place = Some(&value["place"]).filter(|place| place.is_object());
        let sides: Vec<&Value> = match value["sides"].as_array() {
            Some(sides) => sides.iter().collect(),
            None => place.into_iter().collect(),
        };
        // The host's accesses have no line.
        let of_device = |side: &&&Value| side["line"].is_number() || side["source"].is_object();
        let lines = sides.iter().filter(of_device).map(|side| line(program, built, side)).collect();
        Ok(Report { kind, lines, json: json.to_owned() })
    }
}

/// The line of a side in the program's file. Code of a library that was inlined counts for the line that it was
/// inlined at.
fn line(program: &Program, built: &Built, side: &Value) -> Option<u32> {
    let line_of = |value: &Value| value["line"].as_u64().and_then(|line| u32::try_from(line).ok());
    let folder_and_file = format!("/{}/{ROOT}", program.stem());
    let is_ours = |source: &&Value| {
        let path = source["file"].as_str().unwrap_or_default();
        // Of code of the OpenMP runtime only the line of the target region may be known.
        if path.is_empty() {
            return source["line"].is_number();
        }
        match program.language() {
            Language::Rust => path == folder_and_file,
            _ => path.rsplit('/').next() == Some(program.file()),
        }
    };
    if program.language() == Language::Ptx {
        return line_of(side);
    }
    let inlined = side["inlined_at"].as_array().into_iter().flatten();
    let named = [&side["source"]].into_iter().chain(inlined).find(is_ours).and_then(line_of);
    match built {
        Built::Ptx(ptx) => named.or_else(|| line_of_rust(ptx, line_of(side)?)),
        Built::Executable(_) => named,
    }
}

/// The line of a crate's root that an instruction at a line of the PTX comes from. LLVM 22 writes where code was inlined
/// only into comments: `// src/arch/barrier.rs:17:5 @[ src/lib.rs:18:5 ]`.
fn line_of_rust(ptx: &str, line: u32) -> Option<u32> {
    let before: Vec<&str> = ptx.lines().take(line as usize).collect();
    let position = before.into_iter().rev().find(|line| line.trim_start().starts_with(".loc"))?;
    let (_, outermost) = position.rsplit_once(&format!(" {ROOT}:"))?;
    outermost.split(':').next()?.parse().ok()
}

/// Whether a run with the checks is as it must be; otherwise what is wrong.
///
/// # Errors
///
/// What was expected, and what was observed.
pub fn judge(program: &Program, variant: Variant, observed: &Observed) -> Result<(), String> {
    match variant {
        Variant::Faulty => judge_reports(program, &observed.reports),
        Variant::Twin if !observed.reports.is_empty() => Err("expected no report".to_owned()),
        Variant::Twin => judge_output(program, &observed.result),
    }
    .map_err(|why| format!("{why}\n{observed}"))
}

fn judge_reports(program: &Program, reports: &[Report]) -> Result<(), String> {
    let (kind, marked) = (program.fault(), program.marked_lines());
    let expected = format!("expected {kind} at lines {marked:?}");
    if reports.is_empty() {
        return Err(format!("{expected}, but nothing was reported"));
    }
    for report in reports {
        if report.kind != kind {
            return Err(format!("{expected}, but there is a report of {}", report.kind));
        }
        if report.lines.is_empty() {
            return Err(format!("{expected}, but a report names no line"));
        }
        if !report.lines.iter().all(|line| line.is_some_and(|line| marked.contains(&line))) {
            return Err(format!("{expected}, but a report names the lines {:?}", report.lines));
        }
    }
    Ok(())
}

/// Whether the twin ended without an error, and printed what it must.
fn judge_output(program: &Program, result: &RunResult) -> Result<(), String> {
    match result.status {
        None => return Err(format!("it did not end in {} s", TIME_LIMIT.as_secs())),
        Some(status) if !status.success() => return Err(format!("expected success: {status}")),
        Some(_) => {}
    }
    if result.err.lines().any(|line| line.starts_with("warpfold: ")) {
        return Err("expected no message of the driver".to_owned());
    }
    let prints = program.directives(Variant::Twin)?.prints;
    let printed = numbers(&result.out);
    if program.language() != Language::OpenMp && !printed.is_ok_and(|printed| printed.starts_with(&prints)) {
        return Err(format!("expected the words {prints:?}"));
    }
    Ok(())
}

impl fmt::Display for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 5;
        let RunResult { status, out, err } = &self.result;
        writeln!(f, "{} reports, status {status:?}", self.reports.len())?;
        for report in self.reports.iter().take(MOST) {
            writeln!(f, "    {}", report.json)?;
        }
        for (name, text) in [("output", out), ("messages", err)] {
            let lines: Vec<&str> = text.lines().collect();
            for line in &lines[lines.len().saturating_sub(20)..] {
                writeln!(f, "  {name}: {line}")?;
            }
        }
        Ok(())
    }
}

/// Calls a function for each program, in two threads; returns the messages of those that failed.
pub fn for_each(programs: &[Program], check: impl Fn(&Program) -> Result<(), String> + Sync) -> Vec<String> {
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(failure) = check(program) {
                        failures.lock().unwrap_or_else(PoisonError::into_inner).push(failure);
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
    failures.sort();
    failures
}

/// Builds and runs both variants of a program with the checks, at these levels, in order and with each of the seeds 1 to
/// `seeds`.
///
/// # Errors
///
/// A message for all that is wrong: program, variant, level, seed, what was expected, what was observed.
pub fn run_all(devices: &Devices, program: &Program, levels: &[Level], seeds: u32) -> Result<(), String> {
    let mut failures = String::new();
    for variant in [Variant::Faulty, Variant::Twin] {
        for &level in levels {
            let at = format!("{} {variant} {level:?}", program.name);
            let built = match build(program, variant, level) {
                Ok(built) => built,
                Err(why) => {
                    let _ = writeln!(failures, "{at}: it is not built: {why}");
                    continue;
                }
            };
            for seed in (0..=seeds).map(|seed| Some(seed).filter(|&seed| seed > 0)) {
                let judged = devices
                    .run(program, variant, &built, seed)
                    .and_then(|observed| judge(program, variant, &observed));
                if let Err(why) = judged {
                    let order = seed.map_or("in order".to_owned(), |seed| format!("seed {seed}"));
                    let _ = writeln!(failures, "{at} {order}: {why}");
                }
            }
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures) }
}
