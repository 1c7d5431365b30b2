//! Passes by name: each alone from text to text, and random sequences of them on random nests, which compute the same.

mod common;
#[path = "common/random.rs"]
mod random;

use std::{path::PathBuf, time::Duration};

use loop_compiler::{
    Options,
    interpret::{self, IterationOrder, Memory, Sizes},
    ir::Region,
    notation,
    parallelize::{CPU, GPU, Goal, Machine, PASSES, Parallelized, Pass, Scheme, parallelize_by, run_passes},
    rules::FloatOrder,
    verify::verify,
};
use random::{Random, SIZE, random_nest};

fn pass(name: &str) -> &'static Pass {
    PASSES.iter().find(|pass| pass.name == name).unwrap_or_else(|| panic!("{name}"))
}

fn passed(region: &Region, passes: &[&Pass], machine: &Machine) -> Result<Parallelized, String> {
    let options = Options::default();
    let (order, scheme) = (FloatOrder::Kept, Scheme::Codegen);
    let goal = Goal { machine, scheme, order, options: &options, strategy: None, explained: false };
    run_passes(region, goal, passes, &mut |_| {}).map_err(|error| error.to_string())
}

/// A function's text after passes.
fn text(source: &str, names: &[&str]) -> String {
    let regions = notation::parse(source, "test.loops").unwrap();
    let passes: Vec<&Pass> = names.iter().map(|name| pass(name)).collect();
    let made = passed(&regions[0], &passes, &CPU).unwrap().region.unwrap();
    notation::print(&[made])
}

#[test]
fn names_differ_and_say_what_they_do() {
    for (place, pass) in PASSES.iter().enumerate() {
        assert!(PASSES[..place].iter().all(|other| other.name != pass.name), "{}", pass.name);
        assert!(pass.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{}", pass.name);
        assert!(!pass.about.is_empty() && !pass.about.ends_with('.'), "{}", pass.name);
    }
}

#[test]
fn conditions_that_a_loop_does_not_change_are_tested_around_it() {
    let source = "func @f(n: i32, flag: i32, a: memref<? x i32>) {
  for i: i32 in range(0 : n) {
    a[i] = i
    if flag > 0 {
      a[i] += 1
    } else {
      a[i] += 2
    }
  }
}
";
    let expected = "func @f(flag: i32, n: i32, a: memref<? x i32>) {
  if flag > 0 {
    for i: i32 in range(0 : n) {
      a[i] = i
      a[i] += 1
    }
  } else {
    for i: i32 in range(0 : n) {
      a[i] = i
      a[i] += 2
    }
  }
}
";
    let body = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    assert_eq!(body(&text(source, &["unswitch"])), body(expected));
    // What the loop changes, what may trap, and what is loaded, stays.
    for condition in ["a[0] > 0", "i > 1", "n / flag > 1"] {
        let stays = source.replace("flag > 0", condition);
        let printed = notation::print(&notation::parse(&stays, "test.loops").unwrap());
        assert_eq!(text(&stays, &["unswitch"]), printed, "{condition}");
    }
    let changed = source.replace("a[i] = i\n", "flag = i\n");
    assert!(!text(&changed, &["unswitch"]).contains("  if flag > 0 {\n    for"), "{changed}");
}

#[test]
fn a_body_is_divided_as_far_as_dependences_allow() {
    let source = "func @f(n: i32, a: memref<? x i32>, b: memref<? x i32>, c: memref<? x i32>) {
  for i: i32 in range(1 : n) {
    a[i] = i
    b[i] = b[i - 1] + a[i]
    c[i] = b[i]
  }
}
";
    let made = text(source, &["distribute"]);
    assert_eq!(made.matches("for i").count(), 3, "{made}");
    let cycle = source.replace("c[i] = b[i]", "a[i + 1] = b[i]");
    let made = text(&cycle, &["distribute"]);
    assert_eq!(made.matches("for i").count(), 1, "{made}");
}

