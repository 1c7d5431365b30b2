//! `warpfold cc`, `c++` and `fc`: the compilers that were found, told where the OpenMP device runtime and NVIDIA's
//! assembler are.

use std::{
    env,
    ffi::{OsStr, OsString},
    os::unix::process::CommandExt,
    path::PathBuf,
    process::Command,
};

use toolchain::{Language, Tools, Version};

use crate::{error::Error, output};

/// What the compiler is called with.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Options {
    /// Print the command instead of running it
    #[arg(long)]
    show: bool,
    /// Make what runs on the emulator only, without NVIDIA's tools; so it is too where there is no ptxas
    #[arg(long)]
    emulator: bool,
    /// The compiler's arguments, after the options above. Added are -fopenmp and, unless one is given, --offload-arch=sm_90
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    arguments: Vec<OsString>,
}

/// Becomes the compiler.
pub fn run(language: Language, options: &Options) -> Result<(), Error> {
    let tools = Tools::find()?;
    let compiler = tools.offload_compiler(language)?;
    let library = device_library::openmp_library(&tools)?;
    let ptxas = if options.emulator { None } else { tools.ptxas_if_any()? };
    let ptxas_is_missing = ptxas.is_none() && !options.emulator;
    let cuda = match (ptxas, language) {
        (None, _) => {
            let this = env::current_exe();
            let this = this.map_err(|source| Error::Program { program: "warpfold".into(), source })?;
            tools.stand_in_cuda_dir(&this)?
        }
        // clang gets lines from the runtime into what it assembles, and with them the PTX stays in it; flang links
        // the runtime later.
        (_, Language::Fortran) => tools.cuda_dir_that_keeps_ptx()?,
        (_, Language::C | Language::Cpp) => tools.cuda_dir()?,
    };
    if ptxas_is_missing {
        output::note(
            "warpfold: no ptxas was found: what this makes runs on the emulator only; `warpfold setup` brings it",
        );
    }
    let has_gpu = || host_rt::Device::open(host_rt::Select::Cuda).is_ok();
    let ptxas = tools.ptxas_if_any()?.map(|ptxas| ptxas.version);
    doubts(&options.arguments, ptxas, has_gpu)
        .iter()
        .for_each(|doubt| output::note(format_args!("warpfold: {doubt}")));
    let environment = [
        ("LIBRARY_PATH", before("LIBRARY_PATH", library)),
        // clang and flang look here for ptxas; flang has no option for it.
        ("PATH", before("PATH", cuda.join("bin"))),
    ];
    let mut command = Command::new(&compiler);
    command.arg("-fopenmp").args((!says_where(&options.arguments)).then_some("--offload-arch=sm_90"));
    command.args(&options.arguments);
    if lines_without_optimisation(&options.arguments) {
        // clang hands PTX for a debugger to a ptxas that optimises, which refuses it.
        command.args(["-Xoffload-linker", "-g"]);
    }
    if options.show {
        let shown = environment.iter().map(|(name, value)| format!("{name}={}", quoted(value)));
        let words = std::iter::once(compiler.as_os_str()).chain(command.get_args()).map(quoted);
        return output::line(shown.chain(words).collect::<Vec<_>>().join(" "));
    }
    let source = command.envs(environment).exec();
    Err(Error::Program { program: compiler.display().to_string(), source })
}

/// Whether the arguments say what to compile device code for.
fn says_where(arguments: &[OsString]) -> bool {
    const OPTIONS: [&str; 3] = ["--offload-arch", "-fopenmp-targets", "--no-offload-arch"];
    arguments
        .iter()
        .any(|argument| OPTIONS.iter().any(|option| argument.to_string_lossy().starts_with(option)))
}

