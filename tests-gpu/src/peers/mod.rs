//! Other tools on the planted faults: OpenMP programs are built for the host, by a sanitizer or for Valgrind, and run;
//! what is reported is compared with what the program states.
//!
//! There are two ways to run a target region on the host. Without a target, it runs on the memory of the host, where
//! mapping does nothing. With the host as target, `x86_64-pc-linux-gnu`, mapped data have copies of their own, as on a GPU.
//! The sanitizers' libraries are not made for the latter: the device's code is a shared library, and gets its calls
//! resolved by the executable.

mod reports;

pub use reports::{PeerReport, Tool, read};

use std::{
    env::consts::ARCH,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use toolchain::{Language as SourceLanguage, Tools};

use crate::{
    faults::{Program, Variant},
    offload::{self, RunResult},
};

/// A tool with its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer {
    /// The name in tables.
    pub name: &'static str,
    /// The tool.
    pub tool: Tool,
    /// Whether the host is a target with memory of its own.
    pub device: bool,
    /// Whether each `num_teams` clause is replaced by one of one team.
    pub one_team: bool,
}

impl Peer {
    fn is_valgrind(&self) -> bool {
        matches!(self.tool, Tool::Memcheck | Tool::Helgrind)
    }
}

/// The tools that programs are compared with.
pub const PEERS: [Peer; 8] = [
    Peer { name: "tsan", tool: Tool::ThreadSanitizer, device: false, one_team: false },
    Peer { name: "tsan, 1 team", tool: Tool::ThreadSanitizer, device: false, one_team: true },
    Peer { name: "helgrind", tool: Tool::Helgrind, device: false, one_team: false },
    Peer { name: "asan", tool: Tool::AddressSanitizer, device: false, one_team: false },
    Peer { name: "asan, target", tool: Tool::AddressSanitizer, device: true, one_team: false },
    Peer { name: "msan", tool: Tool::MemorySanitizer, device: false, one_team: false },
    Peer { name: "msan, target", tool: Tool::MemorySanitizer, device: true, one_team: false },
    Peer { name: "memcheck", tool: Tool::Memcheck, device: false, one_team: false },
];

/// The target that is the host.
const HOST_TARGET: &str = "-fopenmp-targets=x86_64-pc-linux-gnu";

/// Teams of a `teams` region that does not say how many.
const TEAMS: &str = "4";

/// The most threads of a team: as many as any of the programs asks for. LLVM's host runtime gives a team no more, whatever
/// its clauses say, and programs with fewer threads than they ask for have no fault, or another one.
const THREADS: &str = "128";

/// What programs call of the device's memory, for the host without a target: LLVM's functions crash there.
const HOST_FUNCTIONS: &str = r"
#include <stdlib.h>
#include <string.h>
void *omp_target_alloc(size_t bytes, int device) { return malloc(bytes); }
void omp_target_free(void *memory, int device) { free(memory); }
void *omp_get_mapped_ptr(const void *memory, int device) { return (void *)memory; }
int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset, size_t from_offset, int to_device,
                      int from_device) {
  memcpy((char *)to + to_offset, (const char *)from + from_offset, bytes);
  return 0;
}
";

/// What a run of a program, or several, showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The program's fault was reported.
    Fault,
    /// Only something else was reported.
    Other(String),
    /// Nothing was reported; the text says how it ended, if not with success.
    Nothing(String),
    /// It could not be built or run, for this reason.
    NotRun(String),
}

/// The tools that are installed.
pub struct Installed {
    tools: Tools,
    runtime: Runtimes,
    /// [`HOST_FUNCTIONS`] as an object file.
    host_functions: PathBuf,
    /// MemorySanitizer's library as an object file: as an archive, it would be linked with the device's shared library, too.
    memory_object: Result<PathBuf, String>,
    /// Holds these.
    _folder: tempfile::TempDir,
}

/// Where files of clang's installation are, or why they cannot be used.
struct Runtimes {
    thread: Result<PathBuf, String>,
    archer: Result<PathBuf, String>,
    address: Result<PathBuf, String>,
    address_shared: Result<PathBuf, String>,
    memory: Result<PathBuf, String>,
    valgrind: Result<(), String>,
}

