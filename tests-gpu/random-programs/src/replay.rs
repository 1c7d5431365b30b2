//! Programs on which host and emulator agree, for a GPU on a machine without compilers.
//!
//! A campaign with `--record FOLDER` writes the PTX of a batch, and beside it a line for each program with its place in the
//! module, its seed and a hash of its output. [`replay`] runs them.

use std::fs;
use std::path::Path;

use host_rt::Select;
use tests_gpu::Fixture;

use crate::differ::{Target, launch};
use crate::recorded::Recorded;

/// Runs the programs of a recorded PTX file through the driver: how many agree, and a line for each one that does not.
///
/// # Errors
/// A message if files cannot be read, or the driver rejects the PTX; without a GPU.
pub fn replay(ptx: &Path, target: Target) -> Result<(usize, Vec<String>), String> {
    let read = |path: &Path| fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let (text, list) = (read(ptx)?, read(&ptx.with_extension("agreed"))?);
    let recorded: Vec<Recorded> = list
        .lines()
        .map(|line| Recorded::parse(line).ok_or_else(|| format!("{}: {line}", ptx.display())))
        .collect::<Result<_, _>>()?;
    let select = match target {
        Target::Emulator | Target::Compiled => Select::Emulator,
        Target::Gpu => Select::Cuda,
    };
    let fixture = Fixture::open(select).ok_or("there is no GPU")?;
    // Programs call functions recursively.
    fixture.deepen_stacks();
    let kernels = fixture.try_load_ptx(&text).map_err(|error| format!("{}: {error}", ptx.display()))?;
    let mut others = Vec::new();
    for program in &recorded {
        let output = launch(&fixture, &kernels, program.place, program.seed);
        match output.map(|output| Recorded::new(program.place, program.seed, &output)) {
            Ok(found) if found == *program => {}
            Ok(_) => others.push(format!("{}: seed {} differs", ptx.display(), program.seed)),
            Err(error) => others.push(format!("{}: seed {}: {error}", ptx.display(), program.seed)),
        }
    }
    Ok((recorded.len() - others.len(), others))
}
