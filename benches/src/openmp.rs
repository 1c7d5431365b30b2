//! OpenMP kernels compiled by clang, launched as libomptarget does: with this project's device runtime, and
//! with another one if there is PTX of it.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use cuda_driver::reports::{Counts, counts_json};
use device_rt::abi::layout::LaunchEnvironment;
use host_rt::{Buffer, Device, DriverKind, Module, Shape, Stream};
use serde_json::json;
use toolchain::{OptLevel, Tools};

use crate::report::{Report, median};

/// The kernels' names and sources (see openmp/README.md).
const SOURCES: [(&str, &str); 11] = [
    ("sum", include_str!("../openmp/sum.c")),
    ("sum_long", include_str!("../openmp/sum_long.c")),
    ("sum_float", include_str!("../openmp/sum_float.c")),
    ("dot", include_str!("../openmp/dot.c")),
    ("two_sums", include_str!("../openmp/two_sums.c")),
    ("team", include_str!("../openmp/team.c")),
    ("nested", include_str!("../openmp/nested.c")),
    ("generic", include_str!("../openmp/generic.c")),
    ("dynamic", include_str!("../openmp/dynamic.c")),
    ("scale", include_str!("../openmp/scale.c")),
    ("regions", include_str!("../openmp/regions.c")),
];

/// Kernels with one team, which get fewer elements.
const ONE_TEAM: [&str; 3] = ["team", "dynamic", "regions"];

/// Kernels that are also launched over so many elements that libomptarget starts a team for each
/// [`THREADS`] of them: each thread has one.
const SHORT: [&str; 7] = ["sum", "sum_long", "sum_float", "dot", "two_sums", "nested", "scale"];

/// The elements of such a launch.
const SHORT_ELEMENTS: usize = 100_000;

/// Threads of a team: clang's default. In generic mode a warp of them is the main thread's.
const THREADS: u32 = 128;

/// Records of a launch's reduction buffer, as clang sets it, and enough bytes for each.
const RECORDS: usize = 1024;
const RECORD_BYTES: usize = 16;

/// Launches enqueued back to back on a GPU; a time is their mean.
const LAUNCHES: u32 = 20;

/// One kernel with one runtime.
struct Row {
    kernel: &'static str,
    runtime: &'static str,
    elements: usize,
    teams: u32,
    /// Seconds of one launch in every round, in order.
    seconds: Vec<f64>,
    /// Counts of one launch on the emulator.
    counts: Option<Counts>,
}

/// Measures all kernels: PTX files in the folder `own` (compiled here if none is given), and those in the folder
/// `peer`.
pub fn measure(
    device: &Device,
    rounds: u32,
    own: Option<&Path>,
    peer: Option<&Path>,
) -> Result<Report, Box<dyn Error>> {
    let is_gpu = device.kind() == DriverKind::Cuda;
    let many = if is_gpu { 1 << 26 } else { 1 << 18 };
    // As many as libomptarget starts for a long loop: a few for each multiprocessor.
    let all_teams = if is_gpu { 32 * device.multiprocessors() } else { 2 * device.multiprocessors() };
    cuda_driver::reports::keep_launches();
    let (mut rows, mut without) = (Vec::new(), Vec::new());
    for (kernel, source) in SOURCES {
        let mut launches = match ONE_TEAM.contains(&kernel) {
            true => vec![(many / 64, 1)],
            false => vec![(many, all_teams)],
        };
        if SHORT.contains(&kernel) {
            launches.push((SHORT_ELEMENTS, SHORT_ELEMENTS.div_ceil(THREADS as usize) as u32));
        }
        let ours = match own {
            Some(folder) => read(folder, kernel)?,
            None => compile(kernel, source)?,
        };
        let mut versions = vec![("this runtime", ours)];
        match peer {
            Some(folder) if ptx_file(folder, kernel).exists() => {
                versions.push(("the peer", read(folder, kernel)?));
            }
            Some(_) => without.push(kernel),
            None => {}
        }
        let load = |(runtime, ptx): (_, String)| Ok((runtime, Bench::new(device, kernel, source, &ptx)?));
        let loaded: Vec<(&str, Bench)> =
            versions.into_iter().map(load).collect::<Result<_, Box<dyn Error>>>()?;
        for (elements, teams) in launches {
            let data = Data::new(device, elements)?;
            for (runtime, bench) in &loaded {
                let mut row = Row { kernel, runtime, elements, teams, seconds: Vec::new(), counts: None };
                // The first launch pays for compiling the PTX.
                bench.run(device, &data, teams, 1)?;
                row.counts = cuda_driver::reports::take_launches().pop().map(|report| report.counts);
                for _ in 0..rounds {
                    row.seconds.push(bench.run(device, &data, teams, if is_gpu { LAUNCHES } else { 1 })?);
                }
                cuda_driver::reports::take_launches();
                row.seconds.sort_by(f64::total_cmp);
                rows.push(row);
            }
        }
    }
    let mut head = String::from("kernel      elements  teams  runtime          fastest µs");
    if rows.iter().any(|row| row.counts.is_some()) {
        head.push_str("    warp instr  barriers  shuffles  atomics");
    }
    let title = format!("OpenMP kernels on {}", device.name());
    let without = without.iter().map(|kernel| format!("{kernel}: the peer has no PTX"));
    let lines = [title, head].into_iter().chain(rows.iter().map(Row::line)).chain(without).collect();
    let rows: Vec<_> = rows.iter().map(Row::json).collect();
    let json =
        json!({ "version": env!("CARGO_PKG_VERSION"), "device": device.name(), "openmp_kernels": rows });
    Ok(Report { lines, json, failure: None })
}

