//! Reductions on several devices: the bits of the host's, whatever the devices.

use std::sync::{Mutex, PoisonError};

use cuda_driver::settings::{self, GpuModel, Settings};
use device_rt::reduce::canonical::CHUNK;
use host_rt::{
    ArgMax, ArgMin, Device, Devices, Error, GeneratedReduction, KernelSpec, Max, MultiDeviceReduction, Op,
    Partial, PartialRecord, Product, Record, ReductionList, Select, Source, Sum, Type, Value, Variable,
    canonical,
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

#[test]
fn addresses_say_whose_memory_it_is_and_the_context_from_before_stays() {
    with_devices(&["h200", "a100"], |devices| {
        let [first, second] = devices.list() else { panic!("two devices") };
        let numbers = [1.0f64; 9];
        let (one, other) =
            (first.buffer(&numbers).expect("memory"), second.buffer(&numbers).expect("memory"));
        for device in [first, second] {
            let number = |address| device.number_of_address(address).expect("a context");
            assert_eq!([one.address(), other.address() + 64].map(number), [Some(0), Some(1)]);
            assert_eq!(number(numbers.as_ptr().addr() as u64), None);
        }
        first.stream().expect("a stream");
        assert_eq!(Device::current_number(), Some(0));
        let copy = Device::keeping_context(|| {
            let copy = other.array().slice(3..7).expect("a part").to_bytes(second).expect("a copy");
            assert_eq!(Device::current_number(), Some(1));
            copy
        });
        assert_eq!(Device::current_number(), Some(0));
        assert_eq!(copy, 1.0f64.to_le_bytes().repeat(4));
        assert!(other.array().slice(3..10).is_err() && one.slice(9..9).expect("nothing").is_empty());
    });
}

/// Pieces of elements, of this many chunks each, which the devices take in turn.
fn in_turn(
    reductions: &[(GeneratedReduction, host_rt::Stream)],
    data: &[f32],
    chunks: usize,
) -> Vec<PartialRecord> {
    let identity = Record::identity(reductions[0].0.spec().list());
    let bytes = 4 * chunks * CHUNK as usize;
    let mut feeds = Vec::new();
    for (reduction, stream) in reductions {
        feeds.push(reduction.feed(stream, &identity, bytes).expect("a feed"));
    }
    for (number, piece) in data.chunks(bytes / 4).enumerate() {
        let feed = &mut feeds[number % reductions.len()];
        feed.seek((number * chunks) as u64 * CHUNK).expect("the start of a chunk");
        let to = feed.piece().expect("a piece");
        to[..4 * piece.len()]
            .copy_from_slice(&piece.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>());
        feed.submit(4 * piece.len()).expect("submitted");
    }
    feeds.into_iter().map(|feed| feed.partial().expect("a part")).collect()
}

#[test]
fn generated_kernels_of_several_devices_have_the_bits_of_one() {
    with_devices(&["h200", "a100", "h200"], |devices| {
        let variable =
            |name: &str, op| Variable { name: name.to_owned(), ty: Type::F32, op, source: Source::Array(0) };
        let list =
            vec![variable("sum", Op::Sum), variable("product", Op::Product), variable("least", Op::ArgMin)];
        let list = ReductionList::new(list).expect("a legal list");
        let spec = KernelSpec::new(list.clone(), vec![Type::F32], 128)
            .expect("a specification")
            .in_canonical_order();
        let one = |device: &Device| {
            let reduction = GeneratedReduction::new(device, spec.clone()).expect("kernels");
            (reduction, device.stream().expect("a stream"))
        };
        let reductions: Vec<_> = devices.list().iter().map(one).collect();
        let near_one: Vec<f32> = (0..300_001u64).map(|i| 1.0 - (i * 7919 % 10_007) as f32 * 1e-7).collect();
        // A sum that is -0.0: nothing else takes part.
        for data in [near_one, vec![-0.0; 50_000]] {
            for (count, chunks) in [(data.len(), 1), (data.len(), 3), (40_000, 4), (8192, 1), (5, 2), (0, 1)]
            {
                let data = &data[..count];
                let mut parts = in_turn(&reductions, data, chunks);
                // In another order, and through bytes.
                parts.rotate_left(count % 3);
                let mut all = PartialRecord::new();
                for part in parts {
                    all.merge(PartialRecord::from_bytes(&list, &part.to_bytes()).expect("its bytes"))
                        .expect("others");
                }
                let mut record = Record::identity(&list);
                let (reduction, stream) = &reductions[count % 3];
                reduction.finish(stream, &all, &mut record).expect("all elements");
                let n = count as u64;
                let item = |i: u64| data[i as usize];
                let expected = match canonical::reduce(ArgMin, n, item) {
                    None => Record::identity(&list).values().to_vec(),
                    Some(least) => vec![
                        Value::F32(canonical::reduce(Sum, n, item).unwrap_or_default()),
                        Value::F32(canonical::reduce(Product, n, item).unwrap_or_default()),
                        Value::Struct(vec![Value::F32(least.value), Value::I64(least.index)]),
                    ],
                };
                assert_eq!(format!("{:?}", record.values()), format!("{expected:?}"), "{count} in {chunks}");
            }
        }
    });
}

#[test]
fn launches_with_gaps_have_a_part_and_no_result() {
    with_devices(&["h200"], |devices| {
        let device = &devices.list()[0];
        let sum = Variable { name: "sum".to_owned(), ty: Type::F32, op: Op::Sum, source: Source::Array(0) };
        let list = ReductionList::new(vec![sum]).expect("a legal list");
        let spec = KernelSpec::new(list.clone(), vec![Type::F32], 128).expect("a specification");
        let plain = GeneratedReduction::new(device, spec.clone()).expect("kernels");
        let reduction = GeneratedReduction::new(device, spec.in_canonical_order()).expect("kernels");
        let stream = device.stream().expect("a stream");
        let identity = Record::identity(&list);
        let data = device.buffer(&[0.5f32; 3 * CHUNK as usize]).expect("a buffer");
        let begin = || reduction.start(&stream, &identity).expect("a run");

        let mut run = begin();
        assert!(matches!(run.seek(5), Err(Error::PartOfChunk { elements: 5 })));
        run.seek(2 * CHUNK).expect("the start of a chunk");
        run.enqueue(CHUNK, &[data.array()]).expect("a launch");
        let error = run.finish().expect_err("elements are missing");
        assert!(matches!(error, Error::Partial { what: "are without", index: 0 }), "{error}");

        // The same chunk twice.
        let mut run = begin();
        run.enqueue(2 * CHUNK, &[data.array()]).expect("a launch");
        run.seek(CHUNK).expect("the start of a chunk");
        run.enqueue(CHUNK, &[data.array()]).expect("a launch");
        let error = run.partial().expect_err("two have it");
        assert!(matches!(error, Error::Partial { what: "both have", index } if index == CHUNK), "{error}");

        // A part without its beginning.
        let mut run = begin();
        run.seek(CHUNK).expect("the start of a chunk");
        run.enqueue(CHUNK + 7, &[data.array()]).expect("a launch");
        let mut part = run.partial().expect("a part");
        let mut record = identity.clone();
        assert!(matches!(
            reduction.finish(&stream, &part, &mut record),
            Err(Error::Partial { index: 0, .. })
        ));
        let mut run = begin();
        run.enqueue(CHUNK, &[data.array()]).expect("a launch");
        part.merge(run.partial().expect("a part")).expect("the beginning");
        reduction.finish(&stream, &part, &mut record).expect("all elements");
        assert_eq!(record.values(), [Value::F32(0.5 * (2.0 * CHUNK as f32 + 7.0))]);

        // In another order there are no parts.
        let mut run = plain.start(&stream, &identity).expect("a run");
        assert!(matches!(run.seek(0), Err(Error::NotCanonical)));
        assert!(matches!(run.partial(), Err(Error::NotCanonical)));
        assert!(matches!(plain.finish(&stream, &part, &mut record), Err(Error::NotCanonical)));
    });
}
