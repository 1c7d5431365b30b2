//! The device build: a `no_std` Rust crate, the crates it uses and LLVM IR files become one bitcode file.
//!
//! rustc is called directly, without cargo and without a network:
//!
//! 1. `core` is compiled once per compiler, from the library source beside it (17 s).
//!    `compiler_builtins` is an empty crate: functions of it that a device crate needs must be in `core`
//!    or in the crate; step 5 reports others as undefined.
//! 2. The crate is compiled **without LLVM optimisation**. rustc has no `convergent`: a barrier
//!    reached through a function, or a call through a pointer, would look like any other call, and
//!    LLVM might duplicate it into divergent branches. So every function and every call through a pointer
//!    first gets the attribute, as clang does for device code, and LLVM removes it where it proves that
//!    nothing convergent is called. One of rustc's MIR passes duplicates calls, too, JumpThreading
//!    (rust-lang/rust#137086); it is disabled.
//!    A crate that others use is compiled in the same way, once for all of them, also to metadata for rustc.
//! 3. Crates, `.ll` files and the needed part of `core` are linked. A static of the section `.shared` is
//!    moved to shared memory, for which Rust has no syntax. All but the exports become internal; then LLVM
//!    optimises, with barriers and callbacks marked.
//! 4. Exports get hidden visibility: a compiler can then drop what it has inlined everywhere.
//! 5. The result must define every export and have no undefined symbol. It contains no architecture, so
//!    it can be inlined into a module for any; and no path of the build machine, so that the same tools build the
//!    same file everywhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::cache::Key;
use crate::error::IoContext;
use crate::process::{command, run};
use crate::ptx::check_symbols;
use crate::{Error, Tools};

/// Flags of every device compilation.
///
/// sm_70 is the oldest architecture that rustc's target supports; nothing in the result depends on it.
/// `line-directives-only`: with `line-tables-only` the PTX says `debug`, and ptxas then rejects optimisation.
const RUSTC_FLAGS: &[&str] = &[
    "--target=nvptx64-nvidia-cuda",
    "-Copt-level=3",
    "-Ccodegen-units=1",
    "-Ctarget-cpu=sm_70",
    "-Cdebuginfo=line-directives-only",
    "-Coverflow-checks=off",
    "-Zunstable-options",
    "-Cpanic=immediate-abort",
    "-Zmir-enable-passes=-JumpThreading",
];

/// Passes over a linked module that will be inlined into others.
const OPTIMISED: &str = "internalize,globaldce,default<O3>,globaldce,strip-dead-prototypes";

/// Passes over a linked module that a [`crate::PtxBuild`] will optimise for its architecture and level.
const UNOPTIMISED: &str = "internalize,globaldce,strip-dead-prototypes";

/// How the crate's IR is rewritten before these passes. In the cache key: change it with the code.
const REWRITES: &str = "neutral; convergent functions, convergent calls of pointers; hidden, weak ones too; .shared to address space 3; .without_lines";

/// How paths are remapped. In the cache key: change it with the code.
const PATHS: &str = "core in /core and /rustc/library, crates in a folder with their name";

/// The source of the empty `compiler_builtins` that rustc requires.
const BUILTINS: &str = "#![feature(compiler_builtins)]\n#![compiler_builtins]\n#![no_std]\n";

/// Functions that every CUDA driver defines for device code.
const DRIVER_FUNCTIONS: &[&str] = &["__assertfail", "free", "malloc", "vprintf"];

/// A `no_std` crate for the device.
#[derive(Clone, Copy, Debug)]
pub struct DeviceCrate<'a> {
    /// The crate's name, an identifier.
    pub name: &'a str,
    /// The Rust edition, such as `2024`.
    pub edition: &'a str,
    /// Relative paths and contents. `src/lib.rs` is the root; `.ll` files are linked in.
    pub sources: &'a [(&'a str, &'a str)],
    /// The symbols that stay visible; ignored for a dependency of another crate.
    pub exports: &'a [&'a str],
    /// The crates that it uses. Their `.ll` files are linked in, too.
    pub dependencies: &'a [DeviceCrate<'a>],
}

