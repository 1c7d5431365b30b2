//! Reductions of arrays that the processes of a job have parts of, by Open MPI and by MPICH: the bits of one process, whatever the
//! processes have. The test starts itself again as the jobs' processes, each job once for all cases.

use std::{
    env,
    fmt::Debug,
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use host_rt::{
    Device, ExactSum, GeneratedReduction, KernelSpec, Op, Partial, PartialRecord, Record, Reduce,
    ReductionList, Select, Source, Stream, Sum, Type, TypedReduction, Value, Variable, canonical,
    canonical::CHUNK, device_code,
};
use mpi_rt::{Choice, Communicator, Elements, Error, TypedElements};

device_code! {
    mod operators exports Compose {
        /// Linear functions, the left one first: does not commute, and rounds.
        #[derive(Clone, Copy)]
        pub struct Compose;

        impl Reduce<[f32; 2]> for Compose {
            const COMMUTES: bool = false;

            fn combine(self, [a, b]: [f32; 2], [c, d]: [f32; 2]) -> [f32; 2] {
                [a * c, b * c + d]
            }
        }

        impl Identity<[f32; 2]> for Compose {
            fn identity(self) -> [f32; 2] {
                [1.0, 0.0]
            }
        }

        impl Lift<[f32; 2]> for Compose {
            type Value = [f32; 2];

            fn lift(self, item: [f32; 2], _index: u64) -> [f32; 2] {
                item
            }
        }
    }
}

use operators::Compose;

/// Says to a process that it is one of a job, and what it does.
const IN_JOB: &str = "WARPFOLD_TEST_CHILD";

/// How long a job may take: one that waits for a process that has ended is an error.
const LONGEST: Duration = Duration::from_secs(120);

/// What the processes of a job do.
type Task = fn(&Communicator) -> Result<(), Error>;

const TASKS: [(&str, Task); 3] = [("cases", cases), ("error", one_fails), ("panic", one_panics)];

fn main() {
    if let Ok(task) = env::var(IN_JOB) {
        let communicator = Communicator::world(Choice::Auto).expect("MPI is there");
        let communicator = communicator.expect("a launcher started it");
        let (_, work) = TASKS.iter().find(|(name, _)| *name == task).expect("a task");
        communicator.or_abort(work(&communicator));
        drop(communicator);
        // Once more in the same process is too late.
        assert!(matches!(Communicator::world(Choice::Auto), Err(Error::Finalised)));
        return;
    }
    let all: &[usize] = &[1, 2, 3, 4, 8];
    // More processes than cores take MPICH long.
    let few = if env::var_os("WARPFOLD_NIGHTLY").is_some() { all } else { &[2, 4] };
    let launchers: [(&[&str], &[usize]); 2] =
        [(&["mpirun.openmpi", "--oversubscribe"], all), (&["mpirun.mpich"], few)];
    for (launcher, some) in launchers {
        for &processes in some {
            let Some(output) = job(launcher, processes, "cases") else { break };
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{launcher:?}, {processes} processes: {errors}");
        }
        for (task, reason) in [("error", "process 1 of 3: no luck"), ("panic", "worse luck")] {
            let Some(output) = job(launcher, 3, task) else { break };
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success() && errors.contains(reason), "{launcher:?}: {output:?}");
        }
    }
}

/// Runs this program as so many processes; none without the launcher.
fn job(launcher: &[&str], processes: usize, task: &str) -> Option<Output> {
    let begun = Instant::now();
    let mut job = Command::new(launcher[0]);
    job.args(&launcher[1..]).args(["-n", &processes.to_string()]);
    job.arg(env::current_exe().expect("this program")).env(IN_JOB, task).stdin(Stdio::null());
    // Open MPI asks a superuser whether this is meant.
    job.envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")]);
    let Ok(output) = job.output() else {
        println!("skipped: no {} (`cargo xtask mpi` installs it)", launcher[0]);
        return None;
    };
    assert!(begun.elapsed() < LONGEST, "{launcher:?}, {processes} processes, {task}: {output:?}");
    println!("{}, {processes} processes, {task}: {:.1?}", launcher[0], begun.elapsed());
    Some(output)
}

/// One process ends the job, while the others wait for it.
fn one_fails(communicator: &Communicator) -> Result<(), Error> {
    communicator.or_abort(if communicator.rank() == 1 { Err("no luck") } else { Ok(()) });
    communicator.agree(Ok::<_, Error>(()))
}

fn one_panics(communicator: &Communicator) -> Result<(), Error> {
    assert!(communicator.rank() != 1, "worse luck");
    communicator.agree(Ok::<_, Error>(()))
}

fn real(i: u64) -> f64 {
    let bits = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((bits >> 20) as f64 - 8e12) * 2f64.powi((bits % 40) as i32 - 60)
}

