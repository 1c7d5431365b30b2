//! `warpfold cc`, `c++` and `fc`: call the compilers with the paths of the OpenMP device runtime and NVIDIA's
//! assembler.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs, mem,
    num::ParseIntError,
    path::Path,
    process::Command,
};

use clap::{Args as _, ValueEnum as _};
use cuda_driver::settings::{GpuModel, UnknownGpuModel};
use output_files::FileError;
use terminal_text::quoted;
use toolchain::{DeviceCode, Language, Tools, Version, prepended};

use crate::{
    compiler_messages, device_runtime,
    error::Error,
    llvm::LlvmOptions,
    messages, output,
    parallelize::{self, AllowedOrder, RegionOptions, Target},
    this_program, wrong_code,
};

/// Options of `warpfold cc`, `c++` and `fc`.
#[derive(clap::Args, Clone)]
#[command(disable_help_flag = true)]
pub struct Options {
    #[command(flatten)]
    llvm: LlvmOptions,
    /// Print the command instead of running it
    #[arg(long)]
    show: bool,
    /// Compile for the emulator only, without NVIDIA's tools [default: only if there is no ptxas]
    #[arg(long)]
    emulator: bool,
    /// The GPU to compile for, such as sm_90 or h200: adds --offload-arch
    #[arg(long, value_name = "MODEL")]
    sm: Option<GpuModel>,
    /// Make loops of C files parallel first, as `warpfold parallelize --target` does [default without a TARGET: cpu]
    #[arg(long, value_name = "TARGET", num_args = 0..=1, require_equals = true, default_missing_value = "cpu")]
    parallelize: Option<Target>,
    #[command(flatten)]
    regions: RegionOptions,
    /// The compiler's arguments, before or after the options above; -fopenmp is added and, unless given,
    /// --offload-arch=sm_90
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    arguments: Vec<OsString>,
}

impl Options {
    /// The options with those that are among the compiler's arguments: everybody writes options anywhere.
    pub fn gathered(mut self) -> Result<Options, Error> {
        let mut arguments = mem::take(&mut self.arguments).into_iter();
        let mut kept: Vec<OsString> = Vec::new();
        while let Some(argument) = arguments.next() {
            match argument.to_str().unwrap_or_default() {
                // The compiler's, with a word of its own.
                "-o" | "-mllvm" => kept.extend([argument].into_iter().chain(arguments.next())),
                word if word.starts_with("-X") => kept.extend([argument].into_iter().chain(arguments.next())),
                "--" => kept.extend([argument].into_iter().chain(arguments.by_ref())),
                "--show" => self.show = true,
                "--emulator" => self.emulator = true,
                "--llvm" => self.llvm.major = Some(major(&arguments.next().unwrap_or_default())?),
                "--llvm-untried" => self.llvm.untried = true,
                "--parallelize" | "--parallelize=cpu" => self.parallelize = Some(Target::Cpu),
                "--parallelize=gpu" => self.parallelize = Some(Target::Gpu),
                "--auto" => self.regions.auto = true,
                "--assume-distinct" => self.regions.assume_distinct = true,
                "--order" => self.regions.order = Some(order(&arguments.next().unwrap_or_default())?),
                "--sm" => self.sm = Some(model(&arguments.next().unwrap_or_default().to_string_lossy())?),
                word => match word.split_once('=') {
                    Some(("--sm", name)) => self.sm = Some(model(name)?),
                    Some(("--llvm", name)) => self.llvm.major = Some(major(OsStr::new(name))?),
                    Some(("--order", name)) => self.regions.order = Some(order(OsStr::new(name))?),
                    _ => kept.push(argument),
                },
            }
        }
        let RegionOptions { auto, assume_distinct, order } = self.regions;
        if self.parallelize.is_none() && (auto || assume_distinct || order.is_some()) {
            let message = "--auto, --assume-distinct and --order are for --parallelize, which is not there";
            return Err(Error::Usage(message.into()));
        }
        if let Some(sm) = self.sm {
            kept.insert(0, format!("--offload-arch={}", sm.architecture()).into());
        }
        Ok(Options { arguments: kept, ..self })
    }

    /// Whether the user asks for help.
    fn wants_help(&self) -> bool {
        self.arguments.iter().any(|argument| argument == "--help" || argument == "-h")
    }
}

