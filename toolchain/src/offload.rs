//! OpenMP programs: compiling host code with device code for the GPU.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::cache::{Key, file_sha256};
use crate::error::IoContext;
use crate::find::find_offload;
use crate::flang::{Attempt, DEVICE_OPTIONS};
use crate::narrow_stores::{AWK, CANDIDATES, without_narrow_stores};
use crate::path_list::prepended;
use crate::prebuilt::{ARCHIVE, BITCODE};
use crate::process::{command, output_of, run};
use crate::tool::{Rejected, clang_hint, missing, offload_hint};
use crate::{Cache, DeviceCode, Error, OptLevel, Purpose, Tools};

/// A shell script that replaces NVIDIA's ptxas (at the path `ptxas`) for compilers that offload.
///
/// It adds `-lineinfo`, so that the cubin keeps the PTX, for compilers that pass no options, such as flang; a
/// debug build keeps it anyway. flang 22, and clang 22 at -O0, mark PTX that has line information as `debug`,
/// which ptxas does not optimise; flang names the locks of critical regions with a leading dot, which PTX does
/// not allow; and LLVM stores parts of floating-point registers (`narrow_stores.rs`): ptxas gets a copy with all
/// that changed.
pub fn ptxas_script(ptxas: &Path) -> String {
    let ptxas = quoted(ptxas);
    format!(
        r#"#!/bin/sh
# NVIDIA's ptxas for clang and flang: keeps the PTX in the cubin, and accepts flang's. Made by warpfold.
mark='/^\.target/s/, debug$//' lines=-lineinfo copies=
for word; do case $word in -g | --device-debug) mark='' lines='' ;; -lineinfo) lines='' ;; esac; done
for word; do
    shift
    case $word in
    *.s)
        if grep -Eq '^\.target.*, debug$|\.gomp_critical_user_|{CANDIDATES}' "$word" 2>/dev/null; then
            copies=$(mktemp -d) || exit 1
            awk '{AWK}' "$word" "$word" |
                sed "s/\.gomp_critical_user_\([A-Za-z0-9_]*\)\.var/_gomp_critical_user_\1_var/g; $mark" \
                    >"$copies/in.s"
            word=$copies/in.s
        fi
        ;;
    esac
    set -- "$@" "$word"
done
{ptxas} $lines "$@"
code=$?
[ -z "$copies" ] || rm -r "$copies"
exit $code
"#
    )
}

/// The math library in CUDA's folder `nvvm/libdevice`.
const MATH: &str = "libdevice.10.bc";

/// An empty device module.
const EMPTY_MODULE: &str = "\
target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"
target triple = \"nvptx64-nvidia-cuda\"
";

/// An OpenMP program to be compiled with offloading.
#[derive(Clone, Copy, Debug)]
pub struct OffloadBuild<'a> {
    /// The translation units by name and text. The ending of the first one's name (`main.c`, `main.cpp`,
    /// `main.f90`) selects the compiler.
    pub units: &'a [(&'a str, &'a str)],
    /// The device architecture: 90 for sm_90.
    pub sm: u32,
    /// The optimisation level of host and device code.
    pub opt: OptLevel,
    /// Whether device code is optimised as a whole program (`-foffload-lto`, the default of `warpfold cc`) or
    /// each file by itself. flang has the first only.
    pub lto: bool,
    /// Further options.
    pub options: &'a [&'a str],
}

impl OffloadBuild<'_> {
    fn device_code(&self) -> DeviceCode {
        if self.lto { DeviceCode::Program } else { DeviceCode::File }
    }
}

/// The language of an OpenMP program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C, by clang.
    C,
    /// C++, by clang++.
    Cpp,
    /// Fortran, by flang.
    Fortran,
}

impl Language {
    /// The language of a file, by its extension; C if it is unknown.
    pub fn of(name: &str) -> Language {
        match Path::new(name).extension().and_then(|ending| ending.to_str()) {
            Some("cpp" | "cc" | "cxx") => Language::Cpp,
            Some("f90") => Language::Fortran,
            _ => Language::C,
        }
    }
}

impl Cache {
    /// A folder with programs `ptxas` and `nvlink` that call `program stand-in NAME` instead of NVIDIA's
    /// assembler and linker.
    ///
    /// # Errors
    /// [`Error::Io`] if files cannot be written.
    pub fn stand_in_bin(&self, program: &Path) -> Result<PathBuf, Error> {
        Ok(self.stand_in(program, Path::new(""))?.join("bin"))
    }

