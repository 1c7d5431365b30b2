//! Mean and variance in one pass, by a user-defined operator, which is written once and runs on the device
//! and, for comparison, on the host.

use host_rt::{Device, Error, Select, device_code};

device_code! {
    /// Moments of a set of samples.
    mod moments exports Moments, Merge {
        plain! {
            #[derive(Clone, Copy, Debug)]
            pub struct Moments {
                pub count: f64,
                pub mean: f64,
                /// The sum of squared distances from the mean.
                pub squares: f64,
            }
        }

        /// Merges the moments of two sets of samples (Chan, Golub and LeVeque, 1983).
        #[derive(Clone, Copy)]
        pub struct Merge;

        impl Reduce<Moments> for Merge {
            fn combine(self, a: Moments, b: Moments) -> Moments {
                let count = a.count + b.count;
                let distance = b.mean - a.mean;
                Moments {
                    count,
                    mean: a.mean + distance * b.count / count,
                    squares: a.squares + b.squares + distance * distance * a.count * b.count / count,
                }
            }
        }

        impl Lift<f64> for Merge {
            type Value = Moments;

            fn lift(self, sample: f64, _index: u64) -> Moments {
                Moments { count: 1.0, mean: sample, squares: 0.0 }
            }
        }
    }
}

use moments::{Merge, Moments};

fn main() -> Result<(), Error> {
    // A small variance and a large mean: as the difference of two large sums the variance would be lost.
    let samples: Vec<f64> = (0..1_000_000).map(|i| 1e9 + f64::from(i % 10)).collect();

    let device = Device::open(Select::Auto)?;
    println!("on {}", device.name());

    // The first sample is the initial value, so that the operator needs no identity.
    let first = Moments { count: 1.0, mean: samples[0], squares: 0.0 };
    let all = device.fold(first, &samples[1..], Merge)?;
    println!("mean {:.3}, variance {:.3}", all.mean, all.squares / all.count);

    if let Some(host) = host_rt::reduce(Merge, samples.iter().copied()) {
        println!("mean {:.3}, variance {:.3} on the host", host.mean, host.squares / host.count);
    }
    Ok(())
}
