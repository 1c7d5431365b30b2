//! What is no reduction although it looks like one: updates whose conversions, signs, branches or exits make the order matter.
//! Beside each stands a form that is a reduction.

#[path = "common/programs.rs"]
mod programs;

use std::{fs, path::Path};

use loop_compiler::{
    Class, Options, analyze, c,
    ir::Region,
    notation,
    parallelize::{CPU, Machine, Original, parallelize},
    report::FloatOrder,
    rewrite,
};
use programs::{Folder, compiled, printed};

/// The operators of the statements that are reductions.
fn reductions(region: &Region) -> Vec<String> {
    let analysis = analyze(region, &Options::default()).unwrap();
    analysis.statements.iter().filter_map(|statement| Some(statement.reduction?.name().to_owned())).collect()
}

fn read(folder: &Folder, name: &str, text: &str) -> c::SourceFile {
    let file = folder.0.join(format!("{name}.c"));
    fs::write(&file, text).unwrap();
    let clang = Path::new("clang-22");
    c::read(&c::Input { clang, file: &file, arguments: &[], auto: true, assume_distinct: false }).unwrap()
}

#[test]
fn what_only_looks_like_a_reduction_is_none() {
    let folder = Folder::new("detected");
    for (name, declared, statement, expected) in [
        // Which value is less is not known after a conversion of the target, or of what is stored.
        ("converted_target", "int s = 0", "s = (short) s < a[i] ? (short) s : a[i]", ""),
        ("target", "int s = 0", "s = s < a[i] ? s : a[i]", "min"),
        ("rounded_target", "double s = 0.1", "s = (float) s < x[i] ? (float) s : x[i]", ""),
        ("converted_twice", "signed char s = 0", "s = (long) s > a[i] ? (long) s : a[i]", ""),
        ("converted_value", "signed char s = 0", "s = s > a[i] ? s : a[i]", ""),
        ("fitting_value", "signed char s = 0", "s = s > b[i] ? s : b[i]", "max"),
        ("stored_narrow", "signed char s = 0", "if (a[i] > s) s = a[i]", ""),
        ("stored", "signed char s = 0", "if (b[i] > s) s = b[i]", "max"),
        // A sign that changes at each step is lost in a product, not in a sum.
        ("negated_product", "double s = 1", "s = -s * x[i]", ""),
        ("product", "double s = 1", "s = s * -x[i]", "*"),
        // Branches with different operators, or of which one replaces the value.
        ("two_operators", "int s = 1", "s = a[i] > 3 ? s + a[i] : s * 2", ""),
        ("two_sums", "int s = 1", "s = a[i] > 3 ? s + a[i] : s + 2", "+"),
        ("replaced", "int s = 1", "s = a[i] > 3 ? s + a[i] : 7", ""),
        ("kept", "int s = 1", "s = a[i] > 3 ? s + a[i] : s", "+"),
        // The last value stays where the guard does not ask for it.
        ("asked", "int s = 1", "if (a[i] + s > 3) s = 7", ""),
        ("not_asked", "int s = 1", "if (a[i] > 3) s = 7", "last"),
        // What is stored must not let the next one be stored.
        ("again", "int s = -1", "if (s < 5 && a[i] > 3) s = i", ""),
        ("never_again", "int s = -1", "if (s < 0 && a[i] > 3) s = i", "first"),
    ] {
        let text = format!(
            "int f(int n, const int *restrict a, const signed char *restrict b, const double *restrict x) {{\n  {declared};\n  \
             for (int i = 0; i < n; i++)\n    {statement};\n  return s;\n}}\n"
        );
        let source = read(&folder, name, &text);
        let found = match &source.regions[0].tree {
            Ok(tree) => reductions(tree).join(" "),
            Err(_) => String::new(),
        };
        assert_eq!(found, expected, "{name}: {statement}");
    }
    // Of several exits it is not known which comes first.
    for (name, second, expected) in [("one_exit", "", true), ("two_exits", "if (b[i] == 7) break;", false)] {
        let text = format!(
            "int f(int n, const int *restrict a, const signed char *restrict b) {{\n  int s = -1;\n  for (int i = 0; i < n; i++) {{\n    \
             if (a[i] > 3) {{ s = i; break; }}\n    {second}\n  }}\n  return s;\n}}\n"
        );
        let source = read(&folder, name, &text);
        let is_parallel = source.regions[0].tree.as_ref().is_ok_and(|tree| {
            let class = analyze(tree, &Options::default()).unwrap().loops[0].class;
            !matches!(class, Class::Sequential | Class::Scan)
        });
        assert_eq!(is_parallel, expected, "{name}");
    }
    // The notation converts what is stored without a word.
    for (value, expected) in [("u8", ""), ("i8", "max")] {
        let text = format!(
            "func @f(n: index, b: memref<n x {value}>, s: memref<1 x i8>) {{\n  for i in range(0 : n) {{\n    if (b[i] > s[0]) {{\n      \
             s[0] = b[i]\n    }}\n  }}\n}}\n"
        );
        let region = notation::parse(&text, "f.loops").unwrap().remove(0);
        assert_eq!(reductions(&region).join(" "), expected, "{text}");
    }
}

