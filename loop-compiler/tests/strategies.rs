//! Strategies of innermost reductions (seed 001): what they count, what they compute for all sizes, types and operators, and
//! the machine code that clang makes of them.

#[path = "common/executed.rs"]
mod executed;
#[path = "common/programs.rs"]
mod programs;

use std::{path::Path, process::Command};

use executed::{Case, by_clang, compiled_by, ran};
use loop_compiler::{
    c,
    interpret::{self, Counts, Memory, Options as Execution, Sizes},
    ir::Region,
    notation::{parse, print},
    report::FloatOrder,
    strategies::{self, Strategy},
    verify::verify,
};
use programs::Folder;

fn region(text: &str) -> Region {
    parse(text, "").unwrap_or_else(|error| panic!("{error}\n{text}")).remove(0)
}

/// Row sums of one type in another one.
fn rows(element: &str, sum: &str, statement: &str) -> Region {
    region(&format!(
        "func @Rows(rows: index, k: index, a: memref<rows x k x {element}>, o: memref<rows x {sum}>) {{
          for i: i32 in range(0 : rows) {{ for j: i32 in range(0 : k) {{ {statement} }} }}
        }}"
    ))
}

fn by(region: &Region, strategy: &str, order: FloatOrder) -> Region {
    let strategy: Strategy = strategy.parse().unwrap();
    let made = strategies::apply(region, order, &loop_compiler::Options::default(), Some(strategy)).unwrap();
    verify(&made)
        .unwrap_or_else(|error| panic!("{strategy}: {error}\n{}", print(std::slice::from_ref(&made))));
    assert_ne!(made, *region, "{strategy} changes nothing in\n{}", print(std::slice::from_ref(region)));
    made
}

fn memory(region: &Region, rows: usize, k: usize, value: impl Fn(usize, usize) -> f64) -> Memory {
    let sizes = Sizes::of([("rows", rows as i128), ("k", k as i128)]);
    let mut memory = Memory::new(region, &sizes, &Execution::default()).unwrap();
    memory.set_values("a", (0..rows).flat_map(|i| (0..k).map(move |j| (i, j))).map(|(i, j)| value(i, j)));
    memory.set_values("o", (0..rows).map(|i| (i % 5) as f64));
    memory
}

fn run(region: &Region, memory: &Memory) -> (Counts, Memory) {
    let mut memory = memory.clone();
    let counts = interpret::run(region, &mut memory, &Execution::default()).unwrap_or_else(|error| {
        panic!("{error}\n{}", print(std::slice::from_ref(region)));
    });
    (counts, memory)
}

fn bits(memory: &Memory) -> Vec<u64> {
    memory.values("o").unwrap().into_iter().map(f64::to_bits).collect()
}

/// 001 T2 and T3: vector operations, lists of lanes reduced to one element, and tiles transposed; of one tile of 8 times 64,
/// and of 384 times 512.
#[test]
fn operations_are_those_of_the_proposal() {
    let sums = rows("i8", "i32", "o[i] += a[i, j]");
    for (strategy, of_tile, of_all) in [
        ("inner_parallel, 64", [64, 0, 1], [48 * 512, 0, 48 * 8]),
        ("inner_reduction, 64", [0, 8, 0], [0, 3072, 0]),
        ("vector_accumulator, 16", [8 * 4, 8, 0], [12288, 384, 0]),
    ] {
        let made = by(&sums, strategy, FloatOrder::Kept);
        for ((rows, k), expected) in [((8, 64), of_tile), ((384, 512), of_all)] {
            let (counts, _) = run(&made, &memory(&made, rows, k, |_, _| 1.0));
            let found = [counts.vector_operations, counts.reduced_lists, counts.transposed_tiles];
            assert_eq!(found, expected, "{strategy} of {rows} rows of {k}");
        }
    }
}

/// 001 T1: ones, a pattern, and the least value of the type, whose sum needs 17 bits.
#[test]
fn sums_of_narrow_integers_are_exact() {
    let sums = rows("i8", "i32", "o[i] += a[i, j]");
    for strategy in ["inner_parallel", "inner_reduction", "vector_accumulator"] {
        let made = by(&sums, strategy, FloatOrder::Kept);
        for (value, first) in [
            (&(|_, _| 1.0) as &dyn Fn(usize, usize) -> f64, Some(512.0)),
            (&|i, j| f64::from(((i * 512 + j) * 37 + 11) as u8 as i8), None),
            (&|_, _| -128.0, Some(-65536.0)),
        ] {
            let memory = memory(&sums, 384, 512, value);
            let (_, expected) = run(&sums, &memory);
            let (_, found) = run(&made, &memory);
            assert_eq!(bits(&found), bits(&expected), "{strategy}");
            if let Some(first) = first {
                assert_eq!(found.values("o").unwrap()[0], first, "{strategy}");
            }
        }
    }
}

