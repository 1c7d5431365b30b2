//! A histogram as a reduction of arrays: every thread counts in its own array, and the arrays are added
//! element by element, without atomic operations.

use host_rt::{Device, Error, Select, device_code};

device_code! {
    mod histogram exports Histogram {
        /// Bins of equal width from 0 to 256.
        pub const BINS: usize = 16;

        #[derive(Clone, Copy)]
        pub struct Histogram;

        impl Reduce<[u32; BINS]> for Histogram {
            fn combine(self, one: [u32; BINS], other: [u32; BINS]) -> [u32; BINS] {
                Sum.combine(one, other)
            }
        }

        impl Identity<[u32; BINS]> for Histogram {
            fn identity(self) -> [u32; BINS] {
                [0; BINS]
            }
        }

        impl Lift<u8> for Histogram {
            type Value = [u32; BINS];

            fn lift(self, item: u8, index: u64) -> [u32; BINS] {
                self.accumulate([0; BINS], item, index)
            }

            /// Increments one bin, which is cheaper than adding an array with a single one.
            fn accumulate(self, mut counts: [u32; BINS], item: u8, _index: u64) -> [u32; BINS] {
                counts[item as usize * BINS / 256] += 1;
                counts
            }
        }
    }
}

fn main() -> Result<(), Error> {
    // Sums of two dice of 128 sides.
    let pixels: Vec<u8> = (0..300_000u32).map(|i| (i % 128) as u8 + (i / 128 * 37 % 128) as u8).collect();

    let device = Device::open(Select::Auto)?;
    println!("on {}", device.name());
    let counts = device.reduce(&pixels, histogram::Histogram)?;
    for (bin, count) in counts.iter().enumerate() {
        println!("{:3} {count:6} {}", bin * 256 / histogram::BINS, "*".repeat(*count as usize / 1000));
    }
    Ok(())
}