fn model(text: &str) -> Result<GpuModel, Error> {
    text.parse().map_err(|UnknownGpuModel| {
        Error::Usage(format!("--sm {text}: {UnknownGpuModel}; --offload-arch= takes others"))
    })
}

fn major(text: &OsStr) -> Result<u32, Error> {
    let text = text.to_string_lossy();
    text.parse().map_err(|_| Error::Usage(format!("--llvm {text}: not a version of LLVM, such as 23")))
}

fn order(text: &OsStr) -> Result<AllowedOrder, Error> {
    let text = text.to_string_lossy();
    AllowedOrder::from_str(&text, false).map_err(|_| Error::Usage(format!("--order {text}: free or fixed")))
}

/// Shows this command's options, and where the compiler's are.
fn help(language: Language) -> Result<(), Error> {
    let name = match language {
        Language::C => "warpfold cc",
        Language::Cpp => "warpfold c++",
        Language::Fortran => "warpfold fc",
    };
    let command = Options::augment_args(clap::Command::new(name).max_term_width(100));
    output::line(command.about("Calls the compiler with what it needs for OpenMP offloading").render_help())?;
    match Tools::find().and_then(|tools| tools.offload_compiler(language)) {
        Ok(compiler) => output::line(format_args!(
            "All other options are the compiler's: `{} --help` lists them",
            compiler.display()
        )),
        Err(error) => {
            messages::note(format_args!("warpfold: there is no compiler yet: {error}"));
            Ok(())
        }
    }
}

/// Runs the compiler, and explains its messages.
pub fn run(language: Language, options: &Options) -> Result<(), Error> {
    options.llvm.choose();
    if options.wants_help() {
        return help(language);
    }
    reject_old(&options.arguments)?;
    let tools = Tools::find()?;
    let compiler = tools.offload_compiler(language)?;
    let version = if language == Language::Fortran { tools.llvm.version } else { tools.clang()?.version };
    let library = device_runtime::openmp_folder(&tools)?;
    let ptxas = if options.emulator { None } else { tools.ptxas_if_any()? };
    let ptxas_is_missing = ptxas.is_none() && !options.emulator;
    let cuda = match ptxas {
        None => tools.stand_in_cuda_dir(&this_program::path()?)?,
        Some(_) => tools.cuda_dir_that_keeps_ptx()?,
    };
    if ptxas_is_missing {
        messages::note(
            "warpfold: found no ptxas: the program will run on the emulator only; `warpfold setup` installs ptxas",
        );
    }
    let has_gpu = || host_rt::Device::open(host_rt::Select::Cuda).is_ok();
    let ptxas = tools.ptxas_if_any()?.map(|ptxas| ptxas.version);
    warnings(&options.arguments, ptxas, has_gpu)
        .iter()
        .for_each(|warning| messages::note(format_args!("warpfold: {warning}")));
    let environment = [
        ("LIBRARY_PATH", prepended("LIBRARY_PATH", &library)?),
        // clang and flang search PATH for ptxas; flang has no option for it.
        ("PATH", prepended("PATH", &cuda.join("bin"))?),
    ];
    let mut before = Vec::new();
    if language != Language::Fortran {
        let code = DeviceCode::of(&options.arguments);
        before.push(format!("--config={}", tools.clang_config(code)?.display()));
    }
    before.push("-fopenmp".into());
    if links(&options.arguments) {
        before.push(Tools::LINK_OPTION.into());
    }
    before.extend((!names_target(&options.arguments)).then(|| "--offload-arch=sm_90".into()));
    wrong_code::reject(language, version.major, &options.arguments, || {
        let mut reader = Command::new(&compiler);
        reader.args(&before).envs(environment.clone());
        reader
    })?;
    let mut command = Command::new(&compiler);
    command.args(&before);
    let parallel = match options.parallelize {
        Some(target) if language == Language::C => Some(parallelized(target, options)?),
        Some(_) => return Err(Error::Usage("--parallelize is for C".into())),
        None => None,
    };
    command.args(parallel.as_ref().map_or(&options.arguments, |parallel| &parallel.arguments));
    if links(&options.arguments) {
        command.args(tools.atomic_library()?);
    }
    if unoptimised_debugging(&options.arguments) {
        // Otherwise clang's device linker warns that it does not optimise what is to be debugged.
        command.arg("-O0");
    }
    if options.show {
        let shown = environment.iter().map(|(name, value)| format!("{name}={}", quoted(value)));
        let words = std::iter::once(compiler.as_os_str()).chain(command.get_args()).map(quoted);
        return output::line(shown.chain(words).collect::<Vec<_>>().join(" "));
    }
    command.envs(environment);
    let code = match language {
        Language::Fortran => compiler_messages::run_flang(&mut command, &tools, &library)?,
        _ => compiler_messages::run(language, &mut command)?,
    };
    // The files are deleted afterwards.
    drop(parallel);
    std::process::exit(code)
}

