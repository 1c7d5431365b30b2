//! The canonical order of combination: the same bits from every grid and schedule, and on the host.

use std::fmt::Debug;
use std::sync::{Mutex, PoisonError};

use cuda_driver::settings::{self, Engine, LaunchOptions, Settings};
use device_code::{Code, record_bytes};
use device_rt::reduce::canonical::{self, CHUNK};
use host_rt::{
    ArgMax, Device, Error, GeneratedReduction, Items, KernelCrate, KernelSpec, Lift, Max, Min, Module, Op,
    OptLevel, Partial, Plain, Portable, Product, Record, Reduce, ReductionList, Select, Source, Storable,
    Stream, Sum, Type, TypedReduction, Value, Variable, device_code,
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
             n: u64, first: u64, counters: *mut core::ffi::c_void, records: *mut core::ffi::c_void,\n\
             result: *mut <<{op_name} as Lift<{0}>>::Value as Storable>::Plain, a: *const {0}\n\
         ) {{\n\
             unsafe {{ device_rt::arrays::reduce({op_name}, n, first, a, counters, records, result) }}\n\
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
        let arguments = (n, 0u64, &mut counters, &mut records, &mut result, &array);
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

/// Reduces random parts on device and host, merges them in a random order, some of them as bytes, and compares.
fn parts_make_the_whole<I, O>(op: O, items: &[I], random: &mut impl FnMut(u64) -> u64)
where
    I: Items + Plain,
    O: Lift<I> + Portable,
    O::Value: Storable + Debug,
{
    let device = Device::open(Select::Emulator).unwrap();
    let (stream, reduction) = (device.stream().unwrap(), TypedReduction::new(&device, op).unwrap());
    let n = items.len() as u64;
    let expected = format!("{:?}", canonical::reduce(op, n, |i| items[i as usize]));
    for round in 0..8 {
        let mut cuts = vec![0, n];
        cuts.extend((0..random(12)).map(|_| random(n + 1)));
        // Chunks' ends, too.
        cuts.extend((0..round).map(|_| random(n / CHUNK + 1) * CHUNK));
        cuts.sort_unstable();
        let mut parts: Vec<Partial<I, O>> = Vec::new();
        for range in cuts.windows(2) {
            let part = &items[range[0] as usize..range[1] as usize];
            let part = match random(3) {
                0 => Partial::of(op, range[0], part),
                1 => reduction.partial_of(&stream, range[0], &device.buffer(part).unwrap()).unwrap(),
                _ => reduction.partial(&stream, range[0], part).unwrap(),
            };
            parts.push(match random(3) {
                0 => Partial::from_bytes(op, &part.to_bytes()).unwrap(),
                _ => part,
            });
        }
        while parts.len() > 1 {
            let other = parts.swap_remove(random(parts.len() as u64) as usize);
            let into = random(parts.len() as u64) as usize;
            parts[into].merge(other).unwrap();
        }
        assert_eq!(format!("{:?}", parts[0].finish().unwrap()), expected, "{cuts:?}");
        let bytes = parts[0].to_bytes();
        let again = Partial::<I, O>::from_bytes(op, &bytes).unwrap();
        assert_eq!(format!("{:?}", again.finish().unwrap()), expected);
        assert!(bytes.len() < 32 + 20 * 64 + (CHUNK as usize) * size_of::<I>(), "{}", bytes.len());
    }
}

fn pseudo_random() -> impl FnMut(u64) -> u64 {
    let mut state = 1u64;
    move |below| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 33) % below
    }
}

#[test]
fn parts_that_are_merged_in_any_order_make_the_whole() {
    let random = &mut pseudo_random();
    for n in [1, 1000, CHUNK, 5 * CHUNK + 77, 33 * CHUNK + 1] {
        let numbers: Vec<f32> = (0..n).map(|i| real(i) as f32).collect();
        parts_make_the_whole(Sum, &numbers, random);
        parts_make_the_whole(ArgMax, &numbers, random);
    }
    let functions: Vec<[f32; 2]> =
        (0..3 * CHUNK + 5).map(|i| [1.0 - (i % 7) as f32 * 1e-3, real(i) as f32]).collect();
    parts_make_the_whole(operators::Compose, &functions, random);
    let items: Vec<operators::Item> = (0..2 * CHUNK + 5)
        .map(|i| operators::Item { tag: 1, x: real(i), weight: 1.0 + (i % 3) as f32 })
        .collect();
    parts_make_the_whole(operators::Welford, &items, random);
}

#[test]
fn elements_of_an_iterator_are_reduced_as_those_of_a_slice() {
    let device = Device::open(Select::Emulator).unwrap();
    let (stream, reduction) = (device.stream().unwrap(), TypedReduction::new(&device, Sum).unwrap());
    for n in [0u64, 1, 20_001] {
        let found: f64 = reduction.reduce_iter(&stream, (0..n).map(real)).unwrap();
        let expected = canonical::reduce(Sum, n, real).unwrap_or(-0.0);
        assert_eq!(found.to_bits(), expected.to_bits(), "{n} elements");
    }
}

