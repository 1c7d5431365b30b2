//! One emitter per callback. Their signatures are those of LLVM 22's reduction callbacks.
//!
//! `list` is an array of generic pointers, one per variable, to the calling thread's private copies.
//! A `buffer` is an array of records laid out as [`RecordLayout`](crate::RecordLayout) says, in any
//! memory: its pointer is generic, and after inlining LLVM finds the address space.

use crate::ReductionList;
use crate::emit::{
    GLOBAL_TO_LIST_COPY, GLOBAL_TO_LIST_REDUCE, INITIALIZE, INTER_WARP_COPY, LIST_TO_GLOBAL_COPY,
    LIST_TO_GLOBAL_REDUCE, RECORD, SHUFFLE_AND_REDUCE, combine, identity, member, module, private_copy,
    shuffle_down, thread_id,
};
use crate::ir::{Function, Module, Value};

/// The shared-memory slots of [`inter_warp_copy`], one record per warp of the largest block.
const SLOTS: &str = "warpfold_inter_warp_slots";

/// Attributes of callbacks that threads call one by one. `alwaysinline`: once the runtime's entry
/// point is inlined into a kernel, its callbacks are known, and nothing of the list stays in memory.
const PER_THREAD: &str = "alwaysinline mustprogress nounwind willreturn";

/// Attributes of callbacks that threads call together.
const COLLECTIVE: &str = "alwaysinline convergent mustprogress nounwind";

/// The callbacks of `list` as one module of LLVM IR text, as external functions:
///
/// | function | does |
/// |---|---|
/// | `warpfold_shuffle_and_reduce(ptr list, i16 lane, i16 offset, i16 algo)` | `list` with that of lane + offset: algo 0 `list = list op remote`; 1 `lane < offset ? list op remote : remote`; 2 `list op remote` where lane is even and offset > 0, else unchanged |
/// | `warpfold_inter_warp_copy(ptr list, i32 num_warps)` | thread t < num_warps gets the list of lane 0 of warp t |
/// | `warpfold_list_to_global_copy(ptr buffer, i32 idx, ptr list)` | `buffer[idx] = list` |
/// | `warpfold_list_to_global_reduce(ptr buffer, i32 idx, ptr list)` | `buffer[idx] = buffer[idx] op list` |
/// | `warpfold_global_to_list_copy(ptr buffer, i32 idx, ptr list)` | `list = buffer[idx]` |
/// | `warpfold_global_to_list_reduce(ptr buffer, i32 idx, ptr list)` | `list = list op buffer[idx]` |
/// | `warpfold_initialize(ptr list)` | `list = identity` |
///
/// The first two are collective. Every lane of the warp that exists calls the first, converged, with
/// the same offset and algo; every thread of the block calls the second, converged. None of the
/// others synchronises or orders anything: two threads that use one record need a barrier or a fence.
pub fn emit_callbacks(list: &ReductionList) -> String {
    let mut module = module(list);
    define(&mut module, list, "");
    module.finish()
}

/// Adds every callback with the given linkage.
pub(crate) fn define(module: &mut Module, list: &ReductionList, linkage: &str) {
    // 16, not the record's alignment: lets LLVM merge the members of one record into wider accesses.
    module.global(format_args!(
        "@{SLOTS} = internal addrspace(3) global [32 x {RECORD}] poison, align {}",
        list.record().align.max(16)
    ));
    module.function(shuffle_and_reduce(list, linkage));
    module.function(inter_warp_copy(list, linkage));
    for (name, to_buffer, reduces) in [
        (LIST_TO_GLOBAL_COPY, true, false),
        (LIST_TO_GLOBAL_REDUCE, true, true),
        (GLOBAL_TO_LIST_COPY, false, false),
        (GLOBAL_TO_LIST_REDUCE, false, true),
    ] {
        module.function(transfer(list, linkage, name, to_buffer, reduces));
    }
    module.function(initialize(list, linkage));
}

/// Emits the shuffle-and-reduce callback, without a branch: a lane whose source lane does not exist
/// holds an undefined value, and may select it (algo 1 does so in lanes that the caller has finished
/// with) but never decides by it.
fn shuffle_and_reduce(list: &ReductionList, linkage: &str) -> Function {
    let comment = "Every lane of the warp that exists calls it, converged, with the same offset and algo.";
    let mut f = Function::new(comment, linkage, SHUFFLE_AND_REDUCE, COLLECTIVE);
    let reductions = f.param("ptr", "list");
    let [lane, offset, algo] = ["lane", "offset", "algo"].map(|name| f.param("i16", name));

    let full = f.icmp("full", "eq", &algo, &Value::i16(0));
    let contiguous = f.icmp("contiguous", "eq", &algo, &Value::i16(1));
    let dispersed = f.icmp("dispersed", "eq", &algo, &Value::i16(2));
    let below = f.icmp("below", "ult", &lane, &offset);
    let beyond = f.icmp("beyond", "uge", &lane, &offset);
    let parity = f.binary("parity", "and", &lane, &Value::i16(1));
    let even = f.icmp("even", "eq", &parity, &Value::i16(0));
    // The last of the dispersed lanes is called with an offset of no lane: zero or less.
    let ahead = f.icmp("ahead", "sgt", &offset, &Value::i16(0));
    let contiguous_reduces = f.binary("contiguous.reduces", "and", &contiguous, &below);
    let even_ahead = f.binary("even.ahead", "and", &even, &ahead);
    let dispersed_reduces = f.binary("dispersed.reduces", "and", &dispersed, &even_ahead);
    let partial_reduces = f.binary("partial.reduces", "or", &contiguous_reduces, &dispersed_reduces);
    let reduces = f.binary("reduces", "or", &full, &partial_reduces);
    let copies = f.binary("copies", "and", &contiguous, &beyond);
    let delta = f.cast("delta", "sext", &offset, "i32");

    for (index, (variable, rule)) in list.entries().enumerate() {
        let (name, ty) = (&variable.name, variable.ty);
        let private = private_copy(&mut f, &reductions, index, name);
        let own = f.load(&format!("{name}.own"), ty.llvm(), &private, ty.size());
        let remote = shuffle_down(&mut f, &own, ty, &delta, name);
        let combined = combine(&mut f, &format!("{name}.combined"), rule, &own, &remote);
        let kept = f.select(&format!("{name}.kept"), &copies, &remote, &own);
        let next = f.select(&format!("{name}.next"), &reduces, &combined, &kept);
        f.store(&next, &private, ty.size());
    }
    f.ret();
    f
}