const STRATEGIES: [&str; 7] = [
    "inner_parallel",
    "inner_parallel, 64",
    "inner_reduction",
    "inner_reduction, 24, sequential",
    "vector_accumulator",
    "vector_accumulator, 64, sequential",
    "vector_accumulator, 10",
];

/// 001 T6 and T7: all sizes, types and operators; interpreted, and compiled by clang and gcc.
#[test]
fn every_size_type_and_operator_gives_what_the_loop_gives() {
    let folder = Folder::new("strategies");
    let mut cases = Vec::new();
    let mut expected = Vec::new();
    for (element, sum, statement) in [
        ("i8", "i32", "o[i] += a[i, j]"),
        ("i8", "i64", "o[i] += a[i, j]"),
        ("u8", "u32", "o[i] += a[i, j]"),
        ("bool", "i32", "o[i] += a[i, j]"),
        ("i32", "i32", "o[i] = a[i, j] > 3 ? o[i] + 1 : o[i]"),
        ("f16", "f32", "o[i] += a[i, j]"),
        ("bf16", "f32", "o[i] += a[i, j]"),
        ("f32", "f64", "o[i] += a[i, j]"),
        ("f32", "f32", "o[i] += a[i, j] * a[i, j]"),
        ("f64", "f64", "o[i] += a[i, j]"),
        ("i32", "i32", "o[i] -= a[i, j]"),
        ("i32", "u32", "o[i] *= a[i, j] + 1"),
        ("i64", "i64", "o[i] = o[i] ^ a[i, j]"),
        ("u32", "u32", "o[i] |= a[i, j]"),
        ("i32", "i32", "o[i] &= a[i, j]"),
        ("i32", "i32", "o[i] = a[i, j] < o[i] ? a[i, j] : o[i]"),
        ("i32", "i32", "if o[i] < a[i, j] { o[i] = a[i, j] }"),
        ("i16", "i16", "o[i] = a[i, j] > o[i] ? a[i, j] : o[i]"),
        ("i16", "i64", "t: i64 = a[i, j]\n o[i] += t * t"),
    ] {
        let original = rows(element, sum, statement);
        let made: Vec<(&str, Region)> = STRATEGIES
            .into_iter()
            .filter_map(|name| {
                let strategy: Strategy = name.parse().unwrap();
                let options = loop_compiler::Options::default();
                let made = strategies::apply(&original, FloatOrder::Free, &options, Some(strategy)).unwrap();
                (made != original).then_some((name, made))
            })
            .collect();
        // A count of what a condition chooses and differences have a form of their own.
        let all = !statement.contains("o[i] + 1") && !statement.contains("-=");
        assert!(made.len() >= if all { STRATEGIES.len() } else { 2 }, "{statement}: {}", made.len());
        for rows in [1, 7, 8, 9, 384] {
            for k in [0, 1, 15, 16, 17, 63, 64, 65, 500] {
                // Of many rows the loop over rows is of interest, once for each statement.
                if rows == 384 && k != 17 || rows == 9 && k == 500 {
                    continue;
                }
                let value = |i: usize, j: usize| {
                    let value = (i * 31 + j * 17) % 23;
                    match element {
                        "bool" => (value % 2) as f64,
                        "u8" | "u32" => value as f64,
                        _ => value as f64 - 9.0,
                    }
                };
                let memory = memory(&original, rows, k, value);
                let (_, wanted) = run(&original, &memory);
                for (strategy, region) in &made {
                    let label = format!(
                        "{strategy} of {} in {element}, {rows} rows of {k}",
                        statement.replace('\n', " ")
                    );
                    assert_eq!(bits(&run(region, &memory).1), bits(&wanted), "{label}");
                    if matches!((rows, k), (9, 65) | (7, 15) | (8, 64)) {
                        cases.push(Case::new(label, region.clone(), memory.clone()));
                        expected.push(bits(&wanted));
                    }
                }
            }
        }
    }
    let mut checked = 0;
    for (part, (cases, expected)) in cases.chunks(80).zip(expected.chunks(80)).enumerate() {
        let found = by_clang(cases, &["-O1", "-fopenmp-simd"], &folder.0, &format!("clang-{part}")).unwrap();
        for ((case, found), expected) in cases.iter().zip(&found).zip(expected) {
            assert_eq!(bits(found), *expected, "{} by clang", case.label);
            checked += 1;
        }
    }
    assert!(checked > 250, "{checked}");
}

