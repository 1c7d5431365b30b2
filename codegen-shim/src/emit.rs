//! What callbacks and kernels share: names, the record type, operators, thread coordinates.

use crate::ir::{Function, Module, Ty, Value};
use crate::types::Lowering;
use crate::{ReductionList, Rule, Source, Type, Variable};

/// The record type.
pub(crate) const RECORD: &str = "%warpfold.record";

/// A pointer to global memory.
pub(crate) const GLOBAL: &str = "ptr addrspace(1)";

/// Bytes of a pointer in the reduction list.
pub(crate) const POINTER: u32 = 8;

pub(crate) const SHUFFLE_AND_REDUCE: &str = "warpfold_shuffle_and_reduce";
pub(crate) const INTER_WARP_COPY: &str = "warpfold_inter_warp_copy";
pub(crate) const LIST_TO_GLOBAL_COPY: &str = "warpfold_list_to_global_copy";
pub(crate) const LIST_TO_GLOBAL_REDUCE: &str = "warpfold_list_to_global_reduce";
pub(crate) const GLOBAL_TO_LIST_COPY: &str = "warpfold_global_to_list_copy";
pub(crate) const GLOBAL_TO_LIST_REDUCE: &str = "warpfold_global_to_list_reduce";
pub(crate) const ACCUMULATE: &str = "warpfold_accumulate";
pub(crate) const INITIALIZE: &str = "warpfold_initialize";

/// Starts a module: what is reduced, as a comment, and the record type.
pub(crate) fn module(list: &ReductionList) -> Module {
    let mut module = Module::default();
    for Variable { name, ty, op, source } in list.variables() {
        let source = match source {
            Source::Array(array) => format!("array {array}"),
            Source::Product(left, right) => format!("array {left} * array {right}"),
        };
        module.comment(&format!("{name}: {ty} {op} of {source}"));
    }
    let fields: Vec<_> = list.variables().iter().map(|variable| variable.ty.llvm()).collect();
    module.global(format_args!("{RECORD} = type {{ {} }}", fields.join(", ")));
    module
}

/// Adds a parameter per array of the given index and element type.
pub(crate) fn array_params(f: &mut Function, arrays: impl Iterator<Item = (usize, Type)>) -> Vec<Value> {
    let param = |(index, ty): (usize, Type)| {
        f.param_with(GLOBAL, &format!("noalias readonly align {}", ty.size()), &format!("array{index}"))
    };
    arrays.map(param).collect()
}

/// The address of the private copy of variable `index`.
pub(crate) fn private_copy(f: &mut Function, list: &Value, index: usize, name: &str) -> Value {
    let entry = format!("getelementptr inbounds ptr, {list}, i64 {index}");
    let entry = f.inst(&format!("{name}.entry"), "ptr", entry);
    f.load(&format!("{name}.private"), "ptr", &entry, POINTER)
}

/// The address of variable `field` in record `index` of the array of records at `buffer`.
pub(crate) fn member(f: &mut Function, buffer: &Value, index: &Value, field: usize, name: &str) -> Value {
    let address = format!("getelementptr inbounds {RECORD}, {buffer}, {index}, i32 {field}");
    f.inst(&format!("{name}.member"), buffer.ty().to_owned(), address)
}

/// `left op right`, in this order.
pub(crate) fn combine(f: &mut Function, hint: &str, rule: &Rule, left: &Value, right: &Value) -> Value {
    match rule.lowering {
        Lowering::Instruction(name) => f.binary(hint, name, left, right),
        Lowering::Intrinsic(name) => f.call_extern(hint, "", rule.ty.llvm(), name, &[left, right]),
    }
}

/// The identity of the rule's operator.
pub(crate) fn identity(rule: &Rule) -> Value {
    Value::new(rule.ty.llvm(), rule.identity)
}

/// `value` of the lane `delta` above this one (32-bit words, one shuffle each); this lane's own where
/// that is beyond lane 31.
///
/// The mask names all 32 lanes: every lane of the warp that exists must arrive. Lanes of a partial
/// trailing warp that were never started do not count as missing; what is read from them is undefined.
pub(crate) fn shuffle_down(f: &mut Function, value: &Value, ty: Type, delta: &Value, name: &str) -> Value {
    let (all, clamp) = (Value::i32(u32::MAX), Value::i32(31));
    let shuffle = |f: &mut Function, word: &Value| {
        let hint = format!("{name}.shuffled");
        f.call_extern(&hint, "", "i32", "llvm.nvvm.shfl.sync.down.i32", &[&all, word, delta, &clamp])
    };
    let words = ty.size() / 4;
    if words == 1 {
        let word = f.cast(&format!("{name}.word"), "bitcast", value, "i32");
        let word = shuffle(f, &word);
        return f.cast(&format!("{name}.remote"), "bitcast", &word, ty.llvm());
    }
    let vector: Ty = format!("<{words} x i32>").into();
    let own = f.cast(&format!("{name}.words"), "bitcast", value, vector.clone());
    let mut remote = Value::new(vector.clone(), "poison");
    for index in 0..words {
        let word = f.inst(&format!("{name}.word"), "i32", format_args!("extractelement {own}, i32 {index}"));
        let word = shuffle(f, &word);
        let inserted = format!("insertelement {remote}, {word}, i32 {index}");
        remote = f.inst(&format!("{name}.words"), vector.clone(), inserted);
    }
    f.cast(&format!("{name}.remote"), "bitcast", &remote, ty.llvm())
}

/// A special register such as `ntid.x`, as an i32.
fn special_register(f: &mut Function, name: &str) -> Value {
    f.call_extern(name, "", "i32", &format!("llvm.nvvm.read.ptx.sreg.{name}"), &[])
}

/// `x + nx * (y + ny * z)` of the special registers `index` within an extent of `size`.
fn linear(f: &mut Function, hint: &str, index: &str, size: &str) -> Value {
    let [x, y, z] = ["x", "y", "z"].map(|axis| special_register(f, &format!("{index}.{axis}")));
    let [nx, ny] = ["x", "y"].map(|axis| special_register(f, &format!("{size}.{axis}")));
    let planes = f.binary("planes", "mul", &ny, &z);
    let row = f.binary("row", "add", &y, &planes);
    let rows = f.binary("rows", "mul", &nx, &row);
    f.binary(hint, "add", &x, &rows)
}

/// The linear id of this thread in its block.
pub(crate) fn thread_id(f: &mut Function) -> Value {
    linear(f, "thread", "tid", "ntid")
}

/// The linear id of this block in the grid, which has fewer than 2^32 blocks.
pub(crate) fn block_id(f: &mut Function) -> Value {
    linear(f, "block", "ctaid", "nctaid")
}

/// The product of the three special registers `size`.
pub(crate) fn extent(f: &mut Function, hint: &str, size: &str) -> Value {
    let [x, y, z] = ["x", "y", "z"].map(|axis| special_register(f, &format!("{size}.{axis}")));
    let plane = f.binary("plane", "mul", &x, &y);
    f.binary(hint, "mul", &plane, &z)
}
