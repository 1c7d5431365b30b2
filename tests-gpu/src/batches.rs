//! Arrays whose length is known at run time: columns of matrices, and private arrays of threads.

use codegen_shim::{BatchedList, ColumnSpec, Combiner, Op, Source, Type, UserModule, Variable, emit_batches};
use host_rt::{ColumnReduction, OptLevel, Value};
use toolchain::{ClangBuild, Input};

use crate::Fixture;
use crate::host_model::{apply, same, stored};
use crate::random::random;

const GCD: &str = "typedef unsigned u32;
void gcd(u32 *into, const u32 *from) {
  u32 a = *into, b = *from;
  while (b) { u32 r = a % b; a = b; b = r; }
  *into = a;
}";

fn variable(name: &str, ty: &str, op: Op, source: Source) -> Variable {
    Variable { name: name.into(), ty: ty.parse().expect("a type"), op, source }
}

fn euclid(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { euclid(b, a % b) }
}

/// Every column has a result, from a separate initial value. Shapes: one column, about a batch of columns, no
/// row, one row, and more rows than threads.
pub fn columns(fixture: &Fixture) {
    let gcd = Combiner::load(&fixture.tools, "gcd.c", UserModule::C(GCD), "gcd", Type::U32, None);
    let gcd = Op::User(gcd.unwrap_or_else(|error| panic!("{error}")));
    let variables = vec![
        variable("sum", "i64", Op::Sum, Source::Array(0)),
        variable("least", "f32", Op::Min, Source::Array(1)),
        variable("most", "i8", Op::ArgMax, Source::Array(0)),
        variable("dot", "complex<f32>", Op::Sum, Source::Product(1, 1)),
        variable("divisor", "u32", gcd, Source::Array(2)),
    ];
    let stream = fixture.device.stream().expect("a stream");
    for opt in [OptLevel::O0, OptLevel::O2] {
        let spec = ColumnSpec::new(variables.clone(), vec![Type::I8, Type::F32, Type::U32], 64);
        let reduction = ColumnReduction::new(&fixture.device, spec.expect("legal"), opt)
            .unwrap_or_else(|error| panic!("{error}"));
        // A pair of i8 and i64 has 16 bytes.
        assert_eq!(reduction.spec().batches().width(), 2);
        for (rows, columns) in [(0, 3), (1, 1), (70, 5), (900, 2), (3, 9), (10, 0)] {
            let bits: Vec<u64> = random(rows as u64).take(rows * columns).collect();
            let a: Vec<i8> = bits.iter().map(|bits| *bits as i8).collect();
            let b: Vec<f32> = bits.iter().map(|bits| (bits % 17) as f32 - 8.0).collect();
            let c: Vec<u32> = bits.iter().map(|bits| (*bits as u32 % 900 + 1) * 30).collect();
            let flagged =
                |value: u32, is_there: u8| Value::Struct(vec![Value::U32(value), Value::U8(is_there)]);
            let start = |column: usize| {
                [
                    Value::I64(column as i64),
                    Value::F32(5.0 - column as f32),
                    stored(&Op::ArgMax, Value::I8(i8::MIN), 0),
                    Value::Complex(Box::new([Value::F32(1.0), Value::F32(2.0)])),
                    flagged(0, 0),
                ]
            };
            let mut results: Vec<Vec<Value>> =
                (0..5).map(|of| (0..columns).map(|column| start(column)[of].clone()).collect()).collect();
            let mut expected = results.clone();
            for (at, ((a, b), c)) in a.iter().zip(&b).zip(&c).enumerate() {
                let (row, column) = (at / columns, at % columns);
                let square = Value::Complex(Box::new([Value::F32(b * b), Value::F32(0.0)]));
                let elements = [
                    Value::I64((*a).into()),
                    Value::F32(*b),
                    stored(&Op::ArgMax, Value::I8(*a), row),
                    square,
                ];
                for (of, element) in elements.iter().enumerate() {
                    expected[of][column] = apply(&variables[of].op, &expected[of][column], element);
                }
                expected[4][column] = match &expected[4][column] {
                    Value::Struct(known) if known[1] == Value::U8(1) => match known[0] {
                        Value::U32(known) => flagged(euclid(known, *c), 1),
                        ref other => panic!("{other}"),
                    },
                    _ => flagged(*c, 1),
                };
            }
            let buffers = (
                fixture.device.buffer(&a).expect("a buffer"),
                fixture.device.buffer(&b).expect("a buffer"),
                fixture.device.buffer(&c).expect("a buffer"),
            );
            let arrays = [buffers.0.array(), buffers.1.array(), buffers.2.array()];
            reduction
                .run(&stream, rows as u64, columns, &arrays, &mut results)
                .unwrap_or_else(|error| panic!("{rows} x {columns}: {error}"));
            for ((variable, results), expected) in variables.iter().zip(&results).zip(&expected) {
                for (column, (found, expected)) in results.iter().zip(expected).enumerate() {
                    let name = &variable.name;
                    assert!(
                        same(found, expected),
                        "{rows} x {columns}, {opt:?}: {name}[{column}] is {found}, expected {expected}"
                    );
                }
            }
        }
    }
}