impl DeviceCrate<'_> {
    fn check(&self) -> Result<(), Error> {
        let invalid = |reason: String| self.invalid(reason);
        let identifier = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_alphabetic())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if !identifier(self.name) {
            return Err(invalid(String::from("its name is not an identifier")));
        }
        let inside = |path: &str| {
            !path.is_empty()
                && Path::new(path).components().all(|component| matches!(component, Component::Normal(_)))
        };
        if let Some((path, _)) = self.sources.iter().find(|(path, _)| !inside(path)) {
            return Err(invalid(format!("source path `{path}` is not relative to the crate")));
        }
        if !self.sources.iter().any(|(path, _)| *path == "src/lib.rs") {
            return Err(invalid(String::from("it has no src/lib.rs")));
        }
        self.dependencies.iter().try_for_each(DeviceCrate::check)
    }

    fn check_exports(&self) -> Result<(), Error> {
        if self.exports.is_empty() {
            return Err(self.invalid(String::from("it has no exports")));
        }
        check_symbols(self.exports).map_err(|reason| self.invalid(reason))
    }

    fn invalid(&self, reason: String) -> Error {
        Error::Input { name: format!("device crate {}", self.name), reason }
    }

    /// Writes its sources below `dir`.
    fn write(&self, dir: &Path) -> Result<(), Error> {
        for (path, text) in self.sources {
            let path = dir.join(path);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).at("create", parent)?;
            }
            fs::write(&path, text).at("write", &path)?;
        }
        Ok(())
    }

    /// The paths of its `.ll` files below `dir`.
    fn ir_files(&self, dir: &Path) -> impl Iterator<Item = PathBuf> {
        self.sources
            .iter()
            .map(|(path, _)| *path)
            .filter(|path| path.ends_with(".ll"))
            .map(|path| dir.join(path))
    }

    /// Identifies its sources, exports and dependencies, in hexadecimal digits.
    pub fn digest(&self) -> String {
        self.with_sources(Key::new("sources of a device crate")).with_all(self.exports.iter().copied()).hex()
    }

    /// Adds everything that rustc's output for this crate depends on.
    fn with_sources(&self, key: Key) -> Key {
        let key = key
            .with_all([self.name, self.edition])
            .with_all(self.sources.iter().flat_map(|(path, text)| [*path, *text]))
            .with(b"dependencies");
        self.dependencies.iter().fold(key, |key, krate| krate.with_sources(key)).with(b"end")
    }
}

/// A compiled crate that others use.
struct Library<'a> {
    krate: &'a DeviceCrate<'a>,
    /// Holds `lib<name>.rmeta` and `<name>.bc`.
    dir: PathBuf,
}

impl Tools {
    /// Builds a device crate to one bitcode file that defines its exports, has no undefined symbol and
    /// names no target CPU: optimised, to be inlined into modules for any. The file is in the cache as
    /// `<name>.bc`.
    ///
    /// # Errors
    /// [`Error::Input`] if the crate's description is invalid, an export is not defined or a symbol
    /// is undefined; [`Error::Command`] with the compiler's output if it does not compile.
    pub fn device_bitcode(&self, krate: &DeviceCrate) -> Result<PathBuf, Error> {
        self.build(krate, "bitcode", OPTIMISED)
    }

    /// As [`Tools::device_bitcode`], but not optimised: for crates of kernels, which a [`crate::PtxBuild`]
    /// optimises at its level and for its architecture.
    ///
    /// # Errors
    /// As [`Tools::device_bitcode`].
    pub fn device_module(&self, krate: &DeviceCrate) -> Result<PathBuf, Error> {
        self.build(krate, "module", UNOPTIMISED)
    }

    fn build(&self, krate: &DeviceCrate, kind: &str, passes: &str) -> Result<PathBuf, Error> {
        krate.check()?;
        krate.check_exports()?;
        let key = krate
            .with_sources(self.key("device crate")?.with_all([passes, REWRITES]))
            .with(b"exports")
            .with_all(krate.exports.iter().copied());
        let file = format!("{}.bc", krate.name);
        let entry = self.cache.entry(kind, &key, |dir| {
            let scratch = self.cache.scratch()?;
            let output = dir.join(&file);
            let (linked, dynamic) = self.link_crate(krate, scratch.path())?;
            run(command(self.llvm.program("opt"))
                .arg(format!("-passes={passes}"))
                .arg(format!("-internalize-public-api-list={}", krate.exports.join(",")))
                .arg(&linked)
                .arg("-o")
                .arg(&output))?;
            self.check_symbol_table(krate, &dynamic, &output)
        })?;
        Ok(entry.join(file))
    }