/// The arguments with files whose loops are parallel in place of C files.
struct Parallelized {
    arguments: Vec<OsString>,
    /// Where the files are.
    _folder: tempfile::TempDir,
}

fn parallelized(target: Target, options: &Options) -> Result<Parallelized, Error> {
    let arguments = &options.arguments;
    let folder = tempfile::tempdir().map_err(|source| FileError::Write { path: env::temp_dir(), source })?;
    let mut out = Vec::new();
    let reading = for_reading(arguments);
    for (place, argument) in arguments.iter().enumerate() {
        let path = Path::new(argument);
        let is_output = place > 0 && arguments[place - 1] == "-o";
        if is_output || path.extension().is_none_or(|ending| ending != "c") || !path.is_file() {
            out.push(argument.clone());
            continue;
        }
        let text = parallelize::for_target(target, options.regions.clone(), path, reading.clone())?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        let own = folder.path().join(place.to_string());
        let failed = |source| FileError::Write { path: own.clone(), source };
        fs::create_dir(&own).map_err(failed)?;
        let file = own.join(name);
        fs::write(&file, text).map_err(failed)?;
        // Headers that the file names in quotes are beside the original.
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        out.extend(["-iquote".into(), parent.unwrap_or(Path::new(".")).into(), file.into()]);
    }
    Ok(Parallelized { arguments: out, _folder: folder })
}

/// The arguments that say how a file is read: all options but those of outputs, of linking and of OpenMP.
fn for_reading(arguments: &[OsString]) -> Vec<OsString> {
    const WITH_A_WORD: [&str; 10] =
        ["-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter", "-mllvm", "-x", "-target"];
    const OTHERS: &str = "-o -c -S -E -M -l -L -Wl, -Xlinker -fopenmp --offload -foffload -fno-offload -save-temps --save-temps";
    let mut out = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.to_str().unwrap_or_default() {
            "-o" | "-Xlinker" | "-Xoffload-linker" | "-MF" | "-MT" | "-MQ" | "-L" => drop(words.next()),
            option if WITH_A_WORD.contains(&option) || option.starts_with("-X") => {
                out.extend([word].into_iter().chain(words.next()).cloned())
            }
            option if OTHERS.split(' ').any(|other| option.starts_with(other)) => {}
            option if option.starts_with('-') => out.push(word.clone()),
            _ => {}
        }
    }
    out
}

/// Whether the arguments name a target for device code.
fn names_target(arguments: &[OsString]) -> bool {
    const OPTIONS: [&str; 3] = ["--offload-arch", "-fopenmp-targets", "--no-offload-arch"];
    arguments
        .iter()
        .any(|argument| OPTIONS.iter().any(|option| argument.to_string_lossy().starts_with(option)))
}

const HINT: &str = "use --offload-arch=sm_90 for H100 and H200, sm_80 for A100, sm_100 for B200; the emulator runs \
                    all of them";

/// The architectures that `--offload-arch=` names.
fn architectures(arguments: &[OsString]) -> Vec<String> {
    let words = arguments.iter().map(|argument| argument.to_string_lossy());
    let lists = words.filter_map(|word| word.strip_prefix("--offload-arch=").map(String::from));
    lists.flat_map(|list| list.split(',').map(String::from).collect::<Vec<_>>()).collect()
}

/// The number of an architecture, such as 90 of `sm_90a`; nothing for those that are not NVIDIA's.
fn number(architecture: &str) -> Option<Result<u32, ParseIntError>> {
    architecture.strip_prefix("sm_").map(|number| number.trim_end_matches(['a', 'f']).parse())
}