#[test]
fn parts_that_do_not_fit_are_errors() {
    let numbers = [1.0f32; 3 * CHUNK as usize];
    let part = |first: u64, length: usize| Partial::of(Sum, first, &numbers[..length]);
    let index = |error: Error| match error {
        Error::Partial { index, .. } => index,
        other => panic!("{other}"),
    };
    assert_eq!(part(0, 0).finish().unwrap(), None);
    assert_eq!(index(part(1, 5).finish().unwrap_err()), 0);
    let mut one = part(0, 10_000);
    assert_eq!(index(one.merge(part(9_999, 10)).unwrap_err()), 9_999);
    assert_eq!(index(one.merge(part(8_192, 1)).unwrap_err()), 8_192);
    assert_eq!(index(one.merge(part(5, 1)).unwrap_err()), 5);
    assert_eq!(one.finish().unwrap(), Some(10_000.0));
    one.merge(part(10_001, 9_000)).unwrap();
    let error = one.finish().unwrap_err();
    assert_eq!(error.to_string(), "partial results are without element 10000");
    one.merge(part(10_000, 1)).unwrap();
    assert_eq!(one.finish().unwrap(), Some(19_001.0));
}

#[test]
fn bytes_that_are_no_partial_result_are_rejected() {
    let numbers: Vec<f32> = (0..3 * CHUNK + 100).map(|i| real(i) as f32).collect();
    let good = Partial::of(Sum, 100, &numbers).to_bytes();
    let read = |bytes: &[u8]| Partial::<f32, Sum>::from_bytes(Sum, bytes);
    assert!(read(&good).is_ok());
    let error = Partial::<f64, Sum>::from_bytes(Sum, &good).unwrap_err().to_string();
    assert_eq!(
        error,
        "these bytes are no partial result of this reduction: its elements have 4 bytes instead of 8"
    );
    for length in (0..good.len()).step_by(97).chain(0..200) {
        assert!(read(&good[..length]).is_err(), "{length}");
    }
    // Damaged ones are read or rejected, and what is read can be used.
    let random = &mut pseudo_random();
    for _ in 0..3000 {
        let mut bytes = good.clone();
        for _ in 0..=random(3) {
            let at = random(120) as usize;
            bytes[at] = random(256) as u8;
        }
        if let Ok(mut partial) = read(&bytes) {
            let _ = partial.finish();
            let _ = partial.merge(Partial::of(Sum, 0, &numbers[..100]));
            let _ = partial.finish();
        }
    }
}

/// The sum of products, as generated kernels compute it: each product is added without being rounded.
#[derive(Clone, Copy)]
struct Fused;

impl Reduce<f32> for Fused {
    fn combine(self, left: f32, right: f32) -> f32 {
        left + right
    }
}

impl Lift<(f32, f32)> for Fused {
    type Value = f32;

    fn lift(self, (x, y): (f32, f32), _index: u64) -> f32 {
        x * y
    }

    fn accumulate(self, value: f32, (x, y): (f32, f32), _index: u64) -> f32 {
        x.mul_add(y, value)
    }
}

