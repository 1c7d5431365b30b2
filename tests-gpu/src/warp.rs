//! Warp reductions: who combines with whom, after every step.

use host_rt::OptLevel;

use crate::{
    Bench,
    bench::{Kernels, Source},
    dispersed::{Otherwise, lanes, passes},
    golden::{CONTIGUOUS, Matrix, contiguous_orders, matrices, product, random},
};

const LANES: usize = 32;
const STEPS: usize = 5;

/// The lanes' values after every step, and the steps that lane 0 took.
struct Log {
    values: Vec<Matrix>,
    steps: i32,
}

impl Log {
    fn at(&self, step: usize, lane: usize) -> Matrix {
        self.values[step * LANES + lane]
    }
}

/// The kernels of this module's cases.
pub const SOURCE: Source = Source {
    text: include_str!("../kernels/warp.c"),
    options: &[],
    callbacks: None,
    kernels: &["full", "contiguous", "dispersed"],
};

fn kernels(bench: &Bench, opt: OptLevel) -> Kernels {
    bench.load(&SOURCE, opt)
}

fn run(bench: &Bench, kernels: &Kernels, values: &[Matrix], threads: usize, size: Option<usize>) -> Log {
    let words = |matrices: &[Matrix]| matrices.iter().flat_map(|m| m.0).collect::<Vec<u64>>();
    let input = bench.upload(&words(values));
    let log = bench.upload(&vec![0_u64; 4 * LANES * STEPS]);
    let steps = bench.upload(&[-1_i32; LANES]);
    let mut parameters =
        vec![input.as_device_ptr().as_raw(), log.as_device_ptr().as_raw(), steps.as_device_ptr().as_raw()];
    parameters.extend(size.map(|size| size as u64));
    kernels.run(if size.is_some() { "contiguous" } else { "full" }, threads as u32, &parameters);
    let log = log.as_host_vec().unwrap();
    let values = log.chunks_exact(4).map(|m| Matrix(m.try_into().unwrap())).collect();
    Log { values, steps: steps.as_host_vec().unwrap()[0] }
}

/// Test T1: five steps, and after each the lanes below the offset hold themselves and all they took over.
pub fn full(bench: &Bench) {
    let values = matrices(1, LANES);
    let orders = contiguous_orders(LANES);
    for opt in [OptLevel::O0, OptLevel::O2] {
        let log = run(bench, &kernels(bench, opt), &values, LANES, None);
        assert_eq!(log.steps, 5, "{opt:?}");
        for (step, lanes) in orders.iter().enumerate() {
            for (lane, order) in lanes.iter().enumerate() {
                assert_eq!(log.at(step, lane), product(&values, order), "{opt:?}, step {step}, lane {lane}");
            }
        }
    }
}

/// Test T2: for 1 to 32 live lanes the golden order and the least number of steps, in a warp that has only
/// these lanes and in one that has all.
pub fn contiguous(bench: &Bench) {
    let values = matrices(2, LANES);
    for opt in [OptLevel::O0, OptLevel::O2] {
        let kernels = kernels(bench, opt);
        for size in 1..=LANES {
            for threads in [size, LANES] {
                let log = run(bench, &kernels, &values, threads, Some(size));
                let orders = contiguous_orders(size);
                let context = format!("{opt:?}, {size} of {threads} lanes");
                assert_eq!(log.steps as usize, orders.len(), "{context}");
                for (step, lanes) in orders.iter().enumerate() {
                    for (lane, order) in lanes.iter().enumerate() {
                        let expected = product(&values, order);
                        assert_eq!(log.at(step, lane), expected, "{context}, step {step}, lane {lane}");
                    }
                }
                if let Some((order, offsets)) = CONTIGUOUS.get(size - 1).filter(|_| size > 1) {
                    assert_eq!(log.at(offsets.len() - 1, 0), product(&values, order), "{context}");
                }
            }
        }
    }
}

/// What each of the two groups of lanes of each warp left, and the codes of all lanes.
struct Groups {
    results: Vec<Matrix>,
    steps: Vec<i32>,
    codes: Vec<i8>,
    log: Vec<Matrix>,
}

