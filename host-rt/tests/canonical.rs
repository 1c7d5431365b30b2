//! The canonical order of combination: the same bits from every grid and schedule, and on the host.

use std::fmt::Debug;
use std::sync::{Mutex, PoisonError};

use cuda_driver::settings::{self, Engine, LaunchOptions, Settings};
use device_code::{Code, record_bytes};
use device_rt::reduce::canonical::{self, CHUNK};
use host_rt::{
    ArgMax, Device, Items, KernelCrate, Lift, Max, Min, Module, OptLevel, Plain, Portable, Product, Select,
    Storable, Stream, Sum, device_code,
};

device_code! {
    mod operators exports Compose, Welford, Item, Dot {
        /// Linear functions, the left one first: does not commute, and rounds.
        #[derive(Clone, Copy)]
        pub struct Compose;

        impl Reduce<[f32; 2]> for Compose {
            const COMMUTES: bool = false;

            fn combine(self, [a, b]: [f32; 2], [c, d]: [f32; 2]) -> [f32; 2] {
                [a * c, b * c + d]
            }
        }

        impl Lift<[f32; 2]> for Compose {
            type Value = [f32; 2];

            fn lift(self, item: [f32; 2], _index: u64) -> [f32; 2] {
                item
            }
        }

        plain! {
            /// An element with padding, that is not a divisor of 16 bytes.
            #[derive(Clone, Copy, Debug, PartialEq)]
            pub struct Item {
                pub tag: u8,
                pub x: f64,
                pub weight: f32,
            }
        }

        /// Weights, mean and sum of squared deviations, and where the first element was.
        #[derive(Clone, Copy)]
        pub struct Welford;

        impl Reduce<(f64, f64, f64, u64)> for Welford {
            fn combine(self, a: (f64, f64, f64, u64), b: (f64, f64, f64, u64)) -> (f64, f64, f64, u64) {
                let (all, delta) = (a.0 + b.0, b.1 - a.1);
                let first = if a.3 < b.3 { a.3 } else { b.3 };
                (all, a.1 + delta * b.0 / all, a.2 + b.2 + delta * delta * a.0 * b.0 / all, first)
            }
        }

        impl Lift<Item> for Welford {
            type Value = (f64, f64, f64, u64);

            fn lift(self, item: Item, index: u64) -> (f64, f64, f64, u64) {
                (item.weight as f64, item.x, 0.0, index)
            }
        }

        #[derive(Clone, Copy)]
        pub struct Dot;

        impl Reduce<f64> for Dot {
            fn combine(self, a: f64, b: f64) -> f64 {
                a + b
            }
        }

        impl Lift<(f32, f64)> for Dot {
            type Value = f64;

            fn lift(self, (x, y): (f32, f64), _index: u64) -> f64 {
                x as f64 * y
            }
        }
    }
}

/// Around the sizes of columns, segments, chunks and groups of chunks.
const SIZES: [u64; 10] = [1, 100, 129, 2047, 2049, CHUNK - 1, CHUNK, CHUNK + 1, 100_003, 33 * CHUNK + 1];

/// Blocks, and threads per block.
const GRIDS: [(u32, u32); 8] =
    [(1, 32), (1, 1024), (3, 96), (2, 128), (40, 128), (7, 64), (40, 256), (5000, 32)];

/// Reduces the first elements in a grid, and gives the result as text, in which equal means the same bits.
type OnDevice = Box<dyn Fn(&Module, &Stream, u64, (u32, u32)) -> String>;

struct Case {
    name: &'static str,
    kernel: String,
    on_host: Box<dyn Fn(u64) -> String>,
    on_device: OnDevice,
}

