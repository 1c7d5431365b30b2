//! Functions as LLVM IR.
//!
//! Registers are where the interpreter has them: each operation reads planes and stores its result's, so that compiled
//! code may end before any instruction and the interpreter goes on there. Within a basic block values stay in registers of
//! the host, and a plane is stored when something can end the code or read it. A register that does not vary, or by a
//! constant stride, is one scalar instead ([`Variation`]).

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::mem::offset_of;

use super::abi::{Context, Ending, InlineCache};
use super::operations::Operations;
use super::text::{Text, Width};
use super::variation::{Flow, State, Variation};
use crate::instruction::{
    AddressBase, CONSTANT, Guard, Instruction, Logic, MemoryAccess, Op, SINK, SpecialRegister, SyncKind,
    TRUE, WarpSync,
};
use crate::memory::MemoryOrder;
use crate::memory::address_space::space_base;
use crate::registers::{Class, Register, operands, read, shuffle_source, written};
use crate::semantics::{Bin32, Bin64, LANES, Narrow, Tri32, Wide};
use crate::text::types::Space;

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
struct Value {
    name: String,
    variation: Variation,
}

/// The IR of one function.
struct Translator<'f> {
    flow: &'f Flow,
    lanes: Lanes,
    /// The lanes that run, if not all do: as bits of a word, and as a value of one bit for each.
    mask: (String, String),
    /// How many these are.
    threads: String,
    text: Text,
    state: State,
    /// Values of the basic block so far.
    known: HashMap<Register, Value>,
    /// Predicates as values of one bit for each lane.
    bits: HashMap<u32, String>,
    /// The undefined lanes of registers that may have some, `None` if they have none; those of others are in memory.
    undefined: HashMap<Register, Option<String>>,
    /// Registers whose values are not stored yet.
    pending: BTreeMap<(u8, u32), Register>,
    exits: BTreeMap<(u32, u32), String>,
    /// Blocks that are seldom executed, which follow all others.
    cold: String,
    caches: Vec<(u32, u64)>,
    parameter_bytes: u32,
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

macro_rules! field {
    ($field:ident) => {
        offset_of!(Context, $field)
    };
}