/// Runs a warp for each mask; its lanes reduce, and so do all others by themselves.
fn disperse(bench: &Bench, kernels: &Kernels, values: &[Matrix], masks: &[u32]) -> Groups {
    const THREADS: usize = 128;
    let words = |matrices: &[Matrix]| matrices.iter().flat_map(|m| m.0).collect::<Vec<u64>>();
    let blocks = (masks.len() * LANES).div_ceil(THREADS);
    let input = bench.upload(&words(values));
    let given = bench.upload(masks);
    let log = bench.upload(&vec![0_u64; 4 * LANES * STEPS]);
    let results = bench.upload(&vec![0_u64; 8 * masks.len()]);
    let steps = bench.upload(&vec![-1_i32; 2 * masks.len()]);
    let codes = bench.upload(&vec![-1_i8; masks.len() * LANES]);
    let parameters = [
        input.as_device_ptr().as_raw(),
        given.as_device_ptr().as_raw(),
        masks.len() as u64,
        log.as_device_ptr().as_raw(),
        results.as_device_ptr().as_raw(),
        steps.as_device_ptr().as_raw(),
        codes.as_device_ptr().as_raw(),
    ];
    kernels.run_blocks("dispersed", blocks as u32, THREADS as u32, &parameters);
    let matrices = |words: Vec<u64>| words.chunks_exact(4).map(|m| Matrix(m.try_into().unwrap())).collect();
    Groups {
        results: matrices(results.as_host_vec().unwrap()),
        steps: steps.as_host_vec().unwrap(),
        codes: codes.as_host_vec().unwrap(),
        log: matrices(log.as_host_vec().unwrap()),
    }
}

/// Every group holds the product of its lanes in their order, after ⌈log2 n⌉ steps, in its lowest lane, which
/// alone is told so.
fn check_masks(bench: &Bench, opt: OptLevel, masks: &[u32]) {
    let values = matrices(3, LANES);
    let groups = disperse(bench, &kernels(bench, opt), &values, masks);
    for (warp, &mask) in masks.iter().enumerate() {
        let mut leaders = [false; LANES];
        for (side, group) in [mask, !mask].into_iter().enumerate().filter(|(_, group)| *group != 0) {
            let context = || format!("{opt:?}, mask {mask:#034b}, side {side}");
            let at = 2 * warp + side;
            assert_eq!(groups.results[at], product(&values, &lanes(group)), "{}", context());
            let steps = group.count_ones().next_power_of_two().ilog2();
            assert_eq!(groups.steps[at], steps as i32, "{}", context());
            leaders[group.trailing_zeros() as usize] = true;
        }
        let codes = &groups.codes[warp * LANES..][..LANES];
        assert!(
            codes.iter().zip(leaders).all(|(&code, leads)| code == i8::from(leads)),
            "{mask:#b}: {codes:?}"
        );
    }
}

/// Tests T3, T4 and T6: all 255 masks of 8 lanes, after each step as in the model; and random masks of 32 lanes.
pub fn dispersed(bench: &Bench) {
    dispersed_masks(bench, 100_000);
}

/// The same with so many random masks.
pub fn dispersed_masks(bench: &Bench, count: usize) {
    let values = matrices(3, LANES);
    let optimised = kernels(bench, OptLevel::O2);
    let groups = disperse(bench, &optimised, &values, &[0b1011_0110]);
    let passes = passes(0b1011_0110, LANES, Otherwise::Keeps);
    for (step, calls) in passes[..3].iter().enumerate() {
        for call in calls {
            let order = call.held.as_ref().expect("a value");
            assert_eq!(groups.log[step * LANES + call.lane], product(&values, order), "{step}, {call:?}");
        }
    }
    let few: Vec<u32> = (1..256).chain([u32::MAX, 1 << 31, 0x8000_0001, 0xffff_0000, 0x5555_5555]).collect();
    check_masks(bench, OptLevel::O0, &few);
    let random =
        random(4).map(|bits| (bits >> 32) as u32 & if bits & 3 == 0 { bits as u32 } else { u32::MAX });
    let many: Vec<u32> = few.into_iter().chain(random.take(count)).collect();
    check_masks(bench, OptLevel::O2, &many);
}
