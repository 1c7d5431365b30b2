//! `warpfold reduce`: reduces the columns of a file on the device, piece by piece.
//!
//! Each column is a reduction of its own (`plan.rs`), with its own type, and gets its values as the input's reader
//! ([`tables`]) returns them.

mod column;
mod functions;
mod median;
mod operator;
mod pieces;
mod plan;
mod report;
mod together;

use std::{
    ffi::OsString,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use codegen_shim::{Scalar, Type};
use cuda_driver::reports::has_colors;
use host_rt::{Device, DriverKind, Value};
use mpi_rt::{Choice, Communicator, Row};
use tables::{Batch, Column, Format, Request, Table, ValueKind};

use self::{
    column::ColumnPlan,
    median::{KEPT_BYTES, Middle, Take},
    operator::{Operator, Requested},
    pieces::Pieces,
    report::report,
};
use crate::{
    check::{self, Launches},
    device::DeviceOptions,
    error::Error,
    findings::ReportOptions,
    messages, output,
    profile::Profiling,
    progress::{self, during},
    run::{Input, check_list},
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

/// The most columns: their pieces take 1 GiB.
const MAX_COLUMNS: usize = 32;

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
    if from_input && options.reports.schedules() > 1 && !Input::new().is_repeatable() {
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
    let requested = requested(options);
    let columns = columns(options, &requested)?;
    let request = Request {
        columns: columns.iter().map(|(column, _)| column.clone()).collect(),
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
    let device = &devices[0];
    if options.check.is_some() && device.kind() != DriverKind::Emulator {
        let message = "--check needs the emulator, but this device is a GPU: add --device emulator";
        return Err(Error::Usage(message.into()));
    }
    if options.counts.is_some() {
        if device.kind() != DriverKind::Emulator {
            let message = "--counts needs the emulator, but this device is a GPU: add --device emulator";
            return Err(Error::Usage(message.into()));
        }
        cuda_driver::reports::keep_launches();
    }
    let profiling = options.profile.as_ref().map(|_| Profiling::begin(device.kind())).transpose()?;
    let kinds = table.kinds().to_vec();
    let plan = |((column, operators), kind)| {
        ColumnPlan::new(
            &devices,
            (options.result, options.wrapping, options.reproducible || job.is_some()),
            column,
            operators,
            &requested,
            kind,
        )
    };
    // The first time, this builds the device runtime.
    let mut columns: Vec<_> =
        during("preparing kernels", || columns.into_iter().zip(kinds).map(plan).collect::<Result<_, _>>())?;

    let kinds: Vec<_> = columns.iter().map(|column: &ColumnPlan| column.kind).collect();
    let rows = match (&share, job) {
        (Some(share), Some(job)) => {
            let all = job.all_gather(&share.counts(&kinds)?)?;
            let row = |column: usize| Row::new(all.iter().map(|counts| counts[column]).collect(), job.rank());
            Some((job, (0..kinds.len()).map(row).collect::<Vec<_>>()))
        }
        _ => None,
    };
    if let Some(share) = &share {
        table = Box::new(share.open(&kinds));
    }
    let progress = progress::Bytes::new(size.filter(|_| job.is_none()));
    let mut next = || {
        let batch = table.next()?;
        match batch {
            Some(_) => progress.show(table.consumed()),
            None => progress.end(),
        }
        Ok(batch)
    };
    let mut again = |column: usize, take: &mut Take| {
        let has_names = request.columns.iter().any(|column| matches!(column, Some(Column::Name(_))));
        let columns = vec![request.columns[column].clone()];
        let request = Request { columns, header: request.header || has_names, ..request.clone() };
        let mut table = tables::open(files, request)?.table;
        while let Some(batch) = table.next()? {
            take(&batch[0].bytes)?;
        }
        Ok(())
    };
    let is_repeatable = files.iter().all(|file| file.is_file());
    let again: &mut Again = &mut again;
    let input = tables::names(files);
    let values = Values { input: &input, next: &mut next, again: is_repeatable.then_some(again) };
    let others = rows.as_ref().map(|(job, rows)| (*job, rows.as_slice()));
    let Some(results) = reduce(options, &mut columns, &devices, values, others)? else {
        return Ok(());
    };
    if let (Some(profiling), Some(file)) = (profiling, &options.profile) {
        profiling.finish("warpfold reduce", options.device.emulated_sm(), file.as_deref())?;
    }
    report(options.json.as_ref(), &devices, &requested, &columns, &results)
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
    fn check_files(&self, inputs: &[PathBuf]) -> Result<(), Error> {
        let files =
            [&self.json, &self.counts, &self.profile].map(|file| file.as_ref().and_then(Option::as_deref));
        let outputs = files.into_iter().flatten().chain(self.reports.output());
        output::check_distinct(outputs, inputs.iter().map(PathBuf::as_path).chain(self.reports.input()))
    }
}

/// The operators, each with its column. Operators without one are those of the columns of `--column`: if there are
/// several, all operators that follow each other are repeated for each.
fn requested(options: &Options) -> Vec<Requested> {
    let mut all = Vec::new();
    for run in options.op.chunk_by(|one, next| one.column.is_none() && next.column.is_none()) {
        let columns = match (&run[0].column, options.column.as_slice()) {
            (None, columns @ [_, _, ..]) => columns.iter().map(|column| Some(column.clone())).collect(),
            _ => vec![None],
        };
        for column in columns {
            all.extend(run.iter().map(|requested| Requested {
                column: column.clone().or_else(|| requested.column.clone()),
                operator: requested.operator,
            }));
        }
    }
    all
}

/// A column, `None` for the only one, and the positions of its operators among the requested ones.
type Use = (Option<Column>, Vec<usize>);

/// The columns in the order in which they are named first, with the positions of their operators.
fn columns(options: &Options, requested: &[Requested]) -> Result<Vec<Use>, Error> {
    let mut columns: Vec<Use> = Vec::new();
    for (index, one) in requested.iter().enumerate() {
        let column = one.column.clone().or_else(|| options.column.first().cloned());
        match columns.iter_mut().find(|(known, _)| *known == column) {
            None => columns.push((column, vec![index])),
            Some((_, operators)) => {
                if operators.iter().any(|&known| requested[known].operator == one.operator) {
                    let column = column.map_or_else(
                        || "the only column".into(),
                        |column| format!("column '{}'", terminal_text::name(column)),
                    );
                    let message = format!("{} is requested twice for {column}", one.operator);
                    return Err(Error::Usage(message));
                }
                operators.push(index);
            }
        }
    }
    match columns.len() > MAX_COLUMNS {
        true => Err(Error::Usage(format!("{} columns are more than {MAX_COLUMNS} at a time", columns.len()))),
        false => Ok(columns),
    }
}

/// Gives all values of the column at this position.
type Again<'a> = dyn FnMut(usize, &mut Take) -> Result<(), Error> + 'a;

/// Where the values come from.
struct Values<'a> {
    /// The name of the input.
    input: &'a str,
    /// The next values of all columns.
    next: &'a mut dyn FnMut() -> Result<Option<Batch>, Error>,
    /// Reads a column again, if that is possible.
    again: Option<&'a mut Again<'a>>,
}

/// Reduces all values; returns the results in the order of the operators. With others, who have the rest of the values of each
/// column, process 0 has the results.
fn reduce(
    options: &Options,
    columns: &mut [ColumnPlan],
    devices: &[Device],
    values: Values,
    others: Option<(&Communicator, &[Row])>,
) -> Result<Option<Vec<Option<Value>>>, Error> {
    let Values { input, next, mut again } = values;
    let label = |column: &ColumnPlan| match &column.column {
        Some(column) => format!("{input}, column '{}'", terminal_text::name(column)),
        None => input.to_owned(),
    };
    let streams = devices.iter().map(Device::stream).collect::<Result<Vec<_>, _>>()?;
    let mut launches = Vec::new();
    let mut totals = vec![(0_u64, 0_u64); columns.len()];
    let begin = |column: usize| others.map_or(0, |(_, rows)| rows[column].first());
    let mut all: Vec<_> = columns
        .iter()
        .enumerate()
        .map(|(index, column)| column.start(&streams, begin(index)))
        .collect::<Result<_, _>>()?;
    let share = KEPT_BYTES / columns.iter().filter(|column| column.median.is_some()).count().max(1);
    let middle = |column: &ColumnPlan| column.median.map(|_| Middle::new(column.kind, share));
    let mut middles: Vec<_> = columns.iter().map(middle).collect();
    while let Some(batch) = next()? {
        for (index, values) in batch.iter().enumerate() {
            let (column, total) = (&columns[index], &mut totals[index]);
            total.0 += values.bytes.len() as u64 / u64::from(column.kind.ty.size());
            total.1 += values.missing;
            if let Some(pieces) = &mut all[index] {
                pieces.add(&values.bytes)?;
            }
            let is_kept = middles[index].as_mut().is_none_or(|middle| middle.add(&values.bytes));
            if !is_kept && again.is_none() {
                return Err(Error::Usage(format!(
                    "{}: its median needs more than {} MiB of values several times, and a pipe is read once: give a file",
                    label(column),
                    share >> 20
                )));
            }
        }
        if options.counts.is_some() {
            launches.extend(cuda_driver::reports::take_launches());
        }
    }
    let records: Vec<_> = match others {
        None => {
            all.into_iter().map(|pieces| pieces.map(Pieces::finish).transpose()).collect::<Result<_, _>>()?
        }
        Some((job, rows)) => match together::records(job, rows, columns, all, &streams[0], &mut totals)? {
            Some(records) => records,
            None => return Ok(None),
        },
    };
    let mut results = vec![None; columns.iter().map(|column| column.operators.len()).sum()];
    for (index, middle) in middles.iter().enumerate() {
        if let (Some(middle), Some(position)) = (middle, columns[index].median) {
            let mut again = |take: &mut Take| match &mut again {
                Some(again) => again(index, take),
                None => Ok(()),
            };
            let name = format!("counting digits for the median of {}", label(&columns[index]));
            results[position] = during(name, || middle.median(devices, &streams, &mut again))?;
        }
    }
    if let Some(file) = &options.counts {
        launches.extend(cuda_driver::reports::take_launches());
        let launches: Vec<_> = launches.iter().map(output::launch).collect();
        output::counts(file.as_deref(), &launches)?;
    }
    for ((column, record), (count, missing)) in columns.iter_mut().zip(&records).zip(totals) {
        (column.count, column.missing) = (count, missing);
        let values = column.plan.results(record.as_ref(), count);
        let values = values.map_err(|overflow| Error::Usage(overflow.message(&label(column))))?;
        for (&operator, value) in column.operators.iter().zip(values) {
            if column.median != Some(operator) {
                results[operator] = value;
            }
        }
    }
    Ok(Some(results))
}
