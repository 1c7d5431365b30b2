//! Classes of loops against enumeration: what the sets say of all sizes, executions at small sizes must show.

mod common;
#[path = "common/enumeration.rs"]
mod enumeration;

use std::{collections::BTreeMap, path::PathBuf};

use loop_compiler::{Class, Options, analyze, ir::Region};

/// How much a class leaves in order; scans and sequential loops are the same to an execution.
fn order(class: Class) -> usize {
    match class {
        Class::Parallel => 0,
        Class::Reduction | Class::Private => 1,
        Class::ReductionAndPrivate => 2,
        Class::Scan | Class::Sequential => 3,
    }
}

/// Whether a class that sets say is safe where an execution shows another.
fn is_safe(said: Class, shown: Class) -> bool {
    said == shown || order(said) > order(shown) || order(said) == 3
}

/// What is wrong with the classes of a region at one size, and what they leave unused.
struct Outcome {
    unsafe_loops: Vec<String>,
    cautious: Vec<String>,
    skipped: Option<String>,
}

fn compare(region: &Region, size: i64, label: &str) -> Outcome {
    let mut outcome = Outcome { unsafe_loops: Vec::new(), cautious: Vec::new(), skipped: None };
    let sizes: BTreeMap<String, i64> =
        common::parameters(region).into_iter().map(|name| (name, size)).collect();
    let options = Options { sizes, ..Options::default() };
    let analysis = match analyze(region, &options) {
        Ok(analysis) => analysis,
        Err(error) => {
            outcome.skipped = Some(error.to_string());
            return outcome;
        }
    };
    let seen = match enumeration::enumerate(region, &analysis, size) {
        Ok(seen) => seen,
        Err(error) => {
            outcome.skipped = Some(error);
            return outcome;
        }
    };
    for (index, looped) in analysis.loops.iter().enumerate() {
        let Some(shown) = enumeration::class(&seen, index) else { continue };
        let text = format!(
            "{label}:{} loop {}: {} but {} is shown",
            looped.at.line,
            looped.iterator,
            looped.class.name(),
            shown.name()
        );
        if !is_safe(looped.class, shown) {
            outcome.unsafe_loops.push(text);
        } else if order(looped.class) != order(shown) || order(looped.class) < 3 && looped.class != shown {
            outcome.cautious.push(text);
        }
    }
    outcome
}

