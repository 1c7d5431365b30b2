//! `while` and `do`, walking pointers and induction variables: what is made of them computes what they do, and the classes of their
//! loops are known.

#[path = "common/programs.rs"]
mod programs;

use std::{fs, path::Path};

use loop_compiler::{
    Class, Options, analyze, assumed, c,
    ir::Region,
    parallelize::{CPU, Machine, Original, parallelize},
    report::FloatOrder,
    rewrite,
};

use programs::{Folder, compiled, printed};

const BLOCKS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/normal_forms/blocks.c");
const FORMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/normal_forms/forms.c");
const STRUCTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/normal_forms/structures.c");

const JUMPS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/normal_forms/jumps.c");
const POINTERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/normal_forms/pointers.c");
const HEADERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/normal_forms/headers.c");
const MEMORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/normal_forms/memory.c");
const RANGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/normal_forms/ranges.c");
const ROTATED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/normal_forms/rotated.c");
const SEARCHES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/normal_forms/searches.c");
const STRIDES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/normal_forms/strides.c");

const SIZES: [&str; 8] = ["0", "1", "2", "3", "7", "64", "65", "300"];

fn source(file: &str) -> c::SourceFile {
    let (clang, file) = (Path::new("clang-22"), Path::new(file));
    c::read(&c::Input { clang, file, arguments: &[], auto: true, assume_distinct: false }).unwrap()
}

fn with_assumptions(tree: &Region) -> Region {
    assumed(tree, &Options::default()).unwrap()
}

/// The classes of the loops in each function of which a region is read.
fn class(file: &c::SourceFile, function: &str) -> Vec<Class> {
    let trees = file.regions.iter().filter(|region| region.function == function);
    let trees = trees.filter_map(|region| region.tree.as_ref().ok());
    trees
        .flat_map(|tree| analyze(&with_assumptions(tree), &Options::default()).unwrap().loops)
        .map(|looped| looped.class)
        .collect()
}

#[test]
fn closed_forms_make_loops_parallel() {
    let file = source(FORMS);
    for function in [
        "copy",
        "copy_size",
        "ends_apart",
        "behind_end",
        "steps_of_two",
        "opposite",
        "at_the_end",
        "once_at_least",
        "below",
        "above",
        "stepped_in_test",
        "endless",
        "pixels",
        "wrapped",
        "in_expression",
        "mirrored",
        "two_ends",
        "clamped_all",
        "row_sums",
        "rows_set",
        "pairs",
        "guarded_copy",
        "skipped_copy",
    ] {
        let classes = class(&file, function);
        let is_parallel = |class: &Class| !matches!(class, Class::Scan | Class::Sequential);
        assert!(classes.first().is_some_and(is_parallel), "{function}: {classes:?}");
    }
    for function in [
        "added_value",
        "changed_step",
        "skipped",
        "left",
        "compaction",
        "neighbours",
        "with_state",
        "kept_copy",
    ] {
        let classes = class(&file, function);
        let is_sequential = |class: &Class| matches!(class, Class::Scan | Class::Sequential);
        assert!(classes.is_empty() || classes.iter().any(is_sequential), "{function}: {classes:?}");
    }
}

#[test]
fn structures_are_variables_for_their_members() {
    let file = source(STRUCTURES);
    let expected =
        |function: &str, class: Class| assert_eq!(self::class(&file, function), [class], "{function}");
    for function in [
        "constructed",
        "sums",
        "turns",
        "products",
        "views",
        "outer_view",
        "parts",
        "exchanged",
        "grown",
        "local_box",
        "conditional",
        "arrays_of",
        "member_of_result",
    ] {
        expected(function, Class::Parallel);
    }
    expected("total", Class::Reduction);
    expected("counted", Class::Reduction);
    expected("last_out", Class::Private);
    for function in ["carried", "smallest"] {
        expected(function, Class::Sequential);
    }
}

#[test]
fn jumps_are_conditions() {
    let file = source(JUMPS);
    for function in
        ["find", "wide", "in_while", "equal", "compared", "continues", "checks", "first_big", "first_from"]
    {
        assert_eq!(class(&file, function), [Class::Reduction], "{function}");
    }
    for function in ["signs", "cases", "inner_switch", "gotos"] {
        assert_eq!(class(&file, function), [Class::Parallel], "{function}");
    }
    assert_eq!(class(&file, "when"), [Class::Parallel; 4]);
    assert_eq!(class(&file, "of_pairs"), [Class::Reduction; 2]);
    assert_eq!(class(&file, "first_in_rows"), [Class::Parallel, Class::Reduction]);
    for function in ["until", "narrow", "cases_and_loop", "last_state"] {
        assert_eq!(class(&file, function).first(), Some(&Class::Sequential), "{function}");
    }
}

