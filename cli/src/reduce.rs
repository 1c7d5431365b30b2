//! `warpfold reduce`: the numbers of a file, reduced on the device piece by piece.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use codegen_shim::{KernelSpec, Op, ReductionList, Source, Type, Variable};
use host_rt::{Kind, Record, Reduction, Value};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use crate::{
    device::DeviceOptions,
    error::Error,
    input::{self, Column, CsvReader, RawReader, Values},
    output,
};

/// What `warpfold reduce` is asked.
#[derive(clap::Args)]
pub struct Options {
    /// Operators, separated by commas: sum, min, max
    #[arg(long, value_name = "LIST", value_delimiter = ',', required = true)]
    op: Vec<Op>,
    /// Type of the numbers and of the result: i32, i64, f32, f64 (integer sums wrap)
    #[arg(long, value_name = "T")]
    r#type: Type,
    /// raw: values in this machine's byte order; csv: one column of a text [default: csv for *.csv, else raw]
    #[arg(long)]
    format: Option<Format>,
    /// CSV column, by its name in the first line or by its place, counting from 1
    #[arg(long, value_name = "NAME|INDEX", default_value = "1")]
    column: Column,
    /// The first line of the CSV file holds names (understood when --column is a name)
    #[arg(long)]
    header: bool,
    /// What separates CSV cells
    #[arg(long, value_name = "CHAR", default_value = ",", value_parser = delimiter)]
    delimiter: u8,
    #[command(flatten)]
    device: DeviceOptions,
    /// Write what every launch did, as counted by the emulator, to a JSON file
    #[arg(long, value_name = "FILE")]
    counts: Option<PathBuf>,
    /// Print one JSON object instead of lines
    #[arg(long)]
    json: bool,
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
            _ => Err("one ASCII character that is no letter or digit; tab for a tab".into()),
        },
    }
}

/// Bytes of input per launch. Two such pieces exist on the host and two on the device; 8 MiB keep an H200's
/// launch overhead under a few percent and the host's memory small.
const PIECE_BYTES: usize = 8 << 20;

/// Runs the command.
pub fn run(options: &Options) -> Result<(), Error> {
    let spec = spec(options)?;
    let source = input::Source::open(&options.file)?;
    let progress = Progress::new(source.size);
    let mut values = values(options, source)?;
    let device = options.device.open()?;
    if options.counts.is_some() && device.kind() != Kind::Emulator {
        let message = "--counts is what the emulator counts, and this device is a GPU: add --device emulator";
        return Err(Error::Usage(message.into()));
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
            launches.extend(cuda_driver::emulator::take_launches());
        }
    }
    let record = feed.finish()?;
    progress.end();

    if let Some(path) = &options.counts {
        launches.extend(cuda_driver::emulator::take_launches());
        output::json(path, &output::counts(&launches))?;
    }
    let results = options.op.iter().zip(record.values());
    if options.json {
        let results: serde_json::Map<_, _> =
            results.map(|(op, v)| (op.to_string(), json_number(*v))).collect();
        return output::line(json!({
            "type": options.r#type.to_string(),
            "count": count,
            "device": device.name(),
            "results": results,
        }));
    }
    results.into_iter().try_for_each(|(op, value)| output::line(format_args!("{op} {value}")))
}

/// One variable for every operator, all over the one input array.
fn spec(options: &Options) -> Result<KernelSpec, Error> {
    let variables = options.op.iter().map(|op| Variable {
        name: op.to_string(),
        ty: options.r#type,
        op: *op,
        source: Source::Array(0),
    });
    let list = ReductionList::new(variables.collect())?;
    Ok(KernelSpec::new(list, vec![options.r#type], host_rt::BLOCK_THREADS)?)
}

/// What the result is before the first number: zero for a sum, the identity for the others, as OpenMP has it.
///
/// The identity of a floating-point sum is -0.0; a person who sums nothing expects 0.
fn initial(list: &ReductionList) -> Result<Record, Error> {
    let identity = Record::identity(list);
    let values = list.variables().iter().zip(identity.values()).map(|(variable, identity)| {
        match (variable.op, variable.ty) {
            (Op::Sum, Type::I32) => Value::I32(0),
            (Op::Sum, Type::I64) => Value::I64(0),
            (Op::Sum, Type::F32) => Value::F32(0.0),
            (Op::Sum, Type::F64) => Value::F64(0.0),
            _ => *identity,
        }
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

/// JSON has no NaN and no infinities: they become strings.
fn json_number(value: Value) -> serde_json::Value {
    match value {
        Value::I32(v) => json!(v),
        Value::I64(v) => json!(v),
        Value::F32(v) if v.is_finite() => serde_json::from_str(&format!("{v:?}")).unwrap_or(json!(v)),
        Value::F64(v) if v.is_finite() => json!(v),
        other => json!(other.to_string()),
    }
}

/// A bar on standard error, shown only when the work takes longer than a second.
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
            // Where standard error is no terminal, indicatif goes on drawing nothing.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(bytes);
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}
