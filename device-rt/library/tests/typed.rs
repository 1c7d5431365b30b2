//! The PTX of kernels written in Rust: what reductions over typed values leave in them.

mod common;

use common::{count, instructions, rust_ptx, tools};
use toolchain::OptLevel;

const KERNELS: &str = r#"
use core::ffi::c_void;
use core::sync::atomic::Ordering;
use device_rt::atomic::{AtomicF32, BlockAtomicF64};
use device_rt::reduce::op::{ArgMax, Indexed, Max, Product, Reduce, Sum};
use device_rt::{block, grid, shared_array, thread, warp};

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn warp_i32(data: *const i32, out: *mut i32) {
    let value = unsafe { data.add(thread::index() as usize).read() };
    if let Some(sum) = unsafe { warp::reduce(value, Sum) } {
        unsafe { out.write(sum) };
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn warp_list(data: *const f64, out: *mut (f64, f32, i8)) {
    let value = unsafe { data.add(thread::index() as usize).read() };
    let values = (value, value as f32, value as i8);
    if let Some(all) = unsafe { warp::reduce(values, (Sum, Product, Max)) } {
        unsafe { out.write(all) };
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn warp_masked(data: *const i32, mask: u32, out: *mut i32) {
    if mask & (1 << warp::lane_id()) == 0 {
        return;
    }
    let value = unsafe { data.add(thread::index() as usize).read() };
    if let Some(sum) = unsafe { warp::reduce_masked(value, Sum, mask) } {
        unsafe { out.write(sum) };
    }
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Padded {
    sum: f64,
    tag: u8,
}

#[derive(Clone, Copy)]
struct Merge;

impl Reduce<Padded> for Merge {
    fn combine(self, a: Padded, b: Padded) -> Padded {
        Padded { sum: a.sum + b.sum, tag: a.tag | b.tag }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn block_padded(data: *const Padded, out: *mut Padded) {
    let value = unsafe { data.add(thread::index() as usize).read() };
    if let Some(all) = unsafe { block::reduce(value, Merge) } {
        unsafe { out.write(all) };
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn block_words(data: *const [f32; 32], out: *mut [f32; 32]) {
    let value = unsafe { data.add(thread::index() as usize).read() };
    if let Some(all) = unsafe { block::reduce(value, Sum) } {
        unsafe { out.write(all) };
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn block_array(data: *const [f32; 40], out: *mut [f32; 40]) {
    let value = unsafe { data.add(thread::index() as usize).read() };
    if let Some(all) = unsafe { block::reduce(value, Sum) } {
        unsafe { out.write(all) };
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn grid_argmax(data: *const f32, workspace: *mut c_void, out: *mut Indexed<f32>) {
    let index = thread::index();
    let value = Indexed { value: unsafe { data.add(index as usize).read() }, index: index as i64 };
    if let Some(all) = unsafe { grid::reduce(value, ArgMax, workspace) } {
        unsafe { out.write(all) };
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn reversed(data: *mut u32) {
    let tile = shared_array![u32; 256];
    let (here, last) = (thread::thread_idx_x() as usize, thread::block_dim_x() as usize - 1);
    unsafe {
        tile.add(here).write(data.add(here).read());
        thread::sync_threads();
        data.add(here).write(tile.add(last - here).read());
    }
}

#[inline(never)]
fn helper(out: *mut u32) {
    thread::sync_threads();
    unsafe { out.write(3) };
}

/// A barrier in a function between two branches on one condition: it stays where it is, once.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn guarded(condition: bool, out: *mut u32) {
    if condition {
        unsafe { out.write(1) };
    }
    helper(out);
    if condition {
        unsafe { out.add(1).write(2) };
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn atomics(data: *const AtomicF32, tile: *const BlockAtomicF64) {
    let (data, tile) = unsafe { (&*data, &*tile) };
    data.fetch_add(1.0, Ordering::Relaxed);
    unsafe { tile.fetch_sub(tile.load(Ordering::Acquire), Ordering::Release) };
    data.store(2.0, Ordering::SeqCst);
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn barriers(data: *mut u32) {
    let here = unsafe { data.add(thread::index() as usize) };
    let value = unsafe { here.read() };
    let results = [
        thread::sync_threads_count(value),
        thread::sync_threads_and(value),
        thread::sync_threads_or(value),
    ];
    thread::device_fence();
    thread::system_fence();
    thread::nanosleep(10);
    unsafe { here.write(results[0] + results[1] + results[2]) };
}
"#;

const NAMES: [&str; 10] = [
    "warp_i32",
    "warp_list",
    "warp_masked",
    "block_padded",
    "block_words",
    "block_array",
    "grid_argmax",
    "reversed",
    "barriers",
    "atomics",
];

fn text() -> String {
    rust_ptx(KERNELS, &NAMES, 90, OptLevel::O3)
}

#[test]
fn a_reduction_leaves_the_instructions_it_needs() {
    let text = text();
    let expected = [
        ("warp_i32", "shfl.sync.down.b32", 5),
        ("warp_i32", "bar.sync", 0),
        // Two words, one and one, at each of five steps.
        ("warp_list", "shfl.sync.down.b32", 20),
        // 8 bytes, 1 byte and padding that is not moved; full warps, a partial one, and at last warp 0.
        ("block_padded", "bar.sync", 2),
        ("block_words", "bar.sync", 2),
        // 160 bytes move 128 at a time.
        ("block_array", "bar.sync", 4),
        ("grid_argmax", "atom.", 1),
        ("grid_argmax", "atom.acq_rel.gpu.global.inc.u32", 1),
        ("grid_argmax", "fence", 0),
        ("reversed", "bar.sync", 1),
        ("reversed", "st.shared.b32", 1),
        ("reversed", "ld.shared.b32", 1),
        ("barriers", "barrier.red.popc", 1),
        ("barriers", "barrier.red.and", 1),
        ("barriers", "barrier.red.or", 1),
        ("barriers", "fence.acq_rel.gpu", 1),
        ("barriers", "fence.acq_rel.sys", 1),
        ("barriers", "nanosleep", 1),
        ("atomics", "atom.global.add.f32", 1),
        ("atomics", "fence.acq_rel.cta", 1),
        ("atomics", "fence.sc.gpu", 1),
        ("atomics", "ld.relaxed.cta", 1),
        ("atomics", "st.relaxed.gpu", 1),
    ];
    for (kernel, opcode, times) in expected {
        let found = count(&instructions(&text, kernel), opcode);
        assert_eq!(found, times, "{kernel}: {opcode}\n{text}");
    }
    for kernel in NAMES {
        let instructions = instructions(&text, kernel);
        let calls = count(&instructions, "call") + count(&instructions, "brx");
        let local = instructions.iter().filter(|line| line.contains(".local")).count();
        let reds = count(&instructions, "red.");
        assert_eq!((calls, reds), (0, 0), "{kernel}\n{text}");
        // A value that moves in pieces is indexed, which registers cannot be.
        assert_eq!(local > 0, kernel == "block_array", "{kernel}\n{text}");
    }
}

#[test]
fn a_barrier_of_a_crate_of_kernels_stays_one() {
    for opt in [OptLevel::O0, OptLevel::O3] {
        let text = rust_ptx(KERNELS, &["guarded"], 90, opt);
        let kernel = instructions(&text, "guarded");
        // LLVM may inline the helper or not: one barrier or one call of it.
        let call = kernel.iter().filter(|line| line.contains("helper")).count();
        assert_eq!(count(&kernel, "bar.sync") + call, 1, "{opt}\n{text}");
        assert_eq!(text.matches("bar.sync").count(), 1, "{opt}\n{text}");
    }
}

/// The kernel over arrays has its loads in flight together, as wide as they can be, and no local memory.
#[test]
fn arrays_are_read_in_wide_loads() {
    const ARRAYS: &str = r#"
use core::ffi::c_void;
use device_rt::arrays;
use device_rt::reduce::op::{ArgMax, Indexed, Lift, Max, Plain2, Reduce, Sum};

#[derive(Clone, Copy)]
struct Dot;

impl Reduce<f64> for Dot {
    fn combine(self, left: f64, right: f64) -> f64 {
        left + right
    }
}

impl Lift<(f32, f64)> for Dot {
    type Value = f64;

    fn lift(self, (x, y): (f32, f64), _index: u64) -> f64 {
        x as f64 * y
    }
}

/// Linear functions, one after the other.
#[derive(Clone, Copy)]
struct Compose;

impl Reduce<[f64; 2]> for Compose {
    const COMMUTES: bool = false;

    fn combine(self, [a, b]: [f64; 2], [c, d]: [f64; 2]) -> [f64; 2] {
        [a * c, b * c + d]
    }
}

impl Lift<[f64; 2]> for Compose {
    type Value = [f64; 2];

    fn lift(self, item: [f64; 2], _index: u64) -> [f64; 2] {
        item
    }
}

macro_rules! kernels {
    ($($name:ident: $op:expr, $arrays:ident: $elements:ty = ($($array:ident: $element:ty),*) -> $result:ty;)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $name(
            n: u64, counters: *mut c_void, records: *mut c_void, result: *mut $result, $($array: *const $element),*
        ) {
            let $arrays: $elements = ($($array),*);
            unsafe { arrays::reduce($op, n, 0, $arrays, counters, records, result) }
        }
    )*};
}

kernels! {
    f32_sum: Sum, all: *const f32 = (a: f32) -> f32;
    f64_sum: Sum, all: *const f64 = (a: f64) -> f64;
    i8_sum: Sum, all: *const i8 = (a: i8) -> i8;
    i16_max: Max, all: *const i16 = (a: i16) -> i16;
    i128_sum: Sum, all: *const i128 = (a: i128) -> i128;
    f32_argmax: ArgMax, all: *const f32 = (a: f32) -> Indexed<f32>;
    f64_both: (Sum, Max), all: *const f64 = (a: f64) -> Plain2<f64, f64>;
    dot: Dot, all: (*const f32, *const f64) = (a: f32, b: f64) -> f64;
    compose: Compose, all: *const [f64; 2] = (a: [f64; 2]) -> [f64; 2];
}
"#;
    // What a load of four elements becomes, at least how many of a segment's are in flight, and whether a block can share
    // a chunk, with a barrier.
    let loads = [
        ("f32_sum", ".v4.b32", 16, 1),
        ("f64_sum", ".v2.b64", 16, 1),
        ("i8_sum", ".b32", 16, 1),
        ("i16_max", ".b64", 16, 1),
        ("i128_sum", ".v2.b64", 16, 1),
        ("f32_argmax", ".v4.b32", 12, 1),
        ("f64_both", ".v2.b64", 16, 1),
        ("dot", ".v4.b32", 4, 1),
        ("compose", ".b64", 4, 0),
    ];
    let names = loads.map(|(name, ..)| name);
    let text = rust_ptx(ARRAYS, &names, 90, OptLevel::O3);
    for (name, load, in_flight, barriers) in loads {
        let kernel = instructions(&text, name);
        let is_load = |line: &&&str| line.starts_with("ld.global") && line.contains(&format!("{load} "));
        // The most loads between two operations on what they read.
        let computes =
            |line: &&str| line.contains(".rn.f") || line.starts_with("setp") && line.contains(".f");
        let runs = kernel.split(computes);
        let most = runs.map(|run| run.iter().filter(is_load).count()).max();
        assert!(most >= Some(in_flight), "{name}: {most:?} loads in flight\n{text}");
        assert!(
            !kernel.iter().any(|line| line.contains(".local") || line.starts_with("call")),
            "{name}: {text}"
        );
        assert_eq!(count(&kernel, "bar.sync"), barriers, "{name}: {text}");
    }
}

/// Reductions in an order of their own are for operators that commute.
#[test]
fn an_operator_that_does_not_commute_is_rejected_where_its_order_is_lost() {
    let source = |call: &str| {
        format!(
            "use device_rt::reduce::op::Reduce;
             #[derive(Clone, Copy)]
             struct Left;
             impl Reduce<u32> for Left {{
                 const COMMUTES: bool = false;
                 fn combine(self, left: u32, _: u32) -> u32 {{ left }}
             }}
             #[unsafe(no_mangle)]
             pub unsafe extern \"ptx-kernel\" fn kernel(out: *mut u32) {{
                 if let Some(value) = unsafe {{ {call} }} {{
                     unsafe {{ out.write(value) }};
                 }}
             }}"
        )
    };
    let compiled = |call: &str| {
        let source = source(call);
        std::panic::catch_unwind(|| rust_ptx(&source, &["kernel"], 90, OptLevel::O3))
    };
    assert!(compiled("device_rt::warp::reduce_masked(1, Left, u32::MAX)").is_ok());
    for call in [
        "device_rt::warp::reduce(1, Left)",
        "device_rt::warp::reduce_contiguous(1, Left, 7)",
        "device_rt::block::reduce(1, Left)",
        "device_rt::grid::reduce(1, Left, core::ptr::null_mut())",
    ] {
        let message = compiled(call).expect_err(call);
        let message = message.downcast_ref::<String>().expect("a message");
        assert!(message.contains("the operator must commute"), "{call}: {message}");
    }
}

#[test]
fn a_module_has_what_its_kernels_use_and_nothing_else() {
    let text = rust_ptx(KERNELS, &["warp_i32"], 90, OptLevel::O3);
    assert_eq!(text.matches(".entry").count(), 1, "{text}");
    for absent in [".func", ".shared", ".global .", ".extern", "call"] {
        assert!(!text.contains(absent), "{absent} in\n{text}");
    }
}

#[test]
fn ptxas_accepts_them() {
    for sm in [80, 90] {
        let report = match tools().ptxas_check(&rust_ptx(KERNELS, &NAMES, sm, OptLevel::O3), sm) {
            Err(error @ toolchain::Error::ToolMissing { .. }) => return println!("not run: {error}"),
            other => other.unwrap_or_else(|error| panic!("{error}")),
        };
        for kernel in NAMES {
            let uses = report.function(kernel).expect("a kernel");
            assert_eq!(uses.stack > 0, kernel == "block_array", "{kernel} on sm_{sm}: {uses:?}");
            assert_eq!(uses.spill_stores, 0, "{kernel} on sm_{sm}: {uses:?}");
        }
    }
}
