//! Loops that are said to be parallel, or to carry reductions alone, compute the same in reverse order. This oracle knows
//! nothing of how reductions are found: it executes integers, whose sums, products and extremes do not depend on the order.

mod common;
#[path = "common/random.rs"]
mod random;

use std::path::PathBuf;

use loop_compiler::{
    Class, Options, analyze,
    interpret::{self, Memory, Sizes},
    ir::{BinaryOperator, Expression, ExpressionKind, Loop, Node, ReductionOperator, Region},
    notation,
    types::Scalar,
};
use random::{SIZE, random_nest};

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
    let nests: u64 = std::env::var("LOOP_NESTS").map_or(400, |number| number.parse().unwrap());
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