    /// A folder for this program and math library; its `bin` has these programs.
    fn stand_in(&self, program: &Path, math: &Path) -> Result<PathBuf, Error> {
        let paths = [program, math].map(|path| path.to_string_lossy());
        let key = Key::new("stand-in").with_all(paths.iter().map(|path| &**path)).hex();
        let path = Path::new("stand-in").join(key);
        for name in ["ptxas", "nvlink"] {
            let text = format!("#!/bin/sh\nexec {} stand-in {name} \"$@\"\n", quoted(program));
            self.script(&path.join("bin").join(name), &text)?;
        }
        Ok(self.root().join(path))
    }

    /// Writes an executable shell script.
    pub(crate) fn script(&self, path: &Path, text: &str) -> Result<(), Error> {
        let script = self.put(path, text.as_bytes())?;
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).at("make executable", &script)
    }

    /// Makes `at` a symbolic link to `target`, also while other processes do the same.
    pub(crate) fn link(&self, target: &Path, at: &Path) -> Result<(), Error> {
        if fs::read_link(at).is_ok_and(|known| known == target) {
            return Ok(());
        }
        let folder = at.parent().unwrap_or(Path::new("/"));
        fs::create_dir_all(folder).at("create", folder)?;
        let scratch = self.scratch()?;
        let fresh = scratch.path().join("link");
        symlink(target, &fresh).at("link", &fresh)?;
        fs::rename(&fresh, at).at("link", at)
    }
}

/// A path, quoted for the shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.to_string_lossy().replace('\'', "'\\''"))
}

/// The runtime's LLVM IR for programs that are optimised as a whole, where there is one copy of it: variables in shared
/// memory may become private to the program, so that LLVM removes what only writes them. Files that are compiled by
/// themselves have copies that the linker merges: there `llvm.used` keeps the names. Inline assembly with a comment of the
/// form `// in a program: f` is replaced by a call of `f`, a function of another member, which LLVM inlines when it knows the
/// caller.
fn whole_program(text: &str) -> String {
    const SHARED: &str = "ptr addrspacecast (ptr addrspace(3) @";
    let line = |line: &str| {
        if let Some(assembly) = InlineAssembly::of(line) {
            return assembly.call();
        }
        if let Some((name, rest)) = line.split_once(" = weak protected addrspace(3) ") {
            return format!("{name} = weak hidden addrspace(3) {rest}\n");
        }
        let used = line
            .strip_prefix("@llvm.used = appending global [")
            .and_then(|rest| rest.split_once(" x ptr] ["));
        let Some((names, rest)) = used.and_then(|(_, rest)| rest.split_once(']')) else {
            return format!("{line}\n");
        };
        let kept: Vec<&str> = names.split(", ").filter(|name| !name.starts_with(SHARED)).collect();
        format!("@llvm.used = appending global [{} x ptr] [{}]{rest}\n", kept.len(), kept.join(", "))
    };
    let declarations: BTreeSet<String> =
        text.lines().filter_map(InlineAssembly::of).map(|assembly| assembly.declaration()).collect();
    text.lines().map(line).chain(declarations).collect()
}

/// A line of LLVM IR with inline assembly that a function replaces in whole programs:
/// `%r = call noundef i32 asm "… // in a program: f", "=r,r"(i32 %v) #1, !dbg !2`.
struct InlineAssembly<'t> {
    /// What stands before `asm`.
    before: &'t str,
    function: &'t str,
    /// The types of its value and of its one parameter.
    returned: &'t str,
    parameter: &'t str,
    argument: &'t str,
    /// The line's debugging information.
    metadata: &'t str,
}

impl<'t> InlineAssembly<'t> {
    fn of(line: &'t str) -> Option<Self> {
        let (before, rest) = line.split_once(" asm \"")?;
        let (text, rest) = rest.split_once('"')?;
        let (_, function) = text.split_once("// in a program: ")?;
        let (_, rest) = rest.split_once("\"(")?;
        let (argument, rest) = rest.split_once(')')?;
        let metadata = rest.find(", !").map_or("", |at| &rest[at..]);
        let returned = before.rsplit(' ').next()?;
        let parameter = argument.split(' ').next()?;
        Some(InlineAssembly { before, function, returned, parameter, argument, metadata })
    }

