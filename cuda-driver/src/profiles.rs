//! Profiles of launches: what the emulated driver appends to the file of
//! [`Settings::profile`](crate::settings::Settings::profile), read again and summed up; and estimates from them.

use std::collections::HashMap;

pub use ptx_emulator::{
    Bound, Counters, Estimate, Gpu, InstructionClass, LaunchFacts, LaunchProfile, LineProfile, Occupancy,
    OccupancyLimit, TextLine, Times, UnknownGpu, WarpTotals,
};
use serde::Deserialize;

/// Launches of one kernel in one shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelProfile {
    /// How many there were.
    pub launches: u64,
    /// The program that the kernel is of, an index into [`Profiles::programs`].
    pub program: usize,
    /// Their profiles added up: counts are sums of all launches, and so are the largest counts of a warp and of an
    /// address.
    pub sum: LaunchProfile,
}

/// What a file of profiles holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profiles {
    /// The PTX texts of each program.
    pub programs: Vec<Vec<String>>,
    /// The kernels in the order of their first launches.
    pub kernels: Vec<KernelProfile>,
}

/// A line of the file. Programs and launches are numbered in each process.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Launch { process: u32, program: usize, launch: Box<LaunchProfile> },
    Program { process: u32, program: usize, ptx: Vec<String> },
    Again { process: u32, again: usize },
}

/// Reads a file of profiles. Of a damaged one, what comes before the damage.
pub fn read(text: &str) -> Profiles {
    let mut profiles = Profiles::default();
    let mut programs: HashMap<(u32, usize), usize> = HashMap::new();
    // The launches of each process, with the index of their kernel.
    let mut launches: HashMap<u32, Vec<(usize, Box<LaunchProfile>)>> = HashMap::new();
    for line in text.lines() {
        match serde_json::from_str(line) {
            Ok(Line::Program { process, program, ptx }) => {
                programs.insert((process, program), profiles.programs.len());
                profiles.programs.push(ptx);
            }
            Ok(Line::Launch { process, program, launch }) => {
                let Some(&program) = programs.get(&(process, program)) else { break };
                let kernel = profiles.add(program, &launch);
                launches.entry(process).or_default().push((kernel, launch));
            }
            Ok(Line::Again { process, again }) => {
                let known = launches.get(&process).and_then(|launches| launches.get(again));
                let Some((kernel, launch)) = known else { break };
                profiles.kernels[*kernel].add(launch);
            }
            Err(_) => break,
        }
    }
    profiles
}

impl Profiles {
    /// Adds a launch; returns the index of its kernel.
    fn add(&mut self, program: usize, launch: &LaunchProfile) -> usize {
        let shape = |of: &LaunchProfile| (of.grid, of.block, of.shared_bytes);
        let is_same = |known: &KernelProfile| {
            known.program == program
                && known.sum.kernel == launch.kernel
                && shape(&known.sum) == shape(launch)
        };
        if let Some(at) = self.kernels.iter().position(is_same) {
            self.kernels[at].add(launch);
            return at;
        }
        self.kernels.push(KernelProfile { launches: 1, program, sum: launch.clone() });
        self.kernels.len() - 1
    }
}

impl KernelProfile {
    fn add(&mut self, launch: &LaunchProfile) {
        self.launches += 1;
        self.sum.total += &launch.total;
        self.sum.touched_sectors += launch.touched_sectors;
        self.sum.longest.instructions += launch.longest.instructions;
        self.sum.longest.rounds += launch.longest.rounds;
        self.sum.longest.barriers += launch.longest.barriers;
        let place = |of: &LineProfile| (of.file.clone(), of.line, of.function.clone());
        let known: HashMap<_, usize> =
            self.sum.lines.iter().enumerate().map(|(at, line)| (place(line), at)).collect();
        for line in &launch.lines {
            match known.get(&place(line)) {
                Some(&at) => {
                    self.sum.lines[at].counters += &line.counters;
                    self.sum.lines[at].hottest += line.hottest;
                }
                None => self.sum.lines.push(line.clone()),
            }
        }
        let place = |line: &TextLine| (line.text, line.line);
        for line in &launch.text_lines {
            match self.sum.text_lines.binary_search_by_key(&place(line), place) {
                Ok(at) => self.sum.text_lines[at].executions += line.executions,
                Err(at) => self.sum.text_lines.insert(at, *line),
            }
        }
    }

