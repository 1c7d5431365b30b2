//! The target *loops*: files of loops, `.loops`, that are parsed, verified, printed and executed briefly.

use std::path::{Path, PathBuf};
use std::time::Duration;

use loop_compiler::interpret::{IterationOrder, Memory, Options, Sizes, run};
use loop_compiler::ir::{Region, Storage, Variable};
use loop_compiler::notation::{parse, print};

use super::memory;
use super::random::Random;
use super::target::{Fuzzer, Opened, Outcome, Target};

pub const TARGET: Target = Target {
    name: "loops",
    extension: "loops",
    passed: "parsed",
    counts: &["executions", "errors", "races"],
    largest: "bytes of memory for a byte of text",
    open,
};

/// Bytes that parsing, printing and parsing again may take: for each byte of text, plus a constant.
const BYTES_PER_BYTE: usize = 4096;
const BYTES: usize = 1 << 20;
/// What an execution may take.
const STEPS: u64 = 20_000;
const MEMORY: u64 = 1 << 20;
/// Bytes that an execution within [`MEMORY`] takes in fact.
const EXECUTION_BYTES: usize = 64 << 20;

/// Places in the counts of an outcome.
const EXECUTIONS: usize = 0;
const ERRORS: usize = 1;
const RACES: usize = 2;

struct Loops {
    texts: Vec<Vec<u8>>,
    /// Each text's tokens with the blanks before them.
    tokens: Vec<Vec<String>>,
}

fn open(folders: &[PathBuf]) -> Opened {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../loop-compiler/tests/loops");
    let mut paths = Vec::new();
    for folder in std::iter::once(&own).chain(folders) {
        let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let files = entries.flatten().map(|entry| entry.path());
        paths.extend(files.filter(|path| path.extension().is_some_and(|e| e == TARGET.extension)));
    }
    paths.sort();
    let read = |path: &PathBuf| std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()));
    let texts = paths.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    if texts.is_empty() {
        return Err("no files of loops in the corpus".into());
    }
    let tokens = texts.iter().map(|text| tokens(&String::from_utf8_lossy(text))).collect();
    Ok(Box::new(Loops { texts, tokens }))
}

/// Words, numbers and single symbols, each with the blanks before it.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut token = String::new();
    let word = |character: char| character.is_alphanumeric() || character == '_';
    for character in text.chars() {
        let blank = token.trim().is_empty();
        let continues = blank || word(character) && token.ends_with(word);
        if !continues {
            tokens.push(std::mem::take(&mut token));
        }
        token.push(character);
    }
    tokens.push(token);
    tokens
}

/// What is inserted: numbers at the edges, beginnings without ends, constructs.
const PIECES: &[&str] = &[
    " 0",
    " -1",
    " 9223372036854775807",
    " 340282366920938463463374607431768211455",
    " 1e308",
    " 255u8",
    " nan",
    " inf32",
    " 1j",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "\"",
    "`",
    "/*",
    "//",
    " ?",
    ":",
    " x",
    " %",
    " -",
    " !",
    " ~",
    " +=",
    " >>=",
    " / 0",
    " % 0",
    " << 64",
    " f32(",
    " i8(",
    " bool(",
    " c64(",
    " real(",
    " memref<2 x f64>",
    " memref<1000000000 x i128>",
    " for i in range(0 : 9)",
    " par.for q in range(9 : -2 : 0)",
    " for z in while(0 : 1 : true)",
    " if 1",
    " else",
    " break",
    " reduce(a[0], 1) <\"max\", 0>",
    " reduce_dimension_inplace(result_1, 0) <\"+\">",
    " y: i64 = 1",
    " p = memref<3 x 3 x f32> <\"*\">",
    " [shared]",
    " [as \"x\"]",
    "\u{feff}",
    "é",
    "\0",
];

impl Loops {
    fn damage(&self, tokens: &mut Vec<String>, random: &mut Random) {
        let here = random.below(tokens.len());
        let there = random.below(tokens.len());
        match random.below(8) {
            _ if tokens.is_empty() => {}
            0 => drop(tokens.remove(here)),
            1 => tokens.insert(here, random.word(PIECES).to_owned()),
            2 => tokens[here] = random.word(PIECES).to_owned(),
            3 => tokens.swap(here, there),
            4 => {
                let other = random.pick(&self.tokens);
                tokens[here] = random.pick(other).clone();
            }
            5 => {
                let end = (here + random.below(30)).min(tokens.len());
                let part = tokens[here..end].to_vec();
                tokens.splice(there..there, part);
            }
            6 => {
                let times = [3, 30, 300, 3000][random.below(4)];
                let most = (1 << 16) / tokens[here].len().max(1);
                let part = tokens[here].repeat(times.min(most));
                tokens.insert(here, part);
            }
            _ => {
                let end = (here + random.below(10)).min(tokens.len());
                tokens.drain(here..end);
            }
        }
    }
}

