//! Whole reductions through host-rt.

use std::thread;

use codegen_shim::{KernelSpec, Op, ReductionList, Source, Type, Variable};
use host_rt::{Element, Finalize, GeneratedReduction, OptLevel, Options, Record, Value};

use crate::{Fixture, random::random};

/// No element, one, around a warp, some blocks, and many elements with a remainder.
const SIZES: [usize; 7] = [0, 1, 31, 32, 33, 1000, 1_000_003];

fn variable(name: &str, ty: Type, op: Op, source: Source) -> Variable {
    Variable { name: name.into(), ty, op, source }
}

/// Sum, minimum and maximum of array 0.
fn three(ty: Type) -> KernelSpec {
    let of = |name, op| variable(name, ty, op, Source::Array(0));
    let list = ReductionList::new(vec![of("sum", Op::Sum), of("min", Op::Min), of("max", Op::Max)]).unwrap();
    KernelSpec::new(list, vec![ty], host_rt::BLOCK_THREADS).unwrap()
}

fn compile(fixture: &Fixture, spec: KernelSpec, opt: OptLevel, finalize: Finalize) -> GeneratedReduction {
    GeneratedReduction::with_options(&fixture.device, spec, Options { opt, finalize, ..Options::default() })
        .unwrap_or_else(|e| panic!("{e}"))
}

fn usual(fixture: &Fixture, spec: KernelSpec) -> GeneratedReduction {
    compile(fixture, spec, OptLevel::O3, Finalize::LastBlock)
}

/// A type as the host computes with it.
trait Number: Element + PartialOrd + Into<Value> {
    const OF: Type;
    /// A value from random bits; floating-point sums of a million of them are exact.
    fn of(bits: u64) -> Self;
    fn plus(self, other: Self) -> Self;
}

macro_rules! number {
    ($($t:ident $ty:ident |$bits:ident| $of:expr, |$a:ident, $b:ident| $plus:expr;)*) => {
        $(impl Number for $t {
            const OF: Type = Type::$ty;
            fn of($bits: u64) -> $t { $of }
            fn plus(self, other: $t) -> $t { let ($a, $b) = (self, other); $plus }
        })*
    };
}

number! {
    i32 I32 |bits| bits as i32, |a, b| a.wrapping_add(b);
    i64 I64 |bits| bits as i64, |a, b| a.wrapping_add(b);
    f32 F32 |bits| (bits % 16) as f32 - 8.0, |a, b| a + b;
    f64 F64 |bits| (bits % 4096) as f64 / 4.0 - 512.0, |a, b| a + b;
}

/// `initial` combined with all `values` by sum, minimum and maximum.
fn expected<T: Number>(initial: [T; 3], values: &[T]) -> Vec<Value> {
    let [sum, min, max] = initial;
    let sum = values.iter().fold(sum, |sum, v| sum.plus(*v));
    let min = values.iter().fold(min, |min, v| if *v < min { *v } else { min });
    let max = values.iter().fold(max, |max, v| if *v > max { *v } else { max });
    vec![sum.into(), min.into(), max.into()]
}

fn check<T: Number>(fixture: &Fixture, opt: OptLevel, finalize: Finalize, sizes: &[usize]) {
    let reduction = compile(fixture, three(T::OF), opt, finalize);
    let stream = fixture.device.stream().unwrap();
    for &size in sizes {
        let values: Vec<T> = random(size as u64).take(size).map(T::of).collect();
        let initial = [T::of(11), T::of(12), T::of(13)];
        let mut record = Record::new(reduction.spec().list(), &initial.map(Into::into)).unwrap();
        let buffer = fixture.device.buffer(&values).unwrap();
        reduction.run(&stream, size as u64, &[buffer.array()], &mut record).unwrap_or_else(|e| panic!("{e}"));
        let context = format!("{}, {size} elements, {opt:?}, {finalize:?}", T::OF);
        assert_eq!(record.values(), expected(initial, &values), "{context}");
    }
}

