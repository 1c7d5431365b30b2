//! Runs clang and flang, and says in one sentence what their stack dumps and the linker's messages mean.

use std::{
    collections::BTreeSet,
    io::{self, BufRead, BufReader, IsTerminal, Write},
    path::Path,
    process::{Command, ExitStatus, Stdio},
};

use toolchain::{Attempt, Language, Tools};

use crate::Error;

/// What a compiler's messages mean.
#[derive(Debug, PartialEq)]
struct Meaning {
    language: Language,
    /// Mathematical functions that LLVM has no code for.
    functions: BTreeSet<String>,
    /// Functions that device code calls and that are not there.
    undefined: BTreeSet<String>,
    /// Whether functions of the OpenMP runtime are missing.
    runtime: bool,
    /// Why LLVM's backend has given up, if it has: what follows is a stack dump.
    gave_up: Option<String>,
}

impl Meaning {
    fn of(language: Language) -> Meaning {
        let (functions, undefined) = <(BTreeSet<String>, BTreeSet<String>)>::default();
        Meaning { language, functions, undefined, runtime: false, gave_up: None }
    }

    /// Takes a line; returns whether it is to be shown.
    fn take(&mut self, line: &str) -> bool {
        if line.contains("clang-nvlink-wrapper: warning:") && line.contains("loop not vectorized") {
            // GPUs have no vectors: this is said of every `simd` loop, at lines of the runtime.
            return false;
        }
        if line.starts_with("ptxas warning")
            && line.contains(".debug_")
            && line.trim_end().ends_with("section not found")
        {
            // A CUDA file without device code.
            return false;
        }
        if let Some((_, function)) = line.split_once("no libcall available for f") {
            self.functions.insert(function.trim().to_string());
            return false;
        }
        for mark in ["LLVM ERROR:", "error in backend:"] {
            if let (Some((_, reason)), None) = (line.split_once(mark), &self.gave_up) {
                self.gave_up = Some(reason.trim().to_string());
            }
        }
        if let Some((_, rest)) = line.split_once("Undefined reference to '")
            && let Some((name, _)) = rest.split_once('\'')
        {
            if name.starts_with("__kmpc_") {
                self.runtime = true;
                return false;
            }
            self.undefined.insert(name.to_string());
        }
        // clang's dumps are for those who report them.
        self.gave_up.is_none() || self.language != Language::Fortran
    }

    /// The sentences.
    fn notes(&self) -> Vec<String> {
        let list = |names: &BTreeSet<String>| {
            names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        };
        let mut notes = Vec::new();
        if !self.functions.is_empty() {
            notes.push(format!(
                "flang does not compile {} for GPUs: call a C function that does it (docs/install.md, \
                 troubleshooting, has the commands)",
                list(&self.functions)
            ));
        } else if let (Some(reason), Language::Fortran) = (&self.gave_up, self.language) {
            let known = match reason.contains("complex return types") {
                true => {
                    "functions with complex results, complex division among them, are not compiled for GPUs: call a \
                         C function that does it (docs/install.md, troubleshooting, has the commands)"
                }
                false => "docs/openmp.md, Fortran, says what is known not to work",
            };
            notes.push(format!("flang does not compile this device code (LLVM: {reason}); {known}"));
        }
        if !self.undefined.is_empty() {
            notes.push(format!(
                "device code calls what is not in it: {}; {}",
                list(&self.undefined),
                match self.language {
                    Language::Fortran => {
                        "flang's library has functions for the host only: docs/openmp.md, Fortran, says what is \
                         known not to work"
                    }
                    _ => {
                        "a function of the program needs `#pragma omp declare target`, and docs/openmp.md lists the \
                         device's functions of C's library"
                    }
                }
            ));
        }
        if self.runtime {
            notes.push(
                "the OpenMP runtime is missing for an object file of Fortran: compile the C and C++ files with \
                 `warpfold cc` and `c++` without `-fno-offload-lto`, or with `clang -foffload-lto`"
                    .into(),
            );
        }
        notes
    }
}

/// Runs clang to the end; the exit code. Its messages are shown on standard error, and `note` gets sentences that say what they
/// mean.
///
/// # Errors
///
/// It cannot be started.
pub fn run(language: Language, command: &mut Command, note: &dyn Fn(&str)) -> Result<i32, Error> {
    keep_colors(command);
    let status = explained(language, command, note).map_err(|source| failed(command, source))?;
    Ok(status.code().unwrap_or(1))
}

/// Messages go through a pipe.
fn keep_colors(command: &mut Command) {
    if io::stderr().is_terminal() {
        command.arg("-fcolor-diagnostics");
    }
}

