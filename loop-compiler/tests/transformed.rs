//! Random nests of integers, transformed by random steps: what is legal computes the same, and of what is rejected some is
//! really different.

#[path = "common/random.rs"]
mod random;

use loop_compiler::{
    AnalysisError, Options,
    interpret::{self, Access, Memory, Sizes},
    ir::{Expression, Loop, Node, Region},
    notation,
    report::FloatOrder,
    rules::Rule,
    transform::{Setting, Tile, distribute, parts, reorder, tile},
    types::Scalar,
};
use random::{Random, SIZE, random_nest, store};

/// Loops directly inside each other around some statements.
fn random_band(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 11);
    random.below(2);
    let loops = 2 + random.below(2) as usize;
    let arrays = ["a", "b", "k", "s", "m"].map(|name| format!("{name}: memref<{SIZE} x i64>")).join(", ");
    let mut text = format!("func @f({arrays}) {{\n");
    for index in 0..loops {
        let header = match random.below(3) {
            0 => format!("range({} : -1 : 0)", 2 + random.below(4)),
            1 => format!("range(1 : 2 : {})", 3 + random.below(5)),
            _ => format!("range(0 : {})", 2 + random.below(4)),
        };
        text += &format!("for i{index} in {header} {{\n");
    }
    for _ in 0..1 + random.below(2) {
        text += &format!("{}\n", store(&mut random, loops));
    }
    text + &"}".repeat(loops + 1)
}

fn executed(region: &Region, seed: u64) -> Option<Vec<Option<Vec<f64>>>> {
    let options = interpret::Options { steps: 1_000_000, ..interpret::Options::default() };
    let mut memory = Memory::new(region, &Sizes::default(), &options).ok()?;
    memory.fill(seed);
    memory.set_values("k", (0..SIZE).map(|index| ((index * 5 + seed as usize) % 7) as f64));
    interpret::run(region, &mut memory, &options).ok()?;
    Some(["a", "b", "s", "m"].map(|name| memory.values(name)).into())
}

/// The numbers of the loops of a region, with the loop that is all there is in them.
fn bands(nodes: &[Node], next: &mut usize, found: &mut Vec<Vec<usize>>) {
    for node in nodes {
        match node {
            Node::Loop(looped) => {
                let mut band = vec![*next];
                let mut body = &looped.body;
                while let [Node::Loop(only)] = &body[..] {
                    band.push(band[0] + band.len());
                    body = &only.body;
                }
                found.push(band);
                *next += 1;
                bands(&looped.body, next, found);
            }
            Node::If(guard) => {
                bands(&guard.then, next, found);
                bands(&guard.otherwise, next, found);
            }
            _ => {}
        }
    }
}

/// One random step, as it is written.
fn step(
    region: &Region,
    random: &mut Random,
    number: usize,
) -> Option<(String, Result<Region, AnalysisError>)> {
    let mut found = Vec::new();
    bands(&region.body, &mut 0, &mut found);
    let band = found.get(random.below(found.len().max(1) as u64) as usize)?;
    let options = Options::default();
    let setting = Setting { order: FloatOrder::Kept, options: &options };
    let text = |what: &str| format!("{what} of {band:?}");
    Some(match random.below(4) {
        0 => {
            let size = Expression::integer(1 + i128::from(random.below(3)), Scalar::LONG);
            let inner = (random.below(2) == 0).then(|| format!("x{number}"));
            let divided = Tile { size, outer: format!("t{number}"), inner };
            (text("tile"), tile(region, band[0], &divided, "tile", setting))
        }
        1 if random.below(2) == 0 => (text("distribute"), distribute(region, band[0], "distribute", setting)),
        1 => (
            text("parts"),
            parts(region, band[0], setting).map(|parts| parts.unwrap_or_else(|| region.clone())),
        ),
        _ => {
            let mut order: Vec<usize> = band[..band.len().min(3)].to_vec();
            if order.len() < 2 {
                return None;
            }
            let by = 1 + random.below(order.len() as u64 - 1) as usize;
            order.rotate_left(by);
            (format!("{order:?}"), reorder(region, &order, "reorder", setting))
        }
    })
}