    fn key(&self, purpose: &str) -> Result<Key, Error> {
        Ok(Key::new(purpose)
            .with_all([self.rust()?.rustc.identity.as_str(), self.llvm.identity.as_str()])
            .with(self.rust()?.library.to_string_lossy().as_bytes())
            .with_all(RUSTC_FLAGS.iter().copied())
            .with(PATHS.as_bytes()))
    }

    /// `core` for the device: `libcore.rmeta`, `libcompiler_builtins.rmeta` and `core.bc`.
    fn core_library(&self) -> Result<PathBuf, Error> {
        let source = self.rust()?.library.join("core/src/lib.rs");
        self.cache.entry("core", &self.key("core")?, |dir| {
            let scratch = self.cache.scratch()?;
            let work = scratch.path();
            run(self
                .rustc(work, "core", "2024")?
                .args(["-Zforce-unstable-if-unmarked", "--cap-lints=allow"])
                .arg(remap(&self.rust()?.library, "/rustc/library"))
                // Debug information contains the folder in which rustc runs.
                .arg(remap(work, "/core"))
                .arg(emit("metadata", &dir.join("libcore.rmeta")))
                .arg(emit("llvm-bc", &work.join("core.bc")))
                .arg(&source))?;
            let builtins = work.join("compiler_builtins.rs");
            fs::write(&builtins, BUILTINS).at("write", &builtins)?;
            run(self
                .rustc(work, "compiler_builtins", "2024")?
                .args(["-Zforce-unstable-if-unmarked", "--cap-lints=allow"])
                .arg(with_crate(dir, "core"))
                .arg(emit("metadata", &dir.join("libcompiler_builtins.rmeta")))
                .arg(&builtins))?;
            let text = work.join("core.ll");
            run(command(self.llvm.program("llvm-dis")).arg(work.join("core.bc")).arg("-o").arg(&text))?;
            rewrite(&text, neutral)?;
            run(command(self.llvm.program("llvm-as")).arg(&text).arg("-o").arg(dir.join("core.bc")))?;
            Ok(())
        })
    }

    fn rustc(&self, directory: &Path, name: &str, edition: &str) -> Result<Command, Error> {
        let mut rustc = command(&self.rust()?.rustc.path);
        rustc
            .current_dir(directory)
            // The flags above are unstable; `core` is compiled by the compiler that it belongs to.
            .env("RUSTC_BOOTSTRAP", "1")
            .env_remove("RUSTFLAGS")
            .args(["--crate-name", name, "--crate-type=rlib", "--edition", edition])
            .args(RUSTC_FLAGS);
        Ok(rustc)
    }

