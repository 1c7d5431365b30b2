//! Functions as LLVM IR.
//!
//! Registers are where the interpreter has them: each operation reads planes and stores its result's, so that compiled
//! code may end before any instruction and the interpreter goes on there. Within a basic block values stay in registers of
//! the host, and a plane is stored when something can end the code or read it. A register that does not vary, or by a
//! constant stride, is one scalar instead ([`Variation`]).

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::mem::offset_of;

use super::abi::{Context, Ending};
use super::operations::Operations;
use super::text::{Text, Width};
use super::variation::{Flow, State, Variation};
use crate::instruction::{CONSTANT, Guard, Instruction, Logic, Op, SpecialRegister, TRUE};
use crate::memory::address_space::space_base;
use crate::registers::{Class, Register, operands, read, written};
use crate::semantics::{Bin32, Bin64, LANES, Tri32, Wide};

/// The lanes that code is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Lanes {
    /// All 32: nothing is masked, and registers may be scalars.
    All,
    /// Those of a mask.
    Some,
    /// One.
    One,
}

/// A function as IR.
pub(crate) struct Translation {
    pub text: String,
    /// The accesses with a [`InlineCache`]: of each, the instruction, and the bytes from the first to the last one of all lanes.
    pub caches: Vec<(u32, u64)>,
}

/// A value of a register: its name in the IR, and how it varies. What varies is a vector, unless code is for one lane.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub name: String,
    pub variation: Variation,
}

/// The IR of one function.
pub(super) struct Translator<'f> {
    pub flow: &'f Flow,
    pub lanes: Lanes,
    /// The lanes that run, if not all do: as bits of a word, and as a value of one bit for each.
    pub mask: (String, String),
    /// How many these are.
    pub threads: String,
    /// Where local memory and its undefined lanes are, which a call may move.
    pub local: (String, String),
    pub has_calls: bool,
    /// The one lane, in code for one: as words of 64 and of 32 bits.
    pub lane: (String, String),
    /// Idle lanes of the instruction that is translated, where they are counted before it is certain that the code does not
    /// end in front of it.
    pub counted_idle: Option<String>,
    pub text: Text,
    pub state: State,
    /// Values of the basic block so far.
    pub known: HashMap<Register, Value>,
    /// Predicates as values of one bit for each lane.
    pub bits: HashMap<u32, String>,
    /// The undefined lanes of registers that may have some, `None` if they have none; those of others are in memory.
    pub undefined: HashMap<Register, Option<String>>,
    /// Registers whose values are not stored yet.
    pub pending: BTreeMap<(u8, u32), Register>,
    pub exits: BTreeMap<(u32, u32), String>,
    /// Blocks that are seldom executed, which follow all others.
    pub cold: String,
    pub caches: Vec<(u32, u64)>,
    pub parameter_bytes: u32,
}

/// The name of a compiled function.
pub(crate) const SYMBOL: &str = "warp";

/// Translates a function for some lanes. `parameter_bytes` are those of the kernel if it is one.
pub(crate) fn translate(flow: &Flow, lanes: Lanes, parameter_bytes: u32) -> Translation {
    let mut translator = Translator {
        flow,
        lanes,
        mask: ("%maskbits".to_owned(), "%mask".to_owned()),
        threads: if lanes == Lanes::All { "32".to_owned() } else { "%threads".to_owned() },
        local: ("%local".to_owned(), "%local_undefined".to_owned()),
        has_calls: flow.has_calls(),
        lane: ("%lane".to_owned(), "%lane32".to_owned()),
        counted_idle: None,
        text: Text::default(),
        state: flow.state(0),
        known: HashMap::new(),
        bits: HashMap::new(),
        undefined: HashMap::new(),
        pending: BTreeMap::new(),
        exits: BTreeMap::new(),
        cold: String::new(),
        caches: Vec::new(),
        parameter_bytes,
    };
    translator.function();
    let Translator { text, caches, .. } = translator;
    Translation { text: text.out, caches }
}

/// Where a field of the context is.
macro_rules! field {
    ($($field:ident).+) => {
        offset_of!(Context, $($field).+)
    };
}

pub(super) use field;

