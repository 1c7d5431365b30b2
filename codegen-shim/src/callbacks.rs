//! One emitter per callback. Their signatures are those of LLVM 22's reduction callbacks.
//!
//! `list` is an array of generic pointers, one per variable, to the calling thread's private copies.
//! A `buffer` is an array of records with the layout of [`RecordLayout`](crate::RecordLayout), in any
//! memory: its pointer is generic, and after inlining LLVM infers the address space.

use crate::ReductionList;
use crate::common::{
    Found, GLOBAL_TO_LIST_COPY, GLOBAL_TO_LIST_REDUCE, INITIALIZE, INTER_WARP_COPY, LIST_TO_GLOBAL_COPY,
    LIST_TO_GLOBAL_REDUCE, SHUFFLE_AND_REDUCE, SHUFFLE_AND_REDUCE_MASKED, SWAP_AND_REDUCE, Values, combine,
    identity, inside, load, member, module, private_copy, select, shuffle_down, store, thread_id, when,
};
use crate::ir::{Function, Module, Value};
use crate::list::{Entry, Plan, WARP_BUFFER_BYTES};
use crate::types::{Leaf, Scalar};
use crate::{Lowering, Op};

/// Names of the functions that [`emit_callbacks`] defines.
pub const CALLBACKS: &[&str] = &[
    SHUFFLE_AND_REDUCE,
    SHUFFLE_AND_REDUCE_MASKED,
    SWAP_AND_REDUCE,
    INTER_WARP_COPY,
    LIST_TO_GLOBAL_COPY,
    LIST_TO_GLOBAL_REDUCE,
    GLOBAL_TO_LIST_COPY,
    GLOBAL_TO_LIST_REDUCE,
    INITIALIZE,
];

/// The shared memory of [`inter_warp_copy`]: a buffer for each warp of the largest block.
const WARP_BUFFERS: &str = "warpfold_inter_warp_buffers";

/// Attributes of callbacks that single threads call. `alwaysinline`: once the runtime's entry point is
/// inlined into a kernel, its callbacks are known, and the list and the private copies become registers.
const PER_THREAD: &str = "alwaysinline mustprogress nounwind willreturn";

/// Attributes of callbacks that the threads of a warp or a block call together.
const COLLECTIVE: &str = "alwaysinline convergent mustprogress nounwind";

/// Who calls the callbacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Caller {
    /// Any code, as [`emit_callbacks`] promises.
    Any,
    /// A kernel of [`emit_kernels`](crate::emit_kernels), with one grid reduction. Then callbacks do less:
    ///
    /// - A reduction over a full warp calls the shuffle callback at distances 16, 8, 4, 2 and 1. 32-bit integers
    ///   are reduced in the first of these calls by `redux.sync`, from sm_80 on, and in the others not at all.
    /// - The inter-warp copy has one barrier: between it and a following one the runtime has a barrier of its own.
    /// - Pairs of value and index are [`Found::Ordered`], except in the result.
    Kernel,
}