fn failed(command: &Command, source: io::Error) -> Error {
    Error::Program { program: Path::new(command.get_program()).display().to_string(), source }
}

/// As [`run`], flang, with the runtime in `library` where it compiles device code.
///
/// # Errors
///
/// It cannot be started, and tools that it needs are missing.
pub fn run_flang(
    command: &mut Command,
    tools: &Tools,
    library: &Path,
    note: &dyn Fn(&str),
) -> Result<i32, Error> {
    keep_colors(command);
    let Some(steps) = tools.flang_steps(command, library)? else {
        let status = explained(Language::Fortran, command, note).map_err(|source| failed(command, source))?;
        return Ok(status.code().unwrap_or(1));
    };
    let mut code = 0;
    steps.run(command, &mut |step, attempt| {
        if attempt == Attempt::First {
            let output = step.output().map_err(|source| failed(step, source))?;
            if output.status.success() {
                let _ = io::stderr().write_all(&output.stderr);
            }
            return Ok::<_, Error>(output.status.success());
        }
        let status = explained(Language::Fortran, step, note).map_err(|source| failed(step, source))?;
        code = status.code().unwrap_or(1);
        Ok(status.success())
    })?;
    Ok(code)
}

/// Runs a command to its end, and explains what it prints.
fn explained(language: Language, command: &mut Command, note: &dyn Fn(&str)) -> io::Result<ExitStatus> {
    let mut child = command.stderr(Stdio::piped()).spawn()?;
    let mut meaning = Meaning::of(language);
    if let Some(stderr) = child.stderr.take() {
        let mut reader = BufReader::new(stderr);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 {
            if meaning.take(&String::from_utf8_lossy(&line)) {
                io::stderr().write_all(&line)?;
            }
            line.clear();
        }
    }
    let status = child.wait()?;
    meaning.notes().iter().for_each(|sentence| note(sentence));
    Ok(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that are shown, and the notes.
    fn shown(lines: &[&str]) -> (Vec<String>, Vec<String>) {
        shown_of(Language::Fortran, lines)
    }

    fn shown_of(language: Language, lines: &[&str]) -> (Vec<String>, Vec<String>) {
        let mut meaning = Meaning::of(language);
        let shown = lines.iter().filter(|line| meaning.take(line)).map(|line| line.to_string()).collect();
        (shown, meaning.notes())
    }

    #[test]
    fn stack_dumps_become_a_sentence() {
        let (lines, notes) = shown(&[
            "a.f90:3:1: warning: w",
            "error: no libcall available for fexp",
            "error: no libcall available for fsin",
            "LLVM ERROR: Cannot select: 0x5: ch = NVPTXISD::CALL",
            "Stack dump:",
            " #0 0x0 llvm::sys::PrintStackTrace",
        ]);
        assert_eq!(lines, ["a.f90:3:1: warning: w"]);
        assert!(notes.len() == 1 && notes[0].contains("`exp`, `sin`"), "{notes:?}");
        let (lines, notes) = shown(&["fatal error: error in backend: handle complex return types", "1. x"]);
        assert!(lines.is_empty() && notes[0].contains("complex division"), "{lines:?} {notes:?}");
        let (lines, notes) = shown(&["LLVM ERROR: Broken module found", "Stack dump:"]);
        assert!(lines.is_empty() && notes[0].contains("Broken module"), "{lines:?} {notes:?}");
        assert!(!notes[0].contains("complex"), "{notes:?}");
    }

    #[test]
    fn messages_of_clang_are_shown_and_those_about_vectors_are_not() {
        let (lines, notes) = shown_of(
            Language::C,
            &[
                "/usr/bin/clang-nvlink-wrapper: warning: src/openmp/x.rs:29:17: loop not vectorized: the optimizer",
                "nvlink error   : Undefined reference to 'rand' in 'x.cubin'",
                "LLVM ERROR: Broken module found",
                " #0 0x0 llvm::sys::PrintStackTrace",
            ],
        );
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert!(notes.len() == 1 && notes[0].contains("`rand`; a function of the program"), "{notes:?}");
    }

    #[test]
    fn undefined_references_are_explained() {
        let (lines, notes) =
            shown(&["nvlink error   : Undefined reference to '_FortranAAssign' in 'x.cubin'"]);
        assert!(lines.len() == 1 && notes[0].contains("`_FortranAAssign`"), "{lines:?} {notes:?}");
        let (lines, notes) = shown(&["nvlink error   : Undefined reference to '__kmpc_barrier' in 'x'"]);
        assert!(lines.is_empty() && notes[0].contains("warpfold cc"), "{lines:?} {notes:?}");
        assert_eq!(shown(&["error: Semantic errors in x.f90"]).1, [""; 0]);
    }
}
