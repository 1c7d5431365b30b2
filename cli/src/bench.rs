//! `warpfold bench`: measures reductions on this machine's device.
//!
//! A time is the mean of launches enqueued back to back, which hides the latency of a single launch. On the
//! emulator the exact counts are more meaningful than the time.

use std::{path::PathBuf, time::Instant};

use codegen_shim::{KernelSpec, Op, ReductionList, Source, Type, Variable};
use cuda_driver::reports::Counts;
use host_rt::{Array, Device, DriverKind, Element, GeneratedReduction, Record};
use serde_json::json;

use crate::{device::DeviceOptions, error::Error, output, profile::Profiling};

/// Options of `warpfold bench`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    device: DeviceOptions,
    /// Numbers of elements, separated by commas [default: 2^10 to 2^24; to 2^28 on a GPU]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    sizes: Vec<u64>,
    /// Element types, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "i32,i64,f32,f64")]
    types: Vec<Type>,
    /// Operators reduced in one pass, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "sum")]
    op: Vec<Op>,
    /// Rounds; the table shows the fastest and the median
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// Say what would limit the launches on a GPU, as `warpfold profile` does, on the emulator: on standard error, or in a
    /// file, as JSON or HTML if its name ends so
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    profile: Option<Option<PathBuf>>,
    /// Write the figures as one JSON object: to standard output instead of the table, or to a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    json: Option<Option<PathBuf>>,
}

/// One row of the table.
struct Row {
    ty: Type,
    elements: u64,
    fastest: f64,
    median: f64,
    /// Counts of one launch; none on a GPU.
    counts: Option<Counts>,
}

impl Row {
    fn bandwidth(&self) -> f64 {
        (self.elements * u64::from(self.ty.size())) as f64 / self.fastest
    }

    fn instructions_per_second(&self) -> Option<f64> {
        self.counts.map(|counts| counts.thread_instructions as f64 / self.fastest)
    }
}

/// Measures, prints the table and writes the JSON file.
pub fn run(options: &Options) -> Result<(), Error> {
    let files = [&options.json, &options.profile].map(|file| file.as_ref().and_then(Option::as_deref));
    output_files::check_distinct(files.into_iter().flatten(), [])?;
    let device = options.device.open()?;
    let profiling = options.profile.as_ref().map(|_| Profiling::begin(device.kind())).transpose()?;
    let largest = if device.kind() == DriverKind::Cuda { 28 } else { 24 };
    let sizes = match options.sizes.as_slice() {
        [] => (10..=largest).step_by(2).map(|exponent| 1 << exponent).collect(),
        sizes => sizes.to_vec(),
    };
    let operators: Vec<_> = options.op.iter().map(Op::to_string).collect();
    let operators = operators.join(",");
    let table = |line: &dyn std::fmt::Display| match options.json {
        Some(None) => Ok(()),
        _ => output::line(line),
    };
    table(&format_args!("{operators} on {}", device.name()))?;
    table(&"type     elements   fastest µs    median µs       GB/s   instr/elem   Minstr/s")?;

    let mut rows = Vec::new();
    for ty in &options.types {
        for elements in &sizes {
            let row = match *ty {
                Type::I32 => measure::<i32>(options, &device, *ty, *elements)?,
                Type::I64 => measure::<i64>(options, &device, *ty, *elements)?,
                Type::F32 => measure::<f32>(options, &device, *ty, *elements)?,
                Type::F64 => measure::<f64>(options, &device, *ty, *elements)?,
                other => {
                    return Err(Error::Usage(format!("{other} is not supported; i32, i64, f32 and f64 are")));
                }
            };
            table(&table_line(&row))?;
            rows.push(row);
        }
    }
    if let (Some(profiling), Some(file)) = (profiling, &options.profile) {
        profiling.finish("warpfold bench", options.device.emulated_sm(), file.as_deref())?;
    }
    match &options.json {
        Some(Some(path)) => output::json(path, &report(&device, &operators, &rows)),
        Some(None) => output::line(report(&device, &operators, &rows)),
        None => Ok(()),
    }
}

fn measure<T: Element + From<i8>>(
    options: &Options,
    device: &Device,
    ty: Type,
    elements: u64,
) -> Result<Row, Error> {
    let variables =
        options.op.iter().map(|op| Variable { name: op.to_string(), ty, op: *op, source: Source::Array(0) });
    let list = ReductionList::new(variables.collect())?;
    let initial = Record::identity(&list);
    let reduction =
        GeneratedReduction::new(device, KernelSpec::new(list, vec![ty], host_rt::BLOCK_THREADS)?)?;
    let stream = device.stream()?;
    let data: Vec<T> = (0..elements).map(|i| T::from((i % 127) as i8)).collect();
    let buffer = device.buffer(&data)?;
    let array = buffer.array();

    cuda_driver::reports::keep_launches();
    // The first launch includes allocating the workspace and, on a GPU, compiling the PTX.
    launch(&reduction, &stream, &initial, elements, array, 1)?;
    let counts = cuda_driver::reports::take_launches().pop().map(|report| report.counts);
    let launches = if device.kind() == DriverKind::Cuda { 20 } else { 1 };
    let mut seconds = Vec::new();
    for _ in 0..options.rounds {
        let started = Instant::now();
        launch(&reduction, &stream, &initial, elements, array, launches)?;
        seconds.push(started.elapsed().as_secs_f64() / f64::from(launches));
    }
    cuda_driver::reports::take_launches();
    seconds.sort_by(f64::total_cmp);
    Ok(Row { ty, elements, fastest: seconds[0], median: seconds[seconds.len() / 2], counts })
}

fn launch(
    reduction: &GeneratedReduction,
    stream: &host_rt::Stream,
    initial: &Record,
    elements: u64,
    array: Array,
    times: u32,
) -> Result<(), Error> {
    let mut run = reduction.start(stream, initial)?;
    for _ in 0..times {
        run.enqueue(elements, &[array])?;
    }
    run.finish()?;
    Ok(())
}

fn table_line(row: &Row) -> String {
    let Row { ty, elements, fastest, median, counts } = row;
    let mut line = format!(
        "{ty:4} {elements:12} {:12.2} {:12.2} {:10.3}",
        fastest * 1e6,
        median * 1e6,
        row.bandwidth() / 1e9
    );
    if let (Some(counts), Some(rate)) = (counts, row.instructions_per_second()) {
        let per_element = counts.thread_instructions as f64 / (*elements).max(1) as f64;
        line.push_str(&format!(" {per_element:12.3} {:10.1}", rate / 1e6));
    }
    line
}

fn report(device: &Device, operators: &str, rows: &[Row]) -> serde_json::Value {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            json!({
                "type": row.ty.to_string(),
                "elements": row.elements,
                "fastest_seconds": row.fastest,
                "median_seconds": row.median,
                "bytes_per_second": row.bandwidth(),
                "thread_instructions_per_second": row.instructions_per_second(),
                "counts": row.counts.as_ref().map(output::counts_of_one),
            })
        })
        .collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "device": device.name(),
        "operators": operators,
        "rows": rows,
    })
}
