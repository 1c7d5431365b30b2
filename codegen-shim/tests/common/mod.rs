//! Specifications that the golden tests and the PTX tests share.

use codegen_shim::{KernelSpec, Op, ReductionList, Scalar, Source, Type, Variable};

/// A named specification.
pub struct Case {
    pub name: &'static str,
    pub spec: KernelSpec,
}

fn case(name: &'static str, variables: &[(&str, Type, Op, Source)], arrays: &[Type]) -> Case {
    let variable = |(name, ty, op, source): &(&str, Type, Op, Source)| Variable {
        name: (*name).to_owned(),
        ty: *ty,
        op: *op,
        source: *source,
    };
    let list = ReductionList::new(variables.iter().map(variable).collect()).expect("a legal list");
    Case { name, spec: KernelSpec::new(list, arrays.to_vec(), 256).expect("a legal specification") }
}

pub fn cases() -> Vec<Case> {
    use Op::{ArgMin, Max, Min, Product, Sum};
    use Source::Array;
    const F32: Type = Type::F32;
    const F64: Type = Type::F64;
    const F16: Type = Type::F16;
    const I8: Type = Type::I8;
    const PAIR: Type = Type::Struct(&[Type::U8, Type::Array(&Type::I16, 3)]);
    const I32: Type = Type::I32;
    const I64: Type = Type::I64;
    vec![
        case("sum_i32", &[("total", I32, Sum, Array(0))], &[I32]),
        case("sum_f64_f32", &[("foo", F64, Sum, Array(0)), ("bar", F32, Sum, Array(1))], &[F64, F32]),
        case(
            "stats_i32",
            &[("sum", I32, Sum, Array(0)), ("min", I32, Min, Array(0)), ("max", I32, Max, Array(0))],
            &[I32],
        ),
        case("dot_f64", &[("dot", F64, Sum, Source::Product(0, 1))], &[F64, F64]),
        case(
            "mixed",
            &[
                ("low", F32, Min, Source::Product(0, 0)),
                ("high", F64, Max, Array(1)),
                ("squares", I64, Sum, Source::Product(3, 3)),
            ],
            &[F32, F64, I32, I64],
        ),
        case(
            "small",
            &[("sum", F64, Sum, Array(0)), ("product", F32, Product, Array(1)), ("most", I8, Max, Array(2))],
            &[F64, F32, I8],
        ),
        case("find_f16", &[("best", F16, ArgMin, Array(0))], &[F16]),
        case(
            "aggregates",
            &[("z", Type::Complex(Scalar::F32), Product, Array(0)), ("bits", PAIR, Op::Xor, Array(1))],
            &[Type::Complex(Scalar::F32), PAIR],
        ),
        case("widened", &[("sum", I64, Sum, Array(0)), ("dot", F32, Sum, Source::Product(1, 1))], &[I8, F16]),
    ]
}
