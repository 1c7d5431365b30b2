//! The device build: a `no_std` Rust crate and LLVM IR files become one bitcode file.
//!
//! rustc is called directly, without cargo and without a network:
//!
//! 1. `core` is compiled once per compiler, from the library source beside it (17 s).
//!    `compiler_builtins` is an empty stand-in: what a device crate needs of it must be in `core`
//!    or in the crate, and anything else shows up as undefined below.
//! 2. The crate is compiled **without LLVM optimisation**. rustc knows no `convergent`: a barrier
//!    reached through a function, or a call through a pointer, would look like any other call, and
//!    LLVM might copy it into divergent arms. So every function and every call through a pointer
//!    first gets the attribute, as clang gives it to device code, and LLVM removes it again where it
//!    proves nothing convergent. rustc's own optimiser of MIR has one such pass, JumpThreading
//!    (rust-lang/rust#137086); it is switched off.
//! 3. Crate, `.ll` files and the needed part of `core` are linked; all but the exports become
//!    internal; then LLVM optimises, with barriers and callbacks known for what they are.
//! 4. Exports get hidden visibility: what a compiler inlines everywhere, it can then drop.
//! 5. The result must define every export and leave nothing undefined. It names no architecture, so
//!    it can be inlined into a module for any.

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
/// `line-directives-only`: with `line-tables-only` the PTX says `debug`, and ptxas then refuses to optimise.
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

/// Passes from the linked module to the result.
const PASSES: &str = "internalize,globaldce,default<O3>,globaldce,strip-dead-prototypes";

/// What is done to the crate's IR between the two, for the cache's key: to be changed with it.
const REWRITES: &str = "neutral; convergent functions, convergent calls of pointers; hidden";

/// What rustc wants to see of `compiler_builtins`.
const BUILTINS: &str = "#![feature(compiler_builtins)]\n#![compiler_builtins]\n#![no_std]\n";

/// A `no_std` crate for the device.
#[derive(Clone, Copy, Debug)]
pub struct DeviceCrate<'a> {
    /// The crate's name, as rustc takes it.
    pub name: &'a str,
    /// The Rust edition, such as `2024`.
    pub edition: &'a str,
    /// Relative paths and contents. `src/lib.rs` is the root; `.ll` files are linked in.
    pub sources: &'a [(&'a str, &'a str)],
    /// The symbols that stay visible.
    pub exports: &'a [&'a str],
}

impl DeviceCrate<'_> {
    fn check(&self) -> Result<(), Error> {
        let fault = |reason: String| Error::Input { name: format!("device crate {}", self.name), reason };
        let identifier = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_alphabetic())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if !identifier(self.name) {
            return Err(fault(String::from("its name is not an identifier")));
        }
        let inside = |path: &str| {
            !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
        };
        if let Some((path, _)) = self.sources.iter().find(|(path, _)| !inside(path)) {
            return Err(fault(format!("source path `{path}` is not relative to the crate")));
        }
        if !self.sources.iter().any(|(path, _)| *path == "src/lib.rs") {
            return Err(fault(String::from("it has no src/lib.rs")));
        }
        if self.exports.is_empty() {
            return Err(fault(String::from("it exports nothing")));
        }
        check_symbols(self.exports).map_err(fault)
    }
}

impl Tools {
    /// Builds a device crate to one bitcode file that defines its exports, has nothing undefined
    /// and names no architecture. The file lies in the cache as `<name>.bc`.
    ///
    /// # Errors
    /// [`Error::Input`] if the crate's description is unfit, an export is not defined or a symbol
    /// is left undefined; [`Error::Command`] with the compiler's words if it does not build.
    pub fn device_bitcode(&self, krate: &DeviceCrate) -> Result<PathBuf, Error> {
        krate.check()?;
        let key = self
            .key("device crate")
            .with_all([PASSES, REWRITES, krate.name, krate.edition])
            .with_all(krate.sources.iter().flat_map(|(path, text)| [*path, *text]))
            .with(b"exports")
            .with_all(krate.exports.iter().copied());
        let file = format!("{}.bc", krate.name);
        let entry = self
            .cache
            .entry("bitcode", &key, |dir| self.build(krate, &self.core_library()?, &dir.join(&file)))?;
        Ok(entry.join(file))
    }