/// Adjacent loops with the same iterations become one, unless an iteration of the second one needs a later one of the first.
#[test]
fn loops_are_fused_where_dependences_allow() {
    let source = "func @f(n: i32, a: memref<? x i32>, b: memref<? x i32>, c: memref<? x i32>) {
  for i: i32 in range(0 : n) {
    a[i] = i
  }
  for j: i32 in range(0 : n) {
    b[j] = a[j] + 1
  }
  for i: i32 in range(1 : n) {
    c[i] = b[i - 1]
  }
  for k: i32 in range(1 : n) {
    c[k - 1] = c[k] + b[k]
  }
}
";
    let made = text(source, &["fuse"]);
    assert_eq!(made.matches("for ").count(), 2, "{made}");
    assert!(made.contains("b[i] = a[i] + 1") && made.contains("c[i - 1] = c[i] + b[i]"), "{made}");
    // What the second loop reads is written later, or was read before.
    for (what, with) in [("a[j] + 1", "a[j + 1]"), ("b[j] = a[j]", "a[j - 1] = b[j]")] {
        let made = text(&source.replace(what, with), &["fuse"]);
        assert_eq!(made.matches("for ").count(), if what.starts_with('a') { 3 } else { 2 }, "{made}");
    }
    let other_bounds = source.replace("for j: i32 in range(0 : n)", "for j: i32 in range(0 : n - 1)");
    assert_eq!(text(&other_bounds, &["fuse"]).matches("for ").count(), 3);
}

/// A step of a schedule is a pass, too.
#[test]
fn steps_of_schedules_are_passes() {
    let source = "func @f(n: i32, a: memref<? x ? x i32>) {
  for i: i32 in range(0 : n) {
    for j: i32 in range(0 : n) {
      a[i, j] = a[i, j] * 2
    }
  }
}
";
    let region = notation::parse(source, "steps.loops").unwrap().remove(0);
    let steps = ["tile(j, 8, j_tile)", "reorder(j_tile, i, j)"].map(|step| Pass::of_step(step).unwrap());
    let made = passed(&region, &steps.iter().collect::<Vec<_>>(), &CPU).unwrap().region.unwrap();
    let names: Vec<_> =
        loop_compiler::ir::loops(&made.body).map(|looped| &made.variable(looped.iterator).name).collect();
    assert_eq!(names, ["j_tile", "i", "j"]);
    let missing = Pass::of_step("distribute(k)").unwrap();
    let reason = passed(&region, &[&missing], &CPU).unwrap_err();
    assert!(reason.contains("no nest has the loops of `schedule(distribute(k))`"), "{reason}");
    assert!(Pass::of_step("tile(j)").is_err_and(|reason| reason.contains("tile(i, 32, i_tile)")));
}

/// Operations on sets for large regions: a nest of thirty loops, and a hundred nests. (The limit is forty million.)
#[test]
fn large_regions_take_few_operations_on_sets() {
    let (mut head, mut subscripts) = (String::new(), Vec::new());
    for depth in 0..30 {
        head += &format!("for d{depth} in range(0 : n) {{ ");
        subscripts.push(format!("d{depth}"));
    }
    let sum = subscripts.join(" + ");
    let deep = format!("{head} a[d0] = a[d0] + b[{sum}] {}", "}".repeat(30));
    let nests: String = (0..100)
        .map(|nest| {
            format!("for i in range(0 : n) {{ for j in range(0 : n) {{ a[i] = a[i] + b[j] * {nest} }} }}\n")
        })
        .collect();
    for (name, body, machine) in [("deep", deep, &*CPU), ("nests", nests, &*GPU)] {
        let source = format!("func @f(n: index, a: memref<? x i32>, b: memref<? x i32>) {{ {body} }}");
        let region = notation::parse(&source, name).unwrap().remove(0);
        let (operations, time) = (200_000, Duration::from_secs(600));
        let options = Options { operations, time, ..Options::default() };
        let (order, scheme) = (FloatOrder::Kept, Scheme::Codegen);
        let goal = Goal { machine, scheme, order, options: &options, strategy: None, explained: false };
        let made = parallelize_by(&region, goal).unwrap_or_else(|error| panic!("{name}: {error}"));
        let is_parallel = made.alternatives.iter().any(|alternative| alternative.parallel.is_ok());
        assert!(is_parallel && made.region.is_some(), "{name}");
    }
}

