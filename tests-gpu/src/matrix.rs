//! Every legal combination of type and operator, over warps, blocks and grids.

use codegen_shim::{KernelSpec, Op, ReductionList, Scalar, Source, Type, Variable, is_legal};
use codegen_shim::{emit_callbacks, kernel_ptx};
use cust::memory::CopyDestination;
use device_rt::abi::layout::WORKSPACE_HEADER_BYTES;
use host_rt::{Finalize, GeneratedReduction, OptLevel, Options, Record, Value, bf16, f16};
use toolchain::{Input, PtxBuild, Tools};

use crate::Fixture;
use crate::host_model::{apply, float, number, random_value, same, stored};
use crate::random::random;

/// Every scalar and complex type, and some arrays and structs.
pub fn types() -> Vec<Type> {
    let complex = Scalar::ALL.iter().filter(|scalar| scalar.is_float()).map(|part| Type::Complex(*part));
    let aggregates =
        ["[i16;3]", "{f32,i8,[u16;2]}", "[{i8,u128};2]", "{complex<f32>,f64,i8,bf16}", "[f16;5]"];
    let aggregates = aggregates.iter().map(|text| text.parse().expect("a type"));
    Scalar::ALL.iter().copied().map(Type::Scalar).chain(complex).chain(aggregates).collect()
}

/// One variable for every operator that is legal for the type, over array 0.
pub fn list(ty: Type) -> ReductionList {
    let legal = Op::ALL.iter().filter(|op| is_legal(ty, **op));
    let variable = |op: &Op| Variable { name: op.to_string(), ty, op: *op, source: Source::Array(0) };
    ReductionList::new(legal.map(variable).collect()).expect("a legal list")
}

/// Kernels in which each thread loads the record with its number and reduces it; the thread that gets 1
/// stores record 0 of `out`.
pub fn callbacks_ptx(tools: &Tools, list: &ReductionList, sm: u32, opt: OptLevel) -> String {
    let record = list.record().size;
    let entries: String = (list.record().offsets.iter().enumerate())
        .map(|(index, offset)| {
            format!(
                "  %copy{index} = getelementptr i8, ptr %copies, i64 {offset}\n  \
                 %entry{index} = getelementptr ptr, ptr %list, i64 {index}\n  \
                 store ptr %copy{index}, ptr %entry{index}\n"
            )
        })
        .collect();
    let kernel = |name: &str, reduction: &str| {
        format!(
            "define ptx_kernel void @{name}(ptr %data, ptr %out, i32 %size) convergent {{\n  \
             %copies = alloca [{record} x i8], align 16\n  \
             %list = alloca [{variables} x ptr], align 8\n{entries}  \
             %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  \
             call void @warpfold_global_to_list_copy(ptr %data, i32 %thread, ptr %list)\n{reduction}  \
             %holds = icmp eq i32 %code, 1\n  \
             br i1 %holds, label %store, label %end\nstore:\n  \
             call void @warpfold_list_to_global_copy(ptr %out, i32 0, ptr %list)\n  \
             br label %end\nend:\n  ret void\n}}\n",
            variables = list.variables().len(),
        )
    };
    let first = "  %first = icmp eq i32 %thread, 0\n  %code = zext i1 %first to i32\n";
    let full = format!(
        "  call void @__warpfold_warp_reduce_full(ptr %list, ptr @warpfold_shuffle_and_reduce)\n{first}"
    );
    let contiguous = format!(
        "  call void @__warpfold_warp_reduce_contiguous(ptr %list, ptr @warpfold_shuffle_and_reduce, i32 %size, \
         i32 %thread)\n{first}"
    );
    // Only the lanes of the mask call it.
    let dispersed = "  %bit = shl i32 1, %thread\n  %of = and i32 %bit, %size\n  %is = icmp ne i32 %of, 0\n  \
         br i1 %is, label %member, label %end\nmember:\n  \
         %code = call i32 @__warpfold_warp_reduce_dispersed(ptr %list, ptr @warpfold_shuffle_and_reduce_masked, \
         i32 %size)\n";
    let swap = "  %code = call i32 @kmpc_reduce_warp(ptr %list, ptr @warpfold_swap_and_reduce, i32 1)\n";
    let block = "  %code = call i32 @__warpfold_block_reduce(ptr %list, ptr @warpfold_shuffle_and_reduce, \
         ptr @warpfold_inter_warp_copy)\n";
    let text = format!(
        "target triple = \"nvptx64-nvidia-cuda\"\n\
         declare void @warpfold_shuffle_and_reduce(ptr, i16, i16, i16)\n\
         declare void @warpfold_shuffle_and_reduce_masked(ptr, i32, i16, i16, i16)\n\
         declare void @warpfold_swap_and_reduce(ptr, i16, i16)\n\
         declare void @warpfold_inter_warp_copy(ptr, i32)\n\
         declare void @warpfold_global_to_list_copy(ptr, i32, ptr)\n\
         declare void @warpfold_list_to_global_copy(ptr, i32, ptr)\n\
         declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\
         declare void @__warpfold_warp_reduce_full(ptr, ptr)\n\
         declare void @__warpfold_warp_reduce_contiguous(ptr, ptr, i32, i32)\n\
         declare i32 @__warpfold_warp_reduce_dispersed(ptr, ptr, i32)\n\
         declare i32 @kmpc_reduce_warp(ptr, ptr, i32)\n\
         declare i32 @__warpfold_block_reduce(ptr, ptr, ptr)\n{}{}{}{}{}",
        kernel("full", &full),
        kernel("contiguous", &contiguous),
        kernel("dispersed", dispersed),
        kernel("swap", swap),
        kernel("block", block),
    );
    let runtime = device_library::runtime_bitcode(tools).unwrap_or_else(|error| panic!("{error}"));
    let callbacks = emit_callbacks(list);
    let modules = &[Input::Ir(&text), Input::Ir(&callbacks), Input::Bitcode(&runtime)];
    let keep = &["full", "contiguous", "dispersed", "swap", "block"];
    tools.ptx(&PtxBuild { modules, keep, sm, opt }).unwrap_or_else(|error| panic!("{error}"))
}