/// The callbacks of `list` as one module of LLVM IR text, as external functions, to be linked with
/// [`ReductionList::modules`]:
///
/// | function | does |
/// |---|---|
/// | `warpfold_shuffle_and_reduce(ptr list, i16 lane, i16 offset, i16 algo)` | `remote` is the list of lane + offset; algo 0 `list = list op remote`; 1 `list = lane < offset ? list op remote : remote`; 2 `list = list op remote` if lane is even and offset > 0, else unchanged |
/// | `warpfold_shuffle_and_reduce_masked(ptr list, i32 mask, i16 lane, i16 offset, i16 algo)` | the same among the lanes of `mask` |
/// | `warpfold_swap_and_reduce(ptr list, i16 offset, i16 size)` | `list = list op` that of lane + offset if lane + offset < size, else unchanged |
/// | `warpfold_inter_warp_copy(ptr list, i32 num_warps)` | thread t < num_warps gets the list of lane 0 of warp t |
/// | `warpfold_list_to_global_copy(ptr buffer, i32 idx, ptr list)` | `buffer[idx] = list` |
/// | `warpfold_list_to_global_reduce(ptr buffer, i32 idx, ptr list)` | `buffer[idx] = buffer[idx] op list` |
/// | `warpfold_global_to_list_copy(ptr buffer, i32 idx, ptr list)` | `list = buffer[idx]` |
/// | `warpfold_global_to_list_reduce(ptr buffer, i32 idx, ptr list)` | `list = list op buffer[idx]` |
/// | `warpfold_initialize(ptr list)` | `list = identity` |
///
/// The first four are collective. Every existing lane of the warp calls the first and the third,
/// converged, with the same offset and algo or size; exactly the lanes of `mask` call the second,
/// converged, with the same mask and algo (with algo 2 the offsets may differ); every thread of the block
/// calls the fourth, converged. The others neither synchronise nor order memory accesses: two threads that
/// use the same record need a barrier or a fence.
///
/// The value that a lane fetches from a lane that does not exist, or is not in `mask`, is undefined. It is
/// dropped, or copied where the algorithm copies, and never passed to a user's combiner.
pub fn emit_callbacks(list: &ReductionList) -> String {
    let mut module = module(list);
    define(&mut module, list, "", Caller::Any);
    module.finish()
}

/// Adds every callback with the given linkage.
pub(crate) fn define(module: &mut Module, list: &ReductionList, linkage: &str, caller: Caller) {
    // An alignment of 16, not the record's, lets LLVM merge the members of a record into wider accesses.
    module.global(format_args!(
        "@{WARP_BUFFERS} = internal addrspace(3) global [32 x [{} x i8]] poison, align 16",
        warp_buffer_bytes(list)
    ));
    if caller == Caller::Kernel && list.entries().iter().any(|entry| redux(entry).is_some()) {
        module.global(format_args!("@{ARCHITECTURE} = private constant [12 x i8] c\"__CUDA_ARCH\\00\""));
    }
    module.function(shuffle_and_reduce(list, linkage, caller));
    module.function(shuffle_and_reduce_masked(list, linkage, caller));
    module.function(swap_and_reduce(list, linkage));
    module.function(inter_warp_copy(list, linkage, caller));
    for (name, to_buffer, reduces) in [
        (LIST_TO_GLOBAL_COPY, true, false),
        (LIST_TO_GLOBAL_REDUCE, true, true),
        (GLOBAL_TO_LIST_COPY, false, false),
        (GLOBAL_TO_LIST_REDUCE, false, true),
    ] {
        // In a kernel lists are combined into one record, the result, which the user initialised.
        let found = match caller {
            Caller::Kernel if !to_buffer => Found::Ordered,
            _ => Found::Unknown,
        };
        module.function(transfer(list, linkage, name, to_buffer, reduces.then_some(found)));
    }
    module.function(initialize(list, linkage));
}

/// The name by which `__nvvm_reflect` gives the architecture: 800 for sm_80.
const ARCHITECTURE: &str = "warpfold_architecture";

/// The first architecture with `redux.sync`.
const REDUX_ARCHITECTURE: u32 = 800;

/// The kind of `redux.sync` that reduces a variable, if there is one.
fn redux(entry: &Entry) -> Option<&'static str> {
    let Plan::Components(components) = &entry.plan else { return None };
    let [component] = components.as_slice() else { return None };
    if component.is_complex || !matches!(component.scalar, Scalar::I32 | Scalar::U32) {
        return None;
    }
    match (component.rule.op, component.rule.lowering) {
        (Op::Sum, Lowering::Instruction(_)) => Some("add"),
        (Op::And, _) => Some("and"),
        (Op::Or, _) => Some("or"),
        (Op::Xor, _) => Some("xor"),
        (_, Lowering::Intrinsic("llvm.smin")) => Some("min"),
        (_, Lowering::Intrinsic("llvm.smax")) => Some("max"),
        (_, Lowering::Intrinsic("llvm.umin")) => Some("umin"),
        (_, Lowering::Intrinsic("llvm.umax")) => Some("umax"),
        _ => None,
    }
}

