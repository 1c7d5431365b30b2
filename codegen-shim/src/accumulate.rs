//! The loop over the arrays: each thread reduces its share into its private copies.
//!
//! 32 consecutive threads, a warp, take tiles: 32 × unroll consecutive groups of elements, of which thread t
//! takes those at t mod 32, 32 + t mod 32, …. Each load of a warp is contiguous, all loads of a tile are in
//! flight together (of several arrays those of a part of the tile), and their addresses differ by constants.
//! Neighbouring warps take neighbouring tiles. A thread's first tile is emitted on its own, before the loop: its
//! elements are combined with constants, which leaves nothing to compute.
//!
//! Tiles are taken from the end of the arrays to their beginning. Then `argmin` and `argmax` need one comparison
//! per element: an element that is as good as the best one so far has a lower index and replaces it, and the first
//! element replaces the worst value there is. While tiles are taken, an accumulator has instead of an index the
//! ordinal of the element's group among those that the thread takes, from 1 on, in 32 bits; 0 stands for none. It
//! takes one register and one selection, and one addition for a group.
//!
//! The tiles' code exists twice: with 16-byte loads, and with one load per element for arrays that are not
//! aligned to 16 bytes. The order of combination is the same. A last loop takes the elements after the last
//! whole tile, as many per thread at a time as one block can have, or `unroll`.

use crate::common::{
    ACCUMULATE, Found, GLOBAL, Values, array_params, combine, combine_components, convert, identity, inside,
    private_copy, special_register, store, when,
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
const TILE_THREADS: u32 = 32;

/// A thread's accumulators: one for each variable and position in the group. Those of `argmin` and `argmax` have the
/// ordinal of a group as their index.
type Accumulators = Vec<Vec<Values>>;

struct Emitter<'a> {
    spec: &'a KernelSpec,
    /// The arrays in use: index among the kernel's arrays, element type.
    used: Vec<(usize, Type)>,
    f: Function,
    /// The parameters of the arrays in use.
    arrays: Vec<Value>,
    /// The number of elements.
    n: Value,
    /// The thread's number in its warp.
    lane: Value,
    /// Elements after the last whole tile, 32 bits.
    rest: Value,
    /// Tiles up to the thread's first one, that one included, 32 bits; none or fewer if it has none.
    first: Value,
    /// Tiles between those that a thread takes and one more: the warps of the grid.
    warps: Value,
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

    let attributes = "alwaysinline convergent mustprogress nounwind willreturn";
    let comment = "The thread's share of n elements, reduced into its private copies.";
    let mut f = Function::new(comment, "internal", ACCUMULATE, attributes);
    let list = f.param("ptr", "list");
    let n = f.param("i64", "n");
    let base = f.param("i64", "first.index");
    let arrays = array_params(&mut f, used.iter().copied());

    let [local, block, block_threads, grid_blocks] =
        ["tid.x", "ctaid.x", "ntid.x", "nctaid.x"].map(|name| special_register(&mut f, name));
    let lane = f.binary("lane", "and", &local, &Value::i32(TILE_THREADS - 1));
    let block_first = f.binary("block.first", "mul", &block, &block_threads);
    let thread = f.binary("grid.thread", "add", &block_first, &local);
    let threads = f.binary("grid.threads", "mul", &grid_blocks, &block_threads);
    let by_warp = Value::i32(TILE_THREADS.ilog2());
    let [warp, warps] = if spec.needs_index() {
        // Numbers of a block would stay in registers, of which ptxas has none to spare here.
        [&thread, &threads].map(|threads| f.binary("warps", "lshr", threads, &by_warp))
    } else {
        // The runtime needs the same two numbers of a block.
        let [block_warp, block_warps] =
            [&local, &block_threads].map(|threads| f.binary("warps", "lshr", threads, &by_warp));
        let block_first = f.binary("block.first", "mul", &block, &block_warps);
        let warp = f.binary("grid.warp", "add", &block_first, &block_warp);
        [warp, f.binary("grid.warps", "mul", &grid_blocks, &block_warps)]
    };

    // Warp w takes tile w from the end, and further ones that are as many apart as there are warps. Tiles are counted in
    // 32 bits: each addition, comparison and shift of 64 bits is two instructions of machine code.
    let tile = Value::i64(spec.tile());
    let [tiles, rest] = ["udiv", "urem"].map(|part| {
        let wide = f.binary("tiles", part, &n, &tile);
        f.cast("narrow", "trunc", &wide, "i32")
    });
    let first = f.binary("first", "sub", &tiles, &warp);

    let mut emitter = Emitter { spec, used, f, arrays, n, lane, rest, first, warps, base, invariant, module };
    let totals = emitter.tiles();
    let totals = emitter.tail(totals, &thread, &threads);

    let mut f = emitter.f;
    for (index, (entry, total)) in spec.list().entries().iter().zip(&totals).enumerate() {
        let private = private_copy(&mut f, &list, index, &entry.name);
        store(&mut f, &entry.name, &entry.leaves, total, &private);
    }
    f.ret();
    f
}