    fn call(&self) -> String {
        let InlineAssembly { before, function, argument, metadata, .. } = self;
        format!("{before} @{function}({argument}){metadata}\n")
    }

    fn declaration(&self) -> String {
        let InlineAssembly { function, returned, parameter, .. } = self;
        format!("declare {returned} @{function}({parameter}) nounwind willreturn memory(none)\n")
    }
}

impl Tools {
    /// The compiler of a language; checks that everything else that it needs to offload is installed.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] without the compiler, LLVM's OpenMP runtime or its linker wrappers.
    pub fn offload_compiler(&self, language: Language) -> Result<PathBuf, Error> {
        let clang = self.clang()?;
        if self.saved.is_none() {
            find_offload(Some(&clang)).map_err(|rejected| {
                missing("LLVM's OpenMP offloading", Purpose::Offload, &rejected, &offload_hint())
            })?;
        }
        match language {
            Language::C => Ok(clang.path),
            Language::Cpp => {
                // `clang++` beside `clang`, `clang++-22` beside `clang-22`.
                let name = clang.path.file_name().unwrap_or_default().to_string_lossy();
                let path = clang.path.with_file_name(name.replacen("clang", "clang++", 1));
                let candidate = || Rejected { path: path.clone(), reason: String::from("does not exist") };
                match path.is_file() {
                    true => Ok(path),
                    false => Err(missing("clang++", Purpose::Offload, &[candidate()], &clang_hint())),
                }
            }
            Language::Fortran => Ok(self.flang()?.path),
        }
    }

    /// A folder in which clang finds `bitcode` as its OpenMP device runtime. The result is cached.
    ///
    /// The archive, which clang links whole programs with, has it without the symbols that only separate compilation
    /// needs. `members` are its further members, as name and LLVM IR; the linker takes one only if it is needed.
    ///
    /// # Errors
    /// [`Error::Command`] if the archiver or the assembler fails, [`Error::Io`] or [`Error::Cache`] if files
    /// cannot be written.
    pub fn offload_library(&self, bitcode: &Path, members: &[(&str, &str)]) -> Result<PathBuf, Error> {
        let key =
            Key::new("offload library, an archive for whole programs, with functions for inline assembly")
                .with_all([&*file_sha256(bitcode)?, &self.llvm.identity])
                .with_all(members.iter().flat_map(|(name, text)| [*name, *text]));
        self.cache.entry("offload", &key, |dir| {
            let copy = dir.join(BITCODE);
            fs::copy(bitcode, &copy).at("write", &copy)?;
            let scratch = self.cache.scratch()?;
            let disassembled = scratch.path().join("runtime.ll");
            run(command(self.llvm.program("llvm-dis")).arg(&copy).arg("-o").arg(&disassembled))?;
            let text = fs::read_to_string(&disassembled).at("read", &disassembled)?;
            let runtime = (BITCODE, whole_program(&text));
            let members = members.iter().map(|(name, text)| (*name, (*text).to_owned()));
            let mut archiver = command(self.llvm.program("llvm-ar"));
            archiver.current_dir(dir).args(["rcsD", ARCHIVE]);
            for (name, text) in std::iter::once(runtime).chain(members) {
                let (text_path, member) = (scratch.path().join("member.ll"), scratch.path().join(name));
                fs::write(&text_path, text).at("write", &text_path)?;
                // The bitcode contains the source's name as given here.
                let mut assembler = command(self.llvm.program("llvm-as"));
                run(assembler.current_dir(scratch.path()).arg("member.ll").arg("-o").arg(&member))?;
                archiver.arg(member);
            }
            run(&mut archiver)?;
            Ok(())
        })
    }

