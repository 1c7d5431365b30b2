//! The older paths that serve as baselines: the per-variable path and the precondition of the first LLVM GPU
//! runtime.

use host_rt::OptLevel;
use toolchain::{ClangBuild, Input, Tools};

use crate::{Fixture, random::random};

const SIZES: [u32; 12] = [1, 2, 31, 32, 33, 64, 65, 96, 255, 256, 1000, 1024];

/// The kernels as PTX.
pub fn ptx(tools: &Tools, sm: u32, opt: OptLevel) -> String {
    let runtime = device_library::runtime_bitcode(tools).unwrap_or_else(|error| panic!("{error}"));
    let source = include_str!("../kernels/baselines.c")
        .replace("#include \"warpfold.h\"", &device_library::c_header());
    let build = ClangBuild { source: &source, sm, opt, options: &[] };
    tools
        .clang_ptx(&build, &[Input::Bitcode(&runtime)], &["baseline", "both_paths", "precondition"])
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The per-variable path. In a simd region, lane 0 of each warp gets 1 and holds the result. In a parallel
/// region, all get 3, which asks for a block stage for each variable; then lane 0 of every warp holds the
/// total, and only thread 0 gets 1.
pub fn per_variable_path(fixture: &Fixture) {
    for opt in [OptLevel::O0, OptLevel::O2] {
        let kernels = fixture.load_ptx(&ptx(&fixture.tools, fixture.sm(), opt));
        for (threads, simd) in SIZES.into_iter().flat_map(|threads| [(threads, false), (threads, true)]) {
            let count = threads as usize;
            let values: Vec<f64> =
                random(5).take(count).map(|bits| (bits % 4096) as f64 / 4.0 - 512.0).collect();
            let input = fixture.upload(&values);
            let (codes, sums) =
                (fixture.upload(&vec![-1_i32; 3 * count]), fixture.upload(&vec![0_f64; count]));
            let counts = fixture.upload(&vec![0_i32; count]);
            let parameters = [
                input.as_device_ptr().as_raw(),
                u64::from(simd),
                codes.as_device_ptr().as_raw(),
                sums.as_device_ptr().as_raw(),
                counts.as_device_ptr().as_raw(),
            ];
            kernels.run("baseline", threads, &parameters);
            let (codes, sums, counts) =
                (codes.as_host_vec().unwrap(), sums.as_host_vec().unwrap(), counts.as_host_vec().unwrap());
            for thread in 0..count {
                let context = format!("{opt:?}, {threads} threads, simd {simd}, thread {thread}");
                let (leads, first) = (i32::from(thread % 32 == 0), i32::from(thread == 0));
                let expected = if simd { [leads, -1, -1] } else { [3, first, first] };
                assert_eq!(codes[3 * thread..][..3], expected, "{context}");
                if leads == 1 {
                    let whole = if simd { thread..count.min(thread + 32) } else { 0..count };
                    let total: i32 = whole.clone().map(|thread| thread as i32 + 1).sum();
                    let expected = (values[whole].iter().sum::<f64>(), total);
                    assert_eq!((sums[thread], counts[thread]), expected, "{context}");
                }
            }
        }
    }
}

/// The first LLVM GPU runtime uses a tree only if the region has all threads of the block and the warp has
/// all lanes.
pub fn precondition(fixture: &Fixture) {
    let kernels = fixture.load_ptx(&ptx(&fixture.tools, fixture.sm(), OptLevel::O2));
    let cases = [
        (256, u32::MAX, 1),
        (255, u32::MAX, 0),
        (256, u32::MAX >> 1, 0),
        (256, 1, 0),
        (1, 1, 0),
        (31, u32::MAX, 0),
    ];
    let mut regions = vec![256_u32; 256];
    let mut lanes = vec![u32::MAX; 256];
    for (thread, (region, active, _)) in cases.into_iter().enumerate() {
        (regions[thread], lanes[thread]) = (region, active);
    }
    let results = fixture.upload(&[-1_i32; 256]);
    let parameters = [fixture.upload(&regions), fixture.upload(&lanes)]
        .map(|buffer| (buffer.as_device_ptr().as_raw(), buffer));
    kernels.run("precondition", 256, &[parameters[0].0, parameters[1].0, results.as_device_ptr().as_raw()]);
    let results = results.as_host_vec().unwrap();
    for (thread, result) in results.into_iter().enumerate() {
        let expected = cases.get(thread).map_or(1, |(.., expected)| *expected);
        assert_eq!(result, expected, "region of {}, lanes {:#x}", regions[thread], lanes[thread]);
    }
}

/// Where the first LLVM GPU runtime updated the result atomically, once for each thread, the tree of today serves, with the
/// same result: regions of 1 to 31 threads, of 33, and of less than the block.
pub fn atomics_or_tree(fixture: &Fixture) {
    for opt in [OptLevel::O0, OptLevel::O2] {
        let kernels = fixture.load_ptx(&ptx(&fixture.tools, fixture.sm(), opt));
        let values: Vec<i32> = random(9).take(1024).map(|bits| bits as i32 % 100_000).collect();
        let input = fixture.upload(&values);
        let of_block = (1..=33).map(|threads| (threads, threads)).chain([(64, 64), (256, 256), (1024, 1024)]);
        let of_part = [(1, 64), (31, 256), (32, 64), (33, 64), (255, 256), (128, 256), (992, 1024)];
        for (region, threads) in of_block.chain(of_part) {
            let results = fixture.upload(&[0_i32; 3]);
            let parameters =
                [input.as_device_ptr().as_raw(), u64::from(region), results.as_device_ptr().as_raw()];
            kernels.run("both_paths", threads, &parameters);
            let sum: i32 = values[..region as usize].iter().sum();
            let has_tree = region == threads && region % 32 == 0;
            let atomics = if has_tree { 0 } else { region as i32 };
            let context = format!("{opt:?}: {region} of {threads} threads");
            assert_eq!(results.as_host_vec().unwrap(), [sum, atomics, sum], "{context}");
        }
    }
}
