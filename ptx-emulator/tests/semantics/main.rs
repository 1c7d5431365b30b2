//! Instructions against the host's own arithmetic, over edge and random operands.
//!
//! Every instruction becomes a kernel that loads three operands of 64 bits and stores a result of 64 bits.
//! `PTX_SEMANTICS_DUMP=FOLDER` also writes module, operands and results there, so that the same PTX can be
//! run on hardware and compared.

// The negated and doubled comparisons mean something else for NaN than what they could be simplified to.
#![allow(
    clippy::double_comparisons,
    clippy::manual_checked_ops,
    clippy::neg_cmp_op_on_partial_ord,
    clippy::nonminimal_bool,
    reason = "operations are written as PTX defines them"
)]

mod conversions;
mod floats;
mod integers;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use ptx_emulator::{LaunchConfig, LaunchOptions, Machine, MachineDescription, Program};

type Meaning = Box<dyn Fn(u64, u64, u64) -> u64>;

/// One instruction: `D`, `A`, `B`, `C` in the text stand for its registers, whose types follow.
struct Case {
    text: &'static str,
    types: &'static str,
    meaning: Meaning,
}

fn case(text: &'static str, types: &'static str, meaning: impl Fn(u64, u64, u64) -> u64 + 'static) -> Case {
    Case { text, types, meaning: Box::new(meaning) }
}

fn f(v: u64) -> f32 {
    f32::from_bits(v as u32)
}
fn g(v: u64) -> f64 {
    f64::from_bits(v)
}
fn bits(v: f32) -> u64 {
    u64::from(if v.is_nan() { 0x7fff_ffff } else { v.to_bits() })
}
fn bits64(v: f64) -> u64 {
    if v.is_nan() { 0x7ff8_0000_0000_0000 } else { v.to_bits() }
}
fn s(v: u64) -> i64 {
    i64::from(v as i32)
}
fn w(v: i64) -> u64 {
    u64::from(v as u32)
}

/// The standard's minimumNumber, written from its definition.
fn minimum(a: f64, b: f64) -> f64 {
    if a.is_nan() {
        b
    } else if b.is_nan() || a < b || (a == b && a.is_sign_negative()) {
        a
    } else {
        b
    }
}

/// The value of a half: every one of them is a whole number of units of 2^-24.
fn half(v: u64) -> f64 {
    let sign = if v & 0x8000 != 0 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (v >> 10 & 31, v & 0x3ff);
    sign * match exponent {
        0 => fraction as f64 * 2f64.powi(-24),
        31 if fraction == 0 => f64::INFINITY,
        31 => f64::NAN,
        e => (1024 + fraction) as f64 * 2f64.powi(e as i32 - 25),
    }
}

/// The half nearest to a value, found by search over all halves of its sign; ties go to the even one.
fn to_half(v: f64) -> u64 {
    if v.is_nan() {
        return 0x7fff;
    }
    let sign = if v.is_sign_negative() { 0x8000 } else { 0 };
    let v = v.abs();
    // Halves ascend with their bits; the first value that no longer rounds to a finite one is 65520.
    if v >= 65520.0 {
        return sign | 0x7c00;
    }
    let (mut low, mut high) = (0u64, 0x7c00);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if half(middle) <= v { low = middle } else { high = middle }
    }
    let above = if high == 0x7c00 { 65536.0 } else { half(high) };
    let (down, up) = (v - half(low), above - v);
    sign | if down < up || (down == up && low % 2 == 0) { low } else { high }
}

