//! Which calls of the driver a reduction makes, and where its record is: in child processes, because the driver's log
//! and the emulator's checks are switched on for whole processes.

use std::{
    env,
    process::{Command, Output},
};

use host_rt::{
    BLOCK_THREADS, Device, Finalize, GeneratedReduction, KernelSpec, Op, Options, Record, ReductionList,
    Select, Source, Sum, Type, TypedReduction, Value, Variable,
};

/// What a child process does.
const CHILD: &str = "WARPFOLD_TEST_CHILD";

/// The calls of a reduction whose record lies in memory that host and device share.
const SHARED: [&str; 3] = ["cuCtxSetCurrent", "cuLaunchKernel", "cuStreamSynchronize"];

/// So many sums of array 0.
fn list(variables: u32) -> ReductionList {
    let variable =
        |at| Variable { name: format!("v{at}"), ty: Type::F64, op: Op::Sum, source: Source::Array(0) };
    ReductionList::new((0..variables).map(variable).collect()).unwrap()
}

/// Reduces twice with each kind of reduction; a line of standard error comes before the second time and after it.
#[test]
fn child() {
    let Ok(what) = env::var(CHILD) else { return };
    let device = Device::open(Select::Emulator).unwrap();
    let stream = device.stream().unwrap();
    let data = device.buffer(&[0.5; 1000]).unwrap();
    let twice = |reduce: &dyn Fn()| {
        reduce();
        eprintln!("begin");
        reduce();
        eprintln!("end");
    };
    if what == "typed" {
        let reducer = TypedReduction::new(&device, Sum).unwrap();
        return twice(&|| assert_eq!(reducer.fold(&stream, 3.0, &data).unwrap().wait().unwrap(), 503.0));
    }
    let list = list(if what == "large" { 65 } else { 3 });
    let finalize = if what == "two launches" { Finalize::SecondLaunch } else { Finalize::LastBlock };
    let spec = KernelSpec::new(list.clone(), vec![Type::F64], BLOCK_THREADS).unwrap();
    let options = Options { finalize, ..Options::default() };
    let reduction = GeneratedReduction::with_options(&device, spec, options).unwrap();
    let values = vec![Value::F64(3.0); list.variables().len()];
    twice(&|| {
        let mut record = Record::new(&list, &values).unwrap();
        reduction.run(&stream, 1000, &[data.array()], &mut record).unwrap();
        assert!(record.values().iter().all(|value| *value == Value::F64(503.0)), "{record:?}");
    });
}

/// The names of the calls in the second reduction of a child.
fn calls(what: &str, variables: &[(&str, &str)]) -> Vec<String> {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["child", "--exact", "--nocapture"]).env(CHILD, what).env("WARPFOLD_LOG", "driver");
    let Output { status, stderr, .. } = command.envs(variables.iter().copied()).output().unwrap();
    let text = String::from_utf8(stderr).unwrap();
    assert!(status.success(), "{text}");
    let (_, text) = text.split_once("begin\n").expect("it says where the second reduction begins");
    let (text, _) = text.split_once("end\n").expect("it says where it ends");
    let calls = text.lines().filter_map(|line| line.strip_prefix("warpfold driver: ")?.split_once('('));
    calls.map(|(name, _)| name.to_owned()).collect()
}

#[test]
fn a_small_reduction_is_a_launch_and_a_wait() {
    assert_eq!(calls("generated", &[]), SHARED);
    let [current, launch, wait] = SHARED;
    assert_eq!(calls("two launches", &[]), [current, launch, launch, wait]);
    // It may be waited for on another thread, or after code of the user.
    assert_eq!(calls("typed", &[]), [current, launch, current, wait]);
}

#[test]
fn records_are_copied_where_they_are_large_or_the_emulator_checks_launches() {
    let [current, launch, wait] = SHARED;
    let copied = [current, "cuMemcpyHtoD_v2", launch, wait, "cuMemcpyDtoH_v2"];
    assert_eq!(calls("large", &[]), copied);
    assert_eq!(calls("generated", &[("WARPFOLD_CHECK", "all")]), copied);
}