/// The file of a kernel's PTX in a folder.
fn ptx_file(folder: &Path, kernel: &str) -> PathBuf {
    folder.join(kernel).with_extension("ptx")
}

/// The PTX of a kernel in a folder.
fn read(folder: &Path, kernel: &str) -> Result<String, Box<dyn Error>> {
    let path = ptx_file(folder, kernel);
    fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()).into())
}

/// The PTX of a kernel with this project's runtime.
fn compile(kernel: &str, source: &str) -> Result<String, Box<dyn Error>> {
    let tools = Tools::find()?;
    let library = device_library::openmp_library(&tools)?;
    Ok(tools.offload_ptx(&format!("{kernel}.c"), source, 90, OptLevel::O2, &library)?)
}

/// The kernels' input. All values are small whole numbers: sums are exact in every order.
struct Data {
    a: Vec<f64>,
    doubles: Buffer<f64>,
    factors: Buffer<f64>,
    floats: Buffer<f32>,
    /// Of all doubles, and of all floats.
    sums: (f64, f32),
    /// Of all doubles multiplied by the factors.
    products: f64,
}

impl Data {
    fn new(device: &Device, elements: usize) -> Result<Data, Box<dyn Error>> {
        let a: Vec<f64> = (0..elements).map(|i| (i % 7) as f64 - 2.0).collect();
        // A float holds the sum of these exactly.
        let c: Vec<f32> = (0..elements).map(|i| if i % 64 == 5 { 1.0 } else { 0.0 }).collect();
        let d: Vec<f64> = (0..elements).map(|i| (i % 5) as f64).collect();
        let sums = (a.iter().sum(), c.iter().sum());
        let products = a.iter().zip(&d).map(|(a, d)| a * d).sum();
        let (doubles, factors, floats) = (device.buffer(&a)?, device.buffer(&d)?, device.buffer(&c)?);
        Ok(Data { doubles, factors, floats, sums, products, a })
    }
}

/// A kernel of one runtime, loaded.
struct Bench<'a> {
    module: Module,
    /// The kernel's symbol.
    entry: String,
    /// The names of its parameters, after the launch environment.
    parameters: Vec<&'a str>,
    stream: Stream,
}