fn case<I, O>(code: &mut Code, name: &'static str, op: O, initial: O::Value, element: fn(u64) -> I) -> Case
where
    I: Items + Plain,
    O: Lift<I> + Portable + 'static,
    O::Value: Storable + Debug + 'static,
{
    let (op_name, elements) = (O::name(code), I::elements(code));
    let kernel = format!(
        "#[unsafe(no_mangle)]\n\
         pub unsafe extern \"ptx-kernel\" fn {name}(\n\
             n: u64, counters: *mut core::ffi::c_void, records: *mut core::ffi::c_void,\n\
             result: *mut <<{op_name} as Lift<{0}>>::Value as Storable>::Plain, a: *const {0}\n\
         ) {{\n\
             unsafe {{ device_rt::arrays::reduce({op_name}, n, a, counters, records, result) }}\n\
         }}\n",
        elements[0]
    );
    let data: Vec<I> = (0..SIZES[SIZES.len() - 1]).map(element).collect();
    let on_host = {
        let data = data.clone();
        move |n| {
            let value = canonical::reduce(op, n, |i| data[i as usize]).unwrap();
            format!("{:?}", op.combine(initial, value))
        }
    };
    let on_device = move |module: &Module, stream: &Stream, n: u64, grid| {
        let device = Device::open(Select::Emulator).unwrap();
        let array = device.buffer(&data[..n as usize]).unwrap();
        let chunks = n.div_ceil(CHUNK) as usize;
        let mut counters =
            device.buffer(&vec![0u32; canonical::counters(chunks as u32).max(1) as usize]).unwrap();
        let mut records = device.buffer(&vec![0u8; chunks * record_bytes::<O::Value>()]).unwrap();
        let mut result = device.buffer(&[initial.store()]).unwrap();
        let arguments = (n, &mut counters, &mut records, &mut result, &array);
        // SAFETY: the kernel's parameters, with a counter and a record for each chunk.
        unsafe { module.kernel(name).unwrap().launch(stream, grid, arguments) }.unwrap().wait().unwrap();
        assert!(counters.to_vec().unwrap().iter().all(|count| *count == 0), "{name} {n} {grid:?}");
        format!("{:?}", O::Value::load(result.to_vec().unwrap()[0]))
    };
    Case { name, kernel, on_host: Box::new(on_host), on_device: Box::new(on_device) }
}

/// A number of any magnitude.
fn real(i: u64) -> f64 {
    let bits = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((bits >> 20) as f64 - 8e12) * 2f64.powi((bits % 40) as i32 - 60)
}

/// The emulator's settings are those of the process: one test at a time.
static TURN: Mutex<()> = Mutex::new(());

fn with_cases(opt: OptLevel, test: impl Fn(&[Case], &Module, &Stream)) {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let code = &mut Code::default();
    let near_one = |i| 1.0 + (real(i) * 1e-9) as f32 % 1e-3;
    let cases = [
        case(code, "f32_sum", Sum, 0.5, |i| real(i) as f32),
        case(code, "f64_sum", Sum, -0.0, real),
        case(code, "f32_product", Product, 1.0, near_one),
        case(code, "three", (Sum, Min, Max), (1.0, 0.0, 0.0), real),
        case(code, "best", ArgMax, host_rt::Indexed { value: 0.0, index: -1 }, |i| real(i) as f32),
        case(code, "bytes", (Sum, Max), (1, -5), |i| real(i) as i64 as i8),
        case(code, "pairs", Sum, [0.0, 1.0], |i| [real(i), real(i + 1)]),
        case(code, "wide", Sum, [1; 3], |i| [real(i) as i128; 3]),
        case(code, "compose", operators::Compose, [1.0, 0.0], |i| {
            [1.0 - (i % 7) as f32 * 1e-3, real(i) as f32]
        }),
        case(code, "welford", operators::Welford, (1.0, 0.0, 0.0, u64::MAX), |i| operators::Item {
            tag: 1,
            x: real(i),
            weight: 1.0 + (i % 3) as f32,
        }),
    ];
    let kernels: String = cases.iter().map(|case| case.kernel.as_str()).collect();
    let (source, names) = (code.source(&kernels), cases.each_ref().map(|case| case.name));
    let device = Device::open(Select::Emulator).unwrap();
    let krate = KernelCrate { name: "canonical", sources: &[("src/lib.rs", &source)], kernels: &names, opt };
    let module = Module::new(&device, &krate).unwrap();
    test(&cases, &module, &device.stream().unwrap());
}

#[test]
fn every_grid_gives_the_bits_of_the_host() {
    with_cases(OptLevel::O3, |cases, module, stream| {
        for (number, case) in cases.iter().enumerate() {
            for (at, n) in SIZES.into_iter().enumerate() {
                let expected = (case.on_host)(n);
                // Each pair of two of operator, size and grid.
                for grid in [0, 1, 3, 4].map(|step| GRIDS[(number + at + step) % GRIDS.len()]) {
                    let found = (case.on_device)(module, stream, n, grid);
                    assert_eq!(found, expected, "{}, {n} elements, {grid:?}", case.name);
                }
            }
        }
    });
}

#[test]
fn unoptimised_kernels_give_the_same_bits() {
    with_cases(OptLevel::O0, |cases, module, stream| {
        for (number, case) in cases.iter().enumerate() {
            for n in [[1, 2049, CHUNK + 1], [100, 2047, 20_001]][number % 2] {
                let found = (case.on_device)(module, stream, n, [(2, 64), (3, 128)][n as usize % 2]);
                assert_eq!(found, (case.on_host)(n), "{}, {n} elements", case.name);
            }
        }
    });
}

#[test]
fn every_schedule_gives_the_bits_of_the_host() {
    let usual = LaunchOptions::default();
    let schedules = [
        LaunchOptions { reverse_blocks: true, ..usual.clone() },
        LaunchOptions { seed: Some(1), ..usual.clone() },
        LaunchOptions { seed: Some(2), switch_every: Some(1), ..usual.clone() },
        LaunchOptions { jobs: 4, ..usual.clone() },
        LaunchOptions { engine: Engine::Compile, ..usual },
    ];
    with_cases(OptLevel::O3, |cases, module, stream| {
        for schedule in &schedules {
            settings::configure(Settings { launch: Some(schedule.clone()), ..Settings::default() }).unwrap();
            for case in cases.iter().step_by(4) {
                let n = 33 * CHUNK + 1;
                let found = (case.on_device)(module, stream, n, (34, 128));
                assert_eq!(found, (case.on_host)(n), "{}, {schedule:?}", case.name);
            }
        }
        settings::configure(Settings::default()).unwrap();
    });
}

#[test]
fn arrays_of_the_host_are_reduced_in_it() {
    let device = Device::open(Select::Emulator).unwrap();
    for n in [1usize, 1000, 20_001] {
        let (x, y): (Vec<f32>, Vec<f64>) = (0..n as u64).map(|i| (real(i) as f32, real(i + 7))).unzip();
        let expected =
            canonical::reduce(operators::Dot, n as u64, |i| (x[i as usize], y[i as usize])).unwrap();
        let found = device.fold(-0.0, (&x, &y), operators::Dot).unwrap();
        assert_eq!(found.to_bits(), expected.to_bits(), "{n} elements");
    }
    // An operator that does not commute, with elements that show their order.
    let items: Vec<[f32; 2]> =
        (0..9000).map(|i| [if i % 100 == 99 { 0.5 } else { 1.0 }, (i % 4) as f32]).collect();
    let in_order = items.iter().fold([1.0, 0.0], |[a, b], [c, d]| [a * c, b * c + d]);
    let found = device.fold([1.0, 0.0], &items, operators::Compose).unwrap();
    assert!(
        (found[1] - in_order[1]).abs() <= in_order[1] * 1e-6 && found[0] == in_order[0],
        "{found:?} {in_order:?}"
    );
}