/// Rejects architectures for which nothing is compiled: LLVM would crash.
fn reject_old(arguments: &[OsString]) -> Result<(), Error> {
    let is_old = |name: &String| number(name).is_some_and(|number| number.is_ok_and(|number| number < 70));
    match architectures(arguments).into_iter().find(is_old) {
        Some(old) => Err(Error::Usage(format!("{old} is too old: the runtime needs sm_70 or newer; {HINT}"))),
        None => Ok(()),
    }
}

/// Warnings about targets that the compiler or the runtime does not support, each with a hint: clang's errors
/// have none.
fn warnings(arguments: &[OsString], ptxas: Option<Version>, has_gpu: impl Fn() -> bool) -> Vec<String> {
    let words: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let mut warnings = Vec::new();
    for architecture in architectures(arguments) {
        let architecture = &*architecture;
        match number(architecture) {
            None if architecture == "native" && !has_gpu() => {
                warnings.push(format!("native means this machine's GPU, but there is none: {HINT}"));
            }
            None if architecture == "native" => {}
            None => warnings.push(format!("{architecture} is not an NVIDIA GPU architecture: {HINT}")),
            Some(Ok(number)) if number < 75 && ptxas.is_some_and(|ptxas| ptxas.major >= 13) => {
                warnings
                    .push(format!("ptxas 13 supports sm_75 and newer; {architecture} needs CUDA 12; {HINT}"));
            }
            Some(Ok(number)) if toolchain::ptx_version(number).is_some() => {}
            Some(_) => warnings.push(format!("{architecture} is not known: {HINT}")),
        }
    }
    let any = |prefixes: &[&str]| words.iter().any(|word| prefixes.iter().any(|p| word.starts_with(p)));
    let named = any(&["--offload-arch=", "-march=sm_", "--cuda-gpu-arch="]);
    if any(&["-fopenmp-targets=nvptx64"]) && !named && !has_gpu() {
        warnings.push(format!(
            "-fopenmp-targets= alone means this machine's GPU, but there is none; write --offload-arch= instead: {HINT}"
        ));
    }
    warnings
}

