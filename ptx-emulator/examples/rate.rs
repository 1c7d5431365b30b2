//! Prints how fast the emulator runs a grid-stride sum of 32-bit integers with 16-byte loads:
//! `cargo run --release -p ptx-emulator --example rate [elements [jobs]]`.

use std::sync::Arc;
use std::time::Instant;

use ptx_emulator::{LaunchConfig, LaunchOptions, Machine, MachineDescription, Program};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let elements: u32 = std::env::args().nth(1).map_or(Ok(1 << 24), |n| n.parse())?;
    let jobs = std::env::args().nth(2).map_or(Ok(1), |n| n.parse())?;
    let options = LaunchOptions { jobs, ..LaunchOptions::default() };
    let program = Arc::new(Program::load("sum.ptx", include_bytes!("../tests/ptx/sum.ptx"))?);
    let mut machine = Machine::new(MachineDescription::h200());
    let module = machine.load(&program)?;
    let input = machine.alloc(u64::from(elements) * 4)?;
    machine.fill(input, &1u32.to_le_bytes(), u64::from(elements))?;
    let output = machine.alloc(4)?;
    let mut params = Vec::new();
    params.extend(output.to_le_bytes());
    params.extend(input.to_le_bytes());
    params.extend((elements / 4).to_le_bytes());
    for _ in 0..10 {
        machine.write(output, &[0; 4])?;
        let start = Instant::now();
        let config = LaunchConfig::linear(132, 512);
        let report = machine.launch(&module, "sum", &config, &params, &options)?;
        let seconds = start.elapsed().as_secs_f64();
        let mut sum = [0; 4];
        machine.read(output, &mut sum)?;
        println!(
            "sum {} in {:.1} ms: {:.0} million thread-instructions per second, {:.1} ns per warp instruction",
            u32::from_le_bytes(sum),
            seconds * 1e3,
            report.counts.thread_instructions as f64 / seconds / 1e6,
            seconds * 1e9 / report.counts.warp_instructions as f64,
        );
    }
    Ok(())
}