    /// The crates that `krate` uses directly or indirectly, each after its dependencies.
    fn libraries<'a>(&self, krate: &'a DeviceCrate<'a>, core: &Path) -> Result<Vec<Library<'a>>, Error> {
        fn visit<'a>(
            tools: &Tools,
            krate: &'a DeviceCrate<'a>,
            core: &Path,
            known: &mut Vec<Library<'a>>,
        ) -> Result<(), Error> {
            for used in krate.dependencies {
                visit(tools, used, core, known)?;
                let dir = tools.library(used, core, known)?;
                match known.iter().find(|library| library.krate.name == used.name) {
                    None => known.push(Library { krate: used, dir }),
                    Some(library) if library.dir == dir => {}
                    Some(_) => {
                        return Err(
                            krate.invalid(format!("two different crates have the name {}", used.name))
                        );
                    }
                }
            }
            Ok(())
        }
        let mut known = Vec::new();
        visit(self, krate, core, &mut known)?;
        Ok(known)
    }

    /// Metadata and bitcode of a crate that others use.
    fn library(&self, krate: &DeviceCrate, core: &Path, known: &[Library]) -> Result<PathBuf, Error> {
        self.cache.entry("library", &krate.with_sources(self.key("library")?), |dir| {
            let scratch = self.cache.scratch()?;
            let metadata = dir.join(format!("lib{}.rmeta", krate.name));
            let mut rustc = self.compile(krate, core, known, scratch.path())?;
            run(rustc
                .arg(emit("metadata", &metadata))
                .arg(emit("llvm-bc", &dir.join(format!("{}.bc", krate.name)))))?;
            Ok(())
        })
    }

    /// Writes the crate's files below `work` and returns the command that compiles them there.
    fn compile(
        &self,
        krate: &DeviceCrate,
        core: &Path,
        known: &[Library],
        work: &Path,
    ) -> Result<Command, Error> {
        krate.write(work)?;
        let mut rustc = self.rustc(work, krate.name, krate.edition)?;
        rustc
            .arg("-Cno-prepopulate-passes")
            .args([with_crate(core, "core"), with_crate(core, "compiler_builtins")])
            .arg(remap(work, &format!("/{}", krate.name)))
            .arg("src/lib.rs");
        // Crates that metadata names are found in these folders; crates that the source names must be its own
        // dependencies.
        for dir in known.iter().map(|library| library.dir.as_path()).chain([core]) {
            rustc.arg(format!("-Ldependency={}", dir.display()));
        }
        let direct =
            |library: &&Library| krate.dependencies.iter().any(|used| used.name == library.krate.name);
        rustc.args(known.iter().filter(direct).map(|library| with_crate(&library.dir, library.krate.name)));
        Ok(rustc)
    }

    /// Links the crate, its dependencies and what they need of `core` to one module. Returns it and the names
    /// of the arrays in dynamic shared memory.
    fn link_crate(&self, krate: &DeviceCrate, work: &Path) -> Result<(PathBuf, BTreeSet<String>), Error> {
        let core = self.core_library()?;
        let libraries = self.libraries(krate, &core)?;
        let folder = work.join("crate");
        let compiled = work.join("crate.bc");
        let mut rustc = self.compile(krate, &core, &libraries, &folder)?;
        run(rustc.arg(emit("llvm-bc", &compiled)))?;

        let text = work.join("crate.ll");
        let mut link = command(self.llvm.program("llvm-link"));
        link.arg("-S").arg(&compiled);
        link.args(krate.ir_files(&folder));
        for Library { krate: used, dir } in &libraries {
            let sources = work.join("libraries").join(used.name);
            used.write(&sources)?;
            link.arg(dir.join(format!("{}.bc", used.name))).args(used.ir_files(&sources));
        }
        run(link.arg("-o").arg(&text))?;
        rewrite(&text, |line| hidden(&convergent(&neutral(line))))?;
        let linked_text = without_lines(&fs::read_to_string(&text).at("read", &text)?);
        let (linked_text, dynamic) = shared(&linked_text).map_err(|reason| krate.invalid(reason))?;
        fs::write(&text, linked_text).at("write", &text)?;

        let linked = work.join("linked.bc");
        run(command(self.llvm.program("llvm-link"))
            .arg("--only-needed")
            .arg(&text)
            .arg(core.join("core.bc"))
            .arg("-o")
            .arg(&linked))?;
        Ok((linked, dynamic))
    }

    /// Checks that all exports are defined and nothing else is undefined. `dynamic` are arrays in dynamic
    /// shared memory, which the launch allocates.
    fn check_symbol_table(
        &self,
        krate: &DeviceCrate,
        dynamic: &BTreeSet<String>,
        bitcode: &Path,
    ) -> Result<(), Error> {
        let listing = |option: &str| -> Result<BTreeSet<String>, Error> {
            let mut nm = command(self.llvm.program("llvm-nm"));
            let output = run(nm.args([option, "--extern-only", "--just-symbol-name"]).arg(bitcode))?;
            Ok(String::from_utf8_lossy(&output.stdout).split_whitespace().map(String::from).collect())
        };
        let undefined = listing("--undefined-only")?;
        let missing: Vec<&str> = undefined
            .difference(dynamic)
            .map(String::as_str)
            .filter(|name| !DRIVER_FUNCTIONS.contains(name))
            .collect();
        if !missing.is_empty() {
            return Err(krate.invalid(format!("undefined: {}", missing.join(", "))));
        }
        let defined = listing("--defined-only")?;
        match krate.exports.iter().find(|export| !defined.contains(**export)) {
            Some(export) => Err(krate.invalid(format!("exported but not defined: {export}"))),
            None => Ok(()),
        }
    }
}

