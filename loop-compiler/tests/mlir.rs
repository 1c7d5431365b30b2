//! Split reductions as operations of MLIR: mlir-opt takes them, and what it compiles them to computes what the loops compute.

#[path = "common/programs.rs"]
mod programs;

use std::{collections::BTreeMap, fmt::Write as _, fs, process::Command};

use loop_compiler::{
    Options, analyze,
    interpret::{self, Memory, Sizes},
    ir::Region,
    notation::parse,
    report::FloatOrder,
    strategies::{self, Strategy},
};
use programs::Folder;

/// Tensors to memory, loops and instructions, with functions that C can call.
const PASSES: [&str; 12] = [
    "--one-shot-bufferize=bufferize-function-boundaries",
    "--convert-linalg-to-loops",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-scf-to-cf",
    "--llvm-request-c-wrappers",
    "--convert-math-to-llvm",
    "--convert-arith-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm",
    "--convert-cf-to-llvm",
    "--reconcile-unrealized-casts",
];

fn rows(element: &str, sum: &str, rows: usize, k: usize, statement: &str) -> Region {
    let text = format!(
        "func @Rows(a: memref<{rows} x {k} x {element}>, b: memref<{k} x {element}>, o: memref<{rows} x {sum}>) {{
          for i: i32 in range(0 : {rows}) {{ for j: i32 in range(0 : {k}) {{ {statement} }} }}
        }}"
    );
    parse(&text, "").unwrap_or_else(|error| panic!("{error}")).remove(0)
}

fn module(region: &Region, strategy: &str) -> String {
    let strategy: Strategy = strategy.parse().unwrap();
    let analysis = analyze(region, &Options::default()).unwrap();
    let plan = strategies::plan(region, &analysis, FloatOrder::Free, Some(strategy)).unwrap();
    let (functions, rejected) = strategies::mlir(region, &plan, &BTreeMap::new());
    assert!(rejected.is_empty() && plan.left.is_empty(), "{rejected:?} {:?}", plan.left);
    format!("module {{\n{functions}}}\n")
}

/// 001 T4: the types and iterators of upstream's split reduction, with the conversion in the first operation alone.
#[test]
fn shapes_are_those_of_a_split_reduction() {
    let text = module(&rows("i8", "i32", 384, 512, "o[i] += a[i, j]"), "vector_accumulator, 16");
    let operations: Vec<&str> = text.split("linalg.generic").skip(1).collect();
    let [lanes, sums] = operations[..] else { panic!("{text}") };
    for part in [
        "affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>",
        "iterator_types = [\"parallel\", \"reduction\", \"parallel\"]",
        "ins(%in0_lanes : tensor<384x32x16xi8>) outs(%begin : tensor<384x16xi32>)",
        "arith.extsi %x0 : i8 to i32",
    ] {
        assert!(lanes.contains(part), "{part} is not in\n{lanes}");
    }
    for part in [
        "affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>",
        "iterator_types = [\"parallel\", \"reduction\"]",
        "ins(%lanes : tensor<384x16xi32>) outs(%out : tensor<384xi32>)",
        "arith.addi",
    ] {
        assert!(sums.contains(part), "{part} is not in\n{sums}");
    }
    assert!(!sums.contains("extsi"), "{sums}");
    // Columns that do not fill all lanes are a third operation; fewer columns than lanes are the only one.
    for (k, operations) in [(500, 3), (496, 2), (15, 1)] {
        let text = module(&rows("i8", "i32", 8, k, "o[i] += a[i, j]"), "vector_accumulator, 16");
        assert_eq!(text.matches("linalg.generic").count(), operations, "{k}: {text}");
    }
}