#[test]
fn classes_of_the_nests_are_those_of_executions() {
    let paths: Vec<_> =
        common::nests(&[]).into_iter().filter(|path| !common::name(path).starts_with("rejected/")).collect();
    let paths = common::sample(paths, 2);
    let of_nest = |path: &PathBuf| {
        let definitions = ["-DN=6", "-DM=6", "-DK=6", "-DL=6", "-DTSTEPS=6"];
        let file = common::read(path, &definitions).unwrap();
        let trees = file.regions.iter().filter_map(|region| region.tree.as_ref().ok());
        trees.map(|tree| compare(tree, 6, &common::name(path))).collect::<Vec<_>>()
    };
    let outcomes: Vec<_> = common::in_parallel(&paths, of_nest).into_iter().flatten().collect();
    let all = |of: fn(&Outcome) -> &Vec<String>| outcomes.iter().flat_map(of).cloned().collect::<Vec<_>>();
    let skipped: Vec<_> = outcomes.iter().filter_map(|outcome| outcome.skipped.as_ref()).collect();
    println!("{} skipped:", skipped.len());
    skipped.iter().for_each(|reason| println!("  {reason}"));
    let wrong = all(|outcome| &outcome.unsafe_loops);
    let cautious = all(|outcome| &outcome.cautious);
    println!("{} cautious:\n{}", cautious.len(), cautious.join("\n"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Numbers that depend on a seed alone.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// A subscript of the loops around, never negative: coefficients up to 2.
fn subscript(random: &mut Random, loops: usize) -> String {
    let mut text = format!("{}", 24 + random.below(3));
    for index in 0..loops {
        match random.below(6) {
            0 => text += &format!(" + i{index}"),
            1 => text += &format!(" - i{index}"),
            2 => text += &format!(" + 2 * i{index}"),
            3 => text += &format!(" - 2 * i{index}"),
            _ => {}
        }
    }
    match random.below(12) {
        0 => format!("({text}) % 3"),
        1 => format!("({text}) / 2"),
        _ => text,
    }
}

fn target(random: &mut Random, loops: usize) -> String {
    match random.below(4) {
        0 => "s".into(),
        1 => format!("c[{}, {}]", subscript(random, loops), subscript(random, loops)),
        2 => format!("b[{}]", subscript(random, loops)),
        _ => format!("a[{}]", subscript(random, loops)),
    }
}

fn statement(random: &mut Random, loops: usize, indent: &str) -> String {
    let (to, from, other) = (target(random, loops), target(random, loops), target(random, loops));
    let text = match random.below(8) {
        0 => format!("{to} = {from}"),
        1 => format!("{to} = {from} + {other}"),
        2 => format!("{to} {}= {from}", random.pick(&["+", "-", "*", "|", "^"])),
        3 => format!("{to} = {to} + {from} - {other}"),
        4 => format!("{to} = max({to}, {from})"),
        5 => format!("{to} = {from} * {to}"),
        6 => format!("{to} = {}", random.below(9)),
        _ => format!("{to} += {from} * {other}"),
    };
    match random.below(6) {
        0 if loops > 0 => {
            let guard = format!(
                "i{} {} {}",
                random.below(loops as u64),
                random.pick(&["<", ">=", "=="]),
                random.below(5)
            );
            format!("{indent}if {guard} {{ {text} }}\n")
        }
        _ => format!("{indent}{text}\n"),
    }
}

fn body(random: &mut Random, loops: usize, most: usize) -> String {
    let indent = "  ".repeat(loops + 1);
    let mut text = String::new();
    for _ in 0..1 + random.below(2) {
        if loops < most && (loops == 0 || random.below(3) > 0) {
            let lower = match random.below(4) {
                0 if loops > 0 => format!("i{}", random.below(loops as u64)),
                1 => "1".into(),
                _ => "0".into(),
            };
            let upper = match random.below(4) {
                0 if loops > 0 => format!("i{} + {}", random.below(loops as u64), random.below(3)),
                _ => format!("{}", 2 + random.below(5)),
            };
            let step = random.pick(&["", "", "", "2 : "]);
            text += &format!("{indent}for i{loops} in range({lower} : {step}{upper}) {{\n");
            text += &body(random, loops + 1, most);
            text += &format!("{indent}}}\n");
        } else {
            text += &statement(random, loops, &indent);
        }
    }
    text
}

fn random_nest(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    random.below(2);
    let most = 1 + random.below(3) as usize;
    let body = body(&mut random, 0, most);
    format!(
        "func @f(s: i64, a: memref<96 x i64>, b: memref<96 x i64>, c: memref<96 x 96 x i64>) {{\n{body}}}\n"
    )
}

/// Regions of at most three loops, with coefficients up to 2 and bounds up to 6; the sets speak of the same sizes, so
/// that classes are not only safe but equal. `LOOP_NESTS` says how many.
#[test]
fn classes_of_random_nests_are_those_of_executions() {
    let nests: u64 = std::env::var("LOOP_NESTS").map_or(400, |number| number.parse().unwrap());
    let seeds: Vec<_> = (0..nests).map(|seed| PathBuf::from(seed.to_string())).collect();
    let found = common::in_parallel(&seeds, |seed| {
        let text = random_nest(seed.to_str().unwrap().parse().unwrap());
        let region = loop_compiler::notation::parse(&text, "random.loops")
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        let outcome = compare(&region[0], 6, &seed.display().to_string());
        (outcome, text)
    });
    let skipped = found.iter().filter(|(outcome, _)| outcome.skipped.is_some()).count();
    let wrong: Vec<_> = found
        .iter()
        .filter(|(outcome, _)| !outcome.unsafe_loops.is_empty() || !outcome.cautious.is_empty())
        .map(|(outcome, text)| format!("{:?} {:?}\n{text}", outcome.unsafe_loops, outcome.cautious))
        .collect();
    assert!(wrong.is_empty(), "{} of {nests}:\n{}", wrong.len(), wrong[..wrong.len().min(12)].join("\n"));
    let reasons: Vec<_> = found.iter().filter_map(|(outcome, _)| outcome.skipped.clone()).take(3).collect();
    assert!(skipped * 100 < nests as usize, "{skipped} were not compared: {reasons:?}");
}
