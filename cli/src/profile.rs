//! `warpfold profile`: runs a program on the emulator and says, from exact counts, what would limit its kernels on a GPU.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::ExitCode,
};

use cuda_driver::{
    profiles::{self, Gpu, Profiles},
    settings::{self, Settings},
};

use host_rt::DriverKind;
use output_files::FileError;
use profile_reports::Report;
use program_runs::{FAILED, Installed, Program, ended_early, execute, exit_code};

use crate::{
    driver,
    emulator_options::{Limits, switch},
    error::Error,
    findings::ReportDisplay,
    gpus::EmulatedGpus,
    messages, output,
    progress::during,
    this_program,
};

/// Lines of each kernel in a report, unless the command line says otherwise.
const TOP: usize = 10;

/// The driver's variable of the file that profiles are appended to.
const PROFILE: &str = "WARPFOLD_PROFILE";

/// Options of `warpfold profile`.
#[derive(clap::Args)]
pub struct Options {
    /// The GPU that times are estimated for: h200, h100, b200, a100 or v100 [default: the emulated one]
    #[arg(long, value_name = "NAME", value_parser = gpu)]
    gpu: Option<Gpu>,
    /// Write the report as JSON, too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the report as one page of HTML, too
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Lines of each kernel in text and HTML
    #[arg(long, value_name = "N", default_value_t = TOP)]
    top: usize,
    #[command(flatten)]
    gpus: EmulatedGpus,
    /// Let kernels access all host memory, as OpenMP's `requires unified_shared_memory` needs
    #[arg(long, value_parser = switch, env = "WARPFOLD_UNIFIED_MEMORY")]
    unified_memory: bool,
    /// The program to run
    program: OsString,
    /// Its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
    // Last: their heading holds for all that follows.
    #[command(flatten)]
    limits: Limits,
}

fn gpu(name: &str) -> Result<Gpu, String> {
    name.parse().map_err(|error: profiles::UnknownGpu| error.to_string())
}

/// The GPU that is emulated, for estimates.
fn emulated(sm: u32) -> Gpu {
    Gpu::all().into_iter().find(|gpu| gpu.machine.sm == sm).unwrap_or_else(Gpu::h200)
}

/// A file for profiles that nobody else sees, and that goes with this value.
struct ProfileFile(tempfile::TempDir);

impl ProfileFile {
    fn new() -> Result<ProfileFile, FileError> {
        let failed = |source| FileError::Write { path: std::env::temp_dir(), source };
        tempfile::tempdir().map(ProfileFile).map_err(failed)
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("profile")
    }

    fn read(&self) -> Result<Profiles, FileError> {
        let path = self.path();
        match std::fs::read_to_string(&path) {
            Ok(text) => Ok(profiles::read(&text)),
            // Nothing was launched.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Profiles::default()),
            Err(source) => Err(FileError::Read { path, source }),
        }
    }
}

/// Runs the program, reports, and returns its exit status.
pub fn run(options: &Options) -> Result<ExitCode, Error> {
    let outputs = options.json.iter().chain(&options.html).map(PathBuf::as_path);
    output_files::check_distinct(outputs, [Path::new(&options.program)])?;
    let file = ProfileFile::new()?;
    let mut variables = vec![(PROFILE, file.path().into_os_string())];
    let gpus = options.gpus.variables().into_iter();
    variables.extend(gpus.filter_map(|(name, value)| Some((name, value?.into()))));
    variables.extend(options.unified_memory.then(|| ("WARPFOLD_UNIFIED_MEMORY", "1".into())));
    variables.extend(options.limits.variables().into_iter().filter_map(|(name, value)| Some((name, value?))));
    let program = Program::new(&options.program, &options.arguments);
    program.check_architecture(options.gpus.models())?;
    let installed = Installed { driver: &driver::install()?, program: &this_program::path()? };
    let mut command = program.command(installed, variables)?;
    // Launches that are checked are not profiled.
    command.env_remove("WARPFOLD_CHECK");
    let name = terminal_text::name(options.program.display());
    let limit = options.limits.timeout;
    let executed = execute(&mut command, &name, limit, None, &ReportDisplay::PLAIN)?;
    let gpu = options.gpu.clone().unwrap_or_else(|| emulated(options.gpus.first().sm()));
    let profiles = file.read()?;
    // The terminal is the program's until it ends.
    let report = during("reading the profile", || Report::new(&profiles, gpu));
    if report.is_empty() {
        messages::note(format_args!("warpfold: {name} launched nothing that could be profiled"));
    } else {
        messages::raw_note(&terminal_text::printable(&report.to_text(options.top)));
    }
    if let Some(path) = &options.json {
        output::json(path, &report.to_json())?;
    }
    if let Some(path) = &options.html {
        output::replace(path, report.to_html(&name, options.top).as_bytes())?;
    }
    if let Some(ended) = executed.ended {
        let reported = executed.reports.contains("\"interrupted\"");
        return Ok(ended_early(ended, executed.status, limit, reported, &ReportDisplay::PLAIN));
    }
    match executed.reports.is_empty() {
        true => Ok(exit_code(executed.status)),
        false => Ok(ExitCode::from(FAILED)),
    }
}

/// Profiles the launches of this process from now on.
pub struct Profiling {
    file: ProfileFile,
}

impl Profiling {
    /// Begins, on a device that is not a GPU.
    pub fn begin(device: DriverKind) -> Result<Profiling, Error> {
        if device != DriverKind::Emulator {
            let message = "--profile needs the emulator, but this device is a GPU: add --device emulator";
            return Err(Error::Usage(message.into()));
        }
        let file = ProfileFile::new()?;
        settings::configure(Settings { profile: Some(file.path()), ..Settings::default() })?;
        Ok(Profiling { file })
    }

    /// Reports what was launched: as text on standard error or, to a file, in the format of its name: `.json`, `.html`
    /// or text. `sm` is the emulated GPU's architecture.
    pub fn finish(self, of: &str, sm: u32, to: Option<&Path>) -> Result<(), Error> {
        let report = Report::new(&self.file.read()?, emulated(sm));
        let Some(path) = to else {
            messages::raw_note(&terminal_text::printable(&report.to_text(TOP)));
            return Ok(());
        };
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("json") => output::json(path, &report.to_json()),
            Some("html") => output::replace(path, report.to_html(of, TOP).as_bytes()),
            _ => output::replace(path, report.to_text(TOP).as_bytes()),
        }
    }
}
