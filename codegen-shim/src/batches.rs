//! Reductions of arrays whose length is known only at run time, in batches of a fixed number of elements.
//!
//! A batch is a reduction list with one variable per element, so that an element can have any type that a
//! reduction variable can have. The last batch may be short: identities replace the missing elements.

use crate::accumulate::absorb;
use crate::callbacks::{self, Caller};
use crate::common::{
    Found, GLOBAL, GLOBAL_TO_LIST_COPY, GLOBAL_TO_LIST_REDUCE, INITIALIZE, INTER_WARP_COPY,
    LIST_TO_GLOBAL_COPY, POINTER, SHUFFLE_AND_REDUCE, Values, array_params, block_id, combine, extent,
    identity, load, module, private_copy, store, thread_id,
};
use crate::ir::{Function, Module, Phi, Value};
use crate::kernels::{RUNTIME, private_list};
use crate::list::{Entry, WORKSPACE_HEADER_BYTES};
use crate::{Error, KernelSpec, ReductionList, Type, Variable};

/// Bytes of a batch's elements of the largest variable: a sector of memory, which a thread that reads columns
/// row by row then uses completely.
const BATCH_BYTES: u32 = 32;

/// The largest number of elements of a batch: code is emitted for each.
const MAX_WIDTH: u32 = 16;

/// Names of the functions that [`emit_batches`] defines with external linkage.
pub const BATCH_FUNCTIONS: &[&str] = &[BLOCK_REDUCE, GRID_REDUCE, WORKSPACE_BYTES];

/// The kernel that [`emit_columns`] defines.
pub const COLUMNS: &str = "warpfold_reduce_columns";

const BLOCK_REDUCE: &str = "warpfold_block_reduce_batches";
const GRID_REDUCE: &str = "warpfold_grid_reduce_batches";
const WORKSPACE_BYTES: &str = "warpfold_batches_workspace_bytes";

/// Reduction variables that are arrays of the same length, which is known only at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchedList {
    variables: ReductionList,
    batch: ReductionList,
    width: u32,
}

impl BatchedList {
    /// A list of these variables. Their types are the element types of the arrays.
    ///
    /// # Errors
    ///
    /// As [`ReductionList::new`].
    pub fn new(variables: Vec<Variable>) -> Result<Self, Error> {
        let variables = ReductionList::new(variables)?;
        let largest = variables.entries().iter().map(|entry| entry.stored.size()).max().unwrap_or(1);
        let mut width = 1 << (BATCH_BYTES / largest).clamp(1, MAX_WIDTH).ilog2();
        loop {
            let element = |variable: &Variable, position: u32| Variable {
                name: format!("{}.{position}", variable.name),
                ..variable.clone()
            };
            let elements = |variable| (0..width).map(move |position| element(variable, position));
            match ReductionList::new(variables.variables().iter().flat_map(elements).collect()) {
                Ok(batch) => return Ok(Self { variables, batch, width }),
                // A batch of one element is the list itself, which is valid.
                Err(_) if width > 1 => width /= 2,
                Err(error) => return Err(error),
            }
        }
    }

    /// The variables, with the element types of the arrays.
    pub fn variables(&self) -> &[Variable] {
        self.variables.variables()
    }

    /// Elements of each array in a batch.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Bytes of workspace for a grid of `blocks` blocks that reduces arrays of `n` elements.
    pub fn workspace_bytes(&self, n: u64, blocks: u32) -> u64 {
        n.div_ceil(self.width.into()).saturating_mul(self.stride(blocks.into()))
    }

    /// Bytes of workspace for one batch.
    fn stride(&self, blocks: u64) -> u64 {
        u64::from(WORKSPACE_HEADER_BYTES) + blocks * u64::from(self.batch.record().size)
    }

    /// The modules of user functions that the emitted code calls: [`ReductionList::modules`].
    pub fn modules(&self) -> Vec<&'static str> {
        self.variables.modules()
    }

    /// For each variable of the batch, the index of the array's variable, the position in the batch, and the
    /// entry.
    fn positions(&self) -> impl Iterator<Item = (usize, u64, &Entry)> {
        let width = self.width as usize;
        let position = move |(index, entry)| (index / width, (index % width) as u64, entry);
        self.batch.entries().iter().enumerate().map(position)
    }
}

/// A checked specification of the kernel that reduces the columns of matrices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnSpec {
    batches: BatchedList,
    spec: KernelSpec,
}

