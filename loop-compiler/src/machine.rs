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
    /// Statements that a parallel loop has to execute at least.
    pub least_work: u64,
    /// Iterations of a tile.
    pub tile: f64,
}

/// A CPU of some cores.
pub static CPU: LazyLock<Machine> = LazyLock::new(|| {
    let machines = machines(include_str!("../machines.tsv")).unwrap_or_default();
    machines.into_iter().find(|machine| machine.name == "cpu").expect("a test reads the file")
});

/// Reads a table of machines: names of columns, and a line for each machine.
///
/// # Errors
///
/// The line that is not in this form.
pub fn machines(text: &str) -> Result<Vec<Machine>, String> {
    const COLUMNS: [&str; 12] = [
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
    ];
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.is_empty());
    let header: Vec<&str> = lines.next().map(|(_, line)| line.split('\t').collect()).unwrap_or_default();
    if header != COLUMNS {
        return Err(format!("the columns are not {}", COLUMNS.join(", ")));
    }
    lines
        .map(|(number, line)| {
            let cells: Vec<&str> = line.split('\t').collect();
            let wrong = || {
                format!("line {}: `{line}` is a name and {} numbers above 0", number + 1, COLUMNS.len() - 1)
            };
            let numbers: Option<Vec<f64>> =
                cells[1..].iter().map(|cell| cell.parse().ok().filter(|value| *value > 0.0)).collect();
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
            ] = numbers.and_then(|numbers| <[f64; 11]>::try_from(numbers).ok()).ok_or_else(wrong)?;
            Ok(Machine {
                name: cells[0].into(),
                threads,
                fork,
                statement,
                line,
                line_bytes,
                cache_bytes,
                jump,
                copy,
                memory,
                least_work: least_work as u64,
                tile,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read() {
        assert_eq!(machines(include_str!("../machines.tsv")).unwrap().len(), 1);
        assert!(CPU.threads > 1.0);
        assert!(machines("name\tthreads\n").unwrap_err().starts_with("the columns are not"));
        let wrong = include_str!("../machines.tsv").replace("6000", "-1");
        assert!(machines(&wrong).unwrap_err().contains("is a name and 11 numbers"));
    }
}
