//! Golden tests: the emitted IR, compared with `tests/ir/*.ll`.
//!
//! `WARPFOLD_BLESS=1 cargo test -p codegen-shim --test golden` rewrites the files; review the difference.

use std::fs;
use std::path::Path;

use codegen_shim::{
    BatchedList, ColumnSpec, Op, Source, Type, Variable, emit_batches, emit_callbacks, emit_columns,
    emit_kernels,
};

mod common;

fn compare(file: &str, emitted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ir").join(file);
    if std::env::var_os("WARPFOLD_BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, emitted).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return;
    }
    let golden = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    if let Some(line) = (0..).zip(golden.lines().zip(emitted.lines())).find(|(_, (old, new))| old != new) {
        let (number, (old, new)) = line;
        panic!("{file}:{}\n- {old}\n+ {new}\nWARPFOLD_BLESS=1 accepts what is emitted", number + 1);
    }
    assert_eq!(golden.lines().count(), emitted.lines().count(), "{file}: one is a prefix of the other");
}

#[test]
fn callbacks() {
    for case in common::cases() {
        compare(&format!("{}.callbacks.ll", case.name), &emit_callbacks(case.spec.list()));
    }
}

/// Unrolled twice: shorter than by default, with the same constructs.
#[test]
fn kernels() {
    for case in common::cases() {
        let spec = case.spec.with_unroll(2).expect("2 is in range");
        compare(&format!("{}.kernels.ll", case.name), &emit_kernels(&spec));
    }
}

#[test]
fn arrays_of_a_length_known_at_run_time() {
    let variable = |name: &str, ty, op| Variable { name: name.to_owned(), ty, op, source: Source::Array(0) };
    let variables = vec![variable("total", Type::I64, Op::Sum), variable("first", Type::I32, Op::ArgMax)];
    let batches = BatchedList::new(variables.clone()).expect("a legal list");
    compare("total_first.batches.ll", &emit_batches(&batches));
    let spec = ColumnSpec::new(variables, vec![Type::I32], 256).expect("a legal specification");
    compare("total_first.columns.ll", &emit_columns(&spec));
}