#[test]
fn pointers_are_tested_and_moved_outside() {
    let file = source(POINTERS);
    for function in ["masked", "chosen", "in_structure", "rank", "places", "tail", "stepped"] {
        assert_eq!(class(&file, function).first(), Some(&Class::Reduction), "{function}");
    }
    assert_eq!(class(&file, "columns"), [Class::Reduction, Class::Reduction]);
    for function in ["with_global", "with_later", "changed_member", "both_behind", "returns_between"] {
        assert!(class(&file, function).is_empty(), "{function}");
    }
}

#[test]
fn copies_of_memory_are_loops() {
    let file = source(MEMORY);
    for (function, loops) in [("rows", 2), ("zero", 2), ("bytes", 3), ("ones", 3), ("two", 2), ("gray", 2)] {
        assert_eq!(class(&file, function), vec![Class::Parallel; loops], "{function}");
    }
    assert_eq!(class(&file, "every"), [Class::Reduction]);
    for function in ["bools", "changes_stride"] {
        assert!(class(&file, function).is_empty(), "{function}");
    }
}

#[test]
fn copies_of_memory_have_the_results_of_the_source() {
    results_are_those_of_the_source(MEMORY);
}

#[test]
fn ranges_of_pointers_have_lengths() {
    let file = source(RANGES);
    for function in ["total", "total2", "backs", "both", "keys"] {
        assert_eq!(class(&file, function), [Class::Reduction], "{function}");
    }
    for function in ["reverse", "fill"] {
        assert_eq!(class(&file, function), [Class::Parallel], "{function}");
    }
}

#[test]
fn ranges_have_the_results_of_the_source() {
    results_are_those_of_the_source(RANGES);
}

#[test]
fn kept_values_are_computed_again() {
    let file = source(ROTATED);
    assert_eq!(class(&file, "area"), [Class::Reduction]);
    for (function, loops) in [("delta", 1), ("median", 1), ("down", 1), ("narrow", 1), ("rows_again", 2)] {
        assert_eq!(class(&file, function), vec![Class::Parallel; loops], "{function}");
    }
    for function in ["counter", "kept", "rows", "in_place", "conditional"] {
        assert_eq!(class(&file, function).first(), Some(&Class::Sequential), "{function}");
    }
}

#[test]
fn kept_values_have_the_results_of_the_source() {
    results_are_those_of_the_source(ROTATED);
}

#[test]
fn strides_are_told_apart() {
    let file = source(STRIDES);
    for (function, loops) in [
        ("planes", 3),
        ("tensor", 3),
        ("images", 4),
        ("wide", 3),
        ("increments", 1),
        ("diagonal", 1),
        ("shifted", 1),
        ("turned", 1),
        ("square", 2),
        ("narrowed", 1),
        ("apply", 2),
        ("colors", 3),
        ("halves", 2),
        ("tiles", 3),
        ("named", 2),
    ] {
        assert_eq!(class(&file, function), vec![Class::Parallel; loops], "{function}");
    }
    for function in ["tightened", "hashed", "behind"] {
        assert_eq!(class(&file, function).first(), Some(&Class::Sequential), "{function}");
    }
}

#[test]
fn strides_have_the_results_of_the_source() {
    results_are_those_of_the_source(STRIDES);
}

#[test]
fn blocks_of_flat_arrays_are_told_apart() {
    let file = source(BLOCKS);
    for (function, loops) in [
        ("spaced", 1),
        ("spaced_int", 1),
        ("chunks", 1),
        ("halves", 1),
        ("butterflies", 2),
        ("butterflies_int", 2),
        ("rows", 2),
        ("rows_size", 2),
        ("rows_back", 2),
        ("every_third", 2),
        ("until", 2),
        ("gaps", 2),
        ("gaps_size", 2),
        ("gaps_down", 2),
        ("padded", 2),
        ("planes", 2),
        ("blocked", 2),
        ("colors", 2),
    ] {
        assert_eq!(class(&file, function), vec![Class::Parallel; loops], "{function}");
    }
    for function in ["windows", "own_terms", "within", "last_of_row"] {
        let classes = class(&file, function);
        assert_eq!(classes[0], Class::Parallel, "{function}: {classes:?}");
    }
    for function in ["overlapping", "chained", "narrow"] {
        let classes = class(&file, function);
        assert!(matches!(classes[0], Class::Scan | Class::Sequential), "{function}: {classes:?}");
    }
}

