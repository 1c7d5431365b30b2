//! The model of a GPU's time, compared with published times, and where its bounds change.

use std::fmt::Write;

use ptx_emulator::{Bound, Estimate, Gpu, LaunchFacts, OccupancyLimit, WarpTotals};

/// What a published row measured.
#[derive(Clone, Copy)]
enum Run {
    /// CUB's sum in two kernels above one tile: bytes and elements of a tile, threads of a block.
    TwoKernels(u64, u64, u32),
    /// In one kernel with atomics, after a fill of the result.
    Atomics(u64, u64),
    /// BabelStream's dot product of doubles, with so many blocks of 1024 threads.
    Dot(u64),
    /// BabelStream's triad of doubles.
    Triad,
}

struct Row {
    gpu: fn() -> Gpu,
    what: &'static str,
    run: Run,
    /// The power of two of its elements.
    size: u32,
    microseconds: f64,
    fitted: bool,
}

/// NVIDIA/cccl 9722 (H200), 5408 (H100 and B200), 3612 and 5419 (B200); BabelStream 137. Where a row is a range, its
/// middle. BabelStream states bytes per second, for 2^25 elements.
fn rows() -> Vec<Row> {
    let row = |gpu: fn() -> Gpu, what, run| {
        move |size, microseconds, fitted| Row { gpu, what, run, size, microseconds, fitted }
    };
    let h200 = row(Gpu::h200, "sum f32, two kernels", Run::TwoKernels(4, 4096, 256));
    let h200_atomics = row(Gpu::h200, "sum i32, atomics", Run::Atomics(4, 4096));
    let h100_atomics = row(Gpu::h100, "sum i32, atomics", Run::Atomics(4, 4096));
    let h100 = row(Gpu::h100, "sum i32, two kernels", Run::TwoKernels(4, 4096, 256));
    let h100_wide = row(Gpu::h100, "sum i64, atomics", Run::Atomics(8, 2048));
    let b200 = row(Gpu::b200, "sum f32, two kernels", Run::TwoKernels(4, 8192, 512));
    let stream = |bytes: f64, rate: f64| (1u64 << 25) as f64 * bytes / rate / 1e3;
    vec![
        h200(4, 3.62, false),
        h200(8, 3.67, false),
        h200(12, 4.00, true),
        h200(16, 6.79, true),
        h200(20, 8.42, false),
        h200(24, 27.98, true),
        h200(28, 253.1, true),
        h200_atomics(4, 5.01, false),
        h200_atomics(16, 5.35, true),
        h200_atomics(20, 7.13, false),
        h200_atomics(24, 25.73, false),
        h200_atomics(28, 249.3, false),
        h100_atomics(16, 5.39, false),
        h100_atomics(20, 7.69, false),
        h100_atomics(24, 33.97, false),
        h100_atomics(28, 347.9, false),
        h100(16, 7.96, false),
        h100(28, 352.5, false),
        h100_wide(28, 687.7, false),
        b200(16, 11.25, true),
        b200(20, 12.0, false),
        b200(24, 23.95, false),
        b200(28, 176.5, false),
        row(Gpu::a100, "triad f64", Run::Triad)(25, stream(24.0, 1774.0), true),
        row(Gpu::a100, "dot f64, 2048 blocks", Run::Dot(2048))(25, stream(16.0, 1745.0), false),
        row(Gpu::a100, "dot f64, 256 blocks", Run::Dot(256))(25, stream(16.0, 1555.0), false),
    ]
}

/// Facts of a kernel whose warps are alike and that reads `bytes` once.
fn streaming(blocks: u64, threads: u32, bytes: u64, warp: WarpTotals) -> LaunchFacts {
    let warps = blocks * u64::from(threads.div_ceil(32));
    LaunchFacts {
        blocks,
        block_threads: threads,
        registers: Some(32),
        warp_instructions: warps * warp.instructions,
        longest: warp,
        touched_sectors: bytes / 32,
        sectors: bytes / 32,
        barriers: warps * warp.barriers,
        rounds: warps * warp.rounds,
        round_loads: warps * warp.rounds,
        round_bytes: bytes,
        ..LaunchFacts::default()
    }
}