impl Installed {
    /// Finds the tools.
    ///
    /// # Errors
    ///
    /// A message if clang is not there.
    pub fn find() -> Result<Installed, String> {
        let tools = Tools::find().map_err(|error| error.to_string())?;
        let clang = tools.clang().map_err(|error| error.to_string())?.path;
        let file = |name: &str, package: &str| {
            let ran = Command::new(&clang).arg(format!("-print-file-name={name}")).output();
            let output = ran.map_err(|error| format!("cannot run {}: {error}", clang.display()))?;
            let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
            // clang prints the name alone if it does not find the file.
            match path.is_absolute() && path.exists() {
                true => Ok(path),
                false => Err(format!("clang has no {name}: `apt-get install {package}` installs it")),
            }
        };
        let sanitizer = |name: &str| file(&format!("libclang_rt.{name}"), "libclang-rt-22-dev");
        let valgrind = match Command::new("valgrind").arg("--version").output() {
            Ok(output) if output.status.success() => Ok(()),
            _ => Err("there is no valgrind: `apt-get install valgrind` installs it".to_owned()),
        };
        let runtime = Runtimes {
            thread: sanitizer(&format!("tsan-{ARCH}.a")),
            archer: file("libarcher.so", "libomp-22-dev"),
            address: sanitizer(&format!("asan-{ARCH}.a")),
            address_shared: sanitizer(&format!("asan-{ARCH}.so")),
            memory: sanitizer(&format!("msan-{ARCH}.a")),
            valgrind,
        };
        let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        let (source, host_functions) = (folder.path().join("host.c"), folder.path().join("host.o"));
        fs::write(&source, HOST_FUNCTIONS)
            .map_err(|error| format!("cannot write {}: {error}", source.display()))?;
        completed(Command::new(&clang).arg("-c").arg(&source).arg("-o").arg(&host_functions))?;
        let memory_object = runtime.memory.clone().and_then(|archive| {
            let object = folder.path().join("memory.o");
            let mut command = Command::new("ld");
            completed(command.args(["-r", "--whole-archive"]).arg(archive).arg("-o").arg(&object))?;
            Ok(object)
        });
        Ok(Installed { tools, runtime, host_functions, memory_object, _folder: folder })
    }

    /// Whether a tool can be used; otherwise why not, and how to install it.
    ///
    /// # Errors
    ///
    /// The reason.
    pub fn usable(&self, peer: &Peer) -> Result<(), String> {
        let Runtimes { thread, archer, address, address_shared, memory, valgrind } = &self.runtime;
        match peer.tool {
            Tool::ThreadSanitizer => thread.as_ref().and(archer.as_ref()).map(drop),
            Tool::AddressSanitizer if peer.device => address_shared.as_ref().map(drop),
            Tool::AddressSanitizer => address.as_ref().map(drop),
            Tool::MemorySanitizer if peer.device => self.memory_object.as_ref().map(drop),
            Tool::MemorySanitizer => memory.as_ref().map(drop),
            Tool::Memcheck | Tool::Helgrind => valgrind.as_ref().map(drop),
        }
        .map_err(String::clone)
    }

    /// Builds a variant of a program for a tool, in a folder.
    ///
    /// # Errors
    ///
    /// What the compiler says, or why it cannot do it.
    fn build(
        &self,
        peer: &Peer,
        program: &Program,
        variant: Variant,
        folder: &Path,
    ) -> Result<PathBuf, String> {
        let language = SourceLanguage::of(program.file());
        if language == SourceLanguage::Fortran && !peer.is_valgrind() {
            return Err("flang 22 has no sanitizers".to_owned());
        }
        let mut text = program.variant(variant);
        if peer.one_team {
            text = with_one_team(&text);
        }
        let (source, executable) = (folder.join(program.file()), folder.join("program"));
        fs::write(&source, text).map_err(|error| format!("cannot write {}: {error}", source.display()))?;
        let compiler = self.tools.offload_compiler(language).map_err(|error| error.to_string())?;
        let mut command = Command::new(compiler);
        // Without optimisation no access is left out. But clang then passes integers in the lower half of a word, whose
        // other half MemorySanitizer reports.
        let level = if peer.tool == Tool::MemorySanitizer { "-O1" } else { "-O0" };
        command.args([level, "-g", "-fopenmp"]).args(program.directives(variant)?.options);
        // The Valgrind of Debian 12 does not read DWARF 5.
        command.args(peer.is_valgrind().then_some("-gdwarf-4"));
        command.args(peer.device.then_some(HOST_TARGET)).args(Self::instrumentation(peer));
        command.arg(&source).arg("-o").arg(&executable);
        command.args(self.libraries(peer)?);
        completed(&mut command)?;
        Ok(executable)
    }

