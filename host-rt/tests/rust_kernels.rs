//! Kernels written in Rust on the emulator: typed arguments, shared memory, shuffles, atomics, reductions.

use cuda_driver::settings::{self, LaneGroupChoice, LaunchOptions, Settings};
use host_rt::{Device, Error, Kernel, KernelCrate, Module, OptLevel, Select, Shape};

const KERNELS: &str = r#"#![no_std]
#![feature(abi_ptx)]
use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::sync::atomic::Ordering;
use device_rt::atomic::{AtomicF64, BlockAtomicF32};
use device_rt::reduce::op::{Max, Min, Reduce, Sum};
use device_rt::shared::dynamic_shared_mem;
use device_rt::thread::Vec3;
use device_rt::{block, grid, shared_array, thread, warp};

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn saxpy(n: u64, a: f32, x: *const f32, y: *mut f32) {
    let i = thread::index_1d() as usize;
    if (i as u64) < n {
        unsafe { *y.add(i) += a * *x.add(i) };
    }
}

/// Stores the indices of each thread.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn indices(out: *mut [u32; 8]) {
    let Vec3 { x, y, z } = thread::thread_idx();
    let indices = [x, y, z, thread::index(), thread::index_2d().y, thread::index_3d().z,
        warp::lane_id(), thread::first() as u32];
    unsafe { out.add(thread::index() as usize).write(indices) };
}

/// Reverses each block's elements twice, through static and through dynamic shared memory.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn reversed(data: *mut u32) {
    let (here, last) = (thread::thread_idx_x() as usize, thread::block_dim_x() as usize - 1);
    let data = unsafe { data.add(thread::block_idx_x() as usize * (last + 1) + here) };
    for tile in [shared_array![u32; 256], dynamic_shared_mem::<u32>()] {
        unsafe {
            tile.add(here).write(data.read());
            thread::sync_threads();
            data.write(tile.add(last - here).read() + 1);
        }
        thread::sync_threads();
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn counted(data: *const u32, out: *mut [u32; 3]) {
    let value = unsafe { data.add(thread::index() as usize).read() };
    let results = [thread::sync_threads_count(value), thread::sync_threads_and(value), thread::sync_threads_or(value)];
    unsafe { out.add(thread::index() as usize).write(results) };
}

/// Shuffles and votes of the first 20 lanes of a warp, whose other lanes have returned.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn shuffled(out: *mut [u64; 7]) {
    const MASK: u32 = (1 << 20) - 1;
    let lane = warp::lane_id();
    if lane >= 20 {
        return;
    }
    let value = (lane as u64) << 32 | 7;
    let results = unsafe {
        [
            warp::shuffle_up(MASK, value, 3),
            warp::shuffle_down(MASK, value, if lane < 16 { 4 } else { 0 }),
            warp::shuffle_xor(MASK, value, 2),
            warp::shuffle_from(MASK, value, lane / 2),
            warp::ballot(MASK, lane > 17) as u64,
            warp::all(MASK, lane < 19) as u64 * 2 + warp::all(MASK, lane < 20) as u64,
            warp::any(MASK, lane > 18) as u64 * 2 + warp::any(MASK, lane > 19) as u64,
        ]
    };
    unsafe { out.add(lane as usize).write(results) };
}

/// Adds a value of each thread atomically, in shared memory and then in global memory.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn added(out: *const AtomicF64) {
    let tile = shared_array![BlockAtomicF32; 1];
    if thread::thread_idx_x() == 0 {
        unsafe { tile.write(BlockAtomicF32::new(0.0)) };
    }
    thread::sync_threads();
    unsafe { (*tile).fetch_add(0.5, Ordering::Relaxed) };
    thread::sync_threads();
    if thread::thread_idx_x() == 0 {
        unsafe { (*out).fetch_sub(-((*tile).load(Ordering::Acquire) as f64), Ordering::AcqRel) };
    }
}

