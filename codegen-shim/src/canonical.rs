//! The value of a chunk of elements in the canonical order, which gives the same bits in any grid
//! (`device_rt::reduce::canonical`).
//!
//! A warp takes a chunk at a time. A lane has four neighbouring columns of its chunk. It takes them together if
//! their accumulators fit into registers, so that each load is of four elements of an array; otherwise one after the
//! other. An element that is missing in the last chunk is the operator's identity.

use device_rt::reduce::canonical::{COLUMNS, SEGMENT};

use crate::accumulate::{
    absorb, advance, by_array, is_unaligned, load_element, load_group, nothing, value_phis, values, zero,
};
use crate::common::{
    Found, GLOBAL, Values, array_params, combine, private_copy, special_register, store, when,
};
use crate::ir::{Block, Function, Module, Node, Phi, Value};
use crate::list::Entry;
use crate::{KernelSpec, Type};

/// The function for a chunk.
pub(crate) const CHUNK_VALUE: &str = "warpfold_chunk";

/// Columns of a lane.
const LANE_COLUMNS: u32 = (COLUMNS / 32) as u32;

/// 32-bit registers that the accumulators of four columns may take, and the loads in flight.
const REGISTERS: u32 = 64;

/// Elements of a segment of all columns.
const ALL: u64 = COLUMNS * SEGMENT;

/// Values of each variable, column by column.
type Columns = Vec<Vec<Values>>;

struct Emitter<'a> {
    spec: &'a KernelSpec,
    /// The arrays in use, with their types; the first element of each is the chunk's.
    used: Vec<(usize, Type)>,
    arrays: Vec<Value>,
    f: Function,
    module: &'a mut Module,
    /// The metadata of loads whose memory does not change while the kernel runs.
    invariant: Node,
    /// The index of the chunk's first element among all.
    base: Value,
    /// The lane's first column, 64 bits.
    own: Value,
    /// Columns that are taken together: all four of the lane, or one.
    together: u32,
    /// Rows whose loads are in flight together.
    in_flight: u32,
}

/// Emits `chunk(ptr list, i32 length, i64 first, arrays in use …)`: the lane's value of a chunk.
pub(crate) fn define(module: &mut Module, spec: &KernelSpec) -> Function {
    let used: Vec<_> = spec.used().collect();
    let attributes = "alwaysinline convergent mustprogress nounwind willreturn";
    let mut f = Function::new("The lane's columns of a chunk, reduced.", "internal", CHUNK_VALUE, attributes);
    let list = f.param("ptr", "list");
    let length = f.param("i32", "length");
    let base = f.param("i64", "first.index");
    let arrays = array_params(&mut f, used.iter().copied());
    let invariant = module.node("!{}");
    let thread = special_register(&mut f, "tid.x");
    let lane = f.binary("lane", "and", &thread, &Value::i32(31));
    let own = f.binary("own", "mul", &lane, &Value::i32(LANE_COLUMNS));
    let own = f.cast("own", "zext", &own, "i64");
    let leaves = spec.list().entries().iter().flat_map(|entry| &entry.leaves);
    let accumulators: u32 = leaves.map(|leaf| leaf.scalar.size().div_ceil(4)).sum();
    let together = if 2 * LANE_COLUMNS * accumulators <= REGISTERS { LANE_COLUMNS } else { 1 };
    let of_row: u32 = used.iter().map(|(_, ty)| (together * ty.size()).div_ceil(4)).sum();
    let mut in_flight = SEGMENT as u32;
    while in_flight > 1 && in_flight * of_row > REGISTERS {
        in_flight /= 2;
    }
    let mut emitter = Emitter { spec, used, arrays, f, module, invariant, base, own, together, in_flight };
    let mut columns: Columns = vec![Vec::new(); spec.list().entries().len()];
    for first in (0..LANE_COLUMNS).step_by(together as usize) {
        for (all, new) in columns.iter_mut().zip(emitter.columns(first, &length)) {
            all.extend(new);
        }
    }
    let mut f = emitter.f;
    for (index, (entry, columns)) in spec.list().entries().iter().zip(&columns).enumerate() {
        let mut both = |left: &Values, right: &Values| {
            combine(&mut f, &format!("{}.of.lane", entry.name), entry, left, right, Found::Ordered)
        };
        let [left, right] = [both(&columns[0], &columns[1]), both(&columns[2], &columns[3])];
        let value = both(&left, &right);
        let private = private_copy(&mut f, &list, index, &entry.name);
        store(&mut f, &entry.name, &entry.leaves, &value, &private);
    }
    f.ret();
    f
}

