//! The interpreter against clang: a region and its memory, as a C program, give the same bytes.

mod common;
#[path = "common/executed.rs"]
mod executed;

use std::{collections::BTreeMap, fs, path::PathBuf};

use executed::Case;
use loop_compiler::{
    interpret::{self, Memory, Options, Sizes},
    ir::VariableId,
    notation,
    types::Scalar,
};

/// A folder for programs that is deleted at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("loop-compiler-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A case with the memory after the interpreter has executed it.
struct Executed {
    case: Case,
    after: Memory,
}

fn executed(case: Case) -> Result<Executed, String> {
    let mut after = case.memory.clone();
    let options = Options { steps: 3_000_000, ..Options::default() };
    match interpret::run(&case.region, &mut after, &options) {
        Ok(_) => Ok(Executed { case, after }),
        Err(error) => Err(format!("{}: {}", case.label, error.to_string().replace('\n', " "))),
    }
}

/// What clang computes differently. Some cases share a program; one in `every` programs is optimised, too.
fn differences(cases: Vec<Executed>, name: &str, together: usize, every: usize) -> Vec<String> {
    let folder = Folder::new(name);
    let (cases, after): (Vec<_>, Vec<_>) = cases.into_iter().map(|found| (found.case, found.after)).unzip();
    let mut after = after.into_iter();
    let groups: Vec<(usize, Vec<Case>, Vec<Memory>)> = executed::groups(cases, together)
        .into_iter()
        .enumerate()
        .map(|(index, group)| {
            let after = after.by_ref().take(group.len()).collect();
            (index, group, after)
        })
        .collect();
    let compare = |(index, cases, after): &(usize, Vec<Case>, Vec<Memory>)| {
        let mut found = Vec::new();
        for level in ["-O0", "-O2"].iter().take(if index % every == 0 { 2 } else { 1 }) {
            match executed::by_clang(cases, &[level], &folder.0, &format!("group-{index}")) {
                Err(error) => found.push(error),
                Ok(memories) => {
                    for ((case, mine), clang) in cases.iter().zip(after).zip(&memories) {
                        if let Some(difference) = mine.first_difference(clang) {
                            let text = notation::print(std::slice::from_ref(&case.region));
                            found.push(format!("{} ({level}): {difference} with clang\n{text}", case.label));
                        }
                    }
                }
            }
        }
        found
    };
    common::in_parallel(&groups, compare).into_iter().flatten().collect()
}

#[test]
fn nests_compute_what_clang_computes() {
    let paths: Vec<_> =
        common::nests(&[]).into_iter().filter(|path| !common::name(path).starts_with("rejected/")).collect();
    let paths = common::sample(paths, 3);
    let of_nest = |path: &PathBuf| {
        let definitions = ["-DN=6", "-DM=6", "-DK=6", "-DL=6", "-DTSTEPS=6"];
        let file = common::read(path, &definitions).unwrap();
        let trees = file.regions.into_iter().filter_map(|region| region.tree.ok());
        let cases = trees.map(|region| {
            let label = common::name(path);
            let memory = common::filled_memory(&region, 6, &Options::default());
            let memory = memory.map_err(|error| format!("{label}: {error}"))?;
            executed(Case::new(label, region, memory))
        });
        cases.collect::<Vec<_>>()
    };
    let (mut cases, mut skipped) = (Vec::new(), Vec::new());
    for found in common::in_parallel(&paths, of_nest).into_iter().flatten() {
        match found {
            Ok(case) => cases.push(case),
            Err(reason) => skipped.push(reason),
        }
    }
    println!("{} compared, {} skipped:\n{}", cases.len(), skipped.len(), skipped.join("\n"));
    assert!(cases.len() >= paths.len() * 3 / 4, "{} of {}", cases.len(), paths.len());
    let found = differences(cases, "nests", 8, 4);
    assert!(found.is_empty(), "{} differ:\n{}", found.len(), found.join("\n"));
}

/// Numbers that depend on a seed alone.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

const INTEGERS: [&str; 11] = ["bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "i128", "u128"];
const FLOATS: [&str; 2] = ["f32", "f64"];
const COMPLEX: [&str; 2] = ["c32", "c64"];

/// Which values an expression may have.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    Integer,
    Real,
    Any,
}

impl Class {
    fn types(self) -> Vec<&'static str> {
        let floats = FLOATS.iter().filter(|_| self != Class::Integer);
        let complex = COMPLEX.iter().filter(|_| self == Class::Any);
        INTEGERS.iter().chain(floats).chain(complex).copied().collect()
    }
}

