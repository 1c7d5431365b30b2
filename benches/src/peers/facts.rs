//! What is known of a row's launches: counts, machine code, and the model's estimate for an H200.

use std::{collections::HashMap, error::Error, fs, process::Command};

use cuda_driver::profiles::{Estimate, Gpu, KernelProfile, LaunchFacts, Profiles};
use serde_json::Value;
use toolchain::Tools;

/// Facts of a row. Those of one kernel are of the kernel with the most instructions.
pub struct Facts {
    /// The grids and blocks of all launches, those of the same kernel once.
    shape: String,
    warp_instructions: u64,
    /// Of loads, stores and atomics of global memory, 32 bytes each.
    sectors: u64,
    launches: u64,
    registers: Option<u32>,
    /// Blocks that fit a multiprocessor.
    blocks: u32,
    /// Instructions of the machine code.
    sass: Option<u32>,
    /// Loads that a warp waits for together, on average.
    loads_in_flight: f64,
    /// Seconds of all launches with their starts.
    estimate: f64,
}

impl Facts {
    pub fn new(profiles: &Profiles, machine_code: &mut MachineCode) -> Result<Facts, Box<dyn Error>> {
        let gpu = Gpu::h200();
        let mut facts = Facts {
            shape: String::new(),
            warp_instructions: 0,
            sectors: 0,
            launches: 0,
            registers: None,
            blocks: 0,
            sass: None,
            loads_in_flight: 0.0,
            estimate: 0.0,
        };
        let (mut seconds, mut most) = (0.0, 0);
        for kernel in &profiles.kernels {
            let code = machine_code.of(profiles, kernel)?;
            let of_launch = LaunchFacts { registers: code.map(|code| code.registers), ..kernel.facts() };
            let estimate = Estimate::new(&of_launch, &gpu);
            let total = &kernel.sum.total;
            seconds += estimate.seconds * kernel.launches as f64;
            facts.launches += kernel.launches;
            facts.warp_instructions += total.warp_instructions;
            facts.sectors += total.load_sectors + total.store_sectors + total.atomic_sectors;
            if !facts.shape.is_empty() {
                facts.shape += ", ";
            }
            facts.shape += &format!("{} × {}", kernel.sum.grid[0], kernel.sum.block[0]);
            if total.warp_instructions > most {
                most = total.warp_instructions;
                facts.registers = code.map(|code| code.registers);
                facts.sass = code.map(|code| code.instructions);
                facts.blocks = estimate.occupancy.blocks();
                facts.loads_in_flight = estimate.loads_in_flight;
            }
        }
        facts.estimate = Estimate::measured(seconds, facts.launches, &gpu);
        Ok(facts)
    }

    /// The columns of the table, after the first ones.
    pub fn columns(&self) -> String {
        let known = |number: Option<u32>| number.map_or("-".to_owned(), |number| number.to_string());
        format!(
            "{} | {} | {} | {} | {} | {} | {} | {:.1} | {:.2} |",
            self.shape,
            self.warp_instructions,
            self.sectors,
            self.launches,
            known(self.registers),
            self.blocks,
            known(self.sass),
            self.loads_in_flight,
            self.estimate * 1e6
        )
    }

    /// Adds the fields to a row.
    pub fn add_to(&self, row: &mut Value) {
        row["shape"] = self.shape.clone().into();
        row["warp_instructions"] = self.warp_instructions.into();
        row["global_sectors"] = self.sectors.into();
        row["launches"] = self.launches.into();
        row["registers"] = self.registers.into();
        row["blocks_per_multiprocessor"] = self.blocks.into();
        row["sass_instructions"] = self.sass.into();
        row["loads_in_flight"] = self.loads_in_flight.into();
        row["estimated_seconds"] = self.estimate.into();
    }
}

/// A kernel's machine code for sm_90.
#[derive(Clone, Copy)]
pub struct Code {
    registers: u32,
    instructions: u32,
}

/// Assembles PTX, each text once: of all peers by the same ptxas.
pub struct MachineCode {
    /// None where it is not wanted.
    tools: Option<Tools>,
    /// The kernels of each text.
    known: HashMap<String, HashMap<String, Code>>,
}

impl MachineCode {
    pub fn new(tools: Option<Tools>) -> MachineCode {
        MachineCode { tools, known: HashMap::new() }
    }

    /// The kernel's code; nothing without a ptxas.
    fn of(&mut self, profiles: &Profiles, kernel: &KernelProfile) -> Result<Option<Code>, Box<dyn Error>> {
        let Some(tools) = &self.tools else { return Ok(None) };
        let name = &kernel.sum.kernel;
        let texts = profiles.programs.get(kernel.program).map_or(&[][..], Vec::as_slice);
        let Some(text) = texts.iter().find(|text| text.contains(&format!(".entry {name}"))) else {
            return Ok(None);
        };
        if !self.known.contains_key(text) {
            let found = match tools.ptxas_if_any()? {
                Some(_) => assemble(tools, text)?,
                None => HashMap::new(),
            };
            self.known.insert(text.clone(), found);
        }
        Ok(self.known[text].get(name).copied())
    }
}

/// The kernels of a text, by one ptxas for all peers.
fn assemble(tools: &Tools, text: &str) -> Result<HashMap<String, Code>, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let (ptx, cubin) = (folder.path().join("m.ptx"), folder.path().join("m.cubin"));
    fs::write(&ptx, text)?;
    let bin = tools.cuda_dir()?.join("bin");
    let report = tools.ptxas_check(text, 90)?;
    output(Command::new(bin.join("ptxas")).args(["-arch=sm_90", "-c", "-o"]).args([&cubin, &ptx]))?;
    let sass = output(Command::new(bin.join("cuobjdump")).arg("-sass").arg(&cubin))?;
    let mut instructions: HashMap<&str, u32> = HashMap::new();
    let mut function = "";
    for line in sass.lines().map(str::trim_start) {
        if let Some(name) = line.strip_prefix("Function : ") {
            function = name;
        }
        // `/*0010*/   IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;   /* … */`
        let address = line.strip_prefix("/*").and_then(|rest| rest.split_once("*/"));
        if address.is_some_and(|(address, code)| !address.starts_with("0x") && code.contains(';')) {
            *instructions.entry(function).or_default() += 1;
        }
    }
    let functions = report.functions.iter().map(|found| {
        let count = instructions.get(&*found.name).copied().unwrap_or_default();
        (found.name.clone(), Code { registers: found.registers, instructions: count })
    });
    Ok(functions.collect())
}

fn output(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}
