//! `warpfold reduce`: reduces the columns of a file on the device, piece by piece.

use std::{
    cell::RefCell,
    ffi::OsString,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use codegen_shim::{Scalar, Type};
use cuda_driver::reports::{LaunchReport, has_colors};
use host_rt::{Device, DriverKind};
use mpi_rt::{Choice, Communicator};
use output_files::FileError;
use serde_json::json;
use table_reductions::{Input, Operator, Operators, Others, Reducer, Requested, ResultOptions, Watcher};
use tables::{Column, Format, Request, Table, ValueKind};

use crate::{
    check::{self, Launches},
    device::DeviceOptions,
    emulator_options::check_list,
    error::Error,
    findings::ReportOptions,
    messages, output,
    profile::Profiling,
    progress::{self, during},
};

/// Options of `warpfold reduce`.
#[derive(clap::Args)]
pub struct Options {
    /// Operators, separated by commas, each of one column: OP or COLUMN:OP. OP is sum, product, min, max, and, or,
    /// xor, all, any, argmin, argmax, + * & | ^ && ||, count, mean, median, var, stddev (of a sample), pvar or pstddev (of
    /// a population)
    #[arg(long, value_name = "LIST", value_delimiter = ',', required = true)]
    op: Vec<Requested>,
    /// Type of the numbers: auto, bool, i8 to i128, u8 to u128, f16, bf16, f32, f64, `complex<f32>`, `complex<f64>`. auto
    /// is the type that the file states; for text it is bool, i64, u64, i128 or f64, whichever has the first values
    #[arg(long, value_name = "T", default_value = "auto", value_parser = number_type)]
    r#type: NumberType,
    /// Type of the results of sum, product, min, …; must have every value of the numbers' type [default: the
    /// numbers' type; u64 for sums of bool, f32 for sums and products of f16 and bf16]
    #[arg(long, value_name = "T", value_parser = scalar)]
    result: Option<Scalar>,
    /// Let sums and products of integers wrap, instead of an error if the results' type does not have them
    #[arg(long)]
    wrapping: bool,
    /// Give the same bits on every device: combine values in an order that depends on them alone
    #[arg(long)]
    reproducible: bool,
    /// MPI, if one of its launchers started this process, which then reduces a part of the files: auto, openmpi, mpich or
    /// none
    #[arg(long, value_name = "MPI", env = "WARPFOLD_MPI", default_value = "auto")]
    mpi: Choice,
    /// Leave out missing values: empty cells, NA, N/A, #N/A, NaN, null, None and -; nulls; NaN in files of floats
    #[arg(long)]
    skip_missing: bool,
    /// Format of the input, unpacked if it is compressed [default: what content and name say]
    #[arg(long, value_parser = format())]
    format: Option<Format>,
    /// Columns of operators without one, separated by commas or in several options: a name, or a position, counting
    /// from 1 [default: the only one]
    #[arg(long, value_name = "NAME|INDEX", value_delimiter = ',')]
    column: Vec<Column>,
    /// The first line of the text holds names (implied by a column's name)
    #[arg(long)]
    header: bool,
    /// The character that separates the cells of a text; tab for a tab [default: tab for *.tsv, else a comma]
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    delimiter: Option<u8>,
    #[command(flatten)]
    device: DeviceOptions,
    /// Check the launches, on the emulator: race, init, lane, barrier, memory [default without a LIST: all]
    #[arg(long, value_name = "LIST", env = "WARPFOLD_CHECK", value_parser = check_list, num_args = 0..=1,
        require_equals = true, default_missing_value = "all", conflicts_with = "profile")]
    check: Option<String>,
    /// Write the emulator's exact counts of each launch: a table on standard error, or JSON in a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    counts: Option<Option<PathBuf>>,
    /// Say what would limit the launches on a GPU, as `warpfold profile` does, on the emulator: on standard error, or in a
    /// file, as JSON or HTML if its name ends so
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    profile: Option<Option<PathBuf>>,
    /// Write one JSON object, instead of lines: to standard output, or to a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    json: Option<Option<PathBuf>>,
    /// The input; - is standard input. Several files are one sequence in this order; a quoted pattern, such as
    /// 'data/*.csv', is the files that it matches, in the order of their names
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    // Last: their heading holds for all that follows.
    #[command(flatten)]
    reports: ReportOptions,
}

/// The type of the numbers; `None` is that of the file.
#[derive(Clone, Copy, Debug)]
struct NumberType(Option<ValueKind>);

