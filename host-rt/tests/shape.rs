//! The shapes of launches. There is one test, because the reports of launches are global.

use cuda_driver::reports::{self, LaunchReport};
use host_rt::{
    BLOCK_THREADS, Device, ELEMENTS_PER_BLOCK, Finalize, KernelSpec, Op, Options, Record, Reduction,
    ReductionList, Select, Source, Type, Value, Variable,
};

#[test]
fn the_grid_grows_with_the_input_up_to_the_resident_blocks() {
    reports::keep_launches();
    let device = Device::open(Select::Emulator).unwrap();
    let stream = device.stream().unwrap();
    let sum = Variable { name: "sum".into(), ty: Type::I32, op: Op::Sum, source: Source::Array(0) };
    let list = ReductionList::new(vec![sum]).unwrap();
    let data = vec![1i32; 3_000_000];
    let buffer = device.buffer(&data).unwrap();
    let launches = |finalize, n: u64| {
        let spec = KernelSpec::new(list.clone(), vec![Type::I32], BLOCK_THREADS).unwrap();
        let options = Options { finalize, ..Options::default() };
        let reduction = Reduction::with_options(&device, spec, options).unwrap();
        let mut record = Record::identity(&list);
        reduction.run(&stream, n, &[buffer.array()], &mut record).unwrap();
        assert_eq!(record.values(), [Value::I32(n as i32)]);
        let shape = |report: LaunchReport| (report.kernel, report.config.grid[0], report.config.block[0]);
        reports::take_launches().into_iter().map(shape).collect::<Vec<_>>()
    };
    let one = |blocks, threads| vec![("warpfold_reduce".to_owned(), blocks, threads)];

    assert_eq!(launches(Finalize::LastBlock, 0), []);
    // One block with as many warps as there are groups of four elements for.
    assert_eq!(launches(Finalize::LastBlock, 1), one(1, 32));
    assert_eq!(launches(Finalize::LastBlock, 129), one(1, 64));
    assert_eq!(launches(Finalize::LastBlock, ELEMENTS_PER_BLOCK), one(1, BLOCK_THREADS));
    assert_eq!(launches(Finalize::LastBlock, 3 * ELEMENTS_PER_BLOCK + 1), one(4, BLOCK_THREADS));
    // Never more blocks than are resident: at most 2048 threads on each multiprocessor.
    let most = device.multiprocessors() * 2048 / BLOCK_THREADS;
    let (_, blocks, _) = launches(Finalize::LastBlock, 3_000_000)[0].clone();
    assert!(blocks > 1000 && blocks <= most && blocks.is_multiple_of(device.multiprocessors()), "{blocks}");

    let two = launches(Finalize::SecondLaunch, 40 * ELEMENTS_PER_BLOCK);
    let expected = [("warpfold_partial", 40, BLOCK_THREADS), ("warpfold_finalize", 1, BLOCK_THREADS)];
    assert_eq!(two, expected.map(|(kernel, blocks, threads)| (kernel.to_owned(), blocks, threads)));
}
