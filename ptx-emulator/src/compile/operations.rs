//! The operations of `semantics` as LLVM IR: those that are frequent. All others are executed by the interpreter's
//! function, which compiled code calls.
//!
//! A test compares each of these with what `semantics` says, over many operands.

use super::text::{Text, Width};
use crate::semantics::compare::{Cmp32, Cmp64};
use crate::semantics::{
    Bin32, Bin64, MadWide, Narrow, Quad32, Shift64, Tri32, Tri64, Un32, Un64, Wide, Widen,
};

/// Writes operations on values of `width` lanes.
pub(super) struct Operations<'t> {
    pub text: &'t mut Text,
    pub width: Width,
}

/// A word size of the IR, and its float type.
#[derive(Clone, Copy)]
struct Word {
    int: &'static str,
    float: &'static str,
    bits: u32,
    nan: u64,
}

const W32: Word = Word { int: "i32", float: "float", bits: 32, nan: 0x7fff_ffff };
const W64: Word = Word { int: "i64", float: "double", bits: 64, nan: 0x7ff8_0000_0000_0000 };

/// The IR's comparison for one of `semantics`, which has the same names in both widths; returns `None` if there is none.
macro_rules! predicate {
    ($table:ident, $op:expr) => {
        match $op {
            $table::Eq => "icmp eq",
            $table::Ne => "icmp ne",
            $table::LtU => "icmp ult",
            $table::LeU => "icmp ule",
            $table::GtU => "icmp ugt",
            $table::GeU => "icmp uge",
            $table::LtS => "icmp slt",
            $table::LeS => "icmp sle",
            $table::GtS => "icmp sgt",
            $table::GeS => "icmp sge",
            $table::EqF => "fcmp oeq",
            $table::NeF => "fcmp one",
            $table::LtF => "fcmp olt",
            $table::LeF => "fcmp ole",
            $table::GtF => "fcmp ogt",
            $table::GeF => "fcmp oge",
            $table::EquF => "fcmp ueq",
            $table::NeuF => "fcmp une",
            $table::LtuF => "fcmp ult",
            $table::LeuF => "fcmp ule",
            $table::GtuF => "fcmp ugt",
            $table::GeuF => "fcmp uge",
            $table::NumF => "fcmp ord",
            $table::NanF => "fcmp uno",
            _ => return None,
        }
    };
}

