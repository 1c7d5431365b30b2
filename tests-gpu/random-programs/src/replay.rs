//! Programs on which host and emulator agree, for a GPU on a machine without compilers.
//!
//! A campaign with `--record FOLDER` writes the PTX of a batch, and beside it a line for each program with its place in the
//! module, its seed and a hash of its output. [`replay`] runs them.

use std::fmt;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

use host_rt::Select;
use tests_gpu::Fixture;

use crate::differ::{Target, launch};

/// A program and the hash of what it gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    place: usize,
    seed: u64,
    hash: u64,
}

impl Recorded {
    /// From the output of all threads.
    pub fn new(place: usize, seed: u64, output: &[u8]) -> Recorded {
        let mut hasher = DefaultHasher::new();
        output.hash(&mut hasher);
        Recorded { place, seed, hash: hasher.finish() }
    }

    fn parse(line: &str) -> Option<Recorded> {
        let mut words = line.split(' ');
        let place = words.next()?.parse().ok()?;
        let seed = words.next()?.parse().ok()?;
        let hash = u64::from_str_radix(words.next()?, 16).ok()?;
        words.next().is_none().then_some(Recorded { place, seed, hash })
    }
}

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {:x}", self.place, self.seed, self.hash)
    }
}

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
        Target::Emulator => Select::Emulator,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        let program = Recorded::new(3, 100_007, &[1, 2, 3]);
        assert_eq!(Recorded::parse(&program.to_string()), Some(program));
        assert_ne!(Recorded::new(3, 100_007, &[1, 2, 4]), program);
        assert_eq!(Recorded::parse("3 7"), None);
    }
}