/// A value with padding, whose operator is not commutative.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Affine {
    tag: u8,
    scale: u32,
    offset: u16,
}

#[derive(Clone, Copy)]
struct Then;

impl Reduce<Affine> for Then {
    const COMMUTES: bool = false;

    fn combine(self, first: Affine, second: Affine) -> Affine {
        Affine {
            tag: first.tag ^ second.tag,
            scale: first.scale.wrapping_mul(second.scale),
            offset: (first.offset as u32).wrapping_mul(second.scale).wrapping_add(second.offset as u32) as u16,
        }
    }
}

/// Reduces the lanes of `masks[warp]`, in order.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn masked(masks: *const u32, data: *const Affine, out: *mut Affine) {
    let (index, lane) = (thread::index() as usize, warp::lane_id());
    let mask = unsafe { masks.add(index / 32).read() };
    if mask >> lane & 1 == 1 {
        if let Some(reduced) = unsafe { warp::reduce_masked(data.add(index).read(), Then, mask) } {
            unsafe { out.add(index / 32).write(reduced) };
        }
    }
}

/// Reduces each block's elements, and counts the threads that hold the result.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn blocks(data: *const i32, out: *mut [i64; 3], got: *mut u32) {
    let value = unsafe { data.add(thread::index() as usize).read() };
    let all = unsafe { block::reduce((value as i64, value, value), (Sum, Min, Max)) };
    let count = thread::sync_threads_count(all.is_some() as u32);
    // A second reduction reuses the shared memory of the inter-warp copy.
    let again = unsafe { block::reduce((value as i64, value, value), (Sum, Min, Max)) };
    if let (Some(all), Some(again)) = (all, again) {
        let block = thread::block_idx_x() as usize;
        unsafe {
            out.add(block).write(if all == again { [all.0, all.1 as i64, all.2 as i64] } else { [0; 3] });
            got.add(block).write(count);
        }
    }
}

/// Reduces over the first threads of each block, as many as the block's index.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn first_threads(data: *const u64, out: *mut u64) {
    let (live, here) = (thread::block_idx_x(), thread::thread_idx_x());
    let value = match here < live {
        true => MaybeUninit::new(unsafe { data.add(here as usize).read() }),
        false => MaybeUninit::uninit(),
    };
    if let Some(sum) = unsafe { block::reduce_first(value, Sum, live) } {
        unsafe { out.add(live as usize).write(sum) };
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn whole(data: *const f32, workspace: *mut c_void, out: *mut f32) {
    let value = unsafe { data.add(thread::index() as usize).read() };
    if let Some(sum) = unsafe { grid::reduce(value, Sum, workspace) } {
        unsafe { *out += sum };
    }
}
"#;

const NAMES: [&str; 10] = [
    "saxpy",
    "indices",
    "reversed",
    "counted",
    "masked",
    "blocks",
    "first_threads",
    "whole",
    "shuffled",
    "added",
];

fn module(device: &Device, opt: OptLevel) -> Module {
    let krate = KernelCrate { name: "tests", sources: &[("src/lib.rs", KERNELS)], kernels: &NAMES, opt };
    Module::new(device, &krate).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs a test body with the kernels at two optimisation levels.
fn with_kernels(body: impl Fn(&Device, &Module)) {
    let device = Device::open(Select::Emulator).unwrap();
    for opt in [OptLevel::O0, OptLevel::O2] {
        body(&device, &module(&device, opt));
    }
}

fn kernel<'a>(module: &'a Module, name: &str) -> Kernel<'a> {
    module.kernel(name).unwrap()
}