fn constant(random: &mut Random, class: Class) -> String {
    let integers = [
        "0",
        "1",
        "2",
        "-3",
        "7u8",
        "200u8",
        "-128i8",
        "127i8",
        "-32768i16",
        "65535u16",
        "2147483647",
        "-2147483648",
        "4000000000u32",
        "9223372036854775807",
        "-9223372036854775808i64",
        "18446744073709551615u64",
        "-5i128",
        "170141183460469231731687303715884105727i128",
        "18446744073709551616u128",
        "true",
        "false",
    ];
    let floats = [
        "0.0",
        "-0.0",
        "0.5",
        "1.5f32",
        "-2.25",
        "0.1",
        "0.1f32",
        "1e30f32",
        "1e300",
        "5e-324",
        "1e-45f32",
        "16777217.0",
        "inf",
        "nan",
        "inf32",
        "-inf",
    ];
    let imaginary = ["1.0j", "2.5j32", "0.1j"];
    match class {
        Class::Real if random.below(2) == 0 => random.pick(&floats).into(),
        Class::Any if random.below(3) == 0 => random.pick(&imaginary).into(),
        Class::Any if random.below(2) == 0 => random.pick(&floats).into(),
        _ => random.pick(&integers).into(),
    }
}

/// An expression in the notation, with so many levels of operators at most.
fn expression(random: &mut Random, class: Class, levels: usize) -> String {
    if levels == 0 || random.below(8) == 0 {
        return match random.below(4) {
            0 => constant(random, class),
            _ => format!("x_{}", random.pick(&class.types())),
        };
    }
    let part = |random: &mut Random, class| expression(random, class, levels - 1);
    match random.below(if class == Class::Integer { 13 } else { 9 }) {
        0 | 1 => {
            let to = random.pick(&class.types());
            let from = if random.below(3) == 0 { Class::Any } else { class };
            format!("{to}({})", part(random, from))
        }
        2 | 3 => {
            let operator = random.pick(&["+", "-", "*"]);
            format!("({} {operator} {})", part(random, class), part(random, class))
        }
        4 if class != Class::Any => {
            let by = if class == Class::Integer { "| 1" } else { "+ 0.75" };
            format!("({} / ({} {by}))", part(random, class), part(random, class))
        }
        5 => {
            let condition = part(random, Class::Any);
            format!("({condition} ? {} : {})", part(random, class), part(random, class))
        }
        6 => format!("(-({}))", part(random, class)),
        7 if class == Class::Real => {
            format!("{}({})", random.pick(&["real", "imag"]), complex(random, levels))
        }
        8 if class == Class::Any => format!("(~{})", complex(random, levels)),
        9 => {
            let operator = random.pick(&["<<", ">>"]);
            format!(
                "({} {operator} ({} & {}))",
                part(random, class),
                part(random, class),
                random.pick(&["7", "15", "31"])
            )
        }
        10 => {
            let operator = random.pick(&["&", "|", "^"]);
            format!("({} {operator} {})", part(random, class), part(random, class))
        }
        11 => match random.below(3) {
            0 => format!("(!{})", part(random, Class::Any)),
            1 => format!("(~{})", part(random, class)),
            _ => format!("({} % ({} | 1))", part(random, class), part(random, class)),
        },
        12 => {
            let operator = random.pick(&["==", "!=", "&&", "||", "<", "<=", ">", ">="]);
            let of = if operator.starts_with(['<', '>']) { Class::Real } else { Class::Any };
            format!("({} {operator} {})", part(random, of), part(random, of))
        }
        _ => part(random, class),
    }
}

fn complex(random: &mut Random, levels: usize) -> String {
    format!("{}({})", random.pick(&COMPLEX), expression(random, Class::Any, levels - 1))
}

/// A function of a variable of each type that sets one element: all other memory has to stay.
fn random_function(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    random.below(2);
    let types = Class::Any.types();
    let parameters: Vec<_> = types.iter().map(|name| format!("x_{name}: {name}")).collect();
    let class = [Class::Integer, Class::Real, Class::Any][random.below(3)];
    let result = random.pick(&types);
    let operator = match (class, INTEGERS.contains(&result)) {
        (Class::Integer, true) => random.pick(&["", "", "", "+", "*", "^", "-", "|"]),
        _ => random.pick(&["", "", "", "+", "*", "-"]),
    };
    let value = expression(&mut random, class, 4);
    format!(
        "func @f({}, r: memref<2 x {result}>) {{\n  r[1] {operator}= {value}\n}}\n",
        parameters.join(", ")
    )
}

