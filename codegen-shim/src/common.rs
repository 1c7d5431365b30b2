//! Code shared by callbacks and kernels: names, the record type, operators, thread indices.

use std::collections::BTreeMap;

use crate::ir::{Function, Module, Ty, Value};
use crate::list::{Component, Entry, Plan};
use crate::types::Leaf;
use crate::{Class, Identity, Lowering, ReductionList, Rule, Scalar, Source, Type, Variable};

/// The record type.
pub(crate) const RECORD: &str = "%warpfold.record";

/// A pointer to global memory.
pub(crate) const GLOBAL: &str = "ptr addrspace(1)";

/// Bytes of a pointer in the reduction list.
pub(crate) const POINTER: u32 = 8;

pub(crate) const SHUFFLE_AND_REDUCE: &str = "warpfold_shuffle_and_reduce";
pub(crate) const SHUFFLE_AND_REDUCE_MASKED: &str = "warpfold_shuffle_and_reduce_masked";
pub(crate) const SWAP_AND_REDUCE: &str = "warpfold_swap_and_reduce";
pub(crate) const INTER_WARP_COPY: &str = "warpfold_inter_warp_copy";
pub(crate) const LIST_TO_GLOBAL_COPY: &str = "warpfold_list_to_global_copy";
pub(crate) const LIST_TO_GLOBAL_REDUCE: &str = "warpfold_list_to_global_reduce";
pub(crate) const GLOBAL_TO_LIST_COPY: &str = "warpfold_global_to_list_copy";
pub(crate) const GLOBAL_TO_LIST_REDUCE: &str = "warpfold_global_to_list_reduce";
pub(crate) const ACCUMULATE: &str = "warpfold_accumulate";
pub(crate) const INITIALIZE: &str = "warpfold_initialize";

/// The scalars of one value.
pub(crate) type Values = Vec<Value>;

/// Starts a module: a comment that describes the variables, and the record type.
pub(crate) fn module(list: &ReductionList) -> Module {
    let mut module = Module::default();
    for Variable { name, ty, op, source } in list.variables() {
        let source = match source {
            Source::Array(array) => format!("array {array}"),
            Source::Product(left, right) => format!("array {left} * array {right}"),
            Source::Map(mapper, arrays) => {
                let arrays: Vec<_> = arrays.iter().map(|array| format!("array {array}")).collect();
                format!("{}({})", mapper.name(), arrays.join(", "))
            }
        };
        module.comment(&format!("{name}: {ty} {op} of {source}"));
    }
    let fields: Vec<_> = list.entries().iter().map(|entry| entry.stored.llvm()).collect();
    module.global(format_args!("{RECORD} = type {{ {} }}", fields.join(", ")));
    module
}

