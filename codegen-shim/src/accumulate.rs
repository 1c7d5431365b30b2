//! The grid-stride loops: each thread reduces its share of the arrays into its private copies.
//!
//! Two loops follow each other. In the first, 32 consecutive threads take tiles: 32 × unroll
//! consecutive groups of elements, of which thread t of the grid takes those at t mod 32, 32 + t mod
//! 32, …. Each load of a warp is then contiguous, several are in flight, and their addresses differ
//! by constants, so that an iteration costs one addition per array. It runs while there is a tile for
//! every warp of the grid, and only if the number of threads is a multiple of 32. The second loop takes
//! the remaining groups, one per thread and iteration.
//!
//! Both exist twice: with 16-byte loads, and with one load per element for arrays that are not
//! aligned to 16 bytes. The order of combination is the same. A last loop takes the elements after
//! the last whole group.

use crate::common::{
    ACCUMULATE, GLOBAL, Values, array_params, block_id, combine, combine_components, convert, extent,
    identity, inside, private_copy, store, thread_id,
};
use crate::ir::{Block, Function, Module, Node, Phi, Value};
use crate::list::{Entry, Plan, product_components};
use crate::spec::VECTOR_BYTES;
use crate::{KernelSpec, Op, Scalar, Source, Type, Variable};

/// How the elements of a group are loaded.
#[derive(Clone, Copy, PartialEq)]
enum LoadWidth {
    /// 16 bytes at a time.
    Wide,
    /// One element at a time.
    Narrow,
}

/// Threads that share a tile.
const TILE_THREADS: u64 = 32;

/// A thread's accumulators: one for each variable and position in the group.
type Accumulators = Vec<Vec<Values>>;

/// A loop over groups.
struct GroupLoop<'a> {
    name: String,
    width: LoadWidth,
    /// Groups per thread and iteration, `TILE_THREADS` apart.
    unroll: u32,
    /// The thread's first group.
    first: Value,
    /// Groups from one iteration to the next.
    step: &'a Value,
    /// The counter's initial value. It is incremented by `step`, and the loop runs while it is below `limit`.
    counter: Value,
    limit: &'a Value,
}

struct Emitter<'a> {
    spec: &'a KernelSpec,
    /// The arrays in use: index among the kernel's arrays, element type.
    used: Vec<(usize, Type)>,
    f: Function,
    /// The parameters of the arrays in use.
    arrays: Vec<Value>,
    /// This thread's number in the grid.
    thread: Value,
    /// The number of threads of the grid.
    threads: Value,
    /// The number of whole groups.
    groups: Value,
    /// The index of the first element.
    base: Value,
    /// The metadata of loads whose memory does not change while the kernel runs.
    invariant: Node,
    /// The module, for the metadata of loops.
    module: &'a mut Module,
}

/// Emits `accumulate(ptr list, i64 n, i64 first, arrays in use …)`.
pub(crate) fn define(module: &mut Module, spec: &KernelSpec) -> Function {
    let invariant = module.node("!{}");
    let used: Vec<_> = spec.used().collect();

    let attributes = "alwaysinline mustprogress nounwind willreturn";
    let comment = "The thread's share of n elements, reduced into its private copies.";
    let mut f = Function::new(comment, "internal", ACCUMULATE, attributes);
    let list = f.param("ptr", "list");
    let n = f.param("i64", "n");
    let base = f.param("i64", "first.index");
    let arrays = array_params(&mut f, used.iter().copied());

    let thread = thread_id(&mut f);
    let block = block_id(&mut f);
    let block_threads = extent(&mut f, "block.threads", "ntid");
    let grid_blocks = extent(&mut f, "grid.blocks", "nctaid");
    let [thread, block, block_threads, grid_blocks] =
        [thread, block, block_threads, grid_blocks].map(|value| f.cast("wide", "zext", &value, "i64"));
    let block_first = f.binary("block.first", "mul", &block, &block_threads);
    let thread = f.binary("grid.thread", "add", &block_first, &thread);
    let threads = f.binary("grid.threads", "mul", &grid_blocks, &block_threads);
    let groups = f.binary("groups", "lshr", &n, &Value::i64(spec.group().ilog2().into()));

    let mut emitter = Emitter { spec, used, f, arrays, thread, threads, groups, base, invariant, module };
    let accumulators = emitter.whole_groups();
    let totals = emitter.fold(&accumulators);
    let totals = emitter.tail(totals, &n);

    let mut f = emitter.f;
    for (index, (entry, total)) in spec.list().entries().iter().zip(&totals).enumerate() {
        let private = private_copy(&mut f, &list, index, &entry.name);
        store(&mut f, &entry.name, &entry.leaves, total, &private);
    }
    f.ret();
    f
}

