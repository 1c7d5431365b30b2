//! Runs flang, and says in one sentence what its stack dumps and the linker's messages mean.

use std::{
    collections::BTreeSet,
    io::{self, BufRead, BufReader, IsTerminal, Write},
    path::Path,
    process::{Command, ExitStatus, Stdio},
};

use toolchain::{Attempt, Tools};

use crate::{error::Error, messages};

/// What flang's messages mean.
#[derive(Debug, Default, PartialEq)]
struct Meaning {
    /// Mathematical functions that LLVM has no code for.
    functions: BTreeSet<String>,
    /// Functions of flang's own library.
    library: BTreeSet<String>,
    /// Whether functions of the OpenMP runtime are missing.
    runtime: bool,
    /// Whether LLVM's backend has given up: what follows is a stack dump.
    gave_up: bool,
}

impl Meaning {
    /// Takes a line; returns whether it is to be shown.
    fn take(&mut self, line: &str) -> bool {
        if let Some((_, function)) = line.split_once("no libcall available for f") {
            self.functions.insert(function.trim().to_string());
            return false;
        }
        if line.contains("LLVM ERROR:") || line.contains("error in backend:") {
            self.gave_up = true;
        }
        if let Some((_, rest)) = line.split_once("Undefined reference to '")
            && let Some((name, _)) = rest.split_once('\'')
        {
            if name.starts_with("__kmpc_") {
                self.runtime = true;
                return false;
            }
            self.library.insert(name.to_string());
        }
        !self.gave_up
    }

    /// The sentences.
    fn notes(&self) -> Vec<String> {
        let list = |names: &BTreeSet<String>| {
            names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        };
        let mut notes = Vec::new();
        if !self.functions.is_empty() {
            notes.push(format!(
                "flang 22 does not compile {} for GPUs: call a C function that does it (docs/install.md, \
                 troubleshooting, has the commands)",
                list(&self.functions)
            ));
        } else if self.gave_up {
            notes.push(
                "flang 22 does not compile this device code: real powers, complex division and functions with \
                 complex results are known not to work on GPUs; call a C function that does it (docs/install.md, \
                 troubleshooting, has the commands)"
                    .into(),
            );
        }
        if !self.library.is_empty() {
            notes.push(format!(
                "device code calls {}, which flang's library has for the host only: docs/openmp.md, Fortran, says what \
                 is known not to work",
                list(&self.library)
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

/// Runs flang to the end, with the runtime in `library` where it compiles device code; the exit code.
pub fn run(command: &mut Command, tools: &Tools, library: &Path) -> Result<i32, Error> {
    if io::stderr().is_terminal() {
        // It writes to a pipe now.
        command.arg("-fcolor-diagnostics");
    }
    let failed = |command: &Command, source| Error::Program {
        program: Path::new(command.get_program()).display().to_string(),
        source,
    };
    let Some(steps) = tools.flang_steps(command, library)? else {
        let status = explained(command).map_err(|source| failed(command, source))?;
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
        let status = explained(step).map_err(|source| failed(step, source))?;
        code = status.code().unwrap_or(1);
        Ok(status.success())
    })?;
    Ok(code)
}

/// Runs a command to its end, and explains what it prints.
fn explained(command: &mut Command) -> io::Result<ExitStatus> {
    let mut child = command.stderr(Stdio::piped()).spawn()?;
    let mut meaning = Meaning::default();
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
    meaning.notes().iter().for_each(|note| messages::note(format_args!("warpfold: {note}")));
    Ok(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that are shown, and the notes.
    fn shown(lines: &[&str]) -> (Vec<String>, Vec<String>) {
        let mut meaning = Meaning::default();
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
        assert!(lines.is_empty() && notes[0].contains("complex"), "{lines:?} {notes:?}");
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
