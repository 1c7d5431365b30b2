//! The target *c*: files of C, and syntax trees as clang prints them, for the reader of the loop compiler.
//!
//! The first line of an input says what it is: `bytes` that are searched for pragmas, `tree NAME`, a damaged syntax tree
//! of a file in `seeds`, or `text`, a file for clang.

mod json;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use loop_compiler::c::{self, Input, SourceFile};
use loop_compiler::{Options, analyze, notation, verify};

use self::json::Json;
use super::memory;
use super::random::Random;
use super::target::{Fuzzer, Opened, Outcome, Target};

pub const TARGET: Target = Target {
    name: "c",
    extension: "input",
    passed: "read",
    counts: &["regions", "trees", "analysed"],
    largest: "bytes of memory for a byte of input",
    open,
};

/// Places in the counts of an outcome.
const REGIONS: usize = 0;
const TREES: usize = 1;
const ANALYSED: usize = 2;

/// Bytes that reading and printing may take: for each byte of input, plus a constant. A node of a syntax tree may be
/// two characters long.
const BYTES_PER_BYTE: usize = 4096;
const BYTES: usize = 64 << 20;
/// What the analysis of a region may take.
const OPERATIONS: u64 = 100_000;
const TIME: Duration = Duration::from_millis(200);
/// Regions of a file that are analysed.
const ANALYSES: usize = 3;

/// One input in so many is a text for clang, which takes most of the time.
const CLANG: usize = 50;

struct Seed {
    name: String,
    text: Vec<u8>,
    tree: Json,
}

struct C {
    seeds: Vec<Seed>,
    /// The texts of each field's values.
    values: BTreeMap<String, Vec<String>>,
    /// For the files that clang reads.
    folder: PathBuf,
}

fn open(folders: &[PathBuf]) -> Opened {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/c/seeds");
    let mut seeds = Vec::new();
    for folder in std::iter::once(&own).chain(folders) {
        let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|e| e == "c"));
        paths.sort();
        for path in paths {
            seeds.push(seed(folder, &path)?);
        }
    }
    let mut values = BTreeMap::<String, Vec<String>>::new();
    for seed in &seeds {
        seed.tree.each(&mut |json| {
            let Json::Object(fields) = json else { return };
            for (name, value) in fields {
                if let Json::Text(text) = value {
                    values.entry(name.clone()).or_default().push(text.clone());
                }
            }
        });
    }
    for texts in values.values_mut() {
        texts.sort();
        texts.dedup();
    }
    let folder = std::env::temp_dir().join(format!("fuzz-c-{}", std::process::id()));
    Ok(Box::new(C { seeds, values, folder }))
}

/// A file, with the syntax tree that clang makes of it now.
fn seed(folder: &Path, path: &Path) -> Result<Seed, String> {
    let failed = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let output = Command::new("clang-22")
        .current_dir(folder)
        .args(["-fno-openmp", "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", &name])
        .output()
        .map_err(|e| failed(&e))?;
    if !output.status.success() {
        return Err(failed(&String::from_utf8_lossy(&output.stderr)));
    }
    let mut tree: Json = serde_json::from_slice(&output.stdout).map_err(|e| failed(&e))?;
    // Types that every tree begins with.
    let implicit = |node: &Json| matches!(node.field("isImplicit"), Some(Json::Text(text)) if text == "true");
    if let Json::Object(fields) = &mut tree {
        for (name, value) in fields {
            if let ("inner", Json::List(list)) = (name.as_str(), value) {
                list.retain(|node| !implicit(node));
            }
        }
    }
    tree.number_addresses(&mut HashMap::new());
    Ok(Seed { name, text: std::fs::read(path).map_err(|e| failed(&e))?, tree })
}

