//! This project's kernels, typed reductions and exact sums, called as the peers' programs are.

use std::{error::Error, ops::Neg, process::ExitCode, time::Instant};

use cuda_driver::Select;
use host_rt::{
    BLOCK_THREADS, Buffer, Device, Element, ExactElement, ExactReduction, ExactSum, GeneratedReduction,
    KernelSpec, Min, Op, Options, Record, ReductionList, Source, Sum, Type, TypedReduction, Variable,
};

/// The status of a peer's program that does not have a reduction.
pub const NOT_HERE: u8 = 9;

/// Their names; kernels in the canonical order have one of their own.
pub const NAMES: [&str; 4] = ["ours", CANONICAL, "typed", "exact"];

const CANONICAL: &str = "canonical";

/// Arguments of a peer's program.
#[derive(clap::Args)]
pub struct Call {
    /// ours, canonical, typed or exact
    peer: String,
    reduction: String,
    elements: usize,
    /// Theirs is the only one
    grid: String,
    launches: u32,
    #[arg(long, env = "WARPFOLD_DEVICE", default_value = "auto")]
    device: Select,
}

/// The seconds of a typed reduction, whose result is checked.
macro_rules! typed {
    ($bench:ident, $op:expr, $expected:expr, $input:expr) => {{
        let reducer = TypedReduction::new($bench.device, $op)?;
        let (stream, input) = ($bench.device.stream()?, $input);
        let (seconds, got) = $bench.fastest(|| Ok(reducer.reduce(&stream, input)?.wait()?))?;
        if got != $expected {
            return Err(format!("{got:?} instead of {:?}", $expected).into());
        }
        seconds
    }};
}

/// Reduces, checks the result and prints the seconds of the fastest launch.
pub fn run(call: &Call) -> Result<ExitCode, Box<dyn Error>> {
    let device = Device::open(call.device)?;
    let is_canonical = call.peer == CANONICAL;
    let bench = Bench { device: &device, n: call.elements, launches: call.launches, is_canonical };
    let peer = if is_canonical { "ours" } else { &call.peer };
    let columns = call.reduction.strip_prefix("columns_").map(str::parse).transpose()?;
    let fastest = match (peer, &*call.reduction, columns) {
        ("ours", "sum_i32", _) => bench.kernel(Type::I32, Op::Sum, 1, false, i32::from)?,
        ("ours", "sum_f32", _) => bench.kernel(Type::F32, Op::Sum, 1, false, f32::from)?,
        ("ours", "sum_f64", _) => bench.kernel(Type::F64, Op::Sum, 1, false, f64::from)?,
        ("ours", "min_f32", _) => bench.kernel(Type::F32, Op::Min, 1, false, |_| 1_f32)?,
        ("ours", "dot_f64", _) => bench.kernel(Type::F64, Op::Sum, 2, true, f64::from)?,
        ("ours", _, Some(columns)) => bench.kernel(Type::F64, Op::Sum, columns, false, f64::from)?,
        ("typed", "sum_i32", _) => typed!(bench, Sum, bench.total(0) as i32, &bench.buffer(0, i32::from)?),
        ("typed", "sum_f32", _) => typed!(bench, Sum, bench.total(0) as f32, &bench.buffer(0, f32::from)?),
        ("typed", "sum_f64", _) => typed!(bench, Sum, bench.total(0), &bench.buffer(0, f64::from)?),
        ("typed", "min_f32", _) => typed!(bench, Min, 1.0, &bench.buffer(0, |_| 1_f32)?),
        ("typed", "columns_2", _) => {
            let (a, b) = (bench.buffer(0, f64::from)?, bench.buffer(1, f64::from)?);
            typed!(bench, (Sum, Sum), (bench.total(0), bench.total(1)), (&a, &b))
        }
        ("exact", "sum_f32", _) => bench.exact_sum(&bench.buffer(0, f32::from)?, bench.total(0))?,
        ("exact", "sum_f64", _) => bench.exact_sum(&bench.buffer(0, f64::from)?, bench.total(0))?,
        ("exact", "wide_f32", _) => {
            let finite = |bits: u64| f32::from_bits(bits as u32 & 0xff7f_ffff);
            bench.exact_sum(&bench.cancelling(finite)?, 0.0)?
        }
        ("exact", "wide_f64", _) => {
            let finite = |bits: u64| f64::from_bits(bits & 0xffef_ffff_ffff_ffff);
            bench.exact_sum(&bench.cancelling(finite)?, 0.0)?
        }
        ("exact", "dot_f64", _) => {
            let exact = ExactReduction::new(&device)?;
            let (stream, x, y) = (device.stream()?, bench.buffer(0, f64::from)?, bench.buffer(1, f64::from)?);
            bench.exact(bench.total_of_both(), || Ok(exact.dot(&stream, &x, &y)?.wait()?))?
        }
        _ => return Ok(NOT_HERE.into()),
    };
    println!("{fastest:.9}");
    Ok(ExitCode::SUCCESS)
}

