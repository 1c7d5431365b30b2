//! Reductions on several devices: the bits of the host's, whatever the devices.

use std::sync::{Mutex, PoisonError};

use cuda_driver::settings::{self, GpuModel, Settings};
use host_rt::{
    ArgMax, Device, Devices, Error, Max, MultiDeviceReduction, Partial, Product, Select, Sum, canonical,
};

/// The process has one driver, whose devices change only while nobody uses them.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Runs with these emulated devices.
fn with_devices<R>(models: &[&str], test: impl FnOnce(Devices) -> R) -> R {
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let model = |name: &&str| name.parse::<GpuModel>().expect("a model").description();
    let machines = Some(models.iter().map(model).collect());
    settings::configure(Settings { machines, ..Settings::default() }).expect("no context is alive");
    test(Devices::open(Select::Emulator).expect("they are always there"))
}

fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|i| ((i * 7919 % 10_007) as f32 - 5003.5) * 1.0e-3).collect()
}

#[test]
fn the_bits_are_the_hosts_on_any_devices() {
    let all = numbers(1_100_003);
    for models in [
        &["h200"][..],
        &["h200"; 2],
        &["b200", "h200", "a100"],
        &["v100", "h200", "v100", "a100"],
        &["h200"; 8],
    ] {
        with_devices(models, |devices| {
            assert_eq!(devices.list().len(), models.len());
            let sum = MultiDeviceReduction::new(&devices, Sum).expect("kernels");
            let best = MultiDeviceReduction::new(&devices, (Max, ArgMax)).expect("kernels");
            for count in [0, 1, 8191, 8192, 8193, 20_000, 300_001, all.len()] {
                let items = &all[..count];
                let expected = canonical::reduce(Sum, count as u64, |i| items[i as usize]).unwrap_or(-0.0);
                let found = sum.reduce(items).expect("a sum");
                assert_eq!(found.to_bits(), expected.to_bits(), "{count} elements on {models:?}");
                let (max, arg) = best.reduce(items).expect("a maximum");
                let at = arg.found();
                assert_eq!(at.map(|(value, _)| value), (count > 0).then_some(max));
                assert!(at.is_none_or(|(value, at)| items[at as usize] == value));
            }
        });
    }
}

#[test]
fn parts_of_several_devices_merge_with_others() {
    let all = numbers(200_000);
    with_devices(&["h200", "a100"], |devices| {
        let reduction = MultiDeviceReduction::new(&devices, Product).expect("kernels");
        let (one, other) = all.split_at(70_001);
        let mut part = reduction.partial(70_001, other).expect("a part");
        part.merge(Partial::of(Product, 0, one)).expect("other elements");
        let expected = canonical::reduce(Product, all.len() as u64, |i| all[i as usize]);
        let found = part.finish().expect("all elements");
        assert_eq!(found.map(f32::to_bits), expected.map(f32::to_bits));
    });
}

#[test]
fn a_device_has_a_number_and_errors_name_it() {
    with_devices(&["h200", "a100"], |devices| {
        let names: Vec<&str> = devices.list().iter().map(Device::name).collect();
        assert!(names[0].contains("H200") && names[1].contains("A100"), "{names:?}");
        assert_eq!(Device::count(Select::Emulator).expect("a count"), 2);
        let error = Device::open_number(Select::Emulator, 2).expect_err("there are two");
        assert!(error.to_string().contains("opening device 2"), "{error}");
        assert!(matches!(Devices::try_from(Vec::new()), Err(Error::NoDevice)));
        // Some of the devices, as often as they are named.
        let second = Devices::try_from(vec![devices.list()[1].clone(); 2]).expect("devices");
        assert_eq!(second.reduce(&[2i64; 30_000], Sum).expect("a sum"), 60_000);
    });
}
