//! LLVM's tools as a [`HostCompiler`]: each text is compiled in processes of its own, so that whatever they do, this one
//! goes on.

use std::env;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha256};

use super::code::HostCompiler;

/// The longest text that is compiled.
const MAX_TEXT: usize = 16 << 20;
/// Bytes of the libraries that are kept.
const MAX_FOLDER: u64 = 256 << 20;
/// How old a file is that no process is still making.
const ABANDONED: Duration = Duration::from_secs(3600);
/// How long a tool may take.
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// Bytes of memory that a tool may take.
#[cfg(target_os = "linux")]
const MEMORY_LIMIT: u64 = 4 << 30;

/// LLVM's code generator and a linker, and a folder for what they make.
///
/// A library is kept in the folder under a name made of its text and the tools: whoever can write there decides what this
/// process executes.
#[derive(Debug)]
pub struct LlvmTools {
    llc: PathBuf,
    linker: PathBuf,
    folder: PathBuf,
    /// What a library depends on, besides its text: the tool and the processor.
    identity: String,
    made: AtomicU32,
}

/// Names of LLVM's code generator, in the order in which they are looked for.
const CODE_GENERATORS: [&str; 3] = ["llc-22", "llc-23", "llc"];

impl LlvmTools {
    /// The tools that are in the search path; `None` if there is no LLVM.
    pub fn in_search_path(folder: &Path) -> Option<LlvmTools> {
        let path = env::var_os("PATH")?;
        let find =
            |name: &&str| env::split_paths(&path).map(|dir| dir.join(name)).find(|tool| tool.is_file());
        let llc = CODE_GENERATORS.iter().find_map(find)?;
        LlvmTools::new(llc, "ld".into(), folder.to_path_buf()).ok()
    }

    /// The tools at these paths. The folder must exist. What is there is bounded: the libraries that were used least
    /// recently are removed.
    pub fn new(llc: PathBuf, linker: PathBuf, folder: PathBuf) -> io::Result<LlvmTools> {
        let real = fs::canonicalize(&llc)?;
        let metadata = fs::metadata(&real)?;
        let age = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        let identity = format!("{} {} {age:?}\n{}", real.display(), metadata.len(), processor());
        tidy(&folder);
        Ok(LlvmTools { llc, linker, folder, identity, made: AtomicU32::new(0) })
    }

    /// The code generator.
    pub fn code_generator(&self) -> &Path {
        &self.llc
    }

    /// The name of what is made of a text: it says all that a library depends on.
    fn name(&self, ir: &str) -> String {
        let digest = Sha256::new().chain_update(&self.identity).chain_update([0]).chain_update(ir).finalize();
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// What the host says of its processor: for which the code is.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let first = text.lines().take_while(|line| !line.trim().is_empty());
    let is_fixed = |line: &&str| {
        ["vendor", "cpu family", "model", "flags", "Features", "CPU "]
            .iter()
            .any(|name| line.starts_with(name))
    };
    first.filter(is_fixed).collect::<Vec<_>>().join("\n")
}

/// Removes what was not finished, and the oldest libraries if there are too many.
fn tidy(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let (mut libraries, mut bytes) = (Vec::new(), 0);
    for entry in entries.flatten() {
        let Ok(metadata) = entry.metadata() else { continue };
        let used = metadata.modified().unwrap_or(UNIX_EPOCH);
        let is_library = entry.path().extension().is_some_and(|end| end == "so")
            && entry.path().file_stem().is_some_and(|name| !name.to_string_lossy().contains('.'));
        if is_library {
            bytes += metadata.len();
            libraries.push((used, metadata.len(), entry.path()));
        } else if used.elapsed().is_ok_and(|age| age > ABANDONED) {
            let _ = fs::remove_file(entry.path());
        }
    }
    libraries.sort();
    for (_, length, path) in libraries {
        if bytes <= MAX_FOLDER {
            break;
        }
        // Processes that have loaded it keep it.
        let _ = fs::remove_file(path);
        bytes -= length;
    }
}

impl HostCompiler for LlvmTools {
    fn find(&self, ir: &str) -> Option<PathBuf> {
        let library = self.folder.join(self.name(ir)).with_extension("so");
        let file = fs::File::open(&library).ok()?;
        // Those that are used stay.
        let _ = file.set_modified(SystemTime::now());
        Some(library)
    }

    fn compile(&self, ir: &str) -> Result<PathBuf, String> {
        if ir.len() > MAX_TEXT {
            return Err(format!("{} bytes of LLVM IR are too many", ir.len()));
        }
        let name = self.name(ir);
        let library = self.folder.join(&name).with_extension("so");
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let part = |end: &str| self.folder.join(format!("{name}.{}.{number}.{end}", std::process::id()));
        let (text, object, linked) = (part("ll"), part("o"), part("so"));
        let made = fs::write(&text, ir)
            .map_err(|e| format!("{}: {e}", text.display()))
            .and_then(|()| {
                let mut llc = Command::new(&self.llc);
                llc.args(["-O1", "-mcpu=native", "-relocation-model=pic", "-filetype=obj", "-o"]);
                run(llc.args([&object, &text]))
            })
            .and_then(|()| run(Command::new(&self.linker).args(["-shared", "-o"]).args([&linked, &object])))
            .and_then(|()| fs::rename(&linked, &library).map_err(|e| format!("{}: {e}", library.display())));
        for path in [&text, &object, &linked] {
            // Those that were not made are not there.
            let _ = fs::remove_file(path);
        }
        made.map(|()| library)
    }
}

/// Runs a tool to its end, or until it has taken too long.
fn run(command: &mut Command) -> Result<(), String> {
    let name = Path::new(command.get_program()).display().to_string();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    // What this process was given is not for its tools.
    command.env_remove("LD_PRELOAD");
    let mut child = command.spawn().map_err(|e| format!("{name}: {e}"))?;
    limit_memory(&child);
    let mut errors = child.stderr.take();
    let reader = thread::spawn(move || {
        let mut text = Vec::new();
        let _ = errors.as_mut().map(|errors| errors.take(1 << 16).read_to_end(&mut text));
        text
    });
    let begun = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Ok(status),
            Ok(None) if begun.elapsed() > TIME_LIMIT => {
                let _ = child.kill();
                let _ = child.wait();
                break Err(format!("{name} took more than {} seconds", TIME_LIMIT.as_secs()));
            }
            Ok(None) => thread::sleep(Duration::from_millis(2)),
            Err(e) => break Err(format!("{name}: {e}")),
        }
    };
    let errors = reader.join().unwrap_or_default();
    match status? {
        status if status.success() => Ok(()),
        status => {
            let text = String::from_utf8_lossy(&errors);
            let first = text.lines().next().unwrap_or_default();
            Err(format!("{name} ended with {status}: {first}"))
        }
    }
}

#[cfg(target_os = "linux")]
fn limit_memory(child: &Child) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let limit = Rlimit { current: Some(MEMORY_LIMIT), maximum: Some(MEMORY_LIMIT) };
    // It may have ended already.
    if let Some(pid) = Pid::from_raw(child.id() as i32) {
        let _ = prlimit(Some(pid), Resource::As, limit);
    }
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_: &Child) {}
