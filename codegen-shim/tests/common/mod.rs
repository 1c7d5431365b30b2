//! The lists that the file tests and the PTX tests share.

use codegen_shim::{KernelSpec, Op, ReductionList, Source, Type, Variable};

/// A named specification.
pub struct Case {
    pub name: &'static str,
    pub spec: KernelSpec,
}

fn case(name: &'static str, variables: &[(&str, Type, Op, Source)], arrays: &[Type]) -> Case {
    let variable = |(name, ty, op, source): &(&str, Type, Op, Source)| Variable {
        name: (*name).to_owned(),
        ty: *ty,
        op: op.clone(),
        source: source.clone(),
    };
    let list = ReductionList::new(variables.iter().map(variable).collect()).expect("a legal list");
    Case { name, spec: KernelSpec::new(list, arrays.to_vec(), 256).expect("a legal specification") }
}

pub fn cases() -> Vec<Case> {
    use Op::{Max, Min, Sum};
    use Source::{Array, Product};
    const F32: Type = Type::F32;
    const F64: Type = Type::F64;
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
        case("dot_f64", &[("dot", F64, Sum, Product(0, 1))], &[F64, F64]),
        case(
            "mixed",
            &[
                ("low", F32, Min, Product(0, 0)),
                ("high", F64, Max, Array(1)),
                ("squares", I64, Sum, Product(3, 3)),
            ],
            &[F32, F64, I32, I64],
        ),
    ]
}
