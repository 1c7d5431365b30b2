//! What must not be in the PTX of the cases' kernels, whatever the list.

use host_rt::OptLevel;
use tests_gpu::{block, grid, layout::LAYOUTS};
use toolchain::Tools;

/// How many instructions of the PTX begin with one of the words, with or without a predicate before it.
fn count(ptx: &str, words: &[&str]) -> usize {
    ptx.lines()
        .filter_map(|line| line.split_whitespace().find(|word| !word.starts_with('@')))
        .filter(|opcode| words.iter().any(|word| opcode.split('.').next() == Some(word)))
        .count()
}

/// Test T10: atomics are for control words. A record of 96 bytes has as many as one of 4.
#[test]
fn data_is_never_touched_atomically() {
    let tools = Tools::find().unwrap_or_else(|error| panic!("{error}"));
    let mut of_grids = Vec::new();
    for layout in LAYOUTS {
        let (list, fields) = (layout.list(), layout.fields());
        let options = [fields.as_str()];
        let of_blocks = block::source(&list, &options).ptx(&tools, 90, OptLevel::O2);
        assert_eq!(count(&of_blocks, &["atom", "red"]), 0, "{layout}");
        assert!(count(&of_blocks, &["shfl"]) > 0, "{layout}\n{of_blocks}");
        of_grids.push(grid::control_words(&list, &options).ptx(&tools, 90, OptLevel::O2));
    }
    // A count in each of the two ways; four words for taking, filling and freeing a slot.
    let atomics: Vec<usize> = of_grids.iter().map(|ptx| count(ptx, &["atom", "red"])).collect();
    assert!(atomics[0] > 0 && atomics.iter().all(|&count| count == atomics[0]), "{atomics:?}");
}
