//! Typed reductions of arrays, against the same operators on the host.

use host_rt::{
    All, And, Any, ArgMax, ArgMin, Device, Error, Items, Lift, Max, Min, OptLevel, Or, Portable, Product,
    Select, Storable, Sum, TypedReduction, Xor, device_code,
};

device_code! {
    /// Operators of the tests, which run on host and device.
    mod operators exports Moments, Merge, Longest, Run, Count, Dot {
        plain! {
            /// Number, mean and sum of squared deviations; exact for the integers of the tests.
            #[derive(Clone, Copy, Debug, PartialEq)]
            pub struct Moments {
                pub count: u32,
                pub low: i8,
                pub sum: f64,
                pub squares: f64,
                pub high: i8,
            }
        }

        #[derive(Clone, Copy)]
        pub struct Merge;

        impl Reduce<Moments> for Merge {
            fn combine(self, a: Moments, b: Moments) -> Moments {
                Moments {
                    count: a.count + b.count,
                    low: Min.combine(a.low, b.low),
                    sum: a.sum + b.sum,
                    squares: a.squares + b.squares,
                    high: Max.combine(a.high, b.high),
                }
            }
        }

        impl Lift<i8> for Merge {
            type Value = Moments;

            fn lift(self, item: i8, _index: u64) -> Moments {
                let x = item as f64;
                Moments { count: 1, low: item, sum: x, squares: x * x, high: item }
            }
        }

        plain! {
            /// An element of an array of structs, with padding inside and after.
            #[derive(Clone, Copy, Debug, PartialEq)]
            pub struct Run {
                pub length: u16,
                pub start: u64,
                pub kind: u8,
            }
        }

        #[derive(Clone, Copy)]
        pub struct Longest;

        impl Reduce<Run> for Longest {
            fn combine(self, a: Run, b: Run) -> Run {
                if (a.length, b.start) > (b.length, a.start) { a } else { b }
            }
        }

        impl Lift<Run> for Longest {
            type Value = Run;

            fn lift(self, item: Run, _index: u64) -> Run {
                item
            }
        }

        /// Counts each of 48 values: a record that takes several rounds of the inter-warp copy.
        #[derive(Clone, Copy)]
        pub struct Count;

        impl Reduce<[u32; 48]> for Count {
            fn combine(self, a: [u32; 48], b: [u32; 48]) -> [u32; 48] {
                Sum.combine(a, b)
            }
        }

        impl Identity<[u32; 48]> for Count {
            fn identity(self) -> [u32; 48] {
                [0; 48]
            }
        }

        impl Lift<u8> for Count {
            type Value = [u32; 48];

            fn lift(self, item: u8, index: u64) -> [u32; 48] {
                self.accumulate([0; 48], item, index)
            }

            fn accumulate(self, mut counts: [u32; 48], item: u8, _index: u64) -> [u32; 48] {
                counts[item as usize % 48] += 1;
                counts
            }
        }

        /// The sum of products, of two arrays.
        #[derive(Clone, Copy)]
        pub struct Dot;

        impl Reduce<i64> for Dot {
            fn combine(self, a: i64, b: i64) -> i64 {
                a + b
            }
        }

        impl Lift<(i32, i16)> for Dot {
            type Value = i64;

            fn lift(self, (x, y): (i32, i16), _index: u64) -> i64 {
                x as i64 * y as i64
            }
        }
    }
}

/// Lengths around the sizes of warps, blocks and grids.
const SIZES: [usize; 14] = [0, 1, 2, 31, 32, 33, 255, 257, 1000, 1023, 1024, 1025, 3000, 20_003];

fn device() -> Device {
    Device::open(Select::Emulator).unwrap()
}

fn numbers() -> impl Iterator<Item = u64> {
    (1u64..).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20)
}

/// Compares host and device for the operator over the first elements of `data`, at each size and two
/// optimisation levels.
fn check<I, O>(op: O, initial: O::Value, data: &[I])
where
    I: Items + host_rt::Plain,
    O: Lift<I> + Portable,
    O::Value: Storable + PartialEq + std::fmt::Debug,
{
    let device = device();
    let stream = device.stream().unwrap();
    for opt in [OptLevel::O0, OptLevel::O2] {
        let reducer = TypedReduction::with_opt(&device, op, opt).unwrap();
        // Without optimisation the largest size would take most of the test's time.
        for n in SIZES.into_iter().filter(|&n| n < 10_000 || opt != OptLevel::O0) {
            let data = &data[..n];
            let host = host_rt::reduce(op, data.iter().copied());
            let expected = host.map_or(initial, |value| op.combine(initial, value));
            let found = reducer.fold(&stream, initial, data).unwrap().wait().unwrap();
            assert_eq!(found, expected, "{n} elements, {opt}");
        }
    }
}