#[test]
fn arguments_reach_the_kernel() {
    with_kernels(|device, module| {
        let stream = device.stream().unwrap();
        let x = device.buffer(&(0..1000).map(|i| i as f32).collect::<Vec<_>>()).unwrap();
        let mut y = device.buffer(&[1.0f32; 1000]).unwrap();
        // SAFETY: the parameters' types; the kernel accesses 999 elements.
        let launch =
            unsafe { kernel(module, "saxpy").launch(&stream, (4, 256), (999u64, 2.0f32, &x, &mut y)) };
        launch.unwrap().wait().unwrap();
        let y = y.to_vec().unwrap();
        assert!(y[..999].iter().enumerate().all(|(i, &y)| y == 1.0 + 2.0 * i as f32) && y[999] == 1.0);
    });
}

#[test]
fn invalid_launches_are_rejected() {
    let device = Device::open(Select::Emulator).unwrap();
    let (module, stream) = (module(&device, OptLevel::O2), device.stream().unwrap());
    let error = module.kernel("sapxy").unwrap_err();
    assert!(
        matches!(&error, Error::NoKernel { name, known } if name == "sapxy" && known.len() == NAMES.len()),
        "{error}"
    );
    let x = device.buffer(&[1.0f32]).unwrap();
    // SAFETY: nothing is launched.
    let error =
        unsafe { kernel(&module, "saxpy").launch(&stream, (1, 1), (1u64, 2.0f64, &x, &x)) }.unwrap_err();
    assert_eq!(
        error.to_string(),
        "saxpy takes parameters of (8, 4, 8, 8) bytes, but the arguments have (8, 8, 8, 8) bytes"
    );
    // SAFETY: as above.
    let error = unsafe { kernel(&module, "saxpy").launch(&stream, (1, 1), (1u64,)) }.unwrap_err();
    assert!(matches!(error, Error::Arguments { .. }), "{error}");
    let broken = KernelCrate {
        name: "broken",
        sources: &[("src/lib.rs", "#![no_std]\nfn f( {")],
        kernels: &["f"],
        opt: OptLevel::O2,
    };
    let error = Module::new(&device, &broken).unwrap_err().to_string();
    assert!(error.contains("src/lib.rs:2"), "{error}");
}

#[test]
fn threads_know_their_indices() {
    with_kernels(|device, module| {
        let stream = device.stream().unwrap();
        let shape = Shape { blocks: [2, 3, 2], threads: [5, 2, 7], shared_bytes: 0 };
        let mut out = device.buffer(&[[9u32; 8]; 12 * 70]).unwrap();
        // SAFETY: an element for each thread.
        unsafe { kernel(module, "indices").launch(&stream, shape, (&mut out,)) }.unwrap().wait().unwrap();
        for (index, found) in (0u32..).zip(out.to_vec().unwrap()) {
            let (block, thread) = (index / 70, index % 70);
            let (by, bz) = (block / 2 % 3, block / 6);
            let [x, y, z] = [thread % 5, thread / 5 % 2, thread / 10];
            let expected = [x, y, z, index, by * 2 + y, bz * 7 + z, thread % 32, u32::from(index == 0)];
            assert_eq!(found, expected, "thread {index}");
        }
    });
}

#[test]
fn each_block_has_its_own_shared_memory() {
    with_kernels(|device, module| {
        let stream = device.stream().unwrap();
        let data: Vec<u32> = (0..3 * 200).collect();
        let mut buffer = device.buffer(&data).unwrap();
        let shape = Shape { shared_bytes: 4 * 200, ..Shape::from((3, 200)) };
        // SAFETY: an element for each thread, and as much shared memory.
        unsafe { kernel(module, "reversed").launch(&stream, shape, (&mut buffer,)) }.unwrap().wait().unwrap();
        assert_eq!(buffer.to_vec().unwrap(), data.iter().map(|x| x + 2).collect::<Vec<_>>());

        let mut out = device.buffer(&[[9u32; 3]; 96 * 3]).unwrap();
        let values: Vec<u32> = (0..96 * 3).map(|i| [7, u32::from(i % 5 == 0), 0][i / 96]).collect();
        let values = device.buffer(&values).unwrap();
        // SAFETY: an element for each thread.
        unsafe { kernel(module, "counted").launch(&stream, (3, 96), (&values, &mut out)) }
            .unwrap()
            .wait()
            .unwrap();
        let expected = [[96, 1, 1], [19, 0, 1], [0, 0, 0]];
        assert!(out.to_vec().unwrap().iter().enumerate().all(|(i, &found)| found == expected[i / 96]));
    });
}

