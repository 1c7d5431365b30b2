//! Compiles a program for the host and for the device, with the same compiler and options.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use toolchain::{Language, Tools};

use super::programs::Program;
use crate::process::{self, Limits};

/// What a compiler may take.
const TIME_LIMIT: Duration = Duration::from_secs(300);

/// Where target regions run.
#[derive(Clone, Copy)]
pub enum Target<'a> {
    /// On the host: by the compiler itself, without offloading.
    Host(&'a Tools),
    /// On the device.
    Device {
        /// The program that compiles for it.
        warpfold: &'a Path,
        /// Whether reports need lines.
        lines: bool,
    },
}

impl Target<'_> {
    fn compiler(self, language: Language) -> Result<Command, String> {
        match self {
            Target::Host(tools) => {
                let compiler = tools.offload_compiler(language).map_err(|error| error.to_string())?;
                let mut command = Command::new(compiler);
                command.args(["--no-default-config", "-fopenmp"]);
                Ok(command)
            }
            Target::Device { warpfold, .. } => {
                let mut command = Command::new(warpfold);
                command.arg(match language {
                    Language::C => "cc",
                    Language::Cpp => "c++",
                    Language::Fortran => "fc",
                });
                Ok(command)
            }
        }
    }
}

/// Compiles a program into a folder; its path, or the first error. The folder gets all other files, too.
pub fn build(program: &Program, target: Target, memory: u64, folder: &Path) -> Result<PathBuf, String> {
    let path = folder.join("program");
    let is = |language| program.sources.iter().any(|source| source.1 == language);
    let of_program =
        [Language::Fortran, Language::Cpp, Language::C].into_iter().find(|language| is(*language));
    let of_program = of_program.unwrap_or(Language::C);
    let (libraries, options): (Vec<_>, Vec<_>) =
        program.options.iter().partition(|option| option.starts_with("-l"));
    let start = |language| -> Result<Command, String> {
        let mut command = target.compiler(language)?;
        // The program's own options come later and win.
        if let Target::Device { lines: true, .. } = target {
            // flang 22 crashes with `-gline-tables-only` at -O0.
            command.arg(if language == Language::Fortran { "-g" } else { check_reports::LINES });
        }
        command.current_dir(&program.folder).args(&options);
        if language == Language::Fortran {
            command.arg("-module-dir").arg(folder);
        }
        Ok(command)
    };
    let mut link = start(of_program)?;
    for (number, (source, language)) in program.sources.iter().enumerate() {
        if *language == of_program {
            link.arg(source);
        } else {
            // clang++ takes C for C++, and flang compiles neither.
            let object = folder.join(format!("{number}.o"));
            run(start(*language)?.arg("-c").arg(source).arg("-o").arg(&object), memory)?;
            link.arg(object);
        }
    }
    if let Target::Host(tools) = target {
        link.arg(host_memory(tools, memory, folder)?);
    }
    link.arg("-o").arg(&path).args(libraries);
    if of_program == Language::Fortran && is(Language::Cpp) {
        link.arg("-lstdc++");
    }
    run(&mut link, memory)?;
    Ok(path)
}

/// An object with the host's `omp_target_alloc` and related routines.
fn host_memory(tools: &Tools, memory: u64, folder: &Path) -> Result<PathBuf, String> {
    let (source, object) = (folder.join("host_memory.c"), folder.join("host_memory.o"));
    fs::write(&source, include_str!("host_memory.c"))
        .map_err(|error| format!("cannot write {}: {error}", source.display()))?;
    let mut compile = Target::Host(tools).compiler(Language::C)?;
    run(compile.args(["-O2", "-c"]).arg(source).arg("-o").arg(&object), memory)?;
    Ok(object)
}

/// Runs a compiler; an error is the first of its messages.
fn run(command: &mut Command, memory: u64) -> Result<(), String> {
    let limits = Limits { time: TIME_LIMIT, memory };
    let name = command.get_program().to_string_lossy().into_owned();
    let ran = process::run(command, limits).map_err(|error| format!("cannot run {name}: {error}"))?;
    match ran.status {
        None => Err(format!("the compiler took more than {} s", TIME_LIMIT.as_secs())),
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(first_error(&ran.err.text).unwrap_or(&status.to_string()).to_owned()),
    }
}

/// The first line of a compiler's or linker's messages that is an error.
fn first_error(messages: &str) -> Option<&str> {
    let is_error = |line: &&str| ["error:", "undefined ", "fatal"].iter().any(|mark| line.contains(mark));
    messages.lines().find(is_error).or_else(|| messages.lines().find(|line| !line.trim().is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_is_found_among_warnings() {
        let messages =
            "In file included from a.c:1:\na.c:2:1: warning: unused\na.c:3:5: error: expected ';'\n1 error\n";
        assert_eq!(first_error(messages), Some("a.c:3:5: error: expected ';'"));
        let linker =
            "/usr/bin/ld: a.o: in function `main':\na.c: undefined reference to `f'\nclang: error: linker\n";
        assert_eq!(first_error(linker), Some("a.c: undefined reference to `f'"));
        assert_eq!(first_error("\nKilled\n"), Some("Killed"));
        assert_eq!(first_error(" \n"), None);
    }
}
