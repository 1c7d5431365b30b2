//! flang's steps, with the device runtime's bitcode where device code is compiled.
//!
//! flang links the device runtime only at the end, so that the code of a loop's iteration is called through a pointer and
//! nothing is known of the runtime. Its driver has no option for the step that compiles device code; but it prints all steps
//! (`-###`), and `-fc1`, which that step calls, takes bitcode.

use std::{
    collections::BTreeSet,
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

use crate::{
    BITCODE, Error, Tools,
    error::IoContext,
    find::find_flang,
    process::failed_to_start,
    purpose::Purpose,
    tool::{Tool, flang_hint, missing},
    tools::SavedTools,
};

/// What the compiler of device code gets besides the bitcode. LLVM 22 makes wrong code of local copies of constants. And it
/// is to inline what flang makes of a construct into the kernel, which a reduction in it may make longer than it does by
/// itself: a sum of doubles has 55 registers then instead of 132 and a stack.
pub(crate) const DEVICE_OPTIONS: [&str; 4] =
    ["-mllvm", "-instcombine-max-copied-from-constant-users=0", "-mllvm", "-inline-threshold=1000"];

/// The steps of a call of flang, with temporary files that are deleted in the end.
#[derive(Debug)]
pub struct FlangSteps {
    steps: Vec<Vec<OsString>>,
    bitcode: PathBuf,
    scratch: TempDir,
}

/// How a step is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// If it fails, it is repeated in another way: what it prints is of no interest then.
    First,
    /// If it fails, all have failed.
    Last,
}

impl Tools {
    /// flang, of the same version as the LLVM tools.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] if there is none.
    pub fn flang(&self) -> Result<Tool, Error> {
        if let Some(SavedTools { flang: Some(flang), .. }) = &self.saved {
            return Ok(flang.clone());
        }
        find_flang(Some(&self.llvm))
            .map_err(|rejected| missing("flang", Purpose::Fortran, &rejected, &flang_hint()))
    }

    /// The steps of a call of flang with the runtime in `library` ([`Tools::offload_library`]); `None` if it compiles nothing
    /// for a device, or if flang rejects it: then the call itself says why.
    ///
    /// # Errors
    /// [`Error::Command`] if flang does not start, [`Error::Io`] if there is no place for temporary files.
    pub fn flang_steps(&self, compile: &Command, library: &Path) -> Result<Option<FlangSteps>, Error> {
        let scratch = self.cache.scratch()?;
        let mut asking = in_place_of(compile, compile.get_program());
        asking.arg("-###").args(compile.get_args()).env("TMPDIR", scratch.path()).env("LC_ALL", "C");
        let output = asking.output().map_err(|error| failed_to_start(&asking, &error))?;
        let steps: Vec<_> = String::from_utf8_lossy(&output.stderr).lines().filter_map(words).collect();
        // Who asks for steps gets those of the driver.
        let prints = compile.get_args().any(|word| word == "-###" || word == "-v");
        let has_device = steps.iter().any(|step| device_code(step).is_some());
        Ok((output.status.success() && has_device && !prints).then(|| FlangSteps {
            steps,
            bitcode: library.join(BITCODE),
            scratch,
        }))
    }
}

