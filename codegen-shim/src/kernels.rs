//! The kernels: three that call the loop of [`accumulate`](crate::accumulate), or two that take chunks by
//! [`canonical`](crate::canonical).

use device_rt::reduce::canonical::CHUNK;

use crate::accumulate::{self, advance};
use crate::callbacks::{self, Caller};
use crate::canonical::{self, CHUNK_VALUE};
use crate::common::{
    ACCUMULATE, GLOBAL, GLOBAL_TO_LIST_COPY, GLOBAL_TO_LIST_REDUCE, INITIALIZE, INTER_WARP_COPY,
    LIST_TO_GLOBAL_COPY, LIST_TO_GLOBAL_REDUCE, POINTER, RECORD, SHUFFLE_AND_REDUCE, array_params, member,
    module, special_register,
};
use crate::ir::{Function, Module, Value};
use crate::{KernelSpec, ReductionList};

/// Names of the kernels that [`emit_kernels`] defines.
pub const KERNELS: [&str; 3] = [REDUCE, PARTIAL, FINALIZE];

impl KernelSpec {
    /// The names of its kernels.
    pub fn kernels(&self) -> &'static [&'static str] {
        if self.is_canonical() { &KERNELS[1..] } else { &KERNELS }
    }
}

const REDUCE: &str = "warpfold_reduce";
const PARTIAL: &str = "warpfold_partial";
const FINALIZE: &str = "warpfold_finalize";

/// Attributes of the device runtime's entry points, which the whole block calls.
pub(crate) const RUNTIME: &str = "convergent nounwind";

/// The three kernels of `spec`, with its callbacks, as one module of LLVM IR text.
///
/// ```text
/// warpfold_reduce  (u64 n, u64 first, u64 workspace, u64 result, u64 array0, u64 array1, …)
/// warpfold_partial (u64 n, u64 first, u64 workspace, u64 array0, …)
/// warpfold_finalize(u64 workspace, u32 num_slots, u64 result)
/// ```
///
/// The first reduces in one launch. The other two do the same in two launches: `num_slots` is
/// the number of blocks of the first, and the second has one block. `result` points to one record
/// with the initial values; exactly one thread computes `result = result op list`. `workspace` is that of
/// the device runtime's grid reduction: a header of 128 bytes, zero before its first use, then one
/// slot per block of the grid; 16-byte aligned.
///
/// `first` is the index of the first element, for `argmin` and `argmax`: 0, or the number of elements that
/// earlier launches reduced. With them a thread takes fewer than 2^32 - 16 elements, which are 2^37 bytes for a warp.
///
/// Array pointers are aligned as the element type is. If all of them are aligned to 16 bytes the
/// loads are 16 bytes wide; the result has the same bits either way. The arrays overlap neither
/// workspace nor result, and nothing writes to them during the launch.
///
/// Grid and blocks have one dimension, blocks consist of whole warps, and the grid has fewer than 2^31 threads; `n` has fewer
/// than 2^31 whole [tiles](KernelSpec::tile). Then a third of the instructions that compute indices is left.
///
/// The order in which a thread combines is fixed: with T threads in the grid, numbered by block and
/// then by thread in the block, it depends on n, T and the specification alone. Elements are taken in
/// groups of g = [`KernelSpec::group`] consecutive elements, and every variable has g accumulators,
/// one per position in the group. 32 u consecutive groups, with u = [`KernelSpec::unroll`], are a tile. The
/// threads 32 w to 32 w + 31 take, of k whole tiles, those at k - 1 - w, k - 1 - w - T / 32, … in this order; thread t
/// takes from each its groups at t mod 32 + 32 i for i = u - 1 … 0. Then it folds its accumulators from the first
/// position to the last, and finally combines elements t, t + T, … of those after the last whole tile.
///
/// In the [canonical order](KernelSpec::in_canonical_order) there are the last two kernels only, and `num_slots` is the
/// number of chunks of 8192 elements: the slot of each is a record of the workspace, `first` is a multiple of 8192, the grid
/// may be any, and several launches of the first kernel may fill the slots that one launch of the second folds. Then the
/// result depends on the elements and the specification alone.
///
/// The module refers to the device runtime's `__warpfold_grid_reduce`, `__warpfold_grid_store` and
/// `__warpfold_grid_finalize`, and to the functions of [`ReductionList::modules`].
pub fn emit_kernels(spec: &KernelSpec) -> String {
    let mut module = module(spec.list());
    callbacks::define(&mut module, spec.list(), "internal", Caller::Kernel);
    if spec.is_canonical() {
        let chunk = canonical::define(&mut module, spec);
        module.function(chunk);
        let partial = partial_by_chunks(&mut module, spec);
        module.function(partial);
        module.function(finalize(spec));
        return module.finish();
    }
    let accumulate = accumulate::define(&mut module, spec);
    module.function(accumulate);
    for kernel in [reduce(spec), partial(spec), finalize(spec)] {
        module.function(kernel);
    }
    module.finish()
}

