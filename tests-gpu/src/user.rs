//! The user's own combiners and maps.

use codegen_shim::{Combiner, KernelSpec, Mapper, Op, ReductionList, Source, Type, UserModule, Variable};
use host_rt::{Array, Finalize, GeneratedReduction, OptLevel, Options, Record, Value};

use crate::Fixture;
use crate::random::random;

const SIZES: [usize; 4] = [0, 1, 71, 1500];

const TEXT: &str = "
typedef unsigned long long u64;
// Called with undefined values, it might not end.
void gcd(u64 *into, const u64 *from) {
  u64 a = *into, b = *from;
  while (b) { u64 r = a % b; a = b; b = r; }
  *into = a;
}
typedef struct { double count, mean, squares; } Moments;
void merge(Moments *into, const Moments *from) {
  double count = into->count + from->count;
  if (count == 0) return;
  double apart = from->mean - into->mean;
  into->mean += apart * (from->count / count);
  into->squares += from->squares + apart * apart * (into->count * from->count / count);
  into->count = count;
}
void merge_identity(Moments *into) { into->count = into->mean = into->squares = 0; }
void moment(Moments *out, const float *value) { out->count = 1; out->mean = *value; out->squares = 0; }
void scaled(int *out, const signed char *a, const short *b) { *out = *a * 3 - *b; }
";

const MOMENTS: Type = Type::Struct(&[Type::F64, Type::F64, Type::F64]);

fn combiner(fixture: &Fixture, function: &str, ty: Type, identity: Option<&[&str]>) -> Op {
    let loaded = Combiner::load(&fixture.tools, "user.c", UserModule::C(TEXT), function, ty, identity);
    Op::User(loaded.unwrap_or_else(|error| panic!("{error}")))
}

fn mapper(fixture: &Fixture, function: &str) -> &'static Mapper {
    let loaded = Mapper::load(&fixture.tools, "user.c", UserModule::C(TEXT), function);
    loaded.unwrap_or_else(|error| panic!("{error}"))
}

fn run(
    fixture: &Fixture,
    variables: &[Variable],
    (opt, finalize): (OptLevel, Finalize),
    arrays: &[Array],
    initial: Option<&[Value]>,
) -> Record {
    let list = ReductionList::new(variables.to_vec()).expect("a legal list");
    let types = arrays.iter().map(Array::ty).collect();
    let spec = KernelSpec::new(list.clone(), types, 96).expect("a legal kernel");
    let reduction = GeneratedReduction::with_options(
        &fixture.device,
        spec,
        Options { opt, finalize, ..Options::default() },
    )
    .unwrap_or_else(|error| panic!("{error}"));
    let stream = fixture.device.stream().expect("a stream");
    let mut record = match initial {
        Some(values) => Record::new(&list, values).expect("of the list"),
        None => Record::identity(&list),
    };
    let n = arrays[0].len() as u64;
    reduction.run(&stream, n, arrays, &mut record).unwrap_or_else(|error| panic!("{n}: {error}"));
    record
}

const CONFIGURATIONS: [(OptLevel, Finalize); 2] =
    [(OptLevel::O0, Finalize::SecondLaunch), (OptLevel::O2, Finalize::LastBlock)];

