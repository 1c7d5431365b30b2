//! Reductions over grids, through slots: one for each block, and rows of slots that blocks share.

use codegen_shim::ReductionList;
use device_rt::abi::layout::{WORKSPACE_HEADER_BYTES, slots_header_bytes};
use host_rt::OptLevel;

use crate::{
    Bench,
    bench::{Kernels, Source},
    layout::{LAYOUTS, Layout},
};

/// Bytes before the records of a workspace with a slot for each block, and of one with rows of slots.
const HEADER: usize = WORKSPACE_HEADER_BYTES;

/// The kernels of this module's cases; `options` has the list's variables, see [`Layout::fields`].
pub fn source<'a>(list: &'a ReductionList, options: &'a [&'a str]) -> Source<'a> {
    Source {
        text: include_str!("../kernels/grid.c"),
        options,
        callbacks: Some(list),
        kernels: &[
            "own",
            "own_store",
            "own_finalize",
            "shared_slots",
            "shared_accumulate",
            "shared_finalize",
        ],
    }
}

/// The kernels that do it in one launch, without a watch on the slots.
pub fn control_words<'a>(list: &'a ReductionList, options: &'a [&'a str]) -> Source<'a> {
    Source { kernels: &["unwatched_own", "unwatched_slots"], ..source(list, options) }
}

/// How a grid uses its slots.
#[derive(Clone, Copy, Debug)]
enum Mode {
    /// Each block has its own.
    Own,
    /// So many rows of so many.
    Rows(u32, u32),
}

impl Mode {
    fn slots(self, blocks: u32) -> usize {
        match self {
            Mode::Own => blocks as usize,
            Mode::Rows(rows, per_row) => (rows * per_row) as usize,
        }
    }

    fn header(self) -> usize {
        match self {
            Mode::Own => HEADER,
            Mode::Rows(rows, _) => slots_header_bytes(rows as usize),
        }
    }
}