fn cases() -> Vec<Case> {
    let mut c =
        vec![
            case("add.s32 D, A, B", "rrrr", |a, b, _| w(s(a).wrapping_add(s(b)))),
            case("sub.s32 D, A, B", "rrrr", |a, b, _| w(s(a).wrapping_sub(s(b)))),
            case("add.sat.s32 D, A, B", "rrrr", |a, b, _| {
                w((s(a) + s(b)).clamp(i32::MIN.into(), i32::MAX.into()))
            }),
            case("mul.lo.s32 D, A, B", "rrrr", |a, b, _| w(s(a).wrapping_mul(s(b)))),
            case("mul.hi.s32 D, A, B", "rrrr", |a, b, _| w(s(a).wrapping_mul(s(b)) >> 32)),
            case("mul.hi.u32 D, A, B", "rrrr", |a, b, _| ((a & 0xffff_ffff) * (b & 0xffff_ffff)) >> 32),
            case("mul.wide.s32 D, A, B", "drrr", |a, b, _| (s(a) * s(b)) as u64),
            case("mul.wide.u32 D, A, B", "drrr", |a, b, _| (a & 0xffff_ffff) * (b & 0xffff_ffff)),
            case("mul.wide.s16 D, A, B", "rhhh", |a, b, _| w(i64::from(a as i16) * i64::from(b as i16))),
            case("mad.lo.s32 D, A, B, C", "rrrr", |a, b, c| w(s(a).wrapping_mul(s(b)).wrapping_add(s(c)))),
            case("mad.wide.u32 D, A, B, C", "drrd", |a, b, c| {
                ((a & 0xffff_ffff) * (b & 0xffff_ffff)).wrapping_add(c)
            }),
            case("mad.hi.s32 D, A, B, C", "rrrr", |a, b, c| {
                w((s(a).wrapping_mul(s(b)) >> 32).wrapping_add(s(c)))
            }),
            case("mul24.lo.u32 D, A, B", "rrrr", |a, b, _| ((a & 0xff_ffff) * (b & 0xff_ffff)) & 0xffff_ffff),
            case("div.s32 D, A, B", "rrrr", |a, b, _| {
                if b as u32 == 0 { 0xffff_ffff } else { w(s(a).wrapping_div(s(b))) }
            }),
            case("div.u32 D, A, B", "rrrr", |a, b, _| {
                if b as u32 == 0 { 0xffff_ffff } else { u64::from(a as u32 / b as u32) }
            }),
            case(
                "rem.s32 D, A, B",
                "rrrr",
                |a, b, _| if b as u32 == 0 { w(s(a)) } else { w(s(a).wrapping_rem(s(b))) },
            ),
            case("rem.u32 D, A, B", "rrrr", |a, b, _| {
                if b as u32 == 0 { w(s(a)) } else { u64::from(a as u32 % b as u32) }
            }),
            case("div.s64 D, A, B", "dddd", |a, b, _| {
                if b == 0 { u64::MAX } else { (a as i64).wrapping_div(b as i64) as u64 }
            }),
            case("div.u64 D, A, B", "dddd", |a, b, _| a.checked_div(b).unwrap_or(u64::MAX)),
            case("min.s32 D, A, B", "rrrr", |a, b, _| w(s(a).min(s(b)))),
            case("max.u32 D, A, B", "rrrr", |a, b, _| u64::from((a as u32).max(b as u32))),
            case("min.s64 D, A, B", "dddd", |a, b, _| (a as i64).min(b as i64) as u64),
            case("max.s16 D, A, B", "hhhh", |a, b, _| u64::from((a as i16).max(b as i16) as u16)),
            case("neg.s32 D, A", "rrrr", |a, _, _| w(-s(a))),
            case("abs.s64 D, A", "dddd", |a, _, _| (a as i64).unsigned_abs()),
            case("sad.s32 D, A, B, C", "rrrr", |a, b, c| w(s(c).wrapping_add((s(a) - s(b)).abs()))),
            case("add.s16 D, A, B", "hhhh", |a, b, _| a.wrapping_add(b) & 0xffff),
            case(
                "shl.b32 D, A, B",
                "rrrr",
                |a, b, _| if b as u32 > 31 { 0 } else { w((a << (b as u32)) as i64) },
            ),
            case("shr.u32 D, A, B", "rrrr", |a, b, _| {
                if b as u32 > 31 { 0 } else { u64::from(a as u32 >> (b as u32)) }
            }),
            case("shr.s32 D, A, B", "rrrr", |a, b, _| w(s(a) >> (b as u32).min(31))),
            case("shl.b64 D, A, B", "ddrr", |a, b, _| if b as u32 > 63 { 0 } else { a << (b as u32) }),
            case("shr.s64 D, A, B", "ddrr", |a, b, _| ((a as i64) >> (b as u32).min(63)) as u64),
            case(
                "shl.b16 D, A, B",
                "hhrr",
                |a, b, _| if b as u32 > 15 { 0 } else { (a << (b as u32)) & 0xffff },
            ),
            case("shr.s16 D, A, B", "hhrr", |a, b, _| u64::from(((a as i16) >> (b as u32).min(15)) as u16)),
            case("shf.l.wrap.b32 D, A, B, C", "rrrr", |a, b, c| {
                let n = c as u32 & 31;
                u64::from(if n == 0 { b as u32 } else { (b as u32) << n | (a as u32) >> (32 - n) })
            }),
            case("shf.r.clamp.b32 D, A, B, C", "rrrr", |a, b, c| {
                ((a & 0xffff_ffff | b << 32) >> (c as u32).min(32)) & 0xffff_ffff
            }),
            case("and.b32 D, A, B", "rrrr", |a, b, _| a & b & 0xffff_ffff),
            case("xor.b64 D, A, B", "dddd", |a, b, _| a ^ b),
            case("not.b16 D, A", "hhhh", |a, _, _| !a & 0xffff),
            case("cnot.b32 D, A", "rrrr", |a, _, _| u64::from(a as u32 == 0)),
            case("popc.b64 D, A", "rddd", |a, _, _| a.count_ones().into()),
            case("clz.b32 D, A", "rrrr", |a, _, _| (a as u32).leading_zeros().into()),
            case("brev.b64 D, A", "dddd", |a, _, _| a.reverse_bits()),
            case("bfind.u32 D, A", "rrrr", |a, _, _| {
                (a as u32).checked_ilog2().map_or(0xffff_ffff, u64::from)
            }),
            case("bfind.s64 D, A", "rddd", |a, _, _| {
                (if (a as i64) < 0 { !a } else { a }).checked_ilog2().map_or(0xffff_ffff, u64::from)
            }),
            case("bfind.shiftamt.u64 D, A", "rddd", |a, _, _| {
                if a == 0 { 0xffff_ffff } else { a.leading_zeros().into() }
            }),
            case("bfe.u32 D, A, B, C", "rrrr", |a, b, c| {
                let (p, l) = (b as u32 & 255, c as u32 & 255);
                (0..l.min(32)).filter(|i| p + i < 32 && a >> (p + i) & 1 != 0).map(|i| 1 << i).sum()
            }),
            case("bfe.s32 D, A, B, C", "rrrr", |a, b, c| {
                let (p, l) = (b as u32 & 255, c as u32 & 255);
                let sign = if l == 0 { 0 } else { a >> (p + l - 1).min(31) & 1 };
                (0..32).map(|i| if i < l && p + i < 32 { a >> (p + i) & 1 } else { sign } << i).sum()
            }),
            case("bfe.u64 D, A, B, C", "ddrr", |a, b, c| {
                let (p, l) = (b as u32 & 255, c as u32 & 255);
                (0..l.min(64)).filter(|i| p + i < 64 && a >> (p + i) & 1 != 0).map(|i| 1u64 << i).sum()
            }),
            case("bfi.b32 D, A, B, C, 7", "rrrr", |a, b, c| {
                let p = c as u32 & 255;
                (0..32).map(|i| if i >= p && i < p + 7 { a >> (i - p) & 1 } else { b >> i & 1 } << i).sum()
            }),
            case("prmt.b32 D, A, B, C", "rrrr", |a, b, c| {
                let all = [a, b].map(|v| (v as u32).to_le_bytes()).concat();
                let byte = |i: u64| {
                    let n = c >> (4 * i) & 15;
                    let v = all[n as usize & 7];
                    if n & 8 == 0 {
                        v
                    } else if v > 127 {
                        255
                    } else {
                        0
                    }
                };
                u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]).into()
            }),
            case("lop3.b32 D, A, B, C, 202", "rrrr", |a, b, c| (a & b | !a & c) & 0xffff_ffff),
            case("lop3.b32 D, A, B, C, 150", "rrrr", |a, b, c| (a ^ b ^ c) & 0xffff_ffff),
            case("selp.b32 D, A, B, P", "rrrr", |a, b, _| if s(a) < s(b) { w(s(a)) } else { w(s(b)) }),
            case("slct.u32.s32 D, A, B, C", "rrrr", |a, b, c| w(if s(c) >= 0 { s(a) } else { s(b) })),
            case("set.lt.u32.s32 D, A, B", "rrrr", |a, b, _| if s(a) < s(b) { 0xffff_ffff } else { 0 }),
            case("set.gtu.f32.f32 D, A, B", "rrrr", |a, b, _| bits(if f(a) <= f(b) { 0.0 } else { 1.0 })),
            case("add.rn.f32 D, A, B", "rrrr", |a, b, _| bits(f(a) + f(b))),
            case("sub.f32 D, A, B", "rrrr", |a, b, _| bits(f(a) - f(b))),
            case("mul.rn.f32 D, A, B", "rrrr", |a, b, _| bits(f(a) * f(b))),
            case("mul.sat.f32 D, A, B", "rrrr", |a, b, _| {
                let v = f(a) * f(b);
                bits(if v.is_nan() { 0.0 } else { v.clamp(0.0, 1.0) + 0.0 })
            }),
            case("div.rn.f32 D, A, B", "rrrr", |a, b, _| bits(f(a) / f(b))),
            case("fma.rn.f32 D, A, B, C", "rrrr", |a, b, c| bits(f(a).mul_add(f(b), f(c)))),
            case("rcp.rn.f32 D, A", "rrrr", |a, _, _| bits(1.0 / f(a))),
            case("sqrt.rn.f32 D, A", "rrrr", |a, _, _| bits(f(a).sqrt())),
            case("min.f32 D, A, B", "rrrr", |a, b, _| bits(minimum(f(a).into(), f(b).into()) as f32)),
            case("max.f32 D, A, B", "rrrr", |a, b, _| bits(-minimum((-f(a)).into(), (-f(b)).into()) as f32)),
            case("max.NaN.f32 D, A, B", "rrrr", |a, b, _| {
                bits(if f(a).is_nan() || f(b).is_nan() {
                    f32::NAN
                } else {
                    -minimum((-f(a)).into(), (-f(b)).into()) as f32
                })
            }),
            case("neg.f32 D, A", "rrrr", |a, _, _| (a ^ 0x8000_0000) & 0xffff_ffff),
            case("abs.f64 D, A", "dddd", |a, _, _| a & !(1 << 63)),
            case("copysign.f32 D, A, B", "rrrr", |a, b, _| a & 0x8000_0000 | b & 0x7fff_ffff),
            case("add.f64 D, A, B", "dddd", |a, b, _| bits64(g(a) + g(b))),
            case("mul.rn.f64 D, A, B", "dddd", |a, b, _| bits64(g(a) * g(b))),
            case("div.rn.f64 D, A, B", "dddd", |a, b, _| bits64(g(a) / g(b))),
            case("fma.rn.f64 D, A, B, C", "dddd", |a, b, c| bits64(g(a).mul_add(g(b), g(c)))),
            case("sqrt.rn.f64 D, A", "dddd", |a, _, _| bits64(g(a).sqrt())),
            case("min.f64 D, A, B", "dddd", |a, b, _| bits64(minimum(g(a), g(b)))),
            case("max.f64 D, A, B", "dddd", |a, b, _| bits64(-minimum(-g(a), -g(b)))),
            case("add.rn.f16 D, A, B", "hhhh", |a, b, _| to_half(half(a) + half(b))),
            case("mul.f16 D, A, B", "hhhh", |a, b, _| to_half(half(a) * half(b))),
            case("fma.rn.f16 D, A, B, C", "hhhh", |a, b, c| to_half(half(a).mul_add(half(b), half(c)))),
            case("setp.leu.f16 Q, A, B", "qhhh", |a, b, _| u64::from(!(half(a) > half(b)))),
            case("cvt.f32.f16 D, A", "rhhh", |a, _, _| bits(half(a) as f32)),
            case("cvt.rn.f16.f64 D, A", "hddd", |a, _, _| to_half(g(a))),
            case("cvt.u32.u16 D, A", "rhhh", |a, _, _| a & 0xffff),
            case("cvt.s32.s16 D, A", "rhhh", |a, _, _| w((a as i16).into())),
            case("cvt.u64.s32 D, A", "drrr", |a, _, _| s(a) as u64),
            case("cvt.s64.s8 D, A", "drrr", |a, _, _| i64::from(a as i8) as u64),
            case("cvt.u16.u64 D, A", "hddd", |a, _, _| a & 0xffff),
            case("cvt.s16.s8 D, A", "hrrr", |a, _, _| u64::from(a as i8 as u16)),
            case("cvt.s8.s64 D, A", "dddd", |a, _, _| i64::from(a as i8) as u64),
            case("cvt.u8.s32 D, A", "rrrr", |a, _, _| a & 0xff),
            case("cvt.sat.u8.s32 D, A", "rrrr", |a, _, _| s(a).clamp(0, 255) as u64),
            case("cvt.sat.s16.s64 D, A", "rddd", |a, _, _| w((a as i64).clamp(-32768, 32767))),
            case("cvt.rn.f32.s32 D, A", "rrrr", |a, _, _| bits(a as i32 as f32)),
            case("cvt.rn.f32.u64 D, A", "rddd", |a, _, _| bits(a as f32)),
            case("cvt.rn.f64.s64 D, A", "dddd", |a, _, _| bits64(a as i64 as f64)),
            case("cvt.rn.f32.f64 D, A", "rddd", |a, _, _| bits(g(a) as f32)),
            case("cvt.f64.f32 D, A", "drrr", |a, _, _| bits64(f(a).into())),
            case("cvt.rni.f64.f64 D, A", "dddd", |a, _, _| bits64(g(a).round_ties_even())),
            case("cvt.rmi.f32.f32 D, A", "rrrr", |a, _, _| bits(f(a).floor())),
            case("cvt.rpi.f32.f32 D, A", "rrrr", |a, _, _| bits(f(a).ceil())),
            case("cvt.rzi.s32.f32 D, A", "rrrr", |a, _, _| w((f(a) as i32).into())),
            case("cvt.rzi.u32.f64 D, A", "rddd", |a, _, _| {
                if g(a).is_nan() { 1 << 31 } else { u64::from(g(a) as u32) }
            }),
            case("cvt.rni.s64.f64 D, A", "dddd", |a, _, _| {
                if g(a).is_nan() { 1 << 63 } else { g(a).round_ties_even() as i64 as u64 }
            }),
            case("cvt.rzi.u64.f32 D, A", "drrr", |a, _, _| if f(a).is_nan() { 1 << 63 } else { f(a) as u64 }),
            case("cvt.rmi.s16.f32 D, A", "rrrr", |a, _, _| w((f(a).floor() as i16).into())),
            case("cvt.sat.f32.f32 D, A", "rrrr", |a, _, _| {
                bits(if f(a).is_nan() { 0.0 } else { f(a).clamp(0.0, 1.0) + 0.0 })
            }),
            case("cvt.rz.f32.f64 D, A", "rddd", |a, _, _| {
                let near = g(a) as f32;
                let far = f64::from(near).abs() > g(a).abs();
                bits(if far { f32::from_bits(near.to_bits() - 1) } else { near })
            }),
        ];
    for (name, test) in [
        ("eq", (|a, b| a == b) as fn(f64, f64) -> bool),
        ("ne", |a, b| a < b || a > b),
        ("lt", |a, b| a < b),
        ("le", |a, b| a <= b),
        ("gt", |a, b| a > b),
        ("ge", |a, b| a >= b),
        ("geu", |a, b| !(a < b)),
        ("equ", |a, b| !(a < b || a > b)),
        ("neu", |a, b| a != b),
        ("ltu", |a, b| !(a >= b)),
        ("leu", |a, b| !(a > b)),
        ("gtu", |a, b| !(a <= b)),
        ("num", |a, b| !a.is_nan() && !b.is_nan()),
        ("nan", |a, b| a.is_nan() || b.is_nan()),
    ] {
        let text = |ty: &str| -> &'static str { format!("setp.{name}.{ty} Q, A, B").leak() };
        c.push(case(text("f32"), "qrrr", move |a, b, _| test(f(a).into(), f(b).into()).into()));
        c.push(case(text("f64"), "qddd", move |a, b, _| test(g(a), g(b)).into()));
    }
    for (name, test) in [
        ("eq", (|a, b| a == b) as fn(i128, i128) -> bool),
        ("ne", |a, b| a != b),
        ("lt", |a, b| a < b),
        ("le", |a, b| a <= b),
        ("gt", |a, b| a > b),
        ("ge", |a, b| a >= b),
    ] {
        let text = |ty: &str| -> &'static str { format!("setp.{name}.{ty} Q, A, B").leak() };
        c.push(case(text("s16"), "qhhh", move |a, b, _| test((a as i16).into(), (b as i16).into()).into()));
        c.push(case(text("u16"), "qhhh", move |a, b, _| test((a as u16).into(), (b as u16).into()).into()));
        c.push(case(text("s32"), "qrrr", move |a, b, _| test((a as i32).into(), (b as i32).into()).into()));
        c.push(case(text("u32"), "qrrr", move |a, b, _| test((a as u32).into(), (b as u32).into()).into()));
        c.push(case(text("s64"), "qddd", move |a, b, _| test((a as i64).into(), (b as i64).into()).into()));
        c.push(case(text("u64"), "qddd", move |a, b, _| test(a.into(), b.into()).into()));
    }
    c.extend(floats::cases());
    c.extend(conversions::cases());
    c.extend(integers::cases());
    c
}