/// `pointer + bytes`. Not `inbounds`: after the last iteration the pointer is outside of the array.
fn advance(f: &mut Function, pointer: &Value, bytes: &Value) -> Value {
    f.inst("at", GLOBAL, format_args!("getelementptr i8, {pointer}, {bytes}"))
}

impl Emitter<'_> {
    /// All whole groups, by wide or narrow loads.
    fn whole_groups(&mut self) -> Accumulators {
        let mut bits = Value::i64(0);
        for array in &self.arrays {
            let address = self.f.cast("address", "ptrtoint", array, "i64");
            bits = self.f.binary("bits", "or", &bits, &address);
        }
        let low = self.f.binary("low", "and", &bits, &Value::i64(u64::from(VECTOR_BYTES) - 1));
        let is_aligned = self.f.icmp("is.aligned", "eq", &low, &Value::i64(0));
        let [aligned, unaligned, whole] = ["aligned", "unaligned", "whole"].map(|name| self.f.block(name));
        self.f.cond_br(&is_aligned, aligned, unaligned);

        let mut load_by = |block, width| {
            self.f.enter(block);
            let accumulators = self.tiles_and_rest(width);
            let end = self.f.current();
            self.f.br(whole);
            (accumulators, end)
        };
        let (wide, from_wide) = load_by(aligned, LoadWidth::Wide);
        let (narrow, from_narrow) = load_by(unaligned, LoadWidth::Narrow);

        self.f.enter(whole);
        let phis = self.accumulator_phis();
        self.incoming(&phis, &wide, from_wide);
        self.incoming(&phis, &narrow, from_narrow);
        accumulators(&phis)
    }

    /// The two loops over groups.
    fn tiles_and_rest(&mut self, width: LoadWidth) -> Accumulators {
        let name = if width == LoadWidth::Wide { "wide" } else { "narrow" };
        let group = self.spec.group() as usize;
        let mut state: Accumulators =
            self.spec.list().entries().iter().map(|entry| vec![identity(entry); group]).collect();
        let (thread, threads, groups) = (self.thread.clone(), self.threads.clone(), self.groups.clone());
        let mut first = thread.clone();
        let unroll = self.spec.unroll();
        if unroll > 1 {
            let f = &mut self.f;
            let lane = f.binary("lane", "and", &thread, &Value::i64(TILE_THREADS - 1));
            let warp_first = f.binary("warp.first", "sub", &thread, &lane);
            let tile = f.binary("tile", "mul", &warp_first, &Value::i64(unroll.into()));
            let in_tile = f.binary("in.tile", "add", &tile, &lane);
            let step = f.binary("step", "mul", &threads, &Value::i64(unroll.into()));
            // The loop runs while all groups of its iteration exist: step * (iteration + 1) <= groups.
            let partial_warp = f.binary("partial.warp", "and", &threads, &Value::i64(TILE_THREADS - 1));
            let has_tiles = f.icmp("has.tiles", "eq", &partial_warp, &Value::i64(0));
            let beyond = f.binary("beyond", "add", &groups, &Value::i64(1));
            let limit = f.select("limit", &has_tiles, &beyond, &Value::i64(0));
            let counter = step.clone();
            let tiles = GroupLoop {
                name: format!("{name}.tiles"),
                width,
                unroll,
                first: in_tile,
                step: &step,
                counter,
                limit: &limit,
            };
            let (after, counter) = self.group_loop(tiles, state);
            state = after;
            let taken = self.f.binary("taken", "sub", &counter, &step);
            first = self.f.binary("first", "add", &taken, &thread);
        }
        let counter = first.clone();
        let name = format!("{name}.rest");
        let rest = GroupLoop { name, width, unroll: 1, first, step: &threads, counter, limit: &groups };
        self.group_loop(rest, state).0
    }

    /// Emits a loop. Returns the accumulators and the counter after it.
    fn group_loop(&mut self, group_loop: GroupLoop<'_>, start: Accumulators) -> (Accumulators, Value) {
        let used = self.used.clone();
        let mut origins = Vec::new();
        let mut strides = Vec::new();
        for (array, (_, ty)) in self.arrays.clone().iter().zip(&used) {
            let bytes = Value::i64(u64::from(self.spec.group() * ty.size()));
            let offset = self.f.binary("offset", "mul", &group_loop.first, &bytes);
            origins.push(advance(&mut self.f, array, &offset));
            strides.push(self.f.binary("stride", "mul", group_loop.step, &bytes));
        }
        let group = u64::from(self.spec.group());
        let index_start = self.indices(&group_loop.first);
        let before = self.f.current();
        let [header, body, end] =
            ["", ".body", ".end"].map(|suffix| self.f.block(&format!("{}{suffix}", group_loop.name)));
        self.f.br(header);

        self.f.enter(header);
        let counter = self.f.phi("counter", "i64");
        let pointers: Vec<_> =
            used.iter().map(|(index, _)| self.f.phi(&format!("pointer{index}"), GLOBAL)).collect();
        let index = index_start.as_ref().map(|_| self.f.phi("index", "i64"));
        let phis = self.accumulator_phis();
        let goes_on = self.f.icmp("goes.on", "ult", &counter.value, group_loop.limit);
        self.f.cond_br(&goes_on, body, end);

        self.f.enter(body);
        // All loads come first, so that they are in flight together.
        let mut loaded = Vec::new();
        for group in 0..u64::from(group_loop.unroll) {
            let load = |(pointer, (_, ty)): (&Phi, &(usize, Type))| {
                let distance = group * TILE_THREADS * u64::from(self.spec.group() * ty.size());
                self.load_group(*ty, &pointer.value, distance, group_loop.width)
            };
            loaded.push(pointers.iter().zip(&used).map(load).collect::<Vec<_>>());
        }
        let mut next = accumulators(&phis);
        for (number, arrays) in (0..).zip(loaded) {
            for position in 0..group {
                let elements: Vec<_> = arrays.iter().map(|array| &array[position as usize]).collect();
                let distance = Value::i64(number * TILE_THREADS * group + position);
                let index =
                    index.as_ref().map(|phi| self.f.binary("element.index", "add", &phi.value, &distance));
                for (variable, accumulators) in next.iter_mut().enumerate() {
                    let accumulator = &mut accumulators[position as usize];
                    *accumulator = self.absorb(variable, accumulator, &elements, index.as_ref());
                }
            }
        }
        let after = self.f.current();
        for ((pointer, origin), stride) in pointers.iter().zip(&origins).zip(&strides) {
            let following = advance(&mut self.f, &pointer.value, stride);
            self.f.incoming(pointer, origin, before);
            self.f.incoming(pointer, &following, after);
        }
        let following = self.f.binary("next", "add", &counter.value, group_loop.step);
        self.f.incoming(&counter, &group_loop.counter, before);
        self.f.incoming(&counter, &following, after);
        if let (Some(index), Some(start)) = (&index, &index_start) {
            let elements = self.f.binary("elements", "mul", group_loop.step, &Value::i64(group));
            let following = self.f.binary("next.index", "add", &index.value, &elements);
            self.f.incoming(index, start, before);
            self.f.incoming(index, &following, after);
        }
        self.incoming(&phis, &start, before);
        self.incoming(&phis, &next, after);
        let as_written = self.module.loop_as_written();
        self.f.br_back(header, as_written);

        self.f.enter(end);
        (accumulators(&phis), counter.value)
    }

    /// The index of the first element of a group, if some variable reduces indices.
    fn indices(&mut self, group: &Value) -> Option<Value> {
        if !self.spec.needs_index() {
            return None;
        }
        let offset = self.f.binary("index.offset", "mul", group, &Value::i64(self.spec.group().into()));
        Some(self.f.binary("index", "add", &self.base, &offset))
    }

    /// One phi per scalar of an accumulator.
    fn accumulator_phis(&mut self) -> Vec<Vec<Vec<Phi>>> {
        let group = self.spec.group();
        let phis = |entry: &Entry| (0..group).map(|_| value_phis(&mut self.f, entry)).collect();
        self.spec.list().entries().iter().map(phis).collect()
    }

    fn incoming(&mut self, phis: &[Vec<Vec<Phi>>], values: &Accumulators, from: Block) {
        for (phi, value) in phis.iter().flatten().flatten().zip(values.iter().flatten().flatten()) {
            self.f.incoming(phi, value, from);
        }
    }

    /// Loads the elements of the group `distance` bytes after `pointer`.
    fn load_group(&mut self, ty: Type, pointer: &Value, distance: u64, width: LoadWidth) -> Vec<Values> {
        let count = self.spec.group();
        let at = |f: &mut Function, bytes: u32| advance(f, pointer, &Value::i64(distance + u64::from(bytes)));
        if let Some(scalar) = uniform(ty)
            && width == LoadWidth::Wide
        {
            let bytes = count * ty.size();
            let load_bytes = (1 << bytes.trailing_zeros()).min(VECTOR_BYTES);
            let lanes = load_bytes / scalar.size();
            let mut scalars = Vec::new();
            for load in 0..bytes / load_bytes {
                let from = at(&mut self.f, load * load_bytes);
                if lanes == 1 {
                    scalars.push(self.load_scalar(scalar, &from));
                    continue;
                }
                let vector = format!("<{lanes} x {}>", scalar.llvm());
                let loaded = self.f.load_marked("loaded", vector, &from, load_bytes, self.invariant);
                for lane in 0..lanes {
                    let element = format!("extractelement {loaded}, i32 {lane}");
                    scalars.push(self.f.inst("element", scalar.llvm(), element));
                }
            }
            let per_element = (ty.size() / scalar.size()) as usize;
            return scalars.chunks(per_element).map(<[Value]>::to_vec).collect();
        }
        let element = |position| {
            let from = at(&mut self.f, position * ty.size());
            self.load_element(ty, &from)
        };
        (0..count).map(element).collect()
    }

    fn load_element(&mut self, ty: Type, from: &Value) -> Values {
        let load = |leaf: crate::types::Leaf| {
            let from = inside(&mut self.f, "element.at", from, leaf.offset);
            self.load_scalar(leaf.scalar, &from)
        };
        ty.leaves().into_iter().map(load).collect()
    }

    fn load_scalar(&mut self, scalar: Scalar, from: &Value) -> Value {
        self.f.load_marked("element", scalar.llvm(), from, scalar.size(), self.invariant)
    }

    /// Folds the accumulators of each variable, from the first position to the last.
    fn fold(&mut self, accumulators: &[Vec<Values>]) -> Vec<Values> {
        let fold = |(accumulators, entry): (&Vec<Values>, &Entry)| {
            let hint = format!("{}.total", entry.name);
            let both = |left: Values, right: &Values| combine(&mut self.f, &hint, entry, &left, right);
            accumulators[1..].iter().fold(accumulators[0].clone(), both)
        };
        accumulators.iter().zip(self.spec.list().entries()).map(fold).collect()
    }

    /// Combines `totals` with this thread's share of the elements after the last whole group: one element at
    /// most, unless the grid has fewer threads than a group has elements.
    fn tail(&mut self, totals: Vec<Values>, n: &Value) -> Vec<Values> {
        let (thread, threads) = (self.thread.clone(), self.threads.clone());
        let group = Value::i64(self.spec.group().into());
        let grouped = self.f.binary("grouped", "mul", &self.groups, &group);
        let first = self.f.binary("first", "add", &grouped, &thread);
        let before = self.f.current();
        let [header, body, end] = ["tail", "tail.body", "tail.end"].map(|name| self.f.block(name));
        self.f.br(header);

        self.f.enter(header);
        let index = self.f.phi("index", "i64");
        let phi = |entry: &Entry| value_phis(&mut self.f, entry);
        let phis: Vec<_> = self.spec.list().entries().iter().map(phi).collect();
        let goes_on = self.f.icmp("goes.on", "ult", &index.value, n);
        self.f.cond_br(&goes_on, body, end);

        self.f.enter(body);
        let (mut elements, mut steps) = (Vec::new(), Vec::new());
        for (array, (_, ty)) in self.arrays.clone().iter().zip(self.used.clone()) {
            let address = format!("getelementptr inbounds {}, {array}, {}", ty.llvm(), index.value);
            let address = self.f.inst("at", GLOBAL, address);
            elements.push(self.load_element(ty, &address));
        }
        let elements: Vec<_> = elements.iter().collect();
        let element_index =
            self.spec.needs_index().then(|| self.f.binary("element.index", "add", &self.base, &index.value));
        for (variable, (phis, total)) in phis.iter().zip(&totals).enumerate() {
            let next = self.absorb(variable, &values(phis), &elements, element_index.as_ref());
            steps.push(next);
            for (phi, total) in phis.iter().zip(total) {
                self.f.incoming(phi, total, before);
            }
        }
        let next = self.f.binary("next", "add", &index.value, &threads);
        let after = self.f.current();
        for (phi, next) in phis.iter().flatten().zip(steps.iter().flatten()) {
            self.f.incoming(phi, next, after);
        }
        self.f.incoming(&index, &first, before);
        self.f.incoming(&index, &next, after);
        let as_written = self.module.loop_as_written();
        self.f.br_back(header, as_written);

        self.f.enter(end);
        phis.iter().map(|phis| values(phis)).collect()
    }

    /// [`absorb`] for the variable of this index; `elements` has one element of each array in use.
    fn absorb(
        &mut self,
        variable: usize,
        accumulator: &[Value],
        elements: &[&Values],
        index: Option<&Value>,
    ) -> Values {
        let list = self.spec.list();
        let (entry, variable) = (&list.entries()[variable], &list.variables()[variable]);
        absorb(&mut self.f, entry, variable, &self.used, accumulator, elements, index)
    }
}

