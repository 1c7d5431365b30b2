//! Exact sums on the device: those of the host, in every order of the elements, grid and schedule.

use std::fmt::Debug;
use std::sync::{Mutex, PoisonError};
use std::{env, fs, path::Path, process::Command};

use cuda_driver::settings::{self, Engine, LaunchOptions, Settings};
use device_code::EXACT_SUMS;
use device_rt::reduce::exact::CELLS;
use host_rt::{
    Column, Device, Error, ExactElement, ExactReduction, ExactSum, KernelCrate, Module, OptLevel, Select,
    Stream,
};
use toolchain::Tools;

/// The emulator's settings are those of the process: one test at a time.
static TURN: Mutex<()> = Mutex::new(());

/// What a child process does.
const CHILD: &str = "WARPFOLD_TEST_CHILD";

fn pseudo_random(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (((state >> 32) as u128 * below as u128) >> 32) as u64
    }
}

fn shuffle<T>(items: &mut [T], random: &mut impl FnMut(u64) -> u64) {
    for at in 1..items.len() {
        items.swap(at, random(at as u64 + 1) as usize);
    }
}

/// Kinds of [`elements`].
const KINDS: [&str; 9] =
    ["uniform", "equal", "cancelling", "any", "alternating", "denormal", "overflowing", "infinite", "nan"];

/// Elements of a kind, made of random bits of a type.
fn elements<T: Real>(kind: &str, n: usize, random: &mut impl FnMut(u64) -> u64) -> Vec<T> {
    let mut any = || T::from_bits(random(1 << 32) << 32 | random(1 << 32));
    let mut elements: Vec<T> = (0..n).map(|_| any()).collect();
    let finite = |x: T| if x.into().is_finite() { x } else { T::ONE };
    match kind {
        "uniform" => elements.iter_mut().for_each(|x| *x = T::uniform(x.bits())),
        "equal" => elements.fill(T::uniform(random(1 << 60))),
        "any" => elements.iter_mut().for_each(|x| *x = finite(*x)),
        "cancelling" => {
            // Pairs whose sum is 0, but for one element.
            for at in (1..n).step_by(2) {
                elements[at - 1] = finite(elements[at - 1]);
                elements[at] = elements[at - 1].negated();
            }
            if n > 0 {
                elements[n - 1] = T::ONE;
            }
            shuffle(&mut elements, random);
        }
        "alternating" => {
            for (at, x) in elements.iter_mut().enumerate() {
                *x = [T::LARGE, T::uniform(x.bits()), T::LARGE.negated()][at % 3];
            }
        }
        "denormal" => elements.iter_mut().for_each(|x| *x = T::denormal(x.bits())),
        "overflowing" => {
            let half = n.div_ceil(2);
            elements[..half].fill(T::MOST);
            elements[half..].fill(T::MOST.negated());
        }
        kind => {
            elements.iter_mut().for_each(|x| *x = finite(*x));
            if n > 0 {
                let at = random(n as u64) as usize;
                elements[at] = if kind == "nan" { T::NAN } else { T::INFINITE };
            }
        }
    }
    elements
}

/// An element type of the tests.
trait Real: ExactElement + Debug + PartialEq {
    const ONE: Self;
    const MOST: Self;
    const LARGE: Self;
    const INFINITE: Self;
    const NAN: Self;
    fn from_bits(bits: u64) -> Self;
    fn bits(self) -> u64;
    fn negated(self) -> Self;
    fn uniform(bits: u64) -> Self;
    fn denormal(bits: u64) -> Self;
}