#[test]
fn legal_steps_keep_the_result() {
    let nests: u64 = std::env::var("LOOP_NESTS").map_or(300, |number| number.parse().unwrap());
    let (mut legal, mut rejected, mut compared) = (0, 0, 0);
    for seed in 0..nests {
        let text = if seed % 3 == 0 { random_nest(seed) } else { random_band(seed) };
        let regions =
            notation::parse(&text, "random.loops").unwrap_or_else(|error| panic!("{error}\n{text}"));
        let Some(expected) = executed(&regions[0], seed) else { continue };
        let mut random = Random(seed ^ 77);
        let (mut region, mut steps) = (regions[0].clone(), Vec::new());
        for number in 0..4 {
            let Some((name, result)) = step(&region, &mut random, number) else { continue };
            match result {
                Ok(next) => {
                    region = next;
                    steps.push(name);
                    legal += 1;
                }
                Err(AnalysisError::Rejected(rejection)) => {
                    assert!(rejection.reason.contains("is not possible"), "{rejection}");
                    rejected += u64::from(rejection.rule == Rule::Dependences);
                }
                Err(error) => panic!("{error}"),
            }
        }
        if steps.is_empty() {
            continue;
        }
        let printed = notation::print(std::slice::from_ref(&region));
        let again = notation::parse(&printed, "").unwrap_or_else(|error| panic!("{error}\n{printed}"));
        let found = executed(&again[0], seed).unwrap_or_else(|| panic!("{steps:?} stops:\n{printed}"));
        assert_eq!(found, expected, "seed {seed}, {steps:?}:\n{text}\n{printed}");
        compared += 1;
    }
    println!("{legal} legal steps, {rejected} rejected for a dependence, {compared} nests compared");
    assert!(
        compared > nests / 3 && legal > nests / 2 && rejected > nests / 10,
        "{legal} {rejected} {compared}"
    );
}

/// Exchanges the first loop with the one directly inside it, whether or not that is legal.
fn exchanged(region: &Region) -> Option<Region> {
    let mut region = region.clone();
    let Some(Node::Loop(outer)) = region.body.first_mut() else { return None };
    let [Node::Loop(inner)] = &outer.body[..] else { return None };
    let inner = inner.clone();
    let moved = Loop { body: inner.body, ..outer.clone() };
    *outer = Loop { body: vec![Node::Loop(moved)], ..inner };
    Some(region)
}

#[test]
fn of_what_is_refused_some_is_different() {
    let options = Options::default();
    let setting = Setting { order: FloatOrder::Kept, options: &options };
    let (mut rejected, mut different) = (0, 0);
    for seed in 0..60 {
        let text = random_band(seed);
        let region = notation::parse(&text, "").unwrap().remove(0);
        match reorder(&region, &[1, 0], "reorder(i1, i0)", setting) {
            Err(AnalysisError::Rejected(rejection)) if rejection.rule == Rule::Dependences => {
                let reason = &rejection.reason;
                assert!(reason.contains("line ") && reason.contains(" dependence)"), "{reason}");
                rejected += 1;
                let other = exchanged(&region).unwrap();
                // Memory that differs for one of several contents is enough.
                let differs = |seed: &u64| executed(&region, *seed) != executed(&other, *seed);
                different += usize::from((0..5).any(|seed| differs(&seed)));
            }
            Err(error) => panic!("{error}\n{text}"),
            Ok(made) => assert_eq!(Some(made), exchanged(&region), "{text}"),
        }
    }
    println!("{rejected} exchanges rejected, {different} of them are different");
    assert!(rejected >= 10 && 2 * different >= rejected, "{rejected} {different}");
}

/// 004 T4: a schedule is a matrix, whose product with (i, j, 1) is the time of an instance.
#[test]
fn reordered_loops_have_the_schedule_of_their_matrix() {
    let original = notation::parse(
        "func @f(a: memref<4 x 3 x i32>) {
           for i: i32 in range(0 : 4) { for j: i32 in range(0 : 3) { a[i, j] += 1 } }
         }",
        "",
    )
    .unwrap_or_else(|error| panic!("{error}"))
    .remove(0);
    let options = Options::default();
    let setting = Setting { options: &options, order: FloatOrder::Kept };
    let schedules = [([0, 1], [[1, 0, 0], [0, 1, 0]]), ([1, 0], [[0, 1, 0], [1, 0, 0]])];
    for (loops, matrix) in schedules {
        let made = reorder(&original, &loops, "reorder", setting).unwrap();
        let mut memory = Memory::new(&made, &Sizes::default(), &interpret::Options::default()).unwrap();
        let mut instances = Vec::new();
        interpret::observe(&made, &mut memory, &interpret::Options::default(), &mut |access: &Access<
            '_,
            '_,
        >| {
            if access.write {
                instances.push([access.subscripts[0], access.subscripts[1], 1]);
            }
        })
        .unwrap();
        let time = |instance: &[i64; 3]| {
            matrix.map(|row: [i64; 3]| {
                row.iter().zip(instance).map(|(factor, value)| factor * value).sum::<i64>()
            })
        };
        assert_eq!(instances.len(), 12);
        assert!(instances.windows(2).all(|pair| time(&pair[0]) < time(&pair[1])), "{loops:?}: {instances:?}");
    }
}