fn check_all_types(fixture: &Fixture, opt: OptLevel, finalize: Finalize, sizes: &[usize]) {
    check::<i32>(fixture, opt, finalize, sizes);
    check::<i64>(fixture, opt, finalize, sizes);
    check::<f32>(fixture, opt, finalize, sizes);
    check::<f64>(fixture, opt, finalize, sizes);
}

/// Every type and operator over every size, from non-zero initial values.
pub fn sizes_types_and_operators(fixture: &Fixture) {
    check_all_types(fixture, OptLevel::O3, Finalize::LastBlock, &SIZES);
    check_all_types(fixture, OptLevel::O3, Finalize::SecondLaunch, &SIZES);
    check_all_types(fixture, OptLevel::O2, Finalize::LastBlock, &[33, 20_011]);
}

/// The same without optimisation: no inlining, private copies in local memory, calls through pointers.
pub fn unoptimised_kernels(fixture: &Fixture) {
    check_all_types(fixture, OptLevel::O0, Finalize::LastBlock, &[0, 1, 33, 1000, 20_011]);
    check_all_types(fixture, OptLevel::O0, Finalize::SecondLaunch, &[0, 33, 20_011]);
}

/// `foo += A[i]; bar += B[i]` from initial values, which count once, N = 0 included.
pub fn initial_values_count_once(fixture: &Fixture) {
    let of = |name, array| variable(name, Type::F64, Op::Sum, Source::Array(array));
    let list = ReductionList::new(vec![of("foo", 0), of("bar", 1)]).unwrap();
    let spec = KernelSpec::new(list, vec![Type::F64; 2], host_rt::BLOCK_THREADS).unwrap();
    let reduction = usual(fixture, spec);
    let stream = fixture.device.stream().unwrap();
    for size in SIZES {
        let a: Vec<f64> = (0..size).map(|i| i as f64).collect();
        let b: Vec<f64> = (0..size).map(|i| 0.5 - (i % 9) as f64).collect();
        let mut record = Record::new(reduction.spec().list(), &[Value::F64(0.25), Value::F64(-1e6)]).unwrap();
        let (da, db) = (fixture.device.buffer(&a).unwrap(), fixture.device.buffer(&b).unwrap());
        reduction.run(&stream, size as u64, &[da.array(), db.array()], &mut record).unwrap();
        let sums = [0.25 + a.iter().sum::<f64>(), -1e6 + b.iter().sum::<f64>()];
        assert_eq!(record.values(), sums.map(Value::F64), "{size} elements");
    }
}

/// A sum whose rounding depends on the order has the same bits in every launch, and whether the last block
/// folds the records or a second launch does.
pub fn sums_are_reproducible(fixture: &Fixture) {
    for size in [1000, 1_000_003] {
        let values: Vec<f64> = random(7).take(size).map(|bits| (bits as i64) as f64 * 1e-12).collect();
        let buffer = fixture.device.buffer(&values).unwrap();
        let stream = fixture.device.stream().unwrap();
        let mut bits = Vec::new();
        for finalize in [Finalize::LastBlock, Finalize::SecondLaunch] {
            let reduction = compile(fixture, three(Type::F64), OptLevel::O3, finalize);
            for _ in 0..3 {
                let mut record = Record::identity(reduction.spec().list());
                reduction.run(&stream, size as u64, &[buffer.array()], &mut record).unwrap();
                let Some(Value::F64(sum)) = record.get("sum") else { panic!("an f64 sum") };
                bits.push(sum.to_bits());
            }
        }
        assert!(bits.iter().all(|b| *b == bits[0]), "{size} elements: {bits:x?}");
        let about: f64 = values.iter().sum();
        let error = (f64::from_bits(bits[0]) - about).abs();
        assert!(error <= 1e-12 * values.iter().map(|v| v.abs()).sum::<f64>(), "{error}");
    }
}