struct Bench<'d> {
    device: &'d Device,
    n: usize,
    launches: u32,
    is_canonical: bool,
}

/// The element of a row in a column: as the other peers have them (`benches/peers/peer.h`).
fn is_one(row: usize, column: usize) -> bool {
    row % 64 == 5 || (row + column) % 64 == 7
}

impl Bench<'_> {
    fn buffer<T: Element>(
        &self,
        column: usize,
        value: impl Fn(u8) -> T,
    ) -> Result<Buffer<T>, host_rt::Error> {
        let values: Vec<T> = (0..self.n).map(|row| value(u8::from(is_one(row, column)))).collect();
        self.device.buffer(&values)
    }

    fn total(&self, column: usize) -> f64 {
        (0..self.n).filter(|&row| is_one(row, column)).count() as f64
    }

    fn total_of_both(&self) -> f64 {
        (0..self.n).filter(|&row| is_one(row, 0) && is_one(row, 1)).count() as f64
    }

    /// Numbers made of random bits, and their negatives.
    fn cancelling<T: Element + Neg<Output = T>>(
        &self,
        value: impl Fn(u64) -> T,
    ) -> Result<Buffer<T>, host_rt::Error> {
        let half = self.n as u64 / 2;
        // SplitMix64 (Steele, Lea and Flood, 2014).
        let random = |row: u64| {
            let mix = |bits: u64, shift: u32, factor: u64| (bits ^ bits >> shift).wrapping_mul(factor);
            let bits = mix((row + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15), 30, 0xbf58_476d_1ce4_e5b9);
            value(mix(bits, 27, 0x94d0_49bb_1331_11eb))
        };
        let values: Vec<T> = (0..half).map(random).chain((0..half).map(|row| -random(row))).collect();
        self.device.buffer(&values)
    }

    fn exact_sum<T: Element + ExactElement>(
        &self,
        input: &Buffer<T>,
        expected: f64,
    ) -> Result<f64, Box<dyn Error>> {
        let (stream, exact) = (self.device.stream()?, ExactReduction::new(self.device)?);
        self.exact(expected, || Ok(exact.sum(&stream, input)?.wait()?))
    }

    /// The seconds of an exact sum, whose result is checked.
    fn exact(
        &self,
        expected: f64,
        launch: impl FnMut() -> Result<ExactSum, Box<dyn Error>>,
    ) -> Result<f64, Box<dyn Error>> {
        let (seconds, sum) = self.fastest(launch)?;
        if sum.to_f64() != expected {
            return Err(format!("{sum:?} instead of {expected}").into());
        }
        Ok(seconds)
    }

    fn fastest<T>(
        &self,
        mut launch: impl FnMut() -> Result<T, Box<dyn Error>>,
    ) -> Result<(f64, T), Box<dyn Error>> {
        let mut timed = || {
            let start = Instant::now();
            let result = launch()?;
            Ok::<_, Box<dyn Error>>((start.elapsed().as_secs_f64(), result))
        };
        let mut best = timed()?;
        for _ in 1..self.launches {
            let next = timed()?;
            if next.0 < best.0 {
                best = next;
            }
        }
        Ok(best)
    }

    /// A generated kernel: a variable for each column, or one for the product of two.
    fn kernel<T: Element>(
        &self,
        ty: Type,
        op: Op,
        columns: usize,
        product: bool,
        value: impl Fn(u8) -> T,
    ) -> Result<f64, Box<dyn Error>> {
        let sources: Vec<Source> = if product {
            vec![Source::Product(0, 1)]
        } else {
            (0..columns as u32).map(Source::Array).collect()
        };
        let variable = |(at, source)| Variable { name: format!("v{at}"), ty, op, source };
        let list = ReductionList::new(sources.into_iter().enumerate().map(variable).collect())?;
        let mut spec = KernelSpec::new(list, vec![ty; columns], BLOCK_THREADS)?;
        if self.is_canonical {
            spec = spec.in_canonical_order();
        }
        let reduction = GeneratedReduction::with_options(self.device, spec, Options::default())?;
        let buffers: Vec<Buffer<T>> =
            (0..columns).map(|column| self.buffer(column, &value)).collect::<Result<_, _>>()?;
        let inputs: Vec<_> = buffers.iter().map(Buffer::array).collect();
        let stream = self.device.stream()?;
        let (seconds, record) = self.fastest(|| {
            let mut record = Record::identity(reduction.spec().list());
            reduction.run(&stream, self.n as u64, &inputs, &mut record)?;
            Ok(record)
        })?;
        for (column, got) in record.values().iter().enumerate() {
            let expected = match (op, product) {
                (Op::Min, _) => 1.0,
                (_, true) => self.total_of_both(),
                _ => self.total(column),
            };
            if got.to_string().parse::<f64>()? != expected {
                return Err(format!("column {column} is {got}, not {expected}").into());
            }
        }
        Ok(seconds)
    }
}