/// How many elements each process has; one has the most.
fn divisions(size: usize, largest: usize) -> Vec<Vec<usize>> {
    let chunk = CHUNK as usize;
    let each = |of: &dyn Fn(usize) -> usize| (0..size).map(of).collect();
    vec![
        each(&|_| 0),
        // All in one chunk, and all at the end.
        each(&|rank| rank % 3),
        each(&|rank| if rank + 1 == size { 3 * chunk + 5 } else { 0 }),
        // Chunks of several processes, between whole ones, and processes without elements.
        each(&|rank| [chunk + 1, 0, 700, chunk - 9, 2 * chunk, 1][rank % 6]),
        each(&|rank| [2000, 1999, 0, 3 * chunk + 17][rank % 4]),
        // More `f64` than are copied at once.
        each(&|rank| if rank == 0 { largest } else { chunk }),
    ]
}

/// This process's part of an array.
fn part<'a, T>(communicator: &Communicator, counts: &[usize], all: &'a [T]) -> &'a [T] {
    let first = counts[..communicator.rank()].iter().sum::<usize>();
    &all[first..first + counts[communicator.rank()]]
}

fn cases(communicator: &Communicator) -> Result<(), Error> {
    let device = communicator.agree(Device::open(Select::Emulator))?;
    let stream = device.stream()?;
    let variable = |name: &str, ty, op| Variable { name: name.into(), ty, op, source: Source::Array(0) };
    let of_reals = [
        variable("sum", Type::F64, Op::Sum),
        variable("least", Type::F64, Op::Min),
        variable("most", Type::F64, Op::ArgMax),
    ];
    let of_bytes = [variable("product", Type::U8, Op::Product), variable("xor", Type::U8, Op::Xor)];
    generated(communicator, &stream, &of_reals, real)?;
    generated(communicator, &stream, &of_bytes, |i| (3 + 2 * (i % 100)) as u8)?;
    typed(communicator, &stream)?;
    states(communicator)?;
    failures(communicator, &stream, &of_reals)?;
    assert!(communicator.local_rank()? < communicator.size());
    Ok(())
}

fn reduction(stream: &Stream, variables: &[Variable], ty: Type) -> Result<GeneratedReduction, Error> {
    let list = ReductionList::new(variables.to_vec()).expect("a legal list");
    let spec = KernelSpec::new(list, vec![ty], host_rt::BLOCK_THREADS).expect("a legal specification");
    Ok(GeneratedReduction::new(stream.device(), spec.in_canonical_order())?)
}

fn generated<T>(
    communicator: &Communicator,
    stream: &Stream,
    variables: &[Variable],
    element: fn(u64) -> T,
) -> Result<(), Error>
where
    T: host_rt::Element,
{
    let reduction = communicator.agree(reduction(stream, variables, T::TYPE))?;
    let initial = Record::identity(reduction.spec().list());
    let largest = if T::TYPE == Type::F64 { (1 << 20) + 1 } else { 100_003 };
    for (number, counts) in divisions(communicator.size(), largest).iter().enumerate() {
        let all: Vec<T> = (0..counts.iter().sum::<usize>() as u64).map(element).collect();
        let own = part(communicator, counts, &all);
        // Some have their elements on the device.
        let buffer = stream.device().buffer(own)?;
        let elements = |is_device| if is_device { Elements::from(&buffer) } else { Elements::from(own) };
        let is_device = (communicator.rank() + number).is_multiple_of(2);
        // Two at a time.
        let first = communicator.start(&reduction, stream, elements(is_device))?;
        let root = number % communicator.size();
        let second = communicator.reduce(root, &reduction, stream, elements(!is_device), &initial)?;
        let record = first.wait(&initial)?;
        assert_eq!(second.is_some(), communicator.rank() == root);

        // What one process has of all elements: on the device, and on the host.
        let mut expected = initial.clone();
        if communicator.rank() == 0 {
            let whole = stream.device().buffer(&all)?;
            reduction.run(stream, all.len() as u64, &[whole.array()], &mut expected)?;
        }
        let expected = communicator.broadcast(0, expected.to_bytes())?;
        for record in second.iter().chain([&record]) {
            assert_eq!(record.to_bytes(), expected, "{counts:?}");
        }
        if let (Some(Value::F64(sum)), false, 0) = (record.get("sum"), all.is_empty(), communicator.rank()) {
            let host = canonical::reduce(Sum, all.len() as u64, real);
            assert_eq!(Some(sum.to_bits()), host.map(f64::to_bits), "{counts:?}");
        }
    }
    Ok(())
}