impl ColumnSpec {
    /// Checks that the variables can be computed from matrices of these element types, as
    /// [`KernelSpec::new`] does for arrays. The index of `argmin` and `argmax` is that of a row.
    ///
    /// # Errors
    ///
    /// As [`BatchedList::new`] and [`KernelSpec::new`].
    pub fn new(variables: Vec<Variable>, arrays: Vec<Type>, block_threads: u32) -> Result<Self, Error> {
        let batches = BatchedList::new(variables)?;
        // Each result takes a kernel parameter, too.
        let limit = crate::MAX_ARRAYS.saturating_sub(batches.variables().len());
        if arrays.len() > limit {
            return Err(Error::TooManyArrays { arrays: arrays.len(), limit });
        }
        let spec = KernelSpec::new(batches.variables.clone(), arrays, block_threads)?;
        Ok(Self { batches, spec })
    }

    /// The variables.
    pub fn batches(&self) -> &BatchedList {
        &self.batches
    }

    /// The element types of the matrices.
    pub fn arrays(&self) -> &[Type] {
        self.spec.arrays()
    }

    /// The largest block that the kernel can be launched with, in threads.
    pub fn block_threads(&self) -> u32 {
        self.spec.block_threads()
    }
}

/// Functions that reduce lists of arrays of `n` elements, as one module of LLVM IR text, to be linked with
/// the device runtime and [`BatchedList::modules`]:
///
/// | function | does |
/// |---|---|
/// | `i32 warpfold_block_reduce_batches(ptr list, i64 n)` | reduces over the block; returns 1 in linear thread 0, whose arrays then hold the result, else 0 |
/// | `void warpfold_grid_reduce_batches(ptr workspace, ptr list, i64 n, ptr results)` | reduces over the grid; `results[v][i] = results[v][i] op list[v][i]`, once |
/// | `i64 warpfold_batches_workspace_bytes(i64 n, i64 blocks)` | bytes of workspace for the second |
///
/// `list` is an array of generic pointers, one per variable, to the calling thread's private arrays, and
/// `results` an array of pointers to arrays in global memory. Every thread of the block or the grid calls the
/// function, converged, with the same `n`; afterwards the contents of the private arrays are undefined,
/// except for the result. The workspace is 16-byte aligned and zero before its first use with an `n` and a
/// number of blocks; a launch leaves it ready for the next one with the same. One launch can use it for one
/// reduction. Each batch of [`BatchedList::width`] elements is a grid reduction with its own section of the
/// workspace; the last block to store a record of the batch folds it into the results.
pub fn emit_batches(batches: &BatchedList) -> String {
    let mut module = module(&batches.batch);
    callbacks::define(&mut module, &batches.batch, "internal", Caller::Any);
    module.function(block_reduce(batches));
    module.function(grid_reduce(batches));
    module.function(workspace_bytes(batches));
    module.finish()
}

/// The kernel of `spec` as one module of LLVM IR text, to be linked with the device runtime and
/// [`BatchedList::modules`]:
///
/// ```text
/// warpfold_reduce_columns(u64 rows, u64 columns, u64 workspace, u64 result0, u64 result1, …, u64 array0, …)
/// ```
///
/// There is a result for each variable, an array of `columns` values of the variable, initially the initial
/// values. The arrays are matrices of `rows` by `columns` elements in row-major order, aligned as the element
/// type is. `result[j] = result[j] op (row 0, column j) op (row 1, column j) …`, in an order that depends
/// only on the number of rows and the shape of the launch. The workspace is that of [`emit_batches`] for `n`
/// = `columns`.
pub fn emit_columns(spec: &ColumnSpec) -> String {
    let mut module = module(&spec.batches.batch);
    callbacks::define(&mut module, &spec.batches.batch, "internal", Caller::Any);
    let kernel = columns(&mut module, spec);
    module.function(kernel);
    module.finish()
}

