//! Operations on registers that a scalar stands for.
//!
//! The scalar is the value of lane 0; the others follow by a constant stride. Where a result need not have one, the code ends
//! unless it does.

use super::text::Width;
use super::translate::{Translator, Value};
use super::variation::Variation;
use crate::instruction::{CONSTANT, Op};
use crate::registers::{Class, Register, operands};
use crate::semantics::compare::{Cmp32, Cmp64};
use crate::semantics::{Bin32, Bin64, LANES, MadWide, Wide, Widen};

impl Translator<'_> {
    /// An operation on scalars that stand for all lanes and differ by strides: its result does too. Where that need not
    /// be so, the code ends unless it is.
    pub(super) fn strided(&mut self, pc: u32, op: &Op, dest: Register, claimed: Variation) -> bool {
        let result = |name| Value { name, variation: claimed };
        match *op {
            Op::Widen(widen, _, a) => {
                let (Widen::Zext | Widen::Sext) = widen else { return false };
                let value = self.get((Class::B32, a));
                let signed = widen == Widen::Sext;
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
                let signed = mad == MadWide::S;
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
    pub(super) fn widened(&mut self, pc: u32, value: &Value, signed: bool) -> String {
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
    pub(super) fn ends(&mut self, pc: u32, value: &Value, class: Class, signed: bool) -> [String; 2] {
        let stride = value.variation.stride().unwrap_or(0);
        if stride == 0 {
            return [value.name.clone(), value.name.clone()];
        }
        let (last, monotonic) = self.last(value, class, signed);
        self.unless(&monotonic, pc);
        [value.name.clone(), last]
    }

    /// The value of the last lane, and whether the lanes' values are in order.
    pub(super) fn last(&mut self, value: &Value, class: Class, signed: bool) -> (String, String) {
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
    pub(super) fn bounded(
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
    pub(super) fn compare_ends(&mut self, op: &Op, dest: u32) -> bool {
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
}