/// `count` records of random values, each with its number as index.
fn records(list: &ReductionList, seed: u64, count: usize) -> Vec<Vec<Value>> {
    let mut bits = random(seed);
    let mut value = |variable: &Variable, index| {
        stored(
            &variable.op,
            random_value(variable.ty, &mut bits, &variable.op, !matches!(variable.op, Op::Sum | Op::Product)),
            index,
        )
    };
    (0..count).map(|index| list.variables().iter().map(|variable| value(variable, index)).collect()).collect()
}

/// All chosen records combined, variable by variable.
fn expected<'a>(list: &ReductionList, chosen: impl Iterator<Item = &'a Vec<Value>>) -> Vec<Value> {
    let mut total: Option<Vec<Value>> = None;
    for values in chosen {
        total = Some(match total {
            None => values.clone(),
            Some(total) => {
                let variables = list.variables().iter().zip(&total).zip(values);
                variables.map(|((variable, total), value)| apply(&variable.op, total, value)).collect()
            }
        });
    }
    total.expect("a lane reduces")
}

fn assert_same(list: &ReductionList, found: &[Value], expected: &[Value], context: &str) {
    for ((variable, found), expected) in list.variables().iter().zip(found).zip(expected) {
        let name = &variable.name;
        assert!(same(found, expected), "{context}: {name} is {found}, expected {expected}");
    }
}

/// Every kernel of [`callbacks_ptx`] with this list, over some sizes, members and blocks.
fn check_callbacks(fixture: &Fixture, list: &ReductionList, sm: u32, opt: OptLevel, what: &str) {
    let kernels = fixture.load_ptx(&callbacks_ptx(&fixture.tools, list, sm, opt));
    let record = list.record().size as usize;
    let check = |kernel: &str, threads: usize, size: u32, counts: &dyn Fn(usize) -> bool| {
        let values = records(list, threads as u64 + u64::from(size), threads);
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|values| Record::new(list, values).expect("of the list").to_bytes())
            .collect();
        let (data, out) = (fixture.upload(&bytes), fixture.upload(&vec![0_u8; record]));
        let words = [&data, &out].map(|buffer| buffer.as_device_ptr().as_raw());
        kernels.run(kernel, threads as u32, &[words[0], words[1], size.into()]);
        let mut found = vec![0_u8; record];
        out.copy_to(&mut found[..]).expect("the buffer is there");
        let found = Record::from_bytes(list, &found).expect("of the list");
        let chosen = values.iter().enumerate().filter(|(at, _)| counts(*at)).map(|(_, values)| values);
        let context = format!("{kernel} of {what}, {threads} threads, {size:#x}, sm_{sm}, {opt:?}");
        assert_same(list, found.values(), &expected(list, chosen), &context);
    };
    check("full", 32, 32, &|_| true);
    for size in [1, 7, 20] {
        check("contiguous", 32, size, &|at| at < size as usize);
        check("contiguous", size as usize, size, &|_| true);
    }
    for mask in [0x8000_0000, 0x0F0F_1234, 0xAAAA_AAAA_u32] {
        check("dispersed", 32, mask, &|at| mask >> at & 1 == 1);
    }
    check("swap", 32, 32, &|_| true);
    for threads in [1, 33, 95] {
        check("block", threads, 0, &|_| true);
    }
}