/// A module with one kernel for each case.
fn module(cases: &[Case], target: &str) -> String {
    let mut out = format!(".version 8.8\n.target {target}\n.address_size 64\n");
    for (number, case) in cases.iter().enumerate() {
        let register = |letter: char, kind: char| match kind {
            'h' => format!("%h{letter}"),
            'r' => format!("%r{letter}"),
            'q' => "%q".to_owned(),
            _ => format!("%d{letter}"),
        };
        let kinds: Vec<char> = case.types.chars().collect();
        let mut text = String::new();
        for c in case.text.chars() {
            match c {
                'D' => text += &register('d', kinds[0]),
                'A' if text.contains(' ') => text += &register('a', kinds[1]),
                'B' => text += &register('b', kinds[2]),
                'C' => text += &register('c', kinds[3]),
                'P' => text += "%p",
                'Q' => text += "%q",
                c => text.push(c),
            }
        }
        let _ = write!(
            out,
            ".visible .entry k{number}(.param .u64 in, .param .u64 out) {{\n\
             .reg .pred %p, %q; .reg .b16 %ha, %hb, %hc, %hd; .reg .b32 %ra, %rb, %rc, %rd, %rt, %ru;\n\
             .reg .b64 %da, %db, %dc, %dd, %di, %do, %dt;\n\
             mov.u32 %rt, %tid.x; mov.u32 %ra, %ctaid.x; mov.u32 %rb, %ntid.x; mad.lo.s32 %rt, %ra, %rb, %rt;\n\
             ld.param.u64 %di, [in]; ld.param.u64 %do, [out];\n\
             mul.wide.u32 %dt, %rt, 24; add.s64 %di, %di, %dt; mul.wide.u32 %dt, %rt, 8; add.s64 %do, %do, %dt;\n\
             ld.global.b64 %da, [%di]; ld.global.b64 %db, [%di+8]; ld.global.b64 %dc, [%di+16];\n\
             cvt.u32.u64 %ra, %da; cvt.u32.u64 %rb, %db; cvt.u32.u64 %rc, %dc;\n\
             cvt.u16.u64 %ha, %da; cvt.u16.u64 %hb, %db; cvt.u16.u64 %hc, %dc;\n\
             setp.lt.s32 %p, %ra, %rb;\n{text}{}\n",
            if text.ends_with('}') { "" } else { ";" },
        );
        out += match kinds[0] {
            'h' => "cvt.u64.u16 %dd, %hd;\n",
            'r' => "cvt.u64.u32 %dd, %rd;\n",
            'q' => "selp.b64 %dd, 1, 0, %q;\n",
            _ => "",
        };
        out += "st.global.b64 [%do], %dd;\nret;\n}\n";
    }
    out
}

