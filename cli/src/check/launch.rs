//! `warpfold launch-kernel`, which `warpfold check` runs as a process of its own: launches a kernel on the emulated driver,
//! which reports what it finds.

use std::{
    ffi::OsString,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    process::{self, ExitCode},
    thread,
};

use cuda_driver::{Select, reports};
use host_rt::{Device, Module, Shape};
use nix::sys::signal::{SigSet, Signal};
use output_files::FileError;

use super::argument::{ArgumentSpec, Extent, Values, argument, extent};
use crate::{error::Error, standard_output};

/// The largest file of PTX, in bytes: the driver's limit, unless it is set.
const LARGEST: u64 = 256 << 20;

/// What is launched.
#[derive(clap::Args)]
pub struct LaunchOptions {
    /// The kernel [default: the only one of the file]
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Blocks: x, y and z
    #[arg(long, value_name = "N[,N,N]", default_value = "1", value_parser = extent)]
    grid: Extent,
    /// Threads of a block: x, y and z
    #[arg(long, value_name = "N[,N,N]", default_value = "32", value_parser = extent)]
    block: Extent,
    /// Bytes of dynamic shared memory of a block
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    shared: u32,
    /// What is passed for each parameter, in order: TYPE:VALUE such as u32:5 or f64:2.5, or a pointer to a buffer of
    /// zeros, buffer:BYTES, of the words 0, 1, 2, …, buffer:BYTES:index, or of what nobody wrote,
    /// buffer:BYTES:undefined
    #[arg(long = "argument", value_name = "SPEC", value_parser = argument, allow_hyphen_values = true)]
    arguments: Vec<ArgumentSpec>,
    /// The file of PTX
    #[arg(value_name = "KERNEL.ptx")]
    file: PathBuf,
}

impl LaunchOptions {
    /// The file of PTX.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The words of a command line with these options.
    pub fn words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec![
            format!("--grid={}", self.grid).into(),
            format!("--block={}", self.block).into(),
            format!("--shared={}", self.shared).into(),
        ];
        words.extend(self.kernel.iter().map(|name| format!("--kernel={name}").into()));
        words.extend(self.arguments.iter().map(|spec| format!("--argument={spec}").into()));
        words.extend(["--".into(), self.file.clone().into()]);
        words
    }

    /// Launches the kernel and waits for it.
    fn launch(&self) -> Result<(), Error> {
        let ptx = read(&self.file)?;
        let device = Device::open(Select::Emulator)?;
        let module = Module::from_ptx(&device, &ptx)?;
        let names: Vec<&str> = module.kernels().map(|(name, _)| name).collect();
        let name = match (&self.kernel, &names[..]) {
            (Some(name), _) => &**name,
            (None, [only]) => only,
            (None, []) => {
                return Err(Error::Usage(format!(
                    "{} has no kernel",
                    terminal_text::name(self.file.display())
                )));
            }
            (None, several) => {
                let (file, names) = (terminal_text::name(self.file.display()), several.join(", "));
                return Err(Error::Usage(format!(
                    "{file} has several kernels: add `--kernel` with one of {names}"
                )));
            }
        };
        let kernel = module.kernel(name)?;
        let values = Values::new(&device, &self.arguments)?;
        let stream = device.stream()?;
        let (Extent(blocks), Extent(threads)) = (self.grid, self.block);
        let shape = Shape { blocks, threads, shared_bytes: self.shared };
        // SAFETY: the device is the emulator, which reports what a kernel does with memory that is not its own; as many
        // arguments as parameters, of their sizes, are checked by the call.
        unsafe { kernel.launch(&stream, shape, &values)? }.wait()?;
        values.read()
    }
}

/// Launches the kernel.
pub fn run(options: &LaunchOptions) -> Result<ExitCode, Error> {
    launching(|| options.launch())
}

/// Does what launches kernels in a process that another one checks. What the driver has reported is not said again.
pub fn launching(work: impl FnOnce() -> Result<(), Error>) -> Result<ExitCode, Error> {
    report_signals();
    reports::show_reports();
    match work() {
        Ok(()) => match standard_output::check_printed() {
            Ok(()) => Ok(ExitCode::SUCCESS),
            Err(source) => Err(Error::Output { source }),
        },
        Err(Error::Host(host_rt::Error::Cuda { report: Some(_), .. })) => Ok(ExitCode::FAILURE),
        Err(error) => Err(error),
    }
}

fn read(path: &Path) -> Result<String, FileError> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text));
    let wrong = |why: &str| FileError::Read { path: path.into(), source: io::Error::other(why) };
    match read {
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(wrong("it is not text, as PTX is")),
        Err(source) => Err(FileError::Read { path: path.into(), source }),
        Ok(_) if text.len() as u64 > LARGEST => Err(wrong("it has more than 256 MiB")),
        Ok(_) if text.contains('\0') => Err(wrong("it is not text, as PTX is")),
        Ok(_) => Ok(text),
    }
}

/// Lets a signal end the launch, so that it is reported where it was.
fn report_signals() {
    let mut mask = SigSet::empty();
    [Signal::SIGALRM, Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP]
        .into_iter()
        .for_each(|it| mask.add(it));
    if mask.thread_block().is_err() {
        return;
    }
    thread::spawn(move || {
        let Ok(signal) = mask.wait() else { return };
        let why = match signal {
            Signal::SIGALRM => "its time was over".to_owned(),
            signal => format!("the program got {signal}"),
        };
        if !reports::interrupt(&why) {
            process::exit(128 + signal as i32);
        }
    });
}
