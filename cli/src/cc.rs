//! `warpfold cc`, `c++` and `fc`: call the compilers with the paths of the OpenMP device runtime and NVIDIA's
//! assembler, or with those of CUDA.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs, mem,
    path::Path,
    process::Command,
};

use clap::{Args as _, ValueEnum as _};
use cuda_driver::settings::{GpuModel, UnknownGpuModel};
use offload_compilers::{Arguments, CudaUse, reject_defects, takes_word};
use output_files::FileError;
use terminal_text::quoted;
use toolchain::{DeviceCode, Language, Tools, prepended};

use crate::{
    cuda::{self, Compilation},
    device_runtime, driver,
    error::Error,
    llvm::LlvmOptions,
    messages, output,
    parallelize::{self, AllowedOrder, RegionOptions, Target},
    this_program,
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
    /// The compiler's arguments, before or after the options above; -fopenmp is added, but for CUDA sources, and,
    /// unless given, --offload-arch=sm_90
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
                word if word == "-o" || takes_word(word) => {
                    kept.extend([argument].into_iter().chain(arguments.next()))
                }
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
    let arguments = Arguments::new(&options.arguments);
    arguments.check_architectures()?;
    let cuda_use = match language {
        Language::Fortran => CudaUse::default(),
        _ => CudaUse::of(&options.arguments),
    };
    if cuda_use.is_alone() {
        return compile_cuda(language, options, cuda_use);
    }
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
    let note = |text: &str| messages::note(format_args!("warpfold: {text}"));
    arguments.warnings(ptxas, has_gpu).iter().for_each(|warning| note(warning));
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
    if arguments.is_linking() {
        before.push(Tools::LINK_OPTION.into());
    }
    before.extend((!arguments.names_target()).then(|| "--offload-arch=sm_90".into()));
    reject_defects(language, version.major, &options.arguments, || {
        let mut reader = Command::new(&compiler);
        reader.args(&before).envs(environment.clone());
        reader
    })?;
    let toolkit = match cuda_use {
        CudaUse { library: true, .. } => Some(driver::cuda_toolkit()?),
        // The compiler says which header is missing.
        CudaUse { headers: true, .. } => driver::cuda_toolkit().ok(),
        _ => None,
    };
    let mut command = Command::new(&compiler);
    command.args(&before);
    command.args(toolkit.iter().flat_map(cuda::headers));
    let parallel = match options.parallelize {
        Some(target) if language == Language::C => Some(parallelized(target, options)?),
        Some(_) => return Err(Error::Usage("--parallelize is for C".into())),
        None => None,
    };
    command.args(parallel.as_ref().map_or(&options.arguments, |parallel| &parallel.arguments));
    if arguments.is_linking() {
        command.args(tools.atomic_library()?);
        command.args(toolkit.iter().filter(|_| cuda_use.library).flat_map(cuda::libraries));
    }
    if arguments.is_unoptimised_debugging() {
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
        Language::Fortran => offload_compilers::run_flang(&mut command, &tools, &library, &note)?,
        _ => offload_compilers::run(language, &mut command, &note)?,
    };
    // The files are deleted afterwards.
    drop(parallel);
    std::process::exit(code)
}

/// Compiles and links what is CUDA's alone.
fn compile_cuda(language: Language, options: &Options, uses: CudaUse) -> Result<(), Error> {
    let option = [(options.emulator, "--emulator"), (options.parallelize.is_some(), "--parallelize")];
    if let Some((_, option)) = option.into_iter().find(|(is_given, _)| *is_given) {
        return Err(Error::Usage(format!("{option} is for OpenMP, not for CUDA")));
    }
    let compilation = Compilation { language, arguments: &options.arguments, uses, show: options.show };
    match compilation.run()? {
        Some(code) => std::process::exit(code),
        None => Ok(()),
    }
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
    let reading = Arguments::new(arguments).for_reading();
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