/// What the compiler will refuse, or should, and what to write instead: its own words name no cure.
fn doubts(arguments: &[OsString], ptxas: Option<Version>, has_gpu: impl Fn() -> bool) -> Vec<String> {
    const CURE: &str = "--offload-arch=sm_90 is an H100's or H200's, sm_80 an A100's, sm_100 a B200's, and the \
                        emulator runs any";
    let words: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let lists = words.iter().filter_map(|word| word.strip_prefix("--offload-arch="));
    let mut doubts = Vec::new();
    for architecture in lists.flat_map(|list| list.split(',')) {
        let number = architecture.strip_prefix("sm_").map(|number| number.trim_end_matches(['a', 'f']));
        match number.map(str::parse::<u32>) {
            None if architecture == "native" && !has_gpu() => {
                doubts.push(format!("native asks this machine's GPU, and there is none: {CURE}"));
            }
            None if architecture == "native" => {}
            None => doubts.push(format!("{architecture} is no NVIDIA GPU's architecture: {CURE}")),
            Some(Ok(number)) if number < 70 => {
                doubts.push(format!("{architecture} is too old: the runtime is for sm_70 and newer. {CURE}"));
            }
            Some(Ok(number)) if number < 75 && ptxas.is_some_and(|ptxas| ptxas.major >= 13) => {
                doubts.push(format!("ptxas 13 knows sm_75 and newer, {architecture} takes CUDA 12. {CURE}"));
            }
            Some(Ok(number)) if toolchain::ptx_version(number).is_some() => {}
            Some(_) => doubts.push(format!("no {architecture} is known here: {CURE}")),
        }
    }
    let any = |prefixes: &[&str]| words.iter().any(|word| prefixes.iter().any(|p| word.starts_with(p)));
    let named = any(&["--offload-arch=", "-march=sm_", "--cuda-gpu-arch="]);
    if any(&["-fopenmp-targets=nvptx64"]) && !named && !has_gpu() {
        doubts.push(format!(
            "-fopenmp-targets= alone asks this machine's GPU, and there is none; write --offload-arch= instead: {CURE}"
        ));
    }
    doubts
}

/// Whether device code is linked before it is compiled (`-foffload-lto`), not optimised, and with line tables only.
fn lines_without_optimisation(arguments: &[OsString]) -> bool {
    let words: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let last = |prefix: &str| words.iter().rfind(|word| word.starts_with(prefix)).map(|word| &**word);
    last("-foffload-lto").is_some_and(|word| !word.ends_with("=none"))
        && matches!(last("-g"), Some("-gline-tables-only" | "-gmlt" | "-g1"))
        && matches!(last("-O"), None | Some("-O0"))
}

/// A list of folders with one before those that the environment has.
pub fn before(variable: &str, folder: PathBuf) -> OsString {
    let given = env::var_os(variable).filter(|given| !given.is_empty());
    let folders = [folder].into_iter().chain(given.iter().flat_map(env::split_paths));
    // A folder with a colon in its name cannot be in such a list.
    env::join_paths(folders).unwrap_or_default()
}

/// A word as a shell reads it back.
pub fn quoted(word: impl AsRef<OsStr>) -> String {
    let word = word.as_ref().to_string_lossy().into_owned();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./:,@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_change_them() {
        for (word, shown) in
            [("-O2", "-O2"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("", "''"), ("$X", "'$X'")]
        {
            assert_eq!(quoted(word), shown);
        }
    }

    #[test]
    fn line_tables_in_linked_device_code_without_optimisation_need_help() {
        let needs = |words: &str| {
            lines_without_optimisation(&words.split(' ').map(OsString::from).collect::<Vec<_>>())
        };
        assert!(needs("-foffload-lto -gline-tables-only x.c") && needs("-g1 -O2 -O0 -foffload-lto=full"));
        for words in ["-gline-tables-only", "-foffload-lto -g", "-foffload-lto -O1 -g1", "-foffload-lto"] {
            assert!(!needs(words), "{words}");
        }
    }

    #[test]
    fn architectures_that_cannot_be_are_doubted() {
        let doubted = |words: &str, gpu: bool| {
            doubts(
                &words.split(' ').map(OsString::from).collect::<Vec<_>>(),
                Some(Version::new(13, 0, 0)),
                || gpu,
            )
            .join("; ")
        };
        for (words, said) in [
            ("--offload-arch=sm_999 x.c", "no sm_999 is known"),
            ("--offload-arch=sm_90,sm_35", "sm_35 is too old"),
            ("--offload-arch=sm_70", "sm_70 takes CUDA 12"),
            ("--offload-arch=gfx90a", "gfx90a is no NVIDIA GPU's"),
            ("--offload-arch=native", "native asks this machine's GPU"),
            ("-O2 -fopenmp-targets=nvptx64 x.c", "write --offload-arch= instead"),
        ] {
            let found = doubted(words, false);
            assert!(found.contains(said) && found.contains("--offload-arch=sm_90"), "{words}: {found}");
        }
        for words in [
            "-O2 x.c",
            "--offload-arch=sm_80,sm_90a",
            "-fopenmp-targets=nvptx64-nvidia-cuda -Xopenmp-target -march=sm_80",
        ] {
            assert_eq!(doubted(words, false), "");
        }
        assert_eq!(doubted("--offload-arch=native -fopenmp-targets=nvptx64", true), "");
    }

    #[test]
    fn a_target_that_is_given_stays() {
        let says = |words: &[&str]| says_where(&words.iter().map(OsString::from).collect::<Vec<_>>());
        assert!(says(&["-O2", "--offload-arch=sm_80", "x.c"]));
        assert!(says(&["-fopenmp-targets=nvptx64-nvidia-cuda"]));
        assert!(!says(&["-O2", "x.c"]));
    }
}