/// Runs a grid of `blocks` of `threads` in one launch and in two, each twice on one workspace: the record, one
/// thread that is told so, nobody in another's slot, and a header that is zero again.
fn check(bench: &Bench, layout: &Layout, kernels: &Kernels, mode: Mode, blocks: u32, threads: u32) {
    let context = format!("{layout}, {mode:?}, {blocks} blocks of {threads}");
    let total = (blocks * threads) as usize;
    let values = layout.random(u64::from(blocks), total);
    let expected = layout.show(&values.combined());
    let workspace = bench.upload(&vec![0_u8; mode.header() + mode.slots(blocks) * layout.size()]);
    let owners = bench.upload(&vec![0_i32; mode.slots(blocks)]);
    let input = bench.upload(&values.bytes);
    let sizes = match mode {
        Mode::Own => vec![],
        Mode::Rows(rows, per_row) => vec![u64::from(rows), u64::from(per_row)],
    };
    for round in 0..4 {
        let result = bench.upload(&vec![0_u8; layout.size()]);
        let codes = bench.upload(&vec![-1_i8; total]);
        let seen = bench.upload(&[0_i32; 3]);
        let common = [
            input.as_device_ptr().as_raw(),
            workspace.as_device_ptr().as_raw(),
            owners.as_device_ptr().as_raw(),
            seen.as_device_ptr().as_raw(),
        ];
        let answers = [result.as_device_ptr().as_raw(), codes.as_device_ptr().as_raw()];
        let asked = [&common[..], &answers, &sizes].concat();
        let stored = [&common[..], &sizes].concat();
        let in_one_launch = round % 2 == 0;
        // The second launch is one block of its own size.
        let folding = if in_one_launch { total } else { 96.min(total) };
        match (mode, in_one_launch) {
            (Mode::Own, true) => kernels.run_blocks("own", blocks, threads, &asked),
            (Mode::Rows(..), true) => kernels.run_blocks("shared_slots", blocks, threads, &asked),
            (Mode::Own, false) => {
                kernels.run_blocks("own_store", blocks, threads, &stored);
                let asked = [&asked[..], &[u64::from(blocks)]].concat();
                kernels.run_blocks("own_finalize", 1, folding as u32, &asked);
            }
            (Mode::Rows(..), false) => {
                kernels.run_blocks("shared_accumulate", blocks, threads, &stored);
                kernels.run_blocks("shared_finalize", 1, folding as u32, &asked);
            }
        }
        let codes = codes.as_host_vec().expect("the buffer is there");
        let ones = codes[..folding].iter().filter(|&&code| code == 1).count();
        let zeros = codes[..folding].iter().filter(|&&code| code == 0).count();
        assert_eq!((ones, zeros), (1, folding - 1), "{context}, round {round}: codes");
        let seen = seen.as_host_vec().expect("the buffer is there");
        let [trouble, loaded, combined] = seen[..] else { unreachable!("three words") };
        assert_eq!(trouble, 0, "{context}, round {round}: a slot had two users");
        let found = result.as_host_vec().expect("the buffer is there");
        assert_eq!(layout.show(&found), expected, "{context}, round {round}");
        // As many threads fold as there are, or as there are slots for: of one warp where that is enough.
        let used = match (mode, in_one_launch) {
            (_, true) if blocks == 1 => 0,
            (Mode::Own, _) => blocks,
            (Mode::Rows(..), _) => (loaded + combined) as u32,
        };
        let folders = match in_one_launch {
            true if used <= 32 && matches!(mode, Mode::Own) => threads.min(32),
            true => threads,
            false => folding as u32,
        };
        let shares = (used.min(folders), used.saturating_sub(folders));
        assert_eq!((loaded as u32, combined as u32), shares, "{context}, round {round}: who folds");
        let header = &workspace.as_host_vec().expect("the buffer is there")[..mode.header()];
        assert!(header.iter().all(|&byte| byte == 0), "{context}, round {round}: the header is left changed");
    }
}

fn with_kernels(bench: &Bench, opt: OptLevel, layouts: &[Layout], body: impl Fn(&Layout, &Kernels)) {
    for layout in layouts {
        let (list, fields) = (layout.list(), layout.fields());
        let options = [fields.as_str()];
        body(layout, &bench.load(&source(&list, &options), opt));
    }
}

/// A slot for each block.
pub fn own_slots(bench: &Bench) {
    for (opt, layouts) in [(OptLevel::O0, &LAYOUTS[3..4]), (OptLevel::O2, &LAYOUTS[2..4])] {
        with_kernels(bench, opt, layouts, |layout, kernels| {
            for (blocks, threads) in
                [(1, 1), (1, 200), (2, 33), (31, 5), (32, 64), (33, 32), (100, 1), (1000, 40)]
            {
                check(bench, layout, kernels, Mode::Own, blocks, threads);
            }
        });
    }
}

/// Test T11: from one block to ten times as many as there are slots.
pub fn shared_slots(bench: &Bench) {
    for (opt, layouts) in [(OptLevel::O0, &LAYOUTS[3..4]), (OptLevel::O2, &LAYOUTS[2..4])] {
        with_kernels(bench, opt, layouts, |layout, kernels| {
            for (rows, per_row) in [(1, 1), (3, 2), (2, 10)] {
                let slots = rows * per_row;
                for blocks in [1, 2, rows, slots, slots + 1, 10 * slots] {
                    check(bench, layout, kernels, Mode::Rows(rows, per_row), blocks, 40);
                }
            }
        });
    }
}

/// The same with the rows and slots of an H200.
pub fn slots_of_a_whole_machine(bench: &Bench) {
    with_kernels(bench, OptLevel::O2, &LAYOUTS[3..4], |layout, kernels| {
        check(bench, layout, kernels, Mode::Rows(132, 32), 42_240, 8);
    });
}