fn reduce(spec: &KernelSpec) -> Function {
    let mut f = kernel(spec, REDUCE);
    let [n, first] = ["n", "first"].map(|name| f.param("i64", name));
    let workspace = workspace(&mut f, spec);
    let result = result(&mut f, spec.list());
    let arrays = array_params(&mut f, spec.arrays().iter().copied().enumerate());
    let list = private_list(&mut f, spec.list());
    call_accumulate(&mut f, spec, &list, [&n, &first], &arrays);
    let workspace = generic(&mut f, &workspace);
    let [shfl, iwcpy] = [SHUFFLE_AND_REDUCE, INTER_WARP_COPY].map(Value::function);
    let [lgcpy, glcpy, glred] =
        [LIST_TO_GLOBAL_COPY, GLOBAL_TO_LIST_COPY, GLOBAL_TO_LIST_REDUCE].map(Value::function);
    let arguments = [&workspace, &list, &shfl, &iwcpy, &lgcpy, &glcpy, &glred];
    let holds = f.call_extern("holds", RUNTIME, "i32", "__warpfold_grid_reduce", &arguments);
    fold_into_result(&mut f, &holds, &result, &list);
    f
}

fn partial(spec: &KernelSpec) -> Function {
    let mut f = kernel(spec, PARTIAL);
    let [n, first] = ["n", "first"].map(|name| f.param("i64", name));
    let workspace = workspace(&mut f, spec);
    let arrays = array_params(&mut f, spec.arrays().iter().copied().enumerate());
    let list = private_list(&mut f, spec.list());
    call_accumulate(&mut f, spec, &list, [&n, &first], &arrays);
    let workspace = generic(&mut f, &workspace);
    let [shfl, iwcpy, lgcpy] =
        [SHUFFLE_AND_REDUCE, INTER_WARP_COPY, LIST_TO_GLOBAL_COPY].map(Value::function);
    let arguments = [&workspace, &list, &shfl, &iwcpy, &lgcpy];
    f.call_extern("", RUNTIME, "void", "__warpfold_grid_store", &arguments);
    f.ret();
    f
}

fn finalize(spec: &KernelSpec) -> Function {
    let mut f = kernel(spec, FINALIZE);
    let workspace = workspace(&mut f, spec);
    let num_slots = f.param("i32", "num_slots");
    let result = result(&mut f, spec.list());
    let list = private_list(&mut f, spec.list());
    // With no slot at all, the result is combined with the identity.
    f.call(INITIALIZE, &[&list]);
    let workspace = generic(&mut f, &workspace);
    let [shfl, iwcpy, lgcpy, glcpy, glred] = [
        SHUFFLE_AND_REDUCE,
        INTER_WARP_COPY,
        LIST_TO_GLOBAL_COPY,
        GLOBAL_TO_LIST_COPY,
        GLOBAL_TO_LIST_REDUCE,
    ]
    .map(Value::function);
    let (name, callbacks) = match spec.is_canonical() {
        true => ("__warpfold_chunks_finalize", vec![&shfl, &lgcpy, &glcpy]),
        false => ("__warpfold_grid_finalize", vec![&shfl, &iwcpy, &glcpy, &glred]),
    };
    let arguments = [vec![&workspace, &num_slots, &list], callbacks].concat();
    let holds = f.call_extern("holds", RUNTIME, "i32", name, &arguments);
    fold_into_result(&mut f, &holds, &result, &list);
    f
}

/// The first kernel in the canonical order: each warp takes chunks that are as many apart as there are warps.
fn partial_by_chunks(module: &mut Module, spec: &KernelSpec) -> Function {
    let mut f = kernel(spec, PARTIAL);
    let [n, first] = ["n", "first"].map(|name| f.param("i64", name));
    let workspace = workspace(&mut f, spec);
    let arrays = array_params(&mut f, spec.arrays().iter().copied().enumerate());
    let list = private_list(&mut f, spec.list());
    let workspace = generic(&mut f, &workspace);

    let [local, block, block_threads, blocks] =
        ["tid.x", "ctaid.x", "ntid.x", "nctaid.x"].map(|name| special_register(&mut f, name));
    let by_warp = Value::i32(5);
    let [own, block_warps] =
        [&local, &block_threads].map(|threads| f.binary("warps", "lshr", threads, &by_warp));
    let before = f.binary("warps.before", "mul", &block, &block_warps);
    let warp = f.binary("warp", "add", &before, &own);
    let warps = f.binary("warps", "mul", &blocks, &block_warps);
    let up = f.binary("up", "add", &n, &Value::i64(CHUNK - 1));
    let by_chunk = Value::i64(CHUNK.ilog2().into());
    let chunks = f.binary("chunks", "lshr", &up, &by_chunk);
    let chunks = f.cast("chunks", "trunc", &chunks, "i32");

    let before = f.current();
    let [header, body, end] = ["chunks", "chunks.body", "chunks.end"].map(|name| f.block(name));
    f.br(header);
    f.enter(header);
    let number = f.phi("chunk", "i32");
    f.incoming(&number, &warp, before);
    let goes_on = f.icmp("goes.on", "ult", &number.value, &chunks);
    f.cond_br(&goes_on, body, end);
    f.enter(body);
    let wide = f.cast("wide", "zext", &number.value, "i64");
    let begin = f.binary("begin", "mul", &wide, &Value::i64(CHUNK));
    let rest = f.binary("rest", "sub", &n, &begin);
    let length = f.call_extern("length", "", "i64", "llvm.umin.i64", &[&rest, &Value::i64(CHUNK)]);
    let length = f.cast("length", "trunc", &length, "i32");
    let index = f.binary("first.index", "add", &first, &begin);
    let mut arguments = vec![list.clone(), length, index];
    for (array, ty) in spec.used() {
        let offset = f.binary("offset", "mul", &begin, &Value::i64(ty.size().into()));
        arguments.push(advance(&mut f, &arrays[array], &offset));
    }
    f.call(CHUNK_VALUE, &arguments.iter().collect::<Vec<_>>());
    let [shfl, lgcpy] = [SHUFFLE_AND_REDUCE, LIST_TO_GLOBAL_COPY].map(Value::function);
    let arguments = [&workspace, &number.value, &list, &shfl, &lgcpy];
    f.call_extern("", RUNTIME, "void", "__warpfold_chunk_store", &arguments);
    let next = f.binary("next", "add", &number.value, &warps);
    let after = f.current();
    f.incoming(&number, &next, after);
    let as_written = module.loop_as_written();
    f.br_back(header, as_written);
    f.enter(end);
    f.ret();
    f
}