/// Full, contiguous and dispersed warps, the per-variable path, and blocks, with the emitted callbacks.
pub fn callbacks(fixture: &Fixture) {
    for ty in types() {
        for opt in [OptLevel::O0, OptLevel::O2] {
            check_callbacks(fixture, &list(ty), fixture.sm(), opt, &ty.to_string());
        }
    }
}

/// Half floats on architectures without some of their instructions.
pub fn half_floats_on_older_architectures(fixture: &Fixture) {
    for ty in [Type::F16, Type::BF16, Type::Complex(Scalar::F16), Type::Complex(Scalar::BF16)] {
        for sm in [70, 80] {
            check_callbacks(fixture, &list(ty), sm, OptLevel::O2, &ty.to_string());
        }
    }
}

/// A record that is larger than a warp's part of shared memory: the inter-warp copy moves it in several
/// steps.
pub fn large_records(fixture: &Fixture) {
    let variable = |name: &str, ty: &str, op| Variable {
        name: name.into(),
        ty: ty.parse().expect("a type"),
        op,
        source: Source::Array(0),
    };
    let variables = vec![
        variable("small", "i8", Op::Max),
        variable("wide", "[u128;110]", Op::Xor),
        variable("sums", "[f64;100]", Op::Sum),
        variable("last", "{f32,i8}", Op::Min),
    ];
    let list = ReductionList::new(variables).expect("a legal list");
    assert_eq!(list.record().size, 2592);
    check_callbacks(fixture, &list, fixture.sm(), OptLevel::O0, "a large record");
}

/// Lists of random variables in random order.
pub fn random_lists(fixture: &Fixture) {
    for seed in 0..12 {
        let mut bits = random(seed + 1000);
        let mut below = |limit: usize| bits.next().expect("the sequence has no end") as usize % limit;
        let mut variables = Vec::new();
        for index in 0..1 + below(7) {
            let ty = random_type(&mut below, 0);
            let legal: Vec<Op> = Op::ALL.iter().copied().filter(|op| is_legal(ty, *op)).collect();
            let op = legal[below(legal.len())];
            variables.push(Variable { name: format!("v{index}"), ty, op, source: Source::Array(0) });
        }
        let names: Vec<_> =
            variables.iter().map(|variable| format!("{}:{}", variable.op, variable.ty)).collect();
        let list = ReductionList::new(variables).expect("a legal list");
        let opt = if seed % 3 == 0 { OptLevel::O0 } else { OptLevel::O2 };
        check_callbacks(fixture, &list, fixture.sm(), opt, &names.join(" "));
    }
}

/// A random type: a scalar, a complex number, an array or a struct.
fn random_type(below: &mut impl FnMut(usize) -> usize, depth: u32) -> Type {
    let scalar = Scalar::ALL[below(Scalar::ALL.len())];
    match below(if depth < 2 { 6 } else { 3 }) {
        0 if scalar.is_float() => Type::Complex(scalar),
        3 => Type::array(random_type(below, depth + 1), 1 + below(4) as u32),
        4 | 5 => {
            let fields: Vec<_> = (0..1 + below(3)).map(|_| random_type(below, depth + 1)).collect();
            // Every struct has a sum at least, because every scalar and complex type has.
            Type::structure(&fields)
        }
        _ => Type::Scalar(scalar),
    }
}

