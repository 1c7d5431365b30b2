//! Loads, stores and shuffles.
//!
//! An access first looks for its allocation where the last one was ([`InlineCache`]); if that fails, or if the access is of an
//! unusual kind, the interpreter's function executes it.

use std::mem::offset_of;

use super::abi::{Context, InlineCache};
use super::text::Width;
use super::translate::{Lanes, Translator, Value, field};
use super::variation::Variation;
use crate::instruction::{AddressBase, CONSTANT, MemoryAccess, Op, SINK, SyncKind, WarpSync};
use crate::memory::MemoryOrder;
use crate::registers::{Class, Register, shuffle_source};
use crate::semantics::{LANES, Narrow, Wide};
use crate::text::types::Space;

impl Translator<'_> {
    /// A load; see [`Translator::native`].
    pub(super) fn load(&mut self, pc: u32, access: &MemoryAccess) -> bool {
        if access.order.acquires() {
            return false;
        }
        let size = access.ty.size();
        let bytes = size * u32::from(access.count);
        match access.address.base {
            AddressBase::Kernel => {
                let at = access.address.offset;
                let inside = at >= 0
                    && at % i64::from(bytes) == 0
                    && at + i64::from(bytes) <= i64::from(self.parameter_bytes);
                if access.address.space != Space::Param || !inside {
                    return false;
                }
                let from = self.at("%params", at);
                self.load_same(pc, access, &from);
                true
            }
            AddressBase::Frame => self.load_frame(access, access.address.offset),
            AddressBase::Reg(reg) => {
                if matches!(access.address.space, Space::Generic | Space::Local) {
                    if let Some(offset) = self.frame_offset(access, reg) {
                        return self.load_frame(access, offset);
                    }
                    if access.address.space == Space::Local {
                        return false;
                    }
                }
                self.load_at(pc, access, reg)
            }
        }
    }

    /// The offset in the frame of an access through a register, if it is known.
    pub(super) fn frame_offset(&self, access: &MemoryAccess, reg: u32) -> Option<i64> {
        let address = self.flow.frame_address(&self.state, reg)?;
        let fits = address.generic == (access.address.space == Space::Generic);
        fits.then(|| address.offset.wrapping_add(access.address.offset))
    }

    /// Whether an access is to whole words that need no extension, at a multiple of its size inside of the frame.
    pub(super) fn is_in_frame(&self, access: &MemoryAccess, offset: i64) -> bool {
        let size = access.ty.size();
        let bytes = i64::from(size * u32::from(access.count));
        let whole = size == 4 && !access.wide && access.extend == 4 || size == 8 && access.wide;
        // The frame begins at a multiple of 16 at least.
        whole
            && bytes <= 16
            && offset >= 0
            && offset % bytes == 0
            && offset + bytes <= i64::from(self.flow.function().frame_bytes)
    }

    pub(super) fn local_word(&mut self, offset: i64) -> String {
        let at = self.at(&self.local.0.clone(), offset / 4 * 4 * LANES as i64);
        match self.lanes {
            Lanes::One => self.text.value(format_args!("getelementptr i32, ptr {at}, i64 {}", self.lane.0)),
            _ => at,
        }
    }

    pub(super) fn load_frame(&mut self, access: &MemoryAccess, offset: i64) -> bool {
        if !self.is_in_frame(access, offset) {
            return false;
        }
        let (ty, align) = (self.width().of("i32"), if self.lanes == Lanes::One { 4 } else { 64 });
        let size = access.ty.size();
        for (k, &reg) in access.regs[..usize::from(access.count)].iter().enumerate() {
            let offset = offset + k as i64 * i64::from(size);
            let mut words = Vec::new();
            let mut undefined: Option<String> = None;
            for word in (0..i64::from(size)).step_by(4) {
                let at = self.local_word(offset + word);
                words.push(self.text.value(format_args!("load {ty}, ptr {at}, align {align}")));
                let at = self.at(&self.local.1.clone(), (offset + word) * 4);
                let bytes = self.text.value(format_args!("load <4 x i32>, ptr {at}, align 4"));
                let any =
                    self.text.value(format_args!("call i32 @llvm.vector.reduce.or.v4i32(<4 x i32> {bytes})"));
                undefined = self.either(undefined, Some(any));
            }
            let class = if access.wide { Class::B64 } else { Class::B32 };
            let name = match &words[..] {
                [low, high] => {
                    let width = self.width();
                    let pack = self.operations(width).wide(Wide::Pack, low, high);
                    pack.unwrap_or_default()
                }
                words => words[0].clone(),
            };
            self.set_undefined((class, reg), undefined);
            let variation = if self.lanes == Lanes::One { Variation::Uniform } else { Variation::Varying };
            self.set((class, reg), Value { name, variation });
        }
        true
    }

    pub(super) fn write_frame(&mut self, access: &MemoryAccess, offset: i64) -> bool {
        if !self.is_in_frame(access, offset) {
            return false;
        }
        let (ty, align) = (self.width().of("i32"), if self.lanes == Lanes::One { 4 } else { 64 });
        let size = access.ty.size();
        let class = if access.wide { Class::B64 } else { Class::B32 };
        for (k, &reg) in access.regs[..usize::from(access.count)].iter().enumerate() {
            let value = self.vector_of((class, reg));
            let undefined = self.undefined_lanes((class, reg));
            let width = self.width();
            let words = match class {
                Class::B64 => {
                    let mut o = self.operations(width);
                    let (low, high) = (o.narrow(Narrow::Low, &value), o.narrow(Narrow::High, &value));
                    vec![low.unwrap_or_default(), high.unwrap_or_default()]
                }
                _ => vec![value],
            };
            for (n, word) in words.into_iter().enumerate() {
                let offset = offset + k as i64 * i64::from(size) + n as i64 * 4;
                let at = self.local_word(offset);
                let word = match self.lanes {
                    Lanes::Some => {
                        let old = self.text.value(format_args!("load {ty}, ptr {at}, align {align}"));
                        self.text
                            .value(format_args!("select <32 x i1> {}, {ty} {word}, {ty} {old}", self.mask.1))
                    }
                    _ => word,
                };
                self.text.line(format_args!("store {ty} {word}, ptr {at}, align {align}"));
                let at = self.at(&self.local.1.clone(), offset * 4);
                let flags = match (self.lanes, &undefined) {
                    (Lanes::All, None) => "zeroinitializer".to_owned(),
                    (Lanes::All, Some(lanes)) => self.four(lanes),
                    (_, lanes) => {
                        let old = self.text.value(format_args!("load <4 x i32>, ptr {at}, align 4"));
                        let unmask = self.text.value(format!("xor i32 {}, -1", self.mask.0));
                        let unmask = self.four(&unmask);
                        let kept = self.text.value(format_args!("and <4 x i32> {old}, {unmask}"));
                        match lanes {
                            None => kept,
                            Some(lanes) => {
                                let new = self.text.value(format_args!("and i32 {lanes}, {}", self.mask.0));
                                let new = self.four(&new);
                                self.text.value(format_args!("or <4 x i32> {kept}, {new}"))
                            }
                        }
                    }
                };
                self.text.line(format_args!("store <4 x i32> {flags}, ptr {at}, align 4"));
            }
        }
        true
    }

    /// A vector of four equal words.
    pub(super) fn four(&mut self, word: &str) -> String {
        let one = self.text.value(format_args!("insertelement <4 x i32> poison, i32 {word}, i64 0"));
        self.text
            .value(format_args!("shufflevector <4 x i32> {one}, <4 x i32> poison, <4 x i32> zeroinitializer"))
    }

    /// Loads the same bytes in all lanes.
    pub(super) fn load_same(&mut self, pc: u32, access: &MemoryAccess, from: &str) {
        let size = access.ty.size();
        for (k, &reg) in access.regs[..usize::from(access.count)].iter().enumerate() {
            if reg == SINK {
                continue;
            }
            let at = self.at(from, k * size as usize);
            let loaded = self.text.value(format_args!("load i{}, ptr {at}, align {size}", size * 8));
            let name = self.extended(access, &loaded, Width::One);
            let class = if access.wide { Class::B64 } else { Class::B32 };
            self.set_undefined((class, reg), None);
            self.set_result(pc, (class, reg), Value { name, variation: Variation::Uniform });
        }
    }

    /// A loaded element extended to its register.
    pub(super) fn extended(&mut self, access: &MemoryAccess, loaded: &str, width: Width) -> String {
        let (size, register) = (access.ty.size() * 8, if access.wide { 64 } else { 32 });
        let from = width.of(&format!("i{size}"));
        let to = width.of(&format!("i{register}"));
        if size == register {
            return loaded.to_owned();
        }
        if size > register {
            return self.text.value(format_args!("trunc {from} {loaded} to {to}"));
        }
        let extend = u32::from(access.extend) * 8;
        if access.ty.signed() && extend > size {
            let middle = width.of(&format!("i{extend}"));
            let extended = self.text.value(format_args!("sext {from} {loaded} to {middle}"));
            return match extend == register {
                true => extended,
                false => self.text.value(format_args!("zext {middle} {extended} to {to}")),
            };
        }
        self.text.value(format_args!("zext {from} {loaded} to {to}"))
    }

    /// A cache for an access of `extent` bytes: its number, and the allocation's first address, limit and place on the host.
    fn inline_cache(&mut self, pc: u32, extent: u64) -> (usize, [String; 3]) {
        let number = self.caches.len();
        self.caches.push((pc, extent));
        let cache = self.at("%caches", number * size_of::<InlineCache>());
        let fields = [
            ("i64", offset_of!(InlineCache, base)),
            ("i64", offset_of!(InlineCache, limit)),
            ("ptr", offset_of!(InlineCache, host)),
        ];
        let loaded = fields.map(|(ty, offset)| {
            let at = self.at(&cache, offset);
            self.text.value(format_args!("load {ty}, ptr {at}"))
        });
        (number, loaded)
    }

    /// The allocation of an access, found where the last one was: where the host has its first byte. The instruction is
    /// left to `slow` otherwise; `extent` is the number of bytes from the first to the last one of all lanes.
    pub(super) fn locate(&mut self, pc: u32, address: &str, bytes: u32, extent: u64, slow: &str) -> String {
        let (_, [base, limit, host]) = self.inline_cache(pc, extent);
        let offset = self.text.value(format_args!("sub i64 {address}, {base}"));
        let inside = self.text.value(format_args!("icmp ult i64 {offset}, {limit}"));
        let odd = self.text.value(format_args!("and i64 {address}, {}", bytes - 1));
        let aligned = self.text.value(format_args!("icmp eq i64 {odd}, 0"));
        let good = self.text.value(format_args!("and i1 {inside}, {aligned}"));
        let fast = self.text.label();
        self.text.line(format_args!("br i1 {good}, label %{fast}, label %{slow}, !prof !0"));
        self.text.begin(fast);
        self.at(&host, &offset)
    }

    /// The scalar that an address begins with, and its stride.
    pub(super) fn address(&mut self, access: &MemoryAccess, reg: u32) -> Option<(String, i64)> {
        let value = self.get((Class::B64, reg));
        let stride = value.variation.stride()?;
        let address = match access.address.offset {
            0 => value.name,
            offset => self.text.value(format_args!("add i64 {}, {offset}", value.name)),
        };
        Some((address, stride))
    }

    /// Counts the sectors of consecutive bytes, or the passes over the banks of shared memory.
    pub(super) fn count_row(&mut self, space: Space, address: &str, extent: u64, bytes: u32) {
        match space {
            Space::Shared => {
                // The hardware serves as many lanes at a time as fill 128 bytes.
                let turns = (bytes / 4).max(1);
                match self.lanes {
                    Lanes::All => self.add_to_field(field!(passes), turns),
                    Lanes::One => self.add_to_field(field!(passes), 1),
                    Lanes::Some => {
                        let per_turn = LANES as u32 / turns;
                        for turn in 0..turns {
                            let lanes = (((1u64 << per_turn) - 1) << (turn * per_turn)) as u32;
                            let lanes = lanes.cast_signed();
                            let active = self.active();
                            let some = self.text.value(format_args!("and i32 {active}, {lanes}"));
                            let some = self.text.value(format_args!("icmp ne i32 {some}, 0"));
                            let some = self.text.value(format_args!("zext i1 {some} to i64"));
                            self.add_to_field(field!(passes), some);
                        }
                    }
                }
            }
            _ if extent == u64::from(bytes) => self.add_to_field(field!(sectors), 1),
            _ => {
                let last = self.text.value(format_args!("add i64 {address}, {}", extent - 1));
                let last = self.text.value(format_args!("lshr i64 {last}, 5"));
                let first = self.text.value(format_args!("lshr i64 {address}, 5"));
                let count = self.text.value(format_args!("sub i64 {last}, {first}"));
                let count = self.text.value(format_args!("add i64 {count}, 1"));
                self.add_to_field(field!(sectors), count);
            }
        }
    }

    /// Where an access in shared memory is on the host; to `slow` if it is outside.
    pub(super) fn locate_shared(&mut self, address: &str, bytes: u32, extent: u64, slow: &str) -> String {
        let size = self.field("i64", field!(shared_bytes));
        let end = self.text.value(format_args!("add i64 {address}, {extent}"));
        let inside = self.text.value(format_args!("icmp ule i64 {end}, {size}"));
        let low = self.text.value(format_args!("icmp ult i64 {address}, 4294967296"));
        let odd = self.text.value(format_args!("and i64 {address}, {}", bytes - 1));
        let aligned = self.text.value(format_args!("icmp eq i64 {odd}, 0"));
        let good = self.text.value(format_args!("and i1 {inside}, {aligned}"));
        let good = self.text.value(format_args!("and i1 {good}, {low}"));
        let fast = self.text.label();
        self.text.line(format_args!("br i1 {good}, label %{fast}, label %{slow}, !prof !0"));
        self.text.begin(fast);
        self.at("%shared", address)
    }

    /// A load through a register that holds no address of the frame.
    pub(super) fn load_at(&mut self, pc: u32, access: &MemoryAccess, reg: u32) -> bool {
        let bytes = access.ty.size() * u32::from(access.count);
        let space = access.address.space;
        if !matches!(space, Space::Global | Space::Const | Space::Generic | Space::Shared) {
            return false;
        }
        let Some((address, stride)) = self.address(access, reg) else {
            return self.load_apart(pc, access, reg);
        };
        let same = stride == 0;
        if !same && (stride != i64::from(bytes) || access.count != 1) {
            return self.load_apart(pc, access, reg);
        }
        self.needs_defined((Class::B64, reg), pc);
        let extent = if same { u64::from(bytes) } else { u64::from(bytes) * LANES as u64 };
        let (slow, next) = (self.text.label(), self.text.label());
        let from = match space {
            Space::Shared => self.locate_shared(&address, bytes, extent, &slow),
            _ => self.locate(pc, &address, bytes, extent, &slow),
        };
        self.count_row(space, &address, extent, bytes);
        let size = access.ty.size();
        let width = if same { Width::One } else { Width::All };
        let class = if access.wide { Class::B64 } else { Class::B32 };
        // A generic address may be of local memory: one address, but not one value. And lane 0 may not run.
        let is_one =
            same && (self.lanes == Lanes::All && space != Space::Generic || self.lanes == Lanes::One);
        let result_width = if is_one { Width::One } else { Width::All };
        let word = result_width.of(Self::word(class));
        let regs: Vec<u32> = access.regs[..usize::from(access.count)].to_vec();
        let mut fast = Vec::new();
        for k in 0..regs.len() {
            let at = self.at(&from, k * size as usize);
            let ty = width.of(&format!("i{}", size * 8));
            let volatile = volatile(access);
            let loaded = self.text.value(format_args!("load {volatile}{ty}, ptr {at}, align {size}"));
            let name = self.extended(access, &loaded, width);
            fast.push(match width == result_width {
                true => name,
                false => self.vector(class, &Value { name, variation: Variation::Uniform }),
            });
        }
        let fast_end = self.text.label();
        self.text.line(format_args!("br label %{fast_end}"));
        self.text.begin(&fast_end);
        self.text.line(format_args!("br label %{next}"));
        let slow_end = self.text.label();
        let mut slowly = Vec::new();
        let may_be_undefined = space == Space::Generic;
        self.apart(|this| {
            this.text.begin(&slow);
            this.execute_apart(pc);
            slowly = regs.iter().map(|&reg| this.executed((class, reg), &word)).collect();
            this.text.line(format_args!("br label %{slow_end}"));
            this.text.begin(&slow_end);
            this.text.line(format_args!("br label %{next}"));
        });
        self.text.begin(&next);
        let mut values = Vec::new();
        for (fast, (slowly, flags)) in fast.into_iter().zip(slowly) {
            let value = format!("phi {word} [ {fast}, %{fast_end} ], [ {slowly}, %{slow_end} ]");
            let value = self.text.value(value);
            let flags = may_be_undefined.then(|| {
                self.text.value(format_args!("phi i32 [ 0, %{fast_end} ], [ {flags}, %{slow_end} ]"))
            });
            values.push((value, flags));
        }
        for (&reg, (name, undefined)) in regs.iter().zip(values) {
            if reg == SINK {
                continue;
            }
            self.set_undefined((class, reg), undefined);
            let variation = if is_one { Variation::Uniform } else { Variation::Varying };
            self.set_result(pc, (class, reg), Value { name, variation });
        }
        true
    }

    /// Whether lanes access words one by one: no vectors, and nothing that is for communication.
    pub(super) fn is_apart(&self, access: &MemoryAccess) -> bool {
        let is_word = matches!(access.ty.size(), 4 | 8) && access.count == 1;
        self.lanes != Lanes::One && is_word && access.order == MemoryOrder::Weak
    }

    /// Where the lanes' accesses are on the host; to `slow` if they are not all in memory of the access's space, or, through
    /// generic addresses, in global memory. Counts their sectors or passes.
    pub(super) fn locate_apart(&mut self, pc: u32, access: &MemoryAccess, reg: u32, slow: &str) -> String {
        let bytes = access.ty.size();
        let base = self.vector_of((Class::B64, reg));
        let width = Width::All;
        let offset = width.constant("i64", access.address.offset);
        let addresses = self.text.value(format_args!("add <32 x i64> {base}, {offset}"));
        let is_shared = access.address.space == Space::Shared;
        let (number, [begin, limit, host]) = match is_shared {
            true => (0, self.shared_window(bytes)),
            false => self.inline_cache(pc, u64::from(bytes)),
        };
        let uniform = |name: String| Value { name, variation: Variation::Uniform };
        let begin = self.vector(Class::B64, &uniform(begin));
        let limit = self.vector(Class::B64, &uniform(limit));
        let offsets = self.text.value(format_args!("sub <32 x i64> {addresses}, {begin}"));
        let inside = self.text.value(format_args!("icmp ult <32 x i64> {offsets}, {limit}"));
        let ones = width.constant("i64", bytes - 1);
        let zero = width.constant("i64", 0);
        let odd = self.text.value(format_args!("and <32 x i64> {addresses}, {ones}"));
        let aligned = self.text.value(format_args!("icmp eq <32 x i64> {odd}, {zero}"));
        let good = self.text.value(format_args!("and <32 x i1> {inside}, {aligned}"));
        let good = self.text.value(format_args!("bitcast <32 x i1> {good} to i32"));
        let active = self.active();
        let good = self.text.value(format_args!("and i32 {good}, {active}"));
        let all = self.text.value(format_args!("icmp eq i32 {good}, {active}"));
        let at = self.at("%context", field!(addresses));
        self.text.line(format_args!("store <32 x i64> {addresses}, ptr {at}, align 64"));
        let (fast, join) = (self.text.label(), self.text.label());
        let several = if is_shared { slow.to_owned() } else { self.text.label() };
        self.text.line(format_args!("br i1 {all}, label %{fast}, label %{several}, !prof !0"));
        self.text.begin(&fast);
        self.count_apart(&active, if is_shared { bytes } else { 0 });
        let in_one = self.text.value(format_args!("getelementptr i8, ptr {host}, <32 x i64> {offsets}"));
        if is_shared {
            return in_one;
        }
        self.text.line(format_args!("br label %{join}"));
        let (near, known, far, found) =
            (self.text.label(), self.text.label(), self.text.label(), self.text.label());
        let (mut in_own, mut in_several) = Default::default();
        let stores = i32::from(matches!(self.flow.instruction(pc).op, Op::Store(_)));
        self.apart(|this| {
            // Each lane where its last access was.
            this.text.begin(&several);
            let [begin, size, host] =
                [field!(near.bases), field!(near.sizes), field!(near.hosts)].map(|at| {
                    let at = this.at("%context", at);
                    this.text.value(format_args!("load <32 x i64>, ptr {at}, align 64"))
                });
            let offsets = this.text.value(format_args!("sub <32 x i64> {addresses}, {begin}"));
            let last = this.text.value(format_args!("add <32 x i64> {offsets}, {ones}"));
            let [first, last] = [&offsets, &last]
                .map(|offset| this.text.value(format_args!("icmp ult <32 x i64> {offset}, {size}")));
            let inside = this.text.value(format_args!("and <32 x i1> {first}, {last}"));
            let good = this.text.value(format_args!("and <32 x i1> {inside}, {aligned}"));
            let good = this.text.value(format_args!("bitcast <32 x i1> {good} to i32"));
            let good = this.text.value(format_args!("and i32 {good}, {active}"));
            let all = this.text.value(format_args!("icmp eq i32 {good}, {active}"));
            this.text.line(format_args!("br i1 {all}, label %{near}, label %{far}, !prof !0"));
            this.text.begin(&near);
            this.count_apart(&active, 0);
            let places = this.text.value(format_args!("add <32 x i64> {host}, {offsets}"));
            in_own = this.text.value(format_args!("inttoptr <32 x i64> {places} to <32 x ptr>"));
            this.text.line(format_args!("br label %{known}"));
            this.text.begin(&known);
            this.text.line(format_args!("br label %{join}"));
            this.text.begin(&far);
            let at = this.at("%context", field!(locate_lanes));
            let locate = this.text.value(format_args!("load ptr, ptr {at}"));
            let result = this.text.value(format_args!(
                "call i32 {locate}(ptr %context, i32 {active}, i32 {bytes}, i32 {stores}, i32 {number})"
            ));
            let good = this.text.value(format_args!("icmp ne i32 {result}, 0"));
            this.text.line(format_args!("br i1 {good}, label %{found}, label %{slow}"));
            this.text.begin(&found);
            let at = this.at("%context", field!(addresses));
            let places = this.text.value(format_args!("load <32 x i64>, ptr {at}, align 64"));
            in_several = this.text.value(format_args!("inttoptr <32 x i64> {places} to <32 x ptr>"));
            this.text.line(format_args!("br label %{join}"));
        });
        self.text.begin(&join);
        self.text.value(format_args!(
            "phi <32 x ptr> [ {in_one}, %{fast} ], [ {in_own}, %{known} ], [ {in_several}, %{found} ]"
        ))
    }

    /// Counts the sectors of the addresses that are in the context, or, of words of so many bytes in shared memory, the
    /// passes over its banks.
    fn count_apart(&mut self, active: &str, shared_bytes: u32) {
        let at = self.at("%context", field!(count));
        let count = self.text.value(format_args!("load ptr, ptr {at}"));
        self.text.line(format_args!("call void {count}(ptr %context, i32 {active}, i32 {shared_bytes})"));
    }

    /// Shared memory as an allocation for accesses of so many bytes: as the fields of an [`InlineCache`].
    fn shared_window(&mut self, bytes: u32) -> [String; 3] {
        let size = self.field("i64", field!(shared_bytes));
        let limit =
            self.text.value(format_args!("call i64 @llvm.usub.sat.i64(i64 {size}, i64 {})", bytes - 1));
        ["0".to_owned(), limit, "%shared".to_owned()]
    }

    /// The lanes that run, as bits.
    pub(super) fn active_bits(&self) -> String {
        if self.lanes == Lanes::All { "splat (i1 true)".to_owned() } else { self.mask.1.clone() }
    }

    /// The lanes that run, as bits of a word.
    pub(super) fn active(&self) -> String {
        if self.lanes == Lanes::All { "-1".to_owned() } else { self.mask.0.clone() }
    }

    /// A load by lanes whose addresses have nothing in common.
    pub(super) fn load_apart(&mut self, pc: u32, access: &MemoryAccess, reg: u32) -> bool {
        let dest = access.regs[0];
        if !self.is_apart(access) || dest & CONSTANT != 0 {
            return false;
        }
        self.needs_defined((Class::B64, reg), pc);
        let (slow, next) = (self.text.label(), self.text.label());
        let from = self.locate_apart(pc, access, reg, &slow);
        let class = if access.wide { Class::B64 } else { Class::B32 };
        let (size, word) = (access.ty.size(), Self::word(class));
        let bits = self.active_bits();
        let loaded = self.text.value(format_args!(
            "call <32 x i{0}> @llvm.masked.gather.v32i{0}.v32p0(<32 x ptr> align {size} {from}, <32 x i1> {bits}, \
             <32 x i{0}> zeroinitializer)",
            size * 8
        ));
        let fast = self.extended(access, &loaded, Width::All);
        let fast_end = self.text.label();
        self.text.line(format_args!("br label %{fast_end}"));
        self.text.begin(&fast_end);
        self.text.line(format_args!("br label %{next}"));
        let slow_end = self.text.label();
        let mut slowly = Default::default();
        self.apart(|this| {
            this.text.begin(&slow);
            this.execute_apart(pc);
            slowly = this.executed((class, dest), &format!("<32 x {word}>"));
            this.text.line(format_args!("br label %{slow_end}"));
            this.text.begin(&slow_end);
            this.text.line(format_args!("br label %{next}"));
        });
        self.text.begin(&next);
        let (slowly, flags) = slowly;
        let name = self
            .text
            .value(format_args!("phi <32 x {word}> [ {fast}, %{fast_end} ], [ {slowly}, %{slow_end} ]"));
        let undefined = (access.address.space == Space::Generic)
            .then(|| self.text.value(format_args!("phi i32 [ 0, %{fast_end} ], [ {flags}, %{slow_end} ]")));
        self.set_undefined((class, dest), undefined);
        self.set_result(pc, (class, dest), Value { name, variation: Variation::Varying });
        true
    }

    /// Lets the interpreter's function execute an access, on a path that is seldom taken.
    fn execute_apart(&mut self, pc: u32) {
        self.spread(pc);
        self.store_pending();
        let active = self.active();
        self.call_execute(pc, &active);
    }

    /// The values and the undefined lanes of a register that the interpreter's function has loaded.
    fn executed(&mut self, (class, reg): Register, ty: &str) -> (String, String) {
        if reg == SINK {
            return ("poison".to_owned(), "0".to_owned());
        }
        let plane = self.plane((class, reg));
        let value = self.text.value(format_args!("load {ty}, ptr {plane}, align 4"));
        let base = if class == Class::B32 { "%states32" } else { "%states64" };
        let at = self.at(base, reg * 8 + 4);
        (value, self.text.value(format_args!("load i32, ptr {at}")))
    }

    /// Ends a store: another path leaves it to the interpreter's function.
    fn or_execute(&mut self, pc: u32, slow: &str) {
        let next = self.text.label();
        self.text.line(format_args!("br label %{next}"));
        self.apart(|this| {
            this.text.begin(slow);
            this.execute_apart(pc);
            this.text.line(format_args!("br label %{next}"));
        });
        self.text.begin(&next);
    }

    /// As [`Translator::load_apart`], of a store.
    pub(super) fn write_apart(&mut self, pc: u32, access: &MemoryAccess, reg: u32) -> bool {
        if !self.is_apart(access) {
            return false;
        }
        let class = if access.wide { Class::B64 } else { Class::B32 };
        let source = (class, access.regs[0]);
        self.needs_defined((Class::B64, reg), pc);
        self.needs_defined(source, pc);
        let slow = self.text.label();
        // Read before the paths part.
        let value = self.vector_of(source);
        let to = self.locate_apart(pc, access, reg, &slow);
        let (bits, element) = (self.active_bits(), format!("<32 x i{}>", access.ty.size() * 8));
        let from = Width::All.of(Self::word(class));
        let value = match from == element {
            true => value,
            false => self.text.value(format_args!("trunc {from} {value} to {element}")),
        };
        // Of lanes that store to one address, the last one's value stays, as the function promises.
        self.text.line(format_args!(
            "call void @llvm.masked.scatter.v32i{0}.v32p0({element} {value}, <32 x ptr> align {1} {to}, <32 x i1> {bits})",
            access.ty.size() * 8,
            access.ty.size()
        ));
        self.or_execute(pc, &slow);
        true
    }

    /// A shuffle by all lanes from lanes that are known.
    pub(super) fn shuffle(&mut self, sync: &WarpSync) -> bool {
        let SyncKind::Shuffle { mode, dest, valid, value, lane, clamp } = sync.kind else { return false };
        let literal = |reg| self.flow.literal32(reg);
        let (Some(u32::MAX), Some(by), Some(clamp)) = (literal(sync.mask), literal(lane), literal(clamp))
        else {
            return false;
        };
        if self.lanes != Lanes::All || self.undefined_lanes((Class::B32, value)).is_some() {
            return false;
        }
        let sources: Vec<(u32, bool)> =
            (0..LANES as u32).map(|lane| shuffle_source(mode, lane, by, clamp)).collect();
        let inside =
            sources.iter().enumerate().fold(0u32, |mask, (lane, source)| mask | u32::from(source.1) << lane);
        let order: Vec<String> = sources.iter().map(|source| format!("i32 {}", source.0)).collect();
        let value = self.vector_of((Class::B32, value));
        let name = self.text.value(format_args!(
            "shufflevector <32 x i32> {value}, <32 x i32> poison, <32 x i32> <{}>",
            order.join(", ")
        ));
        self.add_to_field(field!(shuffles), 1);
        self.set_undefined((Class::B32, dest), None);
        self.set((Class::B32, dest), Value { name, variation: Variation::Varying });
        self.set_undefined((Class::Pred, valid), None);
        if valid & CONSTANT == 0 {
            self.set_pred(valid, inside.cast_signed().to_string());
        }
        true
    }

    /// A store; see [`Translator::native`].
    pub(super) fn write(&mut self, pc: u32, access: &MemoryAccess) -> bool {
        if access.order.releases() {
            return false;
        }
        let reg = match access.address.base {
            AddressBase::Kernel => return false,
            AddressBase::Frame => return self.write_frame(access, access.address.offset),
            AddressBase::Reg(reg) => reg,
        };
        if access.ty.size() == 8 && !access.wide {
            return false;
        }
        let space = access.address.space;
        if matches!(space, Space::Generic | Space::Local)
            && let Some(offset) = self.frame_offset(access, reg)
        {
            return self.write_frame(access, offset);
        }
        if !matches!(space, Space::Global | Space::Generic | Space::Shared) {
            return false;
        }
        let bytes = access.ty.size() * u32::from(access.count);
        let Some((address, stride)) = self.address(access, reg) else {
            return self.write_apart(pc, access, reg);
        };
        let class = if access.wide { Class::B64 } else { Class::B32 };
        let regs = access.regs[..usize::from(access.count)].to_vec();
        let values: Vec<Value> = regs.iter().map(|&reg| self.get((class, reg))).collect();
        // Of several lanes that store to one address, the last one's value stays.
        let same = stride == 0 && values.iter().all(|value| self.is_single(value));
        if !same && (stride != i64::from(bytes) || access.count != 1) {
            return self.write_apart(pc, access, reg);
        }
        self.needs_defined((Class::B64, reg), pc);
        for &reg in &regs {
            // A generic address may be of local memory, which may hold undefined bytes: that is for the interpreter.
            self.needs_defined((class, reg), pc);
        }
        let extent = if same { u64::from(bytes) } else { u64::from(bytes) * LANES as u64 };
        let slow = self.text.label();
        let to = match space {
            Space::Shared => self.locate_shared(&address, bytes, extent, &slow),
            _ => self.locate(pc, &address, bytes, extent, &slow),
        };
        self.count_row(space, &address, extent, bytes);
        let size = access.ty.size();
        let width = if same { Width::One } else { Width::All };
        for (k, value) in values.iter().enumerate() {
            let name = match same {
                true => value.name.clone(),
                false => self.vector(class, value),
            };
            let (from, element) = (width.of(Self::word(class)), width.of(&format!("i{}", size * 8)));
            let name = match from == element {
                true => name,
                false => self.text.value(format_args!("trunc {from} {name} to {element}")),
            };
            let at = self.at(&to, k * size as usize);
            let volatile = volatile(access);
            self.text.line(format_args!("store {volatile}{element} {name}, ptr {at}, align {size}"));
        }
        self.or_execute(pc, &slow);
        true
    }
}

/// The word that keeps an access as it is where it is for communication between threads.
fn volatile(access: &MemoryAccess) -> &'static str {
    if access.order == MemoryOrder::Weak { "" } else { "volatile " }
}