/// The loop over batches. `body` gets the index of the batch's first element and the offset of its workspace.
fn each_batch(
    f: &mut Function,
    batches: &BatchedList,
    n: &Value,
    body: impl FnOnce(&mut Function, &Value, &Value),
) {
    let blocks = extent(f, "grid.blocks", "nctaid");
    let blocks = f.cast("blocks", "zext", &blocks, "i64");
    let record = Value::i64(batches.batch.record().size.into());
    let records = f.binary("records", "mul", &blocks, &record);
    let stride = f.binary("stride", "add", &records, &Value::i64(WORKSPACE_HEADER_BYTES.into()));
    let before = f.current();
    let [header, inside, end] = ["batches", "batch", "batches.end"].map(|name| f.block(name));
    f.br(header);
    f.enter(header);
    let first = f.phi("first", "i64");
    let offset = f.phi("workspace.offset", "i64");
    let goes_on = f.icmp("goes.on", "ult", &first.value, n);
    f.cond_br(&goes_on, inside, end);
    f.enter(inside);
    body(f, &first.value, &offset.value);
    let next = f.binary("next", "add", &first.value, &Value::i64(batches.width.into()));
    let next_offset = f.binary("next.offset", "add", &offset.value, &stride);
    let after = f.current();
    for (phi, next) in [(&first, &next), (&offset, &next_offset)] {
        f.incoming(phi, &Value::i64(0), before);
        f.incoming(phi, next, after);
    }
    f.br(header);
    f.enter(end);
}

/// The reduction list of a batch.
struct Batch {
    /// Pointers to elements.
    list: Value,
    /// A private copy of each element that holds the identity.
    pads: Vec<Value>,
}

impl Batch {
    fn new(f: &mut Function, batches: &BatchedList) -> Self {
        let count = batches.batch.entries().len();
        let pads_list = private_list(f, &batches.batch);
        f.call(INITIALIZE, &[&pads_list]);
        let pads = batches.batch.entries().iter().enumerate();
        let pads = pads.map(|(index, entry)| private_copy(f, &pads_list, index, &entry.name)).collect();
        let list = f.scratch("batch.list", &format!("[{count} x ptr]"), POINTER);
        Self { list, pads }
    }

    /// Points the list to the elements from `first` on, and to pads for those from `n` on.
    fn point(&self, f: &mut Function, batches: &BatchedList, list: &Value, first: &Value, n: &Value) {
        for (index, (variable, position, entry)) in batches.positions().enumerate() {
            let array = private_copy(f, list, variable, &entry.name);
            let element = f.binary("element", "add", first, &Value::i64(position));
            let address = element_address(f, entry, &array, &element);
            let exists = f.icmp("exists", "ult", &element, n);
            let address = f.select("address", &exists, &address, &self.pads[index]);
            let pointer = format!("getelementptr inbounds ptr, {}, i64 {index}", self.list);
            let pointer = f.inst("batch.entry", "ptr", pointer);
            f.store(&address, &pointer, POINTER);
        }
    }
}

fn element_address(f: &mut Function, entry: &Entry, array: &Value, index: &Value) -> Value {
    let ty = entry.stored.llvm();
    f.inst("at", array.ty().to_owned(), format_args!("getelementptr {ty}, {array}, {index}"))
}

fn block_reduce(batches: &BatchedList) -> Function {
    let comment = "Every thread of the block calls it, converged, with the same n.";
    let mut f = Function::new(comment, "", BLOCK_REDUCE, "convergent mustprogress nounwind");
    f.returns("i32");
    let list = f.param("ptr", "list");
    let n = f.param("i64", "n");
    let batch = Batch::new(&mut f, batches);
    each_batch(&mut f, batches, &n, |f, first, _| {
        batch.point(f, batches, &list, first, &n);
        let [shfl, iwcpy] = [SHUFFLE_AND_REDUCE, INTER_WARP_COPY].map(Value::function);
        f.call_extern(
            "first.holds",
            RUNTIME,
            "i32",
            "__warpfold_block_reduce",
            &[&batch.list, &shfl, &iwcpy],
        );
    });
    let thread = thread_id(&mut f);
    let is_first = f.icmp("is.first", "eq", &thread, &Value::i32(0));
    let code = f.cast("code", "zext", &is_first, "i32");
    f.ret_value(&code);
    f
}

fn grid_reduce(batches: &BatchedList) -> Function {
    let comment = "Every thread of the grid calls it, each block converged, with the same n.";
    let mut f = Function::new(comment, "", GRID_REDUCE, "convergent mustprogress nounwind");
    let workspace = f.param("ptr", "workspace");
    let list = f.param("ptr", "list");
    let n = f.param("i64", "n");
    let results = f.param("ptr", "results");
    let batch = Batch::new(&mut f, batches);
    each_batch(&mut f, batches, &n, |f, first, offset| {
        batch.point(f, batches, &list, first, &n);
        let holds = reduce_batch(f, &workspace, offset, &batch.list);
        let result = |f: &mut Function, variable, name: &str| private_copy(f, &results, variable, name);
        fold_into_results(f, batches, &holds, &batch.list, [first, &n], result);
    });
    f.ret();
    f
}