impl Translator<'_> {
    pub(super) fn width(&self) -> Width {
        if self.lanes == Lanes::One { Width::One } else { Width::All }
    }

    pub(super) fn operations(&mut self, width: Width) -> Operations<'_> {
        Operations { text: &mut self.text, width }
    }

    // The function.

    pub(super) fn function(&mut self) {
        self.text.out += &format!("define i32 @{SYMBOL}(ptr %context, i32 %entry) #0 {{\n");
        self.text.begin("start");
        for (name, at) in [
            ("b32", field!(registers.b32)),
            ("b64", field!(registers.b64)),
            ("states32", field!(registers.states32)),
            ("states64", field!(registers.states64)),
            ("preds", field!(registers.preds)),
            ("undefined_preds", field!(registers.undefined_preds)),
            ("scalars32", field!(registers.scalars32)),
            ("scalars64", field!(registers.scalars64)),
            ("constants64", field!(constants64)),
            ("local", field!(local)),
            ("local_undefined", field!(local_undefined)),
            ("shared", field!(shared)),
            ("params", field!(params)),
            ("caches", field!(caches)),
            ("execute", field!(execute)),
            ("call", field!(call)),
        ] {
            self.text.line(format_args!("%{name}.at = getelementptr i8, ptr %context, i64 {at}"));
            self.text.line(format_args!("%{name} = load ptr, ptr %{name}.at"));
        }
        match self.lanes {
            Lanes::All => {}
            Lanes::Some => {
                let mask = self.field("i32", field!(mask));
                self.text.line(format_args!("%mask = bitcast i32 {mask} to <32 x i1>"));
                self.text.line(format_args!("%maskbits = add i32 {mask}, 0"));
            }
            Lanes::One => {
                let mask = self.field("i32", field!(mask));
                self.text.line(format_args!("%maskbits = add i32 {mask}, 0"));
                let lane = self.field("i32", field!(lane));
                self.text.line(format_args!("%lane = zext i32 {lane} to i64"));
                self.text.line(format_args!("%lane32 = add i32 {lane}, 0"));
            }
        }
        if self.lanes != Lanes::All {
            for (name, at) in [("watch_from", field!(watch_from)), ("watch_length", field!(watch_length))] {
                let value = self.field("i32", at);
                self.text.line(format_args!("%{name} = add i32 {value}, 0"));
            }
            let threads = self.field("i32", field!(threads));
            self.text.line(format_args!("%threads = zext i32 {threads} to i64"));
        }
        let cases: Vec<String> =
            (0..self.flow.blocks.len()).map(|b| format!("i32 {b}, label %block{b}")).collect();
        self.text.line(format_args!("switch i32 %entry, label %nowhere [ {} ]", cases.join(" ")));
        self.text.begin("nowhere");
        self.text.line("unreachable");
        for b in 0..self.flow.blocks.len() {
            self.block(b);
        }
        self.text.out += &std::mem::take(&mut self.cold);
        for ((pc, ending), label) in std::mem::take(&mut self.exits) {
            self.text.begin(label);
            self.set_field("i32", field!(pc), pc);
            self.text.line(format_args!("ret i32 {ending}"));
        }
        self.text.out += "}\nattributes #0 = { nounwind }\n!0 = !{!\"branch_weights\", i32 1000, i32 1}\n";
    }

    pub(super) fn block(&mut self, b: usize) {
        let block = self.flow.blocks[b].clone();
        self.state = self.flow.state(b);
        self.forget();
        self.text.begin(format_args!("block{b}"));
        if self.lanes != Lanes::All {
            // Whether the group has met another one.
            let from = self.text.value(format_args!("sub i32 {}, %watch_from", block.start));
            let meets = self.text.value(format_args!("icmp ule i32 {from}, %watch_length"));
            let exit = self.exit(block.start, Ending::Block);
            let next = self.text.label();
            self.text.line(format_args!("br i1 {meets}, label %{exit}, label %{next}"));
            self.text.begin(next);
        }
        let fuel = self.field("i64", field!(fuel));
        let ended = self.text.value(format_args!("icmp sle i64 {fuel}, 0"));
        let exit = self.exit(block.start, Ending::Block);
        let next = self.text.label();
        self.text.line(format_args!("br i1 {ended}, label %{exit}, label %{next}"));
        self.text.begin(next);
        if self.has_calls {
            self.local = (self.field("ptr", field!(local)), self.field("ptr", field!(local_undefined)));
        }
        let rest = self.text.value(format_args!("sub i64 {fuel}, {}", block.end - block.start));
        self.set_field("i64", field!(fuel), rest);
        let range = block.start as usize..block.end as usize;
        let counted = self.flow.linked().code[range].iter().filter(|instruction| instruction.counted).count();
        self.add_to_field(field!(counted), counted);
        for pc in block.start..block.end {
            if self.instruction(b, pc) {
                return;
            }
            self.flow.step(&mut self.state, pc);
        }
        self.leave(b, block.successors.first().copied());
    }

    /// Ends a basic block: the next one is another.
    pub(super) fn leave(&mut self, b: usize, next: Option<usize>) {
        self.flush_at_end(b);
        match next {
            Some(next) => {
                self.settle(next);
                self.text.line(format_args!("br label %block{next}"));
            }
            None => {
                // The code ends here: its last instruction has ended it.
                let exit = self.exit(self.flow.blocks[b].end - 1, Ending::Interpret);
                self.text.line(format_args!("br label %{exit}"));
            }
        }
    }

    /// Makes registers vary that do in a block which follows.
    pub(super) fn settle(&mut self, next: usize) {
        let there = self.flow.state(next);
        let here: Vec<(Register, Variation)> = self.flow.variations(&self.state).collect();
        let claimed: Vec<Variation> = self.flow.variations(&there).map(|(_, claimed)| claimed).collect();
        for ((register, known), claimed) in here.into_iter().zip(claimed) {
            let is_needed = known.is_scalar() && !claimed.is_scalar() && self.lanes == Lanes::All;
            if is_needed && self.flow.is_kept_in(next, register) {
                let value = self.get(register);
                let vector = self.vector(register.0, &value);
                self.store_plane(register, &vector);
            }
        }
    }

    pub(super) fn forget(&mut self) {
        self.known.clear();
        self.bits.clear();
        self.undefined.clear();
        self.pending.clear();
    }

    /// The label of an ending.
    pub(super) fn exit(&mut self, pc: u32, ending: Ending) -> String {
        self.exits.entry((pc, ending as u32)).or_insert_with(|| format!("x{pc}.{}", ending as u32)).clone()
    }

    /// Ends the code in front of an instruction unless a condition holds.
    pub(super) fn unless(&mut self, condition: &str, pc: u32) {
        if condition == "true" {
            return;
        }
        let (next, stop) = (self.text.label(), self.text.label());
        self.text.line(format_args!("br i1 {condition}, label %{next}, label %{stop}, !prof !0"));
        self.text.begin(next);
        self.apart(|this| {
            this.text.begin(stop);
            this.store_pending();
            if let Some(idle) = this.counted_idle.clone() {
                let more = this.text.value(format_args!("sub i64 0, {idle}"));
                this.add_to_field(field!(idle), more);
            }
            let exit = this.exit(pc, Ending::Interpret);
            this.text.line(format_args!("br label %{exit}"));
        });
    }

    /// Writes blocks that are seldom executed.
    pub(super) fn apart(&mut self, write: impl FnOnce(&mut Self)) {
        let before = std::mem::take(&mut self.text.out);
        // What is read there is not known elsewhere.
        let known = (self.known.clone(), self.bits.clone(), self.undefined.clone());
        write(self);
        (self.known, self.bits, self.undefined) = known;
        let cold = std::mem::replace(&mut self.text.out, before);
        self.cold += &cold;
    }

    /// Stores the values that are not stored yet, on a path that others do not follow.
    pub(super) fn store_pending(&mut self) {
        for register in self.pending.values().copied().collect::<Vec<_>>() {
            self.store(register);
        }
    }

    // Fields of the context, and memory.

    pub(super) fn at(&mut self, base: &str, offset: impl Display) -> String {
        self.text.value(format_args!("getelementptr i8, ptr {base}, i64 {offset}"))
    }

    pub(super) fn field(&mut self, ty: &str, at: usize) -> String {
        let at = self.at("%context", at);
        self.text.value(format_args!("load {ty}, ptr {at}"))
    }

    pub(super) fn set_field(&mut self, ty: &str, at: usize, value: impl Display) {
        let at = self.at("%context", at);
        self.text.line(format_args!("store {ty} {value}, ptr {at}"));
    }

    pub(super) fn add_to_field(&mut self, at: usize, value: impl Display) {
        let at = self.at("%context", at);
        let old = self.text.value(format_args!("load i64, ptr {at}"));
        let new = self.text.value(format_args!("add i64 {old}, {value}"));
        self.text.line(format_args!("store i64 {new}, ptr {at}"));
    }

    // Registers.

    /// The type of one lane of a register class.
    pub(super) fn word(class: Class) -> &'static str {
        match class {
            Class::B32 => "i32",
            Class::B64 => "i64",
            Class::Pred => "i1",
        }
    }

    /// Where a register's plane is, or its lane's value.
    pub(super) fn plane(&mut self, (class, reg): Register) -> String {
        let (base, size) = if class == Class::B32 { ("%b32", 4) } else { ("%b64", 8) };
        let plane = self.at(base, reg as usize * size * LANES);
        match self.lanes {
            Lanes::One => {
                self.text.value(format_args!("getelementptr i{}, ptr {plane}, i64 {}", size * 8, self.lane.0))
            }
            _ => plane,
        }
    }

    /// The value of a register that is no predicate.
    pub(super) fn get(&mut self, register: Register) -> Value {
        let (class, reg) = register;
        if let Some(known) = self.known.get(&register) {
            return known.clone();
        }
        if reg & CONSTANT != 0 {
            let name = match class {
                Class::B32 => self.flow.literal32(reg).unwrap_or(0).cast_signed().to_string(),
                _ => match self.flow.literal64(reg) {
                    Some(literal) => literal.to_string(),
                    None => {
                        let at = self.at("%constants64", (reg & !CONSTANT) as usize * 8 * LANES);
                        self.text.value(format_args!("load i64, ptr {at}"))
                    }
                },
            };
            return Value { name, variation: Variation::Uniform };
        }
        let variation = self.flow.variation(&self.state, register);
        let word = Self::word(class);
        let name = if self.lanes == Lanes::All && variation.is_scalar() {
            let base = if class == Class::B32 { "%scalars32" } else { "%scalars64" };
            let at = self.at(base, reg * 8);
            self.text.value(format_args!("load {word}, ptr {at}"))
        } else {
            let at = self.plane(register);
            let (ty, align) = (self.width().of(word), if self.lanes == Lanes::One { 4 } else { 64 });
            self.text.value(format_args!("load {ty}, ptr {at}, align {align}"))
        };
        let variation = match self.lanes {
            Lanes::One => Variation::Uniform,
            Lanes::All if variation.is_scalar() => variation,
            _ => Variation::Varying,
        };
        let value = Value { name, variation };
        self.known.insert(register, value.clone());
        value
    }

    /// A value as a vector of the lanes, or as the value of the one lane.
    pub(super) fn vector(&mut self, class: Class, value: &Value) -> String {
        if self.lanes == Lanes::One {
            return value.name.clone();
        }
        let word = Self::word(class);
        let Some(stride) = value.variation.stride() else { return value.name.clone() };
        let one =
            self.text.value(format_args!("insertelement <32 x {word}> poison, {word} {}, i64 0", value.name));
        let all = self.text.value(format_args!(
            "shufflevector <32 x {word}> {one}, <32 x {word}> poison, <32 x i32> zeroinitializer"
        ));
        if stride == 0 {
            return all;
        }
        let steps = steps(word, stride);
        self.text.value(format_args!("add <32 x {word}> {all}, {steps}"))
    }

    pub(super) fn vector_of(&mut self, register: Register) -> String {
        let value = self.get(register);
        self.vector(register.0, &value)
    }

    /// Whether one value stands for all lanes in the code.
    pub(super) fn is_single(&self, value: &Value) -> bool {
        value.variation == Variation::Uniform
    }

    /// Sets a register in the lanes that run.
    pub(super) fn set(&mut self, register: Register, value: Value) {
        if register.1 & CONSTANT != 0 {
            return;
        }
        self.known.insert(register, value);
        self.pending.insert((register.0 as u8, register.1), register);
    }

    /// As [`Translator::set`], to a value in the form that is claimed of the register behind the instruction.
    pub(super) fn set_result(&mut self, pc: u32, register: Register, value: Value) {
        let claimed = match self.lanes {
            Lanes::All => self.flow.varies(&self.state, self.flow.instruction(pc)),
            _ => Variation::Varying,
        };
        let value = match (self.lanes, claimed.is_scalar()) {
            (Lanes::One, _) => Value { variation: Variation::Uniform, ..value },
            (_, true) => Value { variation: claimed, ..value },
            _ => Value { name: self.vector(register.0, &value), variation: Variation::Varying },
        };
        self.set(register, value);
    }

    /// Stores the values that are not stored yet.
    pub(super) fn flush(&mut self) {
        for register in std::mem::take(&mut self.pending).into_values() {
            self.store(register);
        }
    }

    /// As [`Translator::flush`], at the end of a block: not the values that nothing looks at any more.
    pub(super) fn flush_at_end(&mut self, b: usize) {
        self.pending.retain(|_, register| self.flow.is_kept(b, *register));
        self.flush();
    }

    pub(super) fn store(&mut self, register: Register) {
        let (class, reg) = register;
        if class == Class::Pred {
            self.store_pred(reg);
            return;
        }
        let Some(value) = self.known.get(&register).cloned() else { return };
        if self.lanes == Lanes::All && value.variation.is_scalar() {
            let (word, base) =
                (Self::word(class), if class == Class::B32 { "%scalars32" } else { "%scalars64" });
            let at = self.at(base, reg * 8);
            self.text.line(format_args!("store {word} {}, ptr {at}", value.name));
            return;
        }
        self.store_plane(register, &value.name);
    }

    /// Stores a register's plane, in the lanes that run, and its undefined lanes.
    pub(super) fn store_plane(&mut self, register: Register, value: &str) {
        let (class, reg) = register;
        let at = self.plane(register);
        let (ty, align) = (self.width().of(Self::word(class)), if self.lanes == Lanes::One { 4 } else { 64 });
        let value = match self.lanes {
            Lanes::Some => {
                let old = self.text.value(format_args!("load {ty}, ptr {at}, align {align}"));
                self.text.value(format_args!("select <32 x i1> {}, {ty} {value}, {ty} {old}", self.mask.1))
            }
            _ => value.to_owned(),
        };
        self.text.line(format_args!("store {ty} {value}, ptr {at}, align {align}"));
        let base = if class == Class::B32 { "%states32" } else { "%states64" };
        let at = self.at(base, reg * 8 + 4);
        self.store_undefined(&at, register);
    }

    /// Stores the undefined lanes of a register.
    pub(super) fn store_undefined(&mut self, at: &str, register: Register) {
        let lanes = self.undefined.get(&register).cloned().flatten();
        let flags = match (self.lanes, lanes) {
            (Lanes::All, None) => "0".to_owned(),
            (Lanes::All, Some(lanes)) => lanes,
            (_, lanes) => {
                let old = self.text.value(format_args!("load i32, ptr {at}"));
                let unmask = self.text.value(format!("xor i32 {}, -1", self.mask.0));
                let kept = self.text.value(format_args!("and i32 {old}, {unmask}"));
                match lanes {
                    None => kept,
                    Some(lanes) => {
                        let new = self.text.value(format_args!("and i32 {lanes}, {}", self.mask.0));
                        self.text.value(format_args!("or i32 {kept}, {new}"))
                    }
                }
            }
        };
        self.text.line(format_args!("store i32 {flags}, ptr {at}"));
    }

    /// The lanes in which a register is undefined; `None` if there can be none.
    pub(super) fn undefined_lanes(&mut self, register: Register) -> Option<String> {
        let (class, reg) = register;
        if reg & CONSTANT != 0 || self.flow.is_defined(&self.state, register) {
            return None;
        }
        if let Some(known) = self.undefined.get(&register) {
            return known.clone();
        }
        let at = match class {
            Class::B32 => self.at("%states32", reg * 8 + 4),
            Class::B64 => self.at("%states64", reg * 8 + 4),
            Class::Pred => self.at("%undefined_preds", reg * 4),
        };
        let lanes = self.text.value(format_args!("load i32, ptr {at}"));
        self.undefined.insert(register, Some(lanes.clone()));
        Some(lanes)
    }

    /// Sets the undefined lanes of a register that is set; `None` if it has none.
    pub(super) fn set_undefined(&mut self, register: Register, lanes: Option<String>) {
        self.undefined.insert(register, lanes);
    }

    pub(super) fn either(&mut self, a: Option<String>, b: Option<String>) -> Option<String> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.text.value(format_args!("or i32 {a}, {b}"))),
            (known, None) | (None, known) => known,
        }
    }

    pub(super) fn both(&mut self, a: Option<String>, b: Option<String>) -> Option<String> {
        Some(self.text.value(format_args!("and i32 {}, {}", a?, b?)))
    }

    /// Ends the code in front of an instruction if a register is undefined in a lane that runs.
    pub(super) fn needs_defined(&mut self, register: Register, pc: u32) {
        let Some(lanes) = self.undefined_lanes(register) else { return };
        let lanes = match self.lanes {
            Lanes::All => lanes,
            _ => self.text.value(format_args!("and i32 {lanes}, {}", self.mask.0)),
        };
        let none = self.text.value(format_args!("icmp eq i32 {lanes}, 0"));
        self.unless(&none, pc);
    }

    // Predicates.

    /// The lanes in which a predicate is true, or for one lane whether it is.
    pub(super) fn pred(&mut self, reg: u32) -> String {
        if reg & CONSTANT != 0 {
            return match (self.lanes, reg == TRUE) {
                (Lanes::One, is_true) => u8::from(is_true).to_string(),
                (_, true) => "-1".to_owned(),
                (_, false) => "0".to_owned(),
            };
        }
        if let Some(known) = self.known.get(&(Class::Pred, reg)) {
            return known.name.clone();
        }
        let at = self.at("%preds", reg * 4);
        let mut name = self.text.value(format_args!("load i32, ptr {at}"));
        if self.lanes == Lanes::One {
            let bit = self.text.value(format_args!("and i32 {name}, {}", self.mask.0));
            name = self.text.value(format_args!("icmp ne i32 {bit}, 0"));
        }
        self.known.insert((Class::Pred, reg), Value { name: name.clone(), variation: Variation::Varying });
        name
    }

    /// A predicate as a value of one bit for each lane.
    pub(super) fn pred_bits(&mut self, reg: u32) -> String {
        if self.lanes == Lanes::One {
            return self.pred(reg);
        }
        if let Some(known) = self.bits.get(&reg) {
            return known.clone();
        }
        let mask = self.pred(reg);
        let bits = self.text.value(format_args!("bitcast i32 {mask} to <32 x i1>"));
        self.bits.insert(reg, bits.clone());
        bits
    }

    /// A predicate of the one lane, or one that is the same in all lanes.
    pub(super) fn pred_bit(&mut self, reg: u32) -> String {
        let value = self.pred(reg);
        match self.lanes {
            Lanes::One => value,
            _ => self.text.value(format_args!("trunc i32 {value} to i1")),
        }
    }

    pub(super) fn set_pred(&mut self, reg: u32, name: String) {
        self.bits.remove(&reg);
        self.set((Class::Pred, reg), Value { name, variation: Variation::Varying });
    }

    /// Sets a predicate to a comparison's result: one bit, or one for each lane.
    pub(super) fn set_pred_bits(&mut self, reg: u32, bits: String, is_single: bool) {
        if reg & CONSTANT != 0 {
            return;
        }
        if self.lanes == Lanes::One {
            self.set_pred(reg, bits);
        } else if is_single {
            let mask = self.text.value(format_args!("sext i1 {bits} to i32"));
            self.set_pred(reg, mask);
        } else {
            let mask = self.text.value(format_args!("bitcast <32 x i1> {bits} to i32"));
            self.set_pred(reg, mask);
            self.bits.insert(reg, bits);
        }
    }

    pub(super) fn store_pred(&mut self, reg: u32) {
        let Some(Value { name, .. }) = self.known.get(&(Class::Pred, reg)).cloned() else { return };
        let at = self.at("%preds", reg * 4);
        let mask = match self.lanes {
            Lanes::All => name,
            _ => {
                let old = self.text.value(format_args!("load i32, ptr {at}"));
                let unmask = self.text.value(format!("xor i32 {}, -1", self.mask.0));
                let kept = self.text.value(format_args!("and i32 {old}, {unmask}"));
                let all = match self.lanes {
                    Lanes::One => self.text.value(format_args!("sext i1 {name} to i32")),
                    _ => name,
                };
                let new = self.text.value(format_args!("and i32 {all}, {}", self.mask.0));
                self.text.value(format_args!("or i32 {kept}, {new}"))
            }
        };
        self.text.line(format_args!("store i32 {mask}, ptr {at}"));
        let at = self.at("%undefined_preds", reg * 4);
        self.store_undefined(&at, (Class::Pred, reg));
    }

    // Instructions.

    /// An instruction; returns whether it ends the basic block.
    pub(super) fn instruction(&mut self, b: usize, pc: u32) -> bool {
        let instruction = self.flow.instruction(pc);
        if let Op::Branch(target) = instruction.op {
            self.branch(b, pc, instruction, target);
            return true;
        }
        let is_split = instruction.guard != Guard::NONE && instruction.op.needs_whole_group();
        if self.flow.linked().changes_heap(&instruction.op) && !is_split {
            let active = self.active();
            self.execute(pc, &active);
            return false;
        }
        if self.flow.linked().calls_code(&instruction.op) && !is_split {
            self.flush();
            self.call_function(pc);
            self.forget();
            return false;
        }
        if ends_code(&instruction.op) || is_split {
            self.flush();
            let exit = self.exit(pc, Ending::Interpret);
            self.text.line(format_args!("br label %{exit}"));
            return true;
        }
        if instruction.guard != Guard::NONE {
            self.guarded(pc, instruction);
            return false;
        }
        if !self.native(pc, instruction) {
            let active = self.active();
            self.execute(pc, &active);
        }
        false
    }

    /// A branch, at the end of a basic block.
    pub(super) fn branch(&mut self, b: usize, pc: u32, instruction: &Instruction, target: u32) {
        let there = self.flow.block_at(target);
        let Some((guard, negated)) = instruction.guard.get() else {
            self.leave(b, there);
            return;
        };
        self.needs_defined((Class::Pred, guard), pc);
        let next = self.flow.block_at(pc + 1);
        let (Some(there), Some(next)) = (there, next) else {
            self.leave(b, None);
            return;
        };
        // The interpreter reads the guard where the lanes part.
        if self.pending.remove(&(Class::Pred as u8, guard)).is_some() {
            self.store((Class::Pred, guard));
        }
        self.flush_at_end(b);
        let (taken, other) = (self.text.label(), self.text.label());
        let (yes, no) = if negated { (&other, &taken) } else { (&taken, &other) };
        if self.lanes == Lanes::One {
            let condition = self.pred(guard);
            self.text.line(format_args!("br i1 {condition}, label %{yes}, label %{no}"));
        } else {
            let mut mask = self.pred(guard);
            let all = match self.lanes {
                Lanes::All => "-1",
                _ => {
                    mask = self.text.value(format_args!("and i32 {mask}, {}", self.mask.0));
                    &self.mask.0.clone()
                }
            };
            let diverges = self.parting(pc, instruction, target, negated, &mask);
            let rest = self.text.label();
            let is_all = self.text.value(format_args!("icmp eq i32 {mask}, {all}"));
            self.text.line(format_args!("br i1 {is_all}, label %{yes}, label %{rest}"));
            self.text.begin(&rest);
            let is_none = self.text.value(format_args!("icmp eq i32 {mask}, 0"));
            self.text.line(format_args!("br i1 {is_none}, label %{no}, label %{diverges}"));
        }
        self.text.begin(&taken);
        let known = self.known.clone();
        self.settle(there);
        // What is read there is not known on the other path.
        self.known = known;
        self.text.line(format_args!("br label %block{there}"));
        self.text.begin(&other);
        self.count_idle(instruction, None);
        self.settle(next);
        self.text.line(format_args!("br label %block{next}"));
    }

    /// Where the code goes on if some lanes take a branch and some do not, of which `mask` is the guard: in front of the branch
    /// in the interpreter, or with the block behind the branch for the lanes that do not take it, which then meet the others.
    pub(super) fn parting(
        &mut self,
        pc: u32,
        instruction: &Instruction,
        target: u32,
        negated: bool,
        mask: &str,
    ) -> String {
        let exit = self.exit(pc, Ending::Interpret);
        let body = self.flow.parts_before(pc, target).filter(|_| self.lanes == Lanes::All);
        let (Some(body), Some(there)) = (body, self.flow.block_at(target)) else { return exit };
        let begin = self.text.label();
        let (state, block) = (self.state.clone(), self.flow.blocks[body].clone());
        self.apart(|this| {
            this.text.begin(&begin);
            let may = this.field("i32", field!(may_part));
            let may = this.text.value(format_args!("icmp ne i32 {may}, 0"));
            let fuel = this.field("i64", field!(fuel));
            let has_fuel = this.text.value(format_args!("icmp sgt i64 {fuel}, 0"));
            let both = this.text.value(format_args!("and i1 {may}, {has_fuel}"));
            let next = this.text.label();
            this.text.line(format_args!("br i1 {both}, label %{next}, label %{exit}"));
            this.text.begin(&next);
            let taking = match negated {
                true => this.text.value(format_args!("xor i32 {mask}, -1")),
                false => mask.to_owned(),
            };
            this.count_idle(instruction, Some(&taking));
            // The lanes that run have registers of their own from here on.
            let registers: Vec<(Register, Variation)> = this.flow.variations(&this.state).collect();
            for (register, variation) in registers {
                let is_needed = this.flow.is_kept_in(body, register) || this.flow.is_kept_in(there, register);
                if variation.is_scalar() && is_needed {
                    let vector = this.vector_of(register);
                    this.undefined.remove(&register);
                    this.store_plane(register, &vector);
                }
            }
            this.set_field("i32", field!(parted), &taking);
            this.set_field("i32", field!(parted_pc), target);
            let running = this.text.value(format_args!("xor i32 {taking}, -1"));
            let waiting = this.count(&taking);
            let rest = this.text.value(format_args!("sub i64 {fuel}, {}", block.end - block.start));
            this.set_field("i64", field!(fuel), rest);
            let range = block.start as usize..block.end as usize;
            let code = &this.flow.linked().code[range];
            let counted = code.iter().filter(|instruction| instruction.counted).count();
            this.add_to_field(field!(counted), counted);
            let idle = this.text.value(format_args!("mul i64 {waiting}, {counted}"));
            this.add_to_field(field!(idle), idle);
            let pending = std::mem::take(&mut this.pending);
            let met = this.text.label();
            this.for_one_or_some(&running, &met, |this| {
                this.state = this.flow.state(body);
                for pc in block.start..block.end {
                    if matches!(this.flow.instruction(pc).op, Op::Branch(_)) {
                        break;
                    }
                    this.instruction(body, pc);
                    this.flow.step(&mut this.state, pc);
                }
                this.flush_at_end(body);
            });
            this.pending = pending;
            this.text.begin(&met);
            this.set_field("i32", field!(parted), 0);
            this.text.line(format_args!("br label %block{there}"));
        });
        self.state = state;
        begin
    }

    /// Writes code for some of the lanes that run, or for one: those of a mask. All values must have been stored, and those
    /// that it sets must be stored at its end.
    fn for_lanes(&mut self, lanes: Lanes, mask: &str, write: impl Fn(&mut Self)) {
        let outside = (
            (self.lanes, self.mask.clone(), self.threads.clone(), self.lane.clone()),
            (self.known.clone(), self.bits.clone(), self.undefined.clone()),
        );
        self.forget();
        self.lanes = lanes;
        if lanes == Lanes::One {
            let lane = self.text.value(format_args!("call i32 @llvm.cttz.i32(i32 {mask}, i1 false)"));
            self.lane = (self.text.value(format_args!("zext i32 {lane} to i64")), lane);
            (self.mask, self.threads) = ((mask.to_owned(), String::new()), "1".to_owned());
        } else {
            let bits = self.text.value(format_args!("bitcast i32 {mask} to <32 x i1>"));
            (self.mask, self.threads) = ((mask.to_owned(), bits), self.count(mask));
        }
        write(self);
        ((self.lanes, self.mask, self.threads, self.lane), (self.known, self.bits, self.undefined)) = outside;
    }

    /// As [`Translator::for_lanes`], for one lane and again for several; both go on at a label. Mostly it is one lane that
    /// stores what a warp has computed.
    fn for_one_or_some(&mut self, mask: &str, next: &str, write: impl Fn(&mut Self)) {
        let (one, several) = (self.text.label(), self.text.label());
        let count = self.text.value(format_args!("call i32 @llvm.ctpop.i32(i32 {mask})"));
        let is_one = self.text.value(format_args!("icmp eq i32 {count}, 1"));
        self.text.line(format_args!("br i1 {is_one}, label %{one}, label %{several}"));
        for (label, lanes) in [(one, Lanes::One), (several, Lanes::Some)] {
            self.text.begin(label);
            self.for_lanes(lanes, mask, &write);
            self.text.line(format_args!("br label %{next}"));
        }
    }

    /// How many lanes a mask has.
    fn count(&mut self, mask: &str) -> String {
        let count = self.text.value(format_args!("call i32 @llvm.ctpop.i32(i32 {mask})"));
        self.text.value(format_args!("zext i32 {count} to i64"))
    }

    /// Counts the lanes that do not execute a guarded instruction: all, or those outside of a mask. Returns how many it has
    /// counted.
    pub(super) fn count_idle(&mut self, instruction: &Instruction, active: Option<&str>) -> Option<String> {
        if !instruction.counted {
            return None;
        }
        let all = self.threads.clone();
        let idle = match active {
            None => all,
            Some(active) => {
                let count = self.count(active);
                self.text.value(format_args!("sub i64 {all}, {count}"))
            }
        };
        self.add_to_field(field!(idle), &idle);
        Some(idle)
    }

    /// An instruction with a guard, in the lanes in which it is true: code for some lanes, and of an access for one lane too.
    pub(super) fn guarded(&mut self, pc: u32, instruction: &Instruction) {
        let Some((guard, negated)) = instruction.guard.get() else { return };
        self.needs_defined((Class::Pred, guard), pc);
        // The interpreter's registers, as all paths need them.
        self.spread(pc);
        self.flush();
        let mask = self.pred(guard);
        let mask = match self.lanes {
            Lanes::One => self.text.value(format_args!("sext i1 {mask} to i32")),
            _ => mask,
        };
        let mask = if negated { self.text.value(format_args!("xor i32 {mask}, -1")) } else { mask };
        let active = match self.lanes {
            Lanes::All => mask,
            _ => self.text.value(format_args!("and i32 {mask}, {}", self.mask.0)),
        };
        let idle = self.count_idle(instruction, Some(&active));
        let (run, next) = (self.text.label(), self.text.label());
        let any = self.text.value(format_args!("icmp ne i32 {active}, 0"));
        self.text.line(format_args!("br i1 {any}, label %{run}, label %{next}"));
        self.text.begin(&run);
        self.counted_idle = idle;
        let write = |this: &mut Self| {
            if !this.native(pc, instruction) {
                this.call_execute(pc, &active);
            }
            this.flush();
        };
        if self.lanes != Lanes::One && matches!(instruction.op, Op::Load(_) | Op::Store(_)) {
            self.for_one_or_some(&active, &next, write);
        } else {
            let lanes = if self.lanes == Lanes::One { Lanes::One } else { Lanes::Some };
            self.for_lanes(lanes, &active, write);
            self.text.line(format_args!("br label %{next}"));
        }
        self.counted_idle = None;
        self.text.begin(&next);
        self.forget_results(&instruction.op);
    }

    /// Lets the interpreter's function execute an instruction in some lanes.
    pub(super) fn execute(&mut self, pc: u32, active: &str) {
        self.spread(pc);
        self.flush();
        self.call_execute(pc, active);
        let instruction = self.flow.instruction(pc);
        self.forget_results(&instruction.op);
        if self.lanes == Lanes::All && self.flow.varies(&self.state, instruction).is_scalar() {
            for register in written(&instruction.op) {
                if register.0 == Class::Pred || register.1 & CONSTANT != 0 {
                    continue;
                }
                let (word, plane) = (Self::word(register.0), self.plane(register));
                let name = self.text.value(format_args!("load {word}, ptr {plane}"));
                let variation = self.flow.varies(&self.state, instruction);
                self.set_undefined(register, None);
                self.set(register, Value { name, variation });
            }
        }
    }

    pub(super) fn call_execute(&mut self, pc: u32, active: &str) {
        let result = self.text.value(format_args!("call i32 %execute(ptr %context, i32 {pc}, i32 {active})"));
        let continues = self.text.value(format_args!("icmp eq i32 {result}, 0"));
        let exit = self.exit(pc, Ending::Executed);
        let next = self.text.label();
        self.text.line(format_args!("br i1 {continues}, label %{next}, label %{exit}, !prof !0"));
        self.text.begin(next);
    }

    /// Calls a function, which runs in compiled code, too.
    fn call_function(&mut self, pc: u32) {
        let result = self.text.value(format_args!("call i32 %call(ptr %context, i32 {pc})"));
        let (interpret, executed) = (self.exit(pc, Ending::Interpret), self.exit(pc, Ending::Executed));
        let next = self.text.label();
        self.text.line(format_args!(
            "switch i32 {result}, label %{executed} [ i32 0, label %{next} i32 1, label %{interpret} ]"
        ));
        self.text.begin(next);
    }

    /// Stores the planes of the registers that an instruction reads and a scalar stands for. If it is guarded, those that
    /// it writes, too: the other lanes keep their values.
    pub(super) fn spread(&mut self, pc: u32) {
        if self.lanes != Lanes::All {
            return;
        }
        let instruction = self.flow.instruction(pc);
        let mut registers = read(&instruction.op);
        if instruction.guard != Guard::NONE {
            registers.extend(written(&instruction.op));
        }
        registers.sort_unstable();
        registers.dedup();
        for register in registers {
            if register.0 == Class::Pred || register.1 & CONSTANT != 0 {
                continue;
            }
            if self.flow.variation(&self.state, register).is_scalar() {
                let vector = self.vector_of(register);
                self.store_plane(register, &vector);
            }
        }
    }

    /// The interpreter has written these registers.
    pub(super) fn forget_results(&mut self, op: &Op) {
        for register in written(op) {
            self.known.remove(&register);
            self.undefined.remove(&register);
            if register.0 == Class::Pred {
                self.bits.remove(&register.1);
            }
        }
    }

    /// Translates an instruction without a guard; returns false, and does nothing, if it is none of the frequent ones.
    pub(super) fn native(&mut self, pc: u32, instruction: &Instruction) -> bool {
        match &instruction.op {
            Op::Nop => true,
            Op::Load(access) => self.load(pc, access),
            Op::Store(access) => self.write(pc, access),
            Op::WarpSync(sync) => self.shuffle(sync),
            Op::Special(special, dest) => self.special(pc, *special, Class::B32, *dest),
            Op::Special64(special, dest) => self.special(pc, *special, Class::B64, *dest),
            Op::FrameAddress(dest, offset) => {
                let base = self.field("i64", field!(local_base));
                let name = self.text.value(format_args!("add i64 {base}, {offset}"));
                self.set_undefined((Class::B64, *dest), None);
                self.set_result(pc, (Class::B64, *dest), Value { name, variation: Variation::Uniform });
                true
            }
            Op::PredLogic(logic, d, a, b) => self.logic(*logic, *d, *a, *b),
            Op::PredNot(d, a) => {
                let (value, unknown) = (self.pred(*a), self.undefined_lanes((Class::Pred, *a)));
                let ty = if self.lanes == Lanes::One { "i1" } else { "i32" };
                let name = self.text.value(format_args!("xor {ty} {value}, -1"));
                self.set_pred(*d, name);
                self.set_undefined((Class::Pred, *d), unknown);
                true
            }
            Op::PredMov(d, a) => {
                let (value, unknown) = (self.pred(*a), self.undefined_lanes((Class::Pred, *a)));
                self.set_pred(*d, value);
                self.set_undefined((Class::Pred, *d), unknown);
                true
            }
            _ => self.compute(pc, instruction),
        }
    }

    pub(super) fn logic(&mut self, logic: Logic, d: u32, a: u32, b: u32) -> bool {
        let undefined = [a, b].map(|reg| self.undefined_lanes((Class::Pred, reg)));
        if undefined.iter().any(Option::is_some) {
            return false;
        }
        let (x, y) = (self.pred(a), self.pred(b));
        let ty = if self.lanes == Lanes::One { "i1" } else { "i32" };
        let op = match logic {
            Logic::And => "and",
            Logic::Or => "or",
            Logic::Xor => "xor",
        };
        let name = self.text.value(format_args!("{op} {ty} {x}, {y}"));
        self.set_pred(d, name);
        self.set_undefined((Class::Pred, d), None);
        true
    }

    pub(super) fn special(&mut self, pc: u32, special: SpecialRegister, class: Class, dest: u32) -> bool {
        use SpecialRegister::*;
        let (at, variation) = match special {
            Tid(axis) => {
                let plane = self.field("ptr", field!(tid));
                let plane = self.at(&plane, usize::from(axis) * 4 * LANES);
                let claimed = self.flow.varies(&self.state, self.flow.instruction(pc));
                if self.lanes == Lanes::All && !claimed.is_scalar() {
                    let name = self.text.value(format_args!("load <32 x i32>, ptr {plane}, align 4"));
                    return self.set_special(pc, class, dest, name, Variation::Varying);
                }
                match self.lanes {
                    Lanes::All => (plane, claimed),
                    Lanes::Some => {
                        let name = self.text.value(format_args!("load <32 x i32>, ptr {plane}, align 4"));
                        return self.set_special(pc, class, dest, name, Variation::Varying);
                    }
                    Lanes::One => (
                        self.text.value(format_args!("getelementptr i32, ptr {plane}, i64 {}", self.lane.0)),
                        Variation::Uniform,
                    ),
                }
            }
            Ntid(axis) => (self.at("%context", field!(ntid) + 4 * usize::from(axis)), Variation::Uniform),
            Ctaid(axis) => (self.at("%context", field!(ctaid) + 4 * usize::from(axis)), Variation::Uniform),
            Nctaid(axis) => (self.at("%context", field!(nctaid) + 4 * usize::from(axis)), Variation::Uniform),
            WarpId => (self.at("%context", field!(warp)), Variation::Uniform),
            LaneId => {
                return match self.lanes {
                    Lanes::One => self.set_special(pc, class, dest, self.lane.1.clone(), Variation::Uniform),
                    _ => self.set_special(pc, class, dest, "0".to_owned(), Variation::Strided(1)),
                };
            }
            _ => return false,
        };
        let name = self.text.value(format_args!("load i32, ptr {at}"));
        self.set_special(pc, class, dest, name, variation)
    }

    pub(super) fn set_special(
        &mut self,
        pc: u32,
        class: Class,
        dest: u32,
        name: String,
        variation: Variation,
    ) -> bool {
        let mut value = Value { name, variation };
        if class == Class::B64 {
            let ty = if variation.is_scalar() { "i32".to_owned() } else { self.width().of("i32") };
            let to = ty.replace("i32", "i64");
            value.name = self.text.value(format_args!("zext {ty} {} to {to}", value.name));
        }
        self.set_undefined((class, dest), None);
        self.set_result(pc, (class, dest), value);
        true
    }

    /// An operation on registers.
    pub(super) fn compute(&mut self, pc: u32, instruction: &Instruction) -> bool {
        let op = &instruction.op;
        let Some((dest, sources)) = operands(op) else { return false };
        let sources: Vec<Register> = sources.into_iter().flatten().collect();
        let claimed = match self.lanes {
            Lanes::All => self.flow.varies(&self.state, instruction),
            _ => Variation::Varying,
        };
        let values: Vec<Option<Value>> =
            sources.iter().map(|&source| (source.0 != Class::Pred).then(|| self.get(source))).collect();
        let singles = values.iter().flatten().all(|value| self.is_single(value));
        let has_preds = sources.iter().any(|source| source.0 == Class::Pred);
        let strided = matches!(claimed, Variation::Strided(_)) || claimed.is_scalar() && !singles;
        if strided {
            if !self.strided(pc, op, dest, claimed) {
                return false;
            }
            self.set_undefined(dest, None);
            return true;
        }
        if dest.0 == Class::Pred && self.lanes == Lanes::All && !singles && self.compare_ends(op, dest.1) {
            self.set_undefined(dest, None);
            return true;
        }
        let is_one = self.lanes == Lanes::One || singles && (!has_preds || claimed.is_scalar());
        let width = if is_one { Width::One } else { Width::All };
        // What is undefined of the result, where it is not all that is undefined of any source.
        let unknown: Vec<Option<String>> =
            sources.iter().map(|&source| self.undefined_lanes(source)).collect();
        let some_unknown = unknown.iter().any(Option::is_some);
        let special_rule = matches!(op, Op::Bin32(Bin32::And | Bin32::Or, ..) | Op::Bin64(Bin64::And, ..));
        if some_unknown && special_rule {
            return false;
        }
        // What is tried here may not be known: nothing is written then that has an effect.
        let names: Vec<String> = sources
            .iter()
            .zip(&values)
            .map(|(source, value)| match (value, width) {
                (Some(value), Width::One) => value.name.clone(),
                (Some(value), Width::All) => self.vector(source.0, value),
                (None, Width::All) => self.pred_bits(source.1),
                (None, Width::One) => self.pred_bit(source.1),
            })
            .collect();
        let Some(result) = self.result(op, &names, width) else { return false };
        let undefined =
            if let (true, Op::Sel32(.., p) | Op::Sel64(.., p) | Op::SelPred(.., p)) = (some_unknown, op) {
                // What is chosen, and all if the choice is undefined.
                let [of_first, of_second, of_choice]: [Option<String>; 3] =
                    unknown.try_into().unwrap_or_default();
                let chosen = self.pred(*p);
                let chosen = match self.lanes {
                    Lanes::One => self.text.value(format_args!("sext i1 {chosen} to i32")),
                    _ => chosen,
                };
                let first = of_first.map(|lanes| self.text.value(format_args!("and i32 {lanes}, {chosen}")));
                let other = self.text.value(format_args!("xor i32 {chosen}, -1"));
                let second = of_second.map(|lanes| self.text.value(format_args!("and i32 {lanes}, {other}")));
                let either = self.either(first, second);
                self.either(either, of_choice)
            } else if some_unknown {
                let mut unknown = unknown.into_iter();
                let (first, second) = (unknown.next().flatten(), unknown.next().flatten());
                let keeps_known = matches!(op, Op::Bin32(Bin32::Pack16, ..) | Op::Bin64(Bin64::Or, ..))
                    || matches!(op, Op::Wide(Wide::Pack, ..) | Op::Tri32(Tri32::Prmt, ..));
                let mut all = if keeps_known { self.both(first, second) } else { self.either(first, second) };
                for more in unknown {
                    all = self.either(all, more);
                }
                all
            } else {
                None
            };
        self.set_undefined(dest, undefined);
        if dest.0 == Class::Pred {
            self.set_pred_bits(dest.1, result, width == Width::One);
        } else {
            let variation = if width == Width::One { Variation::Uniform } else { Variation::Varying };
            self.set_result(pc, dest, Value { name: result, variation });
        }
        true
    }

    /// The result of an operation on values of a width.
    pub(super) fn result(&mut self, op: &Op, names: &[String], width: Width) -> Option<String> {
        let name = |i: usize| &names[i][..];
        let table = match op {
            Op::Quad32(_, _, all) => self.flow.literal32(all[3]),
            _ => None,
        };
        let field = match *op {
            Op::Tri32(Tri32::BfeU | Tri32::BfeS, _, _, b, c) => {
                self.flow.literal32(b).zip(self.flow.literal32(c))
            }
            _ => None,
        };
        let mut o = self.operations(width);
        match *op {
            Op::Un32(op, ..) => o.un32(op, name(0)),
            Op::Un64(op, ..) => o.un64(op, name(0)),
            Op::Widen(op, ..) => o.widen(op, name(0)),
            Op::Narrow(op, ..) => o.narrow(op, name(0)),
            Op::Bin32(op, ..) => o.bin32(op, name(0), name(1)),
            Op::Bin64(op, ..) => o.bin64(op, name(0), name(1)),
            Op::Shift64(op, ..) => o.shift64(op, name(0), name(1)),
            Op::Wide(op, ..) => o.wide(op, name(0), name(1)),
            Op::Tri32(op @ (Tri32::BfeU | Tri32::BfeS), ..) => {
                let (position, length) = field?;
                o.field(op, name(0), position, length)
            }
            Op::Tri32(op, ..) => o.tri32(op, name(0), name(1), name(2)),
            Op::Tri64(op, ..) => o.tri64(op, name(0), name(1), name(2)),
            Op::MadWide(op, ..) => o.mad_wide(op, name(0), name(1), name(2)),
            Op::Quad32(op, ..) => o.quad32(op, [name(0), name(1), name(2)], table),
            Op::Cmp32(op, ..) => o.cmp32(op, name(0), name(1)),
            Op::Cmp64(op, ..) => o.cmp64(op, name(0), name(1)),
            Op::Sel32(..) => Some(select(&mut self.text, width, "i32", name(2), name(0), name(1))),
            Op::Sel64(..) => Some(select(&mut self.text, width, "i64", name(2), name(0), name(1))),
            Op::SelPred(..) => Some(select(&mut self.text, width, "i1", name(2), name(0), name(1))),
            Op::FromGeneric(space, ..) => {
                let base = width.constant("i64", space_base(space) as i64);
                let ty = width.of("i64");
                Some(self.text.value(format_args!("sub {ty} {}, {base}", name(0))))
            }
            Op::ToGeneric(space, ..) => {
                let base = width.constant("i64", space_base(space) as i64);
                let ty = width.of("i64");
                Some(self.text.value(format_args!("add {ty} {}, {base}", name(0))))
            }
            _ => None,
        }
    }
}