/// Warp instructions of a warp of CUB's kernels for one tile and for each further one, as the emulator counts them
/// (benches/results/cub-2026-11-23.json: 113 from the sums of 2^16 and 2^20 `f32`, 45 from those of 2^24 `f64`).
const TILE: u64 = 113;
const NEXT_TILE: u64 = 45;

/// Seconds that a fill of a few bytes takes by itself. Fitted.
const FILL: f64 = 0.45e-6;

/// The first kernel of CUB's sum: tiles are distributed to at most five times the blocks that are resident.
fn cub(gpu: &Gpu, elements: u64, (bytes, tile, threads): (u64, u64, u32)) -> LaunchFacts {
    let tiles = elements.div_ceil(tile);
    let resident = u64::from(gpu.machine.multiprocessors) * u64::from(2048 / threads);
    let blocks = tiles.min(5 * resident);
    let of_block = tiles.div_ceil(blocks);
    let warp = WarpTotals { instructions: TILE + (of_block - 1) * NEXT_TILE, rounds: of_block, barriers: 1 };
    streaming(blocks, threads, elements * bytes, warp)
}

/// The estimated seconds of a row.
fn estimated(row: &Row) -> f64 {
    let gpu = (row.gpu)();
    let elements = 1u64 << row.size;
    let estimate = |facts: LaunchFacts| Estimate::new(&facts, &gpu).seconds;
    match row.run {
        Run::TwoKernels(bytes, tile, threads) => {
            let first = cub(&gpu, elements, (bytes, tile, threads));
            let mut launches = vec![estimate(first)];
            if elements > tile {
                // One block adds what the others have found.
                let tiles = first.blocks.div_ceil(tile).max(1);
                let warp =
                    WarpTotals { instructions: TILE + (tiles - 1) * NEXT_TILE, rounds: tiles, barriers: 1 };
                launches.push(estimate(streaming(1, 256, first.blocks * bytes, warp)));
            }
            Estimate::measured(launches.iter().sum(), launches.len() as u64, &gpu)
        }
        Run::Atomics(bytes, tile) => {
            let facts = cub(&gpu, elements, (bytes, tile, 256));
            let facts = LaunchFacts { hottest: facts.blocks, ..facts };
            Estimate::measured(estimate(facts) + FILL, 2, &gpu)
        }
        Run::Dot(blocks) => {
            // nvcc unrolls the loop four times; seven warp instructions an element.
            let of_warp = elements / (blocks * 1024);
            let warp =
                WarpTotals { instructions: 7 * of_warp + 100, rounds: of_warp.div_ceil(4), barriers: 11 };
            Estimate::measured(estimate(streaming(blocks, 1024, elements * 16, warp)), 1, &gpu)
        }
        Run::Triad => {
            let warp = WarpTotals { instructions: 15, rounds: 1, barriers: 0 };
            Estimate::measured(estimate(streaming(elements / 1024, 1024, elements * 24, warp)), 1, &gpu)
        }
    }
}

/// The rows of the page's table.
fn table() -> String {
    let mut table = String::new();
    for row in rows() {
        let estimated = estimated(&row) * 1e6;
        let error = 100.0 * (estimated / row.microseconds - 1.0);
        let (gpu, what, size) = ((row.gpu)().name.to_uppercase(), row.what, row.size);
        let fitted = if row.fitted { "fitted" } else { "" };
        let _ = writeln!(
            table,
            "| {gpu} | {what} | 2^{size} | {:.2} | {estimated:.2} | {error:+.1} % | {fitted} |",
            row.microseconds
        );
    }
    table
}

