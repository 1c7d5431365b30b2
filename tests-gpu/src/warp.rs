//! Warp reductions: who combines with whom, after every step.

use host_rt::OptLevel;

use crate::{
    Bench,
    bench::{Kernels, Source},
    golden::{CONTIGUOUS, Matrix, contiguous_orders, matrices, product},
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
    kernels: &["full", "contiguous"],
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