/// `pointer + bytes`. Not `inbounds`: after the last iteration the pointer is outside of the array.
pub(crate) fn advance(f: &mut Function, pointer: &Value, bytes: &Value) -> Value {
    f.inst("at", GLOBAL, format_args!("getelementptr i8, {pointer}, {bytes}"))
}

/// Whether an array is not aligned to the loads of [`VECTOR_BYTES`].
pub(crate) fn is_unaligned(f: &mut Function, arrays: &[Value]) -> Value {
    let mut bits = Value::i64(0);
    for array in arrays {
        let address = f.cast("address", "ptrtoint", array, "i64");
        bits = f.binary("bits", "or", &bits, &address);
    }
    let low = f.binary("low", "and", &bits, &Value::i64(u64::from(VECTOR_BYTES) - 1));
    f.icmp("is.unaligned", "ne", &low, &Value::i64(0))
}

impl Emitter<'_> {
    /// All whole tiles, by wide or narrow loads, reduced to one value of each variable.
    fn tiles(&mut self) -> Vec<Values> {
        let is_unaligned = is_unaligned(&mut self.f, &self.arrays);
        let [aligned, unaligned, whole] = ["aligned", "unaligned", "whole"].map(|name| self.f.block(name));
        let rarely = self.module.rarely();
        self.f.rare_br(&is_unaligned, unaligned, aligned, rarely);

        let mut load_by = |block, width| {
            self.f.enter(block);
            let totals = self.tile_loop(width);
            let end = self.f.current();
            self.f.br(whole);
            (totals, end)
        };
        let (wide, from_wide) = load_by(aligned, LoadWidth::Wide);
        let (narrow, from_narrow) = load_by(unaligned, LoadWidth::Narrow);

        self.f.enter(whole);
        self.merged(&wide, from_wide, &narrow, from_narrow)
    }

    /// The values of each variable, depending on the block that control comes from.
    fn merged(
        &mut self,
        one: &[Values],
        from_one: Block,
        other: &[Values],
        from_other: Block,
    ) -> Vec<Values> {
        let mut merge = |((entry, one), other): ((&Entry, &Values), &Values)| {
            let phis = value_phis(&mut self.f, entry);
            for ((phi, one), other) in phis.iter().zip(one).zip(other) {
                self.f.incoming(phi, one, from_one);
                self.f.incoming(phi, other, from_other);
            }
            values(&phis)
        };
        self.spec.list().entries().iter().zip(one).zip(other).map(&mut merge).collect()
    }

    /// The thread's first tile, a loop over its others, and the fold of its accumulators.
    fn tile_loop(&mut self, width: LoadWidth) -> Vec<Values> {
        let name = if width == LoadWidth::Wide { "wide" } else { "narrow" };
        let start = self.start();
        let (tiles, step) = (self.first.clone(), self.warps.clone());
        let [first, header, body, last, end] = ["first", "tiles", "tiles.body", "tiles.last", "tiles.end"]
            .map(|part| self.f.block(&format!("{name}.{part}")));
        let before = self.f.current();
        let is_idle = self.f.icmp("is.idle", "slt", &tiles, &Value::i32(1));
        let rarely = self.module.rarely();
        self.f.rare_br(&is_idle, end, first, rarely);

        self.f.enter(first);
        let from_first = self.tile(&tiles, &Value::i32(0), &start, width);
        let second = self.f.binary("next", "sub", &tiles, &step);
        let after_first = self.f.current();
        self.f.br(header);

        self.f.enter(header);
        let tiles = self.f.phi("tiles.left", "i32");
        let taken = self.spec.needs_index().then(|| self.f.phi("groups.taken", "i32"));
        let phis = self.accumulator_phis();
        let goes_on = self.f.icmp("goes.on", "sge", &tiles.value, &Value::i32(1));
        self.f.cond_br(&goes_on, body, last);

        self.f.enter(body);
        let groups = taken.as_ref().map_or(Value::i32(0), |taken| taken.value.clone());
        let next = self.tile(&tiles.value, &groups, &accumulators(&phis), width);
        let following = self.f.binary("next", "sub", &tiles.value, &step);
        let after = self.f.current();
        for (from, number, values) in [(after_first, second, &from_first), (after, following, &next)] {
            self.f.incoming(&tiles, &number, from);
            self.incoming(&phis, values, from);
        }
        if let Some(taken) = &taken {
            let unroll = Value::i32(self.spec.unroll());
            let more = self.f.binary("groups.taken", "add", &taken.value, &unroll);
            self.f.incoming(taken, &unroll, after_first);
            self.f.incoming(taken, &more, after);
        }
        let as_written = self.module.loop_as_written();
        self.f.br_back(header, as_written);

        self.f.enter(last);
        let totals = self.fold(&accumulators(&phis), &tiles.value, taken.as_ref().map(|taken| &taken.value));
        let after_last = self.f.current();
        self.f.br(end);

        self.f.enter(end);
        let none: Vec<Values> = self.spec.list().entries().iter().map(nothing).collect();
        self.merged(&none, before, &totals, after_last)
    }

    /// Combines the thread's elements of a tile into its accumulators. `tiles` are those up to this one, this one included:
    /// a tile is subtracted where an address takes a constant for nothing. `taken` are the groups that the thread
    /// has taken before.
    fn tile(&mut self, tiles: &Value, taken: &Value, start: &Accumulators, width: LoadWidth) -> Accumulators {
        let (group, tile, used) = (u64::from(self.spec.group()), self.spec.tile(), self.used.clone());
        let pointers = self.in_tile(tiles);
        let groups: Vec<_> = (0..u64::from(self.spec.unroll())).rev().collect();
        let mut next = start.clone();
        let mut ordinals = 1..;
        for (number, groups) in groups.chunks(self.spec.in_flight() as usize).enumerate() {
            if number > 0 {
                self.no_loads_yet();
            }
            // All loads come first, so that they are in flight together.
            let mut loaded = Vec::new();
            for number in groups {
                let load = |(pointer, (_, ty)): (&Value, &(usize, Type))| {
                    let distance = number * u64::from(TILE_THREADS) * group;
                    let bytes = distance.wrapping_sub(tile).wrapping_mul(u64::from(ty.size()));
                    self.load_group(*ty, pointer, bytes, width)
                };
                loaded.push(pointers.iter().zip(&used).map(load).collect::<Vec<_>>());
            }
            for (arrays, ordinal) in loaded.into_iter().zip(&mut ordinals) {
                let needs = self.spec.needs_index();
                let ordinal = needs.then(|| self.f.binary("ordinal", "add", taken, &Value::i32(ordinal)));
                for at in (0..group as usize).rev() {
                    let elements: Vec<_> = arrays.iter().map(|array| &array[at]).collect();
                    for (variable, accumulators) in next.iter_mut().enumerate() {
                        let accumulator = &mut accumulators[at];
                        *accumulator =
                            self.absorb(variable, accumulator, &elements, ordinal.as_ref(), Found::Earlier);
                    }
                }
            }
        }
        next
    }

    /// Where the thread's elements in the tile after so many are, in each array.
    fn in_tile(&mut self, tiles: &Value) -> Vec<Value> {
        let (group, tile) = (u64::from(self.spec.group()), self.spec.tile());
        let sizes: Vec<u64> = self.used.iter().map(|(_, ty)| ty.size().into()).collect();
        let (arrays, f) = (self.arrays.clone(), &mut self.f);
        let lane = f.cast("wide", "zext", &self.lane, "i64");
        let tiles = f.cast("wide", "sext", tiles, "i64");
        let offsets = |f: &mut Function, size: u64| {
            let of_lane = f.binary("offset", "mul", &lane, &Value::i64(group * size));
            (of_lane, f.binary("offset", "mul", &tiles, &Value::i64(tile * size)))
        };
        if let ([array], false) = (&arrays[..], self.spec.needs_index()) {
            // The thread's address for a tile's number of 0 stays in registers.
            let (of_lane, of_tile) = offsets(f, sizes[0]);
            let of_thread = advance(f, array, &of_lane);
            return vec![advance(f, &of_thread, &of_tile)];
        }
        // One offset or number in registers, not an address of each array.
        let is_one_size = sizes.iter().all(|size| *size == sizes[0]);
        let unit = if is_one_size { sizes[0] } else { 1 };
        let (of_lane, of_tile) = offsets(f, unit);
        let of_thread = f.binary("offset", "add", &of_lane, &of_tile);
        let mut pointers = Vec::new();
        for (array, size) in arrays.iter().zip(sizes) {
            let offset = f.binary("offset", "mul", &of_thread, &Value::i64(size / unit));
            pointers.push(advance(f, array, &offset));
        }
        pointers
    }

    /// Keeps loads that follow behind what is before, so that they take the registers of the loads before. Nothing else does
    /// with ptxas: it moves loads up as far as it can, whatever stands between them, and with a bound for registers it puts
    /// values into local memory. All threads of a warp must arrive, which they do as they take the same tiles; nothing
    /// relies on the memory that it orders.
    fn no_loads_yet(&mut self) {
        self.f.call_extern("", "", "void", "llvm.nvvm.bar.warp.sync", &[&Value::i32(u32::MAX)]);
    }

    /// The accumulators before the first tile.
    fn start(&self) -> Accumulators {
        let start = |entry: &Entry| {
            let mut start = nothing(entry);
            if matches!(entry.plan, Plan::Find(..)) {
                start[1] = Value::i32(0);
            }
            vec![start; self.spec.group() as usize]
        };
        self.spec.list().entries().iter().map(start).collect()
    }

    /// The index of an element, counted from the first launch's first.
    fn index(&mut self, element: &Value) -> Value {
        self.f.binary("index", "add", &self.base, element)
    }

    /// One phi per scalar of an accumulator.
    fn accumulator_phis(&mut self) -> Vec<Vec<Vec<Phi>>> {
        let group = self.spec.group();
        let phi = |f: &mut Function, entry: &Entry| match entry.plan {
            Plan::Find(scalar, _) => vec![f.phi(&entry.name, scalar.llvm()), f.phi("ordinal", "i32")],
            _ => value_phis(f, entry),
        };
        let phis = |entry: &Entry| (0..group).map(|_| phi(&mut self.f, entry)).collect();
        self.spec.list().entries().iter().map(phis).collect()
    }

    fn incoming(&mut self, phis: &[Vec<Vec<Phi>>], values: &Accumulators, from: Block) {
        for (phi, value) in phis.iter().flatten().flatten().zip(values.iter().flatten().flatten()) {
            self.f.incoming(phi, value, from);
        }
    }

    /// Loads the elements of the group `distance` bytes after `pointer`.
    fn load_group(&mut self, ty: Type, pointer: &Value, distance: u64, width: LoadWidth) -> Vec<Values> {
        let (count, wide) = (self.spec.group(), width == LoadWidth::Wide);
        load_group(&mut self.f, ty, pointer, distance, count, wide, self.invariant)
    }

    /// Folds the accumulators of each variable, from the first position to the last. `tiles` are those up to the one that
    /// would be next, and `taken` are the groups before it, if there are ordinals.
    fn fold(&mut self, accumulators: &[Vec<Values>], tiles: &Value, taken: Option<&Value>) -> Vec<Values> {
        let (spec, group) = (self.spec, self.spec.group());
        let fold = |(accumulators, entry): (&Vec<Values>, &Entry)| {
            let hint = format!("{}.total", entry.name);
            let taken = taken.filter(|_| matches!(entry.plan, Plan::Find(..)));
            let mut total: Option<Values> = None;
            for (at, accumulator) in (0..).zip(accumulators) {
                let mut values = accumulator.clone();
                if taken.is_some() {
                    let first = self.f.binary("of.group", "mul", &values[1], &Value::i32(group));
                    values[1] = self.f.binary("ordinal", "add", &first, &Value::i32(group - 1 - at));
                }
                total = Some(match total {
                    Some(total) => combine(&mut self.f, &hint, entry, &total, &values, Found::Reversed),
                    None => values,
                });
            }
            let mut total = total.unwrap_or_default();
            if let Some(taken) = taken {
                total[1] = self.found_index(&total[1], tiles, taken);
            }
            total
        };
        accumulators.iter().zip(spec.list().entries()).map(fold).collect()
    }

    /// The index of an element, or -1. `ordinal` counts the thread's elements in the order in which it takes them, those of
    /// a group from the last to the first; the first one's is the size of a group, and what is lower stands for none.
    /// `tiles` and `taken` are as for [`fold`](Self::fold): the thread's first tile is not kept for this.
    fn found_index(&mut self, ordinal: &Value, tiles: &Value, taken: &Value) -> Value {
        let (group, unroll) = (u64::from(self.spec.group()), u64::from(self.spec.unroll()));
        let (own, distance) = (group * unroll, u64::from(TILE_THREADS) * group);
        let f = &mut self.f;
        let [of_group, of_tile] = [group, own].map(|count| Value::i32(count as u32));
        let before = f.binary("before", "sub", ordinal, &of_group);
        let turn = f.binary("turn", "udiv", &before, &of_tile);
        let turns = f.binary("turns", "udiv", taken, &Value::i32(self.spec.unroll()));
        let since = f.binary("since", "sub", &turns, &turn);
        let in_tile = f.binary("in.tile", "urem", &before, &of_tile);
        let number = f.binary("number", "udiv", &in_tile, &of_group);
        let in_group = f.binary("in.group", "urem", &in_tile, &of_group);
        let back = f.binary("back", "mul", &since, &self.warps);
        let tile = f.binary("of.tile", "add", tiles, &back);
        let [tile, lane, number, in_group] =
            [&tile, &self.lane, &number, &in_group].map(|part| f.cast("wide", "zext", part, "i64"));
        let before_lane = f.binary("of.lane", "mul", &lane, &Value::i64(group));
        let before_tile = f.binary("of.tile", "mul", &tile, &Value::i64(self.spec.tile()));
        let mut index = f.binary("of.tile", "add", &before_tile, &before_lane);
        // From the tile's last element of this thread.
        let last = ((unroll - 1) * distance + group - 1).wrapping_sub(self.spec.tile());
        index = f.binary("last", "add", &index, &Value::i64(last));
        let passed = f.binary("passed", "mul", &number, &Value::i64(distance));
        for passed in [passed, in_group] {
            index = f.binary("at", "sub", &index, &passed);
        }
        let index = f.binary("index", "add", &self.base, &index);
        let is_none = f.icmp("is.none", "ult", ordinal, &of_group);
        f.select("index", &is_none, &Value::i64(u64::MAX), &index)
    }

    /// Combines `totals` with this thread's share of the elements after the last whole tile. The loads of several are in
    /// flight together: of up to `unroll`, of scalars not more than a thread has if there is one block. (With fewer
    /// records than `unroll`, ptxas would choose fewer registers and local memory.)
    fn tail(&mut self, totals: Vec<Values>, thread: &Value, threads: &Value) -> Vec<Values> {
        let (rest, used) = (self.rest.clone(), self.used.clone());
        let mut at_a_time = u64::from(self.spec.unroll());
        if self.spec.takes_scalars() {
            at_a_time = at_a_time.min(self.spec.tile().div_ceil(self.spec.block_threads().into()));
        }
        let before = self.f.current();
        let [some, header, body, end] =
            ["tail.some", "tail", "tail.body", "tail.end"].map(|name| self.f.block(name));
        let has_tail = self.f.icmp("has.tail", "ult", thread, &rest);
        let rarely = self.module.rarely();
        self.f.rare_br(&has_tail, some, end, rarely);
        self.f.enter(some);
        // More threads than elements: numbers of elements would not fit 32 bits.
        let tile = Value::i32(self.spec.tile() as u32);
        let are_few = self.f.icmp("are.few", "ult", threads, &tile);
        let step = self.f.select("step", &are_few, threads, &tile);
        let wide_rest = self.f.cast("wide", "zext", &rest, "i64");
        let tiled = self.f.binary("tiled", "sub", &self.n, &wide_rest);
        let mut after_tiles = Vec::new();
        for (array, (_, ty)) in self.arrays.clone().iter().zip(&used) {
            let offset = self.f.binary("offset", "mul", &tiled, &Value::i64(ty.size().into()));
            after_tiles.push(advance(&mut self.f, array, &offset));
        }
        self.f.br(header);

        self.f.enter(header);
        let element = self.f.phi("element.number", "i32");
        let phi = |entry: &Entry| value_phis(&mut self.f, entry);
        let phis: Vec<_> = self.spec.list().entries().iter().map(phi).collect();
        let goes_on = self.f.icmp("goes.on", "ult", &element.value, &rest);
        self.f.cond_br(&goes_on, body, end);

        self.f.enter(body);
        let mut next = element.value.clone();
        let mut loaded = Vec::new();
        for _ in 0..at_a_time {
            let at = next.clone();
            let exists = self.f.icmp("exists", "ult", &at, &rest);
            let wide = self.f.cast("wide", "zext", &at, "i64");
            let absent: Values =
                used.iter().flat_map(|(_, ty)| ty.leaves()).map(|leaf| zero(leaf.scalar)).collect();
            let invariant = self.invariant;
            let values = when(&mut self.f, "element", &exists, &absent, |f| {
                let load = |(array, (_, ty)): (&Value, &(usize, Type))| {
                    let address = format!("getelementptr inbounds {}, {array}, {wide}", ty.llvm());
                    let address = f.inst("at", GLOBAL, address);
                    load_element(f, *ty, &address, invariant)
                };
                after_tiles.iter().zip(&used).flat_map(load).collect()
            });
            next = self.f.binary("next", "add", &at, &step);
            loaded.push((wide, exists, values));
        }
        let mut now: Vec<Values> = phis.iter().map(|phis| values(phis)).collect();
        for (at, exists, elements) in loaded {
            let of_arrays = by_array(&used, &elements);
            let of_arrays: Vec<_> = of_arrays.iter().collect();
            let [one, following] = ["one", "following"].map(|name| self.f.block(name));
            let unless = self.f.current();
            self.f.cond_br(&exists, one, following);
            self.f.enter(one);
            let index = self.spec.needs_index().then(|| {
                let element = self.f.binary("element", "add", &tiled, &at);
                self.index(&element)
            });
            let combined: Vec<Values> = (0..now.len())
                .map(|variable| {
                    self.absorb(variable, &now[variable], &of_arrays, index.as_ref(), Found::Ordered)
                })
                .collect();
            let after = self.f.current();
            self.f.br(following);
            self.f.enter(following);
            now = self.merged(&combined, after, &now, unless);
        }
        let after = self.f.current();
        for ((phi, total), next) in
            phis.iter().flatten().zip(totals.iter().flatten()).zip(now.iter().flatten())
        {
            self.f.incoming(phi, total, some);
            self.f.incoming(phi, next, after);
        }
        self.f.incoming(&element, thread, some);
        self.f.incoming(&element, &next, after);
        let as_written = self.module.loop_as_written();
        self.f.br_back(header, as_written);

        self.f.enter(end);
        let after_loop: Vec<Values> = phis.iter().map(|phis| values(phis)).collect();
        self.merged(&totals, before, &after_loop, header)
    }

    /// [`absorb`] for the variable of this index; `elements` has one element of each array in use.
    fn absorb(
        &mut self,
        variable: usize,
        accumulator: &[Value],
        elements: &[&Values],
        index: Option<&Value>,
        found: Found,
    ) -> Values {
        let list = self.spec.list();
        let (entry, variable) = (&list.entries()[variable], &list.variables()[variable]);
        absorb(&mut self.f, entry, variable, &self.used, accumulator, elements, (index, found))
    }
}