/// Emits the shuffle-and-reduce callback for whole warps.
fn shuffle_and_reduce(list: &ReductionList, linkage: &str, caller: Caller) -> Function {
    let comment = "Every lane of the warp that exists calls it, converged, with the same offset and algo.";
    let mut f = Function::new(comment, linkage, SHUFFLE_AND_REDUCE, COLLECTIVE);
    let reductions = f.param("ptr", "list");
    let [lane, offset, algo] = ["lane", "offset", "algo"].map(|name| f.param("i16", name));
    if caller == Caller::Kernel && list.entries().iter().any(|entry| redux(entry).is_some()) {
        full_by_redux(&mut f, list, &reductions, &offset, &algo);
    }
    f.call(SHUFFLE_AND_REDUCE_MASKED, &[&reductions, &Value::i32(u32::MAX), &lane, &offset, &algo]);
    f.ret();
    f
}

/// In a full reduction on an architecture with `redux.sync`: reduces the integers at the first distance, combines
/// the other variables at each, and returns. All conditions are the same in the whole warp.
fn full_by_redux(f: &mut Function, list: &ReductionList, reductions: &Value, offset: &Value, algo: &Value) {
    let full = f.icmp("full", "eq", algo, &Value::i16(0));
    let name = Value::new("ptr", format!("@{ARCHITECTURE}"));
    let architecture = f.call_extern("architecture", "", "i32", "__nvvm_reflect", &[&name]);
    let has_redux = f.icmp("has.redux", "uge", &architecture, &Value::i32(REDUX_ARCHITECTURE));
    let [full_warp, distances, at_first, others] =
        ["full.warp", "distances", "at.first", "others"].map(|name| f.block(name));
    let by_redux = f.binary("by.redux", "and", &full, &has_redux);
    f.cond_br(&by_redux, full_warp, distances);

    f.enter(full_warp);
    let is_first = f.icmp("is.first", "eq", offset, &Value::i16(16));
    f.cond_br(&is_first, at_first, others);
    f.enter(at_first);
    for (index, entry) in list.entries().iter().enumerate() {
        let Some(kind) = redux(entry) else { continue };
        let private = private_copy(f, reductions, index, &entry.name);
        let own = load(f, &format!("{}.own", entry.name), &entry.leaves, &private);
        let intrinsic = format!("llvm.nvvm.redux.sync.{kind}");
        let of_warp = f.call_extern(&entry.name, "", "i32", &intrinsic, &[&own[0], &Value::i32(u32::MAX)]);
        store(f, &entry.name, &entry.leaves, &[of_warp], &private);
    }
    f.br(others);
    f.enter(others);
    let stepwise: Vec<_> =
        list.entries().iter().enumerate().filter(|(_, entry)| redux(entry).is_none()).collect();
    let delta = f.cast("delta", "sext", offset, "i32");
    let always = Value::new("i1", "true");
    exchange(f, &stepwise, reductions, &Value::i32(u32::MAX), &delta, &always, None, Found::Ordered);
    f.ret();
    f.enter(distances);
}