fn number_type(text: &str) -> Result<NumberType, String> {
    match (text, text.parse()) {
        ("auto", _) => Ok(NumberType(None)),
        ("bool", _) => Ok(NumberType(Some(ValueKind::BOOLEAN))),
        (_, Ok(ty @ (Type::Scalar(_) | Type::Complex(Scalar::F32 | Scalar::F64)))) => {
            Ok(NumberType(Some(ValueKind::number(ty))))
        }
        _ => Err(format!("unknown type; known types: auto, bool, {}, complex<f32>, complex<f64>", scalars())),
    }
}

fn scalar(text: &str) -> Result<Scalar, String> {
    text.parse().map_err(|_| format!("unknown type; known types: {}", scalars()))
}

fn scalars() -> String {
    Scalar::ALL.iter().map(Scalar::to_string).collect::<Vec<_>>().join(", ")
}

/// The formats by their names.
fn format() -> impl TypedValueParser<Value = Format> {
    let value = |format: Format| PossibleValue::new(format.name()).help(format.description());
    PossibleValuesParser::new(Format::ALL.map(value)).try_map(|name| name.parse::<Format>())
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text {
        "\\t" | "tab" => Ok(b'\t'),
        _ => match text.as_bytes() {
            [byte] if byte.is_ascii() && !byte.is_ascii_alphanumeric() && *byte != b'"' => Ok(*byte),
            _ => {
                Err("expected one ASCII character that is no letter, digit or quote, or tab for a tab".into())
            }
        },
    }
}

/// The command that reduces in a process that another one checks.
pub const CHECKED_COMMAND: &str = "reduce-checked";

/// Runs the command. `arguments` are the words of the command line after `reduce`. Returns the exit status.
pub fn run(options: &Options, arguments: &[OsString]) -> Result<ExitCode, Error> {
    let files = tables::expand(&options.files)?;
    options.check_files(&files)?;
    if options.mpi.is_job() {
        options.check_job()?;
    }
    let Some(checks) = &options.check else {
        options.reports.check_unused()?;
        return reduce_with_others(options, &files);
    };
    let from_input = options.files.iter().any(|file| file == Path::new("-"));
    if from_input && options.reports.schedules() > 1 && !program_runs::Input::standard().is_repeatable() {
        let message = "--schedules reads the input several times: give it as a file, not through a pipe";
        return Err(Error::Usage(message.into()));
    }
    let launches = Launches {
        words: [CHECKED_COMMAND.into()].into_iter().chain(arguments.iter().cloned()).collect(),
        variables: Vec::new(),
        checks,
        reports: &options.reports,
        ptx: None,
        colors: has_colors(io::stderr().is_terminal()),
        timeout: None,
    };
    launches.check("warpfold reduce")
}

/// Runs the hidden command [`CHECKED_COMMAND`].
pub fn run_checked(options: &Options) -> Result<ExitCode, Error> {
    check::launching(|| reduce_files(options, &tables::expand(&options.files)?, None))
}

/// Reduces the files, or a part of them if this is one process of a job of MPI. An error ends the whole job.
fn reduce_with_others(options: &Options, files: &[PathBuf]) -> Result<ExitCode, Error> {
    let job = Communicator::world(options.mpi)?;
    let result = reduce_files(options, files, job.as_ref());
    match (result, &job) {
        (Err(error), Some(job)) => {
            let error = Error::Process { rank: job.rank(), size: job.size(), source: Box::new(error) };
            // The status says it as well.
            let _ = messages::error(&error);
            job.abort();
            Err(error)
        }
        (result, _) => result.map(|()| ExitCode::SUCCESS),
    }
}

