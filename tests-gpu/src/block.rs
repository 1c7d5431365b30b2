//! Block reductions of every size.

use codegen_shim::ReductionList;
use host_rt::OptLevel;

use crate::{
    Fixture,
    fixture::Source,
    layout::{LAYOUTS, Layout},
};

/// The sizes around every boundary: one warp, whole warps, the largest block.
const SIZES: [u32; 18] = [1, 2, 31, 32, 33, 63, 64, 65, 96, 127, 255, 256, 257, 511, 512, 1000, 1023, 1024];

/// Number of values of each of the two rounds.
const STRIDE: usize = 1024;

/// The kernel of this module's cases; `options` has the list's variables, see [`Layout::fields`].
pub fn source<'a>(list: &'a ReductionList, options: &'a [&'a str]) -> Source<'a> {
    Source {
        text: include_str!("../kernels/block.c"),
        options,
        callbacks: Some(list),
        kernels: &["block", "first_threads"],
    }
}

/// Two consecutive reductions in one block of each size. Checks the records, and that exactly thread 0 gets
/// 1.
fn check(fixture: &Fixture, layout: &Layout, opt: OptLevel, sizes: impl Iterator<Item = u32>) {
    let (list, fields) = (layout.list(), layout.fields());
    let options = [fields.as_str()];
    let kernels = fixture.load(&source(&list, &options), opt);
    let values = layout.random(7, 2 * STRIDE);
    let input = fixture.upload(&values.bytes);
    let [mut first, mut second] = [0, STRIDE].map(|start| values.prefixes(start));
    let mut expected = [first.next(), second.next()].map(|record| record.expect("a value"));
    let mut done = 1;
    for size in sizes {
        let threads = size as usize;
        for _ in done..threads {
            expected = [first.next(), second.next()].map(|record| record.expect("a value"));
        }
        done = threads;
        let results = fixture.upload(&vec![0_u8; 2 * layout.size()]);
        let codes = fixture.upload(&vec![-1_i32; 2 * threads]);
        let [input, results_at] = [&input, &results].map(|buffer| buffer.as_device_ptr().as_raw());
        kernels.run("block", size, &[input, results_at, codes.as_device_ptr().as_raw(), STRIDE as u64]);

        let found = results.as_host_vec().expect("the buffer is there");
        assert_eq!(layout.show(&found), layout.show(&expected.concat()), "{opt:?}, {layout}, {size} threads");
        for (at, code) in codes.as_host_vec().expect("the buffer is there").into_iter().enumerate() {
            assert_eq!(code, i32::from(at % threads == 0), "{opt:?}, {layout}, {size} threads, thread {at}");
        }
    }
}

/// Every block size, for every layout.
pub fn every_size(fixture: &Fixture) {
    every_size_of(fixture, LAYOUTS);
}

/// The same for some of the layouts.
pub fn every_size_of(fixture: &Fixture, layouts: &[Layout]) {
    for layout in layouts {
        check(fixture, layout, OptLevel::O2, 1..=1024);
    }
}

/// Block sizes around boundaries, at -O0, where callbacks are called.
pub fn unoptimised(fixture: &Fixture) {
    for layout in LAYOUTS {
        check(fixture, layout, OptLevel::O0, SIZES.into_iter());
    }
}

/// Blocks in which only the first threads have a value.
pub fn first_threads(fixture: &Fixture) {
    for (layout, opt) in
        LAYOUTS[2..4].iter().flat_map(|layout| [(layout, OptLevel::O0), (layout, OptLevel::O2)])
    {
        let (list, fields) = (layout.list(), layout.fields());
        let options = [fields.as_str()];
        let kernels = fixture.load(&source(&list, &options), opt);
        let values = layout.random(8, STRIDE);
        let input = fixture.upload(&values.bytes);
        for threads in [33, 64, 100, 1024] {
            for live in [1, 2, 31, 32, 33, 63, 64, 65, 100, 1000, 1024] {
                if live > threads {
                    continue;
                }
                let expected = values.prefixes(0).nth(live as usize - 1).expect("a value");
                let result = fixture.upload(&vec![0_u8; layout.size()]);
                let [input, at] = [&input, &result].map(|buffer| buffer.as_device_ptr().as_raw());
                kernels.run("first_threads", threads, &[input, at, u64::from(live)]);
                let found = result.as_host_vec().expect("the buffer is there");
                let context = format!("{opt:?}, {layout}, {live} of {threads} threads");
                assert_eq!(layout.show(&found), layout.show(&expected), "{context}");
            }
        }
    }
}