    fn key(&self, purpose: &str) -> Key {
        Key::new(purpose)
            .with_all([self.rust.rustc.identity.as_str(), self.llvm.identity.as_str()])
            .with(self.rust.library.to_string_lossy().as_bytes())
            .with_all(RUSTC_FLAGS.iter().copied())
    }

    /// `core` for the device: `libcore.rmeta`, `libcompiler_builtins.rmeta` and `core.bc`.
    fn core_library(&self) -> Result<PathBuf, Error> {
        let source = self.rust.library.join("core/src/lib.rs");
        self.cache.entry("core", &self.key("core"), |dir| {
            let scratch = self.cache.scratch()?;
            let work = scratch.path();
            run(self
                .rustc(work, "core", "2024")
                .args(["-Zforce-unstable-if-unmarked", "--cap-lints=allow"])
                .arg(remap(&self.rust.library, "/rustc/library"))
                .arg(emit("metadata", &dir.join("libcore.rmeta")))
                .arg(emit("llvm-bc", &work.join("core.bc")))
                .arg(&source))?;
            let stand_in = work.join("compiler_builtins.rs");
            fs::write(&stand_in, BUILTINS).at("write", &stand_in)?;
            run(self
                .rustc(work, "compiler_builtins", "2024")
                .args(["-Zforce-unstable-if-unmarked", "--cap-lints=allow"])
                .arg(with_crate(dir, "core"))
                .arg(emit("metadata", &dir.join("libcompiler_builtins.rmeta")))
                .arg(&stand_in))?;
            let text = work.join("core.ll");
            run(command(self.llvm.program("llvm-dis")).arg(work.join("core.bc")).arg("-o").arg(&text))?;
            rewrite(&text, neutral)?;
            run(command(self.llvm.program("llvm-as")).arg(&text).arg("-o").arg(dir.join("core.bc")))?;
            Ok(())
        })
    }

    fn rustc(&self, directory: &Path, name: &str, edition: &str) -> Command {
        let mut rustc = command(&self.rust.rustc.path);
        rustc
            .current_dir(directory)
            // The flags above are unstable; the compiler is the one whose `core` we build.
            .env("RUSTC_BOOTSTRAP", "1")
            .env_remove("RUSTFLAGS")
            .args(["--crate-name", name, "--crate-type=rlib", "--edition", edition])
            .args(RUSTC_FLAGS);
        rustc
    }