/// 001 T5: rows in lanes have the bits of the loop; the others have those of their own order, also where they are vectorized.
#[test]
fn floats_have_the_bits_of_the_order_that_is_said() {
    let folder = Folder::new("float-strategies");
    for (element, sum) in [("f32", "f32"), ("f64", "f64"), ("f16", "f32"), ("bf16", "f32")] {
        let original = rows(element, sum, "o[i] += a[i, j]");
        // Of several sizes, so that sums of numbers of 8 bits are rounded, too.
        let value =
            |i: usize, j: usize| (((i * 211 + j * 37) % 1009) as f64 / 997.0 - 0.3) * (1 << (j % 13)) as f64;
        let memory = memory(&original, 33, 211, value);
        let (_, sequential) = run(&original, &memory);
        for strategy in STRATEGIES {
            let keeps = strategy.starts_with("inner_parallel");
            let made = by(&original, strategy, if keeps { FloatOrder::Kept } else { FloatOrder::Free });
            let (_, own) = run(&made, &memory);
            assert_eq!(bits(&own) == bits(&sequential), keeps, "{strategy} of {element}");
            let case = [Case::new(strategy.into(), made, memory.clone())];
            for options in [&["-O0"][..], &["-O3", "-march=native", "-fopenmp-simd"]] {
                let found = by_clang(&case, options, &folder.0, "clang").unwrap();
                assert_eq!(bits(&found[0]), bits(&own), "{strategy} of {element} by clang {options:?}");
            }
            if element == "bf16" {
                // gcc has the type from version 13 on.
                continue;
            }
            let text = |case: &Case| c::print(&case.region, 2);
            let options = ["-O3", "-march=native", "-fopenmp-simd"];
            compiled_by(Command::new("gcc"), &case, &text, &options, &folder.0, "gcc").unwrap_or_else(
                |error| {
                    // gcc 12 has no -std=gnu2x of its own name for it.
                    panic!("{error}");
                },
            );
            let found = ran(&case, &[], &folder.0, "gcc").unwrap();
            assert_eq!(bits(&found[0]), bits(&own), "{strategy} of {element} by gcc");
        }
    }
}

/// 001 E7: what adds in another order needs to be allowed to; and other reasons to reject one.
#[test]
fn what_is_not_possible_is_rejected_with_a_reason() {
    let of = |directive: &str, order: FloatOrder, text: &str| {
        let mut region = region(text);
        set_directive(&mut region.body, directive);
        let made = strategies::apply(&region, order, &loop_compiler::Options::default(), None);
        made.map_err(|error| error.to_string())
    };
    let sums = "func @f(n: index, a: memref<n x n x f64>, o: memref<n x f64>) {
      for i in range(0 : n) { for j in range(0 : n) { o[i] += a[i, j] } }
    }";
    for (directive, order, text, why) in [
        ("vector_accumulator", FloatOrder::Kept, sums, "--order free allows; inner_parallel keeps the order"),
        ("inner_reduction", FloatOrder::Fixed, sums, "lanes add to `o` in another order"),
        ("outer", FloatOrder::Free, sums, "`outer` is no strategy"),
        (
            "vector_accumulator",
            FloatOrder::Free,
            "func @f(n: index, a: memref<n x f64>, o: memref<n x f64>) { for j in range(0 : n) { o[j] = a[j] } }",
            "it carries no reduction",
        ),
        (
            "inner_parallel",
            FloatOrder::Free,
            "func @f(n: index, a: memref<n x f64>, o: memref<1 x f64>) { for j in range(0 : n) { o[0] += a[j] } }",
            "there is no loop around it",
        ),
        (
            "inner_parallel",
            FloatOrder::Free,
            "func @f(n: index, a: memref<n x n x f64>, o: memref<1 x f64>) {
              for i in range(0 : n) { for j in range(0 : n) { o[0] += a[i, j] } }
            }",
            "the iterations of `i` around it depend on each other",
        ),
        (
            "vector_accumulator",
            FloatOrder::Free,
            "func @f(n: index, a: memref<n x i32>, o: memref<1 x i32>) {
              for j in range(0 : n : 2) { o[0] += a[j] }
            }",
            "`j` does not increase by one",
        ),
    ] {
        let error = of(directive, order, text).unwrap_err();
        assert!(error.contains(why), "{directive}: {error}");
    }
    let made = of("inner_parallel", FloatOrder::Kept, sums).unwrap();
    assert!(print(&[made]).contains("schedule(transposed(row))"));
}