macro_rules! reals {
    ($($ty:ident $bits:ident;)*) => {$(
        impl Real for $ty {
            const ONE: $ty = 1.0;
            const MOST: $ty = $ty::MAX;
            const LARGE: $ty = $ty::MAX / 16.0;
            const INFINITE: $ty = $ty::INFINITY;
            const NAN: $ty = $ty::NAN;
            fn from_bits(bits: u64) -> $ty {
                $ty::from_bits(bits as $bits)
            }
            fn bits(self) -> u64 {
                self.to_bits().into()
            }
            fn negated(self) -> $ty {
                -self
            }
            fn uniform(bits: u64) -> $ty {
                (bits as $bits) as $ty / $bits::MAX as $ty - 0.5
            }
            fn denormal(bits: u64) -> $ty {
                let magnitude = $ty::from_bits(bits as $bits & ((1 << ($ty::MANTISSA_DIGITS - 1)) - 1));
                if bits % 3 == 0 { -magnitude } else { magnitude }
            }
        }
    )*};
}

reals! {
    f32 u32;
    f64 u64;
}

fn dot_on_host<T: ExactElement>(x: &[T], y: &[T]) -> ExactSum {
    let mut sum = ExactSum::new();
    x.iter().zip(y).for_each(|(x, y)| sum.add_product(*x, *y));
    sum
}

/// Sums and dot products of all kinds of elements.
fn sums_are_those_of_the_host<T: Real>(exact: &ExactReduction, stream: &Stream, n: usize)
where
    for<'a> &'a Vec<T>: Column<'a, Element = T>,
{
    let random = &mut pseudo_random(n as u64);
    for kind in KINDS {
        let (x, mut y) = (elements::<T>(kind, n, random), elements::<T>(kind, n, random));
        let expected: ExactSum = x.iter().copied().collect();
        assert_eq!(exact.sum(stream, &x).unwrap().wait().unwrap(), expected, "{kind}, {n} elements");
        if random(2) == 0 {
            // Products that cancel, and that are zero.
            y = x.iter().rev().map(|x| x.negated()).collect();
        }
        let expected = dot_on_host(&x, &y);
        assert_eq!(exact.dot(stream, &x, &y).unwrap().wait().unwrap(), expected, "{kind}, {n} products");
    }
}

#[test]
fn sums_and_products_are_those_of_the_host() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let device = Device::open(Select::Emulator).unwrap();
    let (stream, exact) = (device.stream().unwrap(), ExactReduction::new(&device).unwrap());
    for n in [0, 1, 2, 3, 17, 255, 512, 513, 5000] {
        sums_are_those_of_the_host::<f32>(&exact, &stream, n);
        sums_are_those_of_the_host::<f64>(&exact, &stream, n);
    }
    let exact = ExactReduction::with_opt(&device, OptLevel::O0).unwrap();
    sums_are_those_of_the_host::<f32>(&exact, &stream, 777);
    sums_are_those_of_the_host::<f64>(&exact, &stream, 777);
}

/// Launches a kernel with a grid.
fn launched<T: ExactElement>(
    module: &Module,
    stream: &Stream,
    grid: (u32, u32),
    x: &[T],
    y: Option<&[T]>,
) -> ExactSum {
    let device = Device::open(Select::Emulator).unwrap();
    let name = format!("exact_{}_f{}", if y.is_some() { "dot" } else { "sum" }, 8 * size_of::<T>());
    let mut cells = device.buffer(&[0u64; CELLS]).unwrap();
    let (n, array) = (x.len() as u64, device.buffer(x).unwrap());
    let kernel = module.kernel(&name).unwrap();
    match y {
        // SAFETY: the kernel's parameters, with an array of `n` elements.
        None => unsafe { kernel.launch(stream, grid, (n, &mut cells, &array)).unwrap().wait().unwrap() },
        Some(y) => {
            let other = device.buffer(y).unwrap();
            // SAFETY: likewise, with two.
            unsafe { kernel.launch(stream, grid, (n, &mut cells, &array, &other)).unwrap().wait().unwrap() }
        }
    }
    ExactSum::from_cells(&cells.to_vec().unwrap().try_into().unwrap())
}