#[test]
fn shuffles_exchange_values_between_lanes() {
    with_kernels(|device, module| {
        let stream = device.stream().unwrap();
        let mut out = device.buffer(&[[9u64; 7]; 20]).unwrap();
        // SAFETY: an element for each lane.
        unsafe { kernel(module, "shuffled").launch(&stream, (1, 32), (&mut out,)) }.unwrap().wait().unwrap();
        let value = |lane: u64| lane << 32 | 7;
        for (lane, found) in (0..).zip(out.to_vec().unwrap()) {
            let up = value(if lane < 3 { lane } else { lane - 3 });
            let down = value(if lane < 16 { lane + 4 } else { lane });
            let expected = [up, down, value(lane ^ 2), value(lane / 2), 3 << 18, 1, 2];
            assert_eq!(found, expected, "lane {lane}");
        }
    });
}

#[test]
fn atomics_add_up() {
    with_kernels(|device, module| {
        let stream = device.stream().unwrap();
        let mut out = device.buffer(&[0.25f64]).unwrap();
        // SAFETY: one element.
        unsafe { kernel(module, "added").launch(&stream, (5, 100), (&mut out,)) }.unwrap().wait().unwrap();
        assert_eq!(out.to_vec().unwrap(), [250.25]);
    });
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Affine {
    tag: u8,
    scale: u32,
    offset: u16,
}

fn then(first: Affine, second: Affine) -> Affine {
    let offset = u32::from(first.offset).wrapping_mul(second.scale).wrapping_add(u32::from(second.offset));
    Affine {
        tag: first.tag ^ second.tag,
        scale: first.scale.wrapping_mul(second.scale),
        offset: offset as u16,
    }
}

#[test]
fn dispersed_lanes_keep_their_order() {
    with_kernels(|device, module| {
        let stream = device.stream().unwrap();
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) as u32
        };
        // Every mask of the first 8 lanes, then random ones.
        let masks: Vec<u32> =
            (1..256).chain((0..257).map(|_| random() & random().rotate_left(9) | 1 << 13)).collect();
        let data: Vec<Affine> = (0..masks.len() * 32)
            .map(|_| Affine { tag: random() as u8, scale: random() | 1, offset: random() as u16 })
            .collect();
        let (on_device, mask_buffer) = (device.buffer(&data).unwrap(), device.buffer(&masks).unwrap());
        let mut out = device.buffer(&vec![data[0]; masks.len()]).unwrap();
        let shape = (masks.len() as u32 / 8, 256);
        // SAFETY: an element for each thread, a mask and a result for each warp.
        let launch =
            unsafe { kernel(module, "masked").launch(&stream, shape, (&mask_buffer, &on_device, &mut out)) };
        launch.unwrap().wait().unwrap();
        for (warp, found) in out.to_vec().unwrap().into_iter().enumerate() {
            let lanes =
                (0..32).filter(|lane| masks[warp] >> lane & 1 == 1).map(|lane| data[warp * 32 + lane]);
            assert_eq!(Some(found), lanes.reduce(then), "mask {:#034b}", masks[warp]);
        }
    });
}