impl Fuzzer for Loops {
    fn input(&self, seed: u64, number: u64) -> Vec<u8> {
        let mut random = Random::new(seed, number);
        if random.one_in(16) {
            let mut text = random.pick(&self.texts).clone();
            for _ in 0..1 + random.below(8) {
                let here = random.below(text.len());
                match random.below(3) {
                    0 => text[here] = random.next() as u8,
                    1 => text[here] ^= 1 << random.below(8),
                    _ => text.truncate(here.max(1)),
                }
            }
            return text;
        }
        let mut tokens = random.pick(&self.tokens).clone();
        for _ in 0..[0, 1, 1, 1, 1, 1, 2, 3, 20][random.below(9)] {
            self.damage(&mut tokens, &mut random);
        }
        tokens.concat().into_bytes()
    }

    fn run(&self, input: &[u8], seed: u64) -> Result<Outcome, String> {
        let text = String::from_utf8_lossy(input);
        let mut outcome = Outcome::default();
        let (regions, bytes) = memory::peak(|| check_text(&text));
        let regions = regions?;
        outcome.largest = bytes.saturating_sub(BYTES) as u64 / text.len().max(1) as u64;
        if bytes > BYTES_PER_BYTE * text.len() + BYTES {
            return Err(format!("{} bytes of text took {bytes} bytes of memory", text.len()));
        }
        outcome.passed = regions.is_some();
        for region in regions.iter().flatten().take(4) {
            let (result, bytes) = memory::peak(|| execute(region, seed, &mut outcome));
            result?;
            if bytes > BYTES_PER_BYTE * text.len() + EXECUTION_BYTES {
                return Err(format!("an execution took {bytes} bytes of memory"));
            }
        }
        Ok(outcome)
    }

    fn time(&self, input: &[u8]) -> Duration {
        Duration::from_millis(2000) + Duration::from_micros(20) * input.len() as u32
    }
}

/// Parses a text; what is printed of it must be parsed to the same. None if it has an error with a place in it.
fn check_text(text: &str) -> Result<Option<Vec<Region>>, String> {
    let regions = match parse(text, "") {
        Ok(regions) => regions,
        Err(error) => {
            let line = text.split('\n').nth((error.at.line as usize).wrapping_sub(1));
            let inside =
                line.is_some_and(|line| (1..=line.chars().count() + 1).contains(&(error.at.column as usize)));
            if !inside {
                return Err(format!("the error's place is not in the text: {error}"));
            }
            let message = error.to_string();
            if message.chars().any(char::is_control) {
                return Err(format!("the message is not a readable line: {message:?}"));
            }
            return Ok(None);
        }
    };
    let printed = print(&regions);
    let again =
        parse(&printed, "").map_err(|error| format!("what is printed is not parsed: {error}\n{printed}"))?;
    if print(&again) != printed {
        return Err(format!("printed, parsed and printed again it differs:\n{printed}"));
    }
    Ok(Some(regions))
}

/// Executes a region in order, and twice interleaved, which must have the same result.
fn execute(region: &Region, seed: u64, outcome: &mut Outcome) -> Result<(), String> {
    let options =
        Options { order: IterationOrder::Sequential, steps: STEPS, memory: MEMORY, ..Options::default() };
    let is_size = |variable: &&Variable| {
        variable.storage != Storage::Region && variable.extents.is_empty() && variable.scalar.is_integer()
    };
    let sizes = region.variables.iter().filter(is_size).map(|variable| (variable.name.as_str(), 8));
    let sizes = Sizes { unknown: Some(3), ..Sizes::of(sizes) };
    let Ok(mut memory) = Memory::new(region, &sizes, &options) else { return Ok(()) };
    memory.fill(seed);
    let interleaved = Options { order: IterationOrder::Interleaved(seed), ..options };
    let mut results = Vec::new();
    for options in [&options, &interleaved, &interleaved] {
        let mut memory = memory.clone();
        let result = run(region, &mut memory, options);
        outcome.counts[EXECUTIONS] += 1;
        if let Err(error) = &result {
            outcome.counts[ERRORS] += 1;
            outcome.counts[RACES] += u64::from(error.what.starts_with("a race "));
        }
        results.push((result, memory));
    }
    let [_, (first, memory), (second, other)] = &results[..] else { return Ok(()) };
    if first != second || memory.first_difference(other).is_some() {
        return Err("the same execution had two different results".into());
    }
    Ok(())
}