#[test]
fn every_grid_and_order_gives_the_same_sum() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let device = Device::open(Select::Emulator).unwrap();
    let (stream, module) = (device.stream().unwrap(), Module::new(&device, &EXACT_SUMS).unwrap());
    let random = &mut pseudo_random(1);
    for (kind, n) in [("uniform", (1 << 16) + 3), ("any", 8_191), ("cancelling", 9_001)] {
        let mut floats = elements::<f32>(kind, n, random);
        let mut doubles = elements::<f64>(kind, n, random);
        let expected: ExactSum = floats.iter().copied().collect();
        let double: ExactSum = doubles.iter().copied().collect();
        let products = dot_on_host(&doubles, &doubles);
        for grid in [(1, 32), (1, 1024), (3, 96), (40, 128), (7, 256), (300, 64)] {
            shuffle(&mut floats, random);
            shuffle(&mut doubles, random);
            assert_eq!(launched(&module, &stream, grid, &floats, None), expected, "{kind}, {grid:?}");
            assert_eq!(launched(&module, &stream, grid, &doubles, None), double, "{kind}, {grid:?}");
            let squares = launched(&module, &stream, grid, &doubles, Some(&doubles));
            assert_eq!(squares, products, "{kind}, {grid:?}");
        }
        match kind {
            "cancelling" => assert_eq!((expected.to_f32(), double.to_f64()), (1.0, 1.0)),
            _ => assert_ne!((expected.to_f32(), double.to_f64()), (0.0, 0.0)),
        }
    }
}

/// One launch of each kernel with elements of which some fit into terms and some do not.
fn small_launches(module: &Module, stream: &Stream) {
    let random = &mut pseudo_random(2);
    let (mut x, y) = (elements::<f64>("any", 3001, random), elements::<f64>("any", 3001, random));
    x[..2000].copy_from_slice(&elements("uniform", 2000, random));
    let narrow = |x: &[f64]| -> Vec<f32> { x.iter().map(|x| *x as f32).collect() };
    let (floats, others) = (narrow(&x), narrow(&y));
    assert_eq!(launched(module, stream, (5, 64), &x, None), x.iter().copied().collect());
    assert_eq!(launched(module, stream, (2, 128), &x, Some(&y)), dot_on_host(&x, &y));
    assert_eq!(launched(module, stream, (5, 64), &floats, None), floats.iter().copied().collect());
    assert_eq!(launched(module, stream, (2, 128), &floats, Some(&others)), dot_on_host(&floats, &others));
}

#[test]
fn every_schedule_gives_the_same_sum() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let device = Device::open(Select::Emulator).unwrap();
    let (stream, module) = (device.stream().unwrap(), Module::new(&device, &EXACT_SUMS).unwrap());
    let usual = LaunchOptions::default();
    for schedule in [
        LaunchOptions { reverse_blocks: true, ..usual.clone() },
        LaunchOptions { seed: Some(1), ..usual.clone() },
        LaunchOptions { seed: Some(2), switch_every: Some(1), ..usual.clone() },
        LaunchOptions { jobs: 4, ..usual.clone() },
        LaunchOptions { engine: Engine::Compile, ..usual },
    ] {
        settings::configure(Settings { launch: Some(schedule), ..Settings::default() }).unwrap();
        small_launches(&module, &stream);
    }
    settings::configure(Settings::default()).unwrap();
}

/// Runs in a child process, because checks are switched on for whole processes.
#[test]
fn child() {
    if env::var_os(CHILD).is_some() {
        let device = Device::open(Select::Emulator).unwrap();
        assert!(settings::checks_launches());
        let stream = device.stream().unwrap();
        for opt in [OptLevel::O3, OptLevel::O0] {
            small_launches(&Module::new(&device, &KernelCrate { opt, ..EXACT_SUMS }).unwrap(), &stream);
        }
        eprintln!("all launched");
    }
}