/// Emits the shuffle-and-reduce callback, without a branch around built-in operators: a lane whose source
/// lane does not exist fetches an undefined value, and may select it (algo 1 does so in lanes whose value is
/// not used any more), but the condition never depends on it.
fn shuffle_and_reduce_masked(list: &ReductionList, linkage: &str, caller: Caller) -> Function {
    let comment = "The lanes of mask call it, converged, with the same mask and algo.";
    let mut f = Function::new(comment, linkage, SHUFFLE_AND_REDUCE_MASKED, COLLECTIVE);
    let reductions = f.param("ptr", "list");
    let mask = f.param("i32", "mask");
    let [lane, offset, algo] = ["lane", "offset", "algo"].map(|name| f.param("i16", name));

    let full = f.icmp("full", "eq", &algo, &Value::i16(0));
    let contiguous = f.icmp("contiguous", "eq", &algo, &Value::i16(1));
    let dispersed = f.icmp("dispersed", "eq", &algo, &Value::i16(2));
    let below = f.icmp("below", "ult", &lane, &offset);
    let beyond = f.icmp("beyond", "uge", &lane, &offset);
    let parity = f.binary("parity", "and", &lane, &Value::i16(1));
    let even = f.icmp("even", "eq", &parity, &Value::i16(0));
    // The last of the dispersed lanes has no partner: its offset is zero or less.
    let ahead = f.icmp("ahead", "sgt", &offset, &Value::i16(0));
    let contiguous_reduces = f.binary("contiguous.reduces", "and", &contiguous, &below);
    let even_ahead = f.binary("even.ahead", "and", &even, &ahead);
    let dispersed_reduces = f.binary("dispersed.reduces", "and", &dispersed, &even_ahead);
    let partial_reduces = f.binary("partial.reduces", "or", &contiguous_reduces, &dispersed_reduces);
    let reduces = f.binary("reduces", "or", &full, &partial_reduces);
    let copies = f.binary("copies", "and", &contiguous, &beyond);
    let delta = f.cast("delta", "sext", &offset, "i32");
    let found = if caller == Caller::Kernel { Found::Ordered } else { Found::Unknown };
    let entries: Vec<_> = list.entries().iter().enumerate().collect();
    exchange(&mut f, &entries, &reductions, &mask, &delta, &reduces, Some(&copies), found);
    f.ret();
    f
}

/// Emits the swap-and-reduce callback, which computes the lane from the thread index.
fn swap_and_reduce(list: &ReductionList, linkage: &str) -> Function {
    let comment = "Every lane of the warp that exists calls it, converged, with the same offset and size.";
    let mut f = Function::new(comment, linkage, SWAP_AND_REDUCE, COLLECTIVE);
    let reductions = f.param("ptr", "list");
    let [offset, size] = ["offset", "size"].map(|name| f.param("i16", name));
    let thread = thread_id(&mut f);
    let lane = f.binary("lane", "and", &thread, &Value::i32(31));
    let delta = f.cast("delta", "zext", &offset, "i32");
    let size = f.cast("lanes", "zext", &size, "i32");
    let partner = f.binary("partner", "add", &lane, &delta);
    let reduces = f.icmp("reduces", "ult", &partner, &size);
    let entries: Vec<_> = list.entries().iter().enumerate().collect();
    exchange(&mut f, &entries, &reductions, &Value::i32(u32::MAX), &delta, &reduces, None, Found::Unknown);
    f.ret();
    f
}

/// Fetches the variables of the lane `delta` above, and combines them into those of the list if `reduces`, or
/// replaces them if `copies`. `entries` are variables with their numbers.
#[allow(clippy::too_many_arguments, reason = "the parameters of the callbacks")]
fn exchange(
    f: &mut Function,
    entries: &[(usize, &Entry)],
    reductions: &Value,
    mask: &Value,
    delta: &Value,
    reduces: &Value,
    copies: Option<&Value>,
    found: Found,
) {
    let mut privates = Vec::new();
    let mut own = Vec::new();
    for &(index, entry) in entries {
        let private = private_copy(f, reductions, index, &entry.name);
        let values = load(f, &format!("{}.own", entry.name), &entry.leaves, &private);
        own.extend(entry.leaves.iter().map(|leaf| leaf.scalar).zip(values));
        privates.push(private);
    }
    let remote = shuffle_down(f, mask, delta, &own);
    let own: Values = own.into_iter().map(|(_, value)| value).collect();
    let (mut own, mut remote) = (own.as_slice(), remote.as_slice());
    for ((_, entry), private) in entries.iter().zip(&privates) {
        let (ours, others) = own.split_at(entry.leaves.len());
        let (theirs, rest) = remote.split_at(entry.leaves.len());
        let hint = |what: &str| format!("{}.{what}", entry.name);
        let kept = match copies {
            Some(copies) => select(f, &hint("kept"), copies, theirs, ours),
            None => ours.to_vec(),
        };
        let next = match entry.plan {
            // A branch: a user function must not be called with an undefined value.
            Plan::User(_) => {
                let combined = |f: &mut Function| combine(f, &hint("combined"), entry, ours, theirs, found);
                when(f, &hint("next"), reduces, &kept, combined)
            }
            _ => {
                let combined = combine(f, &hint("combined"), entry, ours, theirs, found);
                select(f, &hint("next"), reduces, &combined, &kept)
            }
        };
        store(f, &hint("next"), &entry.leaves, &next, private);
        (own, remote) = (others, rest);
    }
}

