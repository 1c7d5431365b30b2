//! `warpfold reduce`: reduces the numbers in a file on the device, piece by piece.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use codegen_shim::{KernelSpec, Op, ReductionList, Scalar, Source, Type, Variable};
use host_rt::{DriverKind, Record, Reduction, Value, bf16, f16};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use crate::{
    device::DeviceOptions,
    error::Error,
    input::{self, Column, CsvReader, RawReader, Values},
    output,
};

/// Options of `warpfold reduce`.
#[derive(clap::Args)]
pub struct Options {
    /// Operators, separated by commas: sum, product, min, max, and, or, xor, all, any, argmin, argmax, or
    /// + * & | ^ && ||
    #[arg(long, value_name = "LIST", value_delimiter = ',', required = true)]
    op: Vec<Op>,
    /// Type of the numbers: i8 to i128, u8 to u128, f16, bf16, f32, f64
    #[arg(long, value_name = "T")]
    r#type: Scalar,
    /// Type of the results; must have every value of the numbers' type (integer sums wrap) [default: the
    /// numbers' type]
    #[arg(long, value_name = "T")]
    result: Option<Scalar>,
    /// raw: values in this machine's byte order; csv: one column of a text [default: csv for *.csv, else raw]
    #[arg(long)]
    format: Option<Format>,
    /// CSV column: its name in the first line, or its position, counting from 1
    #[arg(long, value_name = "NAME|INDEX", default_value = "1")]
    column: Column,
    /// The first line of the CSV file holds names (implied if --column is a name)
    #[arg(long)]
    header: bool,
    /// The character that separates CSV cells; tab for a tab
    #[arg(long, value_name = "CHAR", default_value = ",", value_parser = delimiter)]
    delimiter: u8,
    #[command(flatten)]
    device: DeviceOptions,
    /// Write the emulator's exact counts of each launch: a table on standard error, or JSON in a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    counts: Option<Option<PathBuf>>,
    /// Write one JSON object, instead of lines: to standard output, or to a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    json: Option<Option<PathBuf>>,
    /// The input; - is standard input
    file: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
enum Format {
    Raw,
    Csv,
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text {
        "\\t" | "tab" => Ok(b'\t'),
        _ => match text.as_bytes() {
            [byte] if byte.is_ascii() && !byte.is_ascii_alphanumeric() => Ok(*byte),
            _ => Err("expected one ASCII character that is not a letter or digit, or tab for a tab".into()),
        },
    }
}

/// Bytes of input per launch. Two such pieces exist on the host and two on the device; with 8 MiB, the launch
/// overhead of an H200 is below a few percent, and the host needs little memory.
const PIECE_BYTES: usize = 8 << 20;

/// Runs the command.
pub fn run(options: &Options) -> Result<(), Error> {
    let spec = spec(options)?;
    let source = input::Source::open(&options.file)?;
    let progress = Progress::new(source.size);
    let mut values = values(options, source)?;
    let device = options.device.open()?;
    if options.counts.is_some() && device.kind() != DriverKind::Emulator {
        let message = "--counts needs the emulator, but this device is a GPU: add --device emulator";
        return Err(Error::Usage(message.into()));
    }
    if options.counts.is_some() {
        cuda_driver::reports::keep_launches();
    }
    let initial = initial(spec.list())?;
    let reduction = Reduction::new(&device, spec)?;
    let stream = device.stream()?;
    let mut feed = reduction.feed(&stream, &initial, PIECE_BYTES)?;

    let mut launches = Vec::new();
    let mut count = 0;
    loop {
        let filled = values.fill(feed.piece()?)?;
        if filled == 0 {
            break;
        }
        feed.submit(filled)?;
        count += filled as u64 / u64::from(options.r#type.size());
        progress.show(values.consumed());
        if options.counts.is_some() {
            launches.extend(cuda_driver::reports::take_launches());
        }
    }
    let record = feed.finish()?;
    progress.end();

    if let Some(file) = &options.counts {
        launches.extend(cuda_driver::reports::take_launches());
        let launches: Vec<_> = launches.iter().map(output::launch).collect();
        output::counts(file.as_deref(), &launches)?;
    }
    let results = options.op.iter().zip(record.values());
    if let Some(file) = &options.json {
        let results: serde_json::Map<_, _> =
            results.map(|(op, value)| (op.to_string(), json_value(value))).collect();
        let object = json!({
            "type": options.r#type.to_string(),
            "count": count,
            "device": device.name(),
            "results": results,
        });
        return match file {
            Some(path) => output::json(path, &object),
            None => output::line(object),
        };
    }
    results.into_iter().try_for_each(|(op, value)| match value {
        // A value and its index, from 0.
        Value::Struct(found) => match found.as_slice() {
            [_, Value::I64(-1)] => output::line(format_args!("{op} none")),
            [value, index] => output::line(format_args!("{op} {value} at {index}")),
            _ => output::line(format_args!("{op} {value}")),
        },
        value => output::line(format_args!("{op} {value}")),
    })
}

/// One variable for every operator, all over the same input array.
fn spec(options: &Options) -> Result<KernelSpec, Error> {
    let result = Type::Scalar(options.result.unwrap_or(options.r#type));
    let variables = options.op.iter().map(|op| Variable {
        name: op.to_string(),
        ty: result,
        op: *op,
        source: Source::Array(0),
    });
    let list = ReductionList::new(variables.collect())?;
    Ok(KernelSpec::new(list, vec![options.r#type.into()], host_rt::BLOCK_THREADS)?)
}

/// The result before the first number: zero for a sum, the identity for other operators, as in OpenMP.
///
/// The identity of a floating-point sum is -0.0, but the sum of no numbers is expected to be 0.
fn initial(list: &ReductionList) -> Result<Record, Error> {
    let identity = Record::identity(list);
    let values = list.variables().iter().zip(identity.values()).map(|(variable, identity)| match identity {
        Value::F16(_) if variable.op == Op::Sum => Value::F16(f16::ZERO),
        Value::BF16(_) if variable.op == Op::Sum => Value::BF16(bf16::ZERO),
        Value::F32(_) if variable.op == Op::Sum => Value::F32(0.0),
        Value::F64(_) if variable.op == Op::Sum => Value::F64(0.0),
        identity => identity.clone(),
    });
    Ok(Record::new(list, &values.collect::<Vec<_>>())?)
}

fn values(options: &Options, source: input::Source) -> Result<Box<dyn Values>, Error> {
    let text = options.file.extension().is_some_and(|e| e.eq_ignore_ascii_case("csv"));
    let format = options.format.unwrap_or(if text { Format::Csv } else { Format::Raw });
    let ty = options.r#type;
    Ok(match format {
        Format::Raw => Box::new(RawReader::new(source, ty)?),
        Format::Csv => {
            Box::new(CsvReader::new(source, ty, &options.column, options.header, options.delimiter)?)
        }
    })
}

/// JSON has no NaN and no infinities: they become strings, as do integers of more than 64 bits. The result of
/// argmin and argmax is an object of value and index, or null.
fn json_value(value: &Value) -> serde_json::Value {
    match value {
        Value::F64(v) if v.is_finite() => json!(v),
        // Digits that read back to the same value of the narrow type, not to the same f64.
        Value::F32(v) if v.is_finite() => serde_json::from_str(&format!("{v:?}")).unwrap_or(json!(v)),
        Value::F16(v) if v.is_finite() => json!(v.to_f64()),
        Value::BF16(v) if v.is_finite() => json!(v.to_f64()),
        Value::Struct(found) => match found.as_slice() {
            [_, Value::I64(-1)] => serde_json::Value::Null,
            [value, Value::I64(index)] => json!({ "value": json_value(value), "index": index }),
            _ => json!(value.to_string()),
        },
        Value::F16(_) | Value::BF16(_) | Value::F32(_) | Value::F64(_) => json!(value.to_string()),
        integer => {
            let text = integer.to_string();
            let (signed, unsigned) = (text.parse::<i64>(), text.parse::<u64>());
            signed.map(|v| json!(v)).or(unsigned.map(|v| json!(v))).unwrap_or(json!(text))
        }
    }
}

/// A progress bar on standard error, shown after one second.
struct Progress {
    bar: ProgressBar,
    started: Instant,
}

impl Progress {
    fn new(size: Option<u64>) -> Progress {
        let bar = ProgressBar::with_draw_target(size, ProgressDrawTarget::hidden());
        let template = match size {
            Some(_) => "{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
            None => "{spinner} {bytes} {bytes_per_sec}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Progress { bar, started: Instant::now() }
    }

    fn show(&self, bytes: u64) {
        if self.bar.is_hidden() && self.started.elapsed() > Duration::from_secs(1) {
            // If standard error is not a terminal, indicatif still draws nothing.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(bytes);
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}