fn workspace_bytes(batches: &BatchedList) -> Function {
    let mut f = Function::new("", "", WORKSPACE_BYTES, "mustprogress nounwind willreturn");
    f.returns("i64");
    let n = f.param("i64", "n");
    let blocks = f.param("i64", "blocks");
    let width = u64::from(batches.width);
    let more = f.binary("more", "add", &n, &Value::i64(width - 1));
    let count = f.binary("count", "lshr", &more, &Value::i64(width.ilog2().into()));
    let records = f.binary("records", "mul", &blocks, &Value::i64(batches.batch.record().size.into()));
    let stride = f.binary("stride", "add", &records, &Value::i64(WORKSPACE_HEADER_BYTES.into()));
    let bytes = f.binary("bytes", "mul", &count, &stride);
    f.ret_value(&bytes);
    f
}

/// Reduces the list over the grid with the workspace at `offset`; not 0 in the one thread that holds the
/// result.
fn reduce_batch(f: &mut Function, workspace: &Value, offset: &Value, list: &Value) -> Value {
    let of_batch = format!("getelementptr i8, {workspace}, {offset}");
    let of_batch = f.inst("batch.workspace", "ptr", of_batch);
    let [shfl, iwcpy] = [SHUFFLE_AND_REDUCE, INTER_WARP_COPY].map(Value::function);
    let [lgcpy, glcpy, glred] =
        [LIST_TO_GLOBAL_COPY, GLOBAL_TO_LIST_COPY, GLOBAL_TO_LIST_REDUCE].map(Value::function);
    let arguments = [&of_batch, list, &shfl, &iwcpy, &lgcpy, &glcpy, &glred];
    f.call_extern("holds", RUNTIME, "i32", "__warpfold_grid_reduce", &arguments)
}

/// If `holds` is not 0, combines each existing element of the batch into its result.
fn fold_into_results(
    f: &mut Function,
    batches: &BatchedList,
    holds: &Value,
    list: &Value,
    [first, n]: [&Value; 2],
    result: impl Fn(&mut Function, usize, &str) -> Value,
) {
    let has_result = f.icmp("has.result", "ne", holds, &Value::i32(0));
    let [fold, folded] = ["fold", "folded"].map(|name| f.block(name));
    f.cond_br(&has_result, fold, folded);
    f.enter(fold);
    for (index, (variable, position, entry)) in batches.positions().enumerate() {
        let element = f.binary("element", "add", first, &Value::i64(position));
        let exists = f.icmp("exists", "ult", &element, n);
        let [one, next] = ["one", "next"].map(|name| f.block(name));
        f.cond_br(&exists, one, next);
        f.enter(one);
        let name = &entry.name;
        let array = result(f, variable, name);
        let address = element_address(f, entry, &array, &element);
        let held = load(f, &format!("{name}.held"), &entry.leaves, &address);
        let private = private_copy(f, list, index, name);
        let given = load(f, &format!("{name}.given"), &entry.leaves, &private);
        let combined = combine(f, name, entry, &held, &given, Found::Unknown);
        store(f, name, &entry.leaves, &combined, &address);
        f.br(next);
        f.enter(next);
    }
    f.br(folded);
    f.enter(folded);
}