fn kernel(spec: &KernelSpec, name: &str) -> Function {
    let attributes =
        format!("convergent mustprogress nounwind \"nvvm.maxntid\"=\"{}\"", spec.block_threads());
    let mut f = Function::new("", "ptx_kernel", name, &attributes);
    // The runtime computes linear ids of three dimensions; with this LLVM leaves one.
    for (register, only) in [("tid", 0), ("ctaid", 0), ("ntid", 1), ("nctaid", 1)] {
        for axis in ["y", "z"] {
            let value = special_register(&mut f, &format!("{register}.{axis}"));
            let is_flat = f.icmp("is.flat", "eq", &value, &Value::i32(only));
            f.call_extern("", "", "void", "llvm.assume", &[&is_flat]);
        }
    }
    let threads = special_register(&mut f, "ntid.x");
    let partial = f.binary("partial.warp", "and", &threads, &Value::i32(31));
    let is_whole = f.icmp("is.whole", "eq", &partial, &Value::i32(0));
    f.call_extern("", "", "void", "llvm.assume", &[&is_whole]);
    f
}

/// The workspace parameter. Not `noalias`: LLVM could then assume that no other thread accesses it, and
/// move its loads across the runtime's fences and barriers.
/// The workspace. In the canonical order it may begin anywhere where records do: its records follow those of other launches, and
/// nothing is before them.
fn workspace(f: &mut Function, spec: &KernelSpec) -> Value {
    let align = if spec.is_canonical() { spec.list().record().align } else { 16 };
    f.param_with(GLOBAL, &format!("align {align}"), "workspace")
}

fn result(f: &mut Function, list: &ReductionList) -> Value {
    f.param_with(GLOBAL, &format!("align {}", list.record().align), "result")
}

/// Converts a pointer to global memory to a generic pointer, which runtime and callbacks take.
fn generic(f: &mut Function, pointer: &Value) -> Value {
    f.cast("generic", "addrspacecast", pointer, "ptr")
}

/// Allocates the thread's private copies, uninitialised, and returns the reduction list that points to them.
pub(crate) fn private_list(f: &mut Function, list: &ReductionList) -> Value {
    let variables = list.variables();
    let private = f.inst("private", "ptr", format_args!("alloca {RECORD}, align {}", list.record().align));
    let entries = f.inst("list", "ptr", format_args!("alloca [{} x ptr], align {POINTER}", variables.len()));
    for (index, variable) in variables.iter().enumerate() {
        let copy = member(f, &private, &Value::i64(0), index, &variable.name);
        let entry = format!("getelementptr inbounds ptr, {entries}, i64 {index}");
        let entry = f.inst(&format!("{}.entry", variable.name), "ptr", entry);
        f.store(&copy, &entry, POINTER);
    }
    entries
}

fn call_accumulate(f: &mut Function, spec: &KernelSpec, list: &Value, range: [&Value; 2], arrays: &[Value]) {
    let mut arguments = vec![list, range[0], range[1]];
    arguments.extend(spec.used().map(|(index, _)| &arrays[index]));
    f.call(ACCUMULATE, &arguments);
}

/// Computes `result = result op list` in the one thread with `holds != 0`, and ends the kernel.
fn fold_into_result(f: &mut Function, holds: &Value, result: &Value, list: &Value) {
    let has_result = f.icmp("has.result", "ne", holds, &Value::i32(0));
    let [fold, done] = ["fold", "done"].map(|name| f.block(name));
    f.cond_br(&has_result, fold, done);
    f.enter(fold);
    let result = generic(f, result);
    f.call(LIST_TO_GLOBAL_REDUCE, &[&result, &Value::i32(0), list]);
    f.br(done);
    f.enter(done);
    f.ret();
}
