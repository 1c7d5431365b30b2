//! The time that `warpfold reduce` takes for a column of text, emulated reduction included, against NumPy.

use std::{
    error::Error,
    fs::File,
    io::{BufWriter, Write},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Instant,
};

use serde_json::json;

use crate::report::{Report, median};

const ROWS: u32 = 10_000_000;

/// The limit: this factor times NumPy's time.
const FACTOR: f64 = 1.2;

/// Prints the version, the sum, and the seconds for reading and summing; starting Python and loading NumPy is not
/// counted.
const SCRIPT: &str = "\
import sys, time, numpy
start = time.perf_counter()
total = numpy.loadtxt(sys.argv[1]).sum()
seconds = time.perf_counter() - start
print(numpy.__version__, repr(float(total)), seconds)
";

/// Reads and sums the same file in turn by NumPy, which is a package of `python`, and by `warpfold`.
pub fn measure(warpfold: &Path, python: &Path, rounds: u32) -> Result<Report, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("data.csv");
    write(&data).map_err(|error| format!("cannot write {}: {error}", data.display()))?;
    let (mut numpy, mut own) = (Vec::new(), Vec::new());
    let mut version = String::new();
    // The first round builds device code and loads the files into memory.
    for round in 0..=rounds {
        let (its_version, its_sum, its_seconds) = by_numpy(python, &data)?;
        let (sum, seconds) = by_warpfold(warpfold, &data)?;
        if (sum / its_sum - 1.0).abs() > 1e-12 {
            return Err(format!("the sums differ: {sum} by warpfold, {its_sum} by NumPy").into());
        }
        version = its_version;
        if round > 0 {
            numpy.push(its_seconds);
            own.push(seconds);
        }
    }
    numpy.sort_by(f64::total_cmp);
    own.sort_by(f64::total_cmp);
    let ratio = median(&own) / median(&numpy);
    let bytes = data.metadata()?.len();
    let row = |name: &str, times: &[f64]| {
        let rate = bytes as f64 / median(times) / 1e6;
        format!("{name:28} {:9.3} {:9.3} {rate:9.0}", times[0], median(times))
    };
    let lines = vec![
        format!("sum of {ROWS} rows, {:.0} MB   fastest s  median s      MB/s", bytes as f64 / 1e6),
        row(&format!("NumPy {version}, loadtxt"), &numpy),
        row("warpfold reduce", &own),
        format!("warpfold takes {ratio:.2} of NumPy's time; the limit is {FACTOR}"),
    ];
    let failure = (ratio > FACTOR).then(|| format!("warpfold takes {ratio:.2} times as long as NumPy"));
    let times = |times: &[f64]| json!({ "fastest_seconds": times[0], "median_seconds": median(times) });
    let json = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "csv": {
            "rows": ROWS,
            "bytes": bytes,
            "rounds": rounds,
            "cores": thread::available_parallelism().map_or(1, usize::from),
            "numpy_version": version,
            "numpy": times(&numpy),
            "warpfold": times(&own),
            "ratio": ratio,
            "limit": FACTOR,
        },
    });
    Ok(Report { lines, json, failure })
}

/// Writes a column of numbers between 0 and 1000 with six decimals, the same in every run.
fn write(path: &Path) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    let mut state = 1_u64;
    for _ in 0..ROWS {
        // Knuth's MMIX; the upper bits are the random ones.
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let value = (state >> 33) % 1_000_000_000;
        writeln!(out, "{}.{:06}", value / 1_000_000, value % 1_000_000)?;
    }
    out.flush()
}

fn by_numpy(python: &Path, data: &Path) -> Result<(String, f64, f64), Box<dyn Error>> {
    let mut command = Command::new(python);
    let text = printed(command.args(["-c", SCRIPT]).arg(data))?;
    let words: Vec<_> = text.split_whitespace().collect();
    match words[..] {
        [version, sum, seconds] => Ok((version.to_owned(), sum.parse()?, seconds.parse()?)),
        _ => Err(format!("{} printed: {text}", python.display()).into()),
    }
}

/// The sum, and the seconds from the program's start to its end.
fn by_warpfold(warpfold: &Path, data: &Path) -> Result<(f64, f64), Box<dyn Error>> {
    let mut command = Command::new(warpfold);
    command.args(["reduce", "--op", "sum", "--device", "emulator"]).arg(data);
    let started = Instant::now();
    let text = printed(&mut command)?;
    let seconds = started.elapsed().as_secs_f64();
    let sum = text.trim().strip_prefix("sum ").ok_or_else(|| format!("warpfold printed: {text}"))?;
    Ok((sum.parse()?, seconds))
}

/// What a program prints; it must succeed.
fn printed(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let program = Path::new(command.get_program()).display().to_string();
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run {program}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout)?),
        false => Err(format!("{program} ended with {}", output.status).into()),
    }
}