fn columns(module: &mut Module, spec: &ColumnSpec) -> Function {
    let batches = &spec.batches;
    let variables = batches.variables();
    let threads = spec.block_threads();
    let attributes = format!("convergent mustprogress nounwind \"nvvm.maxntid\"=\"{threads}\"");
    let mut f = Function::new("", "ptx_kernel", COLUMNS, &attributes);
    let [rows, count] = ["rows", "columns"].map(|name| f.param("i64", name));
    let workspace = f.param_with(GLOBAL, "align 16", "workspace");
    let results: Vec<_> = batches
        .variables
        .entries()
        .iter()
        .map(|entry| {
            f.param_with(
                GLOBAL,
                &format!("align {}", entry.stored.align()),
                &format!("result.{}", entry.name),
            )
        })
        .collect();
    let arrays = array_params(&mut f, spec.arrays().iter().copied().enumerate());
    let invariant = module.node("!{}");
    let used: Vec<_> = spec.spec.used().collect();

    let list = private_list(&mut f, &batches.batch);
    let [thread, block] = [thread_id(&mut f), block_id(&mut f)];
    let [block_threads, grid_blocks] =
        [extent(&mut f, "block.threads", "ntid"), extent(&mut f, "blocks", "nctaid")];
    let [thread, block, block_threads, grid_blocks] =
        [thread, block, block_threads, grid_blocks].map(|value| f.cast("wide", "zext", &value, "i64"));
    let block_first = f.binary("block.first", "mul", &block, &block_threads);
    let thread = f.binary("grid.thread", "add", &block_first, &thread);
    let grid_threads = f.binary("grid.threads", "mul", &grid_blocks, &block_threads);
    let workspace = f.cast("generic", "addrspacecast", &workspace, "ptr");
    let last = f.binary("last", "sub", &count, &Value::i64(1));

    each_batch(&mut f, batches, &count, |f, first, offset| {
        // Past the end the last column is read again; its result is not stored.
        let columns: Vec<_> = (0..u64::from(batches.width))
            .map(|position| {
                let column = f.binary("column", "add", first, &Value::i64(position));
                f.call_extern("column", "", "i64", "llvm.umin.i64", &[&column, &last])
            })
            .collect();
        let entries = batches.batch.entries();
        let start: Vec<Values> = entries.iter().map(identity).collect();
        let before = f.current();
        let [header, body, end] = ["rows", "row", "rows.end"].map(|name| f.block(name));
        f.br(header);
        f.enter(header);
        let row = f.phi("row.index", "i64");
        let phis: Vec<Vec<Phi>> = entries
            .iter()
            .map(|entry| entry.leaves.iter().map(|leaf| f.phi(&entry.name, leaf.scalar.llvm())).collect())
            .collect();
        let goes_on = f.icmp("goes.on", "ult", &row.value, &rows);
        f.cond_br(&goes_on, body, end);
        f.enter(body);
        let start_of_row = f.binary("start", "mul", &row.value, &count);
        let mut elements: Vec<Vec<Values>> = Vec::new();
        for column in &columns {
            let index = f.binary("element", "add", &start_of_row, column);
            let mut load = |(number, ty): &(usize, Type)| {
                let array = &arrays[*number];
                let at = f.inst("at", GLOBAL, format_args!("getelementptr {}, {array}, {index}", ty.llvm()));
                let leaf = |leaf: crate::types::Leaf| {
                    let at = crate::common::inside(f, "element.at", &at, leaf.offset);
                    f.load_marked("element", leaf.scalar.llvm(), &at, leaf.scalar.size(), invariant)
                };
                ty.leaves().into_iter().map(leaf).collect()
            };
            elements.push(used.iter().map(&mut load).collect());
        }
        let mut next = Vec::new();
        for ((variable, position, entry), phis) in batches.positions().zip(&phis) {
            let accumulator: Values = phis.iter().map(|phi| phi.value.clone()).collect();
            let elements: Vec<&Values> = elements[position as usize].iter().collect();
            let variable = &variables[variable];
            next.push(absorb(
                f,
                entry,
                variable,
                &used,
                &accumulator,
                &elements,
                (Some(&row.value), Found::Unknown),
            ));
        }
        let following = f.binary("next.row", "add", &row.value, &grid_threads);
        let after = f.current();
        f.incoming(&row, &thread, before);
        f.incoming(&row, &following, after);
        for ((phi, start), next) in
            phis.iter().flatten().zip(start.iter().flatten()).zip(next.iter().flatten())
        {
            f.incoming(phi, start, before);
            f.incoming(phi, next, after);
        }
        f.br(header);
        f.enter(end);
        for (index, (entry, phis)) in entries.iter().zip(&phis).enumerate() {
            let private = private_copy(f, &list, index, &entry.name);
            let values: Values = phis.iter().map(|phi| phi.value.clone()).collect();
            store(f, &entry.name, &entry.leaves, &values, &private);
        }
        let holds = reduce_batch(f, &workspace, offset, &list);
        let result = |_: &mut Function, variable: usize, _: &str| results[variable].clone();
        fold_into_results(f, batches, &holds, &list, [first, &count], result);
    });
    f.ret();
    f
}
