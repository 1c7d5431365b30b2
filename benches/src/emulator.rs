//! The emulator itself: instructions per second with one job and with two, and host memory per byte of device memory.

use std::{error::Error, sync::Arc, time::Instant};

use ptx_emulator::{LaunchConfig, LaunchOptions, Machine, MachineDescription, Program};
use serde_json::json;

use crate::report::Report;

/// A kernel whose rate is measured.
struct Kernel {
    name: &'static str,
    entry: &'static str,
    ptx: &'static [u8],
    config: LaunchConfig,
    /// Enough for a launch of tenths of a second: one of 20 ms ends before both host threads run on separate
    /// cores (two jobs were then 1.3 to 1.9 times as fast as one; in long launches, 1.9 times).
    elements: u32,
}

/// Elements that a block of the generic-mode kernel gives its threads in one parallel region.
const CHUNK: u32 = 1 << 12;

/// Jobs that are compared with one.
const JOBS: u32 = 2;

/// Bytes that are allocated and written to measure the host memory that they take.
const MEMORY: u64 = 1 << 30;

/// A grid-stride sum of words with 16-byte loads, and clang's code at -O0 for a kernel that runs parallel regions as
/// OpenMP's generic mode does: both fill the machine.
fn kernels() -> [Kernel; 2] {
    [
        Kernel {
            name: "sum",
            entry: "sum",
            ptx: include_bytes!("../../ptx-emulator/tests/ptx/sum.ptx"),
            config: LaunchConfig::linear(132, 512),
            elements: 1 << 26,
        },
        Kernel {
            name: "generic mode, clang -O0",
            entry: "generic",
            ptx: include_bytes!("../../ptx-emulator/tests/ptx/generic_O0.ptx"),
            config: LaunchConfig::linear(264, 128),
            elements: 1 << 22,
        },
    ]
}

/// Thread instructions per second in several rounds, the fastest first.
struct Rate(Vec<f64>);

impl Rate {
    fn fastest(&self) -> f64 {
        self.0[0]
    }

    fn median(&self) -> f64 {
        self.0[self.0.len() / 2]
    }

    fn json(&self) -> serde_json::Value {
        json!({ "fastest": self.fastest(), "median": self.median() })
    }
}

/// Rates of a kernel with one job and with several.
struct Row {
    name: &'static str,
    alone: Rate,
    together: Rate,
}

impl Row {
    fn speedup(&self) -> f64 {
        self.together.fastest() / self.alone.fastest()
    }

    fn line(&self) -> String {
        let [a, b, c, d] =
            [self.alone.fastest(), self.alone.median(), self.together.fastest(), self.together.median()]
                .map(|rate| rate / 1e6);
        format!("{:26} {a:23.0} {b:7.0} {c:18.0} {d:7.0} {:9.2}", self.name, self.speedup())
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "name": self.name,
            "jobs": JOBS,
            "thread_instructions_per_second_one_job": self.alone.json(),
            "thread_instructions_per_second": self.together.json(),
            "speedup": self.speedup(),
        })
    }
}

/// Measures in this number of rounds.
pub fn measure(rounds: u32) -> Result<Report, Box<dyn Error>> {
    let rows = kernels().iter().map(|kernel| rates(kernel, rounds)).collect::<Result<Vec<_>, _>>()?;
    let resident = resident()?;
    let mut lines = vec![format!(
        "emulated kernel            1 job Minstr/s: fastest  median    {JOBS} jobs: fastest  median  speed-up"
    )];
    lines.extend(rows.iter().map(Row::line));
    let ratio = resident.map(|resident| resident as f64 / MEMORY as f64);
    if let Some(ratio) = ratio {
        lines.push(format!("host memory for each byte of {} MiB on the device: {ratio:.3}", MEMORY >> 20));
    }
    let json = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "kernels": rows.iter().map(Row::json).collect::<Vec<_>>(),
        "memory": { "allocated_bytes": MEMORY, "resident_bytes": resident, "ratio": ratio },
    });
    Ok(Report { lines, json, failure: None })
}

fn rates(kernel: &Kernel, rounds: u32) -> Result<Row, Box<dyn Error>> {
    let program = Arc::new(Program::load(kernel.name, kernel.ptx)?);
    let mut machine = Machine::new(MachineDescription::h200());
    let module = machine.load(&program)?;
    let [input, output] = [(); 2].map(|()| machine.alloc(u64::from(kernel.elements) * 4));
    let (input, output) = (input?, output?);
    machine.fill(input, &1u32.to_le_bytes(), u64::from(kernel.elements))?;
    let mut params = Vec::new();
    if kernel.entry == "sum" {
        params.extend(output.to_le_bytes());
        params.extend(input.to_le_bytes());
        params.extend((kernel.elements / 4).to_le_bytes());
    } else {
        params.extend(u64::from(2f32.to_bits()).to_le_bytes());
        params.extend(input.to_le_bytes());
        params.extend(output.to_le_bytes());
        params.extend(kernel.elements.to_le_bytes());
        params.extend(CHUNK.to_le_bytes());
    }
    let mut run = |jobs| -> Result<f64, Box<dyn Error>> {
        let options = LaunchOptions { jobs, ..LaunchOptions::default() };
        let started = Instant::now();
        let report = machine.launch(&module, kernel.entry, &kernel.config, &params, &options)?;
        Ok(report.counts.thread_instructions as f64 / started.elapsed().as_secs_f64())
    };
    // The first launch touches the memory.
    run(1)?;
    let (mut alone, mut together) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        // Alternating, so that both have the same load of the host. A launch before each wakes the processors
        // that it needs.
        run(1)?;
        alone.push(run(1)?);
        run(JOBS)?;
        together.push(run(JOBS)?);
    }
    for rates in [&mut alone, &mut together] {
        rates.sort_by(|a, b| b.total_cmp(a));
    }
    Ok(Row { name: kernel.name, alone: Rate(alone), together: Rate(together) })
}

/// Host memory that [`MEMORY`] bytes of a machine take.
fn resident() -> Result<Option<u64>, Box<dyn Error>> {
    let before = resident_of_process();
    let machine = Machine::new(MachineDescription::h200());
    let memory = machine.alloc(MEMORY)?;
    machine.fill(memory, &[0xa5; 8], MEMORY / 8)?;
    let after = resident_of_process();
    Ok(after.zip(before).map(|(after, before)| after.saturating_sub(before)))
}

/// Resident bytes of this process, where the host reports them.
fn resident_of_process() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}