impl FlangSteps {
    /// Runs the steps like `compile` by `run`, which says whether one succeeded; whether all did.
    ///
    /// Device code is compiled with the runtime's bitcode. Where LLVM 22 fails at that, as for some kernels with several
    /// parallel regions, it is compiled as flang does by itself.
    ///
    /// # Errors
    /// Those of `run`, and [`Error::Io`] if device code cannot be read or written.
    pub fn run<E: From<Error>>(
        &self,
        compile: &Command,
        run: &mut dyn FnMut(&mut Command, Attempt) -> Result<bool, E>,
    ) -> Result<bool, E> {
        for step in &self.steps {
            let [program, arguments @ ..] = &step[..] else { continue };
            let made = |more: &[&OsStr]| {
                let mut command = in_place_of(compile, program);
                let (first, rest) = arguments.split_at(arguments.len().min(1));
                command.args(first).args(more).args(rest).env("TMPDIR", self.scratch.path());
                command
            };
            if let Some(code) = device_code(step) {
                let mut options = vec![OsStr::new("-mlink-builtin-bitcode"), self.bitcode.as_os_str()];
                options.extend(DEVICE_OPTIONS.map(OsStr::new));
                if run(&mut made(&options), Attempt::First)? {
                    let code = compile.get_current_dir().unwrap_or(Path::new("")).join(code);
                    let ptx = fs::read_to_string(&code).at("read", &code)?;
                    fs::write(&code, with_local_names(&ptx)).at("write", &code)?;
                    continue;
                }
            }
            if !run(&mut made(&[]), Attempt::Last)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A command in the folder and environment of another one.
fn in_place_of(compile: &Command, program: &OsStr) -> Command {
    let mut command = Command::new(program);
    for (name, value) in compile.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    if let Some(folder) = compile.get_current_dir() {
        command.current_dir(folder);
    }
    command
}

/// The words of a line of `-###`, which are all quoted; `None` for other lines.
fn words(line: &str) -> Option<Vec<OsString>> {
    let mut rest = line.strip_prefix(' ')?.chars().peekable();
    let mut words = Vec::new();
    while rest.peek().is_some() {
        if rest.next() != Some('"') {
            return None;
        }
        let mut word = String::new();
        loop {
            match rest.next()? {
                '"' => break,
                '\\' => word.push(rest.next()?),
                other => word.push(other),
            }
        }
        words.push(word.into());
        if !matches!(rest.next(), None | Some(' ')) {
            return None;
        }
    }
    (!words.is_empty()).then_some(words)
}

/// The file of PTX that a step writes, if it compiles device code to PTX.
fn device_code(step: &[OsString]) -> Option<&OsStr> {
    let has = |word: &str| step.iter().any(|other| other == word);
    let is_device = has("-fc1") && has("-fopenmp-is-target-device") && has("-S");
    let output = step.iter().position(|word| word == "-o")?;
    step.get(output + 1).filter(|_| is_device && has("nvptx64-nvidia-cuda")).map(OsString::as_os_str)
}

/// PTX in which the runtime's functions that are local have names of their own: NVIDIA's device linker takes a local function
/// for the one of that name that another object needs.
fn with_local_names(ptx: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.' | '%');
    let name = |line: &str| {
        let rest = line.strip_prefix(".func")?.trim_start();
        let rest = match rest.strip_prefix('(') {
            Some(result) => result.split_once(')')?.1.trim_start(),
            None => rest,
        };
        let name = rest.split(|c| !is_word(c)).next()?;
        let is_runtime =
            ["__kmpc_", "__warpfold_", "omp_", "ompx_"].iter().any(|start| name.starts_with(start));
        is_runtime.then(|| name.to_owned())
    };
    let locals: BTreeSet<String> = ptx.lines().filter_map(name).collect();
    let mut out = String::with_capacity(ptx.len());
    let mut rest = ptx;
    while let Some(begin) = rest.find(is_word) {
        let end = rest[begin..].find(|c| !is_word(c)).map_or(rest.len(), |length| begin + length);
        out.push_str(&rest[..end]);
        if locals.contains(&rest[begin..end]) {
            out.push_str("$local");
        }
        rest = &rest[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_as_flang_prints_them() {
        let line = r#" "/bin/flang" "-fc1" "-triple" "nvptx64-nvidia-cuda" "-S" "-fopenmp-is-target-device" "-o" "a \"b\"\\.s""#;
        let step = words(line).expect("a step");
        assert_eq!(step.len(), 8);
        assert_eq!(device_code(&step), Some(OsStr::new(r#"a "b"\.s"#)));
        for other in ["Target: x86_64-pc-linux-gnu", "", " plain words", r#" "open"#, r#" "a"b"#] {
            assert_eq!(words(other), None, "{other}");
        }
        assert_eq!(device_code(&words(r#" "ptxas" "-o" "x" "nvptx64-nvidia-cuda""#).expect("a step")), None);
    }

    #[test]
    fn local_functions_of_the_runtime_have_names_of_their_own() {
        let ptx = ".extern .func __kmpc_global_thread_num\n.func  (.param .b32 r) __kmpc_barrier\n(\n.func omp_f()\n\
                   .visible .func __kmpc_shown\n.func _QPmine\n call __kmpc_barrier, (x);\n mov.u64 %rd1, omp_f;\n \
                   call __kmpc_barrier_simple, ();\n";
        let made = with_local_names(ptx);
        let expected = ptx
            .replace("__kmpc_barrier\n", "__kmpc_barrier$local\n")
            .replace("__kmpc_barrier,", "__kmpc_barrier$local,")
            .replace("omp_f", "omp_f$local");
        assert_eq!(made, expected);
    }
}