#[test]
fn compiled_operations_compute_what_the_loops_compute() {
    if Command::new("mlir-opt-22").arg("--version").output().is_err() {
        println!("skipped: there is no mlir-opt-22 (Debian's mlir-22-tools)");
        return;
    }
    let folder = Folder::new("mlir");
    for (element, sum, statement) in [
        ("i8", "i32", "o[i] += a[i, j]"),
        ("u8", "u32", "o[i] += a[i, j]"),
        ("i32", "i64", "o[i] += a[i, j] * b[j]"),
        ("f32", "f64", "o[i] += a[i, j] * a[i, j]"),
        ("f16", "f32", "o[i] += a[i, j]"),
        ("bf16", "f32", "o[i] += a[i, j]"),
        ("i32", "i32", "o[i] = a[i, j] > o[i] ? a[i, j] : o[i]"),
        ("i32", "i32", "o[i] += a[i, j] > b[j]"),
        ("f64", "f64", "o[i] = a[i, j] < o[i] ? a[i, j] : o[i]"),
        ("i32", "i32", "o[i] = o[i] ^ (a[i, j] << 2) - 1"),
    ] {
        for (count, k) in [(8, 64), (7, 2), (3, 15), (9, 17), (5, 500)] {
            let region = rows(element, sum, count, k, statement);
            let label = format!("{statement} of {element}, {count} rows of {k}");
            let mut memory = Memory::new(&region, &Sizes::default(), &interpret::Options::default()).unwrap();
            let value = |at: usize| ((at * 37) % 29) as f64 - if element == "u8" { 0.0 } else { 11.0 };
            memory.set_values("a", (0..count * k).map(value));
            memory.set_values("b", (0..k).map(|at| value(at + 5)));
            memory.set_values("o", (0..count).map(|at| at as f64));
            let before = memory.clone();
            interpret::run(&region, &mut memory, &interpret::Options::default()).unwrap();
            let expected: Vec<String> =
                memory.values("o").unwrap().iter().map(|value| format!("{value}")).collect();
            let text = module(&region, "vector_accumulator, 16");
            assert!(text.contains("func.func"), "{label}");
            assert_eq!(
                executed(&folder, &text, &before, (element, sum), (count, k)),
                expected,
                "{label}\n{text}"
            );
        }
    }
}

/// What a module's only function returns for the memory of a region, compiled by mlir-opt and clang.
fn executed(
    folder: &Folder,
    module: &str,
    memory: &Memory,
    (element, sum): (&str, &str),
    (rows, k): (usize, usize),
) -> Vec<String> {
    let run = |command: &mut Command| {
        let output =
            command.current_dir(&folder.0).output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{command:?}: {said}\n{module}");
        String::from_utf8(output.stdout).unwrap()
    };
    fs::write(folder.0.join("split.mlir"), module).unwrap();
    let lowered = run(Command::new("mlir-opt-22").args(PASSES).arg("split.mlir"));
    fs::write(folder.0.join("lowered.mlir"), lowered).unwrap();
    run(Command::new("mlir-translate-22").args(["--mlir-to-llvmir", "lowered.mlir", "-o", "split.ll"]));
    let name = module
        .split("func.func @")
        .nth(1)
        .and_then(|text| text.split('(').next())
        .unwrap_or_else(|| panic!("no function in {module}"));
    let c_type = |name: &str| match name {
        "i8" => "signed char",
        "u8" => "unsigned char",
        "i32" => "int",
        "u32" => "unsigned",
        "i64" => "long",
        "f16" => "_Float16",
        "bf16" => "__bf16",
        "f32" => "float",
        _ => "double",
    };
    let has_b = module.contains("%in1: ");
    let list = |name: &str| {
        memory.values(name).unwrap().iter().map(|value| format!("{value}")).collect::<Vec<_>>().join(", ")
    };
    let mut c = String::from("#include <stdio.h>\n");
    for (name, of_type) in [("a", element), ("b", element), ("o", sum)] {
        let _ = writeln!(c, "static {} {name}[] = {{{}}};", c_type(of_type), list(name));
    }
    // The descriptors of tensors in memory: where it is, and for each dimension the extent and the stride.
    let _ = write!(
        c,
        "struct Rank1 {{ void *base, *first; long offset, extents[1], strides[1]; }};
struct Rank2 {{ void *base, *first; long offset, extents[2], strides[2]; }};
void _mlir_ciface_{name}(struct Rank1 *result, struct Rank2 *, {}struct Rank1 *);
int main(void) {{
  struct Rank2 in = {{a, a, 0, {{{rows}, {k}}}, {{{k}, 1}}}};
  struct Rank1 column = {{b, b, 0, {{{k}}}, {{1}}}}, out = {{o, o, 0, {{{rows}}}, {{1}}}}, result;
  _mlir_ciface_{name}(&result, &in, {}&out);
  (void) column;
  for (int i = 0; i < {rows}; i++)
    printf(\"%.17g\\n\", (double) (({} *) result.first)[result.offset + i * result.strides[0]]);
}}
",
        if has_b { "struct Rank1 *, " } else { "" },
        if has_b { "&column, " } else { "" },
        c_type(sum),
    );
    fs::write(folder.0.join("main.c"), c).unwrap();
    run(Command::new("clang-22").args(["-O1", "-w", "main.c", "split.ll", "-o", "program", "-lm"]));
    let printed = run(&mut Command::new(folder.0.join("program")));
    printed.lines().map(|line| format!("{}", line.parse::<f64>().unwrap())).collect()
}