/// Values that are written into fields.
const EDGES: &[&str] = &[
    "0",
    "-1",
    "1",
    "18446744073709551615",
    "9223372036854775807",
    "4294967296",
    "1e400",
    "1.5",
    "null",
    "true",
    "false",
    "[]",
    "{}",
    "[[]]",
    "\"\"",
    "\"0\"",
    "\"-170141183460469231731687303715884105729\"",
    "\"99999999999999999999999999999999999999999\"",
    "\"1e999\"",
    "\"nan\"",
    "\"\\u0000\"",
    "\"é`\\n\"",
    "\"0x1\"",
    "\"0xffffffffffffffff\"",
    "\"int[99999999999999999999]\"",
    "\"int[9223372036854775807][9223372036854775807]\"",
    "\"int[n]\"",
    "\"double (*)[][\"",
    "\"****\"",
    "\"(((\"",
    "\"const\"",
    "\"_Complex float\"",
    "\"enum e\"",
];

/// Beginnings and ends of nodes around a node.
const WRAPPERS: &[(&str, &str)] = &[
    (r#"{"kind":"ParenExpr","type":{"qualType":"int"},"inner":["#, "]}"),
    (r#"{"kind":"UnaryOperator","opcode":"-","type":{"qualType":"int"},"inner":["#, "]}"),
    (
        r#"{"kind":"BinaryOperator","opcode":"+","type":{"qualType":"int"},"inner":["#,
        r#",{"kind":"IntegerLiteral","type":{"qualType":"int"},"value":"1"}]}"#,
    ),
    (r#"{"kind":"ImplicitCastExpr","castKind":"IntegralCast","type":{"qualType":"long"},"inner":["#, "]}"),
    (r#"{"kind":"ImplicitCastExpr","castKind":"NoOp","type":{"qualType":"int *"},"inner":["#, "]}"),
    (r#"{"kind":"CompoundStmt","inner":["#, "]}"),
    (r#"{"kind":"IfStmt","inner":[{"kind":"IntegerLiteral","type":{"qualType":"int"},"value":"1"},"#, "]}"),
    (r#"{"kind":"ArraySubscriptExpr","type":{"qualType":"int"},"inner":["#, ",{}]}"),
    (r#"{"kind":"NamespaceDecl","inner":["#, "]}"),
    ("[", "]"),
];

fn is_node(json: &Json) -> bool {
    json.field("kind").is_some()
}

fn has_children(json: &Json) -> bool {
    matches!(json, Json::List(list) if !list.is_empty())
}

fn is_object(json: &Json) -> bool {
    matches!(json, Json::Object(fields) if !fields.is_empty())
}

/// A random value among those that are wanted.
fn any<'j>(tree: &'j mut Json, wanted: fn(&Json) -> bool, random: &mut Random) -> Option<&'j mut Json> {
    let mut count = 0;
    tree.each(&mut |json| count += usize::from(wanted(json)));
    let mut number = random.below(count);
    tree.nth(wanted, &mut number)
}

impl C {
    /// Changes one thing in a syntax tree.
    fn damage(&self, tree: &mut Json, random: &mut Random) {
        let kind = random.below(14);
        let wanted = match kind {
            0..=3 => has_children,
            4..=6 => is_node,
            _ => is_object,
        };
        let Some(json) = any(tree, wanted, random) else { return };
        match (kind, json) {
            (0, Json::List(list)) => drop(list.remove(random.below(list.len()))),
            (1, Json::List(list)) => {
                let item = random.pick(list).clone();
                let times = if random.one_in(8) { 300 } else { 1 };
                let at = random.below(list.len());
                list.splice(at..at, std::iter::repeat_n(item, times));
            }
            (2, Json::List(list)) => {
                let (a, b) = (random.below(list.len()), random.below(list.len()));
                list.swap(a, b);
            }
            (3, Json::List(list)) => {
                let at = random.below(list.len());
                list[at] = Json::Text("{}".into());
            }
            (4 | 5, node) => {
                let mut other = random.pick(&self.seeds).tree.clone();
                if let Some(other) = any(&mut other, is_node, random) {
                    *node = other.clone();
                }
            }
            (6, node) => {
                let (begin, end) = *random.pick(WRAPPERS);
                let times = [1, 3, 30, 300, 5_000, 20_000][random.below(6)];
                let mut text = begin.repeat(times);
                node.print(&mut text);
                text.push_str(&end.repeat(times));
                *node = Json::Text(text);
            }
            (7, Json::Object(fields)) => drop(fields.remove(random.below(fields.len()))),
            (8, Json::Object(fields)) => {
                let (a, b) = (random.below(fields.len()), random.below(fields.len()));
                fields.swap(a, b);
            }
            (9, Json::Object(fields)) => {
                let at = random.below(fields.len());
                fields[at].1 = Json::Text(random.word(EDGES).into());
            }
            (10, Json::Object(fields)) => {
                let mut names = self.values.keys();
                let name = names.nth(random.below(self.values.len())).cloned().unwrap_or_default();
                let value = Json::Text(random.pick(&self.values[&name]).clone());
                fields.push((name, value));
            }
            (_, Json::Object(fields)) => {
                // The values of a node, and not of its places, say most.
                let names: Vec<usize> = (0..fields.len())
                    .filter(|at| {
                        matches!(fields[*at].1, Json::Text(_)) && self.values.contains_key(&fields[*at].0)
                    })
                    .collect();
                if names.is_empty() {
                    return;
                }
                let field = &mut fields[*random.pick(&names)];
                field.1 = Json::Text(random.pick(&self.values[&field.0]).clone());
            }
            _ => {}
        }
    }

    fn damaged_text(&self, random: &mut Random) -> Vec<u8> {
        let pieces: &[&str] = &[
            "#pragma scop\n",
            "#pragma endscop\n",
            "/*",
            "*/",
            "//",
            "\"",
            "'",
            "\\\n",
            "R\"(",
            "{",
            "}",
            "(",
            ")",
            "[",
            "]",
            ";",
            "i",
            "n",
            "a",
            "+= ",
            "= ",
            "for (int i = 0; i < n; i++) ",
            "if (n) ",
            "* ",
            "&",
            "-",
            "0",
            "1.0f",
            "volatile ",
            "static ",
            "struct s { int x; } ",
            "->x",
            ".x",
            "_Pragma(\"scop\")",
            "??/",
            "\r\n",
            "\0",
            "é",
            "({ n; })",
            "_Generic(n, int: n)",
            "unsigned char ",
        ];
        let mut text = random.pick(&self.seeds).text.clone();
        for _ in 0..1 + random.below(4) {
            let (here, there) = (random.below(text.len()), random.below(text.len()));
            match random.below(6) {
                0 => drop(text.splice(here..here, random.word(pieces).bytes())),
                1 => drop(text.drain(here..(here + random.below(8)).min(text.len()))),
                2 => {
                    let part = text[here..(here + random.below(60)).min(text.len())].to_vec();
                    drop(text.splice(there..there, part));
                }
                3 => {
                    let piece = random.word(pieces).repeat([2, 30, 400][random.below(3)]);
                    drop(text.splice(here..here, piece.into_bytes()));
                }
                4 if !text.is_empty() => text.swap(here, there),
                _ if !text.is_empty() => text[here] = random.next() as u8,
                _ => {}
            }
        }
        text
    }
}

impl Fuzzer for C {
    fn input(&self, seed: u64, number: u64) -> Vec<u8> {
        let mut random = Random::new(seed, number);
        if random.one_in(CLANG) {
            return [b"text\n", self.damaged_text(&mut random).as_slice()].concat();
        }
        if random.one_in(8) {
            return [b"bytes\n", self.damaged_text(&mut random).as_slice()].concat();
        }
        let seed = random.pick(&self.seeds);
        let mut tree = seed.tree.clone();
        for _ in 0..[1, 1, 1, 2, 3, 8][random.below(6)] {
            self.damage(&mut tree, &mut random);
        }
        let mut text = format!("tree {}\n", seed.name);
        let begin = text.len();
        tree.print(&mut text);
        let mut bytes = text.into_bytes();
        if random.one_in(12) {
            for _ in 0..1 + random.below(4) {
                let here = begin + random.below(bytes.len() - begin);
                match random.below(3) {
                    0 => bytes[here] = random.next() as u8,
                    1 => bytes[here] ^= 1 << random.below(8),
                    _ => bytes.truncate(here.max(begin + 1)),
                }
            }
        }
        bytes
    }

    fn run(&self, input: &[u8], _seed: u64) -> Result<Outcome, String> {
        let mut outcome = Outcome::default();
        let (result, bytes) = memory::peak(|| self.check(input, &mut outcome));
        result?;
        outcome.largest = bytes.saturating_sub(BYTES) as u64 / input.len().max(1) as u64;
        if bytes > BYTES_PER_BYTE * input.len() + BYTES {
            return Err(format!("{} bytes of input took {bytes} bytes of memory", input.len()));
        }
        Ok(outcome)
    }

    fn time(&self, input: &[u8]) -> Duration {
        // clang starts slowly when the machine is busy.
        Duration::from_millis(3000) + Duration::from_micros(20) * input.len() as u32
    }
}

impl C {
    fn check(&self, input: &[u8], outcome: &mut Outcome) -> Result<(), String> {
        let split = input.iter().position(|byte| *byte == b'\n').ok_or("the input has no first line")?;
        let (kind, rest) = (String::from_utf8_lossy(&input[..split]), &input[split + 1..]);
        let reader = |file| Input {
            clang: Path::new("clang-22"),
            file,
            arguments: &[],
            auto: true,
            assume_distinct: false,
        };
        let read = match kind.strip_prefix("tree ") {
            Some(name) => {
                let seed = self.seeds.iter().find(|seed| seed.name == name);
                let seed = seed.ok_or_else(|| format!("there is no seed `{name}`"))?;
                c::read_dump(&reader(Path::new(name)), seed.text.clone(), rest)
            }
            None if kind == "text" => {
                let failed = |e: std::io::Error| format!("{}: {e}", self.folder.display());
                std::fs::create_dir_all(&self.folder).map_err(failed)?;
                let file = self.folder.join("input.c");
                std::fs::write(&file, rest).map_err(failed)?;
                let read = c::read(&reader(&file));
                std::fs::remove_dir_all(&self.folder).map_err(failed)?;
                read
            }
            None if kind == "bytes" => c::read_dump(
                &reader(Path::new("input.c")),
                rest.to_vec(),
                br#"{"kind":"TranslationUnitDecl"}"#,
            ),
            None => return Err(format!("no kind of input: `{kind}`")),
        };
        match read {
            Ok(file) => {
                outcome.passed = true;
                check_file(&file, outcome)
            }
            Err(error) if error.to_string().is_empty() => Err("an error without a message".into()),
            Err(_) => Ok(()),
        }
    }
}

/// What holds of every file that is read, whatever its regions are.
fn check_file(file: &SourceFile, outcome: &mut Outcome) -> Result<(), String> {
    outcome.counts[REGIONS] += file.regions.len() as u64;
    if file.with_regions(|_| None::<String>) != file.text {
        return Err("without replaced regions the text is another one".into());
    }
    let print = |region: &c::SourceRegion| region.tree.as_ref().ok().map(|tree| c::print(tree, 2));
    let replaced = file.with_regions(print);
    let trees = file.regions.iter().filter_map(|region| region.tree.as_ref().ok());
    let texts: usize = file.regions.iter().filter_map(print).map(|text| text.len()).sum();
    if replaced.len() > file.text.len() + texts {
        return Err("regions overlap".into());
    }
    for tree in trees.take(ANALYSES) {
        if verify::verify(tree).is_err() {
            continue;
        }
        outcome.counts[TREES] += 1;
        let printed = notation::print(std::slice::from_ref(tree));
        let again = notation::parse(&printed, "")
            .map_err(|error| format!("what is printed is not parsed: {error}\n{printed}"))?;
        if notation::print(&again) != printed {
            return Err(format!("printed, parsed and printed again it differs:\n{printed}"));
        }
        let options = Options { operations: OPERATIONS, time: TIME, ..Options::default() };
        outcome.counts[ANALYSED] += u64::from(analyze(tree, &options).is_ok());
    }
    Ok(())
}
