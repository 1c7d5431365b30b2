//! The dot product of two arrays: products of elements, summed.

use host_rt::{
    Device, Error, GeneratedReduction, KernelSpec, Op, Record, ReductionList, Select, Source, Type, Value,
    Variable,
};

fn main() -> Result<(), Error> {
    const N: u64 = 1_000_003;
    let x: Vec<f32> = (0..N).map(|i| (i % 5) as f32).collect();
    let y: Vec<f32> = (0..N).map(|i| (i % 3) as f32 - 1.0).collect();

    let dot = Variable { name: "dot".into(), ty: Type::F32, op: Op::Sum, source: Source::Product(0, 1) };
    let list = ReductionList::new(vec![dot])?;
    let mut record = Record::new(&list, &[Value::F32(0.0)])?;

    let device = Device::open(Select::Auto)?;
    let spec = KernelSpec::new(list, vec![Type::F32, Type::F32], host_rt::BLOCK_THREADS)?;
    let reduction = GeneratedReduction::new(&device, spec)?;
    let stream = device.stream()?;
    let (x, y) = (device.buffer(&x)?, device.buffer(&y)?);
    reduction.run(&stream, N, &[x.array(), y.array()], &mut record)?;

    println!("on {}", device.name());
    println!("dot {}", record.values()[0]);
    Ok(())
}