/// Combines an accumulator with the value of the variable's source: `accumulator op value`. `used` are the
/// arrays in use with their types, `elements` one loaded element of each, and `index` the element's index with what
/// is known about it.
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
    (index, found): (Option<&Value>, Found),
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
    combine(f, name, entry, accumulator, &value, found)
}

/// Loads the `count` neighbouring elements that begin `distance` bytes after `pointer`: as much at a time as is aligned there,
/// up to 16 bytes, if they are to be `wide` and consist of equal scalars; else one scalar after the other.
pub(crate) fn load_group(
    f: &mut Function,
    ty: Type,
    pointer: &Value,
    distance: u64,
    count: u32,
    wide: bool,
    invariant: Node,
) -> Vec<Values> {
    let at = |f: &mut Function, bytes: u32| {
        advance(f, pointer, &Value::i64(distance.wrapping_add(u64::from(bytes))))
    };
    if let Some(scalar) = uniform(ty)
        && wide
    {
        let bytes = count * ty.size();
        let load_bytes = (1 << bytes.trailing_zeros()).min(VECTOR_BYTES);
        let lanes = load_bytes / scalar.size();
        let mut scalars = Vec::new();
        for load in 0..bytes / load_bytes {
            let from = at(f, load * load_bytes);
            if lanes == 1 {
                scalars.push(load_scalar(f, scalar, &from, invariant));
                continue;
            }
            let vector = format!("<{lanes} x {}>", scalar.llvm());
            let loaded = f.load_marked("loaded", vector, &from, load_bytes, invariant);
            for lane in 0..lanes {
                let element = format!("extractelement {loaded}, i32 {lane}");
                scalars.push(f.inst("element", scalar.llvm(), element));
            }
        }
        let per_element = (ty.size() / scalar.size()) as usize;
        return scalars.chunks(per_element).map(<[Value]>::to_vec).collect();
    }
    let element = |position| {
        let from = at(f, position * ty.size());
        load_element(f, ty, &from, invariant)
    };
    (0..count).map(element).collect()
}