/// Operand triples: all pairs of edges, with shifted thirds, then random ones of all magnitudes.
fn operands() -> Vec<[u64; 3]> {
    let mut edges: Vec<u64> =
        vec![0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff];
    edges.extend([
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        1 << 32,
        i64::MAX as u64,
        1 << 63,
        u64::MAX,
        u64::MAX - 6,
    ]);
    for v in [
        0.0f32,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        2.5,
        -2.5,
        1e-45,
        1e-38,
        3.4e38,
        255.5,
        65504.0,
        2147483648.0,
        1e20,
    ] {
        edges.push(v.to_bits().into());
        edges.push(f64::from(v).to_bits());
    }
    for v in [f32::INFINITY, f32::NEG_INFINITY, f32::from_bits(0x7fc0_0001), f32::from_bits(0xffc0_0000)] {
        edges.push(v.to_bits().into());
    }
    for v in [f64::INFINITY, f64::NEG_INFINITY, f64::from_bits(0x7ff8_0000_0000_0123), f64::MAX, 5e-324, 1e19]
    {
        edges.push(v.to_bits());
    }
    let mut out = Vec::new();
    for (i, &a) in edges.iter().enumerate() {
        for (j, &b) in edges.iter().enumerate() {
            out.push([a, b, edges[(3 * i + 5 * j) % edges.len()]]);
        }
    }
    let mut state = 1u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> (state % 3 * 20)
    };
    while out.len() % 256 != 0 || out.len() < 8192 {
        out.push([next(), next(), next()]);
    }
    out
}

