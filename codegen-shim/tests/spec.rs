//! What [`KernelSpec`] rejects, and what it derives.

use codegen_shim::{
    Error, KernelSpec, MAX_ARRAYS, MAX_UNROLL, Op, ReductionList, Source, Type, UNROLL, Variable,
};

fn list(ty: Type, source: Source) -> ReductionList {
    let variable = Variable { name: "dot".to_owned(), ty, op: Op::Sum, source };
    ReductionList::new(vec![variable]).expect("a legal list")
}

fn rejection(ty: Type, source: Source, arrays: &[Type], block_threads: u32) -> String {
    KernelSpec::new(list(ty, source), arrays.to_vec(), block_threads).unwrap_err().to_string()
}

#[test]
fn errors_name_the_variable_and_the_reason() {
    use Source::{Array, Product};
    const F32: Type = Type::F32;
    const F64: Type = Type::F64;
    const I32: Type = Type::I32;
    let message = rejection(F64, Array(1), &[F64], 256);
    assert_eq!(message, "reduction variable `dot` reads array 1, but there are only 1 (counted from 0)");
    let message = rejection(F64, Product(0, 7), &[F64], 256);
    assert!(message.contains("`dot` reads array 7"), "{message}");
    let message = rejection(F32, Product(0, 1), &[F32, F64], 256);
    assert!(message.contains("`dot` has type f32, but array 1 has elements of type f64"), "{message}");
    let message = rejection(I32, Array(0), &[F32], 256);
    assert!(message.contains("`dot` has type i32, but array 0 has elements of type f32"), "{message}");
}

#[test]
fn block_sizes_are_1_to_1024() {
    let with = |threads| KernelSpec::new(list(Type::I32, Source::Array(0)), vec![Type::I32], threads);
    assert!(with(1).is_ok() && with(1024).is_ok());
    assert!(matches!(with(0), Err(Error::BlockThreads { threads: 0 })));
    assert!(matches!(with(1025), Err(Error::BlockThreads { threads: 1025 })));
}

#[test]
fn parameters_fit_4096_bytes_exactly() {
    let with = |count| KernelSpec::new(list(Type::I32, Source::Array(0)), vec![Type::I32; count], 256);
    assert!(with(MAX_ARRAYS).is_ok());
    assert!(matches!(with(MAX_ARRAYS + 1), Err(Error::TooManyArrays { .. })));
    assert_eq!((MAX_ARRAYS + 4) * 8, 4096);
}

#[test]
fn a_group_fills_16_bytes_of_the_narrowest_array_in_use() {
    let spec = |ty| KernelSpec::new(list(ty, Source::Array(1)), vec![Type::I32, ty], 256).expect("legal");
    assert_eq!(spec(Type::F64).group(), 2, "the i32 array is not in use");
    assert_eq!(spec(Type::F32).group(), 4);
}

#[test]
fn many_arrays_lower_the_default_unroll_factor() {
    let sums = |count: u32| {
        let variable = |array| Variable {
            name: format!("v{array}"),
            ty: Type::F64,
            op: Op::Sum,
            source: Source::Array(array),
        };
        let list = ReductionList::new((0..count).map(variable).collect()).expect("legal");
        KernelSpec::new(list, vec![Type::F64; count as usize], 256).expect("legal").unroll()
    };
    assert_eq!(sums(1), UNROLL);
    assert_eq!(sums(8), UNROLL / 2);
    assert_eq!(sums(100), 1);
}

#[test]
fn unroll_factors_have_a_range() {
    let spec = KernelSpec::new(list(Type::I32, Source::Array(0)), vec![Type::I32], 256).expect("legal");
    assert_eq!(spec.clone().with_unroll(MAX_UNROLL).expect("in range").unroll(), MAX_UNROLL);
    assert!(matches!(spec.clone().with_unroll(0), Err(Error::Unroll { unroll: 0, .. })));
    assert!(spec.with_unroll(MAX_UNROLL + 1).is_err());
}