/// Histograms with private arrays in memory, over blocks and grids.
pub fn private_arrays(fixture: &Fixture) {
    let list = BatchedList::new(vec![variable("bins", "u32", Op::Sum, Source::Array(0))]).expect("legal");
    assert_eq!(list.width(), 8);
    let emitted = emit_batches(&list);
    let runtime = device_library::runtime_bitcode(&fixture.tools).unwrap_or_else(|error| panic!("{error}"));
    for opt in [OptLevel::O0, OptLevel::O2] {
        let build = ClangBuild {
            source: include_str!("../kernels/histogram.c"),
            sm: fixture.sm(),
            opt,
            options: &[],
        };
        let modules = [Input::Ir(&emitted), Input::Bitcode(&runtime)];
        let ptx = fixture.tools.clang_ptx(&build, &modules, &["of_block", "of_grid"]);
        let kernels = fixture.load_ptx(&ptx.unwrap_or_else(|error| panic!("{error}")));
        for (bins, blocks, threads, length) in
            [(1, 1, 1, 10), (8, 3, 33, 1000), (7, 1, 96, 1000), (21, 4, 64, 3001), (256, 2, 32, 0)]
        {
            let data: Vec<u8> = random(length as u64).take(length).map(|bits| bits as u8).collect();
            let mut expected = vec![0_u32; bins];
            data.iter().for_each(|byte| expected[usize::from(*byte) % bins] += 1);
            let all = blocks as usize * threads as usize;
            let buffers = (
                fixture.upload(&[data.as_slice(), &[0]].concat()),
                fixture.upload(&vec![0_u32; all * bins]),
                fixture.upload(&vec![0_u32; bins]),
                fixture.upload(&vec![-1_i32; threads as usize]),
                fixture.upload(&vec![0_u8; list.workspace_bytes(bins as u64, blocks) as usize]),
            );
            let words = |last: u64| {
                let [scratch, result] =
                    [&buffers.1, &buffers.2].map(|buffer| buffer.as_device_ptr().as_raw());
                [buffers.0.as_device_ptr().as_raw(), length as u64, bins as u64, scratch, result, last]
            };
            let context = format!("{bins} bins, {blocks} blocks of {threads}, {opt:?}");
            if blocks == 1 {
                kernels.run("of_block", threads, &words(buffers.3.as_device_ptr().as_raw()));
                assert_eq!(buffers.2.as_host_vec().expect("the buffer is there"), expected, "{context}");
                for (thread, code) in buffers.3.as_host_vec().expect("the buffer is there").iter().enumerate()
                {
                    assert_eq!(*code, i32::from(thread == 0), "{context}, thread {thread}");
                }
            }
            let before = buffers.2.as_host_vec().expect("the buffer is there");
            // Twice: a launch leaves the workspace ready for the next one, and the results add up.
            for _ in 0..2 {
                kernels.run_blocks("of_grid", blocks, threads, &words(buffers.4.as_device_ptr().as_raw()));
            }
            let expected: Vec<u32> =
                before.iter().zip(&expected).map(|(before, once)| before + 2 * once).collect();
            assert_eq!(buffers.2.as_host_vec().expect("the buffer is there"), expected, "{context}");
        }
    }
}
