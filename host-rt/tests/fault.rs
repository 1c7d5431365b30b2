//! A kernel that fails. There is one test, because the emulator's settings and the primary context are
//! global.

use cuda_driver::settings::{self, LaunchOptions, Settings};
use host_rt::{
    BLOCK_THREADS, Device, Error, GeneratedReduction, KernelSpec, Op, Record, ReductionList, Select, Source,
    Type, Value, Variable,
};

#[test]
fn a_failure_names_device_kernel_and_location_and_ends_with_the_context() {
    let sum = Variable { name: "sum".into(), ty: Type::I64, op: Op::Sum, source: Source::Array(0) };
    let list = ReductionList::new(vec![sum]).unwrap();
    let limit = |step_limit| {
        let launch = LaunchOptions { step_limit, ..LaunchOptions::default() };
        settings::configure(Settings { launch: Some(launch), ..Settings::default() }).unwrap();
    };
    let attempt = |reopened: bool| -> Result<Record, Error> {
        let device = Device::open(Select::Emulator)?;
        let reduction =
            GeneratedReduction::new(&device, KernelSpec::new(list.clone(), vec![Type::I64], BLOCK_THREADS)?)?;
        let stream = device.stream()?;
        let buffer = device.buffer(&[1i64; 5000])?;
        let mut record = Record::new(&list, &[Value::I64(10)])?;
        if !reopened {
            limit(20);
            let error = reduction.run(&stream, 5000, &[buffer.array()], &mut record).unwrap_err();
            // The failed run does not change the record; the context cannot be used any more.
            assert_eq!(record.values(), [Value::I64(10)]);
            limit(LaunchOptions::default().step_limit);
            assert!(matches!(stream.synchronize(), Err(Error::Cuda { .. })));
            assert!(matches!(device.buffer(&[1i64]), Err(Error::Cuda { .. })));
            return Err(error);
        }
        reduction.run(&stream, 5000, &[buffer.array()], &mut record)?;
        Ok(record)
    };

    let error = attempt(false).unwrap_err();
    let Error::Cuda { status, .. } = &error else { panic!("{error}") };
    assert_eq!(status.name(), "CUDA_ERROR_LAUNCH_TIMEOUT");
    let text = error.to_string();
    for part in [
        "H200 (emulated)",
        "waiting for a stream",
        "kernel warpfold_reduce",
        "CUDA_ERROR_LAUNCH_TIMEOUT (702)",
        "PTX line",
    ] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    assert!(text.lines().count() <= 25, "{text}");

    // All objects are dropped, so the context was destroyed; a new one works.
    assert_eq!(attempt(true).unwrap().values(), [Value::I64(5010)]);
}