/// Whole arrays from initial values, with empty and odd lengths.
pub fn grids(fixture: &Fixture) {
    let stream = fixture.device.stream().expect("a stream");
    for ty in types() {
        let list = list(ty);
        for (opt, finalize) in [(OptLevel::O0, Finalize::SecondLaunch), (OptLevel::O2, Finalize::LastBlock)] {
            // Without unrolling: a quarter of the code to compile.
            let spec = KernelSpec::new(list.clone(), vec![ty], 64).and_then(|spec| spec.with_unroll(1));
            let spec = spec.expect("a legal kernel");
            let reduction = GeneratedReduction::with_options(
                &fixture.device,
                spec,
                Options { opt, finalize, ..Options::default() },
            )
            .unwrap_or_else(|error| panic!("{ty}: {error}"));
            for n in [0, 1, 71, 1500] {
                let mut bits = random(n);
                let values: Vec<_> = (0..n).map(|_| random_value(ty, &mut bits, &Op::Xor, false)).collect();
                let initial = records(&list, 3, 1).remove(0);
                let element = ReductionList::new(vec![Variable {
                    name: "element".into(),
                    ty,
                    op: Op::Sum,
                    source: Source::Array(0),
                }])
                .expect("a legal list");
                let bytes: Vec<u8> = values
                    .iter()
                    .flat_map(|value| {
                        Record::new(&element, std::slice::from_ref(value)).expect("of the list").to_bytes()
                    })
                    .collect();
                let data = fixture.device.buffer(&bytes).expect("a buffer");
                let run = || {
                    let mut record = Record::new(&list, &initial).expect("of the list");
                    let array = data.array_of(ty).expect("whole elements");
                    reduction.run(&stream, n, &[array], &mut record).unwrap_or_else(|e| panic!("{e}"));
                    record
                };
                let found = run();
                assert_eq!(run().to_bytes(), found.to_bytes(), "{ty}: different bits on the second run");
                let all: Vec<Vec<Value>> = std::iter::once(initial.clone())
                    .chain(values.iter().enumerate().map(|(index, value)| {
                        let of = |variable: &Variable| stored(&variable.op, value.clone(), index);
                        list.variables().iter().map(of).collect()
                    }))
                    .collect();
                let context = format!("{n} elements of {ty}, {opt:?}, {finalize:?}");
                assert_same(&list, found.values(), &expected(&list, all.iter()), &context);
            }
        }
    }
}

/// The error of floating-point sums is within the bound for the depth of consecutive additions.
pub fn float_sums(fixture: &Fixture) {
    const N: usize = 5000;
    const THREADS: u32 = 64;
    // Each thread's elements, its accumulators, and the levels of lanes, warps and blocks, rounded up.
    const DEPTH: f64 = (N / THREADS as usize + 16 + 20) as f64;
    let stream = fixture.device.stream().expect("a stream");
    for (ty, epsilon) in [
        (Type::F16, f64::from(f16::EPSILON)),
        (Type::BF16, f64::from(bf16::EPSILON)),
        (Type::F32, f64::from(f32::EPSILON)),
        (Type::F64, f64::EPSILON),
    ] {
        let values: Vec<f64> = random(11)
            .take(N)
            .map(|bits| {
                let scale = 2_f64.powi((bits % 12) as i32 - 8);
                let value = (bits >> 11) as f64 / 2_f64.powi(52) - 1.0;
                number(&float(ty, value * scale))
            })
            .collect();
        let bytes: Vec<u8> = match ty {
            Type::F16 => values.iter().flat_map(|value| f16::from_f64(*value).to_le_bytes()).collect(),
            Type::BF16 => values.iter().flat_map(|value| bf16::from_f64(*value).to_le_bytes()).collect(),
            Type::F32 => values.iter().flat_map(|value| (*value as f32).to_le_bytes()).collect(),
            _ => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        };
        let sum = Variable { name: "sum".into(), ty, op: Op::Sum, source: Source::Array(0) };
        let list = ReductionList::new(vec![sum]).expect("a legal list");
        let spec = KernelSpec::new(list, vec![ty], THREADS).expect("a legal kernel");
        let reduction =
            GeneratedReduction::new(&fixture.device, spec).unwrap_or_else(|error| panic!("{error}"));
        let data = fixture.device.buffer(&bytes).expect("a buffer");
        let mut record = Record::identity(reduction.spec().list());
        let array = data.array_of(ty).expect("whole elements");
        reduction.run(&stream, N as u64, &[array], &mut record).unwrap_or_else(|error| panic!("{error}"));
        let found = number(&record.values()[0]);
        // Neumaier's summation: the rounding error of each addition is kept.
        let (mut exact, mut lost) = (0.0_f64, 0.0_f64);
        for value in &values {
            let next = exact + value;
            lost += if exact.abs() >= value.abs() { exact - next + value } else { value - next + exact };
            exact = next;
        }
        let bound = DEPTH * epsilon / 2.0 * values.iter().map(|value| value.abs()).sum::<f64>();
        let error = (found - (exact + lost)).abs();
        assert!(error <= bound, "{ty}: {found} is off by {error}, more than {bound}");
    }
}