/// Emits the inter-warp copy: the whole record at once, one pair of barriers.
fn inter_warp_copy(list: &ReductionList, linkage: &str) -> Function {
    let comment = "\
Every thread of the block calls it, converged, with the same num_warps <= 32.
The first barrier orders the stores of each warp's lane 0 before the loads; the second orders the
loads before whatever stores to the slots next, which may be the following call of this function.";
    let mut f = Function::new(comment, linkage, INTER_WARP_COPY, COLLECTIVE);
    let reductions = f.param("ptr", "list");
    let num_warps = f.param("i32", "num_warps");
    let slots = Value::new("ptr addrspace(3)", format!("@{SLOTS}"));

    let thread = thread_id(&mut f);
    let lane = f.binary("lane", "and", &thread, &Value::i32(31));
    let leads = f.icmp("leads", "eq", &lane, &Value::i32(0));
    let [publish, published, collect, collected] =
        ["publish", "published", "collect", "collected"].map(|name| f.block(name));
    f.cond_br(&leads, publish, published);

    f.enter(publish);
    let warp = f.binary("warp", "lshr", &thread, &Value::i32(5));
    for (index, variable) in list.variables().iter().enumerate() {
        let (name, ty) = (&variable.name, variable.ty);
        let private = private_copy(&mut f, &reductions, index, name);
        let own = f.load(&format!("{name}.own"), ty.llvm(), &private, ty.size());
        let slot = member(&mut f, &slots, &warp, index, name);
        f.store(&own, &slot, ty.size());
    }
    f.br(published);

    f.enter(published);
    barrier(&mut f);
    let receives = f.icmp("receives", "ult", &thread, &num_warps);
    f.cond_br(&receives, collect, collected);

    f.enter(collect);
    for (index, variable) in list.variables().iter().enumerate() {
        let (name, ty) = (&variable.name, variable.ty);
        let slot = member(&mut f, &slots, &thread, index, name);
        let value = f.load(&format!("{name}.slot"), ty.llvm(), &slot, ty.size());
        let private = private_copy(&mut f, &reductions, index, name);
        f.store(&value, &private, ty.size());
    }
    f.br(collected);

    f.enter(collected);
    barrier(&mut f);
    f.ret();
    f
}

/// A barrier that all threads of the block reach at this one instruction.
fn barrier(f: &mut Function) {
    f.call_extern("", "", "void", "llvm.nvvm.barrier.cta.sync.aligned.all", &[&Value::i32(0)]);
}

/// Emits one of the four transfers between the list and record `idx` of a buffer. The receiver is the
/// left operand.
fn transfer(list: &ReductionList, linkage: &str, function: &str, to_buffer: bool, reduces: bool) -> Function {
    let mut f = Function::new("", linkage, function, PER_THREAD);
    let buffer = f.param("ptr", "buffer");
    let idx = f.param("i32", "idx");
    let reductions = f.param("ptr", "list");
    // Widened by hand: an address computation would take an i32 index for signed.
    let index = f.cast("index", "zext", &idx, "i64");
    for (field, (variable, rule)) in list.entries().enumerate() {
        let (name, ty) = (&variable.name, variable.ty);
        let private = private_copy(&mut f, &reductions, field, name);
        let member = member(&mut f, &buffer, &index, field, name);
        let (from, to) = if to_buffer { (private, member) } else { (member, private) };
        let mut value = f.load(&format!("{name}.given"), ty.llvm(), &from, ty.size());
        if reduces {
            let held = f.load(&format!("{name}.held"), ty.llvm(), &to, ty.size());
            value = combine(&mut f, &format!("{name}.combined"), rule, &held, &value);
        }
        f.store(&value, &to, ty.size());
    }
    f.ret();
    f
}

/// Emits the initialisation of the private copies with the identities.
fn initialize(list: &ReductionList, linkage: &str) -> Function {
    let mut f = Function::new("", linkage, INITIALIZE, PER_THREAD);
    let reductions = f.param("ptr", "list");
    for (index, (variable, rule)) in list.entries().enumerate() {
        let private = private_copy(&mut f, &reductions, index, &variable.name);
        f.store(&identity(rule), &private, variable.ty.size());
    }
    f.ret();
    f
}