/// Whether an instruction is one of sm_100, which an older GPU cannot run.
fn newest(text: &str) -> bool {
    let mixed = !text.starts_with("cvt") && (text.contains(".f32.f16 ") || text.contains(".f32.bf16 "));
    let three = (text.starts_with("min") || text.starts_with("max")) && text.ends_with('C');
    let parts = ["f32x2", "e2m1", "e2m3", "e3m2", "ue8m0", "rz.relu.satfinite.tf32"];
    mixed || three || parts.iter().any(|p| text.contains(p))
}

#[test]
fn instructions_compute_what_the_host_computes() {
    let (new, old): (Vec<Case>, Vec<Case>) = cases().into_iter().partition(|c| newest(c.text));
    check(&old, "sm_90", 90);
    check(&new, "sm_100a", 100);
}

/// Runs the cases on a machine; `PTX_SEMANTICS_DUMP` gets a folder for each target.
fn check(cases: &[Case], target: &str, sm: u32) {
    let text = module(cases, target);
    let program = Arc::new(Program::load("semantics", text.as_bytes()).unwrap_or_else(|e| panic!("{e}")));
    let mut machine = Machine::new(MachineDescription { sm, ..MachineDescription::h200() });
    let loaded = machine.load(&program).expect("it fits");
    let operands = operands();
    let input: Vec<u8> = operands.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
    let from = machine.alloc(input.len() as u64).expect("memory");
    let to = machine.alloc(operands.len() as u64 * 8).expect("memory");
    machine.write(from, &input).expect("inside");
    let params: Vec<u8> = [from, to].iter().flat_map(|v| v.to_le_bytes()).collect();
    let config = LaunchConfig::linear(operands.len() as u32 / 256, 256);
    let mut problems = BTreeMap::new();
    let mut all = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let name = format!("k{number}");
        machine
            .launch(&loaded, &name, &config, &params, &LaunchOptions::default())
            .unwrap_or_else(|e| panic!("{e}"));
        let mut out = vec![0; operands.len() * 8];
        machine.read(to, &mut out).expect("inside");
        for (chunk, &[a, b, c]) in out.chunks_exact(8).zip(&operands) {
            let have = u64::from_le_bytes(chunk.try_into().expect("8 bytes"));
            let want = (case.meaning)(a, b, c);
            if have != want {
                problems
                    .entry(case.text)
                    .or_insert(format!("of {a:#x}, {b:#x}, {c:#x}: {have:#x}, expected {want:#x}"));
            }
        }
        all.extend(out);
    }
    if let Some(folder) = std::env::var_os("PTX_SEMANTICS_DUMP") {
        let folder = std::path::PathBuf::from(folder).join(target);
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        let names: String = cases.iter().map(|c| format!("{}\n", c.text)).collect();
        for (name, bytes) in [("in.bin", &input), ("out.bin", &all)] {
            std::fs::write(folder.join(name), bytes).expect("the folder can be written");
        }
        std::fs::write(folder.join("module.ptx"), text).expect("the folder can be written");
        std::fs::write(folder.join("names.txt"), names).expect("the folder can be written");
    }
    let listed: String = problems.iter().fold(String::new(), |all, (text, p)| format!("{all}{text} {p}\n"));
    assert!(problems.is_empty(), "\n{listed}");
}