/// Values of which half are small, and half are at the edges of their types or any bits.
fn fill(memory: &mut Memory, seed: u64) {
    memory.fill(seed);
    let mut random = Random(seed ^ 0x5555);
    let cells: Vec<(VariableId, Scalar, usize)> =
        memory.iter().map(|(variable, _, cells)| (variable, cells.scalar, cells.bytes.len())).collect();
    let floats =
        [0.0, -0.0, 1.0, 1e-40, 5e-324, 1e38, 1e308, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 0.1];
    for (variable, scalar, bytes) in cells {
        let mut wide = vec![0u8; bytes];
        let float = |random: &mut Random, to: &mut [u8]| {
            let value = floats[random.below(floats.len())];
            match to.len() {
                4 => to.copy_from_slice(&(value as f32).to_le_bytes()),
                _ => to.copy_from_slice(&value.to_le_bytes()),
            }
        };
        match scalar {
            _ if random.below(2) == 0 => continue,
            Scalar::Bool | Scalar::Half(_) => continue,
            Scalar::Integer { .. } => {
                let byte = [0u8, 0xff, 0x80, 0x7f][random.below(4)];
                let any = random.below(2) == 0;
                wide.iter_mut()
                    .for_each(|to| *to = if any { random.below(256) as u8 } else { 0xff * (byte & 1) });
                if let (false, Some(last)) = (any, wide.last_mut()) {
                    *last = byte;
                }
            }
            Scalar::Float { bits } => {
                wide.chunks_exact_mut(usize::from(bits) / 8).for_each(|to| float(&mut random, to));
            }
            Scalar::Complex { bits } => {
                wide.chunks_exact_mut(usize::from(bits) / 8).for_each(|to| float(&mut random, to));
            }
        }
        memory.bytes_mut(variable, &[]).unwrap().copy_from_slice(&wide);
    }
}

/// `EXPRESSIONS` says how many, and `EXPRESSIONS_SEED` which is the first.
#[test]
fn random_expressions_have_the_value_that_clang_computes() {
    let number = |name: &str, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let (count, first) = (number("EXPRESSIONS", 1200u64), number("EXPRESSIONS_SEED", 0));
    let (mut cases, mut undefined) = (Vec::new(), BTreeMap::<String, usize>::new());
    for seed in first..first + count {
        let text = random_function(seed);
        let regions = notation::parse(&text, "").unwrap_or_else(|error| panic!("{error}\n{text}"));
        let region = regions.into_iter().next().unwrap();
        let mut memory = Memory::new(&region, &Sizes::default(), &Options::default()).unwrap();
        fill(&mut memory, seed);
        match executed(Case::new(seed.to_string(), region, memory)) {
            Ok(case) => cases.push(case),
            Err(reason) => {
                let kind = ["not in the range", "0", "shift"].into_iter().find(|kind| reason.contains(kind));
                *undefined.entry(kind.unwrap_or(&reason).to_owned()).or_default() += 1;
            }
        }
    }
    println!("{} compared, undefined: {undefined:?}", cases.len());
    assert!(cases.len() as u64 * 2 > count, "{undefined:?}");
    let found = differences(cases, "expressions", 200, 2);
    assert!(found.is_empty(), "{} differ:\n{}", found.len(), found.join("\n"));
}

/// Numbers of 16 bits: between those of the format, at the ends of its range, and infinities.
#[test]
fn numbers_of_16_bits_are_rounded_as_by_clang() {
    let near =
        |value: f64, unit: f64| [-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75].map(|part| value + part * unit);
    let mut values = vec![0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, 1e-30, -3e38, 1e-45];
    for (value, unit) in
        [(1.0, 0.0009765625), (-2049.0, 1.0), (65504.0, 32.0), (6.1e-5, 6e-8), (257.0, 2.0), (3.3e38, 2e36)]
    {
        values.extend(near(value, unit));
    }
    let count = values.len();
    let text = format!(
        "func @f(x: memref<{count} x f32>, y: memref<{count} x f64>, k: memref<{count} x i32>, h: memref<{count} x f16>, g: memref<{count} x bf16>,
                 d: memref<{count} x f16>, l: memref<{count} x f16>, z: memref<{count} x f64>) {{
           for i: i32 in range(0 : {count}) {{
             h[i] = f16(x[i])\n d[i] = f16(y[i])\n l[i] = f16(k[i])
             z[i] = f64(h[i]) * 2.0 + f64(g[i])
           }}
         }}"
    );
    let region = notation::parse(&text, "").unwrap_or_else(|error| panic!("{error}")).remove(0);
    let mut memory = Memory::new(&region, &Sizes::default(), &Options::default()).unwrap();
    memory.set_values("x", values.iter().copied());
    memory.set_values("y", values.iter().copied());
    // To round to `__bf16` clang calls a function that libgcc 12 does not have.
    memory.set_values("g", values.iter().copied());
    memory.set_values("k", values.iter().map(|value| value.clamp(-70000.0, 70000.0).trunc()));
    let case = Case::new("numbers of 16 bits".into(), region, memory);
    let found = differences(vec![executed(case).unwrap()], "halves", 1, 1);
    assert!(found.is_empty(), "{}", found.join("\n"));
}
