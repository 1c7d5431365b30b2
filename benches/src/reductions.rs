//! Reductions of arrays by exact counts of instructions, alone or beside another library's.

use std::{collections::BTreeMap, error::Error, fs, path::Path};

use cuda_driver::{Select, reports};
use host_rt::{
    BLOCK_THREADS, Buffer, Device, Element, GeneratedReduction, KernelSpec, Op, Options, Record,
    ReductionList, Source, Type, Variable,
};
use serde_json::{Value, json};

use crate::report::Report;

/// Powers of two: the numbers of elements.
const SIZES: [u32; 4] = [10, 16, 20, 24];

/// Warp instructions and 32-byte sectors of global memory of one reduction, and its launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counts {
    warp_instructions: u64,
    global_sectors: u64,
    launches: u64,
}

/// A reduction of arrays of one type.
struct Row {
    name: &'static str,
    ty: Type,
    op: Op,
    source: Source,
}

fn rows() -> Vec<Row> {
    let array = |name, ty, op| Row { name, ty, op, source: Source::Array(0) };
    let dot = |name, ty| Row { name, ty, op: Op::Sum, source: Source::Product(0, 1) };
    vec![
        array("sum_i32", Type::I32, Op::Sum),
        array("sum_i64", Type::I64, Op::Sum),
        array("sum_f32", Type::F32, Op::Sum),
        array("sum_f64", Type::F64, Op::Sum),
        array("min_i32", Type::I32, Op::Min),
        array("min_f32", Type::F32, Op::Min),
        array("argmax_i32", Type::I32, Op::ArgMax),
        array("argmax_f32", Type::F32, Op::ArgMax),
        dot("dot_f32", Type::F32),
        dot("dot_f64", Type::F64),
    ]
}

/// Counts all rows on the emulator; `peer` is a JSON file with the counts of another library on the same emulated
/// device, an array of objects with `reduction`, `elements`, `warp_instructions`, `global_sectors` and `launches`.
pub fn count(peer: Option<&Path>) -> Result<Report, Box<dyn Error>> {
    let peers = peer.map(read_peer).transpose()?.unwrap_or_default();
    reports::keep_launches();
    let device = Device::open(Select::Emulator)?;
    let mut lines = vec![
        "| reduction | elements | blocks of threads | warp instructions | per peer's | sectors | per peer's | launches |"
            .to_owned(),
        "|---|---|---|---|---|---|---|---|".to_owned(),
    ];
    let (mut records, mut above) = (Vec::new(), Vec::new());
    for row in rows() {
        for size in SIZES {
            let n = 1_u64 << size;
            let (ours, shape) = match row.ty {
                Type::I32 => count_row::<i32>(&device, &row, n, |bits| bits as i32)?,
                Type::I64 => count_row::<i64>(&device, &row, n, |bits| bits as i64)?,
                Type::F32 => count_row::<f32>(&device, &row, n, |bits| (bits % 4096) as f32)?,
                _ => count_row::<f64>(&device, &row, n, |bits| (bits % 4096) as f64)?,
            };
            let theirs = peers.get(&(row.name.to_owned(), n));
            let ratio = |of: fn(&Counts) -> u64| {
                theirs.map_or("-".to_owned(), |theirs| format!("{:.3}", of(&ours) as f64 / of(theirs) as f64))
            };
            if theirs.is_some_and(|theirs| ours.warp_instructions > theirs.warp_instructions) {
                above.push(format!("{} of 2^{size}", row.name));
            }
            lines.push(format!(
                "| {} | 2^{size} | {shape} | {} | {} | {} | {} | {} |",
                row.name,
                ours.warp_instructions,
                ratio(|counts| counts.warp_instructions),
                ours.global_sectors,
                ratio(|counts| counts.global_sectors),
                ours.launches,
            ));
            records.push(json!({
                "reduction": row.name, "elements": n, "shape": shape,
                "warp_instructions": ours.warp_instructions, "global_sectors": ours.global_sectors,
                "launches": ours.launches,
            }));
        }
    }
    let failure =
        (!above.is_empty()).then(|| format!("more warp instructions than the peer: {}", above.join(", ")));
    Ok(Report { lines, json: Value::Array(records), failure })
}

/// The counts of one reduction, and its grid.
fn count_row<T: Element>(
    device: &Device,
    row: &Row,
    n: u64,
    value: impl Fn(u64) -> T,
) -> Result<(Counts, String), Box<dyn Error>> {
    let variable = Variable { name: "result".to_owned(), ty: row.ty, op: row.op, source: row.source };
    let arrays = if matches!(row.source, Source::Product(..)) { 2 } else { 1 };
    let list = ReductionList::new(vec![variable])?;
    let spec = KernelSpec::new(list, vec![row.ty; arrays], BLOCK_THREADS)?;
    let reduction = GeneratedReduction::with_options(device, spec, Options::default())?;
    // Multiplication by an odd number spreads the values; the same on every run.
    let values: Vec<T> = (0..n).map(|i| value(i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33)).collect();
    let buffers: Vec<Buffer<T>> = (0..arrays).map(|_| device.buffer(&values)).collect::<Result<_, _>>()?;
    let inputs: Vec<_> = buffers.iter().map(Buffer::array).collect();
    let mut record = Record::identity(reduction.spec().list());
    reports::take_launches();
    reduction.run(&device.stream()?, n, &inputs, &mut record)?;
    let launches = reports::take_launches();
    let total = |of: fn(&reports::LaunchReport) -> u64| launches.iter().map(of).sum();
    let counts = Counts {
        warp_instructions: total(|launch| launch.counts.warp_instructions),
        global_sectors: total(|launch| launch.counts.global_sectors),
        launches: launches.len() as u64,
    };
    let shape =
        |launch: &reports::LaunchReport| format!("{} × {}", launch.config.grid[0], launch.config.block[0]);
    Ok((counts, launches.iter().map(shape).collect::<Vec<_>>().join(", ")))
}

fn read_peer(path: &Path) -> Result<BTreeMap<(String, u64), Counts>, Box<dyn Error>> {
    let context = |error: String| format!("{}: {error}", path.display());
    let text = fs::read_to_string(path).map_err(|error| context(error.to_string()))?;
    let rows: Vec<Value> = serde_json::from_str(&text).map_err(|error| context(error.to_string()))?;
    let mut peers = BTreeMap::new();
    for row in rows {
        let number =
            |name: &str| row[name].as_u64().ok_or_else(|| context(format!("no number `{name}` in {row}")));
        let reduction =
            row["reduction"].as_str().ok_or_else(|| context(format!("no `reduction` in {row}")))?;
        let counts = Counts {
            warp_instructions: number("warp_instructions")?,
            global_sectors: number("global_sectors")?,
            launches: number("launches")?,
        };
        peers.insert((reduction.to_owned(), number("elements")?), counts);
    }
    Ok(peers)
}