    /// What programs are linked with.
    fn libraries(&self, peer: &Peer) -> Result<Vec<String>, String> {
        let mut options = Vec::new();
        if peer.device && peer.tool == Tool::AddressSanitizer {
            let library = self.runtime.address_shared.as_ref()?;
            let folder = library.parent().unwrap_or(Path::new("/")).display();
            options.push(format!("-L{folder}"));
            options.push(format!("-lclang_rt.asan-{ARCH}"));
            options.push(format!("-Wl,-rpath,{folder}"));
        }
        if peer.device && peer.tool == Tool::MemorySanitizer {
            options.push(self.memory_object.as_ref()?.display().to_string());
            options.push(format!("-Wl,--dynamic-list={}.syms", self.runtime.memory.as_ref()?.display()));
            options.extend(["-ldl", "-lpthread", "-lm", "-lrt", "-lresolv"].map(String::from));
        }
        if !peer.device {
            options.push(self.host_functions.display().to_string());
        }
        // For clang's code for reductions of complex numbers.
        options.push("-latomic".to_owned());
        Ok(options)
    }

    /// Options of the compiler that make it add a sanitizer.
    fn instrumentation(peer: &Peer) -> Vec<String> {
        let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
        let mut options = words(match peer.tool {
            Tool::ThreadSanitizer => "-fsanitize=thread",
            Tool::AddressSanitizer => "-fsanitize=address,alignment -fno-omit-frame-pointer",
            Tool::MemorySanitizer => {
                "-fsanitize=memory -fsanitize-recover=memory -fsanitize-memory-track-origins \
                 -fno-omit-frame-pointer"
            }
            Tool::Memcheck | Tool::Helgrind => "",
        });
        if peer.device && !options.is_empty() {
            options
                .extend(words("-fno-sanitize-link-runtime -Xoffload-linker --unresolved-symbols=ignore-all"));
        }
        options
    }

    /// The command that runs a program that was built for a tool.
    fn command(&self, peer: &Peer, executable: &Path) -> Result<Command, String> {
        let mut command = match peer.tool {
            Tool::Memcheck | Tool::Helgrind => {
                let mut command = Command::new("valgrind");
                command.args(match peer.tool {
                    Tool::Memcheck => ["--tool=memcheck", "--track-origins=yes"],
                    _ => ["--tool=helgrind", "--history-level=full"],
                });
                command
                    .args(["-q", "--num-callers=40", "--fair-sched=yes", "--max-threads=1000"])
                    .arg(executable);
                command
            }
            _ => Command::new(executable),
        };
        command.env("OMP_NUM_TEAMS", TEAMS).env("OMP_NUM_THREADS", THREADS);
        // Otherwise teams are as few as processors, and have one thread each.
        command.env("KMP_TEAMS_THREAD_LIMIT", "2048");
        // Threads that wait do not take processors from the others.
        command.env("KMP_BLOCKTIME", "0");
        // As for the checks: libomptarget would keep memory that the program frees.
        command.env("LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD", "0");
        command.env("OMP_TARGET_OFFLOAD", if peer.device { "MANDATORY" } else { "DISABLED" });
        match peer.tool {
            Tool::ThreadSanitizer => {
                command.env("OMP_TOOL_LIBRARIES", self.runtime.archer.as_ref()?);
                command.env("TSAN_OPTIONS", "ignore_noninstrumented_modules=1 history_size=7")
            }
            Tool::AddressSanitizer => command.env("ASAN_OPTIONS", "detect_leaks=0"),
            Tool::MemorySanitizer => command.env("MSAN_OPTIONS", "halt_on_error=0"),
            Tool::Memcheck | Tool::Helgrind => &mut command,
        };
        Ok(command)
    }

