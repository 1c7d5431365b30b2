//! What is known of a row's launches: counts, machine code, and the model's estimate for an H200.

use std::{collections::HashMap, error::Error};

use cuda_driver::profiles::{Estimate, Gpu, KernelProfile, LaunchFacts, Profiles};
use serde_json::Value;
use toolchain::{MachineCode, Tools};

/// Facts of a row. Those of one kernel are of the kernel with the most instructions.
pub struct Facts {
    /// The grids and blocks of all launches, those of the same kernel once.
    shape: String,
    warp_instructions: u64,
    /// The same of machine code, as far as counts of PTX tell it.
    machine_instructions: Option<u64>,
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
    pub fn new(profiles: &Profiles, assembler: &mut Assembler) -> Result<Facts, Box<dyn Error>> {
        let gpu = Gpu::h200();
        let mut facts = Facts {
            shape: String::new(),
            warp_instructions: 0,
            machine_instructions: Some(0),
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
            let code = assembler.of(profiles, kernel)?;
            let of_launch = LaunchFacts {
                registers: code.map(|code| code.registers),
                machine_instructions: code.map(|code| code.executed / kernel.launches.max(1)),
                ..kernel.facts()
            };
            let estimate = Estimate::new(&of_launch, &gpu);
            let total = &kernel.sum.total;
            seconds += estimate.seconds * kernel.launches as f64;
            facts.launches += kernel.launches;
            facts.warp_instructions += total.warp_instructions;
            facts.machine_instructions =
                facts.machine_instructions.zip(code).map(|(all, code)| all + code.executed);
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
            "{} | {} | {} | {} | {} | {} | {} | {} | {:.1} | {:.2} |",
            self.shape,
            self.warp_instructions,
            self.machine_instructions.map_or("-".to_owned(), |number| number.to_string()),
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
        row["machine_instructions"] = self.machine_instructions.into();
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
    /// Those that its launches execute, by warps.
    executed: u64,
}

/// Assembles PTX, each text once: of all peers by the same ptxas.
pub struct Assembler {
    /// None where it is not wanted.
    tools: Option<Tools>,
    known: HashMap<String, MachineCode>,
}

impl Assembler {
    pub fn new(tools: Option<Tools>) -> Assembler {
        Assembler { tools, known: HashMap::new() }
    }

    /// The kernel's code; nothing without a ptxas.
    fn of(&mut self, profiles: &Profiles, kernel: &KernelProfile) -> Result<Option<Code>, Box<dyn Error>> {
        let Some(tools) = &self.tools else { return Ok(None) };
        if tools.ptxas_if_any()?.is_none() {
            return Ok(None);
        }
        let name = &kernel.sum.kernel;
        let texts = profiles.programs.get(kernel.program).map_or(&[][..], Vec::as_slice);
        let (mut found, mut executed) = (None, 0.0);
        for (number, text) in texts.iter().enumerate() {
            if !self.known.contains_key(text) {
                self.known.insert(text.clone(), tools.machine_code(text, 90, texts.len() > 1)?);
            }
            let code = &self.known[text];
            executed += code.executed(&kernel.text_lines(number));
            if let Some(function) = code.report.function(name) {
                found = Some((function.registers, code.instructions.get(name).copied().unwrap_or_default()));
            }
        }
        let code = |(registers, instructions)| Code { registers, instructions, executed: executed as u64 };
        Ok(found.map(code))
    }
}