#[test]
fn generated_kernels_give_the_bits_of_the_host() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let device = Device::open(Select::Emulator).unwrap();
    let stream = device.stream().unwrap();
    let variable = |name: &str, ty, op, source| Variable { name: name.to_owned(), ty, op, source };
    let variables = vec![
        variable("f64", Type::F64, Op::Sum, Source::Array(0)),
        variable("least", Type::F64, Op::Min, Source::Array(0)),
        variable("f32", Type::F32, Op::Sum, Source::Array(1)),
        variable("best", Type::F32, Op::ArgMax, Source::Array(1)),
        variable("dot", Type::F32, Op::Sum, Source::Product(1, 2)),
        variable("product", Type::F32, Op::Product, Source::Array(2)),
        variable("bytes", Type::I64, Op::Sum, Source::Array(3)),
    ];
    let n = 33 * CHUNK + 1;
    let a: Vec<f64> = (0..n).map(real).collect();
    let b: Vec<f32> = (0..n).map(|i| real(i + 5) as f32).collect();
    let c: Vec<f32> = (0..n).map(|i| 1.0 + (real(i) * 1e-9) as f32 % 1e-3).collect();
    let d: Vec<i8> = (0..n).map(|i| real(i) as i64 as i8).collect();
    let buffers = |skip: usize| {
        let (a, b) = (device.buffer(&a[skip..]).unwrap(), device.buffer(&b[skip..]).unwrap());
        (a, b, device.buffer(&c[skip..]).unwrap(), device.buffer(&d[skip..]).unwrap())
    };
    let (all, later) = (buffers(0), buffers(1));
    let types = [Type::F64, Type::F32, Type::F32, Type::I8];
    // All at once, whose columns are taken one after the other, and each alone.
    let lists = variables.iter().map(|one| vec![one.clone()]).chain([variables.clone()]);
    for (number, list) in lists.enumerate() {
        let list = ReductionList::new(list).unwrap();
        let threads = [32, 256, 1024][number % 3];
        let spec = KernelSpec::new(list.clone(), types.to_vec(), threads).unwrap().in_canonical_order();
        let reduction = GeneratedReduction::new(&device, spec).unwrap();
        for n in SIZES {
            let at = |i: u64| i as usize;
            let expected: Vec<Value> = list
                .variables()
                .iter()
                .map(|variable| match variable.name.as_str() {
                    "f64" => Value::F64(canonical::reduce(Sum, n, |i| a[at(i)]).unwrap()),
                    "least" => Value::F64(canonical::reduce(Min, n, |i| a[at(i)]).unwrap()),
                    "f32" => Value::F32(canonical::reduce(Sum, n, |i| b[at(i)]).unwrap()),
                    "best" => {
                        let best = canonical::reduce(ArgMax, n, |i| b[at(i)]).unwrap();
                        Value::Struct(vec![Value::F32(best.value), Value::I64(best.index)])
                    }
                    "dot" => Value::F32(canonical::reduce(Fused, n, |i| (b[at(i)], c[at(i)])).unwrap()),
                    "product" => Value::F32(canonical::reduce(Product, n, |i| c[at(i)]).unwrap()),
                    _ => Value::I64(d[..n as usize].iter().map(|&byte| i64::from(byte)).sum()),
                })
                .collect();
            let arrays = [all.0.array(), all.1.array(), all.2.array(), all.3.array()];
            let mut record = Record::identity(&list);
            reduction.run(&stream, n, &arrays, &mut record).unwrap();
            assert_eq!(format!("{:?}", record.values()), format!("{expected:?}"), "{n} elements");
        }
        // Arrays that are not aligned to 16 bytes.
        let n = 20_001;
        let unaligned = [
            all.0.slice(1..1 + n).unwrap(),
            all.1.slice(1..1 + n).unwrap(),
            all.2.slice(1..1 + n).unwrap(),
            all.3.slice(1..1 + n).unwrap(),
        ];
        let records =
            [unaligned, [later.0.array(), later.1.array(), later.2.array(), later.3.array()]].map(|arrays| {
                let mut record = Record::identity(&list);
                reduction.run(&stream, n as u64, &arrays, &mut record).unwrap();
                format!("{:?}", record.values())
            });
        assert_eq!(records[0], records[1]);
    }
}

/// Pieces of whole chunks make the tree of the whole; the records of chunks grow meanwhile.
#[test]
fn pieces_of_whole_chunks_have_the_bits_of_the_whole() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let device = Device::open(Select::Emulator).unwrap();
    let stream = device.stream().unwrap();
    let sum = Variable { name: "sum".to_owned(), ty: Type::F32, op: Op::Sum, source: Source::Array(0) };
    let list = ReductionList::new(vec![sum]).unwrap();
    let spec = KernelSpec::new(list.clone(), vec![Type::F32], 256).unwrap().in_canonical_order();
    let reduction = GeneratedReduction::new(&device, spec).unwrap();
    // More chunks than there are records for at first.
    let n = 1100 * CHUNK + 77;
    let data: Vec<f32> = (0..n).map(|i| real(i) as f32).collect();
    let expected = canonical::reduce(Sum, n, |i| data[i as usize]).unwrap();
    let mut feed = reduction.feed(&stream, &Record::identity(&list), 150_000).unwrap();
    let bytes: Vec<u8> = data.iter().flat_map(|number| number.to_le_bytes()).collect();
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        let piece = feed.piece().unwrap();
        assert_eq!(piece.len() as u64, 4 * 4 * CHUNK);
        let (now, later) = rest.split_at(piece.len().min(rest.len()));
        piece[..now.len()].copy_from_slice(now);
        feed.submit(now.len()).unwrap();
        rest = later;
    }
    let error = feed.submit(4).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "nothing can follow {n} elements: in the canonical order all pieces but the last are multiples of 8192"
        )
    );
    assert_eq!(feed.finish().unwrap().values(), [Value::F32(expected)]);

    let buffer = device.buffer(&data).unwrap();
    let mut record = Record::new(&list, &[Value::F32(0.5)]).unwrap();
    reduction.run(&stream, n, &[buffer.array()], &mut record).unwrap();
    assert_eq!(record.values(), [Value::F32(0.5 + expected)]);
    reduction.run(&stream, 0, &[buffer.array()], &mut record).unwrap();
    assert_eq!(record.values(), [Value::F32(0.5 + expected)]);
}