/// Arrays that begin and end at any element: the elements beside them must not enter the result.
pub fn unaligned_arrays(fixture: &Fixture) {
    fn check<T: Number>(fixture: &Fixture) {
        let values: Vec<T> = random(3).take(5000).map(T::of).collect();
        let buffer = fixture.device.buffer(&values).unwrap();
        let reduction = usual(fixture, three(T::OF));
        let stream = fixture.device.stream().unwrap();
        for start in 0..5 {
            for end in [start, start + 1, start + 67, 4999] {
                let part = &values[start..end];
                let initial = [T::of(1), T::of(2), T::of(3)];
                let mut record = Record::new(reduction.spec().list(), &initial.map(Into::into)).unwrap();
                let array = buffer.slice(start..end).unwrap();
                reduction.run(&stream, part.len() as u64, &[array], &mut record).unwrap();
                assert_eq!(record.values(), expected(initial, part), "{}, {start}..{end}", T::OF);
            }
        }
    }
    check::<i32>(fixture);
    check::<f64>(fixture);
}

/// Variables and arrays of different types in one list, and products of elements.
pub fn mixed_types(fixture: &Fixture) {
    let list = ReductionList::new(vec![
        variable("dot", Type::F32, Op::Sum, Source::Product(0, 1)),
        variable("least", Type::I64, Op::Min, Source::Array(2)),
        variable("sum", Type::F64, Op::Sum, Source::Array(3)),
        variable("most", Type::F32, Op::Max, Source::Array(1)),
    ])
    .unwrap();
    let arrays = vec![Type::F32, Type::F32, Type::I64, Type::F64];
    let reduction = usual(fixture, KernelSpec::new(list, arrays, host_rt::BLOCK_THREADS).unwrap());
    let stream = fixture.device.stream().unwrap();
    for size in [0, 1, 7, 1000, 70_001] {
        let x: Vec<f32> = (0..size).map(|i| (i % 5) as f32).collect();
        let y: Vec<f32> = (0..size).map(|i| (i % 3) as f32 - 1.0).collect();
        let z: Vec<i64> = random(5).take(size).map(|bits| bits as i64).collect();
        let w: Vec<f64> = (0..size).map(|i| i as f64).collect();
        let initial = [Value::F32(1.0), Value::I64(i64::MAX), Value::F64(0.5), Value::F32(-9.0)];
        let mut record = Record::new(reduction.spec().list(), &initial).unwrap();
        let buffers = (
            fixture.device.buffer(&x).unwrap(),
            fixture.device.buffer(&y).unwrap(),
            fixture.device.buffer(&z).unwrap(),
            fixture.device.buffer(&w).unwrap(),
        );
        let arrays = [buffers.0.array(), buffers.1.array(), buffers.2.array(), buffers.3.array()];
        reduction.run(&stream, size as u64, &arrays, &mut record).unwrap();
        let dot = x.iter().zip(&y).fold(1.0, |dot, (x, y)| dot + x * y);
        let least = z.iter().copied().min().unwrap_or(i64::MAX);
        let most = y.iter().copied().fold(-9.0, f32::max);
        let sum = 0.5 + w.iter().sum::<f64>();
        let expected = [Value::F32(dot), Value::I64(least), Value::F64(sum), Value::F32(most)];
        assert_eq!(record.values(), expected, "{size} elements");
    }
}

/// Minimum and maximum ignore NaNs unless there are only NaNs, and order -0 below +0.
pub fn nan_and_signed_zero(fixture: &Fixture) {
    let extremes = |values: &[f64]| {
        let of = |name, op| variable(name, Type::F64, op, Source::Array(0));
        let list = ReductionList::new(vec![of("min", Op::Min), of("max", Op::Max)]).unwrap();
        let reduction =
            usual(fixture, KernelSpec::new(list, vec![Type::F64], host_rt::BLOCK_THREADS).unwrap());
        let mut record = Record::identity(reduction.spec().list());
        let buffer = fixture.device.buffer(values).unwrap();
        let stream = fixture.device.stream().unwrap();
        reduction.run(&stream, values.len() as u64, &[buffer.array()], &mut record).unwrap();
        let bits = |name| match record.get(name) {
            Some(Value::F64(value)) => value,
            other => panic!("{other:?}"),
        };
        (bits("min"), bits("max"))
    };
    let (min, max) = extremes(&[f64::NAN; 77]);
    assert!(min.is_nan() && max.is_nan());
    let mut values = [f64::NAN; 77];
    values[40] = 3.0;
    values[76] = -2.0;
    assert_eq!(extremes(&values), (-2.0, 3.0));
    for first in [0.0, -0.0] {
        let (min, max) = extremes(&[first, -first, first]);
        assert!(min.is_sign_negative() && max.is_sign_positive(), "{first}");
    }
    let (min, max) = extremes(&[]);
    assert!(min.is_nan() && max.is_nan());
}