/// The scalars that one round of the inter-warp copy moves.
struct CopyRound<'a> {
    /// With the index of their variable and their offset in a warp's buffer, in bytes.
    scalars: Vec<(usize, &'a Entry, Leaf, u32)>,
    bytes: u32,
}

/// The rounds of the inter-warp copy, of at most [`WARP_BUFFER_BYTES`] each. The layout is that of the
/// record.
fn copy_rounds(list: &ReductionList) -> Vec<CopyRound<'_>> {
    let mut rounds: Vec<CopyRound> = Vec::new();
    let mut start = 0;
    for (index, (entry, offset)) in list.entries().iter().zip(&list.record().offsets).enumerate() {
        for leaf in &entry.leaves {
            let at = offset + leaf.offset;
            if rounds.is_empty() || at + leaf.scalar.size() - start > WARP_BUFFER_BYTES {
                rounds.push(CopyRound { scalars: Vec::new(), bytes: 0 });
                // A multiple of 16, so that every scalar has the same alignment as in the record.
                start = at / 16 * 16;
            }
            if let Some(round) = rounds.last_mut() {
                round.scalars.push((index, entry, *leaf, at - start));
                round.bytes = at + leaf.scalar.size() - start;
            }
        }
    }
    rounds
}

/// Bytes of a warp's buffer.
fn warp_buffer_bytes(list: &ReductionList) -> u32 {
    let bytes = copy_rounds(list).iter().map(|round| round.bytes).max().unwrap_or(0);
    bytes.next_multiple_of(list.record().align)
}

/// Emits the inter-warp copy: rounds of as many scalars as fit into a warp's buffer, with a pair of barriers
/// each; in a kernel the last round has no second barrier.
fn inter_warp_copy(list: &ReductionList, linkage: &str, caller: Caller) -> Function {
    let comment = match caller {
        Caller::Any => {
            "\
Every thread of the block calls it, converged, with the same num_warps <= 32.
The first barrier orders the stores of each warp's lane 0 before the loads; the second orders the
loads before the next stores to the buffers, such as those of the following call."
        }
        Caller::Kernel => {
            "\
Every thread of the block calls it, converged, with the same num_warps <= 32, and the block meets a
barrier before the next call. The barrier orders the stores of each warp's lane 0 before the loads."
        }
    };
    let mut f = Function::new(comment, linkage, INTER_WARP_COPY, COLLECTIVE);
    let reductions = f.param("ptr", "list");
    let num_warps = f.param("i32", "num_warps");

    let thread = thread_id(&mut f);
    let lane = f.binary("lane", "and", &thread, &Value::i32(31));
    let leads = f.icmp("leads", "eq", &lane, &Value::i32(0));
    let warp = f.binary("warp", "lshr", &thread, &Value::i32(5));
    let receives = f.icmp("receives", "ult", &thread, &num_warps);
    let bytes = warp_buffer_bytes(list);
    let buffer = |f: &mut Function, index: &Value| {
        let address =
            format!("getelementptr inbounds [{bytes} x i8], ptr addrspace(3) @{WARP_BUFFERS}, {index}");
        f.inst("warp.buffer", "ptr addrspace(3)", address)
    };
    let rounds = copy_rounds(list);
    for (number, round) in (1..).zip(&rounds) {
        let [publish, published, collect, collected] =
            ["publish", "published", "collect", "collected"].map(|name| f.block(name));
        f.cond_br(&leads, publish, published);

        f.enter(publish);
        let ours = buffer(&mut f, &warp);
        copy(&mut f, &reductions, round, &ours, true);
        f.br(published);

        f.enter(published);
        barrier(&mut f);
        f.cond_br(&receives, collect, collected);

        f.enter(collect);
        let theirs = buffer(&mut f, &thread);
        copy(&mut f, &reductions, round, &theirs, false);
        f.br(collected);

        f.enter(collected);
        if caller == Caller::Any || number < rounds.len() {
            barrier(&mut f);
        }
    }
    f.ret();
    f
}