    /// A copy of the CUDA folder (links) whose `ptxas` is [`ptxas_script`]. Kept in the cache.
    ///
    /// # Errors
    /// As [`Tools::ptxas`]; [`Error::Io`] if files cannot be written.
    pub fn cuda_dir_that_keeps_ptx(&self) -> Result<PathBuf, Error> {
        let (ptxas, cuda) = (self.ptxas()?, self.cuda_dir()?);
        let path = Path::new("cuda-keeps-ptx").join(ptxas.version.to_string());
        let dir = self.cache.root().join(&path);
        // clang and flang take the folder above ptxas's folder as the CUDA folder.
        let link_all = |from: &Path, to: &Path, except: &str| -> Result<(), Error> {
            for entry in
                fs::read_dir(from).at("read", from)?.flatten().filter(|entry| entry.file_name() != except)
            {
                self.cache.link(&entry.path(), &to.join(entry.file_name()))?;
            }
            Ok(())
        };
        link_all(&cuda, &dir, "bin")?;
        link_all(&cuda.join("bin"), &dir.join("bin"), "ptxas")?;
        let script = ptxas_script(&ptxas.path);
        self.cache.script(&path.join("bin/ptxas"), &script)?;
        Ok(dir)
    }

    /// A folder that clang accepts as CUDA folder, in which `program` replaces `ptxas` and `nvlink`. The math
    /// library is NVIDIA's if installed, otherwise empty. Kept in the cache.
    ///
    /// # Errors
    /// [`Error::Command`] if LLVM's assembler fails, [`Error::Io`] or [`Error::Cache`] if files cannot be
    /// written.
    pub fn stand_in_cuda_dir(&self, program: &Path) -> Result<PathBuf, Error> {
        let theirs = self.cuda_dir().map(|cuda| cuda.join("nvvm/libdevice"));
        let math = match theirs {
            Ok(math) if math.join(MATH).is_file() => math,
            _ => {
                self.cache.entry("libdevice", &Key::new("empty").with_all([&*self.llvm.identity]), |dir| {
                    let (source, file) = (dir.join("empty.ll"), dir.join(MATH));
                    fs::write(&source, EMPTY_MODULE).at("write", &source)?;
                    run(command(self.llvm.program("llvm-as")).arg(&source).arg("-o").arg(&file))?;
                    Ok(())
                })?
            }
        };
        // The compilers take the folder above ptxas's folder as the CUDA folder.
        let dir = self.cache.stand_in(program, &math)?;
        self.cache.link(&math, &dir.join("nvvm/libdevice"))?;
        for folder in ["include", "lib"].map(|name| dir.join(name)) {
            fs::create_dir_all(&folder).at("create", &folder)?;
        }
        Ok(dir)
    }

    /// The compiler of an OpenMP program with its options, without files: the runtime in `library`
    /// ([`Tools::offload_library`]), the architecture, the level and, for clang, its configuration file.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] without the compiler or NVIDIA's assembler, [`Error::Io`] if files in the cache
    /// cannot be written.
    pub fn offload_command(
        &self,
        language: Language,
        build: &OffloadBuild,
        library: &Path,
    ) -> Result<Command, Error> {
        let mut compile = command(self.offload_compiler(language)?);
        // flang has no option for the CUDA folder; both compilers look for ptxas in PATH.
        let cuda = self.cuda_dir_that_keeps_ptx()?;
        compile.env("LIBRARY_PATH", library).env("PATH", prepended("PATH", &cuda.join("bin"))?);
        if language != Language::Fortran {
            compile.arg(format!("--config={}", self.clang_config(build.device_code())?.display()));
        }
        compile
            .args([build.opt.flag(), "-fopenmp"])
            .arg(format!("--offload-arch=sm_{}", build.sm))
            .args(build.options);
        Ok(compile)
    }