impl Emitter<'_> {
    /// What columns without elements have.
    fn start(&self) -> Columns {
        self.spec.list().entries().iter().map(|entry| vec![nothing(entry); self.together as usize]).collect()
    }

    /// A phi for each scalar of each variable and column.
    fn phis(&mut self) -> Vec<Vec<Vec<Phi>>> {
        let (spec, together) = (self.spec, self.together);
        let of = |entry: &Entry| (0..together).map(|_| value_phis(&mut self.f, entry)).collect();
        spec.list().entries().iter().map(of).collect()
    }

    fn incoming(&mut self, phis: &[Vec<Vec<Phi>>], columns: &Columns, from: Block) {
        for (phi, value) in phis.iter().flatten().flatten().zip(columns.iter().flatten().flatten()) {
            self.f.incoming(phi, value, from);
        }
    }

    /// `left op right`, column by column.
    fn combined(&mut self, left: &Columns, right: &Columns) -> Columns {
        let spec = self.spec;
        let of = |((entry, left), right): ((&Entry, &Vec<Values>), &Vec<Values>)| {
            let pairs = left.iter().zip(right);
            pairs
                .map(|(left, right)| combine(&mut self.f, &entry.name, entry, left, right, Found::Ordered))
                .collect()
        };
        spec.list().entries().iter().zip(left).zip(right).map(of).collect()
    }

    /// The values of the lane's columns from this one on: of whole segments, and of what is left.
    fn columns(&mut self, first: u32, length: &Value) -> Columns {
        let [whole, rest] =
            ["udiv", "urem"].map(|part| self.f.binary("segments", part, length, &Value::i32(ALL as u32)));
        let totals = self.whole_segments(first, &whole);
        let begin = self.f.binary("whole", "mul", &whole, &Value::i32(ALL as u32));
        let before = self.f.current();
        let [some, end] = ["rest", "rest.end"].map(|name| self.f.block(name));
        let has_rest = self.f.icmp("has.rest", "ne", &rest, &Value::i32(0));
        let rarely = self.module.rarely();
        self.f.rare_br(&has_rest, some, end, rarely);
        self.f.enter(some);
        let of_rest = self.rest(first, &begin, &rest);
        let with_rest = self.combined(&totals, &of_rest);
        let after = self.f.current();
        self.f.br(end);
        self.f.enter(end);
        let phis = self.phis();
        self.incoming(&phis, &totals, before);
        self.incoming(&phis, &with_rest, after);
        of_phis(&phis)
    }

    /// A loop over whole segments: by loads of 16 bytes if all arrays are aligned to them, else by elements.
    fn whole_segments(&mut self, first: u32, segments: &Value) -> Columns {
        if self.together == 1 {
            return self.segment_loop(first, segments, false);
        }
        let is_unaligned = is_unaligned(&mut self.f, &self.arrays);
        let [aligned, unaligned, end] = ["aligned", "unaligned", "whole"].map(|name| self.f.block(name));
        let rarely = self.module.rarely();
        self.f.rare_br(&is_unaligned, unaligned, aligned, rarely);
        let mut from = Vec::new();
        for (block, wide) in [(aligned, true), (unaligned, false)] {
            self.f.enter(block);
            let totals = self.segment_loop(first, segments, wide);
            from.push((totals, self.f.current()));
            self.f.br(end);
        }
        self.f.enter(end);
        let phis = self.phis();
        for (totals, block) in &from {
            self.incoming(&phis, totals, *block);
        }
        of_phis(&phis)
    }

    fn segment_loop(&mut self, first: u32, segments: &Value, wide: bool) -> Columns {
        let before = self.f.current();
        let [header, body, end] = ["segment", "segment.body", "segment.end"].map(|name| self.f.block(name));
        self.f.br(header);
        self.f.enter(header);
        let number = self.f.phi("segment.number", "i32");
        let totals = self.phis();
        let goes_on = self.f.icmp("goes.on", "ult", &number.value, segments);
        self.f.cond_br(&goes_on, body, end);

        self.f.enter(body);
        let wide_number = self.f.cast("wide", "zext", &number.value, "i64");
        let begin = self.f.binary("begin", "mul", &wide_number, &Value::i64(ALL));
        let own = self.f.binary("own", "add", &begin, &self.own);
        let own = self.f.binary("own", "add", &own, &Value::i64(first.into()));
        let mut columns = self.start();
        for row in (0..SEGMENT).step_by(self.in_flight as usize) {
            // All loads come first, so that they are in flight together.
            let rows: Vec<_> = (row..row + u64::from(self.in_flight)).collect();
            let loaded: Vec<_> = rows.iter().map(|row| self.load_row(&own, *row, wide)).collect();
            for (row, arrays) in rows.into_iter().zip(loaded) {
                for at in 0..self.together as usize {
                    let elements: Vec<_> = arrays.iter().map(|array| &array[at]).collect();
                    let index = self.index(&own, row * COLUMNS + at as u64);
                    self.absorb(&mut columns, at, &elements, index.as_ref());
                }
            }
        }
        let next = self.combined(&of_phis(&totals), &columns);
        let following = self.f.binary("next", "add", &number.value, &Value::i32(1));
        let after = self.f.current();
        let start = self.start();
        self.incoming(&totals, &start, before);
        self.incoming(&totals, &next, after);
        self.f.incoming(&number, &Value::i32(0), before);
        self.f.incoming(&number, &following, after);
        let as_written = self.module.loop_as_written();
        self.f.br_back(header, as_written);
        self.f.enter(end);
        of_phis(&totals)
    }

    /// The elements of a row of the segment in which the lane's first one is `own`, of each array.
    fn load_row(&mut self, own: &Value, row: u64, wide: bool) -> Vec<Vec<Values>> {
        let (arrays, used) = (self.arrays.clone(), self.used.clone());
        let load = |(array, (_, ty)): (&Value, &(usize, Type))| {
            let offset = self.f.binary("offset", "mul", own, &Value::i64(ty.size().into()));
            let pointer = advance(&mut self.f, array, &offset);
            let distance = row * COLUMNS * u64::from(ty.size());
            load_group(&mut self.f, *ty, &pointer, distance, self.together, wide, self.invariant)
        };
        arrays.iter().zip(&used).map(load).collect()
    }

    /// The values of what is left after whole segments: fewer elements than a segment of all columns has.
    fn rest(&mut self, first: u32, begin: &Value, rest: &Value) -> Columns {
        let begin = self.f.cast("begin", "zext", begin, "i64");
        let rest = self.f.cast("rest", "zext", rest, "i64");
        let own = self.f.binary("own", "add", &self.own, &Value::i64(first.into()));
        let before = self.f.current();
        let [header, body, end] = ["row", "row.body", "row.end"].map(|name| self.f.block(name));
        self.f.br(header);
        self.f.enter(header);
        let element = self.f.phi("element", "i64");
        let phis = self.phis();
        let goes_on = self.f.icmp("goes.on", "ult", &element.value, &rest);
        self.f.cond_br(&goes_on, body, end);

        self.f.enter(body);
        let (used, arrays, invariant) = (self.used.clone(), self.arrays.clone(), self.invariant);
        let mut loaded = Vec::new();
        for at in 0..self.together {
            let here = self.f.binary("here", "add", &element.value, &Value::i64(at.into()));
            let exists = self.f.icmp("exists", "ult", &here, &rest);
            let here = self.f.binary("here", "add", &begin, &here);
            let absent: Values =
                used.iter().flat_map(|(_, ty)| ty.leaves()).map(|leaf| zero(leaf.scalar)).collect();
            let values = when(&mut self.f, "element", &exists, &absent, |f| {
                let load = |(array, (_, ty)): (&Value, &(usize, Type))| {
                    let address = format!("getelementptr inbounds {}, {array}, {here}", ty.llvm());
                    let address = f.inst("at", GLOBAL, address);
                    load_element(f, *ty, &address, invariant)
                };
                arrays.iter().zip(&used).flat_map(load).collect()
            });
            loaded.push((exists, here, values));
        }
        let mut now = of_phis(&phis);
        for (at, (exists, here, elements)) in loaded.into_iter().enumerate() {
            let of_arrays = by_array(&used, &elements);
            let of_arrays: Vec<_> = of_arrays.iter().collect();
            let [one, following] = ["one", "following"].map(|name| self.f.block(name));
            let unless = self.f.current();
            self.f.cond_br(&exists, one, following);
            self.f.enter(one);
            let mut with = now.clone();
            let index = self.index(&here, 0);
            self.absorb(&mut with, at, &of_arrays, index.as_ref());
            let after = self.f.current();
            self.f.br(following);
            self.f.enter(following);
            let entries = self.spec.list().entries();
            for (variable, entry) in entries.iter().enumerate() {
                let merged = value_phis(&mut self.f, entry);
                for (phi, (with, without)) in
                    merged.iter().zip(with[variable][at].iter().zip(&now[variable][at]))
                {
                    self.f.incoming(phi, with, after);
                    self.f.incoming(phi, without, unless);
                }
                now[variable][at] = values(&merged);
            }
        }
        let next = self.f.binary("next", "add", &element.value, &Value::i64(COLUMNS));
        let after = self.f.current();
        let start = self.start();
        self.incoming(&phis, &start, before);
        self.incoming(&phis, &now, after);
        self.f.incoming(&element, &own, before);
        self.f.incoming(&element, &next, after);
        let as_written = self.module.loop_as_written();
        self.f.br_back(header, as_written);
        self.f.enter(end);
        of_phis(&phis)
    }

    /// The index of an element, for `argmin` and `argmax`.
    fn index(&mut self, own: &Value, after: u64) -> Option<Value> {
        self.spec.needs_index().then(|| {
            let first = self.f.binary("element", "add", &self.base, own);
            self.f.binary("index", "add", &first, &Value::i64(after))
        })
    }

    /// Combines an element of each array into the columns at this place.
    fn absorb(&mut self, columns: &mut Columns, at: usize, elements: &[&Values], index: Option<&Value>) {
        let list = self.spec.list();
        for ((entry, variable), columns) in list.entries().iter().zip(list.variables()).zip(columns) {
            let known = (index, Found::Ordered);
            columns[at] = absorb(&mut self.f, entry, variable, &self.used, &columns[at], elements, known);
        }
    }
}

/// The columns that the phis define.
fn of_phis(phis: &[Vec<Vec<Phi>>]) -> Columns {
    phis.iter().map(|columns| columns.iter().map(|phis| values(phis)).collect()).collect()
}