fn reduce_files(options: &Options, files: &[PathBuf], job: Option<&Communicator>) -> Result<(), Error> {
    let operators = Operators::new(&options.op, &options.column)?;
    let request = Request {
        columns: operators.columns().collect(),
        format: options.format,
        kind: options.r#type.0,
        header: options.header,
        delimiter: options.delimiter,
        skip_missing: options.skip_missing,
        warn: |text| messages::note(format_args!("warpfold: warning: {text}")),
    };
    let share = match job {
        Some(job) => {
            let place = (job.rank() as u64, job.size() as u64);
            let agree = |numbers: &[u64]| Ok::<_, Error>(job.all_gather(numbers)?);
            Some(tables::Share::new(files, &request, place, agree)?)
        }
        None => None,
    };
    let tables::Opened { table, size } = tables::open(files, request.clone())?;
    let mut table: Box<dyn Table + '_> = table;
    let devices = options.device.open_for(job.map_or(Ok(0), Communicator::local_rank)?)?;
    let kind = devices[0].kind();
    if options.check.is_some() && kind != DriverKind::Emulator {
        let message = "--check needs the emulator, but this device is a GPU: add --device emulator";
        return Err(Error::Usage(message.into()));
    }
    if options.counts.is_some() {
        if kind != DriverKind::Emulator {
            let message = "--counts needs the emulator, but this device is a GPU: add --device emulator";
            return Err(Error::Usage(message.into()));
        }
        cuda_driver::reports::keep_launches();
    }
    let profiling = options.profile.as_ref().map(|_| Profiling::begin(kind)).transpose()?;
    let kinds = table.kinds().to_vec();
    let results = ResultOptions {
        result: options.result,
        wrapping: options.wrapping,
        reproducible: options.reproducible || job.is_some(),
    };
    // The first time, this builds the device runtime.
    let reducer = during("preparing kernels", || Reducer::new(&devices, operators, results, &kinds))?;

    let others = match (&share, job) {
        (Some(share), Some(job)) => Some(Others::new(job, share, &kinds)?),
        _ => None,
    };
    if let Some(share) = &share {
        table = Box::new(share.open(&kinds));
    }
    let watcher = Shown {
        progress: progress::Bytes::new(size.filter(|_| job.is_none())),
        launches: options.counts.as_ref().map(|_| RefCell::default()),
    };
    let again = |column: usize| {
        let has_names = request.columns.iter().any(|column| matches!(column, Some(Column::Name(_))));
        let columns = vec![request.columns[column].clone()];
        let request = Request { columns, header: request.header || has_names, ..request.clone() };
        Ok(tables::open(files, request)?.table)
    };
    let is_repeatable = files.iter().all(|file| file.is_file());
    let input = Input {
        name: &tables::names(files),
        table: &mut *table,
        again: if is_repeatable { Some(&again) } else { None },
        watcher: &watcher,
    };
    let Some(reduced) = reducer.reduce(input, others.as_ref())? else {
        return Ok(());
    };
    if let Some(file) = &options.counts {
        let launches: Vec<_> = watcher.launches().iter().map(output::launch).collect();
        output::counts(file.as_deref(), &launches)?;
    }
    let results = reduced.results()?;
    if let (Some(profiling), Some(file)) = (profiling, &options.profile) {
        profiling.finish("warpfold reduce", options.device.emulated_sm(), file.as_deref())?;
    }
    let Some(file) = &options.json else {
        return results.lines().try_for_each(output::line);
    };
    let names: Vec<&str> = devices.iter().map(Device::name).collect();
    let object = json!({ "device": names.join(", "), "columns": results.json() });
    match file {
        Some(path) => output::json(path, &object),
        None => output::line(object),
    }
}

/// Shows progress, and takes the counts of launches as they end, if they are asked for.
struct Shown {
    progress: progress::Bytes,
    launches: Option<RefCell<Vec<LaunchReport>>>,
}

impl Shown {
    /// The launches so far.
    fn launches(&self) -> Vec<LaunchReport> {
        self.launches.as_ref().map_or_else(Vec::new, |kept| {
            kept.borrow_mut().extend(cuda_driver::reports::take_launches());
            kept.take()
        })
    }
}

impl Watcher for Shown {
    fn has_read(&self, consumed: u64) {
        self.progress.show(consumed);
        if let Some(kept) = &self.launches {
            kept.borrow_mut().extend(cuda_driver::reports::take_launches());
        }
    }

    fn has_ended(&self) {
        self.progress.end();
    }

    fn during(&self, name: &str, work: &mut dyn FnMut()) {
        during(name, work);
    }
}

impl Options {
    /// An error if something is asked for that several processes cannot do together.
    fn check_job(&self) -> Result<(), Error> {
        let message = if self.check.is_some() || self.counts.is_some() || self.profile.is_some() {
            "--check, --counts and --profile are of one process: leave out the launcher, or add --mpi none"
        } else if self.op.iter().any(|one| one.operator == Operator::Median) {
            "the median of what several processes have is not known: leave out the launcher"
        } else {
            return Ok(());
        };
        Err(Error::Usage(message.into()))
    }

    /// An error if what is written is also read, or written twice.
    fn check_files(&self, inputs: &[PathBuf]) -> Result<(), FileError> {
        let files =
            [&self.json, &self.counts, &self.profile].map(|file| file.as_ref().and_then(Option::as_deref));
        let outputs = files.into_iter().flatten().chain(self.reports.output());
        output_files::check_distinct(outputs, inputs.iter().map(PathBuf::as_path).chain(self.reports.input()))
    }
}
