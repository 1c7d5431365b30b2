//! `warpfold nvcc`: calls NVIDIA's compiler for programs that run on the emulator and on GPUs.

use std::{ffi::OsString, mem, os::unix::process::CommandExt, process::Command};

use clap::Args as _;
use terminal_text::quoted;

use crate::{driver, error::Error, output};

/// Options of `warpfold nvcc`.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Options {
    /// Print the command instead of running it
    #[arg(long)]
    show: bool,
    /// nvcc's arguments, before or after the option above; unless given, -cudart shared, -lineinfo and -arch=sm_90 are
    /// added
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    arguments: Vec<OsString>,
}

/// What is added, and the options of nvcc that it is not added with.
const ADDED: [(&[&str], &[&str]); 3] = [
    (&["-cudart", "shared"], &["-cudart", "--cudart"]),
    // A debug build has lines already.
    (&["-lineinfo"], &["-lineinfo", "--generate-line-info", "-G", "--device-debug"]),
    (
        &["-arch=sm_90"],
        &["-arch", "--gpu-architecture", "-gencode", "--generate-code", "-code", "--gpu-code"],
    ),
];

/// Host compilers that are tried in this order where nvcc's own choice, g++, is not installed.
const HOST_COMPILERS: [&str; 2] = ["clang++-22", "clang++"];

/// Runs nvcc in place of this process.
pub fn run(mut options: Options) -> Result<(), Error> {
    let count = options.arguments.len();
    options.arguments.retain(|argument| argument != "--show");
    options.show |= options.arguments.len() < count;
    let arguments = mem::take(&mut options.arguments);
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        return help();
    }
    let toolkit = driver::cuda_toolkit()?;
    let mut command = Command::new(toolkit.nvcc());
    command.args(added(&arguments));
    if !has(&arguments, &["-ccbin", "--compiler-bindir"])
        && std::env::var_os("NVCC_CCBIN").is_none()
        && !is_in_path("g++")
        && let Some(compiler) = HOST_COMPILERS.into_iter().find(|name| is_in_path(name))
    {
        command.args(["-ccbin", compiler]);
    }
    command.args(&arguments);
    if options.show {
        let words = std::iter::once(command.get_program()).chain(command.get_args()).map(quoted);
        return output::line(words.collect::<Vec<_>>().join(" "));
    }
    let program = toolkit.nvcc().display().to_string();
    Err(Error::Program { program, source: command.exec() })
}

/// What nvcc gets besides the user's arguments.
fn added(arguments: &[OsString]) -> impl Iterator<Item = &'static str> {
    ADDED.into_iter().filter(|(_, others)| !has(arguments, others)).flat_map(|(words, _)| words).copied()
}

/// Whether one of nvcc's options is among the arguments; its value may be part of the word.
fn has(arguments: &[OsString], options: &[&str]) -> bool {
    arguments.iter().any(|argument| {
        let word = argument.to_string_lossy();
        options.contains(&word.split_once('=').map_or(&*word, |(name, _)| name))
    })
}

fn is_in_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

/// Shows this command's options, and where nvcc's are.
fn help() -> Result<(), Error> {
    let command = Options::augment_args(clap::Command::new("warpfold nvcc").max_term_width(100));
    let about = "Calls NVIDIA's compiler with what programs need to run on the emulator, too";
    output::line(command.about(about).render_help())?;
    let toolkit = driver::cuda_toolkit()?;
    output::line(format_args!(
        "All other options are nvcc's: `{} --help` lists them",
        toolkit.nvcc().display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_chose_is_not_added() {
        let of = |words: &str| {
            let words: Vec<_> = words.split(' ').map(OsString::from).collect();
            added(&words).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of("-O2 a.cu -o a"), "-cudart shared -lineinfo -arch=sm_90");
        assert_eq!(of("-cudart static a.cu"), "-lineinfo -arch=sm_90");
        assert_eq!(of("--cudart=static -G a.cu"), "-arch=sm_90");
        for words in ["-arch=sm_80", "-arch sm_80", "-gencode arch=compute_80,code=sm_80"] {
            assert_eq!(of(words), "-cudart shared -lineinfo", "{words}");
        }
    }
}