#[test]
fn published_rows_that_were_not_fitted_are_met_within_a_fifth() {
    let mut checked = 0;
    for row in rows() {
        let error = estimated(&row) * 1e6 / row.microseconds - 1.0;
        let most = if row.fitted { 0.03 } else { 0.2 };
        assert!(error.abs() <= most, "{} 2^{}: {:+.1} %\n{}", row.what, row.size, 100.0 * error, table());
        checked += u32::from(!row.fitted);
    }
    assert!(checked >= 18, "{checked} rows were not fitted");
}

#[test]
fn the_page_states_the_errors() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/profile.md"));
    assert!(page.expect("the page").contains(&table()), "docs/profile.md must have the rows\n{}", table());
}

/// 132 multiprocessors full of warps that do `warp` and read nothing.
fn full(warp: WarpTotals) -> LaunchFacts {
    LaunchFacts { touched_sectors: 0, sectors: 0, round_bytes: 0, ..streaming(1056, 256, 0, warp) }
}

#[test]
fn bounds_change_at_the_point_that_the_constants_say() {
    let gpu = Gpu::h200();
    let bound = |facts: &LaunchFacts| Estimate::new(facts, &gpu).bound;
    // 64 warps arrive at a barrier in 135 cycles, in which four schedulers issue 8.4 instructions of each.
    let between =
        |instructions: u64| WarpTotals { instructions: 1000 * instructions, rounds: 0, barriers: 1000 };
    assert_eq!([8, 9].map(|between_two| bound(&full(between(between_two)))), [Bound::Barrier, Bound::Issue]);
    // A multiprocessor issues 16 cycles' worth of instructions for each of 64 warps' passes.
    let busy = full(WarpTotals { instructions: 1000, rounds: 0, barriers: 0 });
    let issued = 1056 * 8 * 1000 / 4;
    let with_passes = |cycles| LaunchFacts { shared_cycles: cycles, ..busy };
    assert_eq!(
        [issued - 1000, issued + 1000].map(|it| bound(&with_passes(it))),
        [Bound::Issue, Bound::Shared]
    );
    // One atomic a cycle on an address, and 16 000 cycles of instructions.
    let with_atomics = |hottest| LaunchFacts { hottest, ..busy };
    assert_eq!([15_900, 16_100].map(|it| bound(&with_atomics(it))), [Bound::Issue, Bound::Atomics]);
    // Little's law: the bandwidth takes 8133.9 bytes in flight, which 64 warps with 128 bytes each have, and 62 have not.
    let rounds = WarpTotals { instructions: 0, rounds: 1000, barriers: 0 };
    let loads = |warps: u32| streaming(264, 32 * warps, 264 * u64::from(warps) * 128_000, rounds);
    let [few, all] = [31, 32].map(|warps| Estimate::new(&loads(warps), &gpu));
    assert_eq!((few.bytes_in_flight, all.bytes_in_flight), (62.0 * 128.0, 64.0 * 128.0));
    assert!((8133.0..8134.0).contains(&few.bytes_needed), "{few:?}");
    assert_eq!((few.bound, all.bound), (Bound::Latency, Bound::Memory));
}

#[test]
fn registers_change_the_waves() {
    let gpu = Gpu::h200();
    let of = |registers| {
        let facts = LaunchFacts { registers: Some(registers), ..full(WarpTotals::default()) };
        let estimate = Estimate::new(&facts, &gpu);
        (estimate.occupancy.blocks(), estimate.occupancy.limit(), estimate.waves)
    };
    assert_eq!(of(32), (8, OccupancyLimit::Threads, 1));
    assert_eq!(of(33), (6, OccupancyLimit::Registers, 2));
    assert_eq!(of(255), (1, OccupancyLimit::Registers, 8));
}

#[test]
fn gpus_are_found_by_name() {
    assert_eq!("H100".parse::<Gpu>(), Ok(Gpu::h100()));
    assert!("gtx".parse::<Gpu>().is_err());
}