    /// Builds a variant of a program and runs it up to `runs` times, until the fault, or for a twin anything, is reported.
    pub fn examine(
        &self,
        peer: &Peer,
        program: &Program,
        variant: Variant,
        runs: u32,
        time_limit: Duration,
    ) -> Outcome {
        self.try_examine(peer, program, variant, runs, time_limit).unwrap_or_else(Outcome::NotRun)
    }

    fn try_examine(
        &self,
        peer: &Peer,
        program: &Program,
        variant: Variant,
        runs: u32,
        time_limit: Duration,
    ) -> Result<Outcome, String> {
        self.usable(peer)?;
        let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        let executable = self.build(peer, program, variant, folder.path())?;
        // Valgrind runs one thread at a time, in nearly the same order each time.
        let runs = if peer.is_valgrind() { 1 } else { runs };
        let mut outcome = Outcome::Nothing(String::new());
        for _ in 0..runs {
            let result = offload::run_command(self.command(peer, &executable)?, time_limit);
            outcome = match judge(peer.tool, program, variant, &result) {
                Outcome::Nothing(_) if matches!(outcome, Outcome::Other(_)) => outcome,
                judged => judged,
            };
            let reported = match variant {
                Variant::Faulty => outcome == Outcome::Fault,
                Variant::Twin => matches!(outcome, Outcome::Other(_)),
            };
            if reported || result.status.is_none() {
                break;
            }
        }
        Ok(outcome)
    }
}

/// What a run showed. A report is the fault's if it may stand for a fault of that kind, and names marked lines: only such,
/// or, if it traces an undefined value, at least one.
pub fn judge(tool: Tool, program: &Program, variant: Variant, result: &RunResult) -> Outcome {
    let (kind, marked) = (program.fault(), program.marked_lines());
    let reports = read(tool, program.file(), &result.err);
    let is_fault = |report: &&PeerReport| {
        let mut lines = report.lines.iter();
        let is_marked = |line: &u32| marked.contains(line);
        let at_marked = match &kind[..] {
            "uninitialised" => lines.any(is_marked),
            _ => !report.lines.is_empty() && lines.all(is_marked),
        };
        report.kinds.contains(&&kind[..]) && at_marked
    };
    if variant == Variant::Faulty && reports.iter().any(|report| is_fault(&report)) {
        return Outcome::Fault;
    }
    if let Some(PeerReport { name, lines, .. }) = reports.first() {
        return Outcome::Other(format!("{name}, lines {lines:?}"));
    }
    match result.status {
        None => Outcome::Nothing("it does not end".to_owned()),
        Some(status) if status.success() => Outcome::Nothing(String::new()),
        // A sanitizer's reports that were left out, those of libraries, set the status, too.
        Some(_) if result.err.contains("Sanitizer: ") && !result.err.contains(":DEADLYSIGNAL") => {
            Outcome::Nothing(String::new())
        }
        Some(status) => {
            let last = result.err.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
            let how = format!("{status}: {last}");
            if variant == Variant::Twin { Outcome::NotRun(how) } else { Outcome::Nothing(how) }
        }
    }
}

/// Runs a tool; an error has its first message.
fn completed(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("cannot run {program}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let messages = String::from_utf8_lossy(&output.stderr);
    let first = messages.lines().find(|line| line.contains("error")).or(messages.lines().next());
    Err(first.map_or(format!("{program}: {}", output.status), str::to_owned))
}

/// A program whose clauses `num_teams` all ask for one team.
fn with_one_team(text: &str) -> String {
    let mut pieces = text.split("num_teams(");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        // `omp_get_num_teams()` has the same end.
        let number = piece.find(')').filter(|&end| end > 0 && !out.ends_with('_'));
        out.push_str("num_teams(");
        out.push_str(if number.is_some() { "1" } else { "" });
        out.push_str(&piece[number.unwrap_or(0)..]);
    }
    out
}

#[cfg(test)]
mod tests;