/// With an identity, and without: then the variable has a flag, and the combiner is never called with
/// undefined values.
pub fn combiners(fixture: &Fixture) {
    let euclid = |mut a: u64, mut b: u64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    for configuration in CONFIGURATIONS {
        for n in SIZES {
            let values: Vec<u64> = random(n as u64).take(n).map(|bits| (bits % 5000 + 1) * 12 * 7).collect();
            let buffer = fixture.device.buffer(&values).expect("a buffer");
            let source = Source::Array(0);
            let variable = |name: &str, op| Variable { name: name.into(), ty: Type::U64, op, source };
            let flagged = variable("flagged", combiner(fixture, "gcd", Type::U64, None));
            let given = variable("given", combiner(fixture, "gcd", Type::U64, Some(&["0"])));
            let sum = variable("sum", Op::Sum);
            let initial = Value::Struct(vec![Value::U64(0), Value::U8(0)]);
            let start = [initial.clone(), Value::U64(5 * 84), Value::U64(1)];
            let variables = [flagged, given, sum];
            let found = run(fixture, &variables, configuration, &[buffer.array()], Some(&start));
            let expected = values.iter().copied().reduce(euclid);
            let flag = expected.map(|all| Value::Struct(vec![Value::U64(all), Value::U8(1)]));
            assert_eq!(
                found.get("flagged"),
                Some(flag.unwrap_or(initial)),
                "{n} elements, {configuration:?}"
            );
            let given = values.iter().copied().fold(5 * 84, euclid);
            assert_eq!(found.get("given"), Some(Value::U64(given)), "{n} elements, {configuration:?}");
            assert_eq!(
                found.get("sum"),
                Some(Value::U64(1 + values.iter().sum::<u64>())),
                "{n}, {configuration:?}"
            );
            // An initial value counts as one more element.
            let start = Value::Struct(vec![Value::U64(35), Value::U8(1)]);
            let found = run(fixture, &variables[..1], configuration, &[buffer.array()], Some(&[start]));
            let all = Value::U64(values.iter().copied().fold(35, euclid));
            assert_eq!(
                found.values(),
                [Value::Struct(vec![all, Value::U8(1)])],
                "{n} elements, {configuration:?}"
            );
        }
    }
}

/// A map of one array into moments, and of two arrays into a built-in sum.
pub fn maps(fixture: &Fixture) {
    for configuration in CONFIGURATIONS {
        for n in SIZES {
            let values: Vec<f32> =
                random(n as u64 + 1).take(n).map(|bits| (bits % 1000) as f32 - 300.0).collect();
            let a: Vec<i8> = random(2).take(n).map(|bits| bits as i8).collect();
            let b: Vec<i16> = random(3).take(n).map(|bits| bits as i16).collect();
            let variables = [
                Variable {
                    name: "moments".into(),
                    ty: MOMENTS,
                    op: combiner(fixture, "merge", MOMENTS, None),
                    source: Source::map(mapper(fixture, "moment"), &[0]),
                },
                Variable {
                    name: "sum".into(),
                    ty: Type::I32,
                    op: Op::Sum,
                    source: Source::map(mapper(fixture, "scaled"), &[1, 2]),
                },
            ];
            let buffers = (
                fixture.device.buffer(&values).expect("a buffer"),
                fixture.device.buffer(&a).expect("a buffer"),
                fixture.device.buffer(&b).expect("a buffer"),
            );
            let arrays = [buffers.0.array(), buffers.1.array(), buffers.2.array()];
            let found = run(fixture, &variables, configuration, &arrays, None);
            let sum = a.iter().zip(&b).map(|(a, b)| i32::from(*a) * 3 - i32::from(*b)).sum();
            assert_eq!(found.get("sum"), Some(Value::I32(sum)), "{n} elements, {configuration:?}");
            let Some(Value::Struct(moments)) = found.get("moments") else { panic!("three numbers") };
            let [Value::F64(count), Value::F64(mean), Value::F64(squares)] = moments[..] else {
                panic!("{moments:?}")
            };
            assert_eq!(count, n as f64);
            let exact = values.iter().map(|value| f64::from(*value)).sum::<f64>() / (n.max(1) as f64);
            let spread = values.iter().map(|value| (f64::from(*value) - exact).powi(2)).sum::<f64>();
            assert!((mean - exact).abs() < 1e-9, "{n} elements, {configuration:?}: {mean}, {exact}");
            assert!(
                (squares - spread).abs() <= 1e-9 * spread,
                "{n} elements, {configuration:?}: {squares}, {spread}"
            );
        }
    }
}
