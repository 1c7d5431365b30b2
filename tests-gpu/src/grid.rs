//! Grid reductions through slots: one for each block, and rows of slots that blocks share.

use codegen_shim::ReductionList;
use device_rt::abi::layout::{WORKSPACE_HEADER_BYTES, slots_header_bytes};
use host_rt::OptLevel;

use crate::{
    Fixture,
    fixture::{Kernels, Source},
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

/// The kernels with one launch and without checks of slot owners.
pub fn control_words<'a>(list: &'a ReductionList, options: &'a [&'a str]) -> Source<'a> {
    Source { kernels: &["unwatched_own", "unwatched_slots"], ..source(list, options) }
}

/// How a grid uses its slots.
#[derive(Clone, Copy, Debug)]
enum Mode {
    /// A slot for each block.
    Own,
    /// The number of rows, and of slots in each row.
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

/// Runs a grid of `blocks` of `threads` in one launch and in two, each twice on one workspace. Checks the
/// record, that exactly one thread gets 1, that no slot has two users, and that the header is zero
/// afterwards.
fn check(fixture: &Fixture, layout: &Layout, kernels: &Kernels, mode: Mode, blocks: u32, threads: u32) {
    let context = format!("{layout}, {mode:?}, {blocks} blocks of {threads}");
    let total = (blocks * threads) as usize;
    let values = layout.random(u64::from(blocks), total);
    let expected = layout.show(&values.combined());
    let workspace = fixture.upload(&vec![0_u8; mode.header() + mode.slots(blocks) * layout.size()]);
    let owners = fixture.upload(&vec![0_i32; mode.slots(blocks)]);
    let input = fixture.upload(&values.bytes);
    let sizes = match mode {
        Mode::Own => vec![],
        Mode::Rows(rows, per_row) => vec![u64::from(rows), u64::from(per_row)],
    };
    for round in 0..4 {
        let result = fixture.upload(&vec![0_u8; layout.size()]);
        let codes = fixture.upload(&vec![-1_i8; total]);
        let seen = fixture.upload(&[0_i32; 3]);
        let common = [
            input.as_device_ptr().as_raw(),
            workspace.as_device_ptr().as_raw(),
            owners.as_device_ptr().as_raw(),
            seen.as_device_ptr().as_raw(),
        ];
        let outputs = [result.as_device_ptr().as_raw(), codes.as_device_ptr().as_raw()];
        let reducing = [&common[..], &outputs, &sizes].concat();
        let storing = [&common[..], &sizes].concat();
        let in_one_launch = round % 2 == 0;
        // The second launch is one block of its own size.
        let folding = if in_one_launch { total } else { 96.min(total) };
        match (mode, in_one_launch) {
            (Mode::Own, true) => kernels.run_blocks("own", blocks, threads, &reducing),
            (Mode::Rows(..), true) => kernels.run_blocks("shared_slots", blocks, threads, &reducing),
            (Mode::Own, false) => {
                kernels.run_blocks("own_store", blocks, threads, &storing);
                let reducing = [&reducing[..], &[u64::from(blocks)]].concat();
                kernels.run_blocks("own_finalize", 1, folding as u32, &reducing);
            }
            (Mode::Rows(..), false) => {
                kernels.run_blocks("shared_accumulate", blocks, threads, &storing);
                kernels.run_blocks("shared_finalize", 1, folding as u32, &reducing);
            }
        }
        let codes = codes.as_host_vec().expect("the buffer is there");
        let ones = codes[..folding].iter().filter(|&&code| code == 1).count();
        let zeros = codes[..folding].iter().filter(|&&code| code == 0).count();
        assert_eq!((ones, zeros), (1, folding - 1), "{context}, round {round}: codes");
        let seen = seen.as_host_vec().expect("the buffer is there");
        let [conflicts, loaded, combined] = seen[..] else { unreachable!("three words") };
        assert_eq!(conflicts, 0, "{context}, round {round}: a slot had two users");
        let found = result.as_host_vec().expect("the buffer is there");
        assert_eq!(layout.show(&found), expected, "{context}, round {round}");
        // At most one thread for each slot folds; only the first warp if there are at most 512 slots.
        let used = match (mode, in_one_launch) {
            (_, true) if blocks == 1 => 0,
            (Mode::Own, _) => blocks,
            (Mode::Rows(..), _) => (loaded + combined) as u32,
        };
        let threads = if in_one_launch { threads } else { folding as u32 };
        let folders = match mode {
            Mode::Own if used <= 512 => threads.min(32),
            _ => threads,
        };
        let shares = (used.min(folders), used.saturating_sub(folders));
        assert_eq!((loaded as u32, combined as u32), shares, "{context}, round {round}: who folds");
        let header = &workspace.as_host_vec().expect("the buffer is there")[..mode.header()];
        assert!(header.iter().all(|&byte| byte == 0), "{context}, round {round}: the header is left changed");
    }
}

fn with_kernels(fixture: &Fixture, opt: OptLevel, layouts: &[Layout], body: impl Fn(&Layout, &Kernels)) {
    for layout in layouts {
        let (list, fields) = (layout.list(), layout.fields());
        let options = [fields.as_str()];
        body(layout, &fixture.load(&source(&list, &options), opt));
    }
}

/// A slot for each block.
pub fn own_slots(fixture: &Fixture) {
    for (opt, layouts) in [(OptLevel::O0, &LAYOUTS[3..4]), (OptLevel::O2, &LAYOUTS[2..4])] {
        with_kernels(fixture, opt, layouts, |layout, kernels| {
            for (blocks, threads) in
                [(1, 1), (1, 200), (2, 33), (31, 5), (32, 64), (33, 32), (100, 1), (1000, 40)]
            {
                check(fixture, layout, kernels, Mode::Own, blocks, threads);
            }
        });
    }
}

/// Rows of slots: from one block to ten times as many blocks as slots.
pub fn shared_slots(fixture: &Fixture) {
    for (opt, layouts) in [(OptLevel::O0, &LAYOUTS[3..4]), (OptLevel::O2, &LAYOUTS[2..4])] {
        with_kernels(fixture, opt, layouts, |layout, kernels| {
            for (rows, per_row) in [(1, 1), (3, 2), (2, 10)] {
                let slots = rows * per_row;
                for blocks in [1, 2, rows, slots, slots + 1, 10 * slots] {
                    check(fixture, layout, kernels, Mode::Rows(rows, per_row), blocks, 40);
                }
            }
        });
    }
}

/// The same with the rows and slots of an H200.
pub fn slots_of_a_whole_machine(fixture: &Fixture) {
    with_kernels(fixture, OptLevel::O2, &LAYOUTS[3..4], |layout, kernels| {
        check(fixture, layout, kernels, Mode::Rows(132, 32), 42_240, 8);
    });
}