/// Combines an accumulator with the value of the variable's source: `accumulator op value`. `used` are the
/// arrays in use with their types, `elements` one loaded element of each.
///
/// A float sum of products is an explicit fused multiply-add: a separate multiplication and addition might be
/// fused by one compiler and not by another, and the results would differ.
pub(crate) fn absorb(
    f: &mut Function,
    entry: &Entry,
    variable: &Variable,
    used: &[(usize, Type)],
    accumulator: &[Value],
    elements: &[&Values],
    index: Option<&Value>,
) -> Values {
    let Variable { name, ty, op, source } = variable;
    let arrays: Vec<_> = source.arrays().into_iter().map(|array| position(used, array)).collect();
    let types: Vec<_> = arrays.iter().map(|&array| used[array].1).collect();
    let mut value = match source {
        Source::Map(mapper, _) => {
            let out = f.scratch(&format!("{name}.mapped"), &ty.llvm(), ty.align());
            let mut arguments = vec![out.clone()];
            for (number, (&array, from)) in arrays.iter().zip(&types).enumerate() {
                let at = f.scratch(&format!("{name}.argument{number}"), &from.llvm(), from.align());
                store(f, "argument", &from.leaves(), elements[array], &at);
                arguments.push(at);
            }
            f.call_extern("", "", "void", mapper.symbol(), &arguments.iter().collect::<Vec<_>>());
            crate::common::load(f, "mapped", &ty.leaves(), &out)
        }
        Source::Array(_) => convert(f, "converted", types[0], *ty, elements[arrays[0]]),
        Source::Product(..) => {
            let mut factor =
                |number: usize| convert(f, "converted", types[number], *ty, elements[arrays[number]]);
            let (left, right) = (factor(0), factor(1));
            match ty.scalar() {
                Some(scalar) if scalar.is_float() && *op == Op::Sum => {
                    let fma = format!("llvm.fma.{}", scalar.suffix());
                    let operands = [&left[0], &right[0], &accumulator[0]];
                    return vec![f.call_extern(name, "", scalar.llvm(), &fma, &operands)];
                }
                _ => combine_components(f, "product", &product_components(*ty), &left, &right),
            }
        }
    };
    match (&entry.plan, index) {
        (Plan::Find(..), Some(index)) => value.push(index.clone()),
        (Plan::User(_), _) if entry.leaves.len() > value.len() => value.push(Value::new("i8", "1")),
        _ => {}
    }
    combine(f, name, entry, accumulator, &value)
}

/// Adds a phi for each scalar of a variable.
fn value_phis(f: &mut Function, entry: &Entry) -> Vec<Phi> {
    entry.leaves.iter().map(|leaf| f.phi(&entry.name, leaf.scalar.llvm())).collect()
}

/// The values of the phis.
fn values(phis: &[Phi]) -> Values {
    phis.iter().map(|phi| phi.value.clone()).collect()
}

/// The scalar of a type that consists of equal scalars without padding.
fn uniform(ty: Type) -> Option<Scalar> {
    let leaves = ty.leaves();
    let scalar = leaves.first()?.scalar;
    let dense = leaves.len() as u32 * scalar.size() == ty.size();
    (dense && leaves.iter().all(|leaf| leaf.scalar == scalar)).then_some(scalar)
}

/// The index of `array` among the arrays in use.
fn position(used: &[(usize, Type)], array: u32) -> usize {
    used.partition_point(|(index, _)| *index < array as usize)
}

/// The accumulators that the phis define.
fn accumulators(phis: &[Vec<Vec<Phi>>]) -> Accumulators {
    phis.iter().map(|variable| variable.iter().map(|phis| values(phis)).collect()).collect()
}
