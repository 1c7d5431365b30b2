//! Block reductions of every size.

use codegen_shim::{Op, ReductionList, Source as From, Type, Variable};
use cust::memory::{CopyDestination, DeviceCopy};
use host_rt::OptLevel;

use crate::{Bench, bench::Source, golden::random};

/// The sizes around every boundary: one warp, whole warps, the largest block.
const SIZES: [u32; 18] = [1, 2, 31, 32, 33, 63, 64, 65, 96, 127, 255, 256, 257, 511, 512, 1000, 1023, 1024];

/// One sum of this type.
pub fn list(ty: Type) -> ReductionList {
    let variable = Variable { name: "sum".into(), ty, op: Op::Sum, source: From::Array(0) };
    ReductionList::new(vec![variable]).expect("one variable with a name is a list")
}

/// The kernel of this module's cases; `options` has `-DTYPE=` with the C type of the list's variable.
pub fn source<'a>(list: &'a ReductionList, options: &'a [&'a str]) -> Source<'a> {
    Source { text: include_str!("../kernels/block.c"), options, callbacks: Some(list), kernels: &["block"] }
}

/// Two reductions back to back in one block of each size: the sums, and that exactly thread 0 is told so.
fn sums<T: DeviceCopy + Default + PartialEq + std::fmt::Debug>(
    bench: &Bench,
    (ty, c): (Type, &str),
    opt: OptLevel,
    sizes: impl Iterator<Item = u32>,
    value: impl Fn(u64) -> T,
    sum: impl Fn(&[T]) -> T,
) {
    let list = list(ty);
    let define = format!("-DTYPE={c}");
    let options = [define.as_str()];
    let kernels = bench.load(&source(&list, &options), opt);
    for size in sizes {
        let threads = size as usize;
        let values: Vec<T> = random(size.into()).take(2 * threads).map(&value).collect();
        let input = bench.upload(&values);
        let results = bench.upload(&[T::default(); 2]);
        let codes = bench.upload(&vec![-1_i32; 2 * threads]);
        let parameters = [input.as_device_ptr(), results.as_device_ptr()].map(|pointer| pointer.as_raw());
        kernels.run("block", size, &[parameters[0], parameters[1], codes.as_device_ptr().as_raw()]);

        let expected = [sum(&values[..threads]), sum(&values[threads..])];
        let mut found = [T::default(); 2];
        results.copy_to(&mut found).unwrap();
        assert_eq!(found, expected, "{opt:?}, {ty}, {size} threads");
        for (at, code) in codes.as_host_vec().unwrap().into_iter().enumerate() {
            assert_eq!(code, i32::from(at % threads == 0), "{opt:?}, {size} threads, thread {at}");
        }
    }
}

/// Test T7 over every block size there is.
pub fn every_size(bench: &Bench) {
    let sum = |values: &[i32]| values.iter().fold(0_i32, |sum, value| sum.wrapping_add(*value));
    sums(bench, (Type::I32, "int"), OptLevel::O2, 1..=1024, |bits| bits as i32, sum);
    sums(bench, (Type::I32, "int"), OptLevel::O0, SIZES.into_iter(), |bits| bits as i32, sum);
}

/// Test T7 for 64-bit types, at the boundaries.
pub fn tail_warps_of_wide_types(bench: &Bench) {
    for opt in [OptLevel::O0, OptLevel::O2] {
        let integers = |values: &[i64]| values.iter().fold(0_i64, |sum, value| sum.wrapping_add(*value));
        sums(bench, (Type::I64, "long long"), opt, SIZES.into_iter(), |bits| bits as i64, integers);
        // Multiples of 1/4 whose sums are exact: any order gives the same.
        let quarters = |bits: u64| (bits % 4096) as f64 / 4.0 - 512.0;
        sums(bench, (Type::F64, "double"), opt, SIZES.into_iter(), quarters, |values| values.iter().sum());
    }
}