/// A store under a guard that asks for the target is no search, even where no loop carries it; nor are two searches one
/// that keep another of equal values.
#[test]
fn guards_and_ties_tell_searches_apart() {
    let folder = Folder::new("guards");
    let of = |name: &str, body: &str| {
        let text = format!(
            "int f(int n, const int *restrict a, const int *restrict b) {{\n  int s = 1, best = 9, at = 0;\n  \
             for (int i = 0; i < n; i++) {{\n    {body}\n  }}\n  return s + best + at;\n}}\n"
        );
        let source = read(&folder, name, &text);
        let analysis = analyze(source.regions[0].tree.as_ref().unwrap(), &Options::default()).unwrap();
        let combined = analysis.statements.iter().filter(|statement| statement.combines.is_some()).count();
        (combined, !matches!(analysis.loops[0].class, Class::Sequential | Class::Scan))
    };
    assert_eq!(of("asked", "if (a[i] + s > 3) s = 7;"), (0, false));
    assert_eq!(of("not_asked", "if (a[i] > 3) s = 7;"), (1, true));
    let update = |array: &str, relation: &str| {
        format!("if ({array}[i] {relation} best) {{ best = {array}[i]; at = i; }}")
    };
    let same = update("a", "<") + &update("b", "<");
    assert!(of("same_ties", &same).1);
    let other = update("a", "<") + &update("b", "<=");
    assert!(!of("other_ties", &other).1);
}

/// Of equal values in the parts of different threads the one stays that stays in order.
#[test]
fn the_first_or_the_last_of_equal_values_stays() {
    let folder = Folder::new("equal");
    let search = |name: &str, relation: &str| {
        format!(
            "int {name}(int n, const int *restrict a) {{\n  int best = a[0], at = 0;\n  for (int i = 1; i < n; i++)\n    \
             if (a[i] {relation} best) {{ best = a[i]; at = i; }}\n  return at;\n}}\n"
        )
    };
    let functions = [("less", "<"), ("least", "<="), ("greater", ">"), ("greatest", ">=")]
        .map(|(name, relation)| search(name, relation))
        .concat();
    let text = format!(
        "#include <stdio.h>\nstatic int a[1000];\n{functions}int main(void) {{\n  printf(\"%d %d %d %d\\n\", less(1000, a), \
         least(1000, a), greater(1000, a), greatest(1000, a));\n  return 0;\n}}\n"
    );
    let source = read(&folder, "equal", &text);
    let machine = Machine { least_work: 0, fork: 0.0, ..CPU.clone() };
    let made = rewrite::rewritten(&source, |region| {
        let tree = region.tree.as_ref().unwrap();
        let made = parallelize(tree, FloatOrder::Kept, &machine, &Options::default())
            .unwrap()
            .text(&Original::from(tree));
        assert!(made.is_some(), "line {} is not parallel", region.at.line);
        made
    });
    let file = folder.0.join("made.c");
    fs::write(&file, made).unwrap();
    let program = compiled("clang-22", &["-O1", "-w", "-fopenmp"], &file);
    for threads in ["1", "3", "7"] {
        assert_eq!(printed(&program, threads, &[]), "0 999 0 999\n", "{threads} threads");
    }
}