fn select(text: &mut Text, width: Width, ty: &str, condition: &str, a: &str, b: &str) -> String {
    let (bool, ty) = (width.of("i1"), width.of(ty));
    text.value(format_args!("select {bool} {condition}, {ty} {a}, {ty} {b}"))
}

/// Multiples of a stride, lane by lane, as a constant.
fn steps(word: &str, stride: i64) -> String {
    let step = |lane: i64| {
        let value = stride.wrapping_mul(lane);
        if word == "i32" { i64::from(value as i32) } else { value }
    };
    let all: Vec<String> = (0..LANES as i64).map(|lane| format!("{word} {}", step(lane))).collect();
    format!("<{}>", all.join(", "))
}

/// Whether compiled code ends in front of an operation, which the interpreter executes.
fn ends_code(op: &Op) -> bool {
    match op {
        Op::BranchIndex(..) | Op::Call(_) | Op::Return | Op::Exit | Op::Barrier(_) => true,
        Op::Sleep | Op::Trap | Op::Breakpoint | Op::Alloca(..) | Op::StackSave(_) | Op::StackRestore(_) => {
            true
        }
        Op::Special(special, _) | Op::Special64(special, _) => matches!(
            special,
            SpecialRegister::Clock
                | SpecialRegister::ClockHigh
                | SpecialRegister::GlobalTimer
                | SpecialRegister::GlobalTimerHigh
        ),
        _ => false,
    }
}