fn of<T>(convert: impl Fn(u64) -> T) -> Vec<T> {
    numbers().map(convert).take(SIZES[SIZES.len() - 1]).collect()
}

#[test]
fn operators_of_integers() {
    check(Sum, 77, &of(|x| x as i32));
    check(Product, 3, &of(|x| x | 1));
    check((Min, Max), (-7, 7), &of(|x| x as i16));
    check((And, Or, Xor), (0xf0, 0, 1), &of(|x| x as u8 | 0x50));
    check((Sum, Xor), (1, 1), &of(|x| (x as i128) << 60));
}

#[test]
fn operators_of_floats() {
    // Halves of small integers, whose sums are exact in every order.
    check(Sum, 0.5, &of(|x| (x % 64) as f32 * 0.5));
    check((Sum, Min, Max), (1.0, 0.0, -0.0), &of(|x| (x % 100) as f64 - 50.0));
    let sparse = of(|x| if x % 5 == 0 { f32::NAN } else { (x % 1000) as f32 });
    check((Min, Max), (f32::INFINITY, f32::NEG_INFINITY), &sparse);
}

#[test]
fn logical_operators_and_argmin() {
    check((All, Any), (true, false), &of(|x| (x % 3) as u8));
    let start = host_rt::Indexed { value: 0.0, index: -1 };
    let sparse = of(|x| if x % 7 == 0 { f64::NAN } else { (x % 50) as f64 });
    // NaN is ignored everywhere, here as the first element, too.
    let data = [&[f64::NAN], &sparse[1..]].concat();
    let device = device();
    for n in SIZES {
        let found = device.fold((start, start), &data[..n], (ArgMin, ArgMax)).unwrap();
        let host = host_rt::reduce((ArgMin, ArgMax), data[..n].iter().copied()).unwrap_or((start, start));
        let key = |found: host_rt::Indexed<f64>| found.found();
        assert_eq!((key(found.0), key(found.1)), (key(host.0), key(host.1)), "{n} elements");
    }
}

#[test]
fn user_defined_operators() {
    let start = operators::Moments { count: 1000, low: 5, sum: 0.5, squares: 0.25, high: -5 };
    check(operators::Merge, start, &of(|x| x as i8));
    let run = |x: u64| operators::Run { length: (x % 999) as u16, start: x, kind: x as u8 };
    check(operators::Longest, run(0), &of(run));
    check(operators::Count, [2; 48], &of(|x| x as u8));
}

#[test]
fn arrays_and_several_arrays() {
    check(Sum, [1, 2, 3], &of(|x| [x as u32, (x >> 8) as u32, 1]));
    let device = device();
    let (x, y) = (of(|x| x as i32), of(|x| (x >> 7) as i16));
    let expected = x.iter().zip(&y).fold(5, |sum, (&x, &y)| sum + i64::from(x) * i64::from(y));
    let on_device = device.buffer(&y).unwrap();
    assert_eq!(device.fold(5, (&x, &on_device), operators::Dot).unwrap(), expected);
    let (sum, most) = device.reduce((&x, &y), (Sum, Max)).unwrap();
    assert_eq!(
        (sum, Some(most)),
        (x.iter().fold(0i32, |sum, &x| sum.wrapping_add(x)), y.iter().copied().max())
    );
    let error = device.reduce((&x, &y[1..]), (Sum, Max)).unwrap_err();
    assert!(matches!(&error, Error::Lengths { lengths } if lengths == &[x.len(), x.len() - 1]), "{error}");
    // Elements may be structs on the device, too.
    let runs = of(|x| operators::Run { length: x as u16, start: x, kind: 0 });
    let buffer = device.buffer(&runs).unwrap();
    let longest = device.fold(runs[0], &buffer, operators::Longest).unwrap();
    assert_eq!(Some(longest.length), runs.iter().map(|run| run.length).max());
    assert_eq!(buffer.to_vec().unwrap(), runs);
}

device_code! {
    /// An operator that compiles for the host only.
    mod host_only exports HostOnly {
        #[derive(Clone, Copy)]
        pub struct HostOnly;

        impl Reduce<f64> for HostOnly {
            fn combine(self, a: f64, b: f64) -> f64 {
                std::vec![a, b].iter().sum()
            }
        }

        impl Lift<f64> for HostOnly {
            type Value = f64;

            fn lift(self, item: f64, _index: u64) -> f64 {
                item
            }
        }
    }
}

#[test]
fn errors_of_the_device_compiler_are_reported() {
    assert_eq!(host_rt::reduce(host_only::HostOnly, [1.0, 2.0]), Some(3.0));
    let error = device().fold(0.0, &[1.0, 2.0], host_only::HostOnly).unwrap_err();
    assert!(matches!(error, Error::Toolchain(_)), "{error}");
    let text = error.to_string();
    assert!(text.contains("std::vec![a, b]") && text.contains("error[E0433]"), "{text}");
}