    /// Options behind a program's files that link libatomic where the host's part of a reduction calls it, as clang's does for
    /// values of more than 8 bytes. None where there is no such library.
    ///
    /// # Errors
    /// As [`Tools::clang`].
    pub fn atomic_library(&self) -> Result<&'static [&'static str], Error> {
        let name = "libatomic.so";
        let option = format!("-print-file-name={name}");
        // The name itself is printed where there is no file.
        let found = output_of(&self.clang()?.path, &[&option]).is_some_and(|path| path.trim() != name);
        Ok(if found { &["-Wl,--push-state,--as-needed", "-latomic", "-Wl,--pop-state"] } else { &[] })
    }

    /// An option for links: GNU's linker then does not read the libraries of LLVM's host runtime, which takes longer than
    /// the link itself. The loader still says what a shared library lacks.
    pub const LINK_OPTION: &str = "-Wl,--allow-shlib-undefined";

    /// Compiles an OpenMP program with device code that is linked with the runtime in `library`
    /// ([`Tools::offload_library`]); the path of the executable, kept in the cache.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] without the compiler or NVIDIA's assembler, [`Error::Command`] with the
    /// compiler's diagnostics, [`Error::Input`] for a unit whose name is not one of a file.
    pub fn offload_program(&self, build: &OffloadBuild, library: &Path) -> Result<PathBuf, Error> {
        let (clang, ptxas) = (self.clang()?, self.ptxas()?);
        let language = Language::of(build.units.first().map_or("", |(name, _)| name));
        for (name, _) in build.units {
            if !matches!(*Path::new(name).components().collect::<Vec<_>>(), [Component::Normal(_)]) {
                let reason = String::from("a translation unit's name must be a plain file name");
                return Err(Error::Input { name: (*name).to_string(), reason });
            }
        }
        let mut compile = self.offload_command(language, build, library)?;
        let options: Vec<String> =
            compile.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
        let key = Key::new("offload program")
            .with_all([
                &*clang.identity,
                &*self.llvm.identity,
                &*ptxas.identity,
                &ptxas_script(&ptxas.path),
                &*file_sha256(&library.join(BITCODE))?,
            ])
            .with_all(build.units.iter().flat_map(|(name, text)| [*name, *text]))
            .with(b"options")
            .with_all(options.iter().map(String::as_str))
            .with_all([build.device_code().clang_config()])
            .with_all(if language == Language::Fortran { &DEVICE_OPTIONS[..] } else { &[] }.iter().copied());
        let entry = self.cache.entry("program", &key, |dir| {
            let scratch = self.cache.scratch()?;
            for (name, text) in build.units {
                let path = scratch.path().join(name);
                fs::write(&path, text).at("write", &path)?;
            }
            compile.current_dir(scratch.path()).args(build.units.iter().map(|(name, _)| name));
            compile.arg("-o").arg(dir.join("program")).arg(Tools::LINK_OPTION).args(self.atomic_library()?);
            let steps = match language {
                Language::Fortran => self.flang_steps(&compile, library)?,
                _ => None,
            };
            let Some(steps) = steps else { return run(&mut compile).map(drop) };
            steps.run(&compile, &mut |step, attempt| match (run(step), attempt) {
                (Err(_), Attempt::First) => Ok(false),
                (result, _) => result.map(|_| true),
            })?;
            Ok(())
        })?;
        Ok(entry.join("program"))
    }

    /// The PTX of one C unit's device code, optimised by itself with the runtime in `library`
    /// ([`Tools::offload_library`]), as clang produces it when it compiles an object. Kept in the cache.
    ///
    /// # Errors
    /// As [`Tools::offload_program`]; [`Error::Input`] for a unit without device code.
    pub fn offload_ptx(
        &self,
        name: &str,
        text: &str,
        sm: u32,
        opt: OptLevel,
        library: &Path,
    ) -> Result<String, Error> {
        let (clang, cuda) = (self.clang()?, self.cuda_dir()?);
        let key = Key::new("offload ptx without narrow stores")
            .with_all([&*clang.identity, &*file_sha256(&library.join(BITCODE))?, name, text, opt.flag()])
            .with_all([&*sm.to_string(), DeviceCode::File.clang_config()]);
        let config = self.clang_config(DeviceCode::File)?;
        let entry = self.cache.entry("offload-ptx", &key, |dir| {
            let scratch = self.cache.scratch()?;
            let path = scratch.path().join(name);
            fs::write(&path, text).at("write", &path)?;
            run(command(&clang.path)
                .current_dir(scratch.path())
                .env("LIBRARY_PATH", library)
                .args([opt.flag(), "-fopenmp", "--offload-device-only", "-c", "-save-temps", name])
                .arg(format!("--config={}", config.display()))
                .arg(format!("--offload-arch=sm_{sm}"))
                .arg(format!("--cuda-path={}", cuda.display())))?;
            let files = fs::read_dir(scratch.path()).at("read", scratch.path())?.flatten();
            let ptx =
                files.map(|file| file.path()).find(|path| path.extension().is_some_and(|end| end == "s"));
            let ptx = ptx.ok_or_else(|| Error::Input {
                name: name.to_string(),
                reason: String::from("clang produced no device code for it"),
            })?;
            let text = fs::read_to_string(&ptx).at("read", &ptx)?;
            let copy = dir.join("unit.ptx");
            fs::write(&copy, without_narrow_stores(text)).at("write", &copy)
        })?;
        let path = entry.join("unit.ptx");
        fs::read_to_string(&path).at("read", &path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_whole_programs_shared_variables_may_become_private() {
        let global =
            |name: &str, linkage: &str| format!("@{name} = {linkage} global [4 x i8] undef, align 4\n");
        let used = |count: u32, names: &str| {
            format!("@llvm.used = appending global [{count} x ptr] [{names}], section \"llvm.metadata\"\n")
        };
        let (team, kept) = ("ptr addrspacecast (ptr addrspace(3) @team to ptr)", "ptr @anchor");
        let text = used(2, &format!("{team}, {kept}"))
            + &global("team", "weak protected addrspace(3)")
            + &global("locks", "weak protected addrspace(1)");
        let expected = used(1, kept)
            + &global("team", "weak hidden addrspace(3)")
            + &global("locks", "weak protected addrspace(1)");
        assert_eq!(whole_program(&text), expected);
    }

    #[test]
    fn in_whole_programs_functions_replace_inline_assembly() {
        let text = "  %a = tail call noundef i32 asm \"mov.b32 $0, $1; // in a program: first\", \"=r,r\"(i32 %v) #57, !dbg !3\n  \
                    %b = call i32 asm \"mov.b32 $0, $1; // in a program: first\", \"=r,r\"(i32 %a)\n  \
                    %c = call i32 asm \"mov.b32 $0, $1;\", \"=r,r\"(i32 %b) #57\n";
        let expected = "  %a = tail call noundef i32 @first(i32 %v), !dbg !3\n  \
                        %b = call i32 @first(i32 %a)\n  \
                        %c = call i32 asm \"mov.b32 $0, $1;\", \"=r,r\"(i32 %b) #57\n\
                        declare i32 @first(i32) nounwind willreturn memory(none)\n";
        assert_eq!(whole_program(text), expected);
    }

    /// Runs the script with a ptxas that prints its arguments and its input; returns the output and the exit
    /// status.
    fn assembled(ptx: &str, options: &[&str]) -> (String, Option<i32>) {
        let folder = tempfile::tempdir().expect("a folder");
        let put = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).expect("a file");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
            path
        };
        let theirs = put(
            "it's ptxas",
            "#!/bin/sh\nfor word; do case $word in *.s) cat \"$word\";; *) echo \"[$word]\";; esac; done\nexit 3\n",
        );
        let (ours, input) = (put("ptxas", &ptxas_script(&theirs)), put("a b.s", ptx));
        // A child that another test forked may still have the scripts open for writing; until they are closed,
        // the system does not execute them.
        for script in [&theirs, &ours] {
            while Command::new(script).output().is_err() {
                std::thread::yield_now();
            }
        }
        let output =
            Command::new(ours).args(["-o", "a cubin"]).arg(&input).args(options).output().expect("it starts");
        assert_eq!(fs::read_to_string(&input).expect("the input"), ptx, "the input is unchanged");
        (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
    }

    #[test]
    fn ptxas_keeps_the_ptx_and_accepts_that_of_flang() {
        let plain = ".target sm_90\nret;\n";
        let all = |options: &str, ptx: &str, more: &str| {
            (format!("{options}[-o]\n[a cubin]\n{ptx}{more}"), Some(3))
        };
        assert_eq!(assembled(plain, &[]), all("[-lineinfo]\n", plain, ""));
        assert_eq!(assembled(plain, &["-lineinfo", "-c"]), all("", plain, "[-lineinfo]\n[-c]\n"));
        let flang = ".target sm_90, debug\nmov.u64 %rd1, .gomp_critical_user_lock.var;\n";
        let named = flang.replace(".gomp_critical_user_lock.var", "_gomp_critical_user_lock_var");
        assert_eq!(assembled(flang, &[]), all("[-lineinfo]\n", &named.replace(", debug", ""), ""));
        assert_eq!(assembled(flang, &["-g"]), all("", &named, "[-g]\n"));
        let narrow = "add.rn.f64 \t%rd3, %rd1, %rd2;\n\tst.b32 \t[%rd4], %rd3;\n";
        let copied = without_narrow_stores(narrow.into());
        assert_ne!(copied, narrow);
        assert_eq!(assembled(narrow, &[]), all("[-lineinfo]\n", &copied, ""));
    }
}
