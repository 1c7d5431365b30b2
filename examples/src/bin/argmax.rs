//! The largest element and its index; several reductions in one pass.

use host_rt::{ArgMax, ArgMin, Device, Error, Select, Sum};

fn main() -> Result<(), Error> {
    let samples: Vec<f32> = (0..1_000_003u32).map(|i| (i % 1009) as f32 - (i % 7) as f32 * 0.25).collect();

    let device = Device::open(Select::Auto)?;
    println!("on {}", device.name());

    let largest = device.reduce(&samples, ArgMax)?;
    match largest.found() {
        Some((value, index)) => println!("largest {value} at {index}"),
        None => println!("no number there"),
    }

    // Several operators in one pass over an array that stays on the device.
    let samples = device.buffer(&samples)?;
    let (first, last, count) =
        device.reduce((&samples, &samples, &vec![1u32; samples.len()]), (ArgMin, ArgMax, Sum))?;
    println!("from {} to {}, {count} samples", first.value, last.value);
    Ok(())
}
