//! Reductions on the emulator: results, initial values, both kinds of finalizing, streams and threads.

use std::thread;

use host_rt::{
    BLOCK_THREADS, Device, Error, Finalize, GeneratedReduction, KernelSpec, Op, OptLevel, Options, Record,
    ReductionList, Select, Source, Type, Value, Variable,
};

const FINALIZE: [Finalize; 2] = [Finalize::LastBlock, Finalize::SecondLaunch];

/// Lengths around a warp, within one block, and of many blocks with a partial group at the end.
const LENGTHS: [usize; 7] = [0, 1, 31, 32, 33, 1000, 1_000_003];

fn device() -> Device {
    Device::open(Select::Emulator).expect("the emulator is always there")
}

fn variable(name: &str, ty: Type, op: Op, source: Source) -> Variable {
    Variable { name: name.into(), ty, op, source }
}

fn list(variables: Vec<Variable>) -> ReductionList {
    ReductionList::new(variables).expect("the list is legal")
}

fn compile(device: &Device, list: &ReductionList, arrays: &[Type], finalize: Finalize) -> GeneratedReduction {
    let spec =
        KernelSpec::new(list.clone(), arrays.to_vec(), BLOCK_THREADS).expect("the specification is legal");
    GeneratedReduction::with_options(device, spec, Options { finalize, ..Options::default() })
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Pseudo-random values (SplitMix64).
fn random(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

fn bits(record: &Record) -> Vec<u64> {
    let bits = |value: &Value| match *value {
        Value::I32(value) => value as u64,
        Value::I64(value) => value as u64,
        Value::F32(value) => value.to_bits().into(),
        Value::F64(value) => value.to_bits(),
        _ => unreachable!("no list here has this type"),
    };
    record.values().iter().map(bits).collect()
}

#[test]
fn integers_are_exact_at_every_length() {
    let device = device();
    let stream = device.stream().unwrap();
    let over = |op: Op| variable(&op.to_string(), Type::I64, op, Source::Array(0));
    let list = list(vec![over(Op::Sum), over(Op::Min), over(Op::Max)]);
    let initial = Record::new(&list, &[Value::I64(-5), Value::I64(1 << 60), Value::I64(-(1 << 60))]).unwrap();
    let data: Vec<i64> = random(1).take(1_000_003).map(|word| word as i64).collect();
    let buffer = device.buffer(&data).unwrap();
    for finalize in FINALIZE {
        let reduction = compile(&device, &list, &[Type::I64], finalize);
        for n in LENGTHS {
            let mut record = initial.clone();
            reduction.run(&stream, n as u64, &[buffer.array()], &mut record).unwrap();
            let data = &data[..n];
            let sum = data.iter().fold(-5i64, |sum, value| sum.wrapping_add(*value));
            let least = data.iter().fold(1 << 60, |least, value| *value.min(&least));
            let greatest = data.iter().fold(-(1 << 60), |greatest, value| *value.max(&greatest));
            let expected = [Value::I64(sum), Value::I64(least), Value::I64(greatest)];
            assert_eq!(record.values(), expected, "{n} elements, {finalize:?}");
        }
    }
}

#[test]
fn a_list_over_two_arrays_of_different_types() {
    let device = device();
    let stream = device.stream().unwrap();
    let list = list(vec![
        variable("foo", Type::F64, Op::Sum, Source::Array(0)),
        variable("bar", Type::I32, Op::Sum, Source::Array(1)),
        variable("least", Type::F64, Op::Min, Source::Array(0)),
    ]);
    // Whole numbers, so that the sum does not depend on the order.
    let foo: Vec<f64> = (0..33_333).map(|i| f64::from(i % 1000) - 500.0).collect();
    let bar: Vec<i32> = random(2).take(33_333).map(|word| word as i32).collect();
    let (foo_buffer, bar_buffer) = (device.buffer(&foo).unwrap(), device.buffer(&bar).unwrap());
    for finalize in FINALIZE {
        let reduction = compile(&device, &list, &[Type::F64, Type::I32], finalize);
        let mut record = Record::new(&list, &[Value::F64(0.25), Value::I32(7), Value::F64(-1e9)]).unwrap();
        reduction.run(&stream, 33_333, &[foo_buffer.array(), bar_buffer.array()], &mut record).unwrap();
        assert_eq!(record.get("foo"), Some(Value::F64(0.25 + foo.iter().sum::<f64>())));
        let sum = bar.iter().fold(7i32, |sum, value| sum.wrapping_add(*value));
        assert_eq!(record.get("bar"), Some(Value::I32(sum)));
        assert_eq!(record.get("least"), Some(Value::F64(-1e9)));
    }
}

#[test]
fn the_same_bits_on_every_run_and_with_both_kinds_of_finalizing() {
    let device = device();
    let list = list(vec![variable("dot", Type::F32, Op::Sum, Source::Product(0, 1))]);
    let number = |word: u64| (word >> 40) as f32 / 1e5 - 80.0;
    let x: Vec<f32> = random(3).take(100_003).map(number).collect();
    let y: Vec<f32> = random(4).take(100_003).map(number).collect();
    let (x_buffer, y_buffer) = (device.buffer(&x).unwrap(), device.buffer(&y).unwrap());
    let mut results = Vec::new();
    for finalize in FINALIZE {
        let reduction = compile(&device, &list, &[Type::F32, Type::F32], finalize);
        for _ in 0..2 {
            let stream = device.stream().unwrap();
            let mut record = Record::new(&list, &[Value::F32(0.5)]).unwrap();
            reduction.run(&stream, 100_003, &[x_buffer.array(), y_buffer.array()], &mut record).unwrap();
            results.push(record);
        }
    }
    assert!(results.iter().all(|record| bits(record) == bits(&results[0])), "{results:?}");
    let exact: f64 = x.iter().zip(&y).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum::<f64>() + 0.5;
    let Value::F32(dot) = results[0].values()[0] else { panic!("the dot product is an f32") };
    let magnitude: f64 = x.iter().zip(&y).map(|(x, y)| (f64::from(*x) * f64::from(*y)).abs()).sum();
    assert!((f64::from(dot) - exact).abs() < magnitude * 1e-5, "{dot} for {exact}");
}

#[test]
fn unoptimised_kernels_and_other_block_sizes_agree() {
    let device = device();
    let stream = device.stream().unwrap();
    let list = list(vec![variable("sum", Type::I32, Op::Sum, Source::Array(0))]);
    let data: Vec<i32> = random(5).take(5000).map(|word| word as i32).collect();
    let buffer = device.buffer(&data).unwrap();
    let expected = data.iter().fold(0i32, |sum, value| sum.wrapping_add(*value));
    for (threads, opt) in [(1, OptLevel::O2), (33, OptLevel::O2), (1000, OptLevel::O2), (256, OptLevel::O0)] {
        let spec = KernelSpec::new(list.clone(), vec![Type::I32], threads).unwrap();
        let reduction =
            GeneratedReduction::with_options(&device, spec, Options { opt, ..Options::default() }).unwrap();
        let mut record = Record::identity(&list);
        reduction.run(&stream, 5000, &[buffer.array()], &mut record).unwrap();
        assert_eq!(record.values(), [Value::I32(expected)], "{threads} threads, {opt}");
    }
}

/// A tile is then no power of two.
#[test]
fn any_unroll_factor_takes_every_element_once() {
    let device = device();
    let stream = device.stream().unwrap();
    let list = list(vec![
        variable("sum", Type::I32, Op::Sum, Source::Array(0)),
        variable("where", Type::I32, Op::ArgMax, Source::Array(0)),
    ]);
    let data: Vec<i32> = random(6).take(5000).map(|word| (word % 1000) as i32).collect();
    let buffer = device.buffer(&data).unwrap();
    for unroll in [3, 5] {
        let spec = KernelSpec::new(list.clone(), vec![Type::I32], BLOCK_THREADS).unwrap();
        let spec = spec.with_unroll(unroll).unwrap();
        let reduction = GeneratedReduction::with_options(&device, spec, Options::default()).unwrap();
        for n in [1, 127, 128, 383, 384, 385, 640, 1000, 5000] {
            let sum: i32 = data[..n].iter().sum();
            let most = *data[..n].iter().max().unwrap();
            let first = data[..n].iter().position(|value| *value == most).unwrap();
            let mut record = Record::identity(&list);
            let part = buffer.slice(0..n).unwrap();
            reduction.run(&stream, n as u64, &[part], &mut record).unwrap();
            let expected = [Value::I32(sum), Value::Struct(vec![Value::I32(most), Value::I64(first as i64)])];
            assert_eq!(record.values(), expected, "{n} elements, {unroll} groups");
        }
    }
}

#[test]
fn slices_of_buffers_start_at_any_element() {
    let device = device();
    let stream = device.stream().unwrap();
    let list = list(vec![variable("max", Type::F32, Op::Max, Source::Array(0))]);
    let reduction = compile(&device, &list, &[Type::F32], Finalize::LastBlock);
    let data: Vec<f32> = (0..100).map(|i| i as f32).collect();
    let buffer = device.buffer(&data).unwrap();
    for start in [0, 1, 2, 3, 4, 61] {
        let mut record = Record::new(&list, &[Value::F32(-1.0)]).unwrap();
        reduction.run(&stream, 37, &[buffer.slice(start..start + 37).unwrap()], &mut record).unwrap();
        assert_eq!(record.values(), [Value::F32((start + 36) as f32)]);
    }
    assert!(matches!(buffer.slice(90..101), Err(Error::Length { length: 100, given: 101 })));
}

#[test]
fn extrema_ignore_nan_unless_all_elements_are_nan() {
    let device = device();
    let stream = device.stream().unwrap();
    let over = |op: Op| variable(&op.to_string(), Type::F64, op, Source::Array(0));
    let list = list(vec![over(Op::Min), over(Op::Max)]);
    let reduction = compile(&device, &list, &[Type::F64], Finalize::LastBlock);
    let run = |data: &[f64]| {
        let buffer = device.buffer(data).unwrap();
        let mut record = Record::identity(&list);
        reduction.run(&stream, data.len() as u64, &[buffer.array()], &mut record).unwrap();
        bits(&record).into_iter().map(f64::from_bits).collect::<Vec<_>>()
    };
    let mut data = vec![f64::NAN; 100];
    assert!(run(&data).iter().all(|value| value.is_nan()));
    data[63] = f64::INFINITY;
    data[64] = -2.0;
    assert_eq!(run(&data), [-2.0, f64::INFINITY]);
    let zeros = run(&[0.0, -0.0, 0.0]);
    assert_eq!((zeros[0].is_sign_negative(), zeros[1].is_sign_negative()), (true, false));
}

#[test]
fn streams_and_threads_are_independent() {
    let device = device();
    let list = list(vec![variable("sum", Type::I64, Op::Sum, Source::Array(0))]);
    let reduction = compile(&device, &list, &[Type::I64], Finalize::LastBlock);
    let shared = device.stream().unwrap();
    thread::scope(|scope| {
        for seed in 0..4u64 {
            let (device, list, reduction, shared) = (&device, &list, &reduction, &shared);
            scope.spawn(move || {
                let own = device.stream().unwrap();
                let data: Vec<i64> = random(seed).take(20_000).map(|word| word as i64).collect();
                let buffer = device.buffer(&data).unwrap();
                for (round, stream) in [&own, shared, &own, shared].into_iter().enumerate() {
                    let n = 20_000 - round * 6000;
                    let mut record = Record::new(list, &[Value::I64(seed as i64)]).unwrap();
                    reduction.run(stream, n as u64, &[buffer.array()], &mut record).unwrap();
                    let sum = data[..n].iter().fold(seed as i64, |sum, value| sum.wrapping_add(*value));
                    assert_eq!(record.values(), [Value::I64(sum)]);
                }
            });
        }
    });
}

#[test]
fn launches_of_a_run_are_combined_into_one_record() {
    let device = device();
    let stream = device.stream().unwrap();
    let list = list(vec![variable("sum", Type::F64, Op::Sum, Source::Array(0))]);
    let data: Vec<f64> = (0..50_000).map(f64::from).collect();
    let buffer = device.buffer(&data).unwrap();
    for finalize in FINALIZE {
        let reduction = compile(&device, &list, &[Type::F64], finalize);
        let mut run = reduction.start(&stream, &Record::new(&list, &[Value::F64(0.5)]).unwrap()).unwrap();
        for range in [0..7, 7..7, 7..40_000, 40_000..50_000] {
            let slice = buffer.slice(range.clone()).unwrap();
            run.enqueue(range.len() as u64, &[slice]).unwrap();
        }
        assert_eq!(run.finish().unwrap().values(), [Value::F64(1_249_975_000.5)]);
    }
}

#[test]
fn a_run_that_is_dropped_does_not_disturb_later_ones() {
    let device = device();
    let stream = device.stream().unwrap();
    let list = list(vec![variable("sum", Type::I64, Op::Sum, Source::Array(0))]);
    let buffer = device.buffer(&vec![1i64; 300_000]).unwrap();
    for finalize in FINALIZE {
        let reduction = compile(&device, &list, &[Type::I64], finalize);
        let start =
            |value| reduction.start(&stream, &Record::new(&list, &[Value::I64(value)]).unwrap()).unwrap();
        let kept = start(7);
        let mut dropped = start(1000);
        dropped.enqueue(300_000, &[buffer.array()]).unwrap();
        dropped.enqueue(300_000, &[buffer.array()]).unwrap();
        drop(dropped);
        // It has the memory of the one that was dropped.
        let mut next = start(5);
        next.enqueue(10, &[buffer.array()]).unwrap();
        assert_eq!(next.finish().unwrap().values(), [Value::I64(15)]);
        assert_eq!(kept.finish().unwrap().values(), [Value::I64(7)]);
    }
}

#[test]
fn pieces_of_the_host_are_combined_into_one_record() {
    let device = device();
    let stream = device.stream().unwrap();
    let list = list(vec![variable("sum", Type::I32, Op::Sum, Source::Array(0))]);
    let reduction = compile(&device, &list, &[Type::I32], Finalize::LastBlock);
    let data: Vec<u8> = (0..10_001i32).flat_map(i32::to_ne_bytes).collect();
    // Pieces of 1003 elements, with a shorter one at the end; more pieces than buffers.
    let mut feed = reduction.feed(&stream, &Record::new(&list, &[Value::I32(3)]).unwrap(), 4014).unwrap();
    for chunk in data.chunks(4012) {
        let piece = feed.piece().unwrap();
        assert_eq!(piece.len(), 4012);
        piece[..chunk.len()].copy_from_slice(chunk);
        feed.submit(chunk.len()).unwrap();
    }
    assert!(matches!(feed.submit(3), Err(Error::Piece { piece: 4012, given: 3, size: 4 })));
    assert!(matches!(feed.submit(4016), Err(Error::Piece { .. })));
    feed.submit(0).unwrap();
    assert_eq!(feed.finish().unwrap().values(), [Value::I32(50_005_003)]);
}

#[test]
fn arguments_that_do_not_fit_are_rejected() {
    let device = device();
    let stream = device.stream().unwrap();
    let list = list(vec![variable("dot", Type::F32, Op::Sum, Source::Product(0, 1))]);
    let reduction = compile(&device, &list, &[Type::F32, Type::F32], Finalize::LastBlock);
    let floats = device.buffer(&[1.0f32; 10]).unwrap();
    let ints = device.buffer(&[1i32; 10]).unwrap();
    let mut record = Record::new(&list, &[Value::F32(4.0)]).unwrap();
    let mut rejected = |n, arrays: &[host_rt::Array]| {
        reduction.run(&stream, n, arrays, &mut record).unwrap_err().to_string()
    };
    assert_eq!(rejected(10, &[floats.array()]), "the reduction reads 2 array(s), but 1 are given");
    let message = rejected(10, &[floats.array(), ints.array()]);
    assert_eq!(message, "array 1 has elements of type i32, but the reduction reads f32");
    let message = rejected(10, &[floats.array(), floats.slice(1..10).unwrap()]);
    assert_eq!(message, "cannot reduce 10 elements: array 1 has 9");
    assert!(rejected(u64::MAX, &[floats.array(), floats.array()]).contains("array 0 has 10"));
    assert_eq!(record.values(), [Value::F32(4.0)]);

    let sums = vec![variable("sum", Type::F32, Op::Sum, Source::Array(0))];
    let mut other = Record::identity(&ReductionList::new(sums).unwrap());
    let error = reduction.run(&stream, 0, &[floats.array(), floats.array()], &mut other).unwrap_err();
    assert_eq!(error.to_string(), "the record has (sum: f32), but the reduction list has (dot: f32)");
    assert!(matches!(reduction.feed(&stream, &record, 64), Err(Error::ArrayCount { expected: 2, given: 1 })));
}
