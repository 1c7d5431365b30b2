//! Loops that are said to be parallel, or to carry reductions alone, compute the same in reverse order. This oracle knows
//! nothing of how reductions are found: it executes integers, whose sums, products and extremes do not depend on the order.

#[allow(dead_code)]
mod common;

use std::path::PathBuf;

use loop_compiler::{
    Class, Options, analyze,
    interpret::{self, Memory, Sizes},
    notation,
    tree::{BinaryOperator, Expression, ExpressionKind, Loop, Node, ReductionOperator, Region},
    types::Scalar,
};

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

const SIZE: usize = 32;

fn subscript(random: &mut Random, loops: usize) -> String {
    match random.below(8) {
        0 => format!("{}", random.below(3)),
        1 if loops > 0 => format!("k[i{}]", random.below(loops as u64)),
        2 if loops > 0 => format!("i{} % 3", random.below(loops as u64)),
        3 if loops > 0 => format!("2 * i{}", random.below(loops as u64)),
        4 if loops > 1 => "i0 + i1".into(),
        5 if loops > 0 => format!("i{} + 1", random.below(loops as u64)),
        _ if loops > 0 => format!("i{}", random.below(loops as u64)),
        _ => "0".into(),
    }
}

fn cell(random: &mut Random, loops: usize) -> String {
    match random.below(5) {
        0 => "s[0]".into(),
        1 => "m[0]".into(),
        2 => format!("b[{}]", subscript(random, loops)),
        _ => format!("a[{}]", subscript(random, loops)),
    }
}

fn value(random: &mut Random, loops: usize) -> String {
    match random.below(6) {
        0 => format!("{}", random.below(5)),
        1 if loops > 0 => format!("i{}", random.below(loops as u64)),
        2 => format!("{} + {}", cell(random, loops), cell(random, loops)),
        3 => format!("{} * 3", cell(random, loops)),
        4 => format!("k[{}]", subscript(random, loops)),
        _ => cell(random, loops),
    }
}

fn store(random: &mut Random, loops: usize) -> String {
    let (to, value) = (cell(random, loops), value(random, loops));
    match random.below(8) {
        0 => format!("{to} = {value}"),
        1 | 2 => format!("{to} += {value}"),
        3 => format!("{to} {}= {value}", random.pick(&["-", "*", "|", "&", "^"])),
        4 => format!("{to} = max({to}, {value})"),
        5 => format!("{to} = {value} < {to} ? {value} : {to}"),
        6 => format!("{to} = {value} > 2 ? {to} + {value} : {to}"),
        _ => format!("{to} = {value} + {to}"),
    }
}

fn statement(random: &mut Random, loops: usize, indent: &str, depth: usize) -> String {
    match random.below(9) {
        0 | 1 if depth < 2 => {
            let (to, with) = (cell(random, loops), value(random, loops));
            let relation = random.pick(&["<", ">", "<=", "=="]);
            let then = match random.below(3) {
                0 => format!("{to} = {with}"),
                1 => format!("{to} = {with}  {}", store(random, loops)),
                _ => statement(random, loops, "", depth + 1).trim_end().to_string(),
            };
            let otherwise = match random.below(4) {
                0 => format!(" else {{ {} }}", store(random, loops)),
                _ => String::new(),
            };
            format!("{indent}if {with} {relation} {to} {{ {then} }}{otherwise}\n")
        }
        2 => {
            let name = format!("t{}", random.below(1_000_000));
            let to = cell(random, loops);
            let from = value(random, loops);
            format!("{indent}{name}: i64 = {to} + {from}\n{indent}{to} = {name}\n")
        }
        _ => format!("{indent}{}\n", store(random, loops)),
    }
}

fn body(random: &mut Random, loops: usize, most: usize) -> String {
    let indent = "  ".repeat(loops + 1);
    let mut text = String::new();
    for _ in 0..1 + random.below(3) {
        if loops < most && (loops == 0 || random.below(2) == 0) {
            let upper = if loops > 0 && random.below(3) == 0 {
                "i0 + 2".into()
            } else {
                format!("{}", 2 + random.below(5))
            };
            text += &format!(
                "{indent}for i{loops} in range(0 : {upper}) {{\n{}{indent}}}\n",
                body(random, loops + 1, most)
            );
        } else {
            text += &statement(random, loops, &indent, 0);
        }
    }
    text
}