#[test]
fn blocks_have_the_results_of_the_source() {
    results_are_those_of_the_source(BLOCKS);
}

#[test]
fn loops_that_end_early_are_searches() {
    let file = source(SEARCHES);
    for function in [
        "behind",
        "computed",
        "counted",
        "onwards",
        "backwards",
        "stopped",
        "between",
        "last",
        "noted",
        "differs",
        "differs_and",
        "unordered",
    ] {
        assert_eq!(class(&file, function), [Class::Reduction], "{function}");
    }
    for function in ["pairs", "last_row", "rows", "left"] {
        assert_eq!(class(&file, function), [Class::Reduction, Class::Reduction], "{function}");
    }
    assert_eq!(class(&file, "sums"), [Class::Reduction; 3]);
    assert_eq!(class(&file, "leading"), [Class::Parallel, Class::Reduction]);
    assert_eq!(class(&file, "staircase"), [Class::Sequential, Class::Reduction]);
}

/// On a CPU they stay in sequence: what is read of them stands in their place.
#[test]
fn searches_have_the_results_of_the_source() {
    let file = source(SEARCHES);
    let text = rewrite::rewritten(&file, |region| {
        let tree = region.tree.as_ref().ok()?;
        Some(c::print_lines(tree, 0, None))
    });
    compare_with_source(SEARCHES, &text);
}

#[test]
fn forms_have_the_results_of_the_source() {
    results_are_those_of_the_source(FORMS);
}

#[test]
fn structures_have_the_results_of_the_source() {
    results_are_those_of_the_source(STRUCTURES);
}

#[test]
fn jumps_have_the_results_of_the_source() {
    results_are_those_of_the_source(JUMPS);
}

#[test]
fn pointers_have_the_results_of_the_source() {
    results_are_those_of_the_source(POINTERS);
}

fn results_are_those_of_the_source(name: &str) {
    // No loop is too short for threads.
    let machine = Machine { least_work: 0, fork: 0.0, ..CPU.clone() };
    let file = source(name);
    let mut made = 0;
    let text = rewrite::rewritten(&file, |region| {
        let tree = &with_assumptions(region.tree.as_ref().ok()?);
        // The tree stands for the source wherever it may.
        let text = file.text_of(region).filter(|_| tree.is_conditional);
        let original = Original { text: text.as_deref(), ..Original::from(tree) };
        let parallel = parallelize(tree, FloatOrder::Free, &machine, &Options::default()).ok()?;
        let made_text = parallel.outlined(&original, None, &mut c::Names::default());
        made += usize::from(made_text.is_some());
        made_text
    });
    assert!(made >= 8, "{made} regions");
    compare_with_source(name, &text);
}

/// Compares what a text prints, in place of a file's, by two compilers and with any number of threads.
fn compare_with_source(name: &str, text: &[u8]) {
    let folder = Folder::new(Path::new(name).file_stem().unwrap().to_str().unwrap());
    let path = folder.0.join("made.c");
    fs::write(&path, text).unwrap();
    let original = folder.0.join("original.c");
    fs::copy(name, &original).unwrap();
    let header = Path::new(name).with_extension("h");
    if header.exists() {
        fs::copy(&header, folder.0.join(header.file_name().unwrap())).unwrap();
    }
    let original = printed(&compiled("clang-22", &["-O1"], &original), "1", &SIZES);
    for (compiler, options) in [
        ("clang-22", &["-O1", "-fopenmp", "-fsanitize=undefined", "-fno-sanitize-recover"][..]),
        ("gcc", &["-O2", "-fopenmp"]),
    ] {
        let program = compiled(compiler, options, &path);
        for threads in ["1", "2", "7"] {
            assert_eq!(printed(&program, threads, &SIZES), original, "{compiler}, {threads} threads");
        }
    }
}

#[test]
fn code_of_headers_and_of_later_functions_takes_the_place_of_calls() {
    let file = source(HEADERS);
    for function in
        ["zeros", "squares", "all_series", "walks", "by_later", "into_element", "perhaps", "nothing"]
    {
        assert_eq!(class(&file, function)[0], Class::Parallel, "{function}");
    }
    assert_eq!(class(&file, "notes"), [Class::Reduction]);
    assert!(class(&file, "keeps").is_empty(), "it keeps a value");
    results_are_those_of_the_source(HEADERS);
}