impl Translator<'_> {
    fn width(&self) -> Width {
        if self.lanes == Lanes::One { Width::One } else { Width::All }
    }

    fn operations(&mut self, width: Width) -> Operations<'_> {
        Operations { text: &mut self.text, width }
    }

    // The function.

    fn function(&mut self) {
        self.text.out += &format!("define i32 @{SYMBOL}(ptr %context, i32 %entry) #0 {{\n");
        self.text.begin("start");
        for (name, at) in [
            ("b32", field!(b32)),
            ("b64", field!(b64)),
            ("states32", field!(states32)),
            ("states64", field!(states64)),
            ("preds", field!(preds)),
            ("undefined_preds", field!(undefined_preds)),
            ("scalars32", field!(scalars32)),
            ("scalars64", field!(scalars64)),
            ("constants64", field!(constants64)),
            ("local", field!(local)),
            ("local_undefined", field!(local_undefined)),
            ("shared", field!(shared)),
            ("params", field!(params)),
            ("caches", field!(caches)),
            ("execute", field!(execute)),
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

    fn block(&mut self, b: usize) {
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
    fn leave(&mut self, b: usize, next: Option<usize>) {
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
    fn settle(&mut self, next: usize) {
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

    fn forget(&mut self) {
        self.known.clear();
        self.bits.clear();
        self.undefined.clear();
        self.pending.clear();
    }

    /// The label of an ending.
    fn exit(&mut self, pc: u32, ending: Ending) -> String {
        self.exits.entry((pc, ending as u32)).or_insert_with(|| format!("x{pc}.{}", ending as u32)).clone()
    }

    /// Ends the code in front of an instruction unless a condition holds.
    fn unless(&mut self, condition: &str, pc: u32) {
        if condition == "true" {
            return;
        }
        let (next, stop) = (self.text.label(), self.text.label());
        self.text.line(format_args!("br i1 {condition}, label %{next}, label %{stop}, !prof !0"));
        self.text.begin(next);
        self.apart(|this| {
            this.text.begin(stop);
            this.store_pending();
            let exit = this.exit(pc, Ending::Interpret);
            this.text.line(format_args!("br label %{exit}"));
        });
    }

    /// Writes blocks that are seldom executed.
    fn apart(&mut self, write: impl FnOnce(&mut Self)) {
        let before = std::mem::take(&mut self.text.out);
        // What is read there is not known elsewhere.
        let known = (self.known.clone(), self.bits.clone(), self.undefined.clone());
        write(self);
        (self.known, self.bits, self.undefined) = known;
        let cold = std::mem::replace(&mut self.text.out, before);
        self.cold += &cold;
    }

    /// Stores the values that are not stored yet, on a path that others do not follow.
    fn store_pending(&mut self) {
        for register in self.pending.values().copied().collect::<Vec<_>>() {
            self.store(register);
        }
    }

    // Fields of the context, and memory.

    fn at(&mut self, base: &str, offset: impl Display) -> String {
        self.text.value(format_args!("getelementptr i8, ptr {base}, i64 {offset}"))
    }

    fn field(&mut self, ty: &str, at: usize) -> String {
        let at = self.at("%context", at);
        self.text.value(format_args!("load {ty}, ptr {at}"))
    }

    fn set_field(&mut self, ty: &str, at: usize, value: impl Display) {
        let at = self.at("%context", at);
        self.text.line(format_args!("store {ty} {value}, ptr {at}"));
    }

    fn add_to_field(&mut self, at: usize, value: impl Display) {
        let at = self.at("%context", at);
        let old = self.text.value(format_args!("load i64, ptr {at}"));
        let new = self.text.value(format_args!("add i64 {old}, {value}"));
        self.text.line(format_args!("store i64 {new}, ptr {at}"));
    }

    // Registers.

    /// The type of one lane of a register class.
    fn word(class: Class) -> &'static str {
        match class {
            Class::B32 => "i32",
            Class::B64 => "i64",
            Class::Pred => "i1",
        }
    }

    /// Where a register's plane is, or its lane's value.
    fn plane(&mut self, (class, reg): Register) -> String {
        let (base, size) = if class == Class::B32 { ("%b32", 4) } else { ("%b64", 8) };
        let plane = self.at(base, reg as usize * size * LANES);
        match self.lanes {
            Lanes::One => {
                self.text.value(format_args!("getelementptr i{}, ptr {plane}, i64 %lane", size * 8))
            }
            _ => plane,
        }
    }

    /// The value of a register that is no predicate.
    fn get(&mut self, register: Register) -> Value {
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
    fn vector(&mut self, class: Class, value: &Value) -> String {
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

    fn vector_of(&mut self, register: Register) -> String {
        let value = self.get(register);
        self.vector(register.0, &value)
    }

    /// Whether one value stands for all lanes in the code.
    fn is_single(&self, value: &Value) -> bool {
        value.variation == Variation::Uniform
    }

    /// Sets a register in the lanes that run.
    fn set(&mut self, register: Register, value: Value) {
        if register.1 & CONSTANT != 0 {
            return;
        }
        self.known.insert(register, value);
        self.pending.insert((register.0 as u8, register.1), register);
    }

    /// As [`Translator::set`], to a value in the form that is claimed of the register behind the instruction.
    fn set_result(&mut self, pc: u32, register: Register, value: Value) {
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
    fn flush(&mut self) {
        for register in std::mem::take(&mut self.pending).into_values() {
            self.store(register);
        }
    }

    /// As [`Translator::flush`], at the end of a block: not the values that nothing looks at any more.
    fn flush_at_end(&mut self, b: usize) {
        self.pending.retain(|_, register| self.flow.is_kept(b, *register));
        self.flush();
    }

    fn store(&mut self, register: Register) {
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
    fn store_plane(&mut self, register: Register, value: &str) {
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
    fn store_undefined(&mut self, at: &str, register: Register) {
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
    fn undefined_lanes(&mut self, register: Register) -> Option<String> {
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
    fn set_undefined(&mut self, register: Register, lanes: Option<String>) {
        self.undefined.insert(register, lanes);
    }

    fn either(&mut self, a: Option<String>, b: Option<String>) -> Option<String> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.text.value(format_args!("or i32 {a}, {b}"))),
            (known, None) | (None, known) => known,
        }
    }

    fn both(&mut self, a: Option<String>, b: Option<String>) -> Option<String> {
        Some(self.text.value(format_args!("and i32 {}, {}", a?, b?)))
    }

    /// Ends the code in front of an instruction if a register is undefined in a lane that runs.
    fn needs_defined(&mut self, register: Register, pc: u32) {
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
    fn pred(&mut self, reg: u32) -> String {
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
    fn pred_bits(&mut self, reg: u32) -> String {
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
    fn pred_bit(&mut self, reg: u32) -> String {
        let value = self.pred(reg);
        match self.lanes {
            Lanes::One => value,
            _ => self.text.value(format_args!("trunc i32 {value} to i1")),
        }
    }

    fn set_pred(&mut self, reg: u32, name: String) {
        self.bits.remove(&reg);
        self.set((Class::Pred, reg), Value { name, variation: Variation::Varying });
    }

    /// Sets a predicate to a comparison's result: one bit, or one for each lane.
    fn set_pred_bits(&mut self, reg: u32, bits: String, is_single: bool) {
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

    fn store_pred(&mut self, reg: u32) {
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
    fn instruction(&mut self, b: usize, pc: u32) -> bool {
        let instruction = self.flow.instruction(pc);
        if let Op::Branch(target) = instruction.op {
            self.branch(b, pc, instruction, target);
            return true;
        }
        let is_split = instruction.guard != Guard::NONE && instruction.op.needs_whole_group();
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
    fn branch(&mut self, b: usize, pc: u32, instruction: &Instruction, target: u32) {
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
    fn parting(
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
            let bits = this.text.value(format_args!("bitcast i32 {running} to <32 x i1>"));
            let count = |this: &mut Self, mask: &str| {
                let count = this.text.value(format_args!("call i32 @llvm.ctpop.i32(i32 {mask})"));
                this.text.value(format_args!("zext i32 {count} to i64"))
            };
            let (threads, waiting) = (count(this, &running), count(this, &taking));
            let rest = this.text.value(format_args!("sub i64 {fuel}, {}", block.end - block.start));
            this.set_field("i64", field!(fuel), rest);
            let range = block.start as usize..block.end as usize;
            let code = &this.flow.linked().code[range];
            let counted = code.iter().filter(|instruction| instruction.counted).count();
            this.add_to_field(field!(counted), counted);
            let idle = this.text.value(format_args!("mul i64 {waiting}, {counted}"));
            this.add_to_field(field!(idle), idle);
            let whole = (
                std::mem::replace(&mut this.mask, (running, bits)),
                std::mem::replace(&mut this.threads, threads),
                std::mem::take(&mut this.pending),
            );
            this.lanes = Lanes::Some;
            this.forget();
            this.state = this.flow.state(body);
            for pc in block.start..block.end {
                if matches!(this.flow.instruction(pc).op, Op::Branch(_)) {
                    break;
                }
                this.instruction(body, pc);
                this.flow.step(&mut this.state, pc);
            }
            this.flush_at_end(body);
            this.set_field("i32", field!(parted), 0);
            this.text.line(format_args!("br label %block{there}"));
            this.lanes = Lanes::All;
            (this.mask, this.threads, this.pending) = whole;
        });
        self.state = state;
        begin
    }

    /// Counts the lanes that do not execute a guarded instruction: all, or those outside of a mask.
    fn count_idle(&mut self, instruction: &Instruction, active: Option<&str>) {
        if !instruction.counted {
            return;
        }
        let all = self.threads.clone();
        let idle = match active {
            None => all,
            Some(active) => {
                let count = self.text.value(format_args!("call i32 @llvm.ctpop.i32(i32 {active})"));
                let count = self.text.value(format_args!("zext i32 {count} to i64"));
                self.text.value(format_args!("sub i64 {all}, {count}"))
            }
        };
        self.add_to_field(field!(idle), idle);
    }

    /// An instruction with a guard, which the interpreter executes if its guard is true in any lane.
    fn guarded(&mut self, pc: u32, instruction: &Instruction) {
        let Some((guard, negated)) = instruction.guard.get() else { return };
        self.needs_defined((Class::Pred, guard), pc);
        // The interpreter's registers, as both paths need them.
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
        self.count_idle(instruction, Some(&active));
        let (run, next) = (self.text.label(), self.text.label());
        let any = self.text.value(format_args!("icmp ne i32 {active}, 0"));
        self.text.line(format_args!("br i1 {any}, label %{run}, label %{next}"));
        self.text.begin(&run);
        self.call_execute(pc, &active);
        self.text.line(format_args!("br label %{next}"));
        self.text.begin(&next);
        self.forget_results(&instruction.op);
    }

    /// Lets the interpreter's function execute an instruction in some lanes.
    fn execute(&mut self, pc: u32, active: &str) {
        self.spread(pc);
        self.flush();
        self.call_execute(pc, &active);
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

    fn call_execute(&mut self, pc: u32, active: &str) {
        let result = self.text.value(format_args!("call i32 %execute(ptr %context, i32 {pc}, i32 {active})"));
        let continues = self.text.value(format_args!("icmp eq i32 {result}, 0"));
        let exit = self.exit(pc, Ending::Executed);
        let next = self.text.label();
        self.text.line(format_args!("br i1 {continues}, label %{next}, label %{exit}, !prof !0"));
        self.text.begin(next);
    }

    /// Stores the planes of the registers that an instruction reads and a scalar stands for. If it is guarded, those that
    /// it writes, too: the other lanes keep their values.
    fn spread(&mut self, pc: u32) {
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
    fn forget_results(&mut self, op: &Op) {
        for register in written(op) {
            self.known.remove(&register);
            self.undefined.remove(&register);
            if register.0 == Class::Pred {
                self.bits.remove(&register.1);
            }
        }
    }

    /// Translates an instruction without a guard; returns false, and does nothing, if it is none of the frequent ones.
    fn native(&mut self, pc: u32, instruction: &Instruction) -> bool {
        match &instruction.op {
            Op::Nop => true,
            Op::Load(access) => self.load(pc, access),
            Op::Store(access) => self.write(pc, access),
            Op::WarpSync(sync) => self.shuffle(pc, sync),
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

    fn logic(&mut self, logic: Logic, d: u32, a: u32, b: u32) -> bool {
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

    fn special(&mut self, pc: u32, special: SpecialRegister, class: Class, dest: u32) -> bool {
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
                        self.text.value(format_args!("getelementptr i32, ptr {plane}, i64 %lane")),
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
                    Lanes::One => self.set_special(pc, class, dest, "%lane32".to_owned(), Variation::Uniform),
                    _ => self.set_special(pc, class, dest, "0".to_owned(), Variation::Strided(1)),
                };
            }
            _ => return false,
        };
        let name = self.text.value(format_args!("load i32, ptr {at}"));
        self.set_special(pc, class, dest, name, variation)
    }

    fn set_special(&mut self, pc: u32, class: Class, dest: u32, name: String, variation: Variation) -> bool {
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
    fn compute(&mut self, pc: u32, instruction: &Instruction) -> bool {
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
    fn result(&mut self, op: &Op, names: &[String], width: Width) -> Option<String> {
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

    /// An operation on scalars that stand for all lanes and differ by strides: its result does too. Where that need not
    /// be so, the code ends unless it is.
    fn strided(&mut self, pc: u32, op: &Op, dest: Register, claimed: Variation) -> bool {
        let result = |name| Value { name, variation: claimed };
        match *op {
            Op::Widen(widen, _, a) => {
                use crate::semantics::Widen::{Sext, Zext};
                let (Zext | Sext) = widen else { return false };
                let value = self.get((Class::B32, a));
                let signed = widen == Sext;
                let wide = self.widened(pc, &value, signed);
                self.set(dest, result(wide));
                true
            }
            Op::Wide(wide, _, a, b) => {
                let signed = wide == Wide::MulS;
                let [a, b] = [a, b].map(|reg| self.get((Class::B32, reg)));
                let (a, b) = (self.widened(pc, &a, signed), self.widened(pc, &b, signed));
                let name = self.text.value(format_args!("mul i64 {a}, {b}"));
                self.set(dest, result(name));
                true
            }
            Op::MadWide(mad, _, a, b, c) => {
                let signed = mad == crate::semantics::MadWide::S;
                let [a, b] = [a, b].map(|reg| self.get((Class::B32, reg)));
                let (a, b) = (self.widened(pc, &a, signed), self.widened(pc, &b, signed));
                let c = self.get((Class::B64, c)).name;
                let product = self.text.value(format_args!("mul i64 {a}, {b}"));
                let name = self.text.value(format_args!("add i64 {product}, {c}"));
                self.set(dest, result(name));
                true
            }
            Op::Bin32(op @ (Bin32::MinU | Bin32::MaxU | Bin32::MinS | Bin32::MaxS), _, a, b) => {
                let signed = matches!(op, Bin32::MinS | Bin32::MaxS);
                let least = matches!(op, Bin32::MinU | Bin32::MinS);
                let [x, y] = [a, b].map(|reg| self.get((Class::B32, reg)));
                self.bounded(pc, dest, claimed, [x, y], Class::B32, signed, least);
                true
            }
            Op::Bin64(op @ (Bin64::MinU | Bin64::MaxU | Bin64::MinS | Bin64::MaxS), _, a, b) => {
                let signed = matches!(op, Bin64::MinS | Bin64::MaxS);
                let least = matches!(op, Bin64::MinU | Bin64::MinS);
                let [x, y] = [a, b].map(|reg| self.get((Class::B64, reg)));
                self.bounded(pc, dest, claimed, [x, y], Class::B64, signed, least);
                true
            }
            Op::Bin32(op @ (Bin32::DivU | Bin32::DivS | Bin32::RemU | Bin32::RemS), _, a, b) => {
                let [x, y] = [a, b].map(|reg| self.get((Class::B32, reg)));
                let signed = matches!(op, Bin32::DivS | Bin32::RemS);
                let divide = if signed { Bin32::DivS } else { Bin32::DivU };
                let ends = self.ends(pc, &x, Class::B32, signed);
                let mut o = self.operations(Width::One);
                let quotients = ends.each_ref().map(|end| o.bin32(divide, end, &y.name).unwrap_or_default());
                let rest = o.bin32(op, &ends[0], &y.name).unwrap_or_default();
                let same = self.text.value(format_args!("icmp eq i32 {}, {}", quotients[0], quotients[1]));
                self.unless(&same, pc);
                self.set(dest, result(rest));
                true
            }
            Op::Bin64(op @ (Bin64::DivU | Bin64::DivS | Bin64::RemU | Bin64::RemS), _, a, b) => {
                let [x, y] = [a, b].map(|reg| self.get((Class::B64, reg)));
                let signed = matches!(op, Bin64::DivS | Bin64::RemS);
                let divide = if signed { Bin64::DivS } else { Bin64::DivU };
                let ends = self.ends(pc, &x, Class::B64, signed);
                let mut o = self.operations(Width::One);
                let quotients = ends.each_ref().map(|end| o.bin64(divide, end, &y.name).unwrap_or_default());
                let rest = o.bin64(op, &ends[0], &y.name).unwrap_or_default();
                let same = self.text.value(format_args!("icmp eq i64 {}, {}", quotients[0], quotients[1]));
                self.unless(&same, pc);
                self.set(dest, result(rest));
                true
            }
            _ => {
                // Modulo the size of the type: the first lane's result, and the stride.
                let Some((_, sources)) = operands(op) else { return false };
                let sources: Vec<Register> = sources.into_iter().flatten().collect();
                let names: Vec<String> = sources.iter().map(|&source| self.get(source).name).collect();
                let Some(name) = self.result(op, &names, Width::One) else { return false };
                self.set(dest, result(name));
                true
            }
        }
    }

    /// A 32-bit scalar extended to 64 bits; the code ends unless no lane's value wraps around.
    fn widened(&mut self, pc: u32, value: &Value, signed: bool) -> String {
        let extend = if signed { "sext" } else { "zext" };
        let wide = self.text.value(format_args!("{extend} i32 {} to i64", value.name));
        let stride = value.variation.stride().unwrap_or(0);
        if stride != 0 {
            let last = self.text.value(format_args!("add i64 {wide}, {}", stride * (LANES as i64 - 1)));
            let cut = self.text.value(format_args!("trunc i64 {last} to i32"));
            let again = self.text.value(format_args!("{extend} i32 {cut} to i64"));
            let fits = self.text.value(format_args!("icmp eq i64 {again}, {last}"));
            self.unless(&fits, pc);
        }
        wide
    }

    /// The values of the first and the last lane; the code ends unless those between lie between.
    fn ends(&mut self, pc: u32, value: &Value, class: Class, signed: bool) -> [String; 2] {
        let stride = value.variation.stride().unwrap_or(0);
        if stride == 0 {
            return [value.name.clone(), value.name.clone()];
        }
        let (last, monotonic) = self.last(value, class, signed);
        self.unless(&monotonic, pc);
        [value.name.clone(), last]
    }

    /// The value of the last lane, and whether the lanes' values are in order.
    fn last(&mut self, value: &Value, class: Class, signed: bool) -> (String, String) {
        let (word, stride) = (Self::word(class), value.variation.stride().unwrap_or(0));
        let last =
            self.text.value(format_args!("add {word} {}, {}", value.name, stride * (LANES as i64 - 1)));
        let predicate = match (stride > 0, signed) {
            (true, true) => "sgt",
            (true, false) => "ugt",
            (false, true) => "slt",
            (false, false) => "ult",
        };
        let monotonic = self.text.value(format_args!("icmp {predicate} {word} {last}, {}", value.name));
        // The distance of the ends must be less than the size of the type, or they tell nothing of those between.
        let far = stride.unsigned_abs().saturating_mul(LANES as u64)
            >= 1 << if class == Class::B32 { 31 } else { 62 };
        (last, if far { "false".to_owned() } else { monotonic })
    }

    /// A minimum or maximum of a scalar with a stride and one without: one of them, if all lanes agree which.
    #[allow(clippy::too_many_arguments, reason = "an operation in parts")]
    fn bounded(
        &mut self,
        pc: u32,
        dest: Register,
        claimed: Variation,
        [x, y]: [Value; 2],
        class: Class,
        signed: bool,
        least: bool,
    ) {
        let (strided, bound) = if x.variation == Variation::Uniform { (y, x) } else { (x, y) };
        let word = Self::word(class);
        let ends = self.ends(pc, &strided, class, signed);
        let predicate = match (least, signed) {
            (true, true) => "sle",
            (true, false) => "ule",
            (false, true) => "sge",
            (false, false) => "uge",
        };
        let first = self.text.value(format_args!("icmp {predicate} {word} {}, {}", ends[0], bound.name));
        let last = self.text.value(format_args!("icmp {predicate} {word} {}, {}", ends[1], bound.name));
        let both = self.text.value(format_args!("and i1 {first}, {last}"));
        self.unless(&both, pc);
        self.set(dest, Value { name: strided.name, variation: claimed });
    }

    /// A comparison of scalars with strides that all lanes answer alike, else of vectors.
    fn compare_ends(&mut self, op: &Op, dest: u32) -> bool {
        use crate::semantics::compare::{Cmp32, Cmp64};
        let (class, a, b, signed) = match *op {
            Op::Cmp32(op, _, a, b) => match op {
                Cmp32::LtU | Cmp32::LeU | Cmp32::GtU | Cmp32::GeU => (Class::B32, a, b, false),
                Cmp32::LtS | Cmp32::LeS | Cmp32::GtS | Cmp32::GeS => (Class::B32, a, b, true),
                _ => return false,
            },
            Op::Cmp64(op, _, a, b) => match op {
                Cmp64::LtU | Cmp64::LeU | Cmp64::GtU | Cmp64::GeU => (Class::B64, a, b, false),
                Cmp64::LtS | Cmp64::LeS | Cmp64::GtS | Cmp64::GeS => (Class::B64, a, b, true),
                _ => return false,
            },
            _ => return false,
        };
        let (x, y) = (self.get((class, a)), self.get((class, b)));
        let (Some(of_x), Some(of_y)) = (x.variation.stride(), y.variation.stride()) else { return false };
        if of_x != 0 && of_y != 0 || dest & CONSTANT != 0 {
            return false;
        }
        let (last_x, order_x) = match of_x {
            0 => (x.name.clone(), "true".to_owned()),
            _ => self.last(&x, class, signed),
        };
        let (last_y, order_y) = match of_y {
            0 => (y.name.clone(), "true".to_owned()),
            _ => self.last(&y, class, signed),
        };
        let mut o = self.operations(Width::One);
        let mut compare = |x: &str, y: &str| match *op {
            Op::Cmp32(op, ..) => o.cmp32(op, x, y),
            Op::Cmp64(op, ..) => o.cmp64(op, x, y),
            _ => None,
        };
        let (Some(first), Some(last)) = (compare(&x.name, &y.name), compare(&last_x, &last_y)) else {
            return false;
        };
        let same = self.text.value(format_args!("icmp eq i1 {first}, {last}"));
        let ordered = self.text.value(format_args!("and i1 {order_x}, {order_y}"));
        let agree = self.text.value(format_args!("and i1 {same}, {ordered}"));
        let (single, many, next) = (self.text.label(), self.text.label(), self.text.label());
        self.text.line(format_args!("br i1 {agree}, label %{single}, label %{many}, !prof !0"));
        self.text.begin(&single);
        let of_single = self.text.value(format_args!("sext i1 {first} to i32"));
        self.text.line(format_args!("br label %{next}"));
        self.text.begin(&many);
        let (vx, vy) = (self.vector(class, &x), self.vector(class, &y));
        let mut o = self.operations(Width::All);
        let bits = match *op {
            Op::Cmp32(op, ..) => o.cmp32(op, &vx, &vy),
            Op::Cmp64(op, ..) => o.cmp64(op, &vx, &vy),
            _ => None,
        };
        let bits = bits.unwrap_or_default();
        let of_many = self.text.value(format_args!("bitcast <32 x i1> {bits} to i32"));
        self.text.line(format_args!("br label %{next}"));
        self.text.begin(&next);
        let mask =
            self.text.value(format_args!("phi i32 [ {of_single}, %{single} ], [ {of_many}, %{many} ]"));
        self.set_pred(dest, mask);
        true
    }

    // Memory.

    /// A load; see [`Translator::native`].
    fn load(&mut self, pc: u32, access: &MemoryAccess) -> bool {
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
    fn frame_offset(&self, access: &MemoryAccess, reg: u32) -> Option<i64> {
        let address = self.flow.frame_address(&self.state, reg)?;
        let fits = address.generic == (access.address.space == Space::Generic);
        fits.then(|| address.offset.wrapping_add(access.address.offset))
    }

    /// Whether an access is to whole words that need no extension, at a multiple of its size inside of the frame.
    fn is_in_frame(&self, access: &MemoryAccess, offset: i64) -> bool {
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

    fn local_word(&mut self, offset: i64) -> String {
        let at = self.at("%local", offset / 4 * 4 * LANES as i64);
        match self.lanes {
            Lanes::One => self.text.value(format_args!("getelementptr i32, ptr {at}, i64 %lane")),
            _ => at,
        }
    }

    fn load_frame(&mut self, access: &MemoryAccess, offset: i64) -> bool {
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
                let at = self.at("%local_undefined", (offset + word) * 4);
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

    fn write_frame(&mut self, access: &MemoryAccess, offset: i64) -> bool {
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
                let at = self.at("%local_undefined", offset * 4);
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
    fn four(&mut self, word: &str) -> String {
        let one = self.text.value(format_args!("insertelement <4 x i32> poison, i32 {word}, i64 0"));
        self.text
            .value(format_args!("shufflevector <4 x i32> {one}, <4 x i32> poison, <4 x i32> zeroinitializer"))
    }

    /// Loads the same bytes in all lanes.
    fn load_same(&mut self, pc: u32, access: &MemoryAccess, from: &str) {
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
    fn extended(&mut self, access: &MemoryAccess, loaded: &str, width: Width) -> String {
        let (size, register) = (access.ty.size() * 8, if access.wide { 64 } else { 32 });
        let from = width.of(&format!("i{size}"));
        let to = width.of(&format!("i{register}"));
        if size == register {
            return loaded.to_owned();
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

    /// The allocation of an access, found where the last one was: where the host has its first byte. The instruction is
    /// left to `slow` otherwise; `extent` is the number of bytes from the first to the last one of all lanes.
    fn locate(&mut self, pc: u32, address: &str, bytes: u32, extent: u64, slow: &str) -> String {
        let number = self.caches.len();
        self.caches.push((pc, extent));
        let cache = self.at("%caches", number * size_of::<InlineCache>());
        let base = self.text.value(format_args!("load i64, ptr {cache}"));
        let at = self.at(&cache, offset_of!(InlineCache, limit));
        let limit = self.text.value(format_args!("load i64, ptr {at}"));
        let at = self.at(&cache, offset_of!(InlineCache, host));
        let host = self.text.value(format_args!("load ptr, ptr {at}"));
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
    fn address(&mut self, access: &MemoryAccess, reg: u32) -> Option<(String, i64)> {
        let value = self.get((Class::B64, reg));
        let stride = value.variation.stride()?;
        let address = match access.address.offset {
            0 => value.name,
            offset => self.text.value(format_args!("add i64 {}, {offset}", value.name)),
        };
        Some((address, stride))
    }

    /// Counts the sectors of consecutive bytes, or the passes over the banks of shared memory.
    fn count_row(&mut self, space: Space, address: &str, extent: u64, bytes: u32) {
        match space {
            Space::Shared => {
                let turns = match self.lanes {
                    Lanes::One => 1,
                    _ => (bytes / 4).max(1),
                };
                self.add_to_field(field!(passes), turns);
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
    fn locate_shared(&mut self, address: &str, bytes: u32, extent: u64, slow: &str) -> String {
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
    fn load_at(&mut self, pc: u32, access: &MemoryAccess, reg: u32) -> bool {
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
            this.spread(pc);
            this.store_pending();
            let active = this.active();
            this.call_execute(pc, &active);
            for &reg in &regs {
                if reg == SINK {
                    slowly.push(("poison".to_owned(), "0".to_owned()));
                    continue;
                }
                let plane = this.plane((class, reg));
                let value = this.text.value(format_args!("load {word}, ptr {plane}, align 4"));
                let base = if class == Class::B32 { "%states32" } else { "%states64" };
                let at = this.at(base, reg * 8 + 4);
                slowly.push((value, this.text.value(format_args!("load i32, ptr {at}"))));
            }
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

    /// Whether lanes access words of global memory one by one: no vectors, and nothing that is for communication.
    fn is_apart(&self, access: &MemoryAccess) -> bool {
        let is_word = matches!(access.ty.size(), 4 | 8) && access.count == 1;
        let is_global = matches!(access.address.space, Space::Global | Space::Const | Space::Generic);
        self.lanes != Lanes::One && is_word && is_global && access.order == MemoryOrder::Weak
    }

    /// Where the lanes' accesses are on the host; to `slow` if they are not all in global memory. Counts their sectors.
    fn locate_apart(&mut self, pc: u32, access: &MemoryAccess, reg: u32, slow: &str) -> String {
        let bytes = access.ty.size();
        let base = self.vector_of((Class::B64, reg));
        let width = Width::All;
        let offset = width.constant("i64", access.address.offset);
        let addresses = self.text.value(format_args!("add <32 x i64> {base}, {offset}"));
        let number = self.caches.len();
        self.caches.push((pc, u64::from(bytes)));
        let cache = self.at("%caches", number * size_of::<InlineCache>());
        let begin = self.text.value(format_args!("load i64, ptr {cache}"));
        let at = self.at(&cache, offset_of!(InlineCache, limit));
        let limit = self.text.value(format_args!("load i64, ptr {at}"));
        let at = self.at(&cache, offset_of!(InlineCache, host));
        let host = self.text.value(format_args!("load ptr, ptr {at}"));
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
        let (fast, several, join) = (self.text.label(), self.text.label(), self.text.label());
        self.text.line(format_args!("br i1 {all}, label %{fast}, label %{several}, !prof !0"));
        self.text.begin(&fast);
        let at = self.at("%context", field!(count_sectors));
        let count = self.text.value(format_args!("load ptr, ptr {at}"));
        self.text.line(format_args!("call void {count}(ptr %context, i32 {active})"));
        let in_one = self.text.value(format_args!("getelementptr i8, ptr {host}, <32 x i64> {offsets}"));
        self.text.line(format_args!("br label %{join}"));
        let found = self.text.label();
        let mut in_several = String::new();
        let stores = i32::from(matches!(self.flow.instruction(pc).op, Op::Store(_)));
        self.apart(|this| {
            this.text.begin(&several);
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
        self.text.value(format_args!("phi <32 x ptr> [ {in_one}, %{fast} ], [ {in_several}, %{found} ]"))
    }

    /// The lanes that run, as bits.
    fn active_bits(&self) -> String {
        if self.lanes == Lanes::All { "splat (i1 true)".to_owned() } else { self.mask.1.clone() }
    }

    /// The lanes that run, as bits of a word.
    fn active(&self) -> String {
        if self.lanes == Lanes::All { "-1".to_owned() } else { self.mask.0.clone() }
    }

    /// A load by lanes whose addresses have nothing in common.
    fn load_apart(&mut self, pc: u32, access: &MemoryAccess, reg: u32) -> bool {
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
             <32 x i{0}> poison)",
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
            slowly = this.executed_load(pc, class, dest, &format!("<32 x {word}>"));
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

    /// Lets the interpreter's function execute a load; the values and the undefined lanes of a register after it.
    fn executed_load(&mut self, pc: u32, class: Class, reg: u32, ty: &str) -> (String, String) {
        self.spread(pc);
        self.store_pending();
        let active = self.active();
        self.call_execute(pc, &active);
        let plane = self.plane((class, reg));
        let value = self.text.value(format_args!("load {ty}, ptr {plane}, align 4"));
        let base = if class == Class::B32 { "%states32" } else { "%states64" };
        let at = self.at(base, reg * 8 + 4);
        (value, self.text.value(format_args!("load i32, ptr {at}")))
    }

    /// As [`Translator::load_apart`], of a store.
    fn write_apart(&mut self, pc: u32, access: &MemoryAccess, reg: u32) -> bool {
        if !self.is_apart(access) {
            return false;
        }
        let class = if access.wide { Class::B64 } else { Class::B32 };
        let source = (class, access.regs[0]);
        self.needs_defined((Class::B64, reg), pc);
        self.needs_defined(source, pc);
        let (slow, next) = (self.text.label(), self.text.label());
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
        self.text.line(format_args!("br label %{next}"));
        self.apart(|this| {
            this.text.begin(&slow);
            this.spread(pc);
            this.store_pending();
            let active = this.active();
            this.call_execute(pc, &active);
            this.text.line(format_args!("br label %{next}"));
        });
        self.text.begin(&next);
        true
    }

    /// A shuffle by all lanes from lanes that are known.
    fn shuffle(&mut self, pc: u32, sync: &WarpSync) -> bool {
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
        let claimed = self.flow.varies(&self.state, self.flow.instruction(pc));
        debug_assert!(!claimed.is_scalar());
        self.set_undefined((Class::B32, dest), None);
        self.set((Class::B32, dest), Value { name, variation: Variation::Varying });
        self.set_undefined((Class::Pred, valid), None);
        if valid & CONSTANT == 0 {
            self.set_pred(valid, inside.cast_signed().to_string());
        }
        true
    }

    /// A store; see [`Translator::native`].
    fn write(&mut self, pc: u32, access: &MemoryAccess) -> bool {
        if access.order.releases() {
            return false;
        }
        let reg = match access.address.base {
            AddressBase::Kernel => return false,
            AddressBase::Frame => return self.write_frame(access, access.address.offset),
            AddressBase::Reg(reg) => reg,
        };
        let space = access.address.space;
        if matches!(space, Space::Generic | Space::Local) {
            if let Some(offset) = self.frame_offset(access, reg) {
                return self.write_frame(access, offset);
            }
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
        let (slow, next) = (self.text.label(), self.text.label());
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
        self.text.line(format_args!("br label %{next}"));
        self.apart(|this| {
            this.text.begin(&slow);
            this.spread(pc);
            this.store_pending();
            let active = this.active();
            this.call_execute(pc, &active);
            this.text.line(format_args!("br label %{next}"));
        });
        self.text.begin(&next);
        true
    }
}

/// The word that keeps an access as it is where it is for communication between threads.
fn volatile(access: &MemoryAccess) -> &'static str {
    if access.order == MemoryOrder::Weak { "" } else { "volatile " }
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