fn typed(communicator: &Communicator, stream: &Stream) -> Result<(), Error> {
    let reduction = communicator.agree(TypedReduction::new(stream.device(), Compose))?;
    for (number, counts) in divisions(communicator.size(), 100_003).iter().enumerate() {
        let element = |i: u64| [1.0 + real(i) as f32 * 1e-8, real(i) as f32];
        let count = counts.iter().sum::<usize>() as u64;
        let all: Vec<[f32; 2]> = (0..count).map(element).collect();
        let own = part(communicator, counts, &all);
        let buffer = stream.device().buffer(own)?;
        let elements =
            |is_device| if is_device { TypedElements::from(&buffer) } else { TypedElements::from(own) };
        let is_device = (communicator.rank() + number).is_multiple_of(2);
        let bits = |value: [f32; 2]| value.map(f32::to_bits);
        let host = canonical::reduce(Compose, count, |i| all[i as usize]);
        let expected = bits(host.map_or([1.0, 0.0], |value| Compose.combine([1.0, 0.0], value)));
        let found = communicator.all_reduce_typed(&reduction, stream, elements(is_device))?;
        assert_eq!(bits(found), expected, "{counts:?}");
        let root = communicator.size() - 1;
        let found = communicator.reduce_typed(root, &reduction, stream, elements(!is_device))?;
        assert_eq!(found.map(bits), (communicator.rank() == root).then_some(expected), "{counts:?}");
    }
    Ok(())
}

fn states(communicator: &Communicator) -> Result<(), Error> {
    let (rank, size) = (communicator.rank(), communicator.size());
    let exact = |ranks: std::ops::Range<usize>| {
        ranks.flat_map(|rank| (0..40).map(move |i| real(rank as u64 * 40 + i))).collect::<ExactSum>()
    };
    let same = |one: &ExactSum, other: &ExactSum| assert_eq!(one.to_bytes(), other.to_bytes());
    let own = || exact(rank..rank + 1);
    same(&communicator.all_reduce_state(own(), &())?, &exact(0..size));
    same(&communicator.scan_state(own(), &())?, &exact(0..rank + 1));
    match communicator.exclusive_scan_state(own(), &())? {
        Some(before) => same(&before, &exact(0..rank)),
        None => assert_eq!(rank, 0),
    }
    let at_last = communicator.reduce_state(size - 1, own(), &())?;
    assert_eq!(at_last.is_some(), rank + 1 == size);

    // Parts that are no neighbours, and a scan of them.
    let each = 5000;
    let elements = |at: usize| -> Vec<f64> { (at * each..(at + 1) * each).map(|i| real(i as u64)).collect() };
    let place = size - 1 - rank;
    let of = |place: usize| Partial::of(Sum, (place * each) as u64, &elements(place));
    let sum = communicator.all_reduce_state(of(place), &Sum)?.finish()?;
    let expected = canonical::reduce(Sum, (size * each) as u64, real);
    assert_eq!(sum.map(f64::to_bits), expected.map(f64::to_bits));
    let upto = communicator.scan_state(of(rank), &Sum)?.finish()?;
    let expected = canonical::reduce(Sum, ((rank + 1) * each) as u64, real);
    assert_eq!(upto.map(f64::to_bits), expected.map(f64::to_bits));

    let list = ReductionList::new(vec![Variable {
        name: "sum".into(),
        ty: Type::F64,
        op: Op::Sum,
        source: Source::Array(0),
    }]);
    let list = list.expect("a legal list");
    assert_eq!(communicator.all_reduce_state(PartialRecord::new(), &list)?, PartialRecord::new());
    // The same elements on two processes.
    if size > 1 {
        let twice = communicator.all_reduce_state(of(0), &Sum);
        expect(twice, "process 0 of", "both have element 0");
        expect(communicator.scan_state(of(0), &Sum), "process", "both have element 0");
    }
    Ok(())
}

/// Checks that a result is an error with these parts.
fn expect<T: Debug>(result: Result<T, Error>, who: &str, why: &str) {
    let error = result.expect_err("a failure").to_string();
    assert!(error.contains(who) && error.contains(why), "{error}");
}

fn failures(communicator: &Communicator, stream: &Stream, variables: &[Variable]) -> Result<(), Error> {
    let reals = communicator.agree(reduction(stream, variables, Type::F64))?;
    let initial = Record::identity(reals.spec().list());
    let (rank, size) = (communicator.rank(), communicator.size());
    let last = size - 1;
    // Elements of another type on the last process.
    let (right, wrong) = ([1.0f64; 9], [1.0f32; 9]);
    let own = if rank == last { Elements::from(&wrong[..]) } else { Elements::from(&right[..]) };
    let failed = communicator.all_reduce(&reals, stream, own, &initial);
    expect(failed, &format!("process {last} of {size}"), "elements of type f32");
    // Device memory that is not there, which only the kernel finds.
    let fault = || {
        let device = Device::open(Select::Emulator)?;
        let other = device.stream()?;
        // SAFETY: nothing has this address, which the emulator says in an error.
        let nowhere = unsafe { host_rt::Array::from_address(0x10, 10, Type::F64) };
        let own = if rank == last { Elements::from(nowhere) } else { Elements::from(&right[..]) };
        communicator.all_reduce(&reals, &other, own, &initial)
    };
    if rank == last || size > 1 {
        expect(fault(), &format!("process {last} of {size}"), "");
    }
    // The processes go on.
    expect(communicator.agree(if rank == last { Err("no luck") } else { Ok(()) }), "process", "no luck");
    assert!(matches!(communicator.broadcast(size, Vec::new()), Err(Error::NoProcess { .. })));
    Ok(())
}