fn random_nest(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 7);
    random.below(2);
    let most = 1 + random.below(2) as usize;
    let arrays = ["a", "b", "k", "s", "m"].map(|name| format!("{name}: memref<{SIZE} x i64>")).join(", ");
    format!("func @f({arrays}) {{\n{}}}\n", body(&mut random, 0, most))
}

/// Reverses the loop of that number in the tree's order; whether that could be done.
fn reverse(nodes: &mut [Node], left: &mut usize) -> bool {
    nodes.iter_mut().any(|node| match node {
        Node::Loop(looped) => {
            if *left == 0 {
                *left = usize::MAX;
                return reverse_loop(looped);
            }
            *left -= 1;
            reverse(&mut looped.body, left)
        }
        Node::If(guard) => reverse(&mut guard.then, left) || reverse(&mut guard.otherwise, left),
        _ => false,
    })
}

/// From the last iteration to the first, if the steps are of one.
fn reverse_loop(looped: &mut Loop) -> bool {
    let ExpressionKind::Binary(BinaryOperator::Less, iterator, upper) = looped.condition.kind.clone() else {
        return false;
    };
    let scalar = looped.lower.scalar;
    let one = Expression::integer(1, scalar);
    let last = ExpressionKind::Binary(BinaryOperator::Subtract, upper, Box::new(one));
    let again =
        ExpressionKind::Binary(BinaryOperator::GreaterEqual, iterator, Box::new(looped.lower.clone()));
    looped.lower = Expression { kind: last, scalar };
    looped.condition = Expression { kind: again, scalar: Scalar::INT };
    looped.step = Expression::integer(-1, scalar);
    true
}

fn executed(region: &Region, seed: u64) -> Result<Memory, String> {
    let options = interpret::Options { steps: 1_000_000, ..interpret::Options::default() };
    let mut memory = Memory::new(region, &Sizes::default(), &options).map_err(|error| error.to_string())?;
    memory.fill(seed);
    memory.set_values("k", (0..SIZE).map(|index| ((index * 5 + seed as usize) % 7) as f64));
    interpret::run(region, &mut memory, &options).map_err(|error| error.to_string())?;
    Ok(memory)
}

#[test]
fn loops_compute_the_same_in_reverse() {
    let nests: u64 = std::env::var("LOOP_NESTS").map_or(1_000, |number| number.parse().unwrap());
    let seeds: Vec<_> = (0..nests).map(|seed| PathBuf::from(seed.to_string())).collect();
    let found = common::in_parallel(&seeds, |seed| {
        let seed: u64 = seed.to_str().unwrap().parse().unwrap();
        let text = random_nest(seed);
        let regions =
            notation::parse(&text, "random.loops").unwrap_or_else(|error| panic!("{error}\n{text}"));
        let analysis = analyze(&regions[0], &Options::default()).unwrap();
        let (mut reversals, mut wrong) = (0, Vec::new());
        for (index, looped) in analysis.loops.iter().enumerate() {
            // Which of several values stays depends on the order, and private copies keep that of the last iteration.
            let ordered = |operator| {
                use ReductionOperator::{ArgMax, ArgMin, First, Last};
                matches!(operator, ArgMin | ArgMax | First | Last)
            };
            let mut carried =
                analysis.statements.iter().filter(|statement| statement.carried_by.contains(&index));
            let by_order = carried.any(|statement| statement.reduction.is_some_and(ordered));
            if by_order || !matches!(looped.class, Class::Parallel | Class::Reduction) {
                continue;
            }
            let mut other = regions[0].clone();
            if !reverse(&mut other.body, &mut { index }) {
                continue;
            }
            let (Ok(forward), Ok(backward)) = (executed(&regions[0], seed), executed(&other, seed)) else {
                continue;
            };
            reversals += 1;
            let exact = |memory: &Memory| ["a", "b", "s", "m"].map(|name| memory.values(name));
            if exact(&forward) != exact(&backward) {
                wrong.push(format!(
                    "seed {seed}: loop {} is {}:\n{text}",
                    looped.iterator,
                    looped.class.name()
                ));
            }
        }
        (reversals, wrong)
    });
    let reversals: usize = found.iter().map(|(reversals, _)| reversals).sum();
    let wrong: Vec<_> = found.into_iter().flat_map(|(_, wrong)| wrong).collect();
    println!("{reversals} loops reversed");
    assert!(reversals as u64 > nests / 3, "{reversals}");
    assert!(wrong.is_empty(), "{} of {reversals}:\n{}", wrong.len(), wrong[..wrong.len().min(8)].join("\n"));
}
