//! Every legal pair of type and operator: LLVM's verifier and ptxas accept the emitted code.

use codegen_shim::{KernelSpec, Op, ReductionList, Scalar, Source, Type, Variable, is_legal, kernel_ptx};
use toolchain::{OptLevel, Tools};

/// Every operator over arrays of these types, in one list.
fn spec(types: &[Type]) -> KernelSpec {
    let of = |(array, ty): (usize, &Type)| {
        let legal = Op::ALL.iter().filter(|op| is_legal(*ty, **op));
        let variable = |op: &Op| Variable {
            name: format!("{op} {ty}"),
            ty: *ty,
            op: *op,
            source: Source::Array(array as u32),
        };
        legal.map(variable).collect::<Vec<_>>()
    };
    let variables = types.iter().enumerate().flat_map(of).collect();
    let list = ReductionList::new(variables).expect("a legal list");
    let spec = KernelSpec::new(list, types.to_vec(), 128).expect("a legal specification");
    // Not unrolled: a quarter of the code.
    spec.with_unroll(1).expect("in range")
}

#[test]
fn ptxas_accepts_every_type_with_every_operator() {
    let tools = Tools::find().unwrap_or_else(|error| panic!("{error}"));
    let complex = [Scalar::F16, Scalar::BF16, Scalar::F32, Scalar::F64].map(Type::Complex);
    let aggregates = ["[i16;3]", "{f32,i8,[u16;2]}", "{complex<f32>,f64,i8,bf16}"];
    let aggregates = aggregates.iter().map(|text| text.parse().expect("a type"));
    let numbers = Scalar::ALL.iter().copied().map(Type::Scalar);
    let types: Vec<Type> = numbers.chain(complex).chain(aggregates).collect();
    let is_nightly = std::env::var_os("WARPFOLD_NIGHTLY").is_some();
    for (at, types) in types.chunks(1).enumerate() {
        // In the tests of a change, each type for one of them.
        let all = [80, 90];
        for sm in if is_nightly { &all[..] } else { &all[at % 2..][..1] }.iter().copied() {
            let names: Vec<_> = types.iter().map(Type::to_string).collect();
            let what = format!("{} for sm_{sm}", names.join(", "));
            // llvm-link, opt and llc verify what they read.
            let ptx = kernel_ptx(&tools, &spec(types), sm, OptLevel::O2)
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            let report = tools.ptxas_check(&ptx, sm).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!(report.warnings, Vec::<String>::new(), "{what}");
        }
    }
}