/// Without elements, or with NaNs only, the index is -1. Indices continue over the launches of a run.
pub fn indices(fixture: &Fixture) {
    let stream = fixture.device.stream().expect("a stream");
    let variable = |op: Op| Variable { name: op.to_string(), ty: Type::F32, op, source: Source::Array(0) };
    let list = ReductionList::new(vec![variable(Op::ArgMin), variable(Op::ArgMax)]).expect("a legal list");
    let spec = KernelSpec::new(list.clone(), vec![Type::F32], 64).expect("a legal kernel");
    let reduction = GeneratedReduction::new(&fixture.device, spec).unwrap_or_else(|error| panic!("{error}"));
    let found = |parts: &[&[f32]]| {
        let buffers: Vec<_> =
            parts.iter().map(|part| fixture.device.buffer(part).expect("a buffer")).collect();
        let mut run = reduction.start(&stream, &Record::identity(&list)).expect("a run");
        for buffer in &buffers {
            run.enqueue(buffer.len() as u64, &[buffer.array()]).expect("a launch");
        }
        let record = run.finish().expect("a result");
        let pair = |value: &Value| match value {
            Value::Struct(fields) => match fields.as_slice() {
                [Value::F32(value), Value::I64(index)] => (*value, *index),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        };
        [pair(&record.values()[0]), pair(&record.values()[1])]
    };
    for nothing in [&[][..], &[f32::NAN; 100][..]] {
        let [(least, at_least), (most, at_most)] = found(&[nothing]);
        assert!(least.is_nan() && most.is_nan() && (at_least, at_most) == (-1, -1));
    }
    let mut values = vec![f32::NAN; 3000];
    (values[70], values[1071], values[2072], values[2999]) = (2.0, -1.0, -1.0, 2.0);
    let expected = [(-1.0, 1071), (2.0, 70)];
    assert_eq!(found(&[&values]), expected);
    assert_eq!(found(&[&values[..1000], &values[1000..1003], &values[1003..]]), expected);
    // Infinities are values; the zeros are equal.
    assert_eq!(found(&[&[f32::INFINITY; 3]]), [(f32::INFINITY, 0); 2]);
    assert_eq!(found(&[&[0.0, -0.0, 0.0]]), [(0.0, 0), (0.0, 0)]);
}

/// Blocks of one to 32 warps, in grids of one block and of several, with tiles for some of the warps or none.
pub fn shapes(fixture: &Fixture) {
    let list = list(Type::F64);
    let spec = KernelSpec::new(list.clone(), vec![Type::F64], 1024).expect("a legal kernel");
    let ptx = kernel_ptx(&fixture.tools, &spec, fixture.sm(), OptLevel::O2)
        .unwrap_or_else(|error| panic!("{error}"));
    let kernels = fixture.load_ptx(&ptx);
    let values: Vec<f64> = random(5).take(3000).map(|bits| if bits & 1 == 0 { 1.0 } else { -1.0 }).collect();
    let data = fixture.upload(&values);
    let record = list.record().size as usize;
    let mut total = Record::identity(&list).values().to_vec();
    for (index, value) in values.iter().enumerate() {
        for (variable, total) in list.variables().iter().zip(&mut total) {
            *total = apply(&variable.op, total, &stored(&variable.op, Value::F64(*value), index + 7));
        }
    }
    for (grid, block) in [
        ([1, 1, 1], [64, 1, 1]),
        ([6, 1, 1], [32, 1, 1]),
        ([3, 1, 1], [128, 1, 1]),
        ([5, 1, 1], [96, 1, 1]),
        ([2, 1, 1], [256, 1, 1]),
        ([8, 1, 1], [1024, 1, 1]),
    ] {
        let blocks: u32 = grid.iter().product();
        let result = fixture.upload(&Record::identity(&list).to_bytes());
        let workspace = fixture.upload(&vec![0_u8; WORKSPACE_HEADER_BYTES + blocks as usize * record]);
        let words = [
            values.len() as u64,
            7,
            workspace.as_device_ptr().as_raw(),
            result.as_device_ptr().as_raw(),
            data.as_device_ptr().as_raw(),
        ];
        let parameters: Vec<_> = words.iter().map(|word| word.to_le_bytes().to_vec()).collect();
        kernels.launch("warpfold_reduce", grid, block, 0, &parameters).expect("a launch");
        let found = result.as_host_vec().expect("the buffer is there");
        let found = Record::from_bytes(&list, &found).expect("of the list");
        assert_same(&list, found.values(), &total, &format!("grid {grid:?} of blocks {block:?}"));
    }
}
