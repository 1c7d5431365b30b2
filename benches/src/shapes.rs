//! OpenMP programs of different shapes on the emulator: the processor time of a region by each engine, beside that of other
//! versions of the driver and that of one thread of the host.

use std::{
    collections::BTreeMap,
    error::Error,
    fmt::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::json;
use toolchain::{OffloadBuild, OptLevel, Tools};

use crate::{
    instructions::copied_drivers,
    processor,
    report::{Report, median},
};

/// What the programs measure with. It stands in each of them: they are compiled one by one.
const TIMER: &str = include_str!("shapes/timer.h");

/// The programs: name, level, source. Each checks its result.
const SHAPES: [(&str, OptLevel, &str); 7] = [
    ("sum of 2^24 doubles", OptLevel::O2, include_str!("shapes/sum.c")),
    ("stencil of 5 points", OptLevel::O2, include_str!("shapes/stencil.c")),
    ("generic mode, -O0", OptLevel::O0, include_str!("shapes/generic.c")),
    ("one lane", OptLevel::O2, include_str!("shapes/one_lane.c")),
    ("diverged lanes", OptLevel::O2, include_str!("shapes/divergent.c")),
    ("atomics on one word", OptLevel::O2, include_str!("shapes/atomics.c")),
    ("malloc and free", OptLevel::O2, include_str!("shapes/heap.c")),
];

/// What is measured of a shape. Times are in seconds; lists of them are sorted.
#[derive(Default)]
struct Row {
    name: &'static str,
    interpreted: Vec<f64>,
    compiled: Vec<f64>,
    /// With each other driver.
    others: Vec<Vec<f64>>,
    host: Vec<f64>,
    /// Making the machine code, once.
    compiling: f64,
    /// The most memory in KiB: interpreted, compiled, and on the host.
    memory: [u64; 3],
}

/// What a program prints.
#[derive(Clone, Copy)]
pub struct Measured {
    pub seconds: f64,
    compiling: f64,
    /// The most that the process has had, in KiB.
    pub memory: u64,
}

/// Measures with the driver of each `warpfold`, this one first, one after the other in each round; of all shapes, or of those
/// whose names have one of `filters`.
pub fn measure(programs: &[&Path], filters: &[String], rounds: u32) -> Result<Report, Box<dyn Error>> {
    let tools = Tools::find()?;
    let library = device_library::openmp_library(&tools)?;
    let folder = tempfile::tempdir()?;
    let drivers = copied_drivers(programs, folder.path())?;
    let (own, others) = drivers.split_first().ok_or("no driver")?;
    let mut rows = Vec::new();
    let is_wanted = |name: &str| filters.is_empty() || filters.iter().any(|filter| name.contains(filter));
    for (name, opt, source) in SHAPES.into_iter().filter(|(name, ..)| is_wanted(name)) {
        let program = program(&tools, &library, opt, source, &[])?;
        let emulated =
            |driver: &Path, variables: &[(&str, &str)]| emulated(&program, name, driver, variables);
        let cold = tempfile::tempdir()?;
        let no_code = [("WARPFOLD_ENGINE", "compile"), ("WARPFOLD_CACHE", &*cold.path().to_string_lossy())];
        let mut row = Row {
            name,
            others: vec![Vec::new(); others.len()],
            compiling: emulated(own, &no_code)?.compiling,
            ..Row::default()
        };
        for _ in 0..rounds {
            let interpreted = emulated(own, &[("WARPFOLD_ENGINE", "interpret")])?;
            let compiled = emulated(own, &[("WARPFOLD_ENGINE", "compile")])?;
            for (times, driver) in row.others.iter_mut().zip(others) {
                times.push(emulated(driver, &[])?.seconds);
            }
            let mut command = processor::on_one(&program);
            command.env("OMP_TARGET_OFFLOAD", "DISABLED").env("OMP_NUM_THREADS", "1");
            let host = measured(command, name)?;
            row.interpreted.push(interpreted.seconds);
            row.compiled.push(compiled.seconds);
            row.host.push(host.seconds);
            row.memory = [interpreted.memory, compiled.memory, host.memory];
        }
        let all = [&mut row.interpreted, &mut row.compiled, &mut row.host];
        row.others.iter_mut().chain(all).for_each(|times| times.sort_by(f64::total_cmp));
        rows.push(row);
    }
    Ok(report(&rows))
}

/// A program that measures itself.
pub fn program(
    tools: &Tools,
    library: &Path,
    opt: OptLevel,
    source: &str,
    options: &[&str],
) -> Result<PathBuf, Box<dyn Error>> {
    let source = source.replace("#include \"timer.h\"\n", TIMER);
    // As `warpfold cc` does.
    let lto = opt == OptLevel::O2;
    let build = OffloadBuild { units: &[("shape.c", &source)], sm: 90, opt, lto, options };
    Ok(tools.offload_program(&build, library)?)
}

/// What a program prints on the emulator, with a driver and variables of the environment.
pub fn emulated(
    program: &Path,
    name: &str,
    driver: &Path,
    variables: &[(&str, &str)],
) -> Result<Measured, Box<dyn Error>> {
    let mut command = processor::on_one(program);
    command.env("OMP_TARGET_OFFLOAD", "MANDATORY").envs(variables.iter().copied());
    command.env("LD_LIBRARY_PATH", toolchain::prepended("LD_LIBRARY_PATH", driver)?);
    measured(command, name)
}

/// What a program prints; it must succeed.
fn measured(mut command: Command, name: &str) -> Result<Measured, Box<dyn Error>> {
    let output = command.stdin(Stdio::null()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let measured = text.lines().find_map(|line| {
        let mut words = line.strip_prefix("bench ")?.split(' ');
        Some(Measured {
            seconds: words.next()?.parse().ok()?,
            compiling: words.next()?.parse().ok()?,
            memory: words.next()?.parse().ok()?,
        })
    });
    match measured {
        Some(measured) if output.status.success() => Ok(measured),
        _ => Err(format!("{name}: {} {}", output.status, String::from_utf8_lossy(&output.stderr)).into()),
    }
}

fn report(rows: &[Row]) -> Report {
    let mut lines = vec![format!(
        "{:22} {:>14} {:>12} {:>9} {:>12} {:>9} {:>11} {:>15}",
        "program",
        "interpreted ms",
        "compiled ms",
        "host ms",
        "interpreted",
        "compiled",
        "compiling s",
        "memory MiB"
    )];
    let mut json = BTreeMap::new();
    for row in rows {
        let [interpreted, compiled, host] =
            [&row.interpreted, &row.compiled, &row.host].map(|times| median(times));
        let mut line = format!(
            "{:22} {:14.2} {:12.2} {:9.3} {:10.1} x {:7.1} x {:11.2} {:>15}",
            row.name,
            interpreted * 1e3,
            compiled * 1e3,
            host * 1e3,
            interpreted / host,
            compiled / host,
            row.compiling,
            row.memory.map(|kib| (kib >> 10).to_string()).join(" / "),
        );
        for base in row.others.iter().map(|times| median(times)) {
            let _ = write!(line, "   {:6.2} times as fast as {:.2} ms", base / compiled, base * 1e3);
        }
        lines.push(line);
        let times = json!({
            "interpreted_seconds": row.interpreted,
            "compiled_seconds": row.compiled,
            "other_seconds": row.others,
            "host_seconds": row.host,
            "compiling_seconds": row.compiling,
            "memory_kib": row.memory,
        });
        json.insert(row.name, times);
    }
    let json = json!({ "version": env!("CARGO_PKG_VERSION"), "shapes": json });
    Report { lines, json, failure: None }
}
