//! The shapes of launches. There is one test, because the reports of launches are global.

use cuda_driver::reports::{self, LaunchReport};
use host_rt::{
    BLOCK_THREADS, Device, Finalize, GeneratedReduction, Grid, KernelSpec, Op, Options, Record,
    ReductionList, SPARSE_TURNS, Select, Source, Type, Value, Variable,
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
    let spec = || KernelSpec::new(list.clone(), vec![Type::I32], BLOCK_THREADS).unwrap();
    let launches_in = |grid, finalize, n: u64| {
        let spec = spec();
        let options = Options { finalize, grid, ..Options::default() };
        let reduction = GeneratedReduction::with_options(&device, spec, options).unwrap();
        let mut record = Record::identity(&list);
        reduction.run(&stream, n, &[buffer.array()], &mut record).unwrap();
        assert_eq!(record.values(), [Value::I32(n as i32)]);
        let shape = |report: LaunchReport| (report.kernel, report.config.grid[0], report.config.block[0]);
        reports::take_launches().into_iter().map(shape).collect::<Vec<_>>()
    };
    let launches = |finalize, n| launches_in(Grid::Full, finalize, n);
    let one = |blocks, threads| vec![("warpfold_reduce".to_owned(), blocks, threads)];

    assert_eq!(launches(Finalize::LastBlock, 0), []);
    // One block with as many warps as there are tiles.
    let (tile, of_block) = (spec().tile(), spec().tile() * u64::from(BLOCK_THREADS / 32));
    assert_eq!(launches(Finalize::LastBlock, 1), one(1, 32));
    assert_eq!(launches(Finalize::LastBlock, tile + 1), one(1, 64));
    assert_eq!(launches(Finalize::LastBlock, of_block), one(1, BLOCK_THREADS));
    assert_eq!(launches(Finalize::LastBlock, 3 * of_block + 1), one(4, BLOCK_THREADS));
    // Enough blocks for all multiprocessors, if they are small.
    let few = u64::from(device.multiprocessors()) * of_block / 4;
    assert_eq!(launches(Finalize::LastBlock, few), one(device.multiprocessors(), BLOCK_THREADS / 4));
    assert_eq!(
        launches(Finalize::LastBlock, 2_900_000),
        one(2_900_000_u64.div_ceil(of_block) as u32, BLOCK_THREADS)
    );
    assert_eq!(
        launches_in(Grid::Sparse, Finalize::LastBlock, SPARSE_TURNS * of_block + 1),
        one(2, BLOCK_THREADS)
    );

    let two = launches(Finalize::SecondLaunch, 10 * of_block);
    let expected = [("warpfold_partial", 10, BLOCK_THREADS), ("warpfold_finalize", 1, BLOCK_THREADS)];
    assert_eq!(two, expected.map(|(kernel, blocks, threads)| (kernel.to_owned(), blocks, threads)));
}