    /// Executions by warps, in all launches, of the lines of one of the program's texts.
    pub fn text_lines(&self, text: usize) -> HashMap<u32, u64> {
        let of_text = self.sum.text_lines.iter().filter(|line| line.text as usize == text);
        of_text.map(|line| (line.line, line.executions)).collect()
    }

    /// What the estimate needs to know of one launch, the average of all.
    pub fn facts(&self) -> LaunchFacts {
        let sum = LaunchFacts::from(&self.sum);
        let mean = |count: u64| count.div_ceil(self.launches.max(1));
        LaunchFacts {
            warp_instructions: mean(sum.warp_instructions),
            longest: WarpTotals {
                instructions: mean(sum.longest.instructions),
                rounds: mean(sum.longest.rounds),
                barriers: mean(sum.longest.barriers),
            },
            touched_sectors: mean(sum.touched_sectors),
            sectors: mean(sum.sectors),
            shared_cycles: mean(sum.shared_cycles),
            hottest: mean(sum.hottest),
            barriers: mean(sum.barriers),
            rounds: mean(sum.rounds),
            round_loads: mean(sum.round_loads),
            round_bytes: mean(sum.round_bytes),
            ..sum
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(kernel: &str, loads: u64) -> LaunchProfile {
        let counters = Counters { load_requests: loads, ..Counters::default() };
        let line = LineProfile {
            file: "k.cu".into(),
            line: 3,
            ptx: false,
            runtime: false,
            function: None,
            text: None,
            counters,
            hottest: loads,
        };
        LaunchProfile {
            kernel: kernel.into(),
            program: "p".into(),
            region: None,
            grid: [4, 1, 1],
            block: [64, 1, 1],
            shared_bytes: 0,
            registers: None,
            total: counters,
            lines: vec![line],
            text_lines: vec![TextLine { text: 0, line: 9, executions: loads }],
            touched_sectors: loads,
            longest: WarpTotals { instructions: 2 * loads, rounds: 0, barriers: 0 },
        }
    }

    #[test]
    fn launches_of_a_kernel_in_one_shape_are_added_up() {
        let json = |process: u32, program: usize, launch: &LaunchProfile| {
            serde_json::json!({ "process": process, "program": program, "launch": launch }).to_string()
        };
        let wide = LaunchProfile { grid: [5, 1, 1], ..launch("k", 7) };
        let text = [
            r#"{"process": 7, "program": 0, "ptx": ["text"]}"#.to_owned(),
            json(7, 0, &launch("k", 10)),
            r#"{"process": 8, "program": 0, "ptx": ["other text"]}"#.to_owned(),
            json(8, 0, &launch("other", 1)),
            r#"{"process": 7, "again": 0}"#.to_owned(),
            json(7, 0, &launch("k", 13)),
            json(7, 0, &wide),
            r#"{"process": 7, "again": 99}"#.to_owned(),
            r#"{"process": 7, "again": 0}"#.to_owned(),
        ];
        let profiles = read(&text.join("\n"));
        assert_eq!(profiles.programs, [["text"], ["other text"]]);
        let of = |k: &KernelProfile| (k.sum.kernel.clone(), k.program, k.launches);
        let found: Vec<_> = profiles.kernels.iter().map(of).collect();
        assert_eq!(found, [("k".into(), 0, 3), ("other".into(), 1, 1), ("k".into(), 0, 1)]);
        let first = &profiles.kernels[0];
        assert_eq!((first.sum.total.load_requests, first.sum.lines.len()), (33, 1));
        assert_eq!(first.text_lines(0), HashMap::from([(9, 33)]));
        assert_eq!(first.text_lines(1), HashMap::new());
        let facts = first.facts();
        assert_eq!((facts.touched_sectors, facts.hottest, facts.longest.instructions), (11, 11, 22));
        assert_eq!((facts.blocks, facts.block_threads), (4, 64));
    }
}
