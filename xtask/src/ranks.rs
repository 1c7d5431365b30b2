//! A simulator of MPI jobs that are larger than the machines at hand: how long they take, and what takes it.
//!
//! A job divides one array, in the canonical order, among its processes; each reduces its part, and the records of the aligned groups
//! of chunks travel to process 0, which needs their number alone: the groups are simulated as `host_rt::PartialRecord` has them, values
//! are not. (`host-rt` links the driver, which this program does not need.)

use std::fmt::Write as _;

/// Options of `cargo xtask ranks`.
#[derive(clap::Args)]
pub struct Options {
    /// Bytes of the array, of elements of 4 bytes
    #[arg(long, default_value_t = 1_000_000_000_000)]
    bytes: u64,
    /// GB that a process reduces in a second
    #[arg(long, default_value_t = 5.0)]
    rate: f64,
    /// Microseconds that a message takes, however short it is
    #[arg(long, default_value_t = 2.0)]
    latency: f64,
    /// GB that the network moves in a second between two processes
    #[arg(long, default_value_t = 25.0)]
    bandwidth: f64,
    /// Microseconds in which a device combines two records: a copy and a launch that follow those before
    #[arg(long, default_value_t = 22.0)]
    combine: f64,
}

/// Elements of a chunk, and bytes of one.
const CHUNK_BYTES: u64 = 8192 * 4;

/// Bytes of a message of no records, and of each record of one number of 8 bytes.
const HEADER_BYTES: u64 = 33;
const GROUP_BYTES: u64 = 24;

/// Aligned groups of chunks, by their first chunk and the binary logarithm of how many they have.
type Groups = Vec<(u64, u32)>;

/// Prints the table.
pub fn run(options: &Options) -> Result<(), String> {
    if options.rate.min(options.bandwidth) <= 0.0 {
        return Err("the rates are above 0".into());
    }
    print!("{}", table(options));
    Ok(())
}

fn table(options: &Options) -> String {
    let mut out = String::from(
        "| processes | reduces | meets | records to process 0 | by a tree | all | of the ideal |\n\
         |--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let chunks = options.bytes.div_ceil(CHUNK_BYTES).max(1);
    let alone = options.bytes as f64 / options.rate / 1e9;
    for processes in (0..=12).map(|power| 1 << power) {
        let work = alone / processes as f64;
        let meeting = meeting(processes, options);
        let (flat, tree) = (to_process_0(chunks, processes, options), by_a_tree(chunks, processes, options));
        let all = work + meeting + tree;
        let _ = writeln!(
            out,
            "| {processes} | {} | {} | {} | {} | {} | {:.0} % |",
            time(work),
            time(meeting),
            time(flat),
            time(tree),
            time(all),
            100.0 * work / all
        );
    }
    out
}

/// Three digits of seconds, in the unit that suits.
fn time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        1.0.. => (seconds, "s"),
        1e-3.. => (seconds * 1e3, "ms"),
        _ => (seconds * 1e6, "µs"),
    };
    let digits = if value >= 99.95 { 0 } else { usize::from(value < 9.995) + 1 };
    format!("{value:.digits$} {unit}")
}

fn message(bytes: u64, options: &Options) -> f64 {
    options.latency * 1e-6 + bytes as f64 / options.bandwidth / 1e9
}

fn combining(pairs: usize, options: &Options) -> f64 {
    pairs as f64 * options.combine * 1e-6
}

/// The processes tell each other how many elements they have, in as many steps as their number has binary digits, and send the elements
/// of shared chunks.
fn meeting(processes: u64, options: &Options) -> f64 {
    match processes {
        1 => 0.0,
        _ => {
            f64::from(processes.next_power_of_two().ilog2()) * message(8 * processes, options)
                + message(CHUNK_BYTES, options)
        }
    }
}

/// What a process knows of its chunks.
fn of_process(chunks: u64, processes: u64, process: u64) -> Groups {
    let cut = |process: u64| (u128::from(chunks) * u128::from(process) / u128::from(processes)) as u64;
    let (mut at, end, mut groups) = (cut(process), cut(process + 1), Vec::new());
    while at < end {
        let level = at.trailing_zeros().min((end - at).ilog2());
        groups.push((at, level));
        at += 1 << level;
    }
    groups
}

/// Makes one group of two halves as long as there are any; how often.
fn compact(groups: &mut Groups) -> usize {
    let (mut out, mut pairs) = (Groups::new(), 0);
    for group in groups.drain(..) {
        out.push(group);
        while let [.., (first, left), (second, right)] = out[..]
            && left == right
            && first + (1 << left) == second
            && first.is_multiple_of(2 << left)
        {
            out.truncate(out.len() - 2);
            out.push((first, left + 1));
            pairs += 1;
        }
    }
    *groups = out;
    pairs
}

/// Combinations until one record is left of at least one, and with the initial record.
fn finishing(groups: &Groups) -> usize {
    groups.len()
}

/// All records go to process 0, which combines them.
fn to_process_0(chunks: u64, processes: u64, options: &Options) -> f64 {
    let mut all = Groups::new();
    let mut time = 0.0;
    for process in 0..processes {
        let own = of_process(chunks, processes, process);
        if process > 0 {
            time += message(HEADER_BYTES + GROUP_BYTES * own.len() as u64, options);
        }
        all.extend(own);
    }
    let pairs = compact(&mut all);
    time + combining(pairs + finishing(&all), options)
}

/// Two neighbours merge, then two pairs, and so on; the longest way of a step is that of all.
fn by_a_tree(chunks: u64, processes: u64, options: &Options) -> f64 {
    let mut known: Vec<Groups> =
        (0..processes).map(|process| of_process(chunks, processes, process)).collect();
    let mut time = 0.0;
    while known.len() > 1 {
        let mut longest = 0.0_f64;
        known = known
            .chunks(2)
            .map(|pair| {
                let mut all = pair.concat();
                let sent = pair.get(1).map_or(0, Vec::len) as u64;
                // How long the message is comes first.
                let messages = message(8, options) + message(HEADER_BYTES + GROUP_BYTES * sent, options);
                longest = longest.max(messages + combining(compact(&mut all), options));
                all
            })
            .collect();
        time += longest;
    }
    time + combining(finishing(&known[0]), options)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        options: Options,
    }

    fn options(arguments: &[&str]) -> Options {
        Arguments::parse_from([&["ranks"], arguments].concat()).options
    }

    #[test]
    fn the_page_has_these_tables() {
        let page = include_str!("../../docs/machines.md");
        for arguments in [&[][..], &["--rate", "3000"]] {
            let table = table(&options(arguments));
            assert!(page.contains(&table), "docs/machines.md is to have\n{table}");
        }
    }

    #[test]
    fn groups_cover_the_chunks_and_become_those_of_one_process() {
        for (chunks, processes) in [(1, 1), (1, 4), (1000, 7), (4096, 16), (30_517_579, 100)] {
            let parts = (0..processes).map(|process| of_process(chunks, processes, process));
            let mut all: Groups = parts.flatten().collect();
            let mut next = 0;
            for (first, level) in &all {
                assert_eq!((*first, first % (1 << level)), (next, 0));
                next += 1 << level;
            }
            assert_eq!(next, chunks);
            compact(&mut all);
            assert_eq!(all, of_process(chunks, 1, 0), "{chunks} {processes}");
        }
    }
}