/// Copies the round's scalars from the list to a warp's buffer, or back.
fn copy(f: &mut Function, reductions: &Value, round: &CopyRound<'_>, buffer: &Value, to_buffer: bool) {
    let mut private = None;
    for (index, entry, leaf, at) in &round.scalars {
        let name = &entry.name;
        // The pointer is loaded once for all scalars of a variable.
        let base = match private.take() {
            Some((known, base)) if known == index => base,
            _ => private_copy(f, reductions, *index, name),
        };
        let ours = inside(f, &format!("{name}.at"), &base, leaf.offset);
        let shared = inside(f, &format!("{name}.shared"), buffer, *at);
        let (from, to) = if to_buffer { (&ours, &shared) } else { (&shared, &ours) };
        let value = f.load(&format!("{name}.moved"), leaf.scalar.llvm(), from, leaf.scalar.size());
        f.store(&value, to, leaf.scalar.size());
        private = Some((index, base));
    }
}

/// A barrier that all threads of the block reach at the same instruction.
fn barrier(f: &mut Function) {
    f.call_extern("", "", "void", "llvm.nvvm.barrier.cta.sync.aligned.all", &[&Value::i32(0)]);
}

/// Emits one of the four transfers between the list and record `idx` of a buffer. The receiver is the
/// left operand. One that reduces is told what is known about pairs of value and index.
fn transfer(
    list: &ReductionList,
    linkage: &str,
    function: &str,
    to_buffer: bool,
    reduces: Option<Found>,
) -> Function {
    let mut f = Function::new("", linkage, function, PER_THREAD);
    let buffer = f.param("ptr", "buffer");
    let idx = f.param("i32", "idx");
    let reductions = f.param("ptr", "list");
    // Widened here: `getelementptr` treats an i32 index as signed.
    let index = f.cast("index", "zext", &idx, "i64");
    for (field, entry) in list.entries().iter().enumerate() {
        let name = &entry.name;
        let private = private_copy(&mut f, &reductions, field, name);
        let member = member(&mut f, &buffer, &index, field, name);
        let (from, to) = if to_buffer { (private, member) } else { (member, private) };
        let mut values = load(&mut f, &format!("{name}.given"), &entry.leaves, &from);
        if let Some(found) = reduces {
            let held = load(&mut f, &format!("{name}.held"), &entry.leaves, &to);
            values = combine(&mut f, &format!("{name}.combined"), entry, &held, &values, found);
        }
        store(&mut f, name, &entry.leaves, &values, &to);
    }
    f.ret();
    f
}

/// Emits the initialisation of the private copies with the identities.
fn initialize(list: &ReductionList, linkage: &str) -> Function {
    let mut f = Function::new("", linkage, INITIALIZE, PER_THREAD);
    let reductions = f.param("ptr", "list");
    for (index, entry) in list.entries().iter().enumerate() {
        let private = private_copy(&mut f, &reductions, index, &entry.name);
        store(&mut f, &entry.name, &entry.leaves, &identity(entry), &private);
    }
    f.ret();
    f
}