/// Puts a strategy in front of the innermost loops.
fn set_directive(nodes: &mut [loop_compiler::ir::Node], strategy: &str) {
    for node in nodes {
        let loop_compiler::ir::Node::Loop(looped) = node else { continue };
        if looped.body.iter().any(|node| matches!(node, loop_compiler::ir::Node::Loop(_))) {
            set_directive(&mut looped.body, strategy);
        } else {
            looped.attributes.add(&format!("#pragma warpfold strategy({strategy})"));
        }
    }
}

/// In the loops over columns of `InnerParallel` and over chunks of `VectorAccumulator` there is no instruction that combines
/// lanes of one vector with each other.
#[test]
fn machine_code_combines_no_lanes_inside_a_row() {
    let folder = Folder::new("strategies-code");
    for (element, sum) in [("f32", "f32"), ("f64", "f64"), ("i32", "i32")] {
        let original = rows(element, sum, "o[i] += a[i, j]");
        for (strategy, horizontal) in
            [("inner_parallel", false), ("vector_accumulator, 32", false), ("inner_reduction", true)]
        {
            let made = by(&original, strategy, FloatOrder::Free);
            let label = format!("{strategy} of {element}");
            let source = folder.0.join("code.c");
            std::fs::write(&source, function(&made)).unwrap();
            let loops = innermost_loops(&assembly(&source));
            let adds = |code: &Vec<String>| {
                let add = if element.starts_with('f') { "vaddp" } else { "vpaddd" };
                code.iter().any(|line| line.starts_with(add))
            };
            let adding: Vec<_> = loops.into_iter().filter(adds).collect();
            assert!(!adding.is_empty(), "{label} is not vectorized");
            let combines = |code: &Vec<String>| {
                // Lanes are added to each other in the end as scalars, and integers leave the vector.
                let is_one = |line: &String| {
                    ["vhadd", "vphadd", "vaddss", "vaddsd", "vmovd\t%xmm"]
                        .iter()
                        .any(|name| line.starts_with(name))
                };
                code.iter().any(is_one)
            };
            assert_eq!(adding.iter().any(combines), horizontal, "{label}\n{}", adding.concat().join("\n"));
        }
    }
}

fn function(region: &Region) -> String {
    let parameters: Vec<String> = region
        .variables
        .iter()
        .take(4)
        .map(|variable| {
            let element = variable.scalar.c_name();
            match variable.extents.len() {
                0 => format!("{element} {}", variable.name),
                1 => format!("{element} {}[restrict rows]", variable.name),
                _ => format!("{element} {}[restrict rows][k]", variable.name),
            }
        })
        .collect();
    format!("void f({}) {{\n{}}}\n", parameters.join(", "), c::print(region, 2))
}

fn assembly(source: &Path) -> String {
    let options = ["-O3", "-march=x86-64-v3", "-fopenmp-simd", "-ffp-contract=off", "-S", "-o", "-"];
    let output = Command::new("clang-22").args(options).arg(source).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The instructions of loops without other loops in them: from a label to a jump back to it.
fn innermost_loops(assembly: &str) -> Vec<Vec<String>> {
    let lines: Vec<&str> = assembly.lines().map(str::trim).collect();
    let mut loops: Vec<(usize, usize)> = Vec::new();
    for (end, line) in lines.iter().enumerate() {
        let mut words = line.split_whitespace();
        let (Some(word), Some(label)) = (words.next(), words.next()) else { continue };
        if word.starts_with('j') {
            let begin = lines[..end]
                .iter()
                .rposition(|line| line.split_whitespace().next() == Some(&format!("{label}:")));
            loops.extend(begin.map(|begin| (begin, end)));
        }
    }
    let is_innermost = |one: &&(usize, usize)| {
        !loops.iter().any(|other| other != *one && one.0 <= other.0 && other.1 <= one.1)
    };
    loops
        .iter()
        .filter(is_innermost)
        .map(|(begin, end)| lines[*begin..*end].iter().map(|line| (*line).to_string()).collect())
        .collect()
}
