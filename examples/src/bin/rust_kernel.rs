//! Kernels written in Rust (`src/kernels/blur.rs`), launched with typed arguments.

use host_rt::{Device, Error, KernelCrate, Module, OptLevel, Select};

fn main() -> Result<(), Error> {
    const N: u32 = 1280;
    const THREADS: u32 = 128;
    let signal: Vec<f32> = (0..N).map(|i| if i % 100 == 50 { i as f32 } else { (i % 4) as f32 }).collect();

    let device = Device::open(Select::Auto)?;
    println!("on {}", device.name());
    let kernels = Module::new(
        &device,
        &KernelCrate {
            name: "blur",
            sources: &[("src/lib.rs", include_str!("../kernels/blur.rs"))],
            kernels: &["blur", "peaks"],
            opt: OptLevel::O3,
        },
    )?;
    let (blur, peaks) = (kernels.kernel("blur")?, kernels.kernel("peaks")?);

    let stream = device.stream()?;
    let shape = (N / THREADS, THREADS);
    let signal = device.buffer(&signal)?;
    let mut smooth = device.buffer(&vec![0.0f32; N as usize])?;
    let mut highest = device.buffer(&vec![0.0f32; (N / THREADS) as usize])?;
    // SAFETY: the types are those of the parameters; the buffers have an element for each thread or each
    // block.
    unsafe {
        blur.launch(&stream, shape, (N, &signal, &mut smooth))?.wait()?;
        peaks.launch(&stream, shape, (&smooth, &mut highest))?.wait()?;
    }
    println!("smooth {:?}", &smooth.to_vec()?[48..53]);
    println!("peaks {:?}", highest.to_vec()?);
    Ok(())
}