#[test]
fn blocks_of_all_sizes_reduce() {
    with_kernels(|device, module| {
        let stream = device.stream().unwrap();
        for threads in [1, 2, 31, 32, 33, 63, 64, 65, 96, 127, 255, 256, 257, 511, 512, 1000, 1023, 1024] {
            let data: Vec<i32> = (0..2 * threads as i32).map(|i| (i * 7919) % 1009 - 500).collect();
            let buffer = device.buffer(&data).unwrap();
            let (mut out, mut got) =
                (device.buffer(&[[0i64; 3]; 2]).unwrap(), device.buffer(&[0u32; 2]).unwrap());
            // SAFETY: an element for each thread, a result for each block.
            let launch = unsafe {
                kernel(module, "blocks").launch(&stream, (2, threads), (&buffer, &mut out, &mut got))
            };
            launch.unwrap().wait().unwrap();
            assert_eq!(got.to_vec().unwrap(), [1, 1], "{threads} threads");
            for (block, found) in out.to_vec().unwrap().into_iter().enumerate() {
                let data = &data[block * threads as usize..][..threads as usize];
                let sum: i64 = data.iter().map(|&x| i64::from(x)).sum();
                let (least, most) = (data.iter().min().unwrap(), data.iter().max().unwrap());
                let expected = [sum, i64::from(*least), i64::from(*most)];
                assert_eq!(found, expected, "{threads} threads, block {block}");
            }
        }

        let data: Vec<u64> = (0..300).map(|i| i * i + 1).collect();
        let (buffer, mut out) = (device.buffer(&data).unwrap(), device.buffer(&[u64::MAX; 301]).unwrap());
        // SAFETY: an element for each thread that takes part, a result for each block.
        unsafe { kernel(module, "first_threads").launch(&stream, (301, 300), (&buffer, &mut out)) }
            .unwrap()
            .wait()
            .unwrap();
        let sums = (0..=300).map(|live| if live == 0 { u64::MAX } else { data[..live].iter().sum() });
        assert_eq!(out.to_vec().unwrap(), sums.collect::<Vec<_>>());
    });
}

/// Sets the emulator's global settings; the results of the other tests do not depend on them.
#[test]
fn grids_give_the_same_bits_in_every_schedule() {
    with_kernels(|device, module| {
        let stream = device.stream().unwrap();
        let usual = LaunchOptions::default();
        let seeded = |seed| LaunchOptions { seed: Some(seed), ..usual.clone() };
        let schedules = [
            usual.clone(),
            LaunchOptions { reverse_blocks: true, ..usual.clone() },
            LaunchOptions { resident_blocks: Some(1), ..usual.clone() },
            LaunchOptions { groups: LaneGroupChoice::Any, ..seeded(1) },
            seeded(2),
        ];
        for (blocks, threads) in [(1, 77), (2, 32), (33, 64), (70, 96), (40, 1)] {
            let data: Vec<f32> = (0..blocks * threads)
                .map(|i: u32| (i.wrapping_mul(2_654_435_761) >> 8) as f32 * 1e-3)
                .collect();
            let buffer = device.buffer(&data).unwrap();
            let bytes = host_rt::workspace_bytes::<f32>(blocks as usize);
            let mut workspace = device.buffer(&vec![0u8; bytes]).unwrap();
            let results = schedules.each_ref().map(|schedule| {
                settings::configure(Settings { launch: Some(schedule.clone()), ..Settings::default() })
                    .unwrap();
                let mut out = device.buffer(&[0.5f32]).unwrap();
                let arguments = (&buffer, &mut workspace, &mut out);
                // SAFETY: an element for each thread, a header and a record for each block.
                unsafe { kernel(module, "whole").launch(&stream, (blocks, threads), arguments) }
                    .unwrap()
                    .wait()
                    .unwrap();
                out.to_vec().unwrap()[0]
            });
            let exact: f64 = 0.5 + data.iter().map(|&x| f64::from(x)).sum::<f64>();
            assert!(results.iter().all(|sum| sum.to_bits() == results[0].to_bits()), "{results:?}");
            assert!((f64::from(results[0]) - exact).abs() <= exact * 1e-6, "{results:?}, {exact}");
        }
        settings::configure(Settings::default()).unwrap();
    });
}