impl Operations<'_> {
    fn of(&self, ty: &str) -> String {
        self.width.of(ty)
    }

    fn constant(&self, word: Word, value: u64) -> String {
        match word.bits {
            32 => self.width.constant(word.int, value as u32 as i32),
            _ => self.width.constant(word.int, value as i64),
        }
    }

    /// An operation of two operands of one type.
    fn binary(&mut self, op: &str, ty: &str, a: &str, b: &str) -> String {
        let ty = self.of(ty);
        self.text.value(format_args!("{op} {ty} {a}, {b}"))
    }

    /// A conversion.
    fn cast(&mut self, op: &str, from: &str, a: &str, to: &str) -> String {
        let (from, to) = (self.of(from), self.of(to));
        self.text.value(format_args!("{op} {from} {a} to {to}"))
    }

    fn select(&mut self, condition: &str, ty: &str, a: &str, b: &str) -> String {
        let (bool, ty) = (self.of("i1"), self.of(ty));
        self.text.value(format_args!("select {bool} {condition}, {ty} {a}, {ty} {b}"))
    }

    /// An intrinsic function, overloaded by one type, of operands of that type; `rest` are further arguments.
    fn intrinsic(&mut self, name: &str, ty: &str, arguments: &[&str], rest: &str) -> String {
        let (suffix, of) = (self.width.suffix(suffix(ty)), self.of(ty));
        let arguments: Vec<String> = arguments.iter().map(|a| format!("{of} {a}")).collect();
        self.text.value(format_args!("call {of} @llvm.{name}.{suffix}({}{rest})", arguments.join(", ")))
    }

    fn float(&mut self, word: Word, a: &str) -> String {
        self.cast("bitcast", word.int, a, word.float)
    }

    /// The bits of a float, with the one NaN.
    fn canonical(&mut self, word: Word, a: &str) -> String {
        let ty = self.of(word.float);
        let nan = self.text.value(format_args!("fcmp uno {ty} {a}, {a}"));
        let bits = self.cast("bitcast", word.float, a, word.int);
        let constant = self.constant(word, word.nan);
        self.select(&nan, word.int, &constant, &bits)
    }

    fn float_binary(&mut self, op: &str, word: Word, a: &str, b: &str) -> String {
        let (a, b) = (self.float(word, a), self.float(word, b));
        let result = self.binary(op, word.float, &a, &b);
        self.canonical(word, &result)
    }

    fn multiply_add(&mut self, word: Word, a: &str, b: &str, c: &str) -> String {
        let (a, b, c) = (self.float(word, a), self.float(word, b), self.float(word, c));
        let result = self.intrinsic("fma", word.float, &[&a, &b, &c], "");
        self.canonical(word, &result)
    }

    /// A shift by an amount that is clamped to the width: `fill` is the result beyond it.
    fn shift(&mut self, op: &str, word: Word, a: &str, by: &str) -> String {
        let most = self.constant(word, u64::from(word.bits - 1));
        let clamped = self.intrinsic("umin", word.int, &[by, &most], "");
        let shifted = self.binary(op, word.int, a, &clamped);
        if op == "ashr" {
            return shifted;
        }
        let ty = self.of(word.int);
        let inside = self.text.value(format_args!("icmp ule {ty} {by}, {most}"));
        let zero = self.constant(word, 0);
        self.select(&inside, word.int, &shifted, &zero)
    }

    /// The high half of a product.
    fn high(&mut self, extend: &str, a: &str, b: &str) -> String {
        let (a, b) = (self.cast(extend, "i32", a, "i64"), self.cast(extend, "i32", b, "i64"));
        let product = self.binary("mul", "i64", &a, &b);
        let shift = self.constant(W64, 32);
        let high = self.binary("lshr", "i64", &product, &shift);
        self.cast("trunc", "i64", &high, "i32")
    }

    /// A product of twice the width.
    fn product(&mut self, extend: &str, a: &str, b: &str) -> String {
        let (a, b) = (self.cast(extend, "i32", a, "i64"), self.cast(extend, "i32", b, "i64"));
        self.binary("mul", "i64", &a, &b)
    }

    /// A division of integers, or its remainder; nothing traps.
    fn divide(&mut self, op: &str, word: Word, a: &str, b: &str) -> Option<String> {
        let ty = self.of(word.int);
        let (zero, one) = (self.constant(word, 0), self.constant(word, 1));
        if self.width == Width::All {
            if word.bits == 64 || matches!(op, "sdiv" | "srem") {
                return None;
            }
            // As doubles, which hosts divide in vectors: exact for 32 bits.
            let [x, y] = [a, b].map(|v| self.cast("uitofp", "i32", v, "double"));
            let by_zero = self.text.value(format_args!("icmp eq {ty} {b}, {zero}"));
            let safe = self.select(&by_zero, "double", &self.constant_double_one(), &y);
            let quotient = self.binary("fdiv", "double", &x, &safe);
            let quotient = self.cast("fptoui", "double", &quotient, "i32");
            if op == "udiv" {
                let ones = self.constant(word, u64::MAX);
                return Some(self.select(&by_zero, "i32", &ones, &quotient));
            }
            let product = self.binary("mul", "i32", &quotient, b);
            let rest = self.binary("sub", "i32", a, &product);
            return Some(self.select(&by_zero, "i32", a, &rest));
        }
        let by_zero = self.text.value(format_args!("icmp eq {ty} {b}, {zero}"));
        let mut unsafe_divisor = by_zero.clone();
        if matches!(op, "sdiv" | "srem") {
            // The least number by -1 overflows: the results are those of a division by 1.
            let ones = self.constant(word, u64::MAX);
            let least = self.constant(word, 1 << (word.bits - 1));
            let by_minus = self.text.value(format_args!("icmp eq {ty} {b}, {ones}"));
            let of_least = self.text.value(format_args!("icmp eq {ty} {a}, {least}"));
            let overflows = self.binary("and", "i1", &by_minus, &of_least);
            unsafe_divisor = self.binary("or", "i1", &by_zero, &overflows);
        }
        let divisor = self.select(&unsafe_divisor, word.int, &one, b);
        let result = self.binary(op, word.int, a, &divisor);
        let other = match op {
            "udiv" | "sdiv" => self.constant(word, u64::MAX),
            _ => a.to_owned(),
        };
        Some(self.select(&by_zero, word.int, &other, &result))
    }

    fn constant_double_one(&self) -> String {
        self.width.constant("double", "1.0")
    }

    fn masked(&mut self, word: Word, a: &str, mask: u64) -> String {
        let mask = self.constant(word, mask);
        self.binary("and", word.int, a, &mask)
    }

    fn sign_extended(&mut self, word: Word, a: &str, bits: u32) -> String {
        let by = self.constant(word, u64::from(word.bits - bits));
        let up = self.binary("shl", word.int, a, &by);
        self.binary("ashr", word.int, &up, &by)
    }

    fn negated(&mut self, word: Word, a: &str) -> String {
        let zero = self.constant(word, 0);
        self.binary("sub", word.int, &zero, a)
    }

    fn inverted(&mut self, word: Word, a: &str) -> String {
        let ones = self.constant(word, u64::MAX);
        self.binary("xor", word.int, a, &ones)
    }

    /// 1 if a value is zero, else 0.
    fn is_zero(&mut self, word: Word, a: &str) -> String {
        let (ty, zero) = (self.of(word.int), self.constant(word, 0));
        let is = self.text.value(format_args!("icmp eq {ty} {a}, {zero}"));
        self.cast("zext", "i1", &is, word.int)
    }

    /// A minimum or maximum of floats: that of `semantics::float`.
    fn extreme(&mut self, word: Word, predicate: &str, a: &str, b: &str) -> String {
        let ty = self.of(word.int);
        let order = |this: &mut Self, v: &str| {
            let top = this.constant(word, u64::from(word.bits - 1));
            let sign = this.binary("ashr", word.int, v, &top);
            let one = this.constant(word, 1);
            let flip = this.binary("lshr", word.int, &sign, &one);
            this.binary("xor", word.int, v, &flip)
        };
        let (x, y) = (order(self, a), order(self, b));
        let first = self.text.value(format_args!("icmp {predicate} {ty} {x}, {y}"));
        let chosen = self.select(&first, word.int, a, b);
        let [fa, fb] = [a, b].map(|v| self.float(word, v));
        let float = self.of(word.float);
        let a_nan = self.text.value(format_args!("fcmp uno {float} {fa}, {fa}"));
        let b_nan = self.text.value(format_args!("fcmp uno {float} {fb}, {fb}"));
        let nan = self.constant(word, word.nan);
        let chosen = self.select(&b_nan, word.int, a, &chosen);
        let of_b = self.select(&b_nan, word.int, &nan, b);
        self.select(&a_nan, word.int, &of_b, &chosen)
    }

    pub fn un32(&mut self, op: Un32, a: &str) -> Option<String> {
        use Un32::*;
        Some(match op {
            Mov => a.to_owned(),
            Not => self.inverted(W32, a),
            Cnot => self.is_zero(W32, a),
            Neg => self.negated(W32, a),
            Abs => self.intrinsic("abs", "i32", &[a], ", i1 false"),
            Popc => self.intrinsic("ctpop", "i32", &[a], ""),
            Clz => self.intrinsic("ctlz", "i32", &[a], ", i1 false"),
            Brev => self.intrinsic("bitreverse", "i32", &[a], ""),
            Sext8 => self.sign_extended(W32, a, 8),
            Sext8To16 => {
                let wide = self.sign_extended(W32, a, 8);
                self.masked(W32, &wide, 0xffff)
            }
            Sext16 => self.sign_extended(W32, a, 16),
            Zext8 => self.masked(W32, a, 0xff),
            Zext16 => self.masked(W32, a, 0xffff),
            High16 => {
                let by = self.constant(W32, 16);
                self.binary("lshr", "i32", a, &by)
            }
            NegF => {
                let sign = self.constant(W32, 1 << 31);
                self.binary("xor", "i32", a, &sign)
            }
            AbsF => self.masked(W32, a, 0x7fff_ffff),
            RcpF => {
                let a = self.float(W32, a);
                let one = self.width.constant("float", "1.0");
                let result = self.binary("fdiv", "float", &one, &a);
                self.canonical(W32, &result)
            }
            SqrtF => {
                let a = self.float(W32, a);
                let result = self.intrinsic("sqrt", "float", &[&a], "");
                self.canonical(W32, &result)
            }
            FlushF => {
                let exponent = self.masked(W32, a, 0x7f80_0000);
                let (ty, zero) = (self.of("i32"), self.constant(W32, 0));
                let is_small = self.text.value(format_args!("icmp eq {ty} {exponent}, {zero}"));
                let sign = self.masked(W32, a, 1 << 31);
                self.select(&is_small, "i32", &sign, a)
            }
            FFromS => {
                let f = self.cast("sitofp", "i32", a, "float");
                self.cast("bitcast", "float", &f, "i32")
            }
            FFromU => {
                let f = self.cast("uitofp", "i32", a, "float");
                self.cast("bitcast", "float", &f, "i32")
            }
            SFromF => self.saturating("fptosi", "float", a, W32, "i32"),
            UFromF => self.saturating("fptoui", "float", a, W32, "i32"),
            _ => return None,
        })
    }

    /// A float as an integer, clamped to its range; a NaN is 0.
    fn saturating(&mut self, op: &str, from: &str, a: &str, word: Word, to: &str) -> String {
        let f = self.float(word, a);
        let (to_ty, from_ty) = (self.of(to), self.of(from));
        let suffix = format!("{}.{}", self.width.suffix(to), self.width.suffix(suffix(from)));
        self.text.value(format_args!("call {to_ty} @llvm.{op}.sat.{suffix}({from_ty} {f})"))
    }

    /// As [`Operations::saturating`]; a NaN is the number with only the highest bit set.
    fn saturating_nan(&mut self, op: &str, from: &str, a: &str, word: Word, to: Word) -> String {
        let result = self.saturating(op, from, a, word, to.int);
        let f = self.float(word, a);
        let ty = self.of(from);
        let nan = self.text.value(format_args!("fcmp uno {ty} {f}, {f}"));
        let high = self.constant(to, 1 << (to.bits - 1));
        self.select(&nan, to.int, &high, &result)
    }

    pub fn un64(&mut self, op: Un64, a: &str) -> Option<String> {
        use Un64::*;
        Some(match op {
            Mov => a.to_owned(),
            Not => self.inverted(W64, a),
            Cnot => self.is_zero(W64, a),
            Neg => self.negated(W64, a),
            Abs => self.intrinsic("abs", "i64", &[a], ", i1 false"),
            Brev => self.intrinsic("bitreverse", "i64", &[a], ""),
            NegF => {
                let sign = self.constant(W64, 1 << 63);
                self.binary("xor", "i64", a, &sign)
            }
            AbsF => self.masked(W64, a, u64::MAX >> 1),
            RcpF => {
                let a = self.float(W64, a);
                let one = self.constant_double_one();
                let result = self.binary("fdiv", "double", &one, &a);
                self.canonical(W64, &result)
            }
            SqrtF => {
                let a = self.float(W64, a);
                let result = self.intrinsic("sqrt", "double", &[&a], "");
                self.canonical(W64, &result)
            }
            FFromS => {
                let f = self.cast("sitofp", "i64", a, "double");
                self.cast("bitcast", "double", &f, "i64")
            }
            FFromU => {
                let f = self.cast("uitofp", "i64", a, "double");
                self.cast("bitcast", "double", &f, "i64")
            }
            SFromF => self.saturating_nan("fptosi", "double", a, W64, W64),
            UFromF => self.saturating_nan("fptoui", "double", a, W64, W64),
            _ => return None,
        })
    }

    pub fn widen(&mut self, op: Widen, a: &str) -> Option<String> {
        use Widen::*;
        Some(match op {
            Zext => self.cast("zext", "i32", a, "i64"),
            Sext => self.cast("sext", "i32", a, "i64"),
            Sext16 => {
                let low = self.cast("trunc", "i32", a, "i16");
                self.cast("sext", "i16", &low, "i64")
            }
            Zext8 => {
                let low = self.masked(W32, a, 0xff);
                self.cast("zext", "i32", &low, "i64")
            }
            Sext8 => {
                let low = self.cast("trunc", "i32", a, "i8");
                self.cast("sext", "i8", &low, "i64")
            }
            FFromF => {
                let f = self.float(W32, a);
                let wide = self.cast("fpext", "float", &f, "double");
                self.canonical(W64, &wide)
            }
            FFromS => {
                let f = self.cast("sitofp", "i32", a, "double");
                self.cast("bitcast", "double", &f, "i64")
            }
            FFromU => {
                let f = self.cast("uitofp", "i32", a, "double");
                self.cast("bitcast", "double", &f, "i64")
            }
            SFromF => self.saturating_nan("fptosi", "float", a, W32, W64),
            UFromF => self.saturating_nan("fptoui", "float", a, W32, W64),
        })
    }

    pub fn narrow(&mut self, op: Narrow, a: &str) -> Option<String> {
        use Narrow::*;
        let part = |this: &mut Self, by: u64, mask: u64| {
            let by = this.constant(W64, by);
            let down = this.binary("lshr", "i64", a, &by);
            let low = this.cast("trunc", "i64", &down, "i32");
            if mask == 0 { low } else { this.masked(W32, &low, mask) }
        };
        Some(match op {
            Low => self.cast("trunc", "i64", a, "i32"),
            High => part(self, 32, 0),
            Low16 => part(self, 0, 0xffff),
            Quarter1 => part(self, 16, 0xffff),
            Quarter2 => part(self, 32, 0xffff),
            Quarter3 => part(self, 48, 0),
            Popc => {
                let count = self.intrinsic("ctpop", "i64", &[a], "");
                self.cast("trunc", "i64", &count, "i32")
            }
            Clz => {
                let count = self.intrinsic("ctlz", "i64", &[a], ", i1 false");
                self.cast("trunc", "i64", &count, "i32")
            }
            FFromF => {
                let f = self.float(W64, a);
                let narrow = self.cast("fptrunc", "double", &f, "float");
                self.canonical(W32, &narrow)
            }
            FFromS => {
                let f = self.cast("sitofp", "i64", a, "float");
                self.cast("bitcast", "float", &f, "i32")
            }
            FFromU => {
                let f = self.cast("uitofp", "i64", a, "float");
                self.cast("bitcast", "float", &f, "i32")
            }
            SFromF => self.saturating_nan("fptosi", "double", a, W64, W32),
            UFromF => self.saturating_nan("fptoui", "double", a, W64, W32),
            _ => return None,
        })
    }

    pub fn bin32(&mut self, op: Bin32, a: &str, b: &str) -> Option<String> {
        use Bin32::*;
        let i = "i32";
        Some(match op {
            Add => self.binary("add", i, a, b),
            Sub => self.binary("sub", i, a, b),
            AddSat => self.intrinsic("sadd.sat", i, &[a, b], ""),
            SubSat => self.intrinsic("ssub.sat", i, &[a, b], ""),
            Mul => self.binary("mul", i, a, b),
            MulHiU => self.high("zext", a, b),
            MulHiS => self.high("sext", a, b),
            DivU => return self.divide("udiv", W32, a, b),
            DivS => return self.divide("sdiv", W32, a, b),
            RemU => return self.divide("urem", W32, a, b),
            RemS => return self.divide("srem", W32, a, b),
            MinU => self.intrinsic("umin", i, &[a, b], ""),
            MaxU => self.intrinsic("umax", i, &[a, b], ""),
            MinS => self.intrinsic("smin", i, &[a, b], ""),
            MaxS => self.intrinsic("smax", i, &[a, b], ""),
            And => self.binary("and", i, a, b),
            Or => self.binary("or", i, a, b),
            Xor => self.binary("xor", i, a, b),
            Shl => self.shift("shl", W32, a, b),
            ShrU => self.shift("lshr", W32, a, b),
            ShrS => self.shift("ashr", W32, a, b),
            Add16 | Sub16 | Mul16 => {
                let name = match op {
                    Add16 => "add",
                    Sub16 => "sub",
                    _ => "mul",
                };
                let wide = self.binary(name, i, a, b);
                self.masked(W32, &wide, 0xffff)
            }
            MulWideU16 => self.binary("mul", i, a, b),
            Pack16 => {
                let low = self.masked(W32, a, 0xffff);
                let by = self.constant(W32, 16);
                let high = self.binary("shl", i, b, &by);
                self.binary("or", i, &low, &high)
            }
            AddF => self.float_binary("fadd", W32, a, b),
            SubF => self.float_binary("fsub", W32, a, b),
            MulF => self.float_binary("fmul", W32, a, b),
            DivF => self.float_binary("fdiv", W32, a, b),
            MinF => self.extreme(W32, "slt", a, b),
            MaxF => self.extreme(W32, "sgt", a, b),
            CopysignF => {
                let sign = self.masked(W32, a, 1 << 31);
                let rest = self.masked(W32, b, 0x7fff_ffff);
                self.binary("or", i, &sign, &rest)
            }
            _ => return None,
        })
    }

    pub fn bin64(&mut self, op: Bin64, a: &str, b: &str) -> Option<String> {
        use Bin64::*;
        let i = "i64";
        Some(match op {
            Add => self.binary("add", i, a, b),
            Sub => self.binary("sub", i, a, b),
            Mul => self.binary("mul", i, a, b),
            DivU => return self.divide("udiv", W64, a, b),
            DivS => return self.divide("sdiv", W64, a, b),
            RemU => return self.divide("urem", W64, a, b),
            RemS => return self.divide("srem", W64, a, b),
            MinU => self.intrinsic("umin", i, &[a, b], ""),
            MaxU => self.intrinsic("umax", i, &[a, b], ""),
            MinS => self.intrinsic("smin", i, &[a, b], ""),
            MaxS => self.intrinsic("smax", i, &[a, b], ""),
            And => self.binary("and", i, a, b),
            Or => self.binary("or", i, a, b),
            Xor => self.binary("xor", i, a, b),
            AddF => self.float_binary("fadd", W64, a, b),
            SubF => self.float_binary("fsub", W64, a, b),
            MulF => self.float_binary("fmul", W64, a, b),
            DivF => self.float_binary("fdiv", W64, a, b),
            MinF => self.extreme(W64, "slt", a, b),
            MaxF => self.extreme(W64, "sgt", a, b),
            CopysignF => {
                let sign = self.masked(W64, a, 1 << 63);
                let rest = self.masked(W64, b, u64::MAX >> 1);
                self.binary("or", i, &sign, &rest)
            }
            MulHiU | MulHiS => return None,
        })
    }

    /// A 64-bit value shifted by a 32-bit amount.
    pub fn shift64(&mut self, op: Shift64, a: &str, b: &str) -> Option<String> {
        let by = self.cast("zext", "i32", b, "i64");
        Some(match op {
            Shift64::Shl => self.shift("shl", W64, a, &by),
            Shift64::ShrU => self.shift("lshr", W64, a, &by),
            Shift64::ShrS => self.shift("ashr", W64, a, &by),
        })
    }

    pub fn wide(&mut self, op: Wide, a: &str, b: &str) -> Option<String> {
        Some(match op {
            Wide::MulU => self.product("zext", a, b),
            Wide::MulS => self.product("sext", a, b),
            Wide::Pack => {
                let (low, high) = (self.cast("zext", "i32", a, "i64"), self.cast("zext", "i32", b, "i64"));
                let by = self.constant(W64, 32);
                let high = self.binary("shl", "i64", &high, &by);
                self.binary("or", "i64", &low, &high)
            }
        })
    }

    pub fn tri32(&mut self, op: Tri32, a: &str, b: &str, c: &str) -> Option<String> {
        use Tri32::*;
        Some(match op {
            Mad => {
                let product = self.binary("mul", "i32", a, b);
                self.binary("add", "i32", &product, c)
            }
            MadHiU | MadHiS => {
                let high = self.high(if op == MadHiU { "zext" } else { "sext" }, a, b);
                self.binary("add", "i32", &high, c)
            }
            ShfLWrap => self.intrinsic("fshl", "i32", &[b, a, c], ""),
            ShfRWrap => self.intrinsic("fshr", "i32", &[b, a, c], ""),
            FmaF => self.multiply_add(W32, a, b, c),
            _ => return None,
        })
    }

    pub fn tri64(&mut self, op: Tri64, a: &str, b: &str, c: &str) -> Option<String> {
        Some(match op {
            Tri64::Mad => {
                let product = self.binary("mul", "i64", a, b);
                self.binary("add", "i64", &product, c)
            }
            Tri64::FmaF => self.multiply_add(W64, a, b, c),
            _ => return None,
        })
    }

    pub fn mad_wide(&mut self, op: MadWide, a: &str, b: &str, c: &str) -> Option<String> {
        let product = match op {
            MadWide::U => self.product("zext", a, b),
            MadWide::S => self.product("sext", a, b),
        };
        Some(self.binary("add", "i64", &product, c))
    }

    /// A bit field at a position and of a length that are known: `bfe`.
    pub fn field(&mut self, op: Tri32, a: &str, position: u32, length: u32) -> Option<String> {
        let (position, length) = (position & 0xff, length & 0xff);
        let by = self.constant(W32, u64::from(position.min(31)));
        Some(match op {
            Tri32::BfeU if position > 31 || length == 0 => self.constant(W32, 0),
            Tri32::BfeU => {
                let field = self.binary("lshr", "i32", a, &by);
                if length >= 32 { field } else { self.masked(W32, &field, (1 << length) - 1) }
            }
            Tri32::BfeS if length == 0 => self.constant(W32, 0),
            Tri32::BfeS => {
                let field = self.binary("ashr", "i32", a, &by);
                if length >= 32 { field } else { self.sign_extended(W32, &field, length) }
            }
            _ => return None,
        })
    }

    /// `lop3`, if its table is known.
    pub fn quad32(&mut self, op: Quad32, [a, b, c]: [&str; 3], table: Option<u32>) -> Option<String> {
        if op != Quad32::Lop3 {
            return None;
        }
        let table = table?;
        let mut result: Option<String> = None;
        for minterm in (0..8u32).filter(|minterm| table >> minterm & 1 != 0) {
            let mut term: Option<String> = None;
            for (value, bit) in [(a, 4), (b, 2), (c, 1)] {
                let factor = if minterm & bit != 0 { value.to_owned() } else { self.inverted(W32, value) };
                term = Some(match term {
                    None => factor,
                    Some(known) => self.binary("and", "i32", &known, &factor),
                });
            }
            let term = term?;
            result = Some(match result {
                None => term,
                Some(known) => self.binary("or", "i32", &known, &term),
            });
        }
        Some(result.unwrap_or_else(|| self.constant(W32, 0)))
    }

    /// A comparison, as a value of one bit.
    pub fn cmp32(&mut self, op: Cmp32, a: &str, b: &str) -> Option<String> {
        let predicate = predicate!(Cmp32, op);
        Some(self.compare(predicate, W32, a, b))
    }

    /// As [`Operations::cmp32`].
    pub fn cmp64(&mut self, op: Cmp64, a: &str, b: &str) -> Option<String> {
        let predicate = predicate!(Cmp64, op);
        Some(self.compare(predicate, W64, a, b))
    }

    fn compare(&mut self, predicate: &str, word: Word, a: &str, b: &str) -> String {
        let (name, a, b) = match predicate.starts_with('f') {
            true => (word.float, self.float(word, a), self.float(word, b)),
            false => (word.int, a.to_owned(), b.to_owned()),
        };
        let ty = self.of(name);
        self.text.value(format_args!("{predicate} {ty} {a}, {b}"))
    }
}

