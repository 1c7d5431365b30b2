//! Two sums over two arrays in one launch, like this OpenMP loop:
//!
//! ```c
//! double foo = 0.5, bar = -2;
//! #pragma omp target teams distribute parallel for reduction(+:foo, bar)
//! for (int i = 0; i < N; i++) { foo += A[i]; bar += B[i]; }
//! ```

use host_rt::{
    Device, Error, GeneratedReduction, KernelSpec, Op, Record, ReductionList, Select, Source, Type, Value,
    Variable,
};

fn main() -> Result<(), Error> {
    const N: u64 = 1_000_000;
    let a: Vec<f64> = (0..N).map(|i| i as f64).collect();
    let b: Vec<f64> = (0..N).map(|i| 1.0 / (1 << (i % 8)) as f64).collect();

    // Two sums, each over its own array.
    let sum = |name: &str, array| Variable {
        name: name.into(),
        ty: Type::F64,
        op: Op::Sum,
        source: Source::Array(array),
    };
    let list = ReductionList::new(vec![sum("foo", 0), sum("bar", 1)])?;
    let mut record = Record::new(&list, &[Value::F64(0.5), Value::F64(-2.0)])?;

    let device = Device::open(Select::Auto)?;
    let spec = KernelSpec::new(list, vec![Type::F64, Type::F64], host_rt::BLOCK_THREADS)?;
    let reduction = GeneratedReduction::new(&device, spec)?;
    let stream = device.stream()?;
    let (a, b) = (device.buffer(&a)?, device.buffer(&b)?);
    reduction.run(&stream, N, &[a.array(), b.array()], &mut record)?;

    println!("on {}", device.name());
    println!("foo {}", record.values()[0]);
    println!("bar {}", record.values()[1]);
    Ok(())
}