#[test]
fn every_type_with_four_operators() {
    fn check_type<T>(data: Vec<T>)
    where
        T: host_rt::Plain + Portable + PartialEq + std::fmt::Debug,
        (Sum, Product, Min, Max): Lift<T, Value = (T, T, T, T)>,
    {
        let device = device();
        let reducer = TypedReduction::with_opt(&device, (Sum, Product, Min, Max), OptLevel::O2).unwrap();
        let stream = device.stream().unwrap();
        let initial = (data[5], data[6], data[7], data[8]);
        for n in [1, 33, 1000, 2600] {
            let host = host_rt::reduce((Sum, Product, Min, Max), data[..n].iter().copied()).unwrap();
            let expected = host_rt::Reduce::combine((Sum, Product, Min, Max), initial, host);
            assert_eq!(reducer.fold(&stream, initial, &data[..n]).unwrap().wait().unwrap(), expected);
        }
    }
    check_type(of(|x| x as i8));
    check_type(of(|x| x as i16));
    check_type(of(|x| x as i32));
    check_type(of(|x| x as i64));
    check_type(of(|x| i128::from(x) << 70 | i128::from(x)));
    check_type(of(|x| x as u8));
    check_type(of(|x| x as u16));
    check_type(of(|x| x as u32));
    check_type(of(|x| x));
    check_type(of(|x| u128::from(x) << 70 | u128::from(x)));
    // Exact in every order: sums of few small numbers, products of powers of two.
    check_type(of(|x| [0.5f32, 1.0, 2.0, -1.0][x as usize % 4]));
    check_type(of(|x| [0.5f64, 1.0, 2.0, -1.0][x as usize % 4]));
}

#[test]
fn float_sums_are_accurate_and_deterministic() {
    let device = device();
    let data = of(|x| (x as f32 * 1e-9).sin());
    let reducer = TypedReduction::new(&device, Sum).unwrap();
    let stream = device.stream().unwrap();
    let once = reducer.reduce(&stream, &data).unwrap().wait().unwrap();
    let exact: f64 = data.iter().map(|&x| f64::from(x)).sum();
    let size: f64 = data.iter().map(|&x| f64::from(x.abs())).sum();
    // A segment has 16 elements, a column four segments, and a tree of three chunks' columns 9 levels.
    let steps = 29.0;
    assert!((f64::from(once) - exact).abs() <= steps * f64::from(f32::EPSILON) * size, "{once} {exact}");
    let again = reducer.reduce(&stream, &data).unwrap().wait().unwrap();
    assert_eq!(again.to_bits(), once.to_bits());
}

#[test]
fn without_elements_the_result_is_the_identity() {
    let device = device();
    let none: [f64; 0] = [];
    let (sum, product, least, most) = device.reduce(&none, (Sum, Product, Min, Max)).unwrap();
    assert_eq!((sum.to_bits(), product), ((-0.0f64).to_bits(), 1.0));
    assert!(least.is_nan() && most.is_nan());
    assert_eq!(device.reduce(&[0u8; 0], (And, Or, All, Any)).unwrap(), (255, 0, true, false));
    assert_eq!(device.reduce(&[0i16; 0], ArgMin).unwrap().found(), None);
    // Combining with the identity changes nothing.
    let product = device.reduce(&[3i16, -5, 7], Product).unwrap();
    assert_eq!((product, device.reduce(&[-0.0f64; 40], Sum).unwrap().to_bits()), (-105, (-0.0f64).to_bits()));
    assert_eq!(device.reduce(&[-4i8; 70], (Min, Max, And)).unwrap(), (-4, -4, -4));
}

#[test]
fn streams_are_independent() {
    let device = device();
    let reducer = TypedReduction::new(&device, Sum).unwrap();
    let data = of(|x| x as u32);
    let buffer = device.buffer(&data).unwrap();
    let streams = [device.stream().unwrap(), device.stream().unwrap()];
    let expected = data.iter().fold(0u32, |sum, &x| sum.wrapping_add(x));
    let pending: Vec<_> =
        (0..6).map(|i| reducer.fold(&streams[i as usize % 2], i, &buffer).unwrap()).collect();
    for (i, value) in (0..).zip(pending) {
        assert_eq!(value.wait().unwrap(), expected.wrapping_add(i));
    }
    // A reduction that is dropped does not disturb the next one.
    drop(reducer.reduce(&streams[0], &data).unwrap());
    assert_eq!(reducer.reduce(&streams[0], &[0u32; 0]).unwrap().wait().unwrap(), 0);
}
