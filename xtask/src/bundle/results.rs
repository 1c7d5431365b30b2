//! What a bundle's run left in a folder, as one JSON file for `benches/results`.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value, json};

/// Options of `cargo xtask bundle-results`.
#[derive(clap::Args)]
pub struct Options {
    /// The folder that `run.sh` has written
    folder: PathBuf,
    /// The JSON file to write
    file: PathBuf,
}

/// Figures that benchmarks wrote as JSON, by file name.
const BENCHMARKS: [&str; 4] = ["kernels", "peers", "peers-others", "peers-28"];

/// Collects the results.
pub fn run(options: &Options) -> Result<(), String> {
    let mut all = Map::new();
    let tests = read(&options.folder.join("results.json"))?;
    let tests: Value = parsed("results.json", &tests)?;
    all.insert("gpu".into(), tests["gpu"].clone());
    all.insert("results".into(), counted(&tests["rows"]));
    for name in BENCHMARKS {
        let path = options.folder.join(name).with_extension("json");
        if path.exists() {
            all.insert(name.into(), parsed(name, &read(&path)?)?);
        }
    }
    let counters = options.folder.join("counters.csv");
    if counters.exists() {
        all.insert("counters".into(), counters_of(&counters, &options.folder.join("processes.tsv"))?);
    }
    let mut text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
    text.push('\n');
    fs::write(&options.file, text).map_err(|error| format!("{}: {error}", options.file.display()))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn parsed(name: &str, text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("{name}: {error}"))
}

/// How many rows of each part have each result, and the rows that are not `ok`.
fn counted(rows: &Value) -> Value {
    let mut parts: BTreeMap<String, BTreeMap<String, u32>> = BTreeMap::new();
    let mut others = Vec::new();
    for row in rows.as_array().into_iter().flatten() {
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        let (name, result) = (text("name"), text("result"));
        let part = name.split_once(' ').map_or(name, |(part, _)| part);
        *parts.entry(part.into()).or_default().entry(result.into()).or_default() += 1;
        if result != "ok" {
            others.push(row.clone());
        }
    }
    json!({ "parts": parts, "others": others })
}

/// The launches that Nsight Compute has counted: for each process and kernel the fastest, with its counters.
fn counters_of(path: &Path, processes: &Path) -> Result<Value, String> {
    let processes = read(processes)?;
    let processes: BTreeMap<&str, &str> =
        processes.lines().filter_map(|line| line.split_once('\t')).collect();
    let text = read(path)?;
    // Messages of the profiler stand before the table.
    let table: String =
        text.lines().filter(|line| line.starts_with('"')).map(|line| format!("{line}\n")).collect();
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let headers = reader.headers().map_err(|error| error.to_string())?.clone();
    let place = |name: &str| {
        headers.iter().position(|header| header == name).ok_or(format!("counters.csv has no column `{name}`"))
    };
    let columns =
        ["ID", "Process ID", "Kernel Name", "Grid Size", "Block Size", "Metric Name", "Metric Value"];
    let columns = columns.map(place).into_iter().collect::<Result<Vec<_>, _>>()?;
    let unit = place("Metric Unit")?;
    // By process, kernel, grid and block: each launch with its counters.
    type Launches = BTreeMap<u64, Map<String, Value>>;
    let mut kernels: Vec<([String; 4], Launches)> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| format!("counters.csv: {error}"))?;
        let cell = |column: usize| record.get(columns[column]).unwrap_or_default().to_owned();
        let key = [cell(1), cell(2), cell(3), cell(4)];
        let at = kernels.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
            kernels.push((key, Launches::new()));
            kernels.len() - 1
        });
        let value: f64 = cell(6).replace(',', "").parse().map_err(|error| format!("{}: {error}", cell(6)))?;
        let scale = match record.get(unit).unwrap_or_default() {
            "ns" | "nsecond" => 1e-9,
            "us" | "usecond" => 1e-6,
            "ms" | "msecond" => 1e-3,
            "Kbyte" => 1e3,
            "Mbyte" => 1e6,
            "Gbyte" => 1e9,
            _ => 1.0,
        };
        let launch: u64 = cell(0).parse().map_err(|error| format!("{}: {error}", cell(0)))?;
        kernels[at].1.entry(launch).or_default().insert(cell(5), (value * scale).into());
    }
    let rows = kernels.into_iter().map(|([process, kernel, grid, block], launches)| {
        let time = |counters: &Map<String, Value>| {
            counters.get("gpu__time_duration.sum").and_then(Value::as_f64).unwrap_or(f64::INFINITY)
        };
        let number = launches.len();
        let fastest = launches.into_values().min_by(|one, other| time(one).total_cmp(&time(other)));
        let program = processes.get(process.as_str()).copied().unwrap_or_default();
        // Programs are in a folder of the run.
        let program = program.split(' ').map(|word| match word.split_once("/loops/") {
            Some((_, name)) => format!("loops/{name}"),
            None => word.to_owned(),
        });
        let program = program.collect::<Vec<_>>().join(" ");
        json!({
            "program": program, "kernel": kernel, "grid": grid, "block": block, "launches": number,
            "fastest": fastest.unwrap_or_default(),
        })
    });
    Ok(rows.collect())
}