fn emit(kind: &str, path: &Path) -> String {
    format!("--emit={kind}={}", path.display())
}

fn with_crate(dir: &Path, name: &str) -> String {
    format!("--extern={name}={}", dir.join(format!("lib{name}.rmeta")).display())
}

fn remap(from: &Path, to: &str) -> String {
    format!("--remap-path-prefix={}={to}", from.display())
}

/// Replaces each line of a file by the result of `change`.
fn rewrite(path: &Path, change: impl Fn(&str) -> String) -> Result<(), Error> {
    let text = fs::read_to_string(path).at("read", path)?;
    let mut changed = String::with_capacity(text.len());
    for line in text.lines() {
        changed.push_str(&change(line));
        changed.push('\n');
    }
    fs::write(path, changed).at("write", path)
}

/// Removes line information from the functions of the section `.without_lines`, and the section from the
/// functions.
///
/// The runtime's functions that call a program's functions through pointers are in it. OpenMPOpt makes direct calls
/// of such calls, those of LLVM 23 without a line, which a function with lines must not contain. LLVM 22 produces
/// invalid line information for a function into which it inlines a user's function without any, into which in turn
/// functions with line information are inlined. Linking with `-foffload-lto` then fails.
fn without_lines(text: &str) -> String {
    const SECTION: &str = " section \".without_lines\"";
    let mut changed = String::with_capacity(text.len());
    let mut inside = false;
    for line in text.lines() {
        inside |= line.starts_with("define ") && line.contains(SECTION);
        let mark = if line.starts_with("define ") { " !dbg !" } else { ", !dbg !" };
        match line.split_once(mark) {
            Some((before, after)) if inside => {
                let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
                changed.push_str(&before.replace(SECTION, ""));
                changed.push_str(&rest.replace(SECTION, ""));
            }
            _ if inside => changed.push_str(&line.replace(SECTION, "")),
            _ => changed.push_str(line),
        }
        changed.push('\n');
        inside &= line != "}";
    }
    changed
}

/// Moves statics of the section `.shared` to shared memory. Also returns the names of arrays in shared memory
/// that the module only declares.
fn shared(text: &str) -> Result<(String, BTreeSet<String>), String> {
    const SECTION: &str = ", section \".shared\"";
    let definition = |line: &str| {
        let (name, rest) = line.strip_prefix('@')?.split_once(" = ")?;
        rest.contains(SECTION).then(|| name.to_string())
    };
    let names: BTreeSet<String> = text.lines().filter_map(definition).collect();
    let declared = |line: &str| {
        let (name, rest) = line.strip_prefix('@')?.split_once(" = ")?;
        rest.starts_with("external addrspace(3) global ").then(|| name.to_string())
    };
    let dynamic = text.lines().filter_map(declared).collect();

    let mut changed = String::with_capacity(text.len());
    for line in text.lines() {
        if let Some(name) = definition(line) {
            let no_value = format!(" undef{SECTION}");
            if !line.contains(" global ") || !line.contains(&no_value) {
                return Err(format!("{name} is in shared memory, which cannot have an initial value"));
            }
            let line = line.replacen(" global ", " addrspace(3) global ", 1);
            changed.push_str(&line.replacen(SECTION, "", 1));
        } else {
            in_shared_memory(line, &names, &mut changed);
        }
        changed.push('\n');
    }
    Ok((changed, dynamic))
}

/// Replaces each of these names in a line by the generic address of the variable in shared memory.
fn in_shared_memory(line: &str, names: &BTreeSet<String>, changed: &mut String) {
    let mut rest = line;
    while let Some(at) = rest.find('@') {
        let (before, from) = rest.split_at(at);
        let end = from[1..].find(|c: char| !(c.is_ascii_alphanumeric() || "_$.-".contains(c)));
        let (name, after) = from.split_at(end.map_or(from.len(), |end| end + 1));
        changed.push_str(before);
        match names.contains(&name[1..]) {
            true => changed.push_str(&format!("addrspacecast (ptr addrspace(3) {name} to ptr)")),
            false => changed.push_str(name),
        }
        rest = after;
    }
    changed.push_str(rest);
}

