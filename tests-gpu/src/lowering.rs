//! Runs the lowering that docs/lowering.md shows.

use host_rt::OptLevel;
use toolchain::{ClangBuild, Input, PtxBuild, Tools};

use crate::{Fixture, random::random};

/// The C of the page.
pub const C: &str = include_str!("../kernels/lowering.c");

/// The LLVM IR of the page.
pub const IR: &str = include_str!("../kernels/lowering.ll");

/// Bytes before the records of a workspace.
const HEADER: usize = device_rt::abi::layout::WORKSPACE_HEADER_BYTES;

const OPT: [OptLevel; 2] = [OptLevel::O0, OptLevel::O2];

/// The C kernels as PTX.
pub fn c_ptx(tools: &Tools, sm: u32, opt: OptLevel) -> String {
    let runtime = device_library::runtime_bitcode(tools).unwrap_or_else(|error| panic!("{error}"));
    // Inserts the header, so that no include folder is needed.
    let source = C.replace("#include \"warpfold.h\"", &device_library::c_header());
    let build = ClangBuild { source: &source, sm, opt, options: &["-Wall", "-Wextra", "-Werror"] };
    tools
        .clang_ptx(&build, &[Input::Bitcode(&runtime)], &["nest", "nest_store", "nest_finalize"])
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The kernel in IR as PTX.
pub fn ir_ptx(tools: &Tools, sm: u32, opt: OptLevel) -> String {
    let runtime = device_library::runtime_bitcode(tools).unwrap_or_else(|error| panic!("{error}"));
    let modules = [Input::Ir(IR), Input::Bitcode(&runtime)];
    tools
        .ptx(&PtxBuild { modules: &modules, keep: &["total"], sm, opt })
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The nest with two reductions, folded by the last block and by a second launch; and the sum in IR.
pub fn by_hand(fixture: &Fixture) {
    let of = |seed: u64, count: usize| -> Vec<f64> {
        random(seed).take(count).map(|bits| (bits % 64) as f64 - 32.0).collect()
    };
    for opt in OPT {
        let nest = fixture.load_ptx(&c_ptx(&fixture.tools, fixture.sm(), opt));
        let total = fixture.load_ptx(&ir_ptx(&fixture.tools, fixture.sm(), opt));
        for (n, m, blocks, threads) in [(1, 1, 1, 1), (3, 5, 1, 40), (40, 33, 7, 96), (100, 90, 40, 33)] {
            let context = format!("{opt:?}, {n} times {m}, {blocks} blocks of {threads}");
            let (a, b) = (of(1, n), of(2, m));
            let products = || a.iter().flat_map(|a| b.iter().map(move |b| a * b));
            let workspace = fixture.upload(&vec![0_u8; HEADER + 16 * blocks as usize]);
            let (left, right) = (fixture.upload(&a), fixture.upload(&b));
            let pointers = [&left, &right].map(|buffer| buffer.as_device_ptr().as_raw());
            let slots = workspace.as_device_ptr().as_raw();
            let arguments = [pointers[0], pointers[1], n as u64, m as u64, slots];
            for two_launches in [false, true] {
                // A record: foo, then bar and padding.
                let original = fixture.upload(&[2.5_f64.to_bits(), u64::from((-3.0_f32).to_bits())]);
                let result = original.as_device_ptr().as_raw();
                if two_launches {
                    nest.run_blocks("nest_store", blocks, threads, &arguments);
                    nest.run_blocks("nest_finalize", 1, 64, &[slots, blocks.into(), result]);
                } else {
                    nest.run_blocks("nest", blocks, threads, &[&arguments[..], &[result]].concat());
                }
                let found = original.as_host_vec().expect("the buffer is there");
                let (sum, largest) = (f64::from_bits(found[0]), f32::from_bits(found[1] as u32));
                let expected = products().fold(-3.0_f32, |largest, product| largest.max(product as f32));
                assert_eq!(
                    (sum, largest),
                    (2.5 + products().sum::<f64>(), expected),
                    "{context}, {two_launches}"
                );
            }

            let values: Vec<f32> =
                products().map(|product| product as f32).take((blocks * threads) as usize).collect();
            let (input, original) = (fixture.upload(&values), fixture.upload(&[0.5_f32]));
            let parameters = [
                input.as_device_ptr().as_raw(),
                values.len() as u64,
                slots,
                original.as_device_ptr().as_raw(),
            ];
            total.run_blocks("total", blocks, threads, &parameters);
            let found = original.as_host_vec().expect("the buffer is there");
            assert_eq!(found, [0.5 + values.iter().sum::<f32>()], "{context}");
        }
    }
}
