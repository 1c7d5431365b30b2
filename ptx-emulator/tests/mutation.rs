//! Hostile text: mutated programs are loaded and run, or rejected, and never crash or hang the emulator.

use std::sync::Arc;

use ptx_emulator::{LaunchConfig, LaunchOptions, Machine, MachineDescription, Program};

/// A small deterministic generator (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }
}

/// One of the ways in which text goes wrong.
fn mutate(text: &mut Vec<u8>, words: &[&[u8]], random: &mut Random) {
    let at = random.below(text.len());
    match random.below(8) {
        0 => {
            text.truncate(at);
        }
        1 => text[at] = random.below(256) as u8,
        2 => {
            let end = (at + random.below(40)).min(text.len());
            text.drain(at..end);
        }
        3 => {
            let end = (at + random.below(200)).min(text.len());
            let copy = text[at..end].to_vec();
            let to = random.below(text.len());
            text.splice(to..to, copy);
        }
        // One word replaced by another: finds the most.
        4..=6 => {
            let is_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'%' | b'$' | b'.');
            let start = text[..at].iter().rposition(|b| !is_word(b)).map_or(0, |i| i + 1);
            let end = text[at..].iter().position(|b| !is_word(b)).map_or(text.len(), |i| at + i);
            if start < end {
                text.splice(start..end, words[random.below(words.len())].iter().copied());
            }
        }
        _ => {
            let number =
                [&b"4294967295"[..], b"0xffffffffffffffff", b"-1", b"0", b"65536", b"99999999999999999999"];
            let pick = number[random.below(number.len())];
            text.splice(at..at, pick.iter().copied());
        }
    }
}

#[test]
fn mutated_programs_never_crash() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the folder").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    let (mut loaded, mut rejected, mut ran) = (0, 0, 0);
    for (number, path) in paths.iter().enumerate() {
        let original = std::fs::read(path).expect("readable");
        // Long files take long to read; the short ones hold every instruction anyway.
        let rounds = (20_000_000 / (original.len() + 4000)).clamp(50, 2000);
        let words: Vec<&[u8]> = original
            .split(|b| b.is_ascii_whitespace() || b",;[](){}".contains(b))
            .filter(|w| !w.is_empty())
            .collect();
        let mut random = Random(number as u64);
        for _ in 0..rounds {
            let mut text = original.clone();
            for _ in 0..1 + random.below(3) {
                if !text.is_empty() {
                    mutate(&mut text, &words, &mut random);
                }
            }
            match Program::load("mutant", &text) {
                Err(e) => {
                    assert!(e.line > 0 && e.column > 0 && !e.message.is_empty());
                    rejected += 1;
                }
                Ok(program) => {
                    loaded += 1;
                    ran += run(program);
                }
            }
        }
    }
    assert!(loaded > 500 && rejected > 500 && ran > 500, "{loaded} loaded, {rejected} rejected, {ran} ran");
}

/// Launches every kernel briefly; how many launches there were.
fn run(program: Program) -> usize {
    let program = Arc::new(program);
    let mut machine =
        Machine::new(MachineDescription { memory_bytes: 64 << 20, ..MachineDescription::h200() });
    let Ok(module) = machine.load(&program) else { return 0 };
    let buffer = machine.alloc(4096).expect("memory");
    let options = LaunchOptions { step_limit: 2000, seed: Some(7), ..LaunchOptions::default() };
    let mut count = 0;
    for kernel in program.kernels() {
        let mut params = vec![0; kernel.param_bytes as usize];
        for p in &kernel.params {
            if p.size == 8 {
                params[p.offset as usize..][..8].copy_from_slice(&buffer.to_le_bytes());
            }
        }
        let config = LaunchConfig::linear(2, 40);
        if let Err(fault) = machine.launch(&module, &kernel.name, &config, &params, &options) {
            assert!(fault.to_string().lines().count() <= 24);
        }
        count += 1;
    }
    count
}