pub(crate) fn load_element(f: &mut Function, ty: Type, from: &Value, invariant: Node) -> Values {
    let load = |leaf: crate::types::Leaf| {
        let from = inside(f, "element.at", from, leaf.offset);
        load_scalar(f, leaf.scalar, &from, invariant)
    };
    ty.leaves().into_iter().map(load).collect()
}

fn load_scalar(f: &mut Function, scalar: Scalar, from: &Value, invariant: Node) -> Value {
    f.load_marked("element", scalar.llvm(), from, scalar.size(), invariant)
}

/// The value of a thread without elements; for `argmin` and `argmax`, as [`Found::Ordered`] says.
pub(crate) fn nothing(entry: &Entry) -> Values {
    match &entry.plan {
        Plan::Find(scalar, rule) => {
            vec![Value::new(scalar.llvm(), scalar.constant(rule.worst(*scalar))), Value::i64(u64::MAX)]
        }
        _ => identity(entry),
    }
}

/// The scalar whose bits are 0.
pub(crate) fn zero(scalar: Scalar) -> Value {
    Value::new(scalar.llvm(), scalar.constant(0))
}

/// Adds a phi for each scalar of a variable.
pub(crate) fn value_phis(f: &mut Function, entry: &Entry) -> Vec<Phi> {
    entry.leaves.iter().map(|leaf| f.phi(&entry.name, leaf.scalar.llvm())).collect()
}