/// Whether a program is linked.
fn links(arguments: &[OsString]) -> bool {
    const ONLY: [&str; 9] =
        ["-c", "-r", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-emit-llvm", "--precompile"];
    let words = || arguments.iter().map(|argument| argument.to_string_lossy());
    words().any(|word| !word.starts_with('-')) && !words().any(|word| ONLY.contains(&&*word))
}

/// Whether source files are compiled with debug information and without a level, which means -O0.
fn unoptimised_debugging(arguments: &[OsString]) -> bool {
    let is_source = |word: &str| [".c", ".cc", ".cpp", ".cxx", ".C"].iter().any(|end| word.ends_with(end));
    has_lines(arguments)
        && level(arguments).is_none()
        && arguments.iter().any(|argument| is_source(&argument.to_string_lossy()))
}

/// Whether the arguments ask for debug information.
fn has_lines(arguments: &[OsString]) -> bool {
    let words = arguments.iter().map(|argument| argument.to_string_lossy());
    words.into_iter().any(|word| word.starts_with("-g") && word != "-g0")
}

/// The level of optimisation that the arguments name.
fn level(arguments: &[OsString]) -> Option<&OsString> {
    arguments.iter().rfind(|argument| argument.to_string_lossy().starts_with("-O"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_with_the_options_that_concern_their_meaning() {
        let of = |words: &str| {
            let words: Vec<_> = words.split(' ').map(OsString::from).collect();
            for_reading(&words).join(OsStr::new(" ")).into_string().expect("UTF-8")
        };
        let kept = "-I a -Ib -D N=3 -include x.h -fwrapv -funsigned-char -fno-strict-aliasing -O2 -std=c99 -mllvm -y -x c -w";
        assert_eq!(of(kept), kept);
        assert_eq!(
            of("-c a.c -o b.o -fopenmp --offload-arch=sm_90 -lm -L lib -MMD -MF d -Wl,-z x.o -save-temps"),
            ""
        );
    }

    #[test]
    fn debugging_without_a_level_is_unoptimised() {
        let of =
            |words: &str| unoptimised_debugging(&words.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert!(of("-g x.c") && of("x.cpp -ggdb"));
        for words in ["x.c", "-g -O2 x.c", "-g x.o"] {
            assert!(!of(words), "{words}");
        }
    }

    #[test]
    fn unsupported_architectures_cause_a_warning() {
        let warned = |words: &str, gpu: bool| {
            warnings(
                &words.split(' ').map(OsString::from).collect::<Vec<_>>(),
                Some(Version::new(13, 0, 0)),
                || gpu,
            )
            .join("; ")
        };
        for (words, expected) in [
            ("--offload-arch=sm_999 x.c", "sm_999 is not known"),
            ("--offload-arch=sm_70", "sm_70 needs CUDA 12"),
            ("--offload-arch=gfx90a", "gfx90a is not an NVIDIA GPU"),
            ("--offload-arch=native", "native means this machine's GPU"),
            ("-O2 -fopenmp-targets=nvptx64 x.c", "write --offload-arch= instead"),
        ] {
            let found = warned(words, false);
            assert!(found.contains(expected) && found.contains("--offload-arch=sm_90"), "{words}: {found}");
        }
        for words in [
            "-O2 x.c",
            "--offload-arch=sm_80,sm_90a",
            "-fopenmp-targets=nvptx64-nvidia-cuda -Xopenmp-target -march=sm_80",
        ] {
            assert_eq!(warned(words, false), "");
        }
        assert_eq!(warned("--offload-arch=native -fopenmp-targets=nvptx64", true), "");
        let rejected = |word: &str| reject_old(&[word.into()]).map_err(|error| error.to_string());
        assert!(rejected("--offload-arch=sm_90,sm_35").unwrap_err().contains("sm_35 is too old"));
        assert_eq!(rejected("--offload-arch=sm_70,gfx90a"), Ok(()));
    }

    #[test]
    fn options_are_found_anywhere_but_not_among_those_of_other_programs() {
        let gathered = |words: &str| {
            let arguments = words.split(' ').map(OsString::from).collect();
            let options = Options {
                llvm: LlvmOptions::default(),
                show: false,
                emulator: false,
                sm: None,
                parallelize: None,
                regions: RegionOptions::default(),
                arguments,
            };
            options.gathered()
        };
        let outcome = |options: Options| {
            let kept: Vec<_> = options.arguments.iter().map(|word| word.to_string_lossy()).collect();
            (options.show, options.emulator, kept.join(" "))
        };
        let found = |words: &str| outcome(gathered(words).map_err(|error| error.to_string()).expect("right"));
        assert_eq!(found("-O2 x.c --show"), (true, false, "-O2 x.c".into()));
        assert_eq!(found("x.c --emulator -o x"), (false, true, "x.c -o x".into()));
        for words in ["--sm h200 x.c", "x.c --sm=sm_90", "x.c --sm 90"] {
            assert_eq!(found(words), (false, false, "--offload-arch=sm_90 x.c".into()));
        }
        for words in ["-Xlinker --show x.c", "x.c -o --emulator", "x.c -- --show"] {
            assert_eq!(found(words), (false, false, words.into()));
        }
        for words in ["x.c --sm", "x.c --sm=k80"] {
            let error = gathered(words).map(|_| ()).expect_err("a wrong model").to_string();
            assert!(error.contains("sm_90 (h200)") && error.contains("--offload-arch="), "{error}");
        }
        let parallel = gathered("x.c --auto --parallelize=gpu --order fixed -O2").expect("right");
        assert!(parallel.regions.auto && matches!(parallel.regions.order, Some(AllowedOrder::Fixed)));
        assert_eq!(parallel.arguments, ["x.c", "-O2"]);
        for words in ["x.c --auto", "x.c --order=any --parallelize"] {
            let error = gathered(words).map(|_| ()).expect_err("it is wrong").to_string();
            assert!(error.contains("--parallelize") || error.contains("free or fixed"), "{error}");
        }
    }

    #[test]
    fn a_target_that_is_given_stays() {
        let names = |words: &[&str]| names_target(&words.iter().map(OsString::from).collect::<Vec<_>>());
        assert!(names(&["-O2", "--offload-arch=sm_80", "x.c"]));
        assert!(names(&["-fopenmp-targets=nvptx64-nvidia-cuda"]));
        assert!(!names(&["-O2", "x.c"]));
    }
}
