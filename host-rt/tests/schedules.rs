//! The same bits in every order of execution. There is one test, because the emulator's settings are global.

use cuda_driver::settings::{self, LaneGroupChoice, LaunchOptions, Settings};
use host_rt::{
    Device, Finalize, GeneratedReduction, KernelSpec, Op, Options, Record, ReductionList, Select, Source,
    Type, Value, Variable,
};

#[test]
fn a_float_sum_has_the_same_bits_in_every_schedule() {
    let device = Device::open(Select::Emulator).unwrap();
    let stream = device.stream().unwrap();
    let sum = Variable { name: "sum".into(), ty: Type::F32, op: Op::Sum, source: Source::Array(0) };
    let list = ReductionList::new(vec![sum]).unwrap();
    let data: Vec<f32> = (0..20_011u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32 * 1e-3).collect();
    let buffer = device.buffer(&data).unwrap();
    let usual = LaunchOptions::default();
    let seeded = |seed| LaunchOptions { seed: Some(seed), ..usual.clone() };
    let schedules = [
        usual.clone(),
        LaunchOptions { reverse_blocks: true, ..usual.clone() },
        LaunchOptions { resident_blocks: Some(8), switch_every: Some(1), ..usual.clone() },
        LaunchOptions { groups: LaneGroupChoice::Any, ..seeded(1) },
        seeded(2),
        seeded(3),
    ];
    for finalize in [Finalize::LastBlock, Finalize::SecondLaunch] {
        let spec = KernelSpec::new(list.clone(), vec![Type::F32], 96).unwrap();
        let options = Options { finalize, ..Options::default() };
        let reduction = GeneratedReduction::with_options(&device, spec, options).unwrap();
        let results = schedules.each_ref().map(|schedule| {
            settings::configure(Settings { launch: Some(schedule.clone()), ..Settings::default() }).unwrap();
            let mut record = Record::new(&list, &[Value::F32(0.5)]).unwrap();
            reduction.run(&stream, data.len() as u64, &[buffer.array()], &mut record).unwrap();
            record
        });
        assert!(results.iter().all(|record| *record == results[0]), "{finalize:?}: {results:?}");
    }
}