fn executed(
    region: &Region,
    seed: u64,
    workers: Option<&str>,
    order: IterationOrder,
) -> Result<Memory, String> {
    let options = interpret::Options { steps: 4_000_000, order, ..interpret::Options::default() };
    let sizes = Sizes::of(workers.map(|workers| (workers, 3)));
    let mut memory = Memory::new(region, &sizes, &options).map_err(|error| error.to_string())?;
    memory.fill(seed);
    memory.set_values("k", (0..SIZE).map(|index| ((index * 5 + seed as usize) % 7) as f64));
    interpret::run(region, &mut memory, &options).map_err(|error| error.to_string())?;
    Ok(memory)
}

/// Passes before loops are chosen, in any order and number, then perhaps those that make parallel code.
fn pipeline(random: &mut Random) -> Vec<&'static Pass> {
    let early = ["simplify", "own-iterators", "sink", "distribute", "fuse", "unswitch", "normalize"];
    let mut passes: Vec<&Pass> = (0..random.below(4)).map(|_| pass(random.pick(&early))).collect();
    if random.below(3) > 0 {
        passes.extend(PASSES.iter().filter(|pass| pass.is_usual));
    }
    passes
}

#[test]
fn random_passes_keep_what_random_nests_compute() {
    let nests: u64 = std::env::var("LOOP_NESTS").map_or(300, |number| number.parse().unwrap());
    let seeds: Vec<_> = (0..nests).map(|seed| PathBuf::from(seed.to_string())).collect();
    let found = common::in_parallel(&seeds, |seed| {
        let seed: u64 = seed.to_str().unwrap().parse().unwrap();
        let source = random_nest(seed);
        let region = notation::parse(&source, "random.loops").unwrap().remove(0);
        let mut random = Random(seed ^ 0x5eed);
        let passes = pipeline(&mut random);
        let machine = if random.below(2) == 0 { &*CPU } else { &*GPU };
        let names: Vec<_> = passes.iter().map(|pass| &*pass.name).collect();
        let made = match passed(&region, &passes, machine) {
            Ok(made) => made,
            // A nest may stay as it is, but no pass may make what is not well formed.
            Err(reason) if !reason.contains("not well formed") => return (0, None),
            Err(reason) => return (0, Some(format!("{names:?}: {reason}\n{source}"))),
        };
        let after = made.region.unwrap();
        if let Err(error) = verify(&after) {
            return (0, Some(format!("{names:?}: {error}\n{source}")));
        }
        let Ok(expected) = executed(&region, seed, None, IterationOrder::Sequential) else {
            return (0, None);
        };
        let workers = made.workers.map(|workers| after.variable(workers).name.clone());
        match executed(&after, seed, workers.as_deref(), IterationOrder::Interleaved(seed)) {
            Ok(memory) => match expected.first_difference(&memory) {
                None => (1, None),
                Some(difference) => (1, Some(format!("{names:?}: {difference}\n{source}"))),
            },
            Err(error) => (1, Some(format!("{names:?}: {error}\n{source}"))),
        }
    });
    let wrong: Vec<_> = found.iter().filter_map(|(_, wrong)| wrong.as_ref()).collect();
    assert!(wrong.is_empty(), "{} of {nests}: {}", wrong.len(), wrong[0]);
    let executed: usize = found.iter().map(|(executed, _)| executed).sum();
    assert!(executed > nests as usize / 3, "{executed} of {nests} nests were executed");
}
