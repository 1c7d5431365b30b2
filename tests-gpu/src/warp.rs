//! Warp reductions: the order of combination after every step.

use host_rt::OptLevel;

use crate::{
    Fixture,
    dispersed_model::{Otherwise, lanes, passes},
    fixture::{Kernels, Source},
    lane_order::{CONTIGUOUS, Matrix, contiguous_orders, matrices, product},
    random::random,
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

fn kernels(fixture: &Fixture, opt: OptLevel) -> Kernels {
    fixture.load(&SOURCE, opt)
}

fn run(fixture: &Fixture, kernels: &Kernels, values: &[Matrix], threads: usize, size: Option<usize>) -> Log {
    let words = |matrices: &[Matrix]| matrices.iter().flat_map(|m| m.0).collect::<Vec<u64>>();
    let input = fixture.upload(&words(values));
    let log = fixture.upload(&vec![0_u64; 4 * LANES * STEPS]);
    let steps = fixture.upload(&[-1_i32; LANES]);
    let mut parameters =
        vec![input.as_device_ptr().as_raw(), log.as_device_ptr().as_raw(), steps.as_device_ptr().as_raw()];
    parameters.extend(size.map(|size| size as u64));
    kernels.run(if size.is_some() { "contiguous" } else { "full" }, threads as u32, &parameters);
    let log = log.as_host_vec().unwrap();
    let values = log.chunks_exact(4).map(|m| Matrix(m.try_into().unwrap())).collect();
    Log { values, steps: steps.as_host_vec().unwrap()[0] }
}

/// A full reduction takes five steps; after each, the lanes below the offset hold their own and the fetched
/// values.
pub fn full(fixture: &Fixture) {
    let values = matrices(1, LANES);
    let orders = contiguous_orders(LANES);
    for opt in [OptLevel::O0, OptLevel::O2] {
        let log = run(fixture, &kernels(fixture, opt), &values, LANES, None);
        assert_eq!(log.steps, 5, "{opt:?}");
        for (step, lanes) in orders.iter().enumerate() {
            for (lane, order) in lanes.iter().enumerate() {
                assert_eq!(log.at(step, lane), product(&values, order), "{opt:?}, step {step}, lane {lane}");
            }
        }
    }
}

/// A contiguous reduction of 1 to 32 lanes has the expected order and the least number of steps, in a warp
/// with only these lanes and in one with all lanes.
pub fn contiguous(fixture: &Fixture) {
    let values = matrices(2, LANES);
    for opt in [OptLevel::O0, OptLevel::O2] {
        let kernels = kernels(fixture, opt);
        for size in 1..=LANES {
            for threads in [size, LANES] {
                let log = run(fixture, &kernels, &values, threads, Some(size));
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

/// The results of the two sets of lanes of each warp (a mask and its complement), and the codes of all lanes.
struct DispersedResults {
    results: Vec<Matrix>,
    steps: Vec<i32>,
    codes: Vec<i8>,
    log: Vec<Matrix>,
}

/// Runs a warp for each mask: the lanes of the mask reduce, and the others reduce separately.
fn disperse(fixture: &Fixture, kernels: &Kernels, values: &[Matrix], masks: &[u32]) -> DispersedResults {
    const THREADS: usize = 128;
    let words = |matrices: &[Matrix]| matrices.iter().flat_map(|m| m.0).collect::<Vec<u64>>();
    let blocks = (masks.len() * LANES).div_ceil(THREADS);
    let input = fixture.upload(&words(values));
    let given = fixture.upload(masks);
    let log = fixture.upload(&vec![0_u64; 4 * LANES * STEPS]);
    let results = fixture.upload(&vec![0_u64; 8 * masks.len()]);
    let steps = fixture.upload(&vec![-1_i32; 2 * masks.len()]);
    let codes = fixture.upload(&vec![-1_i8; masks.len() * LANES]);
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
    DispersedResults {
        results: matrices(results.as_host_vec().unwrap()),
        steps: steps.as_host_vec().unwrap(),
        codes: codes.as_host_vec().unwrap(),
        log: matrices(log.as_host_vec().unwrap()),
    }
}

/// The lowest lane of each set holds the product of the set's lanes in order, after ⌈log2 n⌉ steps, and only
/// it gets 1.
fn check_masks(fixture: &Fixture, opt: OptLevel, masks: &[u32]) {
    let values = matrices(3, LANES);
    let groups = disperse(fixture, &kernels(fixture, opt), &values, masks);
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

/// All 255 masks of 8 lanes and random masks of 32 lanes; for one mask, every step as in the model.
pub fn dispersed(fixture: &Fixture) {
    dispersed_masks(fixture, 100_000);
}

/// The same with `count` random masks.
pub fn dispersed_masks(fixture: &Fixture, count: usize) {
    let values = matrices(3, LANES);
    let optimised = kernels(fixture, OptLevel::O2);
    let groups = disperse(fixture, &optimised, &values, &[0b1011_0110]);
    let passes = passes(0b1011_0110, LANES, Otherwise::Keeps);
    for (step, calls) in passes[..3].iter().enumerate() {
        for call in calls {
            let order = call.held.as_ref().expect("a value");
            assert_eq!(groups.log[step * LANES + call.lane], product(&values, order), "{step}, {call:?}");
        }
    }
    let few: Vec<u32> = (1..256).chain([u32::MAX, 1 << 31, 0x8000_0001, 0xffff_0000, 0x5555_5555]).collect();
    check_masks(fixture, OptLevel::O0, &few);
    let random =
        random(4).map(|bits| (bits >> 32) as u32 & if bits & 3 == 0 { bits as u32 } else { u32::MAX });
    let many: Vec<u32> = few.into_iter().chain(random.take(count)).collect();
    check_masks(fixture, OptLevel::O2, &many);
}