impl<'a> Bench<'a> {
    fn new(
        device: &Device,
        kernel: &'static str,
        source: &'a str,
        ptx: &str,
    ) -> Result<Bench<'a>, Box<dyn Error>> {
        let entry = ptx.split_once(".entry ").and_then(|(_, rest)| rest.split(['(', '\n']).next());
        let words = source.lines().next().and_then(|line| line.split_once("Parameters: "));
        let (Some(entry), Some((_, words))) = (entry, words) else {
            return Err(format!("the PTX of {kernel} has no kernel").into());
        };
        Ok(Bench {
            module: Module::from_ptx(device, ptx)?,
            entry: entry.trim().to_owned(),
            parameters: words.split_whitespace().collect(),
            stream: device.stream()?,
        })
    }

    /// Seconds of one launch out of `launches`, whose results are checked.
    fn run(&self, device: &Device, data: &Data, teams: u32, launches: u32) -> Result<f64, Box<dyn Error>> {
        const INITIAL: f64 = 3.0;
        let elements = data.a.len();
        let records = device.buffer(&vec![0_u8; RECORDS * RECORD_BYTES])?;
        // One for each launch: two counters, and the address of the records (`LaunchEnvironment` of device-rt).
        let environments = device.buffer(&[0, records.address()].repeat(launches as usize))?;
        let (s, t) = (device.buffer(&[INITIAL])?, device.buffer(&[INITIAL as f32])?);
        let b = device.buffer(&vec![0.0_f64; elements])?;
        let words: Vec<u64> = self
            .parameters
            .iter()
            .map(|name| match *name {
                "n" => elements as u64,
                "a" => data.doubles.address(),
                "b" => b.address(),
                "c" => data.floats.address(),
                "d" => data.factors.address(),
                "s" => s.address(),
                _ => t.address(),
            })
            .collect();
        let kernel = self.module.kernel(&self.entry)?;
        let shape = Shape::from((teams, THREADS));
        let started = Instant::now();
        let mut running = Vec::new();
        for launch in 0..u64::from(launches) {
            let environment = environments.address() + size_of::<LaunchEnvironment>() as u64 * launch;
            // SAFETY: these are the kernel's parameters (benches/openmp/README.md); the buffers are as long as it
            // takes them to be, and live until the stream is done.
            running.push(unsafe {
                match *words {
                    [one, two, three] => kernel.launch(&self.stream, shape, (environment, one, two, three)),
                    [one, two, three, four] => {
                        kernel.launch(&self.stream, shape, (environment, one, two, three, four))
                    }
                    [one, two, three, four, five] => {
                        kernel.launch(&self.stream, shape, (environment, one, two, three, four, five))
                    }
                    _ => return Err(format!("{} has other parameters", self.entry).into()),
                }
            }?);
        }
        self.stream.synchronize()?;
        let times = f64::from(launches);
        let seconds = started.elapsed().as_secs_f64() / times;
        drop(running);
        let added = match (self.has("s"), self.has("d")) {
            (true, true) => data.products,
            (true, false) => data.sums.0,
            (false, _) => 0.0,
        };
        let right = [
            s.to_vec()? == [INITIAL + times * added],
            t.to_vec()?
                == [(if self.has("t") { INITIAL + times * f64::from(data.sums.1) } else { INITIAL }) as f32],
            !self.has("b") || b.to_vec()?.iter().zip(&data.a).all(|(b, a)| *b == 2.0 * a),
        ];
        match right {
            [true, true, true] => Ok(seconds),
            _ => Err(format!("{} with {teams} teams: wrong result", self.entry).into()),
        }
    }

    fn has(&self, parameter: &str) -> bool {
        self.parameters.contains(&parameter)
    }
}

impl Row {
    fn line(&self) -> String {
        let fastest = self.seconds[0] * 1e6;
        let mut line = format!(
            "{:10} {:>9} {:>6}  {:14} {fastest:12.1}",
            self.kernel, self.elements, self.teams, self.runtime
        );
        if let Some(counts) = &self.counts {
            line.push_str(&format!(
                " {:>13} {:>9} {:>9} {:>8}",
                counts.warp_instructions, counts.barriers, counts.shuffles, counts.atomics
            ));
        }
        line
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "kernel": self.kernel,
            "runtime": self.runtime,
            "elements": self.elements,
            "teams": self.teams,
            "fastest_seconds": self.seconds[0],
            "median_seconds": median(&self.seconds),
            "counts": self.counts.as_ref().map(counts_json),
        })
    }
}