/// Removes the architecture from an attribute group.
fn neutral(line: &str) -> String {
    if !line.starts_with("attributes #") {
        return line.to_string();
    }
    let mut line = line.to_string();
    for attribute in [" \"target-cpu\"=\"", " \"target-features\"=\""] {
        if let Some(start) = line.find(attribute) {
            let value = start + attribute.len();
            let end = line[value..].find('"').map_or(line.len(), |quote| value + quote + 1);
            line.replace_range(start..end, "");
        }
    }
    line
}

/// Adds the attribute `convergent` to a function's first line and to calls through a pointer. Intrinsics and
/// calls by name keep their attributes.
fn convergent(line: &str) -> String {
    let is_function = line.starts_with("define ") || line.starts_with("declare ");
    let intrinsic = is_function && line.contains(" @llvm.");
    if intrinsic || !(is_function || calls_pointer(line)) || line.contains(" convergent") {
        return line.to_string();
    }
    // Attributes are between the parameters and metadata or body; single ones may precede a group.
    let parameters = line.rfind(')').map_or(0, |at| at + 1);
    let rest = &line[parameters..];
    let at = [" #", " !", " {"].iter().filter_map(|mark| rest.find(mark)).min().unwrap_or(rest.len());
    let (head, tail) = line.split_at(parameters + at);
    format!("{head} convergent{tail}")
}

/// Gives an external function hidden visibility: a compiler that links the result into a program can then
/// remove functions that it has inlined everywhere, and weak ones that nobody calls. The project's own weak functions are
/// for whoever looks at a program.
fn hidden(line: &str) -> String {
    const LOCAL: [&str; 4] = ["internal ", "private ", "hidden ", "protected "];
    if let Some(rest) = line.strip_prefix("define weak ") {
        let is_local = LOCAL.iter().any(|word| rest.starts_with(word)) || rest.contains("@__warpfold_");
        return if is_local { line.to_string() } else { format!("define weak hidden {rest}") };
    }
    match line.strip_prefix("define ") {
        Some(rest) if !LOCAL.iter().any(|word| rest.starts_with(word)) => format!("define hidden {rest}"),
        _ => line.to_string(),
    }
}