/// The record stays on the device over several launches.
pub fn parts_of_one_reduction(fixture: &Fixture) {
    let values: Vec<i64> = random(9).take(10_000).map(|bits| bits as i64 >> 8).collect();
    let buffer = fixture.device.buffer(&values).unwrap();
    let reduction = usual(fixture, three(Type::I64));
    let stream = fixture.device.stream().unwrap();
    let initial = [5, i64::MAX, i64::MIN];
    let record = Record::new(reduction.spec().list(), &initial.map(Value::I64)).unwrap();
    let mut run = reduction.start(&stream, &record).unwrap();
    for part in [0..1, 1..1, 1..4097, 4097..10_000] {
        run.enqueue(part.len() as u64, &[buffer.slice(part).unwrap()]).unwrap();
    }
    assert_eq!(run.finish().unwrap().values(), expected(initial, &values));
}

/// Input that comes from the host in pieces, the last one short.
pub fn pieces_from_the_host(fixture: &Fixture) {
    let values: Vec<f32> = random(10).take(100_003).map(f32::of).collect();
    let reduction = usual(fixture, three(Type::F32));
    let stream = fixture.device.stream().unwrap();
    let initial = [0.0, f32::INFINITY, f32::NEG_INFINITY];
    let record = Record::new(reduction.spec().list(), &initial.map(Value::F32)).unwrap();
    let mut feed = reduction.feed(&stream, &record, 4096 * 4).unwrap();
    for part in values.chunks(4096) {
        let bytes: Vec<u8> = part.iter().flat_map(|v| v.to_ne_bytes()).collect();
        feed.piece().unwrap()[..bytes.len()].copy_from_slice(&bytes);
        feed.submit(bytes.len()).unwrap();
    }
    assert_eq!(feed.finish().unwrap().values(), expected(initial, &values));
}

fn one_of_many(fixture: &Fixture, reduction: &GeneratedReduction, seed: u64) {
    let values: Vec<i32> = random(seed).take(3000 + 100 * seed as usize).map(i32::of).collect();
    let buffer = fixture.device.buffer(&values).unwrap();
    let stream = fixture.device.stream().unwrap();
    for _ in 0..4 {
        let initial = [1, 2, 3];
        let mut record = Record::new(reduction.spec().list(), &initial.map(Value::I32)).unwrap();
        reduction.run(&stream, values.len() as u64, &[buffer.array()], &mut record).unwrap();
        assert_eq!(record.values(), expected(initial, &values));
    }
}

/// Launches of one reduction at the same time on several streams, each of which has its own workspace.
pub fn many_streams(fixture: &Fixture) {
    let reduction = usual(fixture, three(Type::I32));
    let values: Vec<i32> = random(1).take(200_000).map(i32::of).collect();
    let buffer = fixture.device.buffer(&values).unwrap();
    let streams: Vec<_> = (0..4).map(|_| fixture.device.stream().unwrap()).collect();
    let initial = [1, 2, 3];
    let record = Record::new(reduction.spec().list(), &initial.map(Value::I32)).unwrap();
    let mut runs: Vec<_> = streams.iter().map(|stream| reduction.start(stream, &record).unwrap()).collect();
    for part in 0..4 {
        for run in &mut runs {
            let range = part * 50_000..(part + 1) * 50_000;
            run.enqueue(50_000, &[buffer.slice(range).unwrap()]).unwrap();
        }
    }
    for run in runs {
        assert_eq!(run.finish().unwrap().values(), expected(initial, &values));
    }
}

/// One reduction, used by several threads at the same time, each with its stream.
pub fn many_threads(fixture: &Fixture) {
    let reduction = usual(fixture, three(Type::I32));
    thread::scope(|scope| {
        for seed in 0..4 {
            let reduction = &reduction;
            scope.spawn(move || one_of_many(fixture, reduction, seed));
        }
    });
}