/// Adds a parameter for each array, given by its number and element type.
pub(crate) fn array_params(f: &mut Function, arrays: impl Iterator<Item = (usize, Type)>) -> Vec<Value> {
    let param = |(index, ty): (usize, Type)| {
        f.param_with(GLOBAL, &format!("noalias readonly align {}", ty.align()), &format!("array{index}"))
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

/// `base + bytes`, inside the object that `base` points to.
pub(crate) fn inside(f: &mut Function, hint: &str, base: &Value, bytes: u32) -> Value {
    match bytes {
        0 => base.clone(),
        _ => {
            f.inst(hint, base.ty().to_owned(), format_args!("getelementptr inbounds i8, {base}, i64 {bytes}"))
        }
    }
}

/// Loads the scalars of the value at `base`.
pub(crate) fn load(f: &mut Function, hint: &str, leaves: &[Leaf], base: &Value) -> Values {
    let load = |leaf: &Leaf| {
        let address = inside(f, &format!("{hint}.at"), base, leaf.offset);
        f.load(hint, leaf.scalar.llvm(), &address, leaf.scalar.size())
    };
    leaves.iter().map(load).collect()
}

/// Stores the scalars of a value at `base`.
pub(crate) fn store(f: &mut Function, hint: &str, leaves: &[Leaf], values: &[Value], base: &Value) {
    debug_assert_eq!(leaves.len(), values.len(), "scalars of {hint}");
    for (leaf, value) in leaves.iter().zip(values) {
        let address = inside(f, &format!("{hint}.at"), base, leaf.offset);
        f.store(value, &address, leaf.scalar.size());
    }
}

/// Selects every scalar.
pub(crate) fn select(f: &mut Function, hint: &str, condition: &Value, yes: &[Value], no: &[Value]) -> Values {
    yes.iter().zip(no).map(|(yes, no)| f.select(hint, condition, yes, no)).collect()
}

/// The values of `then` if `condition` holds, else `otherwise`; `then` is executed only if it holds.
pub(crate) fn when(
    f: &mut Function,
    hint: &str,
    condition: &Value,
    otherwise: &[Value],
    then: impl FnOnce(&mut Function) -> Values,
) -> Values {
    let [yes, end] = ["", ".end"].map(|suffix| f.block(&format!("{hint}{suffix}")));
    let before = f.current();
    f.cond_br(condition, yes, end);
    f.enter(yes);
    let values = then(f);
    let after = f.current();
    f.br(end);
    f.enter(end);
    let phi = |(value, other): (&Value, &Value)| {
        let phi = f.phi(hint, value.ty());
        f.incoming(&phi, value, after);
        f.incoming(&phi, other, before);
        phi.value
    };
    values.iter().zip(otherwise).map(phi).collect()
}

/// A constant scalar.
fn constant(scalar: Scalar, identity: Identity) -> Value {
    Value::new(scalar.llvm(), scalar.constant(identity.bits(scalar)))
}

/// The identity of the variable's operator, as constants.
pub(crate) fn identity(entry: &Entry) -> Values {
    let constant = |(leaf, bits): (&Leaf, u128)| Value::new(leaf.scalar.llvm(), leaf.scalar.constant(bits));
    entry.leaves.iter().zip(entry.identity()).map(constant).collect()
}

/// What is known about two pairs of value and index that `argmin` or `argmax` combines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing. A pair whose index is negative or whose value is NaN stands for "nothing found".
    Unknown,
    /// The left value is not NaN, and if a pair stands for "nothing found" its value is the worst and its index -1.
    Ordered,
    /// As [`Ordered`](Found::Ordered); the right one is an element, whose index is below the left one's if that is
    /// found.
    Earlier,
    /// As [`Ordered`](Found::Ordered), but instead of indices there are numbers of which a higher one stands for a lower
    /// index, and the lowest for "nothing found".
    Reversed,
}

/// `left op right`, in this order; `found` says what an `argmin` or `argmax` may assume.
///
/// Only a user's combiner takes a call, and without an identity a branch.
pub(crate) fn combine(
    f: &mut Function,
    hint: &str,
    entry: &Entry,
    left: &[Value],
    right: &[Value],
    found: Found,
) -> Values {
    match &entry.plan {
        Plan::Components(components) => combine_components(f, hint, components, left, right),
        Plan::Find(scalar, rule) => match found {
            Found::Unknown => find(f, hint, *scalar, rule, left, right),
            known => find_known(f, hint, *scalar, rule, left, right, known),
        },
        Plan::User(combiner) => {
            let count = entry.value_leaves;
            let leaves = &entry.leaves[..count];
            let ty = combiner.ty();
            let call = |f: &mut Function| {
                let scratch = |f: &mut Function, operand: &str, values: &[Value]| {
                    let at = f.scratch(&format!("{}.{operand}", entry.name), &ty.llvm(), ty.align());
                    store(f, hint, leaves, values, &at);
                    at
                };
                let into = scratch(f, "into", &left[..count]);
                let from = scratch(f, "from", &right[..count]);
                f.call_extern("", "", "void", combiner.symbol(), &[&into, &from]);
                load(f, hint, leaves, &into)
            };
            let (Some(ours), Some(theirs)) = (left.get(count), right.get(count)) else {
                return call(f);
            };
            let zero = Value::new("i8", "0");
            let [left_has, right_has] =
                [ours, theirs].map(|flag| f.icmp(&format!("{hint}.has"), "ne", flag, &zero));
            let one = select(f, hint, &right_has, &right[..count], &left[..count]);
            let both = f.binary(&format!("{hint}.both"), "and", &left_has, &right_has);
            let mut values = when(f, hint, &both, &one, call);
            values.push(f.binary(&format!("{hint}.has"), "or", ours, theirs));
            values
        }
    }
}

/// Combines each component by its rule.
pub(crate) fn combine_components(
    f: &mut Function,
    hint: &str,
    components: &[Component],
    left: &[Value],
    right: &[Value],
) -> Values {
    let mut values = Vec::with_capacity(left.len());
    for component in components {
        let (a, c) = (&left[component.leaf], &right[component.leaf]);
        if !component.is_complex {
            values.push(combine_scalars(f, hint, component.scalar, component.rule, a, c));
            continue;
        }
        let (b, d) = (&left[component.leaf + 1], &right[component.leaf + 1]);
        if component.rule.lowering == Lowering::ComplexProduct {
            let [ac, bd, ad, bc] =
                [(a, c), (b, d), (a, d), (b, c)].map(|(x, y)| f.binary("product", "fmul", x, y));
            values.push(f.binary(hint, "fsub", &ac, &bd));
            values.push(f.binary(hint, "fadd", &ad, &bc));
        } else {
            for (x, y) in [(a, c), (b, d)] {
                values.push(combine_scalars(f, hint, component.scalar, component.rule, x, y));
            }
        }
    }
    values
}

fn combine_scalars(
    f: &mut Function,
    hint: &str,
    scalar: Scalar,
    rule: &Rule,
    left: &Value,
    right: &Value,
) -> Value {
    match rule.lowering {
        Lowering::Instruction(name) => f.binary(hint, name, left, right),
        Lowering::Intrinsic(name) => {
            f.call_extern(hint, "", scalar.llvm(), &format!("{name}.{}", scalar.suffix()), &[left, right])
        }
        Lowering::Truth(name) => {
            let zero = constant(scalar, Identity::Zero);
            let [left, right] = [left, right].map(|value| match scalar.is_float() {
                // Unordered or unequal: NaN is true, as in C.
                true => f.fcmp("truth", "une", value, &zero),
                false => f.icmp("truth", "ne", value, &zero),
            });
            let truth = f.binary("truth", name, &left, &right);
            f.select(hint, &truth, &constant(scalar, Identity::One), &zero)
        }
        Lowering::ComplexProduct | Lowering::Find(_) => unreachable!("not an operator of scalars"),
    }
}

/// The better of two pairs of value and index; with equal values, the one with the lower index. A pair whose
/// index is negative or whose value is NaN stands for "nothing found".
fn find(
    f: &mut Function,
    hint: &str,
    scalar: Scalar,
    rule: &Rule,
    left: &[Value],
    right: &[Value],
) -> Values {
    let Lowering::Find(predicate) = rule.lowering else { unreachable!("not an argmin or argmax rule") };
    let is_float = scalar.is_float();
    let mut is_found = |pair: &[Value]| {
        let found = f.icmp("found", "sge", &pair[1], &Value::i64(0));
        if !is_float {
            return found;
        }
        let number = f.fcmp("number", "ord", &pair[0], &pair[0]);
        f.binary("found", "and", &found, &number)
    };
    let [left_found, right_found] = [left, right].map(&mut is_found);
    let (better, equal) = match is_float {
        true => {
            (f.fcmp("better", predicate, &right[0], &left[0]), f.fcmp("equal", "oeq", &right[0], &left[0]))
        }
        false => {
            (f.icmp("better", predicate, &right[0], &left[0]), f.icmp("equal", "eq", &right[0], &left[0]))
        }
    };
    let earlier = f.icmp("earlier", "slt", &right[1], &left[1]);
    let before = f.binary("before", "and", &equal, &earlier);
    let wins = f.binary("wins", "or", &better, &before);
    let none = f.binary("none", "xor", &left_found, &Value::new("i1", "true"));
    let over = f.binary("over", "or", &none, &wins);
    let takes = f.binary("takes", "and", &right_found, &over);
    select(f, hint, &takes, right, left)
}

/// As [`find`], of pairs about which something is known. NaN on the right is never taken, because no comparison
/// with it holds; -1 is the highest index without a sign, so that "nothing found" is never earlier.
fn find_known(
    f: &mut Function,
    hint: &str,
    scalar: Scalar,
    rule: &Rule,
    left: &[Value],
    right: &[Value],
    known: Found,
) -> Values {
    let Lowering::Find(predicate) = rule.lowering else { unreachable!("not an argmin or argmax rule") };
    let mut compare = |predicate: &str| match scalar.is_float() {
        true => f.fcmp("compared", predicate, &right[0], &left[0]),
        false => f.icmp("compared", predicate, &right[0], &left[0]),
    };
    if known == Found::Earlier {
        // "olt" becomes "ole": better or as good.
        let or_equal = format!("{}e", &predicate[..predicate.len() - 1]);
        let takes = compare(&or_equal);
        return select(f, hint, &takes, right, left);
    }
    let better = compare(predicate);
    let equal = compare(if scalar.is_float() { "oeq" } else { "eq" });
    let lower_index = if known == Found::Reversed { "ugt" } else { "ult" };
    let earlier = f.icmp("earlier", lower_index, &right[1], &left[1]);
    let before = f.binary("before", "and", &equal, &earlier);
    let takes = f.binary("takes", "or", &better, &before);
    select(f, hint, &takes, right, left)
}

/// Converts a value to a type that [`Type::converts_to`] allows.
pub(crate) fn convert(f: &mut Function, hint: &str, from: Type, to: Type, values: &[Value]) -> Values {
    match (from, to) {
        _ if from == to => values.to_vec(),
        (Type::Scalar(from), Type::Scalar(to)) => vec![convert_scalar(f, hint, from, to, &values[0])],
        (Type::Scalar(from), Type::Complex(to)) => {
            let real = convert_scalar(f, hint, from, to, &values[0]);
            vec![real, constant(to, Identity::Zero)]
        }
        (Type::Complex(from), Type::Complex(to)) => {
            values.iter().map(|value| convert_scalar(f, hint, from, to, value)).collect()
        }
        _ => {
            let mut rest = values;
            let mut converted = Vec::new();
            for ((from, _), (to, _)) in from.members().into_iter().zip(to.members()) {
                let (member, others) = rest.split_at(from.leaves().len());
                converted.extend(convert(f, hint, from, to, member));
                rest = others;
            }
            converted
        }
    }
}

fn convert_scalar(f: &mut Function, hint: &str, from: Scalar, to: Scalar, value: &Value) -> Value {
    let cast = match (from.class(), to.class()) {
        (Class::Float, _) => "fpext",
        (Class::Signed, Class::Float) => "sitofp",
        (_, Class::Float) => "uitofp",
        (Class::Signed, _) => "sext",
        _ => "zext",
    };
    f.cast(hint, cast, value, to.llvm())
}

/// The position of a scalar in the 32-bit words that are shuffled.
struct PackedPosition {
    word: usize,
    /// The lowest bit of a scalar narrower than a word; otherwise 0.
    bit: u32,
}

/// Fetches `values` from the lane `delta` above this one, in as few 32-bit shuffles as their bytes need;
/// beyond lane 31, this lane's own values.
///
/// `mask` is the set of lanes that execute the shuffle. -1 stands for all existing lanes: a partial last warp
/// may have fewer than 32, and values fetched from lanes that do not exist are undefined.
pub(crate) fn shuffle_down(
    f: &mut Function,
    mask: &Value,
    delta: &Value,
    values: &[(Scalar, Value)],
) -> Values {
    let clamp = Value::i32(31);
    // Whole words first, then halves, then bytes: only the last word may have unused bits.
    let mut order: Vec<_> = (0..values.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(values[index].0.size().min(4)));
    let mut words: Vec<Value> = Vec::new();
    let mut positions = BTreeMap::new();
    let mut used = 32;
    for index in order {
        let (scalar, value) = &values[index];
        let bits = 8 * scalar.size();
        if bits >= 32 {
            positions.insert(index, PackedPosition { word: words.len(), bit: 0 });
            words.extend(split(f, value, bits / 32));
            continue;
        }
        let narrow = f.cast("bits", "bitcast", value, format!("i{bits}"));
        let word = f.cast("word", "zext", &narrow, "i32");
        if used == 32 {
            positions.insert(index, PackedPosition { word: words.len(), bit: 0 });
            words.push(word);
            used = bits;
            continue;
        }
        positions.insert(index, PackedPosition { word: words.len() - 1, bit: used });
        let high = f.binary("high", "shl", &word, &Value::i32(used));
        if let Some(last) = words.last_mut() {
            *last = f.binary("packed", "or", last, &high);
        }
        used += bits;
    }
    let shuffle = |word: &Value| {
        f.call_extern("shuffled", "", "i32", "llvm.nvvm.shfl.sync.down.i32", &[mask, word, delta, &clamp])
    };
    let words: Values = words.iter().map(shuffle).collect();
    let unpack = |(index, position): (usize, PackedPosition)| {
        let scalar = values[index].0;
        let bits = 8 * scalar.size();
        if bits >= 32 {
            return join(f, &words[position.word..][..bits as usize / 32], scalar);
        }
        let word = &words[position.word];
        let word = match position.bit {
            0 => word.clone(),
            bit => f.binary("low", "lshr", word, &Value::i32(bit)),
        };
        let narrow = f.cast("bits", "trunc", &word, format!("i{bits}"));
        f.cast("remote", "bitcast", &narrow, scalar.llvm())
    };
    positions.into_iter().map(unpack).collect()
}

/// The words of a scalar, lowest first.
fn split(f: &mut Function, value: &Value, count: u32) -> Values {
    if count == 1 {
        return vec![f.cast("word", "bitcast", value, "i32")];
    }
    let own = f.cast("words", "bitcast", value, format!("<{count} x i32>"));
    (0..count).map(|index| f.inst("word", "i32", format_args!("extractelement {own}, i32 {index}"))).collect()
}

/// The scalar that consists of these words.
fn join(f: &mut Function, words: &[Value], scalar: Scalar) -> Value {
    if let [word] = words {
        return f.cast("remote", "bitcast", word, scalar.llvm());
    }
    if let [low, high] = words {
        // One instruction, where LLVM 22 shifts and ors what it sees.
        let both = f.call_extern("words", "", "double", "llvm.nvvm.lohi.i2d", &[low, high]);
        return f.cast("remote", "bitcast", &both, scalar.llvm());
    }
    let vector: Ty = format!("<{} x i32>", words.len()).into();
    let mut joined = Value::new(vector.clone(), "poison");
    for (index, word) in words.iter().enumerate() {
        let insert = format!("insertelement {joined}, {word}, i32 {index}");
        joined = f.inst("words", vector.clone(), insert);
    }
    f.cast("remote", "bitcast", &joined, scalar.llvm())
}

/// A special register such as `ntid.x`, as an i32.
pub(crate) fn special_register(f: &mut Function, name: &str) -> Value {
    f.call_extern(name, "", "i32", &format!("llvm.nvvm.read.ptx.sreg.{name}"), &[])
}

/// The linear index `x + nx * (y + ny * z)`, where x, y, z are the special registers `index` and nx, ny those
/// of `size`.
fn linear(f: &mut Function, hint: &str, index: &str, size: &str) -> Value {
    let [x, y, z] = ["x", "y", "z"].map(|axis| special_register(f, &format!("{index}.{axis}")));
    let [nx, ny] = ["x", "y"].map(|axis| special_register(f, &format!("{size}.{axis}")));
    let planes = f.binary("planes", "mul", &ny, &z);
    let row = f.binary("row", "add", &y, &planes);
    let rows = f.binary("rows", "mul", &nx, &row);
    f.binary(hint, "add", &x, &rows)
}

/// The linear index of this thread in its block.
pub(crate) fn thread_id(f: &mut Function) -> Value {
    linear(f, "thread", "tid", "ntid")
}

/// The linear index of this block in the grid, which has fewer than 2^32 blocks.
pub(crate) fn block_id(f: &mut Function) -> Value {
    linear(f, "block", "ctaid", "nctaid")
}

/// The product of the three special registers `size`.
pub(crate) fn extent(f: &mut Function, hint: &str, size: &str) -> Value {
    let [x, y, z] = ["x", "y", "z"].map(|axis| special_register(f, &format!("{size}.{axis}")));
    let plane = f.binary("plane", "mul", &x, &y);
    f.binary(hint, "mul", &plane, &z)
}