/// Whether a line of IR is a call whose callee is a register: `call void %f(ptr %x)`.
fn calls_pointer(line: &str) -> bool {
    let Some(call) = line.find("call ").filter(|&at| line[..at].ends_with([' ', '='])) else { return false };
    let callee =
        line[call..].split(' ').skip(1).find(|word| word.starts_with(['%', '@']) && word.contains('('));
    callee.is_some_and(|word| word.starts_with('%'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn valid<'a>() -> DeviceCrate<'a> {
        DeviceCrate {
            name: "k",
            edition: "2024",
            sources: &[("src/lib.rs", "")],
            exports: &["f"],
            dependencies: &[],
        }
    }

    #[test]
    fn invalid_descriptions_are_rejected() {
        assert!(valid().check().is_ok());
        let invalid = [
            DeviceCrate { name: "a-b", ..valid() },
            DeviceCrate { name: "", ..valid() },
            DeviceCrate { sources: &[("src/main.rs", "")], ..valid() },
            DeviceCrate { sources: &[("src/lib.rs", ""), ("../x.rs", "")], ..valid() },
            DeviceCrate { sources: &[("src/lib.rs", ""), ("/etc/x.rs", "")], ..valid() },
            DeviceCrate { dependencies: &[DeviceCrate { name: "a-b", ..valid() }], ..valid() },
        ];
        for krate in invalid {
            assert!(matches!(krate.check(), Err(Error::Input { .. })), "{krate:?}");
        }
        assert!(valid().check_exports().is_ok());
        for exports in [&[][..], &["f,g"]] {
            let krate = DeviceCrate { exports, ..valid() };
            assert!(matches!(krate.check_exports(), Err(Error::Input { .. })), "{krate:?}");
        }
    }

    #[test]
    fn architecture_attributes_are_removed_and_others_stay() {
        let line = r#"attributes #0 = { nounwind "target-cpu"="sm_70" "x"="y" "target-features"="+ptx70" }"#;
        assert_eq!(neutral(line), r#"attributes #0 = { nounwind "x"="y" }"#);
        assert_eq!(neutral(r#"@s = constant "target-cpu"="x""#), r#"@s = constant "target-cpu"="x""#);
    }

    #[test]
    fn functions_become_convergent_intrinsics_and_calls_do_not() {
        assert_eq!(
            convergent("define void @f(ptr %p) unnamed_addr #3 !dbg !5 {"),
            "define void @f(ptr %p) unnamed_addr convergent #3 !dbg !5 {"
        );
        assert_eq!(convergent("declare i32 @g(i16 signext) #1"), "declare i32 @g(i16 signext) convergent #1");
        assert_eq!(convergent("declare i32 @g(i16)"), "declare i32 @g(i16) convergent");
        assert_eq!(convergent("define i32 @g() {"), "define i32 @g() convergent {");
        for same in
            ["declare void @llvm.trap() #2", "  call void @f(ptr %p) #4", "define void @h() convergent #0 {"]
        {
            assert_eq!(convergent(same), same);
        }
    }

    #[test]
    fn statics_of_the_section_move_to_shared_memory() {
        let text = "@s = internal global [256 x i8] undef, section \".shared\", align 4\n\
                    @s2 = internal global [4 x i8] undef, align 4\n\
                    @d = external addrspace(3) global [0 x i8], align 16\n\
                    \x20 call void @f(ptr noundef @s, ptr @s2)\n";
        let (changed, dynamic) = shared(text).unwrap();
        let expected = "@s = internal addrspace(3) global [256 x i8] undef, align 4\n\
                        @s2 = internal global [4 x i8] undef, align 4\n\
                        @d = external addrspace(3) global [0 x i8], align 16\n\
                        \x20 call void @f(ptr noundef addrspacecast (ptr addrspace(3) @s to ptr), ptr @s2)\n";
        assert_eq!(changed, expected);
        assert_eq!(dynamic, BTreeSet::from(["d".to_string()]));
        for initial in ["global [4 x i8] zeroinitializer", "constant [4 x i8] undef"] {
            let error = shared(&format!("@s = internal {initial}, section \".shared\"\n")).unwrap_err();
            assert!(error.starts_with("s is in shared memory"), "{error}");
        }
    }

    #[test]
    fn functions_without_lines_lose_them() {
        let text = "define void @f() #0 section \".without_lines\" !dbg !7 {\n  call void @g(), !dbg !8, !noalias !9\n}\n\
                    define void @g() !dbg !10 {\n  ret void, !dbg !11\n}\n";
        let expected = "define void @f() #0 {\n  call void @g(), !noalias !9\n}\n\
                        define void @g() !dbg !10 {\n  ret void, !dbg !11\n}\n";
        assert_eq!(without_lines(text), expected);
    }

    #[test]
    fn external_functions_are_hidden() {
        assert_eq!(hidden("define noundef i32 @f(i32 %x) #0 {"), "define hidden noundef i32 @f(i32 %x) #0 {");
        assert_eq!(hidden("define weak i32 @g() {"), "define weak hidden i32 @g() {");
        for same in ["define internal void @g() {", "define weak void @__warpfold_h() {", "declare void @i()"]
        {
            assert_eq!(hidden(same), same);
        }
    }

    #[test]
    fn calls_through_pointers_become_convergent() {
        for (call, expected) in [
            (
                "  call void %f(ptr noundef %p, i16 noundef signext %_5) #4, !dbg !9",
                "  call void %f(ptr noundef %p, i16 noundef signext %_5) convergent #4, !dbg !9",
            ),
            ("  %r = tail call noundef i32 %_3()", "  %r = tail call noundef i32 %_3() convergent"),
            (
                "  %r = call dereferenceable(8) ptr %f.i(ptr %a) #1",
                "  %r = call dereferenceable(8) ptr %f.i(ptr %a) convergent #1",
            ),
        ] {
            assert_eq!(convergent(call), expected);
        }
        for same in [
            "  %r = call i32 @g(ptr %f)",
            "  store ptr %call, ptr %x",
            "  call void %f() convergent",
            "  %s = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 %b), !dbg !3",
        ] {
            assert_eq!(convergent(same), same);
        }
    }
}
