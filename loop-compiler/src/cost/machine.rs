//! What machines need for what: the constants of the model, which are data.

use std::sync::LazyLock;

/// What a machine needs for what, in nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// The name.
    pub name: String,
    /// Threads that are assumed for the choice.
    pub threads: f64,
    /// A parallel loop's begin and end.
    pub fork: f64,
    /// A statement of an iteration.
    pub statement: f64,
    /// A line of a cache that is read from memory.
    pub line: f64,
    /// Its bytes.
    pub line_bytes: f64,
    /// Bytes of the cache that a thread has.
    pub cache_bytes: f64,
    /// An access elsewhere than behind the one before.
    pub jump: f64,
    /// Setting an element of a copy and combining it.
    pub copy: f64,
    /// Bytes that copies may take.
    pub memory: f64,
    /// Statements that a parallel loop has to execute at least; on a device, a region.
    pub least_work: u64,
    /// Iterations of a tile.
    pub tile: f64,
    /// An atomic update of an element, in statements.
    pub atomic: f64,
    /// What a device needs besides: its memory is its own.
    pub device: Option<Device>,
}

/// See [`Machine::device`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Device {
    /// How much longer a thread takes for a statement than the host.
    pub slower: f64,
    /// How much longer a statement takes if neighbouring threads access distant elements.
    pub distant: f64,
    /// Workers, where each has copies.
    pub workers: u32,
    /// Threads of a team.
    pub team: u32,
    /// A parallel loop inside a team: its begin, its end and its reduction.
    pub region: f64,
    /// Threads that execute together.
    pub warp: u32,
    /// Threads of a team at most.
    pub block: u32,
}

impl Device {
    /// How many threads a team may have whose size is chosen: whole warps.
    pub fn team_sizes(&self) -> impl Iterator<Item = u32> + use<> {
        let block = self.block;
        std::iter::successors(Some(self.warp), |size| size.checked_mul(2))
            .take_while(move |size| *size <= block)
    }

    /// What a parallel loop inside a team of so many threads takes besides its iterations: its reduction is a tree.
    pub fn region_of(&self, threads: u32) -> f64 {
        self.region * f64::from(threads.max(2)).log2() / f64::from(self.team.max(2)).log2()
    }
}

/// A CPU of some cores.
pub static CPU: LazyLock<Machine> = LazyLock::new(|| of_table("cpu"));

/// A GPU with some hundred thousand threads, as many as keep its memory busy.
pub static GPU: LazyLock<Machine> = LazyLock::new(|| of_table("gpu"));

fn of_table(name: &str) -> Machine {
    let machines = machines(include_str!("../../machines.tsv")).unwrap_or_default();
    machines.into_iter().find(|machine| machine.name == name).expect("a test reads the file")
}

/// The columns of a table; the last ones are of devices.
const COLUMNS: [&str; 20] = [
    "name",
    "threads",
    "fork",
    "statement",
    "line",
    "line_bytes",
    "cache_bytes",
    "jump",
    "copy",
    "memory",
    "least_work",
    "tile",
    "atomic",
    "slower",
    "distant",
    "workers",
    "team",
    "region",
    "warp",
    "block",
];

/// Reads a table of machines: names of columns, and a line for each machine, whose last seven cells are - if it is no
/// device.
///
/// # Errors
///
/// The line that is not in this form.
pub fn machines(text: &str) -> Result<Vec<Machine>, String> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.is_empty());
    let header: Vec<&str> = lines.next().map(|(_, line)| line.split('\t').collect()).unwrap_or_default();
    if header != COLUMNS {
        return Err(format!("the columns are not {}", COLUMNS.join(", ")));
    }
    lines
        .map(|(number, line)| {
            machine(line).ok_or_else(|| {
                format!("line {}: `{line}` is a name and {} numbers above 0", number + 1, COLUMNS.len() - 1)
            })
        })
        .collect()
}

fn machine(line: &str) -> Option<Machine> {
    let cells: Vec<&str> = line.split('\t').collect();
    let (name, cells) = cells.split_first()?;
    let (host, device) = cells.split_at_checked(12)?;
    let numbers = |cells: &[&str]| -> Option<Vec<f64>> {
        cells.iter().map(|cell| cell.parse().ok().filter(|value| *value > 0.0)).collect()
    };
    let [
        threads,
        fork,
        statement,
        line,
        line_bytes,
        cache_bytes,
        jump,
        copy,
        memory,
        least_work,
        tile,
        atomic,
    ] = <[f64; 12]>::try_from(numbers(host)?).ok()?;
    let device = match device {
        ["-", "-", "-", "-", "-", "-", "-"] => None,
        _ => {
            let [slower, distant, workers, team, region, warp, block] =
                <[f64; 7]>::try_from(numbers(device)?).ok()?;
            let [workers, team, warp, block] = [workers, team, warp, block].map(|number| number as u32);
            Some(Device { slower, distant, workers, team, region, warp, block })
        }
    };
    let least_work = least_work as u64;
    Some(Machine {
        name: (*name).into(),
        threads,
        fork,
        statement,
        line,
        line_bytes,
        cache_bytes,
        jump,
        copy,
        memory,
        least_work,
        tile,
        atomic,
        device,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read() {
        assert_eq!(machines(include_str!("../../machines.tsv")).unwrap().len(), 2);
        assert!(CPU.threads > 1.0 && CPU.device.is_none());
        assert!(GPU.device.is_some_and(|device| device.workers > 1));
        let sizes: Vec<u32> = GPU.device.iter().flat_map(|device| device.team_sizes()).collect();
        assert_eq!(sizes, [32, 64, 128, 256, 512, 1024]);
        assert!(machines("name\tthreads\n").unwrap_err().starts_with("the columns are not"));
        let wrong = include_str!("../../machines.tsv").replace("6000", "-1");
        assert!(machines(&wrong).unwrap_err().contains("is a name and 19 numbers"));
    }
}