#[test]
fn checks_have_no_findings() {
    let reports = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reports-on-exact-sums");
    let _ = fs::remove_file(&reports);
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["child", "--exact", "--nocapture"]).env(CHILD, "1").env("WARPFOLD_CHECK", "all");
    command.env("WARPFOLD_FAULT_JSON", &reports);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("all launched"), "{text}");
    assert_eq!(fs::read_to_string(&reports).unwrap_or_default(), "");
}

#[test]
fn parts_are_merged_in_any_order() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let device = Device::open(Select::Emulator).unwrap();
    let (stream, exact) = (device.stream().unwrap(), ExactReduction::new(&device).unwrap());
    let random = &mut pseudo_random(3);
    let doubles = elements::<f64>("any", 4000, random);
    let floats = elements::<f32>("uniform", 4000, random);
    let mut expected: ExactSum = doubles.iter().copied().collect();
    expected.merge(&dot_on_host(&floats, &floats));
    for _ in 0..4 {
        let mut parts = Vec::new();
        for at in (0..4000).step_by(800) {
            let (some, products) = (&doubles[at..at + 800], &floats[at..at + 800]);
            parts.push(match random(2) {
                0 => some.iter().copied().collect(),
                _ => exact.sum(&stream, some).unwrap().wait().unwrap(),
            });
            parts.push(match random(2) {
                0 => dot_on_host(products, products),
                _ => exact.dot(&stream, products, products).unwrap().wait().unwrap(),
            });
        }
        shuffle(&mut parts, random);
        let mut all = ExactSum::new();
        for part in parts {
            all.merge(&ExactSum::from_bytes(&part.to_bytes()).unwrap());
        }
        assert_eq!(all, expected);
    }
}

#[test]
fn a_device_sums_arrays_and_buffers() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let device = Device::open(Select::Emulator).unwrap();
    let buffer = device.buffer(&[1e30f32, 1.0, -1e30, 0.5]).unwrap();
    assert_eq!(device.exact_sum(&buffer).unwrap(), 1.5);
    assert_eq!(device.exact_dot(&buffer, &[1.0, 2.0, 1.0, -0.25]).unwrap(), 1.875);
    assert_eq!(device.exact_sum(&[0.1; 10]).unwrap(), 1.0);
    assert_eq!(device.exact_sum(&[-0.0f64; 3]).unwrap().to_bits(), 0);
    assert_eq!(device.exact_sum(&[] as &[f32]).unwrap().to_bits(), 0);
    // Products that are too large or too small for an `f64`, and their errors.
    let (x, y) = ([1e200, -1e200, 1e-200, 3e-170], [1e200, 1e200, 1e-200, 7e-170]);
    let mut exact = ExactSum::new();
    exact.add_product(1e-200, 1e-200);
    exact.add_product(3e-170, 7e-170);
    let exactly = ExactReduction::new(&device).unwrap();
    let stream = device.stream().unwrap();
    assert_eq!(exactly.dot(&stream, &x, &y).unwrap().wait().unwrap(), exact);
    assert!(matches!(
        device.exact_dot(&[1.0, 2.0], &[1.0]),
        Err(Error::Lengths { lengths }) if lengths == [2, 1]
    ));
}

/// No local memory, no call, nothing contracted.
#[test]
fn kernels_keep_sums_in_registers() {
    for sm in [80, 90] {
        let ptx = EXACT_SUMS.ptx(sm).unwrap();
        for absent in [".local", "call", "add.f64", "sub.f64", "mul.f64"] {
            assert!(!ptx.contains(absent), "{absent}");
        }
        assert_eq!(ptx.matches("fma.rn.f64").count(), 8, "one for each product of f64");
        let report = match Tools::find().unwrap().ptxas_check(&ptx, sm) {
            Err(error @ toolchain::Error::ToolMissing { .. }) => return println!("not run: {error}"),
            other => other.unwrap(),
        };
        for kernel in EXACT_SUMS.kernels {
            let uses = report.function(kernel).unwrap();
            assert!(uses.stack == 0 && uses.spill_stores == 0, "sm_{sm}: {uses:?}");
        }
    }
}
