//! `warpfold reduce`: the numbers of a file, reduced on the device piece by piece.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use codegen_shim::{KernelSpec, Op, ReductionList, Source, Type, Variable};
use cuda_driver::Select;
use host_rt::{Device, Kind, Record, Value};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::{
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
    /// auto, cuda or emulator
    #[arg(long, value_name = "D", env = "WARPFOLD_DEVICE", default_value = "auto")]
    device: Select,
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

/// Bytes of input that are in flight at once. Two such pieces exist on the host and two on the device; 8 MiB
/// keep an H200's launch overhead under a few percent and the host's memory small.
const PIECE_BYTES: usize = 8 << 20;

/// Runs the command.
pub fn run(options: &Options) -> Result<(), Error> {
    let spec = spec(options)?;
    let mut values = open(options)?;
    let device = Device::open(options.device)?;
    if options.counts.is_some() && device.kind() != Kind::Emulator {
        let message = "--counts is what the emulator counts; this device is a GPU: add --device emulator";
        return Err(Error::Usage(message.into()));
    }
    let reduction = host_rt::Reduction::new(&device, spec)?;
    let mut stream = device.stream()?;
    let mut run = reduction.start(&mut stream, &initial(options), PIECE_BYTES)?;

    let progress = Progress::new(values.size);
    let mut launches = Vec::new();
    let mut count = 0;
    loop {
        let filled = run.fill(|piece| values.reader.fill(piece))?;
        if filled == 0 {
            break;
        }
        count += (filled / options.r#type.size() as usize) as u64;
        progress.at(values.reader.consumed());
        if options.counts.is_some() {
            launches.extend(cuda_driver::emulator::take_launches());
        }
    }
    let record = run.finish()?;
    progress.end();

    if let Some(path) = &options.counts {
        launches.extend(cuda_driver::emulator::take_launches());
        output::json(path, &counts_json(&launches))?;
    }
    if options.json {
        output::line(result_json(options, &device, count, &record))
    } else {
        options.op.iter().zip(record.values()).try_for_each(|(op, value)| output::line(format!("{op} {value}")))
    }
}