/// The name of a type in an intrinsic's.
fn suffix(ty: &str) -> &str {
    match ty {
        "float" => "f32",
        "double" => "f64",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use libloading::os::unix::Library;
    use toolchain::{Cache, HostCode};

    use super::*;
    use crate::semantics::{Aligned, LANES};

    type Function = unsafe extern "C" fn(*const u64, *const u64, *const u64, *mut u64);

    type Planes<'p> = [&'p [u64; LANES]; 3];
    type Meaning = Box<dyn Fn(Planes<'_>) -> [u64; LANES]>;
    type Writer = Box<dyn Fn(&mut Operations<'_>, &[&str]) -> Option<String>>;

    /// An operation: its name, the types of its operands and its result, what it means, and its IR if it has some.
    struct Case {
        name: String,
        operands: Vec<&'static str>,
        result: &'static str,
        meaning: Meaning,
        write: Writer,
    }

    fn narrow(plane: &[u64; LANES]) -> [u32; LANES] {
        plane.map(|v| v as u32)
    }

    fn cases() -> Vec<Case> {
        let mut cases = Vec::new();
        macro_rules! of {
            ($table:ident, $method:ident, $result:ident, $($operand:ident $number:literal),+) => {
                for &op in $table::ALL {
                    cases.push(Case {
                        name: format!("{}.{op:?}", stringify!($table)),
                        operands: vec![$(of!(@type $operand)),+],
                        result: of!(@type $result),
                        meaning: Box::new(move |planes| {
                            let mut out = [0; LANES];
                            op.planes($(&of!(@plane $operand planes[$number]),)+ &mut out);
                            out.map(|v| u64::from(v))
                        }),
                        write: Box::new(move |o, names| o.$method(op, $(names[$number]),+)),
                    });
                }
            };
            (@type w32) => { "i32" };
            (@type w64) => { "i64" };
            (@plane w32 $plane:expr) => { narrow($plane) };
            (@plane w64 $plane:expr) => { *$plane };
        }
        of!(Un32, un32, w32, w32 0);
        of!(Un64, un64, w64, w64 0);
        of!(Widen, widen, w64, w32 0);
        of!(Narrow, narrow, w32, w64 0);
        of!(Bin32, bin32, w32, w32 0, w32 1);
        of!(Bin64, bin64, w64, w64 0, w64 1);
        of!(Shift64, shift64, w64, w64 0, w32 1);
        of!(Wide, wide, w64, w32 0, w32 1);
        of!(Tri32, tri32, w32, w32 0, w32 1, w32 2);
        of!(Tri64, tri64, w64, w64 0, w64 1, w64 2);
        of!(MadWide, mad_wide, w64, w32 0, w32 1, w64 2);
        for table in [0u32, 1, 0x80, 0x96, 0xca, 0xe8, 0xff] {
            cases.push(Case {
                name: format!("Lop3 {table:#x}"),
                operands: vec!["i32"; 3],
                result: "i32",
                meaning: Box::new(move |[a, b, c]| {
                    let mut out = [0; LANES];
                    Quad32::Lop3.planes(&narrow(a), &narrow(b), &narrow(c), &[table; LANES], &mut out);
                    out.map(u64::from)
                }),
                write: Box::new(move |o, names| {
                    o.quad32(Quad32::Lop3, [names[0], names[1], names[2]], Some(table))
                }),
            });
        }
        for op in [Tri32::BfeU, Tri32::BfeS] {
            for (position, length) in
                [(0, 0), (0, 8), (2, 3), (24, 8), (28, 8), (31, 1), (32, 4), (0, 32), (5, 300), (64, 1)]
            {
                cases.push(Case {
                    name: format!("{op:?} {position} {length}"),
                    operands: vec!["i32"],
                    result: "i32",
                    meaning: Box::new(move |[a, ..]| {
                        let mut out = [0; LANES];
                        op.planes(&narrow(a), &[position; LANES], &[length; LANES], &mut out);
                        out.map(u64::from)
                    }),
                    write: Box::new(move |o, names| o.field(op, names[0], position, length)),
                });
            }
        }
        let lanes = |mask: u32| std::array::from_fn(|lane| u64::from(mask >> lane & 1));
        for &op in Cmp32::ALL {
            cases.push(Case {
                name: format!("Cmp32.{op:?}"),
                operands: vec!["i32"; 2],
                result: "i1",
                meaning: Box::new(move |[a, b, _]| lanes(op.mask(&narrow(a), &narrow(b)))),
                write: Box::new(move |o, names| o.cmp32(op, names[0], names[1])),
            });
        }
        for &op in Cmp64::ALL {
            cases.push(Case {
                name: format!("Cmp64.{op:?}"),
                operands: vec!["i64"; 2],
                result: "i1",
                meaning: Box::new(move |[a, b, _]| lanes(op.mask(a, b))),
                write: Box::new(move |o, names| o.cmp64(op, names[0], names[1])),
            });
        }
        cases
    }

    /// A function that applies an operation to one lane of 64 bits each, or to all; `None` if it is not written as IR.
    fn function(case: &Case, name: &str, width: Width) -> Option<String> {
        let mut text = Text::default();
        let wide = width.of("i64");
        let mut names = Vec::new();
        for (number, ty) in case.operands.iter().enumerate() {
            let value = text.value(format_args!("load {wide}, ptr %p{number}, align 8"));
            names.push(match *ty {
                "i64" => value,
                ty => text.value(format_args!("trunc {wide} {value} to {}", width.of(ty))),
            });
        }
        let operands: Vec<&str> = names.iter().map(String::as_str).collect();
        let result = (case.write)(&mut Operations { text: &mut text, width }, &operands)?;
        let result = match case.result {
            "i64" => result,
            ty => text.value(format_args!("zext {} {result} to {wide}", width.of(ty))),
        };
        text.line(format_args!("store {wide} {result}, ptr %out, align 8"));
        text.line("ret void");
        let body = text.out;
        Some(format!("define void @{name}(ptr %p0, ptr %p1, ptr %p2, ptr %out) {{\n{body}}}\n"))
    }

    /// Every operation that is written as IR computes what the interpreter computes, lane by lane and in all lanes.
    #[test]
    fn operations_mean_what_the_table_says() {
        let tools = match Cache::open().and_then(HostCode::find_with) {
            Ok(tools) => tools,
            Err(error) => return eprintln!("skipped: {error}"),
        };
        let cases = cases();
        let (mut ir, mut written) = (String::new(), Vec::new());
        for (number, case) in cases.iter().enumerate() {
            for (width, name) in [(Width::One, "one"), (Width::All, "all")] {
                let name = format!("f{number}_{name}");
                if let Some(text) = function(case, &name, width) {
                    ir += &text;
                    written.push((case, width, name));
                }
            }
        }
        let path = tools.compile(&ir).expect("LLVM accepts the operations");
        // SAFETY: what was just made; it has no initialisers.
        let library = unsafe { Library::new(path) }.expect("it can be loaded");
        let edges: [u64; 40] = [
            0,
            1,
            2,
            3,
            5,
            7,
            8,
            15,
            16,
            31,
            32,
            33,
            63,
            64,
            65,
            127,
            128,
            255,
            256,
            0x7fff,
            0x8000,
            0xffff,
            0x7fff_ffff,
            0x8000_0000,
            0x8000_0001,
            0xffff_ffff,
            0x3f80_0000,
            0xbf80_0000,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0001,
            0xff80_0001,
            0x4f00_0000,
            0x0000_0400,
            1 << 63,
            u64::MAX,
            0x3ff0_0000_0000_0000,
            0x7ff0_0000_0000_0000,
            0xfff8_0000_0000_0001,
            0x43e0_0000_0000_0000,
        ];
        let mut random = 1u64;
        let mut next = || {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let bits = random >> 33 ^ random << 20;
            match bits % 3 {
                0 => edges[(random >> 40) as usize % edges.len()],
                1 => edges[(random >> 40) as usize % edges.len()] << 32 | bits & 0xffff_ffff,
                _ => bits,
            }
        };
        let mut compared = 0;
        for (case, width, name) in written {
            // SAFETY: the IR defines it with this type.
            let function = unsafe { library.get::<Function>(name.as_bytes()) }.expect("the function");
            for _ in 0..40 {
                let planes: [Aligned<[u64; LANES]>; 3] =
                    std::array::from_fn(|_| Aligned(std::array::from_fn(|_| next())));
                let [a, b, c] = planes.each_ref().map(|plane| &plane.0);
                let wanted = (case.meaning)([a, b, c]);
                let mut out = Aligned([0u64; LANES]);
                let lanes = if width == Width::One { LANES } else { 1 };
                for lane in 0..lanes {
                    // SAFETY: it reads and writes one value, or those of all lanes.
                    unsafe { function(&a[lane], &b[lane], &c[lane], &mut out.0[lane]) };
                }
                for lane in 0..LANES {
                    assert_eq!(
                        out.0[lane], wanted[lane],
                        "{} of {:#x}, {:#x}, {:#x} in {width:?}",
                        case.name, a[lane], b[lane], c[lane]
                    );
                    compared += 1;
                }
            }
        }
        assert!(compared > 100_000);
    }
}