/// The values of the phis.
pub(crate) fn values(phis: &[Phi]) -> Values {
    phis.iter().map(|phi| phi.value.clone()).collect()
}

/// The scalar of a type that consists of equal scalars without padding.
fn uniform(ty: Type) -> Option<Scalar> {
    let leaves = ty.leaves();
    let scalar = leaves.first()?.scalar;
    let dense = leaves.len() as u32 * scalar.size() == ty.size();
    (dense && leaves.iter().all(|leaf| leaf.scalar == scalar)).then_some(scalar)
}

/// The scalars of one element of each array, array by array.
pub(crate) fn by_array(used: &[(usize, Type)], mut elements: &[Value]) -> Vec<Values> {
    let split = |(_, ty): &(usize, Type)| {
        let (these, others) = elements.split_at(ty.leaves().len());
        elements = others;
        these.to_vec()
    };
    used.iter().map(split).collect()
}

/// The index of `array` among the arrays in use.
fn position(used: &[(usize, Type)], array: u32) -> usize {
    used.partition_point(|(index, _)| *index < array as usize)
}

/// The accumulators that the phis define.
fn accumulators(phis: &[Vec<Vec<Phi>>]) -> Accumulators {
    phis.iter().map(|variable| variable.iter().map(|phis| values(phis)).collect()).collect()
}