    fn build(&self, krate: &DeviceCrate, core: &Path, output: &Path) -> Result<(), Error> {
        let scratch = self.cache.scratch()?;
        let work = scratch.path();
        for (path, text) in krate.sources {
            let path = work.join(path);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).at("create", parent)?;
            }
            fs::write(&path, text).at("write", &path)?;
        }
        let compiled = work.join("crate.bc");
        run(self
            .rustc(work, krate.name, krate.edition)
            .arg("-Cno-prepopulate-passes")
            .args([with_crate(core, "core"), with_crate(core, "compiler_builtins")])
            .arg(remap(work, &format!("/{}", krate.name)))
            .arg(emit("llvm-bc", &compiled))
            .arg("src/lib.rs"))?;

        let text = work.join("crate.ll");
        let ir_files = krate.sources.iter().map(|(path, _)| *path).filter(|path| path.ends_with(".ll"));
        run(command(self.llvm.program("llvm-link"))
            .arg("-S")
            .arg(&compiled)
            .args(ir_files.map(|path| work.join(path)))
            .arg("-o")
            .arg(&text))?;
        rewrite(&text, |line| hidden(&convergent(&neutral(line))))?;

        let linked = work.join("linked.bc");
        run(command(self.llvm.program("llvm-link"))
            .arg("--only-needed")
            .arg(&text)
            .arg(core.join("core.bc"))
            .arg("-o")
            .arg(&linked))?;
        run(command(self.llvm.program("opt"))
            .arg(format!("-passes={PASSES}"))
            .arg(format!("-internalize-public-api-list={}", krate.exports.join(",")))
            .arg(&linked)
            .arg("-o")
            .arg(output))?;
        self.check_symbol_table(krate, output)
    }

    fn check_symbol_table(&self, krate: &DeviceCrate, bitcode: &Path) -> Result<(), Error> {
        let fault = |reason: String| Error::Input { name: format!("device crate {}", krate.name), reason };
        let listing = |option: &str| -> Result<BTreeSet<String>, Error> {
            let mut nm = command(self.llvm.program("llvm-nm"));
            let output = run(nm.args([option, "--extern-only", "--just-symbol-name"]).arg(bitcode))?;
            Ok(String::from_utf8_lossy(&output.stdout).split_whitespace().map(String::from).collect())
        };
        let undefined = listing("--undefined-only")?;
        if !undefined.is_empty() {
            let list = undefined.into_iter().collect::<Vec<_>>().join(", ");
            return Err(fault(format!("left undefined: {list}")));
        }
        let defined = listing("--defined-only")?;
        match krate.exports.iter().find(|export| !defined.contains(**export)) {
            Some(export) => Err(fault(format!("exported but not defined: {export}"))),
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

/// Replaces each line of a file by what `change` makes of it.
fn rewrite(path: &Path, change: impl Fn(&str) -> String) -> Result<(), Error> {
    let text = fs::read_to_string(path).at("read", path)?;
    let mut changed = String::with_capacity(text.len());
    for line in text.lines() {
        changed.push_str(&change(line));
        changed.push('\n');
    }
    fs::write(path, changed).at("write", path)
}

/// An attribute group without the architecture the code was compiled for.
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

/// A function's first line, or a call through a pointer, with the attribute `convergent`. Intrinsics
/// say themselves what they are, and so does a function that is called by its name.
fn convergent(line: &str) -> String {
    let is_function = line.starts_with("define ") || line.starts_with("declare ");
    let intrinsic = is_function && line.contains(" @llvm.");
    if intrinsic || !(is_function || calls_pointer(line)) || line.contains(" convergent") {
        return line.to_string();
    }
    // Attributes follow the parameters and come before metadata and body; one that is spelled out
    // may stand before a group.
    let parameters = line.rfind(')').map_or(0, |at| at + 1);
    let rest = &line[parameters..];
    let at = [" #", " !", " {"].iter().filter_map(|mark| rest.find(mark)).min().unwrap_or(rest.len());
    let (head, tail) = line.split_at(parameters + at);
    format!("{head} convergent{tail}")
}

/// A function that others see, with hidden visibility: a compiler that links the result into a program
/// may then drop what it has inlined everywhere.
fn hidden(line: &str) -> String {
    const LOCAL: [&str; 4] = ["internal ", "private ", "hidden ", "protected "];
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
        DeviceCrate { name: "k", edition: "2024", sources: &[("src/lib.rs", "")], exports: &["f"] }
    }

    #[test]
    fn unfit_descriptions_are_refused() {
        assert!(valid().check().is_ok());
        let unfit = [
            DeviceCrate { name: "a-b", ..valid() },
            DeviceCrate { name: "", ..valid() },
            DeviceCrate { sources: &[("src/main.rs", "")], ..valid() },
            DeviceCrate { sources: &[("src/lib.rs", ""), ("../x.rs", "")], ..valid() },
            DeviceCrate { sources: &[("src/lib.rs", ""), ("/etc/x.rs", "")], ..valid() },
            DeviceCrate { exports: &[], ..valid() },
            DeviceCrate { exports: &["f,g"], ..valid() },
        ];
        for krate in unfit {
            assert!(matches!(krate.check(), Err(Error::Input { .. })), "{krate:?}");
        }
    }

    #[test]
    fn architecture_attributes_go_and_others_stay() {
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
    fn functions_that_others_see_are_hidden() {
        assert_eq!(hidden("define noundef i32 @f(i32 %x) #0 {"), "define hidden noundef i32 @f(i32 %x) #0 {");
        for same in ["define internal void @g() {", "define hidden void @h() {", "declare void @i()"] {
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
